/* SPDX-License-Identifier: MIT OR Unlicense */
#define _XOPEN_SOURCE 700 /* clock_gettime() */
#include "driver.h"
#include "price.h"
#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LATE 5 /* seconds that a cycle may follow a due instant */
#define STARTS 256
#define WINDOWS 32   /* of Slurm's maintenance reservations */
#define TESTS 20     /* of dependencies, in a cycle at most: 30 ms each */
#define CANCELS 1000 /* at most in a cycle; the next one goes on */

const char *const driver_reason_text[REASONS] = {
	"planned",
	"an administrator holds it",
	"its user holds it; scontrol release hands it over to be planned",
	"it waits for other jobs",
	"a job that it depends on failed: cancel it, or change its dependency",
	"it may begin later",
	"its account is not listed",
	"there are too many users",
	"the class of its partition rejects it",
	"no node of the machine suits it",
	"it exceeds the machine or the limits",
	"its time limit is too long to plan",
	"there are too many jobs",
	"Slurm did not start it after its release; it is planned again later",
	"Slurm can never start it as it is: change its request, or cancel it",
	"as many tasks of its array as may run at a time are planned or run",
};

/* The records that the state holds beside the scheduler. */
enum { RECORD_USER, RECORD_MARK, RECORD_NAME };

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
	char text[2048];
	struct timespec now;
	va_list args;

	if (d->set->quiet)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	clock_gettime(CLOCK_REALTIME, &now);
	fprintf(stderr, "%" PRId64 ".%03d %s%s %s", (int64_t)now.tv_sec,
		(int)(now.tv_nsec / 1000000), event,
		d->set->dry_run ? " (dry run)" : "",
		number ? slurm_name(number, name) : "-");
	text_show(stderr, text);
	putc('\n', stderr);
}

/* ---- sets ---- */

static int by_number(const void *x, const void *y)
{
	const struct driver_mark *a = x, *b = y;

	return (a->number > b->number) - (a->number < b->number);
}

/* Appends; the caller sorts the set before it searches. */
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
	s->mark[s->n].left = 0;
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
	struct driver_mark key = { 0, 0, 0 };

	key.number = number;
	return s->n ? bsearch(&key, s->mark, s->n, sizeof(key), by_number)
		    : NULL;
}

static void set_remove(struct driver_set *s, struct driver_mark *m)
{
	s->n--;
	memmove(m, m + 1, (size_t)(s->mark + s->n - m) * sizeof(*m));
}

/* Sets the time of a number, and keeps the set sorted. */
static int set_put(struct driver *d, struct driver_set *s, uint64_t number,
		   int64_t time)
{
	struct driver_mark *m = set_find(s, number);

	if (!m && set_add(d, s, number, time))
		return -1;
	if (m)
		m->time = time;
	else
		set_sort(s);
	return 0;
}

/* ---- the scheduler ---- */

/*
 * The cookie holds Slurm's time of submission, which changes when a job is
 * requeued, and the seconds that an adopted job had run before: the plan does
 * not contain them.
 */
static uint64_t make_cookie(int64_t submit, int64_t ran)
{
	return (uint64_t)submit | (uint64_t)ran << 40;
}

static int64_t cookie_submit(uint64_t cookie)
{
	return (int64_t)(cookie & ((UINT64_C(1) << 40) - 1));
}

static int64_t planned_walltime(const struct driver *d,
				const struct slurm_job *j, uint64_t cookie)
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

/* Adds an unknown user; -1 if the table is full. */
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

/* Logs delayed promises; compression moves too many earlier ones. */
static void promised(void *context, const struct fair_promise *p)
{
	static const char *const cause[] = {
		[FAIR_CAUSE_ARRIVAL] = "arrival",
		[FAIR_CAUSE_CAPACITY] = "capacity",
		[FAIR_CAUSE_OVERRUN] = "overrun",
		[FAIR_CAUSE_REFUSED] = "refused",
		[FAIR_CAUSE_MODIFIED] = "modified",
		[FAIR_CAUSE_LATE_STEP] = "late",
	};
	const size_t causes = sizeof(cause) / sizeof(*cause);
	const struct driver *d = context;
	uint32_t why = p->cause;

	/* A running job that gets a longer limit does not overrun. */
	if (why == FAIR_CAUSE_OVERRUN && d->modifies)
		why = FAIR_CAUSE_MODIFIED;
	if (why < causes && cause[why])
		driver_log(d, "promise", p->number, " %" PRId64 " %s", p->to,
			   cause[why]);
}

static int64_t *make_targets(const struct driver *d)
{
	const struct accounts *a = &d->files.accounts;
	int64_t *target = malloc((a->accounts + 1) * sizeof(*target));
	size_t i;

	for (i = 0; target && i < a->accounts; i++)
		target[i] = a->account[i].target;
	return target;
}

static uint32_t *make_shares(struct driver *d)
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
	sim_config(&d->rules, &d->credentials.site, c);
	c->procs = procs;
	c->origin = now;
	c->jobs = (uint32_t)d->set->jobs;
	c->promised = promised;
	c->context = d;
	c->advances = (uint32_t)d->files.maintenance.n + WINDOWS;
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

/* Call it when all names of a saved state are known. */
static int open_credentials(struct driver *d)
{
	if (!asks_maui(d) || !credentials_make_site(&d->credentials))
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

	if (open_credentials(d))
		return -1;
	target = make_targets(d);
	share = make_shares(d);
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
 * struct saved identifies a run by its trace. Here a trace of one job stands
 * for the configuration: a hash of all that must not change between save and
 * load.
 */
static void make_identity(const struct driver *d, struct swf_job *job,
			  struct swf *trace)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	const struct accounts *a = &d->files.accounts;
	const struct shares *s = &d->files.shares;
	size_t i, k;

	if (asks_maui(d))
		h ^= credentials_hash(&d->credentials);
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
	char why[128];
	size_t bytes;
	int error, damage = 0;

	if (open_credentials(d))
		return -1;
	make_config(d, 1, 0, &mine);
	error = fair_sched_checkpoint_config(s->checkpoint, s->checkpoint_bytes,
					     &c, &damage);
	if (!error) {
		c.jobs = mine.jobs;
		c.maui = mine.maui;
		if (c.advances < mine.advances)
			c.advances = mine.advances;
		c.promised = promised;
		c.context = d;
		error = allocate(d, &c, &bytes) ? -FAIR_ENOMEM : 0;
	}
	if (!error)
		error = fair_sched_load(&d->sched, sizeof(d->sched), d->memory,
					bytes, &c, s->checkpoint,
					s->checkpoint_bytes, &damage);
	if (!error)
		return 0;
	fair_damage_text(damage, &c, s->checkpoint, s->checkpoint_bytes, why,
			 sizeof(why));
	return fail(d, "%s: %s", s->from, damage ? why : fair_strerror(error));
}

/* A record holds a piece of a name: kind, length of the name, offset. */
#define PIECE 16
#define KIND_BITS 3
#define BYTES_BITS 9 /* CREDENTIAL_NAME is below */

static int load_name(struct driver *d, const struct saved_event *e,
		     char name[CREDENTIAL_NAME])
{
	size_t kind = e->number & ((1u << KIND_BITS) - 1);
	size_t n = e->number >> KIND_BITS & ((1u << BYTES_BITS) - 1);
	size_t at = e->number >> (KIND_BITS + BYTES_BITS), i;
	uint64_t word;

	if (kind >= MAUI_KINDS || kind == MAUI_QOS || n >= CREDENTIAL_NAME ||
	    at >= n || !asks_maui(d))
		return fail(d, "%s: a name is damaged", d->set->state);
	for (i = 0; i < PIECE && at + i < n; i++) {
		word = (uint64_t)(i < 8 ? e->time : e->promise);
		name[at + i] = (char)(word >> 8 * (i % 8));
	}
	name[at + i] = '\0';
	if (at + i < n ||
	    credentials_add(&d->credentials, (int)kind, name) >= 0)
		return 0;
	return fail(d, "out of memory");
}

#define SETS 4

/* The sets that the state holds, by the number of their records. */
static struct driver_set *set_of(struct driver *d, size_t i)
{
	struct driver_set *const set[SETS] = { &d->deferred, &d->promised,
					       &d->unfit, &d->throttle };

	return i < SETS ? set[i] : NULL;
}

static int load_marks(struct driver *d, const struct saved *s)
{
	char name[CREDENTIAL_NAME] = "";
	size_t i;

	for (i = 0; i < saved_events(s); i++) {
		struct saved_event e = saved_at(s, i);

		if ((int)e.kind == RECORD_MARK && set_of(d, e.number) &&
		    set_add(d, set_of(d, e.number), (uint64_t)e.time,
			    e.promise))
			return -1;
		if ((int)e.kind == RECORD_USER &&
		    d->users < (uint32_t)d->set->users)
			d->user[d->users++] = (uint32_t)e.time;
		if ((int)e.kind == RECORD_NAME && load_name(d, &e, name))
			return -1;
	}
	for (i = 0; i < SETS; i++)
		set_sort(set_of(d, i));
	return 0;
}

/* A state of another configuration is ignored: the driver begins anew. */
static int load_state(struct driver *d)
{
	struct saved s = { 0 };
	struct swf_job job;
	struct swf trace;
	int status = 0;

	if (!d->set->state)
		return 0;
	if (access(d->set->state, R_OK))
		return errno == ENOENT ? 0
				       : fail(d, "%s: %s", d->set->state,
					      strerror(errno));
	make_identity(d, &job, &trace);
	s.from = d->set->state;
	if (saved_open(&s, &trace, 0)) {
		if (!s.foreign)
			status = fail(d,
				      "%s; move the file away to plan anew: "
				      "jobs stay held, promises are lost",
				      s.error);
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

static int save_record(struct saved *s, int kind, size_t set, uint64_t number,
		       int64_t time)
{
	struct saved_event e = { 0 };

	e.kind = (enum saved_kind)kind;
	e.number = set;
	e.time = (int64_t)number;
	e.promise = time;
	return saved_add(s, &e);
}

static int save_name(struct saved *s, size_t kind, const char *name)
{
	size_t n = strlen(name), at, i;
	struct saved_event e = { 0 };
	uint64_t word[2];
	int error = 0;

	for (at = 0; at < n && !error; at += PIECE) {
		word[0] = word[1] = 0;
		for (i = 0; i < PIECE && at + i < n; i++)
			word[i / 8] |= (uint64_t)(unsigned char)name[at + i]
				       << 8 * (i % 8);
		e.kind = (enum saved_kind)RECORD_NAME;
		e.number =
			kind | n << KIND_BITS | at << (KIND_BITS + BYTES_BITS);
		e.time = (int64_t)word[0];
		e.promise = (int64_t)word[1];
		error = saved_add(s, &e);
	}
	return error;
}

static int save_credentials(const struct driver *d, struct saved *s)
{
	const struct credential_names *k = d->credentials.kind;
	size_t kind, i;
	int error = 0;

	for (kind = 0; kind < MAUI_KINDS; kind++)
		for (i = 0; i < k[kind].names && !error; i++)
			error = save_name(s, kind, k[kind].name[i]);
	return error;
}

static int save_state(struct driver *d)
{
	const struct driver_mark *m;
	struct saved s = { 0 };
	struct swf_job job;
	struct swf trace;
	size_t i, k;
	int error = 0;

	if (!d->set->state)
		return 0;
	make_identity(d, &job, &trace);
	s.to = d->set->state;
	s.is_private = true;
	if (saved_open(&s, &trace, 0))
		return fail(d, "%s", s.error);
	s.state.now = d->now;
	s.state.live = (uint32_t)d->procs;
	s.state.instants = d->kept << 24 | (d->broken & 0xffffff);
	for (i = 0; i < d->users && !error; i++)
		error = save_record(&s, RECORD_USER, 0, d->user[i], 0);
	for (k = 0; k < SETS; k++) {
		m = set_of(d, k)->mark;
		for (i = 0; i < set_of(d, k)->n && !error; i++)
			error = save_record(&s, RECORD_MARK, k, m[i].number,
					    m[i].time);
	}
	if (!error)
		error = save_credentials(d, &s);
	if (!error)
		error = saved_write(&s, &d->sched, &s.state);
	saved_close(&s);
	return error ? fail(d, "%s", s.error[0] ? s.error : "out of memory")
		     : 0;
}

/* Reports a bad machine or standard job before the first cycle. */
static int check_prices(const struct driver *d)
{
	const struct rules_args *a = &d->set->rules;
	struct swf none = { 0 };
	char error[CHARGE_ERROR] = "";

	if (d->rules.order != FAIR_ORDER_USAGE || !a->machine)
		return 0;
	charge_trace(&d->files.machine, &a->charge, false, &none, "squeue",
		     error);
	return error[0] ? input_error("%s", error) : 0;
}

/* What is wrong with the order, or NULL. */
static const char *find_order_of_traces(const struct driver_settings *set)
{
	if (set->rules.order == SIM_ORDER_PRIORITY && set->policy == RULES_SFS)
		return "--order priority of policy sfs applies to traces only";
	if (set->rules.order == SIM_ORDER_DOMINANT)
		return "--order dominant applies to traces only";
	return set->rules.order == SIM_ORDER_TREE
		       ? "--order tree applies to traces only"
		       : NULL;
}

int driver_open(struct driver *d, const struct driver_settings *set)
{
	size_t users = (size_t)set->users;
	const char *why;
	int status;

	memset(d, 0, sizeof(*d));
	d->set = set;
	why = find_order_of_traces(set);
	if (!why)
		why = rules_make(&d->rules, set->policy, &set->rules);
	if (!why)
		why = rules_idle(&set->rules, 1u << set->policy);
	if (!why && set->rules.charge.metric == CHARGE_LOCAL)
		why = "--charge local needs the nodes of each job, which Slurm "
		      "chooses later";
	if (why)
		return input_error("%s", why);
	status = rules_open(&d->files, &set->rules, NULL);
	if (!status)
		status = check_prices(d);
	if (status)
		return status;
	d->user = malloc(users * sizeof(*d->user));
	if (!d->user ||
	    (asks_maui(d) &&
	     credentials_open(&d->credentials, &d->files.maui, users)))
		return run_error("out of memory");
	return load_state(d) ? run_error("%s", d->error) : 0;
}

void driver_close(struct driver *d)
{
	slurm_queue_free(&d->queue);
	credentials_close(&d->credentials);
	rules_close(&d->files);
	free(d->memory);
	free(d->user);
	free(d->deferred.mark);
	free(d->refused.mark);
	free(d->blocked.mark);
	free(d->promised.mark);
	free(d->unfit.mark);
	free(d->throttle.mark);
	free(d->tested.mark);
	free(d->release.mark);
	free(d->hold.mark);
}

/* ---- events ---- */

/* All jobs of a state; NULL without memory. */
static struct fair_job_status *list_jobs(const struct driver *d, uint32_t state,
					 size_t *n)
{
	struct fair_queue_place at = { 0, 0 }, again = { 0, 0 };
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

/* Notes an event. An error is a defect: the caller checked the job before. */
static int apply_event(struct driver *d, const char *what, uint64_t number,
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
	return apply_event(d, "end", r->job.number,
			   fair_sched_finish(&d->sched, d->now, r->job.number));
}

static int cancel(struct driver *d, const struct fair_job_status *r)
{
	driver_log(d, "cancel", r->job.number, "");
	return apply_event(d, "cancel", r->job.number,
			   fair_sched_cancel(&d->sched, d->now, r->job.number));
}

static int modify(struct driver *d, const struct fair_job_status *r,
		  int32_t procs, int64_t walltime)
{
	int error;

	d->modifies = true;
	error = fair_sched_modify(&d->sched, d->now, r->job.number, procs,
				  walltime);
	d->modifies = false;
	/* Cancel a queued job that can no longer be planned. */
	if (error == -FAIR_ERANGE || error == -FAIR_EOVERFLOW)
		return r->state == FAIR_QUEUED ? cancel(d, r) : 0;
	driver_log(d, "modify", r->job.number,
		   " %" PRId32 " processors, %" PRId64 " s", procs, walltime);
	return apply_event(d, "modify", r->job.number, error);
}

static int defer_job(struct driver *d, const struct fair_job_status *r)
{
	if (set_put(d, &d->deferred, r->job.number, d->wall + d->set->retry))
		return -1;
	return finish(d, r, "Slurm did not start it");
}

/* Counts a promise when Slurm has started the job, at second @start. */
static void count_promise(struct driver *d, const struct fair_job_status *r,
			  int64_t start)
{
	struct driver_mark *m = set_find(&d->promised, r->job.number);

	if (!m)
		return;
	if (start <= m->time + LATE) {
		d->kept++;
	} else {
		d->broken++;
		driver_log(d, "late", r->job.number, " %" PRId64 " s %s",
			   start - m->time, fair_cause_name(r->cause));
	}
	set_remove(&d->promised, m);
	d->changed = true;
}

static void forget_promise(struct driver *d, uint64_t number)
{
	struct driver_mark *m = set_find(&d->promised, number);

	if (m)
		set_remove(&d->promised, m);
}

uint64_t driver_late(const struct driver *d)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < d->promised.n; i++)
		n += d->promised.mark[i].time + LATE < d->wall;
	return n;
}

static int64_t hash_request(const struct slurm_job *j)
{
	const struct csv_field text[] = { j->partition, j->qos, j->account,
					  j->tres, j->features };
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	size_t i, k;

	for (i = 0; i < sizeof(text) / sizeof(*text); i++)
		for (k = 0; k <= text[i].n; k++)
			h = (h ^ (k < text[i].n ? (unsigned char)text[i].p[k]
						: 0)) *
			    UINT64_C(0x100000001b3);
	return (int64_t)((h ^ (uint64_t)j->limit << 24 ^ (uint64_t)j->procs ^
			  (uint64_t)j->nodes << 32) >>
			 1);
}

/*
 * Plans a job that Slurm can never start no more for a day, or until it is
 * changed, and tells its user why.
 */
static int reject_job(struct driver *d, const struct fair_job_status *r,
		      const struct slurm_job *j)
{
	char change[128], error[SLURM_ERROR];

	snprintf(change, sizeof(change),
		 "admincomment=fairsched: Slurm can never start it: %.*s",
		 (int)(j->reason.n < 64 ? j->reason.n : 64), j->reason.p);
	driver_log(d, "unfit", r->job.number, " %.*s", (int)j->reason.n,
		   j->reason.p);
	if (!d->set->dry_run && slurm_update(j->number, change, error))
		driver_log(d, "error", j->number, " %s", error);
	if (set_put(d, &d->unfit, j->number, hash_request(j)) ||
	    set_put(d, &d->deferred, j->number, d->wall + 86400))
		return -1;
	forget_promise(d, j->number);
	return finish(d, r, "Slurm can never start it");
}

/*
 * Synchronizes a job that the scheduler has started. If Slurm still holds it,
 * the release was lost: release it again, unless the machine, now of @procs
 * processors, has become too small.
 */
static int sync_running_job(struct driver *d, const struct fair_job_status *r,
			    int64_t procs)
{
	const struct slurm_job *j = slurm_find(&d->queue, r->job.number);
	bool patient = d->wall < r->start + d->set->patience;
	int64_t walltime;

	if (!j || j->state == SLURM_BUSY)
		count_promise(d, r, j ? j->start : d->wall);
	if (!j)
		return finish(d, r, "");
	if (j->state != SLURM_BUSY &&
	    j->submit != cookie_submit(r->job.cookie)) {
		forget_promise(d, j->number);
		return finish(d, r, "requeued");
	}
	if (slurm_is_never(j->reason) &&
	    (j->state == SLURM_HELD ||
	     (j->state == SLURM_RELEASED && !patient)))
		return reject_job(d, r, j);
	switch (j->state) {
	case SLURM_HELD:
		if (!patient || d->sched.busy > procs)
			return defer_job(d, r);
		return set_add(d, &d->release, r->job.number, 0);
	case SLURM_RELEASED:
		return patient ? 0 : set_add(d, &d->hold, r->job.number, 0);
	case SLURM_BUSY:
		walltime = planned_walltime(d, j, r->job.cookie);
		return walltime == r->job.walltime
			       ? 0
			       : modify(d, r, r->job.procs, walltime);
	default:
		forget_promise(d, j->number);
		return finish(d, r, "withdrawn");
	}
}

/* Reports completions in the order of the starts. */
static int sync_running_jobs(struct driver *d, int64_t procs)
{
	size_t n, i;
	struct fair_job_status *r = list_jobs(d, FAIR_RUNNING, &n);
	int status = 0;

	if (!r)
		return fail(d, "out of memory");
	qsort(r, n, sizeof(*r), by_start);
	for (i = 0; i < n && !status; i++)
		status = sync_running_job(d, &r[i], procs);
	free(r);
	return status;
}

/* Compares what modify() cannot change: credentials, nodes and memory. */
static bool has_same_request(struct driver *d, const struct slurm_job *j,
			     const struct fair_job *was)
{
	struct fair_maui_request request;
	struct fair_job now;

	if (!asks_maui(d))
		return account_of(d, j) == (int64_t)was->account;
	if (credentials_make_request(&d->credentials, j, d->set->account,
				     &request))
		return false;
	maui_jobs_ask(&request, &now);
	return now.user == was->user && now.group == was->group &&
	       now.account == was->account && now.qos == was->qos &&
	       now.queue == was->queue && now.nodes == was->nodes &&
	       now.memory == was->memory;
}

static bool is_admitted(const struct driver *d, const struct slurm_job *j)
{
	int64_t limit = j->limit < 0 ? d->set->unlimited : j->limit;

	return !asks_maui(d) ||
	       !credentials_refusal(&d->credentials, j, d->set->account, limit);
}

/* Under --machine the size fixes the charge rate at the submission. */
static bool can_modify(const struct driver *d, const struct slurm_job *j,
		       const struct fair_job *was)
{
	return (!d->set->rules.machine || j->procs == was->procs) &&
	       is_admitted(d, j);
}

/* Synchronizes a queued job; this cycle may submit a cancelled one again. */
static int sync_queued_job(struct driver *d, const struct fair_job_status *r)
{
	const struct slurm_job *j = slurm_find(&d->queue, r->job.number);
	int64_t walltime;

	if (!j || (j->state != SLURM_HELD && j->state != SLURM_RELEASED) ||
	    j->submit != cookie_submit(r->job.cookie) ||
	    !has_same_request(d, j, &r->job))
		return d->cancels-- > 0 ? cancel(d, r) : 0;
	if (j->state == SLURM_RELEASED &&
	    set_add(d, &d->hold, r->job.number, 0))
		return -1;
	walltime = planned_walltime(d, j, r->job.cookie);
	if (j->procs == r->job.procs && walltime == r->job.walltime)
		return 0;
	return can_modify(d, j, &r->job) ? modify(d, r, j->procs, walltime)
					 : cancel(d, r);
}

static int sync_queued_jobs(struct driver *d)
{
	size_t n, i;
	struct fair_job_status *r = list_jobs(d, FAIR_QUEUED, &n);
	int status = 0;

	if (!r)
		return fail(d, "out of memory");
	/* The last starts first: fewer jobs can use what a cancellation frees. */
	qsort(r, n, sizeof(*r), by_start);
	d->cancels = CANCELS;
	for (i = n; i > 0 && !status; i--)
		status = sync_queued_job(d, &r[i - 1]);
	free(r);
	return status;
}

/*
 * The scheduler's machine is Slurm's without the processors of jobs that the
 * scheduler did not start. It shrinks by the free processors at most; a later
 * cycle removes the others.
 */
static int sync_capacity(struct driver *d, int64_t procs)
{
	struct fair_queue_place at = { 0, 0 };
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
	return apply_event(d, "capacity", 0,
			   fair_sched_capacity(&d->sched, d->now,
					       (int32_t)delta, NULL, 0));
}

static bool is_same_advance(const struct fair_advance *a,
			    const struct fair_advance *b)
{
	return a->number == b->number && a->from == b->from && a->to == b->to &&
	       a->procs == b->procs && a->kind == b->kind;
}

static bool has_advance(const struct driver *d, const struct fair_advance *b)
{
	struct fair_advance live;
	uint32_t i;

	for (i = 0; fair_sched_advance_get(&d->sched, i, &live); i++)
		if (is_same_advance(&live, b))
			return true;
	return false;
}

/* Cancels the reservations that the file no longer announces. */
static int cancel_removed_windows(struct driver *d,
				  const struct maintenance_advance *w, size_t n)
{
	struct fair_advance live;
	uint32_t i = 0;
	size_t k;

	while (fair_sched_advance_get(&d->sched, i, &live)) {
		for (k = 0; k < n && (w[k].advance.number != live.number ||
				      w[k].announced > d->now);
		     k++)
			;
		if (k < n) {
			i++;
			continue;
		}
		driver_log(d, "unreserve", 0, " %" PRIu64, live.number);
		if (apply_event(d, "unreserve", 0,
				fair_sched_advance_cancel(&d->sched, d->now,
							  live.number)))
			return -1;
	}
	return 0;
}

/* Each cycle retries a window that does not fit; only one error is logged. */
static void reserve_window(struct driver *d, const struct fair_advance *b)
{
	int error = fair_sched_advance_reserve(&d->sched, d->now, b, true);

	if (!error) {
		driver_log(d, "reserve", 0,
			   " %" PRIu64 " %" PRId32 " processors, %" PRId64
			   " to %" PRId64,
			   b->number, b->procs, b->from, b->to);
		d->changed = true;
	} else if (!d->window_logged) {
		driver_log(d, "error", 0, " window %" PRIu64 ": %s", b->number,
			   fair_strerror(error));
		d->window_logged = true;
	}
}

/* Appends Slurm's maintenance reservations to @w. */
static int add_slurm_windows(struct driver *d, struct maintenance_advance *w,
			     size_t *n)
{
	struct slurm_reservation r[WINDOWS];
	size_t i, found;

	if (slurm_read_reservations(d->set->partition, r, WINDOWS, &found,
				    d->error))
		return -1;
	for (i = 0; i < found; i++) {
		if (!r[i].procs)
			continue;
		memset(&w[*n], 0, sizeof(w[*n]));
		w[*n].announced = INT64_MIN;
		w[*n].advance.number = r[i].name;
		w[*n].advance.from = r[i].start;
		w[*n].advance.to = r[i].end;
		w[*n].advance.procs = (int32_t)r[i].procs;
		w[(*n)++].advance.kind = FAIR_ADVANCE_MAINTENANCE;
	}
	return 0;
}

/* Reserves each window from its announcement to its end. */
static int sync_maintenance(struct driver *d)
{
	const struct maintenance *m = &d->files.maintenance;
	struct maintenance_advance *w = malloc((m->n + WINDOWS) * sizeof(*w));
	size_t i, n = m->n;
	int status;

	if (!w)
		return fail(d, "out of memory");
	maintenance_advances(m, 0, NULL, w);
	status = add_slurm_windows(d, w, &n);
	if (!status)
		status = cancel_removed_windows(d, w, n);
	for (i = 0; i < n && !status; i++)
		if (w[i].announced <= d->now && w[i].advance.to > d->now &&
		    !has_advance(d, &w[i].advance))
			reserve_window(d, &w[i].advance);
	free(w);
	return status;
}

enum driver_reason driver_reason(const struct driver *d,
				 const struct slurm_job *j)
{
	struct driver_mark *m = set_find(&d->deferred, j->number), *unfit;

	switch (j->state) {
	case SLURM_ADMIN:
		return REASON_ADMIN_HOLD;
	case SLURM_USER:
		return REASON_USER_HOLD;
	case SLURM_DEPENDENCY:
		return REASON_DEPENDENCY;
	case SLURM_NEVER:
		return REASON_NEVER;
	case SLURM_BEGIN_TIME:
		return REASON_BEGIN_TIME;
	default:
		if (account_of(d, j) < 0)
			return REASON_ACCOUNT;
		unfit = set_find(&d->unfit, j->number);
		if (m && d->wall < m->time && !unfit)
			return REASON_NOT_STARTED;
		if (m && d->wall < m->time && unfit->time == hash_request(j))
			return REASON_UNFIT;
		m = set_find(&d->refused, j->number);
		return m ? (enum driver_reason)m->time : REASON_NONE;
	}
}

static enum driver_reason make_job(struct driver *d, const struct slurm_job *j,
				   int64_t ran, struct fair_job *job)
{
	const struct driver_mark *m = set_find(&d->blocked, j->number);
	int64_t user = counts_users(d) ? index_of_user(d, j->user) : 0;
	struct fair_maui_request request;

	if (user < 0)
		return REASON_USERS;
	memset(job, 0, sizeof(*job));
	job->number = j->number;
	job->cookie = make_cookie(j->submit, ran);
	job->walltime = planned_walltime(d, j, job->cookie);
	job->procs = j->procs;
	job->user = (uint32_t)user;
	job->account = (uint32_t)account_of(d, j);
	/* Waiting begins when the job can run. */
	job->submit = m ? m->time : j->submit;
	if (!m && j->eligible > job->submit)
		job->submit = j->eligible;
	if (job->submit > d->now)
		job->submit = d->now;
	if (d->rules.order == FAIR_ORDER_USAGE &&
	    price_job(&d->files, &d->set->rules, j, &job->penalty))
		return REASON_NODE;
	if (!asks_maui(d))
		return REASON_NONE;
	if (credentials_make_request(&d->credentials, j, d->set->account,
				     &request))
		return REASON_USERS;
	maui_jobs_ask(&request, job);
	return REASON_NONE;
}

static enum driver_reason reason_for(int error)
{
	switch (error) {
	case -FAIR_ERANGE:
		return REASON_TOO_WIDE;
	case -FAIR_EOVERFLOW:
		return REASON_TOO_LONG;
	case -FAIR_ENOSPC:
		return REASON_TOO_MANY;
	default:
		return REASON_USERS;
	}
}

/* The throttle of the array that a task belongs to; NULL without one. */
static struct driver_mark *throttle_of(const struct driver *d, uint64_t number)
{
	return number >> 32 ? set_find(&d->throttle, (uint32_t)number) : NULL;
}

/*
 * Reads the throttles while tasks wait. Slurm tells none of an array whose
 * waiting tasks were all released before: so known ones stay until it has left.
 */
static int update_throttles(struct driver *d)
{
	struct driver_set live = { NULL, 0, 0 };
	struct slurm_throttle *t = NULL;
	struct driver_mark *m;
	size_t i, n = 0;
	bool wait = false;
	int status = 0;

	for (i = 0; i < d->queue.jobs && !wait; i++)
		wait = d->queue.job[i].number >> 32 &&
		       d->queue.job[i].state != SLURM_BUSY;
	if (wait && slurm_read_throttles(d->set->partition, &t, &n, d->error))
		return -1;
	for (i = 0; i < n && !status; i++)
		status = set_put(d, &d->throttle, t[i].id, t[i].tasks);
	free(t);
	/* The tasks of an array are not neighbours in the queue. */
	for (i = 0; i < d->queue.jobs && !status; i++) {
		m = throttle_of(d, d->queue.job[i].number);
		if (m && !set_find(&live, m->number))
			status = set_put(d, &live, m->number, m->time);
	}
	if (!status) {
		free(d->throttle.mark);
		d->throttle = live;
		for (i = 0; i < live.n; i++)
			live.mark[i].left = live.mark[i].time;
	} else {
		free(live.mark);
	}
	return status;
}

/* Subtracts the tasks that run or are planned from a copy of the throttles. */
static void count_tasks(struct driver *d)
{
	struct fair_job_status r;
	struct driver_mark *m;
	size_t i;

	for (i = 0; d->throttle.n && i < d->queue.jobs; i++) {
		const struct slurm_job *j = &d->queue.job[i];

		m = throttle_of(d, j->number);
		if (m && (j->state == SLURM_BUSY ||
			  !fair_sched_lookup(&d->sched, j->number, &r)))
			m->left--;
	}
}

static int submit(struct driver *d, const struct slurm_job *j)
{
	struct driver_mark *m = throttle_of(d, j->number);
	struct fair_job job;
	enum driver_reason why =
		is_admitted(d, j) ? make_job(d, j, 0, &job) : REASON_CLASS;
	int error;

	if (!why && m && m->left <= 0)
		why = REASON_THROTTLE;
	if (!why) {
		error = fair_sched_submit(&d->sched, d->now, &job);
		why = error ? reason_for(error) : REASON_NONE;
	}
	if (why) /* of this cycle; the next one tries again */
		return set_add(d, &d->refused, j->number, why);
	driver_log(d, "submit", j->number,
		   " %" PRId32 " processors, %" PRId64 " s", job.procs,
		   job.walltime);
	d->changed = true;
	if (m)
		m->left--;
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

/* Lists the waiting, or the running, jobs that the scheduler does not know. */
static const struct slurm_job **list_unknown_jobs(struct driver *d, bool busy,
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

/* Notes which jobs are blocked, with the time of this cycle. */
static int update_blocked(struct driver *d)
{
	struct driver_set now = { NULL, 0, 0 };
	size_t i;

	for (i = 0; i < d->queue.jobs; i++) {
		const struct slurm_job *j = &d->queue.job[i];

		if ((j->state == SLURM_DEPENDENCY || j->state == SLURM_ADMIN ||
		     j->state == SLURM_USER || j->state == SLURM_NEVER) &&
		    set_add(d, &now, j->number, d->now)) {
			free(now.mark);
			return -1;
		}
	}
	free(d->blocked.mark);
	d->blocked = now; /* by number, as the queue is */
	return 0;
}

static int submit_arrivals(struct driver *d)
{
	size_t n, i;
	const struct slurm_job **j = list_unknown_jobs(d, false, &n);
	int status = j ? update_throttles(d) : fail(d, "out of memory");

	d->refused.n = 0;
	count_tasks(d);
	for (i = 0; i < n && !status; i++) {
		if (j[i]->released)
			status = set_add(d, &d->hold, j[i]->number, 0);
		if (!status && driver_reason(d, j[i]) == REASON_NONE)
			status = submit(d, j[i]);
	}
	set_sort(&d->refused);
	free(j);
	return status ? -1 : update_blocked(d);
}

/*
 * Submits the jobs that already ran when the scheduler was created, for the
 * rest of their walltimes, and starts them at once. A job that the policy would
 * not start is cancelled, and sync_capacity() takes its processors off.
 */
static int adopt(struct driver *d)
{
	struct fair_decision start[STARTS];
	size_t n, i;
	const struct slurm_job **j = list_unknown_jobs(d, true, &n);
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
	q = list_jobs(d, FAIR_QUEUED, &n);
	if (!q)
		return fail(d, "out of memory");
	for (i = 0; i < n; i++)
		fair_sched_cancel(&d->sched, d->now, q[i].job.number);
	free(q);
	return 0;
}

/* ---- decisions ---- */

static int record_start(struct driver *d, const struct fair_decision *s)
{
	struct fair_job_status r;

	d->changed = true;
	/* A job that is tried again keeps its first promise. */
	if (!fair_sched_lookup(&d->sched, s->number, &r) &&
	    r.first_promise != FAIR_FOREVER &&
	    !set_find(&d->promised, s->number) &&
	    set_put(d, &d->promised, s->number, r.first_promise))
		return -1;
	driver_log(d, "start", s->number, "");
	if (!slurm_find(&d->queue, s->number))
		return 0; /* the next cycle ends it */
	return set_add(d, &d->release, s->number, 0);
}

static int start_jobs(struct driver *d)
{
	struct fair_decision start[STARTS];
	size_t n, i;
	int error = 0;

	do {
		error = fair_sched_step(&d->sched, d->now, start, STARTS, &n);
		for (i = 0; !error && i < n; i++)
			error = record_start(d, &start[i]);
	} while (!error && n == STARTS);
	return error ? fail(d, "step: %s", fair_strerror(error)) : 0;
}

/*
 * An instant that was due up to LATE seconds ago takes its own time, so that
 * the time which reading the queue takes breaks no promise.
 */
static int64_t event_time(const struct driver *d)
{
	int64_t due = fair_sched_next(&d->sched), now = d->wall;

	if (due < now && due >= now - LATE)
		now = due;
	return now > d->now ? now : d->now;
}

/* Drops the entries of jobs that have left the queue. */
static void drop_ended_jobs(struct driver *d, struct driver_set *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n; i++)
		if (slurm_find(&d->queue, s->mark[i].number))
			s->mark[kept++] = s->mark[i];
	s->n = kept;
}

bool driver_trusts_clock(struct driver *d, int64_t wall, int64_t monotonic)
{
	int64_t skew = wall - monotonic, by = skew - d->skew;

	if (!d->wall || (by >= -DRIVER_JUMP && by <= DRIVER_JUMP) ||
	    (d->jumped && monotonic - d->jumped > DRIVER_JUMP)) {
		d->skew = skew;
		d->jumped = 0;
		return true;
	}
	if (!d->jumped) {
		d->jumped = monotonic;
		driver_log(d, "clock", 0,
			   " it jumped by %" PRId64 " s: nothing is done until "
			   "it is back, or for %d s",
			   by, DRIVER_JUMP);
	}
	return false;
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
	if (!d->open && d->set->from_state)
		return fail(d, "there is no saved plan, and Slurm may hide "
			       "jobs: ask an administrator");
	if (!d->open) {
		if (!procs)
			return fail(d, "no node is up");
		if (init(d, (int32_t)procs, wall) || adopt(d))
			return -1;
	}
	d->now = event_time(d);
	if (d->set->from_state)
		return submit_arrivals(d) || start_jobs(d) ? -1 : 0;
	drop_ended_jobs(d, &d->deferred);
	drop_ended_jobs(d, &d->unfit);
	if (sync_running_jobs(d, procs))
		return -1;
	drop_ended_jobs(d, &d->promised);
	if (sync_queued_jobs(d) || sync_capacity(d, procs) ||
	    sync_maintenance(d) || submit_arrivals(d))
		return -1;
	return start_jobs(d);
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

/*
 * Has Slurm test the dependencies of a job that it holds: it does so when they
 * are set, but not under a hold, and else once a minute, when it removes ended
 * jobs. The begin time keeps the job from a start while it is not held, also
 * where this daemon is killed in between; the next one holds it again.
 */
static void test_dependencies(struct driver *d, const struct slurm_job *j)
{
	size_t room = j->dependency.n + sizeof("dependency=");
	char *change = malloc(room), error[SLURM_ERROR] = "out of memory";
	int failed = -1;

	driver_log(d, "test", j->number, " %.*s", csv_shown(j->dependency),
		   j->dependency.p);
	if (change && !slurm_update(j->number, "starttime=now+300", error)) {
		snprintf(change, room, "dependency=%.*s", (int)j->dependency.n,
			 j->dependency.p);
		failed = slurm_control("release", &j->number, 1, error);
		failed |= slurm_update(j->number, change, error);
		failed |= slurm_control("uhold", &j->number, 1, error);
		failed |= slurm_update(j->number, "starttime=now", error);
	}
	free(change);
	if (failed)
		driver_log(d, "error", j->number, " %s", error);
}

/*
 * Whether the daemon alone holds a job with dependencies. A begin time is the
 * user's; a change of one task would split its array.
 */
static bool can_test(const struct driver *d, const struct slurm_job *j)
{
	return j->state == SLURM_DEPENDENCY && j->held &&
	       j->eligible <= d->wall && !(j->number >> 32);
}

/* Tests each job once for what has ended. Returns whether it did; -1 with
 * d->error set. */
static int test_held_jobs(struct driver *d)
{
	struct driver_set now = { NULL, 0, 0 };
	const struct slurm_job *j = d->queue.job;
	struct driver_mark *m;
	size_t i, tests = 0;
	int64_t ended;

	for (i = 0; i < d->queue.jobs; i++, j++) {
		ended = can_test(d, j) ? slurm_ended_dependencies(&d->queue, j)
				       : 0;
		m = set_find(&d->tested, j->number);
		if (!ended || ((!m || m->time != ended) && tests == TESTS))
			continue;
		if (set_add(d, &now, j->number, ended)) {
			free(now.mark);
			return -1;
		}
		if (!m || m->time != ended) {
			test_dependencies(d, j);
			tests++;
		}
	}
	free(d->tested.mark);
	d->tested = now; /* by number, as the queue is */
	return tests > 0;
}

int driver_act(struct driver *d)
{
	int status, tested;

	if (d->set->dry_run)
		return 0;
	if (d->changed && save_state(d))
		return -1;
	d->changed = false;
	status = control(d, "uhold", &d->hold);
	status |= control(d, "release", &d->release);
	tested = test_held_jobs(d);
	return status ? -1 : tested;
}

int64_t driver_next(const struct driver *d)
{
	return d->open ? fair_sched_next(&d->sched) : FAIR_FOREVER;
}
