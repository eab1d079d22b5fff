/* SPDX-License-Identifier: MIT OR Unlicense */
#define _POSIX_C_SOURCE 200809L
#include "fst_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/fairsched/base/lines.h"
#include "tools/fairsched/base/read_file.h"

#define MAGIC "# fairsched fst 2 check="
#define COLUMNS "number,strict_fst,relaxed_fst,check\n"
#define LINE 512 /* bytes at most */

static uint64_t mix(uint64_t hash, int64_t word)
{
	uint64_t w = (uint64_t)word;
	int i;

	for (i = 0; i < 8; i++, w >>= 8)
		hash = (hash ^ (w & 0xff)) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t fst_file_key(const struct sim_rules *rules, const struct swf_job *job,
		      size_t jobs, uint64_t digest, bool only_late)
{
	uint64_t hash = digest;
	size_t i;

	hash = mix(hash, rules->policy);
	hash = mix(hash, rules->order);
	hash = mix(hash, rules->depth);
	hash = mix(hash, rules->select);
	hash = mix(hash, rules->metric);
	hash = mix(hash, rules->longest);
	hash = mix(hash, rules->procs);
	for (i = 0; i < jobs; i++) {
		hash = mix(hash, job[i].submit);
		hash = mix(hash, job[i].run);
		hash = mix(hash, job[i].estimate);
		hash = mix(hash, job[i].procs);
	}
	if (only_late)
		hash = mix(hash, 1);
	return hash ? hash : 1;
}

/* Of a line without it: 32 bits that follow from the key and the text. */
static unsigned long check_of(uint64_t key, const char *text, size_t bytes)
{
	uint64_t hash = text_digest(text, bytes);

	hash = mix(hash, (int64_t)key);
	return (unsigned long)((hash ^ hash >> 32) & 0xffffffff);
}

static int fail(struct fst_file *p, const char *path, size_t line,
		const char *why)
{
	snprintf(p->error, sizeof(p->error), "%.300s:%zu: %s", path, line, why);
	return -1;
}

/* The next line, cut off where it is too long; NULL: there is no whole one. */
static char *next_line(struct lines *l, char text[LINE])
{
	const char *line;
	size_t n;

	if (!lines_next(l, &line, &n) || !l->whole)
		return NULL;
	n = n < LINE - 1 ? n : LINE - 1;
	memcpy(text, line, n);
	text[n] = '\0';
	return text;
}

/* Cuts a name and its number off *line; false if they are not there. */
static bool cut_number(char **line, const char *name, int base,
		       unsigned long long *n)
{
	size_t length = strlen(name);
	char *from = *line + length;

	if (strncmp(*line, name, length) != 0)
		return false;
	errno = 0;
	*n = strtoull(from, line, base);
	return !errno;
}

static int read_head(struct fst_file *p, const char *path, char *line)
{
	unsigned long long check, key, jobs;
	const char *text;

	if (!line || !cut_number(&line, MAGIC, 16, &check))
		return fail(p, path, 1,
			    "not a file of fair start times, or of another "
			    "version");
	text = line;
	if (check != check_of(0, text, strlen(text)))
		return fail(p, path, 1, "damaged: its checksum differs");
	if (!cut_number(&line, " key=", 16, &key) || !key ||
	    !cut_number(&line, " jobs=", 10, &jobs) || !jobs ||
	    jobs > UINT32_MAX || strncmp(line, " trace=", 7) != 0)
		return fail(p, path, 1, "not a file of fair start times");
	if (p->key && key == p->or_key)
		p->key = key;
	if (p->key && (p->key != key || p->jobs != jobs))
		return fail(p, path, 1,
			    "the fair start times belong to another trace or "
			    "to other options");
	if (p->key)
		return 0;
	p->key = key;
	p->jobs = (size_t)jobs;
	snprintf(p->trace, sizeof(p->trace), "%s", line + 7);
	p->time = malloc(p->jobs * sizeof(*p->time));
	if (!p->time)
		return fail(p, path, 1, "out of memory");
	while (jobs-- > 0)
		p->time[jobs].strict = p->time[jobs].relaxed = FAIR_FOREVER;
	return 0;
}

static int64_t integer(char **text, char end)
{
	char *at = *text;
	long long n;

	errno = 0;
	n = strtoll(at, text, 10);
	if (*text == at || errno || **text != end || *at == ' ' || *at == '+')
		return FAIR_FOREVER;
	*text += end != '\0';
	return n;
}

static int read_row(struct fst_file *p, const char *path, size_t line,
		    char *text)
{
	const char *from = text;
	int64_t number = integer(&text, ',');
	struct fair_fst time, *known;
	size_t bytes;

	time.strict = number == FAIR_FOREVER ? number : integer(&text, ',');
	time.relaxed = time.strict == FAIR_FOREVER ? FAIR_FOREVER
						   : integer(&text, ',');
	if (time.relaxed == FAIR_FOREVER)
		return fail(p, path, line,
			    "not three numbers and a checksum, separated by "
			    "commas");
	bytes = (size_t)(text - from);
	if (number < 0 || (uint64_t)number >= p->jobs)
		return fail(p, path, line,
			    "the trace has no job of that number");
	if (strlen(text) != 8 ||
	    strtoul(text, NULL, 16) != check_of(p->key, from, bytes))
		return fail(p, path, line, "damaged: its checksum differs");
	known = &p->time[number];
	if (known->strict != FAIR_FOREVER &&
	    (known->strict != time.strict || known->relaxed != time.relaxed))
		return fail(
			p, path, line,
			"these fair start times differ from those read before");
	*known = time;
	return 0;
}

static int read_lines(struct fst_file *p, const char *path, struct lines *l)
{
	char text[LINE], *line = next_line(l, text);
	size_t n = 2;
	int error;

	if (!line && (l->error || l->empty))
		return l->error ? -1 : 1;
	error = read_head(p, path, line);
	if (error)
		return error;
	line = next_line(l, text);
	if (line && strncmp(line, COLUMNS, strlen(COLUMNS) - 1))
		return fail(p, path, n,
			    "the columns must be "
			    "number,strict_fst,relaxed_fst,check");
	while (!error && (line = next_line(l, text)) != NULL)
		error = read_row(p, path, ++n, line);
	return error;
}

int fst_file_read(struct fst_file *p, const char *path)
{
	struct lines l;
	int error;

	if (access(path, F_OK) && errno == ENOENT)
		return 1;
	lines_open(&l, path);
	error = read_lines(p, path, &l);
	if (l.error) {
		snprintf(p->error, sizeof(p->error), "%.300s: %s", path,
			 l.error);
		error = -1;
	}
	lines_close(&l);
	return error;
}

static int64_t seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec;
}

static void write_head(const struct fst_file *p, FILE *f)
{
	char line[LINE];
	int n = snprintf(line, sizeof(line),
			 " key=%016" PRIx64 " jobs=%zu trace=%s", p->key,
			 p->jobs, p->trace);

	fprintf(f, MAGIC "%08lx%s\n" COLUMNS, check_of(0, line, (size_t)n),
		line);
}

static void write_row(const struct fst_file *p, size_t number, FILE *f)
{
	char line[LINE];
	int n = snprintf(line, sizeof(line), "%zu,%" PRId64 ",%" PRId64 ",",
			 number, p->time[number].strict,
			 p->time[number].relaxed);

	fprintf(f, "%s%08lx\n", line, check_of(p->key, line, (size_t)n));
}

/* Cuts an incomplete last line off; the position is the end of the file. */
static int cut(FILE *f)
{
	long end;
	int c = '\n';

	if (fseek(f, 0, SEEK_END))
		return -1;
	for (end = ftell(f); end > 0; end--) {
		if (fseek(f, end - 1, SEEK_SET) || (c = getc(f)) == EOF)
			return -1;
		if (c == '\n')
			break;
	}
	return end < 0 || ftruncate(fileno(f), end) || fseek(f, 0, SEEK_END)
		       ? -1
		       : 0;
}

int fst_file_append(struct fst_file *p, const char *path)
{
	p->f = fopen(path, "a+");
	if (!p->f || cut(p->f)) {
		snprintf(p->error, sizeof(p->error), "%.300s: %s", path,
			 strerror(errno));
		return -1;
	}
	if (ftell(p->f) == 0)
		write_head(p, p->f);
	p->written = 0;
	return 0;
}

/* Flushed at most once a second. */
void fst_file_add(struct fst_file *p, size_t number)
{
	int64_t now = seconds();

	write_row(p, number, p->f);
	if (p->written != now)
		fflush(p->f);
	p->written = now;
	if (ferror(p->f) && !p->failed)
		p->failed = errno;
}

int fst_file_close(struct fst_file *p)
{
	int error = p->f && (fflush(p->f) || ferror(p->f)) ? -1 : 0;

	if (p->f && fclose(p->f))
		error = -1;
	p->f = NULL;
	if (error)
		snprintf(p->error, sizeof(p->error), "%s",
			 strerror(p->failed ? p->failed : errno));
	return error;
}

void fst_file_write(const struct fst_file *p, FILE *f)
{
	size_t i;

	write_head(p, f);
	for (i = 0; i < p->jobs; i++)
		if (p->time[i].strict != FAIR_FOREVER)
			write_row(p, i, f);
}
