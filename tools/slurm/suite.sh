#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/slurm/suite.sh SUITE DIR COMMAND ...
#
# Runs COMMAND with the Slurm of another Debian suite (trixie has 24.11), in a copy of
# it with own mounts and processes, where /fairsched is this tree. debootstrap
# installs it into DIR at first, in some minutes. It takes root.
set -eu
cd "$(dirname "$0")/../.."
suite=$1 dir=$2
shift 2
packages=slurmctld,slurmd,slurmdbd,slurm-client,slurm-wlm-basic-plugins,munge
packages=$packages,mariadb-server,libmunge-dev,python3,gcc,libc6-dev,make

if [ ! -e "$dir/root/usr/sbin/slurmdbd" ]; then
	mkdir -p "$dir"
	debootstrap --variant=minbase --include=$packages "$suite" \
		"$dir/root" http://deb.debian.org/debian
fi
mkdir -p "$dir/root/fairsched"
echo "127.0.0.1 localhost $(hostname)" >"$dir/root/etc/hosts"
cp /etc/resolv.conf "$dir/root/etc"
# The connector of MariaDB 11.8.9 refuses each query of trixie's slurmdbd, as of more
# than 0 columns; that of Debian 12 does not. -u: another slurmdbd may be using it.
mkdir -p "$dir/root/opt/connector"
cp -u /usr/lib/*/libmariadb.so.3 "$dir/root/opt/connector" 2>/dev/null || true
export LD_LIBRARY_PATH=/opt/connector
# shellcheck disable=SC2016
exec unshare --mount --pid --kill-child sh -euc '
	mount --bind "$PWD" "$1/fairsched"
	mount -t proc proc "$1/proc"
	mount --bind /dev "$1/dev"
	mount -t tmpfs tmpfs "$1/tmp"
	root=$1
	shift
	exec chroot "$root" sh -euc "cd /fairsched; exec \"\$@\"" sh "$@"
' sh "$dir/root" "$@"
