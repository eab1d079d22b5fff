/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_PRIORITY_IMPLEMENTATION
#include "policies/priority.h"
#include "tests/wide.h"
