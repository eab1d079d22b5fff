#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The conformance suite is what the library answers, out of the headers and out
# of the single file.
. tests/packages/common.sh

printf '#include <jansson.h>\nint main(void) { return !json_null(); }\n' \
	>"$tmp/probe.c"
if ! cc "$tmp/probe.c" -ljansson -o "$tmp/probe" 2>"$tmp/probe.txt"; then
	skip conformance "libjansson-dev is not installed"
	finish
fi
program() # NAME FOLDER
{
	cc -O1 -std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
		-I"$2" "tests/conformance/$1.c" -ljansson -o "$tmp/$1"
}
suite=tests/conformance/suite.json
check "it compiles" program make .
"$tmp/make" >"$tmp/suite.json"
check "is what the library answers" cmp "$tmp/suite.json" "$suite"
check "is below 2 MB" test "$(wc -c <"$suite")" -lt 2000000
mkdir "$tmp/single"
sh tools/amalgamate.sh >"$tmp/single/fairsched.h"
check "the runner compiles" program run "$tmp/single"
check "the single file passes" "$tmp/run" "$suite"
sed 's/"procs":4,"walltime":5/"procs":5,"walltime":5/' "$suite" >"$tmp/other.json"
check "the runner sees a difference" sh -c "! '$tmp/run' '$tmp/other.json'"
finish
