/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * site.h - Maui's configuration for the jobs of one trace
 *
 *	struct site s;
 *
 *	if (site_admit(&maui, &trace, path, error))	who may submit at all
 *		return input_error("%s", error);
 *	site_open(&s, &maui, trace.job, trace.jobs);
 *	config.maui = &s.config;
 *	site_request(&s, &trace.job[0], &request);
 *	site_close(&s);
 *
 * The library knows users, groups, classes and QoS by number; here they get
 * them, in the order of fields 12, 13 and 15 of the trace. There are no
 * accounts in a trace, and a job has the QoS that is the default for it.
 */
#ifndef SITE_H
#define SITE_H

#include <stddef.h>
#include <stdint.h>

#include "fairsched.h"
#include "maui.h"
#include "swf.h"

struct site {
	struct fair_maui_config config;
	const struct maui *maui;
	int64_t *number[MAUI_KINDS]; /* of the trace, ascending */
	struct fair_maui_credential *credential[MAUI_KINDS];
	struct fair_maui_qos *qos;
};

/*
 * The same without a trace: QoS and all that is of nobody, then rows of a kind,
 * all as DEFAULT until one gets a name. They return 0, or -1 without memory.
 */
int site_begin(struct site *s, const struct maui *m);
int site_rows(struct site *s, int kind, size_t rows);
void site_name(struct site *s, int kind, size_t row, const char *name);

#define SITE_ERROR 512

/*
 * Each job's memory; those that no class lets in, and those that limits would
 * never let start, are dropped. Returns 0, or -1 with a message in @error.
 */
int site_admit(const struct maui *m, struct swf *t, const char *path,
	       char *error);

/* Returns 0, or -1 without memory; then site_close(). */
int site_open(struct site *s, const struct maui *m, const struct swf_job *job,
	      size_t jobs);
void site_close(struct site *s);

/* What is left is priorities: no limits, caps, privileges, timer. */
void site_unlimit(struct site *s);

/* What a job asks for; its credentials are known. */
void site_request(const struct site *s, const struct swf_job *j,
		  struct fair_maui_request *request);

void site_ask(const struct fair_maui_request *request, struct fair_job *job);

/* The name of the job's QoS. */
const char *site_qos(const struct maui *m, const struct swf_job *j);

#endif /* SITE_H */
