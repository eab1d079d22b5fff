/* What cffi reads of fairsched.h: the C compiler fills in the dots, and rejects
 * what differs. */
#define FAIR_FOREVER ...
#define FAIR_NO_ENTITY ...
#define FAIR_USAGE_TOTAL ...

struct fair_machine_config { uint32_t resources, classes, wide; const int32_t *amount; ...; };
struct fair_node_config { const int32_t *count; uint32_t sets, parts; bool first_fit; ...; };
struct fair_job {
	uint64_t number, cookie;
	int64_t submit, walltime;
	int32_t procs;
	uint64_t user, group, account, queue, qos;
	int64_t penalty;
	uint32_t tasks;
	uint64_t advance;
	const int32_t *amount;
	const uint8_t *classes;
	uint32_t class_count;
	int32_t chunks, per_node;
	bool exclusive, span;
	uint32_t named, excluded;
	...;
};
struct fair_promise {
	uint64_t number, cookie;
	int64_t made, from, to;
	uint32_t cause, node_class;
	uint64_t culprit;
	...;
};
struct fair_eligibility { int64_t begin; uint64_t after; uint32_t end; bool held; ...; };
struct fair_advance {
	uint64_t number;
	int64_t from, to;
	int32_t procs;
	uint32_t kind, user, node_class;
	int32_t amount[8];
	int32_t nodes;
	uint32_t named;
	...;
};
struct fair_config {
	uint32_t policy, order, depth, select, metric;
	bool longest;
	int32_t procs;
	const struct fair_machine_config *machine;
	const struct fair_node_config *nodes;
	int64_t origin;
	uint32_t jobs, ineligible, advances, dependencies, accounts;
	const int64_t *target;
	int64_t weight, half_life;
	uint32_t users;
	const uint32_t *share;
	int64_t window, window_origin;
	bool only_used, by_group, by_difference, decays, by_target;
	uint32_t ids, credits, task_limits;
	int64_t patience;
	int64_t (*key)(void *, const struct fair_job *);
	int64_t (*fits)(void *, const struct fair_job *, int64_t, int64_t);
	void (*promised)(void *, const struct fair_promise *);
	void *context;
	...;
};
struct fair_decision { uint64_t number, cookie; int64_t time; uint32_t node_class; ...; };
struct fair_job_status {
	struct fair_job job;
	uint32_t state, waits, cause, moves, node_class;
	int64_t start, end, first_promise, not_before, ran;
	...;
};
struct fair_entity { uint64_t id; uint32_t index; uint64_t usage, fraction; int64_t share; ...; };
struct fair_queue_place { ...; };
struct fair_sched { struct fair_config config; ...; };
struct fair_nodes_part { uint32_t node; int32_t chunks; ...; };
struct fair_why { ...; };
struct fair_fst { int64_t strict, relaxed; ...; };

const char *fair_version(void);
const char *fair_strerror(int error);
const char *fair_policy_name(uint32_t policy);
const char *fair_order_name(uint32_t order);
const char *fair_state_name(uint32_t state);
const char *fair_cause_name(uint32_t cause);
int fair_policy_by_name(const char *name);
int fair_order_by_name(const char *name);
int fair_state_by_name(const char *name);
const char *fair_sched_config_error(const struct fair_config *config);
size_t fair_sched_size(const struct fair_config *config);
size_t fair_sched_fst_size(const struct fair_config *config);
int fair_sched_init(struct fair_sched *s, size_t struct_size, void *memory, size_t bytes, const struct fair_config *config);
int fair_sched_submit_ineligible(struct fair_sched *s, int64_t now, const struct fair_job *job, const struct fair_eligibility *condition);
const char *fair_sched_job_error(const struct fair_sched *s, int64_t now, const struct fair_job *job);
int fair_sched_defer(struct fair_sched *s, int64_t now, uint64_t number, const struct fair_eligibility *condition);
int fair_sched_exit(struct fair_sched *s, int64_t now, uint64_t number, int32_t status);
int fair_sched_finish_many(struct fair_sched *s, int64_t now, const uint64_t *number, const int32_t *status, size_t n);
int fair_sched_cancel(struct fair_sched *s, int64_t now, uint64_t number);
int fair_sched_requeue(struct fair_sched *s, int64_t now, uint64_t number);
int fair_sched_suspend(struct fair_sched *s, int64_t now, uint64_t number);
int fair_sched_resume_job(struct fair_sched *s, int64_t now, uint64_t number);
int fair_sched_refuse_until(struct fair_sched *s, int64_t now, uint64_t number, int64_t not_before);
int fair_sched_retry(struct fair_sched *s, int64_t now, uint64_t number);
int fair_sched_reprioritize(struct fair_sched *s, int64_t now, uint64_t number);
int fair_sched_replan(struct fair_sched *s, int64_t now);
int fair_sched_modify(struct fair_sched *s, int64_t now, uint64_t number, int32_t procs, int64_t walltime);
int fair_sched_capacity(struct fair_sched *s, int64_t now, int32_t delta, const uint64_t *victim, size_t victims);
int fair_sched_class_capacity(struct fair_sched *s, int64_t now, uint32_t node_class, uint32_t resource, int32_t delta, const uint64_t *victim, size_t victims);
int fair_sched_advance_reserve(struct fair_sched *s, int64_t now, const struct fair_advance *advance, bool force);
int fair_sched_advance_cancel(struct fair_sched *s, int64_t now, uint64_t number);
bool fair_sched_advance_get(const struct fair_sched *s, uint32_t i, struct fair_advance *advance);
bool fair_sched_nodes(const struct fair_sched *s, uint64_t number, uint32_t *at, struct fair_nodes_part *part);
int fair_sched_set_node(struct fair_sched *s, uint32_t set, uint32_t node, bool in);
int fair_sched_node_down(struct fair_sched *s, int64_t now, uint32_t node, const uint64_t *victim, size_t victims);
int fair_sched_node_up(struct fair_sched *s, int64_t now, uint32_t node);
int fair_sched_add_entity(struct fair_sched *s, int64_t now, uint32_t kind, uint64_t id);
int fair_sched_remove_entity(struct fair_sched *s, int64_t now, uint32_t kind, uint64_t id);
int fair_sched_set_share(struct fair_sched *s, int64_t now, uint32_t kind, uint64_t id, int64_t share);
int fair_sched_set_usage(struct fair_sched *s, int64_t now, uint32_t kind, uint64_t id, uint64_t usage);
int fair_sched_get_entity(const struct fair_sched *s, uint32_t kind, uint64_t id, struct fair_entity *entity);
int fair_sched_step(struct fair_sched *s, int64_t now, struct fair_decision *start, size_t room, size_t *n);
int64_t fair_sched_next(const struct fair_sched *s);
int64_t fair_sched_next_start(const struct fair_sched *s);
int fair_sched_lookup(const struct fair_sched *s, uint64_t number, struct fair_job_status *status);
bool fair_sched_each(const struct fair_sched *s, uint32_t state, struct fair_queue_place *at, struct fair_job_status *status);
uint32_t fair_sched_count(const struct fair_sched *s, uint32_t state);
int fair_sched_clone(struct fair_sched *copy, void *memory, size_t bytes, const struct fair_sched *s);
int fair_sched_estimate(const struct fair_sched *s, uint64_t number, void *memory, size_t bytes, int64_t *start);
int fair_sched_why(const struct fair_sched *s, uint64_t number, void *memory, size_t bytes, struct fair_why *why);
size_t fair_why_text(const struct fair_why *why, char *text, size_t size);
size_t fair_damage_text(int damage, const struct fair_config *config, const void *checkpoint, size_t bytes, char *text, size_t size);
int fair_sched_check(const struct fair_sched *s);
uint64_t fair_sched_digest(const struct fair_sched *s);
size_t fair_sched_checkpoint_size(const struct fair_sched *s);
int fair_sched_save(const struct fair_sched *s, void *checkpoint, size_t bytes);
int fair_sched_load(struct fair_sched *s, size_t struct_size, void *memory, size_t bytes, const struct fair_config *config, const void *checkpoint, size_t checkpoint_bytes, int *damage);
int fair_sched_checkpoint_config(const void *checkpoint, size_t bytes, struct fair_config *config, int *damage);
size_t fair_sched_grow_size(const struct fair_sched *s, const struct fair_config *config);
int fair_sched_grow(struct fair_sched *s, void *memory, size_t bytes, const struct fair_config *config);

struct fair_profile { ...; };
struct fair_step { int64_t start, end; int32_t free; ...; };
size_t fair_profile_size(size_t steps);
int fair_profile_init(struct fair_profile *p, size_t struct_size, void *memory, size_t bytes, int32_t procs, int64_t origin);
int fair_profile_earliest_start(const struct fair_profile *p, int64_t not_before, int64_t walltime, int32_t procs, int64_t *start);
int fair_profile_min_free(const struct fair_profile *p, int64_t start, int64_t end, int32_t *free_procs);
int fair_profile_step_at(const struct fair_profile *p, int64_t t, struct fair_step *step);
size_t fair_profile_steps(const struct fair_profile *p);
int fair_profile_reserve(struct fair_profile *p, int64_t start, int64_t walltime, int32_t procs);
int fair_profile_release(struct fair_profile *p, int64_t start, int64_t walltime, int32_t procs);
int fair_profile_change_capacity(struct fair_profile *p, int64_t start, int64_t end, int32_t delta);
int fair_profile_advance(struct fair_profile *p, int64_t origin);
int fair_profile_settle(struct fair_profile *p);

struct fair_usage { ...; };
size_t fair_usage_size(uint32_t entities, uint32_t depth, uint32_t sources);
int fair_usage_init_half_life(struct fair_usage *u, size_t struct_size, void *memory, size_t bytes, uint32_t entities, uint32_t sources, uint64_t id, int64_t half_life);
int fair_usage_charge(struct fair_usage *u, uint32_t entity, int64_t t0, int64_t t1, int64_t rate);
int fair_usage_at(const struct fair_usage *u, uint32_t entity, int64_t t, uint64_t *whole, uint64_t *fraction);
int fair_usage_share(const struct fair_usage *u, uint32_t entity, int64_t t, int64_t *points);
size_t fair_usage_checkpoint_size(const struct fair_usage *u);
int fair_usage_save(const struct fair_usage *u, void *checkpoint, size_t bytes);
size_t fair_usage_load_size(const void *checkpoint, size_t bytes);
int fair_usage_load(struct fair_usage *u, size_t struct_size, void *memory,
		    size_t memory_bytes, const void *checkpoint,
		    size_t checkpoint_bytes, int *damage);

struct fair_replay {
	size_t jobs;
	const int64_t *submit, *run, *walltime;
	const int32_t *procs;
	const int64_t *user, *group, *account;
	const uint32_t *order;
	int64_t *start, *promise;
	uint64_t digest;
	size_t job;
	...;
};
size_t fair_replay_size(struct fair_replay *r, const struct fair_config *config);
int fair_replay(struct fair_replay *r, const struct fair_config *config, void *memory, size_t bytes);

extern "Python" void fair_python_promised(void *, const struct fair_promise *);
extern "Python" int64_t fair_python_fits(void *, const struct fair_job *, int64_t, int64_t);
