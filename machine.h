/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * machine.h - several resources and node classes: when is all of it free?
 *
 * In ONE file:  #define FAIR_MACHINE_IMPLEMENTATION
 *               #define FAIR_PROFILE_IMPLEMENTATION
 *               #include "machine.h"
 *
 *   class a  processors 4 |####|______________     4 processors, no GPU
 *
 *   class b  processors 4 |22|__|3333|________     4 processors and 1 GPU
 *            GPUs       1 |22|________________
 *                         0  50   100              seconds
 *
 * A machine has up to 8 resources, of which the first is processors, and up to
 * 64 node classes: disjoint sets of equal nodes, each with an amount of each
 * resource. A wide resource, as licences are, belongs to the whole machine and
 * to no class. A job asks for an amount of each resource, and names the classes
 * that may serve it in order of preference; it runs in one class. Its earliest
 * start is the first time from which one of them has all amounts free, and the
 * machine the wide ones, for its whole walltime. The class with the earliest
 * start takes it; of equal ones the first in the job's order.
 *
 * This plans amounts. The caller places jobs on nodes.
 *
 * EXAMPLE, as in the picture
 *
 *	static char memory[65536];
 *	const int32_t amount[] = { 4, 0, 4, 1 };     // procs, GPUs: of a, b
 *	struct fair_machine_config config = { 2, 2, 0, amount };
 *	const int32_t two[] = { 2, 1 }, four[] = { 4, 0 };
 *	const uint8_t b_then_a[] = { 1, 0 };
 *	struct fair_machine_request request = { four, b_then_a, 2 };
 *	struct fair_machine m;
 *	uint32_t node_class;
 *	int64_t start;
 *
 *	fair_machine_init(&m, sizeof(m), memory, sizeof(memory), &config, 0);
 *	fair_machine_reserve(&m, 0, 0, 100, four);	// job 1, in class a
 *	fair_machine_reserve(&m, 1, 0, 50, two);	// job 2, in class b
 *	fair_machine_earliest_start(&m, 0, 10, &request, &start, &node_class);
 *	fair_machine_reserve(&m, node_class, start, 10, four);	// 50, class b
 *	fair_machine_release(&m, 0, 20, 80, four);	// job 1 ends early
 *	fair_machine_earlier_start(&m, 20, start, 10, &request, start,
 *				   node_class, &start, &node_class); // 20, a
 *
 * UNITS     seconds, of any origin; intervals are [start, end). Amounts are in
 *           a unit of the caller's choice for each resource, 0 to 2^31 - 1:
 *           MiB of memory up to 2 PiB in a class, GiB beyond. Round a machine's
 *           amounts down and a job's up.
 * ERRORS    0 or -FAIR_E...; on error nothing has changed, nor out-pointers.
 * MEMORY    the caller's, at any address: fair_machine_size() bytes. Each class
 *           has a profile of each resource of which it has any, with room for
 *           all steps, at 20 to 24 bytes each. One resource in one class is
 *           one profile and some 500 bytes.
 * THREADS   const calls write nothing: they may run concurrently.
 * HORIZON   that of profile.h: 68 years after the origin at least.
 * SETTLING  As in profile.h: fair_machine_settle() changes no answer, but makes
 *           queries fast after changes.
 * COST      in ns on a busy core of 3.7 GHz (Zen 4; gcc 12 -O2), one class with
 *           10,000 reservations; the array of vectors needs 15,600 for a query
 *           of one resource, 19,900 of four
 *
 *		resources                    1      2      4      8
 *		query                      103    161    204    322
 *		reserve or release          96    188    270    410
 * DEFINES   FAIR_MACHINE_API, FAIRSCHED_STATIC: linkage. FAIR_ASSERT,
 *           FAIR_MEMCPY, FAIR_MEMSET: yours.
 * SOURCES   [MF01] Mu'alem & Feitelson, IEEE TPDS 12(6), 2001
 *
 * STRUCTURE. A profile for each class and each resource of which it has any,
 * and one for each wide resource. A common start is found by leaps: take the
 * answer of one profile after the other, each from the latest answer on, until
 * all agree. The section >>search proves that no start is missed. Why there is
 * no index of all resources together: see docs/PERFORMANCE.md.
 *
 * COMPLEXITY, of n steps in each profile, R resources that a job asks for, and
 * K eligible classes
 *   query            a query of a profile for each leap: K R if windows meet
 *                    often, and never more than there are steps
 *   reserve, release R of the profile
 *   advance, settle, clone, check
 *                    those of each profile
 *
 * WORST CASES, measured by bench/machine_bench.c
 *   machine_all      each job asks for all of four resources that are equally
 *                    scarce, which is why their windows rarely meet: 150
 *                    leaps, 14 us, at 10,000 reservations
 *   machine_comb     windows of two resources that never meet: a leap for
 *                    each, 1.5 ms at 10,000 of each, where the array needs 30
 *                    us. Leaps are never more than windows.
 *
 * INVARIANTS that fair_machine_check() verifies
 *   I1  the numbers of resources, classes and profiles are within bounds
 *   I2  all profiles have the same origin and horizon
 *   I3  each profile's own
 */
#ifndef FAIR_MACHINE_H
#define FAIR_MACHINE_H

#ifndef FAIR_PROFILE_H
#include "profile.h"
#endif

/* Before what most schedules do not use: not inlined, it costs a branch. */
#ifdef __GNUC__
#define FAIR_APART __attribute__((noinline))
#else
#define FAIR_APART
#endif

#ifndef FAIR_MACHINE_API
#define FAIR_MACHINE_API FAIRSCHED_LINKAGE
#endif

#define FAIR_MACHINE_RESOURCES 8
#define FAIR_MACHINE_CLASSES 64

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_MACHINE_API, fair_machine);

/**
 * struct fair_machine_config - what a machine has.
 * @resources: 1 to 8; number 0 is processors
 * @classes:   1 to 64
 * @wide:      a bit for each resource that belongs to no class; not processors
 * @amount:    @resources for class 0, then for class 1, ...; every class has
 *             processors. A wide resource's amount stands in class 0, and 0 in
 *             the others. Where it is 0, the class never has any.
 */
struct fair_machine_config {
	uint32_t resources, classes, wide;
	const int32_t *amount;
};

/**
 * struct fair_billing - what a second of a job costs (TRESBillingWeights)
 * @weight:  of one of each resource, in 2^-20, 0 to 2^50
 * @maximum: the largest weight * amount counts, else their sum
 *
 * A cost above 2^51, that of 2^31 processors, counts as that.
 */
struct fair_billing {
	int64_t weight[FAIR_MACHINE_RESOURCES];
	bool maximum;
};

/**
 * struct fair_machine_request - what a job asks for.
 * @amount:  of each resource; not all 0
 * @classes: that may serve it, in order of preference
 * @count:   of @classes; 0: all, by number
 */
struct fair_machine_request {
	const int32_t *amount;
	const uint8_t *classes;
	uint32_t count;
};

/**
 * struct fair_machine - the profiles of a machine.
 * @origin:    seconds; nothing is known of the time before
 * @horizon:   seconds; every reservation ends by then
 * @cap:       steps that each profile can hold
 * @resources: how many
 * @classes:   how many
 * @wide:      a bit for each resource that belongs to no class
 *
 * To be read through these six and the functions only. It may be moved.
 */
struct fair_machine {
	int64_t origin, horizon;
	size_t cap;
	uint32_t resources, classes, wide;
	/* private from here on */
	uint32_t profiles;
	struct fair_profile *profile;
	uint16_t *
		place; /* by class and resource: its profile; else UINT16_MAX */
};

/**
 * fair_machine_size() - bytes that hold a machine.
 * @config: what it has
 * @steps:  of each profile, at most 2^31 - 1; one reservation adds at most two,
 *          a change of capacity too
 *
 * Return: bytes; 0 if @config is not valid, or they are too many. Ascending in
 * @steps.
 */
FAIR_MACHINE_API size_t
fair_machine_size(const struct fair_machine_config *config, size_t steps);

/**
 * fair_machine_init() - all of a machine is free from now on.
 * @m:           machine
 * @struct_size: sizeof(*@m), as the caller compiled it
 * @memory:      kept until the end of @m's use; any alignment
 * @bytes:       of it; @m->cap becomes the most steps for which
 *               fair_machine_size() is no more
 * @config:      not kept
 * @origin:      seconds; any but the last 2^38 of int64_t
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW for such an @origin; -FAIR_ENOMEM if
 * @bytes do not suffice for one step.
 * Complexity: O(profiles, and what they have room for).
 */
FAIR_MACHINE_API int fair_machine_init(struct fair_machine *m,
				       size_t struct_size, void *memory,
				       size_t bytes,
				       const struct fair_machine_config *config,
				       int64_t origin);

/**
 * fair_machine_earliest_start() - first time a job fits for its whole walltime.
 * @m:          machine
 * @not_before: seconds, >= origin
 * @walltime:   seconds, >= 1
 * @request:    amounts and classes
 * @start:      out: seconds
 * @node_class: out: the class that has that start; of several the first in the
 *              job's order
 *
 * Reserves nothing.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if no class ever has all of it;
 * -FAIR_EOVERFLOW if the job would end after the horizon. Complexity: see
 * COMPLEXITY above.  Source: [MF01].
 */
FAIR_MACHINE_API int
fair_machine_earliest_start(const struct fair_machine *m, int64_t not_before,
			    int64_t walltime,
			    const struct fair_machine_request *request,
			    int64_t *start, uint32_t *node_class);

/**
 * fair_machine_earlier_start() - to which earlier time, and in which class,
 * could a reservation move?
 * @m:             machine; a reservation of the amounts over [@current,
 *                 @current + @walltime) in @current_class is in it
 * @not_before:    seconds, >= origin
 * @before:        seconds; only starts < @before are wanted
 * @walltime:      seconds, >= 1
 * @request:       amounts and classes
 * @current:       seconds, <= horizon
 * @current_class: need not be one of @request's
 * @start:         out: the first such time >= @not_before, the reservation's
 *                 own amounts counted as free; @current if there is none
 * @node_class:    out: its class, as for fair_machine_earliest_start(); or
 *                 @current_class
 *
 * What compression asks, without taking the reservation out: from @current on
 * its own amounts are free to it in its class, and wide ones in every class.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: as earliest_start, but of the profiles in [@not_before,
 * @current).
 */
FAIR_MACHINE_API int
fair_machine_earlier_start(const struct fair_machine *m, int64_t not_before,
			   int64_t before, int64_t walltime,
			   const struct fair_machine_request *request,
			   int64_t current, uint32_t current_class,
			   int64_t *start, uint32_t *node_class);

/**
 * fair_machine_profile() - one resource of one class over time, to be read.
 * @m:          machine
 * @node_class: whose; any one for a wide resource
 * @resource:   number
 *
 * Return: its profile; NULL if the class has none of it, or there is no such
 * class or resource.
 */
FAIR_MACHINE_API const struct fair_profile *
fair_machine_profile(const struct fair_machine *m, uint32_t node_class,
		     uint32_t resource);

/**
 * fair_machine_min_free() - what is free throughout an interval.
 * @m:          machine
 * @node_class: whose
 * @start:      seconds, >= origin
 * @end:        seconds, > @start; may be FAIR_FOREVER
 * @amount:     out: of each resource; not all of it at one time, perhaps, is
 *              the least
 *
 * A job fits into the interval if it asks for no more of any resource.
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: that of each profile.
 */
FAIR_MACHINE_API int fair_machine_min_free(const struct fair_machine *m,
					   uint32_t node_class, int64_t start,
					   int64_t end, int32_t *amount);

/**
 * fair_machine_step_at() - the joint step that holds a time.
 * @m:          machine
 * @node_class: whose
 * @t:          seconds, >= origin
 * @start:      out: seconds
 * @end:        out: seconds; may be FAIR_FOREVER
 * @amount:     out: what is free of each resource throughout [@start, @end)
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(log n) each profile.
 */
FAIR_MACHINE_API int fair_machine_step_at(const struct fair_machine *m,
					  uint32_t node_class, int64_t t,
					  int64_t *start, int64_t *end,
					  int32_t *amount);

/**
 * fair_machine_steps() - the steps of the profile that has most, >= 1.
 * @m: machine
 *
 * It is @m->cap at most.
 */
FAIR_MACHINE_API size_t fair_machine_steps(const struct fair_machine *m);

/**
 * fair_machine_check() - verifies all invariants.
 * @m: machine
 *
 * Return: 0, or the number of the first one that is broken.
 * Complexity: O(n log n) each profile.
 */
FAIR_MACHINE_API int fair_machine_check(const struct fair_machine *m);

/**
 * fair_machine_reserve() - takes amounts out of an interval.
 * @m:          machine
 * @node_class: whose
 * @start:      seconds, >= origin
 * @walltime:   seconds, >= 1
 * @amount:     of each resource; not all 0
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if it ends after the horizon;
 * -FAIR_ERANGE if less is free somewhere; -FAIR_ENOSPC if a profile would have
 * more than @m->cap steps.
 * Complexity: see COMPLEXITY above.
 */
FAIR_MACHINE_API int fair_machine_reserve(struct fair_machine *m,
					  uint32_t node_class, int64_t start,
					  int64_t walltime,
					  const int32_t *amount);

/**
 * fair_machine_release() - gives amounts back, or part of their time.
 * @m:          machine
 * @node_class: whose
 * @start:      seconds, >= origin
 * @walltime:   seconds, >= 1
 * @amount:     of each resource; not all 0
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if it ends after the horizon;
 * -FAIR_ERANGE if more would be free than the class has; -FAIR_ENOSPC: to
 * release a part can take more steps.
 * Complexity: see COMPLEXITY above.
 */
FAIR_MACHINE_API int fair_machine_release(struct fair_machine *m,
					  uint32_t node_class, int64_t start,
					  int64_t walltime,
					  const int32_t *amount);

/**
 * fair_machine_move() - a reservation begins earlier, perhaps in another class.
 * @m:             machine; a reservation of @amount over [@current, @current +
 *                 @walltime) in @current_class is in it
 * @current_class: whose it is
 * @current:       seconds, > @start
 * @node_class:    whose it is to be
 * @start:         seconds, >= origin
 * @walltime:      seconds, >= 1
 * @amount:        of each resource; not all 0
 * @most:          out: of each resource; nowhere in what the reservation leaves
 *                 is more free; INT32_MAX where it asks for none
 *
 * In the same class, and of wide resources, it leaves what the new interval
 * does not cover of the old; in another class all of the old.
 *
 * Return: as fair_machine_reserve() and fair_machine_release().
 * Complexity: as those two, of the parts that change.
 */
FAIR_MACHINE_API int fair_machine_move(struct fair_machine *m,
				       uint32_t current_class, int64_t current,
				       uint32_t node_class, int64_t start,
				       int64_t walltime, const int32_t *amount,
				       int32_t *most);

/**
 * fair_machine_change_capacity() - an amount of one resource goes or comes.
 * @m:          machine
 * @node_class: whose; any one for a wide resource
 * @resource:   number
 * @start:      seconds, >= origin
 * @end:        seconds, > @start; FAIR_FOREVER, or at most the horizon
 * @delta:      < 0 a node down or a maintenance window, > 0 gives back or adds;
 *              0 does nothing
 *
 * As fair_profile_change_capacity() says.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW beyond the horizon; -FAIR_ERANGE if
 * less than -@delta are free somewhere, or more than INT32_MAX would be, or the
 * class has none of the resource by its configuration; -FAIR_ENOSPC.
 * Complexity: as reserve.
 */
FAIR_MACHINE_API int fair_machine_change_capacity(struct fair_machine *m,
						  uint32_t node_class,
						  uint32_t resource,
						  int64_t start, int64_t end,
						  int32_t delta);

/**
 * fair_machine_advance() - forgets everything before a time.
 * @m:      machine
 * @origin: seconds, >= the present one; any but the last 2^38 of int64_t
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: that of each profile.
 */
FAIR_MACHINE_API int fair_machine_advance(struct fair_machine *m,
					  int64_t origin);

/**
 * fair_machine_settle() - brings the profiles' indexes up to date after
 * changes.
 * @m: machine
 *
 * Changes no answer, only the speed of those that follow.
 *
 * Return: 0.
 * Complexity: see COMPLEXITY above.
 */
FAIR_MACHINE_API int fair_machine_settle(struct fair_machine *m);

/**
 * fair_machine_clone() - an independent copy.
 * @copy:   another machine
 * @memory: kept until the end of @copy's use; any alignment
 * @bytes:  of it; may be less than @m has
 * @m:      machine
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if the steps that there are do not fit.
 * Complexity: O(n) each profile, not the capacity of @m.
 */
FAIR_MACHINE_API int fair_machine_clone(struct fair_machine *copy, void *memory,
					size_t bytes,
					const struct fair_machine *m);

/**
 * struct fair_claim - what a job holds, or what a machine gains or loses.
 * @procs:      processors
 * @node_class: whose
 * @amount:     of each resource; NULL: the machine is one pool of processors
 * @slot:       of a space of nodes: of the job that holds it; UINT32_MAX: it is
 *              all of the node @node_class
 */
struct fair_claim {
	int32_t procs;
	uint32_t node_class;
	const int32_t *amount;
	uint32_t slot;
};

/**
 * struct fair_machine_jobs - a machine, and what each job asks of it, by slot.
 * @machine: running jobs and reservations
 *
 * For policies, whose jobs have slots. It must not be moved. Each job asks for
 * processors and may ask for more; its class is that of its reservation, or
 * where it runs. All other fields are private.
 */
struct fair_machine_jobs {
	struct fair_machine machine;
	uint32_t jobs;
	int32_t *amount;     /* machine.resources of each slot */
	uint8_t *classes;    /* machine.classes of each slot */
	uint8_t *count;	     /* of these, in order of preference */
	uint8_t *node_class; /* of each slot */
};

/**
 * fair_machine_jobs_size() - bytes for @jobs slots and a machine.
 * @config, @steps: as for fair_machine_size()
 *
 * Return: bytes; 0: not valid, or too many.
 */
FAIR_MACHINE_API size_t
fair_machine_jobs_size(const struct fair_machine_config *config, uint32_t jobs,
		       size_t steps);

/**
 * fair_machine_jobs_init() - an idle machine, no job.
 * @memory: fair_machine_jobs_size() bytes, kept; any alignment
 *
 * Return: as fair_machine_init().
 */
FAIR_MACHINE_API int
fair_machine_jobs_init(struct fair_machine_jobs *x, size_t struct_size,
		       void *memory, size_t bytes,
		       const struct fair_machine_config *config, uint32_t jobs,
		       int64_t origin);

/**
 * fair_machine_jobs_clone() - a copy of the machine, as yet without jobs.
 * @memory: @bytes as for the original
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(n) each profile.
 */
FAIR_MACHINE_API int fair_machine_jobs_clone(struct fair_machine_jobs *copy,
					     void *memory, size_t bytes,
					     const struct fair_machine_jobs *x);

/**
 * fair_machine_jobs_set() - what the job in @slot asks for.
 * @procs:   processors, >= 1
 * @amount:  of each resource, >= 0; the first is not read; NULL: 0 of all
 *           others
 * @classes: different ones, in order of preference
 * @count:   of @classes; 0: all, by number
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(resources + @count^2).
 */
FAIR_MACHINE_API int fair_machine_jobs_set(struct fair_machine_jobs *x,
					   uint32_t slot, int32_t procs,
					   const int32_t *amount,
					   const uint8_t *classes,
					   uint32_t count);

/** fair_machine_jobs_copy() - the job in slot @i of @from is in @slot of @x. */
FAIR_MACHINE_API void
fair_machine_jobs_copy(struct fair_machine_jobs *x, uint32_t slot,
		       const struct fair_machine_jobs *from, uint32_t i);

/** fair_machine_jobs_request() - what the job in @slot asks for. */
FAIR_MACHINE_API struct fair_machine_request
fair_machine_jobs_request(const struct fair_machine_jobs *x, uint32_t slot);

/** fair_machine_jobs_claim() - what it holds where it runs or is reserved. */
FAIR_MACHINE_API struct fair_claim
fair_machine_jobs_claim(const struct fair_machine_jobs *x, uint32_t slot);

/**
 * fair_machine_can_ask() - whether a job may ask for this: whether no amount is
 * negative, and each class of the list one of the machine, and there once.
 * @request: amount[0] is not read; amount may be NULL
 *
 * Complexity: O(resources + classes).
 */
FAIR_MACHINE_API bool
fair_machine_can_ask(const struct fair_machine *m,
		     const struct fair_machine_request *request);

/**
 * fair_machine_closest() - the class that comes closest to what a job asks for.
 * @config:   what each class has, now or ever
 * @request:  all amounts, amount[0] too; fair_machine_can_ask()
 * @resource: out: the first of which the class has too little;
 *            config->resources: it has all of it
 *
 * Return: the class that lacks the fewest resources; of those that lack the
 * same one first, the one that has most of it; of equal ones the first of the
 * request. Complexity: O(classes of the request * resources).
 */
FAIR_MACHINE_API uint32_t
fair_machine_closest(const struct fair_machine_config *config,
		     const struct fair_machine_request *request,
		     uint32_t *resource);

/**
 * fair_machine_fits() - whether a job fits into an interval, and in which
 * class.
 * @start:      seconds, >= origin
 * @end:        seconds, > @start; may be FAIR_FOREVER
 * @node_class: out: the first of the request's classes in which it does
 *
 * Complexity: a minimum of a profile for each class and resource.
 */
FAIR_MACHINE_API bool
fair_machine_fits(const struct fair_machine *m, int64_t start, int64_t end,
		  const struct fair_machine_request *request,
		  uint32_t *node_class);

FAIRSCHED_END_C
#endif /* FAIR_MACHINE_H */

#if !defined(FAIR_MACHINE_IMPLEMENTED) &&                                      \
	(defined(FAIR_MACHINE_IMPLEMENTATION) ||                               \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_MACHINE_IMPLEMENTED

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

FAIRSCHED_PROVIDE(FAIR_MACHINE_API, fair_machine)

/*
 * Contents: search for the mark.
 *
 *   >>memory    the layout of the caller's memory
 *   >>search    the first start in one class: claims, leaps
 *   >>begin     init, clone, advance, settle
 *   >>queries   and >>changes: the public functions
 *   >>jobs      what each job asks for, by slot
 *   >>check     the invariants
 */

#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)
#define FAIR_MACHINE_HOT static inline __attribute__((always_inline))
#else
#define FAIR_MACHINE_HOT static inline
#endif

/*
 * >>memory
 */

/* Room for @n objects of @size bytes, from a line of 64 bytes on. */
static void *fair_machine_carve(char *memory, uint64_t *used, uint64_t n,
				size_t size)
{
	void *at = memory ? memory + (size_t)*used : NULL;

	*used += (n * size + 63) & ~(uint64_t)63;
	return at;
}

static bool fair_machine_is_config(const struct fair_machine_config *c)
{
	uint32_t k, r;

	if (!c || !c->amount || c->resources < 1 || c->classes < 1 ||
	    c->resources > FAIR_MACHINE_RESOURCES ||
	    c->classes > FAIR_MACHINE_CLASSES || (c->wide & 1) ||
	    c->wide >> c->resources)
		return false;
	for (k = 0; k < c->classes; k++)
		for (r = 0; r < c->resources; r++) {
			int32_t n = c->amount[k * c->resources + r];

			if (n < (r ? 0 : 1) || (n && k && c->wide >> r & 1))
				return false;
		}
	return true;
}

/* Is @r a resource of class @k that the configuration has any of? */
static bool fair_machine_config_has(const struct fair_machine_config *c,
				    uint32_t k, uint32_t r)
{
	return c->amount[k * c->resources + r] > 0;
}

/* Sets pointers into @memory, if any; returns the bytes used. */
static uint64_t fair_machine_layout(struct fair_machine *m, uint32_t profiles,
				    char *memory)
{
	uint64_t used = 0;

	m->profiles = profiles;
	m->profile = (struct fair_profile *)fair_machine_carve(
		memory, &used, profiles, sizeof(*m->profile));
	m->place = (uint16_t *)fair_machine_carve(
		memory, &used, (uint64_t)m->classes * m->resources, 2);
	return used;
}

static size_t fair_machine_bytes(uint32_t classes, uint32_t resources,
				 uint32_t profiles, size_t steps)
{
	size_t one = fair_profile_size(steps);
	struct fair_machine m;
	uint64_t all;

	m.classes = classes;
	m.resources = resources;
	all = fair_machine_layout(&m, profiles, NULL) + 63 +
	      (uint64_t)profiles * one;
	return (size_t)all * ((one > 0) & (all <= SIZE_MAX / 2));
}

static uint32_t fair_machine_profiles(const struct fair_machine_config *c)
{
	uint32_t n = 0, k, r;

	for (k = 0; k < c->classes; k++)
		for (r = 0; r < c->resources; r++)
			n += fair_machine_config_has(c, k, r);
	return n;
}

FAIR_MACHINE_API size_t
fair_machine_size(const struct fair_machine_config *config, size_t steps)
{
	if (!fair_machine_is_config(config))
		return 0;
	return fair_machine_bytes(config->classes, config->resources,
				  fair_machine_profiles(config), steps);
}

/* The greatest number of steps for which @bytes suffice. */
static size_t fair_machine_room(uint32_t classes, uint32_t resources,
				uint32_t profiles, size_t bytes)
{
	size_t lo = 0, hi = bytes / 8 + 1;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;
		size_t need =
			fair_machine_bytes(classes, resources, profiles, mid);

		if (need - 1 < bytes) /* 0: too many */
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Sets sizes and pointers of @m, whose resources and classes are set. *@own:
 * the profiles' memory, of fair_profile_size(m->cap) bytes each.
 */
static int fair_machine_prepare(struct fair_machine *m, uint32_t profiles,
				void *memory, size_t bytes, char **own)
{
	char *at = (char *)memory + (size_t)(-(uintptr_t)memory & 63);

	m->cap = fair_machine_room(m->classes, m->resources, profiles, bytes);
	if (!m->cap)
		return -FAIR_ENOMEM;
	*own = at + (size_t)fair_machine_layout(m, profiles, at);
	return 0;
}

FAIR_MACHINE_HOT bool fair_machine_is_wide(const struct fair_machine *m,
					   uint32_t r)
{
	return m->wide >> r & 1;
}

/* The profile of resource @r for class @k; NULL: the class has none of it. */
FAIR_MACHINE_HOT struct fair_profile *
fair_machine_at(const struct fair_machine *m, uint32_t k, uint32_t r)
{
	uint32_t i = m->place[k * m->resources + r];

	return i == UINT16_MAX ? NULL : m->profile + i;
}

/*
 * >>search
 *
 * CLAIMS
 *
 * M1  No start is missed, and none is wrong. Let t be a time before which there
 *     is no start, and u >= t the first start from t on of one resource alone.
 *     A start of all resources is one of this resource, so none is before u. So
 *     t may become u. When all resources have t as their first start from t on,
 *     t is a start.
 * M2  It ends. By its windows alone a resource's first start is t or the begin
 *     of one of its steps, so each leap of t passes a step.
 * M3  From current on own resources count as free: their profiles are asked by
 *     fair_profile_earlier_start().
 */

/* Where is a start, in [from, before), of all amounts for walltime? */
struct fair_machine_query {
	int64_t from, before, walltime;
	int64_t current; /* what is free then is free for ever, if it is own */
	uint32_t n;	 /* resources that are asked for */
	uint32_t own;	 /* a bit each */
	int32_t amount[FAIR_MACHINE_RESOURCES];
	const struct fair_profile *p[FAIR_MACHINE_RESOURCES];
};

/*
 * The first start from @t on by the resource @i alone; false if there is none
 * before q->before.
 */
FAIR_MACHINE_HOT bool fair_machine_ask(const struct fair_machine_query *q,
				       uint32_t i, int64_t t, int64_t *start)
{
	int error;

	if (q->own >> i & 1)
		error = fair_profile_earlier_start(q->p[i], t, q->before,
						   q->walltime, q->amount[i],
						   q->current, start);
	else
		error = fair_profile_earliest_start(q->p[i], t, q->walltime,
						    q->amount[i], start);
	return !error && *start < q->before;
}

/* The first start in [from, before) of all resources; false: there is none. */
static bool fair_machine_search(const struct fair_machine_query *q,
				int64_t *start)
{
	uint32_t i = 0, agreed = 0;
	int64_t t = q->from, u = t;

	/* Invariant (M1): no start is before t. It is one for @agreed. */
	while (agreed < q->n) {
		if (!fair_machine_ask(q, i, t, &u))
			return false;
		agreed = u > t ? 1 : agreed + 1;
		t = u;
		i = i + 1 < q->n ? i + 1 : 0;
	}
	*start = t;
	return true;
}

/*
 * What to ask for in class @k; false if the class has none of a resource. In
 * the class @own, amounts from q->current on are free; wide ones are in every
 * class then.
 */
static bool fair_machine_begin_query(const struct fair_machine *m, uint32_t k,
				     uint32_t own, const int32_t *amount,
				     struct fair_machine_query *q)
{
	uint32_t r;

	q->n = q->own = 0;
	for (r = 0; r < m->resources; r++) {
		if (!amount[r])
			continue;
		q->p[q->n] = fair_machine_at(m, k, r);
		if (!q->p[q->n])
			return false;
		q->amount[q->n] = amount[r];
		if (own == k ||
		    (own < m->classes && fair_machine_is_wide(m, r)))
			q->own |= UINT32_C(1) << q->n;
		q->n++;
	}
	return true;
}

/*
 * The first start in the request's classes before q->before, which it lowers to
 * that; false if there is none.
 */
static bool fair_machine_search_classes(const struct fair_machine *m,
					uint32_t own,
					const struct fair_machine_request *r,
					struct fair_machine_query *q,
					uint32_t *node_class)
{
	uint32_t n = r->count ? r->count : m->classes, i, k;
	bool found = false;

	/* Invariant: the classes before i have no start before q->before. */
	for (i = 0; i < n && q->from < q->before; i++) {
		k = r->count ? r->classes[i] : i;
		if (!fair_machine_begin_query(m, k, own, r->amount, q) ||
		    !fair_machine_search(q, &q->before))
			continue;
		*node_class = k;
		found = true;
	}
	return found;
}

/* Is @free of each resource at least @amount? */
static bool fair_machine_covers(const struct fair_machine *m,
				const int32_t *free, const int32_t *amount)
{
	uint32_t r;

	for (r = 0; r < m->resources; r++)
		if (free[r] < amount[r])
			return false;
	return true;
}

/* Is there a class in which all amounts are free in the end? */
static bool fair_machine_is_ever_free(const struct fair_machine *m,
				      const struct fair_machine_request *r)
{
	uint32_t n = r->count ? r->count : m->classes, i, k;
	int32_t free[FAIR_MACHINE_RESOURCES];
	bool fits = false;

	for (i = 0; i < n && !fits; i++) {
		k = r->count ? r->classes[i] : i;
		fair_must(fair_machine_min_free(m, k, m->horizon, FAIR_FOREVER,
						free));
		fits = fair_machine_covers(m, free, r->amount);
	}
	return fits;
}

/*
 * >>begin
 */

FAIR_MACHINE_API int fair_machine_init(struct fair_machine *m,
				       size_t struct_size, void *memory,
				       size_t bytes,
				       const struct fair_machine_config *config,
				       int64_t origin)
{
	struct fair_machine x;
	uint32_t k, r, n = 0;
	size_t one;
	char *own;

	if (struct_size != sizeof(*m) || !memory ||
	    !fair_machine_is_config(config))
		return -FAIR_EINVAL;
	if (origin > INT64_MAX - (INT64_C(1) << 38))
		return -FAIR_EOVERFLOW;
	FAIR_MEMSET(&x, 0, sizeof(x));
	x.resources = config->resources;
	x.classes = config->classes;
	x.wide = config->wide;
	if (fair_machine_prepare(&x, fair_machine_profiles(config), memory,
				 bytes, &own))
		return -FAIR_ENOMEM;
	one = fair_profile_size(x.cap);
	for (k = 0; k < x.classes; k++)
		for (r = 0; r < x.resources; r++) {
			uint32_t at = k * x.resources + r;

			x.place[at] = UINT16_MAX;
			if (k && x.wide >> r & 1)
				x.place[at] = x.place[r];
			if (!fair_machine_config_has(config, k, r))
				continue;
			fair_must(fair_profile_init(
				x.profile + n, sizeof(*x.profile),
				own + n * one, one, config->amount[at],
				origin));
			x.place[at] = (uint16_t)n++;
		}
	x.origin = origin;
	x.horizon = x.profile->horizon;
	*m = x;
	return 0;
}

FAIR_MACHINE_API int fair_machine_clone(struct fair_machine *copy, void *memory,
					size_t bytes,
					const struct fair_machine *m)
{
	struct fair_machine x = *m;
	uint32_t i;
	size_t one;
	char *own;

	if (!memory)
		return -FAIR_EINVAL;
	if (fair_machine_prepare(&x, m->profiles, memory, bytes, &own))
		return -FAIR_ENOMEM;
	one = fair_profile_size(x.cap);
	for (i = 0; i < m->profiles; i++)
		if (fair_profile_clone(x.profile + i, own + i * one, one,
				       m->profile + i))
			return -FAIR_ENOMEM;
	FAIR_MEMCPY(x.place, m->place,
		    m->classes * m->resources * sizeof(*x.place));
	x.horizon = x.profile->horizon;
	*copy = x;
	return 0;
}

FAIR_MACHINE_API int fair_machine_advance(struct fair_machine *m,
					  int64_t origin)
{
	int error = fair_profile_advance(m->profile, origin);
	uint32_t i;

	if (error)
		return error;
	for (i = 1; i < m->profiles; i++)
		fair_must(fair_profile_advance(m->profile + i, origin));
	m->origin = origin;
	m->horizon = m->profile->horizon;
	return 0;
}

FAIR_MACHINE_API int fair_machine_settle(struct fair_machine *m)
{
	uint32_t i;

	for (i = 0; i < m->profiles; i++)
		fair_must(fair_profile_settle(m->profile + i));
	return 0;
}

/*
 * >>queries
 */

/* Are the amounts of one job, or of a part of it? */
static bool fair_machine_is_amount(const struct fair_machine *m,
				   const int32_t *amount)
{
	int32_t most = 0;
	uint32_t r;

	for (r = 0; r < m->resources; r++) {
		if (amount[r] < 0)
			return false;
		most |= amount[r];
	}
	return most != 0;
}

static bool fair_machine_is_request(const struct fair_machine *m,
				    const struct fair_machine_request *r)
{
	uint32_t i;

	for (i = 0; i < r->count; i++)
		if (r->classes[i] >= m->classes)
			return false;
	return fair_machine_is_amount(m, r->amount);
}

FAIR_MACHINE_API int
fair_machine_earliest_start(const struct fair_machine *m, int64_t not_before,
			    int64_t walltime,
			    const struct fair_machine_request *request,
			    int64_t *start, uint32_t *node_class)
{
	struct fair_machine_query q;
	uint32_t k = 0;

	if (!fair_machine_is_request(m, request) || walltime < 1 ||
	    not_before < m->origin)
		return -FAIR_EINVAL;
	if (not_before > m->horizon || walltime > m->horizon - not_before)
		return -FAIR_EOVERFLOW;
	q.from = not_before;
	q.before = q.current = INT64_MAX;
	q.walltime = walltime;
	if (!fair_machine_search_classes(m, UINT32_MAX, request, &q, &k))
		return fair_machine_is_ever_free(m, request) ? -FAIR_EOVERFLOW
							     : -FAIR_ERANGE;
	*start = q.before;
	*node_class = k;
	return 0;
}

FAIR_MACHINE_API int
fair_machine_earlier_start(const struct fair_machine *m, int64_t not_before,
			   int64_t before, int64_t walltime,
			   const struct fair_machine_request *request,
			   int64_t current, uint32_t current_class,
			   int64_t *start, uint32_t *node_class)
{
	struct fair_machine_query q;
	uint32_t k = current_class;

	if (!fair_machine_is_request(m, request) || walltime < 1 ||
	    not_before < m->origin || current_class >= m->classes)
		return -FAIR_EINVAL;
	if (current > m->horizon)
		return -FAIR_EOVERFLOW;
	q.from = not_before;
	q.before = before < current ? before : current;
	q.walltime = walltime;
	q.current = current;
	*start = current;
	if (fair_machine_search_classes(m, current_class, request, &q, &k))
		*start = q.before;
	*node_class = k;
	return 0;
}

FAIR_MACHINE_API const struct fair_profile *
fair_machine_profile(const struct fair_machine *m, uint32_t node_class,
		     uint32_t resource)
{
	if (node_class >= m->classes || resource >= m->resources)
		return NULL;
	return fair_machine_at(m, node_class, resource);
}

FAIR_MACHINE_API int fair_machine_min_free(const struct fair_machine *m,
					   uint32_t node_class, int64_t start,
					   int64_t end, int32_t *amount)
{
	uint32_t r;

	if (node_class >= m->classes || start < m->origin || end <= start)
		return -FAIR_EINVAL;
	for (r = 0; r < m->resources; r++) {
		const struct fair_profile *p =
			fair_machine_at(m, node_class, r);

		amount[r] = 0;
		if (p)
			fair_must(fair_profile_min_free(p, start, end,
							amount + r));
	}
	return 0;
}

FAIR_MACHINE_API int fair_machine_step_at(const struct fair_machine *m,
					  uint32_t node_class, int64_t t,
					  int64_t *start, int64_t *end,
					  int32_t *amount)
{
	uint32_t r;

	if (node_class >= m->classes || t < m->origin)
		return -FAIR_EINVAL;
	*start = m->origin;
	*end = FAIR_FOREVER;
	for (r = 0; r < m->resources; r++) {
		const struct fair_profile *p =
			fair_machine_at(m, node_class, r);
		struct fair_step s;

		amount[r] = 0;
		if (!p)
			continue;
		fair_must(fair_profile_step_at(p, t, &s));
		amount[r] = s.free;
		*start = s.start > *start ? s.start : *start;
		*end = s.end < *end ? s.end : *end;
	}
	return 0;
}

FAIR_MACHINE_API size_t fair_machine_steps(const struct fair_machine *m)
{
	size_t most = 0, n;
	uint32_t i;

	for (i = 0; i < m->profiles; i++) {
		n = fair_profile_steps(m->profile + i);
		most = n > most ? n : most;
	}
	return most;
}

/*
 * >>changes
 */

/* May amounts of a class be taken or given back in such an interval? */
static int fair_machine_interval(const struct fair_machine *m, uint32_t k,
				 int64_t start, int64_t walltime,
				 const int32_t *amount)
{
	if (k >= m->classes || !fair_machine_is_amount(m, amount) ||
	    walltime < 1 || start < m->origin)
		return -FAIR_EINVAL;
	if (start > m->horizon || walltime > m->horizon - start)
		return -FAIR_EOVERFLOW;
	return 0;
}

/* Takes an amount, or gives it back. */
FAIR_MACHINE_HOT int fair_machine_add(struct fair_profile *p, int64_t start,
				      int64_t walltime, int32_t amount,
				      bool take)
{
	return take ? fair_profile_reserve(p, start, walltime, amount)
		    : fair_profile_release(p, start, walltime, amount);
}

/* Takes all amounts, or gives them back; or none of them. */
static int fair_machine_change(struct fair_machine *m, uint32_t k,
			       int64_t start, int64_t walltime,
			       const int32_t *amount, bool take)
{
	int error = fair_machine_interval(m, k, start, walltime, amount);
	struct fair_profile *p;
	uint32_t r;

	if (error)
		return error;
	/* Invariant: the amounts before r are done. */
	for (r = 0; r < m->resources; r++) {
		if (!amount[r])
			continue;
		p = fair_machine_at(m, k, r);
		error = p ? fair_machine_add(p, start, walltime, amount[r],
					     take)
			  : -FAIR_ERANGE;
		if (error)
			break;
	}
	/* To go back to steps that were there cannot fail. */
	while (error && r--)
		if (amount[r])
			fair_must(fair_machine_add(fair_machine_at(m, k, r),
						   start, walltime, amount[r],
						   !take));
	return error;
}

FAIR_MACHINE_API int fair_machine_reserve(struct fair_machine *m,
					  uint32_t node_class, int64_t start,
					  int64_t walltime,
					  const int32_t *amount)
{
	return fair_machine_change(m, node_class, start, walltime, amount,
				   true);
}

FAIR_MACHINE_API int fair_machine_release(struct fair_machine *m,
					  uint32_t node_class, int64_t start,
					  int64_t walltime,
					  const int32_t *amount)
{
	return fair_machine_change(m, node_class, start, walltime, amount,
				   false);
}

/* A reservation that begins earlier, in the same class or in another one. */
struct fair_machine_shift {
	uint32_t from_class, to_class;
	int64_t from, to, walltime;
};

/* The same profile holds it before and after. */
static bool fair_machine_stays(const struct fair_machine *m,
			       const struct fair_machine_shift *s, uint32_t r)
{
	return s->from_class == s->to_class || fair_machine_is_wide(m, r);
}

/* Moves one of its amounts. */
static int fair_machine_move_one(struct fair_machine *m,
				 const struct fair_machine_shift *s, uint32_t r,
				 int32_t amount, int32_t *most)
{
	struct fair_profile *from = fair_machine_at(m, s->from_class, r);
	struct fair_profile *to = fair_machine_at(m, s->to_class, r);
	int error;

	if (!from || !to)
		return -FAIR_ERANGE;
	if (fair_machine_stays(m, s, r))
		return fair_profile_move(from, s->from, s->to, s->walltime,
					 amount, most);
	error = fair_profile_reserve(to, s->to, s->walltime, amount);
	if (error)
		return error;
	error = fair_profile_release(from, s->from, s->walltime, amount);
	if (error) /* as it was: that cannot fail */
		fair_must(fair_profile_release(to, s->to, s->walltime, amount));
	else
		fair_must(fair_profile_max_free(from, s->from,
						s->from + s->walltime, most));
	return error;
}

/* Moves it back, after which all is as it was: that cannot fail. */
static void fair_machine_move_back(struct fair_machine *m,
				   const struct fair_machine_shift *s,
				   uint32_t r, int32_t amount)
{
	int64_t part = s->walltime;

	if (fair_machine_stays(m, s, r) && part > s->from - s->to)
		part = s->from - s->to;
	fair_must(fair_profile_release(fair_machine_at(m, s->to_class, r),
				       s->to, part, amount));
	fair_must(fair_profile_reserve(fair_machine_at(m, s->from_class, r),
				       s->from + s->walltime - part, part,
				       amount));
}

FAIR_MACHINE_API int fair_machine_move(struct fair_machine *m,
				       uint32_t current_class, int64_t current,
				       uint32_t node_class, int64_t start,
				       int64_t walltime, const int32_t *amount,
				       int32_t *most)
{
	struct fair_machine_shift s = { current_class, node_class, current,
					start, walltime };
	int32_t left[FAIR_MACHINE_RESOURCES];
	uint32_t r;
	int error;

	error = fair_machine_interval(m, current_class, current, walltime,
				      amount);
	if (error)
		return error;
	if (node_class >= m->classes || start < m->origin || start >= current)
		return -FAIR_EINVAL;
	/* Invariant: the amounts before r have moved. */
	for (r = 0; r < m->resources; r++) {
		left[r] = INT32_MAX;
		if (!amount[r])
			continue;
		error = fair_machine_move_one(m, &s, r, amount[r], left + r);
		if (error)
			break;
	}
	if (error) {
		while (r--)
			if (amount[r])
				fair_machine_move_back(m, &s, r, amount[r]);
		return error;
	}
	FAIR_MEMCPY(most, left, m->resources * sizeof(*most));
	return 0;
}

FAIR_MACHINE_API int fair_machine_change_capacity(struct fair_machine *m,
						  uint32_t node_class,
						  uint32_t resource,
						  int64_t start, int64_t end,
						  int32_t delta)
{
	struct fair_profile *p;

	if (node_class >= m->classes || resource >= m->resources)
		return -FAIR_EINVAL;
	p = fair_machine_at(m, node_class, resource);
	if (!p)
		return -FAIR_ERANGE;
	return fair_profile_change_capacity(p, start, end, delta);
}

/*
 * >>jobs
 */

/* Sets pointers into @memory, if any; returns the bytes used, 0: too many. */
static uint64_t fair_machine_jobs_layout(struct fair_machine_jobs *x,
					 uint32_t classes, uint32_t resources,
					 char *memory)
{
	uint64_t used = 0;

	x->amount = (int32_t *)fair_machine_carve(
		memory, &used, (uint64_t)x->jobs * resources, 4);
	x->classes = (uint8_t *)fair_machine_carve(
		memory, &used, (uint64_t)x->jobs * classes, 1);
	x->count = (uint8_t *)fair_machine_carve(memory, &used, x->jobs, 1);
	x->node_class =
		(uint8_t *)fair_machine_carve(memory, &used, x->jobs, 1);
	return used;
}

FAIR_MACHINE_API size_t
fair_machine_jobs_size(const struct fair_machine_config *config, uint32_t jobs,
		       size_t steps)
{
	size_t machine = fair_machine_size(config, steps);
	struct fair_machine_jobs x;
	uint64_t bytes;

	if (!machine)
		return 0;
	x.jobs = jobs;
	bytes = machine + 63 +
		fair_machine_jobs_layout(&x, config->classes,
					 config->resources, NULL);
	return (size_t)bytes * (bytes <= SIZE_MAX / 2);
}

FAIR_MACHINE_API int
fair_machine_jobs_init(struct fair_machine_jobs *x, size_t struct_size,
		       void *memory, size_t bytes,
		       const struct fair_machine_config *config, uint32_t jobs,
		       int64_t origin)
{
	size_t pad = (size_t)(-(uintptr_t)memory & 63), used;
	struct fair_machine_jobs own;
	int error;

	if (struct_size != sizeof(*x) || !memory ||
	    !fair_machine_is_config(config))
		return -FAIR_EINVAL;
	if (bytes < fair_machine_jobs_size(config, jobs, 1))
		return -FAIR_ENOMEM;
	own.jobs = jobs;
	used = pad + (size_t)fair_machine_jobs_layout(&own, config->classes,
						      config->resources,
						      (char *)memory + pad);
	error = fair_machine_init(&own.machine, sizeof(own.machine),
				  (char *)memory + used, bytes - used, config,
				  origin);
	if (!error)
		*x = own;
	return error;
}

FAIR_MACHINE_API int fair_machine_jobs_clone(struct fair_machine_jobs *copy,
					     void *memory, size_t bytes,
					     const struct fair_machine_jobs *x)
{
	size_t pad = (size_t)(-(uintptr_t)memory & 63), used;
	struct fair_machine_jobs own = *x;
	int error;

	if (!memory)
		return -FAIR_EINVAL;
	used = pad + (size_t)fair_machine_jobs_layout(
			     &own, x->machine.classes, x->machine.resources,
			     (char *)memory + pad);
	if (bytes < used)
		return -FAIR_ENOMEM;
	error = fair_machine_clone(&own.machine, (char *)memory + used,
				   bytes - used, &x->machine);
	if (!error)
		*copy = own;
	return error;
}

FAIR_MACHINE_API bool
fair_machine_can_ask(const struct fair_machine *m,
		     const struct fair_machine_request *request)
{
	uint64_t seen = 0;
	uint32_t i, k;

	for (i = 1; request->amount && i < m->resources; i++)
		if (request->amount[i] < 0)
			return false;
	for (i = 0; i < request->count; i++) {
		k = request->classes[i];
		if (k >= m->classes || seen >> k & 1)
			return false;
		seen |= UINT64_C(1) << k;
	}
	return true;
}

FAIR_MACHINE_API uint32_t
fair_machine_closest(const struct fair_machine_config *config,
		     const struct fair_machine_request *request,
		     uint32_t *resource)
{
	uint32_t n = request->count ? request->count : config->classes;
	uint32_t least = UINT32_MAX, closest = 0, lacks, first, at;
	uint32_t i, k, r;
	int32_t amount, has, most = 0;

	for (i = 0; i < n; i++) {
		k = request->count ? request->classes[i] : i;
		lacks = 0;
		has = 0;
		for (first = r = config->resources; r-- > 0;) {
			at = config->wide >> r & 1 ? 0 : k;
			amount = config->amount[at * config->resources + r];
			if (request->amount[r] <= amount)
				continue;
			lacks++;
			first = r;
			has = amount;
		}
		if (lacks > least ||
		    (lacks == least && (first != *resource || has <= most)))
			continue;
		least = lacks;
		closest = k;
		most = has;
		*resource = first;
	}
	return closest;
}

FAIR_MACHINE_API int fair_machine_jobs_set(struct fair_machine_jobs *x,
					   uint32_t slot, int32_t procs,
					   const int32_t *amount,
					   const uint8_t *classes,
					   uint32_t count)
{
	const struct fair_machine_request request = { amount, classes, count };
	const struct fair_machine *m = &x->machine;
	uint32_t r;

	if (slot >= x->jobs || procs < 1 || !fair_machine_can_ask(m, &request))
		return -FAIR_EINVAL;
	for (r = 0; r < m->resources; r++)
		x->amount[(size_t)slot * m->resources + r] =
			amount ? amount[r] : 0;
	x->amount[(size_t)slot * m->resources] = procs;
	for (r = 0; r < count; r++)
		x->classes[(size_t)slot * m->classes + r] = classes[r];
	x->count[slot] = (uint8_t)count;
	x->node_class[slot] = 0;
	return 0;
}

FAIR_MACHINE_API void
fair_machine_jobs_copy(struct fair_machine_jobs *x, uint32_t slot,
		       const struct fair_machine_jobs *from, uint32_t i)
{
	struct fair_machine_request r = fair_machine_jobs_request(from, i);

	fair_must(fair_machine_jobs_set(x, slot, r.amount[0], r.amount,
					r.classes, r.count));
	x->node_class[slot] = from->node_class[i];
}

FAIR_MACHINE_API struct fair_machine_request
fair_machine_jobs_request(const struct fair_machine_jobs *x, uint32_t slot)
{
	struct fair_machine_request r;

	r.amount = x->amount + (size_t)slot * x->machine.resources;
	r.classes = x->classes + (size_t)slot * x->machine.classes;
	r.count = x->count[slot];
	return r;
}

FAIR_MACHINE_API struct fair_claim
fair_machine_jobs_claim(const struct fair_machine_jobs *x, uint32_t slot)
{
	struct fair_claim claim;

	claim.amount = x->amount + (size_t)slot * x->machine.resources;
	claim.procs = claim.amount[0];
	claim.node_class = x->node_class[slot];
	claim.slot = slot;
	return claim;
}

/* Is there enough of all resources in class @k throughout [start, end)? */
static bool fair_machine_fits_class(const struct fair_machine *m, uint32_t k,
				    int64_t start, int64_t end,
				    const int32_t *amount)
{
	const struct fair_profile *p;
	int32_t least;
	uint32_t r;

	for (r = 0; r < m->resources; r++) {
		if (!amount[r])
			continue;
		p = fair_machine_at(m, k, r);
		if (!p)
			return false;
		fair_must(fair_profile_min_free(p, start, end, &least));
		if (least < amount[r])
			return false;
	}
	return true;
}

FAIR_MACHINE_API bool
fair_machine_fits(const struct fair_machine *m, int64_t start, int64_t end,
		  const struct fair_machine_request *request,
		  uint32_t *node_class)
{
	uint32_t n = request->count ? request->count : m->classes, i, k;

	for (i = 0; i < n; i++) {
		k = request->count ? request->classes[i] : i;
		if (fair_machine_fits_class(m, k, start, end,
					    request->amount)) {
			*node_class = k;
			return true;
		}
	}
	return false;
}

/*
 * >>check
 */

FAIR_MACHINE_API int fair_machine_check(const struct fair_machine *m)
{
	uint32_t i;

	if (m->resources < 1 || m->resources > FAIR_MACHINE_RESOURCES ||
	    m->classes < 1 || m->classes > FAIR_MACHINE_CLASSES ||
	    m->profiles < m->classes)
		return 1;
	for (i = 0; i < m->profiles; i++) {
		const struct fair_profile *p = m->profile + i;

		if (p->origin != m->origin || p->horizon != m->horizon)
			return 2;
		if (fair_profile_check(p))
			return 3;
	}
	return 0;
}

#endif /* FAIR_MACHINE_IMPLEMENTED */

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
