/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sfs_plain.h - a small simulator of simultaneous fair share and its variants
 *
 * The paper's own is "very simple" [SFS 9.1]. What it leaves open are rules here:
 * the library has one answer to each, and this has the others, too. It plans
 * with lists, and nothing is kept from one instant to the next.
 */
#ifndef SFS_PLAIN_H
#define SFS_PLAIN_H

#include "tools/fairsched/sim/sim.h"

#define SFS_PLAIN_JOBS 256 /* at most */
#define SFS_PLAIN_USERS 4  /* as many; a job's user_id is less */

struct sfs_plain {
	int64_t weight; /* of a node, seconds of waiting */
	bool gate;	/* pass 1, by these targets: */
	int64_t target[SFS_PLAIN_USERS];
	int depth;	/* reservations of an instant */
	bool backfills; /* pass 3: behind the first job that gets neither a start
			   nor a reservation */
	bool stops;	/* pass 1 ends at such a job, too */
	bool reserves;	/* pass 1 makes reservations */
	bool slices;	/* they are made where the account is not above its target,
			   other reservations counted [SFS 4.2] */
};

/* When each job starts; all are of at most @procs. */
void sfs_plain_run(const struct sfs_plain *rules, int32_t procs,
		   const struct swf_job *job, size_t jobs,
		   struct sim_result *result);

#endif /* SFS_PLAIN_H */
