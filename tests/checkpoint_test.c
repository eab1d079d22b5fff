/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * A scheduler that is loaded from a checkpoint decides what the saved one
 * decides; a checkpoint with any bit flipped or any byte missing is refused,
 * with the reason.
 */
#define FAIRSCHED_IMPLEMENTATION
#include "tests/checkpoints.h"

TEST(every_policy)
{
	uint8_t byte[LENGTH];
	struct drive d;
	uint64_t run;

	for (run = 0; run < SOME(40, 20) * POLICIES; run++) {
		script(byte, (uint32_t)(run % POLICIES), run + 1);
		drive_new(&d, byte, LENGTH);
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

/* Whichever bit. */
TEST(flipped)
{
	unsigned char *image;
	size_t bytes, i, loaded = 0;
	struct drive d;

	image = some_image(&d, FAIR_DC, &bytes);
	for (i = 0; i < 8 * bytes; i++) {
		image[i / 8] ^= (unsigned char)(1 << i % 8);
		loaded += !drive_read_checkpoint(&d, image, bytes, NULL);
		image[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	TEST_EQ(loaded, 0);
	load(&d, image, bytes, 0);
	free(image);
	drive_free(&d);
}

TEST(torn)
{
	unsigned char *image;
	struct drive d;
	size_t bytes, i;

	image = some_image(&d, FAIR_SFS, &bytes);
	for (i = 0; i < bytes; i++)
		load(&d, image, i, FAIR_CHECKPOINT_CUT);
	load(&d, image, bytes, 0);
	free(image);
	drive_free(&d);
}

TEST(reasons)
{
	struct fair_config config;
	struct fair_sched s;
	unsigned char *image;
	int damage = -1;
	struct drive d;
	size_t bytes;

	image = some_image(&d, FAIR_BACKFILL, &bytes);
	TEST_EQ(fair_sched_checkpoint_config(image, bytes, &config, &damage), 0);
	TEST_CHECK(!damage && fair_config_is_same(&config, &d.config));
	TEST_CHECK(config.jobs == DRIVE_JOBS && !config.target &&
		   !config.promised && !config.maui);
	image[0]++;
	load(&d, image, bytes, FAIR_CHECKPOINT_FOREIGN);
	image[0]--;
	for (image[8] = 0; image[8] < 9; image[8]++) {
		good_again(image, bytes);
		if (image[8] == FAIR_SCHED_CHECKPOINT)
			continue;
		load(&d, image, bytes, FAIR_CHECKPOINT_VERSION);
		TEST_EQ(fair_sched_checkpoint_config(image, bytes, &config, NULL),
			-FAIR_EINVAL);
	}
	image[8] = FAIR_SCHED_CHECKPOINT;
	load(&d, image, bytes, FAIR_CHECKPOINT_CHECKSUM);
	fair_checkpoint_put(image + 16, bytes - 1);	/* not of whole words */
	load(&d, image, bytes - 1, FAIR_CHECKPOINT_CUT);
	fair_checkpoint_put(image + 16, bytes);
	good_again(image, bytes);
	load(&d, image, bytes, 0);
	d.config.procs++;
	load(&d, image, bytes, FAIR_CHECKPOINT_CONFIG);
	d.config.procs--;
	d.config.jobs = d.config.ineligible = 1;
	TEST_EQ(drive_read_checkpoint(&d, image, bytes, &damage), -FAIR_ENOSPC);
	TEST_EQ(damage, 0);
	d.config.jobs = 0;
	TEST_EQ(drive_read_checkpoint(&d, image, bytes, &damage), -FAIR_EINVAL);
	d.config.jobs = d.config.ineligible = DRIVE_JOBS;
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
	TEST_EQ(fair_sched_checkpoint_config(image, bytes, NULL, NULL),
		-FAIR_EINVAL);
	free(image);
	drive_free(&d);
}

TEST(sentences)
{
	int i, k;

	for (i = 0; i <= FAIR_CHECKPOINT_CONFIG + 1; i++)
		for (k = 0; k < i; k++)
			TEST_CHECK(strcmp(fair_checkpoint_strerror(i),
					  fair_checkpoint_strerror(k)));
	TEST_CHECK(!strcmp(fair_checkpoint_strerror(99), "unknown damage"));
}
