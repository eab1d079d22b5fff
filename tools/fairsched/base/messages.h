/* SPDX-License-Identifier: MIT OR Unlicense */
/* messages.h - error messages on stderr, and the exit status that each gives */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdarg.h>
#include <stdbool.h>

#define EXIT_FAILED 1 /* a run that failed */
#define EXIT_USAGE 2  /* bad usage or input */

/* In help and messages: "fairsched". */
extern const char *program_name;

/* To stderr, with the program's name before it and a newline behind it. */
void message(const char *format, va_list args);

/* The same; they return the exit status: EXIT_USAGE, EXIT_FAILED. */
int input_error(const char *format, ...);
int run_error(const char *format, ...);

/* The same of what is no error. */
void note(const char *format, ...);

/* No note is printed any more. */
void note_quiet(void);
bool note_is_quiet(void);

#endif /* MESSAGES_H */
