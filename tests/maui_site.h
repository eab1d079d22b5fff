/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * maui_site.h - a machine under the policy maui
 */
#ifndef MAUI_SITE_H
#define MAUI_SITE_H

#include "fairsched.h"
#include "fuzz/inside.h"
#include "tests/test.h"

#define NONE FAIR_THROTTLE_NONE
#define DAY 86400

/* A scheduler, and jobs of known run times. */
#define JOBS 64

struct maui_site {
	struct fair_maui_credential user[3], class_[2];
	struct fair_maui_qos qos[2];
	struct fair_maui_config config;
	struct fair_config sched_config;
	struct fair_sched sched;
	void *memory;
	uint64_t number;
	int64_t now;
	int64_t start[JOBS]; /* by number, of the first */
};

static inline void site_begin(struct maui_site *x)
{
	int i;

	memset(x, 0, sizeof(*x));
	for (i = 0; i < 3; i++)
		x->user[i] = fair_maui_credential_defaults();
	for (i = 0; i < 2; i++)
		x->class_[i] = fair_maui_credential_defaults();
	x->config = fair_maui_defaults();
	x->config.count[FAIR_THROTTLE_USER] = 3;
	x->config.count[FAIR_THROTTLE_QOS] = 2;
	x->config.count[FAIR_THROTTLE_QUEUE] = 2;
	x->config.credential[FAIR_THROTTLE_USER] = x->user;
	x->config.credential[FAIR_THROTTLE_QUEUE] = x->class_;
	x->config.qos = x->qos;
	x->sched_config.policy = FAIR_MAUI;
	x->sched_config.procs = 6;
	x->sched_config.jobs = JOBS;
	x->sched_config.maui = &x->config;
	for (i = 0; i < JOBS; i++)
		x->start[i] = -1;
}

static inline void site_open(struct maui_site *x)
{
	size_t bytes = fair_sched_size(&x->sched_config);

	x->memory = malloc(bytes);
	TEST_CHECK(bytes && x->memory);
	memset(x->memory, 0x5a, bytes);
	TEST_OK(fair_sched_init(&x->sched, sizeof(x->sched), x->memory, bytes,
				&x->sched_config));
}

static inline void site_close(struct maui_site *x)
{
	TEST_EQ(fair_sched_check(&x->sched), 0);
	free(x->memory);
}

static inline struct fair_job job_of(uint32_t user, int32_t procs,
				     int64_t walltime)
{
	struct fair_job j = { 0 };

	j.user = user;
	j.group = j.account = j.qos = j.queue = NONE;
	j.procs = procs;
	j.nodes = procs;
	j.walltime = walltime;
	return j;
}

static inline uint64_t submit(struct maui_site *x, struct fair_job j)
{
	j.number = x->number++;
	j.submit = x->now;
	TEST_EQ(fair_sched_submit(&x->sched, x->now, &j), 0);
	return j.number;
}

static inline size_t step(struct maui_site *x, int64_t now)
{
	struct fair_decision d[JOBS];
	size_t n, i;

	x->now = now;
	TEST_EQ(fair_sched_step(&x->sched, now, d, JOBS, &n), 0);
	for (i = 0; i < n; i++)
		if (d[i].number < JOBS)
			x->start[d[i].number] = now;
	return n;
}

static inline int64_t estimate(struct maui_site *x, uint64_t number)
{
	static char memory[1 << 16];
	int64_t start = 0;

	TEST_OK(fair_sched_estimate(&x->sched, number, memory, sizeof(memory),
				    &start));
	return start;
}

#endif /* MAUI_SITE_H */
