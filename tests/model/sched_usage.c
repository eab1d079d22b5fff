/* SPDX-License-Identifier: MIT OR Unlicense */
#include "sched_usage.h"

#include <stdlib.h>
#include <string.h>

#include "sched_parts.h"

#define LN2 0.693147180559945309417232121458176568L

struct line {
	uint32_t number, user;
	int64_t rate, start, end; /* end of the walltime while it runs */
	bool runs;
};

struct sched_usage {
	int64_t half_life; /* 0: no decay */
	struct line *line;
	size_t n;
	bool unsure;
};

struct sched_usage *sched_usage_new(const struct model_rules *rules)
{
	struct sched_usage *s = must(calloc(1, sizeof(*s)));

	s->half_life = rules->half_life;
	return s;
}

struct sched_usage *sched_usage_copy(const struct sched_usage *s)
{
	struct sched_usage *c = must(calloc(1, sizeof(*c)));

	*c = *s;
	c->line = must(calloc(s->n + 1, sizeof(*c->line)));
	if (s->n)
		memcpy(c->line, s->line, s->n * sizeof(*c->line));
	return c;
}

void sched_usage_free(struct sched_usage *s)
{
	if (s)
		free(s->line);
	free(s);
}

void sched_usage_start(struct sched_usage *s, uint32_t number, uint32_t user,
		       int64_t rate, int64_t walltime, int64_t now)
{
	struct line *x;

	s->line = must(realloc(s->line, (s->n + 1) * sizeof(*s->line)));
	x = &s->line[s->n++];
	x->number = number;
	x->user = user;
	x->rate = rate;
	x->start = now;
	x->end = now + walltime;
	x->runs = true;
}

static struct line *line_of(struct sched_usage *s, uint32_t number)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->line[i].runs && s->line[i].number == number)
			return &s->line[i];
	return NULL;
}

void sched_usage_walltime(struct sched_usage *s, uint32_t number,
			  int64_t walltime)
{
	struct line *x = line_of(s, number);

	x->end = x->start + walltime;
}

void sched_usage_leave(struct sched_usage *s, uint32_t number, int64_t now)
{
	struct line *x = line_of(s, number);

	if (!x)
		return;
	x->end = now;
	x->runs = false;
}

/* 2^-x, as a power series after whole powers. */
static long double decay(long double x)
{
	long double term = 1, sum = 0;
	int i;

	while (x >= 1) {
		x--;
		if ((term /= 2) == 0)
			return 0;
	}
	for (i = 1; i < 30; i++) {
		sum += term;
		term *= -x * LN2 / i;
	}
	return sum;
}

/* The integral of 2^((s - now) / h) over [start, end) */
static long double decayed(const struct line *x, int64_t half_life, int64_t now)
{
	long double h = (long double)half_life;

	return h / LN2 *
	       (decay((long double)(now - x->end) / h) -
		decay((long double)(now - x->start) / h));
}

static long double used(const struct sched_usage *s, uint32_t user, int64_t now,
			bool *exact)
{
	long double sum = 0;
	size_t i;

	for (i = 0; i < s->n; i++) {
		const struct line *x = &s->line[i];

		if (x->user != user || x->start == x->end)
			continue;
		if (x->runs || !s->half_life) {
			sum += (long double)x->rate *
			       (long double)(x->end - x->start);
			continue;
		}
		*exact = false;
		sum += (long double)x->rate * decayed(x, s->half_life, now);
	}
	return sum;
}

long double sched_usage_read(const struct sched_usage *s, uint32_t user,
			     int64_t now)
{
	bool exact;

	return used(s, user, now, &exact);
}

int sched_usage_compare(struct sched_usage *s, uint32_t a, uint32_t b,
			int64_t now)
{
	bool exact = true;
	long double x = used(s, a, now, &exact), y = used(s, b, now, &exact);
	long double apart = x < y ? y - x : x - y;

	if (a == b)
		return 0;
	if (!exact && apart <= 1e-9L * (x + y))
		s->unsure = true;
	return (x > y) - (x < y);
}

bool sched_usage_is_ambiguous(const struct sched_usage *s)
{
	return s->unsure;
}
