#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/harness.sh OUT [TARGET ...]
#
# Compiles fuzz/TARGET.c, or every fuzz/*_fuzz.c, to OUT/TARGET; needs a compiler
# only. Honours the variables that ClusterFuzzLite and AFL++ set:
#
#	CC, CFLAGS		the compiler, default cc and -O1 -g
#	CXX, CXXFLAGS		the linker, default CC and CFLAGS
#	LIB_FUZZING_ENGINE	the source of main(): -fsanitize=fuzzer (default),
#				a library, or a .c file such as fuzz/replay_main.c
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

# An archive, so that a fuzzer links the parts that it uses and does not define.
compile_parts() # FILE.c...
{
	for file; do
		[ "${file##*/}" = main.c ] ||
			compile "$file" "$work/$(echo "$file" | tr / _).o"
	done
}

compile_parts tests/model/*.c
for target; do
	grep -Eq '"(\.\./)?tools/' "fuzz/$target.c" || continue
	# shellcheck disable=SC2046
	sh tools/fairsched/report/assets/embed.sh >"$work/page_assets.c"
	compile_parts "$work/page_assets.c" $(find tools/fairsched tools/slurm \
		-name plugin -prune -o -name '*.c' -print)
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
