/* SPDX-License-Identifier: MIT OR Unlicense */
/* terminal.h - colour on a terminal, and progress */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One that understands escape sequences. */
bool terminal_is(FILE *f);

/* Is @f a terminal with colours, and NO_COLOR not set? */
bool terminal_colour(FILE *f);

/* Characters of a line: COLUMNS, or what the terminal says, or else 80. */
size_t terminal_width(FILE *f);

/*
 * On stderr: a bar with the time left if that is a terminal and the work goes
 * on for more than a second, else a line every 10 s. One at a time;
 * progress_end() wipes the bar away.
 */
void progress_begin(const char *what, size_t total);
void progress_end(void);

/* Adds @done. Any thread; it is a progress() of struct sim_watch: @unused. */
void progress_add(void *unused, size_t done);

/* No progress is told any more. */
void progress_quiet(void);

#endif /* TERMINAL_H */
