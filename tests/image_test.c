/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The state image: every policy goes on from it, no damage goes unnoticed, and
 * images of earlier versions load. Those are frozen in tests/golden/images;
 * image_test --freeze FOLDER writes them anew, for a new version.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/image_drive.h"
#include "tests/test.h"

/* Of what takes seconds, mutants see a part. */
#ifdef TEST_FIRST
#define SOME(n, few) (few)
#else
#define SOME(n, few) (n)
#endif

#define POLICIES (FAIR_MAUI + 1)
#define LENGTH 600

/* Bytes of a run under @policy, from @seed. */
static void script(uint8_t *byte, uint32_t policy, uint64_t seed)
{
	size_t i;

	for (i = 0; i < LENGTH; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		byte[i] = (uint8_t)(seed >> 33);
	}
	byte[0] = (uint8_t)policy;
}

static void every_policy(void)
{
	uint8_t byte[LENGTH];
	struct drive d;
	uint64_t run;

	for (run = 0; run < SOME(40, 20) * POLICIES; run++) {
		script(byte, (uint32_t)(run % POLICIES), run + 1);
		drive_new(&d, FAIR_IMAGE_VERSION, byte, LENGTH);
		while (fuzz_more(&d.in)) {
			if (d.in.n % 8 == 0)
				drive_load(&d);
			drive_event(&d);
		}
		TEST_EQ(fair_sched_check(&d.sched[1]), 0);
		TEST_CHECK(d.schedulers == 2 && d.numbers > 10);
		drive_free(&d);
	}
}

/* Somewhere in a run under @policy. */
static unsigned char *image_of(struct drive *d, uint32_t version,
			       uint32_t policy, size_t *bytes)
{
	static uint8_t byte[LENGTH];

	script(byte, policy, version > 1 ? 11000 : 12345);
	drive_new(d, version, byte, LENGTH);
	while (d->in.n > LENGTH / 2)
		drive_event(d);
	return drive_save(d, bytes);
}

static unsigned char *some_image(struct drive *d, uint32_t policy,
				 size_t *bytes)
{
	return image_of(d, FAIR_IMAGE_VERSION, policy, bytes);
}

static int load(struct drive *d, const unsigned char *image, size_t bytes,
		int expect)
{
	int damage = -1, error = drive_read(d, image, bytes, &damage);

	TEST_EQ(error, expect ? -FAIR_EINVAL : 0);
	TEST_EQ(damage, expect);
	return error;
}

/* Whichever bit. */
static void flipped(void)
{
	unsigned char *image;
	size_t bytes, i, loaded = 0;
	struct drive d;

	image = some_image(&d, FAIR_DC, &bytes);
	for (i = 0; i < 8 * bytes; i++) {
		image[i / 8] ^= (unsigned char)(1 << i % 8);
		loaded += !drive_read(&d, image, bytes, NULL);
		image[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	TEST_EQ(loaded, 0);
	load(&d, image, bytes, 0);
	free(image);
	drive_free(&d);
}

static void torn(void)
{
	unsigned char *image;
	struct drive d;
	size_t bytes, i;

	image = some_image(&d, FAIR_SFS, &bytes);
	for (i = 0; i < bytes; i++)
		load(&d, image, i, FAIR_IMAGE_CUT);
	load(&d, image, bytes, 0);
	free(image);
	drive_free(&d);
}

static void good_again(unsigned char *image, size_t bytes)
{
	fair_image_put(image + bytes - 8, fair_image_hash(image, bytes - 8));
}

static void reasons(void)
{
	struct fair_config config;
	struct fair_sched s;
	unsigned char *image;
	int damage = -1;
	struct drive d;
	size_t bytes;

	image = some_image(&d, FAIR_BACKFILL, &bytes);
	TEST_EQ(fair_sched_image_config(image, bytes, &config, &damage), 0);
	TEST_CHECK(!damage && fair_image_same(&config, &d.config));
	TEST_CHECK(config.jobs == DRIVE_JOBS && !config.target &&
		   !config.promised && !config.maui);
	image[0]++;
	load(&d, image, bytes, FAIR_IMAGE_FOREIGN);
	image[0]--;
	image[8]++;
	good_again(image, bytes);
	load(&d, image, bytes, FAIR_IMAGE_LATER);
	TEST_EQ(fair_sched_image_config(image, bytes, &config, NULL),
		-FAIR_EINVAL);
	image[8] = 0;
	good_again(image, bytes);
	load(&d, image, bytes, FAIR_IMAGE_LATER);
	image[8] = FAIR_IMAGE_VERSION;
	load(&d, image, bytes, FAIR_IMAGE_CHECKSUM);
	fair_image_put(image + 16, bytes - 1);	/* not of whole words */
	load(&d, image, bytes - 1, FAIR_IMAGE_CUT);
	fair_image_put(image + 16, bytes);
	good_again(image, bytes);
	load(&d, image, bytes, 0);
	d.config.procs++;
	load(&d, image, bytes, FAIR_IMAGE_CONFIG);
	d.config.procs--;
	d.config.jobs = d.config.aside = 1;
	TEST_EQ(drive_read(&d, image, bytes, &damage), -FAIR_ENOSPC);
	TEST_EQ(damage, 0);
	d.config.jobs = 0;
	TEST_EQ(drive_read(&d, image, bytes, &damage), -FAIR_EINVAL);
	d.config.jobs = d.config.aside = DRIVE_JOBS;
	TEST_EQ(fair_sched_load(&s, sizeof(s) - 1, d.memory[1], d.bytes,
				&d.config, image, bytes, &damage),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_load(&s, sizeof(s), d.memory[1], d.bytes - 1,
				&d.config, image, bytes, NULL),
		-FAIR_ENOMEM);
	TEST_EQ(fair_sched_load(&s, sizeof(s), d.memory[1], d.bytes, &d.config,
				NULL, bytes, NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_save(&d.sched[0], image, bytes - 1), -FAIR_ENOSPC);
	TEST_EQ(fair_sched_save(&d.sched[0], NULL, bytes), -FAIR_EINVAL);
	TEST_EQ(fair_sched_image_config(image, bytes, NULL, NULL),
		-FAIR_EINVAL);
	free(image);
	drive_free(&d);
}

static void sentences(void)
{
	int i, k;

	for (i = 0; i <= FAIR_IMAGE_CONFIG + 1; i++)
		for (k = 0; k < i; k++)
			TEST_CHECK(strcmp(fair_image_strerror(i),
					  fair_image_strerror(k)));
	TEST_CHECK(!strcmp(fair_image_strerror(99), "unknown damage"));
}

/* The payload of a section, and how many words a record has. */
static unsigned char *section(unsigned char *image, uint64_t what,
			      uint64_t *width)
{
	unsigned char *p = image + 8 * FAIR_IMAGE_HEADER;

	while (fair_image_get(p) != what)
		p += 8 * fair_image_extent(p);
	*width = fair_image_get(p + 16);
	return p + 8 * FAIR_IMAGE_HEADER;
}

/* A number that no scheduler has, one at a time, with a good checksum. */
static void broken(void)
{
	static const struct {
		uint32_t policy, section;
		size_t word;
		uint64_t value;
	} change[] = {
		{ FAIR_DC, FAIR_IMAGE_OF_CONFIG, 0, 99 },
		{ FAIR_DC, FAIR_IMAGE_OF_CONFIG, 5, 2 },
		{ FAIR_DC, FAIR_IMAGE_OF_STATE, 0, UINT64_C(1) << 62 },
		{ FAIR_DC, FAIR_IMAGE_OF_STATE, 1, UINT64_C(1) << 31 },
		{ FAIR_DC, FAIR_IMAGE_OF_STATE, 2, 0 },
		{ FAIR_DC, FAIR_IMAGE_OF_JOBS, 1, 0 - UINT64_C(2000) },
		{ FAIR_DC, FAIR_IMAGE_OF_JOBS, 2, 0 },
		{ FAIR_DC, FAIR_IMAGE_OF_JOBS, 3, 1000 },
		{ FAIR_DC, FAIR_IMAGE_OF_JOBS, 6, UINT64_C(1) << 60 },
		{ FAIR_DC, FAIR_IMAGE_OF_JOBS, 9, UINT64_C(1) << 32 },
		{ FAIR_DC, FAIR_IMAGE_OF_JOBS, 15, 2 },
		{ FAIR_DC, FAIR_IMAGE_OF_KEEP, 2, UINT64_C(1) << 31 },
		{ FAIR_SFS, FAIR_IMAGE_OF_JOBS, 11, DRIVE_ACCOUNTS },
		{ FAIR_SFS, FAIR_IMAGE_OF_WALK, 5, 2 },
		{ FAIR_SFS, FAIR_IMAGE_OF_TARGETS, 1, UINT64_C(1) << 40 },
		{ FAIR_RELSHARE, FAIR_IMAGE_OF_JOBS, 9, DRIVE_ACCOUNTS },
		{ FAIR_RELSHARE, FAIR_IMAGE_OF_RELSHARE, 1, 7 },
		{ FAIR_RELSHARE, FAIR_IMAGE_OF_USERS, 4, 1 << 21 },
		{ FAIR_RELSHARE, FAIR_IMAGE_OF_LEDGER, 2, 4 },
	};
	unsigned char *image;
	uint64_t width;
	struct drive d;
	size_t bytes, i;

	for (i = 0; i < sizeof(change) / sizeof(*change); i++) {
		image = some_image(&d, change[i].policy, &bytes);
		fair_image_put(section(image, change[i].section, &width) +
				       8 * change[i].word,
			       change[i].value);
		good_again(image, bytes);
		load(&d, image, bytes, FAIR_IMAGE_BROKEN);
		free(image);
		drive_free(&d);
	}
}

/* Of numbers that go with each other, both. */
static void broken_together(void)
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
		{ FAIR_DC, FAIR_IMAGE_OF_STATE, 1, 1, 2, 1 },
		/* A ledger that began long before the scheduler can have. */
		{ FAIR_MAUI, FAIR_IMAGE_OF_MAUI, 0, zero, 1, zero },
	};
	unsigned char *image, *p;
	uint64_t width;
	struct drive d;
	size_t bytes, i;

	for (i = 0; i < sizeof(change) / sizeof(*change); i++) {
		image = some_image(&d, change[i].policy, &bytes);
		p = section(image, change[i].section, &width);
		fair_image_put(p + 8 * change[i].word,
			       (uint64_t)change[i].value);
		fair_image_put(p + 8 * change[i].other,
			       (uint64_t)change[i].also);
		good_again(image, bytes);
		load(&d, image, bytes, FAIR_IMAGE_BROKEN);
		free(image);
		drive_free(&d);
	}
}

/* ---- every word of an image of a scheduler that has something of each ---- */

#define CROWD 8

struct crowd {
	struct fair_config config;
	struct fair_maui_config maui;
	struct fair_sched s;
	void *memory;
	unsigned char *image;
	size_t bytes, length;
};

static void crowd_config(struct crowd *x, uint32_t policy, uint32_t order)
{
	static const int64_t target[2] = { 3, 5 };
	struct fair_config *c = &x->config;

	memset(x, 0, sizeof(*x));
	c->policy = policy;
	c->order = order;
	c->procs = 10;
	c->depth = policy == FAIR_RELSHARE ? 1 : 2;
	c->jobs = 2 * CROWD;
	c->aside = c->bookings = 2;
	c->accounts = c->users = 2;
	c->target = target;
	c->window = 100;
	if (policy == FAIR_BACKFILL && order == FAIR_ORDER_SJF)
		c->select = FAIR_GREEDY;
	if (policy != FAIR_MAUI)
		return;
	x->maui = fair_maui_defaults();
	x->maui.usage = FAIR_MAUI_PROCS;
	x->maui.count[FAIR_THROTTLE_USER] = 2;
	c->maui = &x->maui;
}

static void crowd_submit(struct crowd *x, uint64_t number, uint32_t tasks,
			 int32_t procs, const struct fair_until *until,
			 uint64_t booking)
{
	struct fair_job job;

	memset(&job, 0, sizeof(job));
	job.number = number;
	job.walltime = 10 + (int64_t)number;
	job.procs = procs;
	job.user = job.account = number % 2;
	job.tasks = tasks;
	job.booking = booking;
	job.group = job.queue = job.qos = FAIR_THROTTLE_NONE;
	if (x->config.policy == FAIR_MAUI)
		job.account = FAIR_THROTTLE_NONE;
	TEST_EQ(fair_sched_submit_aside(&x->s, 5, &job, until), 0);
}

/* Bookings, guests, jobs aside and refused, an array, a step not over. */
static void crowd_open(struct crowd *x, uint32_t policy, uint32_t order,
		       size_t room)
{
	static const struct fair_until later = { 50, 0, 0, false };
	const struct fair_until behind = { 0, 1, FAIR_AFTER_OK, false };
	struct fair_booking b;
	struct fair_decision start[CROWD + 2];
	uint64_t i;
	size_t n, guests;

	crowd_config(x, policy, order);
	guests = !x->config.select;	/* they leave no choice */
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	TEST_REQUIRE(x->bytes && x->memory);
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config),
		0);
	memset(&b, 0, sizeof(b));
	for (b.number = 1; b.number < 3; b.number++) {
		b.from = b.number > 1 ? 80 : guests ? 3 : 40;
		b.to = b.number > 1 ? 100 : guests ? 75 : 60;
		b.procs = 3;
		b.kind = FAIR_ADVANCE;
		TEST_EQ(fair_sched_book(&x->s, 0, &b, false), 0);
	}
	crowd_submit(x, 1, 0, 4, NULL, 0);
	crowd_submit(x, 2, 0, 3, NULL, 0);
	if (guests) {
		crowd_submit(x, 8, 0, 2, NULL, 1);	/* starts at once */
		crowd_submit(x, 9, 0, 3, NULL, 1);	/* at 23 */
	}
	TEST_EQ(fair_sched_step(&x->s, 5, start, CROWD, &n), 0);
	TEST_CHECK(n >= 1);
	if (n > 1 + guests)
		TEST_EQ(fair_sched_refuse(&x->s, 5, start[1 + guests].number),
			0);
	for (i = 3; i < CROWD; i++)
		crowd_submit(x, i, 0, (int32_t)(i % 4 + 1), NULL, 0);
	crowd_submit(x, 20, 3, 1, NULL, 0);
	crowd_submit(x, 30, 0, 1, &later, 0);
	crowd_submit(x, 31, 0, 1, &behind, 0);
	TEST_EQ(fair_sched_step(&x->s, 5, start, room, &n), 0);
	TEST_CHECK(x->s.stepped || room == 1);
	TEST_EQ(fair_sched_check(&x->s), 0);
	x->length = fair_sched_image_size(&x->s);
	x->image = (unsigned char *)malloc(x->length);
	TEST_REQUIRE(x->image);
	TEST_EQ(fair_sched_save(&x->s, x->image, x->length), 0);
}

/* Of each waiting job it can be asked why. */
static void ask(const struct fair_sched *s)
{
	struct fair_queue_at at = { 0, 0 };
	struct fair_job_status j;
	struct fair_why why;

	while (fair_sched_each(s, FAIR_QUEUED, &at, &j))
		if (!fair_sched_why(s, j.job.number, NULL, 0, &why))
			TEST_CHECK(why.reasons);
}

/* What was left of the step, and another. */
static void go_on(struct fair_sched *s)
{
	struct fair_decision start[CROWD];
	size_t n;
	int i;

	ask(s);
	for (i = 0; i < 3; i++)
		TEST_EQ(fair_sched_step(s, s->now + (i / 2 && s->now <
							      FAIR_TIME_MAX),
					start, CROWD, &n),
			0);
	TEST_EQ(fair_sched_check(s), 0);
	ask(s);
}

/* Loads it: refused, with nothing touched, or sound. */
static bool crowd_load(struct crowd *x, struct fair_sched *s)
{
	struct fair_sched was;
	int damage = -1, error;

	memset(s, 0x5a, sizeof(*s));
	was = *s;
	good_again(x->image, x->length);
	error = fair_sched_load(s, sizeof(*s), x->memory, x->bytes, &x->config,
				x->image, x->length, &damage);
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
static void every_word(void)
{
	static const uint64_t other[] = {
		0, 1, 2, 7, 31, 99, UINT64_C(1) << 31, UINT64_C(1) << 33,
		UINT64_C(1) << 61, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX,
		UINT64_MAX - 99
	};
	const size_t others = sizeof(other) / sizeof(*other);
	const size_t stride = SOME(1, 4);
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
				was = fair_image_get(x.image + at);
				for (k = at / 8 % stride; k < others + 2;
				     k += stride) {
					fair_image_put(x.image + at,
						       k < others ? other[k]
						       : k == others ? was + 1
								     : was - 1);
					if (crowd_load(&x, &s))
						loaded++;
					else
						refused++;
				}
				fair_image_put(x.image + at, was);
			}
			free(x.image);
			free(x.memory);
		}
	printf("%ld refused, %ld loaded\n", refused, loaded);
	TEST_CHECK(refused > loaded && loaded > 1000);
}

/* Bypasses are counted, and the rules are the caller's. */
static void words_of_maui(void)
{
	static const struct {
		uint64_t section;
		size_t word;
		int64_t value;
		bool good;
	} is[] = {
		{ FAIR_IMAGE_OF_REQUESTS, 5, 0, true },
		{ FAIR_IMAGE_OF_REQUESTS, 5, -1, false },
		{ FAIR_IMAGE_OF_REQUESTS, 5, INT64_MAX / 2, true },
		{ FAIR_IMAGE_OF_REQUESTS, 5, INT64_MAX / 2 + 1, false },
		{ FAIR_IMAGE_OF_REQUESTS, 0, -1, false },
		{ FAIR_IMAGE_OF_MAUI, 2, FAIR_MAUI_PROCS, true },
		{ FAIR_IMAGE_OF_MAUI, 2, FAIR_MAUI_PROCS + 1, false },
		{ FAIR_IMAGE_OF_MAUI, 3, 2, true },
		{ FAIR_IMAGE_OF_MAUI, 3, 3, false },
		{ FAIR_IMAGE_OF_MAUI, 7, 1, false },
	};
	unsigned char *word;
	struct fair_sched s;
	uint64_t width, was;
	struct crowd x;
	size_t i;

	crowd_open(&x, FAIR_MAUI, FAIR_ORDER_FCFS, 1);
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		word = section(x.image, is[i].section, &width) +
		       8 * is[i].word;
		was = fair_image_get(word);
		fair_image_put(word, (uint64_t)is[i].value);
		TEST_EQ(crowd_load(&x, &s), is[i].good);
		fair_image_put(word, was);
	}
	free(x.image);
	free(x.memory);
}

/* Targets and shares are those of the image, whatever the caller's are. */
static void other_targets(void)
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
		free(x.image);
		free(x.memory);
	}
}

/* ---- an image of a small scheduler, and what else it might say ---- */

struct small {
	struct fair_config config;
	struct fair_sched s;
	char memory[1 << 15], other[1 << 15];
	unsigned char image[1 << 12];
	size_t bytes;
};

static int keys_asked;

static int64_t a_key(void *context, const struct fair_job *job)
{
	(void)context;
	keys_asked++;
	return (int64_t)job->number;
}

static void small_open(struct small *x, uint32_t policy, uint32_t order)
{
	memset(x, 0, sizeof(*x));
	x->config.policy = policy;
	x->config.order = order;
	x->config.procs = 4;
	x->config.jobs = 4;
	x->config.accounts = x->config.users = 2;
	x->config.half_life = 500;
	x->config.window = FAIR_RELSHARE_LIMIT / 4;
	x->config.key = a_key;
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				sizeof(x->memory), &x->config), 0);
}

static void small_submit(struct small *x, int64_t now, uint64_t number,
			 int32_t procs)
{
	struct fair_job j;

	memset(&j, 0, sizeof(j));
	j.number = number;
	j.walltime = 10;
	j.procs = procs;
	TEST_EQ(fair_sched_submit(&x->s, now, &j), 0);
}

static void small_step(struct small *x, int64_t now)
{
	struct fair_decision start[4];
	size_t n;

	TEST_EQ(fair_sched_step(&x->s, now, start, 4, &n), 0);
}

static void small_save(struct small *x)
{
	x->bytes = fair_sched_image_size(&x->s);
	TEST_REQUIRE(x->bytes <= sizeof(x->image));
	TEST_EQ(fair_sched_save(&x->s, x->image, x->bytes), 0);
}

static void small_load(struct small *x, int error, int damage)
{
	struct fair_sched s;
	int found = -1;

	good_again(x->image, x->bytes);
	TEST_EQ(fair_sched_load(&s, sizeof(s), x->other, sizeof(x->other),
				&x->config, x->image, x->bytes, &found),
		error);
	TEST_EQ(found, damage);
	if (!error) {
		TEST_EQ(fair_sched_check(&s), 0);
		go_on(&s);
	}
}

/* A ledger of another kind, though as large, or of another time. */
static void other_ledgers(void)
{
	static const struct {
		uint32_t users, depth;
		int64_t length;
		uint64_t id, decay;
		int64_t latest;
		bool good;
	} ledger[] = {
		{ 2, 0, 500, 0, 0, 5, true },
		{ 2, 0, 500, 0, 0, 6, false },
		{ 2, 0, 500, 3, 0, 5, false },
		{ 2, 0, 501, 0, 0, 5, false },
		{ 2, 2, 500, 0, 0, 5, false },
		{ 1, 4, 500, 0, 0, 5, false },
		{ 3, 0, 500, 0, 0, 5, false },
	};
	static uint64_t memory[256];
	uint64_t width, was;
	struct fair_usage u;
	unsigned char *p;
	static struct small x;
	size_t i, bytes;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	small_submit(&x, 5, 1, 1);
	small_save(&x);
	p = section(x.image, FAIR_IMAGE_OF_USAGE, &was);
	TEST_EQ(x.image + x.bytes - 8 - p, 8 * was);	/* the last */
	for (i = 0; i < sizeof(ledger) / sizeof(*ledger); i++) {
		if (ledger[i].depth)
			TEST_EQ(fair_usage_init_windows(
					&u, sizeof(u), memory, sizeof(memory),
					ledger[i].users, 1, ledger[i].id,
					ledger[i].depth, ledger[i].length,
					ledger[i].decay), 0);
		else
			TEST_EQ(fair_usage_init_half_life(
					&u, sizeof(u), memory, sizeof(memory),
					ledger[i].users, 1, ledger[i].id,
					ledger[i].length), 0);
		TEST_EQ(fair_usage_charge(&u, 0, 0, ledger[i].latest, 1), 0);
		bytes = fair_usage_image_size(&u);
		TEST_EQ(fair_usage_save(&u, p, bytes), 0);
		width = bytes / 8;
		fair_image_put(p - 8, width);
		x.bytes = (size_t)(p - x.image) + bytes + 8;
		fair_image_put(x.image + 16, x.bytes);
		small_load(&x, ledger[i].good ? 0 : -FAIR_EINVAL,
			   ledger[i].good ? 0 : FAIR_IMAGE_BROKEN);
	}
	/* Windows, of which only the decay differs. */
	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	x.config.half_life = 0;
	TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&x.config), 0);
	small_save(&x);
	p = section(x.image, FAIR_IMAGE_OF_USAGE, &width);
	for (i = 0; i < 2; i++) {
		TEST_EQ(fair_usage_init_windows(&u, sizeof(u), memory,
						sizeof(memory), 2, 1, 0, 1,
						INT64_MAX, i), 0);
		TEST_EQ(fair_usage_save(&u, p, (size_t)(8 * width)), 0);
		small_load(&x, i ? -FAIR_EINVAL : 0,
			   i ? FAIR_IMAGE_BROKEN : 0);
	}
}

/* Started now, it cannot be due; the machine is larger than usage can be. */
static void other_small_words(void)
{
	static struct small x;
	unsigned char *p;
	uint64_t width;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	small_submit(&x, 5, 1, 1);
	small_step(&x, 5);
	small_save(&x);
	p = section(x.image, FAIR_IMAGE_OF_JOBS, &width);
	TEST_EQ(fair_image_get(p + 8), 15);
	fair_image_put(p + 8, 6);
	small_load(&x, 0, 0);
	fair_image_put(p + 8, 5);
	small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
	small_open(&x, FAIR_RELSHARE, FAIR_ORDER_FCFS);
	small_save(&x);
	p = section(x.image, FAIR_IMAGE_OF_STATE, &width);
	fair_image_put(p + 8, 3);
	small_load(&x, 0, 0);
	fair_image_put(p + 8, 5);
	fair_image_put(p + 16, 5);
	small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
}

static int64_t from_image(struct small *x, uint64_t what, size_t word)
{
	uint64_t width;

	return (int64_t)fair_image_get(section(x->image, what, &width) +
				       8 * word);
}

static void to_image(struct small *x, uint64_t what, size_t word, int64_t value)
{
	uint64_t width;

	fair_image_put(section(x->image, what, &width) + 8 * word,
		       (uint64_t)value);
}

/* Each of the fields that say how it schedules. */
static void other_configs(void)
{
	struct fair_config was, other[14];
	static struct small x;
	size_t i;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_SJF);
	small_submit(&x, 0, 1, 1);
	small_save(&x);
	was = x.config;
	for (i = 0; i < 14; i++)
		other[i] = was;
	other[0].policy = FAIR_FCFS;
	other[1].order = FAIR_ORDER_LJF;
	other[2].depth = 3;
	other[3].select = FAIR_GREEDY;
	other[4].metric = FAIR_FIT_PROC_SECONDS;
	other[5].longest = true;
	other[6].procs++;
	other[7].origin--;
	other[8].accounts++;
	other[9].users++;
	other[10].window++;
	other[11].only_used = true;
	other[12].weight++;
	other[13].half_life++;
	for (i = 0; i < 14; i++) {
		x.config = other[i];
		small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_CONFIG);
	}
	x.config = was;
	small_load(&x, 0, 0);
}

/* Each number is one job's, those of the tasks of an array that waits too. */
static void other_numbers(void)
{
	struct fair_job j = { 0 };
	static struct small x;
	int64_t number;
	uint64_t width;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_FCFS);
	j.number = 20;
	j.tasks = 3;
	j.walltime = 10;
	j.procs = 4;
	TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	small_submit(&x, 0, 30, 4);
	small_save(&x);
	(void)section(x.image, FAIR_IMAGE_OF_JOBS, &width);
	for (number = 19; number < 24; number++) {
		to_image(&x, FAIR_IMAGE_OF_JOBS, (size_t)width, number);
		if (number > 19 && number < 23)
			small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
		else
			small_load(&x, 0, 0);
	}
}

/* What can be told from other words is, and not read. */
static void told_by_others(void)
{
	enum { KEY = 1, MARK = 4 };
	static struct small x, y;
	uint64_t width;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_FCFS);
	small_submit(&x, 3, 1, 3);
	small_step(&x, 3);
	small_submit(&x, 5, 2, 2);
	small_save(&x);
	y = x;
	(void)section(x.image, FAIR_IMAGE_OF_JOBS, &width);
	to_image(&x, FAIR_IMAGE_OF_JOBS, MARK, FAIR_MARK_REFUSED);
	to_image(&x, FAIR_IMAGE_OF_JOBS, (size_t)width + KEY, 99);
	good_again(x.image, x.bytes);
	TEST_EQ(fair_sched_load(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&x.config, x.image, x.bytes, NULL), 0);
	small_save(&x);
	TEST_EQ(x.bytes, y.bytes);
	TEST_CHECK(!memcmp(x.image, y.image, y.bytes));
}

/* An image that no config has room for is broken first. */
static void broken_or_no_room(void)
{
	enum { KEY = 1, PROCS = 3 };
	static const struct fair_until held = { 0, 0, 0, true };
	struct fair_job j = { 0 };
	static struct small x;
	uint32_t policy;
	uint64_t width;

	j.number = 3;
	j.walltime = 10;
	j.procs = 1;
	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		small_open(&x, policy, FAIR_ORDER_FCFS);
		x.config.aside = 1;
		TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory,
					sizeof(x.memory), &x.config), 0);
		small_submit(&x, 3, 1, 3);
		small_submit(&x, 3, 2, 1);
		small_step(&x, 3);
		TEST_EQ(fair_sched_submit_aside(&x.s, 3, &j, &held), 0);
		small_save(&x);
		small_load(&x, 0, 0);
		x.config.aside = 0;
		small_load(&x, -FAIR_ENOSPC, 0);
		(void)section(x.image, FAIR_IMAGE_OF_JOBS, &width);
		to_image(&x, FAIR_IMAGE_OF_JOBS, (size_t)width + PROCS, 2);
		small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
		to_image(&x, FAIR_IMAGE_OF_JOBS, (size_t)width + PROCS, 1);
		to_image(&x, FAIR_IMAGE_OF_JOBS, (size_t)width + KEY,
			 2 * FAIR_TIME_MAX);	/* no profile has that */
		if (fair_sched_promises(&x.config))
			small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
		else
			small_load(&x, -FAIR_ENOSPC, 0);
		to_image(&x, FAIR_IMAGE_OF_JOBS, (size_t)width + KEY, 13);
		x.config.jobs = 2;
		small_load(&x, -FAIR_ENOSPC, 0);
		to_image(&x, FAIR_IMAGE_OF_STATE, 1, (INT64_C(1) << 31) + 4);
		small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
	}
}

/* The caller is asked for the keys of jobs that can be. */
static void keys(void)
{
	enum { KEY = 1 };
	static const struct fair_until held = { 0, 0, 0, true };
	struct fair_job j = { 0 };
	static struct small x;
	uint32_t policy;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_KEY);
	x.config.aside = 1;
	TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&x.config), 0);
	j.number = 1;
	j.procs = 1;
	j.walltime = 10;
	TEST_EQ(fair_sched_submit_aside(&x.s, 0, &j, &held), 0);
	small_save(&x);
	to_image(&x, FAIR_IMAGE_OF_JOBS, KEY, -FAIR_TIME_MAX);
	small_load(&x, 0, 0);
	to_image(&x, FAIR_IMAGE_OF_JOBS, KEY, -FAIR_TIME_MAX - 1);
	small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
	for (policy = FAIR_FCFS; policy <= FAIR_PC; policy++) {
		if (policy == FAIR_CONSERVATIVE)
			continue;
		small_open(&x, policy, FAIR_ORDER_KEY);
		small_submit(&x, 0, 1, 1);
		small_save(&x);
		to_image(&x, FAIR_IMAGE_OF_JOBS, KEY, -FAIR_TIME_MAX - 1);
		keys_asked = 0;
		if (fair_sched_promises(&x.config)) {
			small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
			TEST_EQ(keys_asked, 0);
		} else {
			small_load(&x, 0, 0);
			TEST_CHECK(keys_asked);
		}
	}
}

static void penalties(void)
{
	enum { PENALTY = 19 };
	static struct small x;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	small_submit(&x, 0, 1, 1);
	small_save(&x);
	to_image(&x, FAIR_IMAGE_OF_JOBS, PENALTY, FAIR_RATE_MAX);
	small_load(&x, 0, 0);
	to_image(&x, FAIR_IMAGE_OF_JOBS, PENALTY, FAIR_RATE_MAX + 1);
	small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
	to_image(&x, FAIR_IMAGE_OF_JOBS, PENALTY, -1);
	small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
}

/* All sections, and not one word of another, are there. */
static void lengths(void)
{
	static struct small x;
	unsigned char *end;
	size_t words;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_FCFS);
	small_save(&x);
	end = x.image + x.bytes - 8;
	x.bytes += 80;
	fair_image_put(x.image + 16, x.bytes);
	for (words = 0; words < 10; words++)
		fair_image_put(end + 8 * words, 999);	/* not known */
	fair_image_put(end + 16, 1);
	for (words = 6; words < 15; words++) {
		fair_image_put(end + 8, words);
		if (words == 7)
			small_load(&x, 0, 0);
		else
			small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
	}
}

/* Of a section that is one record: none, and two. */
static void one_record(void)
{
	const size_t head = 8 * FAIR_IMAGE_HEADER;
	unsigned char *image = (unsigned char *)malloc(2 * head + 8), *p;
	struct fair_config config;
	static struct small x;
	int damage = 0;
	size_t length;
	uint64_t width;

	TEST_REQUIRE(image);
	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	small_save(&x);
	memcpy(image, x.image, 2 * head);
	TEST_EQ(fair_image_get(image + head), FAIR_IMAGE_OF_CONFIG);
	fair_image_put(image + 16, 2 * head + 8);
	fair_image_put(image + head + 8, 0);
	good_again(image, 2 * head + 8);
	TEST_EQ(fair_sched_image_config(image, 2 * head + 8, &config, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, FAIR_IMAGE_BROKEN);
	free(image);
	p = section(x.image, FAIR_IMAGE_OF_CONFIG, &width);
	length = 8 * (size_t)width;
	memmove(p + length, p, x.bytes - (size_t)(p - x.image));
	fair_image_put(p - 16, 2);
	x.bytes += length;
	fair_image_put(x.image + 16, x.bytes);
	small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
}

/* An image has what its policy and order need, and nothing else. */
static void sections(void)
{
	enum { ALL = 1 << FAIR_IMAGE_OF_CONFIG | 1 << FAIR_IMAGE_OF_STATE |
		     1 << FAIR_IMAGE_OF_JOBS | 1 << FAIR_IMAGE_OF_ASIDE |
		     1 << FAIR_IMAGE_OF_BOOKINGS,
	       WALK = ALL | 1 << FAIR_IMAGE_OF_WALK |
		      1 << FAIR_IMAGE_OF_HELD | 1 << FAIR_IMAGE_OF_ORDER |
		      1 << FAIR_IMAGE_OF_CHOSEN,
	       KEEP = ALL | 1 << FAIR_IMAGE_OF_KEEP };
	static const struct {
		uint32_t policy, order;
		unsigned long has;
	} is[] = {
		{ FAIR_FCFS, FAIR_ORDER_FCFS, WALK },
		{ FAIR_BACKFILL, FAIR_ORDER_SJF, WALK },
		{ FAIR_BACKFILL, FAIR_ORDER_USAGE,
		  WALK | 1 << FAIR_IMAGE_OF_USAGE },
		{ FAIR_CONSERVATIVE, FAIR_ORDER_FCFS, KEEP },
		{ FAIR_DC, FAIR_ORDER_SJF, KEEP },
		{ FAIR_SFS, FAIR_ORDER_FCFS,
		  WALK | 1 << FAIR_IMAGE_OF_TARGETS },
		{ FAIR_RELSHARE, FAIR_ORDER_FCFS,
		  WALK | 1 << FAIR_IMAGE_OF_RELSHARE |
			  1 << FAIR_IMAGE_OF_USERS |
			  1 << FAIR_IMAGE_OF_LEDGER },
		{ FAIR_MAUI, FAIR_ORDER_FCFS,
		  WALK | 1 << FAIR_IMAGE_OF_MAUI |
			  1 << FAIR_IMAGE_OF_REQUESTS |
			  1 << FAIR_IMAGE_OF_KINDS << FAIR_THROTTLE_USER },
	};
	const unsigned char *p;
	unsigned long has;
	struct crowd x;
	size_t i;

	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		crowd_open(&x, is[i].policy, is[i].order, 1);
		p = x.image + 8 * FAIR_IMAGE_HEADER;
		for (has = 0; p < x.image + x.length - 8;
		     p += 8 * fair_image_extent(p))
			has |= 1UL << fair_image_get(p);
		TEST_EQ(has, is[i].has);
		free(x.image);
		free(x.memory);
	}
}

/* What is over leaves nothing behind. */
static void nothing_of_before(void)
{
	enum { FROM = 5, TO, LONGEST, MOST, NUMBER,
	       AGAIN = 9, CHOSEN_NEXT = 15, CHOSEN_END };
	struct fair_decision start[4];
	static struct small x;
	size_t n;

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	small_submit(&x, 0, 1, 4);
	small_step(&x, 0);
	small_submit(&x, 0, 2, 4);
	TEST_EQ(fair_sched_finish(&x.s, 5, 1), 0);
	small_step(&x, 5);
	TEST_CHECK(!x.s.keep.walk.kind && x.s.keep.walk.risen.to > 0);
	small_save(&x);
	TEST_CHECK(from_image(&x, FAIR_IMAGE_OF_KEEP, FROM) == INT64_MAX);
	TEST_CHECK(from_image(&x, FAIR_IMAGE_OF_KEEP, TO) == INT64_MIN);
	TEST_EQ(from_image(&x, FAIR_IMAGE_OF_KEEP, LONGEST), 0);
	TEST_EQ(from_image(&x, FAIR_IMAGE_OF_KEEP, MOST), 0);
	TEST_EQ(from_image(&x, FAIR_IMAGE_OF_KEEP, NUMBER), 0);
	small_load(&x, 0, 0);
	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	x.config.select = FAIR_GREEDY;
	TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&x.config), 0);
	small_submit(&x, 0, 1, 2);
	small_submit(&x, 0, 2, 4);
	small_submit(&x, 0, 3, 1);
	small_submit(&x, 0, 4, 1);
	TEST_EQ(fair_sched_step(&x.s, 0, start, 2, &n), 0);
	TEST_EQ(n, 2);
	TEST_CHECK(x.s.plan.chosen_next < x.s.plan.chosen_end);
	small_save(&x);
	small_load(&x, 0, 0);
	TEST_EQ(fair_sched_pass(&x.s, 1), 0);
	TEST_CHECK(!x.s.plan.again);
	small_save(&x);
	TEST_EQ(from_image(&x, FAIR_IMAGE_OF_WALK, AGAIN), 1);
	TEST_EQ(from_image(&x, FAIR_IMAGE_OF_WALK, CHOSEN_NEXT), 0);
	TEST_EQ(from_image(&x, FAIR_IMAGE_OF_WALK, CHOSEN_END), 0);
	small_load(&x, 0, 0);
}

/* The first group has nobody left as it is saved, and others are as ordered. */
static void an_empty_group(void)
{
	static const int64_t used[] = { 0, 1, 3, 4, 2, 5, 6 };
	static const uint64_t first[] = { 11, 14, 12, 13, 15, 16 };
	enum { USERS = sizeof(used) / sizeof(used[0]) };
	struct fair_decision start[USERS];
	struct fair_job j = { 0 };
	static struct small x;
	struct fair_sched s;
	uint32_t i;
	size_t n;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	x.config.order = FAIR_ORDER_USAGE;
	x.config.procs = 8;
	x.config.jobs = 8;
	x.config.users = USERS;
	TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory, sizeof(x.memory),
				&x.config), 0);
	for (i = 1; i < USERS; i++) {
		j.number = j.user = i;
		j.walltime = 10 * used[i];
		j.procs = 1;
		TEST_EQ(fair_sched_submit(&x.s, 0, &j), 0);
	}
	TEST_EQ(fair_sched_step(&x.s, 0, start, USERS, &n), 0);
	TEST_EQ(n, USERS - 1);
	for (n = 1; n < USERS; n++)
		for (i = 1; i < USERS; i++)
			if (used[i] == (int64_t)n)
				TEST_EQ(fair_sched_finish(&x.s, 10 * used[i],
							  i), 0);
	for (i = 0; i < USERS; i++) {
		j.number = 10 + i;
		j.user = i;
		j.walltime = 10;
		TEST_EQ(fair_sched_submit(&x.s, 60, &j), 0);
	}
	TEST_EQ(fair_sched_step(&x.s, 60, start, 1, &n), 0);
	TEST_EQ(start[0].number, 10);
	small_save(&x);
	TEST_EQ(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.image, x.bytes, NULL), 0);
	TEST_EQ(fair_sched_step(&s, 60, start, USERS, &n), 0);
	TEST_EQ(n, USERS - 1);
	for (i = 0; i < n; i++)
		TEST_EQ(start[i].number, first[i]);
}

/* Nobody is taken out of an order that is not there yet. */
static void half_sorted(void)
{
	enum { NEXT = 10, UNSORTED = 17 };	/* words of a walk */
	static struct small x;
	unsigned char *p;
	uint64_t width;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_LXF);
	small_submit(&x, 0, 1, 3);
	small_submit(&x, 0, 2, 4);
	small_submit(&x, 0, 3, 2);
	fair_sched_budget(&x.s, 1);
	small_step(&x, 0);
	small_save(&x);
	p = section(x.image, FAIR_IMAGE_OF_WALK, &width);
	TEST_CHECK(fair_image_get(p + 8 * UNSORTED) > 0);
	TEST_EQ(fair_image_get(p + 8 * NEXT), 0);
	small_load(&x, 0, 0);
	fair_image_put(p + 8 * NEXT, 1);
	small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
}

/*
 * A walk by the shadow time whose reservation is nobody's any more goes on in a
 * profile, which none of before needs.
 */
static void into_a_profile(void)
{
	enum { GONE = 3 };
	static struct small x;
	size_t i;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	small_submit(&x, 0, 1, 3);
	small_submit(&x, 0, 2, 4);
	small_submit(&x, 0, 3, 2);
	small_step(&x, 0);
	TEST_EQ(x.s.plan.reserved, 1);
	TEST_EQ(fair_sched_cancel(&x.s, 1, 2), 0);
	small_save(&x);
	for (i = 0; i < 5; i++)
		TEST_EQ(from_image(&x, FAIR_IMAGE_OF_HELD, i), i == GONE);
	x.config.bookings = 1;
	small_load(&x, 0, 0);
}

static void without_bookings(void)
{
	struct fair_booking b = { 1, 20, 30, 1, FAIR_MAINTENANCE, 0 };
	static struct small x;
	uint32_t policy;

	for (policy = FAIR_BACKFILL; policy <= FAIR_CONSERVATIVE; policy++) {
		small_open(&x, policy, FAIR_ORDER_FCFS);
		x.config.bookings = 1;
		TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory,
					sizeof(x.memory), &x.config), 0);
		TEST_EQ(fair_sched_book(&x.s, 0, &b, false), 0);
		small_save(&x);
		small_load(&x, 0, 0);
		x.config.bookings = 0;
		if (policy == FAIR_BACKFILL)
			small_load(&x, -FAIR_EINVAL, FAIR_IMAGE_CONFIG);
		else
			small_load(&x, -FAIR_ENOSPC, 0);
	}
}

/* The least and the most that a word can say: 1 runs since 3, 2 waits; it is 5. */
static void ends_of_ranges(void)
{
	enum { KEY = 1, WALLTIME, PROCS, SUBMIT = 6, STARTED, STATE = 15,
	       CAUSE, CHARGED = 18, FOLLOW = 20, BOOKING };
	static const struct {
		size_t record, word;
		int64_t value;
		bool good;
	} is[] = {
		{ 0, 0, 1, true },
		{ 0, 0, 2, false },		/* as another */
		{ 0, KEY, 5, true },
		{ 0, KEY, 4, false },
		{ 0, KEY, 2 * FAIR_TIME_MAX, true },
		{ 0, KEY, 2 * FAIR_TIME_MAX + 1, false },
		{ 0, WALLTIME, 1, true },
		{ 0, WALLTIME, 0, false },
		{ 0, WALLTIME, FAIR_WALLTIME_MAX, true },
		{ 0, WALLTIME, FAIR_WALLTIME_MAX + 1, false },
		{ 0, PROCS, 4, true },
		{ 0, PROCS, 1, true },
		{ 0, PROCS, 0, false },
		{ 0, PROCS, 5, false },
		{ 0, SUBMIT, 5, true },
		{ 0, SUBMIT, 6, false },
		{ 0, STARTED, 5, true },
		{ 0, STARTED, 6, false },
		{ 0, STARTED, -FAIR_TIME_MAX, true },
		{ 0, STARTED, -FAIR_TIME_MAX - 1, false },
		{ 0, STATE, FAIR_ASIDE + 1, false },
		{ 0, CAUSE, FAIR_CAUSE_BOOKING, true },
		{ 0, CAUSE, FAIR_CAUSE_BOOKING + 1, false },
		{ 0, CHARGED, 1, false },	/* by no ledger */
		{ 1, 0, 1, false },
		{ 1, KEY, -FAIR_TIME_MAX, true },
		{ 1, KEY, -FAIR_TIME_MAX - 1, false },
		{ 1, PROCS, 4, true },
		{ 1, PROCS, 5, false },
		{ 1, SUBMIT, INT64_MIN, true },
		{ 1, SUBMIT, 6, false },
		{ 1, STATE, FAIR_RUNNING, false }, /* 5 of 4 processors */
		{ 1, CHARGED, 1, false },
		{ 1, BOOKING, 1, false },	/* and in the queue */
	};
	static struct small x;
	unsigned char *p, *word;
	uint64_t width, was;
	size_t i;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_FCFS);
	small_submit(&x, 3, 1, 3);
	small_step(&x, 3);
	small_submit(&x, 5, 2, 2);
	small_step(&x, 5);
	small_save(&x);
	p = section(x.image, FAIR_IMAGE_OF_JOBS, &width);
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		word = p + 8 * (is[i].record * width + is[i].word);
		was = fair_image_get(word);
		fair_image_put(word, (uint64_t)is[i].value);
		small_load(&x, is[i].good ? 0 : -FAIR_EINVAL,
			   is[i].good ? 0 : FAIR_IMAGE_BROKEN);
		fair_image_put(word, was);
	}
}

/* Nobody is there; of the config are 4 processors. */
static void idle_states(void)
{
	static const struct {
		int64_t now, procs, most;
		bool good;
	} is[] = {
		{ 0, 4, 4, true },
		{ -1, 4, 4, false },
		{ FAIR_TIME_MAX, 4, 4, true },
		{ FAIR_TIME_MAX + 1, 4, 4, false },
		{ 9, 5, 4, false },
		{ 9, 5, 5, true },
		{ 9, 3, 4, true },
		{ 9, 3, 3, false },
		{ 9, 4, 3, false },
		{ 9, 0, 4, true },
		{ 9, INT32_MAX, INT32_MAX, true },
		{ 9, (int64_t)INT32_MAX + 1, INT32_MAX, false },
	};
	static struct small x;
	uint64_t width, policy;
	unsigned char *p;
	size_t i;

	for (policy = 0; policy <= FAIR_DC; policy++) {
		small_open(&x, (uint32_t)policy, FAIR_ORDER_FCFS);
		small_save(&x);
		p = section(x.image, FAIR_IMAGE_OF_STATE, &width);
		for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
			fair_image_put(p, (uint64_t)is[i].now);
			fair_image_put(p + 8, (uint64_t)is[i].procs);
			fair_image_put(p + 16, (uint64_t)is[i].most);
			small_load(&x, is[i].good ? 0 : -FAIR_EINVAL,
				   is[i].good ? 0 : FAIR_IMAGE_BROKEN);
		}
	}
}

/* What lies behind the bytes that there are is not looked at. */
static void begun(void)
{
	unsigned char image[8 * (FAIR_IMAGE_HEADER + 2)];
	static struct small x;
	int damage;

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	small_save(&x);
	memset(image, 0xff, sizeof(image));
	for (x.bytes = 0; x.bytes <= 8 * (FAIR_IMAGE_HEADER + 1); x.bytes++) {
		if (x.bytes && x.bytes <= 8)
			image[x.bytes - 1] = x.image[x.bytes - 1];
		TEST_EQ(fair_sched_image_config(image, x.bytes, &x.config,
						&damage), -FAIR_EINVAL);
		TEST_EQ(damage, x.bytes < 8 * (FAIR_IMAGE_HEADER + 1)
					? FAIR_IMAGE_CUT
					: FAIR_IMAGE_LATER);
	}
	image[7]++;
	TEST_EQ(fair_sched_image_config(image, 8, &x.config, &damage),
		-FAIR_EINVAL);
	TEST_EQ(damage, FAIR_IMAGE_FOREIGN);
}

/* As far ahead as before, whatever time it is. */
static void reaches(void)
{
	const int64_t now = FAIR_TIME_MAX / 2;
	static struct small x;
	struct fair_sched s;
	uint32_t policy;

	for (policy = FAIR_FCFS; policy <= FAIR_DC; policy++) {
		small_open(&x, policy, FAIR_ORDER_FCFS);
		x.config.bookings = 1;
		TEST_EQ(fair_sched_init(&x.s, sizeof(x.s), x.memory,
					sizeof(x.memory), &x.config), 0);
		TEST_EQ(fair_sched_pass(&x.s, now), 0);
		small_submit(&x, now, UINT64_MAX, 4);
		small_step(&x, now);
		small_save(&x);
		TEST_EQ(fair_sched_load(&s, sizeof(s), x.other,
					sizeof(x.other), &x.config, x.image,
					x.bytes, NULL), 0);
		TEST_EQ(fair_sched_reach(&s), fair_sched_reach(&x.s));
	}
}

/*
 * Records of @words words become as wide as @width: of an earlier version, whose
 * last fields were not known, or of a later one.
 */
static unsigned char *rewidened(unsigned char *image, size_t *bytes,
				uint64_t what, uint64_t width)
{
	uint64_t was, i, records;
	unsigned char *p = section(image, what, &was), *to, *q;
	size_t before = (size_t)(p - image), after;

	records = fair_image_get(p - 16);
	after = *bytes - before - 8 * (size_t)(records * was);
	to = calloc(1, *bytes + 8 * (size_t)(records * width));
	memcpy(to, image, before);
	fair_image_put(to + before - 8, width);
	for (q = to + before, i = 0; i < records; i++, q += 8 * width)
		memcpy(q, p + 8 * i * was, (size_t)(8 * (was < width ? was : width)));
	memcpy(q, p + 8 * records * was, after);
	*bytes = (size_t)(q - to) + after;
	fair_image_put(to + 16, *bytes);
	good_again(to, *bytes);
	free(image);
	return to;
}

/* Words that an image does not have are 0; those that nobody knows do no harm. */
static void other_widths(void)
{
	struct fair_job_status a, b;
	struct fair_queue_at at = { 0, 0 };
	unsigned char *image;
	struct drive d;
	size_t bytes;

	image = some_image(&d, FAIR_PC, &bytes);
	do
		TEST_REQUIRE(fair_sched_each(&d.sched[0], FAIR_QUEUED, &at,
					     &a));
	while (!a.job.account);
	image = rewidened(image, &bytes, FAIR_IMAGE_OF_STATE, 9);
	image = rewidened(image, &bytes, FAIR_IMAGE_OF_JOBS,
			  FAIR_IMAGE_JOB + 3);
	load(&d, image, bytes, 0);
	TEST_EQ(fair_sched_lookup(&d.sched[1], a.job.number, &b), 0);
	TEST_CHECK(a.start == b.start && a.first_promise == b.first_promise);
	TEST_CHECK(a.job.cookie == b.job.cookie && a.job.submit == b.job.submit);
	image = rewidened(image, &bytes, FAIR_IMAGE_OF_KEEP, 3);
	load(&d, image, bytes, 0);
	TEST_EQ(d.sched[1].keep.filled, 0);
	image = rewidened(image, &bytes, FAIR_IMAGE_OF_JOBS, 3);
	load(&d, image, bytes, FAIR_IMAGE_BROKEN); /* no processors */
	free(image);
	drive_free(&d);
}

/* ---- what a damaged image says of the walk, of guests, of those aside ---- */

/* Words of a walk. */
enum { OF_LAST = 3, OF_PASS, OF_RESERVED, OF_SHADOW, OF_WALKED = 8, OF_AGAIN,
       OF_NEXT, OF_ENDS, OF_LEFT, OF_NEXT_CHOSEN = 15, OF_END_CHOSEN,
       OF_UNSORTED };

static unsigned char *small_word(struct small *x, uint64_t what, size_t word)
{
	uint64_t width;

	return section(x->image, what, &width) + 8 * word;
}

static void small_put(struct small *x, uint64_t what, size_t word,
		      uint64_t value)
{
	fair_image_put(small_word(x, what, word), value);
}

/* Another section in the place of one, its words 0. */
static void small_instead(struct small *x, uint64_t what, uint64_t records,
			  uint64_t width)
{
	unsigned char *p = x->image + x->bytes - 8;
	size_t words = 3 + (size_t)(records * width);

	TEST_REQUIRE(x->bytes + 8 * words <= sizeof(x->image));
	fair_image_put(small_word(x, what, 0) - 24, 99);
	memset(p, 0, 8 * words);
	fair_image_put(p, what);
	fair_image_put(p + 8, records);
	fair_image_put(p + 16, width);
	x->bytes += 8 * words;
	fair_image_put(x->image + 16, x->bytes);
}

static void small_broken(struct small *x)
{
	small_load(x, -FAIR_EINVAL, FAIR_IMAGE_BROKEN);
}

/* It is broken as long as it says that. */
static void small_breaks(struct small *x, uint64_t what, size_t word,
			 uint64_t value)
{
	uint64_t was = fair_image_get(small_word(x, what, word));

	small_put(x, what, word, value);
	small_broken(x);
	small_put(x, what, word, was);
	small_load(x, 0, 0);
}

/* As the config is by now. */
static void small_again(struct small *x)
{
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory,
				sizeof(x->memory), &x->config), 0);
}

/* Of 4 processors 3 are in use for 10 seconds; two jobs need them all. */
static void small_two_wait(struct small *x, uint32_t policy, uint32_t depth,
			   int64_t now)
{
	small_open(x, policy, FAIR_ORDER_FCFS);
	x->config.depth = depth;
	small_again(x);
	small_submit(x, now, 1, 3);
	small_submit(x, now, 2, 4);
	small_submit(x, now, 3, 4);
	small_step(x, now);
	small_save(x);
}

static void reservations(void)
{
	static const int64_t most = FAIR_WALLTIME_MAX, far = FAIR_TIME_MAX;
	const struct {
		int64_t start, walltime, procs;
		bool good;
	} is[] = {
		{ 20, 10, 4, true },
		{ 19, 10, 4, false },		/* beside that of job 2 */
		{ 20, 1, 4, true },
		{ 20, 0, 4, false },
		{ -1, 1, 4, true },		/* until now */
		{ -5, 1, 1, true },
		{ -5, 1, 0, false },
		{ -far, 10, 4, true },
		{ -far - 1, 10, 4, false },
		{ 2 * far + 1, 10, 4, false },
		{ INT64_MAX, 10, 4, false },
		{ 5 - most, most, 1, true },	/* until 5 */
		{ 4 - most, most + 1, 1, false },
	};
	static struct small x;
	unsigned char *p;
	size_t i;

	small_two_wait(&x, FAIR_BACKFILL, 2, 0);
	p = small_word(&x, FAIR_IMAGE_OF_HELD, 5);
	TEST_EQ((int64_t)fair_image_get(p), is[0].start);
	/* No shadow time is known, even if an image has one. */
	small_put(&x, FAIR_IMAGE_OF_WALK, OF_SHADOW, 20);
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		fair_image_put(p, (uint64_t)is[i].start);
		fair_image_put(p + 8, (uint64_t)is[i].walltime);
		fair_image_put(p + 16, (uint64_t)is[i].procs);
		if (is[i].good)
			small_load(&x, 0, 0);
		else
			small_broken(&x);
	}
	/* As late as can be. */
	small_two_wait(&x, FAIR_BACKFILL, 2, far - 5);
	p = small_word(&x, FAIR_IMAGE_OF_HELD, 0);
	TEST_EQ((int64_t)fair_image_get(p), far + 5);
	small_load(&x, 0, 0);
}

/* One job is what fcfs stops at. */
static void two_heads(void)
{
	static struct small x;

	small_two_wait(&x, FAIR_FCFS, 0, 0);
	small_breaks(&x, FAIR_IMAGE_OF_WALK, OF_RESERVED, 2);
}

/* What was planned by the shadow time is a reservation in a profile. */
static void shadow_into_a_profile(void)
{
	static struct small x;
	struct fair_sched s;

	small_two_wait(&x, FAIR_BACKFILL, 1, 0);
	x.config.bookings = 1;
	small_load(&x, 0, 0);
	TEST_EQ(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.image, x.bytes, NULL), 0);
	TEST_EQ(s.plan.held[0].start, 10);
	TEST_EQ(s.plan.held[0].walltime, 10);
	TEST_EQ(s.plan.held[0].procs, 4);
}

/* There is room for one: nothing behind the memory is touched. */
static void many_reservations(void)
{
	static struct small x;
	size_t i, touched = 0;

	small_two_wait(&x, FAIR_BACKFILL, 1, 0);
	small_instead(&x, FAIR_IMAGE_OF_HELD, 300, 1);
	memset(x.other, 0x5a, sizeof(x.other));
	small_broken(&x);
	for (i = fair_sched_size(&x.config); i < sizeof(x.other); i++)
		touched += x.other[i] != 0x5a;
	TEST_EQ(touched, 0);
}

/* 1 has started; 2 to 4 of users 1, 0 and 1 are left, sorted or grouped. */
static void small_three_left(struct small *x, uint32_t order)
{
	struct fair_decision start;
	struct fair_job j;
	size_t n;

	small_open(x, FAIR_BACKFILL, order);
	memset(&j, 0, sizeof(j));
	j.walltime = 10;
	j.procs = 1;
	for (j.number = 1; j.number <= 4; j.number++) {
		j.user = (j.number + 1) % 2;
		TEST_EQ(fair_sched_submit(&x->s, 0, &j), 0);
	}
	TEST_EQ(fair_sched_step(&x->s, 0, &start, 1, &n), 0);
	TEST_EQ(start.number, 1);
	small_save(x);
	TEST_EQ(fair_image_get(small_word(x, FAIR_IMAGE_OF_WALK, OF_ENDS)), 3);
	small_load(x, 0, 0);
}

/* An order of who waits, each of them once; the jobs of a user together. */
static void orders(void)
{
	static struct small x;
	size_t i;

	small_three_left(&x, FAIR_ORDER_LXF);
	small_breaks(&x, FAIR_IMAGE_OF_ORDER, 0, 1);	/* it runs */
	small_breaks(&x, FAIR_IMAGE_OF_ORDER, 0, 4);	/* twice */
	small_breaks(&x, FAIR_IMAGE_OF_ORDER, 2, 5);	/* nobody */
	small_three_left(&x, FAIR_ORDER_USAGE);
	for (i = 0; i < 3; i++)
		small_put(&x, FAIR_IMAGE_OF_ORDER, i, i + 2);
	small_broken(&x);
}

/* What is not there is not looked at. */
static void no_order(void)
{
	static const uint32_t order[2] = { FAIR_ORDER_LXF, FAIR_ORDER_USAGE };
	static struct small x;
	int i;

	for (i = 0; i < 2; i++) {
		small_three_left(&x, order[i]);
		small_instead(&x, FAIR_IMAGE_OF_ORDER, 0, UINT64_C(1) << 50);
		memset(x.other, 0x5a, sizeof(x.other));
		small_broken(&x);
	}
}

/* There is one job, and the order of the walk names another. */
static void order_of_a_stranger(void)
{
	static struct small x;
	uint64_t last;

	small_open(&x, FAIR_FCFS, FAIR_ORDER_LXF);
	x.config.jobs = 1;
	small_again(&x);
	small_submit(&x, 0, 1, 4);
	TEST_EQ(fair_sched_capacity(&x.s, 0, -1, NULL, 0), 0);
	small_step(&x, 0);
	small_save(&x);
	small_load(&x, 0, 0);
	small_put(&x, FAIR_IMAGE_OF_WALK, OF_ENDS, 1);
	small_instead(&x, FAIR_IMAGE_OF_ORDER, 1, 1);
	for (last = 0; last < 16; last++) {
		small_put(&x, FAIR_IMAGE_OF_WALK, OF_LAST, last);
		small_broken(&x);
	}
}

/*
 * Job 1 runs; 2 to 4 need the whole machine, for which 4 has no reservation; of
 * the set 5, 6 and 7 that fills what is free 5 has started.
 */
static void small_chosen(struct small *x)
{
	static const int32_t procs[] = { 1, 8, 8, 8, 4, 2, 1 };
	struct fair_decision start[2];
	uint64_t i;
	size_t n;

	small_open(x, FAIR_BACKFILL, FAIR_ORDER_FCFS);
	x->config.procs = 8;
	x->config.jobs = 8;
	x->config.depth = 2;
	x->config.select = FAIR_GREEDY;
	small_again(x);
	for (i = 0; i < 7; i++)
		small_submit(x, 0, i + 1, procs[i]);
	TEST_EQ(fair_sched_step(&x->s, 0, start, 2, &n), 0);
	TEST_EQ(start[n - 1].number, 5);
	small_save(x);
}

/* Those chosen are left, and all fit in. */
static void chosen(void)
{
	static struct small x;
	uint64_t next;

	small_chosen(&x);
	small_load(&x, 0, 0);
	TEST_EQ(fair_image_get(small_word(&x, FAIR_IMAGE_OF_ORDER, 0)), 4);
	TEST_EQ(fair_image_get(small_word(&x, FAIR_IMAGE_OF_ORDER, 1)), 6);
	TEST_EQ(fair_image_get(small_word(&x, FAIR_IMAGE_OF_CHOSEN, 0)), 6);
	/* 4 does not fit; two are there, not one. */
	small_breaks(&x, FAIR_IMAGE_OF_CHOSEN, 0, 4);
	small_breaks(&x, FAIR_IMAGE_OF_WALK, OF_NEXT_CHOSEN, 2);
	/* 6 is the second of those that are left. */
	next = fair_image_get(small_word(&x, FAIR_IMAGE_OF_WALK,
					 OF_NEXT_CHOSEN));
	small_instead(&x, FAIR_IMAGE_OF_CHOSEN, 1, 1);
	small_put(&x, FAIR_IMAGE_OF_CHOSEN, 0, 6);
	small_put(&x, FAIR_IMAGE_OF_WALK, OF_END_CHOSEN, next + 1);
	small_load(&x, 0, 0);
	small_breaks(&x, FAIR_IMAGE_OF_WALK, OF_LEFT, 1);
	small_breaks(&x, FAIR_IMAGE_OF_WALK, OF_LEFT, 0);
}

/* No number is beyond the last; who does not run is not charged for it. */
static void last_numbers(void)
{
	enum { CHARGED = FAIR_IMAGE_JOB + 18, FOLLOW = FAIR_IMAGE_JOB + 20 };
	static struct small x;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	small_submit(&x, 0, 1, 3);
	small_submit(&x, 0, UINT64_MAX - 1, 4);
	small_step(&x, 0);
	small_save(&x);
	small_breaks(&x, FAIR_IMAGE_OF_JOBS, CHARGED, 1);
	small_breaks(&x, FAIR_IMAGE_OF_JOBS, FOLLOW, 2);
	small_put(&x, FAIR_IMAGE_OF_JOBS, FOLLOW, 1);
	small_load(&x, 0, 0);
}

/* The first that is wrong is told: a job, or that there is no room. */
static void damage_or_room(void)
{
	enum { WALLTIME = 2, USER = 9 };
	const struct fair_booking b = { 1, 20, 30, 1, FAIR_MAINTENANCE, 0 };
	const struct fair_until later = { 50, 0, 0, false };
	static struct small x;
	struct fair_job j;

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	x.config.bookings = 1;
	small_again(&x);
	small_submit(&x, 0, 1, 1);
	TEST_EQ(fair_sched_book(&x.s, 0, &b, false), 0);
	small_save(&x);
	small_breaks(&x, FAIR_IMAGE_OF_BOOKINGS, 5, UINT64_C(1) << 33);
	x.config.bookings = 0;
	small_put(&x, FAIR_IMAGE_OF_JOBS, WALLTIME, 0);
	small_load(&x, -FAIR_ENOSPC, 0);	/* bookings come before it */
	small_put(&x, FAIR_IMAGE_OF_JOBS, USER, UINT64_C(1) << 33);
	small_broken(&x);

	small_open(&x, FAIR_PC, FAIR_ORDER_FCFS);
	x.config.aside = 1;
	small_again(&x);
	small_submit(&x, 0, 1, 1);
	memset(&j, 0, sizeof(j));
	j.number = 2;
	j.walltime = j.procs = 1;
	TEST_EQ(fair_sched_submit_aside(&x.s, 0, &j, &later), 0);
	small_save(&x);
	small_load(&x, 0, 0);
	x.config.aside = 0;
	small_load(&x, -FAIR_ENOSPC, 0);
	small_put(&x, FAIR_IMAGE_OF_JOBS, USER, UINT64_C(1) << 33);
	small_broken(&x);
}

/* Of marks refusals alone are believed: what is saved again has no more. */
static void marks(void)
{
	enum { MARK = 4 };
	unsigned char *p, *again;
	struct fair_sched s;
	struct crowd x;
	uint64_t width, i;

	crowd_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS, CROWD + 2);
	TEST_EQ(x.s.asides, 3);
	TEST_CHECK(x.s.aside[0].guest && !x.s.aside[1].guest);
	p = section(x.image, FAIR_IMAGE_OF_JOBS, &width);
	for (i = 0; i < x.s.jobs; i++, p += 8 * width)
		fair_image_put(p + 8 * MARK, fair_image_get(p + 8 * MARK) |
				       FAIR_MARK_DISPLACED);
	good_again(x.image, x.length);
	again = (unsigned char *)malloc(x.length);
	TEST_REQUIRE(again);
	TEST_EQ(fair_sched_save(&x.s, again, x.length), 0);
	TEST_CHECK(memcmp(again, x.image, x.length));
	TEST_EQ(fair_sched_load(&s, sizeof(s), x.memory, x.bytes, &x.config,
				x.image, x.length, NULL), 0);
	TEST_EQ(fair_sched_save(&s, x.image, x.length), 0);
	TEST_CHECK(!memcmp(again, x.image, x.length));
	free(again);
	free(x.image);
	free(x.memory);
}

/* Who waits for nothing any more is queued, whether an image says it or not. */
static void aside_for_nothing(void)
{
	struct fair_decision start[CROWD];
	struct fair_job_status j;
	struct fair_sched s;
	struct crowd x;
	unsigned char *p;
	uint64_t width;
	size_t n;

	crowd_open(&x, FAIR_BACKFILL, FAIR_ORDER_FCFS, CROWD + 2);
	p = section(x.image, FAIR_IMAGE_OF_ASIDE, &width) + 8 * width;
	TEST_EQ(fair_image_get(p), 30);
	TEST_EQ(fair_image_get(p + 8), 50);
	fair_image_put(p + 8, 5);
	good_again(x.image, x.length);
	TEST_EQ(fair_sched_load(&s, sizeof(s), x.memory, x.bytes, &x.config,
				x.image, x.length, NULL), 0);
	TEST_EQ(fair_sched_step(&s, 6, start, CROWD, &n), 0);
	TEST_EQ(fair_sched_lookup(&s, 30, &j), 0);
	TEST_CHECK(j.state != FAIR_ASIDE);
	free(x.image);
	free(x.memory);
}

/* A walk over promises is of a kind that there is, and not from before time. */
static void walks_of_promises(void)
{
	enum { KIND = 4, RISEN_FROM, NUMBER = 9 };
	static struct small x;

	small_two_wait(&x, FAIR_DC, 0, 0);
	small_put(&x, FAIR_IMAGE_OF_KEEP, RISEN_FROM,
		  (uint64_t)-FAIR_TIME_MAX);
	small_breaks(&x, FAIR_IMAGE_OF_KEEP, RISEN_FROM,
		     (uint64_t)-FAIR_TIME_MAX - 1);
	small_put(&x, FAIR_IMAGE_OF_KEEP, NUMBER, 2);
	small_put(&x, FAIR_IMAGE_OF_KEEP, KIND, FAIR_CONSERVATIVE_START);
	small_breaks(&x, FAIR_IMAGE_OF_KEEP, KIND, FAIR_CONSERVATIVE_START + 1);
}

/* When a step of fcfs is over, it has stopped at a job that waits. */
static void steps_that_are_over(void)
{
	static struct small x;

	small_two_wait(&x, FAIR_FCFS, 0, 0);
	TEST_CHECK(x.s.stepped);
	small_breaks(&x, FAIR_IMAGE_OF_WALK, OF_LAST, 1);	/* it runs */
	small_breaks(&x, FAIR_IMAGE_OF_WALK, OF_RESERVED, 0);
	small_breaks(&x, FAIR_IMAGE_OF_WALK, OF_AGAIN, 1);
}

/* How far a walk is: of its order, its passes and those it has chosen. */
static void places_in_walks(void)
{
	const uint64_t walk = FAIR_IMAGE_OF_WALK;
	static struct small x;

	small_three_left(&x, FAIR_ORDER_LXF);
	small_put(&x, walk, OF_NEXT, 3);
	small_breaks(&x, walk, OF_NEXT, 4);
	small_put(&x, walk, OF_NEXT, 0);
	small_breaks(&x, walk, OF_ENDS, 2);
	small_breaks(&x, walk, OF_PASS, 2);
	small_breaks(&x, walk, OF_WALKED, 1);	/* it is 0 */
	small_put(&x, walk, OF_UNSORTED, 3);	/* two thirds of the sort */
	small_breaks(&x, walk, OF_UNSORTED, 4);
	small_breaks(&x, walk, OF_LEFT, 1);
	small_put(&x, walk, OF_UNSORTED, 0);
	small_put(&x, walk, OF_NEXT_CHOSEN, FAIR_GREEDY_JOBS);
	small_put(&x, walk, OF_END_CHOSEN, FAIR_GREEDY_JOBS);
	small_load(&x, 0, 0);
	small_put(&x, walk, OF_NEXT_CHOSEN, FAIR_GREEDY_JOBS + 1);
	small_put(&x, walk, OF_END_CHOSEN, FAIR_GREEDY_JOBS + 1);
	small_broken(&x);
	/* As if one were chosen, at the end of what 32 bits count. */
	small_put(&x, walk, OF_NEXT_CHOSEN, UINT32_MAX);
	small_put(&x, walk, OF_END_CHOSEN, 0);
	small_instead(&x, FAIR_IMAGE_OF_CHOSEN, 1, 1);
	small_put(&x, FAIR_IMAGE_OF_CHOSEN, 0, 2);
	small_broken(&x);
	/* Groups are never half sorted; a queue that is in order not at all. */
	small_three_left(&x, FAIR_ORDER_USAGE);
	small_breaks(&x, walk, OF_UNSORTED, 1);
	small_two_wait(&x, FAIR_BACKFILL, 1, 0);
	small_put(&x, walk, OF_ENDS, 1);
	small_instead(&x, FAIR_IMAGE_OF_ORDER, 1, 1);
	small_put(&x, FAIR_IMAGE_OF_ORDER, 0, 2);
	small_broken(&x);
}

/* Under pc a walk that starts jobs goes on at one without a promise. */
static void starts_of_the_promised(void)
{
	enum { KIND = 4, NUMBER = 9 };
	static struct small x;

	small_two_wait(&x, FAIR_PC, 0, 0);
	small_put(&x, FAIR_IMAGE_OF_KEEP, NUMBER, 2);
	small_breaks(&x, FAIR_IMAGE_OF_KEEP, KIND, FAIR_CONSERVATIVE_START);
}

/* One target an account; one record is a ledger. */
static void one_too_many(void)
{
	static struct small x;
	unsigned char ledger[512];
	uint64_t width;
	size_t n, i;

	small_open(&x, FAIR_SFS, FAIR_ORDER_FCFS);
	for (n = 1; n <= 3; n++) {
		small_save(&x);
		small_instead(&x, FAIR_IMAGE_OF_TARGETS, n, 1);
		small_load(&x, n == 2 ? 0 : -FAIR_EINVAL,
			   n == 2 ? 0 : FAIR_IMAGE_BROKEN);
	}
	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	for (n = 1; n <= 2; n++) {
		small_save(&x);
		memcpy(ledger, section(x.image, FAIR_IMAGE_OF_USAGE, &width),
		       sizeof(ledger));
		TEST_REQUIRE(8 * width <= sizeof(ledger));
		small_instead(&x, FAIR_IMAGE_OF_USAGE, n, width);
		for (i = 0; i < n; i++)
			memcpy(small_word(&x, FAIR_IMAGE_OF_USAGE,
					  i * (size_t)width),
			       ledger, (size_t)(8 * width));
		small_load(&x, n == 1 ? 0 : -FAIR_EINVAL,
			   n == 1 ? 0 : FAIR_IMAGE_BROKEN);
	}
}

/* A ledger of one user and five servers takes as much room as one of twelve. */
static void ledger_as_large(void)
{
	static uint64_t memory[256];
	static struct small x;
	struct fair_usage u;
	size_t bytes;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_USAGE);
	x.config.users = 12;
	small_again(&x);
	small_save(&x);
	small_load(&x, 0, 0);
	TEST_EQ(fair_usage_size(1, 0, 5), fair_usage_size(12, 0, 1));
	TEST_EQ(fair_usage_init_half_life(&u, sizeof(u), memory,
					  sizeof(memory), 1, 5, 0, 500), 0);
	bytes = fair_usage_image_size(&u);
	small_instead(&x, FAIR_IMAGE_OF_USAGE, 1, bytes / 8);
	TEST_EQ(fair_usage_save(&u, small_word(&x, FAIR_IMAGE_OF_USAGE, 0),
				bytes), 0);
	small_broken(&x);
}

/* Windows begin at multiples of theirs; nothing is from before the first. */
static void windows_of_relshare(void)
{
	enum { ZERO, BEGIN, NOW, MOST_SHARE, SINCE = 6 + 3 };
	const int64_t first = INT64_MIN / 2;
	static const int64_t window[2] = { 64, 100 };
	const uint64_t what = FAIR_IMAGE_OF_RELSHARE;
	static struct small x;
	int i;

	for (i = 0; i < 2; i++) {
		small_open(&x, FAIR_RELSHARE, FAIR_ORDER_FCFS);
		x.config.window = window[i];
		small_again(&x);
		small_submit(&x, 250, 1, 1);
		small_save(&x);
		TEST_EQ(fair_image_get(small_word(&x, what, NOW)), 250);
		TEST_EQ(fair_image_get(small_word(&x, what, ZERO)), 0);
		small_breaks(&x, what, BEGIN, 201);
		small_breaks(&x, what, ZERO, UINT64_MAX);
		small_breaks(&x, what, NOW, UINT64_C(1) << 63);
		small_breaks(&x, what, MOST_SHARE, UINT64_C(1) << 32 | 1);
		/* Of user 1, who has no jobs. */
		small_breaks(&x, FAIR_IMAGE_OF_USERS, SINCE, UINT64_MAX);
		small_put(&x, what, ZERO, (uint64_t)(first - first %
						     window[i]));
		small_load(&x, 0, 0);
		small_breaks(&x, what, ZERO, (uint64_t)(first - first %
							window[i] -
							window[i]));
	}
}

/* Of fewer records than there should be none is read that is not there. */
static void too_few_records(void)
{
	static const uint32_t is[2][2] = {
		{ FAIR_SFS, FAIR_IMAGE_OF_TARGETS },
		{ FAIR_RELSHARE, FAIR_IMAGE_OF_USERS },
	};
	static struct small x;
	struct fair_sched s;
	unsigned char *p;
	uint64_t width;
	int i;

	for (i = 0; i < 2; i++) {
		small_open(&x, is[i][0], FAIR_ORDER_FCFS);
		x.config.accounts = x.config.users = 8;
		small_again(&x);
		small_save(&x);
		p = section(x.image, is[i][1], &width);
		fair_image_put(p - 16, 1);
		fair_image_put(p - 8, 8 * width);
		good_again(x.image, x.bytes);
		p = malloc(x.bytes);
		TEST_REQUIRE(p);
		memcpy(p, x.image, x.bytes);
		TEST_EQ(fair_sched_load(&s, sizeof(s), x.other,
					sizeof(x.other), &x.config, p,
					x.bytes, NULL),
			-FAIR_EINVAL);
		free(p);
	}
}

/* A walk that is not over goes on where it was, whoever loads it. */
static void walk_unfinished(void)
{
	static struct small x;
	struct fair_sched s;

	small_open(&x, FAIR_BACKFILL, FAIR_ORDER_LXF);
	small_submit(&x, 0, 1, 3);
	small_submit(&x, 0, 2, 4);
	small_submit(&x, 0, 3, 2);
	fair_sched_budget(&x.s, 1);
	small_step(&x, 0);
	small_save(&x);
	TEST_CHECK(fair_sched_unfinished(&x.s));
	TEST_EQ(fair_sched_load(&s, sizeof(s), x.other, sizeof(x.other),
				&x.config, x.image, x.bytes, NULL), 0);
	TEST_CHECK(fair_sched_unfinished(&s));
}

/* As many shares as can be given, and a window that there can be. */
static void shares(void)
{
	enum { ZERO, MOST_SHARE = 3 };
	static struct small x;

	small_open(&x, FAIR_RELSHARE, FAIR_ORDER_FCFS);
	small_save(&x);
	small_put(&x, FAIR_IMAGE_OF_RELSHARE, MOST_SHARE, FAIR_RELSHARE_SHARES);
	small_breaks(&x, FAIR_IMAGE_OF_RELSHARE, MOST_SHARE,
		     FAIR_RELSHARE_SHARES + 1);
	small_breaks(&x, FAIR_IMAGE_OF_RELSHARE, ZERO, UINT64_C(1) << 63);
}

/* Of FAIR_MAUI, whose rules stay the caller's. */
static void small_maui(struct small *x, struct fair_maui_config *rules,
		       uint32_t usage)
{
	small_open(x, FAIR_FCFS, FAIR_ORDER_FCFS);
	*rules = fair_maui_defaults();
	rules->usage = usage;
	rules->interval = 4;
	rules->count[FAIR_THROTTLE_USER] = 1;
	x->config.policy = FAIR_MAUI;
	x->config.maui = rules;
	small_again(x);
}

/* A job of user 0, whose @procs are all that is known of it. */
static void small_ask(struct small *x, uint64_t number, int32_t procs)
{
	struct fair_job j;

	memset(&j, 0, sizeof(j));
	j.number = number;
	j.walltime = 10;
	j.procs = procs;
	j.group = j.account = j.queue = j.qos = FAIR_THROTTLE_NONE;
	TEST_EQ(fair_sched_submit(&x->s, 0, &j), 0);
}

/* Job 1 runs, 2 and 3 wait. */
static void small_asked(struct small *x, struct fair_maui_config *rules)
{
	small_maui(x, rules, FAIR_MAUI_PROCS);
	small_ask(x, 1, 3);
	small_ask(x, 2, 4);
	small_ask(x, 3, 4);
	small_step(x, 0);
	small_save(x);
	small_load(x, 0, 0);
}

/* It is 9: usage was charged until then or before, by intervals of 4. */
static void times_of_maui(void)
{
	static const int64_t least = -FAIR_MAUI_TIME, before = -FAIR_TIME_MAX;
	const struct {
		int64_t zero, now;
		bool good;
	} is[] = {
		{ 8, 9, true },
		{ 4, 5, true },
		{ 4, 10, false },
		{ 8, 7, false },
		{ 5, 9, false },
		{ least, 0, true },
		{ least - 4, 0, false },
		{ before, before, true },
		{ before - 4, before - 1, false },
	};
	struct fair_maui_config rules;
	static struct small x;
	size_t i;

	small_maui(&x, &rules, FAIR_MAUI_NOTHING);
	TEST_EQ(fair_sched_pass(&x.s, 9), 0);
	small_save(&x);
	for (i = 0; i < sizeof(is) / sizeof(is[0]); i++) {
		small_put(&x, FAIR_IMAGE_OF_MAUI, 0, (uint64_t)is[i].zero);
		small_put(&x, FAIR_IMAGE_OF_MAUI, 1, (uint64_t)is[i].now);
		small_load(&x, is[i].good ? 0 : -FAIR_EINVAL,
			   is[i].good ? 0 : FAIR_IMAGE_BROKEN);
	}
}

/* Whether it runs or waits; the user's ledger is one, and of some time. */
static void requests_of_maui(void)
{
	enum { BYPASSED = 5, REQUEST = 7 };
	struct fair_maui_config rules;
	static struct small x;

	small_asked(&x, &rules);
	small_breaks(&x, FAIR_IMAGE_OF_REQUESTS, REQUEST + BYPASSED,
		     UINT64_MAX);
	small_breaks(&x, FAIR_IMAGE_OF_KINDS, 2, 4);
	small_put(&x, FAIR_IMAGE_OF_MAUI, 0, UINT64_C(1) << 63);
	small_put(&x, FAIR_IMAGE_OF_MAUI, 1, INT64_MAX);
	small_broken(&x);
}

/* What is not there is not looked at. */
static void no_requests(void)
{
	struct fair_maui_config rules;
	static struct small x;

	small_asked(&x, &rules);
	small_instead(&x, FAIR_IMAGE_OF_REQUESTS, 0, UINT64_C(1) << 50);
	small_broken(&x);
}

/* Rules that leave each job one second of processors forbid none that there is. */
static void stricter_rules(void)
{
	struct fair_maui_credential user = fair_maui_anybody();
	struct fair_maui_config rules;
	static struct small x;

	small_asked(&x, &rules);
	user.hard[FAIR_THROTTLE_PROC_SECONDS] = 4;
	rules.credential[FAIR_THROTTLE_USER] = &user;
	small_load(&x, 0, 0);
	user.hard[FAIR_THROTTLE_PROC_SECONDS] = 3;
	small_broken(&x);
}

/* Those that run come first: of the limits, here of one user, they hold. */
static void running_behind(void)
{
	enum { JOB = FAIR_IMAGE_JOB, PROCS = 3 };
	struct fair_maui_config rules;
	static struct small x;
	unsigned char *p, waits[8 * JOB];

	small_maui(&x, &rules, FAIR_MAUI_PROCS);
	rules.count[FAIR_THROTTLE_USER] = 2;
	small_again(&x);
	small_ask(&x, 1, 1);
	small_ask(&x, 2, 1);
	small_ask(&x, 3, 4);
	small_step(&x, 0);
	small_save(&x);
	small_put(&x, FAIR_IMAGE_OF_JOBS, 2 * JOB + PROCS, 1);
	p = small_word(&x, FAIR_IMAGE_OF_JOBS, JOB);
	memcpy(waits, p + sizeof(waits), sizeof(waits));
	memcpy(p + sizeof(waits), p, sizeof(waits));
	memcpy(p, waits, sizeof(waits));
	small_broken(&x);
}

/* ---- images of earlier versions ---- */

static void frozen_path(char *path, size_t size, const char *folder,
			uint32_t version, uint32_t policy)
{
	snprintf(path, size, "%s/version-%u-policy-%u.image", folder,
		 (unsigned int)version, (unsigned int)policy);
}

static int freeze(const char *folder)
{
	unsigned char *image;
	uint32_t policy;
	char path[512];
	struct drive d;
	size_t bytes;
	FILE *f;

	for (policy = 0; policy < POLICIES; policy++) {
		image = some_image(&d, policy, &bytes);
		frozen_path(path, sizeof(path), folder, FAIR_IMAGE_VERSION,
			    policy);
		f = fopen(path, "wb");
		if (!f || fwrite(image, 1, bytes, f) != bytes || fclose(f)) {
			perror(path);
			return 1;
		}
		free(image);
		drive_free(&d);
	}
	return 0;
}

/* It goes on as the scheduler does from which it was saved. */
static void thaw(uint32_t version, uint32_t policy)
{
	static unsigned char frozen[1 << 16];
	unsigned char *image;
	struct drive d;
	char path[128];
	size_t bytes;
	FILE *f;

	frozen_path(path, sizeof(path), "tests/golden/images", version, policy);
	test_case(path);
	f = fopen(path, "rb");
	TEST_REQUIRE(f);
	bytes = fread(frozen, 1, sizeof(frozen), f);
	fclose(f);
	image = image_of(&d, version, policy, &(size_t){ 0 });
	if (!load(&d, frozen, bytes, 0)) {
		d.schedulers = 2;
		while (fuzz_more(&d.in))
			drive_event(&d);
		TEST_EQ(fair_sched_check(&d.sched[1]), 0);
	}
	free(image);
	drive_free(&d);
}

int main(int argc, char **argv)
{
	uint32_t version, policy;

	if (argc == 3 && !strcmp(argv[1], "--freeze"))
		return freeze(argv[2]);
	TEST_RUN(every_policy);
	TEST_RUN(flipped);
	TEST_RUN(torn);
	TEST_RUN(reasons);
	TEST_RUN(sentences);
	TEST_RUN(broken);
	TEST_RUN(broken_together);
	TEST_RUN(every_word);
	TEST_RUN(words_of_maui);
	TEST_RUN(other_targets);
	TEST_RUN(other_ledgers);
	TEST_RUN(other_small_words);
	TEST_RUN(other_configs);
	TEST_RUN(other_numbers);
	TEST_RUN(told_by_others);
	TEST_RUN(broken_or_no_room);
	TEST_RUN(keys);
	TEST_RUN(penalties);
	TEST_RUN(lengths);
	TEST_RUN(one_record);
	TEST_RUN(sections);
	TEST_RUN(nothing_of_before);
	TEST_RUN(an_empty_group);
	TEST_RUN(half_sorted);
	TEST_RUN(into_a_profile);
	TEST_RUN(without_bookings);
	TEST_RUN(ends_of_ranges);
	TEST_RUN(idle_states);
	TEST_RUN(begun);
	TEST_RUN(reaches);
	TEST_RUN(other_widths);
	TEST_RUN(reservations);
	TEST_RUN(two_heads);
	TEST_RUN(shadow_into_a_profile);
	TEST_RUN(many_reservations);
	TEST_RUN(orders);
	TEST_RUN(no_order);
	TEST_RUN(order_of_a_stranger);
	TEST_RUN(chosen);
	TEST_RUN(last_numbers);
	TEST_RUN(damage_or_room);
	TEST_RUN(marks);
	TEST_RUN(aside_for_nothing);
	TEST_RUN(walks_of_promises);
	TEST_RUN(walk_unfinished);
	TEST_RUN(shares);
	TEST_RUN(times_of_maui);
	TEST_RUN(requests_of_maui);
	TEST_RUN(no_requests);
	TEST_RUN(stricter_rules);
	TEST_RUN(running_behind);
	TEST_RUN(steps_that_are_over);
	TEST_RUN(places_in_walks);
	TEST_RUN(starts_of_the_promised);
	TEST_RUN(one_too_many);
	TEST_RUN(ledger_as_large);
	TEST_RUN(windows_of_relshare);
	TEST_RUN(too_few_records);
	for (version = 1; version <= FAIR_IMAGE_VERSION; version++)
		for (policy = 0; policy < POLICIES; policy++)
			thaw(version, policy);
	return test_report();
}
