#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/packages.sh [NAME ...]
#
# Tests packages: tests/packages/NAME.sh, by default all of them. Each is built,
# installed into something empty and used there. One whose tools are not here
# and cannot be installed skips, and says so. The last line counts the cases.
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/packages
mkdir -p $out

test_package() # NAME
{
	log=$out/$1.txt
	start=$(date +%s)
	status=0
	sh "tests/packages/$1.sh" >"$log" 2>&1 </dev/null || status=$?
	if [ "$status" -ne 0 ] && ! grep -q '^not ok ' "$log"; then
		echo "not ok $1: exit status $status" >>"$log"
	fi
	echo "$1: $(grep -c '^ok ' "$log") passed," \
		"$(grep -c '^not ok ' "$log") failed," \
		"$(grep -c '^skip ' "$log") skipped in $(($(date +%s) - start)) s"
	grep '^skip ' "$log"
	! grep -q '^not ok ' "$log" || grep -v '^ok ' "$log" | tail -n 60
}

if [ "${1:-}" = --test ]; then
	test_package "$2"
	exit 0
fi
if [ $# -eq 0 ]; then
	for file in tests/packages/*.sh; do
		name=${file##*/}
		[ "$name" = common.sh ] || set -- "$@" "${name%.sh}"
	done
fi
for name; do
	[ -f "tests/packages/$name.sh" ] || {
		echo "packages.sh: unknown package '$name'" >&2
		exit 2
	}
done

each() # NAME...: two at a time, the longest among the first
{
	printf '%s\n' "$@" | sort -r | xargs -P 2 -n 1 sh tools/packages.sh --test
}

passed=0 failed=0 skipped=0
each "$@"
for name; do
	log=$out/$name.txt
	passed=$((passed + $(grep -c '^ok ' "$log")))
	failed=$((failed + $(grep -c '^not ok ' "$log")))
	skipped=$((skipped + $(grep -c '^skip ' "$log")))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
