/* SPDX-License-Identifier: MIT OR Unlicense */
/* fst_options.h - options of every command that computes fair start times */
#ifndef FST_OPTIONS_H
#define FST_OPTIONS_H

#include "options.h"
#include "tools/fairsched/report/fst_run.h"

/* clang-format off */
/* Rows of a table of options, for the struct fst_run_args that is @a.@field. */
#define SAMPLE_OPTIONS(a, field)                                              \
	OPTION_GROUP_OF("Fairness"),                                          \
	{ "fst", NULL, OPTION_FLAG, offsetof(a, field.fst),                   \
	  "compute unfairness: how much later jobs start than if no job had " \
	  "arrived after them, and how much less than their fair share they " \
	  "get",                                                              \
	  NULL, 0, 0 },                                                       \
	{ "fst-sample", "PERCENT", OPTION_DECIMAL,                            \
	  offsetof(a, field.sample),                                          \
	  "compute the fair start times of a random sample of the jobs, and " \
	  "confidence intervals of the means",                                \
	  NULL, 1, 10000 },                                                   \
	{ "fst-whole", "JOBS", OPTION_INTEGER, offsetof(a, field.whole),      \
	  "do not sample traces that have at most this many jobs",            \
	  NULL, 1, INT64_MAX },                                               \
	{ "seed", "N", OPTION_INTEGER, offsetof(a, field.seed),               \
	  "seed of the sample, or of the disturbances, default 0", NULL, 0,   \
	  INT64_MAX }

#define FST_OPTIONS(a, field)                                                 \
	SAMPLE_OPTIONS(a, field),                                             \
	{ "part", "F", OPTION_OUTPUT, offsetof(a, field.part),                  \
	  "append fair start times to F as they are found; those that F has " \
	  "already are not computed again",                                   \
	  NULL, 0, 0 },                                                       \
	{ "shard", "I/N", OPTION_SHARD, offsetof(a, field.shard),             \
	  "compute only the I-th of N shards of the fair start times, and "   \
	  "write them to the file of --part; 'fairsched merge' joins shards", \
	  NULL, 1, UINT16_MAX },                                              \
	{ "threads", "N", OPTION_INTEGER, offsetof(a, field.threads),         \
	  "threads of --fst, default one for each processor of this "         \
	  "computer",                                                         \
	  NULL, 1, THREADS }
/* clang-format on */

#endif /* FST_OPTIONS_H */
