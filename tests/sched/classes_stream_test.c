/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A stream of jobs on a machine of four classes and three resources: no promise
 * moves later, since no job overruns and the caller delays none, and each job
 * starts at its first promise or before, in a class that it names.
 */
#include "fairsched.h"
#include "tests/test.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

enum { CLASSES = 4, RESOURCES = 3, CROWD = 64 };

/* Processors, GPUs, licences of the whole machine. */
static const int32_t machine_amount[CLASSES * RESOURCES] = {
	64, 0, 12, 32, 4, 0, 128, 0, 0, 16, 8, 0
};
static const struct fair_machine_config machine = { RESOURCES, CLASSES, 4,
						    machine_amount };

struct arrival {
	int32_t amount[RESOURCES];
	uint8_t classes[CLASSES];
	uint32_t class_count;
	int64_t gap, walltime, run, first_promise;
};

struct stream {
	struct fair_sched s;
	struct arrival *job;
	size_t jobs, arrived, live;
	int64_t next;
	size_t delays, late_starts, elsewhere, other_classes;
};

static void draw(struct arrival *a, uint64_t *seed)
{
	uint64_t kind = test_random(seed) % 8;

	memset(a, 0, sizeof(*a));
	a->amount[0] = (int32_t)(1 << test_range(seed, 0, 4));
	a->gap = test_range(seed, 0, 9);
	a->walltime = test_range(seed, 1, 600);
	a->run = test_range(seed, 0, a->walltime);
	if (kind < 2) {
		a->amount[1] = (int32_t)test_range(seed, 1, 4);
		a->classes[0] = kind ? 3 : 1;
		a->classes[1] = kind ? 1 : 3;
		a->class_count = (uint32_t)test_range(seed, 0, 2);
	} else if (kind < 4) {
		a->classes[0] = (uint8_t)test_range(seed, 0, 3);
		a->classes[1] = (uint8_t)((a->classes[0] + 2) % CLASSES);
		a->class_count = (uint32_t)test_range(seed, 1, 2);
	}
	if (kind == 0 || kind == 5)
		a->amount[2] = (int32_t)test_range(seed, 1, 6);
}

static bool serves(const struct arrival *a, uint32_t node_class)
{
	uint32_t i;

	for (i = 0; i < a->class_count; i++)
		if (a->classes[i] == node_class)
			return true;
	return !a->class_count;
}

static void promised(void *context, const struct fair_promise *p)
{
	struct stream *t = (struct stream *)context;
	struct arrival *a = &t->job[p->number];

	if (p->from == FAIR_FOREVER)
		a->first_promise = p->to;
	else
		t->delays += p->to >= p->from;
	t->elsewhere += !serves(a, p->node_class);
}

static int64_t run_of(void *context, uint64_t number)
{
	return ((const struct stream *)context)->job[number].run;
}

/* While many jobs are live, none arrives. */
static int64_t next(void *context)
{
	const struct stream *t = (const struct stream *)context;

	if (t->arrived == t->jobs || t->live == CROWD)
		return FAIR_FOREVER;
	return t->next > t->s.now ? t->next : t->s.now;
}

static int arrive(void *context, int64_t now)
{
	struct stream *t = (struct stream *)context;
	int error = 0;

	while (!error && next(t) <= now) {
		const struct arrival *a = &t->job[t->arrived];
		struct fair_job job = { .number = t->arrived,
					.submit = now,
					.walltime = a->walltime,
					.procs = a->amount[0],
					.amount = a->amount,
					.classes = a->classes,
					.class_count = a->class_count };

		error = fair_sched_submit(&t->s, now, &job);
		t->arrived++;
		t->live++;
		t->next = now + (t->arrived < t->jobs ? a[1].gap : 0);
	}
	return error;
}

static int ended(void *context, uint64_t number, int64_t now)
{
	struct stream *t = (struct stream *)context;

	(void)number;
	(void)now;
	t->live--;
	return 0;
}

static int started(void *context, uint64_t number, int64_t now)
{
	struct stream *t = (struct stream *)context;
	struct fair_job_status j;

	t->late_starts += now > t->job[number].first_promise;
	if (fair_sched_lookup(&t->s, number, &j))
		t->elsewhere++;
	t->elsewhere += !serves(&t->job[number], j.node_class);
	t->other_classes += j.node_class > 0;
	return 0;
}

/* Returns the digest. */
static uint64_t play(uint32_t policy, size_t jobs)
{
	static struct fair_simulated_end end[CROWD];
	static struct stream t;
	const struct fair_simulated_events events = {
		run_of, next, arrive, ended, started, &t
	};
	struct fair_config c = { .policy = policy,
				 .order = policy == FAIR_CONSERVATIVE
						  ? FAIR_ORDER_FCFS
						  : FAIR_ORDER_SJF,
				 .procs = 240,
				 .jobs = CROWD,
				 .promised = promised,
				 .context = &t,
				 .machine = &machine };
	size_t bytes = fair_sched_size(&c), i;
	void *memory = malloc(bytes);
	struct fair_simulated_run f;
	uint64_t seed = policy;
	int64_t now;
	int error = 0;

	memset(&t, 0, sizeof(t));
	t.jobs = jobs;
	t.job = (struct arrival *)malloc(jobs * sizeof(*t.job));
	if (!t.job || !memory)
		abort();
	for (i = 0; i < jobs; i++)
		draw(&t.job[i], &seed);
	TEST_OK(fair_sched_init(&t.s, sizeof(t.s), memory, bytes, &c));
	TEST_OK(fair_simulated_run_attach(&f, sizeof(f), end, CROWD, &t.s,
					  &events));
	while ((now = fair_simulated_run_next(&f)) != FAIR_FOREVER && !error)
		error = fair_simulated_run_instant(&f, now);
	TEST_EQ(error, 0);
	TEST_EQ(t.arrived, jobs);
	TEST_EQ(t.live, 0);
	TEST_EQ(t.delays, 0);
	TEST_EQ(t.late_starts, 0);
	TEST_EQ(t.elsewhere, 0);
	TEST_CHECK(t.other_classes > jobs / 4);
	TEST_EQ(fair_sched_check(&t.s), 0);
	free(t.job);
	free(memory);
	return fair_sched_digest(&t.s);
}

#define LIGHT (TEST_ROUNDS(8) == 1)
/* FAIRSCHED_FULL=1: tools/full.sh exhaustion. */
#define STREAM \
	SOME(LIGHT ? 5000 : getenv("FAIRSCHED_FULL") ? 100000 : 20000, 1000)

TEST(promises_are_kept)
{
	TEST_CHECK(play(FAIR_CONSERVATIVE, STREAM) !=
		   play(FAIR_PC, STREAM));
	play(FAIR_DC, STREAM);
}
