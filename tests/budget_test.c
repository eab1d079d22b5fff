/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Bounded steps: whatever the budgets, the decisions are those of none, on the
 * KTH trace under every policy, and through clones and images on the way; no
 * call does more work than its budget, counted outside of the scheduler; who
 * was not looked at keeps its promise.
 */
#include <stdlib.h>
#include <string.h>

#define FAIRSCHED_IMPLEMENTATION
#include "profile.h"
#include "queue.h"
#include "policies/maui.h"

/* Work: questions to the profile, jobs of the queue, priorities, comparisons. */
static uint64_t work;
static const struct fair_queue *watched;

#define fair_profile_earliest_start(p, t, w, n, s) \
	(work++, (fair_profile_earliest_start)(p, t, w, n, s))
#define fair_profile_earlier_start(p, t, b, w, n, o, s) \
	(work++, (fair_profile_earlier_start)(p, t, b, w, n, o, s))
#define fair_profile_min_free(p, s, e, n) \
	(work++, (fair_profile_min_free)(p, s, e, n))
#define fair_queue_narrower(q, at, n) \
	(work += (q) == watched, (fair_queue_narrower)(q, at, n))
#define fair_queue_next_like(q, at, end, like) \
	(work++, (fair_queue_next_like)(q, at, end, like))
#define fair_maui_parts(m, slot, s, w, p) \
	(work++, (fair_maui_parts)(m, slot, s, w, p))

#include "fairsched.h"

#include "../tools/fairsched/swf.h"
#include "test.h"

#define TRACE "traces/KTH-SP2-1996-2.swf.gz"
#define ROOM 3
#define LOG_JOBS 12 /* at most 2^12 at once */
#define MORE FAIR_CONSERVATIVE_PARTS /* work beside looks and starts */
#define USERS 8
#define FROM_RANDOM 40 /* budgets of 1 .. 40, and clones, and images */

static struct fair_maui_config maui;
static int64_t target[USERS];

static int compare(void *context, int64_t now, const struct fair_job *a,
		   const struct fair_job *b)
{
	int64_t x = now / 4096 % 2 ? a->walltime : a->procs;
	int64_t y = now / 4096 % 2 ? b->walltime : b->procs;

	(void)context;
	work++;
	return (x > y) - (x < y);
}

static const struct policy {
	const char *name;
	struct fair_config config;
	uint32_t per_look; /* most work of a look; 0: not counted */
} policies[] = {
	{ "fcfs", { .policy = FAIR_FCFS }, 1 },
	{ "easy", { .policy = FAIR_BACKFILL, .depth = 1 }, 1 },
	{ "depth 3, shortest first",
	  { .policy = FAIR_BACKFILL, .depth = 3, .order = FAIR_ORDER_SJF },
	  2 },
	{ "easy, lxf",
	  { .policy = FAIR_BACKFILL, .order = FAIR_ORDER_LXF },
	  0 },
	{ "depth 3, compare",
	  { .policy = FAIR_BACKFILL, .depth = 3,
	    .order = FAIR_ORDER_COMPARE, .compare = compare },
	  2 * LOG_JOBS },
	{ "easy, usage",
	  { .policy = FAIR_BACKFILL, .order = FAIR_ORDER_USAGE, .users = USERS,
	    .half_life = 86400 },
	  0 },
	{ "best fit",
	  { .policy = FAIR_BACKFILL, .select = FAIR_BESTFIT },
	  0 },
	{ "conservative", { .policy = FAIR_CONSERVATIVE }, 2 },
	{ "pc, widest first",
	  { .policy = FAIR_PC, .order = FAIR_ORDER_WIDEST },
	  3 },
	{ "dc", { .policy = FAIR_DC }, 2 },
	{ "sfs, lxf",
	  { .policy = FAIR_SFS, .depth = 2, .accounts = USERS,
	    .target = target, .order = FAIR_ORDER_LXF },
	  2 },
	{ "relshare",
	  { .policy = FAIR_RELSHARE, .users = USERS, .window = 86400 },
	  0 },
	{ "maui", { .policy = FAIR_MAUI, .maui = &maui }, 2 },
};

#define POLICIES (sizeof(policies) / sizeof(*policies))

/* One who plays a trace, with budgets. */
struct player {
	const struct swf_job *job;
	size_t jobs;
	const struct policy *policy;
	struct fair_config config;
	struct fair_sched s;
	char *memory, *spare;
	size_t bytes;
	int64_t *promise; /* the latest, by number */
	int64_t *end;	  /* really */
	uint32_t *running, runs;
	uint64_t budget, random; /* budget: UINT64_MAX: at random */
	uint64_t pieces, moves, most;
	int64_t now;
};

static void promised(void *context, const struct fair_promise *p)
{
	struct player *x = (struct player *)context;

	TEST_EQ(p->from, x->promise[p->number]);
	TEST_CHECK(p->from == FAIR_FOREVER || p->to < p->from);
	x->promise[p->number] = p->to;
	x->moves += p->cause == FAIR_CAUSE_EARLIER;
}

/* Another goes on from here: a clone, or what an image says. */
static void move(struct player *x, bool image)
{
	struct fair_sched s;
	size_t bytes = fair_sched_image_size(&x->s);
	void *saved = image ? malloc(bytes) : NULL;
	char *memory = x->spare;

	if (image) {
		TEST_EQ(fair_sched_save(&x->s, saved, bytes), 0);
		TEST_EQ(fair_sched_load(&s, sizeof(s), memory, x->bytes,
					&x->config, saved, bytes, NULL),
			0);
	} else {
		TEST_EQ(fair_sched_clone(&s, memory, x->bytes, &x->s), 0);
	}
	free(saved);
	memset(x->memory, 0xa5, x->bytes);
	x->spare = x->memory;
	x->memory = memory;
	x->s = s;
}

static void begin_piece(struct player *x)
{
	uint64_t budget = x->budget;

	if (budget == UINT64_MAX) {
		budget = (uint64_t)test_range(&x->random, 1, FROM_RANDOM);
		if (fair_sched_unfinished(&x->s) && budget < 6)
			move(x, budget % 2);
	}
	fair_sched_budget(&x->s, budget);
	watched = &x->s.plan.queue;
	if (fair_sched_promises(&x->config))
		watched = &x->s.keep.plan;
	else if (fair_sched_sorts(&x->config))
		watched = NULL; /* it is copied at once */
	work = x->moves = 0;
	x->pieces++;
}

/* Beside looks: a start, a reservation, the end of the walk. */
static void end_piece(struct player *x, size_t starts)
{
	uint64_t budget = x->s.budget, looks = work;

	if (!budget)
		return;
	TEST_CHECK(x->moves <= budget);
	if (!x->policy->per_look)
		return;
	TEST_CHECK(looks <=
		   x->policy->per_look * budget + MORE + 4 * starts);
	if (looks > x->most)
		x->most = looks;
}

static void go_on(struct player *x)
{
	bool more;

	do {
		end_piece(x, 0);
		begin_piece(x);
		more = fair_sched_go_on(&x->s);
	} while (more);
	end_piece(x, 0);
}

/* Whoever ends now, in the order of starts. */
static bool finish(struct player *x)
{
	bool any = false;
	uint32_t i = 0;

	while (i < x->runs) {
		uint32_t n = x->running[i];

		if (x->end[n] > x->now) {
			i++;
			continue;
		}
		memmove(x->running + i, x->running + i + 1,
			(--x->runs - i) * sizeof(*x->running));
		begin_piece(x);
		TEST_EQ(fair_sched_finish(&x->s, x->now, n), 0);
		go_on(x);
		any = true;
	}
	return any;
}

static void step(struct player *x)
{
	struct fair_decision start[ROOM];
	size_t n, i;

	do {
		begin_piece(x);
		TEST_EQ(fair_sched_step(&x->s, x->now, start, ROOM, &n), 0);
		end_piece(x, n);
		for (i = 0; i < n; i++) {
			x->running[x->runs++] = (uint32_t)start[i].number;
			x->end[start[i].number] =
				x->now + x->job[start[i].number].run;
		}
		if (!fair_sched_unfinished(&x->s))
			continue;
		TEST_EQ(fair_sched_next(&x->s), x->now);
		TEST_CHECK(!fair_sched_go_on(&x->s)); /* it is no reaction */
	} while (n == ROOM || fair_sched_unfinished(&x->s));
}

static void submit(struct player *x, size_t i)
{
	const struct swf_job *from = x->job + i;
	struct fair_job job = { 0 };

	job.number = i;
	job.submit = from->submit;
	job.walltime = from->estimate;
	job.procs = from->procs;
	job.user = job.account = from->user % USERS;
	if (x->config.policy == FAIR_MAUI)
		job.user = job.group = job.account = job.queue = job.qos =
			FAIR_THROTTLE_NONE;
	begin_piece(x);
	TEST_EQ(fair_sched_submit(&x->s, x->now, &job), 0);
}

static int64_t next_instant(const struct player *x, size_t i)
{
	int64_t next = fair_sched_next(&x->s);
	uint32_t k;

	if (i < x->jobs && x->job[i].submit < next)
		next = x->job[i].submit;
	for (k = 0; k < x->runs; k++)
		if (x->end[x->running[k]] < next)
			next = x->end[x->running[k]];
	return next;
}

/* The digest of it all. */
static uint64_t play(struct player *x, const struct swf *t,
		     const struct policy *policy, uint64_t budget)
{
	size_t i = 0;

	memset(x, 0, sizeof(*x));
	x->job = t->job;
	x->jobs = t->jobs;
	x->policy = policy;
	x->config = policy->config;
	x->config.procs = t->procs;
	x->config.jobs = 1 << LOG_JOBS;
	x->config.origin = t->job[0].submit;
	x->config.promised = promised;
	x->config.context = x;
	x->budget = budget;
	x->random = 7;
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	x->spare = malloc(x->bytes);
	x->promise = malloc(x->jobs * sizeof(*x->promise));
	x->end = malloc(x->jobs * sizeof(*x->end));
	x->running = malloc(x->jobs * sizeof(*x->running));
	if (!x->memory || !x->spare || !x->promise || !x->end || !x->running)
		abort();
	for (i = 0; i < x->jobs; i++)
		x->promise[i] = FAIR_FOREVER;
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config),
		0);
	for (i = 0; (x->now = next_instant(x, i)) != FAIR_FOREVER;) {
		do {
			finish(x);
			while (i < x->jobs && x->job[i].submit == x->now)
				submit(x, i++);
			step(x);
		} while (x->runs && finish(x));
		step(x);
	}
	TEST_EQ(i, x->jobs);
	TEST_EQ(x->s.jobs, 0);
	free(x->memory);
	free(x->spare);
	free(x->promise);
	free(x->end);
	free(x->running);
	return fair_sched_digest(&x->s);
}

static void play_all(const struct swf *t, const char *what)
{
	static const uint64_t budget[] = { 1, 7, UINT64_MAX };
	struct player x;
	char name[100];
	uint64_t digest;
	size_t p, i;

	for (p = 0; p < POLICIES; p++) {
		snprintf(name, sizeof(name), "%s, %s", what, policies[p].name);
		test_case(name);
		digest = play(&x, t, &policies[p], 0);
		for (i = 0; i < 3; i++) {
			TEST_CHECK(play(&x, t, &policies[p], budget[i]) ==
				   digest);
			printf("# budget %llu: %llu calls, at most %llu\n",
			       (unsigned long long)budget[i],
			       (unsigned long long)x.pieces,
			       (unsigned long long)x.most);
		}
	}
}

/* Many at once, of all sizes, which mostly end early. */
static void make_crowd(struct swf *t, size_t jobs)
{
	uint64_t random = 3;
	size_t i;

	memset(t, 0, sizeof(*t));
	t->job = calloc(jobs, sizeof(*t->job));
	if (!t->job)
		abort();
	t->jobs = jobs;
	t->procs = 100;
	for (i = 0; i < jobs; i++) {
		struct swf_job *j = t->job + i;

		j->submit = (int64_t)(i / 8);
		j->estimate = test_range(&random, 1, 5000);
		j->run = test_range(&random, 1, j->estimate);
		j->procs = (int32_t)test_range(&random, 1, 30);
		j->user = (uint32_t)test_range(&random, 0, 99);
	}
}

static int64_t began(const struct fair_sched *s, uint64_t number)
{
	struct fair_job_status j;

	TEST_EQ(fair_sched_lookup(s, number, &j), 0);
	TEST_EQ(j.state, FAIR_RUNNING);
	return j.start;
}

/* A step that is not over when time passes: what is left of it comes later. */
static void time_passes(void)
{
	static const uint32_t policy[] = { FAIR_BACKFILL, FAIR_DC, FAIR_PC,
					   FAIR_RELSHARE, FAIR_MAUI };
	struct fair_config c = { 0 };
	struct fair_decision start[9];
	struct fair_job j = { 0 };
	struct fair_sched s;
	size_t i, n, first, bytes;
	void *memory;

	c.procs = 9;
	c.jobs = 9;
	c.users = 1;
	c.window = 100;
	c.maui = &maui;
	j.procs = 1;
	j.walltime = 10;
	j.group = j.account = j.queue = j.qos = FAIR_THROTTLE_NONE;
	for (i = 0; i < sizeof(policy) / sizeof(*policy); i++) {
		c.policy = policy[i];
		j.user = c.policy == FAIR_MAUI ? FAIR_THROTTLE_NONE : 0;
		bytes = fair_sched_size(&c);
		memory = malloc(bytes);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &c), 0);
		for (j.number = 0; j.number < 9; j.number++)
			TEST_EQ(fair_sched_submit(&s, 0, &j), 0);
		fair_sched_budget(&s, 2);
		TEST_EQ(fair_sched_step(&s, 0, start, 9, &first), 0);
		TEST_EQ(fair_sched_unfinished(&s), !fair_sched_promises(&c));
		fair_sched_budget(&s, 0);
		TEST_EQ(fair_sched_step(&s, 1, start, 9, &n), 0);
		TEST_EQ(first + n, 9);
		TEST_CHECK(!n || start[0].time == 1);
		if (n)
			TEST_EQ(began(&s, start[0].number), 1);
		TEST_CHECK(!fair_sched_unfinished(&s));
		TEST_EQ(fair_sched_check(&s), 0);
		free(memory);
	}
}

/* A few jobs, which all want the whole machine. */
struct few {
	struct fair_config config;
	struct fair_sched s;
	void *memory;
	size_t bytes;
};

static void open_few(struct few *x, uint32_t policy)
{
	memset(x, 0, sizeof(*x));
	x->config.policy = policy;
	x->config.depth = 4;
	x->config.procs = 10;
	x->config.jobs = 9;
	x->config.maui = &maui;
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config), 0);
}

static void close_few(struct few *x)
{
	TEST_EQ(fair_sched_check(&x->s), 0);
	free(x->memory);
}

static void add(struct fair_sched *s, int64_t now, uint64_t number)
{
	struct fair_job j = { 0 };

	j.number = number;
	j.submit = now;
	j.procs = 10;
	j.walltime = 10;
	j.user = j.group = j.account = j.queue = j.qos = FAIR_THROTTLE_NONE;
	TEST_EQ(fair_sched_submit(s, now, &j), 0);
}

/* Who starts with so many looks; 0: nobody. */
static uint64_t look(struct fair_sched *s, int64_t now, uint64_t looks)
{
	struct fair_decision start[9];
	size_t n;

	fair_sched_budget(s, looks);
	TEST_EQ(fair_sched_step(s, now, start, 9, &n), 0);
	return n ? start[0].number : 0;
}

static struct fair_job_status status(const struct fair_sched *s,
				     uint64_t number)
{
	struct fair_job_status j = { 0 };

	TEST_EQ(fair_sched_lookup(s, number, &j), 0);
	return j;
}

/* The rest of a reaction is done before anything else, in a copy as well. */
static void reactions_are_ended(void)
{
	static const uint32_t policy[] = { FAIR_CONSERVATIVE, FAIR_PC };
	struct fair_sched copy;
	struct few x;
	void *memory;
	size_t i;

	for (i = 0; i < 2; i++) {
		open_few(&x, policy[i]);
		add(&x.s, 0, 1);
		TEST_EQ(look(&x.s, 0, 0), 1);
		add(&x.s, 0, 2);
		add(&x.s, 0, 3);
		fair_sched_budget(&x.s, 1);
		TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
		TEST_CHECK(fair_sched_unfinished(&x.s));
		memory = malloc(x.bytes);
		TEST_EQ(fair_sched_clone(&copy, memory, x.bytes, &x.s), 0);
		add(&copy, 5, 4);
		TEST_CHECK(!fair_sched_unfinished(&copy));
		TEST_EQ(status(&copy, 3).start, 15);
		TEST_EQ(status(&copy, 3).moves, 1);
		TEST_EQ(fair_sched_check(&copy), 0);
		free(memory);
		TEST_EQ(status(&x.s, 3).start, 20);
		TEST_EQ(fair_sched_pass(&x.s, 5), 0);
		TEST_CHECK(!fair_sched_unfinished(&x.s));
		TEST_EQ(status(&x.s, 3).start, 15);
		close_few(&x);
	}
}

/* A plan that is not finished is dropped, and begins anew. */
static void plans_are_dropped(void)
{
	struct few x;
	uint64_t n;

	open_few(&x, FAIR_BACKFILL);
	add(&x.s, 0, 1);
	TEST_EQ(look(&x.s, 0, 0), 1);
	for (n = 2; n < 6; n++)
		add(&x.s, 0, n);
	TEST_EQ(look(&x.s, 0, 2), 0);
	TEST_CHECK(fair_sched_unfinished(&x.s));
	TEST_EQ(fair_sched_pass(&x.s, 0), 0);
	TEST_CHECK(!fair_sched_unfinished(&x.s));
	TEST_EQ(look(&x.s, 0, 2), 0);
	TEST_CHECK(fair_sched_unfinished(&x.s));
	TEST_EQ(look(&x.s, 0, 2), 0);
	TEST_CHECK(!fair_sched_unfinished(&x.s));
	close_few(&x);
	open_few(&x, FAIR_BACKFILL);
	for (n = 1; n < 4; n++)
		add(&x.s, 0, n);
	TEST_EQ(look(&x.s, 0, 2), 1);
	TEST_CHECK(fair_sched_unfinished(&x.s));
	TEST_EQ(fair_sched_refuse(&x.s, 0, 1), 0);
	TEST_CHECK(!fair_sched_unfinished(&x.s));
	close_few(&x);
}

/* Who was looked at is not again, for time that passes and for no change. */
static void only_newcomers(void)
{
	struct few x;

	open_few(&x, FAIR_BACKFILL);
	add(&x.s, 0, 1);
	add(&x.s, 0, 2);
	add(&x.s, 0, 3);
	TEST_EQ(look(&x.s, 0, 0), 1);
	add(&x.s, 1, 4);
	TEST_EQ(fair_sched_modify(&x.s, 1, 1, 10, 10), 0);
	TEST_EQ(look(&x.s, 1, 1), 0);
	TEST_CHECK(!fair_sched_unfinished(&x.s));
	close_few(&x);
}

/* Two priorities, two steps of sorting, then the job that starts. */
static void looks_of_maui(void)
{
	struct few x;
	int i;

	open_few(&x, FAIR_MAUI);
	add(&x.s, 0, 1);
	add(&x.s, 0, 2);
	for (i = 0; i < 4; i++) {
		TEST_EQ(look(&x.s, 0, 1), 0);
		TEST_CHECK(fair_sched_unfinished(&x.s));
	}
	TEST_EQ(look(&x.s, 0, 1), 1);
	close_few(&x);
}

/* Priorities of a step that was not finished are those of a later one. */
static void priorities_begin_anew(void)
{
	struct few x;

	open_few(&x, FAIR_MAUI);
	add(&x.s, 0, 1);
	add(&x.s, 60, 2);
	TEST_EQ(look(&x.s, 60, 1), 0);
	TEST_EQ(fair_sched_pass(&x.s, 6000), 0);
	TEST_EQ(look(&x.s, 6000, 0), 1);
	close_few(&x);
}

/* How often a walk looks at four jobs of which none fits, and sorts them. */
static uint64_t looks(struct fair_config c)
{
	struct fair_decision start[5];
	struct fair_job j = { 0 };
	struct fair_sched s;
	uint64_t calls = 0;
	size_t n, bytes;
	void *memory;

	c.procs = 9;
	c.jobs = 5;
	c.accounts = 1;
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &c), 0);
	j.procs = 8;
	j.walltime = 10;
	if (c.policy == FAIR_MAUI)
		j.user = j.group = j.account = j.queue = j.qos =
			FAIR_THROTTLE_NONE;
	for (j.number = 0; j.number < 5; j.number++) {
		TEST_EQ(fair_sched_submit(&s, 0, &j), 0);
		TEST_EQ(fair_sched_step(&s, 0, start, 5, &n), 0);
		TEST_EQ(n, !j.number);
	}
	TEST_EQ(fair_sched_pass(&s, 1), 0);
	fair_sched_budget(&s, 1);
	do {
		TEST_EQ(fair_sched_step(&s, 1, start, 5, &n), 0);
		TEST_EQ(n, 0);
		calls++;
	} while (fair_sched_unfinished(&s) && calls < 100);
	free(memory);
	return calls;
}

/* Each pass is a look a job, but who holds a reservation is not selected. */
static void looks_of_passes(void)
{
	struct fair_config c = { .policy = FAIR_SFS, .depth = 5 };
	struct fair_maui_config m = maui;
	uint64_t none;

	TEST_EQ(looks(c), 2 * 4);
	c.policy = FAIR_MAUI;
	c.maui = &m;
	m.depth = 1;
	m.select = FAIR_NOFIT;
	none = looks(c);
	m.select = FAIR_FIRSTFIT;
	TEST_EQ(looks(c), none + 2 * 3);
}

/* ---- what is left of a reaction, and of a step ---- */

struct site {
	struct fair_config config;
	struct fair_sched s;
	struct fair_promise last;
	uint32_t moves;
	char *memory, *other;
	size_t bytes;
};

static void note(void *context, const struct fair_promise *p)
{
	struct site *x = (struct site *)context;

	x->last = *p;
	x->moves++;
}

static void place(struct site *x, uint64_t number, int32_t procs,
		  int64_t walltime, uint64_t booking)
{
	struct fair_job j = { 0 };

	j.number = number;
	j.procs = procs;
	j.walltime = walltime;
	j.booking = booking;
	TEST_EQ(fair_sched_submit(&x->s, 0, &j), 0);
}

/* Who starts, as digits, in one call of at most @budget looks. */
static uint64_t piece(struct site *x, int64_t now, uint64_t budget)
{
	struct fair_decision start[8];
	uint64_t all = 0;
	size_t n, i;

	x->moves = 0;
	fair_sched_budget(&x->s, budget);
	TEST_EQ(fair_sched_step(&x->s, now, start, 8, &n), 0);
	for (i = 0; i < n; i++)
		all = 10 * all + start[i].number;
	TEST_EQ(fair_sched_check(&x->s), 0);
	return all;
}

static void open_site(struct site *x)
{
	memset(x, 0, sizeof(*x));
	x->config.policy = FAIR_CONSERVATIVE;
	x->config.procs = 10;
	x->config.jobs = 9;
	x->config.bookings = 1;
	x->config.promised = note;
	x->config.context = x;
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	x->other = malloc(x->bytes);
	if (!x->memory || !x->other)
		abort();
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config), 0);
}

static void close_site(struct site *x)
{
	free(x->memory);
	free(x->other);
}

/* 1 runs, 2 .. 5 wait one behind the other. */
static void queue_up(struct site *x)
{
	uint64_t n;

	place(x, 1, 10, 100, 0);
	TEST_EQ(piece(x, 0, 0), 1);
	for (n = 2; n < 6; n++)
		place(x, n, 10, 10, 0);
}

/* A step first ends the reaction, within its budget: guests, too, wait. */
static void reactions_first(void)
{
	const struct fair_booking b = { 7, 5, 40, 3, FAIR_ADVANCE, 0 };
	struct site x;
	uint64_t n;

	open_site(&x);
	queue_up(&x);
	TEST_EQ(fair_sched_book(&x.s, 0, &b, true), 0);
	place(&x, 6, 2, 10, 7);
	fair_sched_budget(&x.s, 1);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(x.last.number, 2);
	for (n = 3; n < 5; n++) {
		TEST_EQ(piece(&x, 5, 1), 0);
		TEST_EQ(x.moves, 1);
		TEST_EQ(x.last.number, n);
		TEST_CHECK(fair_sched_unfinished(&x.s));
	}
	TEST_EQ(piece(&x, 5, 1), 6);
	TEST_EQ(x.last.number, 5);
	TEST_CHECK(!fair_sched_unfinished(&x.s));
	close_site(&x);
}

/* 7, 8 and 9 are wider than the machine is now: each step looks at them. */
static void open_narrowed(struct site *x)
{
	uint64_t n;

	open_site(x);
	for (n = 7; n < 10; n++)
		place(x, n, 10, 10, 0);
	TEST_EQ(fair_sched_capacity(&x->s, 0, -1, NULL, 0), 0);
}

/* 3 is in the way of 2, which starts late, in the step's second piece. */
static void late_in_pieces(void)
{
	struct site x;

	open_narrowed(&x);
	place(&x, 2, 9, 10, 0);
	place(&x, 3, 9, 10, 0);
	TEST_EQ(piece(&x, 5, 2), 0);
	TEST_CHECK(fair_sched_unfinished(&x.s));
	TEST_EQ(piece(&x, 5, 2), 2);
	TEST_EQ(x.moves, 1);
	TEST_EQ(x.last.number, 3);
	TEST_EQ(x.last.from, 10);
	TEST_EQ(x.last.to, 15);
	TEST_EQ(x.last.cause, FAIR_CAUSE_LATE_STEP);
	close_site(&x);
}

/* What the reaction needs of a step's budget the step itself has not. */
static void one_budget_for_both(void)
{
	struct site x;
	uint64_t n;

	open_narrowed(&x);
	place(&x, 1, 9, 100, 0);
	TEST_EQ(piece(&x, 0, 0), 1);
	for (n = 2; n < 5; n++)
		place(&x, n, 9, 10, 0);
	fair_sched_budget(&x.s, 1);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(piece(&x, 6, 4), 0);
	TEST_EQ(x.moves, 2);
	TEST_CHECK(fair_sched_unfinished(&x.s));
	TEST_EQ(piece(&x, 6, 4), 2);
	close_site(&x);
}

/* A clone goes on without one. */
static void clones_have_no_budget(void)
{
	struct site x, y;

	open_site(&x);
	queue_up(&x);
	fair_sched_budget(&x.s, 1);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(fair_sched_clone(&y.s, x.other, x.bytes, &x.s), 0);
	TEST_CHECK(fair_sched_unfinished(&y.s));
	x.moves = 0;
	TEST_CHECK(!fair_sched_go_on(&y.s));
	TEST_EQ(x.moves, 3);
	TEST_CHECK(fair_sched_go_on(&x.s));
	close_site(&x);
}

int main(void)
{
	const struct swf_options o = { 0 };
	struct swf t;
	size_t i;

	maui = fair_maui_defaults();
	for (i = 0; i < USERS; i++)
		target[i] = 10;
	TEST_RUN(time_passes);
	TEST_RUN(reactions_first);
	TEST_RUN(late_in_pieces);
	TEST_RUN(one_budget_for_both);
	TEST_RUN(clones_have_no_budget);
	TEST_RUN(reactions_are_ended);
	TEST_RUN(plans_are_dropped);
	TEST_RUN(only_newcomers);
	TEST_RUN(looks_of_maui);
	TEST_RUN(priorities_begin_anew);
	TEST_RUN(looks_of_passes);
	make_crowd(&t, TEST_ROUNDS(200));
	play_all(&t, "crowd");
	free(t.job);
	if (swf_read(&t, test_shared(TRACE), &o)) {
		test_case("KTH");
		test_skip("no trace");
		return test_report();
	}
	t.jobs = TEST_ROUNDS(10000); /* all 28,489 take 30 s */
	play_all(&t, "KTH");
	swf_free(&t);
	return test_report();
}
