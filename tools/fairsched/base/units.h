/* SPDX-License-Identifier: MIT OR Unlicense */
/* units.h - durations, times and shards as they are written on the command line
 */
#ifndef UNITS_H
#define UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITS_LARGEST (INT64_C(1) << 50) /* seconds, either way */

/* A time of a trace; a date is turned into one by the epoch of its header. */
struct when {
	int64_t at; /* seconds of the trace, or since 1970 */
	bool given, dated;
};

/*
 * "90", "90s", "15m", "12h", "1d", "2w", and sums from long to short as in
 * "1d12h"; a - before it negates. Returns false if it is none.
 */
bool units_seconds(const char *text, int64_t *seconds);

/* As people say it, two units at most: "15 h 5 min", "40 s". Returns @text. */
const char *units_text(double seconds, char *text, size_t size);

/* The same to the second: "1 h 46 min 40 s". */
const char *units_exact(int64_t seconds, char *text, size_t size);

/* "2003-05-01 12:30" of seconds since 1970, UTC; false if there is none. */
bool units_date(int64_t seconds, char *text, size_t size);

/*
 * As units_seconds(), or "2003-05-01", "2003-05-01T12:30", "...T12:30:59", all
 * UTC, unless Z or an offset such as +0100 or +01:00 follows the time of day.
 */
bool units_when(const char *text, struct when *when);

#define UNITS_SHARE 1000000

/* "0.01" as millionths, above 0 and at most 1. */
bool units_share(const char *text, uint32_t *millionths);

#define CHOICES 16 /* at most */

/* What an option said each time that it was given. */
struct texts {
	size_t n;
	const char *text[CHOICES];
};

/* "2/8": the second of eight parts of some work. */
struct shard {
	uint32_t index, of; /* from 0; of 0: none */
};

#endif /* UNITS_H */
