#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Every header alone: what it says compiles, and what the object file holds.
# shellcheck disable=SC2046,SC2086
. tests/test.sh

warn="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
[ -d sched ] || warn="$warn -Wno-misleading-indentation" # slow in the single file

unit() # FILE DEFINES...: a unit that includes $header twice
{
	test_unit=$1
	shift
	{
		for define; do printf '#define %s\n' "$define"; done
		printf '#include "%s"\n#include "%s"\n' "$PWD/$header" \
			"$PWD/$header"
	} >"$test_unit"
}

compiles() # NAME COMPILER FLAG... FILE
{
	test_what=$1
	shift
	check "$header $test_what" "$@" $warn -o "$tmp/a.o" -c
}

# Not relocatable, so that a constant table of pointers is no variable.
object="-O0 -fno-pie"

# Only gcc must emit code to see that a static function is not used; holds() looks
# at that code. That for a freestanding program, and that of static functions, is
# emitted for the header that includes all others.
languages() # COMPILER C++COMPILER FLAG...
{
	test_c=$1
	test_cpp=$2
	shift 2
	emit=-fsyntax-only
	[ "$header" != fairsched.h ] || emit=$object
	unit "$tmp/a.c" FAIRSCHED_IMPLEMENTATION
	cp "$tmp/a.c" "$tmp/a.cc"
	compiles "$test_c C99" "$test_c" -std=c99 "$@" "$tmp/a.c"
	[ "$test_c" != gcc ] || cp "$tmp/a.o" "$tmp/family.o"
	compiles "$test_cpp C++11" "$test_cpp" -std=c++11 -fsyntax-only \
		"$tmp/a.cc"
	compiles "$test_c freestanding" "$test_c" -std=c99 -ffreestanding \
		$integer_only -nostdinc \
		-isystem "$("$test_c" -print-file-name=include)" $emit \
		"$tmp/a.c"
	unit "$tmp/a.c" FAIRSCHED_STATIC FAIRSCHED_IMPLEMENTATION
	compiles "$test_c static" "$test_c" -std=c99 $emit "$tmp/a.c"
	[ "$test_c$header" != gccfairsched.h ] || cp "$tmp/a.o" "$tmp/static.o"
	unit "$tmp/a.c"
	compiles "$test_c declarations" "$test_c" -std=c99 -fsyntax-only "$tmp/a.c"
}

listed() # OBJECT: type and name of each symbol
{
	nm -P "$1" | awk '{ print $2, $1 }'
}

symbols() # DEFINES...
{
	unit "$tmp/s.c" "$@"
	gcc -std=c99 $object $warn -c "$tmp/s.c" -o "$tmp/s.o" &&
		listed "$tmp/s.o"
}

text_of() # DEFINES...: what the compiler reads
{
	unit "$tmp/s.c" "$@"
	gcc -std=c99 -E -P "$tmp/s.c"
}

guard() # HEADER
{
	sed -n 's/^#ifndef \(FAIR[A-Z_]*\)_H$/\1/p' "$1" | head -n 1
}

# What a user of this header alone defines: its own switch, and those of what
# it includes.
switches()
{
	for test_header in "$header" $(sed -n 's/^#include "\(.*\)"$/\1/p' \
		"$header" | grep -Ev '^(\.\./)?(sched|backfill|conservative|fairtree)/' |
		sed "s|^|${header%"${header##*/}"}|"); do
		echo "$(guard "$test_header")_IMPLEMENTATION"
	done
}

# A switch misspelt in the header would be silent.
holds()
{
	listed "$tmp/family.o" >"$tmp/family"
	if [ "$(text_of $(switches))" = "$(text_of FAIRSCHED_IMPLEMENTATION)" ]
	then
		cp "$tmp/family" "$tmp/own"
	else
		symbols $(switches) >"$tmp/own"
	fi

	unit "$tmp/a.c" FAIRSCHED_STATIC FAIRSCHED_IMPLEMENTATION
	gcc -std=c99 -E -P "$tmp/a.c" >"$tmp/both"
	unit "$tmp/a.c" FAIRSCHED_STATIC
	gcc -std=c99 -E -P "$tmp/a.c" >"$tmp/implied"
	same_file "$header static implies the implementation" "$tmp/implied" \
		"$tmp/both"

	check "$header defines its version" test "$(
		grep -c "^T fair_[a-z]*_version_$version$of_file$remedy\$" \
		"$tmp/own")" -ge \
		"$(switches | wc -l)"
	check "$header names its version where it is declared" test "$(
		symbols | grep -c "^U fair_[a-z]*_version_$version$of_file$remedy\$")" -ge \
		"$(switches | wc -l)"
	check "$header implements" grep -iq "^T $(guard "$header" |
		sed 's/^FAIRSCHED/FAIR_SCHED/')_" "$tmp/own"
	same "$header has no variables" "$(grep '^[BbDdCGgSs] ' "$tmp/family")" ""
	same "$header exports fair_ names" \
		"$(grep '^[A-TV-Z] ' "$tmp/family" | grep -v '^[A-Z] fair_')" ""
	# __cpu_model: what the compiler's own runtime knows of an x86.
	same "$header needs only memory functions" \
		"$(grep '^U ' "$tmp/family" |
			grep -vE '^U (mem(cpy|move|set|cmp)|_GLOBAL_.*|__cpu_model)$')" ""
	[ "$header" = fairsched.h ] || return 0
	listed "$tmp/static.o" >"$tmp/static"
	same "$header static exports nothing" \
		"$(grep '^[A-TV-Z] ' "$tmp/static")" ""
}

text()
{
	same "$header SPDX" "$(head -n 1 "$header")" \
		"/* SPDX-License-Identifier: MIT OR Unlicense */"
	tail -n "$(wc -l <"$tmp/licence")" "$header" >"$tmp/foot"
	same_file "$header licence" "$tmp/foot" "$tmp/licence"
}

integer_only=
case $(uname -m) in
x86_64 | aarch64) integer_only=-mgeneral-regs-only ;;
esac
# LICENSE as a comment.
{
	sed -n '/^A - MIT/,$p' LICENSE | sed 's/^/ * /; s/ $//'
	echo " */"
} >"$tmp/licence"

of_file='\(_declares_[0-9]*\)\?' # a single file
# What the linker's message tells to do.
remedy=_define_FAIRSCHED_IMPLEMENTATION_in_one_file
version=$(cat ./*.h policies/*.h policies/*/*.h sched/*.h 2>"$tmp/none" |
	sed -n 's/^#define FAIRSCHED_VERSION //p' | sort -u)
for header in *.h policies/*.h; do
	[ -f "$header" ] || continue # single_test.sh runs this on one file
	rm -f "$tmp/family.o" "$tmp/static.o"
	languages gcc g++ $object
	if command -v clang-19 >/dev/null; then
		languages clang-19 clang++-19 -fsyntax-only
	else
		skip "$header clang" "no clang-19"
	fi
	holds
	text
done
finish
