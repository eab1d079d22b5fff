/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * relshare_model.h - relative share from its definition, in exact rationals
 *
 * Every entitlement is an integer over one denominator D, a multiple of 1, 2,
 * ... most_sum, so that it can be divided by any sum of shares. Each event
 * computes the entitlements since the last one as [RS III-C] does, and adds up
 * the usage of all jobs that ever ran.
 */
#ifndef RELSHARE_MODEL_H
#define RELSHARE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model_relshare;

/* @most_sum: bounds the sum of all shares at any time; at most 1000. */
struct model_relshare *model_relshare_new(size_t users, size_t jobs,
					  int64_t procs, int64_t origin,
					  int64_t window, int64_t first,
					  unsigned int most_sum);
/*
 * From now on, which is before the first event, the window is a half-life h: the
 * second at x into a window counts as G(x + 1) - G(x), G(x) = floor(2^(27 -
 * floor(log2 h)) h / ln 2 * 2^(x / h)); at its end usage and entitlement, which
 * is rounded to 2^-64, are halved and rounded down. In long double: right where
 * no G is within 2^-30 of an integer.
 */
void model_relshare_decay(struct model_relshare *m);
/* From now on users are compared by E - U. */
void model_relshare_subtract(struct model_relshare *m);
void model_relshare_free(struct model_relshare *m);
struct model_relshare *model_relshare_copy(const struct model_relshare *m);

/* The events; the caller has checked them. */
void model_relshare_advance(struct model_relshare *m, int64_t now);
void model_relshare_share(struct model_relshare *m, size_t user,
			  unsigned int share);
void model_relshare_capacity(struct model_relshare *m, int64_t procs);
/* Its usage in the window is @used, or it has none and no entitlement. */
void model_relshare_set_used(struct model_relshare *m, size_t user,
			     int64_t used);
void model_relshare_forget(struct model_relshare *m, size_t user);
/*
 * Windows of @window seconds from now on: entitlement, rounded as for a
 * half-life but not halved, and usage count in the one that now is in. With a
 * half-life both are multiplied by a / b, rounded down: G(x) h of the new rule
 * and of the old one, shifted until b < 2^48. False, and nothing changes, if
 * one is too large then.
 */
bool model_relshare_set_window(struct model_relshare *m, int64_t window);
/* @slot: a used slot, or the next one. */
void model_relshare_submit(struct model_relshare *m, size_t slot, size_t user,
			   int64_t procs);
void model_relshare_start(struct model_relshare *m, size_t slot, int64_t end);
void model_relshare_plan(struct model_relshare *m, size_t slot, int64_t end);
void model_relshare_requeue(struct model_relshare *m, size_t slot);
void model_relshare_finish(struct model_relshare *m, size_t slot);

/* Advances to @t to read there, within the window: begins no new one. */
void model_relshare_peek(struct model_relshare *m, int64_t t);

int64_t model_relshare_begin(const struct model_relshare *m);

/* The entitlement rate of a user, now; 0 / 1 if it has no job. */
void model_relshare_entitled(struct model_relshare *m, size_t user,
			     int64_t *numerator, int64_t *denominator);

/*
 * Whether whole + fraction * 2^-64 is the nearest such number to the user's
 * entitlement, give or take 2^-84 of the entitlement.
 */
bool model_relshare_near(const struct model_relshare *m, size_t user,
			 uint64_t whole, uint64_t fraction);

/* Processor-seconds in the window so far; model_relshare_usage() adds the
 * expected usage. */
int64_t model_relshare_used(const struct model_relshare *m, size_t user);
int64_t model_relshare_usage(const struct model_relshare *m, size_t user);

/* The part of [start, start + walltime) in the rest of the window. */
int64_t model_relshare_coming(const struct model_relshare *m, int64_t procs,
			      int64_t start, int64_t walltime);

/* -1 if E(a) / usage_a is larger, 1 if E(b) / usage_b is, else 0. */
int model_relshare_compare(const struct model_relshare *m, size_t a,
			   int64_t usage_a, size_t b, int64_t usage_b);

#endif /* RELSHARE_MODEL_H */
