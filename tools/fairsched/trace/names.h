/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * names.h - the names of a trace's numbers, as import --names writes them
 *
 *	kind,number,name
 *	user,1,ann
 *	account,1,"physics, solid state"
 */
#ifndef NAMES_H
#define NAMES_H

#include "sacct.h"

struct names {
	struct sacct_name *name; /* by kind and number */
	size_t names;
	char error[1024];
};

/* Reads @path, "-" for stdin. Returns 0, or -1 with n->error set. */
int names_read(struct names *n, const char *path);

/* The same from memory; @name is for messages. */
int names_parse(struct names *n, const char *name, const char *text,
		size_t bytes);

/* Takes the names of @s. */
void names_take(struct names *n, struct sacct *s);

/* Also after an error; n->error stays. */
void names_free(struct names *n);

/* No bytes: it has none; so it is, here and below, where @n is NULL. */
struct csv_field names_of(const struct names *n, enum sacct_kind kind,
			  int64_t number);

/* The same as text, or else the number. Returns @text. */
const char *names_text(const struct names *n, enum sacct_kind kind,
		       int64_t number, char *text, size_t size);

/* Whether any of that kind has a name; @n may be NULL. */
bool names_has(const struct names *n, enum sacct_kind kind);

/* The number of that name; -1: none. */
int64_t names_number(const struct names *n, enum sacct_kind kind,
		     const char *text);

/* The name, or else the number, as a field of CSV or a value of JSON. */
void names_csv(const struct names *n, enum sacct_kind kind, int64_t number,
	       FILE *f);
void names_json(const struct names *n, enum sacct_kind kind, int64_t number,
		FILE *f);

#endif /* NAMES_H */
