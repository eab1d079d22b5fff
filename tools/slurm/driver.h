/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * driver.h - a Slurm cluster and a scheduler that are kept in step
 *
 *	driver_open(&d, &settings);
 *	for (;;) {
 *		driver_cycle(&d, time(NULL));	what Slurm says -> events
 *		driver_act(&d);			decisions -> what Slurm is told
 *		wait until driver_next(&d), a second at most
 *	}
 *
 * Slurm owns the state of jobs and nodes, and each cycle reads it anew. The
 * scheduler owns plans, promises and usage, and saves them before it acts upon
 * any of them. So either program may stop at any time: the next cycle turns
 * what differs into events.
 *
 *	in Slurm            in the scheduler   event
 *
 *	waits, held         not there          submit, if it is eligible
 *	                    queued             modify, where it was changed
 *	                    running            release it again; if patience is
 *	                                       over, finish and submit later
 *	waits, released     not there          submit, and hold it
 *	                    queued             none; hold it again
 *	                    running            none: Slurm is about to start it;
 *	                                       hold it if patience is over
 *	waits otherwise     queued, running    cancel, finish
 *	has processors      not there, queued  cancel; capacity, until it ends
 *	                    running            modify, where it was changed
 *	not there           queued, running    cancel, finish
 *	nodes come and go                      capacity
 *	windows of --maintenance               advance_reserve, advance_cancel
 *
 * Where a job has ended that a held one depends on, Slurm is made to test the
 * dependencies of the latter, which it else does once a minute.
 *
 * A job's planned walltime is its time limit and a margin: the time that Slurm
 * takes to start it, to notice its limit, to kill it and to clean up.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include "credentials.h"
#include "slurm.h"
#include "tools/fairsched/sim/rules.h"
#include "tools/fairsched/sim/saved_run.h"

#define DRIVER_JUMP 60 /* seconds that the clock may jump */

struct driver_settings {
	int policy;
	struct rules_args rules;
	const char *partition, *state, *status;
	const char *account;			    /* default */
	int64_t margin, unlimited, patience, retry; /* seconds */
	int64_t jobs, users;
	bool from_state; /* Slurm hides jobs: believe the state, not the queue */
	bool dry_run;	 /* save nothing, do not call scontrol */
	bool quiet;
};

/* Why a waiting job is not in the scheduler; see driver_reason_text. */
enum driver_reason {
	REASON_NONE,
	REASON_ADMIN_HOLD,
	REASON_USER_HOLD,
	REASON_DEPENDENCY,
	REASON_NEVER,
	REASON_BEGIN_TIME,
	REASON_ACCOUNT,
	REASON_USERS,
	REASON_CLASS,
	REASON_NODE,
	REASON_TOO_WIDE,
	REASON_TOO_LONG,
	REASON_TOO_MANY,
	REASON_NOT_STARTED,
	REASON_UNFIT,
	REASON_THROTTLE,
	REASONS
};

/* Job numbers, with a time or a reason each; sorted where it is searched. */
struct driver_set {
	struct driver_mark {
		uint64_t number;
		int64_t time;
		int64_t left; /* of a throttle: tasks that may be planned */
	} *mark;
	size_t n, cap;
};

struct driver {
	const struct driver_settings *set;
	struct rules_files files;
	struct sim_rules rules;
	struct credentials credentials; /* of Maui's configuration */
	struct fair_sched sched;
	void *memory;
	bool open;	    /* @sched exists */
	bool changed;	    /* @sched, since it was saved */
	bool modifies;	    /* while the scheduler is told of a change */
	bool window_logged; /* the error of a window that does not fit */
	int64_t now;	    /* the scheduler's time */
	int64_t wall;	    /* when the queue was read */
	int64_t skew;	    /* of the wall clock to the monotonic one */
	int64_t jumped;	    /* when that changed by too much; 0: it did not */
	int32_t procs;	    /* of the scheduler's machine */
	uint32_t *user;	    /* uids by index */
	uint32_t users;
	uint64_t kept, broken; /* promises, by when Slurm started the jobs */
	struct slurm_queue queue;
	struct driver_set deferred; /* not submitted before that time */
	struct driver_set refused;  /* by the scheduler, with the reason */
	struct driver_set blocked;  /* ineligible at the last cycle */
	/* Jobs to start that do not run yet, with their first promises. */
	struct driver_set promised;
	/* Jobs that Slurm can never start, with a hash of what they request. */
	struct driver_set unfit;
	struct driver_set throttle; /* arrays, with their tasks at a time */
	/* Jobs whose dependencies Slurm has tested, with what had ended. */
	struct driver_set tested;
	struct driver_set release, hold; /* jobs to name to scontrol */
	int cancels;			 /* that this cycle may still do */
	int64_t lost; /* processors of jobs that the scheduler did not start */
	char error[SLURM_ERROR + 256];
};

/*
 * Reads the files that the settings name, and the state. Returns 0, or the exit
 * status after a message.
 */
int driver_open(struct driver *d, const struct driver_settings *set);
void driver_close(struct driver *d);

/*
 * Whether the wall clock has not jumped by more than DRIVER_JUMP seconds against
 * the monotonic one, or did so as long ago.
 */
bool driver_trusts_clock(struct driver *d, int64_t wall, int64_t monotonic);

/* Reads Slurm and steps. Returns 0; -1 with d->error set. */
int driver_cycle(struct driver *d, int64_t wall);

/* Saves the state, then calls scontrol. Returns 0; 1: the queue is to be read
 * again at once; -1 with d->error set. */
int driver_act(struct driver *d);

/* Promises that are over of jobs that Slurm has not started. */
uint64_t driver_late(const struct driver *d);

/* The scheduler's next instant; FAIR_FOREVER if it has none. */
int64_t driver_next(const struct driver *d);

/* Why the last cycle did not submit a waiting job. */
enum driver_reason driver_reason(const struct driver *d,
				 const struct slurm_job *j);
extern const char *const driver_reason_text[REASONS];

/* Writes "1700000000.123 start 12 ..." to stderr, one line for each event. */
void driver_log(const struct driver *d, const char *event, uint64_t number,
		const char *format, ...);

#endif /* DRIVER_H */
