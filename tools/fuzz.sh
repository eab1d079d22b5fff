#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/fuzz.sh TARGET [SECONDS]
#
# Fuzzes fuzz/TARGET.c for SECONDS (600) from its seed corpus. New inputs and
# crashes go to build/fuzz/TARGET/, and the next run goes on from there.
set -eu
cd "$(dirname "$0")/.."
target=${1:?usage: sh tools/fuzz.sh TARGET [SECONDS]}
seconds=${2:-600}
out=build/fuzz/$target
mkdir -p "$out/corpus" "$out/crashes"

bazel build --config=fuzz --noshow_progress "//fuzz:$target" >&2
# The next build may replace it.
cp -fL "bazel-bin/fuzz/$target" "$out/fuzzer"
set -- "$out/corpus"
# Only the first folder is written to.
[ ! -d "fuzz/corpus/$target" ] || set -- "$@" "fuzz/corpus/$target"
[ ! -f "fuzz/$target.dict" ] || set -- "$@" -dict="fuzz/$target.dict"
exec "$out/fuzzer" "$@" -max_total_time="$seconds" -timeout=20 \
	-rss_limit_mb=2048 -artifact_prefix="$out/crashes/" -print_final_stats=1
