#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# The experiment of [MR 4] on CERIT-SC-wagap-2013Q1: whose penalty rises when
# memory counts too, by how much, and what that does to waits in one queue
# without backfilling, ordered by usage.
#
#	sh tools/experiments/penalty.sh TRACE.swf.gz [MACHINE.csv] >tables.md
#
# MACHINE is by default the two clusters of that log. FAIRSCHED is the program.
set -eu
fairsched=${FAIRSCHED:-tools/fairsched/fairsched}
[ -x "$fairsched" ] || fairsched=build/fairsched
trace=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
machine=${2:-$tmp/machine.csv}

# Nodes as requests name them; infiniband was asked for once.
cat >"$tmp/machine.csv" <<'END'
class,count,cpus,ram,properties
zewura,20,80,529426432K,zewura:cl_zewura:nodecpus80:x86_64:brno:nfs4:debian:linux
zegox,48,12,94035968K,zegox:cl_zegox:nodecpus12:x86_64:brno:nfs4:debian:linux:infiniband
END

simulate() # TRACE METRIC OPTION...
{
	simulate_trace=$1
	simulate_metric=$2
	shift 2
	"$fairsched" simulate "$simulate_trace" --policy fcfs --order usage \
		--machine "$machine" --charge "$simulate_metric" "$@"
}

# Jobs that no node suits are left out of everything.
simulate "$trace" best --lenient --swf-out "$tmp/trace.swf" --json "$tmp/json" \
	>/dev/null
dropped=$(sed -n 's/.*"damaged": \([0-9]*\).*/\1/p' "$tmp/json")

# Both schedules side by side: wait, penalty with the old and the new one.
schedules() # OPTION...
{
	for metric in cpu best; do
		simulate "$tmp/trace.swf" $metric --jobs-out "$tmp/$metric" \
			"$@" >/dev/null
	done
	paste -d, "$tmp/cpu" "$tmp/best"
}

schedules >"$tmp/both"
echo "Penalty: jobs that no node suits, and so left out: $dropped"
echo
awk -F, '
NR == 1 {
	for (i = 1; i <= NF / 2; i++)
		column[$i] = i
	old = column["penalty"]
	new = old + NF / 2
	next
}
{
	jobs++
	time = $column["requested_number_of_resources"] * \
		$column["execution_time"]
	all += time
	user = $column["user"]
	users += !(user in seen)
	seen[user] = 1
	if ($new <= $old)
		next
	rises++
	its += time
	touched += !(user in risen)
	risen[user] = 1
	rise = 100 * ($new / $old - 1)
	for (x in limit)
		above[x] += rise >= x + 0
	print rise >sorted
}
BEGIN {
	split("20 50 100 200 300 400", list, " ")
	for (i in list)
		limit[list[i]]
}
function percent(part, whole) {
	return sprintf("%.2f %% (%d of %d)", 100 * part / whole, part, whole)
}
END {
	print "| of " jobs " jobs | here | [MR 4] |"
	print "|---|---|---|"
	print "| jobs whose penalty rises | " percent(rises, jobs) \
		" | less than 2 % |"
	printf "| their processor time | %.2f %% | more than 5 %% |\n",
		100 * its / all
	print "| users with such a job | " percent(touched, users) \
		" | about 40 % |"
	for (i = 1; i <= 6; i++)
		print "| of those jobs, rise of " list[i] " % or more | " \
			percent(above[list[i]], rises) " | " \
			(list[i] == 20 ? "nearly 90 %" : \
			 list[i] == 100 ? "40 %" : "") " |"
}' sorted="$tmp/rises" "$tmp/both"
sort -n "$tmp/rises" | awk '
{ rise[NR] = $1 }
END {
	printf "\nDistribution of the rise, percent:"
	for (p = 10; p <= 100; p += 10) {
		i = int((p * NR + 99) / 100)
		printf " %d %%: %.0f%s", p, rise[i], p < 100 ? "," : "\n"
	}
}'

echo
echo "Waits without backfilling, order by usage; seconds, and bounded slowdown"
echo "with the old penalty (processors) and the new one"
echo
echo "| half-life | processors | jobs | mean wait | median | 99th percentile | slowdown |"
echo "|---|---|---|---|---|---|---|"
for procs in ${PROCS:-2176 1600 1500}; do
	for half_life in 1d 7d 365d; do
		schedules --procs "$procs" --half-life "$half_life" |
			awk -F, -v life=$half_life -v procs="$procs" '
		NR == 1 {
			half = NF / 2
			for (i = 1; i <= half; i++)
				column[$i] = i
			next
		}
		{
			p = column["penalty"]
			run = $column["execution_time"]
			w = column["waiting_time"]
			kind = $(p + half) > $p ? "rise" : "same"
			for (k = 0; k < 2; k++) {
				wait = $(w + k * half)
				slow = (wait + run) / (run > 60 ? run : 60)
				print "all", k, wait, slow
				print kind, k, wait, slow
			}
		}' | sort -k1,1 -k2,2n -k3,3n | awk -v life=$half_life \
			-v procs="$procs" '
		$1 " " $2 != key {
			key = $1 " " $2
			keys[++groups] = key
		}
		{
			n[key]++
			wait[key, n[key]] = $3
			sum[key] += $3
			slow[key] += $4
		}
		function rank(key, percent) {
			return wait[key, int((percent * n[key] + 99) / 100)]
		}
		END {
			for (g = 1; g <= groups; g += 2) {
				a = keys[g]
				b = keys[g + 1]
				split(a, name, " ")
				printf "| %s | %d | %s, %d | %.0f, %.0f | %d, %d | %d, %d | %.2f, %.2f |\n",
					life, procs, name[1], n[a],
					sum[a] / n[a], sum[b] / n[b],
					rank(a, 50), rank(b, 50),
					rank(a, 99), rank(b, 99),
					slow[a] / n[a], slow[b] / n[b]
			}
		}'
	done
done
