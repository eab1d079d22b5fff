/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * profile_model.h - naive oracle of the availability profile
 *
 * It walks a sorted list of intervals for every answer and tries every change
 * on a copy. It includes no header of the library and repeats the contract:
 * results are 0 or the negative of the documented error number.
 */
#ifndef FAIR_PROFILE_MODEL_H
#define FAIR_PROFILE_MODEL_H

#include <stddef.h>
#include <stdint.h>

struct profile_model_step {
	int64_t at; /* it lasts until the next step, the last one for ever */
	int64_t free;
};

struct profile_model {
	struct profile_model_step *step;
	size_t n, room;	       /* in use, allocated */
	size_t most;	       /* allowed steps */
	int64_t origin, reach; /* all times are <= origin + reach */
	int64_t limit;	       /* a release must not raise free above it */
};

void profile_model_init(struct profile_model *m, size_t most, int64_t reach,
			int32_t procs, int64_t origin);
void profile_model_free(struct profile_model *m);
void profile_model_copy(struct profile_model *to,
			const struct profile_model *from);

int profile_model_earliest_start(const struct profile_model *m,
				 int64_t not_before, int64_t walltime,
				 int32_t procs, int64_t *start);
int profile_model_earlier_start(const struct profile_model *m,
				int64_t not_before, int64_t before,
				int64_t walltime, int32_t procs,
				int64_t current, int64_t *start);
int profile_model_min_free(const struct profile_model *m, int64_t start,
			   int64_t end, int32_t *free_procs);
int profile_model_run(const struct profile_model *m, int32_t procs,
		      int64_t *start, int64_t *end);

int profile_model_reserve(struct profile_model *m, int64_t start,
			  int64_t walltime, int32_t procs);
int profile_model_release(struct profile_model *m, int64_t start,
			  int64_t walltime, int32_t procs);
int profile_model_change_capacity(struct profile_model *m, int64_t start,
				  int64_t end, int32_t delta);
int profile_model_advance(struct profile_model *m, int64_t origin);

#endif /* FAIR_PROFILE_MODEL_H */
