/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/grow.h - a scheduler moves into larger memory
 *
 *   old memory -- saved behind what the new configuration needs --> new memory
 *
 * Uses: checkpoint.h.
 */

#ifndef FAIRSCHED_WITHOUT_CHECKPOINT

/* Where the checkpoint begins, behind what the configuration needs. */
static size_t fair_sched_grown_size(const struct fair_config *config)
{
	return (fair_sched_size(config) + 7) / 8 * 8;
}

FAIRSCHED_API size_t fair_sched_grow_size(const struct fair_sched *s,
					  const struct fair_config *config)
{
	size_t bytes = fair_sched_grown_size(config);

	return bytes ? bytes + fair_sched_checkpoint_size(s) : 0;
}

FAIRSCHED_API int fair_sched_grow(struct fair_sched *s, void *memory,
				  size_t bytes,
				  const struct fair_config *config)
{
	size_t used = fair_sched_grown_size(config);
	size_t saved = fair_sched_checkpoint_size(s);
	struct fair_sched x;
	int error;

	if (!used || !memory)
		return -FAIR_EINVAL;
	if (bytes < used + saved)
		return -FAIR_ENOMEM;
	fair_must(fair_sched_save(s, (char *)memory + used, saved));
	error = fair_sched_load(&x, sizeof(x), memory, used, config,
				(char *)memory + used, saved, NULL);
	if (error)
		return error;
	fair_sched_scan_limit(&x, s->has_scan_limit ? s->scan_limit : 0);
	*s = x;
	return 0;
}

#endif /* FAIRSCHED_WITHOUT_CHECKPOINT */
