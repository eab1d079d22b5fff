#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: portability_test.sh [--full]
#
# The first and the last standard without a warning, and the lines of portable.c
# the same on every machine. --full, which is tools/portability.sh: all standards,
# optimized in all ways.
# shellcheck disable=SC2086
. tests/test.sh

warn="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
levels=-O0 host=-O0 only=-fsyntax-only c="c99 c2x" cpp="c++11 c++20"
[ "${1:-}" != --full ] || levels="-O0 -O1 -O2 -O3 -Os" host=-O1 \
	only="-O2 -c -o $tmp/a.o" c="c99 c11 c17 c2x" \
	cpp="c++11 c++14 c++17 c++20"

have() # NAME COMMAND...
{
	test_for=$1
	shift
	for command; do
		command -v "$command" >"$tmp/path" && continue
		skip "$test_for" "no $command"
		return 1
	done
}

standards() # C-COMPILER C++-COMPILER C-STANDARD...
{
	have "standards of $1" "$1" "$2" || return
	cp tests/portable.c "$tmp/portable.cc"
	for standard in $c; do
		check "$1 $standard" "$1" -std=$standard -DHOSTED $warn $only \
			-I. tests/portable.c
		check "$1 $standard, declared" "$1" -std=$standard -DHOSTED \
			-DFAIRSCHED_SPLIT $warn $only -I. tests/portable.c
	done
	for standard in $cpp; do
		check "$2 $standard" "$2" -std=$standard -DHOSTED $warn $only \
			-I. "$tmp/portable.cc"
	done
}

prints() # NAME COMMAND...: the lines of this machine
{
	test_name=$1
	shift
	"$@" >"$tmp/got" 2>"$tmp/err" || cat "$tmp/err" >>"$tmp/got"
	same_file "$test_name" "$tmp/got" "$tmp/want"
}

hosted() # NAME COMPILER FLAG...
{
	have "$1" "$2" || return
	test_name=$1
	shift
	if ! "$@" -DHOSTED $warn -I. tests/portable.c -o "$tmp/hosted" \
		>"$tmp/err" 2>&1; then
		head -n 3 "$tmp/err"
		case $* in
		*-m32*) skip "$test_name" "the compiler has no 32 bits" ;;
		*) not_ok "$test_name compiles" ;;
		esac
		return
	fi
	prints "$test_name" "$tmp/hosted"
}

bare() # NAME TARGET LINKER FLAG...: without a C library
{
	have "$1" clang-19 "$3" || return 1
	test_name=$1
	test_target=$2
	test_linker=$(command -v "$3")
	shift 3
	clang-19 --target=$test_target -ffreestanding -nostdlib -static -std=c11 -Wno-unused-command-line-argument \
		--ld-path="$test_linker" $warn "$@" -I. \
		tests/portable.c docs/examples/kernel/start.c \
		docs/examples/kernel/memory.c -o "$tmp/bare" >"$tmp/err" 2>&1 &&
		return
	head -n 5 "$tmp/err"
	not_ok "$test_name compiles"
	return 1
}

emulated() # PROCESSOR FLAG...
{
	have "$1" "qemu-$1" || return
	test_cpu=$1
	test_triple=$(echo "$1" | sed s/ppc/powerpc/)-linux-gnu
	shift
	for level in $levels; do
		bare "$test_cpu $level" "$test_triple" ld.lld-19 \
			$level "$@" &&
			prints "$test_cpu $level" "qemu-$test_cpu" "$tmp/bare"
	done
}

wasm()
{
	have wasm node || return
	for level in $levels; do
		bare "wasm $level" wasm32 wasm-ld-19 $level \
			-Wl,--no-entry,--export=program &&
			prints "wasm $level" node \
				docs/examples/wasm/program.mjs "$tmp/bare"
	done
}

check "compiles" gcc -std=c99 $host $warn -DHOSTED -I. tests/portable.c \
	-o "$tmp/host"
check "runs" "$tmp/host"
"$tmp/host" >"$tmp/want"
check "policies, a ledger, prices" test "$(wc -l <"$tmp/want")" -ge 30

standards gcc g++
standards clang-19 clang++-19
for level in $levels; do
	hosted "clang $level" clang-19 -std=c99 $level
	hosted "32 bits $level" gcc -m32 -std=c99 $level
	hosted "C++ of 32 bits $level" g++ -m32 -std=c++11 $level
	hosted "no 128-bit integers $level" gcc -std=c99 $level -DFAIR_NO_INT128
	hosted "no vectors $level" gcc -std=c99 $level -DFAIR_PROFILE_PORTABLE
done
emulated aarch64
emulated riscv64
emulated ppc64 -mabi=elfv2
emulated s390x
wasm
finish
