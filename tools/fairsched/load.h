/* SPDX-License-Identifier: MIT OR Unlicense */
/* load.h - a whole file into memory, unpacked if it is gzipped */
#ifndef LOAD_H
#define LOAD_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads @path, "-" for stdin. Returns 0 and malloc()ed text that ends in a NUL
 * not counted in @bytes; or -1 and what failed in @error.
 */
int load(const char *path, char **text, size_t *bytes, char *error,
	 size_t error_size);

/* FNV-1a 64 of a text, to tell it from another. */
uint64_t load_digest(const char *text, size_t bytes);

#endif /* LOAD_H */
