/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * priority_model.h - the naive priority that priority.h is compared with
 *
 * It checks values as fractions of long integers, from their definition, and
 * computes [MAUI] table 2 from them, with overflow checks by division.
 */
#ifndef FAIR_PRIORITY_MODEL_H
#define FAIR_PRIORITY_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of table 2. */
enum { PRIORITY_MODEL_COMPONENTS = 6, PRIORITY_MODEL_PARTS = 21 };

/* Whether @value, in 2^-20, is the exact one rounded to nearest, halves up. */
bool priority_model_queue_time(int64_t value, int64_t wait);
bool priority_model_xfactor(int64_t value, int64_t wait, int64_t walltime);
bool priority_model_queue_time_target(int64_t value, int64_t target,
				      int64_t wait);
/* procs, memory, swap, disk of the request, and of the machine */
bool priority_model_pe(int64_t value, const int64_t *asked,
		       const int64_t *total);
/* Whether it is within 0.501 * 2^-20; @target in 2^-20. */
bool priority_model_xfactor_target(int64_t value, int64_t target, int64_t wait,
				   int64_t walltime);

struct priority_model {
	int64_t component_weight[PRIORITY_MODEL_COMPONENTS];
	int64_t component_cap[PRIORITY_MODEL_COMPONENTS];
	int64_t weight[PRIORITY_MODEL_PARTS], cap[PRIORITY_MODEL_PARTS];
	int64_t queue_time_weight, xfactor_weight; /* of the QoS */
	int64_t value[PRIORITY_MODEL_PARTS];

	/* results: */
	int64_t part[PRIORITY_MODEL_PARTS];
	int64_t factor[PRIORITY_MODEL_COMPONENTS];
	int64_t component[PRIORITY_MODEL_COMPONENTS];
	int64_t priority;
};

void priority_model(struct priority_model *m);

/* a * b, but no further from 0 than INT64_MAX */
int64_t priority_model_times(int64_t a, int64_t b);

#endif /* FAIR_PRIORITY_MODEL_H */
