/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A ledger that changes while it runs: entities are added, usage is set, taken
 * back and forgotten, and another half-life or window keeps it.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/ledger.h"

static uint64_t charged_at(const struct fair_usage *u, uint32_t entity,
			   int64_t t)
{
	uint64_t whole = UINT64_MAX, fraction;

	TEST_EQ(fair_usage_charged(u, entity, t, &whole, &fraction), 0);
	return whole;
}

static uint64_t take(struct fair_usage *u, uint32_t entity, int64_t t,
		     uint64_t amount)
{
	struct fair_usage_refund credit = { 0, 0, UINT64_MAX, 0, 4711 };

	credit.t = t;
	credit.entity = entity;
	credit.amount = amount;
	TEST_EQ(fair_usage_credit(u, &credit), 0);
	TEST_EQ(credit.reason, 4711);
	TEST_EQ(fair_usage_check(u), 0);
	return credit.taken;
}

/* A ledger that has grown reads as one that knew all from the start. */
TEST(more_entities)
{
	struct fair_usage few, grown, all;
	uint32_t e, sources;

	for (sources = 0; sources < 2; sources++) {
		half_life(&few, 0, 2, DAY);
		half_life(&all, 1, 5, DAY);
		all.source[0].id = 0;
		TEST_EQ(fair_usage_charge(&few, 1, 10, 5000, 7), 0);
		TEST_EQ(fair_usage_charge(&all, 1, 10, 5000, 7), 0);
		TEST_EQ(fair_usage_charge_provisional(&few, 0, 3, 9), 0);
		TEST_EQ(fair_usage_charge_provisional(&all, 0, 3, 9), 0);
		if (sources) {
			struct fair_usage peer;

			half_life(&peer, 2, 2, DAY);
			TEST_EQ(fair_usage_charge(&peer, 0, 10, 60, 7), 0);
			TEST_EQ(fair_usage_merge(&few, &peer), 0);
			half_life(&peer, 2, 5, DAY);
			TEST_EQ(fair_usage_charge(&peer, 0, 10, 60, 7), 0);
			TEST_EQ(fair_usage_merge(&all, &peer), 0);
		}
		TEST_OK(fair_usage_extend(
			&grown, memory[3],
			fair_usage_size(5, 0, few.sources_max), 5, &few));
		TEST_EQ(fair_usage_check(&grown), 0);
		TEST_EQ(fair_usage_charge(&grown, 4, 5000, 2 * DAY, 11), 0);
		TEST_EQ(fair_usage_charge(&all, 4, 5000, 2 * DAY, 11), 0);
		for (e = 0; e < 5; e++)
			TEST_CHECK(same_reading(&grown, &all, e, 3 * DAY));
		TEST_CHECK(same_reading(&grown, &all, FAIR_USAGE_TOTAL,
					3 * DAY));
		TEST_EQ(fair_usage_check(&grown), 0);
	}
}

/* So does one that reloads what one with fewer entities has saved. */
TEST(reload_into_more)
{
	static unsigned char checkpoint[1024];
	struct fair_usage few, grown;
	size_t bytes;
	uint32_t depth;

	for (depth = 0; depth < 2; depth++) {
		if (depth) {
			TEST_OK(fair_usage_init_windows(
				&few, sizeof(few), memory[0], 4096, 2, 1, 0, 1,
				DAY, 0));
			TEST_OK(fair_usage_init_windows(
				&grown, sizeof(grown), memory[1], 4096, 4, 1, 0,
				1, DAY, 0));
		} else {
			TEST_OK(fair_usage_init_half_life(
				&few, sizeof(few), memory[0], 4096, 2, 1, 0,
				DAY));
			TEST_OK(fair_usage_init_half_life(
				&grown, sizeof(grown), memory[1], 4096, 4, 1, 0,
				DAY));
		}
		TEST_EQ(fair_usage_charge(&few, 1, 10, 50, 7), 0);
		bytes = fair_usage_checkpoint_size(&few);
		TEST_OK(fair_usage_save(&few, checkpoint, bytes));
		TEST_EQ(fair_usage_reload(&grown, 50, checkpoint, bytes), 0);
		TEST_EQ(fair_usage_check(&grown), 0);
		TEST_CHECK(same_reading(&grown, &few, 1, 60));
		TEST_CHECK(same_reading(&grown, &few, FAIR_USAGE_TOTAL, 60));
		TEST_EQ(whole_at(&grown, 3, 60), 0);
		TEST_EQ(fair_usage_charge(&grown, 3, 50, 60, 1), 0);
		TEST_EQ(fair_usage_check(&grown), 0);
		bytes = fair_usage_checkpoint_size(&grown);
		TEST_OK(fair_usage_save(&grown, checkpoint, bytes));
		TEST_EQ(fair_usage_reload(&few, 60, checkpoint, bytes),
			-FAIR_EINVAL);
	}
	/* Of more entities, though in fewer bytes. */
	TEST_OK(fair_usage_init_half_life(&few, sizeof(few), memory[0], 4096,
					  3, 1, 0, DAY));
	TEST_OK(fair_usage_init_windows(&grown, sizeof(grown), memory[1], 4096,
					2, 1, 0, 20, DAY, 0));
	bytes = fair_usage_checkpoint_size(&few);
	TEST_OK(fair_usage_save(&few, checkpoint, bytes));
	TEST_EQ(fair_usage_reload(&grown, 0, checkpoint, bytes), -FAIR_EINVAL);
	TEST_EQ(grown.entities, 2);
	TEST_EQ(fair_usage_check(&grown), 0);
}

TEST(set_and_reset)
{
	struct fair_usage u;

	half_life(&u, 0, 3, DAY);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 100, 5), 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, 3, 9), 0);
	TEST_EQ(fair_usage_set(&u, 1, 3 * DAY, 1000, 0), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(charged_at(&u, 1, 3 * DAY), 1000);
	TEST_EQ(charged_at(&u, 1, 4 * DAY), 500);
	TEST_EQ(whole_at(&u, 1, 4 * DAY), 527);
	TEST_EQ(fair_usage_set(&u, 1, 4 * DAY + 7, 12345, 0), 0);
	TEST_CHECK(charged_at(&u, 1, 4 * DAY + 7) - 12344 < 2);
	TEST_EQ(fair_usage_set(&u, 1, 5 * DAY, 0, 0), 0);
	TEST_EQ(charged_at(&u, 1, 5 * DAY), 0);
	TEST_EQ(charged_at(&u, 0, 5 * DAY),
		charged_at(&u, FAIR_USAGE_TOTAL, 5 * DAY));
	TEST_EQ(fair_usage_reset(&u, 5 * DAY), 0);
	TEST_EQ(charged_at(&u, FAIR_USAGE_TOTAL, 5 * DAY), 0);
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, 5 * DAY), 27);
	TEST_EQ(fair_usage_check(&u), 0);
	/* The only entity exceeds the total by a fraction at most. */
	TEST_EQ(fair_usage_charge(&u, 2, 5 * DAY + 1, 5 * DAY + 9, 1), 0);
	TEST_EQ(fair_usage_charge(&u, 2, DAY + 1, DAY + 9, 1), 0);
	TEST_EQ(fair_usage_set(&u, 2, 9 * DAY, 1, 0), 0);
	TEST_EQ(fair_usage_check(&u), 0);
}

/*
 * A charge of an earlier period is shifted to that of its row, and once more
 * when it is read; for the total at once. So the row may exceed the total, and
 * the total is what is set.
 */
TEST(set_of_more_than_the_total)
{
	uint64_t row[2], total[2];
	uint32_t exceeds = 0;
	struct fair_usage u;
	int64_t k;

	for (k = 1; k < 40; k++) {
		half_life(&u, 0, 2, DAY);
		TEST_OK(fair_usage_charge(&u, 0, DAY + k, DAY + 2 * k, 1));
		TEST_OK(fair_usage_charge(&u, 1, 3 * DAY + 1, 3 * DAY + 2, 1));
		TEST_OK(fair_usage_set(&u, 1, 3 * DAY + 2, 0, 0));
		TEST_OK(fair_usage_charge(&u, 0, DAY + k, DAY + 3 * k, 1));
		TEST_OK(fair_usage_charged(&u, 0, 4 * DAY, &row[0], &row[1]));
		TEST_OK(fair_usage_charged(&u, FAIR_USAGE_TOTAL, 4 * DAY,
					   &total[0], &total[1]));
		exceeds += row[0] == total[0] && row[1] > total[1];
		TEST_OK(fair_usage_set(&u, 0, 3 * DAY + 2, 100, 0));
		TEST_OK(fair_usage_at(&u, 0, 4 * DAY, &row[0], &row[1]));
		TEST_OK(fair_usage_at(&u, FAIR_USAGE_TOTAL, 4 * DAY, &total[0],
				      &total[1]));
		TEST_CHECK(row[0] == total[0] && total[1] - row[1] < 2);
		TEST_EQ(fair_usage_check(&u), 0);
	}
	TEST_CHECK(exceeds > 0);
}

TEST(credits_of_a_half_life)
{
	struct fair_usage u;

	half_life(&u, 0, 2, DAY);
	TEST_EQ(fair_usage_set(&u, 0, DAY, 1000, 0), 0);
	TEST_EQ(take(&u, 0, DAY, 0), 0);
	TEST_EQ(take(&u, 0, DAY, 300), 300);
	TEST_EQ(charged_at(&u, 0, DAY), 700);
	TEST_EQ(take(&u, 0, 2 * DAY, 400), 350);
	TEST_EQ(charged_at(&u, 0, 2 * DAY), 0);
	TEST_EQ(charged_at(&u, FAIR_USAGE_TOTAL, 2 * DAY), 0);
}

/* The latest windows first; what no window has is not taken. */
TEST(credits_of_windows)
{
	const uint64_t most = (UINT64_C(1) << 59) / 3;
	struct fair_usage u;

	windows(&u, 0, 2, 3, DAY, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 100, 8), 0);
	TEST_EQ(fair_usage_charge(&u, 0, DAY, DAY + 100, 8), 0);
	TEST_EQ(fair_usage_charge(&u, 1, DAY, DAY + 100, 1), 0);
	TEST_EQ(take(&u, 0, 2 * DAY, 1000), 1000);
	TEST_EQ(charged_at(&u, 0, 2 * DAY), 150);
	TEST_EQ(charged_at(&u, 1, 2 * DAY), 50);
	TEST_EQ(take(&u, 0, 2 * DAY, 1000), 600);
	TEST_EQ(charged_at(&u, 0, 2 * DAY), 0);
	TEST_EQ(fair_usage_set(&u, 1, 2 * DAY, 77, 1), 0);
	TEST_EQ(charged_at(&u, 1, 2 * DAY), 77);
	TEST_EQ(charged_at(&u, 1, 3 * DAY), 38);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(fair_usage_set(&u, 1, 3 * DAY, 4, 0), 0);
	TEST_EQ(fair_usage_set(&u, 1, 3 * DAY, 5, 0), 0);
	TEST_EQ(charged_at(&u, 1, 3 * DAY), 5);
	TEST_EQ(fair_usage_check(&u), 0);
	/* As much as there may be takes the place of as much. */
	TEST_EQ(fair_usage_set(&u, 1, 3 * DAY, most, 0), 0);
	TEST_EQ(fair_usage_set(&u, 1, 3 * DAY, most, 0), 0);
	TEST_EQ(fair_usage_set(&u, 1, 3 * DAY, most + 1, 0), -FAIR_EOVERFLOW);
	TEST_EQ(fair_usage_reset(&u, 3 * DAY), 0);
	TEST_EQ(charged_at(&u, FAIR_USAGE_TOTAL, 3 * DAY), 0);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* Nothing changes of a ledger that has merged the usage of another server. */
TEST(no_other_rule_with_sources)
{
	struct fair_usage u, peer;

	half_life(&u, 0, 2, DAY);
	half_life(&peer, 1, 2, DAY);
	TEST_EQ(fair_usage_charge(&peer, 0, 0, 100, 8), 0);
	TEST_EQ(fair_usage_merge(&u, &peer), 0);
	TEST_EQ(fair_usage_change_rule(&u, DAY, 2 * DAY, 0), -FAIR_EINVAL);
	TEST_EQ(u.length, DAY);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* What a server has charged itself is read as if it had no peers. */
TEST(own_charges_before_a_peers)
{
	struct fair_usage u, peer;

	half_life(&u, 0, 2, DAY);
	half_life(&peer, 1, 2, DAY);
	TEST_EQ(fair_usage_set(&u, 0, DAY, 1024, 0), 0);
	TEST_EQ(fair_usage_charge(&peer, 0, 9 * DAY, 10 * DAY, 8), 0);
	TEST_EQ(fair_usage_merge(&u, &peer), 0);
	TEST_EQ(charged_at(&u, 0, 2 * DAY), 512);
}

/* Each may be what a ledger holds, but not the sum. */
TEST(more_than_the_total_holds)
{
	const uint64_t most = UINT64_C(1) << 57;
	struct fair_usage u;
	int error = 0;
	uint32_t e;

	half_life(&u, 0, 64, DAY);
	for (e = 0; e < 64 && !error; e++)
		error = fair_usage_set(&u, e, 0, most, 0);
	TEST_EQ(error, -FAIR_EOVERFLOW);
	TEST_CHECK(e > 1);
	TEST_EQ(whole_at(&u, e - 1, 0), 0);
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, 0), (e - 1) * most);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* Usage that does not decay is exact; from and to a half-life it stays. */
TEST(no_decay)
{
	static unsigned char checkpoint[1024];
	struct fair_usage u;
	size_t bytes;

	half_life(&u, 0, 2, 0);
	TEST_EQ(fair_usage_charge(&u, 0, 10, WEEK, 5), 0);
	TEST_EQ(fair_usage_charge(&u, 0, WEEK, 2 * WEEK, 5), 0);
	TEST_EQ(fair_usage_charge(&u, 1, WEEK, 2 * WEEK, 1), 0);
	TEST_EQ(charged_at(&u, 0, 9 * WEEK), 5 * (2 * WEEK - 10));
	TEST_EQ(charged_at(&u, FAIR_USAGE_TOTAL, INT64_MAX),
		5 * (2 * WEEK - 10) + WEEK);
	TEST_EQ(take(&u, 0, 2 * WEEK, 50), 50);
	TEST_EQ(fair_usage_set(&u, 1, 2 * WEEK, 64, 0), 0);
	TEST_EQ(charged_at(&u, 0, 9 * WEEK), 5 * (2 * WEEK - 20));
	bytes = fair_usage_checkpoint_size(&u);
	TEST_OK(fair_usage_save(&u, checkpoint, bytes));
	half_life(&u, 0, 2, 0);
	TEST_EQ(fair_usage_reload(&u, 2 * WEEK, checkpoint, bytes), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(fair_usage_change_rule(&u, 3 * WEEK, WEEK, 0), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(charged_at(&u, 1, 3 * WEEK), 64);
	TEST_EQ(charged_at(&u, 1, 4 * WEEK), 32);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, 3, 9), 0);
	TEST_EQ(fair_usage_change_rule(&u, 5 * WEEK, 0, 0), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(charged_at(&u, 1, INT64_MAX), 16);
	TEST_EQ(whole_at(&u, 1, INT64_MAX), 16 + 27);
}

/* The shortest half-life: each second is a period. */
TEST(a_half_life_of_a_second)
{
	struct fair_usage u;

	half_life(&u, 0, 2, 1);
	TEST_EQ(fair_usage_set(&u, 0, 5, 1024, 0), 0);
	TEST_EQ(charged_at(&u, 0, 6), 512);
	TEST_EQ(fair_usage_charge(&u, 0, 6, 8, 0), 0);
	TEST_EQ(charged_at(&u, 0, 15), 1);
	TEST_EQ(fair_usage_check(&u), 0);
}

TEST(another_rule)
{
	struct fair_usage u;

	half_life(&u, 0, 2, DAY);
	TEST_EQ(fair_usage_set(&u, 0, DAY, 1024, 0), 0);
	TEST_EQ(fair_usage_set(&u, 1, DAY, 64, 0), 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, 3, 9), 0);
	TEST_EQ(fair_usage_change_rule(&u, 2 * DAY, 2 * DAY, 0), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(charged_at(&u, 0, 2 * DAY), 512);
	TEST_EQ(charged_at(&u, 0, 4 * DAY), 256);
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, 4 * DAY), 256 + 16 + 27);
	windows(&u, 0, 2, 2, DAY, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 100, 8), 0);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 100, 1), 0);
	TEST_EQ(fair_usage_change_rule(&u, DAY, WEEK, FAIR_USAGE_ONE / 4), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(charged_at(&u, 0, DAY), 400);
	TEST_EQ(charged_at(&u, 1, WEEK - 1), 50);
	TEST_EQ(charged_at(&u, 0, WEEK), 100);
	TEST_EQ(charged_at(&u, 0, 2 * WEEK), 0);
	/* Two halves: the total is that of what is left of each. */
	windows(&u, 0, 2, 2, DAY, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), 0);
	TEST_EQ(fair_usage_charge(&u, 1, 0, 1, 1), 0);
	TEST_EQ(fair_usage_change_rule(&u, DAY, WEEK, FAIR_USAGE_ONE / 4), 0);
	TEST_EQ(charged_at(&u, FAIR_USAGE_TOTAL, DAY), 0);
	TEST_EQ(fair_usage_check(&u), 0);
}

/* Usage is halved, also that of an earlier period; what follows is not. */
TEST(coarser)
{
	static unsigned char checkpoint[1024];
	struct fair_usage u, w;
	uint64_t changes;
	size_t bytes;

	half_life(&u, 0, 2, DAY);
	TEST_EQ(fair_usage_set(&u, 0, DAY, 1024, 0), 0);
	TEST_EQ(fair_usage_set(&u, 1, 2 * DAY, 64, 0), 0);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, 3, 9), 0);
	changes = fair_usage_changes(&u);
	TEST_EQ(fair_usage_coarsen(&u), 0);
	TEST_EQ(fair_usage_changes(&u), changes + 1);
	TEST_EQ(fair_usage_check(&u), 0);
	TEST_EQ(whole_at(&u, 0, 2 * DAY), 256);
	TEST_EQ(whole_at(&u, 1, 2 * DAY), 32);
	TEST_EQ(whole_at(&u, FAIR_USAGE_TOTAL, 2 * DAY), 288);
	TEST_EQ(fair_usage_charge_provisional(&u, 1, 2, 9), 0);
	TEST_EQ(whole_at(&u, 1, 2 * DAY), 50);
	bytes = fair_usage_checkpoint_size(&u);
	TEST_OK(fair_usage_save(&u, checkpoint, bytes));
	TEST_EQ(fair_usage_reload(&u, 2 * DAY, checkpoint, bytes), 0);
	TEST_EQ(whole_at(&u, 1, 3 * DAY), 34);
	/* Room for as much again. */
	half_life(&u, 0, 2, 0);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, (INT64_C(1) << 59) - 1), 0);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, 1), -FAIR_EOVERFLOW);
	TEST_EQ(fair_usage_coarsen(&u), 0);
	TEST_EQ(fair_usage_charge(&u, 0, 0, 1, INT64_C(1) << 58), 0);
	TEST_EQ(fair_usage_check(&u), 0);
	windows(&w, 0, 2, 2, DAY, FAIR_USAGE_ONE / 2);
	TEST_EQ(fair_usage_coarsen(&w), -FAIR_EINVAL);
}
