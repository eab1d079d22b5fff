/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A checkpoint keeps what the policy maui has charged and counted; the rules
 * are those of the caller that loads it.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/small.h"

/* Of FAIR_MAUI, whose rules stay the caller's. */
static void small_maui(struct small *x, struct fair_maui_config *rules,
		       uint32_t usage)
{
	small_open(x, FAIR_FCFS, FAIR_ORDER_FCFS);
	*rules = fair_maui_defaults();
	rules->usage = usage;
	rules->interval = 4;
	rules->count[FAIR_THROTTLE_USER] = 1;
	x->config.policy = FAIR_MAUI;
	x->config.maui = rules;
	small_again(x);
}

/* A job of user 0, whose @procs are all that is known of it. */
static void small_ask(struct small *x, uint64_t number, int32_t procs)
{
	struct fair_job j = { .number = number,
			      .walltime = 10,
			      .procs = procs };

	j.group = j.account = j.queue = j.qos = FAIR_THROTTLE_NONE;
	TEST_EQ(fair_sched_submit(&x->s, 0, &j), 0);
}

/* Job 1 runs, 2 and 3 wait. */
static void small_asked(struct small *x, struct fair_maui_config *rules)
{
	small_maui(x, rules, FAIR_MAUI_PROCS);
	small_ask(x, 1, 3);
	small_ask(x, 2, 4);
	small_ask(x, 3, 4);
	small_step(x, 0);
	small_save(x);
	small_load(x, 0, 0);
}

/* It is 9: usage was charged until then or before, by intervals of 4. */
TEST(times_of_maui)
{
	static const int64_t least = -FAIR_MAUI_TIME;
	const struct {
		int64_t zero, now;
		bool good;
	} is[] = {
		{ 8, 9, true },
		{ 4, 5, true },
		{ 4, 10, false },
		{ 8, 7, false },
		{ 5, 9, false },
		{ least, 0, true },
		{ least - 4, 0, false },
		{ -4, -1, false }, /* before the origin */
	};
	struct fair_maui_config rules;
	static struct small x;
	size_t i;

	small_maui(&x, &rules, FAIR_MAUI_NOTHING);
	TEST_EQ(fair_sched_pass_time(&x.s, 9), 0);
	small_save(&x);
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		small_put(&x, FAIR_MAUI_STATE, 0, (uint64_t)is[i].zero);
		small_put(&x, FAIR_MAUI_STATE, 1, (uint64_t)is[i].now);
		small_load(&x, is[i].good ? 0 : -FAIR_EINVAL,
			   is[i].good ? 0 : FAIR_CHECKPOINT_BROKEN);
	}
}

/* Whether it runs or waits; the user's ledger is one, and of some time. */
TEST(requests_of_maui)
{
	enum { BYPASSED = 5, REQUEST = 7 };
	struct fair_maui_config rules;
	static struct small x;

	small_asked(&x, &rules);
	small_breaks(&x, FAIR_MAUI_JOBS, REQUEST + BYPASSED,
		     UINT64_MAX);
	small_breaks(&x, FAIR_MAUI_LEDGERS, 2, 4);
	small_put(&x, FAIR_MAUI_STATE, 0, UINT64_C(1) << 63);
	small_put(&x, FAIR_MAUI_STATE, 1, INT64_MAX);
	small_broken(&x);
}

/* Of three jobs the first is considered; it starts. The others are skipped by
 * the hard and the soft limit of their user. */
static void small_skipped(struct small *x, struct fair_maui_config *rules,
			  struct fair_maui_credential *user)
{
	small_maui(x, rules, FAIR_MAUI_PROCS);
	*user = fair_maui_credential_defaults();
	user->soft[FAIR_THROTTLE_IDLE_JOBS] = 1;
	user->hard[FAIR_THROTTLE_IDLE_JOBS] = 1;
	rules->credential[FAIR_THROTTLE_USER] = user;
	small_again(x);
	small_ask(x, 1, 1);
	small_ask(x, 2, 1);
	small_ask(x, 3, 1);
}

/* The word of the jobs that names the credentials; that of the state says when
 * to iterate again. */
TEST(skipped_jobs)
{
	enum { SKIPPED = 8, REQUEST = 9, AT = 10 };
	struct fair_maui_credential user;
	struct fair_maui_config rules;
	static struct small x;
	struct fair_sched s;
	struct fair_why why;

	small_skipped(&x, &rules, &user);
	small_step(&x, 0);
	TEST_EQ(fair_sched_next(&x.s), 1);
	small_save(&x);
	TEST_EQ(from_checkpoint(&x, FAIR_MAUI_JOBS, SKIPPED), 0);
	TEST_EQ(from_checkpoint(&x, FAIR_MAUI_JOBS, REQUEST + SKIPPED), 0x101);
	TEST_EQ(from_checkpoint(&x, FAIR_MAUI_STATE, AT), 0);
	TEST_EQ(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.checkpoint, x.bytes, NULL), 0);
	TEST_EQ(fair_sched_next(&s), 1);
	TEST_EQ(fair_sched_why(&s, 2, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(why.limit.resource, FAIR_THROTTLE_IDLE_JOBS);
	TEST_EQ(why.limit.limit, 1);
	/* a user alone is known of it */
	small_breaks(&x, FAIR_MAUI_JOBS, REQUEST + SKIPPED, 2);
	small_breaks(&x, FAIR_MAUI_JOBS, REQUEST + SKIPPED, 2 << 8);
	small_breaks(&x, FAIR_MAUI_JOBS, REQUEST + SKIPPED, 6);
	small_breaks(&x, FAIR_MAUI_JOBS, REQUEST + SKIPPED, 1 << 16);
	small_breaks(&x, FAIR_MAUI_STATE, AT, UINT64_MAX);
	small_load(&x, 0, 0);
	/* Of rules without such a limit none is kept. */
	user = fair_maui_credential_defaults();
	TEST_EQ(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.checkpoint, x.bytes, NULL), 0);
	TEST_EQ(fair_sched_next(&s), 10);
	TEST_EQ(fair_sched_why(&s, 2, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_NOTHING);
}

/* A step that is saved in its middle goes on with the jobs that it considers. */
TEST(skipped_jobs_in_a_step)
{
	struct fair_maui_credential user;
	struct fair_maui_config rules;
	struct fair_decision start[4];
	static struct small x;
	struct fair_sched s;
	size_t n;

	small_skipped(&x, &rules, &user);
	user.soft[FAIR_THROTTLE_IDLE_JOBS] = 2;
	user.hard[FAIR_THROTTLE_IDLE_JOBS] = 2;
	small_again(&x);
	small_ask(&x, 1, 1);
	small_ask(&x, 2, 1);
	small_ask(&x, 3, 1);
	TEST_EQ(fair_sched_step(&x.s, 0, start, 1, &n), 0);
	TEST_EQ(n, 1);
	small_save(&x);
	TEST_EQ(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.checkpoint, x.bytes, NULL), 0);
	TEST_EQ(fair_sched_step(&s, 0, start, 4, &n), 0);
	TEST_EQ(n, 1);
	TEST_EQ(start[0].number, 2);
	TEST_EQ(fair_sched_next(&s), 1);
	TEST_EQ(fair_sched_step(&s, 1, start, 4, &n), 0);
	TEST_EQ(n, 1);
	TEST_EQ(start[0].number, 3);
}

/* What is not there is not looked at. */
TEST(no_requests)
{
	struct fair_maui_config rules;
	static struct small x;

	small_asked(&x, &rules);
	small_instead(&x, FAIR_MAUI_JOBS, 0, UINT64_C(1) << 50);
	small_broken(&x);
}

/* Rules that leave each job one second of processors forbid none that there is. */
TEST(stricter_rules)
{
	struct fair_maui_credential user = fair_maui_credential_defaults();
	struct fair_maui_config rules;
	static struct small x;

	small_asked(&x, &rules);
	user.hard[FAIR_THROTTLE_PROC_SECONDS] = 4;
	rules.credential[FAIR_THROTTLE_USER] = &user;
	small_load(&x, 0, 0);
	user.hard[FAIR_THROTTLE_PROC_SECONDS] = 3;
	small_broken(&x);
}

/* Those that run come first: of the limits, here of one user, they hold. */
TEST(running_behind)
{
	enum { JOB = FAIR_JOB_WORDS, PROCS = 3 };
	struct fair_maui_config rules;
	static struct small x;
	unsigned char *p, waits[8 * JOB];

	small_maui(&x, &rules, FAIR_MAUI_PROCS);
	rules.count[FAIR_THROTTLE_USER] = 2;
	small_again(&x);
	small_ask(&x, 1, 1);
	small_ask(&x, 2, 1);
	small_ask(&x, 3, 4);
	small_step(&x, 0);
	small_save(&x);
	small_put(&x, FAIR_SECTION_JOBS, 2 * JOB + PROCS, 1);
	p = small_word(&x, FAIR_SECTION_JOBS, JOB);
	memcpy(waits, p + sizeof(waits), sizeof(waits));
	memcpy(p + sizeof(waits), p, sizeof(waits));
	memcpy(p, waits, sizeof(waits));
	small_broken(&x);
}

/* Jobs 2 and 3 have kept reservations; the sections that keep them. */
TEST(kept_reservations)
{
	enum { RESERVED = 5, PENDING = 19, KEPT = 20 };
	enum { START, WALLTIME, PROCS, GONE, NUMBER, WIDTH };
	static struct fair_maui_config rules;
	static struct small x;

	small_maui(&x, &rules, FAIR_MAUI_PROCS);
	rules.reservations = FAIR_MAUI_HIGHEST;
	rules.depth = 2;
	small_again(&x);
	small_ask(&x, 1, 3);
	small_ask(&x, 2, 4);
	small_ask(&x, 3, 4);
	small_step(&x, 0);
	small_save(&x);
	small_load(&x, 0, 0);
	small_breaks(&x, FAIR_BACKFILL_WALK, PENDING, 1);
	small_breaks(&x, FAIR_BACKFILL_WALK, KEPT, 2);
	small_breaks(&x, FAIR_BACKFILL_HELD, WIDTH + NUMBER, 2); /* twice */
	/* Not restored yet. */
	TEST_EQ(fair_sched_capacity(&x.s, 0, 1, NULL, 0), 0);
	small_save(&x);
	small_load(&x, 0, 0);
	small_breaks(&x, FAIR_BACKFILL_WALK, KEPT, 1);
	small_breaks(&x, FAIR_BACKFILL_HELD, START,
		     (uint64_t)(2 * FAIR_TIME_MAX + 1));
	small_breaks(&x, FAIR_BACKFILL_HELD, START,
		     (uint64_t)(-FAIR_TIME_MAX - 1));
	small_breaks(&x, FAIR_BACKFILL_HELD, WALLTIME, 11);
	small_breaks(&x, FAIR_BACKFILL_HELD, PROCS, 3);
	small_breaks(&x, FAIR_BACKFILL_HELD, WIDTH + NUMBER, 2);
	small_put(&x, FAIR_BACKFILL_HELD, GONE, 1); /* it was withdrawn */
	small_load(&x, 0, 0);
	small_put(&x, FAIR_BACKFILL_HELD, GONE, 0);
	small_put(&x, FAIR_BACKFILL_WALK, RESERVED, 1);
	small_put(&x, FAIR_BACKFILL_WALK, KEPT, 1);
	small_broken(&x);
}

/* Each word of the windows, which are those of the ledgers. */
TEST(windows_of_maui)
{
	static const struct {
		size_t word;
		uint64_t value;
		int damage;
	} change[] = {
		{ 8, 4, 0 },
		{ 8, 0, 0 }, /* not saved */
		{ 8, 8, FAIR_CHECKPOINT_BROKEN },
		{ 8, UINT64_MAX, FAIR_CHECKPOINT_BROKEN },
		{ 8, INT64_MAX, FAIR_CHECKPOINT_BROKEN },
		{ 9, FAIR_USAGE_ONE, 0 },
		{ 9, FAIR_USAGE_ONE + 1, FAIR_CHECKPOINT_BROKEN },
		{ 9, 0, FAIR_CHECKPOINT_BROKEN },
	};
	struct fair_maui_config rules;
	unsigned char *p;
	struct small x;
	uint64_t width, was;
	size_t i;

	small_asked(&x, &rules);
	p = section(x.checkpoint, FAIR_MAUI_STATE, &width);
	TEST_EQ(width, 11);
	for (i = 0; i < sizeof(change) / sizeof(*change); i++) {
		was = fair_get_word(p + 8 * change[i].word);
		fair_put_word(p + 8 * change[i].word, change[i].value);
		small_load(&x, change[i].damage ? -FAIR_EINVAL : 0,
			   change[i].damage);
		fair_put_word(p + 8 * change[i].word, was);
	}
}
