/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/on_nodes.h - nodes that come and go, and the nodes of a job
 *
 * With config.nodes jobs are planned on nodes, which amounts of a class do not
 * tell: a job of 2 processors finds none on two nodes with one free each.
 *
 *   static const int32_t amount[] = { 12 }, count[] = { 3 };
 *   static const struct fair_machine_config machine = { 1, 1, 0, amount };
 *   static const struct fair_node_config nodes = { count, 0, 300, false };
 *
 *   config.procs = 12;			// of all nodes
 *   config.machine = &machine;		// of all nodes of a class
 *   config.nodes = &nodes;		// 3 nodes of 4 processors
 *   ...
 *   job.procs = 9;
 *   job.chunks = 3;			// of 3 processors each
 *
 * An advance reservation (config.advances) withholds whole nodes from the
 * queue: those that are in set fair_advance.named as it is made, or @nodes of
 * them of @node_class: the ones on which the fewest jobs and reservations are
 * within its interval, then by number, and last those that are down. Jobs that
 * run on them run on, and no other job gets a place there until it ends. As it
 * is read, @named is 0, and @nodes, @procs and @amount tell of its nodes,
 * @node_class of the first. Jobs that are bound to it are planned on its nodes,
 * and get nothing that is wide; when they run they can shrink, but not grow.
 *
 * A chunk lies on one node for the whole walltime. What a policy promises is
 * the time: a job whose promise moves may get other nodes. A start says which.
 * See nodes.h for the rules.
 *
 * Uses: types.h.
 */

/**
 * struct fair_node_config - nodes.
 * @count:     of each class, how many nodes it has; what the class has divides
 *             evenly among them
 * @sets:      of nodes, up to 256, numbered from 1; see fair_sched_set_node()
 * @parts:     nodes that all live jobs may hold together: a job of n chunks
 *             counts as n, or as all nodes if they are fewer, an array as its
 *             tasks together. Each takes about 64 bytes
 * @first_fit: nodes are taken by number, not the fullest first
 */
struct fair_node_config {
	const int32_t *count;
	uint32_t sets, parts;
	bool first_fit;
};

#ifndef FAIRSCHED_WITHOUT_NODES

/**
 * fair_sched_nodes() - the nodes of a job that runs, or has a reservation.
 * @at:   0 for the first; changed; valid until the next event
 * @part: out: a node, and how many chunks the job has on it
 *
 * In ascending order of nodes. Return: whether there is one more.
 * Complexity: O(1).
 */
FAIRSCHED_API bool fair_sched_nodes(const struct fair_sched *s, uint64_t number,
				    uint32_t *at, struct fair_nodes_part *part);

#ifndef FAIRSCHED_WITHOUT_ADVANCES
/**
 * fair_sched_advance_has_node() - whether an advance reservation withholds a
 * node.
 * @number: of the advance reservation
 * @node:   number
 *
 * Complexity: O(advance reservations).
 */
FAIRSCHED_API bool fair_sched_advance_has_node(const struct fair_sched *s,
					       uint64_t number, uint32_t node);
#endif /* FAIRSCHED_WITHOUT_ADVANCES */

/**
 * fair_sched_set_node() - a node goes into a set of nodes, or out of it.
 * @set:  1 to config.nodes->sets
 * @node: number; class by class from 0
 *
 * Return: 0; -FAIR_EINVAL, also if a live job asks for the set, or without
 * config.nodes. Complexity: O(live jobs).
 */
FAIRSCHED_API int fair_sched_set_node(struct fair_sched *s, uint32_t set,
				      uint32_t node, bool in);

/**
 * fair_sched_node_down() - a node is lost, until fair_sched_node_up().
 * @node:    number
 * @victim:  numbers of the jobs that end with it
 * @victims: how many
 *
 * Other jobs that run on it run on, and keep it until they end. Promises that
 * were on it move with the cause FAIR_CAUSE_CAPACITY.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT if a victim is not live; -FAIR_EINVAL if
 * one does not run or is named twice, if the node is down, or there is no such
 * one. Complexity: a reservation of each queued job.
 */
FAIRSCHED_API int fair_sched_node_down(struct fair_sched *s, int64_t now,
				       uint32_t node, const uint64_t *victim,
				       size_t victims);

/**
 * fair_sched_node_up() - it is there again; the policy reacts.
 * @node: number
 *
 * Return: 0; -FAIR_ETIME; -FAIR_EINVAL if it is not down.
 */
FAIRSCHED_API int fair_sched_node_up(struct fair_sched *s, int64_t now,
				     uint32_t node);

#endif /* FAIRSCHED_WITHOUT_NODES */
