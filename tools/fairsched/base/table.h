/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * table.h - rows of short cells: columns where the terminal has room for them,
 * else a list; or Markdown
 *
 *	struct table t;
 *
 *	table_open(&t);
 *	table_row(&t, TABLE_TITLE, "policy");
 *	table_cell(&t, NULL, "mean wait");
 *	table_row(&t, TABLE_ROW, "easy");
 *	table_cell(&t, NULL, "%.2f", wait);
 *	table_print(&t, stdout, terminal_width(stdout));
 *	if (table_close(&t))
 *		return run_error("out of memory");
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TABLE_NAME 64 /* bytes, as every cell */

enum table_kind {
	TABLE_TITLE,  /* one or two; the second has the units */
	TABLE_ROW,    /* a name and cells */
	TABLE_REMARK, /* on each cell of the row above */
	TABLE_LINE,   /* a name and a sentence */
};

struct table_cell {
	char text[TABLE_NAME];
	const char *paint; /* an escape sequence, or NULL */
};

struct table_row {
	enum table_kind kind;
	char name[TABLE_NAME];
	char *line; /* of TABLE_LINE */
	size_t cells;
	struct table_cell *cell;
};

struct table {
	struct table_row *row;
	size_t rows, cap;
	bool failed; /* out of memory */
};

void table_open(struct table *t);
void table_row(struct table *t, enum table_kind kind, const char *name);
void table_cell(struct table *t, const char *paint, const char *format, ...);
void table_line(struct table *t, const char *name, const char *before,
		const char *sentence);

/* In at most @room characters a line, where the cells allow it. */
void table_print(const struct table *t, FILE *f, size_t room);
void table_markdown(const struct table *t, FILE *f);

/* Returns 0, or -1 if memory was missing at any time. */
int table_close(struct table *t);

#endif /* TABLE_H */
