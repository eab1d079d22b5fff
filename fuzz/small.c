/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * small.c - the library with the sizes of the fuzzers of whole schedulers
 *
 * Small enough that few jobs reach every path. Those fuzzers define the same.
 */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_MINIMA 2
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
