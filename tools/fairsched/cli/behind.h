/* SPDX-License-Identifier: MIT OR Unlicense */
/* behind.h - why a job is behind another in the order by a tree, in words */
#ifndef BEHIND_H
#define BEHIND_H

#include <stddef.h>

#include "fairsched.h"
#include "tools/fairsched/trace/tree.h"

/* FAIR_WHY_TREE with the names of the file, in place of fair_why_text()'s.
 * Returns @text. */
const char *behind_text(const struct tree *t, const struct fair_why *w,
			char *text, size_t room);

#endif /* BEHIND_H */
