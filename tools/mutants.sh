#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/mutants.sh [--sample N] [--seconds S] [--living]
#                            [--against FILE] [HEADER ...]
#
# Tries the mutants of every header, or of the named ones, on the tests and by 60
# seconds of fuzzing, and prints the survivors. --against FILE, the output of an
# earlier run: prints the new survivors only, and exits with 1 if there are any.
# Results are stored in build/mutants, where the next run continues.
# tools/mutants.py has the details, tools/mutate.py lists the operators. Of sources
# of the command, tools/fairsched/*/*.c, tools/mutants_command.py tries the mutants.
set -eu
cd "$(dirname "$0")/.."
case " $*" in
*" tools/fairsched/"*) exec nice python3 tools/mutants_command.py "$@" ;;
esac
exec nice python3 tools/mutants.py "$@"
