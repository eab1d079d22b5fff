/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * saved_run.h - a saved simulation, to be continued
 *
 * Words of 8 bytes, little-endian: a header, the events of each job so far, the
 * scheduler's checkpoint, and FNV-1a 64 of all of these.
 */
#ifndef SAVED_RUN_H
#define SAVED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fairsched.h"
#include "tools/fairsched/trace/swf.h"

enum saved_kind { SAVED_ARRIVAL, SAVED_START, SAVED_FINISH };

struct saved_event {
	enum saved_kind kind;
	size_t number;
	int64_t time, promise; /* the first, or FAIR_FOREVER */
	uint32_t node_class;   /* in which it started */
	uint32_t cause; /* enum fair_cause of the last delay until then */
};

/* The state of a simulation beside its scheduler and its jobs. */
struct saved_state {
	int64_t now;
	uint64_t instants;
	uint32_t live;
};

struct saved {
	/* Set by the caller; NULL, 0: not asked for. */
	const char *to, *from;
	bool is_private; /* @to, if it is new */
	bool once;
	int64_t at;	/* once, after the instants up to then */
	uint64_t every; /* instants */

	uint64_t trace; /* a hash of its jobs, and of rules */
	uint64_t *word; /* three an event */
	size_t words, cap;
	unsigned char *file; /* that was loaded */
	const unsigned char *checkpoint;
	size_t checkpoint_bytes;
	struct saved_state state;
	bool foreign;	 /* the file is of another trace or of other rules */
	char error[256]; /* why a file was not read, or not written */
	bool unwritten;
};

/*
 * Reads s->from, if given; s->to, if given, is set before. @rules is 0, or a
 * hash of rules that the scheduler's checkpoint does not hold. Returns 0 or -1
 * with s->error set.
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

#endif /* SAVED_RUN_H */
