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
	while (t->rows) {
		free(t->row[--t->rows].line);
		free(t->row[t->rows].cell);
	}
	free(t->row);
	t->row = NULL;
	return t->failed ? -1 : 0;
}

/* Not the half of a character at the end of what was cut. */
static void end_whole(char text[TABLE_NAME])
{
	size_t n = strlen(text);

	if (n + 1 < TABLE_NAME)
		return;
	while (n && (text[n - 1] & 0xc0) == 0x80)
		n--;
	if (n && text[n - 1] & 0x80)
		text[n - 1] = '\0';
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
	end_whole(row->name);
}

void table_cell(struct table *t, const char *paint, const char *format, ...)
{
	struct table_row *row;
	struct table_cell *c;
	va_list args;

	if (t->failed)
		return;
	row = &t->row[t->rows - 1];
	c = realloc(row->cell, (row->cells + 1) * sizeof(*c));
	if (!c) {
		t->failed = true;
		return;
	}
	row->cell = c;
	c += row->cells++;
	c->paint = paint;
	va_start(args, format);
	vsnprintf(c->text, sizeof(c->text), format, args);
	va_end(args);
	end_whole(c->text);
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

static size_t most(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Without rows there is no array to point behind. */
static const struct table_row *end_of(const struct table *t)
{
	return t->rows ? t->row + t->rows : t->row;
}

static size_t columns(const struct table *t)
{
	const struct table_row *r = t->row;
	size_t n = 0;

	for (; r < end_of(t); r++)
		n = most(n, r->cells);
	return n;
}

static size_t name_width(const struct table *t)
{
	const struct table_row *r = t->row;
	size_t n = 0;

	for (; r < end_of(t); r++)
		n = most(n, text_wide(r->name));
	return n;
}

static size_t cell_width(const struct table *t, size_t i)
{
	const struct table_row *r = t->row;
	size_t n = 0;

	for (; r < end_of(t); r++)
		if (i < r->cells)
			n = most(n, text_wide(r->cell[i].text));
	return n;
}

/* Characters of a line with that gap. */
static size_t line_width(const struct table *t, size_t gap)
{
	size_t sum = name_width(t), i = columns(t);

	while (i--)
		sum += gap + cell_width(t, i);
	return sum;
}

static void print_blanks(size_t n, FILE *f)
{
	fprintf(f, "%*s", (int)n, "");
}

static void print_cell(const struct table_cell *c, size_t width, FILE *f)
{
	const char *paint = c->paint ? c->paint : "";

	fputs(paint, f);
	print_blanks(most(width, text_wide(c->text)) - text_wide(c->text), f);
	text_show(f, c->text);
	fputs(*paint ? PLAIN : "", f);
}

/* Without memory each width is found again for each cell. */
static void print_columns(const struct table *t, size_t gap, size_t room,
			  FILE *f)
{
	size_t *width = malloc((columns(t) + 1) * sizeof(*width));
	size_t name = name_width(t), i;
	const struct table_row *r;

	for (i = 0; width && i < columns(t); i++)
		width[i] = cell_width(t, i);
	for (r = t->row; r < end_of(t); r++) {
		text_show(f, r->name);
		if (r->cells || r->line)
			print_blanks(name - text_wide(r->name), f);
		for (i = 0; i < r->cells; i++) {
			print_blanks(gap, f);
			print_cell(&r->cell[i],
				   width ? width[i] : cell_width(t, i), f);
		}
		if (r->line) {
			print_blanks(gap, f);
			text_wrap(f, r->line, name + gap, room);
		} else {
			putc('\n', f);
		}
	}
	free(width);
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
	const struct table_row *end = end_of(t);
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
		width = most(width, text_wide(title));
	}
	for (r = t->row; r < end_of(t); r++) {
		if (r->kind == TABLE_LINE) {
			text_show(f, r->name);
			fputs("\n  ", f);
			text_wrap(f, r->line, 2, room);
		}
		if (r->kind != TABLE_ROW)
			continue;
		text_show(f, r->name);
		putc('\n', f);
		for (i = 0; i < r->cells; i++) {
			if (!*r->cell[i].text)
				continue;
			column_title(t, i, title, sizeof(title));
			fputs("  ", f);
			text_show(f, title);
			fputs("  ", f);
			print_blanks(width - text_wide(title), f);
			print_remarked(t, r, i, f);
			putc('\n', f);
		}
	}
}

void table_print(const struct table *t, FILE *f, size_t room)
{
	size_t gap = line_width(t, 2) <= room ? 2 : 1;

	if (t->failed || !t->rows)
		return;
	if (line_width(t, gap) <= room)
		print_columns(t, gap, room, f);
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
		putc(' ', f);
		text_markdown(f, title);
		fputs(" |", f);
	}
	fputs("\n|---|", f);
	for (i = 0; i < t->row[0].cells; i++)
		fputs("---:|", f);
	putc('\n', f);
	for (r = t->row; r < end_of(t); r++) {
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
