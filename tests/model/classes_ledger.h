/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * classes_ledger.h - which user is first, for classes_model.c: the orders by usage
 * and by dominant share, the occupancies of sfs, the entitlements of relshare
 *
 * It knows a job from _queue() to _leave(). Call _advance() before each event.
 * A cost is in processors, or by the weights of the rules.
 */
#ifndef CLASSES_LEDGER_H
#define CLASSES_LEDGER_H

#include "classes_model.h"

struct classes_ledger;

/* NULL: no policy or order of the rules needs one. */
struct classes_ledger *classes_ledger_new(const struct classes_rules *rules,
					  int64_t now);
struct classes_ledger *classes_ledger_copy(const struct classes_ledger *l);
void classes_ledger_free(struct classes_ledger *l);

/* What these amounts cost a second. */
int64_t classes_ledger_cost(const struct classes_rules *rules,
			    const int32_t *amount);
/* What the machine costs, if it has these amounts. */
int64_t classes_ledger_machine(const struct classes_rules *rules,
			       int64_t capacity[][CLASSES_RESOURCES]);

/* @l may be NULL in all of these. */
void classes_ledger_advance(struct classes_ledger *l, int64_t now);
void classes_ledger_capacity(struct classes_ledger *l, int64_t cost);
void classes_ledger_queue(struct classes_ledger *l, uint32_t number,
			  const struct classes_job *j);
void classes_ledger_start(struct classes_ledger *l, uint32_t number,
			  const struct classes_job *j, int64_t now);
/* A running job has another walltime; another end. */
void classes_ledger_walltime(struct classes_ledger *l, uint32_t number,
			     int64_t walltime);
void classes_ledger_end(struct classes_ledger *l, uint32_t number, int64_t end);
void classes_ledger_leave(struct classes_ledger *l, uint32_t number,
			  int64_t now);

/* By usage or by dominant share: an amount is processor-seconds, and as large a
 * share of each other resource, in whole units. */
void classes_ledger_set(struct classes_ledger *l, uint32_t user, int64_t amount,
			int64_t now);
void classes_ledger_credit(struct classes_ledger *l, uint32_t user,
			   int64_t amount, int64_t now);

/* Reads the usage for the comparisons that follow; @held: a reserved job. */
void classes_ledger_read(struct classes_ledger *l,
			 const struct classes_job *held, int64_t start);
/* -1 if user @a goes first, 1 if @b does, else 0. */
int classes_ledger_compare(struct classes_ledger *l, uint32_t a, uint32_t b,
			   int64_t now);
bool classes_ledger_is_above(const struct classes_ledger *l, uint32_t account);

#endif /* CLASSES_LEDGER_H */
