/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Prioritized compression that a scan limit pauses, with events in between: it
 * moves the first job by priority that has an earlier start, in the plan as it
 * is then, until none has. Before, reservations that a loss displaced are made
 * again, by turn, and jobs without one are placed. A naive plan over an array
 * of seconds follows: it takes out all that ends after a loss begins.
 */
#include <stdlib.h>
#include <string.h>

#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_LONG 2
#define FAIRSCHED_IMPLEMENTATION
#include "policies/conservative.h"
#include "tests/test.h"

#define JOBS 40
#define PROCS 12
#define SECONDS 4000

static uint64_t paused_remakes; /* so far */

struct site {
	struct fair_conservative c;
	void *memory, *spare;
	size_t bytes;
	struct fair_queued job[JOBS];
	int64_t priority[JOBS], start[JOBS], turn[JOBS]; /* the naive plan */
	bool queued[JOBS], is_out[JOBS];
	uint32_t loser[JOBS], losers, remade; /* a loss moves them in this */
	int64_t next_start[JOBS];	      /* order; so many are told */
	int32_t lost[SECONDS]; /* held by others than queued jobs */
	int32_t procs;	       /* of the machine, from now on */
	int64_t now;
	uint64_t random, numbers, moves, losses;
	bool compressing; /* moves are those of compression */
};

/* Processors free at @t without the reservation of @but. */
static int32_t free_at(const struct site *x, int64_t t, uint32_t but)
{
	int32_t free = x->procs - x->lost[t];
	uint32_t i;

	for (i = 0; i < JOBS; i++)
		if (x->queued[i] && i != but && !x->is_out[i] &&
		    x->start[i] <= t &&
		    t < x->start[i] + x->job[i].walltime)
			free -= x->job[i].procs;
	return free;
}

static int64_t earliest(const struct site *x, uint32_t i, int64_t from)
{
	int64_t t;

	for (t = from; t < from + x->job[i].walltime; t++) {
		if (x->procs < x->job[i].procs)
			return FAIR_FOREVER;
		if (free_at(x, t, i) < x->job[i].procs)
			from = t + 1;
	}
	return from;
}

/* The first job by priority that has an earlier start; JOBS: none. */
static uint32_t first_to_move(const struct site *x, int64_t *to)
{
	uint32_t i, best = JOBS;

	for (i = 0; i < JOBS; i++) {
		if (!x->queued[i] ||
		    (best < JOBS && (x->priority[best] < x->priority[i] ||
				     (x->priority[best] == x->priority[i] &&
				      x->job[best].rank.number <
					      x->job[i].rank.number))))
			continue;
		if (earliest(x, i, x->now) < x->start[i])
			best = i;
	}
	if (best < JOBS)
		*to = earliest(x, best, x->now);
	return best;
}

/* The first by turn of jobs that are out, or that have no start but could have
 * one; JOBS: none. */
static uint32_t first_by_turn(const struct site *x, bool out)
{
	uint32_t i, best = JOBS;

	for (i = 0; i < JOBS; i++)
		if (x->queued[i] &&
		    (out ? x->is_out[i]
			 : x->start[i] == FAIR_FOREVER &&
				   x->job[i].procs <= x->procs) &&
		    (best == JOBS || x->turn[i] < x->turn[best] ||
		     (x->turn[i] == x->turn[best] &&
		      x->job[i].rank.number < x->job[best].rank.number)))
			best = i;
	return best;
}

/* What ends after @lost goes out, and by turn back, or to a later start. */
static void lose(struct site *x, int64_t lost)
{
	int64_t was[JOBS], from;
	uint32_t i;

	memcpy(was, x->start, sizeof(was));
	x->losers = x->remade = 0;
	for (i = 0; i < JOBS; i++)
		x->is_out[i] = x->queued[i] && was[i] != FAIR_FOREVER &&
			       was[i] + x->job[i].walltime > lost;
	while ((i = first_by_turn(x, true)) < JOBS) {
		from = was[i] < x->now ? x->now : was[i];
		x->start[i] = x->next_start[i] = earliest(x, i, from);
		x->is_out[i] = false;
		if (x->start[i] != was[i])
			x->loser[x->losers++] = i;
	}
	memcpy(x->start, was, sizeof(was));
}

static void moved(void *context, uint32_t slot, int64_t from)
{
	struct site *x = (struct site *)context;
	int64_t start = x->job[slot].rank.key, to = start;

	TEST_EQ(x->start[slot], from);
	if (x->remade < x->losers) {
		TEST_EQ(slot, x->loser[x->remade++]);
		TEST_EQ(start, x->next_start[slot]);
		x->losses++;
	} else if (from == FAIR_FOREVER) {
		TEST_EQ(first_by_turn(x, false), slot);
		TEST_EQ(start, earliest(x, slot, x->now));
	} else if (x->compressing) {
		x->moves++;
		TEST_EQ(first_by_turn(x, false), JOBS);
		TEST_EQ(first_to_move(x, &to), slot);
		TEST_EQ(start, to);
	}
	x->start[slot] = start;
	if (x->turn[slot] > start)
		x->turn[slot] = start;
}

/* Compression pauses, or no job can move. */
static void check(struct site *x)
{
	int64_t to;
	uint32_t i;

	x->compressing = false;
	TEST_EQ(fair_conservative_check(&x->c), 0);
	for (i = 0; i < JOBS; i++)
		if (x->queued[i]) {
			TEST_EQ(x->job[i].rank.key, x->start[i]);
			TEST_EQ(x->job[i].turn, x->turn[i]);
		}
	paused_remakes += x->c.displaced > 0;
	if (!x->c.displaced)
		TEST_EQ(x->remade, x->losers);
	if (!fair_conservative_is_unfinished(&x->c) && !x->c.freed.most)
		TEST_EQ(first_to_move(x, &to), JOBS);
}

static void open_site(struct site *x, uint64_t seed)
{
	memset(x, 0, sizeof(*x));
	x->random = seed;
	x->procs = PROCS;
	x->bytes = fair_conservative_size(FAIR_COMPRESS_PRIORITIZED, JOBS,
					  SECONDS);
	x->memory = malloc(x->bytes);
	x->spare = malloc(x->bytes);
	TEST_OK(fair_conservative_init(&x->c, sizeof(x->c), x->memory, x->bytes,
				       FAIR_COMPRESS_PRIORITIZED, JOBS, SECONDS,
				       x->job, sizeof(x->job[0]), PROCS, 0));
}

static void close_site(struct site *x)
{
	free(x->memory);
	free(x->spare);
}

static void submit(struct site *x, uint32_t i, const struct fair_moves *told)
{
	x->job[i].rank.number = ++x->numbers;
	x->job[i].walltime = test_range(&x->random, 1, 30);
	x->job[i].procs = (int32_t)test_range(&x->random, 1, PROCS);
	x->job[i].not_before = INT64_MIN;
	x->priority[i] = test_range(&x->random, 0, 9);
	TEST_OK(fair_conservative_submit(&x->c, x->now, i, x->priority[i],
					 told));
	x->queued[i] = true;
	x->start[i] = FAIR_FOREVER;
	TEST_EQ(x->job[i].rank.key, earliest(x, i, x->now));
	x->start[i] = x->turn[i] = x->job[i].rank.key;
}

/* Others than queued jobs hold a processor less over [@from, @end), or more. */
static void hold(struct site *x, int64_t from, int64_t end, int32_t more)
{
	int64_t t;

	if (end == FAIR_FOREVER)
		x->procs -= more;
	for (t = from; t < end && t < SECONDS && end != FAIR_FOREVER; t++)
		x->lost[t] += more;
}

/* Whether a processor is never held by others than queued jobs. */
static bool can_lose(const struct site *x)
{
	int64_t t;

	for (t = x->now; t < SECONDS; t++)
		if (x->lost[t] >= x->procs)
			return false;
	return true;
}

/* One loss of a processor, now or later, for good or not; or of two. */
static void take(struct site *x, const struct fair_moves *told)
{
	int64_t from = x->now + test_range(&x->random, 0, 20), lost = from, end;
	int64_t takes = test_range(&x->random, 1, 2);

	/* What was displaced before is not affected. */
	fair_conservative_prepare_event(&x->c, told);
	while (takes-- && can_lose(x)) {
		end = from + test_range(&x->random, 1, 40);
		if (x->procs > PROCS / 2 && test_range(&x->random, 0, 2)) {
			from = lost = x->now;
			end = FAIR_FOREVER;
		}
		hold(x, from, end, 1);
		TEST_OK(fair_conservative_take(&x->c, x->now, from, end,
					       CLAIM(1), told));
	}
	if (test_range(&x->random, 0, 3)) {
		lose(x, lost);
		fair_conservative_end_loss(&x->c, lost, x->now, x->now, told);
	} else {
		lose(x, INT64_MIN); /* the next change makes them again */
	}
}

static void compress(struct site *x, const struct fair_moves *told)
{
	x->compressing = true;
	fair_conservative_compress(&x->c, x->now, told);
}

/* A job ends early that had started when it was due. */
static void start(struct site *x, const struct fair_moves *told)
{
	int64_t end, ran = test_range(&x->random, 0, 1), t;
	uint32_t slot;

	while (fair_conservative_due(&x->c, x->now, &slot, told)) {
		x->queued[slot] = false;
		end = x->now + x->job[slot].walltime;
		for (t = x->now; t < end; t++)
			x->lost[t] += x->job[slot].procs;
		if (ran && end > x->now + 1) {
			TEST_OK(fair_conservative_give_back(
				&x->c, x->now, x->now + 1, end,
				CLAIM(x->job[slot].procs), told));
			for (t = x->now + 1; t < end; t++)
				x->lost[t] -= x->job[slot].procs;
			compress(x, told);
			return;
		}
	}
}

/* The plan goes on from a clone. */
static void replace(struct site *x)
{
	struct fair_conservative copy;
	void *memory = x->spare;

	TEST_OK(fair_conservative_clone(&copy, memory, x->bytes, x->job, &x->c,
					NULL));
	x->spare = x->memory;
	x->memory = memory;
	x->c = copy;
}

/* Time passes, but no start, and no second in which jobs are being placed. */
static void pass(struct site *x)
{
	int64_t to = x->now + test_range(&x->random, 0, 2);
	int64_t first = fair_conservative_next(&x->c);

	if (!fair_conservative_is_placing(&x->c))
		x->now = to < first ? to : first;
}

static void event(struct site *x, const struct fair_moves *told)
{
	uint32_t i = (uint32_t)test_range(&x->random, 0, JOBS - 1);

	switch (test_range(&x->random, 0, 7)) {
	case 0:
		if (!x->queued[i])
			return;
		TEST_OK(fair_conservative_withdraw(&x->c, i, told));
		x->queued[i] = false;
		compress(x, told);
		return;
	case 1:
		if (x->procs == PROCS)
			return;
		fair_conservative_prepare_event(&x->c, told);
		hold(x, x->now, FAIR_FOREVER, -1);
		TEST_OK(fair_conservative_give_back(&x->c, x->now, x->now,
						    FAIR_FOREVER, CLAIM(1),
						    told));
		compress(x, told);
		return;
	case 2:
		take(x, told);
		return;
	case 3:
		x->compressing = true;
		TEST_OK(fair_profile_advance(&x->c.space.profile, x->now));
		(void)fair_conservative_resume(&x->c, told);
		return;
	case 4:
		replace(x);
		return;
	case 5:
		if (!fair_conservative_is_unfinished(&x->c))
			start(x, told);
		return;
	default:
		if (!x->queued[i])
			submit(x, i, told);
	}
}

TEST(compression_goes_on_in_the_plan_as_it_is)
{
	struct fair_moves told = { moved, NULL, NULL, NULL, NULL };
	uint64_t seed, pauses = 0, moves = 0, losses = 0;
	struct site x;
	int i;

	for (seed = 1; seed <= TEST_ROUNDS(200); seed++) {
		open_site(&x, seed);
		told.context = &x;
		for (i = 0; i < 600; i++) {
			x.c.scans = (uint64_t)test_range(&x.random, 0, 6);
			event(&x, &told);
			check(&x);
			pauses += fair_conservative_is_unfinished(&x.c);
			pass(&x);
		}
		x.c.scans = UINT64_MAX;
		compress(&x, &told);
		check(&x);
		moves += x.moves;
		losses += x.losses;
		close_site(&x);
	}
	TEST_CHECK(pauses > TEST_ROUNDS(1000));
	TEST_CHECK(moves > TEST_ROUNDS(1000));
	TEST_CHECK(losses > TEST_ROUNDS(1000));
	TEST_CHECK(paused_remakes > TEST_ROUNDS(1000));
}
