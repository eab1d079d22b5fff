/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIM_PROGRESS 0xffu /* a report every so many instants, less one */

/* By rules.dependencies: the preceding job, and the jobs that wait for this. */
struct follow {
	uint32_t before, waiting, next; /* index + 1; 0: none */
	int64_t ended; /* FAIR_FOREVER: not yet; INT64_MIN: it did not come */
};

struct sim {
	const struct swf_job *job;
	size_t jobs, arrived, finished;
	const uint32_t *order; /* of arrival; NULL: that of the file */
	struct sim_result *result;
	const struct sim_watch *watch;
	struct fair_sched sched;
	struct fair_simulated_run run;
	struct fair_simulated_end *end; /* its memory */
	struct maui_jobs site;		/* FAIR_MAUI */
	const struct fair_sched *from;	/* its jobs, or NULL: none */
	void *memory;
	struct maintenance_booking *window; /* as they are announced */
	size_t windows, announced;
	struct follow *follow;	   /* of each job, or NULL */
	uint32_t thinking;	   /* index + 1 of the first, see let_think() */
	int32_t free;		   /* processors */
	size_t reported;	   /* of the jobs finished */
	struct sim_totals *totals; /* and the job of an error */
};

/* ---- one instant ---- */

/* Records the job that an error belongs to. */
static int blame(struct sim *s, size_t number, int error)
{
	if (error)
		s->totals->job = number;
	return error;
}

static uint32_t next_number(const struct sim *s)
{
	return s->order ? s->order[s->arrived] : (uint32_t)s->arrived;
}

static int64_t next_arrival(const struct sim *s)
{
	if (s->arrived == s->jobs)
		return FAIR_FOREVER;
	return s->job[next_number(s)].submit;
}

static int happened(struct sim *s, enum saved_kind kind, size_t number,
		    int64_t now)
{
	struct saved_event e;

	if (!s->watch->saved)
		return 0;
	e.kind = kind;
	e.number = number;
	e.time = now;
	e.promise = s->result[number].promise;
	return blame(s, number, saved_add(s->watch->saved, &e));
}

/* ---- jobs that follow another ---- */

static int64_t think_of(const struct sim *s, size_t number)
{
	return s->job[number].think > 0 ? s->job[number].think : 0;
}

/* Is the job ineligible? A preceding job must have arrived before to count. */
static bool must_wait(const struct sim *s, uint32_t number, int64_t now,
		      struct fair_eligibility *until)
{
	uint32_t before = s->follow ? s->follow[number].before : 0;
	int64_t ended = before ? s->follow[before - 1].ended : INT64_MIN;

	memset(until, 0, sizeof(*until));
	until->begin = INT64_MIN;
	if (ended == INT64_MIN)
		return false;
	if (ended < FAIR_FOREVER) {
		until->begin = ended + think_of(s, number);
		return until->begin > now;
	}
	until->held = think_of(s, number) > 0;
	until->after = before - 1;
	until->end = until->held ? FAIR_AFTER_NOTHING : FAIR_AFTER_ANY;
	return true;
}

/* The job has arrived; it is listed with a preceding job that has not ended. */
static void line_up(struct sim *s, uint32_t number, int64_t now)
{
	struct fair_eligibility until;
	struct follow *before;

	if (!s->follow)
		return;
	if (must_wait(s, number, now, &until)) {
		before = &s->follow[s->follow[number].before - 1];
		s->totals->follow++;
		if (until.held) {
			s->follow[number].next = before->waiting;
			before->waiting = number + 1;
		}
	}
	s->follow[number].ended = FAIR_FOREVER;
}

/* The job has ended: the think time of the jobs that follow it begins. */
static void release(struct sim *s, uint32_t number, int64_t now)
{
	uint32_t i, next;

	if (!s->follow)
		return;
	s->follow[number].ended = now;
	for (i = s->follow[number].waiting; i; i = next) {
		next = s->follow[i - 1].next;
		s->follow[i - 1].next = s->thinking;
		s->thinking = i;
	}
}

/* After all ends of the instant: before, other jobs would seem to overrun. */
static int let_think(struct sim *s, int64_t now)
{
	struct fair_eligibility until = { 0, 0, 0, false };
	int error = 0;
	uint32_t i;

	for (; s->thinking && !error; s->thinking = s->follow[i].next) {
		i = s->thinking - 1;
		until.begin = now + think_of(s, i);
		error = blame(s, i,
			      fair_sched_defer(&s->sched, now, i, &until));
	}
	return error;
}

/* A running job has ended. */
static int ended(void *ctx, uint64_t number, int64_t now)
{
	struct sim *s = ctx;

	release(s, (uint32_t)number, now);
	s->finished++;
	s->free += s->job[number].procs;
	if (s->watch->finished)
		s->watch->finished(s->watch->ctx, (size_t)number, now);
	return happened(s, SAVED_FINISH, (size_t)number, now);
}

static int arrived(struct sim *s, int64_t now)
{
	uint32_t number = next_number(s);

	line_up(s, number, now);
	s->arrived++;
	if (s->watch->arrived)
		s->watch->arrived(s->watch->ctx, number, now);
	if (s->totals->live < s->arrived - s->finished)
		s->totals->live = (uint32_t)(s->arrived - s->finished);
	return happened(s, SAVED_ARRIVAL, number, now);
}

static void ask_maui(const struct maui_jobs *site, const struct swf_job *from,
		     struct fair_job *j)
{
	struct fair_maui_request r;

	maui_jobs_request(site, from, &r);
	maui_jobs_ask(&r, j);
}

static int submit_due(struct sim *s, int64_t now)
{
	struct fair_job j = { 0 };
	const struct swf_job *from;
	struct fair_eligibility until;
	bool waits;
	int error;

	while (next_arrival(s) == now) {
		j.number = next_number(s);
		from = &s->job[j.number];
		j.submit = now;
		j.walltime = from->estimate;
		j.procs = from->procs;
		j.user = from->user;
		j.account = from->account;
		j.penalty = from->penalty;
		if (s->site.maui)
			ask_maui(&s->site, from, &j);
		waits = must_wait(s, (uint32_t)j.number, now, &until);
		error = 0;
		if (s->watch->arriving)
			error = s->watch->arriving(s->watch->arriving_ctx,
						   &s->sched, &j);
		if (!error)
			error = fair_sched_submit_ineligible(
				&s->sched, now, &j, waits ? &until : NULL);
		if (error)
			return blame(s, (size_t)j.number, error);
		error = arrived(s, now);
		if (error)
			return error;
	}
	return 0;
}

static int started(void *ctx, uint64_t number, int64_t now)
{
	struct sim *s = ctx;

	if (number >= s->jobs)
		return -FAIR_EINVAL;
	if (s->result[number].start != FAIR_FOREVER ||
	    s->job[number].procs > s->free)
		return blame(s, (size_t)number, -FAIR_EINVAL);
	s->result[number].start = now;
	s->free -= s->job[number].procs;
	if (s->watch->started)
		s->watch->started(s->watch->ctx, (size_t)number, now);
	return happened(s, SAVED_START, (size_t)number, now);
}

static int64_t next_window(const struct sim *s)
{
	return s->announced < s->windows ? s->window[s->announced].announced
					 : FAIR_FOREVER;
}

/* Windows that are announced by now, and not over. */
static int book_due(struct sim *s, int64_t now)
{
	const struct fair_advance *b;
	int error = 0;

	while (!error && next_window(s) <= now) {
		b = &s->window[s->announced++].advance;
		if (b->to > now)
			error = fair_sched_advance_reserve(&s->sched, now, b,
							   true);
	}
	return error;
}

/* ---- all of them ---- */

static int64_t run_time(void *ctx, uint64_t number)
{
	const struct sim *s = ctx;

	return s->job[number].run;
}

static int64_t next_event(void *ctx)
{
	const struct sim *s = ctx;
	int64_t t = next_arrival(s);

	return s->totals->instants && next_window(s) < t ? next_window(s) : t;
}

/* All jobs that end now have ended. */
static int arrive(void *ctx, int64_t now)
{
	struct sim *s = ctx;
	int error = let_think(s, now);

	if (!error)
		error = book_due(s, now);
	return error ? error : submit_due(s, now);
}

static int look(struct sim *s)
{
	const struct sim_watch *w = s->watch;
	struct sim_totals *totals = s->totals;

	if (w->progress && !(totals->instants & SIM_PROGRESS)) {
		w->progress(w->ctx, s->finished - s->reported);
		s->reported = s->finished;
	}
	if (w->check_every && totals->instants % w->check_every == 0)
		totals->broken = fair_sched_check(&s->sched);
	return totals->broken ? -FAIR_EINVAL : 0;
}

/* Before the instant @next. */
static int save(struct sim *s, int64_t next)
{
	struct saved *saved = s->watch->saved;
	struct saved_state state;

	if (!saved)
		return 0;
	state.now = s->totals->now;
	state.instants = s->totals->instants;
	state.live = s->totals->live;
	return saved_due(saved, next, &state)
		       ? saved_write(saved, &s->sched, &state)
		       : 0;
}

static int play(struct sim *s)
{
	struct sim_totals *totals = s->totals;
	int64_t now, last = totals->instants ? totals->now : INT64_MIN;
	int error;

	while (s->finished < s->jobs) {
		now = fair_simulated_run_next(&s->run);
		if (s->watch->stopped && now > s->watch->stop)
			break;
		if (now <= last || now == FAIR_FOREVER)
			return -FAIR_EINVAL;
		error = save(s, now);
		last = totals->now = now;
		totals->instants++;
		if (!error)
			error = fair_simulated_run_instant(&s->run, now);
		if (!error)
			error = look(s);
		if (error)
			return error;
	}
	error = save(s, INT64_MAX);
	if (error)
		return error;
	totals->digest = fair_sched_digest(&s->sched);
	if (s->watch->stopped)
		s->watch->stopped(s->watch->ctx, &s->sched, s->watch->stop);
	return 0;
}

static void promised(void *ctx, const struct fair_promise *p)
{
	const struct sim *s = ctx;

	if (p->cause == FAIR_CAUSE_ARRIVAL)
		s->result[p->number].promise = p->to;
	if (s->watch->promised)
		s->watch->promised(s->watch->ctx, p);
}

/* ---- going on from where it was saved ---- */

static int happens_again(struct sim *s, const struct saved_event *e)
{
	int64_t start;

	if (e->number >= s->jobs)
		return -FAIR_EINVAL;
	switch (e->kind) {
	case SAVED_ARRIVAL:
		if (next_arrival(s) != e->time || next_number(s) != e->number)
			return -FAIR_EINVAL;
		return arrived(s, e->time);
	case SAVED_START:
		s->result[e->number].promise = e->promise;
		return started(s, e->number, e->time);
	case SAVED_FINISH:
		start = s->result[e->number].start;
		if (start > e->time || s->job[e->number].run != e->time - start)
			return -FAIR_EINVAL;
		return ended(s, e->number, e->time);
	}
	return -FAIR_EINVAL;
}

/* The live jobs are those of the scheduler, which knows the first promises. */
static int live_again(struct sim *s)
{
	static const uint32_t state[] = { FAIR_QUEUED, FAIR_INELIGIBLE,
					  FAIR_RUNNING };
	size_t left = s->arrived - s->finished, i;
	struct fair_job_status j;
	struct sim_result *r;

	for (i = 0; i < 3; i++) {
		struct fair_queue_place at = { 0, 0 };

		while (fair_sched_each(&s->sched, state[i], &at, &j)) {
			if (j.job.number >= s->jobs || !left--)
				return -FAIR_EINVAL;
			r = &s->result[j.job.number];
			if (r->start != (i == 2 ? j.start : FAIR_FOREVER))
				return -FAIR_EINVAL;
			if (i == 0)
				r->promise = j.first_promise;
		}
	}
	return left ? -FAIR_EINVAL : 0;
}

static int go_on(struct sim *s)
{
	struct saved *saved = s->watch->saved;
	struct saved_event e;
	int error = 0;
	size_t i;

	for (i = 0; !error && i < saved_events(saved); i++) {
		e = saved_at(saved, i);
		error = happens_again(s, &e);
	}
	s->thinking = 0; /* the scheduler knows until when */
	if (!error)
		error = live_again(s);
	s->totals->now = saved->state.now;
	s->totals->instants = saved->state.instants;
	s->totals->live = saved->state.live;
	while (saved->state.instants && next_window(s) <= saved->state.now)
		s->announced++;
	if (error == -FAIR_EINVAL)
		snprintf(saved->error, sizeof(saved->error),
			 "%.150s: inconsistent content", saved->from);
	return error;
}

static int load(struct sim *s, const struct fair_config *c, size_t bytes)
{
	struct saved *saved = s->watch->saved;
	int damage, error;

	error = fair_sched_load(&s->sched, sizeof(s->sched), s->memory, bytes,
				c, saved->image, saved->image_bytes, &damage);
	if (error && damage)
		snprintf(saved->error, sizeof(saved->error), "%.150s: %s",
			 saved->from, fair_checkpoint_strerror(damage));
	return error ? error : go_on(s);
}

static int open_with(struct sim *s, const struct fair_config *c)
{
	size_t bytes = fair_sched_size(c);

	s->memory = bytes ? malloc(bytes) : NULL;
	if (!s->memory)
		return -FAIR_ENOMEM;
	if (s->watch->saved && s->watch->saved->from)
		return load(s, c, bytes);
	if (s->from)
		return fair_sched_convert(&s->sched, sizeof(s->sched),
					  s->memory, bytes, c, s->from);
	return fair_sched_init(&s->sched, sizeof(s->sched), s->memory, bytes,
			       c);
}

/* By index of user, as long as the scheduler is made; NULL without memory. */
static uint32_t *shares_by_index(const struct sim *s, uint32_t users,
				 const struct shares *shares)
{
	uint32_t *share = malloc(users * sizeof(*share));
	size_t i;

	for (i = 0; share && i < s->jobs; i++)
		share[s->job[i].user] =
			shares ? shares_of(shares, s->job[i].user_id) : 1;
	return share;
}

static int open_relshare(struct sim *s, const struct sim_rules *rules,
			 struct fair_config *c)
{
	uint32_t *share;
	int error;

	share = shares_by_index(s, c->users, rules->shares);
	if (!share)
		return -FAIR_ENOMEM;
	c->share = share;
	error = open_with(s, c);
	free(share);
	return error;
}

static int open_sfs(struct sim *s, const struct sim_rules *rules,
		    struct fair_config *c)
{
	size_t n = rules->accounts->accounts, i;
	int64_t *target = malloc(n * sizeof(*target));
	int error;

	if (!target)
		return -FAIR_ENOMEM;
	for (i = 0; i < n; i++)
		target[i] = rules->accounts->account[i].target;
	c->accounts = (uint32_t)n;
	c->target = target;
	error = open_with(s, c);
	free(target);
	return error;
}

/* Equal decisions: policy maui without limits, of the same depth. */
static void order_by_priority(const struct sim_rules *rules,
			      struct maui_jobs *site, struct fair_config *c)
{
	bool fills = rules->policy == FAIR_BACKFILL;

	maui_jobs_unlimit(site);
	site->config.depth = fills ? rules->depth : 0;
	site->config.select = fills ? rules->select : FAIR_NOFIT;
	site->config.metric = rules->metric;
	site->config.longest = rules->longest;
	c->policy = FAIR_MAUI;
	c->order = FAIR_ORDER_FCFS;
	c->select = 0;
}

void sim_config(const struct sim_rules *rules, struct maui_jobs *site,
		struct fair_config *c)
{
	memset(c, 0, sizeof(*c));
	c->policy = rules->policy;
	c->order = rules->order;
	c->depth = rules->depth;
	c->select = rules->select;
	c->metric = rules->metric;
	c->longest = rules->longest;
	c->weight = rules->weight;
	c->half_life = rules->half_life;
	if (rules->policy == FAIR_RELSHARE) {
		c->window = rules->window;
		c->only_used = rules->only_used;
	}
	if (rules->order == SIM_ORDER_PRIORITY)
		order_by_priority(rules, site, c);
	if (sim_asks_maui(rules))
		c->maui = &site->config;
}

static int open_windows(struct sim *s, const struct sim_rules *rules)
{
	if (!rules->maintenance || !rules->maintenance->n)
		return 0;
	s->windows = rules->maintenance->n;
	s->window = malloc(s->windows * sizeof(*s->window));
	if (!s->window)
		return -FAIR_ENOMEM;
	maintenance_bookings(rules->maintenance, rules->epoch, s->window);
	return 0;
}

struct named {
	int64_t id;
	uint32_t number;
};

static int by_id(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Index + 1 of the first job with that id; 0: none. */
static uint32_t find_id(const struct named *named, size_t n, int64_t id)
{
	size_t low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (named[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && named[low].id == id ? named[low].number + 1 : 0;
}

static int open_follow(struct sim *s, const struct sim_rules *rules)
{
	struct named *named;
	size_t i;

	if (!rules->dependencies)
		return 0;
	s->follow = calloc(s->jobs, sizeof(*s->follow));
	named = malloc(s->jobs * sizeof(*named));
	if (!s->follow || !named) {
		free(named);
		return -FAIR_ENOMEM;
	}
	for (i = 0; i < s->jobs; i++) {
		named[i].id = s->job[i].id;
		named[i].number = (uint32_t)i;
	}
	qsort(named, s->jobs, sizeof(*named), by_id);
	for (i = 0; i < s->jobs; i++) {
		s->follow[i].ended = INT64_MIN;
		if (s->job[i].preceding > 0)
			s->follow[i].before =
				find_id(named, s->jobs, s->job[i].preceding);
	}
	free(named);
	return 0;
}

static int open_sched(struct sim *s, const struct sim_rules *rules)
{
	struct fair_config c;
	size_t i;

	if (open_windows(s, rules) || open_follow(s, rules))
		return -FAIR_ENOMEM;
	if (sim_asks_maui(rules) &&
	    maui_jobs_open(&s->site, rules->maui, s->job, s->jobs))
		return -FAIR_ENOMEM;
	sim_config(rules, &s->site, &c);
	c.procs = rules->procs;
	c.origin = next_arrival(s);
	c.jobs = s->watch->live ? s->watch->live : (uint32_t)s->jobs;
	c.advances = (uint32_t)s->windows + rules->more_windows;
	c.ineligible = rules->dependencies ? c.jobs : 0;
	if (sim_promises(rules) && !s->from) {
		c.promised = promised;
		c.context = s;
	}
	for (i = 0; i < s->jobs; i++)
		if (c.users <= s->job[i].user)
			c.users = s->job[i].user + 1;
	if (c.policy == FAIR_SFS)
		return open_sfs(s, rules, &c);
	return c.policy == FAIR_RELSHARE ? open_relshare(s, rules, &c)
					 : open_with(s, &c);
}

static int open_run(struct sim *s)
{
	const struct fair_simulated_events events = { run_time, next_event,
						      arrive,	ended,
						      started,	s };
	size_t ends = s->sched.config.jobs;

	s->end = malloc(ends * sizeof(*s->end));
	if (!s->end)
		return -FAIR_ENOMEM;
	return fair_simulated_run_attach(&s->run, sizeof(s->run), s->end, ends,
					 &s->sched, &events);
}

struct arrival {
	int64_t submit;
	uint32_t number;
};

static int arrives_before(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* NULL if the file has that order; or without memory, with *@error set. */
static uint32_t *arrival_order(const struct swf_job *job, size_t jobs,
			       int *error)
{
	struct arrival *a;
	uint32_t *order;
	size_t i;

	for (i = 1; i < jobs && job[i - 1].submit <= job[i].submit; i++)
		;
	*error = 0;
	if (i >= jobs)
		return NULL;
	a = malloc(jobs * sizeof(*a));
	order = malloc(jobs * sizeof(*order));
	if (!a || !order) {
		*error = -FAIR_ENOMEM;
		free(a);
		free(order);
		return NULL;
	}
	for (i = 0; i < jobs; i++) {
		a[i].submit = job[i].submit;
		a[i].number = (uint32_t)i;
	}
	qsort(a, jobs, sizeof(*a), arrives_before);
	for (i = 0; i < jobs; i++)
		order[i] = a[i].number;
	free(a);
	return order;
}

int sim_run(const struct sim_rules *rules, const struct swf_job *job,
	    size_t jobs, const struct sim_watch *watch,
	    struct sim_result *result, struct sim_totals *totals)
{
	static const struct sim_watch nobody;
	struct sim s = { 0 };
	uint32_t *order;
	int error;
	size_t i;

	memset(totals, 0, sizeof(*totals));
	totals->job = SIZE_MAX;
	s.totals = totals;
	order = arrival_order(job, jobs, &error);
	s.job = job;
	s.jobs = jobs;
	s.order = order;
	s.result = result;
	s.free = rules->procs;
	s.watch = watch ? watch : &nobody;
	for (i = 0; i < jobs; i++)
		result[i].start = result[i].promise = FAIR_FOREVER;
	if (!error)
		error = open_sched(&s, rules);
	if (!error)
		error = open_run(&s);
	if (!error)
		error = play(&s);
	free(order);
	free(s.end);
	free(s.window);
	free(s.follow);
	free(s.memory);
	maui_jobs_close(&s.site);
	return error;
}

int sim_convert(const struct sim_rules *rules, const struct swf_job *job,
		size_t jobs, const struct fair_sched *from,
		struct fair_sched *sched, void **memory)
{
	static const struct sim_watch nobody;
	struct sim s = { 0 };
	int error;

	s.job = job;
	s.jobs = jobs;
	s.watch = &nobody;
	s.from = from;
	error = open_sched(&s, rules);
	free(s.window);
	free(s.follow);
	maui_jobs_close(&s.site);
	*memory = s.memory;
	if (!error)
		*sched = s.sched;
	return error;
}
