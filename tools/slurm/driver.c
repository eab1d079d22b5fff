/* SPDX-License-Identifier: MIT OR Unlicense */
#define _XOPEN_SOURCE 700 /* clock_gettime() */
#include "driver.h"
#include "price.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LATE 5 /* seconds by which a cycle may come after what was due */
#define STARTS 256

const char *const driver_left_text[LEFT_KINDS] = {
	"planned",
	"an administrator holds it",
	"it waits for other jobs",
	"it may begin later",
	"its account is not listed",
	"there are too many users",
	"the class of its partition does not let it in",
	"no node of the machine suits it",
	"the machine or the limits never let it start",
	"its time limit is too long to plan",
	"there are too many jobs",
	"Slurm did not start it when it was released; tried again later",
};

/* What is saved beside the scheduler, as struct saved_event. */
enum { KEEP_USER, KEEP_LATER, KEEP_NAME };

static int fail(struct driver *d, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(d->error, sizeof(d->error), format, args);
	va_end(args);
	return -1;
}

void driver_log(const struct driver *d, const char *event, uint64_t number,
		const char *format, ...)
{
	char name[SLURM_NAME];
	struct timespec now;
	va_list args;

	if (d->set->quiet)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(stderr, "%" PRId64 ".%03d %s%s %s", (int64_t)now.tv_sec,
		(int)(now.tv_nsec / 1000000), event,
		d->set->dry_run ? " (dry run)" : "",
		number ? slurm_name(number, name) : "-");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
}

/* ---- sets ---- */

static int by_number(const void *x, const void *y)
{
	const struct driver_mark *a = x, *b = y;

	return (a->number > b->number) - (a->number < b->number);
}

/* Not sorted in. */
static int set_add(struct driver *d, struct driver_set *s, uint64_t number,
		   int64_t time)
{
	size_t cap = s->cap ? 2 * s->cap : 64;
	struct driver_mark *more;

	if (s->n == s->cap) {
		more = realloc(s->mark, cap * sizeof(*more));
		if (!more)
			return fail(d, "out of memory");
		s->mark = more;
		s->cap = cap;
	}
	s->mark[s->n].number = number;
	s->mark[s->n++].time = time;
	return 0;
}

static void set_sort(struct driver_set *s)
{
	if (s->n)
		qsort(s->mark, s->n, sizeof(*s->mark), by_number);
}

static struct driver_mark *set_find(const struct driver_set *s, uint64_t number)
{
	struct driver_mark key = { 0, 0 };

	key.number = number;
	return s->n ? bsearch(&key, s->mark, s->n, sizeof(key), by_number)
		    : NULL;
}

/* ---- the scheduler ---- */

/*
 * Slurm's time of submission tells a job that was requeued; of one that ran
 * before us, the seconds until then are no part of the plan.
 */
static uint64_t make_cookie(int64_t submit, int64_t ran)
{
	return (uint64_t)submit | (uint64_t)ran << 40;
}

static int64_t cookie_submit(uint64_t cookie)
{
	return (int64_t)(cookie & ((UINT64_C(1) << 40) - 1));
}

static int64_t planned(const struct driver *d, const struct slurm_job *j,
		       uint64_t cookie)
{
	int64_t limit = j->limit < 0 ? d->set->unlimited : j->limit;
	int64_t walltime = limit + d->set->margin - (int64_t)(cookie >> 40);

	return walltime < 1 ? 1 : walltime;
}

static int32_t account_of(const struct driver *d, const struct slurm_job *j)
{
	struct csv_field name = j->account;
	char lower[256];
	size_t i;

	if (d->rules.policy != FAIR_SFS)
		return 0;
	if (!name.n && d->set->account)
		name = csv_column(d->set->account);
	for (i = 0; i < name.n && i < sizeof(lower); i++)
		lower[i] = name.p[i] >= 'A' && name.p[i] <= 'Z'
				   ? (char)(name.p[i] - 'A' + 'a')
				   : name.p[i];
	return name.n > sizeof(lower)
		       ? -1
		       : (int32_t)accounts_find(&d->files.accounts, lower, i);
}

/* -1: there is no room for another. */
static int64_t index_of_user(struct driver *d, uint32_t uid)
{
	uint32_t i;

	for (i = 0; i < d->users; i++)
		if (d->user[i] == uid)
			return i;
	if (d->users == (uint32_t)d->set->users)
		return -1;
	d->user[d->users++] = uid;
	return i;
}

static bool asks_maui(const struct driver *d)
{
	return sim_asks_maui(&d->rules);
}

static bool counts_users(const struct driver *d)
{
	return d->rules.policy == FAIR_RELSHARE ||
	       d->rules.order == FAIR_ORDER_USAGE;
}

/* Earlier ones are many, after each early end. */
static void promised(void *context, const struct fair_promise *p)
{
	static const char *const cause[] = {
		[FAIR_CAUSE_ARRIVAL] = "arrival",
		[FAIR_CAUSE_CAPACITY] = "capacity",
		[FAIR_CAUSE_OVERDUE] = "overdue",
		[FAIR_CAUSE_REFUSED] = "refused",
		[FAIR_CAUSE_MODIFIED] = "modified",
		[FAIR_CAUSE_LATE_STEP] = "late",
	};
	const size_t causes = sizeof(cause) / sizeof(*cause);

	if (p->cause < causes && cause[p->cause])
		driver_log(context, "promise", p->number, " %" PRId64 " %s",
			   p->to, cause[p->cause]);
}

static int64_t *targets(const struct driver *d)
{
	const struct accounts *a = &d->files.accounts;
	int64_t *target = malloc((a->accounts + 1) * sizeof(*target));
	size_t i;

	for (i = 0; target && i < a->accounts; i++)
		target[i] = a->account[i].target;
	return target;
}

static uint32_t *shares(struct driver *d)
{
	const struct shares *s = &d->files.shares;
	uint32_t *share = malloc((size_t)d->set->users * sizeof(*share));
	size_t i;

	for (i = 0; share && i < (size_t)d->set->users; i++)
		share[i] = 1;
	for (i = 0; share && i < s->n; i++)
		if (s->listed[i].user >= 0 && s->listed[i].user <= UINT32_MAX &&
		    index_of_user(d, (uint32_t)s->listed[i].user) == (int64_t)i)
			share[i] = s->listed[i].shares;
	return share;
}

static void make_config(struct driver *d, int32_t procs, int64_t now,
			struct fair_config *c)
{
	sim_config(&d->rules, &d->people.site, c);
	c->procs = procs;
	c->origin = now;
	c->jobs = (uint32_t)d->set->jobs;
	c->promised = promised;
	c->context = d;
	c->bookings = (uint32_t)d->files.maintenance.n;
	if (c->policy == FAIR_SFS)
		c->accounts = (uint32_t)d->files.accounts.accounts;
	if (counts_users(d))
		c->users = (uint32_t)d->set->users;
}

static int allocate(struct driver *d, const struct fair_config *c,
		    size_t *bytes)
{
	*bytes = fair_sched_size(c);
	d->memory = *bytes ? malloc(*bytes) : NULL;
	return d->memory ? 0 : -1;
}

/* When all names of a saved state are known. */
static int open_people(struct driver *d)
{
	if (!asks_maui(d) || !people_site(&d->people))
		return 0;
	return fail(d, "out of memory");
}

static int init(struct driver *d, int32_t procs, int64_t now)
{
	int64_t *target;
	uint32_t *share;
	struct fair_config c;
	size_t bytes;
	int error = -FAIR_ENOMEM;

	if (open_people(d))
		return -1;
	target = targets(d);
	share = shares(d);
	make_config(d, procs, now, &c);
	c.target = target;
	c.share = share;
	if (target && share && !allocate(d, &c, &bytes))
		error = fair_sched_init(&d->sched, sizeof(d->sched), d->memory,
					bytes, &c);
	free(target);
	free(share);
	if (error)
		return fail(d, "a scheduler of %" PRId32 " processors: %s",
			    procs, fair_strerror(error));
	d->open = d->changed = true;
	d->procs = procs;
	d->now = now;
	return 0;
}

/* ---- the state ---- */

/*
 * struct saved tells whose state a file is by a trace: what is hashed here is
 * what a scheduler cannot be loaded with another one of.
 */
static void identity(const struct driver *d, struct swf_job *job,
		     struct swf *trace)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	const struct accounts *a = &d->files.accounts;
	const struct shares *s = &d->files.shares;
	size_t i, k;

	if (asks_maui(d))
		h ^= people_shape(&d->people);
	h ^= (uint64_t)d->rules.select << 32 ^ (uint64_t)d->rules.metric << 40 ^
	     (uint64_t)d->rules.longest << 48;
	for (i = 0; i < a->accounts; i++) {
		for (k = 0; k < a->account[i].bytes; k++)
			h = (h ^ (unsigned char)a->account[i].name[k]) *
			    UINT64_C(0x100000001b3);
		h = (h ^ (uint64_t)a->account[i].target) *
		    UINT64_C(0x100000001b3);
	}
	for (i = 0; i < s->n; i++)
		h = (h ^ (uint64_t)s->listed[i].user ^
		     (uint64_t)s->listed[i].shares << 40) *
		    UINT64_C(0x100000001b3);
	memset(job, 0, sizeof(*job));
	memset(trace, 0, sizeof(*trace));
	job->id = (int64_t)h;
	job->submit = d->rules.policy;
	job->run = d->rules.order;
	job->estimate = d->rules.depth;
	job->penalty = d->rules.weight ^ d->rules.half_life ^
		       d->rules.window << 20 ^ d->rules.only_used;
	job->user = counts_users(d) ? (uint32_t)d->set->users : 0;
	trace->job = job;
	trace->jobs = 1;
}

static int load_sched(struct driver *d, const struct saved *s)
{
	struct fair_config c, mine;
	size_t bytes;
	int error, damage = 0;

	if (open_people(d))
		return -1;
	make_config(d, 1, 0, &mine);
	error = fair_sched_image_config(s->image, s->image_bytes, &c, &damage);
	if (!error) {
		c.jobs = mine.jobs;
		c.maui = mine.maui;
		if (c.bookings < mine.bookings)
			c.bookings = mine.bookings;
		c.promised = promised;
		c.context = d;
		error = allocate(d, &c, &bytes) ? -FAIR_ENOMEM : 0;
	}
	if (!error)
		error = fair_sched_load(&d->sched, sizeof(d->sched), d->memory,
					bytes, &c, s->image, s->image_bytes,
					&damage);
	if (error)
		return fail(d, "%s: %s", s->from,
			    damage ? fair_image_strerror(damage)
				   : fair_strerror(error));
	return 0;
}

/* Names are kept in pieces: the kind, all bytes, those before the piece. */
#define PIECE 16
#define KIND_BITS 3
#define BYTES_BITS 9 /* PEOPLE_NAME is below */

static int load_name(struct driver *d, const struct saved_event *e,
		     char name[PEOPLE_NAME])
{
	size_t kind = e->number & ((1u << KIND_BITS) - 1);
	size_t n = e->number >> KIND_BITS & ((1u << BYTES_BITS) - 1);
	size_t at = e->number >> (KIND_BITS + BYTES_BITS), i;
	uint64_t word;

	if (kind >= MAUI_KINDS || kind == MAUI_QOS || n >= PEOPLE_NAME ||
	    at >= n || !asks_maui(d))
		return fail(d, "%s: a name that is none", d->set->state);
	for (i = 0; i < PIECE && at + i < n; i++) {
		word = (uint64_t)(i < 8 ? e->time : e->promise);
		name[at + i] = (char)(word >> 8 * (i % 8));
	}
	name[at + i] = '\0';
	if (at + i < n || people_add(&d->people, (int)kind, name) >= 0)
		return 0;
	return fail(d, "out of memory");
}

static int load_marks(struct driver *d, const struct saved *s)
{
	char name[PEOPLE_NAME] = "";
	size_t i;

	for (i = 0; i < saved_events(s); i++) {
		struct saved_event e = saved_at(s, i);

		if ((int)e.kind == KEEP_LATER &&
		    set_add(d, &d->later, (uint64_t)e.time, e.promise))
			return -1;
		if ((int)e.kind == KEEP_USER &&
		    d->users < (uint32_t)d->set->users)
			d->user[d->users++] = (uint32_t)e.time;
		if ((int)e.kind == KEEP_NAME && load_name(d, &e, name))
			return -1;
	}
	set_sort(&d->later);
	return 0;
}

/* The state of another policy is of no use: all promises are made anew. */
static int load_state(struct driver *d)
{
	struct saved s = { 0 };
	struct swf_job job;
	struct swf trace;
	int status = 0;

	if (!d->set->state || access(d->set->state, F_OK))
		return 0;
	identity(d, &job, &trace);
	s.from = d->set->state;
	if (saved_open(&s, &trace, 0)) {
		if (!strstr(s.error, "it is of another"))
			status = fail(d, "%s", s.error);
		else
			driver_log(d, "anew", 0,
				   " %s is of another policy, accounts or "
				   "shares",
				   s.from);
	} else if (load_marks(d, &s) || load_sched(d, &s)) {
		status = -1;
	} else {
		d->open = true;
		d->now = s.state.now;
		d->procs = (int32_t)s.state.live;
		d->kept = s.state.instants >> 24;
		d->broken = s.state.instants & 0xffffff;
	}
	saved_close(&s);
	return status;
}

static int keep(struct saved *s, int kind, uint64_t number, int64_t time)
{
	struct saved_event e;

	e.kind = (enum saved_kind)kind;
	e.number = 0;
	e.time = (int64_t)number;
	e.promise = time;
	return saved_add(s, &e);
}

static int keep_name(struct saved *s, size_t kind, const char *name)
{
	size_t n = strlen(name), at, i;
	struct saved_event e;
	uint64_t word[2];
	int error = 0;

	for (at = 0; at < n && !error; at += PIECE) {
		word[0] = word[1] = 0;
		for (i = 0; i < PIECE && at + i < n; i++)
			word[i / 8] |= (uint64_t)(unsigned char)name[at + i]
				       << 8 * (i % 8);
		e.kind = (enum saved_kind)KEEP_NAME;
		e.number =
			kind | n << KIND_BITS | at << (KIND_BITS + BYTES_BITS);
		e.time = (int64_t)word[0];
		e.promise = (int64_t)word[1];
		error = saved_add(s, &e);
	}
	return error;
}

static int keep_people(const struct driver *d, struct saved *s)
{
	const struct people_names *k = d->people.kind;
	size_t kind, i;
	int error = 0;

	for (kind = 0; kind < MAUI_KINDS; kind++)
		for (i = 0; i < k[kind].names && !error; i++)
			error = keep_name(s, kind, k[kind].name[i]);
	return error;
}

static int save_state(struct driver *d)
{
	struct saved s = { 0 };
	struct swf_job job;
	struct swf trace;
	size_t i;
	int error = 0;

	if (!d->set->state)
		return 0;
	identity(d, &job, &trace);
	if (saved_open(&s, &trace, 0))
		return fail(d, "%s", s.error);
	s.to = d->set->state;
	s.state.now = d->now;
	s.state.live = (uint32_t)d->procs;
	s.state.instants = d->kept << 24 | (d->broken & 0xffffff);
	for (i = 0; i < d->users && !error; i++)
		error = keep(&s, KEEP_USER, d->user[i], 0);
	for (i = 0; i < d->later.n && !error; i++)
		error = keep(&s, KEEP_LATER, d->later.mark[i].number,
			     d->later.mark[i].time);
	if (!error)
		error = keep_people(d, &s);
	if (!error)
		error = saved_write(&s, &d->sched, &s.state);
	saved_close(&s);
	return error ? fail(d, "%s", s.error[0] ? s.error : "out of memory")
		     : 0;
}

/* The machine and the standard job are known to be good from here on. */
static int try_prices(const struct driver *d)
{
	const struct rules_args *a = &d->set->rules;
	struct swf none = { 0 };
	char error[CHARGE_ERROR] = "";

	if (d->rules.order != FAIR_ORDER_USAGE || !a->machine)
		return 0;
	charge_trace(&d->files.machine, (enum charge_metric)a->charge,
		     a->standard, false, &none, "squeue", error);
	return error[0] ? input_error("%s", error) : 0;
}

int driver_open(struct driver *d, const struct driver_settings *set)
{
	size_t users = (size_t)set->users;
	const char *why;
	int status;

	memset(d, 0, sizeof(*d));
	d->set = set;
	why = rules_make(&d->rules, set->policy, &set->rules);
	if (!why)
		why = rules_idle(&set->rules, 1u << set->policy);
	if (!why && set->rules.charge == CHARGE_LOCAL)
		why = "--charge local needs to know the nodes beforehand";
	if (!why && set->rules.account_field)
		why = "--account-field is for traces";
	if (why)
		return input_error("%s", why);
	status = rules_open(&d->files, &set->rules);
	if (!status)
		status = try_prices(d);
	if (status)
		return status;
	d->user = malloc(users * sizeof(*d->user));
	if (!d->user ||
	    (asks_maui(d) && people_open(&d->people, &d->files.maui, users)))
		return run_error("out of memory");
	return load_state(d) ? run_error("%s", d->error) : 0;
}

void driver_close(struct driver *d)
{
	slurm_queue_free(&d->queue);
	people_close(&d->people);
	rules_close(&d->files);
	free(d->memory);
	free(d->user);
	free(d->later.mark);
	free(d->refused.mark);
	free(d->blocked.mark);
	free(d->release.mark);
	free(d->hold.mark);
}

/* ---- events ---- */

/* All jobs of a state; NULL without memory. */
static struct fair_job_status *list(const struct driver *d, uint32_t state,
				    size_t *n)
{
	struct fair_queue_at at = { 0, 0 }, again = { 0, 0 };
	struct fair_job_status *s, one;

	for (*n = 0; fair_sched_each(&d->sched, state, &at, &one);)
		++*n;
	s = malloc((*n + 1) * sizeof(*s));
	for (*n = 0; s && fair_sched_each(&d->sched, state, &again, &one);)
		s[(*n)++] = one;
	return s;
}

static int by_start(const void *x, const void *y)
{
	const struct fair_job_status *a = x, *b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->job.number > b->job.number) -
	       (a->job.number < b->job.number);
}

/* What cannot go wrong: the scheduler was asked first. */
static int happened(struct driver *d, const char *what, uint64_t number,
		    int error)
{
	char name[SLURM_NAME];

	d->changed = true;
	if (!error)
		return 0;
	return fail(d, "%s %s: %s", what, slurm_name(number, name),
		    fair_strerror(error));
}

static int finish(struct driver *d, const struct fair_job_status *r,
		  const char *why)
{
	driver_log(d, "end", r->job.number, " %s", why);
	return happened(d, "end", r->job.number,
			fair_sched_finish(&d->sched, d->now, r->job.number));
}

static int cancel(struct driver *d, const struct fair_job_status *r)
{
	driver_log(d, "cancel", r->job.number, "");
	return happened(d, "cancel", r->job.number,
			fair_sched_cancel(&d->sched, d->now, r->job.number));
}

static int modify(struct driver *d, const struct fair_job_status *r,
		  int32_t procs, int64_t walltime)
{
	int error = fair_sched_modify(&d->sched, d->now, r->job.number, procs,
				      walltime);

	/* What cannot be planned leaves the plan, unless it runs. */
	if (error == -FAIR_ERANGE || error == -FAIR_EOVERFLOW)
		return r->state == FAIR_QUEUED ? cancel(d, r) : 0;
	driver_log(d, "modify", r->job.number,
		   " %" PRId32 " processors, %" PRId64 " s", procs, walltime);
	return happened(d, "modify", r->job.number, error);
}

static int not_started(struct driver *d, const struct fair_job_status *r)
{
	struct driver_mark *m = set_find(&d->later, r->job.number);
	int64_t again = d->wall + d->set->retry;

	if (m)
		m->time = again;
	else if (set_add(d, &d->later, r->job.number, again))
		return -1;
	set_sort(&d->later);
	return finish(d, r, "Slurm did not start it");
}

/*
 * A job that was told to start. The word was lost, if it is held: it is told
 * again, unless the machine, of @procs now, has become too small meanwhile.
 */
static int look_at_running(struct driver *d, const struct fair_job_status *r,
			   int64_t procs)
{
	const struct slurm_job *j = slurm_find(&d->queue, r->job.number);
	bool patient = d->wall < r->start + d->set->patience;
	int64_t walltime;

	if (!j)
		return finish(d, r, "");
	if (j->state != SLURM_BUSY && j->submit != cookie_submit(r->job.cookie))
		return finish(d, r, "requeued");
	switch (j->state) {
	case SLURM_HELD:
		if (!patient || d->sched.busy > procs)
			return not_started(d, r);
		return set_add(d, &d->release, r->job.number, 0);
	case SLURM_RELEASED:
		return patient ? 0 : set_add(d, &d->hold, r->job.number, 0);
	case SLURM_BUSY:
		walltime = planned(d, j, r->job.cookie);
		return walltime == r->job.walltime
			       ? 0
			       : modify(d, r, r->job.procs, walltime);
	default:
		return finish(d, r, "withdrawn");
	}
}

/* Completions in the order in which jobs were started. */
static int look_at_all_running(struct driver *d, int64_t procs)
{
	size_t n, i;
	struct fair_job_status *r = list(d, FAIR_RUNNING, &n);
	int status = 0;

	if (!r)
		return fail(d, "out of memory");
	qsort(r, n, sizeof(*r), by_start);
	for (i = 0; i < n && !status; i++)
		status = look_at_running(d, &r[i], procs);
	free(r);
	return status;
}

/* Whose it is, and what counts beside processors and time. */
static bool asks_as_before(struct driver *d, const struct slurm_job *j,
			   const struct fair_job *was)
{
	struct fair_maui_request request;
	struct fair_job now;

	if (!asks_maui(d))
		return account_of(d, j) == (int64_t)was->account;
	if (people_ask(&d->people, j, d->set->account, &request))
		return false;
	site_ask(&request, &now);
	return now.user == was->user && now.group == was->group &&
	       now.account == was->account && now.qos == was->qos &&
	       now.queue == was->queue && now.nodes == was->nodes &&
	       now.memory == was->memory;
}

static bool is_let_in(const struct driver *d, const struct slurm_job *j)
{
	int64_t limit = j->limit < 0 ? d->set->unlimited : j->limit;

	return !asks_maui(d) ||
	       !people_refuse(&d->people, j, d->set->account, limit);
}

/* Another size has another price. */
static bool may_be_modified(const struct driver *d, const struct slurm_job *j,
			    const struct fair_job *was)
{
	return (!d->set->rules.machine || j->procs == was->procs) &&
	       is_let_in(d, j);
}

/* A job that is planned; one that is cancelled may come again at once. */
static int look_at_queued(struct driver *d, const struct fair_job_status *r)
{
	const struct slurm_job *j = slurm_find(&d->queue, r->job.number);
	int64_t walltime;

	if (!j || (j->state != SLURM_HELD && j->state != SLURM_RELEASED) ||
	    j->submit != cookie_submit(r->job.cookie) ||
	    !asks_as_before(d, j, &r->job))
		return cancel(d, r);
	if (j->state == SLURM_RELEASED &&
	    set_add(d, &d->hold, r->job.number, 0))
		return -1;
	walltime = planned(d, j, r->job.cookie);
	if (j->procs == r->job.procs && walltime == r->job.walltime)
		return 0;
	return may_be_modified(d, j, &r->job) ? modify(d, r, j->procs, walltime)
					      : cancel(d, r);
}

static int look_at_all_queued(struct driver *d)
{
	size_t n, i;
	struct fair_job_status *r = list(d, FAIR_QUEUED, &n);
	int status = 0;

	if (!r)
		return fail(d, "out of memory");
	for (i = 0; i < n && !status; i++)
		status = look_at_queued(d, &r[i]);
	free(r);
	return status;
}

/*
 * The machine is what Slurm has but for what runs without having been started
 * here; that it shrinks by more than is free is made up for later.
 */
static int look_at_capacity(struct driver *d, int64_t procs)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status r;
	int64_t busy = 0, delta;
	size_t i;

	d->lost = 0;
	for (i = 0; i < d->queue.jobs; i++)
		if (d->queue.job[i].state == SLURM_BUSY)
			d->lost += d->queue.job[i].procs;
	while (fair_sched_each(&d->sched, FAIR_RUNNING, &at, &r)) {
		const struct slurm_job *j = slurm_find(&d->queue, r.job.number);

		busy += r.job.procs;
		if (j && j->state == SLURM_BUSY)
			d->lost -= r.job.procs;
	}
	delta = procs - d->lost - d->procs;
	if (delta < busy - d->procs)
		delta = busy - d->procs;
	if (!delta)
		return 0;
	driver_log(d, "capacity", 0, " %" PRId64, d->procs + delta);
	d->procs += (int32_t)delta;
	return happened(d, "capacity", 0,
			fair_sched_capacity(&d->sched, d->now, (int32_t)delta,
					    NULL, 0));
}

static bool same_booking(const struct fair_booking *a,
			 const struct fair_booking *b)
{
	return a->number == b->number && a->from == b->from && a->to == b->to &&
	       a->procs == b->procs && a->kind == b->kind;
}

static bool is_booked(const struct driver *d, const struct fair_booking *b)
{
	struct fair_booking live;
	uint32_t i;

	for (i = 0; fair_sched_booking(&d->sched, i, &live); i++)
		if (same_booking(&live, b))
			return true;
	return false;
}

/* The file is told of none with that number. */
static int unbook_others(struct driver *d, const struct maintenance_booking *w)
{
	const size_t n = d->files.maintenance.n;
	struct fair_booking live;
	uint32_t i = 0;
	size_t k;

	while (fair_sched_booking(&d->sched, i, &live)) {
		for (k = 0; k < n && (w[k].booking.number != live.number ||
				      w[k].announced > d->now);
		     k++)
			;
		if (k < n) {
			i++;
			continue;
		}
		driver_log(d, "unbook", 0, " %" PRIu64, live.number);
		if (happened(d, "unbook", 0,
			     fair_sched_unbook(&d->sched, d->now, live.number)))
			return -1;
	}
	return 0;
}

/* What the machine has no room for is told once, and tried again. */
static void book(struct driver *d, const struct fair_booking *b)
{
	int error = fair_sched_book(&d->sched, d->now, b, true);

	if (!error) {
		driver_log(d, "book", 0,
			   " %" PRIu64 " %" PRId32 " processors, %" PRId64
			   " to %" PRId64,
			   b->number, b->procs, b->from, b->to);
		d->changed = true;
	} else if (!d->told) {
		driver_log(d, "error", 0, " window %" PRIu64 ": %s", b->number,
			   fair_strerror(error));
		d->told = true;
	}
}

/* Windows that are announced by now and not over, and no others. */
static int look_at_windows(struct driver *d)
{
	const struct maintenance *m = &d->files.maintenance;
	struct maintenance_booking *w = malloc((m->n + 1) * sizeof(*w));
	int status;
	size_t i;

	if (!w)
		return fail(d, "out of memory");
	maintenance_bookings(m, 0, w);
	status = unbook_others(d, w);
	for (i = 0; i < m->n && !status; i++)
		if (w[i].announced <= d->now && w[i].booking.to > d->now &&
		    !is_booked(d, &w[i].booking))
			book(d, &w[i].booking);
	free(w);
	return status;
}

enum driver_left driver_left(const struct driver *d, const struct slurm_job *j)
{
	struct driver_mark *m = set_find(&d->later, j->number);

	switch (j->state) {
	case SLURM_ADMIN:
		return LEFT_ADMIN;
	case SLURM_DEPENDS:
		return LEFT_DEPENDS;
	case SLURM_BEGINS:
		return LEFT_BEGINS;
	default:
		if (account_of(d, j) < 0)
			return LEFT_ACCOUNT;
		if (m && d->wall < m->time)
			return LEFT_LATER;
		m = set_find(&d->refused, j->number);
		return m ? (enum driver_left)m->time : LEFT_NOT;
	}
}

static enum driver_left make_job(struct driver *d, const struct slurm_job *j,
				 int64_t ran, struct fair_job *job)
{
	const struct driver_mark *m = set_find(&d->blocked, j->number);
	int64_t user = counts_users(d) ? index_of_user(d, j->user) : 0;
	struct fair_maui_request request;

	if (user < 0)
		return LEFT_USER;
	memset(job, 0, sizeof(*job));
	job->number = j->number;
	job->cookie = make_cookie(j->submit, ran);
	job->walltime = planned(d, j, job->cookie);
	job->procs = j->procs;
	job->user = (uint32_t)user;
	job->account = (uint32_t)account_of(d, j);
	/* What could not run did not wait. */
	job->submit = m ? m->time : j->submit;
	if (!m && j->eligible > job->submit)
		job->submit = j->eligible;
	if (job->submit > d->now)
		job->submit = d->now;
	if (d->rules.order == FAIR_ORDER_USAGE &&
	    price(&d->files, &d->set->rules, j, &job->penalty))
		return LEFT_NODE;
	if (!asks_maui(d))
		return LEFT_NOT;
	if (people_ask(&d->people, j, d->set->account, &request))
		return LEFT_USER;
	site_ask(&request, job);
	return LEFT_NOT;
}

static enum driver_left reason(int error)
{
	switch (error) {
	case -FAIR_ERANGE:
		return LEFT_WIDE;
	case -FAIR_EOVERFLOW:
		return LEFT_LONG;
	case -FAIR_ENOSPC:
		return LEFT_FULL;
	default:
		return LEFT_USER;
	}
}

static int submit(struct driver *d, const struct slurm_job *j)
{
	struct fair_job job;
	enum driver_left left =
		is_let_in(d, j) ? make_job(d, j, 0, &job) : LEFT_CLASS;
	int error;

	if (!left) {
		error = fair_sched_submit(&d->sched, d->now, &job);
		left = error ? reason(error) : LEFT_NOT;
	}
	if (left) /* and perhaps not the next time */
		return set_add(d, &d->refused, j->number, left);
	driver_log(d, "submit", j->number,
		   " %" PRId32 " processors, %" PRId64 " s", job.procs,
		   job.walltime);
	d->changed = true;
	return 0;
}

static int by_submit(const void *x, const void *y)
{
	const struct slurm_job *a = *(const struct slurm_job *const *)x;
	const struct slurm_job *b = *(const struct slurm_job *const *)y;

	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Those that wait and are not in the scheduler, or those that run. */
static const struct slurm_job **strangers(struct driver *d, bool busy,
					  size_t *n)
{
	const struct slurm_job **j = malloc((d->queue.jobs + 1) * sizeof(*j));
	struct fair_job_status r;
	size_t i;

	for (i = *n = 0; j && i < d->queue.jobs; i++)
		if ((d->queue.job[i].state == SLURM_BUSY) == busy &&
		    fair_sched_lookup(&d->sched, d->queue.job[i].number, &r))
			j[(*n)++] = &d->queue.job[i];
	if (j)
		qsort(j, *n, sizeof(*j), by_submit);
	return j;
}

/* Who is blocked now, since when it is. */
static int remember_blocked(struct driver *d)
{
	struct driver_set now = { NULL, 0, 0 };
	size_t i;

	for (i = 0; i < d->queue.jobs; i++) {
		const struct slurm_job *j = &d->queue.job[i];

		if ((j->state == SLURM_DEPENDS || j->state == SLURM_ADMIN) &&
		    set_add(d, &now, j->number, d->now)) {
			free(now.mark);
			return -1;
		}
	}
	free(d->blocked.mark);
	d->blocked = now; /* by number, as the queue is */
	return 0;
}

static int look_at_arrivals(struct driver *d)
{
	size_t n, i;
	const struct slurm_job **j = strangers(d, false, &n);
	int status = j ? 0 : fail(d, "out of memory");

	d->refused.n = 0;
	for (i = 0; i < n && !status; i++) {
		if (j[i]->released)
			status = set_add(d, &d->hold, j[i]->number, 0);
		if (!status && driver_left(d, j[i]) == LEFT_NOT)
			status = submit(d, j[i]);
	}
	set_sort(&d->refused);
	free(j);
	return status ? -1 : remember_blocked(d);
}

/*
 * Jobs that ran before there was a scheduler: they come first, all of them
 * start at once, for as long as they may still take. Those that a policy would
 * let wait are left to look_at_capacity().
 */
static int adopt(struct driver *d)
{
	struct fair_decision start[STARTS];
	size_t n, i;
	const struct slurm_job **j = strangers(d, true, &n);
	struct fair_job_status *q;
	struct fair_job job;
	int64_t ran;

	if (!j)
		return fail(d, "out of memory");
	for (i = 0; i < n; i++) {
		ran = j[i]->start < 0 || j[i]->start > d->now
			      ? 0
			      : d->now - j[i]->start;
		if (account_of(d, j[i]) < 0 || ran >= 1 << 24 ||
		    make_job(d, j[i], ran, &job))
			continue;
		if (!fair_sched_submit(&d->sched, d->now, &job))
			driver_log(d, "adopt", job.number, " for %" PRId64 " s",
				   job.walltime);
	}
	free(j);
	do
		fair_sched_step(&d->sched, d->now, start, STARTS, &n);
	while (n == STARTS);
	q = list(d, FAIR_QUEUED, &n);
	if (!q)
		return fail(d, "out of memory");
	for (i = 0; i < n; i++)
		fair_sched_cancel(&d->sched, d->now, q[i].job.number);
	free(q);
	return 0;
}

/* ---- decisions ---- */

static int decided(struct driver *d, const struct fair_decision *s)
{
	struct fair_job_status r;
	bool in_time;

	d->changed = true;
	if (!fair_sched_lookup(&d->sched, s->number, &r) &&
	    r.first_promise != FAIR_FOREVER) {
		in_time = s->time <= r.first_promise;
		d->kept += in_time;
		d->broken += !in_time;
	}
	driver_log(d, "start", s->number, "");
	return set_add(d, &d->release, s->number, 0);
}

static int step(struct driver *d)
{
	struct fair_decision start[STARTS];
	size_t n, i;
	int error = 0;

	do {
		error = fair_sched_step(&d->sched, d->now, start, STARTS, &n);
		for (i = 0; !error && i < n; i++)
			error = decided(d, &start[i]);
	} while (!error && n == STARTS);
	return error ? fail(d, "step: %s", fair_strerror(error)) : 0;
}

/*
 * What was due a moment ago happens when it was due: a promise is not broken by
 * the time that reading the queue takes.
 */
static int64_t instant(const struct driver *d)
{
	int64_t due = fair_sched_next(&d->sched), now = d->wall;

	if (due < now && due >= now - LATE)
		now = due;
	return now > d->now ? now : d->now;
}

/* Of jobs that are gone. */
static void forget_later(struct driver *d)
{
	size_t i, kept = 0;

	for (i = 0; i < d->later.n; i++)
		if (slurm_find(&d->queue, d->later.mark[i].number))
			d->later.mark[kept++] = d->later.mark[i];
	d->later.n = kept;
}

int driver_cycle(struct driver *d, int64_t wall)
{
	int64_t procs;

	slurm_queue_free(&d->queue);
	d->wall = wall;
	d->release.n = d->hold.n = 0;
	if (slurm_read_queue(&d->queue, d->set->partition, wall, d->error) ||
	    slurm_read_procs(d->set->partition, &procs, d->error))
		return -1;
	if (!d->open) {
		if (!procs)
			return fail(d, "no node is up");
		if (init(d, (int32_t)procs, wall) || adopt(d))
			return -1;
	}
	d->now = instant(d);
	forget_later(d);
	if (look_at_all_running(d, procs) || look_at_all_queued(d) ||
	    look_at_capacity(d, procs) || look_at_windows(d) ||
	    look_at_arrivals(d))
		return -1;
	return step(d);
}

static int control(struct driver *d, const char *verb,
		   const struct driver_set *set)
{
	uint64_t *number = calloc(set->n + 1, sizeof(*number));
	size_t i;
	int status;

	if (!number)
		return fail(d, "out of memory");
	for (i = 0; i < set->n; i++)
		number[i] = set->mark[i].number;
	status = slurm_control(verb, number, set->n, d->error);
	for (i = 0; i < set->n; i++)
		driver_log(d, verb, number[i], "");
	free(number);
	return status;
}

int driver_act(struct driver *d)
{
	if (d->set->dry_run)
		return 0;
	if (d->changed && save_state(d))
		return -1;
	d->changed = false;
	if (control(d, "uhold", &d->hold))
		return -1;
	return control(d, "release", &d->release);
}

int64_t driver_next(const struct driver *d)
{
	return d->open ? fair_sched_next(&d->sched) : FAIR_FOREVER;
}
