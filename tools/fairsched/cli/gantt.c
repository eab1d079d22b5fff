/* SPDX-License-Identifier: MIT OR Unlicense */
#include "gantt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/text.h"
#include "tools/fairsched/base/units.h"
#include "tools/fairsched/report/by_class.h"
#include "tools/fairsched/trace/node_names.h"

#define ROWS 32	 /* at most */
#define LABEL 10 /* "8192 |", with room for 2^31 */

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

struct picture {
	char *cell; /* [row * columns + column] */
	size_t rows, columns;
	int64_t from, step; /* seconds of a column */
	int32_t first;	     /* processor */
	int32_t procs, tall; /* processors, or units, of a row */
};

/* The first column whose middle is at or after that time. */
static size_t column_of(const struct picture *p, int64_t at)
{
	int64_t n = at - p->from - p->step / 2;

	if (n <= 0)
		return 0;
	n = (n + p->step - 1) / p->step;
	return n < (int64_t)p->columns ? (size_t)n : p->columns;
}

/* The middle processor of a row, from 0 on. */
static int32_t middle_of(const struct picture *p, size_t row)
{
	int32_t middle = (int32_t)row * p->tall + p->tall / 2;

	return middle < p->procs ? middle : p->procs - 1;
}

static char sign_of(const struct report *r, size_t job)
{
	int64_t id = r->trace->job[job].id;

	return letters[id < 0 ? 0 : (size_t)id % (sizeof(letters) - 1)];
}

static void draw_job(struct picture *p, const struct procset *s, size_t job,
		     char letter, int64_t start, int64_t end)
{
	const struct procset_range *r = s->range + s->begin[job];
	size_t a = column_of(p, start), z = column_of(p, end), row;
	int32_t k, middle;

	for (k = 0; k < s->count[job] && a < z; k++, r++)
		for (row = 0; row < p->rows; row++) {
			middle = middle_of(p, row) + p->first;
			if (middle > r->last)
				break;
			if (middle >= r->first)
				memset(p->cell + row * p->columns + a, letter,
				       z - a);
		}
}

static void draw(struct picture *p, const struct report *r,
		 const struct procset *s)
{
	const struct swf_job *j = r->trace->job;
	size_t i;

	for (i = 0; i < r->trace->jobs; i++)
		draw_job(p, s, i, sign_of(r, i), r->result[i].start,
			 r->result[i].start + j[i].run);
}

static void print_row(const struct picture *p, size_t row, const char *label)
{
	const char *line = p->cell + row * p->columns;
	size_t n, bytes = strlen(label);

	for (n = p->columns; n && line[n - 1] == ' '; n--)
		;
	/* Of a long name the end. */
	printf("%*s |%.*s\n", LABEL,
	       label + (bytes > LABEL ? bytes - LABEL : 0), (int)n, line);
}

static void print_rows(const struct picture *p)
{
	char label[16];
	size_t row;

	putchar('\n');
	for (row = p->rows; row--;) {
		snprintf(label, sizeof(label), "%" PRId32,
			 p->first + (int32_t)row * p->tall + 1);
		print_row(p, row, label);
	}
}

/* @each: what a row is, or "". */
static void print_axis(const struct picture *p, const struct clock *c,
		       const char *each, size_t room)
{
	char from[CLOCK_TEXT], to[CLOCK_TEXT], step[CLOCK_TEXT], legend[256];
	size_t n;

	clock_date(c, p->from, from);
	clock_date(c, p->from + p->step * (int64_t)p->columns, to);
	n = strlen(from) + strlen(to);
	printf("%*s  %s%*s%s\n", LABEL, "", from,
	       p->columns > n ? (int)(p->columns - n) : 1, "", to);
	snprintf(legend, sizeof(legend),
		 "Each column is %s%s. A job's "
		 "sign is its number modulo 62, of 0-9, a-z, A-Z.",
		 units_exact(p->step, step, sizeof(step)), each);
	text_wrap(stdout, legend, 0, room);
}

/* A picture of @procs processors or units, at least @tall a row; -1 without
 * memory. */
static int open_picture(struct picture *p, int32_t first, int32_t procs,
			int32_t tall)
{
	p->first = first;
	p->procs = procs;
	p->tall = (procs - 1) / ROWS + 1;
	p->tall = p->tall < tall ? tall : p->tall;
	p->rows = (size_t)((procs - 1) / p->tall + 1);
	p->cell = malloc(p->rows * p->columns);
	if (!p->cell)
		return -1;
	memset(p->cell, ' ', p->rows * p->columns);
	return 0;
}

/* ---- node classes ---- */

/* Jobs that run in the period, by their starts. */
struct runs {
	struct run {
		int64_t start, end;
		size_t job;
	} *run;
	size_t n;
};

static int by_start(const void *a, const void *b)
{
	const struct run *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

static int open_runs(struct runs *runs, const struct report *r, int64_t from,
		     int64_t to)
{
	struct run run;

	runs->run = malloc((r->trace->jobs + 1) * sizeof(run));
	if (!runs->run)
		return -1;
	for (run.job = 0; run.job < r->trace->jobs; run.job++) {
		run.start = r->result[run.job].start;
		run.end = run.start + r->trace->job[run.job].run;
		if (run.start < to && run.end > from)
			runs->run[runs->n++] = run;
	}
	qsort(runs->run, runs->n, sizeof(run), by_start);
	return 0;
}

/* Units have no numbers: those of the jobs that run, one upon the other. */
static void draw_amounts(struct picture *p, const struct report *r,
			 const struct runs *runs, uint32_t k, uint32_t resource)
{
	const struct plan *plan = r->rules.plan;
	bool wide = plan->config.wide >> resource & 1;
	struct fair_job job = { 0 };
	size_t column, i, row;
	int64_t t, top;

	for (column = 0; column < p->columns; column++) {
		t = p->from + (int64_t)column * p->step + p->step / 2;
		for (top = 0, row = 0, i = 0; i < runs->n; i++) {
			const struct run *run = &runs->run[i];

			if (run->start > t || run->end <= t ||
			    (!wide && r->result[run->job].node_class != k))
				continue;
			plan_ask(plan, run->job, &job);
			top += job.amount[resource];
			for (; row < p->rows && middle_of(p, row) < top; row++)
				p->cell[row * p->columns + column] =
					sign_of(r, run->job);
		}
	}
}

/* "gpu gpus, 1 a row", "big memory, 16G a row" */
static void print_title(const struct picture *p, const struct report *r,
			size_t measure, uint32_t resource)
{
	int shift = r->rules.plan->shift[resource];
	int64_t row = p->tall;
	char name[64];

	for (; shift && shift < 60 && row % 1024 == 0; shift += 10)
		row /= 1024;
	by_class_name(r, measure, name, sizeof(name));
	printf("\n%s, %" PRId64 "%.1s a row", name, row,
	       &"\0KMGTPE"[shift / 10]);
}

/* Nodes have rows of their own: a part of one, all of it, or some of them. */
static int32_t procs_of_row(const struct plan *plan, uint32_t k)
{
	int32_t count, procs, rows, tall;

	if (!plan->nodes.count)
		return 1;
	count = plan->nodes.count[k];
	procs = plan->amount[k * plan->config.resources] / count;
	if (count > ROWS)
		return ((count - 1) / ROWS + 1) * procs;
	rows = ROWS / count;
	for (tall = (procs - 1) / rows + 1; procs % tall; tall++)
		;
	return tall;
}

/* The first row of a node has its name. */
static void print_nodes(const struct picture *p, const struct plan *plan,
			uint32_t k)
{
	int32_t count = plan->nodes.count[k], at;
	int32_t procs = p->procs / count;
	uint32_t node = 0, i;
	char name[NODE_NAME];
	size_t row;

	for (i = 0; i < k; i++)
		node += (uint32_t)plan->nodes.count[i];
	putchar('\n');
	for (row = p->rows; row--;) {
		at = (int32_t)row * p->tall;
		print_row(p, row,
			  at % procs ? ""
				     : node_names_of(plan->machine,
						     node + (uint32_t)(at /
								       procs),
						     name));
	}
}

static int print_class(const struct report *r, const struct procset *s,
		       const struct runs *runs, struct picture *p, uint32_t k)
{
	const struct fair_machine_config *c = &r->rules.plan->config;
	uint32_t i;

	for (i = 0; i < c->resources; i++) {
		int32_t most = r->rules.plan->amount[k * c->resources + i];

		if (!most)
			continue;
		if (open_picture(p, i ? 0 : plan_first_proc(r->rules.plan, k),
				 most, i ? 1 : procs_of_row(r->rules.plan, k)))
			return -1;
		if (i)
			draw_amounts(p, r, runs, k, i);
		else
			draw(p, r, s);
		print_title(p, r, k * (c->resources + 1) + i, i);
		if (i || !r->rules.plan->nodes.count)
			print_rows(p);
		else
			print_nodes(p, r->rules.plan, k);
		free(p->cell);
	}
	return 0;
}

static int print_classes(const struct report *r, const struct procset *s,
			 struct picture *p, const struct clock *clock,
			 int64_t to, size_t room)
{
	struct runs runs = { 0 };
	int error = open_runs(&runs, r, p->from, to);
	uint32_t k;

	for (k = 0; !error && k < r->rules.plan->config.classes; k++)
		error = print_class(r, s, &runs, p, k);
	if (!error)
		print_axis(p, clock, "", room);
	free(runs.run);
	return error;
}

/* ---- one pool ---- */

int gantt_print(const struct report *r, const struct procset *s,
		const struct clock *clock, int64_t from, int64_t to,
		size_t room)
{
	struct picture p = { 0 };
	int64_t most = room > LABEL + 22 ? (int64_t)room - LABEL - 2 : 20;
	char each[64];

	p.from = from;
	p.step = (to - from - 1) / most + 1;
	p.columns = (size_t)((to - from - 1) / p.step + 1);
	if (plan_is_open(r->rules.plan))
		return print_classes(r, s, &p, clock, to, room);
	if (open_picture(&p, 0, r->trace->procs, 1))
		return -1;
	draw(&p, r, s);
	print_rows(&p);
	snprintf(each, sizeof(each), ", each row %" PRId32 " processor%s",
		 p.tall, p.tall == 1 ? "" : "s");
	print_axis(&p, clock, each, room);
	free(p.cell);
	return 0;
}
