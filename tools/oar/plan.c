/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * plan.c - one pass over OAR's jobs: rows on stdin, decisions on stdout
 *
 * usage: fairsched-oar POLICY STATE NOW <rows
 *
 * Rows are a word and whole numbers with blanks between. Hosts come first, and
 * are numbered from 0; those with equally many cores stand together.
 *
 *	host UP CORES NAME
 *	hold JOB FROM TO HOST CORES ...
 *			in the Gantt: it runs, or another queue or an advance
 *			reservation has these hosts
 *	job NUMBER SUBMIT
 *			it waits
 *	shape ID WALLTIME HOSTS CORES [HOST ...]
 *			one way to run the last job: CORES on each of HOSTS of
 *			those hosts, or of all; HOSTS 0: on any; CORES 0: whole
 *
 * Decisions; a job starts if FROM is NOW:
 *
 *	plan JOB SHAPE FROM TO HOST CORES ...
 *	left JOB reason
 *	note text
 *
 * STATE is the plan between two passes, and so the promises.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fairsched.h"
#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/read_file.h"

#define SETS FAIR_NODES_SETS /* the last one is for withhold() */
#define OVERRUN 60	     /* seconds that a foreign job may run on */
#define LARGEST (INT64_MAX / 4)

enum kind { HOST, HOLD, JOB, SHAPE, KINDS };

struct row {
	enum kind kind;
	size_t n;
	int64_t v[]; /* as above, without NAME */
};

/* What the state file has before the checkpoint. */
struct head {
	uint64_t digest;  /* of all behind it */
	uint64_t machine; /* a hash */
	uint64_t jobs, parts;
	uint64_t bits[]; /* hosts of set 1, 2, ... */
};

static struct row **row;
static size_t rows, hosts, words;
static uint64_t machine; /* a hash */
static uint64_t parts; /* hosts that the jobs of this pass may hold together */
static int64_t now;

static int32_t amount[FAIR_MACHINE_CLASSES], count[FAIR_MACHINE_CLASSES];
static struct fair_machine_config classes = { 1, 0, 0, amount };
static struct fair_node_config nodes = { count, SETS, 0, false };
static struct fair_config config;
static struct fair_sched sched;
static struct head *head;
static size_t head_size;
static uint64_t *scratch;
static bool is_used[SETS]; /* by a job of this pass, from set 1 on */
static bool has_failed;

/* ---- rows ---- */

static void *allocate(size_t bytes)
{
	void *p = calloc(1, bytes);

	if (!p)
		exit(run_error("out of memory"));
	return p;
}

static bool add_host(const struct row *r, const char *name)
{
	if (!hosts || r->v[1] != row[hosts - 1]->v[1])
		classes.classes++;
	if (classes.classes > FAIR_MACHINE_CLASSES || r->v[1] > 1 << 20)
		return false;
	count[classes.classes - 1]++;
	amount[classes.classes - 1] += (int32_t)r->v[1];
	config.procs += (int32_t)r->v[1];
	machine ^= text_digest(name, strlen(name)) ^ (uint64_t)r->v[1];
	machine *= 1099511628211u; /* FNV-1a */
	hosts++;
	return true;
}

/* Appends the row of a line. Returns false if it is none. */
static bool read_row(const char *at)
{
	static const struct {
		const char *word;
		size_t least, step; /* numbers before those of hosts */
	} of[KINDS] = { { "host ", 2, 1 },
			{ "hold ", 3, 2 },
			{ "job ", 2, 1 },
			{ "shape ", 4, 1 } };
	struct row *r = allocate(sizeof(*r) + (strlen(at) + 1) * sizeof(*r->v));
	uint64_t asks;
	char *end;

	while (r->kind < KINDS &&
	       strncmp(at, of[r->kind].word, strlen(of[r->kind].word)))
		r->kind++;
	if (r->kind == KINDS || (r->kind == HOST ? rows != hosts : !hosts))
		return false;
	for (at += strlen(of[r->kind].word); r->kind != HOST || r->n < 2;
	     at = end) {
		r->v[r->n] = strtoll(at, &end, 10);
		if (end == at)
			break;
		if (r->v[r->n] < 0 || r->v[r->n++] > LARGEST)
			return false;
	}
	for (size_t i = of[r->kind].least; i < r->n; i += of[r->kind].step)
		if ((size_t)r->v[i] >= hosts)
			return false;
	if (r->n < of[r->kind].least)
		return false;
	row[rows++] = r;
	if (r->kind == HOST)
		return add_host(r, at);
	asks = r->kind == SHAPE ? (uint64_t)(r->v[2] + r->v[3]) : r->n;
	parts += asks < hosts ? asks : hosts;
	return !*at;
}

static void read_rows(void)
{
	char *text, error[256];
	size_t bytes;

	if (read_file("-", &text, &bytes, error, sizeof(error)))
		exit(input_error("%s", error));
	row = allocate((bytes + 1) / 2 * sizeof(*row));
	for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n"))
		if (!read_row(at))
			exit(input_error("unexpected row '%s'", at));
	if (!hosts)
		exit(input_error("there is no host"));
	words = hosts / 64 + 1;
}

static const struct row *find(enum kind kind, uint64_t number)
{
	for (size_t i = hosts; i < rows; i++)
		if (row[i]->kind == kind && (uint64_t)row[i]->v[0] == number)
			return row[i];
	return NULL;
}

/* The hosts of a row as bits in @scratch; all, if it names none. */
static const uint64_t *read_hosts(const struct row *r, size_t first,
				  size_t step)
{
	memset(scratch, 0, words * sizeof(*scratch));
	for (size_t i = first; i < r->n; i += step)
		scratch[r->v[i] / 64] |= (uint64_t)1 << r->v[i] % 64;
	for (size_t i = 0; r->n == first && i < hosts; i++)
		scratch[i / 64] |= (uint64_t)1 << i % 64;
	return scratch;
}

/* ---- the scheduler and its state ---- */

/* These calls fail only if the state does not match OAR's, and is dropped. */
static void must(int error)
{
	has_failed |= error != 0;
}

/* With room for the jobs of this pass and those before. */
static size_t configure(uint32_t policy, int64_t origin)
{
	nodes.parts = (uint32_t)(head->parts + parts + hosts);
	config.policy = policy;
	config.depth = policy == FAIR_BACKFILL;
	config.origin = origin;
	config.machine = &classes;
	config.nodes = &nodes;
	config.jobs = (uint32_t)(head->jobs + rows);
	config.ineligible = config.advances = config.jobs;
	return fair_sched_size(&config);
}

static uint64_t digest_of(const char *state, size_t bytes)
{
	return text_digest(state + sizeof(head->digest),
			   bytes - sizeof(head->digest));
}

/* Memory for a plan, in place of the last one. */
static void *renew(size_t bytes)
{
	static void *memory;

	free(memory);
	memory = allocate(bytes);
	return memory;
}

/* Goes on with the plan of the last pass. Returns why not, or NULL. */
static const char *load(uint32_t policy, const char *text, size_t bytes)
{
	struct fair_config saved;
	size_t size;

	if (bytes < head_size)
		return "it is too short";
	memcpy(head, text, head_size);
	if (head->digest != digest_of(text, bytes))
		return "it is damaged";
	if (head->machine != machine)
		return "the hosts are others";
	text += head_size;
	bytes -= head_size;
	if (fair_sched_checkpoint_config(text, bytes, &saved, NULL))
		return "it has another version";
	size = configure(policy, saved.origin);
	return fair_sched_load(&sched, sizeof(sched), renew(size), size,
			       &config, text, bytes, NULL)
		       ? "it has another policy"
		       : NULL;
}

static void open_empty(uint32_t policy)
{
	size_t size;

	memset(head, 0, head_size);
	size = configure(policy, now);
	if (fair_sched_init(&sched, sizeof(sched), renew(size), size,
			    &config))
		exit(run_error("%s", fair_sched_config_error(&config)));
}

static int save(const char *path)
{
	size_t n = fair_sched_checkpoint_size(&sched);
	char *bytes = allocate(head_size + n);
	int error;

	head->machine = machine;
	head->jobs = rows;
	head->parts = parts;
	if (fair_sched_save(&sched, bytes + head_size, n))
		return run_error("%s: the plan cannot be saved", path);
	memcpy(bytes, head, head_size);
	n += head_size;
	head->digest = digest_of(bytes, n);
	memcpy(bytes, head, sizeof(head->digest));
	error = output_save(path, bytes, n, true)
			? run_error("%s: %s", path, strerror(errno))
			: 0;
	free(bytes);
	return error;
}

/* The jobs in a state. */
static struct fair_job_status *list(uint32_t state, size_t *n)
{
	struct fair_job_status *all =
		allocate((fair_sched_count(&sched, state) + 1) * sizeof(*all));
	struct fair_queue_place at = { 0, 0 };

	for (*n = 0; fair_sched_each(&sched, state, &at, all + *n);)
		++*n;
	return all;
}

/* ---- sets of hosts ---- */

static uint64_t *bits_of(uint32_t k)
{
	return head->bits + (k - 1) * words;
}

static void write_set(uint32_t k, const uint64_t *bits)
{
	for (uint32_t i = 0; i < hosts; i++)
		must(fair_sched_set_node(&sched, k, i,
					 bits[i / 64] >> i % 64 & 1));
	memcpy(bits_of(k), bits, words * sizeof(*bits));
}

/* The set with these hosts; 0: SETS - 1 others are in use. */
static uint32_t find_set(const uint64_t *bits)
{
	uint32_t k, spare = 0;

	for (k = SETS - 1; k; k--)
		if (!is_used[k])
			spare = k;
		else if (!memcmp(bits_of(k), bits, words * sizeof(*bits)))
			return k;
	if (spare)
		write_set(spare, bits);
	is_used[spare] = true;
	return spare;
}

/* ---- what happened since the last pass ---- */

/*
 * Jobs that ended are one event, and the first: one that ends in time does not
 * overrun. A start that OAR did not make is undone.
 */
static void sync_running(void)
{
	size_t n, i, ended = 0;
	struct fair_job_status *r = list(FAIR_RUNNING, &n);
	uint64_t *number = allocate((n + 1) * sizeof(*number));

	for (i = 0; i < n; i++)
		if (!find(HOLD, r[i].job.number) && !find(JOB, r[i].job.number))
			number[ended++] = r[i].job.number;
	must(fair_sched_finish_many(&sched, now, number, NULL, ended));
	for (i = 0; i < n; i++) {
		const struct row *h = find(HOLD, r[i].job.number);

		if (!h && find(JOB, r[i].job.number))
			must(fair_sched_requeue(&sched, now, r[i].job.number));
		else if (h && h->v[2] - r[i].start != r[i].job.walltime)
			must(fair_sched_modify(&sched, now, r[i].job.number,
					       r[i].job.procs,
					       h->v[2] - r[i].start));
	}
	free(number);
	free(r);
}

/* Withholds the hosts of what the plan did not start. */
static void withhold(const struct row *h)
{
	struct fair_advance was = { 0 },
			    a = { .number = (uint64_t)h->v[0],
				  .from = h->v[1],
				  .to = h->v[2] > now ? h->v[2] : now + OVERRUN,
				  .kind = FAIR_ADVANCE_USER,
				  .named = SETS };
	uint32_t i = 0;

	while (was.number != a.number &&
	       fair_sched_advance_get(&sched, i, &was))
		i++;
	if (was.number == a.number && was.from == a.from &&
	    (was.to == a.to || h->v[2] <= now))
		return;
	write_set(SETS, read_hosts(h, 3, 2));
	must(fair_sched_advance_reserve(&sched, now, &a, true));
}

static void sync_hosts(void)
{
	struct fair_job_status r;
	struct fair_advance a;
	uint32_t i = 0;

	while (fair_sched_advance_get(&sched, i, &a))
		if (find(HOLD, a.number))
			i++;
		else
			must(fair_sched_advance_cancel(&sched, now, a.number));
	for (size_t k = hosts; k < rows; k++)
		if (row[k]->kind == HOLD &&
		    fair_sched_lookup(&sched, (uint64_t)row[k]->v[0], &r))
			withhold(row[k]);
	for (i = 0; i < hosts; i++) /* an error says that it is so already */
		if (row[i]->v[0])
			fair_sched_node_up(&sched, now, i);
		else
			fair_sched_node_down(&sched, now, i, NULL, 0);
}

/* So much is refused as more than there is. */
static int32_t limit(int64_t n)
{
	return n < INT32_MAX ? (int32_t)n : INT32_MAX;
}

/* The library's job of one way to run a job. */
static struct fair_job describe(const struct row *j, const struct row *s)
{
	int32_t chunks = limit(s->v[2] ? s->v[2] : s->v[3]);
	int64_t each = s->v[2] && s->v[3] ? limit(s->v[3]) : 1;

	return (struct fair_job){ .number = (uint64_t)j->v[0],
				  .cookie = (uint64_t)s->v[0],
				  .submit = j->v[1] < now ? j->v[1] : now,
				  .walltime = s->v[1],
				  .procs = limit(chunks * each),
				  .chunks = chunks,
				  .per_node = s->v[2] > 0,
				  .exclusive = !s->v[3],
				  .span = true };
}

/* Whether OAR's job asks for what is planned. */
static bool asks_same(const struct fair_job *was)
{
	const struct row *j = find(JOB, was->number);
	const struct row *s = find(SHAPE, was->cookie);
	struct fair_job job;

	if (!j || !s)
		return false;
	job = describe(j, s);
	return job.walltime == was->walltime && job.procs == was->procs &&
	       job.chunks == was->chunks && job.exclusive == was->exclusive &&
	       !memcmp(bits_of(was->named), read_hosts(s, 4, 1),
		       words * sizeof(*scratch));
}

static void sync_queued(void)
{
	size_t n, i;
	struct fair_job_status *r = list(FAIR_QUEUED, &n);

	for (i = 0; i < n; i++)
		if (!asks_same(&r[i].job))
			must(fair_sched_cancel(&sched, now, r[i].job.number));
		else
			is_used[r[i].job.named] = true;
	free(r);
	r = list(FAIR_RUNNING, &n);
	for (i = 0; i < n; i++)
		is_used[r[i].job.named] = true;
	free(r);
}

/* ---- new jobs ---- */

/* When a job would end; FAIR_FOREVER: never. */
static int64_t find_end(const struct fair_job *job)
{
	size_t room = fair_sched_fst_size(&config);
	int64_t start = FAIR_FOREVER;
	void *memory;

	if (fair_sched_submit(&sched, now, job))
		return FAIR_FOREVER;
	memory = allocate(room);
	fair_sched_estimate(&sched, job->number, memory, room, &start);
	free(memory);
	must(fair_sched_cancel(&sched, now, job->number));
	return start == FAIR_FOREVER ? start : start + job->walltime;
}

/* Submits the job of a row as the shape that ends first. */
static void submit(size_t at)
{
	struct fair_job job, best = { 0 };
	int64_t end, first = 0;
	const char *why;

	for (size_t i = at + 1; i < rows && row[i]->kind == SHAPE; i++) {
		job = describe(row[at], row[i]);
		job.named = find_set(read_hosts(row[i], 4, 1));
		if (!job.named)
			continue;
		end = best.number || (i + 1 < rows && row[i + 1]->kind == SHAPE)
			      ? find_end(&job)
			      : 0;
		if (!best.number || end < first) {
			best = job;
			first = end;
		}
	}
	if (best.named && !fair_sched_submit(&sched, now, &best))
		return;
	why = fair_sched_job_error(&sched, now, &best);
	printf("left %" PRId64 " %s\n", row[at]->v[0],
	       !best.named ? "too many jobs name different hosts"
	       : why	   ? why
			   : "no hosts have what it asks for");
}

/* ---- decisions ---- */

static void print_plan(const struct fair_job_status *r)
{
	struct fair_nodes_part p;
	uint32_t at = 0;

	printf("plan %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64,
	       r->job.number, r->job.cookie, r->start,
	       r->start + r->job.walltime);
	while (fair_sched_nodes(&sched, r->job.number, &at, &p))
		printf(" %" PRIu32 " %" PRId64, p.node,
		       r->job.exclusive
			       ? row[p.node]->v[1]
			       : p.chunks * (r->job.procs / r->job.chunks));
	putchar('\n');
}

static void plan(void)
{
	struct fair_decision start[64];
	struct fair_job_status r;
	size_t n;

	memset(is_used, 0, sizeof(is_used));
	has_failed = false;
	sync_running();
	sync_queued();
	sync_hosts();
	for (size_t i = hosts; i < rows; i++)
		if (row[i]->kind == JOB &&
		    fair_sched_lookup(&sched, (uint64_t)row[i]->v[0], &r))
			submit(i);
	do
		must(fair_sched_step(&sched, now, start, 64, &n));
	while (!has_failed && (n == 64 || fair_sched_next(&sched) == now));
}

int main(int argc, char **argv)
{
	const char *why = "there is none";
	struct fair_job_status *r;
	char *text, error[256], *end = "";
	size_t bytes, n, i;
	int policy;

	program_name = "fairsched-oar";
	if (argc == 4)
		now = strtoll(argv[3], &end, 10);
	if (argc != 4 || *end || now < 0 || now > LARGEST)
		return input_error("usage: fairsched-oar POLICY STATE NOW");
	policy = strcmp(argv[1], "easy") ? fair_policy_by_name(argv[1])
					 : FAIR_BACKFILL;
	if (policy < 0 || policy > FAIR_DC)
		return input_error("policy %s: not fcfs, easy, conservative, "
				   "pc or dc",
				   argv[1]);
	read_rows();
	scratch = allocate(words * sizeof(*scratch));
	head_size = sizeof(*head) + SETS * words * sizeof(*scratch);
	head = allocate(head_size);
	if (!read_file(argv[2], &text, &bytes, error, sizeof(error))) {
		why = load((uint32_t)policy, text, bytes);
		free(text);
	}
	if (!why)
		plan();
	if (why || has_failed) {
		printf("note planned anew, without the state: %s\n",
		       why ? why : "it does not match OAR's jobs and time");
		open_empty((uint32_t)policy);
		plan();
	}
	if (has_failed)
		return run_error("the rows contradict each other");
	if (save(argv[2]))
		return EXIT_FAILED;
	r = list(FAIR_RUNNING, &n);
	for (i = 0; i < n; i++)
		if (r[i].start == now)
			print_plan(r + i);
	free(r);
	r = list(FAIR_QUEUED, &n);
	for (i = 0; i < n; i++)
		if (r[i].start < FAIR_FOREVER)
			print_plan(r + i);
		else if (policy >= FAIR_CONSERVATIVE) /* it promises */
			printf("left %" PRIu64 " hosts that it needs are "
			       "down\n",
			       r[i].job.number);
	free(r);
	return 0;
}
