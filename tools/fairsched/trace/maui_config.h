/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * maui_config.h - reads Maui's configuration: docs/MAUI.md lists what it understands
 *
 *	struct maui m;
 *
 *	if (maui_load(&m, "maui.cfg"))
 *		return input_error("%s", m.error);
 *	fair_priority(&m.priority, ...);
 *	maui_settings(&m, MAUI_USER, "BigKahuna")->target;
 *	maui_free(&m);
 */
#ifndef MAUI_CONFIG_H
#define MAUI_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policies/priority.h"
#include "policies/throttle.h"
#include "usage.h"

/* In the order of priority.h and throttle.h. */
enum maui_kind {
	MAUI_USER,
	MAUI_GROUP,
	MAUI_ACCOUNT,
	MAUI_QOS,
	MAUI_CLASS,
	MAUI_KINDS
};

enum maui_backfill {
	MAUI_FIRSTFIT,
	MAUI_BESTFIT,
	MAUI_GREEDY,
	MAUI_NO_BACKFILL
};

enum maui_metric { MAUI_PROCS, MAUI_SECONDS, MAUI_PROCSECONDS };
enum maui_window { MAUI_WIDEST, MAUI_LONGEST };
enum maui_reservations { MAUI_CURRENTHIGHEST, MAUI_HIGHEST, MAUI_NEVER };

/* What usage is: nothing, processors, processor equivalents, CPU time. */
enum maui_fs_policy {
	MAUI_FS_NONE,
	MAUI_FS_DEDICATED,
	MAUI_FS_EQUIVALENTS,
	MAUI_FS_UTILIZED
};

/* Privileges of a QoS; its exemptions are in maui_credential.exempt. */
enum maui_flag {
	MAUI_NOBF = 1,		/* never backfilled */
	MAUI_NORESERVATION = 2, /* never gets a reservation */
	MAUI_RESERVEALWAYS = 4, /* gets one whatever the depth */
};

struct maui_limit {
	int64_t soft, hard; /* FAIR_THROTTLE_UNLIMITED */
};

/* Which jobs a class accepts. */
struct maui_range {
	int64_t least, most;
};

/* Lists are the text as it was written, NULL if there is none. */
struct maui_credential {
	const char *name; /* "DEFAULT" of the first of each kind */
	uint64_t set;	  /* attributes that were given, by row; private */
	unsigned long line; /* the first of it; 0: none */
	int64_t priority;
	bool has_target;
	struct fair_usage_target target;
	struct maui_limit limit[FAIR_THROTTLE_RESOURCES];
	/* users, groups, accounts, classes: */
	const char *qos, *qos_list;
	/* QoS, for struct fair_priority_job and fair_throttle_job: */
	int64_t queue_time_weight, xfactor_weight;
	int64_t queue_time_target, xfactor_target;
	uint32_t flags, exempt;
	/* classes: */
	struct maui_range procs, nodes, walltime;
	int64_t default_memory, default_walltime; /* MB, seconds; 0: none */
	const char *required[MAUI_QOS], *excluded[MAUI_QOS]; /* by kind */
};

struct maui {
	struct fair_priority_config priority;
	int64_t depth; /* RESERVATIONDEPTH */
	int reservations; /* RESERVATIONPOLICY */
	int backfill, metric, window, fs_policy;
	int64_t fs_depth, fs_interval; /* windows; seconds */
	int64_t fs_decay;	       /* in 2^-32 */
	int64_t poll;		       /* seconds between iterations; 0: none */
	struct maui_credential *credential[MAUI_KINDS];
	size_t credentials[MAUI_KINDS]; /* 1 or more */
	struct maui_credential system;	/* its qos and qos_list */
	size_t ignored; /* parameters that do not touch the schedule */
	uint64_t digest; /* of what was read; 0: nothing */
	int64_t memory;	 /* of the machine, MB, which the caller sets; or 0 */
	char *text;	/* that all names point into */
	bool told; /* which entries match no job; the caller's */
	char notes[8192]; /* lines of "FILE:LINE: what": all that is read and
			     does not do what it may seem to */
	char error[8192]; /* lines of "FILE:LINE: why" */
};

/* The owners of a job by kind, NULL where it has none. */
struct maui_owner {
	const char *name[MAUI_KINDS];
};

/*
 * Both return 0, or -1 and m->error, all that is wrong, and then there is nothing
 * to free. @name is the file's, for messages.
 */
int maui_parse(struct maui *m, const char *name, const char *text,
	       size_t bytes);
int maui_load(struct maui *m, const char *path);
void maui_free(struct maui *m);

/* Of that name, what it does not set itself taken from DEFAULT; or DEFAULT. */
const struct maui_credential *maui_settings(const struct maui *m, int kind,
					    const char *name);

/* Whether @name is in @list, which may be NULL. */
bool maui_lists(const char *list, const char *name);

/* QDEF of the user, group, account, class or SYSCFG: the first; or NULL. */
const char *maui_default_qos(const struct maui *m,
			     const struct maui_owner *owner);

/* Whether one of them has @qos as its QDEF or in its QLIST. */
bool maui_may_use(const struct maui *m, const char *qos,
		  const struct maui_owner *owner);

/* The attribute by which the job's class rejects it, or NULL. */
const char *maui_refuses(const struct maui *m, const struct maui_owner *owner,
			 int64_t procs, int64_t nodes, int64_t walltime);

#endif /* MAUI_CONFIG_H */
