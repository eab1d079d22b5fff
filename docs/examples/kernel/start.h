/* SPDX-License-Identifier: MIT OR Unlicense */
/* start.h - entry and output of a program without a C library */
#ifndef START_H
#define START_H

#include <stdint.h>

int program(void); /* yours; its result is the exit status */

void put(const char *text);
void put_number(uint64_t number, uint32_t base, int width, char pad);

#endif /* START_H */
