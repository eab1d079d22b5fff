/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_usage.h - who has used how much, for sched_model.c
 *
 * Every job that ever ran is a line of a log; a reading adds all of them up.
 * Without a half-life that is exact. With one it is not: of two readings too
 * near to each other the ledger says so, and what follows is anybody's guess.
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

/* A job that starts counts its walltime; @rate is of a second. */
void sched_usage_start(struct sched_usage *s, uint32_t number, uint32_t user,
		       int64_t rate, int64_t walltime, int64_t now);
void sched_usage_walltime(struct sched_usage *s, uint32_t number,
			  int64_t walltime);
/* It counts what it took. Also of a job that does not run. */
void sched_usage_gone(struct sched_usage *s, uint32_t number, int64_t now);

/* -1 if a has used less, 1 if b has, else 0. */
int sched_usage_compare(struct sched_usage *s, uint32_t a, uint32_t b,
			int64_t now);

/* Two readings were too near to each other once. */
bool sched_usage_unsure(const struct sched_usage *s);

#endif /* SCHED_USAGE_H */
