#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# usage: sh tools/slurm/plugin/suite.sh [SUITE [DIR [POLICY | CASE ...]]]
#
# Builds the plugin for the Slurm of another Debian suite (default trixie, Slurm
# 24.11) and tests it there, or those cases: tools/slurm/suite.sh installs the suite
# into DIR (build/SUITE). It takes ten minutes, root and debootstrap.
set -eu
cd "$(dirname "$0")/../../.."
suite=${1:-trixie}
dir=${2:-build/$suite}
shift "$(($# < 2 ? $# : 2))"
# shellcheck disable=SC2016
exec sh tools/slurm/suite.sh "$suite" "$dir" sh -euc '
	export PLUGIN=build/plugin-$1
	[ -e $PLUGIN/slurm/config.h ] ||
		sh tools/slurm/plugin/build.sh $PLUGIN
	export SLURM_SOURCE=/fairsched/$PLUGIN/slurm
	shift
	exec python3 tests/slurm/slurm_plugin_test.py "$@"' sh "$suite" "$@"
