#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tests/record/instructions.sh FAIRSCHED
#
# Prints log, policy and how many instructions a simulation takes, by valgrind:
# FAIRSCHED is to be compiled by -O2 without -march, as tools/build.sh does. The
# logs lie in $FAIRSCHED_SHARED/traces (../shared); they are unpacked before.
# Whatever processor valgrind shows, the library may choose other code for it:
# compare with counts of the same machine.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)

# Called by itself.
if [ "$1" = --one ]; then
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" \
		simulate "$tmp/$2.swf" --policy "$3" 2>&1 >"$tmp/$2.$3.txt" |
		awk -v run="$2\t$3" '
			/refs:/ { gsub(",", "", $NF); n = $NF }
			END { print run "\t" (n ? n : "failed") }
		'
	exit
fi
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
traces=$(cd "${FAIRSCHED_SHARED:-$folder/../../../shared}/traces" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export program tmp
for log in KTH-SP2-1996-2 SDSC-SP2-1998-4.2-cln; do
	gzip -dc "$traces/$log.swf.gz" >"$tmp/$log.swf"
	for policy in easy conservative pc dc; do
		echo "$log $policy"
	done
done >"$tmp/runs"
xargs -P 2 -L 1 sh "$folder/instructions.sh" --one <"$tmp/runs" |
	LC_ALL=C sort
