/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * policies/backfill/checkpoint.h - save and load a walk
 *
 * Uses: reservations.h, order.h, kept.h.
 */

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT

enum fair_backfill_section {
	FAIR_BACKFILL_WALK = 5,
	FAIR_BACKFILL_HELD,  /* reservations of the walk */
	FAIR_BACKFILL_LEFT,  /* numbers of the remaining jobs */
	FAIR_BACKFILL_CHOSEN, /* numbers */
	FAIR_BACKFILL_CLASS = 27
};

static void fair_backfill_rank_fields(struct fair_checkpoint *f,
				      struct fair_rank *r)
{
	fair_checkpoint_i64(f, &r->key);
	fair_checkpoint_u64(f, &r->number);
}

static void fair_backfill_fields(struct fair_checkpoint *f,
				 struct fair_backfill *b)
{
	fair_checkpoint_one(f, FAIR_BACKFILL_WALK, 22);
	fair_backfill_rank_fields(f, &b->order.resume);
	fair_backfill_rank_fields(f, &b->last_reserved);
	fair_checkpoint_u32(f, &b->pass);
	fair_checkpoint_u32(f, &b->reserved);
	fair_checkpoint_i64(f, &b->shadow_time);
	fair_checkpoint_i32(f, &b->extra_procs);
	fair_checkpoint_i64(f, &b->walk_time);
	fair_checkpoint_bool(f, &b->anew);
	fair_checkpoint_u32(f, &b->order.next);
	fair_checkpoint_u32(f, &b->order.ends);
	fair_checkpoint_u32(f, &b->phase.remaining);
	fair_checkpoint_u32(f, &b->phase.counted);
	fair_checkpoint_bool(f, &b->phase.limit_reached);
	fair_checkpoint_u32(f, &b->phase.chosen_next);
	fair_checkpoint_u32(f, &b->phase.chosen_end);
	fair_checkpoint_u32(f, &b->order.unsorted);
	fair_checkpoint_bool(f, &b->paused);
	fair_checkpoint_u32(f, &b->phase.pending);
	fair_checkpoint_u32(f, &b->kept);
	fair_checkpoint_i64(f, &b->order.resume_walltime);
	if (fair_space_is_pool(&b->space))
		return;
	fair_checkpoint_one(f, FAIR_BACKFILL_CLASS, 1);
	fair_checkpoint_u32(f, &b->phase.node_class);
}

/* Write the numbers of the jobs in @n slots. */
static void fair_backfill_save_numbers(const struct fair_backfill *b,
				       struct fair_checkpoint *f,
				       const uint32_t *slot, uint32_t n)
{
	uint64_t number;

	for (; n--; slot++) {
		number = fair_backfill_job(b, *slot)->rank.number;
		fair_checkpoint_u64(f, &number);
	}
}

/*
 * Drop what a checkpoint does not keep: a walk that begins anew, and the jobs
 * that were scanned. Returns where the jobs stand that follow sorted[0 ..
 * remaining) in it, if jobs are not in groups.
 */
static const uint32_t *fair_backfill_drop_scanned(struct fair_backfill *b,
						  int64_t now)
{
	const uint32_t *rest = b->order.sorted + b->phase.remaining;
	struct fair_group *groups = b->walk.groups, *g;
	uint32_t i;

	if (fair_backfill_must_begin(b, now)) {
		b->anew = true;
		b->order.next = b->order.ends = b->order.heap = 0;
		b->order.unsorted = 0;
		b->phase.remaining = b->phase.pending = 0;
		b->phase.chosen_next = b->phase.chosen_end = 0;
	}
	if (b->walk.group) {
		for (b->order.ends = i = 0; i < b->order.heap; i++) {
			g = groups + groups[i].heap;
			b->order.ends += g->ends - g->next;
		}
	} else if (b->order.next > b->phase.remaining) {
		rest = b->order.sorted + b->order.next;
		b->order.ends -= b->order.next - b->phase.remaining;
		b->order.next = b->phase.remaining;
	}
	return rest;
}

/* Only the first group can be without jobs: the last one then takes its place.
 */
static void fair_backfill_save_groups(const struct fair_backfill *b,
				      struct fair_checkpoint *f)
{
	const struct fair_group *groups = b->walk.groups, *g;
	uint32_t i, heap = b->order.heap;

	for (i = 0; i < heap; i++) {
		g = groups + groups[i].heap;
		if (g->next == g->ends)
			g = groups + groups[--heap].heap;
		fair_backfill_save_numbers(b, f, b->order.sorted + g->next,
					   g->ends - g->next);
	}
}

static void fair_backfill_save_held(const struct fair_backfill *b,
				    struct fair_checkpoint *f)
{
	uint32_t i, held = b->depth ? b->reserved + b->kept : 0, gone;
	struct fair_reservation r;
	uint64_t number;

	fair_checkpoint_section(f, FAIR_BACKFILL_HELD, held, 5);
	for (i = 0; i < held; i++) {
		r = b->held[i];
		gone = r.slot == UINT32_MAX;
		number = gone ? 0 : fair_backfill_job(b, r.slot)->rank.number;
		if (!b->planned)
			r.start = r.walltime = r.procs = 0;
		fair_checkpoint_i64(f, &r.start);
		fair_checkpoint_i64(f, &r.walltime);
		fair_checkpoint_i32(f, &r.procs);
		fair_checkpoint_u32(f, &gone);
		fair_checkpoint_u64(f, &number);
	}
}

FAIR_BACKFILL_API void fair_backfill_save(const struct fair_backfill *b,
					  int64_t now,
					  struct fair_checkpoint *f)
{
	struct fair_backfill x = *b;
	const uint32_t *rest = fair_backfill_drop_scanned(&x, now);

	fair_backfill_fields(f, &x);
	fair_backfill_save_held(&x, f);
	fair_checkpoint_section(f, FAIR_BACKFILL_LEFT, x.order.ends, 1);
	if (x.walk.group) {
		fair_backfill_save_groups(&x, f);
	} else {
		fair_backfill_save_numbers(&x, f, x.order.sorted,
					   x.phase.remaining);
		fair_backfill_save_numbers(&x, f, rest,
					   x.order.ends - x.phase.remaining);
	}
	fair_checkpoint_section(f, FAIR_BACKFILL_CHOSEN,
				x.phase.chosen_end - x.phase.chosen_next, 1);
	fair_backfill_save_numbers(&x, f, x.phase.chosen + x.phase.chosen_next,
				   x.phase.chosen_end - x.phase.chosen_next);
}

/* Reserve what of @r is not past in the profile; false: it does not fit. */
static bool fair_backfill_load_reserved(struct fair_backfill *b, int64_t now,
					const struct fair_reservation *r)
{
	const int64_t far = (int64_t)1 << 60;
	int64_t start = fair_later(now, r->start), end;
	bool gone = r->slot == UINT32_MAX;

	if (r->start < -far || r->start > 2 * far || r->walltime < 1 ||
	    r->walltime > (int64_t)1 << 34 || r->procs < 1)
		return false;
	end = r->start + r->walltime;
	if (fair_space_needs_slots(&b->space) &&
	    (gone || fair_backfill_job(b, r->slot)->procs != r->procs))
		return false;
	return !fair_backfill_change_reserved(b, r, start, end, true);
}

/* Whether a saved reservation that no walk has restored is one of its job. */
static bool fair_backfill_can_keep(const struct fair_backfill *b,
				   const struct fair_reservation *r)
{
	const struct fair_queued *j = fair_backfill_job(b, r->slot);
	const int64_t far = (int64_t)1 << 60;

	return r->start >= -far && r->start <= 2 * far &&
	       r->walltime == j->walltime && r->procs == j->procs;
}

/* They are not in the profile, nor marked, until the next walk. */
static void fair_backfill_load_kept(struct fair_backfill *b)
{
	uint32_t i;

	for (i = 0; i < b->kept; i++)
		if (b->held[i].slot != UINT32_MAX)
			fair_backfill_job(b, b->held[i].slot)->mark &=
				~(uint32_t)FAIR_MARK_RESERVED;
	if (!b->phase.by.keeps)
		b->kept = b->phase.pending = 0;
}

static void fair_backfill_load_held(struct fair_backfill *b, int64_t now,
				    struct fair_checkpoint *f)
{
	uint64_t n = fair_checkpoint_section(f, FAIR_BACKFILL_HELD, 0, 0);
	struct fair_reservation r = { 0, 0, 0, 0 };
	struct fair_queued *j = NULL;
	uint32_t gone = 0, i;

	f->bad |= n != (b->depth ? b->reserved + b->kept : 0) ||
		  b->reserved > (b->depth ? b->depth : 1) ||
		  b->kept > b->depth || (b->reserved && b->kept);
	for (i = 0; i < n && !f->bad; i++) {
		fair_checkpoint_record(f);
		fair_checkpoint_i64(f, &r.start);
		fair_checkpoint_i64(f, &r.walltime);
		fair_checkpoint_i32(f, &r.procs);
		fair_checkpoint_u32(f, &gone);
		f->bad |= gone && !b->kept &&
			  (!b->anew || fair_space_needs_slots(&b->space));
		r.slot = gone ? UINT32_MAX : fair_checkpoint_job(f);
		if (!gone) {
			j = fair_backfill_job(b, r.slot);
			f->bad |= (j->mark & FAIR_MARK_RESERVED) != 0;
			j->mark |= FAIR_MARK_RESERVED;
		}
		if (b->planned && b->depth == 1 && !r.walltime && !gone) {
			/* saved by a scheduler that planned by the shadow time
			 */
			r.start = b->shadow_time;
			r.walltime = fair_backfill_job(b, r.slot)->walltime;
			r.procs = fair_backfill_job(b, r.slot)->procs;
		}
		b->held[i] = r;
		if (b->kept) {
			f->bad |= !gone && !fair_backfill_can_keep(b, &r);
			continue;
		}
		f->bad |= b->planned && (r.walltime || !gone) &&
			  !fair_backfill_load_reserved(b, now, &r);
		if (b->planned || gone)
			continue;
		f->bad |= b->shadow_time > INT64_MAX / 2;
		if (!f->bad)
			fair_space_hold(&b->space, r.slot, b->shadow_time,
					b->shadow_time + j->walltime);
	}
}

/* Read @n slots of queued jobs, none of them twice. */
static void fair_backfill_load_slots(struct fair_backfill *b,
				     struct fair_checkpoint *f, uint32_t *slot,
				     uint32_t n)
{
	const uint32_t seen = UINT32_C(1) << 31;
	uint32_t i;

	for (i = 0; i < n && !f->bad; i++) {
		fair_checkpoint_record(f);
		slot[i] = fair_checkpoint_job(f);
		f->bad |= (fair_backfill_job(b, slot[i])->mark & seen) != 0;
		fair_backfill_job(b, slot[i])->mark |= seen;
	}
	for (i = 0; i < n && !f->bad; i++)
		fair_backfill_job(b, slot[i])->mark &= ~seen;
}

/* Whether a chosen job can take what it asks for, or return it, in the class in
 * which it is once it is due. */
static bool fair_backfill_try_chosen(struct fair_backfill *b, uint32_t slot,
				     int64_t now, bool take)
{
	const struct fair_queued *j = fair_backfill_job(b, slot);
	uint32_t was = fair_space_class(&b->space, slot);
	int error;

	fair_space_set_class(&b->space, slot, b->phase.node_class);
	error = fair_space_change_job(&b->space, slot, j->procs, now,
				      now + j->walltime, take);
	fair_space_set_class(&b->space, slot, was);
	return !error;
}

/* The chosen jobs are among the remaining ones, which are not reserved, and all
 * fit now. */
static void fair_backfill_load_chosen(struct fair_backfill *b, int64_t now,
				      struct fair_checkpoint *f)
{
	struct fair_phase *phase = &b->phase;
	uint32_t i, k, slot;

	f->bad |= fair_checkpoint_section(f, FAIR_BACKFILL_CHOSEN, 0, 0) !=
		  phase->chosen_end - phase->chosen_next;
	for (i = 0; i < phase->remaining; i++)
		f->bad |= (fair_backfill_job(b, b->order.sorted[i])->mark &
			   FAIR_MARK_RESERVED) != 0;
	fair_backfill_load_slots(b, f, phase->chosen + phase->chosen_next,
				 phase->chosen_end - phase->chosen_next);
	for (i = phase->chosen_next; i < phase->chosen_end && !f->bad; i++) {
		slot = phase->chosen[i];
		for (k = 0; k < phase->remaining && b->order.sorted[k] != slot;
		     k++)
			;
		f->bad |= k == phase->remaining ||
			  !fair_backfill_try_chosen(b, slot, now, true);
	}
	while (i-- > phase->chosen_next && !f->bad)
		(void)fair_backfill_try_chosen(b, phase->chosen[i], now, false);
}

/* The remaining jobs stand by groups, in the order of the heap. */
static void fair_backfill_load_groups(struct fair_backfill *b,
				      const struct fair_iteration *it,
				      struct fair_checkpoint *f)
{
	struct fair_group *groups = b->walk.groups, *g = NULL;
	uint32_t i, group;

	b->order.must_sift = true;
	b->order.must_sort = b->walk.spreads;
	for (i = 0; i < b->walk.group_count; i++)
		groups[i].ends = 0;
	for (i = 0; i < b->order.ends && !f->bad; i++) {
		group = b->walk.group(it->context, b->order.sorted[i]);
		if (g != groups + group) {
			g = groups + group;
			f->bad |= g->ends != 0;
			g->next = i;
			groups[b->order.heap++].heap = group;
		}
		g->ends = i + 1;
	}
}

/* Whether the counts of what was read can be; the jobs come later. */
static bool fair_backfill_can_be_order(const struct fair_backfill *b)
{
	const struct fair_walk_order *o = &b->order;
	uint32_t most =
		o->sorts && !fair_backfill_searches(b) ? b->queue.jobs : 0;

	return o->next <= o->ends && o->ends <= most &&
	       (!o->unsorted ||
		(!o->next && !b->phase.remaining && !b->walk.group &&
		 o->unsorted < o->ends + o->ends / 2));
}

static bool fair_backfill_can_be_phase(const struct fair_backfill *b)
{
	const struct fair_phase *p = &b->phase;

	return b->pass <= p->by.passes + 1 + (b->walk.gate ? 1U : 0) &&
	       p->remaining <= b->order.ends &&
	       p->pending <= b->order.ends - b->order.next &&
	       p->chosen_next <= p->chosen_end &&
	       p->chosen_end <= FAIR_GREEDY_JOBS &&
	       p->node_class < fair_space_classes(&b->space);
}

FAIR_BACKFILL_API void fair_backfill_load(struct fair_backfill *b,
					  const struct fair_iteration *it,
					  struct fair_checkpoint *f)
{
	const int64_t far = (int64_t)1 << 60;

	fair_backfill_fields(f, b);
	f->bad |= b->shadow_time < -far ||
		  (b->shadow_time > 2 * far && b->shadow_time != INT64_MAX) ||
		  !fair_backfill_can_be_order(b) ||
		  !fair_backfill_can_be_phase(b) ||
		  (!b->anew && b->walk_time > it->now) ||
		  fair_checkpoint_section(f, FAIR_BACKFILL_LEFT, 0, 0) !=
			  b->order.ends;
	fair_backfill_load_slots(b, f, b->order.sorted, b->order.ends);
	if (b->walk.group)
		fair_backfill_load_groups(b, it, f);
	if (!f->bad)
		fair_backfill_load_held(b, it->now, f);
	if (!f->bad)
		fair_backfill_load_kept(b);
	if (!f->bad)
		fair_backfill_load_chosen(b, it->now, f);
}

/* fcfs stops at the first job without a veto, or that its limits allow. */
FAIR_BACKFILL_API bool
fair_backfill_is_complete(const struct fair_backfill *b,
			  const struct fair_checkpoint *f)
{
	if (b->anew)
		return false;
	return b->depth || b->walk.veto || !b->queue.jobs ||
	       fair_space_has_limits(&b->space) ||
	       (b->reserved &&
		f->find(f->context, b->last_reserved.number) != UINT32_MAX);
}

#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */
