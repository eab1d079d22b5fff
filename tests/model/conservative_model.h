/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative_model.h - a plan that keeps promises, second by second
 *
 * Whatever is asked is found by trying each second, and nothing is remembered
 * but who waits where. Times are from 0 to some hundreds of seconds before
 * CONSERVATIVE_MODEL_SECONDS.
 */
#ifndef CONSERVATIVE_MODEL_H
#define CONSERVATIVE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define CONSERVATIVE_MODEL_JOBS 24
#define CONSERVATIVE_MODEL_SECONDS 4096
#define CONSERVATIVE_MODEL_NEVER INT64_MAX

enum conservative_model_compression {
	CONSERVATIVE_MODEL_IN_ORDER,
	CONSERVATIVE_MODEL_PRIORITIZED,
	CONSERVATIVE_MODEL_DELAYED
};

struct conservative_model_job {
	int64_t key, walltime, priority; /* key: its start */
	uint64_t number;
	int32_t procs;
	bool waits, refused; /* refused: not now */
};

struct conservative_model {
	uint32_t compression;
	int64_t now, reach; /* everything ends by now + reach */
	int64_t last;	    /* from it on each second is like it */
	int32_t procs;
	int32_t used[CONSERVATIVE_MODEL_SECONDS]; /* by waiting jobs, too */
	struct conservative_model_job job[CONSERVATIVE_MODEL_JOBS];
	void (*moved)(void *context, uint32_t job, int64_t from);
	void *context;
};

/* @procs more are in use in [start, end), by others than waiting jobs. */
void conservative_model_use(struct conservative_model *m, int64_t start,
			    int64_t end, int32_t procs);

/* They are lost there: false, and nothing changed, if they cannot be. */
bool conservative_model_take(struct conservative_model *m, int64_t start,
			     int64_t end, int32_t procs);

/* A job arrives, or comes back: nobody makes way for it then. */
void conservative_model_submit(struct conservative_model *m, uint32_t job,
			       bool back);

void conservative_model_withdraw(struct conservative_model *m, uint32_t job);
void conservative_model_compress(struct conservative_model *m);

/* The next job that starts; CONSERVATIVE_MODEL_JOBS: none. */
uint32_t conservative_model_due(struct conservative_model *m);

#endif /* CONSERVATIVE_MODEL_H */
