#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# simulate --maintenance: no job runs into a window, counted from --jobs-out; jobs
# that move are reported; a saved simulation knows its windows; errors name the file,
# the line and the column.
. tests/test.sh
swf=tests/traces/desk.swf

# Of 16 processors 8 are away from 5000 to 9500. Each that started later than
# that was known counts; a job that was there before may be in the way.
cat >"$tmp/m.csv" <<'END'
# a switch is replaced
begin,end,processors,announced
5000,9500,8,2560
END
printf 'account,target\n1,8\n2,8\n3,8\n4,8\n5,8\n' >"$tmp/accounts.csv"
: >"$tmp/maui.cfg"

away() # FROM: most processors in use within the window, by jobs from then on
{
	awk -F, -v from="$1" 'NR > 1 && $5 >= from {
		for (t = $5 < 5000 ? 5000 : $5; t < $7 && t < 9500; t++)
			used[t] += $3 }
		END { for (t in used) if (used[t] > most) most = used[t]
		print most + 0 }'
}

for policy in fcfs easy "depth --depth 2" conservative pc dc relshare \
	"sfs --accounts $tmp/accounts.csv" "maui --config $tmp/maui.cfg"; do
	# shellcheck disable=SC2086
	"$fairsched" simulate $swf --policy $policy --estimates exact \
		--maintenance "$tmp/m.csv" --jobs-out - >"$tmp/jobs"
	same "$policy: all start" "$(grep -c '^[0-9]' "$tmp/jobs")" 8
	check "$policy: half of the machine at most" \
		test "$(away 2560 <"$tmp/jobs")" -le 8
	same "$policy: without a window more" "$("$fairsched" simulate $swf \
		--policy $policy --estimates exact --jobs-out - |
		away 0 | awk '{ print ($1 > 8) }')" 1
done

"$fairsched" simulate $swf --policy conservative --maintenance "$tmp/m.csv" \
	--promises-out - >"$tmp/promises"
check "a promise in its way is remade when it is announced" \
	grep -qx '6,2560,9000,9500,capacity,' "$tmp/promises"
sed 's/,announced//; s/,2560//' "$tmp/m.csv" >"$tmp/known.csv"
"$fairsched" simulate $swf --policy conservative --maintenance "$tmp/known.csv" \
	--promises-out - >"$tmp/promises"
same "known from the start on, none is" "$(grep -c capacity "$tmp/promises")" 0

"$fairsched" why $swf --seconds --at 2600 --job 8 --policy conservative \
	--maintenance "$tmp/m.csv" >"$tmp/why"
check "why" grep -qx "It would run into the maintenance window at 5000." \
	"$tmp/why"
check "and what would do" grep -qx \
	"It would start now with a walltime of 2400 s." "$tmp/why"
"$fairsched" why $swf --seconds --at 2555 --job 8 --policy conservative \
	--maintenance "$tmp/m.csv" >"$tmp/why"
check "unknown before" test -z "$(grep maintenance "$tmp/why")"

same "dates are seconds of the trace" "$(printf '%s\n%s\n' \
	begin,end,processors,kind,announced \
	2023-11-14T23:36:40,2023-11-15T00:51:40,8,maintenance,2560s |
	"$fairsched" simulate $swf --maintenance - --jobs-out -)" \
	"$("$fairsched" simulate $swf --maintenance "$tmp/m.csv" --jobs-out -)"

"$fairsched" compare $swf --policies easy,pc --maintenance "$tmp/m.csv" \
	>"$tmp/with"
check "compare" awk '/^pc/ && / 7\/8/ { found = 1 } END { exit !found }' \
	"$tmp/with"
"$fairsched" whatif $swf --at 2600 --base conservative --policy easy \
	--maintenance "$tmp/m.csv" >"$tmp/whatif"
check "whatif under another policy" grep -q 'promises that change    3' \
	"$tmp/whatif"

# Announced now, it is as in a file.
"$fairsched" whatif $swf --at 2560 --base conservative --jobs-out - \
	--event 'maintenance 8 5000 9500' >"$tmp/event"
check "whatif: an event" grep -qx '6,4,9000,9500,9000,9500' "$tmp/event"
"$fairsched" whatif $swf --at 2560 --base easy --jobs-out - \
	--event 'maintenance 8 5000 9500' >"$tmp/event"
check "whatif: without promises" grep -qx '6,4,9000,9500,,' "$tmp/event"
"$fairsched" whatif $swf --at 2560 --base pc --event \
	'maintenance 8 2023-11-14T23:36:40 2023-11-15T00:51:40' >"$tmp/dates"
same "whatif: an event by dates" "$(cat "$tmp/dates")" \
	"$("$fairsched" whatif $swf --at 2560 --base pc \
		--event 'maintenance 8 5000 9500')"
fails "whatif: too wide" 2 "$fairsched" whatif $swf --at 2560 \
	--event 'maintenance 800 5000 9500'
fails "whatif: no time" 2 "$fairsched" whatif $swf --at 2560 \
	--event 'maintenance 8 soon 9500'

# It goes on with the windows that it knew and those to come.
cat >"$tmp/two.csv" <<'END'
begin,end,processors,announced
5000,9500,8,2560
11000,12000,16,6000
END
for policy in easy conservative; do
	for at in 10 2560 5500 8000 17000; do
		set -- $swf --policy $policy --maintenance "$tmp/two.csv"
		"$fairsched" simulate "$@" --save "$tmp/state" --save-at $at \
			>"$tmp/whole"
		"$fairsched" simulate "$@" --load "$tmp/state" >"$tmp/rest"
		same_file "$policy: saved at $at" "$tmp/rest" "$tmp/whole"
	done
done
fails "not by other windows" 2 "$fairsched" simulate $swf --policy conservative \
	--maintenance "$tmp/m.csv" --load "$tmp/state"
check "which is said" grep -q 'config, --maintenance' "$tmp/err"
fails "nor without" 2 "$fairsched" simulate $swf --policy conservative \
	--load "$tmp/state"

# Another configuration of maui is no less another rule.
echo 'BACKFILLPOLICY NONE' >"$tmp/other.cfg"
"$fairsched" simulate $swf --policy maui --config "$tmp/maui.cfg" \
	--save "$tmp/state" --save-at 2560 >"$tmp/whole"
"$fairsched" simulate $swf --policy maui --config "$tmp/maui.cfg" \
	--load "$tmp/state" >"$tmp/rest"
same_file "maui: the same configuration" "$tmp/rest" "$tmp/whole"
fails "maui: another one" 2 "$fairsched" simulate $swf --policy maui \
	--config "$tmp/other.cfg" --load "$tmp/state"
check "which is said too" grep -q 'config, --maintenance' "$tmp/err"

wrong() # NAME MESSAGE HEADER [LINE]
{
	printf '%s\n%s\n' "$3" "${4-}" >"$tmp/bad.csv"
	fails "$1" 2 "$fairsched" simulate $swf --maintenance "$tmp/bad.csv"
	check "$1: says so" grep -qF "bad.csv:$2" "$tmp/err"
}

# A window for a user, by the present and the former name of its kind.
of_kind() # KIND
{
	printf '%s\n' begin,end,processors,kind "5000,9500,8,$1" |
		"$fairsched" why $swf --seconds --at 2600 --job 8 --policy conservative \
			--maintenance -
}
same "kind advance is now user" "$(of_kind advance)" "$(of_kind user)"
check "kind user is no maintenance" test "$(of_kind user)" != \
	"$(of_kind maintenance)"

all=begin,end,processors,announced,kind
wrong "no file" "1: column end is missing" begin,processors
wrong "unknown column" "1: unknown column 'color'" begin,end,processors,color
wrong "twice" "1: column 'end' appears twice" begin,end,end,processors
wrong "too few" "2: 4 fields instead of 5" $all 1,2,3,4
wrong "no time" "2: begin: 'soon' is neither a time nor a date" $all soon,2,3,,
wrong "no end" "2: end: '' is neither a time nor a date" $all 1,,3,,
wrong "no number" "2: processors: '0' is not a number of processors" $all 1,2,0,,
wrong "no kind" "2: kind: 'x' is neither maintenance nor user" $all 1,2,3,,x
wrong "ends before" "2: end: the end is not after the begin" $all 7,7,3,,
wrong "too wide" "2: processors: more processors than the machine has" $all 1,2,17,,
wrong "too far" "2: end: more than 34 years ahead" $all 1,2000w,3,,
fails "there is none" 2 "$fairsched" simulate $swf --maintenance "$tmp/none"
grep -v UnixStartTime $swf >"$tmp/dateless.swf"
printf '%s\n' "$all" 2023-11-14,2,3,, >"$tmp/bad.csv"
fails "a date without an epoch" 2 "$fairsched" simulate "$tmp/dateless.swf" \
	--maintenance "$tmp/bad.csv"
check "a date without an epoch: says so" grep -qF \
	"bad.csv:2: begin: a date, but the trace has no UnixStartTime" \
	"$tmp/err"

finish
