/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Real traces with the scheduler's invariants checked on the way: three of
 * them whole, of the others the first 20,000 jobs; with FAIRSCHED_FULL=1, all
 * of them to the end, but RICC under relshare.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tools/fairsched/sim/sim.h"

#define PREFIX TEST_ROUNDS(20000)

static const struct {
	const char *name;
	int32_t procs; /* 0: the header's */
	bool whole;
} traces[] = {
	{ "KTH-SP2-1996-2", 0, true },
	{ "SDSC-SP2-1998-4.2-cln", 0, true },
	{ "NASA-iPSC-1993-3.1-cln", 0, true },
	{ "LLNL-Thunder-2007-1.1-cln", 0, false },
	{ "CTC-SP2-1996-3.1-cln", 0, false },
	{ "LANL-CM5-1994-4.1-cln", 0, false },
	{ "SDSC-BLUE-2000-4.2-cln", 0, false },
	{ "SDSC-DS-2004-2.1-cln", 0, false },
	{ "LLNL-Atlas-2006-2.1-cln", 0, false },
	{ "HPC2N-2002-2.2-cln", 0, false },
	{ "RICC-2010-2", 0, false },
	{ "CERIT-SC-wagap-2013Q1-21col", 20 * 80 + 48 * 12, false },
};

static const struct {
	const char *name;
	uint32_t policy;
} policies[] = {
	{ "easy", FAIR_BACKFILL },
	{ "conservative", FAIR_CONSERVATIVE },
	{ "pc", FAIR_PC },
	{ "dc", FAIR_DC },
	{ "relshare", FAIR_RELSHARE },
};

/* Every job starts, not before it arrives, not after it was promised to. */
static void check_starts(const struct swf_job *job, size_t jobs,
			 const struct sim_result *result, bool promised)
{
	size_t i;

	for (i = 0; i < jobs; i++) {
		TEST_CHECK(result[i].start >= job[i].submit);
		TEST_CHECK(result[i].start < FAIR_FOREVER);
		TEST_CHECK(promised == (result[i].promise < FAIR_FOREVER));
		TEST_CHECK(result[i].start <= result[i].promise);
	}
}

static void run(const struct swf *t, size_t jobs, size_t policy,
		struct sim_result *result)
{
	struct sim_watch watch = { 0 };
	struct sim_totals totals;
	int error;
	struct sim_rules rules = { .policy = policies[policy].policy,
				   .order = FAIR_ORDER_FCFS,
				   .depth = 1,
				   .procs = t->procs,
				   .window = 86400 };

	/* An odd number, so that it falls in with no rhythm of the trace. */
	watch.check_every = 997;
	error = sim_run(&rules, t->job, jobs, &watch, result, &totals);
	TEST_EQ(totals.broken, 0);
	TEST_EQ(error, 0);
	if (error)
		return;
	TEST_CHECK(totals.instants > watch.check_every);
	check_starts(t->job, jobs, result, sim_promises(&rules));
	printf("%zu jobs, %" PRIu64 " instants, digest %016" PRIx64 "\n", jobs,
	       totals.instants, totals.digest);
}

/* Under relative share RICC has not been played to its end yet. */
static size_t to_play(size_t jobs, uint32_t policy)
{
	return policy == FAIR_RELSHARE && jobs > 300000 ? PREFIX : jobs;
}

static void run_policies(const struct swf *t, size_t jobs, const char *trace)
{
	struct sim_result *result = malloc(jobs * sizeof(*result));
	char name[128];
	size_t p;

	TEST_REQUIRE(result);
	for (p = 0; p < sizeof(policies) / sizeof(*policies); p++) {
		snprintf(name, sizeof(name), "%s %s", trace, policies[p].name);
		test_case(name);
		run(t, to_play(jobs, policies[p].policy), p, result);
	}
	free(result);
}

TEST_EACH(all_traces)
{
	const char *full = getenv("FAIRSCHED_FULL");
	struct swf_options o = { 0 };
	char file[128];
	struct swf t;
	size_t i, jobs;

	for (i = 0; i < sizeof(traces) / sizeof(*traces); i++) {
		snprintf(file, sizeof(file), "traces/%s.swf.gz",
			 traces[i].name);
		o.procs = traces[i].procs;
		test_case(traces[i].name);
		if (swf_read(&t, test_shared(file), &o)) {
			test_skip("no trace");
			continue;
		}
		TEST_CHECK(t.jobs > 0);
		jobs = t.jobs;
		if (!traces[i].whole && !full && jobs > PREFIX)
			jobs = PREFIX;
		run_policies(&t, jobs, traces[i].name);
		swf_free(&t);
	}
}
