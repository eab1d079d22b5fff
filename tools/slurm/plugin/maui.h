/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * maui.h - Maui's configuration, for the jobs of Slurm
 *
 *   Maui      user  group       account  QoS  class
 *   of a job  user  Unix group  account  QOS  partition
 *
 * A QoS is the job's, if a QDEF or QLIST allows that, and else the QDEF. The
 * names of others are numbers for the scheduler, which learns their settings as
 * their first job comes.
 */
#ifndef FAIRSCHED_SLURM_MAUI_H
#define FAIRSCHED_SLURM_MAUI_H

#include "fairsched.h"
#include "machine.h"

/* Returns what is wrong with the file, in memory that stays; NULL: nothing. */
const char *load_maui(const char *path);
void free_maui(void);
/* Equal for files with which a plan can go on. */
uint64_t hash_maui(void);
/* Whether the file is another one than when the scheduler was configured. */
bool has_new_maui(void);
/* Returns its configuration, with room for so many users ...; it is valid until
 * the next one. */
const struct fair_maui_config *configure_maui(const struct slurm_machine *m,
					      uint32_t rooms);

/* Fills in what a job, of which all else is known, is to Maui. Returns why it
 * cannot be planned, or NULL. */
const char *read_credentials(const struct slurm_machine *m,
			     const job_record_t *j, struct fair_job *job);
/* Tells the scheduler of its user, group ..., if it does not know them. */
void add_credentials(struct fair_sched *s, int64_t now, const job_record_t *j,
		     const struct fair_job *job);

#endif
