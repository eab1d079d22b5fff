/* SPDX-License-Identifier: MIT OR Unlicense */
/* The library: everything that decides. */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
