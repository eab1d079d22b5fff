#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate --users-out, and a measured period: --from, --to.
. tests/test.sh

# [RS III-C]: three users, 20 processors each requested, of 30: each is entitled
# to 10. At 20 min the first one is done: 15 each for 40 minutes. One runs at a
# time; users 2 and 3 wait for 20 min and an hour.
cat >"$tmp/rs.swf" <<'END'
; MaxProcs: 30
; UnixStartTime: 0
1 0 -1 1200 20 -1 -1 20 1200 -1 1 1 1 -1 -1 -1 -1 -1
2 0 -1 2400 20 -1 -1 20 2400 -1 1 2 1 -1 -1 -1 -1 -1
3 0 -1 3600 20 -1 -1 20 3600 -1 1 3 1 -1 -1 -1 -1 -1
END
heading=user,jobs,processor_hours,entitled,used,dev,maximum_wait,\
average_wait,average_bounded_slowdown,entitled_by_day,used_by_day

rows() # ARGUMENT...
{
	"$fairsched" simulate "$@" --users-out - | tr '\n' '|'
}

# 13.3 node-hours in the hour that is measured [RS III-C]; 10 / 3 = 3.3 for the
# first one. In the second hour, not measured, user 3 would get another 20.
same "13.3 node-hours" "$(rows "$tmp/rs.swf" --from 0 --to 1h)" "$heading|\
1,1,6.666667,3.333333,6.666667,3.333333,0,0.000,1.000000,3.333,6.667|\
2,1,13.333333,13.333333,13.333333,0.000000,1200,1200.000,1.500000,13.333,\
13.333|\
3,1,20.000000,13.333333,0.000000,-13.333333,3600,3600.000,2.000000,13.333,\
0.000|"
same "by relshare too" \
	"$(rows "$tmp/rs.swf" --from 0 --to 1970-01-01T01:00 \
		--policy relshare)" \
	"$(rows "$tmp/rs.swf" --from 0 --to 1h)"

# User 3 with two shares of four: 15 of 30 at first, then 20, its request.
printf 'user,shares\n3,2\n' >"$tmp/shares"
same "shares" "$(rows "$tmp/rs.swf" --to 1h --shares "$tmp/shares" |
	tr '|' '\n' | cut -d, -f1,4)" "user,entitled
1,2.500000
2,9.166667
3,18.333333"

# A job over midnight, of a user alone; then two days without anything.
cat >"$tmp/days.swf" <<'END'
; MaxProcs: 4
1 79200 -1 14400 4 -1 -1 4 14400 -1 1 7 1 -1 -1 -1 -1 -1
2 259200 -1 3600 2 -1 -1 2 3600 -1 1 7 1 -1 -1 -1 -1 -1
3 259200 -1 3600 2 -1 -1 2 3600 -1 1 8 1 -1 -1 -1 -1 -1
END
same "days" "$(rows "$tmp/days.swf" --from 0 --to 4d | tr '|' '\n' |
	cut -d, -f1,3-6,10-11)" \
"user,processor_hours,entitled,used,dev,entitled_by_day,used_by_day
7,18.000000,18.000000,18.000000,0.000000,8.000 8.000 0.000 2.000,8.000 8.000 \
0.000 2.000
8,2.000000,2.000000,2.000000,0.000000,0.000 0.000 0.000 2.000,0.000 0.000 \
0.000 2.000"
# Without a period days begin with the first submit, the job is within one.
same "days of its own" "$(rows "$tmp/days.swf" | tr '|' '\n' |
	cut -d, -f1,11 | tail -n 2)" "7,16.000 0.000 2.000
8,0.000 0.000 2.000"

# Warm-up and cool-down: job 1 is not measured but in the way, job 3 is neither.
cat >"$tmp/period.swf" <<'END'
; MaxProcs: 4
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
2 50 -1 60 4 -1 -1 4 60 -1 1 2 1 -1 -1 -1 -1 -1
3 80 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
END
summary() # ARGUMENT...
{
	"$fairsched" simulate "$tmp/period.swf" "$@" |
		awk '$1 == "jobs" || /mean wait|utilization|makespan/ {
			printf "%s ", $0 }' | tr -s ' '
}
same "measured" "$(summary --from 40 --to 80)" \
	"jobs 1 mean wait 50.000 s utilization 100.00 % makespan 110 s (1 min 50 s) "
same "the same job alone" "$(summary --from 40 --until 80)" \
	"jobs 1 mean wait 0.000 s utilization 100.00 % makespan 60 s (1 min) "
same "up to" "$(summary --to 300)" "$(summary | sed 's/utilization [0-9.]*/utilization 86.67/')"

fails "nothing to measure" 2 "$fairsched" simulate "$tmp/period.swf" \
	--from 60 --to 70
check "says so" grep -q "period.swf: no job was submitted from --from to --to" \
	"$tmp/err"
fails "a date without an epoch" 2 "$fairsched" simulate "$tmp/period.swf" \
	--to 2003-05-01
fails "twice to one place" 2 "$fairsched" simulate "$tmp/rs.swf" \
	--users-out "$tmp/x" --json "$tmp/x"

# On a real trace: all that ran was used, whoever is first.
kth=$shared/traces/KTH-SP2-1996-2.swf.gz
if [ -f "$kth" ]; then
	for policy in easy relshare; do
		"$fairsched" simulate "$kth" --policy $policy --users-out - |
			awk -F, 'NR > 1 { jobs += $2; ran += $3; used += $5
				dev += $5 - $4 - $6 }
				END { printf "%d %.1f %.1f %.1f\n", jobs, ran,
				used, dev < 0 ? -dev : dev }' >"$tmp/sums"
		same "KTH $policy" "$(cut -d' ' -f1,4 "$tmp/sums")" "28489 0.0"
		check "KTH $policy, used is what ran" \
			awk '{ exit $2 != $3 }' "$tmp/sums"
	done
else
	skip "KTH" "no trace"
fi

finish
