/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that the events of limits document changes nothing.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/leaf_faults.h"

static struct fair_sched s;
static char bytes[1 << 17];

/* User 7 has a job; there is room for one limit, or none. */
static void begin(uint32_t limits)
{
	struct fair_config c;
	struct fair_job j;

	memset(&c, 0, sizeof(c));
	memset(&j, 0, sizeof(j));
	c.policy = FAIR_CONSERVATIVE;
	c.procs = 4;
	c.jobs = 4;
	c.ids = 2;
	c.limits = limits;
	TEST_OK(fair_sched_init(&s, sizeof(s), bytes, sizeof(bytes), &c));
	TEST_OK(fair_sched_add_entity(&s, 5, FAIR_ENTITY_USER, 7));
	j.number = 1;
	j.procs = 3;
	j.walltime = 10;
	j.user = 7;
	TEST_OK(fair_sched_submit(&s, 5, &j));
	keep(&s, sizeof(s));
	keep(bytes, sizeof(bytes));
}

/* Also what one holds that waits for its advance reservation, from 20 on. */
TEST(what_a_reservation_job_holds)
{
	struct fair_limit l = { FAIR_ENTITY_USER, FAIR_LIMIT_JOBS, 7, 2 };
	struct fair_config c = { .policy = FAIR_CONSERVATIVE, .procs = 4,
				 .jobs = 4, .limits = 2, .ineligible = 2,
				 .advances = 1 };
	struct fair_job j = { .number = 1, .procs = 3, .walltime = 10,
			      .user = 7, .advance = 1 };
	struct fair_advance b = { .number = 1, .from = 20, .to = 40,
				  .procs = 4, .kind = FAIR_ADVANCE_USER };
	struct fair_quotas_of x = { 0, 0, 0, 0 };
	uint32_t slot;

	TEST_OK(fair_sched_init(&s, sizeof(s), bytes, sizeof(bytes), &c));
	TEST_OK(fair_sched_limit(&s, 0, &l));
	TEST_OK(fair_sched_advance_reserve(&s, 0, &b, false));
	TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_EQ(fair_sched_check(&s), 0);
	slot = s.ineligible[0].slot;
	TEST_CHECK(fair_quotas_holds(s.limits, slot));
	l.resource = FAIR_LIMIT_PROCS; /* it comes later */
	TEST_OK(fair_sched_limit(&s, 0, &l));
	x.what = fair_limit_what(FAIR_ENTITY_USER, FAIR_LIMIT_PROCS);
	x.whose = 7;
	TEST_CHECK(fair_quotas_belongs(s.limits, slot, &x));
	fair_quotas_hold(s.limits, slot, 0, 0);
	TEST_EQ(fair_quotas_check(s.limits), 0);
	TEST_CHECK(fair_sched_check(&s) != 0);
}

/* What running and reserved jobs hold is checked. */
TEST(what_jobs_hold)
{
	struct fair_limit l = { FAIR_ENTITY_USER, FAIR_LIMIT_JOBS, 7, 2 };
	struct fair_quotas_job *held;
	struct fair_job j;
	struct fair_decision start[2];
	uint32_t slot;
	size_t n;

	begin(1);
	forget();
	TEST_OK(fair_sched_limit(&s, 5, &l));
	TEST_EQ(fair_sched_check(&s), 0);
	memset(&j, 0, sizeof(j));
	j.number = 2;
	j.procs = 1;
	j.walltime = 10;
	j.user = 7;
	TEST_OK(fair_sched_submit(&s, 5, &j));
	j.number = 3;
	TEST_OK(fair_sched_submit(&s, 5, &j));
	TEST_OK(fair_sched_step(&s, 5, start, 2, &n));
	TEST_EQ(n, 2);
	TEST_EQ(fair_sched_check(&s), 0);
	for (slot = 0; slot < 3; slot++) {
		held = s.limits->job + slot;
		TEST_CHECK(held->from < held->end);
		held->parts = 0; /* so that the limits themselves are right */
		s.limits->row[0].jobs--;
		TEST_CHECK(fair_sched_check(&s));
		s.limits->row[0].jobs++;
		held->parts = 1;
		TEST_EQ(fair_sched_check(&s), 0);
	}
	s.limits->row[0].asked++;
	TEST_CHECK(fair_sched_check(&s));
	s.limits->row[0].asked--;
	for (slot = 0; slot < 3; slot++) { /* it holds nothing, or too long */
		struct fair_quotas_job was = s.limits->job[slot];

		fair_quotas_release(s.limits, slot);
		TEST_CHECK(fair_sched_check(&s));
		fair_quotas_hold(s.limits, slot, was.from, was.end + 1);
		TEST_CHECK(fair_sched_check(&s));
		fair_quotas_hold(s.limits, slot, was.from, was.end);
		TEST_EQ(fair_sched_check(&s), 0);
	}
}

TEST(limits)
{
	struct fair_limit l = { FAIR_ENTITY_USER, FAIR_LIMIT_PROCS, 7, 3 };
	struct fair_limit bad;
	struct fair_job job;

	begin(1);
	FAULT(fair_sched_limit(&s, 4, &l), ETIME, "the clock goes back");
	FAULT(fair_sched_limit(&s, 6, NULL), EINVAL, "no limit");
	bad = l;
	bad.kind = FAIR_LIMIT_KINDS;
	FAULT(fair_sched_limit(&s, 6, &bad), EINVAL, "no kind");
	bad = l;
	bad.resource = FAIR_LIMIT_RESOURCES;
	FAULT(fair_sched_limit(&s, 6, &bad), EINVAL, "no resource");
	bad = l;
	bad.amount = -1;
	FAULT(fair_sched_limit(&s, 6, &bad), EINVAL, "a negative amount");
	bad = l;
	bad.id = 8;
	FAULT(fair_sched_limit(&s, 6, &bad), ENOENT, "no such user");
	forget();
	TEST_OK(fair_sched_limit(&s, 5, &l));
	keep(&s, sizeof(s));
	keep(bytes, sizeof(bytes));
	bad = l;
	bad.resource = FAIR_LIMIT_JOBS;
	FAULT(fair_sched_limit(&s, 6, &bad), ENOSPC, "one too many");
	memset(&job, 0, sizeof(job));
	job.number = 2;
	job.procs = 4;
	job.walltime = 1;
	job.user = 7;
	FAULT(fair_sched_submit(&s, 6, &job), ERANGE, "more than its limit");
	FAULT(fair_sched_modify(&s, 6, 1, 4, 10), ERANGE,
	      "more than its limit");
	forget();
	begin(1);
	l.resource = FAIR_LIMIT_BUDGET;
	FAULT(fair_sched_set_spent(&s, 4, &l, 1), ETIME, "the clock goes back");
	FAULT(fair_sched_set_spent(&s, 6, NULL, 1), EINVAL, "no budget");
	FAULT(fair_sched_set_spent(&s, 6, &l, -1), EINVAL, "less than nothing");
	FAULT(fair_sched_set_spent(&s, 6, &l, 1), ENOENT, "there is none");
	bad = l;
	bad.id = 8;
	FAULT(fair_sched_set_spent(&s, 6, &bad, 1), ENOENT, "no such user");
	bad = l;
	bad.resource = FAIR_LIMIT_PROCS;
	FAULT(fair_sched_set_spent(&s, 6, &bad, 1), EINVAL, "not a budget");
	TEST_EQ(fair_sched_get_spent(&s, &bad), 0);
	TEST_EQ(fair_sched_get_spent(&s, NULL), 0);
	bad = l;
	bad.id = FAIR_LIMIT_EACH;
	FAULT(fair_sched_limit(&s, 6, &bad), EINVAL, "a budget of each");
	bad = l;
	bad.kind = FAIR_LIMIT_QOS_USER;
	FAULT(fair_sched_limit(&s, 6, &bad), EINVAL, "of each within one");
	bad = l;
	bad.resource = FAIR_LIMIT_COST;
	FAULT(fair_sched_limit(&s, 6, &bad), EINVAL, "nothing has a cost");
	forget();
	begin(0);
	l.resource = FAIR_LIMIT_PROCS;
	FAULT(fair_sched_limit(&s, 6, &l), EINVAL, "no room for any");
	forget();
}
