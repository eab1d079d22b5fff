/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative_small_test.c - drawn events, against a naive plan, with queues
 * and lists so small that few jobs fill them, and with walks that are cut short
 */
#define FAIRSCHED_STATIC
#define FAIR_CONSERVATIVE_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#define FAIR_QUEUE_IMPLEMENTATION
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_MINIMA 2
#include "policies/conservative.h"
#include "tests/test.h"
#include "tests/model/conservative_model.h"

enum {
	JOBS = CONSERVATIVE_MODEL_JOBS,
	OTHERS = 60,
	PROCS = 9,
	WINDOWS = 4,
	FAR = 3000,
	BYTES = 1 << 15
};

/* A job of the model is another slot here; each move is told, hashed. */
struct pair {
	struct conservative_model model;
	struct fair_conservative c;
	struct fair_moves moves;
	struct fair_queued *job, jobs[2][JOBS];
	uint32_t slot[JOBS], numbers;
	int64_t end[JOBS]; /* of those that run; else 0 */
	struct {
		int64_t from, to;
		int32_t procs;
	} window[WINDOWS];
	int64_t origin; /* the model's is 0 */
	uint64_t told[2], random;
	uint64_t memory[2][BYTES / 8];
};

static int64_t any(struct pair *x, int64_t low, int64_t high)
{
	return test_range(&x->random, low, high);
}

/* A time of the model, as the plan has it. */
static int64_t at(const struct pair *x, int64_t t)
{
	return t == FAIR_FOREVER ? t : x->origin + t;
}

static int64_t now(const struct pair *x)
{
	return at(x, x->model.now);
}

static void tell(uint64_t *told, uint32_t job, int64_t from, int64_t to)
{
	*told += (job + 1) * (uint64_t)from + 7 * (uint64_t)to;
	*told *= UINT64_C(0x9e3779b97f4a7c15);
}

static void model_moved(void *context, uint32_t job, int64_t from)
{
	struct pair *x = (struct pair *)context;

	tell(&x->told[0], job, at(x, from), at(x, x->model.job[job].key));
}

static uint32_t job_in(const struct pair *x, uint32_t slot)
{
	uint32_t i = 0;

	while (x->slot[i] != slot)
		i++;
	return i;
}

static void moved(void *context, uint32_t slot, int64_t from)
{
	struct pair *x = (struct pair *)context;

	tell(&x->told[1], job_in(x, slot), from, x->job[slot].rank.key);
}

static void same(struct pair *x)
{
	int64_t first = FAIR_FOREVER;
	uint32_t i, jobs = 0;

	TEST_EQ(fair_conservative_check(&x->c), 0);
	if (fair_conservative_is_unfinished(&x->c))
		return;
	for (i = 0; i < JOBS; i++) {
		const struct conservative_model_job *j = &x->model.job[i];

		if (!j->waits)
			continue;
		jobs++;
		TEST_EQ(fair_conservative_job(&x->c, x->slot[i])->rank.key,
			at(x, j->key));
		TEST_EQ(fair_conservative_job(&x->c, x->slot[i])->turn,
			at(x, j->turn));
		first = j->key < first ? j->key : first;
	}
	TEST_EQ(x->c.plan.jobs, jobs);
	TEST_EQ(fair_conservative_next(&x->c), at(x, first));
	TEST_EQ(x->told[0], x->told[1]);
}

/* All, or few: the next call goes on, and ends what is left undone; pc's goes
 * on only in calls for that, or it would decide otherwise. */
static void scan_limit(struct pair *x)
{
	x->c.scans = any(x, 0, 1) ? UINT64_MAX : (uint64_t)any(x, 0, 5);
}

static void go_on(struct pair *x)
{
	if (!any(x, 0, 3) && x->c.compression != FAIR_COMPRESS_PRIORITIZED)
		return;
	while (!fair_conservative_resume(&x->c, &x->moves)) {
		TEST_EQ(fair_conservative_check(&x->c), 0);
		x->c.scans = (uint64_t)any(x, 1, 3);
	}
}

/* The reaction, which the caller owes after a loss. */
static void react(struct pair *x)
{
	scan_limit(x);
	fair_conservative_compress(&x->c, now(x), &x->moves);
	go_on(x);
}

static void compress(struct pair *x)
{
	/* One that has not begun would serve as both. */
	if (x->c.walk.kind == FAIR_CONSERVATIVE_PENDING)
		fair_conservative_finish(&x->c, &x->moves);
	conservative_model_compress(&x->model);
	react(x);
}

static void submit(struct pair *x, uint32_t i, bool back)
{
	const struct conservative_model_job *j = &x->model.job[i];
	uint32_t slot = x->slot[i];

	x->job[slot].rank.number = j->number;
	x->job[slot].rank.key = any(x, 0, 9);
	x->job[slot].walltime = j->walltime;
	x->job[slot].procs = j->procs;
	x->job[slot].mark = 0;
	x->job[slot].not_before = at(x, j->not_before);
	conservative_model_submit(&x->model, i, back);
	TEST_EQ((back ? fair_conservative_put_back
		      : fair_conservative_submit)(&x->c, now(x), slot,
						  j->priority, &x->moves),
		0);
}

/* Some are alike, some too wide, most have their turn by number. */
static void arrive(struct pair *x)
{
	struct conservative_model_job *j = x->model.job;
	uint32_t i;

	for (i = 0; i < JOBS && (j[i].waits || x->end[i]); i++)
		;
	if (i == JOBS)
		return;
	j[i].number = x->numbers++;
	j[i].walltime = any(x, 0, 2) ? any(x, 1, any(x, 0, 9) ? 12 : 60) : 5;
	j[i].procs = (int32_t)(any(x, 0, 2) ? any(x, 1, PROCS)
					    : any(x, 0, 9) ? 6 : PROCS + 1);
	j[i].priority = any(x, 0, 1) ? any(x, -3, 3) : 0;
	j[i].not_before = 0;
	submit(x, i, false);
}

static void give_back(struct pair *x, int64_t start, int64_t end,
		      int32_t procs)
{
	if (start < x->model.now)
		start = x->model.now;
	if (start >= end)
		return;
	conservative_model_use(&x->model, start, end, -procs);
	TEST_OK(fair_conservative_give_back(&x->c, now(x), at(x, start),
					    at(x, end), CLAIM(procs), &x->moves));
}

static void finish(struct pair *x)
{
	uint32_t i = (uint32_t)any(x, 0, JOBS - 1);

	if (x->end[i])
		give_back(x, 0, x->end[i], x->model.job[i].procs);
	x->end[i] = 0;
}

static void open_window(struct pair *x, uint32_t w)
{
	int64_t from = x->model.now + any(x, 0, 20);
	int64_t to = any(x, 0, 3) ? from + any(x, 1, 30) : FAIR_FOREVER;
	int32_t procs = (int32_t)any(x, 1, 4);
	bool good = conservative_model_take(&x->model, from, to, procs);

	TEST_EQ(fair_conservative_take(&x->c, now(x), at(x, from), at(x, to),
				       CLAIM(procs), &x->moves),
		good ? 0 : -FAIR_ERANGE);
	if (good)
		fair_conservative_end_loss(&x->c, at(x, from), 0, 0, &x->moves);
	x->window[w].from = from;
	x->window[w].to = good ? to : 0;
	x->window[w].procs = procs;
}

/* All at once: what running jobs hold is the same. */
static void lift(struct pair *x, uint32_t w)
{
	int64_t from = x->window[w].from, to = x->window[w].to;
	int32_t procs = x->window[w].procs;

	if (from < x->model.now)
		from = x->model.now;
	if (from >= to || to == FAIR_FOREVER)
		return;
	fair_conservative_displace_all(&x->c, now(x), &x->moves);
	TEST_OK(fair_profile_release(&x->c.space.profile, at(x, from), to - from,
				     procs));
	fair_conservative_end_loss(&x->c, INT64_MIN, at(x, from), at(x, to),
				   &x->moves);
	conservative_model_use(&x->model, from, to, -procs);
	x->window[w].to = 0;
}

static void window(struct pair *x)
{
	uint32_t w = (uint32_t)any(x, 0, WINDOWS - 1);

	if (x->window[w].to <= x->model.now) {
		open_window(x, w);
	} else if (any(x, 0, 1)) {
		lift(x, w);
	} else {
		give_back(x, x->window[w].from, x->window[w].to,
			  x->window[w].procs);
		x->window[w].to = 0;
	}
}

static void withdraw(struct pair *x)
{
	uint32_t i = (uint32_t)any(x, 0, JOBS - 1);

	TEST_EQ(fair_conservative_withdraw(&x->c, x->slot[i], &x->moves),
		x->model.job[i].waits ? 0 : -FAIR_EINVAL);
	if (x->model.job[i].waits)
		conservative_model_withdraw(&x->model, i);
}

/* With the promise that it had. */
static void restore(struct pair *x)
{
	uint32_t i = (uint32_t)any(x, 0, JOBS - 1);

	if (!x->model.job[i].waits)
		return;
	TEST_EQ(fair_conservative_withdraw(&x->c, x->slot[i], &x->moves), 0);
	TEST_OK(fair_conservative_restore(&x->c, now(x), x->slot[i],
					  x->model.job[i].priority, &x->moves));
}

/* In other slots, which then goes on. */
static void clone(struct pair *x)
{
	uint32_t slot[JOBS], i, to = x->job == x->jobs[0];
	uint32_t by = (uint32_t)any(x, 0, JOBS - 1);
	struct fair_conservative copy;

	for (i = 0; i < JOBS; i++) {
		slot[i] = (i + by) % JOBS;
		x->jobs[to][slot[i]] = x->job[i];
	}
	TEST_OK(fair_conservative_clone(&copy, x->memory[to], BYTES,
					x->jobs[to], &x->c, by ? slot : NULL));
	TEST_EQ(copy.space.profile.cap, x->c.space.profile.cap);
	for (i = 0; i < JOBS; i++)
		x->slot[i] = slot[x->slot[i]];
	memset(x->memory[!to], 0x5a, BYTES);
	memset(x->jobs[!to], 0x5a, sizeof(x->jobs[0]));
	x->job = x->jobs[to];
	copy.space.profile.reach = x->c.space.profile.reach; /* no machine's */
	copy.space.profile.horizon = x->c.space.profile.horizon;
	x->c = copy;
}

/* A start, or it is refused. */
static void begin(struct pair *x, uint32_t i)
{
	struct conservative_model_job *j = &x->model.job[i];

	TEST_EQ(x->job[x->slot[i]].rank.key, now(x));
	x->end[i] = x->model.now + j->walltime;
	if (any(x, 0, 7))
		return;
	give_back(x, 0, x->end[i], j->procs);
	x->end[i] = 0;
	j->not_before = any(x, 0, 4) ? x->model.now + any(x, 1, 20)
				     : FAIR_FOREVER;
	submit(x, i, true);
	compress(x);
}

/* The jobs that have missed their start are a loss. */
static void catch_up(struct pair *x)
{
	if (fair_conservative_next(&x->c) < now(x)) {
		TEST_OK(fair_conservative_catch_up(&x->c, now(x), &x->moves));
		fair_conservative_end_loss(&x->c, INT64_MIN, 0, 0, &x->moves);
		x->model.pending = true; /* it follows */
	}
	if (x->model.pending)
		react(x);
}

static void step(struct pair *x)
{
	uint32_t slot, i;
	bool due;

	catch_up(x);
	do {
		i = conservative_model_due(&x->model);
		do {
			scan_limit(x);
			due = fair_conservative_due(&x->c, now(x), &slot, &x->moves);
			TEST_EQ(fair_conservative_check(&x->c), 0);
		} while (!due && fair_conservative_is_unfinished(&x->c));
		TEST_EQ(due, i < JOBS);
		if (due)
			TEST_EQ(slot, x->slot[i]);
		same(x);
		if (due)
			begin(x, i);
	} while (due);
}

/*
 * Mostly to the next start, sometimes past it: the jobs that miss theirs are a
 * loss of that call. Rises are seen before it; what a horizon that moves on
 * makes room for, fair_conservative_due() finds, or a newcomer that has others
 * go first.
 */
static void pass(struct pair *x)
{
	int64_t next = fair_conservative_next(&x->c);
	uint32_t i;

	next -= next == FAIR_FOREVER ? 0 : x->origin;
	if (next > x->model.now + 9 || !any(x, 0, 2))
		next = x->model.now + any(x, 0, 9);
	if (next <= x->model.now)
		return;
	compress(x);
	x->c.scans = UINT64_MAX;
	TEST_CHECK(fair_conservative_resume(&x->c, &x->moves));
	x->model.now = next;
	for (i = 0; i < JOBS; i++) {
		if (x->end[i] <= next)
			x->end[i] = 0;
	}
	if ((x->model.reach < FAR &&
	     x->model.compression != CONSERVATIVE_MODEL_DELAYED) ||
	    fair_conservative_next(&x->c) < now(x) || any(x, 0, 1))
		step(x);
}

static void play(uint32_t compression, uint64_t seed)
{
	static struct pair x;
	uint32_t i;

	memset(&x, 0, sizeof(x));
	x.random = seed;
	x.job = x.jobs[0];
	x.model.compression = compression;
	x.model.procs = PROCS;
	x.model.moved = model_moved;
	x.model.context = &x;
	x.origin = any(&x, 0, 1) ? 0 : -200; /* some play through 0 */
	for (i = 0; i < JOBS; i++)
		x.slot[i] = i;
	TEST_OK(fair_conservative_init(&x.c, sizeof(x.c), x.memory[0], BYTES,
				       compression, JOBS, OTHERS, x.job,
				       sizeof(x.job[0]), PROCS, x.origin));
	x.c.space.profile.reach = x.model.reach = any(&x, 0, 1) ? 60 : FAR;
	x.c.space.profile.horizon = x.origin + x.model.reach;
	x.moves.moved = moved;
	x.moves.context = &x;
	while (x.model.now < 500) {
		scan_limit(&x);
		switch (any(&x, 0, 15)) {
		case 0:
			window(&x);
			break;
		case 1:
			(any(&x, 0, 3) ? withdraw : restore)(&x);
			break;
		case 2:
			clone(&x);
			break;
		case 3:
		case 4:
			compress(&x);
			break;
		case 5:
		case 6:
			finish(&x);
			if (any(&x, 0, 3))
				compress(&x);
			break;
		case 7:
		case 8:
		case 9:
			pass(&x);
			break;
		case 10:
			compress(&x);
			step(&x);
			break;
		default:
			arrive(&x);
		}
		same(&x);
	}
}

static void against_the_model(uint32_t compression)
{
	uint64_t seed;

	for (seed = 0; seed < TEST_ROUNDS(240); seed++)
		play(compression, seed);
	play(compression, 1506); /* two compressions in one second */
}

TEST(in_order)
{
	against_the_model(FAIR_COMPRESS);
}

TEST(prioritized)
{
	against_the_model(FAIR_COMPRESS_PRIORITIZED);
}

TEST(delayed)
{
	against_the_model(FAIR_COMPRESS_DELAYED);
}

/*
 * dc: 0 leaves [50, 60) and moves to now, which lets 1 start now, too: before,
 * too few were free there. Behind them wait so many others that blocks of them
 * are passed by.
 */
TEST(view_opens)
{
	enum { OTHERS_WAIT = 16 };
	static struct fair_queued job[2 + OTHERS_WAIT];
	static uint64_t memory[BYTES / 8];
	struct fair_conservative c;
	uint32_t i;

	TEST_OK(fair_conservative_init(&c, sizeof(c), memory, BYTES,
				       FAIR_COMPRESS_DELAYED, 2 + OTHERS_WAIT,
				       4, job, sizeof(job[0]), PROCS, 0));
	TEST_EQ(fair_conservative_take(&c, 0, 0, 50, CLAIM(PROCS), NULL), 0);
	TEST_EQ(fair_conservative_take(&c, 0, 50, 60, CLAIM(3), NULL), 0);
	for (i = 0; i < 2 + OTHERS_WAIT; i++) {
		job[i].rank.number = i;
		job[i].walltime = i == 1 ? 100 : 10;
		job[i].procs = i == 0 ? 6 : i == 1 ? 3 : PROCS;
		TEST_EQ(fair_conservative_submit(&c, 0, i, i, NULL), 0);
		if (i == 0)
			TEST_OK(fair_conservative_take(&c, 0, 60, 5000,
							     CLAIM(PROCS), NULL));
	}
	TEST_EQ(job[0].rank.key, 50);
	TEST_EQ(job[1].rank.key, 5000);
	TEST_CHECK(c.priority.rows >= 4);
	TEST_EQ(fair_conservative_give_back(&c, 0, 0, 50, CLAIM(PROCS), NULL), 0);
	TEST_EQ(fair_conservative_give_back(&c, 0, 60, 5000, CLAIM(PROCS), NULL), 0);
	fair_conservative_compress(&c, 0, NULL);
	TEST_EQ(job[0].rank.key, 0);
	TEST_EQ(job[1].rank.key, 0);
	TEST_EQ(fair_conservative_check(&c), 0);
}
