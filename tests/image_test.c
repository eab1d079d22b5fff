/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * The state image: every policy goes on from it, no damage goes unnoticed, and
 * images of earlier versions load. Those are frozen in tests/golden/images;
 * image_test --freeze FOLDER writes them anew, for a new version.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/image_drive.h"
#include "tests/test.h"

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

	for (run = 0; run < 40 * POLICIES; run++) {
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
		   !config.promised);
	image[0]++;
	load(&d, image, bytes, FAIR_IMAGE_FOREIGN);
	image[0]--;
	image[8]++;
	good_again(image, bytes);
	load(&d, image, bytes, FAIR_IMAGE_LATER);
	TEST_EQ(fair_sched_image_config(image, bytes, &config, NULL),
		-FAIR_EINVAL);
	image[8]--;
	load(&d, image, bytes, FAIR_IMAGE_CHECKSUM);
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
			 int32_t procs, const struct fair_until *until)
{
	struct fair_job job;

	memset(&job, 0, sizeof(job));
	job.number = number;
	job.walltime = 10 + (int64_t)number;
	job.procs = procs;
	job.user = job.account = number % 2;
	job.tasks = tasks;
	job.group = job.queue = job.qos = FAIR_THROTTLE_NONE;
	if (x->config.policy == FAIR_MAUI)
		job.account = FAIR_THROTTLE_NONE;
	TEST_EQ(fair_sched_submit_aside(&x->s, 5, &job, until), 0);
}

/* Bookings, jobs set aside and refused, an array, a step that is not over. */
static void crowd_open(struct crowd *x, uint32_t policy, uint32_t order)
{
	static const struct fair_until later = { 50, 0, 0, false };
	const struct fair_until behind = { 0, 1, FAIR_AFTER_OK, false };
	struct fair_booking b;
	struct fair_decision start[CROWD];
	uint64_t i;
	size_t n;

	crowd_config(x, policy, order);
	x->bytes = fair_sched_size(&x->config);
	x->memory = malloc(x->bytes);
	TEST_REQUIRE(x->bytes && x->memory);
	TEST_EQ(fair_sched_init(&x->s, sizeof(x->s), x->memory, x->bytes,
				&x->config),
		0);
	memset(&b, 0, sizeof(b));
	for (b.number = 1; b.number < 3; b.number++) {
		b.from = 40 * (int64_t)b.number;
		b.to = b.from + 20;
		b.procs = 3;
		TEST_EQ(fair_sched_book(&x->s, 0, &b, false), 0);
	}
	crowd_submit(x, 1, 0, 4, NULL);
	crowd_submit(x, 2, 0, 3, NULL);
	TEST_EQ(fair_sched_step(&x->s, 5, start, CROWD, &n), 0);
	TEST_CHECK(n >= 1);
	if (n > 1)
		TEST_EQ(fair_sched_refuse(&x->s, 5, start[1].number), 0);
	for (i = 3; i < CROWD; i++)
		crowd_submit(x, i, 0, (int32_t)(i % 4 + 1), NULL);
	crowd_submit(x, 20, 3, 1, NULL);
	crowd_submit(x, 30, 0, 1, &later);
	crowd_submit(x, 31, 0, 1, &behind);
	TEST_EQ(fair_sched_step(&x->s, 5, start, 1, &n), 0);
	TEST_EQ(fair_sched_check(&x->s), 0);
	x->length = fair_sched_image_size(&x->s);
	x->image = (unsigned char *)malloc(x->length);
	TEST_REQUIRE(x->image);
	TEST_EQ(fair_sched_save(&x->s, x->image, x->length), 0);
}

/* What was left of the step, and another. */
static void go_on(struct fair_sched *s)
{
	struct fair_decision start[CROWD];
	size_t n;
	int i;

	for (i = 0; i < 3; i++)
		TEST_EQ(fair_sched_step(s, s->now + i / 2, start, CROWD, &n), 0);
	TEST_EQ(fair_sched_check(s), 0);
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
			crowd_open(&x, policy, order);
			TEST_CHECK(crowd_load(&x, &s));
			for (at = 24; at < x.length - 8; at += 8) {
				was = fair_image_get(x.image + at);
				for (k = 0; k < others + 2; k++) {
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
	TEST_RUN(every_word);
	TEST_RUN(other_widths);
	for (version = 1; version <= FAIR_IMAGE_VERSION; version++)
		for (policy = 0; policy < POLICIES; policy++)
			thaw(version, policy);
	return test_report();
}
