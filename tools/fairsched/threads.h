/* SPDX-License-Identifier: MIT OR Unlicense */
/* threads.h - one function on several threads */
#ifndef THREADS_H
#define THREADS_H

#include <stddef.h>

#define THREADS 256 /* at most */

/* Processors of this computer. */
size_t threads_here(void);

/*
 * @run(@arg) in up to @threads threads, this one among them; with no other, it
 * does all of the work.
 */
void threads_run(size_t threads, void *(*run)(void *arg), void *arg);

#endif /* THREADS_H */
