/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * lublin.h - a made-up trace of one machine, the same everywhere
 *
 * Sizes, run times, arrivals and the daily cycle of the model for all jobs of
 * [LF]: U. Lublin, D. G. Feitelson: The workload on parallel supercomputers,
 * JPDC 63(11), 2003. Requests are 1 to 5 times the run time. Arrival times are
 * stretched at the end, so that the load is exactly what was asked for.
 */
#ifndef FAIR_LUBLIN_H
#define FAIR_LUBLIN_H

#include "../tools/fairsched/swf.h"
#include "bench.h"

#define LUBLIN_LONGEST 12.0 /* ln seconds: 45 hours */
#define LUBLIN_APART 13.0   /* ln seconds between two arrivals */
#define LUBLIN_HALF_HOURS 48

static inline double lublin_normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(bench_uniform(state)));

	return radius * cos(8 * atan(1) * bench_uniform(state));
}

/* Marsaglia and Tsang 2000, for @shape >= 1. */
static inline double lublin_gamma(uint64_t *state, double shape, double scale)
{
	double d = shape - 1 / 3.0, x, v;

	do {
		x = lublin_normal(state);
		v = 1 + x / sqrt(9 * d);
		v = v * v * v;
	} while (v <= 0 || log(bench_uniform(state)) >
				   x * x / 2 + d - d * v + d * log(v));
	return d * v * scale;
}

static inline int32_t lublin_procs(uint64_t *state, int32_t most)
{
	double kind = bench_uniform(state), high = log2(most), power;
	double middle = high - 2.5, low = 0.8;

	if (kind <= 0.244)
		return 1;
	if (bench_uniform(state) <= 0.86)
		power = low + (middle - low) * bench_uniform(state);
	else
		power = middle + (high - middle) * bench_uniform(state);
	if (kind <= 0.244 + 0.576)
		power = floor(power + 0.5);
	return (int32_t)fmin(most, floor(exp2(power) + 0.5));
}

static inline int64_t lublin_run(uint64_t *state, int32_t procs)
{
	double p = fmax(0, -0.0054 * procs + 0.78), power;

	do {
		power = bench_uniform(state) <= p
				? lublin_gamma(state, 4.2, 0.94)
				: lublin_gamma(state, 312, 0.03);
	} while (power > LUBLIN_LONGEST);
	return (int64_t)fmax(1, exp(power));
}

/*
 * Arrivals come at an even pace in a time that runs as fast as the half hour of
 * the day is busy; here is that time's clock, in seconds after midnight.
 */
struct lublin_day {
	double busy[LUBLIN_HALF_HOURS]; /* 1 on average */
};

static inline void lublin_day_init(struct lublin_day *d)
{
	double sum = 0, x;
	int i;

	/* The day begins at half past five, when least jobs arrive. */
	for (i = 0; i < LUBLIN_HALF_HOURS; i++) {
		x = i + 11;
		d->busy[(i + 10) % LUBLIN_HALF_HOURS] =
			exp((8.1737 - 1) * log(x) - x / 3.9631);
	}
	for (i = 0; i < LUBLIN_HALF_HOURS; i++)
		sum += d->busy[i];
	for (i = 0; i < LUBLIN_HALF_HOURS; i++)
		d->busy[i] *= LUBLIN_HALF_HOURS / sum;
}

/* @now, after @points seconds at the average pace. */
static inline double lublin_later(const struct lublin_day *d, double now,
				  double points)
{
	double end, rest;
	int i;

	for (;; now = end, points -= rest) {
		i = (int)(fmod(now, 86400) / 1800);
		end = (floor(now / 1800) + 1) * 1800;
		rest = (end - now) * d->busy[i];
		if (points < rest)
			return now + points / d->busy[i];
	}
}

static inline void lublin_make(struct swf_job *job, size_t jobs, int32_t procs,
			       double load, uint64_t seed)
{
	double *at = (double *)bench_alloc(jobs * sizeof(*at));
	double now = 0, work = 0, apart, stretch;
	struct lublin_day day;
	size_t i;

	lublin_day_init(&day);
	for (i = 0; i < jobs; i++) {
		do {
			apart = lublin_gamma(&seed, 10.2303 * 1.0225, 0.4871);
		} while (apart > LUBLIN_APART);
		at[i] = now = lublin_later(&day, now, exp(apart));
		job[i].procs = lublin_procs(&seed, procs);
		job[i].run = lublin_run(&seed, job[i].procs);
		job[i].estimate = (int64_t)((double)job[i].run *
					    (1 + 4 * bench_uniform(&seed)));
		job[i].id = (int64_t)i + 1;
		work += (double)job[i].run * job[i].procs;
	}
	stretch = work / load / procs / (now - at[0]);
	for (i = 0; i < jobs; i++)
		job[i].submit = (int64_t)((at[i] - at[0]) * stretch);
	free(at);
}

#endif /* FAIR_LUBLIN_H */
