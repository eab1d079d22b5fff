/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that usage.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "usage.h"
#include "leaf_faults.h"

static void usage_init(struct fair_usage *u, void *memory, size_t bytes)
{
	const uint64_t one = FAIR_USAGE_ONE;
	size_t n = sizeof(*u);

	keep(u, n);
	keep(memory, bytes);
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL no ledger",
	      fair_usage_init_half_life(NULL, n, memory, bytes, 2, 2, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL a struct of another size",
	      fair_usage_init_half_life(u, n + 1, memory, bytes, 2, 2, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL no memory",
	      fair_usage_init_half_life(u, n, NULL, bytes, 2, 2, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL no entity",
	      fair_usage_init_half_life(u, n, memory, bytes, 0, 2, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL no source",
	      fair_usage_init_half_life(u, n, memory, bytes, 2, 0, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL too many sources",
	      fair_usage_init_half_life(u, n, memory, bytes, 2,
					FAIR_USAGE_SOURCES + 1, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL a half-life of 0",
	      fair_usage_init_half_life(u, n, memory, bytes, 2, 2, 7, 0));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL too long a half-life",
	      fair_usage_init_half_life(u, n, memory, bytes, 2, 2, 7,
					FAIR_USAGE_HALF_LIFE + 1));
	FAULT("fair_usage_init_half_life: -FAIR_ENOMEM one byte less",
	      fair_usage_init_half_life(u, n, memory,
					fair_usage_size(2, 0, 2) - 1, 2, 2, 7,
					10));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL no ledger",
	      fair_usage_init_windows(NULL, n, memory, bytes, 2, 2, 7, 3, 10,
				      one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL a struct of another size",
	      fair_usage_init_windows(u, n + 1, memory, bytes, 2, 2, 7, 3, 10,
				      one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL no memory",
	      fair_usage_init_windows(u, n, NULL, bytes, 2, 2, 7, 3, 10, one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL everybody",
	      fair_usage_init_windows(u, n, memory, bytes, FAIR_USAGE_TOTAL, 2, 7,
				      3, 10, one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL no source",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 0, 7, 3, 10,
				      one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL no window",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7, 0, 10,
				      one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL too many windows",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7,
				      FAIR_USAGE_DEPTH + 1, 10, one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL windows of no time",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7, 3, 0, one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL weights grow",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7, 3, 10,
				      one + 1));
	FAULT("fair_usage_init_windows: -FAIR_ENOMEM one byte less",
	      fair_usage_init_windows(u, n, memory, bytes - 1, 2, 2, 7, 3, 10,
				      one));
	forget();
}

/* Entities 0 and 1; until 20; 0 holds 6, and 1 2^58. */
static void usage_charges(struct fair_usage *u)
{
	FAULT("fair_usage_charge: -FAIR_EINVAL no such entity",
	      fair_usage_charge(u, 2, 0, 1, 1));
	FAULT("fair_usage_charge: -FAIR_EINVAL before 0",
	      fair_usage_charge(u, 0, -1, 1, 1));
	FAULT("fair_usage_charge: -FAIR_EINVAL ends before it begins",
	      fair_usage_charge(u, 0, 1, 0, 1));
	FAULT("fair_usage_charge: -FAIR_EINVAL a rate below 0",
	      fair_usage_charge(u, 0, 0, 1, -1));
	FAULT("fair_usage_charge: -FAIR_EOVERFLOW more than can be counted",
	      fair_usage_charge(u, 0, 0, 30, INT64_MAX));
	FAULT("fair_usage_charge: -FAIR_EOVERFLOW more than a ledger holds",
	      fair_usage_charge(u, 0, 20, 21, INT64_C(1) << 60));
	FAULT("fair_usage_charge_provisional: -FAIR_EINVAL no such entity",
	      fair_usage_charge_provisional(u, 2, 1, 1));
	FAULT("fair_usage_charge_provisional: -FAIR_EINVAL a rate below 0",
	      fair_usage_charge_provisional(u, 0, -1, 1));
	FAULT("fair_usage_charge_provisional: -FAIR_EINVAL a walltime below 0",
	      fair_usage_charge_provisional(u, 0, 1, -1));
	FAULT("fair_usage_charge_provisional: -FAIR_EOVERFLOW more than can be counted",
	      fair_usage_charge_provisional(u, 0, INT64_MAX, INT64_MAX));
	FAULT("fair_usage_charge_provisional: -FAIR_EOVERFLOW more than a ledger holds",
	      fair_usage_charge_provisional(u, 0, 1, (INT64_C(1) << 59) - 5));
	FAULT("fair_usage_cancel_provisional: -FAIR_EINVAL no such entity",
	      fair_usage_cancel_provisional(u, 2, 1, 1));
	FAULT("fair_usage_cancel_provisional: -FAIR_EINVAL a rate below 0",
	      fair_usage_cancel_provisional(u, 0, -1, 1));
	FAULT("fair_usage_cancel_provisional: -FAIR_EINVAL a walltime below 0",
	      fair_usage_cancel_provisional(u, 0, 1, -1));
	FAULT("fair_usage_cancel_provisional: -FAIR_ERANGE more than is held",
	      fair_usage_cancel_provisional(u, 0, 1, 7));
	FAULT("fair_usage_cancel_provisional: -FAIR_ERANGE more than can be counted",
	      fair_usage_cancel_provisional(u, 0, INT64_MAX, INT64_MAX));
	FAULT("fair_usage_charge_final: -FAIR_EINVAL no such entity",
	      fair_usage_charge_final(u, 2, 1, 1, 0, 1));
	FAULT("fair_usage_charge_final: -FAIR_EINVAL a rate below 0",
	      fair_usage_charge_final(u, 0, -1, 1, 0, 1));
	FAULT("fair_usage_charge_final: -FAIR_EINVAL a walltime below 0",
	      fair_usage_charge_final(u, 0, 1, -1, 0, 1));
	FAULT("fair_usage_charge_final: -FAIR_EINVAL ends before it begins",
	      fair_usage_charge_final(u, 0, 1, 1, 1, 0));
	FAULT("fair_usage_charge_final: -FAIR_ERANGE more than is held",
	      fair_usage_charge_final(u, 0, 1, 7, 0, 1));
	FAULT("fair_usage_charge_final: -FAIR_ERANGE more than can be counted",
	      fair_usage_charge_final(u, 0, INT64_MAX, INT64_MAX, 0, 1));
	FAULT("fair_usage_charge_final: -FAIR_EOVERFLOW it ran for too long",
	      fair_usage_charge_final(u, 1, INT64_C(1) << 58, 1, 0, 30));
}

static void usage_readings(const struct fair_usage *u)
{
	FAULT("fair_usage_at: -FAIR_EINVAL no such entity",
	      fair_usage_at(u, 2, 20, &out.c, &out.d));
	FAULT("fair_usage_at: -FAIR_EINVAL before the latest charge",
	      fair_usage_at(u, 0, 19, &out.c, &out.d));
	FAULT("fair_usage_share: -FAIR_EINVAL no such entity",
	      fair_usage_share(u, 2, 20, &out.a));
	FAULT("fair_usage_share: -FAIR_EINVAL before the latest charge",
	      fair_usage_share(u, 0, 19, &out.a));
}

/* @o is another server's, with room for itself alone. */
static void usage_merges(struct fair_usage *u, struct fair_usage *o,
			 void *memory, size_t bytes)
{
	static const struct {
		uint32_t entities, depth;
		int64_t interval;
		uint64_t decay;
	} other[] = { { 1, 3, 10, 5 }, { 2, 2, 10, 5 }, { 2, 3, 9, 5 },
		      { 2, 3, 10, 4 }, { 2, 3, 10, 5 } };
	size_t i, n = sizeof(*o);

	for (i = 0; i < 5; i++) {
		TEST_OK(fair_usage_init_windows(
			o, n, memory, bytes, other[i].entities, 1,
			i < 4 ? 8 : 7, other[i].depth, other[i].interval,
			other[i].decay));
		TEST_EQ(fair_usage_charge(o, 0, 0, 20, 2), 0);
		TEST_EQ(fair_usage_charge_provisional(o, 0, 2, 3), 0);
		TEST_EQ(fair_usage_charge_provisional(o, 0, 2, 3), 0);
		if (i < 4)
			FAULT("fair_usage_merge: -FAIR_EINVAL another rule",
			      fair_usage_merge(u, o));
		else
			FAULT("fair_usage_merge: -FAIR_EINVAL of one number",
			      fair_usage_merge(u, o));
	}
	TEST_OK(fair_usage_init_windows(o, n, memory, bytes, 2, 1, 8, 3, 10,
					5));
	keep(o, n);
	FAULT("fair_usage_merge: -FAIR_ENOSPC one source too many",
	      fair_usage_merge(o, u));
	free(kept[--keeps].copy);
}

static void usage_images(const struct fair_usage *u, void *memory)
{
	size_t bytes = fair_usage_checkpoint_size(u), n = sizeof(*u), i;
	static const struct {
		size_t at;
		int damage;
	} broken[] = { { 0, FAIR_USAGE_FOREIGN },
		       { 8, FAIR_USAGE_FORMAT },
		       { 16, FAIR_USAGE_CUT },
		       { 56, FAIR_USAGE_BROKEN },
		       { 100, FAIR_USAGE_CHECKSUM } };
	unsigned char *image = (unsigned char *)room(bytes);
	struct fair_usage loaded;
	int damage = 0;

	keep(image, bytes);
	FAULT("fair_usage_save: -FAIR_ENOSPC one byte less",
	      fair_usage_save(u, image, bytes - 1));
	free(kept[--keeps].copy);
	TEST_EQ(fair_usage_save(u, image, bytes), 0);
	loaded = *u;
	keep(&loaded, n);
	FAULT("fair_usage_reload: -FAIR_EINVAL a torn image",
	      fair_usage_reload(&loaded, INT64_MAX, image, bytes - 1));
	FAULT("fair_usage_reload: -FAIR_EINVAL of more sources",
	      fair_usage_reload(&loaded, INT64_MAX, image, bytes));
	free(kept[--keeps].copy);
	memset(&loaded, FILL, n);
	keep(&loaded, n);
	FAULT("fair_usage_load: -FAIR_EINVAL a struct of another size",
	      fair_usage_load(&loaded, n + 1, memory,
			      fair_usage_load_size(image, bytes), image, bytes,
			      NULL));
	FAULT("fair_usage_load: -FAIR_ENOMEM one byte less",
	      fair_usage_load(&loaded, n, memory,
			      fair_usage_load_size(image, bytes) - 1, image,
			      bytes, &damage));
	TEST_EQ(damage, 0);
	for (i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		image[broken[i].at] ^= 1;
		image[56] ^= broken[i].at == 56 ? 8 : 0;
		FAULT("fair_usage_load: -FAIR_EINVAL a damaged image",
		      fair_usage_load(&loaded, n, memory,
				      fair_usage_size(2, 3, 2), image, bytes,
				      &damage));
		TEST_EQ(damage, broken[i].damage);
		image[56] ^= broken[i].at == 56 ? 8 : 0;
		image[broken[i].at] ^= 1;
	}
	free(kept[--keeps].copy);
	TEST_OK(fair_usage_load(&loaded, n, memory,
				fair_usage_load_size(image, bytes), image,
				bytes, &damage));
	TEST_EQ(fair_usage_check(&loaded), 0);
}

static void usage_changes(struct fair_usage *u, struct fair_usage *copy,
			  void *other, size_t bytes)
{
	const uint64_t most = UINT64_C(1) << 59;
	struct fair_usage_refund credit = { 20, 1, 0, 2, 0 };

	keep(&credit, sizeof(credit));
	FAULT("fair_usage_charged: -FAIR_EINVAL no such entity",
	      fair_usage_charged(u, 2, 20, &out.c, &out.d));
	FAULT("fair_usage_charged: -FAIR_EINVAL before a charge",
	      fair_usage_charged(u, 0, 19, &out.c, &out.d));
	FAULT("fair_usage_set: -FAIR_EINVAL no such entity",
	      fair_usage_set(u, 2, 20, 1, 0));
	FAULT("fair_usage_set: -FAIR_EINVAL before a charge",
	      fair_usage_set(u, 0, 19, 1, 0));
	FAULT("fair_usage_set: -FAIR_EINVAL above 2^59",
	      fair_usage_set(u, 0, 20, most + 1, 0));
	FAULT("fair_usage_set: -FAIR_EOVERFLOW with the others",
	      fair_usage_set(u, 1, 21, most - 1, 0));
	FAULT("fair_usage_set: -FAIR_EOVERFLOW alone",
	      fair_usage_set(u, 0, 20, most, 0));
	FAULT("fair_usage_credit: -FAIR_EINVAL no such entity",
	      fair_usage_credit(u, &credit));
	free(kept[--keeps].copy);
	credit.entity = 1;
	credit.t = 19;
	FAULT("fair_usage_credit: -FAIR_EINVAL before a charge",
	      fair_usage_credit(u, &credit));
	FAULT("fair_usage_reset: -FAIR_EINVAL before a charge",
	      fair_usage_reset(u, 19));
	FAULT("fair_usage_change_rule: -FAIR_EINVAL before a charge",
	      fair_usage_change_rule(u, 19, 10, 0));
	FAULT("fair_usage_change_rule: -FAIR_EINVAL no time",
	      fair_usage_change_rule(u, 20, 0, 0));
	FAULT("fair_usage_change_rule: -FAIR_EINVAL too much decay",
	      fair_usage_change_rule(u, 20, 10,
				     (u->depth ? FAIR_USAGE_ONE : 0) + 1));
	if (!u->depth)
		FAULT("fair_usage_change_rule: -FAIR_EINVAL too long",
		      fair_usage_change_rule(u, 20, FAIR_USAGE_HALF_LIFE + 1,
					     0));
	FAULT("fair_usage_extend: -FAIR_EINVAL fewer entities",
	      fair_usage_extend(copy, other, bytes, 1, u));
	FAULT("fair_usage_extend: -FAIR_EINVAL too many entities",
	      fair_usage_extend(copy, other, bytes, FAIR_USAGE_TOTAL, u));
	FAULT("fair_usage_extend: -FAIR_ENOMEM one byte less",
	      fair_usage_extend(copy, other,
				fair_usage_size(3, u->depth, 2) - 1, 3, u));
}

/* A change that has no room in the new rule. */
static void usage_rule_overflow(const struct fair_usage *u, void *other,
				size_t bytes)
{
	struct fair_usage x;

	TEST_EQ(fair_usage_clone(&x, other, bytes, u), 0);
	TEST_EQ(fair_usage_set(&x, 0, 20, (UINT64_C(1) << 59) / 3, 0), 0);
	keep(&x, sizeof(x));
	keep(other, bytes);
	FAULT("fair_usage_change_rule: -FAIR_EOVERFLOW no room",
	      fair_usage_change_rule(&x, 20, 10, 0));
	free(kept[--keeps].copy);
	free(kept[--keeps].copy);
}

TEST(usage)
{
	size_t bytes = fair_usage_size(2, 3, 2);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_usage u, copy;
	int windows;

	memset(&u, FILL, sizeof(u));
	usage_init(&u, memory, bytes);
	for (windows = 0; windows < 2; windows++) {
		bytes = fair_usage_size(2, windows ? 3 : 0, 2);
		TEST_EQ(windows ? fair_usage_init_windows(&u, sizeof(u), memory,
							  bytes, 2, 2, 7, 3, 10,
							  5)
				: fair_usage_init_half_life(&u, sizeof(u),
							    memory, bytes, 2, 2,
							    7, 10),
			0);
		TEST_EQ(fair_usage_charge(&u, 0, 0, 20, 1), 0);
		TEST_EQ(fair_usage_charge_provisional(&u, 0, 2, 3), 0);
		TEST_EQ(fair_usage_charge_provisional(&u, 1, INT64_C(1) << 58, 1), 0);
		memset(&copy, FILL, sizeof(copy));
		keep(&u, sizeof(u));
		keep(memory, bytes);
		keep(&out, sizeof(out));
		usage_charges(&u);
		usage_readings(&u);
		keep(&copy, sizeof(copy));
		FAULT("fair_usage_clone: -FAIR_ENOMEM one byte less",
		      fair_usage_clone(&copy, other, bytes - 1, &u));
		free(kept[--keeps].copy);
		keep(&copy, sizeof(copy));
		usage_changes(&u, &copy, other, bytes);
		free(kept[--keeps].copy);
		usage_rule_overflow(&u, other, bytes);
		TEST_EQ(fair_usage_clone(&copy, other, bytes, &u), 0);
		TEST_EQ(fair_usage_check(&copy), 0);
		if (windows) {
			usage_merges(&u, &copy, other, bytes);
			usage_images(&u, other);
		}
		forget();
	}
	leave();
}
