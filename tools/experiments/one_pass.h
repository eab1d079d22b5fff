/* SPDX-License-Identifier: MIT OR Unlicense */
/* one_pass.h - conservative that compresses once, in the order of arrival [CF 2] */
#ifndef ONE_PASS_H
#define ONE_PASS_H

#include "fairsched.h"

/* A planner of the caller's: FAIR_CUSTOM. */
const struct fair_planner_ops *one_pass_planner(void);

#endif /* ONE_PASS_H */
