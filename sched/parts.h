/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/parts.h - which parts of the library a build leaves out
 *
 * Define these before each include of fairsched.h, or let tools/amalgamate.sh
 * write a file without them (--without sfs,maui):
 *
 *   FAIRSCHED_WITHOUT_CONSERVATIVE  FAIR_CONSERVATIVE, FAIR_PC and FAIR_DC
 *   FAIRSCHED_WITHOUT_SFS           FAIR_SFS and config.by_target
 *   FAIRSCHED_WITHOUT_RELSHARE      FAIR_RELSHARE, FAIR_ORDER_RELSHARE
 *   FAIRSCHED_WITHOUT_MAUI          FAIR_MAUI, FAIR_ORDER_PRIORITY
 *   FAIRSCHED_WITHOUT_TREE          FAIR_ORDER_TREE
 *   FAIRSCHED_WITHOUT_USAGE         FAIR_ORDER_USAGE, FAIR_ORDER_DOMINANT
 *   FAIRSCHED_WITHOUT_FAIRNESS      policies/fairness.h
 *   FAIRSCHED_WITHOUT_RUNS          clones, fair start times, forecasts
 *   FAIRSCHED_WITHOUT_WHY           fair_sched_why(), fair_why_text()
 *   FAIRSCHED_WITHOUT_WHATIF        fair_sched_convert(), fair_sched_whatif()
 *   FAIRSCHED_WITHOUT_CHECKPOINT    save, load and grow
 *   FAIRSCHED_WITHOUT_NODES         config.nodes, nodes.h
 *   FAIRSCHED_WITHOUT_CLASSES       config.machine, machine.h
 *   FAIRSCHED_WITHOUT_LIMITS        config.limits, quotas.h
 *   FAIRSCHED_WITHOUT_ADVANCES      config.advances
 *   FAIRSCHED_WITHOUT_THROTTLE      policies/throttle.h
 *   FAIRSCHED_WITHOUT_PENALTY       policies/penalty.h
 *   FAIRSCHED_WITHOUT_PROFILE       profile.h and space.h, which no unit may
 *                                   include then: config.select, and a
 *                                   config.depth above 1
 *
 * What needs a part is left out with it, see the arrows below. A configuration
 * that asks for what is left out is not valid: fair_sched_config_error() says
 * so. Functions that are left out are not declared.
 *
 * Uses: nothing.
 */

/* Arrows: what needs a part. */
#if defined(FAIRSCHED_WITHOUT_PROFILE) && \
	!defined(FAIRSCHED_WITHOUT_CONSERVATIVE)
#define FAIRSCHED_WITHOUT_CONSERVATIVE
#endif
#if defined(FAIRSCHED_WITHOUT_PROFILE) && !defined(FAIRSCHED_WITHOUT_MAUI)
#define FAIRSCHED_WITHOUT_MAUI
#endif
#if defined(FAIRSCHED_WITHOUT_PROFILE) && !defined(FAIRSCHED_WITHOUT_CLASSES)
#define FAIRSCHED_WITHOUT_CLASSES
#endif
#if defined(FAIRSCHED_WITHOUT_PROFILE) && !defined(FAIRSCHED_WITHOUT_LIMITS)
#define FAIRSCHED_WITHOUT_LIMITS
#endif
#if defined(FAIRSCHED_WITHOUT_PROFILE) && !defined(FAIRSCHED_WITHOUT_ADVANCES)
#define FAIRSCHED_WITHOUT_ADVANCES
#endif
#if defined(FAIRSCHED_WITHOUT_CLASSES) && !defined(FAIRSCHED_WITHOUT_NODES)
#define FAIRSCHED_WITHOUT_NODES
#endif
#if defined(FAIRSCHED_WITHOUT_THROTTLE) && !defined(FAIRSCHED_WITHOUT_MAUI)
#define FAIRSCHED_WITHOUT_MAUI
#endif
#if defined(FAIRSCHED_WITHOUT_THROTTLE) && !defined(FAIRSCHED_WITHOUT_WHY)
#define FAIRSCHED_WITHOUT_WHY
#endif
#if defined(FAIRSCHED_WITHOUT_USAGE) && !defined(FAIRSCHED_WITHOUT_TREE)
#define FAIRSCHED_WITHOUT_TREE
#endif
#if defined(FAIRSCHED_WITHOUT_USAGE) && !defined(FAIRSCHED_WITHOUT_MAUI)
#define FAIRSCHED_WITHOUT_MAUI
#endif
#if defined(FAIRSCHED_WITHOUT_USAGE) && !defined(FAIRSCHED_WITHOUT_WHATIF)
#define FAIRSCHED_WITHOUT_WHATIF
#endif
#if defined(FAIRSCHED_WITHOUT_TREE) && !defined(FAIRSCHED_WITHOUT_RELSHARE)
#define FAIRSCHED_WITHOUT_RELSHARE
#endif
#if defined(FAIRSCHED_WITHOUT_RUNS) && !defined(FAIRSCHED_WITHOUT_WHY)
#define FAIRSCHED_WITHOUT_WHY
#endif
#if defined(FAIRSCHED_WITHOUT_RUNS) && !defined(FAIRSCHED_WITHOUT_WHATIF)
#define FAIRSCHED_WITHOUT_WHATIF
#endif

#ifdef FAIRSCHED_WITHOUT_CONSERVATIVE
#define FAIR_HAS_CONSERVATIVE 0
#else
#define FAIR_HAS_CONSERVATIVE 1
#endif
#ifdef FAIRSCHED_WITHOUT_SFS
#define FAIR_HAS_SFS 0
#else
#define FAIR_HAS_SFS 1
#endif
#ifdef FAIRSCHED_WITHOUT_RELSHARE
#define FAIR_HAS_RELSHARE 0
#else
#define FAIR_HAS_RELSHARE 1
#endif
#ifdef FAIRSCHED_WITHOUT_MAUI
#define FAIR_HAS_MAUI 0
#else
#define FAIR_HAS_MAUI 1
#endif
#ifdef FAIRSCHED_WITHOUT_TREE
#define FAIR_HAS_TREE 0
#else
#define FAIR_HAS_TREE 1
#endif
#ifdef FAIRSCHED_WITHOUT_USAGE
#define FAIR_HAS_USAGE 0
#else
#define FAIR_HAS_USAGE 1
#endif
#ifdef FAIRSCHED_WITHOUT_FAIRNESS
#define FAIR_HAS_FAIRNESS 0
#else
#define FAIR_HAS_FAIRNESS 1
#endif
#ifdef FAIRSCHED_WITHOUT_RUNS
#define FAIR_HAS_RUNS 0
#else
#define FAIR_HAS_RUNS 1
#endif
#ifdef FAIRSCHED_WITHOUT_WHY
#define FAIR_HAS_WHY 0
#else
#define FAIR_HAS_WHY 1
#endif
#ifdef FAIRSCHED_WITHOUT_WHATIF
#define FAIR_HAS_WHATIF 0
#else
#define FAIR_HAS_WHATIF 1
#endif
#ifdef FAIRSCHED_WITHOUT_CHECKPOINT
#define FAIR_HAS_CHECKPOINT 0
#else
#define FAIR_HAS_CHECKPOINT 1
#endif
#ifdef FAIRSCHED_WITHOUT_NODES
#define FAIR_HAS_NODES 0
#else
#define FAIR_HAS_NODES 1
#endif
#ifdef FAIRSCHED_WITHOUT_CLASSES
#define FAIR_HAS_CLASSES 0
#else
#define FAIR_HAS_CLASSES 1
#endif
#ifdef FAIRSCHED_WITHOUT_LIMITS
#define FAIR_HAS_LIMITS 0
#else
#define FAIR_HAS_LIMITS 1
#endif
#ifdef FAIRSCHED_WITHOUT_ADVANCES
#define FAIR_HAS_ADVANCES 0
#else
#define FAIR_HAS_ADVANCES 1
#endif
#ifdef FAIRSCHED_WITHOUT_THROTTLE
#define FAIR_HAS_THROTTLE 0
#else
#define FAIR_HAS_THROTTLE 1
#endif
#ifdef FAIRSCHED_WITHOUT_PENALTY
#define FAIR_HAS_PENALTY 0
#else
#define FAIR_HAS_PENALTY 1
#endif
#ifdef FAIRSCHED_WITHOUT_PROFILE
#define FAIR_HAS_PROFILE 0
#else
#define FAIR_HAS_PROFILE 1
#endif

/* Which parts there are, a bit each. */
#define FAIRSCHED_PARTS \
	(FAIR_HAS_CONSERVATIVE << 0 | \
	 FAIR_HAS_SFS << 1 | \
	 FAIR_HAS_RELSHARE << 2 | \
	 FAIR_HAS_MAUI << 3 | \
	 FAIR_HAS_TREE << 4 | \
	 FAIR_HAS_USAGE << 5 | \
	 FAIR_HAS_FAIRNESS << 6 | \
	 FAIR_HAS_RUNS << 7 | \
	 FAIR_HAS_WHY << 8 | \
	 FAIR_HAS_WHATIF << 9 | \
	 FAIR_HAS_CHECKPOINT << 10 | \
	 FAIR_HAS_NODES << 11 | \
	 FAIR_HAS_CLASSES << 12 | \
	 FAIR_HAS_LIMITS << 13 | \
	 FAIR_HAS_ADVANCES << 14 | \
	 FAIR_HAS_THROTTLE << 15 | \
	 FAIR_HAS_PENALTY << 16 | \
	 FAIR_HAS_PROFILE << 17)
#define FAIRSCHED_ALL_PARTS ((1 << 18) - 1)
