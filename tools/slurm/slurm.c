/* SPDX-License-Identifier: MIT OR Unlicense */
#define _XOPEN_SOURCE 700
#include "slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/trace/sacct.h"

#define LATEST (INT64_C(1) << 40)
#define AT_ONCE 200 /* jobs for one call of scontrol */

/* ---- running programs ---- */

static void exec_program(const char *const *argv, int out)
{
	int nothing = open("/dev/null", O_RDONLY);

	if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(out, 1) < 0)
		_exit(127);
	close(nothing);
	close(out);
	setenv("SLURM_TIME_FORMAT", "%s", 1);
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

/* Returns 0 with its output in @text, to be freed; or -1 with @error set. */
static int run(const char *const *argv, char **text, size_t *bytes, char *error)
{
	char name[32], *all = NULL;
	int out[2], status = -1, failed;
	pid_t child;

	if (pipe(out)) {
		snprintf(error, SLURM_ERROR, "%s: %s", argv[0],
			 strerror(errno));
		return -1;
	}
	fcntl(out[0], F_SETFD, FD_CLOEXEC);
	child = fork();
	if (!child)
		exec_program(argv, out[1]);
	close(out[1]);
	snprintf(name, sizeof(name), "/dev/fd/%d", out[0]);
	failed = child < 0 || read_file(name, &all, bytes, error, SLURM_ERROR);
	close(out[0]);
	if (child > 0)
		waitpid(child, &status, 0);
	if (!failed && !status) {
		*text = all;
		return 0;
	}
	if (!failed || child < 0)
		snprintf(error, SLURM_ERROR,
			 WIFEXITED(status) && WEXITSTATUS(status) == 127
				 ? "cannot run %s"
				 : "%s failed",
			 argv[0]);
	free(all);
	return -1;
}

/* ---- names ---- */

const char *slurm_name(uint64_t number, char name[SLURM_NAME])
{
	int n = snprintf(name, SLURM_NAME, "%" PRIu32, (uint32_t)number);

	if (number >> 32)
		snprintf(name + n, (size_t)(SLURM_NAME - n), "_%" PRIu32,
			 (uint32_t)(number >> 32) - 1);
	return name;
}

uint64_t slurm_number(struct csv_field name)
{
	int64_t id = 0, task = 0;

	if (!csv_digits(&name, SLURM_JOB_IDS - 1, &id) || !id)
		return 0;
	if (!name.n)
		return (uint64_t)id;
	name.p++;
	name.n--;
	if (name.p[-1] != '_' || !csv_digits(&name, SLURM_TASKS - 1, &task) ||
	    name.n)
		return 0;
	return (uint64_t)id | (uint64_t)(task + 1) << 32;
}

/* ---- the queue ---- */

/* In this order; a | follows each, and the end of a text each of the last. */
#define FIELDS                                                                 \
	"JobArrayID:|,StateCompact:|,PriorityLong:|,Reason:|,NumCPUs:|,"       \
	"UserID:|,TimeLimit:|,SubmitTime:|,EligibleTime:|,StartTime:|,"        \
	"Dependency:|,NumNodes:|,UserName:|,GroupName:|,Partition:|,QOS:|,"    \
	"tres-alloc:|,Feature:%s,Comment:%s,Account:%s"
enum {
	ID,
	STATE,
	PRIORITY,
	REASON,
	PROCS,
	USER,
	LIMIT,
	SUBMIT,
	ELIGIBLE,
	START,
	DEPENDENCY,
	NODES,
	USER_NAME,
	GROUP,
	PARTITION,
	QOS,
	TRES,
	FEATURES,
	COMMENT,
	ACCOUNT,
	FIELDS_OF_A_JOB
};

static bool read_number(struct csv_field f, int64_t most, int64_t *n)
{
	*n = 0;
	return csv_digits(&f, most, n) && !f.n;
}

/* Sets -1 for an unknown time. */
static bool read_time(struct csv_field f, int64_t *time)
{
	*time = -1;
	if (csv_is(f, "N/A") || csv_is(f, "Unknown") || csv_is(f, "NONE"))
		return true;
	return read_number(f, LATEST, time);
}

static bool read_limit(struct csv_field f, int64_t *limit)
{
	*limit = -1;
	if (csv_is(f, "UNLIMITED") || csv_is(f, "NOT_SET"))
		return true;
	return sacct_clock(f, limit) && *limit <= SLURM_LONGEST;
}

/* The queue holds no job that has ended. */
static bool is_busy(struct csv_field state)
{
	static const char *const busy[] = { "R",  "CG", "CF", "S", "ST",
					    "SO", "SI", "RS", "RQ" };
	size_t i;

	for (i = 0; i < sizeof(busy) / sizeof(*busy); i++)
		if (csv_is(state, busy[i]))
			return true;
	return false;
}

static const char *find_text(const char *p, const char *last, const char *word,
			     size_t n)
{
	for (; (size_t)(last - p) >= n; p++) {
		p = memchr(p, *word, (size_t)(last - p) - n + 1);
		if (!p || !memcmp(p, word, n))
			return p;
	}
	return NULL;
}

static bool has_text(struct csv_field f, const char *word)
{
	return f.n && find_text(f.p, f.p + f.n, word, strlen(word));
}

static bool read_state(const struct csv_field *f, int64_t now,
		       struct slurm_job *j)
{
	int64_t priority;

	if (csv_is(f[STATE], "RH") || csv_is(f[STATE], "SE")) {
		j->state = SLURM_ADMIN;
		return true;
	}
	if (!csv_is(f[STATE], "PD")) {
		j->state = SLURM_BUSY;
		return is_busy(f[STATE]);
	}
	if (!read_number(f[PRIORITY], UINT32_MAX, &priority))
		return false;
	j->released = priority > 0;
	if (has_text(f[DEPENDENCY], "(failed)"))
		j->state = SLURM_NEVER; /* Slurm holds it as JobHeldAdmin */
	else if (!priority && csv_is(f[REASON], "JobHeldAdmin"))
		j->state = SLURM_ADMIN;
	else if (!priority && has_text(f[COMMENT], SLURM_USER_HOLD))
		j->state = SLURM_USER;
	else if (j->dependency.n)
		j->state = SLURM_DEPENDENCY;
	else if (j->eligible > now)
		j->state = SLURM_BEGIN_TIME;
	else
		j->state = priority ? SLURM_RELEASED : SLURM_HELD;
	j->held = !priority && j->state != SLURM_ADMIN &&
		  j->state != SLURM_USER && j->state != SLURM_NEVER;
	return true;
}

static struct csv_field text_of(struct csv_field f)
{
	if (csv_is(f, "(null)") || csv_is(f, "N/A"))
		f.n = 0;
	return f;
}

/* Reads the credentials and the request. */
static bool read_request(const struct csv_field *f, struct slurm_job *j)
{
	int64_t procs, user, nodes, kb = 0;

	if (!read_number(f[PROCS], INT32_MAX, &procs) || !procs ||
	    !read_number(f[NODES], INT32_MAX, &nodes) ||
	    !read_number(f[USER], UINT32_MAX, &user) ||
	    !read_limit(f[LIMIT], &j->limit))
		return false;
	j->tres = text_of(f[TRES]);
	if (!sacct_memory(j->tres, &kb))
		return false;
	j->memory = (kb + 1023) / 1024;
	j->procs = (int32_t)procs;
	j->nodes = (int32_t)nodes;
	j->user = (uint32_t)user;
	j->user_name = text_of(f[USER_NAME]);
	j->group = text_of(f[GROUP]);
	j->partition = text_of(f[PARTITION]);
	j->qos = text_of(f[QOS]);
	j->features = text_of(f[FEATURES]);
	j->reason = text_of(f[REASON]);
	j->dependency = text_of(f[DEPENDENCY]);
	j->account = text_of(f[ACCOUNT]);
	return true;
}

/* @f: the first fields as one, and those that may be any text. */
static bool read_job(struct csv_field *f, int64_t now, struct slurm_job *j)
{
	struct csv_field line = f[FEATURES];
	int i;

	for (i = 0; i < FEATURES; i++)
		if (!csv_cut(&line, '|', &f[i]))
			return false;
	if (!line.p)
		return false;
	f[FEATURES] = line;
	memset(j, 0, sizeof(*j));
	j->number = slurm_number(f[ID]);
	if (!j->number || !read_request(f, j) ||
	    !read_time(f[SUBMIT], &j->submit) || j->submit < 0 ||
	    !read_time(f[ELIGIBLE], &j->eligible) ||
	    !read_time(f[START], &j->start))
		return false;
	return read_state(f, now, j);
}

static int by_number(const void *x, const void *y)
{
	const struct slurm_job *a = x, *b = y;

	return (a->number > b->number) - (a->number < b->number);
}

/* Sorts by number; drops both records of a job that has two. */
static void sort(struct slurm_queue *q)
{
	size_t i, next, kept = 0;

	if (q->jobs)
		qsort(q->job, q->jobs, sizeof(*q->job), by_number);
	for (i = 0; i < q->jobs; i = next) {
		for (next = i + 1;
		     next < q->jobs && q->job[next].number == q->job[i].number;
		     next++)
			;
		if (next == i + 1)
			q->job[kept++] = q->job[i];
		else
			q->damaged += next - i;
	}
	q->jobs = kept;
}

int slurm_parse_queue(struct slurm_queue *q, const char *text, size_t bytes,
		      const char *end, int64_t now)
{
	const char *last = text + bytes, *stop;
	struct csv_field f[FIELDS_OF_A_JOB];
	size_t cap = 0, n = strlen(end);
	struct slurm_job *more;
	int i = FEATURES;

	memset(q, 0, sizeof(*q));
	for (; (stop = find_text(text, last, end, n)); text = stop + n) {
		text += i == FEATURES && *text == '\n';
		f[i].p = text;
		f[i].n = (size_t)(stop - text);
		if (++i < FIELDS_OF_A_JOB)
			continue;
		i = FEATURES;
		if (q->jobs == cap) {
			cap = cap ? 2 * cap : 1024;
			more = realloc(q->job, cap * sizeof(*more));
			if (!more)
				return -1;
			q->job = more;
		}
		if (read_job(f, now, &q->job[q->jobs]))
			q->jobs++;
		else
			q->damaged++;
	}
	sort(q);
	return 0;
}

/* 32 hexadecimal digits. */
static int make_end(char end[40])
{
	unsigned char byte[16];
	FILE *f = fopen("/dev/urandom", "rb");
	size_t i, n = f ? fread(byte, 1, sizeof(byte), f) : 0;

	if (f)
		fclose(f);
	end[0] = '|';
	for (i = 0; i < n; i++)
		snprintf(end + 1 + 2 * i, 3, "%02x", byte[i]);
	return n == sizeof(byte) ? 0 : -1;
}

int slurm_read_queue(struct slurm_queue *q, const char *partition, int64_t now,
		     char *error)
{
	char end[40], format[512];
	const char *argv[] = { "squeue",
			       "-h",
			       "-a",
			       "-r",
			       "-O",
			       format,
			       partition ? "-p" : NULL,
			       partition,
			       NULL };
	size_t bytes;
	char *text;

	memset(q, 0, sizeof(*q));
	if (make_end(end)) {
		snprintf(error, SLURM_ERROR, "cannot read /dev/urandom");
		return -1;
	}
	snprintf(format, sizeof(format), FIELDS, end, end, end);
	if (run(argv, &text, &bytes, error))
		return -1;
	if (slurm_parse_queue(q, text, bytes, end, now)) {
		snprintf(error, SLURM_ERROR, "out of memory");
		free(text);
		return -1;
	}
	q->text = text;
	return 0;
}

void slurm_queue_free(struct slurm_queue *q)
{
	free(q->job);
	free(q->text);
	memset(q, 0, sizeof(*q));
}

const struct slurm_job *slurm_find(const struct slurm_queue *q, uint64_t number)
{
	struct slurm_job key = { 0 };

	key.number = number;
	return q->jobs ? bsearch(&key, q->job, q->jobs, sizeof(key), by_number)
		       : NULL;
}

/* ---- dependencies ---- */

static bool holds_up(const struct slurm_job *j, bool until_begun)
{
	return j && !(until_begun && j->state == SLURM_BUSY);
}

/* @term: afterok:12(unfulfilled), after:12_3+5(unfulfilled), singleton(...) */
static bool has_ended(const struct slurm_queue *q, struct csv_field term)
{
	struct csv_field type, name;
	uint64_t number;
	bool begun;
	size_t i;

	csv_cut(&term, ':', &type);
	if (!csv_cut(&term, '(', &name)) /* singleton names no job */
		return false;
	term = name;
	csv_cut(&term, '+', &name);
	begun = csv_is(type, "after");
	number = slurm_number(name);
	if (number)
		return !holds_up(slurm_find(q, number), begun);
	if (name.n < 2 || memcmp(name.p + name.n - 2, "_*", 2))
		return false;
	name.n -= 2; /* all tasks of an array */
	number = slurm_number(name);
	for (i = 0; number && i < q->jobs; i++)
		if ((uint32_t)q->job[i].number == number &&
		    holds_up(&q->job[i], begun))
			return false;
	return number != 0;
}

int64_t slurm_ended_dependencies(const struct slurm_queue *q,
				 const struct slurm_job *j)
{
	struct csv_field left = j->dependency, term;
	uint64_t h = 0;
	size_t i;

	/* Slurm joins all by "and", or all by "or". */
	while (csv_cut(&left, has_text(j->dependency, "?") ? '?' : ',',
		       &term)) {
		if (!has_ended(q, term))
			continue;
		for (i = 0; i < term.n; i++)
			h = (h ^ (unsigned char)term.p[i]) *
			    UINT64_C(0x100000001b3);
	}
	return (int64_t)(h >> 1);
}

/* ---- throttles ---- */

size_t slurm_parse_throttles(const char *text, size_t bytes,
			     struct slurm_throttle *t)
{
	struct csv_field line, name, tasks;
	struct csv c;
	char error[8];
	int64_t id;
	size_t n = 0;

	csv_open(&c, "squeue", text, bytes, error, sizeof(error));
	while (csv_line(&c, &line)) {
		id = 0;
		csv_cut(&line, '%', &name);
		if (!csv_cut(&line, ']', &tasks) ||
		    !csv_digits(&name, SLURM_JOB_IDS - 1, &id) || !id ||
		    !name.n || *name.p != '_' ||
		    !read_number(tasks, SLURM_TASKS, &t[n].tasks))
			continue;
		t[n++].id = (uint32_t)id;
	}
	return n;
}

int slurm_read_throttles(const char *partition, struct slurm_throttle **t,
			 size_t *n, char *error)
{
	const char *argv[] = { "squeue",  "-h", "-a", "-t",
			       "PD",	  "-o", "%i", partition ? "-p" : NULL,
			       partition, NULL };
	size_t bytes, lines = 1, i;
	struct slurm_throttle *all;
	char *text;

	if (run(argv, &text, &bytes, error))
		return -1;
	for (i = 0; i < bytes; i++)
		lines += text[i] == '\n';
	all = malloc(lines * sizeof(*all));
	if (all) {
		*n = slurm_parse_throttles(text, bytes, all);
		*t = all;
	} else {
		snprintf(error, SLURM_ERROR, "out of memory");
	}
	free(text);
	return all ? 0 : -1;
}

bool slurm_is_never(struct csv_field reason)
{
	return csv_is(reason, "BadConstraints") ||
	       csv_is(reason, "PartitionNodeLimit") ||
	       csv_is(reason, "PartitionTimeLimit") ||
	       csv_is(reason, "AccountNotAllowed") ||
	       csv_is(reason, "QOSNotAllowed") || has_text(reason, "PerJob");
}

/* ---- nodes ---- */

/* Each line is allocated/idle/other/total; other has the down and drained
 * nodes. */
int slurm_parse_procs(const char *text, size_t bytes, int64_t *procs,
		      int64_t *all)
{
	struct csv_field line, f;
	struct csv c;
	int64_t n = 0, sum = 0, total = 0;
	char error[8];
	int i;

	csv_open(&c, "sinfo", text, bytes, error, sizeof(error));
	while (csv_line(&c, &line)) {
		if (csv_parts(line, '/') != 4)
			return -1;
		for (i = 0; csv_cut(&line, '/', &f); i++) {
			if (!read_number(f, INT32_MAX, &n))
				return -1;
			sum += i < 2 ? n : 0;
		}
		total += n; /* the fourth */
		if (sum > INT32_MAX || total > INT32_MAX)
			return -1;
	}
	*procs = sum;
	*all = total;
	return 0;
}

/* @nodes: NULL for all. */
static int read_procs(const char *partition, const char *nodes, int64_t *procs,
		      int64_t *all, char *error)
{
	/* sinfo refuses -a beside -p, which shows hidden partitions, too. */
	const char *argv[9] = { "sinfo", "-h", "-o", "%C",
				partition ? "-p" : "-a" };
	size_t bytes, i = 5;
	char *text;
	int status;

	if (partition)
		argv[i++] = partition;
	if (nodes) {
		argv[i++] = "-n";
		argv[i++] = nodes;
	}
	if (run(argv, &text, &bytes, error))
		return -1;
	status = slurm_parse_procs(text, bytes, procs, all);
	if (status)
		snprintf(error, SLURM_ERROR,
			 "unexpected output of sinfo: '%.40s'", text);
	free(text);
	return status;
}

int slurm_read_procs(const char *partition, int64_t *procs, char *error)
{
	int64_t all;

	return read_procs(partition, NULL, procs, &all, error);
}

/* ---- reservations and the configuration ---- */

static bool begins(struct csv_field f, const char *word, struct csv_field *rest)
{
	size_t n = strlen(word);

	if (f.n < n || memcmp(f.p, word, n))
		return false;
	rest->p = f.p + n;
	rest->n = f.n - n;
	return true;
}

static uint64_t hash_name(struct csv_field f)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (i = 0; i < f.n; i++)
		h = (h ^ (unsigned char)f.p[i]) * UINT64_C(0x100000001b3);
	return h >> 2 | UINT64_C(1) << 62;
}

/* Reads one line of KEY=VALUE; false if it is no maintenance. */
static bool read_reservation(struct csv_field line, struct slurm_reservation *r)
{
	struct csv_field f, v, flag;
	bool is_maintenance = false;

	memset(r, 0, sizeof(*r));
	while (csv_cut(&line, ' ', &f)) {
		if (begins(f, "ReservationName=", &v))
			r->name = hash_name(v);
		else if (begins(f, "StartTime=", &v))
			read_number(v, LATEST, &r->start);
		else if (begins(f, "EndTime=", &v))
			read_number(v, LATEST, &r->end);
		else if (begins(f, "Nodes=", &v))
			r->nodes = text_of(v);
		else if (begins(f, "TRES=cpu=", &v))
			read_number(v, INT32_MAX, &r->procs);
		else if (begins(f, "Flags=", &v))
			while (csv_cut(&v, ',', &flag))
				is_maintenance |= csv_is(flag, "MAINT");
	}
	return is_maintenance && r->name && r->start > 0 && r->end > r->start;
}

size_t slurm_parse_reservations(const char *text, size_t bytes,
				struct slurm_reservation *r, size_t most)
{
	struct csv_field line;
	struct csv c;
	char error[8];
	size_t n = 0;

	csv_open(&c, "scontrol", text, bytes, error, sizeof(error));
	while (n < most && csv_line(&c, &line))
		n += read_reservation(line, &r[n]);
	return n;
}

int slurm_read_reservations(const char *partition, struct slurm_reservation *r,
			    size_t most, size_t *n, char *error)
{
	static const char *const argv[] = { "scontrol", "-o", "show",
					    "reservation", NULL };
	char *text, *nodes;
	size_t bytes, i;
	int64_t procs;
	int status = 0;

	if (run(argv, &text, &bytes, error))
		return -1;
	*n = slurm_parse_reservations(text, bytes, r, most);
	/* A reservation may have nodes of other partitions. */
	for (i = 0; partition && i < *n && !status; i++) {
		nodes = strndup(r[i].nodes.p ? r[i].nodes.p : "", r[i].nodes.n);
		status = !nodes || read_procs(partition, nodes, &procs,
					      &r[i].procs, error)
				 ? -1
				 : 0;
		free(nodes);
	}
	free(text);
	return status;
}

int slurm_read_config(const char *key, char *value, size_t room, char *error)
{
	static const char *const argv[] = { "scontrol", "show", "config",
					    NULL };
	struct csv_field line, name;
	struct csv c;
	size_t bytes;
	char *text;

	if (run(argv, &text, &bytes, error))
		return -1;
	value[0] = '\0';
	csv_open(&c, "scontrol", text, bytes, error, SLURM_ERROR);
	while (csv_line(&c, &line))
		if (csv_cut(&line, '=', &name) && csv_is(name, key) &&
		    csv_cut(&line, '\n', &name))
			snprintf(value, room, "%.*s", (int)name.n, name.p);
	free(text);
	return 0;
}

/* ---- control ---- */

int slurm_update(uint64_t number, const char *change, char *error)
{
	char name[SLURM_NAME], job[SLURM_NAME + 8], *text;
	const char *argv[] = { "scontrol", "update", job, change, NULL };
	size_t bytes;

	snprintf(job, sizeof(job), "jobid=%s", slurm_name(number, name));
	if (run(argv, &text, &bytes, error))
		return -1;
	free(text);
	return 0;
}

int slurm_control(const char *verb, const uint64_t *number, size_t n,
		  char *error)
{
	const char *argv[AT_ONCE + 3] = { "scontrol", verb };
	char name[AT_ONCE][SLURM_NAME], *text;
	size_t i, done, bytes;
	int status = 0;

	for (done = 0; done < n; done += i) {
		for (i = 0; i < AT_ONCE && done + i < n; i++)
			argv[2 + i] = slurm_name(number[done + i], name[i]);
		argv[2 + i] = NULL;
		if (run(argv, &text, &bytes, error))
			status = -1; /* release the others */
		else
			free(text);
	}
	return status;
}
