#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# meson install, then another project finds the dependency: as installed, and as
# a subproject.
. tests/packages/common.sh

need ninja ninja
need meson meson
check "sets up" meson setup --prefix "$prefix" "$tmp/build"
check "installs" meson install -C "$tmp/build"
same "headers alone" "$(find "$prefix/include" -type f ! -name '*.h')" ""
same "every header" "$(find "$prefix/include" -name '*.h' | wc -l)" \
	"$(find ./*.h policies sched -name '*.h' | wc -l)"

mkdir -p "$tmp/user/subprojects/fairsched"
cp tests/packages/meson/meson.build docs/examples/loop.c \
	docs/examples/loop.cc "$tmp/user"
builds() # NAME FOLDER ARGUMENT...
{
	name=$1 folder=$tmp/$2
	shift 2
	check "$name" meson setup "$@" "$folder" "$tmp/user"
	check "$name builds" meson compile -C "$folder"
	runs "$name: C runs" "$folder/loop"
	runs "$name: C++ runs" "$folder/loop_cc"
}
builds installed installed --wrap-mode nofallback \
	--pkg-config-path "$prefix/share/pkgconfig"
cp -R ./*.h policies sched tools meson.build "$tmp/user/subprojects/fairsched"
builds subproject subproject --force-fallback-for fairsched
finish
