#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The Conan package: made in an empty cache, and found by a user's CMake project and
# by pkg-config.
. tests/packages/common.sh

need cmake cmake

user() # FOLDER
{
	rm -rf "$tmp/user"
	cmake -S tests/packages/cmake -B "$tmp/user" -DCMAKE_PREFIX_PATH="$1" \
		-DCMAKE_BUILD_TYPE=Release -DWANTED="$(sh tools/version.sh)" \
		-DEXAMPLES="$PWD/docs/examples" &&
		cmake --build "$tmp/user"
}
need conan conan
export CONAN_HOME="$tmp/conan"
check "profile" conan profile detect
cp -R packages/conan "$tmp/alone"
tells "call conan create packages/conan" conan create "$tmp/alone"
check "is made" conan create packages/conan
check "is installed" conan install --requires="fairsched/$(sh tools/version.sh)" \
	-g CMakeDeps -g PkgConfigDeps -of "$prefix"
headers=$(sed -n 's|^prefix=||p' "$prefix/fairsched.pc")/include/fairsched
same "every header" "$(cd "$headers" && find . -type f | sort)" \
	"$(find ./*.h policies sched -name '*.h' | sed 's|^\([^.]\)|./\1|' | sort)"
check "is found" user "$prefix"
runs "C runs" "$tmp/user/loop"
runs "C++ runs" "$tmp/user/loop_cc"
if command -v pkg-config >/dev/null; then
	# shellcheck disable=SC2046
	check "pkg-config" cc -std=c99 \
		$(PKG_CONFIG_PATH=$prefix pkg-config --cflags fairsched) \
		docs/examples/loop.c -o "$tmp/c"
else
	skip "pkg-config" "it is not installed"
fi
finish
