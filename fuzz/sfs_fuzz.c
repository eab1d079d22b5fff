/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs_fuzz.c - targets and the gate of sfs.h against tests/model
 *
 * An input is a machine, allocations and instants at which jobs end, arrive
 * anywhere in the order, and are planned by the model. The gate is told each
 * start in the order of the model, and is then open exactly for the allocations
 * at or below what they were awarded; pass 1 of the model starts or reserves
 * only for these.
 */
#define FAIRSCHED_STATIC
#define FAIR_SFS_IMPLEMENTATION
#include "policies/sfs.h"
#include "tests/model/sfs_model.h"

#include <string.h>

#include "fuzz.h"

enum { LONGEST = 12 };

struct job {
	uint32_t account;
	int32_t procs;
	int64_t walltime, start; /* start: of a running job */
	enum { WAITS, RUNS } state;
};

/* The jobs in priority order. */
struct machine {
	struct job job[SFS_MODEL_JOBS];
	size_t jobs;
	int64_t now;
	int32_t procs;
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

/* ---- one instant ---- */

static void check_gates(const struct run *r)
{
	uint32_t a;

	for (a = 0; a < r->accounts; a++)
		FUZZ_ASSERT(fair_sfs_gate(&r->s, a) == at_target(r, &r->m, a));
}

static void plan_instant(struct run *r)
{
	uint32_t depth = (uint32_t)fuzz_range(&r->in, 0, 4), a;
	int64_t occupancy = -1, target = -1;
	struct job *j;
	size_t i, k;

	for (i = 0; i < r->model.jobs; i++)
		r->model.job[i].pass = 0;
	sfs_model_instant(&r->model, r->m.now, depth);
	check_gates(r);
	for (k = 0; k < r->model.logged; k++) {
		i = r->model.log[k];
		j = r->m.job + i;
		FUZZ_ASSERT(r->model.job[i].pass > 1 ||
			    fair_sfs_gate(&r->s, j->account));
		say(r, (int64_t)i * 4 + r->model.job[i].pass);
		if (r->model.job[i].state != SFS_MODEL_RUNNING)
			continue;
		j->start = r->m.now;
		j->state = RUNS;
		FUZZ_ASSERT(!fair_sfs_start(&r->s, j->account, j->procs));
		check_gates(r);
	}
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
