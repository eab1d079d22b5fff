/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * disturb.h - what a plan does not know: jobs end late, nodes fail, starts are
 * refused
 *
 *	--end-late 1s:0.5	half of the jobs that run for all of the time that is
 *				planned for them run 1 s longer
 *	--failures 90d:4h	each processor of a pool, or node of a class, fails
 *				90 days after it was repaired, on average, and is
 *				repaired 4 hours later, on average
 *	--refuse 0.01		one start of 100 is refused once
 *
 * Each is drawn by the seed, and by the job's line in its file or the number of
 * the processor or node: it is the same under every policy.
 */
#ifndef DISTURB_H
#define DISTURB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/fairsched/trace/swf.h"

#define DISTURB_ERROR 160

/* As the options say it; NULL: not given. */
struct disturb_args {
	const char *end_late, *failures, *refuse;
	int64_t patience; /* seconds */
	bool together;	  /* ends of one second are one event */
};

bool disturb_is_given(const struct disturb_args *args);

/* All 0: nothing. Shares are millionths. */
struct disturb {
	uint64_t seed;
	int64_t end_late;
	uint32_t late_share, refuse_share;
	int64_t mtbf, repair; /* means, seconds */
};

/* One of them alone, by kind, or what more than one are: DISTURB_KINDS. */
enum { DISTURB_END_LATE, DISTURB_FAILURES, DISTURB_REFUSE, DISTURB_KINDS };
extern const char *const disturb_names[DISTURB_KINDS];

/* What the option of that kind said; NULL: it was not given. */
const char *disturb_said(const struct disturb_args *args, int kind);

/* All but the seed. Returns 0, or -1 with the option and its value in @error. */
int disturb_parse(struct disturb *d, const struct disturb_args *args,
		  char *error, size_t room);

/* The same with the disturbance of one kind alone. */
struct disturb disturb_only(const struct disturb *d, int kind);

/* "end-late 1s", of all of them "end-late 1s, refuse 0.01"; of none "". */
void disturb_text(const struct disturb_args *args, int kind, char *text,
		  size_t room);

/* Is the job's first start refused? */
bool disturb_refuses(const struct disturb *d, const struct swf_job *job);

/* Makes jobs end late; returns how many. */
size_t disturb_ends(const struct disturb *d, struct swf_job *job, size_t jobs);

/* ---- failures ---- */

struct failure {
	int64_t time;
	uint64_t random;    /* its own numbers */
	uint32_t unit;	    /* a processor or node */
	bool is_down;	    /* it is repaired then; else it fails */
};

/* A heap of the next event of each unit. */
struct failures {
	struct failure *next;
	size_t n;
	int64_t mtbf, repair, until;
};

/*
 * So many units fail from @from to @until, and are repaired afterwards, too.
 * Returns 0, or -1 without memory; then failures_close().
 */
int failures_open(struct failures *f, const struct disturb *d, size_t units,
		  int64_t from, int64_t until);
void failures_close(struct failures *f);

/* INT64_MAX: none. */
int64_t failures_next(const struct failures *f);

/* Is the next event a repair? Of @unit; @random says which jobs it had. */
bool failures_take(struct failures *f, uint32_t *unit, uint64_t *random);

#endif /* DISTURB_H */
