/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * usage_model.h - the naive ledger that usage.h is compared with
 *
 * Each server logs every charge and every provisional charge as a line, and a
 * reading adds all of them up by the definition. A ledger that has merged
 * others is a number of seen lines for each server.
 *
 * Numbers have 128 bits before the point and 160 after it. Up to 6 windows (32
 * fraction bits of decay each) are exact; powers of two are power series with a
 * relative error below 2^-150.
 */
#ifndef FAIR_USAGE_MODEL_H
#define FAIR_USAGE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define USAGE_MODEL_LIMBS 9
#define USAGE_MODEL_POINT 5 /* limbs behind the point */
#define USAGE_MODEL_SERVERS 16
#define USAGE_MODEL_ENTITIES 16

/* Little-endian limbs of 32 bits. */
struct usage_big {
	uint32_t limb[USAGE_MODEL_LIMBS];
};

struct usage_model_line {
	uint32_t entity;
	int64_t t0, t1, rate; /* a charge, or */
	int64_t held;	      /* a provisional charge; negative: its end */
	bool sets;	      /* at t1 what the entity has used is @value */
	struct usage_big value, read; /* half-life: of the usage before, @read */
	bool forgets;		      /* at t1 no entity has used anything */
	bool credits;		      /* windows: at t1 this is taken back, of */
	struct usage_big taken[6];    /* t1's window and of those before */
};

struct usage_model {
	int64_t half_life; /* seconds; 0: windows */
	int64_t interval;  /* seconds */
	int depth;
	uint64_t decay; /* in 2^-32 */
	struct usage_model_line *line[USAGE_MODEL_SERVERS];
	size_t lines[USAGE_MODEL_SERVERS];
};

/* How many lines of each server a ledger has seen. */
struct usage_model_view {
	size_t seen[USAGE_MODEL_SERVERS];
};

void usage_model_free(struct usage_model *m);
void usage_model_charge(struct usage_model *m, int server, uint32_t entity,
			int64_t t0, int64_t t1, int64_t rate);
void usage_model_hold(struct usage_model *m, int server, uint32_t entity,
		      int64_t held);

void usage_model_set(struct usage_model *m, int server, uint32_t entity,
		     int64_t t, struct usage_big value);
void usage_model_forget(struct usage_model *m, int server, int64_t t);

/* What @server has charged, decayed until t. */
struct usage_big usage_model_charged(const struct usage_model *m, int server,
				     uint32_t entity, int64_t t);

/* Take @amount back; return what the entity did not have. */
struct usage_big usage_model_credit(struct usage_model *m, int server,
				    uint32_t entity, int64_t t,
				    uint64_t amount);

/* The latest end of a charge that the view has seen. */
int64_t usage_model_latest(const struct usage_model *m,
			   const struct usage_model_view *view);

/* Effective usage at t or at the latest charge; UINT32_MAX: of all entities. */
struct usage_big usage_model_at(const struct usage_model *m,
				const struct usage_model_view *view,
				uint32_t entity, int64_t t);

/* The error bound of usage.h for a reading of @sources sources. */
struct usage_big usage_model_bound(const struct usage_model *m,
				   const struct usage_model_view *view,
				   uint32_t entity, int64_t t, int sources);

/* Whether whole + fraction * 2^-64 is within that bound. */
bool usage_model_agrees(const struct usage_model *m,
			const struct usage_model_view *view, uint32_t entity,
			int64_t t, int sources, uint64_t whole,
			uint64_t fraction);

/* 2^(numerator / denominator), 0 <= numerator <= denominator. */
struct usage_big usage_big_exp2(int64_t numerator, int64_t denominator);
struct usage_big usage_big_from(uint64_t whole, uint64_t fraction);
struct usage_big usage_big_add(struct usage_big a, struct usage_big b);
struct usage_big usage_big_sub(struct usage_big a, struct usage_big b);
struct usage_big usage_big_mul(struct usage_big a, struct usage_big b);
struct usage_big usage_big_shift(struct usage_big a, uint64_t n); /* a / 2^n */
int usage_big_compare(struct usage_big a, struct usage_big b);

#endif /* FAIR_USAGE_MODEL_H */
