#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: relshare.sh [FOLDER]
#
# Relative fair share on real traces, as [RS] looked at it (docs/RELSHARE.md):
# windows of 4 hours to 7 days against easy and lxf, all planning with exact run
# times; who benefits and who suffers; over- and under-share. A month is 30 days
# from the first submit, a user of a month one who was entitled to something.
set -eu
cd "$(dirname "$0")/../.."
traces=${1:-${FAIRSCHED_SHARED:-../shared}/traces}
fairsched=${FAIRSCHED:-build/fairsched}
[ -x "$fairsched" ] || sh tools/build.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Per month of the jobs' submission: mean wait, slowdown, maximum wait.
months() # JOBS.csv
{
	awk -F, 'NR > 1 && (NR == 2 || $2 < first) { first = $2 }
		NR > 1 { line[n++] = $2 "," $6 "," $8 }
		END {
			for (i = 0; i < n; i++) {
				split(line[i], f, ",")
				m = int((f[1] - first) / 2592000)
				last = m > last ? m : last
				run = f[2] > 60 ? f[2] : 60
				jobs[m]++
				wait[m] += f[3]
				slow[m] += (f[2] + f[3]) / run
				if (f[3] > most[m])
					most[m] = f[3]
			}
			for (m = 0; m <= last; m++)
				if (jobs[m])
					print m, wait[m] / jobs[m],
						slow[m] / jobs[m], most[m] + 0
		}' "$1"
}

# Per user and month: the maximum wait.
waits() # JOBS.csv
{
	awk -F, 'NR > 1 && (NR == 2 || $2 < first) { first = $2 }
		NR > 1 { line[n++] = $2 "," $12 "," $8 }
		END {
			for (i = 0; i < n; i++) {
				split(line[i], f, ",")
				m = int((f[1] - first) / 2592000) " " f[2]
				if (!(m in most) || f[3] > most[m])
					most[m] = f[3]
			}
			for (m in most)
				print m, most[m]
		}' "$1" | sort
}

# Share of the users of the months with dev below -50 and above 50 hours.
devs() # USERS.csv
{
	awk -F, 'NR > 1 {
			days = split($10, entitled, " ")
			split($11, used, " ")
			for (d = 1; d <= days; d += 30) {
				e = u = 0
				for (i = d; i < d + 30 && i <= days; i++) {
					e += entitled[i]
					u += used[i]
				}
				if (!e)
					continue
				n++
				under += u - e < -50
				over += u - e > 50
			}
		}
		END { printf "%.1f %.1f %d", 100 * under / n, 100 * over / n, n }
	' "$1"
}

play() # NAME OPTION...
{
	play_name=$1
	shift
	"$fairsched" simulate "$trace" --estimates exact "$@" --json - \
		--jobs-out "$tmp/$play_name.jobs" \
		--users-out "$tmp/$play_name.users" >"$tmp/$play_name.json"
	months "$tmp/$play_name.jobs" >"$tmp/$play_name.months"
	waits "$tmp/$play_name.jobs" >"$tmp/$play_name.waits"
}

# Of the whole, then of the months: medians, and how often above easy's.
row() # NAME
{
	awk -F'[:,]' '/mean_wait|p99_wait|max_wait|bounded|utilization/ {
			gsub(/[" ]/, "", $1)
			x[$1] = $2
		}
		END { printf "%.2f %.1f %.1f %.1f %.2f", x["mean_wait"] / 3600,
			x["mean_bounded_slowdown"], x["p99_wait"] / 3600,
			x["max_wait"] / 3600, 100 * x["utilization"] }
	' "$tmp/$1.json"
	for column in 2 3 4; do
		sort -n -k $column "$tmp/$1.months" | awk -v c=$column '
			{ x[NR] = $c }
			END { m = (x[int((NR + 1) / 2)] + x[int(NR / 2) + 1]) / 2
				printf " %.2f", c == 3 ? m : m / 3600 }'
	done
	paste -d' ' "$tmp/$1.months" "$tmp/easy.months" |
		awk '{ more += $4 > $8 } END { printf " %d/%d\n", more, NR }'
}

# In per cent of the users of the months.
benefit() # NAME
{
	paste -d' ' "$tmp/$1.waits" "$tmp/easy.waits" | awk '
		{ d = $6 - $3 }
		d > 36000 { much++ }
		d < -36000 { little++ }
		d > 0 { more++ }
		d < 0 { less++ }
		END { printf "%.1f %.1f %.1f %.1f %d", 100 * much / NR,
			100 * little / NR, 100 * more / NR, 100 * less / NR, NR }'
}

policies="easy lxf 4h 12h 1d 2d 7d 1d_used"
for name in KTH-SP2-1996-2 CTC-SP2-1996-3.1-cln SDSC-SP2-1998-4.2-cln \
	SDSC-BLUE-2000-4.2-cln; do
	trace=$traces/$name.swf.gz
	[ -f "$trace" ] || { echo "$name: no trace"; continue; }
	play easy
	play lxf --order lxf
	for window in 4h 12h 1d 2d 7d; do
		play $window --policy relshare --window $window
	done
	play 1d_used --policy relshare --window 1d --no-expected
	echo "$name"
	printf '%-9s %27s %6s %25s %12s\n' '' 'whole trace' '' \
		'median of the months' 'months with'
	printf '%-9s %7s %6s %6s %6s %6s %8s %8s %7s %12s\n' policy 'wait h' \
		bsld 'p99 h' 'max h' 'util %' 'wait h' bsld 'max h' \
		'max > easy'
	for policy in $policies; do
		row "$policy" | awk -v p="$policy" '{
			printf "%-9s %7s %6s %6s %6s %6s %8s %8s %7s %12s\n",
				p, $1, $2, $3, $4, $5, $6, $7, $8, $9 }'
	done
	echo "users of months whose maximum wait is lower or higher than easy's, %"
	printf '%-9s %7s %7s %7s %7s %6s\n' policy '-10 h' '+10 h' lower higher n
	for policy in lxf 4h 1d 7d; do
		benefit "$policy" | awk -v p="$policy" '{
			printf "%-9s %7s %7s %7s %7s %6s\n",
				p, $1, $2, $3, $4, $5 }'
	done
	echo "users of months with dev below -50 or above 50 processor-hours, %"
	printf '%-9s %7s %7s %6s\n' policy under over n
	for policy in easy lxf 1d 7d; do
		devs "$tmp/$policy.users" | awk -v p="$policy" '{
			printf "%-9s %7s %7s %6s\n", p, $1, $2, $3 }'
	done
	echo
done
