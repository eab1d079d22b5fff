/* SPDX-License-Identifier: MIT OR Unlicense */
/* fst_run.h - computes the fair start times of a simulation, all or some of
 * them */
#ifndef FST_RUN_H
#define FST_RUN_H

#include "report.h"
#include "tools/fairsched/base/threads.h"
#include "tools/fairsched/sim/fst_file.h"

struct fst_run_args {
	bool fst;
	int64_t threads, seed, whole;
	double sample; /* percent, 0: all */
	struct shard shard;
	const char *part;
	bool only_late; /* no option: see fst.h */
};

/* NULL, or why the options contradict each other. */
const char *fst_run_check(const struct fst_run_args *a, bool disturbed);

/*
 * Sets f->wanted of an open fst: the times that the options ask for and that
 * are not known. Returns how many.
 */
size_t fst_run_want(struct fst *f, const struct fst_run_args *a, size_t jobs);

/*
 * After report_run(): r->unfairness. The file of the part is left to
 * output_commit(). Returns the exit status, after a message.
 */
int fst_run_run(struct report *r, const struct fst_run_args *a);

/*
 * The same in steps, for a caller that shares threads among reports: open,
 * fst_help() in threads, its error into @w, close. Adds to *wanted the number
 * of times to be found. @w must not be moved meanwhile.
 */
struct fst_run {
	struct report *report;
	struct fst_file part;
	bool parted;
	int error;
};
int fst_run_open(struct fst_run *w, struct report *r,
		 const struct fst_run_args *a, size_t *wanted);
int fst_run_close(struct fst_run *w, const struct fst_run_args *a);

/* FOLDER/TRACE.POLICY, without folders and .swf of TRACE; to be freed, or NULL */
char *fst_run_part(const char *folder, const char *trace, const char *policy);

#endif /* FST_RUN_H */
