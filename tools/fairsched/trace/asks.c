/* SPDX-License-Identifier: MIT OR Unlicense */
#include "asks.h"

#include <stdlib.h>
#include <string.h>

int asks_name(struct asks *a, struct csv_field name)
{
	uint32_t i;
	char *p;

	for (i = 0; i < a->names; i++)
		if (csv_same(name, a->name[i].p, a->name[i].n))
			return (int)i;
	if (i == ASKS_NAMES)
		return -1;
	p = malloc(name.n + 1);
	if (!p)
		return -2;
	memcpy(p, name.p, name.n);
	a->name[i].p = p;
	a->name[i].n = name.n;
	return (int)a->names++;
}

/* Room for @n more things of @size bytes; false without memory. */
static bool grow(void *array, size_t used, size_t n, size_t *room, size_t size)
{
	size_t want = *room ? *room : 256;
	void *old, *more;

	if (used + n <= *room)
		return true;
	while (want < used + n)
		want *= 2;
	memcpy(&old, array, sizeof(old));
	more = want > SIZE_MAX / size ? NULL : realloc(old, want * size);
	if (!more)
		return false;
	memcpy(array, &more, sizeof(more));
	*room = want;
	return true;
}

/* The open row, behind the others. */
static struct asks_row *open_row(struct asks *a)
{
	struct asks_row *r;

	if (!grow(&a->row, a->rows, 1, &a->rows_room, sizeof(*a->row)))
		return NULL;
	r = &a->row[a->rows];
	r->first = a->rows ? r[-1].end : 0;
	r->end = a->asks;
	return r;
}

int asks_add(struct asks *a, int name, int64_t amount)
{
	if (!grow(&a->ask, a->asks, 1, &a->asks_room, sizeof(*a->ask)))
		return -1;
	a->ask[a->asks].name = (uint32_t)name;
	a->ask[a->asks++].amount = amount;
	return 0;
}

static size_t text_end(const struct asks *a)
{
	const struct asks_row *last = a->rows ? a->row + a->rows - 1 : NULL;

	return last ? last->qos + last->qos_bytes : 0;
}

static int append(struct asks *a, struct csv_field f)
{
	if (!f.n)
		return 0;
	if (!grow(&a->text, a->bytes, f.n, &a->text_room, 1))
		return -1;
	memcpy(a->text + a->bytes, f.p, f.n);
	a->bytes += f.n;
	return 0;
}

int asks_classes(struct asks *a, struct csv_field classes)
{
	a->open_classes = classes.n;
	return append(a, classes);
}

int asks_qos(struct asks *a, struct csv_field qos)
{
	return append(a, qos);
}

void asks_nodes(struct asks *a, struct ask_nodes nodes)
{
	a->open_nodes = nodes;
	a->has_nodes |= nodes.chunks > 0;
}

struct ask_nodes asks_of_nodes(const struct asks *a, uint32_t row)
{
	static const struct ask_nodes none;

	return row ? a->row[row - 1].nodes : none;
}

int asks_end(struct asks *a, uint32_t *row)
{
	struct asks_row *r = open_row(a);

	*row = 0;
	if (!r || a->rows == UINT32_MAX)
		return -1;
	r->classes = text_end(a);
	r->bytes = a->open_classes;
	r->qos = r->classes + r->bytes;
	r->qos_bytes = a->bytes - r->qos;
	r->nodes = a->open_nodes;
	a->open_classes = 0;
	if (r->first < r->end || a->bytes > r->classes || r->nodes.chunks ||
	    r->nodes.per_node || r->nodes.exclusive)
		*row = (uint32_t)++a->rows;
	return 0;
}

void asks_undo(struct asks *a)
{
	a->asks = a->rows ? a->row[a->rows - 1].end : 0;
	a->bytes = text_end(a);
	a->open_classes = 0;
	memset(&a->open_nodes, 0, sizeof(a->open_nodes));
}

struct csv_field asks_of_classes(const struct asks *a, uint32_t row)
{
	struct csv_field f = { NULL, 0 };

	if (!row || !a->row[row - 1].bytes)
		return f;
	f.p = a->text + a->row[row - 1].classes;
	f.n = a->row[row - 1].bytes;
	return f;
}

struct csv_field asks_of_qos(const struct asks *a, uint32_t row)
{
	struct csv_field f = { NULL, 0 };

	if (!row || !a->row[row - 1].qos_bytes)
		return f;
	f.p = a->text + a->row[row - 1].qos;
	f.n = a->row[row - 1].qos_bytes;
	return f;
}

bool asks_know_qos(const struct asks *a, struct csv_field qos)
{
	size_t i;

	for (i = 1; i <= a->rows; i++)
		if (csv_same(asks_of_qos(a, (uint32_t)i), qos.p, qos.n))
			return true;
	return false;
}

void asks_free(struct asks *a)
{
	while (a->names)
		free((char *)a->name[--a->names].p);
	free(a->ask);
	free(a->row);
	free(a->text);
	memset(a, 0, sizeof(*a));
}
