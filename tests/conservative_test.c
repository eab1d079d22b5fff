/* SPDX-License-Identifier: MIT OR Unlicense */
#include <stdlib.h>

#include "policies/conservative.h"
#include "test.h"

/* The example of the manual; processors that are free in the end. */
static int32_t manual(void)
{
	struct fair_queued job[16] = { 0 };
	struct fair_conservative c;
	size_t bytes = fair_conservative_size(FAIR_COMPRESS, 16, 16);
	void *memory = malloc(bytes);
	uint32_t slot;

	fair_conservative_init(&c, sizeof(c), memory, bytes, FAIR_COMPRESS, 16,
			       16, job, sizeof(job[0]), 100, 0);
	job[0].rank.number = 7;
	job[0].walltime = 3600;
	job[0].procs = 64;
	fair_conservative_submit(&c, 0, 0, 0);
	while (fair_conservative_due(&c, 0, &slot))
		; // start the job in slot
	fair_conservative_give_back(&c, 600, 600, 3600, 64); // it ended early
	fair_conservative_compress(&c, 600);

	struct fair_step step;
	fair_profile_step_at(&c.profile, 600, &step);
	free(memory);
	return step.end == FAIR_FOREVER ? step.free : -1;
}

static void example_of_the_manual(void)
{
	TEST_EQ(manual(), 100);
}

#define JOBS 20
#define PROCS 10

/* A machine and what moved on it: from, to, of whom. */
struct site {
	struct fair_queued job[JOBS];
	struct fair_conservative c;
	char *memory;
	uint32_t used, moves;
	struct move {
		uint32_t slot;
		int64_t from, to;
	} move[100];
};

static void moved(void *context, uint32_t slot, int64_t from)
{
	struct site *s = (struct site *)context;
	struct move *m = &s->move[s->moves++ % 100];

	m->slot = slot;
	m->from = from;
	m->to = s->job[slot].rank.key;
	TEST_CHECK(m->from != m->to);
}

static void open_site(struct site *s, uint32_t compression, size_t shift)
{
	size_t bytes = fair_conservative_size(compression, JOBS, 3);

	memset(s, 0, sizeof(*s));
	s->memory = (char *)calloc(1, bytes + shift);
	if (!s->memory)
		abort();
	TEST_EQ(fair_conservative_init(&s->c, sizeof(s->c), s->memory + shift,
				       bytes - 1, compression, JOBS, 3, s->job,
				       sizeof(s->job[0]), PROCS, 0),
		-FAIR_ENOMEM);
	TEST_EQ(fair_conservative_init(&s->c, sizeof(s->c), s->memory + shift,
				       bytes, compression, JOBS, 3, s->job,
				       sizeof(s->job[0]), PROCS, 0),
		0);
	s->c.moved = moved;
	s->c.context = s;
}

static void close_site(struct site *s)
{
	TEST_EQ(fair_conservative_check(&s->c), 0);
	free(s->memory);
}

/* A job arrives; its slot is its number, its priority its walltime. */
static int64_t add(struct site *s, int64_t now, int64_t walltime, int32_t procs)
{
	struct fair_queued *j = &s->job[s->used];

	j->rank.number = s->used;
	j->walltime = walltime;
	j->procs = procs;
	TEST_EQ(fair_conservative_submit(&s->c, now, s->used, s->used), 0);
	TEST_EQ(fair_conservative_check(&s->c), 0);
	return s->job[s->used++].rank.key;
}

/* Who starts, as digits: 1, then 3, is 13. Nobody, and job 0, is 0. */
static uint32_t starts(struct site *s, int64_t now)
{
	uint32_t slot, all = 0;

	while (fair_conservative_due(&s->c, now, &slot)) {
		TEST_EQ(s->job[slot].rank.key, now);
		all = 10 * all + slot;
	}
	TEST_EQ(fair_conservative_check(&s->c), 0);
	return all;
}

/* A job that started at @start has ended. */
static void finish(struct site *s, int64_t now, uint32_t slot, int64_t start)
{
	TEST_EQ(fair_conservative_give_back(&s->c, now, now,
					    start + s->job[slot].walltime,
					    s->job[slot].procs),
		0);
	fair_conservative_compress(&s->c, now);
	TEST_EQ(fair_conservative_check(&s->c), 0);
}

static void was_moved(const struct site *s, uint32_t i, uint32_t slot,
		      int64_t from, int64_t to)
{
	TEST_CHECK(i < s->moves);
	TEST_EQ(s->move[i].slot, slot);
	TEST_EQ(s->move[i].from, from);
	TEST_EQ(s->move[i].to, to);
}

/* Our instance of [CF] figure 1 before anything ends. */
static void open_figure_1(struct site *s, uint32_t compression)
{
	open_site(s, compression, compression);
	TEST_EQ(add(s, 0, 100, 4), 0);
	TEST_EQ(add(s, 0, 200, 5), 0);
	TEST_EQ(starts(s, 0), 1);
	TEST_EQ(add(s, 1, 40, 7), 200);
	TEST_EQ(add(s, 2, 50, 5), 100);
	TEST_EQ(fair_conservative_next(&s->c), 100);
	TEST_EQ(s->moves, 0);
}

/* The same up to the early end of job 1 at 50. */
static void figure_1(struct site *s, uint32_t compression)
{
	open_figure_1(s, compression);
	finish(s, 50, 1, 0);
}

static void in_the_order_of_the_plan(void)
{
	struct site s;

	figure_1(&s, FAIR_COMPRESS);
	TEST_EQ(s.moves, 2);
	was_moved(&s, 0, 3, 100, 50);
	was_moved(&s, 1, 2, 200, 100);
	TEST_EQ(starts(&s, 50), 3);
	TEST_EQ(starts(&s, 100), 2);
	TEST_EQ(fair_conservative_next(&s.c), FAIR_FOREVER);
	close_site(&s);
}

static void prioritized(void)
{
	struct site s;

	figure_1(&s, FAIR_COMPRESS_PRIORITIZED);
	TEST_EQ(s.moves, 3);
	was_moved(&s, 0, 2, 200, 150);
	was_moved(&s, 1, 3, 100, 50);
	was_moved(&s, 2, 2, 150, 100);
	TEST_EQ(starts(&s, 50), 3);
	TEST_EQ(starts(&s, 100), 2);
	close_site(&s);
}

static void delayed(void)
{
	struct site s;

	figure_1(&s, FAIR_COMPRESS_DELAYED);
	TEST_EQ(s.moves, 1);
	was_moved(&s, 0, 3, 100, 50);
	TEST_EQ(starts(&s, 50), 3);
	TEST_EQ(starts(&s, 99), 0);
	TEST_EQ(starts(&s, 100), 2);
	was_moved(&s, 1, 2, 200, 100);
	close_site(&s);
}

/*
 * dc: 2 needs 8 and is promised 100. At 40 job 0 ends early, but 1 holds 4
 * until 60: 2 stays. 3 arrives at 41 and could start; where it ends behind 60,
 * 2 goes before it.
 */
static void newcomer(int64_t walltime, int64_t promise, uint32_t moves)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 3);
	TEST_EQ(add(&s, 0, 100, 6), 0);
	TEST_EQ(add(&s, 0, 60, 4), 0);
	TEST_EQ(starts(&s, 0), 1);
	TEST_EQ(add(&s, 0, 50, 8), 100);
	finish(&s, 40, 0, 0);
	TEST_EQ(starts(&s, 40), 0);
	TEST_EQ(s.moves, 0);
	TEST_EQ(add(&s, 41, walltime, 6), promise);
	TEST_EQ(s.moves, moves);
	if (moves)
		was_moved(&s, 0, 2, 100, 60);
	close_site(&s);
}

static void nobody_is_overtaken(void)
{
	newcomer(10, 41, 0);
	newcomer(18, 41, 0);
	newcomer(19, 41, 1); /* 60 <= 41 + 19, and it is not in the way */
	newcomer(20, 110, 1);
	newcomer(30, 110, 1);
}

/* dc: as its own turn comes, the newcomer finds an earlier place. */
static void newcomer_moves_up(void)
{
	struct fair_queued *j;
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, 6), 100);
	TEST_EQ(add(&s, 0, 10, 4), 100);
	TEST_EQ(add(&s, 0, 10, 6), 110);
	finish(&s, 50, 0, 0);
	TEST_EQ(s.job[1].rank.key, 50);
	TEST_EQ(s.job[2].rank.key, 50);
	TEST_EQ(s.job[3].rank.key, 110);
	j = &s.job[4];
	j->rank.number = s.used++;
	j->walltime = 100;
	j->procs = 6;
	/* It has the highest priority; 3 is looked at after it. */
	TEST_EQ(fair_conservative_submit(&s.c, 50, 4, -1), 0);
	TEST_EQ(s.job[3].rank.key, 60);
	TEST_EQ(j->rank.key, 70);
	close_site(&s);
}

/* Eight jobs that move, each behind the one before it in priority. */
static void many_parts(void)
{
	struct site s;
	uint32_t i;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 8);
	TEST_EQ(add(&s, 0, 1000, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	for (i = 1; i < JOBS - 1; i++) {
		s.job[i].rank.number = i;
		s.job[i].walltime = 10;
		s.job[i].procs = 10;
		TEST_EQ(fair_conservative_submit(&s.c, 0, i, -(int64_t)i), 0);
	}
	TEST_EQ(fair_conservative_check(&s.c), 0);
	finish(&s, 500, 0, 0);
	/* 18 first, to 500; then 17, which leaves its place to nobody. */
	was_moved(&s, 0, 18, 1170, 500);
	was_moved(&s, 1, 17, 1160, 510);
	for (i = 1; i < JOBS - 1; i++)
		TEST_EQ(s.job[i].rank.key, 500 + 10 * (18 - (int64_t)i));
	close_site(&s);
}

/* As a hole of 5 s wanders on, each goes before those that moved before it. */
static void one_after_the_other(void)
{
	struct site s;
	uint32_t i;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 1000, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	for (i = 1; i < JOBS; i++) {
		s.job[i].rank.number = i;
		s.job[i].walltime = 10;
		s.job[i].procs = 10;
		TEST_EQ(fair_conservative_submit(&s.c, 0, i, -(int64_t)i), 0);
	}
	finish(&s, 995, 0, 0);
	TEST_EQ(s.moves, JOBS - 1);
	for (i = 1; i < JOBS; i++)
		was_moved(&s, i - 1, i, 990 + 10 * i, 985 + 10 * i);
	close_site(&s);
}

/* dc: 100 are free at 10, then one less each second, down to 60. */
static void down_the_stairs(void)
{
	enum { STAIRS = 40 };
	struct fair_queued job[3] = { { { 0, 0 }, 1000, 100, 0 },
				      { { 0, 1 }, 100, 65, 0 },
				      { { 0, 2 }, 100, 35, 0 } };
	size_t bytes = fair_conservative_size(FAIR_COMPRESS_DELAYED, 3, STAIRS);
	void *memory = malloc(bytes);
	struct fair_conservative c;
	uint32_t slot;

	TEST_EQ(fair_conservative_init(&c, sizeof(c), memory, bytes,
				       FAIR_COMPRESS_DELAYED, 3, STAIRS, job,
				       sizeof(job[0]), 100, 0),
		0);
	for (slot = 0; slot < 3; slot++)
		TEST_EQ(fair_conservative_submit(&c, 0, slot, slot), 0);
	TEST_CHECK(fair_conservative_due(&c, 0, &slot));
	TEST_EQ(fair_conservative_give_back(&c, 10, 10, 1000, 100), 0);
	for (slot = 0; slot < STAIRS; slot++)
		TEST_EQ(fair_conservative_take(&c, 10, 20 + slot, 1000, 1), 0);
	fair_conservative_compress(&c, 10);
	TEST_EQ(job[1].rank.key, 1000);
	TEST_EQ(job[2].rank.key, 10);
	TEST_EQ(fair_conservative_check(&c), 0);
	free(memory);
}

/*
 * dc: 300 jobs, of two widths in turn, and of another the last, wait for 1000;
 * then what runs ends at 10, but for so many stairs. Nobody is left who could
 * start.
 */
static void long_queue(int32_t odd, int32_t even, int32_t last, uint32_t stairs)
{
	enum { LONG = 300, STAIRS = 40, NOW = 10 };
	static struct fair_queued job[LONG + 1];
	size_t bytes = fair_conservative_size(FAIR_COMPRESS_DELAYED, LONG + 1,
					      STAIRS + 1);
	void *memory = malloc(bytes);
	struct fair_conservative c;
	uint32_t slot, started = 0;
	int64_t start;

	TEST_EQ(fair_conservative_init(&c, sizeof(c), memory, bytes,
				       FAIR_COMPRESS_DELAYED, LONG + 1,
				       STAIRS + 1, job, sizeof(job[0]), 100, 0),
		0);
	for (slot = 0; slot <= LONG; slot++) {
		job[slot].rank.number = slot;
		job[slot].walltime = slot ? 100 : 1000;
		job[slot].procs = slot == 0	 ? 100
				  : slot == LONG ? last
				  : slot % 2	 ? odd
						 : even;
		TEST_EQ(fair_conservative_submit(&c, 0, slot, slot), 0);
	}
	TEST_CHECK(fair_conservative_due(&c, 0, &slot));
	TEST_EQ(fair_conservative_give_back(&c, NOW, NOW, 1000, 100), 0);
	for (slot = 0; slot < stairs; slot++)
		TEST_EQ(fair_conservative_take(&c, NOW, 20 + slot, 1000, 1), 0);
	fair_conservative_compress(&c, NOW);
	while (fair_conservative_due(&c, NOW, &slot))
		started++;
	TEST_CHECK(started > 0);
	for (slot = 1; slot <= LONG; slot++)
		if (job[slot].rank.key > NOW) {
			TEST_EQ(fair_profile_earlier_start(
					&c.profile, NOW, NOW + 1,
					job[slot].walltime, job[slot].procs,
					job[slot].rank.key, &start),
				0);
			TEST_CHECK(start > NOW);
		}
	TEST_EQ(fair_conservative_check(&c), 0);
	free(memory);
}

static void long_queues(void)
{
	long_queue(60, 40, 40, 0); /* nothing is free from 1000 on */
	long_queue(60, 30, 30, 0); /* less than anybody needs is */
	long_queue(55, 51, 51, 0); /* nor are 45 or 49 enough */
	long_queue(60, 60, 20, 0); /* the last might go on for ever, */
	long_queue(60, 55, 20, 0); /* or farther than anybody looks */
	long_queue(60, 40, 40, 40); /* down to 60 */
	long_queue(35, 30, 30, 40);
}

/* pc: what came back is over before anybody is looked at. */
static void risen_in_the_past(void)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 5, 3), 100);
	TEST_EQ(fair_conservative_give_back(&s.c, 10, 10, 20, 3), 0);
	fair_conservative_compress(&s.c, 30);
	TEST_EQ(s.moves, 0);
	close_site(&s);
}

static void withdraw(void)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(add(&s, 0, 100, 10), 100);
		TEST_EQ(add(&s, 0, 100, 10), 200);
		TEST_EQ(add(&s, 0, 100, 11), FAIR_FOREVER);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(fair_conservative_withdraw(&s.c, 1), 0);
		TEST_EQ(fair_conservative_withdraw(&s.c, 1), -FAIR_EINVAL);
		TEST_EQ(fair_conservative_check(&s.c), 0);
		fair_conservative_compress(&s.c, 1);
		TEST_EQ(s.job[2].rank.key,
			c == FAIR_COMPRESS_DELAYED ? 200 : 100);
		TEST_EQ(fair_conservative_withdraw(&s.c, 3), 0);
		TEST_EQ(s.c.homeless, 0);
		TEST_EQ(starts(&s, 100), 2);
		close_site(&s);
	}
}

/* 0 is overdue: 1 is in its way and moves, 2 fits still, 3 finds room. */
static void take(uint32_t c)
{
	struct site s;

	open_site(&s, c, 1);
	TEST_EQ(add(&s, 0, 100, 6), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, 8), 100);
	TEST_EQ(add(&s, 0, 50, 2), 0);
	TEST_EQ(add(&s, 0, 60, 4), 110);
	TEST_EQ(starts(&s, 0), 2);
	TEST_EQ(fair_conservative_take(&s.c, 100, 100, 200, 6), 0);
	TEST_EQ(s.moves, 1);
	was_moved(&s, 0, 1, 100, 200);
	TEST_EQ(s.job[3].rank.key, 110);
	/* What nobody holds is taken, and nobody moves. */
	TEST_EQ(fair_conservative_take(&s.c, 100, 300, 400, 3), 0);
	TEST_EQ(s.moves, 1);
	/* A node is down for ever: 1 will never fit, and 3 has to wait. */
	TEST_EQ(fair_conservative_take(&s.c, 100, 100, FAIR_FOREVER, 3), 0);
	TEST_EQ(s.job[1].rank.key, FAIR_FOREVER);
	TEST_EQ(s.job[3].rank.key, 200);
	TEST_EQ(s.moves, 3);
	TEST_EQ(fair_conservative_check(&s.c), 0);
	/* It is up again. */
	TEST_EQ(fair_conservative_give_back(&s.c, 150, 150, FAIR_FOREVER, 3),
		0);
	fair_conservative_compress(&s.c, 150);
	TEST_CHECK(s.job[1].rank.key != FAIR_FOREVER);
	TEST_EQ(fair_conservative_check(&s.c), 0);
	close_site(&s);
}

static void take_from_promises(void)
{
	take(FAIR_COMPRESS);
	take(FAIR_COMPRESS_PRIORITIZED);
	take(FAIR_COMPRESS_DELAYED);
}

/* While no job is in the profile, it is changed: 1 has to move. */
static void lifted(void)
{
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 8), 100);
		fair_conservative_lift(&s.c, 50);
		TEST_EQ(s.c.profile.origin, 50);
		TEST_EQ(fair_profile_reserve(&s.c.profile, 100, 20, 5), 0);
		fair_conservative_land(&s.c, 50, 100, 120);
		TEST_EQ(s.moves, 1);
		was_moved(&s, 0, 1, 100, 120);
		close_site(&s);
	}
}

/* Running jobs hold what is to be taken: nothing changes. */
static void take_too_many(void)
{
	struct fair_profile_leaf *leaf;
	struct fair_conservative was;
	struct site s;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 100, 6), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 10, 8), 100);
	TEST_EQ(add(&s, 0, 100, 4), 0);
	leaf = s.c.profile.leaf;
	was = s.c;
	TEST_EQ(fair_conservative_take(&s.c, 0, 50, 60, 5), -FAIR_ERANGE);
	TEST_EQ(fair_conservative_take(&s.c, 0, 0, FAIR_FOREVER, 5),
		-FAIR_ERANGE);
	TEST_EQ(s.moves, 0);
	TEST_EQ(fair_profile_steps(&s.c.profile),
		fair_profile_steps(&was.profile));
	TEST_CHECK(s.c.profile.leaf == leaf);
	TEST_EQ(s.job[1].rank.key, 100);
	TEST_EQ(s.job[2].rank.key, 0);
	TEST_EQ(fair_conservative_check(&s.c), 0);
	/* 4 are free but for 2, which is promised them: it moves. */
	TEST_EQ(fair_conservative_take(&s.c, 0, 50, 60, 4), 0);
	was_moved(&s, 0, 2, 0, 110);
	close_site(&s);
}

/* A refused start is for a later second. */
static void put_back_refused(void)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(fair_conservative_give_back(&s.c, 0, 0, 100, 10), 0);
		s.job[0].mark = FAIR_MARK_REFUSED;
		TEST_EQ(fair_conservative_put_back(&s.c, 0, 0, 0), 0);
		TEST_EQ(s.job[0].rank.key, 1);
		fair_conservative_compress(&s.c, 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(s.c.plan.jobs, 1);
		TEST_EQ(s.moves, 0);
		s.job[0].mark = 0;
		TEST_EQ(starts(&s, 1), 0);
		TEST_EQ(s.c.plan.jobs, 0);
		close_site(&s);
	}
}

/* Nobody makes way for it, until there is a compression. */
static void put_back_behind(uint32_t compression, int64_t then)
{
	struct site s;

	open_site(&s, compression, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(add(&s, 0, 50, 5), 100);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_conservative_give_back(&s.c, 0, 0, 100, 10), 0);
	s.job[0].mark = FAIR_MARK_REFUSED;
	TEST_EQ(fair_conservative_put_back(&s.c, 0, 0, 0), 0);
	TEST_EQ(s.job[0].rank.key, 150);
	TEST_EQ(s.moves, 0);
	fair_conservative_compress(&s.c, 0);
	TEST_EQ(s.job[1].rank.key, 0);
	TEST_EQ(s.job[0].rank.key, then);
	close_site(&s);
}

static void put_back(void)
{
	put_back_behind(FAIR_COMPRESS, 50);
	put_back_behind(FAIR_COMPRESS_PRIORITIZED, 50);
	put_back_behind(FAIR_COMPRESS_DELAYED, 150);
}

/* Nobody called at 100: 1 starts at 105, and 2, in its way, moves. */
static void late_step(void)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 10), 100);
		TEST_EQ(add(&s, 0, 10, 10), 110);
		TEST_EQ(starts(&s, 105), 1);
		was_moved(&s, 0, 2, 110, 115);
		TEST_EQ(s.moves, 1);
		TEST_EQ(starts(&s, 200), 2); /* its time has passed, too */
		TEST_EQ(s.moves, 1);
		close_site(&s);
	}
}

/* The late one finds its place taken by a job that came since, and runs. */
static void late_behind_running_jobs(void)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 10), 100);
		TEST_EQ(add(&s, 0, 10, 6), 110);
		/* A running job holds 6 from 110 on: 1 cannot end later. */
		TEST_EQ(fair_conservative_take(&s.c, 0, 110, 150, 4), 0);
		TEST_EQ(s.moves, 0);
		/* What it leaves is free: under dc, 2 starts at once. */
		TEST_EQ(starts(&s, 105), c == FAIR_COMPRESS_DELAYED ? 2 : 0);
		was_moved(&s, 0, 1, 100, 150);
		TEST_EQ(s.moves, c == FAIR_COMPRESS_DELAYED ? 2 : 1);
		TEST_EQ(starts(&s, 110), c == FAIR_COMPRESS_DELAYED ? 0 : 2);
		TEST_EQ(starts(&s, 150), 1);
		close_site(&s);
	}
}

/* The same moves and delays where nobody wants to hear of them. */
static void nobody_listens(void)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		s.c.moved = NULL;
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 10, 10), 100);
		TEST_EQ(add(&s, 0, 10, 6), 110);
		finish(&s, 50, 0, 0);
		TEST_EQ(s.job[1].rank.key, 50);
		TEST_EQ(fair_conservative_take(&s.c, 50, 50, 55, 1), 0);
		TEST_CHECK(s.job[1].rank.key >= 55);
		TEST_EQ(fair_conservative_take(&s.c, 50, 130, 170, 4), 0);
		TEST_EQ(fair_conservative_take(&s.c, 50, 200, 210, 4), 0);
		close_site(&s);

		open_site(&s, c, 0);
		s.c.moved = NULL;
		TEST_EQ(add(&s, 0, 10, 10), 0);
		TEST_EQ(fair_conservative_take(&s.c, 0, 10, 20, 4), 0);
		TEST_EQ(starts(&s, 5), 0); /* 4 are in the way */
		TEST_EQ(s.job[0].rank.key, 20);
		close_site(&s);
	}
}

/* Two become free; who needs more is not looked at. */
static void too_wide_for_the_rise(void)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_PRIORITIZED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 2), 0);
		TEST_EQ(add(&s, 0, 100, 8), 0);
		TEST_EQ(starts(&s, 0), 1);
		TEST_EQ(add(&s, 0, 10, 9), 100);
		TEST_EQ(add(&s, 0, 10, 2), 110);
		finish(&s, 50, 0, 0);
		TEST_EQ(s.moves, 1);
		was_moved(&s, 0, 3, 110, 50);
		close_site(&s);
	}
}

/* A job of as many processors as there can be. */
static void widest(void)
{
	struct fair_conservative copy;
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		size_t bytes = fair_conservative_size(c, JOBS, 3);
		void *memory = malloc(bytes);

		open_site(&s, c, 0);
		TEST_EQ(fair_conservative_init(&s.c, sizeof(s.c), s.memory,
					       bytes, c, JOBS, 3, s.job,
					       sizeof(s.job[0]), INT32_MAX, 0),
			0);
		TEST_EQ(add(&s, 0, 100, INT32_MAX), 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(add(&s, 0, 50, INT32_MAX), 100);
		TEST_EQ(fair_conservative_take(&s.c, 0, 120, 130, 1), 0);
		TEST_EQ(s.job[1].rank.key, 130);
		/* Under dc a newcomer would overtake it: it goes first. */
		TEST_EQ(fair_conservative_give_back(&s.c, 0, 60, 100,
						    INT32_MAX),
			0);
		TEST_EQ(add(&s, 0, 10, 1),
			c == FAIR_COMPRESS_DELAYED ? 110 : 60);
		TEST_EQ(s.job[1].rank.key,
			c == FAIR_COMPRESS_DELAYED ? 60 : 130);
		TEST_EQ(fair_conservative_take(&s.c, 0, 60, FAIR_FOREVER, 1),
			0);
		TEST_EQ(s.job[1].rank.key, FAIR_FOREVER);
		memset(memory, 0x5a, bytes);
		TEST_EQ(fair_conservative_clone(&copy, memory, bytes, s.job,
						&s.c, NULL),
			0);
		TEST_EQ(fair_conservative_check(&copy), 0);
		TEST_EQ(fair_conservative_give_back(&s.c, 0, 200, FAIR_FOREVER,
						    1),
			0);
		fair_conservative_compress(&s.c, 0);
		TEST_EQ(s.job[1].rank.key, 200);
		/* A half, and one more. */
		TEST_EQ(fair_conservative_withdraw(&s.c, 1), 0);
		TEST_EQ(fair_conservative_withdraw(&s.c, 2), 0);
		TEST_EQ(fair_conservative_take(&s.c, 0, 60, 110, INT32_MAX - 1),
			0);
		TEST_EQ(add(&s, 0, 10, INT32_MAX / 2 + 1), 110);
		TEST_EQ(add(&s, 0, 10, INT32_MAX / 2), 120);
		TEST_EQ(fair_conservative_give_back(&s.c, 60, 60, 110,
						    INT32_MAX),
			0);
		fair_conservative_compress(&s.c, 60);
		TEST_EQ(s.job[3].rank.key, 60);
		TEST_EQ(s.job[4].rank.key, 60);
		close_site(&s);
		free(memory);
	}
}

/* Its end is beyond what can be foreseen, until time has passed. */
static void beyond_the_horizon(void)
{
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(fair_conservative_init(
				&s.c, sizeof(s.c), s.memory,
				fair_conservative_size(c, JOBS, 3), c, JOBS, 3,
				s.job, sizeof(s.job[0]), INT32_MAX, -50),
			0);
		s.c.profile.reach = 150;
		s.c.profile.horizon = 100;
		TEST_EQ(add(&s, -50, 100, INT32_MAX), -50);
		TEST_EQ(starts(&s, -50), 0);
		s.used = 0; /* its slot and its number are another's now */
		TEST_EQ(add(&s, -50, 100, INT32_MAX), FAIR_FOREVER);
		TEST_EQ(starts(&s, -1), 0);
		TEST_EQ(s.job[0].rank.key, FAIR_FOREVER);
		fair_conservative_compress(&s.c, 0);
		TEST_EQ(starts(&s, 0), 0);
		TEST_EQ(s.job[0].rank.key, 50);
		close_site(&s);
	}
}

/* Jobs that find nothing count, one by one: so does who is passed by. */
static void looks_are_counted(void)
{
	uint32_t c, i, slot;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 0, 100, 10), 0);
		TEST_EQ(starts(&s, 0), 0);
		while (s.used < 8)
			add(&s, 0, 10, s.used < 6 ? 10 : 11);
		TEST_EQ(fair_conservative_give_back(&s.c, 0, 0, 100, 9), 0);
		TEST_EQ(fair_conservative_give_back(&s.c, 0, 90, 95, 1), 0);
		if (c != FAIR_COMPRESS_DELAYED) {
			fair_conservative_budget(&s.c, 4);
			fair_conservative_compress(&s.c, 0);
			TEST_CHECK(fair_conservative_unfinished(&s.c));
			fair_conservative_budget(&s.c, 3);
			TEST_CHECK(fair_conservative_go_on(&s.c));
		}
		/* Two are nowhere: who is due is known after as many looks. */
		for (i = 0; i < 20; i++) {
			fair_conservative_budget(&s.c, 1);
			TEST_CHECK(!fair_conservative_due(&s.c, 1, &slot));
			if (!fair_conservative_unfinished(&s.c))
				break;
		}
		TEST_CHECK(i > 0 && i < 20);
		TEST_EQ(s.moves, 0);
		close_site(&s);
	}
}

/* Every job and every other may have a place: each makes two steps. */
static void room_for_all(void)
{
	struct fair_queued job = { { 0, 0 }, 0, 0, 0 };
	struct fair_conservative c;
	uint32_t n;

	for (n = 1; n < 100; n++) {
		uint32_t others = n / 2 + 1;
		size_t bytes = fair_conservative_size(FAIR_COMPRESS, n, others);
		void *memory = malloc(bytes);

		TEST_EQ(fair_conservative_init(&c, sizeof(c), memory, bytes,
					       FAIR_COMPRESS, n, others, &job,
					       sizeof(job), 1, 0),
			0);
		TEST_CHECK(c.profile.cap >= 2 * (n + others) + 1);
		free(memory);
	}
}

/* Wherever memory begins, ranks are at a multiple of 8, and within it. */
static void odd_addresses(void)
{
	size_t bytes = fair_conservative_size(FAIR_COMPRESS_DELAYED, JOBS, 3);
	size_t shift;
	struct site s;

	for (shift = 0; shift < 8; shift++) {
		open_site(&s, FAIR_COMPRESS_DELAYED, shift);
		TEST_EQ((uintptr_t)s.c.rank % 8, 0);
		TEST_CHECK((char *)(s.c.rank + JOBS) <=
			   s.memory + shift + bytes);
		close_site(&s);
	}
}

static void errors_of_init(void)
{
	struct site s;
	struct fair_conservative c, was;
	size_t size = sizeof(c);
	size_t bytes = fair_conservative_size(FAIR_COMPRESS, JOBS, 3);

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	memset(&c, 0x5a, sizeof(c));
	was = c;
#define EARLIEST (INT64_MIN + (INT64_C(1) << 38))
#define INIT(c, size, memory, bytes, how, array, stride, procs, origin)        \
	fair_conservative_init((c), (size), (memory), (bytes), (how), JOBS, 3, \
			       (array), (stride), (procs), (origin))
	TEST_EQ(INIT(NULL, size, s.memory, bytes, 0, s.job, 32, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&c, size + 8, s.memory, bytes, 0, s.job, 32, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&c, size, NULL, bytes, 0, s.job, 32, 1, 0), -FAIR_EINVAL);
	TEST_EQ(INIT(&c, size, s.memory, bytes, 3, s.job, 32, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&c, size, s.memory, bytes, 0, NULL, 32, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&c, size, s.memory, bytes, 0, s.job, 31, 1, 0),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&c, size, s.memory, bytes, 0, s.job, 32, 0, 0),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&c, size, s.memory, bytes, 0, s.job, 32, 1, INT64_MAX),
		-FAIR_EOVERFLOW);
	TEST_EQ(fair_conservative_init(&c, size, s.memory, bytes, FAIR_COMPRESS,
				       UINT32_MAX, UINT32_MAX, s.job, 32, 1, 0),
		-FAIR_ENOMEM);
	TEST_CHECK(fair_conservative_size(FAIR_COMPRESS, 1, UINT32_MAX) == 0);
	TEST_EQ(fair_conservative_init(&c, size, s.memory, SIZE_MAX,
				       FAIR_COMPRESS, 1, UINT32_MAX, s.job, 32,
				       1, 0),
		-FAIR_ENOMEM);
	TEST_EQ(fair_conservative_clone(&c, s.memory, bytes - 1, s.job, &s.c,
					NULL),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(&c, &was, sizeof(c)));
	close_site(&s);
	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(INIT(&c, size, s.memory, bytes, 0, s.job, 32, 1, EARLIEST - 1),
		-FAIR_EOVERFLOW);
	TEST_EQ(INIT(&c, size, s.memory, bytes, 0, s.job, 31, 1, EARLIEST - 1),
		-FAIR_EINVAL);
	TEST_EQ(INIT(&c, size, s.memory, bytes, 0, s.job, 32, 1, EARLIEST), 0);
	s.c = c;
	close_site(&s);
}

static void errors_of_events(void)
{
	struct site s;
	struct fair_conservative was;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_site(&s, c, 0);
		TEST_EQ(add(&s, 7, 10, 1), 7);
		was = s.c;
		s.job[1].rank.number = 1;
		TEST_EQ(fair_conservative_submit(&s.c, 7, JOBS, 0),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_submit(&s.c, 7, 1, 0), -FAIR_EINVAL);
		s.job[1].walltime = 1;
		TEST_EQ(fair_conservative_submit(&s.c, 7, 1, 0), -FAIR_EINVAL);
		s.job[1].procs = 1;
		TEST_EQ(fair_conservative_submit(&s.c, 6, 1, 0), -FAIR_EINVAL);
		TEST_EQ(fair_conservative_put_back(&s.c, 6, 1, 0),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_give_back(&s.c, 6, 6, 10, 1),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_give_back(&s.c, 7, 20, 30, 1),
			-FAIR_ERANGE);
		TEST_EQ(fair_conservative_take(&s.c, 6, 6, 10, 1),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_take(&s.c, 7, 6, 10, 1),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_take(&s.c, 7, 10, 10, 1),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_take(&s.c, 7, 10, 11, 0),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_take(&s.c, 7, 10, 11, -1),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_take(&s.c, 7, 10, FAIR_FOREVER, 0),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_give_back(&s.c, 7, 10, FAIR_FOREVER,
						    0),
			-FAIR_EINVAL);
		TEST_EQ(fair_conservative_withdraw(&s.c, 1), -FAIR_EINVAL);
		s.job[1].rank.key = INT64_MAX - 1;
		s.job[1].walltime = 10;
		TEST_EQ(fair_conservative_restore(&s.c, 7, 1, 1),
			-FAIR_EOVERFLOW);
		s.job[9] = s.job[0]; /* of its rank, but it does not wait */
		TEST_EQ(fair_conservative_withdraw(&s.c, 9), -FAIR_EINVAL);
		TEST_CHECK(!memcmp(&s.c, &was, sizeof(was)));
		TEST_EQ(fair_conservative_check(&s.c), 0);
		if (c != FAIR_COMPRESS) {
			s.job[1].rank.number = 0;
			TEST_EQ(fair_conservative_submit(&s.c, 7, 1, 0),
				-FAIR_EINVAL);
		}
		while (s.used < JOBS)
			add(&s, 7, 1, 1);
		TEST_EQ(fair_conservative_submit(&s.c, 7, 0, 0), -FAIR_ENOSPC);
		close_site(&s);
	}
}

static void invariants_broken_by_hand(void)
{
	struct fair_rank kept;
	struct site s;
	uint32_t c;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		figure_1(&s, c);
		add(&s, 50, 10, 11);
		s.c.profile.limit = 1;
		TEST_EQ(fair_conservative_check(&s.c), 1);
		s.c.profile.limit = PROCS;
		s.c.plan.jobs++;
		TEST_EQ(fair_conservative_check(&s.c), 2);
		s.c.plan.jobs--;
		s.c.homeless++;
		TEST_EQ(fair_conservative_check(&s.c), 5);
		s.c.homeless--;
		s.c.walk.kind = 1;	/* one is cut short */
		s.c.walk.next = JOBS;
		TEST_EQ(fair_conservative_check(&s.c), 6);
		s.c.walk.next = 0;	/* runs, or is not there */
		TEST_EQ(fair_conservative_check(&s.c), 6);
		s.job[9] = s.job[2];	/* has the rank of another */
		s.c.walk.next = 9;
		TEST_EQ(fair_conservative_check(&s.c), 6);
		s.c.walk.kind = 0;
		if (c == FAIR_COMPRESS) {
			close_site(&s);
			continue;
		}
		s.c.priority.jobs++;
		TEST_EQ(fair_conservative_check(&s.c), 3);
		s.c.priority.jobs--;
		kept = s.c.rank[2]; /* stands in its place, as another */
		TEST_EQ(fair_queue_remove(&s.c.priority, 2), 0);
		TEST_EQ(fair_conservative_check(&s.c), 4);
		s.job[9] = s.job[2];
		s.c.rank[9] = kept;
		TEST_EQ(fair_queue_insert(&s.c.priority, 9), 0);
		TEST_EQ(fair_conservative_check(&s.c), 4);
		TEST_EQ(fair_queue_remove(&s.c.priority, 9), 0);
		TEST_EQ(fair_queue_insert(&s.c.priority, 2), 0);
		s.c.rank[9].number = 9;
		s.job[9].rank.number = 9;
		TEST_EQ(fair_queue_insert(&s.c.priority, 9), 0);
		TEST_EQ(fair_conservative_check(&s.c), 4);
		TEST_EQ(fair_queue_remove(&s.c.priority, 9), 0);
		close_site(&s);
	}
}

/* Without a look left nobody moves; look by look, it ends as at once. */
static void look_by_look(void)
{
	struct site s, at_once;
	uint32_t c, i, calls;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		figure_1(&at_once, c);
		open_figure_1(&s, c);
		TEST_CHECK(fair_conservative_go_on(&s.c));
		fair_conservative_budget(&s.c, 0);
		finish(&s, 50, 1, 0);
		TEST_CHECK(fair_conservative_unfinished(&s.c));
		TEST_EQ(s.moves, 0);
		for (calls = 0; !fair_conservative_go_on(&s.c); calls++) {
			TEST_EQ(fair_conservative_check(&s.c), 0);
			fair_conservative_budget(&s.c, 1);
		}
		TEST_CHECK(calls > 0);
		TEST_EQ(s.moves, at_once.moves);
		for (i = 0; i < JOBS; i++)
			TEST_EQ(s.job[i].rank.key, at_once.job[i].rank.key);
		close_site(&s);
		close_site(&at_once);
	}
}

/* Whoever asks who is due goes on with what is left undone first. */
static void due_goes_on(void)
{
	uint32_t c, slot = JOBS;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_figure_1(&s, c);
		fair_conservative_budget(&s.c, 0);
		finish(&s, 50, 1, 0);
		TEST_CHECK(!fair_conservative_due(&s.c, 50, &slot));
		TEST_EQ(s.moves, 0);
		fair_conservative_budget(&s.c, UINT64_MAX);
		TEST_EQ(starts(&s, 50), 3);
		close_site(&s);
	}
	/* A second later, the walk of that second first. */
	figure_1(&s, FAIR_COMPRESS_DELAYED);
	TEST_EQ(starts(&s, 50), 3);
	fair_conservative_budget(&s.c, 0);
	TEST_CHECK(!fair_conservative_due(&s.c, 100, &slot));
	TEST_CHECK(fair_conservative_unfinished(&s.c));
	fair_conservative_budget(&s.c, UINT64_MAX);
	TEST_EQ(starts(&s, 101), 2);
	was_moved(&s, 1, 2, 200, 100);
	close_site(&s);
}

/* A copy in other slots goes the same way. */
static void clone_into(uint32_t how, const uint32_t *slot)
{
	size_t bytes = fair_conservative_size(how, JOBS, 3);
	struct site s, copy;
	uint32_t i;

	figure_1(&s, how);
	add(&s, 50, 10, 11);
	open_site(&copy, how, 5);
	for (i = 0; i < JOBS; i++)
		copy.job[slot ? slot[i] : i] = s.job[i];
	TEST_EQ(fair_conservative_clone(&copy.c, copy.memory + 5, bytes,
					copy.job, &s.c, slot),
		0);
	copy.c.context = &copy;
	TEST_EQ(fair_conservative_check(&copy.c), 0);
	TEST_EQ(copy.c.homeless, 1);
	TEST_EQ(starts(&s, 50), 3);
	TEST_EQ(starts(&copy, 50), slot ? slot[3] : 3);
	finish(&s, 60, 3, 50);
	copy.job[slot ? slot[3] : 3] = s.job[3];
	finish(&copy, 60, slot ? slot[3] : 3, 50);
	TEST_EQ(fair_conservative_next(&copy.c), fair_conservative_next(&s.c));
	TEST_EQ(starts(&s, 100), 2);
	TEST_EQ(starts(&copy, 100), slot ? slot[2] : 2);
	close_site(&s);
	close_site(&copy);
}

static void clones(void)
{
	uint32_t slot[JOBS], i, c;

	for (i = 0; i < JOBS; i++)
		slot[i] = JOBS - 1 - i;
	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		clone_into(c, NULL);
		clone_into(c, slot);
	}
}

/* pc: what was known of runs of free processors is known after a pause. */
static void runs_are_remembered(void)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 100, 110, 10), 0);
	s.used = 2; /* the slot is the priority */
	TEST_EQ(add(&s, 0, 40, 10), 110);
	s.used = 1;
	TEST_EQ(add(&s, 0, 95, 10), 150);
	TEST_EQ(fair_conservative_take(&s.c, 0, 245, 310, 10), 0);
	s.used = 3;
	TEST_EQ(add(&s, 0, 50, 10), 310);
	/* 90 s are free; 2 leaves 50 of them and a hole of 40. */
	fair_conservative_budget(&s.c, 1);
	finish(&s, 10, 0, 0);
	while (!fair_conservative_go_on(&s.c))
		fair_conservative_budget(&s.c, 1);
	TEST_EQ(s.job[2].rank.key, 10);
	TEST_EQ(s.job[1].rank.key, 110);
	TEST_EQ(s.job[3].rank.key, 50);
	close_site(&s);
}

/* pc: who was in the way moves to now; the one before it follows, at once. */
static void freed_for_now(void)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(add(&s, 0, 15, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 15, 16, 1), 0);
	s.used = 2;
	TEST_EQ(add(&s, 0, 1, 4), 15);
	s.used = 1;
	TEST_EQ(add(&s, 0, 10, 6), 16);
	finish(&s, 10, 0, 0);
	TEST_EQ(s.moves, 2);
	was_moved(&s, 0, 2, 15, 10);
	was_moved(&s, 1, 1, 16, 10);
	close_site(&s);
}

/* A promise of another life may be later than it need be. */
static void restored_late(void)
{
	uint32_t slot;
	struct site s;
	int64_t now;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 40, 50, 10), 0);
	s.job[0].rank.key = 20;
	s.job[0].walltime = 5;
	s.job[0].procs = 2;
	TEST_EQ(fair_conservative_restore(&s.c, 0, 0, 0), 0);
	s.job[1].rank.key = 200;
	s.job[1].rank.number = 1;
	s.job[1].walltime = 50;
	s.job[1].procs = 2;
	TEST_EQ(fair_conservative_restore(&s.c, 0, 1, 1), 0);
	/* It helps the long one, which alone may begin before and reach it. */
	TEST_EQ(fair_conservative_give_back(&s.c, 0, 40, 50, 10), 0);
	fair_conservative_compress(&s.c, 0);
	TEST_EQ(s.job[0].rank.key, 20);
	TEST_EQ(s.job[1].rank.key, 0);
	close_site(&s);

	/* dc: whatever the second, who can start now does. */
	for (now = -100; now <= 100; now += 100) {
		open_site(&s, FAIR_COMPRESS_DELAYED, 0);
		TEST_EQ(fair_conservative_init(
				&s.c, sizeof(s.c), s.memory,
				fair_conservative_size(FAIR_COMPRESS_DELAYED,
						       JOBS, 3),
				FAIR_COMPRESS_DELAYED, JOBS, 3, s.job,
				sizeof(s.job[0]), PROCS, now),
			0);
		s.job[1].rank.key = now + 50;
		s.job[1].walltime = 10;
		s.job[1].procs = 10;
		TEST_EQ(fair_conservative_restore(&s.c, now, 1, 0), 0);
		TEST_CHECK(fair_conservative_due(&s.c, now, &slot));
		TEST_EQ(s.job[1].rank.key, now);
		close_site(&s);
	}
}

/*
 * pc: as many moves as there are parts, each before the last, then one behind
 * them all: what it leaves is for 17, on top, and for 16, among the others.
 */
static void late_move_of_many(void)
{
	enum { TOP = 17, AMONG = 16, LAST = 15 };
	const int64_t priority[] = { -1, -2, -3, -4, -5, -6, -7, -8, -9,
				     -10, -11, -12, -13, -15, -16, 1,
				     -14, -20 };
	struct site s;
	uint32_t i;

	open_site(&s, FAIR_COMPRESS_PRIORITIZED, 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 0, 4, 10), 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 4, 20, 10), 0);
	for (i = 0; i <= TOP; i++) {
		s.job[i].rank.number = i;
		s.job[i].walltime = i < LAST ? 10 : i == LAST ? 4 : 5;
		s.job[i].procs = i <= LAST ? 10 : 5;
	}
	TEST_EQ(fair_conservative_submit(&s.c, 0, LAST, priority[LAST]), 0);
	TEST_EQ(s.job[LAST].rank.key, 20);
	TEST_EQ(fair_conservative_take(&s.c, 0, 28, 996, 10), 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 996, 1000, 10), 0);
	for (i = 0; i < LAST; i++) {
		TEST_EQ(fair_conservative_submit(&s.c, 0, i, priority[i]), 0);
		TEST_EQ(s.job[i].rank.key, 1000 + 10 * i);
	}
	TEST_EQ(fair_conservative_take(&s.c, 0, 1150, 1160, 10), 0);
	for (i = AMONG; i <= TOP; i++) {
		TEST_EQ(fair_conservative_submit(&s.c, 0, i, priority[i]), 0);
		TEST_EQ(s.job[i].rank.key, 1160);
	}
	TEST_EQ(fair_conservative_give_back(&s.c, 0, 0, 4, 10), 0);
	TEST_EQ(fair_conservative_give_back(&s.c, 0, 996, 1000, 10), 0);
	fair_conservative_compress(&s.c, 0);
	TEST_EQ(s.moves, 18);
	was_moved(&s, 14, 14, 1140, 1136);
	was_moved(&s, 15, LAST, 20, 0);
	was_moved(&s, 16, TOP, 1160, 20);
	was_moved(&s, 17, AMONG, 1160, 20);
	close_site(&s);
}

/* dc: what rises just behind the job leaves it the start it has had. */
static void rise_behind_a_start(void)
{
	const int64_t walltime[] = { 100, 11, 10 };
	const int32_t procs[] = { 6, 4, 8 };
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	for (; s.used < 3; s.used++) {
		s.job[s.used].rank.number = s.used;
		s.job[s.used].walltime = walltime[s.used];
		s.job[s.used].procs = procs[s.used];
		TEST_EQ(fair_conservative_put_back(&s.c, 0, s.used, s.used), 0);
	}
	TEST_EQ(s.job[2].rank.key, 100);
	TEST_EQ(starts(&s, 0), 1);
	TEST_EQ(fair_conservative_take(&s.c, 0, 21, 30, 2), 0);
	finish(&s, 0, 0, 0);
	TEST_EQ(add(&s, 0, 10, 2), 0); /* nobody has a start before 11 */
	TEST_EQ(starts(&s, 0), 3);
	TEST_EQ(fair_conservative_give_back(&s.c, 1, 21, 30, 2), 0);
	TEST_EQ(starts(&s, 10), 0);
	TEST_EQ(starts(&s, 11), 2);
	close_site(&s);
}

/* What another call does first is not taken off the looks that are left. */
static void looks_are_left(void)
{
	uint32_t c;
	struct site s;

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		open_figure_1(&s, c);
		fair_conservative_budget(&s.c, 0);
		finish(&s, 50, 1, 0);
		TEST_CHECK(fair_conservative_unfinished(&s.c));
		fair_conservative_budget(&s.c, 77);
		TEST_EQ(fair_conservative_withdraw(&s.c, 2), 0);
		TEST_CHECK(!fair_conservative_unfinished(&s.c));
		TEST_EQ(s.c.looks, 77);
		close_site(&s);
	}
}

/*
 * dc: 1 can start at 10, once 2 has left the second 18. It is not to start
 * itself, but goes before a newcomer.
 */
static void newcomer_clears_the_way(void)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 18, 19, 1), 0);
	TEST_EQ(add(&s, 0, 18, 5), 0);
	s.used = 4;
	TEST_EQ(add(&s, 0, 12, 5), 0);
	TEST_EQ(starts(&s, 0), 4);
	s.used = 2;
	TEST_EQ(add(&s, 0, 1, 6), 18);
	s.used = 1;
	TEST_EQ(add(&s, 0, 10, 4), 19);
	finish(&s, 10, 0, 0);
	TEST_EQ(starts(&s, 10), 0);
	TEST_EQ(s.moves, 0);
	s.used = 3;
	TEST_EQ(add(&s, 10, 2, 1), 10);
	was_moved(&s, 0, 2, 18, 12);
	TEST_EQ(starts(&s, 10), 13);
	close_site(&s);
}

/* dc: the same second is looked at again, whatever freed processors in it. */
static void again_in_the_same_second(void)
{
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 100, 4), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 100, 10), 100);
	TEST_EQ(add(&s, 0, 200, 6), 200);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_conservative_withdraw(&s.c, 1), 0);
	TEST_EQ(starts(&s, 0), 2);
	close_site(&s);

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 0, 100, 10), 100);
	TEST_EQ(starts(&s, 50), 0);
	fair_conservative_lift(&s.c, 50);
	TEST_EQ(fair_profile_release(&s.c.profile, 50, 50, 10), 0);
	fair_conservative_land(&s.c, 50, 50, 100);
	TEST_EQ(starts(&s, 50), 1);
	close_site(&s);
}

/* The end of the walk that was cut short is followed by one from the top. */
static void due_after_a_compression(void)
{
	uint32_t slot;
	struct site s;

	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 15, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(fair_conservative_take(&s.c, 0, 15, 16, 1), 0);
	s.used = 2;
	TEST_EQ(add(&s, 0, 1, 4), 15);
	s.used = 1;
	TEST_EQ(add(&s, 0, 10, 6), 16);
	fair_conservative_budget(&s.c, 0);
	finish(&s, 10, 0, 0);
	TEST_CHECK(fair_conservative_unfinished(&s.c));
	fair_conservative_budget(&s.c, UINT64_MAX);
	TEST_EQ(starts(&s, 10), 12);
	close_site(&s);

	/* That of a second ago tells nothing of this one. */
	open_site(&s, FAIR_COMPRESS_DELAYED, 0);
	TEST_EQ(add(&s, 0, 200, 6), 0);
	TEST_EQ(add(&s, 0, 101, 4), 0);
	TEST_EQ(starts(&s, 0), 1);
	TEST_EQ(add(&s, 0, 10, 8), 200);
	TEST_EQ(add(&s, 0, 10, 11), FAIR_FOREVER);
	finish(&s, 50, 0, 0);
	fair_conservative_budget(&s.c, 0);
	TEST_CHECK(!fair_conservative_due(&s.c, 100, &slot));
	TEST_CHECK(fair_conservative_unfinished(&s.c));
	fair_conservative_budget(&s.c, UINT64_MAX);
	TEST_EQ(starts(&s, 101), 2);
	close_site(&s);
}

/* The array ends with the last job. */
static void nobody_beyond_the_array(void)
{
	size_t bytes = fair_conservative_size(FAIR_COMPRESS, 1, 1);
	struct fair_queued *job = (struct fair_queued *)calloc(1, sizeof(*job));
	void *memory = malloc(bytes);
	struct fair_conservative c;

	if (!job || !memory)
		abort();
	TEST_EQ(fair_conservative_init(&c, sizeof(c), memory, bytes,
				       FAIR_COMPRESS, 1, 1, job, sizeof(*job),
				       10, 0),
		0);
	c.walk.kind = 1;
	c.walk.next = 1;
	TEST_EQ(fair_conservative_check(&c), 6);
	c.walk.next = UINT32_MAX;
	TEST_EQ(fair_conservative_check(&c), 6);
	free(memory);
	free(job);
}

/* Plans of so many jobs that their order takes some blocks of 64. */
struct hall {
	struct fair_queued job[240];
	struct fair_conservative c;
	void *memory;
};

static void open_hall(struct hall *h)
{
	size_t bytes = fair_conservative_size(FAIR_COMPRESS, 240, 100);

	memset(h, 0, sizeof(*h));
	h->memory = malloc(bytes);
	TEST_EQ(fair_conservative_init(&h->c, sizeof(h->c), h->memory, bytes,
				       FAIR_COMPRESS, 240, 100, h->job,
				       sizeof(h->job[0]), PROCS, 0),
		0);
}

/* It needs the whole machine, as all of them do. */
static int64_t enter(struct hall *h, uint32_t slot, int64_t walltime)
{
	h->job[slot].rank.number = slot;
	h->job[slot].walltime = walltime;
	h->job[slot].procs = PROCS;
	TEST_EQ(fair_conservative_submit(&h->c, 0, slot, 0), 0);
	return h->job[slot].rank.key;
}

static void closed(struct hall *h, int64_t start, int64_t end)
{
	TEST_EQ(fair_conservative_take(&h->c, 0, start, end, PROCS), 0);
}

/* They leave, and nobody gets their places. */
static void leave(struct hall *h, uint32_t first, uint32_t end)
{
	for (; first < end; first++) {
		TEST_EQ(fair_conservative_withdraw(&h->c, first), 0);
		closed(h, h->job[first].rank.key, h->job[first].rank.key + 10);
	}
}

/* As 129 moves, both halves of a block are joined to others; 130 follows. */
static void walk_over_halves(void)
{
	static struct hall h;
	uint32_t slot, i;

	open_hall(&h);
	for (i = 0; i <= 130; i++) {
		enter(&h, i, i == 129 ? 5 : 10);
		if (i == 96) {
			closed(&h, 970, 975);
			closed(&h, 975, 976);
		}
	}
	for (i = 0; i < 32; i++)
		TEST_CHECK(fair_conservative_due(&h.c, 10 * i, &slot));
	TEST_EQ(h.c.plan.rows, 3);
	TEST_EQ(fair_conservative_give_back(&h.c, 310, 970, 975, PROCS), 0);
	fair_conservative_compress(&h.c, 310);
	TEST_EQ(h.c.plan.rows, 2);
	TEST_EQ(h.job[129].rank.key, 970);
	TEST_EQ(h.job[130].rank.key, 1296);
	TEST_EQ(fair_conservative_check(&h.c), 0);
	free(h.memory);
}

/*
 * 231, last of its block, moves to the end of the one before; when it moves on,
 * that one is joined to another, and the block it was in first comes to the
 * place where it was. 200 follows it.
 */
static void walk_over_joined_blocks(void)
{
	enum { Z = 200, X = 231 };
	static struct hall h;
	int64_t early, late;
	uint32_t i;

	open_hall(&h);
	for (i = 0; i < 20; i++)
		enter(&h, i, 10);
	early = 10 * i;
	closed(&h, early, early + 5);
	closed(&h, early + 5, early + 6);
	for (; i < 192; i++)
		enter(&h, i, 10);
	late = 10 * i + 6;
	closed(&h, late, late + 5);
	closed(&h, late + 5, late + 6);
	closed(&h, late + 6, late + 7);
	for (; i <= X; i++)
		enter(&h, i, i == X ? 5 : i == Z ? 6 : 10);
	leave(&h, 45, 64);
	leave(&h, 90, 128);
	leave(&h, 167, 192);
	TEST_EQ(fair_conservative_give_back(&h.c, 0, late, late + 5, PROCS), 0);
	fair_conservative_compress(&h.c, 0);
	TEST_EQ(h.job[X].rank.key, late);
	leave(&h, 89, 90);
	TEST_EQ(h.c.plan.rows, 4);
	TEST_EQ(fair_conservative_give_back(&h.c, 0, late + 5, late + 6,
					    PROCS),
		0);
	TEST_EQ(fair_conservative_give_back(&h.c, 0, early, early + 5, PROCS),
		0);
	fair_conservative_compress(&h.c, 0);
	TEST_EQ(h.job[X].rank.key, early);
	TEST_EQ(h.job[Z].rank.key, late);
	TEST_EQ(fair_conservative_check(&h.c), 0);
	free(h.memory);
}

int main(void)
{
	TEST_RUN(example_of_the_manual);
	TEST_RUN(in_the_order_of_the_plan);
	TEST_RUN(prioritized);
	TEST_RUN(delayed);
	TEST_RUN(nobody_is_overtaken);
	TEST_RUN(newcomer_moves_up);
	TEST_RUN(many_parts);
	TEST_RUN(one_after_the_other);
	TEST_RUN(down_the_stairs);
	TEST_RUN(long_queues);
	TEST_RUN(risen_in_the_past);
	TEST_RUN(withdraw);
	TEST_RUN(take_from_promises);
	TEST_RUN(lifted);
	TEST_RUN(take_too_many);
	TEST_RUN(put_back_refused);
	TEST_RUN(put_back);
	TEST_RUN(late_step);
	TEST_RUN(late_behind_running_jobs);
	TEST_RUN(nobody_listens);
	TEST_RUN(too_wide_for_the_rise);
	TEST_RUN(widest);
	TEST_RUN(beyond_the_horizon);
	TEST_RUN(looks_are_counted);
	TEST_RUN(room_for_all);
	TEST_RUN(odd_addresses);
	TEST_RUN(errors_of_init);
	TEST_RUN(errors_of_events);
	TEST_RUN(invariants_broken_by_hand);
	TEST_RUN(look_by_look);
	TEST_RUN(due_goes_on);
	TEST_RUN(clones);
	TEST_RUN(runs_are_remembered);
	TEST_RUN(freed_for_now);
	TEST_RUN(restored_late);
	TEST_RUN(late_move_of_many);
	TEST_RUN(rise_behind_a_start);
	TEST_RUN(looks_are_left);
	TEST_RUN(newcomer_clears_the_way);
	TEST_RUN(again_in_the_same_second);
	TEST_RUN(due_after_a_compression);
	TEST_RUN(nobody_beyond_the_array);
	TEST_RUN(walk_over_halves);
	TEST_RUN(walk_over_joined_blocks);
	return test_report();
}
