#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Every header alone: what it says compiles, and what the object file holds.
# shellcheck disable=SC2046,SC2086
. tests/test.sh

warn="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

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

# Only gcc must emit code to see that a static function is not used.
languages() # COMPILER C++COMPILER [FLAG]
{
	unit "$tmp/a.c" FAIRSCHED_IMPLEMENTATION
	cp "$tmp/a.c" "$tmp/a.cc"
	compiles "$1 C99" "$1" -std=c99 -fsyntax-only "$tmp/a.c"
	compiles "$2 C++11" "$2" -std=c++11 -fsyntax-only "$tmp/a.cc"
	compiles "$1 freestanding" "$1" -std=c99 -ffreestanding $integer_only \
		-nostdinc -isystem "$("$1" -print-file-name=include)" "$tmp/a.c"
	unit "$tmp/a.c" FAIRSCHED_STATIC FAIRSCHED_IMPLEMENTATION
	compiles "$1 static" "$1" -std=c99 $3 "$tmp/a.c"
	unit "$tmp/a.c"
	compiles "$1 declarations" "$1" -std=c99 -fsyntax-only "$tmp/a.c"
}

# Not relocatable, so that a constant table of pointers is no variable.
symbols() # DEFINES...: type and name of each symbol
{
	unit "$tmp/s.c" "$@"
	gcc -std=c99 -O0 -fno-pie $warn -c "$tmp/s.c" -o "$tmp/s.o" &&
		nm -P "$tmp/s.o" | awk '{ print $2, $1 }'
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
		"$header" | grep -Ev '^(sched|backfill|conservative|fairtree)/' |
		sed "s|^|${header%"${header##*/}"}|"); do
		echo "$(guard "$test_header")_IMPLEMENTATION"
	done
}

# A switch misspelt in the header would be silent.
holds()
{
	symbols $(switches) >"$tmp/own"
	symbols FAIRSCHED_IMPLEMENTATION >"$tmp/family"
	symbols FAIRSCHED_STATIC FAIRSCHED_IMPLEMENTATION >"$tmp/static"

	unit "$tmp/a.c" FAIRSCHED_STATIC FAIRSCHED_IMPLEMENTATION
	gcc -std=c99 -E -P "$tmp/a.c" >"$tmp/both"
	unit "$tmp/a.c" FAIRSCHED_STATIC
	gcc -std=c99 -E -P "$tmp/a.c" >"$tmp/implied"
	same_file "$header static implies the implementation" "$tmp/implied" \
		"$tmp/both"

	check "$header defines its version" test "$(
		grep -c "^T fair_[a-z]*_version_$version$remedy\$" \
		"$tmp/own")" -ge \
		"$(switches | wc -l)"
	check "$header names its version where it is declared" test "$(
		symbols | grep -c "^U fair_[a-z]*_version_$version$remedy\$")" -ge \
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

# What the linker's message tells to do.
remedy=_define_FAIRSCHED_IMPLEMENTATION_in_one_file
version=$(cat ./*.h policies/*.h policies/*/*.h sched/*.h 2>"$tmp/none" |
	sed -n 's/^#define FAIRSCHED_VERSION //p' | sort -u)
for header in *.h policies/*.h; do
	[ -f "$header" ] || continue # single_test.sh runs this on one file
	languages gcc g++ ""
	if command -v clang-19 >/dev/null; then
		languages clang-19 clang++-19 -fsyntax-only
	else
		skip "$header clang" "no clang-19"
	fi
	holds
	text
done
finish
