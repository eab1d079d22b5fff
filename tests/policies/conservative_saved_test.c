/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A plan whose compression was cut short is saved, loaded, and goes on to the
 * same reservations.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/promises.h"

static unsigned char saved[1024];

static size_t save(const struct site *s)
{
	struct fair_checkpoint f;

	fair_checkpoint_write(&f, saved, 1);
	fair_conservative_save(&s->c, &f);
	TEST_CHECK(!f.bad);
	return fair_checkpoint_finish(&f);
}

/* Slots are numbers here; of those, job 0 runs. */
static uint32_t slot_of(const void *context, uint64_t number)
{
	const struct site *s = (const struct site *)context;

	return number && number < s->used ? (uint32_t)number : UINT32_MAX;
}

static bool load(struct site *s, size_t bytes)
{
	struct fair_checkpoint f;

	TEST_EQ(fair_checkpoint_read(&f, saved, bytes, 1), 0);
	f.find = slot_of;
	f.context = s;
	fair_conservative_load(&s->c, &f);
	return !f.bad;
}

/* Job 0 ends early, at 10; six jobs wait that can all move, and job 7, if it is
 * there, has no place. */
static void early_end(struct site *s, uint32_t compression, bool wide)
{
	uint32_t i;

	open_site(s, compression, 0);
	TEST_EQ(add(s, 0, 100, 10), 0);
	TEST_EQ(starts(s, 0), 0);
	for (i = 0; i < 6; i++)
		add(s, 1, 10 + i, 4);
	if (wide)
		add(s, 1, 10, INT32_MAX);
	TEST_OK(fair_conservative_give_back(&s->c, 10, 10, 100, CLAIM(10), s->told));
}

/* @to holds the waiting jobs of @from where they are. */
static void restore(struct site *to, const struct site *from,
		    uint32_t compression)
{
	uint32_t i;

	open_site(to, compression, 0);
	memcpy(to->job, from->job, sizeof(to->job));
	to->used = from->used;
	for (i = 1; i < from->used; i++)
		TEST_EQ(fair_conservative_restore(&to->c, 10, i, i, NULL), 0);
}

TEST(a_compression_goes_on_from_a_checkpoint)
{
	uint32_t compression, scans, i;
	struct site s, t;
	size_t bytes;

	for (compression = FAIR_COMPRESS; compression <= FAIR_COMPRESS_DELAYED;
	     compression++)
		for (scans = 0; scans < 8; scans++) {
			early_end(&s, compression, false);
			s.c.scans = scans;
			TEST_EQ(s.c.scans, scans);
			fair_conservative_compress(&s.c, 10, s.told);
			TEST_EQ(fair_conservative_is_reacting(&s.c),
				fair_conservative_is_unfinished(&s.c));
			if (!scans)
				TEST_CHECK(fair_conservative_is_reacting(&s.c));
			bytes = save(&s);
			restore(&t, &s, compression);
			TEST_CHECK(load(&t, bytes));
			TEST_EQ(fair_conservative_check(&t.c), 0);
			TEST_EQ(fair_conservative_is_reacting(&t.c),
				fair_conservative_is_reacting(&s.c));
			TEST_EQ(save(&t), bytes);
			fair_conservative_finish(&s.c, s.told);
			fair_conservative_finish(&t.c, t.told);
			/* It has no place, nor seen anything in vain. */
			(void)save(&s);
			TEST_EQ(fair_get_word(saved + 8 * (6 + 10)), 0);
			if (compression == FAIR_COMPRESS)
				TEST_CHECK(s.c.freed.from >= s.c.freed.to);
			TEST_CHECK(!fair_conservative_is_unfinished(&s.c));
			TEST_CHECK(!fair_conservative_is_unfinished(&t.c));
			for (i = 1; i < s.used; i++)
				TEST_EQ(t.job[i].rank.key, s.job[i].rank.key);
			TEST_EQ(starts(&t, 10), starts(&s, 10));
			close_site(&s);
			close_site(&t);
		}
}

static void last_first(void *context, uint32_t *slot, uint32_t jobs)
{
	uint32_t i, k;

	(void)context;
	for (i = 0; i < jobs; i++)
		for (k = i; k > 0 && slot[k] > slot[k - 1]; k--) {
			slot[k] ^= slot[k - 1];
			slot[k - 1] ^= slot[k];
			slot[k] ^= slot[k - 1];
		}
}

/* The words of the order of a scan that has paused; NULL: there is none. */
static unsigned char *saved_order(size_t bytes)
{
	unsigned char *p = saved + 8 * FAIR_CHECKPOINT_HEADER;

	while (p < saved + bytes - 8 &&
	       fair_get_word(p) != FAIR_CONSERVATIVE_ORDER)
		p += 8 * fair_checkpoint_extent(p);
	return p < saved + bytes - 8 ? p + 8 * FAIR_CHECKPOINT_HEADER : NULL;
}

/* A scan that has sorted the queue keeps its order, whatever a new one is. */
TEST(an_order_goes_on_from_a_checkpoint)
{
	uint32_t compression, scans, i;
	unsigned char *order;
	struct site s, t;
	size_t bytes;

	for (compression = FAIR_COMPRESS_PRIORITIZED;
	     compression <= FAIR_COMPRESS_DELAYED; compression++)
		for (scans = 1; scans < 8; scans++) {
			early_end(&s, compression, true);
			s.tell.sort = last_first;
			s.c.scans = scans;
			fair_conservative_compress(&s.c, 10, s.told);
			bytes = save(&s);
			order = saved_order(bytes);
			TEST_EQ(order != NULL,
				s.c.walk.kind == FAIR_CONSERVATIVE_REACTION);
			for (i = 0; order && i < 7; i++)
				TEST_EQ(fair_get_word(order + 8 * i), 7 - i);
			restore(&t, &s, compression);
			TEST_CHECK(load(&t, bytes));
			TEST_EQ(fair_conservative_check(&t.c), 0);
			fair_conservative_finish(&s.c, s.told);
			fair_conservative_finish(&t.c, t.told);
			for (i = 1; i < s.used; i++)
				TEST_EQ(t.job[i].rank.key, s.job[i].rank.key);
			TEST_EQ(save(&t), save(&s));
			close_site(&s);
			close_site(&t);
		}
}

/* With another number at @i of the order, or other words of its section. */
static bool loads_order(uint32_t kind, size_t i, uint64_t records,
			uint64_t number)
{
	unsigned char *order;
	struct site s, t;
	size_t bytes;
	bool good;

	early_end(&s, FAIR_COMPRESS_PRIORITIZED, true);
	s.tell.sort = last_first;
	s.c.scans = 1;
	fair_conservative_compress(&s.c, 10, s.told);
	bytes = save(&s);
	order = saved_order(bytes);
	if (!order)
		return false;
	fair_put_word(order - 16, records);
	fair_put_word(order - 8, 7 / records);
	fair_put_word(order + 8 * i, number);
	fair_put_word(saved + 8 * (6 + 5), kind);
	fair_put_word(saved + bytes - 8, fair_fnv(saved, bytes - 8));
	restore(&t, &s, FAIR_COMPRESS_PRIORITIZED);
	good = load(&t, bytes);
	free(s.memory);
	free(t.memory);
	return good;
}

/* Each job that waits is named once. */
TEST(orders)
{
	const uint32_t kind = FAIR_CONSERVATIVE_REACTION;

	TEST_CHECK(loads_order(kind, 0, 7, 7));
	TEST_CHECK(!loads_order(kind, 0, 7, 6));
	TEST_CHECK(!loads_order(kind, 6, 7, 2));
	TEST_CHECK(!loads_order(kind, 0, 7, 0)); /* it runs */
	TEST_CHECK(!loads_order(kind, 0, 7, 8));
	TEST_CHECK(!loads_order(kind, 0, 1, 7));
	TEST_CHECK(!loads_order(FAIR_CONSERVATIVE_REACTION_PLACES, 0, 7, 7));
}

/* A word of what was saved; the rest is as it should be. */
static bool loads_beside(bool wide, uint32_t compression, size_t word,
			 uint64_t value)
{
	struct site s, t;
	size_t bytes, i;
	bool good;

	early_end(&s, compression, wide);
	s.c.scans = 0;
	fair_conservative_compress(&s.c, 10, s.told);
	bytes = save(&s);
	for (i = 0; i < 8; i++)
		saved[8 * (6 + word) + i] = (unsigned char)(value >> 8 * i);
	value = fair_fnv(saved, bytes - 8);
	for (i = 0; i < 8; i++)
		saved[bytes - 8 + i] = (unsigned char)(value >> 8 * i);
	restore(&t, &s, compression);
	good = load(&t, bytes);
	free(s.memory);
	free(t.memory);
	return good;
}

static bool loads_with(uint32_t compression, size_t word, uint64_t value)
{
	return loads_beside(false, compression, word, value);
}

TEST(what_no_plan_can_be_is_bad)
{
	enum { KIND = 5, FROM, NUMBER = 10 };
	const int64_t far = INT64_C(1) << 60;

	TEST_CHECK(loads_with(FAIR_COMPRESS, KIND,
			      FAIR_CONSERVATIVE_REACTION));
	TEST_CHECK(loads_with(FAIR_COMPRESS, KIND, 0));
	TEST_CHECK(!loads_with(FAIR_COMPRESS, KIND,
			       FAIR_CONSERVATIVE_START_PLACES + 1));
	TEST_CHECK(loads_with(FAIR_COMPRESS, FROM, (uint64_t)-far));
	TEST_CHECK(!loads_with(FAIR_COMPRESS, FROM, (uint64_t)(-far - 1)));
	TEST_CHECK(loads_with(FAIR_COMPRESS, NUMBER, 6));
	TEST_CHECK(!loads_with(FAIR_COMPRESS, NUMBER, 7));
	/* Of those without a place, 7 is the only one. */
	TEST_CHECK(loads_beside(true, FAIR_COMPRESS, KIND,
				FAIR_CONSERVATIVE_REACTION_PLACES));
	TEST_CHECK(loads_beside(true, FAIR_COMPRESS, KIND,
				FAIR_CONSERVATIVE_START_PLACES));
	TEST_CHECK(!loads_beside(true, FAIR_COMPRESS, NUMBER, 6));
	/* A start waits for a job without a reservation, or under dc. */
	TEST_CHECK(!loads_with(FAIR_COMPRESS, KIND, FAIR_CONSERVATIVE_START));
	TEST_CHECK(loads_with(FAIR_COMPRESS_DELAYED, KIND,
			      FAIR_CONSERVATIVE_START));
}

/* Of a loss that was complete: the next one finishes it first. */
TEST(displaced_jobs)
{
	struct site s, t;
	size_t bytes;

	open_site(&s, FAIR_COMPRESS, 0);
	TEST_EQ(add(&s, 0, 100, 10), 0);
	TEST_EQ(starts(&s, 0), 0);
	TEST_EQ(add(&s, 1, 20, 10), 100);
	s.c.scans = 0;
	TEST_OK(lose(&s, 10, 110, 120, 1));
	TEST_EQ(s.c.displaced, 1);
	bytes = save(&s);
	open_site(&t, FAIR_COMPRESS, 0);
	memcpy(t.job, s.job, sizeof(t.job));
	t.used = s.used;
	TEST_OK(fair_space_change(&t.c.space, 110, 120, CLAIM(1), true));
	TEST_OK(fair_conservative_restore(&t.c, 10, 1, 1, NULL));
	TEST_CHECK(load(&t, bytes));
	TEST_EQ(t.c.displaced, 1);
	TEST_OK(fair_conservative_take(&t.c, 10, 200, 210, CLAIM(1), t.told));
	TEST_EQ(t.c.displaced, 0);
	TEST_EQ(t.job[1].rank.key, 120);
	close_site(&t);
	free(s.memory);
}
