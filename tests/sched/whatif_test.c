/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * What if: of two schedulers each job that starts at another time is told,
 * with both times, and no other.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/asked.h"
#include "tests/site.h"

static void note_change(void *context, const struct fair_change *change)
{
	*(struct fair_change *)context = *change;
}

/* 1, which runs, waits again as things would be: it starts later. */
TEST(as_if_requeued)
{
	struct fair_change change = { 0, { 0, 0 }, { 0, 0 } };
	struct fair_sched s;
	struct site x;
	char *memory;

	open_site(&x, FAIR_BACKFILL, 10);
	enqueue(&x.s, 1, 10, 10);
	TEST_EQ(started(&x.s, 0), 1);
	TEST_EQ(fair_sched_pass_time(&x.s, 5), 0);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_clone(&s, memory, x.bytes, &x.s), 0);
	TEST_EQ(fair_sched_requeue(&s, 5, 1), 0);
	TEST_OK(fair_sched_whatif(&x.s, &s, x.other, x.more, note_change,
				  &change));
	TEST_EQ(change.number, 1);
	TEST_EQ(change.start[0], 0);
	TEST_EQ(change.start[1], 5);
	free(memory);
	close_site(&x);
}

struct noted {
	struct fair_change last;
	int n;
};

static void note_changed(void *context, const struct fair_change *change)
{
	struct noted *c = context;

	c->last = *change;
	c->n++;
}

static struct noted compare_both(struct site *x, const struct fair_sched *a,
			      const struct fair_sched *b)
{
	struct noted c;

	memset(&c, 0, sizeof(c));
	TEST_EQ(fair_sched_whatif(a, b, x->other, x->more, note_changed, &c), 0);
	return c;
}

/* Most run and end one by one; 1, 2, 40 wait for 5, 5 and all of them. */
TEST(what_if_one_ran_on)
{
	const struct fair_eligibility until = { 1, 0, FAIR_AFTER_NOTHING, false };
	struct fair_job j = job_of(1, 5, 10);
	struct fair_sched other;
	struct noted c;
	struct site x;
	char *memory;
	uint64_t n;

	open_site(&x, FAIR_BACKFILL, SITE_JOBS - 3);
	for (; j.number < 3; j.number++)
		TEST_EQ(fair_sched_submit_ineligible(&x.s, 0, &j, &until), 0);
	for (n = 3; n < SITE_JOBS; n++)
		enqueue(&x.s, n, 1, 100 + (int64_t)n);
	(void)started(&x.s, 0);
	enqueue(&x.s, SITE_JOBS, SITE_JOBS - 3, 10);
	TEST_EQ(fair_sched_pass_time(&x.s, 1), 0);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_clone(&other, memory, x.bytes, &x.s), 0);
	TEST_EQ(compare_both(&x, &other, &x.s).n, 0);
	TEST_EQ(fair_sched_finish(&other, 1, SITE_JOBS - 1), 0);
	c = compare_both(&x, &other, &x.s);
	TEST_EQ(c.n, 3);
	TEST_EQ(c.last.number, SITE_JOBS);
	TEST_EQ(c.last.start[0], 100 + SITE_JOBS - 2);
	TEST_EQ(c.last.start[1], 100 + SITE_JOBS - 1);
	free(memory);
	close_site(&x);
}

/* It is there in the other alone, and waits for its time. */
TEST(what_if_one_waited)
{
	const struct fair_eligibility until = { 50, 0, FAIR_AFTER_NOTHING, false };
	struct fair_job j = job_of(1, 1, 10);
	struct fair_sched other;
	struct noted c;
	struct site x;
	char *memory;

	open_site(&x, FAIR_BACKFILL, 10);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_clone(&other, memory, x.bytes, &x.s), 0);
	TEST_EQ(fair_sched_submit_ineligible(&other, 0, &j, &until), 0);
	c = compare_both(&x, &x.s, &other);
	TEST_EQ(c.n, 1);
	TEST_EQ(c.last.number, 1);
	TEST_CHECK(c.last.start[0] == FAIR_FOREVER);
	TEST_EQ(c.last.start[1], 50);
	free(memory);
	close_site(&x);
}

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
	return why_play_until_start(s, number);
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
	struct fair_queue_place at;
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
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status x, y;

	TEST_EQ(a->running.jobs, b->running.jobs);
	TEST_EQ(a->jobs, b->jobs);
	TEST_EQ(a->procs, b->procs);
	TEST_EQ(a->ineligibles, b->ineligibles);
	while (fair_sched_each(a, FAIR_RUNNING, &at, &x)) {
		TEST_EQ(fair_sched_lookup(b, x.job.number, &y), 0);
		TEST_EQ(y.start, x.start);
		TEST_EQ(y.end, x.end);
		TEST_EQ(y.job.procs, x.job.procs);
	}
}

/* To every other policy; to the same, where all that it knows is the present,
 * nothing changes. */
static void convert(const struct asked *w)
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
		TEST_OK(fair_sched_convert(&b, sizeof(b), memory, bytes, &c,
					   &w->s));
		TEST_EQ(fair_sched_check(&b), 0);
		same_running(&w->s, &b);
		(void)why_step(&b, w->now, UINT64_MAX);
		compare(&w->s, &b, &x);
		if (c.policy == w->config.policy && w->s.next_retry == FAIR_FOREVER &&
		    (c.policy <= FAIR_BACKFILL))
			TEST_EQ(x.seen, 0);
		free(memory);
		c.order = FAIR_ORDER_FCFS;
		c.select = 0;
		c.depth = 1;
	}
}

/* The same events on a clone change nothing; another one, what it changes. */
static void whatif_events(struct asked *w)
{
	struct asked other = *w;
	struct why_clone c;
	struct changes x;

	why_clone_open(&c, &w->s);
	compare(&w->s, &c.s, &x);
	TEST_EQ(x.seen, 0);
	other.s = c.s;
	event(&other);
	(void)why_step(&other.s, other.now, UINT64_MAX);
	compare(&w->s, &other.s, &x);
	free(c.memory);
}

TEST(whatif)
{
	struct fair_config config = { 0 };
	struct asked w;
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
