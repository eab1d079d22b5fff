/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * place_test.c - jobs on nodes: place.h beside a naive placer, which puts one
 * part after the other on a node that it looks for among all
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tools/fairsched/sim/place.h"
#include "tools/fairsched/trace/jobs.h"

static const char machine_text[] = "class,count,cpus,ram,gpus,licence*\n"
				   "a,3,4,8K,,5\n"
				   "b,4,8,4K,2,\n"
				   "c,2,6,16K,1,\n";

enum { NODES = 9, RESOURCES = 4, JOBS = 24 };

static const int64_t amounts[NODES][RESOURCES] = {
	{ 4, 8192, 0, 0 }, { 4, 8192, 0, 0 }, { 4, 8192, 0, 0 },
	{ 8, 4096, 2, 0 }, { 8, 4096, 2, 0 }, { 8, 4096, 2, 0 },
	{ 8, 4096, 2, 0 }, { 6, 16384, 1, 0 }, { 6, 16384, 1, 0 },
};
static const int node_class[NODES] = { 0, 0, 0, 1, 1, 1, 1, 2, 2 };

static uint64_t seed;

static uint32_t draw(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(seed >> 33) % n;
}

/* ---- the naive placer ---- */

struct naive {
	int64_t left[NODES][RESOURCES];
	int32_t used[JOBS][NODES]; /* parts of a job on a node */
};

static bool has(const int64_t *left, const int64_t *need)
{
	int r;

	for (r = 0; r < RESOURCES; r++)
		if (left[r] < need[r])
			return false;
	return true;
}

static int find_node(const struct naive *n, const int64_t *need, int k,
		     bool best)
{
	int found = -1, i;

	for (i = 0; i < NODES; i++) {
		if ((k >= 0 && node_class[i] != k) || !has(n->left[i], need))
			continue;
		if (found < 0 || (best && n->left[i][0] < n->left[found][0]))
			found = i;
	}
	return found;
}

static void naive_give(struct naive *n, int job, const int64_t *need)
{
	int i, r;

	for (i = 0; i < NODES; i++) {
		for (r = 0; r < RESOURCES; r++)
			n->left[i][r] += n->used[job][i] * need[r];
		n->used[job][i] = 0;
	}
}

static bool naive_take(struct naive *n, int job, const int64_t *need,
		       int32_t parts, int k, bool best)
{
	int i, r;

	while (parts--) {
		i = find_node(n, need, k, best);
		if (i < 0) {
			naive_give(n, job, need);
			return false;
		}
		for (r = 0; r < RESOURCES; r++)
			n->left[i][r] -= need[r];
		n->used[job][i]++;
	}
	return true;
}

/* ---- both ---- */

struct both {
	struct machine m;
	struct place_jobs jobs;
	struct place place;
	struct naive naive;
	int64_t end[JOBS]; /* of those that run; 0: it does not */
	struct swf t;
};

static void compare(const struct both *b)
{
	int i, r;

	for (i = 0; i < NODES; i++)
		for (r = 0; r < RESOURCES - 1; r++)
			TEST_EQ(b->place.free[i * RESOURCES + r],
				b->naive.left[i][r]);
}

static const struct place_part *part_of(const struct both *b, int job,
					const int64_t **need)
{
	const struct place_part *p = &b->jobs.part[b->jobs.first[job]];

	TEST_EQ(b->jobs.first[job + 1] - b->jobs.first[job], 1);
	*need = b->jobs.amount + p->amount;
	return p;
}

/* The first end after which the naive placer has room. */
static int64_t naive_when(const struct both *b, int job, int k, bool best)
{
	const struct place_part *p;
	const int64_t *need;
	struct naive copy = b->naive;
	int64_t now = 0, next;
	int i;

	for (;;) {
		next = INT64_MAX;
		for (i = 0; i < JOBS; i++)
			if (b->end[i] > now && b->end[i] < next)
				next = b->end[i];
		if (next == INT64_MAX)
			return next;
		now = next;
		for (i = 0; i < JOBS; i++) {
			part_of(b, i, &need);
			if (b->end[i] == now)
				naive_give(&copy, i, need);
		}
		p = part_of(b, job, &need);
		if (naive_take(&copy, job, need, p->count, k, best))
			return now;
	}
}

static void one_step(struct both *b, bool best)
{
	int job = (int)draw(JOBS), k = (int)draw(4) - 1;
	const struct place_part *p;
	const int64_t *need;
	uint32_t where = k < 0 ? PLACE_ANY : (uint32_t)k;
	int64_t end = 1 + draw(1000);
	bool took, can;

	p = part_of(b, job, &need);
	if (b->end[job]) {
		place_give(&b->place, (size_t)job);
		naive_give(&b->naive, job, need);
		b->end[job] = 0;
		return;
	}
	can = place_can(&b->place, (size_t)job, where);
	took = place_take(&b->place, (size_t)job, where, end);
	TEST_EQ(can, took);
	TEST_EQ(took,
		naive_take(&b->naive, job, need, p->count, k, best));
	if (took)
		b->end[job] = end;
	else
		TEST_EQ(place_when(&b->place, (size_t)job, where),
			naive_when(b, job, k, best));
}

static void draw_jobs(char *text, size_t size)
{
	size_t n = (size_t)snprintf(text, size,
				    "submit,run,procs,ram,gpus\n");
	int i;

	for (i = 0; i < JOBS; i++)
		n += (size_t)snprintf(text + n, size - n, "0,1,%u,%u,%u\n",
				      1 + draw(6), draw(3) ? draw(6000) : 0,
				      draw(3) ? 0 : 1 + draw(2));
}

/* The rows of a jobs CSV, as trace_read() takes them. */
static void open_both(struct both *b, bool best)
{
	struct sacct_options o = { 0 };
	char text[4096], error[PLACE_ERROR];
	struct sacct s;
	size_t i;

	memset(b, 0, sizeof(*b));
	TEST_EQ(machine_parse(&b->m, "m", machine_text, strlen(machine_text)),
		0);
	do {
		draw_jobs(text, sizeof(text));
		TEST_EQ(jobs_parse(&s, "j", text, strlen(text), &o), 0);
		b->t.job = calloc(JOBS, sizeof(*b->t.job));
		for (i = 0; i < JOBS; i++)
			b->t.job[i] = s.job[i].swf;
		b->t.jobs = JOBS;
		b->t.asks = s.asks;
		memset(&s.asks, 0, sizeof(s.asks));
		sacct_free(&s);
		TEST_EQ(place_jobs_open(&b->jobs, &b->m, NULL, &b->t, "j",
					error),
			0);
		if (b->t.jobs == JOBS)
			break;
		swf_free(&b->t);
	} while (true);
	TEST_EQ(place_open(&b->place, &b->jobs, best), 0);
	memcpy(b->naive.left, amounts, sizeof(amounts));
}

static void close_both(struct both *b)
{
	place_close(&b->place);
	place_jobs_free(&b->jobs);
	swf_free(&b->t);
	machine_free(&b->m);
}

TEST(placed_as_a_naive_placer_does)
{
	struct both b;
	int round, i;

	for (round = 0; round < 60; round++) {
		open_both(&b, round & 1);
		for (i = 0; i < 200; i++) {
			one_step(&b, round & 1);
			compare(&b);
		}
		close_both(&b);
	}
}

/* What a row becomes: so many parts, and each part's amounts. */
static void one_job(const char *row, int32_t count, int64_t cpus, int64_t ram,
		    int64_t gpus)
{
	struct sacct_options o = { 0 };
	char text[256], error[PLACE_ERROR];
	struct swf t = { 0 };
	struct place_jobs jobs = { 0 };
	struct machine m;
	struct sacct s;

	snprintf(text, sizeof(text),
		 "submit,run,procs,ram,gpus,licence\n0,1,%s\n", row);
	TEST_EQ(machine_parse(&m, "m", machine_text, strlen(machine_text)), 0);
	TEST_EQ(jobs_parse(&s, "j", text, strlen(text), &o), 0);
	t.job = malloc(sizeof(*t.job));
	t.job[0] = s.job[0].swf;
	t.jobs = 1;
	t.asks = s.asks;
	memset(&s.asks, 0, sizeof(s.asks));
	if (!count) {
		TEST_EQ(place_jobs_open(&jobs, &m, NULL, &t, "j", error), -1);
		TEST_EQ(t.dropped[SWF_NO_NODES], 1);
	} else {
		TEST_EQ(place_jobs_open(&jobs, &m, NULL, &t, "j", error), 0);
		TEST_EQ(jobs.part[0].count, count);
		TEST_EQ(jobs.amount[0], cpus);
		TEST_EQ(jobs.amount[1], ram);
		TEST_EQ(jobs.amount[2], gpus);
		TEST_EQ(jobs.amount[3], 0);
	}
	place_jobs_free(&jobs);
	swf_free(&t);
	sacct_free(&s);
	machine_free(&m);
}

TEST(parts_of_a_job)
{
	one_job("8,1000,2,5", 2, 4, 500, 1); /* the licence is on no node */
	one_job("8,1001,,", 8, 1, 126, 0);
	one_job("3,100,2,", 1, 3, 100, 2);
	one_job("6,,4,", 2, 3, 0, 2);
	one_job("9,,2,", 0, 0, 0, 0); /* one part of 9 processors */
	one_job("1,1M,,", 0, 0, 0, 0); /* more memory than any node has */
	one_job("56,,,", 56, 1, 0, 0); /* the whole machine */
}
