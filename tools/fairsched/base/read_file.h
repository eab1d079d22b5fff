/* SPDX-License-Identifier: MIT OR Unlicense */
/* read_file.h - a whole file into memory, unpacked as by input.h */
#ifndef READ_FILE_H
#define READ_FILE_H

#include <stddef.h>
#include <stdint.h>

#define READ_FILE_MOST ((size_t)1 << 26) /* bytes; more is an error */

/*
 * Reads @path, "-" for stdin. Returns 0 and malloc()ed text that ends in a NUL
 * not counted in @bytes; or -1 and what failed in @error, and @text and @bytes
 * stay.
 */
int read_file(const char *path, char **text, size_t *bytes, char *error,
	      size_t error_size);

/* FNV-1a 64 of a text. */
uint64_t text_digest(const char *text, size_t bytes);

#endif /* READ_FILE_H */
