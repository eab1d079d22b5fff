/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * borrowed.h - what is private in the headers, without the bodies of what is
 * public
 *
 * A unit that defines FAIRSCHED_IMPLEMENTATION, to see what is private, takes
 * seconds to compile, and with sanitizers 20. Bazel and tools/check.sh put this
 * file in front of it: clang at -O0, and gcc at -O1, then emit no public function,
 * and those of a library are linked, which is compiled once. gcc keeps private
 * functions that are not called at -O0, and follows the public ones above it:
 * hence the attribute. It needs the headers by -isystem, since it refuses private
 * names in such functions. Other compilers emit all, and take nothing of the
 * library.
 */
#if defined(__clang__)
#define FAIRSCHED_LINKAGE extern __inline__ __attribute__((gnu_inline))
#pragma clang diagnostic ignored "-Wstatic-in-inline"
#elif defined(__GNUC__)
#define FAIRSCHED_LINKAGE \
	extern __inline__ __attribute__((gnu_inline, optimize("O0")))
#endif
