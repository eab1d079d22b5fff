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
 * to not waiting and take the next; set those to waiting again at the end.
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
 * bits is 34 - floor(log2 h): 15 with h = 1 week. Level fair shares are
 * compared by products of up to 256 bits, never by quotients, so that a tie is
 * a tie. An account's usage is what its users have used, removed ones too; the
 * usage of all siblings is that of the account above them.
 *
 * UNITS       seconds >= 0, [t0, t1); a rate is usage per second, e.g.
 *             processors; shares are integers; the caller numbers the nodes
 * ERRORS      0 or -FAIR_E...; on error nothing changed. -FAIR_EINVAL a bad
 *             argument, -FAIR_ENOMEM, -FAIR_EOVERFLOW a total usage of 2^63:
 *             a total rate below 2^26 may go on for ever
 * MEMORY      the caller's, fair_fairtree_size() bytes: 72 a node
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
 *             I3 users, level_shares are the sums below; usage is at least that
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

#ifdef __cplusplus
extern "C" {
#endif

FAIRSCHED_REQUIRE(FAIR_FAIRTREE_API, fair_fairtree);

/* Private: of a node. */
enum fair_fairtree_kind {
	FAIR_FAIRTREE_FREE,
	FAIR_FAIRTREE_ACCOUNT,
	FAIR_FAIRTREE_USER
};

/* Private: 64 bytes. The level of a lifted account's children is above it. */
struct fair_fairtree_node {
	uint64_t usage;
	uint64_t level_shares; /* of all nodes of its level */
	uint32_t shares, parent;
	uint32_t left, right, up; /* in its level's heap */
	uint32_t top[2];	  /* heaps of its level: users, accounts */
	uint32_t first;		  /* list of its level */
	uint32_t next, prev;	  /* in the list that holds this node */
	uint32_t users;		  /* below an account */
	uint8_t kind, dist;
	bool waits;
};

/* Private: the interval of the last charge, G at its end, its growth. */
struct fair_fairtree_span {
	int64_t from, to;
	uint64_t period, end, unit;
};

/** struct fair_fairtree - a tree; all fields are private. */
struct fair_fairtree {
	struct fair_fairtree_node *node; /* [nodes] is the root */
	uint32_t *rank;
	uint32_t *scratch;
	struct fair_usage clock; /* for its half-life only */
	struct fair_fairtree_span last;
	uint64_t period;
	uint32_t nodes, bits;
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
 * Return: 0; -FAIR_EINVAL.
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
 * fair_fairtree_load() - read the same, into a tree of as many nodes and the
 * same half-life.
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

#ifdef __cplusplus
}
#endif
#endif /* FAIR_FAIRTREE_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIR_FAIRTREE_IMPLEMENTATION)
#define FAIR_FAIRTREE_IMPLEMENTATION
#endif
#if defined(FAIR_FAIRTREE_IMPLEMENTATION) && !defined(FAIR_FAIRTREE_IMPLEMENTED)
#define FAIR_FAIRTREE_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

FAIR_FAIRTREE_API int FAIRSCHED_SYMBOL(fair_fairtree)(void)
{
	return FAIRSCHED_VERSION;
}

/* NODES AND LEVELS */

static bool fair_fairtree_is(const struct fair_fairtree *f, uint32_t node,
			     enum fair_fairtree_kind kind)
{
	return node < f->nodes && f->node[node].kind == (uint8_t)kind;
}

static bool fair_fairtree_is_node(const struct fair_fairtree *f, uint32_t node)
{
	return node < f->nodes && f->node[node].kind != FAIR_FAIRTREE_FREE;
}

/* An account without shares of its own: its level is above it. */
static bool fair_fairtree_is_lifted(const struct fair_fairtree *f,
				    uint32_t node)
{
	return f->node[node].shares == FAIR_FAIRTREE_PARENT &&
	       f->node[node].kind == FAIR_FAIRTREE_ACCOUNT;
}

/* The account whose level the children of @account are in. */
static uint32_t fair_fairtree_level_below(const struct fair_fairtree *f,
					  uint32_t account)
{
	while (fair_fairtree_is_lifted(f, account))
		account = f->node[account].parent;
	return account;
}

static uint32_t fair_fairtree_level(const struct fair_fairtree *f,
				    uint32_t node)
{
	return fair_fairtree_level_below(f, f->node[node].parent);
}

/* Whether a node takes part in the order of its level. */
static bool fair_fairtree_is_ranked(const struct fair_fairtree *f,
				    uint32_t node)
{
	return f->node[node].kind == FAIR_FAIRTREE_USER ||
	       (f->node[node].users && !fair_fairtree_is_lifted(f, node));
}

static uint32_t fair_fairtree_counted(uint32_t shares)
{
	return shares == FAIR_FAIRTREE_PARENT ? 0 : shares;
}

/* THE ORDER OF SIBLINGS */

/* Shares and usage, as if zero shares had used something. */
struct fair_fairtree_key {
	uint64_t shares, usage;
};

static struct fair_fairtree_key
fair_fairtree_key_of(const struct fair_fairtree *f, uint32_t node)
{
	const struct fair_fairtree_node *n = f->node + node;
	struct fair_fairtree_key key;

	key.shares = n->shares;
	key.usage = n->shares == FAIR_FAIRTREE_PARENT ? 0
		    : n->shares			      ? n->usage
						      : n->usage | 1;
	return key;
}

/* The sign of the difference of two products. */
static int fair_fairtree_sign(struct fair_wide a, struct fair_wide b)
{
	return fair_wide_less(b, a) - fair_wide_less(a, b);
}

/* -1 if @a of the same level as @b has the larger level fair share; 0: a tie.
 * Zero usage against zero shares is 0 * 0 against shares * usage. */
static int fair_fairtree_compare_siblings(const struct fair_fairtree *f,
					  uint32_t a, uint32_t b)
{
	struct fair_fairtree_key x = fair_fairtree_key_of(f, a);
	struct fair_fairtree_key y = fair_fairtree_key_of(f, b);

	return fair_fairtree_sign(fair_multiply(y.shares, x.usage),
				  fair_multiply(x.shares, y.usage));
}

/* a * b, the lowest word first */
static void fair_fairtree_product(struct fair_wide a, struct fair_wide b,
				  uint64_t product[4])
{
	struct fair_wide low = fair_multiply(a.low, b.low);
	struct fair_wide high = fair_multiply(a.high, b.high);
	struct fair_wide cross[2];
	int i;

	cross[0] = fair_multiply(a.low, b.high);
	cross[1] = fair_multiply(a.high, b.low);
	product[0] = low.low;
	product[1] = low.high;
	product[2] = high.low;
	product[3] = high.high;
	for (i = 0; i < 2; i++) {
		product[1] += cross[i].low;
		cross[i].high += product[1] < cross[i].low; /* < 2^64 */
		product[2] += cross[i].high;
		product[3] += product[2] < cross[i].high;
	}
}

/* Usage above and shares: the numerator of the level fair share is shares *
 * usage of all siblings, the denominator usage * shares of all siblings. */
static int fair_fairtree_compare_finite(const struct fair_fairtree *f,
					uint32_t a, uint32_t b)
{
	const struct fair_fairtree_node *p =
		f->node + fair_fairtree_level(f, a);
	const struct fair_fairtree_node *q =
		f->node + fair_fairtree_level(f, b);
	uint64_t x[4], y[4];
	int i = 3;

	fair_fairtree_product(fair_multiply(f->node[a].shares, q->level_shares),
			      fair_multiply(p->usage, f->node[b].usage), x);
	fair_fairtree_product(fair_multiply(f->node[b].shares, p->level_shares),
			      fair_multiply(q->usage, f->node[a].usage), y);
	while (i && x[i] == y[i])
		i--;
	return (x[i] < y[i]) - (x[i] > y[i]);
}

/* 0: unlimited, it has used nothing; 1; 2: zero shares */
static int fair_fairtree_class(const struct fair_fairtree *f, uint32_t node)
{
	struct fair_fairtree_key key = fair_fairtree_key_of(f, node);

	return !key.shares ? 2 : key.usage != 0;
}

/* The same for nodes of any two levels. */
static int fair_fairtree_compare(const struct fair_fairtree *f, uint32_t a,
				 uint32_t b)
{
	int x, y;

	if (fair_fairtree_level(f, a) == fair_fairtree_level(f, b))
		return fair_fairtree_compare_siblings(f, a, b);
	x = fair_fairtree_class(f, a);
	y = fair_fairtree_class(f, b);
	if (x != 1 || y != 1)
		return (x > y) - (x < y);
	return fair_fairtree_compare_finite(f, a, b);
}

/* THE HEAPS OF A LEVEL */

/* Whether @a with the key @x comes before @b of its level and kind. */
static bool fair_fairtree_is_key_above(const struct fair_fairtree *f,
				       struct fair_fairtree_key x, uint32_t a,
				       uint32_t b)
{
	struct fair_fairtree_key y = fair_fairtree_key_of(f, b);
	int order = fair_fairtree_sign(fair_multiply(y.shares, x.usage),
				       fair_multiply(x.shares, y.usage));

	return order ? order < 0 : a < b;
}

static bool fair_fairtree_is_above(const struct fair_fairtree *f, uint32_t a,
				   uint32_t b)
{
	return fair_fairtree_is_key_above(f, fair_fairtree_key_of(f, a), a, b);
}

static uint32_t fair_fairtree_dist(const struct fair_fairtree *f, uint32_t node)
{
	return node == FAIR_FAIRTREE_NONE ? 0 : f->node[node].dist;
}

/* Restores I5 of a node whose children are heaps. */
static void fair_fairtree_balance(struct fair_fairtree *f, uint32_t node)
{
	struct fair_fairtree_node *n = f->node + node;
	uint32_t left = n->left;

	if (fair_fairtree_dist(f, left) < fair_fairtree_dist(f, n->right)) {
		n->left = n->right;
		n->right = left;
	}
	n->dist = (uint8_t)(fair_fairtree_dist(f, n->right) + 1);
}

/* Merges two heaps. The top's up is not set. */
static uint32_t fair_fairtree_meld(struct fair_fairtree *f, uint32_t a,
				   uint32_t b)
{
	uint32_t top = a, last = FAIR_FAIRTREE_NONE, other;

	if (a == FAIR_FAIRTREE_NONE || b == FAIR_FAIRTREE_NONE)
		return a < b ? a : b;
	/* Loop invariant: what is linked below top comes before all of a and b.
	 */
	while (a != FAIR_FAIRTREE_NONE) {
		if (!fair_fairtree_is_above(f, a, b)) {
			other = a;
			a = b;
			b = other;
		}
		f->node[a].up = last;
		if (last == FAIR_FAIRTREE_NONE)
			top = a;
		else
			f->node[last].right = a;
		last = a;
		a = f->node[a].right;
	}
	f->node[last].right = b;
	f->node[b].up = last;
	for (; last != FAIR_FAIRTREE_NONE; last = f->node[last].up)
		fair_fairtree_balance(f, last);
	return top;
}

static uint32_t *fair_fairtree_top(const struct fair_fairtree *f,
				   uint32_t level, uint32_t node)
{
	return &f->node[level].top[f->node[node].kind == FAIR_FAIRTREE_ACCOUNT];
}

/* Puts the heap @by in the place of @node, which is no longer a child. */
static void fair_fairtree_replace(struct fair_fairtree *f, uint32_t level,
				  uint32_t node, uint32_t up, uint32_t by)
{
	uint32_t *link = fair_fairtree_top(f, level, node), dist;

	if (up != FAIR_FAIRTREE_NONE)
		link = f->node[up].left == node ? &f->node[up].left
						: &f->node[up].right;
	*link = by;
	if (by != FAIR_FAIRTREE_NONE)
		f->node[by].up = up;
	/* Each turn but the last changes a dist, which is at most 31. */
	for (; up != FAIR_FAIRTREE_NONE; up = f->node[up].up) {
		dist = f->node[up].dist;
		fair_fairtree_balance(f, up);
		if (f->node[up].dist == dist)
			break;
	}
}

static void fair_fairtree_unlink(struct fair_fairtree_node *n)
{
	n->left = n->right = n->up = FAIR_FAIRTREE_NONE;
	n->dist = 1;
}

static void fair_fairtree_push(struct fair_fairtree *f, uint32_t level,
			       uint32_t node)
{
	uint32_t *top = fair_fairtree_top(f, level, node);

	fair_fairtree_unlink(f->node + node);
	*top = fair_fairtree_meld(f, *top, node);
	f->node[*top].up = FAIR_FAIRTREE_NONE;
}

static void fair_fairtree_pull(struct fair_fairtree *f, uint32_t level,
			       uint32_t node)
{
	struct fair_fairtree_node *n = f->node + node;
	uint32_t rest = fair_fairtree_meld(f, n->left, n->right);

	fair_fairtree_replace(f, level, node, n->up, rest);
	fair_fairtree_unlink(n);
}

/* Restores the heap after the usage of a node that has a left child grew. */
static void fair_fairtree_sink(struct fair_fairtree *f, uint32_t node)
{
	struct fair_fairtree_node *n = f->node + node;
	struct fair_fairtree_key key = fair_fairtree_key_of(f, node);
	uint32_t up = n->up, rest;

	if (fair_fairtree_is_key_above(f, key, node, n->left) &&
	    (n->right == FAIR_FAIRTREE_NONE ||
	     fair_fairtree_is_key_above(f, key, node, n->right)))
		return;
	rest = fair_fairtree_meld(f, n->left, n->right);
	fair_fairtree_unlink(n);
	rest = fair_fairtree_meld(f, rest, node);
	fair_fairtree_replace(f, fair_fairtree_level(f, node), node, up, rest);
}

/* A node of a level begins to wait, and so perhaps do the accounts above. */
static void fair_fairtree_enter(struct fair_fairtree *f, uint32_t level,
				uint32_t node)
{
	bool waited;

	do {
		waited = f->node[level].waits;
		f->node[level].waits = true;
		fair_fairtree_push(f, level, node);
		node = level;
		if (node == f->nodes)
			return;
		level = fair_fairtree_level(f, node);
	} while (!waited);
}

static void fair_fairtree_leave(struct fair_fairtree *f, uint32_t level,
				uint32_t node)
{
	struct fair_fairtree_node *n;

	for (;;) {
		fair_fairtree_pull(f, level, node);
		n = f->node + level;
		n->waits = n->top[0] != FAIR_FAIRTREE_NONE ||
			   n->top[1] != FAIR_FAIRTREE_NONE;
		if (n->waits || level == f->nodes)
			return;
		node = level;
		level = fair_fairtree_level(f, node);
	}
}

/* LISTS OF A LEVEL */

static void fair_fairtree_insert(struct fair_fairtree *f, uint32_t level,
				 uint32_t node)
{
	struct fair_fairtree_node *n = f->node + node, *l = f->node + level;

	n->prev = FAIR_FAIRTREE_NONE;
	n->next = l->first;
	if (n->next != FAIR_FAIRTREE_NONE)
		f->node[n->next].prev = node;
	l->first = node;
	l->level_shares += fair_fairtree_counted(n->shares);
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
	struct fair_fairtree_node *n = f->node + node, *l = f->node + level;

	if (n->waits)
		fair_fairtree_leave(f, level, node);
	if (n->prev == FAIR_FAIRTREE_NONE)
		l->first = n->next;
	else
		f->node[n->prev].next = n->next;
	if (n->next != FAIR_FAIRTREE_NONE)
		f->node[n->next].prev = n->prev;
	l->level_shares -= fair_fairtree_counted(n->shares);
}

/* Whether @node of a level is there because of @account, which is or was
 * lifted. */
static bool fair_fairtree_is_through(const struct fair_fairtree *f,
				     uint32_t node, uint32_t account)
{
	do
		node = f->node[node].parent;
	while (node != account && node != f->nodes &&
	       fair_fairtree_is_lifted(f, node));
	return node == account;
}

/* Detaches the nodes of a level that are there because of @account. Return:
 * the first, linked by next. */
static uint32_t fair_fairtree_take(struct fair_fairtree *f, uint32_t level,
				   uint32_t account)
{
	uint32_t node = f->node[level].first, taken = FAIR_FAIRTREE_NONE, next;

	for (; node != FAIR_FAIRTREE_NONE; node = next) {
		next = f->node[node].next;
		if (!fair_fairtree_is_through(f, node, account))
			continue;
		fair_fairtree_detach(f, level, node);
		f->node[node].next = taken;
		taken = node;
	}
	return taken;
}

static void fair_fairtree_give(struct fair_fairtree *f, uint32_t level,
			       uint32_t node)
{
	uint32_t next;

	for (; node != FAIR_FAIRTREE_NONE; node = next) {
		next = f->node[node].next;
		fair_fairtree_attach(f, level, node);
	}
}

/* THE TREE */

FAIR_FAIRTREE_API size_t fair_fairtree_size(uint32_t nodes)
{
	uint64_t size = ((uint64_t)nodes + 1) *
				(sizeof(struct fair_fairtree_node) + 8) +
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
	f->rank = (uint32_t *)(void *)(f->node + f->nodes + 1);
	f->scratch = f->rank + f->nodes + 1;
	return f->scratch + f->nodes + 1;
}

static void fair_fairtree_clear(struct fair_fairtree_node *n,
				enum fair_fairtree_kind kind)
{
	FAIR_MEMSET(n, 0, sizeof(*n));
	n->kind = (uint8_t)kind;
	fair_fairtree_unlink(n);
	n->top[0] = n->top[1] = n->first = FAIR_FAIRTREE_NONE;
	n->next = n->prev = FAIR_FAIRTREE_NONE;
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
	for (f->bits = 34; half_life > 1; half_life /= 2)
		f->bits--;
	f->last.from = -1;
	for (i = 0; i <= nodes; i++) {
		fair_fairtree_clear(f->node + i, FAIR_FAIRTREE_FREE);
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
	fair_fairtree_clear(f->node + node, kind);
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
		f->node[node].users++;
	}
	return 0;
}

static bool fair_fairtree_has_children(const struct fair_fairtree *f,
				       uint32_t account)
{
	uint32_t level = fair_fairtree_level_below(f, account);
	uint32_t node = f->node[level].first;

	while (node != FAIR_FAIRTREE_NONE && f->node[node].parent != account)
		node = f->node[node].next;
	return node != FAIR_FAIRTREE_NONE;
}

FAIR_FAIRTREE_API int fair_fairtree_remove(struct fair_fairtree *f,
					   uint32_t node)
{
	bool user = fair_fairtree_is(f, node, FAIR_FAIRTREE_USER);
	uint32_t above;

	if (!fair_fairtree_is_node(f, node) ||
	    (!user && fair_fairtree_has_children(f, node)))
		return -FAIR_EINVAL;
	fair_fairtree_detach(f, fair_fairtree_level(f, node), node);
	above = node;
	while (user && above != f->nodes) {
		above = f->node[above].parent;
		f->node[above].users--;
	}
	fair_fairtree_clear(f->node + node, FAIR_FAIRTREE_FREE);
	return 0;
}

/* Adds usage and users to an account and all above it, or with @sign -1 takes
 * them. */
static void fair_fairtree_transfer(struct fair_fairtree *f, uint32_t account,
				   const struct fair_fairtree_node *n, int sign)
{
	uint32_t users = n->kind == FAIR_FAIRTREE_USER ? 1 : n->users;
	uint64_t usage = n->usage;
	struct fair_fairtree_node *a;
	bool in_heap;

	for (;; account = a->parent) {
		a = f->node + account;
		in_heap = a->waits && account != f->nodes;
		if (in_heap)
			fair_fairtree_pull(f, fair_fairtree_level(f, account),
					   account);
		a->usage += sign > 0 ? usage : -usage;
		a->users += sign > 0 ? users : -users;
		if (in_heap)
			fair_fairtree_push(f, fair_fairtree_level(f, account),
					   account);
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
	fair_fairtree_transfer(f, n->parent, n, -1);
	n->parent = parent;
	fair_fairtree_transfer(f, parent, n, 1);
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
	return f->node[f->nodes].users;
}

/* USAGE */

/* Makes all that follows from kind, parent, shares, usage, and of users
 * waits. */
static void fair_fairtree_link(struct fair_fairtree *f)
{
	struct fair_fairtree_node *n;
	uint32_t i, above;

	for (i = 0; i <= f->nodes; i++) {
		n = f->node + i;
		n->level_shares = n->users = 0;
		n->first = n->top[0] = n->top[1] = FAIR_FAIRTREE_NONE;
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
			f->node[above].users++;
		}
		if (f->node[i].waits)
			fair_fairtree_enter(f, fair_fairtree_level(f, i), i);
	}
}

/* Begins a later period. */
static void fair_fairtree_advance(struct fair_fairtree *f, uint64_t period)
{
	uint64_t shift = period - f->period;
	uint32_t i;

	for (i = 0; i <= f->nodes; i++)
		f->node[i].usage = shift < 64 ? f->node[i].usage >> shift : 0;
	f->period = period;
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

/* The usage that a charge adds, in the period in which it is made. Return:
 * false if the total would exceed 2^63. */
static bool fair_fairtree_amount(const struct fair_fairtree *f,
				 const struct fair_fairtree_span *span,
				 uint64_t rate, uint64_t *amount)
{
	uint64_t total = f->node[f->nodes].usage, unit = span->unit, late;
	struct fair_wide product;

	if (span->period < f->period) {
		late = f->period - span->period;
		unit = late < 64 ? unit >> late : 0;
	} else if (span->period > f->period) {
		late = span->period - f->period;
		total = late < 64 ? total >> late : 0;
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
	uint64_t amount;
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
	if (span->period > f->period)
		fair_fairtree_advance(f, span->period);
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

/* THE NEXT USER */

static bool fair_fairtree_ties(const struct fair_fairtree *f, uint32_t a,
			       uint32_t b)
{
	return a != FAIR_FAIRTREE_NONE && fair_fairtree_compare(f, a, b) == 0;
}

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
	uint32_t i = all ? f->node[level].first : f->node[level].top[1];

	if (!all && !fair_fairtree_ties(f, i, best))
		return end;
	while (i != FAIR_FAIRTREE_NONE) {
		if (!all || (f->node[i].kind == FAIR_FAIRTREE_ACCOUNT &&
			     fair_fairtree_is_ranked(f, i) &&
			     fair_fairtree_ties(f, i, best)))
			f->scratch[end++] = i;
		i = all ? f->node[i].next : fair_fairtree_next_tied(f, i, best);
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
		for (i = f->node[f->scratch[begin]].first;
		     i != FAIR_FAIRTREE_NONE; i = f->node[i].next)
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
			i = f->node[f->scratch[begin]].first;
			for (; i != FAIR_FAIRTREE_NONE; i = f->node[i].next)
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
			const uint32_t *top = f->node[f->scratch[i]].top;

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
	const struct fair_fairtree_node *n = f->node + f->nodes, *a;
	int order;

	for (;; n = a) {
		if (n->top[1] == FAIR_FAIRTREE_NONE)
			return n->top[0];
		a = f->node + n->top[1];
		order = n->top[0] == FAIR_FAIRTREE_NONE
				? 1
				: fair_fairtree_compare_siblings(f, n->top[0],
								 n->top[1]);
		if (order < 0)
			return n->top[0];
		if (order == 0 ||
		    (a->left != FAIR_FAIRTREE_NONE &&
		     !fair_fairtree_compare_siblings(f, n->top[1], a->left)) ||
		    (a->right != FAIR_FAIRTREE_NONE &&
		     !fair_fairtree_compare_siblings(f, n->top[1], a->right)))
			return fair_fairtree_next_merged(f, false);
	}
}

/* RANKS */

/* Marks of the stack of fair_fairtree_sort(). */
#define FAIR_FAIRTREE_LAST (UINT32_C(1) << 31) /* of its siblings */
#define FAIR_FAIRTREE_TIED (UINT32_C(1) << 30) /* with what is before it */
#define FAIR_FAIRTREE_NUMBER (FAIR_FAIRTREE_TIED - 1)

/* Whether @a is walked before @b: users before accounts that they tie with. */
static bool fair_fairtree_is_before(const struct fair_fairtree *f, uint32_t a,
				    uint32_t b)
{
	int order = fair_fairtree_compare(f, a, b);

	if (!order)
		order = f->node[b].kind - f->node[a].kind;
	return order ? order < 0 : a < b;
}

/* Moves x[i] down a heap of n nodes with the last one on top. */
static void fair_fairtree_sift(const struct fair_fairtree *f, uint32_t *x,
			       uint32_t i, uint32_t n)
{
	uint32_t child, moved = x[i];

	for (; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n &&
		    !fair_fairtree_is_before(f, x[child + 1], x[child]))
			child++;
		if (fair_fairtree_is_before(f, x[child], moved))
			break;
		x[i] = x[child];
	}
	x[i] = moved;
}

/* Sorts nodes for a stack: the first goes on top, at the end. */
static void fair_fairtree_heapsort(const struct fair_fairtree *f, uint32_t *x,
				   uint32_t n)
{
	uint32_t i, first;

	for (i = n / 2; i-- > 0;)
		fair_fairtree_sift(f, x, i, n);
	for (i = n; i-- > 1;) {
		first = x[0];
		x[0] = x[i];
		x[i] = first;
		fair_fairtree_sift(f, x, 0, i);
	}
	/* Now the last one of the walk is at the end. */
	for (i = 0; i < n / 2; i++) {
		first = x[i];
		x[i] = x[n - 1 - i];
		x[n - 1 - i] = first;
	}
}

/* Pushes the children of accounts that tie, which rank[] links. */
static uint32_t fair_fairtree_push_children(struct fair_fairtree *f,
					    uint32_t account, uint32_t n,
					    uint32_t tied)
{
	uint32_t *stack = f->scratch, base = n, i;

	for (; account != FAIR_FAIRTREE_NONE; account = f->rank[account])
		for (i = f->node[account].first; i != FAIR_FAIRTREE_NONE;
		     i = f->node[i].next)
			if (fair_fairtree_is_ranked(f, i))
				stack[n++] = i;
	fair_fairtree_heapsort(f, stack + base, n - base);
	for (i = base; i + 1 < n; i++)
		if (fair_fairtree_ties(f, stack[i], stack[i + 1]))
			stack[i] |= FAIR_FAIRTREE_TIED;
	stack[n - 1] |= tied;
	stack[base] |= FAIR_FAIRTREE_LAST;
	return n;
}

FAIR_FAIRTREE_API void fair_fairtree_sort(struct fair_fairtree *f)
{
	uint32_t *stack = f->scratch, n = 0, node, item, account;
	uint32_t place = fair_fairtree_users(f), rank = place;

	if (!place)
		return;
	f->rank[f->nodes] = FAIR_FAIRTREE_NONE;
	n = fair_fairtree_push_children(f, f->nodes, n, 0);
	while (n) {
		item = stack[--n];
		node = item & FAIR_FAIRTREE_NUMBER;
		if (f->node[node].kind == FAIR_FAIRTREE_USER) {
			if (!(item & FAIR_FAIRTREE_TIED))
				rank = place;
			f->rank[node] = rank;
			place--;
			continue;
		}
		/* Siblings that tie with an account are accounts. */
		f->rank[node] = FAIR_FAIRTREE_NONE;
		for (account = node; !(item & FAIR_FAIRTREE_LAST) &&
				     stack[n - 1] & FAIR_FAIRTREE_TIED;) {
			uint32_t other = stack[--n];

			item |= other & FAIR_FAIRTREE_LAST;
			other &= FAIR_FAIRTREE_NUMBER;
			f->rank[other] = account;
			account = other;
		}
		n = fair_fairtree_push_children(f, account, n,
						item & FAIR_FAIRTREE_TIED);
	}
}

FAIR_FAIRTREE_API uint32_t fair_fairtree_rank(const struct fair_fairtree *f,
					      uint32_t user)
{
	return f->rank[user];
}

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
	const struct fair_fairtree_node *level;

	if (!fair_fairtree_is_node(f, node))
		return -FAIR_EINVAL;
	level = f->node + fair_fairtree_level(f, node);
	part->used = fair_fairtree_points(f->node[node].usage, level->usage);
	part->owed = fair_fairtree_points(
		fair_fairtree_counted(f->node[node].shares),
		level->level_shares);
	return 0;
}

static uint32_t fair_fairtree_depth(const struct fair_fairtree *f,
				    uint32_t node)
{
	uint32_t depth = 0;

	for (; node != f->nodes; node = fair_fairtree_level(f, node))
		depth++;
	return depth;
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
	FAIR_MEMCPY(x.rank, f->rank, n * sizeof(*x.rank));
	FAIR_MEMCPY(x.scratch, f->scratch, n * sizeof(*x.scratch));
	*copy = x;
	return 0;
}

enum fair_fairtree_section { FAIR_FAIRTREE_STATE = 31, FAIR_FAIRTREE_TREE };

static void fair_fairtree_fields(struct fair_checkpoint *c,
				 struct fair_fairtree *f)
{
	fair_checkpoint_one(c, FAIR_FAIRTREE_STATE, 2);
	fair_checkpoint_u64(c, &f->period);
	fair_checkpoint_u64(c, &f->node[f->nodes].usage);
}

static void fair_fairtree_node_fields(struct fair_checkpoint *c,
				      struct fair_fairtree_node *n)
{
	uint32_t kind = n->kind;

	fair_checkpoint_record(c);
	fair_checkpoint_u32(c, &kind);
	fair_checkpoint_u32(c, &n->parent);
	fair_checkpoint_u32(c, &n->shares);
	fair_checkpoint_u64(c, &n->usage);
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
	fair_checkpoint_section(c, FAIR_FAIRTREE_TREE, f->nodes, 5);
	for (i = 0; i < f->nodes; i++) {
		struct fair_fairtree_node n = f->node[i];

		n.waits &= n.kind == FAIR_FAIRTREE_USER;
		fair_fairtree_node_fields(c, &n);
	}
}

/* I1 */
static bool fair_fairtree_has_valid_ways(const struct fair_fairtree *f)
{
	uint32_t i, node, steps;

	for (i = 0; i < f->nodes; i++) {
		node = i;
		for (steps = 0; f->node[i].kind && node != f->nodes; steps++) {
			node = f->node[node].parent;
			if (node > f->nodes || steps == f->nodes ||
			    f->node[node].kind != FAIR_FAIRTREE_ACCOUNT)
				return false;
		}
	}
	return f->node[f->nodes].shares != FAIR_FAIRTREE_PARENT;
}

FAIR_FAIRTREE_API void fair_fairtree_load(struct fair_fairtree *f,
					  struct fair_checkpoint *c)
{
	uint32_t i;

	fair_fairtree_fields(c, f);
	if (fair_checkpoint_section(c, FAIR_FAIRTREE_TREE, 0, 0) != f->nodes) {
		c->bad = true;
		return;
	}
	for (i = 0; i < f->nodes; i++) {
		fair_fairtree_clear(f->node + i, FAIR_FAIRTREE_FREE);
		fair_fairtree_node_fields(c, f->node + i);
		c->bad |= f->node[i].waits &&
			  f->node[i].kind != FAIR_FAIRTREE_USER;
	}
	if (c->bad || !fair_fairtree_has_valid_ways(f)) {
		c->bad = true;
		return;
	}
	fair_fairtree_link(f);
	c->bad |= fair_fairtree_check(f) != 0;
}

/* INVARIANTS */

/* I2 of one level; @seen counts its nodes. */
static bool fair_fairtree_has_valid_list(const struct fair_fairtree *f,
					 uint32_t level, uint32_t *seen)
{
	uint32_t i = f->node[level].first, prev = FAIR_FAIRTREE_NONE;

	for (; i != FAIR_FAIRTREE_NONE; prev = i, i = f->node[i].next) {
		if (!fair_fairtree_is_node(f, i) || f->node[i].prev != prev ||
		    fair_fairtree_level(f, i) != level)
			return false;
		++*seen;
	}
	return true;
}

/* I2: prev tells the places of a list apart, so none is there twice. */
static bool fair_fairtree_has_valid_lists(const struct fair_fairtree *f)
{
	uint32_t i, nodes = 0, seen = 0;

	for (i = 0; i <= f->nodes; i++) {
		nodes += fair_fairtree_is_node(f, i);
		if (f->node[i].kind == FAIR_FAIRTREE_ACCOUNT &&
		    !fair_fairtree_has_valid_list(f, i, &seen))
			return false;
	}
	return nodes == seen;
}

/* I3 of one account */
static bool fair_fairtree_has_valid_sums(const struct fair_fairtree *f,
					 uint32_t account)
{
	const struct fair_fairtree_node *a = f->node + account, *n;
	uint32_t i = f->node[fair_fairtree_level_below(f, account)].first;
	uint64_t shares = 0, usage = 0;
	uint32_t users = 0;

	for (; i != FAIR_FAIRTREE_NONE; i = n->next) {
		n = f->node + i;
		shares += fair_fairtree_counted(n->shares);
		if (n->parent != account)
			continue;
		users += n->kind == FAIR_FAIRTREE_USER ? 1 : n->users;
		if (n->usage > INT64_MAX - usage)
			return false;
		usage += n->usage;
	}
	if (fair_fairtree_is_lifted(f, account))
		shares = 0;
	return a->level_shares == shares && a->users == users &&
	       a->usage >= usage && a->usage <= INT64_MAX;
}

/* Whether @child of a heap is one of @node's. */
static bool fair_fairtree_has_valid_child(const struct fair_fairtree *f,
					  uint32_t node, uint32_t child)
{
	return child == FAIR_FAIRTREE_NONE ||
	       (fair_fairtree_is_node(f, child) && f->node[child].up == node &&
		f->node[child].waits &&
		f->node[child].kind == f->node[node].kind &&
		fair_fairtree_level(f, child) == fair_fairtree_level(f, node));
}

/* I4 of a node: whether it is in a heap if it waits. */
static bool fair_fairtree_has_valid_place(const struct fair_fairtree *f,
					  uint32_t node)
{
	const struct fair_fairtree_node *n = f->node + node, *up;

	if (!n->waits)
		return n->left == FAIR_FAIRTREE_NONE &&
		       n->right == FAIR_FAIRTREE_NONE;
	if (!fair_fairtree_has_valid_child(f, node, n->left) ||
	    !fair_fairtree_has_valid_child(f, node, n->right))
		return false;
	if (n->up == FAIR_FAIRTREE_NONE)
		return *fair_fairtree_top(f, fair_fairtree_level(f, node),
					  node) == node;
	if (!fair_fairtree_is_node(f, n->up))
		return false;
	up = f->node + n->up;
	return up->left == node || up->right == node;
}

/* I4 of an account */
static bool fair_fairtree_has_valid_tops(const struct fair_fairtree *f,
					 uint32_t account)
{
	const struct fair_fairtree_node *a = f->node + account;
	uint32_t kind, top;

	for (kind = 0; kind < 2; kind++) {
		top = a->top[kind];
		if (top == FAIR_FAIRTREE_NONE)
			continue;
		if (!fair_fairtree_is_node(f, top) || !f->node[top].waits ||
		    f->node[top].up != FAIR_FAIRTREE_NONE ||
		    fair_fairtree_top(f, account, top) != &a->top[kind] ||
		    fair_fairtree_level(f, top) != account)
			return false;
	}
	return a->waits == (a->top[0] != FAIR_FAIRTREE_NONE ||
			    a->top[1] != FAIR_FAIRTREE_NONE);
}

/* I5 */
static bool fair_fairtree_has_valid_order(const struct fair_fairtree *f,
					  uint32_t node)
{
	const struct fair_fairtree_node *n = f->node + node;
	uint32_t left = fair_fairtree_dist(f, n->left);
	uint32_t right = fair_fairtree_dist(f, n->right);

	return left >= right && n->dist == right + 1 &&
	       (!left || fair_fairtree_is_above(f, node, n->left)) &&
	       (!right || fair_fairtree_is_above(f, node, n->right));
}

static bool fair_fairtree_is_account(const struct fair_fairtree *f,
				     uint32_t node)
{
	return f->node[node].kind == FAIR_FAIRTREE_ACCOUNT;
}

FAIR_FAIRTREE_API int fair_fairtree_check(const struct fair_fairtree *f)
{
	uint32_t i;

	if (!fair_fairtree_has_valid_ways(f))
		return 1;
	if (!fair_fairtree_has_valid_lists(f))
		return 2;
	for (i = 0; i <= f->nodes; i++)
		if (fair_fairtree_is_account(f, i) &&
		    !fair_fairtree_has_valid_sums(f, i))
			return 3;
	for (i = 0; i <= f->nodes; i++)
		if ((fair_fairtree_is_account(f, i) &&
		     !fair_fairtree_has_valid_tops(f, i)) ||
		    (fair_fairtree_is_node(f, i) &&
		     !fair_fairtree_has_valid_place(f, i)))
			return 4;
	for (i = 0; i < f->nodes; i++)
		if (fair_fairtree_is_node(f, i) &&
		    !fair_fairtree_has_valid_order(f, i))
			return 5;
	return 0;
}

#ifdef __cplusplus
}
#endif
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
