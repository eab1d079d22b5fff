/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * soak_main.c - runs a fuzzer on random inputs, with any compiler
 *
 * usage: NAME SEED FIRST SECONDS CORPUS [FILE]
 *
 * Runs inputs FIRST, FIRST + 1, ... for SECONDS (0: the first only) and prints
 * the number of the next one. SEED, N and the files of the folder CORPUS
 * determine input N: noise, or files that are cut, doubled, joined and
 * overwritten. Inputs run in child processes. An input that crashes, leaks or
 * takes a minute of processor time is shortened and written to FILE, for
 * replay_main.c, and the exit status is 1.
 */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define BATCH 64   /* inputs for each child */
#define MOST 16384 /* bytes in an input */
#define CPU_SECONDS 60
#define SHORTENING 60 /* seconds */

struct input {
	uint8_t *p;
	size_t n;
};

struct soak {
	uint64_t seed;
	struct input *file;
	size_t files;
};

/* ---- inputs ---- */

static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static size_t below(uint64_t *state, size_t n)
{
	return n ? (size_t)(draw(state) % n) : 0;
}

/* Draws a length; every order of magnitude is equally likely. */
static size_t length(uint64_t *state)
{
	return below(state, (size_t)2 << below(state, 14));
}

/* Inserts @from at @at, as far as there is room. */
static void insert(struct input *x, size_t at, const uint8_t *from, size_t n)
{
	if (n > MOST - x->n)
		n = MOST - x->n;
	if (!n)
		return;
	memmove(x->p + at + n, x->p + at, x->n - at);
	memmove(x->p + at, from, n);
	x->n += n;
}

static void insert_noise(struct input *x, uint64_t *r, size_t n)
{
	uint8_t noise[MOST], most = (uint8_t)(draw(r) >> below(r, 8));
	size_t i;

	for (i = 0; i < n; i++)
		noise[i] = (uint8_t)(draw(r) & most);
	insert(x, below(r, x->n + 1), noise, n);
}

static void change(const struct soak *s, struct input *x, uint64_t *r)
{
	size_t at = below(r, x->n), n = 1 + below(r, x->n - at);
	const struct input *other = &s->file[below(r, s->files)];
	uint8_t piece[MOST];

	switch (x->n ? below(r, 6) : 0) {
	case 0:
		insert_noise(x, r, length(r));
		break;
	case 1:
		x->p[at] ^= (uint8_t)(1 << below(r, 8));
		break;
	case 2:
		x->p[at] = (uint8_t)draw(r);
		break;
	case 3:
		memmove(x->p + at, x->p + at + n, x->n - at - n);
		x->n -= n;
		break;
	case 4:
		memcpy(piece, x->p + at, n);
		insert(x, below(r, x->n), piece, n);
		break;
	default:
		insert(x, at, other->p, other->n);
	}
}

/* Makes input @number in memory of MOST bytes. */
static void make(const struct soak *s, uint64_t number, struct input *x)
{
	uint64_t r = s->seed ^ number * UINT64_C(0xd1342543de82ef95);
	size_t changes;

	draw(&r);
	x->n = 0;
	if (below(&r, 3)) {
		const struct input *f = &s->file[below(&r, s->files)];

		insert(x, 0, f->p, f->n);
	}
	for (changes = 1 + below(&r, 12); changes; changes--)
		change(s, x, &r);
}

/* ---- children ---- */

/* Runs it in memory of its size, so that a sanitizer sees a read beyond it. */
static void run(const struct input *x)
{
	struct itimerval limit = { { 0, 0 }, { CPU_SECONDS, 0 } };
	uint8_t *data = malloc(x->n ? x->n : 1);

	if (!data)
		exit(1);
	memcpy(data, x->p, x->n);
	setitimer(ITIMER_PROF, &limit, NULL);
	LLVMFuzzerTestOneInput(data, x->n);
	free(data);
}

/* Whether an input fails; prints nothing. */
static bool fails(const struct input *x)
{
	int status = 0, nothing;
	pid_t child = fork();

	if (!child) {
		nothing = open("/dev/null", O_WRONLY);
		if (nothing >= 0)
			dup2(nothing, 2);
		run(x);
		exit(0);
	}
	waitpid(child, &status, 0);
	return status != 0;
}

/* Writes the number of each input to @out before it runs it. */
static void run_batch(const struct soak *s, uint64_t n, uint64_t inputs,
		      int64_t end, int out)
{
	static uint8_t bytes[MOST];
	struct input x = { bytes, 0 };

	for (; inputs; inputs--, n++) {
		if (write(out, &n, sizeof(n)) != sizeof(n))
			exit(1);
		make(s, n, &x);
		run(&x);
		if (time(NULL) >= end)
			break;
	}
	exit(0);
}

/* Runs a batch from *@n on; sets *@n to its last input; true on success. */
static bool batch(const struct soak *s, uint64_t *n, uint64_t inputs,
		  int64_t end)
{
	int pipes[2], status = -1;
	uint64_t first = *n;
	pid_t child;

	if (pipe(pipes))
		return false;
	child = fork();
	if (!child) {
		close(pipes[0]);
		run_batch(s, first, inputs, end, pipes[1]);
	}
	close(pipes[1]);
	while (read(pipes[0], n, sizeof(*n)) == sizeof(*n))
		;
	close(pipes[0]);
	waitpid(child, &status, 0);
	return !status;
}

/* ---- failures ---- */

/* Removes pieces while the input still fails, long pieces first. */
static void shorten(struct input *x)
{
	int64_t end = time(NULL) + SHORTENING;
	struct input less = { malloc(MOST), 0 };
	size_t piece, at, n;

	for (piece = x->n / 2; less.p && piece; piece /= 2)
		for (at = 0; at < x->n && time(NULL) < end;) {
			n = x->n - at < piece ? x->n - at : piece;
			memcpy(less.p, x->p, at);
			memcpy(less.p + at, x->p + at + n, x->n - at - n);
			less.n = x->n - n;
			if (fails(&less)) {
				memcpy(x->p, less.p, less.n);
				x->n = less.n;
			} else {
				at += n;
			}
		}
	free(less.p);
}

/* Finds and shortens the first of @first .. @last that fails by itself. */
static void report(const struct soak *s, uint64_t first, uint64_t last,
		   const char *path)
{
	static uint8_t bytes[MOST];
	struct input x = { bytes, 0 };
	uint64_t n;
	FILE *f;

	for (n = first; n <= last; n++) {
		make(s, n, &x);
		if (fails(&x))
			break;
	}
	if (n > last) {
		printf("not ok inputs %" PRIu64 " to %" PRIu64
		       " in one process\n",
		       first, last);
		return;
	}
	shorten(&x);
	printf("not ok input %" PRIu64 ", shortened to %zu bytes\n", n, x.n);
	f = path ? fopen(path, "wb") : NULL;
	if (path && (!f || fwrite(x.p, 1, x.n, f) != x.n || fclose(f)))
		printf("cannot write %s\n", path);
}

/* ---- the corpus ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct input read_file(const char *folder, const char *name)
{
	struct input x = { malloc(MOST), 0 };
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "rb");
	if (f && x.p)
		x.n = fread(x.p, 1, MOST, f);
	if (f)
		fclose(f);
	return x;
}

/* Reads the files in the order of their names, and adds an empty one. */
static bool read_corpus(struct soak *s, const char *folder)
{
	char **name = NULL, **more;
	DIR *d = opendir(folder);
	struct dirent *e;
	size_t n = 0, i;

	while (d && (e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		more = realloc(name, (n + 1) * sizeof(*name));
		if (!more)
			return false;
		name = more;
		name[n] = malloc(strlen(e->d_name) + 1);
		if (!name[n])
			return false;
		memcpy(name[n++], e->d_name, strlen(e->d_name) + 1);
	}
	if (d)
		closedir(d);
	if (n)
		qsort(name, n, sizeof(*name), by_name);
	s->file = calloc(n + 1, sizeof(*s->file));
	for (i = 0; i < n; i++) {
		if (s->file)
			s->file[s->files++] = read_file(folder, name[i]);
		free(name[i]);
	}
	free(name);
	s->files++;
	return d && s->file;
}

int main(int argc, char **argv)
{
	struct soak s = { 0 };
	uint64_t n, first;
	int64_t seconds, end;
	bool good = true;

	if (argc < 5) {
		printf("usage: %s SEED FIRST SECONDS CORPUS [FILE]\n", argv[0]);
		return 2;
	}
	s.seed = strtoull(argv[1], NULL, 10);
	n = strtoull(argv[2], NULL, 10);
	seconds = strtoll(argv[3], NULL, 10);
	if (!read_corpus(&s, argv[4])) {
		printf("not ok: cannot read %s\n", argv[4]);
		return 1;
	}
	end = time(NULL) + seconds;
	do {
		first = n;
		good = batch(&s, &n, seconds ? BATCH : 1, end);
		if (good)
			n++;
	} while (good && time(NULL) < end);
	if (!good)
		report(&s, first, n, argv[5]);
	else
		printf("next %" PRIu64 "\n", n);
	while (s.files)
		free(s.file[--s.files].p);
	free(s.file);
	return !good;
}
