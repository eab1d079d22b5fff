#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/slurm/install.sh [ROOT]
#
# Installs build/fairsched-slurm (see build.sh), its manual page and units, and the
# files for slurmctld in SLURM_ETC (/etc/slurm), below the folder ROOT if there is
# one. What a site changes stays as it is: fairsched-slurm.conf, fairsched.conf
# and job_submit.lua. Prints what is left to do.
set -eu
cd "$(dirname "$0")/../.."
to=${1:-}
etc=${SLURM_ETC:-/etc/slurm}

install -D "${PROGRAM:-build/fairsched-slurm}" "$to/usr/local/sbin/fairsched-slurm"
install -D -m 644 docs/fairsched-slurm.8 \
	"$to/usr/local/share/man/man8/fairsched-slurm.8"
for unit in tools/slurm/*.service; do
	install -D -m 644 "$unit" "$to/etc/systemd/system/${unit##*/}"
done
install -D -m 644 tools/slurm/job_submit.lua "$to$etc/fairsched.lua"
keep() # FILE TO
{
	[ -e "$to$2" ] || install -D -m 644 "$1" "$to$2"
}
keep tools/slurm/fairsched-slurm.conf /etc/fairsched-slurm.conf
keep tools/slurm/fairsched.conf "$etc/fairsched.conf"
if [ ! -e "$to$etc/job_submit.lua" ]; then
	echo "dofile(\"$etc/fairsched.lua\")" >"$to$etc/job_submit.lua"
elif ! grep -q fairsched "$to$etc/job_submit.lua"; then
	echo "$etc/job_submit.lua is your own: it must call $etc/fairsched.lua, see docs/SLURM.md"
fi
if id slurm >/dev/null 2>&1; then
	install -d -o slurm -m 700 "$to/var/lib/fairsched"
else
	echo "make the folder /var/lib/fairsched for SlurmUser, and name SlurmUser in the units"
fi
grep -qs '^Include fairsched.conf' "$to$etc/slurm.conf" ||
	echo "add to $etc/slurm.conf: Include fairsched.conf"
