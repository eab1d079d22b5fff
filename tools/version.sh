#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/version.sh [X.Y.Z]
#
# Prints the version, or sets it: each header that stands alone says it in its
# FAIRSCHED_VERSION, and so do the packages that cannot ask this script.
# tests/packages/version.sh sees that they agree.
set -eu
cd "$(dirname "$0")/.."
headers=$(grep -l '^#define FAIRSCHED_VERSION ' ./*.h policies/*.h)
old=$(sed -n 's/^#define FAIRSCHED_VERSION \(.*\)\(.\)\(.\)$/\1.\2.\3/p' queue.h)
if [ $# -eq 0 ]; then
	echo "$old"
	exit
fi
case $1 in
[1-9].[0-9].[0-9]) ;;
*)
	echo "version.sh: '$1' is not a version, as 1.0.0 is" >&2
	exit 2
	;;
esac
number=$(echo "$1" | tr -d .)
change() # SCRIPT FILE...
{
	script=$1
	shift
	for file; do
		[ -e "$file" ] || continue
		sed "$script" "$file" >"$file.new"
		cat "$file.new" >"$file"
		rm "$file.new"
	done
}
# shellcheck disable=SC2086
change "s/^\(#define FAIRSCHED_VERSION\) .*/\1 $number/" $headers
dots=$(echo "$old" | sed 's/\./\\./g')
change "s/^\( *\"*version\"*:* *=* *\"*\)$dots/\1$1/" MODULE.bazel CITATION.cff \
	packages/python/pyproject.toml packages/rust/Cargo.toml \
	packages/npm/package.json packages/vcpkg/fairsched/vcpkg.json
change "/^name = \"fairsched/{n;s/$dots/$1/;}" packages/rust/Cargo.lock
