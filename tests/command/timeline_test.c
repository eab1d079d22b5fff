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
 * if nothing else is said; '.' waits, '#' runs. "modify" gives a running job
 * another walltime, for which it runs; "refuse" takes back the start of that
 * second, and "patience" in the first line is that of the caller. Below the jobs are the promises that moved later, and why.
 *
 *	column 10
 *	class a procs 4
 *	class b procs 4 gpus 1
 *	wide licences 2
 *	0 reserve 7 procs 2 class b from 30 to 60
 *	0 submit 1 procs 4 licences 1 class ba walltime 20
 *	20 lose 2 class b
 *	policy easy
 *	1 |bb
 *	policy easy alone
 *	1 |##
 *
 * A machine of classes runs a job where its letter says. "alone" plans only the
 * processors of all classes as one pool, and fits() refuses a start while too
 * little of another resource is free. "depth 3" has three reservations.
 *
 * Policies that know users: a job has a user, 0 or 1, which is its account, too.
 * relshare: "share" in the first line is that of user 0, user 1 has 1; sfs:
 * "target" is that of both; maui: user 1 has the higher priority.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "docs/examples/selective.h"
#include "tools/fairsched/base/read_file.h"
#include "fairsched.h"
#include "tests/test.h"

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
	GPUS,
	LICENCES,
	USER,
	SHARE,
	TARGET,
	PATIENCE,
	CLASS, /* letters, the last one in the lowest byte */
	END
};

static const char *const keys[] = { "procs", "column", "walltime", "runs",
				    "tasks", "in",     "after",	   "from",
				    "to",    "victim",   "gpus",  "licences",
				    "user",  "share",    "target", "patience",
				    "class" };

static const struct policy {
	const char *name;
	uint32_t policy, order;
} policies[] = {
	{ "fcfs", FAIR_FCFS, FAIR_ORDER_FCFS },
	{ "easy", FAIR_BACKFILL, FAIR_ORDER_FCFS },
	{ "depth", FAIR_BACKFILL, FAIR_ORDER_FCFS },
	{ "usage", FAIR_BACKFILL, FAIR_ORDER_USAGE },
	{ "dominant", FAIR_BACKFILL, FAIR_ORDER_DOMINANT },
	{ "conservative", FAIR_CONSERVATIVE, FAIR_ORDER_FCFS },
	{ "pc", FAIR_PC, FAIR_ORDER_FCFS },
	{ "dc", FAIR_DC, FAIR_ORDER_FCFS },
	{ "sfs", FAIR_SFS, FAIR_ORDER_FCFS },
	{ "relshare", FAIR_RELSHARE, FAIR_ORDER_FCFS },
	{ "maui", FAIR_MAUI, FAIR_ORDER_FCFS },
	/* docs/examples/selective.h, above 2 */
	{ "selective", FAIR_CUSTOM, FAIR_ORDER_FCFS },
};

#define POLICIES (sizeof(policies) / sizeof(*policies))
enum { USERS = 2 };

/* Processors, GPUs, licences; these belong to no class. */
enum { RESOURCES = 3, CLASSES = 4, WIDE = 1 << 2 };

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
	int32_t amount[RESOURCES];
	uint32_t node_class;
};

struct timeline {
	struct fair_sched s;
	struct event event[MOST];
	struct job job[MOST]; /* by number */
	size_t events, length;
	struct fair_machine_config machine; /* without classes: one pool */
	int32_t amount[CLASSES * RESOURCES];
	char moves[2000], drawn[4000];
	void *memory;
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
		if (k != CLASS)
			e->value[k] = strtol(word, NULL, 10);
		else
			while (*word)
				e->value[k] = e->value[k] * 256 + *word++;
	}
}

/* The letters of @e as numbers of classes, the first one first. */
static uint32_t classes_of(const struct event *e, uint8_t *number)
{
	int64_t letters = e->value[CLASS];
	uint32_t n = 0, i;

	for (; letters >> 8 * n; n++)
		;
	for (i = 0; i < n; i++)
		number[i] = (uint8_t)((letters >> 8 * (n - 1 - i) & 255) - 'a');
	return n;
}

/* A line that begins with "class" or "wide". */
static void add_to_machine(struct timeline *t, const char *what, char *word)
{
	struct event e;
	int32_t *amount = t->amount;

	memset(&e, 0, sizeof(e));
	t->machine.resources = RESOURCES;
	t->machine.wide = WIDE;
	t->machine.amount = t->amount;
	if (!strcmp(what, "class")) {
		TEST_REQUIRE(t->machine.classes < CLASSES &&
			     *word == (char)('a' + t->machine.classes));
		amount += RESOURCES * t->machine.classes++;
		word = strtok(NULL, " ");
	}
	properties(&e, word);
	amount[0] += (int32_t)e.value[PROCS];
	amount[1] += (int32_t)e.value[GPUS];
	amount[2] += (int32_t)e.value[LICENCES];
}

static int32_t all_of(const struct timeline *t, uint32_t resource)
{
	int32_t sum = 0;
	uint32_t k;

	for (k = 0; k < t->machine.classes; k++)
		sum += t->amount[k * RESOURCES + resource];
	return sum;
}

/* Only when enough of the resources that are not planned is free. */
static int64_t has_the_rest(void *context, const struct fair_job *job,
			    int64_t start, int64_t end)
{
	const struct timeline *t = (const struct timeline *)context;
	int32_t in_use;
	uint32_t r;
	int n;

	(void)end;
	for (r = 1; r < RESOURCES; r++) {
		in_use = t->job[job->number].amount[r];
		for (n = 1; n < MOST; n++)
			if (t->job[n].start <= start && start < t->job[n].end)
				in_use += t->job[n].amount[r];
		if (in_use > all_of(t, r))
			return start + 1;
	}
	return start;
}

static int submit(struct timeline *t, const struct event *e)
{
	struct fair_eligibility until = { INT64_MIN, 0, FAIR_AFTER_OK, false };
	struct job *own = &t->job[e->value[END]];
	uint8_t classes[CLASSES];
	uint32_t i;
	struct fair_job j = { .number = (uint64_t)e->value[END],
			      .submit = e->at,
			      .procs = (int32_t)e->value[PROCS],
			      .walltime = e->value[WALLTIME],
			      .tasks = (uint32_t)e->value[TASKS],
			      .advance = (uint64_t)e->value[IN],
			      .user = (uint64_t)e->value[USER],
			      .account = (uint64_t)e->value[USER] };

	if (t->s.config.policy == FAIR_MAUI)
		j.group = j.account = j.qos = j.queue =
			FAIR_THROTTLE_NONE;
	own->amount[1] = (int32_t)e->value[GPUS];
	own->amount[2] = (int32_t)e->value[LICENCES];
	if (t->s.config.machine) {
		j.amount = own->amount;
		j.classes = classes;
		j.class_count = classes_of(e, classes);
	}

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

static int change_capacity(struct timeline *t, const struct event *e,
			   int32_t delta)
{
	const uint64_t victim = (uint64_t)e->value[VICTIM];
	uint8_t node_class;

	if (victim)
		t->job[victim].end = e->at;
	if (!classes_of(e, &node_class))
		return fair_sched_capacity(&t->s, e->at, delta, &victim,
					   victim > 0);
	return fair_sched_class_capacity(&t->s, e->at, node_class, 0, delta,
					 &victim, victim > 0);
}

static int happens(struct timeline *t, const struct event *e)
{
	const struct fair_eligibility held = { INT64_MIN, 0, FAIR_AFTER_NOTHING,
					 true };
	const uint64_t number = (uint64_t)e->value[END];
	struct fair_advance b = { number,	e->value[FROM],
				  e->value[TO], (int32_t)e->value[PROCS],
				  FAIR_ADVANCE_USER, 0, 0, { 0 }, 0, 0 };
	uint8_t in[CLASSES] = { 0 };

	(void)classes_of(e, in);
	b.node_class = in[0];
	b.amount[1] = (int32_t)e->value[GPUS];
	b.amount[2] = (int32_t)e->value[LICENCES];
	if (!strcmp(e->verb, "submit"))
		return submit(t, e);
	if (!strcmp(e->verb, "lose"))
		return change_capacity(t, e, -(int32_t)number);
	if (!strcmp(e->verb, "gain"))
		return change_capacity(t, e, (int32_t)number);
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
	if (!strcmp(e->verb, "modify")) {
		t->job[number].end += e->value[WALLTIME] -
				      (t->job[number].end -
				       t->job[number].start);
		return fair_sched_modify(&t->s, e->at, number,
					 (int32_t)e->value[PROCS],
					 e->value[WALLTIME]);
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
		t->job[start[i].number].node_class = start[i].node_class;
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
				      : t->s.config.machine
					      ? 'a' + j->node_class
					      : '#');
		*p++ = '\n';
	}
	memcpy(p, t->moves, t->length);
	p[t->length] = '\0';
}

/* The configuration of @t under @of, with the numbers of the first line. */
static void open_sched(struct timeline *t, const struct policy *of, bool alone,
		       uint32_t depth, const struct event *line)
{
	struct fair_maui_credential user[USERS] = {
		fair_maui_credential_defaults(),
		fair_maui_credential_defaults()
	};
	struct fair_maui_config maui = fair_maui_defaults();
	static struct selective_policy selective; /* outlives this call */
	const uint32_t share[USERS] = { (uint32_t)line->value[SHARE], 1 };
	const int64_t target[USERS] = { line->value[TARGET],
					line->value[TARGET] };
	struct fair_config config = { 0 };
	size_t bytes;

	selective = selective_above(2, 1);
	user[1].priority = 1;
	maui.count[FAIR_THROTTLE_USER] = USERS;
	maui.credential[FAIR_THROTTLE_USER] = user;
	maui.priority.weight[FAIR_PRIORITY_USER] = 1000;
	config.policy = of->policy;
	config.order = of->order;
	config.depth = depth;
	config.planner = &selective.ops;
	config.maui = &maui;
	config.users = config.accounts = USERS;
	config.share = share;
	config.target = target;
	config.window = LAST;
	config.procs = (int32_t)line->value[PROCS];
	if (t->machine.classes)
		config.procs = all_of(t, 0);
	config.machine = t->machine.classes && !alone ? &t->machine : NULL;
	config.fits = alone ? has_the_rest : NULL;
	config.jobs = MOST;
	config.ineligible = MOST;
	config.advances = 2;
	config.promised = moved;
	config.context = t;
	config.patience = line->value[PATIENCE] ? line->value[PATIENCE]
						: FAIR_PATIENCE_NONE;
	bytes = fair_sched_size(&config);
	t->memory = malloc(bytes);
	TEST_REQUIRE(!fair_sched_init(&t->s, sizeof(t->s), t->memory, bytes,
				      &config));
}

static void run(struct timeline *t, const struct event *line)
{
	size_t i;
	int64_t now;

	for (i = 0; i < MOST; i++)
		t->job[i].submit = t->job[i].start = t->job[i].end =
			FAIR_FOREVER;
	t->length = 0;
	for (now = 0; now < LAST; now++)
		second(t, now);
	draw(t, line->value[COLUMN]);
	free(t->memory);
}

/* Up to the next policy; @text is cut there. */
static void compare(struct timeline *t, const struct event *line,
		    const char *name, const char *text)
{
	size_t length = strcspn(name, " ");
	const struct policy *of = policies;

	while (of < policies + POLICIES && (strlen(of->name) != length ||
					    strncmp(of->name, name, length)))
		of++;
	TEST_REQUIRE(of < policies + POLICIES);
	open_sched(t, of, !strcmp(name + length, " alone"),
		   (uint32_t)strtol(name + length, NULL, 10), line);
	run(t, line);
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
	if (!strcmp(word, "class") || !strcmp(word, "wide")) {
		add_to_machine(t, word, strtok(NULL, " "));
		return;
	}
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
