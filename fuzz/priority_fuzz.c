/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * priority_fuzz.c - priority.h against long integers and [MAUI] table 2
 *
 * An input is weights, caps and jobs of any size. Each value is the rounded
 * exact one, or within the bound; each sum is the model's. Two runs have one
 * digest.
 */
#define FAIRSCHED_STATIC
#define FAIR_PRIORITY_IMPLEMENTATION
#include "policies/priority.h"
#include "tests/model/priority_model.h"

#include <string.h>

#include "fuzz.h"

enum { PARTS = FAIR_PRIORITY_PARTS, COMPONENTS = FAIR_PRIORITY_COMPONENTS };

static void add_to_digest(uint64_t *digest, int64_t answer)
{
	*digest = (*digest ^ (uint64_t)answer) * UINT64_C(1099511628211);
}

/* Draws an amount >= 0, often small, often next to a power of two. */
static int64_t amount(struct fuzz_in *in, int64_t most)
{
	uint8_t how = fuzz_u8(in);

	if (how < 100)
		return how <= most ? how : most;
	if (how < 160)
		return (int64_t)((fuzz_u64(in) >> 1) >> (how - 100)) & most;
	if (how < 222)
		return (((int64_t)1 << (how - 160)) - fuzz_range(in, 0, 1)) &
		       most;
	return most - fuzz_range(in, 0, 2);
}

static int64_t any(struct fuzz_in *in)
{
	uint8_t how = fuzz_u8(in);

	if (how == 255)
		return INT64_MIN;
	return how & 1 ? -amount(in, INT64_MAX) : amount(in, INT64_MAX);
}

static void read_config(struct fuzz_in *in, struct fair_priority_config *c)
{
	int i;

	*c = fair_priority_defaults();
	for (i = 0; i < COMPONENTS; i++) {
		c->component_weight[i] = any(in);
		c->component_cap[i] = amount(in, INT64_MAX);
	}
	for (i = 0; i < PARTS; i++) {
		c->weight[i] = any(in);
		c->cap[i] = amount(in, INT64_MAX);
	}
}

static void read_amounts(struct fuzz_in *in, struct fair_priority_amounts *a)
{
	const int64_t most = FAIR_PRIORITY_MOST - 1;

	a->nodes = amount(in, most);
	a->procs = amount(in, most);
	a->memory = amount(in, most);
	a->swap = amount(in, most);
	a->disk = amount(in, most);
}

static void read_job(struct fuzz_in *in, struct fair_priority_job *j)
{
	int i;

	j->wait = amount(in, INT64_MAX);
	j->walltime = amount(in, FAIR_PRIORITY_MOST - 1) + 1;
	read_amounts(in, &j->request);
	j->pe = amount(in, INT64_MAX);
	for (i = 0; i < FAIR_PRIORITY_CREDENTIALS; i++) {
		j->fs_delta[i] = any(in);
		j->given[i] = any(in);
	}
	j->bypassed = amount(in, INT64_MAX);
	j->xfactor_target = amount(in, INT64_MAX);
	j->queue_time_target = amount(in, INT64_MAX);
	j->xfactor_weight = any(in);
	j->queue_time_weight = any(in);
}

static void check_values(const struct fair_priority_job *j, const int64_t *v)
{
	const struct fair_priority_amounts *r = &j->request;
	const int64_t asked[5] = { r->nodes, r->procs, r->memory, r->swap,
				   r->disk };
	const int64_t one = FAIR_PRIORITY_ONE;
	int i;

	FUZZ_ASSERT(priority_model_queue_time(v[0], j->wait));
	FUZZ_ASSERT(priority_model_xfactor(v[1], j->wait, j->walltime));
	for (i = 0; i < 5; i++)
		FUZZ_ASSERT(v[2 + i] == priority_model_times(one, asked[i]));
	FUZZ_ASSERT(v[7] == j->pe);
	for (i = 0; i < 5; i++) {
		FUZZ_ASSERT(v[8 + i] == j->fs_delta[i]);
		FUZZ_ASSERT(v[13 + i] ==
			    priority_model_times(one, j->given[i]));
	}
	if (j->xfactor_target)
		FUZZ_ASSERT(priority_model_xfactor_target(
			v[18], j->xfactor_target, j->wait, j->walltime));
	else
		FUZZ_ASSERT(v[18] == 0);
	if (j->queue_time_target)
		FUZZ_ASSERT(priority_model_queue_time_target(
			v[19], j->queue_time_target, j->wait));
	else
		FUZZ_ASSERT(v[19] == 0);
	FUZZ_ASSERT(v[20] == priority_model_times(one, j->bypassed));
}

static void check_sums(const struct fair_priority_config *c,
		       const struct fair_priority_job *j,
		       const struct fair_priority_parts *p)
{
	struct priority_model m;

	memcpy(m.component_weight, c->component_weight,
	       sizeof(m.component_weight));
	memcpy(m.component_cap, c->component_cap, sizeof(m.component_cap));
	memcpy(m.weight, c->weight, sizeof(m.weight));
	memcpy(m.cap, c->cap, sizeof(m.cap));
	memcpy(m.value, p->value, sizeof(m.value));
	m.queue_time_weight = j->queue_time_weight;
	m.xfactor_weight = j->xfactor_weight;
	priority_model(&m);
	FUZZ_ASSERT(!memcmp(p->part, m.part, sizeof(m.part)));
	FUZZ_ASSERT(!memcmp(p->factor, m.factor, sizeof(m.factor)));
	FUZZ_ASSERT(!memcmp(p->component, m.component, sizeof(m.component)));
	FUZZ_ASSERT(p->priority == m.priority);
	FUZZ_ASSERT(p->priority >= -FAIR_PRIORITY_MAX);
}

/* A second later no value of waiting is smaller. */
static void check_later(const struct fair_priority_config *c,
			const struct fair_priority_job *j,
			const struct fair_priority_parts *p)
{
	static const int grows[] = { FAIR_PRIORITY_QUEUE_TIME,
				     FAIR_PRIORITY_XFACTOR,
				     FAIR_PRIORITY_TARGET_XFACTOR,
				     FAIR_PRIORITY_TARGET_QUEUE_TIME };
	struct fair_priority_job later = *j;
	struct fair_priority_parts q;
	int i;

	later.wait += later.wait < INT64_MAX;
	FUZZ_ASSERT(!fair_priority(c, &later, &q));
	for (i = 0; i < 4; i++)
		FUZZ_ASSERT(q.value[grows[i]] >= p->value[grows[i]]);
}

static void check_pe(struct fuzz_in *in, const struct fair_priority_job *j,
		     uint64_t *digest)
{
	struct fair_priority_amounts m;
	const struct fair_priority_amounts *r = &j->request;
	int64_t asked[4], total[4], pe;

	read_amounts(in, &m);
	m.procs = 1 + (m.procs & (INT32_MAX - 1));
	asked[0] = r->procs;
	asked[1] = r->memory;
	asked[2] = r->swap;
	asked[3] = r->disk;
	total[0] = m.procs;
	total[1] = m.memory;
	total[2] = m.swap;
	total[3] = m.disk;
	FUZZ_ASSERT(!fair_priority_pe(r, &m, &pe));
	FUZZ_ASSERT(priority_model_pe(pe, asked, total));
	add_to_digest(digest, pe);
}

static uint64_t run(const uint8_t *data, size_t size)
{
	struct fuzz_in in = { data, size };
	struct fair_priority_config c;
	struct fair_priority_parts p;
	struct fair_priority_job j;
	uint64_t digest = 0;
	int jobs;

	read_config(&in, &c);
	for (jobs = 0; jobs < 8 && fuzz_more(&in); jobs++) {
		read_job(&in, &j);
		FUZZ_ASSERT(!fair_priority(&c, &j, &p));
		check_values(&j, p.value);
		check_sums(&c, &j, &p);
		check_later(&c, &j, &p);
		check_pe(&in, &j, &digest);
		add_to_digest(&digest, p.priority);
	}
	return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FUZZ_ASSERT(run(data, size) == run(data, size));
	return 0;
}
