/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fst_file.h - files of fair start times that have been found
 *
 *	# fairsched fst 2 check=0badcafe key=6a09e667f3bcc908 jobs=9 trace=KTH-SP2
 *	number,strict_fst,relaxed_fst,check
 *	0,0,0,5bd1e995
 *
 * The key is a hash of the rules, the jobs and the schedule, so that times of
 * another simulation are not taken for those of this one. Lines are appended in
 * the order in which times are found, so that an interrupted run can continue.
 * At the end the file is rewritten in the order of numbers: it has the same
 * bytes whichever process found which time. An incomplete last line does not
 * count. Each line has a checksum, of a row together with the key.
 */
#ifndef FST_FILE_H
#define FST_FILE_H

#include <stdio.h>

#include "sim.h"

struct fst_file {
	uint64_t key;
	uint64_t or_key; /* in a file that is read: becomes key; 0: none */
	size_t jobs;
	char trace[256];
	struct fair_fst *time; /* of each job; FAIR_FOREVER: not found */
	FILE *f;	       /* open to be added to, or NULL */
	int64_t written;       /* when, seconds */
	int failed;	       /* the errno of the first write that did */
	char error[512];
};

uint64_t fst_file_key(const struct sim_rules *rules, const struct swf_job *job,
		      size_t jobs, uint64_t digest, bool only_late);

/*
 * Reads @path. If @p->key is set, the file must belong to that simulation, and
 * its times are filled in; else @p takes key, jobs and trace from the file, and
 * time is allocated. Returns 0; 1 if there is no such file; -1 with p->error
 * set.
 */
int fst_file_read(struct fst_file *p, const char *path);

/* Opens @path for fst_file_add() to append to. Returns 0 or -1. */
int fst_file_append(struct fst_file *p, const char *path);
void fst_file_add(struct fst_file *p, size_t number);
/* Returns 0 or -1. */
int fst_file_close(struct fst_file *p);

/* All that has been found, in the order of numbers. */
void fst_file_write(const struct fst_file *p, FILE *f);

#endif /* FST_FILE_H */
