/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * checkpoint.h - state as bytes that any machine can load
 *
 * In ONE file:  #define FAIR_CHECKPOINT_IMPLEMENTATION
 *               #include "checkpoint.h"
 *
 * A checkpoint is a sequence of words of 8 bytes, little-endian:
 *
 *   magic | version | bytes in all | section ... | FNV-1a 64 of what precedes
 *
 *   section: number | records | words in a record | the records
 *
 * One function lists the fields of a record, and serves writing and reading:
 *
 *   static void point(struct fair_checkpoint *f, struct point *p)
 *   {
 *           fair_checkpoint_record(f);
 *           fair_checkpoint_i64(f, &p->x);
 *           fair_checkpoint_i64(f, &p->y);
 *   }
 *
 * EXAMPLE
 *   struct fair_checkpoint f;
 *   unsigned char bytes[256];
 *   int64_t x = -5;
 *
 *   fair_checkpoint_write(&f, bytes, 7);         // NULL: counts only
 *   fair_checkpoint_section(&f, 1, 1, 1);        // section 1: one record of
 *   fair_checkpoint_record(&f);                  // one word
 *   fair_checkpoint_i64(&f, &x);
 *   size_t size = fair_checkpoint_finish(&f);
 *
 *   x = 0;
 *   fair_checkpoint_read(&f, bytes, size, 7);
 *   if (fair_checkpoint_section(&f, 1, 0, 0) == 1) {
 *           fair_checkpoint_record(&f);
 *           fair_checkpoint_i64(&f, &x);         // x is -5 again
 *   }
 *
 * LATER VERSIONS add words at the end of a record, or sections. A field that is
 * not in a checkpoint reads as 0; the reader skips words that it does not know.
 *
 * UNITS       bytes; words of 8 bytes
 * ERRORS      A field out of its range sets @bad. Reading goes on, so that one
 *             test at the end is enough.
 * MEMORY      the caller's
 * THREADS     a stream belongs to one thread
 * COMPLEXITY  O(1) for each field; O(sections) to find one; O(bytes) to open
 * DEFINES     FAIR_CHECKPOINT_API, FAIRSCHED_STATIC
 * INVARIANTS  I1 a reader that begins no more records than the section has
 *             never leaves the bytes that were opened
 *             I2 two checkpoints that differ in one byte differ in their hash,
 *                because each step of FNV-1a is one to one
 * SOURCES     [FNV] Fowler, Noll, Vo: FNV-1a
 */
#ifndef FAIR_CHECKPOINT_H
#define FAIR_CHECKPOINT_H

#define FAIRSCHED_VERSION 100

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_LINKAGE
#define FAIRSCHED_SHARED_LINKAGE

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIR_ENOMEM 12
#define FAIR_EINVAL 22
#define FAIR_ENOSPC 28
#define FAIR_ERANGE 34
#define FAIR_EOVERFLOW 75

#ifdef FAIRSCHED_STATIC /* each unit has its own bodies */
#undef FAIRSCHED_IMPLEMENTATION
#define FAIRSCHED_IMPLEMENTATION
#define FAIRSCHED_LINKAGE static inline
#elif !defined(FAIRSCHED_LINKAGE)
#define FAIRSCHED_LINKAGE extern
#endif

#ifdef __cplusplus
#define FAIRSCHED_BEGIN_C extern "C" {
#define FAIRSCHED_END_C }
#else
#define FAIRSCHED_BEGIN_C
#define FAIRSCHED_END_C
#endif

/* Each unit refers to this: it needs an implementation of its version. */
#define FAIRSCHED_SYMBOL(header)                                               \
	header##_version_100_define_FAIRSCHED_IMPLEMENTATION_in_one_file
#define FAIRSCHED_PROVIDE(api, header)                                         \
	api int FAIRSCHED_SYMBOL(header)(void)                                 \
	{                                                                      \
		return FAIRSCHED_VERSION;                                      \
	}
#define FAIRSCHED_REQUIRE(api, header) api int FAIRSCHED_SYMBOL(header)(void)
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
#undef FAIRSCHED_REQUIRE
#define FAIRSCHED_REQUIRE(api, header)                                         \
	api int FAIRSCHED_SYMBOL(header)(void);                                \
	static int (*const header##_required)(void)                            \
		__attribute__((used, retain)) = FAIRSCHED_SYMBOL(header)
#endif
#endif
#endif /* FAIRSCHED_SHARED_LINKAGE */

#ifndef FAIR_CHECKPOINT_API
#define FAIR_CHECKPOINT_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_CHECKPOINT_API, fair_checkpoint);

/* Why a checkpoint is rejected. */
enum fair_checkpoint_damage {
	FAIR_CHECKPOINT_CUT = 1,  /* its length is not that of its header */
	FAIR_CHECKPOINT_FOREIGN,  /* not a checkpoint of a scheduler */
	FAIR_CHECKPOINT_VERSION,  /* of another version than this one */
	FAIR_CHECKPOINT_CHECKSUM, /* changed since it was saved */
	FAIR_CHECKPOINT_BROKEN,	  /* its fields contradict each other */
	FAIR_CHECKPOINT_CONFIG	  /* of a scheduler of another configuration */
};

/* Words of the checkpoint's header, and of a section's. */
#define FAIR_CHECKPOINT_HEADER 3

/**
 * struct fair_checkpoint - a stream that writes, counts or reads.
 * @bad:     out: a field was out of its range
 * @find:    reading: the slot of the job with @number, UINT32_MAX if there is
 *           none; for fair_checkpoint_job()
 * @context: its first argument
 *
 * All other fields are private.
 */
struct fair_checkpoint {
	bool bad;
	uint32_t (*find)(const void *context, uint64_t number);
	const void *context;

	unsigned char *out;	 /* writes; NULL: counts, or reads */
	const unsigned char *in; /* reads: the next word; NULL: writes */
	const unsigned char *body, *end; /* reads: the sections */
	size_t words;			 /* written */
	uint64_t width, left; /* reads: words in a record, left in this one */
};

/**
 * fair_checkpoint_write() - begin to write.
 * @out:     as many bytes as fair_checkpoint_finish() returns; NULL: count only
 * @version: of the caller's format
 *
 * Complexity: O(1).
 */
FAIR_CHECKPOINT_API void fair_checkpoint_write(struct fair_checkpoint *f,
					       void *out, uint64_t version);

/**
 * fair_checkpoint_finish() - write the length and the hash.
 *
 * Return: the bytes of the checkpoint. Complexity: O(bytes). Source: [FNV].
 */
FAIR_CHECKPOINT_API size_t fair_checkpoint_finish(struct fair_checkpoint *f);

/**
 * fair_checkpoint_read() - begin to read.
 * @version: that the caller can read
 *
 * Return: 0; enum fair_checkpoint_damage. Complexity: O(@bytes).
 */
FAIR_CHECKPOINT_API int fair_checkpoint_read(struct fair_checkpoint *f,
					     const void *checkpoint,
					     size_t bytes, uint64_t version);

/** fair_checkpoint_strerror() - a sentence about a damage; 0: no damage. */
FAIR_CHECKPOINT_API const char *fair_checkpoint_strerror(int damage);

/**
 * fair_checkpoint_section() - begin a section.
 * @number:  what it holds
 * @records: writing: the number of records that follow
 * @width:   writing: words in each
 *
 * Return: its records; reading: 0 if there is no such section.
 * Complexity: writing O(1); reading O(sections).
 */
FAIR_CHECKPOINT_API uint64_t fair_checkpoint_section(struct fair_checkpoint *f,
						     uint64_t number,
						     uint64_t records,
						     uint64_t width);

/** fair_checkpoint_record() - begin the next record of the section. */
FAIR_CHECKPOINT_API void fair_checkpoint_record(struct fair_checkpoint *f);

/** fair_checkpoint_one() - begin a section of one record; another number of
 * records sets @bad. */
FAIR_CHECKPOINT_API void fair_checkpoint_one(struct fair_checkpoint *f,
					     uint64_t number, uint64_t width);

/**
 * fair_checkpoint_bytes() - writing: a section of one record of @bytes.
 * @bytes: a multiple of 8
 *
 * Return: where the caller writes them; NULL: the stream counts only.
 */
FAIR_CHECKPOINT_API unsigned char *
fair_checkpoint_bytes(struct fair_checkpoint *f, uint64_t number, size_t bytes);

/**
 * fair_checkpoint_find() - reading: the one record of a section, as bytes.
 * @bytes: out: their number
 *
 * Return: NULL if there is no such section, or not of one record.
 */
FAIR_CHECKPOINT_API const unsigned char *
fair_checkpoint_find(struct fair_checkpoint *f, uint64_t number, size_t *bytes);

/* A field of a record. A word that is no value of its type sets @bad. */
FAIR_CHECKPOINT_API void fair_checkpoint_u64(struct fair_checkpoint *f,
					     uint64_t *x);
FAIR_CHECKPOINT_API void fair_checkpoint_i64(struct fair_checkpoint *f,
					     int64_t *x);
FAIR_CHECKPOINT_API void fair_checkpoint_u32(struct fair_checkpoint *f,
					     uint32_t *x);
/* Only for fields that cannot be negative; any other value sets @bad. */
FAIR_CHECKPOINT_API void fair_checkpoint_i32(struct fair_checkpoint *f,
					     int32_t *x);
FAIR_CHECKPOINT_API void fair_checkpoint_bool(struct fair_checkpoint *f,
					      bool *x);

/**
 * fair_checkpoint_job() - reading: a queued job, named by its number.
 *
 * Return: its slot; 0, and @bad, if there is none.
 */
FAIR_CHECKPOINT_API uint32_t fair_checkpoint_job(struct fair_checkpoint *f);

FAIRSCHED_END_C
#endif /* FAIR_CHECKPOINT_H */

#if !defined(FAIR_CHECKPOINT_IMPLEMENTED) &&                                   \
	(defined(FAIR_CHECKPOINT_IMPLEMENTATION) ||                            \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_CHECKPOINT_IMPLEMENTED

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_HASH
#define FAIRSCHED_SHARED_HASH

/* FNV-1a 64. */
static inline uint64_t fair_fnv(const unsigned char *p, size_t bytes)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (bytes--)
		hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
	return hash;
}

/* A word of 8 bytes, little-endian. */
static inline void fair_put_word(unsigned char *p, uint64_t word)
{
	int i;

	for (i = 0; i < 8; i++)
		p[i] = (unsigned char)(word >> 8 * i);
}

static inline uint64_t fair_get_word(const unsigned char *p)
{
	uint64_t word = 0;
	int i;

	for (i = 0; i < 8; i++)
		word |= (uint64_t)p[i] << 8 * i;
	return word;
}
#endif /* FAIRSCHED_SHARED_HASH */

#define FAIR_CHECKPOINT_MAGIC UINT64_C(0x6574617473726166) /* "farstate" */

FAIRSCHED_PROVIDE(FAIR_CHECKPOINT_API, fair_checkpoint)

FAIR_CHECKPOINT_API void fair_checkpoint_u64(struct fair_checkpoint *f,
					     uint64_t *x)
{
	if (f->in) {
		*x = f->left ? fair_get_word(f->in) : 0;
		f->in += f->left ? 8 : 0;
		f->left -= f->left ? 1 : 0;
		return;
	}
	if (f->out)
		fair_put_word(f->out + 8 * f->words, *x);
	f->words++;
}

FAIR_CHECKPOINT_API void fair_checkpoint_i64(struct fair_checkpoint *f,
					     int64_t *x)
{
	uint64_t word = (uint64_t)*x;

	fair_checkpoint_u64(f, &word);
	*x = (int64_t)word;
}

FAIR_CHECKPOINT_API void fair_checkpoint_u32(struct fair_checkpoint *f,
					     uint32_t *x)
{
	uint64_t word = *x;

	fair_checkpoint_u64(f, &word);
	f->bad |= word > UINT32_MAX;
	*x = (uint32_t)word;
}

FAIR_CHECKPOINT_API void fair_checkpoint_i32(struct fair_checkpoint *f,
					     int32_t *x)
{
	uint32_t word = (uint32_t)*x;

	fair_checkpoint_u32(f, &word);
	f->bad |= word > INT32_MAX;
	*x = (int32_t)(word & INT32_MAX);
}

FAIR_CHECKPOINT_API void fair_checkpoint_bool(struct fair_checkpoint *f,
					      bool *x)
{
	uint32_t word = *x;

	fair_checkpoint_u32(f, &word);
	f->bad |= word > 1;
	*x = word != 0;
}

FAIR_CHECKPOINT_API uint32_t fair_checkpoint_job(struct fair_checkpoint *f)
{
	uint64_t number = 0;
	uint32_t slot;

	fair_checkpoint_u64(f, &number);
	slot = f->find(f->context, number);
	f->bad |= slot == UINT32_MAX;
	return f->bad ? 0 : slot;
}

/* Words of the section at @p, with its header. */
static size_t fair_checkpoint_extent(const unsigned char *p)
{
	return (size_t)(FAIR_CHECKPOINT_HEADER +
			fair_get_word(p + 8) *
				fair_get_word(p + 16));
}

FAIR_CHECKPOINT_API uint64_t fair_checkpoint_section(struct fair_checkpoint *f,
						     uint64_t number,
						     uint64_t records,
						     uint64_t width)
{
	const unsigned char *p = f->body;

	if (!f->in) {
		fair_checkpoint_u64(f, &number);
		fair_checkpoint_u64(f, &records);
		fair_checkpoint_u64(f, &width);
		return records;
	}
	while (p < f->end && fair_get_word(p) != number)
		p += 8 * fair_checkpoint_extent(p);
	f->left = f->width = 0;
	if (p == f->end)
		return 0;
	f->in = p + 8 * FAIR_CHECKPOINT_HEADER;
	f->width = fair_get_word(p + 16);
	return fair_get_word(p + 8);
}

FAIR_CHECKPOINT_API void fair_checkpoint_record(struct fair_checkpoint *f)
{
	if (!f->in)
		return;
	f->in += 8 * f->left; /* unknown words of the last record */
	f->left = f->width;
}

FAIR_CHECKPOINT_API void fair_checkpoint_one(struct fair_checkpoint *f,
					     uint64_t number, uint64_t width)
{
	f->bad |= fair_checkpoint_section(f, number, 1, width) != 1;
	if (!f->bad)
		fair_checkpoint_record(f);
}

FAIR_CHECKPOINT_API unsigned char *
fair_checkpoint_bytes(struct fair_checkpoint *f, uint64_t number, size_t bytes)
{
	unsigned char *at;

	fair_checkpoint_section(f, number, 1, bytes / 8);
	at = f->out ? f->out + 8 * f->words : NULL;
	f->words += bytes / 8;
	return at;
}

FAIR_CHECKPOINT_API const unsigned char *
fair_checkpoint_find(struct fair_checkpoint *f, uint64_t number, size_t *bytes)
{
	if (fair_checkpoint_section(f, number, 0, 0) != 1)
		return NULL;
	*bytes = 8 * (size_t)f->width;
	return f->in;
}

static void fair_checkpoint_clear(struct fair_checkpoint *f)
{
	static const struct fair_checkpoint none = { false, NULL, NULL, NULL,
						     NULL,  NULL, NULL, 0,
						     0,	    0 };

	*f = none;
}

FAIR_CHECKPOINT_API void fair_checkpoint_write(struct fair_checkpoint *f,
					       void *out, uint64_t version)
{
	uint64_t magic = FAIR_CHECKPOINT_MAGIC, bytes = 0;

	fair_checkpoint_clear(f);
	f->out = (unsigned char *)out;
	fair_checkpoint_u64(f, &magic);
	fair_checkpoint_u64(f, &version);
	fair_checkpoint_u64(f, &bytes);
}

FAIR_CHECKPOINT_API size_t fair_checkpoint_finish(struct fair_checkpoint *f)
{
	size_t bytes = 8 * (f->words + 1);

	if (f->out) {
		fair_put_word(f->out + 16, bytes);
		fair_put_word(f->out + bytes - 8,
				    fair_fnv(f->out, bytes - 8));
	}
	return bytes;
}

/* Whether the sections end exactly where the checkpoint ends. */
static bool fair_checkpoint_is_filled(const struct fair_checkpoint *f)
{
	const unsigned char *p = f->body;
	uint64_t records, width, room;

	/* Loop invariant: the sections before p end at p, by I1. */
	while (p < f->end) {
		room = (uint64_t)(f->end - p) / 8;
		if (room < FAIR_CHECKPOINT_HEADER)
			return false;
		records = fair_get_word(p + 8);
		width = fair_get_word(p + 16);
		if (!width || records > (room - FAIR_CHECKPOINT_HEADER) / width)
			return false;
		p += 8 * fair_checkpoint_extent(p);
	}
	return true;
}

FAIR_CHECKPOINT_API int fair_checkpoint_read(struct fair_checkpoint *f,
					     const void *checkpoint,
					     size_t bytes, uint64_t version)
{
	const unsigned char *p = (const unsigned char *)checkpoint;

	if (bytes < 8)
		return FAIR_CHECKPOINT_CUT;
	if (fair_get_word(p) != FAIR_CHECKPOINT_MAGIC)
		return FAIR_CHECKPOINT_FOREIGN;
	if (bytes < 8 * (FAIR_CHECKPOINT_HEADER + 1))
		return FAIR_CHECKPOINT_CUT;
	if (fair_get_word(p + 8) != version)
		return FAIR_CHECKPOINT_VERSION;
	if (fair_get_word(p + 16) != bytes || bytes % 8)
		return FAIR_CHECKPOINT_CUT;
	fair_checkpoint_clear(f);
	f->in = f->body = p + 8 * FAIR_CHECKPOINT_HEADER;
	f->end = p + bytes - 8;
	if (fair_get_word(f->end) != fair_fnv(p, bytes - 8))
		return FAIR_CHECKPOINT_CHECKSUM;
	return fair_checkpoint_is_filled(f) ? 0 : FAIR_CHECKPOINT_BROKEN;
}

FAIR_CHECKPOINT_API const char *fair_checkpoint_strerror(int damage)
{
	switch (damage) {
	case 0:
		return "no damage";
	case FAIR_CHECKPOINT_CUT:
		return "the checkpoint is cut: it is not as long as it says";
	case FAIR_CHECKPOINT_FOREIGN:
		return "this is not a checkpoint of a scheduler";
	case FAIR_CHECKPOINT_VERSION:
		return "the checkpoint was written by another version";
	case FAIR_CHECKPOINT_CHECKSUM:
		return "the checkpoint was changed after it was saved";
	case FAIR_CHECKPOINT_BROKEN:
		return "the checkpoint holds values that no scheduler saves";
	case FAIR_CHECKPOINT_CONFIG:
		return "the checkpoint was saved with another configuration";
	default:
		return "unknown damage";
	}
}
#endif /* FAIR_CHECKPOINT_IMPLEMENTED */

/*
 * This file is available under either of two licences: choose one.
 *
 * A - MIT License
 * Copyright (c) 2026 The fairsched authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in
 * all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
 * FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
 * DEALINGS IN THE SOFTWARE.
 *
 * B - Public domain (www.unlicense.org)
 *
 * This is free and unencumbered software released into the public domain.
 *
 * Anyone is free to copy, modify, publish, use, compile, sell, or distribute
 * this software, either in source code form or as a compiled binary, for any
 * purpose, commercial or non-commercial, and by any means.
 *
 * In jurisdictions that recognize copyright laws, the author or authors of
 * this software dedicate any and all copyright interest in the software to
 * the public domain. We make this dedication for the benefit of the public at
 * large and to the detriment of our heirs and successors. We intend this
 * dedication to be an overt act of relinquishment in perpetuity of all
 * present and future rights to this software under copyright law.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
 * ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
 * WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
