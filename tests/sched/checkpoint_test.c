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
	unsigned char *checkpoint;
	size_t bytes, i, loaded = 0;
	struct drive d;

	checkpoint = some_checkpoint(&d, FAIR_DC, &bytes);
	for (i = 0; i < 8 * bytes; i++) {
		checkpoint[i / 8] ^= (unsigned char)(1 << i % 8);
		loaded += !drive_read_checkpoint(&d, checkpoint, bytes, NULL);
		checkpoint[i / 8] ^= (unsigned char)(1 << i % 8);
	}
	TEST_EQ(loaded, 0);
	load(&d, checkpoint, bytes, 0);
	free(checkpoint);
	drive_free(&d);
}

TEST(torn)
{
	unsigned char *checkpoint;
	struct drive d;
	size_t bytes, i;

	checkpoint = some_checkpoint(&d, FAIR_SFS, &bytes);
	for (i = 0; i < bytes; i++)
		load(&d, checkpoint, i, FAIR_CHECKPOINT_CUT);
	load(&d, checkpoint, bytes, 0);
	free(checkpoint);
	drive_free(&d);
}

TEST(reasons)
{
	struct fair_config config;
	struct fair_sched s;
	unsigned char *checkpoint;
	char text[128];
	int damage = -1;
	struct drive d;
	size_t bytes;

	checkpoint = some_checkpoint(&d, FAIR_BACKFILL, &bytes);
	TEST_EQ(fair_sched_checkpoint_config(checkpoint, bytes, &config,
					     &damage),
		0);
	TEST_CHECK(!damage && !fair_config_difference(&config, &d.config));
	TEST_CHECK(config.jobs == DRIVE_JOBS && !config.target &&
		   !config.promised && !config.maui);
	checkpoint[0]++;
	load(&d, checkpoint, bytes, FAIR_CHECKPOINT_FOREIGN);
	checkpoint[0]--;
	for (checkpoint[8] = 0; checkpoint[8] < 9; checkpoint[8]++) {
		good_again(checkpoint, bytes);
		if (checkpoint[8] == FAIR_SCHED_CHECKPOINT)
			continue;
		load(&d, checkpoint, bytes, FAIR_CHECKPOINT_VERSION);
		TEST_EQ(fair_sched_checkpoint_config(checkpoint, bytes, &config,
						     NULL),
			-FAIR_EINVAL);
	}
	checkpoint[8] = FAIR_SCHED_CHECKPOINT;
	load(&d, checkpoint, bytes, FAIR_CHECKPOINT_CHECKSUM);
	fair_put_word(checkpoint + 16,
			    bytes - 1); /* not of whole words */
	load(&d, checkpoint, bytes - 1, FAIR_CHECKPOINT_CUT);
	fair_put_word(checkpoint + 16, bytes);
	good_again(checkpoint, bytes);
	load(&d, checkpoint, bytes, 0);
	d.config.procs++;
	load(&d, checkpoint, bytes, FAIR_CHECKPOINT_CONFIG);
	d.config.procs--;
	d.config.jobs = d.config.ineligible = 1;
	TEST_EQ(drive_read_checkpoint(&d, checkpoint, bytes, &damage),
		-FAIR_ENOSPC);
	TEST_EQ(damage, 0);
	d.config.jobs = 0;
	TEST_EQ(drive_read_checkpoint(&d, checkpoint, bytes, &damage),
		-FAIR_EINVAL);
	d.config.procs++; /* of no configuration a difference is told */
	fair_damage_text(FAIR_CHECKPOINT_CONFIG, &d.config, checkpoint, bytes,
			 text, sizeof(text));
	TEST_CHECK(!strcmp(text,
			   fair_checkpoint_strerror(FAIR_CHECKPOINT_CONFIG)));
	d.config.procs--;
	d.config.jobs = d.config.ineligible = DRIVE_JOBS;
	TEST_EQ(fair_sched_load(&s, sizeof(s) - 1, d.memory[1], d.bytes,
				&d.config, checkpoint, bytes, &damage),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_load(&s, sizeof(s), d.memory[1], d.bytes - 1,
				&d.config, checkpoint, bytes, NULL),
		-FAIR_ENOMEM);
	TEST_EQ(fair_sched_load(&s, sizeof(s), d.memory[1], d.bytes, &d.config,
				NULL, bytes, NULL),
		-FAIR_EINVAL);
	TEST_EQ(fair_sched_save(&d.sched[0], checkpoint, bytes - 1),
		-FAIR_ENOSPC);
	TEST_EQ(fair_sched_save(&d.sched[0], NULL, bytes), -FAIR_EINVAL);
	TEST_EQ(fair_sched_checkpoint_config(checkpoint, bytes, NULL, NULL),
		-FAIR_EINVAL);
	free(checkpoint);
	drive_free(&d);
}

/* One of another format says so, however long the caller's text is. */
TEST(sentences)
{
	static const char says[] =
		"the checkpoint was written by another version: format 3, this "
		"one reads 4";
	unsigned char old[32] = { 0 };
	char text[128];
	int i, k;

	old[8] = 3;
	for (i = 0; i < 128; i++) {
		TEST_EQ(fair_damage_text(FAIR_CHECKPOINT_VERSION, NULL, old,
					 sizeof(old), text, (size_t)i),
			sizeof(says) - 1);
		TEST_CHECK(!i || (!strncmp(text, says, (size_t)i - 1) &&
				  strlen(text) < (size_t)i));
	}
	TEST_CHECK(!strcmp(text, says));
	/* Its second word is the format. */
	TEST_EQ(fair_damage_text(FAIR_CHECKPOINT_VERSION, NULL, old, 16, text,
				 sizeof(text)),
		sizeof(says) - 1);
	fair_damage_text(FAIR_CHECKPOINT_CUT, NULL, NULL, 0, text, sizeof(text));
	TEST_CHECK(!strcmp(text, fair_checkpoint_strerror(FAIR_CHECKPOINT_CUT)));

	for (i = 0; i <= FAIR_CHECKPOINT_CONFIG + 1; i++)
		for (k = 0; k < i; k++)
			TEST_CHECK(strcmp(fair_checkpoint_strerror(i),
					  fair_checkpoint_strerror(k)));
	TEST_CHECK(!strcmp(fair_checkpoint_strerror(99), "unknown damage"));
}
