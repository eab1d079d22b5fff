/* SPDX-License-Identifier: MIT OR Unlicense */
#include "snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/report/report.h"

static int read_time(struct snapshot *p, const struct when *at)
{
	int status = trace_when(at, &p->trace, "--at", &p->at);
	size_t i;

	if (status)
		return status;
	for (i = 0; i < p->trace.jobs; i++)
		if (p->trace.job[i].submit <= p->at)
			return 0;
	return input_error("%s: no job was submitted by second %" PRId64,
			   p->name, p->at);
}

int snapshot_open(struct snapshot *p, const struct command *c,
		  const struct snapshot_args *a, const char *path)
{
	struct swf_options o = trace_options(&a->trace);
	const char *why;
	int status;

	memset(p, 0, sizeof(*p));
	p->name = trace_name(path);
	p->policy = a->policy;
	why = rules_make(&p->rules, a->policy, &a->rules);
	if (!why)
		why = rules_idle(&a->rules, 1u << a->policy | a->also);
	if (why)
		return usage_error(c, "%s", why);
	status = rules_open(&p->files, &a->rules, a->trace.cluster);
	if (status)
		return status;
	rules_set_procs(&p->files, &a->rules, &o);
	if (trace_read(&p->trace, path, &o, a->trace.names))
		return input_error("%s", p->trace.error);
	rules_bind(&p->rules, &p->files);
	p->rules.procs = p->trace.procs;
	p->rules.epoch = p->trace.unix_start;
	status = rules_assign(&p->files, &a->rules, a->trace.lenient,
			      &p->trace, path);
	if (!status && a->at.given)
		status = read_time(p, &a->at);
	p->clock.epoch = swf_dated(&p->trace) ? p->trace.unix_start : INT64_MIN;
	p->clock.now = p->at;
	p->clock.seconds = a->seconds;
	return status;
}

void snapshot_close(struct snapshot *p)
{
	free(p->result);
	swf_free(&p->trace);
	rules_close(&p->files);
}

static void look(void *ctx, struct fair_sched *sched, int64_t stop)
{
	struct snapshot *p = ctx;
	struct fair_decision d[64];
	size_t n = 64;

	while (!p->error && n == 64)
		p->error = fair_sched_step(sched, stop, d, 64, &n);
	if (!p->error)
		p->error = p->then(p->ctx, sched);
}

int snapshot_run(struct snapshot *p,
		 int (*then)(void *ctx, struct fair_sched *sched), void *ctx)
{
	struct sim_watch watch = { 0 };
	struct report r = { 0 };
	int error = -FAIR_ENOMEM;

	p->then = then;
	p->ctx = ctx;
	watch.ctx = p;
	watch.stopped = look;
	watch.stop = p->at;
	r.trace = &p->trace;
	r.name = p->name;
	r.policy = p->policy;
	r.totals.now = p->at;
	r.totals.job = SIZE_MAX;
	p->result = malloc(p->trace.jobs * sizeof(*p->result));
	if (p->result)
		error = sim_run(&p->rules, p->trace.job, p->trace.jobs, &watch,
				p->result, &r.totals);
	if (!error)
		error = p->error;
	if (!error)
		return 0;
	r.rules = p->rules;
	report_explain(&r, error);
	return run_error("%s", r.error);
}

static bool read_integer(const char *text, char **end, int64_t *n)
{
	errno = 0;
	*n = strtoll(text, end, 10);
	return *end > text && !errno;
}

bool snapshot_name(const char *text, struct job_name *name)
{
	char *end;

	name->task = -1;
	if (!read_integer(text, &end, &name->id))
		return false;
	if (*end == '_' && end[1] >= '0' && end[1] <= '9')
		return read_integer(end + 1, &end, &name->task) && !*end;
	return !*end;
}

bool snapshot_is(const struct swf_job *j, const struct job_name *name)
{
	return name->task < 0 ? j->id == name->id
			      : j->array == name->id && j->task == name->task;
}
