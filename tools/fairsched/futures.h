/* SPDX-License-Identifier: MIT OR Unlicense */
/* futures.h - fair start times of one simulation, as many as are asked for */
#ifndef FUTURES_H
#define FUTURES_H

#include "options.h"
#include "part.h"
#include "report.h"
#include "threads.h"

struct futures_args {
	bool fst;
	int64_t threads, seed, whole;
	double sample; /* percent, 0: all */
	struct shard shard;
	const char *part;
	bool only_late; /* no option: see fst.h */
};

/* clang-format off */
/* Rows of a table of options, for the struct futures_args that is @a.@field. */
#define SAMPLE_OPTIONS(a, field)                                              \
	{ "fst", NULL, OPTION_FLAG, offsetof(a, field.fst),                   \
	  "unfairness: by how much jobs start later than if nobody had "      \
	  "arrived after them, and get less than their fair share",           \
	  NULL, 0, 0 },                                                       \
	{ "fst-sample", "PERCENT", OPTION_DECIMAL,                            \
	  offsetof(a, field.sample),                                          \
	  "only so many of the fair start times, chosen at random, and how "  \
	  "certain the means are",                                            \
	  NULL, 0, 10000 },                                                   \
	{ "fst-whole", "JOBS", OPTION_INTEGER, offsetof(a, field.whole),      \
	  "not of traces that have at most so many jobs",                     \
	  NULL, 1, INT64_MAX },                                               \
	{ "seed", "N", OPTION_INTEGER, offsetof(a, field.seed),               \
	  "another sample for each", NULL, 0, INT64_MAX }

#define FUTURES_OPTIONS(a, field)                                             \
	SAMPLE_OPTIONS(a, field),                                             \
	{ "part", "F", OPTION_FILE, offsetof(a, field.part),                  \
	  "add fair start times to F as they are found; those that are in "   \
	  "it already are not looked for again",                              \
	  NULL, 0, 0 },                                                       \
	{ "shard", "I/N", OPTION_SHARD, offsetof(a, field.shard),             \
	  "look for the I-th of N parts of the fair start times, into the "   \
	  "file of --part; 'fairsched merge' joins them",                     \
	  NULL, 1, UINT16_MAX },                                              \
	{ "threads", "N", OPTION_INTEGER, offsetof(a, field.threads),         \
	  "of --fst, default one a processor here", NULL, 1, THREADS }
/* clang-format on */

/* NULL, or why these do not go together. */
const char *futures_check(const struct futures_args *a);

/*
 * Those that are asked for and not known are wanted, of a fst that is open.
 * Returns how many.
 */
size_t futures_want(struct fst *f, const struct futures_args *a, size_t jobs);

/*
 * After report_run(): r->unfairness. The file of the part is left to
 * output_commit(). Returns the exit status, after a message.
 */
int futures_run(struct report *r, const struct futures_args *a);

/*
 * The same in steps, for whoever shares threads among reports: open, fst_help()
 * in threads, its error into @w, close. Adds to *wanted how many times are to be
 * found; @w stays where it is.
 */
struct futures {
	struct report *report;
	struct part part;
	bool parted;
	int error;
};
int futures_open(struct futures *w, struct report *r,
		 const struct futures_args *a, size_t *wanted);
int futures_close(struct futures *w, const struct futures_args *a);

/* FOLDER/TRACE.POLICY, without folders and .swf of TRACE; to be freed, or NULL */
char *futures_part(const char *folder, const char *trace, const char *policy);
/* Makes it, if any and not there. Returns the exit status, after a message. */
int futures_folder(const char *folder);

#endif /* FUTURES_H */
