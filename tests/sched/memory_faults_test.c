/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Memory at any address, as large as the size functions say and fenced on both
 * sides: every function is content with it, and touches nothing around it.
 */
#include "tests/scene.h"

#define AROUND 64

static int64_t run_time(void *context, uint64_t number)
{
	(void)context;
	return (int64_t)(number % 7);
}

static int64_t drawn(void *context, const struct fair_job_status *j,
		     uint64_t random)
{
	(void)context;
	return (int64_t)(random % (uint64_t)j->job.walltime);
}

static void count_change(void *context, const struct fair_change *change)
{
	(void)change;
	++*(int *)context;
}

struct block {
	char *all, *at;
	size_t bytes, size;
};

/* At any address; behind odd ones it is looked, else a sanitizer does. */
static void *allot(struct block *b, size_t bytes, size_t shift)
{
	b->bytes = bytes;
	b->size = AROUND + shift + bytes + (shift % 2 ? AROUND : 0);
	b->all = (char *)malloc(b->size);
	if (!b->all)
		abort();
	b->at = b->all + AROUND + shift;
	memset(b->all, 0x5a, b->size);
	return b->at;
}

static void give_back(struct block *b)
{
	size_t i, wrong = 0;

	for (i = 0; i < b->size; i++)
		if (b->all + i < b->at || b->all + i >= b->at + b->bytes)
			wrong += b->all[i] != 0x5a;
	TEST_EQ(wrong, 0);
	free(b->all);
}

/* As many jobs, ineligible jobs and reservations as there is room for. */
static void fill(struct fair_sched *s, int64_t now, uint64_t number)
{
	static const struct fair_eligibility held = { 0, 0, 0, true };
	struct fair_decision start[JOBS];
	struct fair_job j = *job(number, now, 20, 1);
	int error = 0;
	uint32_t i;
	size_t n;

	for (i = 1; i <= s->config.advances; i++)
		TEST_OK(fair_sched_advance_reserve(
			s, now, advance(i, now + 30 * i, now + 30 * i + 9, 3),
			true));
	for (; !error; j.number += 4) {
		j.tasks = !s->jobs && s->config.jobs > 1 ? 3 : 0;
		j.procs = (int32_t)(j.number % 3 + 1);
		j.user = j.number % 8 / 4 ? s->config.users - 1 : 0;
		j.advance = j.number % 5 ? 0 : s->config.advances;
		j.walltime = j.advance ? 1 : 20;
		error = fair_sched_submit_ineligible(s, now, &j,
						j.number % 3 ? NULL : &held);
		if (error && !(j.number % 3))
			error = fair_sched_submit(s, now, &j);
	}
	TEST_EQ(error, -FAIR_ENOSPC);
	for (; now < 40; now += 13)
		TEST_EQ(fair_sched_step(s, now, start, JOBS, &n), 0);
	TEST_EQ(fair_sched_check(s), 0);
}

static void is_aligned(const struct fair_sched *s)
{
	TEST_EQ((uintptr_t)s->live % 8, 0);
	TEST_EQ((uintptr_t)s->plan % 8, 0);
	if (!s->planner->promises)
		TEST_EQ((uintptr_t)afresh_of(s)->walk.groups % 4, 0);
	TEST_EQ(fair_sched_check(s), 0);
}

static void of_any(struct world *w, size_t shift)
{
	size_t bytes = fair_sched_fst_size(&w->config), length;
	struct fair_draw draw = { drawn, NULL, 1, 4 };
	struct fair_sched *s = &w->s, other;
	struct fair_forecast forecast;
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status waits;
	struct block b, checkpoint;
	struct fair_fst fst;
	int64_t start;
	int changes = 0;

	TEST_OK(fair_sched_clone(&other, allot(&b, w->bytes, shift), w->bytes,
				 s));
	is_aligned(&other);
	if (fair_sched_each(&other, FAIR_RUNNING, &at, &waits))
		TEST_OK(fair_sched_finish(&other, other.now, waits.job.number));
	fill(&other, other.now, 1001);
	give_back(&b);
	length = fair_sched_checkpoint_size(s);
	TEST_EQ(fair_sched_save(s, allot(&checkpoint, length, shift), length),
		0);
	TEST_OK(fair_sched_load(&other, sizeof(other),
				allot(&b, w->bytes, 7 - shift), w->bytes,
				&w->config, checkpoint.at, length, NULL));
	is_aligned(&other);
	give_back(&checkpoint);
	give_back(&b);
	at.row = at.index = 0;
	if (!fair_sched_each(s, FAIR_QUEUED, &at, &waits) &&
	    !fair_sched_each(s, FAIR_INELIGIBLE, &at, &waits))
		return;
	allot(&b, bytes, shift);
	TEST_OK(fair_sched_estimate(s, waits.job.number, b.at, bytes, &start));
	(void)fair_sched_fst(s, s->now, job(999, s->now, 9, 1), b.at, bytes,
			     run_time, NULL, &fst);
	give_back(&b);
	bytes = fair_sched_forecast_size(&w->config, draw.samples);
	allot(&b, bytes, shift);
	TEST_OK(fair_sched_forecast(s, waits.job.number, &draw, b.at, bytes,
				    &forecast));
	give_back(&b);
	bytes = fair_sched_whatif_size(&w->config, &w->config);
	allot(&b, bytes, shift);
	TEST_OK(fair_sched_whatif(s, s, b.at, bytes, count_change, &changes));
	TEST_EQ(changes, 0);
	give_back(&b);
}

static void exact(struct fair_config *c, size_t shift)
{
	struct block b;
	struct world w = { .config = *c, .bytes = fair_sched_size(c) };

	w.memory = (char *)allot(&b, w.bytes, shift);
	w.kept = (char *)malloc(w.bytes);
	keep(&w);
	FAULT(&w, fair_sched_init(&w.s, sizeof(w.s), w.memory, w.bytes - 1, c),
	      ENOMEM, "one byte less");
	FAULT(&w, fair_sched_init(&w.s, sizeof(w.s) + 1, w.memory, w.bytes, c),
	      EINVAL, "of another size");
	FAULT(&w, fair_sched_init(NULL, sizeof(w.s), w.memory, w.bytes, c),
	      EINVAL, "no scheduler");
	FAULT(&w, fair_sched_init(&w.s, sizeof(w.s), NULL, w.bytes, c),
	      EINVAL, "no memory");
	TEST_EQ(fair_sched_init(&w.s, sizeof(w.s), w.memory, w.bytes, c), 0);
	is_aligned(&w.s);
	fill(&w.s, 0, 1);
	of_any(&w, shift);
	free(w.kept);
	give_back(&b);
}

/*
 * Every policy with every order that it takes, with advance reservations and
 * without.
 */
TEST(memory)
{
	static const uint32_t jobs[] = { 1, 2, JOBS };
	struct fair_config c;
	uint32_t policy, order, i, k;
	size_t shift = 0;

	for (policy = 0; policy < POLICIES; policy++)
		for (order = 0; order <= FAIR_ORDER_COMPARE; order++) {
			c = config_of(policy);
			c.order = order;
			c.key = key_of;
			c.compare = as_equals;
			if (!fair_sched_size(&c))
				continue;
			for (i = 0; i < 3; i++)
				for (k = 0; k < 4; k++) {
					c.jobs = jobs[i];
					c.advances = k % 2 ? 2 : 0;
					c.ineligible = k / 2 ? c.jobs : 0;
					c.depth = k && policy != FAIR_RELSHARE
						  ? k : 0;
					exact(&c, shift++ % 8);
				}
		}
	TEST_CHECK(shift > 300);
}
