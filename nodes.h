/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * nodes.h - jobs on nodes: when do equal chunks fit, and on which nodes?
 *
 * In ONE file:  #define FAIR_NODES_IMPLEMENTATION
 *               #define FAIR_PROFILE_IMPLEMENTATION
 *               #include "nodes.h"
 *
 *   node 0  4 |111|_|3|________     job 1: 3 chunks of 3 processors, 100 s
 *   node 1  4 |111|_|3|________     job 2: 1 chunk of 2: 3 processors are free
 *   node 2  4 |111|_|3|________            at 0, and no node has 2 of them
 *             0   100               job 3: 3 chunks of 1, 10 s: starts at 0
 *
 * Amounts do not make a job fit. A machine has up to 65,535 nodes of up to 64
 * classes; a node of a class has the class's amounts of up to 8 resources, of
 * which the first is processors. A job asks for k equal chunks, each of which
 * lies on one node for the whole walltime; several may share a node, at most
 * per_node of the job. An exclusive job takes each of its nodes whole. A wide
 * resource, as licences are, belongs to the whole machine: the job asks for it
 * once, not for each chunk.
 *
 * Let hosts(n, t) be how many chunks node n can hold throughout [t, t + e). The
 * earliest start is the first time at which, in one of the job's classes, they
 * add up to k, and the wide amounts suffice; of equal ones the class that the
 * job names first. With span all its classes are one. Then nodes are taken in
 * the order of (least free processors, the job's order of classes, number), or,
 * for exclusive jobs and with first_fit, of (order of classes, number), each
 * with as many chunks as it hosts.
 *
 * Jobs are known by slots. A job's nodes are chosen once it has a start, are
 * taken and given back together, and stay its own until others are chosen. An
 * advance reservation is a job whose nodes the caller names.
 *
 * EXAMPLE, as in the picture
 *
 *	static char memory[65536];
 *	const int32_t count[] = { 3 }, procs[] = { 4 };
 *	struct fair_nodes_config config = { 1, 1, 0, 0, count, procs, false };
 *	const int32_t one[] = { 1 }, two[] = { 2 }, three[] = { 3 };
 *	struct fair_nodes_request job[] = {
 *		{ three, 3, 0, false, false, 0, 0, NULL, 0 },
 *		{ two, 1, 0, false, false, 0, 0, NULL, 0 },
 *		{ one, 3, 0, false, false, 0, 0, NULL, 0 },
 *	};
 *	const int64_t walltime[] = { 100, 50, 10 };
 *	struct fair_nodes n;
 *	int64_t start[3];
 *	uint32_t i;
 *
 *	fair_nodes_init(&n, sizeof(n), memory, sizeof(memory), &config, 3, 9,
 *			0);
 *	for (i = 0; i < 3; i++) {
 *		fair_nodes_set_job(&n, i, &job[i]);
 *		fair_nodes_earliest_start(&n, i, 0, walltime[i], &start[i]);
 *		fair_nodes_choose(&n, i, start[i], walltime[i]);
 *		fair_nodes_reserve(&n, i, start[i], walltime[i]);
 *	}						// 0, 100, 0
 *	fair_nodes_release(&n, 0, 20, 80);		// job 1 ends at 20
 *	fair_nodes_earlier_start(&n, 1, 20, 100, 50, 100, &start[1]);	// 20
 *	fair_nodes_move(&n, 1, 100, start[1], 50);	// on node 0
 *
 * UNITS     seconds, of any origin; intervals are [start, end). Amounts are in
 *           a unit of the caller's choice for each resource, 0 to 2^31 - 1.
 * ERRORS    0 or -FAIR_E...; on error nothing has changed, nor out-pointers.
 * MEMORY    the caller's, at any address: fair_nodes_size() bytes. A part is
 *           what a job holds of one node.
 * THREADS   const calls write nothing: they may run concurrently.
 * HORIZON   68 years after the origin.
 * SETTLING  Answers are exact at any time. fair_nodes_settle() makes them fast
 *           after changes; it takes some 5 us for each node that has changed.
 * COST      in us on a busy core (gcc 12 -O2), nodes of 64 processors, 256 GiB
 *           and 4 GPUs; and how many times as fast as a sweep over all
 *           timelines. sh bench/run.sh --quick nodes
 *
 *		nodes, reservations    64, 1,000  1,024, 10,000  8,192, 1,000
 *		one chunk               3    4 x    25      6 x    4     3 x
 *		16 chunks              69    5 x   690      7 x   10    15 x
 *		4 whole nodes           9   16 x    37     71 x    2    80 x
 * DEFINES   FAIR_NODES_API, FAIRSCHED_STATIC: linkage. FAIR_ASSERT,
 *           FAIR_MEMCPY, _MEMMOVE, _MEMSET: yours. FAIR_NODES_EVENTS: to test
 *           with few. FAIR_NODES_PORTABLE: no vector instructions; the answers
 *           are the same.
 * SOURCES   [MF01] Mu'alem & Feitelson, IEEE TPDS 12(6), 2001
 *
 * STRUCTURE. Each node has a timeline: steps of what is free of it, in blocks
 * of 8. For each of some pairs of processors and lengths of time a byte tells
 * before which time the node has no such window. These rule out most nodes; the
 * timelines of the others are read. For one chunk that is all. For more, a
 * range of starts is looked at together: what each node hosts at its begin,
 * and all changes within it, sorted by time. The sections >>index and >>search
 * prove that no start is missed.
 *
 * COMPLEXITY, of N nodes of S steps each
 *   query            O(N / 16 + nodes looked at * S): those with a window that
 *                    is as long and as wide as those of the greatest pair that
 *                    is no more than the job, and begins before its start
 *   choose           as a query of one instant
 *   reserve, release O(S) each node of the job
 *   settle           O(S) each node that has changed; every N S / 4 changes
 *                    O(N S)
 *   clone, check     O(N S + jobs)
 *
 * WORST CASES. Chunks that ask for no processors, or for far more of another
 * resource, are not told apart by the index: all nodes are read. So are nodes
 * with changes that are not settled.
 *
 * INVARIANTS that fair_nodes_check() verifies
 *   I1  the numbers of nodes, steps and parts add up and are within bounds
 *   I2  each node's steps begin at the origin or before, and increase
 *   I3  neighbouring steps differ; 0 <= free <= what the class has
 *   I4  two neighbouring blocks of a node would not fit into one
 *   I5  the last step of each node has all of it free
 *   I6  a job's parts name nodes in ascending order, and chunks
 *   I7  wide resources: each profile's own, of the same origin
 *   I8  no code is later than the node's first window, if it is not stale
 */
#ifndef FAIR_NODES_H
#define FAIR_NODES_H

#ifndef FAIR_PROFILE_H
#include "profile.h"
#endif

#ifndef FAIR_NODES_API
#define FAIR_NODES_API FAIRSCHED_LINKAGE
#endif

#define FAIR_NODES_RESOURCES 8
#define FAIR_NODES_CLASSES 64
#define FAIR_NODES_NODES 65535
#define FAIR_NODES_SETS 256

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_NODES_API, fair_nodes);

/**
 * struct fair_nodes_config - what a machine has.
 * @resources: 1 to 8; number 0 is processors
 * @classes:   1 to 64
 * @wide:      a bit for each resource that belongs to no node; not processors
 * @sets:      of nodes, 0 to 256; the caller's, numbered from 1; empty at first
 * @count:     of each class, its nodes, >= 1; 65,535 in all. Nodes are numbered
 *             from 0, class by class
 * @amount:    @resources of one node of class 0, then of class 1, ...; every
 *             node has processors. A wide resource's amount stands in class 0,
 *             and 0 in the others
 * @first_fit: nodes are taken by number, not the fullest first
 */
struct fair_nodes_config {
	uint32_t resources, classes, wide, sets;
	const int32_t *count, *amount;
	bool first_fit;
};

/**
 * struct fair_nodes_request - what a job asks for.
 * @amount:    of each resource, of one chunk; of a wide one, of the job. A
 *             chunk has some of a resource that nodes have
 * @chunks:    >= 1
 * @per_node:  most of them on one node; 0: any number
 * @exclusive: takes each of its nodes whole, and only if all of it is free
 * @span:      may use several of its classes at one time
 * @named:     the set of nodes that it may use; 0: all
 * @excluded:  the set of nodes that it may not use; 0: none
 * @classes:   different ones that may serve it, in order of preference
 * @count:     of @classes; 0: all, by number
 */
struct fair_nodes_request {
	const int32_t *amount;
	int32_t chunks, per_node;
	bool exclusive, span;
	uint32_t named, excluded;
	const uint8_t *classes;
	uint32_t count;
};

/**
 * struct fair_nodes_part - what a job holds of one node.
 */
struct fair_nodes_part {
	uint32_t node;
	int32_t chunks;
};

/**
 * struct fair_nodes - the nodes of a machine over time, and jobs.
 * @origin:    seconds; nothing is known of the time before
 * @horizon:   seconds; every reservation ends by then
 * @nodes:     how many
 * @classes:   how many
 * @resources: how many
 * @wide:      a bit for each resource that belongs to no node
 * @sets:      how many
 * @jobs:      slots
 * @parts:     most that all jobs may hold
 *
 * To be read through these and the functions only. It may be moved.
 */
struct fair_nodes {
	int64_t origin, horizon;
	uint32_t nodes, classes, resources, wide, sets, jobs, parts;
	/* private from here on */
	bool first_fit;
	int64_t base;	   /* of offsets */
	size_t steps, cap; /* in use; most */
	size_t stride;	   /* bytes of a block */
	uint32_t blocks, fresh, spare; /* room; used ever; the first free one */
	uint32_t parts_fresh, parts_spare, parts_used;
	size_t changes; /* of nodes, since the index was built */
	size_t built;	/* steps that it was built on, but for one a node */
	uint32_t seen;	 /* reservations of which these are the last */
	uint64_t gains;	 /* so far */
	struct fair_nodes_gain *gain; /* a ring of the last */
	struct fair_nodes_twin *twin; /* by what is asked */
	struct fair_nodes_index *index;
	uint8_t *code;	 /* by pair and node */
	uint64_t *stale; /* a bit a node: X2 */
	uint64_t *loose; /* likewise */
	uint64_t *idle;	 /* likewise */
	int32_t *amount; /* by class and resource */
	uint32_t *first; /* by class: its first node; the last has the end */
	uint32_t *head;	 /* by node: its first block */
	uint32_t *finger; /* by node: blocks that begin by every 4th slot */
	char *block;
	uint64_t *down; /* a bit a node */
	uint64_t *set;	/* by set and node */
	struct fair_nodes_job *job;
	int32_t *asked;	  /* by slot and resource */
	uint8_t *wanted;  /* by slot: classes */
	struct fair_nodes_link *link; /* parts, in lists */
	struct fair_nodes_pick *pick; /* by node: scratch of a choice */
	struct fair_profile *profile; /* of wide resources, if there is any */
	uint8_t profile_of[FAIR_NODES_RESOURCES]; /* UINT8_MAX: none */
};

/**
 * fair_nodes_size() - bytes that hold the nodes, and jobs.
 * @config: what there is
 * @jobs:   slots, at most 2^24
 * @parts:  nodes that all jobs hold together at one time, at most 2^28
 *
 * Return: bytes; 0 if @config is not valid, or they are too many.
 */
FAIR_NODES_API size_t fair_nodes_size(const struct fair_nodes_config *config,
				      uint32_t jobs, uint32_t parts);

/**
 * fair_nodes_init() - all nodes are free from now on; no job asks for any.
 * @n:           nodes
 * @struct_size: sizeof(*@n), as the caller compiled it
 * @memory:      kept until the end of @n's use; any alignment
 * @bytes:       of it
 * @config:      not kept
 * @jobs:        as for fair_nodes_size()
 * @parts:       as for fair_nodes_size()
 * @origin:      seconds; any but the last 2^38 of int64_t
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW for such an @origin; -FAIR_ENOMEM if
 * @bytes are fewer than fair_nodes_size().
 * Complexity: O(nodes + jobs).
 */
FAIR_NODES_API int fair_nodes_init(struct fair_nodes *n, size_t struct_size,
				   void *memory, size_t bytes,
				   const struct fair_nodes_config *config,
				   uint32_t jobs, uint32_t parts,
				   int64_t origin);

/**
 * fair_nodes_set() - a node goes into a set, or out of it.
 * @n:    nodes
 * @set:  1 to @n->sets
 * @node: number
 * @in:   into it
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1).
 */
FAIR_NODES_API int fair_nodes_set(struct fair_nodes *n, uint32_t set,
				  uint32_t node, bool in);

/** fair_nodes_has() - whether a node, which is one, is in a set, which is one.
 */
FAIR_NODES_API bool fair_nodes_has(const struct fair_nodes *n, uint32_t set,
				   uint32_t node);

/**
 * fair_nodes_down() - no job finds room on a node, until it is up again.
 * @n:    nodes
 * @node: number
 *
 * What is taken of it stays taken: the caller gives it back, or lets jobs run
 * on.
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1).
 */
FAIR_NODES_API int fair_nodes_down(struct fair_nodes *n, uint32_t node);

/**
 * fair_nodes_up() - jobs find room on a node again.
 * @n:    nodes
 * @node: number
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1).
 */
FAIR_NODES_API int fair_nodes_up(struct fair_nodes *n, uint32_t node);

/** fair_nodes_is_down() - whether a node, which is one, is down. */
FAIR_NODES_API bool fair_nodes_is_down(const struct fair_nodes *n,
				       uint32_t node);

/** fair_nodes_class() - the class of a node, which is one. */
FAIR_NODES_API uint32_t fair_nodes_class(const struct fair_nodes *n,
					 uint32_t node);

/** fair_nodes_whole() - what a node, which is one, has of a resource; of a wide
 * one 0. */
FAIR_NODES_API int32_t fair_nodes_whole(const struct fair_nodes *n,
					uint32_t node, uint32_t resource);

/** fair_nodes_first() - the first node of class @k; of fair_nodes.classes, the
 * number of all nodes. */
FAIR_NODES_API uint32_t fair_nodes_first(const struct fair_nodes *n,
					 uint32_t k);

/**
 * fair_nodes_can_ask() - whether a job may ask for this: whether no amount is
 * negative, a chunk has some, and classes and sets are there.
 *
 * Complexity: O(resources + classes).
 */
FAIR_NODES_API bool
fair_nodes_can_ask(const struct fair_nodes *n,
		   const struct fair_nodes_request *request);

/**
 * fair_nodes_can_serve() - whether the machine without jobs, with all nodes up,
 * could ever serve a request, for which fair_nodes_can_ask().
 *
 * Complexity: O(classes + nodes / 64).
 */
FAIR_NODES_API bool
fair_nodes_can_serve(const struct fair_nodes *n,
		     const struct fair_nodes_request *request);

/**
 * fair_nodes_set_job() - what the job in a slot asks for.
 * @n:       nodes
 * @slot:    its parts, if it has any, are forgotten
 * @request: not kept
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(resources + classes + parts).
 */
FAIR_NODES_API int
fair_nodes_set_job(struct fair_nodes *n, uint32_t slot,
		   const struct fair_nodes_request *request);

/**
 * fair_nodes_copy_job() - the job in slot @i of @from is in @slot of @n, with
 * its parts.
 * @n:    of the same configuration
 * @slot: its parts, if it has any, are forgotten
 * @from: nodes
 * @i:    slot
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC if there are too few parts.
 * Complexity: as fair_nodes_set_job().
 */
FAIR_NODES_API int fair_nodes_copy_job(struct fair_nodes *n, uint32_t slot,
				       const struct fair_nodes *from,
				       uint32_t i);

/** fair_nodes_asked() - what the job in @slot, which is one, asks for; valid
 * until it asks for something else. */
FAIR_NODES_API struct fair_nodes_request
fair_nodes_asked(const struct fair_nodes *n, uint32_t slot);

/** fair_nodes_parts() - how many nodes the job in @slot, which is one, has. */
FAIR_NODES_API uint32_t fair_nodes_parts(const struct fair_nodes *n,
					 uint32_t slot);

/**
 * fair_nodes_next_part() - the parts of a job, in ascending order of nodes.
 * @n:    nodes
 * @slot: which is one
 * @at:   0 for the first; changed; valid as long as the parts are
 * @part: out
 *
 * Return: whether there is one more. Complexity: O(1).
 */
FAIR_NODES_API bool fair_nodes_next_part(const struct fair_nodes *n,
					 uint32_t slot, uint32_t *at,
					 struct fair_nodes_part *part);

/**
 * fair_nodes_assign() - the job in a slot has chunks on a node: one more part.
 * @n:      nodes
 * @slot:   number
 * @node:   on which it has none
 * @chunks: >= 1
 *
 * For what the caller decides: advance reservations, jobs that run at first,
 * checkpoints. Takes nothing yet.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOSPC. Complexity: O(parts of the job).
 */
FAIR_NODES_API int fair_nodes_assign(struct fair_nodes *n, uint32_t slot,
				     uint32_t node, int32_t chunks);

/**
 * fair_nodes_forget() - the job in a slot has no nodes.
 * @n:    nodes
 * @slot: number; gives nothing back
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(parts of the job).
 */
FAIR_NODES_API int fair_nodes_forget(struct fair_nodes *n, uint32_t slot);

/**
 * fair_nodes_earliest_start() - first time a job fits for its whole walltime.
 * @n:          nodes
 * @slot:       what it asks for
 * @not_before: seconds, >= origin
 * @walltime:   seconds, >= 1
 * @start:      out: seconds
 *
 * Reserves nothing.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if the nodes that are up will never
 * have all of it; -FAIR_EOVERFLOW if the job would end after the horizon.
 * Complexity: see COMPLEXITY above.  Source: [MF01].
 */
FAIR_NODES_API int fair_nodes_earliest_start(const struct fair_nodes *n,
					     uint32_t slot, int64_t not_before,
					     int64_t walltime, int64_t *start);

/**
 * fair_nodes_earlier_start() - to which earlier time could a reservation move?
 * @n:          nodes; the job's parts are taken over [@current, @current +
 *              @walltime)
 * @slot:       what it asks for, and its parts
 * @not_before: seconds, >= origin
 * @before:     seconds; only starts < @before are wanted
 * @walltime:   seconds, >= 1
 * @current:    seconds, <= horizon
 * @start:      out: the first such time >= @not_before, the job's own parts
 *              counted as free; @current if there is none
 *
 * What compression asks, without taking the reservation out.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: as earliest_start, but of the time in [@not_before, @current).
 */
FAIR_NODES_API int fair_nodes_earlier_start(const struct fair_nodes *n,
					    uint32_t slot, int64_t not_before,
					    int64_t before, int64_t walltime,
					    int64_t current, int64_t *start);

/**
 * fair_nodes_note_first() - a job has no start in [@since, @until) now.
 * @n:        nodes
 * @slot:     which is one
 * @walltime: seconds
 * @since:    seconds
 * @until:    seconds; where the job will be reserved
 *
 * fair_nodes_earliest_start() has said so.
 */
FAIR_NODES_API void fair_nodes_note_first(struct fair_nodes *n, uint32_t slot,
					  int64_t walltime, int64_t since,
					  int64_t until);

/**
 * fair_nodes_earlier_again() - as fair_nodes_earlier_start(), and remembers
 * what the answer proves: the next call looks at what became free since.
 * @soonest: seconds, <= @not_before; the job is not to start before
 *
 * Return: 0; -FAIR_EINVAL, also if @soonest is later; -FAIR_EOVERFLOW.
 * Complexity: O(what became free since the last call * the steps of a node) for
 * a job of one chunk, if that call found no start from @soonest on, or
 * fair_nodes_note_first() was told so.
 */
FAIR_NODES_API int fair_nodes_earlier_again(struct fair_nodes *n, uint32_t slot,
					    int64_t soonest, int64_t not_before,
					    int64_t before, int64_t walltime,
					    int64_t current, int64_t *start);

/**
 * fair_nodes_fits() - whether a job, which holds nothing, fits into an
 * interval, on any nodes that it may use.
 * @start: seconds, >= origin
 * @end:   seconds, > @start, <= horizon
 *
 * Complexity: that of a start that is the first one.
 */
FAIR_NODES_API bool fair_nodes_fits(const struct fair_nodes *n, uint32_t slot,
				    int64_t start, int64_t end);

/** fair_nodes_fits_again() - as fair_nodes_fits(); remembers what the answer
 * proves of jobs that ask for the same.
 */
FAIR_NODES_API bool fair_nodes_fits_again(struct fair_nodes *n, uint32_t slot,
					  int64_t start, int64_t end);

/**
 * fair_nodes_fits_parts() - the same on the nodes that it has, up or down.
 *
 * Complexity: O(the steps of these nodes).
 */
FAIR_NODES_API bool fair_nodes_fits_parts(const struct fair_nodes *n,
					  uint32_t slot, int64_t start,
					  int64_t end);

/**
 * fair_nodes_choose() - the nodes of a job for a start.
 * @n:        nodes
 * @slot:     what it asks for; its former parts, if any, are forgotten, and
 *            must not be taken
 * @start:    seconds, >= origin
 * @walltime: seconds, >= 1
 *
 * Takes nothing yet.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if it ends after the horizon;
 * -FAIR_ERANGE if the job does not fit there; -FAIR_ENOSPC if there are too few
 * parts. Complexity: see COMPLEXITY above.
 */
FAIR_NODES_API int fair_nodes_choose(struct fair_nodes *n, uint32_t slot,
				     int64_t start, int64_t walltime);

/**
 * fair_nodes_reserve() - takes a job's parts, and its wide amounts.
 * @n:        nodes
 * @slot:     whose; it has parts
 * @start:    seconds, >= origin
 * @walltime: seconds, >= 1
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if it ends after the horizon;
 * -FAIR_ERANGE if less is free somewhere; -FAIR_ENOSPC if there would be too
 * many steps, which only parts given back piecemeal can cause.
 * Complexity: O(the steps of these nodes).
 */
FAIR_NODES_API int fair_nodes_reserve(struct fair_nodes *n, uint32_t slot,
				      int64_t start, int64_t walltime);

/**
 * fair_nodes_release() - gives them back, or part of their time; the job keeps
 * its parts.
 * @n:        nodes
 * @slot:     whose; it has parts
 * @start:    seconds, >= origin
 * @walltime: seconds, >= 1
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if it ends after the horizon;
 * -FAIR_ERANGE if more would be free than a node has; -FAIR_ENOSPC as
 * fair_nodes_reserve().
 * Complexity: O(the steps of these nodes).
 */
FAIR_NODES_API int fair_nodes_release(struct fair_nodes *n, uint32_t slot,
				      int64_t start, int64_t walltime);

/**
 * fair_nodes_move() - a reservation begins earlier, perhaps on other nodes.
 * @n:        nodes; the job's parts are taken over [@current, @current +
 *            @walltime)
 * @slot:     whose
 * @current:  seconds, > @start
 * @start:    seconds, >= origin; fair_nodes_earlier_start() says which
 * @walltime: seconds, >= 1
 *
 * All that it held is given back, then nodes are chosen and taken.
 *
 * Return: as fair_nodes_release(), fair_nodes_choose() and
 * fair_nodes_reserve(). Complexity: that of these three.
 */
FAIR_NODES_API int fair_nodes_move(struct fair_nodes *n, uint32_t slot,
				   int64_t current, int64_t start,
				   int64_t walltime);

/**
 * fair_nodes_can_resize() - whether a job can have another size.
 * @n:        nodes; the job's parts are taken over [@start, @start + @walltime)
 * @slot:     whose
 * @size:     another amount and number of chunks; the rest is not read
 * @start:    seconds, >= origin
 * @walltime: seconds, >= 1
 * @less:     out: whether it gives back some of a node, or of a wide resource
 *
 * Its chunks stay where they are: if it has fewer, those of the nodes with the
 * highest numbers go. More go first, by number, to the nodes that it has, if
 * they are up, then to others, which are chosen as for any job; without span
 * they are of the class of its first node.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW if it ends after the horizon;
 * -FAIR_ERANGE if less is free somewhere; -FAIR_ENOSPC if there are too few
 * parts. Complexity: as fair_nodes_choose(), and O(the steps of its nodes).
 */
FAIR_NODES_API int
fair_nodes_can_resize(struct fair_nodes *n, uint32_t slot,
		      const struct fair_nodes_request *size, int64_t start,
		      int64_t walltime, bool *less);

/**
 * fair_nodes_resize() - the job has that size from @start on.
 *
 * Return: as fair_nodes_can_resize(); -FAIR_ENOSPC also if there is no room for
 * the steps.
 */
FAIR_NODES_API int fair_nodes_resize(struct fair_nodes *n, uint32_t slot,
				     const struct fair_nodes_request *size,
				     int64_t start, int64_t walltime);

/**
 * fair_nodes_fill() - takes all that is free of a node, whatever it is.
 * @n:     nodes
 * @node:  number
 * @start: seconds, >= origin
 * @end:   seconds, > @start, <= horizon
 *
 * For an advance reservation, whose node jobs hold in part; it counts as two
 * parts. fair_nodes_clear() gives it back.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW; -FAIR_ENOSPC if there is no room
 * for the steps. Complexity: O(the steps of the node).
 */
FAIR_NODES_API int fair_nodes_fill(struct fair_nodes *n, uint32_t node,
				   int64_t start, int64_t end);

/**
 * fair_nodes_clear() - all nodes, and wide resources, are free in an interval.
 * @n:     nodes
 * @start: seconds, >= origin
 * @end:   seconds, > @start, <= horizon
 *
 * Jobs keep their parts: those that still hold them take them again.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW; -FAIR_ENOSPC if there is no room
 * for the steps: then it is so of some nodes. Complexity: O(steps).
 */
FAIR_NODES_API int fair_nodes_clear(struct fair_nodes *n, int64_t start,
				    int64_t end);

/**
 * fair_nodes_min_free() - what is free of a node throughout an interval.
 * @n:      nodes
 * @node:   number; up or down
 * @start:  seconds, >= origin
 * @end:    seconds, > @start; may be FAIR_FOREVER
 * @amount: out: of each resource; wide ones too
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(the steps of the node).
 */
FAIR_NODES_API int fair_nodes_min_free(const struct fair_nodes *n,
				       uint32_t node, int64_t start,
				       int64_t end, int32_t *amount);

/**
 * fair_nodes_step_at() - the step of a node that holds a time.
 * @n:      nodes
 * @node:   number
 * @t:      seconds, >= origin
 * @start:  out: seconds
 * @end:    out: seconds; may be FAIR_FOREVER
 * @amount: out: what is free of each resource throughout [@start, @end); of
 *          wide ones 0
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(the steps of the node).
 */
FAIR_NODES_API int fair_nodes_step_at(const struct fair_nodes *n,
				      uint32_t node, int64_t t, int64_t *start,
				      int64_t *end, int32_t *amount);

/** fair_nodes_wide() - a wide resource over time, to be read; NULL: there is
 * none of it. */
FAIR_NODES_API const struct fair_profile *
fair_nodes_wide(const struct fair_nodes *n, uint32_t resource);

/**
 * fair_nodes_check() - verifies all invariants.
 * @n: nodes
 *
 * Return: 0, or the number of the first one that is broken.
 * Complexity: O(steps + parts).
 */
FAIR_NODES_API int fair_nodes_check(const struct fair_nodes *n);

/**
 * fair_nodes_advance() - forgets everything before a time.
 * @n:      nodes
 * @origin: seconds, >= the present one; any but the last 2^38 of int64_t
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: O(1), but O(nodes) once in 34 years.
 */
FAIR_NODES_API int fair_nodes_advance(struct fair_nodes *n, int64_t origin);

/**
 * fair_nodes_settle() - brings the index up to date after changes.
 * @n: nodes
 *
 * Changes no answer, only the speed of those that follow.
 *
 * Return: 0. Complexity: see COMPLEXITY above.
 */
FAIR_NODES_API int fair_nodes_settle(struct fair_nodes *n);

/**
 * fair_nodes_clone() - an independent copy, as yet without jobs.
 * @copy:   other nodes
 * @memory: kept until the end of @copy's use; any alignment
 * @bytes:  of it: fair_nodes_size() for @jobs and @parts
 * @jobs:   slots of the copy
 * @parts:  of the copy
 * @n:      nodes
 *
 * fair_nodes_copy_job() brings the jobs.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM if @bytes are too few;
 * -FAIR_ENOSPC if the steps that there are do not fit.
 * Complexity: O(nodes + steps + @jobs), not the capacity of @n.
 */
FAIR_NODES_API int fair_nodes_clone(struct fair_nodes *copy, void *memory,
				    size_t bytes, uint32_t jobs,
				    uint32_t parts, const struct fair_nodes *n);

FAIRSCHED_END_C
#endif /* FAIR_NODES_H */

#if !defined(FAIR_NODES_IMPLEMENTED) &&                                        \
	(defined(FAIR_NODES_IMPLEMENTATION) ||                                 \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_NODES_IMPLEMENTED

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

FAIRSCHED_PROVIDE(FAIR_NODES_API, fair_nodes)

/*
 * Contents: search for the mark.
 *
 *   >>memory    the layout of the caller's memory
 *   >>steps     a node over time: blocks of steps
 *   >>index     before which times nodes are not free: claims
 *   >>walk      what a node can host from a time on, and until when
 *   >>search    the first start: claims, a range of starts
 *   >>choice    which nodes
 *   >>jobs      what each job asks for, and its parts
 *   >>changes   take and give back
 *   >>resize    a job has other chunks
 *   >>fill      nodes are taken, and given back, whatever is free of them
 *   >>begin     init, clone, advance, settle
 *   >>check     the invariants
 *
 * Within, times are seconds since n->base.
 */

#ifndef FAIR_NODES_EVENTS
#define FAIR_NODES_EVENTS 256 /* that a search sorts at once, at least 2 */
#endif
#define FAIR_NODES_STEPS 8 /* of a block */
#define FAIR_NODES_SLOTS 32   /* of time */
#define FAIR_NODES_CODES 256  /* times */
#define FAIR_NODES_STRIDE 16  /* codes that are looked at together */
#define FAIR_NODES_FINGERS 8  /* of a node: ways to its steps */
#define FAIR_NODES_SIZES 7    /* of units */
#define FAIR_NODES_LENGTHS 14 /* of windows */
#define FAIR_NODES_SEEN 64    /* reservations after which pairs are chosen */
#define FAIR_NODES_SAMPLES 512 /* of the times at which steps begin */
#define FAIR_NODES_PATIENCE 4  /* steps to a change until times are cut anew */
#define FAIR_NODES_GAINS 256 /* that are remembered, a power of 2 */
#define FAIR_NODES_GLANCE 8  /* of them, for a start at one second */
#define FAIR_NODES_TWINS 48  /* requests of which a failed search is known */
#define FAIR_NODES_GRASP (FAIR_NODES_SLOTS / FAIR_NODES_FINGERS)
#define FAIR_NODES_PAIRS (FAIR_NODES_SIZES * FAIR_NODES_LENGTHS)
#define FAIR_NODES_NONE UINT32_MAX
#define FAIR_NODES_REACH (INT32_MAX - 1) /* horizon - origin */
#define FAIR_NODES_REBASE (INT64_C(1) << 30)

/* The origin since the base; however far time has passed, no overflow. */
static int64_t fair_nodes_now(const struct fair_nodes *n)
{
	uint64_t now = (uint64_t)n->origin - (uint64_t)n->base;

	return now > INT64_MAX ? INT64_MAX : (int64_t)now;
}

/* Step i begins at off[i]. Rows of free follow: one for each resource. */
struct fair_nodes_block {
	uint32_t next, count;
	uint32_t off[FAIR_NODES_STEPS];
};

/* What the job in a slot asks for, but for amounts and classes. */
struct fair_nodes_job {
	int32_t chunks, per_node;
	uint32_t first, parts; /* the list of its parts; their number */
	uint16_t named, excluded;
	uint8_t count, twin; /* the place among the twins */
	bool exclusive : 1, span : 1;
	bool is_known : 1; /* no start in [since, until), by gain @seen */
	int64_t walltime, since, until;
	uint64_t seen;
};

/* More became free of a node within [from, to): no start that meets neither is
 * new. FAIR_NODES_NONE: of a wide resource. */
struct fair_nodes_gain {
	int64_t from, to;
	uint32_t node;
	int32_t most; /* processors that were free then at any second of it */
};

/* The job in a slot had no start in [since, until), by gain @seen: G4. */
struct fair_nodes_twin {
	uint32_t slot; /* FAIR_NODES_NONE: none */
	uint32_t walltime;
	int64_t since, until;
	uint64_t seen;
};

/* By what the index tells nodes and times apart. */
struct fair_nodes_index {
	int64_t edge[FAIR_NODES_SLOTS + 1]; /* INT64_MAX: no such slot */
	int64_t time[FAIR_NODES_CODES + 1]; /* likewise */
	int64_t length[FAIR_NODES_LENGTHS]; /* of windows, ascending from 1 */
	int32_t size[FAIR_NODES_SIZES];	    /* processors, likewise */
	int32_t unit[FAIR_NODES_SEEN];	    /* of the last reservations */
	int64_t walltime[FAIR_NODES_SEEN];
};

/* A part in a list. */
struct fair_nodes_link {
	uint32_t next;
	int32_t chunks;
	uint16_t node;
};

/* A node that a job may get. */
struct fair_nodes_pick {
	int32_t least, chunks;
	uint16_t node;
	uint8_t rank; /* of its class in the job's order */
};

/*
 * >>memory
 */

static bool fair_nodes_is_config(const struct fair_nodes_config *c)
{
	int64_t nodes = 0;
	uint32_t k, r;

	if (!c || !c->count || !c->amount || c->resources < 1 ||
	    c->resources > FAIR_NODES_RESOURCES || c->classes < 1 ||
	    c->classes > FAIR_NODES_CLASSES || (c->wide & 1) ||
	    c->wide >> c->resources || c->sets > FAIR_NODES_SETS)
		return false;
	for (k = 0; k < c->classes; k++) {
		if (c->count[k] < 1)
			return false;
		nodes += c->count[k];
		for (r = 0; r < c->resources; r++) {
			int32_t x = c->amount[k * c->resources + r];

			if (x < (r ? 0 : 1) || (x && k && c->wide >> r & 1))
				return false;
		}
	}
	return nodes <= FAIR_NODES_NODES;
}

static uint32_t fair_nodes_words(const struct fair_nodes *n)
{
	return (n->nodes + 63) / 64;
}

/* How many wide resources there are any of. */
static uint32_t fair_nodes_profiles(const struct fair_nodes *n)
{
	uint32_t count = 0, r;

	for (r = 0; r < n->resources; r++)
		count += n->profile_of[r] != UINT8_MAX;
	return count;
}

/* Sets the numbers of @n, from which its layout follows. */
static void fair_nodes_count(struct fair_nodes *n,
			     const struct fair_nodes_config *c, uint32_t jobs,
			     uint32_t parts)
{
	uint32_t k, r;

	FAIR_MEMSET(n, 0, sizeof(*n));
	n->resources = c->resources;
	n->classes = c->classes;
	n->wide = c->wide;
	n->sets = c->sets;
	n->first_fit = c->first_fit;
	for (k = 0; k < c->classes; k++)
		n->nodes += (uint32_t)c->count[k];
	for (r = 0, k = 0; r < FAIR_NODES_RESOURCES; r++)
		n->profile_of[r] =
			r < c->resources && c->wide >> r & 1 && c->amount[r]
				? (uint8_t)k++
				: UINT8_MAX;
	n->jobs = jobs;
	n->parts = parts;
}

/* Room for @count objects of @size bytes, from a multiple of 8 on. */
static void *fair_nodes_carve(char *memory, uint64_t *used, uint64_t count,
			      size_t size)
{
	void *at = memory ? memory + (size_t)*used : NULL;

	*used += (count * size + 7) & ~(uint64_t)7;
	return at;
}

/*
 * Sets pointers into @memory, if any; returns the bytes used. A part adds two
 * steps. Of a node's blocks two neighbours hold more than FAIR_NODES_STEPS
 * (I4): s steps are in 1 + 2 (s - 1) / (FAIR_NODES_STEPS + 1) blocks at most. A
 * change has two steps and a block more for a moment.
 */
static uint64_t fair_nodes_layout(struct fair_nodes *n, char *memory)
{
	uint64_t used = 0, words = fair_nodes_words(n);
	uint32_t profiles = fair_nodes_profiles(n);

	n->cap = n->nodes + 2 * (size_t)n->parts;
	n->blocks = n->nodes +
		    2 * (2 * n->parts + 2) / (FAIR_NODES_STEPS + 1) + 2;
	n->stride = sizeof(struct fair_nodes_block) +
		    n->resources * FAIR_NODES_STEPS * sizeof(int32_t);
	n->code = (uint8_t *)fair_nodes_carve(
		memory, &used, 64 * words * FAIR_NODES_PAIRS, 1);
	n->index = (struct fair_nodes_index *)fair_nodes_carve(
		memory, &used, 1, sizeof(*n->index));
	n->stale = (uint64_t *)fair_nodes_carve(memory, &used, words, 8);
	n->loose = (uint64_t *)fair_nodes_carve(memory, &used, words, 8);
	n->idle = (uint64_t *)fair_nodes_carve(memory, &used, words, 8);
	n->down = (uint64_t *)fair_nodes_carve(memory, &used, words, 8);
	n->set = (uint64_t *)fair_nodes_carve(memory, &used, n->sets * words,
					      8);
	n->profile = (struct fair_profile *)fair_nodes_carve(
		memory, &used, profiles, sizeof(*n->profile));
	n->block = (char *)fair_nodes_carve(memory, &used, n->blocks,
					    n->stride);
	n->job = (struct fair_nodes_job *)fair_nodes_carve(
		memory, &used, n->jobs, sizeof(*n->job));
	n->gain = (struct fair_nodes_gain *)fair_nodes_carve(
		memory, &used, FAIR_NODES_GAINS, sizeof(*n->gain));
	n->twin = (struct fair_nodes_twin *)fair_nodes_carve(
		memory, &used, FAIR_NODES_TWINS, sizeof(*n->twin));
	n->link = (struct fair_nodes_link *)fair_nodes_carve(
		memory, &used, n->parts, sizeof(*n->link));
	n->pick = (struct fair_nodes_pick *)fair_nodes_carve(
		memory, &used, n->nodes, sizeof(*n->pick));
	n->amount = (int32_t *)fair_nodes_carve(
		memory, &used, (uint64_t)n->classes * n->resources, 4);
	n->asked = (int32_t *)fair_nodes_carve(
		memory, &used, (uint64_t)n->jobs * n->resources, 4);
	n->head = (uint32_t *)fair_nodes_carve(memory, &used, n->nodes, 4);
	n->finger = (uint32_t *)fair_nodes_carve(
		memory, &used, (uint64_t)n->nodes * FAIR_NODES_FINGERS, 4);
	n->first = (uint32_t *)fair_nodes_carve(memory, &used, n->classes + 1,
						4);
	n->wanted = (uint8_t *)fair_nodes_carve(
		memory, &used, (uint64_t)n->jobs * n->classes, 1);
	return used;
}

/* Bytes of the profile of a wide resource: a job is one reservation. */
static size_t fair_nodes_profile_bytes(const struct fair_nodes *n)
{
	return fair_profile_size(2 * (size_t)n->jobs + 3);
}

static size_t fair_nodes_bytes(struct fair_nodes *n)
{
	uint32_t profiles = fair_nodes_profiles(n);
	size_t one = profiles ? fair_nodes_profile_bytes(n) : 1;
	uint64_t all;

	if (n->jobs > 1 << 24 || n->parts > 1 << 28)
		return 0;
	all = fair_nodes_layout(n, NULL) + 63 + (uint64_t)profiles * one;
	return (size_t)all * ((one > 0) & (all <= SIZE_MAX / 2));
}

FAIR_NODES_API size_t fair_nodes_size(const struct fair_nodes_config *config,
				      uint32_t jobs, uint32_t parts)
{
	struct fair_nodes n;

	if (!fair_nodes_is_config(config))
		return 0;
	fair_nodes_count(&n, config, jobs, parts);
	return fair_nodes_bytes(&n);
}

/* Lays @n out in @memory; *own: that of the profiles. */
static void fair_nodes_lay_out(struct fair_nodes *n, void *memory,
				 char **own)
{
	char *at = (char *)memory + (size_t)(-(uintptr_t)memory & 63);

	*own = at + (size_t)fair_nodes_layout(n, at);
}

FAIR_NODES_API uint32_t fair_nodes_class(const struct fair_nodes *n,
					 uint32_t node)
{
	uint32_t k = 0;

	while (node >= n->first[k + 1])
		k++;
	return k;
}

FAIR_NODES_API int32_t fair_nodes_whole(const struct fair_nodes *n,
					uint32_t node, uint32_t resource)
{
	return n->wide >> resource & 1
		       ? 0
		       : n->amount[fair_nodes_class(n, node) * n->resources +
				   resource];
}

FAIR_NODES_API uint32_t fair_nodes_first(const struct fair_nodes *n,
					 uint32_t k)
{
	return n->first[k];
}

static bool fair_nodes_is_wide(const struct fair_nodes *n, uint32_t r)
{
	return n->wide >> r & 1;
}

/*
 * >>steps
 */

/* A step: its block, and its place there. */
struct fair_nodes_spot {
	struct fair_nodes_block *block;
	uint32_t i;
};

static struct fair_nodes_block *fair_nodes_block_at(const struct fair_nodes *n,
						 uint32_t i)
{
	return (struct fair_nodes_block *)(void *)(n->block + i * n->stride);
}

/* What is free of resource @r, by step. */
static int32_t *fair_nodes_row(struct fair_nodes_block *b, uint32_t r)
{
	return (int32_t *)(void *)(b + 1) + r * FAIR_NODES_STEPS;
}

static uint32_t fair_nodes_new_block(struct fair_nodes *n)
{
	uint32_t i = n->spare;

	if (i == FAIR_NODES_NONE)
		return n->fresh++;
	n->spare = fair_nodes_block_at(n, i)->next;
	return i;
}

static void fair_nodes_free_block(struct fair_nodes *n, uint32_t i)
{
	fair_nodes_block_at(n, i)->next = n->spare;
	n->spare = i;
}

/* The last of @count ascending times that is no later than @x. */
static uint32_t fair_nodes_last_until(const int64_t *time, uint32_t count,
				      int64_t x)
{
	uint32_t lo = 0, hi = count, mid;

	while (hi - lo > 1) {
		mid = (lo + hi) / 2;
		if (time[mid] <= x)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* The slot that holds time @x. */
static uint32_t fair_nodes_slot(const struct fair_nodes *n, int64_t x)
{
	return fair_nodes_last_until(n->index->edge, FAIR_NODES_SLOTS, x);
}

/* The step that holds time @x, from the node's first step on. */
static struct fair_nodes_spot fair_nodes_find(const struct fair_nodes *n,
					      uint32_t node, int64_t x)
{
	struct fair_nodes_block *b, *next;
	struct fair_nodes_spot spot;
	uint32_t at = 0;

	while (at + 1 < FAIR_NODES_FINGERS &&
	       n->index->edge[(at + 1) * FAIR_NODES_GRASP] <= x)
		at++;
	b = fair_nodes_block_at(n, n->finger[node * FAIR_NODES_FINGERS + at]);
	while (b->next != FAIR_NODES_NONE) {
		next = fair_nodes_block_at(n, b->next);
		if (next->off[0] > x)
			break;
		b = next;
	}
	spot.block = b;
	spot.i = b->count - 1;
	while (b->off[spot.i] > x)
		spot.i--;
	return spot;
}

/* Points the fingers of a node at blocks that begin by every 4th slot, or at
 * the first one; its blocks, or the slots, have changed. */
static void fair_nodes_point(struct fair_nodes *n, uint32_t node)
{
	uint32_t *finger = n->finger + node * FAIR_NODES_FINGERS, i, next;
	uint32_t at = n->head[node];

	for (i = 0; i < FAIR_NODES_FINGERS; i++) {
		int64_t x = n->index->edge[i * FAIR_NODES_GRASP];

		while ((next = fair_nodes_block_at(n, at)->next) !=
			       FAIR_NODES_NONE &&
		       fair_nodes_block_at(n, next)->off[0] <= x)
			at = next;
		finger[i] = at;
	}
}

/* To the next step; false: there is none. */
static bool fair_nodes_next(const struct fair_nodes *n,
			    struct fair_nodes_spot *spot)
{
	if (++spot->i < spot->block->count)
		return true;
	if (spot->block->next == FAIR_NODES_NONE)
		return false;
	spot->block = fair_nodes_block_at(n, spot->block->next);
	spot->i = 0;
	return true;
}

/* When the step ends. */
static int64_t fair_nodes_end(const struct fair_nodes *n,
			      struct fair_nodes_spot spot)
{
	const struct fair_nodes_block *b = spot.block;

	if (spot.i + 1 < b->count)
		return b->off[spot.i + 1];
	if (b->next == FAIR_NODES_NONE)
		return INT64_MAX;
	return fair_nodes_block_at(n, b->next)->off[0];
}

/* Moves the steps of a block from @from on to @to, of @b or another one. */
static void fair_nodes_shift(const struct fair_nodes *n,
			     struct fair_nodes_block *b, uint32_t from,
			     struct fair_nodes_block *other, uint32_t to)
{
	size_t count = b->count - from;
	uint32_t r;

	FAIR_MEMMOVE(other->off + to, b->off + from, count * sizeof(*b->off));
	for (r = 0; r < n->resources; r++)
		FAIR_MEMMOVE(fair_nodes_row(other, r) + to,
			     fair_nodes_row(b, r) + from,
			     count * sizeof(int32_t));
}

/* A full block becomes two. */
static void fair_nodes_split(struct fair_nodes *n, struct fair_nodes_block *b)
{
	uint32_t i = fair_nodes_new_block(n);
	struct fair_nodes_block *other = fair_nodes_block_at(n, i);

	fair_nodes_shift(n, b, FAIR_NODES_STEPS / 2, other, 0);
	other->next = b->next;
	other->count = FAIR_NODES_STEPS - FAIR_NODES_STEPS / 2;
	b->next = i;
	b->count = FAIR_NODES_STEPS / 2;
}

/* Makes a step of the node begin at @x. */
static void fair_nodes_cut(struct fair_nodes *n, uint32_t node, int64_t x)
{
	struct fair_nodes_spot at = fair_nodes_find(n, node, x);
	struct fair_nodes_block *b = at.block;

	if (b->off[at.i] == x)
		return;
	if (b->count == FAIR_NODES_STEPS) {
		fair_nodes_split(n, b);
		if (at.i >= b->count) {
			at.i -= b->count;
			b = fair_nodes_block_at(n, b->next);
		}
	}
	/* The step is there twice, and the second begins at x. */
	fair_nodes_shift(n, b, at.i, b, at.i + 1);
	b->off[at.i + 1] = (uint32_t)x;
	b->count++;
	n->steps++;
}

/* Joins neighbouring blocks of a node that fit into one, up to time @x. */
static void fair_nodes_join(struct fair_nodes *n, uint32_t node, int64_t x)
{
	struct fair_nodes_block *b = fair_nodes_block_at(n, n->head[node]), *c;
	uint32_t i;

	while ((i = b->next) != FAIR_NODES_NONE) {
		c = fair_nodes_block_at(n, i);
		if (b->count + c->count > FAIR_NODES_STEPS) {
			if (b->off[0] > x)
				break;
			b = c;
			continue;
		}
		fair_nodes_shift(n, c, 0, b, b->count);
		b->count += c->count;
		b->next = c->next;
		fair_nodes_free_block(n, i);
	}
	fair_nodes_point(n, node);
}

/* Whether two steps have as much free, with @add to what the second has. */
static bool fair_nodes_is_same(const struct fair_nodes *n,
			       struct fair_nodes_spot a,
			       struct fair_nodes_spot b, const int32_t *add)
{
	int64_t free;
	uint32_t r;

	for (r = 0; r < n->resources; r++) {
		free = fair_nodes_row(b.block, r)[b.i];
		if (fair_nodes_row(a.block, r)[a.i] != free + add[r])
			return false;
	}
	return true;
}

/* Drops step @i of block @b, not the only one; its neighbours may join. */
static void fair_nodes_drop(struct fair_nodes *n, uint32_t node,
			    struct fair_nodes_block *b, uint32_t i)
{
	uint32_t *at = &n->head[node];

	if (b->count > 1) {
		fair_nodes_shift(n, b, i + 1, b, i);
		b->count--;
	} else {
		while (fair_nodes_block_at(n, *at) != b)
			at = &fair_nodes_block_at(n, *at)->next;
		i = *at;
		*at = b->next;
		fair_nodes_free_block(n, i);
	}
	fair_nodes_point(n, node);
	n->steps--;
}

static const int32_t fair_nodes_zero[FAIR_NODES_RESOURCES] = { 0 };

/* Drops the step that begins at @x, if it is as the one before. */
static void fair_nodes_coalesce(struct fair_nodes *n, uint32_t node, int64_t x)
{
	struct fair_nodes_spot at = fair_nodes_find(n, node, x), before;

	if (at.block->off[at.i] != x ||
	    x == fair_nodes_block_at(n, n->head[node])->off[0])
		return;
	before = fair_nodes_find(n, node, x - 1);
	if (fair_nodes_is_same(n, before, at, fair_nodes_zero))
		fair_nodes_drop(n, node, at.block, at.i);
}

/* Adds to what is free of a node in [@x, @end), which stays within bounds. */
static void fair_nodes_add(struct fair_nodes *n, uint32_t node, int64_t x,
			   int64_t end, const int32_t *add)
{
	struct fair_nodes_spot at;
	uint32_t r;

	fair_nodes_cut(n, node, x);
	fair_nodes_cut(n, node, end);
	at = fair_nodes_find(n, node, x);
	do {
		for (r = 0; r < n->resources; r++)
			fair_nodes_row(at.block, r)[at.i] += add[r];
	} while (fair_nodes_next(n, &at) && at.block->off[at.i] < end);
	fair_nodes_coalesce(n, node, end);
	fair_nodes_coalesce(n, node, x);
	fair_nodes_join(n, node, end);
	n->changes++;
}

/* How many steps more there are at time @x when @before is added to what is
 * free before it, and @behind to that behind it: -1, 0 or 1. */
static int fair_nodes_extra(const struct fair_nodes *n, uint32_t node,
			    int64_t x, const int32_t *before,
			    const int32_t *behind)
{
	struct fair_nodes_spot at = fair_nodes_find(n, node, x), left = at;
	int32_t add[FAIR_NODES_RESOURCES];
	bool is_there = at.block->off[at.i] == x;
	uint32_t r;

	if (x == fair_nodes_block_at(n, n->head[node])->off[0])
		return 0;
	if (is_there)
		left = fair_nodes_find(n, node, x - 1);
	for (r = 0; r < n->resources; r++)
		add[r] = behind[r] - before[r];
	return !fair_nodes_is_same(n, left, at, add) - is_there;
}

/* Forgets the steps of a node that end by the origin. */
static void fair_nodes_trim(struct fair_nodes *n, uint32_t node)
{
	int64_t x = fair_nodes_now(n);
	struct fair_nodes_spot at = fair_nodes_find(n, node, x);
	struct fair_nodes_block *b;

	while ((b = fair_nodes_block_at(n, n->head[node])) != at.block) {
		uint32_t i = n->head[node];

		n->head[node] = b->next;
		n->steps -= b->count;
		fair_nodes_free_block(n, i);
	}
	if (at.i) {
		fair_nodes_shift(n, b, at.i, b, 0);
		b->count -= at.i;
		n->steps -= at.i;
	}
	fair_nodes_join(n, node, 0);
}

/*
 * >>index
 *
 * A pair is a number of processors and the length of a window. Each pair and
 * node has a code of a byte, from which the time follows at which the node's
 * first window of the pair begins, or an earlier one:
 *
 *	node            |###|_|####|________|###|______ ...
 *	length 1, 8         ^      ^
 *	time[]          0 .... 1 ... 2 .... 3 ..         codes 0, 2
 *
 * CLAIMS
 *
 * X1  A job that asks for a unit of at least a pair's processors, for a
 *     walltime of at least its length, starts on a node no earlier than
 *     time[code]: its first seconds are a window of the pair. So the codes of
 *     the greatest pair that is no more than the job rule out nodes, 64 at a
 *     time.
 * X2  That holds while codes are never too late. To take, and to forget the
 *     past, can but delay a first window: the code stays, perhaps too early
 *     (loose). To give makes new windows: the node is stale, and every search
 *     looks at it. Settling computes the codes of all these nodes anew.
 * X3  A node with h units by some time has codes by then for every number of
 *     units up to h. With c(m) nodes that have those of m units, all nodes
 *     together have at most c(1) + 2 c(2) + 4 c(4) + ... units: one with h of
 *     them, 2^i <= h < 2^(i + 1), is counted 2^(i + 1) - 1 times.
 * X4  An idle node has all of it free for ever. As nodes are seen in order, it
 *     is in no choice if those that were seen suffice, and none of them has
 *     more free.
 *
 * Times are cut where steps begin, and evenly; pairs are chosen from what was
 * reserved last.
 */

#if defined(__SSE2__) && defined(__GNUC__) && __STDC_HOSTED__ &&               \
	!defined(FAIR_NODES_PORTABLE)
#define FAIR_NODES_SSE2
#include <emmintrin.h>
#endif

static uint32_t fair_nodes_lowest(uint64_t x)
{
#if defined(__GNUC__)
	return (uint32_t)__builtin_ctzll(x);
#else
	uint32_t n = 0;

	for (; !(x & 1); x >>= 1)
		n++;
	return n;
#endif
}

static uint32_t fair_nodes_ones(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) +
	    (x >> 2 & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* The codes of 64 nodes. */
static uint8_t *fair_nodes_codes(const struct fair_nodes *n, uint32_t pair,
				 uint32_t word)
{
	return n->code + 64 * ((size_t)pair * fair_nodes_words(n) + word);
}

/* Which of 64 codes are from @low to @high. */
static uint64_t fair_nodes_codes_in(const uint8_t *code, uint32_t low,
				    uint32_t high)
{
	uint64_t bits = 0;
	uint32_t i;
#if defined(FAIR_NODES_SSE2)
	__m128i first = _mm_set1_epi8((char)low);
	__m128i last = _mm_set1_epi8((char)high), v;

	for (i = 0; i < 4; i++) {
		v = _mm_loadu_si128((const __m128i *)(const void *)code + i);
		v = _mm_cmpeq_epi8(_mm_min_epu8(_mm_max_epu8(v, first), last),
				   v);
		bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(v) << 16 * i;
	}
#else
	for (i = 0; i < 64; i++)
		bits |= (uint64_t)(code[i] >= low && code[i] <= high)
			<< i;
#endif
	return bits;
}

/* The windows of a node. */
struct fair_nodes_windows {
	int64_t first[FAIR_NODES_PAIRS]; /* INT64_MAX: none */
	int64_t begin[FAIR_NODES_SIZES]; /* of the one that is open */
	uint32_t found[FAIR_NODES_SIZES]; /* lengths with a first one */
};

/* A window of the size @i ends. */
static void fair_nodes_close(const struct fair_nodes *n, uint32_t i,
			     int64_t end, struct fair_nodes_windows *w)
{
	const int64_t *length = n->index->length;
	int64_t x = w->begin[i];

	while (w->found[i] < FAIR_NODES_LENGTHS &&
	       end - x >= length[w->found[i]])
		w->first[i * FAIR_NODES_LENGTHS + w->found[i]++] = x;
}

static void fair_nodes_find_windows(const struct fair_nodes *n, uint32_t node,
				    struct fair_nodes_windows *w)
{
	int64_t x = fair_nodes_now(n);
	struct fair_nodes_spot at = fair_nodes_find(n, node, x);
	const int32_t *size = n->index->size;
	uint32_t open = 0, i;
	int32_t free;

	FAIR_MEMSET(w->found, 0, sizeof(w->found));
	for (i = 0; i < FAIR_NODES_PAIRS; i++)
		w->first[i] = INT64_MAX;
	/* Invariant: of the sizes before open a window has begun, by x. */
	do {
		free = fair_nodes_row(at.block, 0)[at.i];
		if (at.block->off[at.i] > x)
			x = at.block->off[at.i];
		while (open && free < size[open - 1])
			fair_nodes_close(n, --open, x, w);
		while (open < FAIR_NODES_SIZES && free >= size[open])
			w->begin[open++] = x;
	} while (fair_nodes_next(n, &at));
	while (open)
		fair_nodes_close(n, --open, INT64_MAX, w);
}

static uint32_t fair_nodes_code(const struct fair_nodes *n, int64_t x)
{
	return fair_nodes_last_until(n->index->time, FAIR_NODES_CODES, x);
}

/* Computes the codes of a node anew. */
static void fair_nodes_mark(struct fair_nodes *n, uint32_t node)
{
	uint64_t bit = UINT64_C(1) << node % 64;
	struct fair_nodes_windows w;
	uint32_t pair;

	fair_nodes_find_windows(n, node, &w);
	for (pair = 0; pair < FAIR_NODES_PAIRS; pair++)
		fair_nodes_codes(n, pair, node / 64)[node % 64] =
			(uint8_t)fair_nodes_code(n, w.first[pair]);
	n->stale[node / 64] &= ~bit;
	n->loose[node / 64] &= ~bit;
}

/* Notes whether a node, whose past is forgotten, is idle. */
static void fair_nodes_note_idle(struct fair_nodes *n, uint32_t node)
{
	const struct fair_nodes_block *b =
		fair_nodes_block_at(n, n->head[node]);
	uint64_t bit = UINT64_C(1) << node % 64, *word = n->idle + node / 64;

	*word = b->count == 1 && b->next == FAIR_NODES_NONE ? *word | bit
							     : *word & ~bit;
}

static bool fair_nodes_is_idle(const struct fair_nodes *n, uint32_t node)
{
	return n->idle[node / 64] >> node % 64 & 1;
}

/* Ascending: shell sort. */
static void fair_nodes_sort_times(int64_t *time, uint32_t count)
{
	uint32_t gap, i, j;
	int64_t t;

	for (gap = count / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
		for (i = gap; i < count; i++) {
			t = time[i];
			for (j = i; j >= gap && time[j - gap] > t; j -= gap)
				time[j] = time[j - gap];
			time[j] = t;
		}
}

/* Up to FAIR_NODES_SAMPLES of the times at which steps begin, from the origin
 * on. */
static uint32_t fair_nodes_sample(const struct fair_nodes *n, int64_t *time)
{
	size_t every = n->steps / FAIR_NODES_SAMPLES + 1, skip = 0;
	const struct fair_nodes_block *b;
	uint32_t count = 0, node, i, k;

	for (node = 0; node < n->nodes; node++)
		for (i = n->head[node]; i != FAIR_NODES_NONE; i = b->next) {
			b = fair_nodes_block_at(n, i);
			for (k = 0; k < b->count; k++) {
				if (b->off[k] <= fair_nodes_now(n) ||
				    ++skip % every)
					continue;
				time[count++] = b->off[k];
			}
		}
	return count;
}

/* Takes @slots of @count ascending times as edges, from 0 on. */
static void fair_nodes_take_edges(const int64_t *time, uint32_t count,
				  int64_t *edge, uint32_t slots)
{
	uint32_t i, k, slot = 1;

	edge[0] = 0;
	for (i = 1; i < slots; i++) {
		k = i * count / slots;
		if (k < count && time[k] > edge[slot - 1])
			edge[slot++] = time[k];
	}
	while (slot <= slots)
		edge[slot++] = INT64_MAX;
}

/* Cuts the future: half of the cuts are where steps begin, as many steps in
 * each, and half evenly. */
static void fair_nodes_cut_slots(struct fair_nodes *n)
{
	int64_t time[2 * FAIR_NODES_SAMPLES], x = fair_nodes_now(n), last;
	uint32_t count = fair_nodes_sample(n, time), i;

	fair_nodes_sort_times(time, count);
	last = count ? time[count - 1] - x : 0;
	for (i = 0; i < count; i++)
		time[count + i] = x + last * (i + 1) / count;
	fair_nodes_sort_times(time, 2 * count);
	fair_nodes_take_edges(time, 2 * count, n->index->edge,
			      FAIR_NODES_SLOTS);
	fair_nodes_take_edges(time, 2 * count, n->index->time,
			      FAIR_NODES_CODES);
}

/* Chooses pairs after the last reservations. */
static void fair_nodes_choose_pairs(struct fair_nodes *n)
{
	uint32_t count = n->seen < FAIR_NODES_SEEN ? n->seen : FAIR_NODES_SEEN;
	struct fair_nodes_index *x = n->index;
	int64_t size[FAIR_NODES_SEEN], length[FAIR_NODES_SEEN];
	uint32_t i;

	for (i = 0; i < count; i++) {
		size[i] = x->unit[i];
		length[i] = x->walltime[i];
	}
	fair_nodes_sort_times(size, count);
	fair_nodes_sort_times(length, count);
	x->size[0] = 1;
	x->length[0] = 1;
	for (i = 1; i < FAIR_NODES_SIZES; i++)
		x->size[i] = count ? (int32_t)size[i * (count - 1) /
						   (FAIR_NODES_SIZES - 1)]
				   : 1;
	for (i = 1; i < FAIR_NODES_LENGTHS; i++)
		x->length[i] = count ? length[(i - 1) * (count - 1) /
					      (FAIR_NODES_LENGTHS - 2)]
				     : 1;
}

/* Notes what is reserved. */
static void fair_nodes_see(struct fair_nodes *n, uint32_t slot,
			   int64_t walltime)
{
	const struct fair_nodes_job *j = &n->job[slot];
	uint32_t at = n->seen++ % FAIR_NODES_SEEN;
	int32_t unit = n->asked[(size_t)slot * n->resources];

	if (n->seen == 2 * FAIR_NODES_SEEN)
		n->seen = FAIR_NODES_SEEN;
	if (j->exclusive)
		unit = n->amount[fair_nodes_class(n, n->link[j->first].node) *
				 n->resources];
	n->index->unit[at] = unit > 1 ? unit : 1;
	n->index->walltime[at] = walltime;
}

/* Chooses slots and pairs, and computes all bits. */
static void fair_nodes_build(struct fair_nodes *n)
{
	uint32_t node;

	fair_nodes_cut_slots(n);
	fair_nodes_choose_pairs(n);
	for (node = 0; node < n->nodes; node++) {
		fair_nodes_point(n, node);
		fair_nodes_trim(n, node);
		fair_nodes_note_idle(n, node);
		fair_nodes_mark(n, node);
	}
	n->changes = 0;
	n->built = n->steps - n->nodes;
}

/* The greatest pair that is no more than a job's. */
static uint32_t fair_nodes_pair(const struct fair_nodes *n, int64_t procs,
				int64_t walltime)
{
	uint32_t i = FAIR_NODES_SIZES - 1, k = FAIR_NODES_LENGTHS - 1;

	while (n->index->size[i] > procs)
		i--;
	while (n->index->length[k] > walltime)
		k--;
	return i * FAIR_NODES_LENGTHS + k;
}

/*
 * >>walk
 *
 * A unit is what a node gives at once: a chunk, or to an exclusive job all that
 * the node has. So hosts(n, t) of the manual is a number of units, times the
 * chunks of one.
 */

/* What a job asks for of the nodes of one class. */
struct fair_nodes_kind {
	uint32_t used; /* resources of a unit */
	uint8_t resource[FAIR_NODES_RESOURCES];
	int32_t unit[FAIR_NODES_RESOURCES];
	int32_t most;	/* units on a node */
	int32_t chunks; /* of a unit */
	uint32_t k;	/* the class */
};

/* Where does a job fit? What it has from current on is free to it. */
struct fair_nodes_query {
	const struct fair_nodes *n;
	struct fair_nodes_request request;
	const uint64_t *named, *excluded, *down; /* by node; NULL: none */
	uint32_t count; /* of classes */
	uint32_t own;	/* the list of its parts; FAIR_NODES_NONE: none */
	int64_t walltime, current;
};

/* Steps of a node from a time on; where the job's own part begins, a step is
 * two. */
struct fair_nodes_walk {
	const struct fair_nodes *n;
	struct fair_nodes_spot spot;
	int64_t start, end, stop; /* of this step; of the whole one */
	int64_t current;
	int32_t own; /* units that are free from current on */
	bool is_own; /* they are in this step */
};

static struct fair_nodes_query
fair_nodes_ask(const struct fair_nodes *n, const struct fair_nodes_request *r,
	       int64_t walltime)
{
	size_t words = fair_nodes_words(n);
	struct fair_nodes_query q;

	FAIR_MEMSET(&q, 0, sizeof(q));
	q.n = n;
	q.request = *r;
	q.count = r->count ? r->count : n->classes;
	q.named = r->named ? n->set + (r->named - 1) * words : NULL;
	q.excluded = r->excluded ? n->set + (r->excluded - 1) * words : NULL;
	q.down = n->down;
	q.own = FAIR_NODES_NONE;
	q.walltime = walltime;
	q.current = INT64_MAX;
	return q;
}

/* The @i-th class in the job's order. */
static uint32_t fair_nodes_choice(const struct fair_nodes_query *q, uint32_t i)
{
	return q->request.count ? q->request.classes[i] : i;
}

/* What the job asks for of class @k; false: it hosts none. */
static bool fair_nodes_set_kind(const struct fair_nodes_query *q, uint32_t k,
			    struct fair_nodes_kind *kind)
{
	const struct fair_nodes *n = q->n;
	const struct fair_nodes_request *job = &q->request;
	const int32_t *has = n->amount + k * n->resources;
	int32_t hosts = job->chunks, asked;
	uint32_t r;

	kind->used = 0;
	kind->k = k;
	if (job->per_node && job->per_node < hosts)
		hosts = job->per_node;
	for (r = 0; r < n->resources; r++) {
		if (fair_nodes_is_wide(n, r))
			continue;
		asked = job->amount[r];
		if (asked && has[r] / asked < hosts)
			hosts = has[r] / asked;
		if (job->exclusive)
			asked = has[r];
		if (!asked)
			continue;
		kind->resource[kind->used] = (uint8_t)r;
		kind->unit[kind->used++] = asked;
	}
	kind->most = job->exclusive ? hosts > 0 : hosts;
	kind->chunks = job->exclusive ? hosts : 1;
	return hosts > 0;
}

static void fair_nodes_part_of_step(struct fair_nodes_walk *w)
{
	w->end = w->stop;
	w->is_own = w->own && w->start >= w->current;
	if (w->own && w->start < w->current && w->current < w->stop)
		w->end = w->current;
}

static void fair_nodes_walk_from(struct fair_nodes_walk *w,
				 const struct fair_nodes_query *q,
				 struct fair_nodes_spot at, int32_t own,
				 int64_t t)
{
	w->n = q->n;
	w->spot = at;
	w->start = t;
	w->stop = fair_nodes_end(q->n, w->spot);
	w->current = q->current;
	w->own = own;
	fair_nodes_part_of_step(w);
}

/* Goes on; the last step ends never. */
static void fair_nodes_walk_on(struct fair_nodes_walk *w)
{
	w->start = w->end;
	if (w->end == w->stop) {
		(void)fair_nodes_next(w->n, &w->spot);
		w->stop = fair_nodes_end(w->n, w->spot);
	}
	fair_nodes_part_of_step(w);
}

/* What is free of the job's resource @j in this step. */
static int64_t fair_nodes_free(const struct fair_nodes_walk *w,
			       const struct fair_nodes_kind *kind, uint32_t j)
{
	int32_t free = fair_nodes_row(w->spot.block,
				      kind->resource[j])[w->spot.i];

	return free + (w->is_own ? (int64_t)w->own * kind->unit[j] : 0);
}

/* Has this step so many units? */
static bool fair_nodes_holds(const struct fair_nodes_walk *w,
			     const struct fair_nodes_kind *kind, int64_t units)
{
	uint32_t j;

	for (j = 0; j < kind->used; j++)
		if (fair_nodes_free(w, kind, j) < units * kind->unit[j])
			return false;
	return true;
}

/* How many units this step has, which are fewer than @units. */
static int32_t fair_nodes_fewer(const struct fair_nodes_walk *w,
				const struct fair_nodes_kind *kind,
				int64_t units)
{
	int64_t one;
	uint32_t j;

	for (j = 0; j < kind->used; j++) {
		one = fair_nodes_free(w, kind, j) / kind->unit[j];
		units = one < units ? one : units;
	}
	return (int32_t)units;
}

/*
 * How many units a node has throughout [@t, @t + walltime). *@at: one of its
 * steps up to @t; becomes that which holds it. *@until: out: the
 * first later start for which they may be others: where the last step that
 * allows no more has passed, or one that allows less comes into sight.
 */
static int32_t fair_nodes_units(const struct fair_nodes_query *q,
				const struct fair_nodes_kind *kind,
				struct fair_nodes_spot *at, int32_t own,
				int64_t t, int64_t *until)
{
	int64_t end = t + q->walltime, rise = INT64_MAX, more;
	int32_t units = kind->most;
	struct fair_nodes_walk w;

	while (fair_nodes_end(q->n, *at) <= t)
		(void)fair_nodes_next(q->n, at);
	/* Invariant: there are units throughout [t, w.start). */
	fair_nodes_walk_from(&w, q, *at, own, t);
	for (;; fair_nodes_walk_on(&w)) {
		more = (int64_t)units + (units < kind->most);
		if (!fair_nodes_holds(&w, kind, more)) {
			units = fair_nodes_fewer(&w, kind, units);
			rise = w.end;
		}
		if (w.end >= end)
			break;
	}
	while (units && w.end < INT64_MAX && w.end - q->walltime + 1 < rise) {
		fair_nodes_walk_on(&w);
		if (!fair_nodes_holds(&w, kind, units))
			rise = w.start - q->walltime + 1;
	}
	*until = rise;
	return units;
}

/* Whether step @i of a block has a unit. */
static bool fair_nodes_has_unit(const struct fair_nodes_kind *kind,
				struct fair_nodes_block *b, uint32_t i)
{
	uint32_t j = 0;

	while (j < kind->used && fair_nodes_row(b, kind->resource[j])[i] >=
					 kind->unit[j])
		j++;
	return j == kind->used;
}

/* The first start in [@t, @before) at which a node, on which the job has no
 * part, has one unit; @before if there is none. */
static int64_t fair_nodes_first_of(const struct fair_nodes_query *q,
				   const struct fair_nodes_kind *kind,
				   uint32_t node, int64_t t, int64_t before)
{
	struct fair_nodes_spot at = fair_nodes_find(q->n, node, t);
	int64_t end = t;
	bool good;

	/* Invariant: a unit is free throughout [t, end), where the step at
	 * begins, and no start is before t. */
	do {
		good = fair_nodes_has_unit(kind, at.block, at.i);
		end = fair_nodes_end(q->n, at);
		if (!good)
			t = end;
		else if (end - t >= q->walltime)
			return t;
	} while (t < before && fair_nodes_next(q->n, &at));
	return before;
}

/* The same with the job's own units. */
static int64_t fair_nodes_first_own(const struct fair_nodes_query *q,
				    const struct fair_nodes_kind *kind,
				    uint32_t node, int32_t own, int64_t t,
				    int64_t before)
{
	struct fair_nodes_walk w;

	if (!own)
		return fair_nodes_first_of(q, kind, node, t, before);
	/* Invariant: a unit is free throughout [t, w.start), and no start is
	 * before t. */
	fair_nodes_walk_from(&w, q, fair_nodes_find(q->n, node, t), own, t);
	for (; t < before; fair_nodes_walk_on(&w)) {
		if (!fair_nodes_holds(&w, kind, 1))
			t = w.end;
		else if (w.end - t >= q->walltime)
			return t;
	}
	return before;
}

/*
 * >>search
 *
 * CLAIMS
 *
 * N1  Between two changes of what some node hosts, their sum is the same. So
 *     the first start of k chunks from t on is t or one of these changes.
 * N2  A range of starts in which the nodes, each at its best, host fewer than k
 *     chunks has no start.
 * N3  If the changes in a range are more than can be sorted at once, the range
 *     ends where the middle one of those that were seen is: it has fewer. What
 *     follows is a range of its own, and that change no longer within it.
 * N4  No start is missed, and none is wrong: as M1 of machine.h, between the
 *     nodes on one side and the wide resources on the other.
 */

/* Nodes that a job may use, in the order of its classes, then by number. */
struct fair_nodes_scan {
	const struct fair_nodes_query *q;
	struct fair_nodes_kind kind;
	uint32_t code;	  /* of the end of the slot that is looked at */
	bool unknown;	  /* only nodes that the index does not know */
	uint32_t i, last; /* the class in the job's order; behind the last */
	uint32_t word, words;
	uint64_t bits; /* of this word, still to come */
	uint32_t own;  /* the part at or behind them */
};

/* The nodes of a word that are of class @k, up, and of the job's sets. */
static uint64_t fair_nodes_usable(const struct fair_nodes_query *q, uint32_t k,
				  uint32_t word)
{
	uint32_t from = q->n->first[k], to = q->n->first[k + 1];
	uint64_t bits = q->down ? ~q->down[word] : UINT64_MAX;

	if (from > 64 * word)
		bits &= UINT64_MAX << (from - 64 * word);
	if (to < 64 * word + 64)
		bits &= (UINT64_C(1) << (to - 64 * word)) - 1;
	if (q->named)
		bits &= q->named[word];
	if (q->excluded)
		bits &= ~q->excluded[word];
	return bits;
}

/* The nodes of a word on which the job has parts. */
static uint64_t fair_nodes_own_bits(struct fair_nodes_scan *s)
{
	const struct fair_nodes_link *link = s->q->n->link;
	uint64_t bits = 0;
	uint32_t i;

	while (s->own != FAIR_NODES_NONE && link[s->own].node / 64u < s->word)
		s->own = link[s->own].next;
	for (i = s->own;
	     i != FAIR_NODES_NONE && link[i].node / 64u == s->word;
	     i = link[i].next)
		bits |= UINT64_C(1) << link[i].node % 64u;
	return bits;
}

/* The nodes of the scan's word that may have units of the job. */
static uint64_t fair_nodes_candidates(struct fair_nodes_scan *s, int64_t units)
{
	uint64_t usable = fair_nodes_usable(s->q, s->kind.k, s->word);

	const struct fair_nodes *n = s->q->n;
	uint64_t known;
	uint32_t pair;

	if (!usable || s->kind.resource[0])
		return usable;
	pair = fair_nodes_pair(n, units * s->kind.unit[0], s->q->walltime);
	known = s->unknown ? 0
			   : fair_nodes_codes_in(
				     fair_nodes_codes(n, pair, s->word), 0,
				     s->code);
	return usable &
	       (known | n->stale[s->word] | fair_nodes_own_bits(s));
}

/* Begins with the class @i of the scan, or the next one that hosts a chunk. */
static void fair_nodes_scan_class(struct fair_nodes_scan *s)
{
	uint32_t k;

	for (; s->i < s->last; s->i++) {
		k = fair_nodes_choice(s->q, s->i);
		if (!fair_nodes_set_kind(s->q, k, &s->kind))
			continue;
		s->word = s->q->n->first[k] / 64;
		s->words = (s->q->n->first[k + 1] + 63) / 64;
		s->own = s->q->own;
		s->bits = fair_nodes_candidates(s, 1);
		return;
	}
}

static void fair_nodes_scan_from(struct fair_nodes_scan *s,
				 const struct fair_nodes_query *q, int64_t x,
				 uint32_t first, uint32_t last, bool unknown)
{
	s->q = q;
	s->unknown = unknown;
	s->code = fair_nodes_code(
		q->n, q->n->index->edge[fair_nodes_slot(q->n, x) + 1] - 1);
	s->i = first;
	s->last = last;
	fair_nodes_scan_class(s);
}

/* The chunks that the job has on @node, as units. */
static int32_t fair_nodes_own(struct fair_nodes_scan *s, uint32_t node)
{
	const struct fair_nodes_link *link = s->q->n->link;

	while (s->own != FAIR_NODES_NONE && link[s->own].node < node)
		s->own = link[s->own].next;
	if (s->own == FAIR_NODES_NONE || link[s->own].node != node)
		return 0;
	return s->q->request.exclusive ? 1 : link[s->own].chunks;
}

/* To the next word of the scan; false: there is none. */
static bool fair_nodes_scan_word(struct fair_nodes_scan *s)
{
	if (++s->word < s->words) {
		s->bits = fair_nodes_candidates(s, 1);
	} else {
		s->i++;
		fair_nodes_scan_class(s);
	}
	return s->i < s->last;
}

/* The next node, and the units of it that the job has; false: that was all. */
static bool fair_nodes_scan_next(struct fair_nodes_scan *s, uint32_t *node,
				 int32_t *own)
{
	while (s->i < s->last) {
		if (s->bits) {
			*node = 64 * s->word + fair_nodes_lowest(s->bits);
			s->bits &= s->bits - 1;
			*own = fair_nodes_own(s, *node);
			return true;
		}
		(void)fair_nodes_scan_word(s);
	}
	return false;
}

/* Whether nodes may host all chunks from some time of the slot on: X3. */
static bool fair_nodes_may_host(const struct fair_nodes_query *q, int64_t x,
				uint32_t first, uint32_t last)
{
	int64_t hosts = 0, m, more;
	struct fair_nodes_scan s;
	uint64_t bits;

	fair_nodes_scan_from(&s, q, x, first, last, false);
	if (s.i == s.last)
		return false;
	do {
		bits = s.bits;
		for (m = 1; bits && m <= s.kind.most; m *= 2) {
			more = m < s.kind.most - m + 1 ? m
						       : s.kind.most - m + 1;
			hosts += fair_nodes_ones(bits) * more * s.kind.chunks;
			if (2 * m <= s.kind.most)
				bits = fair_nodes_candidates(&s, 2 * m);
		}
		if (hosts >= q->request.chunks)
			return true;
	} while (fair_nodes_scan_word(&s));
	return false;
}

/* From @at on the nodes host more chunks, or fewer. */
struct fair_nodes_event {
	int64_t at;
	int32_t chunks;
};

/* What is known of the starts in a range. */
struct fair_nodes_range {
	int64_t hosts; /* at its begin */
	int64_t most;  /* each node at its best */
	uint32_t events;
	bool is_full; /* there are more */
	struct fair_nodes_event event[FAIR_NODES_EVENTS];
};

/* By time: shell sort. */
static void fair_nodes_sort_events(struct fair_nodes_range *g)
{
	struct fair_nodes_event e;
	uint32_t gap, i, j;

	for (gap = g->events / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
		for (i = gap; i < g->events; i++) {
			e = g->event[i];
			for (j = i; j >= gap && g->event[j - gap].at > e.at;
			     j -= gap)
				g->event[j] = g->event[j - gap];
			g->event[j] = e;
		}
}

/* Adds what one node hosts at the starts in [@x, @y). */
static void fair_nodes_add_range(struct fair_nodes_range *g,
				 const struct fair_nodes_scan *s,
				 uint32_t node, int32_t own, int64_t x,
				 int64_t y)
{
	struct fair_nodes_spot at = fair_nodes_find(s->q->n, node, x);
	int32_t units, best, now;
	int64_t t;

	units = best = fair_nodes_units(s->q, &s->kind, &at, own, x, &t);
	g->hosts += (int64_t)units * s->kind.chunks;
	while (t < y) {
		x = t;
		now = fair_nodes_units(s->q, &s->kind, &at, own, x, &t);
		if (now == units)
			continue;
		if (g->events == FAIR_NODES_EVENTS) {
			g->is_full = true;
			return;
		}
		g->event[g->events].at = x;
		g->event[g->events++].chunks = (now - units) * s->kind.chunks;
		units = now;
		best = now > best ? now : best;
	}
	g->most += (int64_t)best * s->kind.chunks;
}

/* The first start in the range that has @k chunks; false: there is none. */
static bool fair_nodes_sweep(struct fair_nodes_range *g, int64_t k, int64_t x,
			     int64_t *start)
{
	uint32_t i = 0;

	if (g->most < k)
		return false;
	fair_nodes_sort_events(g);
	/* Invariant: from x on there are hosts, until event[i].at. */
	while (g->hosts < k && i < g->events) {
		x = g->event[i].at;
		for (; i < g->events && g->event[i].at == x; i++)
			g->hosts += g->event[i].chunks;
	}
	*start = x;
	return g->hosts >= k;
}

/* The first start in [@x, @y), which is in one slot, of k chunks in the classes
 * [@first, @last) of the job's order, by the nodes alone. */
static bool fair_nodes_first_many(const struct fair_nodes_query *q,
				  uint32_t first, uint32_t last, int64_t x,
				  int64_t y, int64_t *start)
{
	struct fair_nodes_range g;
	struct fair_nodes_scan s;
	int64_t end = y;
	uint32_t node;
	int32_t own;

	if (!fair_nodes_may_host(q, x, first, last))
		return false;
	/* Invariant: no start is in the range before x. */
	while (x < y) {
		g.hosts = g.most = 0;
		g.events = 0;
		g.is_full = false;
		fair_nodes_scan_from(&s, q, x, first, last, false);
		while (!g.is_full && g.hosts < q->request.chunks &&
		       fair_nodes_scan_next(&s, &node, &own))
			fair_nodes_add_range(&g, &s, node, own, x, end);
		if (g.hosts >= q->request.chunks) {
			*start = x; /* these nodes are enough */
			return true;
		}
		if (g.is_full) { /* N3 */
			fair_nodes_sort_events(&g);
			end = g.event[FAIR_NODES_EVENTS / 2].at;
			continue;
		}
		if (fair_nodes_sweep(&g, q->request.chunks, x, start))
			return true;
		x = end;
		end = y;
	}
	return false;
}

/* The first start of one chunk in [@x, @best) on nodes of class @k whose codes
 * are from @low to @high: X1. @best: there is none. */
static int64_t fair_nodes_first_coded(const struct fair_nodes_query *q,
				      const struct fair_nodes_kind *kind,
				      uint32_t low, uint32_t high, int64_t x,
				      int64_t best)
{
	const struct fair_nodes *n = q->n;
	uint32_t pair = fair_nodes_pair(n, kind->unit[0], q->walltime);
	uint32_t word = n->first[kind->k] / 64, node;
	const uint8_t *code;
	uint64_t bits;
	int64_t from;

	for (; best > x && 64 * word < n->first[kind->k + 1]; word++) {
		code = fair_nodes_codes(n, pair, word);
		bits = fair_nodes_codes_in(code, low, high);
		if (bits)
			bits &= fair_nodes_usable(q, kind->k, word) &
				~n->stale[word];
		for (; bits && best > x; bits &= bits - 1) {
			node = fair_nodes_lowest(bits);
			from = n->index->time[code[node]];
			from = from > x ? from : x;
			if (from < best)
				best = fair_nodes_first_of(q, kind,
							   64 * word + node,
							   from, best);
		}
	}
	return best;
}

/* The same on nodes that the index does not know: stale ones, and the job's
 * own; and all, if the chunk has no processors. */
static int64_t fair_nodes_first_unknown(const struct fair_nodes_query *q,
					uint32_t i, int64_t x, int64_t best)
{
	struct fair_nodes_scan s;
	uint32_t node;
	int32_t own;

	fair_nodes_scan_from(&s, q, x, i, i + 1, true);
	while (best > x && fair_nodes_scan_next(&s, &node, &own))
		best = fair_nodes_first_own(q, &s.kind, node, own, x, best);
	return best;
}

/* The first start of one chunk in [@x, @y) in the classes [@first, @last). */
static bool fair_nodes_first_single(const struct fair_nodes_query *q,
				    uint32_t first, uint32_t last, int64_t x,
				    int64_t y, int64_t *start)
{
	const int64_t *time = q->n->index->time;
	struct fair_nodes_kind kind;
	uint32_t low, high;
	int64_t best = y;

	/* Invariant: the nodes that were seen have no start before best. */
	for (; first < last; first++) {
		if (!fair_nodes_set_kind(q, fair_nodes_choice(q, first), &kind))
			continue;
		best = fair_nodes_first_unknown(q, first, x, best);
		high = fair_nodes_last_until(time, FAIR_NODES_CODES, x);
		for (low = 0; !kind.resource[0] && best > x &&
			      low < FAIR_NODES_CODES && time[low] < best;
		     low = high + 1, high += FAIR_NODES_STRIDE) {
			if (high >= FAIR_NODES_CODES)
				high = FAIR_NODES_CODES - 1;
			best = fair_nodes_first_coded(q, &kind, low, high, x,
						      best);
		}
	}
	*start = best;
	return best < y;
}

/* The first start in [@x, @y), slot by slot. */
static bool fair_nodes_first_start(const struct fair_nodes_query *q,
				   uint32_t first, uint32_t last, int64_t x,
				   int64_t y, int64_t *start)
{
	uint32_t slot = fair_nodes_slot(q->n, x);
	int64_t end;

	if (q->request.chunks == 1)
		return fair_nodes_first_single(q, first, last, x, y, start);
	/* Invariant: no start is before x, which is in the slot. */
	for (; x < y; x = end) {
		end = q->n->index->edge[++slot];
		end = end < y ? end : y;
		if (fair_nodes_first_many(q, first, last, x, end, start))
			return true;
	}
	return false;
}

/* The first start from @t on, before @before, of all wide amounts; false: there
 * is none. */
static bool fair_nodes_first_wide(const struct fair_nodes_query *q, int64_t t,
				  int64_t before, int64_t *start)
{
	const struct fair_nodes *n = q->n;
	uint32_t r = 0, agreed = 0;
	int64_t base = n->base, u;
	int error;

	/* Invariant: no start is before t; it is one for the last resources. */
	for (; agreed < n->resources; r = (r + 1) % n->resources) {
		u = t + base;
		if (fair_nodes_is_wide(n, r) && q->request.amount[r]) {
			const struct fair_profile *p = fair_nodes_wide(n, r);

			if (!p)
				return false;
			if (q->own == FAIR_NODES_NONE)
				error = fair_profile_earliest_start(
					p, u, q->walltime,
					q->request.amount[r], &u);
			else
				error = fair_profile_earlier_start(
					p, u, before + base, q->walltime,
					q->request.amount[r],
					q->current + base, &u);
			if (error || u - base >= before)
				return false;
		}
		agreed = u - base > t ? 1 : agreed + 1;
		t = u - base;
	}
	*start = t;
	return true;
}

/* The first start in [@t, @before) in the classes [@first, @last). */
static bool fair_nodes_first_in(const struct fair_nodes_query *q,
				uint32_t first, uint32_t last, int64_t t,
				int64_t before, int64_t *start)
{
	int64_t u;

	/* Invariant (N4): no start is before t. */
	for (;; t = u) {
		if (!fair_nodes_first_start(q, first, last, t, before, &t) ||
		    !fair_nodes_first_wide(q, t, before, &u))
			return false;
		if (u == t)
			break;
	}
	*start = t;
	return true;
}

/* The first start in [@t, @before) in any of the job's classes. */
static bool fair_nodes_search(const struct fair_nodes_query *q, int64_t t,
			      int64_t before, int64_t *start)
{
	uint32_t i, n = q->request.span ? 1 : q->count;
	bool found = false;

	/* Invariant: the classes before i have no start before @before. */
	for (i = 0; i < n && t < before; i++)
		found |= fair_nodes_first_in(
			q, i, q->request.span ? q->count : i + 1, t, before,
			&before);
	*start = before;
	return found;
}

/* Whether nodes that are free host all chunks in the classes [@first, @last) of
 * the job's order. */
static bool fair_nodes_is_enough(const struct fair_nodes_query *q,
				 uint32_t first, uint32_t last)
{
	struct fair_nodes_kind kind;
	int64_t hosts = 0;
	uint32_t k, word;

	for (; first < last; first++) {
		k = fair_nodes_choice(q, first);
		if (!fair_nodes_set_kind(q, k, &kind))
			continue;
		for (word = q->n->first[k] / 64; 64 * word < q->n->first[k + 1];
		     word++)
			hosts += (int64_t)kind.most * kind.chunks *
				 fair_nodes_ones(
					 fair_nodes_usable(q, k, word));
	}
	return hosts >= q->request.chunks;
}

/*
 * >>choice
 *
 * The picks are a heap, the last in order on top, while nodes are seen. One
 * that goes is in no choice: those before it host all chunks.
 */

static bool fair_nodes_is_before(const struct fair_nodes_pick *a,
				 const struct fair_nodes_pick *b)
{
	if (a->least != b->least)
		return a->least < b->least;
	return a->rank != b->rank ? a->rank < b->rank : a->node < b->node;
}

/* Moves the pick @i of @count down to its place. */
static void fair_nodes_sink(struct fair_nodes_pick *pick, uint32_t i,
			    uint32_t count)
{
	struct fair_nodes_pick moved = pick[i];
	uint32_t c;

	while ((c = 2 * i + 1) < count) {
		c += c + 1 < count && fair_nodes_is_before(pick + c,
							   pick + c + 1);
		if (!fair_nodes_is_before(&moved, pick + c))
			break;
		pick[i] = pick[c];
		i = c;
	}
	pick[i] = moved;
}

static void fair_nodes_push(struct fair_nodes_pick *pick, uint32_t count,
			    const struct fair_nodes_pick *x)
{
	uint32_t i = count;

	while (i && fair_nodes_is_before(pick + (i - 1) / 2, x)) {
		pick[i] = pick[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	pick[i] = *x;
}

/* Least free processors of a node in [@t, @t + walltime). */
static int32_t fair_nodes_least(const struct fair_nodes_query *q,
				uint32_t node, int64_t t)
{
	struct fair_nodes_spot at = fair_nodes_find(q->n, node, t);
	int32_t least = INT32_MAX;

	do {
		if (fair_nodes_row(at.block, 0)[at.i] < least)
			least = fair_nodes_row(at.block, 0)[at.i];
	} while (fair_nodes_next(q->n, &at) &&
		 at.block->off[at.i] < t + q->walltime);
	return least;
}

/* Keeps a node, and drops those at the end of the order that are not needed.
 * Returns how many remain. */
static uint32_t fair_nodes_keep(struct fair_nodes_pick *pick, uint32_t count,
				const struct fair_nodes_pick *x, int64_t k,
				int64_t *hosts)
{
	fair_nodes_push(pick, count++, x);
	*hosts += x->chunks;
	while (*hosts - pick->chunks >= k) {
		*hosts -= pick->chunks;
		pick[0] = pick[--count];
		fair_nodes_sink(pick, 0, count);
	}
	return count;
}

/* The picks of k chunks from @t on, in the classes [@first, @last); 0: they do
 * not fit. The one on top of the heap has no more than are left. */
static uint32_t fair_nodes_pick_in(struct fair_nodes_query *q, uint32_t first,
				uint32_t last, int64_t t)
{
	bool in_order = q->n->first_fit || q->request.exclusive;
	int64_t k = q->request.chunks, hosts = 0, until;
	struct fair_nodes_pick *pick = q->n->pick, x;
	struct fair_nodes_spot at;
	struct fair_nodes_scan s;
	uint32_t count = 0, node;
	int32_t own;

	fair_nodes_scan_from(&s, q, t, first, last, false);
	while (!(in_order && hosts >= k) &&
	       fair_nodes_scan_next(&s, &node, &own)) {
		if (hosts >= k &&
		    q->n->amount[s.kind.k * q->n->resources] >= pick->least) {
			s.bits &= ~q->n->idle[s.word]; /* X4 */
			if (fair_nodes_is_idle(q->n, node))
				continue;
		}
		at = fair_nodes_find(q->n, node, t);
		x.chunks = s.kind.chunks *
			   fair_nodes_units(q, &s.kind, &at, 0, t, &until);
		if (!x.chunks)
			continue;
		x.node = (uint16_t)node;
		x.rank = (uint8_t)s.i;
		x.least = in_order ? 0 : fair_nodes_least(q, node, t);
		count = fair_nodes_keep(pick, count, &x, k, &hosts);
	}
	if (hosts < k)
		return 0;
	pick->chunks -= (int32_t)(hosts - k);
	return count;
}

/* By node: a heap is emptied. */
static void fair_nodes_sort_picks(struct fair_nodes_pick *pick, uint32_t count)
{
	struct fair_nodes_pick x;
	uint32_t i;

	for (i = 0; i < count; i++)
		pick[i].least = pick[i].rank = 0;
	for (i = count; i-- > 0;)
		fair_nodes_sink(pick, i, count);
	while (count-- > 1) {
		x = pick[0];
		pick[0] = pick[count];
		pick[count] = x;
		fair_nodes_sink(pick, 0, count);
	}
}

/*
 * >>jobs
 */

FAIR_NODES_API struct fair_nodes_request
fair_nodes_asked(const struct fair_nodes *n, uint32_t slot)
{
	const struct fair_nodes_job *j = &n->job[slot];
	struct fair_nodes_request r;

	r.amount = n->asked + (size_t)slot * n->resources;
	r.chunks = j->chunks;
	r.per_node = j->per_node;
	r.exclusive = j->exclusive;
	r.span = j->span;
	r.named = j->named;
	r.excluded = j->excluded;
	r.classes = n->wanted + (size_t)slot * n->classes;
	r.count = j->count;
	return r;
}

FAIR_NODES_API bool
fair_nodes_can_ask(const struct fair_nodes *n,
		   const struct fair_nodes_request *request)
{
	int32_t some = 0;
	uint64_t seen = 0;
	uint32_t i, k;

	for (i = 0; i < n->resources; i++) {
		if (request->amount[i] < 0)
			return false;
		if (!fair_nodes_is_wide(n, i))
			some |= request->amount[i];
	}
	for (i = 0; i < request->count; i++) {
		k = request->classes[i];
		if (k >= n->classes || seen >> k & 1)
			return false;
		seen |= UINT64_C(1) << k;
	}
	return some && request->chunks > 0 && request->per_node >= 0 &&
	       request->named <= n->sets && request->excluded <= n->sets;
}

FAIR_NODES_API bool
fair_nodes_can_serve(const struct fair_nodes *n,
		     const struct fair_nodes_request *request)
{
	struct fair_nodes_query q = fair_nodes_ask(n, request, 1);
	const struct fair_profile *p;
	uint32_t i;

	q.down = NULL;
	for (i = 0; i < n->resources; i++) {
		if (!fair_nodes_is_wide(n, i) || !request->amount[i])
			continue;
		p = fair_nodes_wide(n, i);
		if (!p || p->limit < request->amount[i])
			return false;
	}
	if (request->span)
		return fair_nodes_is_enough(&q, 0, q.count);
	for (i = 0; i < q.count; i++)
		if (fair_nodes_is_enough(&q, i, i + 1))
			return true;
	return false;
}

FAIR_NODES_API int fair_nodes_forget(struct fair_nodes *n, uint32_t slot)
{
	struct fair_nodes_job *j;
	uint32_t i, next;

	if (slot >= n->jobs)
		return -FAIR_EINVAL;
	j = &n->job[slot];
	for (i = j->first; i != FAIR_NODES_NONE; i = next) {
		next = n->link[i].next;
		n->link[i].next = n->parts_spare;
		n->parts_spare = i;
	}
	n->parts_used -= j->parts;
	j->first = FAIR_NODES_NONE;
	j->parts = 0;
	return 0;
}

/* The job in @slot asks for something else from now on. */
static void fair_nodes_drop_twin(struct fair_nodes *n, uint32_t slot)
{
	struct fair_nodes_twin *t = n->twin + n->job[slot].twin;

	if (t->slot == slot)
		t->slot = FAIR_NODES_NONE;
}

/* Where jobs that ask for the same, and few others, look for a twin. */
static uint8_t fair_nodes_twin_of(const struct fair_nodes *n, uint32_t slot)
{
	const struct fair_nodes_job *j = &n->job[slot];
	uint32_t hash = j->named + 31u * j->excluded, i;

	for (i = 0; i < n->resources; i++)
		hash = 31 * hash +
		       (uint32_t)n->asked[(size_t)slot * n->resources + i];
	for (i = 0; i < j->count; i++)
		hash = 31 * hash + n->wanted[(size_t)slot * n->classes + i];
	return (uint8_t)((hash * UINT32_C(0x9e3779b1) >> 24) %
			 FAIR_NODES_TWINS);
}

FAIR_NODES_API int fair_nodes_set_job(struct fair_nodes *n, uint32_t slot,
				      const struct fair_nodes_request *request)
{
	struct fair_nodes_job *j;

	if (slot >= n->jobs || !fair_nodes_can_ask(n, request))
		return -FAIR_EINVAL;
	fair_must(fair_nodes_forget(n, slot));
	j = &n->job[slot];
	j->is_known = false;
	fair_nodes_drop_twin(n, slot);
	j->chunks = request->chunks;
	j->per_node = request->per_node;
	j->named = (uint16_t)request->named;
	j->excluded = (uint16_t)request->excluded;
	j->count = (uint8_t)request->count;
	j->exclusive = request->exclusive;
	j->span = request->span;
	FAIR_MEMMOVE(n->asked + (size_t)slot * n->resources, request->amount,
		     n->resources * sizeof(*n->asked));
	if (request->count)
		FAIR_MEMMOVE(n->wanted + (size_t)slot * n->classes,
			     request->classes, request->count);
	j->twin = fair_nodes_twin_of(n, slot);
	return 0;
}

/* Puts a part behind the one at *@at, which is the end of a list or a place in
 * it. There is room. */
static void fair_nodes_put(struct fair_nodes *n, struct fair_nodes_job *j,
			   uint32_t *at, uint32_t node, int32_t chunks)
{
	uint32_t i = n->parts_spare;

	if (i == FAIR_NODES_NONE)
		i = n->parts_fresh++;
	else
		n->parts_spare = n->link[i].next;
	n->link[i].next = *at;
	n->link[i].node = (uint16_t)node;
	n->link[i].chunks = chunks;
	*at = i;
	j->parts++;
	n->parts_used++;
}

FAIR_NODES_API int fair_nodes_assign(struct fair_nodes *n, uint32_t slot,
				     uint32_t node, int32_t chunks)
{
	uint32_t *at;

	if (slot >= n->jobs || node >= n->nodes || chunks < 1 ||
	    !n->job[slot].chunks)
		return -FAIR_EINVAL;
	at = &n->job[slot].first;
	while (*at != FAIR_NODES_NONE && n->link[*at].node < node)
		at = &n->link[*at].next;
	if (*at != FAIR_NODES_NONE && n->link[*at].node == node)
		return -FAIR_EINVAL;
	if (n->parts_used == n->parts)
		return -FAIR_ENOSPC;
	fair_nodes_put(n, &n->job[slot], at, node, chunks);
	return 0;
}

FAIR_NODES_API int fair_nodes_copy_job(struct fair_nodes *n, uint32_t slot,
				       const struct fair_nodes *from,
				       uint32_t i)
{
	struct fair_nodes_request request;
	struct fair_nodes_job *j;
	uint32_t part, *at;

	if (slot >= n->jobs || i >= from->jobs || !from->job[i].chunks)
		return -FAIR_EINVAL;
	request = fair_nodes_asked(from, i);
	if (!fair_nodes_can_ask(n, &request))
		return -FAIR_EINVAL;
	if (n->parts_used - n->job[slot].parts + from->job[i].parts > n->parts)
		return -FAIR_ENOSPC;
	fair_must(fair_nodes_set_job(n, slot, &request));
	j = &n->job[slot];
	at = &j->first;
	for (part = from->job[i].first; part != FAIR_NODES_NONE;
	     part = from->link[part].next) {
		fair_nodes_put(n, j, at, from->link[part].node,
			       from->link[part].chunks);
		at = &n->link[*at].next;
	}
	return 0;
}

FAIR_NODES_API uint32_t fair_nodes_parts(const struct fair_nodes *n,
					 uint32_t slot)
{
	return n->job[slot].parts;
}

FAIR_NODES_API bool fair_nodes_next_part(const struct fair_nodes *n,
					 uint32_t slot, uint32_t *at,
					 struct fair_nodes_part *part)
{
	uint32_t i = *at ? n->link[*at - 1].next : n->job[slot].first;

	if (i == FAIR_NODES_NONE)
		return false;
	part->node = n->link[i].node;
	part->chunks = n->link[i].chunks;
	*at = i + 1;
	return true;
}

/* More of a node may be free to a job within [@from, @to), of processors up to
 * @most. */
static void fair_nodes_add_gain(struct fair_nodes *n, uint32_t node,
				int64_t from, int64_t to, int32_t most)
{
	struct fair_nodes_gain *g = n->gain + n->gains++ % FAIR_NODES_GAINS;

	g->from = from;
	g->to = to;
	g->node = node;
	g->most = most;
}

FAIR_NODES_API int fair_nodes_set(struct fair_nodes *n, uint32_t set,
				  uint32_t node, bool in)
{
	uint64_t *word, bit = UINT64_C(1) << node % 64;

	if (set < 1 || set > n->sets || node >= n->nodes)
		return -FAIR_EINVAL;
	word = n->set + (size_t)(set - 1) * fair_nodes_words(n) + node / 64;
	*word = in ? *word | bit : *word & ~bit;
	fair_nodes_add_gain(n, node, n->origin, FAIR_FOREVER, INT32_MAX);
	return 0;
}

FAIR_NODES_API bool fair_nodes_has(const struct fair_nodes *n, uint32_t set,
				   uint32_t node)
{
	return n->set[(size_t)(set - 1) * fair_nodes_words(n) + node / 64] >>
		       node % 64 &
	       1;
}

FAIR_NODES_API int fair_nodes_down(struct fair_nodes *n, uint32_t node)
{
	if (node >= n->nodes)
		return -FAIR_EINVAL;
	n->down[node / 64] |= UINT64_C(1) << node % 64;
	return 0;
}

FAIR_NODES_API int fair_nodes_up(struct fair_nodes *n, uint32_t node)
{
	if (node >= n->nodes)
		return -FAIR_EINVAL;
	n->down[node / 64] &= ~(UINT64_C(1) << node % 64);
	fair_nodes_add_gain(n, node, n->origin, FAIR_FOREVER, INT32_MAX);
	return 0;
}

FAIR_NODES_API bool fair_nodes_is_down(const struct fair_nodes *n,
				       uint32_t node)
{
	return n->down[node / 64] >> node % 64 & 1;
}

/*
 * The public searches.
 */

/* What the job in @slot, which asks for something, looks for. */
static struct fair_nodes_query fair_nodes_ask_for(const struct fair_nodes *n,
						  uint32_t slot,
						  int64_t walltime)
{
	struct fair_nodes_request request = fair_nodes_asked(n, slot);

	return fair_nodes_ask(n, &request, walltime);
}

/* Is there a job in @slot, and [start, start + walltime) an interval? */
static int fair_nodes_interval(const struct fair_nodes *n, uint32_t slot,
			       int64_t start, int64_t walltime)
{
	if (slot >= n->jobs || !n->job[slot].chunks || walltime < 1 ||
	    start < n->origin)
		return -FAIR_EINVAL;
	if (start > n->horizon || walltime > n->horizon - start)
		return -FAIR_EOVERFLOW;
	return 0;
}

/* Will the nodes that are up ever have what the job asks for? */
static bool fair_nodes_is_ever_free(const struct fair_nodes_query *q)
{
	struct fair_nodes_query all = *q;
	int64_t end = q->n->horizon - q->n->base, start;

	all.walltime = 1;
	return fair_nodes_search(&all, end, end + 1, &start);
}

FAIR_NODES_API int fair_nodes_earliest_start(const struct fair_nodes *n,
					     uint32_t slot, int64_t not_before,
					     int64_t walltime, int64_t *start)
{
	int error = fair_nodes_interval(n, slot, not_before, walltime);
	struct fair_nodes_query q;
	int64_t t;

	if (error)
		return error;
	q = fair_nodes_ask_for(n, slot, walltime);
	if (!fair_nodes_search(&q, not_before - n->base,
			       n->horizon - walltime + 1 - n->base, &t))
		return fair_nodes_is_ever_free(&q) ? -FAIR_EOVERFLOW
						   : -FAIR_ERANGE;
	*start = t + n->base;
	return 0;
}

FAIR_NODES_API int fair_nodes_earlier_start(const struct fair_nodes *n,
					    uint32_t slot, int64_t not_before,
					    int64_t before, int64_t walltime,
					    int64_t current, int64_t *start)
{
	struct fair_nodes_query q;
	int64_t t;

	if (slot >= n->jobs || !n->job[slot].parts || walltime < 1 ||
	    not_before < n->origin)
		return -FAIR_EINVAL;
	if (current > n->horizon)
		return -FAIR_EOVERFLOW;
	before = before < current ? before : current;
	if (not_before >= before) {
		*start = current;
		return 0;
	}
	q = fair_nodes_ask_for(n, slot, walltime);
	q.own = n->job[slot].first;
	q.current = current - n->base;
	*start = fair_nodes_search(&q, not_before - n->base, before - n->base,
				   &t)
			 ? t + n->base
			 : current;
	return 0;
}

/*
 * WHAT BECAME FREE SINCE
 *
 * G1  Let a job have no start in [since, until) once, with all that it holds
 *     counted as free. A start u in it now has a node that hosts more chunks
 *     than then, for some of [u, u + walltime) of it became free: it is among
 *     the gains since, and u is in (from - walltime, to). For one chunk that
 *     node is enough, and any node that is enough is one of these.
 * G2  What the job itself gives back and takes elsewhere changes nothing: it
 *     counts as free.
 * G3  At some second that node has room for one more chunk only since such a
 *     gain. Chunks that the job had there then were free to it before, so that
 *     one chunk was free beside them: the gain has at least its processors.
 * G4  Let a job of one chunk have no start in [since, until) once. Another that
 *     asks for the same, for as long or longer, has none on any node but those
 *     that gained since (G1), and its own, which was not free to the first.
 */

FAIR_NODES_API void fair_nodes_note_first(struct fair_nodes *n, uint32_t slot,
					  int64_t walltime, int64_t since,
					  int64_t until)
{
	struct fair_nodes_job *j = &n->job[slot];

	j->is_known = true;
	j->walltime = walltime;
	j->since = since;
	j->until = until;
	j->seen = n->gains;
}

/* What a search of the gains looks for, and what it has found. */
struct fair_nodes_recent {
	struct fair_nodes_query q;
	struct fair_nodes_kind kind; /* of class kind.k, if @has_units */
	bool has_units;
	int64_t soonest, current;
	int64_t from, best; /* no start is known in [from, best) */
	bool covered;	    /* all that is new is within the range asked for */
};

/* Whether a gain since may make a start in [@soonest, @current) new, whatever
 * its node: by its time, and by its processors (G3). */
static bool fair_nodes_has_gained(const struct fair_nodes *n, uint32_t slot,
				  int64_t soonest, int64_t current)
{
	const struct fair_nodes_job *j = &n->job[slot];
	int32_t procs = n->asked[(size_t)slot * n->resources];
	const struct fair_nodes_gain *g;
	uint64_t i;

	for (i = j->seen; i < n->gains; i++) {
		g = n->gain + i % FAIR_NODES_GAINS;
		if (g->to > soonest && g->from - j->walltime < current &&
		    g->most >= procs)
			return true;
	}
	return false;
}

/* Units of the job on a node. */
static int32_t fair_nodes_own_on(const struct fair_nodes_query *q,
				 uint32_t node)
{
	const struct fair_nodes_link *link = q->n->link;
	uint32_t i = q->own;

	while (i != FAIR_NODES_NONE && link[i].node < node)
		i = link[i].next;
	if (i == FAIR_NODES_NONE || link[i].node != node)
		return 0;
	return q->request.exclusive ? 1 : link[i].chunks;
}

/* Whether the job may use a node; sets the kind of its class. */
static bool fair_nodes_may_use(struct fair_nodes_recent *x, uint32_t node)
{
	uint32_t k = fair_nodes_class(x->q.n, node), i = 0;

	while (i < x->q.count && fair_nodes_choice(&x->q, i) != k)
		i++;
	if (i == x->q.count ||
	    !(fair_nodes_usable(&x->q, k, node / 64) >> node % 64 & 1))
		return false;
	if (!x->kind.used || x->kind.k != k)
		x->has_units = fair_nodes_set_kind(&x->q, k, &x->kind);
	return x->has_units;
}

/* Lowers @x->best to a start on a node that gained; of several chunks, to one
 * at which the node hosts one. */
static void fair_nodes_look_at(struct fair_nodes_recent *x,
			       const struct fair_nodes_gain *g, int64_t asked)
{
	int64_t from = g->from - x->q.walltime + 1, to = g->to, base;

	from = from > x->soonest ? from : x->soonest;
	to = to < x->current ? to : x->current;
	if (from >= to || g->most < x->q.request.amount[0] ||
	    (g->node != FAIR_NODES_NONE && !fair_nodes_may_use(x, g->node)))
		return;
	x->covered &= from >= x->from && to <= asked;
	from = from > x->from ? from : x->from;
	to = to < x->best ? to : x->best;
	if (from >= to)
		return;
	base = x->q.n->base;
	if (g->node != FAIR_NODES_NONE)
		from = base +
		       fair_nodes_first_own(&x->q, &x->kind, g->node,
					    fair_nodes_own_on(&x->q, g->node),
					    from - base, to - base);
	if (from < to)
		x->best = from;
}

static bool fair_nodes_asks_wide(const struct fair_nodes_query *q)
{
	uint32_t r = 0;

	while (r < q->n->resources &&
	       !(fair_nodes_is_wide(q->n, r) && q->request.amount[r]))
		r++;
	return r < q->n->resources;
}

/* By G1: the first start in [@from, @before), or @current. */
static int fair_nodes_earlier_gained(struct fair_nodes *n, uint32_t slot,
				     struct fair_nodes_recent *x,
				     int64_t before, int64_t *start)
{
	struct fair_nodes_job *j = &n->job[slot];
	bool wide = fair_nodes_asks_wide(&x->q);
	const struct fair_nodes_gain *g;
	int64_t first = x->current;
	uint64_t i;
	int error;

	for (i = j->seen; i < n->gains; i++) {
		g = n->gain + i % FAIR_NODES_GAINS;
		if (wide || g->node != FAIR_NODES_NONE)
			fair_nodes_look_at(x, g, before);
	}
	if (x->best < before)
		first = x->best;
	if (first < x->current && (wide || x->q.request.chunks > 1)) {
		error = fair_nodes_earlier_start(n, slot, x->from, before,
						 x->q.walltime, x->current,
						 &first);
		if (error)
			return error;
	}
	if (x->covered)
		fair_nodes_note_first(n, slot, x->q.walltime, j->since, first);
	else if (first < x->current)
		j->is_known = false;
	*start = first;
	return 0;
}

/* Whether two jobs, of one chunk each, ask for the same. */
static bool fair_nodes_are_twins(const struct fair_nodes *n, uint32_t slot,
				 uint32_t other)
{
	const struct fair_nodes_job *a = &n->job[slot], *b = &n->job[other];
	uint32_t i;

	if (a->named != b->named || a->excluded != b->excluded ||
	    a->count != b->count || a->exclusive != b->exclusive)
		return false;
	for (i = 0; i < n->resources; i++)
		if (n->asked[(size_t)slot * n->resources + i] !=
		    n->asked[(size_t)other * n->resources + i])
			return false;
	for (i = 0; i < a->count; i++)
		if (n->wanted[(size_t)slot * n->classes + i] !=
		    n->wanted[(size_t)other * n->classes + i])
			return false;
	return true;
}

/* By G4: lowers x->best to a start of the job; false: no twin tells. */
static bool fair_nodes_ask_twin(const struct fair_nodes *n, uint32_t slot,
				struct fair_nodes_recent *x)
{
	const struct fair_nodes_job *j = &n->job[slot];
	const struct fair_nodes_twin *t = n->twin + j->twin;
	const struct fair_nodes_gain *g;
	uint64_t i;

	if (j->chunks > 1 || fair_nodes_asks_wide(&x->q) ||
	    t->slot == FAIR_NODES_NONE || t->since > x->from ||
	    t->until < x->best || t->walltime > x->q.walltime ||
	    n->gains - t->seen > FAIR_NODES_GLANCE ||
	    !fair_nodes_are_twins(n, slot, t->slot))
		return false;
	for (i = t->seen; i < n->gains; i++) {
		g = n->gain + i % FAIR_NODES_GAINS;
		if (g->node != FAIR_NODES_NONE)
			fair_nodes_look_at(x, g, x->best);
	}
	if (x->q.own != FAIR_NODES_NONE &&
	    fair_nodes_may_use(x, n->link[x->q.own].node))
		x->best = n->base +
			  fair_nodes_first_own(&x->q, &x->kind,
					       n->link[x->q.own].node, 1,
					       x->from - n->base,
					       x->best - n->base);
	return true;
}

/* The job has no start in [@since, @until) now. */
static void fair_nodes_note_twin(struct fair_nodes *n, uint32_t slot,
				 int64_t walltime, int64_t since, int64_t until)
{
	struct fair_nodes_twin *t = n->twin + n->job[slot].twin;

	if (since >= until || walltime > FAIR_NODES_REACH ||
	    n->job[slot].chunks > 1)
		return;
	t->slot = slot;
	t->walltime = (uint32_t)walltime;
	t->since = since;
	t->until = until;
	t->seen = n->gains;
}

static struct fair_nodes_recent
fair_nodes_begin_recent(const struct fair_nodes *n, uint32_t slot,
			int64_t soonest, int64_t from, int64_t before,
			int64_t walltime, int64_t current)
{
	struct fair_nodes_recent x;

	x.q = fair_nodes_ask_for(n, slot, walltime);
	x.q.own = n->job[slot].first;
	x.q.current = current - n->base;
	x.kind.used = 0;
	x.soonest = soonest;
	x.current = current;
	x.from = from;
	x.best = before;
	x.covered = true;
	return x;
}

FAIR_NODES_API int fair_nodes_earlier_again(struct fair_nodes *n, uint32_t slot,
					    int64_t soonest, int64_t not_before,
					    int64_t before, int64_t walltime,
					    int64_t current, int64_t *start)
{
	struct fair_nodes_recent x;
	struct fair_nodes_job *j;
	int64_t first;
	int error;

	if (slot >= n->jobs || !n->job[slot].parts || soonest > not_before)
		return -FAIR_EINVAL;
	j = &n->job[slot];
	before = before < current ? before : current;
	if (j->is_known && j->until == current && j->since <= soonest &&
	    j->walltime == walltime && not_before < before &&
	    n->gains - j->seen <= (before - not_before > 1
					   ? FAIR_NODES_GAINS
					   : FAIR_NODES_GLANCE)) {
		if (!fair_nodes_has_gained(n, slot, soonest, current)) {
			j->seen = n->gains;
			*start = current;
			return 0;
		}
		x = fair_nodes_begin_recent(n, slot, soonest, not_before,
					    before, walltime, current);
		return fair_nodes_earlier_gained(n, slot, &x, before, start);
	}
	if (not_before < before) {
		x = fair_nodes_begin_recent(n, slot, soonest, not_before,
					    before, walltime, current);
		if (fair_nodes_ask_twin(n, slot, &x)) {
			*start = x.best < before ? x.best : current;
			return 0;
		}
	}
	if (before - not_before > 1) { /* all of it, to know more */
		error = fair_nodes_earlier_start(n, slot, soonest, current,
						 walltime, current, &first);
		if (error)
			return error;
		fair_nodes_note_first(n, slot, walltime, soonest, first);
		fair_nodes_note_twin(n, slot, walltime, soonest, first);
		if (first >= not_before &&
		    (first < before || first == current)) {
			*start = first;
			return 0;
		}
	}
	error = fair_nodes_earlier_start(n, slot, not_before, before, walltime,
					 current, start);
	if (!error)
		fair_nodes_note_twin(n, slot, walltime, not_before,
				     *start < before ? *start : before);
	return error;
}

FAIR_NODES_API bool fair_nodes_fits(const struct fair_nodes *n, uint32_t slot,
				    int64_t start, int64_t end)
{
	struct fair_nodes_query q = fair_nodes_ask_for(n, slot, end - start);

	start -= n->base;
	return fair_nodes_search(&q, start, start + 1, &end);
}

FAIR_NODES_API bool fair_nodes_fits_again(struct fair_nodes *n, uint32_t slot,
					  int64_t start, int64_t end)
{
	struct fair_nodes_recent x;
	bool fits;

	if (fair_nodes_interval(n, slot, start, end - start))
		return fair_nodes_fits(n, slot, start, end);
	x = fair_nodes_begin_recent(n, slot, start, start, start + 1,
				    end - start, n->horizon);
	x.q.own = FAIR_NODES_NONE;
	if (fair_nodes_ask_twin(n, slot, &x))
		return x.best == start;
	fits = fair_nodes_fits(n, slot, start, end);
	if (!fits)
		fair_nodes_note_twin(n, slot, end - start, start, start + 1);
	return fits;
}

/* Whether [@x, @end) of a node has room for @add, which is negative; or, if
 * not, is taken at least so far that it can be given back. */
static bool fair_nodes_can_add(const struct fair_nodes *n, uint32_t node,
			       int64_t x, int64_t end, const int32_t *add)
{
	struct fair_nodes_spot at = fair_nodes_find(n, node, x);
	const int32_t *has = n->amount + fair_nodes_class(n, node) *
						 n->resources;
	int64_t free;
	uint32_t r;

	do {
		for (r = 0; r < n->resources; r++) {
			free = fair_nodes_row(at.block, r)[at.i];
			free += add[r];
			if (free < 0 || free > has[r])
				return false;
		}
	} while (fair_nodes_next(n, &at) && at.block->off[at.i] < end);
	return true;
}

/* What giving back a part adds to a node; @sign < 0: what taking it adds.
 * False: it is more than a node can have. */
static bool fair_nodes_add_of(const struct fair_nodes *n, uint32_t slot,
			      const struct fair_nodes_link *part, int sign,
			      int32_t *add)
{
	const int32_t *has = n->amount + fair_nodes_class(n, part->node) *
						 n->resources;
	const int32_t *asked = n->asked + (size_t)slot * n->resources;
	int64_t one;
	uint32_t r;

	for (r = 0; r < n->resources; r++) {
		one = fair_nodes_is_wide(n, r) ? 0
		      : n->job[slot].exclusive
			      ? has[r]
			      : (int64_t)asked[r] * part->chunks;
		if (one > INT32_MAX)
			return false;
		add[r] = (int32_t)(sign * one);
	}
	return true;
}

FAIR_NODES_API bool fair_nodes_fits_parts(const struct fair_nodes *n,
					  uint32_t slot, int64_t start,
					  int64_t end)
{
	struct fair_nodes_query q = fair_nodes_ask_for(n, slot, end - start);
	int32_t add[FAIR_NODES_RESOURCES];
	int64_t x = start - n->base, t;
	uint32_t i = n->job[slot].first;

	for (; i != FAIR_NODES_NONE; i = n->link[i].next)
		if (!fair_nodes_add_of(n, slot, n->link + i, -1, add) ||
		    !fair_nodes_can_add(n, n->link[i].node, x, end - n->base,
					add))
			return false;
	return fair_nodes_first_wide(&q, x, x + 1, &t);
}

/* The picks of the job from @t on; 0: it does not fit. */
static uint32_t fair_nodes_pick_all(struct fair_nodes_query *q, int64_t t)
{
	uint32_t i, n = q->request.span ? 1 : q->count, count = 0;
	int64_t at;

	if (!fair_nodes_first_wide(q, t, t + 1, &at))
		return 0;
	for (i = 0; i < n && !count; i++)
		count = fair_nodes_pick_in(q, i,
					q->request.span ? q->count : i + 1, t);
	fair_nodes_sort_picks(q->n->pick, count);
	return count;
}

/* The picks that fit a job in [@start, start + walltime), for which there are
 * parts. */
static int fair_nodes_find_picks(const struct fair_nodes *n, uint32_t slot,
				 int64_t start, int64_t walltime,
				 uint32_t *count)
{
	struct fair_nodes_query q = fair_nodes_ask_for(n, slot, walltime);

	*count = fair_nodes_pick_all(&q, start - n->base);
	if (!*count)
		return -FAIR_ERANGE;
	if (n->parts_used - n->job[slot].parts + *count > n->parts)
		return -FAIR_ENOSPC;
	return 0;
}

/* The job's parts are these picks. */
static void fair_nodes_use_picks(struct fair_nodes *n, uint32_t slot,
				 uint32_t count)
{
	struct fair_nodes_job *j = &n->job[slot];
	uint32_t i, *at = &j->first;

	fair_must(fair_nodes_forget(n, slot));
	for (i = 0; i < count; i++) {
		fair_nodes_put(n, j, at, n->pick[i].node, n->pick[i].chunks);
		at = &n->link[*at].next;
	}
}

FAIR_NODES_API int fair_nodes_choose(struct fair_nodes *n, uint32_t slot,
				     int64_t start, int64_t walltime)
{
	int error = fair_nodes_interval(n, slot, start, walltime);
	uint32_t count;

	if (!error)
		error = fair_nodes_find_picks(n, slot, start, walltime, &count);
	if (!error)
		fair_nodes_use_picks(n, slot, count);
	return error;
}

/*
 * >>changes
 */

/* Takes the wide amounts of a job, or gives them back; all or none. */
static int fair_nodes_change_wide(struct fair_nodes *n, uint32_t slot,
				  int64_t start, int64_t walltime, bool take)
{
	const int32_t *asked = n->asked + (size_t)slot * n->resources;
	int error = 0;
	uint32_t r;

	/* Invariant: the amounts before r are done. */
	for (r = 0; r < n->resources && !error; r++) {
		if (!fair_nodes_is_wide(n, r) || !asked[r])
			continue;
		if (n->profile_of[r] == UINT8_MAX)
			error = -FAIR_ERANGE;
		else
			error = (take ? fair_profile_reserve
				      : fair_profile_release)(
				n->profile + n->profile_of[r], start, walltime,
				asked[r]);
	}
	/* To go back to steps that were there cannot fail. */
	for (r -= error != 0; error && r-- > 0;)
		if (fair_nodes_is_wide(n, r) && asked[r])
			fair_must((take ? fair_profile_release
					: fair_profile_reserve)(
				n->profile + n->profile_of[r], start, walltime,
				asked[r]));
	return error;
}

/* How many steps more a node has when @add is added in [@x, @end). */
static int fair_nodes_grows(const struct fair_nodes *n, uint32_t node,
			    int64_t x, int64_t end, const int32_t *add)
{
	return fair_nodes_extra(n, node, x, fair_nodes_zero, add) +
	       fair_nodes_extra(n, node, end, add, fair_nodes_zero);
}

/* 0, or why a job's parts cannot be taken or given back. *@steps: out: how many
 * more there will be. */
static int fair_nodes_try(const struct fair_nodes *n, uint32_t slot, int64_t x,
			  int64_t end, int sign, int64_t *steps)
{
	int32_t add[FAIR_NODES_RESOURCES];
	uint32_t i, node;

	*steps = 0;
	for (i = n->job[slot].first; i != FAIR_NODES_NONE;
	     i = n->link[i].next) {
		node = n->link[i].node;
		if (!fair_nodes_add_of(n, slot, n->link + i, sign, add) ||
		    !fair_nodes_can_add(n, node, x, end, add))
			return -FAIR_ERANGE;
		*steps += fair_nodes_grows(n, node, x, end, add);
	}
	return 0;
}

/* Most free processors of a node at any second of [@x, @end). */
static int32_t fair_nodes_most(const struct fair_nodes *n, uint32_t node,
			       int64_t x, int64_t end)
{
	struct fair_nodes_spot at = fair_nodes_find(n, node, x);
	int32_t most = 0;

	do {
		if (fair_nodes_row(at.block, 0)[at.i] > most)
			most = fair_nodes_row(at.block, 0)[at.i];
	} while (fair_nodes_next(n, &at) && at.block->off[at.i] < end);
	return most;
}

/* A node has changed, and forgotten its past: X2. */
static void fair_nodes_note(struct fair_nodes *n, uint32_t node, bool take)
{
	uint64_t bit = UINT64_C(1) << node % 64;

	if (take)
		n->loose[node / 64] |= bit;
	else
		n->stale[node / 64] |= bit;
	fair_nodes_note_idle(n, node);
}

/* Takes a job's parts, or gives them back; all or nothing. */
static int fair_nodes_change(struct fair_nodes *n, uint32_t slot,
			     int64_t start, int64_t walltime, bool take)
{
	int error = fair_nodes_interval(n, slot, start, walltime);
	int32_t add[FAIR_NODES_RESOURCES];
	int64_t x, end, steps;
	uint32_t i;

	if (error || !n->job[slot].parts)
		return error ? error : -FAIR_EINVAL;
	x = start - n->base;
	end = x + walltime;
	error = fair_nodes_try(n, slot, x, end, take ? -1 : 1, &steps);
	if (error)
		return error;
	if ((int64_t)n->steps + steps > (int64_t)n->cap) {
		for (i = 0; i < n->nodes; i++)
			fair_nodes_trim(n, i);
		fair_must(fair_nodes_try(n, slot, x, end, take ? -1 : 1,
					 &steps));
		if ((int64_t)n->steps + steps > (int64_t)n->cap)
			return -FAIR_ENOSPC;
	}
	error = fair_nodes_change_wide(n, slot, start, walltime, take);
	if (error)
		return error;
	if (take)
		fair_nodes_see(n, slot, walltime);
	else if (n->wide)
		fair_nodes_add_gain(n, FAIR_NODES_NONE, start,
				    start + walltime, INT32_MAX);
	for (i = n->job[slot].first; i != FAIR_NODES_NONE;
	     i = n->link[i].next) {
		/* tried above */
		(void)fair_nodes_add_of(n, slot, n->link + i, take ? -1 : 1,
					add);
		fair_nodes_add(n, n->link[i].node, x, end, add);
		fair_nodes_trim(n, n->link[i].node);
		fair_nodes_note(n, n->link[i].node, take);
		if (!take)
			fair_nodes_add_gain(n, n->link[i].node, start,
					    start + walltime,
					    fair_nodes_most(n, n->link[i].node,
							    x, end));
	}
	return 0;
}

FAIR_NODES_API int fair_nodes_reserve(struct fair_nodes *n, uint32_t slot,
				      int64_t start, int64_t walltime)
{
	return fair_nodes_change(n, slot, start, walltime, true);
}

FAIR_NODES_API int fair_nodes_release(struct fair_nodes *n, uint32_t slot,
				      int64_t start, int64_t walltime)
{
	return fair_nodes_change(n, slot, start, walltime, false);
}

/* Is there room for the steps of these picks, once taken? */
static bool fair_nodes_has_steps(const struct fair_nodes *n, uint32_t slot,
				 uint32_t count, int64_t x, int64_t end)
{
	int64_t steps = (int64_t)n->steps;
	int32_t add[FAIR_NODES_RESOURCES];
	struct fair_nodes_link part;
	uint32_t i;

	for (i = 0; i < count; i++) {
		part.node = n->pick[i].node;
		part.chunks = n->pick[i].chunks;
		(void)fair_nodes_add_of(n, slot, &part, -1, add);
		steps += fair_nodes_grows(n, part.node, x, end, add);
	}
	return steps <= (int64_t)n->cap;
}

FAIR_NODES_API int fair_nodes_move(struct fair_nodes *n, uint32_t slot,
				   int64_t current, int64_t start,
				   int64_t walltime)
{
	int error = fair_nodes_interval(n, slot, start, walltime);
	uint32_t count;

	if (!error && start >= current)
		error = -FAIR_EINVAL;
	if (!error)
		error = fair_nodes_release(n, slot, current, walltime);
	if (error)
		return error;
	error = fair_nodes_find_picks(n, slot, start, walltime, &count);
	if (!error &&
	    !fair_nodes_has_steps(n, slot, count, start - n->base,
				  start - n->base + walltime))
		error = -FAIR_ENOSPC;
	if (!error)
		fair_nodes_use_picks(n, slot, count);
	/* To go back to steps that were there cannot fail, nor to take what is
	 * free and has room. */
	fair_must(fair_nodes_reserve(n, slot, error ? current : start,
				     walltime));
	return error;
}

/*
 * >>resize
 *
 * The chunks that the job keeps, and those that its own nodes get, stand at the
 * end of the picks, while others are picked; meanwhile its own nodes count as
 * down.
 */

/* Most chunks of another size that the job can have on a node of its own. */
static int32_t fair_nodes_hosts_own(const struct fair_nodes *n, uint32_t slot,
				    const struct fair_nodes_request *size,
				    const struct fair_nodes_link *part,
				    int64_t start, int64_t end)
{
	int32_t free[FAIR_NODES_RESOURCES], own[FAIR_NODES_RESOURCES];
	int32_t most = size->chunks;
	int64_t has;
	uint32_t r;

	if (size->per_node && size->per_node < most)
		most = size->per_node;
	fair_must(fair_nodes_min_free(n, part->node, start, end, free));
	(void)fair_nodes_add_of(n, slot, part, 1, own); /* it is taken */
	for (r = 0; r < n->resources; r++) {
		has = (int64_t)free[r] + own[r];
		if (!fair_nodes_is_wide(n, r) && size->amount[r] &&
		    has / size->amount[r] < most)
			most = (int32_t)(has / size->amount[r]);
	}
	return most;
}

/* Whether so many chunks of another size hold less of a node than a part. */
static bool fair_nodes_holds_less(const struct fair_nodes *n, uint32_t slot,
				  const struct fair_nodes_request *size,
				  const struct fair_nodes_link *part,
				  int32_t chunks)
{
	const int32_t *asked = n->asked + (size_t)slot * n->resources;
	uint32_t r = 0;

	if (size->exclusive)
		return !chunks;
	while (r < n->resources &&
	       (fair_nodes_is_wide(n, r) ||
		(int64_t)chunks * size->amount[r] >=
			(int64_t)part->chunks * asked[r]))
		r++;
	return r < n->resources;
}

/*
 * The chunks that stay on the job's own nodes, and those that these get beside,
 * in @own, by number; false: there is no room. *@left: the others.
 */
static bool fair_nodes_pick_own(const struct fair_nodes *n, uint32_t slot,
				const struct fair_nodes_request *size,
				int64_t start, int64_t end,
				struct fair_nodes_pick *own, int32_t *left)
{
	const struct fair_nodes_link *part;
	struct fair_nodes_pick *x = own;
	uint32_t i = n->job[slot].first;

	*left = size->chunks;
	for (; i != FAIR_NODES_NONE; i = part->next, x++) {
		part = n->link + i;
		x->node = part->node;
		x->chunks = part->chunks < *left ? part->chunks : *left;
		x->least = fair_nodes_hosts_own(n, slot, size, part, start,
						end);
		if (x->chunks > x->least)
			return false;
		*left -= x->chunks;
	}
	for (x = own; *left && x < own + n->job[slot].parts; x++) {
		if (fair_nodes_is_down(n, x->node))
			continue;
		if (x->least > x->chunks + *left)
			x->least = x->chunks + *left;
		*left -= x->least - x->chunks;
		x->chunks = x->least;
	}
	return true;
}

/* The picks of so many chunks more on other nodes; 0: there is no room. */
static uint32_t fair_nodes_pick_others(struct fair_nodes *n, uint32_t slot,
				       const struct fair_nodes_request *size,
				       struct fair_nodes_pick *own,
				       int32_t chunks, int64_t start,
				       int64_t walltime)
{
	uint8_t k = (uint8_t)fair_nodes_class(n, own->node);
	int32_t amount[FAIR_NODES_RESOURCES];
	struct fair_nodes_request r = *size;
	uint32_t i, parts = n->job[slot].parts, count;
	struct fair_nodes_query q;

	r.amount = amount;
	r.chunks = chunks;
	for (i = 0; i < n->resources; i++)
		amount[i] = fair_nodes_is_wide(n, i) ? 0 : size->amount[i];
	if (!r.span) {
		r.classes = &k;
		r.count = 1;
	}
	for (i = 0; i < parts; i++) {
		own[i].rank = fair_nodes_is_down(n, own[i].node);
		n->down[own[i].node / 64] |= UINT64_C(1) << own[i].node % 64;
	}
	q = fair_nodes_ask(n, &r, walltime);
	count = fair_nodes_pick_all(&q, start - n->base);
	for (i = 0; i < parts; i++)
		if (!own[i].rank)
			n->down[own[i].node / 64] ^= UINT64_C(1)
						     << own[i].node % 64;
	return count;
}

/* Whether there is enough of each wide resource; *@less: set if it gives some
 * back. */
static bool fair_nodes_fits_wide(const struct fair_nodes *n, uint32_t slot,
				 const struct fair_nodes_request *size,
				 int64_t start, int64_t end, bool *less)
{
	const int32_t *asked = n->asked + (size_t)slot * n->resources;
	int32_t free;
	uint32_t r;

	for (r = 0; r < n->resources; r++) {
		if (!fair_nodes_is_wide(n, r))
			continue;
		free = 0;
		if (fair_nodes_wide(n, r))
			fair_must(fair_profile_min_free(fair_nodes_wide(n, r),
							start, end, &free));
		if (size->amount[r] > (int64_t)free + asked[r])
			return false;
		*less |= size->amount[r] < asked[r];
	}
	return true;
}

/* The picks of the job at another size; 0: there is no room. */
static uint32_t fair_nodes_pick_size(struct fair_nodes *n, uint32_t slot,
				     const struct fair_nodes_request *size,
				     int64_t start, int64_t walltime,
				     bool *less)
{
	uint32_t count = 0, i = n->job[slot].first;
	struct fair_nodes_pick *own = n->pick + n->nodes - n->job[slot].parts;
	int32_t left;

	*less = false;
	if (!fair_nodes_fits_wide(n, slot, size, start, start + walltime,
				  less) ||
	    !fair_nodes_pick_own(n, slot, size, start, start + walltime, own,
				 &left))
		return 0;
	if (left)
		count = fair_nodes_pick_others(n, slot, size, own, left, start,
					       walltime);
	if (left && !count)
		return 0;
	for (; i != FAIR_NODES_NONE; i = n->link[i].next, own++) {
		*less |= fair_nodes_holds_less(n, slot, size, n->link + i,
					       own->chunks);
		if (own->chunks)
			n->pick[count++] = *own;
	}
	fair_nodes_sort_picks(n->pick, count);
	return count;
}

/* 0, or why the job, asking for @size, has no picks. */
static int fair_nodes_find_size(struct fair_nodes *n, uint32_t slot,
				const struct fair_nodes_request *size,
				int64_t start, int64_t walltime,
				uint32_t *count, bool *less)
{
	int error = fair_nodes_interval(n, slot, start, walltime);

	if (error)
		return error;
	if (!n->job[slot].parts || !fair_nodes_can_ask(n, size))
		return -FAIR_EINVAL;
	*count = fair_nodes_pick_size(n, slot, size, start, walltime, less);
	if (!*count)
		return -FAIR_ERANGE;
	return n->parts_used - n->job[slot].parts + *count > n->parts
		       ? -FAIR_ENOSPC
		       : 0;
}

/* What a job asks for, at another size. */
static struct fair_nodes_request
fair_nodes_sized(const struct fair_nodes *n, uint32_t slot,
		 const struct fair_nodes_request *size)
{
	struct fair_nodes_request r = fair_nodes_asked(n, slot);

	r.amount = size->amount;
	r.chunks = size->chunks;
	return r;
}

FAIR_NODES_API int
fair_nodes_can_resize(struct fair_nodes *n, uint32_t slot,
		      const struct fair_nodes_request *size, int64_t start,
		      int64_t walltime, bool *less)
{
	struct fair_nodes_request r;
	uint32_t count;
	bool gives = false;
	int error;

	if (slot >= n->jobs)
		return -FAIR_EINVAL;
	r = fair_nodes_sized(n, slot, size);
	error = fair_nodes_find_size(n, slot, &r, start, walltime, &count,
				     &gives);
	if (!error)
		*less = gives;
	return error;
}

FAIR_NODES_API int fair_nodes_resize(struct fair_nodes *n, uint32_t slot,
				     const struct fair_nodes_request *size,
				     int64_t start, int64_t walltime)
{
	int32_t was[FAIR_NODES_RESOURCES], *asked, chunks;
	struct fair_nodes_request r;
	uint32_t count;
	bool less;
	int error;

	if (slot >= n->jobs)
		return -FAIR_EINVAL;
	r = fair_nodes_sized(n, slot, size);
	error = fair_nodes_find_size(n, slot, &r, start, walltime, &count,
				     &less);
	if (!error)
		error = fair_nodes_release(n, slot, start, walltime);
	if (error)
		return error;
	asked = n->asked + (size_t)slot * n->resources;
	FAIR_MEMCPY(was, asked, n->resources * sizeof(*was));
	chunks = n->job[slot].chunks;
	FAIR_MEMMOVE(asked, size->amount, n->resources * sizeof(*asked));
	n->job[slot].chunks = size->chunks;
	n->job[slot].is_known = false;
	fair_nodes_drop_twin(n, slot);
	if (fair_nodes_has_steps(n, slot, count, start - n->base,
				 start - n->base + walltime)) {
		fair_nodes_use_picks(n, slot, count);
	} else {
		FAIR_MEMCPY(asked, was, n->resources * sizeof(*was));
		n->job[slot].chunks = chunks;
		error = -FAIR_ENOSPC;
	}
	/* As in fair_nodes_move(). */
	fair_must(fair_nodes_reserve(n, slot, start, walltime));
	return error;
}

/*
 * >>fill
 */

/* 0, or why [@start, @end) is no interval. */
static int fair_nodes_times(const struct fair_nodes *n, int64_t start,
			    int64_t end)
{
	if (start < n->origin || end <= start)
		return -FAIR_EINVAL;
	return end > n->horizon ? -FAIR_EOVERFLOW : 0;
}

/* Whether there is room for two steps more of a node. */
static bool fair_nodes_has_two_steps(struct fair_nodes *n)
{
	uint32_t i;

	if (n->steps + 2 > n->cap)
		for (i = 0; i < n->nodes; i++)
			fair_nodes_trim(n, i);
	return n->steps + 2 <= n->cap;
}

/* In [@x, @end) all of a node is free, or with @take none. */
static void fair_nodes_level(struct fair_nodes *n, uint32_t node, int64_t x,
			     int64_t end, bool take)
{
	int32_t add[FAIR_NODES_RESOURCES], differs;
	struct fair_nodes_spot at;
	int64_t next;
	uint32_t r;

	if (!take)
		fair_nodes_add_gain(n, node, n->base + x, n->base + end,
				    INT32_MAX);
	for (; x < end; x = next) {
		at = fair_nodes_find(n, node, x);
		next = fair_nodes_end(n, at);
		next = next < end ? next : end;
		for (r = 0, differs = 0; r < n->resources; r++) {
			add[r] = take ? 0 : fair_nodes_whole(n, node, r);
			add[r] -= fair_nodes_row(at.block, r)[at.i];
			differs |= add[r];
		}
		if (differs)
			fair_nodes_add(n, node, x, next, add);
	}
	fair_nodes_trim(n, node);
	fair_nodes_note(n, node, take);
}

FAIR_NODES_API int fair_nodes_fill(struct fair_nodes *n, uint32_t node,
				   int64_t start, int64_t end)
{
	int error = fair_nodes_times(n, start, end);

	if (!error && node >= n->nodes)
		error = -FAIR_EINVAL;
	if (!error && !fair_nodes_has_two_steps(n))
		error = -FAIR_ENOSPC;
	if (!error)
		fair_nodes_level(n, node, start - n->base, end - n->base, true);
	return error;
}

/* All of a wide resource is free in [@start, @end). */
static int fair_nodes_clear_wide(struct fair_profile *p, int64_t start,
				 int64_t end)
{
	struct fair_step step;
	int64_t next;
	int error = 0;

	for (; start < end && !error; start = next) {
		fair_must(fair_profile_step_at(p, start, &step));
		next = step.end < end ? step.end : end;
		if (step.free < p->limit)
			error = fair_profile_release(p, start, next - start,
						     p->limit - step.free);
	}
	return error;
}

FAIR_NODES_API int fair_nodes_clear(struct fair_nodes *n, int64_t start,
				    int64_t end)
{
	int error = fair_nodes_times(n, start, end);
	uint32_t i;

	for (i = 0; i < fair_nodes_profiles(n) && !error; i++)
		error = fair_nodes_clear_wide(n->profile + i, start, end);
	if (n->wide && !error)
		fair_nodes_add_gain(n, FAIR_NODES_NONE, start, end, INT32_MAX);
	for (i = 0; i < n->nodes && !error; i++) {
		if (!fair_nodes_has_two_steps(n))
			return -FAIR_ENOSPC;
		fair_nodes_level(n, i, start - n->base, end - n->base, false);
	}
	return error;
}

/*
 * >>begin
 */

/* A node without jobs. */
static void fair_nodes_open(struct fair_nodes *n, uint32_t node)
{
	const int32_t *has = n->amount + fair_nodes_class(n, node) *
						 n->resources;
	struct fair_nodes_block *b;
	uint32_t r;

	n->head[node] = fair_nodes_new_block(n);
	b = fair_nodes_block_at(n, n->head[node]);
	b->next = FAIR_NODES_NONE;
	b->count = 1;
	b->off[0] = 0;
	for (r = 0; r < n->resources; r++)
		fair_nodes_row(b, r)[0] = fair_nodes_is_wide(n, r) ? 0 : has[r];
	n->steps++;
}

static void fair_nodes_clear_jobs(struct fair_nodes *n)
{
	uint32_t i;

	if (n->jobs)
		FAIR_MEMSET(n->job, 0, n->jobs * sizeof(*n->job));
	for (i = 0; i < n->jobs; i++)
		n->job[i].first = FAIR_NODES_NONE;
	for (i = 0; i < FAIR_NODES_TWINS; i++)
		n->twin[i].slot = FAIR_NODES_NONE;
}

FAIR_NODES_API int fair_nodes_init(struct fair_nodes *n, size_t struct_size,
				   void *memory, size_t bytes,
				   const struct fair_nodes_config *config,
				   uint32_t jobs, uint32_t parts,
				   int64_t origin)
{
	struct fair_nodes x;
	size_t need, one;
	uint32_t i, k, r;
	char *own;

	if (struct_size != sizeof(*n) || !memory ||
	    !fair_nodes_is_config(config))
		return -FAIR_EINVAL;
	if (origin > INT64_MAX - (INT64_C(1) << 38))
		return -FAIR_EOVERFLOW;
	fair_nodes_count(&x, config, jobs, parts);
	need = fair_nodes_bytes(&x);
	if (!need || bytes < need)
		return need ? -FAIR_ENOMEM : -FAIR_EINVAL;
	fair_nodes_lay_out(&x, memory, &own);
	x.origin = x.base = origin;
	x.horizon = origin + FAIR_NODES_REACH;
	x.spare = x.parts_spare = FAIR_NODES_NONE;
	FAIR_MEMCPY(x.amount, config->amount,
		    x.classes * x.resources * sizeof(*x.amount));
	for (x.first[0] = 0, k = 0; k < x.classes; k++)
		x.first[k + 1] = x.first[k] + (uint32_t)config->count[k];
	for (i = 0; i < x.nodes; i++)
		fair_nodes_open(&x, i);
	FAIR_MEMSET(x.code, 0,
		    64 * (size_t)fair_nodes_words(&x) * FAIR_NODES_PAIRS);
	i = fair_nodes_words(&x);
	FAIR_MEMSET(x.stale, 0, i * sizeof(*x.stale));
	FAIR_MEMSET(x.loose, 0, i * sizeof(*x.loose));
	FAIR_MEMSET(x.idle, 0, i * sizeof(*x.idle));
	fair_nodes_build(&x);
	fair_nodes_clear_jobs(&x);
	FAIR_MEMSET(x.down, 0, i * sizeof(*x.down));
	FAIR_MEMSET(x.set, 0, (size_t)i * x.sets * sizeof(*x.set));
	one = fair_nodes_profile_bytes(&x);
	for (r = 0; r < x.resources; r++)
		if (x.profile_of[r] != UINT8_MAX)
			fair_must(fair_profile_init(
				x.profile + x.profile_of[r],
				sizeof(*x.profile),
				own + x.profile_of[r] * one, one,
				config->amount[r], origin));
	*n = x;
	return 0;
}

/* The steps of a node, in blocks of the copy. */
static void fair_nodes_copy_node(struct fair_nodes *copy,
				 const struct fair_nodes *n, uint32_t node)
{
	uint32_t i = n->head[node], *at = &copy->head[node];
	struct fair_nodes_block *b;

	for (; i != FAIR_NODES_NONE; i = b->next) {
		b = fair_nodes_block_at(n, i);
		*at = fair_nodes_new_block(copy);
		FAIR_MEMCPY(fair_nodes_block_at(copy, *at), b, n->stride);
		at = &fair_nodes_block_at(copy, *at)->next;
	}
	*at = FAIR_NODES_NONE;
	fair_nodes_point(copy, node);
}

/* Copies what all nodes share; the layout is that of the copy. */
static void fair_nodes_copy_tables(struct fair_nodes *x,
				   const struct fair_nodes *n)
{
	uint32_t words = fair_nodes_words(n);

	FAIR_MEMCPY(x->amount, n->amount,
		    n->classes * n->resources * sizeof(*n->amount));
	FAIR_MEMCPY(x->first, n->first, (n->classes + 1) * sizeof(*n->first));
	*x->index = *n->index;
	FAIR_MEMCPY(x->code, n->code, 64 * (size_t)words * FAIR_NODES_PAIRS);
	FAIR_MEMCPY(x->stale, n->stale, words * sizeof(*n->stale));
	FAIR_MEMCPY(x->loose, n->loose, words * sizeof(*n->loose));
	FAIR_MEMCPY(x->idle, n->idle, words * sizeof(*n->idle));
	FAIR_MEMCPY(x->down, n->down, words * sizeof(*n->down));
	FAIR_MEMCPY(x->set, n->set, (size_t)words * n->sets * sizeof(*n->set));
}

FAIR_NODES_API int fair_nodes_clone(struct fair_nodes *copy, void *memory,
				    size_t bytes, uint32_t jobs,
				    uint32_t parts, const struct fair_nodes *n)
{
	struct fair_nodes x = *n;
	size_t need, one;
	uint32_t i;
	char *own;

	if (!memory)
		return -FAIR_EINVAL;
	x.jobs = jobs;
	x.parts = parts;
	need = fair_nodes_bytes(&x);
	if (!need || bytes < need)
		return -FAIR_ENOMEM;
	fair_nodes_lay_out(&x, memory, &own);
	if (x.cap < n->steps)
		return -FAIR_ENOSPC;
	one = fair_nodes_profile_bytes(&x);
	for (i = 0; i < fair_nodes_profiles(n); i++)
		if (fair_profile_clone(x.profile + i, own + i * one, one,
				       n->profile + i))
			return -FAIR_ENOSPC;
	x.gains = 0;
	x.fresh = x.parts_fresh = x.parts_used = 0;
	x.spare = x.parts_spare = FAIR_NODES_NONE;
	fair_nodes_copy_tables(&x, n);
	for (i = 0; i < n->nodes; i++)
		fair_nodes_copy_node(&x, n, i);
	fair_nodes_clear_jobs(&x);
	*copy = x;
	return 0;
}

/* Times are counted from the origin now. */
static void fair_nodes_rebase(struct fair_nodes *n)
{
	int64_t by = fair_nodes_now(n);
	struct fair_nodes_block *b;
	uint32_t node, i, k;

	for (node = 0; node < n->nodes; node++) {
		fair_nodes_trim(n, node);
		for (i = n->head[node]; i != FAIR_NODES_NONE; i = b->next) {
			b = fair_nodes_block_at(n, i);
			for (k = 0; k < b->count; k++)
				b->off[k] = b->off[k] > by
						    ? b->off[k] - (uint32_t)by
						    : 0;
		}
		fair_nodes_point(n, node);
	}
	n->base = n->origin;
	fair_nodes_build(n);
}

FAIR_NODES_API int fair_nodes_advance(struct fair_nodes *n, int64_t origin)
{
	uint32_t i;

	if (origin < n->origin)
		return -FAIR_EINVAL;
	if (origin > INT64_MAX - (INT64_C(1) << 38))
		return -FAIR_EOVERFLOW;
	for (i = 0; i < fair_nodes_profiles(n); i++)
		fair_must(fair_profile_advance(n->profile + i, origin));
	n->origin = origin;
	n->horizon = origin + FAIR_NODES_REACH;
	if (fair_nodes_now(n) > FAIR_NODES_REBASE)
		fair_nodes_rebase(n);
	return 0;
}

FAIR_NODES_API int fair_nodes_settle(struct fair_nodes *n)
{
	uint32_t i;

	if (n->changes >= (n->steps + n->nodes) / FAIR_NODES_PATIENCE ||
	    n->changes >= n->built + FAIR_NODES_SEEN)
		fair_nodes_build(n);
	for (i = 0; i < fair_nodes_words(n); i++)
		while ((n->stale[i] | n->loose[i]) != 0)
			fair_nodes_mark(n, 64 * i + fair_nodes_lowest(
							     n->stale[i] |
							     n->loose[i]));
	for (i = 0; i < fair_nodes_profiles(n); i++)
		fair_must(fair_profile_settle(n->profile + i));
	return 0;
}

/*
 * What a node, or the machine, has over time.
 */

FAIR_NODES_API const struct fair_profile *
fair_nodes_wide(const struct fair_nodes *n, uint32_t resource)
{
	if (resource >= n->resources || n->profile_of[resource] == UINT8_MAX)
		return NULL;
	return n->profile + n->profile_of[resource];
}

FAIR_NODES_API int fair_nodes_min_free(const struct fair_nodes *n,
				       uint32_t node, int64_t start,
				       int64_t end, int32_t *amount)
{
	struct fair_nodes_spot at;
	int32_t free;
	uint32_t r;

	if (node >= n->nodes || start < n->origin || end <= start)
		return -FAIR_EINVAL;
	at = fair_nodes_find(n, node, start - n->base);
	for (r = 0; r < n->resources; r++) {
		amount[r] = fair_nodes_is_wide(n, r) ? 0 : INT32_MAX;
		if (fair_nodes_wide(n, r))
			fair_must(fair_profile_min_free(fair_nodes_wide(n, r),
							start, end,
							amount + r));
	}
	do {
		for (r = 0; r < n->resources; r++) {
			free = fair_nodes_row(at.block, r)[at.i];
			if (!fair_nodes_is_wide(n, r) && free < amount[r])
				amount[r] = free;
		}
	} while (fair_nodes_next(n, &at) &&
		 n->base + at.block->off[at.i] < end);
	return 0;
}

FAIR_NODES_API int fair_nodes_step_at(const struct fair_nodes *n,
				      uint32_t node, int64_t t, int64_t *start,
				      int64_t *end, int32_t *amount)
{
	struct fair_nodes_spot at;
	int64_t x;
	uint32_t r;

	if (node >= n->nodes || t < n->origin)
		return -FAIR_EINVAL;
	at = fair_nodes_find(n, node, t - n->base);
	x = n->base + at.block->off[at.i];
	*start = x > n->origin ? x : n->origin;
	x = fair_nodes_end(n, at);
	*end = x < INT64_MAX ? n->base + x : FAIR_FOREVER;
	for (r = 0; r < n->resources; r++)
		amount[r] = fair_nodes_row(at.block, r)[at.i];
	return 0;
}

/*
 * >>check
 */

/* What is wrong with the steps of a node; 0: nothing. */
static int fair_nodes_check_node(const struct fair_nodes *n, uint32_t node,
				 size_t *steps, size_t *blocks)
{
	const int32_t *has = n->amount + fair_nodes_class(n, node) *
						 n->resources;
	struct fair_nodes_spot at, last;
	uint32_t r, i;

	for (i = n->head[node]; i != FAIR_NODES_NONE;
	     i = fair_nodes_block_at(n, i)->next) {
		if (i >= n->fresh || ++*blocks > n->blocks)
			return 1;
		at.block = fair_nodes_block_at(n, i);
		if (at.block->count < 1 || at.block->count > FAIR_NODES_STEPS)
			return 1;
		*steps += at.block->count;
		if (at.block->next < n->fresh &&
		    at.block->count + fair_nodes_block_at(n, at.block->next)
					      ->count <= FAIR_NODES_STEPS)
			return 4;
	}
	at.block = fair_nodes_block_at(n, n->head[node]);
	at.i = 0;
	if (at.block->off[0] > fair_nodes_now(n))
		return 2;
	do {
		for (r = 0; r < n->resources; r++) {
			int32_t free = fair_nodes_row(at.block, r)[at.i];

			if (free < 0 ||
			    free > (fair_nodes_is_wide(n, r) ? 0 : has[r]))
				return 3;
		}
		last = at;
		if (!fair_nodes_next(n, &at))
			break;
		if (at.block->off[at.i] <= last.block->off[last.i])
			return 2;
		if (fair_nodes_is_same(n, last, at, fair_nodes_zero))
			return 3;
	} while (1);
	for (r = 0; r < n->resources; r++)
		if (!fair_nodes_is_wide(n, r) &&
		    fair_nodes_row(last.block, r)[last.i] != has[r])
			return 5;
	return 0;
}

/* Whether a node's codes are right: X2. */
static bool fair_nodes_is_indexed(const struct fair_nodes *n, uint32_t node)
{
	struct fair_nodes_windows w;
	uint32_t pair, code;

	fair_nodes_find_windows(n, node, &w);
	for (pair = 0; pair < FAIR_NODES_PAIRS; pair++) {
		code = fair_nodes_codes(n, pair, node / 64)[node % 64];
		if (n->index->time[code] > w.first[pair] &&
		    !(n->stale[node / 64] >> node % 64 & 1))
			return false;
	}
	return !fair_nodes_is_idle(n, node) ||
	       fair_nodes_block_at(n, n->head[node])->count == 1;
}

/* What is wrong with the parts of the jobs; 0: nothing. */
static int fair_nodes_check_jobs(const struct fair_nodes *n)
{
	const struct fair_nodes_link *link;
	uint32_t slot, i, parts, used = 0;
	int64_t node;

	for (slot = 0; slot < n->jobs; slot++) {
		parts = 0;
		node = -1;
		for (i = n->job[slot].first; i != FAIR_NODES_NONE;
		     i = link->next) {
			if (i >= n->parts_fresh)
				return 1;
			parts++;
			link = n->link + i;
			if (link->node <= node || link->node >= n->nodes ||
			    link->chunks < 1)
				return 6;
			node = link->node;
		}
		if (parts != n->job[slot].parts)
			return 1;
		used += parts;
	}
	return used == n->parts_used ? 0 : 1;
}

FAIR_NODES_API int fair_nodes_check(const struct fair_nodes *n)
{
	size_t steps = 0, blocks = 0;
	uint32_t i;
	int wrong;

	if (n->fresh > n->blocks || n->parts_fresh > n->parts ||
	    n->steps > n->cap || n->origin < n->base)
		return 1;
	for (i = 0; i < n->nodes; i++) {
		wrong = fair_nodes_check_node(n, i, &steps, &blocks);
		if (wrong)
			return wrong;
	}
	for (i = n->spare; i != FAIR_NODES_NONE && blocks <= n->fresh; blocks++)
		i = fair_nodes_block_at(n, i)->next;
	if (steps != n->steps || blocks != n->fresh)
		return 1;
	wrong = fair_nodes_check_jobs(n);
	for (i = 0; i < fair_nodes_profiles(n) && !wrong; i++)
		if (n->profile[i].origin != n->origin ||
		    n->profile[i].horizon < n->horizon ||
		    fair_profile_check(n->profile + i))
			wrong = 7;
	for (i = 0; i < n->nodes && !wrong; i++)
		if (!fair_nodes_is_indexed(n, i))
			wrong = 8;
	return wrong;
}

#endif /* FAIR_NODES_IMPLEMENTED */

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
