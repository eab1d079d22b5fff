/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * maui_bench.c - the cost of Maui's priorities, limits and iterations
 *
 * usage: maui_bench [--quick] > FILE.csv
 *
 * priority        the priority of a job with all parts weighted and without
 *                 targets, 1,024 jobs in turn; the baseline is table 2 of
 *                 [MAUI] in floating point
 * priority_target the same with targets of both kinds
 * priority_pe     the processor equivalents of a job
 * throttle_test   whether a job may start, with limits of all five resources on
 *                 all five kinds of credentials and n running jobs; the
 *                 baseline adds up the running jobs that share a credential
 * throttle_start  a job starts and ends
 * maui_finish     one of the running jobs ends and an iteration follows, of n
 *                 jobs for 1,024 processors: 50 users, 10 groups, 4 QoS, 8
 *                 classes with limits and targets, 14 windows of usage, 8
 *                 reservations, all weights set
 * maui_poll       a minute passes instead, and nothing starts
 * maui_easy       as maui_finish, by an empty configuration
 */
#include "bench.h"

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

#define ONE FAIR_PRIORITY_ONE
#define KINDS FAIR_THROTTLE_KINDS
#define RESOURCES FAIR_THROTTLE_RESOURCES
#define JOBS 1024
#define PROCS 1024
#define MINUTE 60
#define LATER 3600

static const uint32_t counts[KINDS] = { 50, 10, 6, 4, 8 };

struct limits {
	struct fair_throttle t;
	void *memory;
	int64_t limit[KINDS][50][RESOURCES]; /* soft */
	struct fair_throttle_job asks[JOBS], running[10000];
	int64_t walltime[JOBS], end[10000];
	size_t runs, blocked;
};

struct bench {
	struct fair_priority_config priority;
	struct fair_priority_job job[JOBS];
	struct fair_priority_amounts machine;
	int64_t answer[JOBS];
	struct limits limits;

	struct fair_maui_credential credential[KINDS][50];
	struct fair_maui_qos qos[4];
	struct fair_maui_config maui;
	struct fair_sched base, copy;
	void *memory, *copy_memory;
	size_t bytes, runs, next;
	uint64_t *running; /* numbers */
	uint64_t random;
};

static int64_t draw(struct bench *b, int64_t least, int64_t most)
{
	return least + (int64_t)(bench_random(&b->random) %
				 (uint64_t)(most - least + 1));
}

static void run(struct bench *b, const char *name, size_t n, size_t ops,
		void (*what)(void *), void (*prepare)(void *))
{
	struct bench_case c = { 0 };

	c.name = name;
	c.n = n;
	c.ops = ops;
	c.run = what;
	c.prepare = prepare;
	bench_run(&c, b);
}

/* ---- priority ---- */

static void weigh(struct bench *b)
{
	struct fair_priority_config *p = &b->priority;
	int i;

	*p = fair_priority_defaults();
	for (i = 0; i < FAIR_PRIORITY_PARTS; i++)
		p->weight[i] = draw(b, 1, 20);
	for (i = 0; i < FAIR_PRIORITY_COMPONENTS; i++)
		p->component_weight[i] = draw(b, 1, 5);
	p->cap[FAIR_PRIORITY_QUEUE_TIME] = 1000 * ONE;
	p->cap[FAIR_PRIORITY_XFACTOR] = 100 * ONE;
	p->component_cap[FAIR_PRIORITY_RESOURCE] = 50000 * ONE;
}

static void make_jobs(struct bench *b)
{
	struct fair_priority_job *j;
	int i, k;

	b->machine.procs = PROCS;
	b->machine.memory = 4096 * PROCS;
	b->machine.swap = 8192 * PROCS;
	b->machine.disk = 100000 * PROCS;
	for (i = 0; i < JOBS; i++) {
		j = &b->job[i];
		j->wait = draw(b, 0, 1000000);
		j->walltime = bench_log_uniform(&b->random, 60, 86400);
		j->request.procs = bench_log_uniform(&b->random, 1, PROCS / 2);
		j->request.nodes = j->request.procs;
		j->request.memory = draw(b, 0, 5000) * j->request.procs;
		j->request.swap = draw(b, 0, 5000) * j->request.procs;
		j->request.disk = draw(b, 0, 50000);
		for (k = 0; k < FAIR_PRIORITY_CREDENTIALS; k++) {
			j->fs_delta[k] = draw(b, -50 * ONE, 50 * ONE);
			j->given[k] = draw(b, 0, 100);
		}
		j->bypassed = draw(b, 0, 20);
	}
}

/* Targets are so far away that they do not dominate the priority. */
static void set_targets(struct bench *b)
{
	struct fair_priority_job *j;
	int i;

	for (i = 0; i < JOBS; i++) {
		j = &b->job[i];
		j->queue_time_target = j->wait + draw(b, 600, 3600);
		j->xfactor_target = (j->wait / j->walltime + 5) * ONE;
	}
}

static void equivalents(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < JOBS; i++)
		bench_must(!fair_priority_pe(&b->job[i].request, &b->machine,
					     &b->job[i].pe),
			   "pe");
}

static void priorities(void *ctx)
{
	struct fair_priority_parts parts;
	struct bench *b = ctx;
	int i;

	for (i = 0; i < JOBS; i++) {
		bench_must(!fair_priority(&b->priority, &b->job[i], &parts),
			   "priority");
		b->answer[i] = parts.priority;
	}
}

static double least(double a, int64_t cap)
{
	double most = (double)cap / ONE;

	return cap && a > most ? most : a;
}

static double reciprocal(double distance)
{
	double d = distance < 0.0001 ? 0.0001 : distance;

	return 1 / (d * d);
}

static double naive_priority(const struct fair_priority_config *p,
			     const struct fair_priority_job *j)
{
	/* The end of the parts of each component. */
	static const int end[FAIR_PRIORITY_COMPONENTS] = { 2, 8, 13, 18, 20,
							   21 };
	double x = (double)(j->wait + j->walltime) / (double)j->walltime;
	double v[FAIR_PRIORITY_PARTS] = {
		(double)j->wait / 60,
		x,
		(double)j->request.nodes,
		(double)j->request.procs,
		(double)j->request.memory,
		(double)j->request.swap,
		(double)j->request.disk,
		(double)j->pe / ONE
	};
	double sum, all = 0;
	int c, i;

	for (i = 0; i < FAIR_PRIORITY_CREDENTIALS; i++) {
		v[8 + i] = (double)j->fs_delta[i] / ONE;
		v[13 + i] = (double)j->given[i];
	}
	if (j->xfactor_target)
		v[18] = reciprocal((double)j->xfactor_target / ONE - x);
	if (j->queue_time_target)
		v[19] = reciprocal((double)(j->queue_time_target - j->wait) /
				   60);
	v[20] = (double)j->bypassed;
	for (c = i = 0; c < FAIR_PRIORITY_COMPONENTS; c++) {
		for (sum = 0; i < end[c]; i++)
			sum += (double)p->weight[i] * least(v[i], p->cap[i]);
		all += (double)p->component_weight[c] *
		       least(sum, p->component_cap[c]);
	}
	return all;
}

static void naive_priorities(void *ctx)
{
	struct bench *b = ctx;
	double ours, theirs;
	int i;

	for (i = 0; i < JOBS; i++) {
		theirs = naive_priority(&b->priority, &b->job[i]);
		ours = (double)b->answer[i] / ONE;
		bench_must(fabs(ours - theirs) <= 1e-3 + 1e-9 * fabs(ours),
			   "another priority");
	}
}

/* ---- limits ---- */

static void open_limits(struct bench *b, size_t runs)
{
	static const int64_t job[RESOURCES] = { 1, 8, 8, 5000, 320000 };
	struct limits *l = &b->limits;
	struct fair_throttle_job *j;
	int64_t soft;
	size_t i;
	int kind, r;

	l->memory = bench_alloc(fair_throttle_size(counts));
	bench_must(!fair_throttle_init(&l->t, sizeof(l->t), l->memory,
				       fair_throttle_size(counts), counts, 0),
		   "limits");
	l->runs = runs;
	for (i = 0; i < runs + JOBS; i++) {
		j = i < runs ? &l->running[i] : &l->asks[i - runs];
		for (kind = 0; kind < KINDS; kind++)
			j->id[kind] = (uint32_t)draw(b, 0, counts[kind] - 1);
		j->procs = j->nodes = (int32_t)draw(b, 1, 16);
		j->memory = draw(b, 0, 10000);
		if (i >= runs) {
			l->walltime[i - runs] = draw(b, 60, 86400);
			continue;
		}
		l->end[i] = draw(b, 60, 86400);
		bench_must(!fair_throttle_charge(&l->t, 0, j, l->end[i]),
			   "charge");
	}
	/* Most limits admit the next job. */
	for (kind = 0; kind < KINDS; kind++)
		for (i = 0; i < counts[kind]; i++)
			for (r = 0; r < RESOURCES; r++) {
				bench_must(!fair_throttle_used(
						   &l->t, 0, kind, (uint32_t)i,
						   r, &soft),
					   "used");
				soft += draw(b, 0, 100) * job[r];
				l->limit[kind][i][r] = soft;
				fair_throttle_set_limit(&l->t, kind, (uint32_t)i, r,
						    soft, INT64_MAX);
			}
}

static void test_limits(void *ctx)
{
	struct limits *l = &((struct bench *)ctx)->limits;
	size_t i;

	l->blocked = 0;
	for (i = 0; i < JOBS; i++)
		l->blocked += fair_throttle_test(&l->t, 0, &l->asks[i],
						 l->walltime[i],
						 FAIR_THROTTLE_SOFT, NULL) == 1;
}

static bool naive_forbids(const struct limits *l,
			  const struct fair_throttle_job *j, int64_t walltime,
			  int kind)
{
	int64_t used[RESOURCES] = { 1, j->procs, j->nodes, j->memory,
				    j->procs * walltime };
	const struct fair_throttle_job *x;
	size_t i;
	int r;

	for (i = 0; i < l->runs; i++) {
		x = &l->running[i];
		if (x->id[kind] != j->id[kind])
			continue;
		used[0]++;
		used[1] += x->procs;
		used[2] += x->nodes;
		used[3] += x->memory;
		used[4] += x->procs * l->end[i];
	}
	for (r = 0; r < RESOURCES; r++)
		if (used[r] > l->limit[kind][j->id[kind]][r])
			return true;
	return false;
}

static void naive_test_limits(void *ctx)
{
	const struct limits *l = &((struct bench *)ctx)->limits;
	size_t i, blocked = 0;
	bool forbidden;
	int kind;

	for (i = 0; i < JOBS; i++) {
		forbidden = false;
		for (kind = 0; kind < KINDS && !forbidden; kind++)
			forbidden = naive_forbids(l, &l->asks[i],
						  l->walltime[i], kind);
		blocked += forbidden;
	}
	bench_must(blocked == l->blocked, "other jobs are let in");
}

static void start_and_end(void *ctx)
{
	struct limits *l = &((struct bench *)ctx)->limits;
	size_t i;

	for (i = 0; i < JOBS; i++)
		bench_must(!fair_throttle_charge(&l->t, 0, &l->asks[i],
						 l->walltime[i]),
			   "start");
	for (i = 0; i < JOBS; i++)
		bench_must(!fair_throttle_release(&l->t, &l->asks[i],
						    l->walltime[i]),
			   "end");
}

static void run_limits(struct bench *b, size_t runs)
{
	open_limits(b, runs);
	run(b, "throttle_test", runs, JOBS, test_limits, NULL);
	bench_must(b->limits.blocked > 0 && b->limits.blocked < JOBS,
		   "some are let in");
	run(b, "naive_throttle_test", runs, JOBS, naive_test_limits, NULL);
	run(b, "throttle_start", runs, JOBS, start_and_end, NULL);
	free(b->limits.memory);
}

/* ---- iterations ---- */

static void configure(struct bench *b)
{
	struct fair_maui_credential *c;
	int kind;
	uint32_t i;

	b->maui = fair_maui_defaults();
	b->maui.priority = b->priority;
	b->maui.depth = 8;
	b->maui.usage = FAIR_MAUI_PROCS;
	b->maui.windows = 14;
	b->maui.interval = 43200;
	b->maui.decay = FAIR_USAGE_ONE / 5 * 4;
	b->maui.poll = MINUTE;
	b->maui.qos = b->qos;
	for (kind = 0; kind < KINDS; kind++) {
		b->maui.count[kind] = counts[kind];
		b->maui.credential[kind] = b->credential[kind];
		for (i = 0; i < counts[kind]; i++) {
			c = &b->credential[kind][i];
			*c = fair_maui_credential_defaults();
			c->priority = draw(b, 0, 100);
			c->has_target = true;
			c->target.points = 100 * ONE / counts[kind];
			c->soft[FAIR_THROTTLE_PROCS] = PROCS / 4;
			c->hard[FAIR_THROTTLE_PROCS] = PROCS / 2;
		}
	}
}

static void step(struct fair_sched *s, int64_t now)
{
	struct fair_decision d[64];
	size_t n = 64;

	while (n == 64) {
		bench_must(!fair_sched_step(s, now, d, 64, &n), "step");
		bench_sink += n;
	}
}

static void open_sched(struct bench *b, const struct fair_maui_config *maui,
		       size_t jobs)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_config c = { 0 };
	struct fair_job_status status;
	struct fair_job j = { 0 };

	c.policy = FAIR_MAUI;
	c.procs = PROCS;
	c.jobs = (uint32_t)jobs;
	c.maui = maui;
	b->bytes = fair_sched_size(&c);
	b->memory = bench_alloc(b->bytes);
	b->copy_memory = bench_alloc(b->bytes);
	b->running = bench_alloc(PROCS * sizeof(*b->running));
	b->runs = b->next = 0;
	bench_must(!fair_sched_init(&b->base, sizeof(b->base), b->memory,
				    b->bytes, &c),
		   "init");
	for (j.number = 0; j.number < jobs; j.number++) {
		j.user = (uint32_t)(maui->count[0] ? j.number % 50 : UINT32_MAX);
		j.group = maui->count[1] ? j.user % 10 : UINT32_MAX;
		j.account = maui->count[2] ? j.user % 6 : UINT32_MAX;
		j.qos = maui->count[3] ? j.user % 4 : UINT32_MAX;
		j.queue = (uint32_t)(maui->count[4] ? j.number % 8 : UINT32_MAX);
		j.procs = (int32_t)bench_log_uniform(&b->random, 1, 128);
		j.walltime = bench_log_uniform(&b->random, 2 * LATER, 86400);
		bench_must(!fair_sched_submit(&b->base, 0, &j), "submit");
	}
	step(&b->base, 0);
	step(&b->base, LATER);
	while (fair_sched_each(&b->base, FAIR_RUNNING, &at, &status))
		b->running[b->runs++] = status.job.number;
	bench_must(b->runs > 1, "jobs run");
}

static void close_sched(struct bench *b)
{
	bench_must(!fair_sched_check(&b->base), "check");
	free(b->running);
	free(b->copy_memory);
	free(b->memory);
}

static void copy(void *ctx)
{
	struct bench *b = ctx;

	bench_must(!fair_sched_clone(&b->copy, b->copy_memory, b->bytes,
				     &b->base),
		   "clone");
}

static void finish(void *ctx)
{
	struct bench *b = ctx;
	uint64_t number = b->running[b->next++ % b->runs];

	bench_must(!fair_sched_finish(&b->copy, LATER + 1, number), "finish");
	step(&b->copy, LATER + 1);
}

static void poll(void *ctx)
{
	struct bench *b = ctx;

	step(&b->copy, fair_sched_next(&b->copy));
}

static void run_sched(struct bench *b, size_t jobs)
{
	struct fair_maui_config empty = fair_maui_defaults();

	open_sched(b, &b->maui, jobs);
	run(b, "maui_finish", jobs, 1, finish, copy);
	run(b, "maui_poll", jobs, 1, poll, copy);
	close_sched(b);
	open_sched(b, &empty, jobs);
	run(b, "maui_easy", jobs, 1, finish, copy);
	close_sched(b);
}

int main(int argc, char **argv)
{
	struct bench *b = bench_alloc(sizeof(*b));
	size_t n;

	bench_open(argc, argv);
	b->random = 1;
	weigh(b);
	make_jobs(b);
	run(b, "priority_pe", 1, JOBS, equivalents, NULL);
	run(b, "priority", 1, JOBS, priorities, NULL);
	run(b, "naive_priority", 1, JOBS, naive_priorities, NULL);
	set_targets(b);
	run(b, "priority_target", 1, JOBS, priorities, NULL);
	run(b, "naive_priority_target", 1, JOBS, naive_priorities, NULL);
	for (n = 100; n <= 10000; n *= 10)
		run_limits(b, n);
	configure(b);
	for (n = 100; n <= 10000; n *= 10)
		run_sched(b, n);
	free(b);
	return 0;
}
