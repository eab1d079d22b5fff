/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * one_pass - the example planner with a threshold of 0, which is conservative,
 * and another compression: each job once, in the order of arrival. A job does
 * not come again that has room only after a later one has moved.
 */
#include "one_pass.h"

#include "docs/examples/selective.h"

static void react(struct fair_sched *s, struct fair_event *e)
{
	struct selective *c = selective_of(s);
	struct fair_queue_place at = { 0, 0 };
	struct fair_queued *j;
	int64_t was, start;
	int32_t most;
	uint32_t slot;

	selective_advance(s);
	for (; fair_queue_next_fitting(&c->queue, &at, INT32_MAX); at.index++) {
		slot = fair_queue_slot(&c->queue, at);
		j = &s->live[slot].queued;
		was = j->rank.key;
		if (selective_allowed(s, j) >= was)
			continue;
		selective_must(fair_profile_earlier_start(
			&c->space.profile, selective_allowed(s, j), was, j->walltime,
			j->procs, was, &start));
		if (start == was)
			continue;
		selective_must(fair_profile_move(&c->space.profile, was, start,
						 j->walltime, j->procs, &most));
		selective_must(fair_queue_remove(&c->plan, slot));
		selective_set(s, slot, start);
		selective_tell(e, slot, was);
	}
}

const struct fair_planner_ops *one_pass_planner(void)
{
	static struct selective_policy policy;

	policy = selective_above(0, 1);
	policy.ops.name = "one pass";
	policy.ops.react = react;
	return &policy.ops;
}
