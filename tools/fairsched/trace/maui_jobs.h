/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * maui_jobs.h - Maui's configuration for the jobs of one trace
 *
 *	struct maui_jobs s;
 *
 *	if (maui_jobs_admit(&maui, &trace, path, error))
 *		return input_error("%s", error);
 *	maui_jobs_open(&s, &maui, trace.job, trace.jobs);
 *	config.maui = &s.config;
 *	maui_jobs_request(&s, &trace.job[0], &request);
 *	maui_jobs_close(&s);
 *
 * The library knows users, groups, classes and QoS by number; here they get
 * them, in the order of fields 12, 13 and 15 of the trace. There are no
 * accounts in a trace. A job has the QoS that it asks for, in a jobs CSV or by
 * sacct, if it may have that, and else the one that is the default for it.
 */
#ifndef MAUI_JOBS_H
#define MAUI_JOBS_H

#include <stddef.h>
#include <stdint.h>

#include "fairsched.h"
#include "maui_config.h"
#include "swf.h"

struct maui_jobs {
	struct fair_maui_config config;
	const struct maui *maui;
	int64_t *number[MAUI_KINDS]; /* of the trace, ascending */
	struct fair_maui_credential *credential[MAUI_KINDS];
	struct fair_maui_qos *qos;
	bool by_node; /* users are nodes of a tree */
};

#define MAUI_JOBS_MB (INT64_C(1) << 40) /* the most memory */

/* The settings of a user, group ..., as the library takes them. */
struct fair_maui_credential maui_jobs_settings(const struct maui *m, int kind,
					       const char *name);

/*
 * The same without a trace: first the QoS and all settings without an owner,
 * then rows of each kind, which equal DEFAULT until maui_jobs_name() names
 * them. They return 0, or -1 without memory.
 */
int maui_jobs_begin(struct maui_jobs *s, const struct maui *m);
int maui_jobs_rows(struct maui_jobs *s, int kind, size_t rows);
void maui_jobs_name(struct maui_jobs *s, int kind, size_t row,
		    const char *name);

#define MAUI_JOBS_ERROR 512

/* Tells on stderr which entries of the file @path match no job. */
void maui_jobs_tell(const struct maui *m, const struct swf *t, const char *path);

/*
 * Sets each job's memory and QoS; drops the jobs that no class accepts and those that
 * the limits would never let start. Returns 0, or -1 with a message in @error.
 */
int maui_jobs_admit(const struct maui *m, struct swf *t, const char *path,
		    char *error);

/* Returns 0, or -1 without memory; then maui_jobs_close(). */
int maui_jobs_open(struct maui_jobs *s, const struct maui *m,
		   const struct swf_job *job, size_t jobs);
void maui_jobs_close(struct maui_jobs *s);

/* Users become the nodes of a tree, each with the settings of its user: what a
 * user below two accounts is limited to holds below each. The same. */
int maui_jobs_by_node(struct maui_jobs *s, const struct swf_job *job,
		      size_t jobs, uint32_t nodes);

/* Removes limits, caps, privileges and the timer; priorities remain. */
void maui_jobs_unlimit(struct maui_jobs *s);

/* What a job asks for; its credentials are known. */
void maui_jobs_request(const struct maui_jobs *s, const struct swf_job *j,
		       struct fair_maui_request *request);

void maui_jobs_ask(const struct fair_maui_request *request,
		   struct fair_job *job);

/* The name of the job's QoS. */
const char *maui_jobs_qos(const struct maui *m, const struct swf_job *j);

#endif /* MAUI_JOBS_H */
