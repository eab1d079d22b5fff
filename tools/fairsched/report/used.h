/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * used.h - what each user of some logs and ledgers has used, month by month
 *
 * A log is a trace or the output of sacct, a ledger what fair_usage_save()
 * wrote, or the one in a checkpoint of a scheduler or of simulate --save, which
 * may be a tree with shares of its own. The sums are those of ledgers (usage.h):
 * exact, or with a half-life within its bound.
 */
#ifndef USED_H
#define USED_H

#include "tools/fairsched/trace/names.h"
#include "tools/fairsched/trace/swf.h"
#include "tools/fairsched/trace/tree.h"
#include "usage.h"

enum used_resource {
	USED_PROCESSORS,
	USED_MEMORY,
	USED_GPUS, /* gres/gpu of sacct */
	USED_RESOURCES
};
extern const char *const used_resource_text[USED_RESOURCES];

struct used_job {
	int64_t start, end; /* seconds since 1970, or of the trace */
	int64_t pause; /* after it: memory and GPUs are kept */
	int64_t rate[USED_RESOURCES]; /* processors, MB, GPUs */
	uint32_t user;		      /* a node of the tree */
};

struct used {
	/* Set by the caller. */
	struct tree tree;
	struct names names; /* of a trace's numbers */
	struct when from, until;
	int64_t half_life; /* 0: none */
	bool by_month, lenient;
	bool as_sshare; /* so do processors */
	const char *columns, *cluster; /* as of struct sacct_options */

	/* Set by used_sum(): */
	size_t months; /* 1: not by month */
	int64_t month; /* the first: 12 * year + month - 1 */
	/* [month][resource][node] in seconds: of users; of accounts, what
	 * removed nodes below them have used; then the same of the root. */
	double *sum;
	bool has[USED_RESOURCES]; /* whether a job has used any */

	/* Private, and for used_ranks(). */
	struct used_job *job;
	size_t jobs, cap;
	struct fair_usage ledger;
	void *memory;
	bool is_ledger, is_log, is_dated;
	uint32_t *rank; /* of a saved tree's nodes, else NULL */
	int64_t begin, end; /* of the period */
	double unit;	    /* of the ledger: so much is a processor-second */
};

/*
 * Adds a log, or merges a ledger. Returns 0, or the exit status after a message;
 * what was dropped is told on stderr.
 */
int used_read(struct used *u, const char *path);

/* When all are read. Returns 0, or the exit status after a message. */
int used_sum(struct used *u);

/*
 * The Fair Tree rank of each user of the whole period, by processors: [node].
 * NULL after a message; the caller frees it.
 */
uint32_t *used_ranks(const struct used *u);

/* Of a cell. */
static inline double *used_cell(const struct used *u, size_t month,
				enum used_resource resource)
{
	return u->sum + (month * USED_RESOURCES + (size_t)resource) *
				((size_t)u->tree.nodes + 1);
}

void used_free(struct used *u);

#endif /* USED_H */
