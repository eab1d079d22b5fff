/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error of a configuration that fairsched.h documents: not a byte changes.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/scene.h"

/* One that is good, but for @field. */
#define NO(policy_, order_, field, value)                         \
	do {                                                      \
		struct fair_config c = config_of(policy_);        \
                                                                  \
		c.order = (order_);                               \
		c.key = key_of;                                   \
		c.compare = as_equals;                            \
		TEST_CHECK(fair_sched_size(&c) > 0);              \
		c.field = (value);                                \
		no_config(&c);                                    \
	} while (0)

/* As much as can be. */
#define YES(policy_, order_, field, value)                        \
	do {                                                      \
		struct fair_config c = config_of(policy_);        \
                                                                  \
		c.order = (order_);                               \
		c.field = (value);                                \
		TEST_CHECK(fair_sched_size(&c) > 0);              \
	} while (0)

/* No scheduler is as @c says. */
static void no_config(const struct fair_config *c)
{
	const struct fair_config good = config_of(FAIR_FCFS);
	static char room[1 << 16], kept[1];
	static struct world w;

	if (c)
		w.config = *c;
	TEST_EQ(fair_sched_size(c), 0);
	TEST_EQ(fair_sched_fst_size(c), 0);
	TEST_EQ(fair_sched_forecast_size(c, 1), 0);
	TEST_EQ(fair_sched_whatif_size(c, c), 0);
	TEST_EQ(fair_sched_whatif_size(&good, c), 0);
	TEST_EQ(fair_sched_whatif_size(c, &good), 0);
	memset(&w.s, 0x5a, sizeof(w.s));
	w.was = w.s;
	w.memory = w.kept = kept;
	FAULT(&w, fair_sched_init(&w.s, sizeof(w.s), room, sizeof(room), c),
	      EINVAL, "no such config");
}

TEST(limits_of_configs)
{
	struct fair_maui_config m = *limits();

	YES(FAIR_FCFS, 0, procs, 1);
	YES(FAIR_FCFS, 0, ineligible, JOBS);
	YES(FAIR_FCFS, 0, advances, 1 << 20);
	YES(FAIR_FCFS, 0, origin, FAIR_TIME_MAX);
	YES(FAIR_FCFS, 0, origin, -FAIR_TIME_MAX);
	YES(FAIR_BACKFILL, 0, select, FAIR_NOFIT);
	YES(FAIR_BACKFILL, 0, metric, FAIR_FIT_PROC_SECONDS);
	YES(FAIR_BACKFILL, FAIR_ORDER_TWO_TERM, weight, 0);
	YES(FAIR_BACKFILL, FAIR_ORDER_TWO_TERM, weight, FAIR_WEIGHT_MAX);
	YES(FAIR_BACKFILL, FAIR_ORDER_USAGE, half_life, FAIR_USAGE_HALF_LIFE);
	YES(FAIR_PC, 0, order, FAIR_ORDER_TWO_TERM);
	YES(FAIR_PC, 0, order, FAIR_ORDER_LXF);
	YES(FAIR_DC, 0, order, FAIR_ORDER_RELSHARE);
	YES(FAIR_RELSHARE, 0, depth, 1);
	YES(FAIR_RELSHARE, 0, window, 1);
	YES(FAIR_RELSHARE, 0, window_origin, -((int64_t)1 << 62));
	m.select = FAIR_NOFIT;
	m.metric = FAIR_FIT_PROC_SECONDS;
	m.reservations = FAIR_MAUI_NEVER;
	YES(FAIR_MAUI, 0, maui, &m);
}

TEST(configs)
{
	struct fair_maui_config m = *limits();

	NO(FAIR_FCFS, 0, policy, FAIR_MAUI + 1);
	NO(FAIR_FCFS, 0, order, FAIR_ORDER_RELSHARE + 1);
	NO(FAIR_FCFS, 0, procs, 0);
	NO(FAIR_FCFS, 0, jobs, 0);
	NO(FAIR_FCFS, 0, jobs, UINT32_MAX / 4 + 1);
	NO(FAIR_FCFS, 0, ineligible, JOBS + 1);
	NO(FAIR_FCFS, 0, advances, (1 << 20) + 1);
	NO(FAIR_FCFS, 0, origin, FAIR_TIME_MAX + 1);
	NO(FAIR_FCFS, 0, origin, -FAIR_TIME_MAX - 1);
	NO(FAIR_FCFS, 0, select, FAIR_GREEDY);
	NO(FAIR_BACKFILL, 0, select, FAIR_NOFIT + 1);
	NO(FAIR_BACKFILL, 0, metric, FAIR_FIT_PROC_SECONDS + 1);
	NO(FAIR_BACKFILL, FAIR_ORDER_KEY, key, NULL);
	NO(FAIR_BACKFILL, FAIR_ORDER_COMPARE, compare, NULL);
	NO(FAIR_BACKFILL, FAIR_ORDER_TWO_TERM, weight, -1);
	NO(FAIR_BACKFILL, FAIR_ORDER_TWO_TERM, weight, FAIR_WEIGHT_MAX + 1);
	NO(FAIR_BACKFILL, FAIR_ORDER_USAGE, select, FAIR_GREEDY);
	NO(FAIR_BACKFILL, FAIR_ORDER_USAGE, users, 0);
	NO(FAIR_BACKFILL, FAIR_ORDER_USAGE, half_life, -1);
	NO(FAIR_BACKFILL, FAIR_ORDER_USAGE, half_life,
	   FAIR_USAGE_HALF_LIFE + 1);
	NO(FAIR_CONSERVATIVE, 0, order, FAIR_ORDER_SJF);
	NO(FAIR_CONSERVATIVE, 0, order, FAIR_ORDER_USAGE);
	NO(FAIR_BACKFILL, 0, order, FAIR_ORDER_RELSHARE);
	NO(FAIR_PC, FAIR_ORDER_RELSHARE, window, 0);
	NO(FAIR_SFS, 0, accounts, 0);
	NO(FAIR_RELSHARE, 0, order, FAIR_ORDER_SJF);
	NO(FAIR_RELSHARE, 0, depth, 2);
	NO(FAIR_RELSHARE, 0, users, 0);
	NO(FAIR_RELSHARE, 0, window, 0);
	NO(FAIR_RELSHARE, 0, window_origin, ((int64_t)1 << 62) + 1);
	NO(FAIR_RELSHARE, 0, window_origin, -((int64_t)1 << 62) - 1);
	NO(FAIR_MAUI, 0, order, FAIR_ORDER_SJF);
	NO(FAIR_MAUI, 0, maui, NULL);
	m.select = FAIR_NOFIT + 1;
	NO(FAIR_MAUI, 0, maui, &m);
	m.select = 0;
	m.metric = FAIR_FIT_PROC_SECONDS + 1;
	NO(FAIR_MAUI, 0, maui, &m);
	m.metric = 0;
	m.reservations = FAIR_MAUI_NEVER + 1;
	NO(FAIR_MAUI, 0, maui, &m);
	no_config(NULL);
}
