/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * throttle.h - throttling: limits on what a credential's jobs use at one time
 *
 * A user, group, account, QoS or queue has two limits on the resources that its
 * running jobs use together. Backfill may exceed the soft limit when the
 * machine would be idle otherwise; nothing exceeds the hard limit:
 *
 *	processors of user 3
 *	  hard 64 |- - - - - - - - - - - - - - - - - - - - - - - - -
 *	          |             ______
 *	  soft 32 |- - - - - - |- - - |- - - - - - - - - - - - - - -
 *	          |    ________|      |____
 *	          |___|                    |________________________
 *	               started within  backfilled within
 *	               the soft limit  the hard limit
 *
 * INSTALL
 *	In ONE file:	#define FAIR_THROTTLE_IMPLEMENTATION
 *			#include "throttle.h"
 *	elsewhere:	#include "throttle.h"
 *	FAIRSCHED_IMPLEMENTATION does it for the whole family; FAIRSCHED_STATIC
 *	makes every function static.
 *
 * EXAMPLE
 *	uint32_t count[FAIR_THROTTLE_KINDS] = { 10, 4, 0, 2, 3 };
 *	struct fair_throttle_job job = { { 3, 1, FAIR_THROTTLE_NONE, 0, 2 },
 *					 0, 24, 3, 4096 };
 *	struct fair_throttle_violation why;
 *	struct fair_throttle t;
 *	size_t bytes = fair_throttle_size(count);
 *	void *memory = malloc(bytes);
 *
 *	if (fair_throttle_init(&t, sizeof(t), memory, bytes, count, 0) ||
 *	    fair_throttle_set_limit(&t, FAIR_THROTTLE_USER, 3,
 *				FAIR_THROTTLE_PROCS, 32, 64) ||
 *	    fair_throttle_charge(&t, 100, &job, 100 + 3600))
 *		return 1;
 *	// a second such job: 48 processors, above 32
 *	if (fair_throttle_test(&t, 200, &job, 200 + 3600, FAIR_THROTTLE_SOFT,
 *			       &why) == 1)
 *		printf("user %u: %d + %d processors of %d\n", why.id,
 *		       (int)why.used, (int)why.asked, (int)why.limit);
 *	fair_throttle_release(&t, &job, 100 + 3600);	// the first has ended
 *	free(memory);
 *
 * WHAT IS LIMITED
 *	jobs, processors, nodes, memory (MB): in use by running jobs
 *	processor-seconds: outstanding, the sum of procs * (end - now) over the
 *	running jobs, end being the planned end. This sum falls as time passes
 *	[MAG 6.2.1.1], so a job over the limit may start later without an event.
 *	A job that overruns its planned end needs another one before:
 *	fair_throttle_change_end().
 *	idle jobs: those that an iteration considers: fair_throttle_select()
 *
 * ONE ITERATION of [MAUI] 3, after release() of the jobs that ended:
 *	4. A queued job is feasible if it is not held, none of its credentials
 *	   is over its fairshare cap (fair_usage_is_eligible()), and it passes
 *	   the hard limits now. Starts only add to what is used, so a job that
 *	   fails a limit fails it for the rest of the iteration: testing each
 *	   job in turn gives the same as testing all of them first. Limits on
 *	   idle jobs alone need the order of 5: see fair_throttle_select().
 *	5. Each job gets its priority (fair_priority()), once an iteration. Jobs
 *	   are sorted by priority, largest first, then by time of submission,
 *	   then by number.
 *	6. In that order, test() each job with the soft limits. A job that fails
 *	   neither starts nor gets a reservation. A job that can start now
 *	   without delaying a reservation starts. Any other job gets a
 *	   reservation, until there are RESERVATIONDEPTH; the last of them, or
 *	   with a depth of 0 the first job that needs one, ends this step.
 *	   Reservations are not charged: they use nothing yet.
 *	7. Backfill the jobs without a reservation that pass the soft limits:
 *	   BACKFILLPOLICY selects jobs that start now and delay no reservation,
 *	   window by window: FIRSTFIT the first that fits, in the order of 6.
 *	8. Backfill as in 7 all jobs without a reservation that pass the hard
 *	   limits, also those that failed in 6. With BACKFILLPOLICY NONE there
 *	   is neither 7 nor 8.
 *	A job is tested again when it is selected and, if it passes, charged
 *	before the next job is tested. With FIRSTFIT and BESTFIT a job that
 *	fails does not fit. GREEDY builds sets of jobs that pass one by one; a
 *	job of the chosen set that fails after the others were charged does not
 *	start.
 *
 * PRIVILEGES
 *	A bit of job.exempt exempts the job from the limits of a kind of
 *	credential. The job still counts for the other jobs of the credential.
 *
 * UNITS	seconds; processors, nodes, MB, processor-seconds. Later
 *		times than 2^32 s (136 years) after the origin count as that.
 * ERRORS	0 or -FAIR_E...; on an error nothing has changed.
 *		-FAIR_EINVAL	an argument out of its range, or NULL
 *		-FAIR_ENOMEM	fewer bytes than fair_throttle_size()
 *		-FAIR_ERANGE	a hard limit is exceeded, or less is charged
 *		-FAIR_EOVERFLOW	more than INT32_MAX processors in use, or than
 *				FAIR_THROTTLE_MOST of another resource
 * MEMORY	the caller's: fair_throttle_size() bytes, 144 a credential, any
 *		alignment
 * THREADS	const calls may run concurrently.
 * COMPLEXITY	O(1): 30 numbers a job. init, clone, check, deselect, and a
 *		limit for all: O(credentials)
 * DEFINES	FAIR_THROTTLE_API, FAIRSCHED_STATIC, FAIR_ASSERT, FAIR_MEMCPY
 * INVARIANTS	I1 0 <= soft <= hard
 *		I2 0 <= used; at most INT32_MAX processors, and at most 2^32
 *		   times as many processor-seconds
 *		I3 a credential without jobs uses nothing, until select()
 *		I4 what the credentials of a kind use is at most the total
 *		charge() exceeds a hard limit for exempt jobs only.
 * SOURCES
 *	[MAUI] Jackson, Snell, Clement: Core Algorithms of the Maui Scheduler,
 *	JSSPP 2001: 2.5, 3, 4.2
 *	[MAG] Maui Scheduler Administrator's Guide, 6.2: details. Differs: there
 *	are no multi-dimensional or override limits, and of idle jobs their
 *	number alone is limited.
 */
#ifndef FAIR_THROTTLE_H
#define FAIR_THROTTLE_H

#define FAIRSCHED_VERSION 100

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_LINKAGE
#define FAIRSCHED_SHARED_LINKAGE

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIR_ENOMEM 12
#define FAIR_EINVAL 22
#define FAIR_ENOSPC 28
#define FAIR_ERANGE 34
#define FAIR_EOVERFLOW 75

#ifdef FAIRSCHED_STATIC /* each unit has its own bodies */
#undef FAIRSCHED_IMPLEMENTATION
#define FAIRSCHED_IMPLEMENTATION
#define FAIRSCHED_LINKAGE static inline
#elif !defined(FAIRSCHED_LINKAGE)
#define FAIRSCHED_LINKAGE extern
#endif

#ifdef __cplusplus
#define FAIRSCHED_BEGIN_C extern "C" {
#define FAIRSCHED_END_C }
#else
#define FAIRSCHED_BEGIN_C
#define FAIRSCHED_END_C
#endif

/* Each unit refers to this: it needs an implementation of its version. */
#define FAIRSCHED_SYMBOL(header)                                               \
	header##_version_100_define_FAIRSCHED_IMPLEMENTATION_in_one_file
#define FAIRSCHED_PROVIDE(api, header)                                         \
	api int FAIRSCHED_SYMBOL(header)(void)                                 \
	{                                                                      \
		return FAIRSCHED_VERSION;                                      \
	}
#define FAIRSCHED_REQUIRE(api, header) api int FAIRSCHED_SYMBOL(header)(void)
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
#undef FAIRSCHED_REQUIRE
#define FAIRSCHED_REQUIRE(api, header)                                         \
	api int FAIRSCHED_SYMBOL(header)(void);                                \
	static int (*const header##_required)(void)                            \
		__attribute__((used, retain)) = FAIRSCHED_SYMBOL(header)
#endif
#endif
#endif /* FAIRSCHED_SHARED_LINKAGE */

#ifndef FAIR_THROTTLE_API
#define FAIR_THROTTLE_API FAIRSCHED_LINKAGE
#endif

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_THROTTLE_API, fair_throttle);

#define FAIR_THROTTLE_UNLIMITED INT64_MAX
#define FAIR_THROTTLE_MOST ((int64_t)1 << 61)
#define FAIR_THROTTLE_NONE UINT32_MAX /* as an id: no credential */
#define FAIR_THROTTLE_ALL UINT32_MAX  /* as an id: all credentials */

/* Credentials, in the order of priority.h. */
enum fair_throttle_kind {
	FAIR_THROTTLE_USER,
	FAIR_THROTTLE_GROUP,
	FAIR_THROTTLE_ACCOUNT,
	FAIR_THROTTLE_QOS,
	FAIR_THROTTLE_QUEUE,
	FAIR_THROTTLE_KINDS
};

enum fair_throttle_resource {
	FAIR_THROTTLE_JOBS,
	FAIR_THROTTLE_PROCS,
	FAIR_THROTTLE_NODES,
	FAIR_THROTTLE_MEMORY,
	FAIR_THROTTLE_PROC_SECONDS,
	FAIR_THROTTLE_IDLE_JOBS, /* selected in this iteration */
	FAIR_THROTTLE_RESOURCES
};

enum fair_throttle_level {
	FAIR_THROTTLE_SOFT,
	FAIR_THROTTLE_HARD,
	FAIR_THROTTLE_LEVELS
};

/**
 * struct fair_throttle_job - a job's credentials and request.
 * @id:     of each kind, 0 .. its count - 1, or FAIR_THROTTLE_NONE
 * @exempt: bit 1 << kind: it is exempt from the limits of that credential
 * @procs:  processors, >= 0
 * @nodes:  nodes, >= 0
 * @memory: MB, 0 .. FAIR_THROTTLE_MOST
 */
struct fair_throttle_job {
	uint32_t id[FAIR_THROTTLE_KINDS];
	uint32_t exempt;
	int32_t procs, nodes;
	int64_t memory;
};

/**
 * struct fair_throttle_violation - a limit that a start would exceed.
 * @kind:     of the credential
 * @id:       its id
 * @resource: the limited resource
 * @level:    soft or hard
 * @limit:    the limit
 * @used:     in use by the credential's running jobs; of idle jobs: selected
 * @asked:    requested by the job; @used + @asked > @limit
 */
struct fair_throttle_violation {
	enum fair_throttle_kind kind;
	uint32_t id;
	enum fair_throttle_resource resource;
	enum fair_throttle_level level;
	int64_t limit, used, asked;
};

/* A credential; private. Of PROC_SECONDS, used is the sum of procs * end. */
struct fair_throttle_credential {
	int64_t used[FAIR_THROTTLE_RESOURCES];
	int64_t limit[FAIR_THROTTLE_LEVELS][FAIR_THROTTLE_RESOURCES];
};

/** struct fair_throttle - limits and usage; all fields are private. */
struct fair_throttle {
	struct fair_throttle_credential *credential;
	size_t first[FAIR_THROTTLE_KINDS + 1]; /* credential of each kind */
	int64_t total[FAIR_THROTTLE_RESOURCES];
	int64_t origin;
};

/**
 * fair_throttle_size() - bytes of memory for @count credentials of each kind.
 *
 * Return: bytes; 0 if they exceed a size_t.
 */
FAIR_THROTTLE_API size_t fair_throttle_size(const uint32_t *count);

/**
 * fair_throttle_init() - begin without limits and without running jobs.
 * @struct_size: sizeof(*t), as the caller compiled it
 * @memory:      fair_throttle_size() bytes, kept by @t
 * @bytes:       size of @memory
 * @count:       credentials of each kind
 * @origin:      seconds; the earliest time
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM.
 * Complexity: O(credentials).
 */
FAIR_THROTTLE_API int fair_throttle_init(struct fair_throttle *t,
					 size_t struct_size, void *memory,
					 size_t bytes, const uint32_t *count,
					 int64_t origin);

/**
 * fair_throttle_set_limit() - set both limits of a credential on a resource.
 * @kind:     enum fair_throttle_kind
 * @id:       credential, or FAIR_THROTTLE_ALL: all of @kind (Maui: DEFAULT)
 * @resource: enum fair_throttle_resource
 * @soft:     >= 0; at most @hard is used
 * @hard:     >= 0, or FAIR_THROTTLE_UNLIMITED
 *
 * Below what is in use, no job starts until jobs have ended.
 *
 * Return: 0; -FAIR_EINVAL.
 */
FAIR_THROTTLE_API int fair_throttle_set_limit(struct fair_throttle *t, int kind,
					      uint32_t id, int resource,
					      int64_t soft, int64_t hard);

/**
 * fair_throttle_test() - test a job against the limits.
 * @now:   seconds, >= origin
 * @job:   job
 * @end:   its planned end, > @now
 * @level: FAIR_THROTTLE_SOFT or FAIR_THROTTLE_HARD
 * @why:   out: the first limit, by kind and resource, that the job exceeds;
 *         untouched if there is none; may be NULL
 *
 * Return: 0: the job may start; 1: it exceeds a limit; -FAIR_EINVAL;
 * -FAIR_EOVERFLOW, but not of processors.
 * Complexity: O(1).  Source: [MAUI] 2.5.
 */
FAIR_THROTTLE_API int fair_throttle_test(const struct fair_throttle *t,
					 int64_t now,
					 const struct fair_throttle_job *job,
					 int64_t end, int level,
					 struct fair_throttle_violation *why);

/**
 * fair_throttle_test_empty() - test a job as if no job were running.
 * @walltime: limit, seconds, >= 1
 * @level:    FAIR_THROTTLE_SOFT or FAIR_THROTTLE_HARD
 * @why:      out: the first limit that the job exceeds, with @used 0; untouched
 *            if there is none; may be NULL
 *
 * Return: 0: the job can start; 1: it can never start; -FAIR_EINVAL.
 * Complexity: O(1).
 */
FAIR_THROTTLE_API int
fair_throttle_test_empty(const struct fair_throttle *t,
			 const struct fair_throttle_job *job, int64_t walltime,
			 int level, struct fair_throttle_violation *why);

/**
 * fair_throttle_select() - test a job, by the limits on idle jobs too.
 * @now, @job, @end, @level, @why: as of fair_throttle_test()
 *
 * A job that passes is idle: it counts until fair_throttle_deselect(). Select
 * all queued jobs in the order of their priority, by the limits of one level,
 * then deselect; the iteration considers at this level those that passed. Do
 * not change @t otherwise between: the jobs of a credential are limited to the
 * first ones by priority, however many of these start in the iteration. Other
 * tests ask for no limit on idle jobs.
 *
 * Return: as fair_throttle_test(). Complexity: O(1). Source: [MAG] 6.2.3.
 */
FAIR_THROTTLE_API int fair_throttle_select(struct fair_throttle *t, int64_t now,
					   const struct fair_throttle_job *job,
					   int64_t end, int level,
					   struct fair_throttle_violation *why);

/** fair_throttle_deselect() - no job is selected. O(credentials). */
FAIR_THROTTLE_API void fair_throttle_deselect(struct fair_throttle *t);

/**
 * fair_throttle_charge() - add a job that starts.
 * @now: seconds, >= origin
 * @job: job
 * @end: its planned end, > @now
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if it exceeds a hard limit;
 * -FAIR_EOVERFLOW.
 * Complexity: O(1).
 */
FAIR_THROTTLE_API int fair_throttle_charge(struct fair_throttle *t, int64_t now,
					   const struct fair_throttle_job *job,
					   int64_t end);

/**
 * fair_throttle_release() - remove a job that ended.
 * @job: as charged
 * @end: its current planned end
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if less is charged.
 * Complexity: O(1).
 */
FAIR_THROTTLE_API int fair_throttle_release(struct fair_throttle *t,
					    const struct fair_throttle_job *job,
					    int64_t end);

/**
 * fair_throttle_change_end() - change the planned end of a running job.
 * @job: as charged
 * @was: its current planned end
 * @end: its new planned end, >= origin
 *
 * Tests no limit.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if less is charged.
 * Complexity: O(1).
 */
FAIR_THROTTLE_API int
fair_throttle_change_end(struct fair_throttle *t,
			 const struct fair_throttle_job *job, int64_t was,
			 int64_t end);

/**
 * fair_throttle_used() - read what the running jobs of a credential use.
 * @now:  seconds, >= origin
 * @kind: enum fair_throttle_kind
 * @id:   credential
 * @resource: enum fair_throttle_resource
 * @used: out: untouched on error
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(1).
 */
FAIR_THROTTLE_API int fair_throttle_used(const struct fair_throttle *t,
					 int64_t now, int kind, uint32_t id,
					 int resource, int64_t *used);

/**
 * fair_throttle_clone() - make an independent copy.
 * @memory: fair_throttle_size() bytes for the copy
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM.
 * Complexity: O(credentials).
 */
FAIR_THROTTLE_API int fair_throttle_clone(struct fair_throttle *copy,
					  void *memory, size_t bytes,
					  const struct fair_throttle *t);

/** fair_throttle_check() - 0, or the number of the first broken invariant. */
FAIR_THROTTLE_API int fair_throttle_check(const struct fair_throttle *t);

FAIRSCHED_END_C
#endif /* FAIR_THROTTLE_H */

#if !defined(FAIR_THROTTLE_IMPLEMENTED) &&                                     \
	(defined(FAIR_THROTTLE_IMPLEMENTATION) ||                              \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_THROTTLE_IMPLEMENTED

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_ASSERT
#define FAIRSCHED_SHARED_ASSERT

#ifdef __GNUC__
#define FAIR_BUILTIN(name) __builtin_##name
#define FAIR_TRAP __builtin_trap
#else
#include <stdlib.h>
#include <string.h>
#define FAIR_BUILTIN(name) name
#define FAIR_TRAP abort
#endif
#ifndef FAIR_ASSERT
#define FAIR_ASSERT(x) ((x) ? (void)0 : FAIR_TRAP())
#endif
#ifndef FAIR_MEMCPY
#define FAIR_MEMCPY FAIR_BUILTIN(memcpy)
#define FAIR_MEMMOVE FAIR_BUILTIN(memmove)
#define FAIR_MEMSET FAIR_BUILTIN(memset)
#endif

/* For a call that is proved to succeed. */
static inline void fair_must(int error)
{
	FAIR_ASSERT(error == 0);
	(void)error;
}
#endif /* FAIRSCHED_SHARED_ASSERT */

FAIRSCHED_PROVIDE(FAIR_THROTTLE_API, fair_throttle)

/* Seconds after the origin that are told apart. */
#define FAIR_THROTTLE_SPAN ((int64_t)1 << 32)

static size_t fair_throttle_bytes(size_t credentials)
{
	const size_t size = sizeof(struct fair_throttle_credential);

	if (credentials > (SIZE_MAX - 7) / size)
		return 0;
	return credentials * size + 7; /* to align the first to 8 */
}

FAIR_THROTTLE_API size_t fair_throttle_size(const uint32_t *count)
{
	uint64_t sum = 0;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		sum += count[kind];
	return sum > SIZE_MAX ? 0 : fair_throttle_bytes((size_t)sum);
}

static struct fair_throttle_credential *fair_throttle_align(void *memory)
{
	size_t skew = (size_t)((uintptr_t)memory & 7);
	char *p = (char *)memory + (skew ? 8 - skew : 0);

	return (struct fair_throttle_credential *)(void *)p;
}

FAIR_THROTTLE_API int fair_throttle_init(struct fair_throttle *t,
					 size_t struct_size, void *memory,
					 size_t bytes, const uint32_t *count,
					 int64_t origin)
{
	struct fair_throttle_credential *c;
	size_t size, i;
	int kind, r;

	if (!t || !memory || !count || struct_size != sizeof(*t))
		return -FAIR_EINVAL;
	size = fair_throttle_size(count);
	if (!size || bytes < size)
		return -FAIR_ENOMEM;
	t->credential = fair_throttle_align(memory);
	t->first[0] = 0;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		t->first[kind + 1] = t->first[kind] + count[kind];
	t->origin = origin;
	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
		t->total[r] = 0;
	for (i = 0; i < t->first[FAIR_THROTTLE_KINDS]; i++) {
		c = &t->credential[i];
		for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++) {
			c->used[r] = 0;
			c->limit[FAIR_THROTTLE_SOFT][r] =
				FAIR_THROTTLE_UNLIMITED;
			c->limit[FAIR_THROTTLE_HARD][r] =
				FAIR_THROTTLE_UNLIMITED;
		}
	}
	return 0;
}

static bool fair_throttle_is_resource(int resource)
{
	return resource >= 0 && resource < FAIR_THROTTLE_RESOURCES;
}

static bool fair_throttle_is_credential(const struct fair_throttle *t, int kind,
					uint32_t id)
{
	return kind >= 0 && kind < FAIR_THROTTLE_KINDS &&
	       id < t->first[kind + 1] - t->first[kind];
}

FAIR_THROTTLE_API int fair_throttle_set_limit(struct fair_throttle *t, int kind,
					      uint32_t id, int resource,
					      int64_t soft, int64_t hard)
{
	size_t i, end;

	if (!t || kind < 0 || kind >= FAIR_THROTTLE_KINDS ||
	    !fair_throttle_is_resource(resource) || soft < 0 || hard < 0)
		return -FAIR_EINVAL;
	i = t->first[kind];
	end = t->first[kind + 1];
	if (id != FAIR_THROTTLE_ALL) {
		if (!fair_throttle_is_credential(t, kind, id))
			return -FAIR_EINVAL;
		i += id;
		end = i + 1;
	}
	for (; i < end; i++) {
		t->credential[i].limit[FAIR_THROTTLE_SOFT][resource] =
			soft < hard ? soft : hard;
		t->credential[i].limit[FAIR_THROTTLE_HARD][resource] = hard;
	}
	return 0;
}

/* NULL for FAIR_THROTTLE_NONE. */
static struct fair_throttle_credential *
fair_throttle_of(const struct fair_throttle *t,
		 const struct fair_throttle_job *job, int kind)
{
	if (job->id[kind] == FAIR_THROTTLE_NONE)
		return NULL;
	return &t->credential[t->first[kind] + job->id[kind]];
}

static bool fair_throttle_is_valid_job(const struct fair_throttle *t,
				       const struct fair_throttle_job *job)
{
	int kind;

	if (!t || !job || job->procs < 0 || job->nodes < 0 || job->memory < 0 ||
	    job->memory > FAIR_THROTTLE_MOST)
		return false;
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		if (job->id[kind] != FAIR_THROTTLE_NONE &&
		    !fair_throttle_is_credential(t, kind, job->id[kind]))
			return false;
	return true;
}

/* Seconds from the origin to @time >= origin, 0 .. FAIR_THROTTLE_SPAN. */
static int64_t fair_throttle_since(const struct fair_throttle *t, int64_t time)
{
	uint64_t since = (uint64_t)time - (uint64_t)t->origin;

	return since < (uint64_t)FAIR_THROTTLE_SPAN ? (int64_t)since
						    : FAIR_THROTTLE_SPAN;
}

/* What a job uses for @seconds: less than 2^31 * 2^32 processor-seconds. */
static void fair_throttle_amounts(const struct fair_throttle_job *job,
				  int64_t seconds, int64_t *amount)
{
	amount[FAIR_THROTTLE_JOBS] = 1;
	amount[FAIR_THROTTLE_PROCS] = job->procs;
	amount[FAIR_THROTTLE_NODES] = job->nodes;
	amount[FAIR_THROTTLE_MEMORY] = job->memory;
	amount[FAIR_THROTTLE_PROC_SECONDS] = job->procs * seconds;
	amount[FAIR_THROTTLE_IDLE_JOBS] = 0;
}

/* Amount in use @since seconds after the origin. */
static int64_t fair_throttle_reading(const struct fair_throttle_credential *c,
				     int resource, int64_t since)
{
	int64_t used = c->used[resource];

	if (resource != FAIR_THROTTLE_PROC_SECONDS)
		return used;
	/* By I2 this does not overflow. */
	used -= c->used[FAIR_THROTTLE_PROCS] * since;
	return used < 0 ? 0 : used;
}

/*
 * By I4 no credential overflows unless the total does. Processors do not count:
 * a job that waits for free processors exceeds no limit.
 */
static bool fair_throttle_is_overflow(const struct fair_throttle *t,
				      const int64_t *asked)
{
	return t->total[FAIR_THROTTLE_JOBS] >= FAIR_THROTTLE_MOST ||
	       t->total[FAIR_THROTTLE_NODES] >
		       FAIR_THROTTLE_MOST - asked[FAIR_THROTTLE_NODES] ||
	       t->total[FAIR_THROTTLE_MEMORY] >
		       FAIR_THROTTLE_MOST - asked[FAIR_THROTTLE_MEMORY];
}

/* Whether @job exceeds a limit of @kind; of an empty machine if @since < 0. */
static inline bool
fair_throttle_is_exceeded(const struct fair_throttle *t, int kind,
			  const struct fair_throttle_job *job, int64_t since,
			  const int64_t *asked, int level,
			  struct fair_throttle_violation *why)
{
	const struct fair_throttle_credential *c =
		fair_throttle_of(t, job, kind);
	int64_t limit, used = 0;
	int r;

	if (!c || job->exempt >> kind & 1)
		return false;
	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++) {
		if (r == FAIR_THROTTLE_IDLE_JOBS && !asked[r])
			continue; /* only a selection limits them */
		limit = c->limit[level][r];
		if (since >= 0)
			used = fair_throttle_reading(c, r, since);
		if (used <= limit - asked[r])
			continue;
		if (!why)
			return true;
		why->kind = (enum fair_throttle_kind)kind;
		why->id = job->id[kind];
		why->resource = (enum fair_throttle_resource)r;
		why->level = (enum fair_throttle_level)level;
		why->limit = limit;
		why->used = used;
		why->asked = asked[r];
		return true;
	}
	return false;
}

static int fair_throttle_is_any_exceeded(const struct fair_throttle *t,
					 const struct fair_throttle_job *job,
					 int64_t since, const int64_t *asked,
					 int level,
					 struct fair_throttle_violation *why)
{
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++)
		if (fair_throttle_is_exceeded(t, kind, job, since, asked, level,
					      why))
			return 1;
	return 0;
}

/* fair_throttle_test() of a job that asks to be one of @idle idle jobs more. */
static int fair_throttle_test_idle(const struct fair_throttle *t, int64_t now,
				   const struct fair_throttle_job *job,
				   int64_t end, int level, int64_t idle,
				   struct fair_throttle_violation *why)
{
	int64_t asked[FAIR_THROTTLE_RESOURCES], since;

	if (!fair_throttle_is_valid_job(t, job) || now < t->origin ||
	    end <= now || level < 0 || level >= FAIR_THROTTLE_LEVELS)
		return -FAIR_EINVAL;
	since = fair_throttle_since(t, now);
	fair_throttle_amounts(job, fair_throttle_since(t, end) - since, asked);
	asked[FAIR_THROTTLE_IDLE_JOBS] = idle;
	if (fair_throttle_is_overflow(t, asked))
		return -FAIR_EOVERFLOW;
	return fair_throttle_is_any_exceeded(t, job, since, asked, level, why);
}

FAIR_THROTTLE_API int fair_throttle_test(const struct fair_throttle *t,
					 int64_t now,
					 const struct fair_throttle_job *job,
					 int64_t end, int level,
					 struct fair_throttle_violation *why)
{
	return fair_throttle_test_idle(t, now, job, end, level, 0, why);
}

FAIR_THROTTLE_API int
fair_throttle_test_empty(const struct fair_throttle *t,
			 const struct fair_throttle_job *job, int64_t walltime,
			 int level, struct fair_throttle_violation *why)
{
	int64_t asked[FAIR_THROTTLE_RESOURCES];

	if (!fair_throttle_is_valid_job(t, job) || walltime < 1 || level < 0 ||
	    level >= FAIR_THROTTLE_LEVELS)
		return -FAIR_EINVAL;
	fair_throttle_amounts(
		job,
		walltime < FAIR_THROTTLE_SPAN ? walltime : FAIR_THROTTLE_SPAN,
		asked);
	asked[FAIR_THROTTLE_IDLE_JOBS] = 1;
	return fair_throttle_is_any_exceeded(t, job, -1, asked, level, why);
}

static void fair_throttle_add(struct fair_throttle *t,
			      const struct fair_throttle_job *job,
			      const int64_t *amount, int sign)
{
	struct fair_throttle_credential *c;
	int kind, r;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		c = fair_throttle_of(t, job, kind);
		for (r = 0; c && r < FAIR_THROTTLE_RESOURCES; r++)
			c->used[r] += sign * amount[r];
	}
	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
		t->total[r] += sign * amount[r];
}

FAIR_THROTTLE_API int fair_throttle_select(struct fair_throttle *t, int64_t now,
					   const struct fair_throttle_job *job,
					   int64_t end, int level,
					   struct fair_throttle_violation *why)
{
	static const int64_t idle[FAIR_THROTTLE_RESOURCES] = { 0, 0, 0,
							       0, 0, 1 };
	int error = fair_throttle_test_idle(t, now, job, end, level, 1, why);

	if (!error)
		fair_throttle_add(t, job, idle, 1);
	return error;
}

FAIR_THROTTLE_API void fair_throttle_deselect(struct fair_throttle *t)
{
	size_t i;

	for (i = 0; i < t->first[FAIR_THROTTLE_KINDS]; i++)
		t->credential[i].used[FAIR_THROTTLE_IDLE_JOBS] = 0;
	t->total[FAIR_THROTTLE_IDLE_JOBS] = 0;
}

FAIR_THROTTLE_API int fair_throttle_charge(struct fair_throttle *t, int64_t now,
					   const struct fair_throttle_job *job,
					   int64_t end)
{
	int64_t amount[FAIR_THROTTLE_RESOURCES];
	int error =
		fair_throttle_test(t, now, job, end, FAIR_THROTTLE_HARD, NULL);

	if (error)
		return error > 0 ? -FAIR_ERANGE : error;
	if (t->total[FAIR_THROTTLE_PROCS] > INT32_MAX - job->procs)
		return -FAIR_EOVERFLOW;
	fair_throttle_amounts(job, fair_throttle_since(t, end), amount);
	fair_throttle_add(t, job, amount, 1);
	return 0;
}

/* Whether @used minus @amount keeps I2 and I3. */
static bool fair_throttle_can_release(const int64_t *used,
				      const int64_t *amount)
{
	bool last = used[FAIR_THROTTLE_JOBS] == 1;
	int64_t procs, seconds;
	int r;

	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
		if (last ? used[r] != amount[r] : used[r] < amount[r])
			return false;
	procs = used[FAIR_THROTTLE_PROCS] - amount[FAIR_THROTTLE_PROCS];
	seconds = used[FAIR_THROTTLE_PROC_SECONDS] -
		  amount[FAIR_THROTTLE_PROC_SECONDS];
	return seconds <= procs * FAIR_THROTTLE_SPAN;
}

/* Whether each credential of @job is charged at least @amount. */
static bool fair_throttle_is_charged(const struct fair_throttle *t,
				     const struct fair_throttle_job *job,
				     const int64_t *amount)
{
	const struct fair_throttle_credential *c;
	int kind;

	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		c = fair_throttle_of(t, job, kind);
		if (c && !fair_throttle_can_release(c->used, amount))
			return false;
	}
	return fair_throttle_can_release(t->total, amount);
}

FAIR_THROTTLE_API int fair_throttle_release(struct fair_throttle *t,
					    const struct fair_throttle_job *job,
					    int64_t end)
{
	int64_t amount[FAIR_THROTTLE_RESOURCES];

	if (!fair_throttle_is_valid_job(t, job) || end < t->origin)
		return -FAIR_EINVAL;
	fair_throttle_amounts(job, fair_throttle_since(t, end), amount);
	if (!fair_throttle_is_charged(t, job, amount))
		return -FAIR_ERANGE;
	fair_throttle_add(t, job, amount, -1);
	return 0;
}

FAIR_THROTTLE_API int
fair_throttle_change_end(struct fair_throttle *t,
			 const struct fair_throttle_job *job, int64_t was,
			 int64_t end)
{
	int64_t amount[FAIR_THROTTLE_RESOURCES];

	if (!fair_throttle_is_valid_job(t, job) || was < t->origin ||
	    end < t->origin)
		return -FAIR_EINVAL;
	fair_throttle_amounts(job, fair_throttle_since(t, was), amount);
	if (!fair_throttle_is_charged(t, job, amount))
		return -FAIR_ERANGE;
	fair_throttle_add(t, job, amount, -1);
	fair_throttle_amounts(job, fair_throttle_since(t, end), amount);
	fair_throttle_add(t, job, amount, 1);
	return 0;
}

FAIR_THROTTLE_API int fair_throttle_used(const struct fair_throttle *t,
					 int64_t now, int kind, uint32_t id,
					 int resource, int64_t *used)
{
	if (!t || !used || now < t->origin ||
	    !fair_throttle_is_credential(t, kind, id) ||
	    !fair_throttle_is_resource(resource))
		return -FAIR_EINVAL;
	*used = fair_throttle_reading(&t->credential[t->first[kind] + id],
				      resource, fair_throttle_since(t, now));
	return 0;
}

FAIR_THROTTLE_API int fair_throttle_clone(struct fair_throttle *copy,
					  void *memory, size_t bytes,
					  const struct fair_throttle *t)
{
	size_t credentials;

	if (!copy || !memory || !t)
		return -FAIR_EINVAL;
	credentials = t->first[FAIR_THROTTLE_KINDS];
	if (bytes < fair_throttle_bytes(credentials))
		return -FAIR_ENOMEM;
	*copy = *t;
	copy->credential = fair_throttle_align(memory);
	FAIR_MEMCPY(copy->credential, t->credential,
		    credentials * sizeof(*t->credential));
	return 0;
}

static int fair_throttle_check_one(const struct fair_throttle_credential *c)
{
	const int64_t *used = c->used;
	bool idle = !used[FAIR_THROTTLE_JOBS];
	int r;

	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
		if (c->limit[FAIR_THROTTLE_SOFT][r] < 0 ||
		    c->limit[FAIR_THROTTLE_SOFT][r] >
			    c->limit[FAIR_THROTTLE_HARD][r])
			return 1;
	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
		if (used[r] < 0)
			return 2;
	if (used[FAIR_THROTTLE_PROCS] > INT32_MAX ||
	    used[FAIR_THROTTLE_PROC_SECONDS] >
		    used[FAIR_THROTTLE_PROCS] * FAIR_THROTTLE_SPAN)
		return 2;
	for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++)
		if (idle && used[r])
			return 3;
	return 0;
}

FAIR_THROTTLE_API int fair_throttle_check(const struct fair_throttle *t)
{
	int64_t left[FAIR_THROTTLE_RESOURCES];
	int kind, r, broken;
	size_t i;

	for (i = 0; i < t->first[FAIR_THROTTLE_KINDS]; i++) {
		broken = fair_throttle_check_one(&t->credential[i]);
		if (broken)
			return broken;
	}
	for (kind = 0; kind < FAIR_THROTTLE_KINDS; kind++) {
		FAIR_MEMCPY(left, t->total, sizeof(left));
		for (i = t->first[kind]; i < t->first[kind + 1]; i++) {
			for (r = 0; r < FAIR_THROTTLE_RESOURCES; r++) {
				left[r] -= t->credential[i].used[r];
				if (left[r] < 0)
					return 4;
			}
		}
	}
	return 0;
}
#endif /* FAIR_THROTTLE_IMPLEMENTED */

/*
 * This file is available under either of two licences: choose one.
 *
 * A - MIT License
 * Copyright (c) 2026 The fairsched authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of this software and associated documentation files (the "Software"),
 * to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense,
 * and/or sell copies of the Software, and to permit persons to whom the
 * Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in
 * all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING
 * FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
 * DEALINGS IN THE SOFTWARE.
 *
 * B - Public domain (www.unlicense.org)
 *
 * This is free and unencumbered software released into the public domain.
 *
 * Anyone is free to copy, modify, publish, use, compile, sell, or distribute
 * this software, either in source code form or as a compiled binary, for any
 * purpose, commercial or non-commercial, and by any means.
 *
 * In jurisdictions that recognize copyright laws, the author or authors of
 * this software dedicate any and all copyright interest in the software to
 * the public domain. We make this dedication for the benefit of the public at
 * large and to the detriment of our heirs and successors. We intend this
 * dedication to be an overt act of relinquishment in perpetuity of all
 * present and future rights to this software under copyright law.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
 * ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
 * WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
