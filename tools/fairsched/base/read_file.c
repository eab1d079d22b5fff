/* SPDX-License-Identifier: MIT OR Unlicense */
#include "read_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

/* NULL, or what failed. */
static const char *slurp(struct input *in, char **text, size_t *bytes)
{
	size_t cap = 65536, n = 1;
	const char *error = NULL;
	char *more;

	for (*bytes = 0; n; *bytes += n) {
		while (cap - *bytes < 32768)
			cap *= 2;
		more = *bytes > READ_FILE_MOST ? NULL : realloc(*text, cap);
		if (!more)
			return *bytes > READ_FILE_MOST ? "larger than 64 MiB"
						       : strerror(ENOMEM);
		*text = more;
		n = input_read(in, *text + *bytes, cap - *bytes - 1, &error);
		if (error)
			return error;
	}
	(*text)[*bytes] = '\0';
	return NULL;
}

int read_file(const char *path, char **text, size_t *bytes, char *error,
	      size_t error_size)
{
	const char *what = NULL;
	struct input *in = input_open(path, &what);

	*text = NULL;
	if (in)
		what = slurp(in, text, bytes);
	input_close(in);
	if (!what)
		return 0;
	snprintf(error, error_size, "%s: %s",
		 strcmp(path, "-") ? path : "standard input", what);
	free(*text);
	return -1;
}

uint64_t text_digest(const char *text, size_t bytes)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	while (bytes--)
		h = (h ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
	return h;
}
