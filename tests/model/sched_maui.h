/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_maui.h - Maui's configuration for the naive scheduler
 *
 * It computes every number anew: usage from all jobs that ever ran, limits from
 * all running jobs.
 *
 * CHOICES
 * M1  An iteration uses the priorities, the usage and the caps of its
 *     beginning. A step() decides nothing if neither time has passed nor an
 *     event has come since the last one.
 * M2  A start adds one to the BypassCount of all queued jobs that precede the
 *     job, whether they may start or not.
 * M3  RESERVATIONDEPTH 0: the first job that may reserve and cannot start ends
 *     the first phase, even a job wider than the present machine.
 * M4  Windows of usage begin at multiples of their length.
 * M5  RESERVATIONPOLICY HIGHEST. An iteration begins with the kept reservations
 *     of jobs within their soft limits: as after a loss (C2), in the order of
 *     C3, each gets its place or the next one after it. A job that is not
 *     within them, that was modified, deferred or refused has lost its place,
 *     and is still due one, whatever the depth, when its priority is looked at.
 *     If a limit stops a job that holds a place then, the iteration begins
 *     again with the same priorities. The depth counts jobs that are still to
 *     be looked at. A requeued job did start: it is due none.
 * M6  Limits on idle jobs. An iteration, also one that begins again, first lists
 *     for each level the jobs that it considers, in order: a job that is within
 *     the limits and the caps of that moment, and whose credentials have fewer
 *     jobs listed than they may. Jobs that are wider than the present machine,
 *     or whose start is refused until later, are considered and not listed. If
 *     a job was passed over, and more jobs run than then, the next iteration is
 *     a second later, unless there is a timer.
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
