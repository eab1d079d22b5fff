/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * swf.h - traces in Standard Workload Format, plain or gzipped
 *
 *	struct swf_options o = { 0 };
 *	struct swf t;
 *
 *	if (swf_read(&t, "trace.swf.gz", &o))
 *		puts(t.error);
 *	...
 *	swf_free(&t);
 *
 * A record has 18 numbers; a 19th and 20th column are ignored. Records of 21
 * columns are the Czech form (node list, queue, node request at the end, bytes
 * as the unit of requested memory), and then all of them are.
 *
 * Numbers are integers or fractions, rounded to nearest, halves up. Submit
 * times are within 2^40 s of 0, run times up to 2^34 s. Anything else is an
 * error that names file, line and field; lenient counts such lines and skips
 * them.
 */
#ifndef SWF_H
#define SWF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "asks.h"
#include "tools/fairsched/base/lines.h"
#include "tools/fairsched/base/units.h"

/* Why a job was dropped: the first reason that holds, in this order. */
enum swf_reason {
	SWF_NO_PROCS, /* fields 5 and 8 <= 0 */
	SWF_NO_RUN,   /* field 4, or 6 when 4 is -1, < 0 */
	SWF_STATUS,   /* 2, 3, 4 (parts of a job), or 5 with run 0 */
	SWF_TOO_WIDE, /* more processors than the machine */
	SWF_NO_NODES, /* no nodes of the machine can hold it */
	SWF_OUTSIDE,  /* not submitted in [from, until) */
	SWF_REFUSED,  /* rejected by the classes or limits of --config */
	SWF_LIMITED,  /* asks for more than a limit of --limits */
	SWF_REASONS
};
extern const char *const swf_reason_text[SWF_REASONS];

/* What of the jobs that are kept is worth a remark. */
enum swf_note {
	SWF_ODD_STATUS, /* outside of -1 to 5, as an exit code is: it ran */
	SWF_NO_REQUEST, /* planned with its run time */
	SWF_NOTES
};
extern const char *const swf_note_text[SWF_NOTES];

enum swf_memory {
	SWF_MEMORY_AUTO,  /* by the number of columns */
	SWF_MEMORY_KB,	  /* KB per processor */
	SWF_MEMORY_BYTES, /* bytes for the whole node request */
};

struct names; /* of names.h */

#define SWF_THRESHOLD 10 /* seconds, as the field defines it */

struct swf_options {
	int32_t procs;	   /* of the machine; 0: the header's MaxProcs */
	int32_t or_procs;  /* where neither says; 0: that is an error */
	bool overrun_kill; /* a job is killed when its request ends */
	bool exact;	   /* estimates are run times */
	bool lenient;	   /* damaged lines are counted and skipped */
	enum swf_memory memory;
	struct when from, until; /* dates need the header's UnixStartTime */
	struct when to; /* all jobs are kept, those in [from, to) measured */
	int64_t threshold; /* of the bounded slowdown; 0: SWF_THRESHOLD */
	int64_t walltime; /* of a job that requests none; 0: its run time */
	int64_t ties; /* a seed: see swf.job; 0: in file order */
	const char *spread; /* USER:FACTOR of trace_read(), or NULL */
	const char *columns, *cluster; /* as of struct sacct_options */
};

/* A job as it is simulated, then the rest of its record as it was read. */
struct swf_job {
	int64_t submit, run, estimate; /* seconds */
	int32_t procs;
	uint32_t user; /* 0, 1, ... in the order of first appearance */
	uint32_t account; /* these five as rules_assign() finds them, else 0 */
	uint32_t share_group; /* 0, 1, ... in the order of their numbers, */
	uint32_t share_queue; /* of all jobs */
	uint32_t node; /* its user in the tree of --tree, by rules_assign() */
	uint32_t ask; /* what it asks for by name: a row of asks; 0: none */
	uint32_t had; /* what it was given, likewise; 0: what it asks for */
	uint32_t qos; /* 1 + that of Maui's that it asks for and may have, by
			 maui_jobs_admit(), or by limits_assign() 1 + its own
			 in the order of first appearance; 0: its default, or
			 none */
	uint32_t entry[9]; /* rows of Maui's entries, by enum maui_kind and by
			      maui_jobs_admit(), 0: DEFAULT; or of limits', by
			      enum fair_limit_kind, from 1 on, 0: none */
	bool has_account; /* which the trace names; private to maui_jobs.c */
	int64_t penalty, memory; /* memory: MB of the whole job */

	int64_t wait; /* as the log has it; below 0: it does not */
	int64_t id, cpu_time, used_memory, requested_procs, request,
		requested_memory, status, user_id, group, executable, queue,
		partition, preceding, think;
	int64_t array, task; /* of sacct's JobID, 123_4; else -1 */
	const char *more; /* columns 19 to 21 of the Czech form, or NULL */
	size_t more_bytes;
	unsigned long line; /* of the file */
};

/* The first job that was dropped for a reason, and the field that says so. */
struct swf_dropped {
	unsigned long line; /* 0: there is none */
	int field;
	int64_t value;
};

struct swf {
	/*
	 * Those that were kept, in file order, or by a hash of the seed and their
	 * ids. The index of a job is its number in the simulation, which breaks
	 * ties.
	 */
	struct swf_job *job;
	size_t jobs, records, damaged, dropped[SWF_REASONS];
	struct swf_dropped first[SWF_REASONS];
	size_t noted[SWF_NOTES];
	struct swf_dropped first_noted[SWF_NOTES];
	uint32_t users;
	int32_t procs;	    /* of the machine */
	int64_t unix_start; /* the epoch of time 0, or INT64_MIN */
	bool is_epoch; /* time 0 is that of 1970, and the jobs are later */
	bool is_sacct; /* its accounts are those of Slurm */
	bool guessed_procs; /* the most that were in use at once */
	size_t no_jobs;	    /* lines of sacct that are no job that ran */
	int64_t from;	    /* of the period measured, else the first submit */
	int64_t to;	    /* its end, if measured */
	bool measured;	    /* else all is */
	int64_t threshold;  /* of the bounded slowdown, seconds */
	enum swf_memory memory;
	struct names *names; /* of users, accounts and partitions, or NULL */
	struct asks asks;    /* of a jobs CSV or of sacct */
	char *text; /* the header, and what is more of each job; or NULL */
	const char *header; /* as text, up to the first record */
	size_t header_bytes;
	char error[1024]; /* what failed, or the first line skipped */
};

/* Reads @path, "-" for stdin. Returns 0, or -1 with t->error set. */
int swf_read(struct swf *t, const char *path, const struct swf_options *o);

/* The same from open lines; @name is for messages. */
int swf_from(struct swf *t, const char *name, struct lines *lines,
	     const struct swf_options *o);

/* The same from memory. */
int swf_parse(struct swf *t, const char *name, const char *text, size_t bytes,
	      const struct swf_options *o);

/*
 * Submits the jobs of a user, by its number in the log, @factor times as long
 * after the user's first one, rounded down. Returns 0; or -1 with t->error set:
 * there is no such user, a job would come after all times of a trace, or no job
 * is measured then.
 */
int swf_spread(struct swf *t, int64_t user_id, double factor);

/*
 * Sets share_group and share_queue of all jobs. Returns 0, or -1 without memory.
 */
int swf_rank(struct swf *t);

/*
 * The number that fills @text, to the nearest integer; whether there was a
 * fraction is in *@rounded.
 */
bool swf_number(const char *text, size_t bytes, int64_t *number, bool *rounded);

/* Also after an error; t->error stays. */
void swf_free(struct swf *t);

/* Are its times dates? Models begin in 1970, which says nothing. */
static inline bool swf_dated(const struct swf *t)
{
	return t->unix_start != INT64_MIN &&
	       (t->unix_start != 0 || t->is_epoch);
}

/*
 * Is no job left? Then t->error says why: how many were dropped for each reason,
 * and the first of them; @numbered: with the number of the field.
 */
bool swf_has_none(struct swf *t, const char *name, bool numbered);

/* The notes in words, with the first job of each; "" if there is none. */
const char *swf_note_of(const struct swf *t, enum swf_note note, char *text,
			size_t size);

/* Jobs dropped for any reason. */
size_t swf_dropped(const struct swf *t);

/* Jobs that have the number of an earlier one; 0 without memory. */
size_t swf_repeated(const struct swf *t);

/* Whether a job submitted at that time is measured. */
static inline bool swf_measures(const struct swf *t, int64_t submit)
{
	return !t->measured || (submit >= t->from && submit < t->to);
}

/* KB of memory per processor, rounded up; -1 if the record gives none. */
int64_t swf_memory_kb(const struct swf *t, const struct swf_job *j);

/* The header as it was, but for MaxProcs, which is that of the simulation. */
void swf_write_header(FILE *f, const struct swf *t);

/* The name of that user, or the number. Returns @text. */
const char *swf_user(const struct swf *t, int64_t user, char *text,
		     size_t size);

/* A record that reads as the same job. */
void swf_write_job(FILE *f, const struct swf_job *j, int64_t wait);

#endif /* SWF_H */
