/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that conservative.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 */
#include "policies/conservative.h"
#include "tests/leaf_faults.h"

enum { SLOTS = 4 };

static void fill_slots(struct fair_queued *job)
{
	uint32_t n;

	memset(job, 0, SLOTS * sizeof(*job));
	for (n = 0; n < SLOTS; n++) {
		job[n].rank.number = n;
		job[n].walltime = 10;
		job[n].procs = 4;
	}
}

struct keeper {
	struct fair_queued job[SLOTS];
	struct fair_conservative c;
	size_t bytes;
	void *memory;
};

static void conservative_init(uint32_t how)
{
	size_t bytes = fair_conservative_size(how, SLOTS, 2), n;
	void *memory = room(bytes);
	struct fair_queued job[SLOTS];
	struct fair_conservative c;

	n = sizeof(c);
	memset(&c, FILL, n);
	keep(&c, n);
	FAULT(fair_conservative_init(NULL, n, memory, bytes, how, SLOTS, 2, job,
				     48, 10, 0), EINVAL, "nothing");
	FAULT(fair_conservative_init(&c, n + 1, memory, bytes, how, SLOTS, 2,
				     job, 48, 10, 0),
	      EINVAL, "a struct of another size");
	FAULT(fair_conservative_init(&c, n, NULL, bytes, how, SLOTS, 2, job, 48,
				     10, 0), EINVAL, "no memory");
	FAULT(fair_conservative_init(&c, n, memory, bytes, 3, SLOTS, 2, job, 48,
				     10, 0), EINVAL, "no such compression");
	FAULT(fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, NULL,
				     48, 10, 0), EINVAL, "no array");
	FAULT(fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, job,
				     47, 10, 0), EINVAL, "elements too small");
	FAULT(fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, job,
				     48, 0, 0), EINVAL, "no processor");
	FAULT(fair_conservative_init(&c, n, memory, bytes - 1, how, SLOTS, 2,
				     job, 48, 10, 0), ENOMEM, "one byte less");
	FAULT(fair_conservative_init(&c, n, memory, bytes, how, UINT32_MAX,
				     UINT32_MAX, job, 48, 10, 0),
	      ENOMEM, "more jobs than can be");
	FAULT(fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, job,
				     48, 10, INT64_MAX),
	      EOVERFLOW, "an origin too late");
	FAULT(fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, job,
				     48, 10,
				     INT64_MIN + (INT64_C(1) << 38) - 1),
	      EOVERFLOW, "one too early");
	leave();
}

/* It is 5: job 0 of 4 processors runs until 10, job 1 waits until then. */
static void open_keeper(struct keeper *k, uint32_t how)
{
	uint32_t slot = SLOTS;

	fill_slots(k->job);
	k->job[1].procs = 8;
	k->bytes = fair_conservative_size(how, SLOTS, 2);
	k->memory = room(k->bytes);
	TEST_OK(fair_conservative_init(&k->c, sizeof(k->c), k->memory, k->bytes,
				       how, SLOTS, 2, k->job, sizeof(*k->job),
				       10, 0));
	TEST_EQ(fair_conservative_submit(&k->c, 0, 0, 0, NULL), 0);
	TEST_CHECK(fair_conservative_due(&k->c, 0, &slot, NULL));
	TEST_EQ(slot, 0);
	TEST_EQ(fair_conservative_submit(&k->c, 5, 1, 1, NULL), 0);
	TEST_EQ(k->job[1].rank.key, 10);
	k->job[2].rank.key = 30;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
}

/* What each of three calls says of a job that is none. */
static void conservative_jobs(struct keeper *k)
{
	struct fair_conservative *c = &k->c;
	struct fair_queued *j = &k->job[3];
	const struct fair_queued good = *j;
	int i;

	FAULT(fair_conservative_submit(c, 5, SLOTS, 2, NULL),
	      EINVAL, "no such slot");
	FAULT(fair_conservative_submit(c, 4, 3, 2, NULL),
	      EINVAL, "the clock goes back");
	FAULT(fair_conservative_submit(c, INT64_MAX, 3, 2, NULL),
	      EOVERFLOW, "the clock is too late");
	FAULT(fair_conservative_put_back(c, 5, SLOTS, 2, NULL),
	      EINVAL, "no such slot");
	FAULT(fair_conservative_put_back(c, 4, 3, 2, NULL),
	      EINVAL, "the clock goes back");
	FAULT(fair_conservative_put_back(c, INT64_MAX, 3, 2, NULL),
	      EOVERFLOW, "the clock is too late");
	FAULT(fair_conservative_restore(c, 5, SLOTS, 2, NULL),
	      EINVAL, "no such slot");
	FAULT(fair_conservative_restore(c, 4, 2, 2, NULL),
	      EINVAL, "the clock goes back");
	forget();
	for (i = 0; i < 3; i++) {
		*j = good;
		j->walltime = i == 0 ? 0 : 1;
		j->procs = i == 1 ? 0 : 4;
		j->rank.number = i == 2 ? 1 : 3;
		if (i == 2 && c->compression == FAIR_COMPRESS)
			break;
		keep(k, sizeof(*k));
		keep(k->memory, k->bytes);
		FAULT(fair_conservative_submit(c, 5, 3, 1, NULL),
		      EINVAL, "not such a job");
		FAULT(fair_conservative_put_back(c, 5, 3, 1, NULL),
		      EINVAL, "not such a job");
		FAULT(fair_conservative_restore(c, 5, 3, 1, NULL),
		      EINVAL, "not such a job");
		forget();
	}
	*j = good;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
}

static void conservative_events(struct keeper *k)
{
	struct fair_conservative *c = &k->c;
	int64_t late = INT64_MAX - 1;

	FAULT(fair_conservative_give_back(c, 4, 5, 10, CLAIM(4), NULL),
	      EINVAL, "the clock goes back");
	FAULT(fair_conservative_give_back(c, 5, 10, 10, CLAIM(4), NULL),
	      EINVAL, "empty");
	FAULT(fair_conservative_give_back(c, 5, 4, 10, CLAIM(4), NULL),
	      EINVAL, "in the past");
	FAULT(fair_conservative_give_back(c, 5, 5, 10, CLAIM(0), NULL),
	      EINVAL, "no processor");
	FAULT(fair_conservative_give_back(c, 5, 5, 10, CLAIM(-1), NULL),
	      EINVAL, "less than none");
	FAULT(fair_conservative_give_back(c, 5, 5, 10, CLAIM(5), NULL),
	      ERANGE, "more than are in use");
	FAULT(fair_conservative_give_back(c, 5, 5, late, CLAIM(4), NULL),
	      EOVERFLOW, "until then");
	FAULT(fair_conservative_give_back(c, INT64_MAX, 5, 10, CLAIM(4), NULL),
	      EOVERFLOW, "the clock too late");
	FAULT(fair_conservative_take(c, 4, 5, 10, CLAIM(1), NULL),
	      EINVAL, "the clock goes back");
	FAULT(fair_conservative_take(c, 5, 10, 10, CLAIM(1), NULL),
	      EINVAL, "empty");
	FAULT(fair_conservative_take(c, 5, 4, 10, CLAIM(1), NULL),
	      EINVAL, "in the past");
	FAULT(fair_conservative_take(c, 5, 5, 10, CLAIM(0), NULL),
	      EINVAL, "no processor");
	FAULT(fair_conservative_take(c, 5, 5, 10, CLAIM(7), NULL),
	      ERANGE, "running jobs hold them");
	FAULT(fair_conservative_take(c, 5, 5, FAIR_FOREVER, CLAIM(11), NULL),
	      ERANGE, "more than there are");
	FAULT(fair_conservative_take(c, 5, 5, late, CLAIM(1), NULL),
	      EOVERFLOW, "until then");
	FAULT(fair_conservative_take(c, INT64_MAX, 5, 10, CLAIM(1), NULL),
	      EOVERFLOW, "the clock is too late");
	FAULT(fair_conservative_catch_up(c, 4, NULL),
	      EINVAL, "the clock goes back");
	FAULT(fair_conservative_catch_up(c, INT64_MAX, NULL),
	      EOVERFLOW, "the clock is too late");
	FAULT(fair_conservative_withdraw(c, 0, NULL), EINVAL, "it runs");
	FAULT(fair_conservative_withdraw(c, 2, NULL),
	      EINVAL, "it does not wait");
}

/* Job 2 had 30; then 12, where 4 are free; then what job 1 holds. */
static void conservative_restore(struct keeper *k)
{
	struct fair_conservative *c = &k->c;

	forget();
	k->job[2].rank.key = c->space.profile.horizon + 1;
	k->job[2].procs = 3;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT(fair_conservative_restore(c, 5, 2, 2, NULL),
	      EOVERFLOW, "behind the horizon");
	forget();
	k->job[2].rank.key = c->space.profile.horizon;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT(fair_conservative_restore(c, 5, 2, 2, NULL),
	      EOVERFLOW, "ends behind it");
	forget();
	k->job[2].rank.key = 12;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT(fair_conservative_restore(c, 5, 2, 2, NULL),
	      ERANGE, "it does not fit");
	if (c->compression == FAIR_COMPRESS) {
		forget();
		k->job[3] = k->job[1];
		keep(k, sizeof(*k));
		keep(k->memory, k->bytes);
		FAULT(fair_conservative_restore(c, 5, 3, 2, NULL),
		      EINVAL, "another is there");
	}
	forget();
	k->job[3] = k->job[2];
	k->job[3].rank.number = 3;
	k->job[3].rank.key = FAIR_FOREVER;
	k->job[3].mark = FAIR_MARK_DISPLACED;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT(fair_conservative_restore(c, 5, 3, 2, NULL),
	      EINVAL, "it has lost no start");
	forget();
	k->job[3].rank.key = c->space.profile.horizon + 1;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT(fair_conservative_restore(c, 5, 3, 2, NULL),
	      EOVERFLOW, "it was lost behind the horizon");
	TEST_EQ(fair_conservative_check(c), 0);
}

/* Of jobs that share a limit of one, 2 was to start while 1 is reserved. */
static void conservative_limits(struct keeper *k)
{
	const struct fair_quotas_of one = { 0, 7, 0, 1 };
	size_t bytes = fair_quotas_size(1, 1, SLOTS, 1);
	struct fair_queued *j = &k->job[2];
	struct fair_quotas l;
	struct fair_space was = k->c.space;

	forget();
	TEST_OK(fair_quotas_init(&l, sizeof(l), room(bytes), bytes, 1, 1, SLOTS,
				 1));
	TEST_OK(fair_quotas_set(&l, 0, 7, 1));
	fair_quotas_join(&l, 1, &one, 1);
	fair_quotas_join(&l, 2, &one, 1);
	fair_quotas_hold(&l, 1, 10, 20);
	fair_space_limit_by(&k->c.space, &l);
	j->procs = 1;
	j->rank.key = 11;
	TEST_EQ(fair_conservative_restore(&k->c, 5, 2, 2, NULL), -FAIR_ERANGE);
	j->rank.key = 20;
	TEST_OK(fair_conservative_restore(&k->c, 5, 2, 2, NULL));
	TEST_OK(fair_conservative_withdraw(&k->c, 2, NULL));
	k->c.space.limits = was.limits;
}

static void conservative_full(struct keeper *k)
{
	struct fair_conservative copy;
	void *memory = room(k->bytes);
	struct fair_queued jobs[SLOTS];
	uint32_t slot;

	forget();
	fill_slots(jobs);
	for (slot = 0; slot < SLOTS; slot++)
		if (slot != 1) {
			k->job[slot] = jobs[slot];
			TEST_OK(fair_conservative_submit(&k->c, 5, slot, slot,
							 NULL));
		}
	memset(&copy, FILL, sizeof(copy));
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	keep(&copy, sizeof(copy));
	FAULT(fair_conservative_submit(&k->c, 5, 3, 9, NULL),
	      ENOSPC, "one too many");
	FAULT(fair_conservative_put_back(&k->c, 5, 3, 9, NULL),
	      ENOSPC, "one too many");
	FAULT(fair_conservative_restore(&k->c, 5, 3, 9, NULL),
	      ENOSPC, "one too many");
	FAULT(fair_conservative_clone(&copy, NULL, k->bytes, k->job, &k->c,
				      NULL), EINVAL, "no memory");
	FAULT(fair_conservative_clone(&copy, memory, k->bytes, NULL, &k->c,
				      NULL), EINVAL, "no array");
	FAULT(fair_conservative_clone(&copy, memory, k->bytes - 1, k->job,
				      &k->c, NULL), ENOMEM, "one byte less");
	forget();
	TEST_OK(fair_conservative_clone(&copy, memory, k->bytes, k->job, &k->c,
					NULL));
	TEST_EQ(fair_conservative_check(&copy), 0);
}

/* More windows than there was to be room for. */
static void conservative_steps(struct keeper *k)
{
	struct fair_conservative *c = &k->c;
	int64_t t = 100;

	for (; fair_profile_steps(&c->space.profile) + 2 <= c->space.profile.cap; t += 20)
		TEST_EQ(fair_conservative_take(c, 5, t, t + 10, CLAIM(1), NULL), 0);
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT(fair_conservative_take(c, 5, t, t + 10, CLAIM(1), NULL),
	      ENOSPC, "one window more");
	FAULT(fair_conservative_take(c, 5, t, t + 10, CLAIM(10), NULL),
	      ENOSPC, "of all that is free");
	FAULT(fair_conservative_give_back(c, 5, 104, 105, CLAIM(1), NULL),
	      ENOSPC, "a part of one");
	TEST_EQ(fair_conservative_check(c), 0);
}

TEST(conservative)
{
	struct keeper k;
	uint32_t how;

	for (how = FAIR_COMPRESS; how <= FAIR_COMPRESS_DELAYED; how++) {
		conservative_init(how);
		open_keeper(&k, how);
		conservative_jobs(&k);
		conservative_events(&k);
		conservative_restore(&k);
		conservative_limits(&k);
		conservative_full(&k);
		conservative_steps(&k);
		leave();
	}
}
