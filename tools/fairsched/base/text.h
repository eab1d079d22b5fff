/* SPDX-License-Identifier: MIT OR Unlicense */
/* text.h - names and fields of unknown origin, made safe to show */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the UTF-8 character at @p, of @n bytes at most; 0: it is none. */
size_t text_character(const char *p, size_t n);

/*
 * Is it UTF-8 without control characters, and without marks that turn the
 * direction of what is around them?
 */
bool text_is_plain(const char *text, size_t n);

/* What is not plain appears as \x1b, so that no terminal obeys it. */
void text_show(FILE *f, const char *text);

/* The columns that text_show() needs. */
size_t text_wide(const char *text);

/* The same for a cell of a Markdown table. */
void text_markdown(FILE *f, const char *text);

/* As they are; on a terminal as text_show() shows them. */
void text_bytes(FILE *f, const char *text, size_t n);

/*
 * A CSV field of @n bytes: in quotes where it needs them. Of =1+1, which a
 * spreadsheet would compute, "'=1+1": an apostrophe says that it is text.
 */
void text_csv(FILE *f, const char *text, size_t n);

/* Is the first byte of a field that was read that apostrophe? */
bool text_csv_marked(const char *text, size_t n);

/*
 * The same as text_show(), in lines of at most @room characters. @column are
 * on the first line already, and stay free on the others; ends with a newline.
 */
void text_wrap(FILE *f, const char *text, size_t column, size_t room);

/* A JSON string with its quotes; what is not UTF-8 becomes U+FFFD. */
void text_json(FILE *f, const char *text);

/* The same of @n bytes, within the backticks of JavaScript. */
void text_json_quoted(FILE *f, const char *text, size_t n);

#endif /* TEXT_H */
