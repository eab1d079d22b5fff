/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * slurm.h - reads squeue and sinfo, and runs scontrol
 *
 * Slurm's programs are found in PATH and run without a shell. Their output is
 * not trusted. Features, comments and accounts may be any text that a user
 * chooses: so they are the last fields of a record, and a random word ends each
 * of them. Every number has bounds; a damaged record is counted and skipped.
 */
#ifndef SLURM_H
#define SLURM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/fairsched/trace/csv.h"

#define SLURM_JOB_IDS (UINT32_C(1) << 26) /* every job id is below */
#define SLURM_TASKS (UINT32_C(1) << 22)	  /* every task of an array */
#define SLURM_LONGEST (INT64_C(1) << 33)  /* seconds of a time limit */

/* job_submit.lua adds this to the comment of a job that its user holds. */
#define SLURM_USER_HOLD "[held by its user]"

/* The state of a job, as far as the plan needs it. */
enum slurm_state {
	SLURM_HELD,	  /* it waits for our release */
	SLURM_USER,	  /* its user holds it */
	SLURM_ADMIN,	  /* an administrator holds it */
	SLURM_DEPENDENCY, /* it waits for other jobs */
	SLURM_NEVER,	  /* a job that it depends on failed */
	SLURM_BEGIN_TIME, /* its begin time is in the future */
	SLURM_RELEASED,	  /* Slurm may start it */
	SLURM_BUSY	  /* it has processors */
};

struct slurm_job {
	uint64_t number;  /* the id, and task + 1 of an array from bit 32 on */
	int64_t submit;	  /* seconds since 1970 */
	int64_t eligible; /* -1: unknown */
	int64_t start;	  /* -1: unknown */
	int64_t limit;	  /* seconds; -1: unlimited */
	int64_t memory;	  /* MB for the whole job, up to 2^40 */
	int32_t procs, nodes;
	uint32_t user;
	enum slurm_state state;
	bool held;     /* pending with priority 0, for our release */
	bool released; /* pending with a priority above 0 */
	/* Pieces of the text; empty if there is none. */
	struct csv_field user_name, group, partition, qos, account;
	struct csv_field tres, features; /* cpu=4,mem=8G,...; a&b */
	struct csv_field reason;	 /* why it waits */
	struct csv_field dependency;	 /* afterok:1(unfulfilled),... */
};

struct slurm_queue {
	struct slurm_job *job; /* by number, without duplicates */
	size_t jobs, damaged;
	char *text;
};

#define SLURM_ERROR 512

/* Reads the queue of @partition (NULL: of all). 0, or -1 with @error set. */
int slurm_read_queue(struct slurm_queue *q, const char *partition, int64_t now,
		     char *error);

/* Parses the output of squeue; the caller keeps @text and @end. */
int slurm_parse_queue(struct slurm_queue *q, const char *text, size_t bytes,
		      const char *end, int64_t now);
void slurm_queue_free(struct slurm_queue *q);

const struct slurm_job *slurm_find(const struct slurm_queue *q,
				   uint64_t number);

/*
 * A hash of those dependencies of a job whose job has ended, or begun where that
 * is enough; 0 if there are none. A job that the queue hides counts as ended.
 */
int64_t slurm_ended_dependencies(const struct slurm_queue *q,
				 const struct slurm_job *j);

/* How many tasks of an array may run at the same time: --array=1-9%2. */
struct slurm_throttle {
	uint32_t id; /* of the array */
	int64_t tasks;
};

/* Reads the throttles; the caller frees @t. 0, or -1 with @error set. */
int slurm_read_throttles(const char *partition, struct slurm_throttle **t,
			 size_t *n, char *error);

/* Parses lines as 12_[3-9%2]; @t has room for each. Returns their number. */
size_t slurm_parse_throttles(const char *text, size_t bytes,
			     struct slurm_throttle *t);

/* A reservation of Slurm with the flag MAINT. */
struct slurm_reservation {
	uint64_t name; /* a hash, 2^62 or above */
	int64_t start, end, procs;
	struct csv_field nodes; /* n[1-4] */
};

/* At most @most of them, each time with all processors of its nodes. */
int slurm_read_reservations(const char *partition, struct slurm_reservation *r,
			    size_t most, size_t *n, char *error);

/* Parses the lines of scontrol; returns their number, at most @most. */
size_t slurm_parse_reservations(const char *text, size_t bytes,
				struct slurm_reservation *r, size_t most);

/* Reads a value of Slurm's configuration, as StateSaveLocation. */
int slurm_read_config(const char *key, char *value, size_t room, char *error);

/* Whether Slurm's reason says that the job can never start as it is. */
bool slurm_is_never(struct csv_field reason);

/* Counts the allocated and the idle processors. */
int slurm_read_procs(const char *partition, int64_t *procs, char *error);
int slurm_parse_procs(const char *text, size_t bytes, int64_t *procs,
		      int64_t *all);

/* Runs scontrol update @number @change ("comment=x"). */
int slurm_update(uint64_t number, const char *change, char *error);

/* Runs scontrol @verb ("release", "uhold") for @n jobs. */
int slurm_control(const char *verb, const uint64_t *number, size_t n,
		  char *error);

#define SLURM_NAME 24

/* Writes "123" or "123_4"; returns @name. */
const char *slurm_name(uint64_t number, char name[SLURM_NAME]);

/* The number of such a name; 0 if it is none. */
uint64_t slurm_number(struct csv_field name);

#endif /* SLURM_H */
