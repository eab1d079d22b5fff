/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Advance reservations of a class, or of some of its resources: what cannot be,
 * which running jobs are in the way, what an explanation says, and the same
 * reservations after a conversion. tests/sched/classes_test.c has the model.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/world.h"

/* Processors, GPUs; licences belong to no class. */
static const int32_t amounts[] = { 4, 2, 3, 8, 1, 0 };
static const struct fair_machine_config machine = { 3, 2, 4, amounts };

static void open_site(struct world *w, uint32_t policy)
{
	struct fair_config c = { .policy = policy,
				 .procs = 12,
				 .machine = &machine,
				 .jobs = 8,
				 .advances = 2 };

	open_world_of(w, &c);
}

static struct fair_advance advance_of(uint64_t number, int64_t from, int64_t to,
				      uint32_t node_class, int32_t procs,
				      int32_t gpus, int32_t licences)
{
	struct fair_advance b = { .number = number,
				  .from = from,
				  .to = to,
				  .procs = procs,
				  .node_class = node_class };

	b.amount[0] = -7; /* is not read */
	b.amount[1] = gpus;
	b.amount[2] = licences;
	return b;
}

static int reserve(struct world *w, int64_t now, struct fair_advance b)
{
	return fair_sched_advance_reserve(&w->s, now, &b, false);
}

static struct fair_job job_of(uint64_t number, int64_t walltime, int32_t procs,
			      const int32_t *amount)
{
	struct fair_job j = a_job(number, 0, walltime, procs);

	j.amount = amount;
	return j;
}

/* The caller's may go. */
TEST(the_machine_is_copied)
{
	struct fair_machine_config mine = machine;
	struct fair_config c = { .procs = 12, .machine = &mine, .jobs = 8 };
	struct world w;

	open_world_of(&w, &c);
	memset(&mine, 0, sizeof(mine));
	TEST_CHECK(w.s.config.machine->classes == 2 &&
		   w.s.config.machine->amount[3] == 8);
	close_world(&w);
}

/* A profile knows the most that may be free of it, and refuses to have more,
 * also after an advance reservation has come and gone. */
TEST(what_was_withheld_is_not_new)
{
	struct world w;

	open_site(&w, FAIR_CONSERVATIVE);
	TEST_OK(reserve(&w, 0, advance_of(1, 10, 20, 0, 2, 1, 0)));
	TEST_OK(fair_sched_advance_cancel(&w.s, 0, 1));
	TEST_EQ(fair_column_profile(&w.s, 0)->limit, 4);
	TEST_EQ(fair_column_profile(&w.s, 1)->limit, 2);
	TEST_EQ(fair_sched_profile(&w.s)->limit, 12);
	close_world(&w);
}

TEST(what_cannot_be)
{
	static const int32_t gpu[] = { 0, 1, 0 };
	static const uint8_t a = 0;
	struct world w;
	struct fair_advance b = advance_of(1, 10, 20, 0, 2, 1, 0);
	struct fair_job j = job_of(1, 5, 2, gpu);

	open_site(&w, FAIR_CONSERVATIVE);
	TEST_EQ(reserve(&w, 0, advance_of(1, 10, 20, 2, 1, 0, 0)),
		-FAIR_EINVAL);
	TEST_EQ(reserve(&w, 0, advance_of(1, 10, 20, 0, -1, 1, 0)),
		-FAIR_EINVAL);
	TEST_EQ(reserve(&w, 0, advance_of(1, 10, 20, 0, 1, -1, 0)),
		-FAIR_EINVAL);
	TEST_EQ(reserve(&w, 0, advance_of(1, 10, 20, 0, 0, 0, 0)),
		-FAIR_EINVAL);
	TEST_EQ(reserve(&w, 0, advance_of(1, 10, 20, 0, 5, 0, 0)),
		-FAIR_ERANGE);
	TEST_EQ(reserve(&w, 0, advance_of(1, 10, 20, 1, 1, 2, 0)),
		-FAIR_ERANGE);
	TEST_EQ(reserve(&w, 0, advance_of(1, 10, 20, 1, 0, 0, 4)),
		-FAIR_ERANGE);
	/* Of any class: licences belong to none. */
	TEST_OK(reserve(&w, 0, advance_of(2, 10, 20, 1, 0, 0, 2)));
	TEST_EQ(reserve(&w, 0, advance_of(1, 10, 20, 0, 0, 0, 2)),
		-FAIR_ERANGE);
	/* One of maintenance has no jobs; nor is a job in another class. */
	TEST_OK(reserve(&w, 0, b));
	j.advance = 1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_EINVAL);
	b.kind = FAIR_ADVANCE_USER;
	b.node_class = 1;
	b.amount[1] = 0;
	TEST_OK(reserve(&w, 0, b));
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_ERANGE); /* no GPU */
	b.amount[1] = 1;
	TEST_OK(reserve(&w, 0, b));
	j.classes = &a;
	j.class_count = 1;
	TEST_EQ(fair_sched_submit(&w.s, 0, &j), -FAIR_ERANGE);
	j.class_count = 0;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(look(&w, 1).start, 10);
	TEST_EQ(look(&w, 1).node_class, 1);
	/* It names no class: it moves with its reservation. */
	b.node_class = 0;
	TEST_OK(reserve(&w, 0, b));
	TEST_EQ(look(&w, 1).node_class, 0);
	close_world(&w);
}

/* Only a job that holds what it withholds is in its way. */
/* One of the same number in a class in which its job may not run. */
TEST(an_advance_reservation_in_another_class)
{
	static const uint8_t a = 0;
	struct fair_job j = job_of(5, 5, 2, NULL);
	struct fair_advance b = advance_of(1, 10, 20, 0, 2, 1, 0);
	struct world w;

	open_site(&w, FAIR_CONSERVATIVE);
	b.kind = FAIR_ADVANCE_USER;
	j.advance = 1;
	j.classes = &a;
	j.class_count = 1;
	TEST_OK(reserve(&w, 0, b));
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(look(&w, 5).start, 10);
	for (b.node_class = 1; b.node_class < 2; b.node_class--) {
		TEST_OK(fair_sched_advance_cancel(&w.s, 0, 1));
		TEST_OK(reserve(&w, 0, b));
		TEST_EQ(look(&w, 5).start, b.node_class ? FAIR_FOREVER : 10);
	}
	close_world(&w);
}

TEST(conflicts)
{
	static const int32_t gpu[] = { 0, 1, 0 };
	static const uint8_t b_only = 1;
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status found;
	struct fair_advance b = advance_of(1, 5, 20, 1, 0, 1, 0);
	struct world w;
	struct fair_job j = job_of(2, 50, 2, gpu);

	open_site(&w, FAIR_BACKFILL);
	submit(&w, 0, 1, 50, 4); /* in a */
	j.classes = &b_only;
	j.class_count = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	submit(&w, 0, 3, 50, 6); /* in b, no GPU */
	TEST_EQ(step(&w, 0), 123);
	TEST_EQ(reserve(&w, 1, b), -FAIR_ERANGE);
	TEST_CHECK(fair_sched_advance_conflicts(&w.s, &b, &at, &found));
	TEST_EQ(found.job.number, 2);
	TEST_CHECK(!fair_sched_advance_conflicts(&w.s, &b, &at, &found));
	TEST_OK(fair_sched_advance_reserve(&w.s, 1, &b, true));
	TEST_OK(fair_sched_finish(&w.s, 10, 2));
	TEST_EQ(fair_sched_class_capacity(&w.s, 10, 1, 1, -1, NULL, 0), 0);
	TEST_EQ(fair_sched_class_capacity(&w.s, 11, 1, 1, 1, NULL, 0), 0);
	TEST_EQ(fair_sched_class_capacity(&w.s, 11, 0, 0, 2, NULL, 0), 0);
	TEST_EQ(fair_sched_check(&w.s), 0);
	close_world(&w);
}

static void says(const struct world *w, uint64_t number, const char *text)
{
	size_t bytes = fair_sched_fst_size(&w->config);
	void *clone = malloc(bytes);
	struct fair_why why;
	char said[1024];

	TEST_OK(fair_sched_why(&w->s, number, clone, bytes, &why));
	fair_why_text(&why, said, sizeof(said));
	if (strcmp(said, text))
		printf("got:  %s\nwant: %s\n", said, text);
	TEST_CHECK(!strcmp(said, text));
	free(clone);
}

TEST(why)
{
	static const int32_t gpu[] = { 0, 1, 0 };
	static const uint8_t b_only = 1;
	struct fair_advance b = advance_of(1, 30, 60, 1, 0, 1, 0);
	struct fair_job j = job_of(1, 50, 2, gpu);
	struct world w;

	open_site(&w, FAIR_CONSERVATIVE);
	j.classes = &b_only;
	j.class_count = 1;
	TEST_OK(reserve(&w, 0, b));
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 0);
	says(&w, 1,
	     "Job 1 has waited for 0 s and is the first in the queue. It would"
	     " run into the maintenance window at 30. It would start now with"
	     " a walltime of 30 s. In class 0 it would start now. A start is"
	     " reserved for it at 60.");
	TEST_EQ(step(&w, 40), 0);
	says(&w, 1,
	     "Job 1 has waited for 40 s and is the first in the queue. It"
	     " waits for 1 of resource 1 of class 1, where 0 are free."
	     " Resources of class 1 are unavailable for maintenance until 60."
	     " With 0 of resource 1 it would start now. In class 0 it would"
	     " start now. A start is reserved for it at 60.");
	b.kind = FAIR_ADVANCE_USER;
	TEST_OK(reserve(&w, 40, b));
	TEST_EQ(step(&w, 40), 0);
	says(&w, 1,
	     "Job 1 has waited for 40 s and is the first in the queue. It"
	     " waits for 1 of resource 1 of class 1, where 0 are free."
	     " Resources of class 1 are reserved in advance until 60. With 0 of"
	     " resource 1 it would start now. In class 0 it would start now. A"
	     " start is reserved for it at 60.");
	/* Behind its end, in another class, of what it does not ask for. */
	TEST_OK(reserve(&w, 40, advance_of(2, 120, 130, 1, 0, 1, 0)));
	b = advance_of(1, 30, 60, 0, 4, 2, 0);
	TEST_OK(reserve(&w, 40, b));
	TEST_EQ(step(&w, 40), 1);
	close_world(&w);
}

/* Job 3 has room beside a reservation, but not also beside promised job 2. */
TEST(why_together_with_a_promise)
{
	static const uint8_t b_only = 1;
	static const int32_t procs[] = { 4, 5, 3 };
	struct fair_job j = job_of(1, 10, 4, NULL);
	struct world w;

	open_site(&w, FAIR_CONSERVATIVE);
	submit(&w, 0, 4, 200, 4); /* all of class 0 */
	j.classes = &b_only;
	j.class_count = 1;
	TEST_OK(reserve(&w, 0, advance_of(1, 50, 60, 1, 1, 0, 0)));
	for (; j.number <= 3; j.number++) {
		j.procs = procs[j.number - 1];
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		j.walltime = 100;
	}
	TEST_EQ(step(&w, 0), 14);
	says(&w, 3,
	     "Job 3 has waited for 0 s, 1 job is ahead of it. It would run into"
	     " the maintenance window at 50. It would start now with 2"
	     " processors, or with a walltime of 50 s. A start is reserved for"
	     " it at 60.");
	close_world(&w);
}

/* Reservations and jobs bound to them are taken over; forecasts hold. */
TEST(another_policy)
{
	static const int32_t gpu[] = { 0, 1, 0 };
	struct fair_advance b = advance_of(1, 30, 60, 1, 2, 1, 0);
	struct fair_job j = job_of(1, 50, 2, gpu);
	struct fair_config config;
	struct fair_job_status found;
	struct fair_sched other;
	struct world w;
	uint32_t policy;
	void *memory;
	size_t bytes;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		open_site(&w, FAIR_DC);
		b.kind = FAIR_ADVANCE_USER;
		TEST_OK(reserve(&w, 0, b));
		j.advance = 0;
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		TEST_EQ(step(&w, 0), 1); /* in a */
		submit(&w, 0, 2, 50, 8); /* in b, behind the reservation */
		j.number = 3;
		j.walltime = 10;
		j.advance = 1;
		TEST_OK(fair_sched_submit(&w.s, 0, &j));
		config = w.config;
		config.policy = policy;
		bytes = fair_sched_size(&config);
		memory = malloc(bytes);
		TEST_OK(fair_sched_convert(&other, sizeof(other), memory, bytes,
					   &config, &w.s));
		TEST_EQ(fair_sched_check(&other), 0);
		TEST_OK(fair_sched_lookup(&other, 3, &found));
		TEST_CHECK(found.start == 30 && found.node_class == 1);
		config.advances = 0;
		TEST_EQ(fair_sched_convert(&other, sizeof(other), memory, bytes,
					   &config, &w.s),
			-FAIR_ENOSPC);
		free(memory);
		j.number = 1;
		j.walltime = 50;
		close_world(&w);
	}
}

/* A machine of as many resources, and of one class more, is another one. */
TEST(into_other_classes)
{
	static const int32_t more[] = { 4, 2, 3, 8, 1, 0, 1, 0, 0 };
	static const struct fair_machine_config three = { 3, 3, 4, more };
	struct fair_config config;
	struct fair_sched other;
	struct world w;
	void *memory;
	size_t bytes;

	open_site(&w, FAIR_DC);
	config = w.config;
	config.machine = &three;
	config.procs = 13;
	bytes = fair_sched_size(&config);
	memory = malloc(bytes);
	TEST_EQ(fair_sched_convert(&other, sizeof(other), memory, bytes,
				   &config, &w.s), -FAIR_EINVAL);
	free(memory);
	close_world(&w);
}

/* A damaged checkpoint: what a reservation withholds is missing, or too much. */
TEST(checkpoints)
{
	unsigned char file[4000];
	struct fair_sched other;
	struct world w;
	size_t bytes, i, refused = 0;
	uint64_t was;
	int damage;

	open_site(&w, FAIR_PC);
	TEST_OK(reserve(&w, 0, advance_of(1, 30, 60, 1, 2, 1, 3)));
	TEST_OK(reserve(&w, 0, advance_of(2, 40, 90, 0, 0, 2, 0)));
	submit(&w, 0, 1, 50, 8);
	bytes = fair_sched_checkpoint_size(&w.s);
	TEST_REQUIRE(bytes <= sizeof(file));
	TEST_OK(fair_sched_save(&w.s, file, bytes));
	for (i = 24; i < bytes - 8; i += 8) {
		was = fair_get_word(file + i);
		fair_put_word(file + i, was + 1);
		fair_put_word(file + bytes - 8, fair_fnv(file, bytes - 8));
		if (fair_sched_load(&other, sizeof(other), w.kept, w.bytes,
				    &w.config, file, bytes, &damage))
			refused++;
		else
			TEST_EQ(fair_sched_check(&other), 0);
		fair_put_word(file + i, was);
	}
	TEST_CHECK(refused > 40);
	fair_put_word(file + bytes - 8, fair_fnv(file, bytes - 8));
	TEST_OK(fair_sched_load(&other, sizeof(other), w.kept, w.bytes,
				&w.config, file, bytes, &damage));
	TEST_EQ(fair_sched_digest(&other), fair_sched_digest(&w.s));
	TEST_EQ(fair_sched_check(&other), 0);
	close_world(&w);
}

/*
 * A running job holds a GPU of advance reservation 3, at first, and its job
 * waits for both. What runs in another one, of which the number is that of the
 * column of these GPUs, does not count.
 */
TEST(a_column_is_no_number)
{
	static const int32_t one[3] = { 0, 1, 0 }, two[3] = { 0, 2, 0 };
	static const uint8_t first[1] = { 0 };
	struct fair_advance b;
	struct fair_job j;
	struct world w;

	open_site(&w, FAIR_CONSERVATIVE);
	b = advance_of(1, 0, 100, 1, 4, 0, 0);
	b.kind = FAIR_ADVANCE_USER;
	TEST_OK(reserve(&w, 0, b));
	j = job_of(1, 100, 4, NULL);
	j.advance = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	j = job_of(2, 30, 1, one);
	j.classes = first;
	j.class_count = 1;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(step(&w, 0), 12);
	b = advance_of(3, 10, 60, 0, 2, 2, 0);
	b.kind = FAIR_ADVANCE_USER;
	TEST_OK(fair_sched_advance_reserve(&w.s, 0, &b, true));
	j = job_of(3, 20, 1, two);
	j.advance = 3;
	TEST_OK(fair_sched_submit(&w.s, 0, &j));
	TEST_EQ(look(&w, 3).start, 30);
	close_world(&w);
}
