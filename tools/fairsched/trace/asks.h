/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * asks.h - what jobs ask for by name: amounts of resources, classes, a QoS
 *
 * A row for each job that asks; its amounts follow those of the row before.
 * Names are as the file has them: a column of a jobs CSV, or gres/gpu:a100 of
 * sacct.
 */
#ifndef ASKS_H
#define ASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csv.h"

#define ASKS_NAMES 64 /* different ones */

struct ask {
	uint32_t name; /* an index of asks.name */
	int64_t amount; /* of the whole job; memory in bytes */
};

/* What a job asks of nodes; chunks 0: the trace does not say. */
struct ask_nodes {
	int32_t chunks, per_node; /* per_node 0: any number */
	bool exclusive;
	bool uneven; /* amounts that do not divide are rounded up */
};

struct asks_row {
	size_t first, end;     /* of asks.ask */
	struct ask_nodes nodes;
	size_t classes, bytes; /* of asks.text: names with : between */
	size_t qos, qos_bytes; /* of asks.text */
};

struct asks {
	struct csv_field name[ASKS_NAMES]; /* owned */
	uint32_t names;
	bool exact; /* each name is to be a resource of the machine */
	bool has_nodes; /* a row says what it asks of nodes */
	bool has_qos; /* the trace says which QoS a job has, or that it has none */
	long line;  /* of the names, for messages */
	struct ask *ask;
	struct asks_row *row;
	char *text;
	size_t asks, asks_room, rows, rows_room, bytes, text_room;
	size_t open_classes; /* bytes of the classes of the open row */
	struct ask_nodes open_nodes;
};

/* The index of a name, added if it is new; -1: too many, -2: no memory. */
int asks_name(struct asks *a, struct csv_field name);

/*
 * To the row that is open, at first the first one; the classes before the QoS.
 * They return 0, or -1 without memory. asks_end() closes it and sets *@row to its
 * number, from 1; 0: it is empty, and there is none. asks_undo() empties it.
 */
int asks_add(struct asks *a, int name, int64_t amount);
int asks_classes(struct asks *a, struct csv_field classes);
int asks_qos(struct asks *a, struct csv_field qos);
void asks_nodes(struct asks *a, struct ask_nodes nodes);
int asks_end(struct asks *a, uint32_t *row);
void asks_undo(struct asks *a);

/* What row @row, from 1, or 0, asks of nodes. */
struct ask_nodes asks_of_nodes(const struct asks *a, uint32_t row);

/* The classes, or the QoS, of row @row, from 1, or nothing. */
struct csv_field asks_of_classes(const struct asks *a, uint32_t row);
struct csv_field asks_of_qos(const struct asks *a, uint32_t row);

/* Whether a job has that QoS. */
bool asks_know_qos(const struct asks *a, struct csv_field qos);

void asks_free(struct asks *a);

#endif /* ASKS_H */
