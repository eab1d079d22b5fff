/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Schedules as pictures: the events of each tests/golden/NAME.timeline, under
 * each policy that it names, come out as the file draws them.
 *
 *	procs 10 column 10
 *	0 submit 1 procs 10 walltime 20 runs 30
 *	0 submit 2 procs 10 walltime 10
 *	policy conservative
 *	1 |###
 *	2 |...#
 *	20: 2 moves from 20 to 40: overrun of 1
 *
 * The first line is the machine, and how many seconds a character is. An event
 * is a second, a verb, a number and its properties. A job runs for its walltime
 * if nothing else is said; '.' waits, '#' runs. "refuse" takes back the start
 * of that second. Below the jobs are the promises that moved later, and why.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "docs/examples/selective.h"
#include "tools/fairsched/base/read_file.h"
#include "fairsched.h"
#include "test.h"

#define FOLDER "tests/golden"
#define MOST 16
#define LAST 4000 /* seconds */

enum key {
	PROCS,
	COLUMN,
	WALLTIME,
	RUNS,
	TASKS,
	IN,
	AFTER,
	FROM,
	TO,
	VICTIM,
	END
};

static const char *const keys[] = { "procs", "column", "walltime", "runs",
				    "tasks", "in",     "after",	   "from",
				    "to",    "victim" };

/* By enum fair_policy; then docs/examples/selective.h, above 2. */
static const char *const policies[] = { "fcfs", "easy", "conservative",
					"pc",	"dc",	"selective" };

#define POLICIES (sizeof(policies) / sizeof(*policies))

static const char *const causes[] = {
	[FAIR_CAUSE_CAPACITY] = "lost capacity",
	[FAIR_CAUSE_OVERRUN] = "overrun",
	[FAIR_CAUSE_REFUSED] = "refused start",
	[FAIR_CAUSE_MODIFIED] = "modified",
	[FAIR_CAUSE_LATE_STEP] = "late step",
	[FAIR_CAUSE_DEFERRED] = "held",
	[FAIR_CAUSE_REQUEUED] = "requeued",
	[FAIR_CAUSE_ADVANCE] = "advance reservation",
	[FAIR_CAUSE_NO_SLOT] = "no slot",
};

/* A line of a file; value[END] is its number. */
struct event {
	int64_t at, value[END + 1];
	char verb[16];
};

struct job {
	int64_t submit, start, end, runs;
};

struct timeline {
	struct fair_sched s;
	struct event event[MOST];
	struct job job[MOST]; /* by number */
	size_t events, length;
	char moves[2000], drawn[4000];
};

static void moved(void *context, const struct fair_promise *p)
{
	struct timeline *t = (struct timeline *)context;
	char to[24] = "never";

	if (p->to <= p->from || p->cause == FAIR_CAUSE_ARRIVAL)
		return;
	if (p->to < FAIR_FOREVER)
		snprintf(to, sizeof(to), "%d", (int)p->to);
	t->length += (size_t)snprintf(
		t->moves + t->length, sizeof(t->moves) - t->length,
		"%d: %d moves from %d to %s: %s of %d\n", (int)p->made,
		(int)p->number, (int)p->from, to, causes[p->cause],
		(int)p->culprit);
}

/* Properties, two words each, into @e. */
static void properties(struct event *e, char *word)
{
	int k;

	for (; word; word = strtok(NULL, " ")) {
		for (k = 0; k < END && strcmp(keys[k], word) != 0;)
			k++;
		word = strtok(NULL, " ");
		TEST_REQUIRE(k < END && word);
		e->value[k] = strtol(word, NULL, 10);
	}
}

static int submit(struct timeline *t, const struct event *e)
{
	struct fair_eligibility until = { INT64_MIN, 0, FAIR_AFTER_OK, false };
	struct job *own = &t->job[e->value[END]];
	uint32_t i;
	struct fair_job j = { .number = (uint64_t)e->value[END],
			      .submit = e->at,
			      .procs = (int32_t)e->value[PROCS],
			      .walltime = e->value[WALLTIME],
			      .tasks = (uint32_t)e->value[TASKS],
			      .advance = (uint64_t)e->value[IN] };

	for (i = 0; i <= j.tasks; i++) {
		own[i].submit = e->at;
		own[i].start = own[i].end = FAIR_FOREVER;
		own[i].runs = e->value[RUNS] ? e->value[RUNS] : j.walltime;
		if (i + 1 >= j.tasks)
			break;
	}
	until.begin = e->value[FROM];
	until.after = (uint64_t)e->value[AFTER];
	if (!until.begin && !until.after)
		return fair_sched_submit(&t->s, e->at, &j);
	until.end = until.after ? FAIR_AFTER_OK : FAIR_AFTER_NOTHING;
	return fair_sched_submit_ineligible(&t->s, e->at, &j, &until);
}

static int happens(struct timeline *t, const struct event *e)
{
	const struct fair_eligibility held = { INT64_MIN, 0, FAIR_AFTER_NOTHING,
					 true };
	const uint64_t number = (uint64_t)e->value[END];
	const uint64_t victim = (uint64_t)e->value[VICTIM];
	const struct fair_advance b = { number,	      e->value[FROM],
					e->value[TO], (int32_t)e->value[PROCS],
					FAIR_ADVANCE_USER, 0 };

	if (!strcmp(e->verb, "submit"))
		return submit(t, e);
	if (!strcmp(e->verb, "lose")) {
		t->job[victim].end = e->at;
		return fair_sched_capacity(&t->s, e->at, -(int32_t)number,
					   &victim, victim > 0);
	}
	if (!strcmp(e->verb, "gain"))
		return fair_sched_capacity(&t->s, e->at, (int32_t)number, NULL,
					   0);
	if (!strcmp(e->verb, "reserve"))
		return fair_sched_advance_reserve(&t->s, e->at, &b, true);
	if (!strcmp(e->verb, "hold"))
		return fair_sched_defer(&t->s, e->at, number, &held);
	if (!strcmp(e->verb, "release"))
		return fair_sched_defer(&t->s, e->at, number, NULL);
	if (!strcmp(e->verb, "cancel")) {
		t->job[number].end = e->at;
		return fair_sched_cancel(&t->s, e->at, number);
	}
	return strcmp(e->verb, "refuse"); /* by starts() */
}

static bool refuses(const struct timeline *t, int64_t now, uint64_t number)
{
	size_t i;

	for (i = 0; i < t->events; i++)
		if (t->event[i].at == now &&
		    t->event[i].value[END] == (int64_t)number &&
		    !strcmp(t->event[i].verb, "refuse"))
			return true;
	return false;
}

static void starts(struct timeline *t, int64_t now)
{
	struct fair_decision start[MOST];
	bool again = false;
	size_t n, i;

	TEST_EQ(fair_sched_step(&t->s, now, start, MOST, &n), 0);
	for (i = 0; i < n; i++) {
		if (refuses(t, now, start[i].number)) {
			TEST_OK(fair_sched_refuse(&t->s, now, start[i].number));
			again = true;
			continue;
		}
		t->job[start[i].number].start = now;
		t->job[start[i].number].end =
			now + t->job[start[i].number].runs;
	}
	TEST_EQ(fair_sched_check(&t->s), 0);
	if (again && fair_sched_next(&t->s) == now)
		starts(t, now);
}

/* One second: what ends, what happens, what starts. */
static void second(struct timeline *t, int64_t now)
{
	bool due = fair_sched_next(&t->s) <= now;
	uint64_t n;
	size_t i;

	for (n = 1; n < MOST; n++)
		if (t->job[n].start < now && t->job[n].end == now) {
			TEST_EQ(fair_sched_finish(&t->s, now, n), 0);
			due = true;
		}
	for (i = 0; i < t->events; i++)
		if (t->event[i].at == now) {
			TEST_EQ(happens(t, &t->event[i]), 0);
			due = true;
		}
	if (due)
		starts(t, now);
}

/* A line each job, then the moves. */
static void draw(struct timeline *t, int64_t column)
{
	const struct job *j;
	char *p = t->drawn;
	int64_t now;
	int n;

	for (n = 1; n < MOST; n++) {
		j = &t->job[n];
		if (j->submit == FAIR_FOREVER)
			continue;
		p += snprintf(p, 8, "%d |", n);
		for (now = 0; now < j->end && now < 64 * column; now += column)
			*p++ = (char)(now < j->submit  ? ' '
				      : now < j->start ? '.'
						       : '#');
		*p++ = '\n';
	}
	memcpy(p, t->moves, t->length);
	p[t->length] = '\0';
}

static void run(struct timeline *t, uint32_t policy, const struct event *line)
{
	struct selective_policy selective = selective_above(2, 1);
	struct fair_config config = { 0 };
	size_t bytes, i;
	void *memory;
	int64_t now;

	config.policy = policy;
	if (policy == POLICIES - 1)
		config.policy = FAIR_CUSTOM;
	config.planner = &selective.ops;
	config.procs = (int32_t)line->value[PROCS];
	config.jobs = MOST;
	config.ineligible = MOST;
	config.advances = 2;
	config.promised = moved;
	config.context = t;
	bytes = fair_sched_size(&config);
	memory = malloc(bytes);
	TEST_REQUIRE(
		!fair_sched_init(&t->s, sizeof(t->s), memory, bytes, &config));
	for (i = 0; i < MOST; i++)
		t->job[i].submit = t->job[i].start = t->job[i].end =
			FAIR_FOREVER;
	t->length = 0;
	for (now = 0; now < LAST; now++)
		second(t, now);
	draw(t, line->value[COLUMN]);
	free(memory);
}

/* Up to the next policy; @text is cut there. */
static void compare(struct timeline *t, const struct event *line,
		    const char *name, const char *text)
{
	uint32_t policy = 0;

	while (policy < POLICIES && strcmp(policies[policy], name) != 0)
		policy++;
	TEST_REQUIRE(policy < POLICIES);
	run(t, policy, line);
	if (strcmp(t->drawn, text) != 0)
		printf("%s:\n%s", name, t->drawn);
	TEST_CHECK(!strcmp(t->drawn, text));
}

/* One line of events, without its comment. */
static void read_event(struct timeline *t, struct event *first, char *line)
{
	struct event *e = &t->event[t->events];
	char *word = strtok(line, " ");

	if (!word || *word == '#')
		return;
	if (*word < '0' || *word > '9') {
		properties(first, word);
		return;
	}
	TEST_REQUIRE(t->events + 1 < MOST);
	memset(e, 0, sizeof(*e));
	e->at = strtol(word, NULL, 10);
	snprintf(e->verb, sizeof(e->verb), "%s", strtok(NULL, " "));
	word = strtok(NULL, " ");
	TEST_REQUIRE(word);
	e->value[END] = strtol(word, NULL, 10);
	properties(e, strtok(NULL, " "));
	t->events++;
}

static void timeline(const char *name)
{
	static struct timeline t;
	struct event first;
	char path[300], error[256], *text, *line, *end, *next;
	size_t bytes;

	test_case(name);
	memset(&t, 0, sizeof(t));
	memset(&first, 0, sizeof(first));
	snprintf(path, sizeof(path), FOLDER "/%s", name);
	TEST_REQUIRE(!read_file(path, &text, &bytes, error, sizeof(error)));
	for (line = text; strncmp(line, "policy ", 7) != 0; line = end + 1) {
		end = strchr(line, '\n');
		TEST_REQUIRE(end);
		*end = '\0';
		read_event(&t, &first, line);
	}
	for (; line; line = next) {
		next = strstr(line + 1, "\npolicy ");
		if (next)
			*++next = '\0';
		end = strchr(line, '\n');
		TEST_REQUIRE(end);
		*end = '\0';
		compare(&t, &first, line + 7, end + 1);
		if (next)
			*next = 'p';
	}
	free(text);
}

TEST_EACH(timelines)
{
	const struct dirent *e;
	DIR *folder = opendir(FOLDER);
	const char *suffix;

	TEST_CHECK(folder);
	while (folder && (e = readdir(folder)) != NULL) {
		suffix = strrchr(e->d_name, '.');
		if (suffix && !strcmp(suffix, ".timeline"))
			timeline(e->d_name);
	}
	if (folder)
		closedir(folder);
}
