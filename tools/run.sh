#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/run.sh [ARGUMENT ...]
#
# Builds the command if needed and runs it; without arguments: compare.
set -eu
here=$(dirname "$0")
sh "$here/build.sh" >&2
[ $# -gt 0 ] || set -- compare
exec "$here/../build/fairsched" "$@"
