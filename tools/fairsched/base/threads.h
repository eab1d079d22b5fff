/* SPDX-License-Identifier: MIT OR Unlicense */
/* threads.h - runs one function in several threads */
#ifndef THREADS_H
#define THREADS_H

#include <stddef.h>

#define THREADS 256 /* at most */

/* Processors of this computer. */
size_t threads_here(void);

/*
 * Calls @run(@arg) in up to @threads threads, the calling one among them; if no
 * other can be created, that one does all of the work.
 */
void threads_run(size_t threads, void *(*run)(void *arg), void *arg);

#endif /* THREADS_H */
