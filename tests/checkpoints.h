/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * checkpoints.h - checkpoints of a scheduler that bytes drive
 */
#ifndef CHECKPOINTS_H
#define CHECKPOINTS_H

#include "fuzz/checkpoint_drive.h"
#include "fuzz/inside.h"
#include "tests/test.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

#define POLICIES (FAIR_MAUI + 1)
#define LENGTH 600

/* Bytes of a run under @policy, from @seed. */
static inline void script(uint8_t *byte, uint32_t policy, uint64_t seed)
{
	size_t i;

	for (i = 0; i < LENGTH; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		byte[i] = (uint8_t)(seed >> 33);
	}
	byte[0] = (uint8_t)policy;
}

/* Somewhere in a run under @policy. */
static inline unsigned char *some_checkpoint(struct drive *d, uint32_t policy,
					     size_t *bytes)
{
	static uint8_t byte[LENGTH];

	script(byte, policy, 11000);
	drive_new(d, byte, LENGTH);
	while (d->in.n > LENGTH / 2)
		drive_event(d);
	return drive_save(d, bytes);
}

static inline int load(struct drive *d, const unsigned char *checkpoint,
		       size_t bytes, int expect)
{
	int damage = -1,
	    error = drive_read_checkpoint(d, checkpoint, bytes, &damage);

	TEST_EQ(error, expect ? -FAIR_EINVAL : 0);
	TEST_EQ(damage, expect);
	return error;
}

static inline void good_again(unsigned char *checkpoint, size_t bytes)
{
	fair_put_word(checkpoint + bytes - 8,
			    fair_fnv(checkpoint, bytes - 8));
}

/* The payload of a section, and how many words a record has. */
static inline unsigned char *section(unsigned char *checkpoint, uint64_t what,
				     uint64_t *width)
{
	unsigned char *p = checkpoint + 8 * FAIR_CHECKPOINT_HEADER;

	while (fair_get_word(p) != what)
		p += 8 * fair_checkpoint_extent(p);
	*width = fair_get_word(p + 16);
	return p + 8 * FAIR_CHECKPOINT_HEADER;
}

#define CROWD 8

/* Of each waiting job it can be asked why. */
static inline void ask(const struct fair_sched *s)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	struct fair_why why;

	while (fair_sched_each(s, FAIR_QUEUED, &at, &j))
		if (!fair_sched_why(s, j.job.number, NULL, 0, &why))
			TEST_CHECK(why.reasons);
}

/* What was left of the step, and another. */
static inline void go_on(struct fair_sched *s)
{
	struct fair_decision start[CROWD];
	size_t n;
	int i;

	ask(s);
	for (i = 0; i < 3; i++)
		TEST_OK(fair_sched_step(
			s, s->now + (i / 2 && s->now < FAIR_TIME_MAX), start,
			CROWD, &n));
	TEST_EQ(fair_sched_check(s), 0);
	ask(s);
}

#endif /* CHECKPOINTS_H */
