/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairness_model.h - equations 1 and 2 of [CF], as they are printed
 *
 * An oracle for policies/fairness.h; it includes nothing of that. It stores
 * every interval between two events and integrates over the intervals of a
 * job's life, anew for each job, in exact fractions of big integers.
 */
#ifndef FAIRNESS_MODEL_H
#define FAIRNESS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIRNESS_MODEL_STRETCHES 512
#define FAIRNESS_MODEL_LIMBS 256

/* A number >= 0, little-endian limbs of 32 bits, @n in use. */
struct fairness_big {
	size_t n;
	uint32_t d[FAIRNESS_MODEL_LIMBS];
};

struct fairness_ratio {
	struct fairness_big num, den;
};

struct fairness_model_stretch {
	int64_t start, end;
	int64_t active;		   /* jobs */
	int64_t requested, in_use; /* processors */
};

struct fairness_model {
	struct fairness_model_stretch stretch[FAIRNESS_MODEL_STRETCHES];
	size_t stretches;
};

/* Appends an interval; false if there is no room. */
bool fairness_model_keep(struct fairness_model *m, int64_t start, int64_t end,
			 int64_t active, int64_t requested, int64_t in_use);

/* Equation 1, or 2, for a job of @procs processors active in [from, to). */
void fairness_model_share(const struct fairness_model *m, int64_t from,
			  int64_t to, int32_t procs, bool weighted,
			  struct fairness_ratio *share);

/* The number of intervals of [from, to) in which processors are in use. */
int64_t fairness_model_count(const struct fairness_model *m, int64_t from,
			     int64_t to);

/* Whether 0 <= share - (whole + fraction * 2^-64) <= units * 2^-64. */
bool fairness_model_within(const struct fairness_ratio *share, int64_t whole,
			   uint64_t fraction, uint64_t units);

#endif /* FAIRNESS_MODEL_H */
