#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The wheel is built from the source distribution, installed into an empty
# environment and tested there, with the conformance suite: by python3, then by each
# other CPython since 3.9 that is here, or by PYTHONS.
. tests/packages/common.sh

python=$PWD/packages/python
suite=$PWD/tests/conformance/suite.json
need pyproject-build build scikit-build-core cffi

# A source distribution, out of the folder as it is, carries the headers of then.
mkdir "$tmp/tree"
cp -R ./*.h policies sched tools packages "$tmp/tree"
source=$tmp/tree/packages/python
rm -rf "$source/vendor" "$tmp/tree/packages/rust/target"
mkdir "$source/vendor"
echo "#error old" | tee "$source/vendor/fairsched.h" >"$source/vendor/replay.h"
check "builds" pyproject-build --no-isolation --outdir "$tmp/dist" "$source"
check "builds from the tree's headers" cmp "$source/vendor/replay.h" packages/replay.h
rm -rf "$source/vendor"
mv "$source" "$tmp/alone"
tells "sh tools/pack.sh python FOLDER" \
	pyproject-build --no-isolation --sdist "$tmp/alone"
check "a packed folder" sh tools/pack.sh python "$tmp/packed"
check "has an sdist" pyproject-build --no-isolation --sdist "$tmp/packed"
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
	"$1/bin/pip" install -q --prefer-binary "${wheel}[test]" &&
		(cd "$tmp" && FAIRSCHED_SUITE=$suite "$1/bin/python" -m pytest \
			-q -rP -p no:cacheprovider "$python/tests")
}
interpreters()
{
	echo python3
	own=$(python3 -c 'import sys; print(sys.version_info[1])')
	for minor in 9 10 11 12 13 14 15; do
		[ "$minor" != "$own" ] || continue
		for python in "python3.$minor" \
			"${PYENV_ROOT:-$HOME/.pyenv}/versions/3.$minor".*/bin/python; do
			"$python" -c pass 2>"$tmp/none" && echo "$python" && break
		done
	done
}
first=
for interpreter in ${PYTHONS:-$(interpreters)}; do
	name=$("$interpreter" -c 'import platform; print(platform.python_version())')
	if ! environment "$interpreter" "$tmp/$name" >"$tmp/need" 2>&1; then
		tail -n 1 "$tmp/need"
		skip "Python $name" "what it uses cannot be installed"
		continue
	fi
	check "Python $name" tests "$tmp/$name"
	grep -E ' passed in |^[0-9]+ rounds' "$tmp/check"
	first=${first:-$tmp/$name}
	export FUZZ_SECONDS=1 # the first took the time
done
[ "$first" ] || finish

cat >"$tmp/typed.py" <<'EOF'
from fairsched import Scheduler


def starts(now: int) -> list[int]:
    with Scheduler("conservative", procs=8) as s:
        s.submit(now, number=1, procs=5, walltime=100)
        return [decision.number for decision in s.step(now)]
EOF
if "$first/bin/pip" install -q --retries 1 --timeout 15 mypy >"$tmp/need" 2>&1; then
	types()
	{
		(cd "$tmp" && "$first/bin/mypy" --strict "$1")
	}
	check "types" types typed.py
	sed 's/walltime=/wall=/' "$tmp/typed.py" >"$tmp/wrong.py"
	types wrong.py >"$tmp/wrong" && : >"$tmp/wrong"
	same "types tell a missing name" \
		"$(grep -c 'Missing positional argument "walltime"' "$tmp/wrong")" 1
else
	skip "types" "mypy cannot be installed"
fi
simulates KTH "$first/bin/python" tests/packages/simulate.py
hosts Python "$first/bin/python" docs/examples/host/host.py
finish
