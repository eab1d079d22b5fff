/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairness_fuzz.c - fairness.h against exact fractions; fair start times
 * against their definition, see fst_trial.h
 *
 * An input is a list of events in the order of their times: jobs of any width
 * arrive, start, complete or are withdrawn, seconds or years apart. At each
 * query and at each completion the shares of a job must lie within the manual's
 * bounds of equations 1 and 2 of [CF]; the weighted shares of all jobs must add
 * up to the use of processors. Two runs have one digest.
 */
#define FAIRSCHED_STATIC
#define FAIRSCHED_IMPLEMENTATION
#include "fst_trial.h"
#include "tests/model/fairness_model.h"

#include <string.h>

#include "fuzz.h"

enum { JOBS = 24, EVENTS = 160, WIDEST = 300 };

struct job {
	struct fair_fairness_job kept;
	int64_t arrived, started;
	int32_t procs;
	enum { NONE, WAITS, RUNS } state;
};

struct run {
	struct fuzz_in in;
	struct fair_fairness f;
	struct fairness_model model;
	struct job job[JOBS];
	int64_t now, active, requested, in_use, used;
	/* The shares of all jobs, and their error bound in 2^-64. */
	struct fair_fairness_amount weighted, unweighted;
	uint64_t units;
	bool large; /* years between events */
	uint64_t digest;
	char memory[WIDEST * 24 + 64];
};

static void add_to_digest(struct run *r, uint64_t answer)
{
	r->digest = (r->digest ^ answer) * UINT64_C(1099511628211);
}

static int64_t is_used(const struct job *j, int64_t now)
{
	return j->state == RUNS ? (now - j->started) * j->procs : 0;
}

/* Compares the shares of a job until @now; the model has reached @now. */
static void compare(struct run *r, const struct job *j, int64_t now,
		    const struct fair_fairness_share *share)
{
	uint64_t n = (uint64_t)fairness_model_count(&r->model, j->arrived, now);
	static struct fairness_ratio exact;

	fairness_model_share(&r->model, j->arrived, now, j->procs, false,
			     &exact);
	FUZZ_ASSERT(fairness_model_within(&exact, share->unweighted.whole,
					  share->unweighted.fraction, n));
	fairness_model_share(&r->model, j->arrived, now, j->procs, true,
			     &exact);
	FUZZ_ASSERT(fairness_model_within(&exact, share->weighted.whole,
					  share->weighted.fraction,
					  n * (uint64_t)j->procs));
	FUZZ_ASSERT(share->used == is_used(j, now));
	add_to_digest(r, (uint64_t)share->unweighted.whole);
	add_to_digest(r, share->unweighted.fraction);
	add_to_digest(r, (uint64_t)share->weighted.whole);
	add_to_digest(r, share->weighted.fraction);
}

/* Advances the model to @now; the next event advances the header. */
static bool advance(struct run *r, int64_t now)
{
	if (now == r->now)
		return true;
	if (r->active && !fairness_model_keep(&r->model, r->now, now, r->active,
					      r->requested, r->in_use))
		return false;
	r->used += r->in_use * (now - r->now);
	r->now = now;
	return true;
}

static void arrive(struct run *r, struct job *j)
{
	int64_t most = fuzz_range(&r->in, 0, 2) ? 12 : r->f.widest;
	int32_t procs = (int32_t)fuzz_range(&r->in, 1, most + 1);
	int err = fair_fairness_arrive(&r->f, r->now, procs, &j->kept);

	FUZZ_ASSERT(err == (procs > r->f.widest ? -FAIR_ERANGE : 0));
	if (err)
		return;
	j->arrived = r->now;
	j->procs = procs;
	j->state = WAITS;
	r->active++;
	r->requested += procs;
}

static void start(struct run *r, struct job *j)
{
	FUZZ_ASSERT(!fair_fairness_start(&r->f, r->now, &j->kept));
	FUZZ_ASSERT(fair_fairness_start(&r->f, r->now, &j->kept) ==
		    -FAIR_EINVAL);
	j->started = r->now;
	j->state = RUNS;
	r->in_use += j->procs;
}

static void complete(struct run *r, struct job *j)
{
	struct fair_fairness_share share, again;

	FUZZ_ASSERT(!fair_fairness_at(&r->f, r->now, &j->kept, &again));
	FUZZ_ASSERT(!fair_fairness_complete(&r->f, r->now, &j->kept, &share));
	compare(r, j, r->now, &share);
	compare(r, j, r->now, &again);
	FUZZ_ASSERT(fair_fairness_complete(&r->f, r->now, &j->kept, &share) ==
		    -FAIR_EINVAL);
	r->weighted = fair_fairness_add(r->weighted, share.weighted);
	r->unweighted = fair_fairness_add(r->unweighted, share.unweighted);
	r->units +=
		(uint64_t)fairness_model_count(&r->model, j->arrived, r->now) *
		(uint64_t)j->procs;
	r->active--;
	r->requested -= j->procs;
	if (j->state == RUNS)
		r->in_use -= j->procs;
	j->state = NONE;
}

/* Queries a job at a later time, which changes nothing. */
static void query(struct run *r, const struct job *j)
{
	int64_t later = r->now + fuzz_range(&r->in, 0, 100);
	struct fair_fairness was = r->f;
	struct fair_fairness_share share;

	if (!fairness_model_keep(&r->model, r->now, later, r->active,
				 r->requested, r->in_use))
		return;
	FUZZ_ASSERT(!fair_fairness_at(&r->f, later, &j->kept, &share));
	compare(r, j, later, &share);
	r->model.stretches--;
	FUZZ_ASSERT(!memcmp(&was, &r->f, sizeof(was)));
}

static void event(struct run *r)
{
	uint8_t what = fuzz_u8(&r->in);
	struct job *j = r->job + what % JOBS;
	int64_t most = r->large ? INT64_C(1) << 40 : 20;
	int64_t later = fuzz_range(&r->in, -1, most);

	if (later < 0)
		later = 0;
	if (!advance(r, r->now + later))
		return;
	if (j->state == NONE)
		arrive(r, j);
	else if (what / JOBS % 4 == 0)
		query(r, j);
	else if (j->state == WAITS && what / JOBS % 4 < 3)
		start(r, j);
	else
		complete(r, j);
}

/* The weighted shares of all jobs add up to the processors in use. */
static void add_up(struct run *r)
{
	struct fair_fairness_amount left = { 0, 0 };

	left.whole = r->used;
	left = fair_fairness_subtract(left, r->weighted);
	FUZZ_ASSERT(left.whole == 0 && left.fraction <= r->units);
	FUZZ_ASSERT(r->unweighted.whole <= r->used);
	FUZZ_ASSERT(r->unweighted.whole < r->used || !r->unweighted.fraction);
}

static uint64_t run(const uint8_t *data, size_t size)
{
	static struct run r;
	void *memory = r.memory + 3;
	int32_t widest;
	int i;

	memset(&r, 0, sizeof(r));
	r.in.p = data;
	r.in.n = size;
	r.large = fuzz_range(&r.in, 0, 1);
	widest = (int32_t)fuzz_range(&r.in, 1, WIDEST);
	r.now = r.large ? -fuzz_range(&r.in, 0, INT64_C(1) << 40) : 0;
	FUZZ_ASSERT(!fair_fairness_init(&r.f, sizeof(r.f), memory,
					fair_fairness_size(widest), widest,
					r.now));
	for (i = 0; i < EVENTS && fuzz_more(&r.in); i++) {
		event(&r);
		FUZZ_ASSERT(fair_fairness_check(&r.f) == 0);
	}
	for (i = 0; i < JOBS; i++)
		if (r.job[i].state != NONE)
			complete(&r, r.job + i);
	FUZZ_ASSERT(fair_fairness_check(&r.f) == 0);
	FUZZ_ASSERT(r.f.used == r.used && !r.f.busy && !r.f.requested);
	add_up(&r);
	return r.digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = run(data, size);

	FUZZ_ASSERT(run(data, size) == digest);
	digest = trial_run(data, size);
	FUZZ_ASSERT(trial_run(data, size) == digest);
	return 0;
}
