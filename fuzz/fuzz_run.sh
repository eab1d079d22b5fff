#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: fuzz_run.sh FUZZER
#
# Runs a fuzzer for FUZZ_SECONDS (30) from its seed corpus, with the random numbers
# of FUZZ_SEED (1): the same inputs in the same order in each run, as many as there
# is time for. FUZZ_SEED=0 draws others each time. Writes what it finds to the
# test's outputs folder.
set -eu
fuzzer=$1
name=${fuzzer##*/}
seeds=${TEST_TMPDIR:?}/seeds
out=${TEST_UNDECLARED_OUTPUTS_DIR:-$TEST_TMPDIR}

# libFuzzer would write to a corpus folder that is an operand.
find -L "fuzz/corpus/$name" -type f | LC_ALL=C sort | paste -sd, - |
	tr -d '\n' >"$seeds"
[ -s "$seeds" ] || { echo "not ok $name: no seed corpus"; exit 1; }
set -- -seed_inputs=@"$seeds" -artifact_prefix="$out/" -print_final_stats=1 \
	-seed="${FUZZ_SEED:-1}" \
	-max_total_time="${FUZZ_SECONDS:-30}" -timeout=20 -rss_limit_mb=2048
[ ! -f "$fuzzer.dict" ] || set -- "$@" -dict="$fuzzer.dict"
"$fuzzer" "$@" || { echo "not ok $name"; exit 1; }
echo "ok $name"
