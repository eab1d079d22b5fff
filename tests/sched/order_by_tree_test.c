/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The order by a tree of accounts: whose job goes first, what a job is charged
 * at its start and at its end, changes of the tree, explanations, checkpoints.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/checkpoints.h"
#include "tests/world.h"

#define WEEK 604800
#define ROOT FAIR_FAIRTREE_ROOT

/*
 *   physics 0 (25 % of the shares)    chemistry 1 (75 %)
 *     ann 2 (1)   bob 3 (1)             cid 4 (1)
 */
static void open_tree(struct world *w, uint32_t policy)
{
	struct fair_config c = { .policy = policy,
				 .order = FAIR_ORDER_TREE,
				 .procs = 8,
				 .jobs = 20,
				 .users = 6,
				 .half_life = WEEK };

	open_world_of(w, &c);
	TEST_OK(fair_sched_tree_add_account(&w->s, 0, 0, ROOT, 1));
	TEST_OK(fair_sched_tree_add_account(&w->s, 0, 1, ROOT, 3));
	TEST_OK(fair_sched_tree_add_user(&w->s, 0, 2, 0, 1));
	TEST_OK(fair_sched_tree_add_user(&w->s, 0, 3, 0, 1));
	TEST_OK(fair_sched_tree_add_user(&w->s, 0, 4, 1, 1));
}

/* Processor-seconds at the present, rounded down. */
static uint64_t used_by(const struct world *w, uint32_t node)
{
	const struct fair_fairtree *f = fair_sched_tree(&w->s);

	return f->node[node].usage / f->weight /
	       (uint64_t)fair_sched_tree_unit(&w->s.config);
}

/*
 * By hand. At first all tie, and jobs go by submission: job 0. Then of the usage,
 * and level fair share = part of the shares / part of the usage:
 *
 *   physics      chemistry     starts
 *   100 of 100   0 of 100      chemistry has used nothing: job 3 of cid
 *   100: 0.5     100: 1.5      job 4 of cid
 *   100: 1.25    400: 0.9375   job 2 of bob, without usage, not ann's 1
 *   200: 0.75    400: 1.125    job 5 of cid
 *   200          500           job 1, the last one
 */
TEST(golden)
{
	struct world w;

	open_tree(&w, FAIR_FCFS);
	submit_of(&w, 0, 2, 100, 1, 0);
	submit_of(&w, 1, 2, 100, 1, 0);
	submit_of(&w, 2, 3, 100, 1, 0);
	submit_of(&w, 3, 4, 100, 1, 0);
	submit_of(&w, 4, 4, 300, 1, 0);
	submit_of(&w, 5, 4, 100, 1, 0);
	TEST_EQ(step(&w, 0), 34251); /* 0 3 4 2 5 1 */
	close_world(&w);
}

/* Ann's start moves all users of physics behind cid, who stands below bob in a
 * heap of four. */
TEST(a_start_moves_others)
{
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	TEST_OK(fair_sched_tree_add_user(&w.s, 0, 5, 0, 1));
	submit_of(&w, 1, 2, 100, 1, 0);
	submit_of(&w, 2, 3, 100, 1, 0);
	submit_of(&w, 3, 5, 100, 1, 0);
	submit_of(&w, 4, 4, 100, 1, 0);
	submit_of(&w, 5, 2, 100, 1, 0);
	TEST_EQ(step(&w, 0), 14235);
	close_world(&w);
}

/* As the order by usage has it. */
TEST(charges)
{
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, 100, 4, 0);
	submit_of(&w, 1, 4, 100, 2, 8 * FAIR_PENALTY_ONE);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(used_by(&w, 2), 400);
	TEST_EQ(used_by(&w, 0), 400);
	TEST_EQ(used_by(&w, 4), 800);
	TEST_EQ(fair_sched_pass_time(&w.s, 50), 0);
	TEST_EQ(used_by(&w, 2), 400); /* it does not decay */
	TEST_EQ(fair_sched_modify(&w.s, 50, 1, 2, 200), 0);
	TEST_EQ(used_by(&w, 4), 1600);
	TEST_EQ(fair_sched_finish(&w.s, 60, 0), 0);
	TEST_EQ(used_by(&w, 2), 239); /* 4 * 60, a little decayed */
	TEST_EQ(fair_sched_requeue(&w.s, 60, 1), 0);
	TEST_EQ(used_by(&w, 4), 479); /* 8 * 60 */
	TEST_EQ(step(&w, 60), 1);
	TEST_EQ(used_by(&w, 4), 479 + 1600);
	TEST_EQ(fair_sched_refuse(&w.s, 60, 1), 0);
	TEST_EQ(used_by(&w, 4), 479);
	TEST_EQ(fair_sched_cancel(&w.s, 60, 1), 0);
	/* Half of it is left after a week. */
	TEST_EQ(fair_sched_pass_time(&w.s, 60 + WEEK), 0);
	TEST_EQ(used_by(&w, 4), 239);
	TEST_EQ(used_by(&w, 1), 239);
	TEST_EQ(used_by(&w, 0), 119);
	close_world(&w);
}

static int reload(struct world *w, struct fair_sched *s, char *memory,
		  const unsigned char *checkpoint, size_t bytes)
{
	return fair_sched_load(s, sizeof(*s), memory, w->bytes, &w->config,
			       checkpoint, bytes, NULL);
}

/* Loads a checkpoint of a world into itself, configured by its config. */
static int move_by_checkpoint(struct world *w)
{
	static unsigned char checkpoint[1 << 14];
	size_t bytes = fair_sched_checkpoint_size(&w->s);
	char *memory;
	int error;

	w->bytes = fair_sched_size(&w->config);
	memory = (char *)malloc(w->bytes);
	if (!memory || fair_sched_save(&w->s, checkpoint, sizeof(checkpoint)))
		return -1;
	error = reload(w, &w->s, memory, checkpoint, bytes);
	free(error ? memory : w->memory);
	if (!error)
		w->memory = memory;
	return error;
}

/* A walltime of 2^60 units is not charged, and its end neither. */
TEST(full_tree)
{
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, INT64_C(1) << 34, 4, INT64_C(1) << 51);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(used_by(&w, 2), 0);
	TEST_EQ(fair_sched_modify(&w.s, 0, 0, 4, 100), 0);
	TEST_EQ(used_by(&w, 2), 0);
	TEST_OK(fair_sched_set_half_life(&w.s, 0, 86400));
	TEST_EQ(used_by(&w, 2), 0);
	TEST_EQ(fair_sched_check(&w.s), 0);
	w.config.half_life = 86400;
	TEST_OK(move_by_checkpoint(&w)); /* nor when it is loaded */
	TEST_EQ(used_by(&w, 2), 0);
	TEST_EQ(fair_sched_finish(&w.s, 10, 0), 0);
	TEST_EQ(used_by(&w, 2), 0);
	/* A charge is taken back for such a walltime. */
	submit_of(&w, 1, 2, 100, 4, INT64_C(1) << 51);
	TEST_EQ(step(&w, 10), 1);
	TEST_CHECK(used_by(&w, 2) > 0);
	TEST_OK(fair_sched_modify(&w.s, 10, 1, 4, 4104));
	TEST_EQ(used_by(&w, 2), 0);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* An overrun may need the room that its walltime did not. */
TEST(room_for_an_overrun)
{
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, 500, 4, INT64_C(1) << 51);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(used_by(&w, 2), UINT64_C(500) << 31);
	TEST_OK(fair_sched_finish(&w.s, 1500, 0));
	TEST_CHECK(used_by(&w, 2) > UINT64_C(500) << 31);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* Without a tree, too, time does not go back. */
TEST(no_tree)
{
	struct world w;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_OK(fair_sched_pass_time(&w.s, 5));
	TEST_EQ(fair_sched_tree_remove(&w.s, 4, 0), -FAIR_ETIME);
	TEST_EQ(fair_sched_tree_remove(&w.s, 5, 0), -FAIR_EINVAL);
	close_world(&w);
}

/* From 2^60 units on: the others are charged. */
TEST(longest_charge)
{
	struct world w;
	int more;

	for (more = 0; more < 2; more++) {
		open_tree(&w, FAIR_BACKFILL);
		TEST_OK(fair_sched_set_half_life(&w.s, 0,
						 FAIR_USAGE_HALF_LIFE));
		submit_of(&w, 0, 4, 511 + more, 4, INT64_C(1) << 51);
		TEST_EQ(step(&w, 0), 0);
		submit_of(&w, 1, 2, 10, 1, 0);
		TEST_EQ(step(&w, 0), 1);
		submit_of(&w, 2, 4, 10, 1, 0);
		submit_of(&w, 3, 2, 10, 1, 0);
		TEST_EQ(step(&w, 0), more ? 23 : 32);
		TEST_EQ(fair_sched_check(&w.s), 0);
		close_world(&w);
	}
}

TEST(changes)
{
	struct fair_job j = a_job(9, 0, 10, 1);
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, 100, 8, 0);
	TEST_EQ(step(&w, 0), 0);
	submit_of(&w, 1, 3, 100, 8, 0);
	submit_of(&w, 2, 4, 100, 8, 0);
	/* ann moves to chemistry, and what she runs with her. */
	TEST_OK(fair_sched_tree_move(&w.s, 50, 2, 1));
	TEST_EQ(fair_sched_tree_move(&w.s, 49, 2, 1), -FAIR_ETIME);
	TEST_EQ(used_by(&w, 0), 0);
	TEST_EQ(used_by(&w, 1), 800);
	TEST_OK(fair_sched_finish(&w.s, 50, 0));
	TEST_EQ(used_by(&w, 1), 399);
	TEST_EQ(step(&w, 50), 1);
	TEST_OK(fair_sched_finish(&w.s, 60, 1));
	/* bob has used 80 of 480 in physics: with no shares he is behind. */
	submit_of(&w, 3, 3, 100, 8, 0);
	TEST_OK(fair_sched_tree_set_shares(&w.s, 60, 0, 0));
	TEST_EQ(step(&w, 60), 2);
	TEST_OK(fair_sched_finish(&w.s, 60, 2));
	TEST_OK(fair_sched_tree_set_shares(&w.s, 60, 0, 1));
	TEST_EQ(step(&w, 60), 3);
	/* A user with a job stays; without one it goes, its usage does not. */
	TEST_EQ(fair_sched_tree_remove(&w.s, 61, 3), -FAIR_EINVAL);
	TEST_OK(fair_sched_finish(&w.s, 70, 3));
	submit_of(&w, 4, 3, 100, 8, 0);
	TEST_EQ(fair_sched_tree_remove(&w.s, 70, 3), -FAIR_EINVAL);
	TEST_OK(fair_sched_cancel(&w.s, 70, 4));
	TEST_OK(fair_sched_tree_remove(&w.s, 70, 3));
	TEST_EQ(used_by(&w, 0), 160);
	j.user = 3;
	TEST_EQ(fair_sched_submit(&w.s, 70, &j), -FAIR_ENOENT);
	TEST_OK(fair_sched_tree_add_user(&w.s, 70, 3, 1, 2));
	TEST_OK(fair_sched_submit(&w.s, 70, &j));
	close_world(&w);
}

static bool says(const struct world *w, uint64_t number, const char *text)
{
	struct fair_why why;
	char all[2000];

	TEST_OK(fair_sched_why(&w->s, number, NULL, 0, &why));
	fair_why_text(&why, all, sizeof(all));
	if (strstr(all, text))
		return true;
	printf("# %s\n", all);
	return false;
}

TEST(explanation)
{
	struct fair_eligibility held = { INT64_MIN, 0, 0, true };
	struct fair_why why;
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, 610, 1, 0);
	submit_of(&w, 1, 4, 390, 1, 0);
	TEST_EQ(step(&w, 0), 1);
	submit_of(&w, 7, 3, 100, 8, 0);
	submit_of(&w, 8, 2, 100, 8, 0);
	submit_of(&w, 9, 4, 100, 8, 0);
	TEST_EQ(step(&w, 1), 0);
	TEST_CHECK(says(&w, 7,
			" It is of user 3, behind job 9 of user 4: account 0"
			" has used 61 percent of all and has 25 percent of its"
			" shares, account 1 has used 39 percent of all and has"
			" 75 percent of its shares."));
	/* Behind none, though others were submitted before it. */
	TEST_OK(fair_sched_why(&w.s, 9, NULL, 0, &why));
	TEST_EQ(why.reasons & FAIR_WHY_TREE, 0);
	/* The first job of all is of the same user. */
	submit_of(&w, 10, 4, 100, 8, 0);
	TEST_EQ(step(&w, 1), 0);
	TEST_OK(fair_sched_why(&w.s, 10, NULL, 0, &why));
	TEST_EQ(why.reasons & FAIR_WHY_TREE, 0);
	TEST_OK(fair_sched_cancel(&w.s, 1, 10));
	TEST_OK(fair_sched_cancel(&w.s, 1, 9));
	TEST_EQ(step(&w, 1), 0);
	TEST_CHECK(says(&w, 8,
			" behind job 7 of user 3: user 2 has used 100 percent"
			" of account 0 and has 50 percent of its shares, user 3"
			" has used 0 percent"));
	close_world(&w);
	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 7, 3, 100, 8, 0);
	TEST_EQ(step(&w, 0), 7);
	TEST_OK(fair_sched_cancel(&w.s, 0, 7));
	submit_of(&w, 1, 4, 100, 8, 0);
	TEST_EQ(step(&w, 0), 1);
	submit_of(&w, 2, 2, 100, 8, 0);
	submit_of(&w, 3, 3, 100, 8, 0);
	TEST_EQ(step(&w, 0), 0);
	TEST_CHECK(says(&w, 3, " behind job 2 of user 2: they share a rank, and"
			       " that job was submitted first."));
	/* A held job is behind no job of the queue. */
	TEST_OK(fair_sched_defer(&w.s, 0, 3, &held));
	TEST_EQ(step(&w, 0), 0);
	TEST_OK(fair_sched_why(&w.s, 3, NULL, 0, &why));
	TEST_EQ(why.reasons & FAIR_WHY_TREE, 0);
	TEST_EQ(why.tree.first, 0);
	close_world(&w);
}

/* The first job may have as many processors as there can be, whether it was
 * submitted first or last. */
TEST(behind_the_widest_job)
{
	struct fair_config c = { .policy = FAIR_FCFS,
				 .order = FAIR_ORDER_TREE,
				 .procs = INT32_MAX,
				 .users = 3,
				 .half_life = WEEK };
	struct fair_why why;
	struct world w;
	uint64_t wide;

	for (wide = 1; wide < 4; wide += 2) {
		open_world_of(&w, &c);
		TEST_OK(fair_sched_tree_add_user(&w.s, 0, 0, ROOT, 1));
		TEST_OK(fair_sched_tree_add_user(&w.s, 0, 1, ROOT, 1));
		submit_of(&w, 0, 1, 100, 1, 0);
		TEST_EQ(next_start(&w, 0), 0);
		submit_of(&w, wide, 0, 100, INT32_MAX, 0);
		submit_of(&w, 2, 1, 100, 1, 0);
		TEST_EQ(next_start(&w, 0), -1);
		TEST_OK(fair_sched_why(&w.s, 2, NULL, 0, &why));
		TEST_EQ(why.reasons & FAIR_WHY_TREE, FAIR_WHY_TREE);
		TEST_EQ(why.tree.first, wide);
		close_world(&w);
	}
}

/* Job 2 would delay job 1 of the other user, until that one has no shares: then
 * it goes first, in the same second. */
TEST(shares_of_a_queue_that_waits)
{
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 3, 100, 4, 0);
	TEST_EQ(next_start(&w, 0), 0);
	submit_of(&w, 1, 2, 100, 8, 0);
	submit_of(&w, 2, 3, 1000, 4, 0);
	TEST_EQ(next_start(&w, 0), -1);
	TEST_OK(fair_sched_tree_set_shares(&w.s, 0, 2, 0));
	TEST_EQ(next_start(&w, 0), 2);
	close_world(&w);
}

/* Saved and loaded, a scheduler decides the same; each damaged word of the tree
 * is refused, or makes a scheduler that checks. */
TEST(checkpoint)
{
	static unsigned char checkpoint[1 << 14], bad[1 << 14];
	struct fair_sched b;
	struct world w;
	size_t bytes, i;
	char *memory;
	int bit, damage, error;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, 1000, 4, 0);
	submit_of(&w, 1, 4, 100, 2, 0);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 50, 1));
	submit_of(&w, 2, 3, 100, 8, 0);
	submit_of(&w, 3, 4, 100, 8, 0);
	bytes = fair_sched_checkpoint_size(&w.s);
	TEST_REQUIRE(bytes <= sizeof(checkpoint));
	TEST_OK(fair_sched_save(&w.s, checkpoint, bytes));
	memory = (char *)malloc(w.bytes);
	TEST_REQUIRE(memory);
	TEST_OK(fair_sched_load(&b, sizeof(b), memory, w.bytes, &w.config,
				checkpoint, bytes, &damage));
	TEST_EQ(fair_sched_check(&b), 0);
	TEST_EQ(fair_sched_checkpoint_size(&b), bytes);
	TEST_OK(fair_sched_save(&b, bad, bytes));
	TEST_CHECK(!memcmp(checkpoint, bad, bytes));
	for (i = 0; i + 8 < bytes; i++)
		for (bit = 0; bit < 8; bit += 7) {
			memcpy(bad, checkpoint, bytes);
			bad[i] ^= (unsigned char)(1 << bit);
			good_again(bad, bytes);
			error = fair_sched_load(&b, sizeof(b), memory, w.bytes,
						&w.config, bad, bytes, &damage);
			TEST_CHECK(error || !fair_sched_check(&b));
		}
	free(memory);
	close_world(&w);
}

/* A day in place of a week has a coarser unit: what jobs used and what those
 * that run are charged is the same. */
TEST(another_half_life)
{
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, 100, 4, 0);
	submit_of(&w, 1, 4, 100, 2, 0);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 50, 1));
	TEST_OK(fair_sched_set_half_life(&w.s, 60, 86400));
	TEST_EQ(fair_sched_tree_unit(&w.s.config), 1 << 17);
	w.config.half_life = INT64_MAX;
	TEST_EQ(fair_sched_tree_unit(&w.config), 0);
	w.config.half_life = 0;
	TEST_EQ(fair_sched_tree_unit(&w.config), 0);
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_EQ(used_by(&w, 0), 400);
	TEST_EQ(used_by(&w, 1), 99);
	w.config.half_life = 1; /* all processors are just 16 */
	w.config.procs = 16;
	TEST_EQ(fair_sched_tree_unit(&w.config), 1);
	w.config.half_life = FAIR_PENALTY_ONE; /* a little below */
	w.config.procs = 15;
	TEST_EQ(fair_sched_tree_unit(&w.config), FAIR_PENALTY_ONE);
	w.config.procs = 8;
	w.config.half_life = 86400;
	TEST_OK(move_by_checkpoint(&w));
	TEST_OK(fair_sched_finish(&w.s, 100, 0));
	TEST_EQ(used_by(&w, 2), 399);
	TEST_EQ(fair_sched_pass_time(&w.s, 100 + 86400), 0);
	TEST_EQ(used_by(&w, 2), 199);
	TEST_EQ(used_by(&w, 4), 49);
	/* A checkpoint is loaded with another one, and with more nodes. */
	w.config.half_life = WEEK;
	w.config.users = 9;
	TEST_OK(move_by_checkpoint(&w));
	TEST_EQ(used_by(&w, 2), 199);
	TEST_EQ(used_by(&w, 4), 49);
	TEST_OK(fair_sched_tree_add_user(&w.s, 90000, 8, ROOT, 1));
	TEST_EQ(fair_sched_pass_time(&w.s, 100 + 86400 + WEEK), 0);
	TEST_EQ(used_by(&w, 2), 99);
	TEST_EQ(used_by(&w, 9), 124); /* all */
	TEST_OK(fair_sched_reset_usage(&w.s, 100 + 86400 + WEEK));
	TEST_EQ(used_by(&w, 9), 0);
	close_world(&w);
}

/* A second has a unit of a processor: a week needs coarser usages, also at
 * load. */
TEST(room_for_another_half_life)
{
	const uint64_t more = (UINT64_C(1) << 47) - (1 << 21);
	struct world w;
	uint64_t was;

	open_tree(&w, FAIR_BACKFILL);
	w.config.half_life = 1;
	TEST_OK(fair_sched_set_half_life(&w.s, 0, 1));
	submit_of(&w, 0, 2, 1, 1, (int64_t)more);
	submit_of(&w, 1, 2, 1, 1, (int64_t)more);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 1000, 0));
	TEST_OK(fair_sched_finish(&w.s, 1000, 1));
	was = used_by(&w, 2);
	TEST_OK(fair_sched_set_half_life(&w.s, 1000, WEEK));
	TEST_CHECK(used_by(&w, 2) - was + 1 <= 2);
	TEST_OK(move_by_checkpoint(&w));
	TEST_EQ(w.s.config.half_life, 1);
	TEST_CHECK(used_by(&w, 2) - was + 1 <= 2);
	w.config.half_life = WEEK;
	TEST_OK(move_by_checkpoint(&w));
	TEST_CHECK(used_by(&w, 2) - was + 1 <= 2);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* Where usages cannot be coarser the half-life stays. */
TEST(no_room_for_another_half_life)
{
	struct fair_fairtree *f;
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	TEST_OK(fair_sched_set_half_life(&w.s, 0, 1));
	f = (struct fair_fairtree *)(uintptr_t)fair_sched_tree(&w.s);
	while (!fair_fairtree_coarsen(f))
		;
	TEST_OK(fair_fairtree_charge(f, 2, 0, 1, INT64_C(1) << 50));
	TEST_EQ(fair_sched_set_half_life(&w.s, 1, WEEK), -FAIR_EOVERFLOW);
	TEST_EQ(w.s.config.half_life, 1);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

/* The widest job is charged again with another half-life, as others are. */
TEST(another_half_life_of_the_widest_job)
{
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_TREE,
				 .procs = INT32_MAX,
				 .users = 1,
				 .half_life = WEEK };
	struct world w;

	open_world_of(&w, &c);
	TEST_OK(fair_sched_tree_add_user(&w.s, 0, 0, ROOT, 1));
	submit_of(&w, 0, 0, 100, INT32_MAX, 0);
	TEST_EQ(step(&w, 0), 0);
	TEST_OK(fair_sched_set_half_life(&w.s, 10, 86400));
	TEST_EQ(fair_sched_check(&w.s), 0);
	TEST_EQ(used_by(&w, 0), UINT64_C(100) * INT32_MAX);
	TEST_OK(fair_sched_finish(&w.s, 20, 0));
	close_world(&w);
}

/* 32 processors for 2^33 s: usage gets fewer bits, and a job beside them is
 * charged; a checkpoint and a clone know how many. */
TEST(a_tree_makes_room)
{
	struct fair_sched b;
	struct world w;
	char *memory;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, INT64_C(1) << 33, 4, INT64_C(1) << 25);
	submit_of(&w, 1, 4, 100, 2, 0);
	TEST_EQ(step(&w, 0), 1);
	TEST_EQ(used_by(&w, 2), UINT64_C(1) << 38);
	TEST_EQ(used_by(&w, 4), 200);
	TEST_OK(move_by_checkpoint(&w));
	TEST_EQ(used_by(&w, 2), UINT64_C(1) << 38);
	TEST_EQ(used_by(&w, 4), 200);
	memory = (char *)malloc(w.bytes);
	TEST_REQUIRE(memory);
	TEST_OK(fair_sched_clone(&b, memory, w.bytes, &w.s));
	TEST_EQ(fair_sched_check(&b), 0);
	TEST_OK(fair_sched_finish(&b, 1000, 0));
	TEST_OK(fair_sched_finish(&w.s, 1000, 0));
	TEST_EQ(fair_sched_tree(&b)->node[2].usage,
		fair_sched_tree(&w.s)->node[2].usage);
	TEST_CHECK(used_by(&w, 2) > 0);
	TEST_EQ(fair_sched_check(&b), 0);
	free(memory);
	close_world(&w);
}

/* What bob is charged is not what ann's job was charged. */
TEST(charge_of_another_user)
{
	static unsigned char checkpoint[1 << 14], word[8];
	unsigned char *ann, *bob;
	struct fair_sched b;
	struct world w;
	uint64_t width;
	size_t bytes;
	char *memory;
	int field;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, 100, 4, 0);
	submit_of(&w, 1, 4, 1000, 2, 0);
	TEST_EQ(step(&w, 0), 1);
	bytes = fair_sched_checkpoint_size(&w.s);
	TEST_REQUIRE(bytes <= sizeof(checkpoint));
	TEST_OK(fair_sched_save(&w.s, checkpoint, bytes));
	memory = (char *)malloc(w.bytes);
	TEST_REQUIRE(memory);
	TEST_OK(reload(&w, &b, memory, checkpoint, bytes));
	ann = section(checkpoint, FAIR_FAIRTREE_TREE, &width);
	ann += 8 * width * 2;
	bob = ann + 8 * width;
	for (field = 3; field < 5; field++) { /* usage and what is held */
		memcpy(word, ann + 8 * field, 8);
		TEST_CHECK(fair_get_word(word) > 0);
		memcpy(ann + 8 * field, bob + 8 * field, 8);
		memcpy(bob + 8 * field, word, 8);
	}
	good_again(checkpoint, bytes);
	TEST_EQ(reload(&w, &b, memory, checkpoint, bytes), -FAIR_EINVAL);
	free(memory);
	close_world(&w);
}

/* A job that the tree had no room for is not charged when it is loaded. */
TEST(full_tree_is_loaded)
{
	static unsigned char checkpoint[1 << 14];
	struct fair_sched b;
	struct world w;
	size_t bytes;
	char *memory;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, INT64_C(1) << 34, 4, INT64_C(1) << 51);
	submit_of(&w, 1, 4, 100, 2, 0);
	TEST_EQ(step(&w, 0), 1);
	bytes = fair_sched_checkpoint_size(&w.s);
	TEST_REQUIRE(bytes <= sizeof(checkpoint));
	TEST_OK(fair_sched_save(&w.s, checkpoint, bytes));
	memory = (char *)malloc(w.bytes);
	TEST_REQUIRE(memory);
	TEST_OK(reload(&w, &b, memory, checkpoint, bytes));
	TEST_EQ(fair_sched_check(&b), 0);
	TEST_EQ(fair_sched_tree(&b)->node[2].usage, 0);
	TEST_EQ(fair_sched_tree(&b)->node[4].usage,
		fair_sched_tree(&w.s)->node[4].usage);
	TEST_OK(fair_sched_finish(&b, 10, 0));
	TEST_EQ(fair_sched_tree(&b)->node[2].usage, 0);
	TEST_EQ(fair_sched_check(&b), 0);
	free(memory);
	close_world(&w);
}

/* With a half-life of a second, the unit of a charge is a processor. */
TEST(short_half_life)
{
	struct fair_config c = { .policy = FAIR_BACKFILL,
				 .order = FAIR_ORDER_TREE,
				 .procs = 8,
				 .users = 2,
				 .half_life = 1 };
	const struct fair_fairtree *f;
	struct world w;

	open_world_of(&w, &c);
	TEST_OK(fair_sched_tree_add_user(&w.s, 0, 0, ROOT, 1));
	f = fair_sched_tree(&w.s);
	submit_of(&w, 0, 0, 100, 4, 0);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(f->node[0].usage, 4 * 100 * f->weight);
	TEST_OK(fair_sched_cancel(&w.s, 0, 0));
	TEST_EQ(f->node[0].usage, 0);
	close_world(&w);
}

/* The tree holds what running jobs are charged, and its sums are right. */
TEST(broken_tree)
{
	struct fair_fairtree *f;
	struct fair_live *j;
	struct world w;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, 100, 4, 0);
	TEST_EQ(step(&w, 0), 0);
	TEST_EQ(fair_sched_check(&w.s), 0);
	f = (struct fair_fairtree *)(uintptr_t)fair_sched_tree(&w.s);
	f->node[2].usage++;
	TEST_CHECK(fair_sched_check(&w.s) != 0);
	f->node[2].usage--;
	j = fair_sched_find(&w.s, 0);
	j->charged = false;
	TEST_CHECK(fair_sched_check(&w.s) != 0);
	j->charged = true;
	close_world(&w);
}

/* A conversion keeps the usage of a tree that it is given, and charges the jobs
 * that run once. */
TEST(conversion)
{
	struct world w;
	struct fair_config c;
	struct fair_sched b;
	char *memory;
	size_t bytes;

	open_tree(&w, FAIR_BACKFILL);
	submit_of(&w, 0, 2, 1000, 4, 0);
	submit_of(&w, 1, 4, 100, 2, 0);
	TEST_EQ(step(&w, 0), 1);
	TEST_OK(fair_sched_finish(&w.s, 50, 1));
	c = w.config;
	c.depth = 3;
	c.tree = fair_sched_tree(&w.s);
	bytes = fair_sched_size(&c);
	memory = (char *)malloc(bytes);
	TEST_REQUIRE(memory);
	TEST_OK(fair_sched_convert(&b, sizeof(b), memory, bytes, &c, &w.s));
	TEST_EQ(fair_sched_check(&b), 0);
	TEST_EQ(fair_sched_tree(&b)->node[0].usage,
		fair_sched_tree(&w.s)->node[0].usage);
	TEST_EQ(fair_sched_tree(&b)->node[4].usage,
		fair_sched_tree(&w.s)->node[4].usage);
	free(memory);
	c.half_life++;
	TEST_CHECK(strstr(fair_sched_config_error(&c), "tree"));
	c.half_life--;
	TEST_CHECK(!fair_sched_config_error(&c));
	c.users++;
	TEST_CHECK(strstr(fair_sched_config_error(&c), "tree"));
	close_world(&w);
}
