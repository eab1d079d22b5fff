/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sched_parts.h"

#include <stdlib.h>
#include <string.h>

#include "sched_maui.h"
#include "sched_relshare.h"
#include "sched_sfs.h"
#include "sched_tree.h"
#include "sched_usage.h"

/* ---- the profile: processors in use as a sorted array of changes ---- */

void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

void *grow(void *p, size_t *cap, size_t n, size_t size)
{
	if (n <= *cap)
		return p;
	*cap = n + n / 2 + 16;
	return must(realloc(p, *cap * size));
}

void *copy_of(const void *p, size_t n, size_t size)
{
	void *copy = must(calloc(n + 1, size));

	if (n)
		memcpy(copy, p, n * size);
	return copy;
}

static void profile_change(struct profile *p, int64_t at, int32_t delta)
{
	size_t i = p->n;

	while (i && p->edge[i - 1].at >= at)
		i--;
	if (i < p->n && p->edge[i].at == at) {
		p->edge[i].delta += delta;
		if (p->edge[i].delta)
			return;
		p->n--;
		memmove(p->edge + i, p->edge + i + 1,
			(p->n - i) * sizeof(*p->edge));
		return;
	}
	p->edge = grow(p->edge, &p->cap, p->n + 1, sizeof(*p->edge));
	memmove(p->edge + i + 1, p->edge + i, (p->n - i) * sizeof(*p->edge));
	p->edge[i].at = at;
	p->edge[i].delta = delta;
	p->n++;
}

/* Uses @procs throughout [start, end); frees them if @procs < 0. */
void profile_use(struct profile *p, int64_t start, int64_t end, int32_t procs)
{
	if (start >= end || !procs)
		return;
	profile_change(p, start, procs);
	profile_change(p, end, -procs);
}

/*
 * The earliest t >= from at which @procs of @capacity are free during all of
 * [t, t + seconds).
 */
int64_t profile_place(const struct profile *p, int32_t capacity, int64_t from,
		      int64_t seconds, int32_t procs)
{
	int64_t t = from, used = 0;
	size_t i = 0;

	if (procs > capacity || from == MODEL_NEVER)
		return MODEL_NEVER;
	while (i < p->n && p->edge[i].at <= from)
		used += p->edge[i++].delta;
	/* used holds until edge[i].at; @procs are free from t until now. */
	for (;; i++) {
		if (used + procs > capacity)
			t = p->edge[i].at; /* exists: in the end used is 0 */
		else if (i == p->n || p->edge[i].at - t >= seconds)
			return t;
		used += p->edge[i].delta;
	}
}

/* ---- state ---- */

static bool keeps_promises(const struct model *m)
{
	return m->rules.policy >= MODEL_CONSERVATIVE &&
	       m->rules.policy <= MODEL_DC;
}

static void tell_decision(struct model *m, const struct model_decision *d)
{
	if (m->taken)
		m->tells = 0;
	m->taken = false;
	m->told = grow(m->told, &m->told_cap, m->tells + 1, sizeof(*d));
	m->told[m->tells++] = *d;
}

struct live *find(struct live *list, size_t n, uint32_t number)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].number == number)
			return &list[i];
	return NULL;
}

static void drop(struct live *list, size_t *n, struct live *j)
{
	(*n)--;
	memmove(j, j + 1, (size_t)(list + *n - j) * sizeof(*j));
}

/* ---- orders ---- */

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* a / b with c / d, exactly, by their continued fractions; a, c >= 0. */
static int compare_ratio(int64_t a, int64_t b, int64_t c, int64_t d)
{
	while (a / b == c / d) {
		int64_t x = a % b, y = c % d;

		if (!x || !y)
			return compare(x, y);
		/* x/b with y/d is d/y with b/x */
		a = d;
		c = b;
		b = y;
		d = x;
	}
	return compare(a / b, c / d);
}

static struct model_view view_of(const struct live *j)
{
	struct model_view a = { j->number, j->submit, j->estimate, j->procs };

	return a;
}

static int by_order(const struct model *m, const struct live *a,
		    const struct live *b)
{
	struct model_view x, y;
	int c = 0;

	if (m->rules.maui) /* C29 */
		c = compare(b->priority, a->priority);
	if (c)
		return c;
	switch (m->rules.order) {
	case MODEL_BY_FCFS:
		c = compare(a->submit, b->submit);
		break;
	case MODEL_BY_SJF:
		c = compare(a->estimate, b->estimate);
		break;
	case MODEL_BY_LJF:
		c = compare(b->estimate, a->estimate);
		break;
	case MODEL_BY_WIDEST:
		c = compare(b->procs, a->procs);
		break;
	case MODEL_BY_NARROWEST:
		c = compare(a->procs, b->procs);
		break;
	case MODEL_BY_LXF:
		/* (wait + e) / e: the largest first, as is wait / e. */
		c = compare_ratio(m->now - b->submit, b->estimate,
				  m->now - a->submit, a->estimate);
		if (!c)
			c = compare(a->submit, b->submit);
		break;
	case MODEL_BY_LINEAR:
		/* submit - weight * procs: the smallest first; C31: by number. */
		c = compare(a->submit + m->rules.weight * b->procs,
			    b->submit + m->rules.weight * a->procs);
		break;
	case MODEL_BY_KEY:
		x = view_of(a);
		y = view_of(b);
		c = compare(m->rules.key(&x), m->rules.key(&y));
		break;
	case MODEL_BY_COMPARE:
		x = view_of(a);
		y = view_of(b);
		c = m->rules.compare(m->now, &x, &y);
		if (!c)
			c = compare(a->submit, b->submit);
		break;
	case MODEL_BY_TREE:
		c = sched_tree_compare(m->tree, a->user, b->user, m->now);
		if (!c)
			c = compare(a->submit, b->submit);
		break;
	case MODEL_BY_DOMINANT: /* of classes_model.c alone */
		break;
	case MODEL_BY_RELSHARE:
		c = sched_relshare_compare(m->relshare, a->user, b->user);
		if (!c)
			c = compare(a->submit, b->submit);
		break;
	case MODEL_BY_USAGE:
		c = sched_usage_compare(m->usage, a->user, b->user, m->now);
		if (!c)
			c = compare(a->submit, b->submit);
		break;
	}
	return c ? c : compare(a->number, b->number);
}

static int by_turn(const struct model *m, const struct live *a,
		   const struct live *b)
{
	int c = compare(a->turn, b->turn);

	(void)m;
	return c ? c : compare(a->number, b->number);
}

/*
 * Sorts the queued jobs into a new array. Its pointers are valid until a job is
 * added or dropped.
 */
static struct live **sorted(const struct model *m,
			    int (*order)(const struct model *,
					 const struct live *,
					 const struct live *))
{
	struct live **list = malloc((m->queued + 1) * sizeof(struct live *));

	if (!list)
		abort();
	for (size_t i = 0; i < m->queued; i++) {
		struct live *j = &m->queue[i];
		size_t k = i;

		for (; k && order(m, j, list[k - 1]) < 0; k--)
			list[k] = list[k - 1];
		list[k] = j;
	}
	return list;
}

/* C34: whether the order of jobs depends on more than the jobs. */
static bool order_changes(const struct model *m)
{
	return m->rules.maui || m->rules.order == MODEL_BY_LXF ||
	       m->rules.order == MODEL_BY_COMPARE ||
	       m->rules.order == MODEL_BY_USAGE ||
	       m->rules.order == MODEL_BY_TREE ||
	       m->rules.order == MODEL_BY_RELSHARE;
}

/* C34: the order of a walk that keeps promises, by keys of now. */
static struct live **order_of_walk(struct model *m)
{
	static const struct sched_relshare_reserved none = { 0, 0, 0, 0 };

	if (m->relshare)
		sched_relshare_read_usage(m->relshare, &none);
	if (m->rules.maui)
		maui_prioritize(m);
	return sorted(m, by_order);
}

/* ---- promises ---- */

int64_t not_before(const struct model *m, const struct live *j)
{
	return j->allowed > m->now ? j->allowed : m->now;
}

/* ---- limits, C36 ---- */

static int64_t limit_for(const struct model *m, uint32_t kind,
			 uint32_t resource, uint32_t whose)
{
	int64_t each = MODEL_NEVER;

	for (size_t i = 0; i < m->most_helds; i++) {
		const struct model_limit *l = &m->most_held[i];

		if (l->kind != kind || l->resource != resource)
			continue;
		if (l->whose == whose)
			return l->amount;
		if (l->whose == MODEL_NO_JOB)
			each = l->amount;
	}
	return each;
}

/* Whether @whose is, of that kind, what the job belongs to. */
static bool is_of(const struct model *m, const struct live *j, uint32_t kind,
		  uint32_t whose)
{
	uint32_t node = j->of[0];

	if (whose == MODEL_NO_JOB)
		return false;
	if (kind < MODEL_KINDS)
		return j->of[kind] == whose;
	if (kind < MODEL_LIMIT_TREE)
		return j->of[kind - MODEL_KINDS + 1] == whose &&
		       j->of[0] != MODEL_NO_JOB;
	while (m->tree && node < sched_tree_nodes(m->tree) && node != whose)
		node = sched_tree_above(m->tree, node);
	return m->tree && node == whose;
}

/* Whether @k counts with @j for the limit, to which @j belongs. */
static bool counts_with(const struct model *m, const struct live *k,
			const struct live *j, uint32_t kind, uint32_t whose)
{
	bool by_user = kind >= MODEL_KINDS && kind < MODEL_LIMIT_TREE;

	return is_of(m, k, kind, whose) &&
	       (!by_user || k->of[0] == j->of[0]);
}

static int64_t amount_of(const struct live *j, uint32_t resource)
{
	return resource == MODEL_LIMIT_JOBS ? 1 : j->procs;
}

/* When a live job that holds its limits begins and ends to do so. */
static bool holds(const struct model *m, const struct live *j, bool runs,
		  int64_t *from, int64_t *end)
{
	int64_t start = keeps_promises(m) || j->advance ? j->res : j->planned;

	*from = runs ? j->start : start;
	*end = runs ? j->end : start;
	if (!runs && start != MODEL_NEVER)
		*end += j->estimate;
	return runs || (start != MODEL_NEVER && !j->displaced);
}

/* The live jobs, those that run first. */
static const struct live *live_at(const struct model *m, size_t i)
{
	if (i < m->runs)
		return &m->running[i];
	if (i < m->runs + m->queued)
		return &m->queue[i - m->runs];
	return &m->ineligible[i - m->runs - m->queued].job; /* if bound */
}

/* What others than @j hold, of what it belongs to, at @t; *@change: lowered to
 * the next time at which one of them ends. */
static int64_t held_at(const struct model *m, const struct live *j,
		       uint32_t kind, uint32_t whose, uint32_t resource,
		       int64_t t, int64_t *change)
{
	int64_t held = 0, from, end;

	for (size_t i = 0; i < m->runs + m->queued + m->ineligibles; i++) {
		bool runs = i < m->runs;
		const struct live *k = live_at(m, i);

		if (k->number == j->number ||
		    !counts_with(m, k, j, kind, whose) ||
		    !holds(m, k, runs, &from, &end))
			continue;
		if (from <= t && t < end)
			held += amount_of(k, resource);
		if (t < end && end < *change)
			*change = end;
	}
	return held;
}

/* The first time after @t at which a live job begins to hold its limits. */
static int64_t next_hold(const struct model *m, int64_t t)
{
	int64_t next = MODEL_NEVER, from, end;

	for (size_t i = 0; i < m->runs + m->queued + m->ineligibles; i++) {
		bool runs = i < m->runs;
		const struct live *k = live_at(m, i);

		if (holds(m, k, runs, &from, &end) && from > t && from < next)
			next = from;
	}
	return next;
}

/* What the job belongs to, one after another; @at: 0 at first. */
static bool next_owner(const struct model *m, const struct live *j,
		       uint32_t *at, uint32_t *kind, uint32_t *whose)
{
	uint32_t nodes = m->tree ? sched_tree_nodes(m->tree) : 0;

	for (; *at < MODEL_LIMIT_TREE + nodes; ++*at) {
		*kind = *at;
		if (*at >= MODEL_LIMIT_TREE) {
			*kind = MODEL_LIMIT_TREE;
			*whose = *at - MODEL_LIMIT_TREE;
		} else if (*at >= MODEL_KINDS) {
			*whose = j->of[*at - MODEL_KINDS + 1];
		} else {
			*whose = j->of[*at];
		}
		if (is_of(m, j, *kind, *whose)) {
			++*at;
			return true;
		}
	}
	return false;
}

/* Whether no limit is beyond what the job asks for by itself. */
static bool is_within_limits(const struct model *m, const struct live *j)
{
	uint32_t at = 0, kind, whose;

	while (!j->advance && next_owner(m, j, &at, &kind, &whose))
		for (uint32_t r = 0; r < MODEL_LIMIT_RESOURCES; r++)
			if (amount_of(j, r) > limit_for(m, kind, r, whose))
				return false;
	return true;
}

/* Whether all limits, from @first on, have room for the job during [@t, @end): what
 * others hold grows only where one of them begins; *@change: lowered to a time after @t before which this is no more
 * so. */
static bool limits_from_allow(const struct model *m, uint32_t first,
			      const struct live *j, int64_t t, int64_t end,
			      int64_t *change)
{
	uint32_t at = 0, kind, whose;
	bool allow = true;

	while (m->most_helds && next_owner(m, j, &at, &kind, &whose))
		for (uint32_t r = first; r < MODEL_LIMIT_RESOURCES; r++) {
			int64_t most = limit_for(m, kind, r, whose);

			for (int64_t u = t; most != MODEL_NEVER && u < end;
			     u = next_hold(m, u))
				allow &= held_at(m, j, kind, whose, r, u,
						 change) +
						 amount_of(j, r) <=
					 most;
		}
	return allow;
}

static bool limits_allow(const struct model *m, const struct live *j, int64_t t,
			 int64_t end, int64_t *change)
{
	return limits_from_allow(m, 0, j, t, end, change);
}

/* ---- budgets, C37 ---- */

/* Whether @l is a budget of what the job belongs to. */
static bool is_budget_of(const struct model *m, const struct model_limit *l,
			 const struct live *j)
{
	return l->resource == MODEL_LIMIT_BUDGET &&
	       is_of(m, j, l->kind, l->whose);
}

static bool has_budget(const struct model *m, const struct live *j)
{
	bool any = false;

	for (size_t i = 0; i < m->most_helds; i++)
		any |= is_budget_of(m, &m->most_held[i], j);
	return any;
}

/* What a budget has left beside all jobs but @j. */
static int64_t left_of(const struct model *m, const struct model_limit *l,
		       const struct live *j)
{
	int64_t left = l->amount - l->spent;

	for (size_t i = 0; i < m->runs + m->queued + m->ineligibles; i++) {
		bool runs = i < m->runs;
		const struct live *k = live_at(m, i);
		bool has = keeps_promises(m) || k->advance
				   ? k->res != MODEL_NEVER && !k->revoked
				   : k->planned != MODEL_NEVER;

		if (k->number != j->number && is_budget_of(m, l, k) &&
		    (runs || has))
			left -= k->procs * k->estimate;
	}
	return left;
}

/* Whether the budgets of a job that is not running have room for it; it asks
 * none for what it has. */
static bool budgets_allow(const struct model *m, const struct live *j)
{
	if (keeps_promises(m) && j->res != MODEL_NEVER && !j->revoked)
		return true;
	for (size_t i = 0; i < m->most_helds; i++)
		if (is_budget_of(m, &m->most_held[i], j) &&
		    left_of(m, &m->most_held[i], j) < j->procs * j->estimate)
			return false;
	return !j->waits;
}

/* A running job will leave, or have another size. */
static void spend(struct model *m, const struct live *r)
{
	for (size_t i = 0; i < m->most_helds; i++)
		if (is_budget_of(m, &m->most_held[i], r))
			m->most_held[i].spent += r->procs * (m->now - r->start);
}

/* Queued jobs that @l counts, or any, ask their budgets again. */
static void revoke(struct model *m, const struct model_limit *l)
{
	for (size_t i = 0; i < m->queued; i++)
		m->queue[i].revoked |=
			keeps_promises(m) && m->queue[i].res != MODEL_NEVER &&
			(l ? is_budget_of(m, l, &m->queue[i])
			   : has_budget(m, &m->queue[i]));
}

/* Whether they have from now on, for its whole estimate. */
bool is_allowed(const struct model *m, const struct live *j)
{
	int64_t change = MODEL_NEVER;

	return budgets_allow(m, j) &&
	       limits_allow(m, j, m->now, m->now + j->estimate, &change);
}

/* C30: from when on the job may run, from @t on. */
static int64_t vetoed_from(const struct model *m, const struct live *j,
			   int64_t t)
{
	struct model_view a = view_of(j);

	return m->rules.veto ? m->rules.veto(&a, t) : t;
}

static int64_t vetoed_until(const struct model *m, const struct live *j)
{
	return vetoed_from(m, j, m->now);
}

/* The earliest t >= @from at which @p and all limits have room for @j, and no
 * veto is against it. */
int64_t place(const struct model *m, const struct profile *p,
	      const struct live *j, int64_t from)
{
	int64_t t = profile_place(p, m->capacity, from, j->estimate, j->procs);

	if (!is_within_limits(m, j) || !budgets_allow(m, j))
		return MODEL_NEVER;
	for (;;) {
		int64_t change = MODEL_NEVER;

		if (keeps_promises(m) && t != MODEL_NEVER &&
		    vetoed_from(m, j, t) > t)
			change = vetoed_from(m, j, t);
		else if (t == MODEL_NEVER ||
			 limits_allow(m, j, t, t + j->estimate, &change))
			return t;
		t = profile_place(p, m->capacity, change, j->estimate,
				  j->procs);
	}
}

/* A plan afresh begins, or is over. */
void forget_plan(struct model *m)
{
	for (size_t i = 0; i < m->queued; i++)
		m->queue[i].planned = MODEL_NEVER;
}

/* From @from on, and not before now or before the caller accepts it. */
static int64_t earliest_from(const struct model *m, const struct live *j,
			     int64_t from)
{
	if (from < not_before(m, j))
		from = not_before(m, j);
	return place(m, &m->profile, j, from);
}

static int64_t earliest(const struct model *m, const struct live *j)
{
	return earliest_from(m, j, m->now);
}


/* Whether the job does not go first. */
static bool is_gated(const struct model *m, const struct live *j)
{
	struct model_view a = view_of(j);

	return (m->sfs && sched_sfs_above_target(m->sfs, j->account)) ||
	       (m->rules.gate && !m->rules.gate(&a, m->now));
}

static void place_displaced(struct model *m, bool asks);

/* C26: the profile, for a change of it. */
static struct profile *settled(struct model *m)
{
	place_displaced(m, false);
	return &m->profile;
}

static void take_out(struct model *m, const struct live *j)
{
	place_displaced(m, false);
	if (j->res != MODEL_NEVER)
		profile_use(&m->profile, j->res, j->res + j->estimate,
			    -j->procs);
}

/* C3: the job will be placed last, and its row of refusals has ended. */
static void lose_turn(struct live *j)
{
	j->turn = MODEL_NEVER;
	j->refusals = 0;
}

/* C37: the job is placed as if it had never been. */
static void ask_again(struct live *j)
{
	j->revoked = true;
	j->waits = false;
}

/* Reserves at @res; reports the promise if it is another one. */
static void place_job(struct model *m, struct live *j, int64_t res,
		      enum model_cause cause, uint32_t by)
{
	struct model_decision d = { MODEL_PROMISE, cause, 0, 0, 0, 0 };

	if (res != MODEL_NEVER)
		profile_use(&m->profile, res, res + j->estimate, j->procs);
	if (res < j->turn)
		j->turn = res; /* C3 */
	j->revoked = false;
	j->waits = res == MODEL_NEVER && has_budget(m, j);
	if (j->res == res)
		return;
	j->res = res;
	d.number = j->number;
	d.by = by;
	d.now = m->now;
	d.time = res;
	if (res != MODEL_NEVER && !j->promised) { /* C11 */
		j->promised = true;
		d.cause = MODEL_ARRIVAL;
		d.by = j->number;
	}
	tell_decision(m, &d);
}

/* Gives the job its earliest place. */
static void replace_job(struct model *m, struct live *j, enum model_cause cause,
			uint32_t by)
{
	take_out(m, j);
	place_job(m, j, earliest(m, j), cause, by);
}

/* C23: whether a start or a move to @time is decided now. */
static bool goes_on(const struct model *m, enum model_kind kind,
		    uint32_t number, int64_t time)
{
	struct model_decision d = { kind,	  MODEL_NONE, number,
				    MODEL_NO_JOB, m->now,     time };

	return !m->rules.goes_on || m->rules.goes_on(m->rules.context, &d);
}

/* C2: the beginning of each reaction; false: the answer of C23 was no. */
static bool place_unplaced(struct model *m, enum model_cause cause, uint32_t by,
			   bool asks)
{
	struct live **list = sorted(m, by_turn);
	bool go = true;

	for (size_t i = 0; i < m->queued && go; i++) {
		int64_t to;

		if (list[i]->res != MODEL_NEVER)
			continue;
		to = earliest(m, list[i]);
		if (to != MODEL_NEVER && asks)
			go = goes_on(m, MODEL_PROMISE, list[i]->number, to);
		if (go)
			place_job(m, list[i], to, cause, by);
	}
	free(list);
	return go;
}

static void compress(struct model *m, enum model_cause cause, uint32_t by)
{
	struct live **list = sorted(m, by_turn);

	for (size_t i = 0; i < m->queued; i++)
		replace_job(m, list[i], cause, by);
	free(list);
}

/* The earliest place of a queued job; its present one if that is the one. */
static int64_t earlier_place(struct model *m, const struct live *j)
{
	int64_t to;

	take_out(m, j);
	to = earliest(m, j);
	if (j->res != MODEL_NEVER)
		profile_use(&m->profile, j->res, j->res + j->estimate,
			    j->procs);
	return to;
}

/* C34: the compression, which has paused, is over: an event has come, or a job
 * is queued. */
static void end_walk(struct model *m)
{
	if (m->walk)
		m->paused = false;
	free(m->walk);
	m->walk = NULL;
}

/* The order of a compression; C34: a paused one has that of its beginning. */
static struct live **order_of_compression(struct model *m)
{
	struct live **list = order_of_walk(m);

	for (size_t i = 0; m->walk && i < m->queued; i++)
		list[i] = find(m->queue, m->queued, m->walk[i]);
	if (m->walk || !order_changes(m))
		return list;
	m->walk = must(calloc(m->queued + 1, sizeof(*m->walk)));
	for (size_t i = 0; i < m->queued; i++)
		m->walk[i] = list[i]->number;
	return list;
}

static void compress_prioritized(struct model *m, enum model_cause cause,
				 uint32_t by)
{
	struct live **list = order_of_compression(m);
	size_t i = 0;
	int64_t to;

	while (i < m->queued && !m->paused) {
		to = earlier_place(m, list[i]);
		if (to == list[i]->res) {
			i++;
		} else if (goes_on(m, MODEL_PROMISE, list[i]->number, to)) {
			replace_job(m, list[i], cause, by);
			i = 0;
		} else {
			m->paused = true;
		}
	}
	m->paused |= !goes_on(m, MODEL_PROMISE, MODEL_NO_JOB, MODEL_NEVER);
	if (!m->paused)
		end_walk(m);
	free(list);
}

/* C35: the job counts for the gate as if it had started. */
static void count_filled(struct model *m, struct live *j)
{
	if (j->res != m->now || j->filled)
		return;
	j->filled = true;
	if (m->sfs)
		sched_sfs_start(m->sfs, j->number, j->account, j->procs);
}

static void fill_pass(struct model *m, struct live **list, bool gated,
		      enum model_cause cause, uint32_t by)
{
	for (size_t i = 0; i < m->queued; i++) {
		struct live *j = list[i];
		int64_t t;

		if (gated && is_gated(m, j))
			continue;
		take_out(m, j);
		t = earliest(m, j);
		place_job(m, j, t == m->now ? t : j->res, cause, by);
		count_filled(m, j);
	}
}

/* dc: moves each job that can start now. */
static void compress_delayed(struct model *m, enum model_cause cause,
			     uint32_t by)
{
	struct live **list = order_of_walk(m);

	if (m->sfs || m->rules.gate)
		fill_pass(m, list, true, cause, by);
	fill_pass(m, list, false, cause, by);
	for (size_t i = 0; i < m->queued; i++) {
		if (m->sfs && list[i]->filled)
			sched_sfs_leave(m->sfs, list[i]->number);
		list[i]->filled = false;
	}
	free(list);
}

/* A reaction, or what a pause (C23) has left of it. */
static void go_on_reacting(struct model *m, enum model_cause cause, uint32_t by)
{
	m->paused = m->displaced > 0;
	if (!m->paused && m->places) {
		m->places = !place_unplaced(m, cause, by, true);
		m->paused = m->places;
	}
	if (m->paused)
		return;
	if (m->rules.policy == MODEL_CONSERVATIVE)
		compress(m, cause, by);
	else if (m->rules.policy == MODEL_PC && !m->walk && order_changes(m) &&
		 !goes_on(m, MODEL_START, MODEL_NO_JOB, MODEL_NEVER))
		m->paused = true;
	else if (m->rules.policy == MODEL_PC)
		compress_prioritized(m, cause, by);
	else
		compress_delayed(m, cause, by);
}

static int by_arrival(const struct model *m, const struct live *a,
		      const struct live *b)
{
	(void)m;
	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* C37: whether all budgets of the job have room for it, and none is held back;
 * those that have none are. */
static bool try_budgets_of(const struct model *m, const struct live *j,
			   bool *held_back)
{
	bool allow = true;

	for (size_t i = 0; i < m->most_helds; i++)
		if (is_budget_of(m, &m->most_held[i], j) && held_back[i])
			return false;
	for (size_t i = 0; i < m->most_helds; i++)
		if (is_budget_of(m, &m->most_held[i], j) &&
		    left_of(m, &m->most_held[i], j) < j->procs * j->estimate)
			held_back[i] = true;
	for (size_t i = 0; i < m->most_helds; i++)
		allow &= !is_budget_of(m, &m->most_held[i], j) || !held_back[i];
	return allow;
}

/* C37: jobs that wait for their budgets, by (submit, number). */
static void try_budgets(struct model *m, enum model_cause cause, uint32_t by)
{
	bool *held_back = must(calloc(m->most_helds + 1, sizeof(bool)));
	struct live **list = sorted(m, by_arrival);

	for (size_t i = 0; i < m->queued; i++) {
		if (!list[i]->waits || !try_budgets_of(m, list[i], held_back))
			continue;
		list[i]->waits = false;
		place_job(m, list[i], earliest(m, list[i]), cause, by);
	}
	free(list);
	free(held_back);
}

/* The reaction to an early completion, which serves a loss, too. */
static void react_to_room(struct model *m, enum model_cause cause, uint32_t by)
{
	if (!keeps_promises(m))
		return;
	m->pending = false;
	m->places = true;
	end_walk(m);
	for (size_t i = 0; i < m->queued; i++)
		if (m->queue[i].waits)
			place_displaced(m, false);
	try_budgets(m, cause, by);
	go_on_reacting(m, cause, by);
}

void model_resume(struct model *m)
{
	place_displaced(m, true);
	if (m->paused && !m->displaced)
		go_on_reacting(m, MODEL_COMPLETION, MODEL_NO_JOB);
}

bool model_is_paused(const struct model *m)
{
	return m->paused;
}

/* C2: a displaced job keeps its place, or gets the next one, if C26 permits;
 * unless it @asks, it does. */
static bool put_back(struct model *m, struct live *j, bool asks)
{
	int64_t to = earliest_from(m, j, j->res);

	if (to != j->res && asks &&
	    !goes_on(m, MODEL_PROMISE, j->number, to))
		return false;
	j->displaced = false;
	m->displaced--;
	place_job(m, j, to, m->lost_by, m->lost_to);
	return true;
}

/* C2, C26: places displaced jobs, until the answer is no if it @asks. */
static void place_displaced(struct model *m, bool asks)
{
	struct live **list;
	size_t i;

	if (!m->displaced)
		return;
	list = sorted(m, by_turn);
	for (i = 0; i < m->queued; i++)
		if (list[i]->displaced && !put_back(m, list[i], asks))
			break;
	free(list);
}

/* C2: room is lost from @from on. */
static void lose_room(struct model *m, int64_t from, enum model_cause cause,
		      uint32_t by)
{
	if (!keeps_promises(m))
		return;
	place_displaced(m, false);
	for (size_t i = 0; i < m->queued; i++) {
		struct live *j = &m->queue[i];

		if (j->res == MODEL_NEVER || j->res + j->estimate <= from)
			continue;
		profile_use(&m->profile, j->res, j->res + j->estimate,
			    -j->procs);
		j->displaced = true;
		m->displaced++;
	}
	m->lost_by = cause;
	m->lost_to = by;
	m->pending = true;
	place_displaced(m, cause != MODEL_OVERRUN && cause != MODEL_LATE);
}

static void arrive_delayed(struct model *m, uint32_t number)
{
	struct live *x = find(m->queue, m->queued, number);
	struct live **list = order_of_walk(m);
	int64_t s = earliest(m, x);

	for (size_t i = 0; i < m->queued; i++) {
		struct live *j = list[i];
		int64_t n;

		take_out(m, j); /* x has no place: its res is MODEL_NEVER */
		n = earliest(m, j);
		if (s == MODEL_NEVER || n > s + x->estimate ||
		    n == (j == x ? s : j->res))
			n = j->res;
		if (j != x || n != MODEL_NEVER)
			place_job(m, j, n, MODEL_ARRIVAL, number);
	}
	if (x->res == MODEL_NEVER)
		place_job(m, x, earliest(m, x), MODEL_ARRIVAL, number);
	free(list);
}

/* ---- time ---- */

/* Tells the ledgers that a running job has another end. */
static void note_new_end(struct model *m, const struct live *j)
{
	m->walked = false;
	if (m->relshare)
		sched_relshare_plan(m->relshare, j->number, j->end);
}

/* Tells the ledgers that a job is no longer queued or running. */
static void note_left(struct model *m, uint32_t number)
{
	m->walked = false;
	if (m->rules.maui)
		maui_leave(m, number);
	if (m->relshare)
		sched_relshare_leave(m->relshare, number);
	if (m->sfs)
		sched_sfs_leave(m->sfs, number);
	if (m->usage)
		sched_usage_leave(m->usage, number, m->now);
	if (m->tree)
		sched_tree_leave(m->tree, number, m->now);
}

/* Tells the ledgers of a queued job, before any job is placed. */
static void note_queued(struct model *m, const struct live *j)
{
	m->walked = false;
	if (m->relshare)
		sched_relshare_submit(m->relshare, j->number, j->user,
				      j->procs);
}

/* Tells the ledgers of a job that starts now. */
static void note_started(struct model *m, const struct live *j)
{
	int64_t rate = j->rate ? j->rate : j->procs * INT64_C(1048576);

	if (m->relshare)
		sched_relshare_start(m->relshare, j->number, j->end);
	if (m->sfs)
		sched_sfs_start(m->sfs, j->number, j->account, j->procs);
	if (m->usage)
		sched_usage_start(m->usage, j->number, j->user, rate,
				  j->estimate, m->now);
	if (m->tree)
		sched_tree_start(m->tree, j->number, j->user, rate,
				 j->estimate, m->now);
}

/* ---- advance reservations, C19 ---- */

static int64_t running_procs_at(const struct model *m, int64_t t)
{
	int64_t procs = 0;

	for (size_t i = 0; i < m->runs; i++)
		procs += m->running[i].end > t ? m->running[i].procs : 0;
	return procs;
}

static int64_t bound_procs_at(const struct model *m, uint32_t advance,
			      int64_t t)
{
	int64_t procs = 0;

	for (size_t i = 0; i < m->runs; i++)
		if (m->running[i].advance == advance && m->running[i].end > t)
			procs += m->running[i].procs;
	return procs;
}

/* What an advance reservation holds beside its running jobs. */
static int64_t unused_procs_at(const struct model *m,
			       const struct model_advance *b, int64_t t)
{
	int64_t rest = b->procs - bound_procs_at(m, b->number, t);

	return b->from <= t && t < b->to && rest > 0 ? rest : 0;
}

static int64_t reserved_procs_at(const struct model *m, int64_t t)
{
	int64_t procs = 0;

	for (size_t i = 0; i < m->advances; i++)
		procs += unused_procs_at(m, &m->advance[i], t);
	return procs;
}

/* What they hold, which is no more than running jobs leave. */
static int64_t held_procs_at(const struct model *m, int64_t t)
{
	int64_t held = reserved_procs_at(m, t);
	int64_t left = m->capacity - running_procs_at(m, t);

	held = held < left ? held : left;
	return held > 0 ? held : 0;
}

static int64_t promised_procs_at(const struct model *m, int64_t t)
{
	int64_t procs = 0;

	for (size_t i = 0; i < m->queued && keeps_promises(m); i++)
		if (m->queue[i].res != MODEL_NEVER && m->queue[i].res <= t &&
		    t < m->queue[i].res + m->queue[i].estimate)
			procs += m->queue[i].procs;
	return procs;
}

static void plan_reservation_jobs(struct model *m, enum model_cause cause,
				  uint32_t by);

/* C19: holds anew, at each second, what advance reservations can get. */
static void hold_advances(struct model *m)
{
	int64_t last = m->now;
	size_t i;

	for (i = 0; i < m->helds; i++)
		profile_use(&m->profile, m->held_from + (int64_t)i,
			    m->held_from + (int64_t)i + 1, -m->held[i]);
	for (i = 0; i < m->advances; i++)
		if (m->advance[i].to > last)
			last = m->advance[i].to;
	m->held_from = m->now;
	m->helds = (size_t)(last - m->now);
	m->held = grow(m->held, &m->held_cap, m->helds + 1, sizeof(*m->held));
	for (i = 0; i < m->helds; i++) {
		m->held[i] = (int32_t)held_procs_at(m, m->now + (int64_t)i);
		profile_use(&m->profile, m->now + (int64_t)i,
			    m->now + (int64_t)i + 1, m->held[i]);
	}
}

/* Running jobs or advance reservations have changed, and nothing is lost. */
static void note_change(struct model *m, enum model_cause cause, uint32_t by)
{
	hold_advances(m);
	plan_reservation_jobs(m, cause, by);
}

/* They have changed, and from @from on they take more. */
static void note_loss(struct model *m, int64_t from, enum model_cause cause,
		      uint32_t by)
{
	hold_advances(m);
	lose_room(m, from, cause, by);
	plan_reservation_jobs(m, cause, by);
}

static void drop_ended_advances(struct model *m)
{
	for (size_t i = 0; i < m->advances; i++) {
		if (m->advance[i].to > m->now)
			continue;
		m->advance[i--] = m->advance[--m->advances];
		m->walked = false;
	}
}

static struct model_advance *find_advance(const struct model *m,
					  uint32_t number)
{
	for (size_t i = 0; i < m->advances; i++)
		if (m->advance[i].number == number)
			return &m->advance[i];
	return NULL;
}

/* ---- ineligible jobs, C15 ---- */

static struct ineligible *find_ineligible(const struct model *m,
					  uint32_t number)
{
	for (size_t i = 0; i < m->ineligibles; i++)
		if (m->ineligible[i].job.number == number)
			return &m->ineligible[i];
	return NULL;
}

static bool is_known(const struct model *m, uint32_t number)
{
	return find(m->queue, m->queued, number) ||
	       find(m->running, m->runs, number) || find_ineligible(m, number);
}

/* 0, or why nothing can happen at @now to job @number. */
static int test_event(const struct model *m, int64_t now, uint32_t number)
{
	if (now < m->now)
		return -MODEL_ETIME;
	return is_known(m, number) ? 0 : -MODEL_ENOENT;
}

static size_t count_live(const struct model *m)
{
	return m->queued + m->runs + m->ineligibles;
}

static const struct live *nth_live(const struct model *m, size_t i)
{
	if (i < m->queued)
		return &m->queue[i];
	i -= m->queued;
	return i < m->runs ? &m->running[i] : &m->ineligible[i - m->runs].job;
}

/* C18: the job that has this number, or an array that will have it. */
static const struct live *find_number(const struct model *m, uint32_t number)
{
	for (size_t i = 0; i < count_live(m); i++) {
		const struct live *j = nth_live(m, i);

		if (j->number <= number && number - j->number <= j->follow)
			return j;
	}
	return NULL;
}

/* C18: whether there is room, and each number of the tasks is free. */
static bool has_room(const struct model *m, uint32_t number, uint32_t tasks)
{
	size_t load = 1 + (tasks > 1);

	for (size_t i = 0; i < count_live(m); i++)
		load += nth_live(m, i)->follow > 0 ? 2 : 1;
	if (m->rules.jobs && load > m->rules.jobs)
		return false;
	for (uint32_t k = 0; k < tasks; k++)
		if (find_number(m, number + k))
			return false;
	return true;
}

/* ---- reservation jobs, C20 ---- */

static const struct model_advance *advance_of(const struct model *m,
					      const struct live *j)
{
	const struct model_advance *b = find_advance(m, j->advance);

	return b && b->bound_jobs ? b : NULL;
}

static int64_t room_in_advance(const struct model *m,
			       const struct model_advance *b,
			       const struct live *bound, int64_t t)
{
	int64_t room = b->procs - bound_procs_at(m, b->number, t);
	int64_t left = m->capacity - running_procs_at(m, t);

	for (size_t i = 0; i < m->advances; i++)
		if (m->advance[i].number < b->number)
			left -= unused_procs_at(m, &m->advance[i], t);
	if (left < room)
		room = left;
	for (size_t i = 0; i < m->ineligibles; i++) {
		const struct live *j = &m->ineligible[i].job;

		if (j != bound && j->advance == b->number &&
		    j->res != MODEL_NEVER && j->res <= t &&
		    t < j->res + j->estimate)
			room -= j->procs;
	}
	return room;
}

static bool fits_in_advance(const struct model *m, const struct live *j,
			    int64_t at)
{
	const struct model_advance *b = advance_of(m, j);

	if (!b || at < b->from || at < not_before(m, j) ||
	    at + j->estimate > b->to)
		return false;
	for (int64_t t = at; t < at + j->estimate; t++)
		if (room_in_advance(m, b, j, t) < j->procs)
			return false;
	return true;
}

static int64_t place_in_advance(const struct model *m, const struct live *j,
				int64_t from)
{
	const struct model_advance *b = advance_of(m, j);

	for (int64_t t = from > m->now ? from : m->now; b && t < b->to; t++)
		if (fits_in_advance(m, j, t))
			return t;
	return MODEL_NEVER;
}

/* Sorts the reservation jobs by number into a new array. */
static struct ineligible **list_reservation_jobs(struct model *m, size_t *n)
{
	struct ineligible **list =
		must(malloc((m->ineligibles + 1) * sizeof(*list)));

	*n = 0;
	for (size_t i = 0; i < m->ineligibles; i++) {
		struct ineligible *a = &m->ineligible[i];
		size_t k = *n;

		if (!a->bound)
			continue;
		for (; k && list[k - 1]->job.number > a->job.number; k--)
			list[k] = list[k - 1];
		list[k] = a;
		++*n;
	}
	return list;
}

static void tell_reservation_job(struct model *m, struct ineligible *a,
				 enum model_cause cause, uint32_t by)
{
	struct model_decision d = { MODEL_PROMISE, cause,     a->job.number, by,
				    m->now,	   a->job.res };

	if (a->job.res == a->told)
		return;
	if (!advance_of(m, &a->job))
		d.cause = MODEL_ADVANCE_CHANGED;
	if (!a->job.promised) {
		d.cause = MODEL_ARRIVAL;
		d.by = d.number;
	}
	a->job.promised = true;
	a->told = a->job.res;
	tell_decision(m, &d);
}

/* C36: other reservation jobs count, or elsewhere. */
static void count_bound_anew(struct model *m)
{
	if (!m->rules.limits)
		return;
	m->walked = false;
	lose_room(m, m->now, MODEL_LIMITED, MODEL_NO_JOB);
}

/* @moved: one is new, or has another size. */
static void plan_bound_again(struct model *m, enum model_cause cause,
			     uint32_t by, bool moved)
{
	size_t n, i;
	struct ineligible **list = list_reservation_jobs(m, &n);

	for (i = 0; i < n; i++) {
		list[i]->was = list[i]->job.res;
		list[i]->job.res = MODEL_NEVER;
	}
	for (i = 0; i < n; i++)
		list[i]->job.res = place_in_advance(m, &list[i]->job,
						    list[i]->was);
	for (i = 0; i < n;) {
		int64_t t = place_in_advance(m, &list[i]->job, m->now);

		if (t < list[i]->job.res) {
			list[i]->job.res = t;
			i = 0;
		} else {
			i++;
		}
	}
	for (i = 0; i < n; i++) {
		moved |= list[i]->job.res != list[i]->was;
		tell_reservation_job(m, list[i], cause, by);
	}
	free(list);
	if (moved)
		count_bound_anew(m);
}

static void plan_reservation_jobs(struct model *m, enum model_cause cause,
				  uint32_t by)
{
	plan_bound_again(m, cause, by, false);
}

static bool is_list_satisfied(const struct model_eligibility *u)
{
	uint32_t satisfied = 0;

	for (uint32_t i = 0; i < u->count; i++)
		satisfied += u->list[i].satisfied;
	return u->any && u->count ? satisfied > 0 : satisfied == u->count;
}

static bool is_eligible(const struct model *m,
			const struct model_eligibility *u)
{
	return !u->held && !u->end && !u->never_satisfied &&
	       u->begin <= m->now && is_list_satisfied(u);
}

static bool satisfies(enum model_after end, enum model_after event)
{
	return end == event ||
	       (event != MODEL_AFTER_START &&
		(end == MODEL_AFTER_ANY || end == MODEL_AFTER_START));
}

/* The job @number ended in this way, or started. */
static void resolve(struct model_eligibility *u, uint32_t number,
		    enum model_after event)
{
	if (u->end && u->after == number) {
		if (satisfies(u->end, event)) {
			u->end = MODEL_AFTER_NOTHING;
		} else if (event != MODEL_AFTER_START) {
			u->never_satisfied = true;
			u->end = MODEL_AFTER_NOTHING;
		}
	}
	for (uint32_t i = 0; i < u->count; i++) {
		struct model_dependency *d = &u->list[i];

		if (d->after != number || d->satisfied || d->never_satisfied)
			continue;
		if (satisfies(d->end, event))
			d->satisfied = true;
		else if (event != MODEL_AFTER_START)
			d->never_satisfied = true;
	}
}

/* A condition that is new: jobs may run, or have ended. */
static struct model_eligibility begin_waiting(const struct model *m,
					      struct model_eligibility u)
{
	for (uint32_t i = 0; i < u.count; i++) {
		struct model_dependency *d = &u.list[i];

		d->satisfied = d->ended && satisfies(d->end, d->ended);
		d->never_satisfied = d->ended && !d->satisfied;
	}
	for (size_t i = 0; i < m->runs; i++) {
		/* Of a job that has ended the number may be used again. */
		struct model_eligibility copy = u;

		resolve(&copy, m->running[i].number, MODEL_AFTER_START);
		for (uint32_t k = 0; k < u.count; k++)
			if (u.list[k].ended)
				copy.list[k] = u.list[k];
		u = copy;
	}
	return u;
}

static void make_ineligible(struct model *m, struct live j,
			    const struct model_eligibility *until, bool fresh)
{
	struct ineligible *a;

	m->ineligible = grow(m->ineligible, &m->ineligible_cap,
			     m->ineligibles + 1, sizeof(*a));
	a = &m->ineligible[m->ineligibles++];
	a->job = j;
	a->job.res = a->job.planned = MODEL_NEVER;
	a->until = *until;
	a->fresh = fresh;
	a->bound = false;
	a->suspended = false;
	a->told = MODEL_NEVER;
}

static const struct model_eligibility unconditional = {
	.begin = 0 - MODEL_NEVER
};

/* Makes it a reservation job, whose promise was @told. */
static void bind_job(struct model *m, struct live j, int64_t told,
		     enum model_cause cause)
{
	end_walk(m);
	make_ineligible(m, j, &unconditional, false);
	m->ineligible[m->ineligibles - 1].bound = true;
	m->ineligible[m->ineligibles - 1].told = told;
	plan_bound_again(m, cause, j.number, true);
}

static struct task_limit *limit_of(const struct model *m, uint32_t number)
{
	for (size_t i = 0; i < m->limits; i++)
		if (number >= m->limit[i].first &&
		    number - m->limit[i].first < m->limit[i].tasks)
			return &m->limit[i];
	return NULL;
}

static uint32_t count_running(const struct model *m, const struct task_limit *l)
{
	uint32_t n = 0;

	for (size_t i = 0; i < m->runs; i++)
		n += limit_of(m, m->running[i].number) == l;
	return n;
}

/* C18: whether there is a slot for the task after it; @live: jobs, with it.
 * C27: whether its limit allows one more. */
static bool has_slot(const struct model *m, const struct live *j, size_t live)
{
	const struct task_limit *l = limit_of(m, j->number);

	return (!j->follow || !m->rules.jobs || live < m->rules.jobs) &&
	       (!l || count_running(m, l) < l->most);
}

/* C27: a job of that number is gone. */
static void drop_limit(struct model *m, uint32_t number)
{
	struct task_limit *l = limit_of(m, number);

	for (uint32_t k = 0; l && k < l->tasks; k++)
		if (find_number(m, l->first + k))
			return;
	if (l)
		*l = m->limit[--m->limits];
}

static void enqueue(struct model *m, struct live j, bool fresh)
{
	if (!has_slot(m, &j, count_live(m) + 1)) {
		make_ineligible(m, j, &unconditional, fresh);
		return;
	}
	if (j.advance) {
		bind_job(m, j, MODEL_NEVER,
			 fresh ? MODEL_ARRIVAL : MODEL_RELEASED);
		return;
	}
	place_displaced(m, false);
	end_walk(m);
	j.revoked = j.waits = false;
	m->queue = grow(m->queue, &m->queue_cap, m->queued + 1, sizeof(j));
	m->queue[m->queued++] = j;
	note_queued(m, &j);
	if (fresh && m->rules.policy == MODEL_DC && j.procs <= m->capacity)
		arrive_delayed(m, j.number);
	else if (keeps_promises(m))
		replace_job(m, &m->queue[m->queued - 1],
			    fresh ? MODEL_ARRIVAL : MODEL_RELEASED, j.number);
}

static void enqueue_eligible(struct model *m)
{
	for (;;) {
		struct ineligible *a = NULL, woken;

		for (size_t i = 0; i < m->ineligibles; i++)
			if (!m->ineligible[i].bound &&
			    !m->ineligible[i].suspended &&
			    is_eligible(m, &m->ineligible[i].until) &&
			    has_slot(m, &m->ineligible[i].job, count_live(m)) &&
			    (!a || m->ineligible[i].job.number < a->job.number))
				a = &m->ineligible[i];
		if (!a)
			return;
		woken = *a;
		*a = m->ineligible[--m->ineligibles];
		enqueue(m, woken.job, woken.fresh);
	}
}

static void resolve_dependencies(struct model *m, uint32_t number,
				 enum model_after event)
{
	for (size_t i = 0; i < m->ineligibles; i++)
		resolve(&m->ineligible[i].until, number, event);
}

/* Whether the starts of these jobs release another one. */
static bool do_starts_release(const struct model *m, const uint32_t *number,
			      size_t n)
{
	for (size_t i = 0; i < m->ineligibles; i++) {
		const struct ineligible *a = &m->ineligible[i];
		struct model_eligibility u = a->until;

		for (size_t k = 0; k < n; k++)
			resolve(&u, number[k], MODEL_AFTER_START);
		if (is_eligible(m, &u) && !is_eligible(m, &a->until) &&
		    !a->suspended &&
		    has_slot(m, &a->job, count_live(m)))
			return true;
	}
	return false;
}

/* C15: the job has started; whether jobs were queued for that. */
static bool release_by_start(struct model *m, uint32_t number)
{
	bool released = do_starts_release(m, &number, 1);

	resolve_dependencies(m, number, MODEL_AFTER_START);
	enqueue_eligible(m);
	return released;
}

/* C1: when a job that has run from its start until @now is planned to end. */
static int64_t planned_end(const struct live *j, int64_t estimate, int64_t now)
{
	int64_t end = j->start + estimate, more = 1;

	if (end > now)
		return end;
	while (end + more <= now)
		more *= 2;
	return end + more;
}

static void extend_overruns(struct model *m, bool finishing)
{
	int64_t from = MODEL_NEVER;
	uint32_t first = MODEL_NO_JOB;

	for (size_t i = 0; i < m->runs; i++) {
		struct live *j = &m->running[i];

		if (j->end > m->now || (finishing && j->end == m->now))
			continue;
		if (j->end < from || (j->end == from && j->number < first)) {
			from = j->end;
			first = j->number;
		}
		profile_use(&m->profile, j->start, j->end, -j->procs);
		j->end = planned_end(j, j->estimate, m->now);
		profile_use(&m->profile, j->start, j->end, j->procs);
		note_new_end(m, j);
	}
	if (from != MODEL_NEVER)
		note_loss(m, -MODEL_NEVER, MODEL_OVERRUN, first);
}

/* C4 */
static void displace_late(struct model *m)
{
	int64_t first = MODEL_NEVER;

	for (size_t i = 0; i < m->queued; i++)
		if (m->queue[i].res < first)
			first = m->queue[i].res;
	if (first < m->now)
		lose_room(m, first, MODEL_LATE, MODEL_NO_JOB);
	plan_reservation_jobs(m, MODEL_LATE, MODEL_NO_JOB);
}

static void advance_to(struct model *m, int64_t now, bool finishing)
{
	if (m->relshare)
		sched_relshare_advance(m->relshare, now);
	m->walked &= now == m->now;
	place_displaced(m, false);
	if (m->paused && m->places)
		place_unplaced(m, MODEL_COMPLETION, MODEL_NO_JOB, false);
	m->now = now;
	drop_ended_advances(m);
	extend_overruns(m, finishing);
	displace_late(m);
}

/* C1, C15: brings the model to @now. */
static int catch_up(struct model *m, int64_t now, bool finishing)
{
	if (now < m->now)
		return -MODEL_ETIME;
	end_walk(m);
	advance_to(m, now, finishing);
	place_displaced(m, false);
	enqueue_eligible(m);
	return 0;
}

/* ---- events ---- */

int model_submit(struct model *m, int64_t now, uint32_t number,
		 const struct model_job *job)
{
	return model_submit_ineligible(m, now, number, job, NULL);
}

/* C20: whether the advance reservation has so much, for so long, from now on. */
static bool can_be_within(const struct model_advance *b, int64_t now,
			  int32_t procs, int64_t estimate)
{
	int64_t from = b->from > now ? b->from : now;

	return procs <= b->procs && from + estimate <= b->to;
}

static int test_binding(const struct model *m, int64_t now,
			const struct model_job *job)
{
	const struct model_advance *b = find_advance(m, job->advance);

	if (!job->advance)
		return 0;
	if (!b || b->to <= now)
		return -MODEL_ENOENT;
	if (!b->bound_jobs)
		return -MODEL_EINVAL;
	return can_be_within(b, now, job->procs, job->estimate)
		       ? 0
		       : -MODEL_ERANGE;
}

/* Whether each job that it waits for is live, or said to have ended. */
static bool are_awaited_known(const struct model *m,
			      const struct model_eligibility *u)
{
	bool known = !u->end || find_number(m, u->after);

	for (uint32_t i = 0; i < u->count; i++)
		known &= u->list[i].ended || find_number(m, u->list[i].after);
	return known;
}

int model_submit_ineligible(struct model *m, int64_t now, uint32_t number,
			    const struct model_job *job,
			    const struct model_eligibility *until)
{
	struct model_eligibility u = until ? *until : unconditional;
	uint32_t tasks = job->tasks ? job->tasks : 1;
	struct live j;
	int error;

	if (now < m->now)
		return -MODEL_ETIME;
	if (number == MODEL_NO_JOB || job->submit > now)
		return -MODEL_EINVAL;
	if (until && !are_awaited_known(m, until))
		return -MODEL_ENOENT;
	if (job->estimate < 1 || job->estimate >= MODEL_LONGEST ||
	    job->procs < 1)
		return -MODEL_EINVAL;
	if (job->procs > m->most)
		return -MODEL_ERANGE;
	error = test_binding(m, now, job);
	if (error)
		return error;
	if (m->rules.maui &&
	    !maui_possible(m, &job->asks, job->procs, job->estimate))
		return -MODEL_ERANGE;
	if (!has_room(m, number, tasks))
		return -MODEL_EINVAL;
	memset(&j, 0, sizeof(j));
	memcpy(j.of, job->of, sizeof(j.of));
	j.procs = job->procs;
	j.advance = job->advance;
	if (!is_within_limits(m, &j))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	j.number = number;
	j.follow = tasks - 1;
	j.user = job->user;
	j.account = job->account;
	j.rate = job->rate;
	j.submit = job->submit;
	j.run = job->run;
	j.estimate = job->estimate;
	j.ran = j.overran = 0;
	j.asks = job->asks;
	j.allowed = -MODEL_NEVER;
	j.res = j.place = j.planned = j.turn = MODEL_NEVER;
	u = begin_waiting(m, u);
	if (!is_eligible(m, &u))
		make_ineligible(m, j, &u, true);
	else
		enqueue(m, j, true);
	return 0;
}

/* Takes a job out of the queue; it tells the promise that it loses. */
static void unqueue(struct model *m, struct live *j,
		    const struct model_eligibility *until,
		    enum model_cause cause)
{
	struct model_decision d = { MODEL_PROMISE, cause,  j->number,
				    j->number,	   m->now, MODEL_NEVER };
	struct live job = *j;

	take_out(m, j);
	note_left(m, job.number);
	drop(m->queue, &m->queued, j);
	job.place = MODEL_NEVER;
	lose_turn(&job);
	if (job.res != MODEL_NEVER && keeps_promises(m))
		tell_decision(m, &d);
	make_ineligible(m, job, until, false);
}

/* A reservation job waits for more than its reservation. */
static void unbind(struct model *m, struct ineligible *a,
		   enum model_cause cause)
{
	struct model_decision d = { MODEL_PROMISE,  cause,
				    a->job.number,  a->job.number,
				    m->now,	    MODEL_NEVER };
	bool held = a->job.res != MODEL_NEVER;

	if (held)
		tell_decision(m, &d);
	a->bound = false;
	a->told = a->job.res = MODEL_NEVER;
	if (held)
		count_bound_anew(m);
}

/* Jobs without a slot lose their places, where @live jobs live. */
static void unplan_without_slot(struct model *m, size_t live)
{
	bool any = false;
	struct live *j;
	size_t i;

	do {
		for (j = NULL, i = 0; i < m->queued; i++)
			if (!has_slot(m, &m->queue[i], live) &&
			    (!j || m->queue[i].res < j->res ||
			     (m->queue[i].res == j->res &&
			      m->queue[i].number < j->number)))
				j = &m->queue[i];
		any |= j != NULL;
		if (j)
			unqueue(m, j, &unconditional, MODEL_NO_SLOT);
	} while (j);
	for (i = 0; i < m->ineligibles; i++)
		if (m->ineligible[i].bound &&
		    !has_slot(m, &m->ineligible[i].job, live)) {
			unbind(m, &m->ineligible[i], MODEL_NO_SLOT);
			any = true;
		}
	if (!any)
		return;
	plan_reservation_jobs(m, MODEL_CANCELLED, MODEL_NO_JOB);
	react_to_room(m, MODEL_CANCELLED, MODEL_NO_JOB);
}

/* C18: with one job more the table is full. */
static void unplan_arrays(struct model *m)
{
	if (m->rules.jobs && count_live(m) + 1 >= m->rules.jobs)
		unplan_without_slot(m, count_live(m) + 1);
}

/* C27: whether a planned job is of the array of @number, and has no slot. */
static bool is_any_limited(const struct model *m, uint32_t number)
{
	const struct task_limit *l = limit_of(m, number);
	bool any = false;

	for (size_t i = 0; l && i < m->queued; i++)
		any |= limit_of(m, m->queue[i].number) == l;
	for (size_t i = 0; l && i < m->ineligibles; i++)
		any |= m->ineligible[i].bound &&
		       limit_of(m, m->ineligible[i].job.number) == l;
	return any && count_running(m, l) >= l->most;
}

/* C27: @number has started, or its limit has changed; whether others lose
 * their places. */
static bool unplan_limited(struct model *m, uint32_t number)
{
	if (!is_any_limited(m, number))
		return false;
	unplan_without_slot(m, count_live(m));
	return true;
}

static void set_eligibility(struct model *m, struct ineligible *a,
			    const struct model_eligibility *until)
{
	a->until = *until;
	if (a->bound && !is_eligible(m, until)) {
		unbind(m, a, MODEL_DEFERRED);
		plan_reservation_jobs(m, MODEL_CANCELLED, a->job.number);
	}
	enqueue_eligible(m);
}

/* Marks the jobs that it waits for; true: @number is one of them. */
static bool mark_awaited(struct model *m, uint32_t number,
			 const struct model_eligibility *u, bool *marked)
{
	bool found = false;

	for (uint32_t i = 0; i <= u->count; i++) {
		const struct model_dependency *d = &u->list[i];
		const struct live *j = NULL;
		const struct ineligible *a;

		if (i < u->count && !d->ended && !d->satisfied &&
		    !d->never_satisfied)
			j = find_number(m, d->after);
		else if (i == u->count && u->end)
			j = find_number(m, u->after);
		found |= j && j->number == number;
		a = j ? find_ineligible(m, j->number) : NULL;
		if (a)
			marked[a - m->ineligible] = true;
	}
	return found;
}

/*
 * Whether job @number would wait for itself: marks what it waits for, as many
 * times as there are jobs. A list that is satisfied is forgotten.
 */
static bool is_cycle(struct model *m, uint32_t number,
		     const struct model_eligibility *u)
{
	bool *marked = copy_of("", 0, m->ineligibles + 1);
	bool found = u && mark_awaited(m, number, u, marked);

	for (size_t round = 0; round < m->ineligibles; round++)
		for (size_t i = 0; i < m->ineligibles; i++) {
			const struct model_eligibility *v =
				&m->ineligible[i].until;
			struct model_eligibility rest = *v;

			if (v->any && is_list_satisfied(v))
				rest.count = 0;
			if (marked[i])
				found |= mark_awaited(m, number, &rest,
						      marked);
		}
	free(marked);
	return found;
}

int model_defer(struct model *m, int64_t now, uint32_t number,
		const struct model_eligibility *until)
{
	int error = test_event(m, now, number);
	struct model_eligibility u;
	struct live *j;

	if (error)
		return error;
	if (find(m->running, m->runs, number))
		return -MODEL_EINVAL;
	if (until && !are_awaited_known(m, until))
		return -MODEL_ENOENT;
	if (is_cycle(m, number, until))
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	u = begin_waiting(m, until ? *until : unconditional);
	until = &u;
	j = find(m->queue, m->queued, number);
	if (!j) {
		set_eligibility(m, find_ineligible(m, number), until);
	} else if (!is_eligible(m, until)) {
		unqueue(m, j, until, MODEL_DEFERRED);
		react_to_room(m, MODEL_CANCELLED, number);
	}
	return 0;
}

/* C27: a job that ran, or was promised @from, has no slot. */
static void wait_for_slot(struct model *m, struct live j, int64_t from)
{
	struct model_decision d = { MODEL_PROMISE, MODEL_NO_SLOT, j.number,
				    j.number,	   m->now,	  MODEL_NEVER };

	if (from != MODEL_NEVER && (keeps_promises(m) || j.advance))
		tell_decision(m, &d);
	j.place = MODEL_NEVER;
	lose_turn(&j);
	make_ineligible(m, j, &unconditional, false);
}

int model_requeue(struct model *m, int64_t now, uint32_t number)
{
	struct model_decision d = { MODEL_PROMISE, MODEL_REQUEUED, number,
				    number,	   now,		   MODEL_NEVER };
	struct live *r = find(m->running, m->runs, number), j;
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (!r || r->began == now)
		return -MODEL_EINVAL;
	if (r->ran && m->rules.maui &&
	    !maui_possible(m, &r->asks, r->procs, r->ran + r->estimate - r->overran))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	r = find(m->running, m->runs, number);
	j = *r;
	spend(m, r);
	profile_use(settled(m), j.start, j.end, -j.procs);
	note_left(m, number);
	drop(m->running, &m->runs, r);
	note_change(m, MODEL_COMPLETION, number);
	if (now < j.end)
		react_to_room(m, MODEL_COMPLETION, number);
	j.estimate += j.ran - j.overran; /* it begins again */
	j.ran = j.overran = 0;
	j.res = MODEL_NEVER;
	lose_turn(&j);
	j.kept = false;
	if (!has_slot(m, &j, count_live(m) + 1)) {
		wait_for_slot(m, j, j.began);
		return 0;
	}
	if (j.advance) {
		bind_job(m, j, j.began, MODEL_REQUEUED);
		return 0;
	}
	end_walk(m);
	m->queue = grow(m->queue, &m->queue_cap, m->queued + 1, sizeof(j));
	m->queue[m->queued++] = j;
	note_queued(m, &j);
	if (!keeps_promises(m))
		return 0;
	replace_job(m, &m->queue[m->queued - 1], MODEL_REQUEUED, number);
	if (m->queue[m->queued - 1].res == MODEL_NEVER) /* C16, C36 */
		tell_decision(m, &d);
	return 0;
}

/* Maui may forbid the rest of an overrun. */
static bool maui_forbids_rest(const struct model *m, const struct live *r,
			      int32_t procs, int64_t now)
{
	int64_t end = r->end;

	if (end <= now)
		end = planned_end(r, r->estimate, now);
	return m->rules.maui && !maui_possible(m, &r->asks, procs, end - now);
}

int model_suspend(struct model *m, int64_t now, uint32_t number)
{
	struct model_decision d = { MODEL_PROMISE, MODEL_SUSPENDED, number,
				    number,	   now,		    MODEL_NEVER };
	struct live *r = find(m->running, m->runs, number), j;
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (!r)
		return -MODEL_EINVAL;
	if (maui_forbids_rest(m, r, r->procs, now))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	r = find(m->running, m->runs, number);
	j = *r;
	spend(m, r);
	profile_use(settled(m), j.start, j.end, -j.procs);
	note_left(m, number);
	drop(m->running, &m->runs, r);
	note_change(m, MODEL_COMPLETION, number);
	react_to_room(m, MODEL_COMPLETION, number);
	j.overran += j.end - (j.start + j.estimate);
	j.estimate = j.end - now;
	j.ran += now - j.start;
	j.refusals = 0;
	j.kept = false;
	if (keeps_promises(m) || j.advance)
		tell_decision(m, &d);
	make_ineligible(m, j, &unconditional, true);
	m->ineligible[m->ineligibles - 1].suspended = true;
	return 0;
}

int model_resume_job(struct model *m, int64_t now, uint32_t number)
{
	int error = test_event(m, now, number);
	struct ineligible *a = find_ineligible(m, number);

	if (error)
		return error;
	if (!a || !a->suspended)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	find_ineligible(m, number)->suspended = false;
	enqueue_eligible(m);
	return 0;
}

/* C25: whether a running job can have @more processors until its end. */
static bool can_grow(const struct model *m, const struct live *r, int32_t more)
{
	const struct model_advance *b = advance_of(m, r);

	struct live grown = *r;
	int64_t change = MODEL_NEVER;

	grown.procs += more;
	if (!r->advance && !limits_from_allow(m, MODEL_LIMIT_PROCS, &grown, m->now, r->end,
			       &change))
		return false;
	for (size_t i = 0; !r->advance && i < m->most_helds; i++)
		if (is_budget_of(m, &m->most_held[i], r) &&
		    left_of(m, &m->most_held[i], r) <
			    r->procs * (m->now - r->start) +
				    grown.procs * (r->end - m->now))
			return false;
	if (!b)
		return profile_place(&m->profile, m->capacity, m->now,
				     r->end - m->now, more) == m->now;
	for (int64_t t = m->now; t < r->end; t++)
		if (t < b->from || t >= b->to ||
		    room_in_advance(m, b, r, t) < more)
			return false;
	return true;
}

int model_resize(struct model *m, int64_t now, uint32_t number, int32_t procs)
{
	struct live *r = find(m->running, m->runs, number);
	int error = test_event(m, now, number);
	int32_t more;

	if (error)
		return error;
	if (!r || procs < 1)
		return -MODEL_EINVAL;
	if (maui_forbids_rest(m, r, procs, now))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	r = find(m->running, m->runs, number);
	more = procs - r->procs;
	if (more > 0 && (!can_grow(m, r, more) ||
			 (m->rules.maui && !r->advance &&
			  !maui_can_grow(m, number, procs))))
		return -MODEL_ERANGE;
	spend(m, r);
	profile_use(settled(m), r->start, r->end, -r->procs);
	note_left(m, number);
	r->procs = procs;
	r->overran += r->end - (r->start + r->estimate);
	r->ran += now - r->start;
	r->start = now;
	r->estimate = r->end - now;
	profile_use(&m->profile, r->start, r->end, r->procs);
	note_queued(m, r);
	note_started(m, r);
	note_change(m, MODEL_COMPLETION, number);
	if (more < 0)
		react_to_room(m, MODEL_COMPLETION, number);
	return 0;
}

static bool is_named_twice(const uint32_t *number, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (number[i] == number[k])
				return true;
	return false;
}

/* @status: of each; NULL: all 0 */
int model_finish_many(struct model *m, int64_t now, const uint32_t *number,
		      const int32_t *status, size_t n)
{
	int error = now < m->now ? -MODEL_ETIME : 0;
	bool early = false;

	for (size_t i = 0; !error && i < n; i++) {
		error = test_event(m, now, number[i]);
		if (!error && (!find(m->running, m->runs, number[i]) ||
			       is_named_twice(number, i + 1)))
			error = -MODEL_EINVAL;
	}
	if (error)
		return error;
	catch_up(m, now, true);
	for (size_t i = 0; i < n; i++) {
		struct live *j = find(m->running, m->runs, number[i]);

		early |= now < j->end;
		spend(m, j);
		profile_use(settled(m), j->start, j->end, -j->procs);
		note_left(m, number[i]);
		drop(m->running, &m->runs, j);
	}
	if (n)
		note_change(m, MODEL_COMPLETION, number[n - 1]);
	if (early)
		react_to_room(m, MODEL_COMPLETION, number[n - 1]);
	for (size_t i = 0; i < n; i++) {
		drop_limit(m, number[i]);
		resolve_dependencies(m, number[i],
				     status && status[i] ? MODEL_AFTER_NOT_OK
							 : MODEL_AFTER_OK);
	}
	enqueue_eligible(m);
	return 0;
}

int model_finish(struct model *m, int64_t now, uint32_t number)
{
	return model_exit(m, now, number, 0);
}

int model_exit(struct model *m, int64_t now, uint32_t number, int32_t status)
{
	return model_finish_many(m, now, &number, &status, 1);
}

int model_cancel(struct model *m, int64_t now, uint32_t number)
{
	struct live *j = find(m->queue, m->queued, number);
	uint32_t follow;
	bool held;

	if (!j && !find_ineligible(m, number))
		return model_exit(m, now, number, 1);
	if (catch_up(m, now, false))
		return -MODEL_ETIME;
	follow = find_number(m, number)->follow;
	j = find(m->queue, m->queued, number);
	if (!j) {
		held = find_ineligible(m, number)->job.res != MODEL_NEVER;
		*find_ineligible(m, number) = m->ineligible[m->ineligibles - 1];
		m->ineligibles--;
		if (held)
			count_bound_anew(m);
		plan_reservation_jobs(m, MODEL_CANCELLED, number);
	} else {
		take_out(m, j);
		note_left(m, number);
		drop(m->queue, &m->queued, j);
		react_to_room(m, MODEL_CANCELLED, number);
	}
	drop_limit(m, number);
	for (uint32_t k = 0; k <= follow; k++)
		resolve_dependencies(m, number + k, MODEL_AFTER_NOT_OK);
	enqueue_eligible(m);
	return 0;
}

static void modify_running(struct model *m, struct live *j, int64_t estimate)
{
	int64_t was = j->end;

	profile_use(settled(m), j->start, j->end, -j->procs);
	j->estimate = estimate;
	if (m->usage)
		sched_usage_walltime(m->usage, j->number, estimate);
	if (m->tree)
		sched_tree_walltime(m->tree, j->number, estimate, m->now);
	j->end = planned_end(j, estimate, m->now);
	profile_use(&m->profile, j->start, j->end, j->procs);
	if (j->end != was)
		note_new_end(m, j);
	if (j->end > was) {
		note_loss(m, was, MODEL_LONGER, j->number);
		return;
	}
	note_change(m, MODEL_LONGER, j->number);
	if (j->end < was)
		react_to_room(m, MODEL_COMPLETION, j->number);
}

int model_modify(struct model *m, int64_t now, uint32_t number, int32_t procs,
		 int64_t estimate)
{
	struct live *q = find(m->queue, m->queued, number);
	struct live *r = find(m->running, m->runs, number);
	struct ineligible *a = find_ineligible(m, number);
	const struct model_advance *b = a ? find_advance(m, a->job.advance)
					  : NULL;
	int error = test_event(m, now, number);
	struct live changed;

	if (error)
		return error;
	if ((r && procs != r->procs) || procs < 1 || estimate < 1 ||
	    estimate >= MODEL_LONGEST)
		return -MODEL_EINVAL;
	if (procs > m->most)
		return -MODEL_ERANGE;
	if (m->rules.maui && !maui_possible(m,
					    q	? &q->asks
					    : r ? &r->asks
						: &a->job.asks,
					    procs, estimate))
		return -MODEL_ERANGE;
	changed = q ? *q : r ? *r : a->job;
	if (procs > changed.procs) {
		changed.procs = procs;
		if (!is_within_limits(m, &changed))
			return -MODEL_ERANGE;
	}
	if (b && b->bound_jobs && b->to > now &&
	    !can_be_within(b, now, procs, estimate))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	a = find_ineligible(m, number);
	q = find(m->queue, m->queued, number);
	(a ? &a->job : r ? r : q)->overran = 0;
	if (a) {
		a->job.procs = procs;
		a->job.estimate = estimate;
		a->job.res = MODEL_NEVER;
		plan_bound_again(m, MODEL_MODIFIED, number, a->bound);
		return 0;
	}
	if (r) {
		modify_running(m, r, estimate);
		return 0;
	}
	take_out(m, q);
	if (m->queued == 1 && !m->places)
		m->paused = false; /* C23 */
	note_left(m, number);
	q->procs = procs;
	q->estimate = estimate;
	q->place = MODEL_NEVER;
	ask_again(q);
	lose_turn(q);
	note_queued(m, q);
	if (keeps_promises(m))
		place_job(m, q, earliest(m, q), MODEL_MODIFIED, number);
	return 0;
}

int model_capacity(struct model *m, int64_t now, int32_t delta,
		   const uint32_t *victim, size_t victims)
{
	int64_t idle = m->capacity;
	bool early = false;
	size_t i, k;

	if (now < m->now)
		return -MODEL_ETIME;
	if (!delta || (delta > 0 && victims) ||
	    delta > INT32_MAX - m->capacity)
		return -MODEL_EINVAL;
	for (i = 0; i < m->runs; i++)
		idle -= m->running[i].procs;
	for (i = 0; i < victims; i++) {
		const struct live *j = find(m->running, m->runs, victim[i]);

		if (!is_known(m, victim[i]))
			return -MODEL_ENOENT;
		for (k = 0; k < i; k++)
			if (victim[k] == victim[i])
				return -MODEL_EINVAL;
		if (!j)
			return -MODEL_EINVAL;
		idle += j->procs;
	}
	if (idle + delta < 0)
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	for (i = 0; i < victims; i++) {
		struct live *j = find(m->running, m->runs, victim[i]);

		early = true; /* now < end, by catch_up() */
		spend(m, j);
		profile_use(settled(m), j->start, j->end, -j->procs);
		note_left(m, victim[i]);
		drop(m->running, &m->runs, j);
		drop_limit(m, victim[i]);
		resolve_dependencies(m, victim[i], MODEL_AFTER_NOT_OK);
	}
	m->capacity += delta;
	m->walked = false;
	if (m->relshare)
		sched_relshare_capacity(m->relshare, m->capacity);
	if (m->capacity > m->most)
		m->most = m->capacity;
	if (delta < 0)
		note_loss(m, m->now, MODEL_LOST, MODEL_NO_JOB);
	else
		note_change(m, MODEL_GREW, MODEL_NO_JOB);
	if (delta > 0)
		react_to_room(m, MODEL_GREW, MODEL_NO_JOB);
	else if (early)
		react_to_room(m, MODEL_COMPLETION, victim[0]);
	enqueue_eligible(m);
	return 0;
}

/* C19: the first second at which advance reservations hold more than they did,
 * in front of @last; or MODEL_NEVER. */
static int64_t first_taken(const struct model *m, const struct model *before,
			   int64_t last)
{
	for (int64_t t = m->now; t < last; t++)
		if (held_procs_at(m, t) > held_procs_at(before, t))
			return t;
	return MODEL_NEVER;
}

int model_advance_reserve(struct model *m, int64_t now,
			  const struct model_advance *b, bool force)
{
	struct model_advance *was;
	struct model before;
	int64_t taken;
	bool changes;

	if (now < m->now)
		return -MODEL_ETIME;
	if (b->from >= b->to || b->procs < 1)
		return -MODEL_EINVAL;
	if (b->to <= now)
		return -MODEL_ETIME;
	if (b->procs > m->most)
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	was = find_advance(m, b->number);
	changes = was != NULL;
	for (int64_t t = now > b->from ? now : b->from; t < b->to && !force;
	     t++) {
		int64_t used =
			running_procs_at(m, t) + reserved_procs_at(m, t) +
			promised_procs_at(m, t) + unused_procs_at(m, b, t);

		if (was)
			used -= unused_procs_at(m, was, t);
		if (used > m->capacity)
			return -MODEL_ERANGE;
	}
	before = *m;
	before.advance =
		copy_of(m->advance, m->advances, sizeof(*m->advance));
	if (was)
		*was = m->advance[--m->advances];
	m->advance =
		grow(m->advance, &m->advance_cap, m->advances + 1, sizeof(*b));
	m->advance[m->advances++] = *b;
	m->walked = false;
	taken = first_taken(m, &before, b->to);
	free(before.advance);
	hold_advances(m);
	if (taken != MODEL_NEVER)
		lose_room(m, taken, MODEL_ADVANCE_RESERVED, MODEL_NO_JOB);
	plan_reservation_jobs(m, MODEL_ADVANCE_CHANGED, MODEL_NO_JOB);
	if (changes)
		react_to_room(m, MODEL_ADVANCE_CANCELLED, MODEL_NO_JOB);
	return 0;
}

int model_advance_cancel(struct model *m, int64_t now, uint32_t number)
{
	struct model_advance *b = find_advance(m, number);

	if (now < m->now)
		return -MODEL_ETIME;
	if (!b || b->to <= now)
		return -MODEL_ENOENT;
	catch_up(m, now, false);
	b = find_advance(m, number);
	*b = m->advance[--m->advances];
	m->walked = false;
	note_change(m, MODEL_ADVANCE_CANCELLED, MODEL_NO_JOB);
	react_to_room(m, MODEL_ADVANCE_CANCELLED, MODEL_NO_JOB);
	return 0;
}

/* C7: @j was to start now, and is queued again. */
static void displace_refused(struct model *m, struct live *j, bool told)
{
	if (!j->refusals++)
		j->refused = m->now;
	j->res = m->now;
	if (j->allowed == MODEL_NEVER || !m->rules.patience ||
	    m->now - j->refused >= m->rules.patience) {
		ask_again(j);
		lose_turn(j);
		place_job(m, j, earliest(m, j), MODEL_REFUSED, j->number);
		m->pending = true;
		return;
	}
	if (!told)
		j->allowed = m->now + (INT64_C(1) << (j->refusals - 1));
	profile_use(&m->profile, j->res, j->res + j->estimate, j->procs);
	lose_room(m, m->now, MODEL_REFUSED, j->number);
}

/* @time: not before it; or @now: the caller does not say. */
static int refuse_until(struct model *m, int64_t now, uint32_t number,
			int64_t time)
{
	struct live *r = find(m->running, m->runs, number);
	int error = test_event(m, now, number);
	struct live j;

	if (error)
		return error;
	if (!r || now != m->now || r->began != now || time < now)
		return -MODEL_EINVAL;
	j = *r;
	if (m->rules.maui)
		maui_leave(m, number);
	profile_use(settled(m), j.start, j.end, -j.procs);
	drop(m->running, &m->runs, r);
	note_change(m, MODEL_COMPLETION, number);
	j.allowed = time > now ? time : now + 1;
	j.res = MODEL_NEVER;
	if (!has_slot(m, &j, count_live(m) + 1)) { /* C27 */
		note_left(m, number);
		wait_for_slot(m, j, now);
		m->pending |= keeps_promises(m) && !j.advance;
		return 0;
	}
	if (j.advance) {
		note_left(m, number);
		bind_job(m, j, now, MODEL_REFUSED);
		return 0;
	}
	m->queue = grow(m->queue, &m->queue_cap, m->queued + 1, sizeof(j));
	m->queue[m->queued++] = j;
	if (m->relshare)
		sched_relshare_requeue(m->relshare, number);
	else
		note_left(m, number);
	m->walked = false;
	if (keeps_promises(m))
		displace_refused(m, &m->queue[m->queued - 1], time > now);
	return 0;
}

int model_refuse_start(struct model *m, int64_t now, uint32_t number,
		       int64_t not_before)
{
	const struct live *r = find(m->running, m->runs, number);

	if (r && now == m->now && r->start == now && not_before >= now)
		end_walk(m);
	return refuse_until(m, now, number, not_before);
}

int model_replan(struct model *m, int64_t now)
{
	if (catch_up(m, now, false))
		return -MODEL_ETIME;
	m->walked = false;
	if (keeps_promises(m) && m->rules.veto)
		lose_room(m, m->now, MODEL_LIMITED, MODEL_NO_JOB);
	react_to_room(m, MODEL_COMPLETION, MODEL_NO_JOB);
	return 0;
}

int model_set_rate(struct model *m, int64_t now, uint32_t number, int64_t rate)
{
	struct ineligible *a;
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (find(m->running, m->runs, number) || rate < 0)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	a = find_ineligible(m, number);
	(a ? &a->job : find(m->queue, m->queued, number))->rate = rate;
	return 0;
}

int model_retry(struct model *m, int64_t now, uint32_t number)
{
	struct ineligible *a = find_ineligible(m, number);
	struct live *q = find(m->queue, m->queued, number);
	int error = test_event(m, now, number);

	if (error)
		return error;
	if (!q && !a)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	a = find_ineligible(m, number);
	q = find(m->queue, m->queued, number);
	m->walked = false;
	if (a) {
		a->job.allowed = -MODEL_NEVER;
		plan_reservation_jobs(m, MODEL_CANCELLED, number);
		return 0;
	}
	if (q->allowed == MODEL_NEVER)
		lose_turn(q);
	q->allowed = -MODEL_NEVER;
	if (!keeps_promises(m))
		return 0;
	if (q->res == MODEL_NEVER)
		ask_again(q);
	replace_job(m, q, MODEL_CANCELLED, number);
	react_to_room(m, MODEL_CANCELLED, number);
	return 0;
}

/* ---- starts ---- */

static int64_t accepted(const struct model *m, uint32_t number)
{
	const struct live *j = find(m->queue, m->queued, number);
	struct model_view a = view_of(j);

	return m->rules.fits ? m->rules.fits(&a, m->now) : m->now;
}

bool can_start(const struct model *m, uint32_t number)
{
	return accepted(m, number) <= m->now;
}

/* Moves a job to the running ones; the profile has its interval. */
static void run_job(struct model *m, uint32_t number)
{
	struct live *q = find(m->queue, m->queued, number);
	struct live j = *q;

	drop(m->queue, &m->queued, q);
	j.start = j.began = m->now;
	j.end = m->now + j.estimate;
	j.res = j.place = j.planned = MODEL_NEVER;
	if (j.start < j.turn)
		j.turn = j.start;
	j.follow = 0;
	m->running = grow(m->running, &m->run_cap, m->runs + 1, sizeof(j));
	m->running[m->runs++] = j;
	note_started(m, &j);
}

/* Starts a job; false if the start was refused, C17. */
bool start(struct model *m, uint32_t number)
{
	struct model_decision d = { MODEL_START,  MODEL_NONE, number,
				    MODEL_NO_JOB, m->now,     m->now };
	struct live rest = *find(m->queue, m->queued, number);
	int64_t from = accepted(m, number);
	bool starts = from <= m->now;

	run_job(m, number);
	if (starts)
		tell_decision(m, &d);
	m->again |= !starts || rest.follow;
	if (!starts) {
		refuse_until(m, m->now, number, from);
		m->queue[m->queued - 1].follow = rest.follow;
	} else if (rest.follow) {
		rest.number++;
		rest.follow--;
		rest.res = rest.place = MODEL_NEVER;
		lose_turn(&rest);
		rest.kept = rest.promised = false;
		rest.allowed = -MODEL_NEVER;
		rest.bypassed = 0;
		unplan_arrays(m);
		enqueue(m, rest, true);
	}
	if (starts) {
		m->again |= unplan_limited(m, number);
		m->again |= release_by_start(m, number);
	}
	return starts;
}

/* C27: whether a queued job loses its place by these starts, which has none
 * among them. */
static bool do_starts_unplan(const struct model *m, const uint32_t *number,
			     size_t n)
{
	const struct task_limit *l = limit_of(m, number[n - 1]);
	uint32_t running = l ? count_running(m, l) : 0;
	bool any = false, started;

	for (size_t k = 0; k < n; k++)
		running += l && limit_of(m, number[k]) == l;
	if (!l || running < l->most)
		return false;
	for (size_t i = 0; i < m->queued; i++) {
		started = false;
		for (size_t k = 0; k < n; k++)
			started |= number[k] == m->queue[i].number;
		any |= !started && limit_of(m, m->queue[i].number) == l;
	}
	return any;
}

/* C15, C17, C18: whether the last of these starts makes the scan begin again. */
static bool ends_scan(const struct model *m, const uint32_t *started, size_t n)
{
	uint32_t number = started[n - 1];

	return !can_start(m, number) ||
	       find(m->queue, m->queued, number)->follow ||
	       do_starts_unplan(m, started, n) ||
	       do_starts_release(m, started, n);
}

/* The due reservation of the lowest number, or NULL. */
static struct live *find_due(const struct model *m)
{
	struct live *first = NULL;

	for (size_t i = 0; i < m->queued; i++)
		if (m->queue[i].res == m->now &&
		    (!first || m->queue[i].number < first->number))
			first = &m->queue[i];
	return first;
}

/* C2, C26: before a start; false: a part of a loss is left. */
static bool end_loss(struct model *m)
{
	place_displaced(m, true);
	if (m->pending && !m->displaced)
		react_to_room(m, MODEL_COMPLETION, MODEL_NO_JOB);
	return !m->displaced;
}

static void step_promised(struct model *m)
{
	struct live *j;

	for (;;) {
		m->stopped = !end_loss(m);
		if (m->stopped)
			return;
		if (m->rules.policy == MODEL_DC) {
			place_unplaced(m, MODEL_FILL, MODEL_NO_JOB, true);
			compress_delayed(m, MODEL_FILL, MODEL_NO_JOB);
		}
		j = find_due(m);
		if (!j)
			return;
		m->stopped = !goes_on(m, MODEL_START, j->number, m->now);
		if (m->stopped)
			return;
		if (m->rules.maui) { /* C34 */
			maui_prioritize(m);
			maui_bypass(m, j);
		}
		start(m, j->number);
	}
}

/* C12: the @k-th window, widest first; false if there are fewer. */
bool window_at(const struct model *m, const struct profile *p, size_t k,
	       struct window *w)
{
	int64_t least = m->capacity, used = 0;
	size_t i = 0, found = 0;

	for (;; i++) {
		while (i < p->n && p->edge[i].at <= m->now)
			used += p->edge[i++].delta;
		if (m->capacity - used < least)
			least = m->capacity - used;
		if (least <= 0)
			return false;
		if (i == p->n ||
		    m->capacity - used - p->edge[i].delta < least) {
			w->procs = (int32_t)least;
			w->end = i == p->n ? MODEL_NEVER : p->edge[i].at;
			if (found++ == k)
				return true;
		}
		if (i == p->n)
			return false;
		used += p->edge[i].delta;
	}
}

static int64_t metric(const struct model *m, const struct live *j)
{
	if (m->rules.metric == MODEL_PROCS)
		return j->procs;
	if (m->rules.metric == MODEL_SECONDS)
		return j->estimate;
	return j->procs * j->estimate;
}

/*
 * The best set of @list[0..n), as a mask in which list[0] is the highest bit.
 * Each job fits into @w by itself. Of equally good sets the greatest mask wins.
 */
static uint32_t best_set(const struct model *m, const struct window *w,
			 struct live *const *list, size_t n)
{
	uint32_t mask, best = 0;
	int64_t most = -1;

	for (mask = 0; mask < UINT32_C(1) << n; mask++) {
		int64_t sum = 0, procs = 0;

		for (size_t i = 0; i < n; i++) {
			if (!(mask >> (n - 1 - i) & 1))
				continue;
			sum += metric(m, list[i]);
			procs += list[i]->procs;
		}
		if (procs <= w->procs && sum >= most) {
			most = sum;
			best = mask;
		}
	}
	return best;
}

/* Moves the jobs to start in @w to the front of @fit; returns their number. */
size_t choose(const struct model *m, const struct window *w, struct live **fit,
	      size_t n)
{
	size_t i, best = 0, chosen = 0;
	uint32_t mask;

	if (m->rules.select == MODEL_FIRSTFIT)
		return 1;
	if (m->rules.select == MODEL_BESTFIT) {
		for (i = 1; i < n; i++)
			if (metric(m, fit[i]) > metric(m, fit[best]))
				best = i;
		fit[0] = fit[best];
		return 1;
	}
	if (n > 12)
		n = 12;
	mask = best_set(m, w, fit, n);
	for (i = 0; i < n; i++)
		if (mask >> (n - 1 - i) & 1)
			fit[chosen++] = fit[i];
	return chosen;
}

/*
 * Chooses jobs for the first window that has a fitting candidate: moves them
 * from
 * @list to the plan @p and to @started, by number, since start() moves jobs.
 * False if no window has a candidate.
 */
static bool backfill_once(struct model *m, struct profile *p,
			  struct live **list, size_t *n, uint32_t *started,
			  size_t *starts)
{
	size_t windows = 0, k, i, fits = 0, chosen;
	struct live **fit = malloc((*n + 1) * sizeof(struct live *));
	struct window w;

	if (!fit)
		abort();
	while (window_at(m, p, windows, &w))
		windows++;
	for (k = 0; k < windows && !fits; k++) {
		/* Widest first is shortest first. */
		window_at(m, p, m->rules.longest_first ? windows - 1 - k : k,
			  &w);
		for (i = 0; i < *n; i++)
			if (list[i]->procs <= w.procs &&
			    m->now + list[i]->estimate <= w.end &&
			    is_allowed(m, list[i]))
				fit[fits++] = list[i];
	}
	chosen = fits ? choose(m, &w, fit, fits) : 0;
	for (k = 0; k < chosen; k++) {
		if (!is_allowed(m, fit[k]))
			continue;
		fit[k]->planned = m->now;
		profile_use(p, m->now, m->now + fit[k]->estimate,
			    fit[k]->procs);
		started[(*starts)++] = fit[k]->number;
		for (i = 0; list[i] != fit[k]; i++)
			;
		(*n)--;
		memmove(list + i, list + i + 1, (*n - i) * sizeof(*list));
	}
	free(fit);
	return chosen > 0;
}

/* Plans afresh in @p, then starts the chosen jobs. */
static void step_afresh(struct model *m)
{
	struct live **list = sorted(m, by_order);
	uint32_t *started = malloc((m->queued + 1) * sizeof(*started));
	size_t i, starts = 0, reserved = 0, left = 0;
	bool walking = true, stop = false;
	struct profile p = m->profile;

	if (!started)
		abort();
	stop = m->rules.limits && m->walked; /* C36 */
	forget_plan(m);
	p.edge = copy_of(p.edge, p.n, sizeof(*p.edge));
	p.cap = p.n;
	for (i = 0; i < m->queued && !stop; i++) {
		struct live *j = list[i];
		int64_t t = place(m, &p, j, not_before(m, j));

		if (vetoed_until(m, j) > m->now || !is_allowed(m, j))
			continue;
		/* C12: after the Nth reservation the selection decides. */
		if (m->rules.policy == MODEL_EASY && m->rules.select &&
		    reserved == m->rules.depth)
			walking = false;
		if (!walking) {
			if (j->allowed <= m->now)
				list[left++] = j;
		} else if (t == m->now) {
			profile_use(&p, t, t + j->estimate, j->procs);
			j->planned = t;
			started[starts++] = j->number;
			stop = ends_scan(m, started, starts);
		} else if (m->rules.policy == MODEL_FCFS) {
			break;
		} else if (reserved < m->rules.depth && t != MODEL_NEVER) {
			profile_use(&p, t, t + j->estimate, j->procs);
			j->planned = t;
			reserved++;
		}
	}
	while (left && m->rules.select != MODEL_NO_BACKFILL && !stop &&
	       backfill_once(m, &p, list, &left, started, &starts))
		for (i = 0; i < starts && !stop; i++)
			if (ends_scan(m, started, i + 1)) {
				stop = true;
				starts = i + 1;
			}
	for (i = 0; i < starts; i++) {
		struct live *j = find(m->queue, m->queued, started[i]);

		profile_use(&m->profile, m->now, m->now + j->estimate,
			    j->procs);
		start(m, started[i]);
	}
	m->walked = true;
	forget_plan(m);
	free(p.edge);
	free(started);
	free(list);
}

/* The index, in @list[0..n), of the job of the most entitled user. */
static size_t most_entitled(const struct model *m, struct live *const *list,
			    size_t n)
{
	size_t i, first = 0;
	int c;

	for (i = 1; i < n; i++) {
		c = sched_relshare_compare(m->relshare, list[i]->user,
					   list[first]->user);
		if (!c)
			c = by_order(m, list[i], list[first]);
		if (c < 0)
			first = i;
	}
	return first;
}

/* The numbers of the queued jobs, in a new array. */
static uint32_t *list_queued(const struct model *m)
{
	uint32_t *number = malloc((m->queued + 1) * sizeof(*number));

	if (!number)
		abort();
	for (size_t i = 0; i < m->queued; i++)
		number[i] = m->queue[i].number;
	return number;
}

/* Removes the next job to visit from number[0..*n). */
static struct live *
take_most_entitled(struct model *m, uint32_t *number, size_t *n,
		   const struct sched_relshare_reserved *held)
{
	struct live **list = malloc(*n * sizeof(struct live *)), *j;
	size_t i;

	if (!list)
		abort();
	for (i = 0; i < *n; i++)
		list[i] = find(m->queue, m->queued, number[i]);
	sched_relshare_read_usage(m->relshare, held);
	i = most_entitled(m, list, *n);
	j = list[i];
	number[i] = number[--*n];
	free(list);
	return j;
}

/* The profile has the one reservation during the scan. */
static void step_relshare(struct model *m)
{
	struct sched_relshare_reserved held = { 0, 0, 0, 0 };
	uint32_t *number = list_queued(m);
	size_t n = m->walked ? 0 : m->queued;
	struct live *j;
	int64_t t;

	forget_plan(m);
	while (n && !m->again) {
		j = take_most_entitled(m, number, &n, &held);
		t = earliest(m, j);
		if (!is_allowed(m, j))
			continue;
		if (t == m->now) {
			profile_use(&m->profile, t, t + j->estimate, j->procs);
			start(m, j->number);
		} else if (!held.procs && t != MODEL_NEVER) {
			profile_use(&m->profile, t, t + j->estimate, j->procs);
			j->planned = t;
			held.user = j->user;
			held.procs = j->procs;
			held.start = t;
			held.seconds = j->estimate;
		}
	}
	profile_use(&m->profile, held.start, held.start + held.seconds,
		    -held.procs);
	forget_plan(m);
	m->walked = true;
	free(number);
}

/* A reservation, which is in the profile during the scan. */
struct held {
	uint32_t number;
	int64_t start, end;
	int32_t procs;
};

/* A scan that visits each job after the starts of those before it. */
struct walk {
	struct held *held;
	uint32_t reserved;
	bool stopped; /* no further reservation; fcfs: no further start */
	bool ends;    /* C22: at a job that can have no reservation */
};

static bool holds_reservation(const struct walk *w, uint32_t number)
{
	uint32_t i;

	for (i = 0; i < w->reserved; i++)
		if (w->held[i].number == number)
			return true;
	return false;
}

/* Starts a job, or reserves for it, or neither. */
static void visit_job(struct model *m, struct walk *w, struct live *j)
{
	int64_t t = earliest(m, j);
	struct held *h = &w->held[w->reserved];

	if (t == m->now) {
		profile_use(&m->profile, t, t + j->estimate, j->procs);
		if (m->rules.maui)
			maui_bypass(m, j);
		start(m, j->number);
	} else if (t == MODEL_NEVER && m->rules.policy != MODEL_FCFS &&
		   !w->ends) {
		return; /* C10 */
	} else if (w->stopped || w->reserved == m->rules.depth ||
		   t == MODEL_NEVER ||
		   m->rules.policy == MODEL_FCFS) {
		w->stopped = true;
	} else {
		profile_use(&m->profile, t, t + j->estimate, j->procs);
		j->planned = t;
		h->number = j->number;
		h->start = t;
		h->end = t + j->estimate;
		h->procs = j->procs;
		w->reserved++;
	}
}

/* Removes the first job in the queue's order from number[0..*n). */
static struct live *take_first(struct model *m, uint32_t *number, size_t *n)
{
	struct live *first = NULL, *j;
	size_t i, at = 0;

	for (i = 0; i < *n; i++) {
		j = find(m->queue, m->queued, number[i]);
		if (!first || by_order(m, j, first) < 0) {
			first = j;
			at = i;
		}
	}
	number[at] = number[--*n];
	return first;
}

/* Visits all queued jobs without a reservation; @stops: until @w stops. */
static void scan_queue(struct model *m, struct walk *w, bool gated, bool stops)
{
	uint32_t *number = list_queued(m);
	size_t n = m->queued, i;
	struct live *j;

	for (i = 0; i < n; i++)
		if (holds_reservation(w, number[i]))
			number[i--] = number[--n];
	while (n && !m->again && !(stops && w->stopped)) {
		j = take_first(m, number, &n);
		if (vetoed_until(m, j) <= m->now && is_allowed(m, j) &&
		    !(gated && is_gated(m, j)))
			visit_job(m, w, j);
	}
	free(number);
}

/* Whether a job without a reservation could start now. */
static bool has_startable_job(const struct model *m, const struct walk *w,
			      bool gated)
{
	size_t i;

	for (i = 0; i < m->queued; i++) {
		const struct live *j = &m->queue[i];

		if (!holds_reservation(w, j->number) &&
		    earliest(m, j) == m->now &&
		    vetoed_until(m, j) <= m->now && !(gated && is_gated(m, j)))
			return true;
	}
	return false;
}

/* The three passes, of fcfs two. */
static void scan_by_passes(struct model *m, struct walk *w)
{
	if (m->rules.policy == MODEL_FCFS) {
		scan_queue(m, w, true, true);
		scan_queue(m, w, false, true);
		return;
	}
	scan_queue(m, w, true, false);
	if (!m->again && has_startable_job(m, w, true))
		m->broken = 4;
	w->stopped = false;
	w->ends = true;
	scan_queue(m, w, false, true);
	w->stopped = true;
	scan_queue(m, w, false, false);
	if (!m->broken && !m->again && has_startable_job(m, w, false))
		m->broken = 5;
}

static void step_by_scan(struct model *m)
{
	struct walk w = { NULL, 0, false, false };
	bool fcfs = m->rules.policy == MODEL_FCFS;

	w.held = malloc((m->rules.depth + 1) * sizeof(*w.held));
	if (!w.held)
		abort();
	m->broken = 0;
	forget_plan(m);
	if (m->rules.maui && !m->walked)
		maui_prioritize(m);
	if ((m->sfs || m->rules.gate) && !m->walked)
		scan_by_passes(m, &w);
	else if (!m->walked)
		scan_queue(m, &w, false, fcfs);
	while (w.reserved--)
		profile_use(&m->profile, w.held[w.reserved].start,
			    w.held[w.reserved].end, -w.held[w.reserved].procs);
	forget_plan(m);
	m->walked = true;
	free(w.held);
}

/* Starts a due reservation job; false if there is none. */
static bool start_reservation_job(struct model *m)
{
	struct model_decision d = { MODEL_START,  MODEL_NONE, 0,
				    MODEL_NO_JOB, m->now,     m->now };
	struct ineligible *a = NULL;
	uint32_t number;
	struct live j;

	for (size_t i = 0; i < m->ineligibles; i++)
		if (m->ineligible[i].job.res <= m->now &&
		    (!a || m->ineligible[i].job.number < a->job.number))
			a = &m->ineligible[i];
	if (!a)
		return false;
	m->stopped = !goes_on(m, MODEL_START, a->job.number, m->now);
	if (m->stopped)
		return false;
	j = a->job;
	*a = m->ineligible[--m->ineligibles];
	m->queue = grow(m->queue, &m->queue_cap, m->queued + 1, sizeof(j));
	m->queue[m->queued++] = j;
	if (!can_start(m, j.number)) {
		j.allowed = accepted(m, j.number);
		m->queued--;
		bind_job(m, j, m->now, MODEL_REFUSED);
		return true;
	}
	note_queued(m, &j);
	profile_use(&m->profile, m->now, m->now + j.estimate, j.procs);
	run_job(m, j.number);
	d.number = number = j.number;
	tell_decision(m, &d);
	note_change(m, MODEL_NONE, MODEL_NO_JOB);
	if (j.follow) {
		j.number++;
		j.follow--;
		j.allowed = -MODEL_NEVER;
		lose_turn(&j);
		j.promised = false;
		j.bypassed = 0;
		unplan_arrays(m);
		enqueue(m, j, true);
		if (m->pending)
			react_to_room(m, MODEL_COMPLETION, MODEL_NO_JOB);
	}
	unplan_limited(m, number);
	release_by_start(m, number);
	return true;
}

static void decide(struct model *m)
{
	m->stopped = !end_loss(m);
	if (m->stopped)
		return;
	while (start_reservation_job(m))
		;
	if (m->stopped)
		return;
	if (keeps_promises(m))
		step_promised(m);
	else if (m->relshare)
		step_relshare(m);
	else if (m->rules.maui && !m->sfs)
		maui_step(m);
	else if (m->sfs || m->usage || m->tree || m->rules.gate)
		step_by_scan(m);
	else
		step_afresh(m);
}

int model_step(struct model *m, int64_t now, const struct model_decision **d,
	       size_t *n)
{
	if (now < m->now)
		return -MODEL_ETIME;
	advance_to(m, now, false);
	enqueue_eligible(m);
	if (keeps_promises(m) && !m->pending && !m->displaced)
		place_unplaced(m, MODEL_COMPLETION, MODEL_NO_JOB, true);
	do {
		m->walked &= !m->again;
		m->again = false;
		decide(m);
	} while (m->again && !m->stopped);
	if (m->taken)
		m->tells = 0;
	m->taken = true;
	*d = m->told;
	*n = m->tells;
	return 0;
}

static bool has_job_of(const struct live *j, size_t n, uint32_t user)
{
	while (n)
		if (j[--n].user == user)
			return true;
	return false;
}

/* Whether a live job of any state is of @user. */
static bool is_in_use(const struct model *m, uint32_t user)
{
	size_t i;

	for (i = 0; i < m->ineligibles; i++)
		if (m->ineligible[i].job.user == user)
			return true;
	return has_job_of(m->queue, m->queued, user) ||
	       has_job_of(m->running, m->runs, user);
}

/* C37: jobs without a reservation belong to other budgets. */
static void renew_waits(struct model *m)
{
	for (size_t i = 0; i < m->queued; i++)
		m->queue[i].waits = keeps_promises(m) &&
				    m->queue[i].res == MODEL_NEVER &&
				    has_budget(m, &m->queue[i]);
}

int model_change_tree(struct model *m, int64_t now,
		      const struct model_tree_change *c)
{
	bool limited = false;

	if (now < m->now)
		return -MODEL_ETIME;
	if ((c->what == 'r' && is_in_use(m, c->node)) ||
	    !sched_tree_change(m->tree, c, m->now))
		return -MODEL_EINVAL;
	for (size_t i = 0; i < m->most_helds; i++) {
		bool of_node = m->most_held[i].kind == MODEL_LIMIT_TREE;

		limited |= of_node;
		if (of_node && c->what == 'r' &&
		    m->most_held[i].whose == c->node)
			m->most_held[i--] = m->most_held[--m->most_helds];
	}
	catch_up(m, now, false);
	m->walked = false;
	if (limited && c->what == 'm') {
		renew_waits(m);
		revoke(m, NULL);
		lose_room(m, m->now, MODEL_LIMITED, MODEL_NO_JOB);
	}
	return 0;
}

/* ---- changes ---- */

/* C15: whether an ineligible job is queued as soon as the time is @now. */
static bool will_be_queued(const struct model *m, uint32_t number, int64_t now)
{
	const struct ineligible *a = find_ineligible(m, number);
	struct model_eligibility until;

	if (!a || a->suspended || a->bound || !has_slot(m, &a->job, count_live(m)))
		return false;
	until = a->until;
	if (until.begin <= now)
		until.begin = m->now;
	return is_eligible(m, &until);
}

int model_reprioritize(struct model *m, int64_t now, uint32_t number)
{
	int error = test_event(m, now, number);

	if (error)
		return error;
	if ((!find(m->queue, m->queued, number) &&
	     !will_be_queued(m, number, now)) ||
	    (m->rules.order != MODEL_BY_KEY &&
	     m->rules.order != MODEL_BY_COMPARE))
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	m->walked = false;
	return 0;
}

int model_reassign(struct model *m, int64_t now, uint32_t number,
		   const struct model_job *job)
{
	bool replaces = keeps_promises(m) && m->rules.limits;
	struct live changed;
	int error = test_event(m, now, number);
	struct model_request was;
	struct ineligible *a;
	struct live *j;

	if (error)
		return error;
	if (find(m->running, m->runs, number))
		return -MODEL_EINVAL;
	a = find_ineligible(m, number);
	j = a ? &a->job : find(m->queue, m->queued, number);
	was = j->asks;
	memcpy(was.id, job->asks.id, sizeof(was.id));
	if (m->rules.maui && !maui_possible(m, &was, j->procs, j->estimate))
		return -MODEL_ERANGE;
	changed = *j;
	memcpy(changed.of, job->of, sizeof(changed.of));
	if (!is_within_limits(m, &changed))
		return -MODEL_ERANGE;
	catch_up(m, now, false);
	a = find_ineligible(m, number);
	j = a ? &a->job : find(m->queue, m->queued, number);
	if (!a && replaces) {
		take_out(m, j);
		if (m->queued == 1 && !m->places)
			m->paused = false; /* C23 */
	}
	if (!a)
		note_left(m, number);
	j->user = job->user;
	j->account = job->account;
	memcpy(j->of, job->of, sizeof(j->of));
	j->asks = was;
	j->bypassed = 0;
	if (!a && !keeps_promises(m))
		j->place = MODEL_NEVER;
	if (!a)
		note_queued(m, j);
	if (!a && replaces) {
		ask_again(j);
		lose_turn(j);
		place_job(m, j, earliest(m, j), MODEL_MODIFIED, number);
	}
	if (a && a->job.res != MODEL_NEVER)
		count_bound_anew(m);
	return 0;
}

/* C36 */
int model_limit(struct model *m, int64_t now, const struct model_limit *limit)
{
	int64_t was = limit_for(m, limit->kind, limit->resource, limit->whose);
	struct model_limit *l = NULL;
	int64_t is, spent;

	if (now < m->now)
		return -MODEL_ETIME;
	if (limit->resource == MODEL_LIMIT_BUDGET &&
	    (limit->whose == MODEL_NO_JOB ||
	     (limit->kind >= MODEL_KINDS && limit->kind < MODEL_LIMIT_TREE)))
		return -MODEL_EINVAL;
	if (limit->kind == MODEL_LIMIT_TREE &&
	    (!m->tree || !sched_tree_has_account(m->tree, limit->whose)))
		return -MODEL_ENOENT;
	for (size_t i = 0; i < m->most_helds; i++)
		if (m->most_held[i].kind == limit->kind &&
		    m->most_held[i].resource == limit->resource &&
		    m->most_held[i].whose == limit->whose)
			l = &m->most_held[i];
	if (!l && limit->amount != MODEL_NEVER &&
	    m->most_helds == m->rules.limits)
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	if (!l && limit->amount != MODEL_NEVER) {
		m->most_held = grow(m->most_held, &m->most_held_cap,
				    m->most_helds + 1, sizeof(*l));
		l = &m->most_held[m->most_helds++];
	}
	if (l && limit->amount != MODEL_NEVER) {
		spent = was == MODEL_NEVER ? 0 : l->spent;
		*l = *limit;
		l->spent = spent;
	} else if (l) {
		*l = m->most_held[--m->most_helds];
	}
	is = limit_for(m, limit->kind, limit->resource, limit->whose);
	renew_waits(m);
	if (is < was && limit->resource == MODEL_LIMIT_BUDGET)
		revoke(m, limit);
	if (is != was)
		m->walked = false;
	if (is < was)
		lose_room(m, m->now, MODEL_LIMITED, MODEL_NO_JOB);
	else if (is > was)
		react_to_room(m, MODEL_GREW, MODEL_NO_JOB);
	return 0;
}

static struct model_limit *find_budget(const struct model *m,
				       const struct model_limit *budget)
{
	for (size_t i = 0; i < m->most_helds; i++)
		if (m->most_held[i].kind == budget->kind &&
		    m->most_held[i].resource == MODEL_LIMIT_BUDGET &&
		    m->most_held[i].whose == budget->whose)
			return &m->most_held[i];
	return NULL;
}

int64_t model_spent(const struct model *m, const struct model_limit *budget)
{
	const struct model_limit *l = find_budget(m, budget);

	return l ? l->spent : 0;
}

int model_set_spent(struct model *m, int64_t now,
		    const struct model_limit *budget, int64_t spent)
{
	struct model_limit *l = find_budget(m, budget);
	int64_t was;

	if (now < m->now)
		return -MODEL_ETIME;
	if (!l)
		return -MODEL_ENOENT;
	catch_up(m, now, false);
	l = find_budget(m, budget);
	was = l->spent;
	l->spent = spent;
	if (spent != was)
		m->walked = false;
	if (spent > was) {
		revoke(m, l);
		lose_room(m, m->now, MODEL_LIMITED, MODEL_NO_JOB);
	} else if (spent < was) {
		react_to_room(m, MODEL_GREW, MODEL_NO_JOB);
	}
	return 0;
}

/* C18: whether the parts of @j before and behind task @k have room. */
static bool has_room_for_parts(const struct model *m, const struct live *j,
			       uint32_t k)
{
	size_t load = 0;

	for (size_t i = 0; i < count_live(m); i++)
		load += nth_live(m, i)->follow > 0 ? 2 : 1;
	load = load - 2 + (k > 0) + (k > 1) + 1 + (k < j->follow) +
	       (k + 1 < j->follow);
	return !m->rules.jobs || load <= m->rules.jobs;
}

/* A part of an array arrives. */
static void accept_part(struct model *m, struct live j, uint32_t number,
			uint32_t tasks, const struct model_eligibility *until)
{
	j.number = number;
	j.follow = tasks - 1;
	j.allowed = -MODEL_NEVER;
	j.res = j.place = MODEL_NEVER;
	lose_turn(&j);
	j.bypassed = 0;
	j.kept = j.promised = j.displaced = false;
	if (is_eligible(m, until))
		enqueue(m, j, true);
	else
		make_ineligible(m, j, until, true);
}

int model_split_task(struct model *m, int64_t now, uint32_t number)
{
	struct model_eligibility until = unconditional;
	const struct live *whole;
	struct ineligible *a;
	struct live j, *first;
	uint32_t k;

	if (now < m->now)
		return -MODEL_ETIME;
	whole = find_number(m, number);
	if (!whole)
		return -MODEL_ENOENT;
	k = number - whole->number;
	if (!whole->follow || !has_room_for_parts(m, whole, k))
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	whole = find_number(m, number);
	j = *whole;
	a = find_ineligible(m, j.number);
	first = a ? &a->job : find(m->queue, m->queued, j.number);
	if (a)
		until = a->until;
	if (until.any && is_list_satisfied(&until))
		until.count = 0;
	first->follow = k ? k - 1 : 0;
	if (k)
		accept_part(m, j, number, 1, &until);
	if (k < j.follow)
		accept_part(m, j, number + 1, j.follow - k, &until);
	if (m->rules.jobs && count_live(m) >= m->rules.jobs)
		unplan_without_slot(m, count_live(m));
	enqueue_eligible(m);
	return 0;
}

int model_limit_tasks(struct model *m, int64_t now, uint32_t number,
		      uint32_t most)
{
	struct task_limit *l = limit_of(m, number);
	int error = test_event(m, now, number);
	uint32_t tasks;

	if (error)
		return error;
	tasks = find_number(m, number)->follow + 1;
	if (!l && (!most || tasks == 1 || m->limits == m->rules.task_limits))
		return -MODEL_EINVAL;
	catch_up(m, now, false);
	if (!l) {
		m->limit = grow(m->limit, &m->limit_cap, m->limits + 1,
				sizeof(*l));
		l = &m->limit[m->limits++];
		l->first = number;
		l->tasks = tasks;
	}
	l->most = most ? most : UINT32_MAX;
	unplan_limited(m, number);
	enqueue_eligible(m);
	return 0;
}

/* C28: time passes, and the scan begins anew. */
static int change_ledgers(struct model *m, int64_t now)
{
	if (catch_up(m, now, false))
		return -MODEL_ETIME;
	m->walked = false;
	return 0;
}

/* 0, or why usage cannot be changed at @now. */
static int test_usage(const struct model *m, int64_t now, int kind)
{
	if (now < m->now)
		return -MODEL_ETIME;
	if (m->sfs && kind == MODEL_ACCOUNT)
		return 0;
	return m->rules.maui && !m->rules.maui->usage ? -MODEL_ENOENT : 0;
}

int model_set_usage(struct model *m, int64_t now, int kind, uint32_t id,
		    int64_t usage)
{
	int error = test_usage(m, now, kind);

	if (error)
		return error;
	change_ledgers(m, now);
	if (m->sfs && kind == MODEL_ACCOUNT)
		return -MODEL_EINVAL;
	if (m->usage) {
		sched_usage_set(m->usage, id, usage, now);
	} else if (m->relshare && (!m->rules.decays || !usage)) {
		sched_relshare_set_used(m->relshare, id, usage);
	} else if (m->rules.maui) {
		maui_take(m, kind, id, MODEL_NEVER);
		maui_give(m, kind, id, usage * 256);
	} else {
		return -MODEL_EINVAL;
	}
	return 0;
}

int model_credit(struct model *m, int64_t now, int kind, uint32_t id,
		 int64_t amount, int64_t *taken)
{
	int error = test_usage(m, now, kind);
	int64_t used;

	if (error)
		return error;
	change_ledgers(m, now);
	if (m->sfs && kind == MODEL_ACCOUNT)
		return -MODEL_EINVAL;
	if (m->usage) {
		*taken = (int64_t)sched_usage_credit(m->usage, id, amount, now);
	} else if (m->relshare && !m->rules.decays) {
		used = sched_relshare_used(m->relshare, id);
		*taken = amount < used ? amount : used;
		sched_relshare_set_used(m->relshare, id, used - *taken);
	} else if (m->rules.maui) {
		*taken = maui_take(m, kind, id, amount * 256) / 256;
	} else {
		return -MODEL_EINVAL;
	}
	return 0;
}

int64_t model_used(const struct model *m, int kind, uint32_t id)
{
	if (m->usage)
		return (int64_t)sched_usage_ended(m->usage, id, m->now);
	return m->relshare ? sched_relshare_used(m->relshare, id)
			   : maui_used(m, kind, id);
}

int model_reset_usage(struct model *m, int64_t now)
{
	const uint32_t ids = m->rules.maui ? MODEL_IDS : m->rules.users;

	if (change_ledgers(m, now))
		return -MODEL_ETIME;
	if (m->usage) {
		sched_usage_reset(m->usage);
		return 0;
	}
	if (m->tree)
		sched_tree_reset(m->tree);
	for (int kind = 0; kind < (m->rules.maui ? MODEL_KINDS : 1); kind++)
		for (uint32_t id = 0; id < ids; id++)
			(void)model_set_usage(m, now, kind, id, 0);
	return 0;
}

int model_set_share(struct model *m, int64_t now, uint32_t id, int64_t share)
{
	if (change_ledgers(m, now))
		return -MODEL_ETIME;
	if (m->sfs)
		sched_sfs_set_target(m->sfs, id, share);
	else if (m->relshare)
		sched_relshare_share(m->relshare, id, (uint32_t)share);
	else
		return -MODEL_EINVAL;
	return 0;
}

int model_forget(struct model *m, int64_t now, uint32_t user)
{
	if (change_ledgers(m, now))
		return -MODEL_ETIME;
	if (m->relshare)
		sched_relshare_forget(m->relshare, user);
	return 0;
}

int model_set_half_life(struct model *m, int64_t now, int64_t half_life)
{
	if (now < m->now)
		return -MODEL_ETIME;
	if (!m->usage && (!m->tree || !half_life))
		return -MODEL_EINVAL;
	change_ledgers(m, now);
	if (m->tree)
		sched_tree_set_half_life(m->tree, half_life, now);
	else
		sched_usage_change(m->usage, half_life, now);
	return 0;
}

int model_set_window(struct model *m, int64_t now, int64_t window, bool decays)
{
	if (now < m->now)
		return -MODEL_ETIME;
	if (!m->relshare && !m->rules.maui)
		return -MODEL_EINVAL;
	change_ledgers(m, now);
	if (m->relshare)
		return sched_relshare_set_window(m->relshare, window)
			       ? 0
			       : -MODEL_EINVAL;
	maui_set_window(m, window, decays);
	return 0;
}

int model_set_credential(struct model *m, int64_t now, int kind, uint32_t id,
			 const struct model_credential *c)
{
	if (now < m->now)
		return -MODEL_ETIME;
	if (!m->rules.maui)
		return -MODEL_EINVAL;
	change_ledgers(m, now);
	maui_set_credential(m, kind, id, c);
	return 0;
}

int64_t model_next(const struct model *m)
{
	int64_t next = MODEL_NEVER;
	size_t i;

	for (i = 0; i < m->runs; i++)
		if (m->running[i].end < next)
			next = m->running[i].end;
	for (i = 0; i < m->queued; i++) {
		int64_t t = m->queue[i].res;

		if (!keeps_promises(m) && m->queue[i].allowed > m->now)
			t = m->queue[i].allowed; /* C8 */
		if (t < next)
			next = t;
		t = vetoed_until(m, &m->queue[i]);
		if (!keeps_promises(m) && t > m->now && t < next)
			next = t;
	}
	for (i = 0; i < m->ineligibles; i++) {
		const struct model_eligibility *u = &m->ineligible[i].until;
		int64_t t = u->begin > m->now ? u->begin : m->now;

		if (m->ineligible[i].bound)
			t = m->ineligible[i].job.res;
		else if (u->held || u->end || u->never_satisfied ||
			 !is_list_satisfied(u) || m->ineligible[i].suspended ||
			 !has_slot(m, &m->ineligible[i].job, count_live(m)))
			continue;
		if (t < next)
			next = t;
	}
	for (i = 0; i < m->advances && m->queued && !keeps_promises(m); i++)
		if (m->advance[i].to < next)
			next = m->advance[i].to;
	if (m->rules.maui && maui_next(m) < next)
		next = maui_next(m);
	if (m->pending)
		next = m->now; /* C2 */
	return next > m->now ? next : m->now; /* a step left more to start */
}

/* ---- life cycle and queries ---- */

struct model *model_new(const struct model_rules *rules, int64_t now)
{
	struct model *m = calloc(1, sizeof(*m));

	if (!m)
		abort();
	m->rules = *rules;
	m->now = m->origin = now;
	m->capacity = m->most = rules->procs;
	if (rules->policy == MODEL_RELSHARE ||
	    rules->order == MODEL_BY_RELSHARE)
		m->relshare = sched_relshare_new(rules, now);
	if (rules->policy == MODEL_SFS ||
	    (rules->policy == MODEL_DC && rules->target))
		m->sfs = sched_sfs_new(rules);
	if (rules->order == MODEL_BY_USAGE)
		m->usage = sched_usage_new(rules);
	if (rules->order == MODEL_BY_TREE)
		m->tree = sched_tree_new(rules);
	if (rules->maui)
		m->rules.maui = maui_copy(rules->maui);
	m->used_from = -MODEL_NEVER;
	return m;
}

struct model *model_clone(const struct model *m)
{
	struct model *c = copy_of(m, 1, sizeof(*m));

	c->queue = copy_of(m->queue, m->queued, sizeof(*m->queue));
	c->queue_cap = m->queued;
	c->running = copy_of(m->running, m->runs, sizeof(*m->running));
	c->run_cap = m->runs;
	c->ineligible =
		copy_of(m->ineligible, m->ineligibles, sizeof(*m->ineligible));
	c->ineligible_cap = m->ineligibles;
	c->advance = copy_of(m->advance, m->advances, sizeof(*m->advance));
	c->advance_cap = m->advances;
	c->held = copy_of(m->held, m->helds, sizeof(*m->held));
	c->held_cap = m->helds;
	c->profile.edge = copy_of(m->profile.edge, m->profile.n,
				  sizeof(*m->profile.edge));
	c->profile.cap = m->profile.n;
	c->told = copy_of(m->told, m->tells, sizeof(*m->told));
	c->told_cap = m->tells;
	if (m->walk)
		c->walk = copy_of(m->walk, m->queued, sizeof(*m->walk));
	if (m->relshare)
		c->relshare = sched_relshare_copy(m->relshare);
	if (m->sfs)
		c->sfs = sched_sfs_copy(m->sfs);
	if (m->usage)
		c->usage = sched_usage_copy(m->usage);
	if (m->tree)
		c->tree = sched_tree_copy(m->tree);
	c->past = copy_of(m->past, m->pasts, sizeof(*m->past));
	c->past_cap = m->pasts;
	c->given = copy_of(m->given, m->givens, sizeof(*m->given));
	c->given_cap = m->givens;
	c->limit = copy_of(m->limit, m->limits, sizeof(*m->limit));
	c->limit_cap = m->limits;
	c->most_held = copy_of(m->most_held, m->most_helds,
			       sizeof(*m->most_held));
	c->most_held_cap = m->most_helds;
	if (m->rules.maui)
		c->rules.maui = maui_copy(m->rules.maui);
	return c;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	free(m->queue);
	free(m->running);
	free(m->ineligible);
	free(m->advance);
	free(m->held);
	free(m->profile.edge);
	free(m->told);
	free(m->walk);
	sched_relshare_free(m->relshare);
	sched_sfs_free(m->sfs);
	sched_usage_free(m->usage);
	sched_tree_free(m->tree);
	free(m->past);
	free(m->given);
	free(m->limit);
	free(m->most_held);
	free((void *)m->rules.maui);
	free(m);
}

size_t model_queued(const struct model *m)
{
	return m->queued;
}

size_t model_displaced(const struct model *m)
{
	return m->displaced;
}

size_t model_ineligible_jobs(const struct model *m)
{
	return m->ineligibles;
}

size_t model_advances(const struct model *m)
{
	return m->advances;
}

size_t model_running(const struct model *m)
{
	return m->runs;
}

int32_t model_free_procs(const struct model *m)
{
	int32_t idle = m->capacity;

	for (size_t i = 0; i < m->runs; i++)
		idle -= m->running[i].procs;
	return idle;
}

int64_t model_promise(const struct model *m, uint32_t number)
{
	const struct live *j = find(m->queue, m->queued, number);

	if (!j && find_ineligible(m, number))
		j = &find_ineligible(m, number)->job;
	return j && !j->displaced ? j->res : MODEL_NEVER;
}

int64_t model_end(const struct model *m, uint32_t number)
{
	const struct live *j = find(m->running, m->runs, number);

	return j ? j->end : MODEL_NEVER;
}

int model_check(const struct model *m)
{
	struct profile sum = { NULL, 0, 0 };
	int64_t used = 0;
	int broken = 0;
	size_t i;

	for (i = 0; i < m->runs; i++)
		profile_use(&sum, m->running[i].start, m->running[i].end,
			    m->running[i].procs);
	for (i = 0; i < m->helds; i++)
		profile_use(&sum, m->held_from + (int64_t)i,
			    m->held_from + (int64_t)i + 1, m->held[i]);
	for (i = 0; i < m->queued; i++)
		if (m->queue[i].res != MODEL_NEVER && !m->queue[i].displaced)
			profile_use(&sum, m->queue[i].res,
				    m->queue[i].res + m->queue[i].estimate,
				    m->queue[i].procs);
	if (sum.n != m->profile.n)
		broken = 1;
	for (i = 0; !broken && i < sum.n; i++)
		if (sum.edge[i].at != m->profile.edge[i].at ||
		    sum.edge[i].delta != m->profile.edge[i].delta)
			broken = 1;
	for (i = 0; !broken && i < sum.n; i++) {
		used += sum.edge[i].delta;
		if (used > m->capacity && i + 1 < sum.n &&
		    sum.edge[i + 1].at > m->now)
			broken = 2;
	}
	if (!broken && model_free_procs(m) < 0)
		broken = 3;
	for (i = 0; keeps_promises(m) && !broken && i < m->queued; i++) {
		const struct live *j = &m->queue[i];
		int64_t change = MODEL_NEVER;

		if (j->res != MODEL_NEVER && !j->displaced &&
		    !limits_allow(m, j, j->res > m->now ? j->res : m->now,
				  j->res + j->estimate, &change))
			broken = 6;
	}
	free(sum.edge);
	return broken ? broken : m->broken;
}

bool model_is_ambiguous(const struct model *m)
{
	return m->usage && sched_usage_is_ambiguous(m->usage);
}

void model_record(const struct model_decision *d, size_t n,
		  struct model_job *job)
{
	for (; n; d++, n--) {
		struct model_job *j = &job[d->number];

		if (d->kind == MODEL_START) {
			j->start = d->time;
		} else if (d->cause == MODEL_ARRIVAL && d->by == d->number) {
			j->first_promise = j->latest_promise = d->time;
		} else {
			j->moves++;
			j->broken += d->time > j->latest_promise;
			j->latest_promise = d->time;
			j->by = d->by;
			j->cause = d->cause;
		}
	}
}

/* ---- a driver that knows the real run times ---- */

/* The next completion or instant of the scheduler. */
static int64_t next_instant(const struct model *m)
{
	int64_t next = model_next(m);

	for (size_t i = 0; i < m->runs; i++)
		if (m->running[i].start + m->running[i].run < next)
			next = m->running[i].start + m->running[i].run;
	return next;
}

/* Reports the completions of this instant, in the order of the starts. */
static void complete(struct model *m, int64_t now)
{
	uint32_t *number = malloc((m->runs + 1) * sizeof(*number));
	size_t n = 0;

	if (!number)
		abort();
	for (size_t i = 0; i < m->runs; i++)
		if (m->running[i].start + m->running[i].run == now)
			number[n++] = m->running[i].number;
	for (size_t i = 0; i < n; i++)
		model_finish(m, now, number[i]);
	free(number);
}

static void step_and_record(struct model *m, int64_t now, struct model_job *job)
{
	const struct model_decision *d = NULL;
	size_t n = 0;

	model_step(m, now, &d, &n);
	if (job)
		model_record(d, n, job);
}

/* The start of @number if no further job arrives; changes @m. */
static int64_t run_until_start(struct model *m, uint32_t number)
{
	const struct live *j;
	int64_t now = m->now;

	for (;;) {
		step_and_record(m, now, NULL);
		j = find(m->running, m->runs, number);
		if (j)
			return j->start;
		now = next_instant(m);
		if (now == MODEL_NEVER)
			return MODEL_NEVER;
		complete(m, now);
	}
}

static int64_t strict_fst(const struct model *m, uint32_t number)
{
	struct model *c = model_clone(m);
	int64_t t = run_until_start(c, number);

	model_free(c);
	return t;
}

/* @m is the state at the arrival of @x, without @x. */
static int64_t relaxed_fst(const struct model *m, uint32_t number,
			   const struct model_job *x)
{
	struct model *c = model_clone(m);
	int64_t t = MODEL_NEVER, now = x->submit;

	/* C33: @x arrives after the others have started: play the next event. */
	if (c->queued && m->now < now) {
		now = next_instant(c);
		if (now != MODEL_NEVER)
			complete(c, now);
	}
	while (c->queued && now != MODEL_NEVER) {
		step_and_record(c, now, NULL);
		if (!c->queued)
			break;
		now = next_instant(c);
		if (now != MODEL_NEVER)
			complete(c, now);
	}
	if (!c->queued && !model_submit(c, now, number, x))
		t = run_until_start(c, number);
	model_free(c);
	return t;
}

static const struct model_job *sorting;

static int by_submit(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int c = compare(sorting[x].submit, sorting[y].submit);

	return c ? c : compare(x, y);
}

static int run(const struct model_rules *rules, struct model_job *job, size_t n,
	       bool fst)
{
	uint32_t *arrival = malloc((n + 1) * sizeof(*arrival));
	struct model *m;
	int64_t now;
	size_t i, next = 0;
	int err = 0;

	if (!arrival)
		abort();
	for (i = 0; i < n; i++) {
		arrival[i] = (uint32_t)i;
		job[i].start = job[i].first_promise = MODEL_NEVER;
		job[i].latest_promise = MODEL_NEVER;
		job[i].strict_fst = job[i].relaxed_fst = MODEL_NEVER;
		job[i].moves = job[i].broken = 0;
		job[i].by = MODEL_NO_JOB;
		job[i].cause = MODEL_NONE;
	}
	sorting = job;
	qsort(arrival, n, sizeof(*arrival), by_submit);
	m = model_new(rules, n ? job[arrival[0]].submit : 0);
	for (i = 0; rules->limit && i < rules->limits && !err; i++)
		err = model_limit(m, m->now, rules->limit + i);
	if (err)
		goto out;
	for (;;) {
		now = next_instant(m);
		if (next < n && job[arrival[next]].submit < now)
			now = job[arrival[next]].submit;
		if (now == MODEL_NEVER)
			break;
		complete(m, now);
		for (; next < n && job[arrival[next]].submit == now; next++) {
			struct model_job *j = &job[arrival[next]];

			if (fst)
				j->relaxed_fst =
					relaxed_fst(m, arrival[next], j);
			err = model_submit(m, now, arrival[next], j);
			if (err)
				goto out;
			if (fst)
				j->strict_fst = strict_fst(m, arrival[next]);
		}
		step_and_record(m, now, job);
	}
out:
	model_free(m);
	free(arrival);
	return err;
}

int model_run(const struct model_rules *rules, struct model_job *job, size_t n)
{
	return run(rules, job, n, false);
}

int model_fst(const struct model_rules *rules, struct model_job *job, size_t n)
{
	return run(rules, job, n, true);
}
