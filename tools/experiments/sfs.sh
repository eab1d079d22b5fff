#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# The experiments of [SFS 9]: how long Alice, Bob and Chris wait for their first
# job in its four scenarios, and with other walltimes and targets.
#
#	sh tools/experiments/sfs.sh [SEEDS] >tables.md
#
# Of each number the mean over seeds 1 to SEEDS (300), the least and the most.
# FAIRSCHED is the program.
set -eu
fairsched=${FAIRSCHED:-tools/fairsched/fairsched}
[ -x "$fairsched" ] || fairsched=build/fairsched
seeds=${1:-300}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Eligible time dominates: a node is worth a second of waiting. Nodes do: twelve
# minutes, so that 250 nodes go before 65 that wait a day and a half longer.
by_time="--order linear --weight 1"
by_nodes="--order linear --weight 12m"

targets() # ALICE
{
	printf 'account,target\n1,%s\n2,130\n3,750\n' "$1" >"$tmp/targets"
}

# Days that each user's first job waits, and from Bob's first to his last start.
waits() # TRACE OPTION...
{
	waits_trace=$1
	shift
	"$fairsched" simulate "$waits_trace" --jobs-out - "$@" |
		awk -F, 'NR == 1 { next }
		{ user = $12; start = $5; wait = $8 }
		!(user in first) || start < first[user] {
			first[user] = start
			waited[user] = wait
		}
		user == 2 && start > last { last = start }
		END { print waited[1] / 86400, waited[2] / 86400,
			waited[3] / 86400, (last - first[2]) / 86400 }'
}

row() # NAME WALLTIME OPTION...
{
	row_name=$1
	row_walltime=$2
	shift 2
	for seed in $(seq "$seeds"); do
		trace=$tmp/$row_walltime.$seed.swf
		[ -s "$trace" ] || "$fairsched" generate --model sfs --seed \
			"$seed" --walltime "$row_walltime" >"$trace" 2>"$tmp/err"
		waits "$trace" "$@"
	done | awk -v name="$row_name" '
	{
		for (i = 1; i <= NF; i++) {
			sum[i] += $i
			if (NR == 1 || $i < least[i])
				least[i] = $i
			if (NR == 1 || $i > most[i])
				most[i] = $i
		}
	}
	END {
		printf "| %s", name
		for (i = 1; i <= NF; i++)
			printf " | %.2f (%.2f to %.2f)", sum[i] / NR, least[i],
				most[i]
		print " |"
	}'
}

head_of() # TITLE
{
	printf '\n%s; days, %s seeds\n\n' "$1" "$seeds"
	echo "| | Alice's first | Bob's first | Chris's | Bob's first to last |"
	echo "|---|---|---|---|---|"
}

head_of "Walltimes, eligible time dominant, linear scheduler"
for walltime in 21h 22h 23h 24h 25h; do
	# shellcheck disable=SC2086
	row "$walltime" "$walltime" --policy fcfs $by_time
done
head_of "Walltimes, node count dominant, linear scheduler"
for walltime in 21h 22h 23h 24h 25h; do
	# shellcheck disable=SC2086
	row "$walltime" "$walltime" --policy fcfs $by_nodes
done

targets 1000
sfs="--policy sfs --accounts $tmp/targets"
head_of "The four scenarios"
# shellcheck disable=SC2086
{
	row "9.3.1 linear, eligible time" 24h --policy fcfs $by_time
	row "9.3.2 linear, node count" 24h --policy fcfs $by_nodes
	row "9.3.3 SFS, eligible time" 24h $sfs $by_time
	row "9.3.4 SFS, node count" 24h $sfs $by_nodes
	row "easy, eligible time" 24h --policy easy $by_time
	row "easy, node count" 24h --policy easy $by_nodes
}
for depth in 1 2; do
	head_of "Alice's target, SFS, eligible time dominant, depth $depth"
	for target in 250 500 750 999 1000 1250; do
		targets "$target"
		# shellcheck disable=SC2086
		row "$target" 24h $sfs $by_time --depth $depth
	done
done
