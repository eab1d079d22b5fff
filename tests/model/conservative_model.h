/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative_model.h - a plan that keeps promises, second by second
 *
 * It answers every question by trying each second, and stores only the places
 * of the queued jobs. Times are from 0 to some hundreds of seconds before
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
	int64_t turn; /* the least key since it was submitted */
	uint64_t number;
	int32_t procs;
	bool waits;
	int64_t not_before; /* it cannot start earlier */
};

struct conservative_model {
	uint32_t compression;
	int64_t now, reach; /* everything ends by now + reach */
	int64_t last;	    /* all seconds from it on are equal */
	int32_t procs;
	bool pending; /* the reaction to a loss */
	int32_t used[CONSERVATIVE_MODEL_SECONDS]; /* by all jobs and
						     reservations */
	struct conservative_model_job job[CONSERVATIVE_MODEL_JOBS];
	void (*moved)(void *context, uint32_t job, int64_t from);
	void *context;
};

/* Uses @procs in [start, end) for a holder other than a queued job. */
void conservative_model_use(struct conservative_model *m, int64_t start,
			    int64_t end, int32_t procs);

/*
 * Takes @procs away in [start, end); if it cannot, false without a change. The
 * jobs that end later are taken out; by (turn, number) each returns to its
 * place or to the next one after it. A compression is pending.
 */
bool conservative_model_take(struct conservative_model *m, int64_t start,
			     int64_t end, int32_t procs);

/* A job arrives; @back: it comes back, and no job makes way for it. */
void conservative_model_submit(struct conservative_model *m, uint32_t job,
			       bool back);

void conservative_model_withdraw(struct conservative_model *m, uint32_t job);
void conservative_model_compress(struct conservative_model *m);

/* The next job that starts, or CONSERVATIVE_MODEL_JOBS. If a place has passed
 * that is a loss, from the first of them on; then the pending compression runs.
 */
uint32_t conservative_model_due(struct conservative_model *m);

#endif /* CONSERVATIVE_MODEL_H */
