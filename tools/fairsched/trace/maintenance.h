/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * maintenance.h - advance reservations, for --maintenance FILE
 *
 *	begin,end,processors,announced,kind
 *	30d,30d12h,100,23d,maintenance
 *	1996-10-28,1996-10-29,32,,user
 *
 * A header line names the columns, in any order; then each line is a window.
 * Blank lines and those that begin with # are skipped. Times are seconds of the
 * trace, as 12h or 1d12h, or dates (UTC) if its header has UnixStartTime. The
 * columns announced and kind may be missing or empty: then the scheduler knows
 * the window from the first job on, and its kind is maintenance. The kind
 * advance is the former name of user.
 *
 *	begin,end,class,processors,gpus
 *	30d,31d,doom,,4
 *	40d,41d,zewura,,
 *
 * With --plan classes a window is of one class, and columns are named as the
 * resources of the machine file are; where all amounts are missing or empty it
 * is all that the class has. Amounts of the whole machine need no class.
 *
 *	begin,end,class,nodes
 *	30d,31d,doom,2
 *	40d,41d,,zewura3 zewura7
 *
 * With --plan nodes a window is of whole nodes: of so many of a class, of all of
 * it where nothing is said, or of those with these names.
 */
#ifndef MAINTENANCE_H
#define MAINTENANCE_H

#include <stddef.h>
#include <stdint.h>

#include "fairsched.h"
#include "plan.h"
#include "swf.h"
#include "tools/fairsched/base/units.h"

struct maintenance_window {
	struct when begin, end, announced; /* not given: from the start on */
	int32_t procs;
	uint32_t kind; /* enum fair_advance_kind */
	uint32_t node_class;			/* by classes: of a plan */
	int32_t amount[FAIR_MACHINE_RESOURCES]; /* the first is procs */
	int32_t nodes;				/* how many; 0: those named */
	uint32_t *node;				/* ascending; owned */
	size_t named;
	long line;
};

struct maintenance {
	struct maintenance_window *window;
	size_t n;
	const char *name; /* of the file, which stays the caller's */
	uint64_t digest;  /* of its text; 0: there is none */
	char error[512];
};

/* In seconds of a trace. */
struct maintenance_advance {
	int64_t announced; /* INT64_MIN: before all */
	struct fair_advance advance;
};

/*
 * Reads @path, "-" for stdin; @plan is open if classes are planned. Returns 0, or
 * -1 with m->error set.
 */
int maintenance_read(struct maintenance *m, const char *path,
		     const struct plan *plan);

/* The same from memory; @name is for messages. */
int maintenance_parse(struct maintenance *m, const char *name, const char *text,
		      size_t bytes, const struct plan *plan);

/* Also after an error; m->error stays. */
void maintenance_free(struct maintenance *m);

/* Makes sets of the plan of the nodes that windows name. Returns 0, or -1 and the
 * reason in @error of @room bytes. */
int maintenance_sets(const struct maintenance *m, struct plan *plan,
		     char *error, size_t room);

/*
 * Whether the windows fit the trace. Returns 0, or -1 and the reason in @error
 * of
 * @room bytes.
 */
int maintenance_check(const struct maintenance *m, const struct swf *t,
		      char *error, size_t room);

/*
 * Fills @advance[0 .. m->n) in the order of announcement, for a trace whose
 * second 0 is @epoch; @plan, NULL for a pool, has the sets of nodes.
 */
void maintenance_advances(const struct maintenance *m, int64_t epoch,
			  const struct plan *plan,
			  struct maintenance_advance *advance);

#endif /* MAINTENANCE_H */
