#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/static.sh [FILE...]
#
# Analyses the headers, the command, the driver for Slurm, the tests, fuzzers and
# benchmarks, or FILEs only: with clang-tidy and clang's analyzer (.clang-tidy says
# which checks are off, and why) and cppcheck; the headers also with gcc
# -fanalyzer, and parts of two headers with frama-c. Prints what ran; the exit
# status is 1 if a tool reports a finding.
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/static
status=0
rm -rf "$out"
mkdir -p "$out"

have() # COMMAND
{
	command -v "$1" >/dev/null && return
	echo "skip $1: not installed"
	return 1
}

# Runs a tool; prints its output, the findings, if it fails.
run() # NAME COMMAND...
{
	name=$1
	shift
	if "$@" >"$out/log.txt" 2>&1; then
		echo "ok $name"
	else
		status=1
		cat "$out/log.txt"
		echo "not ok $name"
	fi
}

tidy=clang-tidy-19
command -v $tidy >/dev/null || tidy=clang-tidy
run_tidy() # FILE CHECKS FLAG...
{
	tidy_file=$1
	tidy_checks=$2
	shift 2
	have $tidy && run "$tidy $tidy_file" $tidy --quiet \
		--config-file=.clang-tidy --checks="$tidy_checks" "$tidy_file" \
		-- -std=c99 -D_POSIX_C_SOURCE=200809L -I. "$@"
}

# profile.h: the callee reads only w.s before it writes.
run_cppcheck() # NAME FILE [OPTION...]
{
	cppcheck_name=$1
	cppcheck_file=$2
	shift 2
	have cppcheck && run "cppcheck $cppcheck_name" \
		cppcheck --std=c99 --quiet --error-exitcode=1 --max-configs=1 \
		-D__GNUC__=12 -DFAIR_HAVE_ZLIB -D_POSIX_C_SOURCE=200809L \
		--enable=warning,portability \
		--suppress=ctuuninitvar:profile.h -I. -Itests "$@" \
		"$cppcheck_file"
}

run_gcc() # NAME FILE FLAG...
{
	gcc_name=$1
	gcc_file=$2
	shift 2
	run "gcc -fanalyzer $gcc_name" gcc -fanalyzer -Werror -std=c99 -I. "$@" \
		-c "$gcc_file" -o "$out/unit.o"
}

# A header by itself is the main file, so that clang's analyzer begins at each of
# its functions. gcc does not finish with profile.h, nor soon with some others: one
# run analyses a part of each function, another uses summaries of calls, which lack
# what a call writes through a pointer.
header() # FILE
{
	run_tidy "$1" '' -x c -DFAIRSCHED_IMPLEMENTATION
	unit=$out/$(basename "$1" .h).c
	printf '#define FAIRSCHED_IMPLEMENTATION\n#include "%s"\n' "$1" >"$unit"
	run_cppcheck "$1" "$unit"
	case $1 in
	profile.h | machine.h | nodes.h | space.h | *backfill.h | *conservative.h | fairsched.h)
		run_gcc "$1, in part" "$unit" \
			--param analyzer-max-enodes-per-program-point=2 \
			--param analyzer-bb-explosion-factor=1
		run_gcc "$1, summaries" "$unit" -O2 -fanalyzer-call-summaries \
			-Wno-analyzer-use-of-uninitialized-value \
			-Wno-analyzer-null-dereference \
			-Wno-analyzer-null-argument
		;;
	*) run_gcc "$1" "$unit" ;;
	esac
}

# Checks that are off for tests. suspicious-realloc-usage: they abort without
# memory; memory-comparison, exp42, flp37: they compare every byte of a struct that
# must not change; redundant-expression: two draws of a fuzzer look alike; Malloc:
# they end without freeing. clang's analyzer: a test continues after a failed
# check, with results that the call has not written. cppcheck: tests pass NULL,
# uninitialized memory and kinds below 0, and it does not see why a divisor is not
# 0. In sched_model.c the analyzer does not see that a list is filled.
tests=-bugprone-suspicious-realloc-usage
tests=$tests,-bugprone-suspicious-memory-comparison,-cert-exp42-c,-cert-flp37-c
tests=$tests,-misc-redundant-expression,-clang-analyzer-unix.Malloc

program() # FILE
{
	case $1 in
	tests/*_test.c | tests/portable.c | tests/model/sched_model.c)
		checks="$tests,-clang-analyzer-*"
		;;
	tests/* | fuzz/* | bench/*) checks=$tests ;;
	*) checks= ;;
	esac
	run_tidy "$1" "$checks" -DFAIR_HAVE_ZLIB -Itests
	case $1 in
	tests/* | fuzz/*)
		run_cppcheck "$1" "$1" --suppress=nullPointer \
			--suppress=ctunullpointer --suppress=uninitdata \
			--suppress=nullPointerArithmeticRedundantCheck \
			--suppress=negativeIndex --suppress=zerodivcond
		;;
	*) run_cppcheck "$1" "$1" ;;
	esac
}

# Checks the number of alarms; without alarms no behaviour is undefined.
# shellcheck disable=SC2317
alarms() # COUNT FILE FLAGS [OPTION...]
{
	alarms_count=$1
	alarms_file=$2
	alarms_flags=$3
	shift 3
	frama-c -eva -eva-precision 4 -eva-no-print -machdep gcc_x86_64 "$@" \
		-cpp-extra-args="-I. $alarms_flags" "$alarms_file" \
		>"$out/eva.txt" 2>&1
	grep -q "^  $alarms_count alarms generated" "$out/eva.txt" && return
	cat "$out/eva.txt"
	return 1
}

# With memory from 0x10001 to END and no byte more.
# shellcheck disable=SC2317
in_memory() # END COUNT FILE FLAGS [OPTION...]
{
	end=$1
	count=$2
	file=$3
	flags=$4
	shift 4
	alarms "$count" "$file" "-DBEGIN=0x10001 -DEND=$end $flags" \
		-absolute-valid-range "0x10001-$end" "$@"
}

frama()
{
	have frama-c || return
	run "frama-c profile.h" alarms 0 tools/static/profile_eva.c ''
	run "frama-c profile.h, empty" in_memory 0x1207f 0 \
		tools/static/query_eva.c '' -eva-precision 7
	run "frama-c usage.h" alarms 0 tools/static/usage_eva.c ''
	run "frama-c usage.h, half-life" in_memory 0x100f7 0 \
		tools/static/ledger_eva.c ''
	# The alarms need period * length <= t, and I4, which are no ranges.
	run "frama-c usage.h, windows: 4 alarms" in_memory 0x100f7 4 \
		tools/static/ledger_eva.c -DWINDOWS
}

[ $# -gt 0 ] || frama
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- checkpoint.h quotas.h profile.h machine.h nodes.h queue.h space.h usage.h \
	policies/*.h fairsched.h \
	$(find sched tools/fairsched tools/experiments tools/slurm \
		-name plugin -prune -o -name '*.[ch]' -print 2>/dev/null |
		grep -E '^sched|c$') \
	bench/*.c fuzz/*.c tests/model/*.c tests/*.c tests/*/*_test.c
for file; do
	case $file in
	*.h) header "$file" ;;
	*) program "$file" ;;
	esac
done
exit $status
