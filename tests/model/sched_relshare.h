/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched_relshare.h - the naive scheduler's ledger of relative shares, on the
 * exact rationals of relshare_model.h
 *
 * It knows a job by number from _submit() to _leave(). Call _advance() before
 * each event.
 */
#ifndef SCHED_RELSHARE_H
#define SCHED_RELSHARE_H

#include <stdint.h>

#include "sched_model.h"

struct sched_relshare;

/* Whether the sum of all shares is small enough for the exact rationals. */
bool sched_relshare_takes(const struct model_rules *rules);
struct sched_relshare *sched_relshare_new(const struct model_rules *rules,
					  int64_t now);
struct sched_relshare *sched_relshare_copy(const struct sched_relshare *s);
void sched_relshare_free(struct sched_relshare *s);

void sched_relshare_advance(struct sched_relshare *s, int64_t now);
void sched_relshare_capacity(struct sched_relshare *s, int64_t procs);
void sched_relshare_submit(struct sched_relshare *s, uint32_t number,
			   uint32_t user, int64_t procs);
void sched_relshare_start(struct sched_relshare *s, uint32_t number,
			  int64_t end);
void sched_relshare_plan(struct sched_relshare *s, uint32_t number,
			 int64_t end);
void sched_relshare_requeue(struct sched_relshare *s, uint32_t number);
void sched_relshare_leave(struct sched_relshare *s, uint32_t number);

/* Of the present window; see relshare_model.h. */
int64_t sched_relshare_used(const struct sched_relshare *s, uint32_t user);
void sched_relshare_set_used(struct sched_relshare *s, uint32_t user,
			     int64_t used);
/* The user is a new one, with 1 share. */
void sched_relshare_forget(struct sched_relshare *s, uint32_t user);
void sched_relshare_share(struct sched_relshare *s, uint32_t user,
			  uint32_t share);
bool sched_relshare_set_window(struct sched_relshare *s, int64_t window);

/* The reservation [start, start + seconds) of a job of @user; procs 0: none. */
struct sched_relshare_reserved {
	uint32_t user;
	int32_t procs;
	int64_t start, seconds;
};

/* Reads the usage of all users for the comparisons that follow. */
void sched_relshare_read_usage(struct sched_relshare *s,
			       const struct sched_relshare_reserved *held);

/* -1 if a's E / U is larger, 1 if b's is, else 0. */
int sched_relshare_compare(const struct sched_relshare *s, uint32_t a,
			   uint32_t b);

#endif /* SCHED_RELSHARE_H */
