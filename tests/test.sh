# SPDX-License-Identifier: MIT OR Unlicense
# shellcheck shell=sh disable=SC2034
#
# What test scripts share. They run at the root of the tree:
#
#	. tests/test.sh
#	check "prints its version" "$fairsched" --version
#	same "two jobs" "$("$fairsched" ... | wc -l)" 2
#	[ -f "$shared/traces/x.gz" ] || skip "x" "no trace"
#	finish
#
# Each case is one line, as in test.h: ok, not ok or skip.

shared=${FAIRSCHED_SHARED:-../shared}
fairsched=$PWD/tools/fairsched/fairsched # Bazel's, or build.sh's
[ -x "$fairsched" ] || fairsched=$PWD/build/fairsched
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
test_cases=0
test_failed=0
# For what is compiled at -O0 to be run: clang needs half the time of gcc.
quick_cc=cc
quick_cxx=c++
if command -v clang-19 && command -v clang++-19; then
	quick_cc=clang-19
	quick_cxx=clang++-19
fi >"$tmp/quick"

ok() # NAME
{
	test_cases=$((test_cases + 1))
	printf 'ok %s\n' "$1"
}

not_ok() # NAME
{
	test_cases=$((test_cases + 1))
	test_failed=$((test_failed + 1))
	printf 'not ok %s\n' "$1"
}

skip() # NAME REASON
{
	test_cases=$((test_cases + 1))
	printf 'skip %s: %s\n' "$1" "$2"
}

# The command succeeds; its output is shown if not.
check() # NAME COMMAND...
{
	test_name=$1
	shift
	if "$@" >"$tmp/check" 2>&1; then
		ok "$test_name"
	else
		printf '%s: exit status %s\n' "$*" "$?"
		head -n 20 "$tmp/check"
		not_ok "$test_name"
	fi
}

# The command ends with this exit status and says nothing more than messages.
fails() # NAME STATUS COMMAND...
{
	test_name=$1
	test_want=$2
	shift 2
	test_status=0
	"$@" >"$tmp/out" 2>"$tmp/err" || test_status=$?
	if [ "$test_status" -eq "$test_want" ] && [ -s "$tmp/err" ]; then
		ok "$test_name"
	else
		printf '%s: exit status %s\n' "$*" "$test_status"
		head -n 20 "$tmp/err"
		not_ok "$test_name"
	fi
}

# Two texts are equal.
same() # NAME GOT WANT
{
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		printf 'got:  %s\nwant: %s\n' "$2" "$3"
		not_ok "$1"
	fi
}

# Two files are equal.
same_file() # NAME GOT WANT
{
	check "$1" diff -u "$3" "$2"
}

finish()
{
	[ "$test_cases" -gt 0 ] || not_ok "no case ran"
	[ "$test_failed" -eq 0 ]
	exit
}
