/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * machine_model.h - naive oracle of several resources and node classes
 *
 * It has one list of intervals, with a vector of what is free of each resource
 * of each class, walks it for every answer, and tries every change on a copy. It
 * includes no header of the library and repeats the contract: results are 0 or
 * the negative of the documented error number. It is never full.
 */
#ifndef FAIR_MACHINE_MODEL_H
#define FAIR_MACHINE_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { MACHINE_MODEL_CELLS = 8 * 64 };

struct machine_model_step {
	int64_t at; /* it lasts until the next step, the last one for ever */
	int64_t free[MACHINE_MODEL_CELLS];
};

struct machine_model {
	struct machine_model_step *step;
	size_t n, room; /* in use, allocated */
	int64_t origin, reach;
	int resources, classes;
	unsigned int wide;
	int64_t limit[MACHINE_MODEL_CELLS];	 /* of a release */
	int64_t configured[MACHINE_MODEL_CELLS]; /* at the beginning */
};

void machine_model_init(struct machine_model *m, int resources, int classes,
			unsigned int wide, const int32_t *amount, int64_t reach,
			int64_t origin);
void machine_model_free(struct machine_model *m);

/* @order: @count classes; none: all, by number. */
int machine_model_earliest_start(const struct machine_model *m,
				 int64_t not_before, int64_t walltime,
				 const int32_t *amount, const uint8_t *order,
				 uint32_t count, int64_t *start, uint32_t *k);
int machine_model_earlier_start(const struct machine_model *m,
				int64_t not_before, int64_t before,
				int64_t walltime, const int32_t *amount,
				const uint8_t *order, uint32_t count,
				int64_t current, uint32_t current_class,
				int64_t *start, uint32_t *k);
/* The extremes of each resource in [@start, @end). */
void machine_model_extremes(const struct machine_model *m, uint32_t k,
			    int64_t start, int64_t end, int32_t *least,
			    int32_t *most);
int machine_model_reserve(struct machine_model *m, uint32_t k, int64_t start,
			  int64_t walltime, const int32_t *amount);
int machine_model_release(struct machine_model *m, uint32_t k, int64_t start,
			  int64_t walltime, const int32_t *amount);
int machine_model_move(struct machine_model *m, uint32_t current_class,
		       int64_t current, uint32_t k, int64_t start,
		       int64_t walltime, const int32_t *amount);
int machine_model_change_capacity(struct machine_model *m, uint32_t k,
				  uint32_t resource, int64_t start, int64_t end,
				  int32_t delta);
void machine_model_advance(struct machine_model *m, int64_t origin);

#endif /* FAIR_MACHINE_MODEL_H */
