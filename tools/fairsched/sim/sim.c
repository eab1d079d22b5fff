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
	int64_t next_arrival; /* FAIR_FOREVER: all have arrived */
	const uint32_t *order; /* of arrival; NULL: that of the file */
	struct sim_result *result;
	const struct sim_watch *watch;
	struct fair_sched sched;
	struct fair_simulated_run run;
	struct fair_simulated_end *end; /* its memory */
	struct maui_jobs site;		/* FAIR_MAUI */
	bool together;			/* ends of a second are one event */
	bool by_node;			/* users are nodes of rules->tree */
	bool limited;			/* by rules->limits */
	const struct fair_sched *from;	/* its jobs, or NULL: none */
	void *memory;
	struct maintenance_advance *window; /* as they are announced */
	size_t windows, announced;
	struct follow *follow;	   /* of each job, or NULL */
	uint32_t thinking;	   /* index + 1 of the first, see let_think() */
	int32_t free;		   /* processors */
	const struct plan *plan;   /* NULL: one pool */
	int64_t *left;		   /* of each resource of each class */
	struct place place;	   /* if rules.place has jobs */
	bool on_nodes;		   /* the scheduler chooses their nodes */
	uint32_t *refused;	   /* jobs that nodes had no room for, and */
	uint8_t *is_refused;	   /* 1: it is among them, 2: it was */
	size_t refusals;
	bool freed; /* a job has ended since they were looked at */
	uint8_t *to_refuse;	   /* jobs, once; or NULL */
	struct failures failures;
	int32_t *working;	   /* of each class: units that have not failed */
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

/* Notes when the next job arrives. */
static void look_ahead(struct sim *s)
{
	s->next_arrival = s->arrived == s->jobs
				  ? FAIR_FOREVER
				  : s->job[next_number(s)].submit;
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
	e.node_class = s->result[number].node_class;
	e.cause = s->result[number].cause;
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

/*
 * By classes: a job takes what it asked for in its class, @sign -1, or gives it
 * back. False: there is less.
 */
static bool hold(struct sim *s, size_t number, int sign)
{
	const struct fair_machine_config *c = &s->plan->config;
	uint32_t k = s->result[number].node_class, r;
	struct fair_job job = { 0 };
	bool enough = true;
	int64_t *left;

	plan_ask(s->plan, number, &job);
	for (r = 0; r < c->resources; r++) {
		left = s->left + (c->wide >> r & 1 ? 0 : k * c->resources) + r;
		*left += sign * job.amount[r];
		enough &= *left >= 0;
	}
	return enough;
}

/* ---- nodes ---- */

/* When the nodes of a class will have room that have none at @now. */
static int64_t room_of(struct sim *s, size_t number, uint32_t node_class,
		       bool refused, int64_t now)
{
	int64_t end = INT64_MAX;
	size_t i;

	if (refused || !place_can(&s->place, number, node_class))
		return place_when(&s->place, number, node_class);
	/* Its plan keeps the job out: no more changes before a job ends. */
	for (i = 0; i < s->place.runs; i++)
		if (s->place.end[s->place.running[i]] < end)
			end = s->place.end[s->place.running[i]];
	return end > now ? end : now + 1;
}

static int64_t room_in_classes(struct sim *s, size_t number,
			       uint32_t node_class, int64_t now)
{
	int64_t first = INT64_MAX, at;
	struct fair_job job = { 0 };
	uint32_t n, i, k;

	if (!s->plan)
		return room_of(s, number, PLACE_ANY, true, now);
	plan_ask(s->plan, number, &job);
	n = job.class_count ? job.class_count : s->plan->config.classes;
	for (i = 0; i < n; i++) {
		k = job.class_count ? job.classes[i] : i;
		at = room_of(s, number, k, k == node_class, now);
		first = at < first ? at : first;
	}
	return first;
}

/* The job takes nodes of the first of its classes that has room. */
static bool take_room(struct sim *s, size_t number)
{
	struct fair_job job = { 0 };
	uint32_t n, i;

	if (!s->plan)
		return place_take(&s->place, number, PLACE_ANY, INT64_MAX);
	plan_ask(s->plan, number, &job);
	n = job.class_count ? job.class_count : s->plan->config.classes;
	for (i = 0; i < n; i++)
		if (place_take(&s->place, number,
			       job.class_count ? job.classes[i] : i,
			       INT64_MAX))
			return true;
	return false;
}

static void forget_refusal(struct sim *s, size_t number)
{
	size_t i;

	if (s->is_refused[number] != 1)
		return;
	s->is_refused[number] = 2;
	for (i = 0; s->refused[i] != number; i++)
		;
	memmove(s->refused + i, s->refused + i + 1,
		(--s->refusals - i) * sizeof(*s->refused));
}

/* config.fits(): places the job, or says when there will be room. */
static int64_t fits(void *ctx, const struct fair_job *job, int64_t start,
		    int64_t end)
{
	struct sim *s = ctx;
	size_t number = (size_t)job->number;
	uint32_t k = s->plan ? job->classes[0] : PLACE_ANY;
	int64_t at;

	if (s->to_refuse && s->to_refuse[number]) {
		s->to_refuse[number] = 0;
		s->totals->refused++;
		return start + 1;
	}
	if (!s->is_refused)
		return start;
	if (place_take(&s->place, number, k, end)) {
		forget_refusal(s, number);
		return start;
	}
	s->totals->unplaced++;
	s->totals->unplaced_jobs += !s->is_refused[number];
	if (s->is_refused[number] != 1)
		s->refused[s->refusals++] = (uint32_t)number;
	s->is_refused[number] = 1;
	at = room_in_classes(s, number, k, start);
	return at > start ? at : start + 1;
}

/*
 * After all ends of the instant: refused jobs that nodes have room for together,
 * those refused first before others, may start again.
 */
static int try_again(struct sim *s, int64_t now)
{
	size_t n = s->refusals, kept = 0, i;
	uint32_t number;
	int error = 0;

	if (!s->freed)
		return 0;
	s->freed = false;
	for (i = 0; i < n; i++)
		if (take_room(s, s->refused[i]))
			s->is_refused[s->refused[i]] = 2;
	for (i = 0; i < n; i++) {
		number = s->refused[i];
		if (s->is_refused[number] == 1) {
			s->refused[kept++] = number;
			continue;
		}
		place_give(&s->place, number);
		if (!error)
			error = blame(s, number,
				      fair_sched_retry(&s->sched, now, number));
	}
	s->refusals = kept;
	return error;
}

/* ---- ends, arrivals, starts ---- */

/* The job takes its nodes; false: they have no room, or are none. */
static bool take_nodes(struct sim *s, uint64_t number)
{
	struct fair_nodes_part part;
	bool has_room = true;
	uint32_t at = 0;

	while (fair_sched_nodes(&s->sched, number, &at, &part))
		has_room &= place_put(&s->place, (size_t)number, part.node,
				      part.chunks);
	place_run(&s->place, (size_t)number);
	return has_room && at;
}

/* A running job has ended. */
static int ended(void *ctx, uint64_t number, int64_t now)
{
	struct sim *s = ctx;

	if (s->place.nodes) {
		place_give(&s->place, (size_t)number);
		s->freed = s->is_refused;
	}
	release(s, (uint32_t)number, now);
	s->finished++;
	s->free += s->job[number].procs;
	if (s->plan && !s->on_nodes)
		(void)hold(s, (size_t)number, 1);
	if (s->watch->finished)
		s->watch->finished(s->watch->ctx, (size_t)number, now);
	return happened(s, SAVED_FINISH, (size_t)number, now);
}

static int arrived(struct sim *s, int64_t now)
{
	uint32_t number = next_number(s);

	line_up(s, number, now);
	s->arrived++;
	look_ahead(s);
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

/* The next job arrives. */
static int submit_next(struct sim *s, int64_t now)
{
	struct fair_eligibility until;
	struct fair_job j = { 0 };
	const struct swf_job *from;
	int error = 0;
	bool waits;

	j.number = next_number(s);
	from = &s->job[j.number];
	j.submit = now;
	j.walltime = from->estimate;
	j.procs = from->procs;
	j.user = s->by_node ? from->node : from->user;
	j.group = from->share_group;
	j.account = from->account;
	j.penalty = from->penalty;
	if (s->site.maui)
		ask_maui(&s->site, from, &j);
	if (s->sched.config.policy == FAIR_SFS || s->sched.config.by_target)
		j.account = from->account; /* no credential */
	if (s->limited)
		limits_describe(from, &j);
	if (s->sched.config.by_group)
		j.group = from->share_group; /* unknown ones share, too */
	if (s->plan)
		plan_ask(s->plan, (size_t)j.number, &j);
	waits = must_wait(s, (uint32_t)j.number, now, &until);
	if (s->watch->arriving)
		error = s->watch->arriving(s->watch->arriving_ctx, &s->sched,
					   &j);
	if (!error)
		error = fair_sched_submit_ineligible(&s->sched, now, &j,
						     waits ? &until : NULL);
	return error ? blame(s, (size_t)j.number, error) : arrived(s, now);
}

static int started_in(struct sim *s, uint64_t number, int64_t now,
		      uint32_t node_class)
{
	if (s->result[number].start != FAIR_FOREVER ||
	    s->job[number].procs > s->free)
		return blame(s, (size_t)number, -FAIR_EINVAL);
	s->result[number].start = now;
	if (s->result[number].began == FAIR_FOREVER)
		s->result[number].began = now;
	s->free -= s->job[number].procs;
	if (s->plan) {
		s->result[number].node_class = node_class;
		if (node_class >= s->plan->config.classes ||
		    !(s->on_nodes ? take_nodes(s, number)
				  : hold(s, (size_t)number, -1)))
			return blame(s, (size_t)number, -FAIR_EINVAL);
	}
	if (s->watch->started)
		s->watch->started(s->watch->ctx, (size_t)number, now);
	return happened(s, SAVED_START, (size_t)number, now);
}

static int started(void *ctx, uint64_t number, int64_t now)
{
	struct fair_job_status status;
	struct sim *s = ctx;

	status.node_class = 0;
	if (number >= s->jobs ||
	    (s->plan && fair_sched_lookup(&s->sched, number, &status)))
		return -FAIR_EINVAL;
	return started_in(s, number, now, status.node_class);
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

/* ---- failures ---- */

static int attach_run(struct sim *s);

/* The running job loses its run: it waits again, and runs from its start. */
static int requeue(struct sim *s, size_t number, int64_t now)
{
	const struct sim_watch *w = s->watch;
	int error = fair_sched_requeue(&s->sched, now, number);

	if (error)
		return blame(s, number, error);
	s->totals->requeued++;
	s->free += s->job[number].procs;
	if (s->on_nodes)
		place_give(&s->place, number);
	else if (s->plan)
		(void)hold(s, number, 1);
	s->result[number].start = FAIR_FOREVER;
	if (w->finished)
		w->finished(w->ctx, number, now);
	if (w->arrived)
		w->arrived(w->ctx, number, now);
	return attach_run(s); /* the job's end is gone */
}

/* The job that holds the processor @where of class @k; or s->jobs. */
static size_t holder_of(const struct sim *s, uint32_t k, int64_t where)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;

	while (fair_sched_each(&s->sched, FAIR_RUNNING, &at, &j)) {
		if (s->plan && j.node_class != k)
			continue;
		where -= j.job.procs;
		if (where < 0)
			return (size_t)j.job.number;
	}
	return s->jobs;
}

/* What a node of class @k has of resource @r. */
static int32_t node_amount(const struct sim *s, uint32_t k, uint32_t r)
{
	if (!s->plan)
		return 1;
	return s->plan->config.wide >> r & 1
		       ? 0
		       : (int32_t)(s->plan->machine->node[k].amount[r] >>
				   s->plan->shift[r]);
}

/* Whether class @k has free what one of its nodes has. */
static bool is_node_free(const struct sim *s, uint32_t k)
{
	const struct fair_machine_config *c;
	uint32_t r;

	if (!s->plan)
		return s->free > 0;
	c = &s->plan->config;
	for (r = 0; r < c->resources; r++)
		if (s->left[k * c->resources + r] < node_amount(s, k, r))
			return false;
	return true;
}

/*
 * The job at the node's first processor loses its run, and those behind it, in
 * the order of their starts, until the node is free.
 */
static int clear_node(struct sim *s, uint32_t k, uint64_t random, int64_t now)
{
	int64_t where = (int64_t)(random % (uint64_t)s->working[k]) *
			node_amount(s, k, 0);
	size_t victim = holder_of(s, k, where);
	int error = victim < s->jobs ? requeue(s, victim, now) : 0;

	while (!error && !is_node_free(s, k)) {
		victim = holder_of(s, k, where);
		if (victim == s->jobs)
			victim = holder_of(s, k, 0);
		error = requeue(s, victim, now);
	}
	return error;
}

static int change_node(struct sim *s, uint32_t k, int sign, int64_t now)
{
	uint32_t r, resources = s->plan ? s->plan->config.resources : 1;
	int32_t delta;
	int error = 0;

	s->working[k] += sign;
	s->free += sign * node_amount(s, k, 0);
	for (r = 0; r < resources && !error; r++) {
		delta = sign * node_amount(s, k, r);
		if (!s->plan)
			return fair_sched_capacity(&s->sched, now, delta, NULL,
						   0);
		s->left[k * resources + r] += delta;
		if (delta)
			error = fair_sched_class_capacity(&s->sched, now, k, r,
							  delta, NULL, 0);
	}
	return error;
}

/* The job that runs on a node of a plan of nodes; or s->jobs. */
static size_t runs_on(const struct sim *s, uint32_t node)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_nodes_part part;
	struct fair_job_status j;
	uint32_t i;

	while (fair_sched_each(&s->sched, FAIR_RUNNING, &at, &j))
		for (i = 0; fair_sched_nodes(&s->sched, j.job.number, &i,
					     &part);)
			if (part.node == node)
				return (size_t)j.job.number;
	return s->jobs;
}

/* The jobs on the node lose their runs, in the order of their starts. */
static int fail_node(struct sim *s, uint32_t node, int64_t now)
{
	size_t victim;
	int error = 0;

	s->totals->failures++;
	while (!error && (victim = runs_on(s, node)) < s->jobs)
		error = requeue(s, victim, now);
	return error ? error
		     : fair_sched_node_down(&s->sched, now, node, NULL, 0);
}

/* A processor or node fails, or is repaired. */
static int fail_or_repair(struct sim *s, int64_t now)
{
	uint32_t unit, k = 0;
	uint64_t random;
	bool repaired = failures_take(&s->failures, &unit, &random);
	int error = 0;

	if (s->on_nodes)
		return repaired ? fair_sched_node_up(&s->sched, now, unit)
				: fail_node(s, unit, now);

	for (; s->plan && unit >= (uint32_t)s->plan->machine->node[k].count; k++)
		unit -= (uint32_t)s->plan->machine->node[k].count;
	if (!repaired) {
		s->totals->failures++;
		error = clear_node(s, k, random, now);
	}
	return error ? error : change_node(s, k, repaired ? 1 : -1, now);
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
	int64_t t = s->next_arrival, failure = failures_next(&s->failures);

	t = failure < t ? failure : t;
	return s->totals->instants && next_window(s) < t ? next_window(s) : t;
}

/* All jobs that end now have ended. */
static int arrive(void *ctx, int64_t now)
{
	struct sim *s = ctx;
	int error = let_think(s, now);

	if (!error)
		error = try_again(s, now);
	while (!error && failures_next(&s->failures) <= now)
		error = fail_or_repair(s, now);
	if (!error)
		error = book_due(s, now);
	while (!error && s->next_arrival == now)
		error = submit_next(s, now);
	return error;
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

/* Nothing else will happen: from @now on there are no budgets. Returns whether
 * there were any. */
static bool lift_budgets(struct sim *s, int64_t now)
{
	struct fair_limit limit;
	uint32_t at = 0, n = 0;

	s->totals->beyond_budgets += fair_sched_count(&s->sched, FAIR_QUEUED);
	s->totals->lifted = now;
	while (fair_sched_each_limit(&s->sched, &at, &limit)) {
		if (limit.resource != FAIR_LIMIT_BUDGET)
			continue;
		limit.amount = FAIR_LIMIT_NONE;
		if (fair_sched_limit(&s->sched, now, &limit))
			return false;
		at = 0;
		n++;
	}
	return n;
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
		if (now == FAIR_FOREVER && s->limited &&
		    lift_budgets(s, last + 1))
			now = last + 1;
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
	else if (p->to > p->from &&
		 s->result[p->number].began == FAIR_FOREVER)
		s->result[p->number].cause = p->cause;
	if (s->watch->promised)
		s->watch->promised(s->watch->ctx, p);
}

/* ---- going on from where it was saved ---- */

static int happens_again(struct sim *s, const struct saved_event *e)
{
	int64_t start;

	if (e->number >= s->jobs || e->cause > FAIR_CAUSE_LIMIT)
		return -FAIR_EINVAL;
	switch (e->kind) {
	case SAVED_ARRIVAL:
		if (s->next_arrival != e->time || next_number(s) != e->number)
			return -FAIR_EINVAL;
		return arrived(s, e->time);
	case SAVED_START:
		s->result[e->number].promise = e->promise;
		s->result[e->number].cause = e->cause;
		return started_in(s, e->number, e->time, e->node_class);
	case SAVED_FINISH:
		start = s->result[e->number].start;
		if (start > e->time || s->job[e->number].run != e->time - start)
			return -FAIR_EINVAL;
		return ended(s, e->number, e->time);
	}
	return -FAIR_EINVAL;
}

/* The live jobs are those of the scheduler, which knows their promises. */
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
			if (i == 0) {
				r->promise = j.first_promise;
				r->cause = j.cause;
			}
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
	char why[100];
	int damage, error;

	error = fair_sched_load(&s->sched, sizeof(s->sched), s->memory, bytes,
				c, saved->checkpoint, saved->checkpoint_bytes,
				&damage);
	if (error && damage) {
		fair_damage_text(damage, c, saved->checkpoint,
				 saved->checkpoint_bytes, why, sizeof(why));
		snprintf(saved->error, sizeof(saved->error), "%.150s: %s",
			 saved->from, why);
	}
	return error ? error : go_on(s);
}

/* The sets of nodes that jobs ask for. */
static int set_nodes(struct sim *s)
{
	const struct plan_set *set;
	uint32_t i;
	size_t k;
	int error = 0;

	for (i = 0; s->on_nodes && i < s->plan->nodes.sets; i++)
		for (set = &s->plan->set[i], k = 0; k < set->nodes && !error;
		     k++)
			error = fair_sched_set_node(&s->sched, i + 1,
						    set->node[k], true);
	return error;
}

static int open_with(struct sim *s, const struct fair_config *c)
{
	size_t bytes = fair_sched_size(c);
	int error;

	s->memory = bytes ? malloc(bytes) : NULL;
	if (!s->memory)
		return -FAIR_ENOMEM;
	if (s->watch->saved && s->watch->saved->from)
		return load(s, c, bytes);
	if (s->from)
		return fair_sched_convert(&s->sched, sizeof(s->sched),
					  s->memory, bytes, c, s->from);
	error = fair_sched_init(&s->sched, sizeof(s->sched), s->memory, bytes,
				c);
	return error ? error : set_nodes(s);
}


/* By index of user or group, as long as the scheduler is made; NULL without
 * memory. */
static uint32_t *shares_by_index(const struct sim *s, uint32_t users,
				 bool by_group, const struct shares *shares)
{
	uint32_t *share = malloc(users * sizeof(*share));
	const struct swf_job *j;
	size_t i;

	for (i = 0; share && i < s->jobs; i++) {
		j = &s->job[i];
		share[by_group ? j->share_group : j->user] =
			shares ? shares_of(shares,
					   by_group ? j->group : j->user_id)
			       : 1;
	}
	return share;
}

static int open_relshare(struct sim *s, const struct sim_rules *rules,
			 struct fair_config *c)
{
	uint32_t *share;
	int error;

	share = shares_by_index(s, c->users, c->by_group, rules->shares);
	if (!share)
		return -FAIR_ENOMEM;
	c->share = share;
	error = open_with(s, c);
	free(share);
	return error;
}

/* Accounts below the root at first, for their parents may come later. */
static void plant(struct fair_fairtree *f, const struct tree *t)
{
	uint32_t i;

	for (i = 0; i < t->nodes; i++)
		if (!t->node[i].is_user)
			fair_fairtree_add_account(f, i, FAIR_FAIRTREE_ROOT,
						  t->node[i].shares);
	for (i = 0; i < t->nodes; i++)
		if (t->node[i].is_user)
			fair_fairtree_add_user(f, i, t->node[i].parent,
					       t->node[i].shares);
		else
			fair_fairtree_move(f, i, t->node[i].parent);
}

static int open_policy(struct sim *s, const struct sim_rules *rules,
		       struct fair_config *c);

static int open_tree(struct sim *s, const struct sim_rules *rules,
		     struct fair_config *c)
{
	size_t bytes = fair_fairtree_size(rules->tree->nodes);
	void *memory = bytes ? malloc(bytes) : NULL;
	struct fair_fairtree f;
	int error;

	if (!memory)
		return -FAIR_ENOMEM;
	c->users = rules->tree->nodes;
	error = fair_fairtree_init(&f, sizeof(f), memory, bytes, c->users,
				   c->half_life);
	if (!error) {
		plant(&f, rules->tree);
		c->tree = s->from && fair_sched_tree(s->from)
				  ? fair_sched_tree(s->from)
				  : &f;
		error = open_policy(s, rules, c);
	}
	free(memory);
	return error;
}

/* A target in units of whole costs; beyond all machines it is as good. */
static int64_t scaled(int64_t target, int64_t scale)
{
	return target > INT32_MAX / scale ? INT32_MAX : target * scale;
}

static int open_shares(struct sim *s, const struct sim_rules *rules,
		       struct fair_config *c)
{
	return sim_has_shares(rules) && !c->tree ? open_relshare(s, rules, c)
						 : open_with(s, c);
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
		target[i] = scaled(rules->accounts->account[i].target,
				   c->billing ? s->plan->scale : 1);
	c->accounts = (uint32_t)n;
	c->target = target;
	c->by_target = c->policy == FAIR_DC;
	error = open_shares(s, rules, c);
	free(target);
	return error;
}

static int open_policy(struct sim *s, const struct sim_rules *rules,
		       struct fair_config *c)
{
	return sim_has_targets(rules) ? open_sfs(s, rules, c)
				      : open_shares(s, rules, c);
}

/* Equal decisions: policy maui without limits, of the same depth. Sfs keeps its
 * own walk. */
static void order_by_priority(const struct sim_rules *rules,
			      struct maui_jobs *site, struct fair_config *c)
{
	bool fills = rules->policy == FAIR_BACKFILL;

	maui_jobs_unlimit(site);
	if (!fills && rules->policy != FAIR_FCFS) {
		c->order = FAIR_ORDER_PRIORITY;
		return;
	}
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
	c->planner = rules->planner;
	c->order = rules->order;
	c->depth = rules->depth;
	c->select = rules->select;
	c->metric = rules->metric;
	c->longest = rules->longest;
	c->weight = rules->weight;
	c->half_life = rules->half_life;
	if (sim_has_shares(rules)) {
		c->window = rules->window;
		c->window_origin = rules->window_origin.at;
		if (rules->window_origin.dated)
			c->window_origin -= rules->epoch;
		c->only_used = rules->only_used;
		c->by_group = rules->by_group;
		c->by_difference = rules->by_difference;
		c->decays = rules->decays;
	}
	if (rules->order == SIM_ORDER_TREE ||
	    (rules->policy == FAIR_MAUI && sim_has_nodes(rules)))
		c->order = FAIR_ORDER_TREE;
	if (rules->order == SIM_ORDER_DOMINANT)
		c->order = FAIR_ORDER_DOMINANT;
	if (rules->order == SIM_ORDER_RELSHARE)
		c->order = FAIR_ORDER_RELSHARE;
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
	maintenance_advances(rules->maintenance, rules->epoch, rules->plan,
			     s->window);
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

/* By classes: what each has left of each resource. */
static int open_plan(struct sim *s, const struct sim_rules *rules)
{
	const struct fair_machine_config *c;
	uint32_t i;

	if (!plan_is_open(rules->plan))
		return 0;
	s->plan = rules->plan;
	c = &s->plan->config;
	s->left = malloc(c->resources * c->classes * sizeof(*s->left));
	if (!s->left)
		return -FAIR_ENOMEM;
	for (i = 0; i < c->resources * c->classes; i++)
		s->left[i] = c->amount[i];
	return 0;
}

/* Whether costs have to be whole. */
static bool is_whole(const struct fair_config *c)
{
	return c->policy == FAIR_SFS || c->policy == FAIR_RELSHARE ||
	       c->order == FAIR_ORDER_RELSHARE || c->by_target;
}

/* No job runs. */
static int open_place(struct sim *s, const struct sim_rules *rules)
{
	if (!rules->place || !rules->place->jobs)
		return 0;
	s->on_nodes = s->plan && s->plan->nodes.count;
	if (!s->on_nodes) {
		s->refused = malloc(s->jobs * sizeof(*s->refused));
		s->is_refused = calloc(s->jobs, sizeof(*s->is_refused));
		if (!s->refused || !s->is_refused)
			return -FAIR_ENOMEM;
	}
	if (place_open(&s->place, rules->place, rules->best_fit))
		return -FAIR_ENOMEM;
	if (s->watch->place)
		*s->watch->place = &s->place;
	return 0;
}

static int64_t last_arrival(const struct sim *s)
{
	return s->job[s->order ? s->order[s->jobs - 1] : s->jobs - 1].submit;
}

/* Once all have arrived nothing fails, so that all end. */
static int open_disturb(struct sim *s, const struct sim_rules *rules)
{
	const struct disturb *d = &rules->disturb;
	size_t classes = s->plan ? s->plan->config.classes : 1, units = 0, i;

	if (d->refuse_share)
		s->to_refuse = malloc(s->jobs * sizeof(*s->to_refuse));
	s->working = malloc(classes * sizeof(*s->working));
	if ((d->refuse_share && !s->to_refuse) || !s->working)
		return -FAIR_ENOMEM;
	s->working[0] = rules->procs;
	for (i = 0; s->plan && i < classes; i++)
		s->working[i] = s->plan->machine->node[i].count;
	for (i = 0; i < classes; i++)
		units += (size_t)s->working[i];
	if (failures_open(&s->failures, d, units, s->next_arrival,
			  last_arrival(s)))
		return -FAIR_ENOMEM;
	for (i = 0; i < s->jobs && s->to_refuse; i++)
		s->to_refuse[i] = disturb_refuses(d, &s->job[i]);
	return 0;
}

/* Nodes that all jobs may hold together; @more of them are not known yet. */
static uint32_t count_parts(const struct sim *s, uint64_t more)
{
	uint64_t parts = 1 + more * s->place.nodes, chunks;
	size_t i;

	for (i = 0; i < s->jobs; i++) {
		chunks = (uint64_t)s->plan->chunks[i].count;
		parts += chunks < s->place.nodes ? chunks : s->place.nodes;
	}
	return parts > 1U << 28 ? 1U << 28 : (uint32_t)parts;
}

static int open_sched(struct sim *s, const struct sim_rules *rules)
{
	struct fair_limit *limit = NULL;
	struct fair_node_config nodes;
	struct fair_config c;
	int error;
	size_t i;

	if (open_windows(s, rules) || open_follow(s, rules) ||
	    open_plan(s, rules) || open_place(s, rules) ||
	    open_disturb(s, rules))
		return -FAIR_ENOMEM;
	if (sim_asks_maui(rules) &&
	    maui_jobs_open(&s->site, rules->maui, s->job, s->jobs))
		return -FAIR_ENOMEM;
	s->by_node = sim_has_nodes(rules);
	if (s->by_node && sim_asks_maui(rules) &&
	    maui_jobs_by_node(&s->site, s->job, s->jobs, rules->tree->nodes))
		return -FAIR_ENOMEM;
	sim_config(rules, &s->site, &c);
	c.procs = rules->procs;
	c.machine = s->plan ? &s->plan->config : NULL;
	if (s->on_nodes) {
		nodes = s->plan->nodes;
		nodes.parts = count_parts(s, rules->more_windows);
		c.nodes = &nodes;
	}
	if (s->plan && s->plan->is_billed)
		c.billing = is_whole(&c) ? &s->plan->whole : &s->plan->billing;
	c.origin = s->next_arrival;
	c.jobs = s->watch->live ? s->watch->live
				: (uint32_t)s->jobs + rules->more_windows;
	if (c.depth > c.jobs) /* all have a reservation, then */
		c.depth = c.jobs;
	c.advances = (uint32_t)s->windows + rules->more_windows;
	c.ineligible = rules->dependencies ? c.jobs : 0;
	if (sim_promises(rules) && !s->from)
		c.promised = promised;
	if (s->is_refused || s->to_refuse)
		c.fits = fits;
	c.patience = rules->patience ? rules->patience : FAIR_PATIENCE_NONE;
	if (c.promised || c.fits)
		c.context = s;
	for (i = 0; i < s->jobs; i++) {
		uint32_t user = c.by_group ? s->job[i].share_group
					   : s->job[i].user;

		if (c.users <= user)
			c.users = user + 1;
	}
	s->limited = rules->limits && rules->limits->entries;
	if (s->limited &&
	    limits_make(rules->limits, s->job, s->jobs,
			s->by_node ? rules->tree : NULL,
			c.billing && is_whole(&c) ? s->plan->scale : 1, &limit,
			&c.limits))
		return -FAIR_ENOMEM;
	c.limit = limit;
	error = s->by_node ? open_tree(s, rules, &c)
			   : open_policy(s, rules, &c);
	free(limit);
	return error;
}

static int attach_run(struct sim *s)
{
	const struct fair_simulated_events events = { run_time, next_event,
						      arrive,	ended,
						      started,	s };
	int error;

	error = fair_simulated_run_attach(&s->run, sizeof(s->run), s->end,
					  s->sched.config.jobs, &s->sched,
					  &events);
	s->run.together = s->together;
	if (s->watch->stopped && s->watch->stop < FAIR_FOREVER)
		s->run.until = s->watch->stop + 1;
	return error;
}

static int open_run(struct sim *s)
{
	s->end = malloc(s->sched.config.jobs * sizeof(*s->end));
	return s->end ? attach_run(s) : -FAIR_ENOMEM;
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

static void close_place(struct sim *s)
{
	failures_close(&s->failures);
	free(s->working);
	free(s->to_refuse);
	place_close(&s->place);
	free(s->refused);
	free(s->is_refused);
}

int sim_run(const struct sim_rules *rules, const struct swf_job *job,
	    size_t jobs, const struct sim_watch *watch,
	    struct sim_result *result, struct sim_totals *totals)
{
	static const struct sim_watch no_watch;
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
	s.together = rules->together;
	s.watch = watch ? watch : &no_watch;
	for (i = 0; i < jobs; i++) {
		result[i].start = result[i].began = result[i].promise =
			FAIR_FOREVER;
		result[i].node_class = result[i].cause = 0;
	}
	look_ahead(&s);
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
	free(s.left);
	close_place(&s);
	free(s.memory);
	maui_jobs_close(&s.site);
	return error;
}

int sim_convert(const struct sim_rules *rules, const struct swf_job *job,
		size_t jobs, const struct fair_sched *from,
		struct fair_sched *sched, void **memory)
{
	static const struct sim_watch no_watch;
	struct sim s = { 0 };
	int error;

	s.job = job;
	s.jobs = jobs;
	s.watch = &no_watch;
	s.from = from;
	look_ahead(&s);
	error = open_sched(&s, rules);
	free(s.window);
	free(s.follow);
	free(s.left);
	close_place(&s);
	maui_jobs_close(&s.site);
	if (error) {
		free(s.memory);
		return error;
	}
	*memory = s.memory;
	*sched = s.sched;
	return 0;
}
