/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * penalty.h - multi-resource penalty: what a job costs, in processors
 *
 * A job that takes all the memory of a node leaves its processors unusable for
 * other jobs. The penalty counts these processors:
 *
 *	one node: 8 processors, 16 GB           the request: 1 processor, 12 GB
 *
 *	processors |#       |  1/8
 *	memory     |######  |  12/16 = 6/8   -> the penalty is 6
 *
 * On a heterogeneous machine the job has the price of the cheapest class of
 * nodes that it fits on, wherever it runs: users do not pay for the choice of
 * the scheduler.
 *
 * INSTALL
 *	In ONE file:	#define FAIR_PENALTY_IMPLEMENTATION
 *			#include "penalty.h"
 *	elsewhere:	#include "penalty.h"
 *	FAIRSCHED_IMPLEMENTATION does it for the whole family; FAIRSCHED_STATIC
 *	makes every function static.
 *
 * EXAMPLE
 *	int64_t small[] = { 8, 16 }, large[] = { 80, 512 };	// GB
 *	int64_t request[] = { 1, 16 };
 *	struct fair_penalty_class classes[2] = {
 *		{ 10, FAIR_PENALTY_ONE, FAIR_PENALTY_ONE, 0, small },
 *		{ 1, FAIR_PENALTY_ONE, FAIR_PENALTY_ONE, 0, large },
 *	};
 *	struct fair_penalty_chunk job = { 1, 0, 0, 0, 0, request };
 *	struct fair_penalty_machine m;
 *	size_t bytes = fair_penalty_size(2, 2);
 *	void *memory = malloc(bytes);
 *	int64_t penalty;
 *
 *	if (fair_penalty_init(&m, sizeof(m), memory, bytes, classes, 2, 2,
 *			      NULL) ||
 *	    fair_penalty(&m, &job, 1, FAIR_PENALTY_ONE, &penalty))
 *		return 1;
 *	// 8 on a small node, 2.5 on the large one: 2.5 * FAIR_PENALTY_ONE
 *	free(memory);
 *
 * METRICS (formulas of [MR]; reqCPU_j and the like are sums over the request)
 *	fair_penalty_cpu()	 processors
 *	fair_penalty_standard()	 2: standard jobs
 *	fair_penalty_pe()	 3: processor equivalent, of the whole machine
 *	fair_penalty_local()	 4, 7: processor equivalent on given nodes
 *	fair_penalty()		 5, 8: on the cheapest suitable class
 *	fair_penalty_charge()	 6, 9: walltime * least SPEC * penalty
 *
 * RESOURCES
 *	Any number; resource 0 is processors. A resource that few jobs need,
 *	such as GPUs, may be marked special: a node must have the requested
 *	amount, but the amount enters no processor equivalent, for a job that
 *	takes the last one blocks no processor ([MR 5]). The cost of its nodes
 *	is its price.
 *
 * UNITS
 *	Amounts are integers in the caller's units, the same for the machine and
 *	the requests. Penalties, SPEC and costs are fixed point with 20
 *	fraction bits: FAIR_PENALTY_ONE is 1. Times are seconds.
 *
 * ROUNDING
 *	The price of one node is rounded to nearest, halves up, and so is the
 *	product with the queue's cost. With u = 2^-20 and a queue cost of q:
 *
 *	fair_penalty_cpu()			|error| <= u/2
 *	fair_penalty_standard(), _pe()		|error| <= (q + 1) * u/2
 *	fair_penalty_local(), fair_penalty(),
 *	r nodes in the request			|error| <= (q * r + 1) * u/2
 *	fair_penalty_charge()			|error| <= u/2
 *
 *	Proof: rounding to nearest moves a value by at most u/2; the sum over r
 *	nodes by r * u/2; multiplying by q scales that by q; the last rounding
 *	adds u/2. For q = 1 the last step is exact: r * u/2. Rounding is
 *	monotone, so it commutes with the maximum over resources and the minimum
 *	over classes, and equal rationals give equal penalties.
 *
 * ERRORS
 *	0 or -FAIR_E...; on an error nothing has changed.
 *	-FAIR_EINVAL	an argument out of its range, or NULL
 *	-FAIR_ENOMEM	fewer bytes than fair_penalty_size()
 *	-FAIR_ERANGE	no class fits a chunk, or the machine is too small
 *	-FAIR_EOVERFLOW	the result, with or without the queue's cost, or a total
 *			of the machine does not fit
 *
 * MEMORY	the caller's: fair_penalty_size() bytes, any alignment, which
 *		must live as long as the machine. Classes are copied.
 * THREADS	all calls but fair_penalty_init() may run concurrently: they do
 *		not change the machine.
 * COMPLEXITY	fair_penalty() is O(chunks * classes * resources), 32 classes at
 *		a time in loops that compilers vectorize; the other metrics do
 *		not depend on the number of classes. See bench/.
 * DEFINES	FAIR_PENALTY_API, FAIRSCHED_STATIC, FAIR_ASSERT, FAIR_MEMCPY,
 *		FAIR_MEMSET; FAIR_NO_INT128 avoids __int128 and compiler
 *		built-ins
 * INVARIANTS	see struct fair_penalty_machine; fair_penalty_check() checks
 *		them
 * SOURCES
 *	[MR] Klusacek, Rudova: Multi-Resource Aware Fairsharing for
 *	Heterogeneous Systems, JSSPP 2014
 *	[MAUI] Jackson, Snell, Clement: Core Algorithms of the Maui Scheduler,
 *	JSSPP 2001
 */
#ifndef FAIR_PENALTY_H
#define FAIR_PENALTY_H

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

#ifndef FAIR_PENALTY_API
#define FAIR_PENALTY_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_PENALTY_API, fair_penalty);

#define FAIR_PENALTY_ONE ((int64_t)1 << 20) /* 1, as SPEC, cost, penalty */
#define FAIR_PENALTY_MAX (INT64_MAX / 2)    /* largest amount, SPEC, cost */

/**
 * struct fair_penalty_class - nodes that are equal.
 * @count:	nodes, >= 1
 * @spec:	speed of one processor, fixed point, > 0
 * @cost:	node_cost of [MR 4], fixed point, >= 0; usually FAIR_PENALTY_ONE
 * @properties:	bit set of the nodes' properties
 * @amount:	of each resource on one node, >= 0; processors >= 1
 */
struct fair_penalty_class {
	int32_t count;
	int64_t spec, cost;
	uint64_t properties;
	const int64_t *amount;
};

/**
 * struct fair_penalty_chunk - equal requests for some nodes of a job.
 * @count:	nodes, >= 1
 * @min_spec:	least SPEC of a node, fixed point; 0: any
 * @max_spec:	largest SPEC of a node, fixed point; 0: any
 * @properties:	properties that a node must have
 * @without:	properties that a node must not have
 * @amount:	request for each resource of one node, >= 0
 *
 * Every node has its own price, whether or not @count of them exist or are
 * free.
 */
struct fair_penalty_chunk {
	int32_t count;
	int64_t min_spec, max_spec;
	uint64_t properties, without;
	const int64_t *amount;
};

struct fair_penalty_node { /* of a class; private */
	int64_t spec, cost;
	int64_t price; /* of a whole node: processors * cost */
	uint64_t properties;
};

struct fair_penalty_resource {
	int64_t total;	      /* on all nodes */
	int32_t amount_shift; /* have = amount >> amount_shift */
	int32_t rate_shift;   /* of a product need * rate */
	bool special;
};

/**
 * struct fair_penalty_machine - node classes; all fields are private.
 *
 * For the search, classes are grouped in blocks of 32. A block has a column of
 * 32 numbers for each resource, for SPEC and for each half of the properties.
 * The last block is filled up with nodes that fit no job.
 *
 * I1  classes >= 1, resources >= 1, resource 0 is not special
 * I2  0 < spec, 0 <= cost, 0 <= amount, 1 <= processors, at most
 *     FAIR_PENALTY_MAX
 * I3  price == processors * cost <= FAIR_PENALTY_MAX, price >> price_shift
 *     < 2^25
 * I4  have == amount >> amount_shift < 2^31; -1 where there is no class
 * I5  rate <= (price >> price_shift) * 2^(rate_shift + amount_shift) / amount;
 *     0 if the resource is special or the amount 0
 * I6  traits are spec >> spec_shift < 2^31 and both halves of properties
 *
 * By I4 and I5 ((need >> amount_shift) * rate) >> rate_shift is at most
 * need * price / amount / 2^price_shift, the price of the resource there.
 */
struct fair_penalty_machine {
	struct fair_penalty_node *node;
	struct fair_penalty_resource *resource;
	int64_t *amount; /* [class][resource] */
	int32_t *have;
	uint32_t *rate, *traits;
	size_t classes, resources;
	int32_t price_shift, spec_shift;
};

/**
 * fair_penalty_size() - bytes of memory for a machine.
 * @classes:	node classes, >= 1
 * @resources:	resources, processors included, >= 1
 *
 * Return: bytes; 0 if that overflows or an argument is 0.
 */
FAIR_PENALTY_API size_t fair_penalty_size(size_t classes, size_t resources);

/**
 * fair_penalty_init() - define the machine.
 * @m:		out: machine
 * @struct_size: sizeof(*m), as the caller compiled it
 * @memory:	fair_penalty_size() bytes, kept by @m
 * @bytes:	size of @memory
 * @nodes:	node classes, copied; their numbers are 0, 1, ...
 * @classes:	number of classes, >= 1
 * @resources:	number of resources, >= 1
 * @special:	for each resource whether it is special, never resource 0; or
 *		NULL: none is
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM; -FAIR_EOVERFLOW if the price
 * of a node exceeds FAIR_PENALTY_MAX, or the machine has 2^42 processors or
 * 2^63 of another resource. Complexity: O(classes * resources).
 */
FAIR_PENALTY_API int fair_penalty_init(struct fair_penalty_machine *m,
				       size_t struct_size, void *memory,
				       size_t bytes,
				       const struct fair_penalty_class *nodes,
				       size_t classes, size_t resources,
				       const bool *special);

/**
 * fair_penalty() - penalty on the cheapest nodes that a job fits on.
 * @m:		machine
 * @chunk:	the request, an array
 * @chunks:	>= 1
 * @queue_cost:	of the job's queue, fixed point, >= 0
 * @penalty:	out: processors, fixed point
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if no class fits a chunk;
 * -FAIR_EOVERFLOW. Complexity: O(chunks * classes * resources).
 * Source: [MR] formulas 5, 8.
 */
FAIR_PENALTY_API int fair_penalty(const struct fair_penalty_machine *m,
				  const struct fair_penalty_chunk *chunk,
				  size_t chunks, int64_t queue_cost,
				  int64_t *penalty);

/**
 * fair_penalty_local() - penalty on the nodes that are assigned to the job.
 * @m:		machine
 * @chunk:	the request; a chunk on nodes of two classes must be split
 * @chunks:	>= 1
 * @assigned:	the class of each chunk's nodes
 * @queue_cost:	of the job's queue, fixed point, >= 0
 * @penalty:	out: processors, fixed point
 *
 * Differs: the queue's cost, 1 in [MR 4], is a factor of this and all metrics
 * below, so that a queue costs the same by any metric.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if a chunk does not fit on its class;
 * -FAIR_EOVERFLOW. Complexity: O(chunks * resources).
 * Source: [MR] formulas 4, 7.
 */
FAIR_PENALTY_API int fair_penalty_local(const struct fair_penalty_machine *m,
					const struct fair_penalty_chunk *chunk,
					size_t chunks, const size_t *assigned,
					int64_t queue_cost, int64_t *penalty);

/**
 * fair_penalty_pe() - processor equivalent, of the whole machine.
 * @m:		machine
 * @chunk:	request
 * @chunks:	>= 1
 * @queue_cost:	of the job's queue, fixed point, >= 0
 * @penalty:	out: processors, fixed point
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if the machine has less of a resource;
 * -FAIR_EOVERFLOW. Complexity: O(chunks * resources).
 * Source: [MR] formula 3, [MAUI 6.1].
 */
FAIR_PENALTY_API int fair_penalty_pe(const struct fair_penalty_machine *m,
				     const struct fair_penalty_chunk *chunk,
				     size_t chunks, int64_t queue_cost,
				     int64_t *penalty);

/**
 * fair_penalty_standard() - number of standard jobs that cover the request.
 * @chunk:	request
 * @chunks:	>= 1
 * @standard:	request of a standard job for each resource; 0: not counted
 * @resources:	>= 1; one of @standard at least is not 0
 * @queue_cost:	of the job's queue, fixed point, >= 0
 * @penalty:	out: jobs, fixed point
 *
 * Special resources count if a standard job requests them.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(chunks * resources).
 * Source: [MR] formula 2.
 */
FAIR_PENALTY_API int
fair_penalty_standard(const struct fair_penalty_chunk *chunk, size_t chunks,
		      const int64_t *standard, size_t resources,
		      int64_t queue_cost, int64_t *penalty);

/**
 * fair_penalty_cpu() - number of processors of the request.
 * @chunk:	request
 * @chunks:	>= 1
 * @queue_cost:	of the job's queue, fixed point, >= 0
 * @penalty:	out: processors, fixed point
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(chunks).
 * Source: [MR 2.1].
 */
FAIR_PENALTY_API int fair_penalty_cpu(const struct fair_penalty_chunk *chunk,
				      size_t chunks, int64_t queue_cost,
				      int64_t *penalty);

/**
 * fair_penalty_charge() - the charge of a job to its user.
 * @walltime:	seconds, >= 0
 * @spec:	least SPEC of its nodes, fixed point, > 0; FAIR_PENALTY_ONE
 *		leaves the walltime as it is
 * @penalty:	processors, fixed point, >= 0
 * @charge:	out: processor-seconds * SPEC, fixed point
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(1).
 * Source: [MR] formulas 1, 6, 9.
 */
FAIR_PENALTY_API int fair_penalty_charge(int64_t walltime, int64_t spec,
					 int64_t penalty, int64_t *charge);

/**
 * fair_penalty_check() - find the first broken invariant.
 * @m:		machine
 *
 * Return: 0, or the number of an invariant. Complexity: O(classes * resources).
 */
FAIR_PENALTY_API int fair_penalty_check(const struct fair_penalty_machine *m);

FAIRSCHED_END_C
#endif /* FAIR_PENALTY_H */

#if !defined(FAIR_PENALTY_IMPLEMENTED) &&                                      \
	(defined(FAIR_PENALTY_IMPLEMENTATION) ||                               \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_PENALTY_IMPLEMENTED

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

FAIRSCHED_PROVIDE(FAIR_PENALTY_API, fair_penalty)

#define FAIR_PENALTY_LANES 32 /* classes in a block */
/* The bound of a class that the chunk does not fit on; others are less. */
#define FAIR_PENALTY_NO_PRICE (((int32_t)1 << 26) - 1)
#define FAIR_PENALTY_OUT INT32_MAX /* the same with a lane in the low bits */
#define FAIR_PENALTY_TRAITS 3	   /* SPEC, properties: low, high */

/* a << n for 0 <= n < 64 */
static struct fair_wide fair_penalty_shift(uint64_t a, int32_t n)
{
	struct fair_wide w;

	w.high = n ? a >> (64 - n) : 0;
	w.low = a << n;
	return w;
}

/*
 * a * b / d to nearest, halves up, for a * b / d < 2^63: add d / 2, round down.
 * With an odd d no quotient is a half.
 */
static int64_t fair_penalty_ratio(int64_t a, int64_t b, int64_t d)
{
	struct fair_wide w = fair_multiply((uint64_t)a, (uint64_t)b);
	uint64_t rest;

	w = fair_wide_add(w, (uint64_t)d >> 1);
	return (int64_t)fair_divide(w, (uint64_t)d, &rest);
}

/* Whether fair_penalty_ratio(a, b, d) < x, without dividing; b < 2^63. */
static bool fair_penalty_is_ratio_below(int64_t a, int64_t b, int64_t d,
					int64_t x)
{
	if (!x)
		return false;
	return fair_wide_less(fair_multiply((uint64_t)a, (uint64_t)b * 2),
			      fair_multiply((uint64_t)d, (uint64_t)x * 2 - 1));
}

/* a * b >> 20, rounded; false if it does not fit. */
static bool fair_penalty_scale(int64_t a, int64_t b, int64_t *product)
{
	struct fair_wide w;

	w = fair_multiply((uint64_t)a, (uint64_t)b);
	w = fair_wide_add(w, (uint64_t)FAIR_PENALTY_ONE / 2);
	if (w.high >> 19)
		return false;
	*product = (int64_t)(w.high << 44 | w.low >> 20);
	return true;
}

/* *sum += count * amount; false, and no change, if that overflows. */
static bool fair_penalty_sum(int64_t *sum, int32_t count, int64_t amount)
{
	if (amount > (INT64_MAX - *sum) / count)
		return false;
	*sum += count * amount;
	return true;
}

static bool fair_penalty_is_in_range(int64_t x, int64_t least)
{
	return x >= least && x <= FAIR_PENALTY_MAX;
}

static size_t fair_penalty_lanes(size_t classes)
{
	return (classes + FAIR_PENALTY_LANES - 1) / FAIR_PENALTY_LANES *
	       FAIR_PENALTY_LANES;
}

FAIR_PENALTY_API size_t fair_penalty_size(size_t classes, size_t resources)
{
	const size_t cell =
		sizeof(int64_t) + sizeof(int32_t) + sizeof(uint32_t);
	const size_t most = SIZE_MAX / 4;
	size_t lanes, lane;

	if (!classes || !resources || classes > most ||
	    resources > most / (cell + sizeof(struct fair_penalty_resource)))
		return 0;
	lanes = fair_penalty_lanes(classes);
	lane = sizeof(struct fair_penalty_node) + resources * cell +
	       FAIR_PENALTY_TRAITS * sizeof(uint32_t);
	if (lanes > most / lane)
		return 0;
	return lanes * lane + resources * sizeof(struct fair_penalty_resource) +
	       63; /* to align the rest to 64 */
}

/* Every part has a multiple of 8 bytes: so each is aligned, as the first is. */
static void fair_penalty_lay_out(struct fair_penalty_machine *m, void *memory)
{
	size_t lanes = fair_penalty_lanes(m->classes);
	size_t skew = (size_t)((uintptr_t)memory & 63);
	unsigned char *p = (unsigned char *)memory + (skew ? 64 - skew : 0);

	m->have = (int32_t *)(void *)p;
	p += lanes * m->resources * sizeof(*m->have);
	m->rate = (uint32_t *)(void *)p;
	p += lanes * m->resources * sizeof(*m->rate);
	m->traits = (uint32_t *)(void *)p;
	p += lanes * FAIR_PENALTY_TRAITS * sizeof(*m->traits);
	m->amount = (int64_t *)(void *)p;
	p += lanes * m->resources * sizeof(*m->amount);
	m->node = (struct fair_penalty_node *)(void *)p;
	p += lanes * sizeof(*m->node);
	m->resource = (struct fair_penalty_resource *)(void *)p;
}

/* Index of class i in the column of resource r. */
static size_t fair_penalty_cell(const struct fair_penalty_machine *m, size_t i,
				size_t r)
{
	return (i / FAIR_PENALTY_LANES * m->resources + r) *
		       FAIR_PENALTY_LANES +
	       i % FAIR_PENALTY_LANES;
}

/* Index of the SPEC of class i; its properties follow LANES apart. */
static size_t fair_penalty_trait(size_t i)
{
	return i / FAIR_PENALTY_LANES * FAIR_PENALTY_TRAITS *
		       FAIR_PENALTY_LANES +
	       i % FAIR_PENALTY_LANES;
}

static int fair_penalty_class_error(const struct fair_penalty_class *c,
				    size_t resources)
{
	size_t r;

	if (c->count < 1 || !fair_penalty_is_in_range(c->spec, 1) ||
	    !fair_penalty_is_in_range(c->cost, 0) || !c->amount ||
	    !fair_penalty_is_in_range(c->amount[0], 1))
		return -FAIR_EINVAL;
	for (r = 1; r < resources; r++)
		if (!fair_penalty_is_in_range(c->amount[r], 0))
			return -FAIR_EINVAL;
	if (c->cost > FAIR_PENALTY_MAX / c->amount[0])
		return -FAIR_EOVERFLOW;
	return 0;
}

/* Amount of resource r on all nodes; false if that is too much. */
static bool fair_penalty_total(const struct fair_penalty_class *nodes,
			       size_t classes, size_t r, int64_t *total)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < classes; i++)
		if (!fair_penalty_sum(&sum, nodes[i].count, nodes[i].amount[r]))
			return false;
	*total = sum;
	return r || sum <= FAIR_PENALTY_MAX / FAIR_PENALTY_ONE;
}

/*
 * The largest shift <= 63 with which the rate p * 2^(shift + amount_shift) / a
 * of every class is less than 2^32, for p = price >> price_shift.
 */
static int32_t fair_penalty_rate_shift(const struct fair_penalty_machine *m,
				       size_t r)
{
	int32_t shift = 63, fits;
	int64_t price, amount;
	size_t i;

	for (i = 0; i < m->classes; i++) {
		price = m->node[i].price >> m->price_shift;
		amount = m->amount[i * m->resources + r];
		if (!price || !amount)
			continue;
		/* p < 2^bits(p), a >= 2^(bits(a) - 1) */
		fits = 31 + fair_bits((uint64_t)amount) -
		       fair_bits((uint64_t)price) -
		       m->resource[r].amount_shift;
		shift = fits < shift ? fits : shift;
	}
	return shift < 0 ? 0 : shift;
}

/*
 * (price >> price_shift) * 2^(rate_shift + amount_shift), the dividend of I5:
 * the price is below 2^25 and the shift at most 63 + 31, so it has 119 bits.
 */
static struct fair_wide
fair_penalty_rate_scale(const struct fair_penalty_machine *m, size_t i,
			size_t r)
{
	int32_t shift = m->resource[r].rate_shift + m->resource[r].amount_shift;
	uint64_t price = (uint64_t)(m->node[i].price >> m->price_shift);

	if (shift > 32)
		return fair_penalty_shift(price << 32, shift - 32);
	return fair_penalty_shift(price, shift);
}

/* The largest 32-bit rate that I5 allows. */
static uint32_t fair_penalty_rate(const struct fair_penalty_machine *m,
				  size_t i, size_t r)
{
	uint64_t amount = (uint64_t)m->amount[i * m->resources + r];
	struct fair_wide w = fair_penalty_rate_scale(m, i, r);
	uint64_t rate, rest;

	if (m->resource[r].special || !amount)
		return 0;
	/* Below 2^64: rate_shift is 0 or makes it below 2^32. */
	rate = fair_divide(w, amount, &rest);
	return rate > UINT32_MAX ? UINT32_MAX : (uint32_t)rate;
}

static void fair_penalty_fill_column(struct fair_penalty_machine *m, size_t r)
{
	struct fair_penalty_resource *res = &m->resource[r];
	int64_t most = 0, amount;
	size_t i, cell;

	for (i = 0; i < m->classes; i++) {
		amount = m->amount[i * m->resources + r];
		most = amount > most ? amount : most;
	}
	res->amount_shift = fair_bits((uint64_t)most) - 31;
	if (res->amount_shift < 0)
		res->amount_shift = 0;
	res->rate_shift = fair_penalty_rate_shift(m, r);
	for (i = 0; i < fair_penalty_lanes(m->classes); i++) {
		cell = fair_penalty_cell(m, i, r);
		m->have[cell] = -1;
		m->rate[cell] = 0;
		if (i >= m->classes)
			continue;
		amount = m->amount[i * m->resources + r];
		m->have[cell] = (int32_t)(amount >> res->amount_shift);
		m->rate[cell] = fair_penalty_rate(m, i, r);
	}
}

static void fair_penalty_fill_traits(struct fair_penalty_machine *m)
{
	int64_t most = 0;
	uint32_t *at;
	size_t i;

	for (i = 0; i < m->classes; i++)
		most = m->node[i].spec > most ? m->node[i].spec : most;
	m->spec_shift = fair_bits((uint64_t)most) - 31;
	if (m->spec_shift < 0)
		m->spec_shift = 0;
	for (i = 0; i < fair_penalty_lanes(m->classes); i++) {
		at = m->traits + fair_penalty_trait(i);
		at[0] = (uint32_t)(m->node[i].spec >> m->spec_shift);
		at[FAIR_PENALTY_LANES] = (uint32_t)m->node[i].properties;
		at[2 * FAIR_PENALTY_LANES] =
			(uint32_t)(m->node[i].properties >> 32);
	}
}

static void fair_penalty_fill(struct fair_penalty_machine *m,
			      const struct fair_penalty_class *nodes)
{
	size_t lanes = fair_penalty_lanes(m->classes);
	int64_t most = 0;
	size_t i;

	FAIR_MEMSET(m->node, 0, lanes * sizeof(*m->node));
	FAIR_MEMSET(m->amount, 0, lanes * m->resources * sizeof(*m->amount));
	for (i = 0; i < m->classes; i++) {
		m->node[i].spec = nodes[i].spec;
		m->node[i].cost = nodes[i].cost;
		m->node[i].price = nodes[i].amount[0] * nodes[i].cost;
		m->node[i].properties = nodes[i].properties;
		FAIR_MEMCPY(m->amount + i * m->resources, nodes[i].amount,
			    m->resources * sizeof(*m->amount));
		most = m->node[i].price > most ? m->node[i].price : most;
	}
	m->price_shift = fair_bits((uint64_t)most) - 25;
	if (m->price_shift < 0)
		m->price_shift = 0;
	fair_penalty_fill_traits(m);
}

FAIR_PENALTY_API int fair_penalty_init(struct fair_penalty_machine *m,
				       size_t struct_size, void *memory,
				       size_t bytes,
				       const struct fair_penalty_class *nodes,
				       size_t classes, size_t resources,
				       const bool *special)
{
	size_t need = fair_penalty_size(classes, resources);
	int64_t total;
	size_t i, r;
	int err;

	if (!m || struct_size != sizeof(*m) || !memory || !nodes || !need ||
	    (special && special[0]))
		return -FAIR_EINVAL;
	if (bytes < need)
		return -FAIR_ENOMEM;
	for (i = 0; i < classes; i++) {
		err = fair_penalty_class_error(&nodes[i], resources);
		if (err)
			return err;
	}
	for (r = 0; r < resources; r++)
		if (!fair_penalty_total(nodes, classes, r, &total))
			return -FAIR_EOVERFLOW;

	m->classes = classes;
	m->resources = resources;
	fair_penalty_lay_out(m, memory);
	fair_penalty_fill(m, nodes);
	for (r = 0; r < resources; r++) {
		fair_penalty_total(nodes, classes, r, &m->resource[r].total);
		m->resource[r].special = special && special[r];
		fair_penalty_fill_column(m, r);
	}
	return 0;
}

/* Whether SPEC and properties allow a node. */
static bool fair_penalty_is_admitted(const struct fair_penalty_node *node,
				     const struct fair_penalty_chunk *c)
{
	return node->spec >= c->min_spec &&
	       (!c->max_spec || node->spec <= c->max_spec) &&
	       (node->properties & c->properties) == c->properties &&
	       !(node->properties & c->without);
}

/*
 * The price of one node of class i, or @best if the chunk does not fit on it or
 * it is not cheaper. The maximum may be taken of rounded numbers, for rounding
 * is monotone; the number of resource 0 is exact.
 */
static int64_t fair_penalty_price(const struct fair_penalty_machine *m,
				  const struct fair_penalty_chunk *c, size_t i,
				  int64_t best)
{
	const int64_t *have = m->amount + i * m->resources;
	int64_t whole = m->node[i].price;
	int64_t price;
	size_t r;

	if (c->amount[0] > have[0] || !fair_penalty_is_admitted(&m->node[i], c))
		return best;
	price = c->amount[0] * m->node[i].cost; /* <= whole */
	if (price >= best)
		return best;
	for (r = 1; r < m->resources; r++) {
		if (c->amount[r] > have[r])
			return best;
		if (!c->amount[r] || m->resource[r].special)
			continue;
		if (!fair_penalty_is_ratio_below(c->amount[r], whole, have[r],
						 best))
			return best;
		if (!fair_penalty_is_ratio_below(c->amount[r], whole, have[r],
						 price + 1))
			price = fair_penalty_ratio(c->amount[r], whole,
						   have[r]);
	}
	return price;
}

/*
 * For each class of block b a lower bound of the price of one node, in units of
 * 2^price_shift, or NO_PRICE; in the 5 low bits the lane, so that the minimum
 * names its class. It is a lower bound by I4 and I5, and below 2^25 where the
 * chunk fits, for no part of a node costs more than the node. Where the chunk
 * does not fit any number is allowed.
 *
 * Written for plain SSE2: no branch in the loop, @low has no alias, and of each
 * product only the upper half is used. Therefore need * rate >> rate_shift is
 * computed as (need * 2^left * rate >> 32) >> right. If right would be
 * negative, 0 gives less, which is still a lower bound.
 */
static void fair_penalty_bounds(const struct fair_penalty_machine *m,
				const struct fair_penalty_chunk *c, size_t b,
				int32_t *bound)
{
	size_t cell = b * FAIR_PENALTY_LANES * m->resources;
	int32_t low[FAIR_PENALTY_LANES] = { 0 };
	const uint32_t *rate;
	const int32_t *have;
	size_t r, k;

	for (r = 0; r < m->resources; r++, cell += FAIR_PENALTY_LANES) {
		int64_t wide = c->amount[r] >> m->resource[r].amount_shift;
		int32_t need = wide < INT32_MAX ? (int32_t)wide : INT32_MAX;
		int32_t left = 31 - fair_bits((uint64_t)need);
		int32_t right = m->resource[r].rate_shift + left - 32;
		/* volatile: gcc 12 would use a slow 64-bit product */
		volatile uint32_t factor32 = (uint32_t)need << left;
		uint32_t factor = factor32;

		/* Resource 0 excludes the lanes without a class. */
		if (r && !c->amount[r])
			continue;
		right = right < 0 ? 0 : right > 31 ? 31 : right;
		have = m->have + cell;
		rate = m->rate + cell;
		for (k = 0; k < FAIR_PENALTY_LANES; k++) {
			uint64_t cost = (uint64_t)factor * rate[k];
			int32_t t = (int32_t)((uint32_t)(cost >> 32) >> right);

			t |= -(int32_t)(need > have[k]) & FAIR_PENALTY_NO_PRICE;
			low[k] = low[k] > t ? low[k] : t;
		}
	}
	for (k = 0; k < FAIR_PENALTY_LANES; k++)
		bound[k] = (low[k] & FAIR_PENALTY_NO_PRICE) << 5 | (int32_t)k;
}

/* Excludes classes by SPEC, without a branch. */
static void fair_penalty_exclude_by_spec(const struct fair_penalty_machine *m,
					 const struct fair_penalty_chunk *c,
					 const uint32_t *spec, int32_t *bound)
{
	int64_t min = c->min_spec >> m->spec_shift;
	int64_t max = c->max_spec >> m->spec_shift;
	int32_t least = min < INT32_MAX ? (int32_t)min : INT32_MAX;
	int32_t most =
		c->max_spec && max < INT32_MAX ? (int32_t)max : INT32_MAX;
	size_t k;

	for (k = 0; k < FAIR_PENALTY_LANES; k++) {
		int32_t x = (int32_t)spec[k];

		bound[k] |= (-(int32_t)(x < least) | -(int32_t)(x > most)) &
			    FAIR_PENALTY_OUT;
	}
}

static void fair_penalty_exclude_by_half(uint32_t mask, uint32_t want,
					 const uint32_t *half, int32_t *bound)
{
	size_t k;

	for (k = 0; mask && k < FAIR_PENALTY_LANES; k++)
		bound[k] |=
			-(int32_t)((half[k] & mask) != want) & FAIR_PENALTY_OUT;
}

/*
 * Excludes classes by SPEC and properties. fair_penalty_price() rejects those
 * that remain: SPEC is compared without its low bits, and a property may be
 * both required and excluded.
 */
static void fair_penalty_exclude(const struct fair_penalty_machine *m,
				 const struct fair_penalty_chunk *c, size_t b,
				 int32_t *bound)
{
	const uint32_t *at =
		m->traits + fair_penalty_trait(b * FAIR_PENALTY_LANES);
	uint64_t mask = c->properties | c->without, want = c->properties;

	if (c->min_spec || c->max_spec)
		fair_penalty_exclude_by_spec(m, c, at, bound);
	at += FAIR_PENALTY_LANES;
	fair_penalty_exclude_by_half((uint32_t)mask, (uint32_t)want, at, bound);
	at += FAIR_PENALTY_LANES;
	fair_penalty_exclude_by_half((uint32_t)(mask >> 32),
				     (uint32_t)(want >> 32), at, bound);
}

/*
 * A price below @best needs a bound below this limit: price < best implies
 * bound <= (best - 1) / 2^price_shift. The lane of the limit is 0.
 */
static int32_t fair_penalty_limit(const struct fair_penalty_machine *m,
				  int64_t best)
{
	int64_t limit = best ? ((best - 1) >> m->price_shift) + 1 : 0;

	if (limit > FAIR_PENALTY_NO_PRICE)
		limit = FAIR_PENALTY_NO_PRICE;
	return (int32_t)limit << 5;
}

/*
 * The least price of a node in block b, or @best if none is below. The class
 * with the least bound is priced first, so that the limit excludes most others.
 */
static int64_t fair_penalty_block_price(const struct fair_penalty_machine *m,
					const struct fair_penalty_chunk *c,
					size_t b, int64_t best)
{
	int32_t bound[FAIR_PENALTY_LANES];
	int32_t least = FAIR_PENALTY_OUT, limit = fair_penalty_limit(m, best);
	size_t first = b * FAIR_PENALTY_LANES;
	size_t k;

	fair_penalty_bounds(m, c, b, bound);
	fair_penalty_exclude(m, c, b, bound);
	for (k = 0; k < FAIR_PENALTY_LANES; k++)
		least = bound[k] < least ? bound[k] : least;
	if (least >= limit)
		return best;
	k = (size_t)least % FAIR_PENALTY_LANES;
	best = fair_penalty_price(m, c, first + k, best);
	bound[k] = FAIR_PENALTY_OUT;
	limit = fair_penalty_limit(m, best);
	for (k = 0; k < FAIR_PENALTY_LANES; k++) {
		if (bound[k] >= limit)
			continue;
		best = fair_penalty_price(m, c, first + k, best);
		limit = fair_penalty_limit(m, best);
	}
	return best;
}

/* The least price of a node; INT64_MAX if the chunk fits on no class. */
static int64_t fair_penalty_least_price(const struct fair_penalty_machine *m,
					const struct fair_penalty_chunk *c)
{
	size_t blocks = fair_penalty_lanes(m->classes) / FAIR_PENALTY_LANES;
	int64_t best = INT64_MAX;
	size_t b;

	for (b = 0; b < blocks; b++)
		best = fair_penalty_block_price(m, c, b, best);
	return best;
}

static bool fair_penalty_is_valid_chunk(const struct fair_penalty_chunk *c,
					size_t resources)
{
	size_t r;

	if (c->count < 1 || !c->amount ||
	    !fair_penalty_is_in_range(c->min_spec, 0) ||
	    !fair_penalty_is_in_range(c->max_spec, 0))
		return false;
	for (r = 0; r < resources; r++)
		if (!fair_penalty_is_in_range(c->amount[r], 0))
			return false;
	return true;
}

static bool
fair_penalty_is_valid_request(const struct fair_penalty_chunk *chunk,
			      size_t chunks, size_t resources,
			      int64_t queue_cost)
{
	size_t k;

	if (!chunk || !chunks || !fair_penalty_is_in_range(queue_cost, 0))
		return false;
	for (k = 0; k < chunks; k++)
		if (!fair_penalty_is_valid_chunk(&chunk[k], resources))
			return false;
	return true;
}

/* Sum of the request for resource r; false if that overflows. */
static bool fair_penalty_asked(const struct fair_penalty_chunk *chunk,
			       size_t chunks, size_t r, int64_t *asked)
{
	size_t k;

	*asked = 0;
	for (k = 0; k < chunks; k++)
		if (!fair_penalty_sum(asked, chunk[k].count,
				      chunk[k].amount[r]))
			return false;
	return true;
}

/* The penalty on the nodes that are @assigned; NULL: on the cheapest. */
static int fair_penalty_on(const struct fair_penalty_machine *m,
			   const struct fair_penalty_chunk *chunk,
			   size_t chunks, const size_t *assigned,
			   int64_t queue_cost, int64_t *penalty)
{
	int64_t sum = 0, price;
	size_t k;

	for (k = 0; k < chunks; k++) {
		price = assigned ? fair_penalty_price(m, &chunk[k], assigned[k],
						      INT64_MAX)
				 : fair_penalty_least_price(m, &chunk[k]);
		if (price == INT64_MAX)
			return -FAIR_ERANGE;
		if (!fair_penalty_sum(&sum, chunk[k].count, price))
			return -FAIR_EOVERFLOW;
	}
	return fair_penalty_scale(sum, queue_cost, penalty) ? 0
							    : -FAIR_EOVERFLOW;
}

FAIR_PENALTY_API int fair_penalty(const struct fair_penalty_machine *m,
				  const struct fair_penalty_chunk *chunk,
				  size_t chunks, int64_t queue_cost,
				  int64_t *penalty)
{
	if (!m || !penalty ||
	    !fair_penalty_is_valid_request(chunk, chunks, m->resources,
					   queue_cost))
		return -FAIR_EINVAL;
	return fair_penalty_on(m, chunk, chunks, NULL, queue_cost, penalty);
}

FAIR_PENALTY_API int fair_penalty_local(const struct fair_penalty_machine *m,
					const struct fair_penalty_chunk *chunk,
					size_t chunks, const size_t *assigned,
					int64_t queue_cost, int64_t *penalty)
{
	size_t k;

	if (!m || !assigned || !penalty ||
	    !fair_penalty_is_valid_request(chunk, chunks, m->resources,
					   queue_cost))
		return -FAIR_EINVAL;
	for (k = 0; k < chunks; k++)
		if (assigned[k] >= m->classes)
			return -FAIR_EINVAL;
	return fair_penalty_on(m, chunk, chunks, assigned, queue_cost, penalty);
}

FAIR_PENALTY_API int fair_penalty_pe(const struct fair_penalty_machine *m,
				     const struct fair_penalty_chunk *chunk,
				     size_t chunks, int64_t queue_cost,
				     int64_t *penalty)
{
	const struct fair_penalty_resource *res;
	int64_t most = 0, procs, asked, pe;
	size_t r;

	if (!m || !penalty ||
	    !fair_penalty_is_valid_request(chunk, chunks, m->resources,
					   queue_cost))
		return -FAIR_EINVAL;
	procs = m->resource[0].total * FAIR_PENALTY_ONE;
	for (r = 0; r < m->resources; r++) {
		res = &m->resource[r];
		if (!fair_penalty_asked(chunk, chunks, r, &asked) ||
		    asked > res->total)
			return -FAIR_ERANGE;
		if (!asked || res->special)
			continue;
		pe = fair_penalty_ratio(asked, procs, res->total);
		most = pe > most ? pe : most;
	}
	return fair_penalty_scale(most, queue_cost, penalty) ? 0
							     : -FAIR_EOVERFLOW;
}

FAIR_PENALTY_API int
fair_penalty_standard(const struct fair_penalty_chunk *chunk, size_t chunks,
		      const int64_t *standard, size_t resources,
		      int64_t queue_cost, int64_t *penalty)
{
	int64_t most = 0, asked, jobs;
	bool counted = false;
	size_t r;

	if (!standard || !resources || !penalty ||
	    !fair_penalty_is_valid_request(chunk, chunks, resources,
					   queue_cost))
		return -FAIR_EINVAL;
	for (r = 0; r < resources; r++) {
		if (!fair_penalty_is_in_range(standard[r], 0))
			return -FAIR_EINVAL;
		counted |= standard[r] > 0;
	}
	if (!counted)
		return -FAIR_EINVAL;
	for (r = 0; r < resources; r++) {
		if (!standard[r])
			continue;
		if (!fair_penalty_asked(chunk, chunks, r, &asked) ||
		    !fair_penalty_is_ratio_below(asked, FAIR_PENALTY_ONE,
						 standard[r], INT64_MAX))
			return -FAIR_EOVERFLOW;
		jobs = fair_penalty_ratio(asked, FAIR_PENALTY_ONE, standard[r]);
		most = jobs > most ? jobs : most;
	}
	return fair_penalty_scale(most, queue_cost, penalty) ? 0
							     : -FAIR_EOVERFLOW;
}

FAIR_PENALTY_API int fair_penalty_cpu(const struct fair_penalty_chunk *chunk,
				      size_t chunks, int64_t queue_cost,
				      int64_t *penalty)
{
	int64_t procs;

	if (!penalty ||
	    !fair_penalty_is_valid_request(chunk, chunks, 1, queue_cost))
		return -FAIR_EINVAL;
	if (!fair_penalty_asked(chunk, chunks, 0, &procs) ||
	    procs > INT64_MAX / FAIR_PENALTY_ONE)
		return -FAIR_EOVERFLOW;
	return fair_penalty_scale(procs * FAIR_PENALTY_ONE, queue_cost, penalty)
		       ? 0
		       : -FAIR_EOVERFLOW;
}

/*
 *  walltime * penalty =    a.high    a.low
 *                                   * spec
 *  ------------------------------------------
 *                        lower.high lower.low    lower = a.low * spec
 *           + upper.high  upper.low              upper = a.high * spec
 *
 * is exactly lower.low + 2^64 * (lower.high + upper). It has 40 fraction bits,
 * of which 20 stay: it fits if the upper words, after rounding, are below
 * 2^(63 + 20 - 64) = 2^19.
 */
FAIR_PENALTY_API int fair_penalty_charge(int64_t walltime, int64_t spec,
					 int64_t penalty, int64_t *charge)
{
	struct fair_wide a, lower, upper;

	if (walltime < 0 || !fair_penalty_is_in_range(spec, 1) || penalty < 0 ||
	    !charge)
		return -FAIR_EINVAL;
	a = fair_multiply((uint64_t)walltime, (uint64_t)penalty);
	lower = fair_multiply(a.low, (uint64_t)spec);
	lower = fair_wide_add(lower, (uint64_t)FAIR_PENALTY_ONE / 2);
	upper = fair_multiply(a.high, (uint64_t)spec);
	upper = fair_wide_add(upper, lower.high);
	if (upper.high || upper.low >> 19)
		return -FAIR_EOVERFLOW;
	*charge = (int64_t)(upper.low << 44 | lower.low >> 20);
	return 0;
}

/* I2 and I3 of class i. */
static int fair_penalty_check_node(const struct fair_penalty_machine *m,
				   size_t i)
{
	const struct fair_penalty_node *node = &m->node[i];
	const int64_t *amount = m->amount + i * m->resources;
	size_t r;

	if (!fair_penalty_is_in_range(node->spec, 1) ||
	    !fair_penalty_is_in_range(node->cost, 0) || amount[0] < 1)
		return 2;
	for (r = 0; r < m->resources; r++)
		if (!fair_penalty_is_in_range(amount[r], 0))
			return 2;
	if (node->cost > FAIR_PENALTY_MAX / amount[0] ||
	    node->price != node->cost * amount[0] ||
	    node->price >> m->price_shift >> 25)
		return 3;
	return 0;
}

/* I4 and I5 of resource r; i may be beyond the last class. */
static int fair_penalty_check_cell(const struct fair_penalty_machine *m,
				   size_t i, size_t r)
{
	const struct fair_penalty_resource *res = &m->resource[r];
	size_t cell = fair_penalty_cell(m, i, r);
	int64_t amount;

	if (i >= m->classes)
		return m->have[cell] == -1 ? 0 : 4;
	amount = m->amount[i * m->resources + r];
	if (m->have[cell] != amount >> res->amount_shift)
		return 4;
	if (res->special || !amount)
		return m->rate[cell] ? 5 : 0;
	return fair_wide_less(fair_penalty_rate_scale(m, i, r),
			      fair_multiply(m->rate[cell], (uint64_t)amount))
		       ? 5
		       : 0;
}

/* I6 of class i. */
static bool fair_penalty_has_valid_traits(const struct fair_penalty_machine *m,
					  size_t i)
{
	const struct fair_penalty_node *node = &m->node[i];
	const uint32_t *at = m->traits + fair_penalty_trait(i);

	return at[0] == (uint64_t)node->spec >> m->spec_shift &&
	       at[0] <= INT32_MAX &&
	       at[FAIR_PENALTY_LANES] == (uint32_t)node->properties &&
	       at[2 * FAIR_PENALTY_LANES] == (uint32_t)(node->properties >> 32);
}

FAIR_PENALTY_API int fair_penalty_check(const struct fair_penalty_machine *m)
{
	size_t i, r;
	int broken;

	if (!m->classes || !m->resources || m->resource[0].special)
		return 1;
	if (m->price_shift < 0 || m->price_shift > 37)
		return 3;
	for (i = 0; i < m->classes; i++) {
		broken = fair_penalty_check_node(m, i);
		if (broken)
			return broken;
	}
	for (r = 0; r < m->resources; r++) {
		if (m->resource[r].amount_shift < 0 ||
		    m->resource[r].amount_shift > 31)
			return 4;
		if (m->resource[r].rate_shift < 0 ||
		    m->resource[r].rate_shift > 63)
			return 5;
		for (i = 0; i < fair_penalty_lanes(m->classes); i++) {
			broken = fair_penalty_check_cell(m, i, r);
			if (broken)
				return broken;
		}
	}
	if (m->spec_shift < 0 || m->spec_shift > 31)
		return 6;
	for (i = 0; i < m->classes; i++)
		if (!fair_penalty_has_valid_traits(m, i))
			return 6;
	return 0;
}
#endif /* FAIR_PENALTY_IMPLEMENTED */
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
