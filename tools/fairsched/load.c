/* SPDX-License-Identifier: MIT OR Unlicense */
#include "load.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FAIR_HAVE_ZLIB
#include <zlib.h>
#else
#include <sys/wait.h>
#include <unistd.h>
#endif

/* What fails here says so through errno or returns a text of its own. */
struct text {
	char *p;
	size_t n, cap;
};

/* Room for @more bytes and a NUL. */
static int text_grow(struct text *t, size_t more)
{
	size_t cap = t->cap;
	char *p;

	if (more >= SIZE_MAX / 2 - t->n) {
		errno = ENOMEM;
		return -1;
	}
	if (t->n + more < cap)
		return 0;
	while (cap <= t->n + more)
		cap = cap ? 2 * cap : 65536;
	p = realloc(t->p, cap);
	if (!p)
		return -1;
	t->p = p;
	t->cap = cap;
	return 0;
}

static const char *slurp(FILE *f, struct text *t)
{
	do {
		if (text_grow(t, 65536))
			return strerror(errno);
		t->n += fread(t->p + t->n, 1, t->cap - t->n - 1, f);
	} while (!feof(f) && !ferror(f));
	return ferror(f) ? strerror(errno) : NULL;
}

static int is_gzip(const struct text *t)
{
	return t->n >= 2 && !memcmp(t->p, "\x1f\x8b", 2);
}

#ifdef FAIR_HAVE_ZLIB

/* One call of inflate() that goes on with what is left of @in. */
static int inflate_some(z_stream *z, const struct text *in, size_t *used,
			struct text *out)
{
	size_t left = in->n - *used, room;
	int status;

	if (text_grow(out, out->n / 2 + 65536))
		return Z_MEM_ERROR;
	room = out->cap - out->n - 1;
	z->next_in = (Bytef *)in->p + *used;
	z->avail_in = left < 1u << 30 ? (uInt)left : 1u << 30;
	z->next_out = (Bytef *)out->p + out->n;
	z->avail_out = room < 1u << 30 ? (uInt)room : 1u << 30;
	status = inflate(z, Z_NO_FLUSH);
	*used = (size_t)((char *)z->next_in - in->p);
	out->n = (size_t)((char *)z->next_out - out->p);
	return status;
}

/* A file may hold several gzip members, one after the other. */
static const char *gunzip(const struct text *in, struct text *out)
{
	z_stream z = { 0 };
	size_t used = 0;
	int status;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return strerror(ENOMEM);
	do {
		status = inflate_some(&z, in, &used, out);
		if (status == Z_STREAM_END && used < in->n)
			status = inflateReset(&z);
	} while (status == Z_OK);
	inflateEnd(&z);
	if (status == Z_STREAM_END)
		return NULL;
	if (status == Z_MEM_ERROR)
		return strerror(ENOMEM);
	return status == Z_BUF_ERROR ? "truncated gzip data"
				     : "damaged gzip data";
}

#else /* gzip -dc, from a temporary file to a pipe */

static void exec_gzip(FILE *in, const int out[2])
{
	if (dup2(fileno(in), 0) < 0 || dup2(out[1], 1) < 0)
		_exit(127);
	close(out[0]);
	close(out[1]);
	execlp("gzip", "gzip", "-dc", (char *)NULL);
	_exit(127);
}

static const char *gunzip_from(FILE *in, struct text *out)
{
	const char *error;
	int pipes[2], status = -1;
	FILE *f;
	pid_t child;

	if (pipe(pipes))
		return strerror(errno);
	child = fork();
	if (!child)
		exec_gzip(in, pipes);
	close(pipes[1]);
	f = fdopen(pipes[0], "r");
	error = child < 0 || !f ? strerror(errno) : slurp(f, out);
	if (f)
		fclose(f);
	else
		close(pipes[0]);
	if (child > 0)
		waitpid(child, &status, 0);
	if (error)
		return error;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return "it is gzipped, and there is no gzip to unpack it";
	return status ? "truncated or damaged gzip data" : NULL;
}

static const char *gunzip(const struct text *in, struct text *out)
{
	FILE *f = tmpfile();
	const char *error;

	if (!f)
		return strerror(errno);
	if (fwrite(in->p, 1, in->n, f) != in->n || fflush(f))
		error = strerror(errno);
	else if (lseek(fileno(f), 0, SEEK_SET))
		error = strerror(errno);
	else
		error = gunzip_from(f, out);
	fclose(f);
	return error;
}

#endif

static const char *load_from(FILE *f, struct text *out)
{
	struct text raw = { NULL, 0, 0 };
	const char *error = slurp(f, &raw);

	if (!error && is_gzip(&raw)) {
		error = gunzip(&raw, out);
		free(raw.p);
	} else {
		*out = raw;
	}
	if (!error && text_grow(out, 0))
		error = strerror(errno);
	if (!error)
		out->p[out->n] = '\0';
	return error;
}

int load(const char *path, char **text, size_t *bytes, char *error,
	 size_t error_size)
{
	struct text out = { NULL, 0, 0 };
	int is_stdin = !strcmp(path, "-");
	FILE *f = is_stdin ? stdin : fopen(path, "rb");
	const char *what = f ? load_from(f, &out) : strerror(errno);

	if (f && !is_stdin)
		fclose(f);
	if (what) {
		snprintf(error, error_size, "%s: %s",
			 is_stdin ? "standard input" : path, what);
		free(out.p);
		return -1;
	}
	*text = out.p;
	*bytes = out.n;
	return 0;
}

uint64_t load_digest(const char *text, size_t bytes)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	while (bytes--)
		h = (h ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
	return h;
}
