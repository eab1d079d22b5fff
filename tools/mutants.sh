#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/mutants.sh [--sample N] [--seconds S] [--living] [HEADER ...]
#
# Mutants of every header, or of those named: each is killed by the tests or by
# 60 seconds of fuzzing, or argued equivalent in tests/mutants.equivalent.
# Results are kept in build/mutants, and the next run goes on from there.
# tools/mutants.py says more, tools/mutate.py lists the operators.
set -eu
cd "$(dirname "$0")/.."
exec nice python3 tools/mutants.py "$@"
