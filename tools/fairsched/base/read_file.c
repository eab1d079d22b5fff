/* SPDX-License-Identifier: MIT OR Unlicense */
#include "read_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

/* NULL with *error set to what failed. */
static char *slurp(struct input *in, size_t *bytes, const char **error)
{
	size_t cap = 65536, at, n = 1;
	char *text = NULL, *more;

	for (at = 0; n && !*error; at += n) {
		while (cap - at < 32768)
			cap *= 2;
		more = at > READ_FILE_MOST ? NULL : realloc(text, cap);
		if (!more) {
			*error = at > READ_FILE_MOST ? "larger than 64 MiB"
						     : strerror(ENOMEM);
			break;
		}
		text = more;
		n = input_read(in, text + at, cap - at - 1, error);
	}
	if (*error) {
		free(text);
		return NULL;
	}
	text[at] = '\0';
	*bytes = at;
	return text;
}

int read_file(const char *path, char **text, size_t *bytes, char *error,
	      size_t error_size)
{
	const char *what = NULL;
	struct input *in = input_open(path, &what);
	char *whole = in ? slurp(in, bytes, &what) : NULL;

	input_close(in);
	if (whole) {
		*text = whole;
		return 0;
	}
	snprintf(error, error_size, "%s: %s",
		 strcmp(path, "-") ? path : "standard input", what);
	return -1;
}

uint64_t text_digest(const char *text, size_t bytes)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	while (bytes--)
		h = (h ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
	return h;
}
