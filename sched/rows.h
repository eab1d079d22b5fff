/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/rows.h - one row for each policy
 *
 * A policy is one row: a planner and its variant, perhaps a ledger, and the
 * orders that they take. fair_config_row() finds the row of a configuration;
 * fair_config_planner() and fair_config_ledgers() add the caller's own tables.
 *
 * What goes with what, as fair_sched_config_error() says; "select" is
 * FAIR_BACKFILL with a selection that is not FAIR_FIRSTFIT, "+" a ledger of the
 * caller's with this operation, and the planner of "custom" heeds ledgers:
 *
 *  order     fcfs backfill select conservative pc dc sfs relshare maui custom
 *  fcfs         x        x      x            x  x  x   x        x    x      x
 *  sjf          x        x      x            -  x  x   x        -    -      x
 *  ljf          x        x      x            -  x  x   x        -    -      x
 *  widest       x        x      x            -  x  x   x        -    -      x
 *  narrowest    x        x      x            -  x  x   x        -    -      x
 *  lxf          x        x      x            -  x  x   x        -    -      -
 *  two-term     x        x      x            -  x  x   x        -    -      x
 *  usage        x        x      -            -  x  x   x        -    -      -
 *  key          x        x      x            -  x  x   x        -    -      x
 *  compare      x        x      x            -  x  x   x        -    -      -
 *  tree         x        x      -            -  x  x   x        -    x      -
 *  dominant     x        x      -            -  x  x   x        -    -      -
 *  priority     -        -      -            -  x  x   x        -    -      -
 *  relshare     -        -      -            -  x  x   -        -    -      -
 *  + order      x        x      x            -  x  x   x        x    x      x
 *  + group      x        x      -            -  x  x   x        x    -      x
 *  + gate       x        x      -            -  -  x   x        x    -      x
 *  + veto       x        x      x            x  x  x   x        x    x      x
 *
 * Uses: afresh.h, promising.h, ledger_sfs.h, ledger_relshare.h, ledger_tree.h,
 * Uses: ledger_maui.h, ledger_limits.h.
 */

/* Orders that no policy takes, since their ledgers are left out. */
#define FAIR_ORDERS_ABSENT                                                     \
	((FAIR_HAS_USAGE ? 0U : 1U << FAIR_ORDER_USAGE |                       \
				1U << FAIR_ORDER_DOMINANT) |                   \
	 (FAIR_HAS_TREE ? 0U : 1U << FAIR_ORDER_TREE) |                        \
	 (FAIR_HAS_MAUI ? 0U : 1U << FAIR_ORDER_PRIORITY) |                    \
	 (FAIR_HAS_RELSHARE ? 0U : 1U << FAIR_ORDER_RELSHARE))

#define FAIR_ORDERS_FCFS (1U << FAIR_ORDER_FCFS)
#define FAIR_ORDERS_ALL ((2U << FAIR_ORDER_DOMINANT) - 1)
#define FAIR_ORDERS_PRIORITY (FAIR_ORDERS_ALL | 1U << FAIR_ORDER_PRIORITY)
#define FAIR_ORDERS_ANY (FAIR_ORDERS_PRIORITY | 1U << FAIR_ORDER_RELSHARE)
#define FAIR_ORDERS_STATIC                                                     \
	(FAIR_ORDERS_ALL & ~(1U << FAIR_ORDER_LXF | 1U << FAIR_ORDER_USAGE |   \
			     1U << FAIR_ORDER_COMPARE |                        \
			     1U << FAIR_ORDER_TREE |                           \
			     1U << FAIR_ORDER_DOMINANT))

#define FAIR_UNHEEDED(policy, what)					 \
	policy " heeds no " what " of config.ledger, which has one"

/* A policy that is left out: it takes no order. */
#define FAIR_ROW_ABSENT { NULL, NULL, 0, 0, false, NULL, 0, NULL }

/* Indexed by enum fair_policy. */
static const struct fair_policy_row fair_policy_rows[] = {
	{ &fair_afresh, NULL, FAIR_AFRESH_NONE, FAIR_ORDERS_ALL, false, NULL, 0,
	  NULL },
	{ &fair_afresh, NULL, FAIR_AFRESH_DEPTH, FAIR_ORDERS_ALL, true, NULL, 0,
	  NULL },
#ifndef FAIRSCHED_WITHOUT_CONSERVATIVE
	{ &fair_promising, NULL, FAIR_COMPRESS, FAIR_ORDERS_FCFS, false, NULL,
	  FAIR_HEEDS_VETO,
	  FAIR_UNHEEDED("FAIR_CONSERVATIVE", "order or gate") },
	{ &fair_promising, NULL, FAIR_COMPRESS_PRIORITIZED, FAIR_ORDERS_ANY,
	  false, NULL, FAIR_HEEDS_ORDER | FAIR_HEEDS_VETO,
	  FAIR_UNHEEDED("FAIR_PC", "gate") },
	{ &fair_promising, NULL, FAIR_COMPRESS_DELAYED, FAIR_ORDERS_ANY, false,
	  NULL, FAIR_HEEDS_ORDER | FAIR_HEEDS_GATE | FAIR_HEEDS_VETO, NULL },
#else /* FAIRSCHED_WITHOUT_CONSERVATIVE */
	FAIR_ROW_ABSENT,
	FAIR_ROW_ABSENT,
	FAIR_ROW_ABSENT,
#endif /* FAIRSCHED_WITHOUT_CONSERVATIVE */
#ifndef FAIRSCHED_WITHOUT_SFS
	{ &fair_afresh, &fair_ledger_sfs, FAIR_AFRESH_DEPTH,
	  FAIR_ORDERS_PRIORITY, false, NULL, 0, NULL },
#else /* FAIRSCHED_WITHOUT_SFS */
	FAIR_ROW_ABSENT,
#endif /* FAIRSCHED_WITHOUT_SFS */
#ifndef FAIRSCHED_WITHOUT_RELSHARE
	{ &fair_afresh, &fair_ledger_relshare, FAIR_AFRESH_DEPTH,
	  FAIR_ORDERS_FCFS, false, NULL, 0, NULL },
#else /* FAIRSCHED_WITHOUT_RELSHARE */
	FAIR_ROW_ABSENT,
#endif /* FAIRSCHED_WITHOUT_RELSHARE */
#ifndef FAIRSCHED_WITHOUT_MAUI
	{ &fair_afresh, &fair_ledger_maui, FAIR_AFRESH_ALL,
	  FAIR_ORDERS_FCFS | 1U << FAIR_ORDER_TREE, false,
	  fair_ledger_maui_fill, 0, NULL },
#else /* FAIRSCHED_WITHOUT_MAUI */
	FAIR_ROW_ABSENT,
#endif /* FAIRSCHED_WITHOUT_MAUI */
	{ NULL, NULL, 0, FAIR_ORDERS_STATIC, false, NULL, 0,
	  FAIR_UNHEEDED("the planner of FAIR_CUSTOM", "order, gate or veto") },
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

/* What a configuration asks for and this build leaves out; NULL: nothing. */
static const char *fair_config_find_absent(const struct fair_config *config)
{
	if (!fair_config_row(config)->orders)
		return "this build is without the policy";
	if (FAIR_ORDERS_ABSENT >> config->order & 1)
		return "this build is without the order";
	if (config->by_target && !FAIR_HAS_SFS)
		return "this build is without by_target";
	if (config->limits && !FAIR_HAS_LIMITS)
		return "this build is without limits";
	if (config->nodes && !FAIR_HAS_NODES)
		return "this build is without nodes";
	if (config->advances && !FAIR_HAS_ADVANCES)
		return "this build is without advance reservations";
	if (!FAIR_HAS_PROFILE && fair_config_row(config)->planner &&
	    fair_afresh_depth(config) > 1)
		return "this build is without depth above 1, and select";
	return NULL;
}

/* The ledgers of a configuration, in the order in which they are called; limits
 * come first. */
static uint32_t fair_config_ledgers(const struct fair_config *config,
				    const struct fair_ledger_ops **ops)
{
	const struct fair_ledger_ops *own = fair_config_row(config)->ledger;
	uint32_t n = 0;

#ifndef FAIRSCHED_WITHOUT_LIMITS
	if (config->limits)
		ops[n++] = &fair_ledger_limits;
#endif /* FAIRSCHED_WITHOUT_LIMITS */
#ifndef FAIRSCHED_WITHOUT_USAGE
	if (config->order == FAIR_ORDER_USAGE ||
	    config->order == FAIR_ORDER_DOMINANT)
		ops[n++] = &fair_ledger_usage;
#endif /* FAIRSCHED_WITHOUT_USAGE */
#ifndef FAIRSCHED_WITHOUT_TREE
	if (config->order == FAIR_ORDER_TREE)
		ops[n++] = &fair_ledger_tree;
#endif /* FAIRSCHED_WITHOUT_TREE */
#ifndef FAIRSCHED_WITHOUT_MAUI
	if (config->order == FAIR_ORDER_PRIORITY)
		ops[n++] = &fair_ledger_maui;
#endif /* FAIRSCHED_WITHOUT_MAUI */
#ifndef FAIRSCHED_WITHOUT_RELSHARE
	if (config->order == FAIR_ORDER_RELSHARE)
		ops[n++] = &fair_ledger_relshare;
#endif /* FAIRSCHED_WITHOUT_RELSHARE */
#ifndef FAIRSCHED_WITHOUT_SFS
	if (config->by_target)
		ops[n++] = &fair_ledger_sfs;
#endif /* FAIRSCHED_WITHOUT_SFS */
	if (own)
		ops[n++] = own;
	if (config->ledger)
		ops[n++] = config->ledger;
	return n;
}

/* The last of them with an order; NULL: none. */
static const struct fair_ledger_ops *
fair_config_orderer(const struct fair_config *config)
{
	const struct fair_ledger_ops *ops[FAIR_LEDGERS];
	uint32_t n = fair_config_ledgers(config, ops);

	while (n--)
		if (ops[n]->order)
			return ops[n];
	return NULL;
}

/* How many entities of a kind there is room for; 0: none are counted. */
static uint32_t fair_config_entities(const struct fair_config *config,
				     uint32_t kind)
{
	const struct fair_ledger_ops *ops[FAIR_LEDGERS];
	uint32_t n = fair_config_ledgers(config, ops), i;

	for (i = 0; i < n; i++)
		if (ops[i]->entities)
			return ops[i]->entities(config, kind);
	if (kind == (config->by_group ? FAIR_ENTITY_GROUP : FAIR_ENTITY_USER))
		return config->users;
	return kind == FAIR_ENTITY_ACCOUNT ? config->accounts : 0;
}

/* How many ids of each kind there is room for. */
static struct fair_ids_rooms fair_config_ids(const struct fair_config *config)
{
	struct fair_ids_rooms rooms;
	uint32_t kind;

	for (kind = 0; kind < FAIR_ENTITY_KINDS; kind++) {
		rooms.of[kind] = fair_config_entities(config, kind);
		if (!rooms.of[kind])
			rooms.of[kind] = config->ids;
	}
	return rooms;
}
