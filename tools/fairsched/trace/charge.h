/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * charge.h - what a second of each job of a trace costs, for --charge METRIC
 *
 * A request is that of a record of 21 columns, as 2:ppn=8:mem=16gb:nfs4 for two
 * nodes, with + between unlike ones: a count, NAME=AMOUNT of a resource (ppn is
 * cpus, mem is ram), and properties, ^ before those that a node must not have.
 * The name of a host stands for the property that it begins with, up to its
 * number; of a host not to be used there are others. minspec= and maxspec= are
 * the least and the largest SPEC of a node. After a #, excl asks for whole nodes;
 * other text there is ignored. Without mem= the memory is that of the record,
 * divided by the nodes. Other records ask for single processors, each with its
 * memory.
 *
 * Walltimes are normalized by the SPEC of the slowest node: of the record's node
 * list, where the machine says which class its numbers are of; else of the
 * cheapest classes that suit the request, the first ones of equal price.
 */
#ifndef CHARGE_H
#define CHARGE_H

#include <stdbool.h>

#include "machine.h"
#include "swf.h"
#include "tools/fairsched/base/units.h"

enum charge_metric {
	CHARGE_AUTO, /* best, or cpu without a machine */
	CHARGE_CPU,
	CHARGE_STANDARD, /* standard jobs */
	CHARGE_PE,
	CHARGE_LOCAL, /* needs records with node lists */
	CHARGE_BEST
};

extern const char *const charge_metrics[];

#define CHARGE_ERROR 512

struct charge_rules {
	int metric; /* enum charge_metric */
	/*
	 * The standard job, as cpus=2:ram=4G; what it does not name does not
	 * count. NULL: cpus=1, and ram=1G where nodes have memory.
	 */
	const char *standard;
	/* QUEUE=COST: field 15, or column 20; any other queue costs 1. */
	struct texts queue_cost;
};

/*
 * Sets the penalty of every job. Without a machine that is its processors times
 * the cost of its queue. A job that no node suits is an error that names file,
 * line and field; lenient drops it as damaged. Returns 0, or -1 with a message in
 * @error.
 */
int charge_trace(const struct machine *machine,
		 const struct charge_rules *rules, bool lenient, struct swf *t,
		 const char *path, char *error);

/*
 * Calls @take for each job with what its node request asks of single nodes, and
 * whether of whole ones; for a job without one with single processors. It may
 * move jobs that it has had. Returns 0, what @take returned, or -1 with a message
 * in @error.
 */
int charge_requests(const struct machine *machine, struct swf *t,
		    const char *path, char *error,
		    int (*take)(void *ctx, size_t job,
				const struct fair_penalty_chunk *chunk,
				size_t chunks, bool whole),
		    void *ctx);

#endif /* CHARGE_H */
