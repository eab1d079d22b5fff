/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs_model.h - simultaneous fair share as the paper tells it, list by list
 *
 * An oracle for policies/sfs.h, of which it includes nothing. Each pass makes
 * its list of jobs anew after every start; occupancies are summed over the
 * running jobs whenever they are asked for; targets are never divided out but
 * cross-multiplied. The machine is one pool, and the earliest start of a job is
 * found by trying every end of another.
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
	SFS_MODEL_RESERVED, /* until the instant is over */
	SFS_MODEL_GONE
};

struct sfs_model_job {
	uint32_t account;
	int32_t procs;
	int64_t walltime;
	enum sfs_model_state state;
	int64_t start; /* running or reserved */
	int pass;      /* in which that was decided */
};

struct sfs_model {
	struct sfs_model_account account[SFS_MODEL_ACCOUNTS];
	struct sfs_model_job job[SFS_MODEL_JOBS]; /* in priority order */
	size_t jobs;
	int32_t procs;
	/* Of the last instant: the jobs started or reserved, in this order. */
	size_t log[SFS_MODEL_JOBS], logged;
};

/* Processors of an account's running jobs. */
int64_t sfs_model_occupancy(const struct sfs_model *m, uint32_t account);

/* Whether occupancy * period * unit <= factor * award. */
bool sfs_model_at_target(const struct sfs_model_account *a, int64_t occupancy);

/* The first time >= now at which a job fits beside those that run and those
 * that hold reservations; -1: never. */
int64_t sfs_model_earliest(const struct sfs_model *m, size_t job, int64_t now);

/* The three passes. Reservations of the instant before are dropped first. */
void sfs_model_instant(struct sfs_model *m, int64_t now, uint32_t depth);

#endif /* SFS_MODEL_H */
