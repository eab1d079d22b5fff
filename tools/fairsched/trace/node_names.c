/* SPDX-License-Identifier: MIT OR Unlicense */
#include "node_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char x)
{
	return x >= '0' && x <= '9';
}

const char *node_names_stem(const struct machine *m, size_t k, char *text)
{
	struct csv_field name = m->class_name[k];
	int n = csv_shown(name);

	snprintf(text, NODE_NAME, "%.*s%s", n, name.p,
		 n && is_digit(name.p[n - 1]) ? "-" : "");
	return text;
}

const char *node_names_of(const struct machine *m, uint32_t node, char *text)
{
	uint32_t left = node;
	size_t k, n;

	for (k = 0; left >= (uint32_t)m->node[k].count; k++)
		left -= (uint32_t)m->node[k].count;
	n = strlen(node_names_stem(m, k, text));
	snprintf(text + n, NODE_NAME - n, "%" PRIu32, left + 1);
	return text;
}

int64_t node_names_find(const struct machine *m, const char *name,
			size_t bytes)
{
	const char *dot = memchr(name, '.', bytes);
	struct csv_field number;
	int64_t first = 0, i = 0;
	char stem[NODE_NAME];
	size_t k, n;

	bytes = dot ? (size_t)(dot - name) : bytes;
	for (k = 0; k < m->classes; first += m->node[k++].count) {
		n = strlen(node_names_stem(m, k, stem));
		if (bytes <= n || memcmp(name, stem, n) || name[n] == '0')
			continue;
		number.p = name + n;
		number.n = bytes - n;
		i = 0;
		if (csv_digits(&number, INT32_MAX, &i) && !number.n &&
		    i <= m->node[k].count)
			return first + i - 1;
	}
	return -1;
}
