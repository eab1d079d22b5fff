#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/install.sh [PREFIX]
#
# Builds the command with a C compiler and installs it below PREFIX (/usr/local),
# with its manual page, completions for bash, zsh and fish, and the headers in
# include/fairsched, which pkg-config finds. DESTDIR is put before PREFIX, as
# packages do.
set -eu
cd "$(dirname "$0")/.."
prefix=${1:-/usr/local}
case $prefix in
/*) ;;
*)
	echo "install.sh: '$prefix' is not an absolute path, as /usr/local is" >&2
	exit 2
	;;
esac
to=${DESTDIR:-}$prefix

place() # MODE SOURCE TARGET
{
	mkdir -p "$to/$(dirname "$3")"
	# A process may be running the old one.
	cp "$2" "$to/$3.new"
	chmod "$1" "$to/$3.new"
	mv -f "$to/$3.new" "$to/$3"
}

sh tools/build.sh
place 755 build/fairsched bin/fairsched
place 644 docs/fairsched.1 share/man/man1/fairsched.1
place 644 tools/completion/fairsched.bash \
	share/bash-completion/completions/fairsched
place 644 tools/completion/fairsched.zsh share/zsh/site-functions/_fairsched
place 644 tools/completion/fairsched.fish \
	share/fish/vendor_completions.d/fairsched.fish
for header in *.h sched/*.h policies/*.h policies/*/*.h; do
	place 644 "$header" "include/fairsched/$header"
done
sed "s/@PROJECT_VERSION@/$(sh tools/version.sh)/" tools/fairsched.pc.in \
	>build/fairsched.pc
place 644 build/fairsched.pc share/pkgconfig/fairsched.pc
echo "fairsched is in $to/bin; headers: cc -I $to/include/fairsched"
