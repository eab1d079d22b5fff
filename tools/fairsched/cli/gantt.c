/* SPDX-License-Identifier: MIT OR Unlicense */
#include "gantt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/text.h"
#include "tools/fairsched/base/units.h"

#define ROWS 32	 /* at most */
#define LABEL 10 /* "8192 |", with room for 2^31 */

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

struct picture {
	char *cell; /* [row * columns + column] */
	size_t rows, columns;
	int64_t from, step; /* seconds of a column */
	int32_t procs, tall; /* processors of a row */
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

static void draw_job(struct picture *p, const struct procset *s, size_t job,
		     char letter, int64_t start, int64_t end)
{
	const struct procset_range *r = s->range + s->begin[job];
	size_t a = column_of(p, start), z = column_of(p, end), row;
	int32_t k, middle;

	for (k = 0; k < s->count[job] && a < z; k++, r++)
		for (row = (size_t)(r->first / p->tall); row < p->rows; row++) {
			middle = (int32_t)row * p->tall + p->tall / 2;
			if (middle >= p->procs)
				middle = p->procs - 1;
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
		draw_job(p, s, i,
			 letters[j[i].id < 0 ? 0
					     : (size_t)j[i].id %
						       (sizeof(letters) - 1)],
			 r->result[i].start, r->result[i].start + j[i].run);
}

static void print(const struct picture *p, const struct clock *c, size_t room)
{
	char from[CLOCK_TEXT], to[CLOCK_TEXT], step[CLOCK_TEXT], legend[256];
	size_t row, n;

	putchar('\n');
	for (row = p->rows; row--;) {
		const char *line = p->cell + row * p->columns;

		for (n = p->columns; n && line[n - 1] == ' '; n--)
			;
		printf("%*" PRId32 " |%.*s\n", LABEL,
		       (int32_t)row * p->tall + 1, (int)n, line);
	}
	clock_date(c, p->from, from);
	clock_date(c, p->from + p->step * (int64_t)p->columns, to);
	n = strlen(from) + strlen(to);
	printf("%*s  %s%*s%s\n", LABEL, "", from,
	       p->columns > n ? (int)(p->columns - n) : 1, "", to);
	snprintf(legend, sizeof(legend),
		 "Each column is %s, each row %" PRId32 " processor%s. A job's "
		 "sign is its number modulo 62, of 0-9, a-z, A-Z.",
		 units_exact(p->step, step, sizeof(step)), p->tall,
		 p->tall == 1 ? "" : "s");
	text_wrap(stdout, legend, 0, room);
}

int gantt_print(const struct report *r, const struct procset *s,
		const struct clock *clock, int64_t from, int64_t to,
		size_t room)
{
	struct picture p = { 0 };
	int64_t most = room > LABEL + 22 ? (int64_t)room - LABEL - 2 : 20;

	p.procs = r->trace->procs;
	p.tall = (p.procs - 1) / ROWS + 1;
	p.rows = (size_t)((p.procs - 1) / p.tall + 1);
	p.from = from;
	p.step = (to - from - 1) / most + 1;
	p.columns = (size_t)((to - from - 1) / p.step + 1);
	p.cell = malloc(p.rows * p.columns);
	if (!p.cell)
		return -1;
	memset(p.cell, ' ', p.rows * p.columns);
	draw(&p, r, s);
	print(&p, clock, room);
	free(p.cell);
	return 0;
}
