/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A checkpoint loads under the configuration that it was saved under; one that
 * the words contradict, or that lacks the room, is refused.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/crowd.h"
#include "tests/plain_ledger.h"
#include "tests/small.h"

/* A ledger of another kind, though as large, or of another time. */
TEST(other_ledgers)
{
	static const struct {
		uint32_t users, depth;
		int64_t length;
		uint64_t id, decay;
		int64_t latest;
		bool good;
	} ledger[] = {
		{ 2, 0, 500, 0, 0, 5, true },
		{ 2, 0, 500, 0, 0, 6, false },
		{ 2, 0, 500, 3, 0, 5, false },
		{ 2, 0, 501, 0, 0, 5, false },
		{ 2, 2, 500, 0, 0, 5, false },
		{ 1, 4, 500, 0, 0, 5, false },
		{ 3, 0, 500, 0, 0, 5, false },
	};
	static uint64_t memory[256];
	uint64_t width, was;
	struct fair_usage u;
	unsigned char *p;
	static struct small x;
	size_t i, bytes;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	small_submit(&x, 5, 1, 1);
	small_save(&x);
	p = section(x.checkpoint, FAIR_USAGE_SECTION, &was);
	TEST_EQ(x.checkpoint + x.bytes - 8 - p, 8 * was); /* the last */
	for (i = 0; i < sizeof(ledger) / sizeof(*ledger); i++) {
		if (ledger[i].depth)
			TEST_OK(fair_usage_init_windows(
				&u, sizeof(u), memory, sizeof(memory),
				ledger[i].users, 1, ledger[i].id,
				ledger[i].depth, ledger[i].length,
				ledger[i].decay));
		else
			TEST_OK(fair_usage_init_half_life(
				&u, sizeof(u), memory, sizeof(memory),
				ledger[i].users, 1, ledger[i].id,
				ledger[i].length));
		TEST_EQ(fair_usage_charge(&u, 0, 0, ledger[i].latest, 1), 0);
		bytes = fair_usage_checkpoint_size(&u);
		TEST_EQ(fair_usage_save(&u, p, bytes), 0);
		width = bytes / 8;
		fair_put_word(p - 8, width);
		x.bytes = (size_t)(p - x.checkpoint) + bytes + 8;
		fair_put_word(x.checkpoint + 16, x.bytes);
		small_load(&x, ledger[i].good ? 0 : -FAIR_EINVAL,
			   ledger[i].good ? 0 : FAIR_CHECKPOINT_BROKEN);
	}
	/* Windows, of which only the decay differs. */
	small_open(&x, FAIR_RELSHARE, FAIR_ORDER_FCFS);
	small_save(&x);
	p = section(x.checkpoint, FAIR_RELSHARE_LEDGER, &width);
	for (i = 0; i < 2; i++) {
		TEST_OK(fair_usage_init_windows(&u, sizeof(u), memory,
						sizeof(memory), 2, 1, 0, 1,
						x.config.window, i));
		TEST_EQ(fair_usage_save(&u, p, (size_t)(8 * width)), 0);
		small_load(&x, i ? -FAIR_EINVAL : 0,
			   i ? FAIR_CHECKPOINT_BROKEN : 0);
	}
}

/* Started now, it cannot be due; the machine is larger than usage can be. */
TEST(other_small_words)
{
	static struct small x;
	unsigned char *p;
	uint64_t width;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	small_submit(&x, 5, 1, 1);
	small_step(&x, 5);
	small_save(&x);
	p = section(x.checkpoint, FAIR_SECTION_JOBS, &width);
	TEST_EQ(fair_get_word(p + 8), 15);
	fair_put_word(p + 8, 6);
	small_load(&x, 0, 0);
	fair_put_word(p + 8, 5);
	small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
	small_open(&x, FAIR_RELSHARE, FAIR_ORDER_FCFS);
	small_save(&x);
	p = section(x.checkpoint, FAIR_SECTION_STATE, &width);
	fair_put_word(p + 8, 3);
	small_load(&x, 0, 0);
	fair_put_word(p + 8, 5);
	fair_put_word(p + 16, 5);
	small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
}

/* Each of the fields that say how it schedules. */
TEST(other_configs)
{
	static const char *const name[18] = {
		"policy", "order", "depth", "select", "metric", "longest",
		"procs", "origin", "accounts", "users", "window", "only_used",
		"weight", "half_life", "window_origin", "by_group", "decays",
		"by_difference"
	};
	struct fair_config was, other[18];
	static struct small x;
	char text[128], *field;
	size_t i;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_SJF);
	small_submit(&x, 0, 1, 1);
	small_save(&x);
	was = x.config;
	for (i = 0; i < 18; i++)
		other[i] = was;
	other[0].policy = FAIR_FCFS;
	other[1].order = FAIR_ORDER_LJF;
	other[2].depth = 3;
	other[3].select = FAIR_GREEDY;
	other[4].metric = FAIR_FIT_PROC_SECONDS;
	other[5].longest = true;
	other[6].procs++;
	other[7].origin--;
	other[8].accounts--;
	other[9].users--;
	other[10].window++;
	other[11].only_used = true;
	other[12].weight++;
	other[13].half_life++;
	other[14].window_origin--;
	other[15].by_group = true;
	other[16].decays = true;
	other[17].by_difference = true;
	for (i = 0; i < 18; i++) {
		x.config = other[i];
		small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_CONFIG);
		(void)fair_damage_text(FAIR_CHECKPOINT_CONFIG, &x.config,
				       x.checkpoint, x.bytes, text,
				       sizeof(text));
		field = strstr(text, ": another ");
		TEST_CHECK(field && !strcmp(field + 10, name[i]));
	}
	x.config = was;
	small_load(&x, 0, 0);
}

/* Each number is one job's, those of the tasks of an array that waits too. */
TEST(other_numbers)
{
	struct fair_job j = { 0 };
	static struct small x;
	int64_t number;
	uint64_t width;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_FCFS);
	j.number = 20;
	j.tasks = 3;
	j.walltime = 10;
	j.procs = 4;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	small_submit(&x, 0, 30, 4);
	small_save(&x);
	(void)section(x.checkpoint, FAIR_SECTION_JOBS, &width);
	for (number = 19; number < 24; number++) {
		to_checkpoint(&x, FAIR_SECTION_JOBS, (size_t)width, number);
		if (number > 19 && number < 23)
			small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
		else
			small_load(&x, 0, 0);
	}
}

/* What can be told from other words is, and not read. */
TEST(told_by_others)
{
	enum { KEY = 1 };
	static struct small x, y;
	uint64_t width;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_FCFS);
	small_submit(&x, 3, 1, 3);
	small_step(&x, 3);
	small_submit(&x, 5, 2, 2);
	small_save(&x);
	y = x;
	(void)section(x.checkpoint, FAIR_SECTION_JOBS, &width);
	to_checkpoint(&x, FAIR_SECTION_JOBS, (size_t)width + KEY, 99);
	good_again(x.checkpoint, x.bytes);
	TEST_OK(fair_sched_load(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&x.config, x.checkpoint, x.bytes, NULL));
	small_save(&x);
	TEST_EQ(x.bytes, y.bytes);
	TEST_CHECK(!memcmp(x.checkpoint, y.checkpoint, y.bytes));
}

/* A checkpoint that no configuration has room for is damaged. */
TEST(broken_or_no_room)
{
	enum { KEY = 1, PROCS = 3 };
	static const struct fair_eligibility held = { 0, 0, 0, true };
	static struct small x;
	uint32_t policy;
	uint64_t width;
	struct fair_job j = { .number = 3, .walltime = 10, .procs = 1 };

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		small_open(&x, policy, FAIR_ORDER_FCFS);
		x.config.ineligible = 1;
		TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory,
					sizeof(x.memory), &x.config));
		small_submit(&x, 3, 1, 3);
		small_submit(&x, 3, 2, 1);
		small_step(&x, 3);
		TEST_EQ(fair_sched_submit_ineligible(&x.s, 3, &j, &held), 0);
		small_save(&x);
		small_load(&x, 0, 0);
		x.config.ineligible = 0;
		small_load(&x, -FAIR_ENOSPC, 0);
		(void)section(x.checkpoint, FAIR_SECTION_JOBS, &width);
		to_checkpoint(&x, FAIR_SECTION_JOBS, (size_t)width + PROCS, 2);
		small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
		to_checkpoint(&x, FAIR_SECTION_JOBS, (size_t)width + PROCS, 1);
		to_checkpoint(&x, FAIR_SECTION_JOBS, (size_t)width + KEY,
			      2 * FAIR_TIME_MAX); /* no profile has that */
		if (x.s.planner->promises)
			small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
		else
			small_load(&x, -FAIR_ENOSPC, 0);
		to_checkpoint(&x, FAIR_SECTION_JOBS, (size_t)width + KEY, 13);
		x.config.jobs = 2;
		small_load(&x, -FAIR_ENOSPC, 0);
		to_checkpoint(&x, FAIR_SECTION_STATE, 1,
			      (INT64_C(1) << 31) + 4);
		small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
	}
}

/* The caller is asked for the keys of jobs that can be. */
TEST(keys)
{
	enum { KEY = 1 };
	static const struct fair_eligibility held = { 0, 0, 0, true };
	struct fair_job j = { 0 };
	static struct small x;
	uint32_t policy;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_KEY);
	x.config.ineligible = 1;
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&x.config));
	j.number = 1;
	j.procs = 1;
	j.walltime = 10;
	TEST_EQ(fair_sched_submit_ineligible(&x.s, 0, &j, &held), 0);
	small_save(&x);
	to_checkpoint(&x, FAIR_SECTION_JOBS, KEY, -FAIR_TIME_MAX);
	small_load(&x, 0, 0);
	to_checkpoint(&x, FAIR_SECTION_JOBS, KEY, -FAIR_TIME_MAX - 1);
	small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
	for (policy = FAIR_FCFS; policy <= FAIR_PC; policy++) {
		if (policy == FAIR_CONSERVATIVE)
			continue;
		small_open(&x, policy, FAIR_ORDER_KEY);
		small_submit(&x, 0, 1, 1);
		small_save(&x);
		to_checkpoint(&x, FAIR_SECTION_JOBS, KEY, -FAIR_TIME_MAX - 1);
		keys_asked = 0;
		if (x.s.planner->promises) {
			small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
			TEST_EQ(keys_asked, 0);
		} else {
			small_load(&x, 0, 0);
			TEST_CHECK(keys_asked);
		}
	}
}

TEST(penalties)
{
	enum { PENALTY = 19 };
	static struct small x;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	small_submit(&x, 0, 1, 1);
	small_save(&x);
	to_checkpoint(&x, FAIR_SECTION_JOBS, PENALTY, FAIR_RATE_MAX);
	small_load(&x, 0, 0);
	to_checkpoint(&x, FAIR_SECTION_JOBS, PENALTY, FAIR_RATE_MAX + 1);
	small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
	to_checkpoint(&x, FAIR_SECTION_JOBS, PENALTY, -1);
	small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
}

/* All sections, and not one word of another, are there. */
TEST(lengths)
{
	static struct small x;
	unsigned char *end;
	size_t words;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_FCFS);
	small_save(&x);
	end = x.checkpoint + x.bytes - 8;
	x.bytes += 80;
	fair_put_word(x.checkpoint + 16, x.bytes);
	for (words = 0; words < 10; words++)
		fair_put_word(end + 8 * words, 999);	/* not known */
	fair_put_word(end + 16, 1);
	for (words = 6; words < 15; words++) {
		fair_put_word(end + 8, words);
		if (words == 7)
			small_load(&x, 0, 0);
		else
			small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
	}
}

/* Of a section that is one record: none, and two. */
TEST(one_record)
{
	const size_t head = 8 * FAIR_CHECKPOINT_HEADER;
	unsigned char *checkpoint = (unsigned char *)malloc(2 * head + 8), *p;
	struct fair_config config;
	static struct small x;
	int damage = 0;
	size_t length;
	uint64_t width;

	TEST_REQUIRE(checkpoint);
	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	small_save(&x);
	memcpy(checkpoint, x.checkpoint, 2 * head);
	TEST_EQ(fair_get_word(checkpoint + head), FAIR_SECTION_CONFIG);
	fair_put_word(checkpoint + 16, 2 * head + 8);
	fair_put_word(checkpoint + head + 8, 0);
	good_again(checkpoint, 2 * head + 8);
	TEST_EQ(fair_sched_checkpoint_config(checkpoint, 2 * head + 8, &config,
					     &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_BROKEN);
	free(checkpoint);
	p = section(x.checkpoint, FAIR_SECTION_CONFIG, &width);
	length = 8 * (size_t)width;
	memmove(p + length, p, x.bytes - (size_t)(p - x.checkpoint));
	fair_put_word(p - 16, 2);
	x.bytes += length;
	fair_put_word(x.checkpoint + 16, x.bytes);
	small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
}

/* Of a pool, a section of sets of nodes is one that nobody reads. */
TEST(sets_without_nodes)
{
	static const uint64_t more[] = { FAIR_SECTION_NODES_SETS, 1, 2, 1, 0 };
	static struct small x;
	size_t i;

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	small_save(&x);
	for (i = 0; i < 5; i++, x.bytes += 8)
		fair_put_word(x.checkpoint + x.bytes - 8, more[i]);
	fair_put_word(x.checkpoint + 16, x.bytes);
	small_load(&x, 0, 0);
}

/*
 * A checkpoint has the sections that its policy and order need, and no other.
 */
TEST(sections)
{
	enum { ALL = 1 << FAIR_SECTION_CONFIG | 1 << FAIR_SECTION_STATE |
		     1 << FAIR_SECTION_JOBS | 1 << FAIR_SECTION_INELIGIBLE |
		     1 << FAIR_SECTION_ADVANCES,
	       WALK = ALL | 1 << FAIR_BACKFILL_WALK |
		      1 << FAIR_BACKFILL_HELD | 1 << FAIR_BACKFILL_LEFT |
		      1 << FAIR_BACKFILL_CHOSEN,
	       KEEP = ALL | 1 << FAIR_CONSERVATIVE_SECTION };
	static const struct {
		uint32_t policy, order;
		unsigned long has;
	} is[] = {
		{ FAIR_FCFS, FAIR_ORDER_FCFS, WALK },
		{ FAIR_BACKFILL, FAIR_ORDER_SJF, WALK },
		{ FAIR_BACKFILL, FAIR_ORDER_USAGE,
		  WALK | 1 << FAIR_USAGE_SECTION },
		{ FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, KEEP },
		{ FAIR_DC, FAIR_ORDER_SJF, KEEP },
		{ FAIR_SFS, FAIR_ORDER_FCFS,
		  WALK | 1 << FAIR_SFS_SECTION },
		{ FAIR_RELSHARE, FAIR_ORDER_FCFS,
		  WALK | 1 << FAIR_RELSHARE_STATE |
			  1 << FAIR_RELSHARE_USER |
			  1 << FAIR_RELSHARE_LEDGER },
		{ FAIR_MAUI, FAIR_ORDER_FCFS,
		  WALK | 1 << FAIR_MAUI_STATE |
			  1 << FAIR_MAUI_JOBS |
			  1 << FAIR_MAUI_LEDGERS << FAIR_THROTTLE_USER },
	};
	const unsigned char *p;
	unsigned long has;
	struct crowd x;
	size_t i;

	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		crowd_open(&x, is[i].policy, is[i].order, 1);
		p = x.checkpoint + 8 * FAIR_CHECKPOINT_HEADER;
		for (has = 0; p < x.checkpoint + x.length - 8;
		     p += 8 * fair_checkpoint_extent(p))
			has |= 1UL << fair_get_word(p);
		TEST_EQ(has, is[i].has);
		free(x.checkpoint);
		free(x.memory);
	}
}

TEST(checkpoint_without_reservations)
{
	struct fair_advance b = { 1, 20, 30, 1, FAIR_ADVANCE_MAINTENANCE, 0, 0, { 0 }, 0, 0 };
	static struct small x;
	uint32_t policy;

	for (policy = FAIR_BACKFILL; policy <= FAIR_CONSERVATIVE; policy++) {
		small_open(&x, policy, FAIR_ORDER_FCFS);
		x.config.advances = 1;
		TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory,
					sizeof(x.memory), &x.config));
		TEST_EQ(fair_sched_advance_reserve(&x.s, 0, &b, false), 0);
		small_save(&x);
		small_load(&x, 0, 0);
		x.config.advances = 0;
		if (policy == FAIR_BACKFILL)
			small_load(&x, -FAIR_EINVAL, FAIR_CHECKPOINT_CONFIG);
		else
			small_load(&x, -FAIR_ENOSPC, 0);
	}
}

/* The least and the most that a word can say: 1 runs since 3, 2 waits; it is 5. */
TEST(ends_of_ranges)
{
	enum { KEY = 1, WALLTIME, PROCS, SUBMIT = 6, STARTED, STATE = 15,
	       CAUSE, CHARGED = 18, FOLLOW = 20, ADVANCE, RAN, RESIZED = 26,
	       OVERRAN };
	static const struct {
		size_t record, word;
		int64_t value;
		bool good;
	} is[] = {
		{ 0, 0, 1, true },
		{ 0, 0, 2, false },		/* as another */
		{ 0, KEY, 5, true },
		{ 0, KEY, 4, false },
		{ 0, KEY, 2 * FAIR_TIME_MAX, true },
		{ 0, KEY, 2 * FAIR_TIME_MAX + 1, false },
		{ 0, KEY, FAIR_FOREVER, false },	/* a promise alone */
		{ 0, WALLTIME, 1, true },
		{ 0, WALLTIME, 0, false },
		{ 0, WALLTIME, FAIR_WALLTIME_MAX, true },
		{ 0, WALLTIME, FAIR_WALLTIME_MAX + 1, false },
		{ 0, PROCS, 4, true },
		{ 0, PROCS, 1, true },
		{ 0, PROCS, 0, false },
		{ 0, PROCS, 5, false },
		{ 0, SUBMIT, 5, true },
		{ 0, SUBMIT, 6, false },
		{ 0, STARTED, 5, true },
		{ 0, STARTED, 6, false },
		{ 0, STARTED, -FAIR_TIME_MAX, true },
		{ 0, STARTED, -FAIR_TIME_MAX - 1, false },
		{ 0, STATE, FAIR_INELIGIBLE + 1, false },
		{ 0, CAUSE, FAIR_CAUSE_LIMIT, true },
		{ 0, CAUSE, FAIR_CAUSE_LIMIT + 1, false },
		{ 0, CHARGED, 1, false },	/* by no ledger */
		{ 1, 0, 1, false },
		{ 1, KEY, INT64_MIN, true },	/* the priority is computed */
		{ 1, PROCS, 4, true },
		{ 1, PROCS, 5, false },
		{ 1, SUBMIT, INT64_MIN, true },
		{ 1, SUBMIT, 6, false },
		{ 1, STATE, FAIR_RUNNING, false }, /* 5 of 4 processors */
		{ 1, CHARGED, 1, false },
		{ 1, ADVANCE, 1, false },	/* and in the queue */
		{ 1, RAN, 2 * FAIR_TIME_MAX, true },
		{ 1, RAN, 2 * FAIR_TIME_MAX + 1, false },
		{ 1, RESIZED, 1, false },	/* it did not run */
		{ 1, OVERRAN, 9, true },	/* of the 10 that it was given */
		{ 1, OVERRAN, 10, false },
	};
	static struct small x;
	unsigned char *p, *word;
	uint64_t width, was;
	size_t i;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	small_submit(&x, 3, 1, 3);
	small_step(&x, 3);
	small_submit(&x, 5, 2, 2);
	small_step(&x, 5);
	small_save(&x);
	p = section(x.checkpoint, FAIR_SECTION_JOBS, &width);
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		word = p + 8 * (is[i].record * width + is[i].word);
		was = fair_get_word(word);
		fair_put_word(word, (uint64_t)is[i].value);
		small_load(&x, is[i].good ? 0 : -FAIR_EINVAL,
			   is[i].good ? 0 : FAIR_CHECKPOINT_BROKEN);
		fair_put_word(word, was);
	}
}

/* Saves and loads the scheduler. */
static void loads(struct small *x)
{
	small_save(x);
	small_load(x, 0, 0);
}

/* What an event accepts, a load accepts: the first and the last times. */
TEST(accepted_is_loaded)
{
	static const int64_t submit[] = { INT64_MIN, -FAIR_TIME_MAX - 1,
					  -FAIR_TIME_MAX };
	static const int64_t origin[] = { -FAIR_TIME_MAX, FAIR_TIME_MAX - 9 };
	struct fair_job j = { .number = 1, .walltime = 10, .procs = 4 };
	static struct small x;
	uint32_t policy, order, i;

	for (policy = FAIR_FCFS; policy <= FAIR_RELSHARE; policy++)
		for (order = 0; order <= FAIR_ORDER_USAGE; order++) {
			for (i = 0; i < 3; i++) {
				small_open(&x, policy, FAIR_ORDER_FCFS);
				j.submit = submit[i];
				x.config.order = order;
				x.config.weight = FAIR_WEIGHT_MAX;
				if (fair_sched_init(&x.s, sizeof(x.s), x.memory,
						    sizeof(x.memory),
						    &x.config))
					break;
				TEST_EQ(fair_sched_submit(&x.s, 0, &j),
					i < 2 && order == FAIR_ORDER_TWO_TERM
						? -FAIR_EINVAL
						: 0);
				loads(&x);
			}
			for (i = 0; i < 2; i++) {
				j.submit = x.config.origin = origin[i];
				if (fair_sched_init(&x.s, sizeof(x.s), x.memory,
						    sizeof(x.memory),
						    &x.config))
					break;
				TEST_OK(fair_sched_submit(&x.s, j.submit, &j));
				loads(&x);
				small_step(&x, j.submit);
				loads(&x);
				TEST_OK(fair_sched_requeue(
					&x.s, FAIR_TIME_MAX, 1));
				loads(&x);
			}
		}
}

/* fcfs stopped at the job that it names, and at no other place. */
TEST(where_fcfs_stopped)
{
	static struct small x;

	small_two_wait(&x, FAIR_FCFS, 0, 5);
	small_breaks(&x, FAIR_BACKFILL_WALK, 3, 4);	/* no such job */
}

/* As far ahead as before, whatever time it is. */
TEST(reaches)
{
	const int64_t now = FAIR_TIME_MAX / 2;
	static struct small x;
	struct fair_sched s;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		small_open(&x, policy, FAIR_ORDER_FCFS);
		x.config.advances = 1;
		TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory,
					sizeof(x.memory), &x.config));
		TEST_EQ(fair_sched_pass_time(&x.s, now), 0);
		small_submit(&x, now, UINT64_MAX, 4);
		small_step(&x, now);
		small_save(&x);
		TEST_OK(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
					&x.config, x.checkpoint, x.bytes,
					NULL));
		TEST_EQ(fair_sched_horizon(&s), fair_sched_horizon(&x.s));
	}
}

/* No number is beyond the last; a job that does not run is not charged. */
TEST(last_numbers)
{
	enum { CHARGED = FAIR_JOB_WORDS + 18, FOLLOW = FAIR_JOB_WORDS + 20 };
	static struct small x;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	small_submit(&x, 0, 1, 3);
	small_submit(&x, 0, UINT64_MAX - 2, 4);
	small_step(&x, 0);
	small_save(&x);
	small_breaks(&x, FAIR_SECTION_JOBS, CHARGED, 1);
	small_breaks(&x, FAIR_SECTION_JOBS, FOLLOW, 2);
	small_put(&x, FAIR_SECTION_JOBS, FOLLOW, 1);
	small_load(&x, 0, 0);
}

/* The first that is wrong is told: a job, or that there is no room. */
TEST(damage_or_room)
{
	enum { WALLTIME = 2, USER = 9, HELD = 4 };
	static const struct fair_dependency on[2] = {
		{ 1, FAIR_AFTER_OK, 0 }, { 3, FAIR_AFTER_START, 0 }
	};
	static const struct fair_dependencies list = { on, 2, true };
	const struct fair_advance b = { 1, 20, 30, 1, FAIR_ADVANCE_MAINTENANCE, 0, 0, { 0 }, 0, 0 };
	const struct fair_eligibility later = { 50, 0, 0, false };
	static struct small x;
	struct fair_job j;

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	x.config.advances = 1;
	small_again(&x);
	small_submit(&x, 0, 1, 1);
	TEST_EQ(fair_sched_advance_reserve(&x.s, 0, &b, false), 0);
	small_save(&x);
	small_breaks(&x, FAIR_SECTION_ADVANCES, 5, UINT64_C(1) << 33);
	x.config.advances = 0;
	small_put(&x, FAIR_SECTION_JOBS, WALLTIME, 0);
	small_load(&x, -FAIR_ENOSPC, 0);	/* advance reservations come before it */
	small_put(&x, FAIR_SECTION_JOBS, USER, UINT64_C(1) << 33);
	small_broken(&x);

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	x.config.ineligible = 1;
	small_again(&x);
	small_submit(&x, 0, 1, 1);
	memset(&j, 0, sizeof(j));
	j.number = 2;
	j.walltime = j.procs = 1;
	TEST_EQ(fair_sched_submit_ineligible(&x.s, 0, &j, &later), 0);
	small_save(&x);
	small_load(&x, 0, 0);
	x.config.ineligible = 0;
	small_load(&x, -FAIR_ENOSPC, 0);
	small_put(&x, FAIR_SECTION_JOBS, USER, UINT64_C(1) << 33);
	small_broken(&x);

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	x.config.dependencies = 2;
	x.config.ineligible = 1;
	small_again(&x);
	small_submit(&x, 0, 1, 1);
	small_submit(&x, 0, 3, 1);
	TEST_OK(fair_sched_submit_dependent(&x.s, 0, &j, NULL, &list));
	small_save(&x);
	small_load(&x, 0, 0);
	x.config.dependencies = 1;
	small_load(&x, -FAIR_ENOSPC, 0);
	small_put(&x, FAIR_SECTION_INELIGIBLE, HELD, 2);
	small_broken(&x);
}

/* Nothing is saved that is not known: when a job ran last. */
TEST(last_start)
{
	enum { STARTED = 7 };
	static struct small x;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	small_submit(&x, 0, 1, 1);
	small_step(&x, 3);
	small_save(&x);
	TEST_EQ(from_checkpoint(&x, FAIR_SECTION_JOBS, STARTED), 3);
	TEST_OK(fair_sched_requeue(&x.s, 4, 1));
	small_save(&x);
	TEST_EQ(from_checkpoint(&x, FAIR_SECTION_JOBS, STARTED), 0);
}

/* An advance reservation is told as it was. */
TEST(an_advance_reservation)
{
	const struct fair_advance b = { 1, 20, 30, 3, FAIR_ADVANCE_USER, 1, 0, { 0 }, 0, 0 };
	struct fair_advance was, is;
	static struct small x;
	struct fair_sched s;

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	x.config.advances = 1;
	small_again(&x);
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	small_save(&x);
	TEST_OK(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.checkpoint, x.bytes, NULL));
	TEST_CHECK(fair_sched_advance_get(&x.s, 0, &was));
	TEST_CHECK(fair_sched_advance_get(&s, 0, &is));
	TEST_EQ(is.amount[0], was.amount[0]);
	TEST_EQ(is.procs, was.procs);
	TEST_EQ(is.user, was.user);
}

/* At most one target an account; one record is a ledger. */
TEST(one_too_many)
{
	static struct small x;
	unsigned char ledger[512];
	uint64_t width;
	size_t n, i;

	small_open(&x, FAIR_SFS, FAIR_ORDER_FCFS);
	for (n = 1; n <= 3; n++) {
		small_save(&x);
		small_instead(&x, FAIR_SFS_SECTION, n, 1);
		small_load(&x, n <= 2 ? 0 : -FAIR_EINVAL,
			   n <= 2 ? 0 : FAIR_CHECKPOINT_BROKEN);
	}
	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	for (n = 1; n <= 2; n++) {
		small_save(&x);
		memcpy(ledger,
		       section(x.checkpoint, FAIR_USAGE_SECTION, &width),
		       sizeof(ledger));
		TEST_REQUIRE(8 * width <= sizeof(ledger));
		small_instead(&x, FAIR_USAGE_SECTION, n, width);
		for (i = 0; i < n; i++)
			memcpy(small_word(&x, FAIR_USAGE_SECTION,
					  i * (size_t)width),
			       ledger, (size_t)(8 * width));
		small_load(&x, n == 1 ? 0 : -FAIR_EINVAL,
			   n == 1 ? 0 : FAIR_CHECKPOINT_BROKEN);
	}
}

/* A ledger of one user and five servers takes as much room as one of twelve. */
TEST(ledger_as_large)
{
	static uint64_t memory[256];
	static struct small x;
	struct fair_usage u;
	size_t bytes;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	x.config.users = 12;
	small_again(&x);
	small_save(&x);
	small_load(&x, 0, 0);
	TEST_EQ(fair_usage_size(1, 0, 5), fair_usage_size(12, 0, 1));
	TEST_OK(fair_usage_init_half_life(&u, sizeof(u), memory, sizeof(memory),
					  1, 5, 0, 500));
	bytes = fair_usage_checkpoint_size(&u);
	small_instead(&x, FAIR_USAGE_SECTION, 1, bytes / 8);
	TEST_OK(fair_usage_save(&u, small_word(&x, FAIR_USAGE_SECTION, 0),
				bytes));
	small_broken(&x);
}

/* Windows begin at multiples of theirs; nothing is from before the first. */
TEST(windows_of_relshare)
{
	enum { ZERO, BEGIN, NOW, MOST_SHARE, SINCE = 6 + 3 };
	const int64_t first = INT64_MIN / 2;
	static const int64_t window[2] = { 64, 100 };
	const uint64_t what = FAIR_RELSHARE_STATE;
	static struct small x;
	int i;

	for (i = 0; i < 2; i++) {
		small_open(&x, FAIR_RELSHARE, FAIR_ORDER_FCFS);
		x.config.window = window[i];
		small_again(&x);
		small_submit(&x, 250, 1, 1);
		small_save(&x);
		TEST_EQ(fair_get_word(small_word(&x, what, NOW)), 250);
		TEST_EQ(fair_get_word(small_word(&x, what, ZERO)), 0);
		small_breaks(&x, what, BEGIN, 201);
		small_breaks(&x, what, ZERO, UINT64_MAX);
		small_breaks(&x, what, NOW, UINT64_C(1) << 63);
		small_breaks(&x, what, MOST_SHARE, UINT64_C(1) << 32 | 1);
		/* Of user 1, without jobs. */
		small_breaks(&x, FAIR_RELSHARE_USER, SINCE, UINT64_MAX);
		small_put(&x, what, ZERO, (uint64_t)(first - first %
						     window[i]));
		small_load(&x, 0, 0);
		small_breaks(&x, what, ZERO, (uint64_t)(first - first %
							window[i] -
							window[i]));
	}
}

/* No more credits are kept than there were, of kinds that there are. */
TEST(damaged_credits)
{
	enum { ROOM_CREDITS = 2, CREDIT_TIME = 0, CREDIT_KIND = 2 };
	static struct small x;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	x.config.credits = 2;
	small_again(&x);
	TEST_OK(fair_sched_credit(&x.s, 0, FAIR_ENTITY_USER, 0, 5, 6));
	small_save(&x);
	small_breaks(&x, FAIR_SECTION_ROOM, ROOM_CREDITS, 0);
	small_breaks(&x, FAIR_SECTION_CREDITS, CREDIT_KIND, FAIR_ENTITY_KINDS);
	small_breaks(&x, FAIR_SECTION_CREDITS, CREDIT_TIME, 1);
}

/* Ids of kinds that there are, by index, each once. */
TEST(damaged_ids)
{
	enum { KIND, INDEX, ID, SECOND };
	static struct small x;
	uint64_t id;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	x.config.ids = 2;
	small_again(&x);
	for (id = 5; id < 7; id++)
		TEST_OK(fair_sched_add_entity(&x.s, 0, FAIR_ENTITY_USER, id));
	small_save(&x);
	small_breaks(&x, FAIR_SECTION_IDS, KIND, FAIR_ENTITY_KINDS);
	small_breaks(&x, FAIR_SECTION_IDS, SECOND + INDEX, 0);
	small_breaks(&x, FAIR_SECTION_IDS, SECOND + ID, 5);
}

/* A class that was configured without a resource never had any, and no job is in
 * a class behind the last. */
TEST(amounts_of_a_class)
{
	enum { MOST_OF_THE_SECOND = 5, NODE_CLASS = 1 };
	static const int32_t amount[] = { 4, 0 };
	static const struct fair_machine_config machine = { 2, 1, 0, amount };
	static struct small x;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	x.config.machine = &machine;
	small_again(&x);
	small_submit(&x, 0, 1, 1);
	small_save(&x);
	small_breaks(&x, FAIR_SECTION_AMOUNTS, MOST_OF_THE_SECOND, 1);
	small_breaks(&x, FAIR_SECTION_REQUESTS, NODE_CLASS, 1);
}

/* A list of more classes than a word has is saved, and loaded as it was. */
TEST(ten_classes)
{
	static const int32_t amount[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	static const struct fair_machine_config machine = { 1, 10, 0, amount };
	static const uint8_t list[] = { 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 };
	struct fair_job j = { .number = 1,
			      .walltime = 10,
			      .procs = 1,
			      .classes = list,
			      .class_count = 10 };
	const struct fair_config c = { .policy = FAIR_BACKFILL,
				       .procs = 10,
				       .jobs = 4,
				       .machine = &machine };
	static unsigned char file[1 << 12], again[1 << 12];
	size_t bytes = fair_sched_size(&c), saved;
	void *memory = malloc(bytes);
	struct fair_job_status status;
	struct fair_sched s;

	TEST_REQUIRE(memory);
	TEST_OK(fair_sched_init(&s, sizeof(s), memory, bytes, &c));
	TEST_OK(fair_sched_submit(&s, 0, &j));
	saved = fair_sched_checkpoint_size(&s);
	TEST_OK(fair_sched_save(&s, file, sizeof(file)));
	TEST_OK(fair_sched_load(&s, sizeof(s), memory, bytes, &c, file, saved,
				NULL));
	TEST_OK(fair_sched_save(&s, again, sizeof(again)));
	TEST_CHECK(!memcmp(again, file, saved));
	TEST_OK(fair_sched_lookup(&s, 1, &status));
	TEST_CHECK(!memcmp(status.job.classes, list, sizeof(list)));
	free(memory);
}

/* Without targets a checkpoint of accounts is none. */
TEST(no_targets)
{
	static struct small x;

	small_open(&x, FAIR_SFS, FAIR_ORDER_FCFS);
	small_save(&x);
	small_instead(&x, FAIR_SFS_SECTION, 0, 1);
	small_broken(&x);
}

/* Fewer records: the other accounts and users are new; no record is read that
 * is not there. */
TEST(too_few_records)
{
	static const uint32_t is[2][2] = {
		{ FAIR_SFS, FAIR_SFS_SECTION },
		{ FAIR_RELSHARE, FAIR_RELSHARE_USER },
	};
	static struct small x;
	struct fair_sched s;
	unsigned char *p;
	uint64_t width;
	int i;

	for (i = 0; i < 2; i++) {
		small_open(&x, is[i][0], FAIR_ORDER_FCFS);
		x.config.accounts = x.config.users = 8;
		small_again(&x);
		small_save(&x);
		p = section(x.checkpoint, is[i][1], &width);
		fair_put_word(p - 16, 1);
		fair_put_word(p - 8, 8 * width);
		good_again(x.checkpoint, x.bytes);
		p = malloc(x.bytes);
		TEST_REQUIRE(p);
		memcpy(p, x.checkpoint, x.bytes);
		TEST_EQ(fair_sched_load(&s, sizeof(s), x.other,
					sizeof(x.other), &x.config, p,
					x.bytes, NULL),
			0);
		free(p);
	}
}

/* As many shares as can be given, and a window that there can be. */
TEST(shares)
{
	enum { ZERO, MOST_SHARE = 3 };
	static struct small x;

	small_open(&x, FAIR_RELSHARE, FAIR_ORDER_FCFS);
	small_save(&x);
	small_put(&x, FAIR_RELSHARE_STATE, MOST_SHARE, FAIR_RELSHARE_SHARES);
	small_breaks(&x, FAIR_RELSHARE_STATE, MOST_SHARE,
		     FAIR_RELSHARE_SHARES + 1);
	small_breaks(&x, FAIR_RELSHARE_STATE, ZERO, UINT64_C(1) << 63);
}

/* Of a half-life that the coarsest usage cannot have, and of windows that nobody
 * changes, the first is told. */
TEST(rules_that_cannot_change)
{
	static const uint64_t more[] = { FAIR_COARSE_SECTION, 1, 1,
					 FAIR_COARSEST - 3 };
	static const struct fair_ledger_ops windows = {
		.name = "windows",
		.saves = FAIR_SAVES_WINDOW,
		.size = plain_size,
		.init = plain_init,
		.clone = plain_clone
	};
	static struct small x;
	size_t i;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	x.config.ledger = &windows;
	small_again(&x);
	small_save(&x);
	for (i = 0; i < 4; i++, x.bytes += 8)
		fair_put_word(x.checkpoint + x.bytes - 8, more[i]);
	fair_put_word(x.checkpoint + 16, x.bytes);
	small_load(&x, 0, 0);
	x.config.window--;
	small_load(&x, -FAIR_EINVAL, 0);
	x.config.half_life--;
	small_load(&x, -FAIR_EOVERFLOW, 0);
}
