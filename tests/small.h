/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * small.h - the checkpoint of a small scheduler, of which a test replaces
 * single words
 */
#ifndef SMALL_H
#define SMALL_H

#include "tests/checkpoints.h"

struct small {
	struct fair_config config;
	struct fair_sched s;
	char memory[1 << 16], other[1 << 16];
	unsigned char checkpoint[1 << 12];
	size_t bytes;
};

static int keys_asked;

static inline int64_t a_key(void *context, const struct fair_job *job)
{
	(void)context;
	keys_asked++;
	return (int64_t)job->number;
}

/* By procs, ties by submission. */
static inline int a_comparison(void *context, int64_t now,
			       const struct fair_job *a,
			       const struct fair_job *b)
{
	(void)context;
	(void)now;
	return (a->procs > b->procs) - (a->procs < b->procs);
}

static inline void small_open(struct small *x, uint32_t policy, uint32_t order)
{
	memset(x, 0, sizeof(*x));
	x->config.policy = policy;
	x->config.order = order;
	x->config.procs = 4;
	x->config.jobs = 4;
	x->config.accounts = x->config.users = 2;
	x->config.half_life = 500;
	x->config.window = FAIR_RELSHARE_LIMIT / 4;
	x->config.key = a_key;
	x->config.compare = a_comparison;
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				sizeof(x->memory), &x->config));
}

static inline void small_submit(struct small *x, int64_t now, uint64_t number,
				int32_t procs)
{
	struct fair_job j = { .number = number,
			      .walltime = 10,
			      .procs = procs };

	TEST_EQ(fair_sched_submit(&x->s, now, &j), 0);
}

static inline void small_step(struct small *x, int64_t now)
{
	struct fair_decision start[4];
	size_t n;

	TEST_EQ(fair_sched_step(&x->s, now, start, 4, &n), 0);
}

static inline void small_save(struct small *x)
{
	x->bytes = fair_sched_checkpoint_size(&x->s);
	TEST_REQUIRE(x->bytes <= sizeof(x->checkpoint));
	TEST_EQ(fair_sched_save(&x->s, x->checkpoint, x->bytes), 0);
}

static inline void small_load(struct small *x, int error, int damage)
{
	struct fair_sched s;
	int found = -1, got;

	good_again(x->checkpoint, x->bytes);
	got = fair_sched_load(&s, sizeof(s), x->other, sizeof(x->other),
			      &x->config, x->checkpoint, x->bytes, &found);
	TEST_EQ(got, error);
	TEST_EQ(found, damage);
	if (!got) {
		TEST_EQ(fair_sched_check(&s), 0);
		go_on(&s);
	}
}

static inline int64_t from_checkpoint(struct small *x, uint64_t what,
				      size_t word)
{
	uint64_t width;

	return (int64_t)fair_get_word(
		section(x->checkpoint, what, &width) + 8 * word);
}

static inline void to_checkpoint(struct small *x, uint64_t what, size_t word,
				 int64_t value)
{
	uint64_t width;

	fair_put_word(section(x->checkpoint, what, &width) + 8 * word,
			    (uint64_t)value);
}

static inline unsigned char *small_word(struct small *x, uint64_t what,
					size_t word)
{
	uint64_t width;

	return section(x->checkpoint, what, &width) + 8 * word;
}

static inline void small_put(struct small *x, uint64_t what, size_t word,
			     uint64_t value)
{
	fair_put_word(small_word(x, what, word), value);
}

/* Another section in the place of one, its words 0. */
static inline void small_instead(struct small *x, uint64_t what,
				 uint64_t records, uint64_t width)
{
	unsigned char *p = x->checkpoint + x->bytes - 8;
	size_t words = 3 + (size_t)(records * width);

	TEST_REQUIRE(x->bytes + 8 * words <= sizeof(x->checkpoint));
	fair_put_word(small_word(x, what, 0) - 24, 99);
	memset(p, 0, 8 * words);
	fair_put_word(p, what);
	fair_put_word(p + 8, records);
	fair_put_word(p + 16, width);
	x->bytes += 8 * words;
	fair_put_word(x->checkpoint + 16, x->bytes);
}

static inline void small_broken(struct small *x)
{
	small_load(x, -FAIR_EINVAL, FAIR_CHECKPOINT_BROKEN);
}

/* It is broken as long as it says that. */
static inline void small_breaks(struct small *x, uint64_t what, size_t word,
				uint64_t value)
{
	uint64_t was = fair_get_word(small_word(x, what, word));

	small_put(x, what, word, value);
	small_broken(x);
	small_put(x, what, word, was);
	small_load(x, 0, 0);
}

/* As the config is by now. */
static inline void small_again(struct small *x)
{
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				sizeof(x->memory), &x->config));
}

/* Of 4 processors 3 are in use for 10 seconds; two jobs need them all. */
static inline void small_two_wait(struct small *x, uint32_t policy,
				  uint32_t depth, int64_t now)
{
	small_open(x, policy, FAIR_ORDER_FCFS);
	x->config.depth = depth;
	small_again(x);
	small_submit(x, now, 1, 3);
	small_submit(x, now, 2, 4);
	small_submit(x, now, 3, 4);
	small_step(x, now);
	small_save(x);
}

#endif /* SMALL_H */
