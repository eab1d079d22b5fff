#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/harness.sh OUT [TARGET ...]
#
# Compiles fuzz/TARGET.c, or every fuzz/*_fuzz.c, to OUT/TARGET by a compiler
# and nothing else. Heeded, as ClusterFuzzLite and AFL++ set them:
#
#	CC, CFLAGS		cc, -O1 -g
#	CXX, CXXFLAGS		what links, default CC and CFLAGS
#	LIB_FUZZING_ENGINE	where main() is: -fsanitize=fuzzer (default), a
#				library, or a .c file as fuzz/replay_main.c
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:?usage: sh tools/harness.sh OUT [TARGET ...]}"
out=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(basename -a -s .c fuzz/*_fuzz.c)
engine=${LIB_FUZZING_ENGINE:--fsanitize=fuzzer}

compile() # FILE.c OBJECT
{
	# shellcheck disable=SC2086
	${CC:-cc} ${CFLAGS:--O1 -g} -std=c99 -D_POSIX_C_SOURCE=200809L -I. \
		-c "$1" -o "$2"
}

# What a harness does not use, or defines itself, stays in the library.
compile_parts() # FILE.c...
{
	for file; do
		[ "${file##*/}" = main.c ] ||
			compile "$file" "$work/$(echo "$file" | tr / _).o"
	done
}

compile_parts tests/model/*.c
for target; do
	grep -q '"\.\./tools/' "fuzz/$target.c" || continue
	compile_parts tools/fairsched/*.c tools/slurm/*.c
	break
done
${AR:-ar} rcs "$work/parts.a" "$work"/*.o
case $engine in
*.c)
	compile "$engine" "$work/engine"
	engine=$work/engine
	;;
esac

for target; do
	compile "fuzz/$target.c" "$work/target"
	# shellcheck disable=SC2086
	${CXX:-${CC:-cc}} ${CXXFLAGS:-${CFLAGS:--O1 -g}} "$work/target" \
		$engine "$work/parts.a" -lpthread -lm -o "$out/$target"
done
