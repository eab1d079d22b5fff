/* SPDX-License-Identifier: MIT OR Unlicense */
#include "fst_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"

#define SHARD_JOBS 64 /* in a row: neighbours share work */

const char *fst_run_check(const struct fst_run_args *a, bool disturbed)
{
	if (!a->fst && (a->sample > 0 || a->whole))
		return "--fst-sample and --fst-whole need --fst";
	if (!a->fst && (a->part || a->shard.of || a->threads))
		return "--part, --shard and --threads need --fst";
	if (a->whole && !(a->sample > 0))
		return "--fst-whole needs --fst-sample";
	if (a->seed && !(a->sample > 0) && !disturbed)
		return "--seed needs --fst-sample, --end-late, --failures or "
		       "--refuse";
	if (a->shard.of && !a->part)
		return "--shard needs --part, the file for its results";
	if (a->part && !strcmp(a->part, "-"))
		return "--part needs a file, not stdout";
	return NULL;
}

/* Uniform in [0, 1): splitmix64 of the seed and the number. */
static double chance(int64_t seed, size_t number)
{
	uint64_t z = ((uint64_t)seed + 1) * UINT64_C(0x9e3779b97f4a7c15) +
		     (uint64_t)number * UINT64_C(0xd1342543de82ef95);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return ldexp((double)(z >> 11), -53);
}

static bool in_sample(const struct fst_run_args *a, size_t jobs, size_t number)
{
	return !(a->sample > 0) || jobs <= (uint64_t)a->whole ||
	       chance(a->seed, number) < a->sample / 100;
}

size_t fst_run_want(struct fst *f, const struct fst_run_args *a, size_t jobs)
{
	size_t i, n = 0;

	for (i = 0; i < jobs; i++) {
		f->wanted[i] = f->time[i].strict == FAIR_FOREVER &&
			       in_sample(a, jobs, i);
		if (a->shard.of &&
		    i / SHARD_JOBS % a->shard.of != a->shard.index)
			f->wanted[i] = false;
		n += f->wanted[i];
	}
	return n;
}

static void found(void *ctx, size_t number)
{
	struct fst_run *w = ctx;

	if (w->parted)
		fst_file_add(&w->part, number);
	progress_add(NULL, 1);
}

static void *help(void *ctx)
{
	struct fst_run *w = ctx;
	int error = fst_help(&w->report->fst);

	if (error)
		w->error = error;
	return NULL;
}

static uint64_t key_of(const struct report *r, bool only_late)
{
	return fst_file_key(&r->rules, r->trace->job, r->trace->jobs,
			    r->totals.digest, only_late);
}

/* A file with all times serves if only unfairness is asked for. */
static int open_part(struct fst_run *w, const char *path)
{
	struct report *r = w->report;
	const char *slash = strrchr(r->name, '/');
	struct fst_file *p = &w->part;
	char *c;

	p->key = key_of(r, r->fst.only_late);
	p->or_key = key_of(r, false);
	p->jobs = r->trace->jobs;
	p->time = r->fst.time;
	snprintf(p->trace, sizeof(p->trace), "%s", slash ? slash + 1 : r->name);
	for (c = p->trace; *c; c++) /* the head is one cell of one line */
		*c = strchr("\n,", *c) ? ' ' : *c;
	if (fst_file_read(p, path) < 0)
		return input_error("%s", p->error);
	r->fst.only_late = p->key != p->or_key;
	if (fst_file_append(p, path))
		return run_error("%s", p->error);
	w->parted = true;
	return 0;
}

static int close_part(struct fst_run *w, const char *path)
{
	FILE *f;

	if (fst_file_close(&w->part))
		return run_error("%s: %s", path, w->part.error);
	f = output_open(path);
	if (!f)
		return EXIT_FAILED;
	fst_file_write(&w->part, f);
	return 0;
}

int fst_run_open(struct fst_run *w, struct report *r,
		 const struct fst_run_args *a, size_t *wanted)
{
	int status = 0;

	memset(w, 0, sizeof(*w));
	w->report = r;
	if (report_fst_begin(r))
		return run_error("%s", r->error);
	r->fst.only_late = a->only_late;
	if (a->part)
		status = open_part(w, a->part);
	if (status)
		return status;
	*wanted += fst_run_want(&r->fst, a, r->trace->jobs);
	r->fst.found = found;
	r->fst.ctx = w;
	fst_begin(&r->fst);
	return 0;
}

int fst_run_close(struct fst_run *w, const struct fst_run_args *a)
{
	struct report *r = w->report;
	size_t jobs = r->trace->jobs, i;
	int status = 0;

	if (w->parted)
		status = close_part(w, a->part);
	/* A file may have more than the sample, which stays what it is. */
	for (i = 0; i < jobs; i++)
		if (!in_sample(a, jobs, i))
			r->fst.time[i].strict = r->fst.time[i].relaxed =
				FAIR_FOREVER;
	if (w->error)
		status = run_error("%s: %s", r->name, fair_strerror(w->error));
	if (!status && report_fst_end(r))
		status = run_error("%s", r->error);
	/* A shard is no sample. */
	if (!status && a->shard.of && r->unfairness->known < jobs)
		r->unfairness->told = false;
	return status;
}

int fst_run_run(struct report *r, const struct fst_run_args *a)
{
	size_t threads = a->threads ? (size_t)a->threads : threads_here();
	struct fst_run w;
	size_t n = 0;
	int status = fst_run_open(&w, r, a, &n);

	if (status)
		return status;
	progress_begin("fair start times", n);
	threads_run(n ? threads : 1, help, &w);
	progress_end();
	return fst_run_close(&w, a);
}

char *fst_run_part(const char *folder, const char *trace, const char *policy)
{
	const char *slash = strrchr(trace, '/'), *dot;
	size_t n = strlen(folder) + strlen(trace) + strlen(policy) + 3;
	char *path = malloc(n);

	trace = slash ? slash + 1 : trace;
	dot = strstr(trace, ".swf");
	if (path)
		snprintf(path, n, "%s/%.*s.%s", folder,
			 dot ? (int)(dot - trace) : (int)strlen(trace), trace,
			 policy);
	return path;
}
