/* SPDX-License-Identifier: MIT OR Unlicense */
/* text.h - names and fields of unknown origin, made safe to show */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the UTF-8 character at @p, of @n bytes at most; 0: it is none. */
size_t text_character(const char *p, size_t n);

/* Is it UTF-8 without control characters? */
bool text_is_plain(const char *text, size_t n);

/* What is not printable UTF-8 appears as \x1b, so that no terminal obeys it. */
void text_show(FILE *f, const char *text);

/* The same for a cell of a Markdown table. */
void text_markdown(FILE *f, const char *text);

/* As they are; on a terminal as text_show() shows them. */
void text_bytes(FILE *f, const char *text, size_t n);

/* A CSV field of @n bytes: in quotes where it needs them. */
void text_csv(FILE *f, const char *text, size_t n);

/*
 * The same as text_show(), in lines of at most @room characters. @column are
 * on the first line already, and stay free on the others; ends with a newline.
 */
void text_wrap(FILE *f, const char *text, size_t column, size_t room);

/* A JSON string with its quotes; what is not UTF-8 becomes U+FFFD. */
void text_json(FILE *f, const char *text);

#endif /* TEXT_H */
