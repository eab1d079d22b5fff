#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/full.sh [replays | claims | exhaustion | portability | sanitizers |
#		packages | slurm | oar | mutants ...]
#
# Runs the tests that take longer than tools/test.sh; without arguments all:
#
#	replays		plays every real trace to its end under easy,
#			conservative, pc and dc and checks the scheduler's
#			invariants: tests/command/traces_test.c without its limit
#	claims		all of docs/REPRODUCTION.md, found again: 10 minutes
#	exhaustion	every workload and every change that docs/VERIFICATION.md
#			enumerates, and a stream of 100,000 jobs: 15 minutes
#	portability	all installed compilers, standards and machines
#	sanitizers	commands that are killed and go on, with sanitizers: those
#			that tools/test.sh leaves out
#	packages	builds, installs and uses every package, and tries any input
#			for a minute in each language: tools/packages.sh
#	slurm		the Slurm plugin in a real slurmctld of this Debian's Slurm
#			and of another suite's, where fairsched-slurm runs, too,
#			and the usage of 300 jobs by their sreport and sshare:
#			two hours
#	oar		300 jobs by oarsub on a real oar-server, scheduled by
#			tools/oar and by OAR: 40 minutes
#	mutants		every mutant, in many hours; writes the survivors to
#			build/survivors.txt and prints the new ones
#
# FAIRSCHED_SHARED is the folder of the traces. The exit status is 1 if a replay,
# a machine or a package fails; a survivor is no failure.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build

replays()
{
	parts=$(find tools/fairsched -name '*.c' ! -name main.c)
	sh tools/fairsched/report/assets/embed.sh >build/page_assets.c
	# shellcheck disable=SC2086
	${CC:-cc} -O2 -std=c99 -D_POSIX_C_SOURCE=200809L ${CFLAGS:-} -I. \
		tests/command/traces_test.c $parts build/page_assets.c -lpthread -lm -o build/traces_test
	FAIRSCHED_FULL=1 build/traces_test
}

claims()
{
	sh tools/build.sh
	sh tools/experiments/build.sh
	FAIRSCHED_FULL=1 sh tests/command/reproduce_test.sh
}

exhaustion()
{
	status=0
	bazel test --config=gcc --test_env=FAIRSCHED_FULL=1 \
		--test_env=FAIRSCHED_CHANGES=6 //tests:classes_stream_test \
		//tests:exhaustive_disturbed_test \
		//tests:exhaustive_live_test //tests:exhaustive_profile_test ||
		status=$?
	for n in 1 2 3 4 5; do
		bazel test --config=gcc --test_env=FAIRSCHED_JOBS=$n \
			//tests:exhaustive_sched_test || status=$?
	done
	return $status
}

portability()
{
	sh tools/portability.sh
}

sanitizers()
{
	bazel test --config=asan --test_tag_filters=kills --build_tests_only \
		//tests/...
}

packages()
{
	FUZZ_SECONDS=60 sh tools/packages.sh
}

slurm()
{
	sh tools/slurm/plugin/build.sh
	sh tools/slurm/plugin/suite.sh >build/suite.txt 2>&1 & # beside it: both wait
	status=0
	SLURM_SOURCE=$PWD/build/plugin/slurm \
		python3 tests/slurm/slurm_plugin_test.py || status=$?
	wait $! || status=$?
	cat build/suite.txt
	python3 tools/slurm/matrix.py || status=$?
	sh tools/slurm/suite.sh trixie build/trixie python3 \
		tools/slurm/matrix.py --plugin build/plugin-trixie || status=$?
	python3 tools/slurm/mixed_run.py || status=$?
	sh tools/build.sh
	python3 tools/slurm/usage_run.py || status=$?
	python3 tools/slurm/limits_run.py || status=$?
	sh tools/slurm/suite.sh trixie build/trixie \
		python3 tools/slurm/limits_run.py || status=$?
	sh tools/slurm/suite.sh trixie build/trixie \
		python3 tools/slurm/usage_run.py || status=$?
	sh tools/slurm/suite.sh trixie build/trixie \
		env FAIRSCHED_BUILT=build/trixie/programs \
		python3 tests/slurm/slurm_test.py || status=$?
	return $status
}

oar()
{
	status=0
	python3 tools/oar/oar_run.py --cases --jobs 0 --waiting 0 \
		fairsched:conservative || status=$?
	python3 tools/oar/oar_run.py || status=$?
	return $status
}

mutants()
{
	status=0
	if [ -f build/survivors.txt ]; then
		sh tools/mutants.sh --against build/survivors.txt || status=$?
		[ $status -le 1 ] || return $status
	fi
	status=0
	sh tools/mutants.sh >build/survivors.new || status=$?
	[ $status -le 1 ] || return $status
	mv build/survivors.new build/survivors.txt
}

[ $# -gt 0 ] || set -- replays claims exhaustion portability sanitizers \
	packages slurm oar mutants
for part; do
	case $part in
	replays | claims | exhaustion | portability | sanitizers | packages | \
		slurm | oar | mutants)
		$part ;;
	*)
		echo "full.sh: unexpected argument '$part'" >&2
		exit 2
		;;
	esac
done
