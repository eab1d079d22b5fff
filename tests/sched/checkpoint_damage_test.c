/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * Whatever one word of a checkpoint says, with a good checksum: it is refused
 * and nothing is touched, or what was loaded passes its check and goes on.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/crowd.h"

/* A number that no scheduler has, one at a time, with a good checksum. */
TEST(broken)
{
	static const struct {
		uint32_t policy, section;
		size_t word;
		uint64_t value;
	} change[] = {
		{ FAIR_DC, FAIR_SECTION_CONFIG, 0, 99 },
		{ FAIR_DC, FAIR_SECTION_CONFIG, 5, 2 },
		{ FAIR_DC, FAIR_SECTION_STATE, 0, UINT64_C(1) << 62 },
		{ FAIR_DC, FAIR_SECTION_STATE, 1, UINT64_C(1) << 31 },
		{ FAIR_DC, FAIR_SECTION_STATE, 2, 0 },
		{ FAIR_DC, FAIR_SECTION_JOBS, 1, 0 - UINT64_C(2000) },
		{ FAIR_DC, FAIR_SECTION_JOBS, 2, 0 },
		{ FAIR_DC, FAIR_SECTION_JOBS, 3, 1000 },
		{ FAIR_DC, FAIR_SECTION_JOBS, 6, UINT64_C(1) << 60 },
		{ FAIR_DC, FAIR_SECTION_JOBS, 9, UINT64_C(1) << 32 },
		{ FAIR_DC, FAIR_SECTION_JOBS, 15, 2 },
		{ FAIR_DC, FAIR_CONSERVATIVE_SECTION, 3, UINT64_C(1) << 31 },
		{ FAIR_SFS, FAIR_SECTION_JOBS, 11, DRIVE_ACCOUNTS },
		{ FAIR_SFS, FAIR_BACKFILL_WALK, 5, 2 },
		{ FAIR_SFS, FAIR_SFS_SECTION, 1, UINT64_C(1) << 40 },
		{ FAIR_RELSHARE, FAIR_SECTION_JOBS, 9, DRIVE_ACCOUNTS },
		{ FAIR_RELSHARE, FAIR_RELSHARE_STATE, 1, 7 },
		{ FAIR_RELSHARE, FAIR_RELSHARE_USER, 4, 1 << 21 },
		{ FAIR_RELSHARE, FAIR_RELSHARE_LEDGER, 2, 4 },
	};
	unsigned char *checkpoint;
	uint64_t width;
	struct drive d;
	size_t bytes, i;

	for (i = 0; i < sizeof(change) / sizeof(*change); i++) {
		checkpoint = some_checkpoint(&d, change[i].policy, &bytes);
		fair_put_word(
			section(checkpoint, change[i].section, &width) +
				8 * change[i].word,
			change[i].value);
		good_again(checkpoint, bytes);
		load(&d, checkpoint, bytes, FAIR_CHECKPOINT_BROKEN);
		free(checkpoint);
		drive_free(&d);
	}
}

/* Of numbers that go with each other, both. */
TEST(broken_together)
{
	static const int64_t zero = -(INT64_C(1) << 61) +
				    (INT64_C(1) << 61) % 86400;
	static const struct {
		uint32_t policy, section;
		size_t word;
		int64_t value;
		size_t other;
		int64_t also;
	} change[] = {
		/* Fewer processors ever than in the config. */
		{ FAIR_DC, FAIR_SECTION_STATE, 1, 1, 2, 1 },
		/* A ledger that began long before the scheduler can have. */
		{ FAIR_MAUI, FAIR_MAUI_STATE, 0, zero, 1, zero },
	};
	unsigned char *checkpoint, *p;
	uint64_t width;
	struct drive d;
	size_t bytes, i;

	for (i = 0; i < sizeof(change) / sizeof(*change); i++) {
		checkpoint = some_checkpoint(&d, change[i].policy, &bytes);
		p = section(checkpoint, change[i].section, &width);
		fair_put_word(p + 8 * change[i].word,
			       (uint64_t)change[i].value);
		fair_put_word(p + 8 * change[i].other,
			       (uint64_t)change[i].also);
		good_again(checkpoint, bytes);
		load(&d, checkpoint, bytes, FAIR_CHECKPOINT_BROKEN);
		free(checkpoint);
		drive_free(&d);
	}
}

/* Loads it: refused, with nothing touched, or sound. */
static bool crowd_load(struct crowd *x, struct fair_sched *s)
{
	struct fair_sched was;
	int damage = -1, error;

	memset(s, 0x5a, sizeof(*s));
	was = *s;
	good_again(x->checkpoint, x->length);
	error = fair_sched_load(s, sizeof(*s), x->memory, x->bytes, &x->config,
				x->checkpoint, x->length, &damage);
	if (error) {
		TEST_CHECK(!memcmp(s, &was, sizeof(was)));
		TEST_CHECK(error == -FAIR_EINVAL ? damage > 0
						 : error == -FAIR_ENOSPC);
		return false;
	}
	TEST_EQ(fair_sched_check(s), 0);
	go_on(s);
	return true;
}

/* Whatever one word says, with a good checksum. */
TEST(every_word)
{
	static const uint64_t other[] = {
		0, 1, 2, 7, 31, 99, UINT64_C(1) << 31, UINT64_C(1) << 33,
		UINT64_C(1) << 61, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX,
		UINT64_MAX - 99
	};
	const size_t others = sizeof(other) / sizeof(*other);
	const size_t stride = TEST_ROUNDS(8) > 1 ? SOME(1, 4) : 4;
	long refused = 0, loaded = 0;
	uint32_t policy, order;
	struct fair_sched s;
	struct crowd x;
	size_t at, k;
	uint64_t was;

	for (policy = 0; policy < POLICIES; policy++)
		for (order = 0; order <= FAIR_ORDER_USAGE; order++) {
			crowd_config(&x, policy, order);
			if (!fair_sched_size(&x.config) ||
			    (order && order != FAIR_ORDER_SJF &&
			     order != FAIR_ORDER_USAGE))
				continue;
			crowd_open(&x, policy, order,
				   policy < FAIR_MAUI && (policy + order) % 2
					   ? CROWD + 2
					   : 1);
			TEST_CHECK(crowd_load(&x, &s));
			for (at = 24; at < x.length - 8; at += 8) {
				was = fair_get_word(x.checkpoint + at);
				for (k = at / 8 % stride; k < others + 2;
				     k += stride) {
					fair_put_word(
						x.checkpoint + at,
						k < others    ? other[k]
						: k == others ? was + 1
							      : was - 1);
					if (crowd_load(&x, &s))
						loaded++;
					else
						refused++;
				}
				fair_put_word(x.checkpoint + at, was);
			}
			free(x.checkpoint);
			free(x.memory);
		}
	printf("%ld refused, %ld loaded\n", refused, loaded);
	TEST_CHECK(refused > loaded && loaded > 1000);
}

/* Bypasses are counted, and the rules are the caller's. */
TEST(words_of_maui)
{
	static const struct {
		uint64_t section;
		size_t word;
		int64_t value;
		bool good;
	} is[] = {
		{ FAIR_MAUI_JOBS, 5, 0, true },
		{ FAIR_MAUI_JOBS, 5, -1, false },
		{ FAIR_MAUI_JOBS, 5, INT64_MAX / 2, true },
		{ FAIR_MAUI_JOBS, 5, INT64_MAX / 2 + 1, false },
		{ FAIR_MAUI_JOBS, 0, -1, false },
		{ FAIR_MAUI_STATE, 2, FAIR_MAUI_PROCS, true },
		{ FAIR_MAUI_STATE, 2, FAIR_MAUI_PROCS + 1, false },
		{ FAIR_MAUI_STATE, 3, 2, true },
		{ FAIR_MAUI_STATE, 3, 3, false },
		{ FAIR_MAUI_STATE, 7, 1, false },
	};
	unsigned char *word;
	struct fair_sched s;
	uint64_t width, was;
	struct crowd x;
	size_t i;

	crowd_open(&x, FAIR_MAUI, FAIR_ORDER_FCFS, 1);
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		word = section(x.checkpoint, is[i].section, &width) +
		       8 * is[i].word;
		was = fair_get_word(word);
		fair_put_word(word, (uint64_t)is[i].value);
		TEST_EQ(crowd_load(&x, &s), is[i].good);
		fair_put_word(word, was);
	}
	free(x.checkpoint);
	free(x.memory);
}

/* Targets and shares are those of the checkpoint, not of the caller. */
TEST(other_targets)
{
	static const int64_t target[2] = { -1, -1 };
	static const uint32_t share[2] = { UINT32_MAX, UINT32_MAX };
	struct fair_sched s;
	struct crowd x;
	int i;

	for (i = 0; i < 2; i++) {
		crowd_open(&x, i ? FAIR_SFS : FAIR_RELSHARE, FAIR_ORDER_FCFS,
			   1);
		x.config.target = target;
		x.config.share = share;
		TEST_CHECK(crowd_load(&x, &s));
		free(x.checkpoint);
		free(x.memory);
	}
}

/* A limited array, lists of dependencies, a suspended and a resized job. */
static void live_open(struct crowd *x, uint32_t policy)
{
	const struct fair_dependency on[2] = { { 1, FAIR_AFTER_OK, 0 },
					       { 3, FAIR_AFTER_START, 0 } };
	const struct fair_dependencies list = { on, 2, policy % 2 };
	struct fair_job job = { .number = 9, .walltime = 10, .procs = 1 };
	struct fair_decision start[CROWD];
	struct fair_job_status status;
	size_t n;

	crowd_config(x, policy, FAIR_ORDER_FCFS);
	x->config.ineligible = 6;
	x->config.advances = 0;
	x->config.dependencies = x->config.task_limits = 2;
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	TEST_REQUIRE(x->bytes && x->memory);
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
	crowd_submit(x, 1, 0, 4, NULL, 0);
	crowd_submit(x, 2, 0, 3, NULL, 0);
	TEST_OK(fair_sched_step(&x->s, 5, start, CROWD, &n));
	TEST_EQ(n, 2);
	crowd_submit(x, 3, 0, 9, NULL, 0);
	crowd_submit(x, 20, 4, 1, NULL, 0);
	TEST_OK(fair_sched_limit_tasks(&x->s, 5, 20, 1));
	job.group = job.queue = job.qos = FAIR_THROTTLE_NONE;
	if (policy == FAIR_MAUI)
		job.account = FAIR_THROTTLE_NONE;
	TEST_OK(fair_sched_submit_dependent(&x->s, 5, &job, NULL, &list));
	TEST_OK(fair_sched_suspend(&x->s, 7, 2));
	TEST_OK(fair_sched_lookup(&x->s, 1, &status));
	status.job.procs = 2;
	TEST_OK(fair_sched_resize(&x->s, 8, 1, &status.job));
	TEST_EQ(fair_sched_check(&x->s), 0);
	x->length = fair_sched_checkpoint_size(&x->s);
	x->checkpoint = (unsigned char *)malloc(x->length);
	TEST_REQUIRE(x->checkpoint);
	TEST_OK(fair_sched_save(&x->s, x->checkpoint, x->length));
}

/*
 * What a live site has changed: ids, a user who left, usage set, a credit that is
 * recorded, shares and windows or a half-life of their own, under each ledger of
 * usage.
 */
static void site_open(struct crowd *x, uint32_t policy, uint32_t order)
{
	static const uint64_t id[3] = { 0, UINT64_C(1) << 40, 99 };
	struct fair_job job = { .number = 1, .walltime = 10, .procs = 1 };
	struct fair_decision start[CROWD];
	uint32_t kind;
	size_t n;
	int i;

	crowd_config(x, policy, order);
	x->config.advances = x->config.accounts = 0;
	x->config.target = NULL;
	x->config.half_life = order == FAIR_ORDER_USAGE ? 1000 : 0;
	x->config.users = 3;
	x->config.ids = 4;
	x->config.credits = 2;
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	TEST_REQUIRE(x->bytes && x->memory);
	TEST_OK(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config));
	for (kind = FAIR_ENTITY_USER; kind <= FAIR_ENTITY_ACCOUNT; kind++)
		for (i = 0; i < (kind == FAIR_ENTITY_USER ? 3 : 1); i++)
			TEST_OK(fair_sched_add_entity(&x->s, 0, kind, id[i]));
	TEST_OK(fair_sched_remove_entity(&x->s, 0, FAIR_ENTITY_USER, id[2]));
	TEST_OK(fair_sched_set_usage(&x->s, 0, FAIR_ENTITY_USER, id[0], 50));
	TEST_OK(fair_sched_credit(&x->s, 1, FAIR_ENTITY_USER, id[0], 3, 7));
	if (policy == FAIR_RELSHARE) {
		TEST_OK(fair_sched_set_share(&x->s, 1, FAIR_ENTITY_USER, id[1],
					     9));
		TEST_OK(fair_sched_set_window(&x->s, 2, 70, 0));
	} else {
		TEST_OK(fair_sched_set_half_life(&x->s, 2, 500));
	}
	for (job.number = 1; job.number < CROWD; job.number++) {
		job.procs = (int32_t)job.number % 4 + 1;
		job.user = id[job.number % 2];
		TEST_OK(fair_sched_submit(&x->s, 5, &job));
	}
	TEST_OK(fair_sched_step(&x->s, 5, start, CROWD, &n));
	TEST_EQ(fair_sched_check(&x->s), 0);
	x->length = fair_sched_checkpoint_size(&x->s);
	x->checkpoint = (unsigned char *)malloc(x->length);
	TEST_REQUIRE(x->checkpoint);
	TEST_OK(fair_sched_save(&x->s, x->checkpoint, x->length));
}

/* Each word is some other number; frees the crowd. */
static void damage_every_word(struct crowd *x, long *refused, long *loaded)
{
	static const uint64_t other[] = { 0, 1, 2, 3, 4, 5, 20, 21, 99,
					  UINT64_C(1) << 32, INT64_MAX,
					  UINT64_MAX };
	const size_t others = sizeof(other) / sizeof(*other);
	struct fair_sched s;
	uint64_t was;
	size_t at, k;

	TEST_CHECK(crowd_load(x, &s));
	for (at = 24; at < x->length - 8; at += 8) {
		was = fair_get_word(x->checkpoint + at);
		for (k = 0; k < others; k++) {
			fair_put_word(x->checkpoint + at, other[k]);
			if (crowd_load(x, &s))
				++*loaded;
			else
				++*refused;
		}
		fair_put_word(x->checkpoint + at, was);
	}
	free(x->checkpoint);
	free(x->memory);
}

TEST(every_word_of_what_waits)
{
	long refused = 0, loaded = 0;
	struct crowd x;
	uint32_t policy;

	for (policy = 0; policy < POLICIES; policy++) {
		live_open(&x, policy);
		damage_every_word(&x, &refused, &loaded);
	}
	printf("%ld refused, %ld loaded\n", refused, loaded);
	TEST_CHECK(refused > 1000 && loaded > 1000);
}

TEST(every_word_of_a_changed_site)
{
	static const uint32_t is[][2] = {
		{ FAIR_BACKFILL, FAIR_ORDER_USAGE },
		{ FAIR_RELSHARE, FAIR_ORDER_FCFS },
	};
	long refused = 0, loaded = 0;
	struct crowd x;
	size_t i;

	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		site_open(&x, is[i][0], is[i][1]);
		damage_every_word(&x, &refused, &loaded);
	}
	printf("%ld refused, %ld loaded\n", refused, loaded);
	TEST_CHECK(refused > 1000 && loaded > 1000);
}
