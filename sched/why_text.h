/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/why_text.h - an explanation in English
 *
 *   Job 8 has waited for 50 s, 1 job is ahead of it.     fair_why_text()
 *   Now it would delay job 6, due to start at 9000.      fair_text_reasons()
 *   It would start now with a walltime of 6400 s.        fair_text_sizes()
 *   A start is reserved for it at 9800.                  fair_text_until()
 *
 * Uses: text.h.
 */

#ifndef FAIRSCHED_WITHOUT_WHY

static void fair_text_blockers(struct fair_text *t, const struct fair_why *w)
{
	uint32_t i;

	fair_text_add(t, w->blockers > 1 ? "jobs " : "job ");
	for (i = 0; i < w->blockers && i < FAIR_BLOCKERS; i++)
		fair_text_fill(t, i ? ", #" : "#",
			       (int64_t)w->blocker[i].number, 0);
	if (w->blockers > FAIR_BLOCKERS)
		fair_text_fill(t, " and % more",
			       (int64_t)w->blockers - FAIR_BLOCKERS, 0);
}

static void fair_text_procs(struct fair_text *t, const struct fair_why *w)
{
	if (w->reasons & FAIR_WHY_MACHINE) {
		fair_text_fill(t,
			       " It needs % processors, and the machine has %"
			       " at present.",
			       w->job.procs, w->machine);
		return;
	}
	fair_text_fill(t,
		       w->free == 1 ? " It needs % processors: % is free"
				    : " It needs % processors: % are free",
		       w->job.procs, w->free);
	fair_text_fill(t, ", enough from % on", w->free_at, 0);
	if (!(w->reasons & FAIR_WHY_BEHIND)) {
		fair_text_add(t, ", after the end of ");
		fair_text_blockers(t, w);
	}
	fair_text_add(t, ".");
}

#define FAIR_TEXT_COST                                                         \
	(FAIR_THROTTLE_RESOURCES + (int)FAIR_LIMIT_COST - (int)FAIR_LIMIT_PROCS)

/* What a limit is of, other than the resources of FAIR_MAUI. */
static void fair_text_resource_of_limit(struct fair_text *t, int64_t resource)
{
	if (resource == FAIR_LIMIT_COST - FAIR_LIMIT_PROCS)
		fair_text_add(t, "of cost");
	else if (resource == FAIR_LIMIT_BUDGET - FAIR_LIMIT_PROCS)
		fair_text_add(t, "of the budget");
	else
		fair_text_fill(t, "of resource %", resource, 0);
}

static void fair_text_limit(struct fair_text *t, const struct fair_why *w)
{
	const struct fair_throttle_violation *limit = &w->limit;
	bool budget = w->reasons & FAIR_WHY_BUDGET;
	bool cost = (uint32_t)limit->resource == FAIR_TEXT_COST;
	int64_t one = cost ? FAIR_PENALTY_ONE : 1;
	static const char *const kind[] = { "user",
					    "group",
					    "account",
					    "QOS",
					    "queue",
					    "user in its group",
					    "user in its account",
					    "user in its QOS",
					    "user in its queue",
					    "account in the tree" };
	static const char *const resource[] = { "jobs", "processors", "nodes",
						"MB", "processor-seconds" };

	if (limit->resource == FAIR_THROTTLE_IDLE_JOBS) {
		fair_text_fill(t,
			       limit->limit == 1
				       ? " Only % waiting job of its "
				       : " Only % waiting jobs of its ",
			       limit->limit, 0);
		fair_text_add(t, kind[limit->kind]);
		fair_text_add(t, limit->limit == 1
					 ? " is considered at a time."
					 : " are considered at a time.");
		return;
	}
	fair_text_fill(t, " It asks for % ",
		       limit->asked / one + (limit->asked % one != 0), 0);
	if (limit->resource < FAIR_THROTTLE_RESOURCES)
		fair_text_add(t, resource[limit->resource]);
	else
		fair_text_resource_of_limit(t, (int64_t)limit->resource -
						       FAIR_THROTTLE_RESOURCES);
	fair_text_fill(t,
		       budget ? " beside the % used or reserved; that of its "
			      : " beside the % in use; the limit of its ",
		       limit->used / one, 0);
	fair_text_add(t, kind[limit->kind]);
	fair_text_fill(t, " is %", limit->limit / one, 0);
	if (budget && w->blockers) {
		fair_text_add(t, ". It has reservations or runs of ");
		fair_text_blockers(t, w);
	}
	if (w->reasons == FAIR_WHY_LIMIT && w->blockers) {
		fair_text_add(t, ", which has room after ");
		fair_text_blockers(t, w);
		fair_text_fill(t, ", from % on", w->free_at, 0);
	}
	fair_text_add(t, ".");
}

static void fair_text_ineligible(struct fair_text *t, const struct fair_why *w)
{
	if (w->reasons & FAIR_WHY_NO_SLOT)
		fair_text_add(t, " No slot is free for the task after it.");
	if (w->reasons & FAIR_WHY_SUSPENDED)
		fair_text_add(t, " It is suspended.");
	if (w->ineligible.held)
		fair_text_add(t, " It is held.");
	if (w->ineligible.begin > w->now)
		fair_text_fill(t, " Its begin time is %.", w->ineligible.begin,
			       0);
	if (w->ineligible.end == FAIR_AFTER_NEVER_SATISFIED)
		fair_text_fill(t,
			       " Its dependency on job # is never satisfied.",
			       (int64_t)w->ineligible.after, 0);
	else if (w->ineligible.end)
		fair_text_fill(t,
			       w->ineligible.end == FAIR_AFTER_START
				       ? " It waits for the start of job #."
				       : " It waits for the end of job #.",
			       (int64_t)w->ineligible.after, 0);
	if (w->dependencies > 1)
		fair_text_fill(t, " It has % dependencies.", w->dependencies,
			       0);
}

static void fair_text_advance(struct fair_text *t, const struct fair_why *w)
{
	const struct fair_advance *b = &w->advance;
	bool maintenance = b->kind == FAIR_ADVANCE_MAINTENANCE;

	if (b->from > w->now)
		fair_text_fill(t,
			       maintenance ? " It would run into the"
					     " maintenance window at %."
					   : " It would run into the advance"
					     " reservation at %.",
			       b->from, 0);
	else if (!b->procs) /* only other resources */
		fair_text_fill(t,
			       maintenance ? " Resources of class % are"
					     " unavailable for maintenance"
					     " until %."
					   : " Resources of class % are"
					     " reserved in advance until %.",
			       b->node_class, b->to);
	else
		fair_text_fill(t,
			       maintenance ? " % processors are unavailable for"
					     " maintenance until %."
					   : " % processors are reserved in"
					     " advance until %.",
			       b->procs, b->to);
}

static void fair_text_bound(struct fair_text *t, const struct fair_why *w)
{
	int64_t number = (int64_t)w->job.advance;

	if (w->advance.from == w->advance.to)
		fair_text_fill(t,
			       " Its advance reservation, #, is over or was"
			       " withdrawn.",
			       number, 0);
	else if (w->promise == FAIR_FOREVER)
		fair_text_fill(t,
			       " Its advance reservation, #, has no room for it"
			       " before its end at %.",
			       number, w->advance.to);
	else if (w->advance.from > w->now)
		fair_text_fill(t, " Its advance reservation, #, begins at %.",
			       number, w->advance.from);
	else
		fair_text_fill(t,
			       " It waits for room in its advance"
			       " reservation, #.",
			       number, 0);
}

/* What it lacks, in the class that comes closest or of the whole machine. */
static void fair_text_resource(struct fair_text *t, const struct fair_why *w)
{
	fair_text_fill(t, " It waits for % of resource %", w->asked,
		       w->resource);
	if (w->node_class != UINT32_MAX)
		fair_text_fill(t, " of class %", w->node_class, 0);
	fair_text_fill(t,
		       w->left == 1 ? ", where % is free."
				    : ", where % are free.",
		       w->left, 0);
}

/* "12 free processors and 2 of resource 1" */
static void fair_text_chunk(struct fair_text *t, const struct fair_why *w)
{
	const char *with = "";
	uint32_t r;

	for (r = 0; r < w->resources; r++) {
		if (!w->chunk[r])
			continue;
		fair_text_add(t, with);
		with = " and ";
		if (r)
			fair_text_fill(t, "# of resource #", w->chunk[r], r);
		else
			fair_text_fill(t,
				       w->chunk[0] == 1 ? "# free processor"
							: "# free processors",
				       w->chunk[0], 0);
	}
}

/* What it needs of nodes. */
static void fair_text_need(struct fair_text *t, const struct fair_why *w)
{
	bool whole = w->job.exclusive;

	if (w->job.chunks == 1)
		fair_text_add(t, whole ? " It needs a whole node with "
				       : " It needs a node with ");
	else if (w->job.per_node == 1)
		fair_text_fill(t,
			       whole ? " It needs # whole nodes with "
				     : " It needs # nodes with ",
			       w->job.chunks, 0);
	else
		fair_text_fill(t,
			       whole ? " It needs whole nodes for # chunks of "
				     : " It needs nodes for # chunks of ",
			       w->job.chunks, 0);
	fair_text_chunk(t, w);
	fair_text_add(t, w->job.chunks == 1 ? ": " : " each: ");
}

static void fair_text_nodes(struct fair_text *t, const struct fair_why *w)
{
	fair_text_need(t, w);
	if (w->job.chunks > 1 && w->job.per_node != 1)
		fair_text_fill(t,
			       w->hosted ? "they have room for at most #"
					 : "they have room for none",
			       w->hosted, 0);
	else if (w->hosted > 1)
		fair_text_fill(t, "at most # have that", w->hosted, 0);
	else
		fair_text_add(t, w->hosted ? "at most one has that"
					   : "none has that");
	if (w->free_at == FAIR_FOREVER)
		fair_text_add(t, ", whatever job ends.");
	else
		fair_text_fill(t, " before job # ends at %.",
			       (int64_t)w->freed_by, w->free_at);
}

/* " account 3 has used 61 percent of what account 1 has and is owed 25 percent"
 */
#ifndef FAIRSCHED_WITHOUT_TREE
static void fair_text_part(struct fair_text *t, const struct fair_tree_why *w,
			   uint32_t i, bool is_user)
{
	const int64_t half = FAIR_USAGE_POINT / 2;

	fair_text_fill(t, is_user ? " user #" : " account #", w->node[i], 0);
	fair_text_fill(t, " has used % percent of ",
		       (w->part[i].used + half) / FAIR_USAGE_POINT, 0);
	if (w->account[i] == FAIR_FAIRTREE_ROOT)
		fair_text_add(t, "all");
	else
		fair_text_fill(t, "account #", w->account[i], 0);
	fair_text_fill(t, " and has % percent of its shares",
		       (w->part[i].owed + half) / FAIR_USAGE_POINT, 0);
}

/* Why the first job of the queue goes before it: where the tree decides. */
static void fair_text_tree(struct fair_text *t, const struct fair_why *w)
{
	const struct fair_tree_why *x = &w->tree;

	fair_text_fill(t, " It is of user #, behind job #",
		       (int64_t)w->job.user,
		       (int64_t)x->first);
	fair_text_fill(t, " of user #:", x->user, 0);
	if (x->tie) {
		fair_text_add(t, " they share a rank, and that job was"
				 " submitted first.");
		return;
	}
	fair_text_part(t, x, 0, x->node[0] == w->job.user);
	fair_text_add(t, ",");
	fair_text_part(t, x, 1, x->node[1] == x->user);
	fair_text_add(t, ".");
}
#else /* FAIRSCHED_WITHOUT_TREE */
static void fair_text_tree(struct fair_text *t, const struct fair_why *w)
{
	(void)t;
	(void)w;
}
#endif /* FAIRSCHED_WITHOUT_TREE */

static void fair_text_reasons(struct fair_text *t, const struct fair_why *w)
{
	if (w->reasons & FAIR_WHY_INELIGIBLE)
		fair_text_ineligible(t, w);
	if (w->reasons & FAIR_WHY_OWN_ADVANCE)
		fair_text_bound(t, w);
	if (w->reasons & FAIR_WHY_TREE)
		fair_text_tree(t, w);
	if (w->reasons & FAIR_WHY_REFUSED && w->not_before == FAIR_FOREVER)
		fair_text_add(t, " Its start was refused until a retry.");
	else if (w->reasons & FAIR_WHY_REFUSED)
		fair_text_fill(t, " Its start was refused until %.",
			       w->not_before, 0);
	if (w->reasons & FAIR_WHY_VETO) {
		fair_text_add(t, " The ledger ");
		fair_text_add(t, w->vetoed_by);
		fair_text_add(t, " vetoes its start");
		if (w->vetoed_until != FAIR_FOREVER)
			fair_text_fill(t, " until %", w->vetoed_until, 0);
		fair_text_add(t, ".");
	}
	if (w->reasons & FAIR_WHY_NODES)
		fair_text_nodes(t, w);
	if (w->reasons & FAIR_WHY_RESOURCE)
		fair_text_resource(t, w);
	else if (w->reasons & (FAIR_WHY_MACHINE | FAIR_WHY_PROCS))
		fair_text_procs(t, w);
	if (w->reasons & FAIR_WHY_TARGET)
		fair_text_fill(t,
			       " Its account occupies % processors, above its"
			       " target of %.",
			       w->occupancy, w->target);
	if (w->reasons & (FAIR_WHY_LIMIT | FAIR_WHY_BUDGET))
		fair_text_limit(t, w);
	if (w->reasons & FAIR_WHY_CAP)
		fair_text_add(t, " Its user, group, account, QOS or queue has"
				 " used more than its cap.");
	if (w->reasons & FAIR_WHY_BEHIND) {
		fair_text_add(t, " No job may pass ");
		fair_text_blockers(t, w);
		fair_text_add(t, ".");
	}
	if (w->reasons & FAIR_WHY_DELAY) {
		fair_text_add(t, " Now it would delay ");
		fair_text_blockers(t, w);
		fair_text_fill(t, ", due to start at %.", w->blocker[0].start,
			       0);
	}
	if (w->reasons & FAIR_WHY_ADVANCE)
		fair_text_advance(t, w);
	if (w->reasons & FAIR_WHY_NOTHING)
		fair_text_add(t, " Nothing prevents its start: the next change"
				 " of the plan may start it.");
}

/* The sizes with which it would start now. */
static void fair_text_sizes(struct fair_text *t, const struct fair_why *w)
{
	bool procs = w->procs && !(w->unknown & FAIR_UNKNOWN_PROCS);
	bool walltime = w->walltime && !(w->unknown & FAIR_UNKNOWN_WALLTIME);

	if (w->reasons & FAIR_WHY_NOTHING)
		return;
	if (!procs && !walltime) {
		if (!(w->unknown & ~(uint32_t)FAIR_UNKNOWN_UNTIL) &&
		    !(w->reasons & FAIR_WHY_RESOURCE))
			fair_text_add(t, " No smaller size would start now.");
		return;
	}
	fair_text_add(t, " It would start now with");
	if (procs)
		fair_text_fill(t,
			       w->procs == 1 ? " % processor" : " % processors",
			       w->procs, 0);
	if (procs && walltime)
		fair_text_add(t, ", or with");
	if (walltime)
		fair_text_fill(t, " a walltime of % s", w->walltime, 0);
	fair_text_add(t, ".");
}

/* The smaller amount, or the other class, with which it would start now. Until
 * clones tell, there is none. */
static void fair_text_others(struct fair_text *t, const struct fair_why *w)
{
	if (w->reasons & FAIR_WHY_RESOURCE && w->amount >= 0)
		fair_text_fill(t, " With % of resource % it would start now.",
			       w->amount, w->resource);
	if (w->job.class_count && w->other_class != UINT32_MAX)
		fair_text_fill(t, " In class % it would start now.",
			       w->other_class, 0);
}

static void fair_text_until(struct fair_text *t, const struct fair_why *w)
{
	if (w->promise != FAIR_FOREVER)
		fair_text_fill(t, " A start is reserved for it at %.",
			       w->promise, 0);
	if (w->unknown & FAIR_UNKNOWN_UNTIL)
		return;
	if (w->until == FAIR_FOREVER)
		fair_text_add(t, " If nothing changes it will not start.");
	else if (w->until != w->promise)
		fair_text_fill(t, " If nothing changes it starts at %.",
			       w->until, 0);
}

FAIRSCHED_API size_t fair_why_text(const struct fair_why *why, char *text,
				   size_t size)
{
	struct fair_text t = { text, size, 0 };

	fair_text_fill(&t, "Job # has waited for % s", (int64_t)why->job.number,
		       why->now - why->job.submit);
	if (why->reasons & FAIR_WHY_INELIGIBLE)
		fair_text_add(&t, ".");
	else if (why->ahead)
		fair_text_fill(&t,
			       why->ahead == 1 ? ", % job is ahead of it."
					       : ", % jobs are ahead of it.",
			       why->ahead, 0);
	else
		fair_text_add(&t, " and is the first in the queue.");
	fair_text_reasons(&t, why);
	if (!(why->reasons & FAIR_WHY_INELIGIBLE))
		fair_text_sizes(&t, why);
	fair_text_others(&t, why);
	fair_text_until(&t, why);
	return fair_text_end(&t);
}

#endif /* FAIRSCHED_WITHOUT_WHY */
