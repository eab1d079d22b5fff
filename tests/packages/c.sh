#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/install.sh, then pkg-config tells a compiler where the headers are.
. tests/packages/common.sh

command -v pkg-config >/dev/null || {
	skip "pkg-config" "it is not installed"
	finish
}
# A copy: it builds the command in its own way.
mkdir "$tmp/tree"
cp -R ./*.h policies sched tools docs "$tmp/tree"
check "installs" env CFLAGS=-O0 sh "$tmp/tree/tools/install.sh" "$prefix"
mv "$prefix" "$tmp/moved"
export PKG_CONFIG_PATH="$tmp/moved/share/pkgconfig"
same "version" "$(pkg-config --modversion fairsched)" "$(sh tools/version.sh)"
# shellcheck disable=SC2046
check "C" cc -std=c99 $(pkg-config --cflags fairsched) docs/examples/loop.c \
	-o "$tmp/c"
runs "C runs" "$tmp/c"
# shellcheck disable=SC2046
check "C++" c++ -std=c++11 $(pkg-config --cflags fairsched) \
	docs/examples/loop.cc -o "$tmp/cc"
runs "C++ runs" "$tmp/cc"
# shellcheck disable=SC2046
check "a host in C" cc -std=c99 $(pkg-config --cflags fairsched) \
	docs/examples/host/host.c -o "$tmp/host_c"
hosts C "$tmp/host_c"
# shellcheck disable=SC2046
check "a host in C++" c++ -std=c++11 $(pkg-config --cflags fairsched) \
	docs/examples/host/host.cc -o "$tmp/host_cc"
hosts C++ "$tmp/host_cc"
finish
