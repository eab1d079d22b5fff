/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error of a configuration that fairsched.h documents: not a byte changes.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/plain_ledger.h"
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

/* The field may be that, wherever there is as much memory. */
#define MAY(field, value)                                         \
	do {                                                      \
		struct fair_config c = config_of(FAIR_FCFS);      \
                                                                  \
		c.field = (value);                                \
		TEST_CHECK(!fair_config_find_fault(&c));          \
	} while (0)

TEST(the_largest_configs)
{
	MAY(jobs, UINT32_MAX / 4);
	MAY(ids, 1U << 28);
	MAY(credits, 1U << 20);
	MAY(task_limits, 1U << 20);
	MAY(dependencies, 1U << 16);
	YES(FAIR_FCFS, 0, dependencies, 1000);
}

/* A quarter of all addresses, for it alone. */
static size_t a_quarter(const struct fair_config *config)
{
	(void)config;
	return SIZE_MAX / 4;
}

static uint32_t one_group(const struct fair_sched *s, const void *ledger,
			  uint32_t slot)
{
	(void)s;
	(void)ledger;
	(void)slot;
	return 0;
}

/* The ledger of limits finds nothing wrong, and that of the order does. */
TEST(what_one_of_two_ledgers_finds)
{
	struct fair_config c = config_of(FAIR_BACKFILL);

	c.limits = 1;
	c.order = FAIR_ORDER_USAGE;
	TEST_CHECK(!fair_sched_config_error(&c));
	c.half_life = -1;
	TEST_CHECK(fair_sched_config_error(&c));
}

TEST(too_large_a_ledger)
{
	struct fair_ledger_ops large = { .name = "large",
					 .size = plain_size,
					 .init = plain_init,
					 .clone = plain_clone };
	struct fair_config c = config_of(FAIR_FCFS);

	c.ledger = &large;
	TEST_CHECK(fair_sched_size(&c) > 0);
	large.size = a_quarter;
	TEST_EQ(fair_sched_size(&c), 0);
	TEST_CHECK(strstr(fair_sched_config_error(&c), "memory"));
}

static size_t odd_size(const struct fair_config *config)
{
	(void)config;
	return 24;
}

static int fill(struct fair_sched *s, void *ledger)
{
	(void)s;
	memset(ledger, 0x5a, odd_size(NULL));
	return 0;
}

/* The last of all states ends within the memory, wherever that begins. */
TEST(the_end_of_the_memory)
{
	const struct fair_ledger_ops full = { .name = "full",
					      .size = odd_size,
					      .init = fill,
					      .clone = plain_clone };
	struct fair_config c = config_of(FAIR_BACKFILL);
	size_t bytes, i;
	struct fair_sched s;
	char *memory;

	c.order = FAIR_ORDER_USAGE;
	c.limits = 1;
	c.ids = 2;
	c.ledger = &full;
	bytes = fair_sched_size(&c);
	TEST_REQUIRE(bytes);
	memory = (char *)malloc(bytes + 16);
	for (i = 0; i < 8; i++) {
		memset(memory, 7, bytes + 16);
		TEST_OK(fair_sched_init(&s, sizeof(s), memory + i, bytes, &c));
		TEST_EQ(memory[i + bytes], 7);
	}
	free(memory);
}

/* Groups that order nothing: no policy needs to heed them. */
TEST(groups_of_no_order)
{
	const struct fair_ledger_ops groups = { .name = "groups",
						.size = plain_size,
						.init = plain_init,
						.clone = plain_clone,
						.group = one_group };
	struct fair_config c = config_of(FAIR_BACKFILL);

	c.ledger = &groups;
	c.select = FAIR_GREEDY;
	c.users = 0;
	TEST_CHECK(!fair_sched_config_error(&c));
}

TEST(configs)
{
	struct fair_maui_config m = *limits();

	NO(FAIR_FCFS, 0, policy, FAIR_MAUI + 1);
	NO(FAIR_FCFS, 0, order, FAIR_ORDER_RELSHARE + 1);
	NO(FAIR_FCFS, 0, order, 32);
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
