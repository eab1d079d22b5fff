/* SPDX-License-Identifier: MIT OR Unlicense */
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

#define PLAIN "\033[0m"

void table_open(struct table *t)
{
	memset(t, 0, sizeof(*t));
}

int table_close(struct table *t)
{
	while (t->rows)
		free(t->row[--t->rows].line);
	free(t->row);
	t->row = NULL;
	return t->failed ? -1 : 0;
}

/* A name of unknown origin says nothing to the terminal. */
static void tame(char *text)
{
	unsigned char *c = (unsigned char *)text;

	for (; *c; c++)
		if (*c < ' ' || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0))
			*c = '?';
}

void table_row(struct table *t, enum table_kind kind, const char *name)
{
	size_t cap = t->cap ? 2 * t->cap : 16;
	struct table_row *row = t->row;

	if (t->rows == t->cap) {
		row = realloc(t->row, cap * sizeof(*row));
		if (!row) {
			t->failed = true;
			return;
		}
		t->row = row;
		t->cap = cap;
	}
	row = &t->row[t->rows++];
	memset(row, 0, sizeof(*row));
	row->kind = kind;
	snprintf(row->name, sizeof(row->name), "%s", name);
	tame(row->name);
}

void table_cell(struct table *t, const char *paint, const char *format, ...)
{
	struct table_row *row;
	struct table_cell *c;
	va_list args;

	if (t->failed || t->row[t->rows - 1].cells == TABLE_COLUMNS)
		return;
	row = &t->row[t->rows - 1];
	c = &row->cell[row->cells++];
	c->paint = paint;
	va_start(args, format);
	vsnprintf(c->text, sizeof(c->text), format, args);
	va_end(args);
	tame(c->text);
}

void table_line(struct table *t, const char *name, const char *before,
		const char *sentence)
{
	size_t n = strlen(before) + strlen(sentence) + 1;
	char *line = malloc(n);

	table_row(t, TABLE_LINE, name);
	if (t->failed || !line) {
		t->failed = true;
		free(line);
		return;
	}
	snprintf(line, n, "%s%s", before, sentence);
	t->row[t->rows - 1].line = line;
}

/* ---- columns ---- */

struct widths {
	size_t name, cell[TABLE_COLUMNS], gap;
};

static size_t most(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Characters of a line with that gap. */
static size_t line_width(const struct table *t, struct widths *w, size_t gap)
{
	const struct table_row *r;
	size_t i, sum;

	memset(w, 0, sizeof(*w));
	w->gap = gap;
	for (r = t->row; r < t->row + t->rows; r++) {
		w->name = most(w->name, strlen(r->name));
		for (i = 0; i < r->cells; i++)
			w->cell[i] = most(w->cell[i], strlen(r->cell[i].text));
	}
	for (sum = w->name, i = 0; i < TABLE_COLUMNS; i++)
		sum += w->cell[i] ? gap + w->cell[i] : 0;
	return sum;
}

static void print_cell(const struct table_cell *c, size_t width, FILE *f)
{
	const char *paint = c->paint ? c->paint : "";

	fprintf(f, "%s%*s%s", paint, (int)width, c->text, *paint ? PLAIN : "");
}

static void print_columns(const struct table *t, const struct widths *w,
			  size_t room, FILE *f)
{
	const struct table_row *r;
	size_t i;

	for (r = t->row; r < t->row + t->rows; r++) {
		fprintf(f, "%-*s", r->cells || r->line ? (int)w->name : 0,
			r->name);
		for (i = 0; i < r->cells; i++) {
			fprintf(f, "%*s", (int)w->gap, "");
			print_cell(&r->cell[i], w->cell[i], f);
		}
		if (r->line) {
			fprintf(f, "%*s", (int)w->gap, "");
			text_wrap(f, r->line, w->name + w->gap, room);
		} else {
			putc('\n', f);
		}
	}
}

/* ---- a list, Markdown ---- */

/* The title of a column and its unit. */
static void column_title(const struct table *t, size_t i, char *text,
			 size_t size)
{
	const struct table_row *unit = t->rows > 1 ? &t->row[1] : NULL;
	const char *of = "";

	if (unit && unit->kind == TABLE_TITLE && i < unit->cells)
		of = unit->cell[i].text;
	snprintf(text, size, "%s%s%s", t->row[0].cell[i].text, *of ? ", " : "",
		 of);
}

/* A cell with the remarks below it. */
static void print_remarked(const struct table *t, const struct table_row *r,
			   size_t i, FILE *f)
{
	const struct table_row *end = t->row + t->rows;
	const char *before = " (";

	print_cell(&r->cell[i], 0, f);
	for (r++; r < end && r->kind == TABLE_REMARK; r++) {
		if (i >= r->cells || !*r->cell[i].text)
			continue;
		fputs(before, f);
		print_cell(&r->cell[i], 0, f);
		before = ", ";
	}
	if (*before == ',')
		putc(')', f);
}

static void print_list(const struct table *t, size_t room, FILE *f)
{
	char title[2 * TABLE_NAME + 4];
	const struct table_row *r;
	size_t i, width = 0;

	for (i = 0; i < t->row[0].cells; i++) {
		column_title(t, i, title, sizeof(title));
		width = most(width, strlen(title));
	}
	for (r = t->row; r < t->row + t->rows; r++) {
		if (r->kind == TABLE_LINE) {
			fprintf(f, "%s\n  ", r->name);
			text_wrap(f, r->line, 2, room);
		}
		if (r->kind != TABLE_ROW)
			continue;
		fprintf(f, "%s\n", r->name);
		for (i = 0; i < r->cells; i++) {
			if (!*r->cell[i].text)
				continue;
			column_title(t, i, title, sizeof(title));
			fprintf(f, "  %-*s  ", (int)width, title);
			print_remarked(t, r, i, f);
			putc('\n', f);
		}
	}
}

void table_print(const struct table *t, FILE *f, size_t room)
{
	struct widths w;

	if (t->failed || !t->rows)
		return;
	if (line_width(t, &w, 2) <= room || line_width(t, &w, 1) <= room)
		print_columns(t, &w, room, f);
	else
		print_list(t, room, f);
}

void table_markdown(const struct table *t, FILE *f)
{
	char title[2 * TABLE_NAME + 4];
	const struct table_row *r;
	size_t i;

	if (t->failed || !t->rows)
		return;
	fprintf(f, "| %s |", t->row[0].name);
	for (i = 0; i < t->row[0].cells; i++) {
		column_title(t, i, title, sizeof(title));
		fprintf(f, " %s |", title);
	}
	fputs("\n|---|", f);
	for (i = 0; i < t->row[0].cells; i++)
		fputs("---:|", f);
	putc('\n', f);
	for (r = t->row; r < t->row + t->rows; r++) {
		if (r->kind != TABLE_ROW && r->kind != TABLE_LINE)
			continue;
		fputs("| ", f);
		text_markdown(f, r->name);
		fputs(" |", f);
		if (r->line) {
			putc(' ', f);
			text_markdown(f, r->line);
			fputs(" |", f);
		}
		for (i = r->line != NULL; i < t->row[0].cells; i++) {
			putc(' ', f);
			if (i < r->cells)
				print_remarked(t, r, i, f);
			fputs(" |", f);
		}
		putc('\n', f);
	}
}
