/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * reproduce.h - what a paper claims, and what comes out here
 *
 * A paper is a table of claims and, behind it, tables of its own. A claim says
 * what agrees with it; where what is measured does not, it gives a reason. A
 * reason is tested if an experiment could refute it and does not: the experiments
 * are measured, too, each with the range in which the reason holds. A reason with
 * something open is untested. A claim or an experiment that comes out otherwise
 * than the source says fails the run.
 */
#ifndef REPRODUCE_H
#define REPRODUCE_H

#include <math.h>

#include "tools/fairsched/cli/options.h"
#include "tools/fairsched/report/report.h"

extern const struct command reproduce_command;

struct lab;

/* False: what it needs is not there, or it failed. */
typedef bool measure_fn(struct lab *lab, double *here);

/* An experiment that would refute a reason. */
struct experiment {
	const char *text;
	double least, most; /* where the reason holds */
	int digits;
	const char *unit, *trace;
	bool slow; /* not for --quick */
	measure_fn *measure; /* NULL ends the list */
};

/* Why a claim differs, or why it cannot be tested here; Markdown. */
struct reason {
	const char *text;
	const char *open; /* what would have to be tested; else NULL */
	const struct experiment *experiment; /* NULL: there is none */
};

/* Of a claim that chance decides: see the rules that print_head() prints. */
extern const struct reason by_chance;

/*
 * The least and the most that agrees with a word, in one place for all claims.
 * Percents of months are as the paper's ten months have it.
 */
#define COMPARABLE 0.75, 1.25 /* "similar", too: within a quarter */
#define EACH 100, 100
#define EACH_BUT_ONE 90, 100
#define EACH_BUT_TWO 80, 100
#define MOST 50, 100 /* a coin decides, if lab.coins says how many */

struct claim {
	const char *section, *text; /* of the paper; Markdown */
	const char *number;	    /* as the paper has it */
	double least, most;	    /* what agrees */
	int digits;		    /* of the number here, behind the point */
	const char *unit;	    /* behind it */
	const char *trace;	    /* what it is measured on */
	bool slow;		    /* not for --quick */
	measure_fn *measure;	    /* NULL: it cannot be tested here */
	const struct reason *why;   /* it differs, or by_chance; NULL: it agrees */
};

#define NO_LIMIT 1e300 /* of the least and the most; tcc has no INFINITY */

struct paper {
	const char *key, *name; /* either is an operand */
	const char *title, *text;
	const struct claim *claims;
	size_t n, state_bytes;
	void (*tables)(struct lab *lab);
	void (*close)(struct lab *lab); /* or NULL */
};

extern const struct paper reproduce_cf, reproduce_rs, reproduce_mr,
	reproduce_sfs, reproduce_maui;

/* Where claims are measured. */
struct lab {
	const char *folder; /* of the traces */
	const char *parts;  /* the folder of fair start times; NULL: none */
	bool quick, whole;
	int64_t threads;
	struct stored *stored; /* results of long experiments */
	struct stored *found;  /* those that this run found, with interruptions */
	const char *store;     /* their file, or NULL */
	/* A measure may set these. */
	size_t coins;	    /* its number is the percent of so many cases */
	double least, most; /* the interval of its number, if they differ */
	void *state; /* of the paper, zero at first */
	size_t otherwise; /* results that are not those stored */
	int status;  /* of the first failure, after its message */
};

/*
 * NAME.swf.gz of the folder. False: it is not there, after a message; or
 * it cannot be read, which is a failure.
 */
bool lab_read(struct lab *lab, const char *name, const struct swf_options *o,
	      struct swf *t);

/* A text that is a trace. */
bool lab_parse(struct lab *lab, const char *name, const char *text,
	       struct swf *t);

/*
 * Plays a trace under a policy of rules.h; @args may be NULL, and then @files,
 * and @watch. Then report_free(), also after a failure.
 */
bool lab_run(struct lab *lab, const char *name, const struct swf *t, int policy,
	     const struct rules_args *args, const struct rules_files *files,
	     const struct sim_watch *watch, struct report *r);

/*
 * The @n values of a long experiment on @t: those that are stored under that
 * name for that trace, or else, and with --whole, what @of finds, which is kept
 * at once.
 */
bool lab_stored(struct lab *lab, const char *name, const struct swf *t,
		double *value, size_t n,
		bool (*of)(void *ctx, double *value), void *ctx);

enum lab_metric { LAB_PE, LAB_LOCAL, LAB_CHEAPEST };

/*
 * The penalty, in processors, of one node that has what is requested, by a
 * metric of penalty.h; LAB_LOCAL: on class number @on.
 */
bool lab_penalty(struct lab *lab, const struct fair_penalty_class *node,
		 size_t classes, enum lab_metric metric, size_t on,
		 const int64_t request[2], double *here);

/* The experiment of docs/FAIRNESS.md, as Markdown. Returns the exit status. */
int reproduce_fair(struct lab *lab);

/* After a message, with its exit status; returns false. */
bool lab_fail(struct lab *lab, int status);

#endif /* REPRODUCE_H */
