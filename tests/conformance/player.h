/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * player.h - plays the events of the conformance suite, which are JSON, on the
 * library; README.md beside it says what they mean
 */
#ifndef PLAYER_H
#define PLAYER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"

enum { PLAYER_USERS = 8, PLAYER_AMOUNTS = 16, PLAYER_STARTS = 64 };

struct player {
	struct fair_sched sched;
	struct fair_config config;
	struct fair_machine_config machine;
	int64_t target[PLAYER_USERS];
	uint32_t share[PLAYER_USERS];
	int32_t amount[PLAYER_AMOUNTS];
	void *memory;
	size_t bytes;
};

/* A time; null is FAIR_FOREVER. */
static json_t *player_time(int64_t time)
{
	return time == FAIR_FOREVER ? json_null() : json_integer(time);
}

static int64_t player_integer(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static const char *player_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* The list of integers, up to @room; how many there are. */
static size_t player_list(const json_t *list, int64_t *value, size_t room)
{
	size_t n = json_array_size(list), i;

	for (i = 0; i < n && i < room; i++)
		value[i] = json_integer_value(json_array_get(list, i));
	return n < room ? n : room;
}

static void player_open_machine(struct player *p, const json_t *machine)
{
	int64_t value[PLAYER_AMOUNTS];
	size_t n, i;

	if (!machine)
		return;
	p->machine.resources = (uint32_t)player_integer(machine, "resources");
	p->machine.classes = (uint32_t)player_integer(machine, "classes");
	p->machine.wide = (uint32_t)player_integer(machine, "wide");
	n = player_list(json_object_get(machine, "amount"), value,
			PLAYER_AMOUNTS);
	for (i = 0; i < n; i++)
		p->amount[i] = (int32_t)value[i];
	p->machine.amount = p->amount;
	p->config.machine = &p->machine;
}

/* NULL, or what is wrong with the configuration; player_close() in any case. */
static const char *player_open(struct player *p, const json_t *config)
{
	struct fair_config *c = &p->config;
	int64_t share[PLAYER_USERS];
	size_t n, i;

	memset(p, 0, sizeof(*p));
	c->policy = (uint32_t)fair_policy_by_name(player_text(config, "policy"));
	c->order = (uint32_t)fair_order_by_name(player_text(config, "order"));
	c->depth = (uint32_t)player_integer(config, "depth");
	c->procs = (int32_t)player_integer(config, "procs");
	c->origin = player_integer(config, "origin");
	c->jobs = (uint32_t)player_integer(config, "jobs");
	c->ineligible = (uint32_t)player_integer(config, "ineligible");
	c->advances = (uint32_t)player_integer(config, "advances");
	c->accounts = (uint32_t)player_integer(config, "accounts");
	c->users = (uint32_t)player_integer(config, "users");
	c->weight = player_integer(config, "weight");
	c->half_life = player_integer(config, "half_life");
	c->window = player_integer(config, "window");
	c->patience = player_integer(config, "patience");
	if (!c->patience && json_object_get(config, "patience"))
		c->patience = FAIR_PATIENCE_NONE;
	if (player_list(json_object_get(config, "target"), p->target,
			PLAYER_USERS))
		c->target = p->target;
	n = player_list(json_object_get(config, "share"), share, PLAYER_USERS);
	for (i = 0; i < n; i++)
		p->share[i] = (uint32_t)share[i];
	if (n)
		c->share = p->share;
	player_open_machine(p, json_object_get(config, "machine"));
	p->bytes = fair_sched_size(c);
	if (!p->bytes)
		return fair_sched_config_error(c);
	p->memory = malloc(p->bytes);
	if (!p->memory ||
	    fair_sched_init(&p->sched, sizeof(p->sched), p->memory, p->bytes, c))
		return "the scheduler cannot be opened";
	return NULL;
}

static void player_close(struct player *p)
{
	free(p->memory);
}

/* What a job asks for; the arrays belong to the caller. */
static struct fair_job player_job(const json_t *object, int32_t *amount,
				  uint8_t *node_class)
{
	int64_t value[PLAYER_AMOUNTS];
	struct fair_job job = { 0 };
	size_t n, i;

	job.number = (uint64_t)player_integer(object, "number");
	job.submit = player_integer(object, "submit");
	job.procs = (int32_t)player_integer(object, "procs");
	job.walltime = player_integer(object, "walltime");
	job.user = (uint64_t)player_integer(object, "user");
	job.account = (uint64_t)player_integer(object, "account");
	job.tasks = (uint32_t)player_integer(object, "tasks");
	job.advance = (uint64_t)player_integer(object, "advance");
	n = player_list(json_object_get(object, "amount"), value,
			FAIR_MACHINE_RESOURCES);
	for (i = 0; i < n; i++)
		amount[i] = (int32_t)value[i];
	if (n)
		job.amount = amount;
	n = player_list(json_object_get(object, "classes"), value,
			PLAYER_AMOUNTS);
	for (i = 0; i < n; i++)
		node_class[i] = (uint8_t)value[i];
	job.classes = n ? node_class : NULL;
	job.class_count = (uint32_t)n;
	return job;
}

static struct fair_eligibility player_condition(const json_t *object)
{
	struct fair_eligibility condition = { INT64_MIN, 0, 0, false };

	if (json_object_get(object, "begin"))
		condition.begin = player_integer(object, "begin");
	condition.after = (uint64_t)player_integer(object, "after");
	condition.end = (uint32_t)player_integer(object, "end");
	condition.held = json_is_true(json_object_get(object, "held"));
	return condition;
}

/* Submits to a copy with twice the jobs, which stays if it takes the job. */
static int player_grow(struct player *p, int64_t now, const struct fair_job *job,
		       const struct fair_eligibility *condition)
{
	struct fair_config c = p->config;
	struct fair_sched grown = p->sched;
	size_t bytes;
	void *memory;
	int error;

	c.jobs *= 2;
	bytes = fair_sched_grow_size(&grown, &c);
	memory = malloc(bytes);
	error = fair_sched_grow(&grown, memory, bytes, &c);
	if (!error)
		error = fair_sched_submit_ineligible(&grown, now, job,
						     condition);
	if (error) {
		free(memory);
		return error;
	}
	free(p->memory);
	p->memory = memory;
	p->bytes = bytes;
	p->config = c;
	p->sched = grown;
	return 0;
}

static json_t *player_submit(struct player *p, int64_t now,
			     const json_t *event)
{
	int32_t amount[FAIR_MACHINE_RESOURCES] = { 0 };
	uint8_t node_class[PLAYER_AMOUNTS] = { 0 };
	struct fair_job job = player_job(json_array_get(event, 2), amount,
					 node_class);
	const json_t *wait = json_array_get(event, 3);
	struct fair_eligibility condition = player_condition(wait);

	const struct fair_eligibility *until =
		json_is_object(wait) ? &condition : NULL;
	int error = fair_sched_submit_ineligible(&p->sched, now, &job, until);
	const char *why = NULL;

	if (error == -FAIR_ENOSPC)
		error = player_grow(p, now, &job, until);
	if (error)
		why = fair_sched_job_error(&p->sched, now, &job);
	return why ? json_pack("[is]", -error, why) : json_integer(-error);
}

static int player_finish_many(struct player *p, int64_t now,
			      const json_t *event)
{
	int64_t value[PLAYER_USERS];
	uint64_t number[PLAYER_USERS];
	size_t n, i;

	n = player_list(json_array_get(event, 2), value, PLAYER_USERS);
	for (i = 0; i < n; i++)
		number[i] = (uint64_t)value[i];
	return fair_sched_finish_many(&p->sched, now, number, NULL, n);
}

static int player_refuse_until(struct player *p, int64_t now, uint64_t number,
			       const json_t *time)
{
	return fair_sched_refuse_until(&p->sched, now, number,
				       json_is_null(time)
					       ? FAIR_FOREVER
					       : json_integer_value(time));
}

static int player_defer(struct player *p, int64_t now, uint64_t number,
			const json_t *wait)
{
	struct fair_eligibility condition = player_condition(wait);

	return fair_sched_defer(&p->sched, now, number,
				json_is_object(wait) ? &condition : NULL);
}

static int player_capacity(struct player *p, int64_t now, const json_t *event)
{
	int64_t value[PLAYER_USERS];
	uint64_t victim[PLAYER_USERS];
	size_t n, i;

	n = player_list(json_array_get(event, 3), value, PLAYER_USERS);
	for (i = 0; i < n; i++)
		victim[i] = (uint64_t)value[i];
	return fair_sched_capacity(
		&p->sched, now,
		(int32_t)json_integer_value(json_array_get(event, 2)), victim,
		n);
}

static int player_reserve(struct player *p, int64_t now, const json_t *event)
{
	const json_t *object = json_array_get(event, 2);
	struct fair_advance advance = { 0 };

	advance.number = (uint64_t)player_integer(object, "number");
	advance.from = player_integer(object, "from");
	advance.to = player_integer(object, "to");
	advance.procs = (int32_t)player_integer(object, "procs");
	advance.kind = (uint32_t)player_integer(object, "kind");
	advance.node_class = (uint32_t)player_integer(object, "class");
	return fair_sched_advance_reserve(
		&p->sched, now, &advance,
		json_is_true(json_array_get(event, 3)));
}

static json_t *player_step(struct player *p, int64_t now)
{
	struct fair_decision start[PLAYER_STARTS];
	json_t *starts = json_array();
	size_t n, i;
	int error;

	do {
		error = fair_sched_step(&p->sched, now, start, PLAYER_STARTS,
					&n);
		for (i = 0; !error && i < n; i++)
			json_array_append_new(
				starts,
				json_integer((json_int_t)start[i].number));
	} while (!error && n == PLAYER_STARTS);
	if (!error)
		return starts;
	json_decref(starts);
	return json_integer(-error);
}

static json_t *player_status(const struct player *p, uint64_t number)
{
	struct fair_job_status status;
	int error = fair_sched_lookup(&p->sched, number, &status);

	if (error)
		return json_integer(-error);
	return json_pack("{sssoss sIsI}", "state",
			 fair_state_name(status.state), "start",
			 player_time(status.start), "cause",
			 fair_cause_name(status.cause), "moves",
			 (json_int_t)status.moves, "class",
			 (json_int_t)status.node_class);
}

static json_t *player_estimate(const struct player *p, uint64_t number)
{
	size_t bytes = fair_sched_fst_size(&p->config);
	void *memory = malloc(bytes);
	int64_t start = 0;
	int error = memory ? fair_sched_estimate(&p->sched, number, memory,
						 bytes, &start)
			   : -FAIR_ENOMEM;

	free(memory);
	/* A number of its own would look like an error. */
	return error ? json_integer(-error) : json_pack("[o]", player_time(start));
}

static json_t *player_why(const struct player *p, uint64_t number)
{
	size_t bytes = fair_sched_fst_size(&p->config);
	void *memory = malloc(bytes);
	struct fair_why why;
	char text[4096];
	int error = memory ? fair_sched_why(&p->sched, number, memory, bytes,
					    &why)
			   : -FAIR_ENOMEM;

	free(memory);
	if (error)
		return json_integer(-error);
	fair_why_text(&why, text, sizeof(text));
	return json_string(text);
}

/* Save, and go on from what was saved, elsewhere in memory. */
static json_t *player_reload(struct player *p)
{
	size_t bytes = fair_sched_checkpoint_size(&p->sched);
	void *checkpoint = malloc(bytes), *memory = malloc(p->bytes);
	int error = checkpoint && memory
			    ? fair_sched_save(&p->sched, checkpoint, bytes)
			    : -FAIR_ENOMEM;

	if (!error) {
		memset(p->memory, 0xff, p->bytes);
		free(p->memory);
		p->memory = memory;
		memory = NULL;
		error = fair_sched_load(&p->sched, sizeof(p->sched), p->memory,
					p->bytes, &p->config, checkpoint, bytes,
					NULL);
	}
	free(checkpoint);
	free(memory);
	return json_integer(-error);
}

static json_t *player_digest(const struct player *p)
{
	char text[17];

	snprintf(text, sizeof(text), "%016llx",
		 (unsigned long long)fair_sched_digest(&p->sched));
	return json_string(text);
}

static json_t *player_count(const struct player *p)
{
	return json_pack("[III]",
			 (json_int_t)fair_sched_count(&p->sched, FAIR_QUEUED),
			 (json_int_t)fair_sched_count(&p->sched, FAIR_RUNNING),
			 (json_int_t)fair_sched_count(&p->sched,
						      FAIR_INELIGIBLE));
}

static json_t *player_usage(const struct player *p, uint64_t user)
{
	struct fair_entity entity;
	int error = fair_sched_get_entity(&p->sched, FAIR_ENTITY_USER, user,
					  &entity);

	return error ? json_integer(-error)
		     : json_pack("[I]", (json_int_t)entity.usage);
}

/* The answer to a query; NULL: @name is none. */
static json_t *player_ask(struct player *p, const char *name, uint64_t number)
{
	if (!strcmp(name, "next"))
		return json_pack("[oo]",
				 player_time(fair_sched_next(&p->sched)),
				 player_time(fair_sched_next_start(&p->sched)));
	if (!strcmp(name, "status"))
		return player_status(p, number);
	if (!strcmp(name, "estimate"))
		return player_estimate(p, number);
	if (!strcmp(name, "why"))
		return player_why(p, number);
	if (!strcmp(name, "count"))
		return player_count(p);
	if (!strcmp(name, "usage"))
		return player_usage(p, number);
	if (!strcmp(name, "reload"))
		return player_reload(p);
	if (!strcmp(name, "digest"))
		return player_digest(p);
	return NULL;
}

/* The error of an event at @now that names a job. */
static int player_change(struct player *p, const char *name, int64_t now,
			 uint64_t number, const json_t *event)
{
	static const struct {
		const char *name;
		int (*change)(struct fair_sched *s, int64_t now,
			      uint64_t number);
	} change[] = { { "finish", fair_sched_finish },
		       { "cancel", fair_sched_cancel },
		       { "requeue", fair_sched_requeue },
		       { "suspend", fair_sched_suspend },
		       { "resume", fair_sched_resume_job },
		       { "refuse", fair_sched_refuse },
		       { "retry", fair_sched_retry },
		       { "withdraw", fair_sched_advance_cancel } };
	size_t i;

	for (i = 0; i < sizeof(change) / sizeof(*change); i++)
		if (!strcmp(name, change[i].name))
			return change[i].change(&p->sched, now, number);
	if (!strcmp(name, "defer"))
		return player_defer(p, now, number, json_array_get(event, 3));
	if (!strcmp(name, "refuse_until"))
		return player_refuse_until(p, now, number,
					   json_array_get(event, 3));
	if (!strcmp(name, "modify"))
		return fair_sched_modify(
			&p->sched, now, number,
			(int32_t)json_integer_value(json_array_get(event, 3)),
			json_integer_value(json_array_get(event, 4)));
	fprintf(stderr, "player: there is no event %s\n", name);
	exit(2);
}

/* The answer to an event, of which no more than its arguments is read. */
static json_t *player_answer(struct player *p, const json_t *event)
{
	const char *name = json_string_value(json_array_get(event, 0));
	int64_t now = json_integer_value(json_array_get(event, 1));
	uint64_t number = (uint64_t)json_integer_value(json_array_get(event, 2));
	json_t *answer = player_ask(p, name, (uint64_t)now);

	if (answer)
		return answer;
	if (!strcmp(name, "step"))
		return player_step(p, now);
	if (!strcmp(name, "submit"))
		return player_submit(p, now, event);
	if (!strcmp(name, "finish_many"))
		return json_integer(-player_finish_many(p, now, event));
	if (!strcmp(name, "capacity"))
		return json_integer(-player_capacity(p, now, event));
	if (!strcmp(name, "reserve"))
		return json_integer(-player_reserve(p, now, event));
	return json_integer(-player_change(p, name, now, number, event));
}

#endif /* PLAYER_H */
