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
 * The truth about jobs and nodes is Slurm's, read afresh in each cycle; plans,
 * promises and usage are the scheduler's, saved before any of them is acted
 * upon. So either may stop at any time: what differs afterwards are events.
 *
 *	in Slurm            in the scheduler   event
 *
 *	waits, held         not there          submit, if nothing else holds it
 *	                    queued             modify, where it was changed
 *	                    running            not started yet: release it again;
 *	                                       not in time: finish, submit later
 *	waits, released     not there          submit, and held
 *	                    queued             none: held again
 *	                    running            none: about to start; held again
 *	                                       if it does not in time
 *	waits otherwise     queued, running    cancel, finish
 *	has processors      not there, queued  cancel; capacity, until it ends
 *	                    running            modify, where it was changed
 *	not there           queued, running    cancel, finish
 *	nodes come and go                      capacity
 *	windows of --maintenance               book, unbook
 *
 * A job's planned walltime is its time limit and a margin for what Slurm needs
 * to start it, to notice its limit, to kill it and to clean up behind it.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include "../fairsched/rules.h"
#include "../fairsched/saved.h"
#include "people.h"
#include "slurm.h"

struct driver_settings {
	int policy;
	struct rules_args rules;
	const char *partition, *state, *status;
	const char *account;			    /* of jobs without one */
	int64_t margin, unlimited, patience, retry; /* seconds */
	int64_t jobs, users;
	bool dry_run; /* nothing is saved, and Slurm is told nothing */
	bool quiet;
};

/* Why a waiting job is not in the scheduler. */
enum driver_left {
	LEFT_NOT,
	LEFT_ADMIN,
	LEFT_DEPENDS,
	LEFT_BEGINS,
	LEFT_ACCOUNT,
	LEFT_USER,
	LEFT_CLASS,
	LEFT_NODE,
	LEFT_WIDE,
	LEFT_LONG,
	LEFT_FULL,
	LEFT_LATER,
	LEFT_KINDS
};

/* Jobs by number, with a time each. */
struct driver_set {
	struct driver_mark {
		uint64_t number;
		int64_t time;
	} *mark;
	size_t n, cap;
};

struct driver {
	const struct driver_settings *set;
	struct rules_files files;
	struct sim_rules rules;
	struct people people; /* of Maui's configuration */
	struct fair_sched sched;
	void *memory;
	bool open;	/* there is a scheduler */
	bool changed;	/* since it was saved */
	bool told;	/* of a window that cannot be */
	int64_t now;	/* of the scheduler */
	int64_t wall;	/* of the queue */
	int32_t procs;	/* of the scheduler's machine */
	uint32_t *user; /* uids by index */
	uint32_t users;
	uint64_t kept, broken; /* promises of jobs that started */
	struct slurm_queue queue;
	struct driver_set later;   /* jobs not to be submitted until then */
	struct driver_set refused; /* by the scheduler, and why */
	struct driver_set blocked; /* that were seen not eligible, since when */
	struct driver_set release, hold; /* what Slurm is to be told */
	int64_t lost; /* processors of jobs that were not started by us */
	char error[SLURM_ERROR + 256];
};

/*
 * Reads the files that the settings name, and the state. Returns 0 or the exit
 * status, after a message.
 */
int driver_open(struct driver *d, const struct driver_settings *set);
void driver_close(struct driver *d);

/* Returns 0; -1 if Slurm does not answer, with d->error set. */
int driver_cycle(struct driver *d, int64_t wall);

/* Saves, then tells Slurm. Returns 0; -1 with d->error set. */
int driver_act(struct driver *d);

/* When a cycle is due, if nothing happens before. */
int64_t driver_next(const struct driver *d);

/* Why a waiting job was not submitted at the last cycle. */
enum driver_left driver_left(const struct driver *d, const struct slurm_job *j);
extern const char *const driver_left_text[LEFT_KINDS];

/* To stderr: "1700000000.123 start 12 ...", one line an event. */
void driver_log(const struct driver *d, const char *event, uint64_t number,
		const char *format, ...);

#endif /* DRIVER_H */
