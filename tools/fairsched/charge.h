/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * charge.h - what a second of each job of a trace costs, for --charge METRIC
 *
 * A request is that of a record of 21 columns, as 2:ppn=8:mem=16gb:nfs4 for two
 * nodes, with + between unlike ones: a count, NAME=AMOUNT of a resource (ppn is
 * cpus, mem is ram), and properties, ^ before those that a node must not have.
 * The name of a host stands for the property that it begins with, up to its
 * number; of a host not to be used there are others. What follows a # is not
 * looked at. Memory that is not given so is the record's, divided by the nodes.
 * Other records ask for single processors, each with its memory.
 *
 * Walltimes are normalized by the SPEC of the slowest node, where the machine
 * says which class the numbers of the record's node list are of.
 */
#ifndef CHARGE_H
#define CHARGE_H

#include <stdbool.h>

#include "machine.h"
#include "swf.h"

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

/*
 * Sets the penalty of every job. Without a machine that is its processors.
 * @standard is the standard job, as cpus=2:ram=4G; what it does not name does not
 * count. NULL: cpus=1, and ram=1G where nodes have memory. A job that no node
 * suits is an error that names file, line and field; lenient drops it as
 * damaged. Returns 0, or -1 with a message in @error.
 */
int charge_trace(const struct machine *machine, enum charge_metric metric,
		 const char *standard, bool lenient, struct swf *t,
		 const char *path, char *error);

#endif /* CHARGE_H */
