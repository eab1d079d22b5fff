#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Every fuzzer with its seeds and dictionary, into $OUT; the caller sets CC, CXX,
# their flags and LIB_FUZZING_ENGINE; TARGETS, if not all.
set -eu
cd "${SRC:?}/fairsched"
# shellcheck disable=SC2086
sh tools/harness.sh "${OUT:?}" ${TARGETS:-}
for corpus in fuzz/corpus/*; do
	(cd "$corpus" && find -L . -type f -exec python3 -m zipfile -c \
		"$OUT/${corpus##*/}_seed_corpus.zip" {} +)
done
cp fuzz/*.dict "$OUT"
