/* SPDX-License-Identifier: MIT OR Unlicense */
#include "rules.h"

#include <string.h>

#define DAY 86400

const char *const policy_names[] = { "fcfs", "easy",	 "depth", "conservative",
				     "pc",   "dc",	 "relshare", NULL };

const char *const order_names[] = { "fcfs",	 "sjf", "ljf", "widest",
				    "narrowest", "lxf", NULL };

static const enum fair_policy library_policy[] = {
	FAIR_FCFS, FAIR_BACKFILL, FAIR_BACKFILL, FAIR_CONSERVATIVE,
	FAIR_PC,   FAIR_DC,	  FAIR_RELSHARE,
};

const char *rules_make(struct sim_rules *rules, int policy,
		       const struct rules_args *args)
{
	int order = args->order;

	if (policy == RULES_CONSERVATIVE && order != FAIR_ORDER_FCFS)
		return "conservative takes no --order but fcfs";
	if (policy == RULES_RELSHARE && order != FAIR_ORDER_FCFS)
		return "relshare orders by itself: no --order";
	if ((policy == RULES_PC || policy == RULES_DC) &&
	    order == FAIR_ORDER_LXF)
		return "pc and dc take no --order that changes with time";
	memset(rules, 0, sizeof(*rules));
	rules->policy = library_policy[policy];
	rules->order = (uint32_t)order;
	rules->depth = policy == RULES_DEPTH && args->depth
			       ? (uint32_t)args->depth
			       : 1;
	rules->window = args->window ? args->window : DAY;
	rules->only_used = args->no_expected;
	return NULL;
}

const char *rules_idle(const struct rules_args *args, uint32_t policies)
{
	if (args->depth && !(policies >> RULES_DEPTH & 1))
		return "--depth is for policy depth";
	if (policies >> RULES_RELSHARE & 1)
		return NULL;
	if (args->window)
		return "--window is for policy relshare";
	if (args->no_expected)
		return "--no-expected is for policy relshare";
	return args->shares ? "--shares is for policy relshare" : NULL;
}

int rules_open(struct rules_files *files, const struct rules_args *args)
{
	if (args->shares && shares_read(&files->shares, args->shares))
		return input_error("%s", files->shares.error);
	return 0;
}

void rules_close(struct rules_files *files)
{
	shares_free(&files->shares);
}
