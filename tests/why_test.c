/* SPDX-License-Identifier: MIT OR Unlicense */
/* Why a job does not start: cases made by hand, then random ones on clones. */
#define FAIR_QUEUE_BLOCK 4
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "fuzz/why_check.h"
#include "test.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

#define EVENTS SOME(400, 160)

struct world {
	struct fair_config config;
	struct fair_sched s;
	void *memory;
	int64_t now;
	uint64_t random, next;
	uint32_t asked;
};

static int64_t draw(struct world *w, int64_t low, int64_t high)
{
	w->random = w->random * UINT64_C(6364136223846793005) + 1442695;
	return low + (int64_t)((w->random >> 33) % (uint64_t)(high - low + 1));
}

/* policy, order, depth and select are set. */
static void begin(struct world *w)
{
	static const int64_t target[3] = { 2, 4, 9 };
	size_t bytes;

	w->config.procs = (int32_t)draw(w, 4, 12);
	w->config.jobs = 32;
	w->config.aside = 8;
	w->config.accounts = 3;
	w->config.target = target;
	w->config.users = 4;
	w->config.window = 50;
	w->config.weight = 3;
	w->config.half_life = 40;
	w->now = 0;
	bytes = fair_sched_size(&w->config);
	w->memory = malloc(bytes);
	TEST_EQ(fair_sched_init(&w->s, sizeof(w->s), w->memory, bytes,
				&w->config),
		0);
}

static void submit(struct world *w, int32_t procs, int64_t walltime)
{
	struct fair_job j = { 0 };

	j.number = w->next++;
	j.submit = w->now;
	j.procs = procs;
	j.walltime = walltime;
	j.account = (uint32_t)draw(w, 0, w->config.accounts - 1);
	j.user = (uint32_t)draw(w, 0, w->config.users - 1);
	(void)fair_sched_submit(&w->s, w->now, &j);
}

/* Any live job: its number, or UINT64_MAX. */
static uint64_t any(struct world *w, uint32_t state)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	uint64_t number = UINT64_MAX;
	int64_t n = 0;

	while (fair_sched_each(&w->s, state, &at, &j))
		if (!draw(w, 0, n++))
			number = j.job.number;
	return number;
}

static void aside(struct world *w)
{
	struct fair_until until = { 0 };

	until.begin = w->now + draw(w, 0, 20);
	until.held = !draw(w, 0, 3);
	until.after = any(w, draw(w, 0, 1) ? FAIR_RUNNING : FAIR_QUEUED);
	until.end = (uint32_t)draw(w, 0, 2);
	(void)fair_sched_defer(&w->s, w->now,
			       any(w, draw(w, 0, 2) ? FAIR_QUEUED : FAIR_ASIDE),
			       draw(w, 0, 2) ? &until : NULL);
}

static void event(struct world *w)
{
	int64_t what = draw(w, 0, 22);

	if (what < 9)
		submit(w, (int32_t)draw(w, 1, w->config.procs),
		       draw(w, 1, 20));
	else if (what < 14)
		(void)fair_sched_finish(&w->s, w->now, any(w, FAIR_RUNNING));
	else if (what == 14)
		(void)fair_sched_cancel(&w->s, w->now, any(w, FAIR_QUEUED));
	else if (what == 15)
		(void)fair_sched_modify(&w->s, w->now, any(w, FAIR_QUEUED),
					(int32_t)draw(w, 1, 4),
					draw(w, 1, 20));
	else if (what == 16)
		(void)fair_sched_capacity(&w->s, w->now,
					  (int32_t)draw(w, -3, 2), NULL, 0);
	else if (what > 19)
		aside(w);
	else if (what == 17)
		(void)fair_sched_refuse(&w->s, w->now, any(w, FAIR_RUNNING));
	else
		w->now += draw(w, 0, 6);
}

/* ---- by hand ---- */

/* 10 processors for a scheduler of @config, or for one that is easy. */
static void open_world(struct world *w, const struct fair_config *config)
{
	static const int64_t target[2] = { 5, 5 };
	size_t bytes;

	memset(w, 0, sizeof(*w));
	if (config)
		w->config = *config;
	else
		w->config.policy = FAIR_BACKFILL;
	if (!w->config.procs)
		w->config.procs = 10;
	w->config.jobs = 16;
	w->config.aside = 2;
	if (!w->config.accounts)
		w->config.accounts = 1;
	if (!w->config.users)
		w->config.users = 1;
	w->config.target = target;
	w->config.window = 1000;
	bytes = fair_sched_size(&w->config);
	w->memory = malloc(bytes);
	TEST_EQ(fair_sched_init(&w->s, sizeof(w->s), w->memory, bytes,
				&w->config),
		0);
	w->now = w->config.origin;
}

/* Of which job 0 holds 6 until 100; 1 needs 8, 2 needs 4. */
static void crowded_by(struct world *w, const struct fair_config *config)
{
	open_world(w, config);
	w->now = 20;
	submit(w, 6, 80);
	submit(w, 8, 50);
	submit(w, 4, 200);
}

static void crowded(struct world *w, uint32_t policy)
{
	struct fair_config config = { 0 };

	config.policy = policy;
	crowded_by(w, &config);
}

static void says(const struct world *w, uint64_t number, const char *text)
{
	size_t bytes = fair_sched_fst_size(&w->config);
	void *memory = malloc(bytes);
	struct fair_why why;
	char said[1024];

	TEST_EQ(fair_sched_why(&w->s, number, memory, bytes, &why), 0);
	fair_why_text(&why, said, sizeof(said));
	if (strcmp(said, text))
		fprintf(stderr, "%s\n", said);
	TEST_CHECK(!strcmp(said, text));
	free(memory);
}

static void sentences(void)
{
	struct fair_until until = { 0, 0, FAIR_AFTER_NOTHING, false };
	struct world w;

	crowded(&w, FAIR_BACKFILL);
	(void)why_step(&w.s, 30, UINT64_MAX);
	says(&w, 1,
	     "Job 1 has waited for 10 s and is the first in the queue. "
	     "It needs 8 processors: 4 are free, enough from 110 on, "
	     "after the end of job 0. It would start now with 4 "
	     "processors. A start is reserved for it at 110.");
	says(&w, 2,
	     "Job 2 has waited for 10 s, 1 job is ahead of it. Now it "
	     "would delay job 1, due to start at 110. It would start now"
	     " with 2 processors, or with a walltime of 80 s. If nothing"
	     " changes it starts at 160.");
	free(w.memory);
	crowded(&w, FAIR_FCFS);
	(void)why_step(&w.s, 30, UINT64_MAX);
	says(&w, 2,
	     "Job 2 has waited for 10 s, 1 job is ahead of it. Nobody "
	     "goes ahead of job 1. No smaller size would start now. If "
	     "nothing changes it starts at 160.");
	free(w.memory);
	crowded(&w, FAIR_CONSERVATIVE);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 2,
	     "Job 2 has waited for 0 s, 1 job is ahead of it. Now it "
	     "would delay job 1, due to start at 100. It would start now"
	     " with 2 processors, or with a walltime of 80 s. A start is"
	     " reserved for it at 150.");
	TEST_EQ(fair_sched_capacity(&w.s, 20, -4, NULL, 0), 0);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 1,
	     "Job 1 has waited for 0 s and is the first in the queue. It"
	     " needs 8 processors, and the machine has 6 at present. No "
	     "smaller size would start now. As things are it will not "
	     "start.");
	free(w.memory);
	crowded(&w, FAIR_SFS);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 1,
	     "Job 1 has waited for 0 s and is the first in the queue. It"
	     " needs 8 processors: 4 are free, enough from 100 on, after"
	     " the end of job 0. Its account occupies 6 processors, "
	     "above its target of 5. It would start now with 4 "
	     "processors. If nothing changes it starts at 100.");
	says(&w, 2,
	     "Job 2 has waited for 0 s, 1 job is ahead of it. Its "
	     "account occupies 6 processors, above its target of 5. Now "
	     "it would delay job 1, due to start at 100. It would start "
	     "now with 2 processors, or with a walltime of 80 s. If "
	     "nothing changes it starts at 150.");
	free(w.memory);
	crowded(&w, FAIR_PC);
	until.begin = 40;
	until.after = 1;
	until.end = FAIR_AFTER_OK;
	TEST_EQ(fair_sched_defer(&w.s, 20, 2, &until), 0);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 2,
	     "Job 2 has waited for 0 s. It is not to begin before 40. It "
	     "waits for the end of job 1. If nothing changes it starts at "
	     "150.");
	until.held = true;
	TEST_EQ(fair_sched_defer(&w.s, 20, 2, &until), 0);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 2,
	     "Job 2 has waited for 0 s. It is held. It is not to begin "
	     "before 40. It waits for the end of job 1. As things are it "
	     "will not start.");
	free(w.memory);
	crowded(&w, FAIR_DC);
	(void)why_step(&w.s, 20, UINT64_MAX);
	TEST_EQ(fair_sched_refuse(&w.s, 20, 0), 0);
	(void)why_step(&w.s, 20, UINT64_MAX);
	says(&w, 0,
	     "Job 0 has waited for 0 s and is the first in the queue. "
	     "Its start was refused at this second. It needs 6 "
	     "processors: 2 are free, enough from 70 on, after the end "
	     "of job 1. No smaller size would start now. A start is "
	     "reserved for it at 150. If nothing changes it starts at "
	     "70.");
	free(w.memory);
}

/* The text in a buffer of @size bytes: cut, ended, and nothing behind it. */
static void cut(const struct fair_why *why, size_t size, const char *whole)
{
	size_t length = strlen(whole), kept = size ? size - 1 : 0;
	char text[1024];

	memset(text, 'x', sizeof(text));
	TEST_EQ(fair_why_text(why, text, size), length);
	if (kept > length)
		kept = length;
	TEST_CHECK(!memcmp(text, whole, kept));
	if (size)
		TEST_EQ(text[kept], 0);
	TEST_EQ(text[kept + !!size], 'x');
}

/* More of them than are named; before second 0; what only a clone can tell. */
static void many_blockers(void)
{
	struct world w;
	struct fair_why why;
	char text[1024];
	int i;

	memset(&w, 0, sizeof(w));
	w.config.policy = FAIR_DC;
	w.config.procs = 10;
	w.config.jobs = 20;
	w.config.origin = -1000;
	{
		size_t bytes = fair_sched_size(&w.config);

		w.memory = malloc(bytes);
		TEST_EQ(fair_sched_init(&w.s, sizeof(w.s), w.memory, bytes,
					&w.config),
			0);
	}
	w.config.users = w.config.accounts = 1;
	w.now = -1000;
	for (i = 0; i < 9; i++)
		submit(&w, 1, 100 + i);
	(void)why_step(&w.s, -1000, UINT64_MAX);
	submit(&w, 10, 50);
	(void)why_step(&w.s, -990, UINT64_MAX);
	TEST_EQ(fair_sched_why(&w.s, 9, NULL, 0, &why), 0);
	TEST_EQ(why.blockers, 9);
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(!strcmp(text,
		"Job 9 has waited for 10 s and is the first in the queue. It "
		"needs 10 processors: 1 are free, enough from -892 on, after "
		"the end of jobs 0, 1, 2, 3, 4, 5, 6, 7 and 1 more. It would "
		"start now with 1 processor. A start is reserved for it at "
		"-892."));
	why.unknown = FAIR_UNKNOWN_PROCS | FAIR_UNKNOWN_WALLTIME;
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(!strstr(text, "size") && !strstr(text, "now with"));
	for (i = 0; i < 30; i++)
		cut(&why, (size_t)i, text);
	why.job.number = UINT64_MAX;
	why.job.submit = 0;
	why.blocker[0].number = UINT64_C(1) << 63;
	fair_why_text(&why, text, sizeof(text));
	TEST_CHECK(strstr(text, "Job 18446744073709551615 has waited for -990"
				" s"));
	TEST_CHECK(strstr(text, "jobs 9223372036854775808, 1, 2"));
	cut(&why, strlen(text), text);
	cut(&why, strlen(text) + 1, text);
	cut(&why, strlen(text) + 2, text);
	free(w.memory);
}

static void nothing_changed(void *context, const struct fair_change *c)
{
	(void)context;
	(void)c;
	TEST_CHECK(false);
}

static void errors(void)
{
	struct fair_draw draws = { why_planned, NULL, 1, 10 };
	struct fair_config config;
	struct fair_forecast f;
	struct fair_sched b;
	struct world w;
	struct fair_why why;
	static char memory[65536];
	int64_t start = 0;

	crowded(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_why(&w.s, 1, NULL, 0, &why), -FAIR_EINVAL);
	(void)why_step(&w.s, 30, UINT64_MAX);
	TEST_EQ(fair_sched_why(&w.s, 1, NULL, 0, &why), 0);
	TEST_EQ(why.unknown, 0);
	TEST_EQ(fair_sched_why(&w.s, 2, NULL, 0, &why), 0);
	TEST_EQ(why.unknown, FAIR_UNKNOWN_UNTIL);
	TEST_EQ(fair_sched_why(&w.s, 0, NULL, 0, &why), -FAIR_EINVAL);
	TEST_EQ(fair_sched_why(&w.s, 9, NULL, 0, &why), -FAIR_EINVAL);
	TEST_EQ(fair_sched_why(NULL, 1, NULL, 0, &why), -FAIR_EINVAL);
	TEST_EQ(fair_sched_why(&w.s, 1, NULL, 0, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_sched_why(&w.s, 1, memory, 1, &why), -FAIR_ENOMEM);
	TEST_EQ(fair_sched_estimate(&w.s, 0, memory, sizeof(memory), &start),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_estimate(&w.s, 1, NULL, 0, &start), -FAIR_ENOMEM);
	TEST_EQ(fair_sched_estimate(&w.s, 2, memory, sizeof(memory), &start),
		0);
	TEST_EQ(start, 160);
	TEST_EQ(fair_sched_forecast(&w.s, 0, &draws, memory, sizeof(memory),
				    &f),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_forecast(&w.s, 1, NULL, memory, sizeof(memory), &f),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_forecast(&w.s, 1, &draws, memory, 9, &f),
		-FAIR_ENOMEM);
	draws.samples = 0;
	TEST_EQ(fair_sched_forecast(&w.s, 1, &draws, memory, sizeof(memory),
				    &f),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_whatif(&w.s, &w.s, memory, 9, nothing_changed, NULL),
		-FAIR_ENOMEM);
	TEST_EQ(fair_sched_whatif(&w.s, NULL, memory, sizeof(memory),
				  nothing_changed, NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_whatif(&w.s, &w.s, memory, sizeof(memory),
				  nothing_changed, NULL),
		0);
	config = w.config;
	TEST_EQ(fair_sched_convert(&b, sizeof(b), memory, 9, &config, &w.s),
		-FAIR_ENOMEM);
	TEST_EQ(fair_sched_convert(&b, 1, memory, sizeof(memory), &config,
				   &w.s),
		-FAIR_EINVAL);
	config.jobs = 2;
	TEST_EQ(fair_sched_convert(&b, sizeof(b), memory, sizeof(memory),
				   &config, &w.s),
		-FAIR_ENOSPC);
	config.policy = FAIR_SFS;
	config.jobs = 8;
	w.now = 30;
	w.config.accounts = 7;
	w.random = 5;
	submit(&w, 1, 1);
	TEST_EQ(fair_sched_convert(&b, sizeof(b), memory, sizeof(memory),
				   &config, &w.s),
		-FAIR_EINVAL);
	free(w.memory);
}

/* ---- by hand, without a clone ---- */

/* Of @user, with a time of submission. */
static void submit_of(struct world *w, uint32_t user, int64_t at, int32_t procs,
		      int64_t walltime)
{
	struct fair_job j = { 0 };

	j.number = w->next++;
	j.submit = at;
	j.user = j.account = user;
	j.procs = procs;
	j.walltime = walltime;
	TEST_EQ(fair_sched_submit(&w->s, w->now, &j), 0);
}

static void step(struct world *w, int64_t now)
{
	w->now = now;
	(void)why_step(&w->s, now, UINT64_MAX);
}

static struct fair_why quick(const struct world *w, uint64_t number)
{
	struct fair_why why;

	memset(&why, 0, sizeof(why));
	TEST_EQ(fair_sched_why(&w->s, number, NULL, 0, &why), 0);
	return why;
}

/* By submission, then by number; under the others by priority, whenever they
 * are to start. */
static void who_is_ahead(void)
{
	static const int64_t came[] = { 10, 5, 10, 10 };
	struct fair_config c = { 0 };
	struct world w;
	int i;

	c.policy = FAIR_CONSERVATIVE;
	open_world(&w, &c);
	w.now = 20;
	submit_of(&w, 0, 20, 10, 80);
	for (i = 0; i < 4; i++)
		submit_of(&w, 0, came[i], 10, 10);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).ahead, 1);
	TEST_EQ(quick(&w, 2).ahead, 0);
	TEST_EQ(quick(&w, 3).ahead, 2);
	TEST_EQ(quick(&w, 4).ahead, 3);
	free(w.memory);

	c.policy = FAIR_PC;
	c.order = FAIR_ORDER_SJF;
	open_world(&w, &c);
	submit(&w, 6, 100);
	submit(&w, 2, 30);
	submit(&w, 10, 50);
	submit(&w, 4, 60);
	step(&w, 0);
	TEST_EQ(quick(&w, 2).promise, 100);
	TEST_EQ(quick(&w, 2).ahead, 0);
	TEST_EQ(quick(&w, 3).promise, 30);
	TEST_EQ(quick(&w, 3).ahead, 1);
	free(w.memory);
}

/* Users by numbers that share a place where it is kept how they compare. */
#define FAR UINT32_C(0x1010100)
static const uint32_t known[] = { 0, 1, FAR, 5, 64 };
static uint32_t compared;

static uint32_t user_known(const void *context, uint32_t slot)
{
	return known[((const struct fair_sched *)context)->live[slot].user];
}

/* 0, 1 and FAR come first, then 5, then 64. */
static int compare_users(const void *context, uint32_t a, uint32_t b)
{
	int x = a < 2 || a == FAR ? 0 : 1 + (a == 64);
	int y = b < 2 || b == FAR ? 0 : 1 + (b == 64);

	(void)context;
	compared++;
	return x - y;
}

static void ahead_among_users(const struct world *w, uint64_t number,
			      uint32_t ahead, uint32_t compares)
{
	uint32_t slot = fair_sched_slot(&w->s, fair_sched_find(&w->s, number));

	compared = 0;
	TEST_EQ(fair_sched_ahead(&w->s, slot), ahead);
	TEST_EQ(compared, compares);
}

/* Two users are compared once, unless others took their place meanwhile. */
static void users_are_compared_once(void)
{
	/* Of FAR, 64, 64, 5, 5, 0, 1, 0, 1, 0, 5, 64. */
	static const uint32_t user[] = { 2, 4, 4, 3, 3, 0, 1, 0, 1, 0, 3, 4 };
	struct fair_config c = { 0 };
	struct world w;
	uint32_t i;

	c.policy = FAIR_FCFS;
	c.order = FAIR_ORDER_USAGE;
	c.users = 5;
	open_world(&w, &c);
	submit_of(&w, 0, 0, 10, 100);
	step(&w, 0);
	for (i = 0; i < sizeof(user) / sizeof(user[0]); i++)
		submit_of(&w, user[i], 0, 1, 1);
	step(&w, 0);
	w.s.plan.walk.group = user_known;
	w.s.plan.walk.compare = compare_users;
	ahead_among_users(&w, 5, 7, 6);
	ahead_among_users(&w, 12, 11, 6);
	free(w.memory);
}

/*
 * Job 0 of user 2 holds 6 until 100. @most has used 40, @least 10, and 50 more
 * if its narrow job was started behind the wide one, for which 100 is reserved.
 */
static void used(struct world *w, uint32_t most, uint32_t least, bool narrow)
{
	struct fair_config c = { 0 };

	c.policy = FAIR_BACKFILL;
	c.order = FAIR_ORDER_USAGE;
	c.users = 3;
	open_world(w, &c);
	submit_of(w, 2, 0, 6, 100);
	submit_of(w, most, 0, 1, 40);
	submit_of(w, least, 0, 1, 10);
	step(w, 0);
	TEST_EQ(fair_sched_finish(&w->s, 10, 2), 0);
	TEST_EQ(fair_sched_finish(&w->s, 40, 1), 0);
	w->now = 40;
	if (!narrow)
		submit_of(w, most, 40, 3, 200);
	submit_of(w, least, 40, 8, 50);
	if (narrow) {
		submit_of(w, least, 40, 1, 50);
		submit_of(w, most, 40, 3, 200);
	}
	step(w, 40);
}

/* Whose user has used less is not behind a reservation any more. */
static void reserved_for_other_users(void)
{
	struct fair_why why;
	struct world w;

	used(&w, 1, 0, true);
	why = quick(&w, 5);
	TEST_EQ(why.ahead, 0);
	TEST_EQ(why.reasons, FAIR_WHY_KEPT);
	free(w.memory);
	used(&w, 0, 1, false);
	why = quick(&w, 3);
	TEST_EQ(why.ahead, 1);
	TEST_EQ(why.reasons, FAIR_WHY_DELAY);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 4);
	free(w.memory);
}

/* The reservation of a job behind it whose account is below its target. */
static void reserved_below_a_target(void)
{
	struct fair_config c = { 0 };
	struct fair_why why;
	struct world w;

	c.policy = FAIR_SFS;
	c.accounts = c.users = 2;
	open_world(&w, &c);
	submit_of(&w, 0, 0, 6, 100);
	submit_of(&w, 0, 0, 4, 200);
	submit_of(&w, 1, 0, 8, 50);
	step(&w, 0);
	why = quick(&w, 1);
	TEST_EQ(why.ahead, 0);
	TEST_EQ(why.reasons, FAIR_WHY_TARGET | FAIR_WHY_DELAY);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 2);
	free(w.memory);
}

/* Easy: all that are free until the first starts, then those that it leaves. */
static void room_of_easy(void)
{
	struct fair_config c = { 0 };
	struct fair_why why;
	struct world w;

	crowded(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_cancel(&w.s, 20, 2), 0);
	submit(&w, 7, 80);
	step(&w, 20);
	why = quick(&w, 3);
	TEST_EQ(why.reasons, FAIR_WHY_PROCS);
	TEST_EQ(why.procs, 4);
	TEST_EQ(why.walltime, 0);
	TEST_EQ(fair_sched_modify(&w.s, 20, 1, 5, 50), 0);
	TEST_EQ(fair_sched_modify(&w.s, 20, 3, 7, 200), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 3).procs, 4);
	free(w.memory);

	c.policy = FAIR_FCFS;
	c.origin = -1000;
	open_world(&w, &c);
	submit(&w, 6, 100);
	submit(&w, 8, 50);
	submit(&w, 4, 50);
	step(&w, -1000);
	why = quick(&w, 2);
	TEST_EQ(why.reasons, FAIR_WHY_BEHIND);
	TEST_EQ(why.procs, 0);
	TEST_EQ(why.walltime, 0);
	free(w.memory);
}

/*
 * Reserved are [100, 200) for 2, which leaves 1, [200, 350) for 3, and for 4,
 * behind it, [50, 100): in the way of 3 no longer than that.
 */
static void room_beside_reservations(void)
{
	struct fair_config c = { 0 };
	struct fair_why why;
	struct world w;

	c.policy = FAIR_BACKFILL;
	c.depth = 3;
	open_world(&w, &c);
	submit(&w, 5, 100);
	submit(&w, 2, 50);
	submit(&w, 9, 100);
	submit(&w, 4, 150);
	submit(&w, 5, 50);
	step(&w, 0);
	TEST_EQ(quick(&w, 2).until, 100);
	TEST_EQ(quick(&w, 3).until, 200);
	why = quick(&w, 4);
	TEST_EQ(why.unknown, 0);
	TEST_EQ(why.promise, 50);
	TEST_EQ(why.until, 50);
	TEST_EQ(quick(&w, 3).procs, 1);
	free(w.memory);
}

static void is_blocker(const struct fair_blocker *b, uint64_t number,
		       int64_t start, int64_t end, int32_t procs)
{
	TEST_EQ(b->number, number);
	TEST_EQ(b->state, end == FAIR_FOREVER ? FAIR_QUEUED : FAIR_RUNNING);
	TEST_EQ(b->start, start);
	TEST_EQ(b->end, end);
	TEST_EQ(b->procs, procs);
}

static void blockers(void)
{
	struct fair_config c = { 0 };
	struct fair_why why;
	struct world w;

	crowded(&w, FAIR_BACKFILL);
	step(&w, 20);
	why = quick(&w, 1);
	TEST_EQ(why.blockers, 1);
	is_blocker(why.blocker, 0, 20, 100, 6);
	why = quick(&w, 2);
	TEST_EQ(why.blockers, 1);
	is_blocker(why.blocker, 1, 100, FAIR_FOREVER, 8);
	free(w.memory);

	/* Of two reservations the one that it would run into first. */
	c.policy = FAIR_BACKFILL;
	c.depth = 2;
	open_world(&w, &c);
	submit(&w, 6, 100);
	submit(&w, 8, 50);
	submit(&w, 10, 50);
	submit(&w, 4, 200);
	step(&w, 0);
	why = quick(&w, 3);
	TEST_EQ(why.reasons, FAIR_WHY_DELAY);
	TEST_EQ(why.blockers, 1);
	is_blocker(why.blocker, 1, 100, FAIR_FOREVER, 8);
	free(w.memory);

	c.select = FAIR_NOFIT;
	c.depth = 1;
	crowded_by(&w, &c);
	submit(&w, 1, 1);
	step(&w, 20);
	why = quick(&w, 3);
	TEST_EQ(why.reasons, FAIR_WHY_BEHIND);
	TEST_EQ(why.blockers, 1);
	is_blocker(why.blocker, 1, FAIR_FOREVER, FAIR_FOREVER, 8);
	free(w.memory);
}

/* Wider than the machine is: nobody has to end or is in its way. */
static void too_wide(void)
{
	struct fair_why why;
	struct world w;

	crowded(&w, FAIR_BACKFILL);
	submit(&w, 9, 1);
	TEST_EQ(fair_sched_capacity(&w.s, 20, -2, NULL, 0), 0);
	step(&w, 20);
	why = quick(&w, 3);
	TEST_EQ(why.ahead, 2);
	TEST_EQ(why.reasons, FAIR_WHY_MACHINE);
	TEST_EQ(why.blockers, 0);
	TEST_EQ(why.free_at, FAIR_FOREVER);
	free(w.memory);
}

/* Who is set aside has no place in the queue. */
static void no_place_aside(void)
{
	struct fair_until held = { 0, 0, FAIR_AFTER_NOTHING, true };
	struct fair_why why;
	struct world w;

	crowded(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_defer(&w.s, 20, 2, &held), 0);
	step(&w, 20);
	why = quick(&w, 2);
	TEST_EQ(why.reasons, FAIR_WHY_ASIDE);
	TEST_EQ(why.ahead, 0);
	free(w.memory);
}

/* What is promised is known, unless tasks of an array are yet to come. */
static void known_by_promise(void)
{
	static const uint32_t policy[] = { FAIR_CONSERVATIVE, FAIR_PC };
	struct fair_job tasks = { 0 };
	struct world w;
	int i;

	tasks.number = 3;
	tasks.submit = 20;
	tasks.procs = 10;
	tasks.walltime = 1;
	tasks.tasks = 2;
	for (i = 0; i < 2; i++) {
		crowded(&w, policy[i]);
		step(&w, 20);
		TEST_EQ(quick(&w, 1).unknown, 0);
		TEST_EQ(quick(&w, 1).until, 100);
		TEST_EQ(fair_sched_submit(&w.s, 20, &tasks), 0);
		step(&w, 20);
		TEST_EQ(quick(&w, 1).unknown, FAIR_UNKNOWN_UNTIL);
		free(w.memory);
	}
}

/* Without a reservation, or without a plan, only a clone can tell. */
static void unknown_without_reservation(void)
{
	struct fair_config c = { 0 };
	struct fair_booking b = { 7, 100, 150, 6, FAIR_MAINTENANCE, 0 };
	struct world w;

	crowded(&w, FAIR_BACKFILL);
	TEST_EQ(fair_sched_cancel(&w.s, 20, 2), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, 0);
	TEST_EQ(fair_sched_capacity(&w.s, 20, -4, NULL, 0), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, FAIR_UNKNOWN_UNTIL);
	free(w.memory);

	c.policy = FAIR_FCFS;
	c.bookings = 1;
	crowded_by(&w, &c);
	TEST_EQ(fair_sched_book(&w.s, 20, &b, false), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, FAIR_UNKNOWN_UNTIL);
	TEST_EQ(quick(&w, 1).until, FAIR_FOREVER);
	free(w.memory);
}

/* fcfs reserves nothing, whatever its memory holds and wherever that is. */
static void fcfs_reserves_nothing(void)
{
	static const struct fair_booking b = { 7, 0, 50, 6, FAIR_MAINTENANCE,
					       0 };
	struct fair_job j = { 0 };
	struct fair_config c = { 0 };
	struct fair_why why;
	struct fair_sched s;
	char *memory;
	size_t bytes, i;

	c.policy = FAIR_FCFS;
	c.procs = 10;
	c.jobs = c.bookings = 1;
	j.procs = 5;
	j.walltime = 10;
	bytes = fair_sched_size(&c);
	for (i = 0; i < 64; i++) {
		memory = calloc(1, bytes + i);
		TEST_REQUIRE(memory);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory + i, bytes, &c),
			0);
		TEST_EQ(fair_sched_book(&s, 0, &b, false), 0);
		TEST_EQ(fair_sched_submit(&s, 0, &j), 0);
		TEST_CHECK(!why_step(&s, 0, 0));
		TEST_EQ(fair_sched_why(&s, 0, NULL, 0, &why), 0);
		TEST_EQ(why.unknown, FAIR_UNKNOWN_UNTIL);
		TEST_EQ(why.until, FAIR_FOREVER);
		free(memory);
	}
}

struct drawn {
	int64_t run[100];
	uint32_t n;
};

/* Of job 0 anything; the others as planned. */
static int64_t draw_and_tell(void *context, const struct fair_job_status *j,
			     uint64_t random)
{
	struct drawn *d = (struct drawn *)context;

	if (j->job.number)
		return j->job.walltime;
	TEST_CHECK(d->n < 100);
	return d->run[d->n++] = (int64_t)(random % 1000000);
}

static int ascending(const void *a, const void *b)
{
	const int64_t *x = (const int64_t *)a, *y = (const int64_t *)b;

	return (*x > *y) - (*x < *y);
}

/* The 10th, 50th and 90th of a hundred. */
static void nearest_ranks(void)
{
	static struct drawn d;
	struct fair_draw draws = { draw_and_tell, &d, 3, 100 };
	struct fair_forecast f;
	struct world w;
	size_t bytes;
	void *memory;

	open_world(&w, NULL);
	submit(&w, 10, 1000000);
	submit(&w, 10, 10);
	step(&w, 0);
	bytes = fair_sched_forecast_size(&w.config, draws.samples);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_forecast(&w.s, 1, &draws, memory, bytes, &f), 0);
	TEST_EQ(d.n, 100);
	qsort(d.run, 100, sizeof(d.run[0]), ascending);
	TEST_EQ(f.p10, d.run[9]);
	TEST_EQ(f.p50, d.run[49]);
	TEST_EQ(f.p90, d.run[89]);
	free(memory);
	free(w.memory);
}

/* ---- what would let it start ---- */

#define SIZES (FAIR_UNKNOWN_PROCS | FAIR_UNKNOWN_WALLTIME)
#define UNTIL FAIR_UNKNOWN_UNTIL

static struct fair_why tried(const struct world *w, uint64_t number)
{
	size_t bytes = fair_sched_fst_size(&w->config);
	void *memory = malloc(bytes);
	struct fair_why why;

	memset(&why, 0, sizeof(why));
	TEST_EQ(fair_sched_why(&w->s, number, memory, bytes, &why), 0);
	free(memory);
	return why;
}

/* dc: known, unless somebody could start if the job were not there. */
static void who_makes_room(void)
{
	struct world w;

	crowded(&w, FAIR_DC);
	TEST_EQ(fair_sched_modify(&w.s, 20, 0, 4, 80), 0);
	TEST_EQ(fair_sched_modify(&w.s, 20, 2, 6, 200), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, SIZES | UNTIL);
	submit(&w, 4, 100);	/* 1 is in the way of 2, with or without it */
	step(&w, 20);
	TEST_EQ(quick(&w, 3).unknown, UNTIL);
	TEST_EQ(fair_sched_capacity(&w.s, 20, -4, NULL, 0), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).unknown, UNTIL);
	free(w.memory);

	/* Behind 1 comes 2, and that one is in the way of 3. */
	crowded(&w, FAIR_DC);
	TEST_EQ(fair_sched_modify(&w.s, 20, 2, 8, 50), 0);
	submit(&w, 4, 200);
	step(&w, 20);
	TEST_EQ(quick(&w, 3).promise, 200);
	TEST_EQ(quick(&w, 1).unknown, UNTIL);
	free(w.memory);

	/* Job 2 is so long that no start is promised to it. */
	crowded(&w, FAIR_DC);
	step(&w, 20);
	TEST_EQ(fair_sched_modify(&w.s, 20, 2, 4,
				  fair_sched_reach(&w.s) - 1), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 2).promise, FAIR_FOREVER);
	TEST_EQ(quick(&w, 1).unknown, SIZES | UNTIL);
	free(w.memory);
}

/* From 150 on there is room for 2 where it is to be then, and no other. */
static void who_makes_room_of_many(void)
{
	const int32_t some = 200000000;
	struct fair_config c = { 0 };
	struct world w;

	c.policy = FAIR_DC;
	c.procs = 10 * some;
	open_world(&w, &c);
	w.now = 20;
	submit(&w, 4 * some, 80);
	submit(&w, 8 * some, 50);
	submit(&w, 6 * some, 200);
	submit(&w, 4 * some, 300);
	step(&w, 20);
	TEST_EQ(quick(&w, 2).promise, 150);
	TEST_EQ(quick(&w, 3).promise, 150);
	TEST_EQ(quick(&w, 1).unknown, SIZES | UNTIL);
	free(w.memory);
}

/* Job 1, refused, has room until 30; job 2 waits for the end of job 0. */
static void refused_beside(int64_t end, uint32_t unknown)
{
	struct fair_config c = { 0 };
	struct world w;

	c.policy = FAIR_DC;
	open_world(&w, &c);
	w.now = 20;
	submit(&w, 4, end - 20);
	submit(&w, 4, 10);
	submit(&w, 5, 30);
	step(&w, 20);
	TEST_EQ(fair_sched_refuse(&w.s, 20, 1), 0);
	step(&w, 20);
	TEST_EQ(quick(&w, 1).promise, 21);
	TEST_EQ(quick(&w, 2).promise, end);
	TEST_EQ(quick(&w, 2).unknown, unknown);
	free(w.memory);
}

/* Who would end before the job begins has room or not, whatever that does. */
static void who_has_room_anyway(void)
{
	refused_beside(30, UNTIL);
	refused_beside(25, SIZES | UNTIL);
}

/* It would start as it is, as soon as anything moves: with less, too. */
static void less_than_it_is(void)
{
	struct fair_why why;
	struct world w;

	crowded(&w, FAIR_PC);
	TEST_EQ(fair_sched_modify(&w.s, 20, 2, 3, 200), 0);
	step(&w, 20);
	TEST_EQ(fair_sched_modify(&w.s, 20, 1, 1, 50), 0);
	step(&w, 20);
	why = quick(&w, 2);
	TEST_EQ(why.reasons, FAIR_WHY_KEPT);
	TEST_EQ(why.unknown, 0);
	TEST_EQ(why.procs, 2);
	TEST_EQ(why.walltime, 199);
	free(w.memory);
}

/* No size helps who was refused, or who leaves no room for its next task. */
static void no_size_helps(void)
{
	struct fair_config c = { 0 };
	struct fair_job j = { 0 };
	struct fair_why why;
	struct world w;

	c.policy = FAIR_BACKFILL;
	c.order = FAIR_ORDER_USAGE;
	crowded_by(&w, &c);
	step(&w, 20);
	TEST_EQ(quick(&w, 2).unknown, SIZES | UNTIL);
	TEST_EQ(fair_sched_refuse(&w.s, 20, 0), 0);
	step(&w, 20);
	why = quick(&w, 0);
	TEST_CHECK(why.reasons & FAIR_WHY_REFUSED);
	TEST_EQ(why.unknown, UNTIL);
	TEST_EQ(why.procs, 0);
	free(w.memory);

	c.order = FAIR_ORDER_FCFS;
	c.procs = 31;
	open_world(&w, &c);
	j.procs = 2;
	j.walltime = 10;
	j.tasks = w.config.jobs + 1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	step(&w, 0);
	why = quick(&w, 15);
	TEST_EQ(why.reasons, FAIR_WHY_PROCS);
	TEST_EQ(why.free, 1);
	TEST_EQ(why.job.tasks, 2);
	TEST_EQ(why.procs, 0);
	free(w.memory);
}

/* What other users start while it is tried is charged to them. */
static void charged_while_tried(void)
{
	struct fair_config c = { 0 };
	struct world w;

	c.policy = FAIR_BACKFILL;
	c.order = FAIR_ORDER_USAGE;
	c.users = 4;
	open_world(&w, &c);
	submit_of(&w, 1, 0, 1, 100);
	submit_of(&w, 2, 0, 1, 101);
	submit_of(&w, 3, 0, 2, 100);
	step(&w, 0);
	submit_of(&w, 0, 0, 10, 50);
	submit_of(&w, 0, 0, 2, 60);	/* starts: user 0 comes behind 2 */
	submit_of(&w, 1, 0, 3, 200);	/* would go first, and then ... */
	submit_of(&w, 1, 0, 1, 200);	/* ... come after job 7 */
	submit_of(&w, 2, 0, 5, 200);
	step(&w, 0);
	TEST_EQ(quick(&w, 7).free, 4);
	TEST_EQ(tried(&w, 7).procs, 1);
	free(w.memory);
}

/* User 1 has one job at a time. */
static void limited(struct fair_maui_config *maui,
		    struct fair_maui_credential *user, struct fair_config *c)
{
	int kind;

	*maui = fair_maui_defaults();
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		maui->count[kind] = 2;
	user[0] = user[1] = fair_maui_anybody();
	user[1].hard[FAIR_THROTTLE_JOBS] = 1;
	maui->credential[FAIR_THROTTLE_USER] = user;
	memset(c, 0, sizeof(*c));
	c->policy = FAIR_MAUI;
	c->users = 2;
	c->maui = maui;
}

/* Within a limit of processors; before whom it was bypassed with. */
static void tried_by_priority(void)
{
	struct fair_maui_credential user[2];
	struct fair_maui_config maui;
	struct fair_config c;
	struct world w;

	limited(&maui, user, &c);
	user[1].hard[FAIR_THROTTLE_JOBS] = FAIR_THROTTLE_UNLIMITED;
	user[1].hard[FAIR_THROTTLE_PROCS] = 5;
	open_world(&w, &c);
	submit_of(&w, 1, 0, 3, 100);
	submit_of(&w, 1, 0, 5, 100);
	step(&w, 0);
	TEST_EQ(quick(&w, 1).reasons, FAIR_WHY_LIMIT);
	TEST_EQ(tried(&w, 1).procs, 2);
	free(w.memory);

	maui.priority.component_weight[FAIR_PRIORITY_BYPASS] = 1;
	open_world(&w, &c);
	submit_of(&w, 0, 0, 6, 100);
	submit_of(&w, 0, 0, 5, 200);
	submit_of(&w, 0, 0, 8, 50);
	submit_of(&w, 0, 0, 1, 10);
	step(&w, 0);
	TEST_EQ(quick(&w, 1).free, 3);
	TEST_EQ(tried(&w, 1).procs, 3);
	free(w.memory);
}

/*
 * Of 20 processors job 0 holds some until 100, which are reserved for job 1;
 * job 5, of the same user, has started, and that one has no other at a time.
 * So when they are tried again nothing is reserved for job 1: job 4 starts,
 * with 5, unless job 3 fits better, with 5 or more; else that has what is
 * left. Of these sizes one is found.
 */
static void one_that_fits_best(void)
{
	static const struct {
		int32_t busy, first, procs;
		int64_t walltime;
		int32_t guess, found;
	} sizes[] = {
		{ 13, 16, 9, 80, 6, 6 },	/* 1, 5, 6 */
		{ 13, 19, 9, 200, 0, 1 },
		{ 12, 16, 9, 200, 3, 2 },	/* 1, 2, 5, 6, 7 */
		{ 12, 19, 9, 200, 0, 7 },
		{ 13, 19, 1, 200, 0, 0 },	/* no less than it has */
	};
	struct fair_maui_credential user[2];
	struct fair_maui_config maui;
	struct fair_config c;
	struct world w;
	size_t i;

	limited(&maui, user, &c);
	maui.select = FAIR_BESTFIT;
	maui.metric = FAIR_FIT_PROCS;
	c.procs = 20;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		open_world(&w, &c);
		submit_of(&w, 0, -10, sizes[i].busy, 100);
		submit_of(&w, 1, -9, sizes[i].first, 50);
		submit_of(&w, 0, 0, 20, 50);
		submit_of(&w, 0, 0, sizes[i].procs, sizes[i].walltime);
		submit_of(&w, 0, 0, 5, 200);
		submit_of(&w, 1, -8, 1, 400);
		step(&w, 0);
		TEST_EQ(quick(&w, 3).procs, sizes[i].guess);
		TEST_EQ(tried(&w, 3).procs, sizes[i].found);
		free(w.memory);
	}
}

/* On a clone: who is changed keeps its place, and refused it remains. */
static void changed_on_a_clone(void)
{
	struct fair_config c = { 0 };
	struct why_clone clone;
	struct fair_why why;
	struct world w;

	c.policy = FAIR_DC;
	c.order = FAIR_ORDER_WIDEST;
	crowded_by(&w, &c);
	submit(&w, 7, 10);
	step(&w, 20);
	why_open(&clone, &w.s);
	fair_sched_reshape(&clone.s, fair_sched_find(&clone.s, 1), 6, 50);
	(void)why_step(&clone.s, 20, UINT64_MAX);
	TEST_EQ(fair_sched_why(&clone.s, 1, NULL, 0, &why), 0);
	TEST_EQ(why.job.procs, 6);
	TEST_EQ(why.ahead, 0);
	TEST_EQ(fair_sched_why(&clone.s, 3, NULL, 0, &why), 0);
	TEST_EQ(why.ahead, 1);
	free(clone.memory);
	free(w.memory);

	crowded(&w, FAIR_BACKFILL);
	step(&w, 20);
	why_open(&clone, &w.s);
	fair_sched_reshape(&clone.s, fair_sched_find(&clone.s, 1), 7, 50);
	TEST_CHECK(!why_step(&clone.s, 20, 1));
	TEST_EQ(fair_sched_next(&clone.s), 100);
	free(clone.memory);
	TEST_EQ(fair_sched_cancel(&w.s, 20, 1), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 20, 2), 0);
	TEST_EQ(fair_sched_refuse(&w.s, 20, 0), 0);
	step(&w, 20);
	why_open(&clone, &w.s);
	fair_sched_reshape(&clone.s, fair_sched_find(&clone.s, 0), 3, 50);
	TEST_CHECK(!why_step(&clone.s, 20, 0));
	TEST_EQ(fair_sched_next(&clone.s), 21);
	TEST_CHECK(why_step(&clone.s, 21, 0));
	TEST_EQ(fair_sched_next(&clone.s), 71);
	free(clone.memory);
	free(w.memory);
}

/* Half of the time job 0 ends at once, else as planned. */
static int64_t coin(void *context, const struct fair_job_status *j,
		    uint64_t random)
{
	(void)context;
	return j->job.number == 0 && random % 2 ? 0 : j->job.walltime;
}

static void percentiles(void)
{
	struct fair_draw draws = { coin, NULL, 1, 1000 };
	static char memory[65536];
	struct fair_forecast f;
	struct world w;

	crowded(&w, FAIR_CONSERVATIVE);
	(void)why_step(&w.s, 20, UINT64_MAX);
	TEST_EQ(fair_sched_forecast(&w.s, 1, &draws, memory, sizeof(memory),
				    &f),
		0);
	TEST_EQ(f.p10, 20);	/* job 1 goes at once, or is promised 100 */
	TEST_EQ(f.p90, 100);
	draws.samples = 1;
	TEST_EQ(fair_sched_forecast(&w.s, 2, &draws, memory, sizeof(memory),
				    &f),
		0);
	TEST_CHECK(f.p10 == f.p50 && f.p50 == f.p90);
	free(w.memory);
}

/* Random events; after each third one a waiting job is asked about. */
static void ask(const struct fair_config *config, uint32_t seed)
{
	struct world w = { 0 };
	uint64_t number;
	uint32_t i;

	w.random = seed;
	w.config = *config;
	begin(&w);
	for (i = 0; i < EVENTS; i++) {
		event(&w);
		(void)why_step(&w.s, w.now, UINT64_MAX);
		number = any(&w, i % 9 ? FAIR_QUEUED : FAIR_ASIDE);
		if (i % 3 || number == UINT64_MAX)
			continue;
		why_check(&w.s, number);
		w.asked++;
	}
	TEST_CHECK(w.asked > EVENTS / 20);
	free(w.memory);
}

static bool exists(uint32_t policy, uint32_t order)
{
	if (policy == FAIR_CONSERVATIVE || policy == FAIR_RELSHARE)
		return order == FAIR_ORDER_FCFS;
	return (order != FAIR_ORDER_LXF && order != FAIR_ORDER_USAGE) ||
	       (policy != FAIR_PC && policy != FAIR_DC);
}

static void every_policy(uint32_t seed)
{
	struct fair_config c = { 0 };

	for (c.policy = FAIR_FCFS; c.policy <= FAIR_RELSHARE; c.policy++) {
		for (c.order = 0; c.order <= FAIR_ORDER_USAGE; c.order++) {
			if (!exists(c.policy, c.order))
				continue;
			c.depth = c.policy == FAIR_RELSHARE ? 1 : seed;
			ask(&c, seed);
		}
	}
}

static void every_selection(uint32_t seed)
{
	struct fair_config c = { 0 };

	c.policy = FAIR_BACKFILL;
	c.depth = seed;
	for (c.select = FAIR_BESTFIT; c.select <= FAIR_NOFIT; c.select++) {
		c.order = seed % 2 ? FAIR_ORDER_FCFS : FAIR_ORDER_LXF;
		c.metric = seed % 3;
		c.longest = seed % 2;
		ask(&c, seed);
	}
}

static void sizes_on_clones(void)
{
	uint32_t seed;

	for (seed = SOME(1, 3); seed < 5; seed++) {
		every_policy(seed);
		every_selection(seed);
	}
}

/* ---- what if ---- */

struct changes {
	const struct fair_sched *a, *b;
	uint64_t seen;	/* a bit a number */
};

/* When a job starts, or did; FAIR_FOREVER if it is gone. */
static int64_t starts_at(const struct fair_sched *s, uint64_t number,
			 int64_t *promise)
{
	struct fair_job_status j;

	*promise = FAIR_FOREVER;
	if (fair_sched_lookup(s, number, &j))
		return FAIR_FOREVER;
	if (j.state == FAIR_RUNNING)
		return j.start;
	if (j.state == FAIR_QUEUED)
		*promise = j.start;
	return why_wait(s, number);
}

static void changed(void *context, const struct fair_change *c)
{
	struct changes *x = context;
	int64_t promise[2];

	TEST_CHECK(!(x->seen >> c->number % 64 & 1));
	x->seen |= UINT64_C(1) << c->number % 64;
	TEST_EQ(c->start[0], starts_at(x->a, c->number, &promise[0]));
	TEST_EQ(c->start[1], starts_at(x->b, c->number, &promise[1]));
	TEST_EQ(c->promise[0], promise[0]);
	TEST_EQ(c->promise[1], promise[1]);
	TEST_CHECK(c->start[0] != c->start[1] || promise[0] != promise[1]);
}

/* Of each waiting job of either it was told what differs, and nothing else. */
static void compare(const struct fair_sched *a, const struct fair_sched *b,
		    struct changes *x)
{
	size_t bytes = fair_sched_whatif_size(&a->config, &b->config);
	const struct fair_sched *s[2] = { a, b };
	void *memory = malloc(bytes);
	struct fair_queue_at at;
	struct fair_job_status j;
	int64_t start[2], promise[2];
	int i;

	x->a = a;
	x->b = b;
	x->seen = 0;
	TEST_EQ(fair_sched_whatif(a, b, memory, bytes - 1, changed, x),
		-FAIR_ENOMEM);
	TEST_EQ(fair_sched_whatif(a, b, memory, bytes, changed, x), 0);
	for (i = 0; i < 2; i++) {
		at.row = at.index = 0;
		while (fair_sched_each(s[i], FAIR_QUEUED, &at, &j)) {
			start[0] = starts_at(a, j.job.number, &promise[0]);
			start[1] = starts_at(b, j.job.number, &promise[1]);
			TEST_EQ(x->seen >> j.job.number % 64 & 1,
				start[0] != start[1] ||
					promise[0] != promise[1]);
		}
	}
	free(memory);
}

static void same_running(const struct fair_sched *a, const struct fair_sched *b)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status x, y;

	TEST_EQ(a->running.jobs, b->running.jobs);
	TEST_EQ(a->jobs, b->jobs);
	TEST_EQ(a->procs, b->procs);
	TEST_EQ(a->asides, b->asides);
	while (fair_sched_each(a, FAIR_RUNNING, &at, &x)) {
		TEST_EQ(fair_sched_lookup(b, x.job.number, &y), 0);
		TEST_EQ(y.start, x.start);
		TEST_EQ(y.end, x.end);
		TEST_EQ(y.job.procs, x.job.procs);
	}
}

/* To every other policy; to the same, where all that it knows is the present,
 * nothing changes. */
static void convert(const struct world *w)
{
	static const int64_t target[3] = { 2, 4, 9 };
	struct fair_config c = w->s.config;
	struct fair_sched b;
	struct changes x;
	size_t bytes;
	void *memory;

	c.order = FAIR_ORDER_FCFS;
	c.select = 0;
	c.depth = 1;
	c.target = target;
	for (c.policy = FAIR_FCFS; c.policy <= FAIR_RELSHARE; c.policy++) {
		if (c.policy == w->config.policy) {
			c.order = w->config.order;
			c.select = w->config.select;
			c.depth = w->config.depth;
		}
		bytes = fair_sched_size(&c);
		memory = malloc(bytes);
		TEST_EQ(fair_sched_convert(&b, sizeof(b), memory, bytes, &c,
					   &w->s),
			0);
		TEST_EQ(fair_sched_check(&b), 0);
		same_running(&w->s, &b);
		(void)why_step(&b, w->now, UINT64_MAX);
		compare(&w->s, &b, &x);
		if (c.policy == w->config.policy && !w->s.refused &&
		    (c.policy <= FAIR_BACKFILL))
			TEST_EQ(x.seen, 0);
		free(memory);
		c.order = FAIR_ORDER_FCFS;
		c.select = 0;
		c.depth = 1;
	}
}

/* The same events on a clone change nothing; another one, what it changes. */
static void whatif_events(struct world *w)
{
	struct world other = *w;
	struct why_clone c;
	struct changes x;

	why_open(&c, &w->s);
	compare(&w->s, &c.s, &x);
	TEST_EQ(x.seen, 0);
	other.s = c.s;
	event(&other);
	(void)why_step(&other.s, other.now, UINT64_MAX);
	compare(&w->s, &other.s, &x);
	free(c.memory);
}

static void whatif(void)
{
	struct fair_config config = { 0 };
	struct world w;
	uint32_t i;

	for (config.policy = 0; config.policy <= FAIR_RELSHARE;
	     config.policy++) {
		config.depth = config.policy == FAIR_BACKFILL ? 2 : 1;
		memset(&w, 0, sizeof(w));
		w.random = 7 + config.policy;
		w.config = config;
		begin(&w);
		for (i = 0; i < SOME(150, 60); i++) {
			event(&w);
			(void)why_step(&w.s, w.now, UINT64_MAX);
			if (i % 3 == 0)
				whatif_events(&w);
			if (i % 10 == 0)
				convert(&w);
		}
		free(w.memory);
	}
}

int main(void)
{
	TEST_RUN(sentences);
	TEST_RUN(many_blockers);
	TEST_RUN(errors);
	TEST_RUN(who_is_ahead);
	TEST_RUN(users_are_compared_once);
	TEST_RUN(reserved_for_other_users);
	TEST_RUN(reserved_below_a_target);
	TEST_RUN(room_of_easy);
	TEST_RUN(room_beside_reservations);
	TEST_RUN(blockers);
	TEST_RUN(too_wide);
	TEST_RUN(no_place_aside);
	TEST_RUN(known_by_promise);
	TEST_RUN(unknown_without_reservation);
	TEST_RUN(fcfs_reserves_nothing);
	TEST_RUN(nearest_ranks);
	TEST_RUN(who_makes_room);
	TEST_RUN(who_makes_room_of_many);
	TEST_RUN(who_has_room_anyway);
	TEST_RUN(less_than_it_is);
	TEST_RUN(no_size_helps);
	TEST_RUN(charged_while_tried);
	TEST_RUN(tried_by_priority);
	TEST_RUN(one_that_fits_best);
	TEST_RUN(changed_on_a_clone);
	TEST_RUN(percentiles);
	TEST_RUN(sizes_on_clones);
	TEST_RUN(whatif);
	return test_report();
}
