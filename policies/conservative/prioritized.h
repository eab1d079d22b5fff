/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/conservative/prioritized.h - pc: scan again after each move
 *
 * Uses: reservations.h, scan.h.
 */

/*
 * PRIORITIZED COMPRESSION
 *
 * It scans again from the highest priority after each move. The jobs before the
 * one that moved have seen everything but the hole it left; those behind it
 * have more to see.
 *
 * P1. So the priority order consists of parts, each with one freed interval
 * that covers what its jobs have not seen:
 *
 *   | [t, e) seen; unseen: last hole | unseen: [t, e) and all holes |
 *   ^ highest priority               ^ the job that moved
 *
 * No part has seen what the part before it has not. With no room for another
 * one, the first two become one, which has not seen what the second had not:
 * its jobs get more queries, and the same starts.
 */
#ifndef FAIR_CONSERVATIVE_PARTS
#define FAIR_CONSERVATIVE_PARTS 16 /* at least 2 */
#endif

struct fair_part {
	struct fair_queue_place end; /* in the priority order */
	struct fair_freed unseen;
};

/* A scan by priority; places in that order stay, as only the plan changes. */
struct fair_parts {
	struct fair_part part[FAIR_CONSERVATIVE_PARTS];
	uint32_t parts, current;
	struct fair_queue_place at; /* in part[current]: the next job */
	struct fair_freed holes;    /* not measured (P2); none: from > to */
	int32_t narrowest;	    /* processors of the narrowest job */
};

/*
 * P3. Prioritized compression moves the first job by priority that has an
 * earlier start, until none has: what it does next depends on the plan alone,
 * not on how it came about. So it need not be finished before another event.
 * The jobs before the one to resume at have then not seen what was freed since
 * the pause; those behind have not seen that either.
 */
static void fair_conservative_begin_scan(struct fair_conservative *c,
					 struct fair_parts *w)
{
	struct fair_part *last = w->part;

	w->holes = last->unseen = c->freed;
	c->freed = fair_freed_none();
	w->narrowest = fair_conservative_narrowest(c);
	w->current = 0;
	w->at.row = w->at.index = 0;
	w->parts = 1;
	if (c->walk.next != UINT32_MAX) {
		last->end = fair_conservative_place(c);
		last++;
		last->unseen = c->walk.freed;
		fair_freed_add(&last->unseen, w->holes);
		w->parts = 2;
	}
	last->end.row = c->priority.rows;
	last->end.index = 0;
}

/* The job at @at left @hole: no job before it has seen that (P1). */
static void fair_conservative_divide(struct fair_parts *w,
				     struct fair_freed hole)
{
	struct fair_part *part = w->part;
	uint32_t i, first = w->current;

	for (i = first; i < w->parts; i++)
		fair_freed_add(&part[i].unseen, hole);
	if (first == 0 && w->parts == FAIR_CONSERVATIVE_PARTS)
		first = 1;
	FAIR_MEMMOVE(part + 1, part + first,
		     (w->parts - first) * sizeof(*part));
	part[0].end = w->at;
	part[0].unseen = hole;
	w->parts = w->parts - first + 1;
	w->at.row = w->at.index = w->current = 0;
}

/*
 * P2. Runs are measured only before a job that nothing but a long run could
 * help: where equal jobs take each other's places, that is never. Meanwhile
 * runs only shrink, except by later holes, which are measured too. A run that
 * meets one of @holes, which touch each other, is no longer than the run around
 * all of them. Every part has the latest hole unseen, so that this length is a
 * valid `longest` (F2) for each part.
 */
static void fair_conservative_measure(const struct fair_conservative *c,
				      struct fair_parts *w)
{
	int64_t start = w->holes.from, end = w->holes.to;
	uint32_t i;

	start = fair_later(start, c->space.profile.origin);
	/* There is no run in none, nor if they are past. */
	if (!fair_profile_run(&c->space.profile, w->narrowest, &start, &end))
		w->holes.longest = end == FAIR_FOREVER ? end : end - start;
	for (i = 0; i < w->parts; i++)
		if (w->part[i].unseen.longest < w->holes.longest)
			w->part[i].unseen.longest = w->holes.longest;
	w->holes = fair_freed_none();
}

/* Holes that do not touch are measured separately (P2). */
static void fair_conservative_add_hole(const struct fair_conservative *c,
				       struct fair_parts *w,
				       struct fair_freed hole)
{
	if (hole.from > w->holes.to || w->holes.from > hole.to)
		fair_conservative_measure(c, w);
	fair_freed_add(&w->holes, hole);
}

/* The next job that its part's freed interval can help (F1, F2). */
static bool fair_conservative_next_helped(struct fair_conservative *c,
					  struct fair_parts *w)
{
	const struct fair_part *part;
	struct fair_queue_filter helped;

	for (; w->current < w->parts; w->current++) {
		part = w->part + w->current;
		helped.procs = part->unseen.most;
		helped.after = part->unseen.from;
		if (!fair_space_is_pool(&c->space)) /* M1 */
			helped.after = INT64_MIN;
		helped.until = fair_space_has_nodes(&c->space) /* M4 */
				       ? INT64_MAX
				       : part->unseen.to;
		helped.longest = w->holes.from < w->holes.to
					 ? INT64_MAX
					 : part->unseen.longest;
		if (fair_queue_next_matching(&c->priority, &w->at, part->end,
					     &helped))
			return true;
		w->at = part->end;
	}
	return false;
}

static bool fair_conservative_prioritize(struct fair_conservative *c,
					 int64_t now,
					 const struct fair_moves *moves)
{
	struct fair_failures failed;
	struct fair_parts w;
	const struct fair_freed *unseen;
	const struct fair_queued *j;
	struct fair_freed hole;
	uint32_t slot;
	int64_t to;

	fair_conservative_begin_scan(c, &w);
	fair_failures_begin(&failed, c, now);
	/* Invariant (P1): no job before @at has an earlier start, and no job of
	 * a part from @at on had one before its part's interval was freed. */
	while (fair_conservative_next_helped(c, &w)) {
		if (fair_conservative_begins(c, &w.at, moves))
			continue;
		slot = fair_queue_slot(&c->priority, w.at);
		j = fair_conservative_job(c, slot);
		unseen = &w.part[w.current].unseen;
		if (w.holes.from < w.holes.to &&
		    (j->rank.key > unseen->to || !c->scans)) {
			fair_conservative_measure(c, &w);
			continue; /* F2 may rule it out now */
		}
		if (!c->scans)
			return fair_conservative_pause(
				c, slot, w.part[w.parts - 1].unseen);
		c->scans--;
		to = fair_conservative_earlier_in(
			c, fair_failures_skip(&failed, now, j), unseen, slot);
		if (to == j->rank.key) {
			fair_failures_add(&failed, j, to);
			/* Under a limit the pauses must not depend on blocks:
			 * a loaded plan has others. */
			if (fair_conservative_is_limited(c))
				w.at.index++;
			else
				fair_conservative_skip_larger(
					c, &c->priority, &w.at, j, to,
					INT64_MAX);
			continue;
		}
		hole = fair_conservative_promote(c, w.at, to, moves);
		fair_failures_forget(&failed, hole.from);
		fair_conservative_add_hole(c, &w, hole);
		fair_conservative_divide(&w, hole);
	}
	return true;
}
