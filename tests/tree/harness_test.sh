#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/harness.sh, fuzz/soak_main.c, tools/soak.py and .clusterfuzzlite as
# their callers run them: what is wrong is found, and shortened.
. tests/test.sh

command -v "${CC:-cc}" >/dev/null || {
	skip harness "no compiler"
	finish
}

# A tree of its own, whose fuzzer fails at a ! some way behind a ?.
root=$tmp/tree
mkdir -p "$root/fuzz/corpus/toy_fuzz" "$root/tests/model" "$root/tools"
cp tools/harness.sh "$root/tools"
cp fuzz/fuzz.h fuzz/replay_main.c fuzz/soak_main.c "$root/fuzz"
echo 'int model(void); int model(void) { return 2; }' \
	>"$root/tests/model/model.c"
cat >"$root/fuzz/toy_fuzz.c" <<'END'
#include <string.h>
#include "fuzz.h"
int model(void);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *p = size ? memchr(data, '?', size) : NULL;

	FUZZ_ASSERT(!p || size - (size_t)(p - data) < (size_t)model() ||
		    !memchr(p, '!', size - (size_t)(p - data)));
	return 0;
}
END
seeds=$root/fuzz/corpus/toy_fuzz
echo 'a question? no more of it' >"$seeds/question"
echo 'and an answer! to it' >"$seeds/answer"
build() # MAIN
{
	LIB_FUZZING_ENGINE=fuzz/$1 sh "$root/tools/harness.sh" "$tmp/$1" \
		toy_fuzz
}

check "a fuzzer is built to be replayed" build replay_main.c
check "its seeds do not fail" "$tmp/replay_main.c/toy_fuzz" "$seeds"
check "a fuzzer is built to be soaked" build soak_main.c
soak=$tmp/soak_main.c/toy_fuzz
status=0
"$soak" 1 0 60 "$seeds" "$tmp/bad" >"$tmp/said" 2>/dev/null || status=$?
same "what fails is found" "$status $(cut -d, -f2 "$tmp/said")" \
	"1  shortened to 2 bytes"
same "... and shortened" "$(cat "$tmp/bad")" '?!'
status=0
"$tmp/replay_main.c/toy_fuzz" "$tmp/bad" >/dev/null 2>&1 || status=$?
same "... and replayed" "$([ $status -gt 0 ] && echo fails)" fails
number=$(tr -dc '0-9 ' <"$tmp/said" | awk '{ print $1 }')
status=0
"$soak" 1 "$number" 0 "$seeds" >"$tmp/again" 2>/dev/null || status=$?
same "the seed and the number repeat it" "$status $(cat "$tmp/again")" \
	"1 $(cat "$tmp/said")"
same "an input before it" "$("$soak" 1 0 0 "$seeds")" "next 1"

# Both programs, killed and resumed: about ten seconds.
daemon=$PWD/tools/slurm/fairsched-slurm
[ -x "$daemon" ] || daemon=$PWD/build/fairsched-slurm
mkdir "$tmp/programs"
ln -s "$fairsched" "$tmp/programs/fairsched"
ln -s "$daemon" "$tmp/programs/fairsched-slurm"
if [ -x "$daemon" ] && [ -x "$fairsched" ]; then
	check "programs are soaked" python3 tools/soak.py "$tmp/programs" 1 2
	printf '#!/bin/sh\n%s %s\n' "'$fairsched' \"\$@\"" \
		"| sed 's/^mean wait .*/mean wait \$\$/'" >"$tmp/wrong"
	chmod +x "$tmp/wrong"
	mv "$tmp/wrong" "$tmp/programs/fairsched"
	status=0
	python3 tools/soak.py "$tmp/programs" 1 2 >"$tmp/out" 2>&1 || status=$?
	same "... and what is not the same again is seen" \
		"$status $(head -n 1 "$tmp/out")" "1 not ok:"
else
	skip "programs are soaked" "they were not built"
fi

# As ClusterFuzzLite sets what build.sh heeds, but for -O0, which compiles in half
# the time; two fuzzers of all.
if command -v clang-19 >/dev/null && command -v clang++-19 >/dev/null; then
	mkdir "$tmp/src" "$tmp/out.d"
	ln -s "$PWD" "$tmp/src/fairsched"
	flags="-O0 -fno-omit-frame-pointer -gline-tables-only \
-fsanitize=address -fsanitize-address-use-after-scope \
-fsanitize=fuzzer-no-link"
	check "ClusterFuzzLite builds" env SRC="$tmp/src" OUT="$tmp/out.d" \
		CC=clang-19 CXX=clang++-19 CFLAGS="$flags" CXXFLAGS="$flags" \
		LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
		TARGETS="queue_fuzz throttle_fuzz" \
		sh .clusterfuzzlite/build.sh
	for target in queue_fuzz throttle_fuzz; do
		mkdir "$tmp/$target.seeds"
		check "$target: its seeds are packed" python3 -m zipfile -e \
			"$tmp/out.d/${target}_seed_corpus.zip" \
			"$tmp/$target.seeds"
		same "$target: all of them" \
			"$(find "$tmp/$target.seeds" -type f | wc -l)" \
			"$(find -L "fuzz/corpus/$target" -type f | wc -l)"
		check "$target: it fuzzes" "$tmp/out.d/$target" -runs=500 \
			-seed=1 "$tmp/$target.seeds"
	done
	check "dictionaries are there" [ -f "$tmp/out.d/queue_fuzz.dict" ]
else
	skip "ClusterFuzzLite" "no clang-19"
fi
finish
