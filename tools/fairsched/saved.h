/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * saved.h - a simulation in a file, to go on from
 *
 * Words of 8 bytes, little-endian: a header, what happened to each job so far,
 * the image of the scheduler, and FNV-1a 64 of all that. A file is replaced by
 * one written beside it, as F.new, synchronized and renamed: whenever the
 * program or the machine stops, F is whole.
 */
#ifndef SAVED_H
#define SAVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fairsched.h"
#include "swf.h"

enum saved_kind { SAVED_ARRIVAL, SAVED_START, SAVED_FINISH };

struct saved_event {
	enum saved_kind kind;
	size_t number;
	int64_t time, promise; /* the first, or FAIR_FOREVER */
};

/* What a simulation knows beside its scheduler and its jobs. */
struct saved_state {
	int64_t now;
	uint64_t instants;
	uint32_t live;
};

struct saved {
	/* Set by the caller; NULL, 0: not asked for. */
	const char *to, *from;
	bool once;
	int64_t at;	/* once, after the instants up to then */
	uint64_t every; /* instants */

	uint64_t trace; /* a hash of its jobs, and of rules */
	uint64_t *word; /* three an event */
	size_t words, cap;
	unsigned char *file; /* that was loaded */
	const unsigned char *image;
	size_t image_bytes;
	struct saved_state state;
	char error[256]; /* why a file was not read, or not written */
	bool unwritten;
};

/*
 * Reads s->from, if given. @rules is 0, or tells of what the scheduler's own
 * image does not. Returns 0 or -1 with s->error set.
 */
int saved_open(struct saved *s, const struct swf *trace, uint64_t rules);
void saved_close(struct saved *s);

/* Returns 0 or -FAIR_ENOMEM. */
int saved_add(struct saved *s, const struct saved_event *event);
struct saved_event saved_at(const struct saved *s, size_t i);
size_t saved_events(const struct saved *s);

/* Whether to save before the instant @next; INT64_MAX: at the end. */
bool saved_due(const struct saved *s, int64_t next,
	       const struct saved_state *state);

/* Returns 0 or -FAIR_EINVAL with s->error set. */
int saved_write(struct saved *s, const struct fair_sched *sched,
		const struct saved_state *state);

#endif /* SAVED_H */
