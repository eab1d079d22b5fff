/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * rows_of_two.c - the library with blocks of two jobs, for the tests that define
 * the same: few jobs are several rows, and a simulated run gives up early
 */
#define FAIR_QUEUE_BLOCK 2
#define FAIR_SIMULATED_ROUNDS 1024
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
