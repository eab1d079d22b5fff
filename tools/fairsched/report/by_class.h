/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * by_class.h - under --plan classes: how much of each resource of each class jobs
 * used, and how long the jobs of each class waited
 *
 * The measures are numbered from 0 to by_class_measures() - 1. Those of a
 * resource are parts in percent of what there is during the makespan, those of a
 * class are mean waits in seconds.
 */
#ifndef BY_CLASS_H
#define BY_CLASS_H

#include "tables.h"

/* 0: one pool was planned. */
size_t by_class_measures(const struct report *r);

/* "gpu gpus", "licences" of the whole machine; or "gpu wait". */
void by_class_name(const struct report *r, size_t measure, char *text,
		   size_t size);
bool by_class_is_wait(const struct report *r, size_t measure);

/* NAN: the class has none of the resource, or ran no job. */
double by_class_value(const struct report *r, size_t measure);

/*
 * Behind a row of CSV a column for each measure, utilizations as shares of 1, or
 * what the columns are called, or nothing in them; members of a JSON object, the comma behind each.
 */
enum by_class_cells { BY_CLASS_VALUES, BY_CLASS_HEAD, BY_CLASS_NOTHING };
void by_class_csv(const struct report *r, enum by_class_cells cells, FILE *f);
void by_class_json(const struct report *r, FILE *f);

/*
 * A row for each measure, a column for each report, in @room characters; as
 * Markdown if that is 0. Returns 0, or -1 without memory.
 */
int by_class_print(const struct comparison *c, FILE *f, size_t room);

#endif /* BY_CLASS_H */
