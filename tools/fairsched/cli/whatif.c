/* SPDX-License-Identifier: MIT OR Unlicense */
/* whatif - which jobs start earlier or later under other events or rules */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "snapshot.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/table.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/trace/names.h"
#include "tools/fairsched/trace/node_names.h"

#define ROWS 5 /* of jobs that start earlier, and of those that start later */

struct args {
	struct snapshot_args snapshot; /* policy, order: -1 where not given */
	int base, base_order;
	int64_t base_depth;
	struct texts event;
	const char *jobs_out, *json;
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
	int32_t extra_amount[FAIR_MACHINE_RESOURCES]; /* by --plan classes */
	uint8_t extra_class[FAIR_MACHINE_CLASSES];
	struct csv_field extra_qos; /* of the event's text */
	int32_t *has; /* what the classes have after the events, or NULL */
	size_t extras;
	uint64_t windows; /* announced by events */
	struct fair_job_status new_job; /* job.procs == 0: none */
	/* Running jobs that end or are queued again, for processors are lost */
	struct victim {
		struct fair_job_status was;
		bool requeued;
	} *victim;
	size_t victims;
	size_t waiting;	 /* jobs at --at, or all of the trace */
	size_t affected; /* of these */
	FILE *jobs_out, *json;
	int status;
};

#define AT(field) offsetof(struct args, field)

static const struct option options[] = {
	{ "event", "EVENT", OPTION_TEXTS, AT(event),
	  "what happens at --at, may be repeated: 'cancel ID', 'finish ID', "
	  "'modify ID PROCS WALLTIME', 'suspend ID', 'resume ID', 'resize ID "
	  "PROCS' (a running job), 'submit PROCS WALLTIME [USER]', "
	  "'maintenance PROCS BEGIN END', 'capacity N' (processors come), "
	  "'capacity -N [kill ID,...] [requeue]' (processors fail, and the "
	  "jobs that run on them: where no IDs are given, those that started "
	  "last). With --plan classes 'submit' also takes RESOURCE=AMOUNT and "
	  "classes=A:B and qos=NAME; 'capacity' has CLASS or CLASS:RESOURCE behind the "
	  "number, or :RESOURCE of the whole machine, and 'maintenance' behind "
	  "END. With --plan nodes 'submit' also takes nodes=N, chunks=N, "
	  "per_node=N and exclusive=1, 'maintenance' is of whole NODES and has "
	  "their CLASS behind END, and 'down NODE [requeue]' and 'up NODE' "
	  "stand for 'capacity'",
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
	{ "json", "F", OPTION_OUTPUT, AT(json),
	  "write the answer as JSON, its times in seconds of the trace", NULL,
	  0, 0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

/* ---- events ---- */

static int unclear(struct whatif *w, const char *event, const char *format, ...)
{
	char why[256];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	w->status = usage_error(w->command, "--event '%s': %s", event, why);
	return -FAIR_EINVAL;
}

#define REPEATED (SIZE_MAX - 1)

/* The number of a job that is live; SIZE_MAX: none; REPEATED: of several. */
static size_t live_job(const struct whatif *w, const struct fair_sched *s,
		       const struct job_name *name)
{
	const struct swf *t = &w->snapshot.trace;
	struct fair_job_status status;
	size_t found = SIZE_MAX, i;

	for (i = 0; i < t->jobs; i++) {
		if (!snapshot_is(&t->job[i], name) ||
		    fair_sched_lookup(s, i, &status))
			continue;
		if (found != SIZE_MAX)
			return REPEATED;
		found = i;
	}
	return found;
}

static const struct plan *plan_of(const struct whatif *w)
{
	const struct plan *p = &w->snapshot.files.plan;

	return plan_is_open(p) ? p : NULL;
}

/* "A:B" */
static int read_classes(struct whatif *w, const char *event,
			struct csv_field names, struct fair_job *j)
{
	const struct machine *m = plan_of(w)->machine;
	struct csv_field name;
	int k;

	while (csv_cut(&names, ':', &name)) {
		k = machine_class(m, name.p, name.n);
		if (k < 0 || j->class_count == plan_of(w)->config.classes)
			return unclear(w, event,
				       "the machine has no such class");
		w->extra_class[j->class_count++] = (uint8_t)k;
	}
	return 0;
}

/* Leaves the classes that serve its QoS. */
static int keep_serving(struct whatif *w, const char *event,
			struct fair_job *j)
{
	const struct plan *p = plan_of(w);
	uint32_t n = j->class_count, k, kept = 0;

	for (k = 0; !n && k < p->config.classes; k++)
		w->extra_class[k] = (uint8_t)k;
	for (n = n ? n : k, k = 0; k < n; k++)
		if (plan_serves(p, w->extra_class[k], w->extra_qos))
			w->extra_class[kept++] = w->extra_class[k];
	j->class_count = kept;
	return kept ? 0
		    : unclear(w, event,
			      "no class that it may use serves its QoS");
}

static bool is_of_nodes(struct csv_field name)
{
	return csv_is(name, "nodes") || csv_is(name, "chunks") ||
	       csv_is(name, "per_node") || csv_is(name, "exclusive");
}

/* nodes=2: distinct ones; chunks=2, per_node=1, exclusive=1 */
static int read_nodes(struct whatif *w, const char *event,
		      struct csv_field name, struct csv_field item,
		      struct fair_job *j)
{
	int64_t n = 0;

	if (!csv_digits(&item, INT32_MAX, &n) || item.n || !n)
		return unclear(w, event, "'%.*s' is not a number from 1 on",
			       csv_shown(name), name.p);
	if (csv_is(name, "exclusive"))
		j->exclusive = true;
	else if (csv_is(name, "per_node"))
		j->per_node = (int32_t)n;
	else
		j->chunks = (int32_t)n;
	if (csv_is(name, "nodes"))
		j->per_node = 1;
	return 0;
}

static int32_t common_divisor(int32_t a, int32_t b)
{
	int32_t rest;

	for (; b; b = rest) {
		rest = a % b;
		a = b;
	}
	return a;
}

/* Into the chunks that it names, or as many as its amounts divide into, but for
 * memory, of which each chunk gets a part that is rounded up. */
static int divide(struct whatif *w, const char *event, struct fair_job *j)
{
	const struct plan *p = plan_of(w);
	int32_t most = j->procs, *amount = w->extra_amount;
	uint32_t r;

	for (r = 1; r < p->config.resources; r++)
		if (!(p->config.wide >> r & 1) &&
		    !plan_is_memory(p->resource[r]))
			most = common_divisor(most, amount[r]);
	if (!j->chunks)
		j->chunks = most;
	if (most % j->chunks)
		return unclear(w, event, "an amount does not divide among its "
					 "nodes or chunks");
	for (r = 1; r < p->config.resources; r++)
		if (plan_is_memory(p->resource[r]) && amount[r] % j->chunks)
			amount[r] += j->chunks - amount[r] % j->chunks;
	return 0;
}

/* RESOURCE=AMOUNT, classes=A:B or qos=NAME; all of it is in @item. */
static int read_item(struct whatif *w, const char *event,
		     struct csv_field item, struct fair_job *j)
{
	const struct plan *p = plan_of(w);
	struct csv_field name;
	int64_t amount;
	int r;

	csv_cut(&item, '=', &name);
	if (csv_is(name, "classes"))
		return read_classes(w, event, item, j);
	if (p->nodes.count && is_of_nodes(name))
		return read_nodes(w, event, name, item, j);
	if (csv_is(name, "qos")) {
		w->extra_qos = item;
		return 0;
	}
	r = machine_resource(p->machine, name.p, name.n);
	if (r < 1)
		return unclear(w, event, "the machine has no such resource");
	if (!item.n || !machine_amount(item.p, item.n, &amount))
		return unclear(w, event, "not an amount, such as 2 or 16G");
	w->extra_amount[r] = plan_round_up(p, (uint32_t)r, amount);
	return 0;
}

/* What follows the walltime by --plan classes: items, and perhaps a user. */
static int read_items(struct whatif *w, const char *event, const char *rest,
		      struct fair_job *j, char *user, size_t size)
{
	struct csv_field all = { rest, strlen(rest) }, item;
	int error = 0;

	user[0] = 0;
	w->extra_qos = csv_column(NULL);
	memset(w->extra_amount, 0, sizeof(w->extra_amount));
	while (!error && all.p && csv_cut(&all, ' ', &item)) {
		if (item.n && memchr(item.p, '=', item.n))
			error = read_item(w, event, item, j);
		else if (item.n && (user[0] || item.n >= size))
			error = unclear(w, event, "not an event; see --help");
		else if (item.n)
			snprintf(user, size, "%.*s", (int)item.n, item.p);
	}
	w->extra_amount[0] = j->procs;
	j->amount = w->extra_amount;
	j->classes = w->extra_class;
	if (!error && plan_of(w)->nodes.count)
		error = divide(w, event, j);
	if (!error && plan_of(w)->machine->has_qos)
		error = keep_serving(w, event, j);
	return error;
}

/*
 * The user is one of the trace, by default that of the first job. @j has what it
 * asks for beside.
 */
static int submit(struct whatif *w, struct fair_sched *s, const char *event,
		  struct fair_job j, const char *user)
{
	const int32_t procs = j.procs;
	const int64_t walltime = j.walltime;
	const struct swf *t = &w->snapshot.trace;
	int64_t id = names_number(t->names, SACCT_USER, user ? user : "");
	size_t i;

	if (id < 0)
		id = user ? strtoll(user, NULL, 10) : t->job[0].user_id;
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
	j.user = sim_has_nodes(&w->rules) ? t->job[i].node : t->job[i].user;
	j.group = t->job[i].share_group;
	j.account = t->job[i].account;
	j.penalty = t->job[i].penalty;
	if (w->rules.limits->entries)
		limits_describe(&t->job[i], &j);
	return fair_sched_submit(s, w->snapshot.at, &j);
}

/* A maintenance window; its number follows those of --maintenance. */
static int announce(struct whatif *w, struct fair_sched *s, const char *event,
		    struct fair_advance b, const struct when *begin,
		    const struct when *end)
{
	w->status = trace_when(begin, &w->snapshot.trace, "BEGIN", &b.from);
	if (!w->status)
		w->status = trace_when(end, &w->snapshot.trace, "END", &b.to);
	if (w->status)
		return -FAIR_EINVAL;
	if (b.to <= b.from || b.to <= w->snapshot.at)
		return unclear(w, event, "END must be after BEGIN and --at");
	b.number = UINT64_MAX - w->windows++;
	b.kind = FAIR_ADVANCE_MAINTENANCE;
	return fair_sched_advance_reserve(s, w->snapshot.at, &b, true);
}

static bool read_integer(const char *text, int64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoll(text, &end, 10);
	return end > text && !*end && !errno;
}

/* Processors of one job or window. */
static int check_procs(struct whatif *w, const struct fair_sched *s,
		       const char *event, int64_t procs)
{
	if (procs >= 1 && (plan_of(w) || procs <= s->procs) &&
	    procs <= INT32_MAX)
		return 0;
	return unclear(w, event,
		       "PROCS is from 1 to the %" PRId32 " of the machine",
		       s->procs);
}

static int check_walltime(struct whatif *w, const char *event,
			  int64_t walltime)
{
	return walltime > 0 ? 0
			    : unclear(w, event, "WALLTIME is a second or more");
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

/* Among the victims from @first on. */
static bool is_since(const struct whatif *w, size_t first, uint64_t number)
{
	for (; first < w->victims; first++)
		if (w->victim[first].was.job.number == number)
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
	struct job_name name;
	size_t number;
	int error = 0, n;
	char text[48];

	do {
		n = (int)strcspn(ids, ",");
		snprintf(text, sizeof(text), "%.*s", n, ids);
		number = snapshot_name(text, &name) ? live_job(w, s, &name)
						    : SIZE_MAX;
		if (number == REPEATED)
			return unclear(w, event, "more than one job has the "
				       "number %.*s", n, ids);
		if (number == SIZE_MAX ||
		    fair_sched_lookup(s, number, &job) ||
		    job.state != FAIR_RUNNING)
			return unclear(w, event, "'%.*s' is no running job", n,
				       ids);
		if (is_victim(w, number))
			return unclear(w, event, "job %.*s would end twice", n,
				       ids);
		error = add_victim(w, &job);
		ids += n;
	} while (*ids++ && !error);
	return error;
}

/* What fails: processors of one pool, some of a resource of a class, a node. */
struct loss {
	uint32_t node_class, resource;
	bool wide;   /* of the whole machine */
	int32_t *has; /* how much there is; NULL: one pool, or: */
	bool is_node;
	uint32_t node;
};

/* How much of it the job has. */
static int32_t amount_in(const struct loss *of, const struct fair_job_status *j)
{
	if (!of->has)
		return j->job.procs;
	if (!of->wide && j->node_class != of->node_class)
		return 0;
	return of->resource ? j->job.amount[of->resource] : j->job.procs;
}

/* Of the running jobs, but for the victims: the one that started last. */
static bool find_youngest(const struct whatif *w, const struct fair_sched *s,
			  const struct loss *of,
			  struct fair_job_status *youngest)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status job;
	bool found = false;

	while (fair_sched_each(s, FAIR_RUNNING, &at, &job)) {
		if (is_victim(w, job.job.number) || !amount_in(of, &job) ||
		    (found && (job.start < youngest->start ||
			       (job.start == youngest->start &&
				job.job.number < youngest->job.number))))
			continue;
		*youngest = job;
		found = true;
	}
	return found;
}

/* What no running job has of it, but for the victims since @first. */
static int64_t free_of(const struct whatif *w, const struct fair_sched *s,
		       const struct loss *of, size_t first)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status job;
	int64_t n = of->has ? *of->has : s->procs;

	while (fair_sched_each(s, FAIR_RUNNING, &at, &job))
		if (!is_since(w, first, job.job.number))
			n -= amount_in(of, &job);
	return n;
}

static int change_capacity(struct whatif *w, struct fair_sched *s,
			   const struct loss *of, int32_t delta,
			   const uint64_t *victim, size_t victims)
{
	int error;

	if (of->is_node)
		return delta > 0 ? fair_sched_node_up(s, w->snapshot.at,
						      of->node)
				 : fair_sched_node_down(s, w->snapshot.at,
							of->node, victim,
							victims);
	if (!of->has)
		return fair_sched_capacity(s, w->snapshot.at, delta, victim,
					   victims);
	error = fair_sched_class_capacity(s, w->snapshot.at, of->node_class,
					  of->resource, delta, victim,
					  victims);
	if (!error)
		*of->has += delta;
	return error;
}

/* The victims since @first end with @n of it, and may wait again. */
static int lose_victims(struct whatif *w, struct fair_sched *s,
			const struct loss *of, int32_t n, size_t first,
			bool requeue)
{
	struct fair_job again;
	size_t victims = w->victims - first, i;
	uint64_t *number = malloc((victims + 1) * sizeof(*number));
	int error = number ? 0 : -FAIR_ENOMEM;

	for (i = 0; !error && i < victims; i++)
		number[i] = w->victim[first + i].was.job.number;
	if (!error)
		error = change_capacity(w, s, of, -n, victims ? number : NULL,
					victims);
	for (i = first; !error && requeue && i < w->victims; i++) {
		w->victim[i].requeued = true;
		again = w->victim[i].was.job;
		if (plan_of(w))
			plan_ask(plan_of(w), (size_t)again.number, &again);
		error = fair_sched_submit(s, w->snapshot.at, &again);
	}
	free(number);
	return error;
}

/* "capacity -64 kill 12,17 requeue": @rest is what follows the number. */
static int lose(struct whatif *w, struct fair_sched *s, const char *event,
		const struct loss *of, int32_t n, const char *rest)
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
	if (of->has && n > *of->has)
		return unclear(w, event, "the machine has not that much");
	if (!of->has && n > s->procs)
		return unclear(w, event, "the machine has %" PRId32
			       " processors", s->procs);
	if (named)
		error = add_named(w, s, event, ids);
	while (!error && !named && free_of(w, s, of, first) < n &&
	       find_youngest(w, s, of, &job))
		error = add_victim(w, &job);
	if (error)
		return error;
	if (free_of(w, s, of, first) < n)
		return unclear(w, event,
			       of->has ? "too little is free when these jobs "
					 "end: name more, or none"
				       : "too few processors are free when "
					 "these jobs end: name more, or none");
	return lose_victims(w, s, of, n, first, requeue);
}

/* "gpu:gpus", "gpu" of its processors, ":licences" of the whole machine. */
static int read_loss(struct whatif *w, const char *event, const char *text,
		     struct loss *of)
{
	const struct plan *p = plan_of(w);
	struct csv_field rest = csv_column(text), name;
	int k, r = 0;

	csv_cut(&rest, ':', &name);
	k = name.n ? machine_class(p->machine, name.p, name.n) : 0;
	if (rest.p)
		r = machine_resource(p->machine, rest.p, rest.n);
	if (r < 0)
		return unclear(w, event, "the machine has no such resource");
	of->wide = p->config.wide >> r & 1;
	if (k < 0 || (!name.n && !of->wide))
		return unclear(w, event, "the machine has no such class");
	of->node_class = (uint32_t)k;
	of->resource = (uint32_t)r;
	of->has = w->has + (of->wide ? 0 : of->node_class *
						   p->config.resources) + r;
	return 0;
}

/* "-2 gpu:gpus kill 12 requeue" of "capacity -2 gpu:gpus kill 12 requeue" */
static int change_class(struct whatif *w, struct fair_sched *s,
			const char *event, const char *text)
{
	char number[24] = "", what[64] = "";
	struct loss of = { 0 };
	bool gains;
	int64_t n;
	int read = 0, error;

	if (sscanf(text, "%23s %63s%n", number, what, &read) < 2)
		return unclear(w, event, "by --plan classes it needs CLASS or "
					 "CLASS:RESOURCE behind the number");
	gains = number[0] != '-';
	if (!machine_amount(number + !gains, strlen(number + !gains), &n))
		return unclear(w, event, "not an amount, such as 2 or 16G");
	error = read_loss(w, event, what, &of);
	if (error)
		return error;
	n = plan_round_up(plan_of(w), of.resource, n);
	if (!gains)
		return lose(w, s, event, &of, (int32_t)n, text + read);
	if (text[read])
		return unclear(w, event, "not an event; see --help");
	return change_capacity(w, s, &of, (int32_t)n, NULL, 0);
}

/* "maintenance 16G 5000 9500 gpu:memory" */
static int announce_class(struct whatif *w, struct fair_sched *s,
			  const char *event)
{
	char amount[24], from[24], to[24], what[64], more[2];
	struct fair_advance b = { 0 };
	struct loss of = { 0 };
	struct when begin, end;
	int64_t n;
	int error;

	if (sscanf(event, "%*s %23s %23s %23s %63s %1s", amount, from, to, what,
		   more) != 4 ||
	    !units_when(from, &begin) || !units_when(to, &end))
		return unclear(w, event, "by --plan classes it is 'maintenance "
					 "AMOUNT BEGIN END CLASS:RESOURCE'");
	if (!machine_amount(amount, strlen(amount), &n))
		return unclear(w, event, "not an amount, such as 2 or 16G");
	error = read_loss(w, event, what, &of);
	if (error)
		return error;
	b.node_class = of.node_class;
	b.amount[of.resource] = plan_round_up(plan_of(w), of.resource, n);
	b.procs = of.resource ? 0 : b.amount[0];
	return announce(w, s, event, b, &begin, &end);
}

/* "maintenance 2 5000 9500 gpu": two whole nodes of the class gpu */
static int announce_nodes(struct whatif *w, struct fair_sched *s,
			  const char *event)
{
	char count[24], from[24], to[24], name[64], more[2];
	const struct plan *p = plan_of(w);
	struct fair_advance b = { 0 };
	struct when begin, end;
	int64_t n;
	int k;

	if (sscanf(event, "%*s %23s %23s %23s %63s %1s", count, from, to, name,
		   more) != 4 ||
	    !units_when(from, &begin) || !units_when(to, &end) ||
	    !read_integer(count, &n))
		return unclear(w, event, "by --plan nodes it is 'maintenance "
					 "NODES BEGIN END CLASS'");
	k = machine_class(p->machine, name, strlen(name));
	if (k < 0)
		return unclear(w, event, "the machine has no such class");
	if (n < 1 || n > p->nodes.count[k])
		return unclear(w, event,
			       "NODES is from 1 to the %" PRId32
			       " of the class", p->nodes.count[k]);
	b.node_class = (uint32_t)k;
	b.nodes = (int32_t)n;
	return announce(w, s, event, b, &begin, &end);
}

/* The jobs that run on a node are victims. */
static int add_jobs_on(struct whatif *w, const struct fair_sched *s,
		       uint32_t node)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_nodes_part part;
	struct fair_job_status job;
	uint32_t i;
	int error = 0;

	while (!error && fair_sched_each(s, FAIR_RUNNING, &at, &job))
		for (i = 0; fair_sched_nodes(s, job.job.number, &i, &part);)
			if (part.node == node)
				error = add_victim(w, &job);
	return error;
}

/* "down zewura12 requeue", "up zewura12" */
static int change_node(struct whatif *w, struct fair_sched *s,
		       const char *event)
{
	char what[8] = "", name[NODE_NAME] = "", word[16] = "", more[2] = "";
	int words = sscanf(event, "%7s %79s %15s %1s", what, name, word, more);
	bool down = !strcmp(what, "down"), requeue = !strcmp(word, "requeue");
	int64_t node = node_names_find(plan_of(w)->machine, name,
				       strlen(name));
	size_t first = w->victims;
	struct loss of = { 0 };
	int error;

	if (words != 2 && !(words == 3 && down && requeue))
		return unclear(w, event, "not an event; see --help");
	if (node < 0)
		return unclear(w, event, "the machine has no node '%s'", name);
	of.is_node = true;
	of.node = (uint32_t)node;
	if (!down)
		return change_capacity(w, s, &of, 1, NULL, 0);
	error = add_jobs_on(w, s, of.node);
	return error ? error : lose_victims(w, s, &of, 1, first, requeue);
}

/* "submit PROCS WALLTIME ...": what follows is in @rest. */
static int submit_event(struct whatif *w, struct fair_sched *s,
			const char *event, int64_t procs, int64_t walltime,
			const char *rest)
{
	struct fair_machine_request request;
	struct fair_job j = { 0 };
	char user[64] = "", more[2] = "", why[256];
	int error = 0;

	error = check_procs(w, s, event, procs);
	if (!error)
		error = check_walltime(w, event, walltime);
	if (error)
		return error;
	j.procs = (int32_t)procs;
	j.walltime = walltime;
	if (plan_of(w))
		error = read_items(w, event, rest, &j, user, sizeof(user));
	else if (sscanf(rest, "%63s %1s", user, more) > 1)
		error = unclear(w, event, "not an event; see --help");
	if (!error)
		error = submit(w, s, event, j, user[0] ? user : NULL);
	request.amount = j.amount;
	request.classes = j.classes;
	request.count = j.class_count;
	if (error == -FAIR_ERANGE && plan_of(w) &&
	    plan_lacks(plan_of(w), &request, why, sizeof(why)))
		return unclear(w, event, why);
	return error;
}

/* Of a job that must run, must not, or either. */
static const struct job_event {
	const char *name;
	bool running, waiting;
} job_events[] = {
	{ "cancel", true, true },    { "finish", true, false },
	{ "modify", true, true },    { "suspend", true, false },
	{ "resume", false, true },   { "resize", true, false },
};

/* NULL: the word behind it is no job. */
static const struct job_event *job_event(const char *what)
{
	size_t i;

	for (i = 0; i < sizeof(job_events) / sizeof(*job_events); i++)
		if (!strcmp(what, job_events[i].name))
			return &job_events[i];
	return NULL;
}

/* Its number; SIZE_MAX after a message. */
static size_t job_to_change(struct whatif *w, const struct fair_sched *s,
			    const char *event, const char *what, const char *id)
{
	struct job_name name;
	size_t number = snapshot_name(id, &name) ? live_job(w, s, &name)
						 : SIZE_MAX;
	const struct job_event *e = job_event(what);
	struct fair_job_status j;
	bool runs;

	if (number == REPEATED) {
		unclear(w, event, "more than one job has the number %s", id);
		return SIZE_MAX;
	}
	if (number == SIZE_MAX || fair_sched_lookup(s, number, &j)) {
		unclear(w, event, "there is no job %s at that time", id);
		return SIZE_MAX;
	}
	runs = j.state == FAIR_RUNNING;
	if (!runs && !strcmp(what, "resume") && 
	    !(j.waits & FAIR_WAITS_RESUME)) {
		unclear(w, event, "job %s is not suspended", id);
		return SIZE_MAX;
	}
	if (runs ? e->running : e->waiting)
		return number;
	unclear(w, event, "job %s %s at that time", id,
		runs ? "runs" : "does not run");
	return SIZE_MAX;
}

/* To other processors; it keeps the other resources. */
static int resize(struct whatif *w, struct fair_sched *s, const char *event,
		  uint64_t number, int64_t procs)
{
	struct fair_job_status j;
	int error = check_procs(w, s, event, procs);

	if (!error)
		error = fair_sched_lookup(s, number, &j);
	if (error)
		return error;
	j.job.procs = (int32_t)procs;
	error = fair_sched_resize(s, w->snapshot.at, number, &j.job);
	if (error == -FAIR_ERANGE)
		return unclear(w, event, "until its planned end, other jobs or "
			       "promises hold what it would need more");
	return error;
}

static int modify(struct whatif *w, struct fair_sched *s, const char *event,
		  uint64_t number, int64_t procs, int64_t walltime)
{
	struct fair_job_status j;
	int error = check_procs(w, s, event, procs);

	if (!error)
		error = check_walltime(w, event, walltime);
	if (!error)
		error = fair_sched_lookup(s, number, &j);
	if (error)
		return error;
	if (j.state == FAIR_RUNNING && procs != j.job.procs)
		return unclear(w, event, "the job runs, on %" PRId32
			       " processors: 'resize' changes these",
			       j.job.procs);
	return fair_sched_modify(s, w->snapshot.at, number, (int32_t)procs,
				 walltime);
}

static int apply(struct whatif *w, struct fair_sched *s, const char *event)
{
	char what[16] = "", a[24] = "", b[24] = "", c[24] = "", more[2] = "";
	int words = sscanf(event, "%15s %23s %23s %23s %1s", what, a, b, c,
			   more);
	int64_t now = w->snapshot.at, n = 0, procs, walltime = 0;
	struct job_name name;
	static const struct loss pool;
	struct fair_advance window = { 0 };
	struct when begin, end;
	int read = 0;
	size_t number;

	if (plan_of(w) && plan_of(w)->nodes.count &&
	    (!strcmp(what, "down") || !strcmp(what, "up")))
		return change_node(w, s, event);
	if (plan_of(w) && plan_of(w)->nodes.count &&
	    !strcmp(what, "maintenance"))
		return announce_nodes(w, s, event);
	if (plan_of(w) && plan_of(w)->nodes.count && !strcmp(what, "capacity"))
		return unclear(w, event, "by --plan nodes it is 'down NODE "
					 "[requeue]' or 'up NODE'");
	if (words >= 2 && plan_of(w) && !strcmp(what, "capacity") &&
	    sscanf(event, "%*s%n", &read) >= 0)
		return change_class(w, s, event, event + read);
	if (plan_of(w) && !strcmp(what, "maintenance"))
		return announce_class(w, s, event);
	if (words < 2 || !(job_event(what) ? snapshot_name(a, &name)
					   : read_integer(a, &n)))
		return unclear(w, event, "not an event; see --help");
	if (!strcmp(what, "capacity") &&
	    (!n || n > INT32_MAX || n < -INT32_MAX))
		return unclear(w, event, n ? "too large a number"
					   : "the number is 0");
	if (!strcmp(what, "capacity") && n < 0 &&
	    sscanf(event, "%*s %*s%n", &read) >= 0)
		return lose(w, s, event, &pool, (int32_t)-n, event + read);
	if (words == 2 && !strcmp(what, "capacity"))
		return fair_sched_capacity(s, now, (int32_t)n, NULL, 0);
	if (words >= 3 && !strcmp(what, "submit") &&
	    units_seconds(b, &walltime) &&
	    sscanf(event, "%*s %*s %*s%n", &read) >= 0)
		return submit_event(w, s, event, n, walltime, event + read);
	if (words == 4 && !strcmp(what, "maintenance") &&
	    units_when(b, &begin) && units_when(c, &end)) {
		if (check_procs(w, s, event, n))
			return -FAIR_EINVAL;
		window.procs = (int32_t)n;
		return announce(w, s, event, window, &begin, &end);
	}
	if (!job_event(what))
		return unclear(w, event, "not an event; see --help");
	number = job_to_change(w, s, event, what, a);
	if (number == SIZE_MAX)
		return -FAIR_EINVAL;
	if (words == 2 && !strcmp(what, "cancel"))
		return fair_sched_cancel(s, now, number);
	if (words == 2 && !strcmp(what, "finish"))
		return fair_sched_finish(s, now, number);
	if (words == 2 && !strcmp(what, "suspend"))
		return fair_sched_suspend(s, now, number);
	if (words == 2 && !strcmp(what, "resume"))
		return fair_sched_resume_job(s, now, number);
	if (words == 3 && !strcmp(what, "resize") && read_integer(b, &procs))
		return resize(w, s, event, number, procs);
	if (words == 4 && !strcmp(what, "modify") &&
	    read_integer(b, &procs) && units_seconds(c, &walltime))
		return modify(w, s, event, number, procs, walltime);
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

/* By how much later it starts; 0 if it starts in one run only. */
static int64_t later(const struct row *r)
{
	if (r->start[0] == FAIR_FOREVER || r->start[1] == FAIR_FOREVER)
		return 0;
	return r->start[1] - r->start[0];
}

/* Does it only start without the change? */
static bool never_starts(const struct row *r)
{
	return r->start[0] != FAIR_FOREVER && r->start[1] == FAIR_FOREVER;
}

/* Does it start at another time, or in one run only? */
static bool is_affected(const struct row *r)
{
	return r->start[0] != r->start[1];
}

static void count_affected(struct whatif *w, const struct fair_sched *a)
{
	struct fair_job_status job;
	size_t i;

	w->waiting = fair_sched_count(a, FAIR_QUEUED);
	for (i = 0; i < w->rows; i++)
		w->affected += is_affected(&w->row[i]) &&
			       !fair_sched_lookup(a, w->row[i].number, &job) &&
			       job.state == FAIR_QUEUED;
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
	if (!error)
		count_affected(w, a);
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
		w->affected += is_affected(&w->row[w->rows]);
		w->rows += is_affected(&w->row[w->rows]) ||
			   result[0][i].promise != result[1][i].promise;
	}
	w->waiting = n;
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

static int by_change(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (later(x) != later(y))
		return later(x) < later(y) ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* A duration with its sign. */
static void add_later(const struct whatif *w, struct table *t, int64_t by)
{
	char text[CLOCK_TEXT];

	table_cell(t, NULL, "%c%s", by < 0 ? '-' : '+',
		   clock_about(&w->snapshot.clock, fabs((double)by), text));
}

static void add_time(const struct whatif *w, struct table *t, int64_t at)
{
	char text[CLOCK_TEXT];

	table_cell(t, NULL, "%s",
		   at == FAIR_FOREVER
			   ? "-"
			   : clock_date(&w->snapshot.clock, at, text));
}

static void add_job(const struct whatif *w, struct table *t,
		    const struct row *r)
{
	const struct swf_job *j = job_of(w, r->number);
	char text[TABLE_NAME] = "new";

	if (j != &w->extra)
		snprintf(text, sizeof(text), "%" PRId64, j->id);
	table_row(t, TABLE_ROW, text);
	table_cell(t, NULL, "%s",
		   swf_user(&w->snapshot.trace, j->user_id, text,
			    sizeof(text)));
	add_time(w, t, r->start[0]);
	if (never_starts(r)) {
		table_cell(t, NULL, "never");
		table_cell(t, NULL, "-");
		return;
	}
	add_time(w, t, r->start[1]);
	add_later(w, t, later(r));
}

static int print_jobs(const struct whatif *w)
{
	struct table t;
	size_t i, n = 0;

	table_open(&t);
	table_row(&t, TABLE_TITLE, "job");
	table_cell(&t, NULL, "user");
	table_cell(&t, NULL, "start");
	table_cell(&t, NULL, "new start");
	table_cell(&t, NULL, "later by");
	for (i = 0; i < w->rows && i < ROWS && later(&w->row[i]) < 0; i++)
		add_job(w, &t, &w->row[i]);
	for (i = 0; i < w->rows && n < ROWS; i++)
		if (never_starts(&w->row[i]) && ++n)
			add_job(w, &t, &w->row[i]);
	for (i = n = 0; i < w->rows; i++)
		n += later(&w->row[i]) > 0;
	for (i = w->rows - (n < ROWS ? n : ROWS); i < w->rows; i++)
		add_job(w, &t, &w->row[i]);
	putchar('\n');
	table_print(&t, stdout, terminal_width(stdout));
	return table_close(&t) ? run_error("out of memory") : 0;
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

static void add_user(const struct whatif *w, struct table *t,
		     const struct user *u)
{
	char text[TABLE_NAME];

	swf_user(&w->snapshot.trace, u->id, text, sizeof(text));
	table_row(t, TABLE_ROW, text);
	table_cell(t, NULL, "%zu", u->jobs);
	add_later(w, t, u->later);
}

static void print_sums(const struct whatif *w, const struct user *user,
		       size_t n, struct table *t)
{
	size_t i;

	table_row(t, TABLE_TITLE, "user");
	table_cell(t, NULL, "jobs");
	table_cell(t, NULL, "later by");
	for (i = 0; i < n && i < ROWS && user[i].later < 0; i++)
		add_user(w, t, &user[i]);
	for (i = n > ROWS ? n - ROWS : 0; i < n; i++)
		if (user[i].later > 0)
			add_user(w, t, &user[i]);
	putchar('\n');
	table_print(t, stdout, terminal_width(stdout));
}

/* The sums over all jobs of a user. */
static int print_users(const struct whatif *w)
{
	const struct swf *t = &w->snapshot.trace;
	struct user *user = calloc(t->users, sizeof(*user));
	size_t i, n = t->users;
	struct table table;

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
	table_open(&table);
	print_sums(w, user, n, &table);
	free(user);
	return table_close(&table) ? run_error("out of memory") : 0;
}

/* When the job of a submit event starts. */
static int64_t new_start(const struct whatif *w)
{
	size_t i;

	for (i = 0; i < w->rows; i++)
		if (w->row[i].number == w->snapshot.trace.jobs)
			return w->row[i].start[1];
	return w->new_job.start;
}

/* Where it starts, if that is known. */
static struct csv_field new_class(const struct whatif *w)
{
	if (!plan_of(w) || !w->extras || new_start(w) != w->new_job.start ||
	    w->new_job.start == FAIR_FOREVER)
		return csv_column(NULL);
	return plan_of(w)->node_class[w->new_job.node_class];
}

/* What becomes of the jobs that the events are about. */
static void print_answers(const struct whatif *w)
{
	const struct clock *c = &w->snapshot.clock;
	const struct csv_field class_name = new_class(w);
	const struct victim *v;
	char text[CLOCK_TEXT];
	size_t i;

	for (i = 0; i < w->victims; i++) {
		v = &w->victim[i];
		printf("Job %" PRId64 ", which runs on %" PRId32
		       " processor%s since %s, %s.\n",
		       w->snapshot.trace.job[v->was.job.number].id,
		       v->was.job.procs, v->was.job.procs == 1 ? "" : "s",
		       clock_date(c, v->was.start, text),
		       v->requeued ? "waits again" : "ends");
	}
	if (!w->extras)
		return;
	if (new_start(w) == FAIR_FOREVER)
		puts("The new job never starts.");
	else
		printf("The new job starts at %s%s%.*s.\n",
		       clock_time(c, new_start(w), text),
		       class_name.n ? " in class " : "", (int)class_name.n,
		       class_name.n ? class_name.p : "");
}

/* Jobs that start earlier, [0], and later, [1], and their sums in seconds. */
struct counts {
	size_t jobs[2], one_run, never, promises; /* never: after the change */
	double sum[2];
};

static struct counts count(const struct whatif *w)
{
	struct counts n = { 0 };
	size_t i;

	for (i = 0; i < w->rows; i++) {
		const struct row *r = &w->row[i];
		int64_t change = later(r);

		n.promises += r->promise[0] != r->promise[1];
		n.one_run += (r->start[0] == FAIR_FOREVER) !=
			     (r->start[1] == FAIR_FOREVER);
		n.never += never_starts(r);
		if (!change)
			continue;
		n.jobs[change > 0]++;
		n.sum[change > 0] += fabs((double)change);
	}
	return n;
}

static void print_mean(const struct whatif *w, const struct counts *n, int which)
{
	double mean = n->sum[which] / (double)n->jobs[which];
	char text[CLOCK_TEXT];

	if (n->jobs[which])
		printf(", by %s on average",
		       clock_about(&w->snapshot.clock, mean, text));
}

static struct counts print_summary(const struct whatif *w)
{
	struct counts n = count(w);

	printf("%zu of %zu %sjob%s %s affected.\n", w->affected, w->waiting,
	       w->args->snapshot.at.given ? "waiting " : "",
	       w->waiting == 1 ? "" : "s", w->affected == 1 ? "is" : "are");
	printf("jobs that start earlier %zu", n.jobs[0]);
	print_mean(w, &n, 0);
	printf("\njobs that start later   %zu", n.jobs[1]);
	print_mean(w, &n, 1);
	printf("\njobs that never start   %zu\n", n.never);
	printf("promises that change    %zu\n", n.promises);
	return n;
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
		putc(',', f);
		names_csv(w->snapshot.trace.names, SACCT_USER, j->user_id, f);
		write_time(f, r->start[0]);
		write_time(f, r->start[1]);
		write_time(f, r->promise[0]);
		write_time(f, r->promise[1]);
		putc('\n', f);
	}
}

/* ---- JSON ---- */

static void write_change(const struct counts *n, int which, FILE *f)
{
	fprintf(f, "{ \"jobs\": %zu, \"mean\": %.6f }", n->jobs[which],
		n->jobs[which] ? n->sum[which] / (double)n->jobs[which] : 0);
}

static void write_victims(const struct whatif *w, FILE *f)
{
	const struct victim *v = w->victim;
	size_t i;

	fputs(",\n  \"ended\": [", f);
	for (i = 0; i < w->victims; i++, v++)
		fprintf(f,
			"%s\n    { \"job\": %" PRId64 ", \"procs\": %" PRId32
			", \"start\": %" PRId64 ", \"requeued\": %s }",
			i ? "," : "",
			w->snapshot.trace.job[v->was.job.number].id,
			v->was.job.procs, v->was.start,
			v->requeued ? "true" : "false");
	fputs(" ]", f);
}

static void write_json_row(const struct whatif *w, const struct row *r, FILE *f)
{
	const struct swf_job *j = job_of(w, r->number);

	fputs("    { \"job\": ", f);
	json_time(f, j == &w->extra ? FAIR_FOREVER : j->id);
	fputs(", \"user\": ", f);
	names_json(w->snapshot.trace.names, SACCT_USER, j->user_id, f);
	fputs(", \"start\": ", f);
	json_time(f, r->start[0]);
	fputs(", \"new_start\": ", f);
	json_time(f, r->start[1]);
	fputs(", \"promise\": ", f);
	json_time(f, r->promise[0]);
	fputs(", \"new_promise\": ", f);
	json_time(f, r->promise[1]);
	fputs(" }", f);
}

/* The job of a submit event is null. */
static void write_json(const struct whatif *w)
{
	struct counts n = count(w);
	FILE *f = w->json;
	size_t i;

	fputs("{\n  \"trace\": ", f);
	text_json(f, w->snapshot.name);
	fputs(",\n  \"at\": ", f);
	json_time(f, w->args->snapshot.at.given ? w->snapshot.at
						: FAIR_FOREVER);
	fputs(",\n  \"unix_start\": ", f);
	json_time(f, w->snapshot.trace.unix_start == INT64_MIN
			     ? FAIR_FOREVER
			     : w->snapshot.trace.unix_start);
	fprintf(f, ",\n  \"waiting\": %zu,\n  \"affected\": %zu", w->waiting,
		w->affected);
	fputs(",\n  \"earlier\": ", f);
	write_change(&n, 0, f);
	fputs(",\n  \"later\": ", f);
	write_change(&n, 1, f);
	fprintf(f,
		",\n  \"in_one_run\": %zu,\n  \"promises_changed\": %zu,\n"
		"  \"new_job_start\": ",
		n.one_run, n.promises);
	json_time(f, w->extras ? new_start(w) : FAIR_FOREVER);
	write_victims(w, f);
	fputs(",\n  \"jobs\": [", f);
	for (i = 0; i < w->rows; i++) {
		fputs(i ? ",\n" : "\n", f);
		write_json_row(w, &w->row[i], f);
	}
	fputs(" ]\n}\n", f);
}

static int report(struct whatif *w)
{
	struct counts n;
	size_t changed;
	int status;

	if (w->jobs_out)
		write_rows(w);
	if (w->json)
		write_json(w);
	status = output_commit();
	if (status || w->jobs_out == stdout || w->json == stdout)
		return status;
	if (w->rows)
		qsort(w->row, w->rows, sizeof(*w->row), by_change);
	print_answers(w);
	n = print_summary(w);
	changed = n.jobs[0] + n.jobs[1];
	if (changed || n.never)
		status = print_jobs(w);
	return status || !changed ? status : print_users(w);
}

/* ---- the command ---- */

static bool has_nodes(int policy, const struct rules_args *args)
{
	return args->order == SIM_ORDER_TREE ||
	       ((policy == RULES_RELSHARE ||
		 args->order == SIM_ORDER_RELSHARE) &&
		args->tree);
}

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
	base->rules.orders = 1u << other.rules.order;
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
	/* With a tree users are numbered by their nodes. */
	if (given && a->snapshot.at.given &&
	    has_nodes(other.policy, &other.rules) !=
		    has_nodes(a->base, &base->rules))
		return "--at cannot change from or to order tree, or relshare "
		       "with --tree: without --at the whole trace is replayed";
	return rules_make(&w->rules, other.policy, &other.rules);
}

/* What the classes have before the events. */
static int open_classes(struct whatif *w)
{
	const struct plan *p = plan_of(w);
	size_t n = p ? p->config.resources * p->config.classes : 0, i;

	if (!p)
		return 0;
	w->has = malloc(n * sizeof(*w->has));
	for (i = 0; w->has && i < n; i++)
		w->has[i] = p->amount[i];
	return w->has ? 0 : run_error("out of memory");
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
	if (!status)
		status = open_classes(&w);
	rules_bind(&w.rules, &w.snapshot.files);
	w.rules.procs = w.snapshot.trace.procs;
	w.rules.epoch = w.snapshot.trace.unix_start;
	w.rules.more_windows = (uint32_t)w.args->event.n;
	w.snapshot.rules.more_windows = w.rules.more_windows;
	if (!status && w.args->jobs_out) {
		w.jobs_out = output_open(w.args->jobs_out);
		status = w.jobs_out ? 0 : EXIT_FAILED;
	}
	if (!status && w.args->json) {
		w.json = output_open(w.args->json);
		status = w.json ? 0 : EXIT_FAILED;
	}
	if (!status)
		status = base.at.given ? snapshot_run(&w.snapshot, answer, &w)
				       : replay_both(&w);
	if (!status)
		status = w.status ? w.status : report(&w);
	free(w.row);
	free(w.victim);
	free(w.has);
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
	"to both. Times are dates (UTC) if the trace's header has "
	"UnixStartTime, else seconds of the trace; below the jobs stand the "
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
