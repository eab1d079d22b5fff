#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Queue stuffing: the month of the user who used most in any month of 30 days is
# submitted at once, at its first second. What do the others wait then, under
# easy, relative share, Maui's history fair share and simultaneous fair share?
#
#	sh tools/experiments/stuffing.sh TRACE.swf.gz ... >tables.md
#
# Accounts and fair share targets are what each user used of the whole trace:
# awarded for its time, with a factor of 2 for sfs. FAIRSCHED is the program.
set -eu
fairsched=${FAIRSCHED:-tools/fairsched/fairsched}
[ -x "$fairsched" ] || fairsched=build/fairsched
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
month=$((30 * 86400))

# Writes accounts.csv and maui.cfg; prints the user and the month's first second.
find_user() # JOBS.csv
{
	awk -F, -v month=$month -v tmp="$tmp" '
	NR == 1 { next }
	{
		user = $12
		used = $3 * $6
		m = int($2 / month)
		by[user] += used
		all += used
		in_month[user, m] += used
		if (NR == 2 || $2 < first)
			first = $2
		if ($2 > last)
			last = $2
		if (in_month[user, m] > most) {
			most = in_month[user, m]
			who = user
			when = m * month
		}
	}
	END {
		accounts = tmp "/accounts.csv"
		config = tmp "/maui.cfg"
		print "account,award,period,factor" >accounts
		print "FSPOLICY DEDICATEDPS" >config
		print "FSINTERVAL 1:00:00:00\nFSDEPTH 7\nFSDECAY 0.80" >config
		print "FSWEIGHT 1\nFSUSERWEIGHT 100" >config
		for (user in by) {
			printf "%s,%.2f,%.2f,2\n", user, by[user] / 3600,
				(last - first) / 86400 >accounts
			printf "USERCFG[%s] FSTARGET=%.6f\n", user,
				100 * by[user] / all >config
		}
		print who, when
	}' "$1"
}

# The same jobs, but for when this user submitted them.
stuff() # TRACE.swf USER FIRST
{
	awk -v user="$2" -v first="$3" -v month=$month '
	!/^;/ && $12 == user && $2 >= first && $2 < first + month { $2 = first }
	{ print }' "$1"
}

# Waits of the jobs of that month, in hours: the others, and the user.
waits() # JOBS.csv USER FIRST BEFORE.csv
{
	awk -F, -v user="$2" -v first="$3" -v month=$month '
	FNR == 1 { next }
	FNR == NR {
		counts[$1] = $2 >= first && $2 < first + month
		next
	}
	counts[$1] { print $12 == user, $8 / 3600 }' "$4" "$1" |
		sort -k1,1n -k2,2n | awk '
		{
			n[$1]++
			sum[$1] += $2
			wait[$1, n[$1]] = $2
		}
		function rank(g, percent) {
			return wait[g, int((percent * n[g] + 99) / 100)]
		}
		END {
			printf " %.2f | %.2f | %.2f | %.2f |", sum[0] / n[0],
				rank(0, 50), rank(0, 99), sum[1] / n[1]
		}'
}

simulate() # TRACE OUT OPTION...
{
	simulate_trace=$1
	simulate_out=$2
	shift 2
	"$fairsched" simulate "$simulate_trace" --jobs-out "$simulate_out" \
		"$@" >/dev/null
}

for trace; do
	name=$(basename "$trace" | sed 's/\.swf\(\.gz\)*$//')
	simulate "$trace" "$tmp/before.csv" --swf-out "$tmp/trace.swf" \
		--policy easy
	# shellcheck disable=SC2046
	set_user=$(find_user "$tmp/before.csv")
	user=${set_user% *}
	first=${set_user#* }
	stuff "$tmp/trace.swf" "$user" "$first" >"$tmp/stuffed.swf"
	awk -F, -v user="$user" -v first="$first" -v month=$month \
		-v name="$name" '
	NR > 1 && $2 >= first && $2 < first + month {
		used = $3 * $6
		all += used
		others += $12 != user
		if ($12 != user)
			next
		his += used
		jobs++
	}
	END {
		printf "\n%s: user %s, day %d to %d, %d jobs, %.1f %% of the processor time of the month; %d jobs of others\n\n",
			name, user, first / 86400, (first + month) / 86400,
			jobs, 100 * his / all, others
	}' "$tmp/before.csv"
	echo "| hours waited | others, mean | median | 99 % | the user, mean | stuffed: others, mean | median | 99 % | the user, mean |"
	echo "|---|---|---|---|---|---|---|---|---|"
	for policy in easy relshare maui sfs; do
		case $policy in
		maui) options="--config $tmp/maui.cfg" ;;
		sfs) options="--accounts $tmp/accounts.csv" ;;
		*) options= ;;
		esac
		# shellcheck disable=SC2086
		{
			simulate "$tmp/trace.swf" "$tmp/one.csv" --policy \
				$policy $options
			simulate "$tmp/stuffed.swf" "$tmp/two.csv" --policy \
				$policy $options
		}
		printf '| %s |' "$policy"
		waits "$tmp/one.csv" "$user" "$first" "$tmp/before.csv"
		waits "$tmp/two.csv" "$user" "$first" "$tmp/before.csv"
		echo
	done
done
