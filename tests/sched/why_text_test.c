/* SPDX-License-Identifier: MIT OR Unlicense */
/* Every sentence about a job that waits, and no sentence without its reason. */
#include "fairsched.h"
#include "tests/test.h"

#define FIRST "Job 7 has waited for 20 s and is the first in the queue."
#define NEVER " If nothing changes it will not start."

/* At 30; it is 3 s long, and nothing is known of it. */
static struct fair_why nothing(uint32_t reasons)
{
	struct fair_why w = { .job.number = 7,
			      .job.submit = 10,
			      .job.procs = 5,
			      .now = 30,
			      .reasons = reasons };

	w.promise = w.until = FAIR_FOREVER;
	w.unknown = FAIR_UNKNOWN_PROCS | FAIR_UNKNOWN_WALLTIME |
		    FAIR_UNKNOWN_UNTIL;
	return w;
}

static void says(const struct fair_why *w, const char *first, const char *more)
{
	char text[1024], want[1024];
	int length = snprintf(want, sizeof(want), "%s%s", first, more);

	TEST_EQ(fair_why_text(w, text, sizeof(text)), length);
	TEST_CHECK(!strcmp(text, want));
	if (strcmp(text, want))
		printf("%s\n%s\n", text, want);
}

TEST(places)
{
	struct fair_why w = nothing(0);

	w.not_before = FAIR_FOREVER; /* no start of it was refused */
	says(&w, FIRST, "");
	w = nothing(0);
	w.ahead = 1;
	says(&w, "Job 7 has waited for 20 s, 1 job is ahead of it.", "");
	w.ahead = 2;
	w.job.submit = 31;
	w.job.number = 0;
	says(&w, "Job 0 has waited for -1 s, 2 jobs are ahead of it.", "");
}

TEST(sizes_and_starts)
{
	static const struct {
		uint32_t unknown;
		int32_t procs;
		int64_t walltime, promise, until;
		const char *text;
	} is[] = {
		{ 0, 0, 0, FAIR_FOREVER, FAIR_FOREVER,
		  " No smaller size would start now." NEVER },
		{ FAIR_UNKNOWN_UNTIL, 0, 0, 90, 80,
		  " No smaller size would start now. A start is reserved for "
		  "it at 90." },
		{ FAIR_UNKNOWN_PROCS, 4, 0, 90, 90,
		  " A start is reserved for it at 90." },
		{ FAIR_UNKNOWN_WALLTIME, 0, 10, 90, 80,
		  " A start is reserved for it at 90. If nothing changes it "
		  "starts at 80." },
		{ FAIR_UNKNOWN_PROCS, 4, 10, FAIR_FOREVER, 80,
		  " It would start now with a walltime of 10 s. If nothing "
		  "changes it starts at 80." },
		{ FAIR_UNKNOWN_WALLTIME | FAIR_UNKNOWN_UNTIL, 4, 10,
		  FAIR_FOREVER, 80, " It would start now with 4 processors." },
		{ FAIR_UNKNOWN_UNTIL, 1, 10, FAIR_FOREVER, 80,
		  " It would start now with 1 processor, or with a walltime "
		  "of 10 s." },
		{ FAIR_UNKNOWN_UNTIL, 2, 0, FAIR_FOREVER, 80,
		  " It would start now with 2 processors." },
		{ FAIR_UNKNOWN_UNTIL, 0, 1, FAIR_FOREVER, 80,
		  " It would start now with a walltime of 1 s." },
	};
	struct fair_why w = nothing(0);
	size_t i;

	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		w.unknown = is[i].unknown;
		w.procs = is[i].procs;
		w.walltime = is[i].walltime;
		w.promise = is[i].promise;
		w.until = is[i].until;
		says(&w, FIRST, is[i].text);
	}
}

TEST(reasons)
{
	struct fair_why w = nothing(FAIR_WHY_REFUSED | FAIR_WHY_CAP |
				    FAIR_WHY_NOTHING);

	w.not_before = 7;
	says(&w, FIRST,
	     " Its start was refused until 7. Its user, group, "
	     "account, QOS or queue has used more than its cap. Nothing "
	     "prevents its start: the next change of the plan may start it.");
	w = nothing(FAIR_WHY_REFUSED);
	w.not_before = FAIR_FOREVER;
	says(&w, FIRST, " Its start was refused until a retry.");
	w = nothing(FAIR_WHY_TARGET);
	w.occupancy = 12;
	w.target = 3;
	says(&w, FIRST, " Its account occupies 12 processors, above its "
			"target of 3.");
	w = nothing(FAIR_WHY_MACHINE | FAIR_WHY_PROCS);
	w.machine = 4;
	says(&w, FIRST, " It needs 5 processors, and the machine has 4 at "
			"present.");
}

TEST(blockers)
{
	struct fair_why w = nothing(FAIR_WHY_PROCS);
	uint32_t i;

	w.free = 2;
	w.free_at = 60;
	w.blockers = 1;
	for (i = 0; i < FAIR_BLOCKERS; i++) {
		w.blocker[i].number = i + 20;
		w.blocker[i].start = 70 + i;
	}
	says(&w, FIRST, " It needs 5 processors: 2 are free, enough from 60 "
			"on, after the end of job 20.");
	w.reasons |= FAIR_WHY_BEHIND;
	w.blockers = 2;
	says(&w, FIRST, " It needs 5 processors: 2 are free, enough from 60 "
			"on. No job may pass jobs 20, 21.");
	w.reasons = FAIR_WHY_DELAY;
	w.blockers = 8;
	says(&w, FIRST, " Now it would delay jobs 20, 21, 22, 23, 24, 25, 26, "
			"27, due to start at 70.");
	w.blockers = 9;
	says(&w, FIRST, " Now it would delay jobs 20, 21, 22, 23, 24, 25, 26, "
			"27 and 1 more, due to start at 70.");
}

TEST(limits)
{
	static const char *const kind[] = { "user", "group", "account", "QOS",
					    "queue" };
	static const char *const resource[] = { "jobs", "processors", "nodes",
						"MB", "processor-seconds" };
	struct fair_why w = nothing(FAIR_WHY_LIMIT);
	char text[256];
	uint32_t i;

	for (i = 0; i < 5; i++) {
		w.limit.kind = i;
		w.limit.resource = 4 - i;
		w.limit.asked = 11;
		w.limit.used = 22;
		w.limit.limit = 30;
		snprintf(text, sizeof(text),
			 " It asks for 11 %s beside the 22 in use; the limit "
			 "of its %s is 30.",
			 resource[4 - i], kind[i]);
		says(&w, FIRST, text);
	}
}

TEST(advances)
{
	static const struct {
		uint32_t kind;
		int64_t from;
		const char *text;
	} is[] = {
		{ FAIR_ADVANCE_MAINTENANCE, 31,
		  " It would run into the maintenance window at 31." },
		{ FAIR_ADVANCE_USER, 31,
		  " It would run into the advance reservation at 31." },
		{ FAIR_ADVANCE_MAINTENANCE, 30,
		  " 6 processors are unavailable for maintenance until 40." },
		{ FAIR_ADVANCE_USER, 30,
		  " 6 processors are reserved in advance until 40." },
	};
	struct fair_why w = nothing(FAIR_WHY_ADVANCE);
	size_t i;

	w.advance.to = 40;
	w.advance.procs = 6;
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		w.advance.kind = is[i].kind;
		w.advance.from = is[i].from;
		says(&w, FIRST, is[i].text);
	}
}

/* Ineligible: no place in the queue, and no size that would start. */
TEST(ineligible)
{
	const char *first = "Job 7 has waited for 20 s.";
	struct fair_why w = nothing(FAIR_WHY_INELIGIBLE);

	w.ahead = 1;
	w.unknown = 0;
	w.ineligible.begin = 30;
	w.ineligible.after = UINT64_MAX;
	says(&w, first, NEVER);
	w.ineligible.held = true;
	w.ineligible.begin = 31;
	w.ineligible.end = FAIR_AFTER_ANY;
	says(&w, first, " It is held. Its begin time is 31. It waits for the "
			"end of job 18446744073709551615." NEVER);
	w.ineligible.end = FAIR_AFTER_NEVER_SATISFIED;
	w.ineligible.held = false;
	says(&w, first, " Its begin time is 31. Its dependency on job "
			"18446744073709551615 is never satisfied." NEVER);
}

TEST(bound_jobs)
{
	const char *first = "Job 7 has waited for 20 s.";
	struct fair_why w = nothing(FAIR_WHY_INELIGIBLE | FAIR_WHY_OWN_ADVANCE);

	w.job.advance = UINT64_MAX - 1;
	says(&w, first,
	     " Its advance reservation, 18446744073709551614, is over or was "
	     "withdrawn.");
	w.advance.procs = 1;
	w.advance.from = 31;
	w.advance.to = 50;
	says(&w, first,
	     " Its advance reservation, 18446744073709551614, has no room for "
	     "it before its end at 50.");
	w.promise = 45;
	says(&w, first,
	     " Its advance reservation, 18446744073709551614, begins at 31."
	     " A start is reserved for it at 45.");
	w.advance.from = 30;
	says(&w, first,
	     " It waits for room in its advance reservation, "
	     "18446744073709551614. A start is reserved for it at 45.");
}

/* No byte more than there is room for; the length is that of the whole. */
TEST(cut)
{
	enum { LENGTH = sizeof(FIRST) - 1 };
	char text[LENGTH + 4], want[sizeof(text)];
	struct fair_why w = nothing(0);
	size_t size;

	for (size = 0; size <= LENGTH + 2; size++) {
		memset(text, '#', sizeof(text));
		memset(want, '#', sizeof(want));
		memcpy(want + 1, FIRST, size < LENGTH ? size : LENGTH);
		if (size)
			want[size <= LENGTH ? size : LENGTH + 1] = 0;
		TEST_EQ(fair_why_text(&w, text + 1, size), LENGTH);
		TEST_CHECK(!memcmp(text, want, sizeof(want)));
	}
}

TEST(dependencies)
{
	const char *first = "Job 7 has waited for 20 s.";
	struct fair_why w = nothing(FAIR_WHY_INELIGIBLE);

	w.ineligible.after = 5;
	w.ineligible.end = FAIR_AFTER_ANY;
	w.dependencies = 1;
	says(&w, first, " It waits for the end of job 5.");
	w.dependencies = 2;
	says(&w, first, " It waits for the end of job 5. It has 2 "
			"dependencies.");
}

TEST(nodes)
{
	struct fair_why w = nothing(FAIR_WHY_NODES);

	w.job.chunks = 4;
	w.job.per_node = 1;
	w.resources = 1;
	w.chunk[0] = 2;
	w.hosted = 3;
	w.free_at = 60;
	w.freed_by = 9;
	says(&w, FIRST, " It needs 4 nodes with 2 free processors each: at "
			"most 3 have that before job 9 ends at 60.");
}

TEST(accounts_of_a_tree)
{
	struct fair_why w = nothing(FAIR_WHY_TREE);
	uint32_t i;

	w.job.user = 5;
	w.tree.first = 3;
	w.tree.user = 6;
	for (i = 0; i < 2; i++) {
		w.tree.node[i] = i ? 6 : 1;
		w.tree.account[i] = 4;
		w.tree.part[i].used = (10 + i) * FAIR_USAGE_POINT;
		w.tree.part[i].owed = (20 + i) * FAIR_USAGE_POINT;
	}
	says(&w, FIRST,
	     " It is of user 5, behind job 3 of user 6: account 1 has used 10 "
	     "percent of account 4 and has 20 percent of its shares, user 6 "
	     "has used 11 percent of account 4 and has 21 percent of its shares.");
}
