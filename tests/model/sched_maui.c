/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sched_maui.h"

#include <stdlib.h>
#include <string.h>

#include "sched_parts.h"
#include "sched_tree.h"

#define ONE (INT64_C(1) << 20)

/* a / b in 2^-20, to nearest, halves up, bit by bit; both below 2^62 */
static int64_t fraction(int64_t a, int64_t b)
{
	int64_t quotient = a / b, rest = a % b;
	int bit;

	for (bit = 0; bit < 20; bit++) {
		rest *= 2;
		quotient = 2 * quotient + (rest >= b);
		rest -= rest >= b ? b : 0;
	}
	return quotient + (2 * rest >= b);
}

/* ---- usage ---- */

static int64_t equivalents(const struct model *m,
			   const struct model_request *asks, int32_t procs)
{
	const int64_t asked[3] = { asks->memory, asks->swap, asks->disk };
	int64_t most = procs * ONE, share;
	int i;

	for (i = 0; i < 3; i++) {
		if (!m->rules.maui->machine[i])
			continue;
		share = fraction(asked[i] * m->rules.procs,
				 m->rules.maui->machine[i]);
		most = share > most ? share : most;
	}
	return most;
}

/* In 2^-8 processors. */
static int64_t rate_of(const struct model *m, const struct live *j)
{
	switch (m->rules.maui->usage) {
	case MODEL_USE_PROCS:
		return j->procs * 256;
	case MODEL_USE_EQUIVALENTS:
		return (2 * equivalents(m, &j->asks, j->procs) + ONE / 256) /
		       (2 * (ONE / 256));
	case MODEL_USE_RATE:
		return j->asks.rate;
	default:
		return 0;
	}
}

static int64_t floor_to(int64_t t, int64_t step)
{
	return t - (t % step + step) % step;
}

/* How many seconds of [start, end) count at present. */
static int64_t counted(const struct model *m, int64_t start, int64_t end)
{
	const struct model_maui *r = m->rules.maui;
	int64_t windows = r->decays ? 1 : r->windows;
	int64_t from =
		floor_to(m->now, r->interval) - (windows - 1) * r->interval;

	if (start < from)
		start = from;
	if (start < m->used_from)
		start = m->used_from;
	if (end > m->now)
		end = m->now;
	return start < end ? end - start : 0;
}

/* Whether what was used at that time counts. */
static bool counts_at(const struct model *m, int64_t at)
{
	const struct model_maui *r = m->rules.maui;
	int64_t windows = r->decays ? 1 : r->windows;

	return at >= floor_to(m->now, r->interval) - (windows - 1) * r->interval;
}

/* MODEL_NO_JOB: the usage of all jobs. */
static int64_t usage(const struct model *m, int kind, uint32_t id)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < m->pasts; i++) {
		const struct past *p = &m->past[i];

		if (id == MODEL_NO_JOB || p->id[kind] == id)
			sum += p->rate * counted(m, p->start, p->end);
	}
	for (i = 0; i < m->runs; i++) {
		const struct live *j = &m->running[i];

		if (id == MODEL_NO_JOB || j->asks.id[kind] == id)
			sum += rate_of(m, j) * counted(m, j->start, m->now);
	}
	for (i = 0; i < m->givens; i++)
		if (m->given[i].kind == kind && counts_at(m, m->given[i].at) &&
		    (id == MODEL_NO_JOB || m->given[i].id == id))
			sum += m->given[i].amount;
	return sum;
}

static int64_t within_window(const struct model *m, int64_t start, int64_t end,
			     int64_t window)
{
	int64_t last = window + m->rules.maui->interval;

	if (start < window)
		start = window;
	if (start < m->used_from)
		start = m->used_from;
	if (end > last)
		end = last;
	return start < end ? end - start : 0;
}

/* What a credential, or all jobs without one, used in the window from @window
 * on. */
static int64_t used_in(const struct model *m, int kind, uint32_t id,
		       int64_t window)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < m->pasts; i++)
		if (m->past[i].id[kind] == id)
			sum += m->past[i].rate *
			       within_window(m, m->past[i].start,
					     m->past[i].end, window);
	for (i = 0; i < m->runs; i++)
		if (m->running[i].asks.id[kind] == id)
			sum += rate_of(m, &m->running[i]) *
			       within_window(m, m->running[i].start, m->now,
					     window);
	for (i = 0; i < m->givens; i++)
		if (m->given[i].kind == kind && m->given[i].id == id &&
		    floor_to(m->given[i].at, m->rules.maui->interval) == window)
			sum += m->given[i].amount;
	return sum;
}

static void give_at(struct model *m, int kind, uint32_t id, int64_t amount,
		    int64_t at)
{
	struct given *g;

	m->given = grow(m->given, &m->given_cap, m->givens + 1, sizeof(*g));
	g = &m->given[m->givens++];
	g->kind = kind;
	g->id = id;
	g->at = at;
	g->amount = amount;
}

void maui_give(struct model *m, int kind, uint32_t id, int64_t amount)
{
	give_at(m, kind, id, amount, m->now);
}

int64_t maui_used(const struct model *m, int kind, uint32_t id)
{
	return usage(m, kind, id) / 256;
}

/* Returns what was taken. */
int64_t maui_take(struct model *m, int kind, uint32_t id, int64_t amount)
{
	const struct model_maui *r = m->rules.maui;
	int64_t window = floor_to(m->now, r->interval), has, all = 0;
	int64_t n;

	for (n = 0; n < r->windows; n++, window -= r->interval) {
		has = used_in(m, kind, id, window);
		if (has > amount - all)
			has = amount - all;
		give_at(m, kind, id, -has, window);
		all += has;
	}
	return all;
}

void maui_set_window(struct model *m, int64_t window, bool decays)
{
	struct model_maui *r = (struct model_maui *)m->rules.maui;
	int64_t has[MODEL_KINDS][MODEL_IDS + 1], all;
	uint32_t id;
	int kind;

	for (kind = 0; kind < MODEL_KINDS; kind++) {
		all = usage(m, kind, MODEL_NO_JOB);
		for (id = 0; id < MODEL_IDS; id++)
			all -= has[kind][id] = usage(m, kind, id);
		has[kind][MODEL_IDS] = all;
	}
	m->givens = 0;
	m->used_from = m->now;
	r->interval = window;
	r->decays = decays;
	for (kind = 0; kind < MODEL_KINDS; kind++)
		for (id = 0; id <= MODEL_IDS; id++)
			maui_give(m, kind, id < MODEL_IDS ? id : MODEL_NO_JOB,
				  has[kind][id]);
}

struct model_maui *maui_copy(const struct model_maui *maui)
{
	return copy_of(maui, 1, sizeof(*maui));
}

void maui_set_credential(struct model *m, int kind, uint32_t id,
			 const struct model_credential *c)
{
	((struct model_maui *)m->rules.maui)->credential[kind][id] = *c;
}

/* The percentage of the delivered usage. */
static int64_t share(const struct model *m, int kind, uint32_t id)
{
	int64_t all = usage(m, kind, MODEL_NO_JOB);

	return all ? fraction(100 * usage(m, kind, id), all) : 0;
}

/* Notes the usage of a job that ends. */
void maui_leave(struct model *m, uint32_t number)
{
	const struct live *j = find(m->running, m->runs, number);
	struct past *p;

	if (!j)
		return;
	m->past = grow(m->past, &m->past_cap, m->pasts + 1, sizeof(*p));
	p = &m->past[m->pasts++];
	memcpy(p->id, j->asks.id, sizeof(p->id));
	p->start = j->start;
	p->end = m->now;
	p->rate = rate_of(m, j);
}

/* ---- limits ---- */

enum { IDLE = 5 };

static int64_t holds_reservation(const struct model_request *asks,
				 int32_t procs, int64_t seconds, int resource)
{
	const int64_t held[5] = { 1, procs, asks->nodes, asks->memory,
				  procs * seconds };

	return held[resource];
}

int64_t model_maui_used(const struct model *m, int kind, uint32_t id,
			int resource)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < m->runs; i++)
		if (m->running[i].asks.id[kind] == id)
			sum += holds_reservation(
				&m->running[i].asks, m->running[i].procs,
				m->running[i].end - m->now, resource);
	return sum;
}

static const struct model_qos *qos_of(const struct model *m,
				      const struct model_request *asks)
{
	static const struct model_qos none;

	return asks->id[3] == MODEL_NO_JOB ? &none
					   : &m->rules.maui->qos[asks->id[3]];
}

static int64_t limit_of(const struct model_maui *r,
			const struct model_credential *c, int level,
			int resource)
{
	int64_t soft = c->limit[0][resource], hard = c->limit[1][resource];

	if (level || soft > hard)
		return level && r->soft_only && soft < hard ? soft : hard;
	return soft;
}

static bool within(const struct model *m, const struct model_request *asks,
		   int32_t procs, int64_t estimate, int level, bool alone)
{
	const struct model_maui *r = m->rules.maui;
	int kind, i;

	for (kind = 0; kind < MODEL_KINDS; kind++) {
		uint32_t id = asks->id[kind];

		if (id == MODEL_NO_JOB ||
		    qos_of(m, asks)->exempt & (1u << kind))
			continue;
		if (alone &&
		    limit_of(r, &r->credential[kind][id], level, IDLE) < 1)
			return false;
		for (i = 0; i < IDLE; i++) {
			int64_t sum =
				holds_reservation(asks, procs, estimate, i);

			if (!alone)
				sum += model_maui_used(m, kind, id, i);
			if (sum >
			    limit_of(r, &r->credential[kind][id], level, i))
				return false;
		}
	}
	return true;
}

/* @level: 0 soft, 1 hard. */
bool maui_is_within(const struct model *m, const struct live *j, int level)
{
	return within(m, &j->asks, j->procs, j->estimate, level, false);
}

uint32_t maui_flags(const struct model *m, const struct live *j)
{
	return qos_of(m, &j->asks)->flags;
}

bool maui_possible(const struct model *m, const struct model_request *asks,
		   int32_t procs, int64_t estimate)
{
	return within(m, asks, procs, estimate,
		      !(qos_of(m, asks)->flags & MODEL_NOBF), true);
}

/* Whether its limits let a running job have @procs beside all other jobs. */
bool maui_can_grow(const struct model *m, uint32_t number, int32_t procs)
{
	struct live *j = find(m->running, m->runs, number), was = *j;
	bool can;

	j->asks.id[0] = j->asks.id[1] = j->asks.id[2] = MODEL_NO_JOB;
	j->asks.id[3] = j->asks.id[4] = MODEL_NO_JOB;
	can = within(m, &was.asks, procs, was.end - m->now, 1, false);
	*j = was;
	return can;
}

bool maui_is_over_cap(const struct model *m, const struct live *j)
{
	const struct model_credential *c;
	int kind;

	if (m->rules.maui->usage == MODEL_USE_NOTHING)
		return false;
	for (kind = 0; kind < MODEL_KINDS; kind++) {
		if (j->asks.id[kind] == MODEL_NO_JOB)
			continue;
		c = &m->rules.maui->credential[kind][j->asks.id[kind]];
		if (c->has_target && c->target == MODEL_CAP &&
		    share(m, kind, j->asks.id[kind]) > c->points)
			return true;
	}
	return false;
}

void maui_select(const struct model *m, struct live **jobs, size_t n,
		 int level, bool *passed)
{
	size_t listed[MODEL_KINDS][MODEL_IDS] = { { 0 } }, i;
	const struct model_maui *r = m->rules.maui;
	int kind;

	for (i = 0; i < n; i++) {
		const struct live *j = jobs[i];
		const uint32_t *id = j->asks.id;

		passed[i] = false;
		if (j->procs > m->capacity || j->allowed > m->now ||
		    maui_is_over_cap(m, j) || !maui_is_within(m, j, level))
			continue;
		for (kind = 0; kind < MODEL_KINDS; kind++)
			passed[i] |= id[kind] != MODEL_NO_JOB &&
				     !(qos_of(m, &j->asks)->exempt &
				       (1u << kind)) &&
				     (int64_t)listed[kind][id[kind]] >=
					     limit_of(r,
						      &r->credential[kind]
								    [id[kind]],
						      level, IDLE);
		for (kind = 0; kind < MODEL_KINDS && !passed[i]; kind++)
			if (id[kind] != MODEL_NO_JOB)
				listed[kind][id[kind]]++;
	}
}

/* ---- priority ---- */

static int64_t delta(const struct model *m, int kind, uint32_t id)
{
	const struct model_credential *c = &m->rules.maui->credential[kind][id];
	int64_t d;

	if (!c->has_target || m->rules.maui->usage == MODEL_USE_NOTHING)
		return 0;
	d = c->points - share(m, kind, id);
	if (c->target == MODEL_CAP || (c->target == MODEL_FLOOR && d < 0) ||
	    (c->target == MODEL_CEILING && d > 0))
		return 0;
	return d;
}

static int64_t target(int64_t wanted, int64_t wait)
{
	if (!wanted)
		return 0;
	if (wait >= wanted)
		return 100000000 * ONE;
	return fraction(3600, (wanted - wait) * (wanted - wait));
}

/* A target that is reached counts 10^8: with large weights that saturates. */
static int64_t plus(int64_t a, int64_t b)
{
	if (b > 0 && a > INT64_MAX - b)
		return INT64_MAX;
	return b < 0 && a < -INT64_MAX - b ? -INT64_MAX : a + b;
}

static int64_t times(int64_t a, int64_t b)
{
	int64_t x = a < 0 ? -a : a, y = b < 0 ? -b : b;

	if (x && y > INT64_MAX / x)
		return (a < 0) == (b < 0) ? INT64_MAX : -INT64_MAX;
	return a * b;
}

int64_t maui_priority(const struct model *m, const struct live *j)
{
	static const int end[6] = { 2, 8, 13, 18, 20, 21 };
	const struct model_maui *r = m->rules.maui;
	const struct model_qos *qos = qos_of(m, &j->asks);
	int64_t wait = m->now - j->submit, value[21] = { 0 }, sum, all = 0;
	int64_t weight, v;
	int i = 0, c, kind;

	value[0] = fraction(wait, 60);
	value[1] = ONE + fraction(wait, j->estimate);
	value[2] = j->asks.nodes * ONE;
	value[3] = j->procs * ONE;
	value[4] = j->asks.memory * ONE;
	value[5] = j->asks.swap * ONE;
	value[6] = j->asks.disk * ONE;
	value[7] = equivalents(m, &j->asks, j->procs);
	for (kind = 0; kind < MODEL_KINDS; kind++) {
		uint32_t id = j->asks.id[kind];

		if (id == MODEL_NO_JOB)
			continue;
		value[8 + kind] = delta(m, kind, id);
		value[13 + kind] = r->credential[kind][id].priority * ONE;
	}
	if (m->tree)
		value[8] = sched_tree_points(m->tree, j->user, m->now);
	value[19] = target(qos->queue_time_target, wait);
	value[20] = j->bypassed * ONE;
	for (c = 0; c < 6; c++) {
		for (sum = 0; i < end[c]; i++) {
			weight = r->weight[i];
			if (i == 0)
				weight += qos->queue_time_weight;
			if (i == 1)
				weight += qos->xfactor_weight;
			v = value[i];
			if (r->cap[i] && v > r->cap[i])
				v = r->cap[i];
			sum = plus(sum, times(weight, v));
		}
		if (r->component_cap[c] && sum > r->component_cap[c])
			sum = r->component_cap[c];
		all = plus(all, times(r->component_weight[c], sum));
	}
	return all;
}

static bool before(const struct live *a, const struct live *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return a->submit != b->submit ? a->submit < b->submit
				      : a->number < b->number;
}

/* ---- an iteration ---- */

struct iteration {
	struct model *m;
	struct profile plan;
	uint32_t *list; /* the numbers of the jobs left, in order */
	size_t n;
	bool *feasible; /* by index of @list */
	bool *passed[2]; /* likewise, M6 */
	uint32_t pending; /* M5: kept ones whose turn is still to come */
	bool restart;
};

static struct live *job_at(const struct iteration *x, size_t i)
{
	return find(x->m->queue, x->m->queued, x->list[i]);
}

static void leave_list(struct iteration *x, size_t i)
{
	x->n--;
	memmove(x->list + i, x->list + i + 1, (x->n - i) * sizeof(*x->list));
	memmove(x->feasible + i, x->feasible + i + 1,
		(x->n - i) * sizeof(*x->feasible));
	memmove(x->passed[0] + i, x->passed[0] + i + 1, x->n - i);
	memmove(x->passed[1] + i, x->passed[1] + i + 1, x->n - i);
}

void maui_bypass(struct model *m, const struct live *j)
{
	struct live *k;

	for (k = m->queue; k < m->queue + m->queued; k++)
		k->bypassed +=
			k != j && before(k, j) && can_start(m, j->number);
}

static void start_at(struct iteration *x, size_t i)
{
	struct model *m = x->m;
	struct live *j = job_at(x, i);
	int64_t end = m->now + j->estimate;

	profile_use(&x->plan, m->now, end, j->procs);
	profile_use(&m->profile, m->now, end, j->procs);
	maui_bypass(m, j);
	start(m, j->number);
	leave_list(x, i);
}

static bool may(const struct iteration *x, size_t i, int phase)
{
	const struct live *j = job_at(x, i);

	if (phase && maui_flags(x->m, j) & MODEL_NOBF)
		return false;
	return x->feasible[i] && !x->passed[phase == 2][i] &&
	       maui_is_within(x->m, j, phase == 2) && is_allowed(x->m, j);
}

static bool is_kept(const struct model *m, const struct live *j)
{
	return m->rules.maui->reservations == MODEL_RESERVE_HIGHEST &&
	       j->kept && j->allowed != MODEL_NEVER && j->procs <= m->capacity;
}

static bool counts(const struct model *m, const struct live *j)
{
	return !(maui_flags(m, j) &
		 (MODEL_NORESERVATION | MODEL_RESERVEALWAYS));
}

/* C2, C3: the next place from @from on, in the plan. */
static int64_t place_in_plan(struct iteration *x, struct live *j, int64_t from)
{
	if (from < not_before(x->m, j))
		from = not_before(x->m, j);
	return place(x->m, &x->plan, j, from);
}

static void keep_place(struct iteration *x, struct live *j, int64_t t)
{
	j->place = j->planned = t;
	if (t == MODEL_NEVER)
		return;
	if (t < j->turn)
		j->turn = t;
	profile_use(&x->plan, t, t + j->estimate, j->procs);
}

/* M5 */
static void restore(struct iteration *x)
{
	bool *seen = calloc(x->n + 1, sizeof(*seen));
	bool *can = calloc(x->n + 1, sizeof(*can));
	struct model *m = x->m;
	struct live *j, *k;
	size_t i, first;
	int64_t t;

	if (!seen || !can)
		abort();
	for (i = 0; i < x->n; i++) /* beside running jobs: C36 */
		can[i] = may(x, i, 0);
	for (i = 0; i < x->n; i++)
		x->pending += is_kept(m, job_at(x, i)) &&
			      counts(m, job_at(x, i));
	for (;;) {
		first = x->n;
		for (i = 0; i < x->n; i++) {
			j = job_at(x, i);
			if (seen[i] || j->place == MODEL_NEVER)
				continue;
			k = first < x->n ? job_at(x, first) : NULL;
			if (!k || j->turn < k->turn ||
			    (j->turn == k->turn && j->number < k->number))
				first = i;
		}
		if (first == x->n)
			break;
		seen[first] = true;
		j = job_at(x, first);
		t = j->place;
		j->place = MODEL_NEVER;
		if (is_kept(m, j) && can[first])
			keep_place(x, j, place_in_plan(x, j, t));
	}
	free(seen);
	free(can);
}

/* Whether the job at @i has left the list. */
static bool serve(struct iteration *x, size_t i, uint32_t *reserved,
		  bool *closed)
{
	struct model *m = x->m;
	struct live *j = job_at(x, i);
	uint32_t flags = maui_flags(m, j);
	bool never = flags & MODEL_NORESERVATION ||
		     m->rules.maui->reservations == MODEL_RESERVE_NEVER;
	bool always = flags & MODEL_RESERVEALWAYS && !never;
	bool kept = is_kept(m, j), placed = j->place != MODEL_NEVER;
	int64_t t;

	if (placed)
		profile_use(&x->plan, j->place, j->place + j->estimate,
			    -j->procs);
	j->place = j->planned = MODEL_NEVER;
	x->pending -= kept && counts(m, j);
	if (*closed && !always && !kept)
		return false;
	if (!may(x, i, 0)) {
		x->restart |= placed && is_allowed(m, j);
		return false;
	}
	t = place_in_plan(x, j, m->now);
	if (t == m->now) {
		start_at(x, i);
		return true;
	}
	if (never)
		return false;
	if (!always && !kept &&
	    *reserved + x->pending >= m->rules.maui->depth) { /* M3 */
		*closed = true;
		return false;
	}
	if (t == MODEL_NEVER)
		return false;
	if (m->rules.maui->reservations == MODEL_RESERVE_HIGHEST) {
		j->kept = true;
		keep_place(x, j, t);
	} else {
		j->planned = t;
		profile_use(&x->plan, t, t + j->estimate, j->procs);
	}
	if (!always)
		*closed |= ++*reserved >= m->rules.maui->depth;
	leave_list(x, i);
	return true;
}

/* Lists the jobs that fit into @w and may start. */
static size_t fitting(const struct iteration *x, const struct window *w,
		      int phase, struct live **fit)
{
	size_t i, n = 0;

	for (i = 0; i < x->n; i++) {
		struct live *j = job_at(x, i);

		if (j->allowed <= x->m->now && j->procs <= w->procs &&
		    x->m->now + j->estimate <= w->end && may(x, i, phase))
			fit[n++] = j;
	}
	return n;
}

static bool fill_window(struct iteration *x, int phase)
{
	struct live **fit = malloc((x->n + 1) * sizeof(struct live *));
	uint32_t *number = malloc((x->n + 1) * sizeof(*number));
	size_t windows = 0, k, i, n = 0, at;
	struct window w;

	if (!fit || !number)
		abort();
	while (window_at(x->m, &x->plan, windows, &w))
		windows++;
	for (k = 0; k < windows && !n; k++) {
		window_at(x->m, &x->plan,
			  x->m->rules.longest_first ? windows - 1 - k : k, &w);
		n = fitting(x, &w, phase, fit);
	}
	if (n)
		n = choose(x->m, &w, fit, n);
	for (i = 0; i < n; i++)
		number[i] = fit[i]->number;
	for (i = 0; i < n; i++) {
		for (at = 0; x->list[at] != number[i]; at++)
			;
		if (!x->m->again && may(x, at, phase))
			start_at(x, at);
	}
	free(fit);
	free(number);
	return n > 0;
}

static void iterate(struct iteration *x)
{
	uint32_t reserved = 0;
	bool closed = false;
	size_t i = 0;
	int phase;

	restore(x);
	while (i < x->n && !x->m->again && !x->restart)
		i += !serve(x, i, &reserved, &closed);
	if (x->restart || x->m->rules.select == MODEL_NO_BACKFILL)
		return;
	for (phase = 1; phase <= 2; phase++)
		while (!x->m->again && fill_window(x, phase))
			;
}

/* M6 */
static void select_jobs(struct iteration *x)
{
	struct live **jobs = must(malloc((x->n + 1) * sizeof(struct live *)));
	struct model *m = x->m;
	size_t i;
	int level;

	for (i = 0; i < x->n; i++)
		jobs[i] = job_at(x, i);
	m->passes = false;
	m->ran = m->runs;
	for (level = 0; level < 2; level++) {
		x->passed[level] = must(malloc(x->n + 1));
		maui_select(m, jobs, x->n, level, x->passed[level]);
		for (i = 0; i < x->n; i++)
			m->passes |= x->passed[level][i];
	}
	free(jobs);
}

static bool iterate_once(struct model *m)
{
	struct iteration x = { m,    m->profile,	 NULL, 0,
			       NULL, { NULL, NULL }, 0,    false };
	size_t i, k;

	forget_plan(m);
	x.plan.edge = copy_of(x.plan.edge, x.plan.n, sizeof(*x.plan.edge));
	x.plan.cap = x.plan.n;
	x.list = malloc((m->queued + 1) * sizeof(*x.list));
	x.feasible = malloc((m->queued + 1) * sizeof(*x.feasible));
	if (!x.list || !x.feasible)
		abort();
	for (i = 0; i < m->queued; i++) {
		for (k = x.n++;
		     k && before(&m->queue[i],
				 find(m->queue, m->queued, x.list[k - 1]));
		     k--)
			x.list[k] = x.list[k - 1];
		x.list[k] = m->queue[i].number;
	}
	for (i = 0; i < x.n; i++)
		x.feasible[i] = !maui_is_over_cap(m, job_at(&x, i));
	select_jobs(&x);
	iterate(&x);
	forget_plan(m);
	free(x.plan.edge);
	free(x.list);
	free(x.feasible);
	free(x.passed[0]);
	free(x.passed[1]);
	return !x.restart;
}

void maui_prioritize(struct model *m)
{
	size_t i;

	for (i = 0; i < m->queued; i++)
		m->queue[i].priority = maui_priority(m, &m->queue[i]);
}

void maui_step(struct model *m)
{
	if (m->walked) /* M1 */
		return;
	maui_prioritize(m);
	while (!iterate_once(m))
		;
	m->walked = true;
}

/* The first multiple of @step after now, counted from @from. */
static int64_t next_multiple(const struct model *m, int64_t from, int64_t step)
{
	int64_t t = from;

	while (t <= m->now)
		t += step;
	return t;
}

int64_t maui_next(const struct model *m)
{
	const struct model_maui *r = m->rules.maui;
	bool any = false;
	uint32_t id;
	int kind;

	if (!m->queued)
		return MODEL_NEVER;
	if (r->poll)
		return next_multiple(m, m->origin, r->poll);
	if (m->passes && m->runs > m->ran)
		return m->now + 1;
	for (kind = 0; kind < MODEL_KINDS && r->usage; kind++)
		for (id = 0; id < MODEL_IDS; id++)
			any |= r->credential[kind][id].has_target &&
			       r->credential[kind][id].target == MODEL_CAP &&
			       share(m, kind, id) >
				       r->credential[kind][id].points;
	if (!any || m->runs)
		return MODEL_NEVER;
	return next_multiple(m, floor_to(m->now, r->interval), r->interval);
}
