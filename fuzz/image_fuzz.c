/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * No image loads that is not one: bytes as they come, an image with one bit
 * flipped, or cut. With words changed and the checksum made good, what loads
 * is a scheduler whose invariants hold. What is not damaged goes on with the
 * same decisions, under every policy; see image_drive.h.
 */
#define FAIR_QUEUE_BLOCK 4
#define FAIR_CONSERVATIVE_PARTS 2
#define FAIR_CONSERVATIVE_LOWS 2
#define FAIRSCHED_IMPLEMENTATION
#include "fuzz/image_drive.h"

/* Refused, with a reason. */
static void refused(struct drive *d, const unsigned char *image, size_t bytes)
{
	struct fair_config config;
	int damage = 0;

	FUZZ_ASSERT(drive_read(d, image, bytes, &damage) == -FAIR_EINVAL);
	FUZZ_ASSERT(damage >= FAIR_IMAGE_CUT && damage <= FAIR_IMAGE_CONFIG);
	FUZZ_ASSERT(fair_image_strerror(damage) != fair_image_strerror(-1));
	if (damage == FAIR_IMAGE_CONFIG)
		return;
	FUZZ_ASSERT(fair_sched_image_config(image, bytes, &config, &damage) ||
		    damage == 0);
}

/* Words of the body become others; the checksum says that they are meant. */
static void forged(struct drive *d, unsigned char *image, size_t bytes)
{
	size_t at, words = 1 + fuzz_u8(&d->in) % 3;
	uint64_t word;

	for (; words; words--) {
		at = 8 * (size_t)fuzz_range(&d->in, 3, (int64_t)bytes / 8 - 2);
		word = fuzz_u8(&d->in) % 2 ? fuzz_u64(&d->in)
					   : fuzz_u8(&d->in);
		word += fuzz_u8(&d->in) % 2 ? fair_image_get(image + at) : 0;
		fair_image_put(image + at, word);
	}
	fair_image_put(image + bytes - 8, fair_image_hash(image, bytes - 8));
	if (!drive_read(d, image, bytes, NULL))
		FUZZ_ASSERT(!fair_sched_check(&d->sched[1]));
}

static void damage(struct drive *d)
{
	uint8_t how = fuzz_u8(&d->in) % 3;
	unsigned char *image;
	size_t bytes, at;

	image = drive_save(d, &bytes);
	if (how == 0) {
		forged(d, image, bytes);
	} else if (how == 1) {
		at = (size_t)fuzz_range(&d->in, 0, (int64_t)bytes - 1);
		image[at] ^= (unsigned char)(1 << fuzz_u8(&d->in) % 8);
		refused(d, image, bytes);
	} else {
		at = (size_t)fuzz_range(&d->in, 0, (int64_t)bytes - 1);
		refused(d, image, at);
	}
	free(image);
}

/* As they come; should they be an image, it is what saves again. */
static void foreign(struct drive *d, const uint8_t *data, size_t size)
{
	unsigned char *again;
	size_t bytes;

	if (drive_read(d, data, size, NULL))
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

	drive_new(&d, FAIR_IMAGE_VERSION, data, size);
	foreign(&d, data, size);
	while (fuzz_more(&d.in)) {
		what = fuzz_u8(&d.in);
		if (what % 16 == 0)
			damage(&d);
		else if (what % 16 < 3)
			drive_load(&d);
		drive_event(&d);
	}
	FUZZ_ASSERT(!fair_sched_check(&d.sched[0]));
	drive_free(&d);
	return 0;
}
