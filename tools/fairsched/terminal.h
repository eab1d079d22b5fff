/* SPDX-License-Identifier: MIT OR Unlicense */
/* terminal.h - what only people at a terminal see: colour and progress */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Is @f a terminal that shows colours to someone who wants them (NO_COLOR)? */
bool terminal_colour(FILE *f);

/*
 * A bar with the time left on stderr, if that is a terminal and the work goes
 * on for more than a second. One at a time; progress_end() wipes it away.
 */
void progress_begin(const char *what, size_t total);
void progress_end(void);

/* So much more is done. Any thread; a sim_watch's progress, hence @unused. */
void progress_add(void *unused, size_t done);

#endif /* TERMINAL_H */
