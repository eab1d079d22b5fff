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
	long double amount; /* set at @start, if @set; not exact, if @rounded */
	bool set, rounded;
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
	x->set = x->rounded = false;
	x->amount = 0;
}

static void add_amount(struct sched_usage *s, uint32_t user, long double amount,
		       bool rounded, int64_t now)
{
	struct line *x;

	sched_usage_start(s, 0, user, 0, 0, now);
	x = &s->line[s->n - 1];
	x->runs = false;
	x->set = true;
	x->amount = amount;
	x->rounded = rounded;
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

		if (x->set && x->user == user) {
			*exact &= !s->half_life && !x->rounded;
			sum += x->amount * (s->half_life
						    ? decay((long double)(now - x->start) /
							    (long double)s->half_life)
						    : 1);
		}
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

/* What the jobs of a user that ended have used; forgets them. */
static long double take_ended(struct sched_usage *s, uint32_t user, int64_t now,
			      bool *exact)
{
	struct sched_usage ended = *s;
	long double sum;
	size_t i, kept = 0;

	ended.line = must(calloc(s->n + 1, sizeof(*ended.line)));
	ended.n = 0;
	for (i = 0; i < s->n; i++) {
		if (s->line[i].user == user && !s->line[i].runs)
			ended.line[ended.n++] = s->line[i];
		else
			s->line[kept++] = s->line[i];
	}
	s->n = kept;
	sum = used(&ended, user, now, exact);
	free(ended.line);
	return sum;
}

long double sched_usage_ended(const struct sched_usage *s, uint32_t user,
			      int64_t now)
{
	struct sched_usage *copy = sched_usage_copy(s);
	bool exact = true; /* not asked for */
	long double sum = take_ended(copy, user, now, &exact);

	sched_usage_free(copy);
	return sum / 1048576;
}

void sched_usage_set(struct sched_usage *s, uint32_t user, int64_t amount,
		     int64_t now)
{
	bool exact = true;

	(void)take_ended(s, user, now, &exact);
	if (amount)
		add_amount(s, user, (long double)amount * 1048576, false, now);
}

void sched_usage_reset(struct sched_usage *s)
{
	size_t i, kept = 0;

	for (i = 0; i < s->n; i++)
		if (s->line[i].runs)
			s->line[kept++] = s->line[i];
	s->n = kept;
}

long double sched_usage_credit(struct sched_usage *s, uint32_t user,
			       int64_t amount, int64_t now)
{
	long double asked = (long double)amount * 1048576, has;
	bool exact = true;

	if (!amount)
		return 0;
	has = take_ended(s, user, now, &exact);
	if (has > asked)
		add_amount(s, user, has - asked, !exact, now);
	if (!exact && has - asked < 1e-3L && asked - has < 1e-3L)
		s->unsure = true;
	return (has > asked ? asked : has) / 1048576;
}

void sched_usage_change(struct sched_usage *s, int64_t half_life, int64_t now)
{
	long double has;
	uint32_t user;
	bool exact;
	size_t i;

	/* New lines are behind the others, and not of a job that ended. */
	for (i = s->n; i-- > 0;) {
		if (s->line[i].runs || (s->line[i].set &&
					s->line[i].start == now))
			continue;
		user = s->line[i].user;
		exact = true;
		has = take_ended(s, user, now, &exact);
		add_amount(s, user, has, !exact, now);
		i = s->n;
	}
	s->half_life = half_life;
}

long double sched_usage_read(const struct sched_usage *s, uint32_t user,
			     int64_t now)
{
	bool exact = true; /* not asked for */

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
	if (!exact && apart <= 1e-9L * (x + y) + 1e-6L)
		s->unsure = true;
	return (x > y) - (x < y);
}

bool sched_usage_is_ambiguous(const struct sched_usage *s)
{
	return s->unsure;
}
