/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * faults.h - a call that fails as documented_faults_test.py reads it:
 *
 *	FAILS(fair_profile_reserve(p, 0, 11, 7), ERANGE, "more than are free");
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "test.h"

static inline void fails(const char *call, int got, int error, const char *why,
			 bool same)
{
	if (got != error || !same)
		printf("%s, %s: %d%s\n", call, why, got,
		       same ? "" : ", changed");
	TEST_CHECK(got == error && same);
}

#define FAILS(call, error, why) fails(#call, call, -FAIR_##error, why, true)

#endif /* FAULTS_H */
