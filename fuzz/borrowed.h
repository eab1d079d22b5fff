/* SPDX-License-Identifier: MIT OR Unlicense */
/*
 * borrowed.h - what is private in the headers, without the bodies of what is
 * public
 *
 * A unit that defines FAIRSCHED_IMPLEMENTATION, to see what is private, takes 20
 * seconds to compile with sanitizers. Bazel puts this file in front of it there:
 * clang -O0 then emits no public function, and those of a library are linked,
 * which is compiled once.
 */
#define FAIRSCHED_LINKAGE extern __inline__ __attribute__((gnu_inline))
#pragma clang diagnostic ignored "-Wstatic-in-inline"
