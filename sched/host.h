/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/host.h - what the loop of a host needs, and a simulation does not
 *
 *   submit refused?       fair_sched_job_error(): which field
 *   jobs end together     fair_sched_finish_many(): one event, one reaction
 *   no place for a start  fair_sched_refuse_until(): until then, or a retry
 *   sleep until when?     fair_sched_next_start(), if jobs end by their limits
 *   the table is full     fair_sched_grow(): the same scheduler, more room
 *
 * Uses: types.h.
 */

/**
 * fair_sched_job_error() - which field of a job fair_sched_submit() refuses at
 * @now, as fair_sched_config_error() names that of a configuration.
 *
 * Return: English, e.g. "walltime is below 1"; NULL: none. Room is not asked.
 * Complexity: O(live arrays + classes), with nodes O(nodes).
 */
FAIRSCHED_API const char *fair_sched_job_error(const struct fair_sched *s,
					       int64_t now,
					       const struct fair_job *job);

/**
 * fair_sched_finish_many() - jobs have ended in the same second, as one event.
 * @number: of running jobs, each once
 * @status: of each, as for fair_sched_exit(); NULL: all 0
 * @n:      how many; 0 is allowed: time passes to @now
 *
 * All give back what they hold, and then the policy reacts once. Reported one
 * by one, a job may take what the first end leaves free and keep the first
 * waiting job from what both would leave.
 *
 * Return: as fair_sched_finish(); -FAIR_EINVAL also if one is named twice. On
 * an error none has ended. Complexity: of one fair_sched_finish() for the
 * reaction, and O(log(running jobs)) and the space's for each job.
 */
FAIRSCHED_API int fair_sched_finish_many(struct fair_sched *s, int64_t now,
					 const uint64_t *number,
					 const int32_t *status, size_t n);

/**
 * fair_sched_refuse() - a start of this instant cannot be made.
 *
 * The job is queued again at its old place, and starts at a later second: 1,
 * 2, 4 ... seconds later if it is refused again and again.
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL if it did not start now.
 */
FAIRSCHED_API int fair_sched_refuse(struct fair_sched *s, int64_t now,
				    uint64_t number);

/**
 * fair_sched_refuse_until() - a start of this instant cannot be made before
 * another one.
 * @not_before: the job does not start before; FAIR_FOREVER, or a time after
 *              2^61: not before fair_sched_retry(), and it has no promise. @now
 *              is fair_sched_refuse()
 *
 * See REFUSED STARTS. Return: as fair_sched_refuse(); -FAIR_EINVAL also if
 * @not_before is before @now.
 */
FAIRSCHED_API int fair_sched_refuse_until(struct fair_sched *s, int64_t now,
					  uint64_t number, int64_t not_before);

/**
 * fair_sched_retry() - the caller accepts a start of the job at any time again,
 * whatever config.fits() said.
 *
 * The job, refused or not, is planned anew, at the earliest start that other
 * promises leave free, if its own is not as early; then the policy reacts as to
 * a job that ended early.
 *
 * Return: 0; -FAIR_ETIME; -FAIR_ENOENT; -FAIR_EINVAL for a running job.
 * Complexity: one query of the profile and a compression; O(queued jobs) to
 * find the next retry.
 */
FAIRSCHED_API int fair_sched_retry(struct fair_sched *s, int64_t now,
				   uint64_t number);

/**
 * fair_sched_next_start() - fair_sched_next(), but for planned ends.
 *
 * For a caller that ends each job at its planned end at the latest, and reports
 * it: then no other second needs a step(). A job that runs on past its planned
 * end delays others, and may let a job start before them; that is known only
 * at the next event.
 */
FAIRSCHED_API int64_t fair_sched_next_start(const struct fair_sched *s);

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT
/**
 * fair_sched_grow_size() - bytes that fair_sched_grow() needs; 0: the
 * configuration is not valid.
 */
FAIRSCHED_API size_t fair_sched_grow_size(const struct fair_sched *s,
					  const struct fair_config *config);

/**
 * fair_sched_grow() - move a scheduler into larger memory.
 * @memory: fair_sched_grow_size() bytes; the former memory is the caller's
 * @config: as fair_sched_load() takes it; s->config with more jobs will do
 *
 * It decides as before, and its digest goes on. On an error nothing has
 * changed. Return: as fair_sched_load(). Complexity: of a save and a load.
 */
FAIRSCHED_API int fair_sched_grow(struct fair_sched *s, void *memory,
				  size_t bytes,
				  const struct fair_config *config);
#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */
