/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * options.h - the options of each command are one table; the parser, the help
 * and the completion read the same rows.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/fairsched/base/messages.h"
#include "tools/fairsched/base/units.h"

/* The type of the value at the offset: */
enum option_kind {
	OPTION_FLAG,	 /* bool */
	OPTION_CHOICE,	 /* int: index of one of the words in choices */
	OPTION_CHOICES,	 /* struct choices: some of them, with commas between */
	OPTION_INTEGER,	 /* int64_t in [least, most] */
	OPTION_INTEGERS, /* struct integers, with commas between */
	OPTION_DECIMAL,	 /* double in [least, most] hundredths */
	OPTION_TIME,	 /* struct when */
	OPTION_PERIOD,	 /* struct when [2]: two values, from and to */
	OPTION_DURATION, /* int64_t seconds in [least, most]; -1: its choice */
	OPTION_SHARD,	 /* struct shard: "2/8", N in [least, most] */
	OPTION_FILE,	 /* const char *: it is read */
	OPTION_OUTPUT,	 /* const char *: it is written */
	OPTION_NAME,	 /* const char *: no file */
	OPTION_TEXTS,	 /* struct texts: one each time it is given */
	OPTION_GROUP,	 /* no option: the heading of those below, its value */
};

/* A row of a table of options; it has an empty name. */
#define OPTION_GROUP_OF(heading)                                              \
	{ "", heading, OPTION_GROUP, 0, NULL, NULL, 0, 0 }

struct choices {
	size_t n;
	int index[CHOICES];
};

struct integers {
	size_t n;
	int64_t value[CHOICES];
};

struct option {
	const char *name;  /* without -- */
	const char *value; /* its name in the help, NULL for a flag */
	enum option_kind kind;
	size_t offset; /* in the arguments of the command */
	const char *help;
	const char *const *choices; /* NULL at the end */
	int64_t least, most;
};

struct command {
	const char *name, *operands; /* "simulate", "TRACE" */
	const char *brief, *help, *notes, *example;
	const struct option *options; /* name NULL at the end */
	size_t least, most;	      /* operands */
	/* @args is the struct of the options; returns the exit status. */
	int (*run)(const struct command *c, void *args, char **operand,
		   size_t operands);
	size_t args_size;
	void (*defaults)(void *args); /* where not all zero; may be NULL */
};

/*
 * Stores options in @args and moves operands to the front of @argv. Returns 0,
 * or the exit status after a message.
 */
int options_parse(const struct command *c, char **argv, void *args,
		  size_t *operands);

/* Parses what follows the command's name, runs it, returns the exit status. */
int command_main(const struct command *c, int argc, char **argv);

/* What was typed, for a shell, without the folders of files. */
const char *options_line(void);

/* Columns of a line of help. */
size_t help_room(void);

/* To stderr, with the program's name before it; returns the exit status. */
int usage_error(const struct command *c, const char *format, ...);

/*
 * Prints the completions of the last word typed so far, one on each line; none
 * where a file name is expected.
 */
void complete(const struct command *const *commands, size_t n, int argc,
	      char **argv);

#endif /* OPTIONS_H */
