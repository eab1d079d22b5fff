/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * penalty_model.h - the formulas of [MR], as printed, in exact rationals
 *
 * An oracle for policies/penalty.h; it includes nothing of that. Numbers are
 * fractions of big integers; costs and SPEC are in units of 2^-20, as in it.
 */
#ifndef PENALTY_MODEL_H
#define PENALTY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_LIMBS 80

struct model_big {
	int n; /* limbs in use */
	uint32_t d[MODEL_LIMBS];
};

struct model_ratio {
	struct model_big num, den;
};

struct model_class {
	int32_t count;
	int64_t spec, cost;
	uint64_t properties;
	const int64_t *amount;
};

struct model_chunk {
	int32_t count;
	int64_t min_spec, max_spec;
	uint64_t properties, without;
	const int64_t *amount;
};

struct model_machine {
	const struct model_class *node;
	size_t classes, resources;
	const bool *special; /* or NULL */
};

enum model_result { MODEL_OK, MODEL_UNSUITABLE, MODEL_OVERFLOW };

/* The exact value of a metric, and its value with each node rounded first. */
struct model_penalty {
	struct model_ratio exact;
	int64_t fixed; /* 2^-20 */
	int64_t nodes;
};

bool model_suits(const struct model_machine *m, const struct model_chunk *c,
		 size_t node_class);

/* Formulas 4, 7 (with @assigned) and 5, 8 (@assigned == NULL). */
enum model_result model_local(const struct model_machine *m,
			      const struct model_chunk *chunk, size_t chunks,
			      const size_t *assigned, int64_t queue_cost,
			      struct model_penalty *penalty);
/* Formula 3. */
enum model_result model_pe(const struct model_machine *m,
			   const struct model_chunk *chunk, size_t chunks,
			   int64_t queue_cost, struct model_penalty *penalty);
/* Formula 2. */
enum model_result model_standard(const struct model_chunk *chunk, size_t chunks,
				 const int64_t *standard, size_t resources,
				 int64_t queue_cost,
				 struct model_penalty *penalty);
enum model_result model_cpu(const struct model_chunk *chunk, size_t chunks,
			    int64_t queue_cost, struct model_penalty *penalty);
/* Formulas 1, 6, 9. */
enum model_result model_charge(int64_t walltime, int64_t spec, int64_t penalty,
			       int64_t *charge);

/* Whether 2^21 * |fixed / 2^20 - exact| <= halves * factor / 2^20 + 1. */
bool model_within(const struct model_penalty *p, int64_t fixed, int64_t halves,
		  int64_t factor);

#endif /* PENALTY_MODEL_H */
