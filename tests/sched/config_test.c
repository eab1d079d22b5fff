/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A configuration that no scheduler can follow is refused at once; what
 * another policy or order alone would read may be anything.
 */
#include "fairsched.h"
#include "tests/site.h"
#include "tests/world.h"

/* What only other policies and orders ask for may be anything. */
TEST(fields_of_other_policies_are_not_read)
{
	struct fair_job j = a_job(1, 0, 10, 10);
	struct world w;
	struct fair_config config = { .policy = FAIR_BACKFILL,
				      .window = INT64_MAX };

	open_world_of(&w, &config);
	j.penalty = -1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), 0);
	TEST_EQ(fair_sched_capacity(&w.s, 0, 1, NULL, 0), 0);
	close_world(&w);
}

TEST(bad_targets_and_shares)
{
	static const int64_t target[3] = { 2, -1, 8 };
	static const uint32_t share[3] = { 1, UINT32_MAX, 3 };
	struct fair_config c;
	struct fair_sched s, was;
	void *memory;

	memset(&s, 0x5a, sizeof(s));
	was = s;
	for (c = shared(FAIR_SFS); c.policy; c = shared(FAIR_RELSHARE)) {
		c.target = target;
		c.share = share;
		memory = malloc(fair_sched_size(&c));
		TEST_REQUIRE(memory);
		TEST_EQ(fair_sched_init(&s, sizeof(s), memory,
					fair_sched_size(&c), &c),
			-FAIR_EINVAL);
		TEST_CHECK(!memcmp(&s, &was, sizeof(s)));
		free(memory);
		if (c.policy == FAIR_RELSHARE)
			break;
	}
}

/* What the caller gave for the beginning may be gone after that. */
TEST(configuration_is_read_once)
{
	const int64_t target = 5;
	const uint32_t share[2] = { 1, 1 };
	static unsigned char room[4096];
	struct fair_fairtree tree;
	struct fair_sched copy;
	struct site x;

	open_site(&x, FAIR_MAUI, 10);
	memset(&x.maui, 0xff, sizeof(x.maui));
	memset(x.user, 0xff, sizeof(x.user));
	enqueue(&x.s, 1, 10, 10);
	TEST_EQ(fair_sched_clone(&copy, x.other, x.more, &x.s), 0);
	TEST_EQ(started(&copy, 0), 1);
	close_site(&x);
	open_site(&x, FAIR_SFS, 10);
	x.config.target = &target;
	x.config.share = share;
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config));
	TEST_CHECK(!x.s.config.target && !x.s.config.share);
	close_site(&x);
	open_site(&x, FAIR_RELSHARE, 10);
	x.config.tree = &tree;
	x.config.half_life = 1;
	TEST_OK(fair_fairtree_init(&tree, sizeof(tree), room, sizeof(room), 2,
				   1));
	TEST_OK(fair_fairtree_add_user(&tree, 0, FAIR_FAIRTREE_ROOT, 1));
	TEST_OK(fair_fairtree_add_user(&tree, 1, FAIR_FAIRTREE_ROOT, 1));
	TEST_OK(fair_sched_init(&x.s, sizeof(x.s), x.memory, x.bytes,
				&x.config));
	TEST_CHECK(!x.s.config.tree);
	close_site(&x);
}

/* Each error says which field it is about. */
static void wrong(struct fair_config c, const char *field)
{
	const char *error;

	c.procs += !c.procs;
	c.jobs = c.jobs ? c.jobs : 4;
	error = fair_sched_config_error(&c);
	TEST_REQUIRE(error);
	TEST_CHECK(strstr(error, field));
	TEST_EQ(fair_sched_size(&c), 0);
}

#define WRONG(field, ...) wrong((struct fair_config){ __VA_ARGS__ }, field)

TEST(what_is_wrong)
{
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_config good = { .procs = 1, .jobs = 4 };
	struct fair_config latest = { .policy = FAIR_RELSHARE,
				      .procs = 1,
				      .jobs = 4,
				      .users = 1,
				      .window = 1,
				      .window_origin = INT64_C(1) << 62 };
	struct fair_config most = { .procs = 1,
				    .jobs = 4,
				    .order = FAIR_ORDER_TREE,
				    .users = FAIR_FAIRTREE_NODES,
				    .half_life = 1 };
	uint32_t policy;

	TEST_CHECK(!fair_sched_config_error(&good));
	TEST_CHECK(!fair_sched_config_error(&latest));
	latest.window_origin = -(INT64_C(1) << 62);
	TEST_CHECK(!fair_sched_config_error(&latest));
	if (sizeof(size_t) > 4)
		TEST_CHECK(!fair_sched_config_error(&most));
	for (policy = FAIR_FCFS; policy <= FAIR_CUSTOM; policy++)
		if (policy != FAIR_BACKFILL)
			WRONG("FAIR_BACKFILL", .policy = policy, .accounts = 1,
			      .users = 1, .window = 1, .maui = &maui,
			      .select = FAIR_BESTFIT);
	TEST_CHECK(fair_sched_config_error(NULL));
	WRONG("policy", .policy = FAIR_CUSTOM + 1);
	WRONG("planner", .policy = FAIR_CUSTOM);
	WRONG("enum fair_order", .order = FAIR_ORDER_RELSHARE + 1);
	WRONG("this order", .policy = FAIR_CONSERVATIVE, .order = FAIR_ORDER_LXF);
	WRONG("procs", .procs = -1);
	WRONG("jobs", .jobs = UINT32_MAX);
	WRONG("ineligible", .ineligible = 5);
	WRONG("advances", .advances = (1U << 20) + 1);
	WRONG("ids", .ids = (1U << 28) + 1);
	WRONG("credits", .credits = (1U << 20) + 1);
	WRONG("task_limits", .task_limits = (1U << 20) + 1);
	WRONG("dependencies", .dependencies = (1U << 16) + 1);
	WRONG("origin", .origin = INT64_MIN);
	WRONG("origin", .origin = INT64_MAX);
	WRONG("select", .policy = FAIR_BACKFILL, .select = FAIR_NOFIT + 1);
	WRONG("metric", .metric = FAIR_FIT_PROC_SECONDS + 1);
	WRONG("FAIR_BACKFILL", .select = FAIR_BESTFIT);
	WRONG("weight", .order = FAIR_ORDER_TWO_TERM, .weight = -1);
	WRONG("weight", .order = FAIR_ORDER_TWO_TERM, .weight = INT64_MAX);
	WRONG("needs key", .order = FAIR_ORDER_KEY);
	WRONG("needs compare", .order = FAIR_ORDER_COMPARE);
	WRONG("users", .order = FAIR_ORDER_USAGE);
	WRONG("half_life", .order = FAIR_ORDER_USAGE, .users = 1,
	      .half_life = -1);
	WRONG("half_life", .order = FAIR_ORDER_USAGE, .users = 1,
	      .half_life = INT64_MAX);
	WRONG("FAIR_FIRSTFIT", .policy = FAIR_BACKFILL, .users = 1,
	      .order = FAIR_ORDER_USAGE, .select = FAIR_BESTFIT);
	WRONG("users", .order = FAIR_ORDER_TREE, .half_life = 1);
	WRONG("users", .order = FAIR_ORDER_TREE, .half_life = 1,
	      .users = FAIR_FAIRTREE_NODES + 1);
	WRONG("half_life", .order = FAIR_ORDER_TREE, .users = 1);
	WRONG("half_life", .order = FAIR_ORDER_TREE, .users = 1,
	      .half_life = FAIR_USAGE_HALF_LIFE + 1);
	WRONG("origin", .order = FAIR_ORDER_TREE, .users = 1, .half_life = 1,
	      .origin = -1);
	WRONG("FAIR_FIRSTFIT", .policy = FAIR_BACKFILL, .users = 1,
	      .half_life = 1, .order = FAIR_ORDER_TREE,
	      .select = FAIR_BESTFIT);
	WRONG("ids", .order = FAIR_ORDER_TREE, .users = 1, .half_life = 1,
	      .ids = 1);
	WRONG("this order", .policy = FAIR_CONSERVATIVE, .order = FAIR_ORDER_TREE);
	WRONG("accounts", .policy = FAIR_SFS);
	WRONG("this order", .order = FAIR_ORDER_PRIORITY);
	WRONG("this order", .policy = FAIR_MAUI, .order = FAIR_ORDER_PRIORITY,
	      .maui = &maui);
	WRONG("needs maui", .policy = FAIR_SFS, .accounts = 1,
	      .order = FAIR_ORDER_PRIORITY);
	WRONG("patience", .policy = FAIR_FCFS,
	      .patience = FAIR_PATIENCE_NONE - 1);
	WRONG("depth", .policy = FAIR_RELSHARE, .depth = 2);
	WRONG("users", .policy = FAIR_RELSHARE);
	WRONG("window", .policy = FAIR_RELSHARE, .users = 1);
	WRONG("window is above", .policy = FAIR_RELSHARE, .users = 1,
	      .decays = true, .window = FAIR_RELSHARE_HALF_LIFE + 1);
	WRONG("needs maui", .policy = FAIR_MAUI);
	maui.select = FAIR_NOFIT + 1;
	WRONG("maui->select", .policy = FAIR_MAUI, .maui = &maui);
	maui = fair_maui_defaults();
	maui.metric = FAIR_FIT_PROC_SECONDS + 1;
	WRONG("maui->metric", .policy = FAIR_MAUI, .maui = &maui);
	maui = fair_maui_defaults();
	maui.reservations = FAIR_MAUI_NEVER + 1;
	WRONG("maui->reservations", .policy = FAIR_MAUI, .maui = &maui);
	maui = fair_maui_defaults();
	maui.poll = -1;
	WRONG("poll", .policy = FAIR_MAUI, .maui = &maui);
	WRONG("procs * window", .policy = FAIR_RELSHARE, .users = 1,
	      .procs = 3, .window = INT64_C(1) << 58);
	WRONG("memory", .order = FAIR_ORDER_USAGE, .users = UINT32_MAX);
	WRONG("memory", .policy = FAIR_RELSHARE, .users = UINT32_MAX,
	      .window = 1);
}

TEST(names)
{
	TEST_CHECK(!strcmp(fair_policy_name(FAIR_CUSTOM), "custom"));
	TEST_CHECK(!strcmp(fair_policy_name(FAIR_CUSTOM + 1), "unknown"));
	TEST_CHECK(!strcmp(fair_order_name(FAIR_ORDER_COMPARE), "compare"));
	TEST_CHECK(!strcmp(fair_order_name(FAIR_ORDER_TREE), "tree"));
	TEST_CHECK(!strcmp(fair_reason_name(FAIR_WHY_TREE),
			   "behind in the tree"));
	TEST_CHECK(!strcmp(fair_state_name(FAIR_INELIGIBLE), "ineligible"));
	TEST_CHECK(!strcmp(fair_cause_name(FAIR_CAUSE_NO_SLOT), "no slot"));
	TEST_CHECK(!strcmp(fair_reason_name(FAIR_WHY_NO_SLOT), "no slot"));
	TEST_CHECK(!strcmp(fair_reason_name(6), "machine too small"));
	TEST_CHECK(!strcmp(fair_reason_name(0), "unknown"));
}

/* All are cancelled on the way; the counts say how many are left. */
TEST(cancelled_on_the_way)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	uint32_t policy, state;
	struct site x;

	for (policy = 0; policy <= FAIR_DC; policy++) {
		open_site(&x, policy, 10);
		enqueue(&x.s, 1, 10, 10);
		enqueue(&x.s, 2, 10, 10);
		enqueue(&x.s, 3, 5, 10);
		TEST_EQ(started(&x.s, 0), 1);
		TEST_EQ(fair_sched_count(&x.s, FAIR_QUEUED), 2);
		TEST_EQ(fair_sched_count(&x.s, FAIR_RUNNING), 1);
		for (state = 0; state <= FAIR_INELIGIBLE; state++) {
			memset(&at, 0, sizeof(at));
			while (fair_sched_each(&x.s, state, &at, &j)) {
				TEST_OK(fair_sched_cancel(&x.s, 1,
							  j.job.number));
				memset(&at, 0, sizeof(at));
			}
			TEST_EQ(fair_sched_count(&x.s, state), 0);
		}
		close_site(&x);
	}
}
