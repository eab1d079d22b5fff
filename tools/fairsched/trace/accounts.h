/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * accounts.h - target occupancies, for --accounts FILE
 *
 *	account,target		or	account,award,period,factor
 *	alice,228			alice,1000000,365,2
 *	bob,57.5			bob,250000,182.5,2
 *
 * A header line, then an account a line; columns in any order, blank lines and
 * those that begin with # are skipped. target is in processors; award is in
 * processor-hours and period in days, with up to two decimals, which makes them
 * whole seconds; factor has up to nine digits. Errors name file, line, field.
 */
#ifndef ACCOUNTS_H
#define ACCOUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "policies/sfs.h"

struct account {
	const char *name; /* in the text, not terminated */
	size_t bytes;	  /* of the name */
	long line;
	struct fair_sfs_allocation allocation;
	int64_t target; /* what fair_sfs_target() makes of it */
};

struct accounts {
	struct account *account; /* sorted by name */
	size_t accounts;
	char *text; /* a copy of the file */
	char error[1024];
};

/* Reads @path, "-" for stdin. Returns 0, or -1 with a->error set. */
int accounts_read(struct accounts *a, const char *path);

/* The same from memory; @name is for messages. */
int accounts_parse(struct accounts *a, const char *name, const char *text,
		   size_t bytes);

/* Also after an error; a->error stays. */
void accounts_free(struct accounts *a);

/* The index of an account, -1 if there is none; O(log accounts). */
int64_t accounts_find(const struct accounts *a, const char *name, size_t bytes);

/* The same by a number of a trace: the name is that, without leading zeros. */
int64_t accounts_find_number(const struct accounts *a, int64_t number);

#endif /* ACCOUNTS_H */
