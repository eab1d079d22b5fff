/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Each error that maui.h documents changes nothing; the memory that its size
 * function asks for is enough, and nothing around it is touched.
 * tests/documented_faults_test.py compares the first strings with what is
 * documented.
 */
#include "fairsched.h"
#include "leaf_faults.h"

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
	FAULT("fair_maui_init: -FAIR_EINVAL nothing",
	      fair_maui_init(NULL, n, memory, bytes, &good, 3, 10, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL a struct of another size",
	      fair_maui_init(&m, n + 1, memory, bytes, &good, 3, 10, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL no memory",
	      fair_maui_init(&m, n, NULL, bytes, &good, 3, 10, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL no config",
	      fair_maui_init(&m, n, memory, bytes, NULL, 3, 10, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL no processor",
	      fair_maui_init(&m, n, memory, bytes, &good, 3, 0, 0));
	FAULT("fair_maui_init: -FAIR_EINVAL an origin too early",
	      fair_maui_init(&m, n, memory, bytes, &good, 3, 10, INT64_MIN));
	FAULT("fair_maui_init: -FAIR_EINVAL an origin too late",
	      fair_maui_init(&m, n, memory, bytes, &good, 3, 10, INT64_MAX));
	FAULT("fair_maui_init: -FAIR_ENOMEM one byte less",
	      fair_maui_init(&m, n, memory, bytes - 1, &good, 3, 10, 0));
	for (i = 0; i < 16; i++) {
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
		qos = good.qos[0];
		qos.queue_time_target = i == 14 ? -1 : 0;
		qos.xfactor_target = i == 15 ? -1 : 0;
		bad.qos = &qos;
		FAULT("fair_maui_init: -FAIR_EINVAL a config out of range",
		      fair_maui_init(&m, n, memory, bytes, &bad, 3, 10, 0));
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
		FAULT("fair_maui_admit: -FAIR_EINVAL a request out of range",
		      fair_maui_admit(m, r));
		FAULT("fair_maui_submit: -FAIR_EINVAL a request out of range",
		      fair_maui_submit(m, slot, r));
	}
	FAULT("fair_maui_admit: -FAIR_EINVAL nothing",
	      fair_maui_admit(NULL, good));
	FAULT("fair_maui_submit: -FAIR_EINVAL nothing",
	      fair_maui_submit(NULL, slot, good));
	FAULT("fair_maui_submit: -FAIR_EINVAL no such slot",
	      fair_maui_submit(m, m->jobs, good));
	bad = *good;
	bad.procs = 6;
	FAULT("fair_maui_admit: -FAIR_ERANGE not even alone",
	      fair_maui_admit(m, &bad));
	FAULT("fair_maui_submit: -FAIR_ERANGE not even alone",
	      fair_maui_submit(m, slot, &bad));
	FAULT("fair_maui_resize: -FAIR_ERANGE not even alone",
	      fair_maui_resize(m, 5, slot, 10, &bad, true));
	FAULT("fair_maui_resize: -FAIR_EINVAL no such slot",
	      fair_maui_resize(m, 5, m->jobs, 10, good, false));
	FAULT("fair_maui_resize: -FAIR_EINVAL there is no job",
	      fair_maui_resize(m, 5, slot, 1000, good, false));
}

/* It is 5: job 0 of 3 processors runs until 10, job 1 waits. */
static void maui_jobs(struct fair_maui *m)
{
	struct fair_priority_parts parts;

	memset(&parts, FILL, sizeof(parts));
	keep(&parts, sizeof(parts));
	FAULT("fair_maui_modify: -FAIR_EINVAL no processor",
	      fair_maui_modify(m, 1, 0, 10));
	FAULT("fair_maui_modify: -FAIR_EINVAL no walltime",
	      fair_maui_modify(m, 1, 3, 0));
	FAULT("fair_maui_modify: -FAIR_ERANGE not even alone",
	      fair_maui_modify(m, 1, 6, 10));
	FAULT("fair_maui_parts: -FAIR_EINVAL nothing",
	      fair_maui_parts(NULL, 1, 0, 10, &parts));
	FAULT("fair_maui_parts: -FAIR_EINVAL no such slot",
	      fair_maui_parts(m, 3, 0, 10, &parts));
	FAULT("fair_maui_parts: -FAIR_EINVAL submitted in the future",
	      fair_maui_parts(m, 1, 6, 10, &parts));
	FAULT("fair_maui_parts: -FAIR_EINVAL no walltime",
	      fair_maui_parts(m, 1, 0, 0, &parts));
	FAULT("fair_maui_parts: -FAIR_EINVAL nowhere to write",
	      fair_maui_parts(m, 1, 0, 10, NULL));
	FAULT("fair_maui_start: -FAIR_EINVAL before the origin",
	      fair_maui_start(m, -1, 1, 10));
	FAULT("fair_maui_start: -FAIR_EINVAL ends as it begins",
	      fair_maui_start(m, 5, 1, 5));
	FAULT("fair_maui_start: -FAIR_ERANGE a hard limit",
	      fair_maui_start(m, 5, 1, 10));
	FAULT("fair_maui_move: -FAIR_EINVAL ended before the origin",
	      fair_maui_move(m, 0, -1, 20));
	FAULT("fair_maui_move: -FAIR_EINVAL ends before the origin",
	      fair_maui_move(m, 0, 10, -1));
	FAULT("fair_maui_move: -FAIR_ERANGE never started for so long",
	      fair_maui_move(m, 0, 11, 20));
	FAULT("fair_maui_finish: -FAIR_EINVAL ends before the origin",
	      fair_maui_finish(m, 0, -1));
	FAULT("fair_maui_finish: -FAIR_ERANGE never started for so long",
	      fair_maui_finish(m, 0, 11));
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
	FAULT("fair_maui_clone: -FAIR_EINVAL no copy",
	      fair_maui_clone(NULL, other, bytes, &m));
	FAULT("fair_maui_clone: -FAIR_EINVAL no memory",
	      fair_maui_clone(&copy, NULL, bytes, &m));
	FAULT("fair_maui_clone: -FAIR_EINVAL nothing",
	      fair_maui_clone(&copy, other, bytes, NULL));
	FAULT("fair_maui_clone: -FAIR_ENOMEM one byte less",
	      fair_maui_clone(&copy, other, bytes - 1, &m));
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
	FAULT("fair_maui_start: -FAIR_EOVERFLOW too many in use",
	      fair_maui_start(&m, 5, 2, 10));
	leave();
}
