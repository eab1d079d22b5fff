/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * classes_maui.h - Maui's numbers for the naive scheduler of classes
 *
 * The functions of sched_maui.h, on jobs of several resources: they see the time
 * and the running jobs that they are told of, and remember what has ended.
 */
#ifndef CLASSES_MAUI_H
#define CLASSES_MAUI_H

#include "classes_model.h"

struct classes_maui;
struct classes_maui *classes_maui_new(const struct classes_rules *rules,
				      int64_t now);
struct classes_maui *classes_maui_copy(const struct classes_maui *x);
void classes_maui_free(struct classes_maui *x);

/* No job runs at @now, and @queued wait; then each running one is told. */
void classes_maui_see(struct classes_maui *x, int64_t now, size_t queued);
void classes_maui_run(struct classes_maui *x, uint32_t number,
		      const struct classes_job *j, int64_t start, int64_t end);

/* A job that runs ends. */
void classes_maui_leave(struct classes_maui *x, uint32_t number);
/* Whether limits would let the job run if it were alone. */
bool classes_maui_is_possible(const struct classes_maui *x,
			      const struct classes_job *j);
/* @level: 0 soft, 1 hard limits. */
bool classes_maui_is_within(const struct classes_maui *x,
			    const struct classes_job *j, int level);
/* Whether hard limits let the running job have the processors of @j. */
bool classes_maui_can_grow(const struct classes_maui *x, uint32_t number,
			   const struct classes_job *j);
/* M6, of @n jobs in order; the present machine has @procs. Level 0 first. */
void classes_maui_select(struct classes_maui *x,
			 const struct classes_job **job,
			 const int64_t *allowed, size_t n, int64_t procs,
			 int level, bool *passed);
bool classes_maui_is_over_cap(const struct classes_maui *x,
			      const struct classes_job *j);
int64_t classes_maui_priority(const struct classes_maui *x,
			      const struct classes_job *j, int64_t bypassed);
uint32_t classes_maui_flags(const struct classes_maui *x,
			    const struct classes_job *j);
int64_t classes_maui_next(const struct classes_maui *x);

#endif /* CLASSES_MAUI_H */
