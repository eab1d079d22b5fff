/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * world.h - a scheduler, what it told, and what it was before
 */
#ifndef WORLD_H
#define WORLD_H

#include "fairsched.h"
#include "fuzz/inside.h"
#include "tests/test.h"

#define JOBS 13
#define PROCS 10

/* A scheduler, what it promised and what it was before the last call. */
struct world {
	struct fair_config config;
	struct fair_sched s, was;
	char *memory, *kept;
	size_t bytes;
	struct fair_promise told[100];
	uint32_t tells, asked;
};

static inline void promised(void *context, const struct fair_promise *p)
{
	struct world *w = (struct world *)context;

	w->told[w->tells++ % 100] = *p;
}

static inline void open_world_of(struct world *w,
				 const struct fair_config *config)
{
	struct fair_config c = *config; /* which may be that of @w */

	memset(w, 0, sizeof(*w));
	w->config = c;
	if (!c.procs)
		w->config.procs = PROCS;
	if (!c.jobs)
		w->config.jobs = JOBS;
	if (!c.ineligible && w->config.jobs > 3)
		w->config.ineligible = 3;
	w->config.promised = promised;
	w->config.context = w;
	w->bytes = fair_sched_size(&w->config);
	w->memory = (char *)malloc(w->bytes);
	w->kept = (char *)malloc(w->bytes);
	if (!w->memory || !w->kept)
		abort();
	memset(w->memory, 0, w->bytes);
	TEST_OK(fair_sched_init(&w->s, sizeof(w->s), w->memory, w->bytes,
				&w->config));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

static inline void open_world(struct world *w, uint32_t policy, uint32_t order,
			      uint32_t depth)
{
	struct fair_config config = { .policy = policy,
				      .order = order,
				      .depth = depth };

	open_world_of(w, &config);
}

static inline void close_world(struct world *w)
{
	TEST_EQ(fair_sched_check(&w->s), 0);
	free(w->memory);
	free(w->kept);
}

/* A checkpoint of it; then free(). */
static inline unsigned char *checkpoint_of(const struct fair_sched *s,
					   size_t *bytes)
{
	unsigned char *checkpoint;

	*bytes = fair_sched_checkpoint_size(s);
	checkpoint = (unsigned char *)malloc(*bytes);
	TEST_EQ(fair_sched_save(s, checkpoint, *bytes), 0);
	return checkpoint;
}

static inline void keep(struct world *w)
{
	w->was = w->s;
	memcpy(w->kept, w->memory, w->bytes);
}

/* Not a byte. */
static inline bool unchanged(struct world *w)
{
	return !memcmp(&w->was, &w->s, sizeof(w->s)) &&
	       !memcmp(w->kept, w->memory, w->bytes);
}

static inline struct fair_job a_job(uint64_t number, int64_t submit,
				    int64_t walltime, int32_t procs)
{
	return (struct fair_job){ .number = number,
				  .submit = submit,
				  .walltime = walltime,
				  .procs = procs };
}

static inline void submit(struct world *w, int64_t now, uint64_t number,
			  int64_t walltime, int32_t procs)
{
	struct fair_job j = a_job(number, now, walltime, procs);

	TEST_EQ(fair_sched_submit(&w->s, now, &j), 0);
	TEST_EQ(fair_sched_check(&w->s), 0);
}

/* The jobs that start, as digits of their numbers. */
static inline uint64_t step(struct world *w, int64_t now)
{
	struct fair_decision start[JOBS];
	uint64_t all = 0;
	size_t n = 99, i;

	TEST_EQ(fair_sched_step(&w->s, now, start, JOBS, &n), 0);
	for (i = 0; i < n; i++)
		all = all * 10 + start[i].number;
	TEST_EQ(fair_sched_check(&w->s), 0);
	return all;
}

static inline struct fair_job_status look(const struct world *w,
					  uint64_t number)
{
	struct fair_job_status j;

	memset(&j, 0, sizeof(j));
	TEST_EQ(fair_sched_lookup(&w->s, number, &j), 0);
	return j;
}

/* The next promise that was told is this one. */
static inline void told(struct world *w, uint64_t number, int64_t made,
			int64_t from, int64_t to, uint32_t cause,
			uint64_t culprit)
{
	const struct fair_promise *p = &w->told[w->asked++];

	TEST_CHECK(w->asked <= w->tells);
	TEST_EQ(p->number, number);
	TEST_EQ(p->made, made);
	TEST_EQ(p->from, from);
	TEST_EQ(p->to, to);
	TEST_EQ(p->cause, cause);
	TEST_EQ(p->culprit, culprit);
}

/* FNV-1a over words, as published; nothing of it is the library's. */
static inline uint64_t fnv(const uint64_t *word, size_t words)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	size_t i, k;

	for (i = 0; i < words; i++) {
		for (k = 0; k < 8; k++) {
			hash ^= word[i] >> (8 * k) & 255;
			hash *= UINT64_C(1099511628211);
		}
	}
	return hash;
}

/* At 10: 1 runs since 0, 2 since 10, 3 waits. */
static inline void busy_world(struct world *w, uint32_t policy)
{
	open_world(w, policy, FAIR_ORDER_FCFS, policy == FAIR_FCFS ? 2 : 0);
	submit(w, 0, 1, 100, 6);
	TEST_EQ(step(w, 0), 1);
	submit(w, 10, 2, 50, 3);
	submit(w, 10, 3, 50, 9);
	TEST_EQ(step(w, 10), 2);
	keep(w);
}

/* Accounts and users: 0 to 3, of which there is no 3. */
static inline struct fair_config shared(uint32_t policy)
{
	static const int64_t target[3] = { 2, 4, 8 };
	static const uint32_t share[3] = { 1, 2, 3 };
	struct fair_config c = { .policy = policy,
				 .procs = PROCS,
				 .jobs = JOBS,
				 .accounts = policy == FAIR_SFS ? 3 : 0,
				 .target = target,
				 .users = policy == FAIR_RELSHARE ? 3 : 0,
				 .share = share,
				 .window = 50 };

	return c;
}

static inline int64_t key_of(void *context, const struct fair_job *job)
{
	(void)context;
	return -(int64_t)job->procs;
}

/* Odd numbers first until 100, then even ones. */
static inline int parity(void *context, int64_t now, const struct fair_job *a,
		  const struct fair_job *b)
{
	int x = (int)((a->number + (now >= 100)) % 2);
	int y = (int)((b->number + (now >= 100)) % 2);

	(void)context;
	return y - x;
}

static inline void open_ordered(struct world *w, uint32_t policy, uint32_t order)
{
	struct fair_config config = { .policy = policy,
				      .order = order,
				      .key = key_of,
				      .compare = parity };

	open_world_of(w, &config);
}

static inline int submit_array(struct world *w, int64_t now, uint64_t number,
			uint32_t tasks, int32_t procs)
{
	struct fair_job j = a_job(number, now, 100, procs);

	j.tasks = tasks;
	j.cookie = 77;
	return fair_sched_submit(&w->s, now, &j);
}

/* The job that starts next, or -1. */
static inline int64_t next_start(struct world *w, int64_t now)
{
	struct fair_decision d;
	size_t n;

	TEST_EQ(fair_sched_step(&w->s, now, &d, 1, &n), 0);
	return n ? (int64_t)d.number : -1;
}

static inline void open_usage_by(struct world *w, uint32_t policy,
			  int64_t half_life)
{
	memset(w, 0, sizeof(*w));
	w->config.policy = policy;
	w->config.order = FAIR_ORDER_USAGE;
	w->config.users = 3;
	w->config.half_life = half_life;
	w->config.procs = 8;
	w->config.origin = 1000;
	w->config.jobs = 20;
	open_world_of(w, &w->config);
}

static inline void submit_of(struct world *w, uint64_t number, uint32_t user,
		      int64_t walltime, int32_t procs, int64_t penalty)
{
	struct fair_job j = a_job(number, w->s.now, walltime, procs);

	j.user = user;
	j.penalty = penalty;
	TEST_EQ(fair_sched_submit(&w->s, w->s.now, &j), 0);
}

/* Processor-seconds, in 2^-20. */
static inline uint64_t used(const struct world *w, uint32_t user, int64_t now)
{
	uint64_t whole;

	TEST_OK(fair_usage_at(usage_of(&w->s), user, now - w->config.origin,
			      &whole, NULL));
	return whole;
}

#define PROC_SECONDS(n) ((uint64_t)(n) << 20)

#endif /* WORLD_H */
