/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_fairsched.c - SchedulerType=sched/fairsched for Slurm
 *
 * Loaded into slurmctld, so under its licence, GPL-2.0-or-later; it includes the
 * single file of fairsched, which is MIT or Unlicense.
 *
 * No job is held. With SchedulerParameters=sched_interval=-1,defer Slurm starts
 * none itself, and asks only at submission whether a job can ever run. A thread
 * takes build_job_queue(), as sched/backfill does: the jobs that Slurm would
 * start now, whatever holds, dependencies, begin times and partitions say. At
 * most every TICK and only after a change or at a due instant it compares them
 * with the scheduler, reports what differs as events, starts the jobs that the
 * scheduler starts on the nodes that it names, and writes the promised starts
 * where squeue --start finds them. Slurm owns jobs and nodes; the scheduler
 * owns plans and promises, and saves them after each pass that changes them.
 *
 * A pass reads the clock after each event, each start and each job that it
 * compares, and stops when BUDGET is used; after a rest the next one goes on
 * there. So it is longer by one of those at most, and by what the machine takes
 * to give it a processor meanwhile.
 *
 * The waiting tasks of an array are one job, the next task, as in the library.
 *
 * Nodes are nodes and TRES are resources, as machine.h says. A job is planned
 * as equal chunks on nodes, of a set or as choose.h says, and placed on these:
 * while Slurm does it, all others are excluded. Jobs in a reservation are
 * planned inside it. What is not planned, and why, the log says: such jobs
 * start in Slurm's order, on nodes that no promise needs before their limit.
 *
 * SchedulerParameters, joined by commas:
 *   fair_policy=conservative  or pc, dc, easy, fcfs, sfs, relshare, maui
 *   fair_order=fcfs           or another order of the policy; slurm: by the
 *                             priority that Slurm's priority plugin gives
 *   fair_margin=60            seconds that a job may outlive its limit, beside
 *                             OverTimeLimit, KillWait and CompleteWait
 *   fair_scan=100             queued jobs that one call may scan; 0: any number
 *   fair_config=FILE          of maui: Maui's configuration
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "slurm/slurm_errno.h"

#include "src/common/log.h"
#include "src/common/macros.h"
#include "src/common/plugin.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/locks.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/state_save.h"

#include "../../fairsched/base/output.h"

static jmp_buf failed; /* where a pass ends whose assertion fails */
static const char *failure;

static void fail_assertion(const char *what)
{
	failure = what;
	longjmp(failed, 1);
}

#define FAIR_ASSERT(x) ((x) ? (void)0 : fail_assertion(#x))
#define FAIRSCHED_IMPLEMENTATION
#include "choose.h"
#include "limits.h"
#include "maui.h"
#include "settings.h"

const char plugin_name[] = "fairsched: planned and promised starts";
const char plugin_type[] = "sched/fairsched";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

#define TICK 50000 /* microseconds */
#define BUDGET 50  /* ms with slurmctld's locks */
#define LONG 100   /* ms: a pass that the log names */
#define REST 4	   /* a pause is so many times as long as the pass before it */
#define LATE 10	   /* seconds */
#define SLACK 3	   /* seconds more, until a pass has slurmctld's locks */
#define USERS 16384
#define PRIORITIES 65536 /* of jobs, that are known */
#define LIMITS 4096
#define LIMIT 60 /* kinds of lines; the first ones are the causes */
#define MISSED 61
#define NOT_PLANNED 62
#define REFUSED 63
#define NOT_YET (-2)
#define RESERVATION ((uint64_t)1 << 63) /* of withheld.number; that of a job is
					   lower, and goes first */
#define BOUND 32 /* jobs that wait in reservations: each change plans all */
#define ADVANCES 256
#define SETS 256	   /* of nodes; the last one is for reservations */
#define NODES_OF_JOB 4	   /* on average, of all live jobs */
#define JOBS_OF_NODE 64
#define TRIES 100	   /* to start jobs that are not planned, in a pass */
#define REGISTER 60 /* seconds in which nodes register after a restart */
#define RETRY 5 /* seconds until a job that is not planned is tried again */
#define EACH 30	   /* seconds from pass to pass without news */
#define LOGGED 4096 /* lines, so that none is repeated in a minute */

static struct fair_sched sched;
static void *memory;
static bool is_open, is_changed, has_started, is_disabled, is_stopped;
static bool has_locks; /* slurmctld's */
static volatile bool is_reconfigured; /* since the last pass */
static time_t began;	  /* this slurmctld */
static char *parameters;  /* SchedulerParameters, as they were read */
static uint64_t modified; /* the running job whose limit changes */
static job_record_t **jobs; /* slurmctld's, since an assertion that fails while
			       its list is walked would leave that locked */
static size_t job_count;
static struct slurm_waiting *waiting; /* by job_id: what may start now */
static size_t waiting_count;
static int64_t margin;
static uint64_t scans;
static int64_t due; /* the scheduler's next instant, or Slurm's */
static int64_t passes, passing, longest; /* and their times in microseconds */
static int64_t long_passes; /* above LONG */
static int64_t longest_cpu; /* of the processor, which others may want, too */
static char *state;	    /* of the time before this slurmctld */
static size_t state_bytes;
static uint32_t policy, order;
static struct slurm_machine machine; /* as Slurm has it now */
static struct slurm_waiting *unplanned; /* of Slurm's queue */
static size_t unplanned_count;

/* What the scheduler was told of nodes. It is saved before its checkpoint. */
static struct shadow {
	uint64_t hash; /* of the machine */
	uint64_t set_hash[SETS + 1];
	struct withheld {
		uint64_t number, nodes; /* a hash of them */
		int64_t from, to;
	} withheld[ADVANCES];
	uint64_t count;	 /* of these */
	uint64_t bits[]; /* nodes that are down; those of set 1, 2, ... */
} *shadow;

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static int64_t microseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t milliseconds(void)
{
	return microseconds(CLOCK_MONOTONIC) / 1000;
}

/* ---- what Slurm says ---- */

/*
 * The id; of a task that of its array, and the task + 1 from bit 32 on. Tasks
 * that wait share a record, until one of them starts.
 */
static uint64_t number_of(const job_record_t *j)
{
	const job_array_struct_t *a = j->array_recs;
	int64_t next = a && a->task_id_bitmap && IS_JOB_PENDING(j)
			       ? bit_ffs(a->task_id_bitmap)
			       : -1;

	if (next >= 0)
		return j->job_id | (uint64_t)(next + 1) << 32;
	if (!j->array_job_id || j->array_task_id == NO_VAL)
		return j->job_id;
	return j->array_job_id | (uint64_t)(j->array_task_id + 1) << 32;
}

static job_record_t *find_job(uint64_t number)
{
	job_record_t *j = number >> 32
				  ? find_job_array_rec((uint32_t)number,
						       (uint32_t)(number >> 32) -
							       1)
				  : find_job_record((uint32_t)number);

	return j && number_of(j) == number ? j : NULL;
}

static const char *name_of(uint64_t number)
{
	static char name[32];

	snprintf(name, sizeof(name), number >> 32 ? "%u_%u" : "%u",
		 (uint32_t)number, (uint32_t)(number >> 32) - 1);
	return name;
}

/* Whether a minute has passed since the last line of this kind about the job;
 * of LOGGED lines the last ones are known. */
static bool may_log(uint64_t number, uint32_t kind)
{
	static struct {
		uint64_t key;
		time_t time;
	} last[LOGGED];
	uint64_t key = number * 64 + kind;
	size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 32) % LOGGED;
	time_t now = time(NULL);

	if (last[at].key == key && now < last[at].time + 60)
		return false;
	last[at].key = key;
	last[at].time = now;
	return true;
}

/* Whether it has processors: one that scontrol has suspended gave them back. */
static bool has_processors(const job_record_t *j)
{
	return IS_JOB_RUNNING(j) || IS_JOB_COMPLETING(j) ||
	       (IS_JOB_SUSPENDED(j) && j->priority);
}

static int collect(void *x, void *arg)
{
	(void)arg;
	jobs[job_count++] = x;
	return 0;
}

static void read_jobs(void)
{
	xfree(jobs);
	jobs = xcalloc((size_t)list_count(job_list) + 1, sizeof(*jobs));
	job_count = 0;
	list_for_each(job_list, collect, NULL);
}

static int compare_waiting(const void *x, const void *y)
{
	const struct slurm_waiting *a = x, *b = y;

	return a->job_id != b->job_id ? (a->job_id > b->job_id) * 2 - 1
				      : (a->at > b->at) * 2 - 1;
}

static void add_waiting(const job_record_t *j, part_record_t *part,
			uint32_t priority)
{
	waiting[waiting_count].job_id = j->job_id;
	waiting[waiting_count].priority = priority;
	waiting[waiting_count].at = waiting_count;
	waiting[waiting_count++].part = part;
}

/* Takes Slurm's queue, in which a job stands once for each partition. */
static void read_queue(void)
{
	list_t *queue = build_job_queue(false, false);
	job_queue_rec_t *q;

	xfree(waiting);
	waiting = xcalloc((size_t)list_count(queue) + 1, sizeof(*waiting));
	waiting_count = 0;
	while ((q = list_pop(queue))) {
		if (q->job_ptr->resv_list)
			job_queue_rec_resv_list(q);
		/* Preferred features, magnetic reservations: other tries. */
		if (!q->use_prefer && (!q->resv_ptr || q->job_ptr->resv_list))
			add_waiting(q->job_ptr, q->part_ptr, q->priority);
		xfree(q);
	}
	FREE_NULL_LIST(queue);
	qsort(waiting, waiting_count, sizeof(*waiting), compare_waiting);
}

/* Returns where the job stands in Slurm's queue, for how many partitions. */
static const struct slurm_waiting *find_waiting(const job_record_t *j,
						size_t *count)
{
	size_t low = 0, high = waiting_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (waiting[middle].job_id < j->job_id)
			low = middle + 1;
		else
			high = middle;
	}
	for (*count = 0; low + *count < waiting_count &&
			 waiting[low + *count].job_id == j->job_id;)
		++*count;
	return waiting + low;
}

static bool is_waiting(const job_record_t *j)
{
	size_t count = 0;

	if (IS_JOB_PENDING(j))
		find_waiting(j, &count);
	return count > 0;
}

/* What a job may take longer than its limit: Slurm asks every 30 s which jobs
 * are over theirs, ends them, and then they have to complete. */
static int64_t margin_of(const job_record_t *j)
{
	uint16_t over = j->part_ptr && j->part_ptr->over_time_limit != NO_VAL16
				? j->part_ptr->over_time_limit
				: slurm_conf.over_time_limit;

	return margin + slurm_conf.kill_wait + slurm_conf.complete_wait +
	       (over == INFINITE16 ? YEAR : (int64_t)over * 60);
}

/* The reservation in which a job is planned; NULL: none. */
static const slurmctld_resv_t *reservation_of(const job_record_t *j)
{
	const slurmctld_resv_t *r = j->resv_name ? j->resv_ptr : NULL;

	return r && !j->resv_list && r->node_bitmap && !r->core_bitmap &&
			       !(r->flags & (RESERVE_FLAG_TIME_FLOAT |
					     RESERVE_FLAG_FLEX |
					     RESERVE_FLAG_ANY_NODES))
		       ? r
		       : NULL;
}

/* Slurm ends a job with its reservation. */
static int64_t walltime_of(const job_record_t *j)
{
	const slurmctld_resv_t *r = reservation_of(j);
	uint32_t limit = j->time_limit;
	int64_t walltime, left;

	if (limit == NO_VAL && j->part_ptr)
		limit = j->part_ptr->default_time != NO_VAL
				? j->part_ptr->default_time
				: j->part_ptr->max_time;
	walltime = (limit == INFINITE || limit == NO_VAL
			    ? YEAR
			    : (int64_t)limit * 60) +
		   margin_of(j);
	if (!r)
		return walltime;
	left = r->end_time -
	       (has_processors(j) ? j->start_time
				  : MAX(time(NULL), r->start_time));
	return left > 0 && left < walltime ? left : walltime;
}

/* ---- the scheduler ---- */

static void promised(void *context, const struct fair_promise *p)
{
	uint32_t cause = p->cause;

	(void)context;
	if (cause == FAIR_CAUSE_EARLIER)
		return;
	/* A running job that gets a longer limit does not overrun. */
	if (cause == FAIR_CAUSE_OVERRUN && p->culprit == modified)
		cause = FAIR_CAUSE_MODIFIED;
	/* These are answers to changes; the others may go on and on. */
	if (cause != FAIR_CAUSE_ARRIVAL && cause != FAIR_CAUSE_MODIFIED &&
	    !may_log(p->number, cause))
		return;
	if (p->to == FAIR_FOREVER)
		info("fairsched: JobId=%s has no promise: %s",
		     name_of(p->number), fair_cause_name(cause));
	else
		info("fairsched: JobId=%s promised %" PRId64 ": %s",
		     name_of(p->number), p->to, fair_cause_name(cause));
}

/* The order fair_order=slurm. */
static int64_t slurm_priority(void *context, const struct fair_job *job)
{
	job_record_t *j;

	(void)context;
	FAIR_ASSERT(has_locks);
	j = find_job(job->number);
	return j ? -(int64_t)j->priority : 0;
}

/* What the caller adds to a configuration, also to a saved one. */
static void set_rest(struct fair_config *c)
{
	static int32_t whole[RESOURCES * CLASSES]; /* amounts of the classes */
	static struct fair_machine_config m;
	static struct fair_node_config n;

	n = (struct fair_node_config){
		.count = machine.count,
		.sets = SETS,
		.parts = slurm_conf.max_job_cnt * NODES_OF_JOB +
			 machine.nodes * JOBS_OF_NODE,
	};
	for (uint32_t i = 0; i < machine.classes * machine.resources; i++)
		whole[i] = machine.amount[i] *
			   (machine.wide >> i % machine.resources & 1
				    ? 1
				    : machine.count[i / machine.resources]);
	for (uint32_t k = 1; k < machine.classes; k++)
		n.first_fit |= machine.weight[k] != machine.weight[0];
	m.resources = machine.resources;
	m.classes = machine.classes;
	m.wide = machine.wide;
	m.amount = whole;
	c->machine = &m;
	c->nodes = &n;
	c->promised = promised;
	c->key = order == FAIR_ORDER_KEY ? slurm_priority : NULL;
	c->maui = policy == FAIR_MAUI ? configure_maui(&machine, USERS) : NULL;
}

/* Maui has limits of its own. */
static bool plans_limits(void)
{
	return has_limits() && policy != FAIR_MAUI;
}

/* Equal for what a plan can go on with. */
static uint64_t hash_site(void)
{
	return hash_machine(&machine) ^
	       (policy == FAIR_MAUI ? hash_maui() : 0);
}

/* In a folder of its own, which no other user may enter. */
static char *state_path(void)
{
	char *folder = xstrdup_printf("%s/fairsched",
				      slurm_conf.state_save_location);

	mkdir(folder, 0700);
	xstrcat(folder, "/state");
	return folder;
}

static int open_memory(const struct fair_config *c, size_t *bytes)
{
	*bytes = fair_sched_size(c);
	xfree(memory);
	memory = xmalloc(*bytes ? *bytes : 1);
	return *bytes ? 0 : -FAIR_EINVAL;
}

static size_t shadow_size(void)
{
	return sizeof(*shadow) + (SETS + 1) * machine.words * 8;
}

/* Needs none of slurmctld's locks. */
static void read_state(void)
{
	char *path = state_path();
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat s;

	xfree(path);
	if (fd < 0)
		return;
	if (!fstat(fd, &s) && s.st_size > (off_t)sizeof(*shadow)) {
		state_bytes = (size_t)s.st_size;
		state = xmalloc(state_bytes);
		if (read(fd, state, state_bytes) != s.st_size)
			xfree(state);
	}
	close(fd);
}

/* Continues from the checkpoint, if it is of this policy and machine. */
static bool load_state(void)
{
	size_t bytes, head = shadow_size();
	size_t n = state_bytes > head ? state_bytes - head : 0;
	const char *checkpoint = state + head;
	struct fair_config c;
	char why[128];
	int damage = 0;

	if (state && n && !memcmp(state, &shadow->hash, sizeof(shadow->hash)) &&
	    !fair_sched_checkpoint_config(checkpoint, n, &c, &damage) &&
	    c.policy == policy && c.order == order &&
	    (plans_limits() ? c.ids > 0 : !c.limits)) {
		set_rest(&c);
		c.limits = plans_limits() ? LIMITS : 0; /* saved: those set */
		c.jobs = c.ineligible = slurm_conf.max_job_cnt;
		is_open = !open_memory(&c, &bytes) &&
			  !fair_sched_load(&sched, sizeof(sched), memory, bytes,
					   &c, checkpoint, n, &damage);
		if (is_open)
			memcpy(shadow, state, head);
	}
	fair_damage_text(damage, &c, checkpoint, n, why, sizeof(why));
	info("fairsched: the saved plan %s%s%s",
	     is_open ? "continues" : "is not used, all is planned anew",
	     damage ? ": " : "", damage ? why : "");
	xfree(state);
	return is_open;
}

static void disable(const char *what, const char *why)
{
	error("fairsched: %s: %s; it is disabled, and Slurm's own scheduler "
	      "starts the jobs, until scontrol reconfigure",
	      what, why);
	is_disabled = true;
	is_open = false;
	due = 0;
}

/* Returns a state file, or NULL. Needs none of slurmctld's locks. */
static char *make_checkpoint(size_t *bytes)
{
	size_t n, head = shadow_size();
	char *made;

	if (setjmp(failed)) {
		disable("assertion failed", failure);
		return NULL;
	}
	n = fair_sched_checkpoint_size(&sched);
	made = xmalloc(head + n);
	*bytes = head + n;
	memcpy(made, shadow, head);
	if (fair_sched_save(&sched, made + head, n))
		xfree(made);
	return made;
}

static void write_checkpoint(const char *checkpoint, size_t bytes)
{
	char *path = state_path();

	if (output_save(path, checkpoint, bytes, true))
		error("fairsched: cannot write %s: %m", path);
	xfree(path);
}

/* An instant that was due up to LATE seconds ago takes its own time, so that a
 * busy slurmctld breaks no promise. */
static int64_t event_time(int64_t now)
{
	int64_t due = fair_sched_next(&sched);

	if (due < now && due >= now - LATE - SLACK)
		now = due;
	return now > sched.now ? now : sched.now;
}

/* Whether an instant was due for so long that its starts are late. */
static bool is_overdue(int64_t now)
{
	return fair_sched_next(&sched) < now - LATE;
}

static uint64_t hash_nodes(const uint64_t *nodes)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < machine.words; i++)
		h = (h ^ nodes[i]) * 1099511628211u ^ h >> 29;
	return h ? h : 1;
}

/* Returns whether it could: no live job asks for the set. */
static bool write_set(uint32_t set, const uint64_t *nodes)
{
	uint64_t *was = shadow->bits + set * machine.words;

	for (uint32_t i = 0; i < machine.nodes; i++)
		if (has_node(was, i) != has_node(nodes, i) &&
		    fair_sched_set_node(&sched, set, i, has_node(nodes, i)))
			return false;
	memcpy(was, nodes, machine.words * sizeof(*was));
	shadow->set_hash[set] = hash_nodes(nodes);
	return true;
}

/* Returns the number of a set of nodes; 0: all; -1: there are too many. */
static int find_set(const uint64_t *nodes)
{
	static uint32_t last;
	uint64_t h = hash_nodes(nodes);
	uint32_t i = 0, set;

	while (i < machine.nodes && has_node(nodes, i))
		i++;
	if (i == machine.nodes)
		return 0;
	for (set = 1; set < SETS; set++)
		if (shadow->set_hash[set] == h &&
		    !memcmp(shadow->bits + set * machine.words, nodes,
			    machine.words * sizeof(*nodes)))
			return (int)set;
	for (i = 1; i < SETS; i++) {
		last = last % (SETS - 1) + 1;
		if (write_set(last, nodes))
			return (int)last;
	}
	return -1;
}

/* Chooses the nodes of a job that takes not just any: those that it has in the
 * plan, if these are promised, or others. */
static void choose(uint64_t number, int64_t now, int64_t walltime,
		   struct slurm_request *q)
{
	struct fair_job_status r;

	if (!sched.planner->promises || fair_sched_lookup(&sched, number, &r) ||
	    !r.job.named ||
	    !keep_choice(&machine,
			 shadow->bits + r.job.named * machine.words, q))
		choose_nodes(&machine, fair_sched_plan_nodes(&sched), now,
			     walltime, q);
}

static bool is_withheld(uint64_t number)
{
	size_t i = 0;

	while (i < shadow->count && shadow->withheld[i].number != number)
		i++;
	return i < shadow->count;
}

/* Binds a job to its reservation, if it has one. Returns why it cannot be
 * planned, or NULL. */
static const char *bind_job(const job_record_t *j, struct fair_job *job,
			    const struct slurm_request *q)
{
	const slurmctld_resv_t *r = reservation_of(j);

	if (!j->resv_name)
		return NULL;
	if (!r)
		return "it is in a reservation without whole nodes of its own";
	job->advance = RESERVATION | r->resv_id;
	if (!is_withheld(job->advance))
		return "its reservation is not planned";
	if (must_choose(q))
		return "its nodes are chosen, in a reservation";
	for (uint32_t k = 0; k < machine.resources; k++)
		if (machine.wide >> k & 1 && q->amount[k])
			return "it takes licences, in a reservation";
	return NULL;
}

/* Describes a job to the scheduler; @q keeps its amounts, and why it cannot be
 * planned. */
static struct fair_job describe(job_record_t *j, int64_t now,
				struct slurm_request *q)
{
	struct fair_job job = { 0 };
	int64_t ran = has_processors(j) ? now - j->start_time : 0;
	const struct slurm_waiting *w;
	const char *why;
	size_t partitions;
	int set = 0;

	if (has_processors(j)) {
		read_allocation(&machine, j, q);
	} else {
		w = find_waiting(j, &partitions);
		read_request(&machine, j, w, partitions, q);
	}
	job.number = number_of(j);
	job.user = j->user_id;
	job.cookie = (uint64_t)j->details->submit_time;
	job.submit =
		j->details->submit_time < now ? j->details->submit_time : now;
	job.walltime = walltime_of(j) > ran ? walltime_of(j) - ran : 1;
	if (!q->why)
		q->why = bind_job(j, &job, q);
	if (!q->why && must_choose(q))
		choose(job.number, now, job.walltime, q);
	if (!q->why)
		set = find_set(q->nodes);
	if (set < 0)
		q->why = "its nodes would need one more set of nodes";
	job.procs = q->amount[0];
	job.amount = q->amount;
	job.chunks = q->chunks;
	job.per_node = 1;
	job.exclusive = q->exclusive;
	job.span = true;
	job.named = (uint32_t)set;
	why = policy == FAIR_MAUI ? read_credentials(&machine, j, &job)
				  : read_entities(j, policy, &job);
	q->forbidden = why && policy == FAIR_MAUI;
	if (!q->why)
		q->why = why;
	return job;
}

/* What the scheduler knows of limits, by a hash. */
static struct fair_limit known[2 * LIMITS];

static struct fair_limit *find_known(const struct fair_limit *l)
{
	uint64_t h = (l->id * 64 + l->kind) * 64 + l->resource;
	size_t at = (size_t)(h * 0x9e3779b97f4a7c15u >> 40) % (2 * LIMITS);

	for (size_t i = 0; i < 2 * LIMITS; i++, at = (at + 1) % (2 * LIMITS))
		if (!known[at].amount ||
		    (known[at].id == l->id && known[at].kind == l->kind &&
		     known[at].resource == l->resource))
			return known + at;
	return NULL;
}

/* 0 stands for an empty place, so amounts are one more. */
static void note_limit(struct fair_limit *at, const struct fair_limit *l)
{
	*at = *l;
	at->amount += l->amount < FAIR_LIMIT_NONE;
}

/* After a checkpoint was loaded, or a scheduler was made. */
static void read_known_limits(void)
{
	struct fair_limit l;
	uint32_t at = 0;

	memset(known, 0, sizeof(known));
	while (fair_sched_each_limit(&sched, &at, &l))
		note_limit(find_known(&l), &l);
}

/* The share of a job's account or user, as Slurm has it now. */
static void sync_share(const job_record_t *j, int64_t now,
		       const struct fair_job *job)
{
	bool is_sfs = policy == FAIR_SFS;
	uint32_t kind = is_sfs ? FAIR_ENTITY_ACCOUNT : FAIR_ENTITY_GROUP;
	uint64_t id = is_sfs ? job->account : job->group;
	struct fair_entity e;
	int64_t share;

	if (!is_sfs && policy != FAIR_RELSHARE)
		return;
	share = read_share(j, policy,
			   is_sfs ? sched.config.procs
				  : (int64_t)FAIR_RELSHARE_SHARES);
	if (fair_sched_get_entity(&sched, kind, id, &e) || e.share == share)
		return;
	is_changed = true;
	fair_sched_set_share(&sched, now, kind, id, share);
}

static void add_entities(const job_record_t *j, int64_t now,
			 const struct fair_job *job)
{
	const uint64_t id[FAIR_ENTITY_KINDS] = { job->user, job->group,
						 job->account, job->qos,
						 job->queue };

	if (policy == FAIR_MAUI) {
		add_credentials(&sched, now, j, job);
		return;
	}
	for (uint32_t kind = 0; sched.config.ids && kind < FAIR_ENTITY_KINDS;
	     kind++)
		if (id[kind] != FAIR_NO_ENTITY)
			fair_sched_add_entity(&sched, now, kind, id[kind]);
	sync_share(j, now, job);
}

/* Tells the scheduler the limits of a job, as Slurm has them now. */
static void sync_limits_of(const job_record_t *j, int64_t now,
			   const struct fair_job *job)
{
	struct fair_limit l[LIMITS_OF_JOB], *at;
	size_t n = 0;
	int64_t was;

	if (plans_limits())
		n = read_limits(&machine, j, policy, job, l);
	for (size_t i = 0; i < n; i++) {
		at = find_known(l + i);
		was = !at || !at->amount ? FAIR_LIMIT_NONE
		      : at->amount == FAIR_LIMIT_NONE ? at->amount
						      : at->amount - 1;
		if (was == l[i].amount)
			continue;
		is_changed = true;
		add_entities(j, now, job);
		if (!at || fair_sched_limit(&sched, now, l + i)) {
			if (may_log(l[i].id, LIMIT))
				error("fairsched: a limit cannot be planned: "
				      "there are more than %d",
				      LIMITS);
			continue;
		}
		note_limit(at, l + i);
	}
}

/* Whether jobs would have to make way for it. */
static bool may_preempt(job_record_t *j)
{
	list_t *victims = slurm_conf.preempt_mode
				  ? slurm_find_preemptable_jobs(j)
				  : NULL;
	bool may = victims && list_count(victims);

	FREE_NULL_LIST(victims);
	return may;
}

/* Tells why a job has no start. */
static void tell_not_planned(job_record_t *j, const char *why)
{
	static const char about[] = "fairsched: not planned: ";

	if (may_log(number_of(j), NOT_PLANNED))
		info("fairsched: %pJ is not planned: %s", j, why);
	if (j->system_comment && xstrcmp(j->system_comment, about) &&
	    xstrstr(j->system_comment, about) != j->system_comment)
		return;
	xfree(j->system_comment);
	xstrfmtcat(j->system_comment, "%s%s", about, why);
}

/* What becomes of a job: Maui's configuration may forbid its start. */
enum outcome { PLANNED, UNPLANNED, FORBIDDEN };

/* Submits a job that waits, or runs. */
static enum outcome submit(job_record_t *j, int64_t now)
{
	struct slurm_request q;
	struct fair_job job = describe(j, now, &q);
	struct fair_limit limit;

	if (!q.why && !has_processors(j) && may_preempt(j))
		q.why = "other jobs may have to make way for it";
	if (!q.why && job.advance &&
	    fair_sched_count(&sched, FAIR_INELIGIBLE) >= BOUND)
		q.why = "many jobs wait in reservations";
	if (!q.why) {
		is_changed = true;
		add_entities(j, now, &job);
		sync_limits_of(j, now, &job);
		if (!fair_sched_submit(&sched, now, &job))
			return PLANNED;
		q.why = fair_sched_job_error(&sched, now, &job);
	}
	if (!q.why && fair_sched_find_limit(&sched, &job, &limit))
		q.why = "a limit forbids it";
	if (!q.why && fair_sched_submit(&sched, now, &job) != -FAIR_ERANGE)
		q.why = "there is no room for another job";
	if (!q.why && policy == FAIR_MAUI) {
		q.why = "no nodes have what it asks for, or Maui's limits "
			"forbid it";
		q.forbidden = true;
	}
	tell_not_planned(j, q.why ? q.why : "no nodes have what it asks for");
	return q.forbidden ? FORBIDDEN : UNPLANNED;
}

/*
 * What makes Slurm place a job as it is planned: not on fewer nodes, and with
 * no more on one of them. Else it would take all of the first node and one
 * processor of the next.
 */
struct shape {
	bitstr_t *excluded;
	uint32_t min_nodes, cpus, asked_cpus; /* of each node */
};

static struct shape set_shape(job_record_t *j, bitstr_t *nodes, uint32_t least)
{
	job_details_t *d = j->details;
	struct shape was = { d->exc_node_bitmap, d->min_nodes, d->pn_min_cpus,
			     d->orig_pn_min_cpus };
	uint32_t n = (uint32_t)bit_set_count(nodes);

	if (least && n > d->min_nodes)
		d->min_nodes = n;
	if (least && n > 1)
		d->pn_min_cpus = d->orig_pn_min_cpus = least;
	d->exc_node_bitmap = bit_copy(nodes);
	bit_not(d->exc_node_bitmap);
	if (was.excluded)
		bit_or(d->exc_node_bitmap, was.excluded);
	d->features_use = d->features;
	d->feature_list_use = d->feature_list;
	return was;
}

static void reset_shape(job_record_t *j, const struct shape *was)
{
	job_details_t *d = j->details;

	if (!d)
		return;
	FREE_NULL_BITMAP(d->exc_node_bitmap);
	d->exc_node_bitmap = was->excluded ? bit_copy(was->excluded) : NULL;
	d->min_nodes = was->min_nodes;
	d->pn_min_cpus = was->cpus;
	d->orig_pn_min_cpus = was->asked_cpus;
}

/* Starts a job as sched/backfill does, on some of the nodes; or on all of them,
 * with at least so many processors on each. */
static int start_job(job_record_t *j, bitstr_t *nodes, uint32_t least)
{
	struct shape was = set_shape(j, nodes, least);
	job_record_t *rest;
	int rc = license_job_test(j, time(NULL), true);

	if (rc)
		j->state_reason = WAIT_LICENSES;
	else
		rc = place_job(j);
	/* The tasks of an array that wait have become a record of their own. */
	rest = j->array_job_id ? find_job_record(j->array_job_id) : NULL;
	if (rest && rest != j && IS_JOB_PENDING(rest))
		reset_shape(rest, &was);
	reset_shape(j, &was);
	FREE_NULL_BITMAP(was.excluded);
	last_job_update = time(NULL);
	if (rc)
		return rc;
	info("fairsched: started %pJ on %s", j, j->nodes);
	has_started = true;
	if (!j->batch_flag)
		srun_allocate(j);
	else if (!IS_JOB_CONFIGURING(j))
		launch_job(j);
	return 0;
}

/* The nodes of a job in the plan. */
static bitstr_t *planned_nodes(uint64_t number)
{
	bitstr_t *nodes = bit_alloc(node_record_count);
	struct fair_nodes_part part;
	uint32_t at = 0;

	while (fair_sched_nodes(&sched, number, &at, &part))
		bit_set(nodes, machine.index[part.node]);
	return nodes;
}

static void log_refusal(const job_record_t *j, bitstr_t *nodes, int rc)
{
	char *names = bitmap2node_name(nodes);

	if (may_log(number_of(j), REFUSED))
		info("fairsched: %pJ cannot start on %s: %s", j, names,
		     slurm_strerror(rc));
	xfree(names);
}

static void log_late(const job_record_t *j, int64_t now)
{
	struct fair_job_status r;

	if (!fair_sched_lookup(&sched, number_of(j), &r) &&
	    r.first_promise < now)
		info("fairsched: %pJ is %" PRId64
		     " s later than first promised: %s",
		     j, now - r.first_promise, fair_cause_name(r.cause));
}

/* A planned job has started: the next task of its array is planned. */
static void plan_next_task(job_record_t *j, int64_t now)
{
	job_record_t *next;

	log_late(j, now);
	next = j->array_job_id ? find_job_record(j->array_job_id) : NULL;
	if (next && is_waiting(next) && job_array_start_test(next))
		submit(next, now);
}

/* Whether Slurm starts no job on the nodes yet: on one of them another has to
 * complete, or it was resumed and has to register, which takes a moment. */
static bool must_wait(bitstr_t *nodes)
{
	node_record_t *n;

	if (bit_overlap_any(nodes, cg_node_bitmap))
		return true;
	if (bit_super_set(nodes, avail_node_bitmap))
		return false;
	for (int i = 0; (n = next_node(&i)); i++)
		if (bit_test(nodes, i) && IS_NODE_NO_RESPOND(n) &&
		    n->last_response > time(NULL) - LATE)
			return true;
	return false;
}

/* Starts a job on its planned nodes, in a partition that has all of them. Returns
 * 0, NOT_YET, or an error. */
static int start_planned_job(job_record_t *j, uint64_t number, int64_t now)
{
	size_t partitions;
	const struct slurm_waiting *w = find_waiting(j, &partitions);
	bitstr_t *nodes = planned_nodes(number);
	struct slurm_request q;
	int rc;

	read_request(&machine, j, w, partitions, &q);
	while (partitions > 1 && w->part->node_bitmap &&
	       !bit_super_set(nodes, w->part->node_bitmap)) {
		w++;
		partitions--;
	}
	j->part_ptr = w->part;
	rc = must_wait(nodes) ? NOT_YET : start_job(j, nodes, q.least);
	if (!rc)
		plan_next_task(j, now);
	else if (rc != NOT_YET)
		log_refusal(j, nodes, rc);
	FREE_NULL_BITMAP(nodes);
	return rc;
}

static void carry_out(const struct fair_decision *d, int64_t now)
{
	job_record_t *j = find_job(d->number);
	int rc;

	is_changed = true;
	if (!j || has_processors(j))
		return;
	rc = is_waiting(j) ? start_planned_job(j, d->number, now) : SLURM_ERROR;
	if (rc && rc != NOT_YET) /* then sync_running() tries again */
		fair_sched_refuse(&sched, now, d->number);
}

/* Returns whether the time was enough. */
static bool start_jobs(int64_t now, int64_t until)
{
	struct fair_decision start;
	size_t n;

	while (!fair_sched_step(&sched, now, &start, 1, &n)) {
		if (n)
			carry_out(&start, now);
		else if (!fair_sched_is_unfinished(&sched))
			break;
		if (milliseconds() >= until)
			return false;
	}
	return true;
}

/*
 * Time passes, if a start is overdue, and the reaction to the events of the
 * last pass is finished. Both may take long and ask nothing of Slurm, so they
 * need none of its locks.
 */
static void react_unlocked(void)
{
	int64_t now;

	if (!is_open || is_disabled)
		return;
	if (setjmp(failed)) {
		disable("assertion failed", failure);
		return;
	}
	now = time(NULL);
	if (is_overdue(now)) {
		is_changed = true;
		fair_sched_finish_many(&sched, now, NULL, NULL, 0);
	}
	while (!is_stopped && fair_sched_resume(&sched))
		;
}

/* Lets the plan react to an event. Returns whether the time was enough. */
static bool react(int64_t until)
{
	bool more;

	do
		more = fair_sched_resume(&sched);
	while (more && milliseconds() < until);
	return !more && milliseconds() < until;
}

/* Users, accounts ... that the policy or the order counts, and limits. */
static void count_entities(struct fair_config *c)
{
	int64_t half_life = slurm_conf.priority_decay_hl;

	if (order == FAIR_ORDER_USAGE || order == FAIR_ORDER_DOMINANT) {
		c->users = USERS;
		c->half_life = half_life;
	} else if (policy == FAIR_RELSHARE) {
		c->users = USERS;
		c->by_group = true;
		c->decays = half_life > 0;
		c->window = half_life ? half_life : DAY;
	}
	if (policy == FAIR_SFS)
		c->accounts = USERS;
	if (plans_limits())
		c->limits = LIMITS;
	if (c->users || c->accounts || c->limits || c->maui)
		c->ids = USERS;
}

/* What decides about the jobs, and what does not. */
static void log_settings(void)
{
	char *resources = NULL;

	for (uint32_t r = 0; r < machine.resources; r++)
		xstrfmtcat(resources, "%s%s", r ? ", " : "", machine.name[r]);
	info("fairsched: %s, order %s; %u nodes in %u classes; planned are %s, "
	     "and time limits with %" PRId64
	     " s, OverTimeLimit, KillWait %u s and CompleteWait %u s; limits are "
	     "%s; not planned are jobs that may preempt, shared "
	     "processors, topology",
	     policy == FAIR_BACKFILL ? "easy" : fair_policy_name(policy),
	     order == FAIR_ORDER_KEY ? "slurm" : fair_order_name(order),
	     machine.nodes, machine.classes, resources, margin,
	     slurm_conf.kill_wait, slurm_conf.complete_wait,
	     plans_limits() ? "MaxJobs, GrpJobs, GrpTRES, MaxJobsPU, MaxTRESPU"
	     : has_limits() ? "Maui's, and Slurm's at the start"
			    : "not enforced");
	xfree(resources);
}

/* Creates the scheduler; jobs that run are started at once. */
static bool open_sched(time_t now)
{
	struct fair_config c = { 0 };
	size_t bytes;

	xfree(shadow);
	shadow = xmalloc(shadow_size());
	shadow->hash = hash_site();
	log_settings();
	if (load_state()) {
		read_known_limits();
		return true;
	}
	set_rest(&c);
	c.policy = policy;
	c.order = order;
	c.depth = policy == FAIR_BACKFILL;
	c.origin = now;
	c.jobs = c.ineligible = slurm_conf.max_job_cnt;
	c.advances = ADVANCES;
	count_entities(&c);
	for (uint32_t k = 0; k < machine.classes; k++)
		c.procs += c.machine->amount[k * machine.resources];
	if (open_memory(&c, &bytes) ||
	    fair_sched_init(&sched, sizeof(sched), memory, bytes, &c)) {
		disable("fair_policy and fair_order",
			fair_sched_config_error(&c)
				? fair_sched_config_error(&c)
				: "no memory");
		return false;
	}
	read_known_limits();
	return is_open = true;
}

/* When a job that runs is to end. */
static int64_t end_of(const job_record_t *j, int64_t now)
{
	int64_t end = j->start_time + walltime_of(j);

	return end > now ? end : (now / 60 + 2) * 60;
}

/* Keeps nodes from the plan. */
static void withhold(int64_t now, uint64_t number, int64_t from, int64_t to,
		     const uint64_t *nodes)
{
	struct fair_advance a = { .number = number,
				  .from = from,
				  .to = to,
				  .kind = FAIR_ADVANCE_USER,
				  .named = SETS };

	is_changed = true;
	if (shadow->count == ADVANCES || !write_set(SETS, nodes) ||
	    fair_sched_advance_reserve(&sched, now, &a, true)) {
		verbose("fairsched: a reservation cannot be planned");
		return;
	}
	shadow->withheld[shadow->count++] =
		(struct withheld){ number, hash_nodes(nodes), from, to };
}

/* The job is not in the plan. If it runs, its nodes are withheld whole. */
static void give_way(job_record_t *j, int64_t now)
{
	uint64_t *nodes;

	if (!j)
		return;
	if (IS_JOB_PENDING(j) && j->start_time) {
		j->start_time = 0;
		last_job_update = time(NULL);
	} else if (has_processors(j)) {
		nodes = xcalloc(machine.words, sizeof(*nodes));
		read_nodes(&machine, j->node_bitmap, nodes);
		withhold(now, number_of(j), j->start_time,
			 end_of(j, now), nodes);
		xfree(nodes);
	}
}

/*
 * Submits the jobs that run without having been planned, on their nodes.
 * Returns whether there are some: the next step is to start them.
 */
static bool adopt(int64_t now)
{
	struct fair_job_status r;
	bool some = false;

	for (size_t i = 0; i < job_count; i++) {
		job_record_t *j = jobs[i];
		const slurmctld_resv_t *in = reservation_of(j);

		if (!has_processors(j) || !j->details ||
		    !fair_sched_lookup(&sched, number_of(j), &r) ||
		    is_withheld(number_of(j)) ||
		    (in && !is_withheld(RESERVATION | in->resv_id)))
			continue;
		if (submit(j, now) == PLANNED)
			some = true;
		else
			give_way(j, now);
	}
	return some;
}

/* Of a walk through the jobs that wait: the queue, then reservations. */
struct walk {
	struct fair_queue_place at;
	bool is_inside;
};

static bool next_waiting(struct walk *w, struct fair_job_status *r)
{
	if (!w->is_inside && fair_sched_each(&sched, FAIR_QUEUED, &w->at, r))
		return true;
	if (!w->is_inside)
		*w = (struct walk){ { 0, 0 }, true };
	return fair_sched_each(&sched, FAIR_INELIGIBLE, &w->at, r);
}

/* Returns the numbers of the jobs that wait, or run. */
static uint64_t *list(bool run, size_t *n)
{
	uint32_t most = fair_sched_count(&sched, FAIR_RUNNING);
	struct walk at = { { 0, 0 }, false };
	struct fair_job_status r;
	uint64_t *all;

	if (!run)
		most = fair_sched_count(&sched, FAIR_QUEUED) +
		       fair_sched_count(&sched, FAIR_INELIGIBLE);
	all = xcalloc(most + 1, sizeof(*all));
	for (*n = 0; run ? fair_sched_each(&sched, FAIR_RUNNING, &at.at, &r)
			 : next_waiting(&at, &r);
	     ++*n)
		all[*n] = r.job.number;
	return all;
}

/* Whether a job of the plan has ended. One that Slurm could not start yet is
 * tried again. */
static bool has_ended(const struct fair_job_status *r, int64_t now)
{
	job_record_t *j = find_job(r->job.number);
	bool is_same_run = j && j->details &&
			   (uint64_t)j->details->submit_time == r->job.cookie;
	int rc;

	if (is_same_run && is_waiting(j) && now < r->start + LATE) {
		rc = machine.awaits_nodes
			     ? NOT_YET
			     : start_planned_job(j, r->job.number, now);
		if (!rc || rc == NOT_YET)
			return false;
	}
	return !is_same_run || !has_processors(j);
}

/* Reports the jobs that have ended as one event: the plan reacts once. */
static void sync_ends(int64_t now)
{
	struct fair_job_status r;
	size_t n, i, ended = 0;
	uint64_t *number = list(true, &n);

	for (i = 0; i < n; i++)
		if (!fair_sched_lookup(&sched, number[i], &r) &&
		    has_ended(&r, now))
			number[ended++] = number[i];
	if (ended) {
		is_changed = true;
		fair_sched_finish_many(&sched, now, number, NULL, ended);
	}
	xfree(number);
}

/* Returns whether the limit of a job that runs was changed. */
static bool sync_limit(const struct fair_job_status *r, int64_t now)
{
	job_record_t *j = find_job(r->job.number);
	int64_t walltime;
	int rc;

	if (!j || !has_processors(j))
		return false;
	walltime = walltime_of(j) - MAX(0, r->start - j->start_time);
	if (walltime <= 0 || walltime == r->job.walltime)
		return false;
	modified = r->job.number;
	rc = fair_sched_modify(&sched, now, r->job.number, r->job.procs,
			       walltime);
	modified = 0;
	return !rc;
}

/* Returns whether the time was enough. */
static bool sync_running(int64_t now, int64_t until)
{
	struct fair_job_status r;
	uint64_t *number;
	bool enough;
	size_t n, i;

	sync_ends(now);
	enough = react(until);
	number = list(true, &n);
	for (i = 0; enough && i < n; i++) {
		if (fair_sched_lookup(&sched, number[i], &r) ||
		    !sync_limit(&r, now))
			continue;
		is_changed = true;
		enough = react(until);
	}
	xfree(number);
	return enough;
}

/* Whether the job asks for what the scheduler knows, but for its walltime. */
static bool asks_same(const struct fair_job *was, const struct fair_job *now)
{
	return was->procs == now->procs && was->chunks == now->chunks &&
	       was->exclusive == now->exclusive && was->named == now->named &&
	       was->advance == now->advance &&
	       was->group == now->group && was->account == now->account &&
	       was->queue == now->queue && was->qos == now->qos &&
	       !memcmp(was->amount + 1, now->amount + 1,
		       (machine.resources - 1) * sizeof(*now->amount));
}

/* Whether a queued job still waits as the scheduler knows it. */
static bool is_same(const struct fair_job *was, int64_t now)
{
	job_record_t *j = find_job(was->number);
	struct slurm_request q;
	struct fair_job job;

	if (!j || !is_waiting(j) ||
	    (uint64_t)j->details->submit_time != was->cookie)
		return false;
	job = describe(j, now, &q);
	if (!q.why) {
		if (policy == FAIR_MAUI)
			add_credentials(&sched, now, j, &job);
		sync_share(j, now, &job);
		sync_limits_of(j, now, &job);
	}
	if (q.why || !asks_same(was, &job))
		return false;
	if (job.walltime == was->walltime)
		return true;
	is_changed = true;
	return !fair_sched_modify(&sched, now, was->number, job.procs,
				  job.walltime);
}

/* Whether Slurm's priority of a job is another one than when it was asked last,
 * as far as that is known. */
static bool has_new_priority(const job_record_t *j)
{
	static struct {
		uint32_t job_id, priority;
	} last[PRIORITIES];
	size_t at = j->job_id % PRIORITIES;

	if (last[at].job_id == j->job_id && last[at].priority == j->priority)
		return false;
	last[at].job_id = j->job_id;
	last[at].priority = j->priority;
	return true;
}

static void sync_queued_job(uint64_t number, int64_t now)
{
	struct fair_job_status r;

	if (fair_sched_lookup(&sched, number, &r) || r.state == FAIR_RUNNING)
		return;
	if (!is_same(&r.job, now)) { /* if it asks for more, it comes anew */
		is_changed = true;
		fair_sched_cancel(&sched, now, number);
		give_way(find_job(number), now);
	} else if (order == FAIR_ORDER_KEY &&
		   has_new_priority(find_job(number))) {
		fair_sched_reprioritize(&sched, now, number);
	}
}

/*
 * Compares the queued jobs, the last one first; the next pass continues where
 * the time ends. Returns whether it was enough.
 */
static bool sync_queued(int64_t now, int64_t until)
{
	static uint64_t *number;
	static size_t left;
	bool enough = true;

	if (!left)
		number = list(false, &left);
	while (left && enough) {
		sync_queued_job(number[--left], now);
		enough = react(until);
	}
	if (left)
		return false;
	xfree(number);
	return true;
}

static bool has_deadline(const job_record_t *j)
{
	return j->deadline && j->deadline != NO_VAL;
}

/*
 * Submits the jobs that wait; the next pass continues where the time ends.
 * Returns whether it was enough.
 */
static bool sync_waiting(int64_t now, int64_t until)
{
	static uint32_t done; /* the last job */
	struct fair_job_status r;

	xrecalloc(unplanned, unplanned_count + waiting_count + 1,
		  sizeof(*unplanned));
	if (!done)
		unplanned_count = 0;
	for (size_t i = 0; i < waiting_count; i++) {
		job_record_t *j;

		if (waiting[i].job_id <= done ||
		    !(j = find_job_record(waiting[i].job_id)))
			continue;
		if (has_deadline(j) && is_waiting(j) &&
		    !deadline_ok(j, "fairsched"))
			continue;
#ifdef FAIRSCHED_PLUGIN_FAIL /* the test's */
		FAIR_ASSERT(access(FAIRSCHED_PLUGIN_FAIL, F_OK));
#endif
		done = waiting[i].job_id;
		if (is_waiting(j) &&
		    fair_sched_lookup(&sched, number_of(j), &r) &&
		    submit(j, now) == UNPLANNED)
			unplanned[unplanned_count++] = waiting[i];
		if (!react(until))
			return false;
	}
	done = 0;
	return true;
}

/* Lists what each reservation has, and jobs that run beside the plan. */
static size_t list_withheld(int64_t now, struct withheld *w, uint64_t *nodes)
{
	list_itr_t *i = list_iterator_create(resv_list);
	slurmctld_resv_t *r;
	size_t n = 0;

	while ((r = list_next(i)) && n < ADVANCES) {
		if (r->end_time <= now || !r->node_bitmap ||
		    r->flags & RESERVE_FLAG_TIME_FLOAT)
			continue;
		read_nodes(&machine, r->node_bitmap, nodes + n * machine.words);
		w[n++] = (struct withheld){ RESERVATION | r->resv_id, 0,
					    r->start_time, r->end_time };
	}
	list_iterator_destroy(i);
	for (size_t k = 0; k < shadow->count && n < ADVANCES; k++) {
		uint64_t number = shadow->withheld[k].number;
		job_record_t *j = number & RESERVATION ? NULL
						       : find_job(number);

		if (!j || !has_processors(j))
			continue;
		read_nodes(&machine, j->node_bitmap, nodes + n * machine.words);
		w[n++] = (struct withheld){ number, 0, j->start_time,
					    end_of(j, now) };
	}
	for (size_t k = 0; k < n; k++)
		w[k].nodes = hash_nodes(nodes + k * machine.words);
	return n;
}

/* Returns whether the time was enough. */
static bool sync_withheld(int64_t now, int64_t until)
{
	struct withheld w[ADVANCES];
	uint64_t *nodes = xcalloc(ADVANCES * machine.words, sizeof(*nodes));
	size_t n = list_withheld(now, w, nodes), k, i;
	bool enough = true;

	for (i = 0; enough && i < shadow->count;) {
		for (k = 0; k < n && memcmp(&w[k], &shadow->withheld[i],
					    sizeof(*w));)
			k++;
		if (k < n) {
			i++;
			continue;
		}
		is_changed = true;
		fair_sched_advance_cancel(&sched, now,
					  shadow->withheld[i].number);
		shadow->withheld[i] = shadow->withheld[--shadow->count];
		enough = react(until);
	}
	for (k = 0; enough && k < n; k++) {
		if (is_withheld(w[k].number))
			continue;
		withhold(now, w[k].number, w[k].from, w[k].to,
			 nodes + k * machine.words);
		enough = react(until);
	}
	xfree(nodes);
	return enough;
}

/* The plan has the nodes that take jobs. Returns whether the time sufficed. */
static bool sync_nodes(int64_t now, int64_t until)
{
	for (uint32_t i = 0; i < machine.nodes; i++) {
		bool is_up = has_node(machine.up, i);

		if (is_up != has_node(shadow->bits, i))
			continue;
		shadow->bits[i / 64] ^= (uint64_t)1 << i % 64;
		is_changed = true;
		if (is_up)
			fair_sched_node_up(&sched, now, i);
		else
			fair_sched_node_down(&sched, now, i, NULL, 0);
		if (!react(until))
			return false;
	}
	return true;
}

/* ---- what is not planned ---- */

static int compare_unplanned(const void *x, const void *y)
{
	const struct slurm_waiting *a = x, *b = y;

	return a->priority != b->priority
		       ? (a->priority < b->priority) * 2 - 1
		       : (a->job_id > b->job_id) * 2 - 1;
}

/* When each node is first needed for a promise. */
static int64_t *list_needs(void)
{
	int64_t *need = xcalloc(machine.nodes, sizeof(*need));
	struct walk at = { { 0, 0 }, false };
	struct fair_nodes_part part;
	struct fair_job_status r;
	uint32_t k;

	for (uint32_t i = 0; i < machine.nodes; i++)
		need[i] = INT64_MAX;
	while (next_waiting(&at, &r))
		for (k = 0; fair_sched_nodes(&sched, r.job.number, &k, &part);)
			need[part.node] = MIN(need[part.node], r.start);
	return need;
}

/* Returns whether the job starts, on nodes that no promise needs before its
 * limit; one that may preempt takes any. */
static bool try_job(job_record_t *j, const int64_t *need, int64_t now)
{
	bitstr_t *nodes = bit_alloc(node_record_count);
	bool preempts = may_preempt(j), has_started = false;
	const struct slurm_waiting *w;
	size_t n;

	for (uint32_t i = 0; i < machine.nodes; i++)
		if (preempts || need[i] >= now + walltime_of(j))
			bit_set(nodes, machine.index[i]);
	w = find_waiting(j, &n);
	for (; n-- && !has_started && !j->het_job_id; w++) {
		j->part_ptr = w->part;
		has_started = !start_job(j, nodes, 0);
	}
	FREE_NULL_BITMAP(nodes);
	return has_started;
}

/* Jobs that are not planned, in Slurm's order. */
static void start_unplanned(int64_t now, int64_t until)
{
	int64_t *need = unplanned_count ? list_needs() : NULL;
	job_record_t *j;

	qsort(unplanned, unplanned_count, sizeof(*unplanned),
	      compare_unplanned);
	for (size_t i = 0; i < unplanned_count && i < TRIES; i++) {
		j = find_job_record(unplanned[i].job_id);
		while (j && is_waiting(j) && milliseconds() < until &&
		       try_job(j, need, now))
			j = find_job_record(unplanned[i].job_id);
	}
	if (unplanned_count)
		due = MIN(due, now + RETRY);
	xfree(need);
}

/* Tells squeue on which nodes the job is to start. */
static void write_planned_nodes(job_record_t *j, uint64_t number)
{
	bitstr_t *nodes = planned_nodes(number);

	xfree(j->sched_nodes);
	if (bit_ffs(nodes) >= 0)
		j->sched_nodes = bitmap2node_name(nodes);
	FREE_NULL_BITMAP(nodes);
}

/* Tells squeue the planned start, if that is within a year, and what the job
 * waits for if Slurm has no reason: the first, and those in reservations, for
 * resources, others for these. */
static void write_start(job_record_t *j, const struct fair_job_status *r,
			bool is_first)
{
	time_t start = r->start - sched.now < YEAR ? r->start : 0;
	uint32_t reason = is_first ? WAIT_RESOURCES : WAIT_PRIORITY;
	uint32_t was = j->state_reason;

	name_limit(j);
	if (j->state_reason != WAIT_NO_REASON &&
	    j->state_reason != WAIT_RESOURCES &&
	    j->state_reason != WAIT_PRIORITY)
		reason = j->state_reason;
	j->state_reason = reason;
	if (j->start_time == start && was == reason)
		return;
	if (has_deadline(j) && start > j->deadline &&
	    may_log(r->job.number, MISSED))
		info("fairsched: %pJ is to start at %" PRId64
		     ", after its deadline",
		     j, r->start);
	if (j->start_time != start)
		write_planned_nodes(j, r->job.number);
	j->start_time = start;
	last_job_update = time(NULL);
}

/*
 * Tells squeue the planned starts; the next pass continues where the time ends.
 * Returns whether it was enough.
 */
static bool write_plan(int64_t until)
{
	static struct walk at;
	static bool has_first;
	struct fair_job_status r;

	while (next_waiting(&at, &r)) {
		job_record_t *j = find_job(r.job.number);

		if (j)
			write_start(j, &r, !has_first || r.job.advance);
		has_first = true;
		if (milliseconds() >= until)
			return false;
	}
	has_first = false;
	at = (struct walk){ { 0, 0 }, false };
	return true;
}

static void read_machine_again(void)
{
	free_machine(&machine);
	if (!read_machine(&machine, time(NULL) < began + REGISTER) ||
	    (is_open && hash_site() != shadow->hash)) {
		if (is_open)
			info("fairsched: nodes, licences, or QoS or windows of "
			     "fair_config were configured anew: all is planned "
			     "anew");
		is_open = false;
	}
}

/* When a job or a reservation is to begin, which changes nothing in Slurm. */
static int64_t next_eligible(time_t now)
{
	int64_t next = now + EACH;
	slurmctld_resv_t *r;
	list_itr_t *i;

	for (size_t k = 0; k < job_count; k++)
		if (IS_JOB_PENDING(jobs[k]) && jobs[k]->details &&
		    jobs[k]->details->begin_time > now)
			next = MIN(next, jobs[k]->details->begin_time);
	i = list_iterator_create(resv_list);
	while ((r = list_next(i)))
		if (r->start_time > now)
			next = MIN(next, r->start_time);
	list_iterator_destroy(i);
	return next;
}

/* Whether the policy starts what is due without a scan of the queue. Then that
 * comes before more events, or one long reaction after the other would. */
static bool starts_unscanned(void)
{
	return policy == FAIR_CONSERVATIVE || policy == FAIR_PC;
}

/* @was_cut: the time of the pass before was not enough. Returns whether it was
 * now. */
static bool plan_within_budget(time_t now, bool was_cut)
{
	int64_t until = milliseconds() + BUDGET, at;
	bool first, enough = true;

	read_machine_again();
	first = !is_open;
	if (first && (!machine.nodes || !open_sched(now)))
		return !is_disabled;
	if (first && is_overdue(now))
		return false; /* which react_unlocked() is for */
	fair_sched_scan_limit(&sched, scans);
	if (!react(until) || (fair_sched_is_unfinished(&sched) &&
			      !start_jobs(sched.now, until)))
		return false;
	at = event_time(now);
	if (was_cut && starts_unscanned() && !machine.awaits_nodes &&
	    !start_jobs(at, until))
		return false;
	if (first || !machine.awaits_nodes)
		enough = !adopt(at) ||
			 start_jobs(at, first ? INT64_MAX : until);
	if (!enough || !sync_withheld(at, until) || !sync_running(at, until))
		return false;
	/* A part of the time is left for what follows. */
	enough = sync_queued(at, until - BUDGET * 4 / 5);
	enough &= sync_waiting(at, until - BUDGET * 3 / 5);
	if (!sync_nodes(at, until))
		return false;
	if (!machine.awaits_nodes)
		enough &= start_jobs(at, until - BUDGET / 5);
	if (enough && !machine.awaits_nodes)
		start_unplanned(at, until);
	enough &= write_plan(until);
	due = MIN(due, MIN(fair_sched_next(&sched), next_eligible(now)));
	return enough;
}

/* Returns whether another pass is needed at once: a walk of several passes may
 * have missed what came meanwhile. */
static bool plan(time_t now)
{
	static bool was_cut;
	bool is_cut = !plan_within_budget(now, was_cut);
	bool again = is_cut || was_cut;

	was_cut = is_cut;
	return again;
}

/* Slurm's own scheduler goes on: these bytes of its parameters stop it. */
static void start_scheduler_of_slurm(void)
{
	char *p = xstrcasestr(slurm_conf.sched_params, STOPS_SLURM);

	if (!p)
		return;
	memcpy(p, "sched_interval=60", strlen(STOPS_SLURM));
	schedule(true);
}

/* The plan goes on with other weights, priorities and limits of Maui. */
static void reconfigure(void)
{
	struct fair_config c = sched.config;
	void *was = memory;
	size_t bytes;

	set_rest(&c);
	bytes = fair_sched_grow_size(&sched, &c);
	memory = xmalloc(bytes ? bytes : 1);
	is_open = bytes && !fair_sched_grow(&sched, memory, bytes, &c);
	xfree(was);
	info("fairsched: fair_config has changed%s",
	     is_open ? "" : ", all is planned anew");
}

/* At the start, and after each scontrol reconfigure. */
static void load_config(void)
{
	struct settings s;
	char *word = NULL;
	const char *why = read_parameters(&s, &word);

	if (!why && s.policy == FAIR_MAUI) {
		why = load_maui(s.config);
		word = xstrdup_printf("fair_config=%s", s.config);
	}
	is_disabled = false;
	if (why)
		disable(word, why);
	xfree(word);
	if (is_open && (s.policy != policy || s.order != order)) {
		info("fairsched: another policy or order: all is planned anew");
		is_open = false;
	}
	policy = s.policy;
	order = s.order;
	margin = s.margin;
	scans = s.scans;
	if (is_open && policy == FAIR_MAUI && has_new_maui())
		reconfigure();
	if (is_open)
		log_settings();
}

static bool pass(void)
{
	time_t now = time(NULL);

	if (setjmp(failed)) {
		disable("assertion failed", failure);
		return false;
	}
	if (!parameters || xstrcmp(parameters, slurm_conf.sched_params) ||
	    is_reconfigured) {
		is_reconfigured = false;
		load_config();
	}
	due = now + EACH;
	if (is_disabled)
		start_scheduler_of_slurm();
	xfree(parameters);
	parameters = xstrdup(slurm_conf.sched_params ? slurm_conf.sched_params
						     : "");
	if (is_disabled)
		return false;
	read_jobs();
	read_queue();
	return plan(now);
}

/* A long pass is followed by a long rest: slurmctld has its locks to itself, as
 * it had them since @from. */
static void rest(int64_t took, int64_t from)
{
	int64_t had = microseconds(CLOCK_MONOTONIC) - from;
	int64_t pause = MAX(took * REST - had, TICK);
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += pause % 1000000 * 1000;
	t.tv_sec += pause / 1000000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	slurm_mutex_lock(&lock);
	if (!is_stopped)
		pthread_cond_timedwait(&wake, &lock, &t);
	slurm_mutex_unlock(&lock);
}

/* Updates have seconds: one of the last pass's own second may follow it. */
static bool has_news(time_t last)
{
	return last_job_update >= last || last_node_update >= last ||
	       last_part_update >= last || last_resv_update >= last ||
	       slurm_conf.last_update >= last || due <= time(NULL);
}

static void *run(void *arg)
{
	slurmctld_lock_t locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK,
				   READ_LOCK };
	time_t last = 0;
	bool again = true;
	size_t bytes = 0;
	int64_t began, cpu, took = 0, from = 0;
	char *checkpoint;

	(void)arg;
	read_state();
	while (rest(took, from), !is_stopped) {
		took = 0;
		if (!again && !has_news(last))
			continue;
		lock_slurmctld(locks);
		has_locks = true;
		began = microseconds(CLOCK_MONOTONIC);
		cpu = microseconds(CLOCK_THREAD_CPUTIME_ID);
		last = time(NULL);
		again = pass();
		took = microseconds(CLOCK_MONOTONIC) - began;
		cpu = microseconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
		from = began + took;
		has_locks = false;
		unlock_slurmctld(locks);
		react_unlocked();
		checkpoint = is_changed && is_open && !is_disabled
				     ? make_checkpoint(&bytes)
				     : NULL;
		is_changed = false;
		passes++;
		passing += took;
		longest = MAX(longest, took);
		longest_cpu = MAX(longest_cpu, cpu);
		if (took > LONG * 1000) {
			long_passes++;
			info("fairsched: a pass took %" PRId64 " ms, %" PRId64
			     " of them on a processor",
			     took / 1000, cpu / 1000);
		}
		if (checkpoint)
			write_checkpoint(checkpoint, bytes);
		if (has_started) {
			schedule_job_save();
			schedule_node_save();
		}
		has_started = false;
		xfree(checkpoint);
	}
	return NULL;
}

int init(void)
{
	if (thread)
		return SLURM_ERROR;
	began = time(NULL);
	slurm_thread_create(&thread, run, NULL);
	return SLURM_SUCCESS;
}

void fini(void)
{
	slurm_mutex_lock(&lock);
	is_stopped = true;
	pthread_cond_signal(&wake);
	slurm_mutex_unlock(&lock);
	if (thread)
		pthread_join(thread, NULL);
	thread = 0;
	info("fairsched: %" PRId64 " passes with slurmctld's locks, of %" PRId64
	     " us on average, %" PRId64 " us at most, %" PRId64
	     " above %d ms; of processor time %" PRId64 " us at most",
	     passes, passes ? passing / passes : 0, longest, long_passes, LONG,
	     longest_cpu);
	xfree(state);
	xfree(memory);
	xfree(jobs);
	xfree(waiting);
	xfree(unplanned);
	xfree(shadow);
	xfree(parameters);
	free_machine(&machine);
	free_maui();
}

int sched_p_reconfig(void)
{
	is_reconfigured = true;
	return SLURM_SUCCESS;
}
