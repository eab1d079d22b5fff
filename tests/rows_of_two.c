/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * rows_of_two.c - the library with blocks of two jobs, for the tests that define
 * the same: few jobs are several rows
 */
#define FAIR_QUEUE_BLOCK 2
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
