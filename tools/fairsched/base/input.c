/* SPDX-License-Identifier: MIT OR Unlicense */
#include "input.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef FAIR_HAVE_ZLIB
#include <zlib.h>
#endif

#define MAGIC 6	     /* bytes that tell how a file is packed */
#define PACKED 65536 /* bytes at a time */

static const struct packing {
	const char *program, *magic;
	size_t bytes; /* of the magic */
	const char *damaged, *missing;
} packings[] = {
	{ "gzip", "\x1f\x8b", 2, "truncated or damaged gzip data",
	  "the file is gzipped, and gzip is not installed" },
	{ "xz",
	  "\xfd"
	  "7zXZ",
	  6, "truncated or damaged xz data",
	  "the file is packed by xz, which is not installed" },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, "truncated or damaged zstd data",
	  "the file is packed by zstd, which is not installed" },
};

struct input {
	FILE *f; /* the file; where a program unpacks it, its output */
	FILE *file;
	unsigned char first[MAGIC];
	size_t firsts, given;	       /* bytes of it read, and passed on */
	const struct packing *packing; /* NULL: plain */
	pid_t feeder, program;
	bool begun, ended;
#ifdef FAIR_HAVE_ZLIB
	bool inflates;
	z_stream z;
	unsigned char packed[PACKED];
#endif
};

/* The file itself, with what was read of it to know its packing. */
static size_t read_packed(struct input *in, void *to, size_t room)
{
	size_t n = in->firsts - in->given;

	if (!n)
		return fread(to, 1, room, in->file);
	n = n < room ? n : room;
	memcpy(to, in->first + in->given, n);
	in->given += n;
	return n;
}

/* ---- zlib ---- */

#ifdef FAIR_HAVE_ZLIB
/* A file may hold several gzip members, one after the other. */
static size_t inflate_some(struct input *in, char *to, size_t room,
			   const char **error)
{
	int status = Z_OK;

	in->z.next_out = (Bytef *)to;
	in->z.avail_out = room < 1u << 30 ? (uInt)room : 1u << 30;
	while (status == Z_OK && (char *)in->z.next_out == to) {
		if (!in->z.avail_in) {
			in->z.next_in = in->packed;
			in->z.avail_in =
				(uInt)read_packed(in, in->packed, PACKED);
		}
		if (ferror(in->file)) {
			*error = strerror(errno);
			return 0;
		}
		if (in->ended && !in->z.avail_in)
			return 0;
		if (in->ended)
			inflateReset(&in->z);
		status = inflate(&in->z, Z_NO_FLUSH);
		in->ended = status == Z_STREAM_END;
		status = in->ended ? Z_OK : status;
	}
	if (status == Z_OK)
		return (size_t)((char *)in->z.next_out - to);
	*error = status == Z_BUF_ERROR	 ? "truncated gzip data"
		 : status == Z_MEM_ERROR ? strerror(ENOMEM)
					 : "damaged gzip data";
	return 0;
}
#endif

/* ---- programs ---- */

static void forget_signals(void)
{
	static const int signals[] = { SIGPIPE, SIGINT, SIGTERM, SIGHUP };
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_DFL);
}

/* A process that writes the file to a pipe, which may not be at its begin. */
static void feed(struct input *in, int to)
{
	static char some[PACKED];
	FILE *out = fdopen(to, "w");
	size_t n;

	forget_signals();
	while (out && (n = read_packed(in, some, sizeof(some))) > 0)
		fwrite(some, 1, n, out);
	_exit(!out || fflush(out) || ferror(out) || ferror(in->file));
}

static void exec_program(const char *program, int from, int to)
{
	if (dup2(from, 0) < 0 || dup2(to, 1) < 0)
		_exit(127);
	close(from);
	close(to);
	forget_signals();
	execlp(program, program, "-dcq", (char *)NULL);
	_exit(127);
}

/* file -> feeder -> program -> in->f */
static int open_program(struct input *in)
{
	int packed[2], plain[2];

	if (pipe(packed))
		return -1;
	if (pipe(plain)) {
		close(packed[0]);
		close(packed[1]);
		return -1;
	}
	in->feeder = fork();
	if (!in->feeder) {
		close(packed[0]);
		close(plain[0]);
		close(plain[1]);
		feed(in, packed[1]);
	}
	close(packed[1]);
	in->program = in->feeder < 0 ? -1 : fork();
	if (!in->program) {
		close(plain[0]);
		exec_program(in->packing->program, packed[0], plain[1]);
	}
	close(packed[0]);
	close(plain[1]);
	in->f = fdopen(plain[0], "r");
	if (!in->f)
		close(plain[0]);
	return in->f && in->program > 0 ? 0 : -1;
}

/* Waits for both; NULL, or how they failed. */
static const char *close_program(struct input *in)
{
	int fed = 0, status = 0;

	if (in->f && in->f != in->file)
		fclose(in->f);
	in->f = in->file;
	if (in->program > 0)
		waitpid(in->program, &status, 0);
	if (in->feeder > 0)
		waitpid(in->feeder, &fed, 0);
	in->program = in->feeder = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return in->packing->missing;
	if (status)
		return in->packing->damaged;
	return fed ? "the file cannot be read" : NULL;
}

/* ---- all of them ---- */

static int find_packing(struct input *in)
{
	size_t i;

	in->firsts = fread(in->first, 1, MAGIC, in->file);
	if (ferror(in->file))
		return -1;
	for (i = 0; i < sizeof(packings) / sizeof(*packings); i++)
		if (in->firsts >= packings[i].bytes &&
		    !memcmp(in->first, packings[i].magic, packings[i].bytes))
			in->packing = &packings[i];
	if (!in->packing)
		return 0;
#ifdef FAIR_HAVE_ZLIB
	in->inflates = in->packing == packings;
	if (in->inflates)
		return inflateInit2(&in->z, 15 + 16) == Z_OK ? 0 : -1;
#endif
	return open_program(in);
}

struct input *input_open(const char *path, const char **error)
{
	struct input *in = calloc(1, sizeof(*in));

	if (in) {
		in->file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
		in->f = in->file;
	}
	if (in && in->file && !find_packing(in))
		return in;
	*error = strerror(errno);
	input_close(in);
	return NULL;
}

static size_t read_some(struct input *in, char *to, size_t room,
			const char **error)
{
	size_t n;

#ifdef FAIR_HAVE_ZLIB
	if (in->inflates)
		return inflate_some(in, to, room, error);
#endif
	n = in->packing ? fread(to, 1, room, in->f) : read_packed(in, to, room);
	if (ferror(in->f))
		*error = strerror(errno);
	else if (!n && in->packing)
		*error = close_program(in);
	return *error ? 0 : n;
}

/* Without the byte order mark. */
static size_t begin(char *to, size_t n, const char **error)
{
	if (n >= 2 &&
	    (!memcmp(to, "\xff\xfe", 2) || !memcmp(to, "\xfe\xff", 2)))
		*error = "the text is UTF-16: convert it by iconv -f UTF-16 -t "
			 "UTF-8";
	if (*error || n < 3 || memcmp(to, "\xef\xbb\xbf", 3) != 0)
		return *error ? 0 : n;
	memmove(to, to + 3, n - 3);
	return n - 3;
}

size_t input_read(struct input *in, char *to, size_t room, const char **error)
{
	size_t n = 0, more = 1;

	*error = NULL;
	if (in->begun)
		return read_some(in, to, room, error);
	in->begun = true;
	while (n < 3 && more && !*error) {
		more = read_some(in, to + n, room - n, error);
		n += more;
	}
	if (!*error)
		n = begin(to, n, error);
	if (*error)
		return 0;
	return n ? n : more ? read_some(in, to, room, error) : 0;
}

void input_close(struct input *in)
{
	if (!in)
		return;
	if (in->program || in->feeder)
		close_program(in);
#ifdef FAIR_HAVE_ZLIB
	if (in->inflates)
		inflateEnd(&in->z);
#endif
	if (in->file && in->file != stdin)
		fclose(in->file);
	free(in);
}
