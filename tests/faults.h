/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * faults.h - an error by name, as documented_faults_test.py reads it:
 *
 *	"fair_profile_reserve: -FAIR_ERANGE more than are free"
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "test.h"

static int error_of(const char *name)
{
	static const struct {
		const char *name;
		int error;
	} all[] = { { "-FAIR_EINVAL ", -FAIR_EINVAL },
#ifdef FAIRSCHED_H
		    { "-FAIR_ENOENT ", -FAIR_ENOENT },
		    { "-FAIR_ETIME ", -FAIR_ETIME },
#endif
		    { "-FAIR_ENOMEM ", -FAIR_ENOMEM },
		    { "-FAIR_ENOSPC ", -FAIR_ENOSPC },
		    { "-FAIR_ERANGE ", -FAIR_ERANGE },
		    { "-FAIR_EOVERFLOW ", -FAIR_EOVERFLOW } };
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strncmp(name, all[i].name, strlen(all[i].name)))
			return all[i].error;
	return 1;
}

/* Is @call one of what is named, and @got the error? */
static bool is_fault(const char *what, const char *call, int got)
{
	size_t name = strcspn(what, ":");

	return !strncmp(call, what, name) && call[name] == '(' &&
	       got == error_of(what + name + 2);
}

#endif /* FAULTS_H */
