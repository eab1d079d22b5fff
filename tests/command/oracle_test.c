/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Every start, first promise and fair start time of the KTH trace is the
 * oracle's, under four policies; the starts are still with other ids, other
 * users and other times, so that nothing depends on them.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/base/threads.h"
#include "tools/fairsched/sim/fst.h"
#include "tools/fairsched/sim/sim.h"

#define ORACLE "oracle/KTH-SP2-1996-2.tsv.gz"
#define TRACE "traces/KTH-SP2-1996-2.swf.gz"

static const struct {
	const char *name;
	uint32_t policy;
	const char *start, *promise; /* columns */
} policies[] = {
	{ "easy", FAIR_BACKFILL, "easy_start", NULL },
	{ "conservative", FAIR_CONSERVATIVE, "conservative_start",
	  "conservative_promised_start" },
	{ "pc", FAIR_PC, "pc_start", "pc_promised_start" },
	{ "dc", FAIR_DC, "dc_start", "dc_promised_start" },
};

/* The oracle, one row a job, and the names of its columns. */
struct table {
	char *text;
	char *column[32];
	size_t columns, rows;
	int64_t *cell; /* row by row */
};

static size_t count(const char *text, char c)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

/* Cuts the first line of text into columns; returns the second. */
static char *table_names(struct table *t)
{
	char *p = t->text, *end = strchr(t->text, '\n');

	*end = '\0';
	for (p = strtok(t->text, "\t"); p && t->columns < 32;
	     p = strtok(NULL, "\t"))
		t->column[t->columns++] = p;
	return end + 1;
}

static int table_read(struct table *t, const char *path)
{
	char error[256], *p;
	size_t bytes, i;

	memset(t, 0, sizeof(*t));
	if (read_file(path, &t->text, &bytes, error, sizeof(error)))
		return -1;
	t->rows = count(t->text, '\n') - 1;
	p = table_names(t);
	t->cell = malloc(t->rows * t->columns * sizeof(*t->cell));
	if (!t->cell)
		return -1;
	for (i = 0; i < t->rows * t->columns; i++)
		t->cell[i] = strtoll(p, &p, 10);
	return 0;
}

static size_t table_column(const struct table *t, const char *name)
{
	size_t i = 0;

	while (i < t->columns && strcmp(t->column[i], name))
		i++;
	TEST_CHECK(i < t->columns);
	return i < t->columns ? i : 0;
}

/* @shift: how much later than the oracle's all times are. */
static void compare(const struct table *oracle, size_t policy,
		    const struct swf *t, const struct sim_result *result,
		    int64_t shift)
{
	size_t i, start = table_column(oracle, policies[policy].start);
	const char *name = policies[policy].promise;
	size_t promise = name ? table_column(oracle, name) : 0;
	const int64_t *row = oracle->cell;

	for (i = 0; i < t->jobs; i++, row += oracle->columns) {
		TEST_EQ(result[i].start - shift, row[start]);
		if (name)
			TEST_EQ(result[i].promise - shift, row[promise]);
		else
			TEST_CHECK(result[i].promise == FAIR_FOREVER);
	}
}

static void run(const struct table *oracle, const struct swf *t, int64_t shift,
		const char *how)
{
	struct sim_result *result = malloc(t->jobs * sizeof(*result));
	struct sim_rules rules = { 0 };
	struct sim_totals totals;
	char name[64];
	size_t p;

	if (!result)
		abort();
	for (p = 0; p < sizeof(policies) / sizeof(*policies); p++) {
		snprintf(name, sizeof(name), "oracle %s%s", policies[p].name,
			 how);
		test_case(name);
		rules.policy = policies[p].policy;
		rules.order = FAIR_ORDER_FCFS;
		rules.depth = 1;
		rules.procs = t->procs;
		TEST_OK(sim_run(&rules, t->job, t->jobs, NULL, result,
				&totals));
		TEST_EQ(t->jobs, oracle->rows);
		compare(oracle, p, t, result, shift);
	}
	free(result);
}

static void *help(void *fst)
{
	int error = fst_help(fst);

	if (error)
		abort();
	return NULL;
}

static void compare_fst(const struct table *oracle, const char *policy,
			const struct fst *f)
{
	const int64_t *row = oracle->cell;
	char name[64];
	size_t i, strict, relaxed;

	snprintf(name, sizeof(name), "%s_strict_fst", policy);
	strict = table_column(oracle, name);
	snprintf(name, sizeof(name), "%s_relaxed_fst", policy);
	relaxed = table_column(oracle, name);
	for (i = 0; i < oracle->rows; i++, row += oracle->columns) {
		TEST_EQ(f->time[i].strict, row[strict]);
		TEST_EQ(f->time[i].relaxed, row[relaxed]);
	}
}

static void run_fst(const struct table *oracle, const struct swf *t, size_t p,
		    size_t threads)
{
	struct sim_result *result = malloc(t->jobs * sizeof(*result));
	struct sim_rules rules = { 0 };
	struct sim_totals totals;
	char name[64];
	struct fst f;

	if (!result)
		abort();
	snprintf(name, sizeof(name), "oracle %s, fair start times, %zu threads",
		 policies[p].name, threads);
	test_case(name);
	rules.policy = policies[p].policy;
	rules.depth = 1;
	rules.procs = t->procs;
	TEST_EQ(sim_run(&rules, t->job, t->jobs, NULL, result, &totals), 0);
	TEST_EQ(fst_open(&f, &rules, t->job, t->jobs, result, &totals), 0);
	fst_begin(&f);
	threads_run(threads, help, &f);
	compare_fst(oracle, policies[p].name, &f);
	fst_close(&f);
	free(result);
}

/* The trace under other names and at another time, through the reader. */
static void disguise(const struct swf *t, int64_t shift, char **text,
		     size_t *bytes)
{
	FILE *f = open_memstream(text, bytes);
	struct swf_job j;
	size_t i;

	if (!f)
		abort();
	fputs("; MaxProcs: 100\n", f);
	for (i = 0; i < t->jobs; i++) {
		j = t->job[i];
		j.submit += shift;
		j.id = (int64_t)(t->jobs - i) * 3;
		j.user_id = INT64_C(90000000000000) - j.user_id * 17;
		j.group = j.executable = j.queue = 1;
		swf_write_job(f, &j, -1);
	}
	fclose(f);
}

static void run_disguised(const struct table *oracle, const struct swf *t,
			  int64_t shift, const char *how)
{
	struct swf_options o = { 0 };
	size_t bytes = 0;
	char name[64], *text = NULL;
	struct swf d;

	snprintf(name, sizeof(name), "oracle's trace%s", how);
	test_case(name);
	disguise(t, shift, &text, &bytes);
	TEST_EQ(swf_parse(&d, "disguised", text, bytes, &o), 0);
	run(oracle, &d, shift, how);
	swf_free(&d);
	free(text);
}

TEST_EACH(oracles)
{
	const struct swf_options o = { 0 };
	struct table oracle;
	struct swf t;
	size_t p;

	if (table_read(&oracle, test_shared(ORACLE)) ||
	    swf_read(&t, test_shared(TRACE), &o)) {
		test_case("oracle");
		test_skip("no oracle or no trace");
		return;
	}
	run(&oracle, &t, 0, "");
	for (p = 0; p < sizeof(policies) / sizeof(*policies); p++)
		run_fst(&oracle, &t, p, 1 + p);
	run_disguised(&oracle, &t, 1000000000, ", renamed, later");
	run_disguised(&oracle, &t, -12345678901, ", renamed, before time 0");
	swf_free(&t);
	free(oracle.text);
	free(oracle.cell);
}
