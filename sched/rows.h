/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/rows.h - one row for each policy
 *
 * A policy is one row: a planner and its variant, perhaps a ledger, and the
 * orders that they take. fair_config_row() finds the row of a configuration;
 * fair_config_planner() and fair_config_ledgers() add the caller's own tables.
 *
 * Uses: afresh.h, promising.h, ledger_tree.h, ledger_dominant.h, ledger_maui.h.
 */

#define FAIR_ORDERS_FCFS (1U << FAIR_ORDER_FCFS)
#define FAIR_ORDERS_ALL ((2U << FAIR_ORDER_DOMINANT) - 1)
#define FAIR_ORDERS_STATIC                                                     \
	(FAIR_ORDERS_ALL & ~(1U << FAIR_ORDER_LXF | 1U << FAIR_ORDER_USAGE |   \
			     1U << FAIR_ORDER_COMPARE |                        \
			     1U << FAIR_ORDER_TREE |                           \
			     1U << FAIR_ORDER_DOMINANT))

/* Indexed by enum fair_policy. */
static const struct fair_policy_row fair_policy_rows[] = {
	{ &fair_afresh, NULL, FAIR_AFRESH_NONE, FAIR_ORDERS_ALL, false },
	{ &fair_afresh, NULL, FAIR_AFRESH_DEPTH, FAIR_ORDERS_ALL, true },
	{ &fair_promising, NULL, FAIR_COMPRESS, FAIR_ORDERS_FCFS, false },
	{ &fair_promising, NULL, FAIR_COMPRESS_PRIORITIZED, FAIR_ORDERS_STATIC,
	  false },
	{ &fair_promising, NULL, FAIR_COMPRESS_DELAYED, FAIR_ORDERS_STATIC,
	  false },
	{ &fair_afresh, &fair_ledger_sfs, FAIR_AFRESH_DEPTH,
	  FAIR_ORDERS_ALL | 1U << FAIR_ORDER_PRIORITY, false },
	{ &fair_afresh, &fair_ledger_relshare, FAIR_AFRESH_DEPTH,
	  FAIR_ORDERS_FCFS, false },
	{ &fair_afresh, &fair_ledger_maui, FAIR_AFRESH_ALL,
	  FAIR_ORDERS_FCFS | 1U << FAIR_ORDER_TREE, false },
	{ NULL, NULL, 0, FAIR_ORDERS_STATIC, false },
};

static const struct fair_policy_row *
fair_config_row(const struct fair_config *config)
{
	return fair_policy_rows + config->policy;
}

static const struct fair_planner_ops *
fair_config_planner(const struct fair_config *config)
{
	const struct fair_planner_ops *planner =
		fair_config_row(config)->planner;

	return planner ? planner : config->planner;
}

/* The ledgers of a configuration, in the order in which they are called. */
static uint32_t fair_config_ledgers(const struct fair_config *config,
				    const struct fair_ledger_ops **ops)
{
	const struct fair_ledger_ops *own = fair_config_row(config)->ledger;
	uint32_t n = 0;

	if (config->order == FAIR_ORDER_USAGE)
		ops[n++] = &fair_ledger_usage;
	if (config->order == FAIR_ORDER_TREE)
		ops[n++] = &fair_ledger_tree;
	if (config->order == FAIR_ORDER_DOMINANT)
		ops[n++] = &fair_ledger_dominant;
	if (config->order == FAIR_ORDER_PRIORITY)
		ops[n++] = &fair_ledger_maui;
	if (own)
		ops[n++] = own;
	if (config->ledger)
		ops[n++] = config->ledger;
	return n;
}
