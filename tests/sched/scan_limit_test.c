/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A step that reaches its scan limit goes on in the next call: what is left of
 * a reaction comes first, a job that was looked at is not looked at again, and
 * a clone has no limit.
 */
#include "fairsched.h"
#include "tests/test.h"

static struct fair_maui_config maui;

TEST_EACH(set_maui)
{
	maui = fair_maui_defaults();
}

static int64_t began(const struct fair_sched *s, uint64_t number)
{
	struct fair_job_status j;

	TEST_EQ(fair_sched_lookup(s, number, &j), 0);
	TEST_EQ(j.state, FAIR_RUNNING);
	return j.start;
}

/* When time passes, the rest of an unfinished step comes later. */
TEST(time_passes)
{
	static const uint32_t policy[] = { FAIR_BACKFILL, FAIR_DC, FAIR_PC,
					   FAIR_RELSHARE, FAIR_MAUI };
	struct fair_decision start[9];
	struct fair_sched s;
	size_t i, n, first, bytes;
	void *memory;
	struct fair_config c = {
		.procs = 9, .jobs = 9, .users = 1, .window = 100, .maui = &maui
	};
	struct fair_job j = { .procs = 1, .walltime = 10 };

	j.group = j.account = j.queue = j.qos = FAIR_THROTTLE_NONE;
	for (i = 0; i < sizeof(policy) / sizeof(*policy); i++) {
		c.policy = policy[i];
		j.user = c.policy == FAIR_MAUI ? FAIR_THROTTLE_NONE : 0;
		bytes = fair_sched_size(&c);
		memory = malloc(bytes);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory, bytes, &c), 0);
		for (j.number = 0; j.number < 9; j.number++)
			TEST_EQ(fair_sched_submit(&s, 0, &j), 0);
		fair_sched_scan_limit(&s, 2);
		TEST_EQ(fair_sched_step(&s, 0, start, 9, &first), 0);
		TEST_EQ(fair_sched_is_unfinished(&s),
			c.policy < FAIR_CONSERVATIVE || c.policy > FAIR_DC);
		fair_sched_scan_limit(&s, 0);
		TEST_EQ(fair_sched_step(&s, 1, start, 9, &n), 0);
		TEST_EQ(first + n, 9);
		TEST_CHECK(!n || start[0].time == 1);
		if (n)
			TEST_EQ(began(&s, start[0].number), 1);
		TEST_CHECK(!fair_sched_is_unfinished(&s));
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
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
}

static void close_few(struct few *x)
{
	TEST_EQ(fair_sched_check(&x->s), 0);
	free(x->memory);
}

static void add(struct fair_sched *s, int64_t now, uint64_t number)
{
	struct fair_job j = {
		.number = number, .submit = now, .procs = 10, .walltime = 10
	};

	j.user = j.group = j.account = j.queue = j.qos = FAIR_THROTTLE_NONE;
	TEST_EQ(fair_sched_submit(s, now, &j), 0);
}

/* The job that starts within @looks scans; 0: none. */
static uint64_t look(struct fair_sched *s, int64_t now, uint64_t scans)
{
	struct fair_decision start[9];
	size_t n;

	fair_sched_scan_limit(s, scans);
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

/* Job 1 ends early; of the jobs behind it, one has moved. */
static void open_unfinished(struct few *x, uint32_t policy)
{
	open_few(x, policy);
	add(&x->s, 0, 1);
	TEST_EQ(look(&x->s, 0, 0), 1);
	add(&x->s, 0, 2);
	add(&x->s, 0, 3);
	fair_sched_scan_limit(&x->s, 1);
	TEST_EQ(fair_sched_finish(&x->s, 5, 1), 0);
	TEST_CHECK(fair_sched_is_unfinished(&x->s));
	TEST_EQ(status(&x->s, 3).start, 20);
}

/* The rest of a reaction is done before anything else, in a copy as well. */
TEST(reactions_are_ended)
{
	struct fair_sched copy;
	struct few x;
	void *memory;

	open_unfinished(&x, FAIR_CONSERVATIVE);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_clone(&copy, memory, x.bytes, &x.s), 0);
	add(&copy, 5, 4);
	TEST_CHECK(!fair_sched_is_unfinished(&copy));
	TEST_EQ(status(&copy, 3).start, 15);
	TEST_EQ(status(&copy, 3).moves, 1);
	TEST_EQ(fair_sched_check(&copy), 0);
	free(memory);
	TEST_EQ(status(&x.s, 3).start, 20);
	TEST_EQ(fair_sched_pass_time(&x.s, 5), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	TEST_EQ(status(&x.s, 3).start, 15);
	close_few(&x);
}

/* Under pc an event does not wait for it: the job that arrives is promised a
 * start in the plan as it is, and time passes before the rest, so that 2, which
 * has moved, is late. */
TEST(prioritized_compression_stays_unfinished)
{
	struct fair_sched copy;
	struct few x;
	void *memory;

	open_unfinished(&x, FAIR_PC);
	add(&x.s, 6, 4);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_EQ(status(&x.s, 2).start, 6);
	TEST_EQ(status(&x.s, 2).cause, FAIR_CAUSE_LATE_STEP);
	TEST_EQ(status(&x.s, 3).start, 20);
	TEST_EQ(status(&x.s, 4).start, 30);
	TEST_EQ(fair_sched_check(&x.s), 0);
	memory = malloc(x.bytes);
	TEST_EQ(fair_sched_clone(&copy, memory, x.bytes, &x.s), 0);
	TEST_CHECK(fair_sched_is_unfinished(&copy));
	TEST_CHECK(!fair_sched_resume(&copy));
	TEST_EQ(status(&copy, 3).start, 16);
	TEST_EQ(status(&copy, 4).start, 26);
	TEST_EQ(fair_sched_check(&copy), 0);
	free(memory);
	TEST_EQ(fair_sched_pass_time(&x.s, 7), 0);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_EQ(fair_sched_cancel(&x.s, 7, 3), 0); /* the job to resume at */
	TEST_EQ(status(&x.s, 2).start, 7);
	TEST_EQ(status(&x.s, 4).start, 30);
	while (fair_sched_resume(&x.s))
		;
	TEST_EQ(status(&x.s, 4).start, 17);
	close_few(&x);
}

static int64_t of_ten_seconds(void *context, uint64_t number)
{
	(void)context;
	(void)number;
	return 10;
}

/* A simulated run ends it at once, and goes on with the step. */
TEST(simulated_runs_end_it)
{
	struct fair_simulated_run run;
	struct few x;
	int64_t start;
	size_t bytes;
	void *memory;

	open_unfinished(&x, FAIR_PC);
	bytes = fair_sched_fst_size(&x.config);
	memory = malloc(bytes);
	TEST_OK(fair_simulated_run_init(&run, sizeof(run), memory, bytes, &x.s,
					5, of_ten_seconds, NULL));
	TEST_OK(fair_simulated_run_start(&run, 3, &start));
	TEST_EQ(start, 15);
	free(memory);
	close_few(&x);
}

/* A plan that is not finished is dropped, and begins anew. */
TEST(plans_are_dropped)
{
	struct few x;
	uint64_t n;

	open_few(&x, FAIR_BACKFILL);
	add(&x.s, 0, 1);
	TEST_EQ(look(&x.s, 0, 0), 1);
	for (n = 2; n < 6; n++)
		add(&x.s, 0, n);
	TEST_EQ(look(&x.s, 0, 2), 0);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_EQ(fair_sched_pass_time(&x.s, 0), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	TEST_EQ(look(&x.s, 0, 2), 0);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_EQ(look(&x.s, 0, 2), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	close_few(&x);
	open_few(&x, FAIR_BACKFILL);
	for (n = 1; n < 4; n++)
		add(&x.s, 0, n);
	TEST_EQ(look(&x.s, 0, 2), 1);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_EQ(fair_sched_refuse(&x.s, 0, 1), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	close_few(&x);
}

/*
 * A scanned job is not scanned again because time passes, or without a change.
 */
TEST(only_newcomers)
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
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	close_few(&x);
}

/* Two priorities, two steps of sorting, then the job that starts. */
TEST(scans_of_maui)
{
	struct few x;
	int i;

	open_few(&x, FAIR_MAUI);
	add(&x.s, 0, 1);
	add(&x.s, 0, 2);
	for (i = 0; i < 4; i++) {
		TEST_EQ(look(&x.s, 0, 1), 0);
		TEST_CHECK(fair_sched_is_unfinished(&x.s));
	}
	TEST_EQ(look(&x.s, 0, 1), 1);
	close_few(&x);
}

/* Priorities of a step that was not finished are those of a later one. */
TEST(priorities_begin_anew)
{
	struct few x;

	open_few(&x, FAIR_MAUI);
	add(&x.s, 0, 1);
	add(&x.s, 60, 2);
	TEST_EQ(look(&x.s, 60, 1), 0);
	TEST_EQ(fair_sched_pass_time(&x.s, 6000), 0);
	TEST_EQ(look(&x.s, 6000, 0), 1);
	close_few(&x);
}

/* How often a walk scans four jobs of which none fits, and sorts them. */
static uint64_t scans(struct fair_config c)
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
	TEST_EQ(fair_sched_pass_time(&s, 1), 0);
	fair_sched_scan_limit(&s, 1);
	do {
		TEST_EQ(fair_sched_step(&s, 1, start, 5, &n), 0);
		TEST_EQ(n, 0);
		calls++;
	} while (fair_sched_is_unfinished(&s) && calls < 100);
	free(memory);
	return calls;
}

/*
 * Each pass scans each job once; a selection by windows counts no scans.
 */
TEST(scans_of_passes)
{
	struct fair_config c = { .policy = FAIR_SFS, .depth = 5 };
	struct fair_maui_config m = maui;
	uint64_t none;

	TEST_EQ(scans(c), 2 * 4);
	c.policy = FAIR_MAUI;
	c.maui = &m;
	m.depth = 1;
	m.select = FAIR_NOFIT;
	none = scans(c);
	m.select = FAIR_FIRSTFIT;
	TEST_EQ(scans(c), none);
}

/*
 * 1 has 1 of 3 processors until 10. User 1 may have 1: 2 has it until 100, and 3
 * and 4 wait, though a processor is free. A call scans one of them.
 */
static void open_limited(struct fair_sched *s)
{
	static const struct fair_limit one = { FAIR_ENTITY_USER,
					       FAIR_LIMIT_PROCS, 1, 1 };
	static const struct fair_limit all = { FAIR_ENTITY_USER,
					       FAIR_LIMIT_PROCS, 0, 3 };
	const struct fair_limit limits[2] = { one, all };
	const struct fair_config c = { .policy = FAIR_CONSERVATIVE,
				       .procs = 3,
				       .jobs = 4,
				       .users = 2,
				       .limits = 2,
				       .limit = limits };
	struct fair_job j = { .number = 1, .procs = 1, .walltime = 10 };
	static char memory[1 << 14];

	TEST_OK(fair_sched_init(s, sizeof(*s), memory, sizeof(memory), &c));
	TEST_OK(fair_sched_submit(s, 0, &j));
	for (j.number = 2; j.number < 5; j.number++) {
		j.user = 1;
		j.walltime = j.number == 2 ? 100 : 10;
		TEST_OK(fair_sched_submit(s, 0, &j));
	}
	TEST_EQ(look(s, 0, 0), 1);
	TEST_EQ(status(s, 4).start, 110);
	fair_sched_scan_limit(s, 1);
}

/* Where nothing becomes free, no reservation is looked at: by a limit that only
 * has less, */
TEST(a_lowered_limit_frees_nothing)
{
	const struct fair_limit less = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 0,
					 2 };
	struct fair_sched s;

	open_limited(&s);
	TEST_OK(fair_sched_limit(&s, 1, &less));
	TEST_EQ(look(&s, 1, 1), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&s));
}

/* by a job that runs on, */
TEST(an_overrun_frees_nothing)
{
	struct fair_sched s;

	open_limited(&s);
	TEST_EQ(look(&s, 10, 1), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&s));
}

/* and by a plan that is made anew, if no ledger has a veto. */
TEST(planning_anew_frees_nothing)
{
	struct fair_sched s;

	open_limited(&s);
	TEST_OK(fair_sched_replan(&s, 5));
	TEST_CHECK(!fair_sched_is_unfinished(&s));
}

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
		  int64_t walltime, uint64_t advance)
{
	struct fair_job j = { .number = number,
			      .procs = procs,
			      .walltime = walltime,
			      .advance = advance };

	TEST_EQ(fair_sched_submit(&x->s, 0, &j), 0);
}

/* The jobs that start, as digits, in one call of at most @budget scans. */
static uint64_t piece(struct site *x, int64_t now, uint64_t scan_limit)
{
	struct fair_decision start[8];
	uint64_t all = 0;
	size_t n, i;

	x->moves = 0;
	fair_sched_scan_limit(&x->s, scan_limit);
	TEST_EQ(fair_sched_step(&x->s, now, start, 8, &n), 0);
	for (i = 0; i < n; i++)
		all = 10 * all + start[i].number;
	TEST_EQ(fair_sched_check(&x->s), 0);
	return all;
}

static void begin_site(struct site *x)
{
	memset(x, 0, sizeof(*x));
	x->config.policy = FAIR_CONSERVATIVE;
	x->config.procs = 10;
	x->config.jobs = 9;
	x->config.advances = 1;
	x->config.promised = note;
	x->config.context = x;
}

static void open_begun(struct site *x)
{
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	x->other = malloc(x->bytes);
	if (!x->memory || !x->other)
		abort();
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
}

static void open_site(struct site *x)
{
	begin_site(x);
	open_begun(x);
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

/*
 * A step first ends the reaction, within its scan limit: reservation jobs wait,
 * too.
 */
TEST(reactions_first)
{
	const struct fair_advance b = { 7, 5, 40, 3, FAIR_ADVANCE_USER, 0, 0, { 0 }, 0, 0 };
	struct site x;
	uint64_t n;

	open_site(&x);
	queue_up(&x);
	TEST_EQ(fair_sched_advance_reserve(&x.s, 0, &b, true), 0);
	place(&x, 6, 2, 10, 7);
	fair_sched_scan_limit(&x.s, 1);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(x.last.number, 2);
	for (n = 3; n < 5; n++) {
		TEST_EQ(piece(&x, 5, 1), 0);
		TEST_EQ(x.moves, 1);
		TEST_EQ(x.last.number, n);
		TEST_CHECK(fair_sched_is_unfinished(&x.s));
	}
	TEST_EQ(piece(&x, 5, 1), 6);
	TEST_EQ(x.last.number, 5);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	close_site(&x);
}

/* 7, 8 and 9 are wider than the machine is now: each step scans them. */
static void open_narrowed(struct site *x)
{
	uint64_t n;

	open_site(x);
	for (n = 7; n < 10; n++)
		place(x, n, 10, 10, 0);
	TEST_EQ(fair_sched_capacity(&x->s, 0, -1, NULL, 0), 0);
}

/*
 * 3 is in the way of 2, which is late: both move before the reaction. This one
 * scans 7, 8 and 9, which have no start, then 2 and 3; the step scans those
 * three again.
 */
TEST(late_in_pieces)
{
	struct site x;

	open_narrowed(&x);
	place(&x, 2, 9, 10, 0);
	place(&x, 3, 9, 10, 0);
	TEST_EQ(piece(&x, 5, 2), 0);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_EQ(x.moves, 2);
	TEST_EQ(x.last.number, 3);
	TEST_EQ(x.last.from, 10);
	TEST_EQ(x.last.to, 15);
	TEST_EQ(x.last.cause, FAIR_CAUSE_LATE_STEP);
	TEST_EQ(piece(&x, 5, 5), 0);
	TEST_EQ(x.moves, 0);
	TEST_EQ(piece(&x, 5, 1), 2);
	TEST_EQ(x.moves, 0);
	close_site(&x);
}

/*
 * The scans of the reaction count against the scan limit of the step: 7, 8 and
 * 9, which have no start, 2 and 3; 4, and in the step 7 and 8; 9.
 */
TEST(one_scan_limit_for_reaction_and_step)
{
	struct site x;
	uint64_t n;

	open_narrowed(&x);
	place(&x, 1, 9, 100, 0);
	TEST_EQ(piece(&x, 0, 0), 1);
	for (n = 2; n < 5; n++)
		place(&x, n, 9, 10, 0);
	fair_sched_scan_limit(&x.s, 1);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(piece(&x, 5, 4), 0);
	TEST_EQ(x.moves, 2);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_EQ(piece(&x, 5, 3), 0);
	TEST_EQ(x.moves, 1);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_EQ(piece(&x, 5, 1), 2);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	close_site(&x);
}

/* A clone has no scan limit. */
TEST(clones_have_no_scan_limit)
{
	struct site x, y;

	open_site(&x);
	queue_up(&x);
	fair_sched_scan_limit(&x.s, 1);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	TEST_EQ(fair_sched_clone(&y.s, x.other, x.bytes, &x.s), 0);
	fair_sched_report_to(&y.s, note, &x);
	TEST_CHECK(fair_sched_is_unfinished(&y.s));
	x.moves = 0;
	TEST_CHECK(!fair_sched_resume(&y.s));
	TEST_EQ(x.moves, 3);
	TEST_CHECK(fair_sched_resume(&x.s));
	close_site(&x);
}

/* What a loss as time passes moves is scanned in the step. Reservation job 4 of
 * user 1 becomes eligible at 5, so that 3 moves behind 2. */
TEST(one_scan_limit_for_a_loss_and_step)
{
	static const struct fair_advance b = { .number = 7,
					       .from = 50,
					       .to = 90,
					       .procs = 2,
					       .kind = FAIR_ADVANCE_USER };
	static const struct fair_limit four = { FAIR_ENTITY_USER,
						FAIR_LIMIT_PROCS, 1, 4 };
	const struct fair_eligibility at_5 = { 5, 0, 0, false };
	struct fair_job j = { .number = 1, .procs = 10, .walltime = 50 };
	struct site x;

	begin_site(&x);
	x.config.users = 2;
	x.config.ineligible = 1;
	x.config.limits = 1;
	x.config.limit = &four;
	open_begun(&x);
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	TEST_EQ(piece(&x, 0, 0), 1);
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	j.procs = 2;
	j.walltime = 10;
	j.user = 1;
	for (j.number = 2; j.number < 4; j.number++)
		TEST_OK(fair_sched_submit(&x.s, 0, &j));
	j.advance = 7;
	TEST_OK(fair_sched_submit_ineligible(&x.s, 0, &j, &at_5));
	TEST_EQ(piece(&x, 5, 2), 0);
	TEST_EQ(status(&x.s, 3).start, 60);
	TEST_CHECK(fair_sched_is_unfinished(&x.s));
	TEST_EQ(piece(&x, 5, 1), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	close_site(&x);
}

/* Nor has a reservation job that comes the others looked at again. */
TEST(only_a_reservation_job)
{
	static const struct fair_advance b = { .number = 7,
					       .from = 100,
					       .to = 200,
					       .procs = 2,
					       .kind = FAIR_ADVANCE_USER };
	struct site x;

	begin_site(&x);
	x.config.policy = FAIR_BACKFILL;
	x.config.depth = 4;
	open_begun(&x);
	TEST_OK(fair_sched_advance_reserve(&x.s, 0, &b, false));
	place(&x, 1, 9, 100, 0);
	place(&x, 2, 10, 10, 0);
	place(&x, 3, 10, 10, 0);
	TEST_EQ(piece(&x, 0, 0), 1);
	place(&x, 6, 2, 10, 7);
	TEST_EQ(piece(&x, 0, 1), 0);
	TEST_CHECK(!fair_sched_is_unfinished(&x.s));
	close_site(&x);
}
