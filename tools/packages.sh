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
passed=0 failed=0 skipped=0
for name; do
	log=$out/$name.txt
	start=$(date +%s)
	status=0
	sh "tests/packages/$name.sh" >"$log" 2>&1 </dev/null || status=$?
	p=$(grep -c '^ok ' "$log")
	f=$(grep -c '^not ok ' "$log")
	s=$(grep -c '^skip ' "$log")
	if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
		f=1
	fi
	echo "$name: $p passed, $f failed, $s skipped" \
		"in $(($(date +%s) - start)) s"
	grep '^skip ' "$log"
	[ "$f" -eq 0 ] || grep -v '^ok ' "$log" | tail -n 60
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
