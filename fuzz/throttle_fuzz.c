/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * throttle_fuzz.c - throttle.h against a list of the running jobs
 *
 * An input is a few credentials with limits, then jobs that are tested, start,
 * end and get other planned ends, and queues from which jobs are selected. Every
 * answer is the model's, and jobs that are not exempt exceed no hard limit. Two
 * runs have one digest.
 */
#define FAIRSCHED_STATIC
#define FAIR_THROTTLE_IMPLEMENTATION
#include "policies/throttle.h"
#include "tests/model/throttle_model.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { KINDS = FAIR_THROTTLE_KINDS, RESOURCES = FAIR_THROTTLE_RESOURCES };

struct run {
	struct fuzz_in in;
	struct fair_throttle t;
	struct throttle_model m;
	struct fair_throttle_job job[THROTTLE_MODEL_JOBS]; /* as in m.job */
	uint32_t count[KINDS];
	int64_t now;
	void *memory;
	uint64_t digest;
	bool strict; /* no job was exempt, no limit was lowered below its use */
};

static void add_to_digest(struct run *r, int64_t answer)
{
	r->digest = (r->digest ^ (uint64_t)answer) * UINT64_C(1099511628211);
}

/* Draws small amounts most often, sometimes any. */
static int64_t amount(struct fuzz_in *in, int64_t most)
{
	uint8_t how = fuzz_u8(in);

	if (how < 200)
		return how % 50 <= most ? how % 50 : most;
	if (how < 240)
		return fuzz_range(in, 0, most);
	return most - fuzz_range(in, 0, 2);
}

static void set_limit(struct run *r)
{
	int kind = (int)fuzz_range(&r->in, 0, KINDS - 1);
	int resource = (int)fuzz_range(&r->in, 0, RESOURCES - 1);
	uint32_t id = (uint32_t)fuzz_range(&r->in, 0, THROTTLE_MODEL_MOST);
	int64_t soft = amount(&r->in, INT64_MAX);
	int64_t hard = amount(&r->in, INT64_MAX);
	uint32_t i, end = id + 1;
	int want;

	/* The value after the last one means all. */
	if (id == THROTTLE_MODEL_MOST) {
		id = 0;
		end = r->count[kind];
	}
	want = end <= r->count[kind] ? 0 : -FAIR_EINVAL;
	FUZZ_ASSERT(fair_throttle_set_limit(&r->t, kind,
					id + 1 == end ? id : FAIR_THROTTLE_ALL,
					resource, soft, hard) == want);
	if (want)
		return;
	r->strict &= !r->m.jobs;
	for (i = id; i < end; i++) {
		r->m.limit[0][kind][i][resource] = soft < hard ? soft : hard;
		r->m.limit[1][kind][i][resource] = hard;
	}
}

static struct fair_throttle_job read_job(struct run *r)
{
	struct fair_throttle_job j;
	int kind;

	for (kind = 0; kind < KINDS; kind++) {
		j.id[kind] = (uint32_t)fuzz_range(&r->in, 0, r->count[kind]);
		if (j.id[kind] == r->count[kind])
			j.id[kind] = FAIR_THROTTLE_NONE;
	}
	j.exempt = fuzz_u8(&r->in);
	j.exempt = j.exempt < 32 ? j.exempt : 0;
	j.procs = (int32_t)amount(&r->in, INT32_MAX);
	j.nodes = (int32_t)amount(&r->in, INT32_MAX);
	j.memory = amount(&r->in, FAIR_THROTTLE_MOST);
	return j;
}

static struct throttle_model_job to_model(const struct fair_throttle_job *j,
					  int64_t end)
{
	struct throttle_model_job m;

	memcpy(m.id, j->id, sizeof(m.id));
	m.exempt = j->exempt;
	m.procs = j->procs;
	m.nodes = j->nodes;
	m.memory = j->memory;
	m.end = end;
	return m;
}

static void same_why(struct run *r, const struct fair_throttle_violation *b,
		     const struct throttle_model_why *why,
		     const struct throttle_model_job *job)
{
	FUZZ_ASSERT((int)b->kind == why->kind && b->id == job->id[why->kind]);
	FUZZ_ASSERT((int)b->resource == why->resource);
	FUZZ_ASSERT(b->limit == why->limit && b->used == why->used);
	FUZZ_ASSERT(b->asked == why->asked && b->asked > b->limit - b->used);
	add_to_digest(r, b->used);
}

static void test_job(struct run *r, const struct fair_throttle_job *job,
		     int64_t end)
{
	static const int error[3] = { -FAIR_EOVERFLOW, 0, 1 };
	struct throttle_model_job j = to_model(job, end);
	struct throttle_model_why why;
	struct fair_throttle_violation b;
	int level, want;

	for (level = 0; level < 2; level++) {
		want = error[throttle_model_test(&r->m, r->now, &j, level,
						 &why) +
			     1];
		FUZZ_ASSERT(fair_throttle_test(&r->t, r->now, job, end, level,
					       &b) == want);
		FUZZ_ASSERT(fair_throttle_test(&r->t, r->now, job, end, level,
					       NULL) == want);
		if (want == 1)
			same_why(r, &b, &why, &j);
		FUZZ_ASSERT(want != 1 || (int)b.level == level);
		add_to_digest(r, want);
	}
	want = throttle_model_possible(&r->m, &j, end - r->now, &why);
	FUZZ_ASSERT(fair_throttle_test_empty(&r->t, job, end - r->now,
					   FAIR_THROTTLE_HARD, &b) == want);
	if (want == 1)
		same_why(r, &b, &why, &j);
}

static void start(struct run *r)
{
	static const int error[3] = { -FAIR_EOVERFLOW, 0, -FAIR_ERANGE };
	struct fair_throttle_job job = read_job(r);
	int64_t end = r->now + 1 + amount(&r->in, INT64_C(1) << 34);
	struct throttle_model_job j = to_model(&job, end);
	int want;

	test_job(r, &job, end);
	if (r->m.jobs == THROTTLE_MODEL_JOBS)
		return;
	want = error[throttle_model_start(&r->m, r->now, &j) + 1];
	FUZZ_ASSERT(fair_throttle_charge(&r->t, r->now, &job, end) == want);
	if (want)
		return;
	r->strict &= !job.exempt;
	r->job[r->m.jobs] = job;
	r->m.job[r->m.jobs++] = j;
}

/* Selects jobs of a queue at one level. */
static void select_jobs(struct run *r)
{
	static const int error[3] = { -FAIR_EOVERFLOW, 0, 1 };
	int jobs = (int)fuzz_range(&r->in, 0, 12);
	int level = fuzz_u8(&r->in) & 1, want;
	struct throttle_model_job j;
	struct throttle_model_why why;
	struct fair_throttle_violation b;
	struct fair_throttle_job job;
	int64_t end;

	for (; jobs; jobs--) {
		job = read_job(r);
		end = r->now + 1 + amount(&r->in, INT64_C(1) << 34);
		j = to_model(&job, end);
		want = error[throttle_model_select(&r->m, r->now, &j, level,
						   &why) +
			     1];
		FUZZ_ASSERT(fair_throttle_select(&r->t, r->now, &job, end,
						 level, &b) == want);
		add_to_digest(r, want);
		if (want == 1)
			same_why(r, &b, &why, &j);
		else if (!want)
			r->m.idle[r->m.idles++] = j;
	}
	r->m.idles = 0;
	fair_throttle_deselect(&r->t);
}

static void finish(struct run *r, int i)
{
	FUZZ_ASSERT(
		!fair_throttle_release(&r->t, &r->job[i], r->m.job[i].end));
	r->m.jobs--;
	r->job[i] = r->job[r->m.jobs];
	r->m.job[i] = r->m.job[r->m.jobs];
}

static void change_end(struct run *r, int i)
{
	int64_t end = r->now + 1 + amount(&r->in, INT64_C(1) << 34);

	/* Processor-seconds may exceed a limit after that. */
	r->strict &= end <= r->m.job[i].end;
	FUZZ_ASSERT(
		!fair_throttle_change_end(&r->t, &r->job[i], r->m.job[i].end, end));
	r->m.job[i].end = end;
}

/*
 * Ends a job with other values than it started with: that is refused, or all
 * but the totals stay correct, since a job without credentials shows in totals
 * only.
 */
static void end_with_other_values(struct run *r, int i)
{
	size_t bytes = fair_throttle_size(r->count);
	struct fair_throttle_job job = r->job[i];
	struct fair_throttle copy;
	void *memory = malloc(bytes);
	int error, broken;

	FUZZ_ASSERT(memory);
	FUZZ_ASSERT(!fair_throttle_clone(&copy, memory, bytes, &r->t));
	job.procs = (int32_t)amount(&r->in, INT32_MAX);
	job.memory = amount(&r->in, FAIR_THROTTLE_MOST);
	if (fuzz_u8(&r->in) & 1)
		error = fair_throttle_release(&copy, &job, r->m.job[i].end);
	else
		error = fair_throttle_change_end(&copy, &job, r->now, r->now + 5);
	FUZZ_ASSERT(!error || error == -FAIR_ERANGE);
	broken = fair_throttle_check(&copy);
	FUZZ_ASSERT(!broken || broken == 4);
	add_to_digest(r, error);
	free(memory);
}

/* Jobs whose planned end has come end, or get another end. */
static void pass_time(struct run *r)
{
	int i;

	r->now += amount(&r->in, INT64_C(1) << 33);
	for (i = r->m.jobs - 1; i >= 0; i--) {
		if (r->m.job[i].end > r->now)
			continue;
		if (fuzz_u8(&r->in) & 1)
			change_end(r, i);
		else
			finish(r, i);
	}
}

static void compare(struct run *r)
{
	int64_t used, want, limit;
	int kind, k;
	uint32_t id;

	FUZZ_ASSERT(!fair_throttle_check(&r->t));
	for (kind = 0; kind < KINDS; kind++) {
		for (id = 0; id < r->count[kind]; id++) {
			for (k = 0; k < RESOURCES; k++) {
				want = throttle_model_used(&r->m, r->now, kind,
							   id, k);
				FUZZ_ASSERT(!fair_throttle_used(
					&r->t, r->now, kind, id, k, &used));
				FUZZ_ASSERT(used == want);
				limit = r->m.limit[1][kind][id][k];
				FUZZ_ASSERT(!r->strict || used <= limit);
				add_to_digest(r, used);
			}
		}
	}
}

static void step(struct run *r)
{
	int what = fuzz_u8(&r->in) % 9;
	int i = r->m.jobs ? (int)fuzz_range(&r->in, 0, r->m.jobs - 1) : -1;

	if (what == 0)
		set_limit(r);
	else if (what == 1)
		pass_time(r);
	else if (what == 2 && i >= 0)
		finish(r, i);
	else if (what == 3 && i >= 0)
		change_end(r, i);
	else if (what == 4 && i >= 0)
		end_with_other_values(r, i);
	else if (what == 8)
		select_jobs(r);
	else
		start(r);
	compare(r);
}

static uint64_t run(const uint8_t *data, size_t size)
{
	struct run *r = calloc(1, sizeof(*r));
	uint64_t digest;
	int kind, steps;
	size_t bytes;

	FUZZ_ASSERT(r);
	r->in.p = data;
	r->in.n = size;
	r->strict = true;
	for (kind = 0; kind < KINDS; kind++)
		r->count[kind] = (uint32_t)fuzz_range(&r->in, 0, 3);
	r->now = fuzz_range(&r->in, -1000, INT64_C(1) << 40);
	bytes = fair_throttle_size(r->count);
	r->memory = malloc(bytes);
	FUZZ_ASSERT(r->memory);
	FUZZ_ASSERT(!fair_throttle_init(&r->t, sizeof(r->t), r->memory, bytes,
					r->count, r->now));
	throttle_model_init(&r->m, r->now);
	for (steps = 0; fuzz_more(&r->in) && steps < 400; steps++)
		step(r);
	digest = r->digest;
	free(r->memory);
	free(r);
	return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FUZZ_ASSERT(run(data, size) == run(data, size));
	return 0;
}
