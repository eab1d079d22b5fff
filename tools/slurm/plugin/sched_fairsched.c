/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_fairsched.c - SchedulerType=sched/fairsched for Slurm 22.05
 *
 * Loaded into slurmctld, so under its licence, GPL-2.0-or-later; it includes the
 * single file of fairsched, which is MIT or Unlicense.
 *
 * job_submit.lua holds each job. A thread compares slurmctld's job list with the
 * scheduler, at most every TICK and only after a change or at a due instant,
 * reports what differs as events, starts the jobs that the scheduler starts, and
 * writes the promised starts where squeue --start finds them. Slurm owns jobs and
 * nodes; the scheduler owns plans and promises, and saves them after each pass
 * that changes them. A pass stops after BUDGET, and the next one goes on.
 *
 * Nodes are classes and TRES are resources, as machine.h says. A job runs in one
 * class: the nodes of the others are excluded while Slurm places it.
 *
 * SchedulerParameters, joined by commas:
 *   fair_policy=conservative  or pc, dc, easy, fcfs
 *   fair_order=fcfs           or another order of the policy
 *   fair_margin=90            seconds that a job may outlive its limit
 *   fair_scan=1000            queued jobs that one call may scan; 0: any number
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

#include "machine.h"

static jmp_buf failed; /* where a pass ends whose assertion fails */
static const char *failure;

static void fail_assertion(const char *what)
{
	failure = what;
	longjmp(failed, 1);
}

#define FAIR_ASSERT(x) ((x) ? (void)0 : fail_assertion(#x))
#define FAIRSCHED_STATIC
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched_single.h"

const char plugin_name[] = "fairsched: planned and promised starts";
const char plugin_type[] = "sched/fairsched";
const uint32_t plugin_version = SLURM_VERSION_NUMBER;

#define TICK 100000000 /* ns */
#define BUDGET 50      /* ms with slurmctld's locks */
#define STARTS 64
#define YEAR (365 * 86400)
#define HOLD_MARK "[held by its user]" /* of job_submit.lua */

static struct fair_sched sched;
static void *memory;
static bool is_open, is_changed, has_started, is_disabled, is_stopped;
static int64_t margin = 90;
static uint64_t scans = 1000;
static int64_t passes, passing, longest; /* and their times in microseconds */
static uint32_t policy = FAIR_CONSERVATIVE, order = FAIR_ORDER_FCFS;
static struct slurm_machine machine;	      /* as Slurm has it now */
static int32_t planned[RESOURCES * CLASSES]; /* the plan's amounts */
static uint64_t planned_hash;
static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static int64_t microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static int64_t milliseconds(void)
{
	return microseconds() / 1000;
}

/* ---- what Slurm says ---- */

static bool has_processors(const job_record_t *j)
{
	return IS_JOB_RUNNING(j) || IS_JOB_SUSPENDED(j) || IS_JOB_COMPLETING(j);
}

/* Whether the job waits for our release. */
static bool is_ours(job_record_t *j, time_t now)
{
	bool changed = false;

	return IS_JOB_PENDING(j) && !IS_JOB_COMPLETING(j) && !j->priority &&
	       j->state_reason != WAIT_HELD && j->details &&
	       j->details->begin_time <= now && !j->het_job_id &&
	       !xstrstr(j->comment, HOLD_MARK) &&
	       (!j->details->depend_list ||
		test_job_dependency(j, &changed) == NO_DEPEND) &&
	       job_array_start_test(j);
}

static int64_t walltime_of(const job_record_t *j)
{
	uint32_t limit = j->time_limit;

	if (limit == NO_VAL && j->part_ptr)
		limit = j->part_ptr->default_time != NO_VAL
				? j->part_ptr->default_time
				: j->part_ptr->max_time;
	return (limit == INFINITE || limit == NO_VAL ? YEAR
						     : (int64_t)limit * 60) +
	       margin;
}

/* ---- the scheduler ---- */

static void promised(void *context, const struct fair_promise *p)
{
	(void)context;
	if (p->cause == FAIR_CAUSE_ARRIVAL)
		debug("fairsched: JobId=%" PRIu64 " promised %" PRId64,
		      p->number, p->to);
	else
		info("fairsched: JobId=%" PRIu64 " promise moved to %" PRId64
		     ": %s",
		     p->number, p->to, fair_cause_name(p->cause));
}

/* What the caller adds to a configuration, also to a saved one. */
static void set_rest(struct fair_config *c, struct fair_machine_config *m)
{
	m->resources = machine.resources;
	m->classes = machine.classes;
	m->wide = machine.wide;
	m->amount = machine.amount;
	c->machine = m->resources > 1 || m->classes > 1 ? m : NULL;
	c->promised = promised;
}

static char *state_path(void)
{
	return xstrdup_printf("%s/fairsched_state",
			      slurm_conf.state_save_location);
}

static int open_memory(const struct fair_config *c, size_t *bytes)
{
	*bytes = fair_sched_size(c);
	xfree(memory);
	memory = xmalloc(*bytes ? *bytes : 1);
	return *bytes ? 0 : -FAIR_EINVAL;
}

/* What precedes the checkpoint in the state file. */
struct state_head {
	uint64_t hash; /* of the machine */
	int32_t planned[RESOURCES * CLASSES];
};

static char *read_state(const char *path, size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat s;
	char *state = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &s) && s.st_size > (off_t)sizeof(struct state_head)) {
		*bytes = (size_t)s.st_size;
		state = xmalloc(*bytes);
		if (read(fd, state, *bytes) != s.st_size)
			xfree(state);
	}
	close(fd);
	return state;
}

/* Continues from the checkpoint, if it is of this policy and machine. */
static bool load_state(void)
{
	char *path = state_path();
	size_t bytes, n = 0;
	char *state = read_state(path, &n);
	struct state_head *head = (struct state_head *)state;
	const char *image = state + sizeof(*head);
	struct fair_machine_config m;
	struct fair_config c;
	int damage = 0;

	n -= state ? sizeof(*head) : 0;
	if (state && head->hash == planned_hash &&
	    !fair_sched_checkpoint_config(image, n, &c, &damage) &&
	    c.policy == policy && c.order == order) {
		set_rest(&c, &m);
		c.jobs = slurm_conf.max_job_cnt;
		is_open = !open_memory(&c, &bytes) &&
			  !fair_sched_load(&sched, sizeof(sched), memory, bytes,
					   &c, image, n, &damage);
		memcpy(planned, head->planned, sizeof(planned));
	}
	info("fairsched: %s: %s", path,
	     is_open ? "continues" : "not used, all is planned anew");
	xfree(state);
	xfree(path);
	return is_open;
}

/* Returns a state file, to be written without locks; NULL if there is none. */
static char *make_image(size_t *bytes)
{
	size_t n = fair_sched_checkpoint_size(&sched);
	struct state_head *head = xmalloc(sizeof(*head) + n);

	*bytes = sizeof(*head) + n;
	head->hash = planned_hash;
	memcpy(head->planned, planned, sizeof(planned));
	if (fair_sched_save(&sched, head + 1, n))
		xfree(head);
	return (char *)head;
}

static void write_image(const char *image, size_t bytes)
{
	char *path = state_path(), *new = xstrdup_printf("%s.new", path);
	int fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, image, bytes) != (ssize_t)bytes || fsync(fd) ||
	    rename(new, path))
		error("fairsched: cannot write %s: %m", path);
	if (fd >= 0)
		close(fd);
	xfree(new);
	xfree(path);
}

static int64_t event_time(time_t now)
{
	return now > sched.now ? now : sched.now;
}

/* Describes a job to the scheduler; @q keeps its amounts. */
static struct fair_job describe(job_record_t *j, int64_t now,
				struct slurm_request *q)
{
	struct fair_job job = { 0 };
	int64_t ran = has_processors(j) ? now - j->start_time : 0;

	if (has_processors(j))
		read_allocation(&machine, j, q);
	else
		read_request(&machine, j, q);
	job.number = j->job_id;
	job.cookie = (uint64_t)j->details->submit_time;
	job.submit =
		j->details->submit_time < now ? j->details->submit_time : now;
	job.walltime = walltime_of(j) > ran ? walltime_of(j) - ran : 1;
	job.procs = q->amount[0];
	if (sched.config.machine) {
		job.amount = q->amount;
		job.classes = q->classes;
		job.class_count = q->count;
	}
	return job;
}

static int submit(job_record_t *j, int64_t now)
{
	struct slurm_request q;
	struct fair_job job = describe(j, now, &q);

	is_changed = true;
	return q.count ? fair_sched_submit(&sched, now, &job) : -FAIR_ERANGE;
}

/* Starts a job as schedule() does; it stays held if Slurm cannot place it. */
static int start_job(job_record_t *j, uint32_t node_class)
{
	uint32_t reason = j->state_reason;
	bitstr_t *excluded = exclude_nodes(&machine, j, node_class);
	int rc;

	xfree(j->state_desc);
	j->priority = 1;
	rc = place_job(j);
	allow_nodes(j, excluded);
	last_job_update = time(NULL);
	if (rc) {
		j->priority = 0;
		j->state_reason = reason;
		info("fairsched: %pJ cannot start: %s", j, slurm_strerror(rc));
		return rc;
	}
	info("fairsched: started %pJ on %s", j, j->nodes);
	has_started = true;
	if (!j->batch_flag)
		srun_allocate(j);
	else if (!IS_JOB_CONFIGURING(j))
		launch_job(j);
	return 0;
}

/* Returns whether the time was enough. */
static bool start_jobs(int64_t now, int64_t until)
{
	struct fair_decision start[STARTS];
	size_t n, i;

	do {
		if (milliseconds() > until)
			return false;
		if (fair_sched_step(&sched, now, start, STARTS, &n))
			return true;
		for (i = 0; i < n; i++) {
			job_record_t *j =
				find_job_record((uint32_t)start[i].number);

			is_changed = true;
			if (j && !has_processors(j) &&
			    (!is_ours(j, now) ||
			     start_job(j, start[i].node_class)))
				fair_sched_refuse(&sched, now, start[i].number);
		}
	} while (n == STARTS || fair_sched_is_unfinished(&sched));
	return true;
}

/* Creates the scheduler; jobs that run are started at once. */
static bool open_sched(time_t now)
{
	struct fair_machine_config m;
	struct fair_config c = { 0 };
	size_t bytes;

	planned_hash = hash_machine(&machine);
	if (load_state())
		return true;
	set_rest(&c, &m);
	c.policy = policy;
	c.order = order;
	c.depth = policy == FAIR_BACKFILL;
	c.origin = now;
	c.jobs = slurm_conf.max_job_cnt;
	for (uint32_t k = 0; k < m.classes; k++)
		c.procs += m.amount[k * m.resources];
	memcpy(planned, machine.amount, sizeof(planned));
	if (open_memory(&c, &bytes) ||
	    fair_sched_init(&sched, sizeof(sched), memory, bytes, &c)) {
		error("fairsched: %s",
		      fair_sched_config_error(&c) ? fair_sched_config_error(&c)
						  : "no memory");
		return false;
	}
	return is_open = true;
}

static int adopt(void *x, void *now)
{
	job_record_t *j = x;
	struct fair_job_status r;

	if (has_processors(j) && j->details &&
	    fair_sched_lookup(&sched, j->job_id, &r))
		submit(j, *(int64_t *)now);
	return 0;
}

static struct fair_job_status *list(uint32_t state, size_t *n)
{
	struct fair_queue_place at = { 0, 0 }, again = { 0, 0 };
	struct fair_job_status one, *all;

	for (*n = 0; fair_sched_each(&sched, state, &at, &one); ++*n)
		;
	all = xcalloc(*n + 1, sizeof(*all));
	for (*n = 0; fair_sched_each(&sched, state, &again, &one);)
		all[(*n)++] = one;
	return all;
}

static void sync_running(int64_t now)
{
	size_t n, i;
	struct fair_job_status *r = list(FAIR_RUNNING, &n);

	for (i = 0; i < n; i++) {
		job_record_t *j = find_job_record((uint32_t)r[i].job.number);
		int64_t walltime;

		if (!j || !has_processors(j) || !j->details ||
		    (uint64_t)j->details->submit_time != r[i].job.cookie) {
			is_changed = true;
			fair_sched_finish(&sched, now, r[i].job.number);
			continue;
		}
		walltime = walltime_of(j) - (r[i].start - j->start_time);
		if (walltime != r[i].job.walltime &&
		    j->start_time == r[i].start) {
			is_changed = true;
			fair_sched_modify(&sched, now, r[i].job.number,
					  r[i].job.procs, walltime);
		}
	}
	xfree(r);
}

/* Whether the job asks for what the scheduler knows, but for its walltime. */
static bool asks_same(const struct fair_job *was, const struct fair_job *now)
{
	return was->procs == now->procs &&
	       (!now->amount ||
		(was->class_count == now->class_count &&
		 !memcmp(was->amount, now->amount,
			 machine.resources * sizeof(*now->amount)) &&
		 !memcmp(was->classes, now->classes, now->class_count)));
}

/* Returns whether the time was enough. */
static bool sync_queued(int64_t now, int64_t until)
{
	struct slurm_request q;
	size_t n, i;
	struct fair_job_status *r = list(FAIR_QUEUED, &n);

	for (i = n; i > 0 && milliseconds() < until; i--) {
		const struct fair_job *was = &r[i - 1].job;
		job_record_t *j = find_job_record((uint32_t)was->number);
		struct fair_job job;

		if (j && is_ours(j, now) &&
		    (uint64_t)j->details->submit_time == was->cookie) {
			job = describe(j, now, &q);
			if (asks_same(was, &job) &&
			    (job.walltime == was->walltime ||
			     !fair_sched_modify(&sched, now, was->number,
						job.procs, job.walltime))) {
				is_changed |= job.walltime != was->walltime;
				continue;
			}
		}
		is_changed = true; /* what asks for something else comes anew */
		fair_sched_cancel(&sched, now, was->number);
	}
	xfree(r);
	return !i;
}

struct walk {
	int64_t now, until;
	bool again;
	int64_t used[RESOURCES * CLASSES]; /* as Slurm has allocated it */
};

static void add_used(int64_t *used, const int32_t *amount, uint32_t node_class)
{
	for (uint32_t r = 0; r < machine.resources; r++)
		used[(machine.wide >> r & 1 ? 0 : node_class) *
			     machine.resources + r] += amount[r];
}

/* Submits a job that waits; counts what all others have. */
static int sync_job(void *x, void *arg)
{
	struct walk *w = arg;
	job_record_t *j = x;
	struct slurm_request q;
	struct fair_job_status r;

	if (has_processors(j)) {
		read_allocation(&machine, j, &q);
		add_used(w->used, q.amount, q.classes[0]);
	} else if (is_ours(j, w->now) &&
		   fair_sched_lookup(&sched, j->job_id, &r)) {
		if (milliseconds() > w->until)
			w->again = true;
		else if (submit(j, w->now) && !j->state_desc)
			j->state_desc = xstrdup("fairsched: no node class has "
						"what it asks for");
	}
	return 0;
}

static void set_capacity(int64_t now, uint32_t at, int32_t amount)
{
	int32_t delta = amount - planned[at];
	int rc = !sched.config.machine
			 ? fair_sched_capacity(&sched, now, delta, NULL, 0)
			 : fair_sched_class_capacity(&sched, now,
						     at / machine.resources,
						     at % machine.resources,
						     delta, NULL, 0);

	if (rc)
		error("fairsched: cannot change the capacity by %d: %d", delta,
		      rc);
	else
		planned[at] = amount;
	is_changed = true;
}

/* The plan has what is usable and not used, and what its own jobs use. */
static void sync_capacity(int64_t now, const int64_t *used)
{
	int64_t own[RESOURCES * CLASSES] = { 0 };
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status r;

	while (fair_sched_each(&sched, FAIR_RUNNING, &at, &r))
		add_used(own, r.job.amount ? r.job.amount : &r.job.procs,
			 r.node_class);
	for (uint32_t i = 0; i < machine.resources * machine.classes; i++) {
		int64_t rest = machine.usable[i] - used[i];
		int64_t amount = own[i] + (rest > 0 ? rest : 0);

		if (amount != planned[i] && machine.amount[i])
			set_capacity(now, i, (int32_t)amount);
	}
}

/* Tells squeue the planned starts. */
static void write_plan(void)
{
	struct fair_queue_place at = { 0, 0 };
	struct fair_job_status r;

	while (fair_sched_each(&sched, FAIR_QUEUED, &at, &r)) {
		job_record_t *j = find_job_record((uint32_t)r.job.number);
		time_t start = r.start == FAIR_FOREVER ? 0 : r.start;

		if (!j || (j->start_time == start && j->state_desc))
			continue;
		j->start_time = start;
		xfree(j->state_desc);
		j->state_desc = xstrdup(r.first_promise != FAIR_FOREVER
						? "fairsched: start promised"
						: "fairsched: waits");
		last_job_update = time(NULL);
	}
}

/* Gives a job that we hold to Slurm's own order. */
static int release(void *x, void *now)
{
	job_record_t *j = x;

	if (is_ours(j, *(time_t *)now)) {
		xfree(j->state_desc);
		j->direct_set_prio = 0;
		set_job_prio(j);
		j->state_reason = WAIT_NO_REASON;
		last_job_update = *(time_t *)now;
	}
	return 0;
}

static void read_machine_again(void)
{
	free_machine(&machine);
	if (!read_machine(&machine) ||
	    (is_open && hash_machine(&machine) != planned_hash)) {
		if (is_open)
			info("fairsched: nodes, partitions or licences were "
			     "configured anew: all is planned anew");
		is_open = false;
	}
}

/* Returns whether another pass is needed at once. */
static bool pass(void)
{
	static time_t now;
	struct walk w = { 0 };
	bool first;

	now = time(NULL);
	if (is_disabled || setjmp(failed)) {
		if (!is_disabled)
			error("fairsched: assertion failed: %s; it is "
			      "disabled, "
			      "and Slurm starts the jobs in its own order",
			      failure);
		is_disabled = true;
		list_for_each(job_list, release, &now);
		return false;
	}
#ifdef FAIRSCHED_PLUGIN_FAIL /* the test's */
	FAIR_ASSERT(access(FAIRSCHED_PLUGIN_FAIL, F_OK));
#endif
	read_machine_again();
	first = !is_open;
	if (first && (!machine.classes || !open_sched(now)))
		return false;
	fair_sched_scan_limit(&sched, scans);
	w.until = milliseconds() + BUDGET;
	if (fair_sched_is_unfinished(&sched) &&
	    !start_jobs(sched.now, w.until))
		return true;
	w.now = event_time(now);
	if (first) {
		list_for_each(job_list, adopt, &w.now);
		start_jobs(w.now, INT64_MAX);
	}
	sync_running(w.now);
	w.again = !sync_queued(w.now, w.until);
	list_for_each(job_list, sync_job, &w);
	sync_capacity(w.now, w.used);
	w.again |= !start_jobs(w.now, w.until);
	write_plan();
	return w.again;
}

/* The value of a word of SchedulerParameters; NULL: none. */
static char *parameter(const char *name)
{
	const char *p = xstrcasestr(slurm_conf.sched_params, name);

	return p ? xstrndup(p + strlen(name), strcspn(p + strlen(name), ","))
		 : NULL;
}

static void load_config(void)
{
	char *p = parameter("fair_policy="), *o = parameter("fair_order=");
	char *m = parameter("fair_margin="), *n = parameter("fair_scan=");

	if (p) {
		for (policy = FAIR_FCFS; policy < FAIR_SFS &&
					 xstrcasecmp(p, fair_policy_name(policy));)
			policy++;
		if (policy == FAIR_SFS && xstrcasecmp(p, "easy"))
			error("fairsched: fair_policy=%s is not conservative, "
			      "pc, dc, easy or fcfs: conservative is used",
			      p);
		if (policy == FAIR_SFS)
			policy = xstrcasecmp(p, "easy") ? FAIR_CONSERVATIVE
							: FAIR_BACKFILL;
	}
	if (o) {
		for (order = FAIR_ORDER_FCFS; order < FAIR_ORDER_TWO_TERM &&
					      xstrcasecmp(o, fair_order_name(order));)
			order++;
		if (order == FAIR_ORDER_TWO_TERM) {
			error("fairsched: fair_order=%s is unknown: fcfs is used",
			      o);
			order = FAIR_ORDER_FCFS;
		}
	}
	if (m)
		margin = atoi(m);
	if (n)
		scans = strtoull(n, NULL, 10);
	xfree(p);
	xfree(o);
	xfree(m);
	xfree(n);
}

static void rest(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += TICK;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	slurm_mutex_lock(&lock);
	if (!is_stopped)
		pthread_cond_timedwait(&wake, &lock, &t);
	slurm_mutex_unlock(&lock);
}

static void *run(void *arg)
{
	slurmctld_lock_t locks = { READ_LOCK, WRITE_LOCK, WRITE_LOCK, READ_LOCK,
				   READ_LOCK };
	time_t last = 0;
	bool again = true;
	size_t bytes = 0;
	int64_t began, took;
	char *image;

	(void)arg;
	while (rest(), !is_stopped) {
		/* Updates have seconds: one of the last pass's own may follow. */
		if (!again && last_job_update < last &&
		    last_node_update < last &&
		    !(is_open && fair_sched_next(&sched) <= time(NULL)))
			continue;
		lock_slurmctld(locks);
		began = microseconds();
		last = time(NULL);
		again = pass();
		image = is_changed && is_open && !is_disabled
				? make_image(&bytes)
				: NULL;
		is_changed = false;
		took = microseconds() - began;
		unlock_slurmctld(locks);
		passes++;
		passing += took;
		longest = took > longest ? took : longest;
		if (took > 2000 * BUDGET)
			info("fairsched: a pass took %" PRId64 " ms",
			     took / 1000);
		if (image)
			write_image(image, bytes);
		if (has_started) {
			schedule_job_save();
			schedule_node_save();
		}
		has_started = false;
		xfree(image);
	}
	return NULL;
}

int init(void)
{
	if (thread)
		return SLURM_ERROR;
	load_config();
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
	     " us on average, %" PRId64 " us at most",
	     passes, passes ? passing / passes : 0, longest);
	xfree(memory);
	free_machine(&machine);
}

int sched_p_reconfig(void)
{
	return SLURM_SUCCESS;
}
