/* SPDX-License-Identifier: MIT OR Unlicense */
/* procset.h - which processors a job got: the lowest that were free */
#ifndef PROCSET_H
#define PROCSET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/fairsched/trace/machine.h"

struct procset {
	int32_t procs;
	struct procset_range {
		int32_t first, last;
	} * range, *free; /* of the jobs; ascending, none touches the next */
	size_t ranges, cap, frees, room;
	size_t *begin; /* of each job, in range */
	int32_t *count;
	int error; /* out of memory: no more is recorded */
};

/* Returns 0, or -1 without memory. */
int procset_init(struct procset *p, int32_t procs, size_t jobs);
void procset_free(struct procset *p);

/* A job that runs gets processors from @from on, where as many must be free. */
void procset_take(struct procset *p, size_t job, int32_t from, int32_t procs);
/* The same once more, for the job that took last. */
void procset_add(struct procset *p, size_t job, int32_t from, int32_t procs);
void procset_give(struct procset *p, size_t job);

/*
 * Marks, by @odd[job] = 1, the jobs whose processors do not follow from starts
 * and ends alone: at each time first jobs end, then those that start take, by
 * their indices, the lowest processors that are free. Returns 0, or -1 without
 * memory.
 */
int procset_odd(const struct procset *p, const int64_t *start,
		const int64_t *end, size_t jobs, uint8_t *odd);

/* Prints "0-3 7". */
void procset_print(const struct procset *p, size_t job, FILE *f);

/* Prints the nodes that these are of: "zewura[2-4,7],zegox1". */
void procset_print_nodes(const struct procset *p, size_t job,
			 const struct machine *m, FILE *f);

#endif /* PROCSET_H */
