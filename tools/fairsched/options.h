/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * options.h - one table a command: its parser, its help and the completion
 * read the same rows.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "units.h"

#define EXIT_FAILED 1 /* a run that failed */
#define EXIT_USAGE 2  /* bad usage or input */

/* What is stored at the offset: */
enum option_kind {
	OPTION_FLAG,	 /* bool */
	OPTION_CHOICE,	 /* int: index of one of the words in choices */
	OPTION_CHOICES,	 /* struct choices: some of them, with commas between */
	OPTION_INTEGER,	 /* int64_t in [least, most] */
	OPTION_DECIMAL,	 /* double in [least, most] hundredths */
	OPTION_TIME,	 /* struct when */
	OPTION_DURATION, /* int64_t seconds in [least, most] */
	OPTION_SHARD,	 /* struct shard: "2/8", N in [least, most] */
	OPTION_FILE,	 /* const char * */
	OPTION_TEXTS,	 /* struct texts: one each time it is given */
};

#define CHOICES 16

struct choices {
	size_t n;
	int index[CHOICES];
};

struct shard {
	uint32_t index, of; /* from 0; of 0: none */
};

struct texts {
	size_t n;
	const char *text[CHOICES];
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

/* In help and messages. */
extern const char *options_program;

/*
 * Options to @args, operands to the front of @argv. Returns 0, or the exit
 * status after a message.
 */
int options_parse(const struct command *c, char **argv, void *args,
		  size_t *operands);

/* Parses what follows the command's name, runs it, returns the exit status. */
int command_main(const struct command *c, int argc, char **argv);

/* To stderr, with the program's name before it; returns the exit status. */
int usage_error(const struct command *c, const char *format, ...);
int input_error(const char *format, ...);
int run_error(const char *format, ...);

/*
 * Prints what may stand for the last of the words that were typed so far, one
 * a line; nothing where a file may.
 */
void complete(const struct command *const *commands, size_t n, int argc,
	      char **argv);

/* The word that was probably meant, or NULL. */
const char *closest_word(const char *word, const char *const *words);

#endif /* OPTIONS_H */
