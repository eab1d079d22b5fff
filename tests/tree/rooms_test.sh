#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Each room of a header compiles behind the declarations of that header, what the
# other headers do, and the rooms that its first page says it uses, and no
# others. No header is longer or wider than a head holds.
. tests/test.sh

warn="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
	-Wno-unused-function"

# "Uses: a.h, b.h." and, in turn, what these use.
uses() # ROOM...
{
	found=
	while [ $# -gt 0 ]; do
		# shellcheck disable=SC2046
		set -- $(cd "$folder" &&
			sed -n '/^ \* Uses:/s/[,.]\( \|$\)/ /gp' "$@" |
			grep -o '[a-z_]*\.h' | sort -u |
			grep -vxF "$(echo "$found" | tr ' ' '\n')")
		found="$found $*"
	done
	echo "$found" | tr ' ' '\n' | sort -u
}

# A function that another room defines is none here.
unit() # ROOM...
{
	for part in ./*.h policies/*.h; do
		[ "$part" = ./fairsched.h ] || [ "$part" = "$header" ] ||
			sed -n 's/^#ifndef \(FAIR_[A-Z]*\)_H$/#define \1_IMPLEMENTATION/p' \
				"$part" | head -n 1
	done
	sed -n "s/^#include \"${folder#policies/}\\/\\(.*\\)\"\$/\\1/p" "$header" |
		grep -vxE '(parts|types|answers|on_[a-z]*|host|version).h' \
			>"$tmp/order"
	echo "#include \"$header\""
	printf '%s\n' "$@" | grep -Fxf - "$tmp/order" |
		sed "s|.*|#include \"$folder/&\"|"
}

compiles() # NAME
{
	# shellcheck disable=SC2086
	check "$1" "${CC:-cc}" -std=c99 $warn -I. \
		-fsyntax-only "$tmp/room.c"
}

rooms() # FOLDER HEADER
{
	folder=$1
	header=$2
	for path in "$folder"/*.h; do
		room=${path##*/}
		# shellcheck disable=SC2046
		case $path in # these declare what others define
		sched/types.h | sched/answers.h | sched/on_*.h | \
			sched/host.h | sched/version.h | sched/parts.h | \
			sched/absent.h) continue ;;
		sched/afresh.h | sched/promising.h | sched/ledger_maui.h | \
			sched/ledger_limits.h)
			unit "$room" rows.h $(uses rows.h) ;;
		*) unit "$room" $(uses "$room") ;;
		esac >"$tmp/room.c"
		compiles "$path with what it uses"
	done
}

fits() # LINES FILE...
{
	most=$1
	shift
	for file; do
		lines=$(wc -l <"$file")
		check "$file: $lines lines, at most $most" test "$lines" -le "$most"
		same "$file: at most 80 columns" "$(expand "$file" | tr -d '\200-\277' |
			LC_ALL=C awk 'length > 80 { print NR ": " $0 }')" ""
	done
}

rooms policies/backfill policies/backfill.h
rooms policies/conservative policies/conservative.h
rooms policies/fairtree policies/fairtree.h
rooms sched fairsched.h

# step.h calls what events.h defines.
# shellcheck disable=SC2046
unit step.h $(uses events.h) >"$tmp/room.c"
# shellcheck disable=SC2086
fails "a room without one that it needs" 1 "${CC:-cc}" -std=c99 $warn -I. \
	-fsyntax-only "$tmp/room.c"

# A property in a row or a table decides, not which one it is.
others=$(printf '%s\n' sched/*.h |
	grep -vE 'sched/(rows|policy|space)[.]h')
# shellcheck disable=SC2086
same "only rows and the space ask which policy or table it is" \
	"$(grep -nE 'policy [!=]= FAIR_|[!=]= &fair_|&fair_[a-z_]*\) [!=]=' \
		$others)" ""

fits 1400 fairsched.h
fits 1000 sched/*.h policies/*/*.h
fits 2000 policies/*.h
fits 3200 checkpoint.h quotas.h machine.h profile.h queue.h space.h usage.h
fits 4420 nodes.h
finish
