/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that maui.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 */
#include "fairsched.h"
#include "tests/leaf_faults.h"

/* One user, who may use 5 processors; a QoS; usage counts. */
static struct fair_maui_config maui_config(void)
{
	static struct fair_maui_credential user;
	static struct fair_maui_qos qos;
	struct fair_maui_config c = fair_maui_defaults();

	user = fair_maui_credential_defaults();
	user.hard[FAIR_THROTTLE_PROCS] = 5;
	memset(&qos, 0, sizeof(qos));
	c.usage = FAIR_MAUI_PROCS;
	c.count[FAIR_THROTTLE_USER] = c.count[FAIR_THROTTLE_QOS] = 1;
	c.credential[FAIR_THROTTLE_USER] = &user;
	c.qos = &qos;
	return c;
}

static void maui_init(void)
{
	const struct fair_maui_config good = maui_config();
	struct fair_maui_credential user = good.credential[0][0];
	size_t bytes = fair_maui_size(&good, 3), n, i;
	struct fair_maui_config bad;
	struct fair_maui_qos qos;
	void *memory = room(bytes);
	struct fair_maui m;

	n = sizeof(m);
	memset(&m, FILL, n);
	keep(&m, n);
	FAULT(fair_maui_init(NULL, n, memory, bytes, &good, 3, 10, 0),
	      EINVAL, "nothing");
	FAULT(fair_maui_init(&m, n + 1, memory, bytes, &good, 3, 10, 0),
	      EINVAL, "a struct of another size");
	FAULT(fair_maui_init(&m, n, NULL, bytes, &good, 3, 10, 0),
	      EINVAL, "no memory");
	FAULT(fair_maui_init(&m, n, memory, bytes, NULL, 3, 10, 0),
	      EINVAL, "no config");
	FAULT(fair_maui_init(&m, n, memory, bytes, &good, 3, 0, 0),
	      EINVAL, "no processor");
	FAULT(fair_maui_init(&m, n, memory, bytes, &good, 3, 10, INT64_MIN),
	      EINVAL, "an origin too early");
	FAULT(fair_maui_init(&m, n, memory, bytes, &good, 3, 10, INT64_MAX),
	      EINVAL, "an origin too late");
	FAULT(fair_maui_init(&m, n, memory, bytes - 1, &good, 3, 10, 0),
	      ENOMEM, "one byte less");
	for (i = 0; i < 17; i++) {
		bad = good;
		bad.usage = i == 0 ? FAIR_MAUI_RATE + 1 : good.usage;
		bad.windows = i == 1   ? 0
			      : i == 2 ? FAIR_USAGE_DEPTH + 1
				       : good.windows;
		bad.interval = i == 3 ? 0 : i == 4 ? INT64_MAX : good.interval;
		bad.decay = i == 5 ? FAIR_USAGE_ONE + 1 : good.decay;
		bad.poll = i == 6 ? -1 : i == 7 ? INT64_MAX : 0;
		bad.machine.memory = i == 8 ? -1 : 0;
		bad.machine.swap = i == 9 ? -1 : 0;
		bad.machine.disk = i == 10 ? INT64_MAX : 0;
		bad.priority.cap[0] = i == 11 ? -1 : 0;
		bad.credential[0] = &user;
		user.hard[0] = i == 12 ? -1 : 5;
		user.soft[0] = i == 13 ? -1 : 5;
		user.has_target = i == 16;
		user.target.points = -1;
		qos = good.qos[0];
		qos.queue_time_target = i == 14 ? -1 : 0;
		qos.xfactor_target = i == 15 ? -1 : 0;
		bad.qos = &qos;
		FAULT(fair_maui_init(&m, n, memory, bytes, &bad, 3, 10, 0),
		      EINVAL, "a config out of range");
	}
	leave();
}

/* @slot is free. */
static void maui_requests(struct fair_maui *m, uint32_t slot,
			  const struct fair_maui_request *good)
{
	const struct fair_maui_request *r;
	struct fair_maui_request bad;
	int i;

	for (i = 0; i < 12; i++) {
		bad = *good;
		bad.procs = i == 1 ? 0 : 4;
		bad.nodes = i == 2 ? -1 : 0;
		bad.walltime = i == 3 ? 0 : 10;
		bad.memory = i == 4 ? -1 : 0;
		bad.swap = i == 5 ? -1 : 0;
		bad.disk = i == 6 ? (INT64_C(1) << 40) + 1 : 0;
		bad.rate = i == 7 ? -1 : i == 8 ? (INT64_C(1) << 32) + 1 : 0;
		bad.id[FAIR_THROTTLE_USER] = i == 9 ? 1 : 0;
		bad.id[FAIR_THROTTLE_GROUP] = i == 10 ? 0 : FAIR_THROTTLE_NONE;
		bad.id[FAIR_THROTTLE_QOS] = i == 11 ? 1 : 0;
		r = i ? &bad : NULL;
		FAULT(fair_maui_admit(m, r), EINVAL, "a request out of range");
		FAULT(fair_maui_submit(m, slot, r),
		      EINVAL, "a request out of range");
	}
	FAULT(fair_maui_admit(NULL, good), EINVAL, "nothing");
	FAULT(fair_maui_submit(NULL, slot, good), EINVAL, "nothing");
	FAULT(fair_maui_submit(m, m->jobs, good), EINVAL, "no such slot");
	bad = *good;
	bad.procs = 6;
	FAULT(fair_maui_admit(m, &bad), ERANGE, "not even alone");
	FAULT(fair_maui_submit(m, slot, &bad), ERANGE, "not even alone");
	FAULT(fair_maui_resize(m, 5, slot, 10, &bad, true),
	      ERANGE, "not even alone");
	FAULT(fair_maui_resize(m, 5, m->jobs, 10, good, false),
	      EINVAL, "no such slot");
	FAULT(fair_maui_resize(m, 5, slot, 1000, good, false),
	      EINVAL, "there is no job");
}

/* It is 5: job 0 of 3 processors runs until 10, job 1 waits. */
static void maui_jobs(struct fair_maui *m)
{
	struct fair_priority_parts parts;

	memset(&parts, FILL, sizeof(parts));
	keep(&parts, sizeof(parts));
	FAULT(fair_maui_modify(m, 1, 0, 10), EINVAL, "no processor");
	FAULT(fair_maui_modify(m, 1, 3, 0), EINVAL, "no walltime");
	FAULT(fair_maui_modify(m, 1, 6, 10), ERANGE, "not even alone");
	FAULT(fair_maui_parts(NULL, 1, 0, 10, &parts), EINVAL, "nothing");
	FAULT(fair_maui_parts(m, 3, 0, 10, &parts), EINVAL, "no such slot");
	FAULT(fair_maui_parts(m, 1, 6, 10, &parts),
	      EINVAL, "submitted in the future");
	FAULT(fair_maui_parts(m, 1, 0, 0, &parts), EINVAL, "no walltime");
	FAULT(fair_maui_parts(m, 1, 0, 10, NULL), EINVAL, "nowhere to write");
	FAULT(fair_maui_start(m, -1, 1, 10), EINVAL, "before the origin");
	FAULT(fair_maui_start(m, 5, 1, 5), EINVAL, "ends as it begins");
	FAULT(fair_maui_start(m, 5, 1, 10), ERANGE, "a hard limit");
	FAULT(fair_maui_move(m, 0, -1, 20), EINVAL, "ended before the origin");
	FAULT(fair_maui_move(m, 0, 10, -1), EINVAL, "ends before the origin");
	FAULT(fair_maui_move(m, 0, 11, 20),
	      ERANGE, "never started for so long");
	FAULT(fair_maui_finish(m, 0, -1), EINVAL, "ends before the origin");
	FAULT(fair_maui_finish(m, 0, 11), ERANGE, "never started for so long");
	free(kept[--keeps].copy); /* of this frame */
}

TEST(maui)
{
	const struct fair_maui_config c = maui_config();
	struct fair_maui_request r = { { 0 }, 3, 0, 10, 0, 0, 0, 0 };
	size_t bytes = fair_maui_size(&c, 3), n = sizeof(struct fair_maui);
	void *memory, *other;
	struct fair_maui m, copy;
	int kind;

	maui_init();
	memory = room(bytes);
	other = room(bytes);
	memset(&copy, FILL, n);
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		r.id[kind] = c.count[kind] ? 0 : FAIR_THROTTLE_NONE;
	TEST_EQ(fair_maui_init(&m, n, memory, bytes, &c, 3, 10, 0), 0);
	TEST_EQ(fair_maui_submit(&m, 0, &r), 0);
	TEST_EQ(fair_maui_submit(&m, 1, &r), 0);
	TEST_EQ(fair_maui_start(&m, 0, 0, 10), 0);
	fair_maui_advance(&m, 5);
	keep(&m, n);
	keep(memory, bytes);
	keep(&copy, n);
	maui_requests(&m, 2, &r);
	maui_jobs(&m);
	FAULT(fair_maui_clone(NULL, other, bytes, &m), EINVAL, "no copy");
	FAULT(fair_maui_clone(&copy, NULL, bytes, &m), EINVAL, "no memory");
	FAULT(fair_maui_clone(&copy, other, bytes, NULL), EINVAL, "nothing");
	FAULT(fair_maui_clone(&copy, other, bytes - 1, &m),
	      ENOMEM, "one byte less");
	forget();
	TEST_EQ(fair_maui_clone(&copy, other, bytes, &m), 0);
	TEST_EQ(fair_maui_check(&copy), 0);
	/* A job without credentials: no limit is asked. */
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		r.id[kind] = FAIR_THROTTLE_NONE;
	r.procs = INT32_MAX - 2;
	TEST_EQ(fair_maui_submit(&m, 2, &r), 0);
	keep(&m, n);
	keep(memory, bytes);
	FAULT(fair_maui_start(&m, 5, 2, 10), EOVERFLOW, "too many in use");
	leave();
}

/* 2^31 - 1 processors for 7 windows of 2^16 s, each with room for that. */
TEST(maui_windows)
{
	struct fair_maui_config c = maui_config();
	struct fair_maui_credential user;
	struct fair_maui_request r;
	size_t bytes, n = sizeof(struct fair_maui);
	struct fair_maui m;
	void *memory;
	int64_t i;
	int kind;

	memset(&r, 0, sizeof(r));
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		r.id[kind] = FAIR_THROTTLE_NONE;
	r.procs = r.nodes = INT32_MAX;
	user = fair_maui_credential_defaults();
	c.credential[FAIR_THROTTLE_USER] = &user;
	r.id[FAIR_THROTTLE_USER] = 0;
	r.walltime = 1 << 20;
	c.interval = 1 << 16;
	bytes = fair_maui_size(&c, 1);
	memory = room(bytes);
	TEST_EQ(fair_maui_init(&m, n, memory, bytes, &c, 1, INT32_MAX, 0), 0);
	TEST_EQ(fair_maui_submit(&m, 0, &r), 0);
	TEST_EQ(fair_maui_start(&m, 0, 0, 1 << 20), 0);
	for (i = 1; i <= 7; i++)
		fair_maui_advance(&m, i << 16);
	keep(&m, n);
	keep(memory, bytes);
	FAULT(fair_maui_set_window(&m, 0, c.decay), EINVAL, "no time");
	FAULT(fair_maui_set_window(&m, 1 << 20, c.decay),
	      EOVERFLOW, "too much is used");
	leave();
}
