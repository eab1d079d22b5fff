/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * charge.h - what a second of each job of a trace costs, for --charge METRIC
 *
 * A request is that of a record of 21 columns, as 2:ppn=8:mem=16gb:nfs4 for two
 * nodes, with + between unlike ones: a count, NAME=AMOUNT of a resource (ppn and
 * ncpus are cpus, mem is ram), and properties, ^ before those that a node must not
 * have. The name of a host stands for the property that it begins with, up to its
 * number; of a host not to be used there are others. Where nodes have names it is
 * that node, or any but that one. minspec= and maxspec= are the least and the
 * largest SPEC of a node. After a #, excl asks for whole nodes; other text there is
 * ignored. Without mem= the memory is that of the record, divided by the nodes.
 * Other records ask for single processors, each with its memory.
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

/* A node that chunk @chunk of a request names, or must not have. */
struct charge_node {
	size_t chunk;
	uint32_t node;
	bool excluded;
};

/* What the node request of a job asks of single nodes, or of whole ones. */
struct charge_request {
	const struct fair_penalty_chunk *chunk;
	size_t chunks;
	bool whole;
	const struct charge_node *node;
	size_t nodes;
	bool unknown; /* it needs what no node is known to have */
};

#define CHARGE_WORDS 64

/* Words of node requests that say nothing of this machine, by jobs; those behind
 * the first 64 are counted together. They are of the trace. */
struct charge_words {
	struct charge_word {
		struct csv_field name;
		size_t jobs;
		unsigned long last; /* line of the last of them */
	} word[CHARGE_WORDS];
	size_t words, more;
};

/*
 * Calls @take for each job with its node request; one without a request asks for
 * single processors. It may move jobs that it has had. With @words nodes have the
 * names of node_names.h, and what the machine file does not know is counted there:
 * a resource is ignored, a property, too, if no class has any, and a job that needs
 * another property or host is unknown. Else that is an error. Returns 0, what @take
 * returned, or -1 with a message in @error.
 */
int charge_requests(const struct machine *machine, struct swf *t,
		    const char *path, struct charge_words *words, char *error,
		    int (*take)(void *ctx, size_t job,
				const struct charge_request *request),
		    void *ctx);

#endif /* CHARGE_H */
