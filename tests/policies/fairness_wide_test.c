/* SPDX-License-Identifier: MIT OR Unlicense */
#define FAIR_FAIRNESS_IMPLEMENTATION
#include "policies/fairness.h"
#include "tests/wide.h"
