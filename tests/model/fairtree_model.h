/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * fairtree_model.h - Fair Tree from its definition, computed afresh each time
 *
 * Usages are those that fairtree.h would have; the caller charges and halves
 * them. Node @nodes is the root.
 */
#ifndef FAIR_FAIRTREE_MODEL_H
#define FAIR_FAIRTREE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIRTREE_MODEL_PARENT UINT32_MAX /* as shares */

struct fairtree_model_node {
	char kind; /* 'a' account, 'u' user, 0 none */
	size_t parent;
	uint32_t shares;
	uint64_t usage; /* held included */
	uint64_t held;	/* provisionally charged */
	bool waits;
	uint32_t rank; /* of a user */
};

struct fairtree_model {
	struct fairtree_model_node *node;
	size_t nodes;
	uint64_t weight; /* of a unit of held in usage */
};

void fairtree_model_init(struct fairtree_model *m, size_t nodes);
void fairtree_model_free(struct fairtree_model *m);

/* Return: false and nothing changed if the rules forbid it. */
bool fairtree_model_add(struct fairtree_model *m, char kind, size_t node,
			size_t parent, uint32_t shares);
bool fairtree_model_remove(struct fairtree_model *m, size_t node);
bool fairtree_model_move(struct fairtree_model *m, size_t node, size_t parent);

void fairtree_model_charge(struct fairtree_model *m, size_t user,
			   uint64_t amount);
void fairtree_model_halve(struct fairtree_model *m);

/* Charges provisionally; @amount modulo 2^64. */
void fairtree_model_hold(struct fairtree_model *m, size_t user,
			 uint64_t amount);
void fairtree_model_weigh(struct fairtree_model *m, uint64_t weight);

/* Multiplies all usages by @a / @c, each rounded down; both are below 2^62. */
void fairtree_model_scale(struct fairtree_model *m, uint64_t a, uint64_t c);

void fairtree_model_reset(struct fairtree_model *m);

/* Ranks all users. Return: their number. */
uint32_t fairtree_model_rank(struct fairtree_model *m);

/* After that: the first user that waits; m->nodes: none. */
size_t fairtree_model_next(const struct fairtree_model *m);

/* The account whose level @node is in. */
size_t fairtree_model_level(const struct fairtree_model *m, size_t node);

/* What a user is owed of the whole, in 2^-31: see fair_fairtree_portion(). */
uint64_t fairtree_model_portion(const struct fairtree_model *m, size_t user);

/* The sign of @b's level fair share minus @a's. */
int fairtree_model_compare(const struct fairtree_model *m, size_t a, size_t b);

#endif /* FAIR_FAIRTREE_MODEL_H */
