#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/pack.sh python|rust|go|npm FOLDER
#
# Writes a package that needs nothing else of the tree: its files, the headers as
# one file and, for Go and npm, the library as WebAssembly, by clang 19 or
# CLANG. The same tree and compiler give the same bytes.
set -eu
cd "$(dirname "$0")/.."

stop() # MESSAGE
{
	echo "pack.sh: $1" >&2
	exit 2
}

[ $# -eq 2 ] || stop "which package, and where to?"
to=$2
case $1 in
python | rust | go | npm) ;;
*) stop "there is no package '$1'" ;;
esac
[ ! -e "$to" ] || [ -f "$to/.packed" ] || stop "'$to' is there, and not by pack.sh"

single() # FOLDER HEADER...
{
	folder=$1
	shift
	mkdir -p "$folder"
	sh tools/amalgamate.sh >"$folder/fairsched.h"
	for header; do
		cp "packages/$header" "$folder"
	done
}

wasm() # FILE
{
	clang=${CLANG:-clang-19}
	command -v "$clang" >/dev/null || stop "$clang is not installed"
	"$clang" --target=wasm32 -O3 -mbulk-memory -ffreestanding -nostdlib \
		-std=c99 -Wno-unused-function -I. -Ipackages packages/flat.c \
		-Wl,--no-entry,--strip-all,--export=__heap_base -o "$1" ||
		stop "WebAssembly needs $clang with wasm-ld: the packages clang-19, lld-19"
}

# No products of a build.
rm -rf "$to"
mkdir -p "$to"
: >"$to/.packed"
git ls-files "packages/$1" >"$to/.packed" 2>/dev/null || :
[ -s "$to/.packed" ] || find "packages/$1" -type f >"$to/.packed"
while read -r file; do
	place=$to/${file#"packages/$1/"}
	mkdir -p "$(dirname "$place")"
	cp "$file" "$place"
done <"$to/.packed"
: >"$to/.packed"
case $1 in
python) single "$to/vendor" replay.h ;;
rust) single "$to/fairsched-sys/vendor" replay.h flat.h ;;
go)
	single "$to" replay.h flat.h
	{
		printf '//go:build cgo && !fairsched_wasm\n\n'
		cat packages/flat.c
	} >"$to/flat.c"
	wasm "$to/fairsched.wasm"
	;;
npm) wasm "$to/fairsched.wasm" ;;
esac
[ "$1" = rust ] || cp LICENSE "$to"
