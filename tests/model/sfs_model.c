/* SPDX-License-Identifier: MIT OR Unlicense */
#include "tests/model/sfs_model.h"

#include <string.h>

#define LIMBS 8

int64_t sfs_model_occupancy(const struct sfs_model *m, uint32_t account)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < m->jobs; i++)
		if (m->job[i].state == SFS_MODEL_RUNNING &&
		    m->job[i].account == account)
			sum += m->job[i].procs;
	return sum;
}

/* product of three numbers, in limbs of 32 bits */
static void multiply(uint32_t product[LIMBS], uint64_t a, uint64_t b,
		     uint64_t c)
{
	uint64_t factor[3] = { a, b, c }, carry;
	uint32_t half[2], sum[LIMBS];
	int i, k, n;

	memset(product, 0, LIMBS * sizeof(*product));
	product[0] = 1;
	for (n = 0; n < 3; n++) {
		half[0] = (uint32_t)factor[n];
		half[1] = (uint32_t)(factor[n] >> 32);
		memset(sum, 0, sizeof(sum));
		for (k = 0; k < 2; k++) {
			carry = 0;
			for (i = 0; i + k < LIMBS; i++) {
				carry += (uint64_t)product[i] * half[k] +
					 sum[i + k];
				sum[i + k] = (uint32_t)carry;
				carry >>= 32;
			}
		}
		memcpy(product, sum, sizeof(sum));
	}
}

bool sfs_model_at_target(const struct sfs_model_account *a, int64_t occupancy)
{
	uint32_t left[LIMBS], right[LIMBS];
	int i = LIMBS - 1;

	multiply(left, (uint64_t)occupancy, (uint64_t)a->period,
		 (uint64_t)a->unit);
	multiply(right, (uint64_t)a->factor, (uint64_t)a->award, 1);
	while (i > 0 && left[i] == right[i])
		i--;
	return left[i] <= right[i];
}

static int32_t free_at(const struct sfs_model *m, int64_t t)
{
	int32_t procs = m->procs;
	size_t i;

	for (i = 0; i < m->jobs; i++)
		if ((m->job[i].state == SFS_MODEL_RUNNING ||
		     m->job[i].state == SFS_MODEL_RESERVED) &&
		    m->job[i].start <= t &&
		    t < m->job[i].start + m->job[i].walltime)
			procs -= m->job[i].procs;
	return procs;
}

static bool fits(const struct sfs_model *m, size_t job, int64_t start)
{
	int64_t t;

	for (t = start; t < start + m->job[job].walltime; t++)
		if (free_at(m, t) < m->job[job].procs)
			return false;
	return true;
}

int64_t sfs_model_earliest(const struct sfs_model *m, size_t job, int64_t now)
{
	int64_t best = -1, end;
	size_t i;

	if (m->job[job].procs > m->procs)
		return -1;
	if (fits(m, job, now))
		return now;
	for (i = 0; i < m->jobs; i++) {
		if (m->job[i].state != SFS_MODEL_RUNNING &&
		    m->job[i].state != SFS_MODEL_RESERVED)
			continue;
		end = m->job[i].start + m->job[i].walltime;
		if (end > now && (best < 0 || end < best) && fits(m, job, end))
			best = end;
	}
	return best;
}

static void decide(struct sfs_model *m, size_t job, int64_t start, bool now,
		   int pass)
{
	m->job[job].state = now ? SFS_MODEL_RUNNING : SFS_MODEL_RESERVED;
	m->job[job].start = start;
	m->job[job].pass = pass;
	m->log[m->logged++] = job;
}

/* Lists the jobs of a pass without a reservation that it has not seen. */
static size_t make_list(const struct sfs_model *m, size_t *list,
			const bool *seen, bool gated)
{
	size_t i, n = 0;
	uint32_t a;

	for (i = 0; i < m->jobs; i++) {
		a = m->job[i].account;
		if (m->job[i].state != SFS_MODEL_WAITING || seen[i])
			continue;
		if (gated && !sfs_model_at_target(m->account + a,
						  sfs_model_occupancy(m, a)))
			continue;
		list[n++] = i;
	}
	return n;
}

/* Runs pass 1 or 2 until its list is empty or the pass ends. */
static void schedule(struct sfs_model *m, int64_t now, uint32_t *left, int pass)
{
	bool seen[SFS_MODEL_JOBS] = { false };
	size_t list[SFS_MODEL_JOBS];
	int64_t start;

	while (make_list(m, list, seen, pass == 1)) {
		seen[list[0]] = true;
		start = sfs_model_earliest(m, list[0], now);
		if (start == now) {
			decide(m, list[0], now, true, pass);
		} else if (start >= 0 && *left) {
			decide(m, list[0], start, false, pass);
			--*left;
		} else if (pass == 2) {
			return;
		}
	}
}

static void backfill(struct sfs_model *m, int64_t now)
{
	size_t i;

	for (i = 0; i < m->jobs; i++)
		if (m->job[i].state == SFS_MODEL_WAITING && fits(m, i, now))
			decide(m, i, now, true, 3);
}

void sfs_model_instant(struct sfs_model *m, int64_t now, uint32_t depth)
{
	size_t i;

	for (i = 0; i < m->jobs; i++)
		if (m->job[i].state == SFS_MODEL_RESERVED)
			m->job[i].state = SFS_MODEL_WAITING;
	m->logged = 0;
	schedule(m, now, &depth, 1);
	schedule(m, now, &depth, 2);
	backfill(m, now);
}
