/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * glance.h - the first screen of a page, for a manager: what was simulated,
 * what was left out or guessed, what the site had, waits and promises of each
 * policy, a picture, advice, and what is doubtful
 */
#ifndef GLANCE_H
#define GLANCE_H

#include "figures.h"

void glance_write(const struct shown *s, FILE *f);

/* What a policy does, in a sentence without its end. */
const char *glance_policy(int policy);

#endif /* GLANCE_H */
