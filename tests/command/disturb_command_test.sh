#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# simulate and compare with disturbances: what is drawn, how late promises are, by
# which cause; a small run as it was, and whole logs where they are.
. tests/test.sh

simulate() { "$fairsched" simulate "$@"; }

says() # NAME TEXT
{
	check "$1" grep -qF -- "$2" "$tmp/err"
}

# ---- options ----

swf=tests/traces/desk.swf
for bad in "end-late soon" "end-late 0" "end-late 1s:" "end-late 1s:2" \
	"end-late 1s:0.5:3" "end-late -1s" "failures 90d" "failures 0:4h" \
	"failures 90d:" "failures 90d:4h:1" "failures 69y:1" "refuse 0" \
	"refuse 1.5" "refuse 1%" "refuse x"; do
	# shellcheck disable=SC2086
	set -- $bad
	fails "--$bad" 2 "$fairsched" simulate $swf --"$1" "$2"
	says "names option and value: $bad" "--$1: '$2' is not "
	fails "compare --$bad" 2 "$fairsched" compare $swf --"$1" "$2"
done
fails "patience" 2 "$fairsched" simulate $swf --patience x
says "names its value" "--patience: 'x' is not a duration"
fails "a seed of nothing" 2 "$fairsched" simulate $swf --seed 3
says "what it is for" "--seed needs --fst-sample, --end-late, --failures or"
fails "with --fst" 2 "$fairsched" simulate $swf --fst --refuse 1
says "which is said" "--fst cannot be combined with --end-late, --failures"
fails "with --save" 2 "$fairsched" simulate $swf --refuse 1 --save "$tmp/s" \
	--save-at 1
says "which is said too" "cannot be combined with --save or --load"
printf 'class,count,cpus\na,4,4\n' >"$tmp/machine.csv"
fails "failures of amounts that are placed" 2 "$fairsched" simulate $swf \
	--failures 1d:1h --machine "$tmp/machine.csv" --place nodes
says "which is said as well" "--failures cannot be combined with --place"

# ---- ends of one second ----

# Jobs 1 and 2 end at 50, before their limit: job 3 needs what both give back, and job
# 4 takes what one does.
awk 'BEGIN {
	print "; MaxProcs: 10"
	split("50 50 20 40", run); split("5 5 10 5", wide)
	split("100 100 20 40", limit)
	for (i = 1; i <= 4; i++)
		print i, 0, -1, run[i], wide[i], -1, -1, wide[i], limit[i],
			-1, 1, 1, 1, -1, -1, -1, -1, -1 }' >"$tmp/ends.swf"
starts()
{
	simulate "$tmp/ends.swf" --policy conservative --jobs-out "$tmp/s" "$@" \
		>"$tmp/out" && sed 1d "$tmp/s" | cut -d, -f1,5 | tr '\n' ' '
}
same "one by one" "$(starts)" "1,0 2,0 3,90 4,50 "
same "together" "$(starts --together)" "1,0 2,0 3,50 4,70 "
fails "together with --fst" 2 "$fairsched" simulate $swf --fst --together
says "says why" "--fst cannot be combined with --together"

# ---- by hand ----

# Ten jobs of the whole machine are promised 100, 200 ... A job that runs until
# 100 by its request ends a second late, or the start of the first is refused.
awk 'BEGIN {
	print "; MaxProcs: 8"
	for (i = 0; i <= 10; i++)
		print i + 1, i, -1, i ? 99 : 100, i ? 8 : 7, -1, -1, i ? 8 : 7,
			100, -1, 1, 1, 1, -1, -1, -1, -1, -1 }' >"$tmp/ten.swf"
promises() # OPTION ...
{
	simulate "$tmp/ten.swf" "$@" | sed -n '/^promises/,/^digest/p' |
		sed 's/  */ /g; /digest/d' | tr '\n' ';'
}
late=", late by 1.000 s on average, p99 1 s, at most 1 s"
for policy in conservative pc dc; do
	same "$policy: a second late" \
		"$(promises --policy $policy --end-late 1s)" \
		"promises kept 10;promises broken 1$late; overrun 1$late;"
	same "$policy: undisturbed" "$(promises --policy $policy)" \
		"promises kept 11;promises broken 0;"
	same "$policy: all of them refused once" \
		"$(promises --policy $policy --refuse 1 | cut -d, -f1)" \
		"promises kept 0;promises broken 11"
done
simulate "$tmp/ten.swf" --policy pc --end-late 1s --jobs-out - >"$tmp/jobs"
same "its run is longer" "$(sed -n 2p "$tmp/jobs" | cut -d, -f 4,6)" 100,101
simulate "$tmp/ten.swf" --policy pc --end-late 1s --json - | python3 -c '
import json, sys
s = json.load(sys.stdin)
late = {"mean": 1, "p99": 1, "max": 1}
assert s["late"] == late and s["late_by"] == {"overrun": late}, s
assert s["promises_broken_by"] == {"overrun": 1}, s
assert s["disturbance"] == "end-late 1s" and s["late_ends"] == 1, s
' && ok "as JSON" || not_ok "as JSON"
"$fairsched" compare "$tmp/ten.swf" --policies easy,pc --end-late 1s --refuse 1 \
	--markdown "$tmp/md" --csv "$tmp/csv" --report "$tmp/page" >"$tmp/table"
sed -n '/^how late/,/^$/p' "$tmp/table" >"$tmp/got"
cat >"$tmp/want" <<'END'
how late        mean wait     max wait  promises  late  late
                                         kept of   p99   max
easy           8 min 11 s  16 min 21 s      none
  end-late 1s  8 min 12 s  16 min 22 s      none
  refuse 1     8 min 17 s  16 min 32 s      none
pc             8 min 11 s  16 min 21 s     11/11
  end-late 1s  8 min 12 s  16 min 22 s     10/11   1 s   1 s
  refuse 1     8 min 17 s  16 min 32 s      0/11   1 s   1 s

END
same_file "compare" "$tmp/want" "$tmp/got"
check "as Markdown" grep -q '^|   end-late 1s |.*| 10/11 | 1 s | 1 s |$' "$tmp/md"
same "as CSV" "$(grep ',pc,.*end-late' "$tmp/csv" | cut -d, -f 16,17,23-27)" \
	"10,1,end-late 1s,1.000000,1,1,overrun 1 1.000000 1 1"
check "as a page" grep -q '1 job: 1 s on average, p99 1 s, at most 1 s' \
	"$tmp/page/index.html"
check "a page by cause" grep -q 'late by overrun' "$tmp/page/index.html"

printf 'begin,end,processors,announced\n150,160,1,50\n' >"$tmp/window.csv"
for at in 60 600; do
	set -- "$tmp/ten.swf" --policy pc --maintenance "$tmp/window.csv" \
		--seconds --job 2 --at $at
	"$fairsched" why "$@" >"$tmp/out"
	check "why, at $at" grep -qE "^It (is to start|started) 60 s after the \
first start that it was promised: lost capacity\.$" "$tmp/out"
	same "why, at $at, as JSON" "$("$fairsched" why "$@" --json - |
		grep -oE '"(first_promise|late|late_by)": [^,]*' | xargs)" \
		"first_promise: 100 late: 60 late_by: capacity"
done

# ---- failures ----

# A processor fails all the time: all jobs end nevertheless, each after a run of
# its whole length, and no more processors are used than there are.
"$fairsched" generate --seed 5 --jobs 300 --procs 32 >"$tmp/load.swf" 2>"$tmp/log"
for policy in fcfs easy conservative pc dc relshare; do
	simulate "$tmp/load.swf" --policy $policy --failures 40d:2h --seed 1 \
		--check --jobs-out "$tmp/jobs.csv" >"$tmp/out"
	check "$policy: some jobs run again" \
		grep -q '^  jobs requeued  *[1-9]' "$tmp/out"
	same "$policy: all end after their run times" "$(awk -F, 'NR > 1 &&
		$7 == $5 + $6 && $5 >= $2' "$tmp/jobs.csv" | wc -l)" 300
	awk -F, 'NR > 1 { print $5, $3; print $7, -$3 }' "$tmp/jobs.csv" |
		sort -n -k 1,1 -k 2,2 | awk '{ n += $2; if (n > most) most = n }
		END { exit most > 32 }' && ok "$policy: on 32 processors" ||
		not_ok "$policy: on 32 processors"
	same "$policy: as many fail" "$(grep 'failures  ' "$tmp/out")" \
		"$(simulate "$tmp/load.swf" --failures 40d:2h --seed 1 |
			grep 'failures  ')"
done
# So do nodes of classes, which take all that they have with them.
cat >"$tmp/machine.csv" <<'END'
class,count,cpus,memory,gpus
thin,6,8,32G,0
fat,2,8,64G,2
END
"$fairsched" generate --seed 5 --jobs 300 --procs 16 >"$tmp/narrow.swf" \
	2>"$tmp/log"
for policy in fcfs easy conservative pc dc; do
	simulate "$tmp/narrow.swf" --machine "$tmp/machine.csv" --plan classes \
		--policy $policy --failures 1d:8h --seed 1 --check \
		--jobs-out "$tmp/jobs.csv" >"$tmp/out"
	check "$policy, nodes: some jobs run again" \
		grep -q '^  jobs requeued  *[1-9]' "$tmp/out"
	same "$policy, nodes: all end after their run times" "$(awk -F, 'NR > 1 &&
		$7 == $5 + $6 && $5 >= $2' "$tmp/jobs.csv" | wc -l)" 300
done
check "another seed" test \
	"$(simulate "$tmp/load.swf" --failures 40d:2h --seed 2 | tail -n 1)" != \
	"$(simulate "$tmp/load.swf" --failures 40d:2h --seed 1 | tail -n 1)"
simulate "$tmp/load.swf" --policy dc --failures 40d:2h --users-out "$tmp/users" \
	--gantt 1d 2d --end-late 1m:0.5 --refuse 0.1 --patience 0 --seed 7 |
	sed -n '/^disturbed/,/ refused/p; /^promises/p; /^digest/p' >"$tmp/got"
cat >"$tmp/want" <<'END'
disturbed by            end-late 1m:0.5, failures 40d:2h, refuse 0.1, seed 7
  jobs ended late       144
  failures              3
  jobs requeued         1
  starts refused        22
promises kept           175
promises broken         125, late by 360.504 s on average, p99 38 min 49 s, at most 8 h 35 min
digest                  84aaca7c4583a2a6
END
same_file "a small run, as it was" "$tmp/want" "$tmp/got"

# ---- whole logs ----

kth=$shared/traces/KTH-SP2-1996-2.swf.gz
while read -r policy broken mean longest; do
	[ -f "$kth" ] || { skip "KTH-SP2, $policy" "no trace"; continue; }
	simulate "$kth" --policy "$policy" --end-late 1s >"$tmp/out"
	same "KTH-SP2, $policy: a second late" "$(sed -n \
		's/^promises broken *\([0-9]*\),.*, at most \(.*\)/\1 \2/p
		s/^m[ea].*um wait *\([0-9]*\) .*/\1/p
		s/^mean wait *\([0-9.]*\) .*/\1/p' "$tmp/out" | xargs)" \
		"$mean $longest $broken 3 s"
	simulate "$kth" --policy "$policy" --refuse 0.01 --json "$tmp/refused" \
		>"$tmp/out"
	simulate "$kth" --policy "$policy" --json "$tmp/none" >"$tmp/out"
	check "KTH-SP2, $policy: 1 % refused, the longest wait 5 % at most" \
		python3 -c '
import json, sys
refused, none = (json.load(open(f)) for f in sys.argv[1:])
assert refused["refused"] > 250, refused
assert refused["max_wait"] <= 1.05 * none["max_wait"], (refused, none)
' "$tmp/refused" "$tmp/none"
done <<'END'
conservative 54 7228.300 266193
pc 62 7433.982 248385
dc 66 6976.866 263620
END
finish
