/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * checkpoint_fuzz.c - damaged checkpoints are refused, others decide the same
 *
 * The library refuses arbitrary bytes, a checkpoint with a flipped bit and a
 * truncated one. Of a checkpoint with changed words and a correct checksum it
 * loads only a scheduler whose invariants hold. A scheduler that is loaded from
 * an undamaged checkpoint makes the same decisions, under every policy; see
 * checkpoint_drive.h.
 */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_MINIMA 2
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/checkpoint_drive.h"

/* Asserts that a load fails with a reason. */
static void assert_refused(struct drive *d, const unsigned char *checkpoint,
			   size_t bytes)
{
	struct fair_config config;
	int damage = 0;

	FUZZ_ASSERT(drive_read_checkpoint(d, checkpoint, bytes, &damage) ==
		    -FAIR_EINVAL);
	FUZZ_ASSERT(damage >= FAIR_CHECKPOINT_CUT &&
		    damage <= FAIR_CHECKPOINT_CONFIG);
	FUZZ_ASSERT(fair_checkpoint_strerror(damage) !=
		    fair_checkpoint_strerror(-1));
	if (damage == FAIR_CHECKPOINT_CONFIG)
		return;
	FUZZ_ASSERT(fair_sched_checkpoint_config(checkpoint, bytes, &config,
						 &damage) ||
		    damage == 0);
}

/* Changes words of the body and corrects the checksum. */
static void load_forged(struct drive *d, unsigned char *checkpoint,
			size_t bytes)
{
	size_t at, words = 1 + fuzz_u8(&d->in) % 3;
	uint64_t word;

	for (; words; words--) {
		at = 8 * (size_t)fuzz_range(&d->in, 3, (int64_t)bytes / 8 - 2);
		word = fuzz_u8(&d->in) % 2 ? fuzz_u64(&d->in) : fuzz_u8(&d->in);
		word += fuzz_u8(&d->in) % 2
				? fair_checkpoint_get(checkpoint + at)
				: 0;
		fair_checkpoint_put(checkpoint + at, word);
	}
	fair_checkpoint_put(checkpoint + bytes - 8,
			    fair_fnv(checkpoint, bytes - 8));
	if (!drive_read_checkpoint(d, checkpoint, bytes, NULL))
		FUZZ_ASSERT(!fair_sched_check(&d->sched[1]));
}

static void load_damaged(struct drive *d)
{
	uint8_t how = fuzz_u8(&d->in) % 3;
	unsigned char *checkpoint;
	size_t bytes, at;

	checkpoint = drive_save(d, &bytes);
	if (how == 0) {
		load_forged(d, checkpoint, bytes);
	} else if (how == 1) {
		at = (size_t)fuzz_range(&d->in, 0, (int64_t)bytes - 1);
		checkpoint[at] ^= (unsigned char)(1 << fuzz_u8(&d->in) % 8);
		assert_refused(d, checkpoint, bytes);
	} else {
		at = (size_t)fuzz_range(&d->in, 0, (int64_t)bytes - 1);
		assert_refused(d, checkpoint, at);
	}
	free(checkpoint);
}

/* Loads arbitrary bytes; a scheduler that loads saves the same bytes again. */
static void load_arbitrary(struct drive *d, const uint8_t *data, size_t size)
{
	unsigned char *again;
	size_t bytes;

	if (drive_read_checkpoint(d, data, size, NULL))
		return;
	d->sched[0] = d->sched[1];
	again = drive_save(d, &bytes);
	FUZZ_ASSERT(bytes == size && !memcmp(again, data, size));
	free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct drive d;
	uint8_t what;

	drive_new(&d, data, size);
	load_arbitrary(&d, data, size);
	while (fuzz_more(&d.in)) {
		what = fuzz_u8(&d.in);
		if (what % 16 == 0)
			load_damaged(&d);
		else if (what % 16 < 3)
			drive_load(&d);
		drive_event(&d);
	}
	FUZZ_ASSERT(!fair_sched_check(&d.sched[0]));
	drive_free(&d);
	return 0;
}
