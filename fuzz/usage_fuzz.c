/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * usage_fuzz.c - up to three ledgers that charge, merge and restart
 *
 * Every reading is compared with the model, which stores all charges and adds
 * them up in long arithmetic. Every call that must fail changes nothing. Two
 * runs have one digest.
 */
#include <string.h>

#include "fuzz.h"
#include "tests/model/usage_model.h"

#define FAIR_USAGE_IMPLEMENTATION
#include "usage.h"

#define SERVERS 3
#define ENTITIES 3
#define JOBS 8
#define LINES 60 /* the model is slow */
#define BYTES 2048

struct job {
	int server;
	uint32_t entity;
	int64_t rate, walltime;
};

struct world {
	struct fuzz_in in;
	struct usage_model model;
	struct fair_usage u[SERVERS];
	struct usage_model_view view[SERVERS];
	unsigned char *memory[SERVERS], *checkpoint;
	struct job job[JOBS];
	int jobs, lines;
	int64_t length, now;
	bool never; /* usage does not decay */
	uint64_t digest;
};

static void add_to_digest(struct world *w, uint64_t answer)
{
	w->digest = (w->digest ^ answer) * UINT64_C(0x100000001b3);
}

static int init(struct world *w, int s)
{
	const struct usage_model *m = &w->model;
	struct fair_usage *u = &w->u[s];

	if (m->half_life || w->never)
		return fair_usage_init_half_life(u, sizeof(*u), w->memory[s],
						 BYTES, ENTITIES, SERVERS,
						 (uint64_t)s, m->half_life);
	return fair_usage_init_windows(
		u, sizeof(*u), w->memory[s], BYTES, ENTITIES, SERVERS,
		(uint64_t)s, (uint32_t)m->depth, m->interval, m->decay);
}

static void set_rule(struct world *w)
{
	static const int64_t lengths[] = { 1,	 2,	 10,	     1000,
					   3600, 604800, 4294967296, 0 };
	int choice = fuzz_u8(&w->in);
	int64_t length = lengths[choice % 8];

	if (!length)
		length = fuzz_range(&w->in, 1, FAIR_USAGE_HALF_LIFE);
	w->length = length;
	w->never = choice >= 240;
	if (w->never) { /* as in one window without end */
		w->model.interval = INT64_MAX;
		w->model.depth = 1;
		return;
	}
	if (choice & 8) {
		w->model.half_life = length;
		return;
	}
	w->model.interval = length;
	w->model.depth = (int)fuzz_range(&w->in, 1, 6);
	w->model.decay = choice & 16
				 ? FAIR_USAGE_ONE >> (choice >> 5)
				 : (uint64_t)fuzz_range(&w->in, 0, UINT32_MAX);
}

/* A hash of the state that a failed call must not change. */
static uint64_t state_of(const struct fair_usage *u)
{
	uint64_t hash = fair_fnv((const unsigned char *)u, sizeof(*u));

	hash ^= fair_fnv((const unsigned char *)u->row,
				fair_usage_rows_bytes(u) * u->sources);
	return hash + fair_fnv((const unsigned char *)u->source,
				      sizeof(*u->source) * u->sources);
}

static int64_t draw_rate(struct world *w)
{
	int64_t rate = fuzz_range(&w->in, 0, INT32_MAX);

	return rate << fuzz_range(&w->in, 0, 3) * 10;
}

static int64_t draw_time(struct world *w, int64_t from)
{
	int64_t far = w->length < INT64_C(1) << 20 ? 4 * w->length : w->length;
	int choice = fuzz_u8(&w->in);

	if (choice < 128)
		return from + fuzz_range(&w->in, 0, 300);
	if (choice < 200)
		return from + fuzz_range(&w->in, 0, far);
	if (choice < 230)
		return from + w->length - from % w->length;
	if (choice < 250)
		return from > far ? from - fuzz_range(&w->in, 0, far) : 0;
	return from + w->length * fuzz_range(&w->in, 0, 200);
}

static void note_charge(struct world *w, int s, uint32_t entity, int64_t t0,
			int64_t t1, int64_t rate)
{
	if (t0 == t1 || !rate)
		return;
	usage_model_charge(&w->model, s, entity, t0, t1, rate);
	w->lines++;
}

static void note_own_lines(struct world *w, int s)
{
	w->view[s].seen[s] = w->model.lines[s];
}

/* A charge far from the limit, without decay, must not overflow. */
static void check_overflow(struct world *w, int s, int64_t t0, int64_t t1,
			   int64_t rate)
{
	struct usage_big product =
		usage_big_mul(usage_big_from((uint64_t)(t1 - t0), 0),
			      usage_big_from((uint64_t)rate, 0));
	struct usage_big limit = usage_big_from(FAIR_USAGE_LIMIT, 0);
	struct usage_model_view own = { { 0 } };
	struct usage_big total;

	own.seen[s] = w->model.lines[s];
	total = usage_model_at(&w->model, &own, UINT32_MAX, 0);
	/* The charge and the usage without decay are at most twice that. */
	product = usage_big_add(usage_big_add(product, total), total);
	product = usage_big_add(product, product);
	if (w->u[s].depth)
		limit = usage_big_from(fair_usage_window_limit(&w->u[s]), 0);
	FUZZ_ASSERT(usage_big_compare(product, limit) > 0);
}

static void do_charge(struct world *w, int s)
{
	uint32_t entity = (uint32_t)fuzz_range(&w->in, 0, ENTITIES);
	int64_t t0 = draw_time(w, w->now), t1 = draw_time(w, t0);
	int64_t rate = draw_rate(w);
	uint64_t before = state_of(&w->u[s]);
	int error = fair_usage_charge(&w->u[s], entity, t0, t1, rate);

	add_to_digest(w, (uint64_t)error);
	if (entity == ENTITIES || t1 < t0) {
		FUZZ_ASSERT(error == -FAIR_EINVAL);
	} else {
		FUZZ_ASSERT(!error || error == -FAIR_EOVERFLOW);
		if (error)
			check_overflow(w, s, t0, t1, rate);
	}
	if (error) {
		FUZZ_ASSERT(state_of(&w->u[s]) == before);
		return;
	}
	note_charge(w, s, entity, t0, t1, rate);
	note_own_lines(w, s);
	if (rate && t0 < t1 && t1 > w->now)
		w->now = t1;
}

static void do_start(struct world *w, int s)
{
	struct job job;
	int error;

	job.server = s;
	job.entity = (uint32_t)fuzz_range(&w->in, 0, ENTITIES - 1);
	job.rate = draw_rate(w);
	job.walltime = fuzz_range(&w->in, 0, 1000000);
	if (w->jobs == JOBS)
		return;
	error = fair_usage_charge_provisional(&w->u[s], job.entity, job.rate, job.walltime);
	add_to_digest(w, (uint64_t)error);
	FUZZ_ASSERT(!error || error == -FAIR_EOVERFLOW);
	if (error)
		return;
	usage_model_hold(&w->model, s, job.entity, job.rate * job.walltime);
	note_own_lines(w, s);
	w->lines++;
	w->job[w->jobs++] = job;
}

static void do_end(struct world *w, bool cancel)
{
	int64_t t0 = draw_time(w, w->now), t1 = draw_time(w, t0);
	struct job job;
	uint64_t before;
	int error, k;

	if (!w->jobs)
		return;
	k = (int)fuzz_range(&w->in, 0, w->jobs - 1);
	job = w->job[k];
	before = state_of(&w->u[job.server]);
	if (cancel)
		error = fair_usage_cancel_provisional(&w->u[job.server], job.entity,
					   job.rate, job.walltime);
	else
		error = fair_usage_charge_final(&w->u[job.server], job.entity,
					  job.rate, job.walltime, t0, t1);
	add_to_digest(w, (uint64_t)error);
	if (error) {
		FUZZ_ASSERT(!cancel);
		FUZZ_ASSERT(t1 < t0 || error == -FAIR_EOVERFLOW);
		FUZZ_ASSERT(state_of(&w->u[job.server]) == before);
		return;
	}
	usage_model_hold(&w->model, job.server, job.entity,
			 -job.rate * job.walltime);
	if (!cancel) {
		note_charge(w, job.server, job.entity, t0, t1, job.rate);
		if (job.rate && t0 < t1 && t1 > w->now)
			w->now = t1;
	}
	note_own_lines(w, job.server);
	w->lines++;
	w->job[k] = w->job[--w->jobs];
}

static void do_wrong_release(struct world *w, int s)
{
	uint64_t before = state_of(&w->u[s]);
	uint32_t entity = (uint32_t)fuzz_range(&w->in, 0, ENTITIES - 1);
	int64_t held = 0;
	size_t i;

	for (i = 0; i < w->model.lines[s]; i++)
		if (w->model.line[s][i].entity == entity)
			held += w->model.line[s][i].held;
	FUZZ_ASSERT(fair_usage_cancel_provisional(&w->u[s], entity, held + 1, 1) ==
		    -FAIR_ERANGE);
	FUZZ_ASSERT(fair_usage_charge_final(&w->u[s], entity, held + 1, 1, 0, 1) ==
		    -FAIR_ERANGE);
	FUZZ_ASSERT(state_of(&w->u[s]) == before);
}

static void do_read(struct world *w, int s)
{
	const struct fair_usage *u = &w->u[s];
	uint32_t entity = (uint32_t)fuzz_range(&w->in, 0, ENTITIES);
	int64_t t = draw_time(w, w->now), points;
	uint64_t whole, fraction, before = state_of(u);

	if (entity == ENTITIES)
		entity = FAIR_USAGE_TOTAL;
	if (t < u->source[0].clock) {
		FUZZ_ASSERT(fair_usage_at(u, entity, t, &whole, &fraction) ==
			    -FAIR_EINVAL);
		return;
	}
	FUZZ_ASSERT(!fair_usage_at(u, entity, t, &whole, &fraction));
	FUZZ_ASSERT(usage_model_agrees(&w->model, &w->view[s], entity, t,
				       (int)u->sources, whole, fraction));
	add_to_digest(w, whole);
	add_to_digest(w, fraction);
	if (entity != FAIR_USAGE_TOTAL) {
		FUZZ_ASSERT(!fair_usage_share(u, entity, t, &points));
		FUZZ_ASSERT(points >= 0 && points <= 100 * FAIR_USAGE_POINT);
		add_to_digest(w, (uint64_t)points);
	}
	FUZZ_ASSERT(state_of(u) == before);
}

/* points = 100 * 2^20 * mine / total, with an error of one. */
static void do_share(struct world *w, int s)
{
	const struct fair_usage *u = &w->u[s];
	struct usage_big mine, total, low, high;
	uint64_t whole, fraction;
	int64_t points, t = w->now;

	FUZZ_ASSERT(!fair_usage_share(u, 0, t, &points));
	fair_usage_at(u, 0, t, &whole, &fraction);
	mine = usage_big_from(whole, fraction);
	fair_usage_at(u, FAIR_USAGE_TOTAL, t, &whole, &fraction);
	total = usage_big_from(whole, fraction);
	if (!(whole | fraction)) {
		FUZZ_ASSERT(!points);
		return;
	}
	if (usage_big_compare(mine, total) > 0)
		mine = total; /* by a few 2^-64 */
	mine = usage_big_mul(mine, usage_big_from(100 << 20, 0));
	low = usage_big_mul(
		total, usage_big_from(points ? (uint64_t)points - 1 : 0, 0));
	high = usage_big_mul(total, usage_big_from((uint64_t)points + 1, 0));
	FUZZ_ASSERT(usage_big_compare(low, mine) <= 0);
	FUZZ_ASSERT(usage_big_compare(mine, high) <= 0);
}

static void do_merge(struct world *w, int s)
{
	int from = (int)fuzz_range(&w->in, 0, SERVERS - 1), k;
	uint64_t before = state_of(&w->u[from]);

	FUZZ_ASSERT(!fair_usage_merge(&w->u[s], &w->u[from]));
	FUZZ_ASSERT(s == from || state_of(&w->u[from]) == before);
	for (k = 0; k < SERVERS; k++)
		if (w->view[from].seen[k] > w->view[s].seen[k])
			w->view[s].seen[k] = w->view[from].seen[k];
	before = state_of(&w->u[s]);
	FUZZ_ASSERT(!fair_usage_merge(&w->u[s], &w->u[from]));
	FUZZ_ASSERT(state_of(&w->u[s]) == before);
}

/* Restarts a ledger from a checkpoint, after it has refused a damaged one. */
static void do_restart(struct world *w, int s)
{
	size_t bytes = fair_usage_checkpoint_size(&w->u[s]), at;
	static unsigned char spare[BYTES];
	struct fair_usage loaded;
	unsigned char flip;
	int damage = 0;

	FUZZ_ASSERT(!fair_usage_save(&w->u[s], w->checkpoint, bytes));
	at = (size_t)fuzz_range(&w->in, 0, (int64_t)bytes - 1);
	flip = fuzz_u8(&w->in);
	w->checkpoint[at] ^= flip;
	if (flip) {
		FUZZ_ASSERT(fair_usage_load(&loaded, sizeof(loaded), spare,
					    BYTES, w->checkpoint, bytes,
					    &damage) == -FAIR_EINVAL);
		FUZZ_ASSERT(damage);
	}
	w->checkpoint[at] ^= flip;
	FUZZ_ASSERT(fair_usage_load(&loaded, sizeof(loaded), spare, BYTES,
				    w->checkpoint, at,
				    &damage) == -FAIR_EINVAL);
	FUZZ_ASSERT(fair_usage_load_size(w->checkpoint, bytes) <= BYTES);
	memset(w->memory[s], 0xa5, BYTES);
	FUZZ_ASSERT(!fair_usage_load(&w->u[s], sizeof(loaded), w->memory[s],
				     BYTES, w->checkpoint, bytes, &damage));
	FUZZ_ASSERT(!damage);
}

static void do_clone(struct world *w, int s)
{
	static unsigned char spare[BYTES];
	struct fair_usage copy;

	FUZZ_ASSERT(!fair_usage_clone(&copy, spare, BYTES, &w->u[s]));
	memset(w->memory[s], 0x5a, BYTES);
	FUZZ_ASSERT(!fair_usage_check(&copy));
	FUZZ_ASSERT(!fair_usage_clone(&w->u[s], w->memory[s], BYTES, &copy));
}

/* Loads the rest of the input: only a correct checkpoint is accepted. */
static void do_load_arbitrary(struct world *w)
{
	static unsigned char spare[BYTES], signed_checkpoint[4096];
	size_t n = w->in.n < sizeof(signed_checkpoint)
			   ? w->in.n
			   : sizeof(signed_checkpoint);
	struct fair_usage loaded;
	int damage, result;

	if (n < 72)
		return;
	memcpy(signed_checkpoint, w->in.p, n);
	fair_put_word(signed_checkpoint, FAIR_USAGE_MAGIC);
	fair_put_word(signed_checkpoint + 8, FAIR_USAGE_VERSION);
	fair_put_word(signed_checkpoint + n - 8,
		       fair_fnv(signed_checkpoint, n - 8));
	result = fair_usage_load(&loaded, sizeof(loaded), spare, BYTES,
				 signed_checkpoint, n, &damage);
	if (!result)
		FUZZ_ASSERT(!fair_usage_check(&loaded));
	add_to_digest(w, (uint64_t)damage);
}

/* The same usage at @t in a copy that has changed. */
static void check_kept(const struct fair_usage *u, const struct fair_usage *x,
		       int64_t t)
{
	struct usage_big a, b;
	uint64_t whole, fraction;
	uint32_t e;

	FUZZ_ASSERT(!fair_usage_check(x));
	for (e = 0; e < ENTITIES; e++) {
		FUZZ_ASSERT(!fair_usage_at(u, e, t, &whole, &fraction));
		a = usage_big_from(whole, fraction);
		FUZZ_ASSERT(!fair_usage_at(x, e, t, &whole, &fraction));
		b = usage_big_from(whole, fraction);
		if (usage_big_compare(a, b) < 0)
			a = usage_big_sub(b, a);
		else
			a = usage_big_sub(a, b);
		b = usage_big_add(usage_big_shift(b, 59), usage_big_from(0, 8));
		/* A window keeps the whole part. */
		if (u->depth)
			b = usage_big_from(1, 0);
		FUZZ_ASSERT(usage_big_compare(a, b) < 0);
	}
}

/* More entities, and another rule, in copies. */
/* Readings of a coarser copy are half as large, but for provisional charges. */
static void do_coarsen(struct world *w, int s)
{
	static unsigned char other[BYTES];
	const struct fair_usage *u = &w->u[s];
	uint64_t was, is, fraction;
	struct fair_usage x;
	uint32_t e;
	int error;

	FUZZ_ASSERT(!fair_usage_clone(&x, other, sizeof(other), u));
	error = fair_usage_coarsen(&x);
	FUZZ_ASSERT(error == (u->depth || u->sources > 1 ? -FAIR_EINVAL : 0));
	for (e = 0; e <= ENTITIES && !error; e++) {
		uint32_t entity = e < ENTITIES ? e : FAIR_USAGE_TOTAL;

		FUZZ_ASSERT(!fair_usage_charged(u, entity, w->now, &was,
						&fraction));
		FUZZ_ASSERT(!fair_usage_at(&x, entity, w->now, &is, NULL));
		FUZZ_ASSERT(was / 2 - is + 1 <= 2);
	}
	FUZZ_ASSERT(!fair_usage_check(&x));
}

static void do_copy(struct world *w, int s)
{
	static unsigned char larger[2 * BYTES];
	const struct fair_usage *u = &w->u[s];
	struct fair_usage x;
	int64_t t = w->now, length = fuzz_range(&w->in, u->depth > 0, 1000000);
	uint64_t whole, fraction, decay = u->depth ? FAIR_USAGE_ONE / 3 : 0;
	int error;

	FUZZ_ASSERT(fair_usage_extend(&x, larger, sizeof(larger), ENTITIES - 1,
				      u) == -FAIR_EINVAL);
	FUZZ_ASSERT(!fair_usage_extend(&x, larger, sizeof(larger), ENTITIES + 2,
				       u));
	check_kept(u, &x, t);
	FUZZ_ASSERT(!fair_usage_at(&x, ENTITIES + 1, t, &whole, &fraction));
	FUZZ_ASSERT(!whole && !fraction);
	error = fair_usage_change_rule(&x, t, length, decay);
	FUZZ_ASSERT((error == -FAIR_EINVAL) == (u->sources > 1));
	FUZZ_ASSERT(!error || error == -FAIR_EINVAL ||
		    error == -FAIR_EOVERFLOW);
	check_kept(u, &x, t);
	do_coarsen(w, s);
}

static void do_set(struct world *w, int s)
{
	uint32_t entity = (uint32_t)fuzz_range(&w->in, 0, ENTITIES - 1);
	uint64_t whole = (uint64_t)draw_rate(w), before = state_of(&w->u[s]);
	int error = fair_usage_set(&w->u[s], entity, w->now, whole, 0);

	if (error) {
		FUZZ_ASSERT(error == (whole > FAIR_USAGE_LIMIT
					      ? -FAIR_EINVAL
					      : -FAIR_EOVERFLOW));
		FUZZ_ASSERT(state_of(&w->u[s]) == before);
		return;
	}
	usage_model_set(&w->model, s, entity, w->now, usage_big_from(whole, 0));
	note_own_lines(w, s);
	w->lines++;
}

/* What is taken: within the error of a reading. */
static void do_credit(struct world *w, int s)
{
	struct fair_usage_refund c = { 0, 0, 0, 0, 0 };
	struct usage_model_view own = { { 0 } };
	struct usage_big left, got, off;

	c.t = w->now;
	c.entity = (uint32_t)fuzz_range(&w->in, 0, ENTITIES - 1);
	c.amount = (uint64_t)draw_rate(w);
	FUZZ_ASSERT(!fair_usage_credit(&w->u[s], &c));
	FUZZ_ASSERT(c.taken <= c.amount);
	add_to_digest(w, c.taken);
	if (!c.amount)
		return;
	own.seen[s] = w->model.lines[s];
	off = usage_big_add(usage_big_from(1, 0),
			    usage_model_bound(&w->model, &own, c.entity, c.t,
					      1));
	left = usage_model_credit(&w->model, s, c.entity, c.t, c.amount);
	got = usage_big_add(usage_big_from(c.taken, 0), left);
	/* The whole part of the usage, with the error of its reading. */
	if (w->model.depth)
		FUZZ_ASSERT(!usage_big_compare(got,
					       usage_big_from(c.amount, 0)));
	FUZZ_ASSERT(usage_big_compare(usage_big_from(c.amount, 0),
				      usage_big_add(got, off)) <= 0);
	note_own_lines(w, s);
	w->lines++;
}

static void do_reset(struct world *w, int s)
{
	FUZZ_ASSERT(!fair_usage_reset(&w->u[s], w->now));
	usage_model_forget(&w->model, s, w->now);
	note_own_lines(w, s);
	w->lines++;
}

static void do_change(struct world *w, int s)
{
	switch (fuzz_u8(&w->in) % 8) {
	case 0:
	case 1:
	case 2:
		do_set(w, s);
		break;
	case 3:
	case 4:
		do_credit(w, s);
		break;
	case 5:
		do_reset(w, s);
		break;
	default:
		do_copy(w, s);
	}
}

static void step(struct world *w)
{
	int op = fuzz_u8(&w->in), s = op / 16 % SERVERS;

	switch (op % 16) {
	case 0:
	case 1:
	case 2:
	case 3:
		do_charge(w, s);
		break;
	case 4:
		do_start(w, s);
		break;
	case 5:
	case 6:
		do_end(w, op % 16 == 6);
		break;
	case 7:
		do_wrong_release(w, s);
		break;
	case 8:
	case 9:
		do_merge(w, s);
		break;
	case 10:
		do_restart(w, s);
		break;
	case 11:
		do_clone(w, s);
		break;
	case 12:
		do_share(w, s);
		break;
	case 13:
		do_load_arbitrary(w);
		break;
	case 14:
		do_change(w, s);
		break;
	default:
		do_read(w, s);
	}
	for (s = 0; s < SERVERS; s++)
		FUZZ_ASSERT(!fair_usage_check(&w->u[s]));
}

/* Merges all ledgers with all in two orders: all readings agree. */
static void finish(struct world *w)
{
	uint64_t whole[SERVERS], fraction[SERVERS];
	uint32_t e;
	int s;

	for (s = 0; s < 2 * SERVERS; s++)
		FUZZ_ASSERT(!fair_usage_merge(&w->u[(s + 1) % SERVERS],
					      &w->u[s % SERVERS]));
	for (e = 0; e < ENTITIES; e++)
		for (s = 0; s < SERVERS; s++) {
			FUZZ_ASSERT(!fair_usage_at(&w->u[s], e, w->now,
						   &whole[s], &fraction[s]));
			FUZZ_ASSERT(whole[s] == whole[0] &&
				    fraction[s] == fraction[0]);
			add_to_digest(w, whole[s]);
		}
}

static uint64_t run(const uint8_t *data, size_t size)
{
	struct world w;
	uint64_t digest;
	int s;

	memset(&w, 0, sizeof(w));
	w.in.p = data;
	w.in.n = size;
	w.digest = UINT64_C(0xcbf29ce484222325);
	set_rule(&w);
	w.checkpoint = (unsigned char *)malloc(BYTES);
	for (s = 0; s < SERVERS; s++) {
		w.memory[s] = (unsigned char *)malloc(BYTES);
		FUZZ_ASSERT(w.memory[s] && w.checkpoint && !init(&w, s));
	}
	while (fuzz_more(&w.in) && w.lines < LINES)
		step(&w);
	finish(&w);
	digest = w.digest;
	for (s = 0; s < SERVERS; s++)
		free(w.memory[s]);
	free(w.checkpoint);
	usage_model_free(&w.model);
	return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = run(data, size);

	FUZZ_ASSERT(run(data, size) == digest);
	return 0;
}
