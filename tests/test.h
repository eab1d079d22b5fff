/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * test.h - what every test program prints, so that results can be counted
 *
 *	TEST(sums)
 *	{
 *		TEST_CHECK(1 < 2);		a condition
 *		TEST_EQ(1 + 1, 2);		two integers, printed if they differ
 *		TEST_OK(call());		a call that returns no error
 *		TEST_REQUIRE(pointer);		or leave the function
 *	}
 *
 *	TEST_EACH(traces)
 *	{
 *		for (i = 0; i < COUNT; i++) {
 *			test_case(trace[i]);
 *			f = fopen(test_shared(trace[i]), "r");
 *			if (!f) {
 *				test_skip("no trace");
 *				continue;
 *			}
 *			...
 *		}
 *	}
 *
 * That is the whole program: it runs them in this order. TEST is a case,
 * TEST_EACH a function that opens its cases itself.
 *
 * One line a case: "ok NAME", "not ok NAME" or "skip NAME: reason". A case that
 * checked nothing and was not skipped fails. With TEST_FIRST the program leaves
 * at the first check that fails. Checks before any case belong to "main".
 */
#ifndef FAIR_TEST_H
#define FAIR_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test {
	const char *skip;	/* reason, or NULL */
	long checks, wrong;	/* of the open case */
	long passed, failed, skipped;
	bool open;
	char name[128];		/* of the open case */
};

/* A struct fair_claim of a pool: a number of processors. */
#define CLAIM(n) (&(const struct fair_claim){ (n), 0, NULL, 0 })

/* A pointer to the one state of a program: test.h belongs in one .c file. */
static inline struct test *test_state(void)
{
	static struct test t;

	return &t;
}

static inline void test_end(void)
{
	struct test *t = test_state();

	if (!t->open)
		return;
	t->open = false;
	if (t->wrong) {
		t->failed++;
		printf("not ok %s\n", t->name);
	} else if (t->skip) {
		t->skipped++;
		printf("skip %s: %s\n", t->name, t->skip);
	} else if (!t->checks) {
		t->failed++;
		printf("not ok %s: it checked nothing\n", t->name);
	} else {
		t->passed++;
		printf("ok %s\n", t->name);
	}
	fflush(stdout);
}

/* Ends the open case, if any, and opens another. */
static inline void test_case(const char *name)
{
	struct test *t = test_state();

	test_end();
	t->open = true;
	t->skip = NULL;
	t->checks = t->wrong = 0;
	snprintf(t->name, sizeof(t->name), "%s", name);
}

/* Of this case nothing more can be said; @reason must outlive it. */
static inline void test_skip(const char *reason)
{
	if (!test_state()->open)
		test_case("main");
	test_state()->skip = reason;
}

static inline bool test_check(bool good, const char *file, int line,
			      const char *what)
{
	struct test *t = test_state();

	if (!t->open)
		test_case("main");
	t->checks++;
	if (good)
		return true;
	/* A broken loop must not fill the disk. */
	if (t->wrong++ < 20)
		printf("%s:%d: %s\n", file, line, what);
#ifdef TEST_FIRST
	exit(1);
#endif
	return false;
}

static inline bool test_equal(long long got, long long want, const char *file,
			      int line, const char *what)
{
	char text[512];

	if (got == want)
		return test_check(true, file, line, what);
	snprintf(text, sizeof(text), "%s is %lld, not %lld", what, got, want);
	return test_check(false, file, line, text);
}

/* Of a round that others repeat with other flags: --config=light. */
#ifdef TEST_LIGHT
#ifndef TEST_SHARE
#define TEST_SHARE 8
#endif
#define TEST_ROUNDS(n) (((n) + TEST_SHARE - 1) / TEST_SHARE)
#else
#define TEST_ROUNDS(n) (n)
#endif

#define TEST_CHECK(cond) ((void)test_check((cond), __FILE__, __LINE__, #cond))
#define TEST_EQ(got, want)                                               \
	((void)test_equal((long long)(got), (long long)(want), __FILE__, \
			  __LINE__, #got))
#define TEST_OK(call) TEST_EQ(call, 0) /* it returns no error */
/* While @field has another @value, which is taken back. */
#define TEST_WITH(field, value, got, want)                    \
	do {                                                  \
		unsigned char was_[sizeof(field)];            \
                                                              \
		memcpy(was_, &(field), sizeof(was_));         \
		(field) = (value);                            \
		TEST_EQ(got, want);                           \
		memcpy(&(field), was_, sizeof(was_));         \
	} while (0)
#define TEST_REQUIRE(cond)                                            \
	do {                                                          \
		if (!test_check((cond), __FILE__, __LINE__, #cond))   \
			return;                                       \
	} while (0)

/* Without a name it opens its cases itself. */
struct test_entry {
	const char *name;
	void (*run)(void);
	struct test_entry *next;
};

static struct test_entry *test_first, **test_last = &test_first;

/* Constructors run before main(), in the order of the file. */
#define TEST_ADD(function, name_of_case)                                  \
	static void function(void);                                       \
	__attribute__((constructor)) static void add_##function(void)     \
	{                                                                 \
		static struct test_entry e = { name_of_case, function, 0 }; \
                                                                          \
		*test_last = &e;                                          \
		test_last = &e.next;                                      \
	}                                                                 \
	static void function(void)
#define TEST(function) TEST_ADD(function, #function)
#define TEST_EACH(function) TEST_ADD(function, NULL)

int main(void)
{
	const struct test_entry *e;
	struct test *t = test_state();

	for (e = test_first; e; e = e->next) {
		if (e->name)
			test_case(e->name);
		e->run();
		test_end();
	}
	if (!(t->passed | t->failed | t->skipped)) {
		printf("not ok main: no test ran\n");
		return 1;
	}
	return t->failed ? 1 : 0;
}

/* The path of a shared input file; valid until the next call. */
static inline const char *test_shared(const char *file)
{
	static char path[4096];
	const char *folder = getenv("FAIRSCHED_SHARED");

	if (!folder || !*folder)
		folder = "../shared";
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	return path;
}

/* splitmix64: the same numbers on every machine. */
static inline uint64_t test_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Uniform enough in [lo, hi]. */
static inline int64_t test_range(uint64_t *state, int64_t lo, int64_t hi)
{
	uint64_t span = (uint64_t)hi - (uint64_t)lo + 1;
	uint64_t r = test_random(state);

	return (int64_t)((uint64_t)lo + (span ? r % span : r));
}

#endif /* FAIR_TEST_H */
