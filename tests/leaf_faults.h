/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * leaf_faults.h - a call of one header that fails, and changes nothing; memory
 * that is fenced on both sides
 */
#ifndef LEAF_FAULTS_H
#define LEAF_FAULTS_H

#include "tests/faults.h"

/* What an error must not change. */
static struct kept {
	const void *at;
	void *copy;
	size_t bytes;
} kept[8];

static size_t keeps;

static inline void forget(void)
{
	while (keeps)
		free(kept[--keeps].copy);
}

static inline void keep(const void *at, size_t bytes)
{
	struct kept *k = &kept[keeps++];

	k->at = at;
	k->bytes = bytes;
	k->copy = malloc(bytes);
	if (!k->copy || keeps > sizeof(kept) / sizeof(*kept))
		abort();
	memcpy(k->copy, at, bytes);
}

static inline bool unchanged(void)
{
	size_t i;

	for (i = 0; i < keeps; i++)
		if (memcmp(kept[i].at, kept[i].copy, kept[i].bytes))
			return false;
	return true;
}

/* The call says so, and changed nothing. */
static inline void fault(const char *call, int got, int error, const char *why)
{
	fails(call, got, error, why, unchanged());
}

#define FAULT(call, error, why) fault(#call, call, -FAIR_##error, why)

/* At an odd address, with a fence before and behind. */
static struct room {
	unsigned char *all;
	size_t bytes;
} rooms[4];

static size_t used;

enum { FENCE = 64, FILL = 0xa5 };

static inline void *room(size_t bytes)
{
	struct room *r = &rooms[used++];

	r->bytes = bytes;
	r->all = (unsigned char *)malloc(bytes + 2 * FENCE);
	if (!r->all || !bytes || used > sizeof(rooms) / sizeof(*rooms))
		abort();
	memset(r->all, FILL, bytes + 2 * FENCE);
	return r->all + FENCE - 1;
}

/* The end of a header: nothing was written beyond the fences. */
static inline void leave(void)
{
	size_t i, wrong = 0;
	struct room *r;

	forget();
	while (used) {
		r = &rooms[--used];
		for (i = 0; i < 2 * FENCE; i++)
			wrong += r->all[i < FENCE - 1 ? i : r->bytes + i] !=
				 FILL;
		free(r->all);
	}
	TEST_EQ(wrong, 0);
}

/* What queries write to. */
static struct {
	int64_t a, b;
	uint64_t c, d;
} out;

TEST_EACH(fill)
{
	memset(&out, FILL, sizeof(out));
}

#endif /* LEAF_FAULTS_H */
