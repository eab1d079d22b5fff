/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Fairness over several resources in the scheduler: the order by dominant share,
 * and usage, occupancies and entitlements with weights for each resource.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/world.h"

/* 9 processors and 18 GB, the example of the paper on DRF. */
static const int32_t paper[] = { 9, 18 };
static const struct fair_machine_config machine = { 2, 1, 0, paper };

static void open_site(struct world *w, uint32_t order,
		      const struct fair_machine_config *m, int32_t procs,
		      const struct fair_billing *billing, int64_t half_life)
{
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = order,
				 .procs = procs,
				 .machine = m,
				 .billing = billing,
				 .half_life = half_life,
				 .jobs = 40,
				 .users = 3 };

	open_world_of(w, &c);
}

static void ask(struct world *w, int64_t now, uint64_t number, uint32_t user,
		int64_t walltime, int32_t procs, int32_t memory)
{
	const int32_t amount[] = { 0, memory };
	struct fair_job j = a_job(number, now, walltime, procs);

	j.user = user;
	if (w->config.machine)
		j.amount = amount;
	TEST_OK(fair_sched_submit(&w->s, now, &j));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

/*
 * [DRF] 4.1: tasks of A need <1 processor, 4 GB>, those of B <3, 1 GB>. A gets
 * three and B two, in the order A B A B A, and each has 2/3 of its dominant
 * resource. By usage of processors alone A would get all four tasks, then B one.
 */
TEST(the_example_of_the_paper)
{
	static const uint32_t order[] = { FAIR_ORDER_DOMINANT,
					  FAIR_ORDER_USAGE };
	struct world w;
	uint64_t i, k;

	for (k = 0; k < 2; k++) {
		open_site(&w, order[k], &machine, 9, NULL, 0);
		for (i = 1; i < 5; i++) {
			ask(&w, 0, i, 0, 100, 1, 4);
			ask(&w, 0, 4 + i, 1, 100, 3, 1);
		}
		TEST_EQ(step(&w, 0), k ? 15234 : 15263);
		close_world(&w);
	}
}

/* The same if two classes have them: shares are of all that there is. */
TEST(the_example_in_two_classes)
{
	static const int32_t amount[] = { 1, 8, 8, 10 };
	static const struct fair_machine_config classes = { 2, 2, 0, amount };
	struct world w;
	uint64_t i;

	open_site(&w, FAIR_ORDER_DOMINANT, &classes, 9, NULL, 0);
	for (i = 1; i < 5; i++) {
		ask(&w, 0, i, 0, 100, 1, 4);
		ask(&w, 0, 4 + i, 1, 100, 3, 1);
	}
	TEST_EQ(step(&w, 0), 15263);
	close_world(&w);
}

/* Of one pool the dominant resource is its processors. */
TEST(one_pool)
{
	struct world w, x;
	uint64_t seed = 3, i;

	open_site(&w, FAIR_ORDER_USAGE, NULL, 10, NULL, 500);
	open_site(&x, FAIR_ORDER_DOMINANT, NULL, 10, NULL, 500);
	for (i = 1; i < 30; i++) {
		uint32_t user = (uint32_t)test_range(&seed, 0, 2);
		int64_t walltime = test_range(&seed, 100, 400);
		int32_t procs = (int32_t)test_range(&seed, 1, 10);

		ask(&w, 0, i, user, walltime, procs, 0);
		ask(&x, 0, i, user, walltime, procs, 0);
	}
	TEST_EQ(step(&w, 0), step(&x, 0));
	TEST_EQ(fair_sched_digest(&w.s), fair_sched_digest(&x.s));
	close_world(&w);
	close_world(&x);
}

/* A job that ended is charged what it ran, and a longer walltime at once. */
TEST(final_charges)
{
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 0);
	ask(&w, 0, 1, 0, 100, 1, 9);
	ask(&w, 0, 2, 1, 30, 1, 9);
	TEST_EQ(step(&w, 0), 12);
	TEST_OK(fair_sched_finish(&w.s, 10, 1)); /* 90 GB s; B is charged 270 */
	ask(&w, 10, 3, 0, 10, 1, 9);
	ask(&w, 10, 4, 1, 10, 1, 9);
	TEST_EQ(step(&w, 10), 3); /* of A; now 180 */
	TEST_OK(fair_sched_modify(&w.s, 12, 3, 1, 90)); /* 90 + 810 */
	TEST_OK(fair_sched_finish(&w.s, 20, 2)); /* B: 180 */
	ask(&w, 20, 5, 0, 10, 1, 9);
	TEST_EQ(step(&w, 20), 4);
	close_world(&w);
}

static struct fair_sched loaded(const struct world *w, char *memory,
				const struct fair_config *config, int expected)
{
	size_t bytes = fair_sched_checkpoint_size(&w->s);
	unsigned char *file = (unsigned char *)malloc(bytes);
	struct fair_sched s = w->s;
	int damage = 0;

	TEST_OK(fair_sched_save(&w->s, file, bytes));
	TEST_EQ(fair_sched_load(&s, sizeof(s), memory, w->bytes, config, file,
				bytes, &damage),
		expected);
	free(file);
	return s;
}

static void has_used(const struct fair_sched *s, uint32_t user, uint64_t procs,
		     uint64_t memory)
{
	const struct fair_charge *c =
		(const struct fair_charge *)ledger_of(s, "usage");
	uint64_t used[2], fraction;

	for (uint32_t r = 0; r < 2; r++) {
		TEST_OK(fair_usage_charged(&c[r].usage, user,
					   s->now - s->config.origin, &used[r],
					   &fraction));
		TEST_EQ(fraction, 0);
	}
	TEST_EQ(used[0], procs);
	TEST_EQ(used[1], memory);
}

/* A ledger that would overflow makes room: that of memory alone. */
TEST(a_ledger_makes_room)
{
	static const int32_t much[] = { 9, INT32_MAX };
	static const struct fair_machine_config large = { 2, 1, 0, much };
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &large, 9, NULL, 0);
	ask(&w, 0, 1, 0, INT64_C(1) << 30, 1, INT32_MAX - 8);
	ask(&w, 0, 2, 1, 5, 1, 1);
	TEST_EQ(step(&w, 0), 12);
	TEST_OK(fair_sched_finish(&w.s, 2, 1));
	has_used(&w.s, 0, 2, (INT32_MAX - 8) / 2 + 1); /* of 4 units each */
	ask(&w, 2, 3, 0, 5, 9, 1);
	ask(&w, 2, 4, 1, 5, 9, 1); /* B has used 1 / 3 s, A 2 s: first */
	TEST_OK(fair_sched_finish(&w.s, 3, 2));
	TEST_EQ(step(&w, 3), 4);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* A charge that makes room finds others: they are charged again. */
TEST(room_beside_a_running_job)
{
	static const int32_t much[] = { 9, INT32_MAX };
	static const struct fair_machine_config large = { 2, 1, 0, much };
	struct fair_sched s;
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &large, 9, NULL, 0);
	ask(&w, 0, 1, 1, 5, 1, 9);
	ask(&w, 0, 2, 0, INT64_C(1) << 30, 1, INT32_MAX - 9);
	TEST_EQ(step(&w, 0), 12);
	s = loaded(&w, w.kept, &w.config, 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_OK(fair_sched_finish(&s, 2, 1));
	has_used(&s, 1, 2, 2 * 3); /* of 4 units each */
	TEST_OK(fair_sched_finish(&s, 2, 2));
	has_used(&s, 0, 2, 2 * ((INT32_MAX - 9) / 4 + 1));
	close_world(&w);
}

static struct fair_charge *charges_of(const struct world *w)
{
	return (struct fair_charge *)ledger_of(&w->s, "usage");
}

/* The unit of a resource is as coarse as a charge may make it. */
static void coarsen(struct world *w, uint32_t r)
{
	while (charges_of(w)[r].coarse < FAIR_COARSEST - 3)
		fair_charge_coarsen(&w->s, charges_of(w), r);
}

/* Where memory has no room left a job is charged for no resource. */
TEST(a_full_ledger)
{
	struct fair_usage *memory;
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 0);
	ask(&w, 0, 1, 0, 100, 1, 1);
	ask(&w, 0, 2, 0, 100, 3, 1);
	coarsen(&w, 1);
	memory = &charges_of(&w)[1].usage;
	TEST_OK(fair_usage_charge_provisional(memory, 2, INT64_C(1) << 25,
					      INT64_C(1) << 34));
	TEST_EQ(next_start(&w, 0), 1);
	TEST_EQ(next_start(&w, 0), 2);
	TEST_OK(fair_usage_cancel_provisional(memory, 2, INT64_C(1) << 25,
					      INT64_C(1) << 34));
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_OK(fair_sched_modify(&w.s, 10, 2, 3, 50));
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_OK(fair_sched_finish(&w.s, 20, 2));
	has_used(&w.s, 0, 0, 0);
	close_world(&w);
}

/* All resources get another half-life, or none: each leaves room for that. */
TEST(another_half_life)
{
	uint64_t used, fraction;
	struct world w;
	uint32_t r;

	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 0);
	ask(&w, 0, 1, 0, 100, 8, 16);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 1, 1));
	TEST_OK(fair_sched_set_half_life(&w.s, 1, 10));
	for (r = 0; r < 2; r++) { /* an eighth of 8 and of 16, almost */
		TEST_OK(fair_usage_charged(&charges_of(&w)[r].usage, 0, 31,
					   &used, &fraction));
		TEST_EQ(used, r);
	}
	close_world(&w);
	for (r = 0; r < 2; r++) {
		open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 0);
		coarsen(&w, r);
		TEST_EQ(fair_sched_set_half_life(&w.s, 0, 10),
			-FAIR_EOVERFLOW);
		charges_of(&w)[r].coarse--;
		TEST_OK(fair_sched_set_half_life(&w.s, 0, 10));
		close_world(&w);
	}
}

/* Usage of 2^57 resource-seconds and more can get another half-life. */
TEST(much_usage_gets_another_half_life)
{
	static const int32_t much[] = { 9, INT32_MAX };
	static const struct fair_machine_config large = { 2, 1, 0, much };
	uint64_t digest, i;
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &large, 9, NULL, 0);
	for (i = 0; i < 4; i++) {
		int64_t now = (int64_t)i << 26, end = (int64_t)(i + 1) << 26;

		ask(&w, now, i + 1, 0, INT64_C(1) << 26, 1, INT32_MAX);
		TEST_EQ(step(&w, now), i + 1);
		TEST_OK(fair_sched_finish(&w.s, end, i + 1));
		digest = fair_sched_digest(&w.s);
		TEST_OK(fair_sched_set_half_life(&w.s, end, i & 1 ? 500 : 0));
		TEST_EQ(fair_sched_digest(&w.s), digest);
		TEST_EQ(fair_sched_check(&w.s), 0);
	}
	close_world(&w);
}

/* The charge of a running job in a coarse unit changes with its walltime. */
TEST(a_longer_walltime_in_a_coarse_unit)
{
	static const int32_t much[] = { 9, INT32_MAX };
	static const struct fair_machine_config large = { 2, 1, 0, much };
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &large, 9, NULL, 0);
	ask(&w, 0, 1, 0, INT64_C(1) << 30, 1, INT32_MAX - 8);
	ask(&w, 0, 2, 1, 5, 8, 1);
	TEST_EQ(step(&w, 0), 12);
	TEST_OK(fair_sched_modify(&w.s, 1, 1, 1, 20));
	TEST_OK(fair_sched_finish(&w.s, 5, 2));
	ask(&w, 5, 3, 1, 5, 8, 1);
	ask(&w, 5, 4, 0, 5, 8, 1); /* A is charged 20 s, B has used 40 / 9 */
	TEST_EQ(step(&w, 5), 3);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* No node has any of the second resource: it is the dominant one of no user. */
TEST(a_resource_that_no_node_has)
{
	static const int32_t none[] = { 9, 0 };
	static const struct fair_machine_config bare = { 2, 1, 0, none };
	struct world w;
	int decays;

	for (decays = 0; decays < 2; decays++) {
		open_site(&w, FAIR_ORDER_DOMINANT, &bare, 9, NULL,
			  decays * 1000);
		ask(&w, 0, 1, 0, 100, 5, 0);
		TEST_EQ(step(&w, 0), 1);
		ask(&w, 0, 2, 0, 100, 4, 0);
		ask(&w, 0, 3, 1, 100, 4, 0); /* B has used nothing: first */
		TEST_EQ(step(&w, 0), 3);
		close_world(&w);
	}
}

static void open_users(struct world *w)
{
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_DOMINANT,
				 .procs = 9,
				 .machine = &machine,
				 .jobs = 40,
				 .users = 2,
				 .ids = 1 };

	open_world_of(w, &c);
	TEST_OK(fair_sched_add_entity(&w->s, 0, FAIR_ENTITY_USER, 70));
	TEST_OK(fair_sched_add_entity(&w->s, 0, FAIR_ENTITY_USER, 80));
}

/* Usage is told and set in processor-seconds. */
TEST(usage_of_a_user)
{
	struct fair_entity e;
	struct world w;

	open_users(&w);
	ask(&w, 0, 1, 70, 10, 3, 18);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 5, 1));
	TEST_OK(fair_sched_get_entity(&w.s, FAIR_ENTITY_USER, 70, &e));
	TEST_EQ(e.usage, 15);
	TEST_EQ(fair_sched_remove_entity(&w.s, 5, FAIR_ENTITY_USER, 70),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_set_share(&w.s, 5, FAIR_ENTITY_USER, 70, 0),
		-FAIR_EINVAL);
	TEST_OK(fair_sched_add_entity(&w.s, 5, FAIR_ENTITY_GROUP, 6));
	TEST_EQ(fair_sched_set_usage(&w.s, 5, FAIR_ENTITY_GROUP, 6, 0),
		-FAIR_EINVAL);
	ask(&w, 5, 2, 70, 10, 9, 1);
	ask(&w, 5, 3, 80, 10, 9, 1);
	ask(&w, 5, 4, 80, 10, 9, 1);
	TEST_EQ(step(&w, 5), 3);
	TEST_OK(fair_sched_finish(&w.s, 6, 3)); /* of memory 70 has used more */
	TEST_OK(fair_sched_set_usage(&w.s, 6, FAIR_ENTITY_USER, 70, 0));
	TEST_EQ(step(&w, 6), 2);
	TEST_OK(fair_sched_finish(&w.s, 16, 2));
	TEST_OK(fair_sched_reset_usage(&w.s, 16));
	TEST_OK(fair_sched_get_entity(&w.s, FAIR_ENTITY_USER, 70, &e));
	TEST_EQ(e.usage, 0);
	close_world(&w);
}

/* Without ids a user is a number, and only those below config.users are. */
TEST(an_unknown_user)
{
	struct fair_entity e = { .usage = 77 };
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 0);
	TEST_EQ(fair_sched_get_entity(&w.s, FAIR_ENTITY_USER, 3, &e),
		-FAIR_ENOENT);
	TEST_EQ(fair_sched_get_entity(&w.s, FAIR_ENTITY_USER,
				      UINT64_C(1) << 32, &e),
		-FAIR_ENOENT);
	TEST_EQ(e.usage, 77);
	TEST_OK(fair_sched_get_entity(&w.s, FAIR_ENTITY_USER, 2, &e));
	TEST_EQ(e.usage, 0);
	close_world(&w);
}

static uint64_t used_by(const struct fair_sched *s, uint64_t user)
{
	struct fair_entity e;

	TEST_OK(fair_sched_get_entity(s, FAIR_ENTITY_USER, user, &e));
	return e.usage;
}

/* The same jobs as those of @a, by another order. */
static void convert(struct fair_sched *b, char *memory, size_t bytes,
		    uint32_t order, const struct fair_sched *a)
{
	struct fair_config c = a->config;

	c.order = order;
	TEST_OK(fair_sched_convert(b, sizeof(*b), memory, bytes, &c, a));
	TEST_EQ(fair_sched_check(b), 0);
}

/* Processor-seconds of a caller stand for the same share of each resource. */
TEST(set_and_credited)
{
	static const int32_t much[] = { 9, INT32_MAX };
	static const struct fair_machine_config large = { 2, 1, 0, much };
	static const int32_t equal[] = { 9, 9 }, more[] = { 9, 576 };
	static const int32_t ratio[] = { 1, 1 << 30 };
	static const struct fair_machine_config one = { 2, 1, 0, ratio };
	static const struct fair_machine_config few = { 2, 1, 0, equal };
	static const struct fair_machine_config many = { 2, 1, 0, more };
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 0);
	ask(&w, 0, 1, 0, 10, 3, 18);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 5, 1));
	has_used(&w.s, 0, 15, 90);
	TEST_OK(fair_sched_set_usage(&w.s, 5, FAIR_ENTITY_USER, 0, 36));
	has_used(&w.s, 0, 36, 72);
	TEST_OK(fair_sched_set_usage(&w.s, 5, FAIR_ENTITY_USER, 1, 40));
	TEST_OK(fair_sched_credit(&w.s, 5, FAIR_ENTITY_USER, 1, 5, 0));
	has_used(&w.s, 1, 35, 70);
	ask(&w, 5, 2, 0, 10, 9, 1);
	ask(&w, 5, 3, 1, 10, 9, 1);
	TEST_EQ(step(&w, 5), 3); /* 35 / 9 is less than 36 / 9 */
	TEST_OK(fair_sched_credit(&w.s, 5, FAIR_ENTITY_USER, 0, 37, 0));
	has_used(&w.s, 0, 0, 0);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);

	open_site(&w, FAIR_ORDER_DOMINANT, &large, 9, NULL, 0);
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 0, 8));
	has_used(&w.s, 0, 8, UINT64_C(8) * INT32_MAX / 9);
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 0,
				     UINT64_C(1) << 32));
	has_used(&w.s, 0, UINT64_C(1) << 32,
		 (UINT64_C(1) << 31) * INT32_MAX / 9);
	TEST_OK(fair_sched_credit(&w.s, 0, FAIR_ENTITY_USER, 0, UINT64_MAX, 0));
	has_used(&w.s, 0, 0, 0);
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 0,
				     UINT64_C(1) << 34));
	has_used(&w.s, 0, UINT64_C(1) << 34,
		 (UINT64_C(1) << 31) * INT32_MAX / 9);
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 0,
				     UINT64_C(1) << 58));
	has_used(&w.s, 0, UINT64_C(1) << 58,
		 (UINT64_C(1) << 31) * INT32_MAX / 9);
	close_world(&w);

	open_site(&w, FAIR_ORDER_DOMINANT, &few, 9, NULL, 0);
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 0,
				     (UINT64_C(1) << 58) + 1));
	has_used(&w.s, 0, (UINT64_C(1) << 58) + 1, (UINT64_C(1) << 58) + 1);
	close_world(&w);

	/* 2^30 times as much of it as of processors. */
	open_site(&w, FAIR_ORDER_DOMINANT, &one, 1, NULL, 0);
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 0,
				     UINT64_C(1) << 40));
	has_used(&w.s, 0, UINT64_C(1) << 40, UINT64_C(1) << (70 - 12));
	close_world(&w);

	/* 64 times as much: in units of 64. */
	open_site(&w, FAIR_ORDER_DOMINANT, &many, 9, NULL, 0);
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 0,
				     UINT64_C(1) << 58));
	has_used(&w.s, 0, UINT64_C(1) << 58, UINT64_C(1) << 58);
	close_world(&w);
}

/* @share times @amount, as a number in base 2^32 from its lowest digit on. */
static void multiply(struct fair_share share, uint64_t amount,
		     uint32_t digit[9])
{
	const uint64_t word[2] = { share.fraction, share.whole };
	uint64_t add;
	uint32_t i, k, at;

	memset(digit, 0, 9 * sizeof(*digit));
	for (i = 0; i < 128; i++)
		for (k = 0; word[i / 64] >> i % 64 & 1 && k < 64; k++) {
			at = i + k + share.coarse;
			add = (amount >> k & 1) << at % 32;
			for (at /= 32; add; at++) {
				add += digit[at];
				digit[at] = (uint32_t)add;
				add >>= 32;
			}
		}
}

static bool is_less(struct fair_share a, struct fair_share b)
{
	uint32_t x[9], y[9], i = 8;

	multiply(a, b.amount, x);
	multiply(b, a.amount, y);
	while (i && x[i] == y[i])
		i--;
	return x[i] < y[i];
}

static struct fair_share draw_share(uint64_t *seed)
{
	struct fair_share x;

	x.whole = test_random(seed) >> test_range(seed, 5, 63);
	x.fraction = test_random(seed);
	x.amount = 1 + (test_random(seed) >> test_range(seed, 27, 63));
	x.coarse = (uint32_t)test_range(seed, 0, FAIR_COARSEST);
	return x;
}

/* The share @x, or one that is almost as large, in a finer unit. */
static struct fair_share draw_finer(uint64_t *seed, struct fair_share *x)
{
	struct fair_share y = *x;
	uint32_t n = (uint32_t)test_range(seed, 1, FAIR_COARSEST);

	x->whole >>= n;
	x->coarse = (uint32_t)test_range(seed, n, FAIR_COARSEST);
	y.whole = x->whole << n | x->fraction >> (64 - n);
	y.fraction = x->fraction << n;
	y.fraction += (uint64_t)test_range(seed, 0, 1);
	y.coarse = x->coarse - n;
	return y;
}

/* Shares of any amounts in any units are compared exactly. */
TEST(any_shares)
{
	const struct fair_share large = { UINT64_C(1) << 58, 0, 1, 60 };
	const struct fair_share of_much = { 1, 0, UINT64_C(1) << 37, 0 };
	struct fair_share a, b;
	uint64_t seed = 11;
	int i;

	/* A product of 220 bits. */
	TEST_CHECK(!fair_share_is_less(large, of_much));
	TEST_CHECK(fair_share_is_less(of_much, large));
	for (i = 0; i < 1000; i++) {
		a = b = draw_share(&seed);
		if (i % 4)
			b = draw_share(&seed);
		if (i % 4 == 1)
			b.coarse = a.coarse;
		if (i % 4 == 2)
			b = draw_finer(&seed, &a);
		TEST_EQ(fair_share_is_less(a, b), is_less(a, b));
		TEST_EQ(fair_share_is_less(b, a), is_less(b, a));
	}
}

/* To the nearest 2^-32 s of all that there is. */
TEST(rounded_shares)
{
	static const struct fair_share share[] = {
		{ 35, UINT64_MAX, 9, 0 },
		{ 4, UINT64_C(1) << 35, 8, 3 },
		{ 3, UINT64_C(0x7fffffff), 1, 0 },
		{ 3, UINT64_C(0x80000000), 1, 0 },
		{ 1, 0, 3, 0 },
		{ 1, 0, 3, 1 },
	};
	static const struct fair_share rounded[] = {
		{ 4, 0, 1, 0 },
		{ 4, UINT64_C(1) << 35, 1, 0 },
		{ 3, 0, 1, 0 },
		{ 3, UINT64_C(1) << 32, 1, 0 },
		{ 0, UINT64_C(0x55555555) << 32, 1, 0 },
		{ 0, UINT64_C(0xaaaaaaab) << 32, 1, 0 },
	};
	struct fair_share r;
	size_t i;

	for (i = 0; i < sizeof(share) / sizeof(*share); i++) {
		r = fair_share_round(share[i]);
		TEST_EQ(r.whole, rounded[i].whole);
		TEST_EQ(r.fraction, rounded[i].fraction);
		TEST_EQ(r.amount, 1);
		TEST_EQ(r.coarse, 0);
	}
}

/*
 * Equal shares of two resources tie, by number: for 103 s A has 2 of 9
 * processors, and B 4 of 18 GB. Neither sum is an integer, at whatever time of
 * whatever half-life it is read; a second more or less of a job is no tie.
 */
static void read_equal_shares(int64_t half_life, int64_t now, uint32_t first)
{
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, half_life);
	ask(&w, 0, 1, 0, 200, 2, 0);
	ask(&w, 0, 2, 1, 200, 1, 4);
	TEST_EQ(step(&w, 0), 12);
	TEST_OK(fair_sched_finish(&w.s, 103, 1));
	TEST_OK(fair_sched_finish(&w.s, 103, 2));
	ask(&w, now, 3, first, 103, 9, 0);
	ask(&w, now, 4, !first, 103, 9, 0);
	TEST_EQ(step(&w, now), 3);
	TEST_OK(fair_sched_finish(&w.s, now + 1, 3));
	ask(&w, now + 1, 5, first, 103, 9, 0);
	TEST_EQ(step(&w, now + 1), 4);
	close_world(&w);
}

TEST(equal_shares)
{
	static const int64_t half_life[] = { 0, 1, 7, 103, 3600, 7 * 86400 };
	uint32_t i;

	for (i = 0; i < 2 * 6; i++) {
		read_equal_shares(half_life[i / 2], 103, i % 2);
		read_equal_shares(half_life[i / 2], 104, i % 2);
		read_equal_shares(half_life[i / 2], 117, i % 2);
	}
}

/* Digest of a random workload whose memory is told in units of 1/@unit GB. */
static uint64_t digest_in_units(int32_t unit, int64_t half_life)
{
	const int32_t amount[] = { 9, 18 * unit };
	const struct fair_machine_config m = { 2, 1, 0, amount };
	struct fair_decision start[9];
	uint64_t seed = 5, i, digest;
	size_t n, k, running = 0;
	uint64_t runs[40];
	struct world w;

	open_site(&w, FAIR_ORDER_DOMINANT, &m, 9, NULL, half_life);
	for (i = 1; i < 2000; i++) {
		int64_t now = (int64_t)i * 20;

		while (running && (w.s.jobs > 30 || test_range(&seed, 0, 2))) {
			k = (size_t)test_random(&seed) % running;
			TEST_OK(fair_sched_finish(&w.s, now, runs[k]));
			runs[k] = runs[--running];
		}
		ask(&w, now, i, (uint32_t)test_range(&seed, 0, 2),
		    (int64_t)test_range(&seed, 1, 20) * 100,
		    (int32_t)test_range(&seed, 1, 4),
		    (int32_t)test_range(&seed, 0, 8) * unit);
		TEST_OK(fair_sched_step(&w.s, now, start, 9, &n));
		while (n--)
			runs[running++] = start[n].number;
		if (i % 50 == 0)
			TEST_OK(fair_sched_credit(&w.s, now, FAIR_ENTITY_USER,
						  i / 50 % 3, 900, 0));
	}
	digest = fair_sched_digest(&w.s);
	close_world(&w);
	return digest;
}

TEST(units_do_not_matter)
{
	static const int64_t half_life[] = { 0, 1000, 100000 };

	for (int i = 0; i < 3; i++) {
		uint64_t digest = digest_in_units(1, half_life[i]);

		TEST_EQ(digest_in_units(7, half_life[i]), digest);
		TEST_EQ(digest_in_units(1000, half_life[i]), digest);
		TEST_EQ(digest_in_units(1 << 20, half_life[i]), digest);
	}
}

/* Processor-seconds are kept, also those of what runs, and are counted once. */
TEST(usage_of_a_conversion)
{
	struct fair_sched s, t;
	struct world w;
	char *memory;
	size_t bytes;

	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 0);
	bytes = 2 * w.bytes;
	memory = (char *)malloc(2 * bytes);
	ask(&w, 0, 1, 0, 100, 3, 18);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 5, 1));
	ask(&w, 5, 2, 0, 100, 2, 1);
	ask(&w, 5, 3, 1, 100, 4, 1);
	TEST_EQ(step(&w, 5), 32);
	TEST_OK(fair_sched_pass_time(&w.s, 15));
	TEST_EQ(used_by(&w.s, 0), 15);
	convert(&s, memory, bytes, FAIR_ORDER_USAGE, &w.s);
	TEST_EQ(used_by(&s, 0), 15 + 20);
	TEST_EQ(used_by(&s, 1), 40);
	TEST_OK(fair_sched_pass_time(&s, 16));
	convert(&t, memory + bytes, bytes, FAIR_ORDER_USAGE, &s);
	TEST_EQ(used_by(&t, 0), 15 + 20 + 2);
	TEST_OK(fair_sched_finish(&t, 17, 2));
	TEST_EQ(used_by(&t, 0), 15 + 20 + 2 + 2);
	convert(&s, memory, bytes, FAIR_ORDER_DOMINANT, &t);
	has_used(&s, 0, 39, 78); /* nothing is known of its memory */
	TEST_OK(fair_sched_pass_time(&w.s, 20));
	convert(&s, memory, bytes, FAIR_ORDER_DOMINANT, &w.s);
	has_used(&s, 0, 15 + 30, 90 + 15);
	has_used(&s, 1, 60, 15);
	free(memory);
	close_world(&w);
}

/* What is left of a processor-second is kept, too. */
TEST(a_fraction_of_a_conversion)
{
	struct fair_entity e, was;
	struct fair_sched s;
	struct world w;
	char *memory;

	open_site(&w, FAIR_ORDER_USAGE, &machine, 9, NULL, 10);
	memory = (char *)malloc(2 * w.bytes);
	ask(&w, 0, 1, 0, 100, 1, 1);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 4, 1));
	TEST_OK(fair_sched_pass_time(&w.s, 34));
	TEST_OK(fair_sched_get_entity(&w.s, FAIR_ENTITY_USER, 0, &was));
	TEST_CHECK(was.usage == 0 && was.fraction > 0);
	convert(&s, memory, 2 * w.bytes, FAIR_ORDER_DOMINANT, &w.s);
	TEST_OK(fair_sched_get_entity(&s, FAIR_ENTITY_USER, 0, &e));
	TEST_CHECK(e.usage == 0 && e.fraction == was.fraction);
	free(memory);
	close_world(&w);
}

/* What is used of each of three resources, and the fraction of it, is kept. */
TEST(a_third_resource_of_a_conversion)
{
	static const int32_t amount[] = { 9, 18, 36 }, asked[] = { 0, 2, 30 };
	static const struct fair_machine_config three = { 3, 1, 0, amount };
	uint64_t whole[2], fraction[2];
	struct fair_job j = a_job(1, 0, 100, 1);
	const struct fair_charge *x;
	struct fair_sched s;
	struct world w;
	char *memory;
	uint32_t r;
	int i;

	open_site(&w, FAIR_ORDER_DOMINANT, &three, 9, NULL, 10);
	memory = (char *)malloc(2 * w.bytes);
	j.amount = asked;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 4, 1));
	TEST_OK(fair_sched_pass_time(&w.s, 7));
	TEST_OK(fair_sched_convert(&s, sizeof(s), memory, 2 * w.bytes,
				   &w.config, &w.s));
	for (r = 0; r < 3; r++) {
		for (i = 0; i < 2; i++) {
			x = (const struct fair_charge *)fair_sched_ledger(
				i ? &s : &w.s, &fair_ledger_usage);
			TEST_OK(fair_usage_charged(&x[r].usage, 0,
						   i ? 0 : 7, &whole[i],
						   &fraction[i]));
		}
		TEST_CHECK(whole[0] > 0 && fraction[0] > 0);
		TEST_EQ(whole[1], whole[0]);
		TEST_CHECK(fraction[1] == fraction[0]);
	}
	free(memory);
	close_world(&w);
}

/* With what a running job has used, user 0 has more memory than is counted. */
TEST(too_much_for_a_conversion)
{
	static const int32_t equal[] = { 9, 9 };
	static const struct fair_machine_config few = { 2, 1, 0, equal };
	struct fair_sched s;
	struct world w;
	char *memory;

	open_site(&w, FAIR_ORDER_DOMINANT, &few, 9, NULL, 0);
	memory = (char *)malloc(2 * w.bytes);
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 0,
				     (UINT64_C(1) << 59) - 21));
	ask(&w, 0, 1, 0, 100, 1, 9);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_convert(&s, sizeof(s), memory, 2 * w.bytes,
				   &w.config, &w.s));
	TEST_OK(fair_sched_pass_time(&w.s, 6));
	TEST_EQ(fair_sched_convert(&s, sizeof(s), memory, 2 * w.bytes,
				   &w.config, &w.s),
		-FAIR_EOVERFLOW);
	free(memory);
	close_world(&w);
}

/* Account 21 and user 11 have one index here, and account 21 and user 10 there:
 * what that user has used is none of an account's. */
TEST(accounts_of_a_conversion)
{
	static const int64_t target[] = { 9, 9 };
	struct fair_config c = { .policy = FAIR_SFS,
				 .order = FAIR_ORDER_DOMINANT,
				 .procs = 9,
				 .machine = &machine,
				 .jobs = 9,
				 .users = 2,
				 .accounts = 2,
				 .target = target,
				 .ids = 4 };
	struct fair_sched s;
	struct world w;
	char *memory;
	uint64_t id;

	open_world_of(&w, &c);
	memory = (char *)malloc(w.bytes);
	for (id = 0; id < 2; id++) {
		TEST_OK(fair_sched_add_entity(&w.s, 0, FAIR_ENTITY_USER,
					      10 + id));
		TEST_OK(fair_sched_add_entity(&w.s, 0, FAIR_ENTITY_ACCOUNT,
					      20 + id));
	}
	TEST_OK(fair_sched_remove_entity(&w.s, 0, FAIR_ENTITY_ACCOUNT, 20));
	TEST_OK(fair_sched_set_usage(&w.s, 0, FAIR_ENTITY_USER, 11, 36));
	TEST_OK(fair_sched_convert(&s, sizeof(s), memory, w.bytes, &w.config,
				   &w.s));
	has_used(&s, 0, 0, 0);
	has_used(&s, 1, 36, 72);
	free(memory);
	close_world(&w);
}

/* Another user gets the number of one that left, and has used nothing. */
TEST(a_user_leaves)
{
	struct world w;

	open_users(&w);
	ask(&w, 0, 1, 70, 10, 9, 18);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 5, 1));
	TEST_OK(fair_sched_set_usage(&w.s, 5, FAIR_ENTITY_USER, 70, 0));
	TEST_OK(fair_sched_remove_entity(&w.s, 5, FAIR_ENTITY_USER, 70));
	TEST_OK(fair_sched_add_entity(&w.s, 5, FAIR_ENTITY_USER, 90));
	ask(&w, 5, 2, 80, 10, 1, 1);
	TEST_EQ(step(&w, 5), 2);
	TEST_OK(fair_sched_finish(&w.s, 7, 2));
	ask(&w, 7, 3, 80, 10, 9, 1);
	ask(&w, 7, 4, 90, 10, 9, 1);
	TEST_EQ(step(&w, 7), 4);
	close_world(&w);
}

/* The check finds a broken ledger of any resource. */
TEST(a_broken_ledger)
{
	struct fair_charge *c;
	struct world w;
	uint32_t r;

	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 0);
	c = (struct fair_charge *)ledger_of(&w.s, "usage");
	for (r = 0; r < 2; r++) {
		c[r].usage.scale++;
		TEST_CHECK(fair_sched_check(&w.s) != 0);
		c[r].usage.scale--;
	}
	close_world(&w);
}

/* A clone and a checkpoint order as the scheduler does. */
TEST(copies)
{
	struct fair_decision a[9], b[9];
	struct fair_config other;
	struct fair_sched s;
	struct world w;
	size_t n, k;
	uint64_t i;

	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 1000);
	for (i = 1; i < 12; i++)
		ask(&w, 0, i, (uint32_t)(i % 3), 50, 1 + (int32_t)i % 2,
		    7 - (int32_t)i / 2);
	(void)step(&w, 0);
	TEST_OK(fair_sched_finish(&w.s, 10, 1));
	s = loaded(&w, w.kept, &w.config, 0);
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_OK(fair_sched_step(&s, 10, a, 9, &n));
	TEST_OK(fair_sched_clone(&s, w.kept, w.bytes, &w.s));
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_OK(fair_sched_step(&s, 10, b, 9, &k));
	TEST_EQ(n, k);
	for (i = 0; i < n; i++)
		TEST_EQ(a[i].number, b[i].number);
	other = w.config;
	other.order = FAIR_ORDER_USAGE;
	(void)loaded(&w, w.kept, &other, -FAIR_EINVAL);
	close_world(&w);
}

/*
 * Weights: a processor costs 1, four GB cost 1. A's tasks cost 1 + 1, those of B
 * 3 + 1/4; by the largest term 1 and 3.
 */
TEST(weights)
{
	struct fair_billing billing = { { FAIR_PENALTY_ONE,
					  FAIR_PENALTY_ONE / 4 },
					false };
	struct fair_config other;
	struct world w;
	uint64_t i;
	int maximum;

	for (maximum = 0; maximum < 2; maximum++) {
		billing.maximum = maximum;
		open_site(&w, FAIR_ORDER_USAGE, &machine, 9, &billing, 0);
		for (i = 1; i < 5; i++) {
			ask(&w, 0, i, 0, 100, 1, 4);
			ask(&w, 0, 4 + i, 1, 100, 3, 1);
		}
		/* A 2, B 3.25, A 4, B 6.5, A 6; or A 1, B 3, A 2, A 3, A 4:
		   at 3 A's job has the lower number. */
		TEST_EQ(step(&w, 0), maximum ? 15234 : 15263);
		TEST_EQ(fair_sched_check(&w.s), 0);
		other = w.config;
		(void)loaded(&w, w.kept, &other, 0);
		other.billing = NULL;
		(void)loaded(&w, w.kept, &other, -FAIR_EINVAL);
		billing.weight[1]++;
		other.billing = &billing;
		(void)loaded(&w, w.kept, &other, -FAIR_EINVAL);
		billing.weight[1]--;
		billing.maximum = !maximum;
		(void)loaded(&w, w.kept, &other, -FAIR_EINVAL);
		close_world(&w);
	}
	/* Of an idle machine, too. */
	open_site(&w, FAIR_ORDER_USAGE, &machine, 9, &billing, 0);
	other = w.config;
	billing.maximum = !billing.maximum;
	(void)loaded(&w, w.kept, &other, -FAIR_EINVAL);
	close_world(&w);
	open_site(&w, FAIR_ORDER_USAGE, &machine, 9, NULL, 0);
	other = w.config;
	other.billing = &billing;
	(void)loaded(&w, w.kept, &other, -FAIR_EINVAL);
	close_world(&w);
}

/* A clone has the weights; of a resource that a job does not use they are 0. */
TEST(weights_of_a_clone)
{
	const struct fair_billing billing = { { FAIR_PENALTY_ONE,
						FAIR_PENALTY_ONE },
					      false };
	struct fair_decision start[9];
	struct fair_sched s;
	struct world w;
	size_t n;

	open_site(&w, FAIR_ORDER_USAGE, &machine, 9, &billing, 0);
	ask(&w, 0, 1, 0, 100, 4, 0); /* costs 4 */
	ask(&w, 0, 2, 1, 100, 2, 9); /* costs 11, by processors only 2 */
	TEST_EQ(step(&w, 0), 12);
	ask(&w, 0, 3, 1, 100, 3, 0);
	ask(&w, 0, 4, 0, 100, 3, 0);
	TEST_OK(fair_sched_clone(&s, w.kept, w.bytes, &w.s));
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_CHECK(s.config.billing != w.s.config.billing &&
		   s.config.billing->weight[1] == FAIR_PENALTY_ONE);
	TEST_OK(fair_sched_step(&s, 0, start, 9, &n));
	TEST_REQUIRE(n == 1);
	TEST_EQ(start[0].number, 4);
	TEST_EQ(step(&w, 0), 4);
	close_world(&w);
}

/* What a second costs is at most FAIR_RATE_MAX; a job's own charge goes first. */
TEST(large_weights)
{
	struct fair_billing billing = { { INT64_C(1) << 50, INT64_C(1) << 50 },
					false };
	static const int32_t three[] = { 3, 0 };
	struct fair_job j = a_job(3, 0, 1, 1);
	struct world w;

	open_site(&w, FAIR_ORDER_USAGE, &machine, 9, &billing, 0);
	ask(&w, 0, 1, 0, 1, 1, 1);
	ask(&w, 0, 2, 1, 1, 3, 1);
	j.user = 2;
	j.penalty = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 123);
	close_world(&w);
	billing.weight[0] = FAIR_RATE_MAX / 3; /* 2^51 has the rest 2 */
	open_site(&w, FAIR_ORDER_USAGE, &machine, 9, &billing, 0);
	TEST_EQ(fair_sched_amounts_cost(&w.s, three), FAIR_RATE_MAX - 2);
	close_world(&w);
}

/* A machine of 4 processors and 4 GPUs; a GPU costs as much as ten processors. */
static const int32_t four[] = { 4, 4 };
static const struct fair_machine_config gpus = { 2, 1, 0, four };
static const struct fair_billing as_ten = { { FAIR_PENALTY_ONE,
					      10 * FAIR_PENALTY_ONE },
					    false };

static struct fair_config costs(uint32_t policy,
				const struct fair_billing *billing)
{
	static const int64_t target[] = { 10, 10 };
	const struct fair_config c = { .policy = policy,
				       .procs = 4,
				       .jobs = JOBS,
				       .machine = &gpus,
				       .billing = billing,
				       .users = 2,
				       .accounts = 2,
				       .target = target,
				       .window = 1000 };

	return c;
}

/* A job of a user that is the account, too. */
static void ask_by(struct world *w, uint64_t number, uint32_t user,
		   int64_t walltime, int32_t procs, int32_t gpu)
{
	const int32_t amount[] = { 0, gpu };
	struct fair_job j = a_job(number, w->s.now, walltime, procs);

	j.user = j.account = user;
	j.amount = amount;
	TEST_OK(fair_sched_submit(&w->s, w->s.now, &j));
	TEST_EQ(fair_sched_check(&w->s), 0);
}

/*
 * Targets of 10: job 1 occupies 1 + 10, so that job 3 of the other account
 * passes job 2; by processors, or by the maximum, it does not. A loaded one
 * occupies as much.
 */
TEST(occupancies_by_cost)
{
	struct fair_billing largest = as_ten;
	const struct fair_billing *of[] = { &as_ten, NULL, &largest };
	const uint64_t starts[] = { 13, 12, 12 };
	struct fair_sched s;
	struct world w;
	int i;

	largest.maximum = true;
	for (i = 0; i < 3; i++) {
		struct fair_config c = costs(FAIR_SFS, of[i]), other;

		open_world_of(&w, &c);
		ask_by(&w, 1, 0, 100, 1, 1);
		ask_by(&w, 2, 0, 50, 3, 0);
		ask_by(&w, 3, 1, 50, 3, 0);
		TEST_EQ(step(&w, 0), starts[i]);
		other = w.config;
		s = loaded(&w, w.kept, &other, 0);
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_OK(fair_sched_finish(&w.s, 10, 1));
		close_world(&w);
	}
}

/*
 * Until 20 user 0 is entitled to 11 + 4 of 44 and uses 11: 300 / 220; user 1 to
 * 1 + 4, and uses 1: 100 / 20, and goes first. By processors each is entitled to
 * 2 of 4 and uses 1.
 */
TEST(entitlements_by_cost)
{
	const struct fair_relshare *r;
	struct fair_config c, other;
	struct fair_sched s;
	struct world w;
	int cost;

	for (cost = 0; cost < 2; cost++) {
		c = costs(FAIR_RELSHARE, cost ? &as_ten : NULL);
		open_world_of(&w, &c);
		r = (const struct fair_relshare *)fair_sched_ledger(
			&w.s, &fair_ledger_relshare);
		ask_by(&w, 1, 0, 20, 1, 1);
		ask_by(&w, 2, 1, 20, 1, 0);
		ask_by(&w, 3, 0, 20, 4, 0);
		ask_by(&w, 4, 1, 20, 4, 0);
		TEST_EQ(step(&w, 0), 12);
		TEST_OK(fair_sched_finish(&w.s, 20, 1));
		TEST_OK(fair_sched_finish(&w.s, 20, 2));
		TEST_EQ(step(&w, 20), cost ? 4 : 3);
		TEST_OK(fair_sched_class_capacity(&w.s, 20, 0, 1, -3, NULL, 0));
		TEST_EQ(r->procs, cost ? 14 : 4);
		other = w.config;
		s = loaded(&w, w.kept, &other, 0);
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_OK(fair_sched_class_capacity(&w.s, 20, 0, 1, 1, NULL, 0));
		TEST_EQ(r->procs, cost ? 24 : 4);
		close_world(&w);
	}
}

/* Whole weights, none of 0 for processors, and a machine below 2^31. */
TEST(whole_costs)
{
	static const int32_t most[] = { 1, INT32_MAX, 1, INT32_MAX,
					1, INT32_MAX, 1, INT32_MAX,
					1, INT32_MAX, 1, INT32_MAX,
					1, INT32_MAX, 1, INT32_MAX };
	static const struct fair_machine_config enormous = { 2, 8, 0, most };
	static const int32_t below[] = { 1, INT32_MAX - 2, 1, 0 };
	static const struct fair_machine_config just = { 2, 2, 0, below };
	static const int32_t above[] = { 1, INT32_MAX - 1, 1, 0 };
	static const struct fair_machine_config more = { 2, 2, 0, above };
	struct fair_billing b = as_ten;
	struct fair_config c = costs(FAIR_RELSHARE, &b);
	struct world w;

	TEST_CHECK(!fair_sched_config_error(&c));
	b.weight[1]++;
	TEST_CHECK(strstr(fair_sched_config_error(&c), "multiple"));
	c.policy = FAIR_SFS;
	TEST_CHECK(strstr(fair_sched_config_error(&c), "multiple"));
	c.policy = FAIR_BACKFILL;
	TEST_CHECK(!fair_sched_config_error(&c));
	c.order = FAIR_ORDER_RELSHARE;
	TEST_CHECK(strstr(fair_sched_config_error(&c), "multiple"));
	c.order = FAIR_ORDER_FCFS;
	c.policy = FAIR_RELSHARE;
	b.weight[0] = b.weight[1] = 0;
	TEST_CHECK(strstr(fair_sched_config_error(&c), "nothing"));
	b.weight[0] = FAIR_PENALTY_ONE;
	b.weight[1] = INT64_C(1) << 49; /* 4 * 2^29 */
	TEST_CHECK(strstr(fair_sched_config_error(&c), "2^31"));

	b.weight[1] = (INT64_C(1) << 29) * FAIR_PENALTY_ONE -
		      2 * FAIR_PENALTY_ONE; /* in all 2^31 - 8 + 4 */
	open_world_of(&w, &c);
	TEST_EQ(fair_sched_class_capacity(&w.s, 0, 0, 0, 4, NULL, 0),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_sched_class_capacity(&w.s, 0, 0, 1, 1, NULL, 0),
		-FAIR_EOVERFLOW);
	TEST_OK(fair_sched_class_capacity(&w.s, 0, 0, 0, 3, NULL, 0));

	/* A job that asked for what the machine never had at one time. */
	TEST_OK(fair_sched_class_capacity(&w.s, 0, 0, 1, -3, NULL, 0));
	TEST_OK(fair_sched_class_capacity(&w.s, 0, 0, 0, 3, NULL, 0));
	ask_by(&w, 1, 0, 10, 10, 4);
	TEST_EQ(fair_sched_cost(&w.s, 0), INT32_MAX);
	ask_by(&w, 2, 0, 10, 1, 1);
	TEST_EQ(step(&w, 0), 2);
	ask_by(&w, 3, 0, 10, 6, 4);
	TEST_EQ(fair_sched_cost(&w.s, 2), INT32_MAX - 1);
	close_world(&w);

	/* Just 2^31 - 1, and one more. */
	c.machine = &just;
	c.procs = 2;
	b.weight[1] = FAIR_PENALTY_ONE;
	TEST_CHECK(!fair_sched_config_error(&c));
	c.machine = &more;
	TEST_CHECK(strstr(fair_sched_config_error(&c), "2^31"));

	/* Eight times (2^31 - 1) * 2^30: with 8 it would be -2^33 + 8 in 64 bits. */
	c.machine = &enormous;
	c.procs = 8;
	b.weight[1] = INT64_C(1) << 50;
	TEST_CHECK(strstr(fair_sched_config_error(&c), "2^31"));

	c = costs(FAIR_RELSHARE, &b);
	c.window = FAIR_RELSHARE_LIMIT / 44;
	b = as_ten;
	open_world_of(&w, &c);
	TEST_EQ(fair_sched_class_capacity(&w.s, 0, 0, 1, 1, NULL, 0),
		-FAIR_EOVERFLOW);
	close_world(&w);
}

TEST(configurations)
{
	struct fair_billing billing = { { 1, -1 }, false };
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_DOMINANT,
				 .procs = 9,
				 .machine = &machine,
				 .jobs = 4,
				 .users = 3 };
	struct fair_job j = a_job(1, 0, 1, 1);
	struct world w;

	TEST_CHECK(!fair_sched_config_error(&c));
	c.users = 0;
	TEST_CHECK(fair_sched_config_error(&c));
	c.users = UINT32_MAX;
	TEST_EQ(fair_sched_size(&c), 0);
	c.users = 3;
	c.half_life = -1;
	TEST_CHECK(fair_sched_config_error(&c));
	c.half_life = FAIR_USAGE_HALF_LIFE + 1;
	TEST_CHECK(fair_sched_config_error(&c));
	c.half_life = 0;
	c.select = 1;
	TEST_CHECK(fair_sched_config_error(&c));
	c.select = 0;
	c.policy = FAIR_CONSERVATIVE;
	TEST_CHECK(fair_sched_config_error(&c));
	c.policy = FAIR_BACKFILL;
	c.billing = &billing;
	TEST_CHECK(fair_sched_config_error(&c));
	billing.weight[1] = (INT64_C(1) << 50) + 1;
	TEST_CHECK(fair_sched_config_error(&c));
	billing.weight[1] = 1;
	TEST_CHECK(!fair_sched_config_error(&c));
	c.machine = NULL;
	TEST_CHECK(fair_sched_config_error(&c));
	c.order = FAIR_ORDER_RELSHARE + 1;
	TEST_CHECK(fair_sched_config_error(&c));
	open_site(&w, FAIR_ORDER_DOMINANT, &machine, 9, NULL, 0);
	j.user = 3;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_ENOENT);
	close_world(&w);
}
