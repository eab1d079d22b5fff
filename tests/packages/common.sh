# SPDX-License-Identifier: MIT OR Unlicense
# shellcheck shell=sh
#
# What the tests of packages share, beside tests/test.sh. Each test installs into
# an empty folder and runs a user's program there; one whose tools cannot be had
# skips.
. tests/test.sh

prefix=$tmp/prefix
# Of Python, kept for the next run; tests run side by side.
tools=$PWD/build/packages/tools.$(basename "$0" .sh)

# The tools of Python packages are on the PATH, or the test skips.
need() # COMMAND PACKAGE...
{
	PATH=$tools/bin:$PATH
	need_command=$1
	shift
	command -v "$need_command" >/dev/null && return
	mkdir -p "${tools%/*}"
	if ! python3 -m venv "$tools" >"$tmp/need" 2>&1 ||
		! "$tools/bin/pip" install -q --retries 1 --timeout 15 "$@" \
			>"$tmp/need" 2>&1
	then
		tail -n 1 "$tmp/need"
		skip "$need_command" "it is not here, and cannot be installed"
		finish
	fi
}

# What lacks a part of the tree fails and says which command writes it.
tells() # TEXT COMMAND...
{
	tells_text=$1
	shift
	if "$@" >"$tmp/tells" 2>&1 || ! tr -s ' \n' ' ' <"$tmp/tells" |
		grep -qF "$tells_text"; then
		head -n 20 "$tmp/tells"
		not_ok "tells '$tells_text'"
	else
		ok "tells '$tells_text'"
	fi
}

# A package's program plays all jobs of KTH as the command does. The program gets
# a file of jobs and the processors, and prints lines "seconds S", "digest D".
kth=$shared/traces/KTH-SP2-1996-2.swf.gz
simulates() # NAME PROGRAM...
{
	simulates_name=$1
	shift
	if [ ! -f "$kth" ]; then
		skip "$simulates_name" "no trace"
		return
	fi
	[ -f "$tmp/jobs.csv" ] || (sh tools/build.sh && build/fairsched simulate \
		"$kth" --policy conservative --jobs-out "$tmp/jobs.csv") >"$tmp/kth"
	check "$simulates_name" "$@" "$tmp/jobs.csv" 100
	grep '^seconds' "$tmp/check"
	same "$simulates_name: the digest of the command" \
		"$(sed -n 's/^digest //p' "$tmp/check" | sort -u)" \
		"$(sed -n 's/^digest *//p' "$tmp/kth")"
}

# Runs the commands of the README's row of a language in a user's project.
installs() # NAME FOLDER
{
	ln -sfn "$PWD" "${2%/*}/fairsched"
	awk -F'|' -v name=" $1 " '$2 == name { print $3 }' README.md |
		grep -o '`[^`]*`' | tr -d '`' >"$tmp/installs"
	[ -s "$tmp/installs" ] && (cd "$2" && sh -eu "$tmp/installs")
}

# A user's program prints what docs/examples/README.md says.
runs() # NAME PROGRAM...
{
	runs_name=$1
	shift
	same "$runs_name" "$("$@")" "$(cat tests/packages/loop.txt)"
}

# A host's loop prints what it prints in each other language.
hosts() # NAME PROGRAM...
{
	hosts_name=$1
	shift
	"$@" >"$tmp/host.txt" 2>"$tmp/host.err" || cat "$tmp/host.err"
	same_file "$hosts_name: a host's loop" "$tmp/host.txt" \
		docs/examples/host/expected.txt
}
