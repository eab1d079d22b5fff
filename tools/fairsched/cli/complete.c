/* SPDX-License-Identifier: MIT OR Unlicense */
#include <stdio.h>
#include <string.h>

#include "options.h"

static void offer(const char *before, const char *word, const char *begun)
{
	if (!strncmp(word, begun, strlen(begun)))
		printf("%s%s\n", before, word);
}

static const struct option *option_called(const struct command *c,
					  const char *word)
{
	const struct option *o;

	for (o = c->options; !strncmp(word, "--", 2) && o->name; o++)
		if (word[2] && !strcmp(o->name, word + 2))
			return o;
	return NULL;
}

static void offer_options(const struct command *c, const char *begun)
{
	const struct option *o;

	for (o = c->options; o->name && !strncmp(begun, "--", 2); o++)
		if (o->kind != OPTION_GROUP)
			offer("--", o->name, begun + 2);
	if (*begun == '-')
		offer("", "--help", begun);
	if (*begun == '-' && *c->name)
		offer("", "--quiet", begun);
}

/* The operands "sacct|jobs [FILE]" begin with literal words. */
static void offer_operand(const struct command *c, const char *begun)
{
	const char *at = c->operands;
	char word[32];
	size_t n;

	do {
		n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
		snprintf(word, sizeof(word), "%.*s", (int)n, at);
		if (*word)
			offer("", word, begun);
		at += n + 1;
	} while (at[-1] == '|');
}

/* In a list, only the part behind the last comma is completed. */
static void offer_choices(const struct option *o, char *begun)
{
	char *comma = strrchr(begun, ',');
	const char *const *word;

	if (o->kind != OPTION_CHOICES || !comma)
		comma = NULL;
	else
		*comma++ = '\0';
	if (o->kind == OPTION_CHOICES && !comma)
		offer("", "all", begun);
	for (word = o->choices; word && *word; word++) {
		if (!comma) {
			offer("", *word, begun);
		} else if (!strncmp(*word, comma, strlen(comma))) {
			printf("%s,", begun);
			offer("", *word, comma);
		}
	}
}

void complete(const struct command *const *commands, size_t n, int argc,
	      char **argv)
{
	const struct command *c = NULL;
	const struct option *o;
	size_t i;

	if (!argc)
		return;
	for (i = 0; i < n; i++) {
		if (argc == 1)
			offer("", commands[i]->name, argv[0]);
		else if (argc == 2 && (!strcmp(argv[0], "help") ||
				       !strcmp(argv[0], "--help")))
			offer("", commands[i]->name, argv[1]);
		else if (!strcmp(commands[i]->name, argv[0]))
			c = commands[i];
	}
	if (argc == 1) {
		offer("", "--help", argv[0]);
		offer("", "--version", argv[0]);
	}
	if (!c)
		return;
	o = argc > 2 ? option_called(c, argv[argc - 2]) : NULL;
	if (o && o->kind != OPTION_FLAG)
		offer_choices(o, argv[argc - 1]);
	else
		offer_options(c, argv[argc - 1]);
	if (argc == 2)
		offer_operand(c, argv[1]);
}
