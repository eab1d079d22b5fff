/* SPDX-License-Identifier: MIT OR Unlicense */
#include "price.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define REQUEST 4096

/* A request in the form that charge.h reads. */
struct request {
	const struct machine *machine;
	int64_t nodes;
	char text[REQUEST];
	size_t n;
};

/* Appends to the request; drops what does not fit. */
static void append(struct request *r, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(r->text + r->n, REQUEST - r->n, format, args);
	va_end(args);
	if (n > 0 && (size_t)n < REQUEST - r->n)
		r->n += (size_t)n;
	r->text[r->n] = '\0';
}

static int64_t per_node(const struct request *r, int64_t all)
{
	return all / r->nodes + (all % r->nodes != 0);
}

static bool is_plain(struct csv_field f)
{
	size_t i;

	for (i = 0; i < f.n; i++)
		if (strchr(":=+#^ \t\r", f.p[i]))
			return false;
	return f.n > 0;
}

/* gres/gpu=2 asks for 2 units of the column gpu. */
static void add_gres(struct request *r, struct csv_field tres)
{
	struct csv_field f, name;
	int64_t amount;

	while (csv_cut(&tres, ',', &f)) {
		amount = 0;
		if (f.n < 5 || memcmp(f.p, "gres/", 5))
			continue;
		f.p += 5;
		f.n -= 5;
		csv_cut(&f, '=', &name);
		if (f.p && is_plain(name) &&
		    csv_digits(&f, INT32_MAX, &amount) && !f.n &&
		    machine_resource(r->machine, name.p, name.n) > 0)
			append(r, ":%.*s=%" PRId64, (int)name.n, name.p,
			       per_node(r, amount));
	}
}

static void add_features(struct request *r, struct csv_field features)
{
	struct csv_field all = features, f;

	while (csv_cut(&all, '&', &f))
		if (is_plain(f) && machine_property(r->machine, f.p, f.n))
			append(r, ":%.*s", (int)f.n, f.p);
}

int price_job(const struct rules_files *files, const struct rules_args *args,
	      const struct slurm_job *j, int64_t *rate)
{
	struct request r = { 0 };
	struct swf_job job = { 0 };
	struct swf t = { 0 };
	char error[CHARGE_ERROR];

	r.machine = args->machine ? &files->machine : NULL;
	r.nodes = j->nodes > 0 ? j->nodes : 1;
	if (r.machine) {
		append(&r, "- - %" PRId64 ":ppn=%" PRId64, r.nodes,
		       per_node(&r, j->procs));
		if (machine_resource(r.machine, "ram", 3) >= 0)
			append(&r, ":mem=%" PRId64 "M",
			       per_node(&r, j->memory));
		add_gres(&r, j->tres);
		add_features(&r, j->features);
	}
	job.procs = j->procs;
	job.more = r.text;
	job.more_bytes = r.n;
	t.job = &job;
	t.jobs = 1;
	if (charge_trace(r.machine, &args->charge, false, &t, "squeue", error))
		return -1;
	*rate = job.penalty;
	return 0;
}
