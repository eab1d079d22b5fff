/* SPDX-License-Identifier: MIT OR Unlicense */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
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
	char *target; /* where it goes, links followed; NULL: a folder */
	char *temp;   /* what a signal removes; NULL: written directly */
	FILE *f;
} output[OUTPUTS];
static volatile sig_atomic_t outputs;

/* Async-signal-safe. */
static void remove_temp(const struct output *o)
{
	if (o->temp)
		(o->target ? unlink : rmdir)(o->temp);
}

/* The last first: a folder is empty once its files are gone. */
static void on_signal(int signal_number)
{
	int i;

	for (i = outputs; i-- > 0;)
		remove_temp(&output[i]);
	if (signal_number == SIGPIPE)
		_exit(0);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* So that on_signal() knows what was created, and finds all renamed or none. */
static void hold_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

static void release_signals(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
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
	signal(SIGXFSZ, SIG_IGN); /* then write() says EFBIG */
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

/* ---- one file ---- */

/* As the file has it, or else as open() would give it; mkstemp() gives 0600. */
static void set_mode(int fd, const char *target, bool is_private)
{
	struct stat st;
	mode_t mask;

	if (!stat(target, &st)) {
		(void)!fchown(fd, st.st_uid, st.st_gid);
		fchmod(fd, st.st_mode & 0777);
	} else if (!is_private) {
		mask = umask(0);
		umask(mask);
		fchmod(fd, 0666 & ~mask);
	}
}

static FILE *open_temp(struct output *o, bool is_private)
{
	char *temp;
	size_t n;
	int fd;

	o->target = realpath(o->path, NULL);
	if (!o->target)
		o->target = strdup(o->path);
	n = o->target ? strlen(o->target) + sizeof(OUTPUT_NEW "XXXXXX") : 0;
	temp = n ? malloc(n) : NULL;
	if (!temp)
		return NULL;
	snprintf(temp, n, "%s" OUTPUT_NEW "XXXXXX", o->target);
	fd = mkstemp(temp);
	if (fd < 0) {
		free(temp);
		return NULL;
	}
	o->temp = temp;
	set_mode(fd, o->target, is_private);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fdopen(fd, "w");
}

/* Closes it, and removes what was not committed. */
static void drop_last(void)
{
	struct output *o = &output[outputs - 1];

	remove_temp(o);
	outputs--;
	if (o->f && o->f != stdout)
		fclose(o->f);
	free(o->temp);
	free(o->target);
	free(o->path);
}

/* NULL with errno set. */
static struct output *add(const char *path, bool is_direct, bool is_private)
{
	struct output *o = &output[outputs];
	int error;

	if (outputs == OUTPUTS) {
		errno = EMFILE;
		return NULL;
	}
	memset(o, 0, sizeof(*o));
	o->path = strdup(path);
	if (!strcmp(path, "-"))
		o->f = stdout;
	else if (o->path)
		o->f = is_direct ? fopen(path, "w") : open_temp(o, is_private);
	outputs++;
	if (o->f)
		return o;
	error = errno;
	drop_last();
	errno = error;
	return NULL;
}

/* Signals are not held for a pipe, which may wait for its reader. */
static struct output *open_output(const char *path, bool is_private)
{
	struct output *o;
	sigset_t before;
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return add(path, true, is_private);
	hold_signals(&before);
	o = add(path, false, is_private);
	release_signals(&before);
	return o;
}

/* Returns 0, or -1 with errno set. */
static int close_output(struct output *o)
{
	FILE *f = o->f;
	int error = 0;

	o->f = NULL;
	if (!f)
		return 0;
	if (fflush(f) || ferror(f))
		error = errno ? errno : EIO;
	if (!error && o->temp && fsync(fileno(f)) && errno != EINVAL)
		error = errno;
	if (f != stdout && fclose(f) && !error)
		error = errno;
	errno = error;
	return error ? -1 : 0;
}

/* The new name is on the disk only with its folder, unless that has no sync. */
static int sync_folder(char *target)
{
	char *slash = strrchr(target, '/');
	int fd, status;

	if (slash)
		*slash = '\0';
	fd = open(!slash ? "." : *target ? target : "/", O_RDONLY | O_CLOEXEC);
	if (slash)
		*slash = '/';
	status = fd < 0 ? -1 : fsync(fd);
	if (status && (errno == EINVAL || errno == EROFS || errno == EACCES))
		status = 0;
	if (fd >= 0)
		close(fd);
	return status;
}

/* Returns 0, or -1 with errno set. */
static int rename_output(struct output *o)
{
	char *temp = o->temp;

	if (!temp || !o->target)
		return 0;
	if (rename(temp, o->target))
		return -1;
	o->temp = NULL;
	free(temp);
	return sync_folder(o->target);
}

/* ---- all of them ---- */

FILE *output_open(const char *path)
{
	struct output *o = open_output(path, false);

	if (!o)
		run_error("%s: %s", path, strerror(errno));
	return o ? o->f : NULL;
}

int output_folder(const char *path)
{
	sigset_t before;
	int error = 0;

	hold_signals(&before);
	if (mkdir(path, 0777)) {
		error = errno == EEXIST ? 0 : errno;
	} else if (outputs < OUTPUTS) {
		memset(&output[outputs], 0, sizeof(*output));
		output[outputs].temp = strdup(path);
		outputs++;
	}
	release_signals(&before);
	return error ? run_error("%s: %s", path, strerror(error)) : 0;
}

int output_save(const char *path, const void *bytes, size_t n, bool is_private)
{
	struct output *o = open_output(path, is_private);
	int error;

	if (!o)
		return -1;
	fwrite(bytes, 1, n, o->f);
	error = close_output(o) || rename_output(o) ? errno : 0;
	drop_last();
	errno = error;
	return error ? -1 : 0;
}

static int each(int (*finish)(struct output *o))
{
	int i;

	for (i = 0; i < outputs; i++)
		if (finish(&output[i]))
			return run_error("%s: %s", output[i].path,
					 strerror(errno));
	return 0;
}

int output_commit(void)
{
	sigset_t before;
	int status = each(close_output);

	hold_signals(&before);
	if (!status)
		status = each(rename_output);
	while (outputs && output[outputs - 1].path)
		drop_last();
	release_signals(&before);
	return status;
}

void output_abandon(void)
{
	while (outputs)
		drop_last();
}
