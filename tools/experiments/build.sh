#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/experiments/build.sh [DIR]
#
# Compiles the experiments of docs/REPRODUCTION.md to DIR/reproduce (build/reproduce);
# needs a C compiler only. Honours CC and CFLAGS.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=${1:-$root/build}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
cd "$root"
sh tools/fairsched/report/assets/embed.sh >"$dir/page_assets.c"
# shellcheck disable=SC2046,SC2086
${CC:-cc} -O2 -std=c99 -D_POSIX_C_SOURCE=200809L ${CFLAGS:-} -I. \
	tools/experiments/*.c \
	$(find tools/fairsched -name '*.c' ! -path '*/cli/main.c') \
	"$dir/page_assets.c" -lpthread -lm -o "$dir/reproduce.new"
mv -f "$dir/reproduce.new" "$dir/reproduce"
