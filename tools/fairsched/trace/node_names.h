/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * node_names.h - names of the nodes of a machine file
 *
 * A node has the name of its class and its number there, from 1: zewura12; with
 * a - between if the name ends in a digit: gpu4-2. Numbers of nodes run from 0
 * through the classes.
 */
#ifndef NODE_NAMES_H
#define NODE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#define NODE_NAME 80 /* bytes, with the 0 */

/* "zewura", or "gpu4-": what names of the nodes of class @k begin with. Returns
 * @text, of NODE_NAME bytes. */
const char *node_names_stem(const struct machine *m, size_t k, char *text);

/* Likewise the name of a node. */
const char *node_names_of(const struct machine *m, uint32_t node, char *text);

/* The number of a node, whose name may have a domain: zewura12.cerit-sc.cz; -1:
 * none has it. */
int64_t node_names_find(const struct machine *m, const char *name,
			size_t bytes);

#endif /* NODE_NAMES_H */
