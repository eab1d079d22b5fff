/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * alone_main.cc - calls one header from a unit in C and from one in C++
 */
#include <stdio.h>

extern "C" int alone(void);
int alone_again(void);

static int report(const char *language, int line)
{
	if (line)
		printf("not ok %s: line %d\n", language, line);
	else
		printf("ok %s\n", language);
	return line != 0;
}

int main(void)
{
	int failed = report("C", alone());

	return report("C++", alone_again()) | failed;
}
