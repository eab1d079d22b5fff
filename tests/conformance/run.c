/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * run.c - plays the conformance suite
 *
 *	cc -I. tests/conformance/run.c -ljansson -o run
 *	./run tests/conformance/suite.json
 *
 * Prints each answer that differs, and how many sequences are equal.
 */
#include "player.h"

static bool is_equal(struct player *p, const json_t *sequence)
{
	const json_t *events = json_object_get(sequence, "events");
	const char *problem = player_open(p, json_object_get(sequence, "config"));
	const json_t *event;
	bool equal = true;
	json_t *answer, *want = NULL;
	size_t i;

	if (problem) {
		printf("%s: %s\n", player_text(sequence, "name"), problem);
		return false;
	}
	for (i = 0; equal && i < json_array_size(events); i++) {
		event = json_array_get(events, i);
		want = json_array_get(event, json_array_size(event) - 1);
		answer = player_answer(p, event);
		equal = json_equal(answer, want);
		if (!equal) {
			printf("%s: event %zu, got ",
			       player_text(sequence, "name"), i);
			json_dumpf(answer, stdout, JSON_ENCODE_ANY);
			printf(", want ");
			json_dumpf(want, stdout, JSON_ENCODE_ANY);
			printf("\n");
		}
		json_decref(answer);
	}
	if (equal && fair_sched_check(&p->sched)) {
		printf("%s: broken invariant\n", player_text(sequence, "name"));
		equal = false;
	}
	return equal;
}

static bool errors_are_equal(const json_t *errors)
{
	const char *code;
	json_t *text;

	json_object_foreach((json_t *)(uintptr_t)errors, code, text)
		if (strcmp(fair_strerror(atoi(code)), json_string_value(text)))
			return false;
	return true;
}

int main(int argc, char **argv)
{
	json_error_t error;
	json_t *suite = argc == 2 ? json_load_file(argv[1], 0, &error) : NULL;
	const json_t *sequences = json_object_get(suite, "sequences");
	size_t n = json_array_size(sequences), equal = 0, i;
	struct player p;

	if (!n) {
		fprintf(stderr, "run: no suite: %s\n",
			argc == 2 ? error.text : "name a file");
		return 2;
	}
	for (i = 0; i < n; i++) {
		equal += is_equal(&p, json_array_get(sequences, i));
		player_close(&p);
	}
	if (!errors_are_equal(json_object_get(suite, "errors"))) {
		printf("texts of errors differ\n");
		equal = 0;
	}
	printf("%zu of %zu sequences are equal\n", equal, n);
	json_decref(suite);
	return equal != n;
}
