/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * users.h - entitlement, usage and waits of each user, for --users-out F
 *
 *	struct users u;
 *
 *	users_open(&u, &trace, NULL);
 *	users_arrive(), users_start(), users_finish()    as it happens
 *	users_write(&u, result, f);
 *	users_close(&u);
 *
 * Entitlement and usage [RS III-C] are those of relshare.h, summed over the
 * days of the measured period, the first of which begins with it. Without one
 * it is from the first submit to the last end.
 */
#ifndef USERS_H
#define USERS_H

#include <stdio.h>

#include "tools/fairsched/sim/sim.h"
#include "tools/fairsched/trace/shares.h"

struct users {
	const struct swf *trace;
	struct fair_relshare ledger; /* in windows of a day */
	void *memory;
	int64_t to, now;
	double *entitled, *used; /* of a day's users, day after day; hours */
	size_t days, cap;
	bool failed, too_long; /* if not for that, out of memory */
};

#define USERS_DAYS 33554432 /* users times days, at most */

/* Says why it failed. Returns what run_error() does. */
int users_explain(const struct users *u, const char *option);

/* Every user has one share, or those of @shares. Returns 0 or -FAIR_E... */
int users_open(struct users *u, const struct swf *trace,
	       const struct shares *shares);
void users_close(struct users *u);

/* A job's index in the trace. */
void users_arrive(struct users *u, size_t number, int64_t now);
void users_start(struct users *u, size_t number, int64_t now);
void users_finish(struct users *u, size_t number, int64_t now);

/* Of one user, its measured jobs; hours of processors. */
struct users_row {
	int64_t id, max_wait;
	size_t jobs;
	double hours, waits, slowdowns; /* sums */
	double entitled, used;
};

/*
 * When all jobs have ended, once: one row each of trace->users, jobs 0 if it
 * has none in the period, to free(); NULL without memory.
 */
struct users_row *users_rows(struct users *u, const struct sim_result *result);

/*
 * The same as CSV, one row a user that has a job in the period, in the order of
 * the trace. Returns 0, or -1 without memory.
 */
int users_write(struct users *u, const struct sim_result *result, FILE *f);

#endif /* USERS_H */
