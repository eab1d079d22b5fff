/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Whatever the scan limits, the decisions are those of none, on the KTH trace
 * under every policy, through clones and checkpoints on the way; no call does
 * more work than its limit, counted outside of the scheduler.
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
#define fair_queue_next_fitting(q, at, n) \
	(work += (q) == watched, (fair_queue_next_fitting)(q, at, n))
#define fair_queue_next_matching(q, at, end, like) \
	(work++, (fair_queue_next_matching)(q, at, end, like))
#define fair_maui_parts(m, slot, s, w, p) \
	(work++, (fair_maui_parts)(m, slot, s, w, p))

#include "fairsched.h"

#include "tools/fairsched/trace/swf.h"
#include "fuzz/inside.h"
#include "tests/test.h"

#define TRACE "traces/KTH-SP2-1996-2.swf.gz"
#define ROOM 3
#define LOG_JOBS 12 /* at most 2^12 at once */
#define MORE FAIR_CONSERVATIVE_PARTS /* work beside scans and starts */
#define USERS 8
#define FROM_RANDOM 40 /* limits of 1 .. 40, and clones, and checkpoints */
#define POLICIES (sizeof(policies) / sizeof(*policies))

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
	uint32_t per_look; /* most work of a scan; 0: not counted */
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
	{ "maui", { .policy = FAIR_MAUI, .maui = &maui }, 0 },
};

/* A run of a trace, with scan limits. */
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
	uint64_t scan_limit, random; /* budget: UINT64_MAX: at random */
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

/* A copy goes on from here: a clone, or a loaded checkpoint. */
static void move(struct player *x, bool checkpoint)
{
	struct fair_sched s;
	size_t bytes = fair_sched_checkpoint_size(&x->s);
	void *saved = checkpoint ? malloc(bytes) : NULL;
	char *memory = x->spare;

	if (checkpoint) {
		TEST_EQ(fair_sched_save(&x->s, saved, bytes), 0);
		TEST_OK(fair_sched_load(&s, sizeof(s), memory, x->bytes,
					&x->config, saved, bytes, NULL));
	} else {
		TEST_EQ(fair_sched_clone(&s, memory, x->bytes, &x->s), 0);
		fair_sched_report_to(&s, promised, x);
	}
	free(saved);
	memset(x->memory, 0xa5, x->bytes);
	x->spare = x->memory;
	x->memory = memory;
	x->s = s;
}

static void begin_piece(struct player *x)
{
	uint64_t scan_limit = x->scan_limit;

	if (scan_limit == UINT64_MAX) {
		scan_limit = (uint64_t)test_range(&x->random, 1, FROM_RANDOM);
		if (fair_sched_is_unfinished(&x->s) && scan_limit < 6)
			move(x, scan_limit % 2);
	}
	fair_sched_scan_limit(&x->s, scan_limit);
	watched = &afresh_of(&x->s)->queue;
	if (x->s.planner->promises)
		watched = &promising_of(&x->s)->plan;
	else if (afresh_of(&x->s)->order.sorts)
		watched = NULL; /* it is copied at once */
	work = x->moves = 0;
	x->pieces++;
}

/* Beside scans: a start, a reservation, the end of the walk. */
static void end_piece(struct player *x, size_t starts)
{
	uint64_t scan_limit = x->s.scan_limit, scans = work;

	if (!scan_limit)
		return;
	TEST_CHECK(x->moves <= scan_limit);
	if (!x->policy->per_look)
		return;
	TEST_CHECK(scans <=
		   x->policy->per_look * scan_limit + MORE + 4 * starts);
	if (scans > x->most)
		x->most = scans;
}

static void go_on(struct player *x)
{
	bool more;

	do {
		end_piece(x, 0);
		begin_piece(x);
		more = fair_sched_resume(&x->s);
	} while (more);
	end_piece(x, 0);
}

/* The jobs that end now, in the order of starts. */
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
		if (!fair_sched_is_unfinished(&x->s))
			continue;
		TEST_EQ(fair_sched_next(&x->s), x->now);
		TEST_CHECK(!fair_sched_resume(&x->s)); /* it is no reaction */
	} while (n == ROOM || fair_sched_is_unfinished(&x->s));
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
		     const struct policy *policy, uint64_t scan_limit)
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
	x->scan_limit = scan_limit;
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
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
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
	static const uint64_t scan_limit[] = { 1, 7, UINT64_MAX };
	struct player x;
	char name[100];
	uint64_t digest;
	size_t p, i;

	for (p = 0; p < POLICIES; p++) {
		snprintf(name, sizeof(name), "%s, %s", what, policies[p].name);
		test_case(name);
		digest = play(&x, t, &policies[p], 0);
		for (i = 0; i < 3; i++) {
			TEST_CHECK(play(&x, t, &policies[p], scan_limit[i]) ==
				   digest);
			printf("# budget %llu: %llu calls, at most %llu\n",
			       (unsigned long long)scan_limit[i],
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

TEST_EACH(crowd_and_trace)
{
	const struct swf_options o = { 0 };
	struct swf t;
	size_t i;

	maui = fair_maui_defaults();
	for (i = 0; i < USERS; i++)
		target[i] = 10;
	make_crowd(&t, TEST_ROUNDS(200));
	play_all(&t, "crowd");
	free(t.job);
	if (swf_read(&t, test_shared(TRACE), &o)) {
		test_case("KTH");
		test_skip("no trace");
		return;
	}
	t.jobs = TEST_ROUNDS(10000); /* all 28,489 take 30 s */
	play_all(&t, "KTH");
	swf_free(&t);
}
