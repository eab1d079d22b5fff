/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * conservative_record_test.c - drawn events at the scan limit, in each space
 *
 * After each event the invariants hold. All that a caller is told, the scans
 * that are left and the bytes of a checkpoint are those of an earlier version:
 * where the scan limit pauses a scan, no naive plan says what comes next. If
 * they change on purpose, record what the test prints.
 */
#define FAIRSCHED_STATIC
#define FAIR_CONSERVATIVE_IMPLEMENTATION
#define FAIR_PROFILE_IMPLEMENTATION
#define FAIR_QUEUE_IMPLEMENTATION
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 3
#define FAIR_CONSERVATIVE_MINIMA 2
#include "policies/conservative.h"
#include "tests/test.h"

enum {
	JOBS = 24,
	OTHERS = 60,
	PROCS = 9,
	WINDOWS = 4,
	NODES = 3,
	SECONDS = 300,
	BYTES = 1 << 16
};

enum space { POOL, LIMITS, VETO, CLASSES, ON_NODES, SPACES };

struct play {
	struct fair_conservative c;
	struct fair_queued *job, jobs[2][JOBS]; /* the slot is the number */
	struct fair_moves moves;
	enum space space;
	struct fair_quotas limits;
	struct fair_machine_jobs machine;
	struct fair_nodes nodes;
	enum { ABSENT, QUEUED, RUNNING } state[JOBS];
	int64_t end[JOBS], priority[JOBS], now;
	struct {
		int64_t from, to; /* to <= now: there is none */
		struct fair_claim claim;
		int32_t amount[2];
	} window[WINDOWS];
	bool down[NODES], pauses;
	uint32_t filled;
	uint64_t random, shift, told;
	uint64_t plan[2][BYTES / 8], memory[BYTES / 8];
};

static int64_t any(struct play *x, int64_t low, int64_t high)
{
	return test_range(&x->random, low, high);
}

static void tell(struct play *x, uint64_t word)
{
	x->told = (x->told ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	x->told ^= x->told >> 29;
}

/* The same number for a job and some seconds. */
static uint64_t draw_of(const struct play *x, uint32_t slot, int64_t seconds)
{
	uint64_t seed = x->job[slot].rank.number ^ x->shift ^
			(uint64_t)(x->now / seconds);

	return test_random(&seed) % 50;
}

static void moved(void *context, uint32_t slot, int64_t from)
{
	struct play *x = (struct play *)context;

	tell(x, slot);
	tell(x, (uint64_t)from);
	tell(x, (uint64_t)x->job[slot].rank.key);
}

static bool goes_before(const struct play *x, uint32_t a, uint32_t b)
{
	uint64_t key = draw_of(x, a, 8) / 10, other = draw_of(x, b, 8) / 10;

	return key == other ? x->job[a].rank.number < x->job[b].rank.number
			    : key < other;
}

static void sort(void *context, uint32_t *slot, uint32_t jobs)
{
	struct play *x = (struct play *)context;
	uint32_t i, k, last;

	for (i = 1; i < jobs; i++) {
		last = slot[i];
		for (k = i; k && goes_before(x, last, slot[k - 1]); k--)
			slot[k] = slot[k - 1];
		slot[k] = last;
	}
	tell(x, jobs);
}

static bool gate(void *context, uint32_t slot)
{
	const struct play *x = (const struct play *)context;

	return draw_of(x, slot, 8) % 3 && x->filled < 2;
}

static void filled(void *context, uint32_t slot, bool starts)
{
	struct play *x = (struct play *)context;

	if (starts)
		x->filled++;
	else
		x->filled--;
	tell(x, slot);
}

/* No job runs for some 40 seconds. */
static int64_t veto(const void *vetoer, uint32_t slot, int64_t t)
{
	int64_t from = 4 * (int64_t)draw_of(vetoer, slot, INT64_MAX);

	return t < from || t >= from + 40 ? t : from + 40;
}

static void limit_scans(struct play *x)
{
	x->c.scans = x->pauses && any(x, 0, 1) ? (uint64_t)any(x, 0, 5)
					       : UINT64_MAX;
}

static void save(struct play *x)
{
	unsigned char bytes[1024];
	struct fair_checkpoint f;
	size_t i, n;

	fair_checkpoint_write(&f, bytes, 1);
	fair_conservative_save(&x->c, &f);
	n = fair_checkpoint_finish(&f);
	for (i = 0; i < n; i++)
		tell(x, bytes[i]);
}

/* Of each event. */
static int answered(struct play *x, int result)
{
	TEST_EQ(fair_conservative_check(&x->c), 0);
	tell(x, (uint64_t)result);
	tell(x, x->c.scans < 10 ? x->c.scans : 10);
	tell(x, fair_conservative_is_unfinished(&x->c));
	tell(x, fair_conservative_is_reacting(&x->c));
	tell(x, (uint64_t)fair_conservative_next(&x->c));
	save(x);
	return result;
}

static void react(struct play *x)
{
	limit_scans(x);
	fair_conservative_compress(&x->c, x->now, &x->moves);
	answered(x, 0);
}

static void resume(struct play *x)
{
	do
		limit_scans(x);
	while (!answered(x, fair_conservative_resume(&x->c, &x->moves)) &&
	       any(x, 0, 3));
}

static uint32_t slot_of(struct play *x, int state)
{
	uint32_t slot = (uint32_t)any(x, 0, JOBS - 1), i;

	for (i = 0; i < JOBS; i++, slot = (slot + 1) % JOBS)
		if ((int)x->state[slot] == state)
			return slot;
	return JOBS;
}

static void leave(struct play *x, uint32_t slot)
{
	x->state[slot] = ABSENT;
	if (x->space == LIMITS)
		fair_quotas_leave(&x->limits, slot);
}

static void ask_for_classes(struct play *x, uint32_t slot)
{
	uint8_t classes[2] = { (uint8_t)any(x, 0, 1) };
	int32_t amount[2] = { 0, any(x, 0, 3) ? 0 : (int32_t)any(x, 1, 3) };
	struct fair_queued *j = &x->job[slot];

	classes[1] = !classes[0];
	amount[0] = j->procs = j->procs < 6 ? j->procs : 6;
	TEST_OK(fair_machine_jobs_set(&x->machine, slot, j->procs, amount,
				      classes, (uint32_t)any(x, 1, 2)));
}

static void ask_for_nodes(struct play *x, uint32_t slot)
{
	struct fair_nodes_request r = { NULL, (int32_t)any(x, 1, 3),
					(int32_t)any(x, 0, 1), false, false,
					0, 0, NULL, 0 };
	struct fair_queued *j = &x->job[slot];
	int32_t procs = (j->procs + r.chunks - 1) / r.chunks;

	procs = procs > 3 && any(x, 0, 3) ? 3 : procs;
	j->procs = procs * r.chunks;
	r.amount = &procs;
	r.exclusive = !any(x, 0, 5);
	TEST_OK(fair_nodes_set_job(&x->nodes, slot, &r));
}

static void ask_for_limits(struct play *x, uint32_t slot)
{
	struct fair_quotas_of of = { 0, (uint32_t)any(x, 0, 2), 0, 1 };

	of.amount = any(x, 0, 1) ? x->job[slot].procs : 1;
	fair_quotas_join(&x->limits, slot, &of, 1);
}

static void arrive(struct play *x)
{
	uint32_t slot = slot_of(x, ABSENT);
	struct fair_queued *j = &x->job[slot];

	if (slot == JOBS)
		return;
	j->rank.number += JOBS;
	j->walltime = any(x, 0, 2) ? any(x, 1, any(x, 0, 9) ? 12 : 64) : 5;
	j->procs = (int32_t)(any(x, 0, 2)   ? any(x, 1, PROCS)
			     : any(x, 0, 9) ? 6
					    : PROCS + 1);
	j->not_before = any(x, 0, 7) ? INT64_MIN : x->now + any(x, 0, 15);
	j->turn = x->now - any(x, -9, 20);
	j->mark = any(x, 0, 15) ? 0 : FAIR_MARK_TURN;
	x->priority[slot] = any(x, 0, 1) ? any(x, -3, 3) : 0;
	if (x->space == CLASSES)
		ask_for_classes(x, slot);
	if (x->space == ON_NODES)
		ask_for_nodes(x, slot);
	if (x->space == LIMITS)
		ask_for_limits(x, slot);
	x->state[slot] = QUEUED;
	limit_scans(x);
	TEST_OK(answered(x, fair_conservative_submit(&x->c, x->now, slot,
						     x->priority[slot],
						     &x->moves)));
	tell(x, (uint64_t)j->rank.key);
	tell(x, (uint64_t)j->turn);
}

/* A running job ends early; the caller compresses. */
static void end(struct play *x, uint32_t slot)
{
	struct fair_claim claim =
		fair_space_claim(&x->c.space, slot, x->job[slot].procs);

	limit_scans(x);
	fair_conservative_prepare_event(&x->c, &x->moves);
	TEST_OK(fair_space_advance(&x->c.space, x->now));
	fair_space_hold(&x->c.space, slot, 0, 0);
	TEST_OK(answered(x, fair_conservative_give_back(&x->c, x->now, x->now,
							x->end[slot], &claim,
							&x->moves)));
}

static void put_back(struct play *x, uint32_t slot)
{
	limit_scans(x);
	TEST_OK(answered(x, fair_conservative_put_back(&x->c, x->now, slot,
						       x->priority[slot],
						       &x->moves)));
}

/* A start, or it is refused. */
static void begin(struct play *x, uint32_t slot)
{
	struct fair_queued *j = &x->job[slot];

	x->state[slot] = RUNNING;
	x->end[slot] = j->rank.key + j->walltime;
	if (any(x, 0, 7))
		return;
	end(x, slot);
	x->state[slot] = QUEUED;
	j->not_before = any(x, 0, 4) ? x->now + any(x, 1, 20) : FAIR_FOREVER;
	put_back(x, slot);
	react(x);
}

static void step(struct play *x)
{
	bool goes_on = true;
	uint32_t slot = JOBS;

	while (goes_on) {
		limit_scans(x);
		if (answered(x, fair_conservative_due(&x->c, x->now, &slot,
						      &x->moves)))
			begin(x, slot);
		else
			goes_on = fair_conservative_is_unfinished(&x->c) &&
				  !any(x, 0, 5);
	}
}

/* To the next start, or past it. */
static void pass(struct play *x)
{
	int64_t next = fair_conservative_next(&x->c);
	uint32_t slot;

	if (next > x->now + 9 || !any(x, 0, 2))
		next = x->now + any(x, 0, 9);
	if (next <= x->now)
		return;
	if (x->space == LIMITS) /* what jobs leave is freed later */
		fair_conservative_finish(&x->c, &x->moves);
	x->now = next;
	for (slot = 0; slot < JOBS; slot++)
		if (x->state[slot] == RUNNING && x->end[slot] <= next)
			leave(x, slot);
	if (any(x, 0, 3))
		step(x);
}

static int take(struct play *x, int64_t from, int64_t to,
		const struct fair_claim *claim)
{
	int error;

	limit_scans(x);
	error = fair_conservative_take(&x->c, x->now, from, to, claim,
				       &x->moves);
	if (!error)
		fair_conservative_end_loss(&x->c,
					   any(x, 0, 4) ? from : INT64_MIN, 0,
					   0, &x->moves);
	return answered(x, error);
}

static void give_back(struct play *x, int64_t from, int64_t to,
		      const struct fair_claim *claim)
{
	limit_scans(x);
	TEST_OK(answered(x, fair_conservative_give_back(&x->c, x->now, from, to,
							claim, &x->moves)));
}

static void turn_node(struct play *x)
{
	uint32_t node = (uint32_t)any(x, 0, NODES - 1);
	struct fair_claim claim = { 0, node, NULL, UINT32_MAX };

	if (x->down[node])
		give_back(x, x->now, FAIR_FOREVER, &claim);
	else
		TEST_OK(take(x, x->now, FAIR_FOREVER, &claim));
	x->down[node] = !x->down[node];
}

static void window(struct play *x)
{
	uint32_t w = (uint32_t)any(x, 0, WINDOWS - 1);
	struct fair_claim *claim = &x->window[w].claim;
	int64_t from = x->now + any(x, 0, 20);

	if (x->window[w].to > x->now) {
		from = x->window[w].from > x->now ? x->window[w].from : x->now;
		give_back(x, from, x->window[w].to, claim);
		x->window[w].to = INT64_MIN;
		return;
	}
	claim->procs = (int32_t)any(x, 1, 4);
	claim->node_class = (uint32_t)any(x, 0, 1);
	x->window[w].amount[0] = claim->procs;
	x->window[w].amount[1] = (int32_t)any(x, 0, 1);
	claim->amount = x->window[w].amount;
	x->window[w].from = from;
	x->window[w].to = any(x, 0, 3) ? from + any(x, 1, 30) : FAIR_FOREVER;
	if (take(x, from, x->window[w].to, claim))
		x->window[w].to = INT64_MIN;
	if (any(x, 0, 3))
		react(x);
}

/* It is cancelled, restored, or modified. */
static void withdraw(struct play *x)
{
	uint32_t slot = slot_of(x, QUEUED);
	struct fair_queued *j = &x->job[slot];

	if (slot == JOBS)
		return;
	limit_scans(x);
	TEST_OK(answered(x, fair_conservative_withdraw(&x->c, slot,
						       &x->moves)));
	if ((x->space == POOL || x->space == VETO) && any(x, 0, 1)) {
		limit_scans(x);
		if (!answered(x, fair_conservative_restore(
					 &x->c, x->now, slot, x->priority[slot],
					 &x->moves)))
			return;
	} else if (any(x, 0, 1)) {
		j->procs = x->space == POOL ? (int32_t)any(x, 1, PROCS)
					    : j->procs;
		j->mark |= any(x, 0, 1) ? FAIR_MARK_TURN : 0;
		x->priority[slot] = any(x, -3, 3);
		put_back(x, slot);
		return;
	}
	leave(x, slot);
}

static void change_limits(struct play *x)
{
	int64_t amount = any(x, 0, 5) ? any(x, 0, 9) : FAIR_QUOTAS_NONE;

	limit_scans(x);
	TEST_OK(fair_conservative_catch_up(&x->c, x->now, &x->moves));
	if (x->space == LIMITS)
		TEST_OK(fair_quotas_set(&x->limits, 0, (uint32_t)any(x, 0, 2),
					amount));
	x->limits.exceeded = true;
	x->shift = test_random(&x->random);
	fair_space_veto_anew(&x->c.space);
	fair_conservative_end_loss(&x->c, INT64_MIN, x->now, FAIR_FOREVER,
				   &x->moves);
	answered(x, 0);
	if (any(x, 0, 3))
		react(x);
}

static void reprioritize(struct play *x)
{
	uint32_t slot = slot_of(x, QUEUED);

	if (slot == JOBS || x->c.compression == FAIR_COMPRESS)
		return;
	limit_scans(x);
	x->priority[slot] = any(x, -3, 3);
	fair_conservative_reprioritize(&x->c, slot, x->priority[slot],
				       &x->moves);
	answered(x, 0);
}

/* The copy goes on; nothing of the original is left. */
static void clone(struct play *x)
{
	uint32_t to = x->job == x->jobs[0];
	struct fair_conservative copy;

	if (x->space != POOL && x->space != VETO)
		return;
	memcpy(x->jobs[to], x->job, sizeof(x->jobs[to]));
	TEST_OK(fair_conservative_clone(&copy, x->plan[to], BYTES, x->jobs[to],
					&x->c, NULL));
	copy.space.profile.reach = x->c.space.profile.reach; /* no machine's */
	copy.space.profile.horizon = x->c.space.profile.horizon;
	if (x->space == VETO)
		fair_space_veto_by(&copy.space, veto, x);
	memset(x->plan[!to], 0x5a, BYTES);
	memset(x->jobs[!to], 0x5a, sizeof(x->jobs[0]));
	x->job = x->jobs[to];
	x->c = copy;
}

static void open_space(struct play *x)
{
	static const int32_t amount[] = { 6, 2, 6, 3 }, count[] = { NODES };
	static const int32_t procs[] = { PROCS / NODES };
	const struct fair_machine_config machine = { 2, 2, 0, amount };
	const struct fair_nodes_config nodes = { 1, 1, 0, 0, count, procs,
						 false };
	struct fair_space *space = &x->c.space;

	if (x->space == LIMITS) {
		TEST_OK(fair_quotas_init(&x->limits, sizeof(x->limits),
					 x->memory, BYTES, 1, 3, JOBS, 1));
		TEST_OK(fair_quotas_set(&x->limits, 0, 0, 5));
		TEST_OK(fair_quotas_set(&x->limits, 0, 1, 2));
		fair_space_limit_by(space, &x->limits);
	} else if (x->space == VETO) {
		fair_space_veto_by(space, veto, x);
	} else if (x->space == CLASSES) {
		TEST_OK(fair_machine_jobs_init(&x->machine, sizeof(x->machine),
					       x->memory, BYTES, &machine, JOBS,
					       x->now));
		fair_space_plan_on(space, &x->machine);
	} else if (x->space == ON_NODES) {
		TEST_OK(fair_nodes_init(&x->nodes, sizeof(x->nodes), x->memory,
					BYTES, &nodes, JOBS, NODES * JOBS,
					x->now));
		fair_space_plan_on_nodes(space, &x->nodes);
	} else if (any(x, 0, 1)) {
		space->profile.reach = 60;
		space->profile.horizon = x->now + 60;
	}
}

/* Some orders change, some have a gate, some histories come through 0. */
static void open_play(struct play *x, uint32_t compression, enum space space,
		      uint64_t seed)
{
	uint32_t i;

	memset(x, 0, sizeof(*x));
	x->random = seed;
	x->told = seed;
	x->space = space;
	x->pauses = any(x, 0, 3);
	x->now = any(x, 0, 1) ? 0 : -200;
	x->job = x->jobs[0];
	for (i = 0; i < JOBS; i++)
		x->job[i].rank.number = i;
	for (i = 0; i < WINDOWS; i++)
		x->window[i].to = INT64_MIN;
	TEST_OK(fair_conservative_init(&x->c, sizeof(x->c), x->plan[0], BYTES,
				       compression, JOBS, OTHERS, x->job,
				       sizeof(x->job[0]),
				       space == CLASSES ? 12 : PROCS, x->now));
	open_space(x);
	x->moves.moved = moved;
	x->moves.context = x;
	if (compression != FAIR_COMPRESS && any(x, 0, 1))
		x->moves.sort = sort;
	if (compression != FAIR_COMPRESS_DELAYED || any(x, 0, 2))
		return;
	x->moves.sort = sort;
	x->moves.gate = gate;
	x->moves.filled = filled;
}

static void event(struct play *x)
{
	uint32_t slot;

	switch (any(x, 0, 17)) {
	case 0:
		(x->space == ON_NODES ? turn_node : window)(x);
		break;
	case 1:
		withdraw(x);
		break;
	case 2:
		(any(x, 0, 3) ? clone : change_limits)(x);
		break;
	case 3:
		react(x);
		break;
	case 4:
		resume(x);
		break;
	case 5:
	case 6:
		slot = slot_of(x, RUNNING);
		if (slot == JOBS)
			break;
		end(x, slot);
		leave(x, slot);
		if (any(x, 0, 3))
			react(x);
		break;
	case 7:
	case 8:
	case 9:
		pass(x);
		break;
	case 10:
		step(x);
		break;
	case 11:
		reprioritize(x);
		break;
	default:
		arrive(x);
	}
}

static uint64_t play(uint32_t compression, enum space space)
{
	static struct play x;
	uint64_t told = 0, seed;
	int64_t last;

	for (seed = 1; seed <= 12; seed++) {
		open_play(&x, compression, space, seed);
		for (last = x.now + SECONDS; x.now < last;)
			event(&x);
		told ^= x.told;
	}
	return told;
}

static void as_recorded(enum space space, const uint64_t *told)
{
	uint32_t c;
	char text[64];

	for (c = FAIR_COMPRESS; c <= FAIR_COMPRESS_DELAYED; c++) {
		uint64_t now = play(c, space);

		snprintf(text, sizeof(text), "%u: UINT64_C(0x%016llx)", c,
			 (unsigned long long)now);
		test_check(now == told[c], __FILE__, __LINE__, text);
	}
}

TEST(pool)
{
	static const uint64_t told[] = {
		UINT64_C(0x8adda56ccd91b384),
		UINT64_C(0x6d4681709ab93229),
		UINT64_C(0xb2b28e4435df0632),
	};

	as_recorded(POOL, told);
}

TEST(limits)
{
	static const uint64_t told[] = {
		UINT64_C(0xabad789ffc04d2d9),
		UINT64_C(0xf75f5a325ea634b8),
		UINT64_C(0x6bf500d3b86a094a),
	};

	as_recorded(LIMITS, told);
}

TEST(a_veto)
{
	static const uint64_t told[] = {
		UINT64_C(0x92a46fe59d2e98cd),
		UINT64_C(0x291d1be8ea2af350),
		UINT64_C(0x3aa61a53bcf4fa94),
	};

	as_recorded(VETO, told);
}

TEST(classes)
{
	static const uint64_t told[] = {
		UINT64_C(0x215988319b4feb95),
		UINT64_C(0x54f7f93fcb44db76),
		UINT64_C(0x6da4da2477e61184),
	};

	as_recorded(CLASSES, told);
}

TEST(on_nodes)
{
	static const uint64_t told[] = {
		UINT64_C(0xe56104a6753be458),
		UINT64_C(0x71719da83bd8b9fb),
		UINT64_C(0x6cb579843512aeaa),
	};

	as_recorded(ON_NODES, told);
}
