/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Two servers charge the jobs of one site for 60 days, exchange their ledgers as
 * bytes now and then, and are killed 200 times: the merged ledger is that of one
 * server that charged them all.
 *
 * A server keeps a log of its charges, which survives, and a checkpoint, which is
 * replaced now and then. A kill loses all else. One server is away for a week.
 */
#include "policies/fairtree.h"
#include "tests/ledger.h"

enum { USERS = 12, CHARGES = 20000, KILLS = 200, BYTES = 1 << 14 };

struct charge {
	uint32_t user;
	int64_t t0, t1, rate;
};

static struct server {
	struct fair_usage u;
	unsigned char memory[BYTES], saved[BYTES];
	size_t bytes; /* saved */
	struct charge log[CHARGES];
	uint64_t logged;
} server[2];

static struct fair_usage one;
static int64_t life; /* 0: windows */

static void init(struct fair_usage *u, void *bytes, uint64_t id)
{
	TEST_EQ(life ? fair_usage_init_half_life(u, sizeof(*u), bytes, BYTES,
						 USERS, 2, id, life)
		     : fair_usage_init_windows(u, sizeof(*u), bytes, BYTES,
					       USERS, 2, id, 14, DAY,
					       4 * FAIR_USAGE_ONE / 5),
		0);
}

static void save(struct server *s)
{
	s->bytes = fair_usage_checkpoint_size(&s->u);
	TEST_EQ(fair_usage_save(&s->u, s->saved, sizeof(s->saved)), 0);
}

static void load(struct fair_usage *u, unsigned char *room,
		 const unsigned char *saved, size_t bytes)
{
	TEST_EQ(fair_usage_load(u, sizeof(*u), room, BYTES, saved, bytes, NULL),
		0);
}

/* What @from has goes to @to as bytes. */
static void send_ledger(const struct server *from, struct server *to)
{
	static unsigned char bytes[BYTES], loaded[BYTES];
	struct fair_usage u;

	TEST_EQ(fair_usage_save(&from->u, bytes, sizeof(bytes)), 0);
	load(&u, loaded, bytes, fair_usage_checkpoint_size(&from->u));
	TEST_EQ(fair_usage_merge(&to->u, &u), 0);
}

static void make(struct server *s, const struct charge *c)
{
	TEST_EQ(fair_usage_charge(&s->u, c->user, c->t0, c->t1, c->rate), 0);
}

static void catch_up(struct server *s)
{
	uint64_t i;

	for (i = fair_usage_changes(&s->u); i < s->logged; i++)
		make(s, &s->log[i]);
	TEST_EQ(fair_usage_changes(&s->u), s->logged);
}

static void kill_server(struct server *s, const struct server *peer, bool ask)
{
	memset(s->memory, 0xa5, sizeof(s->memory));
	load(&s->u, s->memory, s->saved, s->bytes);
	if (ask)
		send_ledger(peer, s);
	catch_up(s);
}

static void rank(const struct fair_usage *u, int64_t t, uint32_t *ranks)
{
	static unsigned char bytes[BYTES];
	struct fair_fairtree f;
	uint64_t whole;
	uint32_t i;

	TEST_EQ(fair_fairtree_init(&f, sizeof(f), bytes, sizeof(bytes), 16,
				   604800),
		0);
	for (i = 12; i < 16; i++)
		fair_fairtree_add_account(&f, i, FAIR_FAIRTREE_ROOT, i - 11);
	for (i = 0; i < USERS; i++) {
		TEST_EQ(fair_fairtree_add_user(&f, i, 12 + i % 4, 1 + i / 4),
			0);
		TEST_EQ(fair_usage_at(u, i, t, &whole, NULL), 0);
		TEST_EQ(fair_fairtree_charge(&f, i, 0, 1, (int64_t)whole), 0);
	}
	fair_fairtree_sort(&f);
	for (i = 0; i < USERS; i++)
		ranks[i] = fair_fairtree_rank(&f, i);
}

/* With windows to the last bit, with a half-life to 2^-32. */
static bool is_near(const struct fair_usage *a, uint32_t user, int64_t t)
{
	uint64_t w[2], f[2], off;

	TEST_EQ(fair_usage_at(a, user, t, &w[0], &f[0]), 0);
	TEST_EQ(fair_usage_at(&one, user, t, &w[1], &f[1]), 0);
	if (!life)
		return w[0] == w[1] && f[0] == f[1];
	off = (w[0] - w[1]) << 32;
	off += (f[0] >> 32) - (f[1] >> 32);
	return off + 1 <= 2;
}

static void compare(int64_t t)
{
	uint32_t ranks[3][USERS], i;

	send_ledger(&server[0], &server[1]);
	send_ledger(&server[1], &server[0]);
	send_ledger(&server[0], &server[1]);
	for (i = 0; i < USERS; i++) {
		TEST_CHECK(same_reading(&server[0].u, &server[1].u, i, t));
		TEST_CHECK(is_near(&server[0].u, i, t));
	}
	rank(&server[0].u, t, ranks[0]);
	rank(&server[1].u, t, ranks[1]);
	rank(&one, t, ranks[2]);
	TEST_CHECK(!memcmp(ranks[0], ranks[1], sizeof(ranks[0])));
	TEST_CHECK(!memcmp(ranks[0], ranks[2], sizeof(ranks[0])));
	TEST_EQ(fair_usage_check(&server[0].u), 0);
}

static void replay(void)
{
	static unsigned char bytes[BYTES];
	uint64_t random = 11;
	int64_t now = 0;
	int n, kills = 0, s;
	struct charge c;
	bool away;

	init(&one, bytes, 7);
	for (s = 0; s < 2; s++) {
		init(&server[s].u, server[s].memory, (uint64_t)s + 1);
		server[s].logged = 0;
		save(&server[s]);
	}
	for (n = 0; n < CHARGES; n++) {
		now += test_range(&random, 1, 517);
		s = (int)test_range(&random, 0, 1);
		away = now > 20 * DAY && now < 27 * DAY;
		c.user = (uint32_t)test_range(&random, 0, USERS - 1);
		c.t1 = now;
		c.t0 = now - test_range(&random, 1, now < 90000 ? now : 90000);
		c.rate = test_range(&random, 1, 64);
		TEST_EQ(fair_usage_charge(&one, c.user, c.t0, c.t1, c.rate), 0);
		server[s].log[server[s].logged++] = c;
		/* It may be killed between the log and the ledger. */
		if (n % (CHARGES / KILLS) == CHARGES / KILLS - 1) {
			kill_server(&server[s], &server[1 - s],
				    !away && kills % 2);
			kills++;
		} else {
			make(&server[s], &c);
		}
		if (test_range(&random, 0, 199) == 0)
			save(&server[s]);
		if (!away && test_range(&random, 0, 99) == 0)
			send_ledger(&server[s], &server[1 - s]);
		if (!away && n % 1000 == 0)
			compare(now);
	}
	compare(now);
	TEST_EQ(kills, KILLS);
	TEST_EQ(server[0].logged + server[1].logged, CHARGES);
	TEST_EQ(fair_usage_changes(&server[0].u), server[0].logged);
}

TEST(windows_of_two_servers)
{
	life = 0;
	replay();
}

TEST(half_lives_of_two_servers)
{
	life = WEEK;
	replay();
}
