/* SPDX-License-Identifier: MIT OR Unlicense */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fairsched/base/output.h"
#include "tools/fairsched/base/terminal.h"
#include "tools/fairsched/base/text.h"
#include "tools/fairsched/base/words.h"

#define QUIET "--quiet"

/* "fairsched simulate"; a program of one command has a name alone. */
static const char *full_name(const struct command *c)
{
	static char name[64];

	snprintf(name, sizeof(name), "%s%s%s", program_name,
		 c && *c->name ? " " : "", c ? c->name : "");
	return name;
}

int usage_error(const struct command *c, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(format, args);
	va_end(args);
	fprintf(stderr, "Try '%s --help'.\n", full_name(c));
	return EXIT_USAGE;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- help ---- */

#define HELP_COLUMN 24
#define HELP_WIDTH 79

size_t help_room(void)
{
	return least(terminal_width(stdout), HELP_WIDTH);
}

static void print_option(const struct option *o)
{
	char help[2048], left[64];
	const char *const *word;
	size_t n;

	snprintf(left, sizeof(left), "  --%s%s%s", o->name, o->value ? " " : "",
		 o->value ? o->value : "");
	printf("%-*s", HELP_COLUMN, left);
	if (strlen(left) >= HELP_COLUMN)
		printf("\n%*s", HELP_COLUMN, "");
	n = (size_t)snprintf(help, sizeof(help), "%s", o->help);
	for (word = o->choices; word && *word && n < sizeof(help); word++)
		n += (size_t)snprintf(help + n, sizeof(help) - n, "%s%s",
				      word == o->choices ? ": " : ", ", *word);
	text_wrap(stdout, help, HELP_COLUMN, help_room());
}

/* What most questions need: these come first, and -h lists no others. */
static bool is_common(const struct option *o)
{
	static const char *const common[] = {
		"policy", "policies", "base", "order", "event",
		"at",	  "job",      "procs", "from",	"until",
		"names",  "fst",      "jobs-out", "json", "report",
	};
	size_t i;

	for (i = 0; i < sizeof(common) / sizeof(*common); i++)
		if (!strcmp(o->name, common[i]))
			return true;
	return false;
}

static bool has_groups(const struct command *c)
{
	const struct option *o = c->options;

	while (o->name && o->kind != OPTION_GROUP)
		o++;
	return o->name != NULL;
}

static void print_common(const struct command *c)
{
	const struct option *o;

	puts("Common:");
	for (o = c->options; o->name; o++)
		if (is_common(o))
			print_option(o);
}

/* The other options; a heading once one below it is printed. */
static void print_groups(const struct command *c)
{
	const char *heading = "Other";
	const struct option *o;

	for (o = c->options; o->name; o++) {
		if (o->kind == OPTION_GROUP)
			heading = o->value;
		if (o->kind == OPTION_GROUP || is_common(o))
			continue;
		if (heading)
			printf("\n%s:\n", heading);
		heading = NULL;
		print_option(o);
	}
}

/* Of every command of a program that has several. */
static void print_always(const struct command *c)
{
	if (*c->name)
		printf("%-*sprint errors, no progress or remarks\n",
		       HELP_COLUMN, "  " QUIET);
}

static void print_options(const struct command *c, bool whole)
{
	const struct option *o;

	if (has_groups(c)) {
		print_common(c);
		if (whole)
			print_groups(c);
		else
			printf("\n'%s --help' describes all options.\n",
			       full_name(c));
		putchar('\n');
		print_always(c);
		printf("%-*sprint the common options\n", HELP_COLUMN, "  -h");
		printf("%-*sprint all of them\n\n", HELP_COLUMN, "  --help");
	} else {
		for (o = c->options; o->name; o++)
			print_option(o);
		print_always(c);
		printf("%-*sprint this help\n\n", HELP_COLUMN, "  --help");
	}
}

static void print_help(const struct command *c, bool whole)
{
	printf("usage: %s %s%s[OPTION ...]\n\n", full_name(c), c->operands,
	       *c->operands ? " " : "");
	text_wrap(stdout, c->help, 0, help_room());
	putchar('\n');
	print_options(c, whole);
	if (c->notes && (whole || !has_groups(c))) {
		text_wrap(stdout, c->notes, 0, help_room());
		putchar('\n');
	}
	printf("example:\n  %s\n", c->example);
}

/* ---- parsing ---- */

static const struct option *find_option(const struct command *c,
					const char *name, size_t n)
{
	const struct option *o;

	for (o = c->options; o->name; o++)
		if (o->kind != OPTION_GROUP && strlen(o->name) == n &&
		    !memcmp(o->name, name, n))
			return o;
	return NULL;
}

static int unknown_option(const struct command *c, const char *arg, size_t n)
{
	const char *words[64], *meant;
	const struct option *o;
	char name[LONGEST_WORD];
	size_t i = 0;

	for (o = c->options; o->name && i < 61; o++)
		if (o->kind != OPTION_GROUP)
			words[i++] = o->name;
	if (n == 4 && !strncmp(arg, "help", n))
		return usage_error(c, "--help takes no value");
	words[i++] = "help";
	words[i++] = "quiet";
	words[i] = NULL;
	snprintf(name, sizeof(name), "%.*s", (int)n, arg);
	meant = closest_word(name, words);
	if (meant)
		return usage_error(c, "unknown option --%s: did you mean --%s?",
				   name, meant);
	return usage_error(c, "unknown option --%s", name);
}

/* What was probably meant, or else all that is possible. */
static int unknown_choice(const struct command *c, const struct option *o,
			  const char *value)
{
	const char *meant = closest_word(value, o->choices);
	char all[256] = "";
	size_t i, n = 0;

	if (meant)
		return usage_error(c,
				   "--%s: unknown value '%s': did you mean %s?",
				   o->name, value, meant);
	for (i = 0; o->choices[i] && n < sizeof(all); i++)
		n += (size_t)snprintf(all + n, sizeof(all) - n, "%s%s",
				      i ? ", " : "", o->choices[i]);
	return usage_error(c, "--%s: unknown value '%s', not one of %s",
			   o->name, value, all);
}

static int parse_choice(const struct command *c, const struct option *o,
			const char *value, int *choice)
{
	int i;

	for (i = 0; o->choices[i]; i++) {
		if (!strcmp(o->choices[i], value)) {
			*choice = i;
			return 0;
		}
	}
	return unknown_choice(c, o, value);
}

static int parse_choices(const struct command *c, const struct option *o,
			 const char *value, struct choices *choices)
{
	char word[LONGEST_WORD];
	size_t n;
	int status;

	for (n = 0; !strcmp(value, "all") && o->choices[n]; n++)
		choices->index[n] = (int)n;
	choices->n = n;
	if (n)
		return 0;
	for (;; value += n + 1) {
		n = strcspn(value, ",");
		if (choices->n == CHOICES)
			return usage_error(c, "--%s: more than %d values",
					   o->name, CHOICES);
		snprintf(word, sizeof(word), "%.*s", (int)least(n, 39), value);
		status = parse_choice(c, o, word, &choices->index[choices->n]);
		if (status)
			return status;
		choices->n++;
		if (!value[n])
			return 0;
	}
}

static int parse_integer(const struct command *c, const struct option *o,
			 const char *value, int64_t *number)
{
	char *end;
	long long n;

	errno = 0;
	n = strtoll(value, &end, 10);
	if (end == value || *end || errno || n < o->least || n > o->most)
		return usage_error(c,
				   "--%s: '%s' is not a number from %" PRId64
				   " to %" PRId64,
				   o->name, value, o->least, o->most);
	*number = n;
	return 0;
}

static int parse_integers(const struct command *c, const struct option *o,
			  const char *value, struct integers *list)
{
	char word[LONGEST_WORD];
	size_t n;
	int status;

	for (;; value += n + 1) {
		n = strcspn(value, ",");
		if (list->n == CHOICES)
			return usage_error(c, "--%s: more than %d values",
					   o->name, CHOICES);
		snprintf(word, sizeof(word), "%.*s", (int)least(n, 39), value);
		status = parse_integer(c, o, word, &list->value[list->n]);
		if (status)
			return status;
		list->n++;
		if (!value[n])
			return 0;
	}
}

static int parse_decimal(const struct command *c, const struct option *o,
			 const char *value, double *number)
{
	double from = (double)o->least / 100, to = (double)o->most / 100;
	char *end;
	double n = strtod(value, &end);

	/* No sign, no exponent, no NaN. */
	if (value[strspn(value, "0123456789.")] || end == value || *end ||
	    n < from || n > to)
		return usage_error(c,
				   "--%s: '%s' is not a number from %g to %g",
				   o->name, value, from, to);
	*number = n;
	return 0;
}

static int parse_time(const struct command *c, const struct option *o,
		      const char *value, struct when *when)
{
	if (units_when(value, when))
		return 0;
	return usage_error(c,
			   "--%s: '%s' is not a time, such as 3600, 12h, 1d12h "
			   "or 2003-05-01T12:30",
			   o->name, value);
}

static int parse_duration(const struct command *c, const struct option *o,
			  const char *value, int64_t *seconds)
{
	int64_t n = -1;

	if (!(o->choices && !strcmp(value, o->choices[0])) &&
	    (!units_seconds(value, &n) || n < o->least || n > o->most))
		return usage_error(c,
				   "--%s: '%s' is not a duration from %" PRId64
				   " to %" PRId64
				   " seconds, such as 3600, 12h or 1d12h",
				   o->name, value, o->least, o->most);
	*seconds = n;
	return 0;
}

static int parse_shard(const struct command *c, const struct option *o,
		       const char *value, struct shard *shard)
{
	char *slash, *end;
	long long i, n;

	errno = 0;
	i = strtoll(value, &slash, 10);
	if (slash == value || *slash != '/')
		return usage_error(
			c, "--%s: '%s' is not of the form I/N, such as 2/8",
			o->name, value);
	n = strtoll(slash + 1, &end, 10);
	if (end == slash + 1 || *end || errno || n < o->least || n > o->most ||
	    i < 1 || i > n)
		return usage_error(
			c, "--%s: '%s' is not I/N with 1 <= I <= N <= %" PRId64,
			o->name, value, o->most);
	shard->index = (uint32_t)(i - 1);
	shard->of = (uint32_t)n;
	return 0;
}

static int add_text(const struct command *c, const struct option *o,
		    const char *value, struct texts *texts)
{
	if (texts->n == CHOICES)
		return usage_error(c, "--%s: more than %d values", o->name,
				   CHOICES);
	texts->text[texts->n++] = value;
	return 0;
}

static int store(const struct command *c, const struct option *o,
		 const char *value, void *args)
{
	void *at = (char *)args + o->offset;

	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		return 0;
	case OPTION_CHOICE:
		return parse_choice(c, o, value, at);
	case OPTION_CHOICES:
		return parse_choices(c, o, value, at);
	case OPTION_DECIMAL:
		return parse_decimal(c, o, value, at);
	case OPTION_PERIOD:
	case OPTION_TIME:
		return parse_time(c, o, value, at);
	case OPTION_DURATION:
		return parse_duration(c, o, value, at);
	case OPTION_INTEGER:
		return parse_integer(c, o, value, at);
	case OPTION_INTEGERS:
		return parse_integers(c, o, value, at);
	case OPTION_SHARD:
		return parse_shard(c, o, value, at);
	case OPTION_TEXTS:
		return add_text(c, o, value, at);
	case OPTION_GROUP:
		break;
	case OPTION_FILE:
	case OPTION_OUTPUT:
	case OPTION_NAME:
		*(const char **)at = value;
		return *value ? 0
			      : usage_error(c, "--%s needs a %sname", o->name,
					    o->kind == OPTION_NAME ? ""
								   : "file ");
	}
	return EXIT_USAGE;
}

/* @argv is at an option; takes its value, the next argument, where it must. */
static int parse_option(const struct command *c, char ***argv, void *args)
{
	const char *name = **argv + 2, *value = strchr(name, '=');
	size_t n = value ? (size_t)(value - name) : strlen(name);
	const struct option *o = find_option(c, name, n);
	int status;

	if (!o)
		return unknown_option(c, name, n);
	if (o->kind == OPTION_FLAG && value)
		return usage_error(c, "--%s takes no value", o->name);
	if (value)
		value++;
	else if (o->kind != OPTION_FLAG)
		value = *++*argv;
	if (o->kind != OPTION_FLAG && !value)
		return usage_error(c, "--%s needs a value: %s", o->name,
				   o->value);
	status = store(c, o, value, args);
	if (status || o->kind != OPTION_PERIOD)
		return status;
	value = *++*argv;
	if (!value)
		return usage_error(c, "--%s needs two values: %s", o->name,
				   o->value);
	return parse_time(c, o, value,
			  (struct when *)(void *)((char *)args + o->offset) + 1);
}

static bool wants(const char *help, char **argv)
{
	for (; *argv && strcmp(*argv, "--"); argv++)
		if (!strcmp(*argv, help))
			return true;
	return false;
}

int options_parse(const struct command *c, char **argv, void *args,
		  size_t *operands)
{
	char **operand = argv;
	bool options = true;
	int status;

	for (*operands = 0; *argv; argv++) {
		if (options && !strcmp(*argv, "--")) {
			options = false;
		} else if (options && !strcmp(*argv, QUIET) && *c->name) {
			progress_quiet();
			note_quiet();
		} else if (options && !strncmp(*argv, "--", 2)) {
			status = parse_option(c, &argv, args);
			if (status)
				return status;
		} else if (options && **argv == '-' && (*argv)[1]) {
			return usage_error(c, "unknown option %s", *argv);
		} else {
			operand[(*operands)++] = *argv;
		}
	}
	return 0;
}

/* ---- files ---- */

static const char *file_of(const struct option *o, enum option_kind kind,
			   const void *args)
{
	if (o->kind != kind)
		return NULL;
	return *(const char *const *)((const char *)args + o->offset);
}

/* "import sacct FILE": a word comes first; cost has words only, and the only
 * command of a program. */
static bool is_file(const struct command *c, size_t operand)
{
	if (!strcmp(c->name, "import"))
		return operand > 0;
	return *c->name && strcmp(c->name, "cost");
}

/* The checkpoint that a run continues from may be the one that it saves. */
static bool may_replace(const struct option *out, const struct option *in)
{
	return !strcmp(out->name, "save") && !strcmp(in->name, "load");
}

static int check_output(const struct command *c, const struct option *out,
			const char *path, const void *args, char **operand,
			size_t operands)
{
	const struct option *o;
	const char *other;
	size_t i;

	for (i = 0; i < operands; i++)
		if (is_file(c, i) && output_is_input(path, operand[i]))
			return usage_error(c,
					   "--%s %s would replace the input %s",
					   out->name, path, operand[i]);
	for (o = c->options; o->name; o++) {
		other = file_of(o, OPTION_FILE, args);
		if (other && !may_replace(out, o) &&
		    output_is_input(path, other))
			return usage_error(c,
					   "--%s %s would replace the file of "
					   "--%s",
					   out->name, path, o->name);
		other = o < out ? file_of(o, OPTION_OUTPUT, args) : NULL;
		if (other && output_is_output(path, other))
			return usage_error(c,
					   "--%s and --%s are the same file "
					   "'%s'",
					   o->name, out->name, path);
	}
	return 0;
}

/* What a shell appends to an input would be read, or stay in it. */
static int check_stdout(const struct command *c, const void *args,
			char **operand, size_t operands)
{
	const struct option *o;
	const char *path;
	size_t i;

	for (i = 0; i < operands; i++)
		if (is_file(c, i) && output_is_input("-", operand[i]))
			return usage_error(c,
					   "standard output would be written "
					   "to the input %s",
					   operand[i]);
	for (o = c->options; o->name; o++) {
		path = file_of(o, OPTION_FILE, args);
		if (path && output_is_input("-", path))
			return usage_error(c,
					   "standard output would be written "
					   "to the file of --%s",
					   o->name);
	}
	return 0;
}

/* Before anything is read: no output is an input or another output. */
static int check_files(const struct command *c, const void *args,
		       char **operand, size_t operands)
{
	int status = check_stdout(c, args, operand, operands);
	const struct option *o;
	const char *path;

	for (o = c->options; o->name && !status; o++) {
		path = file_of(o, OPTION_OUTPUT, args);
		if (path)
			status = check_output(c, o, path, args, operand,
					      operands);
	}
	return status;
}

static char line[4096];

const char *options_line(void)
{
	return line;
}

static size_t add_text_to_line(size_t n, const char *format, int bytes,
			       const char *text)
{
	n += (size_t)snprintf(line + n, sizeof(line) - n, format, bytes, text);
	return n < sizeof(line) ? n : sizeof(line) - 1;
}

/*
 * In quotes where a shell needs them, and without folders: "--json=out/all.json"
 * is "--json=all.json".
 */
static size_t add_word(size_t n, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=.,:/+^@%";
	const char *slash = strrchr(word, '/'), *value = strchr(word, '=');
	const char *quote = word[strspn(word, plain)] || !*word ? "'" : "";
	bool cuts = slash && slash[1];
	size_t k;

	n = add_text_to_line(n, " %.*s", 1, quote);
	if (cuts && value && value < slash && !strncmp(word, "--", 2))
		n = add_text_to_line(n, "%.*s", (int)(value + 1 - word), word);
	for (word = cuts ? slash + 1 : word; *word; word += k) {
		k = strcspn(word, "'");
		n = add_text_to_line(n, "%.*s", (int)k, word);
		if (word[k] == '\'' && ++k)
			n = add_text_to_line(n, "%.*s", 4, "'\\''");
	}
	return add_text_to_line(n, "%.*s", 1, quote);
}

static void keep_line(const struct command *c, char **argv)
{
	size_t n = (size_t)snprintf(line, sizeof(line), "%s", full_name(c));

	for (; *argv; argv++)
		n = add_word(n, *argv);
}

static char standard_input[] = "-"; /* what import reads without a FILE */

int command_main(const struct command *c, int argc, char **argv)
{
	void *args = calloc(1, c->args_size);
	size_t operands;
	int status;

	(void)argc;
	if (!args)
		return run_error("out of memory");
	keep_line(c, argv);
	if (c->defaults)
		c->defaults(args);
	if (wants("--help", argv) || wants("-h", argv)) {
		print_help(c, wants("--help", argv));
		status = 0;
	} else {
		status = options_parse(c, argv, args, &operands);
		if (!status && operands < c->least)
			status = usage_error(c, "%s is missing", c->operands);
		else if (!status && operands > c->most)
			status = usage_error(c, "unexpected argument '%s'",
					     argv[c->most]);
		if (!status && operands == 1 && !strcmp(c->name, "import"))
			argv[operands++] = standard_input;
		if (!status)
			status = check_files(c, args, argv, operands);
		if (!status)
			status = c->run(c, args, argv, operands);
	}
	free(args);
	return status;
}
