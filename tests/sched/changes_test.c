/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Changes of jobs that wait: the caller's order is asked again, a job gets
 * another user or charge, a task of an array becomes a job of its own. In small
 * cases, all of them, the outcome is that of a scheduler told so at once.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/checkpoints.h"
#include "tests/test.h"

static char bytes[2][1 << 17], checkpoint[1 << 15];
static int64_t key_of[16];

static int64_t key(void *context, const struct fair_job *job)
{
	(void)context;
	return key_of[job->number];
}

static int compare(void *context, int64_t now, const struct fair_job *a,
		   const struct fair_job *b)
{
	(void)now;
	(void)context;
	return (key_of[a->number] > key_of[b->number]) -
	       (key_of[a->number] < key_of[b->number]);
}

static struct fair_config site(uint32_t policy, uint32_t order)
{
	struct fair_config c = { 0 };

	c.policy = policy;
	c.order = order;
	c.procs = 4;
	c.jobs = 16;
	c.ineligible = 4;
	c.key = key;
	c.compare = compare;
	c.users = 3;
	c.accounts = 3;
	c.window = 1000;
	return c;
}

static void begin(struct fair_sched *s, int i, const struct fair_config *c)
{
	TEST_OK(fair_sched_init(s, sizeof(*s), bytes[i], sizeof(bytes[i]), c));
}

static struct fair_job job(uint64_t number, int32_t procs, int64_t walltime)
{
	struct fair_job j = { 0 };

	j.number = number;
	j.procs = procs;
	j.walltime = walltime;
	return j;
}

static void submit(struct fair_sched *s, int64_t now, uint64_t number,
		   int32_t procs, int64_t walltime, uint32_t tasks)
{
	struct fair_job j = job(number, procs, walltime);

	j.tasks = tasks;
	TEST_OK(fair_sched_submit(s, now, &j));
}

/* Step at each instant, and end each job at its planned end. */
static void run(struct fair_sched *s)
{
	struct fair_queue_place at;
	struct fair_job_status j;
	struct fair_decision d[16];
	int64_t now;
	size_t n;

	TEST_OK(fair_sched_step(s, s->now, d, 16, &n));
	while (fair_sched_count(s, FAIR_RUNNING)) {
		memset(&at, 0, sizeof(at));
		TEST_CHECK(fair_sched_each(s, FAIR_RUNNING, &at, &j));
		now = j.end;
		TEST_OK(fair_sched_finish(s, now, j.job.number));
		TEST_EQ(fair_sched_check(s), 0);
		TEST_OK(fair_sched_step(s, now, d, 16, &n));
	}
}

/* Six orders of three jobs become six others, under a policy. */
static void reorder(uint32_t policy, uint32_t order)
{
	static const int64_t orders[6][3] = { { 1, 2, 3 }, { 1, 3, 2 },
					      { 2, 1, 3 }, { 2, 3, 1 },
					      { 3, 1, 2 }, { 3, 2, 1 } };
	struct fair_config c = site(policy, order);
	struct fair_sched s, t;
	uint32_t i, k, n;

	for (i = 0; i < 6; i++)
		for (k = 0; k < 6; k++) {
			begin(&s, 0, &c);
			begin(&t, 1, &c);
			for (n = 1; n <= 3; n++)
				key_of[n] = orders[i][n - 1];
			for (n = 1; n <= 3; n++)
				submit(&s, 0, n, (int32_t)n + 1, 4 - n, 1);
			for (n = 1; n <= 3; n++)
				key_of[n] = orders[k][n - 1];
			for (n = 1; n <= 3; n++)
				TEST_OK(fair_sched_reprioritize(&s, 0, n));
			for (n = 1; n <= 3; n++)
				submit(&t, 0, n, (int32_t)n + 1, 4 - n, 1);
			run(&s);
			run(&t);
			TEST_EQ(fair_sched_digest(&s), fair_sched_digest(&t));
		}
}

TEST(every_other_order)
{
	reorder(FAIR_FCFS, FAIR_ORDER_KEY);
	reorder(FAIR_BACKFILL, FAIR_ORDER_KEY);
	reorder(FAIR_BACKFILL, FAIR_ORDER_COMPARE);
}

/* The promise stays; the next compression goes by the new order. */
TEST(promises_stay)
{
	uint32_t policy;

	for (policy = FAIR_PC; policy <= FAIR_DC; policy++) {
		struct fair_config c = site(policy, FAIR_ORDER_KEY);
		struct fair_job_status j;
		struct fair_sched s;
		struct fair_decision d;
		uint64_t digest;
		size_t n;

		begin(&s, 0, &c);
		key_of[1] = key_of[2] = key_of[3] = 0;
		submit(&s, 0, 1, 4, 100, 1);
		TEST_OK(fair_sched_step(&s, 0, &d, 1, &n));
		submit(&s, 0, 2, 4, 50, 1);
		submit(&s, 0, 3, 4, 50, 1);
		digest = fair_sched_digest(&s);
		key_of[3] = -1;
		TEST_OK(fair_sched_reprioritize(&s, 0, 3));
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_EQ(fair_sched_digest(&s), digest);
		TEST_OK(fair_sched_lookup(&s, 3, &j));
		TEST_EQ(j.start, 150);
		n = fair_sched_checkpoint_size(&s);
		TEST_REQUIRE(n <= sizeof(checkpoint));
		TEST_OK(fair_sched_save(&s, checkpoint, n));
		TEST_OK(fair_sched_load(&s, sizeof(s), bytes[1],
					sizeof(bytes[1]), &c, checkpoint, n,
					NULL));
		TEST_OK(fair_sched_finish(&s, 40, 1));
		TEST_OK(fair_sched_lookup(&s, 3, &j));
		TEST_EQ(j.start, 40); /* before job 2 */
		TEST_OK(fair_sched_lookup(&s, 2, &j));
		TEST_EQ(j.start, policy == FAIR_PC ? 90 : 100);
	}
}

/* A job of another user goes last: as if it had been of that user at once. */
TEST(another_user)
{
	static const uint32_t policy[] = { FAIR_RELSHARE, FAIR_SFS,
					   FAIR_BACKFILL, FAIR_CONSERVATIVE };
	struct fair_sched s, t;
	struct fair_job_status status;
	struct fair_config c;
	struct fair_job j;
	uint32_t i, k;

	for (i = 0; i < 8; i++) {
		c = site(policy[i % 4],
			 i % 4 == 2 ? FAIR_ORDER_USAGE : FAIR_ORDER_FCFS);
		begin(&s, 0, &c);
		begin(&t, 1, &c);
		if (i >= 4) {
			key_of[4] = 0;
			submit(&s, 0, 4, 4, 10, 1);
			submit(&t, 0, 4, 4, 10, 1);
			run(&s);
			run(&t);
		}
		for (k = 1; k <= 3; k++) {
			j = job(k, 4, 10);
			TEST_OK(fair_sched_submit(&s, s.now, &j));
			j.user = j.account = k % 3;
			TEST_OK(fair_sched_submit(&t, t.now, &j));
			TEST_OK(fair_sched_reassign(&s, s.now, k, &j));
			TEST_OK(fair_sched_lookup(&s, k, &status));
			TEST_EQ(status.job.user, k % 3);
			TEST_EQ(status.job.account, k % 3);
		}
		TEST_EQ(fair_sched_check(&s), 0);
		j.user = j.account = 3;
		if (i % 4 != 3)
			TEST_EQ(fair_sched_reassign(&s, s.now, 1, &j),
				-FAIR_ENOENT);
		run(&s);
		run(&t);
		TEST_EQ(fair_sched_digest(&s), fair_sched_digest(&t));
	}
}

static const struct fair_eligibility held = { INT64_MIN, 0, 0, true };

/* An ineligible job, too. */
TEST(another_user_of_a_held_job)
{
	struct fair_config c = site(FAIR_RELSHARE, FAIR_ORDER_FCFS);
	struct fair_job j = job(1, 1, 10);
	struct fair_job_status status;
	struct fair_sched s;

	begin(&s, 0, &c);
	TEST_OK(fair_sched_submit_ineligible(&s, 0, &j, &held));
	j.user = 2;
	TEST_OK(fair_sched_reassign(&s, 0, 1, &j));
	TEST_OK(fair_sched_defer(&s, 5, 1, NULL));
	TEST_OK(fair_sched_lookup(&s, 1, &status));
	TEST_EQ(status.job.user, 2);
	TEST_EQ(fair_sched_check(&s), 0);
	run(&s);
}

/* Three jobs of the whole machine, of users 1, 2 and 1, at these charges. */
static void submit_charged(struct fair_sched *s, const int64_t *penalty,
			   bool is_held)
{
	struct fair_job j;
	uint64_t k;

	for (k = 1; k <= 3; k++) {
		j = job(k, 4, 10);
		j.user = k == 2 ? 2 : 1;
		j.penalty = penalty[k - 1] * FAIR_PENALTY_ONE;
		TEST_OK(fair_sched_submit_ineligible(s, 0, &j,
						     is_held ? &held : NULL));
	}
}

/* Users 1 and 2 of a tree. */
static void plant(struct fair_sched *s)
{
	uint32_t user;

	for (user = 1; user < 3; user++)
		TEST_OK(fair_sched_tree_add_user(s, 0, user,
						 FAIR_FAIRTREE_ROOT, 1));
}

static void save_and_load(struct fair_sched *s, int i,
			  const struct fair_config *c)
{
	size_t n = fair_sched_checkpoint_size(s);

	TEST_REQUIRE(n <= sizeof(checkpoint));
	TEST_OK(fair_sched_save(s, checkpoint, n));
	begin(s, i, c);
	TEST_OK(fair_sched_load(s, sizeof(*s), bytes[i], sizeof(bytes[i]), c,
				checkpoint, n, NULL));
}

/* Each charge of three jobs becomes each other one, of jobs queued or held. */
static void recharge(struct fair_config c, bool is_held)
{
	struct fair_sched s, t;
	struct fair_job_status j;
	int64_t now[3], then[3];
	uint32_t i;
	uint64_t k;

	for (i = 0; i < 729; i++) {
		begin(&s, 0, &c);
		begin(&t, 1, &c);
		if (c.order == FAIR_ORDER_TREE) {
			plant(&s);
			plant(&t);
		}
		now[0] = i % 3 * 3;
		now[1] = i / 3 % 3 * 3;
		now[2] = i / 9 % 3 * 3;
		then[0] = i / 27 % 3 * 3;
		then[1] = i / 81 % 3 * 3;
		then[2] = i / 243 * 3;
		submit_charged(&s, now, is_held);
		submit_charged(&t, then, is_held);
		for (k = 1; k <= 3; k++) {
			TEST_OK(fair_sched_set_penalty(
				&s, 0, k, then[k - 1] * FAIR_PENALTY_ONE));
			TEST_OK(fair_sched_lookup(&s, k, &j));
			TEST_EQ(j.job.penalty, then[k - 1] * FAIR_PENALTY_ONE);
		}
		save_and_load(&s, 0, &c);
		for (k = 1; is_held && k <= 3; k++) {
			TEST_OK(fair_sched_defer(&s, 0, k, NULL));
			TEST_OK(fair_sched_defer(&t, 0, k, NULL));
		}
		run(&s);
		run(&t);
		TEST_EQ(fair_sched_digest(&s), fair_sched_digest(&t));
	}
}

TEST(every_other_charge)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_BACKFILL, FAIR_SFS,
					   FAIR_BACKFILL };
	struct fair_config c;
	uint32_t i;

	for (i = 0; i < 8; i++) {
		c = site(policy[i % 4], i % 4 == 3 ? FAIR_ORDER_TREE
						   : FAIR_ORDER_USAGE);
		c.half_life = 100;
		recharge(c, i >= 4);
	}
}

/* The job that starts is charged; the user whose charge rose goes last. */
TEST(a_charge_decides)
{
	struct fair_config c = site(FAIR_FCFS, FAIR_ORDER_USAGE);
	static const int64_t penalty[] = { 4, 4, 4 };
	struct fair_entity e;
	struct fair_decision d;
	struct fair_sched s;
	size_t n;

	begin(&s, 0, &c);
	submit_charged(&s, penalty, false);
	TEST_OK(fair_sched_set_penalty(&s, 0, 1, 9 * FAIR_PENALTY_ONE));
	TEST_OK(fair_sched_step(&s, 0, &d, 1, &n));
	TEST_EQ(d.number, 1);
	TEST_EQ(fair_sched_set_penalty(&s, 0, 1, 1), -FAIR_EINVAL);
	TEST_OK(fair_sched_finish(&s, 5, 1));
	TEST_OK(fair_sched_get_entity(&s, FAIR_ENTITY_USER, 1, &e));
	TEST_EQ(e.usage, 45);
	TEST_OK(fair_sched_step(&s, 5, &d, 1, &n));
	TEST_EQ(d.number, 2); /* user 2 has used nothing */
	TEST_OK(fair_sched_set_penalty(&s, 15, 3, FAIR_PENALTY_ONE));
	TEST_OK(fair_sched_finish(&s, 15, 2));
	TEST_OK(fair_sched_step(&s, 15, &d, 1, &n));
	TEST_EQ(d.number, 3);
	TEST_OK(fair_sched_finish(&s, 25, 3));
	TEST_OK(fair_sched_get_entity(&s, FAIR_ENTITY_USER, 1, &e));
	TEST_EQ(e.usage, 45 + 10);
}

static int64_t key_of_charge(void *context, const struct fair_job *job)
{
	(void)context;
	return job->penalty;
}

/* An order of the caller's that depends on the charge is asked again. */
TEST(a_key_of_the_charge)
{
	struct fair_config c = site(FAIR_BACKFILL, FAIR_ORDER_KEY);
	static const int64_t penalty[] = { 1, 2, 3 };
	struct fair_decision d;
	struct fair_sched s;
	size_t n;

	c.key = key_of_charge;
	begin(&s, 0, &c);
	submit_charged(&s, penalty, false);
	TEST_OK(fair_sched_set_penalty(&s, 0, 3, 0));
	TEST_OK(fair_sched_reprioritize(&s, 0, 3));
	TEST_OK(fair_sched_step(&s, 0, &d, 1, &n));
	TEST_EQ(d.number, 3);
}

/* Each task of arrays of up to 5: as if the pieces had arrived at once. */
TEST(every_task)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_BACKFILL,
					   FAIR_CONSERVATIVE, FAIR_PC,
					   FAIR_DC };
	struct fair_sched s, t;
	struct fair_config c;
	uint32_t i, tasks, k;

	for (i = 0; i < 5; i++)
		for (tasks = 2; tasks <= 5; tasks++)
			for (k = 0; k < tasks; k++) {
				c = site(policy[i], FAIR_ORDER_FCFS);
				begin(&s, 0, &c);
				begin(&t, 1, &c);
				submit(&s, 0, 1, 3, 20, 1);
				submit(&s, 0, 4, 2, 10, tasks);
				submit(&t, 0, 1, 3, 20, 1);
				TEST_OK(fair_sched_split_task(&s, 0, 4 + k));
				TEST_EQ(fair_sched_check(&s), 0);
				if (k)
					submit(&t, 0, 4, 2, 10, k);
				submit(&t, 0, 4 + k, 2, 10, 1);
				if (k + 1 < tasks)
					submit(&t, 0, 5 + k, 2, 10,
					       tasks - k - 1);
				TEST_OK(fair_sched_cancel(&s, 0, 4 + k));
				TEST_OK(fair_sched_cancel(&t, 0, 4 + k));
				run(&s);
				run(&t);
				TEST_EQ(fair_sched_digest(&s),
					fair_sched_digest(&t));
				TEST_EQ(fair_sched_count(&s, FAIR_QUEUED), 0);
				TEST_EQ(s.jobs, 0);
				TEST_EQ(s.waiting_arrays, 0);
			}
}

/* A held array: each piece is held. Without room nothing is divided. */
TEST(held_tasks)
{
	struct fair_config c = site(FAIR_CONSERVATIVE, FAIR_ORDER_FCFS);
	struct fair_job j = job(1, 1, 10);
	struct fair_job_status status;
	struct fair_sched s;
	uint64_t n;

	c.jobs = c.ineligible = 5;
	begin(&s, 0, &c);
	j.tasks = 5;
	TEST_OK(fair_sched_submit_ineligible(&s, 0, &j, &held));
	TEST_OK(fair_sched_split_task(&s, 0, 3));
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_EQ(fair_sched_count(&s, FAIR_INELIGIBLE), 3);
	TEST_EQ(fair_sched_split_task(&s, 0, 2), 0);
	TEST_EQ(fair_sched_split_task(&s, 0, 5), 0);
	for (n = 1; n <= 5; n++) {
		TEST_OK(fair_sched_lookup(&s, n, &status));
		TEST_EQ(status.waits, FAIR_WAITS_HELD);
		TEST_OK(fair_sched_cancel(&s, 0, n));
	}
	TEST_EQ(s.jobs, 0);
	TEST_EQ(s.waiting_arrays, 0);
	c.jobs = 3;
	c.ineligible = 1;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_submit_ineligible(&s, 0, &j, &held));
	TEST_EQ(fair_sched_split_task(&s, 0, 1), -FAIR_ENOSPC); /* one may wait */
	TEST_OK(fair_sched_defer(&s, 0, 1, NULL));
	TEST_EQ(fair_sched_split_task(&s, 0, 3), -FAIR_ENOSPC);
	TEST_OK(fair_sched_split_task(&s, 0, 1));
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_EQ(fair_sched_lookup(&s, 1, &status), 0);
	TEST_EQ(status.job.tasks, 1);
	run(&s);
}

/* Two of three tasks are an array still, and need a slot for the next one. */
TEST(no_room_for_two_tasks)
{
	struct fair_config c = site(FAIR_BACKFILL, FAIR_ORDER_FCFS);
	struct fair_job j = job(9, 1, 10);
	struct fair_sched s;

	c.jobs = c.ineligible = 2;
	begin(&s, 0, &c);
	submit(&s, 0, 1, 1, 10, 3);
	TEST_EQ(fair_sched_split_task(&s, 0, 1), -FAIR_ENOSPC);
	TEST_EQ(fair_sched_split_task(&s, 0, 3), -FAIR_ENOSPC);
	c.jobs = c.ineligible = 3;
	begin(&s, 0, &c);
	submit(&s, 0, 1, 1, 10, 3);
	TEST_OK(fair_sched_split_task(&s, 0, 3));
	TEST_EQ(fair_sched_check(&s), 0);
	/* Tasks that are queued take no place of one that is held. */
	c.jobs = 5;
	c.ineligible = 1;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_submit_ineligible(&s, 0, &j, &held));
	submit(&s, 0, 1, 1, 10, 3);
	TEST_OK(fair_sched_split_task(&s, 0, 3));
}

/* What runs or is held has no place in the order, and no other user. */
TEST(not_queued)
{
	struct fair_config c = site(FAIR_BACKFILL, FAIR_ORDER_KEY);
	static const struct fair_eligibility at_5 = { .begin = 5 };
	static const struct fair_advance advance = {
		9, 5, 50, 4, FAIR_ADVANCE_USER, 0, 0, { 0 }, 0, 0
	};
	struct fair_planner_ops own = fair_promising;
	struct fair_job j = job(2, 1, 10);
	struct fair_decision d;
	struct fair_sched s;
	size_t n;

	key_of[1] = key_of[2] = 0;
	begin(&s, 0, &c);
	submit(&s, 0, 1, 4, 10, 1);
	TEST_OK(fair_sched_submit_ineligible(&s, 0, &j, &held));
	TEST_OK(fair_sched_step(&s, 0, &d, 1, &n));
	TEST_EQ(fair_sched_reprioritize(&s, 0, 1), -FAIR_EINVAL);
	TEST_EQ(fair_sched_reprioritize(&s, 0, 2), -FAIR_EINVAL);
	TEST_EQ(fair_sched_reassign(&s, 0, 1, &j), -FAIR_EINVAL);
	TEST_EQ(fair_sched_split_task(&s, 0, 1), -FAIR_EINVAL);
	/* From its begin time on it is queued. */
	j = job(3, 1, 10);
	TEST_OK(fair_sched_submit_ineligible(&s, 0, &j, &at_5));
	TEST_EQ(fair_sched_reprioritize(&s, 4, 3), -FAIR_EINVAL);
	TEST_OK(fair_sched_reprioritize(&s, 5, 3));
	/* A job that waits in an advance reservation is in no queue. */
	c.advances = 1;
	begin(&s, 0, &c);
	TEST_OK(fair_sched_advance_reserve(&s, 0, &advance, false));
	j = job(4, 1, 10);
	j.advance = advance.number;
	TEST_OK(fair_sched_submit(&s, 0, &j));
	TEST_EQ(fair_sched_reprioritize(&s, 0, 4), -FAIR_EINVAL);
	/* Another planner that promises cannot move a job in its order. */
	c = site(FAIR_PC, FAIR_ORDER_KEY);
	begin(&s, 0, &c);
	submit(&s, 0, 1, 4, 10, 1);
	own.reprioritize = NULL;
	s.planner = &own;
	TEST_EQ(fair_sched_reprioritize(&s, 0, 1), -FAIR_EINVAL);
}

/* Of a planner that shows no space, no earlier start is known. */
TEST(a_retry_without_a_space)
{
	struct fair_config c = site(FAIR_CONSERVATIVE, FAIR_ORDER_FCFS);
	struct fair_planner_ops own = fair_promising;
	struct fair_job_status j;
	struct fair_decision d;
	struct fair_sched s;
	size_t n;

	begin(&s, 0, &c);
	submit(&s, 0, 1, 4, 10, 1);
	submit(&s, 0, 2, 4, 10, 1);
	TEST_OK(fair_sched_step(&s, 0, &d, 1, &n));
	own.space = NULL;
	s.planner = &own;
	TEST_OK(fair_sched_retry(&s, 5, 2));
	TEST_OK(fair_sched_lookup(&s, 2, &j));
	TEST_EQ(j.start, 10);
}

static int64_t long_ago(const struct fair_sched *s)
{
	return s->now - 10;
}

/* A planner says when the next job is due, and does not catch up; another one
 * does not say it. */
TEST(no_start_is_missed)
{
	struct fair_planner_ops own[2] = { fair_afresh, fair_promising };
	struct fair_config c;
	struct fair_sched s;
	int i;

	own[0].next = long_ago;
	own[1].next = NULL;
	for (i = 0; i < 2; i++) {
		c = site(i ? FAIR_CONSERVATIVE : FAIR_FCFS, FAIR_ORDER_FCFS);
		begin(&s, 0, &c);
		submit(&s, 0, 1, 4, 10, 1);
		s.planner = &own[i];
		TEST_OK(fair_sched_pass_time(&s, 5));
		TEST_EQ(fair_sched_count(&s, FAIR_QUEUED), 1);
	}
}

/* A damaged limit of tasks is refused, each word of it. */
TEST(damaged_task_limits)
{
	static const struct {
		size_t word;
		uint64_t value;
		int expected;
	} change[] = {
		{ 0, 1, 0 },
		{ 0, UINT64_MAX - 6, 0 },
		{ 0, UINT64_MAX - 5, -FAIR_EINVAL }, /* its last job's number */
		{ 1, 1, -FAIR_EINVAL },		     /* no array */
		{ 1, 2, 0 },
		{ 1, UINT64_C(1) << 32, -FAIR_EINVAL },
		{ 2, 0, -FAIR_EINVAL }, /* none would ever run */
	};
	struct fair_config c = site(FAIR_BACKFILL, FAIR_ORDER_FCFS);
	unsigned char *word;
	struct fair_sched s, t;
	size_t size, i;
	uint64_t width, was;
	int damage = 0;

	c.task_limits = 1;
	begin(&s, 0, &c);
	submit(&s, 0, 1, 1, 10, 6);
	TEST_OK(fair_sched_limit_tasks(&s, 0, 1, 2));
	TEST_OK(fair_sched_defer(&s, 0, 1, &held));
	size = fair_sched_checkpoint_size(&s);
	TEST_REQUIRE(size <= sizeof(checkpoint));
	TEST_OK(fair_sched_save(&s, checkpoint, size));
	word = section((unsigned char *)checkpoint, FAIR_SECTION_TASK_LIMITS,
		       &width);
	TEST_EQ(width, 3);
	for (i = 0; i < sizeof(change) / sizeof(*change); i++) {
		was = fair_get_word(word + 8 * change[i].word);
		fair_put_word(word + 8 * change[i].word,
				    change[i].value);
		good_again((unsigned char *)checkpoint, size);
		TEST_EQ(fair_sched_load(&t, sizeof(t), bytes[1],
					sizeof(bytes[1]), &c, checkpoint, size,
					&damage),
			change[i].expected);
		if (change[i].expected)
			TEST_EQ(damage, FAIR_CHECKPOINT_BROKEN);
		fair_put_word(word + 8 * change[i].word, was);
	}
}

/* Two limits, of which one changes though there is no room for others. */
TEST(limits_of_two_arrays)
{
	struct fair_config c = site(FAIR_BACKFILL, FAIR_ORDER_FCFS);
	struct fair_sched s, t;
	size_t size;

	c.task_limits = 2;
	begin(&s, 0, &c);
	submit(&s, 0, 1, 1, 10, 6);
	submit(&s, 0, 11, 1, 10, 6);
	TEST_OK(fair_sched_limit_tasks(&s, 0, 1, 2));
	TEST_OK(fair_sched_limit_tasks(&s, 0, 11, 3));
	TEST_OK(fair_sched_limit_tasks(&s, 0, 1, 1));
	size = fair_sched_checkpoint_size(&s);
	TEST_REQUIRE(size <= sizeof(checkpoint));
	TEST_OK(fair_sched_save(&s, checkpoint, size));
	TEST_OK(fair_sched_load(&t, sizeof(t), bytes[1], sizeof(bytes[1]), &c,
				checkpoint, size, NULL));
	TEST_EQ(t.task_limits, 2);
	TEST_CHECK(t.task_limit[1].first == 11 && t.task_limit[1].most == 3);
}

/* Of six tasks at most two run at once, though there is room for four. */
TEST(two_tasks_at_once)
{
	static const uint32_t policy[] = { FAIR_FCFS, FAIR_BACKFILL,
					   FAIR_CONSERVATIVE, FAIR_PC,
					   FAIR_DC };
	struct fair_job_status status;
	struct fair_decision d[16];
	struct fair_sched s;
	struct fair_config c;
	size_t n, size;
	uint32_t i;

	for (i = 0; i < 5; i++) {
		c = site(policy[i], FAIR_ORDER_FCFS);
		c.task_limits = 1;
		begin(&s, 0, &c);
		submit(&s, 0, 1, 1, 10, 6);
		TEST_OK(fair_sched_limit_tasks(&s, 0, 1, 2));
		submit(&s, 0, 9, 1, 10, 1);
		TEST_OK(fair_sched_step(&s, 0, d, 16, &n));
		TEST_EQ(n, 3); /* 1, 2 and 9 */
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_OK(fair_sched_lookup(&s, 3, &status));
		TEST_EQ(status.state, FAIR_INELIGIBLE);
		TEST_EQ(status.waits, FAIR_WAITS_SLOT);
		size = fair_sched_checkpoint_size(&s);
		TEST_REQUIRE(size <= sizeof(checkpoint));
		TEST_OK(fair_sched_save(&s, checkpoint, size));
		c.task_limits = 0;
		TEST_EQ(fair_sched_load(&s, sizeof(s), bytes[1],
					sizeof(bytes[1]), &c, checkpoint, size,
					NULL),
			-FAIR_ENOSPC);
		c.task_limits = 2;
		TEST_OK(fair_sched_load(&s, sizeof(s), bytes[1],
					sizeof(bytes[1]), &c, checkpoint, size,
					NULL));
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_OK(fair_sched_finish(&s, 5, 1));
		TEST_OK(fair_sched_step(&s, 5, d, 16, &n));
		TEST_EQ(n, 1);
		TEST_EQ(d[0].number, 3);
		/* One task becomes a job of its own, with the same limit. */
		TEST_OK(fair_sched_split_task(&s, 5, 5));
		TEST_OK(fair_sched_clone(&s, bytes[0], sizeof(bytes[0]), &s));
		TEST_OK(fair_sched_finish(&s, 6, 2));
		TEST_OK(fair_sched_step(&s, 6, d, 16, &n));
		TEST_EQ(n, 1);
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_OK(fair_sched_requeue(&s, 7, 3));
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_OK(fair_sched_step(&s, 7, d, 16, &n));
		TEST_EQ(n, 1);
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_OK(fair_sched_limit_tasks(&s, 7, 6, 0));
		TEST_OK(fair_sched_step(&s, 7, d, 16, &n));
		TEST_EQ(n, 1); /* one processor is left */
		run(&s);
		TEST_EQ(s.jobs, 0);
		TEST_EQ(s.task_limits, 0);
	}
}

/* The next task has a slot at once, and with promises a start. */
TEST(a_limit_is_lifted)
{
	static const uint32_t policy[] = { FAIR_BACKFILL, FAIR_CONSERVATIVE };
	struct fair_job_status status;
	struct fair_decision d[16];
	struct fair_sched s;
	struct fair_config c;
	uint32_t i;
	size_t n;

	for (i = 0; i < 2; i++) {
		c = site(policy[i], FAIR_ORDER_FCFS);
		c.task_limits = 1;
		begin(&s, 0, &c);
		submit(&s, 0, 1, 1, 10, 3);
		TEST_OK(fair_sched_limit_tasks(&s, 0, 1, 1));
		TEST_OK(fair_sched_step(&s, 0, d, 16, &n));
		TEST_EQ(n, 1);
		TEST_OK(fair_sched_lookup(&s, 2, &status));
		TEST_EQ(status.state, FAIR_INELIGIBLE);
		TEST_OK(fair_sched_limit_tasks(&s, 0, 2, 2));
		TEST_OK(fair_sched_lookup(&s, 2, &status));
		TEST_EQ(status.state, FAIR_QUEUED);
		TEST_EQ(status.start, i ? 0 : FAIR_FOREVER);
	}
}
