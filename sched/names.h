/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/names.h - names of policies, orders, states, causes, reasons and errors
 *
 * And the numbers of names, for callers in other languages.
 *
 * Uses: types.h.
 */

/* Element @i of the @n in @name. */
static const char *fair_name_of(const char *const *name, size_t n, uint32_t i)
{
	return i < n ? name[i] : "unknown";
}

static bool fair_name_is(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* The first number below @n whose name is @name. */
static int fair_number_of(const char *(*name_of)(uint32_t), uint32_t n,
			  const char *name)
{
	uint32_t i;

	for (i = 0; name && i < n; i++)
		if (fair_name_is(name_of(i), name))
			return (int)i;
	return name ? -FAIR_ENOENT : -FAIR_EINVAL;
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
					    "compare",	"tree",
					    "dominant", "priority",
					    "relshare" };

	return fair_name_of(name, sizeof(name) / sizeof(*name), order);
}

FAIRSCHED_API const char *fair_state_name(uint32_t state)
{
	static const char *const name[] = { "queued", "running", "ineligible",
					    "displaced" };

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
					    "no slot",
					    "suspended",
					    "limit" };

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
					    "no slot",
					    "too little of a resource",
					    "behind in the tree",
					    "suspended",
					    "veto of a ledger",
					    "no room on nodes",
					    "beyond a budget" };
	uint32_t i = 0;

	while (i < 32 && !(reasons >> i & 1))
		i++;
	return fair_name_of(name, sizeof(name) / sizeof(*name), i);
}

FAIRSCHED_API int fair_policy_by_name(const char *name)
{
	return fair_number_of(fair_policy_name, FAIR_CUSTOM + 1, name);
}

FAIRSCHED_API int fair_order_by_name(const char *name)
{
	return fair_number_of(fair_order_name, FAIR_ORDER_RELSHARE + 1,
			      name);
}

FAIRSCHED_API int fair_state_by_name(const char *name)
{
	return fair_number_of(fair_state_name, FAIR_DISPLACED + 1, name);
}

FAIRSCHED_API int fair_cause_by_name(const char *name)
{
	return fair_number_of(fair_cause_name, FAIR_CAUSE_LIMIT + 1, name);
}

static const char *fair_reason_bit_name(uint32_t bit)
{
	return fair_reason_name((uint32_t)1 << bit);
}

FAIRSCHED_API int fair_reason_by_name(const char *name)
{
	int bit = fair_number_of(fair_reason_bit_name, 31, name);

	if (bit < 0)
		return bit;
	/* No reason is the name of those that do not exist. */
	return FAIR_WHY_BUDGET >> bit ? 1 << bit : -FAIR_ENOENT;
}

FAIRSCHED_API const char *fair_version(void)
{
	static const char version[] = { '0' + FAIRSCHED_VERSION / 100,
					'.',
					'0' + FAIRSCHED_VERSION / 10 % 10,
					'.',
					'0' + FAIRSCHED_VERSION % 10,
					0 };

	return version;
}

FAIRSCHED_API size_t fair_sched_struct_size(void)
{
	return sizeof(struct fair_sched);
}

FAIRSCHED_API const char *fair_strerror(int error)
{
	switch (error > 0 ? -error : error) {
	case 0:
		return "no error";
	case -FAIR_ENOMEM:
		return "the memory is smaller than the size function says";
	case -FAIR_EINVAL:
		return "an argument is not valid";
	case -FAIR_ENOENT:
		return "there is no job, advance reservation, user or account"
		       " of this number";
	case -FAIR_ETIME:
		return "the time is before the present: time never goes back";
	case -FAIR_ENOSPC:
		return "there is no room: the configuration or the buffer"
		       " holds no more";
	case -FAIR_ERANGE:
		return "more processors are asked for than the machine, the"
		       " advance reservation or a limit allows";
	case -FAIR_EOVERFLOW:
		return "a number is too large, or a walltime exceeds 2^34 s,"
		       " its advance reservation or the horizon";
	default:
		return "unknown error";
	}
}
