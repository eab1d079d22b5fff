/* SPDX-License-Identifier: MIT OR Unlicense */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages.h"

#define OUTPUTS 256

static struct output {
	char *path;   /* as the user calls it */
	char *target; /* where it goes, links followed */
	char *temp;   /* NULL: written directly */
	FILE *f;
} output[OUTPUTS];
static volatile sig_atomic_t outputs;

/* Async-signal-safe. */
static void remove_temps(void)
{
	int i;

	for (i = 0; i < outputs; i++)
		if (output[i].temp)
			unlink(output[i].temp);
}

static void on_signal(int signal_number)
{
	remove_temps();
	if (signal_number == SIGPIPE)
		_exit(0);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

void output_init(void)
{
	static const int signals[] = { SIGPIPE, SIGINT, SIGTERM, SIGHUP };
	struct sigaction a;
	size_t i;

	memset(&a, 0, sizeof(a));
	a.sa_handler = on_signal;
	sigemptyset(&a.sa_mask);
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &a, NULL);
}

/* ---- which file ---- */

static int stat_of(const char *path, int standard, struct stat *st)
{
	return strcmp(path, "-") ? stat(path, st) : fstat(standard, st);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool output_is_input(const char *path, const char *input)
{
	struct stat a, b;

	return !stat_of(path, STDOUT_FILENO, &a) &&
	       !stat_of(input, STDIN_FILENO, &b) && S_ISREG(a.st_mode) &&
	       is_same(&a, &b);
}

/* Of a file that is not there: its folder and its name in it. */
static const char *folder_of(const char *path, struct stat *folder)
{
	const char *slash = strrchr(path, '/');
	char *name = slash ? strdup(path) : NULL;
	int error;

	if (name)
		name[slash - path + 1] = '\0';
	error = stat(slash ? (name ? name : "") : ".", folder);
	free(name);
	if (error)
		return NULL;
	return slash ? slash + 1 : path;
}

bool output_is_output(const char *path, const char *other)
{
	const char *name, *other_name;
	struct stat a, b;
	bool is_old;

	if (!strcmp(path, "-") || !strcmp(other, "-"))
		return !strcmp(path, other);
	is_old = !stat(path, &a);
	if (is_old || !stat(other, &b))
		return is_old && !stat(other, &b) && S_ISREG(a.st_mode) &&
		       is_same(&a, &b);
	name = folder_of(path, &a);
	other_name = folder_of(other, &b);
	return name && other_name && !strcmp(name, other_name) &&
	       is_same(&a, &b);
}

/* mkstemp() gives 0600: what the file had, or what open() would give. */
static mode_t mode_of(const char *path)
{
	struct stat st;
	mode_t mask;

	if (!stat(path, &st))
		return st.st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

static FILE *open_temp(struct output *o)
{
	size_t n;
	int fd;

	o->target = realpath(o->path, NULL);
	if (!o->target)
		o->target = strdup(o->path);
	n = o->target ? strlen(o->target) + sizeof(".XXXXXX") : 0;
	o->temp = n ? malloc(n) : NULL;
	if (!o->temp)
		return NULL;
	snprintf(o->temp, n, "%s.XXXXXX", o->target);
	fd = mkstemp(o->temp);
	if (fd < 0)
		return NULL;
	fchmod(fd, mode_of(o->target));
	return fdopen(fd, "w");
}

static FILE *open_output(const char *path, bool direct)
{
	struct output *o = &output[outputs];

	if (outputs == OUTPUTS) {
		run_error("%s: too many output files, the most is %d", path,
			  OUTPUTS);
		return NULL;
	}
	memset(o, 0, sizeof(*o));
	o->path = strdup(path);
	if (!strcmp(path, "-"))
		o->f = stdout;
	else if (o->path)
		o->f = direct ? fopen(path, "w") : open_temp(o);
	if (o->f) {
		outputs++;
		return o->f;
	}
	run_error("%s: %s", path, strerror(errno));
	if (o->temp)
		unlink(o->temp);
	free(o->temp);
	free(o->target);
	free(o->path);
	return NULL;
}

/*
 * Signals are blocked while the file is created, so that remove_temps() knows
 * each one. Not for a pipe, which has no such file and may wait for its reader.
 */
FILE *output_open(const char *path)
{
	struct stat st;
	bool direct = !stat(path, &st) && !S_ISREG(st.st_mode);
	sigset_t held, before;
	FILE *f;

	sigemptyset(&held);
	if (!direct)
		sigfillset(&held);
	sigprocmask(SIG_BLOCK, &held, &before);
	f = open_output(path, direct);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return f;
}

/* Returns 0 or an errno. */
static int close_output(struct output *o)
{
	int error = 0;

	if (fflush(o->f) || ferror(o->f))
		error = errno ? errno : EIO;
	if (o->f != stdout && fclose(o->f) && !error)
		error = errno;
	o->f = NULL;
	return error;
}

int output_commit(void)
{
	int i, error, status = 0;
	char *temp;

	for (i = 0; i < outputs && !status; i++) {
		error = close_output(&output[i]);
		if (error)
			status = run_error("%s: %s", output[i].path,
					   strerror(error));
	}
	for (i = 0; i < outputs && !status; i++) {
		temp = output[i].temp;
		if (!temp)
			continue;
		if (rename(temp, output[i].target)) {
			status = run_error("%s: %s", output[i].path,
					   strerror(errno));
			break;
		}
		output[i].temp = NULL;
		free(temp);
	}
	output_abandon();
	return status;
}

void output_abandon(void)
{
	int i, n = outputs;

	remove_temps();
	outputs = 0;
	for (i = 0; i < n; i++) {
		if (output[i].f && output[i].f != stdout)
			fclose(output[i].f);
		free(output[i].temp);
		free(output[i].target);
		free(output[i].path);
	}
}
