/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIM_ROOM 64	   /* starts taken from one step() */
#define SIM_PROGRESS 0xffu /* a report every so many instants, less one */

/* A job that runs: ordered by its end, then by when it started. */
struct running {
	int64_t end;
	uint32_t sequence, number;
	int32_t procs;
};

/* By rules.dependencies: whom a job follows, and who waits for its end. */
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
	struct site site; /* FAIR_MAUI */
	const struct fair_sched *from; /* its jobs, or NULL: none */
	void *memory;
	struct maintenance_booking *window; /* as they are announced */
	size_t windows, announced;
	struct follow *follow; /* of each job, or NULL */
	uint32_t thinking;     /* index + 1 of the first, see let_think() */
	struct running *heap; /* the next to end is first */
	size_t running;
	int32_t free; /* processors */
	uint32_t started;
	size_t reported;	   /* of the jobs finished */
	struct sim_totals *totals; /* and who is to blame for an error */
};

/* ---- the running jobs, a binary heap ---- */

static bool runs_longer(const struct running *a, const struct running *b)
{
	return a->end > b->end ||
	       (a->end == b->end && a->sequence > b->sequence);
}

static void heap_push(struct sim *s, struct running x)
{
	size_t i = s->running++, up;

	for (; i; i = up) {
		up = (i - 1) / 2;
		if (!runs_longer(&s->heap[up], &x))
			break;
		s->heap[i] = s->heap[up];
	}
	s->heap[i] = x;
}

/* The hole goes down to a leaf by the shorter child, then the last fills it. */
static struct running heap_pop(struct sim *s)
{
	struct running first = s->heap[0];
	size_t n = --s->running, i = 0, up, child;
	struct running x = s->heap[n];

	for (child = 1; child < n; child = 2 * i + 1) {
		child += child + 1 < n &&
			 runs_longer(&s->heap[child], &s->heap[child + 1]);
		s->heap[i] = s->heap[child];
		i = child;
	}
	for (; i; i = up) {
		up = (i - 1) / 2;
		if (!runs_longer(&s->heap[up], &x))
			break;
		s->heap[i] = s->heap[up];
	}
	s->heap[i] = x;
	return first;
}

/* ---- one instant ---- */

/* An error is of the job in hand. */
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

/* Whether it may not start yet. Whoever was dropped or comes later is no one. */
static bool must_wait(const struct sim *s, uint32_t number, int64_t now,
		      struct fair_until *until)
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

/* It has come, and waits where somebody has to end first. */
static void line_up(struct sim *s, uint32_t number, int64_t now)
{
	struct fair_until until;
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

/* It has ended: those who wait for that begin to think. */
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

/* All ends of this instant are known: before, others would seem overdue. */
static int let_think(struct sim *s, int64_t now)
{
	struct fair_until until = { 0, 0, 0, false };
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

/* The first of those that run has ended. */
static int finished(struct sim *s, int64_t now)
{
	struct running x = heap_pop(s);

	release(s, x.number, now);
	s->finished++;
	s->free += x.procs;
	if (s->watch->finished)
		s->watch->finished(s->watch->ctx, x.number, now);
	return happened(s, SAVED_FINISH, x.number, now);
}

static int finish_due(struct sim *s, int64_t now)
{
	uint32_t number;
	int error = 0;

	while (!error && s->running && s->heap[0].end == now) {
		number = s->heap[0].number;
		error = blame(s, number,
			      fair_sched_finish(&s->sched, now, number));
		if (!error)
			error = finished(s, now);
	}
	return error ? error : let_think(s, now);
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

static void ask_maui(const struct site *site, const struct swf_job *from,
		     struct fair_job *j)
{
	struct fair_maui_request r;

	site_request(site, from, &r);
	site_ask(&r, j);
}

static int submit_due(struct sim *s, int64_t now)
{
	struct fair_job j = { 0 };
	const struct swf_job *from;
	struct fair_until until;
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
			error = fair_sched_submit_aside(&s->sched, now, &j,
							waits ? &until : NULL);
		if (error)
			return blame(s, (size_t)j.number, error);
		error = arrived(s, now);
		if (error)
			return error;
	}
	return 0;
}

static int start(struct sim *s, int64_t now, uint64_t number)
{
	struct running x;

	if (number >= s->jobs)
		return -FAIR_EINVAL;
	if (s->result[number].start != FAIR_FOREVER ||
	    s->job[number].procs > s->free)
		return blame(s, (size_t)number, -FAIR_EINVAL);
	s->result[number].start = now;
	x.end = now + s->job[number].run;
	x.sequence = s->started++;
	x.number = (uint32_t)number;
	x.procs = s->job[number].procs;
	s->free -= x.procs;
	heap_push(s, x);
	if (s->watch->started)
		s->watch->started(s->watch->ctx, (size_t)number, now);
	return happened(s, SAVED_START, (size_t)number, now);
}

static int start_due(struct sim *s, int64_t now)
{
	struct fair_decision d[SIM_ROOM];
	size_t n, i;
	int error;

	do {
		error = fair_sched_step(&s->sched, now, d, SIM_ROOM, &n);
		for (i = 0; !error && i < n; i++)
			error = start(s, now, d[i].number);
	} while (!error && n == SIM_ROOM);
	return error;
}

static int64_t next_window(const struct sim *s)
{
	return s->announced < s->windows ? s->window[s->announced].announced
					 : FAIR_FOREVER;
}

/* Windows that are announced by now, and not over. */
static int book_due(struct sim *s, int64_t now)
{
	const struct fair_booking *b;
	int error = 0;

	while (!error && next_window(s) <= now) {
		b = &s->window[s->announced++].booking;
		if (b->to > now)
			error = fair_sched_book(&s->sched, now, b, true);
	}
	return error;
}

/* A job of run 0 that starts now ends now too: another round. */
static int instant(struct sim *s, int64_t now)
{
	int error;

	do {
		error = finish_due(s, now);
		if (!error)
			error = book_due(s, now);
		if (!error)
			error = submit_due(s, now);
		if (!error)
			error = start_due(s, now);
	} while (!error && s->running && s->heap[0].end == now);
	return error;
}

/* ---- all of them ---- */

static int64_t next_instant(const struct sim *s)
{
	int64_t t = next_arrival(s), due = fair_sched_next(&s->sched);

	if (s->running && s->heap[0].end < t)
		t = s->heap[0].end;
	if (s->totals->instants && next_window(s) < t)
		t = next_window(s);
	return due < t ? due : t;
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
		now = next_instant(s);
		if (s->watch->stopped && now > s->watch->stop)
			break;
		if (now <= last || now == FAIR_FOREVER)
			return -FAIR_EINVAL;
		error = save(s, now);
		last = totals->now = now;
		totals->instants++;
		if (!error)
			error = instant(s, now);
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
	if (e->number >= s->jobs)
		return -FAIR_EINVAL;
	switch (e->kind) {
	case SAVED_ARRIVAL:
		if (next_arrival(s) != e->time || next_number(s) != e->number)
			return -FAIR_EINVAL;
		return arrived(s, e->time);
	case SAVED_START:
		s->result[e->number].promise = e->promise;
		return start(s, e->time, e->number);
	case SAVED_FINISH:
		if (!s->running || s->heap[0].number != e->number ||
		    s->heap[0].end != e->time)
			return -FAIR_EINVAL;
		return finished(s, e->time);
	}
	return -FAIR_EINVAL;
}

/* What waits has its first promise in the scheduler. */
static int promised_again(struct sim *s)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	size_t waiting = s->arrived - s->finished - s->running;

	while (fair_sched_each(&s->sched, FAIR_QUEUED, &at, &j)) {
		if (j.job.number >= s->jobs || !waiting--)
			return -FAIR_EINVAL;
		s->result[j.job.number].promise = j.first_promise;
	}
	at.row = at.index = 0;
	while (fair_sched_each(&s->sched, FAIR_ASIDE, &at, &j))
		if (!waiting--)
			return -FAIR_EINVAL;
	return waiting ? -FAIR_EINVAL : 0;
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
		error = promised_again(s);
	s->totals->now = saved->state.now;
	s->totals->instants = saved->state.instants;
	s->totals->live = saved->state.live;
	while (saved->state.instants && next_window(s) <= saved->state.now)
		s->announced++;
	if (error == -FAIR_EINVAL)
		snprintf(saved->error, sizeof(saved->error),
			 "%.150s: it contradicts itself", saved->from);
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
			 saved->from, fair_image_strerror(damage));
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

/* The same decisions: maui whom nothing holds back, to that depth. */
static void order_by_priority(const struct sim_rules *rules, struct site *site,
			      struct fair_config *c)
{
	bool fills = rules->policy == FAIR_BACKFILL;

	site_unlimit(site);
	site->config.depth = fills ? rules->depth : 0;
	site->config.select = fills ? rules->select : FAIR_NOFIT;
	site->config.metric = rules->metric;
	site->config.longest = rules->longest;
	c->policy = FAIR_MAUI;
	c->order = FAIR_ORDER_FCFS;
	c->select = 0;
}

void sim_config(const struct sim_rules *rules, struct site *site,
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
	    site_open(&s->site, rules->maui, s->job, s->jobs))
		return -FAIR_ENOMEM;
	sim_config(rules, &s->site, &c);
	c.procs = rules->procs;
	c.origin = next_arrival(s);
	c.jobs = s->watch->live ? s->watch->live : (uint32_t)s->jobs;
	c.bookings = (uint32_t)s->windows + rules->more_windows;
	c.aside = rules->dependencies ? c.jobs : 0;
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

/* NULL if the file is in that order or memory is short: *@error tells. */
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
	size_t most = jobs < (size_t)rules->procs ? jobs : (size_t)rules->procs;
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
	s.heap = malloc(most * sizeof(*s.heap));
	for (i = 0; i < jobs; i++)
		result[i].start = result[i].promise = FAIR_FOREVER;
	if (!s.heap)
		error = -FAIR_ENOMEM;
	if (!error)
		error = open_sched(&s, rules);
	if (!error)
		error = play(&s);
	free(order);
	free(s.heap);
	free(s.window);
	free(s.follow);
	free(s.memory);
	site_close(&s.site);
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
	site_close(&s.site);
	*memory = s.memory;
	if (!error)
		*sched = s.sched;
	return error;
}
