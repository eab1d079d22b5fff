#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Debian packages: built by dpkg-buildpackage, read by lintian, installed by dpkg
# below an empty root, used there and removed.
. tests/packages/common.sh

for command in dpkg-buildpackage dh cmake lintian fakeroot pkg-config; do
	command -v $command >/dev/null || {
		skip deb "$command is not installed"
		finish
	}
done
export DEBFULLNAME="The fairsched authors" DEBEMAIL=fairsched@lists.debian.org
fails "no maintainer" 2 env -u DEBEMAIL sh packages/debian/build.sh "$tmp/none"
check "is built" sh packages/debian/build.sh "$tmp/deb"
version=$(sh tools/version.sh)
arch=$(dpkg --print-architecture)
changes=$tmp/deb/fairsched_${version}_$arch.changes
same "lintian has no error or warning" \
	"$(lintian --allow-root "$changes" 2>&1)" ""
sed -i 's/^ [0-9a-f]* \(.*\)$/ 00 \1/' "$changes"
check "which it would tell" sh -c "! lintian --allow-root '$changes'"
check "all they depend on can be had" apt-get --simulate --no-install-recommends \
	install "$tmp/deb/fairsched_${version}_$arch.deb" \
	"$tmp/deb/libfairsched-dev_${version}_all.deb" \
	"$tmp/deb/fairsched-slurm_${version}_$arch.deb"

# Without a system: what the packages depend on is not below the root.
root=$tmp/root
database=$root/var/lib/dpkg
mkdir -p "$database/info" "$database/updates"
: >"$database/status"
: >"$database/available"
in_root() # OPTION...
{
	fakeroot dpkg --root="$root" --log=/dev/null --force-not-root \
		--force-depends --force-script-chrootless "$@"
}
files() # PACKAGE
{
	in_root -L "$1" | while read -r file; do
		[ -d "$root$file" ] || echo "$file"
	done | sort
}
check "is installed" in_root -i "$tmp/deb/fairsched_${version}_$arch.deb" \
	"$tmp/deb/libfairsched-dev_${version}_all.deb" \
	"$tmp/deb/fairsched-slurm_${version}_$arch.deb"
same "the command" "$(files fairsched | grep -v /doc/)" \
	"/usr/bin/fairsched
/usr/share/bash-completion/completions/fairsched
/usr/share/fish/vendor_completions.d/fairsched.fish
/usr/share/man/man1/fairsched.1.gz
/usr/share/zsh/vendor-completions/_fairsched"
same "the daemon" "$(files fairsched-slurm | grep -v /doc/ |
	sed 's|^/lib/|/usr/lib/|' | sort)" \
	"/etc/fairsched-slurm.conf
/usr/lib/systemd/system/fairsched-slurm-watch.service
/usr/lib/systemd/system/fairsched-slurm.service
/usr/sbin/fairsched-slurm
/usr/share/man/man8/fairsched-slurm.8.gz"
same "the headers" "$(cd "$root/usr/include/fairsched" && find . -type f | sort)" \
	"$(find ./*.h policies sched -name '*.h' | sed 's|^\([^.]\)|./\1|' | sort)"

same "the command says its version" \
	"$("$root/usr/bin/fairsched" --version | grep -o "$version" | uniq)" "$version"
check "it compares" "$root/usr/bin/fairsched" compare --policies easy,conservative
check "the daemon runs" "$root/usr/sbin/fairsched-slurm" --help
for page in man1/fairsched.1 man8/fairsched-slurm.8; do
	gzip -dc "$root/usr/share/man/$page.gz" >"$tmp/page"
	same_file "${page##*/}" "$tmp/page" "docs/${page##*/}"
done
check "units start what is there" grep -q '^ExecStart=/usr/sbin/fairsched-slurm' \
	"$(find "$root" -name fairsched-slurm.service)"
same "and are off" "$(find "$root/etc/systemd" 2>/dev/null)" ""

PKG_CONFIG_PATH=$root/usr/share/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
check "pkg-config" cc -std=c99 $(pkg-config --cflags fairsched) \
	docs/examples/loop.c -o "$tmp/c"
runs "C runs" "$tmp/c"
check "CMake finds it" cmake -S tests/packages/cmake -B "$tmp/user" \
	-DCMAKE_PREFIX_PATH="$root/usr" -DWANTED="$version" \
	-DEXAMPLES="$PWD/docs/examples"
check "builds" cmake --build "$tmp/user"
runs "C++ runs" "$tmp/user/loop_cc"

check "is removed" in_root -P fairsched libfairsched-dev fairsched-slurm
same "whole" "$(find "$root" -type f ! -path "$database/*")" ""
finish
