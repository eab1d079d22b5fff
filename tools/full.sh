#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/full.sh
#
# Every real trace to its end under easy, conservative, pc and dc, with the
# scheduler's invariants checked on the way: tests/traces_test.c without its
# limit, compiled by cc. FAIRSCHED_SHARED is the folder of the traces.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build
parts=$(find tools/fairsched -name '*.c' ! -name main.c)
# shellcheck disable=SC2086
${CC:-cc} -O2 -std=c99 -D_POSIX_C_SOURCE=200809L ${CFLAGS:-} -I. \
	tests/traces_test.c $parts -lpthread -lm -o build/traces_test
FAIRSCHED_FULL=1 exec build/traces_test
