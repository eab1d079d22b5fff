/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * slurm.h - what squeue and sinfo say, and what scontrol is told
 *
 * Slurm's programs are found in PATH and run without a shell. What they print
 * is not trusted: only accounts are any text that users choose, so the account is
 * the last field of a record, and a record ends with a word that nobody can guess. Every
 * number has bounds; a record that is not as it should be is counted and left
 * out.
 */
#ifndef SLURM_H
#define SLURM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../fairsched/csv.h"

#define SLURM_JOB_IDS (UINT32_C(1) << 26) /* a job id is below it */
#define SLURM_TASKS (UINT32_C(1) << 22)	  /* so is a task of an array */
#define SLURM_LONGEST (INT64_C(1) << 33)  /* seconds of a time limit */

/* Where a job is, as far as planning goes. */
enum slurm_state {
	SLURM_HELD,	/* it waits to be released by us */
	SLURM_ADMIN,	/* an administrator holds it */
	SLURM_DEPENDS,	/* it waits for other jobs */
	SLURM_BEGINS,	/* it may begin later */
	SLURM_RELEASED, /* Slurm may start it */
	SLURM_BUSY	/* it has processors */
};

struct slurm_job {
	uint64_t number;  /* the id, and task + 1 of an array from bit 32 on */
	int64_t submit;	  /* seconds since 1970 */
	int64_t eligible; /* -1: not known */
	int64_t start;	  /* -1: not known */
	int64_t limit;	  /* seconds; -1: without */
	int64_t memory;	  /* MB of the whole job, up to 2^40 */
	int32_t procs, nodes;
	uint32_t user;
	enum slurm_state state;
	bool held;     /* it waits, by priority 0 and by no administrator */
	bool released; /* it waits, not held by anybody */
	/* In the text; empty: none. */
	struct csv_field user_name, group, partition, qos, account;
	struct csv_field tres, features; /* cpu=4,mem=8G,...; a&b */
};

struct slurm_queue {
	struct slurm_job *job; /* by number, each once */
	size_t jobs, damaged;
	char *text;
};

#define SLURM_ERROR 512

/* The queue of a partition, NULL: all. Returns 0, or -1 with @error set. */
int slurm_read_queue(struct slurm_queue *q, const char *partition, int64_t now,
		     char *error);

/* The same from what squeue said; @text and @end stay the caller's. */
int slurm_parse_queue(struct slurm_queue *q, const char *text, size_t bytes,
		      const char *end, int64_t now);
void slurm_queue_free(struct slurm_queue *q);

const struct slurm_job *slurm_find(const struct slurm_queue *q,
				   uint64_t number);

/* Processors of nodes that are in use or might be. */
int slurm_read_procs(const char *partition, int64_t *procs, char *error);
int slurm_parse_procs(const char *text, size_t bytes, int64_t *procs);

/* scontrol @verb of all of them: "release", "uhold". */
int slurm_control(const char *verb, const uint64_t *number, size_t n,
		  char *error);

#define SLURM_NAME 24

/* "123", or "123_4"; returns @name. */
const char *slurm_name(uint64_t number, char name[SLURM_NAME]);

/* The number of that; 0: it is none. */
uint64_t slurm_number(struct csv_field name);

#endif /* SLURM_H */
