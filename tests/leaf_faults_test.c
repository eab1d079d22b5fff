/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that a header but fairsched.h documents, and nothing is changed;
 * memory as large as the size functions say, and not a byte more is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "fairsched.h"
#include "faults.h"

/* What an error must not change. */
static struct kept {
	const void *at;
	void *copy;
	size_t bytes;
} kept[8];
static size_t keeps;

static void forget(void)
{
	while (keeps)
		free(kept[--keeps].copy);
}

static void keep(const void *at, size_t bytes)
{
	struct kept *k = &kept[keeps++];

	k->at = at;
	k->bytes = bytes;
	k->copy = malloc(bytes);
	if (!k->copy || keeps > sizeof(kept) / sizeof(*kept))
		abort();
	memcpy(k->copy, at, bytes);
}

static bool unchanged(void)
{
	size_t i;

	for (i = 0; i < keeps; i++)
		if (memcmp(kept[i].at, kept[i].copy, kept[i].bytes))
			return false;
	return true;
}

/* What is called is what is named, says so, and changed nothing. */
static void fault(const char *what, const char *call, int got)
{
	bool same = unchanged();
	bool right = is_fault(what, call, got) && same;

	if (!right)
		printf("%s: %d%s\n", what, got, same ? "" : ", changed");
	TEST_CHECK(right);
}

#define FAULT(what, call) fault((what), #call, (call))

/* At an odd address, with a fence before and behind. */
static struct room {
	unsigned char *all;
	size_t bytes;
} rooms[4];
static size_t used;

enum { FENCE = 64, FILL = 0xa5 };

static void *room(size_t bytes)
{
	struct room *r = &rooms[used++];

	r->bytes = bytes;
	r->all = (unsigned char *)malloc(bytes + 2 * FENCE);
	if (!r->all || !bytes || used > sizeof(rooms) / sizeof(*rooms))
		abort();
	memset(r->all, FILL, bytes + 2 * FENCE);
	return r->all + FENCE - 1;
}

/* The end of a header: nobody was beyond the fences. */
static void leave(void)
{
	size_t i, wrong = 0;
	struct room *r;

	forget();
	while (used) {
		r = &rooms[--used];
		for (i = 0; i < 2 * FENCE; i++)
			wrong += r->all[i < FENCE - 1 ? i : r->bytes + i] !=
				 FILL;
		free(r->all);
	}
	TEST_EQ(wrong, 0);
}

/* What queries write to. */
static struct {
	int64_t a, b;
	uint64_t c, d;
} out;

/* ---- profile.h ---- */

static void profile_init(struct fair_profile *p, size_t size, void *memory,
			 size_t bytes)
{
	size_t n = sizeof(*p);

	keep(p, n);
	keep(memory, bytes);
	FAULT("fair_profile_init: -FAIR_EINVAL a struct of another size",
	      fair_profile_init(p, n + 1, memory, bytes, 10, 0));
	FAULT("fair_profile_init: -FAIR_EINVAL no memory",
	      fair_profile_init(p, n, NULL, bytes, 10, 0));
	FAULT("fair_profile_init: -FAIR_EINVAL no processor",
	      fair_profile_init(p, n, memory, bytes, 0, 0));
	FAULT("fair_profile_init: -FAIR_EOVERFLOW an origin too late",
	      fair_profile_init(p, n, memory, bytes, 10,
				INT64_MAX - (INT64_C(1) << 38) + 1));
	FAULT("fair_profile_init: -FAIR_ENOMEM no room for one step",
	      fair_profile_init(p, n, memory, size - 1, 10, 0));
	forget();
}

/* Of 10 processors, 9 are reserved for [0, 5), 4 for [10, 20). */
static void profile_queries(const struct fair_profile *p)
{
	struct fair_step step = { -1, -1, -1 };
	int64_t end = p->horizon, from, to;
	int32_t procs = -1;

	keep(&step, sizeof(step));
	keep(&procs, sizeof(procs));
	FAULT("fair_profile_earliest_start: -FAIR_EINVAL before the origin",
	      fair_profile_earliest_start(p, -1, 1, 1, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EINVAL no walltime",
	      fair_profile_earliest_start(p, 0, 0, 1, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EINVAL no processor",
	      fair_profile_earliest_start(p, 0, 1, 0, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_ERANGE never so many",
	      fair_profile_earliest_start(p, 0, 1, 11, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EOVERFLOW begins too late",
	      fair_profile_earliest_start(p, end + 1, 1, 1, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EOVERFLOW too long",
	      fair_profile_earliest_start(p, 0, end + 1, 1, &out.a));
	FAULT("fair_profile_earliest_start: -FAIR_EOVERFLOW too long by then",
	      fair_profile_earliest_start(p, 0, end - 19, 7, &out.a));
	FAULT("fair_profile_earlier_start: -FAIR_EINVAL before the origin",
	      fair_profile_earlier_start(p, -1, 10, 10, 4, 10, &out.a));
	FAULT("fair_profile_earlier_start: -FAIR_EINVAL no walltime",
	      fair_profile_earlier_start(p, 0, 10, 0, 4, 10, &out.a));
	FAULT("fair_profile_earlier_start: -FAIR_EINVAL no processor",
	      fair_profile_earlier_start(p, 0, 10, 10, 0, 10, &out.a));
	FAULT("fair_profile_earlier_start: -FAIR_EOVERFLOW holds no such place",
	      fair_profile_earlier_start(p, 0, 10, 10, 4, end + 1, &out.a));
	FAULT("fair_profile_min_free: -FAIR_EINVAL before the origin",
	      fair_profile_min_free(p, -1, 1, &procs));
	FAULT("fair_profile_min_free: -FAIR_EINVAL empty",
	      fair_profile_min_free(p, 5, 5, &procs));
	FAULT("fair_profile_max_free: -FAIR_EINVAL before the origin",
	      fair_profile_max_free(p, -1, 1, &procs));
	FAULT("fair_profile_max_free: -FAIR_EINVAL empty",
	      fair_profile_max_free(p, 5, 5, &procs));
	FAULT("fair_profile_step_at: -FAIR_EINVAL before the origin",
	      fair_profile_step_at(p, -1, &step));
	from = -1;
	to = 1;
	FAULT("fair_profile_run: -FAIR_EINVAL before the origin",
	      fair_profile_run(p, 1, &from, &to));
	TEST_CHECK(from == -1 && to == 1);
	from = to = 5;
	FAULT("fair_profile_run: -FAIR_EINVAL empty",
	      fair_profile_run(p, 1, &from, &to));
	TEST_CHECK(from == 5 && to == 5);
	keeps -= 2;	/* of this frame */
	free(kept[keeps].copy);
	free(kept[keeps + 1].copy);
}

static void profile_changes(struct fair_profile *p)
{
	int64_t end = p->horizon;
	int32_t most = -1;

	FAULT("fair_profile_reserve: -FAIR_EINVAL before the origin",
	      fair_profile_reserve(p, -1, 1, 1));
	FAULT("fair_profile_reserve: -FAIR_EINVAL no walltime",
	      fair_profile_reserve(p, 0, 0, 1));
	FAULT("fair_profile_reserve: -FAIR_EINVAL no processor",
	      fair_profile_reserve(p, 0, 1, 0));
	FAULT("fair_profile_reserve: -FAIR_EOVERFLOW begins too late",
	      fair_profile_reserve(p, end + 1, 1, 1));
	FAULT("fair_profile_reserve: -FAIR_EOVERFLOW ends too late",
	      fair_profile_reserve(p, end, 1, 1));
	FAULT("fair_profile_reserve: -FAIR_ERANGE more than are free",
	      fair_profile_reserve(p, 0, 11, 7));
	FAULT("fair_profile_release: -FAIR_EINVAL before the origin",
	      fair_profile_release(p, -1, 1, 1));
	FAULT("fair_profile_release: -FAIR_EINVAL no walltime",
	      fair_profile_release(p, 10, 0, 1));
	FAULT("fair_profile_release: -FAIR_EINVAL no processor",
	      fair_profile_release(p, 10, 1, 0));
	FAULT("fair_profile_release: -FAIR_EOVERFLOW begins too late",
	      fair_profile_release(p, end + 1, 1, 1));
	FAULT("fair_profile_release: -FAIR_EOVERFLOW ends too late",
	      fair_profile_release(p, end, 1, 1));
	FAULT("fair_profile_release: -FAIR_ERANGE more than are taken",
	      fair_profile_release(p, 10, 10, 5));
	FAULT("fair_profile_move: -FAIR_EINVAL before the origin",
	      fair_profile_move(p, 10, -1, 10, 4, &most));
	FAULT("fair_profile_move: -FAIR_EINVAL no walltime",
	      fair_profile_move(p, 10, 0, 0, 4, &most));
	FAULT("fair_profile_move: -FAIR_EINVAL no processor",
	      fair_profile_move(p, 10, 0, 10, 0, &most));
	FAULT("fair_profile_move: -FAIR_EINVAL not earlier",
	      fair_profile_move(p, 10, 10, 10, 4, &most));
	FAULT("fair_profile_move: -FAIR_EOVERFLOW holds no such place",
	      fair_profile_move(p, end, 10, 1, 1, &most));
	FAULT("fair_profile_move: -FAIR_ERANGE holds less there",
	      fair_profile_move(p, 10, 0, 10, 5, &most));
	FAULT("fair_profile_move: -FAIR_ERANGE more than are free",
	      fair_profile_move(p, 10, 0, 10, 4, &most));
	FAULT("fair_profile_change_capacity: -FAIR_EINVAL before the origin",
	      fair_profile_change_capacity(p, -1, 1, 1));
	FAULT("fair_profile_change_capacity: -FAIR_EINVAL empty",
	      fair_profile_change_capacity(p, 5, 5, 1));
	FAULT("fair_profile_change_capacity: -FAIR_EOVERFLOW begins too late",
	      fair_profile_change_capacity(p, end + 1, FAIR_FOREVER, 1));
	FAULT("fair_profile_change_capacity: -FAIR_EOVERFLOW ends too late",
	      fair_profile_change_capacity(p, 0, end + 1, 1));
	FAULT("fair_profile_change_capacity: -FAIR_ERANGE more than are free",
	      fair_profile_change_capacity(p, 0, 11, -7));
	FAULT("fair_profile_change_capacity: -FAIR_ERANGE too many",
	      fair_profile_change_capacity(p, 0, 11, INT32_MAX - 9));
	FAULT("fair_profile_advance: -FAIR_EINVAL back",
	      fair_profile_advance(p, -1));
	FAULT("fair_profile_advance: -FAIR_EOVERFLOW an origin too late",
	      fair_profile_advance(p, INT64_MAX - (INT64_C(1) << 38) + 1));
	TEST_EQ(most, -1);
}

/* Where nothing else fits, and nothing moves into what is taken. */
static void profile_full(struct fair_profile *p)
{
	int32_t most = -1;
	int64_t t;

	for (t = 30; fair_profile_steps(p) + 1 < p->cap; t += 10)
		TEST_EQ(fair_profile_reserve(p, t, 5, 10), 0);
	if (fair_profile_steps(p) < p->cap)
		TEST_EQ(fair_profile_reserve(p, t - 5, 1, 1), 0);
	forget();
	keep(p, sizeof(*p));
	keep(rooms[0].all, rooms[0].bytes + FENCE);
	FAULT("fair_profile_reserve: -FAIR_ENOSPC one more step",
	      fair_profile_reserve(p, 20, 5, 1));
	FAULT("fair_profile_release: -FAIR_ENOSPC a part of it",
	      fair_profile_release(p, 12, 2, 4));
	FAULT("fair_profile_change_capacity: -FAIR_ENOSPC a window",
	      fair_profile_change_capacity(p, 21, 22, -1));
	FAULT("fair_profile_move: -FAIR_ENOSPC a part of it",
	      fair_profile_move(p, 12, 5, 3, 4, &most));
	TEST_EQ(most, -1);
}

static void profile(void)
{
	size_t one = fair_profile_size(1), bytes = fair_profile_size(300);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_profile p, copy;

	memset(&p, FILL, sizeof(p));
	memset(&copy, FILL, sizeof(copy));
	profile_init(&p, one, memory, bytes);
	TEST_EQ(fair_profile_init(&p, sizeof(p), other, one, 10, 0), 0);
	TEST_EQ(fair_profile_init(&p, sizeof(p), memory, bytes, 10, 0), 0);
	TEST_CHECK(p.cap >= 300);
	TEST_EQ(fair_profile_reserve(&p, 0, 5, 9), 0);
	TEST_EQ(fair_profile_reserve(&p, 10, 10, 4), 0);
	keep(&p, sizeof(p));
	keep(memory, bytes);
	keep(&out, sizeof(out));
	profile_queries(&p);
	profile_changes(&p);
	keep(&copy, sizeof(copy));
	FAULT("fair_profile_clone: -FAIR_EINVAL no memory",
	      fair_profile_clone(&copy, NULL, bytes, &p));
	FAULT("fair_profile_clone: -FAIR_ENOMEM no room for one step",
	      fair_profile_clone(&copy, other, one - 1, &p));
	profile_full(&p);
	FAULT("fair_profile_clone: -FAIR_ENOMEM no room for its steps",
	      fair_profile_clone(&copy, other, one, &p));
	TEST_EQ(fair_profile_clone(&copy, other, bytes, &p), 0);
	TEST_EQ(fair_profile_check(&p), 0);
	leave();
}

/* ---- usage.h ---- */

static void usage_init(struct fair_usage *u, void *memory, size_t bytes)
{
	const uint64_t one = FAIR_USAGE_ONE;
	size_t n = sizeof(*u);

	keep(u, n);
	keep(memory, bytes);
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL no ledger",
	      fair_usage_init_half_life(NULL, n, memory, bytes, 2, 2, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL a struct of another size",
	      fair_usage_init_half_life(u, n + 1, memory, bytes, 2, 2, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL no memory",
	      fair_usage_init_half_life(u, n, NULL, bytes, 2, 2, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL no entity",
	      fair_usage_init_half_life(u, n, memory, bytes, 0, 2, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL no source",
	      fair_usage_init_half_life(u, n, memory, bytes, 2, 0, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL too many sources",
	      fair_usage_init_half_life(u, n, memory, bytes, 2,
					FAIR_USAGE_SOURCES + 1, 7, 10));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL a half-life of 0",
	      fair_usage_init_half_life(u, n, memory, bytes, 2, 2, 7, 0));
	FAULT("fair_usage_init_half_life: -FAIR_EINVAL too long a half-life",
	      fair_usage_init_half_life(u, n, memory, bytes, 2, 2, 7,
					FAIR_USAGE_HALF_LIFE + 1));
	FAULT("fair_usage_init_half_life: -FAIR_ENOMEM one byte less",
	      fair_usage_init_half_life(u, n, memory,
					fair_usage_size(2, 0, 2) - 1, 2, 2, 7,
					10));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL no ledger",
	      fair_usage_init_windows(NULL, n, memory, bytes, 2, 2, 7, 3, 10,
				      one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL a struct of another size",
	      fair_usage_init_windows(u, n + 1, memory, bytes, 2, 2, 7, 3, 10,
				      one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL no memory",
	      fair_usage_init_windows(u, n, NULL, bytes, 2, 2, 7, 3, 10, one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL everybody",
	      fair_usage_init_windows(u, n, memory, bytes, FAIR_USAGE_ALL, 2, 7,
				      3, 10, one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL no source",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 0, 7, 3, 10,
				      one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL no window",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7, 0, 10,
				      one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL too many windows",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7,
				      FAIR_USAGE_DEPTH + 1, 10, one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL windows of no time",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7, 3, 0, one));
	FAULT("fair_usage_init_windows: -FAIR_EINVAL weights grow",
	      fair_usage_init_windows(u, n, memory, bytes, 2, 2, 7, 3, 10,
				      one + 1));
	FAULT("fair_usage_init_windows: -FAIR_ENOMEM one byte less",
	      fair_usage_init_windows(u, n, memory, bytes - 1, 2, 2, 7, 3, 10,
				      one));
	forget();
}

/* Entities 0 and 1; until 20; 0 holds 6, and 1 2^58. */
static void usage_charges(struct fair_usage *u)
{
	FAULT("fair_usage_charge: -FAIR_EINVAL no such entity",
	      fair_usage_charge(u, 2, 0, 1, 1));
	FAULT("fair_usage_charge: -FAIR_EINVAL before 0",
	      fair_usage_charge(u, 0, -1, 1, 1));
	FAULT("fair_usage_charge: -FAIR_EINVAL ends before it begins",
	      fair_usage_charge(u, 0, 1, 0, 1));
	FAULT("fair_usage_charge: -FAIR_EINVAL a rate below 0",
	      fair_usage_charge(u, 0, 0, 1, -1));
	FAULT("fair_usage_charge: -FAIR_EOVERFLOW more than can be counted",
	      fair_usage_charge(u, 0, 0, 30, INT64_MAX));
	FAULT("fair_usage_charge: -FAIR_EOVERFLOW more than a ledger holds",
	      fair_usage_charge(u, 0, 20, 21, INT64_C(1) << 60));
	FAULT("fair_usage_hold: -FAIR_EINVAL no such entity",
	      fair_usage_hold(u, 2, 1, 1));
	FAULT("fair_usage_hold: -FAIR_EINVAL a rate below 0",
	      fair_usage_hold(u, 0, -1, 1));
	FAULT("fair_usage_hold: -FAIR_EINVAL a walltime below 0",
	      fair_usage_hold(u, 0, 1, -1));
	FAULT("fair_usage_hold: -FAIR_EOVERFLOW more than can be counted",
	      fair_usage_hold(u, 0, INT64_MAX, INT64_MAX));
	FAULT("fair_usage_hold: -FAIR_EOVERFLOW more than a ledger holds",
	      fair_usage_hold(u, 0, 1, (INT64_C(1) << 59) - 5));
	FAULT("fair_usage_release: -FAIR_EINVAL no such entity",
	      fair_usage_release(u, 2, 1, 1));
	FAULT("fair_usage_release: -FAIR_EINVAL a rate below 0",
	      fair_usage_release(u, 0, -1, 1));
	FAULT("fair_usage_release: -FAIR_EINVAL a walltime below 0",
	      fair_usage_release(u, 0, 1, -1));
	FAULT("fair_usage_release: -FAIR_ERANGE more than is held",
	      fair_usage_release(u, 0, 1, 7));
	FAULT("fair_usage_release: -FAIR_ERANGE more than can be counted",
	      fair_usage_release(u, 0, INT64_MAX, INT64_MAX));
	FAULT("fair_usage_settle: -FAIR_EINVAL no such entity",
	      fair_usage_settle(u, 2, 1, 1, 0, 1));
	FAULT("fair_usage_settle: -FAIR_EINVAL a rate below 0",
	      fair_usage_settle(u, 0, -1, 1, 0, 1));
	FAULT("fair_usage_settle: -FAIR_EINVAL a walltime below 0",
	      fair_usage_settle(u, 0, 1, -1, 0, 1));
	FAULT("fair_usage_settle: -FAIR_EINVAL ends before it begins",
	      fair_usage_settle(u, 0, 1, 1, 1, 0));
	FAULT("fair_usage_settle: -FAIR_ERANGE more than is held",
	      fair_usage_settle(u, 0, 1, 7, 0, 1));
	FAULT("fair_usage_settle: -FAIR_ERANGE more than can be counted",
	      fair_usage_settle(u, 0, INT64_MAX, INT64_MAX, 0, 1));
	FAULT("fair_usage_settle: -FAIR_EOVERFLOW it ran for too long",
	      fair_usage_settle(u, 1, INT64_C(1) << 58, 1, 0, 30));
}

static void usage_readings(const struct fair_usage *u)
{
	struct fair_usage_target t;

	memset(&t, FILL, sizeof(t));
	keep(&t, sizeof(t));
	FAULT("fair_usage_at: -FAIR_EINVAL no such entity",
	      fair_usage_at(u, 2, 20, &out.c, &out.d));
	FAULT("fair_usage_at: -FAIR_EINVAL before the latest charge",
	      fair_usage_at(u, 0, 19, &out.c, &out.d));
	FAULT("fair_usage_share: -FAIR_EINVAL no such entity",
	      fair_usage_share(u, 2, 20, &out.a));
	FAULT("fair_usage_share: -FAIR_EINVAL before the latest charge",
	      fair_usage_share(u, 0, 19, &out.a));
	FAULT("fair_usage_parse_target: -FAIR_EINVAL no number",
	      fair_usage_parse_target("", &t));
	FAULT("fair_usage_parse_target: -FAIR_EINVAL above 100",
	      fair_usage_parse_target("100.1", &t));
	FAULT("fair_usage_parse_target: -FAIR_EINVAL 10 digits",
	      fair_usage_parse_target("1.0000000000", &t));
	FAULT("fair_usage_parse_target: -FAIR_EINVAL no such kind",
	      fair_usage_parse_target("10%", &t));
	FAULT("fair_usage_parse_target: -FAIR_EINVAL more behind it",
	      fair_usage_parse_target("10+ ", &t));
	free(kept[--keeps].copy);	/* of this frame */
}

/* @o is another server's, with room for itself alone. */
static void usage_merges(struct fair_usage *u, struct fair_usage *o,
			 void *memory, size_t bytes)
{
	static const struct {
		uint32_t entities, depth;
		int64_t interval;
		uint64_t decay;
	} other[] = { { 1, 3, 10, 5 }, { 2, 2, 10, 5 }, { 2, 3, 9, 5 },
		      { 2, 3, 10, 4 }, { 2, 3, 10, 5 } };
	size_t i, n = sizeof(*o);

	for (i = 0; i < 5; i++) {
		TEST_EQ(fair_usage_init_windows(
				o, n, memory, bytes, other[i].entities, 1,
				i < 4 ? 8 : 7, other[i].depth,
				other[i].interval, other[i].decay),
			0);
		TEST_EQ(fair_usage_charge(o, 0, 0, 20, 2), 0);
		TEST_EQ(fair_usage_hold(o, 0, 2, 3), 0);
		TEST_EQ(fair_usage_hold(o, 0, 2, 3), 0);
		if (i < 4)
			FAULT("fair_usage_merge: -FAIR_EINVAL another rule",
			      fair_usage_merge(u, o));
		else
			FAULT("fair_usage_merge: -FAIR_EINVAL of one number",
			      fair_usage_merge(u, o));
	}
	TEST_EQ(fair_usage_init_windows(o, n, memory, bytes, 2, 1, 8, 3, 10, 5),
		0);
	keep(o, n);
	FAULT("fair_usage_merge: -FAIR_ENOSPC one source too many",
	      fair_usage_merge(o, u));
	free(kept[--keeps].copy);
}

static void usage_images(const struct fair_usage *u, void *memory)
{
	size_t bytes = fair_usage_image_size(u), n = sizeof(*u), i;
	static const struct {
		size_t at;
		int damage;
	} broken[] = { { 0, FAIR_USAGE_FOREIGN },
		       { 8, FAIR_USAGE_FORMAT },
		       { 16, FAIR_USAGE_CUT },
		       { 56, FAIR_USAGE_BROKEN },
		       { 100, FAIR_USAGE_CHECKSUM } };
	unsigned char *image = (unsigned char *)room(bytes);
	struct fair_usage loaded;
	int damage = 0;

	keep(image, bytes);
	FAULT("fair_usage_save: -FAIR_ENOSPC one byte less",
	      fair_usage_save(u, image, bytes - 1));
	free(kept[--keeps].copy);
	TEST_EQ(fair_usage_save(u, image, bytes), 0);
	memset(&loaded, FILL, n);
	keep(&loaded, n);
	FAULT("fair_usage_load: -FAIR_EINVAL a struct of another size",
	      fair_usage_load(&loaded, n + 1, memory,
			      fair_usage_load_size(image, bytes), image, bytes,
			      NULL));
	FAULT("fair_usage_load: -FAIR_ENOMEM one byte less",
	      fair_usage_load(&loaded, n, memory,
			      fair_usage_load_size(image, bytes) - 1, image,
			      bytes, &damage));
	TEST_EQ(damage, 0);
	for (i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		image[broken[i].at] ^= 1;
		image[56] ^= broken[i].at == 56 ? 8 : 0;
		FAULT("fair_usage_load: -FAIR_EINVAL a damaged image",
		      fair_usage_load(&loaded, n, memory,
				      fair_usage_size(2, 3, 2), image, bytes,
				      &damage));
		TEST_EQ(damage, broken[i].damage);
		image[56] ^= broken[i].at == 56 ? 8 : 0;
		image[broken[i].at] ^= 1;
	}
	free(kept[--keeps].copy);
	TEST_EQ(fair_usage_load(&loaded, n, memory,
				fair_usage_load_size(image, bytes), image,
				bytes, &damage),
		0);
	TEST_EQ(fair_usage_check(&loaded), 0);
}

static void usage(void)
{
	size_t bytes = fair_usage_size(2, 3, 2);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_usage u, copy;
	int windows;

	memset(&u, FILL, sizeof(u));
	usage_init(&u, memory, bytes);
	for (windows = 0; windows < 2; windows++) {
		bytes = fair_usage_size(2, windows ? 3 : 0, 2);
		TEST_EQ(windows ? fair_usage_init_windows(&u, sizeof(u), memory,
							  bytes, 2, 2, 7, 3, 10,
							  5)
				: fair_usage_init_half_life(&u, sizeof(u),
							    memory, bytes, 2, 2,
							    7, 10),
			0);
		TEST_EQ(fair_usage_charge(&u, 0, 0, 20, 1), 0);
		TEST_EQ(fair_usage_hold(&u, 0, 2, 3), 0);
		TEST_EQ(fair_usage_hold(&u, 1, INT64_C(1) << 58, 1), 0);
		memset(&copy, FILL, sizeof(copy));
		keep(&u, sizeof(u));
		keep(memory, bytes);
		keep(&out, sizeof(out));
		usage_charges(&u);
		usage_readings(&u);
		keep(&copy, sizeof(copy));
		FAULT("fair_usage_clone: -FAIR_ENOMEM one byte less",
		      fair_usage_clone(&copy, other, bytes - 1, &u));
		free(kept[--keeps].copy);
		TEST_EQ(fair_usage_clone(&copy, other, bytes, &u), 0);
		TEST_EQ(fair_usage_check(&copy), 0);
		if (windows) {
			usage_merges(&u, &copy, other, bytes);
			usage_images(&u, other);
		}
		forget();
	}
	leave();
}

/* ---- queue.h ---- */

static void queue(void)
{
	enum { JOBS = 3 };
	size_t bytes = fair_queue_size(JOBS), n = sizeof(struct fair_queue);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_queued job[JOBS + 2];
	struct fair_queue q, copy;
	uint32_t i;

	memset(job, 0, sizeof(job));
	for (i = 0; i < JOBS + 2; i++) {
		job[i].rank.number = i;
		job[i].walltime = job[i].procs = 1;
	}
	memset(&q, FILL, n);
	memset(&copy, FILL, n);
	keep(&q, n);
	keep(memory, bytes);
	FAULT("fair_queue_init: -FAIR_EINVAL no queue",
	      fair_queue_init(NULL, n, memory, bytes, JOBS, job, 32));
	FAULT("fair_queue_init: -FAIR_EINVAL a struct of another size",
	      fair_queue_init(&q, n + 1, memory, bytes, JOBS, job, 32));
	FAULT("fair_queue_init: -FAIR_EINVAL no memory",
	      fair_queue_init(&q, n, NULL, bytes, JOBS, job, 32));
	FAULT("fair_queue_init: -FAIR_EINVAL no array",
	      fair_queue_init(&q, n, memory, bytes, JOBS, NULL, 32));
	FAULT("fair_queue_init: -FAIR_EINVAL elements too small",
	      fair_queue_init(&q, n, memory, bytes, JOBS, job, 31));
	FAULT("fair_queue_init: -FAIR_ENOMEM one byte less",
	      fair_queue_init(&q, n, memory, bytes - 1, JOBS, job, 32));
	forget();
	TEST_EQ(fair_queue_init(&q, n, memory, bytes, JOBS, job, 32), 0);
	TEST_EQ(fair_queue_insert(&q, 0), 0);
	TEST_EQ(fair_queue_insert(&q, 1), 0);
	job[3] = job[1];
	keep(&q, n);
	keep(memory, bytes);
	FAULT("fair_queue_insert: -FAIR_EINVAL queued",
	      fair_queue_insert(&q, 1));
	FAULT("fair_queue_insert: -FAIR_EINVAL its rank is taken",
	      fair_queue_insert(&q, 3));
	FAULT("fair_queue_remove: -FAIR_EINVAL not queued",
	      fair_queue_remove(&q, 2));
	FAULT("fair_queue_remove: -FAIR_EINVAL another has its rank",
	      fair_queue_remove(&q, 3));
	FAULT("fair_queue_widen: -FAIR_EINVAL not queued",
	      fair_queue_widen(&q, 2));
	FAULT("fair_queue_widen: -FAIR_EINVAL another has its rank",
	      fair_queue_widen(&q, 3));
	FAULT("fair_queue_rekey: -FAIR_EINVAL not queued",
	      fair_queue_rekey(&q, 2));
	FAULT("fair_queue_rekey: -FAIR_EINVAL another has its rank",
	      fair_queue_rekey(&q, 3));
	forget();
	TEST_EQ(fair_queue_insert(&q, 2), 0);
	TEST_EQ(fair_queue_init(&copy, n, other, fair_queue_size(JOBS - 1),
				JOBS - 1, job, 32),
		0);
	keep(&q, n);
	keep(memory, bytes);
	keep(&copy, n);
	keep(other, bytes);
	FAULT("fair_queue_insert: -FAIR_ENOSPC one too many",
	      fair_queue_insert(&q, 4));
	FAULT("fair_queue_clone: -FAIR_ENOSPC fewer jobs",
	      fair_queue_clone(&copy, &q, NULL));
	FAULT("fair_queue_clone: -FAIR_ENOSPC not empty",
	      fair_queue_clone(&q, &q, NULL));
	TEST_EQ(fair_queue_check(&q), 0);
	leave();
}

/* ---- priority.h: functions without state ---- */

static void priority(void)
{
	struct fair_priority_config c = fair_priority_defaults(), bad = c;
	struct fair_priority_amounts machine = { 1, 8, 100, 100, 100 };
	struct fair_priority_amounts none = machine, asks = { 1, 1, 1, 1, 1 };
	struct fair_priority_job job, wrong;
	struct fair_priority_parts parts;
	size_t i;

	memset(&parts, FILL, sizeof(parts));
	memset(&job, 0, sizeof(job));
	job.walltime = 1;
	keep(&parts, sizeof(parts));
	keep(&out, sizeof(out));
	FAULT("fair_priority: -FAIR_EINVAL no config",
	      fair_priority(NULL, &job, &parts));
	FAULT("fair_priority: -FAIR_EINVAL no job",
	      fair_priority(&c, NULL, &parts));
	FAULT("fair_priority: -FAIR_EINVAL nowhere to write",
	      fair_priority(&c, &job, NULL));
	bad.component_cap[FAIR_PRIORITY_COMPONENTS - 1] = -1;
	FAULT("fair_priority: -FAIR_EINVAL a component's cap below 0",
	      fair_priority(&bad, &job, &parts));
	bad = c;
	bad.cap[FAIR_PRIORITY_PARTS - 1] = -1;
	FAULT("fair_priority: -FAIR_EINVAL a part's cap below 0",
	      fair_priority(&bad, &job, &parts));
	for (i = 0; i < 12; i++) {
		wrong = job;
		*(int64_t *[]){ &wrong.wait, &wrong.walltime, &wrong.walltime,
				&wrong.pe, &wrong.bypassed,
				&wrong.xfactor_target, &wrong.queue_time_target,
				&wrong.request.nodes, &wrong.request.procs,
				&wrong.request.memory, &wrong.request.swap,
				&wrong.request.disk }[i] =
			i == 1	? 0
			: i == 2 ? FAIR_PRIORITY_MOST + 1
			: i < 7	 ? -1
				 : FAIR_PRIORITY_MOST + 1;
		FAULT("fair_priority: -FAIR_EINVAL a number out of its range",
		      fair_priority(&c, &wrong, &parts));
	}
	FAULT("fair_priority_pe: -FAIR_EINVAL no request",
	      fair_priority_pe(NULL, &machine, &out.a));
	FAULT("fair_priority_pe: -FAIR_EINVAL no machine",
	      fair_priority_pe(&asks, NULL, &out.a));
	FAULT("fair_priority_pe: -FAIR_EINVAL nowhere to write",
	      fair_priority_pe(&asks, &machine, NULL));
	none.procs = 0;
	FAULT("fair_priority_pe: -FAIR_EINVAL a machine without processors",
	      fair_priority_pe(&asks, &none, &out.a));
	none.procs = (int64_t)INT32_MAX + 1;
	FAULT("fair_priority_pe: -FAIR_EINVAL a machine of too many processors",
	      fair_priority_pe(&asks, &none, &out.a));
	none = machine;
	none.disk = -1;
	FAULT("fair_priority_pe: -FAIR_EINVAL a machine with less than nothing",
	      fair_priority_pe(&asks, &none, &out.a));
	asks.swap = FAIR_PRIORITY_MOST + 1;
	FAULT("fair_priority_pe: -FAIR_EINVAL a request for too much",
	      fair_priority_pe(&asks, &machine, &out.a));
	leave();
}

/* ---- sfs.h ---- */

static void sfs_targets(void)
{
	struct fair_sfs_allocation a = { 100, 10, 1, 1 }, bad = a;

	FAULT("fair_sfs_ideal: -FAIR_EINVAL no allocation",
	      fair_sfs_ideal(NULL, &out.a));
	FAULT("fair_sfs_ideal: -FAIR_EINVAL nowhere to write",
	      fair_sfs_ideal(&a, NULL));
	FAULT("fair_sfs_target: -FAIR_EINVAL no allocation",
	      fair_sfs_target(NULL, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL nowhere to write",
	      fair_sfs_target(&a, NULL));
	bad.award = -1;
	FAULT("fair_sfs_ideal: -FAIR_EINVAL an award below 0",
	      fair_sfs_ideal(&bad, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL an award below 0",
	      fair_sfs_target(&bad, &out.a));
	bad = a;
	bad.period = 0;
	FAULT("fair_sfs_ideal: -FAIR_EINVAL no period",
	      fair_sfs_ideal(&bad, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL no period",
	      fair_sfs_target(&bad, &out.a));
	bad = a;
	bad.factor = -1;
	FAULT("fair_sfs_ideal: -FAIR_EINVAL a factor below 0",
	      fair_sfs_ideal(&bad, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL a factor below 0",
	      fair_sfs_target(&bad, &out.a));
	bad = a;
	bad.unit = 0;
	FAULT("fair_sfs_ideal: -FAIR_EINVAL a factor without unit",
	      fair_sfs_ideal(&bad, &out.a));
	FAULT("fair_sfs_target: -FAIR_EINVAL a factor without unit",
	      fair_sfs_target(&bad, &out.a));
	bad = a;
	bad.award = INT64_MAX;
	FAULT("fair_sfs_ideal: -FAIR_EOVERFLOW too many processors",
	      fair_sfs_ideal(&bad, &out.a));
	bad.award = bad.period * ((int64_t)INT32_MAX + 1);
	FAULT("fair_sfs_target: -FAIR_EOVERFLOW above INT32_MAX",
	      fair_sfs_target(&bad, &out.a));
}

/* Answers as it is told. */
static int answers(void *context, size_t job, int32_t procs, bool may_reserve)
{
	(void)job;
	(void)procs;
	(void)may_reserve;
	return *(const int *)context;
}

/* Account 0 has 6 processors in use. */
static void sfs_plans(struct fair_sfs *s)
{
	struct fair_sfs_job job = { 0, 1, 77, 77 }, bad = job;
	int answer = FAIR_SFS_RESERVED + 1;

	FAULT("fair_sfs_plan: -FAIR_EINVAL no accounts",
	      fair_sfs_plan(NULL, &job, 1, 1, answers, &answer));
	FAULT("fair_sfs_plan: -FAIR_EINVAL no queue",
	      fair_sfs_plan(s, NULL, 1, 1, answers, &answer));
	FAULT("fair_sfs_plan: -FAIR_EINVAL nobody looks",
	      fair_sfs_plan(s, &job, 1, 1, NULL, &answer));
	bad.account = 2;
	FAULT("fair_sfs_plan: -FAIR_EINVAL no such account",
	      fair_sfs_plan(s, &bad, 1, 1, answers, &answer));
	bad = job;
	bad.procs = 0;
	FAULT("fair_sfs_plan: -FAIR_EINVAL no processor",
	      fair_sfs_plan(s, &bad, 1, 1, answers, &answer));
	TEST_CHECK(bad.answer == 77 && job.answer == 77);
	FAULT("fair_sfs_plan: -FAIR_EINVAL no such answer",
	      fair_sfs_plan(s, &job, 1, 1, answers, &answer));
	answer = FAIR_SFS_RESERVED;
	FAULT("fair_sfs_plan: -FAIR_EINVAL no reservation is left",
	      fair_sfs_plan(s, &job, 1, 0, answers, &answer));
	answer = -FAIR_EOVERFLOW;
	FAULT("fair_sfs_plan: -FAIR_EOVERFLOW an error of the look",
	      fair_sfs_plan(s, &job, 1, 1, answers, &answer));
}

static void sfs(void)
{
	size_t bytes = fair_sfs_size(2), n = sizeof(struct fair_sfs);
	void *memory = room(bytes), *other = room(bytes);
	struct fair_sfs_job job = { 0, 7, 77, 77 };
	struct fair_sfs s, copy;
	int starts = FAIR_SFS_STARTED;

	memset(&s, FILL, n);
	memset(&copy, FILL, n);
	keep(&s, n);
	keep(memory, bytes);
	FAULT("fair_sfs_init: -FAIR_EINVAL no accounts",
	      fair_sfs_init(NULL, n, memory, bytes, 2));
	FAULT("fair_sfs_init: -FAIR_EINVAL a struct of another size",
	      fair_sfs_init(&s, n + 1, memory, bytes, 2));
	FAULT("fair_sfs_init: -FAIR_EINVAL no memory",
	      fair_sfs_init(&s, n, NULL, bytes, 2));
	FAULT("fair_sfs_init: -FAIR_ENOMEM one byte less",
	      fair_sfs_init(&s, n, memory, bytes - 1, 2));
	forget();
	TEST_EQ(fair_sfs_init(&s, n, memory, bytes, 2), 0);
	TEST_EQ(fair_sfs_start(&s, 0, 6), 0);
	keep(&s, n);
	keep(memory, bytes);
	keep(&out, sizeof(out));
	keep(&copy, n);
	sfs_targets();
	sfs_plans(&s);
	FAULT("fair_sfs_set_target: -FAIR_EINVAL no accounts",
	      fair_sfs_set_target(NULL, 0, 1));
	FAULT("fair_sfs_set_target: -FAIR_EINVAL no such account",
	      fair_sfs_set_target(&s, 2, 1));
	FAULT("fair_sfs_set_target: -FAIR_EINVAL below 0",
	      fair_sfs_set_target(&s, 0, -1));
	FAULT("fair_sfs_set_target: -FAIR_EINVAL above INT32_MAX",
	      fair_sfs_set_target(&s, 0, (int64_t)INT32_MAX + 1));
	FAULT("fair_sfs_start: -FAIR_EINVAL no accounts",
	      fair_sfs_start(NULL, 0, 1));
	FAULT("fair_sfs_start: -FAIR_EINVAL no such account",
	      fair_sfs_start(&s, 2, 1));
	FAULT("fair_sfs_start: -FAIR_EINVAL no processor",
	      fair_sfs_start(&s, 0, 0));
	FAULT("fair_sfs_finish: -FAIR_EINVAL no accounts",
	      fair_sfs_finish(NULL, 0, 1));
	FAULT("fair_sfs_finish: -FAIR_EINVAL no such account",
	      fair_sfs_finish(&s, 2, 1));
	FAULT("fair_sfs_finish: -FAIR_EINVAL no processor",
	      fair_sfs_finish(&s, 0, 0));
	FAULT("fair_sfs_finish: -FAIR_ERANGE fewer run",
	      fair_sfs_finish(&s, 0, 7));
	FAULT("fair_sfs_occupancy: -FAIR_EINVAL no accounts",
	      fair_sfs_occupancy(NULL, 0, &out.a, &out.b));
	FAULT("fair_sfs_occupancy: -FAIR_EINVAL no such account",
	      fair_sfs_occupancy(&s, 2, &out.a, &out.b));
	FAULT("fair_sfs_occupancy: -FAIR_EINVAL nowhere to write it",
	      fair_sfs_occupancy(&s, 0, NULL, &out.b));
	FAULT("fair_sfs_occupancy: -FAIR_EINVAL nowhere to write its target",
	      fair_sfs_occupancy(&s, 0, &out.a, NULL));
	FAULT("fair_sfs_clone: -FAIR_EINVAL no accounts",
	      fair_sfs_clone(&copy, other, bytes, NULL));
	FAULT("fair_sfs_clone: -FAIR_EINVAL no memory",
	      fair_sfs_clone(&copy, NULL, bytes, &s));
	FAULT("fair_sfs_clone: -FAIR_EINVAL no copy",
	      fair_sfs_clone(NULL, other, bytes, &s));
	FAULT("fair_sfs_clone: -FAIR_ENOMEM one byte less",
	      fair_sfs_clone(&copy, other, bytes - 1, &s));
	forget();
	TEST_EQ(fair_sfs_clone(&copy, other, bytes, &s), 0);
	s.busy = s.account[0].occupancy = INT64_MAX - 6;
	keep(&s, n);
	keep(memory, bytes);
	keep(&job, sizeof(job));
	FAULT("fair_sfs_start: -FAIR_EOVERFLOW one too many",
	      fair_sfs_start(&s, 1, 7));
	FAULT("fair_sfs_plan: -FAIR_EOVERFLOW one too many",
	      fair_sfs_plan(&s, &job, 1, 1, answers, &starts));
	leave();
}

/* ---- fairness.h ---- */

static void fairness_means(void)
{
	const struct fair_fairness_amount most = { INT64_C(1) << 62, 0 };
	const struct fair_fairness_amount half = { INT64_C(1) << 61, 0 };
	struct fair_fairness_mean m = { { 0, 0 }, 0 }, many = m;
	struct fair_fairness_amount mean = { -1, 1 };

	keep(&mean, sizeof(mean));
	FAULT("fair_fairness_mean_at: -FAIR_EINVAL no mean",
	      fair_fairness_mean_at(NULL, &mean));
	FAULT("fair_fairness_mean_at: -FAIR_EINVAL nowhere to write",
	      fair_fairness_mean_at(&m, NULL));
	FAULT("fair_fairness_mean_at: -FAIR_ERANGE nothing was added",
	      fair_fairness_mean_at(&m, &mean));
	TEST_EQ(fair_fairness_mean_add(&m, half), 0);
	keep(&m, sizeof(m));
	FAULT("fair_fairness_mean_add: -FAIR_EINVAL no mean",
	      fair_fairness_mean_add(NULL, half));
	FAULT("fair_fairness_mean_add: -FAIR_EOVERFLOW too much",
	      fair_fairness_mean_add(&m, most));
	FAULT("fair_fairness_mean_add: -FAIR_EOVERFLOW the sum",
	      fair_fairness_mean_add(&m, half));
	FAULT("fair_fairness_mean_late: -FAIR_EINVAL no mean",
	      fair_fairness_mean_late(NULL, 1, 0));
	FAULT("fair_fairness_mean_late: -FAIR_EINVAL no mean, and too late",
	      fair_fairness_mean_late(NULL, INT64_MAX, 0));
	FAULT("fair_fairness_mean_late: -FAIR_EOVERFLOW too late",
	      fair_fairness_mean_late(&m, INT64_MAX, INT64_MIN));
	FAULT("fair_fairness_mean_late: -FAIR_EOVERFLOW the sum",
	      fair_fairness_mean_late(&m, INT64_C(1) << 61, 0));
	FAULT("fair_fairness_mean_merge: -FAIR_EINVAL no mean",
	      fair_fairness_mean_merge(NULL, &m));
	FAULT("fair_fairness_mean_merge: -FAIR_EINVAL no other",
	      fair_fairness_mean_merge(&m, NULL));
	FAULT("fair_fairness_mean_merge: -FAIR_EOVERFLOW the sum",
	      fair_fairness_mean_merge(&m, &m));
	many.n = (UINT64_C(1) << 48) - 1;
	FAULT("fair_fairness_mean_merge: -FAIR_EOVERFLOW too many",
	      fair_fairness_mean_merge(&m, &many));
	forget();
}

/* Until 5; one waits, one runs on 3 processors, one is gone. */
static void fairness_jobs(struct fair_fairness *f, void *memory, size_t bytes)
{
	const int64_t late = INT64_C(1) << 61;
	struct fair_fairness_job waits, runs, gone, new;
	struct fair_fairness_share share;

	TEST_EQ(fair_fairness_arrive(f, 0, 2, &waits), 0);
	TEST_EQ(fair_fairness_arrive(f, 0, 3, &runs), 0);
	TEST_EQ(fair_fairness_arrive(f, 0, 3, &gone), 0);
	TEST_EQ(fair_fairness_start(f, 0, &runs), 0);
	TEST_EQ(fair_fairness_complete(f, 5, &gone, &share), 0);
	memset(&new, FILL, sizeof(new));
	memset(&share, FILL, sizeof(share));
	keep(f, sizeof(*f));
	keep(memory, bytes);
	keep(&waits, sizeof(waits));
	keep(&runs, sizeof(runs));
	keep(&gone, sizeof(gone));
	keep(&new, sizeof(new));
	keep(&share, sizeof(share));
	FAULT("fair_fairness_arrive: -FAIR_EINVAL nothing",
	      fair_fairness_arrive(NULL, 5, 1, &new));
	FAULT("fair_fairness_arrive: -FAIR_EINVAL no job",
	      fair_fairness_arrive(f, 5, 1, NULL));
	FAULT("fair_fairness_arrive: -FAIR_EINVAL no processor",
	      fair_fairness_arrive(f, 5, 0, &new));
	FAULT("fair_fairness_arrive: -FAIR_EINVAL the clock goes back",
	      fair_fairness_arrive(f, 4, 1, &new));
	FAULT("fair_fairness_arrive: -FAIR_ERANGE wider than the widest",
	      fair_fairness_arrive(f, 5, 5, &new));
	FAULT("fair_fairness_arrive: -FAIR_EOVERFLOW the time in use",
	      fair_fairness_arrive(f, late, 1, &new));
	FAULT("fair_fairness_start: -FAIR_EINVAL nothing",
	      fair_fairness_start(NULL, 5, &waits));
	FAULT("fair_fairness_start: -FAIR_EINVAL no job",
	      fair_fairness_start(f, 5, NULL));
	FAULT("fair_fairness_start: -FAIR_EINVAL it runs",
	      fair_fairness_start(f, 5, &runs));
	FAULT("fair_fairness_start: -FAIR_EINVAL it is gone",
	      fair_fairness_start(f, 5, &gone));
	FAULT("fair_fairness_start: -FAIR_EINVAL the clock goes back",
	      fair_fairness_start(f, 4, &waits));
	FAULT("fair_fairness_start: -FAIR_EOVERFLOW the time in use",
	      fair_fairness_start(f, late, &waits));
	FAULT("fair_fairness_complete: -FAIR_EINVAL nothing",
	      fair_fairness_complete(NULL, 5, &runs, &share));
	FAULT("fair_fairness_complete: -FAIR_EINVAL no job",
	      fair_fairness_complete(f, 5, NULL, &share));
	FAULT("fair_fairness_complete: -FAIR_EINVAL nowhere to write",
	      fair_fairness_complete(f, 5, &runs, NULL));
	FAULT("fair_fairness_complete: -FAIR_EINVAL it is gone",
	      fair_fairness_complete(f, 5, &gone, &share));
	FAULT("fair_fairness_complete: -FAIR_EINVAL the clock goes back",
	      fair_fairness_complete(f, 4, &runs, &share));
	FAULT("fair_fairness_complete: -FAIR_EOVERFLOW the time in use",
	      fair_fairness_complete(f, late, &runs, &share));
	FAULT("fair_fairness_at: -FAIR_EINVAL nothing",
	      fair_fairness_at(NULL, 5, &runs, &share));
	FAULT("fair_fairness_at: -FAIR_EINVAL no job",
	      fair_fairness_at(f, 5, NULL, &share));
	FAULT("fair_fairness_at: -FAIR_EINVAL nowhere to write",
	      fair_fairness_at(f, 5, &runs, NULL));
	FAULT("fair_fairness_at: -FAIR_EINVAL it is gone",
	      fair_fairness_at(f, 5, &gone, &share));
	FAULT("fair_fairness_at: -FAIR_EINVAL the clock goes back",
	      fair_fairness_at(f, 4, &runs, &share));
	FAULT("fair_fairness_at: -FAIR_EOVERFLOW the time in use",
	      fair_fairness_at(f, late, &runs, &share));
	TEST_EQ(fair_fairness_check(f), 0);
	forget();
	f->requested = (INT64_C(1) << 48) - 1;
	keep(f, sizeof(*f));
	FAULT("fair_fairness_arrive: -FAIR_EOVERFLOW processors",
	      fair_fairness_arrive(f, 5, 1, &new));
	forget();
}

static void fairness(void)
{
	size_t bytes = fair_fairness_size(4), n = sizeof(struct fair_fairness);
	void *memory = room(bytes);
	struct fair_fairness f;

	memset(&f, FILL, n);
	keep(&f, n);
	keep(memory, bytes);
	FAULT("fair_fairness_init: -FAIR_EINVAL nothing",
	      fair_fairness_init(NULL, n, memory, bytes, 4, 0));
	FAULT("fair_fairness_init: -FAIR_EINVAL a struct of another size",
	      fair_fairness_init(&f, n + 1, memory, bytes, 4, 0));
	FAULT("fair_fairness_init: -FAIR_EINVAL no memory",
	      fair_fairness_init(&f, n, NULL, bytes, 4, 0));
	FAULT("fair_fairness_init: -FAIR_EINVAL no processor",
	      fair_fairness_init(&f, n, memory, bytes, 0, 0));
	FAULT("fair_fairness_init: -FAIR_ENOMEM one byte less",
	      fair_fairness_init(&f, n, memory, bytes - 1, 4, 0));
	forget();
	TEST_EQ(fair_fairness_init(&f, n, memory, bytes, 4, 0), 0);
	fairness_jobs(&f, memory, bytes);
	fairness_means();
	leave();
}

/* ---- throttle.h ---- */

/* Jobs that are none: @i of them, 0 at the end. */
static bool bad_job(struct fair_throttle_job *j, int i)
{
	static const struct fair_throttle_job good = {
		{ 0, 0, FAIR_THROTTLE_NONE, FAIR_THROTTLE_NONE,
		  FAIR_THROTTLE_NONE },
		0, 3, 1, 10
	};

	*j = good;
	j->id[FAIR_THROTTLE_USER] = i == 1 ? 1 : 0;
	j->procs = i == 2 ? -1 : j->procs;
	j->nodes = i == 3 ? -1 : j->nodes;
	j->memory = i == 4 ? -1 : i == 5 ? FAIR_THROTTLE_MOST + 1 : j->memory;
	return i < 6;
}

static void throttle_bad_jobs(struct fair_throttle *t)
{
	struct fair_throttle_job j;
	int i;

	for (i = 0; bad_job(&j, i); i++) {
		struct fair_throttle_job *bad = i ? &j : NULL;

		FAULT("fair_throttle_test: -FAIR_EINVAL no job, or none such",
		      fair_throttle_test(t, 10, bad, 20, 0, NULL));
		FAULT("fair_throttle_possible: -FAIR_EINVAL no job, or none such",
		      fair_throttle_possible(t, bad, 20, 0, NULL));
		FAULT("fair_throttle_charge: -FAIR_EINVAL no job, or none such",
		      fair_throttle_charge(t, 10, bad, 20));
		FAULT("fair_throttle_discharge: -FAIR_EINVAL no job, or none such",
		      fair_throttle_discharge(t, bad, 20));
		FAULT("fair_throttle_move: -FAIR_EINVAL no job, or none such",
		      fair_throttle_move(t, bad, 20, 30));
	}
}

/* From 10 on; @j of 3 processors until 20 is charged. */
static void throttle_jobs(struct fair_throttle *t,
			  const struct fair_throttle_job *j)
{
	struct fair_throttle_job wide = *j, fat = *j;
	struct fair_throttle_block why;

	memset(&why, FILL, sizeof(why));
	keep(&why, sizeof(why));
	wide.procs = INT32_MAX - 2;
	wide.id[FAIR_THROTTLE_USER] = FAIR_THROTTLE_NONE; /* no limit */
	fat.memory = FAIR_THROTTLE_MOST - 9;
	throttle_bad_jobs(t);
	FAULT("fair_throttle_test: -FAIR_EINVAL nothing",
	      fair_throttle_test(NULL, 10, j, 20, 0, &why));
	FAULT("fair_throttle_test: -FAIR_EINVAL before the origin",
	      fair_throttle_test(t, 9, j, 20, 0, &why));
	FAULT("fair_throttle_test: -FAIR_EINVAL ends as it begins",
	      fair_throttle_test(t, 20, j, 20, 0, &why));
	FAULT("fair_throttle_test: -FAIR_EINVAL no such level",
	      fair_throttle_test(t, 10, j, 20, FAIR_THROTTLE_LEVELS, &why));
	FAULT("fair_throttle_test: -FAIR_EINVAL a level below 0",
	      fair_throttle_test(t, 10, j, 20, -1, &why));
	FAULT("fair_throttle_test: -FAIR_EOVERFLOW memory",
	      fair_throttle_test(t, 10, &fat, 20, 0, &why));
	FAULT("fair_throttle_possible: -FAIR_EINVAL nothing",
	      fair_throttle_possible(NULL, j, 20, 0, &why));
	FAULT("fair_throttle_possible: -FAIR_EINVAL no walltime",
	      fair_throttle_possible(t, j, 0, 0, &why));
	FAULT("fair_throttle_possible: -FAIR_EINVAL no such level",
	      fair_throttle_possible(t, j, 1, FAIR_THROTTLE_LEVELS, &why));
	FAULT("fair_throttle_possible: -FAIR_EINVAL a level below 0",
	      fair_throttle_possible(t, j, 1, -1, &why));
	FAULT("fair_throttle_charge: -FAIR_EINVAL nothing",
	      fair_throttle_charge(NULL, 10, j, 20));
	FAULT("fair_throttle_charge: -FAIR_EINVAL before the origin",
	      fair_throttle_charge(t, 9, j, 20));
	FAULT("fair_throttle_charge: -FAIR_EINVAL ends as it begins",
	      fair_throttle_charge(t, 20, j, 20));
	FAULT("fair_throttle_charge: -FAIR_ERANGE beyond a hard limit",
	      fair_throttle_charge(t, 10, j, 20));
	FAULT("fair_throttle_charge: -FAIR_EOVERFLOW processors",
	      fair_throttle_charge(t, 10, &wide, 20));
	FAULT("fair_throttle_discharge: -FAIR_EINVAL nothing",
	      fair_throttle_discharge(NULL, j, 20));
	FAULT("fair_throttle_discharge: -FAIR_EINVAL ends before the origin",
	      fair_throttle_discharge(t, j, 9));
	FAULT("fair_throttle_discharge: -FAIR_ERANGE never charged so long",
	      fair_throttle_discharge(t, j, 21));
	FAULT("fair_throttle_discharge: -FAIR_ERANGE never charged so wide",
	      fair_throttle_discharge(t, &wide, 20));
	FAULT("fair_throttle_move: -FAIR_EINVAL nothing",
	      fair_throttle_move(NULL, j, 20, 30));
	FAULT("fair_throttle_move: -FAIR_EINVAL ended before the origin",
	      fair_throttle_move(t, j, 9, 30));
	FAULT("fair_throttle_move: -FAIR_EINVAL ends before the origin",
	      fair_throttle_move(t, j, 20, 9));
	FAULT("fair_throttle_move: -FAIR_ERANGE never charged so long",
	      fair_throttle_move(t, j, 21, 30));
	free(kept[--keeps].copy);	/* of this frame */
}

static void throttle_settings(struct fair_throttle *t)
{
	FAULT("fair_throttle_limit: -FAIR_EINVAL nothing",
	      fair_throttle_limit(NULL, 0, 0, 0, 1, 1));
	FAULT("fair_throttle_limit: -FAIR_EINVAL no such kind",
	      fair_throttle_limit(t, FAIR_THROTTLE_KINDS, 0, 0, 1, 1));
	FAULT("fair_throttle_limit: -FAIR_EINVAL a kind below 0",
	      fair_throttle_limit(t, -1, 0, 0, 1, 1));
	FAULT("fair_throttle_limit: -FAIR_EINVAL no such credential",
	      fair_throttle_limit(t, 0, 1, 0, 1, 1));
	FAULT("fair_throttle_limit: -FAIR_EINVAL no such resource",
	      fair_throttle_limit(t, 0, 0, FAIR_THROTTLE_RESOURCES, 1, 1));
	FAULT("fair_throttle_limit: -FAIR_EINVAL soft below 0",
	      fair_throttle_limit(t, 0, 0, 0, -1, 1));
	FAULT("fair_throttle_limit: -FAIR_EINVAL hard below 0",
	      fair_throttle_limit(t, 0, 0, 0, 1, -1));
	FAULT("fair_throttle_used: -FAIR_EINVAL nothing",
	      fair_throttle_used(NULL, 10, 0, 0, 0, &out.a));
	FAULT("fair_throttle_used: -FAIR_EINVAL nowhere to write",
	      fair_throttle_used(t, 10, 0, 0, 0, NULL));
	FAULT("fair_throttle_used: -FAIR_EINVAL before the origin",
	      fair_throttle_used(t, 9, 0, 0, 0, &out.a));
	FAULT("fair_throttle_used: -FAIR_EINVAL no such kind",
	      fair_throttle_used(t, 10, FAIR_THROTTLE_KINDS, 0, 0, &out.a));
	FAULT("fair_throttle_used: -FAIR_EINVAL no such credential",
	      fair_throttle_used(t, 10, 0, 1, 0, &out.a));
	FAULT("fair_throttle_used: -FAIR_EINVAL no such resource",
	      fair_throttle_used(t, 10, 0, 0, FAIR_THROTTLE_RESOURCES,
				 &out.a));
}

static void throttle(void)
{
	const uint32_t count[FAIR_THROTTLE_KINDS] = { 1, 1, 0, 0, 0 };
	size_t bytes = fair_throttle_size(count), n;
	void *memory = room(bytes), *other = room(bytes);
	struct fair_throttle t, copy;
	struct fair_throttle_job j;

	n = sizeof(t);
	memset(&t, FILL, n);
	memset(&copy, FILL, n);
	keep(&t, n);
	keep(memory, bytes);
	FAULT("fair_throttle_init: -FAIR_EINVAL nothing",
	      fair_throttle_init(NULL, n, memory, bytes, count, 10));
	FAULT("fair_throttle_init: -FAIR_EINVAL a struct of another size",
	      fair_throttle_init(&t, n + 1, memory, bytes, count, 10));
	FAULT("fair_throttle_init: -FAIR_EINVAL no memory",
	      fair_throttle_init(&t, n, NULL, bytes, count, 10));
	FAULT("fair_throttle_init: -FAIR_EINVAL no counts",
	      fair_throttle_init(&t, n, memory, bytes, NULL, 10));
	FAULT("fair_throttle_init: -FAIR_ENOMEM one byte less",
	      fair_throttle_init(&t, n, memory, bytes - 1, count, 10));
	forget();
	TEST_EQ(fair_throttle_init(&t, n, memory, bytes, count, 10), 0);
	(void)bad_job(&j, 0);
	TEST_EQ(fair_throttle_limit(&t, FAIR_THROTTLE_USER, 0,
				    FAIR_THROTTLE_PROCS, 5, 5),
		0);
	TEST_EQ(fair_throttle_charge(&t, 10, &j, 20), 0);
	keep(&t, n);
	keep(memory, bytes);
	keep(&out, sizeof(out));
	keep(&copy, n);
	throttle_jobs(&t, &j);
	throttle_settings(&t);
	FAULT("fair_throttle_clone: -FAIR_EINVAL no copy",
	      fair_throttle_clone(NULL, other, bytes, &t));
	FAULT("fair_throttle_clone: -FAIR_EINVAL no memory",
	      fair_throttle_clone(&copy, NULL, bytes, &t));
	FAULT("fair_throttle_clone: -FAIR_EINVAL nothing",
	      fair_throttle_clone(&copy, other, bytes, NULL));
	FAULT("fair_throttle_clone: -FAIR_ENOMEM one byte less",
	      fair_throttle_clone(&copy, other, bytes - 1, &t));
	TEST_EQ(fair_throttle_check(&t), 0);
	forget();
	TEST_EQ(fair_throttle_clone(&copy, other, bytes, &t), 0);
	leave();
}

/* ---- relshare.h ---- */

static void relshare_init(struct fair_relshare *r, void *memory, size_t bytes,
			  const struct fair_relshare_config *good)
{
	const int64_t late = (INT64_C(1) << 62) + 1;
	struct fair_relshare_config bad[10], huge = *good;
	size_t n = sizeof(*r), i;

	for (i = 0; i < 10; i++)
		bad[i] = *good;
	bad[0].users = 0;
	bad[1].users = FAIR_RELSHARE_USERS + 1;
	bad[2].jobs = 0;
	bad[3].jobs = FAIR_RELSHARE_JOBS + 1;
	bad[4].procs = 0;
	bad[5].window = 0;
	bad[6].origin = -late;
	bad[7].origin = late;
	bad[8].first = -late;
	bad[9].first = late;
	keep(r, n);
	keep(memory, bytes);
	FAULT("fair_relshare_init: -FAIR_EINVAL nothing",
	      fair_relshare_init(NULL, n, memory, bytes, good));
	FAULT("fair_relshare_init: -FAIR_EINVAL a struct of another size",
	      fair_relshare_init(r, n + 1, memory, bytes, good));
	FAULT("fair_relshare_init: -FAIR_EINVAL no memory",
	      fair_relshare_init(r, n, NULL, bytes, good));
	FAULT("fair_relshare_init: -FAIR_EINVAL no config",
	      fair_relshare_init(r, n, memory, bytes, NULL));
	for (i = 0; i < 10; i++)
		FAULT("fair_relshare_init: -FAIR_EINVAL a config out of range",
		      fair_relshare_init(r, n, memory, bytes, &bad[i]));
	huge.window = (INT64_C(1) << 59) / huge.procs + 1;
	FAULT("fair_relshare_init: -FAIR_EOVERFLOW a window too long",
	      fair_relshare_init(r, n, memory, bytes, &huge));
	FAULT("fair_relshare_init: -FAIR_ENOMEM one byte less",
	      fair_relshare_init(r, n, memory, bytes - 1, good));
	forget();
}

/* It is 5, of a window of 100: job 0 waits, job 1 runs; slot 2 is free. */
static void relshare_events(struct fair_relshare *r)
{
	const int64_t late = (INT64_C(1) << 62) + 1;

	FAULT("fair_relshare_share: -FAIR_EINVAL the clock goes back",
	      fair_relshare_share(r, 4, 0, 1));
	FAULT("fair_relshare_share: -FAIR_EINVAL no such user",
	      fair_relshare_share(r, 5, 2, 1));
	FAULT("fair_relshare_share: -FAIR_EINVAL too many shares",
	      fair_relshare_share(r, 5, 0, FAIR_RELSHARE_SHARES + 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL the clock goes back",
	      fair_relshare_submit(r, 4, 2, 0, 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL no such slot",
	      fair_relshare_submit(r, 5, 3, 0, 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL a slot in use",
	      fair_relshare_submit(r, 5, 0, 0, 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL no such user",
	      fair_relshare_submit(r, 5, 2, 2, 1));
	FAULT("fair_relshare_submit: -FAIR_EINVAL no processor",
	      fair_relshare_submit(r, 5, 2, 0, 0));
	FAULT("fair_relshare_start: -FAIR_EINVAL the clock goes back",
	      fair_relshare_start(r, 4, 0, 9));
	FAULT("fair_relshare_start: -FAIR_EINVAL no such slot",
	      fair_relshare_start(r, 5, 3, 9));
	FAULT("fair_relshare_start: -FAIR_EINVAL a free slot",
	      fair_relshare_start(r, 5, 2, 9));
	FAULT("fair_relshare_start: -FAIR_EINVAL it runs",
	      fair_relshare_start(r, 5, 1, 9));
	FAULT("fair_relshare_start: -FAIR_EINVAL ends in the past",
	      fair_relshare_start(r, 5, 0, 4));
	FAULT("fair_relshare_start: -FAIR_ERANGE more than are free",
	      fair_relshare_start(r, 5, 0, 9));
	FAULT("fair_relshare_plan: -FAIR_EINVAL the clock goes back",
	      fair_relshare_plan(r, 4, 1, 9));
	FAULT("fair_relshare_plan: -FAIR_EINVAL no such slot",
	      fair_relshare_plan(r, 5, 3, 9));
	FAULT("fair_relshare_plan: -FAIR_EINVAL it waits",
	      fair_relshare_plan(r, 5, 0, 9));
	FAULT("fair_relshare_plan: -FAIR_EINVAL ends in the past",
	      fair_relshare_plan(r, 5, 1, 4));
	FAULT("fair_relshare_requeue: -FAIR_EINVAL the clock goes back",
	      fair_relshare_requeue(r, 4, 1));
	FAULT("fair_relshare_requeue: -FAIR_EINVAL no such slot",
	      fair_relshare_requeue(r, 5, 3));
	FAULT("fair_relshare_requeue: -FAIR_EINVAL it waits",
	      fair_relshare_requeue(r, 5, 0));
	FAULT("fair_relshare_finish: -FAIR_EINVAL the clock goes back",
	      fair_relshare_finish(r, 4, 1));
	FAULT("fair_relshare_finish: -FAIR_EINVAL no such slot",
	      fair_relshare_finish(r, 5, 3));
	FAULT("fair_relshare_finish: -FAIR_EINVAL a free slot",
	      fair_relshare_finish(r, 5, 2));
	FAULT("fair_relshare_capacity: -FAIR_EINVAL the clock goes back",
	      fair_relshare_capacity(r, 4, 9));
	FAULT("fair_relshare_capacity: -FAIR_EINVAL below 0",
	      fair_relshare_capacity(r, 5, -1));
	FAULT("fair_relshare_capacity: -FAIR_ERANGE more are in use",
	      fair_relshare_capacity(r, 5, 5));
	FAULT("fair_relshare_advance: -FAIR_EINVAL the clock goes back",
	      fair_relshare_advance(r, 4));
	FAULT("fair_relshare_advance: -FAIR_EINVAL the clock is out of range",
	      fair_relshare_advance(r, late));
}

static void relshare_readings(const struct fair_relshare *r)
{
	FAULT("fair_relshare_entitled: -FAIR_EINVAL no such user",
	      fair_relshare_entitled(r, 2, &out.c, &out.d));
	FAULT("fair_relshare_entitled: -FAIR_EINVAL nowhere to write",
	      fair_relshare_entitled(r, 0, NULL, &out.d));
	FAULT("fair_relshare_entitlement: -FAIR_EINVAL no such user",
	      fair_relshare_entitlement(r, 2, 5, &out.c, &out.d));
	FAULT("fair_relshare_entitlement: -FAIR_EINVAL in the past",
	      fair_relshare_entitlement(r, 0, 4, &out.c, &out.d));
	FAULT("fair_relshare_entitlement: -FAIR_EINVAL behind the window",
	      fair_relshare_entitlement(r, 0, 101, &out.c, &out.d));
	FAULT("fair_relshare_entitlement: -FAIR_EINVAL nowhere to write",
	      fair_relshare_entitlement(r, 0, 5, NULL, &out.d));
	FAULT("fair_relshare_used: -FAIR_EINVAL no such user",
	      fair_relshare_used(r, 2, 5, &out.c));
	FAULT("fair_relshare_used: -FAIR_EINVAL in the past",
	      fair_relshare_used(r, 0, 4, &out.c));
	FAULT("fair_relshare_used: -FAIR_EINVAL behind the window",
	      fair_relshare_used(r, 0, 101, &out.c));
	FAULT("fair_relshare_used: -FAIR_EINVAL nowhere to write",
	      fair_relshare_used(r, 0, 5, NULL));
	FAULT("fair_relshare_dev: -FAIR_EINVAL no such user",
	      fair_relshare_dev(r, 2, 5, &out.a, &out.d));
	FAULT("fair_relshare_dev: -FAIR_EINVAL in the past",
	      fair_relshare_dev(r, 0, 4, &out.a, &out.d));
	FAULT("fair_relshare_dev: -FAIR_EINVAL behind the window",
	      fair_relshare_dev(r, 0, 101, &out.a, &out.d));
	FAULT("fair_relshare_dev: -FAIR_EINVAL nowhere to write",
	      fair_relshare_dev(r, 0, 5, NULL, &out.d));
	FAULT("fair_relshare_usage: -FAIR_EINVAL no such user",
	      fair_relshare_usage(r, 2, NULL, &out.c));
	FAULT("fair_relshare_usage: -FAIR_EINVAL nowhere to write",
	      fair_relshare_usage(r, 0, NULL, NULL));
}

static void relshare(void)
{
	const struct fair_relshare_config c = { 2, 3, 10, false, 0, 100, 0 };
	size_t bytes = fair_relshare_size(&c), n;
	void *memory = room(bytes), *other = room(bytes);
	struct fair_relshare r, copy;

	n = sizeof(r);
	memset(&r, FILL, n);
	memset(&copy, FILL, n);
	relshare_init(&r, memory, bytes, &c);
	TEST_EQ(fair_relshare_init(&r, n, memory, bytes, &c), 0);
	TEST_EQ(fair_relshare_submit(&r, 5, 0, 0, 5), 0);
	TEST_EQ(fair_relshare_submit(&r, 5, 1, 1, 6), 0);
	TEST_EQ(fair_relshare_start(&r, 5, 1, 20), 0);
	keep(&r, n);
	keep(memory, bytes);
	keep(&out, sizeof(out));
	keep(&copy, n);
	relshare_events(&r);
	relshare_readings(&r);
	FAULT("fair_relshare_clone: -FAIR_EINVAL no copy",
	      fair_relshare_clone(NULL, other, bytes, &r, NULL));
	FAULT("fair_relshare_clone: -FAIR_EINVAL no memory",
	      fair_relshare_clone(&copy, NULL, bytes, &r, NULL));
	FAULT("fair_relshare_clone: -FAIR_ENOMEM one byte less",
	      fair_relshare_clone(&copy, other, bytes - 1, &r, NULL));
	TEST_EQ(fair_relshare_check(&r), 0);
	forget();
	TEST_EQ(fair_relshare_clone(&copy, other, bytes, &r, NULL), 0);
	r.config.window = INT64_C(1) << 56;
	keep(&r, n);
	FAULT("fair_relshare_capacity: -FAIR_EOVERFLOW the window's area",
	      fair_relshare_capacity(&r, 5, 11));
	leave();
}

/* ---- penalty.h ---- */

/* Class 0: 8 processors, 100 of memory; class 1, faster: 16, and 50. */
static void penalty_init(struct fair_penalty_machine *m, void *memory,
			 size_t bytes)
{
	static const int64_t a[2][2] = { { 8, 100 }, { 16, 50 } };
	static const int64_t none[2] = { 0, 1 }, less[2] = { 1, -1 };
	const int64_t one = FAIR_PENALTY_ONE;
	const struct fair_penalty_class good[2] = { { 2, one, one, 0, a[0] },
						    { 1, 2 * one, one, 1,
						      a[1] } };
	const bool special[2] = { true, false };
	struct fair_penalty_class bad[2];
	size_t n = sizeof(*m), i;

	keep(m, n);
	keep(memory, bytes);
	FAULT("fair_penalty_init: -FAIR_EINVAL nothing",
	      fair_penalty_init(NULL, n, memory, bytes, good, 2, 2, NULL));
	FAULT("fair_penalty_init: -FAIR_EINVAL a struct of another size",
	      fair_penalty_init(m, n + 1, memory, bytes, good, 2, 2, NULL));
	FAULT("fair_penalty_init: -FAIR_EINVAL no memory",
	      fair_penalty_init(m, n, NULL, bytes, good, 2, 2, NULL));
	FAULT("fair_penalty_init: -FAIR_EINVAL no nodes",
	      fair_penalty_init(m, n, memory, bytes, NULL, 2, 2, NULL));
	FAULT("fair_penalty_init: -FAIR_EINVAL no class",
	      fair_penalty_init(m, n, memory, bytes, good, 0, 2, NULL));
	FAULT("fair_penalty_init: -FAIR_EINVAL no resource",
	      fair_penalty_init(m, n, memory, bytes, good, 2, 0, NULL));
	FAULT("fair_penalty_init: -FAIR_EINVAL processors cannot be special",
	      fair_penalty_init(m, n, memory, bytes, good, 2, 2, special));
	for (i = 0; i < 6; i++) {
		memcpy(bad, good, sizeof(bad));
		bad[1].count = i == 0 ? 0 : 1;
		bad[1].spec = i == 1 ? 0 : one;
		bad[1].cost = i == 2 ? -1 : one;
		bad[1].amount = i == 3	 ? NULL
				: i == 4 ? none
				: i == 5 ? less
					 : a[1];
		FAULT("fair_penalty_init: -FAIR_EINVAL a class out of range",
		      fair_penalty_init(m, n, memory, bytes, bad, 2, 2, NULL));
	}
	memcpy(bad, good, sizeof(bad));
	bad[1].cost = FAIR_PENALTY_MAX;
	FAULT("fair_penalty_init: -FAIR_EOVERFLOW a node costs too much",
	      fair_penalty_init(m, n, memory, bytes, bad, 2, 2, NULL));
	FAULT("fair_penalty_init: -FAIR_ENOMEM one byte less",
	      fair_penalty_init(m, n, memory, bytes - 1, good, 2, 2, NULL));
	forget();
	TEST_EQ(fair_penalty_init(m, n, memory, bytes, good, 2, 2, NULL), 0);
}

/* Totals that do not fit: 2^42 processors, 2^63 of memory. */
static void penalty_totals(struct fair_penalty_machine *m, void *memory,
			   size_t bytes)
{
	const int64_t procs[2] = { INT64_C(1) << 41, 0 };
	const int64_t fat[2] = { 1, FAIR_PENALTY_MAX };
	struct fair_penalty_class nodes = { 2, 1, 0, 0, procs };

	FAULT("fair_penalty_init: -FAIR_EOVERFLOW too many processors",
	      fair_penalty_init(m, sizeof(*m), memory, bytes, &nodes, 1, 2,
				NULL));
	nodes.amount = fat;
	nodes.count = INT32_MAX;
	FAULT("fair_penalty_init: -FAIR_EOVERFLOW too much of another resource",
	      fair_penalty_init(m, sizeof(*m), memory, bytes, &nodes, 1, 2,
				NULL));
}

/* Requests that are none, by every metric. */
static void penalty_bad_requests(const struct fair_penalty_machine *m)
{
	const int64_t amount[2] = { 1, 1 }, less[2] = { -1, 1 };
	const int64_t standard[2] = { 1, 1 }, one = FAIR_PENALTY_ONE;
	const struct fair_penalty_chunk good = { 1, 0, 0, 0, 0, amount };
	struct fair_penalty_chunk bad;
	const struct fair_penalty_chunk *j;
	const size_t in = 0;
	size_t chunks;
	int64_t cost;
	int i;

	for (i = 0; i < 8; i++) {
		bad = good;
		bad.count = i == 0 ? 0 : 1;
		bad.amount = i == 1 ? NULL : i == 2 ? less : amount;
		bad.min_spec = i == 3 ? -1 : 0;
		bad.max_spec = i == 4 ? -1 : 0;
		chunks = i == 5 ? 0 : 1;
		cost = i == 6 ? -1 : one;
		j = i == 7 ? NULL : &bad;
		FAULT("fair_penalty: -FAIR_EINVAL a request out of range",
		      fair_penalty(m, j, chunks, cost, &out.a));
		FAULT("fair_penalty_local: -FAIR_EINVAL a request out of range",
		      fair_penalty_local(m, j, chunks, &in, cost, &out.a));
		FAULT("fair_penalty_pe: -FAIR_EINVAL a request out of range",
		      fair_penalty_pe(m, j, chunks, cost, &out.a));
		FAULT("fair_penalty_standard: -FAIR_EINVAL a request out of range",
		      fair_penalty_standard(j, chunks, standard, 2, cost,
					    &out.a));
		FAULT("fair_penalty_cpu: -FAIR_EINVAL a request out of range",
		      fair_penalty_cpu(j, chunks, cost, &out.a));
		if (i < 5 || !j)
			FAULT("fair_penalty_suits: -FAIR_EINVAL no such chunk",
			      fair_penalty_suits(m, j, 0));
	}
}

static void penalty_errors(const struct fair_penalty_machine *m)
{
	const int64_t amount[2] = { 1, 1 }, wide[2] = { 17, 1 };
	const int64_t standard[2] = { 1, 0 }, none[2] = { 0, 0 };
	const int64_t less[2] = { 1, -1 }, one = FAIR_PENALTY_ONE;
	const struct fair_penalty_chunk j = { 1, 0, 0, 0, 0, amount };
	const struct fair_penalty_chunk w = { 1, 0, 0, 0, 0, wide };
	const size_t in = 0, out_of = 2;

	FAULT("fair_penalty: -FAIR_EINVAL no machine",
	      fair_penalty(NULL, &j, 1, one, &out.a));
	FAULT("fair_penalty: -FAIR_EINVAL nowhere to write",
	      fair_penalty(m, &j, 1, one, NULL));
	FAULT("fair_penalty: -FAIR_ERANGE no class suits",
	      fair_penalty(m, &w, 1, one, &out.a));
	FAULT("fair_penalty_local: -FAIR_EINVAL no machine",
	      fair_penalty_local(NULL, &j, 1, &in, one, &out.a));
	FAULT("fair_penalty_local: -FAIR_EINVAL nowhere to write",
	      fair_penalty_local(m, &j, 1, &in, one, NULL));
	FAULT("fair_penalty_local: -FAIR_EINVAL no classes",
	      fair_penalty_local(m, &j, 1, NULL, one, &out.a));
	FAULT("fair_penalty_local: -FAIR_EINVAL no such class",
	      fair_penalty_local(m, &j, 1, &out_of, one, &out.a));
	FAULT("fair_penalty_local: -FAIR_ERANGE the class does not suit",
	      fair_penalty_local(m, &w, 1, &in, one, &out.a));
	FAULT("fair_penalty_pe: -FAIR_EINVAL no machine",
	      fair_penalty_pe(NULL, &j, 1, one, &out.a));
	FAULT("fair_penalty_pe: -FAIR_EINVAL nowhere to write",
	      fair_penalty_pe(m, &j, 1, one, NULL));
	FAULT("fair_penalty_standard: -FAIR_EINVAL no standard",
	      fair_penalty_standard(&j, 1, NULL, 2, one, &out.a));
	FAULT("fair_penalty_standard: -FAIR_EINVAL no resource",
	      fair_penalty_standard(&j, 1, standard, 0, one, &out.a));
	FAULT("fair_penalty_standard: -FAIR_EINVAL nowhere to write",
	      fair_penalty_standard(&j, 1, standard, 2, one, NULL));
	FAULT("fair_penalty_standard: -FAIR_EINVAL a standard of nothing",
	      fair_penalty_standard(&j, 1, none, 2, one, &out.a));
	FAULT("fair_penalty_standard: -FAIR_EINVAL a standard of less",
	      fair_penalty_standard(&j, 1, less, 2, one, &out.a));
	FAULT("fair_penalty_cpu: -FAIR_EINVAL nowhere to write",
	      fair_penalty_cpu(&j, 1, one, NULL));
	FAULT("fair_penalty_suits: -FAIR_EINVAL no machine",
	      fair_penalty_suits(NULL, &j, 0));
	FAULT("fair_penalty_suits: -FAIR_EINVAL no such class",
	      fair_penalty_suits(m, &j, 2));
	FAULT("fair_penalty_slowest: -FAIR_EINVAL no machine",
	      fair_penalty_slowest(NULL, &in, 1, &out.a));
	FAULT("fair_penalty_slowest: -FAIR_EINVAL no classes",
	      fair_penalty_slowest(m, NULL, 1, &out.a));
	FAULT("fair_penalty_slowest: -FAIR_EINVAL no node",
	      fair_penalty_slowest(m, &in, 0, &out.a));
	FAULT("fair_penalty_slowest: -FAIR_EINVAL nowhere to write",
	      fair_penalty_slowest(m, &in, 1, NULL));
	FAULT("fair_penalty_slowest: -FAIR_EINVAL no such class",
	      fair_penalty_slowest(m, &out_of, 1, &out.a));
	FAULT("fair_penalty_charge: -FAIR_EINVAL a walltime below 0",
	      fair_penalty_charge(-1, one, one, &out.a));
	FAULT("fair_penalty_charge: -FAIR_EINVAL no speed",
	      fair_penalty_charge(1, 0, one, &out.a));
	FAULT("fair_penalty_charge: -FAIR_EINVAL a penalty below 0",
	      fair_penalty_charge(1, one, -1, &out.a));
	FAULT("fair_penalty_charge: -FAIR_EINVAL nowhere to write",
	      fair_penalty_charge(1, one, one, NULL));
	FAULT("fair_penalty_charge: -FAIR_EOVERFLOW the product",
	      fair_penalty_charge(INT64_MAX, one, 2 * one, &out.a));
}

/* Before the queue's cost, and by it. */
static void penalty_overflows(const struct fair_penalty_machine *m)
{
	const int64_t all[2] = { 16, 50 }, most[2] = { FAIR_PENALTY_MAX, 0 };
	const int64_t standard[2] = { 1, 0 }, one = FAIR_PENALTY_ONE;
	const struct fair_penalty_chunk j = { INT32_MAX, 0, 0, 0, 0, all };
	const struct fair_penalty_chunk w = { INT32_MAX, 0, 0, 0, 0, most };
	const struct fair_penalty_chunk fits = { 1, 0, 0, 0, 0, all };
	static struct fair_penalty_chunk many[300];
	static size_t in[300];
	size_t i;

	for (i = 0; i < 300; i++) {
		many[i] = j;
		in[i] = 1;
	}
	FAULT("fair_penalty: -FAIR_EOVERFLOW the sum",
	      fair_penalty(m, many, 300, one, &out.a));
	FAULT("fair_penalty: -FAIR_EOVERFLOW the queue's cost",
	      fair_penalty(m, &j, 1, FAIR_PENALTY_MAX, &out.a));
	FAULT("fair_penalty_local: -FAIR_EOVERFLOW the sum",
	      fair_penalty_local(m, many, 300, in, one, &out.a));
	FAULT("fair_penalty_local: -FAIR_EOVERFLOW the queue's cost",
	      fair_penalty_local(m, &j, 1, in, FAIR_PENALTY_MAX, &out.a));
	FAULT("fair_penalty_pe: -FAIR_ERANGE the machine has less",
	      fair_penalty_pe(m, &j, 1, one, &out.a));
	FAULT("fair_penalty_pe: -FAIR_ERANGE more than can be counted",
	      fair_penalty_pe(m, &w, 1, one, &out.a));
	FAULT("fair_penalty_pe: -FAIR_EOVERFLOW the queue's cost",
	      fair_penalty_pe(m, &fits, 1, FAIR_PENALTY_MAX, &out.a));
	FAULT("fair_penalty_standard: -FAIR_EOVERFLOW the sum",
	      fair_penalty_standard(&w, 1, standard, 2, one, &out.a));
	FAULT("fair_penalty_standard: -FAIR_EOVERFLOW the queue's cost",
	      fair_penalty_standard(&fits, 1, standard, 2, FAIR_PENALTY_MAX,
				    &out.a));
	FAULT("fair_penalty_cpu: -FAIR_EOVERFLOW the sum",
	      fair_penalty_cpu(&w, 1, one, &out.a));
	FAULT("fair_penalty_cpu: -FAIR_EOVERFLOW the queue's cost",
	      fair_penalty_cpu(&fits, 1, FAIR_PENALTY_MAX, &out.a));
}

static void penalty(void)
{
	size_t bytes = fair_penalty_size(2, 2);
	void *memory = room(bytes);
	struct fair_penalty_machine m;

	memset(&m, FILL, sizeof(m));
	penalty_init(&m, memory, bytes);
	keep(&m, sizeof(m));
	keep(memory, bytes);
	keep(&out, sizeof(out));
	penalty_totals(&m, memory, bytes);
	penalty_bad_requests(&m);
	penalty_errors(&m);
	penalty_overflows(&m);
	TEST_EQ(fair_penalty_check(&m), 0);
	leave();
}

/* ---- backfill.h ---- */

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
	TEST_EQ(fair_queue_init(&p->running, sizeof(p->running), room(bytes),
				bytes, SLOTS, p->job, sizeof(*p->job)),
		0);
	TEST_EQ(fair_backfill_init(&p->b, sizeof(p->b), p->memory, p->bytes,
				   depth, sorts, SLOTS, p->job,
				   sizeof(*p->job), 10, 0, &p->running),
		0);
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
	struct fair_queue running;
	struct fair_queued job[SLOTS];
	struct fair_backfill b;

	n = sizeof(b);
	memset(&b, FILL, n);
	keep(&b, n);
	FAULT("fair_backfill_init: -FAIR_EINVAL nothing",
	      fair_backfill_init(NULL, n, memory, bytes, 2, true, SLOTS, job,
				 32, 10, 0, &running));
	FAULT("fair_backfill_init: -FAIR_EINVAL a struct of another size",
	      fair_backfill_init(&b, n + 1, memory, bytes, 2, true, SLOTS, job,
				 32, 10, 0, &running));
	FAULT("fair_backfill_init: -FAIR_EINVAL no memory",
	      fair_backfill_init(&b, n, NULL, bytes, 2, true, SLOTS, job, 32,
				 10, 0, &running));
	FAULT("fair_backfill_init: -FAIR_EINVAL no array",
	      fair_backfill_init(&b, n, memory, bytes, 2, true, SLOTS, NULL, 32,
				 10, 0, &running));
	FAULT("fair_backfill_init: -FAIR_EINVAL elements too small",
	      fair_backfill_init(&b, n, memory, bytes, 2, true, SLOTS, job, 31,
				 10, 0, &running));
	FAULT("fair_backfill_init: -FAIR_EINVAL no processor",
	      fair_backfill_init(&b, n, memory, bytes, 2, true, SLOTS, job, 32,
				 0, 0, &running));
	FAULT("fair_backfill_init: -FAIR_ENOMEM one byte less",
	      fair_backfill_init(&b, n, memory, bytes - 1, 2, true, SLOTS, job,
				 32, 10, 0, &running));
	FAULT("fair_backfill_init: -FAIR_ENOMEM more jobs than can be",
	      fair_backfill_init(&b, n, memory, bytes, 2, true, UINT32_MAX, job,
				 32, 10, 0, &running));
	FAULT("fair_backfill_init: -FAIR_EOVERFLOW an origin too late",
	      fair_backfill_init(&b, n, memory, bytes, 2, true, SLOTS, job, 32,
				 10, INT64_MAX, &running));
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

static void backfill_walks(void)
{
	const struct fair_fill good = { 1, 2, FAIR_BESTFIT, FAIR_FIT_PROCS,
					false, NULL };
	struct fair_walk walk = { first_come, NULL, NULL, NULL, NULL, NULL, 0 };
	struct fair_fill bad = good;
	struct plan p;

	open_plan(&p, 2, false);
	keep_plan(&p);
	FAULT("fair_backfill_walk_by: -FAIR_EINVAL an order, and no sort",
	      fair_backfill_walk_by(&p.b, &walk));
	FAULT("fair_backfill_fill_by: -FAIR_EINVAL no sort",
	      fair_backfill_fill_by(&p.b, &good));
	walk.before = NULL;
	walk.group = one_group;
	FAULT("fair_backfill_walk_by: -FAIR_EINVAL groups, and no sort",
	      fair_backfill_walk_by(&p.b, &walk));
	leave();
	open_plan(&p, 1, true);
	keep_plan(&p);
	bad.limit = 1;
	FAULT("fair_backfill_fill_by: -FAIR_EINVAL a depth below 2",
	      fair_backfill_fill_by(&p.b, &bad));
	leave();
	open_plan(&p, 2, true);
	keep_plan(&p);
	FAULT("fair_backfill_walk_by: -FAIR_EINVAL no walk",
	      fair_backfill_walk_by(&p.b, NULL));
	FAULT("fair_backfill_fill_by: -FAIR_EINVAL nothing",
	      fair_backfill_fill_by(&p.b, NULL));
	bad.limit = 3;
	FAULT("fair_backfill_fill_by: -FAIR_EINVAL a depth below the limit",
	      fair_backfill_fill_by(&p.b, &bad));
	bad = good;
	bad.select = FAIR_NOFIT + 1;
	FAULT("fair_backfill_fill_by: -FAIR_EINVAL an unknown selection",
	      fair_backfill_fill_by(&p.b, &bad));
	bad = good;
	bad.metric = FAIR_FIT_PROC_SECONDS + 1;
	FAULT("fair_backfill_fill_by: -FAIR_EINVAL an unknown metric",
	      fair_backfill_fill_by(&p.b, &bad));
	forget();
	TEST_EQ(fair_backfill_walk_by(&p.b, &walk), 0);
	keep_plan(&p);
	FAULT("fair_backfill_fill_by: -FAIR_EINVAL groups",
	      fair_backfill_fill_by(&p.b, &good));
	forget();
	walk.group = NULL;
	walk.passes = 2;
	TEST_EQ(fair_backfill_walk_by(&p.b, &walk), 0);
	keep_plan(&p);
	FAULT("fair_backfill_fill_by: -FAIR_EINVAL two passes over the queue",
	      fair_backfill_fill_by(&p.b, &good));
	leave();
}

/* Jobs 0 and 1 run until 10, which is now + 5; 2 is free. */
static void backfill_events(void)
{
	int64_t shadow = -1, late = INT64_MAX - 1;
	int32_t extra = -1;
	uint32_t slot;
	struct plan p;

	open_plan(&p, 2, false);
	TEST_EQ(fair_backfill_submit(&p.b, 0), 0);
	TEST_EQ(fair_backfill_submit(&p.b, 1), 0);
	while (fair_backfill_due(&p.b, 0, &slot)) {
		p.job[slot].rank.key = 10;
		TEST_EQ(fair_queue_insert(&p.running, slot), 0);
	}
	TEST_CHECK(!fair_backfill_due(&p.b, 5, &slot));
	fair_backfill_replan(&p.b);
	keep_plan(&p);
	FAULT("fair_easy_shadow: -FAIR_ERANGE more than the machine has",
	      fair_easy_shadow(&p.running, 2, 11, 5, &shadow, &extra));
	TEST_CHECK(shadow == -1 && extra == -1);
	FAULT("fair_backfill_give_back: -FAIR_EINVAL the clock goes back",
	      fair_backfill_give_back(&p.b, 4, 10, 4));
	FAULT("fair_backfill_give_back: -FAIR_EINVAL no processor",
	      fair_backfill_give_back(&p.b, 5, 10, 0));
	FAULT("fair_backfill_give_back: -FAIR_ERANGE more than are in use",
	      fair_backfill_give_back(&p.b, 5, 10, 9));
	FAULT("fair_backfill_give_back: -FAIR_EOVERFLOW until then",
	      fair_backfill_give_back(&p.b, 5, late, 4));
	FAULT("fair_backfill_extend: -FAIR_EINVAL the clock goes back",
	      fair_backfill_extend(&p.b, 4, 10, 20, 4));
	FAULT("fair_backfill_extend: -FAIR_EINVAL empty",
	      fair_backfill_extend(&p.b, 5, 10, 10, 4));
	FAULT("fair_backfill_extend: -FAIR_ERANGE more than are free",
	      fair_backfill_extend(&p.b, 5, 9, 20, 4));
	FAULT("fair_backfill_extend: -FAIR_EOVERFLOW until then",
	      fair_backfill_extend(&p.b, 5, 10, late, 4));
	FAULT("fair_backfill_shorten: -FAIR_EINVAL ends in the past",
	      fair_backfill_shorten(&p.b, 4, 10, 4));
	FAULT("fair_backfill_shorten: -FAIR_EINVAL no processor",
	      fair_backfill_shorten(&p.b, 5, 10, 0));
	FAULT("fair_backfill_shorten: -FAIR_ERANGE more than are in use",
	      fair_backfill_shorten(&p.b, 9, 10, 9));
	FAULT("fair_backfill_shorten: -FAIR_EOVERFLOW from then",
	      fair_backfill_shorten(&p.b, 5, late, 4));
	FAULT("fair_backfill_shrink: -FAIR_EINVAL the clock goes back",
	      fair_backfill_shrink(&p.b, 4, 1));
	FAULT("fair_backfill_shrink: -FAIR_ERANGE fewer are free",
	      fair_backfill_shrink(&p.b, 5, 3));
	FAULT("fair_backfill_withdraw: -FAIR_EINVAL it does not wait",
	      fair_backfill_withdraw(&p.b, 2));
	forget();
	TEST_EQ(fair_backfill_submit(&p.b, 2), 0);
	p.job[3].rank.number = 2;
	keep_plan(&p);
	FAULT("fair_backfill_submit: -FAIR_EINVAL its rank is taken",
	      fair_backfill_submit(&p.b, 3));
	TEST_EQ(fair_backfill_check(&p.b), 0);
	leave();
}

static void backfill_copies(void)
{
	size_t more = fair_backfill_windows_size(2, SLOTS, 3);
	void *windows, *room_for_copy;
	struct fair_queued spare = { { 0, 9 }, 10, 4, 0 };
	struct plan p;
	struct fair_backfill copy;
	uint32_t slot;

	open_plan(&p, 2, true);
	windows = room(more);
	room_for_copy = room(more + p.bytes);
	keep_plan(&p);
	FAULT("fair_backfill_windows: -FAIR_EINVAL nothing",
	      fair_backfill_windows(NULL, windows, more, 3, 0));
	FAULT("fair_backfill_windows: -FAIR_EINVAL no memory",
	      fair_backfill_windows(&p.b, NULL, more, 3, 0));
	FAULT("fair_backfill_windows: -FAIR_EINVAL none",
	      fair_backfill_windows(&p.b, windows, more, 0, 0));
	FAULT("fair_backfill_windows: -FAIR_ENOMEM one byte less",
	      fair_backfill_windows(&p.b, windows, more - 1, 3, 0));
	FAULT("fair_backfill_windows: -FAIR_ENOMEM more than can be",
	      fair_backfill_windows(&p.b, windows, more, UINT32_MAX, 0));
	FAULT("fair_backfill_windows: -FAIR_EOVERFLOW an origin too late",
	      fair_backfill_windows(&p.b, windows, more, 3, INT64_MAX));
	forget();
	TEST_EQ(fair_backfill_windows(&p.b, windows, more, 3, 0), 0);
	for (slot = 0; slot < SLOTS; slot++)
		TEST_EQ(fair_backfill_submit(&p.b, slot), 0);
	memset(&copy, FILL, sizeof(copy));
	keep_plan(&p);
	keep(windows, more);
	keep(&copy, sizeof(copy));
	FAULT("fair_backfill_windows: -FAIR_EINVAL jobs wait",
	      fair_backfill_windows(&p.b, windows, more, 3, 0));
	FAULT("fair_backfill_clone: -FAIR_EINVAL no memory",
	      fair_backfill_clone(&copy, NULL, p.bytes, p.job, &p.running, &p.b,
				  NULL));
	FAULT("fair_backfill_clone: -FAIR_EINVAL no array",
	      fair_backfill_clone(&copy, room_for_copy, p.bytes, NULL,
				  &p.running, &p.b, NULL));
	FAULT("fair_backfill_clone: -FAIR_ENOMEM one byte less",
	      fair_backfill_clone(&copy, room_for_copy, p.bytes - 1, p.job,
				  &p.running, &p.b, NULL));
	FAULT("fair_backfill_clone_windows: -FAIR_EINVAL no memory",
	      fair_backfill_clone_windows(&copy, NULL, more, &p.b));
	FAULT("fair_backfill_clone_windows: -FAIR_ENOMEM one byte less",
	      fair_backfill_clone_windows(&copy, room_for_copy, more - 1,
					  &p.b));
	forget();
	TEST_EQ(fair_backfill_clone(&copy, room_for_copy, p.bytes, p.job,
				    &p.running, &p.b, NULL),
		0);
	TEST_EQ(fair_backfill_clone_windows(
			&copy, (char *)room_for_copy + p.bytes, more, &p.b),
		0);
	TEST_EQ(fair_backfill_check(&copy), 0);
	p.job[0] = spare;	/* one more than there is room for */
	keep_plan(&p);
	FAULT("fair_backfill_submit: -FAIR_ENOSPC one too many",
	      fair_backfill_submit(&p.b, 0));
	leave();
}

static void backfill(void)
{
	backfill_init();
	backfill_walks();
	backfill_events();
	backfill_copies();
}

/* ---- conservative.h ---- */

struct keeper {
	struct fair_queued job[SLOTS];
	struct fair_conservative c;
	size_t bytes;
	void *memory;
};

static void conservative_init(uint32_t how)
{
	size_t bytes = fair_conservative_size(how, SLOTS, 2), n;
	void *memory = room(bytes);
	struct fair_queued job[SLOTS];
	struct fair_conservative c;

	n = sizeof(c);
	memset(&c, FILL, n);
	keep(&c, n);
	FAULT("fair_conservative_init: -FAIR_EINVAL nothing",
	      fair_conservative_init(NULL, n, memory, bytes, how, SLOTS, 2, job,
				     32, 10, 0));
	FAULT("fair_conservative_init: -FAIR_EINVAL a struct of another size",
	      fair_conservative_init(&c, n + 1, memory, bytes, how, SLOTS, 2,
				     job, 32, 10, 0));
	FAULT("fair_conservative_init: -FAIR_EINVAL no memory",
	      fair_conservative_init(&c, n, NULL, bytes, how, SLOTS, 2, job, 32,
				     10, 0));
	FAULT("fair_conservative_init: -FAIR_EINVAL no such compression",
	      fair_conservative_init(&c, n, memory, bytes, 3, SLOTS, 2, job, 32,
				     10, 0));
	FAULT("fair_conservative_init: -FAIR_EINVAL no array",
	      fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, NULL,
				     32, 10, 0));
	FAULT("fair_conservative_init: -FAIR_EINVAL elements too small",
	      fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, job,
				     31, 10, 0));
	FAULT("fair_conservative_init: -FAIR_EINVAL no processor",
	      fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, job,
				     32, 0, 0));
	FAULT("fair_conservative_init: -FAIR_ENOMEM one byte less",
	      fair_conservative_init(&c, n, memory, bytes - 1, how, SLOTS, 2,
				     job, 32, 10, 0));
	FAULT("fair_conservative_init: -FAIR_ENOMEM more jobs than can be",
	      fair_conservative_init(&c, n, memory, bytes, how, UINT32_MAX,
				     UINT32_MAX, job, 32, 10, 0));
	FAULT("fair_conservative_init: -FAIR_EOVERFLOW an origin too late",
	      fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, job,
				     32, 10, INT64_MAX));
	FAULT("fair_conservative_init: -FAIR_EOVERFLOW one too early",
	      fair_conservative_init(&c, n, memory, bytes, how, SLOTS, 2, job,
				     32, 10,
				     INT64_MIN + (INT64_C(1) << 38) - 1));
	leave();
}

/* It is 5: job 0 of 4 processors runs until 10, job 1 waits until then. */
static void open_keeper(struct keeper *k, uint32_t how)
{
	uint32_t slot = SLOTS;

	fill_slots(k->job);
	k->job[1].procs = 8;
	k->bytes = fair_conservative_size(how, SLOTS, 2);
	k->memory = room(k->bytes);
	TEST_EQ(fair_conservative_init(&k->c, sizeof(k->c), k->memory, k->bytes,
				       how, SLOTS, 2, k->job, sizeof(*k->job),
				       10, 0),
		0);
	TEST_EQ(fair_conservative_submit(&k->c, 0, 0, 0), 0);
	TEST_CHECK(fair_conservative_due(&k->c, 0, &slot));
	TEST_EQ(slot, 0);
	TEST_EQ(fair_conservative_submit(&k->c, 5, 1, 1), 0);
	TEST_EQ(k->job[1].rank.key, 10);
	k->job[2].rank.key = 30;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
}

/* What each of three calls says of a job that is none. */
static void conservative_jobs(struct keeper *k)
{
	struct fair_conservative *c = &k->c;
	struct fair_queued *j = &k->job[3];
	const struct fair_queued good = *j;
	int i;

	FAULT("fair_conservative_submit: -FAIR_EINVAL no such slot",
	      fair_conservative_submit(c, 5, SLOTS, 2));
	FAULT("fair_conservative_submit: -FAIR_EINVAL the clock goes back",
	      fair_conservative_submit(c, 4, 3, 2));
	FAULT("fair_conservative_submit: -FAIR_EOVERFLOW the clock is too late",
	      fair_conservative_submit(c, INT64_MAX, 3, 2));
	FAULT("fair_conservative_put_back: -FAIR_EINVAL no such slot",
	      fair_conservative_put_back(c, 5, SLOTS, 2));
	FAULT("fair_conservative_put_back: -FAIR_EINVAL the clock goes back",
	      fair_conservative_put_back(c, 4, 3, 2));
	FAULT("fair_conservative_put_back: -FAIR_EOVERFLOW the clock is too late",
	      fair_conservative_put_back(c, INT64_MAX, 3, 2));
	FAULT("fair_conservative_restore: -FAIR_EINVAL no such slot",
	      fair_conservative_restore(c, 5, SLOTS, 2));
	FAULT("fair_conservative_restore: -FAIR_EINVAL the clock goes back",
	      fair_conservative_restore(c, 4, 2, 2));
	forget();
	for (i = 0; i < 3; i++) {
		*j = good;
		j->walltime = i == 0 ? 0 : 1;
		j->procs = i == 1 ? 0 : 4;
		j->rank.number = i == 2 ? 1 : 3;
		if (i == 2 && c->compression == FAIR_COMPRESS)
			break;
		keep(k, sizeof(*k));
		keep(k->memory, k->bytes);
		FAULT("fair_conservative_submit: -FAIR_EINVAL not such a job",
		      fair_conservative_submit(c, 5, 3, 1));
		FAULT("fair_conservative_put_back: -FAIR_EINVAL not such a job",
		      fair_conservative_put_back(c, 5, 3, 1));
		FAULT("fair_conservative_restore: -FAIR_EINVAL not such a job",
		      fair_conservative_restore(c, 5, 3, 1));
		forget();
	}
	*j = good;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
}

static void conservative_events(struct keeper *k)
{
	struct fair_conservative *c = &k->c;
	int64_t late = INT64_MAX - 1;

	FAULT("fair_conservative_give_back: -FAIR_EINVAL the clock goes back",
	      fair_conservative_give_back(c, 4, 5, 10, 4));
	FAULT("fair_conservative_give_back: -FAIR_EINVAL empty",
	      fair_conservative_give_back(c, 5, 10, 10, 4));
	FAULT("fair_conservative_give_back: -FAIR_EINVAL in the past",
	      fair_conservative_give_back(c, 5, 4, 10, 4));
	FAULT("fair_conservative_give_back: -FAIR_EINVAL no processor",
	      fair_conservative_give_back(c, 5, 5, 10, 0));
	FAULT("fair_conservative_give_back: -FAIR_EINVAL less than none",
	      fair_conservative_give_back(c, 5, 5, 10, -1));
	FAULT("fair_conservative_give_back: -FAIR_ERANGE more than are in use",
	      fair_conservative_give_back(c, 5, 5, 10, 5));
	FAULT("fair_conservative_give_back: -FAIR_EOVERFLOW until then",
	      fair_conservative_give_back(c, 5, 5, late, 4));
	FAULT("fair_conservative_give_back: -FAIR_EOVERFLOW the clock too late",
	      fair_conservative_give_back(c, INT64_MAX, 5, 10, 4));
	FAULT("fair_conservative_take: -FAIR_EINVAL the clock goes back",
	      fair_conservative_take(c, 4, 5, 10, 1));
	FAULT("fair_conservative_take: -FAIR_EINVAL empty",
	      fair_conservative_take(c, 5, 10, 10, 1));
	FAULT("fair_conservative_take: -FAIR_EINVAL in the past",
	      fair_conservative_take(c, 5, 4, 10, 1));
	FAULT("fair_conservative_take: -FAIR_EINVAL no processor",
	      fair_conservative_take(c, 5, 5, 10, 0));
	FAULT("fair_conservative_take: -FAIR_ERANGE running jobs hold them",
	      fair_conservative_take(c, 5, 5, 10, 7));
	FAULT("fair_conservative_take: -FAIR_ERANGE more than there are",
	      fair_conservative_take(c, 5, 5, FAIR_FOREVER, 11));
	FAULT("fair_conservative_take: -FAIR_EOVERFLOW until then",
	      fair_conservative_take(c, 5, 5, late, 1));
	FAULT("fair_conservative_take: -FAIR_EOVERFLOW the clock is too late",
	      fair_conservative_take(c, INT64_MAX, 5, 10, 1));
	FAULT("fair_conservative_withdraw: -FAIR_EINVAL it runs",
	      fair_conservative_withdraw(c, 0));
	FAULT("fair_conservative_withdraw: -FAIR_EINVAL it does not wait",
	      fair_conservative_withdraw(c, 2));
}

/* Job 2 had 30; then 12, where 4 are free; then what job 1 holds. */
static void conservative_restore(struct keeper *k)
{
	struct fair_conservative *c = &k->c;

	forget();
	k->job[2].rank.key = c->profile.horizon + 1;
	k->job[2].procs = 3;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT("fair_conservative_restore: -FAIR_EOVERFLOW behind the horizon",
	      fair_conservative_restore(c, 5, 2, 2));
	forget();
	k->job[2].rank.key = c->profile.horizon;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT("fair_conservative_restore: -FAIR_EOVERFLOW ends behind it",
	      fair_conservative_restore(c, 5, 2, 2));
	forget();
	k->job[2].rank.key = 12;
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT("fair_conservative_restore: -FAIR_ERANGE it does not fit",
	      fair_conservative_restore(c, 5, 2, 2));
	if (c->compression == FAIR_COMPRESS) {
		forget();
		k->job[3] = k->job[1];
		keep(k, sizeof(*k));
		keep(k->memory, k->bytes);
		FAULT("fair_conservative_restore: -FAIR_EINVAL another is there",
		      fair_conservative_restore(c, 5, 3, 2));
	}
	TEST_EQ(fair_conservative_check(c), 0);
}

static void conservative_full(struct keeper *k)
{
	struct fair_conservative copy;
	void *memory = room(k->bytes);
	struct fair_queued jobs[SLOTS];
	uint32_t slot;

	forget();
	fill_slots(jobs);
	for (slot = 0; slot < SLOTS; slot++)
		if (slot != 1) {
			k->job[slot] = jobs[slot];
			TEST_EQ(fair_conservative_submit(&k->c, 5, slot, slot),
				0);
		}
	memset(&copy, FILL, sizeof(copy));
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	keep(&copy, sizeof(copy));
	FAULT("fair_conservative_submit: -FAIR_ENOSPC one too many",
	      fair_conservative_submit(&k->c, 5, 3, 9));
	FAULT("fair_conservative_put_back: -FAIR_ENOSPC one too many",
	      fair_conservative_put_back(&k->c, 5, 3, 9));
	FAULT("fair_conservative_restore: -FAIR_ENOSPC one too many",
	      fair_conservative_restore(&k->c, 5, 3, 9));
	FAULT("fair_conservative_clone: -FAIR_EINVAL no memory",
	      fair_conservative_clone(&copy, NULL, k->bytes, k->job, &k->c,
				      NULL));
	FAULT("fair_conservative_clone: -FAIR_EINVAL no array",
	      fair_conservative_clone(&copy, memory, k->bytes, NULL, &k->c,
				      NULL));
	FAULT("fair_conservative_clone: -FAIR_ENOMEM one byte less",
	      fair_conservative_clone(&copy, memory, k->bytes - 1, k->job,
				      &k->c, NULL));
	forget();
	TEST_EQ(fair_conservative_clone(&copy, memory, k->bytes, k->job, &k->c,
					NULL),
		0);
	TEST_EQ(fair_conservative_check(&copy), 0);
}

/* More windows than there was to be room for. */
static void conservative_steps(struct keeper *k)
{
	struct fair_conservative *c = &k->c;
	int64_t t = 100;

	for (; fair_profile_steps(&c->profile) + 2 <= c->profile.cap; t += 20)
		TEST_EQ(fair_conservative_take(c, 5, t, t + 10, 1), 0);
	keep(k, sizeof(*k));
	keep(k->memory, k->bytes);
	FAULT("fair_conservative_take: -FAIR_ENOSPC one window more",
	      fair_conservative_take(c, 5, t, t + 10, 1));
	FAULT("fair_conservative_take: -FAIR_ENOSPC of all that is free",
	      fair_conservative_take(c, 5, t, t + 10, 10));
	FAULT("fair_conservative_give_back: -FAIR_ENOSPC a part of one",
	      fair_conservative_give_back(c, 5, 104, 105, 1));
	TEST_EQ(fair_conservative_check(c), 0);
}

static void conservative(void)
{
	struct keeper k;
	uint32_t how;

	for (how = FAIR_COMPRESS; how <= FAIR_COMPRESS_DELAYED; how++) {
		conservative_init(how);
		open_keeper(&k, how);
		conservative_jobs(&k);
		conservative_events(&k);
		conservative_restore(&k);
		conservative_full(&k);
		conservative_steps(&k);
		leave();
	}
}

/* ---- maui.h ---- */

/* One user, who may use 5 processors; a QoS; usage counts. */
static struct fair_maui_config maui_config(void)
{
	static struct fair_maui_credential user;
	static struct fair_maui_qos qos;
	struct fair_maui_config c = fair_maui_defaults();

	user = fair_maui_anybody();
	user.hard[FAIR_THROTTLE_PROCS] = 5;
	memset(&qos, 0, sizeof(qos));
	c.usage = FAIR_MAUI_PROCS;
	c.count[FAIR_THROTTLE_USER] = c.count[FAIR_THROTTLE_QOS] = 1;
	c.credential[FAIR_THROTTLE_USER] = &user;
	c.qos = &qos;
	return c;
}

static void maui_init(void)
{
	const struct fair_maui_config good = maui_config();
	struct fair_maui_credential user = good.credential[0][0];
	size_t bytes = fair_maui_size(&good, 3), n, i;
	struct fair_maui_config bad;
	struct fair_maui_qos qos;
	void *memory = room(bytes);
	struct fair_maui m;

	n = sizeof(m);
	memset(&m, FILL, n);
	keep(&m, n);
	FAULT("fair_maui_init: -FAIR_EINVAL nothing",
	      fair_maui_init(NULL, n, memory, bytes, &good, 3, 10, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL a struct of another size",
	      fair_maui_init(&m, n + 1, memory, bytes, &good, 3, 10, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL no memory",
	      fair_maui_init(&m, n, NULL, bytes, &good, 3, 10, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL no config",
	      fair_maui_init(&m, n, memory, bytes, NULL, 3, 10, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL no processor",
	      fair_maui_init(&m, n, memory, bytes, &good, 3, 0, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL an origin too early",
	      fair_maui_init(&m, n, memory, bytes, &good, 3, 10, INT64_MIN));
	FAULT("fair_maui_init: -FAIR_EINVAL an origin too late",
	      fair_maui_init(&m, n, memory, bytes, &good, 3, 10, INT64_MAX));
	FAULT("fair_maui_init: -FAIR_ENOMEM one byte less",
	      fair_maui_init(&m, n, memory, bytes - 1, &good, 3, 10, 0));
	for (i = 0; i < 16; i++) {
		bad = good;
		bad.usage = i == 0 ? FAIR_MAUI_RATE + 1 : good.usage;
		bad.windows = i == 1   ? 0
			      : i == 2 ? FAIR_USAGE_DEPTH + 1
				       : good.windows;
		bad.interval = i == 3	? 0
			       : i == 4 ? INT64_MAX
					: good.interval;
		bad.decay = i == 5 ? FAIR_USAGE_ONE + 1 : good.decay;
		bad.poll = i == 6 ? -1 : i == 7 ? INT64_MAX : 0;
		bad.machine.memory = i == 8 ? -1 : 0;
		bad.machine.swap = i == 9 ? -1 : 0;
		bad.machine.disk = i == 10 ? INT64_MAX : 0;
		bad.priority.cap[0] = i == 11 ? -1 : 0;
		bad.credential[0] = &user;
		user.hard[0] = i == 12 ? -1 : 5;
		user.soft[0] = i == 13 ? -1 : 5;
		qos = good.qos[0];
		qos.queue_time_target = i == 14 ? -1 : 0;
		qos.xfactor_target = i == 15 ? -1 : 0;
		bad.qos = &qos;
		FAULT("fair_maui_init: -FAIR_EINVAL a config out of range",
		      fair_maui_init(&m, n, memory, bytes, &bad, 3, 10, 0));
	}
	leave();
}

/* @slot is free. */
static void maui_requests(struct fair_maui *m, uint32_t slot,
			  const struct fair_maui_request *good)
{
	const struct fair_maui_request *r;
	struct fair_maui_request bad;
	int i;

	for (i = 0; i < 12; i++) {
		bad = *good;
		bad.procs = i == 1 ? 0 : 4;
		bad.nodes = i == 2 ? -1 : 0;
		bad.walltime = i == 3 ? 0 : 10;
		bad.memory = i == 4 ? -1 : 0;
		bad.swap = i == 5 ? -1 : 0;
		bad.disk = i == 6 ? (INT64_C(1) << 40) + 1 : 0;
		bad.rate = i == 7 ? -1 : i == 8 ? (INT64_C(1) << 32) + 1 : 0;
		bad.id[FAIR_THROTTLE_USER] = i == 9 ? 1 : 0;
		bad.id[FAIR_THROTTLE_GROUP] = i == 10 ? 0 : FAIR_THROTTLE_NONE;
		bad.id[FAIR_THROTTLE_QOS] = i == 11 ? 1 : 0;
		r = i ? &bad : NULL;
		FAULT("fair_maui_possible: -FAIR_EINVAL a request out of range",
		      fair_maui_possible(m, r));
		FAULT("fair_maui_submit: -FAIR_EINVAL a request out of range",
		      fair_maui_submit(m, slot, r));
	}
	FAULT("fair_maui_possible: -FAIR_EINVAL nothing",
	      fair_maui_possible(NULL, good));
	FAULT("fair_maui_submit: -FAIR_EINVAL nothing",
	      fair_maui_submit(NULL, slot, good));
	FAULT("fair_maui_submit: -FAIR_EINVAL no such slot",
	      fair_maui_submit(m, m->jobs, good));
	bad = *good;
	bad.procs = 6;
	FAULT("fair_maui_possible: -FAIR_ERANGE not even alone",
	      fair_maui_possible(m, &bad));
	FAULT("fair_maui_submit: -FAIR_ERANGE not even alone",
	      fair_maui_submit(m, slot, &bad));
}

/* It is 5: job 0 of 3 processors runs until 10, job 1 waits. */
static void maui_jobs(struct fair_maui *m)
{
	struct fair_priority_parts parts;

	memset(&parts, FILL, sizeof(parts));
	keep(&parts, sizeof(parts));
	FAULT("fair_maui_modify: -FAIR_EINVAL no processor",
	      fair_maui_modify(m, 1, 0, 10));
	FAULT("fair_maui_modify: -FAIR_EINVAL no walltime",
	      fair_maui_modify(m, 1, 3, 0));
	FAULT("fair_maui_modify: -FAIR_ERANGE not even alone",
	      fair_maui_modify(m, 1, 6, 10));
	FAULT("fair_maui_parts: -FAIR_EINVAL nothing",
	      fair_maui_parts(NULL, 1, 0, 10, &parts));
	FAULT("fair_maui_parts: -FAIR_EINVAL no such slot",
	      fair_maui_parts(m, 3, 0, 10, &parts));
	FAULT("fair_maui_parts: -FAIR_EINVAL submitted in the future",
	      fair_maui_parts(m, 1, 6, 10, &parts));
	FAULT("fair_maui_parts: -FAIR_EINVAL no walltime",
	      fair_maui_parts(m, 1, 0, 0, &parts));
	FAULT("fair_maui_parts: -FAIR_EINVAL nowhere to write",
	      fair_maui_parts(m, 1, 0, 10, NULL));
	FAULT("fair_maui_start: -FAIR_EINVAL before the origin",
	      fair_maui_start(m, -1, 1, 10));
	FAULT("fair_maui_start: -FAIR_EINVAL ends as it begins",
	      fair_maui_start(m, 5, 1, 5));
	FAULT("fair_maui_start: -FAIR_ERANGE a hard limit",
	      fair_maui_start(m, 5, 1, 10));
	FAULT("fair_maui_move: -FAIR_EINVAL ended before the origin",
	      fair_maui_move(m, 0, -1, 20));
	FAULT("fair_maui_move: -FAIR_EINVAL ends before the origin",
	      fair_maui_move(m, 0, 10, -1));
	FAULT("fair_maui_move: -FAIR_ERANGE never started for so long",
	      fair_maui_move(m, 0, 11, 20));
	FAULT("fair_maui_finish: -FAIR_EINVAL ends before the origin",
	      fair_maui_finish(m, 0, -1));
	FAULT("fair_maui_finish: -FAIR_ERANGE never started for so long",
	      fair_maui_finish(m, 0, 11));
	free(kept[--keeps].copy);	/* of this frame */
}

static void maui(void)
{
	const struct fair_maui_config c = maui_config();
	struct fair_maui_request r = { { 0 }, 3, 0, 10, 0, 0, 0, 0 };
	size_t bytes = fair_maui_size(&c, 3), n = sizeof(struct fair_maui);
	void *memory, *other;
	struct fair_maui m, copy;
	int kind;

	maui_init();
	memory = room(bytes);
	other = room(bytes);
	memset(&copy, FILL, n);
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		r.id[kind] = c.count[kind] ? 0 : FAIR_THROTTLE_NONE;
	TEST_EQ(fair_maui_init(&m, n, memory, bytes, &c, 3, 10, 0), 0);
	TEST_EQ(fair_maui_submit(&m, 0, &r), 0);
	TEST_EQ(fair_maui_submit(&m, 1, &r), 0);
	TEST_EQ(fair_maui_start(&m, 0, 0, 10), 0);
	fair_maui_advance(&m, 5);
	keep(&m, n);
	keep(memory, bytes);
	keep(&copy, n);
	maui_requests(&m, 2, &r);
	maui_jobs(&m);
	FAULT("fair_maui_clone: -FAIR_EINVAL no copy",
	      fair_maui_clone(NULL, other, bytes, &m));
	FAULT("fair_maui_clone: -FAIR_EINVAL no memory",
	      fair_maui_clone(&copy, NULL, bytes, &m));
	FAULT("fair_maui_clone: -FAIR_EINVAL nothing",
	      fair_maui_clone(&copy, other, bytes, NULL));
	FAULT("fair_maui_clone: -FAIR_ENOMEM one byte less",
	      fair_maui_clone(&copy, other, bytes - 1, &m));
	forget();
	TEST_EQ(fair_maui_clone(&copy, other, bytes, &m), 0);
	TEST_EQ(fair_maui_check(&copy), 0);
	/* Of nobody: no limit is asked. */
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		r.id[kind] = FAIR_THROTTLE_NONE;
	r.procs = INT32_MAX - 2;
	TEST_EQ(fair_maui_submit(&m, 2, &r), 0);
	keep(&m, n);
	keep(memory, bytes);
	FAULT("fair_maui_start: -FAIR_EOVERFLOW too many in use",
	      fair_maui_start(&m, 5, 2, 10));
	leave();
}

int main(void)
{
	memset(&out, FILL, sizeof(out));
	TEST_RUN(profile);
	TEST_RUN(usage);
	TEST_RUN(queue);
	TEST_RUN(priority);
	TEST_RUN(sfs);
	TEST_RUN(fairness);
	TEST_RUN(throttle);
	TEST_RUN(relshare);
	TEST_RUN(penalty);
	TEST_RUN(backfill);
	TEST_RUN(conservative);
	TEST_RUN(maui);
	return test_report();
}
