/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Whole traces on a machine of one resource in one class: the digest is that of
 * the pool, under every policy that a trace can ask for.
 */
#include "fairsched.h"
#include "tests/test.h"
#include "tools/fairsched/sim/sim.h"

enum { ROOM = 4096, USERS = 4 };

struct replay {
	struct fair_sched s;
	const struct swf_job *job;
	size_t jobs, arrived;
};

static int64_t run_of(void *context, uint64_t number)
{
	return ((const struct replay *)context)->job[number].run;
}

static int64_t next(void *context)
{
	const struct replay *r = (const struct replay *)context;

	return r->arrived < r->jobs ? r->job[r->arrived].submit : FAIR_FOREVER;
}

static int arrive(void *context, int64_t now)
{
	struct replay *r = (struct replay *)context;
	int error = 0;

	for (; !error && next(r) <= now; r->arrived++) {
		const struct swf_job *j = &r->job[r->arrived];
		uint32_t user = (uint32_t)j->user_id % USERS;
		struct fair_job job = { .number = r->arrived,
					.submit = j->submit,
					.walltime = j->estimate,
					.procs = j->procs,
					.user = user,
					.account = user };

		error = fair_sched_submit(&r->s, now, &job);
	}
	return error;
}

static uint64_t digest_of(const struct swf *t, struct fair_config *c)
{
	static struct fair_simulated_end end[ROOM];
	static struct replay r;
	const struct fair_simulated_events events = { run_of, next, arrive,
						      NULL,   NULL, &r };
	size_t bytes = fair_sched_size(c);
	void *memory = malloc(bytes);
	struct fair_simulated_run f;
	int64_t now;
	int error;

	memset(&r, 0, sizeof(r));
	r.job = t->job;
	r.jobs = t->jobs;
	error = !memory || fair_sched_init(&r.s, sizeof(r.s), memory, bytes, c);
	if (!error)
		error = fair_simulated_run_attach(&f, sizeof(f), end, ROOM,
						  &r.s, &events);
	while (!error && (now = fair_simulated_run_next(&f)) != FAIR_FOREVER)
		error = fair_simulated_run_instant(&f, now);
	TEST_EQ(error, 0);
	TEST_EQ(r.arrived, r.jobs);
	free(memory);
	return fair_sched_digest(&r.s);
}

static void compare(const struct swf *t, uint32_t policy)
{
	static const int64_t target[USERS] = { 10, 20, 40, 80 };
	const struct fair_machine_config machine = { 1, 1, 0, &t->procs };
	struct fair_config c = { .policy = policy,
				 .procs = t->procs,
				 .origin = t->jobs ? t->job[0].submit : 0,
				 .jobs = ROOM,
				 .accounts = USERS,
				 .target = target,
				 .users = USERS,
				 .window = 86400 };
	uint64_t pool = digest_of(t, &c);

	c.machine = &machine;
	TEST_CHECK(digest_of(t, &c) == pool);
}

TEST_EACH(whole_traces)
{
	static const char *const trace[] = { "KTH-SP2-1996-2",
					     "SDSC-SP2-1998-4.2-cln",
					     "LLNL-Thunder-2007-1.1-cln" };
	const struct swf_options o = { 0 };
	char file[128];
	struct swf t;
	uint32_t policy;
	size_t i;

	for (i = 0; i < sizeof(trace) / sizeof(*trace); i++) {
		snprintf(file, sizeof(file), "traces/%s.swf.gz", trace[i]);
		test_case(trace[i]);
		if (swf_read(&t, test_shared(file), &o)) {
			test_skip("no trace");
			continue;
		}
		for (policy = FAIR_FCFS; policy < FAIR_RELSHARE; policy++)
			compare(&t, policy);
		swf_free(&t);
	}
}
