/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A host as an adopter writes it, with the public interface alone: a machine of
 * 512 processors, 3,000 submissions, and all that happens to jobs and machines.
 * Under each policy and order
 *   - an array of processors by second shows that the machine is never
 *     overcommitted,
 *   - every promise that moves later names an event that happened then,
 *   - five crashes, each followed by a load, change no decision.
 */
#include "fairsched.h"
#include "tests/test.h"

enum { PROCS = 512, SUBMISSIONS = TEST_ROUNDS(3000), NUMBERS = 4 * SUBMISSIONS,
       SECONDS = 400000, SLOTS = 2000, USERS = 8, ADVANCES = 3 };

struct attempt {
	int64_t walltime, run, start, promise;
	int64_t acted;	/* when the host changed it last */
	int32_t procs;
	bool runs;
};

struct host {
	struct fair_config config;
	struct fair_sched s;
	char *memory;
	struct attempt job[NUMBERS];
	uint32_t running[PROCS], runs;	/* numbers */
	uint32_t numbers, submissions, crashes, starts, delays;
	int32_t used[SECONDS], most[SECONDS];	/* processors by second */
	int32_t procs;
	int64_t since;	/* when @procs changed last */
	int64_t shrunk, withheld;	/* when processors were last lost */
	int64_t refused;		/* when a start was last refused */
	int64_t arrival;
	uint64_t random;
};

static int64_t draw(struct host *h, int64_t low, int64_t high)
{
	return test_range(&h->random, low, high);
}

/* Whether an event explains that the promise moves later. */
static bool is_explained(const struct host *h, const struct fair_promise *p)
{
	const struct attempt *j = h->job + p->number;
	const struct attempt *culprit = h->job + p->culprit;

	switch (p->cause) {
	case FAIR_CAUSE_CAPACITY:
		return h->shrunk == p->made || h->withheld == p->made;
	case FAIR_CAUSE_OVERRUN:
		return culprit->runs &&
		       (culprit->start + culprit->walltime <= p->made ||
			culprit->acted == p->made);
	case FAIR_CAUSE_REFUSED:
		return h->refused == p->made;
	case FAIR_CAUSE_MODIFIED:
	case FAIR_CAUSE_DEFERRED:
	case FAIR_CAUSE_REQUEUED:
		return j->acted == p->made;
	default:
		return false; /* the host steps in time, and has slots */
	}
}

static void promised(void *context, const struct fair_promise *p)
{
	struct host *h = (struct host *)context;

	if (p->to > p->from) {
		h->delays++;
		TEST_CHECK(is_explained(h, p));
	}
	h->job[p->number].promise = p->to;
}

/* Few starts have to wait for something of the host's own. */
static int64_t fits(void *context, const struct fair_job *job, int64_t start,
		    int64_t end)
{
	struct host *h = (struct host *)context;

	TEST_CHECK(end == start + job->walltime);
	if ((job->number + (uint64_t)start / 64) % 100)
		return start;
	h->refused = start;
	return start + 90;
}

static void fill(int32_t *second, int64_t from, int64_t end, int32_t procs)
{
	TEST_CHECK(end < SECONDS);
	for (; from < end && from < SECONDS; from++)
		second[from] += procs;
}

/* The job runs no longer. */
static void ended(struct host *h, uint32_t number)
{
	struct attempt *j = h->job + number;
	uint32_t i = 0;

	while (h->running[i] != number)
		i++;
	h->running[i] = h->running[--h->runs];
	fill(h->used, j->start, h->s.now, j->procs);
	j->runs = false;
}

static void submit(struct host *h, int64_t now)
{
	struct fair_eligibility wait = { INT64_MIN, 0, 0, false };
	struct fair_job job = { 0 };
	struct fair_job_status status;
	uint32_t i;

	job.number = ++h->numbers;
	job.submit = now;
	job.procs = (int32_t)(draw(h, 0, 9) ? draw(h, 1, 40)
					    : draw(h, 40, PROCS));
	job.walltime = draw(h, 10, 900);
	job.tasks = draw(h, 0, 40) ? 1 : (uint32_t)draw(h, 2, 6);
	job.user = job.account = (uint32_t)draw(h, 0, USERS - 1);
	job.group = job.queue = job.qos = FAIR_THROTTLE_NONE;
	h->numbers += job.tasks - 1;
	for (i = 0; i < job.tasks; i++) {
		struct attempt *j = h->job + job.number + i;

		j->procs = job.procs;
		j->walltime = job.walltime;
		j->run = draw(h, 0, 12) ? draw(h, 1, job.walltime)
					: draw(h, 1, 3 * job.walltime);
		j->promise = FAIR_FOREVER;
		j->acted = -1;
	}
	if (!draw(h, 0, 20))
		wait.begin = now + draw(h, 1, 2000);
	if (!draw(h, 0, 20) && job.number > 1 &&
	    !fair_sched_lookup(&h->s, job.number - 1, &status)) {
		wait.after = job.number - 1;
		wait.end = FAIR_AFTER_ANY;
	}
	TEST_OK(fair_sched_submit_ineligible(&h->s, now, &job, &wait));
}

static void lose_processors(struct host *h, int64_t now)
{
	int32_t n = (int32_t)draw(h, 1, 100), freed = h->procs;
	uint64_t victim[PROCS];
	uint32_t victims = 0, i;

	if (h->procs < 200)
		return;
	for (i = 0; i < h->runs; i++)
		freed -= h->job[h->running[i]].procs;
	for (; freed < n; victims++) {
		victim[victims] = h->running[victims];
		freed += h->job[victim[victims]].procs;
	}
	fill(h->most, h->since, now, h->procs);
	h->since = h->shrunk = now;
	h->procs -= n;
	TEST_OK(fair_sched_capacity(&h->s, now, -n, victims ? victim : NULL,
				    victims));
	for (i = 0; i < victims; i++)
		ended(h, (uint32_t)victim[i]);
}

static void gain_processors(struct host *h, int64_t now)
{
	int32_t n = PROCS - h->procs;

	if (!n)
		return;
	fill(h->most, h->since, now, h->procs);
	h->since = now;
	h->procs = PROCS;
	TEST_OK(fair_sched_capacity(&h->s, now, n, NULL, 0));
}

static void reserve(struct host *h, int64_t now)
{
	struct fair_advance b = { 0 };

	b.number = (uint64_t)draw(h, 1, ADVANCES);
	b.from = now + draw(h, 0, 2000);
	b.to = b.from + draw(h, 1, 1000);
	b.procs = (int32_t)draw(h, 1, 200);
	h->withheld = now;
	if (draw(h, 0, 1))
		TEST_OK(fair_sched_advance_reserve(&h->s, now, &b, true));
	else
		(void)fair_sched_advance_reserve(&h->s, now, &b, false);
}

/* A job among those that run, or the last ones submitted, that lives. */
static uint32_t any_job(struct host *h, struct fair_job_status *status)
{
	uint32_t tries, number;

	for (tries = 0; h->numbers && tries < 20; tries++) {
		number = h->runs && draw(h, 0, 1)
				 ? h->running[draw(h, 0, h->runs - 1)]
				 : h->numbers - (uint32_t)draw(h, 0, 40) %
							h->numbers;
		if (!fair_sched_lookup(&h->s, number, status))
			return number;
	}
	return 0;
}

static void change_job(struct host *h, int64_t now)
{
	static const struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	struct fair_job_status status;
	uint32_t number = any_job(h, &status);
	struct attempt *j = h->job + number;
	bool runs;

	if (!number)
		return;
	runs = status.state == FAIR_RUNNING;
	j->acted = now;
	switch (draw(h, 0, 5)) {
	case 0:
		TEST_OK(fair_sched_cancel(&h->s, now, number));
		if (runs)
			ended(h, number);
		break;
	case 1:
		if (runs && j->start < now) {
			TEST_OK(fair_sched_requeue(&h->s, now, number));
			ended(h, number);
		}
		break;
	case 2:
		if (runs || status.job.tasks > 1)
			break;
		j->procs = (int32_t)draw(h, 1, 60);
		j->walltime = draw(h, 10, 900);
		TEST_OK(fair_sched_modify(&h->s, now, number, j->procs,
					  j->walltime));
		break;
	case 3:
		if (!runs)
			break;
		j->walltime = draw(h, 10, 1800);
		TEST_OK(fair_sched_modify(&h->s, now, number, j->procs,
					  j->walltime));
		break;
	case 4:
		if (runs)
			break;
		TEST_OK(fair_sched_defer(&h->s, now, number, &held));
		TEST_OK(fair_sched_defer(&h->s, now, number, NULL));
		break;
	default:
		if (!runs)
			TEST_OK(fair_sched_retry(&h->s, now, number));
	}
}

static void act(struct host *h, int64_t now)
{
	switch (draw(h, 0, 9)) {
	case 0:
		lose_processors(h, now);
		break;
	case 1:
		gain_processors(h, now);
		break;
	case 2:
		reserve(h, now);
		break;
	case 3:
		(void)fair_sched_advance_cancel(
			&h->s, now, (uint64_t)draw(h, 1, ADVANCES));
		break;
	default:
		change_job(h, now);
	}
}

/* The host dies, and another one loads what it saved. */
static void crash(struct host *h)
{
	size_t saved = fair_sched_checkpoint_size(&h->s);
	void *checkpoint = malloc(saved);

	TEST_REQUIRE(checkpoint);
	TEST_OK(fair_sched_save(&h->s, checkpoint, saved));
	memset(&h->s, 0x5a, sizeof(h->s));
	free(h->memory);
	h->config.jobs += 100;
	h->memory = malloc(fair_sched_size(&h->config));
	TEST_REQUIRE(h->memory);
	TEST_OK(fair_sched_load(&h->s, sizeof(h->s), h->memory,
				fair_sched_size(&h->config), &h->config,
				checkpoint, saved, NULL));
	free(checkpoint);
	h->crashes++;
}

/* The next end of a running job; *@number: which one ends. */
static int64_t next_end(const struct host *h, uint32_t *number)
{
	int64_t next = FAIR_FOREVER, end;
	uint32_t i;

	for (i = 0; i < h->runs; i++) {
		end = h->job[h->running[i]].start + h->job[h->running[i]].run;
		if (end < next || (end == next && h->running[i] < *number)) {
			next = end;
			*number = h->running[i];
		}
	}
	return next;
}

/* The job starts now, or a node of it does not answer. */
static void begin(struct host *h, int64_t now, uint32_t number)
{
	struct attempt *j = h->job + number;

	if (!draw(h, 0, 60)) {
		h->refused = now;
		TEST_OK(fair_sched_refuse(&h->s, now, number));
		return;
	}
	if (j->promise != FAIR_FOREVER &&
	    h->config.policy >= FAIR_CONSERVATIVE &&
	    h->config.policy <= FAIR_DC)
		TEST_CHECK(now <= j->promise);
	j->start = now;
	j->runs = true;
	h->running[h->runs++] = number;
	h->starts++;
}

static void step(struct host *h, int64_t now)
{
	struct fair_decision start[8];
	size_t n, i;
	int rounds = 0;

	do {
		TEST_OK(fair_sched_step(&h->s, now, start, 8, &n));
		for (i = 0; i < n; i++)
			begin(h, now, (uint32_t)start[i].number);
		TEST_REQUIRE(++rounds < 10000);
	} while (n == 8 || fair_sched_next(&h->s) <= now);
}

/* All that happens at @now, in the order of a simulator. */
static void play(struct host *h, int64_t now, bool crashes)
{
	uint32_t number = 0;

	while (next_end(h, &number) <= now) {
		TEST_OK(fair_sched_finish(&h->s, now, number));
		ended(h, number);
	}
	if (h->arrival == now && !draw(h, 0, 3))
		act(h, now);
	if (h->arrival == now) {
		submit(h, now);
		h->arrival = ++h->submissions < SUBMISSIONS
				     ? now + draw(h, 0, 40)
				     : FAIR_FOREVER;
		if (crashes && h->submissions % (SUBMISSIONS / 6) == 0 &&
		    h->crashes < 5)
			crash(h);
	}
	if (h->arrival == FAIR_FOREVER)
		gain_processors(h, now);
	step(h, now);
}

static void check_seconds(struct host *h)
{
	int64_t t;

	fill(h->most, h->since, h->s.now, h->procs);
	for (t = 0; t < h->s.now; t++)
		if (h->used[t] > h->most[t])
			break;
	TEST_EQ(t, h->s.now);
}

/* Plays the whole history. Return: the digest */
static uint64_t run(struct host *h, const struct fair_config *config,
		    bool crashes)
{
	uint32_t number = 0;
	int64_t now, next;
	uint64_t digest;

	memset(h, 0, sizeof(*h));
	h->config = *config;
	h->config.context = h;
	h->random = 1 + config->policy + 20 * config->order;
	h->procs = PROCS;
	h->shrunk = h->withheld = -1;
	h->memory = malloc(fair_sched_size(&h->config));
	TEST_OK(fair_sched_init(&h->s, sizeof(h->s), h->memory,
				fair_sched_size(&h->config), &h->config));
	for (now = 0; now < SECONDS; now = next) {
		play(h, now, crashes);
		if (h->submissions % 500 == 0)
			TEST_EQ(fair_sched_check(&h->s), 0);
		next = next_end(h, &number);
		if (h->arrival < next)
			next = h->arrival;
		if (fair_sched_next(&h->s) < next)
			next = fair_sched_next(&h->s);
	}
	TEST_EQ(h->runs, 0);
	TEST_EQ(h->s.jobs, 0);
	TEST_EQ(h->crashes, crashes ? 5 : 0);
	check_seconds(h);
	digest = fair_sched_digest(&h->s);
	free(h->memory);
	return digest;
}

static void trial(struct fair_config config)
{
	static const int64_t target[USERS] = { 100, 50, 400, 0, 64, 64, 64, 64 };
	struct fair_maui_credential user[USERS];
	struct fair_maui_config maui = fair_maui_defaults();
	static struct host plain, crashed;
	uint64_t digest;
	uint32_t i;

	for (i = 0; i < USERS; i++) {
		user[i] = fair_maui_credential_defaults();
		user[i].hard[FAIR_THROTTLE_JOBS] = 3 + i;
	}
	maui.count[FAIR_THROTTLE_USER] = USERS;
	maui.credential[FAIR_THROTTLE_USER] = user;
	maui.count[FAIR_THROTTLE_ACCOUNT] = USERS;
	maui.credential[FAIR_THROTTLE_ACCOUNT] = user;
	maui.depth = 4;
	config.procs = PROCS;
	config.jobs = SLOTS;
	config.ineligible = SLOTS / 2;
	config.advances = ADVANCES;
	config.users = USERS;
	config.window = config.policy == FAIR_RELSHARE ? 3600 : 0;
	config.accounts = config.policy == FAIR_SFS ? USERS : 0;
	config.target = config.policy == FAIR_SFS ? target : NULL;
	config.maui = config.policy == FAIR_MAUI ? &maui : NULL;
	config.promised = promised;
	config.fits = fits;
	digest = run(&plain, &config, false);
	TEST_CHECK(digest == run(&crashed, &config, true));
	TEST_CHECK(plain.starts > SUBMISSIONS);
	printf("%u starts, %u promises moved later\n", plain.starts,
	       plain.delays);
}

TEST(fcfs)
{
	trial((struct fair_config){ .policy = FAIR_FCFS });
}

TEST(easy)
{
	trial((struct fair_config){ .policy = FAIR_BACKFILL });
}

TEST(easy_shortest_first)
{
	trial((struct fair_config){ .policy = FAIR_BACKFILL,
				    .order = FAIR_ORDER_SJF });
}

TEST(easy_by_expansion_factor)
{
	trial((struct fair_config){ .policy = FAIR_BACKFILL,
				    .order = FAIR_ORDER_LXF });
}

TEST(depth_by_usage)
{
	trial((struct fair_config){ .policy = FAIR_BACKFILL,
				    .depth = 4,
				    .order = FAIR_ORDER_USAGE,
				    .half_life = 86400 });
}

TEST(conservative)
{
	trial((struct fair_config){ .policy = FAIR_CONSERVATIVE });
}

TEST(pc_widest_first)
{
	trial((struct fair_config){ .policy = FAIR_PC,
				    .order = FAIR_ORDER_WIDEST });
}

TEST(dc)
{
	trial((struct fair_config){ .policy = FAIR_DC });
}

TEST(sfs)
{
	trial((struct fair_config){ .policy = FAIR_SFS });
}

TEST(relshare)
{
	trial((struct fair_config){ .policy = FAIR_RELSHARE });
}

TEST(maui)
{
	trial((struct fair_config){ .policy = FAIR_MAUI });
}
