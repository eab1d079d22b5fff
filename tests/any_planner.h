/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * any_planner.h - what every planner must keep, whatever it decides
 *
 *	#define FAIRSCHED_STATIC
 *	#include "my_planner.h"
 *	#include "tests/any_planner.h"
 *
 *	TEST(my_planner)
 *	{
 *		static struct my_policy mine;
 *		struct fair_config config = { .policy = FAIR_CUSTOM,
 *					      .planner = &mine.ops };
 *
 *		mine = my_policy();
 *		any_planner_run(&config, 1, 100); // 100 schedules from seed 1
 *	}
 *
 * Random events happen to two schedulers: jobs come, held or not, alone, as
 * arrays or for an advance reservation, and end early or late; they are
 * cancelled, changed, held, released, suspended, resized, stopped and refused;
 * processors come and go, and so do advance reservations and, with
 * config.limits, those of users; steps are late. After each event
 *   - fair_sched_check() finds nothing, and both are the same in all that can
 *     be asked: jobs, promises, digest, fair_sched_next();
 *   - the second goes on as a clone, or as what was saved, of either of them.
 *     What is loaded saves the same bytes. Its scan limit is another one.
 * After a step
 *   - fair_sched_next() is later than now, and in queues by submission, without
 *     limits or with promises, nothing starts and nothing is promised before;
 *   - what why, estimates, forecasts and what-if say is so on clones, and
 *     asking changes nothing.
 * At last jobs only end, and no start is refused for ever: then each job starts
 * that is not wider than the machine, and under fcfs behind none that is.
 * Not tested: whether the decisions are the right ones. That needs a model.
 */
#ifndef ANY_PLANNER_H
#define ANY_PLANNER_H

#include "fuzz/why_check.h"
#include "tests/test.h"

enum { ANY_JOBS = 24, ANY_EVENTS = 150 };

enum any_kind {
	ANY_SUBMIT,
	ANY_FINISH,
	ANY_CANCEL,
	ANY_MODIFY,
	ANY_CAPACITY,
	ANY_DEFER,
	ANY_RELEASE,
	ANY_SUSPEND,
	ANY_RESUME,
	ANY_RESIZE,
	ANY_REQUEUE,
	ANY_REFUSE,
	ANY_RETRY,
	ANY_ADVANCE,
	ANY_NO_ADVANCE,
	ANY_PASS_TIME,
	ANY_LIMIT, /* with config.limits */
	ANY_KINDS
};

/* Both schedulers get the same. */
struct any_event {
	uint32_t kind;
	uint64_t number; /* mostly of a live job */
	struct fair_job job;
	int32_t amount[FAIR_MACHINE_RESOURCES];
	uint8_t classes[FAIR_MACHINE_CLASSES];
	struct fair_eligibility until;
	struct fair_advance advance;
	struct fair_limit limit;
	int32_t delta;
	uint32_t node_class, resource;
	bool flag;
};

struct any_planner {
	struct fair_config config;
	struct fair_sched s[2]; /* the second is replaced on the way */
	char *memory[2];
	size_t bytes;
	uint64_t random, jobs, told[2]; /* hashes of promises */
	int64_t now;
	uint64_t done[ANY_KINDS], starts, answers;
};

static inline int64_t any_draw(struct any_planner *x, int64_t from, int64_t to)
{
	return test_range(&x->random, from, to);
}

static inline void any_promised(void *context, const struct fair_promise *p)
{
	uint64_t *told = (uint64_t *)context;

	/* A later start has a cause that delays; a first promise has none. */
	TEST_CHECK(p->to > p->from
			   ? p->cause > FAIR_CAUSE_EARLIER
			   : p->from == FAIR_FOREVER ||
				     p->cause <= FAIR_CAUSE_EARLIER);
	*told = (*told ^ p->number) * UINT64_C(0x100000001b3);
	*told = (*told ^ (uint64_t)p->to ^ p->cause ^ p->culprit << 8) *
		UINT64_C(0x100000001b3);
}

/* One of eight starts is refused, for up to seven seconds or until a retry. */
static inline int64_t any_fits(void *context, const struct fair_job *job,
			       int64_t start, int64_t end)
{
	uint64_t word = job->number * 31 + (uint64_t)start / 8;
	int64_t until = start + (int64_t)(test_random(&word) % 64) - 55;

	(void)context;
	(void)end;
	return until == start + 8 ? FAIR_FOREVER : until;
}

/* EVENTS */

/* A live job of a random state; few are of none. */
static inline uint64_t any_pick(struct any_planner *x)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t state = (uint32_t)any_draw(x, 0, 2);
	int64_t skip = any_draw(x, 0, 7);
	uint64_t number = 4 * (uint64_t)any_draw(x, 0, (int64_t)x->jobs);
	struct fair_job_status j;

	while (skip-- >= 0 && fair_sched_each(&x->s[0], state, &at, &j))
		number = j.job.number;
	return number;
}

static inline void any_draw_job(struct any_planner *x, struct any_event *e)
{
	const struct fair_config *c = &x->config;
	struct fair_job *j = &e->job;
	uint32_t i;

	j->number = 4 * (x->jobs + 1); /* up to four tasks */
	j->cookie = ~j->number;
	j->submit = x->now - any_draw(x, 0, 7) / 6 * any_draw(x, 0, 50);
	j->walltime = any_draw(x, 1, 40);
	j->procs = (int32_t)any_draw(x, 1, c->procs < 8 ? c->procs : 8);
	j->tasks = (uint32_t)(any_draw(x, 0, 7) / 7 * any_draw(x, 0, 4));
	j->advance = (uint64_t)(any_draw(x, 0, 7) / 7 * any_draw(x, 1, 3));
	j->user = j->group = j->account = j->queue = j->qos = FAIR_THROTTLE_NONE;
	if (c->users)
		j->user = (uint64_t)any_draw(x, 0, c->users - 1);
	if (c->accounts)
		j->account = (uint64_t)any_draw(x, 0, c->accounts - 1);
	if (!c->machine)
		return;
	j->amount = e->amount;
	for (i = 1; i < c->machine->resources; i++)
		e->amount[i] = (int32_t)any_draw(x, 0, 5) / 3;
	j->classes = e->classes;
	j->class_count = (uint32_t)any_draw(x, 0, c->machine->classes);
	e->node_class = (uint32_t)any_draw(x, 0, c->machine->classes - 1);
	e->resource = (uint32_t)any_draw(x, 0, c->machine->resources - 1);
	for (i = 0; i < j->class_count; i++)
		e->classes[i] = (uint8_t)((e->node_class + i) %
					  c->machine->classes);
}

static inline void any_draw_event(struct any_planner *x, struct any_event *e)
{
	struct fair_advance *b = &e->advance;

	memset(e, 0, sizeof(*e));
	e->kind = (uint32_t)any_draw(x, 0, 2 * ANY_KINDS);
	if (e->kind >= ANY_KINDS)
		e->kind = e->kind % 3 ? ANY_SUBMIT : ANY_FINISH;
	e->number = any_pick(x);
	e->flag = any_draw(x, 0, 3) == 0;
	e->delta = (int32_t)any_draw(x, -3, 3);
	e->until.begin = x->now + any_draw(x, -20, 20);
	e->until.held = any_draw(x, 0, 1);
	any_draw_job(x, e);
	b->number = (uint64_t)any_draw(x, 1, 3);
	b->from = x->now + any_draw(x, -5, 40);
	b->to = b->from + any_draw(x, 1, 40);
	b->procs = (int32_t)any_draw(x, 1, x->config.procs / 2);
	b->kind = e->flag ? FAIR_ADVANCE_USER : FAIR_ADVANCE_MAINTENANCE;
	b->node_class = e->node_class;
	memcpy(b->amount, e->amount, sizeof(b->amount));
	e->limit.resource = any_draw(x, 0, 3) ? FAIR_LIMIT_PROCS
					      : FAIR_LIMIT_JOBS;
	e->limit.id = any_draw(x, 0, 1) ? FAIR_LIMIT_EACH : e->job.user;
	e->limit.amount = any_draw(x, 0, 3) ? any_draw(x, 0, x->config.procs)
					    : FAIR_LIMIT_NONE;
}

static inline int any_resize(struct fair_sched *s, int64_t now,
			     const struct any_event *e)
{
	struct fair_job_status j;

	if (fair_sched_lookup(s, e->number, &j))
		return -FAIR_ENOENT;
	j.job.procs = e->job.procs;
	return fair_sched_resize(s, now, e->number, &j.job);
}

static inline int any_happen(struct fair_sched *s, int64_t now,
			     const struct any_event *e)
{
	switch (e->kind) {
	case ANY_SUBMIT:
		return fair_sched_submit_ineligible(s, now, &e->job,
						    e->flag ? &e->until : NULL);
	case ANY_FINISH:
		return fair_sched_finish(s, now, e->number);
	case ANY_CANCEL:
		return fair_sched_cancel(s, now, e->number);
	case ANY_MODIFY:
		return fair_sched_modify(s, now, e->number, e->job.procs,
					 e->job.walltime);
	case ANY_CAPACITY:
		if (s->config.machine || s->classes)
			return fair_sched_class_capacity(
				s, now, e->node_class, e->resource, e->delta,
				&e->number, e->flag && e->delta < 0);
		return fair_sched_capacity(s, now, e->delta, &e->number,
					   e->flag && e->delta < 0);
	case ANY_DEFER:
		return fair_sched_defer(s, now, e->number, &e->until);
	case ANY_RELEASE:
		return fair_sched_defer(s, now, e->number, NULL);
	case ANY_SUSPEND:
		return fair_sched_suspend(s, now, e->number);
	case ANY_RESUME:
		return fair_sched_resume_job(s, now, e->number);
	case ANY_RESIZE:
		return any_resize(s, now, e);
	case ANY_REQUEUE:
		return fair_sched_requeue(s, now, e->number);
	case ANY_REFUSE:
		return fair_sched_refuse(s, now, e->number);
	case ANY_RETRY:
		return fair_sched_retry(s, now, e->number);
	case ANY_ADVANCE:
		return fair_sched_advance_reserve(s, now, &e->advance, e->flag);
	case ANY_NO_ADVANCE:
		return fair_sched_advance_cancel(s, now, e->advance.number);
	case ANY_LIMIT:
		return fair_sched_limit(s, now, &e->limit);
	default:
		return fair_sched_pass_time(s, now);
	}
}

static inline bool any_happen_to_both(struct any_planner *x,
				      const struct any_event *e)
{
	int error = any_happen(&x->s[0], x->now, e);

	TEST_EQ(any_happen(&x->s[1], x->now, e), error);
	return !error;
}

/* COMPARISON */

static inline void any_compare_jobs(const struct any_planner *x)
{
	struct fair_queue_place at;
	struct fair_job_status a, b;
	uint32_t state;

	for (state = FAIR_QUEUED; state <= FAIR_INELIGIBLE; state++) {
		memset(&at, 0, sizeof(at));
		TEST_EQ(fair_sched_count(&x->s[0], state),
			fair_sched_count(&x->s[1], state));
		while (fair_sched_each(&x->s[0], state, &at, &a)) {
			TEST_OK(fair_sched_lookup(&x->s[1], a.job.number, &b));
			TEST_EQ(a.state, b.state);
			TEST_EQ(a.start, b.start);
			TEST_EQ(a.end, b.end);
			TEST_EQ(a.node_class, b.node_class);
			TEST_EQ(a.first_promise, b.first_promise);
			TEST_EQ(a.moves, b.moves);
			TEST_EQ(a.cause, b.cause);
			TEST_EQ(a.not_before, b.not_before);
			TEST_EQ(a.job.procs, b.job.procs);
			TEST_EQ(a.job.walltime, b.job.walltime);
			TEST_EQ(a.job.tasks, b.job.tasks);
			TEST_EQ(a.job.cookie, b.job.cookie);
		}
	}
}

/* Whether decisions depend on scan limits: then both have the same. */
static inline bool any_is_cut(const struct any_planner *x)
{
	return x->config.policy == FAIR_PC && !x->config.machine;
}

static inline void any_compare(struct any_planner *x)
{
	const struct fair_sched *a = &x->s[0], *b = &x->s[1];

	TEST_EQ(fair_sched_check(a), 0);
	TEST_EQ(fair_sched_check(b), 0);
	if (fair_sched_is_unfinished(a) != fair_sched_is_unfinished(b)) {
		TEST_CHECK(!any_is_cut(x));
		return;
	}
	TEST_CHECK(fair_sched_digest(a) == fair_sched_digest(b));
	TEST_CHECK(x->told[0] == x->told[1]);
	TEST_EQ(fair_sched_next(a), fair_sched_next(b));
	any_compare_jobs(x);
}

static inline void any_limit(struct any_planner *x)
{
	uint64_t scans = (uint64_t)any_draw(x, 0, 4);

	fair_sched_scan_limit(&x->s[1], scans);
	if (any_is_cut(x))
		fair_sched_scan_limit(&x->s[0], scans);
}

/* The second is a clone, or what was saved, of one of both from now on. */
static inline void any_replace(struct any_planner *x)
{
	int from = (int)any_draw(x, 0, 1);
	const struct fair_sched *s = &x->s[from];
	size_t n = fair_sched_checkpoint_size(s);
	char *memory = (char *)malloc(x->bytes + 7);
	char *saved = (char *)malloc(2 * n);
	struct fair_sched copy;

	FUZZ_ASSERT(memory && saved);
	if (any_draw(x, 0, 1)) {
		TEST_OK(fair_sched_clone(&copy, memory + x->jobs % 8, x->bytes,
					 s));
	} else {
		TEST_OK(fair_sched_save(s, saved, n));
		TEST_OK(fair_sched_load(&copy, sizeof(copy),
					memory + x->jobs % 8, x->bytes,
					&x->config, saved, n, NULL));
		TEST_EQ(fair_sched_checkpoint_size(&copy), n);
		TEST_OK(fair_sched_save(&copy, saved + n, n));
		TEST_CHECK(!memcmp(saved, saved + n, n));
	}
	free(saved);
	free(x->memory[1]);
	x->memory[1] = memory;
	x->s[1] = copy;
	x->told[1] = x->told[from];
	fair_sched_report_to(&x->s[1], any_promised, &x->told[1]);
}

/* QUESTIONS */

static inline void any_changed(void *context, const struct fair_change *c)
{
	++*(uint64_t *)context;
	TEST_CHECK(c->start[0] != c->start[1] ||
		   c->promise[0] != c->promise[1]);
}

/* A job that waits; what would change without it. */
static inline void any_ask(struct any_planner *x)
{
	size_t bytes = fair_sched_whatif_size(&x->config, &x->config);
	char *memory = (char *)malloc(bytes), text[2][2048];
	uint64_t number = any_pick(x);
	struct fair_job_status j;
	struct why_clone without;
	struct fair_why why;
	int i;

	FUZZ_ASSERT(memory);
	if (!fair_sched_lookup(&x->s[0], number, &j) &&
	    j.state != FAIR_RUNNING) {
		why_check(&x->s[0], number);
		for (i = 0; i < 2; i++) {
			TEST_OK(fair_sched_why(&x->s[i], number, memory, bytes,
					       &why));
			fair_why_text(&why, text[i], sizeof(text[i]));
		}
		TEST_CHECK(!strcmp(text[0], text[1]));
		why_clone_open(&without, &x->s[0]);
		TEST_OK(fair_sched_cancel(&without.s, x->now, number));
		TEST_OK(fair_sched_whatif(&x->s[0], &without.s, memory, bytes,
					  any_changed, &x->answers));
		free(without.memory);
	}
	free(memory);
}

/* Where time alone changes no order, nothing happens before @next. With limits
 * and without promises a job that has started leaves the first one that waits
 * no room, and so a later walk no reservation. */
static inline void any_wait(const struct any_planner *x, int64_t next)
{
	uint32_t p = x->config.policy;
	uint64_t told = 0;
	struct why_clone c;

	if ((p > FAIR_PC && p != FAIR_CUSTOM) || next <= x->now + 1 ||
	    x->config.order != FAIR_ORDER_FCFS ||
	    (x->s[0].limits && !x->s[0].planner->promises))
		return;
	why_clone_open(&c, &x->s[0]);
	fair_sched_report_to(&c.s, any_promised, &told);
	TEST_CHECK(!why_step(&c.s, next == FAIR_FOREVER ? x->now + 999
							: next - 1, 0));
	TEST_CHECK(!told && fair_sched_digest(&c.s) ==
				    fair_sched_digest(&x->s[0]));
	free(c.memory);
}

/* STEPS */

/* All starts of one; a step that does not end is cut. */
static inline size_t any_starts(struct any_planner *x, int i, size_t room,
				struct fair_decision *start)
{
	size_t all = 0, n = 0, calls = 0;

	do {
		TEST_OK(fair_sched_step(&x->s[i], x->now, start + all, room,
					&n));
		all += n;
	} while (calls++ < 9999 && all + room <= 4 * ANY_JOBS &&
		 (n == room || fair_sched_is_unfinished(&x->s[i])));
	TEST_CHECK(calls < 9999);
	return all;
}

static inline void any_step(struct any_planner *x)
{
	struct fair_decision ours[4 * ANY_JOBS], copys[4 * ANY_JOBS];
	size_t room = (size_t)any_draw(x, 1, ANY_JOBS);
	size_t n = any_starts(x, 0, any_is_cut(x) ? room : ANY_JOBS, ours), i;
	struct any_event e;
	int64_t next;

	TEST_EQ(any_starts(x, 1, room, copys), n);
	for (i = 0; i < n; i++) {
		TEST_EQ(ours[i].number, copys[i].number);
		TEST_EQ(ours[i].time, x->now);
		TEST_EQ(ours[i].node_class, copys[i].node_class);
	}
	x->starts += n;
	next = fair_sched_next(&x->s[0]);
	TEST_CHECK(next > x->now);
	any_wait(x, next);
	if (any_draw(x, 0, 7) == 0)
		any_ask(x);
	e.kind = ANY_REFUSE;
	e.number = n ? ours[any_draw(x, 0, (int64_t)n - 1)].number : 0;
	if (n && any_draw(x, 0, 7) == 0)
		x->done[ANY_REFUSE] += any_happen_to_both(x, &e);
	else if (any_draw(x, 0, 1)) /* the next step is in time, or late */
		x->now = next < x->now + 40 ? next : x->now + 1;
	else
		x->now += any_draw(x, 0, 3) * any_draw(x, 0, 8);
}

/* RUNS */

static inline void any_open(struct any_planner *x,
			    const struct fair_config *config, uint64_t seed)
{
	struct fair_config *c = &x->config;
	int i;

	memset(x, 0, sizeof(*x));
	x->random = seed;
	*c = *config;
	c->procs = c->procs ? c->procs : 12;
	c->jobs = c->ineligible = ANY_JOBS;
	c->advances = seed % 3 ? 3 : 0;
	if (!c->fits && seed % 2)
		c->fits = any_fits;
	c->promised = any_promised;
	x->bytes = fair_sched_size(c);
	FUZZ_ASSERT(x->bytes);
	for (i = 0; i < 2; i++) {
		x->memory[i] = (char *)malloc(x->bytes);
		FUZZ_ASSERT(x->memory[i]);
		TEST_OK(fair_sched_init(&x->s[i], sizeof(x->s[i]), x->memory[i],
					x->bytes, c));
		fair_sched_report_to(&x->s[i], any_promised, &x->told[i]);
	}
}

static inline void any_event(struct any_planner *x)
{
	struct any_event e;

	if (any_draw(x, 0, 7) == 0)
		any_replace(x);
	any_limit(x); /* a copy has none */
	any_draw_event(x, &e);
	if (any_happen_to_both(x, &e)) {
		x->done[e.kind]++;
		x->jobs += e.kind == ANY_SUBMIT;
	}
	while (any_draw(x, 0, 3)) {
		fair_sched_resume(&x->s[1]);
		if (any_is_cut(x))
			fair_sched_resume(&x->s[0]);
	}
}

/* What a live job needs to start or to end. */
static inline void any_let_go(struct any_planner *x, const struct fair_job *j,
			      uint32_t state)
{
	static const uint32_t kinds[][2] = {
		{ ANY_RETRY, ANY_RETRY },
		{ ANY_FINISH, ANY_FINISH },
		{ ANY_RESUME, ANY_RELEASE }
	};
	struct any_event e;

	memset(&e, 0, sizeof(e));
	e.number = j->number;
	e.kind = j->advance ? (uint32_t)ANY_CANCEL : kinds[state][0];
	(void)any_happen_to_both(x, &e);
	e.kind = kinds[state][1];
	(void)any_happen_to_both(x, &e);
}

static inline void any_lift_limits(struct any_planner *x)
{
	struct any_event e;
	uint32_t at = 0;

	memset(&e, 0, sizeof(e));
	e.kind = ANY_LIMIT;
	for (; fair_sched_each_limit(&x->s[0], &at, &e.limit); at = 0) {
		e.limit.amount = FAIR_LIMIT_NONE;
		TEST_CHECK(any_happen_to_both(x, &e));
	}
}

static inline void any_drain(struct any_planner *x)
{
	struct fair_job_status j[4 * ANY_JOBS];
	struct fair_queue_place at = { 0, 0 };
	uint32_t n, round, state;

	any_lift_limits(x);
	for (round = 0; round < 300 && x->s[0].jobs; round++) {
		for (n = state = 0; state < 3; state++, at.row = at.index = 0)
			while (fair_sched_each(&x->s[0], state, &at, j + n))
				n++;
		while (n--)
			any_let_go(x, &j[n].job, j[n].state);
		any_step(x);
		any_compare(x);
	}
	while (fair_sched_each(&x->s[0], FAIR_QUEUED, &at, j))
		TEST_CHECK(j->job.procs > x->s[0].procs || x->config.machine ||
			   x->config.policy == FAIR_FCFS);
	TEST_EQ(fair_sched_count(&x->s[0], FAIR_INELIGIBLE), 0);
}

/* One schedule, until something is wrong; the digest of its decisions. */
static inline uint64_t any_schedule(struct any_planner *x, uint64_t seed)
{
	long wrong = test_state()->wrong;
	uint64_t digest;
	int i;

	for (i = 0; i < ANY_EVENTS && test_state()->wrong == wrong; i++) {
		any_event(x);
		any_compare(x);
		if (any_draw(x, 0, 1))
			any_step(x);
		any_compare(x);
	}
	if (test_state()->wrong == wrong)
		any_drain(x);
	if (test_state()->wrong != wrong)
		printf("seed %d, event %d, at %d\n", (int)seed, i, (int)x->now);
	digest = fair_sched_digest(&x->s[0]);
	free(x->memory[0]);
	free(x->memory[1]);
	return digest;
}

/* Schedules of random events, from @seed on; a hash of their digests. */
static inline uint64_t any_planner_run(const struct fair_config *config,
				       uint64_t seed, uint64_t schedules)
{
	uint64_t done[ANY_KINDS] = { 0 }, starts = 0, answers = 0, hash = 0, i;
	long wrong = test_state()->wrong;
	struct any_planner x;
	int k;

	for (i = 0; i < schedules && test_state()->wrong == wrong; i++) {
		any_open(&x, config, seed + i);
		hash = test_random(&hash) ^ any_schedule(&x, seed + i);
		for (k = 0; k < ANY_KINDS; k++)
			done[k] += x.done[k];
		starts += x.starts;
		answers += x.answers;
	}
	if (schedules < 20) /* too few for each kind of event */
		return hash;
	for (k = 0; k < ANY_KINDS; k++)
		TEST_CHECK(done[k] || (k == ANY_LIMIT && !config->limits));
	TEST_CHECK(starts > 10 * schedules && answers > schedules);
	return hash;
}

#endif /* ANY_PLANNER_H */
