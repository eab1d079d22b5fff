/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * exhaustive_disturbed_test.c - every small case of one disturbance
 *
 * Up to four jobs on 3 processors: each arrives with the one before or a second
 * later, takes 1 to 3 processors, and has a limit of 2 or 4 s, at which it ends.
 * Once, at each second, for each job: it ends 1 or 2 s late, gets a longer limit,
 * is suspended for a second, or its first start is refused; or a processor is lost
 * for good, for 2 s, or back in the same second; or a window is forced; or three
 * seconds pass without a step. Errors, planned ends and promises are the model's,
 * at each second, and no event plans a job ahead of one before it that could start
 * there itself.
 */
#include "fairsched.h"
#include "tests/model/sched_model.h"
#include "tests/test.h"

enum { PROCS = 3, JOBS = 4, BYTES = 65536, LAST = 48, SECONDS = 9 };

enum kind {
	END_LATE,
	END_LATER,
	LONGER,
	SUSPENDED,
	REFUSED,
	LOST, /* from here on: of no job */
	LOST_AND_BACK,
	BLIP,
	WINDOW,
	SLEEP,
	KINDS
};

struct disturbance {
	enum kind kind;
	int64_t at;
	uint32_t job;
};

struct play {
	struct fair_sched sched;
	struct model *model;
	uint64_t memory[BYTES / 8];
	uint32_t jobs;
	struct fair_job job[JOBS];
	int64_t start[JOBS], lasts[JOBS];
	/* The least start that it was promised since it last had none. */
	int64_t turn[JOBS];
	bool moved[JOBS]; /* by the present event */
	int64_t capacity, window;
	bool refused;
};

/* Of workloads, coprime to their digits. FAIRSCHED_FULL=1, which is tools/full.sh
 * exhaustion, plays all of them. */
static uint32_t stride(void)
{
	return TEST_ROUNDS(8) == 1	? 2111
	       : getenv("FAIRSCHED_FULL") ? 1
					  : 503;
}

static void promised(void *context, const struct fair_promise *promise)
{
	struct play *p = (struct play *)context;

	p->moved[promise->number] = true;
	if (promise->to < p->turn[promise->number] ||
	    promise->to == FAIR_FOREVER)
		p->turn[promise->number] = promise->to;
}

/* Workload @x has a digit of base 12 for each job. */
static void begin(struct play *p, struct fair_config *config, uint32_t jobs,
		  uint32_t x)
{
	static const enum model_policy policy[] = { MODEL_FCFS, MODEL_EASY,
						    MODEL_CONSERVATIVE,
						    MODEL_PC, MODEL_DC };
	struct model_rules rules = { 0 };
	int64_t now = 0;
	uint32_t i;

	config->promised = promised;
	config->context = p;
	TEST_REQUIRE(fair_sched_size(config) <= BYTES);
	TEST_OK(fair_sched_init(&p->sched, sizeof(p->sched), p->memory,
				sizeof(p->memory), config));
	rules.policy = policy[config->policy];
	rules.order = (enum model_order)config->order;
	rules.depth = 1;
	rules.procs = PROCS;
	rules.jobs = config->jobs;
	rules.patience = p->sched.config.patience;
	if (rules.patience == FAIR_PATIENCE_NONE)
		rules.patience = 0;
	p->model = model_new(&rules, 0);
	p->jobs = jobs;
	p->capacity = PROCS;
	p->window = FAIR_FOREVER;
	p->refused = false;
	for (i = 0; i < jobs; i++, x /= 12) {
		struct fair_job j = { .number = i, .submit = now += x % 2 };

		j.procs = (int32_t)(1 + x / 2 % 3);
		j.walltime = p->lasts[i] = x / 6 % 2 ? 4 : 2;
		p->job[i] = j;
		p->start[i] = p->turn[i] = FAIR_FOREVER;
		p->moved[i] = false;
	}
}

static bool is_running(const struct play *p, uint32_t i)
{
	return p->start[i] != FAIR_FOREVER && p->lasts[i] >= 0;
}

/* Room at @t beside all but jobs @i and @but, and those that the event moved
 * though they are behind @i. */
static int64_t room(const struct play *p, int64_t t, uint32_t i, uint32_t but)
{
	int64_t free = p->capacity - (t == p->window);
	struct fair_job_status j;
	uint32_t k;

	for (k = 0; k < p->jobs; k++) {
		if (k == i || k == but ||
		    fair_sched_lookup(&p->sched, k, &j))
			continue;
		if ((is_running(p, k) && t < j.end) ||
		    (!is_running(p, k) && j.state == FAIR_QUEUED &&
		     (!p->moved[k] || p->turn[k] < p->turn[i] ||
		      (p->turn[k] == p->turn[i] && k < i)) &&
		     j.start <= t && t < j.start + j.job.walltime))
			free -= p->job[k].procs;
	}
	return free;
}

/* Job @by is planned at @at, or started: each job before it could not. */
static void check_passed(const struct play *p, int64_t at, uint32_t by)
{
	struct fair_job_status j;
	bool fits;
	int64_t t;
	uint32_t i;

	for (i = 0; i < by; i++) {
		if (p->turn[i] >= p->turn[by] ||
		    fair_sched_lookup(&p->sched, i, &j) ||
		    j.state != FAIR_QUEUED || j.not_before > at ||
		    j.start <= at)
			continue;
		fits = true;
		for (t = at; t < at + p->job[i].walltime; t++)
			fits &= room(p, t, i, by) >= p->job[i].procs;
		TEST_CHECK(!fits);
	}
}

/* An event is over. */
static void settle(struct play *p)
{
	struct fair_job_status j;
	uint32_t i;

	for (i = 0; i < p->jobs; i++)
		if (p->moved[i] && !fair_sched_lookup(&p->sched, i, &j))
			check_passed(p, j.start, i);
	memset(p->moved, 0, sizeof(p->moved));
}

static void arrive(struct play *p, int64_t from, int64_t now)
{
	uint32_t i;

	for (i = 0; i < p->jobs; i++) {
		struct model_job m = { 0 };

		if (p->job[i].submit < from || p->job[i].submit > now)
			continue;
		m.submit = p->job[i].submit;
		m.procs = p->job[i].procs;
		m.estimate = p->job[i].walltime;
		m.tasks = 1;
		TEST_OK(fair_sched_submit(&p->sched, now, &p->job[i]));
		TEST_OK(model_submit(p->model, now, i, &m));
		settle(p);
	}
}

static void change_capacity(struct play *p, int64_t now, int32_t delta)
{
	int ours = fair_sched_capacity(&p->sched, now, delta, NULL, 0);

	TEST_EQ(ours, model_capacity(p->model, now, delta, NULL, 0));
	if (!ours)
		p->capacity += delta;
}

static void force_window(struct play *p, int64_t now)
{
	struct fair_advance a = { .number = 1, .from = now + 1, .to = now + 2,
				  .procs = 1 };
	struct model_advance m = { 1, now + 1, now + 2, 1, false };
	int ours = fair_sched_advance_reserve(&p->sched, now, &a, true);

	TEST_EQ(ours, model_advance_reserve(p->model, now, &m, true));
	if (!ours)
		p->window = now + 1;
}

static void lengthen(struct play *p, int64_t now, uint32_t i)
{
	struct fair_job *j = &p->job[i];
	int ours;

	if (p->start[i] == FAIR_FOREVER)
		return;
	ours = fair_sched_modify(&p->sched, now, i, j->procs, j->walltime + 1);
	TEST_EQ(ours, model_modify(p->model, now, i, j->procs, j->walltime + 1));
	if (!ours)
		p->lasts[i] = ++j->walltime;
}

static void suspend(struct play *p, int64_t now, uint32_t i)
{
	int ours = fair_sched_suspend(&p->sched, now, i);

	TEST_EQ(ours, model_suspend(p->model, now, i));
	if (ours)
		return;
	p->lasts[i] = p->job[i].walltime -= now - p->start[i];
	p->start[i] = p->turn[i] = FAIR_FOREVER;
}

static void resume(struct play *p, int64_t now, uint32_t i)
{
	TEST_EQ(fair_sched_resume_job(&p->sched, now, i),
		model_resume_job(p->model, now, i));
}

/* What happens at @now, before starts. */
static void happen(struct play *p, const struct disturbance *d, int64_t now)
{
	bool follows = now == d->at + 2;

	if (now != d->at && !(now == d->at + 1 && d->kind == SUSPENDED) &&
	    !(follows && (d->kind == LOST_AND_BACK)))
		return;
	switch (d->kind) {
	case LONGER:
		lengthen(p, now, d->job);
		break;
	case SUSPENDED:
		if (now == d->at)
			suspend(p, now, d->job);
		else
			resume(p, now, d->job);
		break;
	case LOST:
	case LOST_AND_BACK:
		if (!follows || p->capacity < PROCS)
			change_capacity(p, now, follows ? 1 : -1);
		break;
	case BLIP:
		change_capacity(p, now, -1);
		if (p->capacity < PROCS)
			change_capacity(p, now, 1);
		break;
	case WINDOW:
		force_window(p, now);
		break;
	default:
		break;
	}
	settle(p);
}

/* @slept: the call finds jobs that overran, which is an event of its own. */
static void end_jobs(struct play *p, int64_t now, bool slept)
{
	uint32_t i;

	for (i = 0; i < p->jobs; i++) {
		if (p->start[i] == FAIR_FOREVER || p->lasts[i] < 0 ||
		    p->start[i] + p->lasts[i] > now)
			continue;
		TEST_OK(fair_sched_finish(&p->sched, now, i));
		TEST_OK(model_finish(p->model, now, i));
		p->lasts[i] = -1; /* it has ended */
		if (slept)
			memset(p->moved, 0, sizeof(p->moved));
		settle(p);
	}
}

/* With no patience it is put behind all others. */
static void refuse(struct play *p, int64_t now, uint32_t i)
{
	p->start[i] = FAIR_FOREVER;
	if (p->sched.config.patience == FAIR_PATIENCE_NONE)
		p->turn[i] = FAIR_FOREVER;
	TEST_OK(fair_sched_refuse(&p->sched, now, i));
	TEST_OK(model_refuse_start(p->model, now, i, now));
	p->refused = true;
}

static void start(struct play *p, const struct disturbance *d, int64_t now,
		  uint32_t i)
{
	if (p->lasts[i] == p->job[i].walltime && d->job == i &&
	    (d->kind == END_LATE || d->kind == END_LATER))
		p->lasts[i] += d->kind == END_LATE ? 1 : 2;
	p->start[i] = now;
}

static void step(struct play *p, const struct disturbance *d, int64_t now)
{
	const struct model_decision *decision;
	struct fair_decision first[JOBS];
	bool again = true;
	size_t n, k;

	while (again) {
		TEST_OK(fair_sched_step(&p->sched, now, first, JOBS, &n));
		TEST_OK(model_step(p->model, now, &decision, &k));
		for (k = 0; k < n; k++)
			start(p, d, now, (uint32_t)first[k].number);
		settle(p);
		again = d->kind == REFUSED && now >= d->at && !p->refused &&
			p->start[d->job] == now;
		if (again)
			refuse(p, now, d->job);
	}
}

static void compare(const struct play *p)
{
	struct fair_job_status j;
	uint32_t i;

	TEST_EQ(fair_sched_check(&p->sched), 0);
	TEST_EQ(fair_sched_next(&p->sched), model_next(p->model));
	for (i = 0; i < p->jobs; i++) {
		if (fair_sched_lookup(&p->sched, i, &j))
			continue;
		TEST_EQ(j.end, model_end(p->model, i));
		if (j.state != FAIR_RUNNING)
			TEST_EQ(j.start, model_promise(p->model, i));
	}
}

static void play(struct fair_config *config, uint32_t jobs, uint32_t workload,
		 const struct disturbance *d)
{
	static struct play p;
	int64_t now, was = -1;

	begin(&p, config, jobs, workload);
	for (now = 0; now < LAST; now++) {
		if (d->kind == SLEEP && now >= d->at && now < d->at + 3)
			continue;
		end_jobs(&p, now, now > was + 1);
		arrive(&p, was + 1, now);
		happen(&p, d, now);
		step(&p, d, now);
		compare(&p);
		was = now;
	}
	TEST_CHECK(!p.sched.jobs || p.capacity < PROCS);
	model_free(p.model);
}

static void every_disturbance(struct fair_config *config, uint32_t jobs,
			      uint32_t workload)
{
	struct disturbance d;
	uint32_t kind;

	for (kind = 0; kind < KINDS; kind++)
		for (d.at = 0; d.at < SECONDS; d.at++)
			for (d.job = 0; d.job < (kind < LOST ? jobs : 1);
			     d.job++) {
				d.kind = (enum kind)kind;
				if (d.at && kind <= END_LATER)
					continue; /* at its end */
				play(config, jobs, workload, &d);
			}
}

static void every_case(uint32_t policy, uint32_t order, int64_t patience)
{
	struct fair_config config = { .policy = policy, .order = order };
	uint32_t jobs, all = 1, x;

	config.depth = 1;
	config.procs = PROCS;
	config.jobs = config.ineligible = JOBS;
	config.advances = 1;
	config.patience = patience;
	for (jobs = 1; jobs <= JOBS; jobs++) {
		all *= 12;
		for (x = jobs; x < all; x += jobs < 3 ? 5 : stride())
			every_disturbance(&config, jobs, x);
	}
}

TEST(conservative)
{
	every_case(FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, 0);
}

TEST(conservative_without_patience)
{
	every_case(FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, FAIR_PATIENCE_NONE);
}

TEST(pc)
{
	every_case(FAIR_PC, FAIR_ORDER_FCFS, FAIR_PATIENCE);
}

TEST(dc)
{
	every_case(FAIR_DC, FAIR_ORDER_FCFS, FAIR_PATIENCE);
}

TEST(easy)
{
	every_case(FAIR_BACKFILL, FAIR_ORDER_FCFS, FAIR_PATIENCE);
}
