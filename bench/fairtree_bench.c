/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairtree_bench.c - charges and next users of a large tree
 *
 * 100,000 users, all with queued jobs, below 10,000 accounts in 5 levels. The
 * case naive does what Slurm does every few minutes: sum up all usages and rank
 * all users. Where all usages are zero (tied) every account ties.
 */
#include "bench.h"

#define FAIRSCHED_IMPLEMENTATION
#include "policies/fairtree.h"

#define USERS 100000
#define ACCOUNTS 10000
#define NODES (USERS + ACCOUNTS)
#define LEVELS 5 /* of accounts */
#define WIDTH 6
#define OPERATIONS 100000

struct bench {
	struct fair_fairtree f;
	void *memory;
	uint32_t *user; /* drawn */
	uint32_t *parent;
	double *usage;
	uint32_t *child, *first; /* naive: children by parent */
	uint32_t ranked;
	int64_t now;
	uint64_t sum;
};

static uint32_t user_of(uint32_t i)
{
	return ACCOUNTS + i;
}

/* 6 accounts, 36, 216, 1296 and the rest; users below the last ones. */
static void add_all(struct bench *b)
{
	uint32_t i, begin[LEVELS + 1] = { 0 }, level, size = WIDTH;
	uint32_t above, leaves;

	for (level = 0; level < LEVELS; level++, size *= WIDTH)
		begin[level + 1] = begin[level] + size;
	begin[LEVELS] = ACCOUNTS;
	for (i = level = 0; i < ACCOUNTS; i++) {
		level += i == begin[level + 1];
		above = level ? begin[level - 1] +
					(i - begin[level]) % (begin[level] -
							      begin[level - 1])
			      : FAIR_FAIRTREE_ROOT;
		bench_must(
			!fair_fairtree_add_account(&b->f, i, above, 1 + i % 7),
			"account");
		b->parent[i] = level ? above : NODES;
	}
	leaves = ACCOUNTS - begin[LEVELS - 1];
	for (i = 0; i < USERS; i++) {
		above = begin[LEVELS - 1] + i % leaves;
		bench_must(!fair_fairtree_add_user(&b->f, user_of(i), above,
						   1 + i % 5),
			   "user");
		b->parent[user_of(i)] = above;
	}
}

static void add_flat(struct bench *b)
{
	uint32_t i;

	for (i = 0; i < USERS; i++)
		fair_fairtree_add_user(&b->f, user_of(i), FAIR_FAIRTREE_ROOT,
				       1 + i % 5);
}

static void begin(struct bench *b, void (*add)(struct bench *b), bool used)
{
	uint64_t state = 3;
	uint32_t i;

	bench_must(!fair_fairtree_init(&b->f, sizeof(b->f), b->memory,
				       fair_fairtree_size(NODES), NODES,
				       7 * 86400),
		   "init");
	add(b);
	b->now = 1000000000;
	for (i = 0; i < USERS; i++) {
		if (used)
			fair_fairtree_charge(
				&b->f, user_of(i), b->now - 1, b->now,
				bench_log_uniform(&state, 1, 100000));
		fair_fairtree_set_waiting(&b->f, user_of(i), true);
	}
}

static void charge(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		b->now += i % 16 == 0;
		fair_fairtree_charge(&b->f, b->user[i], b->now - 1, b->now, 64);
	}
}

/* As many charges for other intervals: growth is computed each time. */
static void charge_minutes(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		b->now += i % 16 == 0;
		fair_fairtree_charge(&b->f, b->user[i], b->now - 61 - i % 999,
				     b->now, 64);
	}
}

static void next(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++)
		b->sum += fair_fairtree_next(&b->f);
}

/* What a scheduler does: the next user is charged, which is another then. */
static void serve(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		b->now += i % 16 == 0;
		fair_fairtree_charge(&b->f, fair_fairtree_next(&b->f),
				     b->now - 1, b->now, 64);
	}
}

/* The same charges without asking which user is next. */
static uint32_t served[OPERATIONS];

static void note_served(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		served[i] = fair_fairtree_next(&b->f);
		b->now += i % 16 == 0;
		fair_fairtree_charge(&b->f, served[i], b->now - 1, b->now, 64);
	}
}

static void charge_served(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		b->now += i % 16 == 0;
		fair_fairtree_charge(&b->f, served[i], b->now - 1, b->now, 64);
	}
}

static void again(void *ctx)
{
	begin(ctx, add_all, true);
}

static void note_again(void *ctx)
{
	again(ctx);
	note_served(ctx);
	again(ctx);
}

static void wait_and_not(void *ctx)
{
	struct bench *b = ctx;
	int i;

	for (i = 0; i < OPERATIONS; i++) {
		fair_fairtree_set_waiting(&b->f, b->user[i], false);
		fair_fairtree_set_waiting(&b->f, b->user[i], true);
	}
}

static void sort(void *ctx)
{
	struct bench *b = ctx;

	fair_fairtree_sort(&b->f);
}

/* NAIVE */

static const struct bench *naive; /* of the comparison */

static double share(const struct bench *b, uint32_t node)
{
	return (double)b->f.node[node].shares / b->usage[node];
}

static int by_share(const void *x, const void *y)
{
	uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
	double a = share(naive, i), b = share(naive, k);

	return a != b ? (a < b ? 1 : -1) : (i > k) - (i < k);
}

static void naive_walk(struct bench *b, uint32_t account)
{
	uint32_t *child = b->child + b->first[account], i;
	uint32_t n = b->first[account + 1] - b->first[account];

	qsort(child, n, sizeof(*child), by_share);
	for (i = 0; i < n; i++) {
		if (child[i] < ACCOUNTS)
			naive_walk(b, child[i]);
		else if (!b->ranked++)
			b->sum += child[i];
	}
}

static void naive_serve(void *ctx)
{
	struct bench *b = ctx;
	uint32_t i, at;

	b->usage[b->user[b->sum % OPERATIONS]] += 64;
	for (i = 0; i < ACCOUNTS; i++)
		b->usage[i] = 0;
	for (i = 0; i < USERS; i++)
		for (at = b->parent[user_of(i)]; at != NODES;
		     at = b->parent[at])
			b->usage[at] += b->usage[user_of(i)];
	b->ranked = 0;
	naive = b;
	naive_walk(b, NODES);
	bench_must(b->ranked == USERS, "naive rank");
}

static void naive_begin(struct bench *b)
{
	uint32_t i, sum = 0, n;

	for (i = 0; i < NODES; i++) {
		b->usage[i] = (double)b->f.node[i].usage;
		b->first[b->parent[i] + 1]++;
	}
	for (i = 0; i <= NODES + 1; i++) {
		n = b->first[i];
		b->first[i] = sum += n;
	}
	for (i = 0; i < NODES; i++)
		b->child[b->first[b->parent[i]]++] = i;
	for (i = NODES + 1; i > 0; i--)
		b->first[i] = b->first[i - 1];
	b->first[0] = 0;
}

static double run(struct bench *b, const char *name, size_t ops,
		  void (*f)(void *ctx), void (*prepare)(void *ctx),
		  double target)
{
	struct bench_case c = { 0 };

	c.name = name;
	c.n = USERS;
	c.ops = ops;
	c.run = f;
	c.prepare = prepare;
	c.target = target;
	return bench_run(&c, b);
}

int main(int argc, char **argv)
{
	uint64_t state = 1;
	static struct bench b;
	double both, alone;
	uint32_t i;

	bench_open(argc, argv);
	b.memory = bench_alloc(fair_fairtree_size(NODES));
	b.user = bench_alloc(OPERATIONS * sizeof(*b.user));
	b.parent = bench_alloc(NODES * sizeof(*b.parent));
	b.usage = bench_alloc(NODES * sizeof(*b.usage));
	b.child = bench_alloc(NODES * sizeof(*b.child));
	b.first = bench_alloc((NODES + 2) * sizeof(*b.first));
	for (i = 0; i < OPERATIONS; i++)
		b.user[i] = user_of((uint32_t)(bench_random(&state) % USERS));
	begin(&b, add_all, true);
	run(&b, "fairtree_charge", OPERATIONS, charge, NULL, 150);
	run(&b, "fairtree_charge_minutes", OPERATIONS, charge_minutes, NULL, 0);
	run(&b, "fairtree_next_again", OPERATIONS, next, NULL, 0);
	both = run(&b, "fairtree_serve", OPERATIONS, serve, again, 0);
	alone = run(&b, "fairtree_charge_served", OPERATIONS, charge_served,
		    note_again, 0);
	bench_value("fairtree_next", USERS, "ns", both - alone, 100);
	run(&b, "fairtree_wait", OPERATIONS, wait_and_not, NULL, 0);
	run(&b, "fairtree_sort", 1, sort, NULL, 0);
	naive_begin(&b);
	run(&b, "naive_fairtree_serve", 1, naive_serve, NULL, 0);
	bench_must(!fair_fairtree_check(&b.f), "check");
	begin(&b, add_all, false);
	run(&b, "fairtree_tied_sort", 1, sort, NULL, 0);
	run(&b, "fairtree_tied_serve", OPERATIONS, serve, NULL, 0);
	begin(&b, add_flat, true);
	run(&b, "fairtree_flat_charge", OPERATIONS, charge, NULL, 0);
	run(&b, "fairtree_flat_serve", OPERATIONS, serve, NULL, 0);
	bench_must(!fair_fairtree_check(&b.f), "check");
	bench_sink += b.sum;
	return 0;
}
