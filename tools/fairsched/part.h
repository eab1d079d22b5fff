/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * part.h - files of fair start times that have been found
 *
 *	# fairsched fst 1 key=6a09e667f3bcc908 jobs=28489 trace=KTH-SP2
 *	number,strict_fst,relaxed_fst
 *	0,0,0
 *
 * The key is a hash of the rules, the jobs and the schedule, so that times of
 * another simulation are not taken for those of this one. Lines are added in
 *the order in which they are found, so that a run that is interrupted goes on
 *from there; at the end the file is written anew in the order of numbers:
 *whoever found what, it has the same bytes. What was cut off in the middle of a
 *line does not count.
 */
#ifndef PART_H
#define PART_H

#include <stdio.h>

#include "sim.h"

struct part {
	uint64_t key;
	uint64_t or_key; /* in a file that is read: becomes key; 0: none */
	size_t jobs;
	char trace[256];
	struct fair_fst *time; /* of each job; FAIR_FOREVER: not found */
	FILE *f;	       /* open to be added to, or NULL */
	int64_t written;       /* when, seconds */
	char error[512];
};

uint64_t part_key(const struct sim_rules *rules, const struct swf_job *job,
		  size_t jobs, uint64_t digest, bool only_late);

/*
 * Reads @path. With key set, it must be of the simulation that @p names, whose
 * times are filled in; else @p becomes what is found, and time is allocated.
 * Returns 0; 1 if there is no such file; -1 with p->error set.
 */
int part_read(struct part *p, const char *path);

/* Opens @path for part_add(), behind what is there. Returns 0 or -1. */
int part_append(struct part *p, const char *path);
void part_add(struct part *p, size_t number);
/* Returns 0 or -1. */
int part_close(struct part *p);

/* All that has been found, in the order of numbers. */
void part_write(const struct part *p, FILE *f);

#endif /* PART_H */
