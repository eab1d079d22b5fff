#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh bench/parts.sh
#
# What the single file weighs without parts, as a table: its lines, the seconds of
# processor time that its bodies take to compile with -O2, and the text of docs/examples/loop.c at -Os
# with static functions, in KB. Honours CC.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '#define FAIRSCHED_IMPLEMENTATION\n#include "fairsched.h"\n' \
	>"$work/bodies.c"
sed 's/^#define FAIRSCHED_IMPLEMENTATION/#define FAIRSCHED_STATIC/' \
	docs/examples/loop.c >"$work/loop.c"

row() # NAME ARGUMENT...
{
	name=$1
	shift
	sh tools/amalgamate.sh "$@" >"$work/fairsched.h"
	seconds=$(python3 -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime)' \
		"${CC:-cc}" -std=c99 -O2 -I"$work" -c "$work/bodies.c" \
		-o "$work/bodies.o")
	"${CC:-cc}" -std=c99 -Os -I"$work" -c "$work/loop.c" -o "$work/loop.o"
	echo "$name $(wc -l <"$work/fairsched.h") $seconds" \
		"$(size "$work/loop.o" | tail -n 1)" | awk -F'|' '{
		split($1, f, " ")
		printf "| %s | %d | %.1f | %d |\n", f[1], f[2], f[3],
			f[4] / 1000 }' | tr '_' ' '
}

echo "| file | lines | seconds | KB |"
echo "|---|---|---|---|"
row whole
for part in $(sed -n 's/^#define FAIR_HAS_\(.*\) 0$/\1/p' sched/parts.h |
	tr 'A-Z' 'a-z'); do
	row "without_$part" --without "$part"
done
for policy in easy conservative sfs relshare maui; do
	row "$policy" --policies "$policy"
done
row "easy,_nothing_else" --policies easy \
	--without usage,fairness,runs,why,whatif,checkpoint \
	--without classes,limits,advances,throttle,penalty,profile
