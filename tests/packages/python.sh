#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The wheel is built from the source distribution, installed into an empty
# environment and tested there, with the conformance suite. PYTHONS names further
# interpreters for the same wheel.
. tests/packages/common.sh

python=$PWD/packages/python
suite=$PWD/tests/conformance/suite.json
need pyproject-build build scikit-build-core cffi

# A source distribution carries the headers.
cp -R packages/python "$tmp/source"
rm -rf "$tmp/source/vendor"
mkdir "$tmp/source/vendor"
sh tools/amalgamate.sh >"$tmp/source/vendor/fairsched.h"
cp packages/replay.h "$tmp/source/vendor"
check "builds" pyproject-build --no-isolation --outdir "$tmp/dist" "$tmp/source"
wheel=$(ls "$tmp"/dist/*.whl)
same "one wheel for each CPython" "${wheel##*/}" \
	"fairsched-$(sh tools/version.sh)-cp39-abi3-linux_$(uname -m).whl"

environment() # INTERPRETER ENVIRONMENT
{
	"$1" -m venv "$2" &&
		"$2/bin/pip" install -q --retries 1 --timeout 15 \
			--prefer-binary cffi numpy pandas pytest
}

# In a folder of its own: no source of ours is on its path.
tests() # ENVIRONMENT
{
	"$1/bin/pip" install -q --prefer-binary "$wheel[test]" &&
		(cd "$tmp" && FAIRSCHED_SUITE=$suite "$1/bin/python" -m pytest \
			-q -rP -p no:cacheprovider "$python/tests")
}
for interpreter in python3 ${PYTHONS:-}; do
	name=$("$interpreter" -c 'import platform; print(platform.python_version())')
	if ! environment "$interpreter" "$tmp/$name" >"$tmp/need" 2>&1; then
		tail -n 1 "$tmp/need"
		skip "Python $name" "what it uses cannot be installed"
		finish
	fi
	check "Python $name" tests "$tmp/$name"
	grep -E ' passed in |^[0-9]+ rounds' "$tmp/check"
done

kth=$shared/traces/KTH-SP2-1996-2.swf.gz
if [ ! -f "$kth" ]; then
	skip "overhead" "no trace"
	finish
fi
sh tools/build.sh
name=$(python3 -c 'import platform; print(platform.python_version())')
build/fairsched simulate "$kth" --policy conservative --jobs-out "$tmp/jobs.csv" \
	>"$tmp/command"
check "simulates KTH" "$tmp/$name/bin/python" tests/packages/simulate.py \
	"$tmp/jobs.csv" 100
tail -n 1 "$tmp/check"
same "with the digest of the command" \
	"$(sed -n 's/^digest //p' "$tmp/check" | sort -u)" \
	"$(sed -n 's/^digest *//p' "$tmp/command")"
finish
