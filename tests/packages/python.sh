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
cat >"$tmp/overhead.py" <<'EOF'
import subprocess, sys, time
import fairsched, pandas

command = [sys.argv[1], "simulate", sys.argv[2], "--policy", "conservative"]
subprocess.run(command + ["--jobs-out", sys.argv[3]], check=True,
               capture_output=True)
jobs = pandas.read_csv(sys.argv[3]).rename(columns={
    "submission_time": "submit", "execution_time": "run",
    "requested_time": "walltime", "requested_number_of_resources": "procs"})


def best(call):
    seconds = []
    for _ in range(7):
        begin = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - begin)
    return min(seconds), result


native, text = best(lambda: subprocess.run(
    command, check=True, capture_output=True, text=True).stdout)
python, result = best(lambda: fairsched.simulate(
    jobs[["submit", "run", "walltime", "procs"]], "conservative", 100))
print(f"the command {native * 1e3:.1f} ms, Python {python * 1e3:.1f} ms: "
      f"{python / native:.2f} times as long", file=sys.stderr)
assert list(result.start) == list(jobs.starting_time)
assert text.split("digest")[1].split()[0] == result.attrs["digest"]
assert python < 2 * native
EOF
"$tmp/$name/bin/python" "$tmp/overhead.py" "$PWD/build/fairsched" "$kth" \
	"$tmp/jobs.csv" 2>&1 | tee "$tmp/overhead.txt"
check "the schedule of the command, at its speed" \
	sh -c "! grep -q Error '$tmp/overhead.txt'"
finish
