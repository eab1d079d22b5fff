/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/absent.h - stand-ins for limits, nodes, classes and the space
 *
 * Where they are left out there are none: what would ask them compiles, and is
 * not reached. Their structures have the fields that it reads, as the headers
 * have them: where these change, a build without them no longer compiles.
 * Without a space there is one pool, and one reservation, planned by the shadow
 * time of backfill.h.
 *
 * Uses: nothing.
 */

/* In place of any function of them. */
static inline bool fair_absent(const void *absent, ...)
{
	(void)absent;
	return false;
}

#ifdef FAIRSCHED_WITHOUT_PROFILE
#define FAIR_FOREVER INT64_MAX
struct fair_moves {
	void (*moved)(void *context, uint32_t slot, int64_t from);
	void *context;
	void (*sort)(void *context, uint32_t *slot, uint32_t jobs);
	bool (*gate)(void *context, uint32_t slot);
	void (*filled)(void *context, uint32_t slot, bool starts);
};
struct fair_profile {
	int64_t origin, horizon;
};
struct fair_space {
	struct fair_profile profile;
};
static inline bool fair_space_allows(const struct fair_space *space,
				     uint32_t slot, int64_t from, int64_t end)
{
	return !fair_absent(space, slot, from, end);
}
static inline bool fair_space_allows_until(const struct fair_space *space,
					   uint32_t slot, int64_t from,
					   int64_t walltime, int64_t until)
{
	return !fair_absent(space, slot, from, walltime, until);
}
#define fair_profile_min_free fair_absent
#define fair_profile_size(steps) 0
#define fair_space_advance fair_absent
#define fair_space_busy(space, slot, procs) (procs)
#define fair_space_change fair_absent
#define fair_space_change_job fair_absent
#define fair_space_check fair_absent
#define fair_space_class(space, slot) 0
#define fair_space_classes(space) 1
#define fair_space_clone fair_absent
#define fair_space_earlier fair_absent
#define fair_space_earliest fair_absent
#define fair_space_fits fair_absent
#define fair_space_has_limits fair_absent
#define fair_space_has_nodes fair_absent
#define fair_space_hold fair_absent
#define fair_space_init fair_absent
#define fair_space_is_pool(space) true
#define fair_space_limit_by fair_absent
#define fair_space_needs_slots fair_absent
#define fair_space_plan_on_nodes fair_absent
#define fair_space_resize fair_absent
#define fair_space_set_class fair_absent
#define fair_space_settle fair_absent
#define fair_space_settle_job fair_absent
#define fair_space_veto_anew fair_absent
#define fair_space_veto_by fair_absent
#endif /* FAIRSCHED_WITHOUT_PROFILE */

#ifdef FAIRSCHED_WITHOUT_LIMITS
struct fair_quotas {
	bool exceeded;
};
#define fair_quotas_check fair_absent
#define fair_quotas_earliest fair_absent
#define fair_quotas_give_up fair_absent
#define fair_quotas_hold fair_absent
#define fair_quotas_is_over fair_absent
#define fair_quotas_waits fair_absent
#endif /* FAIRSCHED_WITHOUT_LIMITS */

#ifdef FAIRSCHED_WITHOUT_NODES
#define FAIR_NODES_RESOURCES 8
struct fair_nodes_request {
	const int32_t *amount;
	int32_t chunks, per_node;
	bool exclusive, span;
	uint32_t named, excluded;
	const uint8_t *classes;
	uint32_t count;
};
struct fair_nodes_part {
	uint32_t node;
	int32_t chunks;
};
struct fair_nodes {
	int64_t origin, horizon;
	uint32_t nodes, classes, resources, wide, sets;
};
static inline struct fair_nodes_request
fair_nodes_asked(const struct fair_nodes *n, uint32_t slot)
{
	struct fair_nodes_request none = { NULL, 0, 0, false, false,
					   0,	 0, NULL, 0 };

	(void)n;
	(void)slot;
	return none;
}
static inline int fair_nodes_step_at(const struct fair_nodes *n, uint32_t node,
				     int64_t t, int64_t *start, int64_t *end,
				     int32_t *amount)
{
	*start = t;
	*end = FAIR_FOREVER;
	*amount = 0;
	return fair_absent(n, node);
}
#define fair_nodes_advance fair_absent
#define fair_nodes_assign fair_absent
#define fair_nodes_can_resize fair_absent
#define fair_nodes_can_serve fair_absent
#define fair_nodes_check fair_absent
#define fair_nodes_choose fair_absent
#define fair_nodes_class fair_absent
#define fair_nodes_clear fair_absent
#define fair_nodes_down fair_absent
#define fair_nodes_earlier_again fair_absent
#define fair_nodes_earlier_start fair_absent
#define fair_nodes_earliest_start fair_absent
#define fair_nodes_fill fair_absent
#define fair_nodes_first fair_absent
#define fair_nodes_fits fair_absent
#define fair_nodes_fits_again fair_absent
#define fair_nodes_fits_parts fair_absent
#define fair_nodes_forget fair_absent
#define fair_nodes_has fair_absent
#define fair_nodes_is_down fair_absent
#define fair_nodes_move fair_absent
#define fair_nodes_next_part fair_absent
#define fair_nodes_note_first fair_absent
#define fair_nodes_parts fair_absent
#define fair_nodes_release fair_absent
#define fair_nodes_reserve fair_absent
#define fair_nodes_resize fair_absent
#define fair_nodes_set fair_absent
#define fair_nodes_set_job fair_absent
#define fair_nodes_settle fair_absent
#define fair_nodes_up fair_absent
#define fair_nodes_whole fair_absent
#define fair_nodes_wide(n, resource)                                           \
	(fair_absent(n, resource), (const struct fair_profile *)NULL)
#endif /* FAIRSCHED_WITHOUT_NODES */

#ifdef FAIRSCHED_WITHOUT_CLASSES
#define FAIR_APART /* calls of machines are not inlined */
#define FAIR_MACHINE_RESOURCES 8
#define FAIR_MACHINE_CLASSES 64
struct fair_machine_config {
	uint32_t resources, classes, wide;
	const int32_t *amount;
};
struct fair_billing {
	int64_t weight[FAIR_MACHINE_RESOURCES];
	bool maximum;
};
struct fair_machine_request {
	const int32_t *amount;
	const uint8_t *classes;
	uint32_t count;
};
struct fair_claim {
	int32_t procs;
	uint32_t node_class;
	const int32_t *amount;
	uint32_t slot;
};
struct fair_machine {
	int64_t origin;
	uint32_t resources, classes, wide;
};
struct fair_machine_jobs {
	struct fair_machine machine;
	uint32_t jobs;
	int32_t *amount;
	uint8_t *classes, *count, *node_class;
};
static inline struct fair_claim
fair_machine_jobs_claim(const struct fair_machine_jobs *x, uint32_t slot)
{
	struct fair_claim none = { 0, 0, NULL, 0 };

	(void)x;
	(void)slot;
	return none;
}
static inline struct fair_machine_request
fair_machine_jobs_request(const struct fair_machine_jobs *x, uint32_t slot)
{
	struct fair_machine_request none = { NULL, NULL, 0 };

	(void)x;
	(void)slot;
	return none;
}
static inline int fair_machine_min_free(const struct fair_machine *m,
					uint32_t k, int64_t from, int64_t end,
					int32_t *free)
{
	uint32_t r;

	for (r = 0; r < FAIR_MACHINE_RESOURCES; r++)
		free[r] = 0;
	return fair_absent(m, k, from, end);
}
#define fair_machine_advance fair_absent
#define fair_machine_change_capacity fair_absent
#define fair_machine_check fair_absent
#define fair_machine_earlier_start fair_absent
#define fair_machine_earliest_start fair_absent
#define fair_machine_fits fair_absent
#define fair_machine_move fair_absent
#define fair_machine_release fair_absent
#define fair_machine_reserve fair_absent
#define fair_machine_settle fair_absent
#define fair_machine_profile(m, k, r)                                          \
	(fair_absent(m, k, r), (const struct fair_profile *)NULL)
#endif /* FAIRSCHED_WITHOUT_CLASSES */
