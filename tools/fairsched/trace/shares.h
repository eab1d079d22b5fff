/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * shares.h - the shares of each user, for --shares FILE
 *
 *	user,shares
 *	17,70
 *	4,30
 *
 * A header line that names both columns, in either order, then a user a line;
 * blank lines and those that begin with # are skipped. user is the user number
 * of the trace; shares are an integer from 0 to 1048576. A user without a row
 * has 1 share.
 */
#ifndef SHARES_H
#define SHARES_H

#include <stddef.h>
#include <stdint.h>

struct shares_of_user {
	int64_t user;
	uint32_t shares;
	long line;
};

struct shares {
	struct shares_of_user *listed; /* by user */
	size_t n;
	char error[1024];
};

/* Reads @path, "-" for stdin. Returns 0, or -1 with s->error set. */
int shares_read(struct shares *s, const char *path);

/* The same from memory; @name is for messages. */
int shares_parse(struct shares *s, const char *name, const char *text,
		 size_t bytes);

/* Also after an error; s->error stays. */
void shares_free(struct shares *s);

uint32_t shares_of(const struct shares *s, int64_t user);

#endif /* SHARES_H */
