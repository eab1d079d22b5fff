/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * portable.c - one trace under every policy and order, saved and loaded on the
 * way, a ledger and prices: the same lines on every machine. tools/portability.sh compiles and compares.
 *
 * It is a kernel's program (docs/examples/kernel/start.h), or with HOSTED one
 * of the C library. In C++, too.
 */
#ifndef FAIRSCHED_SPLIT /* else the implementation is in another unit */
#define FAIRSCHED_IMPLEMENTATION
#endif
#include "fairsched.h"

#ifdef HOSTED
#include <inttypes.h>
#include <stdio.h>
static void line(const char *what, uint64_t a, uint64_t b, uint64_t value)
{
	printf("%s %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", what, a, b,
	       value);
}
#else
#include "docs/examples/kernel/start.h"
static void line(const char *what, uint64_t a, uint64_t b, uint64_t value)
{
	put(what);
	put(" ");
	put_number(a, 10, 1, ' ');
	put(" ");
	put_number(b, 10, 1, ' ');
	put(" ");
	put_number(value, 16, 16, '0');
	put("\n");
}
#endif

#define JOBS 200
#define USERS 4
#define BYTES 400000

static unsigned char memory[2][BYTES];
static struct fair_job job[JOBS];
static int64_t run[JOBS], ends[JOBS];

/* splitmix64, uniform enough below n. */
static uint64_t random_below(uint64_t *state, uint64_t n)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (z ^ (z >> 31)) % n;
}

static uint64_t fnv(uint64_t hash, uint64_t value)
{
	int i;

	for (i = 0; i < 64; i += 8)
		hash = (hash ^ (value >> i & 255)) * UINT64_C(1099511628211);
	return hash;
}

/* Widths and walltimes over three decades, a third of the jobs overrun. */
static void make_trace(void)
{
	uint64_t state = 1;
	int64_t now = 0;
	uint32_t i;

	for (i = 0; i < JOBS; i++) {
		now += (int64_t)random_below(&state, 120);
		job[i].number = i;
		job[i].submit = now;
		job[i].walltime = 1 + (int64_t)random_below(
			&state, UINT64_C(1) << random_below(&state, 13));
		job[i].procs = 1 + (int32_t)random_below(
			&state, UINT64_C(1) << random_below(&state, 7));
		job[i].user = job[i].account =
			(uint32_t)random_below(&state, USERS);
		job[i].group = job[i].queue = job[i].qos = FAIR_THROTTLE_NONE;
		run[i] = (int64_t)random_below(
			&state, (uint64_t)job[i].walltime * 3 / 2 + 1);
	}
}

static int report(struct fair_sched *s, int64_t now)
{
	uint32_t i;
	int error = 0;

	for (i = 0; i < JOBS; i++)
		if (ends[i] == now) {
			error |= fair_sched_finish(s, now, i);
			ends[i] = -1;
		}
	for (i = 0; i < JOBS; i++)
		if (job[i].submit == now)
			error |= fair_sched_submit(s, now, job + i);
	return error;
}

static int64_t later(const struct fair_sched *s, int64_t now)
{
	int64_t next = fair_sched_next(s);
	uint32_t i;

	for (i = 0; i < JOBS; i++) {
		if (job[i].submit > now && job[i].submit < next)
			next = job[i].submit;
		if (ends[i] >= 0 && ends[i] < next)
			next = ends[i];
	}
	return next > now ? next : now + 1;
}

/* What another machine would load, and a hash of the bytes. */
static int move(struct fair_sched *to, void *to_memory,
		const struct fair_config *config, const struct fair_sched *from,
		uint64_t *hash)
{
	static unsigned char checkpoint[JOBS * 200 + 4096];
	size_t n = fair_sched_checkpoint_size(from), i;

	if (n > sizeof(checkpoint) || fair_sched_save(from, checkpoint, n))
		return __LINE__;
	for (i = 0; i < n; i++)
		*hash = fnv(*hash, checkpoint[i]);
	return fair_sched_load(to, sizeof(*to), to_memory, BYTES, config,
			       checkpoint, n, NULL);
}

/* The whole trace; a job of run 0 ends at the next second. */
static int play(const struct fair_config *config)
{
	static struct fair_sched both[2];
	struct fair_sched *s = both;
	uint64_t checkpoints = 0;
	struct fair_decision d;
	uint32_t i, started = 0;
	int64_t now;
	size_t n;
	int error = fair_sched_init(s, sizeof(*s), memory[0], BYTES, config);

	for (i = 0; i < JOBS; i++)
		ends[i] = -1;
	for (now = 0; !error && started < JOBS; now = later(s, now)) {
		if (report(s, now))
			return __LINE__;
		while (!fair_sched_step(s, now, &d, 1, &n) && n) {
			ends[d.number] = now + run[d.number] +
					 (run[d.number] == 0);
			started++;
		}
		if (now > INT64_C(1) << 40)
			return __LINE__;
		if (started % 20 == 0) {
			i = s == both; /* to the other one */
			error = move(both + i, memory[i], config, s,
				     &checkpoints);
			s = both + i;
		}
	}
	if (error || (error = fair_sched_check(s)) != 0)
		return error;
	line("policy", config->policy, config->order, fair_sched_digest(s));
	line("checkpoints", config->policy, config->order, checkpoints);
	return 0;
}

/* Users by usage of the last hours and by expansion factor, within limits. */
static const struct fair_maui_config *make_maui(void)
{
	static struct fair_maui_credential user[USERS];
	static struct fair_maui_config maui;
	uint32_t i;

	for (i = 0; i < USERS; i++) {
		user[i] = fair_maui_credential_defaults();
		user[i].soft[FAIR_THROTTLE_PROCS] = 24;
		user[i].hard[FAIR_THROTTLE_PROCS] = 64;
	}
	maui = fair_maui_defaults();
	maui.usage = FAIR_MAUI_PROCS;
	maui.priority.weight[FAIR_PRIORITY_XFACTOR] = 100;
	maui.count[FAIR_THROTTLE_USER] = maui.count[FAIR_THROTTLE_ACCOUNT] =
		USERS;
	maui.credential[FAIR_THROTTLE_USER] = user;
	maui.credential[FAIR_THROTTLE_ACCOUNT] = user;
	return &maui;
}

/* Every policy and order that there is. */
static int schedules(void)
{
	static const int64_t target[USERS] = { 0, 8, 16, 64 };
	static struct fair_config config;
	uint32_t played = 0;
	int error;

	config.procs = 64;
	config.jobs = JOBS;
	config.users = config.accounts = USERS;
	config.depth = 1;
	config.target = target;
	config.window = 5000;
	config.maui = make_maui();
	for (config.policy = 0; config.policy < 32; config.policy++)
		for (config.order = 0; config.order < 32; config.order++) {
			if (!fair_sched_size(&config))
				continue;
			error = play(&config);
			if (error)
				return error;
			played++;
		}
	return played < 20 ? __LINE__ : 0;
}

/* Half-lives, the products of 128 bits, and the checkpoint. */
static int ledger(void)
{
	static unsigned char checkpoint[4096];
	static struct fair_usage u;
	uint64_t state = 2, hash = 0, whole, fraction;
	int64_t t = 0, points;
	size_t i, n;

	if (fair_usage_init_half_life(&u, sizeof(u), memory[0], BYTES, USERS, 1, 1,
				      86400))
		return __LINE__;
	for (i = 0; i < 1000; i++) {
		uint32_t user = (uint32_t)random_below(&state, USERS);
		int64_t from = t;

		t += (int64_t)random_below(&state, 5000);
		if (fair_usage_charge(&u, user, from, t,
				      (int64_t)random_below(&state, 1 << 20)) ||
		    fair_usage_at(&u, user, t + 1, &whole, &fraction) ||
		    fair_usage_share(&u, user, t + 1, &points))
			return __LINE__;
		hash = fnv(fnv(fnv(hash, whole), fraction), (uint64_t)points);
	}
	line("usage", USERS, 1000, hash);
	n = fair_usage_checkpoint_size(&u);
	if (n > sizeof(checkpoint) || fair_usage_save(&u, checkpoint, n))
		return __LINE__;
	for (hash = i = 0; i < n; i++)
		hash = fnv(hash, checkpoint[i]);
	line("usage-checkpoint", USERS, n, hash);
	return 0;
}

static int prices(void)
{
	static const int64_t node[2] = { 12, INT64_C(98304000001) };
	static const struct fair_penalty_class nodes = {
		100, FAIR_PENALTY_ONE, FAIR_PENALTY_ONE, 0, node
	};
	static struct fair_penalty_machine m;
	uint64_t state = 3, hash = 0;
	int64_t request[2], penalty;
	struct fair_penalty_chunk chunk = { 1, 0, 0, 0, 0, request };
	uint32_t i;

	if (fair_penalty_init(&m, sizeof(m), memory[0], BYTES, &nodes, 1, 2, NULL))
		return __LINE__;
	for (i = 0; i < 1000; i++) {
		request[0] = 1 + (int64_t)random_below(&state, 12);
		request[1] = (int64_t)random_below(&state,
						   UINT64_C(98304000001));
		if (fair_penalty(&m, &chunk, 1, FAIR_PENALTY_ONE, &penalty))
			return __LINE__;
		hash = fnv(hash, (uint64_t)penalty);
	}
	line("penalty", 1, 1000, hash);
	return 0;
}

#ifdef HOSTED
int main(void)
#else
int program(void)
#endif
{
	int error;

	make_trace();
	error = schedules();
	if (!error)
		error = ledger();
	if (!error)
		error = prices();
	if (error)
		line("error", (uint64_t)(error < 0 ? -error : error), 0, 0);
	return error != 0;
}
