/* SPDX-License-Identifier: MIT OR Unlicense */
/* owed.h - rows of what accounts and users used, were due, and are owed */
#ifndef OWED_H
#define OWED_H

#include <stdio.h>

#include "used.h"

struct owed_row {
	char month[24]; /* "": of all */
	enum used_resource resource;
	const char *account, *user, *parent; /* NULL: of all */
	uint32_t shares;		     /* TREE_PARENT */
	uint32_t rank;			     /* 0: none */
	uint32_t depth;
	bool has_shares; /* not if of several nodes */
	/* Parts of all, from 0 to 1; processor- or MB-seconds. */
	double share, used_share, used, owed;
};

struct owed_by {
	bool month, account, user, resource;
};

struct owed {
	struct owed_row *row;
	size_t rows;
	struct owed_by by;
};

/* Returns 0, or the exit status after a message; then owed_free(). */
int owed_make(struct owed *o, const struct used *u, const struct owed_by *by);
void owed_free(struct owed *o);

/* In @room characters a line. Returns 0, or -1 without memory. */
int owed_write_table(const struct owed *o, FILE *f, size_t room);
void owed_write_csv(const struct owed *o, FILE *f);
void owed_write_json(const struct owed *o, FILE *f);

#endif /* OWED_H */
