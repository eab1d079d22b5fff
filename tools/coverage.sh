#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/coverage.sh [NAME ...]
#
# Measures which branches of the headers the C tests take, or NAME_test.c
# only; the tests read no trace and no oracle. Prints each outcome that no test
# sees, then a line for each header. The exit status is 1 if there is such an
# outcome or if a test fails.
#
# clang counts conditions, so a && b has four outcomes. An assert has none here:
# a comment beside it proves it, and all other runs of the tests check it.
set -eu
cd "$(dirname "$0")/.."
out=$PWD/build/coverage
export FAIRSCHED_SHARED="$out/nothing"
asserts='-DFAIR_ASSERT(x)=((void)0)'
count="-O1 -fprofile-instr-generate -fcoverage-mapping"

compile() # ARGUMENT...
{
	clang-19 -std=c99 -D_POSIX_C_SOURCE=200809L -DTEST_LIGHT -I. "$@"
}

# All tests except for those that take no additional branch.
tests()
{
	for file in tests/*/*_test.c; do
		case $file in
		tests/second_workspace/* | */accounts_* | */exhaustive_* | */golden_* | */machine_* | \
			*/maui_config_* | */oracle_* | */*_traces_* | \
			*/report_* | */shares_* | */swf_* | */traces_* | \
			*/usage_portable_*) continue ;;
		esac
		basename "$file" _test.c
	done
}

# Counts the branches of the scheduler, not those of models and command.
parts()
{
	sh tools/fairsched/report/assets/embed.sh >build/page_assets.c
	for file in build/page_assets.c \
		$(find tests/model tools/fairsched -name '*.c'); do
		case $file in
		*/main.c) continue ;;
		*/sched.c | */library.c) flags="$count $asserts" ;;
		tests/*) flags=-O2 ;;
		*) flags=-O0 ;;
		esac
		# shellcheck disable=SC2086
		compile $flags -c "$file" \
			-o "$out/parts/$(echo "$file" | tr / _).o"
	done
	ar rcs "$out/parts.a" "$out"/parts/*.o
}

# The library of the parts is counted in its place, unless tests/BUILD says that
# the test has bodies of its own: those compile thirty times as long.
source_of() # NAME
{
	echo tests/*/"$1_test.c"
}

for_test() # NAME
{
	if sed -n '/^OWN_BODIES/,/^]/p;/^OPTIMIZED/,/^]/p' tests/BUILD |
		grep -q "\"$1_test.c\"" ||
		! grep -q '^#define FAIRSCHED_IMPLEMENTATION' "$(source_of "$1")"
	then
		echo -O1
	else
		echo "-O0 -include fuzz/borrowed.h"
	fi
}

one() # NAME
{
	at=$out/$1
	# shellcheck disable=SC2046,SC2086
	compile $count $(for_test "$1") "$asserts" "$(source_of "$1")" \
		"$out/parts.a" -lpthread -lm -o "$at"
	status=0
	LLVM_PROFILE_FILE="$at.raw" "$at" >"$at.txt" 2>&1 || status=$?
	if [ "$status" -ne 0 ]; then
		echo "$1_test: exit status $status, see $at.txt" >&2
		return 1
	fi
	llvm-profdata-19 merge -o "$at.prof" "$at.raw"
	llvm-cov-19 export "$at" -instr-profile="$at.prof" \
		-skip-expansions ./*.h policies/*.h policies/*/*.h sched/*.h >"$at.json"
}

if [ "${1:-}" = --one ]; then
	one "$2"
	exit
fi
rm -rf "$out"
mkdir -p "$out/parts"
parts
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(tests)
status=0
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -n 1 sh "$0" --one || status=1
python3 tools/coverage.py "$out"/*.json || status=1
exit $status
