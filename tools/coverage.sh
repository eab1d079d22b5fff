#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/coverage.sh [FILE]
#
# Which lines the C tests and the fuzzers' corpora reach, a line of the table a
# file; or the lines of FILE that they do not reach.
set -eu
cd "$(dirname "$0")/.."
# Status 3: built, but a test failed; what the others reach is still reported.
bazel coverage --keep_going --noshow_progress --config=coverage //... >&2 ||
	[ $? -eq 3 ]
report=$(bazel info --noshow_progress output_path)/_coverage

# Each test has records of its own: a line is reached if one of them reaches it.
awk -F '[:,]' -v only="${1:-}" '
/^SF:/ { file = $2 }
/^DA:/ { hits[file, $2] += $3 }
END {
	for (key in hits) {
		split(key, part, SUBSEP)
		lines[part[1]]++
		reached[part[1]] += hits[key] > 0
		if (only == part[1] && !hits[key])
			print part[2]
	}
	for (file in lines)
		if (only == "" && file !~ /^(tests|fuzz|external)\//)
			printf "%s %d of %d lines, %.1f %%\n", file,
				reached[file], lines[file],
				100 * reached[file] / lines[file]
}' "$report/_coverage_report.dat" | sort -n
