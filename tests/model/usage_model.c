/* SPDX-License-Identifier: MIT OR Unlicense */
#include "usage_model.h"

#include <stdlib.h>
#include <string.h>

#define LIMBS USAGE_MODEL_LIMBS
#define POINT USAGE_MODEL_POINT

struct usage_big usage_big_from(uint64_t whole, uint64_t fraction)
{
	struct usage_big a = { { 0 } };

	a.limb[POINT - 2] = (uint32_t)fraction;
	a.limb[POINT - 1] = (uint32_t)(fraction >> 32);
	a.limb[POINT] = (uint32_t)whole;
	a.limb[POINT + 1] = (uint32_t)(whole >> 32);
	return a;
}

struct usage_big usage_big_add(struct usage_big a, struct usage_big b)
{
	uint64_t carry = 0;
	int i;

	for (i = 0; i < LIMBS; i++) {
		carry += (uint64_t)a.limb[i] + b.limb[i];
		a.limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return a;
}

/* a >= b */
struct usage_big usage_big_sub(struct usage_big a, struct usage_big b)
{
	int64_t borrow = 0;
	int i;

	for (i = 0; i < LIMBS; i++) {
		borrow += (int64_t)a.limb[i] - b.limb[i];
		a.limb[i] = (uint32_t)borrow;
		borrow = borrow < 0 ? -1 : 0;
	}
	return a;
}

struct usage_big usage_big_mul(struct usage_big a, struct usage_big b)
{
	uint32_t product[2 * LIMBS] = { 0 };
	struct usage_big c;
	uint64_t carry;
	int i, j;

	for (i = 0; i < LIMBS; i++) {
		carry = 0;
		for (j = 0; j < LIMBS; j++) {
			carry += (uint64_t)a.limb[i] * b.limb[j] +
				 product[i + j];
			product[i + j] = (uint32_t)carry;
			carry >>= 32;
		}
		product[i + LIMBS] = (uint32_t)carry;
	}
	memcpy(c.limb, product + POINT, sizeof(c.limb));
	return c;
}

struct usage_big usage_big_shift(struct usage_big a, uint64_t n)
{
	struct usage_big b = { { 0 } };
	uint64_t two;
	int i, from;

	if (n >= 32 * LIMBS)
		return b;
	for (i = 0; i < LIMBS; i++) {
		from = i + (int)(n / 32);
		two = from < LIMBS ? a.limb[from] : 0;
		two |= from + 1 < LIMBS ? (uint64_t)a.limb[from + 1] << 32 : 0;
		b.limb[i] = (uint32_t)(two >> n % 32);
	}
	return b;
}

int usage_big_compare(struct usage_big a, struct usage_big b)
{
	int i;

	for (i = LIMBS - 1; i >= 0; i--)
		if (a.limb[i] != b.limb[i])
			return a.limb[i] < b.limb[i] ? -1 : 1;
	return 0;
}

/* a / b, bit by bit; the quotient is below 2^128. */
static struct usage_big big_div(struct usage_big a, struct usage_big b)
{
	struct usage_big quotient = { { 0 } }, rest = { { 0 } };
	int bit;

	for (bit = 32 * (LIMBS + POINT) - 1; bit >= 0; bit--) {
		rest = usage_big_add(rest, rest);
		quotient = usage_big_add(quotient, quotient);
		if (bit >= 32 * POINT) {
			int i = bit - 32 * POINT;

			rest.limb[0] |= a.limb[i / 32] >> i % 32 & 1;
		}
		if (usage_big_compare(rest, b) >= 0) {
			rest = usage_big_sub(rest, b);
			quotient.limb[0] |= 1;
		}
	}
	return quotient;
}

static struct usage_big big_div_small(struct usage_big a, uint32_t b)
{
	uint64_t rest = 0;
	int i;

	for (i = LIMBS - 1; i >= 0; i--) {
		rest = rest << 32 | a.limb[i];
		a.limb[i] = (uint32_t)(rest / b);
		rest %= b;
	}
	return a;
}

static bool big_zero(struct usage_big a)
{
	return !usage_big_compare(a, usage_big_from(0, 0));
}

/* ln 2 = sum of 1 / (n 2^n) */
static struct usage_big big_ln2(void)
{
	static struct usage_big sum;
	uint32_t n;

	if (big_zero(sum))
		for (n = 1; n < 32 * POINT; n++)
			sum = usage_big_add(
				sum,
				usage_big_shift(
					big_div_small(usage_big_from(1, 0), n),
					n));
	return sum;
}

static struct usage_big big_inverse_ln2(void)
{
	static struct usage_big inverse;

	if (big_zero(inverse))
		inverse = big_div(usage_big_from(1, 0), big_ln2());
	return inverse;
}

struct usage_big usage_big_exp2(int64_t numerator, int64_t denominator)
{
	struct usage_big y = big_div(usage_big_from((uint64_t)numerator, 0),
				     usage_big_from((uint64_t)denominator, 0));
	struct usage_big sum = usage_big_from(1, 0), term = sum;
	uint32_t n;

	y = usage_big_mul(y, big_ln2());
	for (n = 1; !big_zero(term); n++) {
		term = big_div_small(usage_big_mul(term, y), n);
		sum = usage_big_add(sum, term);
	}
	return sum;
}

/* 2^(-age / h); caches the last results. */
static struct usage_big decay(int64_t age, int64_t h)
{
	static struct {
		int64_t x, h;
		struct usage_big power;
	} memo[4096];
	int64_t x = age % h;
	size_t i = ((uint64_t)x * 31 + (uint64_t)h) % 4096;

	/* 2^(-x / h) = 2^((h - x) / h) / 2 */
	if (memo[i].h != h || memo[i].x != x) {
		memo[i].power = usage_big_exp2(h - x, h);
		memo[i].x = x;
		memo[i].h = h;
	}
	return usage_big_shift(memo[i].power, (uint64_t)(age / h) + 1);
}

void usage_model_free(struct usage_model *m)
{
	int s;

	for (s = 0; s < USAGE_MODEL_SERVERS; s++)
		free(m->line[s]);
	memset(m, 0, sizeof(*m));
}

static void write_line(struct usage_model *m, int server,
		       const struct usage_model_line *line)
{
	size_t n = m->lines[server]++;

	m->line[server] = (struct usage_model_line *)realloc(
		m->line[server], (n + 1) * sizeof(*line));
	if (!m->line[server])
		abort();
	m->line[server][n] = *line;
}

void usage_model_charge(struct usage_model *m, int server, uint32_t entity,
			int64_t t0, int64_t t1, int64_t rate)
{
	struct usage_model_line line;

	memset(&line, 0, sizeof(line));
	line.entity = entity;
	line.t0 = t0;
	line.t1 = t1;
	line.rate = rate;
	write_line(m, server, &line);
}

void usage_model_hold(struct usage_model *m, int server, uint32_t entity,
		      int64_t held)
{
	struct usage_model_line line;

	memset(&line, 0, sizeof(line));
	line.entity = entity;
	line.held = held;
	write_line(m, server, &line);
}

void usage_model_set(struct usage_model *m, int server, uint32_t entity,
		     int64_t t, struct usage_big value)
{
	struct usage_model_line line;

	memset(&line, 0, sizeof(line));
	line.entity = entity;
	line.t0 = line.t1 = t;
	line.sets = true;
	line.value = value;
	write_line(m, server, &line);
}

void usage_model_forget(struct usage_model *m, int server, int64_t t)
{
	struct usage_model_line line;

	memset(&line, 0, sizeof(line));
	line.entity = UINT32_MAX - 1;
	line.t0 = line.t1 = t;
	line.forgets = true;
	write_line(m, server, &line);
}

int64_t usage_model_latest(const struct usage_model *m,
			   const struct usage_model_view *view)
{
	int64_t latest = 0;
	size_t i;
	int s;

	for (s = 0; s < USAGE_MODEL_SERVERS; s++)
		for (i = 0; i < view->seen[s]; i++)
			if (m->line[s][i].t1 > latest)
				latest = m->line[s][i].t1;
	return latest;
}

/* r * integral of 2^((s - t) / h) ds = r * h / ln 2 * (difference) */
static struct usage_big half_life_usage(const struct usage_model *m,
					const struct usage_model_line *line,
					int64_t t)
{
	struct usage_big end = decay(t - line->t1, m->half_life);
	struct usage_big start = decay(t - line->t0, m->half_life);
	struct usage_big factor =
		usage_big_mul(usage_big_from((uint64_t)m->half_life, 0),
			      usage_big_from((uint64_t)line->rate, 0));

	factor = usage_big_mul(factor, big_inverse_ln2());
	return usage_big_mul(factor, usage_big_sub(end, start));
}

/* Seconds of [t0, t1) in the window that begins at start. */
static int64_t overlap(int64_t t0, int64_t t1, int64_t start, int64_t interval)
{
	int64_t from = t0 > start ? t0 : start;
	int64_t to = t1 - start > interval ? start + interval : t1;

	return to > from ? to - from : 0;
}

/* Whether the line at @i does not count any more among the first @seen. */
static bool is_replaced(const struct usage_model *m, int s, size_t i,
			size_t seen)
{
	const struct usage_model_line *line = m->line[s];
	size_t j;

	for (j = i + 1; j < seen; j++)
		if (line[j].forgets ||
		    (line[j].sets && line[j].entity == line[i].entity))
			return true;
	return false;
}

/* What an entity used in the window @window, by the first @seen lines. */
static struct usage_big raw_usage(const struct usage_model *m, int s,
				  uint32_t entity, int64_t window, size_t seen)
{
	struct usage_big sum = usage_big_from(0, 0);
	const struct usage_model_line *line;
	int64_t seconds, ago;
	size_t i;

	for (i = 0; i < seen; i++) {
		line = &m->line[s][i];
		if (line->entity != entity || is_replaced(m, s, i, seen))
			continue;
		ago = line->t1 / m->interval - window;
		seconds = overlap(line->t0, line->t1, window * m->interval,
				  m->interval);
		if (line->sets && !ago)
			sum = usage_big_add(sum, line->value);
		else if (line->credits && ago >= 0 && ago < m->depth)
			sum = usage_big_sub(sum, line->taken[ago]);
		else if (line->rate)
			sum = usage_big_add(
				sum,
				usage_big_mul(
					usage_big_from((uint64_t)seconds, 0),
					usage_big_from((uint64_t)line->rate,
						       0)));
	}
	return sum;
}

static struct usage_big windows_usage(const struct usage_model *m, int s,
				      uint32_t entity, int64_t t, size_t seen)
{
	struct usage_big sum = usage_big_from(0, 0);
	struct usage_big weight = usage_big_from(1, 0);
	struct usage_big step = usage_big_from(m->decay >> 32, m->decay << 32);
	int64_t window = t / m->interval;
	int n;

	for (n = 0; n < m->depth && n <= window; n++) {
		sum = usage_big_add(
			sum, usage_big_mul(weight, raw_usage(m, s, entity,
							     window - n,
							     seen)));
		weight = usage_big_mul(weight, step);
	}
	return sum;
}

static struct usage_big decayed_usage(const struct usage_model *m, int s,
				      uint32_t entity, int64_t t, size_t seen)
{
	struct usage_big sum = usage_big_from(0, 0);
	const struct usage_model_line *line;
	size_t i;

	for (i = 0; i < seen; i++) {
		line = &m->line[s][i];
		if (line->entity != entity || is_replaced(m, s, i, seen))
			continue;
		if (line->sets)
			sum = usage_big_add(
				sum,
				usage_big_mul(line->value,
					      decay(t - line->t1,
						    m->half_life)));
		else if (line->rate)
			sum = usage_big_add(sum, half_life_usage(m, line, t));
	}
	return sum;
}

static struct usage_big charged_by(const struct usage_model *m, int s,
				   uint32_t entity, int64_t t, size_t seen)
{
	return m->half_life ? decayed_usage(m, s, entity, t, seen)
			    : windows_usage(m, s, entity, t, seen);
}

struct usage_big usage_model_charged(const struct usage_model *m, int server,
				     uint32_t entity, int64_t t)
{
	return charged_by(m, server, entity, t, m->lines[server]);
}

struct usage_big usage_model_credit(struct usage_model *m, int server,
				    uint32_t entity, int64_t t, uint64_t amount)
{
	struct usage_big left = usage_big_from(amount, 0), has;
	struct usage_model_line line;
	int n;

	memset(&line, 0, sizeof(line));
	if (m->half_life) {
		has = usage_model_charged(m, server, entity, t);
		line.value = usage_big_compare(has, left) < 0 ? has : left;
		left = usage_big_sub(left, line.value);
		usage_model_set(m, server, entity, t,
				usage_big_sub(has, line.value));
		m->line[server][m->lines[server] - 1].read = has;
		return left;
	}
	line.entity = entity;
	line.t0 = line.t1 = t;
	line.credits = true;
	for (n = 0; n < m->depth && n <= t / m->interval; n++) {
		has = raw_usage(m, server, entity, t / m->interval - n,
				m->lines[server]);
		line.taken[n] = usage_big_compare(has, left) < 0 ? has : left;
		left = usage_big_sub(left, line.taken[n]);
	}
	write_line(m, server, &line);
	return left;
}

struct usage_big usage_model_at(const struct usage_model *m,
				const struct usage_model_view *view,
				uint32_t entity, int64_t t)
{
	struct usage_big sum = usage_big_from(0, 0);
	int64_t held = 0, latest = usage_model_latest(m, view);
	const struct usage_model_line *line;
	uint32_t e, last = entity == UINT32_MAX ? USAGE_MODEL_ENTITIES - 1
						: entity;
	size_t i;
	int s;

	if (t < latest)
		t = latest;
	for (s = 0; s < USAGE_MODEL_SERVERS; s++) {
		for (i = 0; i < view->seen[s]; i++) {
			line = &m->line[s][i];
			if (entity == UINT32_MAX || entity == line->entity)
				held += line->held;
		}
		for (e = entity == UINT32_MAX ? 0 : entity;
		     view->seen[s] && e <= last; e++)
			sum = usage_big_add(
				sum, charged_by(m, s, e, t, view->seen[s]));
	}
	return usage_big_add(sum, usage_big_from((uint64_t)held, 0));
}

struct usage_big usage_model_bound(const struct usage_model *m,
				   const struct usage_model_view *view,
				   uint32_t entity, int64_t t, int sources)
{
	struct usage_big rates = usage_big_from(0, 0), set = rates, h, bound;
	const struct usage_model_line *line;
	uint64_t sets = 0;
	size_t i;
	int s;

	if (!m->half_life)
		return usage_big_from(0, m->depth > 1 ? (uint64_t)m->depth : 0);
	for (s = 0; s < USAGE_MODEL_SERVERS; s++)
		for (i = 0; i < view->seen[s]; i++) {
			line = &m->line[s][i];
			if (entity == UINT32_MAX || entity == line->entity)
				rates = usage_big_add(
					rates,
					usage_big_from((uint64_t)line->rate,
						       0));
			set = usage_big_add(
				set, usage_big_add(line->value, line->read));
			sets += line->sets;
		}
	h = usage_big_from((uint64_t)m->half_life, 0);
	bound = usage_big_shift(usage_big_mul(rates, h), 57);
	bound = usage_big_add(bound, usage_big_shift(rates, 62));
	bound = usage_big_add(
		bound, usage_big_shift(usage_model_at(m, view, entity, t), 60));
	bound = usage_big_add(bound, usage_big_shift(set, 60));
	return usage_big_add(
		bound, usage_big_from(0, (uint64_t)sources + 2 + 4 * sets));
}

bool usage_model_agrees(const struct usage_model *m,
			const struct usage_model_view *view, uint32_t entity,
			int64_t t, int sources, uint64_t whole,
			uint64_t fraction)
{
	struct usage_big exact = usage_model_at(m, view, entity, t);
	struct usage_big got = usage_big_from(whole, fraction), off;
	int order = usage_big_compare(got, exact);

	if (!order)
		return true;
	/* A reading of windows is never too high. */
	if (order > 0 && !m->half_life)
		return false;
	off = order > 0 ? usage_big_sub(got, exact) : usage_big_sub(exact, got);
	return usage_big_compare(
		       off, usage_model_bound(m, view, entity, t, sources)) < 0;
}
