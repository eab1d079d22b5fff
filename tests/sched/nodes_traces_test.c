/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Whole logs with requests for nodes: each start is that of a plain program of
 * the same rules.
 */
#define FAIRSCHED_STATIC
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "tests/test.h"
#include "tools/fairsched/base/read_file.h"

enum { FIELDS = 12, MOST_CLASSES = 8, RESOURCES = 3, LIVE = 5000 };

struct log_job {
	struct fair_job job;
	int32_t amount[RESOURCES];
	uint8_t classes[MOST_CLASSES];
	int64_t run, start;
};

struct replay {
	struct fair_sched s;
	void *memory;
	char names[MOST_CLASSES][16];
	struct log_job *job;
	uint32_t jobs, arrived, runs;
	uint32_t *running; /* by start */
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

static bool open_machine(struct replay *r, const char *path, uint32_t policy,
			 bool first_fit)
{
	int32_t count[MOST_CLASSES], amount[MOST_CLASSES * RESOURCES];
	struct fair_machine_config machine = { RESOURCES, 0, 0, amount };
	struct fair_node_config nodes = { count, 0, 4 * LIVE, first_fit };
	struct fair_config config = { .policy = policy, .machine = &machine,
				      .nodes = &nodes, .jobs = LIVE };
	char *field[FIELDS];
	struct csv c;
	size_t bytes;

	if (!open_csv(&c, path))
		return false;
	while (cut_line(&c.at, field)) {
		int32_t *a = amount + RESOURCES * machine.classes;
		int32_t n = (int32_t)number_of(&c, field, "count", 0);

		snprintf(r->names[machine.classes], sizeof(r->names[0]), "%s",
			 field[0]);
		count[machine.classes++] = n;
		a[0] = n * (int32_t)number_of(&c, field, "cpus", 0);
		a[1] = n * (int32_t)number_of(&c, field, "memory", 0);
		a[2] = n * (int32_t)number_of(&c, field, "gpus", 0);
		config.procs += a[0];
	}
	free(c.text);
	TEST_CHECK(!fair_sched_config_error(&config));
	bytes = fair_sched_size(&config);
	r->memory = malloc(bytes);
	TEST_CHECK(r->memory != NULL);
	TEST_OK(fair_sched_init(&r->s, sizeof(r->s), r->memory, bytes,
				&config));
	return true;
}

/* Amounts of the job that do not divide among its chunks are rounded up. */
static int32_t divide(int64_t amount, int64_t chunks)
{
	return (int32_t)((amount + chunks - 1) / chunks * chunks);
}

/* The job asks for what a line says. */
static void read_job(struct replay *r, uint32_t number, const struct csv *c,
		     char **field)
{
	struct log_job *from = &r->job[number];
	int64_t nodes = number_of(c, field, "nodes", 0);
	int64_t n = number_of(c, field, "chunks", nodes);
	const char *text = text_of(c, field, "classes");
	struct fair_job *j = &from->job;
	uint8_t k;

	j->number = number;
	j->submit = number_of(c, field, "submit", 0);
	j->walltime = number_of(c, field, "walltime", 0);
	from->run = number_of(c, field, "run", 0);
	j->procs = divide(number_of(c, field, "procs", 0), n);
	from->amount[1] = divide(number_of(c, field, "memory", 0), n);
	from->amount[2] = divide(number_of(c, field, "gpus", 0), n);
	j->amount = from->amount;
	j->classes = from->classes;
	j->chunks = (int32_t)n;
	j->per_node = nodes ? 1 : 0;
	j->exclusive = number_of(c, field, "exclusive", 0) != 0;
	for (; *text; text += *text == ':')
		for (k = 0; k < MOST_CLASSES && *r->names[k]; k++)
			if (!strncmp(text, r->names[k], strlen(r->names[k])) &&
			    strchr(":", text[strlen(r->names[k])])) {
				text += strlen(r->names[k]);
				from->classes[j->class_count++] = k;
				break;
			}
}

/* Ends of one second in the order of the starts. */
static void complete(struct replay *r, int64_t now)
{
	uint32_t i, n = 0, number;

	for (i = 0; i < r->runs; i++) {
		number = r->running[i];
		if (r->job[number].start + r->job[number].run == now)
			TEST_OK(fair_sched_finish(&r->s, now, number));
		else
			r->running[n++] = number;
	}
	r->runs = n;
}

static int64_t next_instant(const struct replay *r)
{
	int64_t next = fair_sched_next(&r->s), end;
	uint32_t i;

	if (r->arrived < r->jobs && r->job[r->arrived].job.submit < next)
		next = r->job[r->arrived].job.submit;
	for (i = 0; i < r->runs; i++) {
		end = r->job[r->running[i]].start + r->job[r->running[i]].run;
		if (end < next)
			next = end;
	}
	return next;
}

static void run(struct replay *r)
{
	struct fair_decision d[64];
	size_t n = 0, i;
	int64_t now;

	while ((now = next_instant(r)) < FAIR_FOREVER) {
		complete(r, now);
		for (; r->arrived < r->jobs &&
		       r->job[r->arrived].job.submit == now;
		     r->arrived++)
			TEST_OK(fair_sched_submit(&r->s, now,
						  &r->job[r->arrived].job));
		do {
			TEST_OK(fair_sched_step(&r->s, now, d, 64, &n));
			for (i = 0; i < n; i++) {
				r->job[d[i].number].start = now;
				r->running[r->runs++] = (uint32_t)d[i].number;
			}
		} while (n == 64);
	}
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
static int64_t replay(const char *trace, const char *machine, uint32_t policy,
		      uint32_t jobs, bool first_fit, const char *oracle)
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
	r.running = calloc(jobs, sizeof(*r.running));
	if (!open_machine(&r, machine, policy, first_fit))
		abort();
	for (; r.jobs < jobs && cut_line(&c.at, field); r.jobs++)
		read_job(&r, r.jobs, &c, field);
	free(c.text);
	run(&r);
	for (i = 0; i < r.jobs; i++)
		wait += r.job[i].start - r.job[i].job.submit;
	if (oracle)
		compare(&r, oracle);
	wait = (wait * 1000 + r.jobs / 2) / r.jobs;
	free(r.job);
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
	expect(replay(CERIT, FAIR_CONSERVATIVE, 6000, false,
		      "oracle/CERIT-nodes-6000-conservative-bestfit.txt.gz"),
	       500997);
}

TEST(cerit_firstfit)
{
	expect(replay(CERIT, FAIR_CONSERVATIVE, 6000, true,
		      "oracle/CERIT-nodes-6000-conservative-firstfit.txt.gz"),
	       503764);
}

TEST(cerit_easy)
{
	expect(replay(CERIT, FAIR_BACKFILL, 6000, false,
		      "oracle/CERIT-nodes-6000-easy-bestfit.txt.gz"),
	       486624);
}

TEST(ub_bestfit)
{
	expect(replay(UB, FAIR_CONSERVATIVE, 2000, false,
		      "oracle/UB-week-2000-conservative-bestfit.txt.gz"),
	       14344225);
}

#ifndef TEST_LIGHT
TEST(whole_cerit)
{
	expect(replay(CERIT, FAIR_CONSERVATIVE, 20000, false, NULL), 10564757);
	expect(replay(CERIT, FAIR_CONSERVATIVE, 20000, true, NULL), 11325844);
}
#endif
