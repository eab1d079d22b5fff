/* SPDX-License-Identifier: MIT OR Unlicense */
#include "terminal.h"

#include "messages.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define BAR 30	     /* characters */
#define PATIENCE 1.0 /* seconds without a bar */
#define PERIOD 0.1   /* seconds between two of them */
#define LINES 10.0   /* seconds between two lines where there is no terminal */

static struct {
	pthread_mutex_t lock;
	const char *what;
	size_t total, done;
	double began, drawn;
	bool quiet, draws, visible;
} bar = { .lock = PTHREAD_MUTEX_INITIALIZER };

bool terminal_is(FILE *f)
{
	const char *term = getenv("TERM");

	return isatty(fileno(f)) && term && strcmp(term, "dumb");
}

bool terminal_colour(FILE *f)
{
	const char *no = getenv("NO_COLOR");

	return terminal_is(f) && !(no && *no);
}

size_t terminal_width(FILE *f)
{
	const char *columns = getenv("COLUMNS");
	long n = columns ? strtol(columns, NULL, 10) : 0;
#ifdef TIOCGWINSZ
	struct winsize w;

	if (n <= 0 && isatty(fileno(f)) &&
	    ioctl(fileno(f), TIOCGWINSZ, &w) == 0)
		n = w.ws_col;
#endif
	return n > 0 ? (size_t)n : 80;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_left(double seconds)
{
	int s = seconds < 1e6 ? (int)seconds : 1000000;

	if (s >= 3600)
		fprintf(stderr, "%dh %02dm", s / 3600, s / 60 % 60);
	else if (s >= 60)
		fprintf(stderr, "%dm %02ds", s / 60, s % 60);
	else
		fprintf(stderr, "%ds", s);
}

static void draw(double elapsed)
{
	double share = (double)bar.done / (double)bar.total;
	int i, full = (int)(share * BAR);

	if (!bar.draws) {
		fprintf(stderr, "%s: %s: %d %%, ", program_name, bar.what,
			(int)(100 * share));
		print_left(elapsed * (1 - share) / share);
		fputs(" left\n", stderr);
		return;
	}
	fprintf(stderr, "\r%s [", bar.what);
	for (i = 0; i < BAR; i++)
		putc(i < full ? '#' : ' ', stderr);
	fprintf(stderr, "] %3d %%  ", (int)(100 * share));
	print_left(elapsed * (1 - share) / share);
	fputs(" left\033[K", stderr);
	fflush(stderr);
	bar.visible = true;
}

void progress_begin(const char *what, size_t total)
{
	bar.draws = terminal_is(stderr);
	bar.what = what;
	bar.total = total;
	bar.done = 0;
	bar.began = now();
	bar.drawn = bar.began;
	bar.visible = false;
}

void progress_add(void *unused, size_t done)
{
	double t, period = bar.draws ? PERIOD : LINES;

	(void)unused;
	if (bar.quiet || !done)
		return;
	pthread_mutex_lock(&bar.lock);
	bar.done += done;
	t = now();
	if (t - bar.began > PATIENCE && t - bar.drawn > period) {
		draw(t - bar.began);
		bar.drawn = t;
	}
	pthread_mutex_unlock(&bar.lock);
}

void progress_end(void)
{
	if (bar.visible)
		fputs("\r\033[K", stderr);
	bar.visible = false;
}

void progress_quiet(void)
{
	bar.quiet = true;
}
