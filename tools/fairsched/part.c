/* SPDX-License-Identifier: MIT OR Unlicense */
#define _POSIX_C_SOURCE 200809L
#include "part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "load.h"

#define MAGIC "# fairsched fst 1 "
#define COLUMNS "number,strict_fst,relaxed_fst\n"

static uint64_t mix(uint64_t hash, int64_t word)
{
	uint64_t w = (uint64_t)word;
	int i;

	for (i = 0; i < 8; i++, w >>= 8)
		hash = (hash ^ (w & 0xff)) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t part_key(const struct sim_rules *rules, const struct swf_job *job,
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

static int fail(struct part *p, const char *path, size_t line, const char *why)
{
	snprintf(p->error, sizeof(p->error), "%.300s:%zu: %s", path, line, why);
	return -1;
}

/* One line, its end cut off; NULL: there is no whole one. */
static char *next_line(char **text)
{
	char *line = *text, *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	*text = end + 1;
	return line;
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

static int read_head(struct part *p, const char *path, char *line)
{
	unsigned long long key, jobs;

	if (!line || !cut_number(&line, MAGIC "key=", 16, &key) || !key ||
	    !cut_number(&line, " jobs=", 10, &jobs) || !jobs ||
	    jobs > UINT32_MAX || strncmp(line, " trace=", 7) != 0)
		return fail(p, path, 1, "no file of fair start times");
	if (p->key && key == p->or_key)
		p->key = key;
	if (p->key && (p->key != key || p->jobs != jobs))
		return fail(p, path, 1,
			    "the fair start times are of another trace, or "
			    "were found by other rules");
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

static int read_row(struct part *p, const char *path, size_t line, char *text)
{
	int64_t number = integer(&text, ',');
	struct fair_fst time, *known;

	time.strict = number == FAIR_FOREVER ? number : integer(&text, ',');
	time.relaxed = time.strict == FAIR_FOREVER ? FAIR_FOREVER
						   : integer(&text, '\0');
	if (time.relaxed == FAIR_FOREVER)
		return fail(p, path, line,
			    "not three numbers with commas between them");
	if (number < 0 || (uint64_t)number >= p->jobs)
		return fail(p, path, line, "no job has that number");
	known = &p->time[number];
	if (known->strict != FAIR_FOREVER &&
	    (known->strict != time.strict || known->relaxed != time.relaxed))
		return fail(p, path, line,
			    "other fair start times were read before");
	*known = time;
	return 0;
}

static int read_text(struct part *p, const char *path, char *text)
{
	char *line = next_line(&text);
	size_t n = 2;
	int error = read_head(p, path, line);

	if (error)
		return error;
	line = next_line(&text);
	if (line && strncmp(line, COLUMNS, strlen(COLUMNS) - 1))
		return fail(p, path, n, "these are no columns of mine");
	while (!error && (line = next_line(&text)) != NULL)
		error = read_row(p, path, ++n, line);
	return error;
}

int part_read(struct part *p, const char *path)
{
	size_t bytes;
	char *text;
	int error;

	if (access(path, F_OK) && errno == ENOENT)
		return 1;
	if (load(path, &text, &bytes, p->error, sizeof(p->error)))
		return -1;
	error = bytes ? read_text(p, path, text) : 1;
	free(text);
	return error;
}

static int64_t seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec;
}

static void write_head(const struct part *p, FILE *f)
{
	fprintf(f, MAGIC "key=%016" PRIx64 " jobs=%zu trace=%s\n" COLUMNS,
		p->key, p->jobs, p->trace);
}

static void write_row(const struct part *p, size_t number, FILE *f)
{
	fprintf(f, "%zu,%" PRId64 ",%" PRId64 "\n", number,
		p->time[number].strict, p->time[number].relaxed);
}

/* Behind its last whole line. */
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

int part_append(struct part *p, const char *path)
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

/* What a run has found is on disk a second later. */
void part_add(struct part *p, size_t number)
{
	int64_t now = seconds();

	write_row(p, number, p->f);
	if (p->written == now)
		return;
	p->written = now;
	fflush(p->f);
}

int part_close(struct part *p)
{
	int error = p->f && (fflush(p->f) || ferror(p->f)) ? -1 : 0;

	if (p->f && fclose(p->f))
		error = -1;
	p->f = NULL;
	if (error)
		snprintf(p->error, sizeof(p->error), "%s", strerror(errno));
	return error;
}

void part_write(const struct part *p, FILE *f)
{
	size_t i;

	write_head(p, f);
	for (i = 0; i < p->jobs; i++)
		if (p->time[i].strict != FAIR_FOREVER)
			write_row(p, i, f);
}
