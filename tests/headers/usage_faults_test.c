/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that usage.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 */
#include "usage.h"
#include "tests/leaf_faults.h"

static void usage_init(struct fair_usage *u, void *memory, size_t bytes)
{
	const uint64_t one = FAIR_USAGE_ONE;
	size_t n = sizeof(*u);

	keep(u, n);
	keep(memory, bytes);
	FAULT(fair_usage_init_half_life(NULL, n, memory, bytes, 2, 2, 7, 10),
	      EINVAL, "no ledger");
	FAULT(fair_usage_init_half_life(u, n + 1, memory, bytes, 2, 2, 7, 10),
	      EINVAL, "a struct of another size");
	FAULT(fair_usage_init_half_life(u, n, NULL, bytes, 2, 2, 7, 10),
	      EINVAL, "no memory");
	FAULT(fair_usage_init_half_life(u, n, memory, bytes, 0, 2, 7, 10),
	      EINVAL, "no entity");
	FAULT(fair_usage_init_half_life(u, n, memory, bytes, 2, 0, 7, 10),
	      EINVAL, "no source");
	FAULT(fair_usage_init_half_life(u, n, memory, bytes, 2,
					FAIR_USAGE_SOURCES + 1, 7, 10),
	      EINVAL, "too many sources");
	FAULT(fair_usage_init_half_life(u, n, memory, bytes, 2, 2, 7, -1),
	      EINVAL, "a negative half-life");
	FAULT(fair_usage_init_half_life(u, n, memory, bytes, 2, 2, 7,
					FAIR_USAGE_HALF_LIFE + 1),
	      EINVAL, "too long a half-life");
	FAULT(fair_usage_init_half_life(u, n, memory,
					fair_usage_size(2, 0, 2) - 1, 2, 2, 7,
					10), ENOMEM, "one byte less");
	FAULT(fair_usage_init_windows(NULL, n, memory, bytes, 2, 2, 7, 3, 10,
				      one), EINVAL, "no ledger");
	FAULT(fair_usage_init_windows(u, n + 1, memory, bytes, 2, 2, 7, 3, 10,
				      one), EINVAL, "a struct of another size");
	FAULT(fair_usage_init_windows(u, n, NULL, bytes, 2, 2, 7, 3, 10, one),
	      EINVAL, "no memory");
	FAULT(fair_usage_init_windows(u, n, memory, bytes, FAIR_USAGE_TOTAL, 2,
				      7, 3, 10, one), EINVAL, "everybody");
	FAULT(fair_usage_init_windows(u, n, memory, bytes, 2, 0, 7, 3, 10, one),
	      EINVAL, "no source");
	FAULT(fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7, 0, 10, one),
	      EINVAL, "no window");
	FAULT(fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7,
				      FAIR_USAGE_DEPTH + 1, 10, one),
	      EINVAL, "too many windows");
	FAULT(fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7, 3, 0, one),
	      EINVAL, "windows of no time");
	FAULT(fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7, 3, 10,
				      one + 1), EINVAL, "weights grow");
	FAULT(fair_usage_init_windows(u, n, memory, bytes - 1, 2, 2, 7, 3, 10,
				      one), ENOMEM, "one byte less");
	forget();
}

/* Entities 0 and 1; until 20; 0 holds 6, and 1 2^58. */
static void usage_charges(struct fair_usage *u)
{
	FAULT(fair_usage_charge(u, 2, 0, 1, 1), EINVAL, "no such entity");
	FAULT(fair_usage_charge(u, 0, -1, 1, 1), EINVAL, "before 0");
	FAULT(fair_usage_charge(u, 0, 1, 0, 1),
	      EINVAL, "ends before it begins");
	FAULT(fair_usage_charge(u, 0, 0, 1, -1), EINVAL, "a rate below 0");
	FAULT(fair_usage_charge(u, 0, 0, 30, INT64_MAX),
	      EOVERFLOW, "more than can be counted");
	FAULT(fair_usage_charge(u, 0, 20, 21, INT64_C(1) << 60),
	      EOVERFLOW, "more than a ledger holds");
	FAULT(fair_usage_charge_provisional(u, 2, 1, 1),
	      EINVAL, "no such entity");
	FAULT(fair_usage_charge_provisional(u, 0, -1, 1),
	      EINVAL, "a rate below 0");
	FAULT(fair_usage_charge_provisional(u, 0, 1, -1),
	      EINVAL, "a walltime below 0");
	FAULT(fair_usage_charge_provisional(u, 0, INT64_MAX, INT64_MAX),
	      EOVERFLOW, "more than can be counted");
	FAULT(fair_usage_charge_provisional(u, 0, 1, (INT64_C(1) << 59) - 5),
	      EOVERFLOW, "more than a ledger holds");
	FAULT(fair_usage_cancel_provisional(u, 2, 1, 1),
	      EINVAL, "no such entity");
	FAULT(fair_usage_cancel_provisional(u, 0, -1, 1),
	      EINVAL, "a rate below 0");
	FAULT(fair_usage_cancel_provisional(u, 0, 1, -1),
	      EINVAL, "a walltime below 0");
	FAULT(fair_usage_cancel_provisional(u, 0, 1, 7),
	      ERANGE, "more than is held");
	FAULT(fair_usage_cancel_provisional(u, 0, INT64_MAX, INT64_MAX),
	      ERANGE, "more than can be counted");
	FAULT(fair_usage_charge_final(u, 2, 1, 1, 0, 1),
	      EINVAL, "no such entity");
	FAULT(fair_usage_charge_final(u, 0, -1, 1, 0, 1),
	      EINVAL, "a rate below 0");
	FAULT(fair_usage_charge_final(u, 0, 1, -1, 0, 1),
	      EINVAL, "a walltime below 0");
	FAULT(fair_usage_charge_final(u, 0, 1, 1, 1, 0),
	      EINVAL, "ends before it begins");
	FAULT(fair_usage_charge_final(u, 0, 1, 7, 0, 1),
	      ERANGE, "more than is held");
	FAULT(fair_usage_charge_final(u, 0, INT64_MAX, INT64_MAX, 0, 1),
	      ERANGE, "more than can be counted");
	FAULT(fair_usage_charge_final(u, 1, INT64_C(1) << 58, 1, 0, 30),
	      EOVERFLOW, "it ran for too long");
}

static void usage_readings(const struct fair_usage *u)
{
	FAULT(fair_usage_at(u, 2, 20, &out.c, &out.d),
	      EINVAL, "no such entity");
	FAULT(fair_usage_at(u, 0, 19, &out.c, &out.d),
	      EINVAL, "before the latest charge");
	FAULT(fair_usage_share(u, 2, 20, &out.a), EINVAL, "no such entity");
	FAULT(fair_usage_share(u, 0, 19, &out.a),
	      EINVAL, "before the latest charge");
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
			FAULT(fair_usage_merge(u, o), EINVAL, "another rule");
		else
			FAULT(fair_usage_merge(u, o), EINVAL, "of one number");
	}
	TEST_OK(fair_usage_init_windows(o, n, memory, bytes, 2, 1, 8, 3, 10,
					5));
	keep(o, n);
	FAULT(fair_usage_merge(o, u), ENOSPC, "one source too many");
	free(kept[--keeps].copy);
}

static void usage_checkpoints(const struct fair_usage *u, void *memory)
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
	unsigned char *checkpoint = (unsigned char *)room(bytes);
	struct fair_usage loaded;
	int damage = 0;

	keep(checkpoint, bytes);
	FAULT(fair_usage_save(u, checkpoint, bytes - 1), ENOSPC,
	      "one byte less");
	free(kept[--keeps].copy);
	TEST_EQ(fair_usage_save(u, checkpoint, bytes), 0);
	loaded = *u;
	keep(&loaded, n);
	FAULT(fair_usage_reload(&loaded, INT64_MAX, checkpoint, bytes - 1),
	      EINVAL, "a torn checkpoint");
	FAULT(fair_usage_reload(&loaded, INT64_MAX, checkpoint, bytes), EINVAL,
	      "of more sources");
	free(kept[--keeps].copy);
	memset(&loaded, FILL, n);
	keep(&loaded, n);
	FAULT(fair_usage_load(&loaded, n + 1, memory,
			      fair_usage_load_size(checkpoint, bytes),
			      checkpoint, bytes, NULL),
	      EINVAL, "a struct of another size");
	FAULT(fair_usage_load(&loaded, n, memory,
			      fair_usage_load_size(checkpoint, bytes) - 1,
			      checkpoint, bytes, &damage),
	      ENOMEM, "one byte less");
	TEST_EQ(damage, 0);
	for (i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		checkpoint[broken[i].at] ^= 1;
		checkpoint[56] ^= broken[i].at == 56 ? 8 : 0;
		FAULT(fair_usage_load(&loaded, n, memory,
				      fair_usage_size(2, 3, 2), checkpoint,
				      bytes, &damage),
		      EINVAL, "a damaged checkpoint");
		TEST_EQ(damage, broken[i].damage);
		checkpoint[56] ^= broken[i].at == 56 ? 8 : 0;
		checkpoint[broken[i].at] ^= 1;
	}
	free(kept[--keeps].copy);
	TEST_OK(fair_usage_load(&loaded, n, memory,
				fair_usage_load_size(checkpoint, bytes),
				checkpoint, bytes, &damage));
	TEST_EQ(fair_usage_check(&loaded), 0);
}

static void usage_changes(struct fair_usage *u, struct fair_usage *copy,
			  void *other, size_t bytes)
{
	const uint64_t most = UINT64_C(1) << 59;
	struct fair_usage_refund credit = { 20, 1, 0, 2, 0 };

	keep(&credit, sizeof(credit));
	FAULT(fair_usage_charged(u, 2, 20, &out.c, &out.d),
	      EINVAL, "no such entity");
	FAULT(fair_usage_charged(u, 0, 19, &out.c, &out.d),
	      EINVAL, "before a charge");
	FAULT(fair_usage_set(u, 2, 20, 1, 0), EINVAL, "no such entity");
	FAULT(fair_usage_set(u, 0, 19, 1, 0), EINVAL, "before a charge");
	FAULT(fair_usage_set(u, 0, 20, most + 1, 0), EINVAL, "above 2^59");
	FAULT(fair_usage_set(u, 1, 21, most - 1, 0),
	      EOVERFLOW, "with the others");
	FAULT(fair_usage_set(u, 0, 20, most, 0), EOVERFLOW, "alone");
	FAULT(fair_usage_credit(u, &credit), EINVAL, "no such entity");
	free(kept[--keeps].copy);
	credit.entity = 1;
	credit.t = 19;
	FAULT(fair_usage_credit(u, &credit), EINVAL, "before a charge");
	FAULT(fair_usage_reset(u, 19), EINVAL, "before a charge");
	FAULT(fair_usage_change_rule(u, 19, 10, 0), EINVAL, "before a charge");
	FAULT(fair_usage_change_rule(u, 20, u->depth ? 0 : -1, 0),
	      EINVAL, "no time");
	FAULT(fair_usage_change_rule(u, 20, 10,
				     (u->depth ? FAIR_USAGE_ONE : 0) + 1),
	      EINVAL, "too much decay");
	if (!u->depth)
		FAULT(fair_usage_change_rule(u, 20, FAIR_USAGE_HALF_LIFE + 1,
					     0), EINVAL, "too long");
	FAULT(fair_usage_extend(copy, other, bytes, 1, u),
	      EINVAL, "fewer entities");
	FAULT(fair_usage_extend(copy, other, bytes, FAIR_USAGE_TOTAL, u),
	      EINVAL, "too many entities");
	FAULT(fair_usage_extend(copy, other,
				fair_usage_size(3, u->depth, 2) - 1, 3, u),
	      ENOMEM, "one byte less");
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
	FAULT(fair_usage_change_rule(&x, 20, 10, 0), EOVERFLOW, "no room");
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
		FAULT(fair_usage_clone(&copy, other, bytes - 1, &u),
		      ENOMEM, "one byte less");
		free(kept[--keeps].copy);
		keep(&copy, sizeof(copy));
		usage_changes(&u, &copy, other, bytes);
		free(kept[--keeps].copy);
		if (windows)
			FAULT(fair_usage_coarsen(&u), EINVAL, "has windows");
		usage_rule_overflow(&u, other, bytes);
		TEST_EQ(fair_usage_clone(&copy, other, bytes, &u), 0);
		TEST_EQ(fair_usage_check(&copy), 0);
		if (windows) {
			usage_merges(&u, &copy, other, bytes);
			usage_checkpoints(&u, other);
		}
		forget();
	}
	leave();
}
