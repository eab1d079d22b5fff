/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings.h - the plugin's words of SchedulerParameters */
#ifndef FAIRSCHED_SLURM_SETTINGS_H
#define FAIRSCHED_SLURM_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define STOPS_SLURM "sched_interval=-1"
#define DAY 86400
#define YEAR (365 * DAY)

/* Those that sched_fairsched.c lists, and two that Slurm needs. */
struct settings {
	uint32_t policy, order;
	int64_t margin;
	uint64_t scans;
	char config[256];
	bool stops_slurm, defers;
};

/* Returns what is wrong with SchedulerParameters, and in which @word, which is
 * the caller's then; NULL: nothing. */
const char *read_parameters(struct settings *s, char **word);

#endif
