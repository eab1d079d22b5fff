/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * output.h - files that appear whole or not at all
 *
 * A file is written under another name beside its own and renamed at the end;
 * a signal or a failure removes it. "-" is stdout; what is no regular file
 * (/dev/null, a pipe) is written directly.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Would writing @path replace the regular file @input or @other, by whatever
 * names? "-" is stdout, or stdin as an @input.
 */
bool output_is_input(const char *path, const char *input);
bool output_is_output(const char *path, const char *other);

/* Signals remove unfinished files; a closed pipe ends the program quietly. */
void output_init(void);

/* NULL after a message. */
FILE *output_open(const char *path);

/* Closes and renames all; returns the exit status, after a message if not 0. */
int output_commit(void);

/* Closes and removes all that was not committed. */
void output_abandon(void);

#endif /* OUTPUT_H */
