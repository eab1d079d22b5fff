#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Each room of fairsched.h compiles behind the declarations, what the headers of
# the family do, and the rooms that its first page says it uses, and no others.
. tests/test.sh

warn="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
	-Wno-unused-function"

# "Uses: a.h, b.h." and, in turn, what these use.
uses() # ROOM...
{
	for room in "$@"; do
		for used in $(sed -n '/^ \* Uses:/s/[,.]\( \|$\)/ /gp' "sched/$room" |
			grep -o '[a-z_]*\.h'); do
			echo "$used"
			uses "$used"
		done
	done | sort -u
}

# A function that another room defines is none here.
unit() # ROOM...
{
	for header in ./*.h policies/*.h; do
		[ "$header" = ./fairsched.h ] ||
			sed -n 's/^#ifndef \(FAIR_[A-Z]*\)_H$/#define \1_IMPLEMENTATION/p' \
				"$header" | head -n 1
	done
	sed -n 's/^#include "sched\/\(.*\)"$/\1/p' fairsched.h |
		grep -vx types.h >"$tmp/order"
	echo '#include "fairsched.h"'
	printf '%s\n' "$@" | grep -Fxf - "$tmp/order" |
		sed 's/.*/#include "sched\/&"/'
}

compiles() # NAME
{
	cp "$tmp/room.c" "$tmp/room.cc"
	# shellcheck disable=SC2086
	check "$1, C99" "${CC:-cc}" -std=c99 $warn -I. \
		-fsyntax-only "$tmp/room.c"
	# shellcheck disable=SC2086
	check "$1, C++11" "${CXX:-c++}" -std=c++11 $warn -I. \
		-fsyntax-only "$tmp/room.cc"
}

for path in sched/*.h; do
	room=${path#sched/}
	# shellcheck disable=SC2046
	case $room in # the first two declare what rows.h defines
	types.h) continue ;;
	afresh.h | promising.h) unit "$room" rows.h $(uses rows.h) ;;
	*) unit "$room" $(uses "$room") ;;
	esac >"$tmp/room.c"
	compiles "$room with what it uses"
done

# step.h calls what events.h defines.
# shellcheck disable=SC2046
unit step.h $(uses events.h) >"$tmp/room.c"
# shellcheck disable=SC2086
fails "a room without one that it needs" 1 "${CC:-cc}" -std=c99 $warn -I. \
	-fsyntax-only "$tmp/room.c"
finish
