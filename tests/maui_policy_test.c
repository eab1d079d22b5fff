/* SPDX-License-Identifier: MIT OR Unlicense */
/* Maui as a policy: iterations, limits, usage, and what it promises users. */
#include "fairsched.h"
#include "test.h"

#define NONE FAIR_THROTTLE_NONE
#define DAY 86400

/* The manual's. */
static void the_example(void)
{
	struct fair_maui_credential user[2] = { fair_maui_anybody(),
						fair_maui_anybody() };
	struct fair_maui_config config = fair_maui_defaults();
	struct fair_maui_request job = {
		{ 1, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE,
		  FAIR_THROTTLE_NONE },
		16,
		16,
		3600,
		0,
		0,
		0,
		0
	};
	struct fair_priority_parts parts;
	struct fair_maui m;
	size_t bytes;
	void *memory;

	user[1].priority = 100;
	user[1].hard[FAIR_THROTTLE_PROCS] = 32;
	user[1].soft[FAIR_THROTTLE_PROCS] = 16;
	config.priority.weight[FAIR_PRIORITY_USER] = 1;
	config.count[FAIR_THROTTLE_USER] = 2;
	config.credential[FAIR_THROTTLE_USER] = user;
	bytes = fair_maui_size(&config, 10);
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, bytes, &config, 10, 128,
			       0),
		0);
	TEST_EQ(fair_maui_submit(&m, 0, &job), 0);
	TEST_EQ(fair_maui_submit(&m, 1, &job), 0);
	TEST_EQ(fair_maui_start(&m, 0, 0, 3600), 0);
	TEST_EQ(fair_maui_parts(&m, 1, 0, 3600, &parts), 0);
	TEST_EQ(parts.priority, 100 << 20);
	TEST_CHECK(!fair_maui_gate(&m, 0, 1, 3600, FAIR_MAUI_SOFT));
	TEST_CHECK(fair_maui_gate(&m, 0, 1, 3600, FAIR_MAUI_HARD));
	free(memory);
}

/* A scheduler, and jobs of known run times. */
#define JOBS 64
struct site {
	struct fair_maui_credential user[3], class_[2];
	struct fair_maui_qos qos[2];
	struct fair_maui_config config;
	struct fair_config sched_config;
	struct fair_sched sched;
	void *memory;
	uint64_t number;
	int64_t now;
	int64_t start[JOBS]; /* by number, of the first */
};

static void site_begin(struct site *x)
{
	int i;

	memset(x, 0, sizeof(*x));
	for (i = 0; i < 3; i++)
		x->user[i] = fair_maui_anybody();
	for (i = 0; i < 2; i++)
		x->class_[i] = fair_maui_anybody();
	x->config = fair_maui_defaults();
	x->config.count[FAIR_THROTTLE_USER] = 3;
	x->config.count[FAIR_THROTTLE_QOS] = 2;
	x->config.count[FAIR_THROTTLE_CLASS] = 2;
	x->config.credential[FAIR_THROTTLE_USER] = x->user;
	x->config.credential[FAIR_THROTTLE_CLASS] = x->class_;
	x->config.qos = x->qos;
	x->sched_config.policy = FAIR_MAUI;
	x->sched_config.procs = 6;
	x->sched_config.jobs = JOBS;
	x->sched_config.maui = &x->config;
	for (i = 0; i < JOBS; i++)
		x->start[i] = -1;
}

static void site_open(struct site *x)
{
	size_t bytes = fair_sched_size(&x->sched_config);

	x->memory = malloc(bytes);
	TEST_CHECK(bytes && x->memory);
	memset(x->memory, 0x5a, bytes);
	TEST_EQ(fair_sched_init(&x->sched, sizeof(x->sched), x->memory, bytes,
				&x->sched_config),
		0);
}

static void site_close(struct site *x)
{
	TEST_EQ(fair_sched_check(&x->sched), 0);
	free(x->memory);
}

static struct fair_job job_of(uint32_t user, int32_t procs, int64_t walltime)
{
	struct fair_job j = { 0 };

	j.user = user;
	j.group = j.account = j.qos = j.queue = NONE;
	j.procs = procs;
	j.nodes = procs;
	j.walltime = walltime;
	return j;
}

static uint64_t submit(struct site *x, struct fair_job j)
{
	j.number = x->number++;
	j.submit = x->now;
	TEST_EQ(fair_sched_submit(&x->sched, x->now, &j), 0);
	return j.number;
}

static size_t step(struct site *x, int64_t now)
{
	struct fair_decision d[JOBS];
	size_t n, i;

	x->now = now;
	TEST_EQ(fair_sched_step(&x->sched, now, d, JOBS, &n), 0);
	for (i = 0; i < n; i++)
		if (d[i].number < JOBS)
			x->start[d[i].number] = now;
	return n;
}

/* [MAUI] figure 1: A ends an hour early, but C is in the way of B. */
static void figure_1(void)
{
	const int64_t hour = 3600;
	uint32_t select;
	struct site x;

	for (select = FAIR_FIRSTFIT; select <= FAIR_NOFIT; select++) {
		site_begin(&x);
		x.config.select = select;
		site_open(&x);
		submit(&x, job_of(0, 4, 3 * hour));
		step(&x, 0);
		submit(&x, job_of(0, 5, hour));
		submit(&x, job_of(0, 2, 3 * hour));
		step(&x, 0);
		x.now = 2 * hour;
		TEST_EQ(fair_sched_finish(&x.sched, x.now, 0), 0);
		step(&x, x.now);
		TEST_EQ(x.start[2], select == FAIR_NOFIT ? -1 : 0);
		TEST_EQ(x.start[1], select == FAIR_NOFIT ? 2 * hour : -1);
		if (select != FAIR_NOFIT) {
			TEST_EQ(fair_sched_finish(&x.sched, 3 * hour, 2), 0);
			step(&x, 3 * hour);
			TEST_EQ(x.start[1], 3 * hour);
		}
		site_close(&x);
	}
}

/*
 * [MAUI] figure 3: of 3 idle nodes 2 are blocked after two hours. Window 1 has
 * one node without end, window 2 three nodes for two hours.
 */
static void figure_3_starts(uint32_t select, uint32_t metric, bool longest,
			    const int *order, int n)
{
	const int64_t hour = 3600;
	struct site x;
	int i;

	site_begin(&x);
	x.config.select = select;
	x.config.metric = metric;
	x.config.longest = longest;
	site_open(&x);
	submit(&x, job_of(0, 3, 2 * hour)); /* 0: runs */
	step(&x, 0);
	submit(&x, job_of(0, 5, 3 * hour)); /* 1: reserved at 2 h */
	submit(&x, job_of(0, 1, hour));	    /* 2 */
	submit(&x, job_of(0, 2, hour));	    /* 3 */
	submit(&x, job_of(0, 1, 5 * hour)); /* 4 */
	submit(&x, job_of(0, 2, 2 * hour)); /* 5 */
	step(&x, 0);
	for (i = 0; i < n; i++)
		TEST_EQ(x.start[order[i]], 0);
	for (i = 2; i < 6; i++)
		TEST_EQ(x.start[i] == 0,
			i == order[0] || (n > 1 && i == order[1]));
	site_close(&x);
}

static void figure_3(void)
{
	/* In priority order 2 and 3. */
	figure_3_starts(FAIR_FIRSTFIT, FAIR_FIT_PROCS, false,
			(const int[]){ 2, 3 }, 2);
	/* Window 2 first: most processors, then what is left. */
	figure_3_starts(FAIR_BESTFIT, FAIR_FIT_PROCS, false,
			(const int[]){ 3, 2 }, 2);
	/* The longest there is 5; window 1 is left, for 4. */
	figure_3_starts(FAIR_BESTFIT, FAIR_FIT_SECONDS, false,
			(const int[]){ 5, 4 }, 2);
	/* Window 1 first: 4, and then 5 into what is left of window 2. */
	figure_3_starts(FAIR_BESTFIT, FAIR_FIT_SECONDS, true,
			(const int[]){ 4, 5 }, 2);
	/* The set of most processor-seconds that fits into window 2. */
	figure_3_starts(FAIR_GREEDY, FAIR_FIT_PROC_SECONDS, false,
			(const int[]){ 2, 5 }, 2);
}

/* [MAUI] 3, steps 6 to 8: soft limits yield to idle processors, hard do not. */
static void soft_then_hard(void)
{
	struct site x;

	site_begin(&x);
	x.user[0].soft[FAIR_THROTTLE_JOBS] = 1;
	x.user[0].hard[FAIR_THROTTLE_JOBS] = 3;
	site_open(&x);
	submit(&x, job_of(0, 1, 100));
	submit(&x, job_of(0, 1, 100)); /* set aside until step 8 */
	submit(&x, job_of(1, 3, 100));
	submit(&x, job_of(0, 1, 100)); /* no room left of user 1's last */
	submit(&x, job_of(1, 1, 100));
	TEST_EQ(step(&x, 0), 4);
	TEST_EQ(x.start[3], -1);
	TEST_EQ(fair_sched_finish(&x.sched, 10, 4), 0);
	TEST_EQ(step(&x, 10), 1);
	TEST_EQ(fair_sched_finish(&x.sched, 20, 2), 0);
	x.now = 20;
	submit(&x, job_of(0, 1, 100)); /* a fourth: never */
	TEST_EQ(step(&x, 20), 0);
	site_close(&x);
}

static void flags(void)
{
	struct fair_job j;
	struct site x;

	site_begin(&x);
	x.qos[0].flags = FAIR_MAUI_NOBF;
	x.qos[1].flags = FAIR_MAUI_RESERVEALWAYS;
	site_open(&x);
	submit(&x, job_of(0, 4, 100));
	submit(&x, job_of(0, 5, 100)); /* reserved at 100 */
	j = job_of(0, 1, 10);
	j.qos = 0;
	submit(&x, j); /* is never backfilled */
	j = job_of(0, 6, 100);
	j.qos = 1;
	submit(&x, j);		       /* reserved at 200, beyond the depth */
	submit(&x, job_of(0, 1, 250)); /* would be in its way */
	submit(&x, job_of(0, 1, 150));
	TEST_EQ(step(&x, 0), 2);
	TEST_EQ(x.start[0], 0);
	TEST_EQ(x.start[5], 0);
	site_close(&x);
}

/* The class may use 15 % of what is delivered [MAUI] figure 5, and no more. */
static void cap_from(int64_t origin, int64_t window)
{
	struct fair_job j = job_of(0, 1, 1000);
	struct fair_why why;
	struct site x;

	site_begin(&x);
	x.sched_config.origin = x.now = origin;
	x.config.usage = FAIR_MAUI_PROCS;
	x.config.windows = 2;
	x.config.interval = 1000;
	x.class_[0].has_target = true;
	x.class_[0].target.kind = FAIR_USAGE_CAP;
	x.class_[0].target.points = 15 * FAIR_USAGE_POINT;
	site_open(&x);
	j.queue = 0;
	submit(&x, j);
	TEST_EQ(step(&x, origin), 1); /* nobody has used anything */
	x.now = window + 500;
	TEST_EQ(fair_sched_finish(&x.sched, x.now, 0), 0);
	submit(&x, j);
	TEST_EQ(step(&x, x.now), 0); /* 100 % */
	TEST_EQ(fair_sched_why(&x.sched, 1, NULL, 0, &why), 0);
	TEST_EQ(why.reasons, FAIR_WHY_CAP);
	TEST_EQ(x.sched.maui.barred, 1);
	TEST_EQ(fair_sched_next(&x.sched), window + 1000);
	TEST_EQ(step(&x, window + 1000), 0);
	TEST_EQ(fair_sched_next(&x.sched), window + 2000);
	TEST_EQ(step(&x, window + 2000), 1); /* forgotten */
	TEST_EQ(x.sched.maui.barred, 0);
	site_close(&x);
}

/* Above a cap is who used it, of whatever kind, and nobody else. */
static void bars(void)
{
	struct fair_maui_request used = {
		{ NONE, NONE, NONE, NONE, NONE }, 1, 1, 1, 0, 0, 0, 0
	}, none = used, other = used;
	struct fair_maui_credential who[2];
	struct fair_maui_config c;
	static uint64_t memory[512];
	struct fair_maui m;
	int kind;

	who[0] = who[1] = fair_maui_anybody();
	who[0].has_target = who[1].has_target = true;
	who[0].target.kind = who[1].target.kind = FAIR_USAGE_CAP;
	who[0].target.points = who[1].target.points = 50 * FAIR_USAGE_POINT;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		c = fair_maui_defaults();
		c.usage = FAIR_MAUI_PROCS;
		c.count[kind] = 2;
		c.credential[kind] = who;
		TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory),
				       &c, 3, 4, 0),
			0);
		used.id[kind] = 1;
		other.id[kind] = 0;
		TEST_EQ(fair_maui_submit(&m, 0, &used), 0);
		TEST_EQ(fair_maui_submit(&m, 1, &other), 0);
		TEST_EQ(fair_maui_submit(&m, 2, &none), 0);
		TEST_EQ(fair_maui_start(&m, 0, 0, 1), 0);
		TEST_CHECK(!fair_maui_barred(&m, 0));
		fair_maui_advance(&m, 1);
		TEST_CHECK(fair_maui_barred(&m, 0));
		TEST_CHECK(!fair_maui_barred(&m, 1));
		TEST_CHECK(!fair_maui_barred(&m, 2));
		TEST_CHECK(!fair_maui_gate(&m, 1, 0, 2, FAIR_MAUI_FIRST));
		TEST_CHECK(fair_maui_gate(&m, 1, 1, 2, FAIR_MAUI_FIRST));
		used.id[kind] = other.id[kind] = NONE;
	}
}

/* Windows begin at multiples of their length, whenever the first now is. */
static void cap(void)
{
	cap_from(0, 0);
	cap_from(300, 0);
	cap_from(7300, 7000);
	cap_from(-2700, -3000);
}

static int64_t estimate(struct site *x, uint64_t number)
{
	static char memory[1 << 16];
	int64_t start = 0;

	TEST_EQ(fair_sched_estimate(&x->sched, number, memory, sizeof(memory),
				    &start), 0);
	return start;
}

/* Two windows of 10 s, of which a user may have half. */
static void capped_begin(struct site *x, int64_t now)
{
	site_begin(x);
	x->sched_config.origin = x->now = now;
	x->config.usage = FAIR_MAUI_PROCS;
	x->config.windows = 2;
	x->config.interval = 10;
	x->user[0].has_target = true;
	x->user[0].target.kind = FAIR_USAGE_CAP;
	x->user[0].target.points = 50 * FAIR_USAGE_POINT;
}

/* When usage is forgotten, counted from its end, is when its user starts. */
static void estimates_of_capped(void)
{
	struct site x;

	capped_begin(&x, 1000);
	site_open(&x);
	submit(&x, job_of(0, 6, 100));
	TEST_EQ(step(&x, 1000), 1);
	submit(&x, job_of(0, 6, 100));
	TEST_EQ(estimate(&x, 1), 1110); /* as planned until 1100 */
	x.now = 1005;
	TEST_EQ(fair_sched_finish(&x.sched, 1005, 0), 0);
	TEST_EQ(step(&x, 1005), 0);
	TEST_EQ(estimate(&x, 1), 1020);
	site_close(&x);
}

/* What is booked for long is waited for, whatever the timer does meanwhile. */
static void estimates_behind_bookings(void)
{
	const struct fair_booking b = { 1, 0, 500, 6, FAIR_MAINTENANCE, 0 };
	struct site x;

	capped_begin(&x, 0);
	x.config.poll = 5;
	x.sched_config.bookings = 1;
	site_open(&x);
	TEST_EQ(fair_sched_book(&x.sched, 0, &b, false), 0);
	submit(&x, job_of(0, 1, 100));
	TEST_EQ(step(&x, 0), 0);
	TEST_EQ(estimate(&x, 0), 500);
	site_close(&x);
}

static void timer(void)
{
	struct site x;

	site_begin(&x);
	x.config.poll = 60;
	x.sched_config.origin = 7;
	x.now = 7;
	site_open(&x);
	TEST_EQ(fair_sched_next(&x.sched), FAIR_FOREVER);
	submit(&x, job_of(0, 6, 1000));
	TEST_EQ(step(&x, 7), 1);
	TEST_EQ(fair_sched_next(&x.sched), 1007);
	submit(&x, job_of(0, 6, 1000));
	TEST_EQ(fair_sched_next(&x.sched), 67);
	TEST_EQ(step(&x, 67), 0);
	TEST_EQ(fair_sched_next(&x.sched), 127);
	site_close(&x);
}

/*
 * Above its soft limit it could only be backfilled, where there is no backfill:
 * it never starts, and what asks when does not go on for ever with the timer.
 */
static void never(void)
{
	static char memory[1 << 16];
	const struct fair_job j = job_of(0, 3, 10);
	int64_t start = 0;
	struct site x;

	site_begin(&x);
	x.config.poll = 60;
	x.config.interval = 1000;
	x.config.select = FAIR_NOFIT;
	x.user[0].soft[FAIR_THROTTLE_PROCS] = 2;
	site_open(&x);
	submit(&x, j);
	TEST_EQ(step(&x, 0), 0);
	TEST_EQ(fair_sched_estimate(&x.sched, 0, memory, sizeof(memory),
				    &start), 0);
	TEST_EQ(start, FAIR_FOREVER);
	site_close(&x);
}

/* What is wrong with a limit is found when the scheduler begins. */
static void no_such_limit(void)
{
	struct fair_sched was;
	struct site x;
	size_t bytes;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_PROCS] = -1;
	bytes = fair_sched_size(&x.sched_config);
	x.memory = malloc(bytes);
	was = x.sched;
	TEST_EQ(fair_sched_init(&x.sched, sizeof(x.sched), x.memory, bytes,
				&x.sched_config), -FAIR_EINVAL);
	TEST_CHECK(!memcmp(&x.sched, &was, sizeof(was)));
	free(x.memory);
	site_begin(&x);
	x.config.depth = JOBS + 1;	/* more than there can be */
	site_open(&x);
	TEST_EQ(x.sched.plan.fill.limit, JOBS);
	site_close(&x);
}

/* Who runs under another policy uses what the limits allow. */
static void taken_over(void)
{
	struct fair_config plain = { 0 };
	struct fair_sched from, to;
	char *memory[2];
	struct fair_decision d[JOBS];
	struct fair_job j = job_of(0, 2, 100);
	struct site x;
	size_t bytes[2], n;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_PROCS] = 3;
	plain.policy = FAIR_BACKFILL;
	plain.procs = 6;
	plain.jobs = JOBS;
	bytes[0] = fair_sched_size(&plain);
	bytes[1] = fair_sched_size(&x.sched_config);
	memory[0] = malloc(bytes[0]);
	memory[1] = malloc(bytes[1]);
	TEST_EQ(fair_sched_init(&from, sizeof(from), memory[0], bytes[0],
				&plain), 0);
	TEST_EQ(fair_sched_submit(&from, 0, &j), 0);
	TEST_EQ(fair_sched_step(&from, 0, d, JOBS, &n), 0);
	TEST_EQ(n, 1);
	j.number = 1;
	TEST_EQ(fair_sched_submit(&from, 0, &j), 0);
	TEST_EQ(fair_sched_convert(&to, sizeof(to), memory[1], bytes[1],
				   &x.sched_config, &from), 0);
	TEST_EQ(fair_sched_check(&to), 0);
	TEST_EQ(fair_sched_step(&to, 0, d, JOBS, &n), 0);
	TEST_EQ(n, 0);
	TEST_EQ(fair_sched_finish(&to, 5, 0), 0);
	TEST_EQ(fair_sched_step(&to, 5, d, JOBS, &n), 0);
	TEST_EQ(n, 1);
	TEST_EQ(fair_sched_check(&to), 0);
	free(memory[0]);
	free(memory[1]);
}

/* Explained is what a narrower job does in its place, not where it would be. */
static void narrower_in_its_place(void)
{
	struct fair_why why;
	struct site x;
	size_t bytes;
	void *memory;

	site_begin(&x);
	x.config.priority.component_weight[FAIR_PRIORITY_RESOURCE] = 1;
	x.config.priority.weight[FAIR_PRIORITY_PROCS] = 100;
	site_open(&x);
	submit(&x, job_of(0, 3, 1000));
	TEST_EQ(step(&x, 0), 1);
	submit(&x, job_of(0, 3, 2000));
	submit(&x, job_of(0, 4, 500));
	TEST_EQ(step(&x, 0), 0);
	bytes = fair_sched_fst_size(&x.sched_config);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_why(&x.sched, 2, memory, bytes, &why), 0);
	TEST_EQ(why.procs, 3);
	free(memory);
	site_close(&x);
}

/* Each job of lower priority that goes first adds one, and one only. */
static void bypass(void)
{
	struct fair_priority_parts parts;
	struct site x;
	int i;

	site_begin(&x);
	site_open(&x);
	submit(&x, job_of(0, 4, 1000));
	submit(&x, job_of(0, 5, 100));
	TEST_EQ(step(&x, 0), 1);
	TEST_EQ(fair_sched_maui(&x.sched, 1, &parts), 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], 0);
	for (i = 0; i < 3; i++) {
		submit(&x, job_of(0, 2, 10));
		TEST_EQ(step(&x, 10 * i), 1);
		x.now = 10 * i + 10;
		TEST_EQ(fair_sched_finish(&x.sched, x.now, x.number - 1), 0);
	}
	TEST_EQ(fair_sched_modify(&x.sched, 30, 1, 5, 90), 0);
	TEST_EQ(fair_sched_maui(&x.sched, 1, &parts), 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_BYPASSED], 3 << 20);
	TEST_EQ(fair_sched_pass(&x.sched, 29), -FAIR_EINVAL);
	TEST_EQ(fair_sched_pass(&x.sched, 90), 0);
	TEST_EQ(fair_sched_maui(&x.sched, 1, &parts), 0);
	TEST_EQ(parts.value[FAIR_PRIORITY_QUEUE_TIME], 3 << 19);
	TEST_EQ(fair_sched_maui(&x.sched, 0, &parts), -FAIR_EINVAL);
	TEST_EQ(fair_sched_maui(&x.sched, 99, &parts), -FAIR_EINVAL);
	TEST_EQ(fair_sched_maui(&x.sched, 1, NULL), -FAIR_EINVAL);
	site_close(&x);
}

/* ---- users who always have work ---- */

/* Runs for some time less than it asks for. */
struct run {
	uint64_t number;
	int64_t end;
	uint32_t user;
	int32_t procs;
};

struct load {
	struct site site;
	struct run run[JOBS];
	int runs, waiting[3];
	int64_t used[3]; /* processor-seconds */
	uint64_t random;
};

static int64_t some(struct load *x, int64_t most)
{
	x->random = x->random * UINT64_C(6364136223846793005) +
		    UINT64_C(1442695040888963407);
	return (int64_t)((x->random >> 33) % (uint64_t)most) + 1;
}

static void load_open(struct load *x, uint64_t seed)
{
	memset(x, 0, sizeof(*x));
	site_begin(&x->site);
	x->random = seed;
	x->site.sched_config.procs = 64;
	x->site.config.usage = FAIR_MAUI_PROCS;
	x->site.config.priority.component_weight[FAIR_PRIORITY_FAIRSHARE] = 100;
	x->site.config.priority.weight[FAIR_PRIORITY_FS_USER] = 10;
}

static void set_target(struct load *x, int user, int64_t percent)
{
	x->site.user[user].has_target = true;
	x->site.user[user].target.kind = FAIR_USAGE_TARGET;
	x->site.user[user].target.points = percent * FAIR_USAGE_POINT;
}

static void load_submit(struct load *x, uint32_t user, int32_t procs,
			int64_t walltime)
{
	struct fair_job j = job_of(user, procs, walltime);

	j.cookie = user;
	submit(&x->site, j);
	x->waiting[user]++;
}

/* What ends until then, and when the first does of what does not. */
static int64_t load_end(struct load *x, int64_t until)
{
	int64_t next = FAIR_FOREVER;
	int i;

	for (i = x->runs; i-- > 0;) {
		if (x->run[i].end > until) {
			if (x->run[i].end < next)
				next = x->run[i].end;
			continue;
		}
		TEST_EQ(fair_sched_finish(&x->site.sched, until,
					  x->run[i].number),
			0);
		x->run[i] = x->run[--x->runs];
	}
	return next;
}

static void load_start(struct load *x, int64_t now)
{
	struct fair_decision d[JOBS];
	struct fair_job_status j;
	struct run *r;
	size_t n, i;

	TEST_EQ(fair_sched_step(&x->site.sched, now, d, JOBS, &n), 0);
	for (i = 0; i < n; i++) {
		TEST_EQ(fair_sched_lookup(&x->site.sched, d[i].number, &j), 0);
		r = &x->run[x->runs++];
		r->number = d[i].number;
		r->user = (uint32_t)d[i].cookie;
		r->procs = j.job.procs;
		r->end = now + some(x, j.job.walltime);
		x->waiting[r->user]--;
		x->used[r->user] += r->procs * (r->end - now);
	}
}

/* For @users with always work, @seconds from now on. */
static void load_run(struct load *x, uint32_t users, int64_t seconds)
{
	int64_t end = x->site.now + seconds, next;
	uint32_t user;

	while (x->site.now < end) {
		for (user = 0; user < users; user++)
			while (x->waiting[user] < 10)
				load_submit(x, user, (int32_t)some(x, 16),
					    some(x, 4 * 3600));
		load_start(x, x->site.now);
		next = load_end(x, x->site.now);
		x->site.now = next;
		load_end(x, next);
	}
}

/* Whatever the sizes of the jobs: 70 and 30, within a point. */
static void two_users(void)
{
	static const struct {
		uint32_t windows;
		int64_t interval;
		uint64_t decay;
	} rule[3] = {
		{ 7, DAY, FAIR_USAGE_ONE },
		/* [MAUI] figure 5 */
		{ 14, DAY / 2, FAIR_USAGE_ONE / 5 * 4 },
		/* [MAUI] 6.1.2 */
		{ 8, DAY, FAIR_USAGE_ONE / 4 * 3 },
	};
	static struct load x;
	int64_t share;
	uint64_t seed;

	for (seed = 0; seed < 6; seed++) {
		load_open(&x, seed);
		x.site.config.windows = rule[seed % 3].windows;
		x.site.config.interval = rule[seed % 3].interval;
		x.site.config.decay = rule[seed % 3].decay;
		set_target(&x, 0, 70);
		set_target(&x, 1, 30);
		site_open(&x.site);
		load_run(&x, 2, 30 * DAY);
		share = 10000 * x.used[0] / (x.used[0] + x.used[1]);
		TEST_CHECK(share >= 6900 && share <= 7100);
		site_close(&x.site);
	}
}

/*
 * One had the machine for a week, then was idle for a week while another used a
 * little. With windows of both weeks the other goes first; one window forgets.
 */
static void hog(void)
{
	static struct load x;
	struct fair_priority_parts parts;
	uint32_t windows;
	int64_t other;

	for (windows = 1; windows <= 14; windows += 13) {
		load_open(&x, 1);
		x.site.config.windows = windows;
		x.site.config.interval = DAY;
		x.site.config.decay = FAIR_USAGE_ONE / 5 * 4;
		set_target(&x, 0, 50);
		set_target(&x, 1, 50);
		site_open(&x.site);
		submit(&x.site, job_of(0, 64, 7 * DAY));
		TEST_EQ(step(&x.site, 0), 1);
		TEST_EQ(fair_sched_finish(&x.site.sched, 7 * DAY, 0), 0);
		x.site.now = 7 * DAY;
		submit(&x.site, job_of(1, 6, 7 * DAY));
		TEST_EQ(step(&x.site, 7 * DAY), 1);
		TEST_EQ(fair_sched_finish(&x.site.sched, 14 * DAY - 1, 1), 0);
		x.site.now = 14 * DAY - 1;
		submit(&x.site, job_of(0, 64, 60));
		submit(&x.site, job_of(1, 64, 60));
		TEST_EQ(fair_sched_maui(&x.site.sched, 3, &parts), 0);
		other = parts.priority;
		TEST_EQ(fair_sched_maui(&x.site.sched, 2, &parts), 0);
		TEST_EQ(step(&x.site, x.site.now), 1);
		TEST_EQ(parts.priority<other, windows> 1);
		TEST_EQ(x.site.start[windows > 1 ? 3 : 2], x.site.now);
		site_close(&x.site);
	}
}

/* ---- errors ---- */

static void bad_configs(void)
{
	const struct fair_maui_config good = fair_maui_defaults();
	const int64_t longest = INT64_C(1) << 61;
	static uint64_t memory[256];
	struct fair_maui_config c;
	struct fair_maui m;
	int i;

#define INIT(field, value, error)                                              \
	do {                                                                   \
		c = good;                                                      \
		c.field = (value);                                             \
		TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory),  \
				       &c, 1, 1, 0),                           \
			error);                                                \
	} while (0)
#define RANGE(field, least, most)                                              \
	do {                                                                   \
		INIT(field, (least) - 1, -FAIR_EINVAL);                        \
		INIT(field, least, 0);                                         \
		INIT(field, most, 0);                                          \
		INIT(field, (most) + 1, -FAIR_EINVAL);                         \
	} while (0)
	INIT(usage, FAIR_MAUI_RATE, 0);
	INIT(usage, FAIR_MAUI_RATE + 1, -FAIR_EINVAL);
	INIT(decay, FAIR_USAGE_ONE, 0);
	INIT(decay, FAIR_USAGE_ONE + 1, -FAIR_EINVAL);
	INIT(priority.cap[0], -1, -FAIR_EINVAL);
	RANGE(windows, 1, FAIR_USAGE_DEPTH);
	RANGE(interval, 1, longest);
	RANGE(poll, 0, longest);
	RANGE(machine.memory, 0, INT64_C(1) << 40);
	RANGE(machine.swap, 0, INT64_C(1) << 40);
	RANGE(machine.disk, 0, INT64_C(1) << 40);
#undef RANGE
#undef INIT
	c = good;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		0);
	TEST_EQ(fair_maui_init(&m, 1, memory, sizeof(memory), &c, 1, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(fair_maui_init(NULL, sizeof(m), memory, sizeof(memory), &c, 1,
			       1, 0),
		-FAIR_EINVAL);
	TEST_EQ(fair_maui_init(&m, sizeof(m), NULL, sizeof(memory), &c, 1, 1,
			       0),
		-FAIR_EINVAL);
	for (i = -1; i <= 1; i++) {
		TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory),
				       &c, 1, 1, longest + i),
			i > 0 ? -FAIR_EINVAL : 0);
		TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory),
				       &c, 1, 1, -longest + i),
			i < 0 ? -FAIR_EINVAL : 0);
	}
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 0,
			       0),
		-FAIR_EINVAL);
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, fair_maui_size(&c, 1) - 1,
			       &c, 1, 1, 0),
		-FAIR_ENOMEM);
	TEST_EQ(fair_maui_size(NULL, 1), 0);
	/* Windows begin at multiples of the interval, before 0 too. */
	c.interval = 10;
	for (i = -1; i < 10; i++) {
		TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory),
				       &c, 1, 1, i),
			0);
		TEST_EQ(m.zero, i < 0 ? -10 : 0);
	}
}

/* Leaves no 0 behind where locals will be, nor what was there. */
static void scribble(void)
{
	volatile unsigned char x[4096];
	size_t i;

	for (i = 0; i < sizeof(x); i++)
		x[i] = 0xa5;
}

static void defaults(void)
{
	const struct fair_maui_config config = fair_maui_defaults();
	struct fair_maui_credential c;

	TEST_EQ(config.windows, 7);
	TEST_EQ(config.interval, DAY);
	scribble();
	c = fair_maui_anybody();
	TEST_EQ(c.priority, 0);
	TEST_CHECK(!c.has_target);
}

/* No ledger where nothing counts, nor of nobody. */
static void sizes(void)
{
	const size_t job = sizeof(struct fair_maui_job);
	struct fair_maui_config c = fair_maui_defaults();
	struct fair_maui m;
	size_t bytes, shift;
	char *memory;

	c.count[FAIR_THROTTLE_USER] = 2;
	c.count[FAIR_THROTTLE_QOS] = 3;
	bytes = fair_throttle_size(c.count) + 8 + sizeof(c) +
		3 * sizeof(struct fair_maui_qos) +
		5 * sizeof(struct fair_maui_standing);
	TEST_EQ(fair_maui_size(&c, 0), bytes);
	c.usage = FAIR_MAUI_PROCS;
	bytes += fair_usage_size(2, 7, 1) + fair_usage_size(3, 7, 1);
	TEST_EQ(fair_maui_size(&c, 4), bytes + 4 * job);
	bytes = fair_maui_size(&c, 1);
	for (shift = 0; shift < 8; shift++) {
		memory = malloc(bytes + shift);
		TEST_REQUIRE(memory);
		TEST_EQ(fair_maui_init(&m, sizeof(m), memory + shift, bytes, &c,
				       1, 1, 0),
			0);
		TEST_EQ((char *)m.config - memory, shift ? 8 : 0);
		TEST_EQ(fair_maui_check(&m), 0);
		free(memory);
	}
	memset(c.count, 0, sizeof(c.count));
	bytes = fair_maui_size(&c, 1);
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, bytes, &c, 1, 1, 0), 0);
	fair_maui_advance(&m, 1);
	TEST_EQ(fair_maui_check(&m), 0);
	free(memory);
	c.count[FAIR_THROTTLE_USER] = UINT32_MAX;
	TEST_EQ(fair_maui_init(&m, sizeof(m), &c, SIZE_MAX, &c, 1, 1, 0),
		-FAIR_ENOMEM);
}

/* On machines of 32 bits there can be too many to be told. */
static void too_large(void)
{
	const size_t job = sizeof(struct fair_maui_job);
	struct fair_maui_config c = fair_maui_defaults();
	uint32_t *users = &c.count[FAIR_THROTTLE_USER];
	size_t most;

	*users = UINT32_MAX;
	c.usage = FAIR_MAUI_PROCS;
	TEST_EQ(fair_maui_size(&c, 1), 0); /* more than a ledger has */
	c.usage = FAIR_MAUI_NOTHING;
	if (SIZE_MAX > UINT32_MAX)
		return;
	*users = (uint32_t)(SIZE_MAX / sizeof(struct fair_throttle_credential));
	TEST_CHECK(fair_throttle_size(c.count));
	++*users;
	TEST_EQ(fair_throttle_size(c.count), 0);
	TEST_EQ(fair_maui_size(&c, 0), 0);
	for (*users = 0; *users < 100; ++*users) { /* to the last byte, too */
		most = (SIZE_MAX / 2 - fair_maui_size(&c, 0)) / job;
		TEST_EQ(fair_maui_size(&c, (uint32_t)most),
			fair_maui_size(&c, 0) + most * job);
		TEST_EQ(fair_maui_size(&c, (uint32_t)most + 1), 0);
	}
}

/* Where hard limits are not asked the soft ones are hard, if they are less. */
static void soft_only(void)
{
	struct fair_maui_request r = {
		{ 0, NONE, NONE, NONE, NONE }, 2, 3, 1, 0, 0, 0, 0
	};
	struct fair_maui_credential user = fair_maui_anybody();
	struct fair_maui_config c = fair_maui_defaults();
	static uint64_t memory[256];
	struct fair_maui m;

	user.soft[FAIR_THROTTLE_PROCS] = 2;
	user.hard[FAIR_THROTTLE_PROCS] = 4;
	user.hard[FAIR_THROTTLE_NODES] = 3;
	c.soft_only = true;
	c.count[FAIR_THROTTLE_USER] = 1;
	c.credential[FAIR_THROTTLE_USER] = &user;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		0);
	TEST_EQ(fair_maui_possible(&m, &r), 0);
	r.nodes++;
	TEST_EQ(fair_maui_possible(&m, &r), -FAIR_ERANGE);
	r.nodes--;
	r.procs++;
	TEST_EQ(fair_maui_possible(&m, &r), -FAIR_ERANGE);
}

/* What each resource of a request says, with others or alone. */
static void requests(void)
{
	struct fair_maui_request r = {
		{ 0, NONE, NONE, 0, NONE }, 4, 3, 1, 50, 30, 7, 9
	}, got;
	struct fair_maui_qos qos = { 0 };
	struct fair_maui_credential user = fair_maui_anybody();
	struct fair_maui_config c = fair_maui_defaults();
	struct fair_priority_parts p;
	static uint64_t memory[512];
	struct fair_maui m;
	int i;

	c.machine.memory = 100;
	c.machine.swap = 50;
	c.machine.disk = 10;
	c.machine.nodes = -1; /* of no account */
	c.usage = FAIR_MAUI_EQUIVALENTS;
	c.count[FAIR_THROTTLE_USER] = 1;
	c.credential[FAIR_THROTTLE_USER] = &user;
	c.count[FAIR_THROTTLE_QOS] = 1;
	c.qos = &qos;
	qos.xfactor_target = FAIR_PRIORITY_ONE; /* reached from the first */
	qos.queue_time_target = 60;
	qos.xfactor_weight = 5;
	qos.queue_time_weight = 3;
	user.priority = 2;
	user.has_target = true;
	user.target.kind = FAIR_USAGE_TARGET;
	user.target.points = 20 * FAIR_USAGE_POINT;
	user.hard[FAIR_THROTTLE_PROCS] = 4;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 2, 10,
			       15),
		0);
	TEST_CHECK(!m.config->qos && !m.config->credential[FAIR_THROTTLE_USER]);
	scribble();
	TEST_EQ(fair_maui_submit(&m, 1, &r), 0);
	got = fair_maui_asks(&m, 1);
	for (i = 0; i < FAIR_THROTTLE_KINDS; i++)
		TEST_EQ(got.id[i], r.id[i]);
	TEST_EQ(got.procs, 4);
	TEST_EQ(got.nodes, 3);
	TEST_EQ(got.memory, 50);
	TEST_EQ(got.swap, 30);
	TEST_EQ(got.disk, 7);
	TEST_EQ(got.rate, 9);
	TEST_EQ(fair_maui_parts(&m, 1, 15, 1, &p), 0);
	TEST_EQ(p.value[FAIR_PRIORITY_NODES], 3 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_PROCS], 4 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_MEMORY], 50 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_SWAP], 30 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_DISK], 7 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_USER], 2 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_FS_USER], 20 * FAIR_USAGE_POINT);
	TEST_CHECK(p.value[FAIR_PRIORITY_TARGET_XFACTOR] > 1 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_TARGET_QUEUE_TIME], 1 << 20);
	TEST_EQ(p.part[FAIR_PRIORITY_XFACTOR], 5 << 20);
	TEST_EQ(p.part[FAIR_PRIORITY_QUEUE_TIME], 0);
	TEST_EQ(fair_maui_parts(&m, 1, -45, 1, &p), 0);
	TEST_EQ(p.part[FAIR_PRIORITY_QUEUE_TIME], (1 + 3) << 20);
	for (i = 0; i < 4; i++) { /* equivalents: 4, 5, 6, 7 of 10 */
		r.memory = i == 1 ? 50 : 0;
		r.swap = i == 2 ? 30 : 0;
		r.disk = i == 3 ? 7 : 0;
		scribble();
		TEST_EQ(fair_maui_submit(&m, 1, &r), 0);
		TEST_EQ(fair_maui_parts(&m, 1, 15, 1, &p), 0);
		TEST_EQ(p.value[FAIR_PRIORITY_PE], (4 + i) << 20);
	}
	r.procs = 5;
	TEST_EQ(fair_maui_submit(&m, 2, &r), -FAIR_ERANGE);
}

/* In 2^-8 processors; equivalents to the nearest, halves up. */
static void rates(void)
{
	static const int64_t equivalents[4] = { 256, 256, 257, 257 };
	struct fair_maui_request r = {
		{ 0, NONE, NONE, NONE, NONE }, 1, 1, 1, 0, 0, 0, 9
	};
	struct fair_maui_config c = fair_maui_defaults();
	static uint64_t memory[512];
	struct fair_maui m;
	int i;

	c.machine.memory = 1024;
	c.count[FAIR_THROTTLE_USER] = 1;
	for (i = 0; i < 16; i++) {
		c.usage = (uint32_t)i / 4;
		TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory),
				       &c, 1, 1, 0),
			0);
		r.memory = 1024 + i % 4;
		TEST_EQ(fair_maui_submit(&m, 0, &r), 0);
		TEST_EQ(fair_maui_start(&m, 0, 0, 1), 0);
		TEST_EQ(m.standing[FAIR_THROTTLE_USER][0].rate,
			c.usage == FAIR_MAUI_NOTHING ? 0
			: c.usage == FAIR_MAUI_PROCS ? 256
			: c.usage == FAIR_MAUI_RATE  ? 9
						     : equivalents[i % 4]);
		TEST_EQ(fair_maui_finish(&m, 0, 1), 0);
		TEST_EQ(m.standing[FAIR_THROTTLE_USER][0].rate, 0);
	}
}

/* What a copy needs; what starts and ends of nothing leave as it was. */
static void bad_calls(void)
{
	struct fair_maui_config c = fair_maui_defaults();
	static uint64_t memory[512], other[512];
	struct fair_maui_request r = {
		{ 0, NONE, NONE, NONE, NONE }, 1, 1, 1, 8, 0, 0, 0
	}, ask;
	struct fair_priority_parts parts, most;
	struct fair_maui m, copy, was;

	c.count[FAIR_THROTTLE_USER] = 1;
	c.usage = FAIR_MAUI_EQUIVALENTS;
	c.machine.memory = 1;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1,
			       INT32_MAX, 0),
		0);
	memset(&copy, 0x5a, sizeof(copy));
	was = copy;
	TEST_EQ(fair_maui_clone(NULL, other, sizeof(other), &m), -FAIR_EINVAL);
	TEST_EQ(fair_maui_clone(&copy, NULL, sizeof(other), &m), -FAIR_EINVAL);
	TEST_EQ(fair_maui_clone(&copy, other, sizeof(other), NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_maui_clone(&copy, other, fair_maui_size(&c, 1) - 1, &m),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(&copy, &was, sizeof(was)));
#define SUBMIT(field, value, error)                                    \
	do {                                                           \
		ask = r;                                               \
		ask.field = (value);                                   \
		TEST_EQ(fair_maui_submit(&m, 0, &ask), error);         \
	} while (0)
#define RANGE(field, least, most)                                      \
	do {                                                           \
		SUBMIT(field, (least) - 1, -FAIR_EINVAL);              \
		SUBMIT(field, least, 0);                               \
		SUBMIT(field, most, 0);                                \
		SUBMIT(field, (most) + 1, -FAIR_EINVAL);               \
	} while (0)
	SUBMIT(procs, 0, -FAIR_EINVAL);
	SUBMIT(nodes, -1, -FAIR_EINVAL);
	SUBMIT(walltime, 0, -FAIR_EINVAL);
	RANGE(memory, 0, INT64_C(1) << 40);
	RANGE(swap, 0, INT64_C(1) << 40);
	RANGE(disk, 0, INT64_C(1) << 40);
	RANGE(rate, 0, INT64_C(1) << 32);
#undef RANGE
#undef SUBMIT
	TEST_EQ(fair_maui_possible(&m, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_maui_submit(&m, 0, &r), 0);
	TEST_EQ(fair_maui_parts(NULL, 0, 0, 1, &parts), -FAIR_EINVAL);
	/* No wait is longer than this, where a second more or less counts:
	 * 649657 divides 2^63 - 1, so that 2^20 factors end with a half. */
	TEST_EQ(fair_maui_parts(&m, 0, -INT64_MAX, INT64_C(649657) << 21,
				&most),
		0);
	TEST_EQ(fair_maui_parts(&m, 0, INT64_MIN, INT64_C(649657) << 21,
				&parts),
		0);
	TEST_CHECK(!memcmp(&parts, &most, sizeof(parts)));
	memcpy(other, memory, sizeof(memory));
	TEST_EQ(fair_maui_start(&m, 5, 0, 5), -FAIR_EINVAL);
	TEST_EQ(fair_maui_finish(&m, 0, 5), -FAIR_ERANGE);
	TEST_CHECK(!memcmp(other, memory, sizeof(memory)));
	/* 8 times the memory of a machine of 2^31 processors: 2^34 of them. */
	TEST_EQ(fair_maui_start(&m, 0, 0, 5), 0);
	TEST_EQ(m.standing[FAIR_THROTTLE_USER][0].rate, INT64_C(1) << 32);
	TEST_EQ(fair_maui_finish(&m, 0, 5), 0);
	TEST_EQ(m.standing[FAIR_THROTTLE_USER][0].rate, 0);
}

static void bad_limits(void)
{
	struct fair_maui_credential user = fair_maui_anybody(), two[2];
	struct fair_maui_config c = fair_maui_defaults();
	static uint64_t memory[256];
	struct fair_maui_qos qos;
	struct fair_maui m;

	user.hard[FAIR_THROTTLE_NODES] = -1;
	c.count[FAIR_THROTTLE_USER] = 1;
	c.credential[FAIR_THROTTLE_USER] = &user;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		-FAIR_EINVAL);
	two[0] = user;	/* however good the other is */
	two[1] = fair_maui_anybody();
	c.count[FAIR_THROTTLE_USER] = 2;
	c.credential[FAIR_THROTTLE_USER] = two;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		-FAIR_EINVAL);
	c.credential[FAIR_THROTTLE_USER] = NULL;
	memset(&qos, 0, sizeof(qos));
	qos.queue_time_target = -1;
	c.count[FAIR_THROTTLE_QOS] = 1;
	c.qos = &qos;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		-FAIR_EINVAL);
	qos.queue_time_target = 0;
	qos.xfactor_target = -1;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		-FAIR_EINVAL);
	c.qos = NULL;	/* nothing is said of them */
	c.count[FAIR_THROTTLE_QOS] = 2;
	memset(memory, 0x5a, sizeof(memory));
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		0);
	TEST_EQ(m.qos[0].flags, 0);
	TEST_EQ(m.qos[1].flags, 0);
	TEST_EQ(m.standing[FAIR_THROTTLE_USER][1].priority, 0);
}

static void bad_jobs(void)
{
	struct fair_maui_request r = {
		{ 0, NONE, NONE, NONE, NONE }, 1, 1, 1, 0, 0, 0, 0
	};
	struct fair_priority_parts parts;
	struct site x;
	struct fair_job j;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_PROC_SECONDS] = 100;
	x.qos[0].flags = FAIR_MAUI_NOBF;
	x.user[1].soft[FAIR_THROTTLE_PROCS] = 2;
	site_open(&x);
	TEST_EQ(fair_maui_possible(&x.sched.maui, &r), 0);
	TEST_EQ(fair_maui_possible(NULL, &r), -FAIR_EINVAL);
	TEST_EQ(fair_maui_submit(&x.sched.maui, JOBS, &r), -FAIR_EINVAL);
	TEST_EQ(fair_maui_parts(&x.sched.maui, JOBS, 0, 1, &parts),
		-FAIR_EINVAL);
	TEST_EQ(fair_maui_parts(&x.sched.maui, 0, 1, 1, &parts), -FAIR_EINVAL);
#define BAD(field, value, error)                                               \
	do {                                                                   \
		j = job_of(0, 1, 10);                                          \
		j.field = (value);                                             \
		TEST_EQ(fair_sched_submit(&x.sched, 0, &j), error);            \
	} while (0)
	BAD(user, 3, -FAIR_EINVAL);
	BAD(group, 0, -FAIR_EINVAL);
	BAD(nodes, -1, -FAIR_EINVAL);
	BAD(memory, -1, -FAIR_EINVAL);
	BAD(swap, INT64_MAX, -FAIR_EINVAL);
	BAD(disk, -1, -FAIR_EINVAL);
	BAD(rate, INT64_MAX, -FAIR_EINVAL);
	BAD(walltime, 101, -FAIR_ERANGE);
	BAD(walltime, 100, 0);
#undef BAD
	TEST_EQ(fair_sched_modify(&x.sched, 0, 0, 2, 51), -FAIR_ERANGE);
	TEST_EQ(fair_sched_modify(&x.sched, 0, 0, 2, 50), 0);
	/* Above its soft limit a job can only be backfilled. */
	j = job_of(1, 3, 10);
	j.number = 1;
	j.qos = 0;
	TEST_EQ(fair_sched_submit(&x.sched, 0, &j), -FAIR_ERANGE);
	j.qos = 1;
	TEST_EQ(fair_sched_submit(&x.sched, 0, &j), 0);
	site_close(&x);
}

static void bad_policies(void)
{
	struct site x;

	site_begin(&x);
	TEST_CHECK(fair_sched_size(&x.sched_config));
	x.config.select = FAIR_NOFIT + 1;
	TEST_EQ(fair_sched_size(&x.sched_config), 0);
	x.config.select = 0;
	x.config.metric = FAIR_FIT_PROC_SECONDS + 1;
	TEST_EQ(fair_sched_size(&x.sched_config), 0);
	x.config.metric = 0;
	x.sched_config.order = FAIR_ORDER_SJF;
	TEST_EQ(fair_sched_size(&x.sched_config), 0);
	x.sched_config.order = FAIR_ORDER_FCFS;
	x.sched_config.select = FAIR_BESTFIT;
	TEST_EQ(fair_sched_size(&x.sched_config), 0);
	x.sched_config.select = 0;
	x.sched_config.maui = NULL;
	TEST_EQ(fair_sched_size(&x.sched_config), 0);
}

static void invariants(void)
{
	struct fair_maui *m;
	struct site x;
	uint32_t id;
	int kind;

	site_begin(&x);
	x.config.usage = FAIR_MAUI_PROCS;
	site_open(&x);
	m = &x.sched.maui;
	TEST_EQ(fair_maui_check(m), 0);
	m->throttle.credential[0].used[FAIR_THROTTLE_JOBS] = -1;
	TEST_EQ(fair_maui_check(m), 1);
	m->throttle.credential[0].used[FAIR_THROTTLE_JOBS] = 0;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		if (!m->config->count[kind])
			continue;
		m->usage[kind].latest = 5;
		TEST_EQ(fair_maui_check(m), 2);
		m->usage[kind].latest = 0;
		for (id = 0; id < m->config->count[kind]; id++) {
			m->standing[kind][id].rate = 1;
			TEST_EQ(fair_maui_check(m), 3);
			TEST_EQ(fair_sched_check(&x.sched), 3);
			m->standing[kind][id].rate = -1;
			TEST_EQ(fair_maui_check(m), 3);
			m->standing[kind][id].rate = 0;
		}
	}
	submit(&x, job_of(0, 1, 1));
	TEST_EQ(step(&x, 0), 1);
	m->standing[FAIR_THROTTLE_USER][0].rate = -1;
	TEST_EQ(fair_maui_check(m), 3);
	m->standing[FAIR_THROTTLE_USER][0].rate = 256;
	site_close(&x);
}

int main(void)
{
	TEST_RUN(the_example);
	TEST_RUN(figure_1);
	TEST_RUN(figure_3);
	TEST_RUN(soft_then_hard);
	TEST_RUN(flags);
	TEST_RUN(bars);
	TEST_RUN(cap);
	TEST_RUN(estimates_of_capped);
	TEST_RUN(estimates_behind_bookings);
	TEST_RUN(timer);
	TEST_RUN(never);
	TEST_RUN(no_such_limit);
	TEST_RUN(taken_over);
	TEST_RUN(narrower_in_its_place);
	TEST_RUN(bypass);
	TEST_RUN(two_users);
	TEST_RUN(hog);
	TEST_RUN(defaults);
	TEST_RUN(sizes);
	TEST_RUN(too_large);
	TEST_RUN(soft_only);
	TEST_RUN(requests);
	TEST_RUN(rates);
	TEST_RUN(bad_configs);
	TEST_RUN(bad_calls);
	TEST_RUN(bad_limits);
	TEST_RUN(bad_jobs);
	TEST_RUN(bad_policies);
	TEST_RUN(invariants);
	return test_report();
}
