/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * classes_trace.h - a machine of four node classes, and jobs for it
 *
 * Nodes have 16 processors. Of ten, five are of class cpu (64 GiB), two of big
 * (512 GiB), two of gpu (128 GiB, 4 GPUs) and one of fat (1 TiB, 8 GPUs).
 *
 * Jobs are those of lublin.h for a machine as large as class cpu, in arrivals
 * that load the whole one. A quarter of them asks for a GPU for each 4 of its
 * processors or less, where gpu has that many; others for 1, 2, 4 or 16 GiB of
 * memory a processor. Some name classes in an order of their own.
 *
 * On nodes, a job that a node can hold is one chunk, or, one of four, as many as it
 * has processors. A larger one takes distinct nodes, all processors of each and a
 * quarter of these jobs the nodes whole; but one of four without GPUs is as many
 * chunks as it has processors.
 */
#ifndef CLASSES_TRACE_H
#define CLASSES_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "lublin.h"

#define CLASSES_TRACE_LEAST 320 /* processors */

/* The machine file. @procs is rounded down to tens of nodes. */
void classes_trace_machine(FILE *f, int32_t procs);

/* The jobs CSV of @jobs drawn by lublin_generate(); see classes_trace_rules();
 * @on_nodes: with what they ask of nodes. */
void classes_trace_write(FILE *f, const struct lublin_rules *r,
			 const struct swf_job *job, size_t jobs, bool on_nodes);

/* Of a machine with r->procs processors: what lublin_generate() is to draw. */
struct lublin_rules classes_trace_rules(const struct lublin_rules *r);

#endif /* CLASSES_TRACE_H */
