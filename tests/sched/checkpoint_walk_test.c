/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A checkpoint keeps a step that is not over: the walk, its order, its
 * reservations and its choice go on where they were, and words that no walk
 * has are refused.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/crowd.h"
#include "tests/small.h"

/* No job is taken out of an order that is not there yet. */
TEST(half_sorted)
{
	enum { NEXT = 10, UNSORTED = 17 };	/* words of a walk */
	static struct small x;
	unsigned char *p;
	uint64_t width;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_COMPARE);
	small_submit(&x, 0, 1, 3);
	small_submit(&x, 0, 2, 4);
	small_submit(&x, 0, 3, 2);
	fair_sched_scan_limit(&x.s, 1);
	small_step(&x, 0);
	small_save(&x);
	p = section(x.checkpoint, FAIR_BACKFILL_WALK, &width);
	TEST_CHECK(fair_get_word(p + 8 * UNSORTED) > 0);
	TEST_EQ(fair_get_word(p + 8 * NEXT), 0);
	small_load(&x, 0, 0);
	fair_put_word(p + 8 * NEXT, 1);
	small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
}

/*
 * A walk by the shadow time whose reserved job has left goes on in a profile.
 */
TEST(into_a_profile)
{
	enum { GONE = 3 };
	static struct small x;
	size_t i;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	small_submit(&x, 0, 1, 3);
	small_submit(&x, 0, 2, 4);
	small_submit(&x, 0, 3, 2);
	small_step(&x, 0);
	TEST_EQ(afresh_of(&x.s)->reserved, 1);
	TEST_EQ(fair_sched_cancel(&x.s, 1, 2), 0);
	small_save(&x);
	for (i = 0; i < 5; i++)
		TEST_EQ(from_checkpoint(&x, FAIR_BACKFILL_HELD, i), i == GONE);
	x.config.advances = 1;
	small_load(&x, 0, 0);
}

/* No job is there; the configuration has 4 processors. */
TEST(idle_states)
{
	static const struct {
		int64_t now, procs, most;
		bool good;
	} is[] = {
		{ 0, 4, 4, true },
		{ -1, 4, 4, false },
		{ FAIR_TIME_MAX, 4, 4, true },
		{ FAIR_TIME_MAX + 1, 4, 4, false },
		{ 9, 5, 4, false },
		{ 9, 5, 5, true },
		{ 9, 3, 4, true },
		{ 9, 3, 3, false },
		{ 9, 4, 3, false },
		{ 9, 0, 4, true },
		{ 9, INT32_MAX, INT32_MAX, true },
		{ 9, (int64_t)INT32_MAX + 1, INT32_MAX, false },
	};
	static struct small x;
	uint64_t width, policy;
	unsigned char *p;
	size_t i;

	for (policy = 0; policy <= FAIR_DC; policy++) {
		small_open(&x, (uint32_t)policy, FAIR_ORDER_FCFS);
		small_save(&x);
		p = section(x.checkpoint, FAIR_SECTION_STATE, &width);
		for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
			fair_put_word(p, (uint64_t)is[i].now);
			fair_put_word(p + 8, (uint64_t)is[i].procs);
			fair_put_word(p + 16, (uint64_t)is[i].most);
			small_load(&x, is[i].good ? 0 : -FAIR_EINVAL,
				   is[i].good ? 0 : FAIR_CHECKPOINT_BROKEN);
		}
	}
}

/* A scan keeps its order, where jobs have one that changes. */
TEST(an_order_that_nobody_sorts)
{
	enum { ORDER = 1 };	/* word of a configuration */
	static struct small x;

	small_open(&x, FAIR_PC, FAIR_ORDER_COMPARE);
	small_submit(&x, 0, 1, 3);
	small_submit(&x, 0, 2, 4);
	small_submit(&x, 0, 3, 4);
	small_step(&x, 0);
	fair_sched_scan_limit(&x.s, 1);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	small_save(&x);
	TEST_EQ(from_checkpoint(&x, FAIR_CONSERVATIVE_ORDER, 0), 2);
	small_load(&x, 0, 0);
	x.config.order = FAIR_ORDER_FCFS;
	small_put(&x, FAIR_SECTION_CONFIG, ORDER, FAIR_ORDER_FCFS);
	small_broken(&x);
}

/* What lies behind the bytes that there are is not looked at. */
TEST(begun)
{
	unsigned char checkpoint[8 * (FAIR_CHECKPOINT_HEADER + 2)];
	static struct small x;
	int damage;

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	small_save(&x);
	memset(checkpoint, 0xff, sizeof(checkpoint));
	for (x.bytes = 0; x.bytes <= 8 * (FAIR_CHECKPOINT_HEADER + 1);
	     x.bytes++) {
		if (x.bytes && x.bytes <= 8)
			checkpoint[x.bytes - 1] = x.checkpoint[x.bytes - 1];
		TEST_EQ(fair_sched_checkpoint_config(checkpoint, x.bytes,
						     &x.config, &damage),
			-FAIR_EINVAL);
		TEST_EQ(damage, x.bytes < 8 * (FAIR_CHECKPOINT_HEADER + 1)
					? FAIR_CHECKPOINT_CUT
					: FAIR_CHECKPOINT_VERSION);
	}
	checkpoint[7]++;
	TEST_EQ(fair_sched_checkpoint_config(checkpoint, 8, &x.config, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_FOREIGN);
}

/* Words of a walk. */
enum { OF_LAST = 3, OF_PASS, OF_RESERVED, OF_SHADOW, OF_WALKED = 8, OF_AGAIN,
       OF_NEXT, OF_ENDS, OF_LEFT, OF_NEXT_CHOSEN = 15, OF_END_CHOSEN,
       OF_UNSORTED, OF_PENDING = 19 };

/* A damaged checkpoint may say that the one reservation by the shadow time was
 * made for another job than it is of: nothing is known of the start of this. */
TEST(reserved_for_another_job)
{
	static struct small x;
	struct fair_sched s;
	struct fair_why w;
	uint64_t last;

	small_two_wait(&x, FAIR_BACKFILL, 1, 0);
	TEST_EQ(from_checkpoint(&x, FAIR_BACKFILL_WALK, OF_LAST), 2);
	for (last = 2; last < 4; last++) {
		small_put(&x, FAIR_BACKFILL_WALK, OF_LAST, last);
		small_load(&x, 0, 0);
		TEST_OK(fair_sched_load(&s, sizeof(s), x.other,
					sizeof(x.other), &x.config,
					x.checkpoint, x.bytes, NULL));
		TEST_OK(fair_sched_why(&s, 2, NULL, 0, &w));
		TEST_EQ(w.unknown, last == 2 ? 0 : FAIR_UNKNOWN_UNTIL);
		TEST_EQ(w.until, last == 2 ? 10 : FAIR_FOREVER);
	}
}

/* Words of a reservation. */
enum { PROCS_HELD = 2, GONE, NUMBER_HELD, IN_HELD };

TEST(reservations)
{
	static const int64_t most = FAIR_WALLTIME_MAX, far = FAIR_TIME_MAX;
	const struct {
		int64_t start, walltime, procs;
		bool good;
	} is[] = {
		{ 20, 10, 4, true },
		{ 19, 10, 4, false },		/* beside that of job 2 */
		{ 20, 1, 4, true },
		{ 20, 0, 4, false },
		{ -1, 1, 4, true },		/* until now */
		{ -5, 1, 1, true },
		{ -5, 1, 0, false },
		{ -far, 10, 4, true },
		{ -far - 1, 10, 4, false },
		{ 2 * far + 1, 10, 4, false },
		{ INT64_MAX, 10, 4, false },
		{ 5 - most, most, 1, true },	/* until 5 */
		{ 4 - most, most + 1, 1, false },
	};
	static struct small x;
	unsigned char *p;
	size_t i;

	small_two_wait(&x, FAIR_BACKFILL, 2, 0);
	p = small_word(&x, FAIR_BACKFILL_HELD, 5);
	TEST_EQ((int64_t)fair_get_word(p), is[0].start);
	small_breaks(&x, FAIR_BACKFILL_HELD, GONE, 1);
	/* No shadow time is known, even if a checkpoint has one. */
	TEST_EQ(from_checkpoint(&x, FAIR_BACKFILL_WALK, OF_SHADOW), 0);
	small_put(&x, FAIR_BACKFILL_WALK, OF_SHADOW, 20);
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		fair_put_word(p, (uint64_t)is[i].start);
		fair_put_word(p + 8, (uint64_t)is[i].walltime);
		fair_put_word(p + 16, (uint64_t)is[i].procs);
		if (is[i].good)
			small_load(&x, 0, 0);
		else
			small_broken(&x);
	}
	/* As late as can be. */
	small_two_wait(&x, FAIR_BACKFILL, 2, far - 5);
	p = small_word(&x, FAIR_BACKFILL_HELD, 0);
	TEST_EQ((int64_t)fair_get_word(p), far + 5);
	small_load(&x, 0, 0);
}

/* The jobs of user 1 have 8 of 10 processors: 2 is reserved at 10, after 1, and
 * of those that could start 3 would be beside it. */
static void small_limited(struct small *x, uint32_t depth)
{
	static const struct fair_limit limit = {
		FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 1, 8
	};
	static const struct {
		int32_t procs;
		int64_t walltime;
	} is[] = { { 8, 10 }, { 8, 10 }, { 1, 10 }, { 1, 11 }, { 1, 10 } };
	struct fair_decision start[2];
	struct fair_job j = { 0 };
	size_t n;

	small_open(x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	x->config.procs = 10;
	x->config.jobs = 5;
	x->config.depth = depth;
	x->config.limits = 1;
	x->config.limit = &limit;
	small_again(x);
	for (j.number = 1; j.number <= 5; j.number++) {
		j.procs = is[j.number - 1].procs;
		j.walltime = is[j.number - 1].walltime;
		j.user = j.number > 1;
		TEST_EQ(fair_sched_submit(&x->s, 0, &j), 0);
	}
	TEST_EQ(fair_sched_step(&x->s, 0, start, 2, &n), 0);
	TEST_EQ(start[1].number, 3);
	small_save(x);
}

/* The walk goes on behind 3: 4 still meets the reservation, and 5 does not. */
TEST(a_reservation_that_counts)
{
	struct fair_decision start[5];
	static struct small x;
	struct fair_sched s;
	uint32_t depth;
	size_t n;

	for (depth = 1; depth < 3; depth++) {
		small_limited(&x, depth);
		TEST_OK(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
					&x.config, x.checkpoint, x.bytes,
					NULL));
		TEST_EQ(fair_sched_step(&s, 0, start, 5, &n), 0);
		TEST_EQ(n, 1);
		TEST_EQ(start[0].number, 5);
	}
	/* It is all of a job's that waits, though the walk begins anew. */
	small_breaks(&x, FAIR_BACKFILL_HELD, PROCS_HELD, 7);
	small_breaks(&x, FAIR_BACKFILL_HELD, GONE, 1);
	small_put(&x, FAIR_BACKFILL_WALK, OF_AGAIN, 1);
	small_breaks(&x, FAIR_BACKFILL_HELD, GONE, 1);
}

/* One job is what fcfs stops at. */
TEST(two_heads)
{
	static struct small x;

	small_two_wait(&x, FAIR_FCFS, 0, 0);
	small_breaks(&x, FAIR_BACKFILL_WALK, OF_RESERVED, 2);
}

/* What was planned by the shadow time is a reservation in a profile. */
TEST(shadow_into_a_profile)
{
	static struct small x;
	struct fair_sched s;

	small_two_wait(&x, FAIR_BACKFILL, 1, 0);
	x.config.advances = 1;
	small_load(&x, 0, 0);
	TEST_OK(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.checkpoint, x.bytes, NULL));
	TEST_EQ(afresh_of(&s)->held[0].start, 10);
	TEST_EQ(afresh_of(&s)->held[0].walltime, 10);
	TEST_EQ(afresh_of(&s)->held[0].procs, 4);
}

/* There is room for one: nothing behind the memory is touched. */
TEST(many_reservations)
{
	static struct small x;
	size_t i, touched = 0;

	small_two_wait(&x, FAIR_BACKFILL, 1, 0);
	small_instead(&x, FAIR_BACKFILL_HELD, 300, 1);
	memset(x.other, 0x5a, sizeof(x.other));
	small_broken(&x);
	for (i = fair_sched_size(&x.config); i < sizeof(x.other); i++)
		touched += x.other[i] != 0x5a;
	TEST_EQ(touched, 0);
}

/* 1 has started; 2 to 4 of users 1, 0 and 1 are left, sorted or grouped. */
static void small_three_left(struct small *x, uint32_t order)
{
	struct fair_decision start;
	struct fair_job j;
	size_t n;

	small_open(x, FAIR_BACKFILL, order);
	memset(&j, 0, sizeof(j));
	j.walltime = 10;
	j.procs = 1;
	for (j.number = 1; j.number <= 4; j.number++) {
		j.user = (j.number + 1) % 2;
		TEST_EQ(fair_sched_submit(&x->s, 0, &j), 0);
	}
	TEST_EQ(fair_sched_step(&x->s, 0, &start, 1, &n), 0);
	TEST_EQ(start.number, 1);
	small_save(x);
	TEST_EQ(fair_get_word(small_word(x, FAIR_BACKFILL_WALK, OF_ENDS)),
		3);
	small_load(x, 0, 0);
}

/* An order has each waiting job once, and the jobs of a user together. */
TEST(orders)
{
	static struct small x;
	size_t i;

	small_three_left(&x, FAIR_ORDER_COMPARE);
	small_breaks(&x, FAIR_BACKFILL_LEFT, 0, 1);	/* it runs */
	small_breaks(&x, FAIR_BACKFILL_LEFT, 0, 4);	/* twice */
	small_breaks(&x, FAIR_BACKFILL_LEFT, 2, 5);	/* no job */
	small_three_left(&x, FAIR_ORDER_USAGE);
	for (i = 0; i < 3; i++)
		small_put(&x, FAIR_BACKFILL_LEFT, i, i + 2);
	small_broken(&x);
}

/* What is not there is not looked at. */
TEST(no_order)
{
	static const uint32_t order[2] = { FAIR_ORDER_COMPARE, FAIR_ORDER_USAGE };
	static struct small x;
	int i;

	for (i = 0; i < 2; i++) {
		small_three_left(&x, order[i]);
		small_instead(&x, FAIR_BACKFILL_LEFT, 0, UINT64_C(1) << 50);
		memset(x.other, 0x5a, sizeof(x.other));
		small_broken(&x);
	}
}

/* There is one job, and the order of the walk names another. */
TEST(order_of_a_stranger)
{
	static struct small x;
	uint64_t last;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_COMPARE);
	x.config.jobs = 1;
	small_again(&x);
	small_submit(&x, 0, 1, 4);
	TEST_EQ(fair_sched_capacity(&x.s, 0, -1, NULL, 0), 0);
	small_step(&x, 0);
	small_save(&x);
	small_load(&x, 0, 0);
	small_put(&x, FAIR_BACKFILL_WALK, OF_ENDS, 1);
	small_instead(&x, FAIR_BACKFILL_LEFT, 1, 1);
	for (last = 0; last < 16; last++) {
		small_put(&x, FAIR_BACKFILL_WALK, OF_LAST, last);
		small_broken(&x);
	}
}

/*
 * Job 1 runs; 2 to 4 need the whole machine, for which 4 has no reservation; of
 * the set 5, 6 and 7 that fills what is free best 5 has started. One processor
 * stays free.
 */
static void small_chosen(struct small *x)
{
	static const int32_t procs[] = { 1, 9, 9, 9, 4, 2, 1 };
	struct fair_decision start[2];
	uint64_t i;
	size_t n;

	small_open(x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	x->config.procs = 9;
	x->config.jobs = 8;
	x->config.depth = 2;
	x->config.select = FAIR_GREEDY;
	small_again(x);
	for (i = 0; i < 7; i++)
		small_submit(x, 3, i + 1, procs[i]);
	TEST_EQ(fair_sched_step(&x->s, 3, start, 2, &n), 0);
	TEST_EQ(start[n - 1].number, 5);
	small_save(x);
}

/* What is loaded has the same processors free at each time. */
static void small_loads_same(struct small *x)
{
	const struct fair_profile *p, *q;
	struct fair_step step, other;
	struct fair_sched s;
	int64_t t;

	TEST_OK(fair_sched_load(&s, sizeof(s), x->other, sizeof(x->other),
				&x->config, x->checkpoint, x->bytes, NULL));
	p = &afresh_of(&x->s)->space.profile;
	q = &afresh_of(&s)->space.profile;
	for (t = x->s.now; t != FAIR_FOREVER; t = step.end) {
		TEST_OK(fair_profile_step_at(p, t, &step));
		TEST_OK(fair_profile_step_at(q, t, &other));
		TEST_EQ(step.free, other.free);
		TEST_EQ(step.end, other.end);
	}
}

/* Those chosen are left, and all fit in. */
TEST(chosen)
{
	struct fair_decision start[8];
	static struct small x;
	uint64_t next;
	size_t n;

	small_chosen(&x);
	small_load(&x, 0, 0);
	small_loads_same(&x);
	TEST_EQ(fair_get_word(small_word(&x, FAIR_BACKFILL_LEFT, 0)), 4);
	TEST_EQ(fair_get_word(small_word(&x, FAIR_BACKFILL_LEFT, 1)), 6);
	TEST_EQ(fair_get_word(small_word(&x, FAIR_BACKFILL_CHOSEN, 0)),
		6);
	/* One that is reserved is not left. */
	small_breaks(&x, FAIR_BACKFILL_HELD, IN_HELD + NUMBER_HELD, 7);
	/* 4 does not fit; two are there, not one. */
	small_breaks(&x, FAIR_BACKFILL_CHOSEN, 0, 4);
	small_breaks(&x, FAIR_BACKFILL_WALK, OF_NEXT_CHOSEN, 2);
	/* The first of those that are left is chosen, too. */
	small_put(&x, FAIR_BACKFILL_LEFT, 0, 6);
	small_put(&x, FAIR_BACKFILL_LEFT, 1, 4);
	small_load(&x, 0, 0);
	small_put(&x, FAIR_BACKFILL_LEFT, 0, 4);
	small_put(&x, FAIR_BACKFILL_LEFT, 1, 6);
	/* 6 is the second of those that are left. */
	next = fair_get_word(small_word(&x, FAIR_BACKFILL_WALK,
					 OF_NEXT_CHOSEN));
	small_instead(&x, FAIR_BACKFILL_CHOSEN, 1, 1);
	small_put(&x, FAIR_BACKFILL_CHOSEN, 0, 6);
	small_put(&x, FAIR_BACKFILL_WALK, OF_END_CHOSEN, next + 1);
	small_load(&x, 0, 0);
	small_breaks(&x, FAIR_BACKFILL_WALK, OF_LEFT, 1);
	small_breaks(&x, FAIR_BACKFILL_WALK, OF_LEFT, 0);
	/* A walk that begins anew has chosen none. */
	small_chosen(&x);
	TEST_EQ(fair_sched_cancel(&x.s, 3, 6), 0);
	small_save(&x);
	TEST_EQ(from_checkpoint(&x, FAIR_BACKFILL_WALK, OF_NEXT_CHOSEN), 0);
	TEST_EQ(from_checkpoint(&x, FAIR_BACKFILL_WALK, OF_END_CHOSEN), 0);
	TEST_EQ(fair_sched_step(&x.s, 3, start, 8, &n), 0);
	TEST_EQ(n, 1);
	TEST_EQ(start[0].number, 7);
}

/* Class 0 is in use, and 2 and 3 wait for all of it; 4 and 5 are chosen for
 * class 1, and 4 has started there. */
TEST(chosen_in_a_class)
{
	static const int32_t amount[] = { 4, 4 };
	static const struct fair_machine_config machine = { 1, 2, 0, amount };
	static const uint8_t first = 0;
	struct fair_job j = { .walltime = 10 };
	struct fair_decision start[4];
	static struct small x;
	struct fair_sched s;
	size_t n;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	x.config.jobs = 5;
	x.config.depth = 2;
	x.config.procs = 8;
	x.config.select = FAIR_GREEDY;
	x.config.machine = &machine;
	small_again(&x);
	for (j.number = 1; j.number <= 5; j.number++) {
		j.procs = j.number < 4 ? 4 : 2;
		j.classes = &first;
		j.class_count = j.number < 4;
		TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	}
	TEST_EQ(fair_sched_step(&x.s, 0, start, 2, &n), 0);
	TEST_EQ(start[1].number, 4);
	TEST_EQ(start[1].node_class, 1);
	small_save(&x);
	TEST_OK(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.checkpoint, x.bytes, NULL));
	TEST_EQ(fair_sched_step(&s, 0, start, 4, &n), 0);
	TEST_EQ(n, 1);
	TEST_EQ(start[0].number, 5);
	TEST_EQ(start[0].node_class, 1);
	/* A job that is reserved cannot be chosen. */
	TEST_EQ(from_checkpoint(&x, FAIR_BACKFILL_HELD, IN_HELD + NUMBER_HELD),
		3);
	small_put(&x, FAIR_BACKFILL_HELD, IN_HELD + NUMBER_HELD, 5);
	small_put(&x, FAIR_BACKFILL_HELD, IN_HELD + PROCS_HELD, 2);
	small_broken(&x);
}

/* No promise is before the time from which the caller accepts the job. */
TEST(promise_too_early)
{
	enum { NOT_BEFORE = 4 };
	static struct small x;

	small_open(&x, FAIR_CONSERVATIVE, FAIR_ORDER_FCFS);
	small_submit(&x, 3, 1, 3);
	small_step(&x, 3);
	small_submit(&x, 5, 2, 3);
	small_save(&x);
	small_breaks(&x, FAIR_SECTION_JOBS, FAIR_JOB_WORDS + NOT_BEFORE, 9999);
}

/*
 * A job that waits for nothing any more is queued, whatever the checkpoint
 * says.
 */
TEST(ineligible_for_no_reason)
{
	struct fair_decision start[CROWD];
	struct fair_job_status j;
	struct fair_sched s;
	struct crowd x;
	unsigned char *p;
	uint64_t width;
	size_t n;

	crowd_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS, CROWD + 2);
	p = section(x.checkpoint, FAIR_SECTION_INELIGIBLE, &width) + 8 * width;
	TEST_EQ(fair_get_word(p), 30);
	TEST_EQ(fair_get_word(p + 8), 50);
	fair_put_word(p + 8, 5);
	good_again(x.checkpoint, x.length);
	TEST_OK(fair_sched_load(&s, sizeof(s), x.memory, x.bytes, &x.config,
				x.checkpoint, x.length, NULL));
	TEST_EQ(fair_sched_step(&s, 6, start, CROWD, &n), 0);
	TEST_EQ(fair_sched_lookup(&s, 30, &j), 0);
	TEST_CHECK(j.state != FAIR_INELIGIBLE);
	free(x.checkpoint);
	free(x.memory);
}

/* A walk over promises is of a kind that there is, and not from before time. */
TEST(walks_of_promises)
{
	enum { KIND = 5, RISEN_FROM, NUMBER = 10 };
	static struct small x;

	small_two_wait(&x, FAIR_DC, 0, 0);
	small_put(&x, FAIR_CONSERVATIVE_SECTION, RISEN_FROM,
		  (uint64_t)-FAIR_TIME_MAX);
	small_breaks(&x, FAIR_CONSERVATIVE_SECTION, RISEN_FROM,
		     (uint64_t)-FAIR_TIME_MAX - 1);
	small_put(&x, FAIR_CONSERVATIVE_SECTION, NUMBER, 2);
	small_put(&x, FAIR_CONSERVATIVE_SECTION, KIND, FAIR_CONSERVATIVE_START);
	small_breaks(&x, FAIR_CONSERVATIVE_SECTION, KIND,
		     FAIR_CONSERVATIVE_START_PLACES + 1);
}

/* When a step of fcfs is over, it has stopped at a job that waits. */
TEST(steps_that_are_over)
{
	static struct small x;

	small_two_wait(&x, FAIR_FCFS, 0, 0);
	TEST_CHECK(x.s.is_step_complete);
	small_breaks(&x, FAIR_BACKFILL_WALK, OF_LAST, 1);	/* it runs */
	small_breaks(&x, FAIR_BACKFILL_WALK, OF_RESERVED, 0);
	small_breaks(&x, FAIR_BACKFILL_WALK, OF_AGAIN, 1);
}

/* How far a walk is: of its order, its passes and those it has chosen. */
TEST(places_in_walks)
{
	const uint64_t walk = FAIR_BACKFILL_WALK;
	static struct small x;

	small_three_left(&x, FAIR_ORDER_COMPARE);
	small_put(&x, walk, OF_NEXT, 3);
	small_breaks(&x, walk, OF_NEXT, 4);
	small_breaks(&x, walk, OF_PENDING, 1);
	small_put(&x, walk, OF_NEXT, 0);
	small_breaks(&x, walk, OF_ENDS, 2);
	small_breaks(&x, walk, OF_PASS, 2);
	small_breaks(&x, walk, OF_WALKED, 1);	/* it is 0 */
	small_put(&x, walk, OF_UNSORTED, 3);	/* two thirds of the sort */
	small_breaks(&x, walk, OF_UNSORTED, 4);
	small_breaks(&x, walk, OF_LEFT, 1);
	small_put(&x, walk, OF_UNSORTED, 0);
	small_put(&x, walk, OF_NEXT_CHOSEN, FAIR_GREEDY_JOBS);
	small_put(&x, walk, OF_END_CHOSEN, FAIR_GREEDY_JOBS);
	small_load(&x, 0, 0);
	small_put(&x, walk, OF_NEXT_CHOSEN, FAIR_GREEDY_JOBS + 1);
	small_put(&x, walk, OF_END_CHOSEN, FAIR_GREEDY_JOBS + 1);
	small_broken(&x);
	/* As if one were chosen, at the end of what 32 bits count. */
	small_put(&x, walk, OF_NEXT_CHOSEN, UINT32_MAX);
	small_put(&x, walk, OF_END_CHOSEN, 0);
	small_instead(&x, FAIR_BACKFILL_CHOSEN, 1, 1);
	small_put(&x, FAIR_BACKFILL_CHOSEN, 0, 2);
	small_broken(&x);
	/* Groups are never half sorted; a queue that is in order not at all. */
	small_three_left(&x, FAIR_ORDER_USAGE);
	small_breaks(&x, walk, OF_UNSORTED, 1);
	small_two_wait(&x, FAIR_BACKFILL, 1, 0);
	small_put(&x, walk, OF_ENDS, 1);
	small_instead(&x, FAIR_BACKFILL_LEFT, 1, 1);
	small_put(&x, FAIR_BACKFILL_LEFT, 0, 2);
	small_broken(&x);
}

/* Under pc a walk that starts jobs goes on at one without a promise. */
TEST(starts_of_the_promised)
{
	enum { KIND = 5, NUMBER = 10 };
	static struct small x;

	small_two_wait(&x, FAIR_PC, 0, 0);
	small_put(&x, FAIR_CONSERVATIVE_SECTION, NUMBER, 2);
	small_breaks(&x, FAIR_CONSERVATIVE_SECTION, KIND,
		     FAIR_CONSERVATIVE_START);
}

/* A walk that is not over goes on where it was after each load. */
TEST(walk_unfinished)
{
	static struct small x;
	struct fair_sched s;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_COMPARE);
	small_submit(&x, 0, 1, 3);
	small_submit(&x, 0, 2, 4);
	small_submit(&x, 0, 3, 2);
	fair_sched_scan_limit(&x.s, 1);
	small_step(&x, 0);
	small_save(&x);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_OK(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.checkpoint, x.bytes, NULL));
	TEST_CHECK(fair_sched_is_unfinished(&s));
}
