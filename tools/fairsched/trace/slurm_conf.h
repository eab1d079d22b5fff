/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * slurm_conf.h - slurm.conf as the table of node classes that machine.h reads
 *
 *	NodeName=DEFAULT CPUs=64 RealMemory=256000
 *	NodeName=n[001-100] Features=ib Weight=10
 *	NodeName=g[1-4] Gres=gpu:a100:4 \
 *		Weight=20
 *	PartitionName=batch Nodes=n[001-100]
 *	PartitionName=gpu Nodes=ALL
 *
 * A class is the nodes that have the same CPUs, memory, Gres, Features, Weight
 * and partitions; n001+99 is n001 with 99 more. Classes of less weight come
 * first, as Slurm takes them first, and then those that come first in the file.
 *
 * - cpus: CPUs, else Boards, Sockets, CoresPerSocket and ThreadsPerCore, less
 *   CoreSpecCount cores; ram: RealMemory less MemSpecLimit, in MB.
 * - A resource for each Gres, but no_consume; its types are properties, as
 *   Features are; Licenses are resources of the whole machine.
 * - Nodes of State=FUTURE are not there; DOWN and drained ones are: they are the
 *   machine's.
 * - Lines that a backslash ends go on; NAME=DEFAULT lines hold for the lines
 *   behind them; NodeSet, and Include, from the folder of the file.
 *
 * What else slurm.conf says is not read. Errors name file, line and key.
 */
#ifndef SLURM_CONF_H
#define SLURM_CONF_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the first line that says something is one of slurm.conf. */
bool slurm_conf_is(const char *text, size_t bytes);

/*
 * The table: malloc()ed, in @csv, and of each class the @line of its first node
 * in @path, which the text is of. Returns 0; -1: what failed is in @error.
 */
int slurm_conf_table(const char *path, const char *text, size_t bytes,
		     char **csv, size_t *csv_bytes, long **line, char *error,
		     size_t room);

#endif /* SLURM_CONF_H */
