/* SPDX-License-Identifier: MIT OR Unlicense */
#define _XOPEN_SOURCE 700 /* localtime_r() */
#include "answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/text.h"

#define DATE 32

/* Prints local time. */
static const char *date(int64_t at, char text[DATE])
{
	time_t t = (time_t)at;
	struct tm tm;

	if (at == FAIR_FOREVER || !localtime_r(&t, &tm) ||
	    !strftime(text, DATE, "%Y-%m-%dT%H:%M:%S", &tm))
		snprintf(text, DATE, "never");
	return text;
}

/* Prints the library's sentences with times and job numbers as Slurm writes
 * them. */
static void print_translated(const char *p)
{
	char name[SLURM_NAME], at[DATE];
	uint64_t n;
	char *end;

	for (; *p; p++) {
		n = 0;
		end = NULL;
		if (*p >= '0' && *p <= '9')
			n = strtoull(p, &end, 10);
		if (n > UINT32_MAX)
			fputs(slurm_name(n, name), stdout);
		else if (n >= 1000000000)
			fputs(date((int64_t)n, at), stdout);
		else if (end)
			printf("%" PRIu64, n);
		else if (*p == '.' && p[1] == ' ')
			fputs(".\n", stdout), p++; /* one line each */
		else
			putchar(*p);
		if (end)
			p = end - 1;
	}
	putchar('\n');
}

/* Returns NULL after a message. */
static const struct slurm_job *find_job(const struct driver *d,
					const char *name)
{
	uint64_t number = slurm_number(csv_column(name));
	const struct slurm_job *j = slurm_find(&d->queue, number);

	if (!number)
		input_error("invalid job '%s': 123, or 123_4 for a task of an "
			    "array",
			    name);
	else if (!j)
		input_error("job %s is not in the queue%s", name,
			    d->set->partition ? " of that partition" : "");
	return j;
}

/* Prints where a job is that the scheduler has not queued; false if it has. */
static bool print_if_not_queued(const struct driver *d,
				const struct slurm_job *j, const char *name)
{
	struct fair_job_status r;
	char at[DATE];

	if (j->state == SLURM_BUSY) {
		printf("Job %s has run since %s.\n", name, date(j->start, at));
	} else if (fair_sched_lookup(&d->sched, j->number, &r)) {
		printf("Job %s is not planned: %s.\n", name,
		       driver_reason_text[driver_reason(d, j)]);
	} else if (r.state == FAIR_RUNNING) {
		printf("Job %s is about to start.\n", name);
	} else {
		return false;
	}
	return true;
}

/* The job, if the scheduler has queued it; else NULL with an exit @status. */
static const struct slurm_job *find_queued(struct driver *d, const char *name,
					   int *status)
{
	const struct slurm_job *j = find_job(d, name);

	*status = j ? 0 : EXIT_USAGE;
	return j && !print_if_not_queued(d, j, name) ? j : NULL;
}

static void *allocate_for(const struct driver *d, size_t *bytes)
{
	*bytes = fair_sched_fst_size(&d->sched.config);
	return *bytes ? malloc(*bytes) : NULL;
}

int answer_why(struct driver *d, const char *name)
{
	const struct slurm_job *j;
	struct fair_why w;
	char text[4096];
	size_t bytes;
	void *memory;
	int error;

	j = find_queued(d, name, &error);
	if (!j)
		return error;
	memory = allocate_for(d, &bytes);
	error = fair_sched_why(&d->sched, j->number, memory, bytes, &w);
	free(memory);
	if (error)
		return run_error("job %s: %s", name, fair_strerror(error));
	/* The library speaks of walltimes, Slurm's users of time limits. */
	w.walltime =
		w.walltime > d->set->margin ? w.walltime - d->set->margin : 0;
	fair_why_text(&w, text, sizeof(text));
	print_translated(text);
	return 0;
}

static int estimate(const struct driver *d, uint64_t number, void *memory,
		    size_t bytes, int64_t *start)
{
	int error =
		fair_sched_estimate(&d->sched, number, memory, bytes, start);

	if (error)
		*start = FAIR_FOREVER;
	return error;
}

int answer_when(struct driver *d, const char *name)
{
	const struct slurm_job *j;
	struct fair_job_status r;
	char at[DATE], first[DATE];
	int64_t start;
	size_t bytes;
	void *memory;
	int error;

	j = find_queued(d, name, &error);
	if (!j)
		return error;
	memory = allocate_for(d, &bytes);
	error = estimate(d, j->number, memory, bytes, &start);
	free(memory);
	if (error)
		return run_error("job %s: %s", name, fair_strerror(error));
	fair_sched_lookup(&d->sched, j->number, &r);
	if (r.first_promise == FAIR_FOREVER)
		printf("Job %s: %s, if nothing changes and all jobs use their "
		       "time limits.\n",
		       name, date(start, at));
	else
		printf("Job %s: %s, promised; %s was promised first.\n", name,
		       date(start, at), date(r.first_promise, first));
	return 0;
}

/* ---- the status page ---- */

struct page {
	struct driver *d;
	FILE *f;
	uint32_t state;
	int64_t procs, jobs;
};

static void count_jobs(struct page *p, uint32_t state)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status r;

	for (p->procs = p->jobs = 0;
	     fair_sched_each(&p->d->sched, state, &at, &r); p->jobs++)
		p->procs += r.job.procs;
}

static void print_accounts(const struct page *p)
{
	const struct accounts *a = &p->d->files.accounts;
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status r;
	char name[64];
	size_t i, wide;
	int64_t *busy;

	if (!a->accounts)
		return;
	busy = calloc(a->accounts, sizeof(*busy));
	while (busy && fair_sched_each(&p->d->sched, FAIR_RUNNING, &at, &r))
		busy[r.job.account] += r.job.procs;
	for (i = 0; busy && i < a->accounts; i++) {
		snprintf(name, sizeof(name), "%.*s", (int)a->account[i].bytes,
			 a->account[i].name);
		fputs("account    ", p->f);
		text_show(p->f, name);
		wide = text_wide(name);
		fprintf(p->f, "%*s %" PRId64 " of %" PRId64 "\n",
			wide < 16 ? 16 - (int)wide : 0, "", busy[i],
			a->account[i].target);
	}
	free(busy);
}

#define SHOWN 1000 /* jobs of the page */

static void print_planned(const struct page *p)
{
	struct fair_queue_place at = { 0, 0 };
	char name[SLURM_NAME], start[DATE], submit[DATE];
	struct fair_job_status r;
	int i;

	fprintf(p->f, "\n%-14s %10s %10s  %-19s  %s\n", "job", "processors",
		"limit s", "submitted", "start reserved");
	for (i = 0;
	     i < SHOWN && fair_sched_each(&p->d->sched, FAIR_QUEUED, &at, &r);
	     i++)
		fprintf(p->f, "%-14s %10" PRId32 " %10" PRId64 "  %s  %s\n",
			slurm_name(r.job.number, name), r.job.procs,
			r.job.walltime - p->d->set->margin,
			date(r.job.submit, submit),
			r.start == FAIR_FOREVER ? "-" : date(r.start, start));
}

static void print_unplanned(const struct page *p)
{
	const struct slurm_queue *q = &p->d->queue;
	char name[SLURM_NAME];
	struct fair_job_status r;
	size_t i;
	int shown = 0;

	for (i = 0; i < q->jobs && shown < SHOWN; i++) {
		if (q->job[i].state == SLURM_BUSY ||
		    !fair_sched_lookup(&p->d->sched, q->job[i].number, &r))
			continue;
		fprintf(p->f, "%s%-14s %s\n", shown++ ? "" : "\nnot planned\n",
			slurm_name(q->job[i].number, name),
			driver_reason_text[driver_reason(p->d, &q->job[i])]);
	}
}

void answer_status(struct driver *d, FILE *f)
{
	struct page p = { 0 };
	char now[DATE], next[DATE];
	int64_t busy;

	p.d = d;
	p.f = f;
	fprintf(f, "fairsched-slurm %s, %s, %s\n\n", fair_version(),
		policy_names[d->set->policy], date(d->wall, now));
	count_jobs(&p, FAIR_RUNNING);
	busy = p.procs;
	fprintf(f,
		"processors %" PRId32 ", %" PRId64 " in use by %" PRId64
		" job%s\n",
		d->procs, busy, p.jobs, p.jobs == 1 ? "" : "s");
	if (d->lost)
		fprintf(f,
			"           %" PRId64
			" more in use by jobs that Slurm started by itself\n",
			d->lost);
	count_jobs(&p, FAIR_QUEUED);
	fprintf(f, "waiting    %" PRId64 " job%s\n", p.jobs,
		p.jobs == 1 ? "" : "s");
	if (d->queue.damaged)
		fprintf(f, "unreadable %zu job%s of squeue\n",
			d->queue.damaged, d->queue.damaged == 1 ? "" : "s");
	if (d->kept || d->broken || driver_late(d))
		fprintf(f, "promises   %" PRIu64 " kept, %" PRIu64 " broken\n",
			d->kept, d->broken + driver_late(d));
	fprintf(f, "next       %s\n", date(driver_next(d), next));
	print_accounts(&p);
	print_planned(&p);
	print_unplanned(&p);
}
