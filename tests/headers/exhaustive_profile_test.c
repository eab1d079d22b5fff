/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * exhaustive_profile_test.c - every state of a small profile
 *
 * 3 processors, 6 seconds, small leaves. From the empty profile on, every change
 * is made to every state that is new; results are those of the model, and of each
 * new state all queries are asked. New is a state that a caller can tell from all
 * others, FAIRSCHED_CHANGES (3; light 2) deep; or, index included, two thirds of
 * that.
 */
#define FAIR_PROFILE_LEAF_MAX 4
#define FAIR_PROFILE_CHUNK_MAX 2
#define FAIR_PROFILE_FLAT 0
#define FAIR_PROFILE_IMPLEMENTATION
#include "profile.h"
#include "tests/model/profile_model.h"
#include "tests/test.h"

enum { PROCS = 3, SECONDS = 6, STEPS = 8, BYTES = 16384, DEEPEST = 8 };

enum kind { RESERVE, RELEASE, CAPACITY, MOVE, ADVANCE, SETTLE };

struct change {
	enum kind kind;
	int64_t start, end, to; /* to: where it moves */
	int32_t procs;
};

static struct change change[1024];
static uint32_t changes;

struct state {
	struct fair_profile p;
	struct profile_model m;
	uint64_t memory[BYTES / 8];
};

/* How a state is reached, so that it needs no more room than that. */
struct path {
	uint16_t change[DEEPEST];
};

static uint64_t *seen;
static size_t seen_room, seen_n;
static struct path *path;
static size_t paths, paths_room;

static void one(enum kind kind, int64_t start, int64_t end, int64_t to,
		int32_t procs)
{
	struct change c = { kind, start, end, to, procs };

	change[changes++] = c;
}

TEST_EACH(list_changes)
{
	int64_t start, end, to;
	int32_t procs;

	one(SETTLE, 0, 0, 0, 0);
	for (start = 0; start < SECONDS; start++) {
		one(ADVANCE, start, 0, 0, 0);
		one(CAPACITY, start, FAIR_FOREVER, 0, 1);
		for (procs = 1; procs <= PROCS; procs++)
			one(CAPACITY, start, FAIR_FOREVER, 0, -procs);
		for (end = start + 1; end <= SECONDS; end++)
			for (procs = 1; procs <= PROCS; procs++) {
				one(RESERVE, start, end, 0, procs);
				one(RELEASE, start, end, 0, procs);
				for (to = 0; to < start; to++)
					one(MOVE, start, end, to, procs);
			}
	}
}

static void open_state(struct state *s)
{
	memset(s->memory, 0, sizeof(s->memory));
	TEST_REQUIRE(fair_profile_size(STEPS) <= BYTES);
	TEST_OK(fair_profile_init(&s->p, sizeof(s->p), s->memory,
				  fair_profile_size(STEPS), PROCS, 0));
	TEST_EQ(fair_profile_settle(&s->p), 0);
	profile_model_init(&s->m, s->p.cap, s->p.horizon, PROCS, 0);
}

/* Are @procs of all seconds of [start, end) in use? Then a job may hold them. */
static bool held(const struct state *s, int64_t start, int64_t end,
		 int32_t procs)
{
	int32_t most;

	return start >= s->p.origin &&
	       !fair_profile_max_free(&s->p, start, end, &most) &&
	       most + procs <= PROCS;
}

static int model_move(struct profile_model *m, const struct change *c)
{
	int64_t walltime = c->end - c->start;
	int64_t overlap = walltime < c->start - c->to ? walltime
						      : c->start - c->to;
	struct profile_model moved;
	int error;

	profile_model_copy(&moved, m);
	error = profile_model_reserve(&moved, c->to, overlap, c->procs);
	if (!error)
		error = profile_model_release(&moved, c->end - overlap, overlap,
					      c->procs);
	profile_model_free(error ? &moved : m);
	if (!error)
		*m = moved;
	return error;
}

/* False: it makes no sense of this state. The results must be the same. */
static bool apply(struct state *s, const struct change *c)
{
	int64_t walltime = c->end - c->start;
	int ours = 0, model = 0;
	int32_t most;

	switch (c->kind) {
	case RESERVE:
		ours = fair_profile_reserve(&s->p, c->start, walltime, c->procs);
		model = profile_model_reserve(&s->m, c->start, walltime,
					      c->procs);
		break;
	case RELEASE:
		ours = fair_profile_release(&s->p, c->start, walltime, c->procs);
		model = profile_model_release(&s->m, c->start, walltime,
					      c->procs);
		break;
	case CAPACITY:
		ours = fair_profile_change_capacity(&s->p, c->start, c->end,
						    c->procs);
		model = profile_model_change_capacity(&s->m, c->start, c->end,
						      c->procs);
		break;
	case MOVE:
		if (!held(s, c->start, c->end, c->procs))
			return false;
		ours = fair_profile_move(&s->p, c->start, c->to, walltime,
					 c->procs, &most);
		model = model_move(&s->m, c);
		break;
	case ADVANCE:
		if (c->start <= s->p.origin)
			return false;
		ours = fair_profile_advance(&s->p, c->start);
		model = profile_model_advance(&s->m, c->start);
		break;
	case SETTLE:
		ours = fair_profile_settle(&s->p);
		break;
	}
	TEST_EQ(ours, model);
	return !ours;
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
	hash = (hash ^ x) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* What a caller can see. */
static uint64_t hash_steps(const struct fair_profile *p)
{
	uint64_t hash = mix(0, (uint64_t)p->origin << 8 | (uint64_t)p->limit);
	struct fair_step step = { 0, p->origin, 0 };

	while (step.end < FAIR_FOREVER) {
		fair_profile_step_at(p, step.end, &step);
		hash = mix(mix(hash, (uint64_t)step.start),
			   (uint64_t)step.free);
	}
	return hash ? hash : 1;
}

/* All that a query or a change can see: steps, leaves, entries, marks. */
static uint64_t hash_index(const struct fair_profile *p)
{
	uint64_t hash = mix(p->any_stale, (uint64_t)p->origin << 8 |
						(uint64_t)p->limit);
	uint32_t c, i, k, l;
	size_t at;

	for (c = 0; c < p->chunks; c++) {
		for (i = 0; i < p->used[p->order[c]]; i++) {
			at = (size_t)p->order[c] * 64 + i;
			hash = mix(hash, (uint64_t)p->base[at]);
			hash = mix(hash, p->count[at]);
			hash = mix(hash, p->stale[at / 64] >> at % 64 & 1);
			for (l = 0; l < FAIR_PROFILE_ROWS; l++)
				hash = mix(hash, (uint32_t)*fair_profile_entry(
							 p, at, l));
			for (k = 0; k < p->count[at]; k++) {
				hash = mix(hash, (uint32_t)p->leaf[p->id[at]]
							 .off[k]);
				hash = mix(hash, (uint32_t)p->leaf[p->id[at]]
							 .free[k]);
			}
		}
		hash = mix(hash, c);
	}
	return hash ? hash : 1;
}

/* Was it new? Two states of one hash of 64 bits would pass for one. */
static bool is_new(uint64_t hash)
{
	uint64_t *old = seen;
	size_t i, room = seen_room;

	if (2 * seen_n >= seen_room) {
		seen_room = seen_room ? 2 * seen_room : 1024;
		seen = (uint64_t *)calloc(seen_room, sizeof(*seen));
		TEST_CHECK(seen);
		if (!seen)
			abort();
		seen_n = 0;
		for (i = 0; i < room; i++)
			if (old[i])
				is_new(old[i]);
		free(old);
	}
	for (i = (size_t)(hash % seen_room); seen[i]; i = (i + 1) % seen_room)
		if (seen[i] == hash)
			return false;
	seen[i] = hash;
	seen_n++;
	return true;
}

static void keep(const struct path *p)
{
	if (paths == paths_room) {
		paths_room = paths_room ? 2 * paths_room : 1024;
		path = (struct path *)realloc(path, paths_room * sizeof(*path));
		if (!path)
			abort();
	}
	path[paths++] = *p;
}

static void ask_start(const struct state *s, int64_t from, int64_t walltime,
		      int32_t procs)
{
	int64_t ours = -1, model = -1, current;

	TEST_EQ(fair_profile_earliest_start(&s->p, from, walltime, procs, &ours),
		profile_model_earliest_start(&s->m, from, walltime, procs,
					     &model));
	TEST_EQ(ours, model);
	for (current = from; current + walltime <= SECONDS; current++) {
		if (!held(s, current, current + walltime, procs))
			continue;
		TEST_EQ(fair_profile_earlier_start(&s->p, from, current,
						   walltime, procs, current,
						   &ours),
			profile_model_earlier_start(&s->m, from, current,
						    walltime, procs, current,
						    &model));
		TEST_EQ(ours, model);
	}
}

static void ask_run(const struct state *s, int32_t procs, int64_t start,
		    int64_t end)
{
	int64_t model_start = start, model_end = end;

	TEST_EQ(fair_profile_run(&s->p, procs, &start, &end),
		profile_model_run(&s->m, procs, &model_start, &model_end));
	TEST_EQ(start, model_start);
	TEST_EQ(end, model_end);
}

static void ask_free(const struct state *s, int64_t start, int64_t end)
{
	int32_t ours = -1, model = -1, most = -1;
	struct fair_step step;
	int64_t t;

	TEST_EQ(fair_profile_min_free(&s->p, start, end, &ours),
		profile_model_min_free(&s->m, start, end, &model));
	TEST_EQ(ours, model);
	TEST_EQ(fair_profile_max_free(&s->p, start, end, &most), 0);
	for (ours = -1, t = start; t < end; t++) {
		TEST_EQ(fair_profile_step_at(&s->p, t, &step), 0);
		if (step.free > ours)
			ours = step.free;
	}
	TEST_EQ(ours, most);
}

static void ask_all(const struct state *s)
{
	int64_t from, to;
	int32_t procs;

	TEST_EQ(fair_profile_check(&s->p), 0);
	for (from = s->p.origin; from <= SECONDS; from++)
		for (to = from + 1; to <= SECONDS + 1; to++) {
			ask_free(s, from, to);
			for (procs = 1; procs <= PROCS + 1; procs++) {
				ask_start(s, from, to - from, procs);
				ask_run(s, procs, from, to);
			}
		}
}

static bool reach(struct state *s, const struct path *p, uint32_t depth)
{
	uint32_t i;

	open_state(s);
	for (i = 0; i < depth; i++)
		if (!apply(s, &change[p->change[i]]))
			return false;
	return true;
}

static void forget(void)
{
	free(path);
	free(seen);
	path = NULL;
	seen = NULL;
	paths = paths_room = seen_room = seen_n = 0;
}

static uint32_t deepest(void)
{
	const char *deep = getenv("FAIRSCHED_CHANGES");

	return deep ? (uint32_t)strtoul(deep, NULL, 10) : 1 + TEST_ROUNDS(2);
}

static void explore(uint64_t (*hash)(const struct fair_profile *),
		    uint32_t most)
{
	struct path next = { { 0 } };
	static struct state s;
	size_t from = 0, to;
	uint32_t depth, i;

	TEST_REQUIRE(most >= 1 && most <= DEEPEST);
	open_state(&s);
	is_new(hash(&s.p));
	ask_all(&s);
	profile_model_free(&s.m);
	keep(&next);
	for (depth = 0; depth < most; depth++) {
		for (to = paths; from < to; from++)
			for (i = 0; i < changes; i++) {
				next = path[from];
				next.change[depth] = (uint16_t)i;
				if (reach(&s, &next, depth + 1) &&
				    is_new(hash(&s.p))) {
					ask_all(&s);
					keep(&next);
				}
				profile_model_free(&s.m);
			}
		printf("%u changes: %zu states\n", depth + 1, paths);
	}
	forget();
}

TEST(every_state_of_the_index)
{
	explore(hash_index, 2 * deepest() / 3);
}

TEST(every_state_of_the_caller)
{
	explore(hash_steps, deepest());
}
