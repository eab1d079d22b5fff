/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * stored.h - results of long experiments, in a file
 *
 *	KTH ties<tab>6a09e667f3bcc908<tab>0badcafe12345678<tab>0.25 1.5
 *
 * A line has the name, a hash of the jobs of the trace, the checksum of the rest
 * of the line, and the values. Lines that begin with # do not count.
 */
#ifndef STORED_H
#define STORED_H

#include <stdbool.h>
#include <stdio.h>

#include "tools/fairsched/trace/swf.h"

#define STORED_VALUES 384 /* of an experiment, at most */

struct stored_row {
	char *name;
	uint64_t trace;
	double *value;
	size_t n;
};

struct stored {
	struct stored_row *row;
	size_t rows;
	char error[512];
};

/* Returns 0; 1 if there is no such file; -1 with s->error set. */
int stored_read(struct stored *s, const char *path);
void stored_free(struct stored *s);

/* NULL: there is none for that trace, of that many values. */
const double *stored_find(const struct stored *s, const char *name,
			  const struct swf *t, size_t n);

/* In place of those of that name; false: no memory. */
bool stored_put(struct stored *s, const char *name, const struct swf *t,
		const double *value, size_t n);

/* Equal to the second decimal, the last one that is printed? */
bool stored_same(const double *a, const double *b, size_t n);

void stored_write(const struct stored *s, FILE *f);

#endif /* STORED_H */
