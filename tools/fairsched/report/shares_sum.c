/* SPDX-License-Identifier: MIT OR Unlicense */
#include "shares_sum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/text.h"
#include "tools/fairsched/trace/names.h"

#define HOUR 3600.0

struct adder {
	struct shares_sum *sum;
	enum dues_kind kind;
};

/* Room for owner @i; false without memory. */
static bool grow(struct shares_sum *s, enum dues_kind kind, size_t i)
{
	size_t n = 2 * s->owners[kind] > i ? 2 * s->owners[kind] : i + 1;
	struct shares_owner *more;

	if (i < s->owners[kind])
		return true;
	more = realloc(s->owner[kind], n * sizeof(*more));
	if (!more)
		return false;
	memset(more + s->owners[kind], 0,
	       (n - s->owners[kind]) * sizeof(*more));
	s->owner[kind] = more;
	s->owners[kind] = n;
	return true;
}

static void add(void *ctx, const struct dues_row *r)
{
	const struct adder *a = ctx;
	struct shares_sum *s = a->sum;
	struct shares_owner *o;
	size_t part = (size_t)((r->from - s->from) / s->step);

	if (s->failed || !grow(s, a->kind, r->index)) {
		s->failed = true;
		return;
	}
	o = &s->owner[a->kind][r->index];
	o->is = *r;
	part = part < SHARES_PARTS ? part : SHARES_PARTS - 1;
	o->due[part] += r->due;
	o->got[part] += (double)r->got;
}

int shares_sum_make(struct shares_sum *s, const struct report *r, int64_t to)
{
	const struct swf *t = r->trace;
	struct adder a = { s, DUES_USERS };
	int64_t days = (to - t->from - 1) / DUES_WINDOW + 1;
	int error = 0;

	memset(s, 0, sizeof(*s));
	s->from = t->from;
	s->step = ((days - 1) / SHARES_PARTS + 1) * DUES_WINDOW;
	for (; a.kind < DUES_KINDS && !error; a.kind++)
		error = dues_each(t, &r->rules, r->result, a.kind, DUES_WINDOW,
				  add, &a);
	return error || s->failed ? -1 : 0;
}

void shares_sum_free(struct shares_sum *s)
{
	size_t k;

	for (k = 0; k < DUES_KINDS; k++)
		free(s->owner[k]);
	memset(s, 0, sizeof(*s));
}

static double sum_of(const double *part)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < SHARES_PARTS; i++)
		sum += part[i];
	return sum / HOUR;
}

double shares_sum_due(const struct shares_owner *o)
{
	return sum_of(o->due);
}

double shares_sum_got(const struct shares_owner *o)
{
	return sum_of(o->got);
}

void shares_sum_name(const struct report *r, enum dues_kind kind,
		     const struct shares_owner *o, char *text, size_t size)
{
	bool tree = r->rules.tree && r->rules.tree->nodes;
	bool user = kind == DUES_USERS;
	enum sacct_kind of = user ? SACCT_USER : SACCT_ACCOUNT;
	const struct tree_node *n = o->is.node;
	char number[96];

	if (tree && n && user && n->parent != TREE_ROOT)
		snprintf(text, size, "%s (%s)", n->name,
			 r->rules.tree->node[n->parent].name);
	else if (tree)
		snprintf(text, size, "%s", n ? n->name : "root");
	else if (o->is.number < 0)
		snprintf(text, size, "unknown %s", user ? "user" : "account");
	else
		snprintf(text, size, "%s%s",
			 names_of(r->trace->names, of, o->is.number).n ? ""
			 : user ? "user "
				: "account ",
			 names_text(r->trace->names, of, o->is.number, number,
				    sizeof(number)));
}

/* The part, due, got: of each part in which anything is due or got. */
static void write_parts(const struct shares_owner *o, FILE *f)
{
	const char *comma = "";
	size_t i;

	putc('[', f);
	for (i = 0; i < SHARES_PARTS; i++) {
		if (!(o->due[i] > 0) && !(o->got[i] > 0))
			continue;
		fprintf(f, "%s%zu,%.1f,%.1f", comma, i, o->due[i] / HOUR,
			o->got[i] / HOUR);
		comma = ",";
	}
	putc(']', f);
}

void shares_sum_json(const struct shares_sum *s, const struct report *r,
		     FILE *f)
{
	static const char *const name[] = { "users", "accounts" };
	const struct shares_owner *o, *end;
	enum dues_kind kind;
	const char *comma;
	char text[256];

	fprintf(f, "{\"from\":%" PRId64 ",\"step\":%" PRId64, s->from, s->step);
	for (kind = 0; kind < DUES_KINDS; kind++) {
		fprintf(f, ",\n\"%s\":[", name[kind]);
		comma = "";
		end = s->owner[kind] + s->owners[kind];
		for (o = s->owner[kind]; o < end; o++) {
			if (!(o->is.demand > 0))
				continue;
			shares_sum_name(r, kind, o, text, sizeof(text));
			fprintf(f, "%s[", comma);
			text_json_quoted(f, text, strlen(text));
			putc(',', f);
			write_parts(o, f);
			putc(']', f);
			comma = ",\n";
		}
		putc(']', f);
	}
	putc('}', f);
}
