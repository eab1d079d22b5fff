#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/commit.sh [--bazel]
#
# Prints the commit of the headers, followed by "+" if they differ from it, or
# "unknown" outside of git. --bazel: in the form of Bazel's
# --workspace_status_command.
cd "$(dirname "$0")/.." || exit 1
commit=unknown
if [ -e .git ] && commit=$(git rev-parse --short=12 HEAD 2>/dev/null); then
	git diff --quiet HEAD -- ./*.h policies sched || commit=$commit+
fi
[ "${1:-}" != --bazel ] || printf 'STABLE_FAIRSCHED_COMMIT '
echo "$commit"
