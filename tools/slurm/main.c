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
#include <time.h>
#include <unistd.h>

#include "answer.h"
#include "driver.h"
#include "../fairsched/load.h"
#include "../fairsched/output.h"

struct args {
	const char *settings; /* read before the options are: see main() */
	struct driver_settings driver;
	int64_t interval;
	bool once;
};

#define AT(field) offsetof(struct args, field)
#define SETTINGS "/etc/fairsched-slurm.conf"

static const struct option options[] = {
	{ "settings", "F", OPTION_FILE, AT(settings),
	  "a file of options, one a line without --, as policy = easy; "
	  "default " SETTINGS " if that is there",
	  NULL, 0, 0 },
	{ "policy", "P", OPTION_CHOICE, AT(driver.policy), "default easy",
	  policy_names, 0, 0 },
	RULES_OPTIONS(struct args, driver.rules),
	{ "partition", "NAME", OPTION_FILE, AT(driver.partition),
	  "the one to schedule, default all of them as one machine", NULL, 0,
	  0 },
	{ "state", "F", OPTION_FILE, AT(driver.state),
	  "where plans and promises outlive the program", NULL, 0, 0 },
	{ "status", "F", OPTION_FILE, AT(driver.status),
	  "write the status page to F", NULL, 0, 0 },
	{ "account", "NAME", OPTION_FILE, AT(driver.account),
	  "of jobs that have none", NULL, 0, 0 },
	{ "margin", "TIME", OPTION_DURATION, AT(driver.margin),
	  "plan so much more than the time limit, for Slurm to notice, to kill "
	  "and to clean up; default 90s",
	  NULL, 0, 86400 },
	{ "unlimited", "TIME", OPTION_DURATION, AT(driver.unlimited),
	  "the time limit of jobs without one, default 365d", NULL, 60,
	  SLURM_LONGEST },
	{ "patience", "TIME", OPTION_DURATION, AT(driver.patience),
	  "how long Slurm may take to start a job; then it is held again, "
	  "default 30s",
	  NULL, 5, 3600 },
	{ "retry", "TIME", OPTION_DURATION, AT(driver.retry),
	  "when to plan it anew, default 2m", NULL, 1, 86400 },
	{ "interval", "TIME", OPTION_DURATION, AT(interval),
	  "between two looks at the queue, default 1s", NULL, 1, 60 },
	{ "jobs", "N", OPTION_INTEGER, AT(driver.jobs),
	  "most jobs that wait and run, default 100000", NULL, 1, 10000000 },
	{ "users", "N", OPTION_INTEGER, AT(driver.users),
	  "most users ever, default 4096", NULL, 1, 1 << 20 },
	{ "dry-run", NULL, OPTION_FLAG, AT(driver.dry_run),
	  "say what would be done; Slurm is told nothing, nothing is saved",
	  NULL, 0, 0 },
	{ "once", NULL, OPTION_FLAG, AT(once),
	  "look at the queue once, and end", NULL, 0, 0 },
	{ NULL, NULL, OPTION_FLAG, 0, NULL, NULL, 0, 0 },
};

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
}

/* ---- run ---- */

static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
	(void)signal_number;
	stopped = 1;
}

/* Two of them would not be fair. Returns 0, or the exit status. */
static int lock(const char *state)
{
	size_t n = strlen(state) + sizeof(".lock");
	char *path = malloc(n);
	struct flock whole = { 0 };
	int fd;

	if (!path)
		return run_error("out of memory");
	snprintf(path, n, "%s.lock", state);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	whole.l_type = F_WRLCK;
	whole.l_whence = SEEK_SET;
	n = fd < 0 || fcntl(fd, F_SETLK, &whole) ? (size_t)errno : 0;
	free(path);
	if (!n)
		return 0; /* open until the end */
	if (n == EAGAIN || n == EACCES)
		return run_error("%s: another fairsched-slurm runs", state);
	return run_error("%s.lock: %s", state, strerror((int)n));
}

/* To the next whole second that is due: Slurm's times are whole seconds. */
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

static int cycle(struct driver *d)
{
	int error = driver_cycle(d, (int64_t)time(NULL));

	if (!error) {
		error = driver_act(d);
		write_page(d);
	}
	if (error)
		driver_log(d, "error", 0, " %s", d->error);
	return error;
}

static int loop(struct driver *d, const struct args *a)
{
	int64_t due;
	int error;

	do {
		error = cycle(d);
		due = driver_next(d);
		if (due > d->wall + a->interval || due <= d->wall)
			due = d->wall + a->interval;
		if (!a->once && !stopped)
			sleep_until(due);
	} while (!a->once && !stopped);
	return error && a->once ? EXIT_FAILED : 0;
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

/* ---- questions ---- */

static int ask(struct args *a, int (*answer)(struct driver *d, const char *job),
	       const char *job)
{
	struct driver d;
	int status;

	a->driver.dry_run = a->driver.quiet = true;
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
	return ask(args, answer_why, operand[0]);
}

static int run_when(const struct command *c, void *args, char **operand,
		    size_t operands)
{
	(void)c;
	(void)operands;
	return ask(args, answer_when, operand[0]);
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
	return ask(args, status_page, NULL);
}

/* ---- back out ---- */

static int run_release_all(const struct command *c, void *args, char **operand,
			   size_t operands)
{
	const struct args *a = args;
	char error[SLURM_ERROR];
	struct slurm_queue q;
	uint64_t *number;
	size_t i, n = 0;
	int status = a->driver.state ? lock(a->driver.state) : 0;

	(void)c;
	(void)operand;
	(void)operands;
	if (status)
		return status;
	if (slurm_read_queue(&q, a->driver.partition, (int64_t)time(NULL),
			     error))
		return run_error("%s", error);
	number = malloc((q.jobs + 1) * sizeof(*number));
	if (!number)
		return run_error("out of memory");
	for (i = 0; i < q.jobs; i++)
		if (q.job[i].held)
			number[n++] = q.job[i].number;
	if (!a->driver.dry_run && slurm_control("release", number, n, error))
		status = run_error("%s", error);
	else
		printf("%zu jobs %s\n", n,
		       a->driver.dry_run ? "would be released" : "released");
	free(number);
	slurm_queue_free(&q);
	return status;
}

/* ---- commands ---- */

#define ASKED "--settings fair.conf"

static const struct command commands[] = {
	{ "run", "", "schedule the cluster, until a signal ends it",
	  "Jobs are born held (job_submit.lua). Reads the queue each second, "
	  "tells a scheduler what happened, and releases what is to start.",
	  "To stderr goes one line an event. It may be killed and started "
	  "again at any time: jobs stay held, promises are kept. docs/SLURM.md "
	  "tells how to install it, docs/fairsched-slurm.8 is the manual.",
	  "fairsched-slurm run --policy conservative --state state --dry-run "
	  "--once",
	  options, 0, 0, run, sizeof(struct args), defaults },
	{ "why", "JOB", "why a job does not start now",
	  "Says what is in the way of a job, the smallest change that would "
	  "start it now, and when it starts.",
	  "JOB is as squeue has it: 123, or 123_4 of an array. A shorter time "
	  "limit is told in seconds.",
	  "fairsched-slurm why 123 " ASKED, options, 1, 1, run_why,
	  sizeof(struct args), defaults },
	{ "when", "JOB", "when a job starts",
	  "Says what was promised to a job, or else what is planned.",
	  "JOB is as squeue has it: 123, or 123_4 of an array.",
	  "fairsched-slurm when 123 " ASKED, options, 1, 1, run_when,
	  sizeof(struct args), defaults },
	{ "status", "", "the status page",
	  "Prints who runs, who waits until when, and who is not planned, and "
	  "why.",
	  "'fairsched-slurm run --status F' keeps it in a file.",
	  "fairsched-slurm status " ASKED, options, 0, 0, run_status,
	  sizeof(struct args), defaults },
	{ "release-all", "", "give the cluster back to Slurm",
	  "Releases every job that is held for us; from then on Slurm starts "
	  "them by itself.",
	  "Stop fairsched-slurm first, and take job_submit.lua out of "
	  "slurm.conf, see docs/SLURM.md: else further jobs are born held. "
	  "What an administrator holds stays held.",
	  "fairsched-slurm release-all --dry-run", options, 0, 0,
	  run_release_all, sizeof(struct args), defaults },
};
#define COMMANDS (sizeof(commands) / sizeof(*commands))

static void print_usage(void)
{
	size_t i;

	puts("usage: fairsched-slurm COMMAND [ARGUMENT ...]\n\n"
	     "Schedules a Slurm cluster from outside.\n");
	for (i = 0; i < COMMANDS; i++)
		printf("  %-12s %s\n", commands[i].name, commands[i].brief);
	puts("\n'fairsched-slurm COMMAND --help' says more, --version the "
	     "version.");
}

/* ---- settings ---- */

struct settings {
	char **argv; /* those of the file, then those of the command line */
	int argc;
	char *text;
};

/* "key = value" to "--key=value"; NULL without memory. */
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

/* Every line is tried alone, so that an error names it. */
static int read_settings(struct settings *s, const struct command *c,
			 const char *path)
{
	char error[512], *one[2] = { NULL, NULL };
	struct csv_field line;
	struct csv csv;
	struct args scratch;
	size_t bytes, operands;
	char **more;

	if (load(path, &s->text, &bytes, error, sizeof(error)))
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
			return input_error("%s:%ld: this line", path, csv.line);
	}
	return 0;
}

/* The last --settings on the command line. */
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

static int with_settings(const struct command *c, int argc, char **argv)
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
		return usage_error(NULL, "which command?");
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
			return with_settings(&commands[i], argc - 2, argv + 2);
	return usage_error(NULL, "no command '%s'", argv[1]);
}

int main(int argc, char **argv)
{
	int status;

	options_program = "fairsched-slurm";
	output_init();
	status = dispatch(argc, argv);
	if (fflush(stdout) || ferror(stdout))
		status = run_error("standard output: %s", strerror(errno));
	return status;
}
