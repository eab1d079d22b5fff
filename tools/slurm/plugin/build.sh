#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: sh tools/slurm/plugin/build.sh [DIR]
#
# Builds sched_fairsched.so for this Debian's Slurm into DIR (build/plugin), if a
# source has changed: 22.05 and 24.11 are tested. The headers are those of Debian's
# source package: apt downloads it into DIR, unless SLURM_SOURCE names a source tree
# of the same version after its ./configure. Honours CC and CFLAGS.
set -eu
cd "$(dirname "$0")/../../.."
dir=${1:-build/plugin}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

get_source() # prints the configured tree
{
	apt=$dir/apt
	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	mkdir -p "$apt/lists/partial" "$apt/parts"
	cat >"$apt/parts/source.sources" <<-EOF
	Types: deb-src
	URIs: http://deb.debian.org/debian
	Suites: $suite
	Components: main
	Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
	EOF
	set -- -q -o Dir::Etc::sourcelist=/dev/null \
		-o Dir::Etc::sourceparts="$apt/parts" \
		-o Dir::State::lists="$apt/lists"
	if [ ! -e "$dir/slurm/config.h" ]; then
		apt-get "$@" update >&2
		(cd "$apt" && apt-get "$@" source --download-only --tar-only \
			slurm-wlm >&2)
		mkdir -p "$dir/slurm"
		tar -xf "$apt"/slurm-wlm_*.orig.tar.* -C "$dir/slurm" \
			--strip-components=1
		(cd "$dir/slurm" && ./configure --quiet --no-create \
			--disable-dependency-tracking >&2 &&
			./config.status --quiet slurm/slurm_version.h config.h)
	fi
	echo "$dir/slurm"
}

source=${SLURM_SOURCE:-$(get_source)}
base=tools/fairsched/base
# shellcheck disable=SC2086
set -- ${CC:-cc} -std=gnu11 -O2 -fPIC -shared -Wall -Wextra \
	-Wno-unused-function -DHAVE_CONFIG_H ${CFLAGS:-} -isystem "$source" \
	-isystem "$source/src/common" -I. \
	tools/slurm/plugin/*.c \
	$base/output.c $base/messages.c $base/text.c $base/words.c \
	$base/read_file.c $base/input.c tools/fairsched/trace/maui_config.c \
	tools/fairsched/trace/maui_rows.c -Wl,-Bsymbolic
if [ "$(cat "$dir/built.txt" 2>&1)" = "$*" ] &&
	[ -z "$(find ./*.h policies sched tools/fairsched tools/slurm/plugin \
		"$source/config.h" -newer "$dir/sched_fairsched.so" 2>&1)" ]
then
	exit 0
fi
"$@" -o "$dir/sched_fairsched.so.new"
mv -f "$dir/sched_fairsched.so.new" "$dir/sched_fairsched.so"
echo "$*" >"$dir/built.txt"
