#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/fuzz.sh TARGET [SECONDS]
#        sh tools/fuzz.sh --afl TARGET [SECONDS]
#        sh tools/fuzz.sh --minimize TARGET
#
# Fuzzes fuzz/TARGET.c for SECONDS (600) from its seed corpus, with libFuzzer or
# with AFL++. New inputs and crashes go to build/fuzz/TARGET/, where the next run
# of either continues. libFuzzer honours CC (clang-19).
#
# --minimize replaces fuzz/corpus/TARGET by the smallest inputs, of the corpus and
# of build/fuzz/TARGET, with the same coverage. It keeps the files with a name of
# their own; libFuzzer's names have 40 digits.
set -eu
cd "$(dirname "$0")/.."
how=libfuzzer
case ${1:-} in
--*)
	how=${1#--}
	shift
	;;
esac
target=${1:?usage: sh tools/fuzz.sh [--afl|--minimize] TARGET [SECONDS]}
seconds=${2:-600}
out=build/fuzz/$target
seeds=fuzz/corpus/$target
mkdir -p "$out/corpus" "$out/crashes" "$seeds"

build()
{
	sanitize="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
	CC="${CC:-clang-19}" CFLAGS="-O1 -g -fsanitize=fuzzer-no-link $sanitize" \
		sh tools/harness.sh "$out/bin" "$target"
}

libfuzzer()
{
	build
	# libFuzzer writes to the first folder only.
	set -- "$out/corpus" "$seeds"
	[ ! -f "fuzz/$target.dict" ] || set -- "$@" -dict="fuzz/$target.dict"
	exec "$out/bin/$target" "$@" -max_total_time="$seconds" -timeout=20 \
		-rss_limit_mb=2048 -artifact_prefix="$out/crashes/" \
		-print_final_stats=1
}

# AFL++ writes to folders of its own; copy its finds to the corpus.
afl()
{
	CC=afl-clang-fast CFLAGS="-O1 -g" sh tools/harness.sh "$out/afl" "$target"
	rm -rf "$out/afl/in"
	mkdir "$out/afl/in"
	find "$seeds" "$out/corpus" -type f -exec cp {} "$out/afl/in" \;
	set -- -i "$out/afl/in" -o "$out/afl/out" -t 20000 -V "$seconds"
	[ ! -f "fuzz/$target.dict" ] || set -- "$@" -x "fuzz/$target.dict"
	AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_AUTORESUME=1 \
		AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
		afl-fuzz "$@" -- "$out/afl/$target" >"$out/afl/log" 2>&1 ||
		{
			tail -n 20 "$out/afl/log"
			exit 1
		}
	found=$out/afl/out/default
	find "$found/queue" -type f ! -name '*,orig:*' -exec cp -f {} \
		"$out/corpus" \;
	grep -E '^(execs_done|corpus_found|saved_crashes|saved_hangs) ' \
		"$found/fuzzer_stats"
	! find "$found/crashes" "$found/hangs" -type f | grep .
}

# A name of 40 digits is the hash of the file.
minimize()
{
	build
	rm -rf "$out/minimal"
	mkdir "$out/minimal"
	find "$seeds" "$out/corpus" -type f | wc -l
	"$out/bin/$target" -merge=1 "$out/minimal" "$seeds" "$out/corpus" 2>/dev/null
	find "$seeds" -type f | grep -E '/[0-9a-f]{40}$' | while read -r file; do
		[ -f "$out/minimal/${file##*/}" ] || rm "$file"
	done
	for file in "$out/minimal"/*; do
		cmp -s "$file" "$seeds/${file##*/}" ||
			find "$seeds" -type f -exec cmp -s "$file" {} \; -print |
			grep -q . || cp "$file" "$seeds/${file##*/}"
	done
	find "$seeds" -type f | wc -l
}

case $how in
libfuzzer | afl | minimize) "$how" ;;
*)
	echo "fuzz.sh: unknown option --$how" >&2
	exit 2
	;;
esac
