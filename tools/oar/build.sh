#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/oar/build.sh [DIR]
#
# Compiles fairsched-oar into DIR (build); needs a C compiler only. Honours CC and
# CFLAGS.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=${1:-$root/build}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
cd "$root"
# shellcheck disable=SC2086
${CC:-cc} -O2 -std=c99 -D_POSIX_C_SOURCE=200809L ${CFLAGS:-} -I. \
	tools/oar/plan.c tools/fairsched/base/*.c -lpthread -lm \
	-o "$dir/fairsched-oar.new"
mv -f "$dir/fairsched-oar.new" "$dir/fairsched-oar"
