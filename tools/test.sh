#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/test.sh
#
# Installs the missing packages and runs every test: with gcc, for 32 bits, with
# clang's sanitizers, and each fuzzer for FUZZ_SECONDS (15), beside which some
# packages are tested. It waits for another installation of packages. The last
# line counts the cases of all tests. tools/check.sh is the first level: it takes a
# minute and a C compiler. The traces are in the folder FAIRSCHED_SHARED (../shared).
set -u
cd "$(dirname "$0")/.." || exit 1
FAIRSCHED_SHARED=$(cd "${FAIRSCHED_SHARED:-../shared}" 2>/dev/null && pwd)
export FAIRSCHED_SHARED FUZZ_SECONDS="${FUZZ_SECONDS:-15}"
log=$PWD/build/test
passed=0 failed=0 skipped=0
rm -rf "$log"
mkdir -p "$log"

have() # COMMAND
{
	command -v "$1" >/dev/null
}

links() # HEADER COMPILER FLAG...
{
	printf '#include <%s>\nint main() { return 0; }\n' "$1" \
		>"$log/probe.cc"
	shift
	"$@" "$log/probe.cc" -o "$log/probe" 2>"$log/probe.txt"
}

missing() # prints packages
{
	have bazel || echo bazel-bootstrap
	have python3 || echo python3
	links stdio.h g++ || echo g++
	links zlib.h g++ -lz || echo zlib1g-dev
	links stdio.h clang++-19 -fsanitize=address ||
		echo clang-19 libclang-rt-19-dev
	have llvm-symbolizer-19 || echo llvm-19
	have ld.lld-19 || echo lld-19
}

missing_32_bits() # prints packages
{
	[ "$(uname -m)" != x86_64 ] || links stdio.h g++ -m32 ||
		echo gcc-multilib g++-multilib
}

# Without these packages tests are skipped.
missing_others()
{
	have cmake || echo cmake
	have pkg-config || echo pkg-config
	links jansson.h g++ -ljansson || echo libjansson-dev
	have fish || echo fish
	have zsh || echo zsh
	have node || echo nodejs
	have chromedriver || echo chromium chromium-driver
	have qemu-s390x || echo qemu-user
	have strace || echo strace
	[ -x /usr/sbin/slurmctld ] || echo slurmctld slurmd slurm-client munge
	[ -e /usr/include/munge.h ] || echo libmunge-dev
	python3 -c 'import cffi' 2>"$log/probe.txt" ||
		echo python3-cffi python3-dev
}

install() # PACKAGE...
{
	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		as_root=sudo
		have sudo || return
	fi
	have apt-get || return
	apt update && apt install -y --no-install-recommends "$@"
}

# Waits up to ten minutes for another installation: apt for dpkg's lock, the
# loop for the locks that it does not wait for (lists, archives).
apt() # ARGUMENT...
{
	tries=0
	until $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
		apt-get -o DPkg::Lock::Timeout=600 "$@" >"$log/apt.txt" 2>&1
	do
		grep -Eq 'Could not get lock|Unable to (acquire|lock)' \
			"$log/apt.txt" || return
		[ "$((tries += 1))" -lt 120 ] || return
		sleep 5
	done
}

install_missing()
{
	packages=$( (missing; missing_32_bits) | xargs)
	others=$(missing_others | xargs)
	[ -n "$packages$others" ] || return 0
	echo "test.sh: installing $packages $others" >&2
	# shellcheck disable=SC2086
	install $packages $others </dev/null || install $packages </dev/null
	[ -n "$(missing)" ] || return 0
	tail -n 20 "$log/apt.txt" >&2
	echo "test.sh: cannot install $(missing | xargs):" \
		"this needs apt-get, its mirror, and root or sudo" >&2
	return 1
}

add() # PASSED FAILED SKIPPED
{
	passed=$((passed + $1))
	failed=$((failed + $2))
	skipped=$((skipped + $3))
}

title()
{
	printf '\n== %s\n' "$1" >&2
}

# Counts the cases in Bazel's record of the run.
bazel_test() # TITLE ARGUMENT...
{
	title "$1"
	events=$log/$1.json
	shift
	status=0
	bazel test --keep_going --build_tests_only --noshow_progress \
		--build_event_json_file="$events" "$@" >&2 </dev/null || status=$?
	# shellcheck disable=SC2046
	set -- $(python3 "$top/tools/count.py" "$events" "$status")
	[ $# -eq 3 ] || set -- 0 1 0
	add "$@"
}

# Runs a command as one case.
step() # NAME COMMAND...
{
	title "$1"
	name=$1
	shift
	if "$@" >"$log/step.txt" 2>&1 </dev/null; then
		add 1 0 0
	else
		tail -n 50 "$log/step.txt" >&2
		echo "not ok $name" >&2
		add 0 1 0
	fi
}

# A header that is not in the deps must not be found.
# shellcheck disable=SC2317
arrows_hold()
{
	! bazel build --config=gcc --noshow_progress //tests:wrong_arrow &&
		grep -q 'fatal error: usage.h: No such file' "$log/step.txt"
}

# The plugin is built for this Debian's Slurm, whose source apt downloads; -O1 takes
# half the time.
test_plugin()
{
	export CFLAGS=-O1
	if sh tools/slurm/plugin/build.sh >"$log/plugin.txt" 2>&1; then
		SLURM_SOURCE=$PWD/build/plugin/slurm python3 \
			tests/slurm/slurm_plugin_test.py conservative life \
			changes maui_config choice
	else
		echo "skip plugin: it cannot be built: $(tail -n 1 "$log/plugin.txt")"
	fi
}

# These tests wait most of their time, so they run beside the others.
begin_slurm()
{
	(
		status=0
		python3 tests/slurm/slurm_test.py || status=$?
		test_plugin || status=$?
		exit $status
	) >"$log/slurm.txt" 2>&1 </dev/null &
	slurm=$!
}

cases() # PATTERN
{
	grep -c "^$1 " "$log/slurm.txt"
}

end_slurm()
{
	title slurm
	status=0
	wait "$slurm" || status=$?
	grep -E '^(not ok|skip) ' "$log/slurm.txt" >&2
	if [ "$status" -ne 0 ] && [ "$(cases 'not ok')" -eq 0 ]; then
		tail -n 50 "$log/slurm.txt" >&2
		add 0 1 0
	fi
	add "$(cases ok)" "$(cases 'not ok')" "$(cases skip)"
}

# Those of C, CMake and Python; tools/full.sh tests the others. They are tested
# beside the fuzzers, whose time is that of the clock.
begin_packages()
{
	PYTHONS=python3 sh tools/packages.sh version c cmake conformance python \
		>"$log/packages.txt" 2>&1 </dev/null &
	packages_pid=$!
}

end_packages()
{
	title packages
	wait "$packages_pid" || :
	grep -v '^skip ' "$log/packages.txt" >&2
	# shellcheck disable=SC2046
	set -- $(sed -n '$s/[^0-9 ]//gp' "$log/packages.txt")
	[ $# -eq 3 ] || set -- 0 1 0
	add "$@"
}

report()
{
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit
}

# Bazel and the script write the same file, with the same commit.
# shellcheck disable=SC2317
single_file()
{
	bazel build --config=gcc --noshow_progress //:amalgamated &&
		sh tools/amalgamate.sh | cmp - bazel-bin/single/fairsched.h
}

top=$PWD
if ! install_missing; then
	add 0 1 0
	report
fi
begin_slurm
step everything-builds bazel build --config=gcc --keep_going --noshow_progress //...
step arrows-hold arrows_hold
step single-file single_file
bazel_test gcc --config=gcc //...
if links stdio.h g++ -m32; then
	bazel_test m32 --config=m32 //...
else
	echo "skip m32: the compiler has no 32 bits" >&2
	add 0 0 1
fi
bazel_test asan --config=asan //...
begin_packages
bazel_test fuzz --config=fuzz //fuzz/...
cd tests/second_workspace || exit 1
bazel_test second-workspace //...
bazel shutdown
cd "$top" || exit 1
end_packages
end_slurm
report
