/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A stream of words reads what was written, whatever the machine; it passes
 * over what it does not know, and a damage is named, never followed.
 */
#define FAIR_CHECKPOINT_IMPLEMENTATION
#include "checkpoint.h"
#include "tests/test.h"

enum { SEVEN = 7, WORDS = 64 };

/* The example of the manual: what is read at last. */
static int64_t manual(void)
{
	struct fair_checkpoint f;
	unsigned char bytes[256];
	int64_t x = -5;

	fair_checkpoint_write(&f, bytes, 7);         // NULL: counts only
	fair_checkpoint_section(&f, 1, 1, 1);        // section 1: one record of
	fair_checkpoint_record(&f);                  // one word
	fair_checkpoint_i64(&f, &x);
	size_t size = fair_checkpoint_finish(&f);

	x = 0;
	fair_checkpoint_read(&f, bytes, size, 7);
	if (fair_checkpoint_section(&f, 1, 0, 0) == 1) {
		fair_checkpoint_record(&f);
		fair_checkpoint_i64(&f, &x);         // x is -5 again
	}

	return x;
}

TEST(example_of_the_manual)
{
	TEST_EQ(manual(), -5);
}

/* Words that were put together here; nothing of it is the library's. */
struct words {
	unsigned char byte[8 * WORDS + 1];
	size_t n;
};

static void put_at(struct words *w, size_t at, uint64_t word)
{
	size_t i;

	for (i = 0; i < 8; i++)
		w->byte[8 * at + i] = (unsigned char)(word >> 8 * i);
}

static void put(struct words *w, uint64_t word)
{
	put_at(w, w->n++, word);
}

static void head(struct words *w)
{
	w->n = 0;
	put(w, UINT64_C(0x6574617473726166));
	put(w, SEVEN);
	put(w, 0);
}

static void section(struct words *w, uint64_t number, uint64_t records,
		    uint64_t width)
{
	put(w, number);
	put(w, records);
	put(w, width);
}

static uint64_t published_hash(const unsigned char *p, size_t bytes)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	while (bytes--)
		hash = (hash ^ *p++) * UINT64_C(1099511628211);
	return hash;
}

/* As it is, with the right length and the right hash. */
static size_t done(struct words *w)
{
	put_at(w, 2, 8 * (w->n + 1));
	put_at(w, w->n, published_hash(w->byte, 8 * w->n));
	return 8 * (w->n + 1);
}

static int opened(const struct words *w, size_t bytes)
{
	struct fair_checkpoint f;

	return fair_checkpoint_read(&f, w->byte, bytes, SEVEN);
}

static void open_words(struct words *w, struct fair_checkpoint *f)
{
	size_t bytes = done(w);

	TEST_EQ(fair_checkpoint_read(f, w->byte, bytes, SEVEN), 0);
	TEST_CHECK(!f->bad);
}

/* A record of one field of each kind. */
struct fields {
	uint64_t u64;
	int64_t i64;
	uint32_t u32;
	int32_t i32;
	bool flag;
};

static void fields(struct fair_checkpoint *f, struct fields *x)
{
	fair_checkpoint_record(f);
	fair_checkpoint_u64(f, &x->u64);
	fair_checkpoint_i64(f, &x->i64);
	fair_checkpoint_u32(f, &x->u32);
	fair_checkpoint_i32(f, &x->i32);
	fair_checkpoint_bool(f, &x->flag);
}

static const struct fields ends[2] = {
	{ UINT64_MAX, INT64_MIN, UINT32_MAX, INT32_MAX, true },
	{ UINT64_C(0x0102030405060708), INT64_MAX, 0, 0, false },
};

static size_t write_ends(struct fair_checkpoint *f, void *out)
{
	struct fields x;
	int i;

	fair_checkpoint_write(f, out, SEVEN);
	TEST_EQ(fair_checkpoint_section(f, 3, 2, 5), 2);
	for (i = 0; i < 2; i++) {
		x = ends[i];
		fields(f, &x);
	}
	TEST_CHECK(!f->bad);
	return fair_checkpoint_finish(f);
}

TEST(writes_words_of_8_bytes_little_endian)
{
	unsigned char got[8 * WORDS];
	struct fair_checkpoint f;
	struct words w;
	size_t bytes;

	bytes = write_ends(&f, NULL);
	memset(got, 0x5a, sizeof(got));
	TEST_EQ(write_ends(&f, got + 1), bytes);
	TEST_EQ(got[0], 0x5a);
	TEST_EQ(got[bytes + 1], 0x5a);
	head(&w);
	section(&w, 3, 2, 5);
	put(&w, UINT64_MAX);
	put(&w, (uint64_t)1 << 63);
	put(&w, UINT32_MAX);
	put(&w, INT32_MAX);
	put(&w, 1);
	put(&w, UINT64_C(0x0102030405060708));
	put(&w, INT64_MAX);
	put(&w, 0);
	put(&w, 0);
	put(&w, 0);
	TEST_EQ(done(&w), bytes);
	TEST_CHECK(!memcmp(got + 1, w.byte, bytes));
}

TEST(reads_what_was_written)
{
	unsigned char bytes[8 * WORDS];
	struct fair_checkpoint f;
	struct fields x;
	int i;

	/* At an odd place. */
	TEST_OK(fair_checkpoint_read(&f, bytes + 1, write_ends(&f, bytes + 1),
				     SEVEN));
	TEST_EQ(fair_checkpoint_section(&f, 3, 0, 0), 2);
	for (i = 0; i < 2; i++) {
		memset(&x, 0x5a, sizeof(x));
		x.flag = false;
		fields(&f, &x);
		TEST_CHECK(x.u64 == ends[i].u64 && x.i64 == ends[i].i64);
		TEST_CHECK(x.u32 == ends[i].u32 && x.i32 == ends[i].i32);
		TEST_EQ(x.flag, ends[i].flag);
	}
	TEST_CHECK(!f.bad);
	TEST_EQ(fair_checkpoint_section(&f, 4, 0, 0), 0);
	TEST_CHECK(!f.bad);
	/* Sections may be read in any order, and again. */
	TEST_EQ(fair_checkpoint_section(&f, 3, 0, 0), 2);
	fields(&f, &x);
	TEST_CHECK(x.u64 == ends[0].u64);
}

TEST(field_out_of_its_range_is_bad)
{
	static const struct {
		int kind;
		uint64_t word;
		bool bad;
	} is[] = {
		{ 2, UINT32_MAX, false },
		{ 2, (uint64_t)UINT32_MAX + 1, true },
		{ 2, UINT64_MAX, true },
		{ 3, INT32_MAX, false },
		{ 3, (uint64_t)INT32_MAX + 1, true },
		{ 3, UINT64_MAX, true }, /* -1 */
		{ 4, 0, false },
		{ 4, 1, false },
		{ 4, 2, true },
		{ 4, (uint64_t)1 << 32, true },
	};
	struct fair_checkpoint f;
	struct words w;
	struct fields x;
	size_t i;

	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		memset(&x, 0, sizeof(x));
		head(&w);
		section(&w, 1, 1, 2);
		put(&w, is[i].word);
		put(&w, 99);
		open_words(&w, &f);
		TEST_EQ(fair_checkpoint_section(&f, 1, 0, 0), 1);
		fair_checkpoint_record(&f);
		if (is[i].kind == 2)
			fair_checkpoint_u32(&f, &x.u32);
		else if (is[i].kind == 3)
			fair_checkpoint_i32(&f, &x.i32);
		else
			fair_checkpoint_bool(&f, &x.flag);
		TEST_EQ(f.bad, is[i].bad);
		TEST_CHECK(x.i32 >= 0);
		/* Reading goes on, and it stays bad. */
		fair_checkpoint_u64(&f, &x.u64);
		TEST_EQ(x.u64, 99);
		TEST_EQ(f.bad, is[i].bad);
	}
}

/* A writer's negative number of this type is bad, too. */
TEST(negative_is_bad_when_written)
{
	struct fair_checkpoint f;
	int32_t x = -1;

	fair_checkpoint_write(&f, NULL, SEVEN);
	fair_checkpoint_section(&f, 1, 1, 1);
	fair_checkpoint_i32(&f, &x);
	TEST_CHECK(f.bad);
}

TEST(missing_words_are_0_and_unknown_ones_passed_over)
{
	struct fair_checkpoint f;
	uint64_t a = 5, b = 6, c = 7;
	struct words w;

	head(&w);
	section(&w, 8, 3, 1);	/* unknown */
	put(&w, 1);
	put(&w, 2);
	put(&w, 3);
	section(&w, 9, 0, 4);	/* without a record */
	section(&w, 1, 2, 3);
	put(&w, 11);
	put(&w, 12);
	put(&w, 13);
	put(&w, 21);
	put(&w, 22);
	put(&w, 23);
	section(&w, 2, 1, 1);
	put(&w, 31);
	open_words(&w, &f);
	TEST_EQ(fair_checkpoint_section(&f, 9, 0, 0), 0);
	TEST_EQ(fair_checkpoint_section(&f, 1, 0, 0), 2);
	/* Of records of three words the reader knows one. */
	fair_checkpoint_record(&f);
	fair_checkpoint_u64(&f, &a);
	fair_checkpoint_record(&f);
	fair_checkpoint_u64(&f, &b);
	TEST_CHECK(a == 11 && b == 21);
	/* Of a record of one word the reader knows three. */
	TEST_EQ(fair_checkpoint_section(&f, 2, 0, 0), 1);
	fair_checkpoint_record(&f);
	fair_checkpoint_u64(&f, &a);
	fair_checkpoint_u64(&f, &b);
	fair_checkpoint_u64(&f, &c);
	TEST_CHECK(a == 31 && b == 0 && c == 0);
	/* Nothing is read where there is no section. */
	TEST_EQ(fair_checkpoint_section(&f, 3, 0, 0), 0);
	a = 5;
	fair_checkpoint_record(&f);
	fair_checkpoint_u64(&f, &a);
	TEST_CHECK(a == 0 && !f.bad);
}

TEST(section_of_one_record)
{
	struct fair_checkpoint f;
	uint64_t records, a;
	unsigned char bytes[8 * WORDS];
	struct words w;

	for (records = 0; records < 3; records++) {
		head(&w);
		section(&w, 1, records, 1);
		for (a = 0; a < records; a++)
			put(&w, 40 + a);
		open_words(&w, &f);
		fair_checkpoint_one(&f, 1, 1);
		TEST_EQ(f.bad, records != 1);
		a = 5;
		fair_checkpoint_u64(&f, &a);
		TEST_EQ(a, records == 1 ? 40 : 0);
	}
	open_words(&w, &f);
	fair_checkpoint_one(&f, 2, 1);
	TEST_CHECK(f.bad);
	/* What is written so is one record. */
	fair_checkpoint_write(&f, bytes, SEVEN);
	fair_checkpoint_one(&f, 6, 1);
	a = 77;
	fair_checkpoint_u64(&f, &a);
	TEST_OK(fair_checkpoint_read(&f, bytes, fair_checkpoint_finish(&f),
				     SEVEN));
	TEST_EQ(fair_checkpoint_section(&f, 6, 0, 0), 1);
}

TEST(section_of_bytes)
{
	static const char text[17] = "sixteen letters.";
	unsigned char bytes[8 * WORDS], *at;
	const unsigned char *found;
	struct fair_checkpoint f;
	size_t size, n = 5;
	uint64_t x = 3;

	fair_checkpoint_write(&f, NULL, SEVEN);
	TEST_CHECK(!fair_checkpoint_bytes(&f, 2, 16));
	size = fair_checkpoint_finish(&f);
	fair_checkpoint_write(&f, bytes, SEVEN);
	at = fair_checkpoint_bytes(&f, 2, 16);
	TEST_REQUIRE(at);
	memcpy(at, text, 16);
	TEST_EQ(fair_checkpoint_finish(&f), size);
	TEST_EQ(fair_checkpoint_read(&f, bytes, size, SEVEN), 0);
	TEST_CHECK(!fair_checkpoint_find(&f, 1, &n));
	TEST_EQ(n, 5);
	found = fair_checkpoint_find(&f, 2, &n);
	TEST_REQUIRE(found);
	TEST_EQ(n, 16);
	TEST_CHECK(!memcmp(found, text, 16));
	/* Of two records it is none. */
	fair_checkpoint_write(&f, bytes, SEVEN);
	fair_checkpoint_section(&f, 2, 2, 1);
	fair_checkpoint_u64(&f, &x);
	fair_checkpoint_u64(&f, &x);
	size = fair_checkpoint_finish(&f);
	TEST_EQ(fair_checkpoint_read(&f, bytes, size, SEVEN), 0);
	TEST_CHECK(!fair_checkpoint_find(&f, 2, &n));
	TEST_EQ(n, 16);
}

static uint32_t tens(const void *context, uint64_t number)
{
	const uint64_t *tens = (const uint64_t *)context;

	return number % *tens ? UINT32_MAX : (uint32_t)(number / *tens);
}

TEST(job_named_by_its_number)
{
	static const uint64_t ten = 10;
	struct fair_checkpoint f;
	struct words w;

	head(&w);
	section(&w, 1, 3, 1);
	put(&w, 30);
	put(&w, 35);
	put(&w, 40);
	open_words(&w, &f);
	f.find = tens;
	f.context = &ten;
	TEST_EQ(fair_checkpoint_section(&f, 1, 0, 0), 3);
	fair_checkpoint_record(&f);
	TEST_EQ(fair_checkpoint_job(&f), 3);
	TEST_CHECK(!f.bad);
	fair_checkpoint_record(&f);
	TEST_EQ(fair_checkpoint_job(&f), 0);
	TEST_CHECK(f.bad);
	fair_checkpoint_record(&f);
	TEST_EQ(fair_checkpoint_job(&f), 0); /* bad as it is */
}

/* Each reason comes before those below it. */
TEST(damage_is_named)
{
	struct fair_checkpoint f;
	struct words w;
	size_t bytes, n;

	head(&w);
	section(&w, 1, 1, 1);
	put(&w, 5);
	bytes = done(&w);
	TEST_EQ(opened(&w, bytes), 0);
	for (n = 0; n < bytes; n++)
		TEST_EQ(opened(&w, n), FAIR_CHECKPOINT_CUT);
	TEST_EQ(opened(&w, bytes + 1), FAIR_CHECKPOINT_CUT);
	w.byte[0]++;
	for (n = 0; n <= bytes; n++)
		TEST_EQ(opened(&w, n), n < 8 ? FAIR_CHECKPOINT_CUT
					     : FAIR_CHECKPOINT_FOREIGN);
	w.byte[0]--;
	TEST_EQ(fair_checkpoint_read(&f, w.byte, bytes, SEVEN - 1),
		FAIR_CHECKPOINT_VERSION);
	TEST_EQ(fair_checkpoint_read(&f, w.byte, bytes, SEVEN + 1),
		FAIR_CHECKPOINT_VERSION);
	for (n = 24; n < bytes; n++) {
		w.byte[n] ^= 0x10;
		TEST_EQ(opened(&w, bytes), FAIR_CHECKPOINT_CHECKSUM);
		w.byte[n] ^= 0x10;
	}
	/* Not of whole words, as it says itself. */
	put_at(&w, 2, bytes + 1);
	TEST_EQ(opened(&w, bytes + 1), FAIR_CHECKPOINT_CUT);
	/* The shortest there is has no section. */
	head(&w);
	TEST_EQ(opened(&w, done(&w)), 0);
}

TEST(sections_fill_the_checkpoint)
{
	static const struct {
		uint64_t records, width;
		size_t words;
		int damage;
	} is[] = {
		{ 0, 1, 0, 0 },
		{ 0, UINT64_MAX, 0, 0 },
		{ 2, 3, 6, 0 },
		{ 3, 2, 6, 0 },
		{ 2, 3, 5, FAIR_CHECKPOINT_BROKEN },
		{ 2, 3, 7, FAIR_CHECKPOINT_BROKEN }, /* half a section */
		{ 2, 3, 8, FAIR_CHECKPOINT_BROKEN },
		{ 1, 0, 0, FAIR_CHECKPOINT_BROKEN },
		{ 0, 0, 0, FAIR_CHECKPOINT_BROKEN },
		{ UINT64_MAX, 1, 6, FAIR_CHECKPOINT_BROKEN },
		{ 1, UINT64_MAX, 6, FAIR_CHECKPOINT_BROKEN },
		/* The product is 6 modulo 2^64. */
		{ (uint64_t)1 << 63, 2, 6, FAIR_CHECKPOINT_BROKEN },
		{ ((uint64_t)1 << 63) + 3, 2, 6, FAIR_CHECKPOINT_BROKEN },
	};
	struct words w;
	size_t i, k;

	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		head(&w);
		section(&w, 1, is[i].records, is[i].width);
		for (k = 0; k < is[i].words; k++)
			put(&w, 9);
		TEST_EQ(opened(&w, done(&w)), is[i].damage);
	}
}

/* Any bytes behind a right head and before a right hash: it is never left. */
TEST(anything_between_head_and_hash)
{
	uint64_t random = 1, number, records, x;
	struct fair_checkpoint f;
	struct words w;
	size_t good = 0, n, bytes;
	int round, words;

	for (round = 0; round < 20000; round++) {
		head(&w);
		words = (int)test_range(&random, 0, 20);
		while (words--)
			put(&w, (uint64_t)test_range(&random, 0, 4));
		bytes = done(&w);
		if (fair_checkpoint_read(&f, w.byte, bytes, SEVEN))
			continue;
		good++;
		for (number = 0; number < 5; number++) {
			records = fair_checkpoint_section(&f, number, 0, 0);
			for (n = 0; n < records; n++) {
				fair_checkpoint_record(&f);
				fair_checkpoint_u64(&f, &x);
				fair_checkpoint_u64(&f, &x);
				TEST_CHECK(f.in <= f.end);
			}
		}
	}
	TEST_CHECK(good > 100);
}

TEST(sentences)
{
	int i, k;

	for (i = 0; i <= FAIR_CHECKPOINT_CONFIG + 1; i++)
		for (k = 0; k < i; k++)
			TEST_CHECK(strcmp(fair_checkpoint_strerror(i),
					  fair_checkpoint_strerror(k)));
	TEST_CHECK(!strcmp(fair_checkpoint_strerror(-1), "unknown damage"));
}
