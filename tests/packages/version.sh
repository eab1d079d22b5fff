#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/version.sh sets one version everywhere.
. tests/packages/common.sh

version=$(sh tools/version.sh)
says() # TREE
{
	(cd "$1" && {
		sed -n 's/^#define FAIRSCHED_VERSION \(.*\)\(.\)\(.\)$/\1.\2.\3/p' \
			./*.h policies/*.h
		sed -n '/^module/,/^)/s/ *version = "\(.*\)",/\1/p' MODULE.bazel
		sed -n 's/^version = "\(.*\)"/\1/p' packages/*/*.toml
		sed -n 's/^version: //p' CITATION.cff
		sed -n 's/^  "version": "\(.*\)",$/\1/p' packages/npm/package.json \
			packages/vcpkg/fairsched/vcpkg.json
		sed -n '/^name = "fairsched/{n;s/^version = "\(.*\)"/\1/p;}' \
			packages/rust/Cargo.lock
		printf '#define FAIRSCHED_IMPLEMENTATION\n#include "fairsched.h"
			#include <stdio.h>
			int main(void) { return !puts(fair_version()); }\n' \
			>"$tmp/says.c"
		cc -I. "$tmp/says.c" -o "$tmp/says" && "$tmp/says"
	} | sort -u)
}
same "one version" "$(says .)" "$version"
mkdir "$tmp/tree"
cp -R ./*.h policies sched tools packages MODULE.bazel CITATION.cff "$tmp/tree"
same "each package says it" "$(grep -l "\"version\": \"$version\"" \
	packages/npm/package.json packages/vcpkg/fairsched/vcpkg.json | wc -l)" 2
check "is set" sh "$tmp/tree/tools/version.sh" 2.3.4
same "everywhere" "$(says "$tmp/tree")" 2.3.4
fails "no version" 2 sh "$tmp/tree/tools/version.sh" 1.2
finish
