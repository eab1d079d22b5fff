/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * throttle_model.h - the naive limits that throttle.h is compared with
 *
 * It lists the running jobs and adds them up for every question.
 */
#ifndef FAIR_THROTTLE_MODEL_H
#define FAIR_THROTTLE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum {
	THROTTLE_MODEL_KINDS = 5,
	THROTTLE_MODEL_RESOURCES = 6, /* the last ones: processor-seconds,
					 and idle jobs */
	THROTTLE_MODEL_MOST = 8,      /* credentials of a kind */
	THROTTLE_MODEL_JOBS = 64
};

struct throttle_model_job {
	uint32_t id[THROTTLE_MODEL_KINDS]; /* UINT32_MAX: none */
	uint32_t exempt;		   /* bit 1 << kind */
	int32_t procs, nodes;
	int64_t memory, end;
};

struct throttle_model_why {
	int kind, resource;
	int64_t limit, used, asked;
};

struct throttle_model {
	int64_t origin;
	/* [0] soft, [1] hard */
	int64_t limit[2][THROTTLE_MODEL_KINDS][THROTTLE_MODEL_MOST]
		     [THROTTLE_MODEL_RESOURCES];
	struct throttle_model_job job[THROTTLE_MODEL_JOBS]; /* running */
	int jobs;
	struct throttle_model_job idle[THROTTLE_MODEL_JOBS]; /* selected */
	int idles;
};

void throttle_model_init(struct throttle_model *m, int64_t origin);
int64_t throttle_model_used(const struct throttle_model *m, int64_t now,
			    int kind, uint32_t id, int resource);

/* 0: it may start; 1: it may not; -1: a total overflows */
int throttle_model_test(const struct throttle_model *m, int64_t now,
			const struct throttle_model_job *job, int level,
			struct throttle_model_why *why);
/* The same for a job that asks to be selected, too; @idles is the caller's. */
int throttle_model_select(const struct throttle_model *m, int64_t now,
			  const struct throttle_model_job *job, int level,
			  struct throttle_model_why *why);
/* The same for a start, by hard limits; the job needs free processors. */
int throttle_model_start(const struct throttle_model *m, int64_t now,
			 const struct throttle_model_job *job);
/* 0: it may start on an idle machine; 1: it may not */
int throttle_model_possible(const struct throttle_model *m,
			    const struct throttle_model_job *job,
			    int64_t walltime, struct throttle_model_why *why);

#endif /* FAIR_THROTTLE_MODEL_H */
