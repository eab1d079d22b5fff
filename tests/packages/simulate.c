/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * usage: simulate JOBS.csv PROCS: the digest of conservative backfilling, and the
 * processor seconds of the fastest of seven runs, by the C function that every
 * binding calls. JOBS.csv is what `fairsched simulate --jobs-out` writes.
 */
#define FAIRSCHED_STATIC
#define FAIRSCHED_IMPLEMENTATION
#include "fairsched.h"
#include "replay.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SUBMIT, RUN, WALLTIME, PROCS, START, COLUMNS, MOST = 1000000 };

static const char *const name[COLUMNS] = { "submission_time", "execution_time",
					   "requested_time",
					   "requested_number_of_resources",
					   "starting_time" };
static int64_t value[COLUMNS][MOST], start[MOST], promise[MOST];
static int32_t procs[MOST];

static void read_row(char *line, const int *column, size_t row)
{
	int i = 0, k;
	char *cell;

	for (cell = line; cell; cell = strchr(cell, ','), cell += cell != NULL, i++)
		for (k = 0; k < COLUMNS; k++)
			if (i == column[k])
				value[k][row] = strtoll(cell, NULL, 10);
}

static size_t read_jobs(FILE *file)
{
	static char line[1000];
	int column[COLUMNS], i, k;
	size_t n = 0;
	char *cell;

	if (!fgets(line, sizeof(line), file))
		return 0;
	for (cell = strtok(line, ",\n"), i = 0; cell; cell = strtok(NULL, ",\n"), i++)
		for (k = 0; k < COLUMNS; k++)
			if (!strcmp(cell, name[k]))
				column[k] = i;
	for (; n < MOST && fgets(line, sizeof(line), file); n++) {
		read_row(line, column, n);
		procs[n] = (int32_t)value[PROCS][n];
	}
	return n;
}

static int simulate(struct fair_replay *r, const struct fair_config *config)
{
	size_t bytes = fair_replay_size(r, config);
	void *memory = malloc(bytes);
	int error = memory ? fair_replay(r, config, memory, bytes) : -1;

	free(memory);
	return error || memcmp(start, value[START], r->jobs * sizeof(start[0]));
}

int main(int argc, char **argv)
{
	struct fair_config config = { 0 };
	struct fair_replay r = { 0 };
	double best = 1e9;
	FILE *file;
	int i;

	if (argc != 3 || !(file = fopen(argv[1], "r")))
		return 2;
	r.jobs = read_jobs(file);
	r.submit = value[SUBMIT];
	r.run = value[RUN];
	r.walltime = value[WALLTIME];
	r.procs = procs;
	r.start = start;
	r.promise = promise;
	config.policy = FAIR_CONSERVATIVE;
	config.procs = atoi(argv[2]);
	for (i = 0; i < 7; i++) {
		clock_t begin = clock();
		double seconds;

		if (simulate(&r, &config))
			return 1;
		seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
		best = seconds < best ? seconds : best;
		printf("digest %016llx\n", (unsigned long long)r.digest);
	}
	printf("seconds %.6f\n", best);
	return 0;
}
