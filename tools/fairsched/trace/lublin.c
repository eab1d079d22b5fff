/* SPDX-License-Identifier: MIT OR Unlicense */
#include "lublin.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "random.h"

/* Sizes: log2 is uniform in [LOW, medium], or in [medium, log2 procs]. */
#define SERIAL 0.244
#define POWER_OF_TWO 0.576
#define SIZE_LOW 0.8
#define SIZE_MEDIUM_BELOW 2.5 /* log2 procs */
#define SIZE_SMALL 0.86

/* Run times: log is of one gamma distribution or of another. */
#define SHORT_SHAPE 4.2
#define SHORT_SCALE 0.94
#define LONG_SHAPE 312
#define LONG_SCALE 0.03
#define SHORT_PER_PROC (-0.0054) /* probability of the first */
#define SHORT_AT_ZERO 0.78
#define RUN_LOG_MOST 12

/* Gaps at a mean hour: log is of a gamma distribution. */
#define GAP_SHAPE (10.2303 * 1.0225) /* at rush hours; of all to those */
#define GAP_SCALE 0.4871
#define GAP_LOG_MOST 13

/* The daily cycle: weights of half-hours, of a gamma distribution. */
#define SLOTS 48
#define SLOT_SECONDS 1800
#define SLOT_SHAPE 8.1737
#define SLOT_SCALE 3.9631
#define FIRST_SLOT 11 /* of the distribution; the day begins at slot 1 */

/* ---- random numbers ---- */

/* Of a pair by the polar method [K97, 3.4.1], the first. */
static double normal(uint64_t *state)
{
	double x, y, s;

	do {
		x = 2 * random_uniform(state) - 1;
		y = 2 * random_uniform(state) - 1;
		s = x * x + y * y;
	} while (s >= 1);
	return x * sqrt(-2 * log(s) / s);
}

/* @shape >= 1; a normal variate transformed, then rejected [MT00]. */
static double gamma_variate(uint64_t *state, double shape, double scale)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v;

	do {
		x = normal(state);
		v = (1 + c * x) * (1 + c * x) * (1 + c * x);
	} while (v <= 0 ||
		 log(random_uniform(state)) >= x * x / 2 + d - d * v + d * log(v));
	return d * v * scale;
}

/* Below @most: others are drawn again. */
static double short_gamma(uint64_t *state, double shape, double scale,
			  double most)
{
	double x;

	do {
		x = gamma_variate(state, shape, scale);
	} while (x > most);
	return x;
}

/* ---- one job ---- */

static int32_t draw_procs(uint64_t *state, int32_t procs)
{
	double high = log2(procs), medium = high - SIZE_MEDIUM_BELOW;
	double kind = random_uniform(state), size;

	if (kind < SERIAL)
		return 1;
	if (random_uniform(state) < SIZE_SMALL)
		size = SIZE_LOW + (medium - SIZE_LOW) * random_uniform(state);
	else
		size = medium + (high - medium) * random_uniform(state);
	if (kind < SERIAL + POWER_OF_TWO)
		size = floor(size + 0.5);
	size = floor(exp2(size) + 0.5);
	return size < procs ? (int32_t)size : procs;
}

static int64_t draw_run(uint64_t *state, int32_t procs)
{
	double is_short = SHORT_PER_PROC * procs + SHORT_AT_ZERO;
	double run;

	if (random_uniform(state) < is_short)
		run = short_gamma(state, SHORT_SHAPE, SHORT_SCALE,
				  RUN_LOG_MOST);
	else
		run = short_gamma(state, LONG_SHAPE, LONG_SCALE, RUN_LOG_MOST);
	return (int64_t)exp(run);
}

/* ---- the daily cycle ---- */

/*
 * A clock that goes fast when many jobs arrive: in a day it goes on by as many
 * seconds, in half-hour i by weight[i] * SLOT_SECONDS, evenly. On it, gaps do
 * not depend on the hour.
 */
struct cycle {
	double weight[SLOTS], before[SLOTS + 1]; /* sums of weights */
};

/* The distribution function at @x > 0, but for a factor, by its series. */
static double gamma_below(double x, double shape)
{
	double term = 1 / shape, sum = term;
	int i;

	for (i = 1; term > sum * 1e-15; i++) {
		term *= x / (shape + i);
		sum += term;
	}
	return sum * exp(shape * log(x) - x);
}

static void make_cycle(struct cycle *c)
{
	double low, high, sum = 0;
	int i;

	for (i = FIRST_SLOT; i < FIRST_SLOT + SLOTS; i++) {
		low = gamma_below((i - 0.5) / SLOT_SCALE, SLOT_SHAPE);
		high = gamma_below((i + 0.5) / SLOT_SCALE, SLOT_SHAPE);
		c->weight[(i - 1) % SLOTS] = high - low;
		sum += high - low;
	}
	c->before[0] = 0;
	for (i = 0; i < SLOTS; i++) {
		c->weight[i] *= SLOTS / sum;
		c->before[i + 1] = c->before[i] + c->weight[i];
	}
}

/* From seconds to seconds of the cycle's clock. */
static double to_cycle(const struct cycle *c, double t)
{
	double slots = t / SLOT_SECONDS, days = floor(slots / SLOTS);
	int slot;

	slots -= days * SLOTS;
	slot = (int)slots < SLOTS ? (int)slots : SLOTS - 1;
	return SLOT_SECONDS * (days * SLOTS + c->before[slot] +
			       c->weight[slot] * (slots - slot));
}

/* And back. */
static double from_cycle(const struct cycle *c, double t)
{
	double points = t / SLOT_SECONDS, days = floor(points / SLOTS);
	int slot = 0;

	points -= days * SLOTS;
	while (slot < SLOTS - 1 && c->before[slot + 1] <= points)
		slot++;
	return SLOT_SECONDS * (days * SLOTS + slot +
			       (points - c->before[slot]) / c->weight[slot]);
}

/* ---- all jobs ---- */

static double work(const struct swf_job *job, size_t jobs)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < jobs; i++)
		sum += (double)job[i].run * job[i].procs;
	return sum;
}

double lublin_load(const struct lublin_rules *r, const struct swf_job *job,
		   size_t jobs)
{
	int64_t last = job[jobs - 1].submit;

	return work(job, jobs) / ((double)r->procs * (double)(last ? last : 1));
}

static void draw_job(const struct lublin_rules *r, uint64_t *state,
		     struct swf_job *j)
{
	double request;

	memset(j, 0, sizeof(*j));
	j->procs = draw_procs(state, r->procs);
	j->run = draw_run(state, j->procs);
	request = 1 + (r->overestimate - 1) * random_uniform(state);
	j->request = (int64_t)((double)j->run * request);
	j->estimate = j->request;
	j->requested_procs = j->procs;
	j->status = 1;
	j->cpu_time = j->used_memory = j->requested_memory = -1;
	j->user_id = j->group = j->executable = j->queue = -1;
	j->partition = j->preceding = j->think = -1;
}

/*
 * Arrivals have random numbers of their own, and are drawn twice: first their
 * sum, from which the load gives the scale.
 */
static void draw_arrivals(const struct lublin_rules *r, struct swf_job *job,
			  size_t jobs)
{
	const uint64_t seed = ~r->seed;
	double sum = 0, scale = 1, span;
	struct cycle c;
	uint64_t state = seed;
	size_t i;

	make_cycle(&c);
	for (i = 0; r->load > 0 && i < jobs; i++)
		sum += exp(short_gamma(&state, GAP_SHAPE, GAP_SCALE,
				       GAP_LOG_MOST));
	span = r->load > 0 ? work(job, jobs) / (r->procs * r->load) : 0;
	if (r->load > 0)
		scale = to_cycle(&c, span) / sum;
	state = seed;
	sum = 0;
	for (i = 0; i < jobs; i++) {
		sum += exp(short_gamma(&state, GAP_SHAPE, GAP_SCALE,
				       GAP_LOG_MOST));
		job[i].submit = (int64_t)from_cycle(&c, sum * scale);
	}
}

void lublin_generate(const struct lublin_rules *r, struct swf_job *job,
		     size_t jobs)
{
	uint64_t state = r->seed;
	size_t i;

	for (i = 0; i < jobs; i++) {
		draw_job(r, &state, &job[i]);
		job[i].id = (int64_t)i + 1;
	}
	draw_arrivals(r, job, jobs);
}

void lublin_write(FILE *f, const struct lublin_rules *r,
		  const struct swf_job *job, size_t jobs)
{
	size_t i;

	fprintf(f, "; Version: 2.2\n; Computer: a model\n");
	fprintf(f,
		"; Note: fairsched generate --model lublin --seed %" PRIu64
		" --jobs %zu --procs %" PRId32 " --overestimate %.15g",
		r->seed, jobs, r->procs, r->overestimate);
	if (r->load > 0)
		fprintf(f, " --load %.15g", r->load);
	fprintf(f,
		"\n; MaxJobs: %zu\n; MaxRecords: %zu\n"
		"; UnixStartTime: 0\n; TimeZoneString: UTC\n"
		"; MaxProcs: %" PRId32 "\n",
		jobs, jobs, r->procs);
	for (i = 0; i < jobs; i++)
		swf_write_job(f, &job[i], -1);
}
