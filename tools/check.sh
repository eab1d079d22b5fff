#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/check.sh [TEST ...]
#
# Builds the command and runs tests/*/*_test.c, or the named tests. It needs a C
# compiler only: no root, no Bazel, no network. It runs one job on each processor
# and takes less than a minute on two. Honours CC, CFLAGS and AR. The output of a
# test is in build/check/TEST.txt. The last line counts the cases that passed,
# failed and were skipped; the exit status is 1 if one failed.
#
# Long loops run an eighth of their rounds (TEST_LIGHT), and no test reads a trace.
# tools/test.sh runs all of that, and every script, sanitizer and fuzzer.
set -u
cd "$(dirname "$0")/.." || exit 1
cc=${CC:-cc}
out=build/check
bodies='^#define FAIRSCHED_IMPLEMENTATION'
flags="-std=c99 -D_POSIX_C_SOURCE=200809L -DTEST_LIGHT -Wall -Wextra -Wpedantic
	-Wconversion -Wshadow -Werror"
export FAIRSCHED_SHARED=$PWD/$out/nothing

# The command and the models are compiled with -O1, since they run for long.
compile() # FILE.c
{
	# shellcheck disable=SC2086
	$cc -O1 $flags -I. ${CFLAGS:-} -c "$1" \
		-o "$out/parts/$(echo "$1" | tr / _).o"
}

# In tests or a folder of it.
source_of() # TEST
{
	find tests -name second_workspace -prune -o -name "$1.c" -print
}

# The flags of a test. One that sees what is private in the headers borrows the
# bodies of the library, unless tests/BUILD says that its own differ: it compiles
# seven times as fast.
for_test() # TEST
{
	if grep -q "$bodies" "$(source_of "$1")" &&
		! sed -n '/^OWN_BODIES/,/^]/p' tests/BUILD |
		grep -q "\"$1.c\""
	then
		echo "-O1 -include fuzz/borrowed.h -isystem ."
	else
		echo "-O0 -I."
	fi
}

run_test() # TEST
{
	log=$out/$1.txt
	# shellcheck disable=SC2046,SC2086
	if ! $cc $(for_test "$1") $flags ${CFLAGS:-} "$(source_of "$1")" \
		"$out/parts.a" -lpthread -lm -o "$out/$1" >"$log" 2>&1; then
		echo "not ok $1: does not compile" >>"$log"
		return
	fi
	status=0
	$limit "$out/$1" >>"$log" 2>&1 </dev/null || status=$?
	grep -Eq '^(ok|not ok|skip) ' "$log" || [ $status -ne 0 ] ||
		echo "ok $1" >>"$log"
	[ $status -eq 0 ] || grep -q '^not ok ' "$log" ||
		echo "not ok $1: exit status $status" >>"$log"
}

limit="timeout 300"
command -v timeout >/dev/null || limit=

case ${1:-} in
--compile) compile "$2"; exit ;;
--test) run_test "$2"; exit ;;
esac

processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null) || processors=1
parallel="-P $processors"
# shellcheck disable=SC2086
echo | xargs $parallel -n 1 true 2>/dev/null || parallel=

each() # --compile | --test: runs it for each line of standard input
{
	# shellcheck disable=SC2086
	xargs $parallel -n 1 sh tools/check.sh "$1"
}

sources()
{
	find tests/model tools/fairsched -name '*.c'
	echo $out/page_assets.c
}

# Compiles again if a file that they may include has changed.
build_parts()
{
	how="$cc $flags ${CFLAGS:-} $(sources | sort)"
	if [ -x $out/fairsched ] && [ "$(cat $out/how.txt)" = "$how" ] &&
		[ -z "$(find ./*.h policies sched tests/model tools/fairsched \
			-newer $out/fairsched 2>/dev/null)" ]
	then
		return 0
	fi
	rm -rf $out/parts $out/parts.a $out/fairsched
	mkdir -p $out/parts
	sh tools/fairsched/report/assets/embed.sh >$out/page_assets.c
	# The library first: it takes longest to compile.
	# shellcheck disable=SC2046
	set -- $(sources)
	{
		grep -l "$bodies" "$@"
		grep -L "$bodies" "$@"
	} | each --compile || return 1
	main=$(find $out/parts -name '*_main.c.o')
	mv "$main" $out/main.o
	"${AR:-ar}" rcs $out/parts.a $out/parts/*.o &&
		$cc $out/main.o $out/parts.a -lpthread -lm -o $out/fairsched &&
		$out/fairsched --version >/dev/null &&
		echo "$how" >$out/how.txt
}

tests()
{
	if [ $# -eq 0 ]; then
		# The largest first: they take longest to compile.
		# shellcheck disable=SC2012,SC2046
		ls -S $(source_of '*_test') | sed 's|.*/||; s|\.c$||'
		return
	fi
	for name; do
		name=${name##*/}
		echo "${name%.c}"
	done
}

cases() # PATTERN
{
	# shellcheck disable=SC2086
	cat $logs | grep -c "^$1 "
}

command -v "$cc" >/dev/null || {
	echo "check.sh: the C compiler '$cc' is not installed" >&2
	exit 1
}
start=$(date +%s)
mkdir -p $out
names=$(tests "$@")
logs=
for name in $names; do
	[ -n "$(source_of "$name")" ] || {
		echo "check.sh: unknown test '$name': no $name.c is below tests" >&2
		exit 1
	}
	logs="$logs $out/$name.txt"
done
# shellcheck disable=SC2086
rm -f $logs
echo "check.sh: building the command" >&2
build_parts || {
	echo "not ok the command does not compile"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
}
# shellcheck disable=SC2086
set -- $names
echo "check.sh: running $# tests, $processors at a time" >&2
printf '%s\n' "$@" | each --test
for name; do
	grep -q '^not ok ' "$out/$name.txt" || continue
	printf '\n== %s\n' "$(source_of "$name")"
	grep -Ev '^(ok|skip) ' "$out/$name.txt" | tail -n 40
	echo "again: sh tools/check.sh $name"
	echo "all of it: $out/$name.txt"
done
failed=$(cases 'not ok')
if [ "$failed" -eq 0 ]; then
	echo "check.sh: next, the whole: sh tools/test.sh" >&2
fi
echo "$(cases ok) passed, $failed failed, $(cases skip) skipped" \
	"in $(($(date +%s) - start)) s"
[ "$failed" -eq 0 ]
