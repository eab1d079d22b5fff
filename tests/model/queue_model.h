/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * queue_model.h - the contract of queue.h, by one sorted array
 *
 * Ranks are (key, number), ascending and unique. A place is an index; the place
 * after the last job is the number of jobs.
 */
#ifndef QUEUE_MODEL_H
#define QUEUE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue_model_job {
	int64_t key;
	uint64_t number;
	uint32_t slot;
	int32_t procs;
};

struct queue_model {
	struct queue_model_job *job; /* the caller's, room for all */
	size_t jobs;
};

/* The first place whose rank is not below (key, number). */
size_t queue_model_seek(const struct queue_model *m, int64_t key,
			uint64_t number);

bool queue_model_has(const struct queue_model *m, int64_t key, uint64_t number);

/* False if the rank is taken. */
bool queue_model_insert(struct queue_model *m,
			const struct queue_model_job *job);

void queue_model_remove_at(struct queue_model *m, size_t place);

/* The first place from @place on with at most @procs. */
size_t queue_model_narrower(const struct queue_model *m, size_t place,
			    int32_t procs);

#endif /* QUEUE_MODEL_H */
