/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Conservative backfilling by nodes.h alone, on logs with requests for nodes:
 * each start is that of a plain program of the same rules.
 */
#define FAIRSCHED_STATIC
#define FAIR_NODES_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#include "nodes.h"
#include "tests/test.h"
#include "tools/fairsched/base/read_file.h"

enum { FIELDS = 12, MOST_CLASSES = 8, RESOURCES = 3 };

struct log_job {
	int64_t submit, walltime, run, start, end;
};

struct replay {
	struct fair_nodes n;
	void *memory;
	char names[MOST_CLASSES][16];
	struct log_job *job;
	uint32_t jobs, arrived, started, queued;
	uint32_t *queue, *running; /* by reservation; by start */
};

/* The lines of a CSV file, cut into fields by the names of its columns. */
struct csv {
	char *text, *at;
	char name[FIELDS][16];
	int columns;
};

/* Cuts the line at *@at into fields; returns how many. */
static int cut_line(char **at, char *field[FIELDS])
{
	char *end = strchr(*at, '\n'), *p = *at;
	int n = 0;

	if (!end)
		return 0;
	*end = '\0';
	*at = end + 1;
	for (field[n++] = p; (p = strchr(p, ',')) != NULL; field[n++] = p)
		*p++ = '\0';
	return n;
}

static bool open_csv(struct csv *c, const char *path)
{
	char error[256], *field[FIELDS];
	size_t bytes;
	int i;

	if (read_file(test_shared(path), &c->text, &bytes, error,
		      sizeof(error)))
		return false;
	c->at = c->text;
	c->columns = cut_line(&c->at, field);
	for (i = 0; i < c->columns; i++)
		snprintf(c->name[i], sizeof(c->name[i]), "%s", field[i]);
	return true;
}

/* The field of a column; NULL: there is none. */
static const char *text_of(const struct csv *c, char **field, const char *name)
{
	int i;

	for (i = 0; i < c->columns; i++)
		if (!strcmp(c->name[i], name))
			return field[i];
	return NULL;
}

static int64_t number_of(const struct csv *c, char **field, const char *name,
			 int64_t otherwise)
{
	const char *text = text_of(c, field, name);

	return text && *text ? strtoll(text, NULL, 10) : otherwise;
}

static bool open_nodes(struct replay *r, const char *path, uint32_t jobs,
		       bool first_fit)
{
	int32_t count[MOST_CLASSES], amount[MOST_CLASSES * RESOURCES];
	struct fair_nodes_config config = { RESOURCES, 0,      0,
					    0,	       count,  amount,
					    first_fit };
	char *field[FIELDS];
	struct csv c;
	size_t bytes;

	if (!open_csv(&c, path))
		return false;
	while (cut_line(&c.at, field)) {
		int32_t *a = amount + RESOURCES * config.classes;

		snprintf(r->names[config.classes], sizeof(r->names[0]), "%s",
			 field[0]);
		count[config.classes++] =
			(int32_t)number_of(&c, field, "count", 0);
		a[0] = (int32_t)number_of(&c, field, "cpus", 0);
		a[1] = (int32_t)number_of(&c, field, "memory", 0);
		a[2] = (int32_t)number_of(&c, field, "gpus", 0);
	}
	free(c.text);
	bytes = fair_nodes_size(&config, jobs, 4 * jobs);
	r->memory = malloc(bytes);
	TEST_CHECK(r->memory != NULL);
	TEST_OK(fair_nodes_init(&r->n, sizeof(r->n), r->memory, bytes, &config,
				jobs, 4 * jobs, 0));
	return true;
}

/* Of one chunk; amounts of the job that do not divide are rounded up. */
static int32_t share(int64_t amount, int64_t chunks)
{
	return (int32_t)((amount + chunks - 1) / chunks);
}

/* The job asks for what a line says. */
static void read_job(struct replay *r, uint32_t slot, const struct csv *c,
		     char **field)
{
	int64_t chunks = number_of(c, field, "chunks", 0);
	int64_t nodes = number_of(c, field, "nodes", 0);
	int64_t n = chunks ? chunks : nodes;
	const char *text = text_of(c, field, "classes");
	int32_t amount[RESOURCES];
	uint8_t order[MOST_CLASSES], k;
	struct fair_nodes_request q = { amount, 0, 0, false, false, 0, 0,
					order,	0 };
	struct log_job *j = &r->job[slot];

	j->submit = number_of(c, field, "submit", 0);
	j->walltime = number_of(c, field, "walltime", 0);
	j->run = number_of(c, field, "run", 0);
	amount[0] = share(number_of(c, field, "procs", 0), n);
	amount[1] = share(number_of(c, field, "memory", 0), n);
	amount[2] = share(number_of(c, field, "gpus", 0), n);
	q.chunks = (int32_t)n;
	q.per_node = nodes ? 1 : 0;
	q.exclusive = number_of(c, field, "exclusive", 0) != 0;
	for (; *text; text += *text == ':')
		for (k = 0; k < r->n.classes; k++)
			if (!strncmp(text, r->names[k], strlen(r->names[k])) &&
			    strchr(":", text[strlen(r->names[k])])) {
				text += strlen(r->names[k]);
				order[q.count++] = k;
				break;
			}
	TEST_OK(fair_nodes_set_job(&r->n, slot, &q));
}

static void take(struct replay *r, uint32_t slot, int64_t start)
{
	struct log_job *j = &r->job[slot];

	j->start = start;
	TEST_OK(fair_nodes_choose(&r->n, slot, start, j->walltime));
	TEST_OK(fair_nodes_reserve(&r->n, slot, start, j->walltime));
}

/* Whether the job in @a goes before that in @b: (reservation, number). */
static bool goes_before(const struct replay *r, uint32_t a, uint32_t b)
{
	if (r->job[a].start != r->job[b].start)
		return r->job[a].start < r->job[b].start;
	return a < b;
}

static void sort_queue(struct replay *r)
{
	uint32_t i, k, slot;

	for (i = 1; i < r->queued; i++) {
		slot = r->queue[i];
		for (k = i; k && goes_before(r, slot, r->queue[k - 1]); k--)
			r->queue[k] = r->queue[k - 1];
		r->queue[k] = slot;
	}
}

static void compress(struct replay *r, int64_t now)
{
	uint32_t i;

	sort_queue(r);
	for (i = 0; i < r->queued; i++) {
		uint32_t slot = r->queue[i];
		struct log_job *j = &r->job[slot];
		int64_t to = j->start;

		TEST_OK(fair_nodes_earlier_start(&r->n, slot, now, j->start,
						 j->walltime, j->start, &to));
		if (to == j->start)
			continue;
		TEST_OK(fair_nodes_move(&r->n, slot, j->start, to,
					j->walltime));
		j->start = to;
	}
}

static void complete(struct replay *r, int64_t now)
{
	uint32_t i, n = 0, slot;

	for (i = 0; i < r->started; i++) {
		struct log_job *j = &r->job[slot = r->running[i]];

		if (j->end != now) {
			r->running[n++] = slot;
			continue;
		}
		if (now < j->start + j->walltime) {
			TEST_OK(fair_nodes_release(&r->n, slot, now,
						   j->start + j->walltime -
							   now));
			compress(r, now);
		}
		TEST_OK(fair_nodes_forget(&r->n, slot));
	}
	r->started = n;
}

static void arrive(struct replay *r, int64_t now)
{
	int64_t start = now;

	for (; r->arrived < r->jobs && r->job[r->arrived].submit == now;
	     r->arrived++) {
		TEST_OK(fair_nodes_earliest_start(&r->n, r->arrived, now,
						  r->job[r->arrived].walltime,
						  &start));
		take(r, r->arrived, start);
		r->queue[r->queued++] = r->arrived;
	}
}

/* Starts what is due; returns whether one ends at once. */
static bool begin(struct replay *r, int64_t now)
{
	uint32_t i = 0, slot;
	bool again = false;

	sort_queue(r);
	for (; i < r->queued && r->job[r->queue[i]].start == now; i++) {
		slot = r->queue[i];
		r->job[slot].end = now + r->job[slot].run;
		again |= !r->job[slot].run;
		r->running[r->started++] = slot;
	}
	r->queued -= i;
	memmove(r->queue, r->queue + i, r->queued * sizeof(*r->queue));
	return again;
}

static int64_t next_instant(const struct replay *r)
{
	int64_t next = FAIR_FOREVER;
	uint32_t i;

	if (r->arrived < r->jobs)
		next = r->job[r->arrived].submit;
	for (i = 0; i < r->started; i++)
		if (r->job[r->running[i]].end < next)
			next = r->job[r->running[i]].end;
	for (i = 0; i < r->queued; i++)
		if (r->job[r->queue[i]].start < next)
			next = r->job[r->queue[i]].start;
	return next;
}

static void run(struct replay *r)
{
	int64_t now;

	while ((now = next_instant(r)) < FAIR_FOREVER) {
		TEST_OK(fair_nodes_advance(&r->n, now));
		TEST_OK(fair_nodes_settle(&r->n));
		do {
			complete(r, now);
			arrive(r, now);
		} while (begin(r, now));
	}
	TEST_OK(fair_nodes_check(&r->n));
}

/* Every start is that of the file: "n start". */
static void compare(const struct replay *r, const char *path)
{
	char error[256], *text, *p;
	uint32_t wrong = 0, i;
	size_t bytes;

	TEST_REQUIRE(!read_file(test_shared(path), &text, &bytes, error,
				sizeof(error)));
	for (p = text, i = 0; i < r->jobs; i++) {
		TEST_EQ(strtoll(p, &p, 10), i);
		wrong += strtoll(p, &p, 10) != r->job[i].start;
	}
	TEST_EQ(wrong, 0);
	free(text);
}

/* The first @jobs of a log; all of them if fewer. Returns the mean wait, in
 * thousandths; -1: there is no log. */
static int64_t replay(const char *trace, const char *machine, uint32_t jobs,
		      bool first_fit, const char *oracle)
{
	struct replay r = { .jobs = 0 };
	char *field[FIELDS];
	int64_t wait = 0;
	struct csv c;
	uint32_t i;

	if (!open_csv(&c, trace)) {
		test_skip("no trace");
		return -1;
	}
	r.job = calloc(jobs, sizeof(*r.job));
	r.queue = calloc(jobs, sizeof(*r.queue));
	r.running = calloc(jobs, sizeof(*r.running));
	if (!open_nodes(&r, machine, jobs, first_fit))
		abort();
	for (; r.jobs < jobs && cut_line(&c.at, field); r.jobs++)
		read_job(&r, r.jobs, &c, field);
	free(c.text);
	run(&r);
	for (i = 0; i < r.jobs; i++)
		wait += r.job[i].start - r.job[i].submit;
	if (oracle)
		compare(&r, oracle);
	wait = (wait * 1000 + r.jobs / 2) / r.jobs;
	free(r.job);
	free(r.queue);
	free(r.running);
	free(r.memory);
	return wait;
}

#define CERIT "traces/CERIT-nodes.csv.gz", "traces/CERIT-nodes-machine.csv"
#define UB "traces/UB-week.csv.gz", "traces/UB-week-machine.csv"

static void expect(int64_t wait, int64_t want)
{
	if (wait >= 0)
		TEST_EQ(wait, want);
}

TEST(cerit_bestfit)
{
	expect(replay(CERIT, 6000, false,
		      "oracle/CERIT-nodes-6000-conservative-bestfit.txt.gz"),
	       500997);
}

TEST(cerit_firstfit)
{
	expect(replay(CERIT, 6000, true,
		      "oracle/CERIT-nodes-6000-conservative-firstfit.txt.gz"),
	       503764);
}

TEST(ub_bestfit)
{
	expect(replay(UB, 2000, false,
		      "oracle/UB-week-2000-conservative-bestfit.txt.gz"),
	       14344225);
}

#ifndef TEST_LIGHT
TEST(whole_cerit)
{
	expect(replay(CERIT, 20000, false, NULL), 10564757);
	expect(replay(CERIT, 20000, true, NULL), 11325844);
}
#endif
