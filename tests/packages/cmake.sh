#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# cmake --install, then another project finds the package by find_package().
. tests/packages/common.sh

need cmake cmake
check "configures" cmake -S . -B "$tmp/build" -DCMAKE_INSTALL_PREFIX="$prefix"
check "installs" cmake --install "$tmp/build"
same "headers alone" "$(find "$prefix/include" -type f ! -name '*.h')" ""
same "every header" "$(cd "$prefix/include/fairsched" && find . -type f | sort)" \
	"$(find ./*.h policies sched -name '*.h' | sed 's|^\([^.]\)|./\1|' | sort)"
mv "$prefix" "$tmp/moved"

user() # VERSION
{
	rm -rf "$tmp/user"
	cmake -S tests/packages/cmake -B "$tmp/user" \
		-DCMAKE_PREFIX_PATH="$tmp/moved" -DWANTED="$1" \
		-DEXAMPLES="$PWD/docs/examples"
}
check "is found" user "$(sh tools/version.sh)"
check "builds" cmake --build "$tmp/user"
runs "C runs" "$tmp/user/loop"
runs "C++ runs" "$tmp/user/loop_cc"
fails "another major version is not found" 1 user 2.0

mkdir "$tmp/sub"
cat >"$tmp/sub/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.14)
project(user LANGUAGES C)
add_subdirectory($PWD fairsched)
add_executable(loop $PWD/docs/examples/loop.c)
set_property(TARGET loop PROPERTY C_STANDARD 99)
target_link_libraries(loop fairsched::fairsched)
CMAKE
check "as a subdirectory" cmake -S "$tmp/sub" -B "$tmp/sub/build"
check "which builds" cmake --build "$tmp/sub/build"
runs "it runs" "$tmp/sub/build/loop"

PKG_CONFIG_PATH=$tmp/moved/share/pkgconfig
export PKG_CONFIG_PATH
if command -v pkg-config >/dev/null; then
	# shellcheck disable=SC2046
	check "pkg-config" cc -std=c99 $(pkg-config --cflags fairsched) \
		docs/examples/loop.c -o "$tmp/c"
else
	skip "pkg-config" "it is not installed"
fi
finish
