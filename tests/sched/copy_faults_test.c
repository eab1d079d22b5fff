/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error of conversions and of checkpoints that fairsched.h documents,
 * under every policy: not a byte changes.
 */
#include "tests/scene.h"

/* One that is as good, but for @c. */
#define CONVERT(w, c, error, why)                                             \
	do {                                                                  \
		void *fresh = bytes_of(&(c), &bytes);                         \
                                                                              \
		FAULT(w,                                                      \
		      fair_sched_convert(&b, sizeof(b), fresh, bytes, &(c),   \
					 &(w)->s),                            \
		      error, why);                                            \
		free(fresh);                                                  \
	} while (0)

#define LOAD(w, c, error, why)                                                 \
	do {                                                                   \
		void *fresh = bytes_of(&(c), &bytes);                          \
                                                                               \
		FAULT(w,                                                       \
		      fair_sched_load(&s, sizeof(s), fresh, bytes, &(c),       \
				      checkpoint, length, &damage),            \
		      error, why);                                             \
		TEST_EQ(damage, 0);                                            \
		damage = -1;                                                   \
		free(fresh);                                                   \
	} while (0)

static void *bytes_of(const struct fair_config *c, size_t *bytes)
{
	void *memory;

	*bytes = fair_sched_size(c);
	memory = malloc(*bytes);
	if (!memory)
		abort();
	return memory;
}

TEST(conversions)
{
	struct fair_sched b, was;
	struct fair_config c;
	struct fair_job j = a_job(50, 5, INT64_C(1) << 33, 1);
	struct world w;
	void *memory;
	size_t bytes;

	memset(&b, 0x5a, sizeof(b));
	was = b;
	c = config_of(FAIR_SFS);
	memory = bytes_of(&c, &bytes);
	open_scene(&w, FAIR_BACKFILL, 0);
	FAULT(&w, fair_sched_convert(NULL, sizeof(b), memory, bytes, &c, &w.s),
	      EINVAL, "into nothing");
	FAULT(&w, fair_sched_convert(&b, sizeof(b) - 1, memory, bytes, &c,
				     &w.s), EINVAL, "of another size");
	FAULT(&w, fair_sched_convert(&b, sizeof(b), NULL, bytes, &c, &w.s),
	      EINVAL, "no memory");
	FAULT(&w, fair_sched_convert(&b, sizeof(b), memory, bytes, NULL, &w.s),
	      EINVAL, "no config");
	FAULT(&w, fair_sched_convert(&b, sizeof(b), memory, bytes, &c, NULL),
	      EINVAL, "nothing to convert");
	FAULT(&w, fair_sched_convert(&b, sizeof(b), memory, bytes - 1, &c,
				     &w.s), ENOMEM, "one byte less");
	free(memory);
	c.jobs = 4;
	CONVERT(&w, c, ENOSPC, "for those that wait");
	c.jobs = 1;
	CONVERT(&w, c, ENOSPC, "for those that run");
	c.jobs = 5;
	CONVERT(&w, c, ENOSPC, "for ineligible jobs");
	c.policy = FAIR_SFS + 100;
	c.jobs = JOBS;
	c.ineligible = 1;
	memory = malloc(bytes);
	FAULT(&w, fair_sched_convert(&b, sizeof(b), memory, bytes, &c, &w.s),
	      EINVAL, "no such policy");
	free(memory);
	j.account = 1;
	TEST_EQ(fair_sched_submit(&w.s, 5, &j), 0);
	keep(&w);
	c.policy = FAIR_CONSERVATIVE;
	CONVERT(&w, c, EOVERFLOW, "the horizon");
	TEST_EQ(fair_sched_cancel(&w.s, 5, 50), 0);
	j.walltime = 10;
	TEST_EQ(fair_sched_submit(&w.s, 5, &j), 0);
	keep(&w);
	c.policy = FAIR_SFS;
	CONVERT(&w, c, ENOENT, "no such account");
	TEST_EQ(fair_sched_cancel(&w.s, 5, 50), 0);
	j.account = 0;
	j.user = 1;
	j.procs = 4;
	TEST_EQ(fair_sched_submit(&w.s, 5, &j), 0);
	keep(&w);
	TEST_EQ(fair_sched_defer(&w.s, 5, 50, until(3, FAIR_AFTER_ANY)), 0);
	TEST_EQ(fair_sched_modify(&w.s, 5, 50, 3, 10), 0);
	c.policy = FAIR_RELSHARE;
	c.ineligible = 2;
	c.users = 1;
	keep(&w);
	CONVERT(&w, c, ENOENT, "no such user, ineligible");
	c.ineligible = 1;
	c.users = 2;
	TEST_EQ(fair_sched_modify(&w.s, 5, 50, 4, 10), 0);
	TEST_EQ(fair_sched_defer(&w.s, 5, 50, NULL), 0);
	keep(&w);
	c.policy = FAIR_MAUI;
	CONVERT(&w, c, ERANGE, "never, waiting");
	TEST_EQ(fair_sched_finish(&w.s, 5, 1), 0);
	TEST_EQ(fair_sched_finish(&w.s, 5, 2), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 5, 3), 0);
	TEST_EQ(fair_sched_cancel(&w.s, 5, 4), 0);
	TEST_EQ(step(&w, 5), 50);
	keep(&w);
	CONVERT(&w, c, ERANGE, "never, running");
	c.policy = FAIR_RELSHARE;
	c.users = 1;
	CONVERT(&w, c, ENOENT, "no such user");
	close_world(&w);
	open_world(&w, FAIR_BACKFILL, 0, 1);
	submit(&w, 0, 1, INT64_C(1) << 33, 1);
	TEST_EQ(step(&w, 0), 1);
	keep(&w);
	c = config_of(FAIR_DC);
	CONVERT(&w, c, EOVERFLOW, "the horizon, running");
	close_world(&w);
	open_scene(&w, FAIR_BACKFILL, 1);
	CONVERT(&w, c, ENOSPC, "for advance reservations");
	close_world(&w);
	TEST_CHECK(!memcmp(&b, &was, sizeof(was)));
}

/* One that ends now has not been told to have; two do, and one finishes. */
TEST(ends_at_the_horizon_now)
{
	struct fair_config c = config_of(FAIR_BACKFILL);
	struct fair_job_status j;
	struct fair_sched b;
	size_t bytes;
	uint32_t policy;
	struct world w;
	void *memory;

	open_world_of(&w, &c);
	submit(&w, 0, 1, 10, 6);
	submit(&w, 0, 2, 10, 4);
	TEST_EQ(step(&w, 0), 12);
	TEST_EQ(fair_sched_finish(&w.s, 10, 1), 0);
	for (policy = 0; policy < FAIR_MAUI; policy++) {
		c = config_of(policy);
		memory = bytes_of(&c, &bytes);
		TEST_OK(fair_sched_convert(&b, sizeof(b), memory, bytes, &c,
					   &w.s));
		TEST_EQ(fair_sched_check(&b), 0);
		TEST_EQ(fair_sched_lookup(&b, 2, &j), 0);
		TEST_EQ(j.end, 10);
		TEST_EQ(fair_sched_finish(&b, 10, 2), 0);
		TEST_EQ(fair_sched_check(&b), 0);
		TEST_EQ(b.jobs, 0);
		free(memory);
	}
	close_world(&w);
}

static void of_load(struct world *w, unsigned char *checkpoint, size_t length)
{
	struct fair_config c = w->config, bad = c;
	struct fair_sched s, was;
	int damage = -1;
	size_t bytes;
	void *memory = bytes_of(&c, &bytes);

	bad.procs = 0;
	memset(&s, 0x5a, sizeof(s));
	was = s;
	FAULT(w,
	      fair_sched_load(NULL, sizeof(s), memory, bytes, &c, checkpoint,
			      length, NULL),
	      EINVAL, "no scheduler");
	FAULT(w,
	      fair_sched_load(&s, sizeof(s) - 1, memory, bytes, &c, checkpoint,
			      length, NULL),
	      EINVAL, "of another size");
	FAULT(w,
	      fair_sched_load(&s, sizeof(s), NULL, bytes, &c, checkpoint,
			      length, NULL),
	      EINVAL, "no memory");
	FAULT(w,
	      fair_sched_load(&s, sizeof(s), memory, bytes, NULL, checkpoint,
			      length, NULL),
	      EINVAL, "no config");
	FAULT(w,
	      fair_sched_load(&s, sizeof(s), memory, bytes, &bad, checkpoint,
			      length, NULL),
	      EINVAL, "no such config");
	FAULT(w,
	      fair_sched_load(&s, sizeof(s), memory, bytes, &c, NULL, length,
			      &damage),
	      EINVAL, "no checkpoint");
	TEST_EQ(damage, 0);
	FAULT(w,
	      fair_sched_load(&s, sizeof(s), memory, bytes, &c, checkpoint,
			      length - 1, &damage),
	      EINVAL, "one byte is missing");
	TEST_EQ(damage, FAIR_CHECKPOINT_CUT);
	damage = -1;
	FAULT(w,
	      fair_sched_load(&s, sizeof(s), memory, bytes - 1, &c, checkpoint,
			      length, &damage),
	      ENOMEM, "one byte less");
	TEST_EQ(damage, 0);
	free(memory);
	if (c.advances) {
		c.advances = 1;
		LOAD(w, c, ENOSPC, "for advance reservations");
	} else {
		c.ineligible = 0;
		LOAD(w, c, ENOSPC, "for ineligible jobs");
	}
	c = w->config;
	c.jobs = 4;
	LOAD(w, c, ENOSPC, "for jobs");
	TEST_CHECK(!memcmp(&s, &was, sizeof(was)));
}

static void of_growth(struct world *w)
{
	struct fair_config c = w->config;
	size_t bytes = fair_sched_grow_size(&w->s, &c);
	void *memory = malloc(bytes);

	FAULT(w, fair_sched_grow(&w->s, NULL, bytes, &c), EINVAL, "no memory");
	FAULT(w, fair_sched_grow(&w->s, memory, bytes - 1, &c),
	      ENOMEM, "one byte less");
	c.jobs = 4;
	FAULT(w, fair_sched_grow(&w->s, memory, bytes, &c),
	      ENOSPC, "for jobs");
	free(memory);
}

static void of_checkpoint(struct world *w)
{
	size_t length = fair_sched_checkpoint_size(&w->s);
	unsigned char *checkpoint = (unsigned char *)malloc(length);
	struct fair_config c, was;
	int damage = -1;

	TEST_REQUIRE(checkpoint);
	memset(&c, 0x5a, sizeof(c));
	was = c;
	FAULT(w, fair_sched_save(&w->s, NULL, length),
	      EINVAL, "nowhere to write");
	FAULT(w, fair_sched_save(&w->s, checkpoint, length - 1), ENOSPC,
	      "one byte less");
	TEST_EQ(fair_sched_save(&w->s, checkpoint, length), 0);
	TEST_CHECK(unchanged(w));
	FAULT(w, fair_sched_checkpoint_config(NULL, length, &c, &damage),
	      EINVAL, "no checkpoint");
	TEST_EQ(damage, 0);
	FAULT(w,
	      fair_sched_checkpoint_config(checkpoint, length, NULL, &damage),
	      EINVAL, "nowhere to write");
	checkpoint[length / 2] ^= 1;
	FAULT(w, fair_sched_checkpoint_config(checkpoint, length, &c, &damage),
	      EINVAL, "damaged");
	TEST_EQ(damage, FAIR_CHECKPOINT_CHECKSUM);
	FAULT(w,
	      fair_sched_load(&w->s, sizeof(w->s), w->memory, w->bytes,
			      &w->config, checkpoint, length, &damage),
	      EINVAL, "damaged");
	checkpoint[length / 2] ^= 1;
	TEST_CHECK(!memcmp(&c, &was, sizeof(was)));
	of_load(w, checkpoint, length);
	of_growth(w);
	free(checkpoint);
}

TEST(checkpoints)
{
	struct fair_advance b = { 8, 100, 130, 6, FAIR_ADVANCE_MAINTENANCE, 0, 0, { 0 }, 0, 0 };
	uint32_t policy, advances;
	struct world w;

	for (policy = 0; policy < POLICIES; policy++)
		for (advances = 0; advances <= 2; advances += 2) {
			open_scene(&w, policy, advances);
			if (advances)
				TEST_EQ(fair_sched_advance_reserve(&w.s, 5, &b, true), 0);
			keep(&w);
			of_checkpoint(&w);
			close_world(&w);
		}
}
