/* SPDX-License-Identifier: MIT OR Unlicense */
/* The library: all scheduling decisions are made in these headers. */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
