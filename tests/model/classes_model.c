/* SPDX-License-Identifier: MIT OR Unlicense */
#include "classes_model.h"

#include <stdlib.h>
#include <string.h>

#include "classes_ledger.h"
#include "classes_maui.h"

enum state { QUEUED, RUNNING, HELD, BOUND }; /* BOUND: C20 */

struct entry {
	uint32_t number;
	struct classes_job job;
	int64_t allowed; /* the caller accepts no start before */
	enum state state;
	bool fresh;		    /* it was never queued */
	uint32_t follow;	    /* tasks of the array after this one */
	struct classes_place place; /* its start, or its reservation */
	struct classes_place told;  /* what was last known of it */
	struct classes_place was;   /* before it was taken out */
	int64_t turn;		    /* C3, or MODEL_NEVER */
	int64_t refused;	    /* C7: the first time of a row, */
	uint32_t refusals;	    /* which has so many */
	int64_t end;		    /* RUNNING: of its walltime */
	bool promised;		    /* it has had a promise */
	int64_t rank_walltime; /* what the order goes by */
	int32_t rank_procs;
	struct classes_place kept_at; /* M5: its place; and whether it is due one */
	bool kept, over_cap;
	int64_t bypassed, priority;
	bool passed[2]; /* M6 */
	bool suspended; /* C24; and: */
	bool on_hold;
	int64_t ran; /* before, */
	int64_t overran; /* of these, beyond what it asked for */
	int64_t left;	 /* RUNNING: when it left the queue */
	bool counts; /* C37: QUEUED, under promises: for its budgets, */
	bool waits;  /* or it waits for one */
};

struct classes {
	struct classes_rules rules;
	int64_t now;
	/* Of each class, or node, up or down: at present, and the most ever; of
	 * a wide resource in the first one. */
	int64_t capacity[CLASSES_MOST][CLASSES_RESOURCES];
	int64_t most[CLASSES_MOST][CLASSES_RESOURCES];
	struct entry *entry; /* in any order */
	size_t n, room;
	uint32_t nodes;		      /* 0: amounts are planned */
	uint32_t class_of[CLASSES_NODES];
	bool down[CLASSES_NODES];
	bool set[CLASSES_SETS + 1][CLASSES_NODES];
	struct classes_advance *advance; /* in any order */
	size_t advances, advance_room;
	struct classes_decision *told;
	size_t tells, told_room;
	bool taken; /* step() has returned @told */
	bool again; /* a refused start: decide anew */
	bool pending; /* C2: the reaction to a loss */
	bool walked; /* C14 */
	struct model_limit limit[CLASSES_LIMITS];
	uint32_t limits;
	struct classes_ledger *ledger; /* NULL: none */
	struct classes_maui *maui;     /* NULL: none */
};

static const struct classes_place nowhere = { MODEL_NEVER, 0, { 0 } };

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- the list ---- */

static struct entry *find(const struct classes *m, uint32_t number)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->entry[i].number == number)
			return &m->entry[i];
	return NULL;
}

static struct entry *find_in(const struct classes *m, uint32_t number,
			     enum state state)
{
	struct entry *j = find(m, number);

	return j && j->state == state ? j : NULL;
}

static void drop(struct classes *m, struct entry *j)
{
	*j = m->entry[--m->n];
}

static void add(struct classes *m, const struct entry *j)
{
	if (m->n == m->room) {
		m->room = 2 * m->room + 16;
		m->entry =
			must(realloc(m->entry, m->room * sizeof(*m->entry)));
	}
	m->entry[m->n++] = *j;
}

/* Whether no live job, and no task to come, has one of these numbers. */
static bool are_free(const struct classes *m, uint32_t number, uint32_t follow)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->entry[i].number <= number + follow &&
		    number <= m->entry[i].number + m->entry[i].follow)
			return false;
	return true;
}

static bool keeps_promises(const struct classes *m)
{
	return m->rules.policy >= MODEL_CONSERVATIVE &&
	       m->rules.policy <= MODEL_DC;
}

static void tell(struct classes *m, enum model_kind kind,
		 enum model_cause cause, uint32_t by, struct entry *j)
{
	struct classes_decision d = { kind, cause, j->number, by,
				      m->now, j->place };

	j->told = j->place;
	if (m->taken)
		m->tells = 0;
	m->taken = false;
	if (m->tells == m->told_room) {
		m->told_room = 2 * m->told_room + 16;
		m->told = must(
			realloc(m->told, m->told_room * sizeof(*m->told)));
	}
	m->told[m->tells++] = d;
}

/* ---- the ledger; each is an event for C14 ---- */

static void note_queued(struct classes *m, const struct entry *j)
{
	m->walked = false;
	classes_ledger_queue(m->ledger, j->number, &j->job);
}

/* The numbers of Maui see what runs now. */
static struct classes_maui *maui_of(const struct classes *m)
{
	size_t queued = 0, i;

	for (i = 0; i < m->n; i++)
		queued += m->entry[i].state == QUEUED;
	classes_maui_see(m->maui, m->now, queued);
	for (i = 0; i < m->n; i++)
		if (m->entry[i].state == RUNNING)
			classes_maui_run(m->maui, m->entry[i].number,
					 &m->entry[i].job,
					 m->entry[i].place.at,
					 m->entry[i].end);
	return m->maui;
}

static void note_left(struct classes *m, const struct entry *j)
{
	m->walked = false;
	if (m->maui && j->state == RUNNING)
		classes_maui_leave(maui_of(m), j->number);
	if (j->state == QUEUED || j->state == RUNNING)
		classes_ledger_leave(m->ledger, j->number, m->now);
}

static void note_end(struct classes *m, const struct entry *j)
{
	m->walked = false;
	classes_ledger_end(m->ledger, j->number, j->end);
}

/* ---- what is free ---- */

/* Where there are amounts: in classes, or on nodes. */
static uint32_t count_spots(const struct classes *m)
{
	return m->nodes ? m->nodes : m->rules.classes;
}

/* Where the capacity of a resource of a class, or node, stands. */
static uint32_t row(const struct classes *m, uint32_t in, uint32_t resource)
{
	return m->rules.wide >> resource & 1 ? 0 : in;
}

/* The first second that it does not use any more. */
static int64_t end_of(const struct entry *j)
{
	if (j->state == RUNNING)
		return j->end;
	return j->place.at == MODEL_NEVER ? MODEL_NEVER
					  : j->place.at + j->job.walltime;
}

static bool holds_at(const struct entry *j, int64_t t)
{
	return j->place.at != MODEL_NEVER && j->place.at <= t && t < end_of(j);
}

/* What a node has of a resource when it is up. */
static int64_t whole(const struct classes *m, uint32_t node, uint32_t r)
{
	uint32_t k = m->class_of[node];

	return m->rules.amount[k * m->rules.resources + r] / m->rules.nodes[k];
}

static int32_t chunks_of(const struct classes_job *j)
{
	return j->chunks ? j->chunks : 1;
}

/* What a job takes of a resource of a class, or node, at a place. */
static int64_t takes(const struct classes *m, const struct classes_job *j,
		     const struct classes_place *place, uint32_t in, uint32_t r)
{
	int64_t amount;

	if (m->rules.wide >> r & 1)
		return in ? 0 : j->amount[r];
	if (!m->nodes)
		return place->in == in ? j->amount[r] : 0;
	amount = place->on[in] * (int64_t)(j->amount[r] / chunks_of(j));
	if (j->exclusive && place->on[in])
		amount = later(amount, whole(m, in, r));
	return amount;
}

/* What jobs in a state hold; @advance: those that are bound to it; 0: all. */
static int64_t held_at(const struct classes *m, uint32_t in, uint32_t resource,
		       int64_t t, enum state state, uint32_t advance)
{
	int64_t amount = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct entry *j = &m->entry[i];

		if (j->state == state && holds_at(j, t) &&
		    (!advance || j->job.advance == advance))
			amount += takes(m, &j->job, &j->place,
					row(m, in, resource), resource);
	}
	return amount;
}

/* What an advance reservation holds beside its running jobs. */
static int64_t unused_at(const struct classes *m,
			 const struct classes_advance *b, uint32_t in,
			 uint32_t resource, int64_t t)
{
	int64_t rest;

	if (t < b->from || t >= b->to)
		return 0;
	if (m->nodes) /* N9 */
		return b->on[in] && !(m->rules.wide >> resource & 1)
			       ? whole(m, in, resource)
			       : 0;
	if (row(m, b->in, resource) != row(m, in, resource))
		return 0;
	rest = b->amount[resource] -
	       held_at(m, in, resource, t, RUNNING, b->number);
	return rest > 0 ? rest : 0;
}

static int64_t reserved_at(const struct classes *m, uint32_t in,
			   uint32_t resource, int64_t t)
{
	int64_t amount = 0;

	for (size_t i = 0; i < m->advances; i++)
		amount += unused_at(m, &m->advance[i], in, resource, t);
	return amount;
}

/* What running jobs leave. */
static int64_t left_at(const struct classes *m, uint32_t in, uint32_t resource,
		       int64_t t)
{
	return m->capacity[row(m, in, resource)][resource] -
	       held_at(m, in, resource, t, RUNNING, 0);
}

/* C19: advance reservations have no more than running jobs leave. */
static int64_t withheld_at(const struct classes *m, uint32_t in,
			   uint32_t resource, int64_t t)
{
	int64_t left = left_at(m, in, resource, t);
	int64_t reserved = reserved_at(m, in, resource, t);

	if (reserved > left)
		reserved = left > 0 ? left : 0;
	return reserved;
}

static int64_t free_at(const struct classes *m, uint32_t in, uint32_t resource,
		       int64_t t)
{
	return left_at(m, in, resource, t) - withheld_at(m, in, resource, t) -
	       held_at(m, in, resource, t, QUEUED, 0);
}

/* C36: the place of a limit in the list, or m->limits. */
static uint32_t find_limit(const struct classes *m, uint32_t kind,
			   uint32_t resource, uint32_t whose)
{
	uint32_t i = 0;

	while (i < m->limits &&
	       (m->limit[i].kind != kind || m->limit[i].resource != resource ||
		m->limit[i].whose != whose))
		i++;
	return i;
}

static int64_t limit_for(const struct classes *m, uint32_t kind,
			 uint32_t resource, uint32_t whose)
{
	uint32_t i = find_limit(m, kind, resource, whose);

	if (i == m->limits)
		i = find_limit(m, kind, resource, MODEL_NO_JOB);
	return i < m->limits ? m->limit[i].amount : MODEL_NEVER;
}

/* What a job counts for: as one job, as its cost, or as what it asks for of a
 * resource. */
static int64_t limited(const struct classes *m, const struct classes_job *j,
		       uint32_t resource)
{
	if (resource == CLASSES_LIMIT_COST)
		return classes_ledger_cost(&m->rules, j->amount);
	return resource == MODEL_LIMIT_JOBS ? 1
					    : j->amount[resource -
							MODEL_LIMIT_PROCS];
}

/* How many things a limit may be of. */
static uint32_t limit_resources(const struct classes *m)
{
	return MODEL_LIMIT_PROCS + m->rules.resources;
}

/* The group, account, ... of which a job's kind of limit is. */
static uint32_t of_kind(const struct classes_job *j, uint32_t kind)
{
	if (kind < MODEL_KINDS)
		return j->of[kind];
	return j->of[0] == MODEL_NO_JOB ? MODEL_NO_JOB
					: j->of[kind - MODEL_KINDS + 1];
}

/* Whether no limit on @r that the job belongs to is below @t's sum with it;
 * without @t's sum, if @alone. */
static bool allows_of_at(const struct classes *m, uint32_t r,
			 const struct entry *j, int64_t t, bool alone)
{
	if (j->job.advance) /* they hold it not back */
		return true;
	for (uint32_t kind = 0; kind < MODEL_LIMIT_TREE; kind++) {
		int64_t sum = limited(m, &j->job, r);

		for (size_t i = 0; i < m->n && !alone; i++) {
			const struct entry *k = &m->entry[i];

			if (k != j && k->number != j->number &&
			    k->state != HELD &&
			    of_kind(&k->job, kind) == of_kind(&j->job, kind) &&
			    (kind < MODEL_KINDS ||
			     k->job.of[0] == j->job.of[0]) &&
			    holds_at(k, t))
				sum += limited(m, &k->job, r);
		}
		if (limited(m, &j->job, r) &&
		    of_kind(&j->job, kind) != MODEL_NO_JOB &&
		    sum > limit_for(m, kind, r, of_kind(&j->job, kind)))
			return false;
	}
	return true;
}

static bool allows_at(const struct classes *m, const struct entry *j, int64_t t,
		      bool alone)
{
	for (uint32_t r = 0; r < limit_resources(m); r++)
		if (!allows_of_at(m, r, j, t, alone))
			return false;
	return allows_of_at(m, CLASSES_LIMIT_COST, j, t, alone);
}

/* ---- budgets, C37 ---- */

/* What a job uses of its budgets in so many seconds. */
static int64_t used_in(const struct classes *m, const struct entry *j,
		       int64_t seconds)
{
	return classes_ledger_cost(&m->rules, j->job.amount) * seconds;
}

static bool is_budget_of(const struct model_limit *l, const struct entry *j)
{
	return l->resource == CLASSES_LIMIT_BUDGET &&
	       j->job.of[l->kind] == l->whose;
}

static bool has_budget(const struct classes *m, const struct entry *j)
{
	bool any = false;

	for (uint32_t i = 0; i < m->limits; i++)
		any |= is_budget_of(&m->limit[i], j);
	return any;
}

/* What a budget has left beside all jobs but @j. */
static int64_t left_of(const struct classes *m, const struct model_limit *l,
		       const struct entry *j)
{
	int64_t left = l->amount - l->spent;

	for (size_t i = 0; i < m->n; i++) {
		const struct entry *k = &m->entry[i];
		bool has = keeps_promises(m) && k->state == QUEUED
				   ? k->counts
				   : k->place.at != MODEL_NEVER;

		if (k->number != j->number && is_budget_of(l, k) &&
		    (k->state == RUNNING || (k->state != HELD && has)))
			left -= used_in(m, k, k->job.walltime);
	}
	return left;
}

/* Whether the budgets of a queued job have room for it; it asks none for what
 * it has. */
static bool budgets_allow(const struct classes *m, const struct entry *j)
{
	int64_t whole = used_in(m, j, j->job.walltime);

	if (keeps_promises(m) && j->counts)
		return true;
	for (uint32_t i = 0; i < m->limits; i++)
		if (is_budget_of(&m->limit[i], j) && whole &&
		    left_of(m, &m->limit[i], j) < whole)
			return false;
	return !j->waits;
}

/* A running job will leave, or have another size. */
static void spend(struct classes *m, const struct entry *j)
{
	for (uint32_t i = 0; i < m->limits; i++)
		if (j->state == RUNNING && is_budget_of(&m->limit[i], j))
			m->limit[i].spent +=
				used_in(m, j, m->now - j->place.at);
}

static bool has_room_at(const struct classes *m, const struct entry *j,
			const struct classes_place *place, int64_t t)
{
	for (uint32_t k = 0; k < count_spots(m); k++)
		for (uint32_t r = 0; r < m->rules.resources; r++) {
			int64_t amount = takes(m, &j->job, place, k, r);

			if (amount && free_at(m, k, r, t) < amount)
				return false;
		}
	return true;
}

/* The first instant after @t at which a job or reservation begins. */
static int64_t next_begin(const struct classes *m, int64_t t)
{
	int64_t next = MODEL_NEVER;

	for (size_t i = 0; i < m->n + m->advances; i++) {
		int64_t begin = i < m->n ? m->entry[i].place.at
					 : m->advance[i - m->n].from;

		if (begin > t && begin < next)
			next = begin;
	}
	return next;
}

/* Whether @j, which holds nothing, has room from the place's time to @end. Less
 * becomes free only where another job or reservation begins. */
static bool has_room(const struct classes *m, const struct entry *j,
		     const struct classes_place *place, int64_t end)
{
	for (int64_t t = place->at; t < end; t = next_begin(m, t))
		if (!has_room_at(m, j, place, t) || !allows_at(m, j, t, false))
			return false;
	return true;
}

/* C36: whether its limits have room for @j, which holds nothing, from now on. */
static bool is_allowed(const struct classes *m, const struct entry *j)
{
	for (int64_t t = m->now; t < m->now + j->job.walltime;
	     t = next_begin(m, t))
		if (!allows_at(m, j, t, false))
			return false;
	return budgets_allow(m, j);
}

static uint32_t count_wanted(const struct classes *m,
			     const struct classes_job *j)
{
	return j->wants ? j->wants : m->rules.classes;
}

static uint32_t wanted(const struct classes_job *j, uint32_t i)
{
	return j->wants ? j->wanted[i] : i;
}

/* N1 */
static bool may_use(const struct classes *m, const struct classes_job *j,
		    uint32_t node)
{
	return (!j->named || m->set[j->named][node]) &&
	       !(j->excluded && m->set[j->excluded][node]);
}

/* N2: the most chunks for which a node has room from @from on. */
static int32_t hosts(const struct classes *m, const struct entry *j,
		     uint32_t node, int64_t from)
{
	struct classes_place one = { from, 0, { 0 } };
	int32_t *most = &one.on[node];

	*most = chunks_of(&j->job);
	if (j->job.per_node && j->job.per_node < *most)
		*most = j->job.per_node;
	if (m->down[node] || !may_use(m, &j->job, node))
		return 0;
	while (*most && !has_room(m, j, &one, from + j->job.walltime))
		--*most;
	return *most;
}

/* N3: the lower, the sooner a node is taken. */
static int64_t rank_of(const struct classes *m, const struct entry *j,
		       uint32_t node, int64_t from)
{
	int64_t least = MODEL_NEVER, t = from;

	if (m->rules.first_fit || j->job.exclusive)
		return 0;
	for (; t < from + j->job.walltime; t = next_begin(m, t))
		if (free_at(m, node, 0, t) < least)
			least = free_at(m, node, 0, t);
	return least;
}

/* The best node of a class that @j does not have yet; or m->nodes. */
static uint32_t best_node(const struct classes *m, const struct entry *j,
			  uint32_t in, const struct classes_place *place)
{
	uint32_t best = m->nodes;

	for (uint32_t i = 0; i < m->nodes; i++)
		if (m->class_of[i] == in && !place->on[i] &&
		    hosts(m, j, i, place->at) &&
		    (best == m->nodes ||
		     rank_of(m, j, i, place->at) <
			     rank_of(m, j, best, place->at)))
			best = i;
	return best;
}

/* N2, N3: whether nodes of these of its classes that @j does not have yet hold
 * @left more chunks at place->at. */
static bool fill_nodes(const struct classes *m, const struct entry *j,
		       uint32_t first, uint32_t end, int32_t left,
		       struct classes_place *place)
{
	int32_t fit;

	while (left) {
		uint32_t best = m->nodes, node;

		for (uint32_t k = first; k < end; k++) {
			node = best_node(m, j, wanted(&j->job, k), place);
			if (node < m->nodes &&
			    (best == m->nodes ||
			     rank_of(m, j, node, place->at) <
				     rank_of(m, j, best, place->at)))
				best = node;
		}
		if (best == m->nodes)
			return false;
		fit = hosts(m, j, best, place->at);
		place->on[best] = fit < left ? fit : left;
		left -= place->on[best];
	}
	for (uint32_t i = m->nodes; i-- > 0;)
		if (place->on[i])
			place->in = m->class_of[i];
	return true;
}

static bool place_on_nodes(const struct classes *m, const struct entry *j,
			   uint32_t first, uint32_t end,
			   struct classes_place *place)
{
	memset(place->on, 0, sizeof(place->on));
	return fill_nodes(m, j, first, end, chunks_of(&j->job), place);
}

/* *@best: improved, if it is after @at, by the @k-th class at @at. */
static void try_place(const struct classes *m, const struct entry *j,
		      uint32_t k, int64_t at, struct classes_place *best)
{
	struct classes_place place = { at, wanted(&j->job, k), { 0 } };
	uint32_t end = j->job.span ? count_wanted(m, &j->job) : k + 1;

	if (at >= best->at)
		return;
	if (m->nodes ? place_on_nodes(m, j, k, end, &place)
		     : has_room(m, j, &place, at + j->job.walltime))
		*best = place;
}

/* @j holds nothing. A start is the first second, or an end. */
static struct classes_place earliest_from(const struct classes *m,
					  const struct entry *j, int64_t from)
{
	uint32_t n = j->job.span ? 1 : count_wanted(m, &j->job), k;
	struct classes_place best = nowhere;

	if (!budgets_allow(m, j))
		return best;
	from = later(from, later(m->now, j->allowed));
	for (k = 0; k < n; k++) {
		try_place(m, j, k, from, &best);
		for (size_t i = 0; i < m->n + m->advances; i++) {
			int64_t at = i < m->n ? end_of(&m->entry[i])
					      : m->advance[i - m->n].to;

			if (at > from)
				try_place(m, j, k, at, &best);
		}
	}
	return best;
}

static struct classes_place earliest(const struct classes *m,
				     const struct entry *j)
{
	return earliest_from(m, j, m->now);
}

/* How many chunks a node ever had. */
static int64_t most_on_node(const struct classes *m,
			    const struct classes_job *j, uint32_t node)
{
	int64_t most = j->per_node ? j->per_node : chunks_of(j);

	if (!may_use(m, j, node))
		return 0;
	for (uint32_t r = 0; r < m->rules.resources; r++) {
		int64_t one = j->amount[r] / chunks_of(j);

		if (!(m->rules.wide >> r & 1))
			while (most * one > whole(m, node, r))
				most--;
	}
	return most;
}

/* How many chunks the nodes of a class ever had. */
static int64_t most_chunks(const struct classes *m, const struct classes_job *j,
			   uint32_t in)
{
	int64_t all = 0;

	for (uint32_t i = 0; i < m->nodes; i++)
		if (m->class_of[i] == in)
			all += most_on_node(m, j, i);
	return all;
}

/* N4 */
static bool is_possible_on_nodes(const struct classes *m,
				 const struct classes_job *j)
{
	int64_t all = 0;

	for (uint32_t r = 0; r < m->rules.resources; r++)
		if (m->rules.wide >> r & 1 && j->amount[r] > m->most[0][r])
			return false;
	for (uint32_t k = 0; k < count_wanted(m, j); k++) {
		all = (j->span ? all : 0) + most_chunks(m, j, wanted(j, k));
		if (all >= chunks_of(j))
			return true;
	}
	return false;
}

/* K3: whether some class that it wants ever had all of it. */
static bool is_possible(const struct classes *m, const struct classes_job *j)
{
	if (m->nodes)
		return is_possible_on_nodes(m, j);
	for (uint32_t k = 0; k < count_wanted(m, j); k++) {
		uint32_t in = wanted(j, k), r;

		for (r = 0; r < m->rules.resources; r++)
			if (j->amount[r] > m->most[row(m, in, r)][r])
				break;
		if (r == m->rules.resources)
			return true;
	}
	return false;
}

/* Whether some class, and Maui's limits, would let it run. */
static bool can_ever_run(const struct classes *m, const struct classes_job *j)
{
	return is_possible(m, j) &&
	       (!m->maui || classes_maui_is_possible(maui_of(m), j));
}

/* ---- orders ---- */

static int by_priority(const struct entry *a, const struct entry *b)
{
	int c = compare(b->priority, a->priority);

	if (!c)
		c = compare(a->job.submit, b->job.submit);
	return c ? c : compare(a->number, b->number);
}

static int by_order(const struct classes *m, const struct entry *a,
		    const struct entry *b)
{
	int c = 0;

	if (m->rules.policy == MODEL_RELSHARE ||
	    m->rules.order >= MODEL_BY_USAGE)
		c = classes_ledger_compare(m->ledger, a->job.user, b->job.user,
					   m->now);
	if (c)
		return c;
	if (m->maui)
		return by_priority(a, b);
	switch (m->rules.order) {
	case MODEL_BY_SJF:
		c = compare(a->rank_walltime, b->rank_walltime);
		break;
	case MODEL_BY_LJF:
		c = compare(b->rank_walltime, a->rank_walltime);
		break;
	case MODEL_BY_WIDEST:
		c = compare(b->rank_procs, a->rank_procs);
		break;
	case MODEL_BY_NARROWEST:
		c = compare(a->rank_procs, b->rank_procs);
		break;
	case MODEL_BY_LXF: /* (wait + e) / e: the largest first */
		c = compare((m->now - b->job.submit) * a->rank_walltime,
			    (m->now - a->job.submit) * b->rank_walltime);
		if (!c)
			c = compare(a->job.submit, b->job.submit);
		break;
	default:
		c = compare(a->job.submit, b->job.submit);
		break;
	}
	return c ? c : compare(a->number, b->number);
}

static int by_turn(const struct classes *m, const struct entry *a,
		   const struct entry *b)
{
	int c = compare(a->turn, b->turn);

	(void)m;
	return c ? c : compare(a->number, b->number);
}

/* The numbers of the queued jobs, sorted, in a new array. */
static uint32_t *sorted(const struct classes *m,
			int (*order)(const struct classes *,
				     const struct entry *,
				     const struct entry *),
			size_t *n)
{
	uint32_t *list = must(malloc((m->n + 1) * sizeof(*list)));

	*n = 0;
	for (size_t i = 0; i < m->n; i++) {
		size_t k = *n;

		if (m->entry[i].state != QUEUED)
			continue;
		for (; k && order(m, &m->entry[i], find(m, list[k - 1])) < 0;
		     k--)
			list[k] = list[k - 1];
		list[k] = m->entry[i].number;
		++*n;
	}
	return list;
}

/* ---- promises ---- */

static void take_out(struct entry *j)
{
	j->place = nowhere;
}

/* C3: the job will be placed last, and its row of refusals has ended. */
static void lose_turn(struct entry *j)
{
	j->turn = MODEL_NEVER;
	j->refusals = 0;
}

/* K2: reports another time, not another class. */
static void place_job(struct classes *m, struct entry *j,
		      struct classes_place place, enum model_cause cause,
		      uint32_t by)
{
	j->place = place;
	if (place.at < j->turn)
		j->turn = place.at; /* C3 */
	j->counts = keeps_promises(m) && place.at != MODEL_NEVER;
	j->waits = keeps_promises(m) && !j->counts && has_budget(m, j);
	if (j->place.at == j->told.at)
		return;
	if (place.at != MODEL_NEVER && !j->promised) { /* C11 */
		j->promised = true;
		cause = MODEL_ARRIVAL;
		by = j->number;
	}
	tell(m, MODEL_PROMISE, cause, by, j);
}

/* Gives the job an earlier place, if there is one; returns whether. */
static bool replace_job(struct classes *m, struct entry *j,
			enum model_cause cause, uint32_t by)
{
	struct classes_place was = j->place, place;

	take_out(j);
	place = earliest(m, j);
	place_job(m, j, place.at == was.at ? was : place, cause, by);
	return place.at != was.at;
}

/* C2: the beginning of each reaction. */
static void place_unplaced(struct classes *m, enum model_cause cause,
			   uint32_t by)
{
	size_t n;
	uint32_t *list = sorted(m, by_turn, &n);

	for (size_t i = 0; i < n; i++)
		if (find(m, list[i])->place.at == MODEL_NEVER)
			replace_job(m, find(m, list[i]), cause, by);
	free(list);
}

static void compress(struct classes *m, enum model_cause cause, uint32_t by)
{
	size_t n;
	uint32_t *list = sorted(m, by_turn, &n);

	for (size_t i = 0; i < n; i++)
		replace_job(m, find(m, list[i]), cause, by);
	free(list);
}

static void compress_prioritized(struct classes *m, enum model_cause cause,
				 uint32_t by)
{
	size_t n, i = 0;
	uint32_t *list = sorted(m, by_order, &n);

	while (i < n)
		i = replace_job(m, find(m, list[i]), cause, by) ? 0 : i + 1;
	free(list);
}

/* Moves each job that can start now. */
static void compress_delayed(struct classes *m, enum model_cause cause,
			     uint32_t by)
{
	size_t n;
	uint32_t *list = sorted(m, by_order, &n);

	for (size_t i = 0; i < n; i++) {
		struct entry *j = find(m, list[i]);
		struct classes_place was = j->place, place;

		take_out(j);
		place = earliest(m, j);
		if (place.at != m->now || was.at == m->now)
			place = was;
		place_job(m, j, place, cause, by);
	}
	free(list);
}

static int by_arrival(const struct classes *m, const struct entry *a,
		      const struct entry *b)
{
	int c = compare(a->job.submit, b->job.submit);

	(void)m;
	return c ? c : compare(a->number, b->number);
}

/* C37: whether all budgets of the job have room for it, and none is held back;
 * those that have none are. */
static bool try_budgets_of(const struct classes *m, const struct entry *j,
			   bool *held_back)
{
	int64_t whole = used_in(m, j, j->job.walltime);
	bool allow = true;

	for (uint32_t i = 0; i < m->limits; i++)
		if (is_budget_of(&m->limit[i], j) && held_back[i])
			return false;
	for (uint32_t i = 0; i < m->limits; i++) {
		if (!is_budget_of(&m->limit[i], j) || !whole ||
		    left_of(m, &m->limit[i], j) >= whole)
			continue;
		held_back[i] = true;
		allow = false;
	}
	return allow;
}

/* C37: jobs that wait for their budgets, by (submit, number). */
static void try_budgets(struct classes *m, enum model_cause cause, uint32_t by)
{
	bool held_back[CLASSES_LIMITS] = { false };
	size_t n;
	uint32_t *list = sorted(m, by_arrival, &n);

	for (size_t i = 0; i < n; i++) {
		struct entry *j = find(m, list[i]);

		if (!j->waits || !try_budgets_of(m, j, held_back))
			continue;
		j->waits = false;
		place_job(m, j, earliest(m, j), cause, by);
	}
	free(list);
}

/* The reaction to an early completion, which serves a loss, too. */
static void react(struct classes *m, enum model_cause cause, uint32_t by)
{
	if (!keeps_promises(m))
		return;
	m->pending = false;
	try_budgets(m, cause, by);
	place_unplaced(m, cause, by);
	if (m->rules.policy == MODEL_CONSERVATIVE)
		compress(m, cause, by);
	else if (m->rules.policy == MODEL_PC)
		compress_prioritized(m, cause, by);
	else
		compress_delayed(m, cause, by);
}

static bool is_up(const struct classes *m, const struct classes_place *place)
{
	for (uint32_t i = 0; i < m->nodes; i++)
		if (place->on[i] && m->down[i])
			return false;
	return true;
}

/* C2, K4: where a displaced job goes. */
static struct classes_place next_place(const struct classes *m,
				       const struct entry *j)
{
	if (j->was.at >= later(m->now, j->allowed) && is_up(m, &j->was) &&
	    budgets_allow(m, j) &&
	    has_room(m, j, &j->was, j->was.at + j->job.walltime))
		return j->was;
	return earliest_from(m, j, j->was.at);
}

/* C2: room is lost from @from on. */
static void lose_room(struct classes *m, int64_t from, enum model_cause cause,
		      uint32_t by)
{
	size_t n, i, rest = 0;
	uint32_t *list = sorted(m, by_turn, &n);

	for (i = 0; i < n && keeps_promises(m); i++) {
		struct entry *j = find(m, list[i]);

		if (j->place.at == MODEL_NEVER || end_of(j) <= from)
			continue;
		j->was = j->place;
		take_out(j);
		list[rest++] = list[i];
	}
	for (i = 0; i < rest; i++) {
		struct entry *j = find(m, list[i]);

		place_job(m, j, next_place(m, j), cause, by);
	}
	m->pending |= keeps_promises(m);
	free(list);
}

static void arrive_delayed(struct classes *m, uint32_t number)
{
	struct entry *x = find(m, number);
	int64_t s = earliest(m, x).at;
	size_t n;
	uint32_t *list = sorted(m, by_order, &n);

	for (size_t i = 0; i < n && s != MODEL_NEVER; i++) {
		struct entry *j = find(m, list[i]);
		struct classes_place was = j->place, place;

		take_out(j);
		place = earliest(m, j);
		if (place.at > s + x->job.walltime ||
		    place.at == (j == x ? s : was.at))
			place = was;
		if (j != x || place.at != MODEL_NEVER)
			place_job(m, j, place, MODEL_ARRIVAL, number);
	}
	if (x->place.at == MODEL_NEVER)
		place_job(m, x, earliest(m, x), MODEL_ARRIVAL, number);
	free(list);
}

/* ---- reservation jobs, C20 ---- */

static struct classes_advance *find_advance(const struct classes *m,
					    uint32_t number)
{
	for (size_t i = 0; i < m->advances; i++)
		if (m->advance[i].number == number)
			return &m->advance[i];
	return NULL;
}

static const struct classes_advance *advance_of(const struct classes *m,
						const struct entry *j)
{
	const struct classes_advance *b = find_advance(m, j->job.advance);

	return b && b->bound_jobs ? b : NULL;
}

static int64_t room_in_advance(const struct classes *m,
			       const struct classes_advance *b,
			       const struct entry *bound, uint32_t r, int64_t t)
{
	int64_t room = b->amount[r] -
		       held_at(m, b->in, r, t, RUNNING, b->number);
	int64_t left = left_at(m, b->in, r, t);

	for (size_t i = 0; i < m->advances; i++)
		if (m->advance[i].number < b->number)
			left -= unused_at(m, &m->advance[i], b->in, r, t);
	if (left < room)
		room = left;
	for (size_t i = 0; i < m->n; i++) {
		const struct entry *j = &m->entry[i];

		if (j != bound && j->state == BOUND &&
		    j->job.advance == b->number && holds_at(j, t))
			room -= j->job.amount[r];
	}
	return room;
}

static bool may_run_in(const struct classes_job *j, uint32_t in)
{
	for (uint32_t i = 0; i < j->wants; i++)
		if (j->wanted[i] == in)
			return true;
	return !j->wants;
}

/* N9: what a node of @b has for @bound at @t, when @b holds it. */
static int64_t room_on_node(const struct classes *m,
			    const struct classes_advance *b,
			    const struct entry *bound, uint32_t node,
			    uint32_t r, int64_t t)
{
	int64_t left = left_at(m, node, r, t) -
		       held_at(m, node, r, t, BOUND, 0);

	if (bound->state == BOUND && holds_at(bound, t))
		left += takes(m, &bound->job, &bound->place, node, r);
	for (size_t i = 0; i < m->advances; i++)
		if (m->advance[i].number < b->number)
			left -= unused_at(m, &m->advance[i], node, r, t);
	return m->down[node] || !b->on[node] ? 0 : left;
}

/* N9: the most chunks of @j that a node of @b has room for at @at. */
static int32_t hosts_in(const struct classes *m,
			const struct classes_advance *b, const struct entry *j,
			uint32_t node, int64_t at)
{
	struct classes_place one = { at, 0, { 0 } };
	int32_t most = chunks_of(&j->job);

	if (j->job.per_node && j->job.per_node < most)
		most = j->job.per_node;
	if (!may_use(m, &j->job, node))
		most = 0;
	for (int64_t t = at; t < at + j->job.walltime; t++)
		for (uint32_t r = 0; r < m->rules.resources; r++)
			for (; most; most--) {
				one.on[node] = most;
				if (!takes(m, &j->job, &one, node, r) ||
				    takes(m, &j->job, &one, node, r) <=
					    room_on_node(m, b, j, node, r, t))
					break;
			}
	return most;
}

/* N3 */
static int64_t rank_in(const struct classes *m, const struct classes_advance *b,
		       const struct entry *j, uint32_t node, int64_t at)
{
	int64_t least = MODEL_NEVER;

	if (m->rules.first_fit || j->job.exclusive)
		return 0;
	for (int64_t t = at; t < at + j->job.walltime; t++)
		if (room_on_node(m, b, j, node, 0, t) < least)
			least = room_on_node(m, b, j, node, 0, t);
	return least;
}

/* Takes @left chunks on nodes of @b of its classes from @k on; of all of them
 * with span. */
static bool take_nodes_in(const struct classes *m,
			  const struct classes_advance *b,
			  const struct entry *j, uint32_t k,
			  struct classes_place *place)
{
	uint32_t end = j->job.span ? count_wanted(m, &j->job) : k + 1, node;
	int32_t left = chunks_of(&j->job), fit;

	memset(place->on, 0, sizeof(place->on));
	while (left) {
		uint32_t best = m->nodes;

		for (uint32_t c = k; c < end; c++)
			for (node = 0; node < m->nodes; node++)
				if (m->class_of[node] == wanted(&j->job, c) &&
				    !place->on[node] &&
				    hosts_in(m, b, j, node, place->at) &&
				    (best == m->nodes ||
				     rank_in(m, b, j, node, place->at) <
					     rank_in(m, b, j, best,
						     place->at)))
					best = node;
		if (best == m->nodes)
			return false;
		fit = hosts_in(m, b, j, best, place->at);
		place->on[best] = fit < left ? fit : left;
		left -= place->on[best];
	}
	return true;
}

/* N9: whether it fits at @place->at; *@place: its nodes. */
static bool fits_on_nodes_in(const struct classes *m, const struct entry *j,
			     struct classes_place *place)
{
	const struct classes_advance *b = advance_of(m, j);
	uint32_t n = j->job.span ? 1 : count_wanted(m, &j->job);

	if (!b || place->at < b->from ||
	    place->at < later(m->now, j->allowed) ||
	    place->at + j->job.walltime > b->to)
		return false;
	for (uint32_t k = 0; k < n; k++)
		if (take_nodes_in(m, b, j, k, place)) {
			for (uint32_t i = m->nodes; i-- > 0;)
				if (place->on[i])
					place->in = m->class_of[i];
			return true;
		}
	return false;
}

/* N9: whether it can stay at @place, on the same nodes. */
static bool keeps_nodes_in(const struct classes *m, const struct entry *j,
			   const struct classes_place *place)
{
	const struct classes_advance *b = advance_of(m, j);

	if (!b || place->at < b->from || place->at >= b->to ||
	    place->at < later(m->now, j->allowed) ||
	    place->at + j->job.walltime > b->to)
		return false;
	for (uint32_t i = 0; i < m->nodes; i++)
		for (uint32_t r = 0; r < m->rules.resources; r++)
			for (int64_t t = place->at;
			     place->on[i] && t < place->at + j->job.walltime;
			     t++)
				if (takes(m, &j->job, place, i, r) >
				    room_on_node(m, b, j, i, r, t))
					return false;
	return true;
}

static bool fits_in_advance(const struct classes *m, const struct entry *j,
			    struct classes_place *place)
{
	const struct classes_advance *b = advance_of(m, j);
	int64_t at = place->at;

	if (m->nodes)
		return fits_on_nodes_in(m, j, place);
	if (!b || at < b->from || at < later(m->now, j->allowed) ||
	    at + j->job.walltime > b->to || !may_run_in(&j->job, b->in))
		return false;
	place->in = b->in;
	for (int64_t t = at; t < at + j->job.walltime; t++)
		for (uint32_t r = 0; r < m->rules.resources; r++)
			if (j->job.amount[r] &&
			    room_in_advance(m, b, j, r, t) < j->job.amount[r])
				return false;
	return true;
}

static struct classes_place place_in_advance(const struct classes *m,
					     const struct entry *j,
					     int64_t from)
{
	const struct classes_advance *b = advance_of(m, j);
	struct classes_place place = nowhere;

	for (int64_t t = later(from, m->now); b && t < b->to; t++) {
		place.at = t;
		if (fits_in_advance(m, j, &place))
			return place;
	}
	return nowhere;
}

/* The reservation jobs by number, in a new array. */
static uint32_t *list_bound(struct classes *m, size_t *n)
{
	uint32_t *list = must(malloc((m->n + 1) * sizeof(*list)));

	*n = 0;
	for (size_t i = 0; i < m->n; i++) {
		struct entry *j = &m->entry[i];
		size_t k = *n;

		if (j->state != BOUND)
			continue;
		for (; k && list[k - 1] > j->number; k--)
			list[k] = list[k - 1];
		list[k] = j->number;
		++*n;
	}
	return list;
}

static void tell_bound(struct classes *m, struct entry *j,
		       enum model_cause cause, uint32_t by)
{
	if (j->place.at == j->told.at)
		return;
	if (!advance_of(m, j))
		cause = MODEL_ADVANCE_CHANGED;
	if (!j->promised)
		cause = MODEL_ARRIVAL;
	tell(m, MODEL_PROMISE, cause, j->promised ? by : j->number, j);
	j->promised = true;
}

/* C36: other reservation jobs count, or elsewhere. */
static void count_bound_anew(struct classes *m)
{
	if (!m->rules.limits)
		return;
	m->walked = false;
	lose_room(m, m->now, MODEL_LIMITED, MODEL_NO_JOB);
}

/* @moved: one is new, or another size. */
static void plan_bound_again(struct classes *m, enum model_cause cause,
			     uint32_t by, bool moved)
{
	size_t n, i;
	uint32_t *list = list_bound(m, &n);
	struct classes_place place;
	struct entry *j;

	for (i = 0; i < n; i++) {
		j = find(m, list[i]);
		j->was = j->place;
		take_out(j);
	}
	for (i = 0; i < n; i++) {
		j = find(m, list[i]);
		if (m->nodes && keeps_nodes_in(m, j, &j->was))
			j->place = j->was;
		else
			j->place = place_in_advance(m, j, j->was.at);
	}
	for (i = 0; i < n;) {
		j = find(m, list[i]);
		place = place_in_advance(m, j, m->now);
		i = place.at < j->place.at ? 0 : i + 1;
		if (!i)
			j->place = place;
	}
	for (i = 0; i < n; i++) {
		j = find(m, list[i]);
		moved |= j->place.at != j->was.at;
		tell_bound(m, j, cause, by);
	}
	free(list);
	if (moved)
		count_bound_anew(m);
}

static void plan_bound(struct classes *m, enum model_cause cause, uint32_t by)
{
	plan_bound_again(m, cause, by, false);
}

/* A job waits for its reservation; what it was told stays. */
static void bind_job(struct classes *m, struct entry *j, enum model_cause cause)
{
	j->state = BOUND;
	j->place = nowhere;
	plan_bound_again(m, cause, j->number, true);
}

static void drop_ended_advances(struct classes *m)
{
	for (size_t i = 0; i < m->advances; i++)
		if (m->advance[i].to <= m->now) {
			m->advance[i--] = m->advance[--m->advances];
			m->walked = false;
		}
}

/* ---- time ---- */

/* C1: when a job that has run from its start until @now is planned to end. */
static int64_t planned_end(const struct entry *j, int64_t now)
{
	int64_t end = j->place.at + j->job.walltime, more = 1;

	if (end > now)
		return end;
	while (end + more <= now)
		more *= 2;
	return end + more;
}

static void extend_overruns(struct classes *m, bool finishing)
{
	int64_t from = MODEL_NEVER;
	uint32_t first = MODEL_NO_JOB;

	for (size_t i = 0; i < m->n; i++) {
		struct entry *j = &m->entry[i];

		if (j->state != RUNNING || j->end > m->now ||
		    (finishing && j->end == m->now))
			continue;
		if (j->end < from || (j->end == from && j->number < first)) {
			from = j->end;
			first = j->number;
		}
		j->end = planned_end(j, m->now);
		note_end(m, j);
	}
	if (from == MODEL_NEVER)
		return;
	lose_room(m, -MODEL_NEVER, MODEL_OVERRUN, first);
	plan_bound(m, MODEL_OVERRUN, first);
}

/* C4 */
static void displace_late(struct classes *m)
{
	int64_t first = MODEL_NEVER;

	for (size_t i = 0; i < m->n; i++)
		if (m->entry[i].state == QUEUED && m->entry[i].place.at < first)
			first = m->entry[i].place.at;
	if (first < m->now)
		lose_room(m, first, MODEL_LATE, MODEL_NO_JOB);
	plan_bound(m, MODEL_LATE, MODEL_NO_JOB);
}

/* C1: brings the model to @now. */
static void catch_up(struct classes *m, int64_t now, bool finishing)
{
	classes_ledger_advance(m->ledger, now);
	m->walked &= now == m->now;
	m->now = now;
	drop_ended_advances(m);
	extend_overruns(m, finishing);
	displace_late(m);
}

/* ---- events ---- */

/* 0, or why nothing can happen at @now to job @number. */
static int test_event(const struct classes *m, int64_t now, uint32_t number)
{
	if (now < m->now)
		return -MODEL_ETIME;
	return find(m, number) ? 0 : -MODEL_ENOENT;
}

/* N1: whether it is of equal chunks, and of sets that are there. */
static bool divides(const struct classes *m, const struct classes_job *j)
{
	if (j->chunks < 0 || j->per_node < 0 || j->named > m->rules.sets ||
	    j->excluded > m->rules.sets)
		return false;
	for (uint32_t r = 0; r < m->rules.resources; r++)
		if (!(m->rules.wide >> r & 1) && j->amount[r] % chunks_of(j))
			return false;
	return true;
}

static bool is_valid(const struct classes *m, const struct classes_job *j)
{
	uint64_t seen = 0;

	if (j->walltime < 1 || j->walltime >= MODEL_LONGEST ||
	    j->amount[0] < 1 || j->wants > m->rules.classes)
		return false;
	for (uint32_t r = 0; r < m->rules.resources; r++)
		if (j->amount[r] < 0)
			return false;
	if (m->nodes && !divides(m, j))
		return false;
	for (uint32_t i = 0; i < j->wants; i++) {
		if (j->wanted[i] >= m->rules.classes ||
		    seen >> j->wanted[i] & 1)
			return false;
		seen |= UINT64_C(1) << j->wanted[i];
	}
	return true;
}

/* A job is queued; it arrives, or it was held or waited before. */
static void enqueue(struct classes *m, uint32_t number)
{
	struct entry *j = find(m, number);
	bool fresh = j->fresh;

	j->fresh = j->counts = j->waits = false;
	if (j->job.advance) {
		bind_job(m, j, MODEL_RELEASED);
		return;
	}
	j->state = QUEUED;
	note_queued(m, j);
	if (m->rules.policy == MODEL_DC && fresh)
		arrive_delayed(m, number);
	else if (keeps_promises(m))
		replace_job(m, j, fresh ? MODEL_ARRIVAL : MODEL_RELEASED,
			    number);
}

/* N4, N9: whether the nodes of @b ever have what it asks for. */
static bool has_nodes_for(const struct classes *m,
			  const struct classes_advance *b,
			  const struct classes_job *job)
{
	int64_t all = 0;

	for (uint32_t r = 0; r < m->rules.resources; r++)
		if (m->rules.wide >> r & 1 && job->amount[r])
			return false;
	for (uint32_t k = 0; k < count_wanted(m, job); k++) {
		all = job->span ? all : 0;
		for (uint32_t i = 0; i < m->nodes; i++)
			if (b->on[i] && m->class_of[i] == wanted(job, k))
				all += most_on_node(m, job, i);
		if (all >= chunks_of(job))
			return true;
	}
	return false;
}

static bool has_all_for(const struct classes *m,
			const struct classes_advance *b,
			const struct classes_job *job)
{
	if (m->nodes)
		return has_nodes_for(m, b, job);
	for (uint32_t r = 0; r < m->rules.resources; r++)
		if (job->amount[r] > b->amount[r])
			return false;
	return may_run_in(job, b->in);
}

/* 0, or why a job cannot be bound to its reservation. */
static int test_binding(const struct classes *m, int64_t now,
			const struct classes_job *job)
{
	const struct classes_advance *b = find_advance(m, job->advance);

	if (!job->advance)
		return 0;
	if (!b || b->to <= now)
		return -MODEL_ENOENT;
	if (!b->bound_jobs)
		return -MODEL_EINVAL;
	if (!has_all_for(m, b, job))
		return -MODEL_ERANGE;
	return later(now, b->from) + job->walltime <= b->to ? 0 : -MODEL_ERANGE;
}

int classes_submit(struct classes *m, int64_t now, uint32_t number,
		   const struct classes_job *job, bool held)
{
	struct entry j = { number, *job,    -MODEL_NEVER, HELD, true, 0,
			   nowhere, nowhere, nowhere, MODEL_NEVER, 0, 0, 0,
			   false, job->walltime, job->amount[0], nowhere,
			   false, false, 0, 0, { false, false },
			   false, held, 0, 0, 0, false, false };
	int error;

	if (job->tasks)
		j.follow = job->tasks - 1;
	if (now < m->now)
		return -MODEL_ETIME;
	if (job->submit > now || !are_free(m, number, j.follow) ||
	    !is_valid(m, job))
		return -MODEL_EINVAL;
	if (!is_possible(m, job))
		return -MODEL_ERANGE;
	error = test_binding(m, now, job);
	if (error)
		return error;
	if (!can_ever_run(m, job) || !allows_at(m, &j, now, true))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	add(m, &j);
	if (!held)
		enqueue(m, number);
	return 0;
}

int classes_hold(struct classes *m, int64_t now, uint32_t number)
{
	struct entry *j = find(m, number);
	int error = test_event(m, now, number);
	bool held;

	if (error)
		return error;
	if (j->state == RUNNING)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	j->on_hold = true;
	if (j->state == HELD)
		return 0;
	held = j->state == BOUND && j->place.at != MODEL_NEVER;
	take_out(j);
	lose_turn(j);
	j->kept_at = nowhere;
	if (keeps_promises(m) || j->state == BOUND)
		place_job(m, j, nowhere, MODEL_DEFERRED, number);
	note_left(m, j);
	if (j->state == QUEUED) {
		j->state = HELD;
		react(m, MODEL_CANCELLED, number);
	} else {
		j->state = HELD;
		if (held)
			count_bound_anew(m);
		plan_bound(m, MODEL_CANCELLED, number);
	}
	return 0;
}

void classes_satisfy(struct classes *m, uint32_t number)
{
	struct entry *j = find(m, number);

	j->on_hold = false;
	if (j->state == HELD && !j->suspended)
		enqueue(m, number);
}

int classes_release(struct classes *m, int64_t now, uint32_t number)
{
	struct entry *j = find(m, number);
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (j->state == RUNNING)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	classes_satisfy(m, number);
	return 0;
}

int classes_finish(struct classes *m, int64_t now, uint32_t number)
{
	struct entry *j = find_in(m, number, RUNNING);
	int error = test_event(m, now, number);
	bool early;

	if (error)
		return error;
	if (!j)
		return -MODEL_EINVAL;
	catch_up(m, now, true);
	early = now < j->end;
	spend(m, j);
	note_left(m, j);
	drop(m, j);
	plan_bound(m, MODEL_COMPLETION, number);
	if (early)
		react(m, MODEL_COMPLETION, number);
	return 0;
}

int classes_cancel(struct classes *m, int64_t now, uint32_t number)
{
	struct entry *j = find(m, number);
	bool queued = j && j->state == QUEUED, held;
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (j->state == RUNNING)
		return classes_finish(m, now, number);
	catch_up(m, now, false);
	held = j->state == BOUND && j->place.at != MODEL_NEVER;
	note_left(m, j);
	drop(m, j);
	if (held)
		count_bound_anew(m);
	plan_bound(m, MODEL_CANCELLED, number);
	if (queued)
		react(m, MODEL_CANCELLED, number);
	return 0;
}

static void modify_running(struct classes *m, struct entry *j, int64_t walltime)
{
	int64_t was = j->end;

	j->job.walltime = j->rank_walltime = walltime;
	classes_ledger_walltime(m->ledger, j->number, walltime);
	j->end = planned_end(j, m->now);
	if (j->end != was)
		note_end(m, j);
	if (j->end > was)
		lose_room(m, was, MODEL_LONGER, j->number);
	plan_bound(m, MODEL_LONGER, j->number);
	if (j->end < was)
		react(m, MODEL_COMPLETION, j->number);
}

/* A job that waits asks for something else. */
static void replace_request(struct classes *m, struct entry *j,
			    const struct classes_job *job)
{
	take_out(j);
	if (j->state != HELD)
		lose_turn(j);
	j->kept_at = nowhere;
	j->counts = j->waits = false;
	note_left(m, j);
	j->job = *job;
	if (j->state == QUEUED)
		note_queued(m, j);
	if (j->state == BOUND)
		bind_job(m, j, MODEL_MODIFIED);
	if (keeps_promises(m) && j->state == QUEUED)
		place_job(m, j, earliest(m, j), MODEL_MODIFIED, j->number);
}

int classes_modify(struct classes *m, int64_t now, uint32_t number,
		   int32_t procs, int64_t walltime)
{
	struct entry *j = find(m, number), changed;
	struct classes_job job;
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (j->state == RUNNING && procs != j->job.amount[0])
		return -MODEL_EINVAL;
	job = j->job;
	job.amount[0] = procs;
	job.walltime = walltime;
	if (!is_valid(m, &job))
		return -MODEL_EINVAL;
	if (!can_ever_run(m, &job))
		return -MODEL_ERANGE;
	if (j->state != RUNNING && test_binding(m, now, &job) == -MODEL_ERANGE)
		return -MODEL_ERANGE;
	changed = *j;
	changed.job = job;
	if (procs > j->job.amount[0] && !allows_at(m, &changed, now, true))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	j->overran = 0;
	if (j->state == RUNNING) {
		modify_running(m, j, walltime);
		return 0;
	}
	j->rank_walltime = walltime;
	j->rank_procs = procs;
	replace_request(m, j, &job);
	return 0;
}

/* Whether the victims run, each named once. */
static bool are_victims(const struct classes *m, const uint32_t *victim,
			size_t victims)
{
	for (size_t i = 0; i < victims; i++) {
		if (!find_in(m, victim[i], RUNNING))
			return false;
		for (size_t k = 0; k < i; k++)
			if (victim[k] == victim[i])
				return false;
	}
	return true;
}

/* What of a resource no job would use if the victims had ended. */
static int64_t spare(const struct classes *m, uint32_t in, uint32_t resource,
		     const uint32_t *victim, size_t victims)
{
	uint32_t k = row(m, in, resource);
	int64_t amount = m->capacity[k][resource];

	for (size_t i = 0; i < m->n; i++) {
		const struct entry *j = &m->entry[i];

		if (j->state == RUNNING && row(m, j->place.in, resource) == k)
			amount -= j->job.amount[resource];
	}
	for (size_t i = 0; i < victims; i++) {
		const struct entry *j = find(m, victim[i]);

		if (row(m, j->place.in, resource) == k)
			amount += j->job.amount[resource];
	}
	return amount;
}

int classes_capacity(struct classes *m, int64_t now, uint32_t node_class,
		     uint32_t resource, int32_t delta, const uint32_t *victim,
		     size_t victims)
{
	int64_t *capacity, *most;

	if (now < m->now)
		return -MODEL_ETIME;
	if (m->nodes || !delta || (delta > 0 && victims) ||
	    node_class >= m->rules.classes || resource >= m->rules.resources ||
	    !are_victims(m, victim, victims))
		return -MODEL_EINVAL;
	capacity = &m->capacity[row(m, node_class, resource)][resource];
	most = &m->most[row(m, node_class, resource)][resource];
	if (!m->rules.amount[row(m, node_class, resource) * m->rules.resources +
			     resource])
		return -MODEL_ERANGE;
	if (spare(m, node_class, resource, victim, victims) + delta < 0)
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	for (size_t i = 0; i < victims; i++) {
		spend(m, find(m, victim[i]));
		note_left(m, find(m, victim[i]));
		drop(m, find(m, victim[i]));
	}
	*capacity += delta;
	*most = later(*most, *capacity);
	m->walked = false;
	classes_ledger_capacity(m->ledger,
				classes_ledger_machine(&m->rules, m->capacity));
	if (delta < 0)
		lose_room(m, m->now, MODEL_LOST, MODEL_NO_JOB);
	plan_bound(m, MODEL_LOST, MODEL_NO_JOB);
	if (delta > 0)
		react(m, MODEL_GREW, MODEL_NO_JOB);
	if (victims) /* C9: each was early, by catch_up() */
		react(m, MODEL_COMPLETION, victim[0]);
	return 0;
}

static void tell_ledger(struct classes *m)
{
	int64_t have[CLASSES_MOST][CLASSES_RESOURCES] = { { 0 } };

	for (uint32_t i = 0; i < m->nodes; i++)
		for (uint32_t r = 0; r < m->rules.resources; r++)
			if (!m->down[i] || m->rules.wide >> r & 1)
				have[m->class_of[i]][r] += m->capacity[i][r];
	classes_ledger_capacity(m->ledger,
				classes_ledger_machine(&m->rules, have));
}

/* N5 */
int classes_node(struct classes *m, int64_t now, uint32_t node, bool up,
		 const uint32_t *victim, size_t victims)
{
	if (now < m->now)
		return -MODEL_ETIME;
	if (node >= m->nodes || m->down[node] != up ||
	    !are_victims(m, victim, victims))
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	for (size_t i = 0; i < victims; i++) {
		spend(m, find(m, victim[i]));
		note_left(m, find(m, victim[i]));
		drop(m, find(m, victim[i]));
	}
	m->down[node] = !up;
	m->walked = false;
	tell_ledger(m);
	if (!up)
		lose_room(m, m->now, MODEL_LOST, MODEL_NO_JOB);
	plan_bound(m, MODEL_LOST, MODEL_NO_JOB);
	if (up)
		react(m, MODEL_GREW, MODEL_NO_JOB);
	if (victims) /* C9: each was early, by catch_up() */
		react(m, MODEL_COMPLETION, victim[0]);
	return 0;
}

int classes_set_node(struct classes *m, uint32_t set, uint32_t node, bool in)
{
	if (!set || set > m->rules.sets || node >= m->nodes)
		return -MODEL_EINVAL;
	for (size_t i = 0; i < m->n; i++)
		if (m->entry[i].job.named == set ||
		    m->entry[i].job.excluded == set)
			return -MODEL_EINVAL;
	m->set[set][node] = in;
	return 0;
}

/* N9: 0, or why it names no such nodes. */
static int test_named(const struct classes *m, const struct classes_advance *b)
{
	if (b->nodes < 0 || (b->nodes > 0) == (b->named > 0) ||
	    b->named > m->rules.sets ||
	    (b->nodes && b->in >= m->rules.classes))
		return -MODEL_EINVAL;
	if (b->nodes)
		return b->nodes > m->rules.nodes[b->in] ? -MODEL_ERANGE : 0;
	for (uint32_t i = 0; i < m->nodes; i++)
		if (m->set[b->named][i])
			return 0;
	return -MODEL_EINVAL;
}

/* N9: how many hold some of a node within the time of @b, beside it. */
static uint32_t uses(const struct classes *m, const struct classes_advance *b,
		     uint32_t node)
{
	int64_t from = later(m->now, b->from);
	uint32_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct entry *j = &m->entry[i];

		n += j->job.advance != b->number &&
		     j->place.at != MODEL_NEVER && j->place.on[node] &&
		     j->place.at < b->to && end_of(j) > from;
	}
	for (size_t i = 0; i < m->advances; i++)
		n += m->advance[i].number != b->number &&
		     m->advance[i].on[node] && m->advance[i].from < b->to &&
		     m->advance[i].to > from;
	return n;
}

/* N9: the nodes of @b; returns whether it has all of them for itself. */
static bool choose_nodes(const struct classes *m, struct classes_advance *b)
{
	bool alone = true;
	uint32_t i, best;
	int32_t left;

	for (i = 0; i < m->nodes; i++)
		b->on[i] = b->named && m->set[b->named][i];
	for (left = b->nodes; left > 0; left--) {
		best = m->nodes;
		for (i = 0; i < m->nodes; i++)
			if (m->class_of[i] == b->in && !b->on[i] &&
			    (best == m->nodes || m->down[i] < m->down[best] ||
			     (m->down[i] == m->down[best] &&
			      uses(m, b, i) < uses(m, b, best))))
				best = i;
		b->on[best] = true;
	}
	for (i = 0; i < m->nodes; i++)
		alone &= !b->on[i] || (!m->down[i] && !uses(m, b, i));
	return alone;
}

/* 0, or why there can be no such advance reservation. */
static int test_advance(const struct classes *m, int64_t now,
			const struct classes_advance *b)
{
	bool asks = false;

	if (now < m->now)
		return -MODEL_ETIME;
	if (b->from >= b->to)
		return -MODEL_EINVAL;
	if (b->to <= now)
		return -MODEL_ETIME;
	if (m->nodes)
		return test_named(m, b);
	if (b->in >= m->rules.classes)
		return -MODEL_EINVAL;
	for (uint32_t r = 0; r < m->rules.resources; r++) {
		if (b->amount[r] < 0)
			return -MODEL_EINVAL;
		if (b->amount[r] > m->most[row(m, b->in, r)][r])
			return -MODEL_ERANGE;
		asks |= b->amount[r] > 0;
	}
	return asks ? 0 : -MODEL_EINVAL;
}

/* Whether it has all that it asks for at @t, beside promises, too. */
static bool can_reserve_at(const struct classes *m,
			   const struct classes_advance *b,
			   const struct classes_advance *was, int64_t t)
{
	for (uint32_t r = 0; r < m->rules.resources; r++) {
		int64_t left = left_at(m, b->in, r, t) -
			       reserved_at(m, b->in, r, t) -
			       held_at(m, b->in, r, t, QUEUED, 0) -
			       unused_at(m, b, b->in, r, t);

		if (was)
			left += unused_at(m, was, b->in, r, t);
		if (b->amount[r] && left < 0)
			return false;
	}
	return true;
}

static void *copy_of(const void *from, size_t n, size_t size)
{
	void *p = must(malloc((n + 1) * size));

	if (n)
		memcpy(p, from, n * size);
	return p;
}

/* C19: the first second at which advance reservations hold more than they did,
 * in front of @last; or MODEL_NEVER. */
static int64_t first_taken(const struct classes *m,
			   const struct classes *before, int64_t last)
{
	for (int64_t t = m->now; t < last; t++)
		for (uint32_t k = 0; k < count_spots(m); k++)
			for (uint32_t r = 0; r < m->rules.resources; r++)
				if (withheld_at(m, k, r, t) >
				    withheld_at(before, k, r, t))
					return t;
	return MODEL_NEVER;
}

int classes_advance_reserve(struct classes *m, int64_t now,
			    const struct classes_advance *asked, bool force)
{
	int error = test_advance(m, now, asked);
	struct classes_advance *was, x = *asked, *b = &x;
	struct classes before;
	int64_t taken;
	bool changes;

	if (error)
		return error;
	catch_up(m, now, false);
	was = find_advance(m, b->number);
	changes = was != NULL;
	if (m->nodes && !choose_nodes(m, b) && !force)
		return -MODEL_ERANGE;
	for (int64_t t = later(now, b->from);
	     t < b->to && !force && !m->nodes; t++)
		if (!can_reserve_at(m, b, was, t))
			return -MODEL_ERANGE;
	before = *m;
	before.advance = copy_of(m->advance, m->advances, sizeof(*m->advance));
	if (was)
		*was = m->advance[--m->advances];
	if (m->advances == m->advance_room) {
		m->advance_room = 2 * m->advance_room + 4;
		m->advance = must(realloc(m->advance,
					  m->advance_room * sizeof(*b)));
	}
	m->advance[m->advances++] = *b;
	m->walked = false;
	taken = first_taken(m, &before, b->to);
	free(before.advance);
	if (taken != MODEL_NEVER)
		lose_room(m, taken, MODEL_ADVANCE_RESERVED, MODEL_NO_JOB);
	plan_bound(m, MODEL_ADVANCE_CHANGED, MODEL_NO_JOB);
	if (changes)
		react(m, MODEL_ADVANCE_CANCELLED, MODEL_NO_JOB);
	return 0;
}

int classes_advance_cancel(struct classes *m, int64_t now, uint32_t number)
{
	struct classes_advance *b = find_advance(m, number);

	if (now < m->now)
		return -MODEL_ETIME;
	if (!b || b->to <= now)
		return -MODEL_ENOENT;
	catch_up(m, now, false);
	b = find_advance(m, number);
	*b = m->advance[--m->advances];
	m->walked = false;
	plan_bound(m, MODEL_ADVANCE_CANCELLED, MODEL_NO_JOB);
	react(m, MODEL_ADVANCE_CANCELLED, MODEL_NO_JOB);
	return 0;
}

int classes_requeue(struct classes *m, int64_t now, uint32_t number)
{
	struct entry *j = find_in(m, number, RUNNING), was;
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (!j || j->left == now)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	was = *j;
	spend(m, j);
	note_left(m, j);
	drop(m, j);
	plan_bound(m, MODEL_COMPLETION, number);
	react(m, MODEL_COMPLETION, number); /* early, by catch_up() */
	was.state = QUEUED;
	was.counts = was.waits = false;
	was.kept = false;
	was.job.walltime += was.ran - was.overran; /* it begins again */
	was.rank_walltime = was.job.walltime;
	was.ran = was.overran = 0;
	lose_turn(&was);
	take_out(&was);
	add(m, &was);
	if (!was.job.advance)
		note_queued(m, &was);
	if (was.job.advance)
		bind_job(m, &m->entry[m->n - 1], MODEL_REQUEUED);
	else if (keeps_promises(m))
		replace_job(m, &m->entry[m->n - 1], MODEL_REQUEUED, number);
	return 0;
}

/* C24 */
/* Maui may forbid the rest of an overrun. */
static bool maui_forbids_rest(const struct classes *m, const struct entry *j,
			      struct classes_job size, int64_t now)
{
	size.walltime = (j->end > now ? j->end : planned_end(j, now)) - now;
	return m->maui && !classes_maui_is_possible(maui_of(m), &size);
}

int classes_suspend(struct classes *m, int64_t now, uint32_t number)
{
	struct entry *j = find_in(m, number, RUNNING), was;
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (!j)
		return -MODEL_EINVAL;
	if (maui_forbids_rest(m, j, j->job, now))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	was = *j;
	spend(m, j);
	note_left(m, j);
	drop(m, j);
	plan_bound(m, MODEL_COMPLETION, number);
	react(m, MODEL_COMPLETION, number); /* early, by catch_up() */
	was.state = HELD;
	was.counts = was.waits = false;
	was.suspended = was.fresh = true;
	was.overran += was.end - (was.place.at + was.job.walltime);
	was.job.walltime = was.rank_walltime = was.end - now;
	was.ran += now - was.place.at;
	was.refusals = 0;
	was.kept = false;
	take_out(&was);
	add(m, &was);
	if (keeps_promises(m) || was.job.advance)
		place_job(m, &m->entry[m->n - 1], nowhere, MODEL_SUSPENDED,
			  number);
	return 0;
}

int classes_resume(struct classes *m, int64_t now, uint32_t number)
{
	struct entry *j = find(m, number);
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (!j->suspended)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	j->suspended = false;
	if (!j->on_hold)
		enqueue(m, number);
	return 0;
}

/* Whether @x has room at a place until its end, in what @j, which runs, holds
 * and what is free. */
static bool has_room_beside(const struct classes *m, const struct entry *x,
			    const struct classes_place *place,
			    const struct entry *j)
{
	for (int64_t t = place->at; t < j->end; t = next_begin(m, t))
		for (uint32_t k = 0; k < m->nodes; k++)
			for (uint32_t r = 0; r < m->rules.resources; r++)
				if (takes(m, &x->job, place, k, r) >
				    later(0, free_at(m, k, r, t)) +
					    takes(m, &j->job, &j->place, k, r))
					return false;
	return true;
}

/* N8: the place of @j, another size of a running job; *@place: as it is. */
static bool place_size(const struct classes *m, const struct entry *j,
		       const struct entry *running,
		       struct classes_place *place)
{
	uint32_t n = count_wanted(m, &j->job), k = 0, i;
	int32_t left = chunks_of(&j->job), most = left;
	struct entry others = *j;

	for (i = 0; i < MODEL_KINDS; i++) /* limits are asked elsewhere */
		others.job.of[i] = MODEL_NO_JOB;
	if (j->job.per_node && j->job.per_node < most)
		most = j->job.per_node;
	for (i = 0; i < m->nodes; i++) {
		if (place->on[i] > left)
			place->on[i] = left;
		if (place->on[i] > most)
			return false;
		left -= place->on[i];
	}
	if (!has_room_beside(m, j, place, running))
		return false;
	for (i = 0; i < m->nodes; i++)
		while (left && place->on[i] && place->on[i] < most &&
		       !m->down[i]) {
			place->on[i]++;
			left--;
			if (has_room_beside(m, j, place, running))
				continue;
			place->on[i]--;
			left++;
			break;
		}
	while (!j->job.span && wanted(&j->job, k) != place->in)
		k++;
	for (i = 0; i < m->rules.resources; i++)
		if (m->rules.wide >> i & 1)
			others.job.amount[i] = (int32_t)later(
				0, j->job.amount[i] -
					   running->job.amount[i]);
	return fill_nodes(m, &others, k, j->job.span ? n : k + 1, left, place);
}

/* Whether it gives back some of a node, or of a wide resource. */
static bool gives_back(const struct classes *m, const struct classes_job *was,
		       const struct classes_place *from,
		       const struct classes_job *job,
		       const struct classes_place *to)
{
	for (uint32_t i = 0; i < m->nodes; i++)
		for (uint32_t r = 0; r < m->rules.resources; r++)
			if (takes(m, was, from, i, r) > takes(m, job, to, i, r))
				return true;
	return false;
}

/* The same of limits of cost, and of budgets. */
static bool may_cost(const struct classes *m, const struct entry *was,
		     const struct entry *j)
{
	int64_t whole = used_in(m, was, m->now - was->place.at) +
			used_in(m, j, was->end - m->now);

	for (int64_t t = m->now; t < was->end; t = next_begin(m, t))
		if (m->rules.weight && used_in(m, j, 1) > used_in(m, was, 1) &&
		    !allows_of_at(m, CLASSES_LIMIT_COST, j, t, false))
			return false;
	for (uint32_t i = 0; i < m->limits; i++)
		if (is_budget_of(&m->limit[i], was) &&
		    left_of(m, &m->limit[i], was) < whole)
			return false;
	return true;
}

/* C25: whether limits of what grows let @was become @j, until its end. */
static bool may_grow(const struct classes *m, const struct entry *was,
		     const struct entry *j)
{
	bool grows = false;

	if (was->job.advance)
		return true;
	for (uint32_t r = 0; r < m->rules.resources; r++)
		grows |= j->job.amount[r] > was->job.amount[r];
	for (uint32_t r = 0; r < m->rules.resources; r++)
		for (int64_t t = m->now; t < was->end; t = next_begin(m, t))
			if (j->job.amount[r] > was->job.amount[r] &&
			    !allows_of_at(m, MODEL_LIMIT_PROCS + r, j, t, false))
				return false;
	if (m->maui && j->job.amount[0] > was->job.amount[0] &&
	    !classes_maui_can_grow(maui_of(m), j->number, &j->job))
		return false;
	return grows ? may_cost(m, was, j) : true;
}

int classes_resize(struct classes *m, int64_t now, uint32_t number,
		   const struct classes_job *size)
{
	struct entry *j = find_in(m, number, RUNNING), x, was;
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (!j || !m->nodes)
		return -MODEL_EINVAL;
	x = *j;
	memcpy(x.job.amount, size->amount, sizeof(x.job.amount));
	x.job.chunks = size->chunks;
	if (!is_valid(m, &x.job))
		return -MODEL_EINVAL;
	if (maui_forbids_rest(m, j, x.job, now))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	m->walked = false;
	was = *j;
	x.ran = was.ran + now - was.place.at;
	x.overran = was.overran + was.end - (was.place.at + was.job.walltime);
	x.end = was.end;
	x.job.walltime = x.rank_walltime = was.end - now;
	x.rank_procs = x.job.amount[0];
	x.place.at = now;
	if (!place_size(m, &x, j, &x.place) || !may_grow(m, j, &x))
		return -MODEL_ERANGE;
	spend(m, j);
	note_left(m, j);
	*j = x;
	note_queued(m, j);
	classes_ledger_start(m->ledger, number, &j->job, now);
	if (!gives_back(m, &was.job, &was.place, &x.job, &x.place))
		return 0;
	plan_bound(m, MODEL_COMPLETION, number);
	react(m, MODEL_COMPLETION, number);
	return 0;
}

/* C7: @j was to start now, and is queued again. */
static void displace_refused(struct classes *m, struct entry *j, bool told)
{
	if (!j->refusals++)
		j->refused = m->now;
	if (j->allowed == MODEL_NEVER || !m->rules.patience ||
	    m->now - j->refused >= m->rules.patience) {
		take_out(j);
		lose_turn(j);
		j->counts = false;
		place_job(m, j, earliest(m, j), MODEL_REFUSED, j->number);
		m->pending = true;
		return;
	}
	if (!told)
		j->allowed = m->now + (INT64_C(1) << (j->refusals - 1));
	lose_room(m, m->now, MODEL_REFUSED, j->number);
}

/* @time: not before it; or now: the caller does not say. */
static void refuse_until(struct classes *m, struct entry *j, int64_t time)
{
	uint32_t number = j->number;

	note_left(m, j);
	j->state = j->job.advance ? HELD : QUEUED;
	j->allowed = later(time, m->now + 1);
	if (j->state == QUEUED)
		note_queued(m, j);
	plan_bound(m, MODEL_COMPLETION, number);
	if (j->job.advance)
		bind_job(m, j, MODEL_REFUSED);
	else if (keeps_promises(m))
		displace_refused(m, j, time > m->now);
	else
		take_out(j);
}

int classes_refuse_start(struct classes *m, int64_t now, uint32_t number)
{
	struct entry *j = find_in(m, number, RUNNING);
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (!j || now != m->now || j->left != now)
		return -MODEL_EINVAL;
	refuse_until(m, j, now);
	return 0;
}

int classes_retry(struct classes *m, int64_t now, uint32_t number)
{
	struct entry *j = find(m, number);
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (j->state == RUNNING)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	m->walked = false;
	if (j->allowed == MODEL_NEVER && j->state != HELD)
		lose_turn(j);
	j->allowed = -MODEL_NEVER;
	if (j->state == BOUND)
		plan_bound(m, MODEL_CANCELLED, number);
	if (!keeps_promises(m) || j->state != QUEUED)
		return 0;
	if (j->place.at == MODEL_NEVER)
		j->counts = j->waits = false;
	replace_job(m, j, MODEL_CANCELLED, number);
	react(m, MODEL_CANCELLED, number);
	return 0;
}

int classes_set_rate(struct classes *m, int64_t now, uint32_t number,
		     int64_t rate)
{
	struct entry *j = find(m, number);
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (j->state == RUNNING || rate < 0)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	j->job.rate = rate;
	return 0;
}

/* A limit was lowered, or raised, or neither. */
static void change_limit(struct classes *m, const struct model_limit *l,
			 bool lowered, bool raised)
{
	for (size_t i = 0; i < m->n && lowered; i++)
		m->entry[i].counts &= !is_budget_of(l, &m->entry[i]);
	m->walked &= !lowered && !raised;
	if (lowered)
		lose_room(m, m->now, MODEL_LIMITED, MODEL_NO_JOB);
	else if (raised)
		react(m, MODEL_GREW, MODEL_NO_JOB);
}

int classes_limit(struct classes *m, int64_t now,
		  const struct model_limit *limit)
{
	int64_t was = limit_for(m, limit->kind, limit->resource, limit->whose);
	uint32_t i = find_limit(m, limit->kind, limit->resource, limit->whose);
	int64_t spent = i < m->limits ? m->limit[i].spent : 0, is;

	if (now < m->now)
		return -MODEL_ETIME;
	if ((limit->resource == CLASSES_LIMIT_COST && !m->rules.weight) ||
	    (limit->resource == CLASSES_LIMIT_BUDGET &&
	     (limit->whose == MODEL_NO_JOB || limit->kind >= MODEL_KINDS)))
		return -MODEL_EINVAL;
	if (i == m->limits && i == m->rules.limits &&
	    limit->amount != MODEL_NEVER)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	if (limit->amount != MODEL_NEVER) {
		m->limits += i == m->limits;
		m->limit[i] = *limit;
		m->limit[i].spent = spent;
	} else if (i < m->limits) {
		m->limit[i] = m->limit[--m->limits];
	}
	is = limit_for(m, limit->kind, limit->resource, limit->whose);
	for (size_t k = 0; k < m->n; k++)
		m->entry[k].waits = m->entry[k].state == QUEUED &&
				    keeps_promises(m) &&
				    m->entry[k].place.at == MODEL_NEVER &&
				    has_budget(m, &m->entry[k]);
	change_limit(m, limit, is < was, is > was);
	return 0;
}

static struct model_limit *find_budget(struct classes *m,
				       const struct model_limit *budget)
{
	uint32_t i = find_limit(m, budget->kind, CLASSES_LIMIT_BUDGET,
				budget->whose);

	return i < m->limits ? &m->limit[i] : NULL;
}

int64_t classes_spent(const struct classes *m, const struct model_limit *budget)
{
	uint32_t i = find_limit(m, budget->kind, CLASSES_LIMIT_BUDGET,
				budget->whose);

	return i < m->limits ? m->limit[i].spent : 0;
}

int classes_set_spent(struct classes *m, int64_t now,
		      const struct model_limit *budget, int64_t spent)
{
	struct model_limit *l = find_budget(m, budget);
	int64_t was;

	if (now < m->now)
		return -MODEL_ETIME;
	if (!l)
		return -MODEL_ENOENT;
	catch_up(m, now, false);
	was = l->spent;
	l->spent = spent;
	change_limit(m, l, spent > was, spent < was);
	return 0;
}

int classes_set_usage(struct classes *m, int64_t now, uint32_t user,
		      int64_t amount)
{
	if (now < m->now)
		return -MODEL_ETIME;
	catch_up(m, now, false);
	m->walked = false;
	classes_ledger_set(m->ledger, user, amount, now);
	return 0;
}

int classes_credit(struct classes *m, int64_t now, uint32_t user,
		   int64_t amount)
{
	if (now < m->now)
		return -MODEL_ETIME;
	catch_up(m, now, false);
	m->walked = false;
	classes_ledger_credit(m->ledger, user, amount, now);
	return 0;
}

/* ---- starts ---- */

/* C18: the next task of an array arrives. */
static void add_next_task(struct classes *m, struct entry rest)
{
	rest.number++;
	rest.follow--;
	rest.state = HELD;
	rest.fresh = true;
	rest.allowed = -MODEL_NEVER;
	rest.promised = false;
	lose_turn(&rest);
	rest.place = rest.told = rest.kept_at = nowhere;
	rest.kept = false;
	rest.ran = rest.overran = rest.bypassed = 0;
	add(m, &rest);
	enqueue(m, rest.number);
}

/* Starts a job in its place's class; C17: unless it is refused. */
static void start(struct classes *m, struct entry *j)
{
	struct entry was = *j;
	int64_t from = m->rules.fits ? m->rules.fits(j->number, m->now)
				     : m->now;

	j->state = RUNNING;
	j->place.at = j->left = m->now;
	if (m->now < j->turn)
		j->turn = m->now;
	j->end = m->now + j->job.walltime;
	j->told = j->place;
	j->kept_at = nowhere;
	classes_ledger_start(m->ledger, j->number, &j->job, m->now);
	if (from <= m->now)
		tell(m, MODEL_START, MODEL_NONE, MODEL_NO_JOB, j);
	m->again |= from > m->now || was.follow;
	if (from > m->now) {
		refuse_until(m, j, from);
		return;
	}
	j->follow = 0;
	if (was.follow)
		add_next_task(m, was);
}

/* C20: starts the first due reservation job, by number; false: none is. */
static bool start_bound(struct classes *m)
{
	struct entry *first = NULL, was;
	int64_t from;

	for (size_t i = 0; i < m->n; i++)
		if (m->entry[i].state == BOUND &&
		    m->entry[i].place.at <= m->now &&
		    (!first || m->entry[i].number < first->number))
			first = &m->entry[i];
	if (!first)
		return false;
	from = m->rules.fits ? m->rules.fits(first->number, m->now) : m->now;
	if (from > m->now) {
		first->allowed = from;
		first->told = first->place;
		bind_job(m, first, MODEL_REFUSED);
		return true;
	}
	was = *first;
	note_queued(m, first);
	classes_ledger_start(m->ledger, first->number, &first->job, m->now);
	first->state = RUNNING;
	first->place.at = first->left = m->now;
	first->end = m->now + first->job.walltime;
	first->told = first->place;
	first->follow = 0;
	tell(m, MODEL_START, MODEL_NONE, MODEL_NO_JOB, first);
	if (was.follow)
		add_next_task(m, was);
	return true;
}

/* The due reservation of the lowest number, or NULL. */
static struct entry *find_due(const struct classes *m)
{
	struct entry *first = NULL;

	for (size_t i = 0; i < m->n; i++) {
		struct entry *j = &m->entry[i];

		if (j->state == QUEUED && j->place.at == m->now &&
		    (!first || j->number < first->number))
			first = j;
	}
	return first;
}

static void decide_promised(struct classes *m)
{
	for (;;) {
		struct entry *j;

		if (m->pending)
			react(m, MODEL_COMPLETION, MODEL_NO_JOB);
		if (m->rules.policy == MODEL_DC) {
			place_unplaced(m, MODEL_FILL, MODEL_NO_JOB);
			compress_delayed(m, MODEL_FILL, MODEL_NO_JOB);
		}
		j = find_due(m);
		if (!j)
			return;
		start(m, j);
	}
}

/* A walk over the queue; a job with a reservation has a place until its end. */
struct walk {
	uint32_t reserved;
	bool stopped; /* no further reservation */
	bool ends;    /* C22: at a job that can have no reservation */
	uint32_t held; /* the first, or MODEL_NO_JOB */
};

/* The numbers of queued jobs without a reservation, in a new array. */
static uint32_t *list_unreserved(const struct classes *m, size_t *n)
{
	uint32_t *list = must(malloc((m->n + 1) * sizeof(*list)));

	*n = 0;
	for (size_t i = 0; i < m->n; i++)
		if (m->entry[i].state == QUEUED &&
		    m->entry[i].place.at == MODEL_NEVER)
			list[(*n)++] = m->entry[i].number;
	return list;
}

/* Removes the first job in the order of this moment from list[0..*n). */
static struct entry *take_first(struct classes *m, uint32_t *list, size_t *n,
				uint32_t held)
{
	const struct entry *h = find(m, held);
	size_t first = 0;
	uint32_t number;

	classes_ledger_read(m->ledger, h ? &h->job : NULL, h ? h->place.at : 0);
	for (size_t i = 1; i < *n; i++)
		if (by_order(m, find(m, list[i]), find(m, list[first])) < 0)
			first = i;
	number = list[first];
	list[first] = list[--*n];
	return find(m, number);
}

/* Starts a job, or reserves for it, or neither. */
static void visit(struct classes *m, struct walk *w, struct entry *j)
{
	struct classes_place place = earliest(m, j);

	if (place.at == m->now) {
		j->place = place;
		start(m, j);
	} else if (m->rules.policy == MODEL_FCFS) {
		w->stopped = true;
	} else if (place.at == MODEL_NEVER && !w->ends) {
		return; /* C10 */
	} else if (w->stopped || w->reserved == m->rules.depth ||
		   place.at == MODEL_NEVER) {
		w->stopped = true;
	} else {
		j->place = place;
		if (!w->reserved++)
			w->held = j->number;
	}
}

/* Visits jobs without a reservation; @stops: until no more can be reserved. */
static void walk_queue(struct classes *m, struct walk *w, bool gated,
		       bool stops)
{
	size_t n;
	uint32_t *list = list_unreserved(m, &n);
	struct entry *j;

	while (n && !m->again && !(stops && w->stopped)) {
		j = take_first(m, list, &n, w->held);
		if (is_allowed(m, j) &&
		    (!gated ||
		     !classes_ledger_is_above(m->ledger, j->job.user)))
			visit(m, w, j);
	}
	free(list);
}

static void take_all_out(struct classes *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->entry[i].state == QUEUED)
			take_out(&m->entry[i]);
}

static void decide_afresh(struct classes *m)
{
	struct walk w = { 0, false, false, MODEL_NO_JOB };

	/* C14, N6, C36 */
	if (m->walked && (m->ledger || m->nodes || m->rules.limits))
		return;
	if (m->rules.policy == MODEL_SFS) {
		walk_queue(m, &w, true, false);
		w.stopped = false;
		w.ends = true;
		walk_queue(m, &w, false, true);
		w.stopped = true;
	}
	walk_queue(m, &w, false, m->rules.policy == MODEL_FCFS);
	take_all_out(m);
	m->walked = true;
}

/* ---- backfill as a phase: Maui, or MODEL_EASY with a selection ---- */

struct phase {
	struct classes *m;
	uint32_t *list; /* the numbers of the jobs left, in order */
	size_t n;
	uint32_t depth, reserved;
	uint32_t pending; /* M5: kept ones whose turn is still to come */
	bool closed, restart;
};

struct window {
	int64_t procs, end;
	uint32_t in;
};

static struct entry *job_at(const struct phase *x, size_t i)
{
	return find(x->m, x->list[i]);
}

static void leave_list(struct phase *x, size_t i)
{
	x->n--;
	memmove(x->list + i, x->list + i + 1, (x->n - i) * sizeof(*x->list));
}

static uint32_t flags_of(const struct classes *m, const struct entry *j)
{
	return m->maui ? classes_maui_flags(m->maui, &j->job) : 0;
}

/* @round: 0 in order, 1 and 2 of backfill. */
static bool may(const struct classes *m, const struct entry *j, int round)
{
	if (!is_allowed(m, j))
		return false;
	if (!m->maui)
		return true;
	if (round && flags_of(m, j) & MODEL_NOBF)
		return false;
	return !j->over_cap && !j->passed[round == 2] &&
	       classes_maui_is_within(maui_of(m), &j->job, round == 2);
}

static bool is_accepted(const struct classes *m, uint32_t number)
{
	return !m->rules.fits || m->rules.fits(number, m->now) <= m->now;
}

/* M2 */
static void start_at(struct phase *x, size_t i, struct classes_place place)
{
	struct classes *m = x->m;
	struct entry *j = job_at(x, i);

	for (size_t k = 0; k < m->n; k++)
		m->entry[k].bypassed += m->entry[k].state == QUEUED &&
					by_order(m, &m->entry[k], j) < 0 &&
					is_accepted(m, j->number);
	j->place = place;
	start(m, j);
	leave_list(x, i);
}

static bool keeps_places(const struct classes *m)
{
	return m->maui && m->rules.maui->reservations == MODEL_RESERVE_HIGHEST;
}

static int64_t present_procs(const struct classes *m)
{
	int64_t procs = 0;

	for (uint32_t k = 0; k < count_spots(m); k++)
		if (!m->down[k])
			procs += m->capacity[row(m, k, 0)][0];
	return procs;
}

/* K8 */
static bool is_kept(const struct classes *m, const struct entry *j)
{
	return keeps_places(m) && j->kept && j->allowed != MODEL_NEVER &&
	       j->job.amount[0] <= present_procs(m);
}

static bool counts(const struct classes *m, const struct entry *j)
{
	return !(flags_of(m, j) & (MODEL_NORESERVATION | MODEL_RESERVEALWAYS));
}

/* The first by (turn, number) of kept ones that are not @tried, or NULL. */
static struct entry *first_kept(const struct phase *x, const bool *tried,
				size_t *at)
{
	struct entry *first = NULL;

	for (size_t i = 0; i < x->n; i++) {
		struct entry *j = job_at(x, i);

		if (tried[i] || j->kept_at.at == MODEL_NEVER)
			continue;
		if (!first || by_turn(x->m, j, first) < 0) {
			first = j;
			*at = i;
		}
	}
	return first;
}

static void keep_place(struct entry *j, struct classes_place place)
{
	j->place = j->kept_at = place;
	if (place.at < j->turn)
		j->turn = place.at;
}

/* M5 */
static void restore_kept(struct phase *x)
{
	bool *tried = must(calloc(x->n + 1, sizeof(*tried)));
	bool *can = must(calloc(x->n + 1, sizeof(*can)));
	struct classes *m = x->m;
	struct entry *j;
	size_t i = 0;

	for (i = 0; i < x->n; i++) { /* beside running jobs: C36 */
		can[i] = may(m, job_at(x, i), 0);
		x->pending += is_kept(m, job_at(x, i)) &&
			      counts(m, job_at(x, i));
	}
	while ((j = first_kept(x, tried, &i))) {
		tried[i] = true;
		j->was = j->kept_at;
		j->kept_at = nowhere;
		if (is_kept(m, j) && can[i])
			keep_place(j, next_place(m, j));
	}
	free(tried);
	free(can);
}

/* Whether the job at @i has left the list. */
static bool serve(struct phase *x, size_t i)
{
	struct classes *m = x->m;
	struct entry *j = job_at(x, i);
	bool never = flags_of(m, j) & MODEL_NORESERVATION ||
		     (m->maui &&
		      m->rules.maui->reservations == MODEL_RESERVE_NEVER);
	bool always = !never && flags_of(m, j) & MODEL_RESERVEALWAYS;
	bool kept = is_kept(m, j), placed = j->place.at != MODEL_NEVER;
	struct classes_place place;

	j->place = j->kept_at = nowhere;
	x->pending -= kept && counts(m, j);
	if (x->closed && !always && !kept)
		return false;
	if (!may(m, j, 0)) {
		x->restart |= placed && is_allowed(m, j);
		return false;
	}
	place = earliest(m, j);
	if (place.at == m->now) {
		start_at(x, i, place);
		return true;
	}
	if (never)
		return false;
	if (!always && !kept && x->reserved + x->pending >= x->depth) { /* M3 */
		x->closed = true;
		return false;
	}
	if (place.at == MODEL_NEVER)
		return false;
	j->place = place;
	if (keeps_places(m)) {
		j->kept = true;
		keep_place(j, place);
	}
	if (!always)
		x->closed |= ++x->reserved >= x->depth;
	leave_list(x, i);
	return true;
}

/* The first instant after @t at which anything begins or ends. */
static int64_t next_instant(const struct classes *m, int64_t t)
{
	int64_t next = MODEL_NEVER;

	for (size_t i = 0; i < m->n + m->advances; i++) {
		int64_t begin = i < m->n ? m->entry[i].place.at
					 : m->advance[i - m->n].from;
		int64_t end = i < m->n ? end_of(&m->entry[i])
				       : m->advance[i - m->n].to;

		if (begin > t && begin < next)
			next = begin;
		if (end > t && end < next)
			next = end;
	}
	return next;
}

/* K9: the @k-th window of a class, from the widest; false: there is none. */
static bool window_at(const struct classes *m, size_t k, struct window *w)
{
	w->procs = free_at(m, w->in, 0, m->now);
	for (;;) {
		if (w->procs < 1)
			return false;
		w->end = m->now;
		do
			w->end = next_instant(m, w->end);
		while (w->end != MODEL_NEVER &&
		       free_at(m, w->in, 0, w->end) >= w->procs);
		if (!k--)
			return true;
		if (w->end == MODEL_NEVER)
			return false;
		w->procs = free_at(m, w->in, 0, w->end);
	}
}

/* Lists the jobs that fit into @w and may start. */
static size_t fitting(const struct phase *x, const struct window *w, int round,
		      const struct entry **fit)
{
	const struct classes *m = x->m;
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++) {
		const struct entry *j = job_at(x, i);
		int64_t end = m->now + j->job.walltime;
		struct classes_place here = { m->now, w->in, { 0 } };

		if (j->allowed <= m->now && j->job.amount[0] <= w->procs &&
		    end <= w->end && may_run_in(&j->job, w->in) &&
		    has_room(m, j, &here, end) && may(m, j, round))
			fit[n++] = j;
	}
	return n;
}

static int64_t metric(const struct classes *m, const struct entry *j)
{
	if (m->rules.metric == MODEL_PROCS)
		return j->job.amount[0];
	if (m->rules.metric == MODEL_SECONDS)
		return j->job.walltime;
	return j->job.amount[0] * j->job.walltime;
}

/* K9, of resource @r. */
static bool set_fits(const struct classes *m, uint32_t in, uint32_t r,
		     const struct entry **fit, size_t n, uint32_t mask)
{
	int64_t sum = 0, end = m->now, t;

	for (size_t i = 0; i < n; i++)
		if (mask >> (n - 1 - i) & 1) {
			sum += fit[i]->job.amount[r];
			end = later(end, m->now + fit[i]->job.walltime);
		}
	for (t = m->now; t < end; t = next_instant(m, t))
		if (sum > free_at(m, in, r, t))
			return false;
	return true;
}

/* C12, K9: bit n - 1 - i stands for fit[i]. */
static uint32_t best_set(const struct classes *m, uint32_t in,
			 const struct entry **fit, size_t n, int64_t procs)
{
	uint32_t mask, best = 0, r;
	int64_t most = -1;

	for (mask = 1; mask < UINT32_C(1) << n; mask++) {
		int64_t sum = 0, width = 0;

		for (size_t i = 0; i < n; i++)
			if (mask >> (n - 1 - i) & 1) {
				sum += metric(m, fit[i]);
				width += fit[i]->job.amount[0];
			}
		if (width > procs || sum < most)
			continue;
		for (r = 0; r < m->rules.resources; r++)
			if (!set_fits(m, in, r, fit, n, mask))
				break;
		if (r == m->rules.resources) {
			most = sum;
			best = mask;
		}
	}
	return best;
}

/* Moves the jobs to start in @w to the front of @fit; returns their number. */
static size_t choose(const struct classes *m, const struct window *w,
		     const struct entry **fit, size_t n)
{
	size_t best = 0, chosen = 0, i;
	uint32_t mask;

	if (n > 12 && m->rules.select == MODEL_GREEDY)
		n = 12;
	if (m->rules.select == MODEL_GREEDY) {
		mask = best_set(m, w->in, fit, n, w->procs);
		for (i = 0; i < n; i++)
			if (mask >> (n - 1 - i) & 1)
				fit[chosen++] = fit[i];
		return chosen;
	}
	for (i = 1; i < n && m->rules.select == MODEL_BESTFIT; i++)
		if (metric(m, fit[i]) > metric(m, fit[best]))
			best = i;
	fit[0] = fit[best];
	return 1;
}

/* M7: starts the first job that has room. */
static bool fill_by_room(struct phase *x, int round)
{
	for (size_t i = 0; i < x->n; i++) {
		struct entry *j = job_at(x, i);
		struct classes_place place = earliest(x->m, j);

		if (place.at == x->m->now && may(x->m, j, round)) {
			start_at(x, i, place);
			return true;
		}
	}
	return false;
}

/* Starts the jobs of the first window of a class into which any fits. */
static bool fill_window(struct phase *x, uint32_t in, int round)
{
	const struct entry **fit =
		must(malloc((x->n + 1) * sizeof(const struct entry *)));
	uint32_t *number = must(malloc((x->n + 1) * sizeof(*number)));
	struct window w = { 0, 0, in };
	size_t windows = 0, k, i, n = 0, at;

	while (window_at(x->m, windows, &w))
		windows++;
	for (k = 0; k < windows && !n; k++) {
		(void)window_at(x->m,
				x->m->rules.longest_first ? windows - 1 - k : k,
				&w);
		n = fitting(x, &w, round, fit);
	}
	if (n)
		n = choose(x->m, &w, fit, n);
	for (i = 0; i < n; i++)
		number[i] = fit[i]->number;
	for (i = 0; i < n; i++) {
		struct classes_place place = { x->m->now, in, { 0 } };

		for (at = 0; x->list[at] != number[i]; at++)
			;
		if (!x->m->again && may(x->m, job_at(x, at), round))
			start_at(x, at, place);
	}
	free(fit);
	free(number);
	return n > 0;
}

/* M6 */
static void select_jobs(struct phase *x)
{
	const struct classes_job **job =
		must(malloc((x->n + 1) * sizeof(const struct classes_job *)));
	int64_t *allowed = must(malloc((x->n + 1) * sizeof(*allowed)));
	bool *passed = must(malloc(x->n + 1));

	for (size_t i = 0; i < x->n; i++) {
		job[i] = &job_at(x, i)->job;
		allowed[i] = job_at(x, i)->allowed;
	}
	for (int level = 0; level < 2; level++) {
		classes_maui_select(maui_of(x->m), job, allowed, x->n,
				    present_procs(x->m), level, passed);
		for (size_t i = 0; i < x->n; i++)
			job_at(x, i)->passed[level] = passed[i];
	}
	free(job);
	free(allowed);
	free(passed);
}

/* False: the iteration begins again, M5. */
static bool iterate(struct classes *m)
{
	struct phase x = { m, NULL, 0, m->rules.depth, 0, 0, false, false };
	int rounds = m->maui ? 2 : 1;
	size_t i = 0;

	if (m->maui)
		x.depth = m->rules.maui->depth;
	x.list = sorted(m, by_order, &x.n);
	if (m->maui)
		select_jobs(&x);
	if (keeps_places(m))
		restore_kept(&x);
	while (i < x.n && !m->again && !x.restart)
		i += !serve(&x, i);
	for (int round = 1; round <= rounds && !x.restart &&
			    m->rules.select != MODEL_NO_BACKFILL;
	     round++)
		for (uint32_t k = 0; k < (m->nodes ? 1 : m->rules.classes); k++)
			while (!m->again &&
			       (m->nodes ? fill_by_room(&x, round)
					 : fill_window(&x, k, round)))
				;
	free(x.list);
	take_all_out(m);
	return !x.restart;
}

/* M1 */
static void decide_by_phase(struct classes *m)
{
	if (m->walked && (m->maui || m->rules.limits)) /* C36 */
		return;
	for (size_t i = 0; i < m->n && m->maui; i++) {
		struct entry *j = &m->entry[i];
		struct classes_job ranked = j->job;

		ranked.walltime = j->rank_walltime;
		ranked.amount[0] = j->rank_procs;
		if (j->state != QUEUED)
			continue;
		j->priority = classes_maui_priority(maui_of(m), &ranked,
						    j->bypassed);
		j->over_cap = classes_maui_is_over_cap(m->maui, &j->job);
	}
	while (!iterate(m))
		;
	m->walked = true;
}

int classes_step(struct classes *m, int64_t now,
		 const struct classes_decision **d, size_t *n)
{
	if (now < m->now)
		return -MODEL_ETIME;
	catch_up(m, now, false);
	if (m->pending)
		react(m, MODEL_COMPLETION, MODEL_NO_JOB);
	else if (keeps_promises(m))
		place_unplaced(m, MODEL_COMPLETION, MODEL_NO_JOB);
	do {
		m->walked &= !m->again;
		m->again = false;
		while (start_bound(m))
			;
		if (keeps_promises(m))
			decide_promised(m);
		else if (m->maui || m->rules.select)
			decide_by_phase(m);
		else
			decide_afresh(m);
	} while (m->again);
	if (m->taken)
		m->tells = 0;
	m->taken = true;
	*d = m->told;
	*n = m->tells;
	return 0;
}

int64_t classes_next(const struct classes *m)
{
	int64_t next = MODEL_NEVER;

	for (size_t i = 0; i < m->n; i++) {
		const struct entry *j = &m->entry[i];
		int64_t t = j->state == RUNNING ? j->end : j->place.at;

		if (j->state == QUEUED && !keeps_promises(m) &&
		    j->allowed > m->now)
			t = j->allowed; /* C8 */
		if (t < next)
			next = t;
	}
	for (size_t i = 0; i < m->advances; i++)
		if (!keeps_promises(m) && classes_queued(m) &&
		    m->advance[i].to < next)
			next = m->advance[i].to;
	if (m->maui && classes_maui_next(maui_of(m)) < next)
		next = classes_maui_next(m->maui);
	if (m->pending)
		next = m->now; /* C2 */
	return next > m->now ? next : m->now; /* a step left more to start */
}

/* ---- life cycle and queries ---- */

struct classes *classes_new(const struct classes_rules *rules, int64_t now)
{
	struct classes *m = must(calloc(1, sizeof(*m)));

	m->rules = *rules;
	m->now = now;
	for (uint32_t k = 0; k < rules->classes && rules->nodes; k++)
		for (int32_t i = 0; i < rules->nodes[k]; i++)
			m->class_of[m->nodes++] = k;
	for (uint32_t k = 0; k < count_spots(m); k++)
		for (uint32_t r = 0; r < rules->resources; r++) {
			if (m->nodes && !(rules->wide >> r & 1))
				m->capacity[k][r] = whole(m, k, r);
			else if (!m->nodes || !k)
				m->capacity[k][r] =
					rules->amount[k * rules->resources + r];
			m->most[k][r] = m->capacity[k][r];
		}
	m->ledger = classes_ledger_new(rules, now);
	m->maui = classes_maui_new(rules, now);
	return m;
}

void classes_free(struct classes *m)
{
	if (m) {
		free(m->entry);
		free(m->advance);
		free(m->told);
		classes_ledger_free(m->ledger);
		classes_maui_free(m->maui);
	}
	free(m);
}

bool classes_starts_with(const struct classes *m, uint32_t number,
			 const struct classes_job *job)
{
	struct classes *c = copy_of(m, 1, sizeof(*m));
	const struct classes_decision *d;
	bool starts = false;
	size_t n;

	c->rules.fits = NULL;
	c->entry = copy_of(m->entry, m->n, sizeof(*m->entry));
	c->room = m->n + 1;
	c->advance = copy_of(m->advance, m->advances, sizeof(*m->advance));
	c->advance_room = m->advances + 1;
	c->told = NULL;
	c->tells = c->told_room = 0;
	c->ledger = classes_ledger_copy(m->ledger);
	c->maui = classes_maui_copy(m->maui);
	replace_request(c, find(c, number), job);
	(void)classes_step(c, c->now, &d, &n);
	for (size_t i = 0; i < n; i++)
		starts |= d[i].kind == MODEL_START && d[i].number == number;
	classes_free(c);
	return starts;
}

struct classes_place classes_again(const struct classes *m, uint32_t number)
{
	struct entry *j = find(m, number), was = *j;
	struct classes_place place;

	take_out(j);
	place = earliest(m, j);
	*j = was;
	return place;
}

int32_t classes_hosted(const struct classes *m, uint32_t number, int64_t t)
{
	struct classes running = *m;
	struct entry j = *find(m, number);
	int32_t all = chunks_of(&j.job), most = 0, sum = 0;

	running.entry = must(calloc(m->n, sizeof(*m->entry)));
	running.n = running.advances = 0;
	for (size_t i = 0; i < m->n; i++)
		if (m->entry[i].state == RUNNING)
			running.entry[running.n++] = m->entry[i];
	j.job.walltime = 1;
	for (uint32_t k = 0; k < count_wanted(m, &j.job); k++) {
		sum = j.job.span ? sum : 0;
		for (uint32_t i = 0; i < m->nodes; i++)
			if (m->class_of[i] == wanted(&j.job, k))
				sum += hosts(&running, &j, i, t);
		most = sum > most ? sum : most;
	}
	free(running.entry);
	return most < all ? most : all;
}

bool classes_has_now(const struct classes *m, uint32_t number)
{
	const struct entry *j = find(m, number);

	for (uint32_t i = 0; i < count_wanted(m, &j->job); i++) {
		struct classes_place here = { m->now, wanted(&j->job, i),
					      { 0 } };

		if (has_room_at(m, j, &here, m->now))
			return true;
	}
	return false;
}

int64_t classes_present(const struct classes *m, uint32_t in,
			uint32_t resource)
{
	return m->capacity[row(m, in, resource)][resource];
}

int64_t classes_free_now(const struct classes *m, uint32_t in,
			 uint32_t resource)
{
	return free_at(m, in, resource, m->now);
}

bool classes_may_use_node_of(const struct classes *m, uint32_t number,
			     uint32_t other)
{
	const struct entry *j = find(m, number), *has = find(m, other);

	for (uint32_t i = 0; i < m->nodes; i++)
		for (uint32_t k = 0; k < count_wanted(m, &j->job); k++)
			if (has->place.on[i] && !m->down[i] &&
			    m->class_of[i] == wanted(&j->job, k) &&
			    may_use(m, &j->job, i))
				return true;
	return false;
}

static size_t count(const struct classes *m, enum state state)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		n += m->entry[i].state == state;
	return n;
}

size_t classes_queued(const struct classes *m)
{
	return count(m, QUEUED);
}

size_t classes_running(const struct classes *m)
{
	return count(m, RUNNING);
}

size_t classes_held(const struct classes *m)
{
	return count(m, HELD) + count(m, BOUND);
}

size_t classes_advances(const struct classes *m)
{
	return m->advances;
}

bool classes_advance_on(const struct classes *m, uint32_t number, uint32_t node)
{
	const struct classes_advance *b = find_advance(m, number);

	return b && b->on[node];
}

struct classes_place classes_place_of(const struct classes *m, uint32_t number)
{
	const struct entry *j = find(m, number);

	return j ? j->place : nowhere;
}

int64_t classes_end(const struct classes *m, uint32_t number)
{
	const struct entry *j = find_in(m, number, RUNNING);

	return j ? j->end : MODEL_NEVER;
}

bool classes_is_sound(const struct classes *m)
{
	for (size_t i = 0; i < m->n; i++) {
		int64_t t = later(m->entry[i].place.at, m->now);

		for (uint32_t k = 0; k < count_spots(m); k++)
			for (uint32_t r = 0; r < m->rules.resources; r++)
				if (free_at(m, k, r, t) < 0)
					return false;
	}
	return true;
}
