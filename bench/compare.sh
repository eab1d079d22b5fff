#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh bench/compare.sh A.csv B.csv
#
# Prints two results of run.sh side by side and marks the changes beyond the
# spread. Other work on a machine only adds to times, so the noise of a case lies
# between min and median: a case has changed if these two ranges do not overlap
# and the medians differ by 3 %.
set -eu
if [ $# -ne 2 ] || [ ! -r "$1" ] || [ ! -r "$2" ]; then
	sed -n 's/^# usage: /usage: /p' "$0" >&2
	exit 2
fi
awk -F, '
FNR == 1 { file++; next }

file == 1 {
	median[$1, $2] = $4
	least[$1, $2] = $5
	next
}

function row(name, n, a, b, mark)
{
	printf "%-30s %9s %12s %12s %7s  %s\n", name, n, a, b,
	       (a > 0 && b > 0 ? sprintf("%.3f", b / a) : ""), mark
}

FNR == 2 {
	printf "%-30s %9s %12s %12s %7s\n", "case", "n", "A", "B", "B/A"
}

!(($1, $2) in median) { row($1, $2, "", $4, "new"); new++; next }

{
	rows++
	a = median[$1, $2]
	mark = ""
	if ($5 > a && $4 > 1.03 * a)
		mark = $3 == "ns" ? "SLOWER" : "MORE"
	if ($4 < least[$1, $2] && a > 1.03 * $4)
		mark = $3 == "ns" ? "faster" : "less"
	moved += mark != ""
	row($1, $2, a, $4, mark)
	delete median[$1, $2]
}

END {
	for (key in median) {
		split(key, part, SUBSEP)
		row(part[1], part[2], median[key], "", "gone")
	}
	printf "\n%d of %d changed beyond the spread\n", moved, rows
}' "$1" "$2"
