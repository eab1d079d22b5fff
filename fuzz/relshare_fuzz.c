/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * relshare_fuzz.c - relshare.h against the exact rationals of tests/model
 *
 * An input is a machine and events, valid or not. After each event every
 * reading of every user must be the model's: entitlements to the nearest 2^-64,
 * usage exactly, and the order of any two users where (2) of the manual
 * guarantees it; elsewhere the order must be stable, and exact ties must tie.
 * Copies with their slots in another order replace the original. Two runs have
 * one digest.
 */
#define FAIRSCHED_STATIC
#define FAIR_RELSHARE_IMPLEMENTATION
#define FAIR_USAGE_IMPLEMENTATION
#include "policies/relshare.h"
#include "tests/model/relshare_model.h"

#include <string.h>

#include "fuzz.h"

enum { USERS = 6, JOBS = 12, SHARES = 8, MOST_SUM = USERS * SHARES };

#define LATEST (INT64_C(1) << 62)

/* log2 of lcm(1 .. 48), rounded up */
#define D_BITS 69

struct run {
	struct fuzz_in in;
	struct fair_relshare_config config;
	struct fair_relshare r;
	struct model_relshare *m;
	unsigned char *memory;
	enum { ABSENT, WAITING, RUNNING } state[JOBS];
	int64_t procs[JOBS], machine, busy, now, end;
	bool held;
	uint32_t windows; /* how often they changed */
	struct fair_relshare_reserved reserved;
	uint64_t digest;
};

static void add_to_digest(struct run *x, uint64_t answer)
{
	x->digest = (x->digest ^ answer) * UINT64_C(1099511628211);
}

/* Draws small numbers as often as large ones. */
static int64_t amount(struct fuzz_in *in, int64_t least, int64_t most)
{
	int64_t top = most - least;

	top >>= fuzz_range(in, 0, 3) * 15;
	return least + fuzz_range(in, 0, top);
}

enum { HALF_LIVES = 8 };
static const int64_t half_life[HALF_LIVES] = { 1,  2,	7,    60,
					       64, 255, 3600, 86400 };

static void begin(struct run *x)
{
	struct fuzz_in *in = &x->in;
	struct fair_relshare_config *c = &x->config;
	size_t bytes;
	int how;

	c->users = (uint32_t)fuzz_range(in, 1, USERS);
	c->jobs = (uint32_t)fuzz_range(in, 1, JOBS);
	c->procs = (int32_t)amount(in, 1, INT32_MAX);
	c->window = amount(in, 1, (INT64_C(1) << 59) / c->procs);
	c->origin = fuzz_range(in, -1000000, 1000000);
	c->first = fuzz_range(in, -1000, 1000);
	how = (int)fuzz_range(in, 0, 7);
	c->expected = how % 2;
	c->decays = how / 2 % 2;
	c->difference = how / 4;
	/* Of these few the model's G are right: relshare_decay_test.c. */
	if (c->decays)
		c->window = half_life[(uint64_t)c->window % HALF_LIVES];
	x->machine = c->procs;
	x->now = c->origin;
	bytes = fair_relshare_size(c);
	FUZZ_ASSERT(bytes);
	x->memory = malloc(bytes);
	FUZZ_ASSERT(x->memory);
	FUZZ_ASSERT(
		!fair_relshare_init(&x->r, sizeof(x->r), x->memory, bytes, c));
	x->m = model_relshare_new(c->users, c->jobs, c->procs, c->origin,
				  c->window, c->first, MOST_SUM);
	if (c->decays)
		model_relshare_decay(x->m);
	if (c->difference)
		model_relshare_subtract(x->m);
	x->end = model_relshare_begin(x->m) + c->window;
}

static int64_t later(struct run *x)
{
	int64_t now = x->now, last = x->end - fuzz_range(&x->in, 0, 1);

	switch (fuzz_range(&x->in, 0, 4)) {
	case 0:
		now += fuzz_range(&x->in, 0, 3);
		break;
	case 1:
		now += amount(&x->in, 0, x->config.window);
		break;
	case 2: /* near the end of this window */
		now = last > now ? last : now;
		break;
	case 3: /* some windows later */
		now += x->config.window * fuzz_range(&x->in, 0, 3);
		now += fuzz_range(&x->in, 0, 100);
		break;
	default:
		break;
	}
	return now < LATEST ? now : LATEST;
}

/* Advances the model to @now after a successful event. */
static void happened(struct run *x, int64_t now)
{
	model_relshare_advance(x->m, now);
	x->now = now;
	x->end = model_relshare_begin(x->m) + x->config.window;
	x->held = x->held && x->reserved.start >= now;
}

static void submit(struct run *x, int64_t now, uint32_t slot)
{
	uint32_t user = (uint32_t)fuzz_range(&x->in, 0, USERS);
	int32_t procs = (int32_t)amount(&x->in, 0, x->machine);
	bool good = slot < x->config.jobs && x->state[slot] == ABSENT &&
		    user < x->config.users && procs > 0;
	int error = fair_relshare_submit(&x->r, now, slot, user, procs);

	FUZZ_ASSERT(error == (good ? 0 : -FAIR_EINVAL));
	if (error)
		return;
	happened(x, now);
	model_relshare_submit(x->m, slot, user, procs);
	x->state[slot] = WAITING;
	x->procs[slot] = procs;
}

/* Jobs may run on where a machine of @procs has lost a node. */
static int64_t most_busy(const struct run *x, int64_t procs)
{
	return procs > x->config.procs ? procs : x->config.procs;
}

static void start(struct run *x, int64_t now, uint32_t slot)
{
	int64_t end = now - 1 + amount(&x->in, 0, 3 * x->config.window);
	int error = fair_relshare_start(&x->r, now, slot, end);

	if (slot >= x->config.jobs || x->state[slot] != WAITING || end < now)
		FUZZ_ASSERT(error == -FAIR_EINVAL);
	else if (x->procs[slot] > most_busy(x, x->machine) - x->busy)
		FUZZ_ASSERT(error == -FAIR_ERANGE);
	else
		FUZZ_ASSERT(!error);
	if (error)
		return;
	happened(x, now);
	model_relshare_start(x->m, slot, end);
	x->state[slot] = RUNNING;
	x->busy += x->procs[slot];
}

static void plan(struct run *x, int64_t now, uint32_t slot)
{
	int64_t end = now - 1 + amount(&x->in, 0, 3 * x->config.window);
	bool good = slot < x->config.jobs && x->state[slot] == RUNNING &&
		    end >= now;
	int error = fair_relshare_plan(&x->r, now, slot, end);

	FUZZ_ASSERT(error == (good ? 0 : -FAIR_EINVAL));
	if (error)
		return;
	happened(x, now);
	model_relshare_plan(x->m, slot, end);
}

/* A job ends; without @finish it is queued again at once. */
static void leave(struct run *x, int64_t now, uint32_t slot, bool finish)
{
	bool good = slot < x->config.jobs && x->state[slot] != ABSENT;
	uint32_t user = good ? x->r.job[slot].user : 0;
	int error = fair_relshare_finish(&x->r, now, slot);

	FUZZ_ASSERT(error == (good ? 0 : -FAIR_EINVAL));
	if (error)
		return;
	happened(x, now);
	if (x->state[slot] == RUNNING)
		x->busy -= x->procs[slot];
	if (finish) {
		model_relshare_finish(x->m, slot);
		x->state[slot] = ABSENT;
		return;
	}
	FUZZ_ASSERT(!fair_relshare_submit(&x->r, now, slot, user,
					  (int32_t)x->procs[slot]));
	if (x->state[slot] == RUNNING)
		model_relshare_requeue(x->m, slot);
	x->state[slot] = WAITING;
}

static void capacity(struct run *x, int64_t now)
{
	int32_t procs = (int32_t)amount(
		&x->in, -1, x->windows ? x->config.procs : INT32_MAX);
	int error = fair_relshare_capacity(&x->r, now, procs);

	if (procs < 0)
		FUZZ_ASSERT(error == -FAIR_EINVAL);
	else if (most_busy(x, procs) < x->busy)
		FUZZ_ASSERT(error == -FAIR_ERANGE);
	else if (procs && x->config.window > (INT64_C(1) << 59) / procs)
		FUZZ_ASSERT(error == -FAIR_EOVERFLOW);
	else
		FUZZ_ASSERT(!error);
	if (error)
		return;
	happened(x, now);
	model_relshare_capacity(x->m, procs);
	x->machine = procs;
}

static void share(struct run *x, int64_t now)
{
	uint32_t user = (uint32_t)fuzz_range(&x->in, 0, USERS);
	uint32_t shares = (uint32_t)fuzz_range(&x->in, 0, SHARES);
	int error = fair_relshare_share(&x->r, now, user, shares);

	FUZZ_ASSERT(error == (user < x->config.users ? 0 : -FAIR_EINVAL));
	if (error)
		return;
	happened(x, now);
	model_relshare_share(x->m, user, shares);
}

/* Both limits are those of the manual: see fair_relshare_set_window(). */
static void set_window(struct run *x, int64_t now)
{
	int64_t most = (INT64_C(1) << 58) / x->config.procs, window, used = 0;
	bool small = x->machine <= x->config.procs;
	struct model_relshare *then = model_relshare_copy(x->m);
	uint32_t i;
	int error;

	window = amount(&x->in, 0, most);
	if (x->config.decays && window)
		window = half_life[(uint64_t)window % HALF_LIVES];
	model_relshare_advance(then, now);
	for (i = 0; i < x->config.users; i++)
		used += model_relshare_used(then, i);
	model_relshare_free(then);
	/* Else charges may be dropped, which the model does not do. */
	if (!x->config.decays && (used >> 57 || !small || x->windows++ > 2))
		return;
	error = fair_relshare_set_window(&x->r, now, window);
	if (!window) {
		FUZZ_ASSERT(error == -FAIR_EINVAL);
		return;
	}
	if (error == -FAIR_EOVERFLOW && !small &&
	    window > (INT64_C(1) << 59) / x->machine)
		return;
	happened(x, now);
	FUZZ_ASSERT(error == (model_relshare_set_window(x->m, window)
				      ? 0
				      : -FAIR_EOVERFLOW));
	if (error)
		return;
	x->config.window = window;
	x->end = model_relshare_begin(x->m) + window;
}

static void reserve(struct run *x)
{
	x->held = true;
	x->reserved.user = (uint32_t)fuzz_range(&x->in, 0, USERS - 1);
	x->reserved.procs = (int32_t)amount(&x->in, 1, x->config.procs);
	x->reserved.start = x->now + amount(&x->in, 0, x->config.window);
	x->reserved.walltime = amount(&x->in, 1, 3 * x->config.window);
}

/* Replaces the original by a copy with its slots in reverse order. */
static void clone(struct run *x)
{
	size_t bytes = fair_relshare_size(&x->config);
	unsigned char *memory = malloc(bytes);
	struct fair_relshare copy;
	uint32_t slot[JOBS], i;

	FUZZ_ASSERT(memory);
	for (i = 0; i < x->config.jobs; i++)
		slot[i] = x->config.jobs - 1 - i;
	FUZZ_ASSERT(!fair_relshare_clone(&copy, memory, bytes, &x->r, slot));
	memset(x->memory, 0xa5, bytes);
	FUZZ_ASSERT(!fair_relshare_clone(&x->r, x->memory, bytes, &copy, slot));
	memset(memory, 0x5a, bytes);
	free(memory);
}

static uint64_t usage_of(struct run *x, uint32_t user, bool held)
{
	const struct fair_relshare_reserved *reserved =
		held ? &x->reserved : NULL;
	uint64_t got = fair_relshare_usage_of(&x->r, user, reserved), want;

	want = (uint64_t)(x->config.expected ? model_relshare_usage(x->m, user)
					     : model_relshare_used(x->m, user));
	if (held && x->config.expected && x->reserved.user == user)
		want += (uint64_t)model_relshare_coming(x->m, x->reserved.procs,
							x->reserved.start,
							x->reserved.walltime);
	FUZZ_ASSERT(got == want);
	return got;
}

static int bits(uint64_t n)
{
	int b = 0;

	for (; n; n >>= 1)
		b++;
	return b;
}

static void compare(struct run *x, uint32_t a, uint32_t b)
{
	uint64_t u = usage_of(x, a, x->held), v = usage_of(x, b, x->held);
	int got = fair_relshare_compare(&x->r, a, b,
					x->held ? &x->reserved : NULL);
	int want = model_relshare_compare(x->m, a, (int64_t)u, b, (int64_t)v);
	uint64_t seconds = fair_relshare_elapsed(&x->r, x->now);
	/* (2), rounded up to powers of 2 */
	bool certain =
		D_BITS + bits(SHARES) + bits(seconds) + bits(u + v) <= 128;

	FUZZ_ASSERT(got == want || (!got && !certain));
	add_to_digest(x, (uint64_t)(int64_t)got);
}

/* Compares entitlement, usage and dev at @t, in this window. */
static void read_at(struct run *x, const struct model_relshare *m,
		    uint32_t user, int64_t t)
{
	uint64_t whole, fraction, used;

	FUZZ_ASSERT(
		!fair_relshare_entitlement(&x->r, user, t, &whole, &fraction));
	FUZZ_ASSERT(model_relshare_near(m, user, whole, fraction));
	FUZZ_ASSERT(!fair_relshare_used(&x->r, user, t, &used));
	FUZZ_ASSERT(used == (uint64_t)model_relshare_used(m, user));
	add_to_digest(x, whole);
	add_to_digest(x, fraction);
	add_to_digest(x, used);
}

static void rate_of(struct run *x, uint32_t user)
{
	uint64_t whole = 7, fraction = 7, rest, want;
	int64_t num, den;

	FUZZ_ASSERT(!fair_relshare_entitled(&x->r, user, &whole, &fraction));
	model_relshare_entitled(x->m, user, &num, &den);
	FUZZ_ASSERT(whole == (uint64_t)(num / den));
	rest = (uint64_t)(num % den) << 32;
	want = rest / (uint64_t)den << 32;
	rest = rest % (uint64_t)den << 32;
	want += (rest + (uint64_t)den / 2) / (uint64_t)den;
	FUZZ_ASSERT(fraction == want);
}

static void read_all_users(struct run *x)
{
	int64_t t = x->now + amount(&x->in, 0, x->end - x->now);
	struct model_relshare *then = model_relshare_copy(x->m);
	uint32_t a, b;

	FUZZ_ASSERT(fair_relshare_check(&x->r) == 0);
	FUZZ_ASSERT(fair_relshare_begin(&x->r) == model_relshare_begin(x->m));
	model_relshare_peek(then, t);
	for (a = 0; a < x->config.users; a++) {
		read_at(x, x->m, a, x->now);
		read_at(x, then, a, t);
		rate_of(x, a);
		usage_of(x, a, false);
		for (b = 0; b < x->config.users; b++)
			compare(x, a, b);
	}
	model_relshare_free(then);
}

static void event(struct run *x)
{
	int kind = (int)fuzz_range(&x->in, 0, 15);
	uint32_t slot = (uint32_t)fuzz_range(&x->in, 0, JOBS);
	int64_t now = later(x);

	switch (kind) {
	case 0:
		FUZZ_ASSERT(fair_relshare_advance(&x->r, x->now - 1) ==
			    -FAIR_EINVAL);
		FUZZ_ASSERT(!fair_relshare_advance(&x->r, now));
		happened(x, now);
		break;
	case 1:
		share(x, now);
		break;
	case 2:
		capacity(x, now);
		break;
	case 3:
		clone(x);
		break;
	case 4:
		reserve(x);
		break;
	case 5:
		plan(x, now, slot);
		break;
	case 6:
		leave(x, now, slot, false);
		break;
	case 7:
	case 8:
		leave(x, now, slot, true);
		break;
	case 9:
	case 10:
	case 11:
		start(x, now, slot);
		break;
	default:
		if (kind == 15 && slot == JOBS)
			set_window(x, now);
		else
			submit(x, now, slot);
	}
}

static uint64_t run(const uint8_t *data, size_t size)
{
	struct run x;
	int events = 0;

	memset(&x, 0, sizeof(x));
	x.in.p = data;
	x.in.n = size;
	begin(&x);
	read_all_users(&x);
	while (fuzz_more(&x.in) && events++ < 200) {
		event(&x);
		read_all_users(&x);
	}
	model_relshare_free(x.m);
	free(x.memory);
	return x.digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FUZZ_ASSERT(run(data, size) == run(data, size));
	return 0;
}
