#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched why and whatif on tests/traces/desk.swf: at second 2600 job 6 waits
# for 12 of 16 processors until job 4 ends, at 9000 as planned, and job 8 needs
# the 4 that are free for longer than that.
. tests/test.sh
swf=tests/traces/desk.swf

why() # JOB ARGUMENT...
{
	why_job=$1
	shift
	"$fairsched" why $swf --at 2600 --job "$why_job" --seconds "$@"
}

has() # NAME LINE: of the last answer
{
	check "$1" grep -qxF -- "$2" "$tmp/got"
}

for policy in easy conservative pc dc depth; do
	why 8 --policy $policy >"$tmp/got"
	has "$policy: why" "Now it would delay job 6, due to start at 9000."
	has "$policy: what would do" \
		"It would start now with a walltime of 6400 s."
	why 6 --policy $policy >"$tmp/got"
	has "$policy: too few" "It needs 12 processors: 4 are free, enough\
 from 9000 on, after the end of job 4."
done
why 8 --policy fcfs >"$tmp/got"
has "fcfs: no job passes" "No job may pass job 6."
has "fcfs: nothing helps" "No smaller size would start now."

# What it says, done to the trace: it starts; one second more does not.
starts() # WALLTIME
{
	awk -v e="$1" '$1 == 8 { $2 = 2600; $9 = e; $4 = 60 } { print }' $swf >"$tmp/t.swf"
	"$fairsched" simulate "$tmp/t.swf" --jobs-out - |
		awk -F, '$1 == 8 { print $5 }'
}
same "6400 s start" "$(starts 6400)" 2600
same "6401 s do not" "$(starts 6401)" 4100

why 7 >"$tmp/got"
has "a job that runs" "Job 7 runs since 2600."
why 1 >"$tmp/got"
has "a job that ran" "Job 1 ran from 0 to 900."
"$fairsched" why $swf --at 2500 --job 8 --seconds >"$tmp/got"
has "a job to come" "Job 8 is submitted later, at 2550."
"$fairsched" why $swf --at 2023-11-14T22:56:40 --job 8 --seconds >"$tmp/got"
has "a date" "Now it would delay job 6, due to start at 9000."
same "the same forecast again" "$(why 8 | tail -n 3)" "$(why 8 | tail -n 3)"
check "another seed, fewer samples" why 8 --seed 5 --samples 7


# The same as dates: second 9000 is 1 h 46 min 40 s from now, and so long is
# the walltime that fits before.
dated() # JOB ARGUMENT...
{
	dated_job=$1
	shift
	"$fairsched" why $swf --at 2600 --job "$dated_job" "$@"
}
dated 8 >"$tmp/got"
has "dates" \
	"Now it would delay job 6, due to start at 2023-11-15 00:43, in 1 h 47 min."
has "durations" "It would start now with a walltime of 1 h 46 min 40 s."
has "of blockers" "blocked by   job 6: 12 processors, starts at 2023-11-15 00:43"
has "of the forecast" "50 % by      2023-11-14 23:26, in 30 min"
has "of its error" "each within  4 min 10 s, with a confidence of 95 %"
dated 8 --samples 52 >"$tmp/got"
same "too few samples tell no error" "$(grep -c "each within" "$tmp/got")" 0
dated 8 --samples 100000 >"$tmp/got"
has "no more than it takes" "forecast     of 1640 simulated runs, with run times from each user's past jobs"
dated 1 >"$tmp/got"
has "of the past" "Job 1 ran from 2023-11-14 22:13 to 2023-11-14 22:28."
dated 7 >"$tmp/got"
has "of the present" "Job 7 runs since 2023-11-14 22:56, now."
sed /UnixStartTime/d $swf >"$tmp/plain.swf"
same "a trace without an epoch" "$("$fairsched" why "$tmp/plain.swf" --at 2600 \
	--job 8 --policy pc)" "$(why 8 --policy pc)"
dated 8 --json "$tmp/json" --policy conservative >"$tmp/got"
dated 7 --json "$tmp/runs" >"$tmp/more"
has "JSON beside the text" "A start is reserved for it at 2023-11-15 00:56, in 2 h."
check "JSON" python3 - "$tmp" <<'END'
import json, sys
got = json.load(open(sys.argv[1] + "/json"))
assert got["state"] == "queued" and got["at"] == 2600 and got["waited"] == 50
assert got["blocked_by"] == [{"job": 6, "procs": 12, "state": "queued",
                              "start": 9000, "end": None}], got
assert got["walltime_to_start_now"] == 6400
assert got["procs_to_start_now"] is None
assert got["promised_start"] == got["planned_start"] == 9800
assert [got["p10"], got["p50"], got["p90"]] == [3900, 4400, 5000]
assert [got["samples"], got["half_width"]] == [100, 250]
assert got["sentences"][2] == "It would start now with a walltime of 6400 s."
runs = json.load(open(sys.argv[1] + "/runs"))
assert runs["state"] == "running" and runs["start"] == 2600, runs
END

fails "no --at" 2 "$fairsched" why $swf --job 8
fails "no --job" 2 "$fairsched" why $swf --at 2600
fails "no such job" 2 why 99
check "it says so" grep -q "desk.swf: has no job 99" "$tmp/err"
fails "too early" 2 "$fairsched" why $swf --at -1 --job 8
check "it says that" grep -q "no job was submitted by second -1" "$tmp/err"

# ---- what if ----

whatif() # ARGUMENT...
{
	"$fairsched" whatif $swf --seconds "$@"
}

now="--at 2600 --base conservative"
# shellcheck disable=SC2086
{
	same "a shorter job" \
		"$(whatif $now --event 'modify 8 4 6400' --jobs-out -)" \
		"job_id,user,start,new_start,promise,new_promise
8,5,9800,2600,9800,"
	same "cancelled" "$(whatif $now --event 'cancel 6' --jobs-out -)" \
		"job_id,user,start,new_start,promise,new_promise
6,4,9000,,9000,
8,5,9800,2600,9800,"
	same "suspended" "$(whatif $now --event 'suspend 4' --jobs-out - |
		tail -n +2)" \
		"6,4,9000,2600,9000,
8,5,9800,6200,9800,6200
4,3,1800,,,"
	same "suspended and resumed" "$(whatif $now --event 'suspend 4' \
		--event 'resume 4' --jobs-out - | tail -n 1)" \
		"4,3,1800,6200,,6200"
	same "smaller, which helps no job" "$(whatif $now \
		--event 'resize 4 4' --jobs-out - | tail -n +2)" ""
	fails "larger than what is free" 2 whatif $now --event 'resize 4 13'
	fails "larger, beside a promise" 2 whatif $now --event 'finish 4' \
		--event 'resize 7 8'
	same "larger, where nothing is promised" "$(whatif --at 2600 \
		--base easy --event 'finish 4' --event 'resize 7 8' \
		--jobs-out - | tail -n +2)" \
		"6,4,9000,9800,,
8,5,9800,2600,,"
	fails "no size" 2 whatif $now --event 'resize 4'
	fails "it waits" 2 whatif $now --event 'suspend 6'
	fails "not suspended" 2 whatif $now --event 'resume 4'
	same "two events" "$(whatif $now --event 'finish 4' \
		--event 'submit 1 10 3' --jobs-out - | tail -n +2)" \
		"6,4,9000,2600,9000,
8,5,9800,6200,9800,6200
,3,,6200,,6200"
	same "lost processors" \
		"$(whatif $now --event 'capacity -4' --jobs-out - | tail -n +2)" \
		"6,4,9000,9800,9000,9800
8,5,9800,13400,9800,13400"
	# 7 started last; it and 4 hold the 12 processors that are not free.
	same "processors fail under running jobs" \
		"$(whatif $now --event 'capacity -8' | head -n 1)" \
		"Job 7, which runs on 4 processors since 2600, ends."
	same "and more" "$(whatif $now --event 'capacity -12' --jobs-out - |
		tail -n +2)" "6,4,9000,,9000,
8,5,9800,2600,9800,"
	same "these jobs wait again" \
		"$(whatif $now --event 'capacity -12 requeue' --jobs-out - |
			tail -n +2)" "6,4,9000,,9000,
8,5,9800,2600,9800,
7,1,2600,9800,,9800
4,3,1800,,,"
	same "jobs that are named" "$(whatif $now \
		--event 'capacity -8 kill 4 requeue' | head -n 1)" \
		"Job 4, which runs on 8 processors since 1800, waits again."
	same "a new job starts" "$(whatif $now --event 'submit 16 1h' |
		head -n 1)" "The new job starts at 17000."
	same "or starts now" "$(whatif $now --event 'submit 4 1h' |
		head -n 1)" "The new job starts at 2600."
	same "another policy" \
		"$(whatif $now --policy fcfs --jobs-out - | tail -n 1)" \
		"8,5,9800,9800,9800,"
	for event in 'cancel 99' 'cancel' 'explode 1' 'capacity -17' \
		'capacity -9 kill 3' 'capacity -13 kill 4' 'capacity 4 requeue' \
		'capacity -4 kill 4,4' 'capacity -4 kill' 'capacity -4 x' \
		'modify 8 17 60' 'submit 4 1h 77' 'submit 4 1x' 'cancel 4e9' \
		'capacity 99999999999'
	do
		fails "$event" 2 whatif $now --event "$event"
		check "$event: said so" grep -qF "'$event'" "$tmp/err"
	done
	# What was asked, and what is possible.
	while IFS='|' read -r event why; do
		fails "$event: is refused" 2 whatif $now --event "$event"
		check "$event: $why" grep -qF -- "'$event': $why" "$tmp/err"
	done <<-'END'
		submit 17 1h|PROCS is from 1 to the 16 of the machine
		submit 0 1h|PROCS is from 1 to the 16 of the machine
		submit 4 0|WALLTIME is a second or more
		modify 8 17 60|PROCS is from 1 to the 16 of the machine
		modify 8 4 0|WALLTIME is a second or more
		modify 4 2 1h|the job runs, on 8 processors: 'resize' changes
		resize 4 13|until its planned end, other jobs or promises hold
		resize 4 17|PROCS is from 1 to the 16 of the machine
		finish 6|job 6 does not run at that time
		resume 4|job 4 runs at that time
		resume 6|job 6 is not suspended
		capacity 0|the number is 0
		capacity 99999999999|too large a number
		capacity -17|the machine has 16 processors
		capacity -9 kill 3|'3' is no running job
		capacity -9 kill 4,|'' is no running job
		capacity -4 kill 4,4|job 4 would end twice
		maintenance 17 3000 4000|PROCS is from 1 to the 16 of the machine
		maintenance 4 4000 3000|END must be after BEGIN and --at
		maintenance 4 1000 2000|END must be after BEGIN and --at
	END
	whatif $now --event 'capacity -8' >"$tmp/got"
	has "jobs that never start are counted" "jobs that never start   1"
	check "and listed" grep -qE '^6 +4 +9000 +never +-$' "$tmp/got"
	fails "a job that is not there" 2 whatif $now --event 'finish 99'
	check "it is named" grep -qF "there is no job 99 at that time" \
		"$tmp/err"
}
whatif --policy fcfs >"$tmp/got"
has "a whole history" "jobs that start later   2, by 4600 s on average"
maui="--config tests/maui/figure5.cfg"
# shellcheck disable=SC2086
{
	why 8 --policy maui $maui >"$tmp/got"
	has "maui: why" "Now it would delay job 6, due to start at 9000."
	same "maui: an event" "$(whatif --at 2600 --base maui $maui \
		--event 'cancel 6' --jobs-out - | tail -n 1)" \
		"8,5,9800,2600,,"
	check "to maui: a whole history" whatif --policy maui $maui
	fails "to maui in the midst of it" 2 whatif --at 2600 --policy maui \
		$maui
}
# Dates, how many of the waiting jobs, JSON.
# shellcheck disable=SC2086
{
	"$fairsched" whatif $swf $now --event 'capacity -4' \
		--json "$tmp/json" >"$tmp/got"
	has "affected jobs" "2 of 2 waiting jobs are affected."
	has "by how much" "jobs that start later   2, by 36 min 40 s on average"
	has "when" \
		"6       4  2023-11-15 00:43  2023-11-15 00:56  +13 min 20 s"
	same "JSON alone" "$("$fairsched" whatif $swf $now \
		--event 'capacity -4' --json -)" "$(cat "$tmp/json")"
}
check "whatif: JSON" python3 - "$tmp/json" <<'END'
import json, sys
got = json.load(open(sys.argv[1]))
assert got["waiting"] == 2 and got["affected"] == 2, got
assert got["later"] == {"jobs": 2, "mean": 2200}, got
assert got["jobs"] == [{"job": 6, "user": 4, "start": 9000, "new_start": 9800,
                        "promise": 9000, "new_promise": 9800},
                       {"job": 8, "user": 5, "start": 9800, "new_start": 13400,
                        "promise": 9800, "new_promise": 13400}], got
END
fails "no change" 2 whatif
fails "an event without a time" 2 whatif --event 'cancel 6'
same "the same policy" "$(whatif --policy easy | tr -dc '0-9\n' | xargs)" \
	"08 0 0 0 0"
# Two live jobs of one number cannot be told apart; one that ended can.
for second in 0 6; do
	cat >"$tmp/repeated.swf" <<-END
	; MaxProcs: 4
	1 0 -1 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
	1 $second -1 9 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1
	2 7 -1 9 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1
	END
	for event in "cancel 1" "capacity -4 kill 1"; do
		repeated="whatif $tmp/repeated.swf --at $((second + 2))"
		if [ $second = 6 ]; then
			check "$event: the job that runs" \
				"$fairsched" $repeated --event "$event"
			continue
		fi
		fails "$event: two have the number" 2 \
			"$fairsched" $repeated --event "$event"
		check "$event: two have the number, said so" grep -q \
			"more than one job has the number 1" "$tmp/err"
	done
done
# What the plan cannot hold is told as simulate tells it.
cat >"$tmp/far.swf" <<'END'
; MaxProcs: 4
1 0 -1 9 4 -1 -1 4 17179869184 -1 1 1 1 1 1 1 -1 -1
END
fails "why: beyond the horizon" 1 "$fairsched" why "$tmp/far.swf" --at 2 \
	--policy conservative --job 1
check "why: beyond the horizon, says so" grep -q \
	"job [0-9]: its reservation would end more than 68 years after second 0: conservative plans no further" \
	"$tmp/err"
cat >"$tmp/from.swf" <<'END'
; MaxProcs: 4
; UnixStartTime: 1700000000
1 0 -1 57600 4 -1 -1 4 57600 -1 1 1 1 1 1 1 -1 -1
2 0 -1 9 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1
END
check "why: from a date on" grep -q \
	"0 are free, enough from 2023-11-15 14:13 on, after the end of job 1" <<END
$(COLUMNS=200 "$fairsched" why "$tmp/from.swf" --at 60 --job 2)
END
finish
