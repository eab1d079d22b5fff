/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that backfill.h documents changes nothing; the memory that its
 * size function asks for is enough, and nothing around it is touched.
 */
#include "policies/backfill.h"
#include "tests/leaf_faults.h"

enum { SLOTS = 4 };

static void fill_slots(struct fair_queued *job)
{
	uint32_t n;

	memset(job, 0, SLOTS * sizeof(*job));
	for (n = 0; n < SLOTS; n++) {
		job[n].rank.number = n;
		job[n].walltime = 10;
		job[n].procs = 4;
	}
}

/* A machine of 10 processors; of what it keeps, all but the plan of a walk. */
struct plan {
	struct fair_queued job[SLOTS];
	struct fair_queue running;
	struct fair_backfill b;
	size_t bytes;
	void *memory;
};

static void open_plan(struct plan *p, uint32_t depth, bool sorts)
{
	size_t bytes = fair_queue_size(SLOTS);

	fill_slots(p->job);
	p->bytes = fair_backfill_size(depth, sorts, SLOTS);
	p->memory = room(p->bytes);
	TEST_OK(fair_queue_init(&p->running, sizeof(p->running), room(bytes),
				bytes, SLOTS, p->job, sizeof(*p->job)));
	TEST_OK(fair_backfill_init(&p->b, sizeof(p->b), p->memory, p->bytes,
				   depth, sorts, SLOTS, p->job, sizeof(*p->job),
				   10, 0));
}

static void keep_plan(const struct plan *p)
{
	keep(p, sizeof(*p));
	keep(p->memory, p->bytes);
}

static void backfill_init(void)
{
	size_t bytes = fair_backfill_size(2, true, SLOTS), n;
	void *memory = room(bytes);
	struct fair_queued job[SLOTS];
	struct fair_backfill b;

	n = sizeof(b);
	memset(&b, FILL, n);
	keep(&b, n);
	FAULT(fair_backfill_init(NULL, n, memory, bytes, 2, true, SLOTS, job,
				 48, 10, 0), EINVAL, "nothing");
	FAULT(fair_backfill_init(&b, n + 1, memory, bytes, 2, true, SLOTS, job,
				 48, 10, 0),
	      EINVAL, "a struct of another size");
	FAULT(fair_backfill_init(&b, n, NULL, bytes, 2, true, SLOTS, job, 48,
				 10, 0), EINVAL, "no memory");
	FAULT(fair_backfill_init(&b, n, memory, bytes, 2, true, SLOTS, NULL, 48,
				 10, 0), EINVAL, "no array");
	FAULT(fair_backfill_init(&b, n, memory, bytes, 2, true, SLOTS, job, 47,
				 10, 0), EINVAL, "elements too small");
	FAULT(fair_backfill_init(&b, n, memory, bytes, 2, true, SLOTS, job, 48,
				 0, 0), EINVAL, "no processor");
	FAULT(fair_backfill_init(&b, n, memory, bytes, 1, true, SLOTS, job, 48,
				 0, 0), EINVAL, "no processor, and no profile");
	FAULT(fair_backfill_init(&b, n, NULL, bytes - 1, 2, true, SLOTS, job,
				 48, 10, 0), EINVAL, "no memory, and too little");
	FAULT(fair_backfill_init(&b, n, memory, bytes - 1, 2, true, SLOTS, job,
				 48, 10, 0), ENOMEM, "one byte less");
	FAULT(fair_backfill_init(&b, n, memory, bytes, 2, true, UINT32_MAX, job,
				 48, 10, 0), ENOMEM, "more jobs than can be");
	FAULT(fair_backfill_init(&b, n, memory, bytes, 2, true, SLOTS, job, 48,
				 10, INT64_MAX),
	      EOVERFLOW, "an origin too late");
	leave();
}

static void backfill_clone(void)
{
	struct fair_backfill copy;
	struct plan p;
	void *other;

	open_plan(&p, 2, false);
	other = room(p.bytes);
	memset(&copy, FILL, sizeof(copy));
	keep_plan(&p);
	keep(&copy, sizeof(copy));
	FAULT(fair_backfill_clone(&copy, other, p.bytes - 1, p.job, NULL, &p.b,
				  NULL), ENOMEM, "one byte less");
	leave();
}

static bool first_come(const void *context, int64_t now, uint32_t a, uint32_t b)
{
	(void)context;
	(void)now;
	return a < b;
}

static uint32_t one_group(const void *context, uint32_t slot)
{
	(void)context;
	return slot / SLOTS;
}

static bool no_job_first(const void *context, int64_t now, uint32_t slot)
{
	(void)context;
	(void)now;
	(void)slot;
	return false;
}

static void backfill_walks(void)
{
	const struct fair_selection good = { 1, 2, FAIR_BESTFIT, FAIR_FIT_PROCS,
					       false, false, NULL, NULL };
	struct fair_walk walk = { .before = first_come };
	struct fair_selection bad = good;
	struct plan p;

	open_plan(&p, 2, false);
	keep_plan(&p);
	FAULT(fair_backfill_walk_by(&p.b, &walk),
	      EINVAL, "an order, and no sort");
	FAULT(fair_backfill_select_by(&p.b, &good), EINVAL, "no sort");
	walk.before = NULL;
	walk.group = one_group;
	FAULT(fair_backfill_walk_by(&p.b, &walk),
	      EINVAL, "groups, and no sort");
	leave();
	open_plan(&p, 1, true);
	keep_plan(&p);
	bad.limit = 1;
	FAULT(fair_backfill_select_by(&p.b, &bad), EINVAL, "a depth below 2");
	leave();
	open_plan(&p, 2, true);
	keep_plan(&p);
	FAULT(fair_backfill_walk_by(&p.b, NULL), EINVAL, "no walk");
	FAULT(fair_backfill_select_by(&p.b, NULL), EINVAL, "nothing");
	bad.limit = 3;
	FAULT(fair_backfill_select_by(&p.b, &bad),
	      EINVAL, "a depth below the limit");
	bad = good;
	bad.select = FAIR_NOFIT + 1;
	FAULT(fair_backfill_select_by(&p.b, &bad),
	      EINVAL, "an unknown selection");
	bad = good;
	bad.metric = FAIR_FIT_PROC_SECONDS + 1;
	FAULT(fair_backfill_select_by(&p.b, &bad), EINVAL, "an unknown metric");
	forget();
	TEST_EQ(fair_backfill_walk_by(&p.b, &walk), 0);
	keep_plan(&p);
	FAULT(fair_backfill_select_by(&p.b, &good), EINVAL, "groups");
	forget();
	walk.group = NULL;
	walk.gate = no_job_first;
	TEST_EQ(fair_backfill_walk_by(&p.b, &walk), 0);
	keep_plan(&p);
	FAULT(fair_backfill_select_by(&p.b, &good), EINVAL, "a gate");
	leave();
}

/* Jobs 0 and 1 run until 10, which is now + 5; 2 is free. */
static void backfill_events(void)
{
	int64_t shadow = -1, late = INT64_MAX - 1;
	int32_t extra = -1;
	uint32_t slot;
	struct plan p;
	struct fair_iteration it = { 0, &p.running, NULL };

	open_plan(&p, 2, false);
	TEST_EQ(fair_backfill_submit(&p.b, 0), 0);
	TEST_EQ(fair_backfill_submit(&p.b, 1), 0);
	while (fair_backfill_due(&p.b, &it, &slot)) {
		p.job[slot].rank.key = 10;
		TEST_EQ(fair_queue_insert(&p.running, slot), 0);
	}
	it.now = 5;
	TEST_CHECK(!fair_backfill_due(&p.b, &it, &slot));
	fair_backfill_replan(&p.b);
	keep_plan(&p);
	FAULT(fair_easy_shadow(&p.running, 2, 11, 5, &shadow, &extra),
	      ERANGE, "more than the machine has");
	TEST_CHECK(shadow == -1 && extra == -1);
	FAULT(fair_backfill_give_back(&p.b, 4, 10, CLAIM(4)),
	      EINVAL, "the clock goes back");
	FAULT(fair_backfill_give_back(&p.b, 5, 10, CLAIM(0)), EINVAL, "no processor");
	FAULT(fair_backfill_give_back(&p.b, 5, 10, CLAIM(9)),
	      ERANGE, "more than are in use");
	FAULT(fair_backfill_give_back(&p.b, 5, late, CLAIM(4)),
	      EOVERFLOW, "until then");
	FAULT(fair_backfill_extend(&p.b, 4, 10, 20, CLAIM(4)),
	      EINVAL, "the clock goes back");
	FAULT(fair_backfill_extend(&p.b, 5, 10, 10, CLAIM(4)), EINVAL, "empty");
	FAULT(fair_backfill_extend(&p.b, 5, 9, 20, CLAIM(4)),
	      ERANGE, "more than are free");
	FAULT(fair_backfill_extend(&p.b, 5, 10, late, CLAIM(4)),
	      EOVERFLOW, "until then");
	FAULT(fair_backfill_shorten(&p.b, 4, 10, CLAIM(4)),
	      EINVAL, "ends in the past");
	FAULT(fair_backfill_shorten(&p.b, 5, 10, CLAIM(0)), EINVAL, "no processor");
	FAULT(fair_backfill_shorten(&p.b, 9, 10, CLAIM(9)),
	      ERANGE, "more than are in use");
	FAULT(fair_backfill_shorten(&p.b, 5, late, CLAIM(4)), EOVERFLOW, "from then");
	FAULT(fair_backfill_shrink(&p.b, 4, CLAIM(1)), EINVAL, "the clock goes back");
	FAULT(fair_backfill_shrink(&p.b, 5, CLAIM(3)), ERANGE, "fewer are free");
	FAULT(fair_backfill_withdraw(&p.b, 2), EINVAL, "it does not wait");
	forget();
	TEST_EQ(fair_backfill_submit(&p.b, 2), 0);
	p.job[3].rank.number = 2;
	keep_plan(&p);
	FAULT(fair_backfill_submit(&p.b, 3), EINVAL, "its rank is taken");
	TEST_EQ(fair_backfill_check(&p.b, &p.running), 0);
	leave();
}

static void backfill_copies(void)
{
	size_t more = fair_backfill_advances_size(2, SLOTS, 3);
	void *windows, *room_for_copy;
	struct fair_queued spare = { { 0, 9 }, 10, 4, 0, 0, 0 };
	struct plan p;
	struct fair_backfill copy;
	uint32_t slot;

	open_plan(&p, 2, true);
	windows = room(more);
	room_for_copy = room(more + p.bytes);
	keep_plan(&p);
	FAULT(fair_backfill_advances(NULL, windows, more, 3, 0), EINVAL,
	      "nothing");
	FAULT(fair_backfill_advances(&p.b, NULL, more, 3, 0), EINVAL,
	      "no memory");
	FAULT(fair_backfill_advances(&p.b, windows, more, 0, 0), EINVAL,
	      "none");
	FAULT(fair_backfill_advances(&p.b, windows, more, UINT32_MAX,
				     INT64_MAX),
	      ENOMEM, "more advance reservations than a profile has steps");
	FAULT(fair_backfill_advances(&p.b, windows, more - 1, 3, 0), ENOMEM,
	      "one byte less");
	FAULT(fair_backfill_advances(&p.b, windows, more, UINT32_MAX, 0),
	      ENOMEM, "more than can be");
	FAULT(fair_backfill_advances(&p.b, windows, more, 3, INT64_MAX),
	      EOVERFLOW, "an origin too late");
	forget();
	TEST_EQ(fair_backfill_advances(&p.b, windows, more, 3, 0), 0);
	for (slot = 0; slot < SLOTS; slot++)
		TEST_EQ(fair_backfill_submit(&p.b, slot), 0);
	memset(&copy, FILL, sizeof(copy));
	keep_plan(&p);
	keep(windows, more);
	keep(&copy, sizeof(copy));
	FAULT(fair_backfill_advances(&p.b, windows, more, 3, 0), EINVAL,
	      "jobs wait");
	FAULT(fair_backfill_clone(&copy, NULL, p.bytes, p.job, NULL, &p.b,
				  NULL), EINVAL, "no memory");
	FAULT(fair_backfill_clone(&copy, room_for_copy, p.bytes, NULL, NULL,
				  &p.b, NULL), EINVAL, "no array");
	FAULT(fair_backfill_clone(&copy, room_for_copy, p.bytes - 1, p.job,
				  NULL, &p.b, NULL), ENOMEM, "one byte less");
	FAULT(fair_backfill_clone_advances(&copy, NULL, more, &p.b), EINVAL,
	      "no memory");
	FAULT(fair_backfill_clone_advances(&copy, room_for_copy, more - 1,
					   &p.b),
	      ENOMEM, "one byte less");
	forget();
	TEST_OK(fair_backfill_clone(&copy, room_for_copy, p.bytes, p.job, NULL,
				    &p.b, NULL));
	TEST_OK(fair_backfill_clone_advances(
		&copy, (char *)room_for_copy + p.bytes, more, &p.b));
	TEST_EQ(fair_backfill_check(&copy, &p.running), 0);
	p.job[0] = spare;	/* one more than there is room for */
	keep_plan(&p);
	FAULT(fair_backfill_submit(&p.b, 0), ENOSPC, "one too many");
	leave();
}

TEST(backfill)
{
	backfill_init();
	backfill_clone();
	backfill_walks();
	backfill_events();
	backfill_copies();
}
