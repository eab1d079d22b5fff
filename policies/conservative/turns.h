/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/conservative/turns.h - the order in which jobs were promised
 *
 * A loss may move a reservation to a later start, but not the job's turn:
 *
 *   plan   by (start, number)    [ 3 ] [ 1 ] [ 2 ] [ 5 ]    every queued job
 *   late   by (turn, number)                 [ 2 ]          those whose turn is
 *                                                           before their start
 *
 * Of all other jobs turn and start are equal. So the order of the turns is that
 * of the plan, without the late jobs, merged with the late ones.
 *
 * Uses: nothing else here.
 */

static struct fair_queued *
fair_conservative_job(const struct fair_conservative *c, uint32_t slot)
{
	return (struct fair_queued *)(void *)(c->jobs + slot * c->stride);
}

static struct fair_rank
fair_conservative_turn(const struct fair_conservative *c, uint32_t slot)
{
	const struct fair_queued *j = fair_conservative_job(c, slot);
	struct fair_rank turn = { j->turn, 0 };

	turn.number = j->rank.number;
	return turn;
}

/* A displaced job has no start, so that it is late, too. */
static bool fair_conservative_is_late(const struct fair_queued *j)
{
	return j->turn < j->rank.key || j->mark & FAIR_MARK_DISPLACED;
}

/* The first place in late[] of a turn that is not before @turn. */
static uint32_t fair_conservative_late_place(const struct fair_conservative *c,
					     struct fair_rank turn)
{
	uint32_t low = 0, high = c->lates, middle;

	/* Invariant: the turns before @low are before @turn, those from @high
	 * on are not. */
	while (low < high) {
		middle = low + (high - low) / 2;
		if (fair_rank_is_before(
			    fair_conservative_turn(c, c->late[middle]), turn))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void fair_conservative_add_late(struct fair_conservative *c,
				       uint32_t slot)
{
	uint32_t i = fair_conservative_late_place(
		c, fair_conservative_turn(c, slot));

	FAIR_MEMMOVE(c->late + i + 1, c->late + i,
		     (c->lates++ - i) * sizeof(*c->late));
	c->late[i] = slot;
}

static void fair_conservative_remove_late(struct fair_conservative *c,
					  uint32_t slot)
{
	uint32_t i = fair_conservative_late_place(
		c, fair_conservative_turn(c, slot));

	/* By I8 it is there. */
	FAIR_ASSERT(i < c->lates && c->late[i] == slot);
	FAIR_MEMMOVE(c->late + i, c->late + i + 1,
		     (--c->lates - i) * sizeof(*c->late));
}

/* The next places in both orders. */
struct fair_turns {
	struct fair_queue_place at; /* in the plan */
	uint32_t late;
};

/* The jobs whose turn is not before @turn. */
static struct fair_turns
fair_conservative_seek_turn(const struct fair_conservative *c,
			    struct fair_rank turn)
{
	struct fair_turns t;

	t.at = fair_queue_seek(&c->plan, turn);
	t.late = fair_conservative_late_place(c, turn);
	return t;
}

/* The next job by turn, of at most @procs processors; UINT32_MAX: none. */
static uint32_t
fair_conservative_next_by_turn(const struct fair_conservative *c,
			       struct fair_turns *t, int32_t procs)
{
	struct fair_rank turn = { INT64_MAX, UINT64_MAX };
	uint32_t slot, late = UINT32_MAX;

	while (t->late < c->lates &&
	       fair_conservative_job(c, c->late[t->late])->procs > procs)
		t->late++;
	if (t->late < c->lates) {
		late = c->late[t->late];
		turn = fair_conservative_turn(c, late);
	}
	for (; fair_queue_next_fitting(&c->plan, &t->at, procs);
	     t->at.index++) {
		slot = fair_queue_slot(&c->plan, t->at);
		/* The turn of each job from here on is its start, or it is one
		 * of those in late[]. */
		if (!fair_rank_is_before(fair_conservative_job(c, slot)->rank,
					 turn))
			break;
		if (!fair_conservative_is_late(fair_conservative_job(c, slot)))
			return slot;
	}
	return late;
}

/* The job in @slot, the next one, is done: go on behind it. */
static void fair_conservative_pass_turn(const struct fair_conservative *c,
					struct fair_turns *t, uint32_t slot)
{
	if (t->late < c->lates && c->late[t->late] == slot)
		t->late++;
	else
		t->at.index++;
}
