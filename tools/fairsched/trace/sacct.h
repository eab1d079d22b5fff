/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sacct.h - the history of a Slurm cluster, as sacct -P prints it
 *
 *	struct sacct s;
 *
 *	if (sacct_read(&s, "-", &options))
 *		puts(s.error);
 *	...
 *	sacct_free(&s);
 *
 * A header line names the columns, in any order, in small or capital letters,
 * with |, commas or tabs between; it may come again. Unknown columns are ignored:
 *
 *	JobIDRaw or JobID, User, State, Submit, Start, End, AllocCPUS or NCPUS (or
 *	cpu= of AllocTRES, or ReqCPUS), TimelimitRaw or Timelimit; where they are
 *	there Account, Partition, Eligible, QOS, ReqCPUS, ReqTRES, AllocTRES,
 *	AllocGRES, Elapsed or ElapsedRaw, Suspended, Cluster, NNodes, ReqNodes
 *
 * Times are seconds since 1970 or dates, which are taken as UTC unless they have
 * an offset. Slurm's account is the group of a trace, its partition the queue. A
 * run of a job that was requeued, and what a job was before it was resized, is a
 * job of its own. Time in which a job was suspended is no part of its run. What a
 * job asks for by ReqTRES, or where that is empty by AllocTRES, is kept: memory,
 * gres/..., license/... and the like; and its QOS. Its nodes are distinct ones, as
 * many as NNodes says, or ReqNodes, or node= of these lists.
 */
#ifndef SACCT_H
#define SACCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asks.h"
#include "csv.h"
#include "swf.h"

/* Why a line became no job: the first reason that holds, in this order. */
enum sacct_reason {
	SACCT_STEP,  /* of a job: -X was forgotten */
	SACCT_LIVE,  /* it waits or runs */
	SACCT_NEVER, /* it never started */
	SACCT_PROCS, /* it got no processors */
	SACCT_REASONS
};
extern const char *const sacct_reason_text[SACCT_REASONS][2]; /* [1]: of one */

/* What of the jobs is worth a remark. */
enum sacct_note {
	SACCT_REQUEUED,
	SACCT_RESIZED,
	SACCT_SUSPENDED,
	SACCT_TWICE,  /* lines that an earlier file had, too */
	SACCT_OTHERS, /* lines of clusters that were not asked for */
	SACCT_ROUNDED,
	SACCT_NOTES
};

enum sacct_kind { SACCT_USER, SACCT_ACCOUNT, SACCT_PARTITION, SACCT_KINDS };
extern const char *const sacct_kind_text[SACCT_KINDS];

/* Numbered from 1 in the order of first appearance; empty ones have none. */
struct sacct_name {
	char *p; /* not terminated */
	size_t n;
	enum sacct_kind kind;
	int64_t number;
};

struct sacct_job {
	struct swf_job swf;
	int64_t start; /* one before swf.submit: not known */
	int64_t suspended; /* seconds from its start to its end */
	int64_t before; /* seconds that an earlier part of it ran, if resized */
	uint64_t name;	   /* a digest of its number as it was written */
};

struct sacct_options {
	bool eligible; /* a job arrives when it may run, not when submitted */
	bool lenient;  /* damaged lines are counted and skipped */
	bool used;     /* AllocTRES comes first, and no limit is needed */
	const char *columns; /* names of a file without a header line, or NULL */
	const char *cluster; /* the only one that counts, or NULL */
};

struct sacct {
	struct sacct_job *job; /* by arrival; the first one's is time 0 */
	size_t jobs, records, damaged, dropped[SACCT_REASONS];
	size_t noted[SACCT_NOTES];
	int64_t unix_start; /* INT64_MIN: not known */
	int64_t procs; /* most in use at once; 0: not known */
	struct asks asks;
	struct sacct_name *name;
	size_t names;
	char error[1024]; /* what failed, or the first line skipped */
	/* private */
	uint32_t *slot; /* of names: index + 1, by hash */
	size_t slots;
	int64_t last[SACCT_KINDS];
};

/* Is this the first line of such a file? */
bool sacct_begin(const char *line, size_t bytes);

/* The notes, and what was dropped, each with @before in front. */
void sacct_tell(const struct sacct *s, const char *before, FILE *f);
void sacct_tell_dropped(const struct sacct *s, const char *before, FILE *f);

/* Reads @path, "-" for stdin. Returns 0, or -1 with s->error set. */
int sacct_read(struct sacct *s, const char *path,
	       const struct sacct_options *o);

/* The same from open lines; @name is for messages. */
int sacct_from(struct sacct *s, const char *name, struct lines *lines,
	       const struct sacct_options *o);

/* The same from memory. */
int sacct_parse(struct sacct *s, const char *name, const char *text,
		size_t bytes, const struct sacct_options *o);

/* As Standard Workload Format: @procs is 0 where it is not known. */
void sacct_write(const struct sacct *s, int64_t procs, FILE *f);

/* The number of a name, -1 if it is empty, -2 without memory. */
int64_t sacct_number(struct sacct *s, enum sacct_kind kind, struct csv_field f);

/* Also after an error; s->error stays. */
void sacct_free(struct sacct *s);

/* Slurm's [DAYS-][[HOURS:]MINUTES:]SECONDS or DAYS-HOURS, up to 2^34 s. */
bool sacct_clock(struct csv_field f, int64_t *seconds);

/*
 * KB of cpu=4,mem=2.50G,node=1, rounded up; as it was if there is no mem; false
 * if it is not like that.
 */
bool sacct_memory(struct csv_field tres, int64_t *kb);

#endif /* SACCT_H */
