/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The checkpoint of a ledger is the same bytes on any machine; a damaged one,
 * or one that no ledger wrote, is refused.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/ledger.h"

static size_t saved(const struct fair_usage *u, unsigned char *checkpoint)
{
	size_t bytes = fair_usage_checkpoint_size(u);

	TEST_EQ(fair_usage_save(u, checkpoint, bytes - 1), -FAIR_ENOSPC);
	TEST_EQ(fair_usage_save(u, checkpoint, bytes), 0);
	return bytes;
}

static int damage_of(const unsigned char *checkpoint, size_t bytes)
{
	struct fair_usage u, before;
	int damage = -1, result;

	memset(&u, 7, sizeof(u));
	before = u;
	result = fair_usage_load(&u, sizeof(u), memory[7], sizeof(memory[7]),
				 checkpoint, bytes, &damage);
	TEST_EQ(result, damage ? -FAIR_EINVAL : 0);
	TEST_CHECK(!result || !memcmp(&u, &before, sizeof(u)));
	return damage;
}

/* Writes a word and signs the checkpoint again. */
static int damage_by(const unsigned char *checkpoint, size_t bytes, size_t word,
		     uint64_t value)
{
	static unsigned char copy[1 << 16];
	int damage;

	memcpy(copy, checkpoint, bytes);
	fair_put_word(copy + 8 * word, value);
	fair_put_word(copy + bytes - 8, fair_fnv(copy, bytes - 8));
	damage = damage_of(copy, bytes);
	if (word < 8) /* of the header */
		TEST_EQ(!fair_usage_load_size(copy, bytes), damage != 0);
	return damage;
}

static size_t example_checkpoint(unsigned char *checkpoint)
{
	struct fair_usage u;

	half_life(&u, 3, 2, 10);
	TEST_EQ(fair_usage_charge(&u, 1, 30, 40, 8), 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 0, 3, 5), 0);
	return saved(&u, checkpoint);
}

/* Byte by byte what any machine writes. */
TEST(checkpoint_bytes)
{
	static unsigned char checkpoint[1024];
	static const unsigned char start[] = {
		'f', 'a', 'i', 'r', 's', 'a', 'g', 'e', 1, 0, 0, 0, 0, 0, 0,
		0,   2,	  0,   0,   0,	 0,   0,   0,	0, 0, 0, 0, 0, 0, 0,
		0,   0,	  10,  0,   0,	 0,   0,   0,	0, 0, 0, 0, 0, 0, 0,
		0,   0,	  0,   4,   0,	 0,   0,   0,	0, 0, 0, 1, 0, 0, 0,
		0,   0,	  0,   0,   3,	 0,   0,   0,	0, 0, 0, 0, 2, 0, 0,
		0,   0,	  0,   0,   0,	 40,  0,   0,	0, 0, 0, 0, 0, 0, 0,
		0,   0,	  0,   0,   0,	 0,   15,  0,	0, 0, 0, 0, 0, 0
	};
	static unsigned char room[4096];
	size_t bytes = example_checkpoint(checkpoint), need, i;
	struct fair_usage u;
	int damage = -1;

	TEST_EQ(bytes, (8 + 3 + 3 * 4 + 1) * 8);
	TEST_EQ(memcmp(checkpoint, start, sizeof(start)), 0);
	TEST_EQ(fair_fnv(checkpoint, bytes), INT64_C(7671133124718207090));
	need = fair_usage_load_size(checkpoint, bytes);
	TEST_EQ(need, fair_usage_size(2, 0, 4));
	TEST_EQ(fair_usage_load_size(checkpoint, bytes - 1), 0);
	TEST_EQ(fair_usage_load(&u, sizeof(u), room, need - 1, checkpoint,
				bytes, &damage),
		-FAIR_ENOMEM);
	TEST_EQ(damage, 0);
	damage = -1;
	TEST_EQ(fair_usage_load(&u, sizeof(u) - 1, room, need, checkpoint,
				bytes, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, 0);
	for (i = 0; i < 64; i += 7) {
		TEST_OK(fair_usage_load(&u, sizeof(u), room + i, need,
					checkpoint, bytes, NULL));
		TEST_EQ(whole_at(&u, 1, 40), 57); /* 80 / ln 2 / 2 */
		TEST_EQ(whole_at(&u, 0, 40), 15);
	}
}

/* The largest numbers of a checkpoint. */
TEST(checkpoint_largest)
{
	static unsigned char checkpoint[1 << 16];
	struct fair_usage u;

	TEST_OK(fair_usage_init_windows(
		&u, sizeof(u), memory[0], sizeof(memory[0]), 1, 1, UINT64_MAX,
		FAIR_USAGE_DEPTH, INT64_MAX, FAIR_USAGE_ONE));
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(damage_of(checkpoint, saved(&u, checkpoint)), 0);
	TEST_OK(fair_usage_init_half_life(
		&u, sizeof(u), memory[0], sizeof(memory[0]), 2,
		FAIR_USAGE_SOURCES, UINT64_MAX, FAIR_USAGE_HALF_LIFE));
	TEST_EQ(damage_of(checkpoint, saved(&u, checkpoint)), 0);
	/* As much as 32 bits can count: (9 + 2 * (67108862 * 4 + 3)) * 8 */
	u.sources = 2;
	u.entities = 67108861;
	TEST_EQ(fair_usage_checkpoint_size(&u), INT64_C(4294967288));
	TEST_EQ(fair_usage_save(&u, checkpoint, sizeof(checkpoint)),
		-FAIR_ENOSPC);
	u.entities++;
	TEST_EQ(!fair_usage_checkpoint_size(&u), SIZE_MAX == UINT32_MAX);
	TEST_EQ(fair_usage_save(&u, checkpoint, sizeof(checkpoint)),
		-FAIR_ENOSPC);
}

TEST(checkpoint_damaged)
{
	static unsigned char checkpoint[1024], other[80];
	size_t bytes = example_checkpoint(checkpoint), i;
	int bit;

	TEST_EQ(damage_of(checkpoint, bytes), 0);
	for (i = 0; i < bytes; i++)
		for (bit = 0; bit < 8; bit++) {
			checkpoint[i] ^= (unsigned char)(1 << bit);
			TEST_CHECK(damage_of(checkpoint, bytes) > 0);
			checkpoint[i] ^= (unsigned char)(1 << bit);
		}
	for (i = 0; i < bytes; i++)
		TEST_EQ(damage_of(checkpoint, i), FAIR_USAGE_CUT);
	checkpoint[0]++;
	TEST_EQ(damage_of(checkpoint, bytes), FAIR_USAGE_FOREIGN);
	checkpoint[0]--;
	checkpoint[8]++;
	TEST_EQ(damage_of(checkpoint, bytes), FAIR_USAGE_FORMAT);
	checkpoint[8]--;
	checkpoint[bytes - 1]++;
	TEST_EQ(damage_of(checkpoint, bytes), FAIR_USAGE_CHECKSUM);
	/* What tells is read of that length, and no sooner. */
	TEST_EQ(damage_of(other, 15), FAIR_USAGE_CUT);
	TEST_EQ(damage_of(other, 16), FAIR_USAGE_FOREIGN);
	memcpy(other, checkpoint, 16);
	TEST_EQ(damage_of(other, 71), FAIR_USAGE_CUT);
	TEST_EQ(damage_of(other, 72), FAIR_USAGE_BROKEN);
}

/* Signed, but no ledger of ours; the words are those of the manual. */
TEST(checkpoint_broken)
{
	static const struct {
		size_t word;
		uint64_t value;
		int damage;
	} bad[] = {
		{ 2, 0, FAIR_USAGE_BROKEN },
		{ 2, UINT32_MAX, FAIR_USAGE_BROKEN },
		{ 2, 1, FAIR_USAGE_CUT },
		{ 2, UINT32_MAX - 1, FAIR_USAGE_CUT },
		{ 3, 1025, FAIR_USAGE_BROKEN },
		{ 3, 7, FAIR_USAGE_CUT },
		{ 4, UINT64_MAX, FAIR_USAGE_BROKEN },
		{ 4, (UINT64_C(1) << 32) + 1, FAIR_USAGE_BROKEN },
		{ 5, 1, FAIR_USAGE_BROKEN },
		{ 6, 0, FAIR_USAGE_BROKEN },
		{ 6, 17, FAIR_USAGE_BROKEN },
		{ 7, 0, FAIR_USAGE_BROKEN },
		{ 7, 2, FAIR_USAGE_CUT },
		{ 7, 5, FAIR_USAGE_BROKEN },
		{ 10, UINT64_MAX, FAIR_USAGE_BROKEN }, /* clock */
		{ 10, 39, FAIR_USAGE_BROKEN },
		{ 11, 5, FAIR_USAGE_BROKEN },  /* entity 0: period */
		{ 12, 14, FAIR_USAGE_BROKEN }, /* held */
		{ 12, UINT64_MAX, FAIR_USAGE_BROKEN },
		{ 13, 1, FAIR_USAGE_BROKEN }, /* whole */
		{ 13, UINT64_MAX, FAIR_USAGE_BROKEN },
		{ 14, 1000, FAIR_USAGE_BROKEN }, /* fraction */
	};
	static unsigned char checkpoint[1024], other[1024];
	size_t bytes = example_checkpoint(checkpoint), i;
	struct fair_usage u;

	TEST_EQ(damage_by(checkpoint, bytes, 8, 99), 0); /* another server's */
	TEST_EQ(damage_by(checkpoint, bytes, 14, 1), 0); /* within I7 */
	windows(&u, 3, 2, 2, 10, 0);
	TEST_EQ(damage_by(other, saved(&u, other), 4, 0), FAIR_USAGE_BROKEN);
	/* Without decay there is one period. */
	half_life(&u, 3, 2, 0);
	TEST_EQ(fair_usage_charge(&u, 1, 30, 40, 8), 0);
	TEST_EQ(damage_by(other, saved(&u, other), 11, 0), 0);
	TEST_EQ(damage_by(other, saved(&u, other), 11, 1), FAIR_USAGE_BROKEN);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		TEST_EQ(damage_by(checkpoint, bytes, bad[i].word, bad[i].value),
			bad[i].damage);
}

/* Charges of two entities until 40, from server @id. */
static size_t reload_checkpoint(unsigned char *checkpoint, uint32_t entities,
				int64_t half_life, uint64_t id)
{
	struct fair_usage u;

	TEST_OK(fair_usage_init_half_life(&u, sizeof(u), memory[0],
					  sizeof(memory[0]), entities, 1, id,
					  half_life));
	TEST_EQ(fair_usage_charge(&u, entities - 1, 10, 40, 2), 0);
	return saved(&u, checkpoint);
}

/* A ledger of the same rule takes the state; no other does. */
TEST(reloaded)
{
	static unsigned char checkpoint[1024];
	struct fair_usage u;
	size_t bytes;

	TEST_OK(fair_usage_init_half_life(&u, sizeof(u), memory[1],
					  sizeof(memory[1]), 2, 1, 0, 10));
	bytes = reload_checkpoint(checkpoint, 2, 10, 0);
	TEST_EQ(fair_usage_reload(&u, 39, checkpoint, bytes), -FAIR_EINVAL);
	TEST_EQ(fair_usage_reload(&u, 40, checkpoint, bytes), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_CHECK(whole_at(&u, 1, 40) > 0);
	TEST_EQ(whole_at(&u, 0, 40), 0);
	TEST_CHECK((unsigned char *)u.row >= (unsigned char *)memory[1]);
	bytes = reload_checkpoint(checkpoint, 3, 10, 0);
	TEST_EQ(fair_usage_reload(&u, 40, checkpoint, bytes), -FAIR_EINVAL);
	bytes = reload_checkpoint(checkpoint, 2, 11, 0);
	TEST_EQ(fair_usage_reload(&u, 40, checkpoint, bytes), -FAIR_EINVAL);
	bytes = reload_checkpoint(checkpoint, 2, 10, 7);
	TEST_EQ(fair_usage_reload(&u, 40, checkpoint, bytes), -FAIR_EINVAL);
	bytes = reload_checkpoint(checkpoint, 2, 10, 0);
	checkpoint[bytes - 1]++;
	TEST_EQ(fair_usage_reload(&u, 40, checkpoint, bytes), -FAIR_EINVAL);
	checkpoint[bytes - 1]--;
	TEST_EQ(fair_usage_reload(&u, 40, checkpoint, bytes), 0);
	checkpoint[bytes - 1]++; /* right after one that is not damaged */
	TEST_EQ(fair_usage_reload(&u, 40, checkpoint, bytes), -FAIR_EINVAL);
	checkpoint[bytes - 1]--;
	TEST_OK(fair_usage_init_half_life(&u, sizeof(u), memory[1],
					  sizeof(memory[1]), 2, 2, 0, 10));
	TEST_EQ(fair_usage_reload(&u, 40, checkpoint, bytes), -FAIR_EINVAL);
}
