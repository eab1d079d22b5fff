/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * assoc.h - the limits of Slurm's associations and QoS, for --limits FILE
 *
 *	sacctmgr -P show assoc \
 *		format=account,user,parentname,grpjobs,grptres,grptresmins,\
 *		maxjobs,maxtres
 *	sacctmgr -P show qos \
 *		format=name,grpjobs,grptres,grptresmins,maxjobspu,maxtrespu,\
 *		maxtres
 *
 * One of them, or both one behind the other. GrpJobs and GrpTRES of an account
 * are limits of it, by a tree with all below it; MaxJobs, GrpJobs and GrpTRES
 * of a user are those of the user in that account; MaxJobsPU and MaxTRESPU of a
 * QoS are for each user of it. A job that asks for more than MaxTRES is dropped.
 * GrpTRESMins is a budget where usage does not decay. What cannot be kept is
 * told on stderr with its line.
 */
#ifndef ASSOC_H
#define ASSOC_H

#include "limits.h"

/* Whether the text is such an output: its first line has a column of it. */
bool assoc_is_dump(struct csv_field first);

/*
 * Adds the entries of the lines of @csv, of which the first is next; not in the
 * order that limits.c needs. Returns 0, or -1 with the error of @csv.
 */
int assoc_parse(struct limits *l, struct csv *csv,
		const struct limits_how *how);

#endif /* ASSOC_H */
