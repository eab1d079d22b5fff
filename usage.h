/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * usage.h - who has used how much: a decayed usage ledger
 *
 * In ONE file:  #define FAIR_USAGE_IMPLEMENTATION
 *               #include "usage.h"
 *
 * A ledger holds the usage of n entities of one kind (users, or groups, or
 * accounts, classes, QoS) and its total. It forgets in one of two ways:
 *
 *   half-life h                        windows of I seconds, depth 3, decay d
 *
 *   weight 1        ____ now           weight 1              ______ now
 *              ___--                           d       ______|
 *      1/2 _---                              d*d ______|
 *     _---                                0 _____|
 *     |    h   |   h   |                         |  I  |  I  |  I  |
 *
 * Depth 1 is the plain window that starts again from 0 at floor(t / I) * I
 * [RS]; one window of INT64_MAX seconds never forgets.
 *
 * EXAMPLE
 *   struct fair_usage u;
 *   static unsigned char memory[4096];
 *   int64_t points;                         // 2^-20 percentage points
 *
 *   fair_usage_init_half_life(&u, sizeof(u), memory, sizeof(memory),
 *                             10, 1, 1, 7 * 86400);
 *   fair_usage_hold(&u, 3, 64, 3600);       // user 3: 64 procs, at most 1 h
 *   fair_usage_settle(&u, 3, 64, 3600, 1000, 2800);   // it took half of that
 *   fair_usage_charge(&u, 4, 1000, 2800, 192);
 *   fair_usage_share(&u, 3, 90000, &points);          // 25 << 20: 64 : 192
 *
 * WHAT COUNTS. Each charge puts a rate r on [t0, t1): processors, or any other
 * integer weight. Usage at t >= t1 is
 *
 *   half-life  sum r * integral from t0 to t1 of 2^((s - t) / h) ds
 *   windows    sum over n < depth of used(floor(t / I) - n) * d^n
 *
 * plus what is held: a job that starts is charged its walltime limit [MR 3.4],
 * which is undecayed until the job ends and is then replaced by what it used.
 * Held amounts are integers kept apart from the rest, so that a cancelled job
 * leaves nothing behind, whatever was charged meanwhile. To charge running jobs
 * as time passes instead [MAUI 6.1.1], hold nothing and charge [last, now).
 *
 * READING changes nothing, and a charge is decayed from when it was made, not
 * from when it was last looked at: the result does not depend on who reads how
 * often, nor on restarts.
 *
 * TWO SERVERS. Every ledger has a source number and counts its own changes; it
 * may carry what up to FAIR_USAGE_SOURCES - 1 others had charged as well.
 * fair_usage_merge() takes, of each source, the state with more changes: a
 * maximum, so merges commute, associate and may be repeated. Readings sum over
 * the sources. Only its own server charges a source. One that comes back from
 * an old image must merge its own state from a peer before it charges anew.
 * Clocks need not agree: a reading before a peer's last charge is made at it.
 *
 * UNITS       seconds >= 0, [t0, t1); usage: rate * seconds, a whole part and
 *             a fraction in 2^-64; shares and targets: percentage points in
 *             2^-20; decay in 2^-32 (FAIR_USAGE_ONE is 1)
 * ERRORS      0 or -FAIR_E...; on error nothing changed. -FAIR_EINVAL a bad
 *             argument, -FAIR_ENOMEM, -FAIR_ENOSPC too little room,
 *             -FAIR_ERANGE more is released than is held, -FAIR_EOVERFLOW
 *             a total above 2^59
 * MEMORY      the caller's, fair_usage_size() bytes: for each source 32 bytes
 *             an entity, or 16 + 8 * depth with windows
 * THREADS     const calls may run concurrently
 * COMPLEXITY  O(1), windows O(depth); reading times the sources carried;
 *             init, clone, merge, save, load, check O(entities)
 * DEFINES     FAIR_USAGE_API, FAIR_ASSERT, FAIRSCHED_STATIC; FAIR_NO_INT128
 *             does without unsigned __int128: same results
 * INVARIANTS  I1 the rule is one that init makes, and what it implies
 *             I2 1 <= sources <= sources_max; their numbers differ
 *             I3 0 <= a source's clock <= latest, and one is equal
 *             I4 a row's period <= its total's <= that of the source's clock
 *             I5 amounts and held are at most 2^59 (a window: 2^59 / depth)
 *             I6 a total's held is the sum of the rows'
 *             I7 so is its usage: windows exactly, half-life within
 *                (2 changes + entities) * 2^-64
 *
 * FIXED POINT, half-life. Time is cut into periods of h seconds: t = p h + x,
 * 0 <= x < h. A row keeps V, the usage as it would be at the start of its
 * period p if growth, not decay, had brought it there:
 *
 *   usage(t') = V * 2^-(p' - p) * 2^(-x' / h)           t' = p' h + x'
 *
 * so that aging by whole periods is a shift, all rows share the factor of a
 * reading, and a charge adds the difference of one function at its two ends:
 *
 *   V += r * (F(t1) - F(t0) * 2^-(p1 - p0))      F(t) = h / ln 2 * 2^(x / h)
 *
 * Within a period charges [a, b) and [b, c) therefore add to [a, c) exactly.
 *
 * ERROR BOUND. Call u = 2^-64; all but table roundings are truncations.
 *   x / h      by the reciprocal inv, 2^(64+s) / h - 1 - 1 / h <= inv <
 *              2^(64+s) / h with 2^s <= h < 2^(s+1): off by less than
 *              x (1 + 1 / h) 2^-s u < 2 u, and u by the shift; the exponent
 *              y = x / h ln 2 by 2.1 u
 *   2^(x / h)  = coarse[6 bits] * (1 + fine[6 bits]) * e^z, z < ln 2 / 4096:
 *              coarse is off by u, fine by u / 2, e^z by 3.2 u, four terms cut
 *              and z^5 / 120 < 0.03 u left out; the products by u and 2 u.
 *              8 u, with y 11 u. h / ln 2 is off by 4 u, F cut to u.
 *   So F is off by less than 16 u F + u < h 2^-58 + u, since F < 2.89 h, and
 *              a charge by less than r * (h 2^-57 + 2^-62) at t1, 2 u for the
 *              shifts included; decay only shrinks that. A reading is off by
 *              12 u of its value and (sources + 2) u of its own:
 *
 *   |fair_usage_at() - usage(t)| < sum over charges r (h 2^-57 + 2^-62)
 *                                  + usage(t) 2^-60 + (sources + 2) 2^-64
 *
 *   With h = 1 week that is 2^-37 processor-seconds a processor and charge.
 * Windows are integers, exact. The sum over n is Horner's, each step truncated:
 *   0 <= usage(t) - fair_usage_at() < depth * 2^-64, and no error at depth 1.
 *
 * IMAGE       64-bit little-endian words: magic, format, entities, depth,
 *             length, decay, sources_max, sources; of each source its number,
 *             changes, clock and rows; FNV-1a 64 of all before. Each step of
 *             FNV-1a is a bijection, so any one changed byte is found.
 *
 * SOURCES     [MAUI] Jackson, Snell & Clement, JSSPP 2001, 6: windows, targets
 *             [MR] Klusacek & Rudova, JSSPP 2014, 3.4 and 5: holds, servers
 *             [RS] Vasupongayya, relative fair share, 2009, II-B: plain windows
 */
#ifndef FAIR_USAGE_H
#define FAIR_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAIRSCHED_VERSION 100

#define FAIR_ENOMEM 12
#define FAIR_EINVAL 22
#define FAIR_ENOSPC 28
#define FAIR_ERANGE 34
#define FAIR_EOVERFLOW 75

#ifndef FAIR_USAGE_API
#ifndef FAIRSCHED_STATIC
#define FAIR_USAGE_API extern
#elif defined(__GNUC__)
#define FAIR_USAGE_API static __attribute__((unused))
#else
#define FAIR_USAGE_API static
#endif
#endif

/* 1 in the fixed point of decay. */
#define FAIR_USAGE_ONE (UINT64_C(1) << 32)
/* One percentage point of shares and targets. */
#define FAIR_USAGE_POINT (INT64_C(1) << 20)
/* Sources a ledger can carry. */
#define FAIR_USAGE_SOURCES 16
/* Bounds of a rule. */
#define FAIR_USAGE_HALF_LIFE (INT64_C(1) << 32) /* 136 years */
#define FAIR_USAGE_DEPTH 1024
/* As an entity: the total. */
#define FAIR_USAGE_ALL UINT32_MAX

#ifdef __cplusplus
extern "C" {
#endif

/* Named by every unit: an implementation of another version does not link. */
FAIR_USAGE_API int fair_usage_version_100(void);
#if defined(__has_attribute) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
static int (*const fair_usage_linked)(void)
	__attribute__((used, retain)) = fair_usage_version_100;
#endif
#endif

/**
 * struct fair_usage_source - one server's part of a ledger.
 * @id:      number of the server
 * @changes: of this part since its first init; the newer state has more
 * @clock:   seconds, the latest end of a charge
 */
struct fair_usage_source {
	uint64_t id, changes;
	int64_t clock;
};

/**
 * struct fair_usage_mark - a time, as half-life charges and readings see it.
 * @t:        seconds
 * @period:   that it is in
 * @whole:    F(t), whole part
 * @fraction: the rest, in 2^-64
 */
struct fair_usage_mark {
	int64_t t;
	uint64_t period, whole, fraction;
};

/**
 * struct fair_usage_span - the interval of the last half-life charge: jobs that
 * run on are charged for the same one, and the next one begins where it ends.
 * @from:     its begin, seconds
 * @end:      its end
 * @whole:    what V grows by at a rate of 1, whole part
 * @fraction: the rest, in 2^-64
 * @factor:   2^(-x / h) at the end, in 2^-64; 0 where x is 0
 */
struct fair_usage_span {
	int64_t from;
	struct fair_usage_mark end;
	uint64_t whole, fraction, factor;
};

/**
 * struct fair_usage - a ledger; its fields are not for the caller.
 * @row:     for each source entities + 1 rows, the last one the total. A row:
 *           period, held, then used[n] of n windows ago, or V: whole, fraction
 * @source:  [0] is this server
 * @length:  seconds of a period: half-life or window
 * @inverse: with @shift, the reciprocal of @length
 * @scale:   half-life: @length / ln 2, with as many fraction bits as it takes
 * @decay:   per window, in 2^-32
 * @latest:  of the clocks
 * @last:    half-life: to be found again
 * @depth:   windows; 0: half-life
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
	FAIR_USAGE_TARGET,  /* `50`: raise below it, lower above it */
	FAIR_USAGE_FLOOR,   /* `40+`: raise below it */
	FAIR_USAGE_CEILING, /* `10-`: lower above it */
	FAIR_USAGE_CAP	    /* `15^`: above it do not start */
};

/**
 * struct fair_usage_target - a share to be delivered.
 * @points: percentage points, in 2^-20
 */
struct fair_usage_target {
	int64_t points;
	enum fair_usage_kind kind;
};

/* Why an image was refused. */
enum fair_usage_damage {
	FAIR_USAGE_FOREIGN = 1, /* it does not begin like one */
	FAIR_USAGE_FORMAT,	/* a format of another version */
	FAIR_USAGE_CUT,		/* not of the length that its header implies */
	FAIR_USAGE_CHECKSUM,	/* changed since it was saved */
	FAIR_USAGE_BROKEN	/* no ledger has such contents */
};

/**
 * fair_usage_size() - bytes of memory that a ledger needs.
 * @entities: number of entities, 1 .. UINT32_MAX - 1
 * @depth:    windows, 1 .. FAIR_USAGE_DEPTH; 0 for half-life
 * @sources:  servers whose usage it can carry, 1 .. FAIR_USAGE_SOURCES
 *
 * Return: bytes, whatever the alignment; 0 for a bad argument or on overflow.
 */
FAIR_USAGE_API size_t fair_usage_size(uint32_t entities, uint32_t depth,
				      uint32_t sources);

/**
 * fair_usage_init_half_life() - an empty ledger that decays by half-lives.
 * @u:           ledger
 * @struct_size: sizeof(struct fair_usage)
 * @memory:      at least fair_usage_size(@entities, 0, @sources) bytes
 * @bytes:       size of @memory
 * @entities:    number of entities
 * @sources:     servers whose usage it can carry
 * @id:          number of this server
 * @half_life:   seconds, 1 .. FAIR_USAGE_HALF_LIFE
 *
 * Return: 0; -FAIR_EINVAL, also for a half-life of 0; -FAIR_ENOMEM.
 * Complexity: O(entities * sources).
 */
FAIR_USAGE_API int fair_usage_init_half_life(struct fair_usage *u,
					     size_t struct_size, void *memory,
					     size_t bytes, uint32_t entities,
					     uint32_t sources, uint64_t id,
					     int64_t half_life);

/**
 * fair_usage_init_windows() - an empty ledger that decays by windows.
 * @u:           ledger
 * @struct_size: sizeof(struct fair_usage)
 * @memory:      at least fair_usage_size(@entities, @depth, @sources) bytes
 * @bytes:       size of @memory
 * @entities:    number of entities
 * @sources:     servers whose usage it can carry
 * @id:          number of this server
 * @depth:       windows that count (FSDEPTH), 1 .. FAIR_USAGE_DEPTH
 * @interval:    seconds of a window (FSINTERVAL), >= 1; they begin at its
 *               multiples
 * @decay:       weight from window to window (FSDECAY), 0 .. FAIR_USAGE_ONE
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
 * Exact in windows, within @rate * (h * 2^-57 + 2^-62) with half-life h. An
 * empty interval or a rate of 0 changes nothing.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: O(1), windows O(depth).  Source: [MAUI 6.1.1].
 */
FAIR_USAGE_API int fair_usage_charge(struct fair_usage *u, uint32_t entity,
				     int64_t t0, int64_t t1, int64_t rate);

/**
 * fair_usage_hold() - charge a job that starts with its walltime limit.
 * @u:        ledger
 * @entity:   0 .. entities - 1
 * @rate:     usage per second, >= 0
 * @walltime: seconds, >= 0
 *
 * Counts @rate * @walltime, undecayed, until it is settled or released.
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_EOVERFLOW.
 * Complexity: O(1).  Source: [MR 3.4].
 */
FAIR_USAGE_API int fair_usage_hold(struct fair_usage *u, uint32_t entity,
				   int64_t rate, int64_t walltime);

/**
 * fair_usage_release() - take a hold back: the job never ran.
 * @u:        ledger
 * @entity:   as it was held
 * @rate:     as it was held
 * @walltime: as it was held
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if less is held.
 * Complexity: O(1).
 */
FAIR_USAGE_API int fair_usage_release(struct fair_usage *u, uint32_t entity,
				      int64_t rate, int64_t walltime);

/**
 * fair_usage_settle() - replace a hold by what the job used.
 * @u:        ledger
 * @entity:   as it was held
 * @rate:     as it was held
 * @walltime: as it was held
 * @t0:       seconds, when the job started
 * @t1:       seconds, when it ended
 *
 * Both or, on error, neither of fair_usage_release() and fair_usage_charge().
 *
 * Return: 0; -FAIR_EINVAL; -FAIR_ERANGE if less is held; -FAIR_EOVERFLOW.
 * Complexity: O(1), windows O(depth).  Source: [MR 3.4].
 */
FAIR_USAGE_API int fair_usage_settle(struct fair_usage *u, uint32_t entity,
				     int64_t rate, int64_t walltime, int64_t t0,
				     int64_t t1);

/**
 * fair_usage_at() - effective usage at a time, what is held included.
 * @u:        ledger
 * @entity:   0 .. entities - 1, or FAIR_USAGE_ALL
 * @t:        seconds, not before this server's latest charge
 * @whole:    out: usage, whole part; untouched on error
 * @fraction: out: the rest, in 2^-64; may be NULL; untouched on error
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: O(sources), windows O(sources * depth).  Source: [MAUI 6.1.2].
 */
FAIR_USAGE_API int fair_usage_at(const struct fair_usage *u, uint32_t entity,
				 int64_t t, uint64_t *whole,
				 uint64_t *fraction);

/**
 * fair_usage_share() - an entity's percentage of the delivered total.
 * @u:      ledger
 * @entity: 0 .. entities - 1
 * @t:      seconds, not before this server's latest charge
 * @points: out: 0 .. 100 percentage points, in 2^-20; untouched on error
 *
 * To the nearest 2^-20 of the exact quotient of what fair_usage_at() gives, or
 * its neighbour; the nearest if these are integers below 2^37. 0 if nobody used
 * anything.
 *
 * Return: 0; -FAIR_EINVAL.
 * Complexity: as fair_usage_at().  Source: [MAUI 6.1.3].
 */
FAIR_USAGE_API int fair_usage_share(const struct fair_usage *u, uint32_t entity,
				    int64_t t, int64_t *points);

/**
 * fair_usage_parse_target() - read `50`, `40+`, `10.5-` or `15^`.
 * @text:   percentage points, 0 .. 100, at most 9 digits after the point
 * @target: out: untouched on error
 *
 * Return: 0; -FAIR_EINVAL if @text is anything else.
 */
FAIR_USAGE_API int fair_usage_parse_target(const char *text,
					   struct fair_usage_target *target);

/**
 * fair_usage_delta() - FSDelta: by how much priority is to favour an entity.
 * @target: its target
 * @points: its share, as fair_usage_share() gives it
 *
 * Return: target - share in 2^-20 points; at a floor never below 0, at a
 * ceiling never above 0, at a cap 0: it bars jobs and moves none.
 * Source: [MAUI 6.1.3, table 3].
 */
FAIR_USAGE_API int64_t fair_usage_delta(const struct fair_usage_target *target,
					int64_t points);

/**
 * fair_usage_eligible() - whether a cap lets an entity's jobs start.
 * @target: its target
 * @points: its share, as fair_usage_share() gives it
 *
 * Return: false above a cap, else true.  Source: [MAUI table 3].
 */
FAIR_USAGE_API bool fair_usage_eligible(const struct fair_usage_target *target,
					int64_t points);

/**
 * fair_usage_merge() - learn what other servers have charged.
 * @u:     ledger
 * @other: another server's, of the same entities and rule; not changed
 *
 * Afterwards @u has, of each source that either had, the newer state. Its own
 * part changes only if @other has a newer state of that: after a restart.
 *
 * Return: 0; -FAIR_EINVAL if entities or rule differ, or if two states of one
 * source with as many changes do (two servers use one number); -FAIR_ENOSPC
 * for too many sources.
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
 * fair_usage_image_size() - bytes that fair_usage_save() writes.
 * @u: ledger
 *
 * Return: bytes; 0 if they are too many for a size_t.
 */
FAIR_USAGE_API size_t fair_usage_image_size(const struct fair_usage *u);

/**
 * fair_usage_save() - write a ledger as bytes that any machine can load.
 * @u:     ledger
 * @image: out: fair_usage_image_size() bytes; untouched on error
 * @bytes: size of @image
 *
 * Return: 0; -FAIR_ENOSPC.
 * Complexity: O(bytes written).
 */
FAIR_USAGE_API int fair_usage_save(const struct fair_usage *u, void *image,
				   size_t bytes);

/**
 * fair_usage_load_size() - bytes of memory that loading an image needs.
 * @image: bytes that fair_usage_save() wrote
 * @bytes: how many
 *
 * Return: bytes; 0 for what is no image of this length and format.
 */
FAIR_USAGE_API size_t fair_usage_load_size(const void *image, size_t bytes);

/**
 * fair_usage_load() - a ledger from an image.
 * @u:            out: ledger; untouched on error
 * @struct_size:  sizeof(struct fair_usage)
 * @memory:       at least fair_usage_load_size() bytes, not in use by a ledger;
 *                its contents are undefined on error
 * @memory_bytes: size of @memory
 * @image:        bytes that fair_usage_save() wrote
 * @image_bytes:  how many
 * @damage:       out, may be NULL: why the image was refused, else 0
 *
 * Return: 0; -FAIR_EINVAL if @struct_size differs or, with @damage not 0, if
 * the image is damaged; -FAIR_ENOMEM.
 * Complexity: O(image_bytes).
 */
FAIR_USAGE_API int fair_usage_load(struct fair_usage *u, size_t struct_size,
				   void *memory, size_t memory_bytes,
				   const void *image, size_t image_bytes,
				   int *damage);

/**
 * fair_usage_check() - the first broken invariant.
 * @u: ledger
 *
 * Return: 0, or 1 .. 7 for I1 .. I7.
 * Complexity: O(entities * sources), windows times the depth.
 */
FAIR_USAGE_API int fair_usage_check(const struct fair_usage *u);

#ifdef __cplusplus
}
#endif
#endif /* FAIR_USAGE_H */

#if defined(FAIRSCHED_IMPLEMENTATION) && !defined(FAIR_USAGE_IMPLEMENTATION)
#define FAIR_USAGE_IMPLEMENTATION
#endif
#if defined(FAIR_USAGE_IMPLEMENTATION) && !defined(FAIR_USAGE_IMPLEMENTED)
#define FAIR_USAGE_IMPLEMENTED

#ifndef FAIR_ASSERT
#if defined(__GNUC__)
#define FAIR_ASSERT(x) ((x) ? (void)0 : __builtin_trap())
#else
#include <stdlib.h>
#define FAIR_ASSERT(x) ((x) ? (void)0 : abort())
#endif
#endif
#ifndef FAIR_MEMCPY
#if defined(__GNUC__)
#define FAIR_MEMCPY __builtin_memcpy
#define FAIR_MEMMOVE __builtin_memmove
#define FAIR_MEMSET __builtin_memset
#define FAIR_MEMCMP __builtin_memcmp
#else
#include <string.h>
#define FAIR_MEMCPY memcpy
#define FAIR_MEMMOVE memmove
#define FAIR_MEMSET memset
#define FAIR_MEMCMP memcmp
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

FAIR_USAGE_API int fair_usage_version_100(void)
{
	return FAIRSCHED_VERSION;
}

/* 16 sources of it, usage and held, stay below 2^64. */
#define FAIR_USAGE_LIMIT (UINT64_C(1) << 59)

/* A number of 128 bits, 64 of them behind the point. */
struct fair_usage_fixed {
	uint64_t whole, fraction;
};

/* To nearest: 2^(i / 64) in 2^-63, 2^(i / 4096) - 1 in 2^-64. */
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

/* Returns the low half of a product. */
static uint64_t fair_usage_mul(uint64_t a, uint64_t b, uint64_t *high)
{
/* A product of wasm would be a call to the compiler's library. */
#if defined(__SIZEOF_INT128__) && !defined(__wasm__) && \
	!defined(FAIR_NO_INT128)
	__extension__ typedef unsigned __int128 fair_usage_uint128;
	fair_usage_uint128 product = (fair_usage_uint128)a * b;

	*high = (uint64_t)(product >> 64);
	return (uint64_t)product;
#else
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
	uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t low = a0 * b0, cross = a0 * b1 + (low >> 32);
	/* Neither sum passes (2^32 - 1)^2 + 2 (2^32 - 1) = 2^64 - 1. */
	uint64_t middle = a1 * b0 + (cross & UINT32_MAX);

	*high = a1 * b1 + (cross >> 32) + (middle >> 32);
	return middle << 32 | (low & UINT32_MAX);
#endif
}

static uint64_t fair_usage_mul_high(uint64_t a, uint64_t b)
{
	uint64_t high;

	fair_usage_mul(a, b, &high);
	return high;
}

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

static bool fair_usage_less(struct fair_usage_fixed a,
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
	struct fair_usage_fixed low, product;

	low.whole = 0;
	low.fraction = fair_usage_mul_high(a.fraction, factor);
	product.fraction = fair_usage_mul(a.whole, factor, &product.whole);
	return fair_usage_add(product, low);
}

/* a * n; false if that is beyond the limit. */
static bool fair_usage_times(struct fair_usage_fixed *a, uint64_t n)
{
	uint64_t carry, high;
	uint64_t fraction = fair_usage_mul(a->fraction, n, &carry);
	uint64_t whole = fair_usage_mul(a->whole, n, &high);

	/* Of carry < 2^63 and whole <= 2^59 the sum does not wrap. */
	if (high || whole > FAIR_USAGE_LIMIT ||
	    whole + carry > FAIR_USAGE_LIMIT)
		return false;
	a->fraction = fraction;
	a->whole = whole + carry;
	return true;
}

/* rate * seconds; false if that is beyond the limit. */
static bool fair_usage_product(int64_t rate, int64_t seconds, uint64_t *product)
{
	uint64_t high, low;

	low = fair_usage_mul((uint64_t)rate, (uint64_t)seconds, &high);
	if (high || low > FAIR_USAGE_LIMIT)
		return false;
	*product = low;
	return true;
}

/* 2^q in 2^-63 for q < 1 in 2^-64; off by less than 8 * 2^-64 of it. */
static uint64_t fair_usage_exp2(uint64_t q)
{
	uint64_t coarse = fair_usage_coarse[q >> 58];
	uint64_t fine = fair_usage_fine[q >> 52 & 63];
	/* e^(z / 4096) - 1 = z / 2^12 + z^2 / 2^25 + ..., z in 2^-64 */
	uint64_t z = fair_usage_mul_high(q << 12, FAIR_USAGE_LN2);
	uint64_t z2 = fair_usage_mul_high(z, z);
	uint64_t z3 = (z2 >> 32) * (z >> 32) >> 34;
	uint64_t z4 = (z2 >> 48) * (z2 >> 48) >> 16;
	uint64_t tail = (z >> 12) + (z2 >> 25) + (uint32_t)(z3 + z4) / 24;

	/* coarse * (1 + fine) * (1 + tail) */
	tail += fine + fair_usage_mul_high(fine, tail);
	return coarse + fair_usage_mul_high(coarse, tail);
}

/* The period of a time, and how far into it that is. */
static uint64_t fair_usage_period(const struct fair_usage *u, int64_t t,
				  uint64_t *into)
{
	uint64_t length = (uint64_t)u->length, rest;
	/*
	 * @inverse is low by at most 1 + 1 / length of 2^(64 + shift) / length,
	 * so the quotient by t * 2 / 2^64 < 1 at most, and its floor by 1.
	 */
	uint64_t p = fair_usage_mul_high((uint64_t)t, u->inverse) >> u->shift;

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
	uint64_t high, low = fair_usage_mul(x, u->inverse, &high);

	/* A length of 1 has no shift, but then x is 0. */
	return u->shift ? high << (64 - u->shift) | low >> u->shift : 0;
}

/* 2^(-x / length) in 2^-64, x > 0 */
static uint64_t fair_usage_factor(const struct fair_usage *u, uint64_t x)
{
	/* 2^(1 - x / length) in 2^-63 is that in 2^-64. */
	return fair_usage_exp2(fair_usage_ratio(u, (uint64_t)u->length - x));
}

static struct fair_usage_mark fair_usage_growth(const struct fair_usage *u,
						int64_t t)
{
	struct fair_usage_fixed f;
	struct fair_usage_mark m;
	uint64_t x;

	m.t = t;
	m.period = fair_usage_period(u, t, &x);
	f.fraction = fair_usage_mul(
		u->scale, fair_usage_exp2(fair_usage_ratio(u, x)), &f.whole);
	/* Of the product's bits 63 + (62 - shift) are behind the point. */
	f = fair_usage_shift(f, 61 - u->shift);
	m.whole = f.whole;
	m.fraction = f.fraction;
	return m;
}

/* The same; jobs that run on are charged from the last end. */
static struct fair_usage_mark fair_usage_moment(const struct fair_usage *u,
						int64_t t)
{
	return t == u->last.end.t ? u->last.end : fair_usage_growth(u, t);
}

/* By how much V grows over [t0, end) at a rate of 1. */
static struct fair_usage_fixed
fair_usage_measure(const struct fair_usage *u, int64_t t0,
		   const struct fair_usage_mark *end)
{
	struct fair_usage_mark start = fair_usage_moment(u, t0);
	struct fair_usage_fixed before = { start.whole, start.fraction };
	struct fair_usage_fixed amount = { end->whole, end->fraction };

	/* At least half a second: 2^(s / h) > 1/2 in the last one. */
	before = fair_usage_shift(before, end->period - start.period);
	return fair_usage_sub(amount, before);
}

static void fair_usage_remember(struct fair_usage *u, int64_t t0,
				const struct fair_usage_mark *end,
				struct fair_usage_fixed unit)
{
	uint64_t x = (uint64_t)end->t - end->period * (uint64_t)u->length;

	u->last.from = t0;
	u->last.end = *end;
	u->last.whole = unit.whole;
	u->last.fraction = unit.fraction;
	u->last.factor = x ? fair_usage_factor(u, x) : 0;
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

/* Most that a row may hold of a window. */
static uint64_t fair_usage_window_limit(const struct fair_usage *u)
{
	return FAIR_USAGE_LIMIT / u->depth;
}

/* What a row has of a window; one less than depth before the row's or later. */
static uint64_t fair_usage_used(const uint64_t *row, uint64_t window)
{
	return window <= row[0] ? row[2 + (row[0] - window)] : 0;
}

/* V of a row as of a period not before the row's. */
static struct fair_usage_fixed fair_usage_aged(const uint64_t *row,
					       uint64_t period)
{
	struct fair_usage_fixed v = { row[2], row[3] };

	return period == row[0] ? v : fair_usage_shift(v, period - row[0]);
}

/* The same as fair_usage_row(), with a half-life. */
static uint64_t *fair_usage_row_of_4(const struct fair_usage *u,
				     uint32_t source, uint32_t entity)
{
	return u->row + (source * ((size_t)u->entities + 1) + entity) * 4;
}

/* Bytes from @memory up to the next line of 64. */
static size_t fair_usage_slack(const void *memory)
{
	return (size_t)(-(uintptr_t)memory & 63);
}

FAIR_USAGE_API size_t fair_usage_size(uint32_t entities, uint32_t depth,
				      uint32_t sources)
{
	uint64_t one =
		((uint64_t)entities + 1) * (2 + (depth ? depth : 2)) * 8 +
		sizeof(struct fair_usage_source);

	if (!entities || entities == FAIR_USAGE_ALL ||
	    depth > FAIR_USAGE_DEPTH || !sources ||
	    sources > FAIR_USAGE_SOURCES || one > (SIZE_MAX - 63) / sources)
		return 0;
	return (size_t)one * sources + 63;
}

/* Places rows and sources, and derives what follows from the length. */
static void fair_usage_place(struct fair_usage *u, void *memory)
{
	uint64_t length = (uint64_t)u->length, rest, high;
	int bit;

	u->row = (uint64_t *)(void *)((unsigned char *)memory +
				      fair_usage_slack(memory));
	u->source = (struct fair_usage_source *)(void *)fair_usage_row(
		u, u->sources_max, 0);
	for (u->shift = 0; length >> u->shift > 1;)
		u->shift++;
	/* Long division of 2^(64 + shift) - 1, whose top is below length. */
	rest = (UINT64_C(1) << u->shift) - 1;
	u->inverse = 0;
	for (bit = 0; bit < 64; bit++) {
		rest = rest << 1 | 1;
		u->inverse = u->inverse << 1 | (rest >= length);
		if (rest >= length)
			rest -= length;
	}
	fair_usage_mul(length << (63 - u->shift), FAIR_USAGE_INV_LN2, &high);
	u->scale = high;
	if (u->depth)
		return;
	FAIR_MEMSET(&u->last, 0, sizeof(u->last));
	u->last.end = fair_usage_growth(u, 0);
}

static int fair_usage_init(struct fair_usage *u, void *memory, size_t bytes,
			   const struct fair_usage *rule, uint64_t id)
{
	size_t size =
		fair_usage_size(rule->entities, rule->depth, rule->sources_max);

	if (!size || !memory)
		return -FAIR_EINVAL;
	if (bytes < size)
		return -FAIR_ENOMEM;
	*u = *rule;
	fair_usage_place(u, memory);
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

	if (!u || struct_size != sizeof(*u) || half_life < 1 ||
	    half_life > FAIR_USAGE_HALF_LIFE)
		return -FAIR_EINVAL;
	FAIR_MEMSET(&rule, 0, sizeof(rule));
	rule.entities = entities;
	rule.sources_max = sources;
	rule.length = half_life;
	return fair_usage_init(u, memory, bytes, &rule, id);
}

FAIR_USAGE_API int fair_usage_init_windows(struct fair_usage *u,
					   size_t struct_size, void *memory,
					   size_t bytes, uint32_t entities,
					   uint32_t sources, uint64_t id,
					   uint32_t depth, int64_t interval,
					   uint64_t decay)
{
	struct fair_usage rule;

	if (!u || struct_size != sizeof(*u) || !depth || interval < 1 ||
	    decay > FAIR_USAGE_ONE)
		return -FAIR_EINVAL;
	FAIR_MEMSET(&rule, 0, sizeof(rule));
	rule.entities = entities;
	rule.sources_max = sources;
	rule.depth = depth;
	rule.length = interval;
	rule.decay = decay;
	return fair_usage_init(u, memory, bytes, &rule, id);
}

/* A row's V with @amount of @period added; the later of the periods. */
static struct fair_usage_fixed fair_usage_sum(const uint64_t *row,
					      uint64_t period,
					      struct fair_usage_fixed amount)
{
	if (row[0] <= period)
		return fair_usage_add(fair_usage_aged(row, period), amount);
	return fair_usage_add(fair_usage_aged(row, row[0]),
			      fair_usage_shift(amount, row[0] - period));
}

static void fair_usage_set(uint64_t *row, uint64_t period,
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
	uint64_t *row = fair_usage_row_of_4(u, 0, entity);
	uint64_t *total = fair_usage_row_of_4(u, 0, u->entities);
	struct fair_usage_fixed unit = { u->last.whole, u->last.fraction };
	struct fair_usage_fixed amount, mine, all;
	struct fair_usage_mark end = fair_usage_moment(u, t1);

	if (t0 != u->last.from || t1 != u->last.end.t)
		unit = fair_usage_measure(u, t0, &end);
	amount = unit;
	if (!fair_usage_times(&amount, (uint64_t)rate))
		return -FAIR_EOVERFLOW;
	mine = fair_usage_sum(row, end.period, amount);
	all = fair_usage_sum(total, end.period, amount);
	/* By I7 a row may pass the total, but by fractions only. */
	if (all.whole >= FAIR_USAGE_LIMIT || mine.whole >= FAIR_USAGE_LIMIT)
		return -FAIR_EOVERFLOW;
	fair_usage_set(row, end.period, mine);
	fair_usage_set(total, end.period, all);
	if (t1 != u->last.end.t)
		fair_usage_remember(u, t0, &end, unit);
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

/* Makes a row's newest window @window, if it is older. */
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

	/* Nobody reads before the newest: what is out of its depth is lost. */
	if (newest - first >= u->depth)
		first = newest - u->depth + 1;
	for (w = first; w <= last; w++)
		if (!fair_usage_product(rate, fair_usage_overlap(u, t0, t1, w),
					&amount) ||
		    amount + fair_usage_used(total, w) > limit)
			return -FAIR_EOVERFLOW;
	fair_usage_roll(u, row, last);
	fair_usage_roll(u, total, last);
	for (w = first; w <= last; w++) {
		amount = (uint64_t)rate *
			 (uint64_t)fair_usage_overlap(u, t0, t1, w);
		/* row[0] <= total[0], by I4: both within the depth. */
		row[2 + (row[0] - w)] += amount;
		total[2 + (total[0] - w)] += amount;
	}
	return 0;
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
	if (error)
		return error;
	if (u->source[0].clock < t1)
		u->source[0].clock = t1;
	if (u->latest < t1)
		u->latest = t1;
	u->source[0].changes++;
	return 0;
}

FAIR_USAGE_API int fair_usage_hold(struct fair_usage *u, uint32_t entity,
				   int64_t rate, int64_t walltime)
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

FAIR_USAGE_API int fair_usage_release(struct fair_usage *u, uint32_t entity,
				      int64_t rate, int64_t walltime)
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

FAIR_USAGE_API int fair_usage_settle(struct fair_usage *u, uint32_t entity,
				     int64_t rate, int64_t walltime, int64_t t0,
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
	return error ? error : fair_usage_release(u, entity, rate, walltime);
}

/* Horner's sum of the windows up to @newest. */
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
			sum.whole += fair_usage_used(
				fair_usage_row(u, s, entity), newest - n);
	}
	return sum;
}

static struct fair_usage_fixed fair_usage_decayed(const struct fair_usage *u,
						  uint32_t entity, int64_t t)
{
	uint64_t period = u->last.end.period, factor = u->last.factor;
	struct fair_usage_fixed v = { 0, 0 };
	uint64_t held = 0, into;
	uint32_t s;

	if (t != u->last.end.t) {
		period = fair_usage_period(u, t, &into);
		factor = into ? fair_usage_factor(u, into) : 0;
	}
	for (s = 0; s < u->sources; s++) {
		const uint64_t *row = fair_usage_row_of_4(u, s, entity);

		held += row[1];
		v = fair_usage_add(v, fair_usage_aged(row, period));
	}
	if (factor)
		v = fair_usage_scale(v, factor);
	v.whole += held;
	return v;
}

/* Usage of a row and what is held, over all sources. */
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

	if ((entity >= u->entities && entity != FAIR_USAGE_ALL) ||
	    t < u->source[0].clock)
		return -FAIR_EINVAL;
	if (entity == FAIR_USAGE_ALL)
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
	 * Down to a total of at most 37 bits: the shift costs a share 2^-35,
	 * which is 2^-8 of the last place, and 37 + 27 bits do not overflow.
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
	/* By I7 the rows of a half-life ledger may pass the total a little. */
	*points = (int64_t)(share < all ? share : all);
	return 0;
}

FAIR_USAGE_API int fair_usage_parse_target(const char *text,
					   struct fair_usage_target *target)
{
	static const char suffix[] = { '\0', '+', '-', '^' };
	uint64_t points = 0, part = 0, unit = 1;
	const char *s = text;
	int kind;

	for (; *s >= '0' && *s <= '9' && points <= 100; s++)
		points = points * 10 + (uint64_t)(*s - '0');
	if (s == text)
		return -FAIR_EINVAL;
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9' && unit < 1000000000; s++) {
			part = part * 10 + (uint64_t)(*s - '0');
			unit *= 10;
		}
	for (kind = 0; kind < 4 && *s != suffix[kind];)
		kind++;
	if (kind == 4 || (*s && s[1]) || points > 100 ||
	    (points == 100 && part))
		return -FAIR_EINVAL;
	target->points =
		(int64_t)((points << 20) + ((part << 20) + unit / 2) / unit);
	target->kind = (enum fair_usage_kind)kind;
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

FAIR_USAGE_API bool fair_usage_eligible(const struct fair_usage_target *target,
					int64_t points)
{
	return target->kind != FAIR_USAGE_CAP || points <= target->points;
}

/* Bytes of one source's rows. */
static size_t fair_usage_rows_bytes(const struct fair_usage *u)
{
	return ((size_t)u->entities + 1) * fair_usage_stride(u) *
	       sizeof(*u->row);
}

/* Index of a source, or sources. */
static uint32_t fair_usage_find(const struct fair_usage *u, uint64_t id)
{
	uint32_t s = 0;

	while (s < u->sources && u->source[s].id != id)
		s++;
	return s;
}

/* Whether a source of @other contradicts what @u has of it. */
static bool fair_usage_conflict(const struct fair_usage *u, uint32_t mine,
				const struct fair_usage *other, uint32_t its)
{
	const struct fair_usage_source *a = &u->source[mine];
	const struct fair_usage_source *b = &other->source[its];

	return a->changes == b->changes &&
	       (a->clock != b->clock ||
		FAIR_MEMCMP(fair_usage_row(u, mine, 0),
			    fair_usage_row(other, its, 0),
			    fair_usage_rows_bytes(u)) != 0);
}

FAIR_USAGE_API int fair_usage_merge(struct fair_usage *u,
				    const struct fair_usage *other)
{
	uint32_t s, mine, unknown = 0;

	if (u->entities != other->entities || u->depth != other->depth ||
	    u->length != other->length || u->decay != other->decay)
		return -FAIR_EINVAL;
	for (s = 0; s < other->sources; s++) {
		mine = fair_usage_find(u, other->source[s].id);
		if (mine == u->sources)
			unknown++;
		else if (fair_usage_conflict(u, mine, other, s))
			return -FAIR_EINVAL;
	}
	if (unknown > u->sources_max - u->sources)
		return -FAIR_ENOSPC;
	for (s = 0; s < other->sources; s++) {
		mine = fair_usage_find(u, other->source[s].id);
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

FAIR_USAGE_API int fair_usage_clone(struct fair_usage *copy, void *memory,
				    size_t bytes, const struct fair_usage *u)
{
	struct fair_usage c = *u;

	if (bytes < fair_usage_size(u->entities, u->depth, u->sources_max))
		return -FAIR_ENOMEM;
	fair_usage_place(&c, memory);
	FAIR_MEMCPY(c.row, u->row, fair_usage_rows_bytes(u) * u->sources);
	FAIR_MEMCPY(c.source, u->source, sizeof(*u->source) * u->sources);
	*copy = c;
	return 0;
}

/* Header words of an image, and its first two. */
#define FAIR_USAGE_HEADER 8
#define FAIR_USAGE_MAGIC 0x6567617372696166 /* "fairsage" */
#define FAIR_USAGE_IMAGE 1

static unsigned char *fair_usage_put(unsigned char *p, uint64_t word)
{
	int i;

	for (i = 0; i < 8; i++)
		*p++ = (unsigned char)(word >> 8 * i);
	return p;
}

static uint64_t fair_usage_get(const unsigned char **p)
{
	uint64_t word = 0;
	int i;

	for (i = 0; i < 8; i++)
		word |= (uint64_t) * (*p)++ << 8 * i;
	return word;
}

/* FNV-1a 64 */
static uint64_t fair_usage_hash(const unsigned char *p, size_t bytes)
{
	uint64_t hash = 0xcbf29ce484222325;

	while (bytes--)
		hash = (hash ^ *p++) * 0x100000001b3;
	return hash;
}

FAIR_USAGE_API size_t fair_usage_image_size(const struct fair_usage *u)
{
	uint64_t rows = ((uint64_t)u->entities + 1) * fair_usage_stride(u);
	uint64_t words = FAIR_USAGE_HEADER + u->sources * (rows + 3) + 1;

	return words <= SIZE_MAX / 8 ? (size_t)words * 8 : 0;
}

FAIR_USAGE_API int fair_usage_save(const struct fair_usage *u, void *image,
				   size_t bytes)
{
	size_t size = fair_usage_image_size(u), i;
	size_t words = fair_usage_rows_bytes(u) / sizeof(*u->row);
	unsigned char *p = (unsigned char *)image;
	uint32_t s;

	if (!size || bytes < size)
		return -FAIR_ENOSPC;
	p = fair_usage_put(p, FAIR_USAGE_MAGIC);
	p = fair_usage_put(p, FAIR_USAGE_IMAGE);
	p = fair_usage_put(p, u->entities);
	p = fair_usage_put(p, u->depth);
	p = fair_usage_put(p, (uint64_t)u->length);
	p = fair_usage_put(p, u->decay);
	p = fair_usage_put(p, u->sources_max);
	p = fair_usage_put(p, u->sources);
	for (s = 0; s < u->sources; s++) {
		p = fair_usage_put(p, u->source[s].id);
		p = fair_usage_put(p, u->source[s].changes);
		p = fair_usage_put(p, (uint64_t)u->source[s].clock);
		for (i = 0; i < words; i++)
			p = fair_usage_put(p, fair_usage_row(u, s, 0)[i]);
	}
	fair_usage_put(p, fair_usage_hash((unsigned char *)image, size - 8));
	return 0;
}

/* Reads the header: the rule, and how many sources there are. */
static int fair_usage_open(struct fair_usage *u, const unsigned char *p,
			   size_t bytes)
{
	uint64_t entities, depth, length, sources_max, sources;

	if (bytes < 16)
		return FAIR_USAGE_CUT;
	if (fair_usage_get(&p) != FAIR_USAGE_MAGIC)
		return FAIR_USAGE_FOREIGN;
	if (fair_usage_get(&p) != FAIR_USAGE_IMAGE)
		return FAIR_USAGE_FORMAT;
	if (bytes < (FAIR_USAGE_HEADER + 1) * 8)
		return FAIR_USAGE_CUT;
	FAIR_MEMSET(u, 0, sizeof(*u));
	entities = fair_usage_get(&p);
	depth = fair_usage_get(&p);
	length = fair_usage_get(&p);
	u->decay = fair_usage_get(&p);
	sources_max = fair_usage_get(&p);
	sources = fair_usage_get(&p);
	if (!entities || entities >= UINT32_MAX || depth > FAIR_USAGE_DEPTH ||
	    !length || u->decay > (depth ? FAIR_USAGE_ONE : 0) ||
	    length > (uint64_t)(depth ? INT64_MAX : FAIR_USAGE_HALF_LIFE) ||
	    sources_max > FAIR_USAGE_SOURCES || !sources ||
	    sources > sources_max)
		return FAIR_USAGE_BROKEN;
	u->entities = (uint32_t)entities;
	u->depth = (uint32_t)depth;
	u->length = (int64_t)length;
	u->sources_max = (uint32_t)sources_max;
	u->sources = (uint32_t)sources;
	return fair_usage_image_size(u) == bytes ? 0 : FAIR_USAGE_CUT;
}

FAIR_USAGE_API size_t fair_usage_load_size(const void *image, size_t bytes)
{
	struct fair_usage u;

	if (fair_usage_open(&u, (const unsigned char *)image, bytes))
		return 0;
	return fair_usage_size(u.entities, u.depth, u.sources_max);
}

/* Reads the sources and their rows; false if no ledger can be so. */
static bool fair_usage_read(struct fair_usage *u, const unsigned char *p)
{
	size_t words = fair_usage_rows_bytes(u) / sizeof(*u->row), i;
	uint32_t s;

	for (s = 0; s < u->sources; s++) {
		u->source[s].id = fair_usage_get(&p);
		u->source[s].changes = fair_usage_get(&p);
		u->source[s].clock = (int64_t)fair_usage_get(&p);
		if (u->latest < u->source[s].clock)
			u->latest = u->source[s].clock;
		for (i = 0; i < words; i++)
			fair_usage_row(u, s, 0)[i] = fair_usage_get(&p);
	}
	return fair_usage_check(u) == 0;
}

/* 0, or why the image is refused; @room is too little for it: -FAIR_ENOMEM. */
static int fair_usage_decode(struct fair_usage *u, void *memory, size_t room,
			     const unsigned char *image, size_t bytes)
{
	int damage = fair_usage_open(u, image, bytes);
	const unsigned char *p;
	size_t size;

	if (damage)
		return damage;
	p = image + bytes - 8;
	if (fair_usage_get(&p) != fair_usage_hash(image, bytes - 8))
		return FAIR_USAGE_CHECKSUM;
	size = fair_usage_size(u->entities, u->depth, u->sources_max);
	if (!size || room < size)
		return -FAIR_ENOMEM;
	fair_usage_place(u, memory);
	if (!fair_usage_read(u, image + 8 * FAIR_USAGE_HEADER))
		return FAIR_USAGE_BROKEN;
	return 0;
}

FAIR_USAGE_API int fair_usage_load(struct fair_usage *u, size_t struct_size,
				   void *memory, size_t memory_bytes,
				   const void *image, size_t image_bytes,
				   int *damage)
{
	struct fair_usage loaded;
	int result;

	if (damage)
		*damage = 0;
	if (struct_size != sizeof(*u))
		return -FAIR_EINVAL;
	result = fair_usage_decode(&loaded, memory, memory_bytes,
				   (const unsigned char *)image, image_bytes);
	if (damage)
		*damage = result > 0 ? result : 0;
	if (result)
		return result > 0 ? -FAIR_EINVAL : result;
	*u = loaded;
	return 0;
}

static bool fair_usage_last_good(const struct fair_usage *u)
{
	const struct fair_usage_span *last = &u->last;
	struct fair_usage v = *u;
	struct fair_usage_mark end;

	if (u->depth)
		return true;
	if (last->from < 0 || last->end.t < last->from)
		return false;
	v.last.end.t = -1;	/* nothing is found again */
	end = fair_usage_growth(&v, last->end.t);
	fair_usage_remember(&v, last->from, &end,
			    fair_usage_measure(&v, last->from, &end));
	return last->end.period == end.period && last->end.whole == end.whole &&
	       last->end.fraction == end.fraction &&
	       last->whole == v.last.whole &&
	       last->fraction == v.last.fraction &&
	       last->factor == v.last.factor;
}

/* I1 */
static bool fair_usage_rule_good(const struct fair_usage *u)
{
	struct fair_usage v = *u;

	if (!fair_usage_size(u->entities, u->depth, u->sources_max) ||
	    u->length < 1 || u->decay > (u->depth ? FAIR_USAGE_ONE : 0) ||
	    (!u->depth && u->length > FAIR_USAGE_HALF_LIFE))
		return false;
	fair_usage_place(&v, u->row);
	return v.row == u->row && v.source == u->source &&
	       v.inverse == u->inverse && v.scale == u->scale &&
	       v.shift == u->shift && fair_usage_last_good(u);
}

/* I2 */
static bool fair_usage_sources_good(const struct fair_usage *u)
{
	uint32_t s;

	if (!u->sources || u->sources > u->sources_max)
		return false;
	for (s = 0; s < u->sources; s++)
		if (fair_usage_find(u, u->source[s].id) != s)
			return false;
	return true;
}

/* I3 */
static bool fair_usage_clocks_good(const struct fair_usage *u)
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
static bool fair_usage_held_good(const struct fair_usage *u, uint32_t source)
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
static bool fair_usage_windows_good(const struct fair_usage *u, uint32_t source)
{
	const uint64_t *total = fair_usage_row(u, source, u->entities);
	uint64_t rest, used;
	uint32_t n, e;

	for (n = 0; n < u->depth && n <= total[0]; n++) {
		rest = total[2 + n];
		for (e = 0; e < u->entities; e++) {
			used = fair_usage_used(fair_usage_row(u, source, e),
					       total[0] - n);
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
 * I7, half-life. A charge shifts once on its way into its row, and once into
 * the total's: less than 2^-64 lost each time. Taking the rows to the total's
 * period here loses as much once a row.
 */
static bool fair_usage_total_good(const struct fair_usage *u, uint32_t source)
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
		/* So that the sum of 2^32 rows cannot wrap. */
		if (sum.whole > 2 * FAIR_USAGE_LIMIT)
			return false;
	}
	slack = slack < UINT64_MAX / 4 ? 2 * slack + u->entities : UINT64_MAX;
	v = fair_usage_less(v, sum) ? fair_usage_sub(sum, v)
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
	if (!fair_usage_held_good(u, s))
		return 6;
	if (!(u->depth ? fair_usage_windows_good(u, s)
		       : fair_usage_total_good(u, s)))
		return 7;
	return 0;
}

FAIR_USAGE_API int fair_usage_check(const struct fair_usage *u)
{
	int broken = 0;
	uint32_t s;

	if (!fair_usage_rule_good(u))
		return 1;
	if (!fair_usage_sources_good(u))
		return 2;
	if (!fair_usage_clocks_good(u))
		return 3;
	for (s = 0; s < u->sources && !broken; s++)
		broken = fair_usage_source_check(u, s);
	return broken;
}

#ifdef __cplusplus
}
#endif
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
