#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: maui.sh [FOLDER]
#
# What backfill does under Maui, as figures 2 and 4 of [MAUI] show it, on real
# traces (docs/MAUI.md): turnaround, and how many jobs start later with backfill
# than without, on the machine that there was and on larger ones; then, with the
# first 2000 jobs all submitted at once, how much of the machine is in use until
# the last of them starts.
set -eu
cd "$(dirname "$0")/../.."
traces=${1:-${FAIRSCHED_SHARED:-../shared}/traces}
fairsched=${FAIRSCHED:-build/fairsched}
[ -x "$fairsched" ] || sh tools/build.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
policies="NONE FIRSTFIT BESTFIT GREEDY"

# By queue time as Maui does, by expansion factor, by fairshare.
configure() # PRIORITY
{
	for policy in $policies; do
		case $1 in
		xfactor) echo "XFACTORWEIGHT 100" ;;
		fairshare)
			echo "FSPOLICY PSDEDICATED"
			echo "FSWEIGHT 100"
			echo "FSUSERWEIGHT 10"
			echo "USERCFG[DEFAULT] FSTARGET=2"
			;;
		esac >"$tmp/$policy.cfg"
		echo "BACKFILLPOLICY $policy" >>"$tmp/$policy.cfg"
	done
}

run() # TRACE PROCESSORS POLICY; a line a job: number, wait, turnaround
{
	"$fairsched" simulate "$1" --procs "$2" --policy maui \
		--config "$tmp/$3.cfg" --jobs-out - 2>"$tmp/err" |
		awk -F, 'NR > 1 { print NR, $8, $9 }' >"$tmp/$3"
}

# Mean turnaround in hours, without and with backfill; percent of the jobs that
# start later, that start earlier.
effect() # POLICY
{
	awk 'FNR == NR { wait[$1] = $2; none += $3; next }
	{
		sum += $3
		later += $2 > wait[$1]
		earlier += $2 < wait[$1]
	}
	END {
		printf "%.2f | %.2f | %.1f | %.1f", none / FNR / 3600,
			sum / FNR / 3600, 100 * later / FNR,
			100 * earlier / FNR
	}' "$tmp/NONE" "$tmp/$1"
}

row() # TRACE PROCESSORS PRIORITY
{
	configure "$3"
	run "$traces/$1.swf.gz" "$2" NONE
	run "$traces/$1.swf.gz" "$2" FIRSTFIT
	printf '| %s | %s | %s | %s |\n' "${1%%-[0-9]*}" "$2" "$3" \
		"$(effect FIRSTFIT)"
}

echo "| trace | processors | priority | without, h | with, h | later, % |" \
	"earlier, % |"
echo "|---|---|---|---|---|---|---|"
for procs in 100 125 150 200; do
	row KTH-SP2-1996-2 $procs queuetime
done
for priority in xfactor fairshare; do
	row KTH-SP2-1996-2 125 $priority
done
for priority in queuetime xfactor fairshare; do
	row CTC-SP2-1996-3.1-cln 423 $priority
	row SDSC-SP2-1998-4.2-cln 160 $priority
done

# Percent of the processor-seconds until the last start.
busy() # TRACE PROCESSORS POLICY
{
	"$fairsched" simulate "$1" --procs "$2" --policy maui \
		--config "$tmp/$3.cfg" --jobs-out - 2>"$tmp/err" |
		awk -F, -v procs="$2" 'NR > 1 {
			start[NR] = $5
			end[NR] = $7
			wide[NR] = $3
			last = $5 > last ? $5 : last
		}
		END {
			for (i in start) {
				until = end[i] < last ? end[i] : last
				sum += wide[i] * (until - start[i])
			}
			printf "%.1f", 100 * sum / procs / last
		}'
}

configure queuetime
echo
echo "| trace | \`NONE\` | \`FIRSTFIT\` | \`BESTFIT\` | \`GREEDY\` |"
echo "|---|---|---|---|---|"
for trace in KTH-SP2-1996-2:100 CTC-SP2-1996-3.1-cln:338 \
	SDSC-SP2-1998-4.2-cln:128 LLNL-Thunder-2007-1.1-cln:4008; do
	procs=${trace#*:}
	trace=${trace%:*}
	"$fairsched" simulate "$traces/$trace.swf.gz" --swf-out - \
		2>"$tmp/err" |
		awk '/^;/ { print; next }
		n++ < 2000 { $2 = 0; print }' >"$tmp/at_once.swf"
	printf '| %s |' "${trace%%-[0-9]*}"
	for policy in $policies; do
		printf ' %s |' "$(busy "$tmp/at_once.swf" "$procs" $policy)"
	done
	echo
done
