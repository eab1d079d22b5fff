/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * clock.h - times of a trace as people say them: "1996-10-28 17:53, in 16 h"
 *
 * Without an epoch in the trace, or with --seconds, they are seconds.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLOCK_TEXT 80 /* bytes of any text */

struct clock {
	int64_t epoch; /* of second 0, or INT64_MIN */
	int64_t now;
	bool seconds; /* --seconds */
};

/* With how far it is from now; "never" for FAIR_FOREVER. Returns @text. */
const char *clock_time(const struct clock *c, int64_t at, char *text);

/* The same without that. */
const char *clock_date(const struct clock *c, int64_t at, char *text);

/* Two units at most: "1 h 47 min", or "6400 s". */
const char *clock_about(const struct clock *c, double seconds, char *text);

/* To the second: "1 h 46 min 40 s", or "6400 s". */
const char *clock_duration(const struct clock *c, int64_t seconds, char *text);

/* A sentence of the library, in which times and durations are seconds. */
void clock_sentence(const struct clock *c, const char *sentence, char *said,
		    size_t room);

/* As a value of JSON, in seconds: null for FAIR_FOREVER. */
void json_time(FILE *f, int64_t at);

#endif /* CLOCK_H */
