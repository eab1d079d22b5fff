/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * replay_main.c - runs a fuzzer on files, with any compiler
 *
 * usage: NAME FILE|FOLDER ...
 *
 * It also runs the empty input. Every input lies in memory of exactly its size,
 * so that a sanitizer sees a read beyond it. A failure is a crash.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

static void die(const char *path)
{
	printf("not ok replay: %s: %s\n", path, strerror(errno));
	exit(1);
}

static void replay_file(const char *path, size_t size)
{
	FILE *f = fopen(path, "rb");
	/* malloc(0) may be NULL. */
	uint8_t *data = (uint8_t *)malloc(size ? size : 1);

	if (!f || !data || fread(data, 1, size, f) != size)
		die(path);
	fclose(f);
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

/* Returns the number of files run. */
static long replay(const char *path)
{
	struct stat st;
	struct dirent *e;
	char name[4096];
	long files = 0;
	DIR *d;

	if (stat(path, &st))
		die(path);
	if (!S_ISDIR(st.st_mode)) {
		replay_file(path, (size_t)st.st_size);
		return 1;
	}
	d = opendir(path);
	if (!d)
		die(path);
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
		files += replay(name);
	}
	closedir(d);
	return files;
}

int main(int argc, char **argv)
{
	long files = 0;
	int i;

	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	for (i = 1; i < argc; i++)
		files += replay(argv[i]);
	if (!files) {
		printf("not ok replay: no files\n");
		return 1;
	}
	printf("ok replay of %ld files\n", files);
	return 0;
}
