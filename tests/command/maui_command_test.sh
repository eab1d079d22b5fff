#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate --policy maui, and priority: whose fields, which numbers.
. tests/test.sh

# Job 1 fills the machine until 600. Users 1 and 2, groups 7 and 8, classes 3
# and 4; job 4 has 2 MB of memory, 1 a processor.
cat >"$tmp/t.swf" <<'END'
; MaxProcs: 4
1 0 -1 600 4 -1 -1 4 600 -1 1 1 7 -1 3 -1 -1 -1
2 0 -1 60 4 -1 -1 4 120 -1 1 1 7 -1 3 -1 -1 -1
3 60 -1 60 4 -1 -1 4 60 -1 1 2 8 -1 4 -1 -1 -1
4 120 -1 60 2 -1 -1 2 60 1024 1 2 8 -1 3 -1 -1 -1
5 180 -1 60 1 -1 -1 1 960 -1 1 1 8 -1 4 -1 -1 -1
END

starts() # CONFIGURATION, lines with ; between
{
	printf '%s\n' "$1" | tr ';' '\n' >"$tmp/maui.cfg"
	"$fairsched" simulate "$tmp/t.swf" --policy maui --config \
		"$tmp/maui.cfg" --jobs-out - |
		awk -F, 'NR > 1 { printf "%s:%s ", $1, $5 }'
}

same "the defaults are easy" "$(starts '')" \
	"1:0 2:600 3:660 4:720 5:720 "
same "a user first" "$(starts 'USERWEIGHT 1000;USERCFG[2] PRIORITY=1')" \
	"1:0 2:720 3:600 4:660 5:780 "
same "a group first" "$(starts 'GROUPWEIGHT 1000;GROUPCFG[8] PRIORITY=1
RESERVATIONDEPTH 3')" "1:0 2:720 3:600 4:660 5:660 "

# User 1 stuffs the queue with four jobs before user 2 submits one. Of each user
# two are considered at a time, and a second later the next two.
{
	echo '; MaxProcs: 4'
	for i in 1 2 3 4; do
		echo "$i 0 -1 100 1 -1 -1 1 100 -1 1 1 7 -1 3 -1 -1 -1"
	done
	echo '5 0 -1 100 1 -1 -1 1 100 -1 1 2 7 -1 3 -1 -1 -1'
} >"$tmp/idle.swf"
cp "$tmp/t.swf" "$tmp/other.swf"
cp "$tmp/idle.swf" "$tmp/t.swf"
same "no limit on idle jobs" "$(starts '')" "1:0 2:0 3:0 4:0 5:100 "
same "idle jobs of a user" "$(starts 'USERCFG[DEFAULT] MAXIJOB=2')" \
	"1:0 2:0 3:1 4:100 5:0 "
same "idle jobs of a user, with a timer" \
	"$(starts 'RMPOLLINTERVAL 30;USERCFG[DEFAULT] MAXIJOB=2')" \
	"1:0 2:0 3:30 4:100 5:0 "
same "idle jobs of the class, by hard limits" \
	"$(starts 'CLASSCFG[3] MAXIJOB=1,3;USERCFG[2] MAXIJOB=1')" \
	"1:0 2:0 3:0 4:1 5:100 "
same "of each kind" "$(for kind in GROUPCFG[7] QOSCFG[DEFAULT]; do
	starts "$kind MAXIJOB=4"
done)" "1:0 2:0 3:0 4:0 5:100 1:0 2:0 3:0 4:0 5:100 "
echo 'USERCFG[DEFAULT] MAXIJOB=2' >"$tmp/idle.cfg"
"$fairsched" why "$tmp/idle.swf" --at 0 --job 4 --policy maui --config \
	"$tmp/idle.cfg" >"$tmp/log" 2>&1
check "why it waits" grep -q \
	"Only 2 waiting jobs of its user are considered at a time" "$tmp/log"
mv "$tmp/other.swf" "$tmp/t.swf"

# A job has the QoS that it asks for if its user's QLIST permits it: job 3 goes
# first; 4 may not have it, and 2 asks for none.
printf '%s\n' '# MaxProcs: 4' submit,run,procs,user,qos 0,100,4,1, 1,10,4,1, \
	2,10,4,1,high 3,10,4,2,high >"$tmp/qos.jobs"
printf '%s\n' 'QOSWEIGHT 1000' 'USERCFG[1] QLIST=low,high' \
	'QOSCFG[high] PRIORITY=1' >"$tmp/qos.cfg"
same "the QoS that a job asks for" \
	"$("$fairsched" simulate "$tmp/qos.jobs" --policy maui --config \
		"$tmp/qos.cfg" --jobs-out - |
		awk -F, 'NR > 1 { printf "%s:%s ", $1, $5 }')" \
	"1:0 2:110 3:100 4:120 "
same "priority names it" \
	"$("$fairsched" priority "$tmp/qos.jobs" --at 50 --config \
		"$tmp/qos.cfg" | awk -F, 'NR > 1 { print $1, $5 }' |
		tr '\n' ';')" \
	"3 high;2 DEFAULT;4 DEFAULT;"

# A window of 4 processors until 100: one job of most processors, one of most
# seconds, and one of most of both.
cat >"$tmp/metric.swf" <<'END'
; MaxProcs: 8
1 0 -1 100 4 -1 -1 4 100 -1 1 1 -1 -1 -1 -1 -1 -1
2 1 -1 10 8 -1 -1 8 10 -1 1 1 -1 -1 -1 -1 -1 -1
3 1 -1 10 4 -1 -1 4 10 -1 1 1 -1 -1 -1 -1 -1 -1
4 1 -1 70 2 -1 -1 2 70 -1 1 1 -1 -1 -1 -1 -1 -1
5 1 -1 50 3 -1 -1 3 50 -1 1 1 -1 -1 -1 -1 -1 -1
END
for metric in PROCS SECONDS PROCSECONDS; do
	printf '%s\n' 'BACKFILLPOLICY BESTFIT' "BACKFILLMETRIC $metric" \
		>"$tmp/metric.cfg"
	"$fairsched" simulate "$tmp/metric.swf" --policy maui --config \
		"$tmp/metric.cfg" --jobs-out - |
		awk -F, 'NR > 3 { printf "%s ", $5 } END { print "" }'
done >"$tmp/got"
same "metrics of backfilling" "$(cat "$tmp/got")" "1 110 11 
71 1 110 
51 110 1 "

# Job 2 has a reservation at 100 when a job of higher priority arrives.
cat >"$tmp/kept.swf" <<'END'
; MaxProcs: 8
1 0 -1 100 8 -1 -1 8 100 -1 1 1 -1 -1 -1 -1 -1 -1
2 1 -1 100 8 -1 -1 8 100 -1 1 2 -1 -1 -1 -1 -1 -1
3 50 -1 50 8 -1 -1 8 50 -1 1 3 -1 -1 -1 -1 -1 -1
END
kept() # RESERVATIONPOLICY
{
	printf '%s\n' 'RESERVATIONDEPTH 8' 'USERWEIGHT 1' \
		'USERCFG[3] PRIORITY=1000' "RESERVATIONPOLICY $1" \
		>"$tmp/kept.cfg"
	"$fairsched" simulate "$tmp/kept.swf" --policy maui --config \
		"$tmp/kept.cfg" --jobs-out - |
		awk -F, 'NR > 1 { printf "%s:%s ", $1, $5 }'
}

same "a reservation is kept" "$(kept HIGHEST)" "1:0 2:100 3:200 "
for how in CURRENTHIGHEST NEVER; do
	same "$how: it is not" "$(kept $how)" "1:0 2:150 3:100 "
done
kept LOWEST >/dev/null 2>&1
fails "an unknown policy of reservations" 2 "$fairsched" simulate \
	"$tmp/kept.swf" --policy maui --config "$tmp/kept.cfg"
check "the line is named" grep -qF \
	"kept.cfg:4: unknown value of RESERVATIONPOLICY 'LOWEST'" "$tmp/err"
same "a class last" "$(starts 'CLASSWEIGHT -1000;CLASSCFG[3] PRIORITY=1')" \
	"1:0 2:720 3:600 4:660 5:660 "
same "the QoS of a group" "$(starts 'QOSWEIGHT 1000;QOSCFG[hi] PRIORITY=1
GROUPCFG[8] QDEF=hi;BACKFILLPOLICY NONE')" "1:0 2:720 3:600 4:660 5:660 "
same "the QoS of a user" "$(starts 'QOSWEIGHT 1000;QOSCFG[hi] PRIORITY=1
USERCFG[2] QDEF=hi;BACKFILLPOLICY NONE')" "1:0 2:720 3:600 4:660 5:780 "
same "a job has no account, whatever its class" \
	"$(starts 'QOSWEIGHT 1000;QOSCFG[hi] PRIORITY=1
ACCOUNTCFG[4] QDEF=hi;BACKFILLPOLICY NONE')" "1:0 2:600 3:660 4:720 5:720 "
same "memory" "$(starts 'RESWEIGHT 1;MEMWEIGHT 100')" \
	"1:0 2:660 3:720 4:600 5:780 "
same "a job above the soft limit comes last" \
	"$(starts 'USERCFG[2] MAXPROC=2,4')" "1:0 2:600 3:720 4:660 5:660 "
same "a class that refuses" "$(starts 'CLASSCFG[4] MAX.WCLIMIT=1:00')" \
	"1:0 2:600 3:660 4:720 "
same "a limit that it could never keep" \
	"$(starts 'USERCFG[1] MAXPROC=3')" "3:60 4:120 5:180 "

# Processor equivalents. Job 4 has 2 MB: of the machine's 4 MB they are half of
# its 4 processors, of 16 MB its two processors count for more.
printf 'class,count,cpus,ram,spec,cost\nsmall,4,1,1M,1,1\n' >"$tmp/small.csv"
printf 'class,count,cpus,ram,spec,cost\nlarge,4,1,4M,1,1\n' >"$tmp/large.csv"
printf '%s\n' 'RESWEIGHT 1' 'PEWEIGHT 1' 'CLASSCFG[4] DEFAULT.MEM=4' \
	>"$tmp/pe.cfg"
equivalents() # MACHINE.csv; of the jobs 2 to 5
{
	"$fairsched" priority "$tmp/t.swf" --at 5m --config "$tmp/pe.cfg" \
		--machine "$1" >"$tmp/out.csv" 2>"$tmp/err"
	awk -F, 'NR == 1 {
		for (i = 1; i <= NF; i++)
			if ($i == "pe_part")
				at = i
	}
	NR > 1 { print $1 ":" $at }' "$tmp/out.csv" | sort | tr '\n' ' '
}
# Jobs 3 and 5 are of class 4: they ask for 4 MB, all of a small machine.
same "of a machine with little memory" "$(equivalents "$tmp/small.csv")" \
	"2:4.000000 3:4.000000 4:2.000000 5:4.000000 "
same "of one with more" "$(equivalents "$tmp/large.csv")" \
	"2:4.000000 3:4.000000 4:2.000000 5:1.000000 "
fails "a machine without use" 2 "$fairsched" simulate "$tmp/t.swf" \
	--machine "$tmp/small.csv"

# A job that asks for no time has that of its class, and no job loses its own.
sed 's/ 60 4 -1 -1 4 60 -1/ 60 4 -1 -1 4 -1 -1/' "$tmp/t.swf" >"$tmp/no.swf"
walltimes() # CONFIGURATION
{
	printf '%s\n' "$1" >"$tmp/maui.cfg"
	"$fairsched" simulate "$tmp/no.swf" --policy maui --config \
		"$tmp/maui.cfg" --jobs-out - |
		awk -F, 'NR > 1 { printf "%s:%s ", $1, $5 }'
}
same "a limit of its queue" "$(walltimes \
	'CLASSCFG[4] DEFAULT.WCLIMIT=1:00:00 MAX.WCLIMIT=30:00')" \
	"1:0 2:600 4:660 5:660 "
same "that of all" "$(walltimes 'CLASSCFG[DEFAULT] DEFAULT.WCLIMIT=2:00')" \
	"1:0 2:600 3:660 4:720 5:720 "

summary() # CONFIGURATION
{
	starts "$1" >/dev/null
	"$fairsched" simulate "$tmp/t.swf" --policy maui \
		--config "$tmp/maui.cfg"
}

same "how many were refused" "$(summary 'CLASSCFG[4] EXCLUDEUSERLIST=2' |
	sed -n 's/^dropped *//p')" "1 (rejected by --config 1)"
starts '' >/dev/null
same "decisions are those of easy" \
	"$("$fairsched" simulate "$tmp/t.swf" --policy maui \
		--config "$tmp/maui.cfg" | grep digest)" \
	"$("$fairsched" simulate "$tmp/t.swf" | grep digest)"

# At 300 four jobs wait: 300, 240, 180 and 120 s. Job 1 has used 300 * 4
# processor-seconds, all of which is user 1's.
cat >"$tmp/maui.cfg" <<'END'
FSPOLICY PSDEDICATED
FSWEIGHT 2
FSUSERWEIGHT 3
USERCFG[1] FSTARGET=70
USERCFG[2] FSTARGET=30+
XFACTORWEIGHT 10
RESWEIGHT 1
PROCWEIGHT 1
MEMWEIGHT 1
END
"$fairsched" priority "$tmp/t.swf" --at 5m --config "$tmp/maui.cfg" \
	>"$tmp/out.csv"
column() # NAME; of each job, in their order
{
	awk -F, -v name="$1" 'NR == 1 {
		for (i = 1; i <= NF; i++)
			if ($i == name)
				at = i
	}
	NR > 1 { printf "%s ", $at }' "$tmp/out.csv"
}
same "highest first" "$(column job_id)" "3 4 2 5 "
same "whose" "$(column user)$(column group)$(column queue)" \
	"2 2 1 1 8 8 7 8 4 3 3 4 "
same "their QoS" "$(column qos)" "DEFAULT DEFAULT DEFAULT DEFAULT "
same "they wait" "$(column wait)" "240 180 300 120 "
same "queue time in minutes" "$(column queue_time_part)" \
	"4.000000 3.000000 5.000000 2.000000 "
same "ten times the expansion factor" "$(column xfactor_part)" \
	"50.000000 40.000000 35.000000 11.250000 "
same "service" "$(column service)" \
	"54.000000 43.000000 40.000000 13.250000 "
same "processors" "$(column procs_part)" \
	"4.000000 2.000000 4.000000 1.000000 "
same "memory in MB" "$(column memory_part)" \
	"0.000000 2.000000 0.000000 0.000000 "
same "three times 30 or -30 points" "$(column fs_user_part)" \
	"90.000000 90.000000 -90.000000 -90.000000 "
same "fairshare" "$(column fairshare)" \
	"180.000000 180.000000 -180.000000 -180.000000 "
same "the sum" "$(column priority)" \
	"238.000000 227.000000 -136.000000 -165.750000 "

"$fairsched" priority "$tmp/t.swf" --at 5m --config "$tmp/maui.cfg" \
	--json "$tmp/json" >"$tmp/csv"
check "JSON has the same" python3 - "$tmp/csv" "$tmp/json" <<'END'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
got = json.load(open(sys.argv[2]))
assert len(rows) == len(got) > 1
for row, job in zip(rows, got):
    assert list(row) == list(job), (row, job)
    for key in row:
        same = row[key] == job[key] if key == "qos" else \
            float(row[key]) == job[key]
        assert same, (key, row, job)
END
echo 'CLASSCFG[4] DEFAULT.MEM=4611686018427387904' >>"$tmp/maui.cfg"
"$fairsched" priority "$tmp/t.swf" --at 5m --config "$tmp/maui.cfg" \
	>"$tmp/out.csv"
same "2^40 MB at most" "$(column memory_part)" \
	"1099511627776.000000 1099511627776.000000 2.000000 0.000000 "
same "no job waits at the end" "$("$fairsched" priority "$tmp/t.swf" \
	--at 30d | wc -l | tr -d ' ')" 1
same "nor before the beginning" "$("$fairsched" priority "$tmp/t.swf" \
	--at -1 | wc -l | tr -d ' ')" 1

bad() # NAME TEXT ARGUMENT...
{
	bad_name=$1
	bad_text=$2
	shift 2
	fails "$bad_name" 2 "$fairsched" "$@"
	check "$bad_name: says so" grep -qF -- "$bad_text" "$tmp/err"
}

bad "no configuration" "policy maui needs --config" simulate "$tmp/t.swf" \
	--policy maui
bad "one for another policy" "--config needs policy maui" \
	simulate "$tmp/t.swf" --config "$tmp/maui.cfg"
bad "no such file" "none.cfg: No such file" simulate "$tmp/t.swf" \
	--policy maui --config "$tmp/none.cfg"
bad "an order" "policy maui takes only --order fcfs, tree" simulate "$tmp/t.swf" \
	--policy maui --config "$tmp/maui.cfg" --order sjf
printf 'FSDEPTH 8\nBACKFILPOLICY NONE\n' >"$tmp/bad.cfg"
for what in simulate compare; do
	option=--policy
	[ $what = simulate ] || option=--policies
	bad "$what: a parameter misspelt" \
		"bad.cfg:2: unknown parameter 'BACKFILPOLICY': did you mean" \
		$what "$tmp/t.swf" $option maui --config "$tmp/bad.cfg"
done
bad "priority: a parameter misspelt" \
	"bad.cfg:2: unknown parameter 'BACKFILPOLICY': did you mean" \
	priority "$tmp/t.swf" --at 0 --config "$tmp/bad.cfg"
printf 'USERCFG[DEFAULT] MAXPS=10\n' >"$tmp/none.cfg"
bad "no job may start" "the configuration rejects every job" \
	simulate "$tmp/t.swf" --policy maui --config "$tmp/none.cfg"
bad "priority: when?" "--at is missing" priority "$tmp/t.swf"
bad "priority: a date without an epoch" "no UnixStartTime" \
	priority "$tmp/t.swf" --at 2003-05-01

check "compare takes it too" "$fairsched" compare "$tmp/t.swf" \
	--policies easy,maui --config "$tmp/maui.cfg"
check "fair start times, too" "$fairsched" simulate "$tmp/t.swf" \
	--policy maui --config "$tmp/maui.cfg" --fst

finish
