/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * usage.h - a ledger of decayed usage for fair share
 *
 * In ONE file:  #define FAIR_USAGE_IMPLEMENTATION
 *               #include "usage.h"
 *
 * A ledger keeps the usage of n entities of one kind (users, groups, accounts,
 * classes or QoS) and their total. Usage decays in one of two ways:
 *
 *   half-life h                        windows of I seconds, depth 3, decay d
 *
 *   weight 1        ____ now           weight 1              ______ now
 *              ___--                           d       ______|
 *      1/2 _---                              d*d ______|
 *     _---                                0 _____|
 *     |    h   |   h   |                         |  I  |  I  |  I  |
 *
 * With depth 1 usage is reset to 0 at every multiple of I [RS]. With a
 * half-life of 0 it never decays.
 *
 * EXAMPLE
 *   struct fair_usage u;
 *   static unsigned char memory[4096];
 *   int64_t points;                         // 2^-20 percentage points
 *
 *   fair_usage_init_half_life(&u, sizeof(u), memory, sizeof(memory),
 *                             10, 1, 1, 7 * 86400);
 *   fair_usage_charge_provisional(&u, 3, 64, 3600);  // user 3: 64 procs, 1 h
 *   fair_usage_charge_final(&u, 3, 64, 3600, 1000, 2800);  // it took 30 min
 *   fair_usage_charge(&u, 4, 1000, 2800, 192);
 *   fair_usage_share(&u, 3, 90000, &points);          // 25 << 20: 64 : 192
 *
 * DEFINITION. Each charge adds a rate r over [t0, t1): processors, or any other
 * integer weight. Usage at t >= t1 is
 *
 *   half-life  sum r * integral from t0 to t1 of 2^((s - t) / h) ds
 *   windows    sum over n < depth of used(floor(t / I) - n) * d^n
 *
 * plus the provisional charges. A job that starts is provisionally charged its
 * walltime limit [MR 3.4]. This amount does not decay; when the job ends, the
 * final charge replaces it by the actual usage. Provisional charges are
 * integers kept apart from the rest, so a cancelled one leaves no rounding
 * error. To charge running jobs as time passes [MAUI 6.1.1], charge [last, now)
 * instead.
 *
 * READING changes nothing, and decay depends on the time of the charge only:
 * results do not depend on how often a caller reads, nor on restarts.
 *
 * CHANGES OF A RUNNING LEDGER. fair_usage_extend() adds entities.
 * fair_usage_set() sets what an entity has used, fair_usage_credit() takes
 * usage back and leaves a record with the caller's reason, fair_usage_reset()
 * begins anew, fair_usage_change_rule() sets another half-life or window.
 * Provisional charges stay. fair_usage_coarsen() makes room for more. An entity
 * whose usage and provisional charges are 0 may stand for another one.
 *
 * SEVERAL SERVERS. Every ledger has a source number and counts its own changes.
 * It may also carry the charges of up to FAIR_USAGE_SOURCES - 1 other sources.
 * fair_usage_merge() takes the state with more changes of each source: this is
 * a maximum, so merging is commutative, associative and idempotent. A reading
 * is the sum over the sources. Only its own server charges a source; a server
 * that restarts from an old checkpoint must merge its own state from a peer
 * before it charges again, and finds by fair_usage_changes() where to go on in
 * its log. Clocks may differ: a reading at a time before a peer's last charge
 * is made at the time of that charge.
 *
 * UNITS       seconds >= 0, [t0, t1); usage: rate * seconds, a whole part and
 *             a fraction in 2^-64; shares and targets: percentage points in
 *             2^-20; decay in 2^-32 (FAIR_USAGE_ONE is 1)
 * ERRORS      0 or -FAIR_E...; on error nothing changed. -FAIR_EINVAL a bad
 *             argument, -FAIR_ENOMEM or -FAIR_ENOSPC too little memory,
 *             -FAIR_ERANGE less is provisionally charged, -FAIR_EOVERFLOW
 *             a total above 2^59
 * MEMORY      the caller's, fair_usage_size() bytes: for each source 32 bytes
 *             an entity, or 16 + 8 * depth with windows
 * THREADS     const calls may run concurrently
 * COMPLEXITY  O(1), windows O(depth); a reading is that for each source;
 *             init, clone, merge, save, load, check O(entities)
 * DEFINES     FAIR_USAGE_API, FAIR_ASSERT, FAIRSCHED_STATIC; FAIR_NO_INT128
 *             avoids unsigned __int128, with the same results
 * INVARIANTS  I1 the rule and the fields derived from it are as init sets them
 *             I2 1 <= sources <= sources_max; source numbers are unique
 *             I3 latest is the maximum of the sources' clocks, all >= 0
 *             I4 a row's period <= the total's <= that of the source's clock
 *             I5 usage and provisional charges are at most 2^59 (of a window
 *                2^59 / depth)
 *             I6 the total's provisional charges are the sum of the rows'
 *             I7 the total's usage is the sum of the rows': with windows
 *                exactly, with half-life within (2 changes + entities) * 2^-64
 *
 * FIXED POINT, half-life. Time is divided into periods of h seconds: t = p h +
 * x, 0 <= x < h. A row keeps its period p and V, its usage scaled to the start
 * of that period:
 *
 *   usage(t') = V * 2^-(p' - p) * 2^(-x' / h)           t' = p' h + x'
 *
 * So decay over whole periods is a shift, all rows share the factor of a
 * reading, and a charge adds a difference of one function at its two ends:
 *
 *   V += r * (F(t1) - F(t0) * 2^-(p1 - p0))      F(t) = h / ln 2 * 2^(x / h)
 *
 * Hence charges of [a, b) and [b, c) within a period add up to [a, c) exactly.
 *
 * ERROR BOUND. Let u = 2^-64. Tables are rounded, all else is truncated.
 *   x / h      by the reciprocal inv, 2^(64+s) / h - 1 - 1 / h <= inv <
 *              2^(64+s) / h with 2^s <= h < 2^(s+1): off by less than
 *              x (1 + 1 / h) 2^-s u < 2 u, and u by the shift; the exponent
 *              y = x / h ln 2 by 2.1 u
 *   2^(x / h)  = coarse[6 bits] * (1 + fine[6 bits]) * e^z, z < ln 2 / 4096:
 *              coarse is off by u, fine by u / 2, e^z by 3.2 u, four terms cut
 *              and z^5 / 120 < 0.03 u left out; the products by u and 2 u.
 *              8 u, with y 11 u. h / ln 2 is off by 4 u, F cut to u.
 *   So F is off by less than 16 u F + u < h 2^-58 + u, since F < 2.89 h, and
 *              a charge by less than r * (h 2^-57 + 2^-62) at t1, including
 *              2 u for the shifts; decay only reduces that. A reading adds
 *              12 u of its value and (sources + 2) u:
 *
 *   |fair_usage_at() - usage(t)| < sum over charges r (h 2^-57 + 2^-62)
 *                                  + usage(t) 2^-60 + (sources + 2) 2^-64
 *
 *   With h = 1 week that is 2^-37 processor-seconds per processor and charge.
 * Without decay, h = 0, all time is one period, F(t) = t, and V is an exact
 * integer until a fraction is set.
 * Windows are exact integers. The sum over n is Horner's, each step truncated:
 *   0 <= usage(t) - fair_usage_at() < depth * 2^-64; exact at depth 1.
 *
 * CHECKPOINT  64-bit little-endian words: magic, format, entities, depth,
 *             length, decay, sources_max, sources; of each source its number,
 *             changes, clock and rows; FNV-1a 64 of all before. Each step of
 *             FNV-1a is a bijection, so it detects any one changed byte.
 *
 * SOURCES     [MAUI] Jackson, Snell & Clement, JSSPP 2001, 6: windows, targets
 *             [MR] Klusacek & Rudova, JSSPP 2014, 3.4 and 5: provisional
 *             charges, several servers
 *             [RS] Vasupongayya, relative fair share, 2009, II-B: one window
 */
#ifndef FAIR_USAGE_H
#define FAIR_USAGE_H

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

#ifndef FAIR_USAGE_API
#define FAIR_USAGE_API FAIRSCHED_LINKAGE
#endif

/* A decay of 1. */
#define FAIR_USAGE_ONE (UINT64_C(1) << 32)
/* One percentage point. */
#define FAIR_USAGE_POINT (INT64_C(1) << 20)
/* Most sources of a ledger. */
#define FAIR_USAGE_SOURCES 16
/* Bounds of a rule. */
#define FAIR_USAGE_HALF_LIFE (INT64_C(1) << 32) /* 136 years */
#define FAIR_USAGE_DEPTH 1024
/* As an entity: the total of all. */
#define FAIR_USAGE_TOTAL UINT32_MAX

FAIRSCHED_BEGIN_C

FAIRSCHED_REQUIRE(FAIR_USAGE_API, fair_usage);

/**
 * struct fair_usage_source - the charges of one server.
 * @id:      number of the server
 * @changes: made since the first init; the newer of two states has more
 * @clock:   latest end of a charge, seconds
 */
struct fair_usage_source {
	uint64_t id, changes;
	int64_t clock;
};

/**
 * struct fair_usage_growth - F(t) of the manual.
 * @t:        seconds
 * @period:   the period of @t
 * @whole:    F(t), whole part
 * @fraction: fraction of F(t), in 2^-64
 */
struct fair_usage_growth {
	int64_t t;
	uint64_t period, whole, fraction;
};

/**
 * struct fair_usage_span - cache of the interval of the last half-life charge.
 * @from:     begin, seconds
 * @end:      end
 * @whole:    growth of V at a rate of 1, whole part
 * @fraction: fraction of the growth, in 2^-64
 * @factor:   2^(-x / h) at the end, in 2^-64; 0 if x is 0
 *
 * A caller that charges running jobs as time passes charges all of them for the
 * same interval, and the next interval begins at the end of this one.
 */
struct fair_usage_span {
	int64_t from;
	struct fair_usage_growth end;
	uint64_t whole, fraction, factor;
};

/**
 * struct fair_usage - a ledger; all fields are private.
 * @row:     for each source entities + 1 rows, of which the last is the total.
 *           A row: period, provisional charges, then the usage of the window n
 *           periods ago for each n < depth; or with half-life V: whole,
 * fraction
 * @source:  the sources; [0] is this server
 * @length:  of a period, seconds: the half-life or the window; 0: no decay
 * @inverse: the reciprocal of @length, with @shift
 * @scale:   half-life: @length / ln 2, with as many fraction bits as fit
 * @decay:   of a window, in 2^-32
 * @latest:  latest clock of a source
 * @last:    half-life: cache
 * @depth:   windows; 0 with half-life
 */
struct fair_usage {
	uint64_t *row;
	struct fair_usage_source *source;
	int64_t length, latest;
	uint64_t inverse, scale, decay;
	struct fair_usage_span last;
	uint32_t entities, depth, sources, sources_max, shift;
};

enum fair_usage_kind {
	FAIR_USAGE_TARGET,  /* `50`: raises priority below, lowers it above */
	FAIR_USAGE_FLOOR,   /* `40+`: raises priority below */
	FAIR_USAGE_CEILING, /* `10-`: lowers priority above */
	FAIR_USAGE_CAP	    /* `15^`: no job starts above */
};

/**
 * struct fair_usage_target - target share of an entity.
 * @points: percentage points, in 2^-20, at least 0
 */
struct fair_usage_target {
	int64_t points;
	enum fair_usage_kind kind;
};

/* Why a checkpoint was rejected. */
enum fair_usage_damage {
	FAIR_USAGE_FOREIGN = 1, /* it is not a checkpoint of a ledger */
	FAIR_USAGE_FORMAT,	/* it has the format of another version */
	FAIR_USAGE_CUT,		/* its length is not that of its header */
	FAIR_USAGE_CHECKSUM,	/* its checksum is wrong */
	FAIR_USAGE_BROKEN	/* its contents break an invariant */
};

/**
 * fair_usage_size() - bytes of memory that a ledger needs.
 * @entities: number of entities, 1 .. UINT32_MAX - 1
 * @depth:    windows, 1 .. FAIR_USAGE_DEPTH; 0 for half-life
 * @sources:  servers whose usage it can carry, 1 .. FAIR_USAGE_SOURCES
 *
 * Return: bytes, enough for any alignment; 0 for a bad argument or on overflow.
 */
FAIR_USAGE_API size_t fair_usage_size(uint32_t entities, uint32_t depth,
				      uint32_t sources);

/**
 * fair_usage_init_half_life() - make an empty ledger with a half-life.
 * @u:           ledger
 * @struct_size: sizeof(struct fair_usage)
 * @memory:      at least fair_usage_size(@entities, 0, @sources) bytes
 * @bytes:       size of @memory
 * @entities:    number of entities
 * @sources:     servers whose usage it can carry
 * @id:          number of this server
 * @half_life:   seconds, up to FAIR_USAGE_HALF_LIFE; 0: usage never decays
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM.
 * Complexity: O(entities * sources).
 */
FAIR_USAGE_API int fair_usage_init_half_life(struct fair_usage *u,
					     size_t struct_size, void *memory,
					     size_t bytes, uint32_t entities,
					     uint32_t sources, uint64_t id,
					     int64_t half_life);

/**
 * fair_usage_init_windows() - make an empty ledger with windows.
 * @u:           ledger
 * @struct_size: sizeof(struct fair_usage)
 * @memory:      at least fair_usage_size(@entities, @depth, @sources) bytes
 * @bytes:       size of @memory
 * @entities:    number of entities
 * @sources:     servers whose usage it can carry
 * @id:          number of this server
 * @depth:       windows that count (FSDEPTH), 1 .. FAIR_USAGE_DEPTH
 * @interval:    seconds of a window (FSINTERVAL), >= 1; windows begin at its
 *               multiples
 * @decay:       factor per window (FSDECAY), 0 .. FAIR_USAGE_ONE
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM.
 * Complexity: O(entities * sources * depth).  Source: [MAUI 6.1.2], [RS].
 */
FAIR_USAGE_API int fair_usage_init_windows(struct fair_usage *u,
					   size_t struct_size, void *memory,
					   size_t bytes, uint32_t entities,
					   uint32_t sources, uint64_t id,
					   uint32_t depth, int64_t interval,
					   uint64_t decay);

/**
 * fair_usage_charge() - charge an entity for [t0, t1).
 * @u:      ledger
 * @entity: 0 .. entities - 1
 * @t0:     seconds, >= 0
 * @t1:     seconds, >= @t0; may lie before the latest charge
 * @rate:   usage per second, >= 0
 *
 * Exact with windows; within @rate * (h * 2^-57 + 2^-62) with half-life h. An
 * empty interval or a rate of 0 changes nothing.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: O(1), windows O(depth).  Source: [MAUI 6.1.1].
 */
FAIR_USAGE_API int fair_usage_charge(struct fair_usage *u, uint32_t entity,
				     int64_t t0, int64_t t1, int64_t rate);

/**
 * fair_usage_charge_provisional() - charge a starting job its walltime limit.
 * @u:        ledger
 * @entity:   0 .. entities - 1
 * @rate:     usage per second, >= 0
 * @walltime: seconds, >= 0
 *
 * Adds @rate * @walltime, which does not decay, until the final charge.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: O(1).  Source: [MR 3.4].
 */
FAIR_USAGE_API int fair_usage_charge_provisional(struct fair_usage *u,
						 uint32_t entity, int64_t rate,
						 int64_t walltime);

/**
 * fair_usage_cancel_provisional() - remove a provisional charge.
 * @u:        ledger
 * @entity:   as provisionally charged
 * @rate:     as provisionally charged
 * @walltime: as provisionally charged
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if less is provisionally charged.
 * Complexity: O(1).
 */
FAIR_USAGE_API int fair_usage_cancel_provisional(struct fair_usage *u,
						 uint32_t entity, int64_t rate,
						 int64_t walltime);

/**
 * fair_usage_charge_final() - replace a provisional charge by the usage.
 * @u:        ledger
 * @entity:   as provisionally charged
 * @rate:     as provisionally charged
 * @walltime: as provisionally charged
 * @t0:       start of the job, seconds
 * @t1:       end of the job, seconds
 *
 * Does both of fair_usage_cancel_provisional() and fair_usage_charge(), or on
 * error neither.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if less is provisionally charged;
 * -FAIR_EOVERFLOW.
 * Complexity: O(1), windows O(depth).  Source: [MR 3.4].
 */
FAIR_USAGE_API int fair_usage_charge_final(struct fair_usage *u,
					   uint32_t entity, int64_t rate,
					   int64_t walltime, int64_t t0,
					   int64_t t1);

/**
 * fair_usage_growth_at() - F(t) of the manual, of a ledger with a half-life.
 * @t: seconds, >= 0
 *
 * For ledgers that charge differences of F themselves.
 *
 * Complexity: O(1).
 */
FAIR_USAGE_API struct fair_usage_growth
fair_usage_growth_at(const struct fair_usage *u, int64_t t);

/**
 * fair_usage_at() - usage at a time, provisional charges included.
 * @u:        ledger
 * @entity:   0 .. entities - 1, or FAIR_USAGE_TOTAL
 * @t:        seconds, not before this server's latest charge
 * @whole:    out: usage, whole part; untouched on error
 * @fraction: out: its fraction, in 2^-64; may be NULL; untouched on error
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(sources), windows O(sources * depth).  Source: [MAUI 6.1.2].
 */
FAIR_USAGE_API int fair_usage_at(const struct fair_usage *u, uint32_t entity,
				 int64_t t, uint64_t *whole,
				 uint64_t *fraction);

/**
 * fair_usage_charged() - what this server has charged, decayed.
 * @entity:   0 .. entities - 1, or FAIR_USAGE_TOTAL
 * @t:        seconds, not before this server's latest charge
 * @whole:    out: usage without provisional charges, whole part
 * @fraction: out: its fraction, in 2^-64
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(1), windows O(depth).
 */
FAIR_USAGE_API int fair_usage_charged(const struct fair_usage *u,
				      uint32_t entity, int64_t t,
				      uint64_t *whole, uint64_t *fraction);

/**
 * fair_usage_set() - set what fair_usage_charged() returns at @t.
 * @entity:   0 .. entities - 1
 * @t:        seconds, not before this server's latest charge
 * @whole:    usage, whole part, at most 2^59
 * @fraction: its fraction, in 2^-64; windows drop it
 *
 * With windows, all of it counts as used in the window of @t. With a half-life
 * it is exact within 2^-60 of it.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: O(1), windows O(depth).
 */
FAIR_USAGE_API int fair_usage_set(struct fair_usage *u, uint32_t entity,
				  int64_t t, uint64_t whole, uint64_t fraction);

/**
 * struct fair_usage_refund - usage that is taken back, for the caller's log.
 * @t:      when, seconds
 * @amount: usage, e.g. processor-seconds
 * @taken:  out: how much of it the entity had
 * @entity: whose
 * @reason: the caller's own number
 */
struct fair_usage_refund {
	int64_t t;
	uint64_t amount, taken;
	uint32_t entity, reason;
};

/**
 * fair_usage_credit() - take usage back, as far as this server charged it.
 * @credit: read, and @taken is set
 *
 * Half-life: usage decayed until @t. Windows: usage as it was charged, that of
 * the latest window first.
 *
 * Return: 0; -FAIR_EINVAL: no such entity, or @t is before this server's latest
 * charge. Complexity: O(1), windows O(depth).
 */
FAIR_USAGE_API int fair_usage_credit(struct fair_usage *u,
				     struct fair_usage_refund *credit);

/**
 * fair_usage_reset() - this server has charged nothing; provisional charges
 * stay.
 * @t: seconds, not before this server's latest charge
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(entities), windows times the depth.
 */
FAIR_USAGE_API int fair_usage_reset(struct fair_usage *u, int64_t t);

/**
 * fair_usage_change_rule() - usage decays otherwise from @t on.
 * @t:      seconds, not before the latest charge
 * @length: the half-life, 0 .. FAIR_USAGE_HALF_LIFE; windows: their seconds
 * @decay:  windows: factor per window, 0 .. FAIR_USAGE_ONE; half-life: 0
 *
 * Each entity keeps its usage of @t, as by fair_usage_set().
 *
 * Return: 0; -FAIR_EINVAL, also with several sources; -FAIR_EOVERFLOW.
 * Complexity: O(entities), windows times the depth.
 */
FAIR_USAGE_API int fair_usage_change_rule(struct fair_usage *u, int64_t t,
					  int64_t length, uint64_t decay);

/**
 * fair_usage_coarsen() - count in units twice as large, to make room.
 * @u: of a half-life, with one source
 *
 * Usage is halved, within 2^-64. Provisional charges are gone: make those of
 * the running jobs again, at the rates of the new unit.
 *
 * Return: 0; -FAIR_EINVAL. Complexity: O(entities).
 */
FAIR_USAGE_API int fair_usage_coarsen(struct fair_usage *u);

/**
 * fair_usage_extend() - copy a ledger, with more entities.
 * @copy:     out: untouched on error
 * @memory:   at least fair_usage_size() bytes, not @u's
 * @entities: at least as many as @u has; the new ones have used nothing
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ENOMEM.
 * Complexity: O(entities * sources), windows times the depth.
 */
FAIR_USAGE_API int fair_usage_extend(struct fair_usage *copy, void *memory,
				     size_t bytes, uint32_t entities,
				     const struct fair_usage *u);

/**
 * fair_usage_share() - an entity's percentage of the total usage.
 * @u:      ledger
 * @entity: 0 .. entities - 1
 * @t:      seconds, not before this server's latest charge
 * @points: out: 0 .. 100 percentage points, in 2^-20; untouched on error
 *
 * The quotient of two readings of fair_usage_at(), rounded to the nearest 2^-20
 * if both are integers below 2^37, else to it or its neighbour. 0 if the total
 * is 0.
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: as fair_usage_at().  Source: [MAUI 6.1.3].
 */
FAIR_USAGE_API int fair_usage_share(const struct fair_usage *u, uint32_t entity,
				    int64_t t, int64_t *points);

/**
 * fair_usage_delta() - FSDelta, the fairshare component of priority.
 * @target: target of the entity
 * @points: its share, as fair_usage_share() returns it
 *
 * Return: target - share in 2^-20 points; with a floor at least 0, with a
 * ceiling at most 0, with a cap 0, for a cap changes no priority.
 * Source: [MAUI 6.1.3, table 3].
 */
FAIR_USAGE_API int64_t fair_usage_delta(const struct fair_usage_target *target,
					int64_t points);

/**
 * fair_usage_is_eligible() - whether an entity is not over its cap.
 * @target: target of the entity
 * @points: its share, as fair_usage_share() returns it
 *
 * Return: false over a cap: its jobs may not start.  Source: [MAUI table 3].
 */
FAIR_USAGE_API bool
fair_usage_is_eligible(const struct fair_usage_target *target, int64_t points);

/**
 * fair_usage_changes() - how often this server has changed its charges.
 *
 * A server that restarts loads its checkpoint, merges what its peers have of
 * it, and makes the changes of its own log from this one on, counted from 0:
 * none is lost or made twice. An empty interval and a rate of 0 are no changes.
 */
FAIR_USAGE_API uint64_t fair_usage_changes(const struct fair_usage *u);

/**
 * fair_usage_merge() - add the charges of other servers.
 * @u:     ledger
 * @other: another server's, of the same entities and rule; not changed
 *
 * Afterwards @u has the newer state of each source that either had. Its own
 * source changes only if @other has a newer state of it, after a restart.
 *
 * Return: 0; -FAIR_EINVAL if entities or rule differ, or if two states of a
 * source differ but not their changes (two servers use one number);
 * -FAIR_ENOSPC for too many sources.
 * Complexity: O(entities * sources), windows times the depth.
 * Source: [MR 5], future work.
 */
FAIR_USAGE_API int fair_usage_merge(struct fair_usage *u,
				    const struct fair_usage *other);

/**
 * fair_usage_clone() - copy a ledger.
 * @copy:   out: the copy, independent of @u; untouched on error
 * @memory: at least fair_usage_size() bytes, not @u's
 * @bytes:  size of @memory
 * @u:      ledger
 *
 * Return: 0; -FAIR_ENOMEM.
 * Complexity: O(entities * sources), windows times the depth.
 */
FAIR_USAGE_API int fair_usage_clone(struct fair_usage *copy, void *memory,
				    size_t bytes, const struct fair_usage *u);

/**
 * fair_usage_checkpoint_size() - bytes that fair_usage_save() writes.
 * @u: ledger
 *
 * Return: bytes; 0 if they exceed a size_t.
 */
FAIR_USAGE_API size_t fair_usage_checkpoint_size(const struct fair_usage *u);

/**
 * fair_usage_save() - write a checkpoint that any machine can load.
 * @u:          ledger
 * @checkpoint: out: fair_usage_checkpoint_size() bytes; untouched on error
 * @bytes:      size of @checkpoint
 *
 * Return: 0; -FAIR_ENOSPC.
 * Complexity: O(bytes written).
 */
FAIR_USAGE_API int fair_usage_save(const struct fair_usage *u, void *checkpoint,
				   size_t bytes);

/**
 * fair_usage_load_size() - bytes of memory that fair_usage_load() needs.
 * @checkpoint: a checkpoint
 * @bytes:      size of @checkpoint
 *
 * Return: bytes; 0 if @checkpoint has another format or length.
 */
FAIR_USAGE_API size_t fair_usage_load_size(const void *checkpoint,
					   size_t bytes);

/**
 * fair_usage_load() - load a checkpoint.
 * @u:                out: ledger; untouched on error
 * @struct_size:      sizeof(struct fair_usage)
 * @memory:           at least fair_usage_load_size() bytes, not those of a
 *                    ledger; undefined on error
 * @memory_bytes:     size of @memory
 * @checkpoint:       a checkpoint
 * @checkpoint_bytes: size of @checkpoint
 * @damage:           out, may be NULL: enum fair_usage_damage, or 0
 *
 * Return: 0; -FAIR_EINVAL if @struct_size differs or, with @damage not 0, if
 * the checkpoint is damaged; -FAIR_ENOMEM.
 * Complexity: O(checkpoint_bytes).
 */
FAIR_USAGE_API int fair_usage_load(struct fair_usage *u, size_t struct_size,
				   void *memory, size_t memory_bytes,
				   const void *checkpoint,
				   size_t checkpoint_bytes, int *damage);

/**
 * fair_usage_reload() - a ledger takes the state of a checkpoint, and keeps its
 * memory.
 * @u:      of the same rule as the one that was saved and at least as many
 *          entities, with one source, 0
 * @latest: nothing was charged after it, seconds
 *
 * Return: 0; -FAIR_EINVAL if the checkpoint is damaged or of another ledger:
 * then @u is to be initialized again. Complexity: O(@checkpoint_bytes).
 */
FAIR_USAGE_API int fair_usage_reload(struct fair_usage *u, int64_t latest,
				     const void *checkpoint,
				     size_t checkpoint_bytes);

/**
 * fair_usage_check() - find the first broken invariant.
 * @u: ledger
 *
 * Return: 0, or 1 .. 7 for I1 .. I7.
 * Complexity: O(entities * sources), windows times the depth.
 */
FAIR_USAGE_API int fair_usage_check(const struct fair_usage *u);

FAIRSCHED_END_C
#endif /* FAIR_USAGE_H */

#if !defined(FAIR_USAGE_IMPLEMENTED) && (defined(FAIR_USAGE_IMPLEMENTATION) || \
					 defined(FAIRSCHED_IMPLEMENTATION))
#define FAIR_USAGE_IMPLEMENTED

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

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_NUMBERS
#define FAIRSCHED_SHARED_NUMBERS

/* An integer of 128 bits. */
struct fair_wide {
	uint64_t high, low;
};

static inline struct fair_wide fair_multiply(uint64_t a, uint64_t b)
{
	struct fair_wide product;
/* In WebAssembly this product would call the compiler's library. */
#if defined(__SIZEOF_INT128__) && !defined(__wasm__) && !defined(FAIR_NO_INT128)
	__extension__ typedef unsigned __int128 fair_uint128;
	fair_uint128 whole = (fair_uint128)a * b;

	product.high = (uint64_t)(whole >> 64);
	product.low = (uint64_t)whole;
#else
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
	uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t low = a0 * b0, cross = a0 * b1 + (low >> 32);
	/* Neither sum exceeds (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1. */
	uint64_t middle = a1 * b0 + (cross & UINT32_MAX);

	product.high = a1 * b1 + (cross >> 32) + (middle >> 32);
	product.low = middle << 32 | (low & UINT32_MAX);
#endif
	return product;
}

static inline bool fair_wide_less(struct fair_wide a, struct fair_wide b)
{
	return a.high != b.high ? a.high < b.high : a.low < b.low;
}
#endif /* FAIRSCHED_SHARED_NUMBERS */

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_DIVISION
#define FAIRSCHED_SHARED_DIVISION

static inline struct fair_wide fair_wide_add(struct fair_wide a, uint64_t b)
{
	a.low += b;
	a.high += a.low < b;
	return a;
}

/* 1 + the number of the highest set bit; 0 for 0. */
static inline int fair_bits(uint64_t a)
{
#if defined(__GNUC__) && !defined(FAIR_NO_INT128)
	return a ? 64 - __builtin_clzll(a) : 0;
#else
	int n = 0;

	for (; a; a >>= 1)
		n++;
	return n;
#endif
}

/*
 * One digit, of 32 bits, of a long division: rest * 2^32 + next by d, for
 * rest < d and d >= 2^63; @rest becomes the remainder. The estimate from the
 * upper half of d is never too small, and at most two too large (Knuth, TAOCP
 * 4.3.1, theorem B).
 */
static inline uint64_t fair_digit(uint64_t *rest, uint64_t next, uint64_t d)
{
	uint64_t digit = *rest / (d >> 32);
	uint64_t left = *rest % (d >> 32);

	while (digit > UINT32_MAX ||
	       digit * (d & UINT32_MAX) > (left << 32 | next)) {
		digit--;
		left += d >> 32;
		if (left > UINT32_MAX)
			break;
	}
	*rest = (*rest << 32) + next - digit * d; /* < d: right modulo 2^64 */
	return digit;
}

/* a / d, rounded down, and the rest; a.high < d */
static inline uint64_t fair_divide(struct fair_wide a, uint64_t d,
				   uint64_t *rest)
{
	int shift = 64 - fair_bits(d);
	uint64_t high;

	if (!a.high) {
		*rest = a.low % d;
		return a.low / d;
	}
	*rest = a.high << shift | a.low >> 1 >> (63 - shift);
	a.low <<= shift;
	d <<= shift;
	high = fair_digit(rest, a.low >> 32, d);
	a.low = high << 32 | fair_digit(rest, a.low & UINT32_MAX, d);
	*rest >>= shift;
	return a.low;
}
#endif /* FAIRSCHED_SHARED_DIVISION */

/* SHARED: these lines are the same in each header; the first one counts. */
#ifndef FAIRSCHED_SHARED_HASH
#define FAIRSCHED_SHARED_HASH

/* FNV-1a 64. */
static inline uint64_t fair_fnv(const unsigned char *p, size_t bytes)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (bytes--)
		hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
	return hash;
}

/* A word of 8 bytes, little-endian. */
static inline void fair_put_word(unsigned char *p, uint64_t word)
{
	int i;

	for (i = 0; i < 8; i++)
		p[i] = (unsigned char)(word >> 8 * i);
}

static inline uint64_t fair_get_word(const unsigned char *p)
{
	uint64_t word = 0;
	int i;

	for (i = 0; i < 8; i++)
		word |= (uint64_t)p[i] << 8 * i;
	return word;
}
#endif /* FAIRSCHED_SHARED_HASH */

FAIRSCHED_PROVIDE(FAIR_USAGE_API, fair_usage)

/* Usage and provisional charges of 16 sources stay below 2^64. */
#define FAIR_USAGE_LIMIT (UINT64_C(1) << 59)

/* A fixed-point number with 64 fraction bits. */
struct fair_usage_fixed {
	uint64_t whole, fraction;
};

/* 2^(i / 64) in 2^-63 and 2^(i / 4096) - 1 in 2^-64, to nearest. */
static const uint64_t fair_usage_coarse[64] = {
	0x8000000000000000, 0x8164d1f3bc030773, 0x82cd8698ac2ba1d7,
	0x843a28c3acde4046, 0x85aac367cc487b15, 0x871f61969e8d1010,
	0x88980e8092da8527, 0x8a14d575496efd9a, 0x8b95c1e3ea8bd6e7,
	0x8d1adf5b7e5ba9e6, 0x8ea4398b45cd53c0, 0x9031dc431466b1dc,
	0x91c3d373ab11c336, 0x935a2b2f13e6e92c, 0x94f4efa8fef70961,
	0x96942d3720185a00, 0x9837f0518db8a96f, 0x99e0459320b7fa65,
	0x9b8d39b9d54e5539, 0x9d3ed9a72cffb751, 0x9ef5326091a111ae,
	0xa0b0510fb9714fc2, 0xa27043030c496819, 0xa43515ae09e6809e,
	0xa5fed6a9b15138ea, 0xa7cd93b4e965356a, 0xa9a15ab4ea7c0ef8,
	0xab7a39b5a93ed337, 0xad583eea42a14ac6, 0xaf3b78ad690a4375,
	0xb123f581d2ac2590, 0xb311c412a9112489, 0xb504f333f9de6484,
	0xb6fd91e328d17791, 0xb8fbaf4762fb9ee9, 0xbaff5ab2133e45fb,
	0xbd08a39f580c36bf, 0xbf1799b67a731083, 0xc12c4cca66709456,
	0xc346ccda24976407, 0xc5672a115506dadd, 0xc78d74c8abb9b15d,
	0xc9b9bd866e2f27a3, 0xcbec14fef2727c5d, 0xce248c151f8480e4,
	0xd06333daef2b2595, 0xd2a81d91f12ae45a, 0xd4f35aabcfedfa1f,
	0xd744fccad69d6af4, 0xd99d15c278afd7b6, 0xdbfbb797daf23755,
	0xde60f4825e0e9124, 0xe0ccdeec2a94e111, 0xe33f8972be8a5a51,
	0xe5b906e77c8348a8, 0xe8396a503c4bdc68, 0xeac0c6e7dd24392f,
	0xed4f301ed9942b84, 0xefe4b99bdcdaf5cb, 0xf281773c59ffb13a,
	0xf5257d152486cc2c, 0xf7d0df730ad13bb9, 0xfa83b2db722a033a,
	0xfd3e0c0cf486c175,
};
static const uint64_t fair_usage_fine[64] = {
	0x0000000000000000, 0x000b175effdc76ba, 0x00162f3904051fa1,
	0x0021478e11ce6504, 0x002c605e2e8cec50, 0x003779a95f959612,
	0x0042936faa3d7df7, 0x004dadb113d9fad3, 0x0058c86da1c09ea2,
	0x0063e3a559473687, 0x006eff583fc3cad5, 0x007a1b865a8c9f0b,
	0x0085382faef831db, 0x00905554425d3d2b, 0x009b72f41a12b619,
	0x00a6910f3b6fccfa, 0x00b1afa5abcbed61, 0x00bcceb7707ebe1e,
	0x00c7ee448ee02143, 0x00d30e4d0c483425, 0x00de2ed0ee0f4f60,
	0x00e94fd0398e06d7, 0x00f4714af41d29b9, 0x00ff93412315c285,
	0x010ab5b2cbd11707, 0x0115d89ff3a8a861, 0x0120fc089ff63308,
	0x012c1fecd613aecc, 0x0137444c9b5b4ed5, 0x01426927f52781a9,
	0x014d8e7ee8d2f12f, 0x0158b4517bb882af, 0x0163da9fb33356d8,
	0x016f0169949ec9bf, 0x017a28af255672e2, 0x018550706ab6252e,
	0x019078ad6a19eeff, 0x019ba16628de1a22, 0x01a6ca9aac5f2bd9,
	0x01b1f44af9f9e4dc, 0x01bd1e77170b415e, 0x01c8491f08f0790e,
	0x01d37442d506ff19, 0x01de9fe280ac822d, 0x01e9cbfe113eec7e,
	0x01f4f8958c1c63c4, 0x020025a8f6a34941, 0x020b5338563239c4,
	0x02168143b0280da8, 0x0221afcb09e3d8db, 0x022cdece68c4eadc,
	0x02380e4dd22acec1, 0x02433e494b754b3b, 0x024e6ec0da046292,
	0x02599fb4833852ae, 0x0264d1244c719517, 0x027003103b10def8,
	0x027b357854772121, 0x0286685c9e05880b, 0x02919bbd1d1d7bd8,
	0x029ccf99d720a059, 0x02a803f2d170d50e, 0x02b338c811703529,
	0x02be6e199c811792,
};
#define FAIR_USAGE_LN2 0xb17217f7d1cf79ac     /* in 2^-64 */
#define FAIR_USAGE_INV_LN2 0xb8aa3b295c17f0bc /* 1 / ln 2, in 2^-63 */

static struct fair_usage_fixed fair_usage_add(struct fair_usage_fixed a,
					      struct fair_usage_fixed b)
{
	a.fraction += b.fraction;
	a.whole += b.whole + (a.fraction < b.fraction);
	return a;
}

static struct fair_usage_fixed fair_usage_sub(struct fair_usage_fixed a,
					      struct fair_usage_fixed b)
{
	a.whole -= b.whole + (a.fraction < b.fraction);
	a.fraction -= b.fraction;
	return a;
}

static bool fair_usage_is_less(struct fair_usage_fixed a,
			       struct fair_usage_fixed b)
{
	return a.whole != b.whole ? a.whole < b.whole : a.fraction < b.fraction;
}

/* a / 2^n */
static struct fair_usage_fixed fair_usage_shift(struct fair_usage_fixed a,
						uint64_t n)
{
	if (n >= 64) {
		a.fraction = n < 128 ? a.whole >> (n - 64) : 0;
		a.whole = 0;
	} else if (n) {
		a.fraction = a.whole << (64 - n) | a.fraction >> n;
		a.whole >>= n;
	}
	return a;
}

/* a * factor, factor in 2^-64 */
static struct fair_usage_fixed fair_usage_scale(struct fair_usage_fixed a,
						uint64_t factor)
{
	struct fair_wide whole = fair_multiply(a.whole, factor);
	struct fair_usage_fixed product = { whole.high, whole.low };
	struct fair_usage_fixed low = { 0, 0 };

	low.fraction = fair_multiply(a.fraction, factor).high;
	return fair_usage_add(product, low);
}

/* a * n; false if that exceeds the limit. */
static bool fair_usage_times(struct fair_usage_fixed *a, uint64_t n)
{
	struct fair_wide fraction = fair_multiply(a->fraction, n);
	struct fair_wide whole = fair_multiply(a->whole, n);

	/* The sum does not wrap: the carry is < 2^63, the rest <= 2^59. */
	if (whole.high || whole.low > FAIR_USAGE_LIMIT ||
	    whole.low + fraction.high > FAIR_USAGE_LIMIT)
		return false;
	a->fraction = fraction.low;
	a->whole = whole.low + fraction.high;
	return true;
}

/* rate * seconds; false if that exceeds the limit. */
static bool fair_usage_product(int64_t rate, int64_t seconds, uint64_t *product)
{
	struct fair_wide used =
		fair_multiply((uint64_t)rate, (uint64_t)seconds);

	if (used.high || used.low > FAIR_USAGE_LIMIT)
		return false;
	*product = used.low;
	return true;
}

/* 2^q in 2^-63 for q < 1 in 2^-64, with a relative error below 2^-61. */
static uint64_t fair_usage_exp2(uint64_t q)
{
	uint64_t coarse = fair_usage_coarse[q >> 58];
	uint64_t fine = fair_usage_fine[q >> 52 & 63];
	/* e^(z / 4096) - 1 = z / 2^12 + z^2 / 2^25 + ..., z in 2^-64 */
	uint64_t z = fair_multiply(q << 12, FAIR_USAGE_LN2).high;
	uint64_t z2 = fair_multiply(z, z).high;
	uint64_t z3 = (z2 >> 32) * (z >> 32) >> 34;
	uint64_t z4 = (z2 >> 48) * (z2 >> 48) >> 16;
	uint64_t tail = (z >> 12) + (z2 >> 25) + (uint32_t)(z3 + z4) / 24;

	/* coarse * (1 + fine) * (1 + tail) */
	tail += fine + fair_multiply(fine, tail).high;
	return coarse + fair_multiply(coarse, tail).high;
}

/* The period of a time, and its seconds since the begin of the period. */
static uint64_t fair_usage_period(const struct fair_usage *u, int64_t t,
				  uint64_t *into)
{
	uint64_t length = (uint64_t)u->length, rest;
	/*
	 * @inverse is less than 2^(64 + shift) / length by at most
	 * 1 + 1 / length, the quotient too small by at most t * 2 / 2^64 < 1,
	 * and its floor by 1.
	 */
	uint64_t p = fair_multiply((uint64_t)t, u->inverse).high >> u->shift;

	if (!length) {
		*into = 0;
		return 0;
	}
	rest = (uint64_t)t - p * length;
	if (rest >= length) {
		rest -= length;
		p++;
	}
	*into = rest;
	return p;
}

/* x / length in 2^-64, for x < length. */
static uint64_t fair_usage_ratio(const struct fair_usage *u, uint64_t x)
{
	struct fair_wide y = fair_multiply(x, u->inverse);

	/* With a length of 1, whose shift is 0, x is 0. */
	return u->shift ? y.high << (64 - u->shift) | y.low >> u->shift : 0;
}

/* 2^(-x / length) in 2^-64, x > 0 */
static uint64_t fair_usage_factor(const struct fair_usage *u, uint64_t x)
{
	/* The number of 2^(1 - x / length) in 2^-63 is the same. */
	return fair_usage_exp2(fair_usage_ratio(u, (uint64_t)u->length - x));
}

FAIR_USAGE_API struct fair_usage_growth
fair_usage_growth_at(const struct fair_usage *u, int64_t t)
{
	struct fair_usage_fixed f;
	struct fair_usage_growth m;
	struct fair_wide product;
	uint64_t x;

	m.t = t;
	m.period = fair_usage_period(u, t, &x);
	if (!u->length) {
		m.whole = (uint64_t)t;
		m.fraction = 0;
		return m;
	}
	product = fair_multiply(u->scale,
				fair_usage_exp2(fair_usage_ratio(u, x)));
	f.whole = product.high;
	f.fraction = product.low;
	/* The product has 63 + (62 - shift) fraction bits. */
	f = fair_usage_shift(f, 61 - u->shift);
	m.whole = f.whole;
	m.fraction = f.fraction;
	return m;
}

/* The same, from the cache if it is the last end. */
static struct fair_usage_growth
fair_usage_cached_growth(const struct fair_usage *u, int64_t t)
{
	return t == u->last.end.t ? u->last.end : fair_usage_growth_at(u, t);
}

/* The growth of V over [t0, end) at a rate of 1. */
static struct fair_usage_fixed
fair_usage_unit_charge(const struct fair_usage *u, int64_t t0,
		       const struct fair_usage_growth *end)
{
	struct fair_usage_growth start = fair_usage_cached_growth(u, t0);
	struct fair_usage_fixed before = { start.whole, start.fraction };
	struct fair_usage_fixed amount = { end->whole, end->fraction };

	/* Not negative: at least 1/2, for 2^(s / h) > 1/2 in the last second.
	 */
	before = fair_usage_shift(before, end->period - start.period);
	return fair_usage_sub(amount, before);
}

static void fair_usage_cache_span(struct fair_usage *u, int64_t t0,
				  const struct fair_usage_growth *end,
				  struct fair_usage_fixed unit)
{
	uint64_t x = (uint64_t)end->t - end->period * (uint64_t)u->length;

	u->last.from = t0;
	u->last.end = *end;
	u->last.whole = unit.whole;
	u->last.fraction = unit.fraction;
	u->last.factor = x && u->length ? fair_usage_factor(u, x) : 0;
}

static size_t fair_usage_stride(const struct fair_usage *u)
{
	return 2 + (u->depth ? u->depth : 2);
}

/* Row of an entity, or of the total: @entity == entities. */
static uint64_t *fair_usage_row(const struct fair_usage *u, uint32_t source,
				uint32_t entity)
{
	return u->row + (source * ((size_t)u->entities + 1) + entity) *
				fair_usage_stride(u);
}

/* Most usage of one window, so that all sum up to the limit. */
static uint64_t fair_usage_window_limit(const struct fair_usage *u)
{
	return FAIR_USAGE_LIMIT / u->depth;
}

/* Usage of a window, which is within the depth or later than the row. */
static uint64_t fair_usage_window_usage(const uint64_t *row, uint64_t window)
{
	return window <= row[0] ? row[2 + (row[0] - window)] : 0;
}

/* V of a row, scaled to its own period or a later one. */
static struct fair_usage_fixed fair_usage_aged(const uint64_t *row,
					       uint64_t period)
{
	struct fair_usage_fixed v = { row[2], row[3] };

	return period == row[0] ? v : fair_usage_shift(v, period - row[0]);
}

/* fair_usage_row() with a half-life, whose rows have 4 words. */
static uint64_t *fair_usage_half_life_row(const struct fair_usage *u,
					  uint32_t source, uint32_t entity)
{
	return u->row + (source * ((size_t)u->entities + 1) + entity) * 4;
}

FAIR_USAGE_API size_t fair_usage_size(uint32_t entities, uint32_t depth,
				      uint32_t sources)
{
	uint64_t one =
		((uint64_t)entities + 1) * (2 + (depth ? depth : 2)) * 8 +
		sizeof(struct fair_usage_source);

	if (!entities || entities == FAIR_USAGE_TOTAL ||
	    depth > FAIR_USAGE_DEPTH || !sources ||
	    sources > FAIR_USAGE_SOURCES || one > (SIZE_MAX - 63) / sources)
		return 0;
	return (size_t)one * sources + 63;
}

/* Lays out the memory and derives the fields that depend on the length. */
static void fair_usage_lay_out(struct fair_usage *u, void *memory)
{
	uint64_t length = (uint64_t)u->length, rest;
	struct fair_wide one;

	/* The first row begins a cache line. */
	u->row = (uint64_t *)(void *)((unsigned char *)memory +
				      (-(uintptr_t)memory & 63));
	u->source = (struct fair_usage_source *)(void *)fair_usage_row(
		u, u->sources_max, 0);
	for (u->shift = 0; length >> u->shift > 1;)
		u->shift++;
	one.high = (UINT64_C(1) << u->shift) - 1; /* below length */
	one.low = UINT64_MAX;
	u->inverse = length ? fair_divide(one, length, &rest) : 0;
	u->scale = fair_multiply(length << (63 - u->shift), FAIR_USAGE_INV_LN2)
			   .high;
	if (u->depth)
		return;
	FAIR_MEMSET(&u->last, 0, sizeof(u->last));
	u->last.end = fair_usage_growth_at(u, 0);
}

/* Whether usage may decay by this rule. */
static bool fair_usage_is_rule(uint32_t depth, int64_t length, uint64_t decay)
{
	return length >= (depth > 0) && decay <= (depth ? FAIR_USAGE_ONE : 0) &&
	       (depth || length <= FAIR_USAGE_HALF_LIFE);
}

static int fair_usage_init(struct fair_usage *u, size_t struct_size,
			   void *memory, size_t bytes, uint64_t id,
			   const struct fair_usage *rule)
{
	size_t size =
		fair_usage_size(rule->entities, rule->depth, rule->sources_max);

	if (!u || struct_size != sizeof(*u) || !size || !memory ||
	    !fair_usage_is_rule(rule->depth, rule->length, rule->decay))
		return -FAIR_EINVAL;
	if (bytes < size)
		return -FAIR_ENOMEM;
	*u = *rule;
	fair_usage_lay_out(u, memory);
	FAIR_MEMSET(u->row, 0, size - 63);
	u->sources = 1;
	u->source[0].id = id;
	return 0;
}

FAIR_USAGE_API int fair_usage_init_half_life(struct fair_usage *u,
					     size_t struct_size, void *memory,
					     size_t bytes, uint32_t entities,
					     uint32_t sources, uint64_t id,
					     int64_t half_life)
{
	struct fair_usage rule;

	FAIR_MEMSET(&rule, 0, sizeof(rule));
	rule.entities = entities;
	rule.sources_max = sources;
	rule.length = half_life;
	return fair_usage_init(u, struct_size, memory, bytes, id, &rule);
}

FAIR_USAGE_API int fair_usage_init_windows(struct fair_usage *u,
					   size_t struct_size, void *memory,
					   size_t bytes, uint32_t entities,
					   uint32_t sources, uint64_t id,
					   uint32_t depth, int64_t interval,
					   uint64_t decay)
{
	struct fair_usage rule;

	FAIR_MEMSET(&rule, 0, sizeof(rule));
	rule.entities = entities;
	rule.sources_max = sources;
	rule.depth = depth;
	rule.length = interval;
	rule.decay = decay;
	return depth ? fair_usage_init(u, struct_size, memory, bytes, id, &rule)
		     : -FAIR_EINVAL;
}

/* A row's V plus @amount at @period, scaled to the later of the periods. */
static struct fair_usage_fixed fair_usage_sum(const uint64_t *row,
					      uint64_t period,
					      struct fair_usage_fixed amount)
{
	if (row[0] <= period)
		return fair_usage_add(fair_usage_aged(row, period), amount);
	return fair_usage_add(fair_usage_aged(row, row[0]),
			      fair_usage_shift(amount, row[0] - period));
}

static void fair_usage_store(uint64_t *row, uint64_t period,
			   struct fair_usage_fixed v)
{
	if (row[0] < period)
		row[0] = period;
	row[2] = v.whole;
	row[3] = v.fraction;
}

static int fair_usage_charge_half_life(struct fair_usage *u, uint32_t entity,
				       int64_t t0, int64_t t1, int64_t rate)
{
	uint64_t *row = fair_usage_half_life_row(u, 0, entity);
	uint64_t *total = fair_usage_half_life_row(u, 0, u->entities);
	struct fair_usage_fixed unit = { u->last.whole, u->last.fraction };
	struct fair_usage_fixed amount, mine, all;
	struct fair_usage_growth end = fair_usage_cached_growth(u, t1);

	if (t0 != u->last.from || t1 != u->last.end.t)
		unit = fair_usage_unit_charge(u, t0, &end);
	amount = unit;
	if (!fair_usage_times(&amount, (uint64_t)rate))
		return -FAIR_EOVERFLOW;
	mine = fair_usage_sum(row, end.period, amount);
	all = fair_usage_sum(total, end.period, amount);
	/* By I7 a row may exceed the total by a fraction. */
	if (all.whole >= FAIR_USAGE_LIMIT || mine.whole >= FAIR_USAGE_LIMIT)
		return -FAIR_EOVERFLOW;
	fair_usage_store(row, end.period, mine);
	fair_usage_store(total, end.period, all);
	if (t1 != u->last.end.t)
		fair_usage_cache_span(u, t0, &end, unit);
	return 0;
}

/* Seconds of [t0, t1) in a window that they touch. */
static int64_t fair_usage_overlap(const struct fair_usage *u, int64_t t0,
				  int64_t t1, uint64_t window)
{
	int64_t start = (int64_t)window * u->length;

	if (t1 - start > u->length)
		t1 = start + u->length;
	return t1 - (t0 > start ? t0 : start);
}

/* Advances a row to a window. */
static void fair_usage_roll(const struct fair_usage *u, uint64_t *row,
			    uint64_t window)
{
	size_t n = u->depth;

	if (row[0] >= window)
		return;
	if (window - row[0] < n)
		n = (size_t)(window - row[0]);
	FAIR_MEMMOVE(row + 2 + n, row + 2, (u->depth - n) * sizeof(*row));
	FAIR_MEMSET(row + 2, 0, n * sizeof(*row));
	row[0] = window;
}

static int fair_usage_charge_windows(struct fair_usage *u, uint32_t entity,
				     int64_t t0, int64_t t1, int64_t rate)
{
	uint64_t *row = fair_usage_row(u, 0, entity);
	uint64_t *total = fair_usage_row(u, 0, u->entities);
	uint64_t limit = fair_usage_window_limit(u), into, amount, w;
	uint64_t last = fair_usage_period(u, t1, &into);
	uint64_t first = fair_usage_period(u, t0, &into);
	uint64_t newest = total[0] > last ? total[0] : last;

	/* Windows out of the depth of the newest are never read again. */
	if (newest - first >= u->depth)
		first = newest - u->depth + 1;
	for (w = first; w <= last; w++)
		if (!fair_usage_product(rate, fair_usage_overlap(u, t0, t1, w),
					&amount) ||
		    amount + fair_usage_window_usage(total, w) > limit)
			return -FAIR_EOVERFLOW;
	fair_usage_roll(u, row, last);
	fair_usage_roll(u, total, last);
	for (w = first; w <= last; w++) {
		amount = (uint64_t)rate *
			 (uint64_t)fair_usage_overlap(u, t0, t1, w);
		/* Both are within the depth: by I4, row[0] <= total[0]. */
		row[2 + (row[0] - w)] += amount;
		total[2 + (total[0] - w)] += amount;
	}
	return 0;
}

static void fair_usage_note_change(struct fair_usage *u, int64_t t)
{
	if (u->source[0].clock < t)
		u->source[0].clock = t;
	if (u->latest < t)
		u->latest = t;
	u->source[0].changes++;
}

FAIR_USAGE_API int fair_usage_charge(struct fair_usage *u, uint32_t entity,
				     int64_t t0, int64_t t1, int64_t rate)
{
	int error;

	if (entity >= u->entities || t0 < 0 || t1 < t0 || rate < 0)
		return -FAIR_EINVAL;
	if (t0 == t1 || !rate)
		return 0;
	if (u->depth)
		error = fair_usage_charge_windows(u, entity, t0, t1, rate);
	else
		error = fair_usage_charge_half_life(u, entity, t0, t1, rate);
	if (!error)
		fair_usage_note_change(u, t1);
	return error;
}

FAIR_USAGE_API int fair_usage_charge_provisional(struct fair_usage *u,
						 uint32_t entity, int64_t rate,
						 int64_t walltime)
{
	uint64_t *total = fair_usage_row(u, 0, u->entities);
	uint64_t amount;

	if (entity >= u->entities || rate < 0 || walltime < 0)
		return -FAIR_EINVAL;
	if (!fair_usage_product(rate, walltime, &amount) ||
	    amount + total[1] > FAIR_USAGE_LIMIT)
		return -FAIR_EOVERFLOW;
	fair_usage_row(u, 0, entity)[1] += amount;
	total[1] += amount;
	u->source[0].changes++;
	return 0;
}

FAIR_USAGE_API int fair_usage_cancel_provisional(struct fair_usage *u,
						 uint32_t entity, int64_t rate,
						 int64_t walltime)
{
	uint64_t *row, amount;

	if (entity >= u->entities || rate < 0 || walltime < 0)
		return -FAIR_EINVAL;
	row = fair_usage_row(u, 0, entity);
	if (!fair_usage_product(rate, walltime, &amount) || amount > row[1])
		return -FAIR_ERANGE;
	row[1] -= amount;
	fair_usage_row(u, 0, u->entities)[1] -= amount;
	u->source[0].changes++;
	return 0;
}

FAIR_USAGE_API int fair_usage_charge_final(struct fair_usage *u,
					   uint32_t entity, int64_t rate,
					   int64_t walltime, int64_t t0,
					   int64_t t1)
{
	uint64_t amount;
	int error;

	if (entity >= u->entities || rate < 0 || walltime < 0)
		return -FAIR_EINVAL;
	if (!fair_usage_product(rate, walltime, &amount) ||
	    amount > fair_usage_row(u, 0, entity)[1])
		return -FAIR_ERANGE;
	error = fair_usage_charge(u, entity, t0, t1, rate);
	return error ? error
		     : fair_usage_cancel_provisional(u, entity, rate, walltime);
}

/* Decayed sum of the windows up to @newest, by Horner's rule. */
static struct fair_usage_fixed
fair_usage_windows(const struct fair_usage *u, uint32_t entity, uint64_t newest)
{
	struct fair_usage_fixed sum = { 0, 0 };
	uint32_t n = u->depth, s;

	while (n--) {
		/* sum * decay / 2^32, in two steps to allow a decay of 1 */
		if (u->decay != FAIR_USAGE_ONE)
			sum = fair_usage_scale(sum, u->decay << 32);
		if (newest < n)
			continue;
		for (s = 0; s < u->sources; s++)
			sum.whole += fair_usage_window_usage(
				fair_usage_row(u, s, entity), newest - n);
	}
	return sum;
}

static struct fair_usage_fixed fair_usage_decayed(const struct fair_usage *u,
						  uint32_t entity, int64_t t)
{
	uint64_t period = u->last.end.period, factor = u->last.factor;
	struct fair_usage_fixed v = { 0, 0 };
	uint64_t provisional = 0, into;
	uint32_t s;

	if (t != u->last.end.t) {
		period = fair_usage_period(u, t, &into);
		factor = into ? fair_usage_factor(u, into) : 0;
	}
	for (s = 0; s < u->sources; s++) {
		const uint64_t *row = fair_usage_half_life_row(u, s, entity);

		provisional += row[1];
		v = fair_usage_add(v, fair_usage_aged(row, period));
	}
	if (factor)
		v = fair_usage_scale(v, factor);
	v.whole += provisional;
	return v;
}

/* Usage and provisional charges of an entity, over all sources. */
static struct fair_usage_fixed fair_usage_effective(const struct fair_usage *u,
						    uint32_t entity, int64_t t)
{
	struct fair_usage_fixed v;
	uint64_t into;
	uint32_t s;

	if (t < u->latest)
		t = u->latest;
	if (!u->depth)
		return fair_usage_decayed(u, entity, t);
	v = fair_usage_windows(u, entity, fair_usage_period(u, t, &into));
	for (s = 0; s < u->sources; s++)
		v.whole += fair_usage_row(u, s, entity)[1];
	return v;
}

FAIR_USAGE_API int fair_usage_at(const struct fair_usage *u, uint32_t entity,
				 int64_t t, uint64_t *whole, uint64_t *fraction)
{
	struct fair_usage_fixed v;

	if ((entity >= u->entities && entity != FAIR_USAGE_TOTAL) ||
	    t < u->source[0].clock)
		return -FAIR_EINVAL;
	if (entity == FAIR_USAGE_TOTAL)
		entity = u->entities;
	v = fair_usage_effective(u, entity, t);
	*whole = v.whole;
	if (fraction)
		*fraction = v.fraction;
	return 0;
}

FAIR_USAGE_API int fair_usage_share(const struct fair_usage *u, uint32_t entity,
				    int64_t t, int64_t *points)
{
	const uint64_t all = 100 * (uint64_t)FAIR_USAGE_POINT;
	struct fair_usage_fixed mine, total;
	uint64_t n = 0, step, share;

	if (entity >= u->entities || t < u->source[0].clock)
		return -FAIR_EINVAL;
	mine = fair_usage_effective(u, entity, t);
	total = fair_usage_effective(u, u->entities, t);
	/*
	 * Shift until the total has at most 37 bits: this changes a share by
	 * 2^-35, 2^-8 of its last place, and 37 + 27 bits do not overflow.
	 */
	for (step = 64; step; step /= 2)
		if (fair_usage_shift(total, n + step).whole ||
		    fair_usage_shift(total, n + step).fraction >> 36)
			n += step;
	total = fair_usage_shift(total, n);
	if (!total.fraction) {
		*points = 0;
		return 0;
	}
	share = (fair_usage_shift(mine, n).fraction * all +
		 total.fraction / 2) /
		total.fraction;
	/* By I7 a row of a half-life ledger may exceed the total. */
	*points = (int64_t)(share < all ? share : all);
	return 0;
}

/* CHANGES OF A RUNNING LEDGER */

/* What source 0 has charged, of an entity or of all: @entity == entities. */
static struct fair_usage_fixed fair_usage_own(const struct fair_usage *u,
					      uint32_t entity, int64_t t)
{
	struct fair_usage own = *u;
	struct fair_usage_fixed v;

	own.sources = 1;
	own.latest = u->source[0].clock;
	v = fair_usage_effective(&own, entity, t);
	v.whole -= fair_usage_row(u, 0, entity)[1];
	return v;
}

FAIR_USAGE_API int fair_usage_charged(const struct fair_usage *u,
				      uint32_t entity, int64_t t,
				      uint64_t *whole, uint64_t *fraction)
{
	struct fair_usage_fixed v;

	if ((entity >= u->entities && entity != FAIR_USAGE_TOTAL) ||
	    t < u->source[0].clock)
		return -FAIR_EINVAL;
	v = fair_usage_own(u, entity < u->entities ? entity : u->entities, t);
	*whole = v.whole;
	*fraction = v.fraction;
	return 0;
}

/* V of usage @v that is read @x seconds after the begin of its period. */
static struct fair_usage_fixed fair_usage_scaled(const struct fair_usage *u,
						 struct fair_usage_fixed v,
						 uint64_t x)
{
	return fair_usage_scale(fair_usage_add(v, v),
				fair_usage_exp2(fair_usage_ratio(u, x)));
}

static int fair_usage_set_half_life(struct fair_usage *u, uint32_t entity,
				    int64_t t, struct fair_usage_fixed v)
{
	uint64_t *row = fair_usage_row(u, 0, entity);
	uint64_t *total = fair_usage_row(u, 0, u->entities), x;
	uint64_t period = fair_usage_period(u, t, &x);
	struct fair_usage_fixed was, all, none = { 0, 0 };

	v = fair_usage_scaled(u, v, x);
	was = fair_usage_aged(row, period);
	all = fair_usage_aged(total, period);
	/* By I7 a row may exceed the total by a fraction. */
	all = fair_usage_is_less(all, was) ? none : fair_usage_sub(all, was);
	all = fair_usage_add(all, v);
	if (v.whole >= FAIR_USAGE_LIMIT || all.whole >= FAIR_USAGE_LIMIT)
		return -FAIR_EOVERFLOW;
	fair_usage_store(row, period, v);
	fair_usage_store(total, period, all);
	return 0;
}

/* Roll a row and the total to the window of @t. */
static void fair_usage_roll_both(struct fair_usage *u, uint32_t entity,
				 int64_t t)
{
	uint64_t into, window = fair_usage_period(u, t, &into);

	fair_usage_roll(u, fair_usage_row(u, 0, entity), window);
	fair_usage_roll(u, fair_usage_row(u, 0, u->entities), window);
}

/* Take usage back, of the latest windows first; return what is missing. */
static uint64_t fair_usage_take_windows(struct fair_usage *u, uint32_t entity,
					int64_t t, uint64_t amount)
{
	uint64_t *row = fair_usage_row(u, 0, entity);
	uint64_t *total = fair_usage_row(u, 0, u->entities), taken;
	uint32_t n;

	fair_usage_roll_both(u, entity, t);
	for (n = 0; n < u->depth; n++) {
		taken = amount < row[2 + n] ? amount : row[2 + n];
		row[2 + n] -= taken;
		total[2 + n] -= taken;
		amount -= taken;
	}
	return amount;
}

static int fair_usage_set_windows(struct fair_usage *u, uint32_t entity,
				  int64_t t, uint64_t whole)
{
	uint64_t *total = fair_usage_row(u, 0, u->entities), into;
	uint64_t window = fair_usage_period(u, t, &into);
	uint64_t others =
		fair_usage_window_usage(total, window) -
		fair_usage_window_usage(fair_usage_row(u, 0, entity), window);

	if (whole > fair_usage_window_limit(u) - others)
		return -FAIR_EOVERFLOW;
	(void)fair_usage_take_windows(u, entity, t, UINT64_MAX);
	fair_usage_row(u, 0, entity)[2] = whole;
	total[2] += whole;
	return 0;
}

FAIR_USAGE_API int fair_usage_set(struct fair_usage *u, uint32_t entity,
				  int64_t t, uint64_t whole, uint64_t fraction)
{
	struct fair_usage_fixed v = { whole, fraction };
	int error;

	if (entity >= u->entities || t < u->source[0].clock ||
	    whole > FAIR_USAGE_LIMIT)
		return -FAIR_EINVAL;
	error = u->depth ? fair_usage_set_windows(u, entity, t, whole)
			 : fair_usage_set_half_life(u, entity, t, v);
	if (!error)
		fair_usage_note_change(u, t);
	return error;
}

FAIR_USAGE_API int fair_usage_credit(struct fair_usage *u,
				     struct fair_usage_refund *credit)
{
	struct fair_usage_fixed v, none = { 0, 0 }, amount = { 0, 0 };

	if (credit->entity >= u->entities || credit->t < u->source[0].clock)
		return -FAIR_EINVAL;
	credit->taken = credit->amount;
	if (!credit->amount)
		return 0;
	if (u->depth) {
		credit->taken -= fair_usage_take_windows(
			u, credit->entity, credit->t, credit->amount);
	} else {
		amount.whole = credit->amount;
		v = fair_usage_own(u, credit->entity, credit->t);
		if (fair_usage_is_less(v, amount))
			credit->taken = v.whole;
		v = fair_usage_is_less(v, amount) ? none
						  : fair_usage_sub(v, amount);
		fair_must(fair_usage_set_half_life(u, credit->entity, credit->t,
						   v));
	}
	fair_usage_note_change(u, credit->t);
	return 0;
}

FAIR_USAGE_API int fair_usage_reset(struct fair_usage *u, int64_t t)
{
	uint32_t e;

	if (t < u->source[0].clock)
		return -FAIR_EINVAL;
	for (e = 0; e <= u->entities; e++)
		FAIR_MEMSET(fair_usage_row(u, 0, e) + 2, 0,
			    (fair_usage_stride(u) - 2) * sizeof(*u->row));
	fair_usage_note_change(u, t);
	return 0;
}

/* A row with all of its usage in one period. */
static void fair_usage_refill(const struct fair_usage *u, uint64_t *row,
			      uint64_t period, struct fair_usage_fixed v)
{
	FAIR_MEMSET(row + 2, 0, (fair_usage_stride(u) - 2) * sizeof(*row));
	row[0] = period;
	row[2] = v.whole;
	if (!u->depth)
		row[3] = v.fraction;
}

/* The usage of @was at @t by the rule of @u, whose rows are the same. */
static void fair_usage_transform(struct fair_usage *u,
				 const struct fair_usage *was, int64_t t)
{
	uint64_t x, period = fair_usage_period(u, t, &x);
	struct fair_usage_fixed v, all = { 0, 0 };
	uint32_t e;

	for (e = 0; e < u->entities; e++) {
		v = fair_usage_own(was, e, t);
		if (u->depth)
			v.fraction = 0;
		else
			v = fair_usage_scaled(u, v, x);
		fair_usage_refill(u, fair_usage_row(u, 0, e), period, v);
		all = fair_usage_add(all, v);
	}
	fair_usage_refill(u, fair_usage_row(u, 0, u->entities), period, all);
}

FAIR_USAGE_API int fair_usage_change_rule(struct fair_usage *u, int64_t t,
					  int64_t length, uint64_t decay)
{
	struct fair_usage was = *u;
	uint64_t limit = FAIR_USAGE_LIMIT / 4;

	if (t < u->latest || u->sources > 1 ||
	    !fair_usage_is_rule(u->depth, length, decay))
		return -FAIR_EINVAL;
	if (u->depth)
		limit = fair_usage_window_limit(u);
	/* V is at most twice the usage. */
	if (fair_usage_own(u, u->entities, t).whole >= limit)
		return -FAIR_EOVERFLOW;
	u->length = length;
	u->decay = decay;
	fair_usage_lay_out(u, u->row);
	fair_usage_transform(u, &was, t);
	fair_usage_note_change(u, t);
	return 0;
}

FAIR_USAGE_API int fair_usage_coarsen(struct fair_usage *u)
{
	uint64_t *total = fair_usage_row(u, 0, u->entities), *row;
	struct fair_usage_fixed v, all = { 0, 0 };
	uint32_t e;

	if (u->depth || u->sources > 1)
		return -FAIR_EINVAL;
	for (e = 0; e < u->entities; e++) {
		row = fair_usage_row(u, 0, e);
		row[1] = 0;
		v = fair_usage_shift(fair_usage_aged(row, total[0]), 1);
		fair_usage_refill(u, row, total[0], v);
		all = fair_usage_add(all, v);
	}
	total[1] = 0;
	fair_usage_refill(u, total, total[0], all);
	fair_usage_note_change(u, u->source[0].clock);
	return 0;
}

FAIR_USAGE_API int64_t fair_usage_delta(const struct fair_usage_target *target,
					int64_t points)
{
	int64_t delta = target->points - points;

	if (target->kind == FAIR_USAGE_CAP ||
	    (target->kind == FAIR_USAGE_FLOOR && delta < 0) ||
	    (target->kind == FAIR_USAGE_CEILING && delta > 0))
		return 0;
	return delta;
}

FAIR_USAGE_API bool
fair_usage_is_eligible(const struct fair_usage_target *target, int64_t points)
{
	return target->kind != FAIR_USAGE_CAP || points <= target->points;
}

/* Bytes of one source's rows. */
static size_t fair_usage_rows_bytes(const struct fair_usage *u)
{
	return ((size_t)u->entities + 1) * fair_usage_stride(u) *
	       sizeof(*u->row);
}

/* Index of a source; @sources if there is none. */
static uint32_t fair_usage_find_source(const struct fair_usage *u, uint64_t id)
{
	uint32_t s = 0;

	while (s < u->sources && u->source[s].id != id)
		s++;
	return s;
}

/* Whether the states of a source differ, but not their changes. */
static bool fair_usage_has_conflict(const struct fair_usage *u, uint32_t mine,
				    const struct fair_usage *other,
				    uint32_t its)
{
	const struct fair_usage_source *a = &u->source[mine];
	const struct fair_usage_source *b = &other->source[its];
	size_t words = fair_usage_rows_bytes(u) / sizeof(*u->row);

	if (a->changes != b->changes)
		return false;
	while (words && fair_usage_row(u, mine, 0)[words - 1] ==
				fair_usage_row(other, its, 0)[words - 1])
		words--;
	return words || a->clock != b->clock;
}

FAIR_USAGE_API uint64_t fair_usage_changes(const struct fair_usage *u)
{
	return u->source[0].changes;
}

FAIR_USAGE_API int fair_usage_merge(struct fair_usage *u,
				    const struct fair_usage *other)
{
	uint32_t s, mine, unknown = 0;

	if (u->entities != other->entities || u->depth != other->depth ||
	    u->length != other->length || u->decay != other->decay)
		return -FAIR_EINVAL;
	for (s = 0; s < other->sources; s++) {
		mine = fair_usage_find_source(u, other->source[s].id);
		if (mine == u->sources)
			unknown++;
		else if (fair_usage_has_conflict(u, mine, other, s))
			return -FAIR_EINVAL;
	}
	if (unknown > u->sources_max - u->sources)
		return -FAIR_ENOSPC;
	for (s = 0; s < other->sources; s++) {
		mine = fair_usage_find_source(u, other->source[s].id);
		if (mine == u->sources)
			u->sources++;
		else if (u->source[mine].changes >= other->source[s].changes)
			continue;
		u->source[mine] = other->source[s];
		FAIR_MEMCPY(fair_usage_row(u, mine, 0),
			    fair_usage_row(other, s, 0),
			    fair_usage_rows_bytes(u));
		if (u->latest < u->source[mine].clock)
			u->latest = u->source[mine].clock;
	}
	return 0;
}

FAIR_USAGE_API int fair_usage_extend(struct fair_usage *copy, void *memory,
				     size_t bytes, uint32_t entities,
				     const struct fair_usage *u)
{
	size_t row = fair_usage_stride(u) * sizeof(*u->row);
	struct fair_usage c = *u;
	size_t size = fair_usage_size(entities, u->depth, u->sources_max);
	uint32_t s;

	if (entities < u->entities || !size)
		return -FAIR_EINVAL;
	if (bytes < size)
		return -FAIR_ENOMEM;
	c.entities = entities;
	fair_usage_lay_out(&c, memory);
	c.last = u->last;
	FAIR_MEMSET(c.row, 0, fair_usage_rows_bytes(&c) * u->sources);
	for (s = 0; s < u->sources; s++) {
		FAIR_MEMCPY(fair_usage_row(&c, s, 0), fair_usage_row(u, s, 0),
			    u->entities * row);
		FAIR_MEMCPY(fair_usage_row(&c, s, entities),
			    fair_usage_row(u, s, u->entities), row);
	}
	FAIR_MEMCPY(c.source, u->source, sizeof(*u->source) * u->sources);
	*copy = c;
	return 0;
}

FAIR_USAGE_API int fair_usage_clone(struct fair_usage *copy, void *memory,
				    size_t bytes, const struct fair_usage *u)
{
	struct fair_usage c = *u;

	if (bytes < fair_usage_size(u->entities, u->depth, u->sources_max))
		return -FAIR_ENOMEM;
	fair_usage_lay_out(&c, memory);
	FAIR_MEMCPY(c.row, u->row, fair_usage_rows_bytes(u) * u->sources);
	FAIR_MEMCPY(c.source, u->source, sizeof(*u->source) * u->sources);
	*copy = c;
	return 0;
}

/* Words of a checkpoint's header, and its first two. */
#define FAIR_USAGE_HEADER 8
#define FAIR_USAGE_MAGIC 0x6567617372696166 /* "fairsage" */
#define FAIR_USAGE_VERSION 1

FAIR_USAGE_API size_t fair_usage_checkpoint_size(const struct fair_usage *u)
{
	uint64_t rows = ((uint64_t)u->entities + 1) * fair_usage_stride(u);
	uint64_t words = FAIR_USAGE_HEADER + u->sources * (rows + 3) + 1;

	return words <= SIZE_MAX / 8 ? (size_t)words * 8 : 0;
}

FAIR_USAGE_API int fair_usage_save(const struct fair_usage *u, void *checkpoint,
				   size_t bytes)
{
	const uint64_t header[FAIR_USAGE_HEADER] = {
		FAIR_USAGE_MAGIC,    FAIR_USAGE_VERSION, u->entities, u->depth,
		(uint64_t)u->length, u->decay,		 u->sources_max,
		u->sources
	};
	size_t size = fair_usage_checkpoint_size(u), i;
	size_t words = fair_usage_rows_bytes(u) / sizeof(*u->row);
	unsigned char *p = (unsigned char *)checkpoint;
	uint32_t s;

	if (!size || bytes < size)
		return -FAIR_ENOSPC;
	for (i = 0; i < FAIR_USAGE_HEADER; i++, p += 8)
		fair_put_word(p, header[i]);
	for (s = 0; s < u->sources; s++) {
		fair_put_word(p, u->source[s].id);
		fair_put_word(p + 8, u->source[s].changes);
		fair_put_word(p + 16, (uint64_t)u->source[s].clock);
		p += 24;
		for (i = 0; i < words; i++, p += 8)
			fair_put_word(p, fair_usage_row(u, s, 0)[i]);
	}
	fair_put_word(p, fair_fnv((unsigned char *)checkpoint, size - 8));
	return 0;
}

/* Reads the rule and the number of sources. */
static int fair_usage_load_header(struct fair_usage *u, const unsigned char *p,
				  size_t bytes)
{
	uint64_t word[FAIR_USAGE_HEADER];
	int i;

	if (bytes < 16)
		return FAIR_USAGE_CUT;
	if (fair_get_word(p) != FAIR_USAGE_MAGIC)
		return FAIR_USAGE_FOREIGN;
	if (fair_get_word(p + 8) != FAIR_USAGE_VERSION)
		return FAIR_USAGE_FORMAT;
	if (bytes < (FAIR_USAGE_HEADER + 1) * 8)
		return FAIR_USAGE_CUT;
	for (i = 2; i < FAIR_USAGE_HEADER; i++)
		word[i] = fair_get_word(p + 8 * i);
	if (word[2] > UINT32_MAX || word[3] > FAIR_USAGE_DEPTH ||
	    word[4] > INT64_MAX || word[6] > FAIR_USAGE_SOURCES)
		return FAIR_USAGE_BROKEN;
	FAIR_MEMSET(u, 0, sizeof(*u));
	u->entities = (uint32_t)word[2];
	u->depth = (uint32_t)word[3];
	u->length = (int64_t)word[4];
	u->decay = word[5];
	u->sources_max = (uint32_t)word[6];
	u->sources = (uint32_t)word[7];
	if (!fair_usage_is_rule(u->depth, u->length, u->decay) || !u->sources ||
	    word[7] > word[6] || !u->entities || u->entities == UINT32_MAX)
		return FAIR_USAGE_BROKEN;
	return fair_usage_checkpoint_size(u) == bytes ? 0 : FAIR_USAGE_CUT;
}

FAIR_USAGE_API size_t fair_usage_load_size(const void *checkpoint, size_t bytes)
{
	struct fair_usage u;

	if (fair_usage_load_header(&u, (const unsigned char *)checkpoint,
				   bytes))
		return 0;
	return fair_usage_size(u.entities, u.depth, u.sources_max);
}

/* Reads the sources and their rows; false if an invariant is broken. */
static bool fair_usage_load_sources(struct fair_usage *u,
				    const unsigned char *p)
{
	size_t words = fair_usage_rows_bytes(u) / sizeof(*u->row), i;
	uint32_t s;

	for (s = 0; s < u->sources; s++) {
		u->source[s].id = fair_get_word(p);
		u->source[s].changes = fair_get_word(p + 8);
		u->source[s].clock = (int64_t)fair_get_word(p + 16);
		if (u->latest < u->source[s].clock)
			u->latest = u->source[s].clock;
		p += 24;
		for (i = 0; i < words; i++, p += 8)
			fair_usage_row(u, s, 0)[i] = fair_get_word(p);
	}
	return fair_usage_check(u) == 0;
}

FAIR_USAGE_API int fair_usage_load(struct fair_usage *u, size_t struct_size,
				   void *memory, size_t memory_bytes,
				   const void *checkpoint,
				   size_t checkpoint_bytes, int *damage)
{
	const unsigned char *p = (const unsigned char *)checkpoint;
	struct fair_usage x;
	size_t size;
	int broken;

	if (damage)
		*damage = 0;
	if (struct_size != sizeof(*u))
		return -FAIR_EINVAL;
	broken = fair_usage_load_header(&x, p, checkpoint_bytes);
	if (!broken && fair_get_word(p + checkpoint_bytes - 8) !=
			       fair_fnv(p, checkpoint_bytes - 8))
		broken = FAIR_USAGE_CHECKSUM;
	if (!broken) {
		size = fair_usage_size(x.entities, x.depth, x.sources_max);
		if (!size || memory_bytes < size)
			return -FAIR_ENOMEM;
		fair_usage_lay_out(&x, memory);
		if (!fair_usage_load_sources(&x, p + 8 * FAIR_USAGE_HEADER))
			broken = FAIR_USAGE_BROKEN;
	}
	if (damage)
		*damage = broken;
	if (broken)
		return -FAIR_EINVAL;
	*u = x;
	return 0;
}

/* Make room for @entities in the memory of a ledger with one source. */
static void fair_usage_widen(struct fair_usage *u, uint32_t entities)
{
	size_t row = fair_usage_stride(u) * sizeof(*u->row);
	struct fair_usage_source source = u->source[0];
	uint64_t *total = fair_usage_row(u, 0, u->entities);
	uint32_t was = u->entities;

	u->entities = entities;
	fair_usage_lay_out(u, u->row);
	FAIR_MEMMOVE(fair_usage_row(u, 0, entities), total, row);
	FAIR_MEMSET(total, 0, (entities - was) * row);
	u->source[0] = source;
}

FAIR_USAGE_API int fair_usage_reload(struct fair_usage *u, int64_t latest,
				     const void *checkpoint,
				     size_t checkpoint_bytes)
{
	size_t bytes = fair_usage_size(u->entities, u->depth, u->sources_max);
	size_t size = fair_usage_load_size(checkpoint, checkpoint_bytes);
	struct fair_usage x;

	if (!size || size > bytes ||
	    fair_usage_load(&x, sizeof(x), u->row, bytes, checkpoint,
			    checkpoint_bytes, NULL) ||
	    x.entities > u->entities || x.depth != u->depth ||
	    x.length != u->length || x.decay != u->decay ||
	    x.sources_max != u->sources_max || x.source[0].id ||
	    x.latest > latest)
		return -FAIR_EINVAL;
	fair_usage_widen(&x, u->entities);
	*u = x;
	return 0;
}

static bool fair_usage_has_valid_cache(const struct fair_usage *u)
{
	const struct fair_usage_span *last = &u->last;
	struct fair_usage v = *u;
	struct fair_usage_growth end;

	if (u->depth)
		return true;
	if (last->from < 0 || last->end.t < last->from)
		return false;
	v.last.end.t = -1; /* the cache is not used */
	end = fair_usage_growth_at(&v, last->end.t);
	fair_usage_cache_span(&v, last->from, &end,
			      fair_usage_unit_charge(&v, last->from, &end));
	return last->end.period == end.period && last->end.whole == end.whole &&
	       last->end.fraction == end.fraction &&
	       last->whole == v.last.whole &&
	       last->fraction == v.last.fraction &&
	       last->factor == v.last.factor;
}

/* I1 */
static bool fair_usage_has_valid_rule(const struct fair_usage *u)
{
	struct fair_usage v = *u;

	if (!fair_usage_size(u->entities, u->depth, u->sources_max) ||
	    !fair_usage_is_rule(u->depth, u->length, u->decay))
		return false;
	fair_usage_lay_out(&v, u->row);
	return v.row == u->row && v.source == u->source &&
	       v.inverse == u->inverse && v.scale == u->scale &&
	       v.shift == u->shift && fair_usage_has_valid_cache(u);
}

/* I2 */
static bool fair_usage_has_valid_sources(const struct fair_usage *u)
{
	uint32_t s;

	if (!u->sources || u->sources > u->sources_max)
		return false;
	for (s = 0; s < u->sources; s++)
		if (fair_usage_find_source(u, u->source[s].id) != s)
			return false;
	return true;
}

/* I3 */
static bool fair_usage_has_valid_clocks(const struct fair_usage *u)
{
	int64_t latest = 0;
	uint32_t s;

	for (s = 0; s < u->sources; s++) {
		if (u->source[s].clock < 0)
			return false;
		if (u->source[s].clock > latest)
			latest = u->source[s].clock;
	}
	return u->latest == latest;
}

/* I4, I5 of one row */
static int fair_usage_row_check(const struct fair_usage *u, const uint64_t *row,
				uint64_t newest)
{
	uint32_t n;

	if (row[0] > newest)
		return 4;
	if (row[1] > FAIR_USAGE_LIMIT)
		return 5;
	for (n = 0; n < u->depth; n++)
		if (row[2 + n] > fair_usage_window_limit(u))
			return 5;
	return !u->depth && row[2] > FAIR_USAGE_LIMIT ? 5 : 0;
}

/* I6 */
static bool fair_usage_has_valid_provisional(const struct fair_usage *u,
					     uint32_t source)
{
	uint64_t rest = fair_usage_row(u, source, u->entities)[1];
	uint32_t e;

	for (e = 0; e < u->entities; e++) {
		if (fair_usage_row(u, source, e)[1] > rest)
			return false;
		rest -= fair_usage_row(u, source, e)[1];
	}
	return !rest;
}

/* I7, windows */
static bool fair_usage_has_valid_windows(const struct fair_usage *u,
					 uint32_t source)
{
	const uint64_t *total = fair_usage_row(u, source, u->entities);
	uint64_t rest, used;
	uint32_t n, e;

	for (n = 0; n < u->depth && n <= total[0]; n++) {
		rest = total[2 + n];
		for (e = 0; e < u->entities; e++) {
			used = fair_usage_window_usage(
				fair_usage_row(u, source, e), total[0] - n);
			if (used > rest)
				return false;
			rest -= used;
		}
		if (rest)
			return false;
	}
	return true;
}

/*
 * I7, half-life. A charge is shifted once for its row and once for the total,
 * each of which loses less than 2^-64; so does shifting a row to the total's
 * period here.
 */
static bool fair_usage_has_valid_total(const struct fair_usage *u,
				       uint32_t source)
{
	const uint64_t *total = fair_usage_row(u, source, u->entities);
	struct fair_usage_fixed v = fair_usage_aged(total, total[0]);
	struct fair_usage_fixed sum = { 0, 0 };
	uint64_t slack = u->source[source].changes;
	uint32_t e;

	for (e = 0; e < u->entities; e++) {
		sum = fair_usage_add(
			sum, fair_usage_aged(fair_usage_row(u, source, e),
					     total[0]));
		/* The sum of 2^32 rows could wrap. */
		if (sum.whole > 2 * FAIR_USAGE_LIMIT)
			return false;
	}
	slack = slack < UINT64_MAX / 4 ? 2 * slack + u->entities : UINT64_MAX;
	v = fair_usage_is_less(v, sum) ? fair_usage_sub(sum, v)
				       : fair_usage_sub(v, sum);
	return !v.whole && v.fraction <= slack;
}

static int fair_usage_source_check(const struct fair_usage *u, uint32_t s)
{
	uint64_t into, *total = fair_usage_row(u, s, u->entities);
	uint64_t newest = fair_usage_period(u, u->source[s].clock, &into);
	int broken = fair_usage_row_check(u, total, newest);
	uint32_t e;

	for (e = 0; e < u->entities && !broken; e++)
		broken = fair_usage_row_check(u, fair_usage_row(u, s, e),
					      total[0]);
	if (broken)
		return broken;
	if (!fair_usage_has_valid_provisional(u, s))
		return 6;
	if (!(u->depth ? fair_usage_has_valid_windows(u, s)
		       : fair_usage_has_valid_total(u, s)))
		return 7;
	return 0;
}

FAIR_USAGE_API int fair_usage_check(const struct fair_usage *u)
{
	int broken = 0;
	uint32_t s;

	if (!fair_usage_has_valid_rule(u))
		return 1;
	if (!fair_usage_has_valid_sources(u))
		return 2;
	if (!fair_usage_has_valid_clocks(u))
		return 3;
	for (s = 0; s < u->sources && !broken; s++)
		broken = fair_usage_source_check(u, s);
	return broken;
}
#endif /* FAIR_USAGE_IMPLEMENTED */

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
