/* SPDX-License-Identifier: MIT OR Unlicense */
#include "relshare_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* lcm(1 .. 1000) < 2^1440: room for twice 2^62 times that, and a carry. */
#define WORDS 52

struct big {
	int n;
	uint32_t word[WORDS];
};

static const struct big one = { 1, { 1 } };

enum state { ABSENT, WAITING, RUNNING };

struct job {
	enum state state;
	size_t user;
	int64_t procs, start, end;
};

/* A job that ran. */
struct ran {
	size_t user;
	int64_t procs, start, end;
};

struct model_relshare {
	size_t users, jobs, rans, room;
	int64_t procs, now, begin, window, first;
	unsigned int most_sum;
	struct big unit;  /* D */
	struct big *part; /* D / n */
	struct big *entitlement;
	unsigned int *share;
	int64_t *request;   /* processors of each user's jobs */
	int64_t *num, *den; /* the entitlement rate of each user, now */
	struct job *job;
	struct ran *ran;
	bool decays, difference;
	int64_t *carried; /* each user's usage before the window, decayed */
};

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void *room(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	must(p != NULL);
	return p;
}

/* BIG NUMBERS: n words in use, the highest of them not 0. */

static void big_trim(struct big *a)
{
	while (a->n && !a->word[a->n - 1])
		a->n--;
}

static void big_push(struct big *a, uint64_t carry)
{
	if (!carry)
		return;
	must(a->n < WORDS);
	a->word[a->n++] = (uint32_t)carry;
}

static void big_add(struct big *a, const struct big *b)
{
	uint64_t carry = 0;
	int i;

	while (a->n < b->n)
		a->word[a->n++] = 0;
	for (i = 0; i < a->n; i++) {
		carry += (uint64_t)a->word[i] + (i < b->n ? b->word[i] : 0);
		a->word[i] = (uint32_t)carry;
		carry >>= 32;
	}
	big_push(a, carry);
}

static int big_compare(const struct big *a, const struct big *b)
{
	int i;

	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (i = a->n; i-- > 0;)
		if (a->word[i] != b->word[i])
			return a->word[i] < b->word[i] ? -1 : 1;
	return 0;
}

static struct big big_times_word(const struct big *a, uint32_t n)
{
	struct big product;
	uint64_t carry = 0;
	int i;

	product.n = a->n;
	for (i = 0; i < a->n; i++) {
		carry += (uint64_t)a->word[i] * n;
		product.word[i] = (uint32_t)carry;
		carry >>= 32;
	}
	big_push(&product, carry);
	big_trim(&product);
	return product;
}

/* a * 2^32 */
static struct big big_up(const struct big *a)
{
	struct big up;

	must(a->n < WORDS);
	up.n = a->n ? a->n + 1 : 0;
	up.word[0] = 0;
	memcpy(up.word + 1, a->word, (size_t)a->n * sizeof(up.word[0]));
	return up;
}

static struct big big_times(const struct big *a, uint64_t n)
{
	struct big low = big_times_word(a, (uint32_t)n);
	struct big high = big_times_word(a, (uint32_t)(n >> 32));

	high = big_up(&high);
	big_add(&low, &high);
	return low;
}

/* a / n; returns the rest. */
static uint32_t big_divide(struct big *a, uint32_t n)
{
	uint64_t rest = 0;
	int i;

	for (i = a->n; i-- > 0;) {
		rest = rest << 32 | a->word[i];
		a->word[i] = (uint32_t)(rest / n);
		rest %= n;
	}
	big_trim(a);
	return (uint32_t)rest;
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
	return b ? gcd(b, a % b) : a;
}

/* D = lcm(1 .. most_sum), and its parts. */
static void make_units(struct model_relshare *m)
{
	struct big copy;
	uint32_t n;

	m->part = room(m->most_sum + 1, sizeof(*m->part));
	m->unit = one;
	for (n = 2; n <= m->most_sum; n++) {
		copy = m->unit;
		m->unit = big_times_word(&m->unit,
					 n / gcd(n, big_divide(&copy, n)));
	}
	for (n = 1; n <= m->most_sum; n++) {
		m->part[n] = m->unit;
		must(!big_divide(&m->part[n], n));
	}
}

/* The definition, by trial: floor((now - first) / window). */
static void find_begin(struct model_relshare *m)
{
	m->begin = m->first + (m->now - m->first) / m->window * m->window;
	while (m->begin > m->now)
		m->begin -= m->window;
}

struct model_relshare *model_relshare_new(size_t users, size_t jobs,
					  int64_t procs, int64_t origin,
					  int64_t window, int64_t first,
					  unsigned int most_sum)
{
	struct model_relshare *m = room(1, sizeof(*m));
	size_t i;

	must(most_sum <= 1000);
	m->users = users;
	m->jobs = jobs;
	m->procs = procs;
	m->now = origin;
	m->window = window;
	m->first = first;
	m->most_sum = most_sum;
	find_begin(m);
	make_units(m);
	m->entitlement = room(users, sizeof(*m->entitlement));
	m->share = room(users, sizeof(*m->share));
	m->request = room(users, sizeof(*m->request));
	m->num = room(users, sizeof(*m->num));
	m->den = room(users, sizeof(*m->den));
	m->job = room(jobs, sizeof(*m->job));
	m->carried = room(users, sizeof(*m->carried));
	for (i = 0; i < users; i++)
		m->share[i] = 1;
	return m;
}

void model_relshare_free(struct model_relshare *m)
{
	free(m->part);
	free(m->entitlement);
	free(m->share);
	free(m->request);
	free(m->num);
	free(m->den);
	free(m->job);
	free(m->ran);
	free(m->carried);
	free(m);
}

static void *copied(const void *from, size_t n, size_t size)
{
	void *p = room(n, size);

	if (n)
		memcpy(p, from, n * size);
	return p;
}

struct model_relshare *model_relshare_copy(const struct model_relshare *m)
{
	struct model_relshare *c = copied(m, 1, sizeof(*m));

	c->part = copied(m->part, m->most_sum + 1, sizeof(*m->part));
	c->entitlement =
		copied(m->entitlement, m->users, sizeof(*m->entitlement));
	c->share = copied(m->share, m->users, sizeof(*m->share));
	c->request = copied(m->request, m->users, sizeof(*m->request));
	c->num = copied(m->num, m->users, sizeof(*m->num));
	c->den = copied(m->den, m->users, sizeof(*m->den));
	c->job = copied(m->job, m->jobs, sizeof(*m->job));
	c->ran = copied(m->ran, m->rans, sizeof(*m->ran));
	c->carried = copied(m->carried, m->users, sizeof(*m->carried));
	c->room = m->rans;
	return c;
}

/* TIME */

void model_relshare_decay(struct model_relshare *m)
{
	m->decays = true;
}

void model_relshare_subtract(struct model_relshare *m)
{
	m->difference = true;
}

static int bits_of(int64_t window)
{
	int bits = 27;

	for (; window > 1; window /= 2)
		bits--;
	return bits;
}

static int64_t growth(const struct model_relshare *m, int64_t x)
{
	long double h = (long double)m->window;

	return (int64_t)floorl(ldexpl(h / logl(2.0L) *
				      exp2l((long double)x / h),
				      bits_of(m->window)));
}

/* What the seconds from the begin of the window to @t count. */
static int64_t elapsed(const struct model_relshare *m, int64_t t)
{
	int64_t all, part;

	if (!m->decays)
		return t - m->begin;
	all = growth(m, 0);
	part = growth(m, t - m->begin) - all;
	return t - m->begin == m->window || part > all ? all : part;
}

/* ENTITLEMENT */

static void count_requests(struct model_relshare *m)
{
	size_t i;

	memset(m->request, 0, m->users * sizeof(*m->request));
	for (i = 0; i < m->jobs; i++)
		if (m->job[i].state != ABSENT)
			m->request[m->job[i].user] += m->job[i].procs;
}

/*
 * One round of the recursion: @left processors among those without a
 * denominator yet. Returns whether a user was cut to its request.
 */
static bool share_out(struct model_relshare *m, int64_t *left)
{
	int64_t shares = 0, before = *left, *num = m->num, *den = m->den;
	bool reset = false;
	size_t i;

	for (i = 0; i < m->users; i++)
		shares += den[i] ? 0 : m->share[i];
	for (i = 0; i < m->users; i++) {
		if (den[i])
			continue;
		/* before * share / shares against the request */
		num[i] = before * m->share[i];
		if (!shares || num[i] / shares < m->request[i])
			continue;
		num[i] = m->request[i];
		den[i] = 1;
		*left -= num[i];
		reset = true;
	}
	for (i = 0; i < m->users && !reset; i++)
		if (!den[i])
			den[i] = shares ? shares : 1;
	return reset;
}

static void entitle(struct model_relshare *m)
{
	int64_t left = m->procs;
	size_t i;

	count_requests(m);
	for (i = 0; i < m->users; i++) {
		m->num[i] = 0;
		m->den[i] = !m->request[i] || !m->share[i];
	}
	while (share_out(m, &left))
		;
}

static void integrate(struct model_relshare *m, int64_t until)
{
	struct big e;
	size_t i;

	if (until == m->now)
		return;
	entitle(m);
	for (i = 0; i < m->users; i++) {
		e = big_times(&m->part[m->den[i]], (uint64_t)m->num[i]);
		e = big_times(&e, (uint64_t)(elapsed(m, until) -
					     elapsed(m, m->now)));
		big_add(&m->entitlement[i], &e);
	}
	m->now = until;
}

/* Drops the jobs that ended before the window. */
static void forget(struct model_relshare *m)
{
	size_t i, kept = 0;

	for (i = 0; i < m->rans; i++)
		if (m->ran[i].end > m->begin)
			m->ran[kept++] = m->ran[i];
	m->rans = kept;
}

/* e, with e rounded to the nearest 2^-64 before, down to an integer: by trial of
 * each bit. */
static uint64_t whole_of(const struct model_relshare *m, const struct big *e)
{
	struct big limit = big_times(e, 2), least;
	uint64_t n = 0, bit;

	/* n <= e + 2^-65, times 2^65 D */
	limit = big_up(&limit);
	limit = big_up(&limit);
	big_add(&limit, &m->unit);
	for (bit = UINT64_C(1) << 62; bit; bit /= 2) {
		least = big_times(&m->unit, n + bit);
		least = big_times(&least, 2);
		least = big_up(&least);
		least = big_up(&least);
		if (big_compare(&least, &limit) <= 0)
			n += bit;
	}
	return n;
}

static void end_window(struct model_relshare *m)
{
	size_t i;

	for (i = 0; i < m->users; i++) {
		m->carried[i] =
			m->decays ? model_relshare_used(m, i) / 2 : 0;
		if (m->decays)
			m->entitlement[i] = big_times(
				&m->unit, whole_of(m, &m->entitlement[i]) / 2);
		else
			m->entitlement[i].n = 0;
	}
}

/* Passes the windows one by one. */
void model_relshare_advance(struct model_relshare *m, int64_t now)
{
	while (now >= m->begin + m->window) {
		integrate(m, m->begin + m->window);
		end_window(m);
		m->begin += m->window;
		forget(m);
	}
	integrate(m, now);
}

void model_relshare_peek(struct model_relshare *m, int64_t t)
{
	integrate(m, t);
}

void model_relshare_entitled(struct model_relshare *m, size_t user,
			     int64_t *numerator, int64_t *denominator)
{
	entitle(m);
	*numerator = m->num[user];
	*denominator = m->den[user];
}

/* EVENTS */

void model_relshare_share(struct model_relshare *m, size_t user,
			  unsigned int share)
{
	m->share[user] = share;
}

void model_relshare_capacity(struct model_relshare *m, int64_t procs)
{
	m->procs = procs;
}

void model_relshare_submit(struct model_relshare *m, size_t slot, size_t user,
			   int64_t procs)
{
	struct job *j;

	if (slot == m->jobs) {
		m->job = realloc(m->job, ++m->jobs * sizeof(*m->job));
		must(m->job != NULL);
	}
	j = m->job + slot;
	j->state = WAITING;
	j->user = user;
	j->procs = procs;
}

void model_relshare_start(struct model_relshare *m, size_t slot, int64_t end)
{
	m->job[slot].state = RUNNING;
	m->job[slot].start = m->now;
	m->job[slot].end = end;
}

void model_relshare_plan(struct model_relshare *m, size_t slot, int64_t end)
{
	m->job[slot].end = end;
}

void model_relshare_requeue(struct model_relshare *m, size_t slot)
{
	struct job *j = m->job + slot;
	struct ran *r;

	if (m->rans == m->room) {
		m->room = 2 * m->room + 16;
		m->ran = realloc(m->ran, m->room * sizeof(*m->ran));
		must(m->ran != NULL);
	}
	r = m->ran + m->rans++;
	r->user = j->user;
	r->procs = j->procs;
	r->start = j->start;
	r->end = m->now;
	j->state = WAITING;
}

void model_relshare_finish(struct model_relshare *m, size_t slot)
{
	if (m->job[slot].state == RUNNING)
		model_relshare_requeue(m, slot);
	m->job[slot].state = ABSENT;
}

void model_relshare_set_used(struct model_relshare *m, size_t user,
			     int64_t used)
{
	m->carried[user] += used - model_relshare_used(m, user);
}

void model_relshare_forget(struct model_relshare *m, size_t user)
{
	model_relshare_set_used(m, user, 0);
	m->entitlement[user].n = 0;
}

/* n * a / b, rounded down, bit by bit; b < 2^62 */
static uint64_t scaled(uint64_t n, uint64_t a, uint64_t b)
{
	uint64_t result = 0, rest = 0, bit;

	for (bit = UINT64_C(1) << 63; bit; bit >>= 1) {
		rest *= 2;
		if (n & bit)
			rest += a % b;
		result = 2 * result + rest / b;
		rest %= b;
	}
	return result + n * (a / b);
}

static bool has_room(const struct model_relshare *m, int64_t window)
{
	int more = bits_of(window) - bits_of(m->window);
	uint64_t most = UINT64_C(1) << (58 - (more > 0 ? more : 0));
	size_t i;

	for (i = 0; m->decays && i < m->users; i++)
		if ((uint64_t)model_relshare_used(m, i) >= most ||
		    whole_of(m, &m->entitlement[i]) >= most)
			return false;
	return true;
}

bool model_relshare_set_window(struct model_relshare *m, int64_t window)
{
	uint64_t a = 1, b = 1, e;
	size_t i;

	if (!has_room(m, window))
		return false;
	for (i = 0; i < m->users; i++)
		m->carried[i] = model_relshare_used(m, i);
	m->rans = 0;
	for (i = 0; i < m->jobs; i++)
		m->job[i].start = m->now;
	if (m->decays)
		b = (uint64_t)(growth(m, m->now - m->begin) * window);
	a = (uint64_t)m->window;
	m->window = window;
	find_begin(m);
	a = m->decays ? a * (uint64_t)growth(m, m->now - m->begin) : 1;
	for (; b >> 48; b /= 2)
		a /= 2;
	for (i = 0; i < m->users; i++) {
		e = whole_of(m, &m->entitlement[i]);
		m->entitlement[i] = big_times(&m->unit, scaled(e, a, b));
		m->carried[i] = (int64_t)scaled((uint64_t)m->carried[i], a, b);
	}
	return true;
}

/* READING */

int64_t model_relshare_begin(const struct model_relshare *m)
{
	return m->begin;
}

/* procs * seconds of [start, end) in the window */
static int64_t overlap(const struct model_relshare *m, int64_t procs,
		       int64_t start, int64_t end)
{
	if (start < m->begin)
		start = m->begin;
	if (end > m->begin + m->window)
		end = m->begin + m->window;
	return start < end ? procs * (elapsed(m, end) - elapsed(m, start)) : 0;
}

static int64_t past(const struct model_relshare *m, size_t user)
{
	int64_t sum = m->carried[user];
	size_t i;

	for (i = 0; i < m->rans; i++)
		if (m->ran[i].user == user)
			sum += overlap(m, m->ran[i].procs, m->ran[i].start,
				       m->ran[i].end);
	return sum;
}

int64_t model_relshare_used(const struct model_relshare *m, size_t user)
{
	int64_t sum = past(m, user);
	size_t i;

	for (i = 0; i < m->jobs; i++)
		if (m->job[i].state == RUNNING && m->job[i].user == user)
			sum += overlap(m, m->job[i].procs, m->job[i].start,
				       m->now);
	return sum;
}

int64_t model_relshare_usage(const struct model_relshare *m, size_t user)
{
	int64_t sum = past(m, user);
	size_t i;

	for (i = 0; i < m->jobs; i++)
		if (m->job[i].state == RUNNING && m->job[i].user == user)
			sum += overlap(m, m->job[i].procs, m->job[i].start,
				       m->job[i].end);
	return sum;
}

int64_t model_relshare_coming(const struct model_relshare *m, int64_t procs,
			      int64_t start, int64_t walltime)
{
	return overlap(m, procs, start < m->now ? m->now : start,
		       (start < m->now ? m->now : start) + walltime);
}

bool model_relshare_near(const struct model_relshare *m, size_t user,
			 uint64_t whole, uint64_t fraction)
{
	struct big got = big_times(&m->unit, fraction), up;
	struct big want = big_up(&m->entitlement[user]), slack, other;
	int i;

	/* got, want: times 2^64 D; they may differ by D / 2 and the slack. */
	want = big_up(&want);
	up = big_times(&m->unit, whole);
	up = big_up(&up);
	up = big_up(&up);
	big_add(&got, &up);
	slack = want;
	for (i = 0; i < 84 / 14; i++)
		big_divide(&slack, 1 << 14);
	up = m->unit;
	big_divide(&up, 2);
	big_add(&slack, &up);
	big_add(&slack, &one); /* what the divisions cut */
	other = got;
	big_add(&other, &slack);
	big_add(&slack, &want);
	return big_compare(&got, &slack) <= 0 &&
	       big_compare(&want, &other) <= 0;
}

int model_relshare_compare(const struct model_relshare *m, size_t a,
			   int64_t usage_a, size_t b, int64_t usage_b)
{
	struct big x, y;

	if (!m->share[a] != !m->share[b])
		return m->share[a] ? -1 : 1;
	if (m->difference) { /* E(a) + U(b) against E(b) + U(a) */
		x = big_times(&m->unit, (uint64_t)usage_b);
		y = big_times(&m->unit, (uint64_t)usage_a);
		big_add(&x, &m->entitlement[a]);
		big_add(&y, &m->entitlement[b]);
		return big_compare(&y, &x);
	}
	if (!usage_a || !usage_b)
		return (usage_a != 0) - (usage_b != 0);
	x = big_times(&m->entitlement[a], (uint64_t)usage_b);
	y = big_times(&m->entitlement[b], (uint64_t)usage_a);
	return big_compare(&y, &x);
}
