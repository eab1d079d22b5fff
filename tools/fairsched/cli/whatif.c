/* SPDX-License-Identifier: MIT OR Unlicense */
/* whatif - which jobs start earlier or later under other events or rules */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "snapshot.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"

#define ROWS 5 /* of jobs that start earlier, and of those that start later */

struct args {
	struct snapshot_args snapshot; /* policy, order: -1 where not given */
	int base, base_order;
	int64_t base_depth;
	struct texts event;
	const char *jobs_out;
};

/* A job in both runs: [0] unchanged, [1] changed. */
struct row {
	size_t number;
	int64_t start[2], promise[2];
};

struct whatif {
	const struct command *command;
	const struct args *args;
	struct snapshot snapshot; /* of the unchanged run */
	struct rules_args other;  /* of the changed run */
	struct sim_rules rules;
	bool converts;
	struct row *row;
	size_t rows;
	struct swf_job extra; /* submitted by an event */
	size_t extras;
	uint64_t windows; /* announced by events */
	struct fair_job_status new_job; /* job.procs == 0: none */
	/* Running jobs that end or are queued again, for processors are lost */
	struct victim {
		struct fair_job_status was;
		bool requeued;
	} *victim;
	size_t victims;
	FILE *jobs_out;
	int status;
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "event", "EVENT", OPTION_TEXTS, AT(event),
	  "what happens at --at, may be repeated: 'cancel ID', 'finish ID', "
	  "'modify ID PROCS WALLTIME', 'submit PROCS WALLTIME [USER]', "
	  "'maintenance PROCS BEGIN END', 'capacity N' (processors come), "
	  "'capacity -N [kill ID,...] [requeue]' (processors fail, and the "
	  "jobs that run on them: where no IDs are given, those that started "
	  "last)",
	  NULL, 0, 0 },
	{ "base", "P", OPTION_CHOICE, AT(base),
	  "the present policy, default easy", policy_names, 0, 0 },
	{ "base-order", "O", OPTION_CHOICE, AT(base_order),
	  "the present order, default fcfs", order_names, 0, 0 },
	{ "base-depth", "N", OPTION_INTEGER, AT(base_depth),
	  "the present depth, default 1", NULL, 1, UINT32_MAX },
	SNAPSHOT_OPTIONS(struct args, snapshot),
	{ "jobs-out", "F", OPTION_OUTPUT, AT(jobs_out),
	  "CSV with one row for each job whose start or promise changes", NULL,
	  0, 0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

/* ---- events ---- */

static int unclear(struct whatif *w, const char *event, const char *why)
{
	w->status = usage_error(w->command, "--event '%s': %s", event, why);
	return -FAIR_EINVAL;
}

/* The number of a job that is live; SIZE_MAX: none. */
static size_t live_job(const struct whatif *w, const struct fair_sched *s,
		       int64_t id)
{
	size_t number = snapshot_find(&w->snapshot, id);
	struct fair_job_status status;

	if (number == SIZE_MAX || fair_sched_lookup(s, number, &status))
		return SIZE_MAX;
	return number;
}

/* The user is one of the trace, by default that of the first job. */
static int submit(struct whatif *w, struct fair_sched *s, const char *event,
		  int32_t procs, int64_t walltime, const char *user)
{
	const struct swf *t = &w->snapshot.trace;
	struct fair_job j = { 0 };
	int64_t id = user ? strtoll(user, NULL, 10) : t->job[0].user_id;
	size_t i;

	for (i = 0; i < t->jobs && t->job[i].user_id != id; i++)
		;
	if (i == t->jobs)
		return unclear(w, event, "the trace has no such user");
	if (s->config.policy == FAIR_MAUI)
		return unclear(w, event,
			       "submit is not possible under policy maui");
	if (w->extras)
		return unclear(w, event, "only one submit event is possible");
	w->extra = t->job[i];
	w->extra.id = -1;
	w->extra.procs = procs;
	w->extra.estimate = walltime;
	w->extra.submit = w->snapshot.at;
	j.number = t->jobs + w->extras++;
	j.submit = w->snapshot.at;
	j.procs = procs;
	j.walltime = walltime;
	j.user = t->job[i].user;
	j.account = t->job[i].account;
	j.penalty = t->job[i].penalty;
	return fair_sched_submit(s, w->snapshot.at, &j);
}

/* A maintenance window; its number follows those of --maintenance. */
static int announce(struct whatif *w, struct fair_sched *s, int32_t procs,
		    const struct when *begin, const struct when *end)
{
	struct fair_advance b = { 0 };

	w->status = trace_when(begin, &w->snapshot.trace, "BEGIN", &b.from);
	if (!w->status)
		w->status = trace_when(end, &w->snapshot.trace, "END", &b.to);
	if (w->status)
		return -FAIR_EINVAL;
	b.number = UINT64_MAX - w->windows++;
	b.procs = procs;
	b.kind = FAIR_ADVANCE_MAINTENANCE;
	return fair_sched_advance_reserve(s, w->snapshot.at, &b, true);
}

static bool read_integer(const char *text, int64_t *n)
{
	char *end;

	*n = strtoll(text, &end, 10);
	return end > text && !*end && *n <= INT32_MAX && *n >= INT32_MIN;
}

/* ---- processors that fail ---- */

static bool is_victim(const struct whatif *w, uint64_t number)
{
	size_t i;

	for (i = 0; i < w->victims; i++)
		if (w->victim[i].was.job.number == number)
			return true;
	return false;
}

static int add_victim(struct whatif *w, const struct fair_job_status *job)
{
	struct victim *more =
		realloc(w->victim, (w->victims + 1) * sizeof(*more));

	if (!more)
		return -FAIR_ENOMEM;
	w->victim = more;
	w->victim[w->victims].was = *job;
	w->victim[w->victims++].requeued = false;
	return 0;
}

/* "12,17": these jobs, which run. */
static int add_named(struct whatif *w, const struct fair_sched *s,
		     const char *event, const char *ids)
{
	struct fair_job_status job;
	size_t number;
	int error = 0;
	char *end;

	do {
		number = live_job(w, s, strtoll(ids, &end, 10));
		if (end == ids || (*end && *end != ',') || number == SIZE_MAX ||
		    fair_sched_lookup(s, number, &job) ||
		    job.state != FAIR_RUNNING || is_victim(w, number))
			return unclear(w, event,
				       "kill needs running jobs, each once");
		error = add_victim(w, &job);
		ids = end + 1;
	} while (*end && !error);
	return error;
}

/* Of the running jobs, but for the victims: the one that started last. */
static bool find_youngest(const struct whatif *w, const struct fair_sched *s,
			  struct fair_job_status *youngest)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status job;
	bool found = false;

	while (fair_sched_each(s, FAIR_RUNNING, &at, &job)) {
		if (is_victim(w, job.job.number) ||
		    (found && (job.start < youngest->start ||
			       (job.start == youngest->start &&
				job.job.number < youngest->job.number))))
			continue;
		*youngest = job;
		found = true;
	}
	return found;
}

/* Processors that no job, but for the victims since @first, runs on. */
static int64_t free_procs(const struct whatif *w, const struct fair_sched *s,
			  size_t first)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status job;
	int64_t n = s->procs;

	while (fair_sched_each(s, FAIR_RUNNING, &at, &job))
		n -= job.job.procs;
	for (; first < w->victims; first++)
		n += w->victim[first].was.job.procs;
	return n;
}

/* The victims since @first end with @n processors, and may wait again. */
static int lose_victims(struct whatif *w, struct fair_sched *s, int32_t n,
			size_t first, bool requeue)
{
	size_t victims = w->victims - first, i;
	uint64_t *number = malloc((victims + 1) * sizeof(*number));
	int error = number ? 0 : -FAIR_ENOMEM;

	for (i = 0; !error && i < victims; i++)
		number[i] = w->victim[first + i].was.job.number;
	if (!error)
		error = fair_sched_capacity(s, w->snapshot.at, -n,
					    victims ? number : NULL, victims);
	for (i = first; !error && requeue && i < w->victims; i++) {
		w->victim[i].requeued = true;
		error = fair_sched_submit(s, w->snapshot.at,
					  &w->victim[i].was.job);
	}
	free(number);
	return error;
}

/* "capacity -64 kill 12,17 requeue": @rest is what follows the number. */
static int lose(struct whatif *w, struct fair_sched *s, const char *event,
		int32_t n, const char *rest)
{
	char word[8] = "", ids[512] = "", more[8] = "", end[2] = "";
	int words = sscanf(rest, "%7s %511s %7s %1s", word, ids, more, end);
	bool named = words >= 2 && !strcmp(word, "kill"), requeue;
	size_t first = w->victims;
	struct fair_job_status job;
	int error = 0;

	requeue = words == 1 ? !strcmp(word, "requeue")
			     : words == 3 && !strcmp(more, "requeue");
	if (words > 0 && !(words == 1 && requeue) &&
	    !(named && (words == 2 || requeue)))
		return unclear(w, event, "not an event; see --help");
	if (n > s->procs)
		return unclear(w, event,
			       "the machine has not that many processors");
	if (named)
		error = add_named(w, s, event, ids);
	while (!error && !named && free_procs(w, s, first) < n &&
	       find_youngest(w, s, &job))
		error = add_victim(w, &job);
	if (error)
		return error;
	if (free_procs(w, s, first) < n)
		return unclear(w, event,
			       "too few processors are free when these jobs "
			       "end: name more, or none");
	return lose_victims(w, s, n, first, requeue);
}

static int apply(struct whatif *w, struct fair_sched *s, const char *event)
{
	char what[16] = "", a[24] = "", b[24] = "", c[24] = "", more[2] = "";
	int words = sscanf(event, "%15s %23s %23s %23s %1s", what, a, b, c,
			   more);
	int64_t now = w->snapshot.at, n, procs, walltime = 0;
	struct when begin, end;
	int read = 0;
	size_t number;

	if (words < 2 || !read_integer(a, &n))
		return unclear(w, event, "not an event; see --help");
	if (!strcmp(what, "capacity") && n < 0 &&
	    sscanf(event, "%*s %*s%n", &read) >= 0)
		return lose(w, s, event, (int32_t)-n, event + read);
	if (words == 2 && !strcmp(what, "capacity"))
		return fair_sched_capacity(s, now, (int32_t)n, NULL, 0);
	if ((words == 3 || words == 4) && !strcmp(what, "submit") &&
	    units_seconds(b, &walltime))
		return submit(w, s, event, (int32_t)n, walltime,
			      words == 4 ? c : NULL);
	if (words == 4 && !strcmp(what, "maintenance") &&
	    units_when(b, &begin) && units_when(c, &end))
		return announce(w, s, (int32_t)n, &begin, &end);
	number = live_job(w, s, n);
	if (number == SIZE_MAX)
		return unclear(w, event,
			       "not an event, or the job is neither queued nor "
			       "running; see --help");
	if (words == 2 && !strcmp(what, "cancel"))
		return fair_sched_cancel(s, now, number);
	if (words == 2 && !strcmp(what, "finish"))
		return fair_sched_finish(s, now, number);
	if (words == 4 && !strcmp(what, "modify") &&
	    read_integer(b, &procs) && units_seconds(c, &walltime))
		return fair_sched_modify(s, now, number, (int32_t)procs,
					 walltime);
	return unclear(w, event, "not an event; see --help");
}

static int apply_all(struct whatif *w, struct fair_sched *s)
{
	const struct texts *e = &w->args->event;
	struct fair_decision d[64];
	int error = 0;
	size_t i, n = 64;

	for (i = 0; !error && i < e->n; i++) {
		error = apply(w, s, e->text[i]);
		if (error && !w->status)
			w->status = input_error("--event '%s': %s", e->text[i],
						fair_strerror(error));
	}
	while (!error && n == 64)
		error = fair_sched_step(s, w->snapshot.at, d, 64, &n);
	if (w->extras)
		fair_sched_lookup(s, w->snapshot.trace.jobs, &w->new_job);
	return error;
}

/* ---- at some time ---- */

static void take_change(void *ctx, const struct fair_change *c)
{
	struct whatif *w = ctx;
	struct row *r = &w->row[w->rows++];

	r->number = (size_t)c->number;
	memcpy(r->start, c->start, sizeof(r->start));
	memcpy(r->promise, c->promise, sizeof(r->promise));
}

/* @a runs on unchanged, @b is its clone or was converted from it. */
static int differ(struct whatif *w, const struct fair_sched *a,
		  struct fair_sched *b)
{
	size_t bytes = fair_sched_whatif_size(&a->config, &b->config);
	void *memory = bytes ? malloc(bytes) : NULL;
	int error = memory ? apply_all(w, b) : -FAIR_ENOMEM;

	w->row = malloc(((size_t)a->jobs + b->jobs + 1) * sizeof(*w->row));
	if (!w->row)
		error = -FAIR_ENOMEM;
	if (!error)
		error = fair_sched_whatif(a, b, memory, bytes, take_change, w);
	free(memory);
	return error;
}

static int answer(void *ctx, struct fair_sched *a)
{
	struct whatif *w = ctx;
	struct fair_sched b;
	void *memory = NULL;
	size_t bytes;
	int error;

	if (w->converts) {
		error = sim_convert(&w->rules, w->snapshot.trace.job,
				    w->snapshot.trace.jobs, a, &b, &memory);
	} else {
		bytes = fair_sched_size(&a->config);
		memory = malloc(bytes);
		error = memory ? fair_sched_clone(&b, memory, bytes, a)
			       : -FAIR_ENOMEM;
		b.config.promised = NULL;
	}
	if (!error)
		error = differ(w, a, &b);
	free(memory);
	return w->status ? 0 : error; /* reported already */
}

/* ---- a whole history ---- */

static int replay(struct whatif *w, const struct sim_rules *rules,
		  struct sim_result *result)
{
	const struct swf *t = &w->snapshot.trace;
	struct sim_watch watch = { 0 };
	struct sim_totals totals;
	int error;

	watch.progress = progress_add;
	error = sim_run(rules, t->job, t->jobs, &watch, result, &totals);
	return error ? run_error("%s: at second %" PRId64 ": %s",
				 w->snapshot.name, totals.now,
				 fair_strerror(error))
		     : 0;
}

static int replay_into(struct whatif *w, struct sim_result *const result[2])
{
	size_t n = w->snapshot.trace.jobs, i, k;
	int status;

	progress_begin("replaying", 2 * n);
	status = replay(w, &w->snapshot.rules, result[0]);
	if (!status)
		status = replay(w, &w->rules, result[1]);
	progress_end();
	for (i = 0; !status && i < n; i++) {
		w->row[w->rows].number = i;
		for (k = 0; k < 2; k++) {
			w->row[w->rows].start[k] = result[k][i].start;
			w->row[w->rows].promise[k] = result[k][i].promise;
		}
		w->rows += result[0][i].start != result[1][i].start ||
			   result[0][i].promise != result[1][i].promise;
	}
	return status;
}

static int replay_both(struct whatif *w)
{
	size_t n = w->snapshot.trace.jobs;
	struct sim_result *result[2];
	int status;

	result[0] = malloc(n * sizeof(*result[0]));
	result[1] = malloc(n * sizeof(*result[1]));
	w->row = calloc(n, sizeof(*w->row));
	status = result[0] && result[1] && w->row
			 ? replay_into(w, result)
			 : run_error("out of memory");
	free(result[0]);
	free(result[1]);
	return status;
}

/* ---- what came of it ---- */

static const struct swf_job *job_of(const struct whatif *w, size_t number)
{
	return number < w->snapshot.trace.jobs ? &w->snapshot.trace.job[number]
					       : &w->extra;
}

/* By how much later it starts; 0 if it starts in one run only. */
static int64_t later(const struct row *r)
{
	if (r->start[0] == FAIR_FOREVER || r->start[1] == FAIR_FOREVER)
		return 0;
	return r->start[1] - r->start[0];
}

static int by_change(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (later(x) != later(y))
		return later(x) < later(y) ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void print_time(int64_t t)
{
	if (t == FAIR_FOREVER)
		printf(" %12s", "-");
	else
		printf(" %12" PRId64, t);
}

static void print_row(const struct whatif *w, const struct row *r)
{
	const struct swf_job *j = job_of(w, r->number);

	if (j == &w->extra)
		printf("%10s", "new");
	else
		printf("%10" PRId64, j->id);
	printf(" %10" PRId64, j->user_id);
	print_time(r->start[0]);
	print_time(r->start[1]);
	printf(" %+12" PRId64 "\n", later(r));
}

static void print_jobs(const struct whatif *w)
{
	size_t i, n = 0;

	printf("\n%10s %10s %12s %12s %12s\n", "job", "user", "start",
	       "new start", "later by");
	for (i = 0; i < w->rows && i < ROWS && later(&w->row[i]) < 0; i++)
		print_row(w, &w->row[i]);
	for (i = 0; i < w->rows; i++)
		n += later(&w->row[i]) > 0;
	for (i = w->rows - (n < ROWS ? n : ROWS); i < w->rows; i++)
		print_row(w, &w->row[i]);
}

struct user {
	int64_t id, later;
	size_t jobs;
};

static int user_by_change(const void *a, const void *b)
{
	const struct user *x = a, *y = b;

	if (x->later != y->later)
		return x->later < y->later ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void print_user(const struct user *u)
{
	printf("%10s %10" PRId64 " %12zu %12s %+12" PRId64 "\n", "", u->id,
	       u->jobs, "", u->later);
}

/* The sums over all jobs of a user. */
static int print_users(const struct whatif *w)
{
	const struct swf *t = &w->snapshot.trace;
	struct user *user = calloc(t->users, sizeof(*user));
	size_t i, n = t->users;

	if (!user)
		return run_error("out of memory");
	for (i = 0; i < t->jobs; i++)
		user[t->job[i].user].id = t->job[i].user_id;
	for (i = 0; i < w->rows; i++) {
		struct user *u = &user[job_of(w, w->row[i].number)->user];

		u->jobs += later(&w->row[i]) != 0;
		u->later += later(&w->row[i]);
	}
	qsort(user, n, sizeof(*user), user_by_change);
	printf("\n%10s %10s %12s %12s %12s\n", "", "user", "jobs", "",
	       "later by");
	for (i = 0; i < n && i < ROWS && user[i].later < 0; i++)
		print_user(&user[i]);
	for (i = n > ROWS ? n - ROWS : 0; i < n; i++)
		if (user[i].later > 0)
			print_user(&user[i]);
	free(user);
	return 0;
}

/* What becomes of the jobs that the events are about. */
static void print_answers(const struct whatif *w)
{
	const struct victim *v;
	int64_t start = w->new_job.start;
	size_t i;

	for (i = 0; i < w->victims; i++) {
		v = &w->victim[i];
		printf("Job %" PRId64 ", which runs on %" PRId32
		       " processor%s since %" PRId64 ", %s.\n",
		       w->snapshot.trace.job[v->was.job.number].id,
		       v->was.job.procs, v->was.job.procs == 1 ? "" : "s",
		       v->was.start, v->requeued ? "waits again" : "ends");
	}
	if (!w->extras)
		return;
	for (i = 0; i < w->rows; i++)
		if (w->row[i].number == w->snapshot.trace.jobs)
			start = w->row[i].start[1];
	if (start == FAIR_FOREVER)
		puts("The new job never starts.");
	else
		printf("The new job starts at %" PRId64 ".\n", start);
}

/* Counts and means; how many start at another time. */
static size_t print_summary(const struct whatif *w)
{
	size_t n[2] = { 0, 0 }, lost = 0, promises = 0, i;
	double sum[2] = { 0, 0 };

	for (i = 0; i < w->rows; i++) {
		const struct row *r = &w->row[i];
		int64_t change = later(r);

		promises += r->promise[0] != r->promise[1];
		lost += (r->start[0] == FAIR_FOREVER) !=
			(r->start[1] == FAIR_FOREVER);
		if (!change)
			continue;
		n[change > 0]++;
		sum[change > 0] += (double)(change < 0 ? -change : change);
	}
	printf("jobs that start earlier %zu", n[0]);
	if (n[0])
		printf(", by %.0f s on average", sum[0] / (double)n[0]);
	printf("\njobs that start later   %zu", n[1]);
	if (n[1])
		printf(", by %.0f s on average", sum[1] / (double)n[1]);
	printf("\njobs in only one run    %zu\n", lost);
	printf("promises that change    %zu\n", promises);
	return n[0] + n[1];
}

static void write_time(FILE *f, int64_t t)
{
	putc(',', f);
	if (t != FAIR_FOREVER)
		fprintf(f, "%" PRId64, t);
}

static void write_rows(const struct whatif *w)
{
	FILE *f = w->jobs_out;
	size_t i;

	fputs("job_id,user,start,new_start,promise,new_promise\n", f);
	for (i = 0; i < w->rows; i++) {
		const struct row *r = &w->row[i];
		const struct swf_job *j = job_of(w, r->number);

		if (j != &w->extra)
			fprintf(f, "%" PRId64, j->id);
		fprintf(f, ",%" PRId64, j->user_id);
		write_time(f, r->start[0]);
		write_time(f, r->start[1]);
		write_time(f, r->promise[0]);
		write_time(f, r->promise[1]);
		putc('\n', f);
	}
}

static int report(struct whatif *w)
{
	int status = 0;

	if (w->jobs_out) {
		write_rows(w);
		status = output_commit();
	}
	if (status || w->jobs_out == stdout)
		return status;
	if (w->rows)
		qsort(w->row, w->rows, sizeof(*w->row), by_change);
	print_answers(w);
	if (!print_summary(w))
		return 0;
	print_jobs(w);
	return print_users(w);
}

/* ---- the command ---- */

/* The rules of both runs: what no option changes is the same. */
static const char *make_rules(struct whatif *w, struct snapshot_args *base)
{
	const struct args *a = w->args;
	struct snapshot_args other = a->snapshot;
	bool given = other.policy >= 0 || other.rules.order >= 0 ||
		     other.rules.depth;

	*base = a->snapshot;
	base->policy = a->base;
	base->rules.order = a->base_order;
	base->rules.depth = a->base_depth;
	if (other.policy < 0)
		other.policy = a->base;
	if (other.rules.order < 0)
		other.rules.order = a->snapshot.policy < 0 ? a->base_order : 0;
	if (!other.rules.depth && a->snapshot.policy < 0)
		other.rules.depth = a->base_depth;
	base->also = 1u << other.policy;
	base->rules.other_order = other.rules.order;
	w->other = other.rules;
	w->converts = given;
	if (!given && !a->event.n)
		return "a change is missing: --event, --policy, --order or "
		       "--depth";
	if (a->event.n && !a->snapshot.at.given)
		return "--event needs --at";
	/* Policy maui numbers users and groups in another way. */
	if (given && a->snapshot.at.given &&
	    (other.policy == RULES_MAUI || a->base == RULES_MAUI ||
	     other.rules.order == SIM_ORDER_PRIORITY ||
	     a->base_order == SIM_ORDER_PRIORITY))
		return "--at cannot change from or to maui or order priority: "
		       "without --at the whole trace is replayed";
	return rules_make(&w->rules, other.policy, &other.rules);
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	struct whatif w = { 0 };
	struct snapshot_args base;
	const char *why;
	int status;

	(void)operands;
	w.command = c;
	w.args = args;
	why = make_rules(&w, &base);
	if (why)
		return usage_error(c, "%s", why);
	status = snapshot_open(&w.snapshot, c, &base, operand[0]);
	if (!status)
		status = rules_assign(&w.snapshot.files, &w.other,
				      base.trace.lenient, &w.snapshot.trace,
				      operand[0]);
	rules_bind(&w.rules, &w.snapshot.files);
	w.rules.procs = w.snapshot.trace.procs;
	w.rules.epoch = w.snapshot.trace.unix_start;
	w.rules.more_windows = (uint32_t)w.args->event.n;
	w.snapshot.rules.more_windows = w.rules.more_windows;
	if (!status && w.args->jobs_out) {
		w.jobs_out = output_open(w.args->jobs_out);
		status = w.jobs_out ? 0 : EXIT_FAILED;
	}
	if (!status)
		status = base.at.given ? snapshot_run(&w.snapshot, answer, &w)
				       : replay_both(&w);
	if (!status)
		status = w.status ? w.status : report(&w);
	output_abandon();
	free(w.row);
	free(w.victim);
	snapshot_close(&w.snapshot);
	return status;
}

static void defaults(void *args)
{
	struct args *a = args;

	a->snapshot.policy = a->snapshot.rules.order = -1;
	a->base = RULES_EASY;
}

const struct command whatif_command = {
	"whatif",
	"TRACE",
	"show which jobs start earlier or later after a change",
	"Simulates TRACE under --base up to --at, then twice to the end: "
	"unchanged, and with the events or under --policy. Without --at it "
	"simulates the whole trace under both policies.",
	"With --at, no more jobs arrive and every job runs for its whole "
	"estimate. Without it jobs run as long as in the trace. --order, "
	"--depth and the files of other options describe the changed run, "
	"--base-order and --base-depth the unchanged one; --backfill applies "
	"to both. Times are seconds of the trace; below the jobs stand the "
	"sums of each user's jobs.",
	"fairsched whatif KTH-SP2-1996-2.swf.gz --base easy "
	"--policy conservative",
	options,
	1,
	1,
	run,
	sizeof(struct args),
	defaults,
};
