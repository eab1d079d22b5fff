/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * replay.h - plays all jobs of a trace to their ends, for bindings
 *
 * A binding would call the library, and be called by it, some times for each
 * job. This takes arrays with one element for each job, and calls nothing back:
 * so every language is as fast as C. Include it after fairsched.h. No
 * allocation: the caller provides memory.
 */
#ifndef FAIR_REPLAY_H
#define FAIR_REPLAY_H

/**
 * struct fair_replay - jobs, and when they start; job i has the number i.
 * @submit, @run, @walltime, @procs: of each job; run times may exceed walltimes
 * @user, @group, @account: of each job; NULL: 0
 * @order:   the jobs by time of submission; NULL: they are in that order
 * @jobs:    how many, >= 1
 * @start:   out: when each job started
 * @promise: out: its first promise, FAIR_FOREVER: none; or NULL
 * @digest:  out: fair_sched_digest()
 * @job:     out: of an error, the job in hand; @jobs: none
 *
 * The rest is private.
 */
struct fair_replay {
	size_t jobs;
	const int64_t *submit, *run, *walltime;
	const int32_t *procs;
	const int64_t *user, *group, *account;
	const uint32_t *order;
	int64_t *start, *promise;
	uint64_t digest;
	size_t job;
	struct fair_sched *sched;
	size_t arrived, finished;
};

static inline size_t fair_replay_next_job(const struct fair_replay *r)
{
	return r->order ? r->order[r->arrived] : r->arrived;
}

static inline int64_t fair_replay_run_time(void *context, uint64_t number)
{
	return ((const struct fair_replay *)context)->run[number];
}

static inline int64_t fair_replay_next(void *context)
{
	const struct fair_replay *r = (const struct fair_replay *)context;

	return r->arrived < r->jobs ? r->submit[fair_replay_next_job(r)]
				    : FAIR_FOREVER;
}

static inline int fair_replay_arrive(void *context, int64_t now)
{
	struct fair_replay *r = (struct fair_replay *)context;
	int error = 0;

	while (!error && fair_replay_next(r) == now) {
		size_t i = fair_replay_next_job(r);
		struct fair_job job;

		FAIR_MEMSET(&job, 0, sizeof(job));
		job.number = i;
		job.submit = now;
		job.walltime = r->walltime[i];
		job.procs = r->procs[i];
		job.user = r->user ? (uint64_t)r->user[i] : 0;
		job.group = r->group ? (uint64_t)r->group[i] : 0;
		job.account = r->account ? (uint64_t)r->account[i] : 0;
		error = fair_sched_submit(r->sched, now, &job);
		if (error)
			r->job = i;
		r->arrived++;
	}
	return error;
}

static inline int fair_replay_ended(void *context, uint64_t number,
				    int64_t now)
{
	(void)number;
	(void)now;
	((struct fair_replay *)context)->finished++;
	return 0;
}

static inline int fair_replay_started(void *context, uint64_t number,
				      int64_t now)
{
	((struct fair_replay *)context)->start[number] = now;
	return 0;
}

static inline void fair_replay_promised(void *context,
					const struct fair_promise *promise)
{
	struct fair_replay *r = (struct fair_replay *)context;

	if (promise->cause == FAIR_CAUSE_ARRIVAL)
		r->promise[promise->number] = promise->to;
}

/* The first job whose time or run time cannot be played; r->jobs: none. */
static inline size_t fair_replay_find_bad(const struct fair_replay *r)
{
	int64_t last = INT64_MIN;
	size_t i, job;

	for (i = 0; i < r->jobs; i++) {
		job = r->order ? r->order[i] : i;
		if (job >= r->jobs)
			return i;
		if (r->run[job] < 0 || r->submit[job] < last)
			return job;
		last = r->submit[job];
	}
	return r->jobs;
}

/* What follows from the jobs. */
static inline struct fair_config
fair_replay_config(struct fair_replay *r, const struct fair_config *config)
{
	struct fair_config c = *config;

	c.jobs = (uint32_t)r->jobs;
	c.origin = r->submit[r->order ? r->order[0] : 0];
	c.promised = r->promise ? fair_replay_promised : NULL;
	c.context = r;
	return c;
}

/** fair_replay_size() - bytes of memory, any alignment; 0: not valid. */
static inline size_t fair_replay_size(struct fair_replay *r,
				      const struct fair_config *config)
{
	struct fair_config c;
	size_t bytes, own;

	if (!r->jobs || r->jobs > INT32_MAX ||
	    fair_replay_find_bad(r) < r->jobs)
		return 0;
	c = fair_replay_config(r, config);
	bytes = fair_sched_size(&c);
	if (!bytes || r->jobs > SIZE_MAX / 4 / sizeof(struct fair_simulated_end))
		return 0;
	own = 64 + sizeof(struct fair_sched) + sizeof(struct fair_simulated_run) +
	      r->jobs * sizeof(struct fair_simulated_end);
	return bytes <= SIZE_MAX - own ? bytes + own : 0;
}

/* Plays what is opened. */
static inline int fair_replay_play(struct fair_replay *r,
				   struct fair_simulated_run *run)
{
	int error = 0;

	while (!error && r->finished < r->jobs) {
		int64_t now = fair_simulated_run_next(run);

		if (now == FAIR_FOREVER)
			return -FAIR_EINVAL;
		error = fair_simulated_run_instant(run, now);
	}
	r->digest = fair_sched_digest(r->sched);
	return error;
}

/**
 * fair_replay() - play all jobs to their ends.
 * @config: its @jobs, @origin, @promised and @context are not read
 * @memory: fair_replay_size() bytes, free again afterwards
 *
 * Return: 0; -FAIR_EINVAL if a job cannot start, a run time is negative, or
 * @order is none; -FAIR_ENOMEM; as fair_sched_submit() and fair_sched_init().
 */
static inline int fair_replay(struct fair_replay *r,
			      const struct fair_config *config, void *memory,
			      size_t bytes)
{
	const struct fair_simulated_events events = {
		fair_replay_run_time, fair_replay_next,	   fair_replay_arrive,
		fair_replay_ended,    fair_replay_started, r
	};
	struct fair_simulated_run *run;
	struct fair_simulated_end *end;
	size_t size = fair_replay_size(r, config), i;
	char *at = (char *)memory;
	struct fair_config c;
	int error;

	r->job = r->jobs ? fair_replay_find_bad(r) : 0;
	if (!size)
		return -FAIR_EINVAL;
	if (bytes < size)
		return -FAIR_ENOMEM;
	c = fair_replay_config(r, config);
	at += (16 - (uintptr_t)at % 16) % 16;
	run = (struct fair_simulated_run *)(void *)at;
	at += (sizeof(*run) + 15) / 16 * 16;
	end = (struct fair_simulated_end *)(void *)at;
	at += r->jobs * sizeof(*end);
	r->sched = (struct fair_sched *)(void *)at;
	at += sizeof(*r->sched);
	r->arrived = r->finished = 0;
	for (i = 0; i < r->jobs; i++) {
		r->start[i] = FAIR_FOREVER;
		if (r->promise)
			r->promise[i] = FAIR_FOREVER;
	}
	error = fair_sched_init(r->sched, sizeof(*r->sched), at,
				fair_sched_size(&c), &c);
	if (!error)
		error = fair_simulated_run_attach(run, sizeof(*run), end,
						  r->jobs, r->sched, &events);
	return error ? error : fair_replay_play(r, run);
}

#endif /* FAIR_REPLAY_H */
