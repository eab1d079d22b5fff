/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * checkpoint_fuzz.c - damaged checkpoints are refused, others decide the same
 *
 * The library refuses arbitrary bytes, a checkpoint with a flipped bit and a
 * truncated one. Of a checkpoint with changed words and a correct checksum it
 * loads only a scheduler whose invariants hold, and which goes on with any
 * thousand events and loads its own checkpoint then. A scheduler that is loaded
 * from an undamaged checkpoint makes the same decisions, under every policy; see
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

/* The ledgers of usage.h, up to their last words, which are checksums. */
struct ledgers {
	unsigned char *from[16], *to[16];
	size_t n;
};

/* Finds the sections that begin with the first word of usage.h. */
static void find_ledgers(unsigned char *checkpoint, size_t bytes,
			 struct ledgers *l)
{
	unsigned char *p = checkpoint + 8 * FAIR_CHECKPOINT_HEADER, *next;

	for (l->n = 0; p < checkpoint + bytes - 8; p = next) {
		next = p + 8 * fair_checkpoint_extent(p);
		if (next == p + 24 ||
		    fair_get_word(p + 24) != FAIR_USAGE_MAGIC)
			continue;
		l->from[l->n] = p + 24;
		l->to[l->n++] = next - 8;
	}
}

/* Draws what a forged field says in place of @was. */
static uint64_t draw_word(struct drive *d, uint64_t was)
{
	static const int64_t extremes[] = {
		0,	       1,	      -1,	     INT64_MIN,
		INT64_MAX,     INT64_MAX - 1, INT32_MAX,     UINT32_MAX,
		INT64_C(1) << 60, -(INT64_C(1) << 60), INT64_C(1) << 61,
		INT64_C(1) << 62, -(INT64_C(1) << 62), INT64_C(1) << 34,
		INT64_C(1) << 51, INT64_C(1) << 59
	};
	uint8_t how = fuzz_u8(&d->in) % 4;

	if (how == 0)
		return fuzz_u64(&d->in);
	if (how == 1)
		return fuzz_u8(&d->in);
	if (how == 2)
		return (uint64_t)extremes[fuzz_u8(&d->in) % 16];
	return was + (uint64_t)fuzz_range(&d->in, -8, 8);
}

/*
 * What was loaded goes on: a thousand events, drawn from @seed, then its own
 * checkpoint can be loaded.
 */
static void go_on(struct drive *d, uint64_t seed)
{
	static unsigned char tree[sizeof(d->tree_memory)];
	static uint8_t bytes[32768];
	struct drive x = *d;
	size_t i;

	memcpy(tree, d->tree_memory, sizeof(tree));
	for (i = 0; i < sizeof(bytes); i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		bytes[i] = (uint8_t)(seed >> 33);
	}
	x.in.p = bytes;
	x.in.n = sizeof(bytes);
	x.sched[0] = d->sched[1];
	x.now = x.sched[0].now;
	x.memory[1] = (char *)malloc(d->bytes + 1);
	FUZZ_ASSERT(x.memory[1]);
	if (d->config.maui)
		x.config.maui = &x.maui;
	if (d->config.tree)
		x.config.tree = &x.tree;
	for (i = 0; i < 1000; i++)
		drive_event(&x);
	FUZZ_ASSERT(!fair_sched_check(&x.sched[0]));
	drive_load(&x);
	free(x.memory[1]);
	memcpy(d->tree_memory, tree, sizeof(tree));
}

/* Changes words of the body and corrects the checksums. */
static void load_forged(struct drive *d, unsigned char *checkpoint,
			size_t bytes)
{
	size_t at, words = 1 + fuzz_u8(&d->in) % 3;
	struct ledgers l;

	find_ledgers(checkpoint, bytes, &l);
	for (; words; words--) {
		at = 8 * (size_t)fuzz_range(&d->in, 3, (int64_t)bytes / 8 - 2);
		fair_put_word(
			checkpoint + at,
			draw_word(d, fair_get_word(checkpoint + at)));
	}
	while (l.n--)
		fair_put_word(l.to[l.n],
				    fair_fnv(l.from[l.n],
					     (size_t)(l.to[l.n] - l.from[l.n])));
	fair_put_word(checkpoint + bytes - 8,
			    fair_fnv(checkpoint, bytes - 8));
	if (drive_read_checkpoint(d, checkpoint, bytes, NULL))
		return;
	FUZZ_ASSERT(!fair_sched_check(&d->sched[1]));
	go_on(d, fuzz_u8(&d->in));
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
