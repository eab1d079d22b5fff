/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * credentials.h - Maui's configuration for the jobs of a Slurm cluster
 *
 *	struct credentials p = { 0 };
 *
 *	credentials_open(&p, &maui, rows);
 *	credentials_add(&p, MAUI_USER, name);	the names of a saved state
 *	credentials_make_site(&p);		completes p.site.config
 *	if (!credentials_make_request(&p, &slurm_job, &request))
 *		maui_jobs_ask(&request, &fair_job);
 *	credentials_close(&p);
 *
 * The library knows users, groups, accounts and classes by number. This file
 * numbers them in the order of their first appearance, the names of the
 * configuration first. A name keeps its number, since usage is counted by it. A
 * class is Slurm's partition.
 */
#ifndef CREDENTIALS_H
#define CREDENTIALS_H

#include "slurm.h"
#include "tools/fairsched/trace/maui_jobs.h"

#define CREDENTIAL_NAME 256 /* bytes of a name, with its NUL */

struct credentials {
	struct maui_jobs site;
	size_t rows; /* for each kind but QoS */
	struct credential_names {
		char **name; /* by number */
		size_t names;
		uint32_t *slot; /* number + 1, by hash */
		size_t slots;	/* a power of 2 */
	} kind[MAUI_KINDS];
};

/* These return 0, or -1 without memory. */
int credentials_open(struct credentials *p, const struct maui *m, size_t rows);
int credentials_make_site(struct credentials *p);
void credentials_close(struct credentials *p);

/* The number of a name, added if it is new; -1 if there is no room. */
int64_t credentials_add(struct credentials *p, int kind, const char *name);

/*
 * Fills in a job's request, except for its walltime. Its QoS is Slurm's where
 * the configuration allows that QoS, else the configured default. @account: the
 * account of jobs without one, or NULL. Returns 0, or -1 if a name has no room.
 */
int credentials_make_request(struct credentials *p, const struct slurm_job *j,
			     const char *account,
			     struct fair_maui_request *request);

/* A hash of all that must be the same to load a saved state. */
uint64_t credentials_hash(const struct credentials *p);

/* The attribute of its class that rejects the job, or NULL. */
const char *credentials_refusal(const struct credentials *p,
				const struct slurm_job *j, const char *account,
				int64_t walltime);

#endif /* CREDENTIALS_H */
