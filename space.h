/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * space.h - what is free when: one pool of processors, classes, or nodes
 *
 * In ONE file:  #define FAIR_SPACE_IMPLEMENTATION
 *               #define FAIR_QUOTAS_IMPLEMENTATION
 *               #define FAIR_MACHINE_IMPLEMENTATION
 *               #define FAIR_NODES_IMPLEMENTATION
 *               #define FAIR_PROFILE_IMPLEMENTATION
 *               #define FAIR_QUEUE_IMPLEMENTATION
 *               #include "space.h"
 *
 * A planner asks a space for room, and never asks what the space is made of:
 *
 *      planner: "when is room for the job in slot 7?"     found: 50, class b
 *         |                                                  ^
 *         v                                                  |
 *   +- space --------------------------------------------------------------+
 *   | profile   processors of all classes  8 |####|22|______|3333|___       |
 *   | machine   class a  processors        4 |####|_________________        |
 *   |           class b  processors, GPUs  4 |22|___________|3333|__        |
 *   +-----------------------------------------------------------------------+
 *
 * One pool has the profile alone. With a machine, the profile counts the
 * processors of all classes, and the machine everything, class by class; with
 * nodes, those of all nodes that are up, and the nodes everything, node by
 * node. Both change together, or neither does. So no job has room where the
 * profile has too few processors for it, and the profile serves as a filter.
 *
 * With limits (quotas.h), a job has room only where all of its limits have: a
 * search goes from one to the other until they agree. What a job takes of the
 * space, it holds of its limits.
 *
 * A search notes where it found room. fair_space_settle_job() makes that the
 * job's place; fair_space_change_job() takes what the job asks for there, or
 * gives it back. What others hold, running jobs that overrun, advance
 * reservations, capacity that is lost, is a struct fair_claim.
 *
 * EXAMPLE
 *   struct fair_queued job[2] = { { { 0, 1 }, 100, 3, 0, 0, 0 },
 *                                 { { 0, 2 }, 50, 2, 0, 0, 0 } };
 *   static char memory[8192];
 *   struct fair_space space;
 *   uint32_t slot;
 *
 *   fair_space_init(&space, sizeof(space), memory, sizeof(memory), 4, 0);
 *   for (slot = 0; slot < 2; slot++) {
 *           job[slot].rank.key = fair_space_earliest(&space, slot, job + slot,
 *                                                    0);
 *           fair_space_reserve(&space, slot, job + slot);  // at 0, and at 100
 *   }
 *
 * UNITS      seconds, intervals half-open; processors, and amounts of other
 *            resources, in the units of machine.h
 * ERRORS     0 or -FAIR_E...; an error changes nothing. A search returns a
 *            time, FAIR_FOREVER if there is no room
 * MEMORY     the caller's: that of the profile. A machine has its own
 * THREADS    const calls may run concurrently
 * COMPLEXITY each call costs one of profile.h, and with a machine one of
 *            machine.h, unless it says more
 * DEFINES    FAIR_SPACE_API, FAIR_ASSERT, FAIRSCHED_STATIC
 * INVARIANTS fair_space_check() verifies
 *            I1 the profile's own
 *            I2 the machine's own
 *            I3 all have the same origin
 *            I4 the nodes' own
 *            I5 the profile has what is free of the nodes that are up; what
 *               jobs hold of others is theirs until they end
 *            I6 the limits' own
 * SOURCES    [MF01] Mu'alem & Feitelson, IEEE TPDS 12(6), 2001
 */
#ifndef FAIR_SPACE_H
#define FAIR_SPACE_H

#ifndef FAIRSCHED_WITHOUT_LIMITS
#ifndef FAIR_QUOTAS_H
#include "quotas.h"
#endif
#endif /* FAIRSCHED_WITHOUT_LIMITS */
#ifndef FAIRSCHED_WITHOUT_CLASSES
#ifndef FAIR_MACHINE_H
#include "machine.h"
#endif
#endif /* FAIRSCHED_WITHOUT_CLASSES */
#ifndef FAIRSCHED_WITHOUT_NODES
#ifndef FAIR_NODES_H
#include "nodes.h"
#endif
#endif /* FAIRSCHED_WITHOUT_NODES */
#ifndef FAIR_PROFILE_H
#include "profile.h"
#endif
#ifndef FAIR_QUEUE_H
#include "queue.h"
#endif

#ifndef FAIR_SPACE_API
#define FAIR_SPACE_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

#if defined(FAIRSCHED_WITHOUT_LIMITS) || defined(FAIRSCHED_WITHOUT_NODES) ||  \
	defined(FAIRSCHED_WITHOUT_ADVANCES)
#include "sched/absent.h"
#endif

FAIRSCHED_REQUIRE(FAIR_SPACE_API, fair_space);

/**
 * struct fair_moves - callbacks, for each reservation that an event moves.
 * @moved:   called after each move, with the start that the job had before
 *           (FAIR_FOREVER: none)
 * @context: the first argument of all of them
 * @sort:    pc, dc: unless NULL, the order changes: called as a scan by
 *           priority begins, to put the slots of all queued jobs into the order
 *           of now, which that scan keeps to its end
 * @gate:    dc: unless NULL, a scan for jobs that can start now goes twice over
 *           the queue: over those that it admits, then over all
 * @filled:  with @gate: called when that scan comes to a job which is to start
 *           now; and for each of these when it ends: @starts is false
 *
 * Every event takes it as an argument, so that the caller can name that event
 * as the cause. NULL: no call.
 */
struct fair_moves {
	void (*moved)(void *context, uint32_t slot, int64_t from);
	void *context;
	void (*sort)(void *context, uint32_t *slot, uint32_t jobs);
	bool (*gate)(void *context, uint32_t slot);
	void (*filled)(void *context, uint32_t slot, bool starts);
};

/**
 * struct fair_space - what is free when.
 * @profile: processors, of all classes or nodes; to be read
 *
 * The other fields are private. It may be moved.
 */
struct fair_space {
	struct fair_profile profile;
	struct fair_machine_jobs *machine; /* NULL: no classes */
	struct fair_nodes *nodes;	   /* NULL: no nodes */
	struct fair_quotas *limits;	   /* NULL: no limits */
	/* Of @vetoer: see fair_space_veto_by(); NULL: there is none. */
	int64_t (*veto)(const void *vetoer, uint32_t slot, int64_t t);
	const void *vetoer;
	bool vetoes_anew; /* other answers than before */
	uint32_t found; /* the class in which the last search found room */
	bool held_back; /* the last search went on for a limit, or a veto */
};

/**
 * fair_space_init() - a pool of @procs processors, all free from @origin on.
 * @struct_size: sizeof(struct fair_space)
 * @memory:      fair_profile_size() bytes, kept
 *
 * Return: as fair_profile_init().
 */
FAIR_SPACE_API int fair_space_init(struct fair_space *space, size_t struct_size,
				   void *memory, size_t bytes, int32_t procs,
				   int64_t origin);

/**
 * fair_space_plan_on() - plan several resources and node classes from now on.
 * @machine: as idle as the profile, with the same origin; NULL: the pool
 *
 * It stays where it is.
 */
FAIR_SPACE_API void fair_space_plan_on(struct fair_space *space,
				       struct fair_machine_jobs *machine);

/**
 * fair_space_plan_on_nodes() - plan jobs on nodes from now on.
 * @nodes: as idle as the profile, with the same origin and processors; NULL:
 *         none
 *
 * It stays where it is.
 */
FAIR_SPACE_API void fair_space_plan_on_nodes(struct fair_space *space,
					     struct fair_nodes *nodes);

/**
 * fair_space_limit_by() - jobs hold what their limits allow from now on.
 * @limits: in which no job holds anything; NULL: none
 *
 * It stays where it is.
 */
FAIR_SPACE_API void fair_space_limit_by(struct fair_space *space,
					struct fair_quotas *limits);

/**
 * fair_space_veto_by() - jobs begin when a veto lets them from now on.
 * @veto:   from which time >= @t on the job in @slot may run for its whole
 *          walltime; FAIR_FOREVER: never; NULL: no veto
 * @vetoer: its first argument
 *
 * The same question has the same answer until fair_space_veto_anew().
 */
FAIR_SPACE_API void fair_space_veto_by(struct fair_space *space,
				       int64_t (*veto)(const void *vetoer,
						       uint32_t slot,
						       int64_t t),
				       const void *vetoer);

/** fair_space_veto_anew() - the veto has other answers.
 *
 * fair_space_is_any_over() says so once, and fair_space_is_over() whose
 * reservations it forbids. */
FAIR_SPACE_API void fair_space_veto_anew(struct fair_space *space);

/**
 * fair_space_clone() - an independent copy of the profile, as one pool.
 * @memory: as for fair_space_init(); @bytes may be fewer than @from has
 *
 * Call fair_space_plan_on() next, with a copy of the machine or the nodes,
 * fair_space_limit_by(), with one of the limits, and fair_space_veto_by().
 *
 * Return: 0; -FAIR_ENOMEM. Complexity: O(steps).
 */
FAIR_SPACE_API int fair_space_clone(struct fair_space *copy, void *memory,
				    size_t bytes,
				    const struct fair_space *from);

/** fair_space_check() - 0, or the first broken invariant; O(steps), with nodes
 * O(steps^2). */
FAIR_SPACE_API int fair_space_check(const struct fair_space *space);

/**
 * fair_space_is_pool() - whether the profile alone says what is free.
 *
 * Then a job has room where the profile has its processors, and a reservation
 * that moves gives back what it does not hold any more. Otherwise it may move
 * to another class or other nodes, and all that it held is free.
 */
FAIR_SPACE_API bool fair_space_is_pool(const struct fair_space *space);

/**
 * fair_space_has_nodes() - whether jobs are planned on nodes.
 *
 * Then a start may decide which nodes suit a reservation best, and a job may
 * gain from what becomes free outside of its own interval.
 */
FAIR_SPACE_API bool fair_space_has_nodes(const struct fair_space *space);

/** fair_space_has_limits() - whether limits, or a veto, may hold jobs back. */
FAIR_SPACE_API bool fair_space_has_limits(const struct fair_space *space);

/**
 * fair_space_needs_slots() - whether a job's slot says what it holds: else that
 * of a job that is gone can be given back.
 */
FAIR_SPACE_API bool fair_space_needs_slots(const struct fair_space *space);

/**
 * fair_space_held_back() - whether a limit, or a veto, made the last search go
 * on.
 *
 * Then what it did not find, another job may find.
 */
FAIR_SPACE_API bool fair_space_held_back(const struct fair_space *space);

/** fair_space_allows() - whether the limits of a job that holds nothing have
 * room for it over [@from, @end), and no veto is against that. */
FAIR_SPACE_API bool fair_space_allows(const struct fair_space *space,
				      uint32_t slot, int64_t from, int64_t end);

/** fair_space_allows_until() - the same over [@from, @from + @walltime), of a
 * job that holds its limits from @until on, as long: those are free to it. */
FAIR_SPACE_API bool fair_space_allows_until(const struct fair_space *space,
					    uint32_t slot, int64_t from,
					    int64_t walltime, int64_t until);

/** fair_space_hold() - the job holds its limits over [@from, @end), and @from =
 * @end: it does not, whatever it holds of the space. */
FAIR_SPACE_API void fair_space_hold(struct fair_space *space, uint32_t slot,
				    int64_t from, int64_t end);

/** fair_space_is_over() - whether a limit is exceeded while the job, reserved
 * from @start on, holds it, or a veto is against that. */
FAIR_SPACE_API bool fair_space_is_over(const struct fair_space *space,
				       uint32_t slot, int64_t start);

/**
 * fair_space_is_any_over() - whether a running job has taken more than a limit
 * had left, a limit was lowered, or the veto asked anew, since the last such
 * call.
 */
FAIR_SPACE_API bool fair_space_is_any_over(struct fair_space *space);

/**
 * fair_space_advance() - forget everything before @now.
 *
 * Return: 0; -FAIR_EINVAL before the origin; -FAIR_EOVERFLOW.
 */
FAIR_SPACE_API int fair_space_advance(struct fair_space *space, int64_t now);

/** fair_space_settle() - bring the indexes up to date; no answer changes. */
FAIR_SPACE_API void fair_space_settle(struct fair_space *space);

/**
 * fair_space_earliest() - the earliest start from @from on of a job that has no
 * reservation.
 * @slot: what the job asks for of a machine, or of nodes
 * @j:    its processors and its walltime
 *
 * Return: seconds; FAIR_FOREVER: none.
 */
FAIR_SPACE_API int64_t fair_space_earliest(struct fair_space *space,
					   uint32_t slot,
					   const struct fair_queued *j,
					   int64_t from);

/**
 * fair_space_earlier() - the earliest start in [@from, @before) of a job that
 * is reserved from j->rank.key on, with that reservation counted as free.
 *
 * Return: seconds; j->rank.key if there is none.
 */
FAIR_SPACE_API int64_t fair_space_earlier(struct fair_space *space,
					  uint32_t slot,
					  const struct fair_queued *j,
					  int64_t from, int64_t before);

/** fair_space_fits() - whether the job has room from @start on, a time from the
 * origin on, for its whole walltime. */
FAIR_SPACE_API bool fair_space_fits(struct fair_space *space, uint32_t slot,
				    const struct fair_queued *j, int64_t start);

/** fair_space_settle_job() - the job's place is where the last search, which
 * must be its own, found room from @start on. */
FAIR_SPACE_API void fair_space_settle_job(struct fair_space *space,
					  uint32_t slot,
					  const struct fair_queued *j,
					  int64_t start);

/** fair_space_forget_job() - the job, which holds nothing, has no place. */
FAIR_SPACE_API void fair_space_forget_job(struct fair_space *space,
					  uint32_t slot);

/**
 * fair_space_held() - what a job of @procs holds of the profile in its place:
 * of nodes all that it takes of those that are up, else @procs.
 *
 * Complexity: O(nodes of the job).
 */
FAIR_SPACE_API int32_t fair_space_held(const struct fair_space *space,
				       uint32_t slot, int32_t procs);

/**
 * fair_space_busy() - how many of the machine's processors a running job of
 * @procs uses: on nodes, those of its chunks on nodes that are up.
 *
 * Complexity: O(nodes of the job).
 */
FAIR_SPACE_API int32_t fair_space_busy(const struct fair_space *space,
				       uint32_t slot, int32_t procs);

/**
 * fair_space_claim() - what a job of @procs holds in its place, or would hold.
 *
 * It is valid until the job asks for something else.
 */
FAIR_SPACE_API struct fair_claim
fair_space_claim(const struct fair_space *space, uint32_t slot, int32_t procs);

/**
 * fair_space_change() - take a claim over [@from, @end), or give it back.
 * @end: FAIR_FOREVER: the machine loses the claim, or gains it
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if less is free somewhere, or, of what
 * is given back, in use; -FAIR_EOVERFLOW beyond the horizon; -FAIR_ENOSPC.
 */
FAIR_SPACE_API int fair_space_change(struct fair_space *space, int64_t from,
				     int64_t end,
				     const struct fair_claim *claim, bool take);

/**
 * fair_space_lack() - the first time in [@from, @end) at which the claim is not
 * free; FAIR_FOREVER: it is free throughout, as a node counts, which can go
 * once no reservation is on it.
 *
 * Complexity: O(log(seconds until then)) queries.
 */
FAIR_SPACE_API int64_t fair_space_lack(const struct fair_space *space,
				       int64_t from, int64_t end,
				       const struct fair_claim *claim);

/** fair_space_change_job() - the same of what the job asks for, in its place;
 * nothing if @from is not before @end. It takes no node that is down:
 * -FAIR_ERANGE. Its limits follow, and are not asked. */
FAIR_SPACE_API int fair_space_change_job(struct fair_space *space,
					 uint32_t slot, int32_t procs,
					 int64_t from, int64_t end, bool take);

/**
 * fair_space_resize() - of nodes: a job that holds its place over [@from, @end)
 * has another size then, by fair_nodes_resize().
 *
 * Return: as that.
 */
FAIR_SPACE_API int fair_space_resize(struct fair_space *space, uint32_t slot,
				     const struct fair_nodes_request *size,
				     int64_t from, int64_t end);

/** fair_space_clear() - of nodes: all that are up are free over [@from, @end),
 * by fair_nodes_clear(); only parts of jobs hold anything behind it. */
FAIR_SPACE_API void fair_space_clear(struct fair_space *space, int64_t from,
				     int64_t end);

/** fair_space_fill() - of nodes: takes all that is free of one, by
 * fair_nodes_fill(). */
FAIR_SPACE_API void fair_space_fill(struct fair_space *space, uint32_t node,
				    int64_t from, int64_t end);

/** fair_space_reserve() - the job holds what it asks for from j->rank.key on,
 * where the last search, which must be its own, found that room. */
FAIR_SPACE_API void fair_space_reserve(struct fair_space *space, uint32_t slot,
				       const struct fair_queued *j);

/**
 * fair_space_most_freed() - a job that needs more processors finds no earlier
 * start by what was freed of [@from, @to).
 *
 * It is what is free at any second of it; but on nodes a job may take some of
 * what it has reserved there and some more, so that it is INT32_MAX.
 */
FAIR_SPACE_API int32_t fair_space_most_freed(const struct fair_space *space,
					     int64_t from, int64_t to);

/**
 * fair_space_move() - a reservation moves from j->rank.key to @to, an earlier
 * start, where the last search found it.
 * @most: out: fair_space_most_freed() of what it leaves of the profile
 *
 * Return: whether it leaves all of its place, else only what the new interval
 * does not cover.
 */
FAIR_SPACE_API bool fair_space_move(struct fair_space *space, uint32_t slot,
				    const struct fair_queued *j, int64_t to,
				    int32_t *most);

/*
 * CLASSES, one by one. A pool is one class of one resource.
 */

/** fair_space_classes() - how many there are. */
FAIR_SPACE_API uint32_t fair_space_classes(const struct fair_space *space);

/** fair_space_class_profile() - the processors of class @k over time. */
FAIR_SPACE_API const struct fair_profile *
fair_space_class_profile(const struct fair_space *space, uint32_t k);

/** fair_space_fits_class() - as fair_space_fits(), in class @k alone. */
FAIR_SPACE_API bool fair_space_fits_class(const struct fair_space *space,
					  uint32_t slot,
					  const struct fair_queued *j,
					  int64_t start, uint32_t k);

/**
 * fair_space_has_room() - whether jobs, together, have room in class @k, all
 * from @start on, until the last of them ends.
 * @jobs:   whose slots are @job[0 .. @n)
 * @chosen: a bit for each of them: those that count; the last job is bit 0
 *
 * Complexity: O(n), and one query.
 */
FAIR_SPACE_API bool fair_space_has_room(const struct fair_space *space,
					const struct fair_queue *jobs,
					const uint32_t *job, uint32_t chosen,
					uint32_t n, int64_t start, uint32_t k);

/** fair_space_class() - the class in which the job is reserved or runs. */
FAIR_SPACE_API uint32_t fair_space_class(const struct fair_space *space,
					 uint32_t slot);

/** fair_space_set_class() - the job's place is class @k, which is one. */
FAIR_SPACE_API void fair_space_set_class(struct fair_space *space,
					 uint32_t slot, uint32_t k);

FAIRSCHED_END_C
#endif /* FAIR_SPACE_H */

#if !defined(FAIR_SPACE_IMPLEMENTED) &&                                        \
	(defined(FAIR_SPACE_IMPLEMENTATION) ||                                 \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_SPACE_IMPLEMENTED

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

FAIRSCHED_PROVIDE(FAIR_SPACE_API, fair_space)

FAIR_SPACE_API int fair_space_init(struct fair_space *space, size_t struct_size,
				   void *memory, size_t bytes, int32_t procs,
				   int64_t origin)
{
	int error;

	if (struct_size != sizeof(*space))
		return -FAIR_EINVAL;
	error = fair_profile_init(&space->profile, sizeof(space->profile),
				  memory, bytes, procs, origin);
	if (error)
		return error;
	space->machine = NULL;
	space->nodes = NULL;
	space->limits = NULL;
	space->veto = NULL;
	space->vetoes_anew = false;
	space->found = 0;
	space->held_back = false;
	return 0;
}

FAIR_SPACE_API void fair_space_plan_on(struct fair_space *space,
				       struct fair_machine_jobs *machine)
{
	space->machine = machine;
}

FAIR_SPACE_API void fair_space_plan_on_nodes(struct fair_space *space,
					     struct fair_nodes *nodes)
{
	space->nodes = nodes;
}

FAIR_SPACE_API void fair_space_limit_by(struct fair_space *space,
					struct fair_quotas *limits)
{
	space->limits = limits;
}

FAIR_SPACE_API void fair_space_veto_by(struct fair_space *space,
				       int64_t (*veto)(const void *vetoer,
						       uint32_t slot,
						       int64_t t),
				       const void *vetoer)
{
	space->veto = veto;
	space->vetoer = vetoer;
}

FAIR_SPACE_API void fair_space_veto_anew(struct fair_space *space)
{
	space->vetoes_anew = space->veto != NULL;
}

FAIR_SPACE_API int fair_space_clone(struct fair_space *copy, void *memory,
				    size_t bytes, const struct fair_space *from)
{
	int error = fair_profile_clone(&copy->profile, memory, bytes,
				       &from->profile);

	if (error)
		return error;
	copy->machine = NULL;
	copy->nodes = NULL;
	copy->limits = NULL;
	copy->veto = NULL;
	copy->vetoes_anew = false;
	copy->found = from->found;
	copy->held_back = false;
	return 0;
}

/* Free processors of the nodes that are up at @t; *@change: lowered to when
 * that changes next. */
static int64_t fair_space_nodes_free(const struct fair_nodes *n, int64_t t,
				     int64_t *change)
{
	int32_t amount[FAIR_NODES_RESOURCES];
	int64_t free = 0, start, end;
	uint32_t node;

	for (node = 0; node < n->nodes; node++) {
		if (fair_nodes_is_down(n, node))
			continue;
		fair_must(fair_nodes_step_at(n, node, t, &start, &end, amount));
		free += amount[0];
		*change = end < *change ? end : *change;
	}
	return free;
}

static int fair_space_check_nodes(const struct fair_space *space)
{
	struct fair_step step;
	int64_t t, next;

	if (fair_nodes_check(space->nodes))
		return 4;
	if (space->nodes->origin != space->profile.origin)
		return 3;
	for (t = space->profile.origin; t != FAIR_FOREVER; t = next) {
		fair_must(fair_profile_step_at(&space->profile, t, &step));
		next = step.end;
		if (fair_space_nodes_free(space->nodes, t, &next) != step.free)
			return 5;
	}
	return 0;
}

FAIR_SPACE_API int fair_space_check(const struct fair_space *space)
{
	const struct fair_machine *m;

	if (fair_profile_check(&space->profile))
		return 1;
	if (space->limits && fair_quotas_check(space->limits))
		return 6;
	if (space->nodes)
		return fair_space_check_nodes(space);
	if (!space->machine)
		return 0;
	m = &space->machine->machine;
	if (fair_machine_check(m))
		return 2;
	return m->origin == space->profile.origin ? 0 : 3;
}

FAIR_SPACE_API bool fair_space_is_pool(const struct fair_space *space)
{
	return !space->machine && !space->nodes;
}

FAIR_SPACE_API bool fair_space_has_nodes(const struct fair_space *space)
{
	return space->nodes;
}

/* LIMITS */

FAIR_SPACE_API bool fair_space_has_limits(const struct fair_space *space)
{
	return space->limits || space->veto;
}

FAIR_SPACE_API bool fair_space_needs_slots(const struct fair_space *space)
{
	return fair_space_has_limits(space) || !fair_space_is_pool(space);
}

/* The first time from @from on at which limits and the veto let a job start
 * that holds its limits from @until on, but whatever they say then. */
static int64_t fair_space_allowed_from(const struct fair_space *space,
				       uint32_t slot, int64_t from,
				       int64_t walltime, int64_t until)
{
	int64_t t = from, asked;

	/* Invariant: before @t one of them is against it. */
	do {
		asked = t;
		if (space->limits)
			t = fair_quotas_earliest(space->limits, slot, t,
						 walltime, until);
		if (space->veto && t < until)
			t = space->veto(space->vetoer, slot, t);
	} while (t != asked && t < until && space->veto);
	return t;
}

FAIR_SPACE_API bool fair_space_held_back(const struct fair_space *space)
{
	return space->held_back;
}

FAIR_SPACE_API bool fair_space_allows(const struct fair_space *space,
				      uint32_t slot, int64_t from, int64_t end)
{
	return fair_space_allows_until(space, slot, from, end - from,
				       FAIR_FOREVER);
}

FAIR_SPACE_API bool fair_space_allows_until(const struct fair_space *space,
					    uint32_t slot, int64_t from,
					    int64_t walltime, int64_t until)
{
	return !fair_space_has_limits(space) ||
	       fair_space_allowed_from(space, slot, from, walltime, until) ==
		       from;
}

FAIR_SPACE_API void fair_space_hold(struct fair_space *space, uint32_t slot,
				    int64_t from, int64_t end)
{
	if (space->limits)
		fair_quotas_hold(space->limits, slot, from, end);
}

FAIR_SPACE_API bool fair_space_is_over(const struct fair_space *space,
				       uint32_t slot, int64_t start)
{
	return (space->limits && fair_quotas_is_over(space->limits, slot)) ||
	       (space->veto &&
		space->veto(space->vetoer, slot, start) != start);
}

FAIR_SPACE_API bool fair_space_is_any_over(struct fair_space *space)
{
	bool over = space->vetoes_anew;

	space->vetoes_anew = false;
	if (!space->limits)
		return over;
	over |= space->limits->exceeded;
	space->limits->exceeded = false;
	return over;
}

FAIR_SPACE_API int fair_space_advance(struct fair_space *space, int64_t now)
{
	int error;

	if (now == space->profile.origin)
		return 0;
	error = fair_profile_advance(&space->profile, now);
	if (!error && space->machine)
		fair_must(fair_machine_advance(&space->machine->machine, now));
	if (!error && space->nodes)
		fair_must(fair_nodes_advance(space->nodes, now));
	return error;
}

FAIR_SPACE_API void fair_space_settle(struct fair_space *space)
{
	fair_must(fair_profile_settle(&space->profile));
	if (space->machine)
		fair_must(fair_machine_settle(&space->machine->machine));
	if (space->nodes)
		fair_must(fair_nodes_settle(space->nodes));
}

/*
 * SEARCHES. Those in the machine, or on nodes, stand apart: they are not
 * inlined into what most schedules do.
 */

FAIR_APART static int64_t fair_space_earliest_in(struct fair_space *space,
						 uint32_t slot,
						 const struct fair_queued *j,
						 int64_t from)
{
	struct fair_machine_request request;
	int64_t start = FAIR_FOREVER, soonest = from;

	if (space->nodes) {
		/* None is earlier than one on amounts. */
		if (!fair_profile_earliest_start(&space->profile, from,
						 j->walltime, j->procs,
						 &soonest))
			(void)fair_nodes_earliest_start(space->nodes, slot,
							soonest, j->walltime,
							&start);
		fair_nodes_note_first(space->nodes, slot, j->walltime, from,
				      start);
		return start;
	}
	request = fair_machine_jobs_request(space->machine, slot);
	(void)fair_machine_earliest_start(&space->machine->machine, from,
					  j->walltime, &request, &start,
					  &space->found);
	return start;
}

/* The earliest start, whatever limits say. */
static int64_t fair_space_earliest_room(struct fair_space *space,
					uint32_t slot,
					const struct fair_queued *j,
					int64_t from)
{
	int64_t start = FAIR_FOREVER;

	if (!fair_space_is_pool(space))
		return fair_space_earliest_in(space, slot, j, from);
	(void)fair_profile_earliest_start(&space->profile, from, j->walltime,
					  j->procs, &start);
	return start;
}

/* The same, but go on until limits agree. */
FAIR_APART static int64_t
fair_space_earliest_allowed(struct fair_space *space, uint32_t slot,
			    const struct fair_queued *j, int64_t from)
{
	int64_t start;

	space->held_back = true;
	if (space->limits && fair_quotas_waits(space->limits, slot))
		return FAIR_FOREVER;
	space->held_back = false;
	start = fair_space_earliest_room(space, slot, j, from);
	/* Invariant: there is room at @start; before it, the space or a limit
	 * has none, or a veto is against it. */
	while (start != FAIR_FOREVER) {
		from = fair_space_allowed_from(space, slot, start, j->walltime,
					       FAIR_FOREVER);
		if (from == start)
			break;
		space->held_back = true;
		start = from;
		if (from != FAIR_FOREVER)
			start = fair_space_earliest_room(space, slot, j, from);
	}
	return start;
}

FAIR_SPACE_API int64_t fair_space_earliest(struct fair_space *space,
					   uint32_t slot,
					   const struct fair_queued *j,
					   int64_t from)
{
	return fair_space_has_limits(space)
		       ? fair_space_earliest_allowed(space, slot, j, from)
		       : fair_space_earliest_room(space, slot, j, from);
}

FAIR_APART static int64_t fair_space_earlier_in(struct fair_space *space,
						uint32_t slot,
						const struct fair_queued *j,
						int64_t from, int64_t before)
{
	struct fair_machine_request request;
	int64_t start = j->rank.key, soonest;

	if (space->nodes) {
		from = from > j->not_before ? from : j->not_before;
		soonest = space->nodes->origin > j->not_before
				  ? space->nodes->origin
				  : j->not_before;
		(void)fair_nodes_earlier_again(space->nodes, slot, soonest,
					       from, before, j->walltime, start,
					       &start);
		return start;
	}
	request = fair_machine_jobs_request(space->machine, slot);
	(void)fair_machine_earlier_start(
		&space->machine->machine, from, before, j->walltime, &request,
		start, space->machine->node_class[slot], &start, &space->found);
	return start;
}

/* The earlier start, whatever limits say. */
static inline int64_t fair_space_earlier_room(struct fair_space *space,
					      uint32_t slot,
					      const struct fair_queued *j,
					      int64_t from, int64_t before)
{
	int64_t start = j->rank.key;

	if (!fair_space_is_pool(space))
		return fair_space_earlier_in(space, slot, j, from, before);
	(void)fair_profile_earlier_start(&space->profile, from, before,
					 j->walltime, j->procs, start, &start);
	return start;
}

/* Go on from the start @start until limits agree; what the job holds of them
 * is free to it. */
FAIR_APART static int64_t
fair_space_earlier_allowed(struct fair_space *space, uint32_t slot,
			   const struct fair_queued *j, int64_t start,
			   int64_t before)
{
	int64_t key = j->rank.key, from;

	space->held_back = false;
	/* Invariant: as above. */
	while (start < key) {
		from = fair_space_allowed_from(space, slot, start, j->walltime,
					       key);
		if (from == start)
			break;
		space->held_back = true;
		start = fair_space_earlier_room(space, slot, j, from, before);
	}
	return start;
}

FAIR_SPACE_API int64_t fair_space_earlier(struct fair_space *space,
					  uint32_t slot,
					  const struct fair_queued *j,
					  int64_t from, int64_t before)
{
	int64_t start = fair_space_earlier_room(space, slot, j, from, before);

	return fair_space_has_limits(space)
		       ? fair_space_earlier_allowed(space, slot, j, start,
						    before)
		       : start;
}

FAIR_APART static bool fair_space_fits_in(struct fair_space *space,
					  uint32_t slot,
					  const struct fair_queued *j,
					  int64_t start)
{
	struct fair_machine_request request;

	if (space->nodes)
		return fair_nodes_fits_again(space->nodes, slot, start,
					     start + j->walltime);
	request = fair_machine_jobs_request(space->machine, slot);
	return fair_machine_fits(&space->machine->machine, start,
				 start + j->walltime, &request, &space->found);
}

FAIR_SPACE_API bool fair_space_fits(struct fair_space *space, uint32_t slot,
				    const struct fair_queued *j, int64_t start)
{
	int32_t least = 0;

	fair_must(fair_profile_min_free(&space->profile, start,
					start + j->walltime, &least));
	return j->procs <= least &&
	       fair_space_allows(space, slot, start, start + j->walltime) &&
	       (fair_space_is_pool(space) ||
		fair_space_fits_in(space, slot, j, start));
}

/* CHANGES */

FAIR_SPACE_API void fair_space_settle_job(struct fair_space *space,
					  uint32_t slot,
					  const struct fair_queued *j,
					  int64_t start)
{
	if (space->machine)
		space->machine->node_class[slot] = (uint8_t)space->found;
	if (space->nodes)
		fair_must(fair_nodes_choose(space->nodes, slot, start,
					    j->walltime));
}

FAIR_SPACE_API void fair_space_forget_job(struct fair_space *space,
					  uint32_t slot)
{
	fair_space_set_class(space, slot, 0);
	if (space->limits)
		fair_quotas_give_up(space->limits, slot);
	if (space->nodes)
		fair_must(fair_nodes_forget(space->nodes, slot));
}

FAIR_SPACE_API int32_t fair_space_held(const struct fair_space *space,
				       uint32_t slot, int32_t procs)
{
	struct fair_nodes_request asked;
	struct fair_nodes_part part;
	uint32_t at = 0;

	if (!space->nodes)
		return procs;
	asked = fair_nodes_asked(space->nodes, slot);
	for (procs = 0;
	     fair_nodes_next_part(space->nodes, slot, &at, &part);) {
		if (fair_nodes_is_down(space->nodes, part.node))
			continue;
		procs += asked.exclusive
				 ? fair_nodes_whole(space->nodes, part.node, 0)
				 : part.chunks * asked.amount[0];
	}
	return procs;
}

FAIR_SPACE_API int32_t fair_space_busy(const struct fair_space *space,
				       uint32_t slot, int32_t procs)
{
	const struct fair_nodes *n = space->nodes;
	struct fair_nodes_part part;
	uint32_t at = 0;

	if (!n)
		return procs;
	for (procs = 0; fair_nodes_next_part(n, slot, &at, &part);)
		if (!fair_nodes_is_down(n, part.node))
			procs += part.chunks;
	return procs * fair_nodes_asked(n, slot).amount[0];
}

FAIR_SPACE_API struct fair_claim
fair_space_claim(const struct fair_space *space, uint32_t slot, int32_t procs)
{
	struct fair_claim claim = { 0, 0, NULL, 0 };

	if (space->machine)
		return fair_machine_jobs_claim(space->machine, slot);
	claim.procs = procs;
	claim.slot = slot;
	return claim;
}

/* The class gains or loses all of the claim, or nothing. */
static int fair_space_change_capacity(struct fair_machine *m, int64_t from,
				      const struct fair_claim *claim, bool take)
{
	int32_t sign = take ? -1 : 1;
	uint32_t k = claim->node_class, r;
	int error = 0;

	/* Invariant: the amounts before r have changed. */
	for (r = 0; r < m->resources; r++) {
		if (!claim->amount[r])
			continue;
		error = fair_machine_change_capacity(m, k, r, from,
						     FAIR_FOREVER,
						     sign * claim->amount[r]);
		if (error)
			break;
	}
	while (error && r--)
		if (claim->amount[r])
			fair_must(fair_machine_change_capacity(
				m, k, r, from, FAIR_FOREVER,
				-sign * claim->amount[r]));
	return error;
}

FAIR_APART static int fair_space_change_machine(struct fair_space *space,
						int64_t from, int64_t end,
						const struct fair_claim *claim,
						bool take)
{
	struct fair_machine *m = &space->machine->machine;

	if (end == FAIR_FOREVER)
		return fair_space_change_capacity(m, from, claim, take);
	return (take ? fair_machine_reserve : fair_machine_release)(
		m, claim->node_class, from, end - from, claim->amount);
}

static int fair_space_change_profile(struct fair_profile *p, int64_t from,
				     int64_t end, int32_t procs, bool take)
{
	if (end == FAIR_FOREVER)
		return fair_profile_change_capacity(p, from, end,
						    take ? -procs : procs);
	return (take ? fair_profile_reserve : fair_profile_release)(
		p, from, end - from, procs);
}

/* What jobs hold of a node from @from on is theirs alone, or of the profile. */
static void fair_space_change_node_held(struct fair_space *space, int64_t from,
					uint32_t node, bool take)
{
	int32_t whole = fair_nodes_whole(space->nodes, node, 0);
	int32_t amount[FAIR_NODES_RESOURCES];
	int64_t start, end;

	for (; from != FAIR_FOREVER; from = end) {
		fair_must(fair_nodes_step_at(space->nodes, node, from, &start,
					     &end, amount));
		if (amount[0] < whole)
			fair_must((take ? fair_profile_release
					: fair_profile_reserve)(
				&space->profile, from, end - from,
				whole - amount[0]));
	}
}

/* A node comes or goes; jobs that run on it run on. */
static int fair_space_change_node(struct fair_space *space, int64_t from,
				  uint32_t node, bool take)
{
	struct fair_nodes *n = space->nodes;
	int32_t whole = fair_nodes_whole(n, node, 0);

	if (fair_nodes_is_down(n, node) == take)
		return -FAIR_EINVAL;
	if (take)
		fair_space_change_node_held(space, from, node, true);
	fair_must(fair_space_change_profile(&space->profile, from, FAIR_FOREVER,
					    whole, take));
	if (!take)
		fair_space_change_node_held(space, from, node, false);
	fair_must((take ? fair_nodes_down : fair_nodes_up)(n, node));
	return 0;
}

FAIR_APART static int fair_space_change_nodes(struct fair_space *space,
					      int64_t from, int64_t end,
					      const struct fair_claim *claim,
					      bool take)
{
	struct fair_nodes *n = space->nodes;
	int32_t procs;
	int error = 0;

	if (claim->slot == UINT32_MAX)
		return fair_space_change_node(space, from, claim->node_class,
					      take);
	procs = fair_space_held(space, claim->slot, 0);
	if (procs)
		error = fair_space_change_profile(&space->profile, from, end,
						  procs, take);
	if (error)
		return error;
	error = (take ? fair_nodes_reserve : fair_nodes_release)(
		n, claim->slot, from, end - from);
	if (error && procs)
		fair_must(fair_space_change_profile(&space->profile, from, end,
						    procs, !take));
	return error;
}

FAIR_SPACE_API int fair_space_change(struct fair_space *space, int64_t from,
				     int64_t end,
				     const struct fair_claim *claim, bool take)
{
	int error = 0;

	if (space->nodes)
		return fair_space_change_nodes(space, from, end, claim, take);
	if (!space->machine && claim->procs < 1)
		return -FAIR_EINVAL;
	if (space->machine) {
		error = fair_space_change_machine(space, from, end, claim,
						  take);
		if (error || !claim->procs)
			return error;
	}
	error = fair_space_change_profile(&space->profile, from, end,
					  claim->procs, take);
	if (space->machine) /* the sum has at least what a class has */
		fair_must(error);
	return error;
}

static bool fair_space_is_free(const struct fair_space *space, int64_t from,
			       int64_t end, const struct fair_claim *claim)
{
	int32_t least[FAIR_MACHINE_RESOURCES];
	uint32_t r = 0;

	if (space->nodes)
		return claim->slot == UINT32_MAX ||
		       fair_nodes_fits_parts(space->nodes, claim->slot, from,
					     end);
	if (!space->machine) {
		fair_must(fair_profile_min_free(&space->profile, from, end,
						least));
		return claim->procs <= *least;
	}
	fair_must(fair_machine_min_free(&space->machine->machine,
					claim->node_class, from, end, least));
	while (r < space->machine->machine.resources &&
	       claim->amount[r] <= least[r])
		r++;
	return r == space->machine->machine.resources;
}

FAIR_SPACE_API int64_t fair_space_lack(const struct fair_space *space,
				       int64_t from, int64_t end,
				       const struct fair_claim *claim)
{
	int64_t width = 1, middle;

	if (fair_space_is_free(space, from, end, claim))
		return FAIR_FOREVER;
	/* Invariant: the claim is not free throughout [from, end). */
	while (from < end - width &&
	       fair_space_is_free(space, from, from + width, claim)) {
		from += width;
		width *= 2;
	}
	if (from < end - width)
		end = from + width;
	while (end - from > 1) {
		middle = from + (end - from) / 2;
		if (fair_space_is_free(space, from, middle, claim))
			from = middle;
		else
			end = middle;
	}
	return from;
}

/* Whether all nodes of the job, if there are any, are up. */
static bool fair_space_is_up(const struct fair_space *space, uint32_t slot)
{
	struct fair_nodes_part part;
	uint32_t at = 0;

	while (space->nodes &&
	       fair_nodes_next_part(space->nodes, slot, &at, &part))
		if (fair_nodes_is_down(space->nodes, part.node))
			return false;
	return true;
}

FAIR_SPACE_API int fair_space_change_job(struct fair_space *space,
					 uint32_t slot, int32_t procs,
					 int64_t from, int64_t end, bool take)
{
	struct fair_claim claim;
	int error;

	if (from >= end) {
		if (!take) /* it is past, but counts for budgets */
			fair_space_hold(space, slot, 0, 0);
		return 0;
	}
	if (take && !fair_space_is_up(space, slot))
		return -FAIR_ERANGE;
	claim = fair_space_claim(space, slot, procs);
	error = fair_space_change(space, from, end, &claim, take);
	if (!error && space->limits)
		fair_quotas_hold(space->limits, slot, from, take ? end : from);
	return error;
}

/* The profile has what the job holds of the nodes that are up, or not. */
static void fair_space_change_held(struct fair_space *space, uint32_t slot,
				   int64_t from, int64_t end, bool take)
{
	int32_t procs = fair_space_held(space, slot, 0);

	if (procs)
		fair_must((take ? fair_profile_reserve : fair_profile_release)(
			&space->profile, from, end - from, procs));
}

FAIR_SPACE_API int fair_space_resize(struct fair_space *space, uint32_t slot,
				     const struct fair_nodes_request *size,
				     int64_t from, int64_t end)
{
	int error;

	fair_space_change_held(space, slot, from, end, false);
	error = fair_nodes_resize(space->nodes, slot, size, from, end - from);
	fair_space_change_held(space, slot, from, end, true);
	return error;
}

FAIR_SPACE_API void fair_space_clear(struct fair_space *space, int64_t from,
				     int64_t end)
{
	const struct fair_nodes *n = space->nodes;
	int32_t procs = 0;
	struct fair_step step;
	int64_t t, next;
	uint32_t i;

	for (i = 0; i < n->nodes; i++)
		if (!fair_nodes_is_down(n, i))
			procs += fair_nodes_whole(n, i, 0);
	fair_must(fair_nodes_clear(space->nodes, from, end));
	for (t = from; t < end; t = next) {
		fair_must(fair_profile_step_at(&space->profile, t, &step));
		next = step.end < end ? step.end : end;
		if (step.free < procs)
			fair_must(fair_profile_release(&space->profile, t,
						       next - t,
						       procs - step.free));
	}
}

FAIR_SPACE_API void fair_space_fill(struct fair_space *space, uint32_t node,
				    int64_t from, int64_t end)
{
	int32_t amount[FAIR_NODES_RESOURCES];
	int64_t t = from, start, next;

	for (; t < end && !fair_nodes_is_down(space->nodes, node); t = next) {
		fair_must(fair_nodes_step_at(space->nodes, node, t, &start,
					     &next, amount));
		next = next < end ? next : end;
		if (amount[0])
			fair_must(fair_profile_reserve(&space->profile, t,
						       next - t, amount[0]));
	}
	fair_must(fair_nodes_fill(space->nodes, node, from, end));
}

FAIR_SPACE_API void fair_space_reserve(struct fair_space *space, uint32_t slot,
				       const struct fair_queued *j)
{
	fair_space_settle_job(space, slot, j, j->rank.key);
	fair_must(fair_space_change_job(space, slot, j->procs, j->rank.key,
					j->rank.key + j->walltime, true));
}

/* The job, reserved from @from on, moves to @to in the class found; whether it
 * leaves all of its class. */
FAIR_APART static bool fair_space_move_in(struct fair_space *space,
					  uint32_t slot,
					  const struct fair_queued *j,
					  int64_t to)
{
	struct fair_claim claim = fair_machine_jobs_claim(space->machine, slot);
	int32_t most[FAIR_MACHINE_RESOURCES];

	fair_must(fair_machine_move(&space->machine->machine, claim.node_class,
				    j->rank.key, space->found, to, j->walltime,
				    claim.amount, most));
	fair_space_settle_job(space, slot, j, to);
	return claim.node_class != space->found;
}

/* The same on nodes, perhaps others; it leaves all that it held. */
FAIR_APART static void fair_space_move_on_nodes(struct fair_space *space,
						uint32_t slot,
						const struct fair_queued *j,
						int64_t to)
{
	int64_t from = j->rank.key;

	fair_space_change_held(space, slot, from, from + j->walltime, false);
	fair_must(fair_nodes_move(space->nodes, slot, from, to, j->walltime));
	fair_space_change_held(space, slot, to, to + j->walltime, true);
}

FAIR_SPACE_API int32_t fair_space_most_freed(const struct fair_space *space,
					     int64_t from, int64_t to)
{
	int32_t most = INT32_MAX;

	if (!space->nodes)
		fair_must(fair_profile_max_free(&space->profile, from, to,
						&most));
	return most;
}

FAIR_SPACE_API bool fair_space_move(struct fair_space *space, uint32_t slot,
				    const struct fair_queued *j, int64_t to,
				    int32_t *most)
{
	int64_t from = j->rank.key;

	if (space->nodes)
		fair_space_move_on_nodes(space, slot, j, to);
	else
		fair_must(fair_profile_move(&space->profile, from, to,
					    j->walltime, j->procs, most));
	fair_space_hold(space, slot, to, to + j->walltime);
	if (fair_space_is_pool(space) ||
	    (space->machine && !fair_space_move_in(space, slot, j, to)))
		return false;
	*most = fair_space_most_freed(space, from, from + j->walltime);
	return true;
}

/* CLASSES */

FAIR_SPACE_API uint32_t fair_space_classes(const struct fair_space *space)
{
	return space->machine ? space->machine->machine.classes : 1;
}

FAIR_SPACE_API const struct fair_profile *
fair_space_class_profile(const struct fair_space *space, uint32_t k)
{
	return space->machine
		       ? fair_machine_profile(&space->machine->machine, k, 0)
		       : &space->profile;
}

FAIR_SPACE_API bool fair_space_fits_class(const struct fair_space *space,
					  uint32_t slot,
					  const struct fair_queued *j,
					  int64_t start, uint32_t k)
{
	const uint8_t only = (uint8_t)k;
	struct fair_machine_request request;
	uint32_t node_class, i = 0;
	int32_t least = 0;

	if (!space->machine) {
		fair_must(fair_profile_min_free(&space->profile, start,
						start + j->walltime, &least));
		return j->procs <= least;
	}
	request = fair_machine_jobs_request(space->machine, slot);
	while (i < request.count && request.classes[i] != only)
		i++;
	if (request.count && i == request.count)
		return false;
	request.classes = &only;
	request.count = 1;
	return fair_machine_fits(&space->machine->machine, start,
				 start + j->walltime, &request, &node_class);
}

FAIR_SPACE_API bool fair_space_has_room(const struct fair_space *space,
					const struct fair_queue *jobs,
					const uint32_t *job, uint32_t chosen,
					uint32_t n, int64_t start, uint32_t k)
{
	uint32_t resources =
		space->machine ? space->machine->machine.resources : 1;
	int64_t sum[FAIR_MACHINE_RESOURCES] = { 0 }, walltime = 1;
	int32_t free[FAIR_MACHINE_RESOURCES];
	const struct fair_queued *j;
	struct fair_claim claim;
	uint32_t i, r;

	for (i = 0; i < n; i++) {
		if (!(chosen >> (n - 1 - i) & 1))
			continue;
		j = fair_queue_job(jobs, job[i]);
		claim = fair_space_claim(space, job[i], j->procs);
		walltime = j->walltime > walltime ? j->walltime : walltime;
		for (r = 0; r < resources; r++)
			sum[r] += claim.amount ? claim.amount[r] : claim.procs;
	}
	if (space->machine)
		fair_must(fair_machine_min_free(&space->machine->machine, k,
						start, start + walltime, free));
	else
		fair_must(fair_profile_min_free(&space->profile, start,
						start + walltime, free));
	for (r = 0; r < resources && sum[r] <= free[r];)
		r++;
	return r == resources;
}

FAIR_SPACE_API uint32_t fair_space_class(const struct fair_space *space,
					 uint32_t slot)
{
	return space->machine ? space->machine->node_class[slot] : 0;
}

FAIR_SPACE_API void fair_space_set_class(struct fair_space *space,
					 uint32_t slot, uint32_t k)
{
	if (space->machine)
		space->machine->node_class[slot] = (uint8_t)k;
}
#endif /* FAIR_SPACE_IMPLEMENTED */

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
