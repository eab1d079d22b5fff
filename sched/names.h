/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/names.h - names of policies, orders, states, causes and reasons
 *
 * Uses: types.h.
 */

/* Element @i of the @n in @name. */
static const char *fair_name_of(const char *const *name, size_t n, uint32_t i)
{
	return i < n ? name[i] : "unknown";
}

FAIRSCHED_API const char *fair_policy_name(uint32_t policy)
{
	static const char *const name[] = {
		"fcfs", "backfill", "conservative", "pc",    "dc",
		"sfs",	"relshare", "maui",	    "custom"
	};

	return fair_name_of(name, sizeof(name) / sizeof(*name), policy);
}

FAIRSCHED_API const char *fair_order_name(uint32_t order)
{
	static const char *const name[] = { "fcfs",	"sjf",	     "ljf",
					    "widest",	"narrowest", "lxf",
					    "two-term", "usage",     "key",
					    "compare" };

	return fair_name_of(name, sizeof(name) / sizeof(*name), order);
}

FAIRSCHED_API const char *fair_state_name(uint32_t state)
{
	static const char *const name[] = { "queued", "running", "ineligible" };

	return fair_name_of(name, sizeof(name) / sizeof(*name), state);
}

FAIRSCHED_API const char *fair_cause_name(uint32_t cause)
{
	static const char *const name[] = { "none",
					    "arrival",
					    "earlier",
					    "lost capacity",
					    "overrun",
					    "refused start",
					    "modified",
					    "late step",
					    "deferred",
					    "requeued",
					    "advance reservation",
					    "no slot" };

	return fair_name_of(name, sizeof(name) / sizeof(*name), cause);
}

FAIRSCHED_API const char *fair_reason_name(uint32_t reasons)
{
	static const char *const name[] = { "refused start",
					    "machine too small",
					    "too few processors",
					    "would delay",
					    "behind another job",
					    "account above target",
					    "above a limit",
					    "above a cap",
					    "nothing",
					    "ineligible",
					    "advance reservation",
					    "own advance reservation",
					    "no slot" };
	uint32_t i = 0;

	while (i < 32 && !(reasons >> i & 1))
		i++;
	return fair_name_of(name, sizeof(name) / sizeof(*name), i);
}
