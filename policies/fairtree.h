/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairtree.h - Fair Tree: who is served next in a tree of accounts and users
 *
 * In ONE file:  #define FAIR_FAIRTREE_IMPLEMENTATION
 *               #define FAIR_USAGE_IMPLEMENTATION
 *               #define FAIR_CHECKPOINT_IMPLEMENTATION
 *               #include "fairtree.h"
 *
 * Accounts have shares of what their parent may use, down to users. Siblings
 * are ordered by level fair share, what is owed over what was used:
 *
 *   level fair share = (shares / shares of all siblings) /
 *                      (usage / usage of all siblings)
 *
 *   shares 1 : 3           root            chemistry has used 50 % of all with
 *                         /    \           25 % of the shares: 1/2. Physics:
 *   level fair    physics        chemistry 75 % / 50 % = 3/2, so both of its
 *   share          3/2              1/2    users come before any of chemistry,
 *                 /    \             |     and among them bob, who has used
 *               ann    bob          cid    less. Ranks: bob 3, ann 2, cid 1.
 *               2/3     2            1
 *
 * The tree is walked depth first in that order, and each user gets the next
 * rank, from n, the number of users, down. Usage decays by a half-life. Zero
 * usage comes before all others, zero shares behind all others. Siblings of one
 * level fair share tie:
 *
 *   users       share a rank
 *   accounts    are merged: their children are ordered as siblings, each by its
 *               own level fair share
 *   both        the users share the rank of the best user of the accounts
 *
 * Of users of one rank the lower number goes first. An account with shares
 * FAIR_FAIRTREE_PARENT has no share of its own: its children are siblings of
 * its own siblings. A user with such shares comes first among its siblings, as
 * if it had used nothing. An account without users takes no part.
 *
 * EXAMPLE
 *   static unsigned char memory[8192];
 *   struct fair_fairtree f;
 *
 *   fair_fairtree_init(&f, sizeof(f), memory, sizeof(memory), 10, 7 * 86400);
 *   fair_fairtree_add_account(&f, 0, FAIR_FAIRTREE_ROOT, 3);    // physics
 *   fair_fairtree_add_account(&f, 1, FAIR_FAIRTREE_ROOT, 1);    // chemistry
 *   fair_fairtree_add_user(&f, 2, 0, 1);                        // ann
 *   fair_fairtree_add_user(&f, 3, 0, 1);                        // bob
 *   fair_fairtree_add_user(&f, 4, 1, 1);                        // cid
 *   fair_fairtree_charge(&f, 2, 0, 3600, 24);   // ann: 24 processors, 1 h
 *   fair_fairtree_charge(&f, 3, 0, 3600, 8);
 *   fair_fairtree_charge(&f, 4, 0, 3600, 32);
 *   fair_fairtree_set_waiting(&f, 2, true);     // ann has a queued job
 *   fair_fairtree_set_waiting(&f, 4, true);
 *   fair_fairtree_next(&f);                     // 2: ann, for bob has none
 *   fair_fairtree_sort(&f);
 *   fair_fairtree_rank(&f, 3);                  // 3: bob
 *
 * WITH A SCHEDULER. Charge each running job's user as time passes. To look at
 * users in order: take fair_fairtree_next(); if nothing of it can start, set it
 * to not waiting and take the next; set those to waiting again at the end. Or
 * order a list of users by fair_fairtree_compare_users(). FAIR_ORDER_TREE of
 * fairsched.h does so.
 *
 * PROVISIONAL CHARGES. A job that starts may be charged its walltime at once
 * [MR 3.4]: fair_fairtree_charge_provisional(). This amount does not decay; at
 * the end of the job cancel it, and charge what the job used. Beside usage,
 * which decays, it weighs more as time passes: fair_fairtree_pass_time() says
 * what time it is. Without provisional charges it need not be called.
 *
 * EXACTNESS. Decay multiplies all usages by one factor, so it changes no order,
 * and a charge changes one path. All usages are integers in 2^-bits at the
 * begin of the present period of one half-life h:
 *
 *   usage += rate * (G(t1) - G(t0))     G(t) = floor(2^bits h / ln 2 * 2^(x/h))
 *
 * for t = p h + x (see usage.h; G of an earlier period is shifted right). G
 * depends on the time only: charges for the same interval are exactly
 * proportional to their rates, and those of [a, b) and [b, c) in one period add
 * up to [a, c). When a period begins all usages are halved and rounded down.
 * bits is 34 - floor(log2 h): 15 with h = 1 week; fair_fairtree_coarsen() takes
 * one off, and halves all usages, where there is no room for a charge. Level
 * fair shares are compared by products of up to 256 bits, never by quotients,
 * so that a tie is a tie. An account's usage is what its users have used,
 * removed ones too; the usage of all siblings is that of the account above
 * them. A unit that is provisionally charged counts as floor(2^bits 2^(x/h)) at
 * the time of the last fair_fairtree_pass_time().
 *
 * UNITS       seconds >= 0, [t0, t1); a rate is usage per second, e.g.
 *             processors; shares are integers; the caller numbers the nodes
 * ERRORS      0 or -FAIR_E...; on error nothing changed. -FAIR_EINVAL a bad
 *             argument, -FAIR_ENOMEM, -FAIR_EOVERFLOW a total usage of 2^63:
 *             a total rate below 2^26 may go on for ever
 * MEMORY      the caller's, fair_fairtree_size() bytes: 80 a node
 * THREADS     const calls may run concurrently
 * COMPLEXITY  charge: O(log siblings) at each level above a user with queued
 *             jobs, else O(depth); the first charge of a period O(n (depth +
 *             log n)). next: O(depth) where no two accounts that wait tie;
 *             accounts that tie are all looked at, and where a user and an
 *             account tie all their siblings too. sort: O(n log n)
 * DEFINES     FAIR_FAIRTREE_API, FAIR_ASSERT, FAIRSCHED_STATIC; FAIR_NO_INT128
 * INVARIANTS  I1 each way up leads over accounts to the root
 *             I2 each node is once in the list of its level: that of the
 *                nearest account above it that has shares of its own
 *             I3 users, level_shares, held are the sums below; usage is at
 *                least that, and at least what held counts as
 *             I4 a level's heap of users and its heap of accounts hold those
 *                that wait, and an account waits if one of its heaps has a node
 *             I5 heaps are leftist, with the smallest rank on top
 *
 * HEAPS are leftist: dist is the length of the way down to the right, and no
 * left child has a shorter one. So that way has at most log2(n + 1) nodes, and
 * merging two heaps walks down those only. A node whose usage grew is merged
 * again with its own children: its heap keeps its size.
 *
 * SOURCES     [FT] Slurm, Fair Tree Fairshare Algorithm
 *             [MR] Klusacek & Rudova, JSSPP 2014, 3.4: provisional charges
 *             [LT] Crane, Linear lists and priority queues as balanced binary
 *             trees, 1972: leftist trees
 */
#ifndef FAIR_FAIRTREE_H
#define FAIR_FAIRTREE_H

#ifndef FAIR_CHECKPOINT_H
#include "../checkpoint.h"
#endif
#ifndef FAIR_USAGE_H
#include "../usage.h"
#endif

#ifndef FAIR_FAIRTREE_API
#define FAIR_FAIRTREE_API FAIRSCHED_LINKAGE
#endif

/* As a parent: the root. As a user: none. */
#define FAIR_FAIRTREE_ROOT UINT32_MAX
#define FAIR_FAIRTREE_NONE UINT32_MAX
/* As shares: `parent`. */
#define FAIR_FAIRTREE_PARENT UINT32_MAX
/* Most nodes. */
#define FAIR_FAIRTREE_NODES (UINT32_C(1) << 30)
/* Most parts of a unit of a rate: see fair_fairtree_set_half_life(). */
#define FAIR_FAIRTREE_UNITS (1 << 20)

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_FAIRTREE_API, fair_fairtree);

/* Private: of a node. */
enum fair_fairtree_kind {
	FAIR_FAIRTREE_FREE,
	FAIR_FAIRTREE_ACCOUNT,
	FAIR_FAIRTREE_USER
};

/* Private: what a charge reads of a node, in 32 bytes. */
struct fair_fairtree_node {
	uint64_t usage;
	uint32_t shares, parent;
	uint32_t left, right, up; /* in its level's heap */
	uint8_t kind, dist;
	bool waits;
};

/* Private: the rest of it. The level of a lifted account's children is above
 * it. */
struct fair_fairtree_list {
	uint64_t level_shares; /* of all nodes of its level */
	uint64_t held;	       /* provisional charges, rate * seconds */
	uint32_t top[2];       /* heaps of its level: users, accounts */
	uint32_t first;	       /* list of its level */
	uint32_t next, prev;   /* in the list that holds this node */
	uint32_t users;	       /* below an account */
};

/* Private: the interval of the last charge, G at its end, its growth. */
struct fair_fairtree_span {
	int64_t from, to;
	uint64_t period, end, unit;
};

/** struct fair_fairtree - a tree; all fields are private. */
struct fair_fairtree {
	struct fair_fairtree_node *node; /* [nodes] is the root */
	struct fair_fairtree_list *list; /* of each node */
	uint32_t *rank;
	uint32_t *scratch;
	struct fair_usage clock; /* for its half-life only */
	struct fair_fairtree_span last;
	uint64_t period;
	uint64_t weight; /* of a unit of held in usage */
	int64_t half_life;
	uint32_t nodes, bits, coarse;
};

/**
 * fair_fairtree_size() - bytes of memory.
 * @nodes: most accounts and users together, 1 .. FAIR_FAIRTREE_NODES
 *
 * Return: bytes, for any alignment; 0 for a bad argument or if they exceed a
 * size_t.
 */
FAIR_FAIRTREE_API size_t fair_fairtree_size(uint32_t nodes);

/**
 * fair_fairtree_init() - make a tree of a root alone.
 * @struct_size: sizeof(struct fair_fairtree)
 * @memory:      at least fair_fairtree_size(@nodes) bytes
 * @half_life:   of usage, seconds, 1 .. FAIR_USAGE_HALF_LIFE
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(nodes).
 */
FAIR_FAIRTREE_API int fair_fairtree_init(struct fair_fairtree *f,
					 size_t struct_size, void *memory,
					 size_t bytes, uint32_t nodes,
					 int64_t half_life);

/**
 * fair_fairtree_add_account() - add an account.
 * @node:   its number, 0 .. nodes - 1, not in use
 * @parent: an account, or FAIR_FAIRTREE_ROOT
 * @shares: FAIR_FAIRTREE_PARENT: its children count as its siblings
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1).
 */
FAIR_FAIRTREE_API int fair_fairtree_add_account(struct fair_fairtree *f,
						uint32_t node, uint32_t parent,
						uint32_t shares);

/**
 * fair_fairtree_add_user() - add a user, with no usage and no queued job.
 * @node:   its number, 0 .. nodes - 1, not in use
 * @parent: an account, or FAIR_FAIRTREE_ROOT
 * @shares: FAIR_FAIRTREE_PARENT: it comes before its siblings
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(depth).
 */
FAIR_FAIRTREE_API int fair_fairtree_add_user(struct fair_fairtree *f,
					     uint32_t node, uint32_t parent,
					     uint32_t shares);

/**
 * fair_fairtree_remove() - remove a user, or an account without children.
 *
 * What it has used stays in the accounts above it.
 *
 * Return: 0; -FAIR_EINVAL, also if it is provisionally charged.
 * Complexity: O(depth + log siblings); a lifted account O(siblings).
 */
FAIR_FAIRTREE_API int fair_fairtree_remove(struct fair_fairtree *f,
					   uint32_t node);

/**
 * fair_fairtree_move() - move a node, with all below it, to another parent.
 * @parent: an account that is not below @node, or FAIR_FAIRTREE_ROOT
 *
 * What it has used moves with it.
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(depth * log siblings); a lifted account O(siblings * depth).
 */
FAIR_FAIRTREE_API int fair_fairtree_move(struct fair_fairtree *f, uint32_t node,
					 uint32_t parent);

/**
 * fair_fairtree_set_shares() - give a node other shares.
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(log siblings); to or from FAIR_FAIRTREE_PARENT O(siblings *
 * depth).
 */
FAIR_FAIRTREE_API int fair_fairtree_set_shares(struct fair_fairtree *f,
					       uint32_t node, uint32_t shares);

/**
 * fair_fairtree_charge() - charge a user, and the accounts above it, for [t0,
 * t1).
 * @t0:   seconds, >= 0
 * @t1:   seconds, >= @t0; may lie before the latest charge
 * @rate: usage per second, >= 0
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: at the head of this file.
 */
FAIR_FAIRTREE_API int fair_fairtree_charge(struct fair_fairtree *f,
					   uint32_t user, int64_t t0,
					   int64_t t1, int64_t rate);

/**
 * fair_fairtree_charge_provisional() - charge a starting job its walltime.
 * @rate:     usage per second, >= 0
 * @walltime: seconds, >= 0
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: as move.
 */
FAIR_FAIRTREE_API int
fair_fairtree_charge_provisional(struct fair_fairtree *f, uint32_t user,
				 int64_t rate, int64_t walltime);

/**
 * fair_fairtree_cancel_provisional() - take such a charge back.
 *
 * The arguments are those of the charge.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if less is provisionally charged.
 */
FAIR_FAIRTREE_API int
fair_fairtree_cancel_provisional(struct fair_fairtree *f, uint32_t user,
				 int64_t rate, int64_t walltime);

/** fair_fairtree_cancel_all() - take all provisional charges back. O(nodes) */
FAIR_FAIRTREE_API void fair_fairtree_cancel_all(struct fair_fairtree *f);

/** fair_fairtree_provisional() - all provisional charges: rate * seconds. */
FAIR_FAIRTREE_API uint64_t
fair_fairtree_provisional(const struct fair_fairtree *f);

/**
 * fair_fairtree_pass_time() - provisional charges count beside usage that has
 * decayed until @now.
 * @now: seconds, >= 0
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1) without provisional charges, else
 * O(nodes), and O(waiting users * (depth + log n)).
 */
FAIR_FAIRTREE_API int fair_fairtree_pass_time(struct fair_fairtree *f,
					      int64_t now);

/**
 * fair_fairtree_set_waiting() - say whether a user has a queued job.
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(log siblings), at each level where this is the first or last.
 */
FAIR_FAIRTREE_API int fair_fairtree_set_waiting(struct fair_fairtree *f,
						uint32_t user, bool waiting);

/**
 * fair_fairtree_next() - the first user that has a queued job.
 *
 * Return: its number, or FAIR_FAIRTREE_NONE.
 * Complexity: at the head of this file.
 */
FAIR_FAIRTREE_API uint32_t fair_fairtree_next(struct fair_fairtree *f);

/** fair_fairtree_sort() - rank all users. Complexity: O(n log n). */
FAIR_FAIRTREE_API void fair_fairtree_sort(struct fair_fairtree *f);

/**
 * fair_fairtree_rank() - the rank of a user when fair_fairtree_sort() was last
 * called.
 * @user: a user that had been added then
 *
 * Return: 1 .. the number of users; the largest is served first.
 */
FAIR_FAIRTREE_API uint32_t fair_fairtree_rank(const struct fair_fairtree *f,
					      uint32_t user);

/**
 * fair_fairtree_compare_users() - which of two users is served first.
 * @a: a user
 * @b: a user
 * @x: out: the account above @a, or @a, with another level fair share than
 *     @y: a child of their first common account, or of accounts that tie; may
 *     be NULL
 * @y: out: the same of @b; NULL if @x is
 *
 * Return: < 0: @a, > 0: @b, by their ranks if fair_fairtree_sort() was called
 * now; 0: they share a rank.
 * Complexity: O(depth); where accounts tie, O(depth^2), and where a user and an
 * account tie, O(nodes * depth^2).
 */
FAIR_FAIRTREE_API int
fair_fairtree_compare_users(const struct fair_fairtree *f, uint32_t a,
			    uint32_t b, uint32_t *x, uint32_t *y);

/**
 * fair_fairtree_account_of() - the account of whose shares a node has a part.
 * @node: an account or user
 *
 * Return: the nearest account above it that has shares of its own, or
 * FAIR_FAIRTREE_ROOT.
 */
FAIR_FAIRTREE_API uint32_t
fair_fairtree_account_of(const struct fair_fairtree *f, uint32_t node);

/** fair_fairtree_has_account() - whether a number is that of an account. */
FAIR_FAIRTREE_API bool fair_fairtree_has_account(const struct fair_fairtree *f,
						 uint32_t node);

/** fair_fairtree_has_user() - whether a number is that of a user. */
FAIR_FAIRTREE_API bool fair_fairtree_has_user(const struct fair_fairtree *f,
					      uint32_t node);

/** fair_fairtree_is_like() - whether a tree was made for as many nodes and with
 * that half-life. */
FAIR_FAIRTREE_API bool fair_fairtree_is_like(const struct fair_fairtree *f,
					     uint32_t nodes, int64_t half_life);

/**
 * fair_fairtree_set_half_life() - usage decays by another half-life from @now.
 * @now:       seconds; a charge may not have begun a later period
 * @half_life: seconds, 1 .. FAIR_USAGE_HALF_LIFE
 * @from:      1 .. FAIR_FAIRTREE_UNITS: so many units of a rate before are
 * @to:        so many from @now on, 1 .. FAIR_FAIRTREE_UNITS
 *
 * What each node has used, decayed until @now, stays the same but for one
 * rounding down. All provisional charges are taken back: charge those of the
 * running jobs again.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW. Complexity: O(nodes), and O(waiting
 * users * (depth + log n)).
 */
FAIR_FAIRTREE_API int fair_fairtree_set_half_life(struct fair_fairtree *f,
						  int64_t now,
						  int64_t half_life,
						  int64_t from, int64_t to);

/**
 * fair_fairtree_coarsen() - all usages are halved and rounded down, and so is
 * what any further charge adds: room for one that was too much.
 *
 * Rates and provisional charges stay what they are.
 *
 * Return: 0; -FAIR_ERANGE: usage has one bit behind the point.
 * Complexity: O(nodes), and O(waiting users * (depth + log n)).
 */
FAIR_FAIRTREE_API int fair_fairtree_coarsen(struct fair_fairtree *f);

/** fair_fairtree_reset() - all have used nothing; provisional charges stay.
 * O(nodes) */
FAIR_FAIRTREE_API void fair_fairtree_reset(struct fair_fairtree *f);

/** fair_fairtree_users() - the number of users: rank / users is the fair-share
 * factor. */
FAIR_FAIRTREE_API uint32_t fair_fairtree_users(const struct fair_fairtree *f);

/**
 * struct fair_fairtree_part - a node's part of its level, in 2^-20 percentage
 * points; 0 of 0 is 0.
 * @used: usage over usage of the account above
 * @owed: shares over shares of all siblings; 0 with shares of `parent`
 */
struct fair_fairtree_part {
	int64_t used, owed;
};

/**
 * fair_fairtree_part_of() - what a node has used and is owed of its level.
 * @node: an account or user
 * @part: out: off by at most one 2^-20; untouched on error
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1).
 */
FAIR_FAIRTREE_API int fair_fairtree_part_of(const struct fair_fairtree *f,
					    uint32_t node,
					    struct fair_fairtree_part *part);

/**
 * struct fair_fairtree_info - what a node is and has used.
 * @parent: the account it is below, or FAIR_FAIRTREE_ROOT
 * @shares: FAIR_FAIRTREE_PARENT: none of its own
 * @usage:  with provisional charges, and what removed nodes below it have used
 * @unit:   so much usage is a rate of 1 for a second, decayed until the last
 *          fair_fairtree_pass_time(); 0 if that is long before a charge
 */
struct fair_fairtree_info {
	uint32_t parent, shares;
	uint64_t usage, unit;
};

/**
 * fair_fairtree_info_of() - what a node is and has used.
 * @node: an account or user, or FAIR_FAIRTREE_ROOT
 * @info: out: untouched on error
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1).
 */
FAIR_FAIRTREE_API int fair_fairtree_info_of(const struct fair_fairtree *f,
					    uint32_t node,
					    struct fair_fairtree_info *info);

/**
 * fair_fairtree_portion() - what a user is owed of the whole: the product, over
 * the levels from it up, of shares over shares of all siblings.
 * @user: with shares FAIR_FAIRTREE_PARENT it counts as its account
 *
 * Rounded down at each level, but at least 1 if no shares on the way are 0.
 *
 * Return: in 2^-31; 0 if it is no user. Complexity: O(depth).
 */
FAIR_FAIRTREE_API uint32_t fair_fairtree_portion(const struct fair_fairtree *f,
						 uint32_t user);

/**
 * fair_fairtree_branch() - where the ways to two users part.
 * @a: a user
 * @b: another user
 * @x: out: @a or the account above it that is a sibling of @y
 * @y: out: @b or the account above it
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(depth).
 */
FAIR_FAIRTREE_API int fair_fairtree_branch(const struct fair_fairtree *f,
					   uint32_t a, uint32_t b, uint32_t *x,
					   uint32_t *y);

/**
 * fair_fairtree_clone() - an independent copy.
 * @copy:   out: untouched on error
 * @memory: fair_fairtree_size() bytes, for the copy alone
 *
 * Return: 0; -FAIR_ENOMEM. Complexity: O(nodes).
 */
FAIR_FAIRTREE_API int fair_fairtree_clone(struct fair_fairtree *copy,
					  void *memory, size_t bytes,
					  const struct fair_fairtree *f);

/** fair_fairtree_save() - write the tree: sections 31 and 32. */
FAIR_FAIRTREE_API void fair_fairtree_save(const struct fair_fairtree *f,
					  struct fair_checkpoint *c);

/**
 * fair_fairtree_load() - read the same, into a tree of as many nodes or more,
 * of the same half-life.
 *
 * @c->bad marks a tree that cannot be; then @f is to be initialized again.
 */
FAIR_FAIRTREE_API void fair_fairtree_load(struct fair_fairtree *f,
					  struct fair_checkpoint *c);

/**
 * fair_fairtree_check() - find the first broken invariant.
 *
 * Return: 0, or 1 .. 5 for I1 .. I5.
 * Complexity: O(nodes * depth); with lifted accounts O(nodes * siblings).
 */
FAIR_FAIRTREE_API int fair_fairtree_check(const struct fair_fairtree *f);

FAIRSCHED_END_C
#endif /* FAIR_FAIRTREE_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIR_FAIRTREE_IMPLEMENTATION)
#define FAIR_FAIRTREE_IMPLEMENTATION
#endif
#if defined(FAIR_FAIRTREE_IMPLEMENTATION) && !defined(FAIR_FAIRTREE_IMPLEMENTED)
#define FAIR_FAIRTREE_IMPLEMENTED

FAIRSCHED_BEGIN_C

FAIRSCHED_PROVIDE(FAIR_FAIRTREE_API, fair_fairtree)

/* Rooms: parts of this file, in an order in which each finds what it uses. */
#include "fairtree/levels.h"
#include "fairtree/heaps.h"

/* LISTS OF A LEVEL */

static void fair_fairtree_insert(struct fair_fairtree *f, uint32_t level,
				 uint32_t node)
{
	struct fair_fairtree_list *n = f->list + node, *l = f->list + level;

	n->prev = FAIR_FAIRTREE_NONE;
	n->next = l->first;
	if (n->next != FAIR_FAIRTREE_NONE)
		f->list[n->next].prev = node;
	l->first = node;
	l->level_shares += fair_fairtree_counted(f->node[node].shares);
}

static void fair_fairtree_attach(struct fair_fairtree *f, uint32_t level,
				 uint32_t node)
{
	fair_fairtree_insert(f, level, node);
	if (f->node[node].waits)
		fair_fairtree_enter(f, level, node);
}

static void fair_fairtree_detach(struct fair_fairtree *f, uint32_t level,
				 uint32_t node)
{
	struct fair_fairtree_list *n = f->list + node, *l = f->list + level;

	if (f->node[node].waits)
		fair_fairtree_leave(f, level, node);
	if (n->prev == FAIR_FAIRTREE_NONE)
		l->first = n->next;
	else
		f->list[n->prev].next = n->next;
	if (n->next != FAIR_FAIRTREE_NONE)
		f->list[n->next].prev = n->prev;
	l->level_shares -= fair_fairtree_counted(f->node[node].shares);
}

/* Whether @node of a level is there because of @account, which is or was
 * lifted. */
static bool fair_fairtree_is_through(const struct fair_fairtree *f,
				     uint32_t node, uint32_t account)
{
	do
		node = f->node[node].parent;
	while (node != account && fair_fairtree_is_lifted(f, node));
	return node == account;
}

/* Detaches the nodes of a level that are there because of @account. Return:
 * the first, linked by next. */
static uint32_t fair_fairtree_take(struct fair_fairtree *f, uint32_t level,
				   uint32_t account)
{
	uint32_t node = f->list[level].first, taken = FAIR_FAIRTREE_NONE, next;

	for (; node != FAIR_FAIRTREE_NONE; node = next) {
		next = f->list[node].next;
		if (!fair_fairtree_is_through(f, node, account))
			continue;
		fair_fairtree_detach(f, level, node);
		f->list[node].next = taken;
		taken = node;
	}
	return taken;
}

static void fair_fairtree_give(struct fair_fairtree *f, uint32_t level,
			       uint32_t node)
{
	uint32_t next;

	for (; node != FAIR_FAIRTREE_NONE; node = next) {
		next = f->list[node].next;
		fair_fairtree_attach(f, level, node);
	}
}

/* THE TREE */

FAIR_FAIRTREE_API size_t fair_fairtree_size(uint32_t nodes)
{
	uint64_t size = ((uint64_t)nodes + 1) *
				(sizeof(struct fair_fairtree_node) +
				 sizeof(struct fair_fairtree_list) + 8) +
			fair_usage_size(1, 0, 1) + 63;

	if (!nodes || nodes > FAIR_FAIRTREE_NODES || size > SIZE_MAX)
		return 0;
	return (size_t)size;
}

/* Lays out the memory. Return: what is left of it. */
static void *fair_fairtree_lay_out(struct fair_fairtree *f, void *memory)
{
	unsigned char *at = (unsigned char *)memory;

	at += -(uintptr_t)memory & 63;
	f->node = (struct fair_fairtree_node *)(void *)at;
	f->list = (struct fair_fairtree_list *)(void *)(f->node + f->nodes + 1);
	f->rank = (uint32_t *)(void *)(f->list + f->nodes + 1);
	f->scratch = f->rank + f->nodes + 1;
	return f->scratch + f->nodes + 1;
}

static void fair_fairtree_clear(struct fair_fairtree *f, uint32_t node,
				enum fair_fairtree_kind kind)
{
	struct fair_fairtree_node *n = f->node + node;
	struct fair_fairtree_list *l = f->list + node;

	FAIR_MEMSET(n, 0, sizeof(*n));
	n->kind = (uint8_t)kind;
	fair_fairtree_unlink(n);
	FAIR_MEMSET(l, 0, sizeof(*l));
	l->top[0] = l->top[1] = l->first = FAIR_FAIRTREE_NONE;
	l->next = l->prev = FAIR_FAIRTREE_NONE;
}

/* Makes all that follows from a half-life but for the clock. */
static void fair_fairtree_set_bits(struct fair_fairtree *f, int64_t half_life)
{
	f->half_life = half_life;
	for (f->bits = 34; half_life > 1; half_life /= 2)
		f->bits--;
	f->bits -= f->coarse < f->bits ? f->coarse : f->bits - 1;
	f->last.from = -1;
}

FAIR_FAIRTREE_API int fair_fairtree_init(struct fair_fairtree *f,
					 size_t struct_size, void *memory,
					 size_t bytes, uint32_t nodes,
					 int64_t half_life)
{
	size_t size = fair_fairtree_size(nodes);
	uint32_t i;

	if (!f || struct_size != sizeof(*f) || !memory || !size ||
	    half_life < 1 || half_life > FAIR_USAGE_HALF_LIFE)
		return -FAIR_EINVAL;
	if (bytes < size)
		return -FAIR_ENOMEM;
	FAIR_MEMSET(f, 0, sizeof(*f));
	f->nodes = nodes;
	fair_must(fair_usage_init_half_life(
		&f->clock, sizeof(f->clock), fair_fairtree_lay_out(f, memory),
		fair_usage_size(1, 0, 1), 1, 1, 0, half_life));
	fair_fairtree_set_bits(f, half_life);
	f->weight = UINT64_C(1) << f->bits;
	for (i = 0; i <= nodes; i++) {
		fair_fairtree_clear(f, i, FAIR_FAIRTREE_FREE);
		f->rank[i] = f->scratch[i] = 0;
	}
	f->node[nodes].kind = FAIR_FAIRTREE_ACCOUNT;
	f->node[nodes].parent = FAIR_FAIRTREE_NONE;
	return 0;
}

/* The account that a caller names; FAIR_FAIRTREE_NONE: it is none. */
static uint32_t fair_fairtree_parent(const struct fair_fairtree *f,
				     uint32_t parent)
{
	if (parent == FAIR_FAIRTREE_ROOT)
		return f->nodes;
	return fair_fairtree_is(f, parent, FAIR_FAIRTREE_ACCOUNT)
		       ? parent
		       : FAIR_FAIRTREE_NONE;
}

static int fair_fairtree_add(struct fair_fairtree *f, uint32_t node,
			     uint32_t parent, uint32_t shares,
			     enum fair_fairtree_kind kind)
{
	parent = fair_fairtree_parent(f, parent);
	if (!fair_fairtree_is(f, node, FAIR_FAIRTREE_FREE) ||
	    parent == FAIR_FAIRTREE_NONE)
		return -FAIR_EINVAL;
	fair_fairtree_clear(f, node, kind);
	f->node[node].parent = parent;
	f->node[node].shares = shares;
	fair_fairtree_attach(f, fair_fairtree_level(f, node), node);
	return 0;
}

FAIR_FAIRTREE_API int fair_fairtree_add_account(struct fair_fairtree *f,
						uint32_t node, uint32_t parent,
						uint32_t shares)
{
	return fair_fairtree_add(f, node, parent, shares,
				 FAIR_FAIRTREE_ACCOUNT);
}

FAIR_FAIRTREE_API int fair_fairtree_add_user(struct fair_fairtree *f,
					     uint32_t node, uint32_t parent,
					     uint32_t shares)
{
	int error =
		fair_fairtree_add(f, node, parent, shares, FAIR_FAIRTREE_USER);

	if (error)
		return error;
	while (node != f->nodes) {
		node = f->node[node].parent;
		f->list[node].users++;
	}
	return 0;
}

static bool fair_fairtree_has_children(const struct fair_fairtree *f,
				       uint32_t account)
{
	uint32_t level = fair_fairtree_level_below(f, account);
	uint32_t node = f->list[level].first;

	while (node != FAIR_FAIRTREE_NONE && f->node[node].parent != account)
		node = f->list[node].next;
	return node != FAIR_FAIRTREE_NONE;
}

FAIR_FAIRTREE_API int fair_fairtree_remove(struct fair_fairtree *f,
					   uint32_t node)
{
	bool user = fair_fairtree_is(f, node, FAIR_FAIRTREE_USER);
	uint32_t above;

	if (!fair_fairtree_is_node(f, node) || f->list[node].held ||
	    (!user && fair_fairtree_has_children(f, node)))
		return -FAIR_EINVAL;
	fair_fairtree_detach(f, fair_fairtree_level(f, node), node);
	above = node;
	while (user && above != f->nodes) {
		above = f->node[above].parent;
		f->list[above].users--;
	}
	fair_fairtree_clear(f, node, FAIR_FAIRTREE_FREE);
	return 0;
}

/* Adds to the usage of a node, modulo 2^64. */
static void fair_fairtree_change_usage(struct fair_fairtree *f, uint32_t node,
				       uint64_t change)
{
	bool in_heap = f->node[node].waits && node != f->nodes;

	if (in_heap)
		fair_fairtree_pull(f, fair_fairtree_level(f, node), node);
	f->node[node].usage += change;
	if (in_heap)
		fair_fairtree_push(f, fair_fairtree_level(f, node), node);
}

/* Adds usage and users to an account and all above it, or with @sign -1 takes
 * them. */
static void fair_fairtree_transfer(struct fair_fairtree *f, uint32_t account,
				   uint32_t node, int sign)
{
	uint32_t users = f->node[node].kind == FAIR_FAIRTREE_USER
				 ? 1
				 : f->list[node].users;
	uint64_t usage = f->node[node].usage, held = f->list[node].held;

	for (;; account = f->node[account].parent) {
		f->list[account].users += sign > 0 ? users : -users;
		f->list[account].held += sign > 0 ? held : -held;
		fair_fairtree_change_usage(f, account,
					   sign > 0 ? usage : -usage);
		if (account == f->nodes)
			return;
	}
}

FAIR_FAIRTREE_API int fair_fairtree_move(struct fair_fairtree *f, uint32_t node,
					 uint32_t parent)
{
	uint32_t above, level, taken = FAIR_FAIRTREE_NONE;
	struct fair_fairtree_node *n;

	parent = fair_fairtree_parent(f, parent);
	if (!fair_fairtree_is_node(f, node) || parent == FAIR_FAIRTREE_NONE)
		return -FAIR_EINVAL;
	for (above = parent; above != f->nodes; above = f->node[above].parent)
		if (above == node)
			return -FAIR_EINVAL;
	n = f->node + node;
	level = fair_fairtree_level(f, node);
	if (fair_fairtree_is_lifted(f, node))
		taken = fair_fairtree_take(f, level, node);
	fair_fairtree_detach(f, level, node);
	fair_fairtree_transfer(f, n->parent, node, -1);
	n->parent = parent;
	fair_fairtree_transfer(f, parent, node, 1);
	level = fair_fairtree_level(f, node);
	fair_fairtree_attach(f, level, node);
	fair_fairtree_give(f, level, taken);
	return 0;
}

FAIR_FAIRTREE_API int fair_fairtree_set_shares(struct fair_fairtree *f,
					       uint32_t node, uint32_t shares)
{
	uint32_t level, from, to, taken = FAIR_FAIRTREE_NONE;

	if (!fair_fairtree_is_node(f, node))
		return -FAIR_EINVAL;
	level = fair_fairtree_level(f, node);
	from = fair_fairtree_is_lifted(f, node) ? level : node;
	to = shares == FAIR_FAIRTREE_PARENT ? level : node;
	if (from != to)
		taken = fair_fairtree_take(f, from, node);
	fair_fairtree_detach(f, level, node);
	f->node[node].shares = shares;
	fair_fairtree_attach(f, level, node);
	fair_fairtree_give(f, to, taken);
	return 0;
}

FAIR_FAIRTREE_API int fair_fairtree_set_waiting(struct fair_fairtree *f,
						uint32_t user, bool waiting)
{
	if (!fair_fairtree_is(f, user, FAIR_FAIRTREE_USER))
		return -FAIR_EINVAL;
	if (f->node[user].waits == waiting)
		return 0;
	f->node[user].waits = waiting;
	if (waiting)
		fair_fairtree_enter(f, fair_fairtree_level(f, user), user);
	else
		fair_fairtree_leave(f, fair_fairtree_level(f, user), user);
	return 0;
}

FAIR_FAIRTREE_API uint32_t fair_fairtree_users(const struct fair_fairtree *f)
{
	return f->list[f->nodes].users;
}

/* USAGE */

/* Makes all that follows from kind, parent, shares, usage, and of users
 * waits. */
static void fair_fairtree_link(struct fair_fairtree *f)
{
	struct fair_fairtree_node *n;
	struct fair_fairtree_list *l;
	uint32_t i, above;

	for (i = 0; i <= f->nodes; i++) {
		n = f->node + i;
		l = f->list + i;
		l->level_shares = l->users = 0;
		l->first = l->top[0] = l->top[1] = FAIR_FAIRTREE_NONE;
		n->waits &= n->kind == FAIR_FAIRTREE_USER;
		fair_fairtree_unlink(n);
	}
	for (i = 0; i < f->nodes; i++)
		if (f->node[i].kind != FAIR_FAIRTREE_FREE)
			fair_fairtree_insert(f, fair_fairtree_level(f, i), i);
	for (i = 0; i < f->nodes; i++) {
		if (f->node[i].kind != FAIR_FAIRTREE_USER)
			continue;
		for (above = i; above != f->nodes;) {
			above = f->node[above].parent;
			f->list[above].users++;
		}
		if (f->node[i].waits)
			fair_fairtree_enter(f, fair_fairtree_level(f, i), i);
	}
}

static uint64_t fair_fairtree_shift(uint64_t n, uint64_t shift)
{
	return shift < 64 ? n >> shift : 0;
}

/* Halves all usages @shift times, but for what is provisionally charged: that
 * weighs @weight from now on. */
static void fair_fairtree_weigh(struct fair_fairtree *f, uint64_t shift,
				uint64_t weight)
{
	struct fair_fairtree_node *n;
	uint64_t held;
	uint32_t i;

	for (i = 0; i <= f->nodes; i++) {
		n = f->node + i;
		held = f->list[i].held;
		n->usage = fair_fairtree_shift(n->usage - held * f->weight,
					       shift) +
			   held * weight;
	}
	f->period += shift;
	f->weight = weight;
	if (f->node[f->nodes].waits)
		fair_fairtree_link(f);
}

/* G of the manual */
static uint64_t fair_fairtree_growth(const struct fair_fairtree *f, int64_t t,
				     uint64_t *period)
{
	struct fair_usage_growth g = fair_usage_growth_at(&f->clock, t);

	*period = g.period;
	return g.whole << f->bits | g.fraction >> (64 - f->bits);
}

static struct fair_fairtree_span
fair_fairtree_span_of(const struct fair_fairtree *f, int64_t t0, int64_t t1)
{
	uint64_t start = f->last.end, first = f->last.period;
	struct fair_fairtree_span s;

	/* Running jobs are charged from the end of their last charge. */
	if (f->last.from < 0 || t0 != f->last.to)
		start = fair_fairtree_growth(f, t0, &first);
	s.from = t0;
	s.to = t1;
	s.end = fair_fairtree_growth(f, t1, &s.period);
	first = s.period - first;
	s.unit = s.end - (first < 64 ? start >> first : 0);
	return s;
}

/* The most that usage and provisional charges are worth until a period ends. */
static uint64_t fair_fairtree_total(const struct fair_fairtree *f)
{
	return f->node[f->nodes].usage +
	       f->list[f->nodes].held * ((UINT64_C(2) << f->bits) - f->weight);
}

/* The usage that a charge adds, in the period in which it is made. Return:
 * false if the total would exceed 2^63. */
static bool fair_fairtree_amount(const struct fair_fairtree *f,
				 const struct fair_fairtree_span *span,
				 uint64_t rate, uint64_t *amount)
{
	uint64_t total = fair_fairtree_total(f), unit = span->unit, late;
	struct fair_wide product;

	if (span->period < f->period) {
		unit = fair_fairtree_shift(unit, f->period - span->period);
	} else {
		late = f->list[f->nodes].held << (f->bits + 1);
		total = fair_fairtree_shift(total - late,
					    span->period - f->period) +
			late;
	}
	product = fair_multiply(unit, rate);
	*amount = product.low;
	return !product.high && product.low <= INT64_MAX - total;
}

FAIR_FAIRTREE_API int fair_fairtree_charge(struct fair_fairtree *f,
					   uint32_t user, int64_t t0,
					   int64_t t1, int64_t rate)
{
	const struct fair_fairtree_span *span = &f->last;
	struct fair_fairtree_span other;
	uint64_t amount, shift;
	uint32_t i;

	if (!fair_fairtree_is(f, user, FAIR_FAIRTREE_USER) || t0 < 0 ||
	    t1 < t0 || rate < 0)
		return -FAIR_EINVAL;
	if (t0 == t1 || !rate)
		return 0;
	if (t0 != span->from || t1 != span->to) {
		other = fair_fairtree_span_of(f, t0, t1);
		span = &other;
	}
	if (!fair_fairtree_amount(f, span, (uint64_t)rate, &amount))
		return -FAIR_EOVERFLOW;
	if (span == &other)
		f->last = other;
	shift = span->period - f->period;
	if (span->period > f->period)
		fair_fairtree_weigh(f, shift,
				    fair_fairtree_shift(f->weight, shift));
	/* Loop invariant: the heaps below i are in order. Without a left child
	 * a node has nothing below it, or is in no heap. */
	for (i = user; i != f->nodes; i = f->node[i].parent) {
		f->node[i].usage += amount;
		if (f->node[i].left != FAIR_FAIRTREE_NONE)
			fair_fairtree_sink(f, i);
	}
	f->node[i].usage += amount;
	return 0;
}

/* Adds a provisional charge, or with @sign -1 takes it back. */
static void fair_fairtree_hold(struct fair_fairtree *f, uint32_t node,
			       uint64_t amount, int sign)
{
	uint64_t held = sign > 0 ? amount : -amount;

	for (;; node = f->node[node].parent) {
		f->list[node].held += held;
		fair_fairtree_change_usage(f, node, held * f->weight);
		if (node == f->nodes)
			return;
	}
}

FAIR_FAIRTREE_API int
fair_fairtree_charge_provisional(struct fair_fairtree *f, uint32_t user,
				 int64_t rate, int64_t walltime)
{
	uint64_t most = ((uint64_t)INT64_MAX - fair_fairtree_total(f)) >>
			(f->bits + 1);
	struct fair_wide amount;

	if (!fair_fairtree_is(f, user, FAIR_FAIRTREE_USER) || rate < 0 ||
	    walltime < 0)
		return -FAIR_EINVAL;
	amount = fair_multiply((uint64_t)rate, (uint64_t)walltime);
	if (amount.high || amount.low > most)
		return -FAIR_EOVERFLOW;
	fair_fairtree_hold(f, user, amount.low, 1);
	return 0;
}

FAIR_FAIRTREE_API int
fair_fairtree_cancel_provisional(struct fair_fairtree *f, uint32_t user,
				 int64_t rate, int64_t walltime)
{
	struct fair_wide amount;

	if (!fair_fairtree_is(f, user, FAIR_FAIRTREE_USER) || rate < 0 ||
	    walltime < 0)
		return -FAIR_EINVAL;
	amount = fair_multiply((uint64_t)rate, (uint64_t)walltime);
	if (amount.high || amount.low > f->list[user].held)
		return -FAIR_ERANGE;
	fair_fairtree_hold(f, user, amount.low, -1);
	return 0;
}

FAIR_FAIRTREE_API void fair_fairtree_cancel_all(struct fair_fairtree *f)
{
	uint32_t i;

	for (i = 0; i <= f->nodes; i++) {
		f->node[i].usage -= f->list[i].held * f->weight;
		f->list[i].held = 0;
	}
	fair_fairtree_link(f);
}

FAIR_FAIRTREE_API uint64_t
fair_fairtree_provisional(const struct fair_fairtree *f)
{
	return f->list[f->nodes].held;
}

/* 2^28 h / ln 2 * 2^(x / h), below 2^64 */
static uint64_t fair_fairtree_steepness(struct fair_usage_growth g)
{
	return g.whole << 28 | g.fraction >> 36;
}

/* floor(2^bits * 2^(x / h)), the quotient of two growths, which is below 2. */
static uint64_t fair_fairtree_weight_at(const struct fair_fairtree *f,
					int64_t now, uint64_t *period)
{
	struct fair_usage_growth g = fair_usage_growth_at(&f->clock, now);
	uint64_t rest;

	*period = g.period;
	return fair_divide(fair_multiply(fair_fairtree_steepness(g),
					 UINT64_C(1) << f->bits),
			   fair_fairtree_steepness(
				   fair_usage_growth_at(&f->clock, 0)),
			   &rest);
}

FAIR_FAIRTREE_API int fair_fairtree_pass_time(struct fair_fairtree *f,
					      int64_t now)
{
	uint64_t period, weight;

	if (now < 0)
		return -FAIR_EINVAL;
	weight = fair_fairtree_weight_at(f, now, &period);
	if (period < f->period)
		weight = fair_fairtree_shift(weight, f->period - period);
	if (!f->list[f->nodes].held)
		f->weight = weight;
	if (period > f->period)
		fair_fairtree_weigh(f, period - f->period, weight);
	else if (weight != f->weight)
		fair_fairtree_weigh(f, 0, weight);
	return 0;
}

/* What a node has used at the begin of a period, without provisional charges.
 */
static uint64_t fair_fairtree_used(const struct fair_fairtree *f, uint32_t node,
				   uint64_t period)
{
	return fair_fairtree_shift(f->node[node].usage -
					   f->list[node].held * f->weight,
				   period - f->period);
}

FAIR_FAIRTREE_API int fair_fairtree_set_half_life(struct fair_fairtree *f,
						  int64_t now,
						  int64_t half_life,
						  int64_t from, int64_t to)
{
	unsigned char clock[192]; /* fair_usage_size(1, 0, 1) is 151 */
	struct fair_fairtree x = *f;
	uint64_t period, was, is, rest;
	uint32_t i;

	if (now < 0 || half_life < 1 || half_life > FAIR_USAGE_HALF_LIFE ||
	    from < 1 || from > FAIR_FAIRTREE_UNITS || to < 1 ||
	    to > FAIR_FAIRTREE_UNITS)
		return -FAIR_EINVAL;
	was = fair_fairtree_weight_at(f, now, &period) * (uint64_t)from;
	if (period < f->period)
		return -FAIR_EINVAL;
	/* That of @f changes only if there is no error. */
	fair_must(fair_usage_init_half_life(&x.clock, sizeof(x.clock), clock,
					    sizeof(clock), 1, 1, 0, half_life));
	fair_fairtree_set_bits(&x, half_life);
	x.weight = fair_fairtree_weight_at(&x, now, &x.period);
	is = x.weight * (uint64_t)to;
	if (!fair_wide_less(
		    fair_multiply(fair_fairtree_used(f, f->nodes, period), is),
		    fair_multiply(UINT64_C(1) << 63, was)))
		return -FAIR_EOVERFLOW;
	fair_must(fair_usage_change_rule(&f->clock, 0, half_life, 0));
	x.clock = f->clock;
	for (i = 0; i <= f->nodes; i++) {
		f->node[i].usage = fair_divide(
			fair_multiply(fair_fairtree_used(f, i, period), is),
			was, &rest);
		f->list[i].held = 0;
	}
	*f = x;
	fair_fairtree_link(f);
	return 0;
}

FAIR_FAIRTREE_API int fair_fairtree_coarsen(struct fair_fairtree *f)
{
	if (f->bits == 1)
		return -FAIR_ERANGE;
	f->coarse++;
	f->bits--;
	f->last.from = -1;
	/* The period is the same one. */
	f->period--;
	fair_fairtree_weigh(f, 1, f->weight / 2);
	return 0;
}

FAIR_FAIRTREE_API void fair_fairtree_reset(struct fair_fairtree *f)
{
	uint32_t i;

	for (i = 0; i <= f->nodes; i++)
		f->node[i].usage = f->list[i].held * f->weight;
	fair_fairtree_link(f);
}

/* THE NEXT USER */

/* Of two nodes of one kind, or FAIR_FAIRTREE_NONE, the one that goes first. */
static uint32_t fair_fairtree_first(const struct fair_fairtree *f, uint32_t a,
				    uint32_t b)
{
	int order;

	if (a == FAIR_FAIRTREE_NONE || b == FAIR_FAIRTREE_NONE)
		return a < b ? a : b;
	order = fair_fairtree_compare(f, a, b);
	return order < 0 || (order == 0 && a < b) ? a : b;
}

/* The next node of a heap that ties with @best; those form a tree at its top.
 */
static uint32_t fair_fairtree_next_tied(const struct fair_fairtree *f,
					uint32_t node, uint32_t best)
{
	const struct fair_fairtree_node *n = f->node + node;
	uint32_t up;

	if (fair_fairtree_ties(f, n->left, best))
		return n->left;
	if (fair_fairtree_ties(f, n->right, best))
		return n->right;
	for (up = n->up; up != FAIR_FAIRTREE_NONE; up = f->node[up].up) {
		if (node == f->node[up].left &&
		    fair_fairtree_ties(f, f->node[up].right, best))
			return f->node[up].right;
		node = up;
	}
	return FAIR_FAIRTREE_NONE;
}

/* Appends the accounts of a level that tie with @best: those that wait, or
 * all. Return: the new end. */
static uint32_t fair_fairtree_append(struct fair_fairtree *f, uint32_t level,
				     uint32_t best, bool all, uint32_t end)
{
	uint32_t i = all ? f->list[level].first : f->list[level].top[1];

	while (i != FAIR_FAIRTREE_NONE) {
		if (fair_fairtree_is_ranked(f, i) &&
		    fair_fairtree_ties(f, i, best))
			f->scratch[end++] = i;
		i = all ? f->list[i].next : fair_fairtree_next_tied(f, i, best);
	}
	return end;
}

/* The level fair share that comes first among the children of some accounts,
 * as a node that has it. */
static uint32_t fair_fairtree_best(const struct fair_fairtree *f,
				   uint32_t begin, uint32_t end)
{
	uint32_t best = FAIR_FAIRTREE_NONE, i;

	for (; begin < end; begin++)
		for (i = f->list[f->scratch[begin]].first;
		     i != FAIR_FAIRTREE_NONE; i = f->list[i].next)
			if (fair_fairtree_is_ranked(f, i))
				best = fair_fairtree_first(f, best, i);
	return best;
}

/* Of @user and those that wait and share the best rank of some accounts, the
 * lowest number. */
static uint32_t fair_fairtree_first_rank(struct fair_fairtree *f, uint32_t user,
					 uint32_t begin, uint32_t end)
{
	uint32_t best, i, here;

	while (begin < end) {
		best = fair_fairtree_best(f, begin, end);
		here = end;
		for (; begin < here; begin++) {
			i = f->list[f->scratch[begin]].first;
			for (; i != FAIR_FAIRTREE_NONE; i = f->list[i].next)
				if (f->node[i].kind == FAIR_FAIRTREE_USER &&
				    f->node[i].waits && i < user &&
				    fair_fairtree_ties(f, i, best))
					user = i;
			end = fair_fairtree_append(f, f->scratch[begin], best,
						   true, end);
		}
	}
	return user;
}

/* Walks down with the accounts of each level that tie: with those that wait,
 * which is enough unless a user and an account tie, or with all. */
static uint32_t fair_fairtree_next_merged(struct fair_fairtree *f, bool all)
{
	uint32_t begin = 0, end = 1, i, user, account;
	int order;

	f->scratch[0] = f->nodes;
	for (;;) {
		user = account = FAIR_FAIRTREE_NONE;
		for (i = begin; i < end; i++) {
			const uint32_t *top = f->list[f->scratch[i]].top;

			user = fair_fairtree_first(f, user, top[0]);
			account = fair_fairtree_first(f, account, top[1]);
		}
		if (account == FAIR_FAIRTREE_NONE)
			return user;
		order = user == FAIR_FAIRTREE_NONE
				? 1
				: fair_fairtree_compare(f, user, account);
		if (order < 0)
			return user;
		if (order == 0 && !all)
			return fair_fairtree_next_merged(f, true);
		i = begin;
		for (begin = end; i < begin; i++)
			end = fair_fairtree_append(f, f->scratch[i], account,
						   all, end);
		if (order == 0)
			return fair_fairtree_first_rank(f, user, begin, end);
	}
}

FAIR_FAIRTREE_API uint32_t fair_fairtree_next(struct fair_fairtree *f)
{
	const struct fair_fairtree_node *a;
	uint32_t level = f->nodes;
	const uint32_t *top;
	int order;

	for (;; level = top[1]) {
		top = f->list[level].top;
		if (top[1] == FAIR_FAIRTREE_NONE)
			return top[0];
		a = f->node + top[1];
		order = top[0] == FAIR_FAIRTREE_NONE
				? 1
				: fair_fairtree_compare_siblings(f, top[0],
								 top[1]);
		if (order < 0)
			return top[0];
		if (order == 0 ||
		    (a->left != FAIR_FAIRTREE_NONE &&
		     !fair_fairtree_compare_siblings(f, top[1], a->left)) ||
		    (a->right != FAIR_FAIRTREE_NONE &&
		     !fair_fairtree_compare_siblings(f, top[1], a->right)))
			return fair_fairtree_next_merged(f, false);
	}
}

#include "fairtree/ranks.h"

/* 100 * 2^20 * a / b, a <= b */
static int64_t fair_fairtree_points(uint64_t a, uint64_t b)
{
	const uint64_t all = (uint64_t)(100 * FAIR_USAGE_POINT);

	for (; b >> 36; b /= 2)
		a /= 2;
	return b ? (int64_t)(a * all / b) : 0;
}

FAIR_FAIRTREE_API int fair_fairtree_part_of(const struct fair_fairtree *f,
					    uint32_t node,
					    struct fair_fairtree_part *part)
{
	uint32_t level;

	if (!fair_fairtree_is_node(f, node))
		return -FAIR_EINVAL;
	level = fair_fairtree_level(f, node);
	part->used = fair_fairtree_points(f->node[node].usage,
					  f->node[level].usage);
	part->owed = fair_fairtree_points(
		fair_fairtree_counted(f->node[node].shares),
		f->list[level].level_shares);
	return 0;
}

FAIR_FAIRTREE_API uint32_t fair_fairtree_portion(const struct fair_fairtree *f,
						 uint32_t user)
{
	uint64_t portion = UINT64_C(1) << 31;
	uint32_t level, shares;

	if (!fair_fairtree_is(f, user, FAIR_FAIRTREE_USER))
		return 0;
	for (; user != f->nodes; user = level) {
		level = fair_fairtree_level(f, user);
		shares = f->node[user].shares;
		if (!shares)
			return 0;
		if (shares == FAIR_FAIRTREE_PARENT)
			continue;
		portion = portion * shares / f->list[level].level_shares;
		portion += !portion;
	}
	return (uint32_t)portion;
}

#include "fairtree/compare.h"

FAIR_FAIRTREE_API uint32_t
fair_fairtree_account_of(const struct fair_fairtree *f, uint32_t node)
{
	uint32_t level = fair_fairtree_level(f, node);

	return level == f->nodes ? FAIR_FAIRTREE_ROOT : level;
}

FAIR_FAIRTREE_API int fair_fairtree_info_of(const struct fair_fairtree *f,
					    uint32_t node,
					    struct fair_fairtree_info *info)
{
	uint32_t i = node == FAIR_FAIRTREE_ROOT ? f->nodes : node;
	const struct fair_fairtree_node *n = f->node + i;

	if (i != f->nodes && !fair_fairtree_is_node(f, i))
		return -FAIR_EINVAL;
	info->parent = i == f->nodes || n->parent == f->nodes
			       ? FAIR_FAIRTREE_ROOT
			       : n->parent;
	info->shares = n->shares;
	info->usage = n->usage;
	info->unit = f->weight;
	return 0;
}

FAIR_FAIRTREE_API bool fair_fairtree_has_account(const struct fair_fairtree *f,
						 uint32_t node)
{
	return fair_fairtree_is(f, node, FAIR_FAIRTREE_ACCOUNT);
}

FAIR_FAIRTREE_API bool fair_fairtree_has_user(const struct fair_fairtree *f,
					      uint32_t node)
{
	return fair_fairtree_is(f, node, FAIR_FAIRTREE_USER);
}

FAIR_FAIRTREE_API bool fair_fairtree_is_like(const struct fair_fairtree *f,
					     uint32_t nodes, int64_t half_life)
{
	return f->nodes == nodes && f->half_life == half_life;
}

FAIR_FAIRTREE_API int fair_fairtree_branch(const struct fair_fairtree *f,
					   uint32_t a, uint32_t b, uint32_t *x,
					   uint32_t *y)
{
	uint32_t i, k;

	if (!fair_fairtree_is(f, a, FAIR_FAIRTREE_USER) ||
	    !fair_fairtree_is(f, b, FAIR_FAIRTREE_USER) || a == b)
		return -FAIR_EINVAL;
	i = fair_fairtree_depth(f, a);
	k = fair_fairtree_depth(f, b);
	for (; i > k; i--)
		a = fair_fairtree_level(f, a);
	for (; k > i; k--)
		b = fair_fairtree_level(f, b);
	while (fair_fairtree_level(f, a) != fair_fairtree_level(f, b)) {
		a = fair_fairtree_level(f, a);
		b = fair_fairtree_level(f, b);
	}
	*x = a;
	*y = b;
	return 0;
}

/* COPIES */

FAIR_FAIRTREE_API int fair_fairtree_clone(struct fair_fairtree *copy,
					  void *memory, size_t bytes,
					  const struct fair_fairtree *f)
{
	struct fair_fairtree x = *f;
	size_t n = (size_t)f->nodes + 1;

	if (bytes < fair_fairtree_size(f->nodes))
		return -FAIR_ENOMEM;
	fair_must(fair_usage_clone(&x.clock, fair_fairtree_lay_out(&x, memory),
				   fair_usage_size(1, 0, 1), &f->clock));
	FAIR_MEMCPY(x.node, f->node, n * sizeof(*x.node));
	FAIR_MEMCPY(x.list, f->list, n * sizeof(*x.list));
	FAIR_MEMCPY(x.rank, f->rank, n * sizeof(*x.rank));
	FAIR_MEMCPY(x.scratch, f->scratch, n * sizeof(*x.scratch));
	*copy = x;
	return 0;
}

enum fair_fairtree_section { FAIR_FAIRTREE_STATE = 31, FAIR_FAIRTREE_TREE };

static void fair_fairtree_fields(struct fair_checkpoint *c,
				 struct fair_fairtree *f)
{
	fair_checkpoint_one(c, FAIR_FAIRTREE_STATE, 4 + (f->coarse > 0));
	fair_checkpoint_u64(c, &f->period);
	fair_checkpoint_u64(c, &f->weight);
	fair_checkpoint_u64(c, &f->node[f->nodes].usage);
	fair_checkpoint_u64(c, &f->list[f->nodes].held);
	if (f->coarse || c->in)
		fair_checkpoint_u32(c, &f->coarse);
}

static void fair_fairtree_node_fields(struct fair_checkpoint *c,
				      struct fair_fairtree_node *n,
				      uint64_t *held)
{
	uint32_t kind = n->kind;

	fair_checkpoint_record(c);
	fair_checkpoint_u32(c, &kind);
	fair_checkpoint_u32(c, &n->parent);
	fair_checkpoint_u32(c, &n->shares);
	fair_checkpoint_u64(c, &n->usage);
	fair_checkpoint_u64(c, held);
	fair_checkpoint_bool(c, &n->waits);
	n->kind = (uint8_t)kind;
	c->bad |= kind > FAIR_FAIRTREE_USER;
}

FAIR_FAIRTREE_API void fair_fairtree_save(const struct fair_fairtree *f,
					  struct fair_checkpoint *c)
{
	struct fair_fairtree x = *f;
	uint32_t i;

	fair_fairtree_fields(c, &x);
	fair_checkpoint_section(c, FAIR_FAIRTREE_TREE, f->nodes, 6);
	for (i = 0; i < f->nodes; i++) {
		struct fair_fairtree_node n = f->node[i];

		n.waits &= n.kind == FAIR_FAIRTREE_USER;
		fair_fairtree_node_fields(c, &n, &f->list[i].held);
	}
}

FAIR_FAIRTREE_API void fair_fairtree_load(struct fair_fairtree *f,
					  struct fair_checkpoint *c)
{
	struct fair_fairtree_node *n = f->node;
	uint64_t nodes;
	uint32_t i;

	fair_fairtree_fields(c, f);
	fair_fairtree_set_bits(f, f->half_life);
	nodes = fair_checkpoint_section(c, FAIR_FAIRTREE_TREE, 0, 0);
	if (nodes > f->nodes) {
		c->bad = true;
		return;
	}
	for (i = 0; i < f->nodes; i++, n++) {
		fair_fairtree_clear(f, i, FAIR_FAIRTREE_FREE);
		if (i >= nodes)
			continue;
		fair_fairtree_node_fields(c, n, &f->list[i].held);
		c->bad |= n->waits && n->kind != FAIR_FAIRTREE_USER;
		if (n->parent == nodes)
			n->parent = f->nodes;
	}
	if (c->bad || !fair_fairtree_has_valid_ways(f) ||
	    f->weight > UINT64_C(2) << f->bits) {
		c->bad = true;
		return;
	}
	fair_fairtree_link(f);
	c->bad |= fair_fairtree_check(f) != 0;
}

#include "fairtree/check.h"

FAIRSCHED_END_C
#endif /* FAIR_FAIRTREE_IMPLEMENTED */

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
