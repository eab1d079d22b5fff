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
 * SchedulerParameters: fair_policy=conservative (default), pc or easy;
 * fair_margin=SECONDS that a job may outlive its limit, default 90.
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
#include "src/slurmctld/node_scheduler.h"
#include "src/slurmctld/slurmctld.h"
#include "src/slurmctld/srun_comm.h"
#include "src/slurmctld/state_save.h"

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
static int64_t margin = 90, plan_procs;
static uint32_t policy = FAIR_CONSERVATIVE;
static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;

static int64_t milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
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
		test_job_dependency(j, &changed) == NO_DEPEND);
}

static int32_t procs_of(const job_record_t *j)
{
	uint32_t n = has_processors(j) ? j->total_cpus : j->details->min_cpus;

	return n ? (int32_t)n : 1;
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

static int64_t count_procs(void)
{
	int64_t n = 0;
	node_record_t *node;

	for (int i = 0; (node = next_node(&i)); i++)
		if (!IS_NODE_DOWN(node) && !IS_NODE_DRAINED(node))
			n += node->cpus;
	return n;
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
		     ", cause %u",
		     p->number, p->to, p->cause);
}

static void set_callbacks(struct fair_config *c)
{
	c->promised = promised;
	c->jobs = slurm_conf.max_job_cnt;
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

/* Continues from the checkpoint, if there is one of this policy. */
static bool load_state(void)
{
	char *path = state_path();
	int fd = open(path, O_RDONLY | O_CLOEXEC), damage = 0, error = -1;
	struct fair_config c;
	struct stat s;
	size_t bytes, n;
	char *image = NULL;

	if (fd >= 0 && !fstat(fd, &s)) {
		n = (size_t)s.st_size;
		image = xmalloc(n + 1);
		if (read(fd, image, n) == s.st_size)
			error = fair_sched_checkpoint_config(image, n, &c,
							     &damage);
		if (!error && c.policy == policy) {
			set_callbacks(&c);
			error = open_memory(&c, &bytes);
			if (!error)
				error = fair_sched_load(&sched, sizeof(sched),
							memory, bytes, &c,
							image, n, &damage);
			plan_procs = c.procs;
			is_open = !error;
		}
	}
	if (fd >= 0) {
		close(fd);
		info("fairsched: %s: %s", path,
		     is_open ? "continues" : "not used, all is planned anew");
	}
	xfree(image);
	xfree(path);
	return is_open;
}

/* Returns a checkpoint, to be written without locks; NULL if there is none. */
static char *make_image(size_t *bytes)
{
	char *image;

	*bytes = fair_sched_checkpoint_size(&sched);
	image = xmalloc(*bytes);
	if (fair_sched_save(&sched, image, *bytes))
		xfree(image);
	return image;
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

static int submit(job_record_t *j, int64_t now)
{
	struct fair_job job = { 0 };
	int64_t ran = has_processors(j) ? now - j->start_time : 0;

	job.number = j->job_id;
	job.cookie = (uint64_t)j->details->submit_time;
	job.submit =
		j->details->submit_time < now ? j->details->submit_time : now;
	job.walltime = walltime_of(j) - ran;
	if (job.walltime < 1)
		job.walltime = 1;
	job.procs = procs_of(j);
	is_changed = true;
	return fair_sched_submit(&sched, now, &job);
}

/* Starts a job as schedule() does; it stays held if Slurm cannot place it. */
static int start_job(job_record_t *j)
{
	uint32_t reason = j->state_reason;
	int rc;

	xfree(j->state_desc);
	j->priority = 1;
	rc = select_nodes(j, false, NULL, NULL, false, SLURMDB_JOB_FLAG_SCHED);
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

static void start_jobs(int64_t now)
{
	struct fair_decision start[STARTS];
	size_t n = 0, i;

	do {
		if (fair_sched_step(&sched, now, start, STARTS, &n))
			return;
		for (i = 0; i < n; i++) {
			job_record_t *j =
				find_job_record((uint32_t)start[i].number);

			is_changed = true;
			if (j && !has_processors(j) &&
			    (!is_ours(j, now) || start_job(j)))
				fair_sched_refuse(&sched, now, start[i].number);
		}
	} while (n == STARTS);
}

/* Creates the scheduler; jobs that run are started at once. */
static bool open_sched(time_t now)
{
	struct fair_config c = { 0 };
	size_t bytes;

	if (load_state())
		return true;
	c.policy = policy;
	c.depth = policy == FAIR_BACKFILL;
	c.origin = now;
	c.procs = (int32_t)(plan_procs = count_procs());
	set_callbacks(&c);
	if (!c.procs || open_memory(&c, &bytes) ||
	    fair_sched_init(&sched, sizeof(sched), memory, bytes, &c))
		return false;
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

/* Returns whether the time was enough. */
static bool sync_queued(int64_t now, int64_t until)
{
	size_t n, i;
	struct fair_job_status *r = list(FAIR_QUEUED, &n);

	for (i = n; i > 0 && milliseconds() < until; i--) {
		const struct fair_job *was = &r[i - 1].job;
		job_record_t *j = find_job_record((uint32_t)was->number);

		if (!j || !is_ours(j, now) ||
		    (uint64_t)j->details->submit_time != was->cookie)
			fair_sched_cancel(&sched, now, was->number);
		else if (procs_of(j) == was->procs &&
			 walltime_of(j) == was->walltime)
			continue;
		else if (fair_sched_modify(&sched, now, was->number,
					   procs_of(j), walltime_of(j)))
			fair_sched_cancel(&sched, now, was->number);
		is_changed = true;
	}
	xfree(r);
	return !i;
}

struct walk {
	int64_t now, until, lost;
	bool again;
};

/* Submits a job that waits; counts the processors that are not planned. */
static int sync_unknown(void *x, void *arg)
{
	struct walk *w = arg;
	job_record_t *j = x;
	struct fair_job_status r;

	if (!fair_sched_lookup(&sched, j->job_id, &r)) {
		if (r.state == FAIR_RUNNING || !has_processors(j))
			return 0;
	}
	if (has_processors(j)) {
		w->lost += procs_of(j);
	} else if (is_ours(j, w->now)) {
		if (milliseconds() > w->until)
			w->again = true;
		else if (submit(j, w->now) && !j->state_desc)
			j->state_desc =
				xstrdup("fairsched: it can never start");
	}
	return 0;
}

static void sync_capacity(int64_t now, int64_t procs)
{
	int64_t delta = procs - plan_procs;

	if (delta < sched.busy - plan_procs)
		delta = sched.busy - plan_procs;
	if (!delta)
		return;
	is_changed = true;
	plan_procs += delta;
	fair_sched_capacity(&sched, now, (int32_t)delta, NULL, 0);
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
	first = !is_open;
	if (first && !open_sched(now))
		return false;
	w.now = event_time(now);
	w.until = milliseconds() + BUDGET;
	if (first) {
		list_for_each(job_list, adopt, &w.now);
		start_jobs(w.now);
	}
	sync_running(w.now);
	w.again = !sync_queued(w.now, w.until);
	list_for_each(job_list, sync_unknown, &w);
	sync_capacity(w.now, count_procs() - w.lost);
	start_jobs(w.now);
	write_plan();
	return w.again;
}

static void load_config(void)
{
	const char *p = xstrcasestr(slurm_conf.sched_params, "fair_policy=");
	const char *m = xstrcasestr(slurm_conf.sched_params, "fair_margin=");

	if (p && !xstrncmp(p + 12, "pc", 2))
		policy = FAIR_PC;
	else if (p && !xstrncmp(p + 12, "easy", 4))
		policy = FAIR_BACKFILL;
	if (m)
		margin = atoi(m + 12);
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
		began = milliseconds();
		last = time(NULL);
		again = pass();
		image = is_changed && is_open && !is_disabled
				? make_image(&bytes)
				: NULL;
		is_changed = false;
		took = milliseconds() - began;
		unlock_slurmctld(locks);
		if (took > 2 * BUDGET)
			info("fairsched: a pass took %" PRId64 " ms", took);
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
	xfree(memory);
}

int sched_p_reconfig(void)
{
	return SLURM_SUCCESS;
}
