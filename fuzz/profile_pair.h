/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_pair.h - profile.h against the interval list of tests/model
 *
 * Bytes become operations. It compares each answer and checks each state; the
 * result is a digest of all answers. The includer defines small leaves and
 * chunks, so that a few dozen steps reach every level of the index.
 */
#ifndef FAIR_PROFILE_PAIR_H
#define FAIR_PROFILE_PAIR_H

#include "profile.h"
#include "tests/model/profile_model.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

enum { PROFILE_PAIR_JOBS = 256 };

struct job {
	int64_t start, walltime;
	int32_t procs;
};

struct run {
	struct fuzz_in in;
	struct fair_profile p;
	struct profile_model m;
	void *memory;
	size_t bytes;
	int64_t span;	/* the range of random times */
	int32_t widest; /* the maximum of random processors */
	struct job job[PROFILE_PAIR_JOBS];
	size_t jobs;
	uint64_t digest;
};

static void add_to_digest(struct run *r, int64_t answer)
{
	r->digest = (r->digest ^ (uint64_t)answer) * UINT64_C(1099511628211);
}

static int64_t draw_time(struct run *r)
{
	return r->p.origin + fuzz_range(&r->in, 0, r->span);
}

static int32_t draw_procs(struct run *r)
{
	return (int32_t)fuzz_range(&r->in, 1, r->widest);
}

static int64_t draw_walltime(struct run *r)
{
	return 1 + fuzz_range(&r->in, 0, r->span / 4);
}

static void add_job(struct run *r, int64_t start, int64_t walltime,
		    int32_t procs)
{
	struct job *j = &r->job[r->jobs];

	if (r->jobs == PROFILE_PAIR_JOBS)
		return;
	r->jobs++;
	j->start = start;
	j->walltime = walltime;
	j->procs = procs;
}

static struct job *draw_job(struct run *r)
{
	if (!r->jobs)
		return NULL;
	return &r->job[(size_t)fuzz_range(&r->in, 0, (int64_t)r->jobs - 1)];
}

static int reserve(struct run *r, int64_t start, int64_t walltime,
		   int32_t procs)
{
	int err = fair_profile_reserve(&r->p, start, walltime, procs);

	FUZZ_ASSERT(err ==
		    profile_model_reserve(&r->m, start, walltime, procs));
	if (!err)
		add_job(r, start, walltime, procs);
	add_to_digest(r, err);
	return err;
}

static int release(struct run *r, int64_t start, int64_t walltime,
		   int32_t procs)
{
	int err = fair_profile_release(&r->p, start, walltime, procs);

	FUZZ_ASSERT(err ==
		    profile_model_release(&r->m, start, walltime, procs));
	add_to_digest(r, err);
	return err;
}

static int earliest(struct run *r, int64_t not_before, int64_t walltime,
		    int32_t procs, int64_t *start)
{
	int64_t ours = -1, models = -1;
	int err = fair_profile_earliest_start(&r->p, not_before, walltime,
					      procs, &ours);

	FUZZ_ASSERT(err == profile_model_earliest_start(&r->m, not_before,
							walltime, procs,
							&models));
	FUZZ_ASSERT(ours == models);
	add_to_digest(r, ours);
	*start = ours;
	return err;
}

static void place(struct run *r)
{
	int64_t not_before = fuzz_u8(&r->in) & 1 ? draw_time(r) : r->p.origin;
	int64_t walltime = draw_walltime(r), start;
	int32_t procs = draw_procs(r);

	if (!earliest(r, not_before, walltime, procs, &start))
		reserve(r, start, walltime, procs);
}

static int32_t most_free(const struct run *r, int64_t start, int64_t end)
{
	const struct profile_model *m = &r->m;
	int32_t most = 0;
	size_t i;

	for (i = 0; i < m->n && m->step[i].at < end; i++)
		if ((i + 1 == m->n || m->step[i + 1].at > start) &&
		    m->step[i].free > most)
			most = (int32_t)m->step[i].free;
	return most;
}

/* The model releases and reserves the parts that change. */
static int move_in_model(struct run *r, const struct job *j, int64_t to)
{
	int64_t end = j->start + j->walltime, part = j->start - to;
	int err;

	part = part < j->walltime ? part : j->walltime;
	err = profile_model_release(&r->m, end - part, part, j->procs);
	if (err)
		return err;
	err = profile_model_reserve(&r->m, to, part, j->procs);
	if (err)
		FUZZ_ASSERT(!profile_model_reserve(&r->m, end - part, part,
						   j->procs));
	return err;
}

static void move_job(struct run *r, struct job *j, int64_t to)
{
	int64_t end = j->start + j->walltime, left = to + j->walltime;
	int32_t most = -1;
	int err = fair_profile_move(&r->p, j->start, to, j->walltime, j->procs,
				    &most);

	FUZZ_ASSERT(err == move_in_model(r, j, to));
	add_to_digest(r, err);
	if (err) {
		FUZZ_ASSERT(most == -1);
		return;
	}
	left = left > j->start ? left : j->start;
	FUZZ_ASSERT(most >= most_free(r, left, end));
	j->start = to;
}

static void earlier(struct run *r, bool move)
{
	struct job *j = draw_job(r);
	int64_t not_before, before, ours = -1, models = -1;
	int err;

	if (!j)
		return;
	not_before = fuzz_u8(&r->in) & 3 ? r->p.origin : draw_time(r);
	before = fuzz_u8(&r->in) & 3 ? INT64_MAX : draw_time(r);
	err = fair_profile_earlier_start(&r->p, not_before, before, j->walltime,
					 j->procs, j->start, &ours);
	FUZZ_ASSERT(err == profile_model_earlier_start(
				   &r->m, not_before, before, j->walltime,
				   j->procs, j->start, &models));
	FUZZ_ASSERT(ours == models);
	add_to_digest(r, ours);
	if (!err && move && ours != j->start)
		move_job(r, j, ours);
}

/* Releases a reservation, or its end from a random time on. */
static void end_job(struct run *r, bool early)
{
	struct job *j = draw_job(r), was;
	int64_t left;

	if (!j)
		return;
	was = *j;
	left = early ? fuzz_range(&r->in, 0, was.walltime - 1) : 0;
	if (release(r, was.start + left, was.walltime - left, was.procs))
		return;
	if (left)
		j->walltime = left;
	else
		*j = r->job[--r->jobs];
}

static void capacity(struct run *r)
{
	int64_t start = fuzz_u8(&r->in) & 1 ? r->p.origin : draw_time(r);
	int64_t end =
		fuzz_u8(&r->in) & 1 ? FAIR_FOREVER : start + draw_walltime(r);
	int32_t delta =
		(int32_t)fuzz_range(&r->in, -(int64_t)r->widest, r->widest);
	int err = fair_profile_change_capacity(&r->p, start, end, delta);

	FUZZ_ASSERT(err ==
		    profile_model_change_capacity(&r->m, start, end, delta));
	FUZZ_ASSERT(r->p.limit == r->m.limit);
	add_to_digest(r, err);
}

static void advance(struct run *r)
{
	int64_t origin = r->p.origin + fuzz_range(&r->in, 0, r->span / 8);
	size_t i;

	FUZZ_ASSERT(!fair_profile_advance(&r->p, origin));
	FUZZ_ASSERT(!profile_model_advance(&r->m, origin));
	for (i = 0; i < r->jobs;) {
		struct job *j = &r->job[i];
		int64_t end = j->start + j->walltime;

		if (end <= origin) {
			*j = r->job[--r->jobs];
			continue;
		}
		if (j->start < origin)
			j->start = origin;
		j->walltime = end - j->start;
		i++;
	}
}

/* Replaces the profile by a clone, and overwrites the old memory. */
static void clone(struct run *r)
{
	size_t bytes = fair_profile_size(r->p.cap + fuzz_u8(&r->in));
	void *memory = malloc(bytes);
	struct fair_profile copy;

	FUZZ_ASSERT(memory);
	FUZZ_ASSERT(!fair_profile_clone(&copy, memory, bytes, &r->p));
	memset(r->memory, 0xa5, r->bytes);
	free(r->memory);
	r->p = copy;
	r->memory = memory;
	r->bytes = bytes;
	r->m.most = copy.cap;
	r->m.reach = copy.horizon - copy.origin;
}

/* Makes free intervals of one length, in which no longer job fits. */
static void make_comb(struct run *r)
{
	int64_t t = draw_time(r), window = draw_walltime(r);
	int64_t gap = 1 + fuzz_u8(&r->in) % 4;
	int32_t procs = draw_procs(r);
	int i, n = fuzz_u8(&r->in) % 64;

	for (i = 0; i < n; i++, t += window + gap)
		if (reserve(r, t, gap, procs))
			return;
}

static void run_around(struct run *r, int64_t start, int64_t end)
{
	int64_t models_start = start, models_end = end;
	int32_t procs = draw_procs(r);

	FUZZ_ASSERT(fair_profile_run(&r->p, procs, &start, &end) ==
		    profile_model_run(&r->m, procs, &models_start,
				      &models_end));
	FUZZ_ASSERT(start == models_start && end == models_end);
}

/* Calls with any arguments; a call that fails changes nothing. */
static void call_with_any_arguments(struct run *r)
{
	int64_t t = (int64_t)fuzz_u64(&r->in), d = (int64_t)fuzz_u64(&r->in);
	int32_t procs = (int32_t)fuzz_u32(&r->in);
	int64_t start, ours = 1, models = 1;
	int32_t least = 1, models_least = 1, most;
	struct fair_step step;

	earliest(r, t, d, procs, &start);
	FUZZ_ASSERT(fair_profile_earlier_start(&r->p, t, d, 9, procs, start,
					       &ours) ==
		    profile_model_earlier_start(&r->m, t, d, 9, procs, start,
						&models));
	FUZZ_ASSERT(ours == models);
	FUZZ_ASSERT(fair_profile_min_free(&r->p, t, d, &least) ==
		    profile_model_min_free(&r->m, t, d, &models_least));
	FUZZ_ASSERT(least == models_least);
	FUZZ_ASSERT(fair_profile_max_free(&r->p, t, d, &most) ==
		    (t < r->p.origin || d <= t ? -FAIR_EINVAL : 0));
	if (t >= r->p.origin && d > t)
		FUZZ_ASSERT(most == most_free(r, t, d));
	run_around(r, t, d);
	FUZZ_ASSERT(t > r->p.origin ||
		    fair_profile_move(&r->p, t, d, 9, procs, &most));
	FUZZ_ASSERT(fair_profile_step_at(&r->p, t, &step) ==
		    (t < r->p.origin ? -FAIR_EINVAL : 0));
	release(r, t, d, procs);
	if (t < r->p.origin)
		FUZZ_ASSERT(fair_profile_advance(&r->p, t) == -FAIR_EINVAL);
	else if (t > INT64_MAX - (INT64_C(1) << 38))
		FUZZ_ASSERT(fair_profile_advance(&r->p, t) == -FAIR_EOVERFLOW);
}

static void check_answers(struct run *r)
{
	int64_t start = draw_time(r), end = start + draw_walltime(r), t;
	int32_t ours, models;

	FUZZ_ASSERT(!fair_profile_min_free(&r->p, start, end, &ours));
	FUZZ_ASSERT(!profile_model_min_free(&r->m, start, end, &models));
	FUZZ_ASSERT(ours == models);
	FUZZ_ASSERT(!fair_profile_max_free(&r->p, start, end, &ours));
	FUZZ_ASSERT(ours == most_free(r, start, end));
	run_around(r, start, end);
	earliest(r, start, end - start, draw_procs(r), &t);
	earliest(r, r->p.origin, draw_walltime(r), draw_procs(r), &t);
	earlier(r, false);
}

static void compare(struct run *r)
{
	struct fair_step s;
	size_t i;

	FUZZ_ASSERT(fair_profile_check(&r->p) == 0);
	FUZZ_ASSERT(fair_profile_steps(&r->p) == r->m.n);
	for (i = 0, s.end = r->p.origin; i < r->m.n; i++) {
		int64_t at = s.end;

		FUZZ_ASSERT(!fair_profile_step_at(&r->p, at, &s));
		FUZZ_ASSERT(s.start == at && at == r->m.step[i].at);
		FUZZ_ASSERT(s.free == r->m.step[i].free);
	}
	FUZZ_ASSERT(s.end == FAIR_FOREVER);
}

static void play_operation(struct run *r)
{
	int op = fuzz_u8(&r->in) % 20;

	if (op < 5)
		place(r);
	else if (op < 7)
		reserve(r, draw_time(r), draw_walltime(r), draw_procs(r));
	else if (op < 9)
		end_job(r, op == 7);
	else if (op < 12)
		earlier(r, true);
	else if (op == 12)
		capacity(r);
	else if (op == 13)
		advance(r);
	else if (op == 14)
		clone(r);
	else if (op == 15)
		make_comb(r);
	else if (op == 16)
		call_with_any_arguments(r);
	else if (op < 19)
		FUZZ_ASSERT(!fair_profile_settle(&r->p));
	else
		check_answers(r);
}

static uint64_t profile_pair_run(const uint8_t *data, size_t size)
{
	static const int64_t spans[] = { 60, 5000, 1 << 24, INT64_C(1) << 31 };
	static const int32_t machines[] = { 3, 40, 100000, INT32_MAX };
	struct run *r = (struct run *)calloc(1, sizeof(*r));
	uint8_t shape;
	int64_t origin;
	uint64_t digest;
	int ops;

	FUZZ_ASSERT(r);
	r->in.p = data;
	r->in.n = size;
	shape = fuzz_u8(&r->in);
	r->span = spans[shape & 3];
	r->widest = machines[shape >> 2 & 3];
	origin = shape & 16 ? -1000 : shape & 32 ? INT64_C(1) << 40 : 0;
	r->bytes = fair_profile_size((size_t)fuzz_u8(&r->in) * 3);
	r->memory = malloc(r->bytes);
	FUZZ_ASSERT(r->memory);
	FUZZ_ASSERT(!fair_profile_init(&r->p, sizeof(r->p), r->memory, r->bytes,
				       r->widest, origin));
	profile_model_init(&r->m, r->p.cap, r->p.horizon - origin, r->widest,
			   origin);
	/* Most jobs are narrower than the machine. */
	if (shape & 64)
		r->widest = r->widest / 8 + 1;
	for (ops = 0; fuzz_more(&r->in) && ops < 2000; ops++) {
		play_operation(r);
		compare(r);
	}
	check_answers(r);
	digest = r->digest;
	profile_model_free(&r->m);
	free(r->memory);
	free(r);
	return digest;
}

#endif /* FAIR_PROFILE_PAIR_H */
