/* SPDX-License-Identifier: MIT OR Unlicense */
#include "fst.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 64       /* jobs */
#define NO_MORE_WORK 1 /* ends a simulation */
#define EXACT 0x1p53   /* a double has all whole numbers up to it */

/* A thread's simulation of the trace. */
struct helper {
	struct fst *fst;
	uint16_t name;
	bool mine;	/* is the last to arrive its own? */
	size_t last;	/* to arrive */
	size_t pending; /* jobs of its chunks, not found yet */
	void *memory;
	size_t bytes;
	struct load *load; /* of the jobs that wait; room for all that live */
};

struct load {
	int64_t run;
	int32_t procs;
};

int fst_open(struct fst *f, const struct sim_rules *rules,
	     const struct swf_job *job, size_t jobs,
	     const struct sim_result *result, const struct sim_totals *totals)
{
	size_t i;

	memset(f, 0, sizeof(*f));
	pthread_mutex_init(&f->lock, NULL);
	f->rules = rules;
	f->job = job;
	f->jobs = jobs;
	f->result = result;
	f->live = totals->live;
	f->chunks = (jobs + CHUNK - 1) / CHUNK;
	f->wanted = malloc(jobs * sizeof(*f->wanted));
	f->time = malloc(jobs * sizeof(*f->time));
	f->owner = calloc(f->chunks, sizeof(*f->owner));
	if (!f->wanted || !f->time || !f->owner) {
		fst_close(f);
		return -FAIR_ENOMEM;
	}
	for (i = 0; i < jobs; i++) {
		f->wanted[i] = true;
		f->time[i].strict = f->time[i].relaxed = FAIR_FOREVER;
	}
	return 0;
}

void fst_close(struct fst *f)
{
	free(f->wanted);
	free(f->time);
	free(f->owner);
	pthread_mutex_destroy(&f->lock);
	memset(f, 0, sizeof(*f));
}

static size_t wanted_in(const struct fst *f, size_t chunk)
{
	size_t i, n = 0;

	for (i = chunk * CHUNK; i < (chunk + 1) * CHUNK && i < f->jobs; i++)
		n += f->wanted[i];
	return n;
}

void fst_begin(struct fst *f)
{
	size_t i;

	f->left = 0;
	for (i = 0; i < f->chunks; i++)
		f->left += wanted_in(f, i) != 0;
}

/* Does this thread own the times of job @number? */
static bool take(struct helper *h, size_t number)
{
	struct fst *f = h->fst;
	uint16_t *owner = &f->owner[number / CHUNK];
	bool mine;

	if (!f->wanted[number])
		return false;
	pthread_mutex_lock(&f->lock);
	if (!*owner) {
		*owner = h->name;
		f->left--;
		h->pending += wanted_in(f, number / CHUNK);
	}
	mine = *owner == h->name;
	pthread_mutex_unlock(&f->lock);
	return mine;
}

static bool no_more_work(struct helper *h)
{
	bool none;

	if (h->pending)
		return false;
	pthread_mutex_lock(&h->fst->lock);
	none = h->fst->left == 0;
	pthread_mutex_unlock(&h->fst->lock);
	return none;
}

/* Both times are known. Without a relaxed one no job waited before it. */
static void found_strict(struct helper *h, size_t number, int64_t strict)
{
	struct fst *f = h->fst;
	struct fair_fst *time = &f->time[number];

	time->strict = strict;
	if (time->relaxed == FAIR_FOREVER)
		time->relaxed = strict;
	h->pending--;
	pthread_mutex_lock(&f->lock);
	if (f->found)
		f->found(f->ctx, number);
	pthread_mutex_unlock(&f->lock);
}

static int64_t run_time(void *ctx, uint64_t number)
{
	const struct fst *f = ctx;

	return f->job[number].run;
}

static int open_run(struct helper *h, struct fair_simulated_run *run,
		       const struct fair_sched *sched, int64_t now)
{
	h->bytes = fair_sched_fst_size(&sched->config);
	if (!h->memory)
		h->memory = malloc(h->bytes);
	if (!h->memory)
		return -FAIR_ENOMEM;
	return fair_simulated_run_init(run, sizeof(*run), h->memory, h->bytes,
				       sched, now, run_time, h->fst);
}

static bool anybody_waits(const struct fair_sched *sched)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status status;

	return fair_sched_each(sched, FAIR_QUEUED, &at, &status);
}

static int longest_first(const void *a, const void *b)
{
	const struct load *x = a, *y = b;

	return (x->run < y->run) - (x->run > y->run);
}

/*
 * Processor-seconds until @end that are left by the jobs that run, if no job
 * comes; @free: those processors that none of them has at @end.
 */
static double left_until(const struct fst *f, const struct fair_sched *sched,
			 int64_t now, int64_t end, int32_t *free)
{
	double left = (double)f->rules->procs * (double)(end - now);
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status s;
	int64_t to;

	*free = f->rules->procs;
	while (fair_sched_each(sched, FAIR_RUNNING, &at, &s)) {
		to = s.start + f->job[s.job.number].run;
		if (to > end) {
			to = end;
			*free -= s.job.procs;
		}
		left -= (double)(to - now) * s.job.procs;
	}
	return left;
}

/*
 * Can all that wait have started before @end? Then those that run at @end have
 * at most the free processors, and longer than their whole run after it none
 * has left. No: what they must have worked before is more than there is room.
 */
static bool may_all_start(struct helper *h, const struct fair_sched *sched,
			  int64_t now, int64_t end)
{
	const struct fst *f = h->fst;
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status s;
	struct load *load = h->load;
	int32_t free, procs;
	size_t n = 0, i;
	double left;

	if ((double)f->rules->procs * (double)(end - now) > EXACT)
		return true;
	left = left_until(f, sched, now, end, &free);
	for (; fair_sched_each(sched, FAIR_QUEUED, &at, &s); n++) {
		load[n].run = f->job[s.job.number].run;
		load[n].procs = s.job.procs;
	}
	qsort(load, n, sizeof(*load), longest_first);
	for (i = 0; i < n && left >= 0; i++, free -= procs) {
		procs = load[i].procs < free ? load[i].procs : free;
		left -= (double)load[i].run * (load[i].procs - procs);
	}
	return left >= 0;
}

/* Whether it is earlier is certain then, and that may be all that is asked. */
static int64_t until(const struct fst *f, size_t number)
{
	return f->only_late ? f->result[number].start : FAIR_FOREVER;
}

/* The strict time of job @number, or the relaxed one if it @joins. */
static int find(const struct fst *f, struct fair_simulated_run *run,
		size_t number, const struct fair_job *joins, int64_t *start)
{
	int error;

	run->until = until(f, number);
	error = joins ? fair_simulated_run_join(run, joins, start)
		      : fair_simulated_run_start(run, number, start);
	if (*start > run->until)
		*start = run->until;
	return error;
}

/*
 * One simulated run serves two: the last to arrive, with its strict time there,
 * and @job, @mine or not, which joins it for its relaxed one.
 */
static int look(struct helper *h, const struct fair_sched *sched,
		const struct fair_job *job, bool mine)
{
	struct fst *f = h->fst;
	int64_t strict = f->result[h->last].start, now = job->submit;
	int64_t *relaxed = &f->time[job->number].relaxed;
	bool waits = h->mine && strict >= now && until(f, h->last) > now;
	struct fair_simulated_run run;
	int error = 0;

	mine = mine && anybody_waits(sched);
	if (mine)
		*relaxed = until(f, (size_t)job->number);
	mine = mine && *relaxed > now &&
	       (!f->only_late || may_all_start(h, sched, now, *relaxed));
	if (waits || mine)
		error = open_run(h, &run, sched, now);
	if (waits && !error)
		error = find(f, &run, h->last, NULL, &strict);
	if (mine && !error)
		error = find(f, &run, (size_t)job->number, job, relaxed);
	if (h->mine && !error)
		found_strict(h, h->last, strict);
	return error;
}

static int arriving(void *helper, const struct fair_sched *sched,
		    const struct fair_job *job)
{
	struct helper *h = helper;
	bool mine = take(h, (size_t)job->number);
	int error = look(h, sched, job, mine);

	h->last = (size_t)job->number;
	h->mine = mine;
	if (!error && no_more_work(h))
		error = NO_MORE_WORK;
	return error;
}

static int play(struct helper *h)
{
	struct fst *f = h->fst;
	struct sim_result *result = malloc(f->jobs * sizeof(*result));
	struct sim_watch watch = { 0 };
	struct sim_totals totals;
	int error;

	if (!result)
		return -FAIR_ENOMEM;
	watch.live = f->live;
	watch.arriving = arriving;
	watch.arriving_ctx = h;
	error = sim_run(f->rules, f->job, f->jobs, &watch, result, &totals);
	/* No job arrives after the last one. */
	if (!error && h->mine)
		found_strict(h, h->last, f->result[h->last].start);
	free(result);
	return error == NO_MORE_WORK ? 0 : error;
}

int fst_help(struct fst *f)
{
	struct helper h = { 0 };
	int error;

	h.fst = f;
	h.load = malloc(f->live * sizeof(*h.load));
	if (!h.load)
		return -FAIR_ENOMEM;
	pthread_mutex_lock(&f->lock);
	h.name = ++f->threads;
	pthread_mutex_unlock(&f->lock);
	error = no_more_work(&h) ? 0 : play(&h);
	free(h.memory);
	free(h.load);
	return error;
}
