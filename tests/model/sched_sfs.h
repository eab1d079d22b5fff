/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_sfs.h - the occupancy of each allocation, for sched_model.c
 *
 * It lists the running jobs and adds them up for every question.
 */
#ifndef SCHED_SFS_H
#define SCHED_SFS_H

#include <stdbool.h>
#include <stdint.h>

#include "sched_model.h"

struct sched_sfs;

struct sched_sfs *sched_sfs_new(const struct model_rules *rules);
struct sched_sfs *sched_sfs_copy(const struct sched_sfs *s);
void sched_sfs_free(struct sched_sfs *s);

void sched_sfs_start(struct sched_sfs *s, uint32_t number, uint32_t account,
		     int32_t procs);
/* Ignores a job that does not run. */
void sched_sfs_leave(struct sched_sfs *s, uint32_t number);

void sched_sfs_set_target(struct sched_sfs *s, uint32_t account,
			  int64_t target);
bool sched_sfs_above_target(const struct sched_sfs *s, uint32_t account);

#endif /* SCHED_SFS_H */
