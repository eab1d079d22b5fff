/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs_fuzz.c - the passes of sfs.h against those of tests/model, list by list
 *
 * An input is a machine, allocations and instants at which jobs end, arrive
 * anywhere in the order, and are planned: by fair_sfs_plan() on a clone and by
 * struct fair_sfs_round, with starts, reservations and their order as the model
 * has them. Beside that, what the passes promise is checked as it is said:
 *
 *   - pass 1 starts no job of an account above its target;
 *   - when it ends, no job of an account at or below its target could start;
 *   - at the end nobody could who holds no reservation.
 *
 * The machine here is free processors second by second, the model's is not.
 */
#define FAIRSCHED_STATIC
#define FAIR_SFS_IMPLEMENTATION
#include "policies/sfs.h"
#include "tests/model/sfs_model.h"

#include <string.h>

#include "fuzz.h"

enum { LONGEST = 12, HORIZON = (SFS_MODEL_JOBS + 1) * LONGEST + 16 };

struct job {
	uint32_t account;
	int32_t procs;
	int64_t walltime, start; /* start: running or reserved */
	enum { WAITS, RUNS, HOLDS } state;
};

/* The jobs in priority order, and what is free in now + 0, 1, ... seconds. */
struct machine {
	struct job job[SFS_MODEL_JOBS];
	size_t jobs;
	int64_t now;
	int32_t procs, room[HORIZON];
};

struct run {
	struct fuzz_in in;
	struct fair_sfs s;
	struct sfs_model model;
	struct machine m;
	uint32_t accounts;
	uint64_t digest;
	char memory[SFS_MODEL_ACCOUNTS * 16 + 64];
};

/* What fair_sfs_plan() hands around. */
struct plan {
	struct machine m;
	size_t at[SFS_MODEL_JOBS];	    /* of the queue's jobs */
	size_t log[SFS_MODEL_JOBS], logged; /* at[] of those decided */
};

static void say(struct run *r, int64_t answer)
{
	r->digest = (r->digest ^ (uint64_t)answer) * UINT64_C(1099511628211);
}

/* Around a power of two up to 2^62. */
static int64_t amount(struct fuzz_in *in, bool small)
{
	int64_t power;

	if (small)
		return fuzz_range(in, 0, 40);
	power = INT64_C(1) << fuzz_range(in, 0, 62);
	return power - fuzz_range(in, 0, 1);
}

static void set_target(struct run *r, uint32_t account)
{
	struct sfs_model_account *model = r->model.account + account;
	bool small = fuzz_range(&r->in, 0, 3) > 0;
	struct fair_sfs_allocation a;
	int64_t target = -1;
	int err;

	a.award = amount(&r->in, small);
	a.period = amount(&r->in, small) >> 3 * small;
	a.factor = (int32_t)(amount(&r->in, small) & INT32_MAX);
	a.unit = (int32_t)(amount(&r->in, small) & INT32_MAX);
	a.period += !a.period;
	a.unit += !a.unit;
	model->award = a.award;
	model->period = a.period;
	model->factor = a.factor;
	model->unit = a.unit;
	err = fair_sfs_target(&a, &target);
	FUZZ_ASSERT(!err || (err == -FAIR_EOVERFLOW && target == -1));
	if (err)
		target = INT32_MAX;
	FUZZ_ASSERT(sfs_model_at_target(model, target));
	FUZZ_ASSERT(sfs_model_at_target(model, target + 1) == !!err);
	FUZZ_ASSERT(!fair_sfs_set_target(&r->s, account, target));
	say(r, target);
}

/* Whether what was granted allows the processors of the account's jobs. */
static bool at_target(const struct run *r, const struct machine *m,
		      uint32_t account)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < m->jobs; i++)
		if (m->job[i].state == RUNS && m->job[i].account == account)
			sum += m->job[i].procs;
	return sfs_model_at_target(r->model.account + account, sum);
}

/* ---- the machine ---- */

static void take(struct machine *m, const struct job *j)
{
	int64_t t;

	for (t = j->start; t < j->start + j->walltime; t++)
		if (t >= m->now)
			m->room[t - m->now] -= j->procs;
}

static void begin(struct machine *m)
{
	size_t i;

	for (i = 0; i < HORIZON; i++)
		m->room[i] = m->procs;
	for (i = 0; i < m->jobs; i++) {
		if (m->job[i].state == HOLDS)
			m->job[i].state = WAITS;
		if (m->job[i].state == RUNS)
			take(m, m->job + i);
	}
}

static int64_t earliest(const struct machine *m, const struct job *j)
{
	int64_t t, fits = 0;

	for (t = 0; t < HORIZON && fits < j->walltime; t++)
		fits = m->room[t] < j->procs ? 0 : fits + 1;
	return fits < j->walltime ? -1 : m->now + t - j->walltime;
}

static int decide(struct machine *m, struct job *j, bool may_reserve)
{
	int64_t start = earliest(m, j);

	if (start != m->now && (start < 0 || !may_reserve))
		return FAIR_SFS_NEITHER;
	j->start = start;
	j->state = start == m->now ? RUNS : HOLDS;
	take(m, j);
	return start == m->now ? FAIR_SFS_STARTED : FAIR_SFS_RESERVED;
}

/* ---- one instant ---- */

static int look(void *context, size_t job, int32_t procs, bool may_reserve)
{
	struct plan *p = (struct plan *)context;
	struct job *j = p->m.job + p->at[job];
	int answer = decide(&p->m, j, may_reserve);

	FUZZ_ASSERT(procs == j->procs);
	if (answer != FAIR_SFS_NEITHER)
		p->log[p->logged++] = p->at[job];
	return answer;
}

/* By the array: on a clone, and on a copy of the machine. */
static void plan_array(const struct run *r, uint32_t depth)
{
	char memory[sizeof(r->memory)];
	struct fair_sfs_job queue[SFS_MODEL_JOBS];
	struct fair_sfs copy;
	struct plan p;
	size_t i, n = 0;

	p.m = r->m;
	p.logged = 0;
	FUZZ_ASSERT(!fair_sfs_clone(&copy, memory, sizeof(memory), &r->s));
	for (i = 0; i < p.m.jobs; i++) {
		if (p.m.job[i].state != WAITS)
			continue;
		queue[n].account = p.m.job[i].account;
		queue[n].procs = p.m.job[i].procs;
		p.at[n++] = i;
	}
	FUZZ_ASSERT(!fair_sfs_plan(&copy, queue, n, depth, look, &p));
	FUZZ_ASSERT(fair_sfs_check(&copy) == 0);
	FUZZ_ASSERT(p.logged == r->model.logged);
	for (i = 0; i < p.logged; i++)
		FUZZ_ASSERT(p.log[i] == r->model.log[i]);
	for (i = 0; i < n; i++)
		FUZZ_ASSERT((int)queue[i].pass == r->model.job[p.at[i]].pass);
}

/* The ends of passes, as they are promised. */
static void end_of_pass(const struct run *r, bool gated)
{
	const struct machine *m = &r->m;
	size_t i;

	for (i = 0; i < m->jobs; i++) {
		if (m->job[i].state != WAITS)
			continue;
		FUZZ_ASSERT(fair_sfs_gate(&r->s, m->job[i].account) ==
			    at_target(r, m, m->job[i].account));
		if (!gated || fair_sfs_gate(&r->s, m->job[i].account))
			FUZZ_ASSERT(earliest(m, m->job + i) != m->now);
	}
}

static void plan_rounds(struct run *r, uint32_t depth)
{
	struct fair_sfs_round round;
	size_t i, logged = 0;
	struct job *j;
	int answer;

	fair_sfs_begin(&round, depth);
	do {
		for (i = 0; i < r->m.jobs; i++) {
			j = r->m.job + i;
			if (j->state == RUNS ||
			    !fair_sfs_looks(&round, &r->s, j->account,
					    j->state == HOLDS))
				continue;
			FUZZ_ASSERT(round.pass > 1 ||
				    at_target(r, &r->m, j->account));
			answer = decide(&r->m, j, fair_sfs_may_reserve(&round));
			if (answer == FAIR_SFS_STARTED)
				FUZZ_ASSERT(!fair_sfs_start(&r->s, j->account,
							    j->procs));
			if (answer == FAIR_SFS_NEITHER) {
				fair_sfs_answered(&round, answer);
				continue;
			}
			FUZZ_ASSERT(logged < r->model.logged);
			FUZZ_ASSERT(r->model.log[logged++] == i);
			FUZZ_ASSERT(r->model.job[i].pass == (int)round.pass);
			FUZZ_ASSERT(r->model.job[i].start == j->start);
			fair_sfs_answered(&round, answer);
			say(r, (int64_t)i * 4 + round.pass);
		}
		end_of_pass(r, round.pass == 1);
	} while (fair_sfs_again(&round));
	FUZZ_ASSERT(logged == r->model.logged);
}

static void plan_instant(struct run *r)
{
	uint32_t depth = (uint32_t)fuzz_range(&r->in, 0, 4), a;
	int64_t occupancy = -1, target = -1;

	begin(&r->m);
	for (a = 0; a < r->model.jobs; a++)
		r->model.job[a].pass = 0;
	sfs_model_instant(&r->model, r->m.now, depth);
	plan_array(r, depth);
	plan_rounds(r, depth);
	FUZZ_ASSERT(fair_sfs_check(&r->s) == 0);
	for (a = 0; a < r->accounts; a++) {
		FUZZ_ASSERT(!fair_sfs_occupancy(&r->s, a, &occupancy, &target));
		FUZZ_ASSERT(occupancy == sfs_model_occupancy(&r->model, a));
	}
}

/* ---- between instants ---- */

static void finish(struct run *r, size_t i)
{
	struct job *j = r->m.job + i;
	size_t behind = --r->m.jobs - i;

	FUZZ_ASSERT(!fair_sfs_finish(&r->s, j->account, j->procs));
	r->model.jobs--;
	memmove(j, j + 1, behind * sizeof(*j));
	memmove(r->model.job + i, r->model.job + i + 1,
		behind * sizeof(r->model.job[0]));
}

static void arrive(struct run *r)
{
	size_t i = (size_t)fuzz_range(&r->in, 0, (int64_t)r->m.jobs);
	size_t behind = r->m.jobs++ - i;
	struct sfs_model_job *model = r->model.job + i;
	struct job *j = r->m.job + i;

	r->model.jobs++;
	memmove(j + 1, j, behind * sizeof(*j));
	memmove(model + 1, model, behind * sizeof(*model));
	memset(j, 0, sizeof(*j));
	memset(model, 0, sizeof(*model));
	j->account = model->account =
		(uint32_t)fuzz_range(&r->in, 0, r->accounts - 1);
	/* Some are wider than the machine. */
	j->procs = model->procs =
		(int32_t)fuzz_range(&r->in, 1, r->m.procs + 1);
	j->walltime = model->walltime = fuzz_range(&r->in, 1, LONGEST);
}

static void advance(struct run *r)
{
	uint8_t early = fuzz_u8(&r->in);
	size_t i;

	r->m.now += fuzz_range(&r->in, 0, 7);
	for (i = r->m.jobs; i-- > 0;)
		if (r->m.job[i].state == RUNS &&
		    (r->m.job[i].start + r->m.job[i].walltime <= r->m.now ||
		     (early >> (i & 7) & 1)))
			finish(r, i);
}

static uint64_t run(const uint8_t *data, size_t size)
{
	static struct run r;
	uint32_t a;
	int64_t n;

	memset(&r, 0, sizeof(r));
	r.in.p = data;
	r.in.n = size;
	r.m.procs = r.model.procs = (int32_t)fuzz_range(&r.in, 1, 40);
	r.accounts = (uint32_t)fuzz_range(&r.in, 1, SFS_MODEL_ACCOUNTS);
	FUZZ_ASSERT(!fair_sfs_init(&r.s, sizeof(r.s), r.memory + 1,
				   sizeof(r.memory) - 1, r.accounts));
	for (a = 0; a < r.accounts; a++)
		set_target(&r, a);
	while (fuzz_more(&r.in)) {
		advance(&r);
		if (fuzz_range(&r.in, 0, 7) == 0)
			set_target(&r, (uint32_t)fuzz_range(&r.in, 0,
							    r.accounts - 1));
		for (n = fuzz_range(&r.in, 0, 15);
		     n > 0 && r.m.jobs < SFS_MODEL_JOBS; n--)
			arrive(&r);
		plan_instant(&r);
	}
	return r.digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = run(data, size);

	FUZZ_ASSERT(run(data, size) == digest);
	return 0;
}
