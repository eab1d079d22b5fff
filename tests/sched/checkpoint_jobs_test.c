/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A checkpoint keeps ineligible jobs, arrays and the caller's order; a word of
 * them that no scheduler could have written is damage.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/world.h"
#include "tests/ineligible.h"
#include "tests/site.h"

/* Where the words of a section begin; NULL: there is none. */
static unsigned char *section(unsigned char *checkpoint, size_t bytes,
			      uint64_t what)
{
	unsigned char *p = checkpoint + 8 * FAIR_CHECKPOINT_HEADER;

	while (p < checkpoint + bytes - 8 && fair_get_word(p) != what)
		p += 8 * fair_checkpoint_extent(p);
	return p < checkpoint + bytes - 8 ? p + 8 * FAIR_CHECKPOINT_HEADER
					  : NULL;
}

static int load(struct world *w, const unsigned char *checkpoint, size_t bytes,
		int *damage)
{
	struct fair_sched s;
	size_t size = fair_sched_size(&w->config);
	void *memory = malloc(size);
	int error;

	*damage = 0;
	error = fair_sched_load(&s, sizeof(s), memory, size, &w->config,
				checkpoint, bytes, damage);
	if (!error) {
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_EQ(fair_sched_digest(&s), fair_sched_digest(&w->s));
		TEST_EQ(s.ineligibles, w->s.ineligibles);
	}
	free(memory);
	return error;
}

/* What no job waits for, one word at a time. */
TEST(checkpoint_of_ineligible_jobs)
{
	static const struct {
		size_t word;
		uint64_t value;
	} change[] = { { 0, 77 }, { 0, 1 }, { 0, 8 }, { 3, 6 }, { 4, 2 },
		       { 5, 2 }, { 6, 2 } };
	unsigned char *checkpoint, *p;
	struct world w;
	size_t bytes, i;
	uint64_t was;
	int damage;

	busy(&w, FAIR_CONSERVATIVE);
	TEST_EQ(submit_if(&w, 0, 7, until(3, 1, FAIR_AFTER_OK, true)), 0);
	TEST_EQ(submit_if(&w, 0, 8, until(3, 0, 0, true)), 0);
	checkpoint = checkpoint_of(&w.s, &bytes);
	TEST_EQ(load(&w, checkpoint, bytes, &damage), 0);
	p = section(checkpoint, bytes, FAIR_SECTION_INELIGIBLE);
	TEST_REQUIRE(p);
	for (i = 0; i < sizeof(change) / sizeof(*change); i++) {
		was = fair_get_word(p + 8 * change[i].word);
		fair_put_word(p + 8 * change[i].word, change[i].value);
		fair_put_word(checkpoint + bytes - 8,
				    fair_fnv(checkpoint, bytes - 8));
		TEST_EQ(load(&w, checkpoint, bytes, &damage), -FAIR_EINVAL);
		TEST_EQ(damage, FAIR_CHECKPOINT_BROKEN);
		fair_put_word(p + 8 * change[i].word, was);
	}
	fair_put_word(checkpoint + bytes - 8,
			    fair_fnv(checkpoint, bytes - 8));
	w.config.ineligible = 1;
	TEST_EQ(load(&w, checkpoint, bytes, &damage), -FAIR_ENOSPC);
	w.config.ineligible = 9;
	TEST_EQ(load(&w, checkpoint, bytes, &damage), 0);
	free(checkpoint);
	close_world(&w);
}

/* Into room for no more than these: each of them is found again. */
TEST(checkpoint_without_room)
{
	unsigned char *checkpoint;
	struct world w;
	size_t bytes;
	uint64_t n;
	int damage;

	busy(&w, FAIR_BACKFILL);
	for (n = 5; n < 9; n++)
		submit(&w, 0, n, 10, 9);
	for (; n < 12; n++)
		TEST_EQ(submit_if(&w, 0, n, until(3, 0, 0, true)), 0);
	checkpoint = checkpoint_of(&w.s, &bytes);
	w.config.jobs = 10;
	TEST_EQ(load(&w, checkpoint, bytes, &damage), -FAIR_ENOSPC);
	w.config.jobs = 11;
	TEST_EQ(load(&w, checkpoint, bytes, &damage), 0);
	free(checkpoint);
	close_world(&w);
}

/* The caller says again how it orders. */
TEST(checkpoint_of_orders)
{
	struct fair_config config;
	unsigned char *checkpoint;
	struct world w;
	size_t bytes;
	int damage;

	open_ordered(&w, FAIR_DC, FAIR_ORDER_KEY);
	submit(&w, 0, 1, 10, 10);
	submit(&w, 0, 2, 10, 10);
	checkpoint = checkpoint_of(&w.s, &bytes);
	TEST_EQ(fair_sched_checkpoint_config(checkpoint, bytes, &config,
					     &damage),
		0);
	TEST_CHECK(config.order == FAIR_ORDER_KEY && !config.key);
	TEST_EQ(load(&w, checkpoint, bytes, &damage), 0);
	w.config.key = NULL;
	TEST_EQ(fair_sched_load(&w.was, sizeof(w.was), w.kept, w.bytes,
				&w.config, checkpoint, bytes, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, 0);
	free(checkpoint);
	close_world(&w);
}

TEST(checkpoint_of_arrays)
{
	unsigned char *checkpoint, *p;
	struct world w;
	size_t bytes;
	int damage;

	open_world(&w, FAIR_BACKFILL, FAIR_ORDER_FCFS, 1);
	TEST_EQ(submit_array(&w, 0, 2, 4, 6), 0);
	TEST_EQ(submit_array(&w, 0, 6, 2, 6), 0);
	checkpoint = checkpoint_of(&w.s, &bytes);
	TEST_EQ(load(&w, checkpoint, bytes, &damage), 0);
	p = section(checkpoint, bytes, FAIR_SECTION_JOBS);
	TEST_REQUIRE(p);
	p += 8 * (FAIR_JOB_WORDS - 8);
	TEST_EQ(fair_get_word(p), 3);
	fair_put_word(p, 4); /* the last would be 6 */
	fair_put_word(checkpoint + bytes - 8,
			    fair_fnv(checkpoint, bytes - 8));
	TEST_EQ(load(&w, checkpoint, bytes, &damage), -FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_BROKEN);
	free(checkpoint);
	close_world(&w);
}

/* A queued array needs two slots; in a full table there is none for it. */
TEST(checkpoint_of_an_array_in_a_full_table)
{
	struct fair_config config = { 0 };
	struct fair_sched s, other;
	struct fair_job j = { 0 };
	unsigned char *checkpoint, *p;
	size_t bytes, saved;
	void *memory[2];
	int damage;

	config.policy = FAIR_FCFS;
	config.procs = 8;
	config.jobs = 2;
	bytes = fair_sched_size(&config);
	memory[0] = malloc(bytes);
	memory[1] = malloc(bytes);
	TEST_OK(fair_sched_init(&s, sizeof(s), memory[0], bytes, &config));
	j.procs = 8;
	j.walltime = 10;
	for (j.number = 10; j.number <= 20; j.number += 10)
		TEST_OK(fair_sched_submit(&s, 0, &j));
	checkpoint = checkpoint_of(&s, &saved);
	p = section(checkpoint, saved, FAIR_SECTION_JOBS);
	TEST_REQUIRE(p);
	p += 8 * (FAIR_JOB_WORDS - 8);
	TEST_EQ(fair_get_word(p), 0);
	fair_put_word(p, 1);
	fair_put_word(checkpoint + saved - 8,
			    fair_fnv(checkpoint, saved - 8));
	TEST_EQ(fair_sched_load(&other, sizeof(other), memory[1], bytes,
				&config, checkpoint, saved, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, FAIR_CHECKPOINT_BROKEN);
	free(checkpoint);
	free(memory[0]);
	free(memory[1]);
}

/* More ineligible jobs than the table is for. */
TEST(checkpoint_of_too_many_ineligible_jobs)
{
	unsigned char *checkpoint;
	struct world w;
	size_t bytes;
	uint64_t n;
	int damage;

	open_world(&w, FAIR_FCFS, FAIR_ORDER_FCFS, 1);
	for (n = 0; n < 3; n++)
		TEST_EQ(submit_if(&w, 0, n, until(3, 0, 0, true)), 0);
	checkpoint = checkpoint_of(&w.s, &bytes);
	w.config.jobs = 3;
	w.config.ineligible = 0;
	TEST_EQ(load(&w, checkpoint, bytes, &damage), -FAIR_ENOSPC);
	w.config.ineligible = 3;
	TEST_EQ(load(&w, checkpoint, bytes, &damage), 0);
	free(checkpoint);
	close_world(&w);
}

/* An array waits for a slot; a larger table has it at once. */
TEST(checkpoint_into_a_larger_table)
{
	unsigned char *checkpoint;
	struct fair_sched s;
	struct world w;
	size_t bytes, size;
	void *memory;

	w.config = (struct fair_config){ .policy = FAIR_FCFS, .jobs = 3 };
	open_world_of(&w, &w.config);
	TEST_EQ(submit_array(&w, 0, 2, 3, 4), 0);
	submit(&w, 0, 9, 10, 10);
	TEST_EQ(step(&w, 0), 2);
	TEST_CHECK(is_ineligible(&w, 3));
	TEST_CHECK(fair_sched_next(&w.s) > 0);
	checkpoint = checkpoint_of(&w.s, &bytes);
	w.config.jobs = 9;
	size = fair_sched_size(&w.config);
	memory = malloc(size);
	TEST_OK(fair_sched_load(&s, sizeof(s), memory, size, &w.config,
				checkpoint, bytes, NULL));
	TEST_EQ(fair_sched_next(&s), 0);
	free(memory);
	free(checkpoint);
	close_world(&w);
}

/* The same of an array that is bound to an advance reservation: it is planned as
 * soon as it has a slot. */
TEST(checkpoint_of_a_bound_array_without_a_slot)
{
	struct fair_job j = job_of(2, 1, 5);
	struct fair_job_status status;
	unsigned char *checkpoint;
	struct fair_sched s;
	struct site x;
	size_t bytes;
	char *memory;

	open_table(&x, FAIR_BACKFILL, 3);
	TEST_EQ(reserve(&x.s, 0, 7, 10, 50, 6), 0);
	j.advance = 7;
	j.tasks = 3;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	enqueue(&x.s, 9, 10, 99);
	TEST_EQ(started(&x.s, 10), 2);
	checkpoint = checkpoint_of(&x.s, &bytes);
	for (; x.config.jobs <= 4; x.config.jobs++) {
		memory = (char *)malloc(fair_sched_size(&x.config));
		TEST_OK(fair_sched_load(&s, sizeof(s), memory,
					fair_sched_size(&x.config), &x.config,
					checkpoint, bytes, NULL));
		TEST_EQ(fair_sched_check(&s), 0);
		TEST_OK(fair_sched_lookup(&s, 3, &status));
		TEST_EQ(status.start,
			x.config.jobs > 3 ? 10 : FAIR_FOREVER);
		free(memory);
	}
	free(checkpoint);
	close_site(&x);
}

/* One that is planned loads into a table without the slot, and is sound. */
TEST(checkpoint_into_a_table_without_the_slot)
{
	struct fair_job j = job_of(2, 1, 5);
	struct fair_job_status status;
	unsigned char *checkpoint;
	struct fair_sched s;
	struct site x;
	size_t bytes;
	char *memory;

	open_site(&x, FAIR_BACKFILL, 10);
	TEST_EQ(reserve(&x.s, 0, 7, 10, 50, 6), 0);
	j.advance = 7;
	j.tasks = 2;
	TEST_OK(fair_sched_submit(&x.s, 0, &j));
	checkpoint = checkpoint_of(&x.s, &bytes);
	x.config.jobs = 1;
	memory = (char *)malloc(fair_sched_size(&x.config));
	TEST_OK(fair_sched_load(&s, sizeof(s), memory,
				fair_sched_size(&x.config), &x.config,
				checkpoint, bytes, NULL));
	TEST_EQ(fair_sched_check(&s), 0);
	TEST_OK(fair_sched_lookup(&s, 2, &status));
	TEST_EQ(status.start, FAIR_FOREVER);
	free(memory);
	free(checkpoint);
	close_site(&x);
}
