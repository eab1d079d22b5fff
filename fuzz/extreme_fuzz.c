/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * extreme_fuzz.c - a scheduler that accepted its events loads what it saved
 *
 * Only the public functions are called, with the largest and smallest values of
 * their types, with the limits of the documentation and their neighbours, and
 * with usual values between. Whatever was accepted: the scheduler is sound, the
 * next instant is not before the present, and a second scheduler, loaded from
 * its checkpoint, gives the same answers from then on. At times the loaded one
 * takes the place of the first, and saves the next checkpoint.
 */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_MINIMA 2
#define FAIRSCHED_IMPLEMENTATION
#include <string.h>

#include "fairsched.h"
#include "fuzz/fuzz.h"

#define IDS 3
#define NODES 6 /* of a tree; the first are its users */
#define JOBS 8

struct play {
	struct fuzz_in in;
	struct fair_config config;
	struct fair_machine_config machine;
	int32_t amount[4];
	struct fair_billing billing;
	struct fair_maui_config maui;
	struct fair_maui_credential credential[IDS];
	struct fair_maui_qos qos[IDS];
	int64_t target[IDS];
	uint32_t share[NODES];
	struct fair_sched sched[2];
	char *memory[2];
	size_t bytes, schedulers;
	uint64_t numbers, scans;
	int64_t now;
};

static const int64_t extremes[] = {
	0,	       INT64_MIN,     INT64_MAX,     INT32_MAX,
	INT32_MIN,     UINT32_MAX,    1LL << 60,     -(1LL << 60),
	1LL << 62,     -(1LL << 62),  1LL << 59,     -(1LL << 59),
	1LL << 58,     1LL << 51,     1LL << 50,     1LL << 40,
	1LL << 39,     1LL << 34,     1LL << 33,     1LL << 32,
	1LL << 31,     1LL << 30,     1LL << 28,     1LL << 20,
	-(1LL << 20),  FAIR_USAGE_HALF_LIFE,	     1000,
	100,
};

/* Draws an extreme or a small number, or a neighbour of one. */
static int64_t draw(struct play *d)
{
	uint8_t what = fuzz_u8(&d->in);
	uint64_t near = what / 64;

	what %= 64;
	if (what < sizeof(extremes) / sizeof(*extremes))
		return (int64_t)((uint64_t)extremes[what] + near - 1);
	return (int64_t)(what - 28 + near);
}

/* Draws a number from [@lo, @hi], seldom one that is not. */
static int64_t draw_in(struct play *d, int64_t lo, int64_t hi)
{
	uint8_t what = fuzz_u8(&d->in);

	if (what >= 224)
		return draw(d);
	return lo + what % (hi - lo + 1);
}

/* The same, but what it draws is valid. */
static int64_t draw_clamped(struct play *d, int64_t lo, int64_t hi)
{
	int64_t x = draw(d);

	return x < lo ? lo : x > hi ? hi : x;
}

/* Draws a time from @lo to @hi seconds after the present, or an extreme. */
static int64_t draw_time(struct play *d, int64_t lo, int64_t hi)
{
	uint8_t what = fuzz_u8(&d->in);

	if (what >= 224)
		return draw(d);
	return d->now > INT64_MAX - 128 || d->now < INT64_MIN + 128
		       ? d->now
		       : d->now + lo + what % (hi - lo + 1);
}

static int64_t key(void *context, const struct fair_job *job)
{
	(void)context;
	return (int64_t)job->cookie;
}

static int compare(void *context, int64_t now, const struct fair_job *a,
		   const struct fair_job *b)
{
	(void)context;
	(void)now;
	return (a->cookie > b->cookie) - (a->cookie < b->cookie);
}

/* Some jobs start at any time, others not before one of their own, or never. */
static int64_t fits(void *context, const struct fair_job *job, int64_t start,
		    int64_t end)
{
	(void)context;
	(void)end;
	if (job->number % 8 < 5)
		return start;
	return job->number % 8 == 5 ? FAIR_FOREVER : (int64_t)job->cookie;
}

static void configure_maui(struct play *d)
{
	struct fair_maui_config *m = &d->maui;
	int i, r, kind;

	*m = fair_maui_defaults();
	m->usage = (uint32_t)draw_clamped(d, 0, FAIR_MAUI_RATE);
	m->windows = (uint32_t)draw_clamped(d, 1, FAIR_USAGE_DEPTH);
	m->interval = draw_clamped(d, 1, INT64_MAX);
	m->decay = (uint64_t)draw_clamped(d, 0, FAIR_USAGE_ONE);
	m->poll = draw_clamped(d, 0, INT64_MAX);
	m->reservations = (uint32_t)draw_clamped(d, 0, FAIR_MAUI_NEVER);
	m->depth = (uint32_t)draw_clamped(d, 0, UINT32_MAX);
	m->select = (uint32_t)draw_clamped(d, 0, FAIR_NOFIT);
	m->machine.memory = draw_clamped(d, 0, 1LL << 40);
	for (i = 0; i < IDS; i++) {
		struct fair_maui_credential *c = d->credential + i;

		*c = fair_maui_credential_defaults();
		c->priority = draw(d);
		r = (int)draw_clamped(d, 0, FAIR_THROTTLE_RESOURCES - 1);
		c->hard[r] = draw_clamped(d, 0, INT64_MAX);
		c->soft[r] = draw_clamped(d, 0, INT64_MAX);
		c->has_target = c->priority & 1;
		c->target.points = draw(d);
		c->target.kind = (enum fair_usage_kind)(fuzz_u8(&d->in) % 4);
	}
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		m->count[kind] = IDS;
		m->credential[kind] = kind ? NULL : d->credential;
	}
	m->priority.weight[FAIR_PRIORITY_USER] = draw(d);
	m->priority.weight[FAIR_PRIORITY_QUEUE_TIME] = draw(d);
	if (d->config.order == FAIR_ORDER_TREE) {
		m->count[FAIR_THROTTLE_USER] = NODES;
		m->credential[FAIR_THROTTLE_USER] = NULL;
	}
}

static void configure_machine(struct play *d)
{
	static const int32_t most[] = { 3, 8, 1, INT32_MAX, 1 << 30, 0 };
	struct fair_config *c = &d->config;
	int i;

	for (i = 0; i < 4; i++)
		d->amount[i] = most[fuzz_u8(&d->in) % 6];
	d->amount[0] = d->amount[0] % 16 + 1;
	d->amount[2] %= 16;
	d->machine.resources = d->machine.classes = 2;
	d->machine.wide = fuzz_u8(&d->in) % 2 * 2U;
	if (d->machine.wide)
		d->amount[3] = 0;
	d->machine.amount = d->amount;
	c->machine = &d->machine;
	c->procs = d->amount[0] + d->amount[2];
	if (fuzz_u8(&d->in) % 2)
		return;
	d->billing.maximum = fuzz_u8(&d->in) % 2;
	d->billing.weight[0] = FAIR_PENALTY_ONE * (1 + fuzz_u8(&d->in) % 4);
	d->billing.weight[1] = draw_clamped(d, 0, 1LL << 50);
	c->billing = &d->billing;
}

static void configure(struct play *d)
{
	struct fair_config *c = &d->config;
	int i;

	c->policy = (uint32_t)fuzz_range(&d->in, 0, FAIR_MAUI);
	c->order = (uint32_t)fuzz_range(&d->in, 0, FAIR_ORDER_RELSHARE);
	c->depth = (uint32_t)draw_clamped(d, 0, 4);
	c->select = (uint32_t)draw_clamped(d, 0, FAIR_NOFIT);
	c->metric = (uint32_t)draw_clamped(d, 0, FAIR_FIT_PROC_SECONDS);
	c->procs = (int32_t)draw_clamped(d, 1, INT32_MAX);
	c->origin = draw_clamped(d, -(1LL << 60), 1LL << 60);
	c->jobs = (uint32_t)fuzz_range(&d->in, 1, JOBS);
	c->ineligible = (uint32_t)fuzz_range(&d->in, 0, c->jobs);
	c->dependencies = (uint32_t)fuzz_range(&d->in, 0, 2);
	c->advances = (uint32_t)fuzz_range(&d->in, 0, 3);
	c->accounts = IDS;
	c->users = c->order == FAIR_ORDER_TREE ? NODES : IDS;
	c->weight = draw_clamped(d, 0, 1LL << 28);
	c->half_life = draw_clamped(d, 0, FAIR_USAGE_HALF_LIFE);
	c->window = draw_clamped(d, 1, INT64_MAX);
	c->window_origin = draw_clamped(d, -(1LL << 62), 1LL << 62);
	i = fuzz_u8(&d->in);
	c->only_used = i & 1;
	c->by_group = i & 2;
	c->by_difference = i & 4;
	c->decays = i & 8;
	c->longest = i & 16;
	c->ids = i & 32 ? 2 : 0;
	c->credits = i & 64 ? 2 : 0;
	c->task_limits = i & 128 ? 2 : 0;
	for (i = 0; i < IDS; i++)
		d->target[i] = draw_clamped(d, 0, INT64_MAX);
	for (i = 0; i < NODES; i++)
		d->share[i] = (uint32_t)draw_clamped(d, 0,
						     FAIR_RELSHARE_SHARES);
	c->target = d->target;
	c->share = d->share;
	c->key = key;
	c->compare = compare;
	c->fits = fuzz_u8(&d->in) % 2 ? fits : NULL;
	if (fuzz_u8(&d->in) % 4 == 0)
		configure_machine(d);
	configure_maui(d);
	c->maui = &d->maui;
}

/* Whether init takes the configuration, at the latest with another order. */
static bool begin(struct play *d)
{
	struct fair_config *c = &d->config;
	uint32_t tries = 0;

	configure(d);
	while (fair_sched_config_error(c) && tries++ <= FAIR_ORDER_RELSHARE)
		c->order = (c->order + 1) % (FAIR_ORDER_RELSHARE + 1);
	d->bytes = fair_sched_size(c);
	if (!d->bytes)
		return false;
	d->memory[0] = (char *)malloc(d->bytes);
	d->memory[1] = (char *)malloc(d->bytes);
	FUZZ_ASSERT(d->memory[0] && d->memory[1]);
	d->now = c->origin;
	d->schedulers = 1;
	return !fair_sched_init(&d->sched[0], sizeof(d->sched[0]), d->memory[0],
				d->bytes, c);
}

/* The second scheduler is loaded, and the first goes on as well. */
static void reload(struct play *d)
{
	size_t bytes = fair_sched_checkpoint_size(&d->sched[0]);
	unsigned char *checkpoint = (unsigned char *)malloc(bytes);
	struct fair_config config;
	int damage = -1;

	FUZZ_ASSERT(checkpoint &&
		    !fair_sched_save(&d->sched[0], checkpoint, bytes));
	FUZZ_ASSERT(!fair_sched_checkpoint_config(checkpoint, bytes, &config,
						  &damage) &&
		    !damage);
	FUZZ_ASSERT(!fair_sched_load(&d->sched[1], sizeof(d->sched[1]),
				     d->memory[1], d->bytes, &d->config,
				     checkpoint, bytes, &damage) &&
		    !damage);
	fair_sched_scan_limit(&d->sched[1], d->scans);
	d->schedulers = 2;
	free(checkpoint);
}

/* The second scheduler becomes the first. */
static void swap(struct play *d)
{
	struct fair_sched s = d->sched[0];
	char *memory = d->memory[0];

	if (d->schedulers < 2)
		return;
	d->sched[0] = d->sched[1];
	d->sched[1] = s;
	d->memory[0] = d->memory[1];
	d->memory[1] = memory;
}

/* Both answer alike; error is 0 if the event happened. */
#define BOTH(d, error, call)                                                   \
	do {                                                                   \
		int answer[2] = { 0, 0 };                                      \
		size_t i;                                                      \
                                                                               \
		for (i = 0; i < (d)->schedulers; i++)                          \
			answer[i] = (call);                                    \
		FUZZ_ASSERT(i == 1 || answer[0] == answer[1]);                 \
		(error) = answer[0];                                           \
	} while (0)

/* Draws the number of a live job; seldom another one. */
static uint64_t draw_number(struct play *d)
{
	uint8_t what = fuzz_u8(&d->in);
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status j;
	uint32_t n = what / 3 % JOBS;
	uint64_t number = 0;

	if (what >= 240)
		return (uint64_t)draw(d);
	do {
		if (!fair_sched_each(&d->sched[0], what % 3, &at, &j))
			break;
		number = j.job.number;
	} while (n--);
	return number;
}

static struct fair_eligibility draw_condition(struct play *d)
{
	struct fair_eligibility c = { 0, 0, 0, false };

	c.begin = draw_time(d, -1, 20);
	c.end = (uint32_t)draw_in(d, 0, FAIR_AFTER_START);
	c.after = draw_number(d);
	c.held = fuzz_u8(&d->in) % 8 == 0;
	return c;
}

/* A list of two, or none; @on: memory for it. */
static struct fair_dependencies draw_list(struct play *d,
					  struct fair_dependency *on)
{
	struct fair_dependencies list = { on, 0, false };
	uint8_t what = fuzz_u8(&d->in);
	int i;

	list.any = what & 1;
	list.count = what / 2 % 3;
	for (i = 0; i < 2; i++) {
		on[i].after = draw_number(d);
		on[i].end = (uint32_t)draw_in(d, 1, FAIR_AFTER_START);
		on[i].ended = (what >> (4 + i)) & 1;
	}
	return list;
}

static void draw_ids(struct play *d, struct fair_job *job)
{
	job->user = (uint64_t)draw_in(d, 0, IDS - 1);
	job->group = (uint64_t)draw_in(d, 0, IDS - 1);
	job->account = (uint64_t)draw_in(d, 0, IDS - 1);
	job->queue = job->qos = job->user;
}

/* @amount, @classes: memory for two each */
static void draw_size(struct play *d, struct fair_job *job, int32_t *amount,
		      uint8_t *classes)
{
	int32_t most = d->config.procs < 9 ? d->config.procs : 9;

	job->procs = (int32_t)draw_in(d, 1, most);
	job->walltime = draw_in(d, 1, 30);
	job->penalty = draw_in(d, 0, 3);
	if (d->config.policy == FAIR_MAUI) {
		job->nodes = (int32_t)draw_in(d, 0, 3);
		job->memory = draw_in(d, 0, 9);
		job->swap = draw_in(d, 0, 9);
		job->disk = draw_in(d, 0, 9);
		job->rate = draw_in(d, 0, 9);
	}
	if (!d->config.machine)
		return;
	amount[0] = job->procs;
	amount[1] = (int32_t)draw_in(d, 0, 3);
	job->amount = amount;
	classes[0] = fuzz_u8(&d->in) % 2;
	classes[1] = !classes[0];
	job->classes = classes;
	job->class_count = fuzz_u8(&d->in) % 3;
}

static int submit(struct play *d)
{
	struct fair_eligibility condition;
	struct fair_dependencies list;
	struct fair_dependency on[2];
	int32_t amount[2];
	uint8_t classes[2], what;
	struct fair_job job;
	int error;

	memset(&job, 0, sizeof(job));
	what = fuzz_u8(&d->in);
	job.number = what % 16 ? ++d->numbers : (uint64_t)draw(d);
	job.cookie = (uint64_t)draw_time(d, -1, 20);
	job.submit = draw_time(d, -3, 0);
	draw_ids(d, &job);
	draw_size(d, &job, amount, classes);
	what = fuzz_u8(&d->in);
	if (what % 4 == 1)
		job.tasks = (uint32_t)draw_in(d, 0, 4);
	if (what % 4 == 2)
		job.advance = (uint64_t)draw_in(d, 0, 3);
	if (what < 192) {
		BOTH(d, error, fair_sched_submit(&d->sched[i], d->now, &job));
		return error;
	}
	condition = draw_condition(d);
	list = draw_list(d, on);
	BOTH(d, error,
	     fair_sched_submit_dependent(&d->sched[i], d->now, &job, &condition,
					 what % 2 ? &list : NULL));
	return error;
}

static int step(struct play *d)
{
	size_t room = fuzz_u8(&d->in) % 4 ? JOBS : 1, n[2] = { 0, 0 };
	struct fair_decision start[2][JOBS];
	int error;

	memset(start, 0, sizeof(start)); /* the padding as well */
	BOTH(d, error,
	     fair_sched_step(&d->sched[i], d->now, start[i], room, &n[i]));
	FUZZ_ASSERT(d->schedulers == 1 ||
		    (n[0] == n[1] &&
		     !memcmp(start[0], start[1], n[0] * sizeof(start[0][0]))));
	return error;
}

/* Time goes on: to the next instant, for some seconds, or far. */
static int64_t draw_now(struct play *d)
{
	uint8_t what = fuzz_u8(&d->in);
	int64_t next = fair_sched_next(&d->sched[0]);

	if (what < 96)
		return d->now;
	if (what < 160)
		return next == FAIR_FOREVER ? d->now : next;
	return what < 248 ? draw_time(d, 0, 15) : draw(d);
}

static int change_advance(struct play *d)
{
	uint8_t what = fuzz_u8(&d->in);
	struct fair_advance b;
	int error;

	memset(&b, 0, sizeof(b));
	b.number = (uint64_t)draw_in(d, 1, 3);
	if (what % 4 == 3) {
		BOTH(d, error,
		     fair_sched_advance_cancel(&d->sched[i], d->now, b.number));
		return error;
	}
	b.from = draw_time(d, -2, 30);
	b.to = draw_time(d, 1, 60);
	b.procs = (int32_t)draw_in(d, 1, 4);
	b.kind = (uint32_t)draw_in(d, 0, FAIR_ADVANCE_USER);
	b.user = (uint32_t)draw(d);
	if (d->config.machine) {
		b.node_class = (uint32_t)draw_in(d, 0, 1);
		b.amount[1] = (int32_t)draw_in(d, 0, 2);
	}
	BOTH(d, error,
	     fair_sched_advance_reserve(&d->sched[i], d->now, &b, what % 2));
	return error;
}

static int change_capacity(struct play *d)
{
	uint64_t victim = draw_number(d);
	int32_t delta = (int32_t)draw_in(d, -3, 3);
	size_t victims = fuzz_u8(&d->in) % 8 == 0;
	uint32_t k, r;
	int error;

	if (!d->config.machine) {
		BOTH(d, error,
		     fair_sched_capacity(&d->sched[i], d->now, delta, &victim,
					 victims));
		return error;
	}
	k = (uint32_t)draw_in(d, 0, 1);
	r = (uint32_t)draw_in(d, 0, 1);
	BOTH(d, error,
	     fair_sched_class_capacity(&d->sched[i], d->now, k, r, delta,
				       &victim, victims));
	return error;
}

static int change_tree(struct play *d, uint8_t what)
{
	uint32_t node = (uint32_t)draw_in(d, 0, NODES - 1);
	uint32_t parent = (uint32_t)draw_in(d, IDS, NODES);
	uint32_t share = (uint32_t)draw_in(d, 0, 9);
	int error;

	if (parent == NODES)
		parent = FAIR_FAIRTREE_ROOT;
	switch (what % 6) {
	case 0:
		BOTH(d, error,
		     fair_sched_tree_add_account(&d->sched[i], d->now, node,
						 parent, share));
		break;
	case 1:
	case 2:
		BOTH(d, error,
		     fair_sched_tree_add_user(&d->sched[i], d->now, node,
					      parent, share));
		break;
	case 3:
		BOTH(d, error,
		     fair_sched_tree_remove(&d->sched[i], d->now, node));
		break;
	case 4:
		BOTH(d, error,
		     fair_sched_tree_move(&d->sched[i], d->now, node, parent));
		break;
	default:
		BOTH(d, error,
		     fair_sched_tree_set_shares(&d->sched[i], d->now, node,
						share));
	}
	return error;
}

/* Another half-life or window; later checkpoints are loaded with it. */
static int change_rule(struct play *d, uint8_t what)
{
	int64_t length = draw(d);
	uint64_t decay = d->config.policy == FAIR_MAUI ? (uint64_t)draw(d) : 0;
	int error;

	if (what & 1) {
		BOTH(d, error,
		     fair_sched_set_half_life(&d->sched[i], d->now, length));
		if (!error)
			d->config.half_life = length;
		return error;
	}
	BOTH(d, error,
	     fair_sched_set_window(&d->sched[i], d->now, length, decay));
	if (!error && d->config.policy == FAIR_RELSHARE)
		d->config.window = length;
	if (!error && d->config.policy != FAIR_RELSHARE) {
		d->maui.interval = length;
		d->maui.decay = decay;
	}
	return error;
}

static int change_entity(struct play *d)
{
	uint8_t what = fuzz_u8(&d->in);
	uint32_t kind = (uint32_t)draw_in(d, 0, FAIR_ENTITY_KINDS - 1);
	uint64_t id = (uint64_t)draw_in(d, 0, IDS - 1);
	int64_t x = draw(d);
	int error;

	switch (what % 8) {
	case 0:
	case 1:
		BOTH(d, error,
		     fair_sched_add_entity(&d->sched[i], d->now, kind, id));
		break;
	case 2:
		BOTH(d, error,
		     fair_sched_remove_entity(&d->sched[i], d->now, kind, id));
		break;
	case 3:
		BOTH(d, error,
		     fair_sched_set_share(&d->sched[i], d->now, kind, id, x));
		break;
	case 4:
		BOTH(d, error,
		     fair_sched_set_usage(&d->sched[i], d->now, kind, id,
					  (uint64_t)x));
		break;
	case 5:
		BOTH(d, error,
		     fair_sched_credit(&d->sched[i], d->now, kind, id,
				       (uint64_t)x, (uint32_t)x));
		break;
	case 6:
		BOTH(d, error, fair_sched_reset_usage(&d->sched[i], d->now));
		break;
	default:
		error = change_rule(d, what / 8);
	}
	return error;
}

/* What a job waits for, belongs to or is charged, or its tasks. */
static int change_waiting(struct play *d)
{
	uint8_t what = fuzz_u8(&d->in);
	uint64_t number = draw_number(d);
	struct fair_eligibility condition;
	struct fair_dependencies list;
	struct fair_dependency on[2];
	struct fair_job ids;
	int64_t x;
	int error;

	memset(&ids, 0, sizeof(ids));
	switch (what % 8) {
	case 0:
		condition = draw_condition(d);
		list = draw_list(d, on);
		BOTH(d, error,
		     fair_sched_depend(&d->sched[i], d->now, number,
				       what & 8 ? &condition : NULL,
				       what & 16 ? &list : NULL, NULL));
		break;
	case 1:
		draw_ids(d, &ids);
		BOTH(d, error,
		     fair_sched_reassign(&d->sched[i], d->now, number, &ids));
		break;
	case 2:
		x = draw(d);
		BOTH(d, error,
		     fair_sched_set_penalty(&d->sched[i], d->now, number, x));
		break;
	case 3:
		number += (uint64_t)draw_in(d, 0, 3);
		BOTH(d, error,
		     fair_sched_split_task(&d->sched[i], d->now, number));
		break;
	case 4:
		x = draw_in(d, 0, 3);
		BOTH(d, error,
		     fair_sched_limit_tasks(&d->sched[i], d->now, number,
					    (uint32_t)x));
		break;
	case 5:
		BOTH(d, error,
		     fair_sched_reprioritize(&d->sched[i], d->now, number));
		break;
	case 6:
		BOTH(d, error, fair_sched_retry(&d->sched[i], d->now, number));
		break;
	default:
		BOTH(d, error,
		     fair_sched_resume_job(&d->sched[i], d->now, number));
	}
	return error;
}

/* A job has another size, ends, or leaves the machine. */
static int change_job(struct play *d)
{
	uint8_t what = fuzz_u8(&d->in);
	uint64_t number = draw_number(d);
	int32_t amount[2];
	uint8_t classes[2];
	struct fair_job job;
	int error;

	memset(&job, 0, sizeof(job));
	switch (what % 8) {
	case 0:
		draw_size(d, &job, amount, classes);
		BOTH(d, error,
		     fair_sched_modify(&d->sched[i], d->now, number, job.procs,
				       job.walltime));
		break;
	case 1:
		draw_size(d, &job, amount, classes);
		BOTH(d, error,
		     fair_sched_resize(&d->sched[i], d->now, number, &job));
		break;
	case 2:
		BOTH(d, error,
		     fair_sched_suspend(&d->sched[i], d->now, number));
		break;
	case 3:
		BOTH(d, error,
		     fair_sched_requeue(&d->sched[i], d->now, number));
		break;
	case 4:
		BOTH(d, error, fair_sched_refuse(&d->sched[i], d->now, number));
		break;
	case 5:
		BOTH(d, error, fair_sched_cancel(&d->sched[i], d->now, number));
		break;
	default:
		BOTH(d, error,
		     fair_sched_exit(&d->sched[i], d->now, number, what / 128));
	}
	return error;
}

/*
 * Not under dc: a loaded one scans each job once more (D1), and pauses where the
 * other does not. tests/sched/unfinished_remake_test.c limits its scans.
 */
static int limit_scans(struct play *d)
{
	int error;
	size_t k;

	d->scans = fuzz_u8(&d->in) % 4;
	if (d->config.policy == FAIR_DC)
		d->scans = 0;
	for (k = 0; k < d->schedulers; k++)
		fair_sched_scan_limit(&d->sched[k], d->scans);
	BOTH(d, error, fair_sched_resume(&d->sched[i]));
	return error;
}

static void play_event(struct play *d)
{
	int error;

	d->now = draw_now(d);
	switch (fuzz_u8(&d->in) % 16) {
	case 0:
	case 1:
	case 2:
	case 3:
		error = submit(d);
		break;
	case 4:
	case 5:
	case 6:
	case 7:
		error = step(d);
		break;
	case 8:
		error = change_advance(d);
		break;
	case 9:
		error = change_capacity(d);
		break;
	case 10:
		error = d->config.order == FAIR_ORDER_TREE
				? change_tree(d, fuzz_u8(&d->in))
				: change_entity(d);
		break;
	case 11:
		error = change_entity(d);
		break;
	case 12:
		error = change_waiting(d);
		break;
	case 13:
	case 14:
		error = change_job(d);
		break;
	default:
		error = limit_scans(d);
	}
	(void)error;
	d->now = d->sched[0].now; /* also a refused event can pass time */
}

/* Whether both are sound, and agree. */
static void compare_both(const struct play *d)
{
	int64_t next = fair_sched_next(&d->sched[0]);
	size_t i;

	FUZZ_ASSERT(next >= d->now);
	for (i = 0; i < d->schedulers; i++)
		FUZZ_ASSERT(!fair_sched_check(&d->sched[i]));
	FUZZ_ASSERT(d->schedulers == 1 ||
		    (fair_sched_digest(&d->sched[0]) ==
			     fair_sched_digest(&d->sched[1]) &&
		     fair_sched_next(&d->sched[1]) == next));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct play d;
	uint8_t what;

	memset(&d, 0, sizeof(d));
	d.in.p = data;
	d.in.n = size;
	if (begin(&d)) {
		while (fuzz_more(&d.in)) {
			what = fuzz_u8(&d.in);
			if (what % 4 == 0)
				reload(&d);
			if (what >= 192)
				swap(&d);
			play_event(&d);
			compare_both(&d);
		}
		reload(&d);
		compare_both(&d);
	}
	free(d.memory[0]);
	free(d.memory[1]);
	return 0;
}
