#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tests/record/compare.sh [events|machines|logs|instructions]
#
# Compares what is decided now with what an earlier version decided, which the
# first line of events.tsv, machines.tsv ... names. The lines that
# differ are printed, and the command fails.
#   events        random live events: 20 s; the default
#   machines      the traces with classes in $FAIRSCHED_SHARED/traces: a minute
#   logs          the logs in $FAIRSCHED_SHARED/traces (../shared): 4 minutes;
#                 most of what they gave is in $FAIRSCHED_SHARED/oracle
#   instructions  how many it takes, by valgrind: a minute, within 3 %
# CC and CFLAGS are heeded. To record anew what has changed on purpose, see
# README.md.
set -eu
cd "$(dirname "$0")/../.."
what=${1:-events}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

now_events()
{
	# shellcheck disable=SC2086
	${CC:-cc} -std=c99 -O2 ${CFLAGS:-} -I. tests/record/record_events.c \
		-o "$out/events"
	"$out/events"
}

now_machines()
{
	sh tools/build.sh "$out/build"
	sh tests/record/record_machines.sh "$out/build/fairsched"
}

now_logs()
{
	sh tools/build.sh "$out/build"
	sh tests/record/record_logs.sh "$out/build/fairsched"
}

now_instructions()
{
	sh tools/build.sh "$out/build"
	sh tests/record/instructions.sh "$out/build/fairsched"
}

# Lines of log, policy, instructions: before, now.
close_enough()
{
	paste "$1" "$2" | awk '
		BEGIN { FS = OFS = "\t" }
		$1 != $4 || $2 != $5 || $3 <= 0 || $6 <= 0 { bad = 1 }
		{ percent = 100 * ($6 - $3) / $3
		  print $1, $2, $3, $6, sprintf("%+.2f %%", percent) }
		percent > 3 { bad = 1 }
		END { exit bad }
	'
}

case $what in
events | machines | instructions) cat "tests/record/$what.tsv" ;;
logs)
	LC_ALL=C sort tests/record/logs.tsv \
		"${FAIRSCHED_SHARED:-../shared}/oracle/digests.tsv"
	;;
*)
	sed -n '3,14s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac >"$out/before.txt"
grep -v '^#' "$out/before.txt" >"$out/before.tsv"
"now_$what" >"$out/now.tsv"
[ "$what" != machines ] || [ -s "$out/now.tsv" ] || exit 0 # no traces
if [ "$what" = instructions ]; then
	close_enough "$out/before.tsv" "$out/now.tsv"
else
	diff "$out/before.tsv" "$out/now.tsv"
fi
