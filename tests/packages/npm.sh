#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The npm package out of tools/pack.sh, installed into an empty folder: the
# conformance suite in Node and in Chromium, any input for FUZZ_SECONDS, and the
# types by TypeScript's compiler.
. tests/packages/common.sh

for command in node npm wasm-ld-19; do
	command -v $command >/dev/null || {
		skip npm "$command is not installed"
		finish
	}
done
export FAIRSCHED_SUITE="$PWD/tests/conformance/suite.json"
tells "sh tools/pack.sh npm FOLDER" sh -c \
	"cd packages/npm && npm pack --silent --offline --dry-run"
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

mkdir "$tmp/project"
cp "$tmp/user/readme.mjs" "$tmp/project"
check "is installed as the README says" installs JavaScript "$tmp/project"
same "and runs" "$(cd "$tmp/project" && node readme.mjs)" "start job 1
job 2 is promised second 100"

browser=$(command -v chromium || command -v google-chrome) || browser=
if [ "$browser" ]; then
	cp "$FAIRSCHED_SUITE" "$tmp/user"
	same "in a browser" \
		"$(python3 tests/packages/browser.py "$tmp/user" "$browser")" \
		"version $(sh tools/version.sh), 500 equal, FairschedError: procs is below 1"
else
	skip "in a browser" "chromium is not installed"
fi

# Kept for the next run.
compiler=$PWD/build/packages/tools.npm
tsc=$compiler/node_modules/.bin/tsc
types() # FILE
{
	(cd "$tmp/user" && "$tsc" --noEmit --strict --module nodenext \
		--moduleResolution nodenext --target es2022 --lib es2022,dom "$1")
}
if [ -x "$tsc" ] || npm install --silent --no-audit --no-fund --prefix "$compiler" \
	typescript@5 >"$tmp/need" 2>&1; then
	cp packages/npm/test/types.ts "$tmp/user/types.mts"
	check "types" types types.mts
	sed 's/procs: 5, walltime: 100/procs: 5, wall: 100/' packages/npm/test/types.ts \
		>"$tmp/user/wrong.mts"
	types wrong.mts >"$tmp/wrong" && : >"$tmp/wrong"
	same "types tell a wrong name" "$(grep -c "'wall' does not exist" "$tmp/wrong")" 1
else
	tail -n 1 "$tmp/need"
	skip types "TypeScript cannot be installed"
fi
simulates KTH node "$tmp/user/test/simulate.mjs"
cp docs/examples/host/host.mjs "$tmp/user"
hosts JavaScript node "$tmp/user/host.mjs"
finish
