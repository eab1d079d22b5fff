/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * usage_fuzz.c - up to three servers that charge, merge and restart
 *
 * Every reading is compared with the model, which keeps all charges and adds
 * them up in long arithmetic; every call that must fail is seen to change
 * nothing; the whole run is done twice.
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
	unsigned char *memory[SERVERS], *image;
	struct job job[JOBS];
	int jobs, lines;
	int64_t length, now;
	uint64_t digest;
};

static void note(struct world *w, uint64_t answer)
{
	w->digest = (w->digest ^ answer) * UINT64_C(0x100000001b3);
}

static int init(struct world *w, int s)
{
	const struct usage_model *m = &w->model;
	struct fair_usage *u = &w->u[s];

	if (m->half_life)
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

/* What a failed call must leave as it was. */
static uint64_t state_of(const struct fair_usage *u)
{
	uint64_t hash = fair_usage_hash((const unsigned char *)u, sizeof(*u));

	hash ^= fair_usage_hash((const unsigned char *)u->row,
				fair_usage_rows_bytes(u) * u->sources);
	return hash + fair_usage_hash((const unsigned char *)u->source,
				      sizeof(*u->source) * u->sources);
}

static int64_t some_rate(struct world *w)
{
	int64_t rate = fuzz_range(&w->in, 0, INT32_MAX);

	return rate << fuzz_range(&w->in, 0, 3) * 10;
}

static int64_t some_time(struct world *w, int64_t from)
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

static void charged(struct world *w, int s, uint32_t entity, int64_t t0,
		    int64_t t1, int64_t rate)
{
	if (t0 == t1 || !rate)
		return;
	usage_model_charge(&w->model, s, entity, t0, t1, rate);
	w->lines++;
}

static void saw_itself(struct world *w, int s)
{
	w->view[s].seen[s] = w->model.lines[s];
}

/* Nothing overflows that is, undecayed, far from the limit. */
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
	/* What comes and what is there, undecayed, is twice that or less. */
	product = usage_big_add(usage_big_add(product, total), total);
	product = usage_big_add(product, product);
	if (w->model.depth)
		limit = usage_big_from(fair_usage_window_limit(&w->u[s]), 0);
	FUZZ_ASSERT(usage_big_compare(product, limit) > 0);
}

static void do_charge(struct world *w, int s)
{
	uint32_t entity = (uint32_t)fuzz_range(&w->in, 0, ENTITIES);
	int64_t t0 = some_time(w, w->now), t1 = some_time(w, t0);
	int64_t rate = some_rate(w);
	uint64_t before = state_of(&w->u[s]);
	int error = fair_usage_charge(&w->u[s], entity, t0, t1, rate);

	note(w, (uint64_t)error);
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
	charged(w, s, entity, t0, t1, rate);
	saw_itself(w, s);
	if (rate && t0 < t1 && t1 > w->now)
		w->now = t1;
}

static void do_start(struct world *w, int s)
{
	struct job job;
	int error;

	job.server = s;
	job.entity = (uint32_t)fuzz_range(&w->in, 0, ENTITIES - 1);
	job.rate = some_rate(w);
	job.walltime = fuzz_range(&w->in, 0, 1000000);
	if (w->jobs == JOBS)
		return;
	error = fair_usage_hold(&w->u[s], job.entity, job.rate, job.walltime);
	note(w, (uint64_t)error);
	FUZZ_ASSERT(!error || error == -FAIR_EOVERFLOW);
	if (error)
		return;
	usage_model_hold(&w->model, s, job.entity, job.rate * job.walltime);
	saw_itself(w, s);
	w->lines++;
	w->job[w->jobs++] = job;
}

static void do_end(struct world *w, bool cancel)
{
	int64_t t0 = some_time(w, w->now), t1 = some_time(w, t0);
	struct job job;
	uint64_t before;
	int error, k;

	if (!w->jobs)
		return;
	k = (int)fuzz_range(&w->in, 0, w->jobs - 1);
	job = w->job[k];
	before = state_of(&w->u[job.server]);
	if (cancel)
		error = fair_usage_release(&w->u[job.server], job.entity,
					   job.rate, job.walltime);
	else
		error = fair_usage_settle(&w->u[job.server], job.entity,
					  job.rate, job.walltime, t0, t1);
	note(w, (uint64_t)error);
	if (error) {
		FUZZ_ASSERT(!cancel);
		FUZZ_ASSERT(t1 < t0 || error == -FAIR_EOVERFLOW);
		FUZZ_ASSERT(state_of(&w->u[job.server]) == before);
		return;
	}
	usage_model_hold(&w->model, job.server, job.entity,
			 -job.rate * job.walltime);
	if (!cancel) {
		charged(w, job.server, job.entity, t0, t1, job.rate);
		if (job.rate && t0 < t1 && t1 > w->now)
			w->now = t1;
	}
	saw_itself(w, job.server);
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
	FUZZ_ASSERT(fair_usage_release(&w->u[s], entity, held + 1, 1) ==
		    -FAIR_ERANGE);
	FUZZ_ASSERT(fair_usage_settle(&w->u[s], entity, held + 1, 1, 0, 1) ==
		    -FAIR_ERANGE);
	FUZZ_ASSERT(state_of(&w->u[s]) == before);
}

static void do_read(struct world *w, int s)
{
	const struct fair_usage *u = &w->u[s];
	uint32_t entity = (uint32_t)fuzz_range(&w->in, 0, ENTITIES);
	int64_t t = some_time(w, w->now), points;
	uint64_t whole, fraction, before = state_of(u);

	if (entity == ENTITIES)
		entity = FAIR_USAGE_ALL;
	if (t < u->source[0].clock) {
		FUZZ_ASSERT(fair_usage_at(u, entity, t, &whole, &fraction) ==
			    -FAIR_EINVAL);
		return;
	}
	FUZZ_ASSERT(!fair_usage_at(u, entity, t, &whole, &fraction));
	FUZZ_ASSERT(usage_model_agrees(&w->model, &w->view[s], entity, t,
				       (int)u->sources, whole, fraction));
	note(w, whole);
	note(w, fraction);
	if (entity != FAIR_USAGE_ALL) {
		FUZZ_ASSERT(!fair_usage_share(u, entity, t, &points));
		FUZZ_ASSERT(points >= 0 && points <= 100 * FAIR_USAGE_POINT);
		note(w, (uint64_t)points);
	}
	FUZZ_ASSERT(state_of(u) == before);
}

/* points = 100 * 2^20 * mine / total, give or take one. */
static void do_share(struct world *w, int s)
{
	const struct fair_usage *u = &w->u[s];
	struct usage_big mine, total, low, high;
	uint64_t whole, fraction;
	int64_t points, t = w->now;

	FUZZ_ASSERT(!fair_usage_share(u, 0, t, &points));
	fair_usage_at(u, 0, t, &whole, &fraction);
	mine = usage_big_from(whole, fraction);
	fair_usage_at(u, FAIR_USAGE_ALL, t, &whole, &fraction);
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

/* Down and up again; a damaged image is refused first. */
static void do_restart(struct world *w, int s)
{
	size_t bytes = fair_usage_image_size(&w->u[s]), at;
	static unsigned char spare[BYTES];
	struct fair_usage loaded;
	unsigned char flip;
	int damage = 0;

	FUZZ_ASSERT(!fair_usage_save(&w->u[s], w->image, bytes));
	at = (size_t)fuzz_range(&w->in, 0, (int64_t)bytes - 1);
	flip = fuzz_u8(&w->in);
	w->image[at] ^= flip;
	if (flip) {
		FUZZ_ASSERT(fair_usage_load(&loaded, sizeof(loaded), spare,
					    BYTES, w->image, bytes,
					    &damage) == -FAIR_EINVAL);
		FUZZ_ASSERT(damage);
	}
	w->image[at] ^= flip;
	FUZZ_ASSERT(fair_usage_load(&loaded, sizeof(loaded), spare, BYTES,
				    w->image, at, &damage) == -FAIR_EINVAL);
	FUZZ_ASSERT(fair_usage_load_size(w->image, bytes) <= BYTES);
	memset(w->memory[s], 0xa5, BYTES);
	FUZZ_ASSERT(!fair_usage_load(&w->u[s], sizeof(loaded), w->memory[s],
				     BYTES, w->image, bytes, &damage));
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

/* The rest of the input as an image: never accepted with a wrong content. */
static void do_foreign(struct world *w)
{
	static unsigned char spare[BYTES], signed_image[4096];
	size_t n =
		w->in.n < sizeof(signed_image) ? w->in.n : sizeof(signed_image);
	struct fair_usage loaded;
	int damage, result;

	if (n < 72)
		return;
	memcpy(signed_image, w->in.p, n);
	fair_usage_put(signed_image, FAIR_USAGE_MAGIC);
	fair_usage_put(signed_image + 8, FAIR_USAGE_IMAGE);
	fair_usage_put(signed_image + n - 8,
		       fair_usage_hash(signed_image, n - 8));
	result = fair_usage_load(&loaded, sizeof(loaded), spare, BYTES,
				 signed_image, n, &damage);
	if (!result)
		FUZZ_ASSERT(!fair_usage_check(&loaded));
	note(w, (uint64_t)damage);
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
		do_foreign(w);
		break;
	default:
		do_read(w, s);
	}
	for (s = 0; s < SERVERS; s++)
		FUZZ_ASSERT(!fair_usage_check(&w->u[s]));
}

/* Everyone merges with everyone, in two ways: all read the same. */
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
			note(w, whole[s]);
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
	w.image = (unsigned char *)malloc(BYTES);
	for (s = 0; s < SERVERS; s++) {
		w.memory[s] = (unsigned char *)malloc(BYTES);
		FUZZ_ASSERT(w.memory[s] && w.image && !init(&w, s));
	}
	while (fuzz_more(&w.in) && w.lines < LINES)
		step(&w);
	finish(&w);
	digest = w.digest;
	for (s = 0; s < SERVERS; s++)
		free(w.memory[s]);
	free(w.image);
	usage_model_free(&w.model);
	return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t digest = run(data, size);

	FUZZ_ASSERT(run(data, size) == digest);
	return 0;
}
