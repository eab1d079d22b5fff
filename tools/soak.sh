#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/soak.sh HOURS [SEED]
#
# Runs for HOURS (0.05 is three minutes), in turn, every fuzzer on random inputs
# from SEED (fuzz/soak_main.c) and tools/soak.py, which kills and restarts the
# programs. The fuzzers compare all policies and events, refused starts, lost
# capacity, damaged checkpoints and too little memory with the models and with
# second objects. Prints a line for each turn. At the first failure the exit status
# is 1, and the last lines tell how to repeat it.
#
# Honours CC (clang-19) and CFLAGS (the sanitizers).
set -eu
cd "$(dirname "$0")/.."
hours=${1:?usage: sh tools/soak.sh HOURS [SEED]}
seed=${2:-$(date +%s)}
out=build/soak
mkdir -p "$out"
export CC="${CC:-clang-19}"
export CFLAGS="${CFLAGS:--O1 -g -fsanitize=address,undefined \
-fno-sanitize-recover=undefined}"
export LIB_FUZZING_ENGINE=fuzz/soak_main.c

# Whether a fuzzer must be compiled again.
is_stale()
{
	[ ! -x "$1" ] || [ -n "$(find ./*.h policies sched fuzz tools tests/model \
		-name '*.[ch]' -newer "$1" | head -n 1)" ]
}

for source in fuzz/*_fuzz.c; do
	target=$(basename -s .c "$source")
	targets="${targets:-} $target"
	! is_stale "$out/$target" || old="${old:-} $target"
	eval "next_$target=0"
done
# shellcheck disable=SC2086
[ -z "${old:-}" ] || sh tools/harness.sh "$out" $old
sh tools/build.sh "$out" && sh tools/slurm/build.sh "$out"

echo "soak: seed $seed, $hours hours"
begin=$(date +%s)
end=$((begin + $(awk "BEGIN { printf \"%d\", 3600 * $hours }")))
turn=0

failed() # HOW TO REPEAT
{
	echo "not ok soak: seed $seed, turn $turn, after $(($(date +%s) -
		begin)) s; to repeat:"
	echo "  $*"
	exit 1
}

# Fuzzes for five seconds, or for the rest of the time.
# shellcheck disable=SC2154
fuzz() # TARGET
{
	eval "number=\$next_$1"
	seconds=$((end - $(date +%s)))
	[ "$seconds" -le 5 ] || seconds=5
	[ "$seconds" -gt 0 ] || return 0
	if ! "$out/$1" "$seed" "$number" "$seconds" "fuzz/corpus/$1" \
		"$out/$1.bad" >"$out/said" 2>"$out/$1.log"; then
		cat "$out/said" >&2
		failed "CC='$CC' CFLAGS='$CFLAGS'" \
			"LIB_FUZZING_ENGINE=$LIB_FUZZING_ENGINE" \
			"sh tools/harness.sh $out $1 &&" \
			"$out/$1 $seed $(awk '$3 == "input" {
			print $4 + 0 }' "$out/said") 0 fuzz/corpus/$1" \
			"(or fuzz/replay_main.c of $out/$1.bad)"
	fi
	eval "next_$1=$(awk '/^next/ { print $2 }' "$out/said")"
}

while [ "$(date +%s)" -lt "$end" ]; do
	for target in $targets; do
		fuzz "$target"
	done
	python3 tools/soak.py "$out" "$seed" "$turn" ||
		failed "python3 tools/soak.py $out $seed $turn"
	turn=$((turn + 1))
	printf 'soak: %d s, turn %d,' $(($(date +%s) - begin)) "$turn"
	for target in $targets; do
		eval "printf ' %s %s' ${target%_fuzz} \$next_$target"
	done
	echo
done
echo "ok soak of $hours hours, seed $seed, $turn turns"
