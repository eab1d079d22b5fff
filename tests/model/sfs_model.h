/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs_model.h - simultaneous fair share as the paper states it, list by list
 *
 * An oracle for policies/sfs.h; it includes nothing of that. Each pass lists
 * its jobs anew after every start; each question adds up the occupancy of the
 * running jobs; targets are cross-multiplied, not divided. The machine is one
 * pool, and the earliest start of a job is found by trying every end of another
 * job.
 */
#ifndef SFS_MODEL_H
#define SFS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SFS_MODEL_JOBS 64
#define SFS_MODEL_ACCOUNTS 8

struct sfs_model_account {
	int64_t award, period; /* processor-seconds, seconds */
	int32_t factor, unit;  /* target = factor / unit * award / period */
};

enum sfs_model_state {
	SFS_MODEL_WAITING,
	SFS_MODEL_RUNNING,
	SFS_MODEL_RESERVED, /* until the end of the instant */
	SFS_MODEL_GONE
};

struct sfs_model_job {
	uint32_t account;
	int32_t procs;
	int64_t walltime;
	enum sfs_model_state state;
	int64_t start; /* running or reserved */
	int pass;      /* the pass that decided it */
};

struct sfs_model {
	struct sfs_model_account account[SFS_MODEL_ACCOUNTS];
	struct sfs_model_job job[SFS_MODEL_JOBS]; /* in priority order */
	size_t jobs;
	int32_t procs;
	/* The jobs that the last instant started or reserved for, in order. */
	size_t log[SFS_MODEL_JOBS], logged;
};

/* The processors of the running jobs of an allocation. */
int64_t sfs_model_occupancy(const struct sfs_model *m, uint32_t account);

/* Whether occupancy * period * unit <= factor * award. */
bool sfs_model_at_target(const struct sfs_model_account *a, int64_t occupancy);

/* The first time >= now at which a job fits beside the running jobs and the
 * reservations; -1: never. */
int64_t sfs_model_earliest(const struct sfs_model *m, size_t job, int64_t now);

/* Drops the reservations of the last instant, then runs the three passes. */
void sfs_model_instant(struct sfs_model *m, int64_t now, uint32_t depth);

#endif /* SFS_MODEL_H */
