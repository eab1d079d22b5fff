/* SPDX-License-Identifier: MIT OR Unlicense */
/* fairsched - finds the command and runs it */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fairsched.h"
#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/base/words.h"

#define COMMANDS (sizeof(commands) / sizeof(*commands))

static const struct command *const commands[] = {
	&simulate_command,
	&compare_command,
	&generate_command,
	&import_command,
	&doctor_command,
	&merge_command,
	&priority_command,
	&why_command,
	&whatif_command,
	&usage_command,
	&cost_command,
};

static void print_usage(void)
{
	size_t i;

	puts("usage: fairsched COMMAND [ARGUMENT ...]\n\n"
	     "Decides which parallel job starts when, and fairly.\n");
	for (i = 0; i < COMMANDS; i++) {
		printf("  %-12s ", commands[i]->name);
		text_wrap(stdout, commands[i]->brief, 15, help_room());
	}
	putchar('\n');
	text_wrap(stdout,
		  "'fairsched help COMMAND' describes a command, 'fairsched "
		  "version' prints the version.",
		  0, help_room());
	printf("\nexample:\n  %s\n", compare_command.example);
}

static const struct command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *words[COMMANDS + 1] = { NULL }, *meant;
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		words[i] = commands[i]->name;
	meant = closest_word(name, words);
	if (meant)
		return usage_error(NULL,
				   "unknown command '%s': did you mean %s?",
				   name, meant);
	return usage_error(NULL, "unknown command '%s'", name);
}

static bool is_one_of(const char *word, const char *const *words)
{
	while (*words && strcmp(word, *words))
		words++;
	return *words;
}

static int dispatch(int argc, char **argv)
{
	static const char *const help[] = { "help", "--help", "-h", NULL };
	static const char *const version[] = { "version", "--version", "-V",
					       NULL };
	static char all[] = "--help";
	char *to_help[] = { all, NULL };
	const struct command *c;

	if (argc < 2 || (argc == 2 && is_one_of(argv[1], help))) {
		print_usage();
		return argc < 2 ? EXIT_USAGE : 0;
	}
	if (is_one_of(argv[1], version)) {
		printf("fairsched %s\n", fair_version());
		return 0;
	}
	if (!strcmp(argv[1], "--complete")) {
		complete(commands, COMMANDS, argc - 2, argv + 2);
		return 0;
	}
	if (is_one_of(argv[1], help)) {
		c = find_command(argv[2]);
		return c ? command_main(c, 1, to_help)
			 : unknown_command(argv[2]);
	}
	c = find_command(argv[1]);
	return c ? command_main(c, argc - 2, argv + 2)
		 : unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
	int status;

	output_init();
	status = dispatch(argc, argv);
	output_abandon();
	if (fflush(stdout) || ferror(stdout))
		status = run_error("standard output: %s", strerror(errno));
	return status;
}
