/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * sched/version.h - which units link with which bodies
 *
 *   a unit that includes fairsched.h ---needs---> fair_sched_version_...()
 *                                    ---needs---> fair_sched_sizes_N_...
 *   the one with the bodies has both
 *
 * The first name has the version, and in a single file the checksum of all that
 * it declares. N is made of the sizes of the structures that units hand to each
 * other, and of the parts that there are: it tells two states of the tree apart
 * that have one version. It is asked for where object files are ELF and a unit
 * can keep what it does not call; elsewhere fair_sched_init() is told the size
 * of its structure.
 *
 * Uses: parts.h, types.h, answers.h, on_limits.h.
 */

FAIRSCHED_REQUIRE(FAIRSCHED_API, fair_sched);

#define FAIR_SIZE_OF(x, rest) (sizeof(struct fair_##x) + (rest) * 1031)
#define FAIRSCHED_SIZES                                                        \
	FAIR_SIZE_OF(sched, FAIR_SIZE_OF(config, FAIR_SIZE_OF(job,             \
	FAIR_SIZE_OF(job_status, FAIR_SIZE_OF(decision, FAIR_SIZE_OF(promise,  \
	FAIR_SIZE_OF(advance, FAIR_SIZE_OF(limit, FAIR_SIZE_OF(entity,         \
	FAIR_SIZE_OF(why, FAIR_SIZE_OF(forecast, FAIR_SIZE_OF(change,          \
	FAIR_SIZE_OF(simulated_run, FAIR_SIZE_OF(planner_ops,                  \
	FAIR_SIZE_OF(ledger_ops, FAIRSCHED_PARTS)))))))))))))))

/* %c0: the number without a sign that marks a constant. */
#define FAIRSCHED_EXCHANGED(before, after)                                     \
	__asm__(before "fair_sched_sizes_%c0_of_another_build" after         \
		: : "i"((int32_t)(FAIRSCHED_SIZES % 1000000007)))

#define FAIRSCHED_PROVIDE_SIZES ((void)0)
#if defined(__has_attribute) && defined(__ELF__) && !defined(FAIRSCHED_STATIC)
#if __has_attribute(retain)
#undef FAIRSCHED_PROVIDE_SIZES
#define FAIRSCHED_PROVIDE_SIZES                                                \
	FAIRSCHED_EXCHANGED(".weak ",                                          \
			    "\nfair_sched_sizes_%c0_of_another_build:")
/* A relocation that changes nothing, but needs its symbol. */
__attribute__((used, retain)) static void fair_sched_require_sizes(void)
{
	FAIRSCHED_EXCHANGED(".reloc ., BFD_RELOC_NONE, ", "");
}
#endif
#endif

#define FAIRSCHED_PROVIDE_SCHED                                                \
	FAIRSCHED_API int FAIRSCHED_SYMBOL(fair_sched)(void)                   \
	{                                                                      \
		FAIRSCHED_PROVIDE_SIZES;                                       \
		return FAIRSCHED_VERSION;                                      \
	}
