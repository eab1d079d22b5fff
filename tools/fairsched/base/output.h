/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * output.h - files that appear whole or not at all
 *
 * A file F is written under a new name F.new.XXXXXX, synchronized and renamed at
 * the end: whenever the program or the machine stops, F is the old file or the
 * new one. A signal or a failure removes F.new.XXXXXX; SIGKILL leaves it. A file
 * that is replaced keeps its mode and, if root writes, its owner. "-" is stdout;
 * what is no regular file (/dev/null, a pipe) is written directly.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define OUTPUT_NEW ".new." /* behind the name; then six characters */

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

/*
 * Writes one file at once, whatever else is open; a new one is for its owner
 * only if it @is_private. Returns 0, or -1 with errno set.
 */
int output_save(const char *path, const void *bytes, size_t n, bool is_private);

/*
 * Makes a folder, unless it is there; without files, it is removed by a signal
 * and by output_abandon(). Returns the exit status, after a message if not 0.
 */
int output_folder(const char *path);

/* Closes and renames all; returns the exit status, after a message if not 0. */
int output_commit(void);

/* Closes and removes all that was not committed. */
void output_abandon(void);

#endif /* OUTPUT_H */
