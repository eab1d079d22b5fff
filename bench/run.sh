#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh bench/run.sh [--quick | --full] [--csv F] [--json F] [NAME...]
#
# Builds the benchmarks NAME (default: every NAME_bench.c) into build/bench with a
# C compiler, runs one after the other on one processor and prints a table with
# the limits of this machine, the targets and the misses. Honours CC, CFLAGS (-O3
# -march=native) and FAIRSCHED_SHARED (the folder of the traces). Three rounds
# make the spread, so that it includes what changes on the machine within
# minutes. --quick: one round of seconds; --full: one round with all traces.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
here=$PWD
cc=${CC:-cc}
how=
csv=
json=

usage()
{
	sed -n 's/^# usage: /usage: /p' "$root/bench/run.sh" >&2
	exit 2
}

absolute() # FILE
{
	case $1 in
	/*) echo "$1" ;;
	*) echo "$here/$1" ;;
	esac
}

while [ $# -gt 0 ]; do
	case $1 in
	--quick | --full) how=$1 ;;
	--csv | --json)
		[ $# -gt 1 ] || usage
		if [ "$1" = --csv ]; then
			csv=$(absolute "$2")
		else
			json=$(absolute "$2")
		fi
		shift
		;;
	-*) usage ;;
	*) break ;;
	esac
	shift
done

cd "$root"
dir=$root/build/bench
mkdir -p "$dir"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Some compilers do not know -march=native.
flags=${CFLAGS:--O3 -march=native}
echo 'int main(void) { return 0; }' >"$work/x.c"
# shellcheck disable=SC2086
if [ -z "${CFLAGS:-}" ] && ! $cc $flags -o "$work/x" "$work/x.c" 2>"$work/log"
then
	flags=-O3
fi

parts() # NAME: prints the sources of its program besides NAME_bench.c
{
	if [ "$1" = traces ]; then
		sh tools/fairsched/report/assets/embed.sh >"$work/page_assets.c"
		echo "$work/page_assets.c"
		find tools/fairsched -name '*.c' ! -name main.c
	fi
}

# ---- build, run ----

if [ $# -eq 0 ]; then
	for name in bench/*_bench.c; do
		set -- "$@" "$(basename "$name" _bench.c)"
	done
fi
names=limits
for name; do
	[ "$name" = limits ] || names="$names $name"
done
for name in $names; do
	# shellcheck disable=SC2046,SC2086
	$cc -std=c99 -D_POSIX_C_SOURCE=200809L $flags -I. \
		"bench/${name}_bench.c" $(parts "$name") -o "$dir/$name" -lm -lpthread
done

rounds=3
[ -z "$how" ] || rounds=1
status=0
round=0
: >"$work/all"
while [ $((round += 1)) -le "$rounds" ]; do
	for name in $names; do
		echo "bench: round $round of $rounds: $name" >&2
		# shellcheck disable=SC2086
		if ! "$dir/$name" $how >"$work/out"; then
			echo "bench: $name FAILED" >&2
			status=1
		fi
		sed 1d "$work/out" >>"$work/all"
	done
done

# The median of the rounds' medians, and the extremes of all rounds.
awk -F, -v OFS=, '
!(($1, $2) in rounds) {
	cases++
	row[cases] = $0
	key[cases] = $1 SUBSEP $2
}

{
	k = $1 SUBSEP $2
	for (i = ++rounds[k]; i > 1 && median[k, i - 1] > $4 + 0; i--)
		median[k, i] = median[k, i - 1]
	median[k, i] = $4 + 0
	if (rounds[k] == 1 || $5 + 0 < least[k])
		least[k] = $5 + 0
	if ($6 + 0 > most[k])
		most[k] = $6 + 0
}

END {
	for (c = 1; c <= cases; c++) {
		$0 = row[c]
		k = key[c]
		$4 = median[k, int((rounds[k] + 1) / 2)]
		$5 = least[k]
		$6 = most[k]
		print
	}
}' "$work/all" >"$work/rows"

# ---- the machine ----

commit=unknown
if [ -e .git ] && commit=$(git rev-parse --short=12 HEAD 2>/dev/null); then
	[ -z "$(git status --porcelain -- '*.h' '*.c')" ] || commit=$commit+
fi
version=$(sed -n 's/^#define FAIRSCHED_VERSION //p' profile.h |
	awk '{ printf "%d.%d.%d", $1 / 100, $1 / 10 % 10, $1 % 10 }')
cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
[ -n "$cpu" ] || cpu=$(uname -m)
# A dependent addition takes a cycle.
ghz=$(awk -F, '$1 == "machine_cycle" { printf "%.2f", 1 / $5 }' "$work/rows")
compiler=$($cc --version | head -n 1)

quote() # TEXT, as CSV and JSON both read it
{
	printf '"%s"' "$(printf %s "$1" | tr '"\\' "''" | tr -d '\000-\037')"
}

about="$(quote "$compiler"),$(quote "$flags"),$(quote "$cpu"),$ghz"
about="$about,$version,$commit"
{
	printf 'case,n,unit,median,min,max,instructions,target,ratio,'
	echo 'compiler,flags,cpu,ghz,version,commit'
	sed "s|\$|,|" "$work/rows" | while IFS= read -r row; do
		printf '%s%s\n' "$row" "$about"
	done
} >"$work/csv"

# ---- results ----

write_json()
{
	printf '{\n  "compiler": %s,\n' "$(quote "$compiler")"
	printf '  "flags": %s,\n  "cpu": %s,\n' "$(quote "$flags")" \
		"$(quote "$cpu")"
	printf '  "ghz": %s,\n  "version": "%s",\n' "$ghz" "$version"
	printf '  "commit": "%s",\n  "rows": [\n' "$commit"
	awk -F, '
	BEGIN {
		split("case n unit median min max instructions target ratio",
		      key, " ")
	}
	{
		printf "%s    {", (NR > 1 ? ",\n" : "")
		for (i = 1; i <= 9; i++) {
			v = $i == "" ? "null" : $i
			if (i == 1 || i == 3)
				v = "\"" v "\""
			printf "%s\"%s\": %s", (i > 1 ? ", " : ""), key[i], v
		}
		printf "}"
	}
	END { print "\n  ]\n}" }' "$work/rows"
}

if [ -n "$csv" ]; then
	cp "$work/csv" "$csv"
fi
if [ -n "$json" ]; then
	write_json >"$json"
fi
printf 'compiler  %s\nflags     %s\n' "$compiler" "$flags"
printf 'processor %s, about %s GHz\n' "$cpu" "$ghz"
printf 'version   %s, commit %s\n\n' "$version" "$commit"
awk -f bench/table.awk "$work/csv"
exit "$status"
