/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_maui.h - Maui's configuration for the naive scheduler
 *
 * It computes every number anew: usage from all jobs that ever ran, limits from
 * all running jobs. Its rules are M1 to M6 of docs/RULES.md.
 */
#ifndef SCHED_MAUI_H
#define SCHED_MAUI_H

#include "sched_model.h"

enum { MODEL_NOBF = 1, MODEL_NORESERVATION = 2, MODEL_RESERVEALWAYS = 4 };
enum { MODEL_TARGET, MODEL_FLOOR, MODEL_CEILING, MODEL_CAP };
enum { MODEL_RESERVE_CURRENT, MODEL_RESERVE_HIGHEST, MODEL_RESERVE_NEVER };
enum {
	MODEL_USE_NOTHING,
	MODEL_USE_PROCS,
	MODEL_USE_EQUIVALENTS,
	MODEL_USE_RATE
};

struct model_credential {
	int64_t priority;
	bool has_target;
	int target;
	int64_t points;	     /* in 2^-20 */
	/* soft, hard; jobs, processors, nodes, MB, s, idle jobs */
	int64_t limit[2][6];
};

struct model_qos {
	uint32_t flags, exempt;
	int64_t queue_time_weight, xfactor_weight, queue_time_target;
};

struct model_maui {
	/* In the order of [MAUI] table 2: 6 components, 21 parts. */
	int64_t component_weight[6], component_cap[6], weight[21], cap[21];
	int64_t machine[3]; /* memory, swap, disk */
	uint32_t depth;
	int reservations;
	bool soft_only;
	int usage;
	int64_t windows, interval;
	bool decays; /* fully: only the present window counts */
	int64_t poll;
	struct model_credential credential[MODEL_KINDS][MODEL_IDS];
	struct model_qos qos[MODEL_IDS];
};

/* What the running jobs of a credential hold of a resource. */
int64_t model_maui_used(const struct model *m, int kind, uint32_t id,
			int resource);

/* M6: whether each of the jobs, in order, is @passed over. */
struct live;
void maui_select(const struct model *m, struct live **jobs, size_t n,
		 int level, bool *passed);

#endif /* SCHED_MAUI_H */
