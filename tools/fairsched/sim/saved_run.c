/* SPDX-License-Identifier: MIT OR Unlicense */
#include "saved_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/output.h"

#define SAVED_MAGIC UINT64_C(0x64657661736d6973) /* "simsaved" */
#define SAVED_VERSION 1
#define SAVED_HEADER 8 /* words */
#define SAVED_EVENT 3
/* Above the number of a job and the kind of event, 8 bits each: */
#define CLASS_SHIFT 56
#define CAUSE_SHIFT 48
#define NUMBER_MASK ((UINT64_C(1) << CAUSE_SHIFT) - 1)

static void put(unsigned char *p, uint64_t word)
{
	int i;

	for (i = 0; i < 8; i++)
		p[i] = (unsigned char)(word >> 8 * i);
}

static uint64_t get(const unsigned char *p)
{
	uint64_t word = 0;
	int i;

	for (i = 0; i < 8; i++)
		word |= (uint64_t)p[i] << 8 * i;
	return word;
}

static uint64_t hash(uint64_t h, const unsigned char *p, size_t n)
{
	while (n--)
		h = (h ^ *p++) * UINT64_C(0x100000001b3);
	return h;
}

#define HASH_NOTHING UINT64_C(0xcbf29ce484222325)

/* A hash of what the scheduler learns of its jobs, and of their ends. */
static uint64_t trace_hash(const struct swf *t)
{
	uint64_t h = HASH_NOTHING;
	unsigned char byte[8 * 9];
	size_t i;

	for (i = 0; i < t->jobs; i++) {
		const struct swf_job *j = &t->job[i];

		put(byte, (uint64_t)j->id);
		put(byte + 8, (uint64_t)j->submit);
		put(byte + 16, (uint64_t)j->run);
		put(byte + 24, (uint64_t)j->estimate);
		put(byte + 32, (uint64_t)j->procs);
		put(byte + 40, j->user);
		put(byte + 48, j->account);
		put(byte + 56, (uint64_t)j->penalty);
		put(byte + 64, (uint64_t)t->procs);
		h = hash(h, byte, sizeof(byte));
	}
	return h;
}

static int failed(struct saved *s, const char *path, const char *why)
{
	snprintf(s->error, sizeof(s->error), "%.150s: %s", path, why);
	return -1;
}

/* ---- what happened ---- */

int saved_add(struct saved *s, const struct saved_event *event)
{
	size_t cap = s->cap ? 2 * s->cap : 4096 * SAVED_EVENT;
	uint64_t *word;

	if (!s->to)
		return 0;
	if (s->words + SAVED_EVENT > s->cap) {
		word = realloc(s->word, cap * sizeof(*word));
		if (!word)
			return -FAIR_ENOMEM;
		s->word = word;
		s->cap = cap;
	}
	word = s->word + s->words;
	word[0] = (uint64_t)event->number << 2 | (uint64_t)event->kind |
		  (uint64_t)event->node_class << CLASS_SHIFT |
		  (uint64_t)event->cause << CAUSE_SHIFT;
	word[1] = (uint64_t)event->time;
	word[2] = (uint64_t)event->promise;
	s->words += SAVED_EVENT;
	return 0;
}

size_t saved_events(const struct saved *s)
{
	return s->file ? (size_t)get(s->file + 56) : 0;
}

struct saved_event saved_at(const struct saved *s, size_t i)
{
	const unsigned char *p = s->file + 8 * (SAVED_HEADER + SAVED_EVENT * i);
	struct saved_event e;

	e.kind = (enum saved_kind)(get(p) & 3);
	e.number = (size_t)((get(p) & NUMBER_MASK) >> 2);
	e.node_class = (uint32_t)(get(p) >> CLASS_SHIFT);
	e.cause = (uint32_t)(get(p) >> CAUSE_SHIFT & 0xff);
	e.time = (int64_t)get(p + 8);
	e.promise = (int64_t)get(p + 16);
	return e;
}

/* ---- the file ---- */

bool saved_due(const struct saved *s, int64_t next,
	       const struct saved_state *state)
{
	if (!s->to)
		return false;
	if (s->every && state->instants && state->instants % s->every == 0)
		return true;
	return s->once && next > s->at &&
	       (!state->instants || state->now <= s->at);
}

/* Returns NULL without memory. */
static unsigned char *encode(const struct saved *s,
			     const struct fair_sched *sched,
			     const struct saved_state *state, size_t *bytes)
{
	size_t checkpoint = fair_sched_checkpoint_size(sched), i;
	unsigned char *file, *p;

	*bytes = 8 * (SAVED_HEADER + s->words + 1) + checkpoint;
	file = malloc(*bytes);
	if (!file)
		return NULL;
	put(file, SAVED_MAGIC);
	put(file + 8, SAVED_VERSION);
	put(file + 16, *bytes);
	put(file + 24, s->trace);
	put(file + 32, (uint64_t)state->now);
	put(file + 40, state->instants);
	put(file + 48, state->live);
	put(file + 56, s->words / SAVED_EVENT);
	p = file + 8 * SAVED_HEADER;
	for (i = 0; i < s->words; i++, p += 8)
		put(p, s->word[i]);
	(void)fair_sched_save(sched, p, checkpoint);
	put(p + checkpoint, hash(HASH_NOTHING, file, *bytes - 8));
	return file;
}

int saved_write(struct saved *s, const struct fair_sched *sched,
		const struct saved_state *state)
{
	size_t bytes;
	unsigned char *file = encode(s, sched, state, &bytes);
	int status;

	if (!file)
		return -FAIR_ENOMEM;
	status = output_save(s->to, file, bytes, s->is_private);
	if (status)
		failed(s, s->to, strerror(errno));
	free(file);
	s->unwritten = status != 0;
	return status ? -FAIR_EINVAL : 0;
}

static int read_file(struct saved *s, size_t *bytes)
{
	FILE *f = fopen(s->from, "rb");
	size_t cap = 1 << 16, n = 0;
	unsigned char *more;

	if (!f)
		return failed(s, s->from, strerror(errno));
	for (s->file = malloc(cap); s->file; cap *= 2) {
		n += fread(s->file + n, 1, cap - n, f);
		/* Noise, or more than the header says: not read to its end. */
		if (n < cap || get(s->file) != SAVED_MAGIC ||
		    get(s->file + 16) < n)
			break;
		more = realloc(s->file, 2 * cap);
		if (!more)
			free(s->file);
		s->file = more;
	}
	*bytes = n;
	if (!s->file || ferror(f))
		failed(s, s->from, s->file ? "cannot be read" : "out of memory");
	fclose(f);
	return s->error[0] ? -1 : 0;
}

/* NULL, or how the file is damaged, perhaps in @text. */
static const char *damage(const struct saved *s, size_t bytes, char *text,
			  size_t size)
{
	size_t room;

	if (bytes < 8 || get(s->file) != SAVED_MAGIC)
		return "not a saved simulation";
	if (bytes < 8 * (SAVED_HEADER + 1) || get(s->file + 16) != bytes)
		return "truncated: the file is shorter or longer than its "
		       "header says";
	if (get(s->file + 8) != SAVED_VERSION) {
		snprintf(text, size, "saved by another version: format %" PRIu64
			 ", this one reads %d",
			 get(s->file + 8), SAVED_VERSION);
		return text;
	}
	if (get(s->file + bytes - 8) != hash(HASH_NOTHING, s->file, bytes - 8))
		return "damaged: the checksum differs";
	room = bytes / 8 - SAVED_HEADER - 1;
	if (get(s->file + 56) > room / SAVED_EVENT)
		return "inconsistent content";
	return NULL;
}

int saved_open(struct saved *s, const struct swf *trace, uint64_t rules)
{
	const char *why;
	char text[80];
	size_t bytes, i;

	if (s->from || s->to)
		s->trace = trace_hash(trace) ^ rules;
	if (!s->from)
		return 0;
	if (read_file(s, &bytes))
		return -1;
	why = damage(s, bytes, text, sizeof(text));
	if (!why && get(s->file + 24) != s->trace) {
		s->foreign = true;
		why = "saved from another trace, or with another "
		      "--dependencies, --config, --maintenance or trace "
		      "option";
	}
	if (why)
		return failed(s, s->from, why);
	s->state.now = (int64_t)get(s->file + 32);
	s->state.instants = get(s->file + 40);
	s->state.live = (uint32_t)get(s->file + 48);
	i = 8 * (SAVED_HEADER + SAVED_EVENT * saved_events(s));
	s->checkpoint = s->file + i;
	s->checkpoint_bytes = bytes - 8 - i;
	return 0;
}

void saved_close(struct saved *s)
{
	free(s->word);
	free(s->file);
	s->word = NULL;
	s->file = NULL;
}
