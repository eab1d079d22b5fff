/* SPDX-License-Identifier: MIT OR Unlicense */
/* fairsched-slurm - schedules a Slurm cluster from outside */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "answer.h"
#include "driver.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/read_file.h"
#include "tools/fairsched/cli/rules_options.h"

struct args {
	const char *settings; /* read first: see settings_path() */
	struct driver_settings driver;
	int64_t interval, away;
	bool once;
};

#define AT(field) offsetof(struct args, field)
#define SETTINGS "/etc/fairsched-slurm.conf"

static const struct option all_options[] = {
	{ "settings", "F", OPTION_FILE, AT(settings),
	  "a file of options, one for each line, without --, as policy = easy; "
	  "default " SETTINGS " if that exists",
	  NULL, 0, 0 },
	{ "policy", "P", OPTION_CHOICE, AT(driver.policy), "default easy",
	  policy_names, 0, 0 },
	RULES_OPTIONS(struct args, driver.rules),
	{ "partition", "NAME", OPTION_NAME, AT(driver.partition),
	  "schedule this partition, default all of them as one machine", NULL,
	  0, 0 },
	{ "state", "F", OPTION_OUTPUT, AT(driver.state),
	  "keep plans and promises in F", NULL, 0, 0 },
	{ "status", "F", OPTION_OUTPUT, AT(driver.status),
	  "write the status page to F", NULL, 0, 0 },
	{ "account", "NAME", OPTION_NAME, AT(driver.account),
	  "the account of jobs without one", NULL, 0, 0 },
	{ "margin", "TIME", OPTION_DURATION, AT(driver.margin),
	  "plan this time in addition to the time limit: Slurm takes it to "
	  "notice the limit, to kill and to clean up; default 90s",
	  NULL, 0, 86400 },
	{ "unlimited", "TIME", OPTION_DURATION, AT(driver.unlimited),
	  "the time limit of jobs without one, default 365d", NULL, 60,
	  SLURM_LONGEST },
	{ "patience", "TIME", OPTION_DURATION, AT(driver.patience),
	  "hold a job again that Slurm has not started within TIME, default "
	  "30s",
	  NULL, 5, 3600 },
	{ "retry", "TIME", OPTION_DURATION, AT(driver.retry),
	  "plan such a job again after TIME, default 2m", NULL, 1, 86400 },
	{ "interval", "TIME", OPTION_DURATION, AT(interval),
	  "read the queue once in TIME, default 1s", NULL, 1, 60 },
	{ "jobs", "N", OPTION_INTEGER, AT(driver.jobs),
	  "at most N queued and running jobs, default 100000", NULL, 1,
	  10000000 },
	{ "users", "N", OPTION_INTEGER, AT(driver.users),
	  "at most N users ever, default 4096", NULL, 1, 1 << 20 },
	{ "dry-run", NULL, OPTION_FLAG, AT(driver.dry_run),
	  "log what would be done; do not call scontrol, do not save", NULL, 0,
	  0 },
	{ "away", "TIME", OPTION_DURATION, AT(away),
	  "of watch: release the jobs when the daemon has done nothing for "
	  "TIME, default 10m",
	  NULL, 10, 7 * 86400 },
	{ "once", NULL, OPTION_FLAG, AT(once), "read the queue once, and end",
	  NULL, 0, 0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

/* What only a trace has. */
static const char *const for_traces[] = { "account-field", "billing", "limits",
					  "plan", "queue-cost", "share-by",
					  "tree", "window-origin" };
static struct option options[sizeof(all_options) / sizeof(*all_options)];

static bool is_for_traces(const char *name)
{
	size_t i = 0;

	while (i < sizeof(for_traces) / sizeof(*for_traces) &&
	       strcmp(for_traces[i], name))
		i++;
	return i < sizeof(for_traces) / sizeof(*for_traces);
}

/* Those of the commands; the last one has no name. */
static void take_options(void)
{
	const struct option *from = all_options;
	struct option *to = options;

	do {
		if (!from->name || !is_for_traces(from->name))
			*to++ = *from;
	} while (from++->name);
}

static void defaults(void *args)
{
	struct args *a = args;

	a->driver.policy = RULES_EASY;
	a->driver.margin = 90;
	a->driver.unlimited = 365 * 86400;
	a->driver.patience = 30;
	a->driver.retry = 120;
	a->driver.jobs = 100000;
	a->driver.users = 4096;
	a->interval = 1;
	a->away = 600;
}

/* ---- run ---- */

static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
	(void)signal_number;
	stopped = 1;
}

static int locked_state = -1; /* its file's time is when the last cycle ended */

/*
 * Of a file that other users cannot open, as that is enough for a lock. Returns
 * a descriptor, which holds the lock while it is open, or -1 with errno set:
 * EAGAIN if another process has it.
 */
static int lock_file(const char *path, short type)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	struct flock whole = { 0 };
	int error;

	if (fd < 0)
		return -1;
	whole.l_type = type;
	whole.l_whence = SEEK_SET;
	if (!fchmod(fd, 0600) && !fcntl(fd, F_SETLK, &whole))
		return fd;
	error = errno == EACCES ? EAGAIN : errno;
	close(fd);
	errno = error;
	return -1;
}

/* Excludes a second daemon with this state. Returns 0, or the exit status after a message. */
static int lock(const char *state)
{
	size_t n = strlen(state) + sizeof(".lock");
	char *path = malloc(n);

	if (!path)
		return run_error("out of memory");
	snprintf(path, n, "%s.lock", state);
	locked_state = lock_file(path, F_WRLCK);
	free(path);
	if (locked_state >= 0)
		return 0;
	if (errno == EAGAIN)
		return run_error("%s: another fairsched-slurm runs", state);
	return run_error("%s.lock: %s", state, strerror(errno));
}

/*
 * Excludes a second daemon of the cluster, whatever its state, or of the
 * partition: by locks in the folder where slurmctld saves its state, which
 * every slurmctld of a cluster shares. Returns 0, -1 if Slurm does not answer, or the
 * exit status after a message.
 */
static int lock_cluster(struct driver *d, const char *partition)
{
	char folder[512], path[1024];
	int locked;

	if (slurm_read_config("StateSaveLocation", folder, sizeof(folder),
			      d->error))
		return -1;
	snprintf(path, sizeof(path), "%s/fairsched.lock", folder);
	locked = lock_file(path, partition ? F_RDLCK : F_WRLCK);
	snprintf(path, sizeof(path), "%s/fairsched.%s.lock", folder,
		 partition ? partition : "");
	if (locked >= 0 && partition)
		locked = lock_file(path, F_WRLCK);
	if (locked >= 0)
		return 0; /* the descriptors stay open */
	if (errno == EAGAIN)
		return run_error("another fairsched-slurm schedules this "
				 "cluster: stop it first");
	driver_log(d, "error", 0,
		   " cannot lock %s, so another fairsched-slurm is not "
		   "noticed: %s",
		   folder, strerror(errno));
	return 0;
}

/* Sleeps until a whole second, as Slurm's times are. */
static void sleep_until(int64_t due)
{
	struct timespec now, rest;

	clock_gettime(CLOCK_REALTIME, &now);
	rest.tv_sec = (time_t)due - now.tv_sec - 1;
	rest.tv_nsec = 1000000000 - now.tv_nsec;
	if (rest.tv_nsec == 1000000000) {
		rest.tv_sec++;
		rest.tv_nsec = 0;
	}
	if (rest.tv_sec >= 0)
		nanosleep(&rest, NULL);
}

static void write_page(struct driver *d)
{
	FILE *f = d->set->status && !d->set->dry_run
			  ? output_open(d->set->status)
			  : NULL;

	if (!f)
		return;
	answer_status(d, f);
	output_commit();
}

/* Returns as driver_act() does. */
static int cycle(struct driver *d)
{
	struct timespec monotonic;
	int64_t wall = (int64_t)time(NULL);
	int error;

	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	if (!driver_trusts_clock(d, wall, (int64_t)monotonic.tv_sec))
		return 0;
	error = driver_cycle(d, wall);
	if (!error) {
		error = driver_act(d);
		write_page(d);
	}
	if (error >= 0 && locked_state >= 0)
		futimens(locked_state, NULL);
	if (error < 0)
		driver_log(d, "error", 0, " %s", d->error);
	return error;
}

static int loop(struct driver *d, const struct args *a)
{
	int64_t due, now;
	int error, locked = a->driver.dry_run ? 0 : -1;

	do {
		if (locked)
			locked = lock_cluster(d, a->driver.partition);
		if (locked > 0)
			return locked;
		error = locked ? -1 : cycle(d);
		if (locked)
			driver_log(d, "error", 0, " %s", d->error);
		now = (int64_t)time(NULL);
		due = driver_next(d);
		if (due > now + a->interval || due <= now)
			due = now + a->interval;
		if (!a->once && !stopped && error <= 0)
			sleep_until(due);
	} while (!a->once && !stopped);
	return error < 0 && a->once ? EXIT_FAILED : 0;
}

static int run(const struct command *c, void *args, char **operand,
	       size_t operands)
{
	const struct args *a = args;
	struct driver d;
	int status;

	(void)operand;
	(void)operands;
	if (!a->driver.state && !a->driver.dry_run)
		return usage_error(c, "--state is missing");
	status = driver_open(&d, &a->driver);
	if (!status && !a->driver.dry_run)
		status = lock(a->driver.state);
	if (!status) {
		signal(SIGTERM, stop);
		signal(SIGINT, stop);
		status = loop(&d, a);
	}
	driver_close(&d);
	return status;
}

/* ---- why, when, status ---- */

/*
 * Under PrivateData=jobs Slurm shows users their own jobs only; who may read all
 * is the owner of the state, SlurmUser.
 */
static bool sees_all_jobs(const char *state)
{
	struct stat s;

	return !geteuid() || !state ||
	       (!stat(state, &s) && s.st_uid == geteuid());
}

static int answer_job(struct args *a,
		      int (*answer)(struct driver *d, const char *job),
		      const char *job)
{
	struct driver d;
	int status;

	a->driver.dry_run = a->driver.quiet = true;
	a->driver.from_state = !sees_all_jobs(a->driver.state);
	status = driver_open(&d, &a->driver);
	if (!status && driver_cycle(&d, (int64_t)time(NULL)))
		status = run_error("%s", d.error);
	if (!status)
		status = answer(&d, job);
	driver_close(&d);
	return status;
}

static int run_why(const struct command *c, void *args, char **operand,
		   size_t operands)
{
	(void)c;
	(void)operands;
	return answer_job(args, answer_why, operand[0]);
}

static int run_when(const struct command *c, void *args, char **operand,
		    size_t operands)
{
	(void)c;
	(void)operands;
	return answer_job(args, answer_when, operand[0]);
}

static int status_page(struct driver *d, const char *job)
{
	(void)job;
	answer_status(d, stdout);
	return 0;
}

static int run_status(const struct command *c, void *args, char **operand,
		      size_t operands)
{
	(void)c;
	(void)operand;
	(void)operands;
	return answer_job(args, status_page, NULL);
}

/* ---- release-all ---- */

static int by_submit(const void *x, const void *y)
{
	const struct slurm_job *a = x, *b = y;

	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Releases the held jobs in the order of submission. */
static int release_all(const struct args *a)
{
	char error[SLURM_ERROR];
	struct slurm_queue q;
	uint64_t *number;
	size_t i, n = 0;
	int status = 0;

	if (slurm_read_queue(&q, a->driver.partition, (int64_t)time(NULL),
			     error))
		return run_error("%s", error);
	number = malloc((q.jobs + 1) * sizeof(*number));
	if (!number)
		return run_error("out of memory");
	if (q.jobs)
		qsort(q.job, q.jobs, sizeof(*q.job), by_submit);
	for (i = 0; i < q.jobs; i++)
		if (q.job[i].held)
			number[n++] = q.job[i].number;
	if (!a->driver.dry_run && slurm_control("release", number, n, error))
		status = run_error("%s", error);
	else
		printf("%zu job%s %s\n", n, n == 1 ? "" : "s",
		       a->driver.dry_run ? "would be released" : "released");
	fflush(stdout);
	free(number);
	slurm_queue_free(&q);
	return status;
}

static int run_release_all(const struct command *c, void *args, char **operand,
			   size_t operands)
{
	const struct args *a = args;
	int status = a->driver.state ? lock(a->driver.state) : 0;

	(void)c;
	(void)operand;
	(void)operands;
	return status ? status : release_all(a);
}

/* ---- watch ---- */

/* Whether no cycle of the daemon has ended for a while. */
static bool is_away(const struct args *a, const char *lock_path)
{
	struct stat s;

	return stat(lock_path, &s) ||
	       (int64_t)s.st_mtime + a->away < (int64_t)time(NULL);
}

static int run_watch(const struct command *c, void *args, char **operand,
		     size_t operands)
{
	const struct args *a = args;
	int away = 0, status = 0;
	char path[4096];

	(void)operand;
	(void)operands;
	if (!a->driver.state)
		return usage_error(c, "--state is missing");
	snprintf(path, sizeof(path), "%s.lock", a->driver.state);
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	/* Slurm may have been away itself: give the daemon some cycles. */
	do {
		away = is_away(a, path) ? away + 1 : 0;
		if (away > 5 || (away && a->once))
			status = release_all(a);
		if (!a->once && !stopped)
			sleep_until((int64_t)time(NULL) + 5 * a->interval);
	} while (!a->once && !stopped);
	return a->once ? status : 0;
}

/* ---- commands ---- */

#define ASKED "--settings fair.conf"

static const struct command commands[] = {
	{ "run", "", "schedule the cluster, until a signal ends it",
	  "job_submit.lua holds every new job. The daemon reads the queue each "
	  "second, reports the events to a scheduler, and releases the jobs "
	  "that "
	  "the scheduler starts.",
	  "It logs one line to stderr for each event. It may be killed and "
	  "started again at any time: jobs stay held, promises are kept. "
	  "docs/SLURM.md tells how to install it, docs/fairsched-slurm.8 is "
	  "the "
	  "manual.",
	  "fairsched-slurm run --policy conservative --state state --dry-run "
	  "--once",
	  options, 0, 0, run, sizeof(struct args), defaults },
	{ "why", "JOB", "why a job does not start now",
	  "Prints what blocks a job, the smallest change that would start it "
	  "now, and when it starts.",
	  "JOB is an id as squeue prints it: 123, or 123_4 for a task of an "
	  "array. A shorter time limit is printed in seconds.",
	  "fairsched-slurm why 123 " ASKED, options, 1, 1, run_why,
	  sizeof(struct args), defaults },
	{ "when", "JOB", "when a job starts",
	  "Prints the promised start of a job, or else the planned one.",
	  "JOB is an id as squeue prints it: 123, or 123_4 for a task of an "
	  "array.",
	  "fairsched-slurm when 123 " ASKED, options, 1, 1, run_when,
	  sizeof(struct args), defaults },
	{ "status", "", "the status page",
	  "Prints the running jobs, the queued jobs with their planned starts, "
	  "and the jobs that are not planned, with the reason.",
	  "'fairsched-slurm run --status F' writes it to F in each cycle.",
	  "fairsched-slurm status " ASKED, options, 0, 0, run_status,
	  sizeof(struct args), defaults },
	{ "release-all", "", "give the cluster back to Slurm",
	  "Releases every job that job_submit.lua held; from then on Slurm "
	  "starts them by itself.",
	  "First stop the daemon and remove JobSubmitPlugins=lua from "
	  "fairsched.conf, see "
	  "docs/SLURM.md: otherwise it holds further jobs. Jobs that an "
	  "administrator holds stay held.",
	  "fairsched-slurm release-all --dry-run", options, 0, 0,
	  run_release_all, sizeof(struct args), defaults },
	{ "watch", "", "release jobs while the daemon is away",
	  "While no cycle of the daemon has ended for the TIME of --away, "
	  "releases the held jobs in the order of submission: Slurm starts "
	  "them by itself.",
	  "The daemon, when it is back, holds those again that still wait. "
	  "--once looks once, and ends.",
	  "fairsched-slurm watch --once --dry-run " ASKED, options, 0, 0,
	  run_watch, sizeof(struct args), defaults },
};
#define COMMANDS (sizeof(commands) / sizeof(*commands))

static void print_usage(void)
{
	size_t i;

	puts("usage: fairsched-slurm COMMAND [ARGUMENT ...]\n\n"
	     "Schedules a Slurm cluster from outside.\n");
	for (i = 0; i < COMMANDS; i++)
		printf("  %-12s %s\n", commands[i].name, commands[i].brief);
	puts("\n'fairsched-slurm COMMAND --help' describes a command, "
	     "--version prints the version.");
}

/* ---- settings ---- */

struct settings {
	char **argv; /* the options of the file */
	int argc;
	char *text;
};

/* Turns "key = value" into "--key=value"; NULL without memory. */
static char *make_option(struct csv_field line)
{
	struct csv_field key = { NULL, 0 };
	char *option = malloc(line.n + 4);

	if (!option)
		return NULL;
	csv_cut(&line, '=', &key);
	while (line.n && (*line.p == ' ' || *line.p == '\t'))
		line.p++, line.n--;
	sprintf(option, "--%.*s%s%.*s", (int)key.n, key.p, line.p ? "=" : "",
		(int)line.n, line.p ? line.p : "");
	return option;
}

/* Parses each line by itself, so that an error names it. */
static int read_settings(struct settings *s, const struct command *c,
			 const char *path)
{
	char error[512], *one[2] = { NULL, NULL };
	struct csv_field line;
	struct csv csv;
	struct args scratch;
	size_t bytes, operands;
	char **more;

	if (read_file(path, &s->text, &bytes, error, sizeof(error)))
		return input_error("%s", error);
	csv_open(&csv, path, s->text, bytes, error, sizeof(error));
	while (csv_line(&csv, &line)) {
		more = realloc(s->argv, ((size_t)s->argc + 1) * sizeof(*more));
		if (more)
			s->argv = more;
		one[0] = more ? make_option(line) : NULL;
		if (!one[0])
			return run_error("out of memory");
		s->argv[s->argc++] = one[0];
		if (options_parse(c, &one[0], &scratch, &operands))
			return input_error("%s:%ld: invalid setting", path,
					   csv.line);
	}
	return 0;
}

/* Finds the last --settings on the command line. */
static const char *settings_path(char **argv)
{
	const char *path = access(SETTINGS, R_OK) ? NULL : SETTINGS;

	for (; *argv; argv++)
		if (!strcmp(*argv, "--settings") && argv[1])
			path = argv[1];
		else if (!strncmp(*argv, "--settings=", 11))
			path = *argv + 11;
	return path;
}

static int run_with_settings(const struct command *c, int argc, char **argv)
{
	const char *path = settings_path(argv);
	struct settings s = { NULL, 0, NULL };
	int status = path ? read_settings(&s, c, path) : 0;
	char **all = malloc(((size_t)s.argc + (size_t)argc + 1) * sizeof(*all));
	int i;

	if (!all && !status)
		status = run_error("out of memory");
	for (i = 0; all && i < s.argc; i++)
		all[i] = s.argv[i];
	for (i = 0; all && i <= argc; i++)
		all[s.argc + i] = argv[i];
	if (!status)
		status = command_main(c, s.argc + argc, all);
	for (i = 0; i < s.argc; i++)
		free(s.argv[i]);
	free(s.argv);
	free(s.text);
	free(all);
	return status;
}

static int dispatch(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		return usage_error(NULL, "COMMAND is missing");
	if (!strcmp(argv[1], "--version")) {
		printf("fairsched-slurm %s\n", fair_version());
		return 0;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_usage();
		return 0;
	}
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return run_with_settings(&commands[i], argc - 2,
						 argv + 2);
	return usage_error(NULL, "unknown command '%s'", argv[1]);
}

int main(int argc, char **argv)
{
	int status;

	program_name = "fairsched-slurm";
	output_init();
	take_options();
	status = dispatch(argc, argv);
	output_abandon();
	if (fflush(stdout) || ferror(stdout))
		status = run_error("standard output: %s", strerror(errno));
	return status;
}
