/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * maui.h by itself: what a configuration may say, what a request is charged
 * and counted as, and which invariants its check sees.
 */
#include "tests/maui_site.h"

/* Leaves no 0 behind where locals will be, nor what was there. */
static void scribble(void)
{
	volatile unsigned char x[4096];
	size_t i;

	for (i = 0; i < sizeof(x); i++)
		x[i] = 0xa5;
}

TEST(defaults)
{
	const struct fair_maui_config config = fair_maui_defaults();
	struct fair_maui_credential c;

	TEST_EQ(config.windows, 7);
	TEST_EQ(config.interval, DAY);
	scribble();
	c = fair_maui_credential_defaults();
	TEST_EQ(c.priority, 0);
	TEST_CHECK(!c.has_target);
}

/* There is no ledger where nothing counts, or where there is no credential; jobs
 * without one count as one more. */
TEST(sizes)
{
	const size_t job = sizeof(struct fair_maui_job);
	struct fair_maui_config c = fair_maui_defaults();
	struct fair_maui m;
	size_t bytes, shift;
	char *memory;

	c.count[FAIR_THROTTLE_USER] = 2;
	c.count[FAIR_THROTTLE_QOS] = 3;
	bytes = fair_throttle_size(c.count) + 8 + sizeof(c) +
		3 * sizeof(struct fair_maui_qos) +
		(5 + FAIR_THROTTLE_KINDS) * sizeof(struct fair_maui_standing);
	TEST_EQ(fair_maui_size(&c, 0), bytes);
	c.usage = FAIR_MAUI_PROCS;
	bytes += fair_usage_size(3, 7, 1) + fair_usage_size(4, 7, 1);
	TEST_EQ(fair_maui_size(&c, 4), bytes + 4 * job);
	bytes = fair_maui_size(&c, 1);
	for (shift = 0; shift < 8; shift++) {
		memory = malloc(bytes + shift);
		TEST_REQUIRE(memory);
		TEST_OK(fair_maui_init(&m, sizeof(m), memory + shift, bytes, &c,
				       1, 1, 0));
		TEST_EQ((char *)m.config - memory, shift ? 8 : 0);
		TEST_EQ(fair_maui_check(&m), 0);
		free(memory);
	}
	c.poll = INT64_C(1) << 61; /* as rare as an iteration can be */
	TEST_EQ(fair_maui_size(&c, 1), bytes);
	c.poll++;
	TEST_EQ(fair_maui_size(&c, 1), 0);
	c.poll = 0;
	memset(c.count, 0, sizeof(c.count));
	bytes = fair_maui_size(&c, 1);
	memory = malloc(bytes);
	TEST_REQUIRE(memory);
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, bytes, &c, 1, 1, 0), 0);
	fair_maui_advance(&m, 1);
	TEST_EQ(fair_maui_check(&m), 0);
	free(memory);
	c.count[FAIR_THROTTLE_USER] = UINT32_MAX;
	TEST_EQ(fair_maui_init(&m, sizeof(m), &c, SIZE_MAX, &c, 1, 1, 0),
		-FAIR_ENOMEM);
}

/* On machines of 32 bits there can be too many to be told. */
TEST(too_large)
{
	const size_t job = sizeof(struct fair_maui_job);
	struct fair_maui_config c = fair_maui_defaults();
	uint32_t *users = &c.count[FAIR_THROTTLE_USER];
	size_t most;

	*users = UINT32_MAX;
	c.usage = FAIR_MAUI_PROCS;
	TEST_EQ(fair_maui_size(&c, 1), 0); /* more than a ledger has */
	c.usage = FAIR_MAUI_NOTHING;
	if (SIZE_MAX > UINT32_MAX)
		return;
	*users = (uint32_t)(SIZE_MAX / sizeof(struct fair_throttle_credential));
	TEST_CHECK(fair_throttle_size(c.count));
	++*users;
	TEST_EQ(fair_throttle_size(c.count), 0);
	TEST_EQ(fair_maui_size(&c, 0), 0);
	for (*users = 0; *users < 100; ++*users) { /* to the last byte, too */
		most = (SIZE_MAX / 2 - fair_maui_size(&c, 0)) / job;
		TEST_EQ(fair_maui_size(&c, (uint32_t)most),
			fair_maui_size(&c, 0) + most * job);
		TEST_EQ(fair_maui_size(&c, (uint32_t)most + 1), 0);
	}
}

/* What each resource of a request says, with others or alone. */
TEST(requests)
{
	struct fair_maui_request
		r = { { 0, NONE, NONE, 0, NONE }, 4, 3, 1, 50, 30, 7, 9 },
		got;
	struct fair_maui_qos qos = { 0 };
	struct fair_maui_credential user = fair_maui_credential_defaults();
	struct fair_maui_config c = fair_maui_defaults();
	struct fair_priority_parts p;
	static uint64_t memory[512];
	struct fair_maui m;
	int i;

	c.machine.memory = 100;
	c.machine.swap = 50;
	c.machine.disk = 10;
	c.machine.nodes = -1; /* of no account */
	c.usage = FAIR_MAUI_EQUIVALENTS;
	c.count[FAIR_THROTTLE_USER] = 1;
	c.credential[FAIR_THROTTLE_USER] = &user;
	c.count[FAIR_THROTTLE_QOS] = 1;
	c.qos = &qos;
	qos.xfactor_target = FAIR_PRIORITY_ONE; /* reached from the first */
	qos.queue_time_target = 60;
	qos.xfactor_weight = 5;
	qos.queue_time_weight = 3;
	user.priority = 2;
	user.has_target = true;
	user.target.kind = FAIR_USAGE_TARGET;
	user.target.points = 20 * FAIR_USAGE_POINT;
	user.hard[FAIR_THROTTLE_PROCS] = 4;
	TEST_OK(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 2, 10,
			       15));
	TEST_CHECK(!m.config->qos && !m.config->credential[FAIR_THROTTLE_USER]);
	scribble();
	TEST_EQ(fair_maui_submit(&m, 1, &r), 0);
	got = fair_maui_request_of(&m, 1);
	for (i = 0; i < FAIR_THROTTLE_KINDS; i++)
		TEST_EQ(got.id[i], r.id[i]);
	TEST_EQ(got.procs, 4);
	TEST_EQ(got.nodes, 3);
	TEST_EQ(got.memory, 50);
	TEST_EQ(got.swap, 30);
	TEST_EQ(got.disk, 7);
	TEST_EQ(got.rate, 9);
	TEST_EQ(fair_maui_parts(&m, 1, 15, 1, &p), 0);
	TEST_EQ(p.value[FAIR_PRIORITY_NODES], 3 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_PROCS], 4 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_MEMORY], 50 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_SWAP], 30 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_DISK], 7 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_USER], 2 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_FS_USER], 20 * FAIR_USAGE_POINT);
	TEST_CHECK(p.value[FAIR_PRIORITY_TARGET_XFACTOR] > 1 << 20);
	TEST_EQ(p.value[FAIR_PRIORITY_TARGET_QUEUE_TIME], 1 << 20);
	TEST_EQ(p.part[FAIR_PRIORITY_XFACTOR], 5 << 20);
	TEST_EQ(p.part[FAIR_PRIORITY_QUEUE_TIME], 0);
	TEST_EQ(fair_maui_parts(&m, 1, -45, 1, &p), 0);
	TEST_EQ(p.part[FAIR_PRIORITY_QUEUE_TIME], (1 + 3) << 20);
	for (i = 0; i < 4; i++) { /* equivalents: 4, 5, 6, 7 of 10 */
		r.memory = i == 1 ? 50 : 0;
		r.swap = i == 2 ? 30 : 0;
		r.disk = i == 3 ? 7 : 0;
		scribble();
		TEST_EQ(fair_maui_submit(&m, 1, &r), 0);
		TEST_EQ(fair_maui_parts(&m, 1, 15, 1, &p), 0);
		TEST_EQ(p.value[FAIR_PRIORITY_PE], (4 + i) << 20);
	}
	r.procs = 5;
	TEST_EQ(fair_maui_submit(&m, 2, &r), -FAIR_ERANGE);
}

/* In 2^-8 processors; equivalents to the nearest, halves up. */
TEST(rates)
{
	static const int64_t equivalents[4] = { 256, 256, 257, 257 };
	struct fair_maui_request r = {
		{ 0, NONE, NONE, NONE, NONE }, 1, 1, 1, 0, 0, 0, 9
	};
	struct fair_maui_config c = fair_maui_defaults();
	static uint64_t memory[512];
	struct fair_maui m;
	int i;

	c.machine.memory = 1024;
	c.count[FAIR_THROTTLE_USER] = 1;
	for (i = 0; i < 16; i++) {
		c.usage = (uint32_t)i / 4;
		TEST_OK(fair_maui_init(&m, sizeof(m), memory, sizeof(memory),
				       &c, 1, 1, 0));
		r.memory = 1024 + i % 4;
		TEST_EQ(fair_maui_submit(&m, 0, &r), 0);
		TEST_EQ(fair_maui_start(&m, 0, 0, 1), 0);
		TEST_EQ(m.standing[FAIR_THROTTLE_USER][0].rate,
			c.usage == FAIR_MAUI_NOTHING ? 0
			: c.usage == FAIR_MAUI_PROCS ? 256
			: c.usage == FAIR_MAUI_RATE  ? 9
						     : equivalents[i % 4]);
		TEST_EQ(fair_maui_finish(&m, 0, 1), 0);
		TEST_EQ(m.standing[FAIR_THROTTLE_USER][0].rate, 0);
	}
}

/* What a copy needs; what starts and ends of nothing leave as it was. */
TEST(bad_calls)
{
	struct fair_maui_config c = fair_maui_defaults();
	static uint64_t memory[512], other[512];
	struct fair_maui_request
		r = { { 0, NONE, NONE, NONE, NONE }, 1, 1, 1, 8, 0, 0, 0 },
		ask;
	struct fair_priority_parts parts, most;
	struct fair_maui m, copy, was;

	c.count[FAIR_THROTTLE_USER] = 1;
	c.usage = FAIR_MAUI_EQUIVALENTS;
	c.machine.memory = 1;
	TEST_OK(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1,
			       INT32_MAX, 0));
	memset(&copy, 0x5a, sizeof(copy));
	was = copy;
	TEST_EQ(fair_maui_clone(NULL, other, sizeof(other), &m), -FAIR_EINVAL);
	TEST_EQ(fair_maui_clone(&copy, NULL, sizeof(other), &m), -FAIR_EINVAL);
	TEST_EQ(fair_maui_clone(&copy, other, sizeof(other), NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_maui_clone(&copy, other, fair_maui_size(&c, 1) - 1, &m),
		-FAIR_ENOMEM);
	TEST_CHECK(!memcmp(&copy, &was, sizeof(was)));
#define SUBMIT(field, value, error)                                            \
	do {                                                                   \
		ask = r;                                                       \
		ask.field = (value);                                           \
		TEST_EQ(fair_maui_submit(&m, 0, &ask), error);                 \
	} while (0)
#define RANGE(field, least, most)                                              \
	do {                                                                   \
		SUBMIT(field, (least) - 1, -FAIR_EINVAL);                      \
		SUBMIT(field, least, 0);                                       \
		SUBMIT(field, most, 0);                                        \
		SUBMIT(field, (most) + 1, -FAIR_EINVAL);                       \
	} while (0)
	SUBMIT(procs, 0, -FAIR_EINVAL);
	SUBMIT(nodes, -1, -FAIR_EINVAL);
	SUBMIT(walltime, 0, -FAIR_EINVAL);
	RANGE(memory, 0, INT64_C(1) << 40);
	RANGE(swap, 0, INT64_C(1) << 40);
	RANGE(disk, 0, INT64_C(1) << 40);
	RANGE(rate, 0, INT64_C(1) << 32);
#undef RANGE
#undef SUBMIT
	TEST_EQ(fair_maui_admit(&m, NULL), -FAIR_EINVAL);
	TEST_EQ(fair_maui_submit(&m, 0, &r), 0);
	TEST_EQ(fair_maui_parts(NULL, 0, 0, 1, &parts), -FAIR_EINVAL);
	/* No wait is longer than this, where a second more or less counts:
	 * 649657 divides 2^63 - 1, so that 2^20 factors end with a half. */
	TEST_OK(fair_maui_parts(&m, 0, -INT64_MAX, INT64_C(649657) << 21,
				&most));
	TEST_OK(fair_maui_parts(&m, 0, INT64_MIN, INT64_C(649657) << 21,
				&parts));
	TEST_CHECK(!memcmp(&parts, &most, sizeof(parts)));
	memcpy(other, memory, sizeof(memory));
	TEST_EQ(fair_maui_start(&m, 5, 0, 5), -FAIR_EINVAL);
	TEST_EQ(fair_maui_finish(&m, 0, 5), -FAIR_ERANGE);
	TEST_CHECK(!memcmp(other, memory, sizeof(memory)));
	/* 8 times the memory of a machine of 2^31 processors: 2^34 of them. */
	TEST_EQ(fair_maui_start(&m, 0, 0, 5), 0);
	TEST_EQ(m.standing[FAIR_THROTTLE_USER][0].rate, INT64_C(1) << 32);
	TEST_EQ(fair_maui_finish(&m, 0, 5), 0);
	TEST_EQ(m.standing[FAIR_THROTTLE_USER][0].rate, 0);
}

TEST(bad_limits)
{
	struct fair_maui_credential user = fair_maui_credential_defaults(),
				    two[2];
	struct fair_maui_config c = fair_maui_defaults();
	static uint64_t memory[256];
	struct fair_maui_qos qos;
	struct fair_maui m;

	user.hard[FAIR_THROTTLE_NODES] = -1;
	c.count[FAIR_THROTTLE_USER] = 1;
	c.credential[FAIR_THROTTLE_USER] = &user;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		-FAIR_EINVAL);
	two[0] = user; /* however good the other is */
	two[1] = fair_maui_credential_defaults();
	c.count[FAIR_THROTTLE_USER] = 2;
	c.credential[FAIR_THROTTLE_USER] = two;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		-FAIR_EINVAL);
	c.credential[FAIR_THROTTLE_USER] = NULL;
	memset(&qos, 0, sizeof(qos));
	qos.queue_time_target = -1;
	c.count[FAIR_THROTTLE_QOS] = 1;
	c.qos = &qos;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		-FAIR_EINVAL);
	qos.queue_time_target = 0;
	qos.xfactor_target = -1;
	TEST_EQ(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0),
		-FAIR_EINVAL);
	c.qos = NULL; /* nothing is said of them */
	c.count[FAIR_THROTTLE_QOS] = 2;
	memset(memory, 0x5a, sizeof(memory));
	TEST_OK(fair_maui_init(&m, sizeof(m), memory, sizeof(memory), &c, 1, 1,
			       0));
	TEST_EQ(m.qos[0].flags, 0);
	TEST_EQ(m.qos[1].flags, 0);
	TEST_EQ(m.standing[FAIR_THROTTLE_USER][1].priority, 0);
}

TEST(bad_jobs)
{
	struct fair_maui_request r = {
		{ 0, NONE, NONE, NONE, NONE }, 1, 1, 1, 0, 0, 0, 0
	};
	struct fair_priority_parts parts;
	struct maui_site x;
	struct fair_job j;

	site_begin(&x);
	x.user[0].hard[FAIR_THROTTLE_PROC_SECONDS] = 100;
	x.qos[0].flags = FAIR_MAUI_NOBF;
	x.user[1].soft[FAIR_THROTTLE_PROCS] = 2;
	site_open(&x);
	TEST_EQ(fair_maui_admit(maui_of(&x.sched), &r), 0);
	TEST_EQ(fair_maui_admit(NULL, &r), -FAIR_EINVAL);
	TEST_EQ(fair_maui_submit(maui_of(&x.sched), JOBS, &r), -FAIR_EINVAL);
	TEST_EQ(fair_maui_parts(maui_of(&x.sched), JOBS, 0, 1, &parts),
		-FAIR_EINVAL);
	TEST_EQ(fair_maui_parts(maui_of(&x.sched), 0, 1, 1, &parts),
		-FAIR_EINVAL);
#define BAD(field, value, error)                                               \
	do {                                                                   \
		j = job_of(0, 1, 10);                                          \
		j.field = (value);                                             \
		TEST_EQ(fair_sched_submit(&x.sched, 0, &j), error);            \
	} while (0)
	BAD(user, 3, -FAIR_ENOENT);
	BAD(group, 0, -FAIR_ENOENT);
	BAD(nodes, -1, -FAIR_EINVAL);
	BAD(memory, -1, -FAIR_EINVAL);
	BAD(swap, INT64_MAX, -FAIR_EINVAL);
	BAD(disk, -1, -FAIR_EINVAL);
	BAD(rate, INT64_MAX, -FAIR_EINVAL);
	BAD(walltime, 101, -FAIR_ERANGE);
	BAD(walltime, 100, 0);
#undef BAD
	TEST_EQ(fair_sched_modify(&x.sched, 0, 0, 2, 51), -FAIR_ERANGE);
	TEST_EQ(fair_sched_modify(&x.sched, 0, 0, 2, 50), 0);
	/* Above its soft limit a job can only be backfilled. */
	j = job_of(1, 3, 10);
	j.number = 1;
	j.qos = 0;
	TEST_EQ(fair_sched_submit(&x.sched, 0, &j), -FAIR_ERANGE);
	j.qos = 1;
	TEST_EQ(fair_sched_submit(&x.sched, 0, &j), 0);
	site_close(&x);
}

TEST(invariants)
{
	struct fair_maui *m;
	struct maui_site x;
	uint32_t id;
	int kind;

	site_begin(&x);
	x.config.usage = FAIR_MAUI_PROCS;
	site_open(&x);
	m = maui_of(&x.sched);
	TEST_EQ(fair_maui_check(m), 0);
	m->throttle.credential[0].used[FAIR_THROTTLE_JOBS] = -1;
	TEST_EQ(fair_maui_check(m), 1);
	m->throttle.credential[0].used[FAIR_THROTTLE_JOBS] = 0;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		if (!m->config->count[kind])
			continue;
		m->usage[kind].latest = 5;
		TEST_EQ(fair_maui_check(m), 2);
		m->usage[kind].latest = 0;
		for (id = 0; id < m->config->count[kind]; id++) {
			m->standing[kind][id].rate = 1;
			TEST_EQ(fair_maui_check(m), 3);
			TEST_EQ(fair_sched_check(&x.sched), 3);
			m->standing[kind][id].rate = -1;
			TEST_EQ(fair_maui_check(m), 3);
			m->standing[kind][id].rate = 0;
		}
	}
	submit(&x, job_of(0, 1, 1));
	TEST_EQ(step(&x, 0), 1);
	m->standing[FAIR_THROTTLE_USER][0].rate = -1;
	TEST_EQ(fair_maui_check(m), 3);
	m->standing[FAIR_THROTTLE_USER][0].rate = 256;
	site_close(&x);
}
