/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/table.h - live jobs by number, their promises, and the digest
 *
 * Each live job has a slot of live[], and keeps it until it ends:
 *
 *   number --> hash[] --> slot --> live[slot]: rank.key is
 *                                    queued:  its reservation or priority
 *                                    running: its planned end
 *
 * Every promise that is made or moved goes through fair_sched_report_promise(),
 * and every decision goes into the digest.
 *
 * Uses: ids.h.
 */

#define FAIR_WALLTIME_MAX ((int64_t)1 << 34) /* 544 years */
#define FAIR_TIME_MAX ((int64_t)1 << 60)     /* no sum of times overflows */
#define FAIR_WEIGHT_MAX ((int64_t)1 << 28)   /* nor its sum with a weight */

/*
 * What events accept and what a checkpoint may hold is the same: both ask these
 * functions, and fair_sched_validate_job() and fair_sched_validate_advance().
 */

/* Of the present and the origin; of a submission, if the key is a sum with it.
 */
static bool fair_is_time(int64_t t)
{
	return t >= -FAIR_TIME_MAX && t <= FAIR_TIME_MAX;
}

/* Of a planned start or end: a time, and one horizon more. */
static bool fair_is_planned_time(int64_t t)
{
	return t >= -FAIR_TIME_MAX && t <= 2 * FAIR_TIME_MAX;
}

/* From when on a caller accepts a start: any time, a planned one, or never. */
static bool fair_is_not_before(int64_t t)
{
	return t == INT64_MIN || t == FAIR_FOREVER || fair_is_planned_time(t);
}

/* Of the seconds between two times. */
static bool fair_is_duration(int64_t seconds)
{
	return seconds >= 0 && seconds <= 2 * FAIR_TIME_MAX;
}

/* The hash is at most two thirds full. */
static uint32_t fair_sched_hash_bits(uint32_t jobs)
{
	uint32_t bits = 4;

	while (((uint64_t)1 << bits) < (uint64_t)jobs + jobs / 2)
		bits++;
	return bits;
}

/*
 * A reservation job waits in the table of ineligible jobs, also after it was
 * requeued or its start was refused: with advance reservations every job may.
 */
static uint32_t fair_sched_max_ineligible(const struct fair_config *config)
{
	return config->advances ? config->jobs : config->ineligible;
}

/*
 * Entries of that table: an array without a slot is there, too. Each array
 * counts as two of config.jobs, so that they are at most half of these.
 */
static uint32_t fair_sched_ineligible_entries(const struct fair_config *config)
{
	uint32_t most = config->jobs - config->jobs / 2;

	return fair_sched_max_ineligible(config) < most
		       ? fair_sched_max_ineligible(config) + config->jobs / 2
		       : config->jobs;
}

/*
 * Reservation jobs at most: one that waits is ineligible, if its advance
 * reservation is gone and there is no room for others, too.
 */
static uint32_t fair_sched_max_bound_jobs(const struct fair_config *config)
{
	return fair_sched_max_ineligible(config) ? config->jobs : 0;
}

static uint32_t
fair_sched_max_running_bound_jobs(const struct fair_config *config)
{
	return config->advances ? config->jobs : 0;
}

static void fair_sched_clear_hash(struct fair_sched *s, uint32_t jobs)
{
	uint32_t bits = fair_sched_hash_bits(jobs);

	s->hash_shift = 64 - bits;
	FAIR_MEMSET(s->hash, 0, sizeof(*s->hash) << bits);
}

/* Whether a queued job waits for a reservation in place of the one it lost. */
static bool fair_live_is_displaced(const struct fair_live *j)
{
	return j->state == FAIR_QUEUED &&
	       j->queued.mark & FAIR_MARK_DISPLACED;
}

static uint32_t fair_live_state(const struct fair_live *j)
{
	return fair_live_is_displaced(j) ? (uint32_t)FAIR_DISPLACED : j->state;
}

/* The number of the advance reservation that a job is bound to; 0: none. */
static uint64_t fair_sched_bound_to(const struct fair_sched *s,
				    const struct fair_live *j)
{
	return s->bound_to ? s->bound_to[j - s->live] : 0;
}

/* Whether @number can be one: 0, or there is room for reservation jobs. */
static bool fair_sched_can_bind(const struct fair_sched *s, uint64_t number)
{
	return !number || s->bound_to;
}

static void fair_sched_bind(struct fair_sched *s, uint32_t slot,
			    uint64_t number)
{
	if (s->bound_to)
		s->bound_to[slot] = number;
}

/* When a running job is planned to end. */
static int64_t fair_live_end(const struct fair_live *j)
{
	return j->queued.rank.key;
}

/* The start that a job that waits is promised; FAIR_FOREVER: none. */
static int64_t fair_live_promise(const struct fair_live *j)
{
	return fair_live_is_displaced(j) ? FAIR_FOREVER : j->queued.rank.key;
}

FAIRSCHED_API uint64_t fair_sched_digest(const struct fair_sched *s)
{
	return s->digest;
}

/*
 * FNV-1a over the 8 bytes of @word, low byte first. A zero byte only multiplies
 * by the prime: the zero bytes at the top are one power of it.
 */
static uint64_t fair_sched_fnv(uint64_t digest, uint64_t word)
{
	static const uint64_t power[9] = { 1,
					   UINT64_C(0x100000001b3),
					   UINT64_C(0x366000002e329),
					   UINT64_C(0x8a97b0004e7feab),
					   UINT64_C(0x9ffaac085635bc91),
					   UINT64_C(0xcaee32a7d4f6a63),
					   UINT64_C(0xdc966432edf1c639),
					   UINT64_C(0xc5527b8a51d3d2db),
					   UINT64_C(0x1efac7090aef4a21) };
	uint32_t zeros = 8;

	for (; word; word >>= 8, zeros--)
		digest = (digest ^ (word & 0xff)) * power[1];
	return digest * power[zeros];
}

/* Add the nodes of a job that starts to the digest. */
FAIR_APART static void fair_sched_record_nodes(struct fair_sched *s,
					       uint32_t slot)
{
	const struct fair_nodes *n = fair_sched_plan_nodes(s);
	struct fair_nodes_part part;
	uint32_t at = 0;

	s->digest = fair_sched_fnv(s->digest, fair_nodes_parts(n, slot));
	while (fair_nodes_next_part(n, slot, &at, &part)) {
		s->digest = fair_sched_fnv(s->digest, part.node);
		s->digest = fair_sched_fnv(s->digest, (uint64_t)part.chunks);
	}
}

/* Add a decision about @j to the digest. */
static void fair_sched_record(struct fair_sched *s, int64_t time,
			      const struct fair_live *j, uint64_t kind)
{
	uint64_t digest = fair_sched_fnv(s->digest, (uint64_t)time);

	digest = fair_sched_fnv(digest, j->queued.rank.number);
	s->digest = fair_sched_fnv(digest, kind);
	if (fair_sched_records_class(s))
		s->digest = fair_sched_fnv(
			s->digest,
			fair_sched_class(s, (uint32_t)(j - s->live)));
	if (s->nodes && kind == FAIR_START)
		fair_sched_record_nodes(s, (uint32_t)(j - s->live));
}

/* THE HASH: linear probing over the numbers of live jobs. */

/*
 * The entry at which the search for @number begins: sixteen consecutive numbers
 * are sixteen neighbouring entries, a cache line; the rest is multiplied.
 */
static uint32_t fair_sched_hash_of(const struct fair_sched *s, uint64_t number)
{
	return (uint32_t)(((number >> 4) * UINT64_C(0x9e3779b97f4a7c15)) >>
			  s->hash_shift) ^
	       (number & 15);
}

static uint32_t fair_sched_hash_mask(const struct fair_sched *s)
{
	return (uint32_t)(((uint64_t)1 << (64 - s->hash_shift)) - 1);
}

/* The entry of @number, or the free one where it would be added. */
static uint32_t fair_sched_find_entry(const struct fair_sched *s,
				      uint64_t number)
{
	uint32_t mask = fair_sched_hash_mask(s);
	uint32_t i = fair_sched_hash_of(s, number);

	while (s->hash[i] &&
	       s->live[s->hash[i] - 1].queued.rank.number != number)
		i = (i + 1) & mask;
	return i;
}

static struct fair_live *fair_sched_find(const struct fair_sched *s,
					 uint64_t number)
{
	uint32_t entry = s->hash[fair_sched_find_entry(s, number)];

	return entry ? s->live + entry - 1 : NULL;
}

static uint32_t fair_sched_slot(const struct fair_sched *s,
				const struct fair_live *j)
{
	return (uint32_t)(j - s->live);
}

/* The queued jobs. */
static const struct fair_queue *fair_sched_queue(const struct fair_sched *s)
{
	return s->planner->queue(s);
}

static void fair_sched_hash_slot(struct fair_sched *s, uint32_t slot)
{
	s->hash[fair_sched_find_entry(s, s->live[slot].queued.rank.number)] =
		slot + 1;
}

static void fair_sched_hash_all(struct fair_sched *s,
				const struct fair_queue *q)
{
	struct fair_queue_place at = { 0, 0 };

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++)
		fair_sched_hash_slot(s, fair_queue_slot(q, at));
}

/* Make room for one more job: a clone's hash is sized for its live jobs. */
static void fair_sched_grow_hash(struct fair_sched *s)
{
	uint32_t most = s->jobs + 1, twice = 2 * most, i;

	if ((uint64_t)most + most / 2 <= (uint64_t)1 << (64 - s->hash_shift))
		return;
	fair_sched_clear_hash(s,
			      twice < s->config.jobs ? twice : s->config.jobs);
	fair_sched_hash_all(s, &s->running);
	fair_sched_hash_all(s, fair_sched_queue(s));
	for (i = 0; i < s->ineligibles; i++)
		fair_sched_hash_slot(s, s->ineligible[i].slot);
}

/* Whether @a numbers from @x on and @b numbers from @y on share one. */
static bool fair_sched_has_common_number(uint64_t x, uint32_t a, uint64_t y,
					 uint32_t b)
{
	return x < y ? y - x < a : x - y < b;
}

/* Tasks that a live job stands for. */
static uint32_t fair_sched_tasks(const struct fair_live *j)
{
	return 1 + j->tasks_behind;
}

/* The limit of the array that the task @number belongs to; NULL: none. */
static struct fair_task_limit *
fair_sched_find_task_limit(const struct fair_sched *s, uint64_t number)
{
	struct fair_task_limit *l = s->task_limit;

	for (; l < s->task_limit + s->task_limits; l++)
		if (number - l->first < l->tasks)
			return l;
	return NULL;
}

/* Whether as many tasks of its array run as may. */
FAIR_APART static bool fair_sched_is_at_task_limit(const struct fair_sched *s,
						   const struct fair_live *j)
{
	const struct fair_task_limit *l =
		fair_sched_find_task_limit(s, j->queued.rank.number);
	struct fair_queue_place at = { 0, 0 };
	uint64_t number;
	uint32_t n = 0;

	if (!l)
		return false;
	for (; fair_queue_next_fitting(&s->running, &at, INT32_MAX);
	     at.index++) {
		number = s->live[fair_queue_slot(&s->running, at)]
				 .queued.rank.number;
		n += number - l->first < l->tasks;
	}
	return n >= l->most;
}

/*
 * Whether a waiting job has a slot: if tasks follow, the next one needs one,
 * and no more tasks of its array run than may.
 */
static bool fair_sched_has_slot(const struct fair_sched *s,
				const struct fair_live *j)
{
	return (!j->tasks_behind || s->jobs < s->config.jobs) &&
	       !(s->task_limits && fair_sched_is_at_task_limit(s, j));
}

/* A job of @q, except @but, that has one of @tasks numbers from @number on. */
static const struct fair_live *
fair_sched_find_in_queue(const struct fair_sched *s, const struct fair_queue *q,
			 uint64_t number, uint32_t tasks,
			 const struct fair_live *but)
{
	struct fair_queue_place at = { 0, 0 };
	const struct fair_live *j;

	for (; fair_queue_next_fitting(q, &at, INT32_MAX); at.index++) {
		j = s->live + fair_queue_slot(q, at);
		if (j != but && fair_sched_has_common_number(
					j->queued.rank.number,
					fair_sched_tasks(j), number, tasks))
			return j;
	}
	return NULL;
}

/* A live job or array, except @but, that has one of these numbers. */
static const struct fair_live *
fair_sched_find_holder(const struct fair_sched *s, uint64_t number,
		       uint32_t tasks, const struct fair_live *but)
{
	const struct fair_live *j = fair_sched_find(s, number);
	uint32_t i;

	if (j && j != but)
		return j;
	if (tasks <= 1 && !s->waiting_arrays)
		return NULL;
	j = fair_sched_find_in_queue(s, fair_sched_queue(s), number, tasks,
				     but);
	if (!j && tasks > 1)
		j = fair_sched_find_in_queue(s, &s->running, number, tasks,
					     but);
	for (i = 0; !j && i < s->ineligibles; i++) {
		j = s->live + s->ineligible[i].slot;
		if (j == but || !fair_sched_has_common_number(
					j->queued.rank.number,
					fair_sched_tasks(j), number, tasks))
			j = NULL;
	}
	return j;
}

/* ADD, REMOVE, DESCRIBE */

/* @job: with indexes */
static struct fair_live *fair_sched_add_job(struct fair_sched *s,
					    const struct fair_job *job)
{
	uint32_t slot =
		s->free_slots ? s->free_slot[--s->free_slots] : s->slots++;
	struct fair_live *j = s->live + slot;

	fair_sched_grow_hash(s);
	FAIR_MEMSET(j, 0, sizeof(*j));
	s->hash[fair_sched_find_entry(s, job->number)] = slot + 1;
	j->queued.rank.number = job->number;
	j->queued.walltime = job->walltime;
	j->queued.procs = job->procs;
	j->cookie = job->cookie;
	j->submit = job->submit;
	j->user = (uint32_t)job->user;
	j->group = (uint32_t)job->group;
	j->account = (uint32_t)job->account;
	j->queue = (uint32_t)job->queue;
	j->qos = (uint32_t)job->qos;
	j->penalty = job->penalty;
	fair_sched_bind(s, slot, job->advance);
	s->bound_jobs += job->advance != 0;
	j->queued.not_before = INT64_MIN;
	j->queued.turn = FAIR_FOREVER;
	j->first_promise = FAIR_FOREVER;
	j->tasks_behind = job->tasks > 1 ? job->tasks - 1 : 0;
	s->waiting_arrays += j->tasks_behind > 0;
	s->jobs++;
	fair_sched_set_request(s, slot, job);
	fair_sched_count_parts(s, slot, fair_sched_tasks(j), true);
	return j;
}

/* A job of this number is gone: if it was the last task, so is their limit. */
static void fair_sched_drop_task_limit(struct fair_sched *s, uint64_t number)
{
	struct fair_task_limit *l = fair_sched_find_task_limit(s, number);

	if (l && !fair_sched_find_holder(s, l->first, l->tasks, NULL))
		*l = s->task_limit[--s->task_limits];
}

/*
 * Remove a job. Each entry after the gap in the hash moves into the gap if its
 * search begins at the gap or before, so that it can still be found.
 */
static void fair_sched_remove_job(struct fair_sched *s, struct fair_live *j)
{
	uint32_t mask = fair_sched_hash_mask(s), first;
	uint32_t gap = fair_sched_find_entry(s, j->queued.rank.number), i = gap;

	for (;;) {
		i = (i + 1) & mask;
		if (!s->hash[i])
			break;
		first = fair_sched_hash_of(
			s, s->live[s->hash[i] - 1].queued.rank.number);
		if (((i - first) & mask) < ((i - gap) & mask))
			continue;
		s->hash[gap] = s->hash[i];
		gap = i;
	}
	s->hash[gap] = 0;
	s->free_slot[s->free_slots++] = fair_sched_slot(s, j);
	s->waiting_arrays -= j->tasks_behind > 0;
	s->bound_jobs -= fair_sched_bound_to(s, j) != 0;
	s->jobs--;
	fair_sched_forget_nodes(s, fair_sched_slot(s, j),
				1 + (uint64_t)j->tasks_behind);
	fair_sched_drop_task_limit(s, j->queued.rank.number);
}

static void fair_sched_describe(const struct fair_sched *s,
				const struct fair_live *j,
				struct fair_job_status *status)
{
	bool running = j->state == FAIR_RUNNING;
	const struct fair_ledger *l;

	status->job.number = j->queued.rank.number;
	status->job.cookie = j->cookie;
	status->job.submit = j->submit;
	status->job.walltime = j->queued.walltime;
	status->job.procs = j->queued.procs;
	fair_sched_describe_ids(s, j, &status->job);
	status->job.penalty = j->penalty;
	status->job.tasks = fair_sched_tasks(j);
	status->job.advance = fair_sched_bound_to(s, j);
	status->job.nodes = 0;
	status->job.memory = status->job.swap = status->job.disk = 0;
	status->job.rate = 0;
	for (l = s->ledger; l < s->ledger + s->ledgers; l++)
		if (l->ops->describe)
			l->ops->describe(s, l->state, fair_sched_slot(s, j),
					 &status->job);
	fair_sched_describe_request(s, fair_sched_slot(s, j), &status->job);
	status->state = fair_live_state(j);
	status->waits = 0;
	status->cause = j->cause;
	status->moves = j->moves;
	status->first_promise = j->first_promise;
	status->not_before = j->queued.not_before;
	status->ran = j->ran;
	status->end = running ? fair_live_end(j) : FAIR_FOREVER;
	if (running)
		status->start = j->started;
	else if (s->planner->promises || fair_sched_bound_to(s, j))
		status->start = fair_live_promise(j);
	else
		status->start = FAIR_FOREVER;
	status->node_class =
		status->start != FAIR_FOREVER
			? fair_sched_class(s, fair_sched_slot(s, j))
			: 0;
}

/* PROMISES */

/* A job that waits was promised @from, and is promised its rank.key now. */
static void fair_sched_report_promise(struct fair_sched *s, struct fair_live *j,
				      int64_t from, const struct fair_event *e)
{
	int64_t to = j->queued.rank.key;
	bool is_first = j->first_promise == FAIR_FOREVER;
	struct fair_promise promise;

	/* A job that started without a promise, refused, has none as before. */
	if (to == from || (to == FAIR_FOREVER && is_first))
		return;
	if (is_first) {
		from = FAIR_FOREVER; /* it may have started without one */
		j->first_promise = to;
		fair_sched_record(s, to, j, FAIR_PROMISE);
	} else {
		j->moves++;
	}
	if (to > from) {
		j->cause = (uint8_t)e->cause;
		fair_sched_record(s, to, j, FAIR_DELAY);
	}
	if (!s->config.promised)
		return;
	promise.number = j->queued.rank.number;
	promise.cookie = j->cookie;
	promise.made = s->now;
	promise.from = from;
	promise.to = to;
	promise.cause = e->cause;
	promise.node_class = fair_sched_class(s, fair_sched_slot(s, j));
	if (is_first)
		promise.cause = FAIR_CAUSE_ARRIVAL;
	else if (to < from && e->cause != FAIR_CAUSE_ARRIVAL)
		promise.cause = FAIR_CAUSE_EARLIER;
	promise.culprit = promise.cause == FAIR_CAUSE_OVERRUN ? e->culprit
							      : promise.number;
	s->config.promised(s->promised_context, &promise);
}

/*
 * Whether rank.key of @j, a job that waits, says when it starts if nothing else
 * happens: at its promise, or never if it is wider than the machine. A narrower
 * job without a promise found no room before the horizon, and will start.
 * A reaction, or what is left of a loss, may move any promise.
 */
static bool fair_sched_is_start_certain(const struct fair_sched *s,
					const struct fair_live *j)
{
	if (j->queued.rank.key == FAIR_FOREVER)
		return j->queued.procs > s->procs && !fair_sched_has_classes(s);
	return fair_sched_bound_to(s, j) ||
	       (s->planner->promises && !s->owes_reaction &&
		!(s->planner->is_reacting && s->planner->is_reacting(s)));
}
