/* SPDX-License-Identifier: MIT OR Unlicense */
#include "rules.h"

const char *const policy_names[] = { "fcfs", "easy", "depth", "conservative",
				     "pc",   "dc",   NULL };

const char *const order_names[] = { "fcfs",	 "sjf", "ljf", "widest",
				    "narrowest", "lxf", NULL };

static const enum fair_policy library_policy[] = {
	FAIR_FCFS,	   FAIR_BACKFILL, FAIR_BACKFILL,
	FAIR_CONSERVATIVE, FAIR_PC,	  FAIR_DC,
};

const char *rules_make(struct sim_rules *rules, int policy,
		       const struct rules_args *args)
{
	int order = args->order;
	int64_t depth = args->depth;

	if (depth && policy != RULES_DEPTH)
		return "--depth is for policy depth";
	if (policy == RULES_CONSERVATIVE && order != FAIR_ORDER_FCFS)
		return "conservative takes no --order but fcfs";
	if ((policy == RULES_PC || policy == RULES_DC) &&
	    order == FAIR_ORDER_LXF)
		return "pc and dc take no --order that changes with time";
	rules->policy = library_policy[policy];
	rules->order = (uint32_t)order;
	rules->depth = depth ? (uint32_t)depth : 1;
	return NULL;
}
