/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * checkpoint_drive.h - runs two schedulers through the same events
 *
 * Bytes become a configuration of any policy, then events. drive_load() loads
 * the second scheduler from a checkpoint of the first; from then on it gets the
 * same events and must give the same answers.
 */
#ifndef CHECKPOINT_DRIVE_H
#define CHECKPOINT_DRIVE_H

#include <string.h>

#include "fairsched.h"
#include "fuzz/fuzz.h"

#define DRIVE_ACCOUNTS 3
#define DRIVE_NODES 6 /* of a tree; the first are its users */
#define DRIVE_JOBS 32

struct drive {
	struct fuzz_in in;
	struct fair_config config;
	struct fair_maui_config maui;
	struct fair_maui_credential credential[DRIVE_ACCOUNTS];
	struct fair_fairtree tree;
	unsigned char tree_memory[2048];
	struct fair_sched sched[2];
	char *memory[2];
	size_t bytes, numbers, schedulers;
	int64_t now;
};

/* The first user has limits, the second a usage cap, the third a priority. */
static inline void drive_configure_maui(struct drive *d)
{
	struct fair_maui_credential *user = d->credential;
	int i;

	d->maui = fair_maui_defaults();
	d->maui.usage = FAIR_MAUI_PROCS;
	d->maui.interval = 50;
	d->maui.decay = FAIR_USAGE_ONE / 4 * 3;
	d->maui.poll = fuzz_range(&d->in, 0, 1) * 30;
	for (i = 0; i < DRIVE_ACCOUNTS; i++)
		user[i] = fair_maui_credential_defaults();
	user[0].soft[FAIR_THROTTLE_PROCS] = 4;
	user[0].hard[FAIR_THROTTLE_PROCS] = 10;
	user[0].hard[FAIR_THROTTLE_PROC_SECONDS] = 300;
	user[1].has_target = true;
	user[1].target.points = INT64_C(30) << 20;
	user[1].target.kind = FAIR_USAGE_CAP;
	user[2].priority = 5;
	d->maui.count[FAIR_THROTTLE_USER] = DRIVE_ACCOUNTS;
	d->maui.count[FAIR_THROTTLE_ACCOUNT] = DRIVE_ACCOUNTS;
	d->maui.credential[FAIR_THROTTLE_USER] = user;
	d->maui.priority.weight[FAIR_PRIORITY_USER] = 1;
	d->config.maui = &d->maui;
	d->config.order = FAIR_ORDER_FCFS;
}

/* Users of two accounts, one below the other, with usage from before. */
static inline void drive_plant(struct drive *d)
{
	static const uint32_t parent[] = { 4, 3, FAIR_FAIRTREE_ROOT,
					   FAIR_FAIRTREE_ROOT, 3 };
	struct fair_config *c = &d->config;
	struct fair_fairtree *f = &d->tree;
	uint32_t i;

	c->users = DRIVE_NODES;
	FUZZ_ASSERT(!fair_fairtree_init(f, sizeof(*f), d->tree_memory,
					sizeof(d->tree_memory), c->users,
					c->half_life));
	for (i = 5; i-- > DRIVE_ACCOUNTS;)
		FUZZ_ASSERT(!fair_fairtree_add_account(
			f, i, FAIR_FAIRTREE_ROOT, i - 2));
	for (i = DRIVE_ACCOUNTS; i < 5; i++)
		FUZZ_ASSERT(!fair_fairtree_move(f, i, parent[i]));
	for (i = 0; i < DRIVE_ACCOUNTS; i++) {
		FUZZ_ASSERT(!fair_fairtree_add_user(f, i, parent[i], 1 + i));
		FUZZ_ASSERT(!fair_fairtree_charge(f, i, 0, 9, 100 * i));
	}
	c->tree = f;
}

/* In place of the order by usage, which without a half-life is by dominant share,
 * or of Maui's first come, first served. */
static inline void drive_configure_tree(struct drive *d)
{
	struct fair_config *c = &d->config;

	if ((c->order != FAIR_ORDER_USAGE && c->policy != FAIR_MAUI) ||
	    c->procs % 4 != 1)
		return;
	if (!c->half_life) {
		if (c->order == FAIR_ORDER_USAGE)
			c->order = FAIR_ORDER_DOMINANT;
		return;
	}
	c->order = FAIR_ORDER_TREE;
	c->origin = 10;
	d->maui.priority.component_weight[FAIR_PRIORITY_FAIRSHARE] = 1;
	d->maui.priority.weight[FAIR_PRIORITY_FS_USER] = 3;
	drive_plant(d);
}

static inline void drive_new(struct drive *d, const uint8_t *data, size_t size)
{
	static const int64_t target[DRIVE_ACCOUNTS] = { 0, 5, INT32_MAX };
	static const uint32_t share[DRIVE_ACCOUNTS] = { 1, 3, 0 };
	struct fair_config *c = &d->config;

	memset(d, 0, sizeof(*d));
	d->in.p = data;
	d->in.n = size;
	c->policy = (uint32_t)fuzz_range(&d->in, 0, FAIR_MAUI);
	c->order = (uint32_t)fuzz_range(&d->in, 0, FAIR_ORDER_USAGE);
	if (c->policy == FAIR_CONSERVATIVE || c->policy == FAIR_RELSHARE)
		c->order = FAIR_ORDER_FCFS;
	else if (c->policy == FAIR_PC || c->policy == FAIR_DC)
		c->order %= FAIR_ORDER_LXF;
	c->weight = 7;
	c->half_life = fuzz_range(&d->in, 0, 1) * 500;
	c->procs = (int32_t)fuzz_range(&d->in, 1, 16);
	c->depth = (uint32_t)fuzz_range(&d->in, 1, 4);
	c->origin = -1000;
	c->jobs = DRIVE_JOBS;
	c->accounts = c->users = DRIVE_ACCOUNTS;
	c->target = target;
	c->share = share;
	c->window = 100;
	/* Not so in tests/golden/checkpoints. */
	if (c->policy == FAIR_RELSHARE && c->procs % 4 == 1) {
		c->window_origin = 71;
		c->by_group = c->procs % 8 == 1;
		c->decays = c->half_life != 0;
	}
	if (c->policy == FAIR_RELSHARE)
		c->depth = 1;
	if (c->policy == FAIR_BACKFILL && c->order != FAIR_ORDER_USAGE)
		c->select = (uint32_t)fuzz_range(&d->in, 0, FAIR_NOFIT);
	if (c->policy == FAIR_SFS && c->order == FAIR_ORDER_WIDEST &&
	    c->procs % 4 == 1) /* likewise */
		c->order = FAIR_ORDER_PRIORITY;
	if (c->policy == FAIR_MAUI || c->order == FAIR_ORDER_PRIORITY)
		drive_configure_maui(d);
	drive_configure_tree(d);
	c->advances = (uint32_t)fuzz_range(&d->in, 0, 3);
	c->ineligible = DRIVE_JOBS / 2;
	c->dependencies = 2;
	c->task_limits = c->procs % 4 == 1 ? 2 : 0; /* likewise */
	d->now = c->origin;
	d->bytes = fair_sched_size(c);
	d->memory[0] = (char *)malloc(d->bytes);
	d->memory[1] = (char *)malloc(d->bytes + 1);
	FUZZ_ASSERT(d->bytes && d->memory[0] && d->memory[1]);
	FUZZ_ASSERT(!fair_sched_init(&d->sched[0], sizeof(d->sched[0]),
				     d->memory[0], d->bytes, c));
	d->schedulers = 1;
}

/* Begins again with the processors of a machine of classes. */
static inline void drive_use_machine(struct drive *d,
				     const struct fair_machine_config *machine)
{
	struct fair_config *c = &d->config;
	uint32_t k;

	free(d->memory[0]);
	free(d->memory[1]);
	c->machine = machine;
	for (c->procs = 0, k = 0; k < machine->classes; k++)
		c->procs += machine->amount[k * machine->resources];
	d->bytes = fair_sched_size(c);
	d->memory[0] = (char *)malloc(d->bytes);
	d->memory[1] = (char *)malloc(d->bytes + 1);
	FUZZ_ASSERT(d->bytes && d->memory[0] && d->memory[1]);
	FUZZ_ASSERT(!fair_sched_init(&d->sched[0], sizeof(d->sched[0]),
				     d->memory[0], d->bytes, c));
}

static inline void drive_free(struct drive *d)
{
	free(d->memory[0]);
	free(d->memory[1]);
}

/* A checkpoint of the first scheduler, from malloc(). */
static inline unsigned char *drive_save(const struct drive *d, size_t *bytes)
{
	unsigned char *checkpoint;

	*bytes = fair_sched_checkpoint_size(&d->sched[0]);
	checkpoint = (unsigned char *)malloc(*bytes);
	FUZZ_ASSERT(checkpoint &&
		    !fair_sched_save(&d->sched[0], checkpoint, *bytes));
	return checkpoint;
}

static inline int drive_read_checkpoint(struct drive *d,
					const unsigned char *checkpoint,
					size_t bytes, int *damage)
{
	d->schedulers = 1;
	return fair_sched_load(&d->sched[1], sizeof(d->sched[1]),
			       d->memory[1] + 1, d->bytes, &d->config,
			       checkpoint, bytes, damage);
}

static inline void drive_load(struct drive *d)
{
	size_t bytes;
	unsigned char *checkpoint = drive_save(d, &bytes);
	int damage = -1;

	FUZZ_ASSERT(!drive_read_checkpoint(d, checkpoint, bytes, &damage) &&
		    !damage);
	FUZZ_ASSERT(!fair_sched_check(&d->sched[1]));
	d->schedulers = 2;
	free(checkpoint);
}

/* Draws a live job of @state; UINT64_MAX if there is none. */
static inline uint64_t drive_draw_job(struct drive *d, uint32_t state)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	int64_t n = fuzz_range(&d->in, 0, DRIVE_JOBS - 1);
	uint64_t number = UINT64_MAX;

	while (n-- >= 0 && fair_sched_each(&d->sched[0], state, &at, &j))
		number = j.job.number;
	return number;
}

#define DRIVE_BOTH(d, call)                                                    \
	do {                                                                   \
		int drive_error[2] = { 0, 0 };                                 \
		size_t i;                                                      \
                                                                               \
		for (i = 0; i < (d)->schedulers; i++)                          \
			drive_error[i] = (call);                               \
		FUZZ_ASSERT(i == 1 || drive_error[0] == drive_error[1]);       \
	} while (0)

/* Draws what makes a job ineligible. */
static inline struct fair_eligibility drive_draw_eligibility(struct drive *d)
{
	uint8_t what = fuzz_u8(&d->in);
	struct fair_eligibility u;

	memset(&u, 0, sizeof(u));
	u.begin = d->now - 5 + what % 64;
	u.held = what >= 240;
	u.end = what % 3;
	u.after = drive_draw_job(d, what % 2 ? FAIR_RUNNING : FAIR_INELIGIBLE);
	if (u.after == UINT64_MAX)
		u.end = FAIR_AFTER_NOTHING;
	return u;
}

/* Submits a job, eligible or not; as an array, or in an advance reservation. */
static inline void drive_submit(struct drive *d, struct fair_job *job)
{
	uint8_t what = fuzz_u8(&d->in);
	struct fair_eligibility until;
	struct fair_advance b;

	if (what % 4 == 1)
		job->tasks = what / 32;
	if (what % 4 > 1 &&
	    fair_sched_advance_get(&d->sched[0], what / 8 % 2, &b)) {
		job->advance = b.number;
		job->procs = 1 + job->procs / 8;
		job->walltime = 1 + job->walltime / 4;
	}
	if (what < 192) {
		DRIVE_BOTH(d, fair_sched_submit(&d->sched[i], d->now, job));
		return;
	}
	until = drive_draw_eligibility(d);
	DRIVE_BOTH(d, fair_sched_submit_ineligible(&d->sched[i], d->now, job,
						   &until));
}

/* Lets a job wait for two others, one of them may have ended. */
static inline void drive_depend(struct drive *d, uint64_t number, uint8_t what)
{
	static const uint32_t end[] = { FAIR_AFTER_OK, FAIR_AFTER_ANY,
					FAIR_AFTER_NOT_OK, FAIR_AFTER_START };
	struct fair_dependency on[2];
	struct fair_dependencies list;

	memset(on, 0, sizeof(on));
	on[0].after = drive_draw_job(d, FAIR_INELIGIBLE);
	on[0].end = end[what / 8 % 4];
	on[1].after = drive_draw_job(d, FAIR_QUEUED);
	on[1].end = end[what / 32 % 4];
	on[1].ended = what >= 192 ? FAIR_AFTER_OK : 0;
	list.on = on;
	list.count = 2;
	list.any = what / 16 % 2;
	DRIVE_BOTH(d, fair_sched_depend(&d->sched[i], d->now, number, NULL,
					&list, NULL));
}

/* Of several resources and classes, an advance reservation has some of each. */
static inline void drive_draw_advance(struct drive *d, struct fair_advance *b)
{
	const struct fair_machine_config *m = d->config.machine;
	uint8_t what;
	uint32_t r;

	if (!m || m->classes * m->resources == 1)
		return;
	what = fuzz_u8(&d->in);
	b->node_class = what % m->classes;
	for (r = 1; r < m->resources; r++)
		b->amount[r] = what >> (2 + r) & 3;
	b->procs = b->procs * (what >> 7) % 8;
}

/* Defers, releases or requeues a job, or changes an advance reservation. */
static inline void drive_change_eligibility(struct drive *d)
{
	uint8_t what = fuzz_u8(&d->in);
	uint64_t number = drive_draw_job(d, what % 3);
	struct fair_eligibility until = drive_draw_eligibility(d);
	struct fair_advance b = { 0 };

	b.number = 1 + what / 64;
	b.from = d->now + fuzz_range(&d->in, -3, 60);
	b.to = b.from + fuzz_range(&d->in, 1, 90);
	b.procs = (int32_t)fuzz_range(&d->in, 1, d->config.procs);
	b.kind = what / 4 % 4 ? FAIR_ADVANCE_USER : FAIR_ADVANCE_MAINTENANCE;
	b.user = what;
	drive_draw_advance(d, &b);
	if (what % 8 < 4)
		DRIVE_BOTH(d, fair_sched_advance_reserve(&d->sched[i], d->now,
							 &b, what % 2));
	else if (what % 8 == 4)
		DRIVE_BOTH(d, fair_sched_advance_cancel(&d->sched[i], d->now,
							b.number));
	else if (what % 16 == 15)
		drive_depend(d, number, what);
	else if (what % 8 == 5)
		DRIVE_BOTH(d, fair_sched_requeue(&d->sched[i], d->now, number));
	else
		DRIVE_BOTH(d, fair_sched_defer(&d->sched[i], d->now, number,
					       what < 128 ? &until : NULL));
}

/* Draws amounts and classes for a machine of them. */
static inline void drive_draw_request(struct drive *d, struct fair_job *job,
				      int32_t *amount, uint8_t *classes)
{
	const struct fair_machine_config *m = d->config.machine;
	uint32_t what = fuzz_u8(&d->in), r, i;

	for (r = 0; r < m->resources; r++)
		amount[r] = what >> r & 1 ? fuzz_u8(&d->in) % 4 : 0;
	job->class_count = what / 8 % (m->classes + 1);
	for (i = 0; i < job->class_count; i++)
		classes[i] = (uint8_t)((what / 64 + i) % m->classes);
	job->procs = 1 + job->procs / 3;
	job->amount = what < 200 ? amount : NULL;
	job->classes = classes;
}

static inline void drive_arrive(struct drive *d)
{
	int32_t amount[FAIR_MACHINE_RESOURCES];
	uint8_t classes[FAIR_MACHINE_CLASSES];
	struct fair_job job;

	memset(&job, 0, sizeof(job));
	job.number = d->numbers++ * UINT64_C(0x9e3779b97f4a7c15);
	job.cookie = ~job.number;
	job.submit = d->now - fuzz_range(&d->in, 0, 3);
	job.walltime = fuzz_range(&d->in, 1, 40);
	job.procs = (int32_t)fuzz_range(&d->in, 1, d->config.procs);
	job.user = job.account =
		(uint32_t)fuzz_range(&d->in, 0, DRIVE_ACCOUNTS - 1);
	job.group = job.queue = job.qos = FAIR_THROTTLE_NONE;
	if (d->config.by_group)
		job.group = job.user;
	job.memory = fuzz_range(&d->in, 0, 100);
	job.penalty = fuzz_range(&d->in, 0, 9) << 20;
	if (d->config.machine)
		drive_draw_request(d, &job, amount, classes);
	drive_submit(d, &job);
}

static inline void drive_step(struct drive *d, size_t room)
{
	struct fair_decision start[2][DRIVE_JOBS];
	size_t n[2] = { 0, 0 };

	memset(start, 0, sizeof(start)); /* the padding as well */
	DRIVE_BOTH(d, fair_sched_step(&d->sched[i], d->now, start[i], room,
				      &n[i]));
	FUZZ_ASSERT(d->schedulers == 1 ||
		    (n[0] == n[1] &&
		     !memcmp(start[0], start[1], n[0] * sizeof(start[0][0]))));
}

/* Of a class, or of a pool. */
static inline int drive_capacity(const struct drive *d, struct fair_sched *s,
				 uint32_t node_class, uint32_t resource,
				 int32_t delta)
{
	int error = fair_sched_class_capacity(s, d->now, node_class, resource,
					      delta, NULL, 0);

	return error == -FAIR_EINVAL
		       ? fair_sched_capacity(s, d->now, delta, NULL, 0)
		       : error;
}

static inline void drive_change_capacity(struct drive *d, int32_t delta)
{
	const struct fair_machine_config *m = d->config.machine;
	uint32_t what = m ? fuzz_u8(&d->in) : 0;
	uint32_t node_class = m ? what % m->classes : 0;
	uint32_t resource = m ? what / 16 % m->resources : 0;

	DRIVE_BOTH(d, drive_capacity(d, &d->sched[i], node_class, resource,
				     delta));
}

/* The other resources grow or shrink with the processors. */
static inline int drive_resize(struct fair_sched *s, int64_t now,
			       uint64_t number, int32_t procs)
{
	int32_t amount[FAIR_MACHINE_RESOURCES] = { 0 };
	struct fair_job_status j;
	uint32_t r;
	int error = fair_sched_lookup(s, number, &j);

	if (error)
		return error;
	for (r = 1; j.job.amount && r < s->config.machine->resources; r++)
		amount[r] = j.job.amount[r] * procs / j.job.procs;
	j.job.amount = j.job.amount ? amount : NULL;
	j.job.procs = procs;
	return fair_sched_resize(s, now, number, &j.job);
}

static inline int drive_change_tree_of(const struct drive *d,
				       struct fair_sched *s, uint8_t what)
{
	static const uint32_t shares[] = { 0, 1, 3, FAIR_FAIRTREE_PARENT };
	uint32_t node = what % DRIVE_NODES, share = shares[what / 64];
	uint32_t parent = what / 6 % 4 + DRIVE_ACCOUNTS;

	if (parent == DRIVE_NODES)
		parent = FAIR_FAIRTREE_ROOT;
	switch (what / 8 % 5) {
	case 0:
		return fair_sched_tree_add_account(s, d->now, node, parent,
						   share);
	case 1:
		return fair_sched_tree_add_user(s, d->now, node, parent, share);
	case 2:
		return fair_sched_tree_remove(s, d->now, node);
	case 3:
		return fair_sched_tree_move(s, d->now, node, parent);
	default:
		return fair_sched_tree_set_shares(s, d->now, node, share);
	}
}

static inline void drive_change_tree(struct drive *d)
{
	uint8_t what = fuzz_u8(&d->in);

	DRIVE_BOTH(d, drive_change_tree_of(d, &d->sched[i], what));
}

/* The configuration goes along: checkpoints are loaded with it. */
static inline void drive_change_periods(struct drive *d, uint8_t what,
					int64_t n, uint64_t decay)
{
	struct fair_config *c = &d->config;
	const struct fair_sched *s = &d->sched[0];

	if (what % 8 < 7) {
		DRIVE_BOTH(d, fair_sched_set_half_life(&d->sched[i], d->now,
						       n));
		if (c->order == FAIR_ORDER_TREE)
			FUZZ_ASSERT(!fair_fairtree_set_half_life(
				&d->tree, 0, s->config.half_life, 1, 1));
		c->half_life = s->config.half_life;
		return;
	}
	DRIVE_BOTH(d, fair_sched_set_window(&d->sched[i], d->now, n, decay));
	c->window = s->config.window;
	if (c->policy == FAIR_MAUI) {
		d->maui.interval = s->config.maui->interval;
		d->maui.decay = s->config.maui->decay;
	}
}

/* A waiting job has another user, a task becomes a job of its own, or fewer tasks
 * run at once. */
static inline void drive_change_waiting(struct drive *d, uint8_t what,
					int64_t n)
{
	uint64_t number = drive_draw_job(d, what & 128 ? FAIR_INELIGIBLE
						       : FAIR_QUEUED);
	struct fair_job_status j;

	switch (what / 8 % 3) {
	case 0:
		if (fair_sched_lookup(&d->sched[0], number, &j))
			return;
		j.job.user = j.job.account = (uint64_t)n % DRIVE_ACCOUNTS;
		if (d->config.by_group)
			j.job.group = j.job.user;
		DRIVE_BOTH(d, fair_sched_reassign(&d->sched[i], d->now, number,
						  &j.job));
		break;
	case 1:
		number += (uint64_t)n % 4;
		DRIVE_BOTH(d, fair_sched_split_task(&d->sched[i], d->now,
						    number));
		break;
	default:
		DRIVE_BOTH(d, fair_sched_limit_tasks(&d->sched[i], d->now,
						     number, (uint32_t)n % 4));
	}
}

/* Credits, usage, shares, the half-life, the window: what the policy has not, it
 * refuses. Or jobs that wait. */
static inline void drive_change_rule(struct drive *d, int64_t n)
{
	uint8_t what = fuzz_u8(&d->in);
	uint32_t kind = d->config.policy == FAIR_SFS   ? FAIR_ENTITY_ACCOUNT
			: d->config.by_group ? FAIR_ENTITY_GROUP
					     : FAIR_ENTITY_USER;
	uint32_t id = what / 8 % DRIVE_ACCOUNTS;
	uint64_t decay = d->config.policy == FAIR_MAUI ? FAIR_USAGE_ONE / 2 : 0;

	switch (what % 8) {
	case 0:
		DRIVE_BOTH(d, fair_sched_credit(&d->sched[i], d->now, kind, id,
						(uint64_t)n, what));
		break;
	case 1:
		DRIVE_BOTH(d, fair_sched_set_usage(&d->sched[i], d->now, kind,
						   id, (uint64_t)n));
		break;
	case 2:
	case 3:
		DRIVE_BOTH(d, fair_sched_set_share(&d->sched[i], d->now, kind,
						   id, n % 8));
		break;
	case 4:
		DRIVE_BOTH(d, fair_sched_reset_usage(&d->sched[i], d->now));
		break;
	case 5:
		drive_change_waiting(d, what, n);
		break;
	default:
		drive_change_periods(d, what, n, decay);
	}
}

static inline void drive_change(struct drive *d)
{
	uint64_t number = drive_draw_job(d, fuzz_u8(&d->in) % 2);
	int32_t procs = (int32_t)fuzz_range(&d->in, 1, d->config.procs);
	int64_t walltime = fuzz_range(&d->in, 1, 60);
	int32_t delta = (int32_t)fuzz_range(&d->in, -4, 4);

	switch (fuzz_u8(&d->in) % 4) {
	case 0:
		DRIVE_BOTH(d, fair_sched_modify(&d->sched[i], d->now, number,
						procs, walltime));
		if (delta > 2)
			DRIVE_BOTH(d, fair_sched_set_penalty(
					      &d->sched[i], d->now, number,
					      walltime << 18));
		break;
	case 1:
		if (d->config.order == FAIR_ORDER_TREE && delta > 0)
			drive_change_tree(d);
		else
			DRIVE_BOTH(d, fair_sched_cancel(&d->sched[i], d->now,
							number));
		break;
	case 2:
		DRIVE_BOTH(d, fair_sched_refuse(&d->sched[i], d->now, number));
		if (delta == 4)
			DRIVE_BOTH(d, fair_sched_suspend(&d->sched[i], d->now,
							 number));
		if (delta == 4 && procs % 2)
			DRIVE_BOTH(d, fair_sched_resume_job(&d->sched[i],
							    d->now, number));
		if (delta < 0)
			DRIVE_BOTH(d, drive_resize(&d->sched[i], d->now,
						   number, procs));
		break;
	default:
		/* Not so in tests/golden/checkpoints. */
		if (delta > 2 && d->config.procs % 4 == 1)
			drive_change_rule(d, walltime);
		else
			drive_change_capacity(d, delta);
	}
}

/* Plays one event; the two schedulers still agree. */
static inline void drive_event(struct drive *d)
{
	int what = fuzz_u8(&d->in) % 15;
	uint64_t number;

	if (what > 11) {
		drive_change_eligibility(d);
	} else if (what < 4) {
		drive_arrive(d);
	} else if (what < 7) {
		drive_step(d, DRIVE_JOBS);
		d->now += fuzz_range(&d->in, 0, 20);
	} else if (what < 9) {
		drive_step(d, 1);
	} else if (what < 11) {
		number = drive_draw_job(d, FAIR_RUNNING);
		DRIVE_BOTH(d, fair_sched_exit(&d->sched[i], d->now, number,
					      (int32_t)(d->now % 4)));
	} else {
		drive_change(d);
	}
	FUZZ_ASSERT(d->schedulers == 1 ||
		    (fair_sched_digest(&d->sched[0]) ==
			     fair_sched_digest(&d->sched[1]) &&
		     fair_sched_next(&d->sched[0]) ==
			     fair_sched_next(&d->sched[1])));
}

#endif /* CHECKPOINT_DRIVE_H */
