/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * priority.h - Maui's job priority: six weighted components
 *
 *	component	parts: sum of weight * min(cap, value)
 *
 *	service		queue time, expansion factor
 *	resource	nodes, processors, memory, swap, disk, PE
 *	fairshare	FSDelta of user, group, account, QoS, queue
 *	directspec	priorities given to user, group, account, QoS, queue
 *	target		how close a job is to its targets for the service parts
 *	bypass		how often a job of lower priority started before it
 *
 * A component is min(cap, sum of its parts); the priority is the sum of weight
 ** component. While a job waits, the parts of service and target grow:
 *
 *	      |        ____cap          |                      |
 *	      |      /                  |                     _|
 *	      |    /                    |                  __/ |
 *	      |  /                      |________________--    |
 *	      +-------------- wait      +----------------------|- wait
 *	       queue time                1 / (target - wait)^2  target
 *
 * INSTALL
 *	In ONE file:	#define FAIR_PRIORITY_IMPLEMENTATION
 *			#include "priority.h"
 *	elsewhere:	#include "priority.h"
 *	FAIRSCHED_IMPLEMENTATION does it for the whole family; FAIRSCHED_STATIC
 *	makes every function static.
 *
 * EXAMPLE
 *	struct fair_priority_config config = fair_priority_defaults();
 *	struct fair_priority_job job = { 0 };
 *	struct fair_priority_parts p;
 *
 *	config.weight[FAIR_PRIORITY_XFACTOR] = 10;
 *	job.wait = 5400;
 *	job.walltime = 3600;
 *	if (fair_priority(&config, &job, &p))
 *		return 1;
 *	// 1 * 90 minutes + 10 * (5400 + 3600) / 3600:
 *	// p.priority == 115 * FAIR_PRIORITY_ONE
 *
 * VALUES of the parts
 *	queue time	wait, in minutes
 *	expansion factor (wait + walltime) / walltime
 *	nodes ... disk	the job's request; memory, swap, disk in MB
 *	PE		processor equivalents, see fair_priority_pe()
 *	FSDelta		target - usage, in percentage points: fair_usage_delta()
 *	priorities	of the credentials, given by the site
 *	targets		1 / max(0.0001, target - current)^2, time in minutes:
 *			10^8 from the target on; 0 without a target
 *	bypass		BypassCount
 *
 * UNITS
 *	Times in seconds. Values, caps and results are fixed point with 20
 *	fraction bits: FAIR_PRIORITY_ONE is 1. Weights are integers, as in Maui,
 *	and may be negative. A cap of 0 means no cap.
 *
 * ARITHMETIC
 *	Products and sums saturate at +-FAIR_PRIORITY_MAX, so that a caller can
 *	sort by -priority. Parts are added in the order of the enum, which is
 *	that of [MAUI] table 2, components in the order of the list above.
 *	Products with weights are exact. The error of a value, with u = 2^-20:
 *
 *		queue time, expansion factor, PE	rounded to nearest: u/2
 *		target					0.501 u
 *		the others				exact
 *
 *	unless it saturates. min(cap, .) increases no difference, hence
 *
 *		|error| <= sum of |component's weight * part's weight| * that
 *
 *	Proof for the targets: queue time is rounded once. For the expansion
 *	factor write m - f, m >= 105 an integer, 0 <= f < 1, for its distance in
 *	units of u. x = m * 2^k - floor(f * 2^k) has 62 bits, y = floor(2^123 /
 *	x) at least 62, the upper half of y^2 at least 59. Relative errors: x
 *	2^-61, y another 2^-61, so y^2 2^-59, its upper half another 2^-58: less
 *	than 2^-57. The value is at most 10^8 < 2^26.6, so that is less than
 *	0.0008 u, and rounding adds u/2.
 *
 * BYPASS
 *	The caller counts. At each time, after the starts, it scans the jobs by
 *	rising priority: each job that started adds one to every queued job
 *	above it.
 *
 * ERRORS	0, or -FAIR_EINVAL for an argument out of its range; on an error
 *		nothing has changed.
 * MEMORY	none
 * THREADS	all calls may run concurrently: there is no state.
 * COMPLEXITY	O(1)
 * DEFINES	FAIR_PRIORITY_API, FAIRSCHED_STATIC, FAIR_ASSERT
 * SOURCES
 *	[MAUI] Jackson, Snell, Clement: Core Algorithms of the Maui Scheduler,
 *	JSSPP 2001: 5, table 2, 6.1 (PE). Differs: the minus in the expansion
 *	factor in the note of table 2 is a misprint.
 *	[MAG] Maui Scheduler Administrator's Guide, 5.1.2: what the paper
 *	leaves open, the defaults and the sum of a QoS's and the site's weights.
 */
#ifndef FAIR_PRIORITY_H
#define FAIR_PRIORITY_H

#define FAIRSCHED_VERSION 100

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_LINKAGE
#define FAIRSCHED_SHARED_LINKAGE

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIR_ENOMEM 12
#define FAIR_EINVAL 22
#define FAIR_ENOSPC 28
#define FAIR_ERANGE 34
#define FAIR_EOVERFLOW 75

#ifdef FAIRSCHED_STATIC /* each unit has its own bodies */
#undef FAIRSCHED_IMPLEMENTATION
#define FAIRSCHED_IMPLEMENTATION
#define FAIRSCHED_LINKAGE static inline
#elif !defined(FAIRSCHED_LINKAGE)
#define FAIRSCHED_LINKAGE extern
#endif

#ifdef __cplusplus
#define FAIRSCHED_BEGIN_C extern "C" {
#define FAIRSCHED_END_C }
#else
#define FAIRSCHED_BEGIN_C
#define FAIRSCHED_END_C
#endif

/* Each unit refers to this: it needs an implementation of its version. */
#define FAIRSCHED_SYMBOL(header)                                               \
	header##_version_100_define_FAIRSCHED_IMPLEMENTATION_in_one_file
#define FAIRSCHED_PROVIDE(api, header)                                         \
	api int FAIRSCHED_SYMBOL(header)(void)                                 \
	{                                                                      \
		return FAIRSCHED_VERSION;                                      \
	}
#define FAIRSCHED_REQUIRE(api, header) api int FAIRSCHED_SYMBOL(header)(void)
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
#undef FAIRSCHED_REQUIRE
#define FAIRSCHED_REQUIRE(api, header)                                         \
	api int FAIRSCHED_SYMBOL(header)(void);                                \
	static int (*const header##_required)(void)                            \
		__attribute__((used, retain)) = FAIRSCHED_SYMBOL(header)
#endif
#endif
#endif /* FAIRSCHED_SHARED_LINKAGE */

#ifndef FAIR_PRIORITY_API
#define FAIR_PRIORITY_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_PRIORITY_API, fair_priority);

#define FAIR_PRIORITY_ONE ((int64_t)1 << 20)  /* 1, as value, cap, priority */
#define FAIR_PRIORITY_MAX INT64_MAX	      /* where both signs saturate */
#define FAIR_PRIORITY_MOST ((int64_t)1 << 61) /* walltime, amounts */

enum fair_priority_component {
	FAIR_PRIORITY_SERVICE,
	FAIR_PRIORITY_RESOURCE,
	FAIR_PRIORITY_FAIRSHARE,
	FAIR_PRIORITY_DIRECTSPEC,
	FAIR_PRIORITY_TARGET,
	FAIR_PRIORITY_BYPASS,
	FAIR_PRIORITY_COMPONENTS
};

/* In the order of [MAUI] table 2. */
enum fair_priority_part {
	FAIR_PRIORITY_QUEUE_TIME,
	FAIR_PRIORITY_XFACTOR,
	FAIR_PRIORITY_NODES,
	FAIR_PRIORITY_PROCS,
	FAIR_PRIORITY_MEMORY,
	FAIR_PRIORITY_SWAP,
	FAIR_PRIORITY_DISK,
	FAIR_PRIORITY_PE,
	FAIR_PRIORITY_FS_USER,
	FAIR_PRIORITY_FS_GROUP,
	FAIR_PRIORITY_FS_ACCOUNT,
	FAIR_PRIORITY_FS_QOS,
	FAIR_PRIORITY_FS_QUEUE,
	FAIR_PRIORITY_USER,
	FAIR_PRIORITY_GROUP,
	FAIR_PRIORITY_ACCOUNT,
	FAIR_PRIORITY_QOS,
	FAIR_PRIORITY_QUEUE,
	FAIR_PRIORITY_TARGET_XFACTOR,
	FAIR_PRIORITY_TARGET_QUEUE_TIME,
	FAIR_PRIORITY_BYPASSED,
	FAIR_PRIORITY_PARTS
};

/* user, group, account, QoS, queue: the order of fs_delta and given. */
#define FAIR_PRIORITY_CREDENTIALS 5

/**
 * struct fair_priority_config - weights and caps of a site.
 * @component_weight: SERVICEWEIGHT, RESOURCEWEIGHT, ...
 * @component_cap:    RESOURCECAP, FSCAP, ..., >= 0, fixed point; 0: none
 * @weight:           QUEUETIMEWEIGHT, XFACTORWEIGHT, NODEWEIGHT, ...
 * @cap:              QUEUETIMECAP, XFACTORCAP, ..., >= 0, fixed point; 0: none
 */
struct fair_priority_config {
	int64_t component_weight[FAIR_PRIORITY_COMPONENTS];
	int64_t component_cap[FAIR_PRIORITY_COMPONENTS];
	int64_t weight[FAIR_PRIORITY_PARTS];
	int64_t cap[FAIR_PRIORITY_PARTS];
};

/**
 * struct fair_priority_amounts - amounts of a request or of the machine.
 * @memory, @swap, @disk: MB
 *
 * Each is 0 .. FAIR_PRIORITY_MOST.
 */
struct fair_priority_amounts {
	int64_t nodes, procs, memory, swap, disk;
};

/**
 * struct fair_priority_job - a queued job; 0 for what has no weight.
 * @wait:              seconds since it was submitted, >= 0
 * @walltime:          limit, seconds, 1 .. FAIR_PRIORITY_MOST
 * @request:           requested amounts
 * @pe:                fixed point, >= 0: fair_priority_pe()
 * @fs_delta:          FSDelta of its credentials, fixed point
 * @given:             priorities of its credentials
 * @bypassed:          BypassCount, >= 0
 * @xfactor_target:    fixed point, >= 0; 0: none
 * @queue_time_target: seconds, >= 0; 0: none
 * @xfactor_weight:    of its QoS, added to the site's
 * @queue_time_weight: of its QoS, added to the site's
 */
struct fair_priority_job {
	int64_t wait, walltime;
	struct fair_priority_amounts request;
	int64_t pe;
	int64_t fs_delta[FAIR_PRIORITY_CREDENTIALS];
	int64_t given[FAIR_PRIORITY_CREDENTIALS];
	int64_t bypassed;
	int64_t xfactor_target, queue_time_target;
	int64_t xfactor_weight, queue_time_weight;
};

/**
 * struct fair_priority_parts - a priority and its parts, fixed point.
 * @priority:  sum of @component
 * @component: weight * @factor
 * @factor:    min(cap, sum of @part)
 * @part:      weight * min(cap, @value)
 * @value:     as listed above
 */
struct fair_priority_parts {
	int64_t priority;
	int64_t component[FAIR_PRIORITY_COMPONENTS];
	int64_t factor[FAIR_PRIORITY_COMPONENTS];
	int64_t part[FAIR_PRIORITY_PARTS];
	int64_t value[FAIR_PRIORITY_PARTS];
};

/**
 * fair_priority_defaults() - the configuration with which priority is the queue
 * time in minutes.
 *
 * The weights are 1 for service, queue time and directspec, and for the parts
 * of target and bypass, which have no weight of their own in table 2. All
 * others are 0. There are no caps.
 *
 * Source: [MAG].
 */
FAIR_PRIORITY_API struct fair_priority_config fair_priority_defaults(void);

/**
 * fair_priority() - compute the priority of a queued job.
 * @config: weights and caps
 * @job:    job
 * @parts:  out: its priority with all parts; untouched on error
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(1).  Source: [MAUI] 5.1, table 2.
 */
FAIR_PRIORITY_API int fair_priority(const struct fair_priority_config *config,
				    const struct fair_priority_job *job,
				    struct fair_priority_parts *parts);

/**
 * fair_priority_pe() - compute the processor equivalents of a request.
 * @request: amounts; its nodes are ignored
 * @machine: configured amounts; processors 1 .. INT32_MAX; a resource with an
 *           amount of 0 is ignored
 * @pe:      out: the largest share of procs, memory, swap and disk, times the
 *           machine's processors, fixed point, rounded to nearest, halves up;
 *           untouched on error
 *
 * Call it once for each job: the result does not change while the job waits.
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(1), about a hundred divisions.  Source: [MAUI] 6.1.1.
 */
FAIR_PRIORITY_API int
fair_priority_pe(const struct fair_priority_amounts *request,
		 const struct fair_priority_amounts *machine, int64_t *pe);

/** fair_priority_component_name() - name such as "service", or "". */
FAIR_PRIORITY_API const char *fair_priority_component_name(int component);

/** fair_priority_part_name() - name such as "queue_time", or "". */
FAIR_PRIORITY_API const char *fair_priority_part_name(int part);

FAIRSCHED_END_C
#endif /* FAIR_PRIORITY_H */

#if !defined(FAIR_PRIORITY_IMPLEMENTED) &&                                     \
	(defined(FAIR_PRIORITY_IMPLEMENTATION) ||                              \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_PRIORITY_IMPLEMENTED

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_ASSERT
#define FAIRSCHED_SHARED_ASSERT

#ifdef __GNUC__
#define FAIR_BUILTIN(name) __builtin_##name
#define FAIR_TRAP __builtin_trap
#else
#include <stdlib.h>
#include <string.h>
#define FAIR_BUILTIN(name) name
#define FAIR_TRAP abort
#endif
#ifndef FAIR_ASSERT
#define FAIR_ASSERT(x) ((x) ? (void)0 : FAIR_TRAP())
#endif
#ifndef FAIR_MEMCPY
#define FAIR_MEMCPY FAIR_BUILTIN(memcpy)
#define FAIR_MEMMOVE FAIR_BUILTIN(memmove)
#define FAIR_MEMSET FAIR_BUILTIN(memset)
#endif

/* For a call that is proved to succeed. */
static inline void fair_must(int error)
{
	FAIR_ASSERT(error == 0);
	(void)error;
}
#endif /* FAIRSCHED_SHARED_ASSERT */

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_NUMBERS
#define FAIRSCHED_SHARED_NUMBERS

/* An integer of 128 bits. */
struct fair_wide {
	uint64_t high, low;
};

static inline struct fair_wide fair_multiply(uint64_t a, uint64_t b)
{
	struct fair_wide product;
/* In WebAssembly this product would call the compiler's library. */
#if defined(__SIZEOF_INT128__) && !defined(__wasm__) && !defined(FAIR_NO_INT128)
	__extension__ typedef unsigned __int128 fair_uint128;
	fair_uint128 whole = (fair_uint128)a * b;

	product.high = (uint64_t)(whole >> 64);
	product.low = (uint64_t)whole;
#else
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
	uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t low = a0 * b0, cross = a0 * b1 + (low >> 32);
	/* Neither sum exceeds (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1. */
	uint64_t middle = a1 * b0 + (cross & UINT32_MAX);

	product.high = a1 * b1 + (cross >> 32) + (middle >> 32);
	product.low = middle << 32 | (low & UINT32_MAX);
#endif
	return product;
}

static inline bool fair_wide_less(struct fair_wide a, struct fair_wide b)
{
	return a.high != b.high ? a.high < b.high : a.low < b.low;
}
#endif /* FAIRSCHED_SHARED_NUMBERS */

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_DIVISION
#define FAIRSCHED_SHARED_DIVISION

static inline struct fair_wide fair_wide_add(struct fair_wide a, uint64_t b)
{
	a.low += b;
	a.high += a.low < b;
	return a;
}

/* 1 + the number of the highest set bit; 0 for 0. */
static inline int fair_bits(uint64_t a)
{
#if defined(__GNUC__) && !defined(FAIR_NO_INT128)
	return a ? 64 - __builtin_clzll(a) : 0;
#else
	int n = 0;

	for (; a; a >>= 1)
		n++;
	return n;
#endif
}

/*
 * One digit, of 32 bits, of a long division: rest * 2^32 + next by d, for
 * rest < d and d >= 2^63; @rest becomes the remainder. The estimate from the
 * upper half of d is never too small, and at most two too large (Knuth, TAOCP
 * 4.3.1, theorem B).
 */
static inline uint64_t fair_digit(uint64_t *rest, uint64_t next, uint64_t d)
{
	uint64_t digit = *rest / (d >> 32);
	uint64_t left = *rest % (d >> 32);

	while (digit > UINT32_MAX ||
	       digit * (d & UINT32_MAX) > (left << 32 | next)) {
		digit--;
		left += d >> 32;
		if (left > UINT32_MAX)
			break;
	}
	*rest = (*rest << 32) + next - digit * d; /* < d: right modulo 2^64 */
	return digit;
}

/* a / d, rounded down, and the rest; a.high < d */
static inline uint64_t fair_divide(struct fair_wide a, uint64_t d,
				   uint64_t *rest)
{
	int shift = 64 - fair_bits(d);
	uint64_t high;

	if (!a.high) {
		*rest = a.low % d;
		return a.low / d;
	}
	*rest = a.high << shift | a.low >> 1 >> (63 - shift);
	a.low <<= shift;
	d <<= shift;
	high = fair_digit(rest, a.low >> 32, d);
	a.low = high << 32 | fair_digit(rest, a.low & UINT32_MAX, d);
	*rest >>= shift;
	return a.low;
}
#endif /* FAIRSCHED_SHARED_DIVISION */

FAIRSCHED_PROVIDE(FAIR_PRIORITY_API, fair_priority)

/* 0.0001^-2: the value of a reached target. */
#define FAIR_PRIORITY_REACHED (INT64_C(100000000) << 20)

static int64_t fair_priority_signed(uint64_t magnitude, bool negative)
{
	int64_t a = magnitude > (uint64_t)FAIR_PRIORITY_MAX
			    ? FAIR_PRIORITY_MAX
			    : (int64_t)magnitude;

	return negative ? -a : a;
}

static uint64_t fair_priority_magnitude(int64_t a)
{
	return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}

static int64_t fair_priority_times(int64_t a, int64_t b)
{
	bool negative = (a < 0) != (b < 0);
	uint64_t x = fair_priority_magnitude(a), y = fair_priority_magnitude(b);
	uint64_t less = x < y ? x : y, more = x < y ? y : x, high, low;

	if (less >> 32)
		return fair_priority_signed(UINT64_MAX, negative);
	high = (more >> 32) * less;
	low = (more & UINT32_MAX) * less;
	if (high + (low >> 32) > INT32_MAX)
		return fair_priority_signed(UINT64_MAX, negative);
	return fair_priority_signed((high << 32) + low, negative);
}

static int64_t fair_priority_plus(int64_t a, int64_t b)
{
	if (b > 0 && a > FAIR_PRIORITY_MAX - b)
		return FAIR_PRIORITY_MAX;
	if (b < 0 && a < -FAIR_PRIORITY_MAX - b)
		return -FAIR_PRIORITY_MAX;
	return a + b;
}

static int64_t fair_priority_capped(int64_t a, int64_t cap)
{
	return cap && a > cap ? cap : a;
}

/*
 * The next @bits < 64 fraction bits of *rest / d, with *rest < d <= 2^62; *rest
 * becomes the remainder.
 */
static uint64_t fair_priority_divide(uint64_t *rest, uint64_t d, int bits)
{
	struct fair_wide a;

	a.high = *rest >> (64 - bits);
	a.low = *rest << bits;
	return fair_divide(a, d, rest);
}

/* whole + rest / d in fixed point, to nearest, halves up. */
static int64_t fair_priority_round(uint64_t whole, uint64_t rest, uint64_t d)
{
	uint64_t value;

	if (whole >> 43)
		return FAIR_PRIORITY_MAX;
	value = (whole << 20) + fair_priority_divide(&rest, d, 20);
	return fair_priority_signed(value + (rest >= d - rest), false);
}

/* max(0.0001, target - (wait + walltime) / walltime)^-2 */
static int64_t fair_priority_xfactor_target(int64_t target, uint64_t wait,
					    uint64_t walltime)
{
	uint64_t whole = wait / walltime, rest = wait % walltime, x, y;
	int64_t m = target - FAIR_PRIORITY_ONE, value;
	int shift = 122;

	if (!target)
		return 0;
	if (m <= 0 || whole > (uint64_t)m >> 20)
		return FAIR_PRIORITY_REACHED;
	/* The distance is (m - f) / 2^20, where f = rest / walltime < 1. */
	m -= (int64_t)((whole << 20) +
		       fair_priority_divide(&rest, walltime, 20));
	if (m < 105)
		return FAIR_PRIORITY_REACHED;
	if (m >> 32)
		return 0;
	/* Invariant: x = m * 2^k - floor(f * 2^k), shift = 122 - 2k. */
	for (x = (uint64_t)m; !(x >> 61); shift -= 2)
		x = 2 * x - fair_priority_divide(&rest, walltime, 1);
	rest = (uint64_t)1 << 60;
	y = fair_priority_divide(&rest, x, 63);
	/* 2^60 / (m - f)^2 = y^2 / 2^(64 + shift); 105 <= m < 2^32 */
	FAIR_ASSERT(shift > 11 && shift < 63);
	value = (int64_t)((fair_multiply(y, y).high +
			   ((uint64_t)1 << (shift - 1))) >>
			  shift);
	return fair_priority_capped(value, FAIR_PRIORITY_REACHED);
}

/* max(0.0001, (target - wait) / 60)^-2, times in seconds */
static int64_t fair_priority_queue_time_target(int64_t target, int64_t wait)
{
	uint64_t square, a = (uint64_t)3600 << 20;

	if (!target)
		return 0;
	if (wait >= target)
		return FAIR_PRIORITY_REACHED;
	if ((target - wait) >> 32)
		return 0; /* less than 2^-32 */
	square = (uint64_t)(target - wait);
	square *= square;
	return (int64_t)(a / square + (a % square >= square - a % square));
}

static bool fair_priority_is_amount(int64_t a)
{
	return a >= 0 && a <= FAIR_PRIORITY_MOST;
}

static bool
fair_priority_has_valid_amounts(const struct fair_priority_amounts *a)
{
	return fair_priority_is_amount(a->nodes) &&
	       fair_priority_is_amount(a->procs) &&
	       fair_priority_is_amount(a->memory) &&
	       fair_priority_is_amount(a->swap) &&
	       fair_priority_is_amount(a->disk);
}

static bool fair_priority_is_valid_job(const struct fair_priority_job *job)
{
	return job->wait >= 0 && job->walltime >= 1 &&
	       job->walltime <= FAIR_PRIORITY_MOST && job->pe >= 0 &&
	       job->bypassed >= 0 && job->xfactor_target >= 0 &&
	       job->queue_time_target >= 0 &&
	       fair_priority_has_valid_amounts(&job->request);
}

static bool
fair_priority_is_valid_config(const struct fair_priority_config *config)
{
	int i;

	for (i = 0; i < FAIR_PRIORITY_COMPONENTS; i++)
		if (config->component_cap[i] < 0)
			return false;
	for (i = 0; i < FAIR_PRIORITY_PARTS; i++)
		if (config->cap[i] < 0)
			return false;
	return true;
}

static void fair_priority_values(const struct fair_priority_job *job,
				 int64_t *value)
{
	uint64_t wait = (uint64_t)job->wait, walltime = (uint64_t)job->walltime;
	const struct fair_priority_amounts *r = &job->request;
	const int64_t one = FAIR_PRIORITY_ONE;
	int i;

	value[FAIR_PRIORITY_QUEUE_TIME] =
		fair_priority_round(wait / 60, wait % 60, 60);
	value[FAIR_PRIORITY_XFACTOR] = fair_priority_plus(
		one, fair_priority_round(wait / walltime, wait % walltime,
					 walltime));
	value[FAIR_PRIORITY_NODES] = fair_priority_times(one, r->nodes);
	value[FAIR_PRIORITY_PROCS] = fair_priority_times(one, r->procs);
	value[FAIR_PRIORITY_MEMORY] = fair_priority_times(one, r->memory);
	value[FAIR_PRIORITY_SWAP] = fair_priority_times(one, r->swap);
	value[FAIR_PRIORITY_DISK] = fair_priority_times(one, r->disk);
	value[FAIR_PRIORITY_PE] = job->pe;
	for (i = 0; i < FAIR_PRIORITY_CREDENTIALS; i++) {
		value[FAIR_PRIORITY_FS_USER + i] = job->fs_delta[i];
		value[FAIR_PRIORITY_USER + i] =
			fair_priority_times(one, job->given[i]);
	}
	value[FAIR_PRIORITY_TARGET_XFACTOR] = fair_priority_xfactor_target(
		job->xfactor_target, wait, walltime);
	value[FAIR_PRIORITY_TARGET_QUEUE_TIME] =
		fair_priority_queue_time_target(job->queue_time_target,
						job->wait);
	value[FAIR_PRIORITY_BYPASSED] = fair_priority_times(one, job->bypassed);
}

FAIR_PRIORITY_API struct fair_priority_config fair_priority_defaults(void)
{
	struct fair_priority_config config;

	FAIR_MEMSET(&config, 0, sizeof(config));
	config.component_weight[FAIR_PRIORITY_SERVICE] = 1;
	config.component_weight[FAIR_PRIORITY_DIRECTSPEC] = 1;
	config.weight[FAIR_PRIORITY_QUEUE_TIME] = 1;
	config.weight[FAIR_PRIORITY_TARGET_XFACTOR] = 1;
	config.weight[FAIR_PRIORITY_TARGET_QUEUE_TIME] = 1;
	config.weight[FAIR_PRIORITY_BYPASSED] = 1;
	return config;
}

FAIR_PRIORITY_API int fair_priority(const struct fair_priority_config *config,
				    const struct fair_priority_job *job,
				    struct fair_priority_parts *parts)
{
	/* Where each component's parts end. */
	static const int end[FAIR_PRIORITY_COMPONENTS] = {
		FAIR_PRIORITY_NODES,	FAIR_PRIORITY_FS_USER,
		FAIR_PRIORITY_USER,	FAIR_PRIORITY_TARGET_XFACTOR,
		FAIR_PRIORITY_BYPASSED, FAIR_PRIORITY_PARTS
	};
	int64_t extra[FAIR_PRIORITY_XFACTOR + 1], weight, sum;
	int c, i = 0;

	if (!config || !job || !parts ||
	    !fair_priority_is_valid_config(config) ||
	    !fair_priority_is_valid_job(job))
		return -FAIR_EINVAL;
	extra[FAIR_PRIORITY_QUEUE_TIME] = job->queue_time_weight;
	extra[FAIR_PRIORITY_XFACTOR] = job->xfactor_weight;
	fair_priority_values(job, parts->value);
	parts->priority = 0;
	for (c = 0; c < FAIR_PRIORITY_COMPONENTS; c++) {
		for (sum = 0; i < end[c]; i++) {
			weight = config->weight[i];
			if (i <= FAIR_PRIORITY_XFACTOR)
				weight = fair_priority_plus(weight, extra[i]);
			parts->part[i] = fair_priority_times(
				weight, fair_priority_capped(parts->value[i],
							     config->cap[i]));
			sum = fair_priority_plus(sum, parts->part[i]);
		}
		parts->factor[c] =
			fair_priority_capped(sum, config->component_cap[c]);
		parts->component[c] = fair_priority_times(
			config->component_weight[c], parts->factor[c]);
		parts->priority = fair_priority_plus(parts->priority,
						     parts->component[c]);
	}
	return 0;
}

/* a * procs / total; 0 if total is 0. */
static int64_t fair_priority_share(int64_t a, int64_t total, int64_t procs)
{
	uint64_t d = (uint64_t)total, whole, part, rest = 0, q = 0;
	int bit;

	if (!total)
		return 0;
	whole = (uint64_t)a / d;
	part = (uint64_t)a % d;
	if (whole >> 43)
		return FAIR_PRIORITY_MAX;
	/* Invariant: q * d + rest = part * (the bits of procs so far). */
	for (bit = 30; bit >= 0; bit--) {
		rest = 2 * rest + (procs >> bit & 1 ? part : 0);
		q = 2 * q + rest / d;
		rest %= d;
	}
	whole = (uint64_t)fair_priority_times((int64_t)whole, procs);
	return fair_priority_round(whole + q, rest, d);
}

FAIR_PRIORITY_API int
fair_priority_pe(const struct fair_priority_amounts *request,
		 const struct fair_priority_amounts *machine, int64_t *pe)
{
	int64_t procs, most, share;
	int64_t asked[3], total[3];
	int i;

	if (!request || !machine || !pe ||
	    !fair_priority_has_valid_amounts(request) ||
	    !fair_priority_has_valid_amounts(machine) || machine->procs < 1 ||
	    machine->procs > INT32_MAX)
		return -FAIR_EINVAL;
	asked[0] = request->memory;
	total[0] = machine->memory;
	asked[1] = request->swap;
	total[1] = machine->swap;
	asked[2] = request->disk;
	total[2] = machine->disk;
	procs = machine->procs;
	most = fair_priority_times(FAIR_PRIORITY_ONE, request->procs);
	/* Rounding is monotone: it commutes with the maximum. */
	for (i = 0; i < 3; i++) {
		share = fair_priority_share(asked[i], total[i], procs);
		most = share > most ? share : most;
	}
	*pe = most;
	return 0;
}

FAIR_PRIORITY_API const char *fair_priority_component_name(int component)
{
	static const char name[FAIR_PRIORITY_COMPONENTS + 1][16] = {
		"service", "resource", "fairshare", "directspec",
		"target",  "bypass",   ""
	};

	if (component < 0 || component > FAIR_PRIORITY_COMPONENTS)
		component = FAIR_PRIORITY_COMPONENTS;
	return name[component];
}

FAIR_PRIORITY_API const char *fair_priority_part_name(int part)
{
	static const char name[FAIR_PRIORITY_PARTS + 1][20] = {
		"queue_time", "xfactor",  "nodes",	    "procs",
		"memory",     "swap",	  "disk",	    "pe",
		"fs_user",    "fs_group", "fs_account",	    "fs_qos",
		"fs_queue",   "user",	  "group",	    "account",
		"qos",	      "queue",	  "target_xfactor", "target_queue_time",
		"bypassed",   ""
	};

	if (part < 0 || part > FAIR_PRIORITY_PARTS)
		part = FAIR_PRIORITY_PARTS;
	return name[part];
}
#endif /* FAIR_PRIORITY_IMPLEMENTED */

/*
 * This file is available under either of two licences: choose one.
 *
 * A - MIT License
 * Copyright (c) 2026 The fairsched authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in
 * all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
 * FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
 * DEALINGS IN THE SOFTWARE.
 *
 * B - Public domain (www.unlicense.org)
 *
 * This is free and unencumbered software released into the public domain.
 *
 * Anyone is free to copy, modify, publish, use, compile, sell, or distribute
 * this software, either in source code form or as a compiled binary, for any
 * purpose, commercial or non-commercial, and by any means.
 *
 * In jurisdictions that recognize copyright laws, the author or authors of
 * this software dedicate any and all copyright interest in the software to
 * the public domain. We make this dedication for the benefit of the public at
 * large and to the detriment of our heirs and successors. We intend this
 * dedication to be an overt act of relinquishment in perpetuity of all
 * present and future rights to this software under copyright law.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
 * ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
 * WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
