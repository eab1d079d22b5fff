#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The npm package out of tools/pack.sh, installed into an empty folder: the
# conformance suite and any input for FUZZ_SECONDS, in Node.
. tests/packages/common.sh

for command in node npm wasm-ld-19; do
	command -v $command >/dev/null || {
		skip npm "$command is not installed"
		finish
	}
done
export FAIRSCHED_SUITE="$PWD/tests/conformance/suite.json"
check "is packed" sh tools/pack.sh npm "$tmp/npm"
mkdir "$tmp/user"
check "is an archive" sh -c \
	"cd '$tmp/npm' && npm pack --silent --offline --pack-destination '$tmp/user'"
check "is installed" sh -c "cd '$tmp/user' && npm init -y >init.txt &&
	npm install --offline --no-audit --no-fund ./fairsched-*.tgz"
cp -R packages/npm/test "$tmp/user"
check "tests" sh -c "cd '$tmp/user' && node --test test/node.test.mjs"
grep ' rounds' "$tmp/check"
sed -n '/^```js/,/^```/{/^```/!p;}' packages/npm/README.md >"$tmp/user/readme.mjs"
same "the README's program" "$(cd "$tmp/user" && node readme.mjs)" "start job 1
job 2 is promised second 100"
finish
