#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: sh tools/slurm/plugin/suite.sh [SUITE [DIR [POLICY | CASE ...]]]
#
# Builds the plugin for the Slurm of another Debian suite (default trixie, Slurm
# 24.11) and tests it there: debootstrap installs the suite into DIR
# (build/SUITE), and the test, or those of its cases, runs in it with own mounts
# and processes. It takes ten minutes, root and debootstrap.
set -eu
cd "$(dirname "$0")/../../.."
suite=${1:-trixie}
dir=${2:-build/$suite}
shift "$(($# < 2 ? $# : 2))"
packages=slurmctld,slurmd,slurm-client,munge,libmunge-dev,python3,gcc,libc6-dev
packages=$packages,make,slurm-wlm-basic-plugins

if [ ! -e "$dir/root/usr/sbin/slurmctld" ]; then
	mkdir -p "$dir"
	debootstrap --variant=minbase --include=$packages "$suite" \
		"$dir/root" http://deb.debian.org/debian
fi
mkdir -p "$dir/root/fairsched"
echo "127.0.0.1 localhost $(hostname)" >"$dir/root/etc/hosts"
cp /etc/resolv.conf "$dir/root/etc"
# shellcheck disable=SC2016
unshare --mount --pid --kill-child sh -euc '
	mount --bind "$PWD" "$1/fairsched"
	mount -t proc proc "$1/proc"
	mount --bind /dev "$1/dev"
	mount -t tmpfs tmpfs "$1/tmp"
	root=$1
	shift
	exec chroot "$root" sh -euc "
		cd /fairsched
		export PLUGIN=build/plugin-\$1
		[ -e \$PLUGIN/slurm/config.h ] ||
			sh tools/slurm/plugin/build.sh \$PLUGIN
		export SLURM_SOURCE=/fairsched/\$PLUGIN/slurm
		shift
		exec python3 tests/slurm/slurm_plugin_test.py \"\$@\"" sh "$@"
' sh "$dir/root" "$suite" "$@"
