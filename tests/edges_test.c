/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * edges_test.c - jobs as wide as a machine can be, limits that guests pass by,
 * what has passed meanwhile, and what memory held before
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "test.h"

#define JOBS 40
#define ALL INT32_MAX

struct edge {
	struct fair_config config;
	struct fair_maui_config maui;
	struct fair_maui_credential user[2];
	struct fair_sched s;
	char *memory, *other;
	size_t bytes, more;
};

/* Users: 0 comes first under FAIR_MAUI, 1 has one job at a time. */
static void open_edge(struct edge *x, uint32_t policy, int32_t procs)
{
	struct fair_config *c = &x->config;
	int kind;

	memset(x, 0, sizeof(*x));
	x->maui = fair_maui_defaults();
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		x->maui.count[kind] = 1;
	x->user[0] = x->user[1] = fair_maui_anybody();
	x->user[0].priority = 100;
	x->user[1].hard[FAIR_THROTTLE_JOBS] = 1;
	x->maui.count[FAIR_THROTTLE_USER] = 2;
	x->maui.credential[FAIR_THROTTLE_USER] = x->user;
	x->maui.priority.weight[FAIR_PRIORITY_USER] = 1;
	c->policy = policy;
	c->procs = procs;
	c->jobs = JOBS;
	c->bookings = 2;
	c->accounts = 1;
	c->users = 2;
	c->window = 1000;
	c->maui = &x->maui;
	x->bytes = fair_sched_size(c);
	x->more = 2 * fair_sched_fst_size(c);
	x->memory = malloc(x->bytes);
	x->other = malloc(x->more);
	if (!x->memory || !x->other)
		abort();
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes, c),
		0);
}

static void close_edge(struct edge *x)
{
	TEST_EQ(fair_sched_check(&x->s), 0);
	free(x->memory);
	free(x->other);
}

static struct fair_job a_job(uint64_t number, int32_t procs, int64_t walltime)
{
	struct fair_job j = { 0 };

	j.number = number;
	j.submit = -1000;
	j.procs = procs;
	j.walltime = walltime;
	return j;
}

static void submit(struct fair_sched *s, uint64_t number, int32_t procs,
		   int64_t walltime)
{
	struct fair_job j = a_job(number, procs, walltime);

	TEST_EQ(fair_sched_submit(s, s->now, &j), 0);
}

static void submit_of(struct fair_sched *s, uint64_t number, uint32_t user,
		      uint64_t booking, int32_t procs)
{
	struct fair_job j = a_job(number, procs, 10);

	j.user = user;
	j.booking = booking;
	TEST_EQ(fair_sched_submit(s, s->now, &j), 0);
}

/* Who starts, as digits. */
static uint64_t step(struct fair_sched *s, int64_t now)
{
	struct fair_decision start[JOBS];
	uint64_t all = 0;
	size_t n, i;

	TEST_EQ(fair_sched_step(s, now, start, JOBS, &n), 0);
	for (i = 0; i < n; i++)
		all = 10 * all + start[i].number;
	TEST_EQ(fair_sched_check(s), 0);
	return all;
}

static int book(struct fair_sched *s, int64_t now, uint64_t number,
		int64_t from, int64_t to, int32_t procs)
{
	struct fair_booking b = { number, from, to, procs, FAIR_ADVANCE, 0 };

	return fair_sched_book(s, now, &b, false);
}

/* ---- as many processors as there can be ---- */

/* 1 runs; 2 and 3 wait, and are as wide: nobody passes them by. */
static void has_all(struct edge *x, struct fair_sched *s)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	struct fair_why why;
	int64_t start;
	uint64_t i;

	TEST_EQ(fair_sched_check(s), 0);
	TEST_EQ(s->jobs, 3);
	TEST_EQ(s->busy, ALL);
	TEST_CHECK(fair_sched_each(s, FAIR_RUNNING, &at, &j));
	TEST_EQ(j.job.number, 1);
	TEST_CHECK(!fair_sched_each(s, FAIR_RUNNING, &at, &j));
	at.row = at.index = 0;
	for (i = 2; i < 4; i++) {
		TEST_CHECK(fair_sched_each(s, FAIR_QUEUED, &at, &j));
		TEST_EQ(j.job.number, i);
		TEST_EQ(fair_sched_estimate(s, i, x->other, x->more, &start),
			0);
		TEST_EQ(start, 10 * (int64_t)i - 10);
		TEST_EQ(step(s, 0), 0);
		TEST_EQ(fair_sched_why(s, i, NULL, 0, &why), 0);
		TEST_EQ(why.ahead, i - 2);
		TEST_EQ(why.free_at, 10);
		TEST_EQ(why.blockers, 1);
	}
	TEST_CHECK(!fair_sched_each(s, FAIR_QUEUED, &at, &j));
	TEST_EQ(book(s, 0, 9, 5, 8, 1), -FAIR_ERANGE);
}

static void copies(struct edge *x)
{
	size_t bytes = fair_sched_image_size(&x->s);
	char *memory = malloc(x->bytes), *image = malloc(bytes);
	struct fair_config easy = x->config;
	struct fair_job_status j;
	struct fair_sched s;
	uint64_t n;

	TEST_EQ(fair_sched_save(&x->s, image, bytes), 0);
	TEST_EQ(fair_sched_load(&s, sizeof(s), memory, x->bytes, &x->config,
				image, bytes, NULL), 0);
	has_all(x, &s);
	free(memory);
	easy.policy = FAIR_BACKFILL;
	memory = malloc(fair_sched_size(&easy));
	TEST_EQ(fair_sched_convert(&s, sizeof(s), memory,
				   fair_sched_size(&easy), &easy, &x->s), 0);
	has_all(x, &s);
	free(memory);
	memory = malloc(x->bytes);
	TEST_EQ(fair_sched_clone(&s, memory, x->bytes, &x->s), 0);
	has_all(x, &s);
	for (n = 4; n <= JOBS; n++)	/* its hash grows */
		submit(&s, n, 1, 10);
	for (n = 1; n <= JOBS; n++)
		TEST_EQ(fair_sched_lookup(&s, n, &j), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	free(memory);
	free(image);
}

/* As wide as they are, each is looked at. */
static void broken(struct fair_sched *s)
{
	struct fair_live *j = fair_sched_find(s, 3);

	j->state = FAIR_RUNNING;
	TEST_EQ(fair_sched_check(s), 2);
	j->state = FAIR_QUEUED;
	if (!fair_sched_promises(&s->config))
		return;
	j->first_promise--;
	TEST_EQ(fair_sched_check(s), 5);
	j->first_promise++;
}

static void widest(void)
{
	struct edge x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_edge(&x, policy, ALL);
		submit(&x.s, 1, ALL, 10);
		submit(&x.s, 2, ALL, 10);
		submit(&x.s, 3, ALL, 10);
		TEST_EQ(step(&x.s, 0), 1);
		has_all(&x, &x.s);
		broken(&x.s);
		copies(&x);
		TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
		TEST_EQ(step(&x.s, 5), 2);
		if (!fair_sched_promises(&x.config)) {
			TEST_EQ(fair_sched_refuse(&x.s, 5, 2), 0);
			TEST_EQ(step(&x.s, 5), 0);
			TEST_EQ(step(&x.s, 6), 2);
		}
		TEST_EQ(fair_sched_finish(&x.s, 7, 2), 0);
		TEST_EQ(step(&x.s, 7), 3);
		close_edge(&x);
	}
}

/* 2 waits for all; 4 would delay it, and 5 would not. */
static void in_the_way_of_the_widest(void)
{
	struct fair_why why;
	struct edge x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_edge(&x, policy, ALL);
		submit(&x.s, 1, ALL - 1, 10);
		submit(&x.s, 2, ALL, 10);
		submit(&x.s, 4, 1, 100);
		TEST_EQ(step(&x.s, 0), 1);
		TEST_EQ(fair_sched_why(&x.s, 4, NULL, 0, &why), 0);
		TEST_EQ(why.reasons, policy == FAIR_FCFS ? FAIR_WHY_BEHIND
							 : FAIR_WHY_DELAY);
		TEST_EQ(why.blockers, 1);
		TEST_EQ(why.blocker[0].number, 2);
		TEST_EQ(why.ahead, 1);
		submit(&x.s, 5, 1, 10);
		TEST_EQ(step(&x.s, 0), policy == FAIR_FCFS ? 0 : 5);
		close_edge(&x);
	}
}

static void widest_arrays_and_guests(void)
{
	struct fair_job j = a_job(2, ALL, 10);
	struct edge x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_edge(&x, policy, ALL);
		TEST_EQ(book(&x.s, 0, 7, 0, 50, ALL), 0);
		submit_of(&x.s, 1, 0, 7, ALL);
		j.tasks = 2;
		TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
		TEST_EQ(step(&x.s, 0), 1);
		TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
		TEST_EQ(step(&x.s, 50), 2);
		close_edge(&x);
	}
}

static void widest_by_priority(void)
{
	struct fair_priority_parts parts;
	struct edge x;

	open_edge(&x, FAIR_MAUI, ALL);
	submit_of(&x.s, 1, 0, 0, ALL - 1);
	submit_of(&x.s, 2, 1, 0, ALL);
	submit_of(&x.s, 3, 0, 0, ALL);
	submit_of(&x.s, 4, 1, 0, 1);
	TEST_EQ(step(&x.s, 0), 14);
	TEST_EQ(fair_sched_maui(&x.s, 3, &parts), 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], FAIR_PRIORITY_ONE);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(fair_sched_finish(&x.s, 5, 4), 0);
	TEST_EQ(step(&x.s, 5), 3);
	close_edge(&x);
}

/* A number is a live one's whatever its width: of 1 that runs, 5 to 7. */
static void numbers_of_the_widest(void)
{
	struct fair_job j = a_job(5, ALL, 10);
	struct edge x;

	open_edge(&x, FAIR_BACKFILL, ALL);
	submit(&x.s, 1, ALL, 10);
	TEST_EQ(step(&x.s, 0), 1);
	j.tasks = 3;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	j = a_job(7, 1, 10);
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), -FAIR_EINVAL);
	j.number = 0;
	j.tasks = 2;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), -FAIR_EINVAL);
	close_edge(&x);
}

/* ---- limits ---- */

/* A guest asks no limit, but counts; another job that goes on asks again. */
static void guests_and_limits(void)
{
	struct fair_sched s;
	struct fair_why why;
	unsigned char *image;
	char *memory;
	struct edge x;
	size_t bytes;

	open_edge(&x, FAIR_MAUI, 10);
	TEST_EQ(book(&x.s, 0, 7, 10, 50, 6), 0);
	submit_of(&x.s, 1, 1, 0, 1);
	submit_of(&x.s, 2, 1, 7, 1);
	submit_of(&x.s, 3, 1, 0, 1);
	TEST_EQ(step(&x.s, 0), 1);
	TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_LIMIT);
	TEST_EQ(why.limit.kind, FAIR_THROTTLE_USER);
	TEST_EQ(why.limit.resource, FAIR_THROTTLE_JOBS);
	TEST_EQ(why.limit.used, 1);
	TEST_EQ(fair_sched_modify(&x.s, 0, 1, 1, 90), 0);
	TEST_EQ(step(&x.s, 10), 2);
	bytes = fair_sched_image_size(&x.s);
	image = malloc(bytes);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_save(&x.s, image, bytes), 0);
	TEST_EQ(fair_sched_load(&s, sizeof(s), memory, x.bytes, &x.config,
				image, bytes, NULL), 0);
	TEST_EQ(fair_sched_requeue(&s, 12, 1), 0);
	TEST_EQ(step(&s, 12), 0);
	TEST_EQ(fair_sched_finish(&s, 13, 2), 0);
	TEST_EQ(step(&s, 13), 1);
	TEST_EQ(fair_sched_finish(&s, 14, 1), 0);
	TEST_EQ(step(&s, 14), 3);
	free(image);
	free(memory);
	close_edge(&x);
}

/* Guests go before nobody, whatever priority those have that wait. */
static void guests_bypass_nobody(void)
{
	struct fair_priority_parts parts;
	struct edge x;

	open_edge(&x, FAIR_MAUI, 10);
	TEST_EQ(book(&x.s, 0, 7, 5, 50, 6), 0);
	submit_of(&x.s, 1, 0, 0, 4);
	submit_of(&x.s, 2, 0, 0, 10);
	submit_of(&x.s, 3, 1, 7, 1);
	TEST_EQ(step(&x.s, 0), 1);
	TEST_EQ(step(&x.s, 5), 3);
	TEST_EQ(fair_sched_maui(&x.s, 2, &parts), 0);
	TEST_CHECK(parts.priority > 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], 0);
	close_edge(&x);
}

/* What the caller gave for the beginning may be gone after that. */
static void given_and_gone(void)
{
	const int64_t target = 5;
	const uint32_t share[2] = { 1, 1 };
	struct fair_sched copy;
	struct edge x;

	open_edge(&x, FAIR_MAUI, 10);
	memset(&x.maui, 0xff, sizeof(x.maui));
	memset(x.user, 0xff, sizeof(x.user));
	submit(&x.s, 1, 10, 10);
	TEST_EQ(fair_sched_clone(&copy, x.other, x.more, &x.s), 0);
	TEST_EQ(step(&copy, 0), 1);
	close_edge(&x);
	open_edge(&x, FAIR_SFS, 10);
	x.config.target = &target;
	x.config.share = share;
	TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config), 0);
	TEST_CHECK(!x.s.config.target && !x.s.config.share);
	close_edge(&x);
}

/* ---- what has passed ---- */

/* A booking of a number whose time has passed as it is booked again. */
static void booked_again(void)
{
	struct fair_booking b;
	struct edge x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_edge(&x, policy, 10);
		TEST_EQ(book(&x.s, 0, 7, 5, 10, 6), 0);
		TEST_EQ(book(&x.s, 10, 7, 20, 30, 6), 0);
		TEST_CHECK(fair_sched_booking(&x.s, 0, &b));
		TEST_EQ(b.from, 20);
		TEST_CHECK(!fair_sched_booking(&x.s, 1, &b));
		TEST_EQ(fair_sched_unbook(&x.s, 30, 7), 0);
		TEST_CHECK(!fair_sched_booking(&x.s, 0, &b));
		close_edge(&x);
	}
}

/* ---- why ---- */

/* Who ends behind the time at which there is room is not in the way. */
static void who_is_in_the_way(void)
{
	struct fair_why why;
	struct edge x;

	open_edge(&x, FAIR_BACKFILL, 10);
	submit(&x.s, 1, 6, 10);
	submit(&x.s, 2, 2, 100);
	submit(&x.s, 3, 8, 10);
	TEST_EQ(step(&x.s, 0), 12);
	TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
	TEST_EQ(why.free_at, 10);
	TEST_EQ(why.blockers, 1);
	TEST_EQ(why.blocker[0].number, 1);
	TEST_EQ(why.blocker[0].end, 10);
	close_edge(&x);
}

static void count_promise(void *context, const struct fair_promise *promise)
{
	(void)promise;
	++*(int *)context;
}

/* What is tried on a clone is promised to nobody. */
static void asked_why(void)
{
	struct fair_why why;
	struct edge x;
	int promises = 0;

	open_edge(&x, FAIR_DC, 10);
	x.s.config.promised = count_promise;
	x.s.config.context = &promises;
	submit(&x.s, 1, 6, 100);
	submit(&x.s, 2, 8, 100);
	submit(&x.s, 3, 4, 300);	/* in whose way 2 is */
	TEST_EQ(step(&x.s, 0), 1);
	TEST_EQ(promises, 3);
	TEST_EQ(fair_sched_why(&x.s, 2, x.other, x.more, &why), 0);
	TEST_EQ(why.procs, 4);
	TEST_EQ(promises, 3);
	close_edge(&x);
}

/* 2 holds now; 1, which begins when the job has ended, does not matter. */
static void booking_of_now(void)
{
	struct fair_why why;
	struct edge x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_edge(&x, policy, 10);
		TEST_EQ(book(&x.s, 0, 1, 100, 200, 6), 0);
		TEST_EQ(book(&x.s, 0, 2, 0, 50, 6), 0);
		submit(&x.s, 3, 5, 5);
		TEST_EQ(step(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
		TEST_EQ(why.reasons, FAIR_WHY_BOOKED);
		TEST_EQ(why.booking.number, 2);
		close_edge(&x);
	}
}

/* 1 holds since before, 2 begins while it would run: that one it is. */
static void which_booking(void)
{
	struct fair_why why;
	struct edge x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_edge(&x, policy, 10);
		TEST_EQ(book(&x.s, 0, 1, 0, 50, 2), 0);
		TEST_EQ(book(&x.s, 0, 2, 20, 40, 6), 0);
		submit(&x.s, 3, 4, 30);
		TEST_EQ(step(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 3, NULL, 0, &why), 0);
		TEST_EQ(why.reasons, FAIR_WHY_BOOKED);
		TEST_EQ(why.booking.number, 2);
		submit(&x.s, 4, 9, 5);
		TEST_EQ(step(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 4, NULL, 0, &why), 0);
		if (policy != FAIR_FCFS) {
			TEST_CHECK(why.reasons & FAIR_WHY_BOOKED);
			TEST_EQ(why.booking.number, 1);
		}
		close_edge(&x);
	}
}

static int as_equals(void *context, int64_t now, const struct fair_job *a,
		     const struct fair_job *b)
{
	(void)context;
	(void)now;
	(void)a;
	(void)b;
	return 0;
}

/* Reserved is when it starts; but not where the order may change meanwhile. */
static void what_is_known(void)
{
	struct fair_why why;
	struct edge x;
	uint32_t order;

	for (order = FAIR_ORDER_FCFS; order <= FAIR_ORDER_COMPARE; order++) {
		if (order == FAIR_ORDER_KEY)
			continue;
		open_edge(&x, FAIR_BACKFILL, 10);
		x.config.order = order;
		x.config.compare = as_equals;
		x.config.depth = 2;
		free(x.memory);
		x.bytes = fair_sched_size(&x.config);
		x.memory = malloc(x.bytes);
		TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
					&x.config), 0);
		submit(&x.s, 1, 10, 10);
		TEST_EQ(step(&x.s, 0), 1);
		submit(&x.s, 2, 10, 10);
		TEST_EQ(step(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &why), 0);
		TEST_EQ(why.unknown & FAIR_UNKNOWN_UNTIL,
			order == FAIR_ORDER_LXF || order == FAIR_ORDER_USAGE ||
					order == FAIR_ORDER_COMPARE
				? FAIR_UNKNOWN_UNTIL : 0);
		TEST_EQ(why.unknown >> 3, 0);
		if (!why.unknown)
			TEST_EQ(why.until, 10);
		close_edge(&x);
	}
}

/* The next tasks of a guest may have no room. */
static void guests_of_many_tasks(void)
{
	struct fair_job j = a_job(4, 1, 5);
	struct fair_why why;
	struct edge x;

	open_edge(&x, FAIR_BACKFILL, 10);
	TEST_EQ(book(&x.s, 0, 7, 10, 50, 6), 0);
	j.booking = 7;
	j.tasks = 2;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(step(&x.s, 0), 0);
	TEST_EQ(fair_sched_why(&x.s, 4, NULL, 0, &why), 0);
	TEST_EQ(why.unknown, FAIR_UNKNOWN_UNTIL);
	TEST_EQ(step(&x.s, 10), 45);
	close_edge(&x);
}

/* ---- conversions ---- */

/* Whatever the order was before, promises are made first come, first served. */
static void in_order_of_arrival(void)
{
	static const int64_t came[] = { 5, 3, 8, 1, 9, 2, 7, 4, 6, 0, 3, 5 };
	enum { N = sizeof(came) / sizeof(came[0]) };
	struct fair_config c;
	struct fair_job_status a, b;
	struct fair_sched s;
	struct fair_job j;
	struct edge x;
	char *memory;
	uint64_t i, k;

	open_edge(&x, FAIR_BACKFILL, 10);
	TEST_EQ(fair_sched_pass(&x.s, 10), 0);
	for (i = 0; i < N; i++) {
		j = a_job(i, 10, 1);
		j.submit = came[i];
		TEST_EQ(fair_sched_submit(&x.s, 10, &j), 0);
	}
	c = x.config;
	c.policy = FAIR_CONSERVATIVE;
	memory = malloc(fair_sched_size(&c));
	TEST_EQ(fair_sched_convert(&s, sizeof(s), memory, fair_sched_size(&c),
				   &c, &x.s), 0);
	for (i = 0; i < N; i++)
		for (k = 0; k < N; k++) {
			TEST_EQ(fair_sched_lookup(&s, i, &a), 0);
			TEST_EQ(fair_sched_lookup(&s, k, &b), 0);
			TEST_EQ(a.start < b.start,
				came[i] < came[k] ||
					(i < k && came[i] == came[k]));
		}
	free(memory);
	close_edge(&x);
}

/* In memory of its own, x->other. */
static int converts(struct edge *x, const struct fair_config *c,
		    struct fair_sched *s)
{
	free(x->other);
	x->more = fair_sched_size(c);
	x->other = malloc(x->more);
	return fair_sched_convert(s, sizeof(*s), x->other, x->more, c, &x->s);
}

static void who_came_at_once(void)
{
	struct fair_config c;
	struct fair_job_status j;
	struct fair_sched s;
	struct edge x;
	uint64_t n, i;

	for (n = 1; n < 9; n++) {
		open_edge(&x, FAIR_BACKFILL, 10);
		for (i = 0; i < n; i++)
			submit(&x.s, i, 10, 10);
		c = x.config;
		c.policy = FAIR_CONSERVATIVE;
		TEST_EQ(converts(&x, &c, &s), 0);
		for (i = 0; i < n; i++) {
			TEST_EQ(fair_sched_lookup(&s, i, &j), 0);
			TEST_EQ(j.start, 10 * (int64_t)i);
		}
		close_edge(&x);
	}
}

/*
 * Running, waiting, booked, though by force; whatever the configuration says of
 * the machine. The digest is that of no decision.
 */
static void all_of_it(void)
{
	struct fair_booking b = { 8, 10, 20, 5, FAIR_ADVANCE, 0 };
	struct fair_config c;
	struct fair_sched s;
	struct edge x;
	uint64_t none;

	open_edge(&x, FAIR_BACKFILL, 10);
	none = fair_sched_digest(&x.s);
	submit(&x.s, 1, 10, 100);
	TEST_EQ(step(&x.s, 0), 1);
	TEST_EQ(fair_sched_book(&x.s, 3, &b, true), 0);
	b.number = 9;
	b.from = 15;
	TEST_EQ(fair_sched_book(&x.s, 3, &b, true), 0);
	submit(&x.s, 2, 10, 10);
	c = x.config;
	c.jobs = 2;
	c.procs = 1;
	c.origin = 99;
	TEST_EQ(converts(&x, &c, &s), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_CHECK(fair_sched_digest(&s) == none);
	TEST_EQ(s.now, 3);
	TEST_EQ(s.jobs, 2);
	TEST_CHECK(fair_sched_booking(&s, 0, &b));
	TEST_EQ(b.number, 8);
	TEST_EQ(b.from, 10);
	TEST_CHECK(fair_sched_booking(&s, 1, &b));
	TEST_EQ(b.number, 9);
	TEST_EQ(b.from, 15);
	TEST_CHECK(!fair_sched_booking(&s, 2, &b));
	TEST_EQ(fair_sched_finish(&s, 20, 1), 0);
	TEST_EQ(step(&s, 20), 2);
	close_edge(&x);
}

/* Of 2,000 jobs, and so with a plan that is longer than that of a few. */
static void open_large(struct edge *x)
{
	open_edge(x, FAIR_BACKFILL, 10);
	x->config.jobs = 2000;
	x->bytes = fair_sched_size(&x->config);
	free(x->memory);
	x->memory = malloc(x->bytes);
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config), 0);
}

/* What runs may end at the horizon, seen from now, but not behind it. */
static void up_to_the_horizon(void)
{
	int64_t now = INT64_C(1) << 40, reach;
	struct fair_config c;
	struct fair_job_status j;
	struct fair_sched s;
	struct edge x;

	open_large(&x);
	c = x.config;
	c.jobs = JOBS;
	c.policy = FAIR_CONSERVATIVE;
	TEST_EQ(converts(&x, &c, &s), 0);
	reach = fair_sched_reach(&s);
	TEST_EQ(fair_sched_pass(&x.s, now), 0);
	submit(&x.s, 1, 1, reach);
	TEST_EQ(step(&x.s, now), 1);
	TEST_EQ(converts(&x, &c, &s), 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_EQ(fair_sched_lookup(&s, 1, &j), 0);
	TEST_EQ(j.end, now + reach);
	submit(&x.s, 2, 1, reach + 1);
	TEST_EQ(step(&x.s, now), 2);
	TEST_EQ(converts(&x, &c, &s), -FAIR_EOVERFLOW);
	close_edge(&x);
}

/* One booking is beyond the horizon, and the other is not. */
static void bookings_up_to_the_horizon(void)
{
	int64_t far = INT64_C(3) << 30;
	struct fair_config c;
	struct fair_sched s;
	struct edge x;

	open_large(&x);
	TEST_EQ(book(&x.s, 0, 7, far, far + 10, 1), 0);
	TEST_EQ(book(&x.s, 0, 8, 10, 20, 1), 0);
	c = x.config;
	c.jobs = JOBS;
	TEST_EQ(converts(&x, &c, &s), -FAIR_EOVERFLOW);
	c.bookings = 1;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOSPC);
	close_edge(&x);
}

/* Of many faults the first is told: of what runs, of room, of who waits. */
static void the_first_fault(void)
{
	struct fair_config c;
	struct fair_sched s;
	struct edge x;

	open_edge(&x, FAIR_BACKFILL, 10);
	TEST_EQ(book(&x.s, 0, 7, 100, 110, 1), 0);
	submit_of(&x.s, 1, 1, 0, 4);
	submit_of(&x.s, 2, 0, 0, 4);
	submit_of(&x.s, 3, 1, 0, 4);
	submit_of(&x.s, 4, 0, 0, 4);
	TEST_EQ(step(&x.s, 0), 12);
	c = x.config;
	c.policy = FAIR_RELSHARE;
	c.users = 1;
	c.jobs = 1;
	c.bookings = 0;
	TEST_EQ(converts(&x, &c, &s), -FAIR_EINVAL);
	TEST_EQ(fair_sched_finish(&x.s, 0, 1), 0);
	TEST_EQ(fair_sched_unbook(&x.s, 0, 7), 0);
	c.jobs = 3;
	TEST_EQ(converts(&x, &c, &s), -FAIR_EINVAL);
	c.jobs = 2;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOSPC);
	close_edge(&x);
}

/* 1 is a guest, 2 is held, 3 waits: there may be no user 1, that of 2 and 3. */
static void faults_of_those_aside(void)
{
	struct fair_until held = { INT64_MIN, 0, 0, true };
	struct fair_job j = a_job(2, 1, 10);
	struct fair_config c;
	struct fair_sched s;
	struct edge x;
	int told = 0;

	open_edge(&x, FAIR_BACKFILL, 10);
	TEST_EQ(book(&x.s, 0, 7, 10, 50, 6), 0);
	submit_of(&x.s, 1, 0, 7, 6);
	j.user = 1;
	TEST_EQ(fair_sched_submit_aside(&x.s, 0, &j, &held), 0);
	c = x.config;
	c.policy = FAIR_RELSHARE;
	c.promised = count_promise;
	c.context = &told;
	TEST_EQ(converts(&x, &c, &s), 0);
	TEST_EQ(told, 1);
	c.users = 1;
	TEST_EQ(converts(&x, &c, &s), -FAIR_EINVAL);
	TEST_EQ(told, 1);
	submit_of(&x.s, 3, 1, 0, 1);
	TEST_EQ(fair_sched_unbook(&x.s, 0, 7), 0);
	c.bookings = 0;
	c.aside = 1;
	TEST_EQ(converts(&x, &c, &s), -FAIR_ENOSPC);
	close_edge(&x);
}

/* Into a place for 2, of which there are more than that many. */
static void into_less_room(void)
{
	struct fair_config c;
	struct fair_sched s;
	struct edge x;
	size_t bytes, i;
	uint64_t n;

	open_large(&x);
	for (n = 0; n < x.config.jobs; n++)
		submit(&x.s, n, 10, 10);
	c = x.config;
	c.jobs = 2;
	c.bookings = 0;
	bytes = fair_sched_size(&c);
	TEST_CHECK(bytes < x.more);
	memset(x.other, '#', x.more);
	TEST_EQ(fair_sched_convert(&s, sizeof(s), x.other, bytes, &c, &x.s),
		-FAIR_ENOSPC);
	for (i = bytes; i < x.more; i++)
		if (x.other[i] != '#')
			break;
	TEST_EQ(i, x.more);
	close_edge(&x);
}

static void note_change(void *context, const struct fair_change *change)
{
	*(struct fair_change *)context = *change;
}

/* 1, which runs, waits again as things would be: it starts later. */
static void as_if_requeued(void)
{
	struct fair_change change = { 0, { 0, 0 }, { 0, 0 } };
	struct fair_sched s;
	struct edge x;
	char *memory;

	open_edge(&x, FAIR_BACKFILL, 10);
	submit(&x.s, 1, 10, 10);
	TEST_EQ(step(&x.s, 0), 1);
	TEST_EQ(fair_sched_pass(&x.s, 5), 0);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_clone(&s, memory, x.bytes, &x.s), 0);
	TEST_EQ(fair_sched_requeue(&s, 5, 1), 0);
	TEST_EQ(fair_sched_whatif(&x.s, &s, x.other, x.more, note_change,
				  &change), 0);
	TEST_EQ(change.number, 1);
	TEST_EQ(change.start[0], 0);
	TEST_EQ(change.start[1], 5);
	free(memory);
	close_edge(&x);
}

/* ---- what if ---- */

struct changes {
	struct fair_change last;
	int n;
};

static void changed(void *context, const struct fair_change *change)
{
	struct changes *c = context;

	c->last = *change;
	c->n++;
}

static struct changes compare(struct edge *x, const struct fair_sched *a,
			      const struct fair_sched *b)
{
	struct changes c;

	memset(&c, 0, sizeof(c));
	TEST_EQ(fair_sched_whatif(a, b, x->other, x->more, changed, &c), 0);
	return c;
}

/* Most run and end one by one; 1, 2, 40 wait for 5, 5 and all of them. */
static void what_if_one_ran_on(void)
{
	const struct fair_until until = { 1, 0, FAIR_AFTER_NOTHING, false };
	struct fair_job j = a_job(1, 5, 10);
	struct fair_sched other;
	struct changes c;
	struct edge x;
	char *memory;
	uint64_t n;

	open_edge(&x, FAIR_BACKFILL, JOBS - 3);
	for (; j.number < 3; j.number++)
		TEST_EQ(fair_sched_submit_aside(&x.s, 0, &j, &until), 0);
	for (n = 3; n < JOBS; n++)
		submit(&x.s, n, 1, 100 + (int64_t)n);
	(void)step(&x.s, 0);
	submit(&x.s, JOBS, JOBS - 3, 10);
	TEST_EQ(fair_sched_pass(&x.s, 1), 0);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_clone(&other, memory, x.bytes, &x.s), 0);
	TEST_EQ(compare(&x, &other, &x.s).n, 0);
	TEST_EQ(fair_sched_finish(&other, 1, JOBS - 1), 0);
	c = compare(&x, &other, &x.s);
	TEST_EQ(c.n, 3);
	TEST_EQ(c.last.number, JOBS);
	TEST_EQ(c.last.start[0], 100 + JOBS - 2);
	TEST_EQ(c.last.start[1], 100 + JOBS - 1);
	free(memory);
	close_edge(&x);
}

/* It is there in the other alone, and waits for its time. */
static void what_if_one_waited(void)
{
	const struct fair_until until = { 50, 0, FAIR_AFTER_NOTHING, false };
	struct fair_job j = a_job(1, 1, 10);
	struct fair_sched other;
	struct changes c;
	struct edge x;
	char *memory;

	open_edge(&x, FAIR_BACKFILL, 10);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_clone(&other, memory, x.bytes, &x.s), 0);
	TEST_EQ(fair_sched_submit_aside(&other, 0, &j, &until), 0);
	c = compare(&x, &x.s, &other);
	TEST_EQ(c.n, 1);
	TEST_EQ(c.last.number, 1);
	TEST_CHECK(c.last.start[0] == FAIR_FOREVER);
	TEST_EQ(c.last.start[1], 50);
	free(memory);
	close_edge(&x);
}

/* ---- samples ---- */

struct drawn {
	uint64_t seed, sample;
	uint32_t asked;
};

/* Splitmix64, as published. */
static uint64_t mix(uint64_t x)
{
	x -= UINT64_C(0x9e3779b97f4a7c15);
	return test_random(&x);
}

/* Of 1, at first, and of 2 as it starts; both end at once. */
static int64_t draw(void *context, const struct fair_job_status *job,
		    uint64_t random)
{
	struct drawn *d = context;

	TEST_CHECK(random == mix(d->seed +
				 d->sample * UINT64_C(0x9e3779b97f4a7c15) +
				 mix(job->job.number)));
	d->sample += job->job.number == 2;
	d->asked++;
	return INT64_MIN;
}

static void draws(void)
{
	struct drawn d = { 7, 0, 0 };
	struct fair_draw how = { draw, &d, 7, 3 };
	struct fair_forecast f;
	struct edge x;
	size_t bytes;
	char *memory;

	TEST_CHECK(fair_sample_mix(UINT64_C(0x9e3779b97f4a7c15)) ==
		   UINT64_C(0xe220a8397b1dcdaf));
	open_edge(&x, FAIR_BACKFILL, 10);
	x.config.origin = -100;
	TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config), 0);
	submit_of(&x.s, 1, 0, 0, 10);
	submit_of(&x.s, 2, 0, 0, 10);
	TEST_EQ(step(&x.s, -100), 1);
	bytes = fair_sched_forecast_size(&x.config, 3);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_forecast(&x.s, 2, &how, memory, bytes, &f), 0);
	TEST_EQ(f.p10, -100);
	TEST_EQ(f.p90, -100);
	TEST_EQ(d.asked, 6);
	free(memory);
	close_edge(&x);
}

/* The k-th sample of job 1 runs for k seconds. */
static int64_t one_second_more(void *context, const struct fair_job_status *job,
			       uint64_t random)
{
	int64_t *k = context;

	(void)random;
	return job->job.number == 1 ? ++*k : 1;
}

/* The first of which so many percent of n are no larger. */
static int64_t of_percent(int64_t n, int64_t percent)
{
	int64_t k = 1;

	while (100 * k < percent * n)
		k++;
	return k;
}

/* 2 waits for 1: it starts at 1, 2 and so on. */
static void percentiles(void)
{
	int64_t k;
	struct fair_draw how = { one_second_more, &k, 0, 0 };
	struct fair_forecast f;
	struct edge x;
	char memory[1 << 16];

	open_edge(&x, FAIR_FCFS, 10);
	submit(&x.s, 1, 10, 100);
	submit(&x.s, 2, 10, 10);
	TEST_EQ(step(&x.s, 0), 1);
	for (how.samples = 1; how.samples <= 20; how.samples++) {
		k = 0;
		TEST_EQ(fair_sched_forecast(&x.s, 2, &how, memory,
					    sizeof(memory), &f), 0);
		TEST_EQ(k, how.samples);
		TEST_EQ(f.p10, of_percent(k, 10));
		TEST_EQ(f.p50, of_percent(k, 50));
		TEST_EQ(f.p90, of_percent(k, 90));
	}
	close_edge(&x);
}

/* As planned, as the array of which it is one is planned. */
static int64_t its_walltime(void *context, const struct fair_job_status *job,
			    uint64_t random)
{
	(void)context;
	(void)random;
	return job->job.walltime;
}

/* 1 runs; then tasks 23 to 25, which came first, then 20 to 22, then 30. */
static void samples_of_tasks(void)
{
	struct fair_draw how = { its_walltime, NULL, 0, 1 };
	struct fair_job early = a_job(23, 10, 3), late = a_job(20, 10, 5);
	struct fair_forecast f;
	struct edge x;
	char memory[1 << 16];

	open_edge(&x, FAIR_FCFS, 10);
	submit(&x.s, 1, 10, 4);
	TEST_EQ(step(&x.s, 0), 1);
	early.tasks = late.tasks = 3;
	early.submit = -1001;
	TEST_EQ(fair_sched_submit(&x.s, 0, &late), 0);
	TEST_EQ(fair_sched_submit(&x.s, 0, &early), 0);
	submit(&x.s, 30, 10, 1);
	TEST_EQ(step(&x.s, 0), 0);
	TEST_EQ(fair_sched_forecast(&x.s, 30, &how, memory, sizeof(memory), &f),
		0);
	TEST_EQ(f.p50, 4 + 3 * 3 + 3 * 5);
	close_edge(&x);
}

/* As many as half of what a size_t counts has room for, or as 32 bits count. */
static void most_samples(void)
{
	struct edge x;
	size_t size, most;

	open_edge(&x, FAIR_FCFS, 10);
	size = fair_sched_fst_size(&x.config);
	most = (SIZE_MAX / 2 - size) / sizeof(int64_t);
	if (most < UINT32_MAX)
		TEST_EQ(fair_sched_forecast_size(&x.config,
						 (uint32_t)most + 1), 0);
	else
		most = UINT32_MAX;
	TEST_EQ(fair_sched_forecast_size(&x.config, (uint32_t)most),
		size + 8 + most * sizeof(int64_t));
	close_edge(&x);
}

static int64_t as_planned(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return 10;
}

/* What its memory held before is nothing to a future. */
static void futures_of_any_memory(void)
{
	struct fair_future f;
	struct edge x;
	int64_t start;
	int byte;

	open_edge(&x, FAIR_BACKFILL, 10);
	submit(&x.s, 1, 10, 10);
	submit(&x.s, 2, 10, 10);
	for (byte = 0; byte < 2; byte++) {
		memset(&f, byte, sizeof(f));
		memset(x.other, byte, x.more);
		TEST_EQ(fair_future_open(&f, sizeof(f), x.other, x.more, &x.s,
					 0, as_planned, NULL), 0);
		TEST_EQ(fair_future_start(&f, 2, &start), 0);
		TEST_EQ(start, 10);
	}
	close_edge(&x);
}

/* Guests of as many processors as there can be, one after another. */
static void widest_guests(void)
{
	struct edge x;
	uint64_t n;

	open_edge(&x, FAIR_CONSERVATIVE, ALL);
	TEST_EQ(book(&x.s, 0, 7, 0, 100, ALL), 0);
	for (n = 1; n < 4; n++)
		submit_of(&x.s, n, 0, 7, ALL);
	for (n = 1; n < 4; n++) {
		TEST_EQ(step(&x.s, 10 * (int64_t)n - 10), n);
		TEST_EQ(fair_sched_finish(&x.s, 10 * (int64_t)n, n), 0);
	}
	close_edge(&x);
}

/* The machine is enlarged while something is booked, and shrinks when not. */
static void as_large_again_and_again(void)
{
	struct edge x;
	int i;

	open_edge(&x, FAIR_CONSERVATIVE, 1);
	for (i = 0; i < 3; i++) {
		TEST_EQ(book(&x.s, 0, 7, 50, 100, 1), 0);
		TEST_EQ(fair_sched_capacity(&x.s, 0, ALL - 1, NULL, 0), 0);
		TEST_EQ(fair_sched_unbook(&x.s, 0, 7), 0);
		TEST_EQ(fair_sched_capacity(&x.s, 0, 1 - ALL, NULL, 0), 0);
	}
	close_edge(&x);
}

/* Beside a booking they end sooner than planned. */
static void widest_one_after_another(void)
{
	struct edge x;
	uint64_t n;

	open_edge(&x, FAIR_CONSERVATIVE, ALL);
	TEST_EQ(book(&x.s, 0, 7, 0, 100, 1), 0);
	for (n = 1; n < 4; n++) {
		submit(&x.s, n, ALL - 1, 10);
		TEST_EQ(step(&x.s, x.s.now), n);
		TEST_EQ(fair_sched_finish(&x.s, x.s.now + 5, n), 0);
	}
	close_edge(&x);
}

static void write_on_the_stack(void)
{
	volatile unsigned char stack[16384];
	size_t i;

	for (i = 0; i < sizeof(stack); i++)
		stack[i] = 0xa5;
}

/* Nor is what functions before it left on the stack to a scheduler. */
static void set_up_on_any_stack(void)
{
	static const uint32_t policy[] = { FAIR_RELSHARE, FAIR_MAUI };
	void (*volatile leave)(void) = write_on_the_stack;
	struct fair_walk *walk;
	struct edge x;
	size_t i;

	for (i = 0; i < 2; i++) {
		open_edge(&x, policy[i], 10);
		x.config.bookings = 0;
		leave();
		TEST_CHECK(fair_sched_size(&x.config) > 0);
		leave();
		TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
					&x.config), 0);
		walk = &x.s.plan.walk;
		TEST_EQ(walk->passes, 0);
		TEST_EQ(!walk->before, policy[i] == FAIR_RELSHARE);
		TEST_EQ(!walk->gate, policy[i] == FAIR_RELSHARE);
		TEST_EQ(!walk->group, policy[i] == FAIR_MAUI);
		TEST_EQ(!walk->compare, policy[i] == FAIR_MAUI);
		TEST_EQ(!walk->groups, policy[i] == FAIR_MAUI);
		close_edge(&x);
	}
}

/* ---- what comes nevertheless, or never ---- */

/* Behind 1 there is no room for 2 before the horizon, which moves on. */
static void beyond_the_horizon(void)
{
	struct fair_why why;
	struct edge x;
	uint32_t policy;
	int64_t start;

	for (policy = FAIR_CONSERVATIVE; policy <= FAIR_DC; policy++) {
		open_edge(&x, policy, 10);
		submit(&x.s, 1, 10, 100);
		submit(&x.s, 2, 10, fair_sched_reach(&x.s) - 1);
		submit(&x.s, 3, 10, 1);
		TEST_EQ(fair_sched_capacity(&x.s, 0, 1, NULL, 0), 0);
		submit(&x.s, 4, 11, 1);
		TEST_EQ(step(&x.s, 0), 1);
		TEST_EQ(fair_sched_capacity(&x.s, 0, -1, NULL, 0), 0);
		TEST_EQ(step(&x.s, 0), 0);
		TEST_EQ(fair_sched_why(&x.s, 2, NULL, 0, &why), 0);
		TEST_EQ(why.promise, FAIR_FOREVER);
		TEST_CHECK(why.unknown & FAIR_UNKNOWN_UNTIL);
		TEST_EQ(fair_sched_why(&x.s, 2, x.other, x.more, &why), 0);
		TEST_EQ(why.unknown, 0);
		TEST_EQ(why.until, 101);
		TEST_EQ(fair_sched_estimate(&x.s, 2, NULL, 0, &start),
			-FAIR_ENOMEM);
		TEST_EQ(fair_sched_estimate(&x.s, 2, x.other, x.more, &start),
			0);
		TEST_EQ(start, 101);
		/* A promise, and what is wider than the machine. */
		TEST_EQ(fair_sched_estimate(&x.s, 3, NULL, 0, &start), 0);
		TEST_EQ(start, 100);
		TEST_EQ(fair_sched_estimate(&x.s, 4, NULL, 0, &start), 0);
		TEST_EQ(start, FAIR_FOREVER);
		TEST_EQ(fair_sched_finish(&x.s, 100, 1), 0);
		TEST_EQ(step(&x.s, 100), 3);
		TEST_EQ(fair_sched_finish(&x.s, 101, 3), 0);
		TEST_EQ(step(&x.s, 101), 2);
		close_edge(&x);
	}
}

/* Two of a user that may have one run when limits come: they go on. */
static void above_the_limits(void)
{
	struct fair_config c;
	struct fair_sched to;
	struct edge x;
	size_t bytes;
	char *memory;

	open_edge(&x, FAIR_BACKFILL, 6);
	submit_of(&x.s, 1, 1, 0, 2);
	submit_of(&x.s, 2, 1, 0, 2);
	submit_of(&x.s, 3, 1, 0, 3);
	TEST_EQ(step(&x.s, 0), 12);
	c = x.config;
	c.policy = FAIR_MAUI;
	bytes = fair_sched_size(&c);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_convert(&to, sizeof(to), memory, bytes, &c, &x.s),
		0);
	TEST_EQ(step(&to, 0), 0);
	TEST_EQ(fair_sched_finish(&to, 5, 1), 0);
	TEST_EQ(step(&to, 5), 0);
	TEST_EQ(fair_sched_finish(&to, 6, 2), 0);
	TEST_EQ(step(&to, 6), 3);
	TEST_EQ(fair_sched_check(&to), 0);
	free(memory);
	close_edge(&x);
}

static int64_t ten(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return 10;
}

/* When @number starts if nothing happens and all run for ten seconds. */
static int64_t in_future(struct edge *x, uint64_t number)
{
	struct fair_future f;
	int64_t start = 0;

	TEST_EQ(fair_future_open(&f, sizeof(f), x->other, x->more, &x->s,
				 x->s.now, ten, NULL),
		0);
	TEST_EQ(fair_future_start(&f, number, &start), 0);
	return start;
}

/* A table of @jobs. */
static void open_table(struct edge *x, uint32_t policy, uint32_t jobs)
{
	open_edge(x, policy, 10);
	x->config.jobs = jobs;
	x->config.aside = 2;
	x->maui.interval = 10;
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config),
		0);
}

static void submit_tasks(struct fair_sched *s, uint64_t number, uint32_t tasks)
{
	struct fair_job j = a_job(number, 10, 10);

	j.tasks = tasks;
	TEST_EQ(fair_sched_submit(s, s->now, &j), 0);
}

/* The next @tasks, started and set aside, keep their places in the table. */
static void hold(struct fair_sched *s, int64_t tasks)
{
	static const struct fair_until held = { INT64_MIN, 0, 0, true };
	uint64_t task;
	int64_t now;

	for (now = 1; now <= tasks; now++) {
		task = step(s, now - 1);
		TEST_EQ(fair_sched_requeue(s, now, task), 0);
		TEST_EQ(fair_sched_defer(s, now, task, &held), 0);
	}
}

/* The first task is held, and there is no room for the next beside it. */
static void a_task_without_room(void)
{
	struct edge x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_table(&x, policy, 2);
		submit_tasks(&x.s, 1, 3);
		hold(&x.s, 1);
		TEST_EQ(step(&x.s, 1), 0);
		TEST_EQ(in_future(&x, 2), FAIR_FOREVER);
		close_edge(&x);
	}
}

/*
 * Two tasks that are held fill the table, so that no other has room: another
 * array never starts, nor who waits behind the first without a promise.
 */
static void never_any_room(void)
{
	struct edge x;
	uint32_t policy;

	for (policy = 0; policy <= FAIR_MAUI; policy++) {
		open_table(&x, policy, 4);
		submit_tasks(&x.s, 1, 4);
		submit_tasks(&x.s, 5, fair_sched_promises(&x.config) ? 4 : 1);
		hold(&x.s, 2);
		TEST_EQ(step(&x.s, 2), 0);
		TEST_EQ(in_future(&x, 5), FAIR_FOREVER);
		close_edge(&x);
	}
}

/*
 * 9 is refused, and goes behind tasks of two arrays: it starts when it was
 * promised, though nobody runs until then if no task has room.
 */
static void promised_behind_tasks(void)
{
	struct edge x;
	uint32_t room;

	for (room = 0; room < 2; room++) {
		open_table(&x, FAIR_CONSERVATIVE, 5 + 2 * room);
		submit_tasks(&x.s, 1, 3);
		submit_tasks(&x.s, 4, 3);
		submit_tasks(&x.s, 9, 1 + room);
		hold(&x.s, 2);
		TEST_EQ(step(&x.s, 2), 9);
		TEST_EQ(fair_sched_refuse(&x.s, 2, 9), 0);
		/* An array's goes behind its own next, too. */
		TEST_EQ(in_future(&x, 9), 32 + 10 * room);
		close_edge(&x);
	}
}

/* A guest that has no room for its task lets another start sooner. */
static void guests_behind_a_task(void)
{
	struct fair_job j = a_job(1, 1, 10);
	struct fair_why why;
	struct edge x;

	open_table(&x, FAIR_CONSERVATIVE, 5);
	TEST_EQ(book(&x.s, 0, 7, 5, 100, 1), 0);
	j.booking = 7;
	j.tasks = 3;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	submit_of(&x.s, 9, 0, 7, 1);
	j = a_job(4, 4, 20);
	j.tasks = 3;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	TEST_EQ(step(&x.s, 0), 45);
	TEST_EQ(fair_sched_why(&x.s, 9, NULL, 0, &why), 0);
	TEST_EQ(why.unknown, FAIR_UNKNOWN_UNTIL);
	TEST_EQ(why.promise, 15);
	TEST_EQ(fair_sched_why(&x.s, 9, x.other, x.more, &why), 0);
	TEST_EQ(why.unknown, 0);
	TEST_EQ(why.until, 5);
	TEST_EQ(step(&x.s, 5), 9);
	close_edge(&x);
}

static bool all_but_2(void *context, const struct fair_job *job, int64_t start,
		      int64_t end)
{
	(void)context;
	(void)start;
	(void)end;
	return job->number != 2;
}

/*
 * 2 is refused and goes behind 4, which starts when it was promised, though
 * nothing runs until then, nor is due but a newcomer. All three may be arrays.
 */
static void a_place_remains(void)
{
	static const struct fair_until newcomer = { 18, 0, 0, false };
	struct fair_job j = a_job(6, 10, 10);
	struct edge x;
	int64_t start;

	for (j.tasks = 1; j.tasks <= 2; j.tasks++) {
		open_edge(&x, FAIR_CONSERVATIVE, 10);
		x.s.config.fits = all_but_2;
		submit_tasks(&x.s, 1, 1);
		submit_tasks(&x.s, 2, j.tasks);
		submit_tasks(&x.s, 4, j.tasks);
		TEST_EQ(fair_sched_submit_aside(&x.s, 0, &j, &newcomer), 0);
		TEST_EQ(step(&x.s, 0), 1);
		TEST_EQ(fair_sched_finish(&x.s, 10, 1), 0);
		TEST_EQ(step(&x.s, 10), 0);
		TEST_EQ(fair_sched_estimate(&x.s, 4, NULL, 0, &start), 0);
		TEST_EQ(start, 20);
		TEST_EQ(in_future(&x, 4), 20);
		close_edge(&x);
	}
}

/* Who has no promise waits for an end; if nobody starts, there is none. */
static void no_promise(void)
{
	struct edge x;

	open_table(&x, FAIR_CONSERVATIVE, 3);
	submit_tasks(&x.s, 1, 3);
	submit(&x.s, 9, 10, fair_sched_reach(&x.s) - 1);
	hold(&x.s, 1);
	TEST_EQ(step(&x.s, 1), 0);
	TEST_EQ(in_future(&x, 9), FAIR_FOREVER);
	close_edge(&x);

	open_edge(&x, FAIR_CONSERVATIVE, 10);
	submit(&x.s, 1, 10, 100);
	submit(&x.s, 2, 10, fair_sched_reach(&x.s) - 1);
	TEST_EQ(step(&x.s, 0), 1);
	TEST_EQ(in_future(&x, 2), 10);
	close_edge(&x);
}

/* Windows of 1000 begin at multiples of it: of the last nothing is left. */
static void a_window_begins(void)
{
	struct edge x;

	open_edge(&x, FAIR_RELSHARE, 10);
	TEST_EQ(fair_sched_pass(&x.s, 990), 0);
	submit_of(&x.s, 1, 0, 0, 10);
	TEST_EQ(step(&x.s, 990), 1);
	TEST_EQ(fair_sched_finish(&x.s, 1000, 1), 0);
	submit_of(&x.s, 2, 0, 0, 10);
	submit_of(&x.s, 3, 1, 0, 10);
	TEST_EQ(step(&x.s, 1000), 2);
	close_edge(&x);
}

int main(void)
{
	TEST_RUN(widest);
	TEST_RUN(in_the_way_of_the_widest);
	TEST_RUN(widest_arrays_and_guests);
	TEST_RUN(widest_by_priority);
	TEST_RUN(numbers_of_the_widest);
	TEST_RUN(guests_and_limits);
	TEST_RUN(guests_bypass_nobody);
	TEST_RUN(given_and_gone);
	TEST_RUN(booked_again);
	TEST_RUN(who_is_in_the_way);
	TEST_RUN(which_booking);
	TEST_RUN(booking_of_now);
	TEST_RUN(asked_why);
	TEST_RUN(what_is_known);
	TEST_RUN(guests_of_many_tasks);
	TEST_RUN(in_order_of_arrival);
	TEST_RUN(who_came_at_once);
	TEST_RUN(all_of_it);
	TEST_RUN(up_to_the_horizon);
	TEST_RUN(bookings_up_to_the_horizon);
	TEST_RUN(the_first_fault);
	TEST_RUN(faults_of_those_aside);
	TEST_RUN(into_less_room);
	TEST_RUN(as_if_requeued);
	TEST_RUN(what_if_one_ran_on);
	TEST_RUN(what_if_one_waited);
	TEST_RUN(draws);
	TEST_RUN(percentiles);
	TEST_RUN(samples_of_tasks);
	TEST_RUN(most_samples);
	TEST_RUN(futures_of_any_memory);
	TEST_RUN(widest_guests);
	TEST_RUN(as_large_again_and_again);
	TEST_RUN(widest_one_after_another);
	TEST_RUN(beyond_the_horizon);
	TEST_RUN(above_the_limits);
	TEST_RUN(a_task_without_room);
	TEST_RUN(never_any_room);
	TEST_RUN(promised_behind_tasks);
	TEST_RUN(guests_behind_a_task);
	TEST_RUN(a_place_remains);
	TEST_RUN(no_promise);
	TEST_RUN(a_window_begins);
	TEST_RUN(set_up_on_any_stack);
	return test_report();
}
