/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that the events of users, accounts and so on document changes
 * nothing.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/leaf_faults.h"

#define USER FAIR_ENTITY_USER
#define LATER ((INT64_C(1) << 60) + 1)

static struct fair_sched s;
static char bytes[1 << 17];

/* Users 7, which has a job, and 8; of @policy, at second 5. */
static void begin(uint32_t policy, uint32_t order,
		  const struct fair_maui_config *maui)
{
	struct fair_config c;
	struct fair_job j;

	memset(&c, 0, sizeof(c));
	memset(&j, 0, sizeof(j));
	c.policy = policy;
	c.order = order;
	c.procs = 4;
	c.jobs = 4;
	c.users = c.accounts = 2;
	c.ids = 2;
	c.half_life = 100;
	c.window = 100;
	c.maui = maui;
	TEST_OK(fair_sched_init(&s, sizeof(s), bytes, sizeof(bytes), &c));
	TEST_OK(fair_sched_add_entity(&s, 5, USER, 7));
	TEST_OK(fair_sched_add_entity(&s, 5, USER, 8));
	j.number = 1;
	j.procs = 1;
	j.walltime = 10;
	j.user = 7;
	if (policy != FAIR_SFS)
		TEST_OK(fair_sched_submit(&s, 5, &j));
	keep(&s, sizeof(s));
	keep(bytes, sizeof(bytes));
}

TEST(joining_and_leaving)
{
	begin(FAIR_BACKFILL, FAIR_ORDER_USAGE, NULL);
	FAULT(fair_sched_add_entity(&s, 4, USER, 9),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_add_entity(&s, LATER, USER, 9), EINVAL, "out of time");
	FAULT(fair_sched_add_entity(&s, 6, FAIR_ENTITY_KINDS, 9),
	      EINVAL, "no kind");
	FAULT(fair_sched_add_entity(&s, 6, USER, 7), EINVAL, "it exists");
	FAULT(fair_sched_add_entity(&s, 6, USER, FAIR_NO_ENTITY),
	      EINVAL, "reserved");
	FAULT(fair_sched_add_entity(&s, 6, USER, 9), ENOSPC, "one too many");
	FAULT(fair_sched_remove_entity(&s, 4, USER, 8),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_remove_entity(&s, 6, USER, 7), EINVAL, "it has a job");
	FAULT(fair_sched_remove_entity(&s, 6, FAIR_ENTITY_KINDS, 7),
	      EINVAL, "no kind");
	FAULT(fair_sched_remove_entity(&s, 6, USER, 9), ENOENT, "no such user");
	forget();
}

static void common(void)
{
	struct fair_entity e;

	memset(&e, FILL, sizeof(e));
	keep(&e, sizeof(e));
	FAULT(fair_sched_set_usage(&s, 4, USER, 7, 1),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_set_usage(&s, 6, FAIR_ENTITY_KINDS, 7, 1),
	      EINVAL, "no kind");
	FAULT(fair_sched_set_usage(&s, 6, USER, 9, 1), ENOENT, "no such user");
	FAULT(fair_sched_set_share(&s, 4, USER, 7, 1),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_set_share(&s, 6, FAIR_ENTITY_KINDS, 7, 1),
	      EINVAL, "no kind");
	FAULT(fair_sched_set_share(&s, 6, USER, 9, 1), ENOENT, "no such user");
	FAULT(fair_sched_credit(&s, 4, USER, 7, 1, 1),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_credit(&s, 6, FAIR_ENTITY_KINDS, 7, 1, 1),
	      EINVAL, "no kind");
	FAULT(fair_sched_credit(&s, 6, USER, 9, 1, 1), ENOENT, "no such user");
	FAULT(fair_sched_reset_usage(&s, 4), ETIME, "the clock goes back");
	FAULT(fair_sched_reset_usage(&s, LATER), EINVAL, "out of time");
	FAULT(fair_sched_set_half_life(&s, 4, 10),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_set_half_life(&s, 6, -1), EINVAL, "negative");
	FAULT(fair_sched_set_window(&s, 4, 10, 0),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_set_window(&s, 6, 0, 0), EINVAL, "no time");
	FAULT(fair_sched_set_half_life(&s, 6, FAIR_USAGE_HALF_LIFE + 1),
	      EINVAL, "too long");
	FAULT(fair_sched_get_entity(&s, FAIR_ENTITY_KINDS, 7, &e),
	      EINVAL, "no kind");
	FAULT(fair_sched_get_entity(&s, USER, 7, NULL), EINVAL, "no room");
	FAULT(fair_sched_get_entity(&s, USER, 9, &e), ENOENT, "no such user");
	FAULT(fair_sched_set_credential(&s, 4, USER, 7, NULL),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_set_credential(&s, 5, USER, 7, NULL),
	      EINVAL, "no settings");
	FAULT(fair_sched_set_credential(&s, 5, FAIR_ENTITY_KINDS, 7, NULL),
	      EINVAL, "no kind");
	free(kept[--keeps].copy);
}

TEST(changes)
{
	struct fair_maui_credential none = fair_maui_credential_defaults();
	struct fair_maui_config maui = fair_maui_defaults();

	begin(FAIR_BACKFILL, FAIR_ORDER_USAGE, NULL);
	common();
	FAULT(fair_sched_set_usage(&s, 5, USER, 7, UINT64_C(1) << 59),
	      EOVERFLOW, "above 2^59");
	FAULT(fair_sched_set_share(&s, 5, USER, 7, 1),
	      EINVAL, "usage has no shares");
	forget();
	begin(FAIR_RELSHARE, FAIR_ORDER_FCFS, NULL);
	common();
	FAULT(fair_sched_set_share(&s, 5, USER, 7, -1), EINVAL, "below 0");
	FAULT(fair_sched_set_window(&s, 5, INT64_MAX, 0),
	      EOVERFLOW, "too long");
	forget();
	begin(FAIR_SFS, FAIR_ORDER_FCFS, NULL);
	FAULT(fair_sched_credit(&s, 5, USER, 7, 1, 1),
	      EINVAL, "sfs charges no usage");
	FAULT(fair_sched_set_usage(&s, 5, USER, 7, 1),
	      EINVAL, "sfs charges no usage");
	FAULT(fair_sched_set_credential(&s, 5, USER, 7, &none),
	      EINVAL, "no Maui");
	forget();
	maui.count[USER] = 2;
	maui.usage = FAIR_MAUI_PROCS;
	begin(FAIR_MAUI, FAIR_ORDER_FCFS, &maui);
	common();
	FAULT(fair_sched_set_credential(&s, 5, USER, 9, &none),
	      ENOENT, "no such user");
	none.soft[0] = -1;
	FAULT(fair_sched_set_credential(&s, 5, USER, 7, &none),
	      EINVAL, "a limit below 0");
	forget();
}

TEST(jobs_that_wait)
{
	struct fair_job j;

	begin(FAIR_BACKFILL, FAIR_ORDER_USAGE, NULL);
	memset(&j, 0, sizeof(j));
	j.user = 8;
	FAULT(fair_sched_reprioritize(&s, 4, 1), ETIME, "the clock goes back");
	FAULT(fair_sched_reprioritize(&s, 6, 2), ENOENT, "no such job");
	FAULT(fair_sched_reprioritize(&s, 6, 1), EINVAL, "no such order");
	FAULT(fair_sched_replan(&s, 4), ETIME, "the clock goes back");
	FAULT(fair_sched_replan(&s, INT64_MAX), EINVAL, "no such time");
	FAULT(fair_sched_reassign(&s, 4, 1, &j), ETIME, "the clock goes back");
	FAULT(fair_sched_reassign(&s, 6, 2, &j), ENOENT, "no such job");
	FAULT(fair_sched_reassign(&s, 6, 1, NULL), EINVAL, "nothing");
	j.user = 9;
	FAULT(fair_sched_reassign(&s, 6, 1, &j), ENOENT, "no such user");
	FAULT(fair_sched_set_penalty(&s, 4, 1, 0),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_set_penalty(&s, 6, 2, 0), ENOENT, "no such job");
	FAULT(fair_sched_set_penalty(&s, 6, 1, -1), EINVAL, "below 0");
	FAULT(fair_sched_set_penalty(&s, 6, 1, FAIR_RATE_MAX + 1),
	      EINVAL, "above 2^51");
	FAULT(fair_sched_split_task(&s, 4, 1), ETIME, "the clock goes back");
	FAULT(fair_sched_split_task(&s, 6, 2), ENOENT, "no such job");
	FAULT(fair_sched_split_task(&s, 6, 1), EINVAL, "no array");
	forget();
	j.number = 2;
	j.submit = 5;
	j.user = 8;
	j.walltime = 10;
	j.procs = 1;
	j.tasks = 5;
	TEST_OK(fair_sched_submit(&s, 5, &j));
	keep(&s, sizeof(s));
	keep(bytes, sizeof(bytes));
	FAULT(fair_sched_limit_tasks(&s, 4, 2, 1),
	      ETIME, "the clock goes back");
	FAULT(fair_sched_limit_tasks(&s, 6, 99, 1), ENOENT, "no such job");
	FAULT(fair_sched_limit_tasks(&s, 6, 1, 1), EINVAL, "no array");
	FAULT(fair_sched_limit_tasks(&s, 6, 2, 0), EINVAL, "no limit");
	FAULT(fair_sched_limit_tasks(&s, 6, 2, 1), ENOSPC, "no room");
	FAULT(fair_sched_split_task(&s, 6, 4), ENOSPC, "no room");
	forget();
}

TEST(a_limit)
{
	struct fair_maui_credential users[2];
	struct fair_maui_config maui = fair_maui_defaults();
	struct fair_job j;

	users[0] = users[1] = fair_maui_credential_defaults();
	users[1].hard[FAIR_THROTTLE_JOBS] = 0;
	maui.count[USER] = 2;
	maui.credential[USER] = users;
	begin(FAIR_MAUI, FAIR_ORDER_FCFS, &maui);
	memset(&j, 0, sizeof(j));
	j.user = 8;
	FAULT(fair_sched_reassign(&s, 6, 1, &j),
	      ERANGE, "a limit of the other user");
	forget();
}

static void relshare(void)
{
	struct fair_relshare_config c;
	struct fair_relshare r;

	memset(&c, 0, sizeof(c));
	c.users = 2;
	c.jobs = 2;
	c.procs = 4;
	c.window = INT64_C(1) << 57;
	TEST_OK(fair_relshare_init(&r, sizeof(r), bytes, sizeof(bytes), &c));
	TEST_OK(fair_relshare_submit(&r, 5, 0, 0, 1));
	TEST_OK(fair_relshare_set_used(&r, 5, 1, UINT64_C(1) << 58));
	keep(&r, sizeof(r));
	keep(bytes, sizeof(bytes));
	FAULT(fair_relshare_set_used(&r, 4, 1, 1), EINVAL, "time goes back");
	FAULT(fair_relshare_set_used(&r, 5, 2, 1), EINVAL, "no such user");
	FAULT(fair_relshare_set_used(&r, 5, 1, (UINT64_C(1) << 59) + 1),
	      EINVAL, "above 2^59");
	FAULT(fair_relshare_set_used(&r, 5, 0, (UINT64_C(1) << 58) + 1),
	      EOVERFLOW, "of both");
	FAULT(fair_relshare_forget(&r, 4, 1), EINVAL, "time goes back");
	FAULT(fair_relshare_forget(&r, 5, 2), EINVAL, "no such user");
	FAULT(fair_relshare_forget(&r, 5, 0), EINVAL, "it has a job");
	forget();
	c.decays = true;
	c.window = 100;
	TEST_OK(fair_relshare_init(&r, sizeof(r), bytes, sizeof(bytes), &c));
	keep(&r, sizeof(r));
	keep(bytes, sizeof(bytes));
	FAULT(fair_relshare_set_used(&r, 5, 1, 1), EINVAL, "it decays");
	forget();
	/* A charge that would be too much is dropped. */
	c.decays = false;
	c.window = INT64_C(1) << 57;
	TEST_OK(fair_relshare_init(&r, sizeof(r), bytes, sizeof(bytes), &c));
	TEST_OK(fair_relshare_submit(&r, 5, 0, 0, 4));
	TEST_OK(fair_relshare_start(&r, 5, 0, 500));
	TEST_OK(fair_relshare_set_used(&r, 5, 1, UINT64_C(1) << 59));
	TEST_OK(fair_relshare_finish(&r, 500, 0));
	TEST_EQ(fair_relshare_check(&r), 0);
}

TEST(leaves)
{
	struct fair_maui_credential none = fair_maui_credential_defaults();
	struct fair_maui_config c = fair_maui_defaults();
	uint64_t amount = 1;
	struct fair_maui m;

	relshare();
	c.count[USER] = 1;
	c.usage = FAIR_MAUI_PROCS;
	TEST_OK(fair_maui_init(&m, sizeof(m), bytes, sizeof(bytes), &c, 2, 4,
			       0));
	keep(&m, sizeof(m));
	keep(bytes, sizeof(bytes));
	FAULT(fair_maui_set_credential(&m, -1, 0, &none), EINVAL, "no kind");
	FAULT(fair_maui_set_credential(&m, FAIR_THROTTLE_KINDS, 0, &none),
	      EINVAL, "no such kind");
	FAULT(fair_maui_set_credential(&m, USER, 0, NULL), EINVAL, "nothing");
	FAULT(fair_maui_set_credential(&m, USER, 1, &none),
	      EINVAL, "no such user");
	none.hard[1] = -1;
	FAULT(fair_maui_set_credential(&m, USER, 0, &none),
	      EINVAL, "a hard limit below 0");
	FAULT(fair_maui_set_charged(&m, -1, 0, 1, 0), EINVAL, "no kind");
	FAULT(fair_maui_set_charged(&m, FAIR_THROTTLE_KINDS, 0, 1, 0),
	      EINVAL, "no such kind");
	FAULT(fair_maui_set_charged(&m, USER, 1, 1, 0), EINVAL, "no such user");
	FAULT(fair_maui_set_charged(&m, USER, 0, UINT64_C(1) << 51, 0),
	      EOVERFLOW, "too much");
	FAULT(fair_maui_credit(&m, FAIR_THROTTLE_GROUP, 0, &amount),
	      EINVAL, "no ledger");
	forget();
	c.usage = FAIR_MAUI_NOTHING;
	TEST_OK(fair_maui_init(&m, sizeof(m), bytes, sizeof(bytes), &c, 2, 4,
			       0));
	keep(&m, sizeof(m));
	FAULT(fair_maui_credit(&m, USER, 0, &amount), EINVAL, "no usage");
	leave();
}
