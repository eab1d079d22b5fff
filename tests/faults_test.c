/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that fairsched.h documents, under every policy, and not a byte is
 * changed; memory as large as the size functions say, and not a byte more is
 * touched. tests/documented_faults_test.py compares the first strings with what
 * is documented.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/faults.h"
#include "tests/world.h"

#define POLICIES (FAIR_MAUI + 1)
#define LATER (FAIR_TIME_MAX + 1)

/* What is called is what is named, says so, and changed nothing. */
static void fault(struct world *w, const char *what, const char *call, int got)
{
	bool right = is_fault(what, call, got) && unchanged(w);

	if (!right)
		printf("policy %u, %s: %d\n", (unsigned)w->config.policy, what,
		       got);
	TEST_CHECK(right);
}

#define FAULT(w, what, call) fault((w), (what), #call, (call))

/* User 1 is limited to 3 processors under FAIR_MAUI. */
static const struct fair_maui_config *limits(void)
{
	static struct fair_maui_credential user[2];
	static struct fair_maui_config c;
	int kind;

	c = fair_maui_defaults();
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		c.count[kind] = 1;
	user[0] = user[1] = fair_maui_anybody();
	user[1].hard[FAIR_THROTTLE_PROCS] = 3;
	c.count[FAIR_THROTTLE_USER] = 2;
	c.credential[FAIR_THROTTLE_USER] = user;
	return &c;
}

static struct fair_config config_of(uint32_t policy)
{
	struct fair_config c = { 0 };

	c.policy = policy;
	c.procs = PROCS;
	c.jobs = JOBS;
	c.accounts = 1;
	c.users = 2;
	c.window = 1000;
	c.maui = limits();
	return c;
}

static int put_aside(struct world *w, int64_t now, uint64_t number)
{
	static const struct fair_until held = { 0, 0, 0, true };
	struct fair_job j = a_job(number, now, 10, 1);

	return fair_sched_submit_aside(&w->s, now, &j, &held);
}

/* It is 5: 1 and 2 run since 0, 3 and 4 wait, 7 is held, 9 may be booked. */
static void open_scene(struct world *w, uint32_t policy, uint32_t bookings)
{
	struct fair_booking b = { 9, 200, 230, 6, FAIR_ADVANCE, 0 };
	struct fair_config c = config_of(policy);

	c.bookings = bookings;
	open_world_of(w, &c);
	submit(w, 0, 1, 50, 6);
	submit(w, 0, 2, 60, 4);
	TEST_EQ(step(w, 0), 12);
	submit(w, 5, 3, 30, 8);
	submit(w, 5, 4, 40, 8);
	TEST_EQ(put_aside(w, 5, 7), 0);
	if (bookings)
		TEST_EQ(fair_sched_book(&w->s, 5, &b, false), 0);
	keep(w);
}

/* As many jobs as there is room for. */
static void crowd(struct world *w)
{
	uint64_t n;

	for (n = 100; w->s.jobs < JOBS; n++)
		submit(w, w->s.now, n, 10, 10);
	keep(w);
}

/* ---- events ---- */


/* For one call; it is of user 0, or of user 1 under FAIR_MAUI. */
static const struct fair_job *job(uint64_t number, int64_t submit,
				  int64_t walltime, int32_t procs)
{
	static struct fair_job j;

	j = a_job(number, submit, walltime, procs);
	return &j;
}

static const struct fair_job *array(uint64_t number, uint32_t tasks)
{
	static struct fair_job j;

	j = a_job(number, 5, 10, 1);
	j.tasks = tasks;
	return &j;
}

static const struct fair_job *guest(uint64_t booking, int64_t walltime,
				    int32_t procs)
{
	static struct fair_job j;

	j = a_job(50, 5, walltime, procs);
	j.booking = booking;
	return &j;
}

static const struct fair_until *until(uint64_t after, uint32_t end)
{
	static struct fair_until u;

	memset(&u, 0, sizeof(u));
	u.after = after;
	u.end = end;
	return &u;
}

static void of_submit(struct world *w)
{
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_sched_submit: -FAIR_EINVAL no job",
	      fair_sched_submit(s, 5, NULL));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL the clock goes back",
	      fair_sched_submit(s, 4, job(50, 4, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL the clock is out of range",
	      fair_sched_submit(s, LATER, job(50, 4, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL submitted in the future",
	      fair_sched_submit(s, 9, job(50, 10, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL no walltime",
	      fair_sched_submit(s, 9, job(50, 5, 0, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL no processors",
	      fair_sched_submit(s, 9, job(50, 5, 10, 0)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a number that runs",
	      fair_sched_submit(s, 9, job(1, 5, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a number that waits",
	      fair_sched_submit(s, 9, job(3, 5, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a number that is set aside",
	      fair_sched_submit(s, 9, job(7, 5, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a task's number that waits",
	      fair_sched_submit(s, 9, array(2, 2)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL a task's number that is aside",
	      fair_sched_submit(s, 9, array(6, 2)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL no numbers for the tasks",
	      fair_sched_submit(s, 9, array(UINT64_MAX - 1, 2)));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL no such booking",
	      fair_sched_submit(s, 9, guest(8, 10, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_ERANGE wider than the machine was",
	      fair_sched_submit(s, 9, job(50, 5, 10, PROCS + 1)));
	FAULT(w, "fair_sched_submit: -FAIR_EOVERFLOW walltime",
	      fair_sched_submit(s, 9, job(50, 5, FAIR_WALLTIME_MAX + 1, 1)));
	if (fair_sched_promises(&w->config))
		FAULT(w, "fair_sched_submit: -FAIR_EOVERFLOW the horizon",
		      fair_sched_submit(s, 9,
					job(50, 5, fair_sched_reach(s), 1)));
}

static void of_submit_aside(struct world *w)
{
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_sched_submit_aside: -FAIR_EINVAL no job",
	      fair_sched_submit_aside(s, 5, NULL, until(0, 0)));
	FAULT(w, "fair_sched_submit_aside: -FAIR_EINVAL the clock goes back",
	      fair_sched_submit_aside(s, 4, job(50, 4, 10, 1), until(0, 0)));
	FAULT(w, "fair_sched_submit_aside: -FAIR_EINVAL waits for none",
	      fair_sched_submit_aside(s, 9, job(50, 5, 10, 1),
				      until(60, FAIR_AFTER_OK)));
	FAULT(w, "fair_sched_submit_aside: -FAIR_EINVAL waits for itself",
	      fair_sched_submit_aside(s, 9, job(50, 5, 10, 1),
				      until(50, FAIR_AFTER_ANY)));
	FAULT(w, "fair_sched_submit_aside: -FAIR_EINVAL no such end",
	      fair_sched_submit_aside(s, 9, job(50, 5, 10, 1),
				      until(1, FAIR_AFTER_NEVER)));
	FAULT(w, "fair_sched_submit_aside: -FAIR_ERANGE as for submit",
	      fair_sched_submit_aside(s, 9, job(50, 5, 10, PROCS + 1),
				      until(0, 0)));
	FAULT(w, "fair_sched_submit_aside: -FAIR_EOVERFLOW as for submit",
	      fair_sched_submit_aside(s, 9,
				      job(50, 5, FAIR_WALLTIME_MAX + 1, 1),
				      until(0, 0)));
}

static void of_waiting_and_running(struct world *w)
{
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_sched_defer: -FAIR_EINVAL the clock goes back",
	      fair_sched_defer(s, 4, 3, NULL));
	FAULT(w, "fair_sched_defer: -FAIR_EINVAL not live",
	      fair_sched_defer(s, 9, 50, NULL));
	FAULT(w, "fair_sched_defer: -FAIR_EINVAL runs",
	      fair_sched_defer(s, 9, 1, NULL));
	FAULT(w, "fair_sched_defer: -FAIR_EINVAL waits for itself",
	      fair_sched_defer(s, 9, 3, until(3, FAIR_AFTER_ANY)));
	FAULT(w, "fair_sched_requeue: -FAIR_EINVAL the clock goes back",
	      fair_sched_requeue(s, 4, 1));
	FAULT(w, "fair_sched_requeue: -FAIR_EINVAL not live",
	      fair_sched_requeue(s, 9, 50));
	FAULT(w, "fair_sched_requeue: -FAIR_EINVAL waits",
	      fair_sched_requeue(s, 9, 3));
	FAULT(w, "fair_sched_finish: -FAIR_EINVAL the clock goes back",
	      fair_sched_finish(s, 4, 1));
	FAULT(w, "fair_sched_finish: -FAIR_EINVAL the clock is out of range",
	      fair_sched_finish(s, LATER, 1));
	FAULT(w, "fair_sched_finish: -FAIR_EINVAL not live",
	      fair_sched_finish(s, 9, 50));
	FAULT(w, "fair_sched_finish: -FAIR_EINVAL waits",
	      fair_sched_finish(s, 9, 3));
	FAULT(w, "fair_sched_finish: -FAIR_EINVAL is set aside",
	      fair_sched_finish(s, 9, 7));
	FAULT(w, "fair_sched_cancel: -FAIR_EINVAL the clock goes back",
	      fair_sched_cancel(s, 4, 3));
	FAULT(w, "fair_sched_cancel: -FAIR_EINVAL the clock goes back",
	      fair_sched_cancel(s, 4, 1));
	FAULT(w, "fair_sched_cancel: -FAIR_EINVAL not live",
	      fair_sched_cancel(s, 9, 50));
	FAULT(w, "fair_sched_modify: -FAIR_EINVAL the clock goes back",
	      fair_sched_modify(s, 4, 3, 1, 1));
	FAULT(w, "fair_sched_modify: -FAIR_EINVAL not live",
	      fair_sched_modify(s, 9, 50, 1, 1));
	FAULT(w, "fair_sched_modify: -FAIR_EINVAL runs with others",
	      fair_sched_modify(s, 9, 1, 5, 50));
	FAULT(w, "fair_sched_modify: -FAIR_EINVAL no processors",
	      fair_sched_modify(s, 9, 3, 0, 10));
	FAULT(w, "fair_sched_modify: -FAIR_EINVAL no walltime",
	      fair_sched_modify(s, 9, 7, 1, 0));
	FAULT(w, "fair_sched_modify: -FAIR_ERANGE wider than the machine was",
	      fair_sched_modify(s, 9, 3, PROCS + 1, 10));
	FAULT(w, "fair_sched_modify: -FAIR_EOVERFLOW walltime",
	      fair_sched_modify(s, 9, 1, 6, FAIR_WALLTIME_MAX + 1));
	FAULT(w, "fair_sched_refuse: -FAIR_EINVAL not now",
	      fair_sched_refuse(s, 6, 1));
	FAULT(w, "fair_sched_refuse: -FAIR_EINVAL not live",
	      fair_sched_refuse(s, 5, 50));
	FAULT(w, "fair_sched_refuse: -FAIR_EINVAL waits",
	      fair_sched_refuse(s, 5, 3));
	FAULT(w, "fair_sched_refuse: -FAIR_EINVAL started before",
	      fair_sched_refuse(s, 5, 1));
}

static void of_capacity(struct world *w)
{
	const uint64_t one = 1, twice[2] = { 2, 2 }, mixed[2] = { 1, 3 };
	const uint64_t none = 50;
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL the clock goes back",
	      fair_sched_capacity(s, 4, 1, NULL, 0));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL nothing",
	      fair_sched_capacity(s, 9, 0, NULL, 0));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL no victim is named",
	      fair_sched_capacity(s, 9, -1, NULL, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL a gain has no victim",
	      fair_sched_capacity(s, 9, 1, &one, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL a victim is not live",
	      fair_sched_capacity(s, 9, -1, &none, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL a victim waits",
	      fair_sched_capacity(s, 9, -1, mixed, 2));
	FAULT(w, "fair_sched_capacity: -FAIR_EINVAL a victim twice",
	      fair_sched_capacity(s, 9, -1, twice, 2));
	FAULT(w, "fair_sched_capacity: -FAIR_ERANGE all are in use",
	      fair_sched_capacity(s, 9, -1, NULL, 0));
	FAULT(w, "fair_sched_capacity: -FAIR_ERANGE one more than victims have",
	      fair_sched_capacity(s, 9, -7, &one, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_ERANGE as many as can be lost",
	      fair_sched_capacity(s, 9, INT32_MIN, &one, 1));
	FAULT(w, "fair_sched_capacity: -FAIR_EOVERFLOW one too many",
	      fair_sched_capacity(s, 9, INT32_MAX - PROCS + 1, NULL, 0));
}

static void of_step(struct world *w)
{
	struct fair_decision start[1] = { { 77, 77, 77 } };
	struct fair_priority_parts parts;
	struct fair_job_status status;
	struct fair_sched *s = &w->s;
	size_t n = 77;

	FAULT(w, "fair_sched_step: -FAIR_EINVAL the clock goes back",
	      fair_sched_step(s, 4, start, 1, &n));
	FAULT(w, "fair_sched_step: -FAIR_EINVAL the clock is out of range",
	      fair_sched_step(s, LATER, start, 1, &n));
	FAULT(w, "fair_sched_step: -FAIR_EINVAL nowhere to write starts",
	      fair_sched_step(s, 5, NULL, 1, &n));
	FAULT(w, "fair_sched_step: -FAIR_EINVAL nowhere to write how many",
	      fair_sched_step(s, 5, start, 1, NULL));
	TEST_CHECK(n == 77 && start->number == 77);
	FAULT(w, "fair_sched_pass: -FAIR_EINVAL the clock goes back",
	      fair_sched_pass(s, 4));
	FAULT(w, "fair_sched_pass: -FAIR_EINVAL the clock is out of range",
	      fair_sched_pass(s, LATER));
	memset(&parts, 0x5a, sizeof(parts));
	FAULT(w, "fair_sched_maui: -FAIR_EINVAL not live",
	      fair_sched_maui(s, 50, &parts));
	FAULT(w, "fair_sched_maui: -FAIR_EINVAL runs",
	      fair_sched_maui(s, 1, &parts));
	FAULT(w, "fair_sched_maui: -FAIR_EINVAL is set aside",
	      fair_sched_maui(s, 7, &parts));
	FAULT(w, "fair_sched_maui: -FAIR_EINVAL nowhere to write",
	      fair_sched_maui(s, 3, NULL));
	if (w->config.policy != FAIR_MAUI)
		FAULT(w, "fair_sched_maui: -FAIR_EINVAL another policy",
		      fair_sched_maui(s, 3, &parts));
	TEST_EQ(parts.priority, INT64_C(0x5a5a5a5a5a5a5a5a));
	memset(&status, 0x5a, sizeof(status));
	FAULT(w, "fair_sched_lookup: -FAIR_EINVAL not live",
	      fair_sched_lookup(s, 50, &status));
	FAULT(w, "fair_sched_lookup: -FAIR_EINVAL nowhere to write",
	      fair_sched_lookup(s, 1, NULL));
	TEST_EQ(status.moves, 0x5a5a5a5a);
}

static void events(void)
{
	uint32_t policy;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++) {
		open_scene(&w, policy, 0);
		of_submit(&w);
		of_submit_aside(&w);
		of_waiting_and_running(&w);
		of_capacity(&w);
		of_step(&w);
		TEST_EQ(fair_sched_capacity(&w.s, 5, INT32_MAX - PROCS, NULL,
					    0), 0);
		close_world(&w);
	}
}

/* More than the ledger of a window can count. */
static void growth(void)
{
	struct fair_config c = config_of(FAIR_RELSHARE);
	struct world w;

	c.window = FAIR_RELSHARE_LIMIT / (PROCS + 1);
	open_world_of(&w, &c);
	TEST_EQ(fair_sched_capacity(&w.s, 0, 1, NULL, 0), 0);
	keep(&w);
	FAULT(&w, "fair_sched_capacity: -FAIR_EOVERFLOW a window's usage",
	      fair_sched_capacity(&w.s, 0, 1, NULL, 0));
	TEST_EQ(fair_sched_capacity(&w.s, 0, -11, NULL, 0), 0);
	close_world(&w);
}

/* ---- as many as there is room for ---- */

static void no_room(void)
{
	uint32_t policy;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++) {
		open_scene(&w, policy, 0);
		TEST_EQ(put_aside(&w, 5, 8), 0);
		TEST_EQ(put_aside(&w, 5, 9), 0);
		keep(&w);
		FAULT(&w, "fair_sched_submit_aside: -FAIR_ENOSPC config.aside",
		      fair_sched_submit_aside(&w.s, 9, job(50, 5, 10, 1),
					      until(0, 0)));
		FAULT(&w, "fair_sched_defer: -FAIR_ENOSPC config.aside",
		      fair_sched_defer(&w.s, 9, 3, until(0, 0)));
		crowd(&w);
		FAULT(&w, "fair_sched_submit: -FAIR_ENOSPC config.jobs",
		      fair_sched_submit(&w.s, 9, job(50, 5, 10, 1)));
		TEST_EQ(fair_sched_cancel(&w.s, 5, 8), 0);
		keep(&w);
		FAULT(&w, "fair_sched_submit: -FAIR_ENOSPC an array is two",
		      fair_sched_submit(&w.s, 9, array(50, 2)));
		TEST_EQ(fair_sched_submit(&w.s, 5, job(51, 5, 10, 1)), 0);
		keep(&w);
		FAULT(&w, "fair_sched_submit_aside: -FAIR_ENOSPC config.jobs",
		      fair_sched_submit_aside(&w.s, 9, job(50, 5, 10, 1),
					      until(0, 0)));
		close_world(&w);
	}
}

/* ---- what orders and policies ask of jobs ---- */

static void fields(void)
{
	struct fair_config c = config_of(FAIR_BACKFILL);
	struct fair_job j = a_job(50, 5, 10, 4);
	struct world w;

	open_scene(&w, FAIR_SFS, 0);
	j.account = 1;
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL no such account",
	      fair_sched_submit(&w.s, 9, &j));
	close_world(&w);
	open_scene(&w, FAIR_RELSHARE, 0);
	j.account = 0;
	j.user = 2;
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL no such user",
	      fair_sched_submit(&w.s, 9, &j));
	close_world(&w);
	open_scene(&w, FAIR_MAUI, 0);
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL Maui's user",
	      fair_sched_submit(&w.s, 9, &j));
	j.user = 1;
	FAULT(&w, "fair_sched_submit: -FAIR_ERANGE not even alone",
	      fair_sched_submit(&w.s, 9, &j));
	j.procs = 3;
	TEST_EQ(fair_sched_submit(&w.s, 9, &j), 0);
	keep(&w);
	FAULT(&w, "fair_sched_modify: -FAIR_ERANGE not even alone",
	      fair_sched_modify(&w.s, 9, 50, 4, 10));
	close_world(&w);
	c.order = FAIR_ORDER_USAGE;
	open_world_of(&w, &c);
	keep(&w);
	j.user = 2;
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL the ledger's user",
	      fair_sched_submit(&w.s, 9, &j));
	j.user = 0;
	j.penalty = -1;
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL a negative penalty",
	      fair_sched_submit(&w.s, 9, &j));
	j.penalty = FAIR_RATE_MAX + 1;
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL too large a penalty",
	      fair_sched_submit(&w.s, 9, &j));
	j.penalty = FAIR_RATE_MAX;
	TEST_EQ(fair_sched_submit(&w.s, 9, &j), 0);
	close_world(&w);
	c.order = FAIR_ORDER_LINEAR;
	open_world_of(&w, &c);
	keep(&w);
	j.submit = -FAIR_TIME_MAX - 1;
	FAULT(&w, "fair_sched_submit: -FAIR_EINVAL submitted too long ago",
	      fair_sched_submit(&w.s, 9, &j));
	j.submit++;
	TEST_EQ(fair_sched_submit(&w.s, 9, &j), 0);
	close_world(&w);
}

/* ---- bookings ---- */

static const struct fair_booking *booking(uint64_t number, int64_t from,
					  int64_t to, int32_t procs)
{
	static struct fair_booking b;

	b.number = number;
	b.from = from;
	b.to = to;
	b.procs = procs;
	b.kind = FAIR_ADVANCE;
	return &b;
}

static void of_book(struct world *w)
{
	struct fair_booking odd = *booking(8, 300, 310, 1);
	struct fair_sched *s = &w->s;
	int64_t reach = fair_sched_reach(s);

	odd.kind = FAIR_ADVANCE + 1;
	FAULT(w, "fair_sched_book: -FAIR_EINVAL none",
	      fair_sched_book(s, 9, NULL, true));
	FAULT(w, "fair_sched_book: -FAIR_EINVAL the clock goes back",
	      fair_sched_book(s, 4, booking(8, 300, 310, 1), true));
	FAULT(w, "fair_sched_book: -FAIR_EINVAL no second",
	      fair_sched_book(s, 9, booking(8, 300, 300, 1), true));
	FAULT(w, "fair_sched_book: -FAIR_EINVAL over by then",
	      fair_sched_book(s, 9, booking(8, 0, 9, 1), true));
	FAULT(w, "fair_sched_book: -FAIR_EINVAL no processors",
	      fair_sched_book(s, 9, booking(8, 300, 310, 0), true));
	FAULT(w, "fair_sched_book: -FAIR_EINVAL no such kind",
	      fair_sched_book(s, 9, &odd, true));
	FAULT(w, "fair_sched_book: -FAIR_ERANGE wider than the machine was",
	      fair_sched_book(s, 9, booking(8, 300, 310, PROCS + 1), true));
	FAULT(w, "fair_sched_book: -FAIR_EOVERFLOW at no time",
	      fair_sched_book(s, 9, booking(8, 300, LATER, 1), true));
	FAULT(w, "fair_sched_book: -FAIR_EOVERFLOW the horizon",
	      fair_sched_book(s, 9, booking(8, 300, 9 + reach, 1), true));
	FAULT(w, "fair_sched_book: -FAIR_ENOSPC config.bookings",
	      fair_sched_book(s, 9, booking(8, 300, 310, 1), true));
	FAULT(w, "fair_sched_unbook: -FAIR_EINVAL the clock goes back",
	      fair_sched_unbook(s, 4, 9));
	FAULT(w, "fair_sched_unbook: -FAIR_EINVAL none of this number",
	      fair_sched_unbook(s, 9, 8));
	FAULT(w, "fair_sched_submit: -FAIR_EINVAL its booking is over by then",
	      fair_sched_submit(s, 230, guest(9, 1, 1)));
	FAULT(w, "fair_sched_submit: -FAIR_ERANGE wider than its booking",
	      fair_sched_submit(s, 9, guest(9, 1, 7)));
	FAULT(w, "fair_sched_submit: -FAIR_EOVERFLOW longer than its booking",
	      fair_sched_submit(s, 9, guest(9, 31, 6)));
	FAULT(w, "fair_sched_submit: -FAIR_EOVERFLOW what is left of it",
	      fair_sched_submit(s, 220, guest(9, 11, 6)));
	/* Time passes, but it was 5 before. */
	FAULT(w, "fair_sched_book: -FAIR_ERANGE no room, not forced",
	      fair_sched_book(s, 5, booking(9, 20, 30, 1), false));
}

static void bookings(void)
{
	struct fair_booking maintenance = { 9, 200, 230, 6, FAIR_MAINTENANCE,
					    0 };
	uint32_t policy;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++) {
		open_scene(&w, policy, 1);
		of_book(&w);
		TEST_EQ(fair_sched_book(&w.s, 5, &maintenance, false), 0);
		keep(&w);
		FAULT(&w, "fair_sched_submit: -FAIR_EINVAL it has no guests",
		      fair_sched_submit(&w.s, 9, guest(9, 1, 1)));
		close_world(&w);
	}
}

/* ---- questions ---- */

static int64_t run_time(void *context, uint64_t number)
{
	(void)context;
	return (int64_t)(number % 7);
}

static int64_t for_ever(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return INT64_MAX;
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

static void of_fst(struct world *w, void *memory, size_t bytes)
{
	struct fair_fst fst = { 77, 77 };
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_sched_fst: -FAIR_EINVAL no scheduler",
	      fair_sched_fst(NULL, 9, job(50, 9, 10, 1), memory, bytes,
			     run_time, w, &fst));
	FAULT(w, "fair_sched_fst: -FAIR_EINVAL no job",
	      fair_sched_fst(s, 9, NULL, memory, bytes, run_time, w, &fst));
	FAULT(w, "fair_sched_fst: -FAIR_EINVAL no memory",
	      fair_sched_fst(s, 9, job(50, 9, 10, 1), NULL, bytes, run_time, w,
			     &fst));
	FAULT(w, "fair_sched_fst: -FAIR_EINVAL no run times",
	      fair_sched_fst(s, 9, job(50, 9, 10, 1), memory, bytes, NULL, w,
			     &fst));
	FAULT(w, "fair_sched_fst: -FAIR_EINVAL nowhere to write",
	      fair_sched_fst(s, 9, job(50, 9, 10, 1), memory, bytes, run_time,
			     w, NULL));
	FAULT(w, "fair_sched_fst: -FAIR_EINVAL the clock goes back",
	      fair_sched_fst(s, 4, job(50, 4, 10, 1), memory, bytes, run_time,
			     w, &fst));
	FAULT(w, "fair_sched_fst: -FAIR_EINVAL live already",
	      fair_sched_fst(s, 9, job(7, 5, 10, 1), memory, bytes, run_time,
			     w, &fst));
	FAULT(w, "fair_sched_fst: -FAIR_ENOMEM one byte less",
	      fair_sched_fst(s, 9, job(50, 9, 10, 1), memory, bytes - 1,
			     run_time, w, &fst));
	FAULT(w, "fair_sched_fst: -FAIR_ERANGE as for submit",
	      fair_sched_fst(s, 9, job(50, 5, 10, PROCS + 1), memory, bytes,
			     run_time, w, &fst));
	FAULT(w, "fair_sched_fst: -FAIR_EOVERFLOW as for submit",
	      fair_sched_fst(s, 9, job(50, 5, FAIR_WALLTIME_MAX + 1, 1), memory,
			     bytes, run_time, w, &fst));
	TEST_CHECK(fst.strict == 77 && fst.relaxed == 77);
}

static void of_future_open(struct world *w, void *memory, size_t bytes)
{
	struct fair_future f;
	struct fair_sched *s = &w->s;

	FAULT(w, "fair_future_open: -FAIR_EINVAL no future",
	      fair_future_open(NULL, sizeof(f), memory, bytes, s, 9, run_time,
			       w));
	FAULT(w, "fair_future_open: -FAIR_EINVAL of another size",
	      fair_future_open(&f, sizeof(f) - 1, memory, bytes, s, 9,
			       run_time, w));
	FAULT(w, "fair_future_open: -FAIR_EINVAL no memory",
	      fair_future_open(&f, sizeof(f), NULL, bytes, s, 9, run_time, w));
	FAULT(w, "fair_future_open: -FAIR_EINVAL no run times",
	      fair_future_open(&f, sizeof(f), memory, bytes, s, 9, NULL, w));
	FAULT(w, "fair_future_open: -FAIR_EINVAL the clock goes back",
	      fair_future_open(&f, sizeof(f), memory, bytes, s, 4, run_time,
			       w));
	FAULT(w, "fair_future_open: -FAIR_ENOMEM one byte less",
	      fair_future_open(&f, sizeof(f), memory, bytes - 1, s, 9,
			       run_time, w));
}

/* Its time passes: what it is cannot be done when all others have started. */
static void of_future(struct world *w, void *memory, size_t bytes)
{
	struct fair_future f;
	int64_t start = 77;

	TEST_EQ(fair_future_open(&f, sizeof(f), memory, bytes, &w->s, 9,
				 run_time, w), 0);
	FAULT(w, "fair_future_start: -FAIR_EINVAL not live",
	      fair_future_start(&f, 50, &start));
	FAULT(w, "fair_future_start: -FAIR_EINVAL nowhere to write",
	      fair_future_start(&f, 3, NULL));
	FAULT(w, "fair_future_join: -FAIR_EINVAL no job",
	      fair_future_join(&f, NULL, &start));
	FAULT(w, "fair_future_join: -FAIR_EINVAL nowhere to write",
	      fair_future_join(&f, job(50, 5, 10, 1), NULL));
	TEST_EQ(f.now, 9);
	FAULT(w, "fair_future_join: -FAIR_EINVAL live already",
	      fair_future_join(&f, job(7, 5, 10, 1), &start));
	TEST_CHECK(f.now > 9);
	FAULT(w, "fair_future_join: -FAIR_ERANGE as for submit",
	      fair_future_join(&f, job(50, 5, 10, PROCS + 1), &start));
	FAULT(w, "fair_future_join: -FAIR_EOVERFLOW as for submit",
	      fair_future_join(&f, job(50, 5, FAIR_WALLTIME_MAX + 1, 1),
			       &start));
	TEST_EQ(start, 77);
	TEST_EQ(fair_sched_check(&f.sched), 0);
}

static void of_estimate(struct world *w, void *memory, size_t bytes)
{
	struct fair_sched *s = &w->s;
	int64_t start = 77;

	FAULT(w, "fair_sched_estimate: -FAIR_EINVAL no scheduler",
	      fair_sched_estimate(NULL, 3, memory, bytes, &start));
	FAULT(w, "fair_sched_estimate: -FAIR_EINVAL not live",
	      fair_sched_estimate(s, 50, memory, bytes, &start));
	FAULT(w, "fair_sched_estimate: -FAIR_EINVAL runs",
	      fair_sched_estimate(s, 1, memory, bytes, &start));
	FAULT(w, "fair_sched_estimate: -FAIR_EINVAL nowhere to write",
	      fair_sched_estimate(s, 3, memory, bytes, NULL));
	FAULT(w, "fair_sched_estimate: -FAIR_ENOMEM none",
	      fair_sched_estimate(s, 7, NULL, bytes, &start));
	FAULT(w, "fair_sched_estimate: -FAIR_ENOMEM one byte less",
	      fair_sched_estimate(s, 7, memory, bytes - 1, &start));
	if (!fair_sched_promises(&w->config))
		FAULT(w, "fair_sched_estimate: -FAIR_ENOMEM one byte less",
		      fair_sched_estimate(s, 3, memory, bytes - 1, &start));
	TEST_EQ(start, 77);
}

static void of_forecast(struct world *w, void *memory)
{
	struct fair_draw draw = { drawn, NULL, 1, 4 }, none = draw, not = draw;
	size_t bytes = fair_sched_forecast_size(&w->config, 4);
	struct fair_forecast f = { 77, 77, 77 };
	struct fair_sched *s = &w->s;

	none.run = NULL;
	not.samples = 0;
	FAULT(w, "fair_sched_forecast: -FAIR_EINVAL no scheduler",
	      fair_sched_forecast(NULL, 3, &draw, memory, bytes, &f));
	FAULT(w, "fair_sched_forecast: -FAIR_EINVAL not live",
	      fair_sched_forecast(s, 50, &draw, memory, bytes, &f));
	FAULT(w, "fair_sched_forecast: -FAIR_EINVAL runs",
	      fair_sched_forecast(s, 1, &draw, memory, bytes, &f));
	FAULT(w, "fair_sched_forecast: -FAIR_EINVAL nothing drawn",
	      fair_sched_forecast(s, 3, NULL, memory, bytes, &f));
	FAULT(w, "fair_sched_forecast: -FAIR_EINVAL no run times",
	      fair_sched_forecast(s, 3, &none, memory, bytes, &f));
	FAULT(w, "fair_sched_forecast: -FAIR_EINVAL no samples",
	      fair_sched_forecast(s, 3, &not, memory, bytes, &f));
	FAULT(w, "fair_sched_forecast: -FAIR_EINVAL no memory",
	      fair_sched_forecast(s, 3, &draw, NULL, bytes, &f));
	FAULT(w, "fair_sched_forecast: -FAIR_EINVAL nowhere to write",
	      fair_sched_forecast(s, 3, &draw, memory, bytes, NULL));
	FAULT(w, "fair_sched_forecast: -FAIR_ENOMEM one byte less",
	      fair_sched_forecast(s, 3, &draw, memory, bytes - 1, &f));
	TEST_CHECK(f.p10 == 77 && f.p50 == 77 && f.p90 == 77);
}

static void of_why(struct world *w, void *memory, size_t bytes)
{
	struct fair_sched *s = &w->s;
	struct fair_why why;

	memset(&why, 0x5a, sizeof(why));
	FAULT(w, "fair_sched_why: -FAIR_EINVAL something happened",
	      fair_sched_why(s, 3, memory, bytes, &why));
	TEST_EQ(step(w, 5), 0);
	keep(w);
	FAULT(w, "fair_sched_why: -FAIR_EINVAL no scheduler",
	      fair_sched_why(NULL, 3, memory, bytes, &why));
	FAULT(w, "fair_sched_why: -FAIR_EINVAL not live",
	      fair_sched_why(s, 50, memory, bytes, &why));
	FAULT(w, "fair_sched_why: -FAIR_EINVAL runs",
	      fair_sched_why(s, 1, memory, bytes, &why));
	FAULT(w, "fair_sched_why: -FAIR_EINVAL nowhere to write",
	      fair_sched_why(s, 3, memory, bytes, NULL));
	FAULT(w, "fair_sched_why: -FAIR_ENOMEM one byte less",
	      fair_sched_why(s, 3, memory, bytes - 1, &why));
	TEST_EQ(why.ahead, 0x5a5a5a5a);
	TEST_EQ(fair_sched_why(s, 3, memory, bytes, &why), 0);
	TEST_CHECK(unchanged(w));
}

static void of_clone_and_whatif(struct world *w, void *memory)
{
	size_t bytes = fair_sched_size(&w->config);
	size_t both = fair_sched_whatif_size(&w->config, &w->config);
	struct fair_sched *s = &w->s, copy, was;
	int changes = 0;

	memset(&copy, 0x5a, sizeof(copy));
	was = copy;
	FAULT(w, "fair_sched_clone: -FAIR_EINVAL no copy",
	      fair_sched_clone(NULL, memory, bytes, s));
	FAULT(w, "fair_sched_clone: -FAIR_EINVAL no memory",
	      fair_sched_clone(&copy, NULL, bytes, s));
	FAULT(w, "fair_sched_clone: -FAIR_ENOMEM one byte less",
	      fair_sched_clone(&copy, memory, bytes - 1, s));
	TEST_CHECK(!memcmp(&copy, &was, sizeof(was)));
	FAULT(w, "fair_sched_whatif: -FAIR_EINVAL nothing as it is",
	      fair_sched_whatif(NULL, s, memory, both, count_change, &changes));
	FAULT(w, "fair_sched_whatif: -FAIR_EINVAL nothing as it would be",
	      fair_sched_whatif(s, NULL, memory, both, count_change, &changes));
	FAULT(w, "fair_sched_whatif: -FAIR_EINVAL no memory",
	      fair_sched_whatif(s, s, NULL, both, count_change, &changes));
	FAULT(w, "fair_sched_whatif: -FAIR_EINVAL nobody to tell",
	      fair_sched_whatif(s, s, memory, both, NULL, &changes));
	FAULT(w, "fair_sched_whatif: -FAIR_ENOMEM one byte less",
	      fair_sched_whatif(s, s, memory, both - 1, count_change,
				&changes));
	TEST_EQ(changes, 0);
}

static void questions(void)
{
	struct fair_config c;
	size_t bytes, both;
	uint32_t policy;
	struct world w;
	void *memory;

	for (policy = 0; policy < POLICIES; policy++) {
		c = config_of(policy);
		c.aside = 3;
		bytes = fair_sched_fst_size(&c);
		both = fair_sched_whatif_size(&c, &c) +
		       fair_sched_forecast_size(&c, 4);
		memory = malloc(both);
		TEST_REQUIRE(memory && bytes);
		open_scene(&w, policy, 0);
		of_fst(&w, memory, bytes);
		of_future_open(&w, memory, bytes);
		of_future(&w, memory, bytes);
		of_estimate(&w, memory, bytes);
		of_forecast(&w, memory);
		of_clone_and_whatif(&w, memory);
		of_why(&w, memory, bytes);
		close_world(&w);
		free(memory);
	}
}

/* All that run do so for ever, and all that is left is held. */
static void futures_without_room(void)
{
	struct fair_fst fst = { 77, 77 };
	struct fair_future f;
	int64_t start = 77;
	uint32_t policy;
	struct world w;
	void *memory;
	size_t bytes;
	uint64_t n;

	for (policy = 0; policy < POLICIES; policy++) {
		struct fair_config c = config_of(policy);

		open_world_of(&w, &c);
		for (n = 1; n <= PROCS; n++)
			submit(&w, 0, n, 10, 1);
		TEST_CHECK(step(&w, 0));
		for (; n <= JOBS; n++)
			TEST_EQ(put_aside(&w, 0, n), 0);
		bytes = fair_sched_fst_size(&w.config);
		memory = malloc(bytes);
		TEST_REQUIRE(memory);
		keep(&w);
		FAULT(&w, "fair_sched_fst: -FAIR_ENOSPC as for submit",
		      fair_sched_fst(&w.s, 9, job(50, 9, 10, 1), memory, bytes,
				     for_ever, &w, &fst));
		TEST_EQ(fair_future_open(&f, sizeof(f), memory, bytes, &w.s, 9,
					 for_ever, &w), 0);
		FAULT(&w, "fair_future_join: -FAIR_ENOSPC as for submit",
		      fair_future_join(&f, job(50, 5, 10, 1), &start));
		TEST_CHECK(start == 77 && fst.strict == 77);
		free(memory);
		close_world(&w);
	}
}

/* ---- the same jobs under another policy ---- */

static void *bytes_of(const struct fair_config *c, size_t *bytes)
{
	void *memory;

	*bytes = fair_sched_size(c);
	memory = malloc(*bytes);
	if (!memory)
		abort();
	return memory;
}

/* One that is as good, but for @c. */
#define CONVERT(w, what, c)                                                   \
	do {                                                                  \
		void *fresh = bytes_of(&(c), &bytes);                         \
                                                                              \
		FAULT(w, what,                                                \
		      fair_sched_convert(&b, sizeof(b), fresh, bytes, &(c),  \
					 &(w)->s));                           \
		free(fresh);                                                  \
	} while (0)

static void conversions(void)
{
	struct fair_sched b, was;
	struct fair_config c;
	struct fair_job j = a_job(50, 5, INT64_C(1) << 33, 1);
	struct world w;
	void *memory;
	size_t bytes;

	memset(&b, 0x5a, sizeof(b));
	was = b;
	c = config_of(FAIR_SFS);
	memory = bytes_of(&c, &bytes);
	open_scene(&w, FAIR_BACKFILL, 0);
	FAULT(&w, "fair_sched_convert: -FAIR_EINVAL into nothing",
	      fair_sched_convert(NULL, sizeof(b), memory, bytes, &c, &w.s));
	FAULT(&w, "fair_sched_convert: -FAIR_EINVAL of another size",
	      fair_sched_convert(&b, sizeof(b) - 1, memory, bytes, &c, &w.s));
	FAULT(&w, "fair_sched_convert: -FAIR_EINVAL no memory",
	      fair_sched_convert(&b, sizeof(b), NULL, bytes, &c, &w.s));
	FAULT(&w, "fair_sched_convert: -FAIR_EINVAL no config",
	      fair_sched_convert(&b, sizeof(b), memory, bytes, NULL, &w.s));
	FAULT(&w, "fair_sched_convert: -FAIR_EINVAL nothing to convert",
	      fair_sched_convert(&b, sizeof(b), memory, bytes, &c, NULL));
	FAULT(&w, "fair_sched_convert: -FAIR_ENOMEM one byte less",
	      fair_sched_convert(&b, sizeof(b), memory, bytes - 1, &c, &w.s));
	free(memory);
	c.jobs = 4;
	CONVERT(&w, "fair_sched_convert: -FAIR_ENOSPC for those that wait", c);
	c.jobs = 1;
	CONVERT(&w, "fair_sched_convert: -FAIR_ENOSPC for those that run", c);
	c.jobs = 5;
	CONVERT(&w, "fair_sched_convert: -FAIR_ENOSPC for those aside", c);
	c.policy = FAIR_SFS + 100;
	c.jobs = JOBS;
	c.aside = 1;
	memory = malloc(bytes);
	FAULT(&w, "fair_sched_convert: -FAIR_EINVAL no such policy",
	      fair_sched_convert(&b, sizeof(b), memory, bytes, &c, &w.s));
	free(memory);
	j.account = 1;
	TEST_EQ(fair_sched_submit(&w.s, 5, &j), 0);
	keep(&w);
	c.policy = FAIR_CONSERVATIVE;
	CONVERT(&w, "fair_sched_convert: -FAIR_EOVERFLOW the horizon", c);
	TEST_EQ(fair_sched_cancel(&w.s, 5, 50), 0);
	j.walltime = 10;
	TEST_EQ(fair_sched_submit(&w.s, 5, &j), 0);
	keep(&w);
	c.policy = FAIR_SFS;
	CONVERT(&w, "fair_sched_convert: -FAIR_EINVAL no such account", c);
	TEST_EQ(fair_sched_cancel(&w.s, 5, 50), 0);
	j.account = 0;
	j.user = 1;
	j.procs = 4;
	TEST_EQ(fair_sched_submit(&w.s, 5, &j), 0);
	keep(&w);
	TEST_EQ(fair_sched_defer(&w.s, 5, 50, until(3, FAIR_AFTER_ANY)), 0);
	TEST_EQ(fair_sched_modify(&w.s, 5, 50, 3, 10), 0);
	c.policy = FAIR_RELSHARE;
	c.aside = 2;
	c.users = 1;
	keep(&w);
	CONVERT(&w, "fair_sched_convert: -FAIR_EINVAL no such user, aside", c);
	c.aside = 1;
	c.users = 2;
	TEST_EQ(fair_sched_modify(&w.s, 5, 50, 4, 10), 0);
	TEST_EQ(fair_sched_defer(&w.s, 5, 50, NULL), 0);
	keep(&w);
	c.policy = FAIR_MAUI;
	CONVERT(&w, "fair_sched_convert: -FAIR_ERANGE never, waiting", c);
	TEST_EQ(fair_sched_finish(&w.s, 5, 1), 0);
	TEST_EQ(fair_sched_finish(&w.s, 5, 2), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 5, 3), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 5, 4), 0);
	TEST_EQ(step(&w, 5), 50);
	keep(&w);
	CONVERT(&w, "fair_sched_convert: -FAIR_ERANGE never, running", c);
	c.policy = FAIR_RELSHARE;
	c.users = 1;
	CONVERT(&w, "fair_sched_convert: -FAIR_EINVAL no such user", c);
	close_world(&w);
	open_world(&w, FAIR_BACKFILL, 0, 1);
	submit(&w, 0, 1, INT64_C(1) << 33, 1);
	TEST_EQ(step(&w, 0), 1);
	keep(&w);
	c = config_of(FAIR_DC);
	CONVERT(&w, "fair_sched_convert: -FAIR_EOVERFLOW the horizon, running",
		c);
	close_world(&w);
	open_scene(&w, FAIR_BACKFILL, 1);
	CONVERT(&w, "fair_sched_convert: -FAIR_ENOSPC for bookings", c);
	close_world(&w);
	TEST_CHECK(!memcmp(&b, &was, sizeof(was)));
}

/* One that ends now has not been told to have; two do, and one finishes. */
static void ends_now(void)
{
	struct fair_config c = config_of(FAIR_BACKFILL);
	struct fair_job_status j;
	struct fair_sched b;
	size_t bytes;
	uint32_t policy;
	struct world w;
	void *memory;

	open_world_of(&w, &c);
	submit(&w, 0, 1, 10, 6);
	submit(&w, 0, 2, 10, 4);
	TEST_EQ(step(&w, 0), 12);
	TEST_EQ(fair_sched_finish(&w.s, 10, 1), 0);
	for (policy = 0; policy < FAIR_MAUI; policy++) {
		c = config_of(policy);
		memory = bytes_of(&c, &bytes);
		TEST_EQ(fair_sched_convert(&b, sizeof(b), memory, bytes, &c,
					   &w.s), 0);
		TEST_EQ(fair_sched_check(&b), 0);
		TEST_EQ(fair_sched_lookup(&b, 2, &j), 0);
		TEST_EQ(j.end, 10);
		TEST_EQ(fair_sched_finish(&b, 10, 2), 0);
		TEST_EQ(fair_sched_check(&b), 0);
		TEST_EQ(b.jobs, 0);
		free(memory);
	}
	close_world(&w);
}

/* ---- images ---- */

#define LOAD(w, what, c)                                                      \
	do {                                                                  \
		void *fresh = bytes_of(&(c), &bytes);                         \
                                                                              \
		FAULT(w, what,                                                \
		      fair_sched_load(&s, sizeof(s), fresh, bytes, &(c),      \
				      image, length, &damage));               \
		TEST_EQ(damage, 0);                                           \
		damage = -1;                                                  \
		free(fresh);                                                  \
	} while (0)

static void of_load(struct world *w, unsigned char *image, size_t length)
{
	struct fair_config c = w->config, bad = c;
	struct fair_sched s, was;
	int damage = -1;
	size_t bytes;
	void *memory = bytes_of(&c, &bytes);

	bad.procs = 0;
	memset(&s, 0x5a, sizeof(s));
	was = s;
	FAULT(w, "fair_sched_load: -FAIR_EINVAL no scheduler",
	      fair_sched_load(NULL, sizeof(s), memory, bytes, &c, image,
			      length, NULL));
	FAULT(w, "fair_sched_load: -FAIR_EINVAL of another size",
	      fair_sched_load(&s, sizeof(s) - 1, memory, bytes, &c, image,
			      length, NULL));
	FAULT(w, "fair_sched_load: -FAIR_EINVAL no memory",
	      fair_sched_load(&s, sizeof(s), NULL, bytes, &c, image, length,
			      NULL));
	FAULT(w, "fair_sched_load: -FAIR_EINVAL no config",
	      fair_sched_load(&s, sizeof(s), memory, bytes, NULL, image,
			      length, NULL));
	FAULT(w, "fair_sched_load: -FAIR_EINVAL no such config",
	      fair_sched_load(&s, sizeof(s), memory, bytes, &bad, image,
			      length, NULL));
	FAULT(w, "fair_sched_load: -FAIR_EINVAL no image",
	      fair_sched_load(&s, sizeof(s), memory, bytes, &c, NULL, length,
			      &damage));
	TEST_EQ(damage, 0);
	FAULT(w, "fair_sched_load: -FAIR_EINVAL one byte is missing",
	      fair_sched_load(&s, sizeof(s), memory, bytes, &c, image,
			      length - 1, &damage));
	TEST_EQ(damage, FAIR_IMAGE_CUT);
	damage = -1;
	FAULT(w, "fair_sched_load: -FAIR_ENOMEM one byte less",
	      fair_sched_load(&s, sizeof(s), memory, bytes - 1, &c, image,
			      length, &damage));
	TEST_EQ(damage, 0);
	free(memory);
	if (c.bookings) {
		c.bookings = 1;
		LOAD(w, "fair_sched_load: -FAIR_ENOSPC for bookings", c);
	} else {
		c.aside = 0;
		LOAD(w, "fair_sched_load: -FAIR_ENOSPC for those aside", c);
	}
	c = w->config;
	c.jobs = 4;
	LOAD(w, "fair_sched_load: -FAIR_ENOSPC for jobs", c);
	TEST_CHECK(!memcmp(&s, &was, sizeof(was)));
}

static void of_image(struct world *w)
{
	size_t length = fair_sched_image_size(&w->s);
	unsigned char *image = (unsigned char *)malloc(length);
	struct fair_config c, was;
	int damage = -1;

	TEST_REQUIRE(image);
	memset(&c, 0x5a, sizeof(c));
	was = c;
	FAULT(w, "fair_sched_save: -FAIR_EINVAL nowhere to write",
	      fair_sched_save(&w->s, NULL, length));
	FAULT(w, "fair_sched_save: -FAIR_ENOSPC one byte less",
	      fair_sched_save(&w->s, image, length - 1));
	TEST_EQ(fair_sched_save(&w->s, image, length), 0);
	TEST_CHECK(unchanged(w));
	FAULT(w, "fair_sched_image_config: -FAIR_EINVAL no image",
	      fair_sched_image_config(NULL, length, &c, &damage));
	TEST_EQ(damage, 0);
	FAULT(w, "fair_sched_image_config: -FAIR_EINVAL nowhere to write",
	      fair_sched_image_config(image, length, NULL, &damage));
	image[length / 2] ^= 1;
	FAULT(w, "fair_sched_image_config: -FAIR_EINVAL damaged",
	      fair_sched_image_config(image, length, &c, &damage));
	TEST_EQ(damage, FAIR_IMAGE_CHECKSUM);
	FAULT(w, "fair_sched_load: -FAIR_EINVAL damaged",
	      fair_sched_load(&w->s, sizeof(w->s), w->memory, w->bytes,
			      &w->config, image, length, &damage));
	image[length / 2] ^= 1;
	TEST_CHECK(!memcmp(&c, &was, sizeof(was)));
	of_load(w, image, length);
	free(image);
}

static void images(void)
{
	struct fair_booking b = { 8, 100, 130, 6, FAIR_MAINTENANCE, 0 };
	uint32_t policy, bookings;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++)
		for (bookings = 0; bookings <= 2; bookings += 2) {
			open_scene(&w, policy, bookings);
			if (bookings)
				TEST_EQ(fair_sched_book(&w.s, 5, &b, true), 0);
			keep(&w);
			of_image(&w);
			close_world(&w);
		}
}

/* ---- configs ---- */

static int64_t key_of(void *context, const struct fair_job *j)
{
	(void)context;
	return j->procs;
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

/* No scheduler is as @c says. */
static void no_config(const struct fair_config *c)
{
	const struct fair_config good = config_of(FAIR_FCFS);
	static char room[1 << 16], kept[1];
	static struct world w;

	if (c)
		w.config = *c;
	TEST_EQ(fair_sched_size(c), 0);
	TEST_EQ(fair_sched_fst_size(c), 0);
	TEST_EQ(fair_sched_forecast_size(c, 1), 0);
	TEST_EQ(fair_sched_whatif_size(c, c), 0);
	TEST_EQ(fair_sched_whatif_size(&good, c), 0);
	TEST_EQ(fair_sched_whatif_size(c, &good), 0);
	memset(&w.s, 0x5a, sizeof(w.s));
	w.was = w.s;
	w.memory = w.kept = kept;
	FAULT(&w, "fair_sched_init: -FAIR_EINVAL no such config",
	      fair_sched_init(&w.s, sizeof(w.s), room, sizeof(room), c));
}

/* One that is good, but for @field. */
#define NO(policy_, order_, field, value)                         \
	do {                                                      \
		struct fair_config c = config_of(policy_);        \
                                                                  \
		c.order = (order_);                               \
		c.key = key_of;                                   \
		c.compare = as_equals;                            \
		TEST_CHECK(fair_sched_size(&c) > 0);              \
		c.field = (value);                                \
		no_config(&c);                                    \
	} while (0)

/* As much as can be. */
#define YES(policy_, order_, field, value)                        \
	do {                                                      \
		struct fair_config c = config_of(policy_);        \
                                                                  \
		c.order = (order_);                               \
		c.field = (value);                                \
		TEST_CHECK(fair_sched_size(&c) > 0);              \
	} while (0)

static void limits_of_configs(void)
{
	struct fair_maui_config m = *limits();

	YES(FAIR_FCFS, 0, procs, 1);
	YES(FAIR_FCFS, 0, aside, JOBS);
	YES(FAIR_FCFS, 0, bookings, 1 << 20);
	YES(FAIR_FCFS, 0, origin, FAIR_TIME_MAX);
	YES(FAIR_FCFS, 0, origin, -FAIR_TIME_MAX);
	YES(FAIR_BACKFILL, 0, select, FAIR_NOFIT);
	YES(FAIR_BACKFILL, 0, metric, FAIR_FIT_PROC_SECONDS);
	YES(FAIR_BACKFILL, FAIR_ORDER_LINEAR, weight, 0);
	YES(FAIR_BACKFILL, FAIR_ORDER_LINEAR, weight, FAIR_WEIGHT_MAX);
	YES(FAIR_BACKFILL, FAIR_ORDER_USAGE, half_life, FAIR_USAGE_HALF_LIFE);
	YES(FAIR_PC, 0, order, FAIR_ORDER_LINEAR);
	YES(FAIR_PC, 0, order, FAIR_ORDER_NARROWEST);
	YES(FAIR_RELSHARE, 0, depth, 1);
	YES(FAIR_RELSHARE, 0, window, 1);
	m.select = FAIR_NOFIT;
	m.metric = FAIR_FIT_PROC_SECONDS;
	YES(FAIR_MAUI, 0, maui, &m);
}

static void configs(void)
{
	struct fair_maui_config m = *limits();

	NO(FAIR_FCFS, 0, policy, FAIR_MAUI + 1);
	NO(FAIR_FCFS, 0, order, FAIR_ORDER_COMPARE + 1);
	NO(FAIR_FCFS, 0, procs, 0);
	NO(FAIR_FCFS, 0, jobs, 0);
	NO(FAIR_FCFS, 0, jobs, UINT32_MAX / 4 + 1);
	NO(FAIR_FCFS, 0, aside, JOBS + 1);
	NO(FAIR_FCFS, 0, bookings, (1 << 20) + 1);
	NO(FAIR_FCFS, 0, origin, FAIR_TIME_MAX + 1);
	NO(FAIR_FCFS, 0, origin, -FAIR_TIME_MAX - 1);
	NO(FAIR_FCFS, 0, select, FAIR_GREEDY);
	NO(FAIR_BACKFILL, 0, select, FAIR_NOFIT + 1);
	NO(FAIR_BACKFILL, 0, metric, FAIR_FIT_PROC_SECONDS + 1);
	NO(FAIR_BACKFILL, FAIR_ORDER_KEY, key, NULL);
	NO(FAIR_BACKFILL, FAIR_ORDER_COMPARE, compare, NULL);
	NO(FAIR_BACKFILL, FAIR_ORDER_LINEAR, weight, -1);
	NO(FAIR_BACKFILL, FAIR_ORDER_LINEAR, weight, FAIR_WEIGHT_MAX + 1);
	NO(FAIR_BACKFILL, FAIR_ORDER_USAGE, select, FAIR_GREEDY);
	NO(FAIR_BACKFILL, FAIR_ORDER_USAGE, users, 0);
	NO(FAIR_BACKFILL, FAIR_ORDER_USAGE, half_life, -1);
	NO(FAIR_BACKFILL, FAIR_ORDER_USAGE, half_life,
	   FAIR_USAGE_HALF_LIFE + 1);
	NO(FAIR_CONSERVATIVE, 0, order, FAIR_ORDER_SJF);
	NO(FAIR_PC, 0, order, FAIR_ORDER_LXF);
	NO(FAIR_DC, 0, order, FAIR_ORDER_COMPARE);
	NO(FAIR_SFS, 0, accounts, 0);
	NO(FAIR_RELSHARE, 0, order, FAIR_ORDER_SJF);
	NO(FAIR_RELSHARE, 0, depth, 2);
	NO(FAIR_RELSHARE, 0, users, 0);
	NO(FAIR_RELSHARE, 0, window, 0);
	NO(FAIR_MAUI, 0, order, FAIR_ORDER_SJF);
	NO(FAIR_MAUI, 0, maui, NULL);
	m.select = FAIR_NOFIT + 1;
	NO(FAIR_MAUI, 0, maui, &m);
	m.select = 0;
	m.metric = FAIR_FIT_PROC_SECONDS + 1;
	NO(FAIR_MAUI, 0, maui, &m);
	no_config(NULL);
}

/* ---- memory: exactly as much, and nothing around it ---- */

#define AROUND 64

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

/* As many jobs, as many of them aside, as many bookings as there is room for. */
static void fill(struct fair_sched *s, int64_t now, uint64_t number)
{
	static const struct fair_until held = { 0, 0, 0, true };
	struct fair_decision start[JOBS];
	struct fair_job j = *job(number, now, 20, 1);
	int error = 0;
	uint32_t i;
	size_t n;

	for (i = 1; i <= s->config.bookings; i++)
		TEST_EQ(fair_sched_book(s, now, booking(i, now + 30 * i,
							now + 30 * i + 9, 3),
					true), 0);
	for (; !error; j.number += 4) {
		j.tasks = !s->jobs && s->config.jobs > 1 ? 3 : 0;
		j.procs = (int32_t)(j.number % 3 + 1);
		j.user = j.number % 8 / 4 ? s->config.users - 1 : 0;
		j.booking = j.number % 5 ? 0 : s->config.bookings;
		j.walltime = j.booking ? 1 : 20;
		error = fair_sched_submit_aside(s, now, &j,
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
	TEST_EQ((uintptr_t)s->plan.walk.groups % 4, 0);
	TEST_EQ(fair_sched_check(s), 0);
}

static void of_any(struct world *w, size_t shift)
{
	size_t bytes = fair_sched_fst_size(&w->config), length;
	struct fair_draw draw = { drawn, NULL, 1, 4 };
	struct fair_sched *s = &w->s, other;
	struct fair_forecast forecast;
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status waits;
	struct block b, image;
	struct fair_fst fst;
	int64_t start;
	int changes = 0;

	TEST_EQ(fair_sched_clone(&other, allot(&b, w->bytes, shift), w->bytes,
				 s), 0);
	is_aligned(&other);
	if (fair_sched_each(&other, FAIR_RUNNING, &at, &waits))
		TEST_EQ(fair_sched_finish(&other, other.now,
					  waits.job.number), 0);
	fill(&other, other.now, 1001);
	give_back(&b);
	length = fair_sched_image_size(s);
	TEST_EQ(fair_sched_save(s, allot(&image, length, shift), length), 0);
	TEST_EQ(fair_sched_load(&other, sizeof(other),
				allot(&b, w->bytes, 7 - shift), w->bytes,
				&w->config, image.at, length, NULL), 0);
	is_aligned(&other);
	give_back(&image);
	give_back(&b);
	at.row = at.index = 0;
	if (!fair_sched_each(s, FAIR_QUEUED, &at, &waits) &&
	    !fair_sched_each(s, FAIR_ASIDE, &at, &waits))
		return;
	allot(&b, bytes, shift);
	TEST_EQ(fair_sched_estimate(s, waits.job.number, b.at, bytes, &start),
		0);
	(void)fair_sched_fst(s, s->now, job(999, s->now, 9, 1), b.at, bytes,
			     run_time, NULL, &fst);
	give_back(&b);
	bytes = fair_sched_forecast_size(&w->config, draw.samples);
	allot(&b, bytes, shift);
	TEST_EQ(fair_sched_forecast(s, waits.job.number, &draw, b.at, bytes,
				    &forecast), 0);
	give_back(&b);
	bytes = fair_sched_whatif_size(&w->config, &w->config);
	allot(&b, bytes, shift);
	TEST_EQ(fair_sched_whatif(s, s, b.at, bytes, count_change, &changes),
		0);
	TEST_EQ(changes, 0);
	give_back(&b);
}

static void exact(struct fair_config *c, size_t shift)
{
	struct world w;
	struct block b;

	memset(&w, 0, sizeof(w));
	w.config = *c;
	w.bytes = fair_sched_size(c);
	w.memory = (char *)allot(&b, w.bytes, shift);
	w.kept = (char *)malloc(w.bytes);
	keep(&w);
	FAULT(&w, "fair_sched_init: -FAIR_ENOMEM one byte less",
	      fair_sched_init(&w.s, sizeof(w.s), w.memory, w.bytes - 1, c));
	FAULT(&w, "fair_sched_init: -FAIR_EINVAL of another size",
	      fair_sched_init(&w.s, sizeof(w.s) + 1, w.memory, w.bytes, c));
	FAULT(&w, "fair_sched_init: -FAIR_EINVAL no scheduler",
	      fair_sched_init(NULL, sizeof(w.s), w.memory, w.bytes, c));
	FAULT(&w, "fair_sched_init: -FAIR_EINVAL no memory",
	      fair_sched_init(&w.s, sizeof(w.s), NULL, w.bytes, c));
	TEST_EQ(fair_sched_init(&w.s, sizeof(w.s), w.memory, w.bytes, c), 0);
	is_aligned(&w.s);
	fill(&w.s, 0, 1);
	of_any(&w, shift);
	free(w.kept);
	give_back(&b);
}

/* Every policy with every order that it takes, with bookings and without. */
static void memory(void)
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
					c.bookings = k % 2 ? 2 : 0;
					c.aside = k / 2 ? c.jobs : 0;
					c.depth = k && policy != FAIR_RELSHARE
						  ? k : 0;
					exact(&c, shift++ % 8);
				}
		}
	TEST_CHECK(shift > 300);
}

int main(void)
{
	TEST_RUN(events);
	TEST_RUN(growth);
	TEST_RUN(no_room);
	TEST_RUN(fields);
	TEST_RUN(bookings);
	TEST_RUN(questions);
	TEST_RUN(futures_without_room);
	TEST_RUN(conversions);
	TEST_RUN(ends_now);
	TEST_RUN(images);
	TEST_RUN(configs);
	TEST_RUN(limits_of_configs);
	TEST_RUN(memory);
	return test_report();
}
