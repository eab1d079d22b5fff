/* SPDX-License-Identifier: MIT OR Unlicense */
/* answer.h - the commands why and when, and the status page */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdio.h>

#include "driver.h"

/* After driver_cycle(). Return 0, or the exit status after a message. */
int answer_why(struct driver *d, const char *job);
int answer_when(struct driver *d, const char *job);

void answer_status(struct driver *d, FILE *f);

#endif /* ANSWER_H */
