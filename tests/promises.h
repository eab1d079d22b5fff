/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * promises.h - jobs that hold the promises of conservative.h
 */
#ifndef PROMISES_H
#define PROMISES_H

#include "policies/conservative.h"
#include "tests/test.h"

#define JOBS 20
#define PROCS 10

/* A machine and what moved on it: from, to, its owner. */
struct site {
	struct fair_queued job[JOBS];
	struct fair_conservative c;
	struct fair_moves tell;
	const struct fair_moves *told; /* tell; NULL: nothing is told */
	char *memory;
	uint32_t used, moves;
	struct move {
		uint32_t slot;
		int64_t from, to;
	} move[100];
};

static inline void moved(void *context, uint32_t slot, int64_t from)
{
	struct site *s = (struct site *)context;
	struct move *m = &s->move[s->moves++ % 100];

	m->slot = slot;
	m->from = from;
	m->to = s->job[slot].rank.key;
	TEST_CHECK(m->from != m->to);
}

static inline void open_site(struct site *s, uint32_t compression, size_t shift)
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
	TEST_OK(fair_conservative_init(&s->c, sizeof(s->c), s->memory + shift,
				       bytes, compression, JOBS, 3, s->job,
				       sizeof(s->job[0]), PROCS, 0));
	TEST_EQ((uintptr_t)s->c.late % 4, 0);
	TEST_CHECK((char *)(s->c.late + JOBS +
			    (compression == FAIR_COMPRESS ? 0 : JOBS)) <=
		   s->memory + shift + bytes);
	s->tell.moved = moved;
	s->tell.context = s;
	s->told = &s->tell;
}

static inline void close_site(struct site *s)
{
	TEST_EQ(fair_conservative_check(&s->c), 0);
	free(s->memory);
}

/* A job arrives; its slot is its number, its priority its walltime. */
static inline int64_t add(struct site *s, int64_t now, int64_t walltime,
			  int32_t procs)
{
	struct fair_queued *j = &s->job[s->used];

	j->rank.number = s->used;
	j->walltime = walltime;
	j->procs = procs;
	j->not_before = INT64_MIN;
	TEST_OK(fair_conservative_submit(&s->c, now, s->used, s->used,
					 s->told));
	TEST_EQ(fair_conservative_check(&s->c), 0);
	return s->job[s->used++].rank.key;
}

/* The jobs that start, as digits: 1, then 3, is 13. None, and job 0, is 0. */
static inline uint32_t starts(struct site *s, int64_t now)
{
	uint32_t slot, all = 0;

	while (fair_conservative_due(&s->c, now, &slot, s->told)) {
		TEST_EQ(s->job[slot].rank.key, now);
		all = 10 * all + slot;
	}
	TEST_EQ(fair_conservative_check(&s->c), 0);
	return all;
}

/* [@start, @end) loses @procs processors: the loss begins there. */
static inline int lose(struct site *s, int64_t now, int64_t start, int64_t end,
		       int32_t procs)
{
	int error = fair_conservative_take(&s->c, now, start, end, CLAIM(procs),
					   s->told);

	if (!error)
		fair_conservative_end_loss(&s->c, start, start, start, s->told);
	TEST_EQ(fair_conservative_check(&s->c), 0);
	return error;
}

/* A job that started at @start has ended. */
static inline void finish(struct site *s, int64_t now, uint32_t slot,
			  int64_t start)
{
	TEST_OK(fair_conservative_give_back(&s->c, now, now,
					    start + s->job[slot].walltime,
					    CLAIM(s->job[slot].procs), s->told));
	fair_conservative_compress(&s->c, now, s->told);
	TEST_EQ(fair_conservative_check(&s->c), 0);
}

static inline void was_moved(const struct site *s, uint32_t i, uint32_t slot,
			     int64_t from, int64_t to)
{
	TEST_CHECK(i < s->moves);
	TEST_EQ(s->move[i].slot, slot);
	TEST_EQ(s->move[i].from, from);
	TEST_EQ(s->move[i].to, to);
}

/* Our instance of [CF] figure 1 before anything ends. */
static inline void open_figure_1(struct site *s, uint32_t compression)
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
static inline void figure_1(struct site *s, uint32_t compression)
{
	open_figure_1(s, compression);
	finish(s, 50, 1, 0);
}

#endif /* PROMISES_H */
