/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_usage.h - the decayed usage of each user, for sched_model.c
 *
 * It logs every job that ever ran; a reading adds all of them up. Without a
 * half-life that is exact. With a half-life it is rounded: if two readings are
 * too close to tell, the ledger notes that all later decisions are ambiguous.
 */
#ifndef SCHED_USAGE_H
#define SCHED_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "sched_model.h"

struct sched_usage;

struct sched_usage *sched_usage_new(const struct model_rules *rules);
struct sched_usage *sched_usage_copy(const struct sched_usage *s);
void sched_usage_free(struct sched_usage *s);

/* Charges the walltime of a job that starts, @rate for each second. */
void sched_usage_start(struct sched_usage *s, uint32_t number, uint32_t user,
		       int64_t rate, int64_t walltime, int64_t now);
void sched_usage_walltime(struct sched_usage *s, uint32_t number,
			  int64_t walltime);
/* Charges the real run time instead. Ignores a job that does not run. */
void sched_usage_leave(struct sched_usage *s, uint32_t number, int64_t now);

/* Sets what the jobs of a user that ended have used, in processor-seconds. */
void sched_usage_set(struct sched_usage *s, uint32_t user, int64_t amount,
		     int64_t now);
void sched_usage_reset(struct sched_usage *s); /* of all, to 0 */
/* Takes back as much of that. Return: what was taken, or about that. */
long double sched_usage_credit(struct sched_usage *s, uint32_t user,
			       int64_t amount, int64_t now);
/* Usage decays otherwise; what was used until now stays. */
void sched_usage_change(struct sched_usage *s, int64_t half_life, int64_t now);

/* What the jobs of a user that ended have used, in processor-seconds. */
long double sched_usage_ended(const struct sched_usage *s, uint32_t user,
			      int64_t now);

/* What a user has used, decayed until now. */
long double sched_usage_read(const struct sched_usage *s, uint32_t user,
			     int64_t now);

/* -1 if a has used less, 1 if b has, else 0. */
int sched_usage_compare(struct sched_usage *s, uint32_t a, uint32_t b,
			int64_t now);

/* Whether two readings were too close to tell. */
bool sched_usage_is_ambiguous(const struct sched_usage *s);

#endif /* SCHED_USAGE_H */
