/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * input.h - reads a file, unpacked where it is gzip, xz or zstd by its content
 *
 * gzip by zlib where it was compiled in, the others by the programs of that
 * name. A byte order mark of UTF-8 is skipped, UTF-16 an error.
 */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>

struct input;

/* @path may be "-" for stdin. NULL after an error, which is put to *@error. */
struct input *input_open(const char *path, const char **error);

/* 1 to @room bytes, @room >= 3; 0 at the end or after an error. */
size_t input_read(struct input *in, char *to, size_t room, const char **error);

/* NULL: nothing. */
void input_close(struct input *in);

#endif /* INPUT_H */
