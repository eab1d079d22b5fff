/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * people.h - Maui's configuration for the jobs of a Slurm cluster
 *
 *	struct people p = { 0 };
 *
 *	people_open(&p, &maui, rows);
 *	people_add(&p, MAUI_USER, name);	those of a saved state
 *	people_site(&p);			now p.site.config is whole
 *	if (!people_ask(&p, &slurm_job, &request))
 *		site_ask(&request, &fair_job);
 *	people_close(&p);
 *
 * The library knows users, groups, accounts and classes by number; here they
 * get them as they come, those that the configuration names first. A number
 * stays with its name: usage is counted by it. A class is Slurm's partition.
 */
#ifndef PEOPLE_H
#define PEOPLE_H

#include "../fairsched/site.h"
#include "slurm.h"

#define PEOPLE_NAME 256 /* bytes of a name, with its NUL */

struct people {
	struct site site;
	size_t rows; /* of each kind but QoS */
	struct people_names {
		char **name; /* by number */
		size_t names;
		uint32_t *slot; /* number + 1, by hash */
		size_t slots;	/* a power of 2 */
	} kind[MAUI_KINDS];
};

/* These return 0, or -1 without memory. */
int people_open(struct people *p, const struct maui *m, size_t rows);
int people_site(struct people *p);
void people_close(struct people *p);

/* Its number, a new one if it has none; -1: there is no room. */
int64_t people_add(struct people *p, int kind, const char *name);

/*
 * What a job asks for, but for its walltime. Its QoS is Slurm's where the
 * configuration has that one for it, else the default for it. @account: of jobs
 * that have none, or NULL. Returns 0, or -1: there is no room for somebody.
 */
int people_ask(struct people *p, const struct slurm_job *j, const char *account,
	       struct fair_maui_request *request);

/* A hash of what a saved state cannot be loaded with another one of. */
uint64_t people_shape(const struct people *p);

/* The attribute by which the job's class refuses it, or NULL. */
const char *people_refuse(const struct people *p, const struct slurm_job *j,
			  const char *account, int64_t walltime);

#endif /* PEOPLE_H */
