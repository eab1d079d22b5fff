/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * make.c - draws the conformance suite
 *
 *	cc -I. tests/conformance/make.c -ljansson -o make
 *	./make >tests/conformance/suite.json
 *
 * The sequences depend on nothing but this file and the library.
 */
#include "player.h"

enum { SEQUENCES = 500, ROUNDS = 12, LIVES = 64 };

struct draw {
	uint64_t random;
	struct player player;
	json_t *config, *events;
	int64_t now;
	uint64_t number; /* of the next job */
	uint64_t running[LIVES];
	size_t runs;
	json_int_t suspended; /* the last one */
};

/* splitmix64 */
static uint32_t below(struct draw *d, uint32_t n)
{
	uint64_t x = d->random += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	x ^= x >> 31;
	return (uint32_t)((x >> 32) * n >> 32);
}

/* Records the event with its answer, which the caller may read. */
static const json_t *happen(struct draw *d, json_t *event)
{
	json_t *answer = player_answer(&d->player, event);

	json_array_append_new(event, answer);
	json_array_append_new(d->events, event);
	return answer;
}

static void set(json_t *object, const char *key, int64_t value)
{
	json_object_set_new(object, key, json_integer(value));
}

static bool knows_users(const struct draw *d)
{
	return d->player.config.users > 0;
}

/* The number of a late job, which may be live; at times of one to come. */
static json_int_t some_number(struct draw *d)
{
	uint32_t back = below(d, 8);

	return (json_int_t)(d->number > back ? d->number - back : 1);
}

static json_t *draw_condition(struct draw *d)
{
	json_t *condition = json_object();

	if (below(d, 2))
		set(condition, "begin", d->now + below(d, 60));
	if (below(d, 2)) {
		set(condition, "after", some_number(d));
		set(condition, "end", 1 + below(d, 2));
	}
	if (!below(d, 4))
		json_object_set_new(condition, "held", json_true());
	return condition;
}

static void submit(struct draw *d)
{
	const struct fair_config *c = &d->player.config;
	json_t *job = json_object();

	/* Now and then a number that is live, a machine that is too small. */
	set(job, "number", below(d, 30) ? (int64_t)d->number++ : 1);
	set(job, "submit", d->now);
	set(job, "procs", below(d, 25) ? 1 + below(d, (uint32_t)c->procs / 2)
				       : 1 + below(d, 2u * (uint32_t)c->procs));
	set(job, "walltime", below(d, 40) ? 1 + below(d, 200) : 0);
	if (knows_users(d))
		set(job, "user", below(d, c->users + !below(d, 20)));
	if (c->accounts)
		set(job, "account", below(d, c->accounts));
	if (!below(d, 12)) {
		set(job, "tasks", 2 + below(d, 3));
		d->number += 4;
	}
	if (c->advances && !below(d, 8))
		set(job, "advance", 1 + below(d, 2));
	if (c->machine) {
		json_object_set_new(job, "amount",
				    json_pack("[ii]", 0, (int)below(d, 3)));
		if (below(d, 2))
			json_object_set_new(job, "classes",
					    json_pack("[i]", (int)below(d, 2)));
	}
	happen(d, json_pack("[sIoo]", "submit", (json_int_t)d->now, job,
			    below(d, 8) ? json_null() : draw_condition(d)));
}

static void step(struct draw *d)
{
	const json_t *starts = happen(d, json_pack("[sI]", "step",
						   (json_int_t)d->now));
	size_t i;

	for (i = 0; i < json_array_size(starts) && d->runs < LIVES; i++)
		d->running[d->runs++] = (uint64_t)json_integer_value(
			json_array_get(starts, i));
}

static uint64_t take_running(struct draw *d)
{
	size_t i = below(d, (uint32_t)d->runs);
	uint64_t number = d->running[i];

	d->running[i] = d->running[--d->runs];
	return number;
}

static const json_t *happen_to(struct draw *d, const char *name,
			       json_int_t number)
{
	return happen(d, json_pack("[sII]", name, (json_int_t)d->now, number));
}

/* A job that runs, if there is one, or any. */
static void change_job(struct draw *d, const char *name, bool runs)
{
	if (runs && d->runs && below(d, 10))
		happen_to(d, name, (json_int_t)take_running(d));
	else
		happen_to(d, name, some_number(d));
}

/* Of several jobs that run, and now and then of one twice. */
static void finish_many(struct draw *d, uint32_t n)
{
	json_t *numbers = json_array();
	json_int_t number = some_number(d);

	for (; n && d->runs; n--) {
		number = (json_int_t)take_running(d);
		json_array_append_new(numbers, json_integer(number));
	}
	if (!below(d, 8))
		json_array_append_new(numbers, json_integer(number));
	happen(d, json_pack("[sIo]", "finish_many", (json_int_t)d->now,
			    numbers));
}

/* The last start: until a later second, a time, or a retry. */
static void refuse(struct draw *d)
{
	json_int_t number = (json_int_t)d->running[--d->runs];
	json_int_t until = d->now - 1 + below(d, 60);

	if (below(d, 2))
		happen_to(d, "refuse", number);
	else
		happen(d, json_pack("[sIIo]", "refuse_until",
				    (json_int_t)d->now, number,
				    below(d, 3) ? json_integer(until)
						: json_null()));
}

static void suspend(struct draw *d)
{
	json_int_t number = d->runs ? (json_int_t)take_running(d)
				    : some_number(d);

	happen_to(d, "suspend", number);
	d->suspended = number;
}

static void modify(struct draw *d)
{
	happen(d, json_pack("[sIIII]", "modify", (json_int_t)d->now,
			    some_number(d), (json_int_t)(1 + below(d, 8)),
			    (json_int_t)(1 + below(d, 200))));
}

static void capacity(struct draw *d)
{
	json_t *victims = json_array();

	if (d->runs && below(d, 2))
		json_array_append_new(
			victims, json_integer((json_int_t)take_running(d)));
	happen(d, json_pack("[sIio]", "capacity", (json_int_t)d->now,
			    (int)below(d, 9) - 4, victims));
}

static void reserve(struct draw *d)
{
	int64_t from = d->now + below(d, 100);

	happen(d, json_pack("[sI{sIsIsIsisisi}o]", "reserve",
			    (json_int_t)d->now, "number",
			    (json_int_t)(1 + below(d, 3)), "from",
			    (json_int_t)from, "to",
			    (json_int_t)(from + 1 + below(d, 100)), "procs",
			    (int)(1 + below(d, 8)), "kind", (int)below(d, 2),
			    "class", 0,
			    below(d, 2) ? json_true() : json_false()));
}

static void change(struct draw *d)
{
	switch (below(d, 16)) {
	case 0:
		change_job(d, "cancel", false);
		break;
	case 1:
		modify(d);
		break;
	case 2:
		change_job(d, "requeue", true);
		break;
	case 3:
		suspend(d);
		break;
	case 4:
		happen_to(d, "resume",
			  d->suspended ? d->suspended : some_number(d));
		break;
	case 5:
		capacity(d);
		break;
	case 6:
	case 7:
		if (d->player.config.advances)
			reserve(d);
		break;
	case 8:
		if (d->player.config.advances)
			happen_to(d, "withdraw", 1 + below(d, 3));
		break;
	case 9:
		happen(d, json_pack("[sIIo]", "defer", (json_int_t)d->now,
				    some_number(d),
				    below(d, 2) ? json_null()
						: draw_condition(d)));
		break;
	case 10:
		happen(d, json_pack("[sI]", "step", (json_int_t)(d->now - 5)));
		break;
	case 11:
		happen_to(d, "retry", some_number(d));
		break;
	default:
		break;
	}
}

static void ask(struct draw *d)
{
	static const char *const of_a_job[] = { "status", "estimate", "why" };

	happen(d, json_pack("[sI]", of_a_job[below(d, 3)],
			    some_number(d)));
	switch (below(d, 6)) {
	case 0:
		happen(d, json_pack("[s]", "count"));
		break;
	case 1:
		happen(d, json_pack("[s]", "reload"));
		break;
	case 2:
		if (knows_users(d))
			happen(d, json_pack("[sI]", "usage",
					    (json_int_t)below(d, 5)));
		break;
	default:
		break;
	}
}

/* The second of the next event: often that which the scheduler names. */
static void pass_time(struct draw *d)
{
	const json_t *next = happen(d, json_pack("[s]", "next"));
	const json_t *time = json_array_get(next, 0);

	if (json_is_integer(time) && json_integer_value(time) > d->now &&
	    json_integer_value(time) < d->now + 300 && below(d, 2))
		d->now = json_integer_value(time);
	else
		d->now += below(d, 40);
}

static void play(struct draw *d)
{
	uint32_t round, n;

	for (round = 0; round < ROUNDS; round++) {
		if (!below(d, 3))
			finish_many(d, below(d, 4));
		for (n = below(d, 3); n && d->runs; n--)
			change_job(d, "finish", true);
		change(d);
		for (n = below(d, round < ROUNDS / 2 ? 5 : 2); n; n--)
			submit(d);
		step(d);
		if (d->runs && !below(d, 8)) {
			refuse(d);
			step(d);
		}
		ask(d);
		pass_time(d);
	}
	happen(d, json_pack("[s]", "digest"));
}

/* ---- configurations ---- */

static const struct {
	const char *policy, *order;
	uint32_t depth;
	bool machine;
} kinds[] = {
	{ "fcfs", "fcfs", 0, false },	     { "backfill", "fcfs", 1, false },
	{ "backfill", "sjf", 1, false },     { "backfill", "lxf", 3, false },
	{ "backfill", "usage", 1, false },   { "backfill", "two-term", 2, false },
	{ "conservative", "fcfs", 0, false }, { "pc", "widest", 0, false },
	{ "dc", "fcfs", 0, false },	     { "dc", "narrowest", 0, false },
	{ "sfs", "fcfs", 1, false },	     { "relshare", "fcfs", 0, false },
	{ "backfill", "fcfs", 2, true },     { "conservative", "fcfs", 0, true },
	{ "pc", "ljf", 0, true },	     { "dc", "fcfs", 0, true },
	{ "backfill", "dominant", 1, true }
};

static json_t *configure(struct draw *d, uint32_t i)
{
	const char *policy = kinds[i].policy, *order = kinds[i].order;
	json_t *c = json_pack("{ssss}", "policy", policy, "order", order);

	if (kinds[i].depth)
		set(c, "depth", kinds[i].depth);
	set(c, "procs", 16);
	set(c, "origin", d->now);
	set(c, "jobs", 8 + below(d, 24)); /* a full table grows */
	if (below(d, 2))
		set(c, "patience", below(d, 20));
	if (below(d, 2)) {
		set(c, "advances", 2);
		set(c, "ineligible", player_integer(c, "jobs"));
	} else {
		set(c, "ineligible", below(d, 8));
	}
	if (!strcmp(policy, "sfs")) {
		set(c, "accounts", 3);
		json_object_set_new(c, "target", json_pack("[iii]", 4, 4, 8));
	}
	if (!strcmp(policy, "relshare")) {
		set(c, "users", 3);
		set(c, "window", 300);
		json_object_set_new(c, "share", json_pack("[iii]", 1, 2, 5));
	}
	if (!strcmp(order, "usage") || !strcmp(order, "dominant")) {
		set(c, "users", 4);
		set(c, "half_life", 600);
	}
	if (!strcmp(order, "two-term"))
		set(c, "weight", 10);
	if (kinds[i].machine)
		json_object_set_new(c, "machine",
				    json_pack("{sisis[iiii]}", "resources", 2,
					      "classes", 2, "amount", 10, 0, 6,
					      4));
	return c;
}

/* On a line of its own, so that a difference can be read. */
static void print_sequence(uint32_t i)
{
	uint32_t kind = i % (sizeof(kinds) / sizeof(*kinds));
	struct draw d = { 0 };
	const char *problem;
	char name[64];
	json_t *sequence;

	d.random = i + 1;
	d.number = 1;
	d.now = below(&d, 2) ? 0 : 1000000;
	snprintf(name, sizeof(name), "%s-%s%s-%u", kinds[kind].policy,
		 kinds[kind].order, kinds[kind].machine ? "-classes" : "", i);
	d.config = configure(&d, kind);
	d.events = json_array();
	problem = player_open(&d.player, d.config);
	if (problem) {
		fprintf(stderr, "make: %s: %s\n", name, problem);
		exit(1);
	}
	play(&d);
	player_close(&d.player);
	sequence = json_pack("{sssoso}", "name", name, "config", d.config,
			     "events", d.events);
	json_dumpf(sequence, stdout, JSON_COMPACT);
	json_decref(sequence);
}

int main(void)
{
	static const int errors[] = { FAIR_ENOENT, FAIR_ENOMEM, FAIR_EINVAL,
				      FAIR_ENOSPC, FAIR_ERANGE, FAIR_ETIME,
				      FAIR_EOVERFLOW };
	uint32_t i;

	printf("{\"format\":1,\"errors\":{");
	for (i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		printf("%s\"%d\":\"%s\"", i ? "," : "", errors[i],
		       fair_strerror(errors[i]));
	printf("},\n\"sequences\":[\n");
	for (i = 0; i < SEQUENCES; i++) {
		print_sequence(i);
		printf("%s\n", i + 1 < SEQUENCES ? "," : "");
	}
	printf("]}\n");
	return 0;
}
