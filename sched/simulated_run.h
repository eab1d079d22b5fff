/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/simulated_run.h - clones, the event loop, fair start times, estimates
 *
 *   heap of ends --+
 *                  +--> instant: ends, arrive(), a step, starts --> the heap
 *   next() --------+
 *
 * A simulated run plays a scheduler by real run times: a clone, which no more
 * jobs come to, or the caller's own, with hooks for what happens outside.
 *
 * Uses: query.h.
 */

FAIRSCHED_API void fair_sched_report_to(
	struct fair_sched *s,
	void (*promised)(void *context, const struct fair_promise *promise),
	void *context)
{
	s->config.promised = promised;
	s->promised_context = context;
}

#ifndef FAIRSCHED_WITHOUT_RUNS

/* Live jobs move together: the copy's slots are 0, 1, 2 ... */
static void fair_sched_copy_job(struct fair_sched *copy, uint32_t *slot,
				const struct fair_sched *s, uint32_t from)
{
	slot[from] = copy->slots;
	copy->live[copy->slots] = s->live[from];
	fair_sched_bind(copy, copy->slots,
			fair_sched_bound_to(s, s->live + from));
	fair_sched_copy_request(copy, copy->slots, s, from);
	copy->hash[fair_sched_find_entry(
		copy, s->live[from].queued.rank.number)] = ++copy->slots;
}

static void fair_sched_copy_jobs(struct fair_sched *copy, uint32_t *slot,
				 const struct fair_sched *s,
				 const struct fair_queue *q)
{
	struct fair_queue_place at = { 0, 0 };

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		fair_sched_copy_job(copy, slot, s, fair_queue_slot(q, at));
}

static void fair_sched_copy_ineligible(struct fair_sched *copy, uint32_t *slot,
				       const struct fair_sched *s)
{
	uint32_t i;

	for (i = 0; i < s->ineligibles; i++) {
		fair_sched_copy_job(copy, slot, s, s->ineligible[i].slot);
		copy->ineligible[i] = s->ineligible[i];
		copy->ineligible[i].slot = slot[s->ineligible[i].slot];
		(void)fair_sched_copy_list(copy, copy->ineligible[i].slot, s,
					   s->ineligible[i].slot);
	}
}

FAIRSCHED_API int fair_sched_clone(struct fair_sched *copy, void *memory,
				   size_t bytes, const struct fair_sched *s)
{
	struct fair_sched x = *s;
	uint32_t *slot, i;
	char *at;

	if (!copy || !memory)
		return -FAIR_EINVAL;
	if (bytes < fair_sched_size(&s->config))
		return -FAIR_ENOMEM;
	at = fair_sched_lay_out(&x, (char *)memory, s->jobs);
	fair_sched_place_states(&x, at);
	fair_classes_clone(&x, s);
	fair_node_space_clone(&x, s);
	if (s->ids)
		fair_ids_clone(&x, s);
	FAIR_MEMCPY(x.task_limit, s->task_limit,
		    s->task_limits * sizeof(*s->task_limit));
	FAIR_MEMCPY(x.credit, s->credit,
		    s->config.credits * sizeof(*s->credit));
	slot = x.free_slot; /* no slot of the copy is spare */
	x.slots = x.free_slots = 0;
	x.has_scan_limit = fair_sched_is_unfinished(s);
	x.scan_limit = 0;
	x.config.promised = NULL;
	fair_sched_copy_jobs(&x, slot, s, &s->running);
	fair_sched_copy_jobs(&x, slot, s, fair_sched_queue(s));
	fair_sched_copy_ineligible(&x, slot, s);
	for (i = 0; i < s->running_bound_jobs; i++)
		x.running_bound_job[i] = slot[s->running_bound_job[i]];
	FAIR_MEMCPY(x.advance, s->advance, s->advances * sizeof(*s->advance));
	for (i = 0; i < s->ledgers; i++)
		s->ledger[i].ops->clone(&x, x.ledger[i].state, s,
					s->ledger[i].state, slot);
	s->planner->clone(&x, x.plan, s, slot);
	fair_sched_extend_space(&x);
	fair_sched_ask_vetoes(&x);
	fair_sched_init_running(&x);
	fair_must(fair_queue_clone(&x.running, &s->running, slot));
	*copy = x;
	return 0;
}

/* THE EVENT LOOP */

/* Of ends at one second, that of the job that was started first. */
static bool fair_simulated_run_ends_before(const struct fair_simulated_run *f,
					   struct fair_simulated_end a,
					   struct fair_simulated_end b)
{
	const struct fair_live *x = f->sched->live + a.slot;
	const struct fair_live *y = f->sched->live + b.slot;

	if (a.end != b.end)
		return a.end < b.end;
	if (x->started != y->started)
		return x->started < y->started;
	return x->starts_before - y->starts_before > UINT32_MAX / 2;
}

/* Move @x up from the free place @i of the heap, at most to @top. */
static void fair_simulated_run_rise(struct fair_simulated_run *f, uint32_t i,
				    uint32_t top, struct fair_simulated_end x)
{
	for (; i > top &&
	       fair_simulated_run_ends_before(f, x, f->end[(i - 1) / 2]);
	     i = (i - 1) / 2)
		f->end[i] = f->end[(i - 1) / 2];
	f->end[i] = x;
}

/* Move the free place @i down to a leaf, then @x up from there. */
static void fair_simulated_run_sift(struct fair_simulated_run *f, uint32_t i,
				    struct fair_simulated_end x)
{
	uint32_t top = i, n = f->running, child;

	for (; (child = 2 * i + 1) < n; i = child) {
		child += child + 1 < n &&
			 fair_simulated_run_ends_before(f, f->end[child + 1],
							f->end[child]);
		f->end[i] = f->end[child];
	}
	fair_simulated_run_rise(f, i, top, x);
}

static struct fair_simulated_end
fair_simulated_run_end_of(const struct fair_simulated_run *f, uint32_t slot)
{
	const struct fair_live *j = f->sched->live + slot;
	int64_t run = f->events.run(f->events.context, j->queued.rank.number);
	struct fair_simulated_end x;

	run = run > j->ran ? run - j->ran : 0;
	run = run < FAIR_TIME_MAX ? run : FAIR_TIME_MAX;
	x.end = j->started + run;
	x.slot = slot;
	return x;
}

/* The job in @slot starts now. */
static int fair_simulated_run_push(struct fair_simulated_run *f, uint32_t slot)
{
	const struct fair_simulated_events *e = &f->events;
	uint64_t number = f->sched->live[slot].queued.rank.number;
	int error = e->started ? e->started(e->context, number, f->now) : 0;

	if (error)
		return error;
	fair_simulated_run_rise(f, f->running, 0,
				fair_simulated_run_end_of(f, slot));
	f->running++;
	return 0;
}

/* The first job of the heap leaves it, for the place behind it. */
static struct fair_live *fair_simulated_run_pop(struct fair_simulated_run *f)
{
	struct fair_simulated_end first = f->end[0];

	if (--f->running)
		fair_simulated_run_sift(f, 0, f->end[f->running]);
	f->end[f->running] = first;
	return f->sched->live + first.slot;
}

/*
 * The first job of the heap ends now, or all that end now and together: those
 * that were stopped stand behind the heap, the last one first.
 */
static int fair_simulated_run_finish(struct fair_simulated_run *f)
{
	const struct fair_simulated_events *e = &f->events;
	struct fair_sched *s = f->sched;
	uint32_t all = f->running, i;
	bool early = false;
	int error = 0;

	f->busy = f->now;
	fair_sched_reach(s, f->now, true);
	do {
		early |= fair_sched_stop_job(s, fair_simulated_run_pop(f));
	} while (f->together && f->running && f->end[0].end <= f->now);
	fair_sched_end_stops(s, early);
	for (i = all; i-- > f->running;) {
		struct fair_live *j = s->live + f->end[i].slot;

		f->end[i].end = (int64_t)j->queued.rank.number;
		fair_sched_forget_job(s, j, 0);
	}
	fair_sched_queue_eligible_jobs(s);
	for (i = all; e->ended && !error && i-- > f->running;)
		error = e->ended(e->context, (uint64_t)f->end[i].end, f->now);
	return error;
}

/* Whether one more instant may follow: an event of the caller's allows more. */
static bool fair_simulated_run_may_go_on(struct fair_simulated_run *f,
					 int64_t now)
{
	const struct fair_simulated_events *e = &f->events;

	if (e->next && e->next(e->context) <= now)
		f->rounds += FAIR_SIMULATED_ROUNDS_EACH;
	f->rounds -= f->rounds > 0;
	return f->rounds > 0;
}

/* The ends, the outside events and the starts that are due now. */
static int fair_simulated_run_round(struct fair_simulated_run *f)
{
	const struct fair_simulated_events *e = &f->events;
	uint32_t slot;
	int error = 0;

	while (!error && f->running && f->end[0].end <= f->now)
		error = fair_simulated_run_finish(f);
	if (!error && e->arrive)
		error = e->arrive(e->context, f->now);
	if (error)
		return error;
	fair_sched_begin_step(f->sched, f->now);
	while (!error && fair_sched_start_next(f->sched, &slot))
		error = fair_simulated_run_push(f, slot);
	f->played = true;
	return error;
}

/* Whether a job will start as promised. */
static bool fair_simulated_run_has_promise(const struct fair_simulated_run *f)
{
	const struct fair_sched *s = f->sched;
	const struct fair_queue *q = fair_sched_queue(s);
	struct fair_queue_place at = { 0, 0 };

	if (!s->planner->promises)
		return false;
	for (; fair_queue_next_fitting(q, &at, s->procs); at.index++)
		if (s->live[fair_queue_slot(q, at)].queued.rank.key !=
		    FAIR_FOREVER)
			return true;
	return false;
}

/*
 * Whether a job can start, or become eligible, by time alone, when no job runs:
 * promises are due, advance reservations end; under FAIR_MAUI usage of whole
 * windows is forgotten, one after another, and with it the cap of its user; the
 * caller accepts a job whose start it refused.
 */
static bool
fair_simulated_run_can_start_later(const struct fair_simulated_run *f)
{
	const struct fair_sched *s = f->sched;
	struct fair_queue_place at = { 0, 0 };
	int64_t idle = f->now - f->busy;

	if (fair_sched_next_eligible_time(s) != FAIR_FOREVER)
		return true;
	return fair_queue_next_fitting(fair_sched_queue(s), &at, s->procs) &&
	       (s->advances || !idle || s->next_retry != FAIR_FOREVER ||
		fair_simulated_run_has_promise(f) ||
		fair_ledgers_can_change(s, idle));
}

FAIRSCHED_API int64_t
fair_simulated_run_next(const struct fair_simulated_run *f)
{
	const struct fair_simulated_events *e = &f->events;
	int64_t next = e->next ? e->next(e->context) : FAIR_FOREVER, due;

	/* Timers alone would go on for ever. */
	if (!e->next && !f->running && !fair_simulated_run_can_start_later(f))
		return FAIR_FOREVER;
	due = fair_sched_next_without_ledgers(f->sched);
	if (due < next)
		next = due;
	if (f->running && f->end[0].end < next)
		next = f->end[0].end;
	if (f->until < next)
		next = f->until;
	due = fair_ledgers_next_before(f->sched, next);
	if (due < next)
		next = due;
	return next < f->until ? next : FAIR_FOREVER;
}

FAIRSCHED_API int fair_simulated_run_instant(struct fair_simulated_run *f,
					     int64_t now)
{
	int error = fair_sched_validate_time(f->sched, now);

	if (!error && !fair_simulated_run_may_go_on(f, now))
		error = -FAIR_EOVERFLOW;
	if (error)
		return error;
	f->now = now;
	do {
		error = fair_simulated_run_round(f);
	} while (!error && f->running && f->end[0].end <= now);
	return error;
}

FAIRSCHED_API int
fair_simulated_run_attach(struct fair_simulated_run *f, size_t struct_size,
			  struct fair_simulated_end *end, size_t ends,
			  struct fair_sched *s,
			  const struct fair_simulated_events *events)
{
	struct fair_queue_place at = { 0, 0 };
	uint32_t i;

	if (!f || struct_size != sizeof(*f) || !end || !s || !events ||
	    !events->run)
		return -FAIR_EINVAL;
	if (ends < s->config.jobs)
		return -FAIR_ENOMEM;
	FAIR_MEMSET(f, 0, sizeof(*f));
	f->until = FAIR_FOREVER;
	f->rounds = FAIR_SIMULATED_ROUNDS +
		    (int64_t)s->config.jobs * FAIR_SIMULATED_ROUNDS_EACH;
	f->sched = s;
	f->end = end;
	f->now = f->busy = s->now;
	f->events = *events;
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX); at.index++)
		end[f->running++] = fair_simulated_run_end_of(
			f, fair_queue_slot(&s->running, at));
	for (i = f->running / 2; i-- > 0;)
		fair_simulated_run_sift(f, i, end[i]);
	return 0;
}

/* SIMULATED RUNS OF CLONES */

/*
 * One more round, false: none is due, or it may not go on. A job of run time 0
 * that starts in it runs until the next one: its start can be seen.
 */
static bool fair_simulated_run_advance(struct fair_simulated_run *f)
{
	int64_t next;

	if (f->played) {
		next = fair_simulated_run_next(f);
		if (next == FAIR_FOREVER ||
		    !fair_simulated_run_may_go_on(f, next))
			return false;
		if (next > f->now)
			f->now = next;
	}
	fair_must(fair_simulated_run_round(f));
	return true;
}

FAIRSCHED_API int fair_simulated_run_init(
	struct fair_simulated_run *f, size_t struct_size, void *memory,
	size_t bytes, const struct fair_sched *s, int64_t now,
	int64_t (*run)(void *context, uint64_t number), void *context)
{
	struct fair_simulated_events events = { run,  NULL, NULL,
						NULL, NULL, context };
	size_t size = fair_sched_size(&s->config);
	struct fair_sched *copy;
	int error;
	char *at;

	if (!f || struct_size != sizeof(*f) || !memory || !run)
		return -FAIR_EINVAL;
	error = fair_sched_validate_time(s, now);
	if (error)
		return error;
	if (bytes < fair_sched_fst_size(&s->config))
		return -FAIR_ENOMEM;
	copy = (struct fair_sched *)(void *)fair_sched_align((char *)memory);
	at = (char *)(copy + 1);
	fair_must(fair_sched_clone(copy, at, size, s));
	copy->config.fits = NULL;
	at = fair_sched_align(at + size);
	fair_must(fair_simulated_run_attach(
		f, struct_size, (struct fair_simulated_end *)(void *)at,
		s->config.jobs, copy, &events));
	f->now = f->busy = now;
	f->played = s->now < now; /* nothing happens now */
	return 0;
}

FAIRSCHED_API int fair_simulated_run_start(struct fair_simulated_run *f,
					   uint64_t number, int64_t *start)
{
	const struct fair_live *j = fair_sched_find(f->sched, number);

	if (!start)
		return -FAIR_EINVAL;
	if (!j)
		return -FAIR_ENOENT;
	while (j->state != FAIR_RUNNING && fair_simulated_run_advance(f))
		;
	if (j->state != FAIR_RUNNING && f->rounds < 1)
		return -FAIR_EOVERFLOW;
	*start = j->state == FAIR_RUNNING ? j->started : FAIR_FOREVER;
	return 0;
}

FAIRSCHED_API int fair_simulated_run_join(struct fair_simulated_run *f,
					  const struct fair_job *job,
					  int64_t *start)
{
	int error;

	if (!job || !start)
		return -FAIR_EINVAL;
	while (fair_sched_queue(f->sched)->jobs) {
		if (fair_simulated_run_advance(f))
			continue;
		if (f->rounds < 1)
			return -FAIR_EOVERFLOW;
		*start = FAIR_FOREVER;
		return 0;
	}
	error = fair_sched_submit(f->sched, f->now, job);
	if (error)
		return error;
	f->played = false;
	return fair_simulated_run_start(f, job->number, start);
}

FAIRSCHED_API size_t fair_sched_fst_size(const struct fair_config *config)
{
	size_t size = fair_sched_size(config);

	return size ? 16 + sizeof(struct fair_sched) + size +
			       config->jobs * sizeof(struct fair_simulated_end)
		    : 0;
}

FAIRSCHED_API int fair_sched_fst(const struct fair_sched *s, int64_t now,
				 const struct fair_job *job, void *memory,
				 size_t bytes,
				 int64_t (*run)(void *context, uint64_t number),
				 void *context, struct fair_fst *fst)
{
	struct fair_simulated_run f;
	struct fair_fst found;
	int error;

	if (!s || !fst)
		return -FAIR_EINVAL;
	error = fair_simulated_run_init(&f, sizeof(f), memory, bytes, s, now,
					run, context);
	if (!error)
		error = fair_simulated_run_join(&f, job, &found.relaxed);
	if (!error)
		error = fair_simulated_run_init(&f, sizeof(f), memory, bytes, s,
						now, run, context);
	if (!error)
		error = fair_sched_submit(f.sched, now, job);
	f.played = false;
	if (!error)
		error = fair_simulated_run_start(&f, job->number,
						 &found.strict);
	if (!error)
		*fst = found;
	return error;
}

/* ESTIMATES */

static int64_t fair_sched_planned_run(void *context, uint64_t number)
{
	const struct fair_sched *s = (const struct fair_sched *)context;
	const struct fair_live *j = fair_sched_find_holder(s, number, 1, NULL);

	return j->ran + (j->state == FAIR_RUNNING
				 ? fair_live_end(j) - j->started
				 : j->queued.walltime);
}

/* When a job starts if no other arrives: 0 or -FAIR_EOVERFLOW. */
static int fair_sched_start_on_clone(
	const struct fair_sched *s, uint64_t number, void *memory, size_t bytes,
	int64_t (*run)(void *context, uint64_t number), const void *context,
	int64_t *start)
{
	struct fair_simulated_run f;

	fair_must(fair_simulated_run_init(&f, sizeof(f), memory, bytes, s,
					  s->now, run,
					  (void *)(uintptr_t)context));
	return fair_simulated_run_start(&f, number, start);
}

/* The same, if every job ends as planned. */
static int fair_sched_planned(const struct fair_sched *s, void *memory,
			      size_t bytes, uint64_t number, int64_t *start)
{
	return fair_sched_start_on_clone(s, number, memory, bytes,
					 fair_sched_planned_run, s, start);
}

/* 0, or why @j does not wait; NULL: no job has its number. */
static int fair_sched_validate_waiting(const struct fair_live *j)
{
	if (!j)
		return -FAIR_ENOENT;
	return j->state == FAIR_RUNNING ? -FAIR_EINVAL : 0;
}

FAIRSCHED_API int fair_sched_estimate(const struct fair_sched *s,
				      uint64_t number, void *memory,
				      size_t bytes, int64_t *start)
{
	const struct fair_live *j = s ? fair_sched_find(s, number) : NULL;
	int error = fair_sched_validate_waiting(j);

	if (!s || !start)
		return -FAIR_EINVAL;
	if (error)
		return error;
	if (fair_sched_is_start_certain(s, j)) {
		*start = fair_later(s->now, j->queued.rank.key);
		return 0;
	}
	if (!memory || bytes < fair_sched_fst_size(&s->config))
		return -FAIR_ENOMEM;
	return fair_sched_planned(s, memory, bytes, number, start);
}

FAIRSCHED_API size_t fair_sched_forecast_size(const struct fair_config *config,
					      uint32_t samples)
{
	size_t size = fair_sched_fst_size(config);

	if (!size || samples > (SIZE_MAX / 2 - size) / sizeof(int64_t))
		return 0;
	return size + 8 + samples * sizeof(int64_t);
}

/* Private: one sample. */
struct fair_sample {
	const struct fair_sched *s;
	const struct fair_draw *draw;
	uint64_t seed;
};

/* A bijection in which each bit depends on all. Source: [SLF14], mix64. */
static uint64_t fair_sample_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static int64_t fair_sample_run(void *context, uint64_t number)
{
	const struct fair_sample *x = (const struct fair_sample *)context;
	int64_t most = fair_sched_planned_run((void *)(uintptr_t)x->s, number);
	struct fair_job_status job;
	int64_t run;

	fair_sched_describe(x->s, fair_sched_find_holder(x->s, number, 1, NULL),
			    &job);
	run = x->draw->run(x->draw->context, &job,
			   fair_sample_mix(x->seed + fair_sample_mix(number)));
	if (run < 0)
		return 0;
	return run < most ? run : most;
}

/* Into the ascending start[0 .. n). */
static void fair_sample_insert(int64_t *start, uint32_t n, int64_t x)
{
	uint32_t low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (start[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	FAIR_MEMMOVE(start + low + 1, start + low, (n - low) * sizeof(*start));
	start[low] = x;
}

/* The smallest of which at least @percent of all are no larger. */
static int64_t fair_sample_percentile(const int64_t *start, uint32_t n,
				      uint32_t percent)
{
	return start[((uint64_t)n * percent + 99) / 100 - 1];
}

FAIRSCHED_API int fair_sched_sample(const struct fair_sched *s, uint64_t number,
				    const struct fair_draw *draw, uint32_t i,
				    void *memory, size_t bytes, int64_t *start)
{
	const struct fair_live *j = s ? fair_sched_find(s, number) : NULL;
	int error = fair_sched_validate_waiting(j);
	struct fair_sample x;

	if (!s || !draw || !draw->run || !memory || !start)
		return -FAIR_EINVAL;
	if (error)
		return error;
	if (bytes < fair_sched_fst_size(&s->config))
		return -FAIR_ENOMEM;
	x.s = s;
	x.draw = draw;
	x.seed = draw->seed + i * UINT64_C(0x9e3779b97f4a7c15);
	return fair_sched_start_on_clone(s, number, memory, bytes,
					 fair_sample_run, &x, start);
}

/* The largest integer whose square is at most @x. */
static uint64_t fair_sample_root(uint64_t x)
{
	uint64_t root = 0, bit = (uint64_t)1 << 31;

	for (; bit; bit >>= 1)
		if ((root + bit) * (root + bit) <= x)
			root += bit;
	return root;
}

/*
 * Half of the confidence interval of a percentile, between the samples of ranks
 * n p - d and n p + d + 1, where d is 1.96 standard deviations of the binomial
 * distribution of the number of samples up to the percentile: p (1 - p) n is
 * the variance. All times 10^4. Source: [CON99].
 */
static int64_t fair_sample_half_width(const int64_t *start, uint64_t n,
				      uint32_t percent)
{
	uint64_t at = n * percent * 100, high;
	uint64_t d = fair_sample_root(n * percent * (100 - percent) * 38416);

	if (at < d + 10000)
		return FAIR_FOREVER;
	high = (at + d + 9999) / 10000; /* from 0: one less than the rank */
	if (high >= n || start[high] == FAIR_FOREVER)
		return FAIR_FOREVER;
	return (start[high] - start[(at - d) / 10000 - 1] + 1) / 2;
}

FAIRSCHED_API bool fair_forecast_add(struct fair_forecast *f, int64_t *start,
				     int64_t x)
{
	uint32_t n = (uint32_t)f->samples + 1;
	int64_t half;

	fair_sample_insert(start, n - 1, x);
	f->samples = n;
	f->p10 = fair_sample_percentile(start, n, 10);
	f->p50 = fair_sample_percentile(start, n, 50);
	f->p90 = fair_sample_percentile(start, n, 90);
	half = fair_later(fair_sample_half_width(start, n, 10),
			  fair_sample_half_width(start, n, 50));
	f->half_width = fair_later(half, fair_sample_half_width(start, n, 90));
	return f->half_width != FAIR_FOREVER &&
	       f->half_width <= (f->p90 - f->p10) / 20;
}

FAIRSCHED_API int fair_sched_forecast(const struct fair_sched *s,
				      uint64_t number,
				      const struct fair_draw *draw,
				      void *memory, size_t bytes,
				      struct fair_forecast *forecast)
{
	struct fair_forecast f = { 0, 0, 0, 0, 0 };
	bool enough = false;
	int64_t *start, x;
	size_t clone;
	char *at;
	int error;

	if (!s || !draw || !draw->samples || !memory || !forecast)
		return -FAIR_EINVAL;
	if (bytes < fair_sched_forecast_size(&s->config, draw->samples))
		return -FAIR_ENOMEM;
	clone = fair_sched_fst_size(&s->config);
	at = (char *)memory + clone;
	start = (int64_t *)(void *)(at + (8 - (uintptr_t)at % 8) % 8);
	while (f.samples < draw->samples && !enough) {
		error = fair_sched_sample(s, number, draw, (uint32_t)f.samples,
					  memory, clone, &x);
		if (error)
			return error;
		enough = fair_forecast_add(&f, start, x);
	}
	*forecast = f;
	return 0;
}

#endif /* FAIRSCHED_WITHOUT_RUNS */
