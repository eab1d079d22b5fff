/* SPDX-License-Identifier: MIT OR Unlicense */
/* text.h - names and fields of unknown origin, made safe to show */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Bytes of the UTF-8 character at @p, of @n bytes at most; 0: it is none. */
size_t text_character(const char *p, size_t n);

/* What is not printable UTF-8 appears as \x1b, so that no terminal obeys it. */
void text_show(FILE *f, const char *text);

/* A JSON string with its quotes; what is not UTF-8 becomes U+FFFD. */
void text_json(FILE *f, const char *text);

#endif /* TEXT_H */
