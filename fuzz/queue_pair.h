/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * queue_pair.h - the queue and its naive model, side by side
 *
 * Bytes become inserts, removals, changes and queries; after each of them the
 * invariants hold and both give the same answers. Sometimes a clone with other
 * slots replaces the original. A second queue shares the blocks of the first;
 * jobs move between them.
 */
#ifndef QUEUE_PAIR_H
#define QUEUE_PAIR_H

#include <string.h>

#include "fuzz/fuzz.h"
#include "queue.h"
#include "tests/model/queue_model.h"

/* The elements are longer than the part that the queue reads. */
struct queue_pair_job {
	struct fair_queued queued;
	uint64_t more;
};

struct queue_pair {
	struct fuzz_in in;
	struct queue_model model, second_model;
	struct fair_queue q, second;
	struct queue_pair_job *job;
	struct fair_rank *rank; /* sorted by these, unless NULL */
	void *memory, *second_memory;
	char *at;	       /* the queue's part of the memory */
	uint32_t *free, frees; /* slots without a queued job */
	uint32_t most;
	size_t shift;
	uint64_t numbers;
};

static inline struct fair_rank *queue_pair_rank(struct queue_pair *x,
						uint32_t slot)
{
	return x->rank ? &x->rank[slot] : &x->job[slot].queued.rank;
}

/* Compares the queue's place with the model's. */
static inline void queue_pair_at(const struct queue_pair *x,
				 struct fair_queue_place at, size_t place)
{
	bool is = fair_queue_next_fitting(&x->q, &at, INT32_MAX);

	FUZZ_ASSERT(is == (place < x->model.jobs));
	if (is)
		FUZZ_ASSERT(fair_queue_slot(&x->q, at) ==
			    x->model.job[place].slot);
}

static inline void queue_pair_walk(const struct queue_pair *x, int32_t procs)
{
	struct fair_queue_place at = { 0, 0 };
	size_t i = queue_model_narrower(&x->model, 0, procs);

	for (; fair_queue_next_fitting(&x->q, &at, procs); at.index++) {
		FUZZ_ASSERT(i < x->model.jobs);
		FUZZ_ASSERT(fair_queue_slot(&x->q, at) == x->model.job[i].slot);
		i = queue_model_narrower(&x->model, i + 1, procs);
	}
	FUZZ_ASSERT(i == x->model.jobs);
}

static inline void queue_pair_insert(struct queue_pair *x, int64_t key,
				     uint64_t number, int32_t procs)
{
	uint32_t slot = x->frees ? x->free[x->frees - 1] : 0;
	struct queue_model_job j = { key, number, slot, procs };
	struct fair_rank rank = { key, number };
	int error;

	if (!x->frees) { /* a queued slot: the queue reports the lack of room
			    first */
		FUZZ_ASSERT(x->second.jobs ||
			    fair_queue_insert(&x->q, 0) == -FAIR_ENOSPC);
		return;
	}
	*queue_pair_rank(x, slot) = rank;
	x->job[slot].queued.procs = procs;
	x->job[slot].queued.walltime = 1 + (key + 1000 + procs) % 10;
	error = fair_queue_insert(&x->q, slot);
	if (queue_model_insert(&x->model, &j)) {
		FUZZ_ASSERT(!error);
		x->frees--;
	} else {
		FUZZ_ASSERT(error == -FAIR_EINVAL);
		/* Another job has its rank and must stay. */
		FUZZ_ASSERT(fair_queue_remove(&x->q, slot) == -FAIR_EINVAL);
		FUZZ_ASSERT(fair_queue_update(&x->q, slot) == -FAIR_EINVAL);
	}
}

static inline void queue_pair_remove(struct queue_pair *x, size_t place)
{
	struct queue_model_job j = x->model.job[place];
	struct fair_rank rank = { j.key, j.number };
	struct fair_queue_place at;

	if (j.number % 2) {
		FUZZ_ASSERT(fair_queue_find(&x->q, rank, &at));
		FUZZ_ASSERT(fair_queue_slot(&x->q, at) == j.slot);
		fair_queue_remove_at(&x->q, at);
	} else {
		FUZZ_ASSERT(!fair_queue_remove(&x->q, j.slot));
	}
	queue_model_remove_at(&x->model, place);
	FUZZ_ASSERT(fair_queue_remove(&x->q, j.slot) == -FAIR_EINVAL);
	x->free[x->frees++] = j.slot;
}

/* Inserts some jobs, each after or before the last one, or with its key. */
static inline void queue_pair_inserts(struct queue_pair *x)
{
	int64_t key = fuzz_range(&x->in, -100, 100);
	int64_t step = fuzz_range(&x->in, -2, 2);
	int32_t procs = (int32_t)fuzz_range(&x->in, 1, 9);
	int64_t n = fuzz_range(&x->in, 1, 40);

	if (fuzz_u8(&x->in) % 4 == 0 && x->model.jobs)
		key = step < 0 ? x->model.job[0].key - 1
			       : x->model.job[x->model.jobs - 1].key + 1;
	for (; n > 0; n--, key += step, x->numbers += 3) {
		queue_pair_insert(x, key, x->numbers % 64, procs);
		procs = 1 + (procs * 5 + (int32_t)n) % 9;
	}
}

static inline void queue_pair_removes(struct queue_pair *x)
{
	size_t place = fuzz_u8(&x->in);
	int64_t n = fuzz_range(&x->in, 1, 40);
	bool front = fuzz_u8(&x->in) % 2;

	for (; n > 0 && x->model.jobs; n--) {
		place = front ? 0 : place * 7 % x->model.jobs;
		queue_pair_remove(x, place);
	}
}

static inline void queue_pair_ask(struct queue_pair *x)
{
	struct fair_queue_place at, near = { 0, 0 };
	struct fair_rank rank;
	size_t place;

	rank.key = fuzz_range(&x->in, -110, 110);
	rank.number = fuzz_u8(&x->in) % 64;
	place = queue_model_seek(&x->model, rank.key, rank.number);
	queue_pair_at(x, fair_queue_seek(&x->q, rank), place);
	near.row = fuzz_u8(&x->in) % (x->q.rows + 2);
	queue_pair_at(x, fair_queue_seek_near(&x->q, near, rank), place);
	FUZZ_ASSERT(fair_queue_find(&x->q, rank, &at) ==
		    queue_model_has(&x->model, rank.key, rank.number));
	queue_pair_at(x, at, place);
	queue_pair_walk(x, (int32_t)fuzz_range(&x->in, 0, 10));
}

/* Changes a rank that leaves the job in its place. stays() may say no at the
 * edge of a block, but must never be wrong when it says yes. */
static inline void queue_pair_change(struct queue_pair *x)
{
	size_t i = fuzz_u8(&x->in);
	struct queue_model_job *j;
	struct fair_queue_place at;
	struct fair_rank rank;

	if (!x->model.jobs)
		return;
	i %= x->model.jobs;
	j = &x->model.job[i];
	rank.key = j->key;
	rank.number = j->number;
	FUZZ_ASSERT(fair_queue_find(&x->q, rank, &at));
	rank.key += fuzz_range(&x->in, -2, 2);
	if (fair_queue_can_rerank(&x->q, at, rank)) {
		FUZZ_ASSERT(
			i == 0 || j[-1].key < rank.key ||
			(j[-1].key == rank.key && j[-1].number < rank.number));
		FUZZ_ASSERT(
			i + 1 == x->model.jobs || rank.key < j[1].key ||
			(rank.key == j[1].key && rank.number < j[1].number));
		j->key = rank.key;
		*queue_pair_rank(x, j->slot) = rank;
		FUZZ_ASSERT(!fair_queue_update(&x->q, j->slot));
	}
	FUZZ_ASSERT(!fair_queue_remove(&x->q, j->slot));
	j->procs = (int32_t)fuzz_range(&x->in, 1, 9);
	x->job[j->slot].queued.procs = j->procs;
	FUZZ_ASSERT(!fair_queue_insert(&x->q, j->slot));
}

/* Compares the jobs that fit into a hole, and the bounds of their blocks. */
static inline void queue_pair_holes(struct queue_pair *x, int32_t procs,
				    int64_t longest)
{
	struct fair_queue_hole hole = { procs, procs / 2, longest };
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued bound;
	size_t i;

	for (i = 0; i < x->model.jobs; i++) {
		uint32_t slot = x->model.job[i].slot;
		const struct fair_queued *j = &x->job[slot].queued;

		if (j->procs > procs ||
		    (j->procs > hole.extra && j->walltime > longest))
			continue;
		FUZZ_ASSERT(fair_queue_next_short(&x->q, &at, &hole));
		FUZZ_ASSERT(fair_queue_slot(&x->q, at) == slot);
		bound = fair_queue_bound(&x->q, at.row);
		FUZZ_ASSERT(bound.walltime <= j->walltime);
		FUZZ_ASSERT(bound.procs <= j->procs);
		FUZZ_ASSERT(x->rank || bound.rank.key <= j->rank.key);
		at.index++;
	}
	FUZZ_ASSERT(!fair_queue_next_short(&x->q, &at, &hole));
}

/* Changes a job's own key where it is not its rank; compares later(). */
static inline void queue_pair_later(struct queue_pair *x)
{
	size_t i = fuzz_u8(&x->in), end;
	int64_t key = fuzz_range(&x->in, -110, 110), *own;
	struct fair_queue_filter like = { 0, 0, 0, 0 };
	struct fair_queue_place at = { 0, 0 }, stop = { x->q.rows, 0 };

	like.procs = (int32_t)fuzz_range(&x->in, 0, 10);
	like.after = fuzz_range(&x->in, -110, 110);
	like.until = fuzz_range(&x->in, -110, 110);
	like.longest = fuzz_range(&x->in, 0, 10);
	if (!x->model.jobs)
		return;
	i %= x->model.jobs;
	if (x->rank) {
		own = &x->job[x->model.job[i].slot].queued.rank.key;
		*own = key;
		FUZZ_ASSERT(!fair_queue_update(&x->q, x->model.job[i].slot));
	}
	end = fuzz_u8(&x->in) % (x->model.jobs + 1);
	if (end < x->model.jobs) {
		struct fair_rank rank = { x->model.job[end].key,
					  x->model.job[end].number };

		FUZZ_ASSERT(fair_queue_find(&x->q, rank, &stop));
	}
	for (i = 0; i < end; i++) {
		uint32_t slot = x->model.job[i].slot;

		const struct fair_queued *j = &x->job[slot].queued;

		if (j->procs > like.procs || j->rank.key <= like.after ||
		    (j->rank.key > like.until && j->walltime > like.longest))
			continue;
		FUZZ_ASSERT(fair_queue_next_matching(&x->q, &at, stop, &like));
		FUZZ_ASSERT(fair_queue_slot(&x->q, at) == slot);
		at.index++;
	}
	FUZZ_ASSERT(!fair_queue_next_matching(&x->q, &at, stop, &like));
	queue_pair_holes(x, like.procs, like.longest);
}

/* Move a job to the other queue, unless that has its rank. */
static inline void queue_pair_move(struct queue_pair *x)
{
	bool back = fuzz_u8(&x->in) % 2;
	struct queue_model *from = back ? &x->second_model : &x->model;
	struct queue_model *to = back ? &x->model : &x->second_model;
	struct queue_model_job j;
	size_t place;

	if (!from->jobs)
		return;
	place = fuzz_u8(&x->in) % from->jobs;
	j = from->job[place];
	if (!queue_model_insert(to, &j))
		return;
	queue_model_remove_at(from, place);
	FUZZ_ASSERT(!fair_queue_remove(back ? &x->second : &x->q, j.slot));
	FUZZ_ASSERT(!fair_queue_insert(back ? &x->q : &x->second, j.slot));
}

static inline void queue_pair_new_second(struct queue_pair *x)
{
	size_t bytes = fair_queue_share_size(x->most), n = sizeof(x->second);
	char *at;

	x->second_memory = malloc(bytes + x->shift);
	FUZZ_ASSERT(x->second_memory);
	at = (char *)x->second_memory + x->shift;
	FUZZ_ASSERT(fair_queue_share(&x->second, n, at, bytes - 1, &x->q) ==
		    -FAIR_ENOMEM);
	FUZZ_ASSERT(!fair_queue_share(&x->second, n, at, bytes, &x->q));
	FUZZ_ASSERT(fair_queue_share(&x->second, n, at, bytes, &x->q) ==
		    -FAIR_EINVAL);
	if (x->rank)
		fair_queue_rank_by(&x->second, x->rank, sizeof(*x->rank));
}

static inline void queue_pair_new(struct queue_pair *x, bool ranks)
{
	size_t bytes = fair_queue_size(x->most);

	x->memory = malloc(bytes + x->shift);
	x->job = (struct queue_pair_job *)calloc(x->most, sizeof(*x->job));
	x->rank = ranks ? (struct fair_rank *)calloc(x->most, sizeof(*x->rank))
			: NULL;
	FUZZ_ASSERT(x->memory && x->job && (x->rank || !ranks));
	x->at = (char *)x->memory + x->shift;
	FUZZ_ASSERT(fair_queue_init(&x->q, sizeof(x->q), x->at, bytes - 1,
				    x->most, x->job,
				    sizeof(*x->job)) == -FAIR_ENOMEM);
	FUZZ_ASSERT(!fair_queue_init(&x->q, sizeof(x->q), x->at, bytes, x->most,
				     x->job, sizeof(*x->job)));
	if (ranks)
		fair_queue_rank_by(&x->q, x->rank, sizeof(*x->rank));
	queue_pair_new_second(x);
}

static inline void queue_pair_free(struct queue_pair *x)
{
	free(x->memory);
	free(x->second_memory);
	free(x->job);
	free(x->rank);
}

/* The clone has the slots of the original in reverse order. */
static inline void queue_pair_clone(struct queue_pair *x)
{
	struct queue_pair old = *x;
	uint32_t *slot = (uint32_t *)malloc(x->most * sizeof(*slot)), i;
	bool same = fuzz_u8(&x->in) % 2;

	FUZZ_ASSERT(slot);
	queue_pair_new(x, old.rank != NULL);
	for (i = 0; i < x->most; i++) {
		slot[i] = same ? i : x->most - 1 - i;
		x->job[slot[i]] = old.job[i];
		*queue_pair_rank(x, slot[i]) = *queue_pair_rank(&old, i);
	}
	FUZZ_ASSERT(!fair_queue_clone(&x->q, &old.q, same ? NULL : slot));
	FUZZ_ASSERT(!fair_queue_clone(&x->second, &old.second,
				      same ? NULL : slot));
	if (x->model.jobs)
		FUZZ_ASSERT(fair_queue_clone(&x->q, &old.q, NULL) ==
			    -FAIR_ENOSPC);
	for (i = 0; i < x->model.jobs; i++)
		x->model.job[i].slot = slot[x->model.job[i].slot];
	for (i = 0; i < x->second_model.jobs; i++)
		x->second_model.job[i].slot =
			slot[x->second_model.job[i].slot];
	for (i = 0; i < x->frees; i++)
		x->free[i] = slot[x->free[i]];
	free(slot);
	queue_pair_free(&old);
}

static inline void queue_pair_event(struct queue_pair *x)
{
	uint8_t kind = fuzz_u8(&x->in);
	int64_t key;

	if (kind >= 240) {
		queue_pair_move(x);
		return;
	}
	switch (kind % 9) {
	case 0:
	case 1:
		queue_pair_inserts(x);
		break;
	case 2:
		queue_pair_removes(x);
		break;
	case 3:
		queue_pair_change(x);
		break;
	case 4:
		queue_pair_ask(x);
		break;
	case 5: /* one, at any place */
		key = fuzz_range(&x->in, -100, 100);
		queue_pair_insert(x, key, x->numbers++ % 64,
				  (int32_t)fuzz_range(&x->in, 1, 9));
		break;
	case 6:
		if (x->model.jobs)
			queue_pair_remove(x, fuzz_u8(&x->in) % x->model.jobs);
		break;
	case 7:
		queue_pair_clone(x);
		break;
	default:
		queue_pair_later(x);
	}
}

/* Runs @data; returns a hash of the last queue, of at most @most jobs. */
static inline uint64_t queue_pair_run(const uint8_t *data, size_t size,
				      uint32_t most)
{
	struct queue_pair x;
	uint64_t hash = 0;
	uint32_t i;

	memset(&x, 0, sizeof(x));
	x.in.p = data;
	x.in.n = size;
	x.most = (uint32_t)fuzz_range(&x.in, 1, most);
	x.shift = fuzz_u8(&x.in) % 9;
	queue_pair_new(&x, fuzz_u8(&x.in) % 2);
	x.model.job =
		(struct queue_model_job *)malloc(x.most * sizeof(*x.model.job));
	x.second_model.job =
		(struct queue_model_job *)malloc(x.most * sizeof(*x.model.job));
	x.free = (uint32_t *)malloc(x.most * sizeof(*x.free));
	FUZZ_ASSERT(x.model.job && x.second_model.job && x.free);
	for (i = 0; i < x.most; i++)
		x.free[x.frees++] = i;
	while (fuzz_more(&x.in)) {
		queue_pair_event(&x);
		FUZZ_ASSERT(!fair_queue_check(&x.q));
		FUZZ_ASSERT(!fair_queue_check(&x.second));
		FUZZ_ASSERT(x.second.jobs == x.second_model.jobs);
		queue_pair_walk(&x, INT32_MAX);
	}
	for (i = 0; i < x.model.jobs; i++)
		hash = hash * 31 + x.model.job[i].slot;
	for (i = 0; i < x.second_model.jobs; i++) {
		hash = hash * 31 + x.second_model.job[i].slot;
		FUZZ_ASSERT(!fair_queue_remove(&x.second,
					       x.second_model.job[i].slot));
	}
	while (x.model.jobs)
		queue_pair_remove(&x, x.model.jobs / 2);
	FUZZ_ASSERT(!fair_queue_check(&x.q));
	queue_pair_free(&x);
	free(x.model.job);
	free(x.second_model.job);
	free(x.free);
	return hash;
}

#endif /* QUEUE_PAIR_H */
