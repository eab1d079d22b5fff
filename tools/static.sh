#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/static.sh
#
# Static analysis of the headers: clang-tidy (.clang-tidy says which checks are
# off, and why), cppcheck, gcc -fanalyzer, and frama-c on parts of two. Prints
# what ran; exit status 1 if one of them has found something.
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

# Its output is findings.
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

unit() # HEADER: the name of a unit of its implementation
{
	printf '#define FAIRSCHED_IMPLEMENTATION\n#include "%s"\n' "$1" \
		>"$out/$(basename "$1" .h).c"
	echo "$out/$(basename "$1" .h).c"
}

# No alarm: what it proves of these is that nothing is undefined.
alarms() # FILE
{
	frama-c -eva -eva-precision 4 -eva-no-print -machdep gcc_x86_64 \
		-cpp-extra-args=-I. "$1" >"$out/eva.txt" 2>&1
	grep -q '^  0 alarms generated' "$out/eva.txt" && return
	cat "$out/eva.txt"
	return 1
}

tidy=clang-tidy-19
command -v $tidy >/dev/null || tidy=clang-tidy
for header in profile.h queue.h usage.h policies/*.h fairsched.h; do
	file=$(unit "$header")
	have $tidy && run "$tidy $header" \
		$tidy --quiet --config-file=.clang-tidy "$file" -- -std=c99 -I.
	# w.s is all that the callee reads before it writes.
	have cppcheck && run "cppcheck $header" \
		cppcheck --std=c99 --quiet --error-exitcode=1 --max-configs=1 \
		-D__GNUC__=12 --enable=warning,portability \
		--suppress=ctuuninitvar:profile.h -I. "$file"
	# With profile.h it comes to no end, in 5 GB.
	case $header in
	profile.h | *backfill.h | *conservative.h | fairsched.h) ;;
	*) run "gcc -fanalyzer $header" gcc -fanalyzer -Werror -std=c99 -I. \
		-c "$file" -o "$out/unit.o" ;;
	esac
done
if have frama-c; then
	run "frama-c profile.h" alarms tools/static/profile_eva.c
	run "frama-c usage.h" alarms tools/static/usage_eva.c
fi
exit $status
