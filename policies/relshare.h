/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * relshare.h - relative share: the entitlement of each user, and their order
 *
 * In ONE file:  #define FAIR_RELSHARE_IMPLEMENTATION
 *               #define FAIR_USAGE_IMPLEMENTATION
 *               #include "relshare.h"
 *
 * Users with a queued or running job share the machine in proportion to their
 * shares; no user is entitled to more than these jobs request, and what remains
 * is shared again among the others [RS III-C]. That is the weighted max-min
 * fair share, found by water-filling. Each user is drawn as wide as its shares
 * and as high as its request per share; one fair share, in processors per
 * share, holds for all users whose request is not met:
 *
 *   procs per share            ______
 *                       ______|      |   a, b: full, entitled to what they
 *   fair share  ~ ~ ~ ~|~~~~~~|~~~~~~|         request
 *                ______|      |      |   c, d: shares * fair share
 *          ____ |  b   |  c   |  d   |
 *         |_a__||______|______|______|   area: the processors of the machine
 *
 * E(u), the integral of the entitlement, and U(u), the usage of the user's
 * jobs, begin at 0 in each window. The user with the largest E / U comes first;
 * U = 0 counts as infinite. U may count expected usage: what running jobs (to
 * their planned ends) and the job that holds a reservation will use before the
 * window ends. A user without shares comes after all others. Or, with
 * difference, the user with the largest E - U comes first, the remaining share
 * [RS II-A]. These are two orders: a user that has used 5 of 10 has the larger
 * quotient, one that has used 80 of 100 the larger difference.
 *
 * HALF-LIFE. With decays, E and U never begin at 0 again: what was entitled and
 * used t seconds ago counts 2^(-t / h), h = window. The order is the same if E
 * and U have the same factor, so that both may be kept at the value of the
 * window's begin, where the second at x seconds into it counts 2^(x / h):
 *
 *   E(u), U(u) += processors * (G(x1) - G(x0))
 *   G(x) = floor(2^bits h / ln 2 * 2^(x / h)), x < h; G(h) = 2 G(0)
 *
 * where bits is 27 - floor(log2 h); usage.h computes it. When a window begins,
 * U is halved and rounded down; so is E, rounded to the nearest 2^-64 before.
 * That makes both integers, so that (1) and (2) below hold with T = G(now) -
 * G(0). Expected usage counts up to the end of the window, as without decay.
 *
 * EXAMPLE
 *   struct fair_relshare_config config = { 0 };
 *   static unsigned char memory[4096];
 *   struct fair_relshare r;
 *   uint64_t whole, fraction;
 *
 *   config.users = 3;
 *   config.jobs = 16;
 *   config.procs = 30;
 *   config.window = 86400;
 *   config.expected = true;
 *   fair_relshare_init(&r, sizeof(r), memory, sizeof(memory), &config);
 *
 *   fair_relshare_submit(&r, 0, 7, 0, 20);    // job 7: user 0, 20 processors
 *   fair_relshare_submit(&r, 0, 8, 1, 20);
 *   fair_relshare_submit(&r, 0, 9, 2, 20);
 *   fair_relshare_start(&r, 0, 7, 1200);      // it runs until 1200
 *   fair_relshare_finish(&r, 1200, 7);
 *   fair_relshare_entitlement(&r, 1, 3600, &whole, &fraction);
 *                  // 20 min of 10 and 40 min of 15: 48000 processor-seconds
 *   fair_relshare_compare(&r, 1, 2, NULL);    // 0: neither has used anything
 *
 * WITH A SCHEDULER that plans afresh with one reservation (backfill.h: depth 1,
 * sorts, users as the groups of its walk), whose jobs live in slots:
 *
 *   a job arrives      fair_relshare_submit(r, now, slot, user, procs)
 *   it starts          fair_relshare_start(r, now, slot, planned end)
 *   it overruns its planned end, or gets another one
 *                      fair_relshare_plan(r, now, slot, planned end)
 *   it ends, or is cancelled, queued or running
 *                      fair_relshare_finish(r, now, slot)
 *   its start fails, or a queued one gets other processors
 *                      fair_relshare_finish(), fair_relshare_submit()
 *   nodes come or go   (after the finish of the jobs that end with them)
 *                      fair_relshare_capacity(r, now, procs)
 *   before each walk   fair_relshare_advance(r, now); a new second is a new
 *                      order, so that the walk must begin at the first job
 *
 *   uint32_t group(const void *context, uint32_t slot)
 *   {
 *           return ((const struct sched *)context)->job[slot].user;
 *   }
 *
 *   int compare(const void *context, uint32_t a, uint32_t b)
 *   {
 *           const struct sched *s = context;
 *           struct fair_relshare_reserved x, *held = NULL;
 *
 *           if (s->plan.reserved) {
 *                   const struct job *j = s->job + s->plan.held[0].slot;
 *
 *                   x.user = j->user;
 *                   x.procs = j->procs;
 *                   x.start = s->plan.shadow_time;
 *                   x.walltime = j->walltime;
 *                   held = &x;
 *           }
 *           return fair_relshare_compare(&s->relshare, a, b, held);
 *   }
 *
 * The events of one second may be reported in any order: the integral is over
 * the state between two seconds.
 *
 * DEV [RS III-C] is fair_relshare_used() - fair_relshare_entitlement(), read at
 * the end of a window: before the first event at or after it. For another
 * period than that of the policy, or under another policy, report the same
 * events to a second struct fair_relshare: first = begin of the period, window
 * = its length. Daily values: window 86400.
 *
 * UNITS       seconds, -2^62 .. 2^62, [t0, t1); processors; entitlement:
 *             processor-seconds, a whole part and a fraction in 2^-64; with
 *             decays 2^-bits of one, at the begin of the window
 * ERRORS      0 or -FAIR_E...; an error changes nothing. -FAIR_EINVAL a bad
 *             argument, also time that goes back; -FAIR_ENOMEM; -FAIR_ERANGE
 *             more processors are in use than there are; -FAIR_EOVERFLOW
 *             processors * window above 2^59
 * MEMORY      the caller's, fair_relshare_size() bytes: 100 a known user (76,
 *             and 24 of its ledger), or 76 with decays; 28 a live job
 * THREADS     const calls may run concurrently
 * COMPLEXITY  arrival, end: O(log n + users that it moves in the order or
 *             makes full or not) of n active users, moving 4 bytes each in the
 *             order; start, compare, reading: O(1); the first event of a
 *             window: O(active users + live jobs); clone, check: O(users)
 * DEFINES     FAIR_RELSHARE_API, FAIR_ASSERT, FAIRSCHED_STATIC; FAIR_NO_INT128
 *             does without unsigned __int128: same results
 * INVARIANTS  I1 the ledger's own
 *             I2 the list holds each live job once, each knows its place
 *             I3 of each user, request, busy and due are its jobs' sums
 *             I4 the order holds each active user once, by request per share
 *             I5 filled and unfilled are the sums of the users that are full
 *                and of the others
 *             I6 a user is full exactly if the fair share meets its request
 *             I7 busy is the sum of the users', at most the machine's present
 *                or first size; begin <= now < begin + window; elapsed is what
 *                the seconds between count
 *
 * EXACTNESS. Entitlement is not rounded to processors: which user gets the odd
 * one would be an order of its own. As a fraction it has the denominator S, the
 * shares of the users that are not full, and its integral the least common
 * multiple D of all the S of the window. D has no useful bound, so that
 * rationals do not fit fixed memory. The fair share is therefore summed in
 * 2^-128:
 *
 *   sum over seconds of floor(fair share * 2^128)  E(u) = base + shares * sum
 *
 * where base makes E continuous when u becomes active or full; it wraps, and E
 * does not. Whole processors add no error, and T seconds after the window
 * began, with s = the most shares that any user ever had,
 *
 *   E <= exact E <= E + s T 2^-128                                          (1)
 *
 * so that a certainly comes before b if E(a) U(b) > (E(b) + s T 2^-128) U(a);
 * if neither certainly comes first they tie. With difference E(a) + U(b) is
 * compared with E(b) + U(a) + s T 2^-128. Exact ties always tie. Conversely,
 * two exact quotients that differ give products that differ by 1 / D, and do
 * not tie by (1) as long as
 *
 *   D s T (U(a) + U(b)) < 2^128                                             (2)
 *
 * With equal shares, 1000 processors and a day that is D < 2^84: true for up to
 * 60 users that are not full (D divides lcm(1 .. 60) < 2^83.1), and
 * for 52 in a week on 100,000 processors. Beyond (2) those products that differ
 * by less than 2^-128 s T (U(a) + U(b)), 2^-84 there, may be taken for a tie.
 *
 * SOURCES     [RS] Vasupongayya, Impact of fair share and its configurations on
 *             parallel job scheduling algorithms, 2009, III-B and III-C
 */
#ifndef FAIR_RELSHARE_H
#define FAIR_RELSHARE_H

#ifndef FAIR_CHECKPOINT_H
#include "../checkpoint.h"
#endif
#ifndef FAIR_USAGE_H
#include "../usage.h"
#endif

#ifndef FAIR_RELSHARE_API
#define FAIR_RELSHARE_API FAIRSCHED_LINKAGE
#endif

/* Bounds of a config, and of the shares of one user. */
#define FAIR_RELSHARE_USERS (UINT32_C(1) << 28)
#define FAIR_RELSHARE_JOBS (UINT32_C(1) << 30)
#define FAIR_RELSHARE_SHARES (UINT32_C(1) << 20)
#define FAIR_RELSHARE_HALF_LIFE (INT64_C(1) << 26) /* 2 years */

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_RELSHARE_API, fair_relshare);

/**
 * struct fair_relshare_config - the machine, the users and the windows.
 * @users:    known users, 0 .. @users - 1; at most FAIR_RELSHARE_USERS
 * @jobs:     slots of live jobs, 0 .. @jobs - 1; at most FAIR_RELSHARE_JOBS
 * @procs:    processors of the machine, >= 1
 * @expected: U counts expected usage [RS III-B (1)], or not (2)
 * @origin:   the first now, seconds
 * @window:   seconds, >= 1; @procs * @window <= 2^59
 * @first:    windows begin at @first + n * @window, n an integer; 0 in [RS]
 * @decays:   @window is a half-life, at most FAIR_RELSHARE_HALF_LIFE
 * @difference: users are ordered by E - U, not by E / U
 */
struct fair_relshare_config {
	uint32_t users, jobs;
	int32_t procs;
	bool expected;
	int64_t origin, window, first;
	bool decays, difference;
};

/** struct fair_relshare_reserved - a job that is to start later. */
struct fair_relshare_reserved {
	uint32_t user;
	int32_t procs;
	int64_t start, walltime;
};

/* Private: word[2] is the whole part, modulo 2^64; [1] and [0] the fraction. */
struct fair_relshare_wide {
	uint64_t word[3];
};

/* Private: a user. If since is before the window, base counts as 0; with decays
 * base and used are those of the window of since. */
struct fair_relshare_user {
	struct fair_relshare_wide base;
	int64_t request; /* processors of its jobs */
	uint64_t due;	 /* of its running jobs: procs * (planned end -
			    begin), cut to the window */
	int64_t since;	 /* the ledger is charged until then */
	uint64_t used;	 /* with decays, in place of the ledger */
	int32_t busy;	 /* processors of its running jobs */
	uint32_t share;
	bool full;
};

/* Private: a job in its slot; procs 0: none. */
struct fair_relshare_job {
	int64_t end; /* planned */
	int32_t procs;
	uint32_t user;
	uint32_t at; /* in list */
	bool running;
};

/**
 * struct fair_relshare - the state; all fields are private.
 *
 * The ledger's time 0 is the begin of the first window. With decays it is only
 * a clock: of it G is computed.
 */
struct fair_relshare {
	struct fair_relshare_config config;
	struct fair_usage usage;
	struct fair_relshare_user *user;
	struct fair_relshare_job *job;
	uint32_t *list;	 /* slots of live jobs */
	uint32_t *order; /* active users by request per share */
	uint32_t live, active;
	uint32_t full; /* users that are full: the first of the order */
	uint32_t most_share;
	int64_t filled; /* processors that those request */
	uint64_t unfilled; /* shares of the others */
	int64_t busy, procs;
	int64_t zero, begin, now; /* the ledger's time 0, the window's begin,
				     the present */
	uint64_t elapsed; /* seconds since begin, or G(now) - G(begin) */
	uint64_t whole;	  /* the same of a whole window */
	uint32_t bits;
	struct fair_relshare_wide sum; /* of the fair share since begin */
};

/**
 * fair_relshare_size() - bytes of memory.
 *
 * Return: bytes, for any alignment; 0 if @config is not valid or too large.
 */
FAIR_RELSHARE_API size_t
fair_relshare_size(const struct fair_relshare_config *config);

/**
 * fair_relshare_init() - an idle machine; every user has 1 share.
 * @struct_size: sizeof(struct fair_relshare)
 * @memory:      @bytes bytes that stay with it
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW; -FAIR_ENOMEM if @bytes is less than
 * fair_relshare_size(). Complexity: O(users + jobs).
 */
FAIR_RELSHARE_API int
fair_relshare_init(struct fair_relshare *r, size_t struct_size, void *memory,
		   size_t bytes, const struct fair_relshare_config *config);

/**
 * fair_relshare_share() - change the shares of a user from @now on.
 * @share: 0 .. FAIR_RELSHARE_SHARES; 0: no entitlement
 *
 * Return: 0; -FAIR_EINVAL. Complexity: as fair_relshare_submit().
 */
FAIR_RELSHARE_API int fair_relshare_share(struct fair_relshare *r, int64_t now,
					  uint32_t user, uint32_t share);

/**
 * fair_relshare_submit() - a job is queued.
 * @slot:  not in use
 * @procs: >= 1
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(log n + users that it moves).
 * Source: [RS III-C (1)].
 */
FAIR_RELSHARE_API int fair_relshare_submit(struct fair_relshare *r, int64_t now,
					   uint32_t slot, uint32_t user,
					   int32_t procs);

/**
 * fair_relshare_start() - a queued job starts.
 * @end: planned, not before @now
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if more processors are then in use than
 * there are. Complexity: O(1).
 */
FAIR_RELSHARE_API int fair_relshare_start(struct fair_relshare *r, int64_t now,
					  uint32_t slot, int64_t end);

/**
 * fair_relshare_plan() - change the planned end of a running job.
 * @end: not before @now
 *
 * While a job overruns its planned end, its usage counts up to there only,
 * until it ends or gets another planned end.
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1).
 */
FAIR_RELSHARE_API int fair_relshare_plan(struct fair_relshare *r, int64_t now,
					 uint32_t slot, int64_t end);

/**
 * fair_relshare_set_used() - set what fair_relshare_used() returns at @now.
 * @used: processor-seconds of the present window, at most 2^59 of all users
 *
 * Running jobs go on from there. A charge that would raise the usage of all
 * above 2^59 is dropped.
 *
 * Return: 0; -FAIR_EINVAL, with decays also for any but 0; -FAIR_EOVERFLOW.
 * Complexity: O(1).
 */
FAIR_RELSHARE_API int fair_relshare_set_used(struct fair_relshare *r,
					     int64_t now, uint32_t user,
					     uint64_t used);

/**
 * fair_relshare_forget() - a user without jobs has neither usage nor
 * entitlement.
 *
 * Return: 0; -FAIR_EINVAL, also if it has jobs. Complexity: O(1).
 */
FAIR_RELSHARE_API int fair_relshare_forget(struct fair_relshare *r, int64_t now,
					   uint32_t user);

/**
 * fair_relshare_set_window() - the windows, or the half-life, are others from
 * @now on.
 * @window: seconds, as in the configuration
 *
 * E, rounded down to processor-seconds, and U stay. They count in the window
 * of the new length that @now is in, which ends as if it had always been so
 * long. With decays both are scaled alike, and rounded down.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW: processors * window above 2^59, or
 * a user has used so much that the ledger has no room for it. The time may have
 * advanced nevertheless. Complexity: O(users + live jobs).
 */
FAIR_RELSHARE_API int fair_relshare_set_window(struct fair_relshare *r,
					       int64_t now, int64_t window);

/**
 * fair_relshare_finish() - a queued or running job ends.
 *
 * Return: 0; -FAIR_EINVAL. Complexity: as fair_relshare_submit().
 */
FAIR_RELSHARE_API int fair_relshare_finish(struct fair_relshare *r, int64_t now,
					   uint32_t slot);

/**
 * fair_relshare_capacity() - the machine has @procs processors, >= 0.
 *
 * Jobs may run on where a node is lost, so that more are in use; but never more
 * than @procs or config.procs, whichever is more.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if more are in use; -FAIR_EOVERFLOW.
 * Complexity: as fair_relshare_submit().
 */
FAIR_RELSHARE_API int fair_relshare_capacity(struct fair_relshare *r,
					     int64_t now, int32_t procs);

/**
 * fair_relshare_advance() - advance the time to @now; every event does the
 * same.
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(1); the first call in a window
 * O(active users + live jobs).
 */
FAIR_RELSHARE_API int fair_relshare_advance(struct fair_relshare *r,
					    int64_t now);

/** fair_relshare_begin() - the begin of the present window, seconds. */
FAIR_RELSHARE_API int64_t fair_relshare_begin(const struct fair_relshare *r);

/**
 * fair_relshare_entitled() - the processors to which a user is entitled now.
 * @whole:    out: untouched on error
 * @fraction: out: the rest, in 2^-64; may be NULL
 *
 * The nearest 2^-64 to the exact value.
 *
 * Return: 0; -FAIR_EINVAL. Source: [RS III-C (1)].
 */
FAIR_RELSHARE_API int fair_relshare_entitled(const struct fair_relshare *r,
					     uint32_t user, uint64_t *whole,
					     uint64_t *fraction);

/**
 * fair_relshare_entitlement() - E: the integral over the window, until @t.
 * @t:        from the last event up to the end of the window, which is included
 * @whole:    out: processor-seconds; untouched on error
 * @fraction: out: the rest, in 2^-64; may be NULL
 *
 * The nearest 2^-64 to the exact value, or but for s T 2^-128 the nearest.
 *
 * Return: 0; -FAIR_EINVAL. Source: [RS III-C (1)].
 */
FAIR_RELSHARE_API int fair_relshare_entitlement(const struct fair_relshare *r,
						uint32_t user, int64_t t,
						uint64_t *whole,
						uint64_t *fraction);

/**
 * fair_relshare_used() - the usage of a user in the window, until @t.
 * @t:    as for fair_relshare_entitlement()
 * @used: out: processor-seconds; untouched on error
 *
 * Return: 0; -FAIR_EINVAL.
 */
FAIR_RELSHARE_API int fair_relshare_used(const struct fair_relshare *r,
					 uint32_t user, int64_t t,
					 uint64_t *used);

/**
 * fair_relshare_compare() - which user comes first, after the last event.
 * @a:        a known user
 * @b:        a known user
 * @reserved: job with a reservation, or NULL; of no effect unless usage is
 *            expected
 *
 * Return: -1 if @a's E / U is larger, 1 if @b's is, 0 if they are equal.
 * Complexity: O(1). Source: [RS III-B].
 */
FAIR_RELSHARE_API int
fair_relshare_compare(const struct fair_relshare *r, uint32_t a, uint32_t b,
		      const struct fair_relshare_reserved *reserved);

/**
 * fair_relshare_clone() - an independent copy.
 * @copy:   out: untouched on error
 * @memory: fair_relshare_size() bytes, for the copy alone
 * @slot:   the copy's slot of each live job's, or NULL where they are the same
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM. Complexity: O(users + jobs).
 */
FAIR_RELSHARE_API int fair_relshare_clone(struct fair_relshare *copy,
					  void *memory, size_t bytes,
					  const struct fair_relshare *r,
					  const uint32_t *slot);

/** fair_relshare_save() - write the state without the jobs. */
FAIR_RELSHARE_API void fair_relshare_save(const struct fair_relshare *r,
					  struct fair_checkpoint *f);

/**
 * struct fair_relshare_live - a job in its slot, for fair_relshare_load().
 * @end: running: planned
 */
struct fair_relshare_live {
	uint32_t user;
	int32_t procs;
	int64_t end;
	bool running;
};

/**
 * fair_relshare_load() - read the same, into a state without jobs.
 * @now:     the present of the checkpoint
 * @slots:   the slots that were ever used
 * @live:    gives the job in @slot; false: none that is queued or runs
 * @context: its first argument
 *
 * @f->bad marks a state that cannot be.
 */
FAIR_RELSHARE_API void
fair_relshare_load(struct fair_relshare *r, int64_t now, uint32_t slots,
		   bool (*live)(const void *context, uint32_t slot,
				struct fair_relshare_live *job),
		   const void *context, struct fair_checkpoint *f);

/**
 * fair_relshare_check() - 0, or the number of the first broken invariant.
 *
 * Complexity: O(users + jobs).
 */
FAIR_RELSHARE_API int fair_relshare_check(const struct fair_relshare *r);

FAIRSCHED_END_C
#endif /* FAIR_RELSHARE_H */

#if !defined(FAIR_RELSHARE_IMPLEMENTED) &&                                     \
	(defined(FAIR_RELSHARE_IMPLEMENTATION) ||                              \
	 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_RELSHARE_IMPLEMENTED

FAIRSCHED_PROVIDE(FAIR_RELSHARE_API, fair_relshare)

#define FAIR_RELSHARE_TIME ((int64_t)1 << 62)  /* of now, either side of 0 */
#define FAIR_RELSHARE_LIMIT ((int64_t)1 << 59) /* the ledger's */

/* ARITHMETIC */

/* The sign of a * b - c * d. */
static int fair_relshare_cross(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	struct fair_wide x = fair_multiply(a, b), y = fair_multiply(c, d);

	return fair_wide_less(y, x) - fair_wide_less(x, y);
}

/* a * n; returns what does not fit. */
static uint64_t fair_relshare_times(struct fair_relshare_wide *a, uint64_t n)
{
	struct fair_wide product;
	uint64_t carry = 0;
	int i;

	for (i = 0; i < 3; i++) {
		product = fair_multiply(a->word[i], n);
		a->word[i] = product.low + carry;
		carry = product.high + (a->word[i] < product.low);
	}
	return carry;
}

/* a + b, or with a @mask of all ones a - b; returns the carry of the sum. */
static uint64_t fair_relshare_add(struct fair_relshare_wide *a,
				  const struct fair_relshare_wide *b,
				  uint64_t mask)
{
	uint64_t carry = mask & 1, sum; /* -b is ~b + 1 */
	int i;

	for (i = 0; i < 3; i++) {
		sum = (b->word[i] ^ mask) + carry;
		carry = sum < carry;
		a->word[i] += sum;
		carry += a->word[i] < sum;
	}
	return carry;
}

/* a / b, rounded down */
static struct fair_relshare_wide fair_relshare_divide(uint64_t a, uint64_t b)
{
	struct fair_relshare_wide q;
	struct fair_wide rest = { 0, 0 };

	q.word[2] = a / b;
	rest.high = a % b;
	q.word[1] = fair_divide(rest, b, &rest.high);
	q.word[0] = fair_divide(rest, b, &rest.high);
	return q;
}

/* SIZE */

static bool fair_relshare_is_valid(const struct fair_relshare_config *config)
{
	return config && config->users >= 1 && config->jobs >= 1 &&
	       config->users <= FAIR_RELSHARE_USERS &&
	       config->jobs <= FAIR_RELSHARE_JOBS && config->procs >= 1 &&
	       config->window >= 1 && config->origin >= -FAIR_RELSHARE_TIME &&
	       config->origin <= FAIR_RELSHARE_TIME &&
	       config->first >= -FAIR_RELSHARE_TIME &&
	       config->first <= FAIR_RELSHARE_TIME &&
	       (!config->decays || config->window <= FAIR_RELSHARE_HALF_LIFE);
}

static size_t
fair_relshare_ledger_size(const struct fair_relshare_config *config)
{
	return config->decays ? fair_usage_size(1, 0, 1)
			      : fair_usage_size(config->users, 1, 1);
}

FAIR_RELSHARE_API size_t
fair_relshare_size(const struct fair_relshare_config *config)
{
	uint64_t bytes;

	if (!fair_relshare_is_valid(config) ||
	    config->window > FAIR_RELSHARE_LIMIT / config->procs)
		return 0;
	bytes = (uint64_t)config->users *
			(sizeof(struct fair_relshare_user) + sizeof(uint32_t)) +
		(uint64_t)config->jobs *
			(sizeof(struct fair_relshare_job) + sizeof(uint32_t)) +
		7;
	/* If the ledger is too large, and 0, so is the rest, which is larger.
	 */
	if (bytes > SIZE_MAX - fair_relshare_ledger_size(config))
		return 0;
	return (size_t)bytes + fair_relshare_ledger_size(config);
}

/* Lay out memory; returns that of the ledger. */
static void *fair_relshare_lay_out(struct fair_relshare *r, void *memory)
{
	char *at = (char *)memory + (8 - (uintptr_t)memory % 8) % 8;

	r->user = (struct fair_relshare_user *)(void *)at;
	r->job =
		(struct fair_relshare_job *)(void *)(r->user + r->config.users);
	r->list = (uint32_t *)(void *)(r->job + r->config.jobs);
	r->order = r->list + r->config.jobs;
	return r->order + r->config.users;
}

/* Begin of the window that @t is in. */
static int64_t fair_relshare_window(const struct fair_relshare *r, int64_t t)
{
	int64_t window = r->config.window;
	/* Each remainder is above -window: nothing overflows. */
	int64_t into = (t % window - r->config.first % window) % window;

	return t - into - (into < 0 ? window : 0);
}

/* G(@t - zero), in the window of @t */
static uint64_t fair_relshare_growth(const struct fair_relshare *r, int64_t t)
{
	struct fair_usage_growth g =
		fair_usage_growth_at(&r->usage, t - r->zero);

	return g.whole << r->bits | g.fraction >> (64 - r->bits);
}

/* What the seconds from the window's begin to @t, up to its end, count. */
static uint64_t fair_relshare_elapsed(const struct fair_relshare *r, int64_t t)
{
	if (t == r->now)
		return r->elapsed;
	if (!r->config.decays)
		return (uint64_t)(t - r->begin);
	/* G(0) is whole. The last second counts 2 at least, as bits >= 1. */
	return t - r->begin < r->config.window
		       ? fair_relshare_growth(r, t) - r->whole
		       : r->whole;
}

/* The same for the present, computed anew. */
static uint64_t fair_relshare_elapsed_now(const struct fair_relshare *r)
{
	struct fair_relshare x = *r;

	x.now = x.begin;
	x.elapsed = 0;
	return fair_relshare_elapsed(&x, r->now);
}

/* What a whole window counts. */
static void fair_relshare_set_whole(struct fair_relshare *r)
{
	int64_t window = r->config.window;

	r->whole = (uint64_t)window;
	if (!r->config.decays)
		return;
	for (r->bits = 27; window > 1; window /= 2)
		r->bits--;
	r->whole = fair_relshare_growth(r, r->zero);
}

static void fair_relshare_init_ledger(struct fair_relshare *r, void *memory)
{
	size_t bytes = fair_relshare_ledger_size(&r->config);
	int64_t window = r->config.window;

	fair_must(r->config.decays
			  ? fair_usage_init_half_life(
				    &r->usage, sizeof(r->usage), memory, bytes,
				    1, 1, 0, window)
			  : fair_usage_init_windows(
				    &r->usage, sizeof(r->usage), memory, bytes,
				    r->config.users, 1, 0, 1, window, 0));
	fair_relshare_set_whole(r);
}

FAIR_RELSHARE_API int
fair_relshare_init(struct fair_relshare *r, size_t struct_size, void *memory,
		   size_t bytes, const struct fair_relshare_config *config)
{
	struct fair_relshare x;
	uint32_t i;

	if (!r || !memory || struct_size != sizeof(*r) ||
	    !fair_relshare_is_valid(config))
		return -FAIR_EINVAL;
	if (config->window > FAIR_RELSHARE_LIMIT / config->procs)
		return -FAIR_EOVERFLOW;
	if (!fair_relshare_size(config) || bytes < fair_relshare_size(config))
		return -FAIR_ENOMEM;
	FAIR_MEMSET(&x, 0, sizeof(x));
	x.config = *config;
	x.most_share = 1;
	x.procs = config->procs;
	x.now = config->origin;
	x.zero = x.begin = fair_relshare_window(&x, x.now);
	fair_relshare_init_ledger(&x, fair_relshare_lay_out(&x, memory));
	x.elapsed = fair_relshare_elapsed_now(&x);
	FAIR_MEMSET(x.job, 0, config->jobs * sizeof(*x.job));
	FAIR_MEMSET(x.user, 0, config->users * sizeof(*x.user));
	for (i = 0; i < config->users; i++) {
		x.user[i].share = 1;
		x.user[i].since = x.begin;
	}
	*r = x;
	return 0;
}

/* ENTITLEMENT: E = base + term. */

static bool fair_relshare_is_current(const struct fair_relshare *r,
				     const struct fair_relshare_user *u)
{
	return u->since >= r->begin;
}

/* The part of E that grows, from the begin of the window to @t. */
static struct fair_relshare_wide
fair_relshare_term(const struct fair_relshare *r,
		   const struct fair_relshare_user *u, int64_t t,
		   const struct fair_relshare_wide *sum)
{
	struct fair_relshare_wide term = { { 0, 0, 0 } };

	if (u->full) {
		term.word[2] = (uint64_t)u->request *
			       fair_relshare_elapsed(r, t);
	} else if (u->request) {
		term = *sum;
		fair_relshare_times(&term, u->share);
	}
	return term;
}

/* Before the user's term changes move it into base, with a @mask of 0; after it
 * take the new one out, with all ones: so that E stays. */
static void fair_relshare_move_term(const struct fair_relshare *r,
				    struct fair_relshare_user *u, uint64_t mask)
{
	struct fair_relshare_wide term =
		fair_relshare_term(r, u, r->now, &r->sum);

	fair_relshare_add(&u->base, &term, mask);
}

/* The fair share now: processors per share of the users that are not full. */
static struct fair_relshare_wide
fair_relshare_fair_share(const struct fair_relshare *r)
{
	/* By I6, full users request no more than there is. */
	if (r->unfilled)
		return fair_relshare_divide((uint64_t)(r->procs - r->filled),
					    r->unfilled);
	return fair_relshare_divide(0, 1);
}

static struct fair_relshare_wide
fair_relshare_sum(const struct fair_relshare *r, int64_t t)
{
	struct fair_relshare_wide sum;

	if (t == r->now)
		return r->sum;
	sum = fair_relshare_fair_share(r);
	fair_relshare_times(&sum, fair_relshare_elapsed(r, t) - r->elapsed);
	fair_relshare_add(&sum, &r->sum, 0);
	return sum;
}

/* Rounds E to the nearest 2^-64, halves it @n times and rounds down. */
static void fair_relshare_halve(struct fair_relshare_wide *e, int64_t n)
{
	const struct fair_relshare_wide half = { { (uint64_t)1 << 63, 0, 0 } };

	fair_relshare_add(e, &half, 0);
	e->word[2] = n < 64 ? e->word[2] >> n : 0;
	e->word[1] = e->word[0] = 0;
}

/* Windows that began since the user was last charged. */
static int64_t fair_relshare_age(const struct fair_relshare *r,
				 const struct fair_relshare_user *u)
{
	return fair_relshare_is_current(r, u)
		       ? 0
		       : (r->begin - fair_relshare_window(r, u->since)) /
				 r->config.window;
}

static uint64_t fair_relshare_decayed(const struct fair_relshare *r,
				      const struct fair_relshare_user *u)
{
	int64_t age = fair_relshare_age(r, u);

	return age < 64 ? u->used >> age : 0;
}

static struct fair_relshare_wide
fair_relshare_integral(const struct fair_relshare *r,
		       const struct fair_relshare_user *u, int64_t t,
		       const struct fair_relshare_wide *sum)
{
	struct fair_relshare_wide e = { { 0, 0, 0 } };

	if (fair_relshare_is_current(r, u)) {
		e = fair_relshare_term(r, u, t, sum);
		fair_relshare_add(&e, &u->base, 0);
	} else if (r->config.decays) {
		e = u->base;
		fair_relshare_halve(&e, fair_relshare_age(r, u));
	}
	return e;
}

/* TIME */

/* The same with decays. Which users have jobs is current: see
 * fair_relshare_carry_all(). */
static void fair_relshare_charge_decaying(struct fair_relshare *r,
					  struct fair_relshare_user *u,
					  int64_t t)
{
	if (!fair_relshare_is_current(r, u)) {
		u->used = fair_relshare_decayed(r, u);
		u->base = fair_relshare_integral(r, u, t, &r->sum);
	} else if (u->busy) {
		u->used += (uint64_t)u->busy *
			   (fair_relshare_elapsed(r, t) -
			    fair_relshare_elapsed(r, u->since));
	}
	u->since = t;
}

/* Charge the ledger for the user's running jobs until @t. */
static void fair_relshare_charge(struct fair_relshare *r, uint32_t user,
				 int64_t t)
{
	struct fair_relshare_user *u = r->user + user;

	if (r->config.decays) {
		fair_relshare_charge_decaying(r, u, t);
		return;
	}
	if (u->busy) /* it overflows only after fair_relshare_set_used() */
		(void)fair_usage_charge(&r->usage, user, u->since - r->zero,
					t - r->zero, u->busy);
	if (!fair_relshare_is_current(r, u))
		FAIR_MEMSET(&u->base, 0, sizeof(u->base));
	u->since = t;
}

/* procs * (t - begin), with t cut to the window. */
static uint64_t fair_relshare_due_until(const struct fair_relshare *r,
					int32_t procs, int64_t t)
{
	if (t <= r->begin)
		return 0;
	if (t > r->begin + r->config.window)
		t = r->begin + r->config.window;
	return (uint64_t)procs * fair_relshare_elapsed(r, t);
}

/*
 * Carries an active user over the ends of @windows windows: the sum of the fair
 * share in the first is @first, in the others @next. Each turn but the first is
 * the same monotone map of E and U, which halves: once it changes neither,
 * after some 64 turns, it never does again.
 */
static void fair_relshare_carry(const struct fair_relshare *r,
				struct fair_relshare_user *u, int64_t windows,
				const struct fair_relshare_wide *first,
				const struct fair_relshare_wide *next)
{
	const int64_t end = r->begin + r->config.window;
	struct fair_relshare_wide term = fair_relshare_term(r, u, end, first);
	uint64_t grown = (uint64_t)u->busy *
			 (r->whole - fair_relshare_elapsed(r, u->since));
	uint64_t e, used;
	bool stays = false;

	while (windows-- && !stays) {
		e = u->base.word[2];
		used = u->used;
		fair_relshare_add(&u->base, &term, 0);
		fair_relshare_halve(&u->base, 1);
		u->used = (used + grown) / 2;
		stays = first == next && u->base.word[2] == e &&
			u->used == used;
		first = next;
		term = fair_relshare_term(r, u, end, next);
		grown = (uint64_t)u->busy * r->whole;
	}
}

static void fair_relshare_carry_all(struct fair_relshare *r, int64_t begin)
{
	int64_t windows = (begin - r->begin) / r->config.window;
	struct fair_relshare_wide first, next;
	uint32_t i;

	first = fair_relshare_sum(r, r->begin + r->config.window);
	next = fair_relshare_fair_share(r);
	fair_relshare_times(&next, r->whole);
	for (i = 0; i < r->active; i++) {
		fair_relshare_carry(r, r->user + r->order[i], windows, &first,
				    &next);
		r->user[r->order[i]].since = begin;
	}
}

/* By I4 and I3, a user with a busy processor is active. */
static void fair_relshare_count_due(struct fair_relshare *r)
{
	const struct fair_relshare_job *j;
	uint32_t i;

	for (i = 0; i < r->active; i++)
		r->user[r->order[i]].due = 0;
	for (i = 0; i < r->live; i++) {
		j = r->job + r->list[i];
		if (j->running)
			r->user[j->user].due +=
				fair_relshare_due_until(r, j->procs, j->end);
	}
}

static void fair_relshare_begin_window(struct fair_relshare *r, int64_t begin)
{
	uint32_t i;

	if (r->config.decays)
		fair_relshare_carry_all(r, begin);
	r->now = r->begin = begin;
	r->elapsed = 0;
	FAIR_MEMSET(&r->sum, 0, sizeof(r->sum));
	for (i = 0; i < r->active; i++)
		fair_relshare_charge(r, r->order[i], begin);
	fair_relshare_count_due(r);
}

static void fair_relshare_set_now(struct fair_relshare *r, int64_t now)
{
	if (now - r->begin >= r->config.window)
		fair_relshare_begin_window(r, fair_relshare_window(r, now));
	r->sum = fair_relshare_sum(r, now);
	r->elapsed = fair_relshare_elapsed(r, now);
	r->now = now;
}

static bool fair_relshare_is_bad_time(const struct fair_relshare *r,
				      int64_t now)
{
	return now < r->now || now > FAIR_RELSHARE_TIME;
}

FAIR_RELSHARE_API int fair_relshare_advance(struct fair_relshare *r,
					    int64_t now)
{
	if (fair_relshare_is_bad_time(r, now))
		return -FAIR_EINVAL;
	fair_relshare_set_now(r, now);
	return 0;
}

FAIR_RELSHARE_API int64_t fair_relshare_begin(const struct fair_relshare *r)
{
	return r->begin;
}

/* THE MAX-MIN FAIR SHARE */

/* The sign of a's request per share - b's, infinite without shares; then of
 * their numbers. */
static int fair_relshare_compare_requests(const struct fair_relshare *r,
					  uint32_t a, uint32_t b)
{
	const struct fair_relshare_user *x = r->user + a, *y = r->user + b;
	int sign = fair_relshare_cross((uint64_t)x->request, y->share,
				       (uint64_t)y->request, x->share);

	return sign ? sign : (a > b) - (a < b);
}

/* The user's index in the order, or where it would be inserted. */
static uint32_t fair_relshare_place(const struct fair_relshare *r,
				    uint32_t user)
{
	uint32_t low = 0, high = r->active, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (fair_relshare_compare_requests(r, r->order[middle], user) <
		    0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * W1. Whether the user is full, if all users before it in the order are full
 * and none behind it is: to meet its request, filled + unfilled * request /
 * share processors are needed, and that is not more than there are. Along the
 * order that number only grows; and it is the same whether the user itself is
 * counted in filled or in unfilled.
 */
static bool fair_relshare_is_satisfied(const struct fair_relshare *r,
				       const struct fair_relshare_user *u)
{
	return u->share && r->filled <= r->procs &&
	       fair_relshare_cross((uint64_t)u->request, r->unfilled,
				   (uint64_t)(r->procs - r->filled),
				   u->share) <= 0;
}

static void fair_relshare_add_to_sums(struct fair_relshare *r,
				      const struct fair_relshare_user *u,
				      int sign)
{
	if (u->full) {
		r->full += (uint32_t)sign;
		r->filled += sign * u->request;
	} else {
		r->unfilled += (uint64_t)(sign * (int64_t)u->share);
	}
}

static void fair_relshare_toggle(struct fair_relshare *r,
				 struct fair_relshare_user *u)
{
	fair_relshare_move_term(r, u, 0);
	fair_relshare_add_to_sums(r, u, -1);
	u->full = !u->full;
	fair_relshare_add_to_sums(r, u, 1);
	fair_relshare_move_term(r, u, UINT64_MAX);
}

/* Invariant: filled and unfilled are right after each turn (I5), so that each
 * test is that of W1. */
static void fair_relshare_fill(struct fair_relshare *r)
{
	struct fair_relshare_user *u;

	while (r->full) {
		u = r->user + r->order[r->full - 1];
		if (fair_relshare_is_satisfied(r, u))
			break;
		fair_relshare_toggle(r, u);
	}
	while (r->full < r->active) {
		u = r->user + r->order[r->full];
		if (!fair_relshare_is_satisfied(r, u))
			break;
		fair_relshare_toggle(r, u);
	}
}

/* Take the user out of the order: its request and shares may then change. */
static void fair_relshare_remove(struct fair_relshare *r, uint32_t user)
{
	struct fair_relshare_user *u = r->user + user;
	uint32_t at;

	fair_relshare_charge(r, user, r->now);
	if (!u->request)
		return;
	fair_relshare_move_term(r, u, 0);
	at = fair_relshare_place(r, user);
	fair_relshare_add_to_sums(r, u, -1);
	u->full = false;
	r->active--;
	FAIR_MEMMOVE(r->order + at, r->order + at + 1,
		     (r->active - at) * sizeof(*r->order));
}

/* Where the user, which requests something, is in the order from now on. */
static uint32_t fair_relshare_rank(struct fair_relshare *r, uint32_t user)
{
	uint32_t at = fair_relshare_place(r, user);

	FAIR_MEMMOVE(r->order + at + 1, r->order + at,
		     (r->active++ - at) * sizeof(*r->order));
	r->order[at] = user;
	return at;
}

static void fair_relshare_insert(struct fair_relshare *r, uint32_t user)
{
	struct fair_relshare_user *u = r->user + user;

	if (u->request) {
		u->full = fair_relshare_rank(r, user) < r->full;
		fair_relshare_add_to_sums(r, u, 1);
		fair_relshare_move_term(r, u, UINT64_MAX);
	}
	fair_relshare_fill(r);
}

FAIR_RELSHARE_API int fair_relshare_share(struct fair_relshare *r, int64_t now,
					  uint32_t user, uint32_t share)
{
	if (fair_relshare_is_bad_time(r, now) || user >= r->config.users ||
	    share > FAIR_RELSHARE_SHARES)
		return -FAIR_EINVAL;
	fair_relshare_set_now(r, now);
	fair_relshare_remove(r, user);
	r->user[user].share = share;
	if (r->most_share < share)
		r->most_share = share;
	fair_relshare_insert(r, user);
	return 0;
}

/* The most that may be in use of a machine of @procs. */
static int64_t fair_relshare_most_busy(const struct fair_relshare *r,
				       int64_t procs)
{
	return procs > r->config.procs ? procs : r->config.procs;
}

FAIR_RELSHARE_API int fair_relshare_capacity(struct fair_relshare *r,
					     int64_t now, int32_t procs)
{
	if (fair_relshare_is_bad_time(r, now) || procs < 0)
		return -FAIR_EINVAL;
	if (fair_relshare_most_busy(r, procs) < r->busy)
		return -FAIR_ERANGE;
	if (procs && r->config.window > FAIR_RELSHARE_LIMIT / procs)
		return -FAIR_EOVERFLOW;
	fair_relshare_set_now(r, now);
	r->procs = procs;
	fair_relshare_fill(r);
	return 0;
}

FAIR_RELSHARE_API int fair_relshare_set_used(struct fair_relshare *r,
					     int64_t now, uint32_t user,
					     uint64_t used)
{
	if (fair_relshare_is_bad_time(r, now) || user >= r->config.users ||
	    used > FAIR_RELSHARE_LIMIT || (used && r->config.decays))
		return -FAIR_EINVAL;
	fair_relshare_set_now(r, now);
	fair_relshare_charge(r, user, now);
	r->user[user].used = 0;
	if (r->config.decays)
		return 0;
	return fair_usage_set(&r->usage, user, now - r->zero, used, 0);
}

FAIR_RELSHARE_API int fair_relshare_forget(struct fair_relshare *r, int64_t now,
					   uint32_t user)
{
	if (fair_relshare_is_bad_time(r, now) || user >= r->config.users ||
	    r->user[user].request)
		return -FAIR_EINVAL;
	fair_relshare_set_now(r, now);
	fair_relshare_charge(r, user, now);
	FAIR_MEMSET(&r->user[user].base, 0, sizeof(r->user[user].base));
	return fair_relshare_set_used(r, now, user, 0);
}

/* OTHER WINDOWS */

/* @n times @ratio, which has the fraction of a division. */
static uint64_t fair_relshare_scaled(const struct fair_relshare_wide *ratio,
				     uint64_t n)
{
	struct fair_relshare_wide product = *ratio;

	(void)fair_relshare_times(&product, n);
	fair_relshare_halve(&product, 0);
	return product.word[2];
}

/*
 * What the last second counts by the rule of @r, for that by the rule of @was:
 * G is proportional to that and to the half-life. Both numbers are cut alike to
 * what a division takes.
 */
static struct fair_relshare_wide
fair_relshare_ratio(const struct fair_relshare *r,
		    const struct fair_relshare *was)
{
	uint64_t a = fair_relshare_growth(r, r->now) *
		     (uint64_t)was->config.window;
	uint64_t b = fair_relshare_growth(was, r->now) *
		     (uint64_t)r->config.window;

	for (; b >> 48; a >>= 1)
		b >>= 1;
	return fair_relshare_divide(a, b);
}

/* Whether the ledger of @r, which has no terms, has room by the rule of @x: a
 * second counts at most 2^(1 + the difference of their bits) times as much. */
static bool fair_relshare_has_room(const struct fair_relshare *r,
				   const struct fair_relshare *x)
{
	uint32_t bits = 58 - (x->bits > r->bits ? x->bits - r->bits : 0), i;

	if (x->zero < INT64_MIN / 2)
		return false;
	for (i = 0; r->config.decays && i < r->config.users; i++)
		if ((r->user[i].used | r->user[i].base.word[2]) >> bits)
			return false;
	return true;
}

/* Go on by the rule of @x; by (t, zero) the ledger has the same usage. */
static int fair_relshare_change_rule(struct fair_relshare *r,
				     struct fair_relshare *x)
{
	struct fair_relshare was = *r;
	struct fair_relshare_wide ratio;
	uint32_t i;
	int error = r->config.decays
			    ? 0
			    : fair_usage_change_rule(&x->usage,
						     r->now - r->zero,
						     INT64_MAX, 0);

	if (!error) /* only of a damaged checkpoint has a clock usage */
		error = fair_usage_change_rule(&x->usage, x->now - x->zero,
					       x->config.window, 0);
	if (error)
		return error;
	fair_relshare_set_whole(x);
	*r = *x;
	r->elapsed = fair_relshare_elapsed_now(r);
	for (i = 0; i < r->live; i++) /* what ran beyond its end is charged */
		if (r->job[r->list[i]].end < r->now)
			r->job[r->list[i]].end = r->now;
	FAIR_MEMSET(&r->sum, 0, sizeof(r->sum));
	for (i = 0; i < r->config.users; i++)
		fair_relshare_halve(&r->user[i].base, 0);
	if (!r->config.decays)
		return 0;
	ratio = fair_relshare_ratio(r, &was);
	for (i = 0; i < r->config.users; i++) {
		r->user[i].used = fair_relshare_scaled(&ratio, r->user[i].used);
		r->user[i].base.word[2] = fair_relshare_scaled(
			&ratio, r->user[i].base.word[2]);
	}
	return 0;
}

FAIR_RELSHARE_API int fair_relshare_set_window(struct fair_relshare *r,
					       int64_t now, int64_t window)
{
	struct fair_relshare x = *r;
	int error = -FAIR_EOVERFLOW;
	uint32_t i;

	x.config.window = window;
	if (fair_relshare_is_bad_time(r, now) ||
	    !fair_relshare_is_valid(&x.config))
		return -FAIR_EINVAL;
	if (window > FAIR_RELSHARE_LIMIT / x.config.procs ||
	    (r->procs && window > FAIR_RELSHARE_LIMIT / r->procs))
		return -FAIR_EOVERFLOW;
	fair_relshare_set_now(r, now);
	for (i = 0; i < r->config.users; i++)
		fair_relshare_charge(r, i, now);
	for (i = 0; i < r->active; i++)
		fair_relshare_move_term(r, r->user + r->order[i], 0);
	x = *r;
	x.config.window = window;
	x.zero = fair_relshare_window(&x, r->zero);
	x.begin = fair_relshare_window(&x, now);
	for (x.bits = 27; window > 1; window /= 2)
		x.bits--;
	if (fair_relshare_has_room(r, &x))
		error = fair_relshare_change_rule(r, &x);
	for (i = 0; i < r->active; i++)
		fair_relshare_move_term(r, r->user + r->order[i], UINT64_MAX);
	fair_relshare_count_due(r);
	return error;
}

/* JOBS */

static bool fair_relshare_has_job(const struct fair_relshare *r, int64_t now,
				  uint32_t slot, bool running)
{
	return !fair_relshare_is_bad_time(r, now) && slot < r->config.jobs &&
	       r->job[slot].procs && r->job[slot].running == running;
}

FAIR_RELSHARE_API int fair_relshare_submit(struct fair_relshare *r, int64_t now,
					   uint32_t slot, uint32_t user,
					   int32_t procs)
{
	struct fair_relshare_job *j;

	if (fair_relshare_is_bad_time(r, now) || slot >= r->config.jobs ||
	    r->job[slot].procs || user >= r->config.users || procs < 1)
		return -FAIR_EINVAL;
	fair_relshare_set_now(r, now);
	j = r->job + slot;
	j->end = now;
	j->procs = procs;
	j->user = user;
	j->at = r->live;
	j->running = false;
	r->list[r->live++] = slot;
	fair_relshare_remove(r, user);
	r->user[user].request += procs;
	fair_relshare_insert(r, user);
	return 0;
}

/* The job's processors become busy (@sign 1) or free (-1). */
static void fair_relshare_occupy(struct fair_relshare *r,
				 struct fair_relshare_job *j, int sign)
{
	struct fair_relshare_user *u = r->user + j->user;
	uint64_t due = fair_relshare_due_until(r, j->procs, j->end);

	fair_relshare_charge(r, j->user, r->now);
	u->busy += sign * j->procs;
	r->busy += sign * j->procs;
	u->due += sign > 0 ? due : -due;
	j->running = sign > 0;
}

FAIR_RELSHARE_API int fair_relshare_start(struct fair_relshare *r, int64_t now,
					  uint32_t slot, int64_t end)
{
	if (!fair_relshare_has_job(r, now, slot, false) || end < now)
		return -FAIR_EINVAL;
	if (r->job[slot].procs >
	    fair_relshare_most_busy(r, r->procs) - r->busy)
		return -FAIR_ERANGE;
	fair_relshare_set_now(r, now);
	r->job[slot].end = end;
	fair_relshare_occupy(r, r->job + slot, 1);
	return 0;
}

FAIR_RELSHARE_API int fair_relshare_plan(struct fair_relshare *r, int64_t now,
					 uint32_t slot, int64_t end)
{
	if (!fair_relshare_has_job(r, now, slot, true) || end < now)
		return -FAIR_EINVAL;
	fair_relshare_set_now(r, now);
	fair_relshare_occupy(r, r->job + slot, -1);
	r->job[slot].end = end;
	fair_relshare_occupy(r, r->job + slot, 1);
	return 0;
}

FAIR_RELSHARE_API int fair_relshare_finish(struct fair_relshare *r, int64_t now,
					   uint32_t slot)
{
	struct fair_relshare_job *j;
	uint32_t last;

	if (!fair_relshare_has_job(r, now, slot, false) &&
	    !fair_relshare_has_job(r, now, slot, true))
		return -FAIR_EINVAL;
	fair_relshare_set_now(r, now);
	j = r->job + slot;
	if (j->running)
		fair_relshare_occupy(r, j, -1);
	fair_relshare_remove(r, j->user);
	r->user[j->user].request -= j->procs;
	fair_relshare_insert(r, j->user);
	last = r->list[--r->live];
	r->list[j->at] = last;
	r->job[last].at = j->at;
	j->procs = 0;
	return 0;
}

/* READING */

/* The usage of the job in the rest of the window. */
static uint64_t fair_relshare_expected(const struct fair_relshare *r,
				       const struct fair_relshare_reserved *job)
{
	int64_t start = job->start < r->now ? r->now : job->start;
	int64_t end = r->begin + r->config.window, left;

	if (start >= end || job->procs < 0)
		return 0;
	left = end - start;
	if (left > job->walltime)
		left = job->walltime;
	if (left <= 0)
		return 0;
	return (uint64_t)job->procs * (fair_relshare_elapsed(r, start + left) -
				       fair_relshare_elapsed(r, start));
}

/* What the user was charged in this window; with decays before it, too. */
static uint64_t fair_relshare_charged(const struct fair_relshare *r,
				      uint32_t user)
{
	uint64_t used = 0;

	if (r->config.decays)
		return fair_relshare_decayed(r, r->user + user);
	fair_must(fair_usage_at(&r->usage, user, r->now - r->zero, &used,
				NULL));
	return used;
}

/*
 * The usage of the user's jobs, and expected usage if it counts: a job that has
 * run since `since` adds due - procs * (since - begin).
 */
static uint64_t
fair_relshare_usage_of(const struct fair_relshare *r, uint32_t user,
		       const struct fair_relshare_reserved *reserved)
{
	const struct fair_relshare_user *u = r->user + user;
	uint64_t counted = fair_relshare_charged(r, user);

	if (u->busy) {
		counted += r->config.expected
				   ? u->due
				   : (uint64_t)u->busy * r->elapsed;
		counted -=
			(uint64_t)u->busy * fair_relshare_elapsed(r, u->since);
	}
	if (r->config.expected && reserved && reserved->user == user)
		counted += fair_relshare_expected(r, reserved);
	return counted;
}

static bool fair_relshare_can_read(const struct fair_relshare *r, uint32_t user,
				   int64_t t)
{
	return user < r->config.users && t >= r->now &&
	       t <= r->begin + r->config.window;
}

FAIR_RELSHARE_API int fair_relshare_used(const struct fair_relshare *r,
					 uint32_t user, int64_t t,
					 uint64_t *used)
{
	const struct fair_relshare_user *u;

	if (!fair_relshare_can_read(r, user, t) || !used)
		return -FAIR_EINVAL;
	u = r->user + user;
	/* The ledger's part is that of now: @t is in the same window. */
	*used = fair_relshare_charged(r, user);
	if (u->busy)
		*used += (uint64_t)u->busy *
			 (fair_relshare_elapsed(r, t) -
			  fair_relshare_elapsed(r, u->since));
	return 0;
}

/* Round to nearest: a value that is exact in 2^-64 lacks less than half of it.
 */
static void fair_relshare_round(struct fair_relshare_wide e, uint64_t *whole,
				uint64_t *fraction)
{
	const struct fair_relshare_wide half = { { (uint64_t)1 << 63, 0, 0 } };

	fair_relshare_add(&e, &half, 0);
	*whole = e.word[2];
	if (fraction)
		*fraction = e.word[1];
}

FAIR_RELSHARE_API int fair_relshare_entitled(const struct fair_relshare *r,
					     uint32_t user, uint64_t *whole,
					     uint64_t *fraction)
{
	const struct fair_relshare_user *u;
	struct fair_relshare_wide e;

	if (user >= r->config.users || !whole)
		return -FAIR_EINVAL;
	u = r->user + user;
	e = fair_relshare_fair_share(r);
	if (u->full)
		e = fair_relshare_divide((uint64_t)u->request, 1);
	else
		fair_relshare_times(&e, u->request ? u->share : 0);
	fair_relshare_round(e, whole, fraction);
	return 0;
}

FAIR_RELSHARE_API int fair_relshare_entitlement(const struct fair_relshare *r,
						uint32_t user, int64_t t,
						uint64_t *whole,
						uint64_t *fraction)
{
	struct fair_relshare_wide sum;

	if (!fair_relshare_can_read(r, user, t) || !whole)
		return -FAIR_EINVAL;
	sum = fair_relshare_sum(r, t);
	fair_relshare_round(fair_relshare_integral(r, r->user + user, t, &sum),
			    whole, fraction);
	return 0;
}

/* A product of four words. */
struct fair_relshare_product {
	uint64_t high;
	struct fair_relshare_wide low;
};

static bool fair_relshare_is_greater(const struct fair_relshare_product *a,
				     const struct fair_relshare_product *b)
{
	int i = 2;

	if (a->high != b->high)
		return a->high > b->high;
	while (i > 0 && a->low.word[i] == b->low.word[i])
		i--;
	return a->low.word[i] > b->low.word[i];
}

/*
 * Whether a > b + s T 2^-128 * usage, so that by (1) a's user certainly comes
 * first. No sum wraps: s T < 2^79, usage <= 2^60, products are below 2^247.
 */
static bool fair_relshare_is_certainly_greater(
	const struct fair_relshare *r, const struct fair_relshare_product *a,
	struct fair_relshare_product b, uint64_t usage)
{
	struct fair_relshare_wide error = { { 0, 0, 0 } };
	struct fair_wide product;

	if (!fair_relshare_is_greater(a, &b))
		return false;
	product = fair_multiply(r->most_share, r->elapsed);
	error.word[0] = product.low;
	error.word[1] = product.high;
	fair_relshare_times(&error, usage);
	b.high += fair_relshare_add(&b.low, &error, 0);
	return fair_relshare_is_greater(a, &b);
}

FAIR_RELSHARE_API int
fair_relshare_compare(const struct fair_relshare *r, uint32_t a, uint32_t b,
		      const struct fair_relshare_reserved *reserved)
{
	struct fair_relshare_product x, y;
	uint64_t usage, other;
	int last;

	/* The caller guarantees it: a sign has no room for an error. */
	FAIR_ASSERT(a < r->config.users && b < r->config.users);
	last = !r->user[a].share - !r->user[b].share;
	if (a == b || last)
		return last;
	usage = fair_relshare_usage_of(r, a, reserved);
	other = fair_relshare_usage_of(r, b, reserved);
	if (!r->config.difference && (!usage || !other))
		return (usage != 0) - (other != 0);
	x.low = fair_relshare_integral(r, r->user + a, r->now, &r->sum);
	y.low = fair_relshare_integral(r, r->user + b, r->now, &r->sum);
	if (r->config.difference) {
		x.high = y.high = 0;
		x.low.word[2] += other; /* E and U are below 2^60 */
		y.low.word[2] += usage;
		usage = other = 1;
	} else {
		x.high = fair_relshare_times(&x.low, other);
		y.high = fair_relshare_times(&y.low, usage);
	}
	if (fair_relshare_is_certainly_greater(r, &x, y, usage))
		return -1;
	return fair_relshare_is_certainly_greater(r, &y, x, other);
}

FAIR_RELSHARE_API int fair_relshare_clone(struct fair_relshare *copy,
					  void *memory, size_t bytes,
					  const struct fair_relshare *r,
					  const uint32_t *slot)
{
	size_t ledger = fair_relshare_ledger_size(&r->config);
	struct fair_relshare x = *r;
	uint32_t i;

	if (!copy || !memory)
		return -FAIR_EINVAL;
	if (bytes < fair_relshare_size(&r->config))
		return -FAIR_ENOMEM;
	memory = fair_relshare_lay_out(&x, memory);
	fair_must(fair_usage_clone(&x.usage, memory, ledger, &r->usage));
	FAIR_MEMCPY(x.user, r->user, x.config.users * sizeof(*x.user));
	FAIR_MEMCPY(x.order, r->order, x.active * sizeof(*x.order));
	FAIR_MEMSET(x.job, 0, x.config.jobs * sizeof(*x.job));
	for (i = 0; i < x.live; i++) {
		x.list[i] = slot ? slot[r->list[i]] : r->list[i];
		x.job[x.list[i]] = r->job[r->list[i]];
	}
	*copy = x;
	return 0;
}

/* CHECKPOINTS */

enum fair_relshare_section {
	FAIR_RELSHARE_STATE = 10,
	FAIR_RELSHARE_USER,
	FAIR_RELSHARE_LEDGER /* as usage.h saves it */
};

static void fair_relshare_fields(struct fair_checkpoint *f,
				 struct fair_relshare *r)
{
	int i;

	fair_checkpoint_one(f, FAIR_RELSHARE_STATE, 7);
	fair_checkpoint_i64(f, &r->zero);
	fair_checkpoint_i64(f, &r->begin);
	fair_checkpoint_i64(f, &r->now);
	fair_checkpoint_u32(f, &r->most_share);
	for (i = 0; i < 3; i++)
		fair_checkpoint_u64(f, &r->sum.word[i]);
}

static void fair_relshare_user_fields(struct fair_checkpoint *f,
				      const struct fair_relshare *r,
				      struct fair_relshare_user *u)
{
	int i;

	fair_checkpoint_record(f);
	for (i = 0; i < 3; i++)
		fair_checkpoint_u64(f, &u->base.word[i]);
	fair_checkpoint_i64(f, &u->since);
	fair_checkpoint_u32(f, &u->share);
	fair_checkpoint_bool(f, &u->full);
	if (r->config.decays)
		fair_checkpoint_u64(f, &u->used);
}

FAIR_RELSHARE_API void fair_relshare_save(const struct fair_relshare *r,
					  struct fair_checkpoint *f)
{
	size_t bytes = fair_usage_checkpoint_size(&r->usage);
	struct fair_relshare x = *r;
	unsigned char *at;
	uint32_t i;

	fair_relshare_fields(f, &x);
	fair_checkpoint_section(f, FAIR_RELSHARE_USER, r->config.users,
				r->config.decays ? 7 : 6);
	for (i = 0; i < r->config.users; i++) {
		struct fair_relshare_user u = r->user[i];

		fair_relshare_user_fields(f, r, &u);
	}
	at = fair_checkpoint_bytes(f, FAIR_RELSHARE_LEDGER, bytes);
	if (at)
		fair_must(fair_usage_save(&r->usage, at, bytes));
}

/* Load the job in @slot; the order of the users is made afterwards. */
static void fair_relshare_load_job(struct fair_relshare *r, uint32_t slot,
				   const struct fair_relshare_live *live)
{
	struct fair_relshare_user *u = r->user + live->user;
	struct fair_relshare_job *j = r->job + slot;

	j->end = live->end;
	j->procs = live->procs;
	j->user = live->user;
	j->at = r->live;
	j->running = live->running;
	r->list[r->live++] = slot;
	u->request += j->procs;
	if (!j->running)
		return;
	r->busy += j->procs;
	u->busy += j->procs;
	u->due += fair_relshare_due_until(r, j->procs, j->end);
}

static void fair_relshare_load_order(struct fair_relshare *r)
{
	uint32_t i;

	/* Loop invariant: order[0 .. active) are the active users below i. */
	for (i = 0; i < r->config.users; i++) {
		if (!r->user[i].request)
			continue;
		(void)fair_relshare_rank(r, i);
		fair_relshare_add_to_sums(r, r->user + i, 1);
	}
}

static void fair_relshare_load_users(struct fair_relshare *r, int64_t now,
				     struct fair_checkpoint *f)
{
	uint64_t saved;
	uint32_t i;

	fair_relshare_fields(f, r);
	f->bad |= r->now > now || r->begin > r->now || r->zero > r->begin ||
		  r->zero < INT64_MIN / 2 ||
		  r->begin != fair_relshare_window(r, r->now) ||
		  r->zero != fair_relshare_window(r, r->zero);
	saved = fair_checkpoint_section(f, FAIR_RELSHARE_USER, 0, 0);
	f->bad |= !saved || saved > r->config.users;
	for (i = 0; !f->bad && i < r->config.users; i++)
		r->user[i].since = r->zero;
	for (i = 0; !f->bad && i < saved; i++) {
		struct fair_relshare_user *u = r->user + i;

		fair_relshare_user_fields(f, r, u);
		f->bad |= u->since < r->zero || u->since > r->now ||
			  u->share > r->most_share;
	}
	f->bad |= r->most_share > FAIR_RELSHARE_SHARES;
	for (i = 0; i < r->config.users; i++) /* those that were not saved */
		if (r->most_share < r->user[i].share)
			r->most_share = r->user[i].share;
	if (!f->bad)
		r->elapsed = fair_relshare_elapsed_now(r);
}

FAIR_RELSHARE_API void
fair_relshare_load(struct fair_relshare *r, int64_t now, uint32_t slots,
		   bool (*live)(const void *context, uint32_t slot,
				struct fair_relshare_live *job),
		   const void *context, struct fair_checkpoint *f)
{
	struct fair_relshare_live job;
	const unsigned char *ledger;
	size_t bytes = 0;
	uint32_t i;

	fair_relshare_load_users(r, now, f);
	if (f->bad)
		return;
	for (i = 0; i < slots; i++)
		if (live(context, i, &job))
			fair_relshare_load_job(r, i, &job);
	fair_relshare_load_order(r);
	ledger = fair_checkpoint_find(f, FAIR_RELSHARE_LEDGER, &bytes);
	f->bad |= fair_relshare_check(r) || !ledger ||
		  fair_usage_reload(&r->usage, r->now - r->zero, ledger, bytes);
}

/* CHECK */

static bool fair_relshare_check_list(const struct fair_relshare *r)
{
	uint32_t i, used = 0;

	if (r->live > r->config.jobs)
		return false;
	for (i = 0; i < r->live; i++)
		if (r->list[i] >= r->config.jobs ||
		    r->job[r->list[i]].at != i ||
		    r->job[r->list[i]].procs < 1 ||
		    r->job[r->list[i]].user >= r->config.users)
			return false;
	for (i = 0; i < r->config.jobs; i++)
		used += r->job[i].procs != 0;
	return used == r->live;
}

/*
 * Compare sums weighted by a hash of the user: they are equal if each user's
 * are, and otherwise with probability 2^-64.
 */
static bool fair_relshare_check_sums(const struct fair_relshare *r)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t request = 0, busy = 0, due = 0, hash;
	const struct fair_relshare_job *j;
	uint32_t i;

	for (i = 0; i < r->config.users; i++) {
		hash = (i + odd) * odd;
		hash = (hash ^ hash >> 29) * odd;
		request += hash * (uint64_t)r->user[i].request;
		busy += hash * (uint64_t)r->user[i].busy;
		due += hash * r->user[i].due;
	}
	for (i = 0; i < r->live; i++) {
		j = r->job + r->list[i];
		hash = (j->user + odd) * odd;
		hash = (hash ^ hash >> 29) * odd;
		request -= hash * (uint64_t)j->procs;
		if (!j->running)
			continue;
		busy -= hash * (uint64_t)j->procs;
		due -= hash * fair_relshare_due_until(r, j->procs, j->end);
	}
	return !request && !busy && !due;
}

static bool fair_relshare_check_order(const struct fair_relshare *r)
{
	uint32_t i, active = 0;

	for (i = 0; i < r->config.users; i++)
		active += r->user[i].request != 0;
	if (r->active != active || r->full > active)
		return false;
	for (i = 0; i < active; i++)
		if (r->order[i] >= r->config.users ||
		    !r->user[r->order[i]].request ||
		    !fair_relshare_is_current(r, r->user + r->order[i]) ||
		    (i && fair_relshare_compare_requests(r, r->order[i - 1],
							 r->order[i]) >= 0))
			return false;
	return true;
}

static bool fair_relshare_check_sums_of_order(const struct fair_relshare *r)
{
	int64_t filled = 0;
	uint64_t unfilled = 0;
	uint32_t i, full = 0;

	for (i = 0; i < r->active; i++) {
		const struct fair_relshare_user *u = r->user + r->order[i];

		if (u->full != (i < r->full))
			return false;
		full += u->full;
		filled += u->full ? u->request : 0;
		unfilled += u->full ? 0 : u->share;
	}
	for (i = 0; i < r->config.users; i++)
		full -= r->user[i].full;
	return !full && filled == r->filled && unfilled == r->unfilled;
}

FAIR_RELSHARE_API int fair_relshare_check(const struct fair_relshare *r)
{
	int64_t busy = 0;
	uint32_t i;

	if (fair_usage_check(&r->usage))
		return 1;
	if (!fair_relshare_check_list(r))
		return 2;
	if (!fair_relshare_check_sums(r))
		return 3;
	if (!fair_relshare_check_order(r))
		return 4;
	if (!fair_relshare_check_sums_of_order(r))
		return 5;
	for (i = 0; i < r->active; i++)
		if (fair_relshare_is_satisfied(r, r->user + r->order[i]) !=
		    (i < r->full))
			return 6;
	for (i = 0; i < r->config.users; i++)
		busy += r->user[i].busy;
	if (busy != r->busy || busy > fair_relshare_most_busy(r, r->procs) ||
	    r->now < r->begin ||
	    r->now - r->begin >= r->config.window ||
	    r->elapsed != fair_relshare_elapsed_now(r))
		return 7;
	return 0;
}
#endif /* FAIR_RELSHARE_IMPLEMENTED */

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
