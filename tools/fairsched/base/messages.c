/* SPDX-License-Identifier: MIT OR Unlicense */
#include "messages.h"

#include <stdio.h>

#include "text.h"

const char *program_name = "fairsched";

void message(const char *format, va_list args)
{
	char text[2048];

	vsnprintf(text, sizeof(text), format, args);
	fflush(stdout);
	fprintf(stderr, "%s: ", program_name);
	text_show(stderr, text);
	putc('\n', stderr);
}

int input_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(format, args);
	va_end(args);
	return EXIT_USAGE;
}

int run_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(format, args);
	va_end(args);
	return EXIT_FAILED;
}

static bool quiet;

void note_quiet(void)
{
	quiet = true;
}

bool note_is_quiet(void)
{
	return quiet;
}

void note(const char *format, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, format);
	message(format, args);
	va_end(args);
}
