#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tests/record/record_machines.sh FAIRSCHED [--long]
#
# Simulates the traces of machines with classes in $FAIRSCHED_SHARED/traces
# (../shared), two at a time, and prints trace, policy, order, what is special,
# digest, and the checksum of a simulation saved on the way. Prints nothing but
# a message where the traces are absent.
#
# --long takes all jobs, not the first 4000 of CERIT-nodes and 2000 of UB-week:
# an hour.
#
# What is special: billing, maintenance, kill (of jobs that overrun), exact
# estimates, tree, caps (of maui_caps.cfg); pool: processors alone.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)

runs() # TRACE
{
	for policy in fcfs easy depth conservative pc dc; do
		echo "$1 $policy fcfs -"
	done
	for order in sjf widest lxf usage dominant tree; do
		echo "$1 easy $order -"
	done
	for policy in pc dc; do
		echo "$1 $policy widest -"
		echo "$1 $policy fcfs exact"
	done
	for policy in easy conservative pc dc sfs relshare maui; do
		echo "$1 $policy - maintenance"
	done
	for order in usage dominant tree priority; do
		echo "$1 sfs $order -"
	done
	for special in - billing; do
		echo "$1 sfs fcfs $special"
		echo "$1 relshare - $special"
	done
	echo "$1 easy usage billing"
	echo "$1 relshare - tree"
	echo "$1 maui - -"
	echo "$1 maui - caps"
	echo "$1 maui - tree"
	echo "$1 easy fcfs kill"
	echo "$1 conservative fcfs kill"
	for run in "easy dominant" "easy tree" "sfs priority" "maui -"; do
		echo "$1 $run pool"
	done
	echo "$1 conservative fcfs pool"
}

# The columns of a jobs CSV that name nodes are left out; the first $2 jobs.
unpack() # TRACE JOBS
{
	gzip -dc "$traces/$1.csv.gz" | awk -F , -v OFS=, -v jobs="$2" '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				if ($i !~ /^(chunks|nodes|exclusive)$/)
					column[++n] = i
		}
		jobs && NR > jobs + 1 { next }
		{
			line = $column[1]
			for (i = 2; i <= n; i++)
				line = line OFS $column[i]
			print line
		}
	'
}

# For sfs twice what each user used on average; a tree of five accounts; half of
# the first class is away for a day, ten days in, and all of it for an hour.
write_files() # TRACE
{
	awk -F , -v OFS=, -v accounts="$tmp/$1.accounts" -v tree="$tmp/$1.tree" '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				column[$i] = i
			next
		}
		{
			user = $column["user"]
			used[user] += $column["procs"] * $column["run"]
			end = $column["submit"]
			if (NR == 2)
				begin = end
		}
		END {
			print "account", "target" >accounts
			print "parent", "name", "shares", "kind" >tree
			for (n = 0; n < 5; n++)
				print "root", "a" n, n + 1, "account" >tree
			for (user in used) {
				print user, int(2 * used[user] / \
						(end - begin + 1)) >accounts
				print "a" user % 5, user, 1 + user % 3,
					"user" >tree
			}
			print begin " " end
		}
	' "$tmp/$1.csv" >"$tmp/$1.period"
	for file in "$tmp/$1.accounts" "$tmp/$1.tree"; do
		{
			head -n 1 "$file"
			tail -n +2 "$file" | LC_ALL=C sort -r
		} >"$tmp/sorted"
		mv "$tmp/sorted" "$file"
	done
	awk -F , -v OFS=, -v period="$(cat "$tmp/$1.period")" '
		BEGIN {
			split(period, at, " ")
			print "begin", "end", "class", "cpus"
		}
		NR == 2 {
			day = int((at[2] - at[1]) / 8)
			print at[1] + day, at[1] + 2 * day, $1, int($2 * $3 / 2)
			print at[1] + 4 * day, at[1] + 4 * day + 3600, $1,
				$2 * $3
		}
	' "$traces/$1-machine.csv" >"$tmp/$1.maintenance"
}

one() # TRACE POLICY ORDER SPECIAL
{
	options="--policy $2 --machine $traces/$1-machine.csv"
	case $4 in
	pool) options="--policy $2 --procs 2176" ;;
	*) options="$options --plan classes" ;;
	esac
	[ "$3" = - ] || options="$options --order $3"
	case $2:$3:$4 in
	*:tree:* | *:tree) options="$options --tree $tmp/$1.tree" ;;
	esac
	case $2:$4 in
	depth:*) options="$options --depth 4" ;;
	sfs:*) options="$options --depth 2 --accounts $tmp/$1.accounts" ;;
	maui:caps) options="$options --config $folder/maui_caps.cfg" ;;
	maui:*) options="$options --config $folder/maui.cfg" ;;
	esac
	case $3 in priority) options="$options --config $folder/maui.cfg" ;; esac
	case $4 in
	billing) options="$options --billing cpus=2,memory=1G" ;;
	maintenance) options="$options --maintenance $tmp/$1.maintenance" ;;
	kill) options="$options --overrun kill" ;;
	exact) options="$options --estimates exact" ;;
	esac
	name=$tmp/$1.$2.$3.$4
	# shellcheck disable=SC2046,SC2086
	set -- "$@" $(cat "$tmp/$1.period")
	# shellcheck disable=SC2086
	digest=$("$program" simulate "$tmp/$1.csv" $options --save "$name.save" \
		--save-at $((($5 + $6) / 2)) 2>"$name.txt" |
		sed -n 's/^digest *//p')
	[ -n "$digest" ] || sed "s|^|$*: |" "$name.txt" >&2
	saved=$(cksum <"$name.save" 2>>"$name.txt" | cut -d ' ' -f 1)
	rm -f "$name.save"
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" \
		"${digest:-failed}" "${saved:-none}"
}

# Called by itself, with these in the environment.
if [ "$1" = --one ]; then
	shift
	one "$@"
	exit
fi
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
traces=${FAIRSCHED_SHARED:-$folder/../../../shared}/traces
[ -f "$traces/UB-week.csv.gz" ] || {
	echo "record_machines.sh: no traces in $traces" >&2
	exit
}
traces=$(cd "$traces" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export program traces tmp
case ${2:-} in
--long) jobs="0 0" ;;
*) jobs="4000 2000" ;;
esac
unpack CERIT-nodes "${jobs% *}" >"$tmp/CERIT-nodes.csv"
unpack UB-week "${jobs#* }" >"$tmp/UB-week.csv"
write_files CERIT-nodes
write_files UB-week
{
	runs CERIT-nodes
	runs UB-week
} | xargs -P 2 -L 1 sh "$folder/record_machines.sh" --one | LC_ALL=C sort
