/* SPDX-License-Identifier: MIT OR Unlicense */
#include "classes_maui.h"

#include <stdlib.h>
#include <string.h>

#include "sched_parts.h"

/* A scheduler of which only the time, the running jobs and the past count. */
struct classes_maui {
	struct model model;
};

static struct live live_of(const struct classes_job *j)
{
	struct live l;

	memset(&l, 0, sizeof(l));
	l.submit = j->submit;
	l.user = j->user;
	l.estimate = j->walltime;
	l.procs = j->amount[0];
	l.asks = j->asks;
	return l;
}

struct classes_maui *classes_maui_new(const struct classes_rules *rules,
				      int64_t now)
{
	struct classes_maui *x;

	if (!rules->maui)
		return NULL;
	x = must(calloc(1, sizeof(*x)));
	x->model.rules.maui = rules->maui;
	for (uint32_t k = 0; k < rules->classes; k++)
		x->model.rules.procs += rules->amount[k * rules->resources];
	x->model.origin = x->model.now = now;
	return x;
}

struct classes_maui *classes_maui_copy(const struct classes_maui *x)
{
	struct classes_maui *copy;

	if (!x)
		return NULL;
	copy = copy_of(x, 1, sizeof(*x));
	copy->model.running =
		copy_of(x->model.running, x->model.runs, sizeof(struct live));
	copy->model.run_cap = x->model.runs;
	copy->model.past =
		copy_of(x->model.past, x->model.pasts, sizeof(struct past));
	copy->model.past_cap = x->model.pasts;
	return copy;
}

void classes_maui_free(struct classes_maui *x)
{
	if (x) {
		free(x->model.running);
		free(x->model.past);
	}
	free(x);
}

void classes_maui_see(struct classes_maui *x, int64_t now, size_t queued)
{
	x->model.now = now;
	x->model.queued = queued;
	x->model.runs = 0;
}

void classes_maui_run(struct classes_maui *x, uint32_t number,
		      const struct classes_job *j, int64_t start, int64_t end)
{
	struct model *m = &x->model;
	struct live l = live_of(j);

	l.number = number;
	l.start = start;
	l.end = end;
	m->running = grow(m->running, &m->run_cap, m->runs + 1, sizeof(l));
	m->running[m->runs++] = l;
}

void classes_maui_leave(struct classes_maui *x, uint32_t number)
{
	maui_leave(&x->model, number);
}

bool classes_maui_is_possible(const struct classes_maui *x,
			      const struct classes_job *j)
{
	return maui_possible(&x->model, &j->asks, j->amount[0], j->walltime);
}

bool classes_maui_is_within(const struct classes_maui *x,
			    const struct classes_job *j, int level)
{
	struct live l = live_of(j);

	return maui_is_within(&x->model, &l, level);
}

bool classes_maui_can_grow(const struct classes_maui *x, uint32_t number,
			   const struct classes_job *j)
{
	return maui_can_grow(&x->model, number, j->amount[0]);
}

void classes_maui_select(struct classes_maui *x,
			 const struct classes_job **job,
			 const int64_t *allowed, size_t n, int64_t procs,
			 int level, bool *passed)
{
	struct live *l = must(malloc((n + 1) * sizeof(*l)));
	struct live **at = must(malloc((n + 1) * sizeof(struct live *)));
	struct model *m = &x->model;

	m->capacity = (int32_t)procs;
	for (size_t i = 0; i < n; i++) {
		l[i] = live_of(job[i]);
		l[i].allowed = allowed[i];
		at[i] = &l[i];
	}
	maui_select(m, at, n, level, passed);
	m->ran = m->runs;
	m->passes &= level != 0;
	for (size_t i = 0; i < n; i++)
		m->passes |= passed[i];
	free(at);
	free(l);
}

bool classes_maui_is_over_cap(const struct classes_maui *x,
			      const struct classes_job *j)
{
	struct live l = live_of(j);

	return maui_is_over_cap(&x->model, &l);
}

int64_t classes_maui_priority(const struct classes_maui *x,
			      const struct classes_job *j, int64_t bypassed)
{
	struct live l = live_of(j);

	l.bypassed = bypassed;
	return maui_priority(&x->model, &l);
}

uint32_t classes_maui_flags(const struct classes_maui *x,
			    const struct classes_job *j)
{
	struct live l = live_of(j);

	return maui_flags(&x->model, &l);
}

int64_t classes_maui_next(const struct classes_maui *x)
{
	return maui_next(&x->model);
}
