#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/build.sh [DIR]
#
# Compiles the command into DIR (build) if a source has changed; needs a C
# compiler only. Honours CC and CFLAGS. Uses zlib if it is installed, unless
# ZLIB=no, and gzip otherwise.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
dir=${1:-$root/build}
cc=${CC:-cc}
flags="-O2 -std=c99 -D_POSIX_C_SOURCE=200809L ${CFLAGS:-}"
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

zlib=
if [ "${ZLIB:-yes}" != no ]; then
	printf '#include <zlib.h>\nint main(void) { return !zlibVersion(); }\n' \
		>"$dir/zlib.c"
	# shellcheck disable=SC2086
	if $cc $flags "$dir/zlib.c" -lz -o "$dir/zlib" 2>"$dir/zlib.log"; then
		zlib="-DFAIR_HAVE_ZLIB -lz"
	fi
	rm -f "$dir/zlib.c" "$dir/zlib" "$dir/zlib.log"
fi

cd "$root"
how="$cc $flags -I. tools/fairsched/*/*.c -lpthread -lm $zlib"
if [ -x "$dir/fairsched" ] && [ "$(cat "$dir/built.txt" 2>&1)" = "$how" ] &&
	[ -z "$(find ./*.h policies sched tools/fairsched \
		-newer "$dir/fairsched")" ]
then
	exit 0
fi
sh tools/fairsched/report/assets/embed.sh >"$dir/page_assets.c"
# Replaces the program at once: a process may be running the old one.
# shellcheck disable=SC2086
$how "$dir/page_assets.c" "-DFAIRSCHED_COMMIT=\"$(sh tools/commit.sh)\"" \
	-o "$dir/fairsched.new"
mv -f "$dir/fairsched.new" "$dir/fairsched"
echo "$how" >"$dir/built.txt"
