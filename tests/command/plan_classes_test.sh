#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate --plan classes: one class decides as one pool; memory and
# partitions of a trace are planned; nothing is taken twice, promises are kept.
. tests/test.sh

kth=$shared/traces/KTH-SP2-1996-2.swf.gz
cerit=$shared/traces/CERIT-SC-wagap-2013Q1-21col.swf.gz

digest() # ARGUMENT...
{
	"$fairsched" simulate "$@" | sed -n 's/^digest *//p'
}

# ---- one class ----

printf 'class,count,cpus\nall,1,100\n' >"$tmp/pool.csv"
if [ -f "$kth" ]; then
	set -- "fcfs" "easy" "depth --depth 4" "conservative" "pc" \
		"pc --order widest" "dc" "dc --order sjf" "relshare" \
		"easy --order lxf" "easy --order usage" \
		"easy --backfill bestfit" "depth --depth 3 --backfill greedy"
	# Months of each, one by a plan afresh and one by promises.
	[ -z "${TEST_LIGHT:-}" ] || set -- "dc" "depth --depth 3 --backfill greedy"
	for rules; do
		# shellcheck disable=SC2086
		same "one class is one pool: $rules" \
			"$(digest "$kth" --machine "$tmp/pool.csv" \
				--plan classes --policy $rules)" \
			"$(digest "$kth" --procs 100 --policy $rules)"
	done
else
	skip "one class is one pool" "no $kth"
fi

# ---- a real cluster: processors and memory of three classes ----

cat >"$tmp/cerit.csv" <<'END'
class,count,cpus,ram
zewura,20,80,512G
zegox,48,12,90G
hildor,28,16,64G
END
of_classes="fcfs easy conservative pc dc"
promising="conservative pc dc"
[ -z "${TEST_LIGHT:-}" ] || of_classes="easy dc" promising="dc"
if [ -f "$cerit" ]; then
	for policy in $of_classes; do
		check "three classes, $policy" "$fairsched" simulate "$cerit" \
			--machine "$tmp/cerit.csv" --plan classes --policy $policy \
			--jobs-out "$tmp/$policy.csv" --json "$tmp/$policy.json"
	done
	for policy in $promising; do
		same "every promise is kept, $policy" \
			"$(sed -n 's/^ *"promises_broken": \([0-9]*\),*/\1/p' \
				"$tmp/$policy.json")" 0
	done
	# Each class has processors of its own: 0-1599, 1600-2175, 2176-2623.
	same "processors are numbered through the classes" \
		"$(awk -F, 'NR > 1 { split($11, p, "[- ]"); k = $NF
			if ((k == "zewura") != (p[1] < 1600) ||
			    (k == "hildor") != (p[1] >= 2176)) wrong++ }
			END { print wrong + 0 }' "$tmp/easy.csv")" 0
	check "saved and loaded" sh -c '
		"$1" simulate "$2" --machine "$3" --plan classes --policy dc \
			--save "$4" --save-at 20d >/dev/null &&
		"$1" simulate "$2" --machine "$3" --plan classes --policy dc \
			--load "$4" >"$4.loaded" &&
		"$1" simulate "$2" --machine "$3" --plan classes --policy dc \
			>"$4.whole" && diff "$4.loaded" "$4.whole"' - \
		"$fairsched" "$cerit" "$tmp/cerit.csv" "$tmp/saved"
else
	skip "three classes" "no $cerit"
fi

# ---- by hand: memory in MiB, and partitions ----

# Two nodes with 4 processors each, the second with more memory. Job 1 takes
# all of the first; job 2 needs the memory of the second; job 3 is of partition
# 7, the second node, and waits for job 2 there; job 4 fits beside job 2.
cat >"$tmp/two.csv" <<'END'
class,count,cpus,memory,partitions
a,1,4,1G,1
b,1,4,8G,1:7
END
cat >"$tmp/two.swf" <<'END'
; MaxProcs: 8
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 1 1 -1 -1
2 0 -1 50 2 -1 -1 2 50 2097152 1 1 1 -1 1 1 -1 -1
3 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 1 7 -1 -1
4 0 -1 20 2 -1 -1 2 20 1048576 1 1 1 -1 1 1 -1 -1
END
"$fairsched" simulate "$tmp/two.swf" --machine "$tmp/two.csv" --plan classes \
	--policy conservative --check --jobs-out "$tmp/two.jobs" >"$tmp/log" 2>&1
same "starts by hand" \
	"$(awk -F, 'NR > 1 { print $1, $5, $NF }' "$tmp/two.jobs" | tr '\n' ';')" \
	"1 0 a;2 0 b;3 50 b;4 0 b;"
same "with one pool job 3 waits for less" \
	"$("$fairsched" simulate "$tmp/two.swf" --policy conservative \
		--jobs-out - | awk -F, '$1 == 3 { print $5 }')" 50
same "a job that no class can run is dropped" \
	"$(sed 's/^4 .*/4 0 -1 20 5 -1 -1 5 20 -1 1 1 1 -1 1 1 -1 -1/' \
		"$tmp/two.swf" | "$fairsched" simulate - --machine "$tmp/two.csv" \
		--plan classes | sed -n 's/^jobs *//p')" 3

# ---- by hand: nodes of a QoS ----

# Class b serves QoS urgent only. Jobs 1 and 2 are of QoS normal: 2 waits for 1,
# though b is free. Jobs 3 and 4 are urgent and get b one after the other, before
# 5, which has no QoS and waits behind 2; 6 prefers b, but is normal.
cat >"$tmp/qos.csv" <<'END'
class,count,cpus,qos
a,1,4,
b,1,4,urgent:debug
END
cat >"$tmp/qos.jobs" <<'END'
# MaxProcs: 8
job_id,submit,walltime,run,procs,qos,classes,user
1,0,100,100,4,normal,,1
2,0,50,50,4,normal,,1
3,1,60,60,4,urgent,,2
4,2,10,10,4,urgent,,2
5,3,20,20,3,,,1
6,4,20,20,1,normal,b:a,1
7,5,5,5,1,debug,,1
END
of_qos() # MACHINE TRACE ARGUMENT...
{
	of_machine=$1
	of_trace=$2
	shift 2
	"$fairsched" simulate "$of_trace" --machine "$of_machine" --plan classes \
		--check --jobs-out - "$@" 2>"$tmp/err" |
		awk -F, 'NR > 1 { print $1, $5, $NF }' | tr '\n' ';'
}
same "nodes of a QoS" "$(of_qos "$tmp/qos.csv" "$tmp/qos.jobs" \
	--policy conservative)" \
	"1 0 a;2 100 a;3 1 b;4 61 b;5 150 a;6 150 a;7 71 b;"
same "without the column they share all nodes" \
	"$(cut -d, -f1-3 "$tmp/qos.csv" | of_qos - "$tmp/qos.jobs" \
		--policy conservative)" \
	"1 0 a;2 0 b;3 50 b;4 100 a;5 110 a;6 110 b;7 110 a;"
same "a list that all jobs are in restricts none" \
	"$(sed 's/debug/debug:normal/; /^1,/!s/,,/,normal,/' "$tmp/qos.csv" |
		sed 's/^a,1,4,/a,1,4,/' | of_qos - "$tmp/qos.jobs" \
		--policy easy | cut -d';' -f1,2)" "1 0 a;2 0 b"
# b is of partition 7, too: job 1 may use a alone, job 2 both.
printf '%s\n' class,count,cpus,qos,partitions a,1,4,,1:7 b,1,4,urgent,7 \
	>"$tmp/both.csv"
printf '%s\n' submit,run,procs,qos,partition 0,10,4,urgent,1 0,10,4,urgent,7 \
	0,10,4,normal,7 >"$tmp/both.jobs"
same "of its QoS and of its partition" \
	"$(of_qos "$tmp/both.csv" "$tmp/both.jobs" --policy easy)" \
	"1 0 a;2 0 b;3 10 a;"
cat >"$tmp/qos.txt" <<'END'
JobIDRaw|User|Account|Partition|QOS|State|Submit|Start|End|TimelimitRaw|AllocCPUS
1|ann|p|x|normal|COMPLETED|100|110|210|5|4
2|bob|p|x|urgent|COMPLETED|100|110|210|5|4
3|bob|p|x|debug|COMPLETED|101|110|210|5|4
END
same "QOS of sacct" "$(of_qos "$tmp/qos.csv" "$tmp/qos.txt" --policy easy)" \
	"1 0 a;2 0 b;3 100 a;"
"$fairsched" import sacct "$tmp/qos.txt" --format jobs >"$tmp/again.jobs" \
	2>/dev/null
same "as a jobs CSV the same" \
	"$(of_qos "$tmp/qos.csv" "$tmp/again.jobs" --policy easy)" \
	"1 0 a;2 0 b;3 100 a;"
same "its columns" "$(sed -n 3p "$tmp/again.jobs")" \
	"job_id,submit,start,walltime,run,procs,classes,user,account,partition,qos"
whatif_qos() # EVENT
{
	"$fairsched" whatif "$tmp/qos.jobs" --machine "$tmp/qos.csv" --plan \
		classes --at 6 --base conservative --event "$1" 2>&1 |
		grep 'The new\|no class'
}
same "whatif: a new job without QoS" "$(whatif_qos "submit 4 10")" \
	"The new job starts at 170 in class a."
same "whatif: a new job of the QoS" "$(whatif_qos "submit 4 10 qos=urgent")" \
	"The new job starts at 76 in class b."
check "whatif: none serves it" sh -c 'echo "$1" | grep -q \
	"no class that it may use serves its QoS"' - \
	"$(whatif_qos "submit 4 10 classes=b")"

# ---- a licence, which belongs to the whole machine ----

cat >"$tmp/wide.csv" <<'END'
class,count,cpus,memory*
a,1,4,5G
b,1,4,
END
same "what is of the whole machine" \
	"$("$fairsched" simulate "$tmp/two.swf" --machine "$tmp/wide.csv" \
		--plan classes --policy easy --jobs-out - |
		awk -F, 'NR > 1 { print $1, $5, $NF }' | tr '\n' ';')" \
	"1 0 a;2 0 b;3 50 b;4 60 b;"

# ---- dominant shares ----

# Tasks of user 1 need a processor and 4 GB, those of user 2 three and 1 GB. Of 9
# processors and 18 GB user 1 gets three and user 2 two, as in the paper.
printf 'class,count,cpus,memory\nall,1,9,18G\n' >"$tmp/nine.csv"
{
	echo '; MaxProcs: 9'
	for i in 1 2 3 4; do
		echo "$i 0 -1 100 1 -1 -1 1 100 4194304 1 1 1 -1 1 1 -1 -1"
	done
	for i in 5 6 7 8; do
		echo "$i 0 -1 100 3 -1 -1 3 100 349525 1 2 1 -1 1 1 -1 -1"
	done
} >"$tmp/nine.swf"
of_nine() # ORDER...
{
	"$fairsched" simulate "$tmp/nine.swf" --machine "$tmp/nine.csv" \
		--plan classes --policy fcfs --check --order "$@" --jobs-out - |
		awk -F, 'NR > 1 && !$5 { print $1 }' | tr '\n' ' '
}
same "by dominant share" "$(of_nine dominant)" "1 2 3 5 6 "
same "with a half-life" "$(of_nine dominant --half-life 1d)" "1 2 3 5 6 "
same "in order" "$(of_nine fcfs)" "1 2 3 4 5 "
fails "no windows by dominant share" 2 "$fairsched" simulate "$tmp/nine.swf" \
	--policy easy --order dominant --backfill bestfit
fails "no promises by dominant share" 2 "$fairsched" simulate "$tmp/nine.swf" \
	--policy conservative --order dominant

# ---- by class ----

# Under conservative jobs 1, 2, 4 start at 0 and job 3 at 50, until 100: in a 400
# of 400 processor-seconds, in b 100 + 40 + 40; memory of b 50 * 4 GiB, as field 10
# is for each processor, and 20 * 2, of 800. In b jobs wait 0, 50 and 0 s.
cat >"$tmp/by_class" <<'END'
by class  conservative
a cpus        100.00 %
a memory        0.00 %
a wait             0 s
b cpus         45.00 %
b memory       30.00 %
b wait            17 s
END
"$fairsched" compare "$tmp/two.swf" --machine "$tmp/two.csv" --plan classes \
	--policies conservative --markdown "$tmp/two.md" --report "$tmp/page" |
	sed -n '/^by class/,/wait  *17/p' >"$tmp/told"
same_file "compare by class" "$tmp/told" "$tmp/by_class"
same "as Markdown" "$(grep 'b memory' "$tmp/two.md")" "| b memory | 30.00 % |"
COLUMNS=60 "$fairsched" compare "$tmp/two.swf" --machine "$tmp/two.csv" \
	--plan classes --policies easy,conservative,pc,dc >"$tmp/narrow"
same "in 60 columns" "$(awk 'length > 60' "$tmp/narrow")" ""
same "in 60 columns a table" "$(grep '^b wait' "$tmp/narrow" | wc -w)" 10
COLUMNS=60 "$fairsched" compare "$tmp/two.swf" --machine "$tmp/two.csv" \
	--plan classes --policies all --order fcfs,sjf | sed -n '/^by cl/,$p
	/^a cpus/,$p' >"$tmp/narrow"
same "many policies in 60 columns" "$(awk 'length > 60' "$tmp/narrow")" ""
same "many policies as a list" "$(sed -n '/^b memory/,/easy fcfs/p' \
	"$tmp/narrow" | tr -s ' ' | tr '\n' ';')" \
	"b memory; fcfs fcfs 30.00 %; easy fcfs 30.00 %;"
check "in the page" grep -qF '">b cpus, %</th><td>45.00</td>' \
	"$tmp/page/index.html"
check "wait in the page" grep -qF '">b wait</th>' "$tmp/page/index.html"
# A picture of each resource of each class; job 3 waits for a processor of b.
printf '%s\n' class,count,cpus,memory,gpus a,1,2,2M, b,1,2,3M,2 >"$tmp/gantt.csv"
printf '%s\n' job_id,submit,run,procs,memory,gpus,classes 1,0,40,2,2M,,b \
	2,0,20,1,1M,,a 3,10,20,1,1M,1,b 4,10,20,1,,,a >"$tmp/gantt.jobs"
cat >"$tmp/want" <<'END'

a cpus, 1 a row
         2 |          44444444444444444444
         1 |22222222222222222222

a memory, 1M a row
         2 |
         1 |22222222222222222222

b cpus, 1 a row
         4 |1111111111111111111111111111111111111111
         3 |111111111111111111111111111111111111111133333333333333333333

b memory, 1M a row
         3 |
         2 |1111111111111111111111111111111111111111
         1 |111111111111111111111111111111111111111133333333333333333333

b gpus, 1 a row
         2 |
         1 |                                        33333333333333333333
            0                                                         60
END
"$fairsched" simulate "$tmp/gantt.jobs" --machine "$tmp/gantt.csv" --plan \
	classes --policy conservative --gantt 0 60 >"$tmp/out"
sed -n '/^$/,/^  *0  *60$/p' "$tmp/out" >"$tmp/got"
same_file "--gantt by class" "$tmp/got" "$tmp/want"
same "simulate by class" "$("$fairsched" simulate "$tmp/two.swf" --machine \
	"$tmp/two.csv" --plan classes --policy conservative |
	sed -n 's/^  b \([a-z]*\)  */\1 /p' | tr '\n' ';')" \
	"cpus 45.00 %;memory 30.00 %;wait 17 s;"

"$fairsched" compare "$tmp/two.swf" --machine "$tmp/two.csv" --plan classes \
	--policies conservative --csv "$tmp/two.out" --json "$tmp/two.json" \
	>"$tmp/log"
same "as CSV: its columns" \
	"$(head -n 1 "$tmp/two.out" | sed "s/.*account_share_deviation,//")" \
	"utilization_a_cpus,utilization_a_memory,mean_wait_a,utilization_b_cpus,utilization_b_memory,mean_wait_b"
same "as CSV" "$(sed -n 2p "$tmp/two.out" | cut -d, -f30-)" \
	"1.000000,0.000000,0.000000,0.450000,0.300000,16.666667"
cat >"$tmp/want" <<'END'
  "classes": [
    { "class": "a", "mean_wait": 0.000000, "utilization": { "cpus": 1.000000, "memory": 0.000000 } },
    { "class": "b", "mean_wait": 16.666667, "utilization": { "cpus": 0.450000, "memory": 0.300000 } } ],
END
grep -A 2 '"classes"' "$tmp/two.json" >"$tmp/told"
same_file "as JSON" "$tmp/told" "$tmp/want"
# Of 120 processor-seconds of b 60 + 40 until 30; of 240 GiB-seconds 120 + 40.
same "of the period that is measured" \
	"$("$fairsched" compare "$tmp/two.swf" --machine "$tmp/two.csv" --plan \
		classes --policies conservative --from 0 --to 30 --csv - |
		sed -n 2p | cut -d, -f30-)" \
	"1.000000,0.000000,0.000000,0.833333,0.666667,16.666667"
# 3 + 2 of 5 GiB of memory, which belongs to both classes.
printf 'class,count,cpus,memory*\na,1,4,5G\nb,1,4,\n' >"$tmp/wide.csv"
"$fairsched" simulate "$tmp/two.swf" --machine "$tmp/wide.csv" --plan classes \
	--policy conservative --json "$tmp/wide.json" >"$tmp/log"
check "of all classes" grep -q '"of_all_classes": { "memory": 0\.[0-9]* },' \
	"$tmp/wide.json"

# ---- fair start times, and fair shares by cost ----

# Job 3 of class b, shorter and later, goes before job 2, while class a is free.
cat >"$tmp/fst.jobs" <<'END'
job_id,submit,walltime,run,procs,classes
1,0,100,100,4,b
2,5,50,50,4,b
3,7,10,10,4,b
END
same "fair start times in a class" \
	"$("$fairsched" simulate "$tmp/fst.jobs" --machine "$tmp/two.csv" --plan \
		classes --policy easy --order sjf --fst --jobs-out - |
		awk -F, 'NR > 1 { print $1, $5, $14, $15 }' | tr '\n' ';')" \
	"1 0 0 0;2 110 100 100;3 100 100 150;"
# The GPUs are too few for both jobs. In the first 10 s 1 processor of 4 is in use,
# or a cost of 7, of two jobs that cost as much; then job 2 has all that is in use.
printf 'class,count,cpus,gpus\nall,1,4,4\n' >"$tmp/shares.csv"
cat >"$tmp/shares.jobs" <<'END'
submit,walltime,run,procs,gpus
0,10,10,1,3
0,10,10,3,2
END
fair_shares() # ARGUMENT...
{
	"$fairsched" simulate "$tmp/shares.jobs" --machine "$tmp/shares.csv" \
		--plan classes --policy easy --fst "$@" |
		sed -n 's/^\([a-z]*weighted\) unfairness  */\1 /p' | tr '\n' ';'
}
same "fair shares of processors" "$(fair_shares)" \
	"unweighted 2.500 processor-seconds;weighted 3.750 processor-seconds;"
for weights in cpus=1,gpus=2 cpus=0.5,gpus=1; do
	want="unweighted 17.500 cost-seconds;weighted 17.500 cost-seconds;"
	[ $weights = cpus=1,gpus=2 ] ||
		want="unweighted 8.750 cost-seconds;weighted 8.750 cost-seconds;"
	same "fair shares by $weights" "$(fair_shares --billing $weights)" "$want"
done
same "fair shares by the largest" "$(fair_shares --billing max,cpus=1,gpus=2)" \
	"unweighted 15.000 cost-seconds;weighted 12.000 cost-seconds;"
check "compare them" sh -c '"$1" compare "$2" --machine "$3" --plan classes \
	--policies easy,dc --fst --billing cpus=1,gpus=2 | grep -q "cost h short"' \
	- "$fairsched" "$tmp/shares.jobs" "$tmp/shares.csv"

# ---- costs ----

# Until 20 user 1 is entitled to 11 + 4 and uses 11, user 2 to 1 + 4 and uses 1:
# then job 4 goes first. By processors job 3 does, by usage likewise.
printf 'class,count,cpus,gpus,memory\nall,1,4,4,8G\n' >"$tmp/costs.csv"
cat >"$tmp/costs.jobs" <<'END'
job_id,submit,walltime,run,procs,gpus,user
1,0,20,20,1,1,1
2,0,20,20,1,0,2
3,0,20,20,4,0,1
4,0,20,20,4,0,2
END
bill() # ARGUMENT...
{
	"$fairsched" simulate "$tmp/costs.jobs" --machine "$tmp/costs.csv" \
		--plan classes --check --jobs-out - "$@"
}
by_cost() # ARGUMENT...
{
	bill "$@" | awk -F, 'NR > 1 { print $1, $5 }' | tr '\n' ';'
}
for rules in "relshare" "easy --order usage"; do
	# shellcheck disable=SC2086
	same "by processors: $rules" "$(by_cost --policy $rules)" \
		"1 0;2 0;3 20;4 40;"
	for weights in cpus=1,gpus=10 max,gpus=10,cpus=1 \
		cpus=0.5,gpus=5,memory=0.25G cpus=0.3,gpus=9.5; do
		# shellcheck disable=SC2086
		same "by $weights: $rules" \
			"$(by_cost --policy $rules --billing $weights)" \
			"1 0;2 0;3 40;4 20;"
	done
done

# Targets of 10: job 1 occupies 1 + 10, and job 3 of the other account passes job
# 2; the largest term is 10. Half as much each: 5.5.
cat >"$tmp/costs.jobs" <<'END'
job_id,submit,walltime,run,procs,gpus,user
1,0,100,100,1,1,1
2,0,50,50,3,0,1
3,0,50,50,3,0,2
END
printf 'account,target\n1,10\n2,10\n' >"$tmp/accounts.csv"
of_sfs() # ARGUMENT...
{
	by_cost --policy sfs --accounts "$tmp/accounts.csv" "$@"
}
same "sfs by processors" "$(of_sfs)" "1 0;2 0;3 50;"
same "sfs by cost" "$(of_sfs --billing cpus=1,gpus=10)" "1 0;2 50;3 0;"
same "sfs by the largest" "$(of_sfs --billing max,cpus=1,gpus=10)" \
	"1 0;2 0;3 50;"
same "sfs by halves" "$(of_sfs --billing cpus=0.5,gpus=9.5)" "1 0;2 0;3 50;"
same "sfs by more halves" "$(of_sfs --billing cpus=0.5,gpus=10)" \
	"1 0;2 50;3 0;"
bad_weights() # MESSAGE WEIGHTS
{
	fails "weights '$2'" 2 bill --policy relshare --billing "$2"
	bill --policy relshare --billing "$2" >"$tmp/err" 2>&1
	check "weights '$2': says so" grep -qF "$1" "$tmp/err"
}
bad_weights "is not RESOURCE=WEIGHT" cpus
bad_weights "is not RESOURCE=WEIGHT" cpus=x
bad_weights "is not RESOURCE=WEIGHT" cpus=1,memory=0.00001G
bad_weights "is not RESOURCE=WEIGHT" cpus=1,memory=1025
bad_weights "too much, or a processor nothing" cpus=1,memory=1024
bad_weights "of no resource" cpus=1,tapes=2
bad_weights "appears twice" cpus=1,cpus=2
bad_weights "too much, or a processor nothing" gpus=1
bad_weights "too much, or a processor nothing" cpus=999999999
fails "weights of one pool" 2 "$fairsched" simulate "$tmp/two.swf" --policy \
	relshare --billing cpus=1
fails "weights without use" 2 bill --policy easy --billing cpus=1
fails "weights and another charge" 2 bill --policy easy --order usage \
	--billing cpus=1 --charge pe

# ---- maintenance, and user reservations, of a class or of a resource ----

# From 30 on most of the memory of b is away: job 2 waits for it, its processors
# are free for job 3, and job 4 ends before.
printf 'begin,end,class,memory\n30,60,b,6G\n' >"$tmp/memory.csv"
printf 'begin,end,class,processors,memory\n30,60,b,0,6G\n' >"$tmp/none.csv"
printf 'begin,end,class,kind\n30,60,b,user\n' >"$tmp/whole.csv"
printf 'begin,end,class,kind,processors,memory\n30,60,b,user,4,8G\n' \
	>"$tmp/all.csv"

of_windows() # FILE POLICY
{
	"$fairsched" simulate "$tmp/two.swf" --machine "$tmp/two.csv" \
		--plan classes --check --policy "$2" --maintenance "$1" \
		--jobs-out - | awk -F, 'NR > 1 { print $1, $5, $NF }' |
		tr '\n' ';'
}
for policy in easy conservative pc dc relshare; do
	for memory in memory none; do
		same "$memory: memory is away, $policy" \
			"$(of_windows "$tmp/$memory.csv" $policy)" \
			"1 0 a;2 60 b;3 0 b;4 10 b;"
	done
	for whole in whole all; do
		same "$whole of a class is reserved, $policy" \
			"$(of_windows "$tmp/$whole.csv" $policy)" \
			"1 0 a;2 60 b;3 0 b;4 10 b;"
	done
done
same "memory is away, fcfs" "$(of_windows "$tmp/memory.csv" fcfs)" \
	"1 0 a;2 60 b;3 110 b;4 120 b;"
for at in 0 12 35 70; do
	set -- "$tmp/two.swf" --machine "$tmp/two.csv" --plan classes \
		--policy conservative --maintenance "$tmp/memory.csv"
	"$fairsched" simulate "$@" --save "$tmp/state" --save-at $at >"$tmp/all"
	"$fairsched" simulate "$@" --load "$tmp/state" >"$tmp/rest"
	same_file "saved at $at among windows" "$tmp/rest" "$tmp/all"
done
"$fairsched" why "$tmp/two.swf" --machine "$tmp/two.csv" --plan classes \
	--policy conservative --maintenance "$tmp/memory.csv" --seconds --at 5 \
	--job 2 >"$tmp/why"
check "why: a window of the class" grep -qx \
	"It would run into the maintenance window at 30." "$tmp/why"
check "compare with windows of classes" "$fairsched" compare "$tmp/two.swf" \
	--machine "$tmp/two.csv" --plan classes --policies easy,pc \
	--maintenance "$tmp/memory.csv"

bad_window() # NAME MESSAGE HEADER LINE
{
	printf '%s\n%s\n' "$3" "$4" >"$tmp/bad.csv"
	fails "$1" 2 "$fairsched" simulate "$tmp/two.swf" --machine \
		"$tmp/two.csv" --plan classes --maintenance "$tmp/bad.csv"
	check "$1: says so" grep -qF "bad.csv:$2" "$tmp/err"
}
bad_window "no class" "2: class: is missing: the machine has 2 of them" \
	begin,end,memory 30,60,6G
bad_window "of the first class, too much" "2: memory: more than the class has" \
	begin,end,class,memory 30,60,a,2G
bad_window "an unknown class" "2: class: the machine has no class 'c'" \
	begin,end,class 30,60,c
bad_window "an unknown resource" "1: unknown column 'gpus'" \
	begin,end,class,gpus 30,60,b,1
bad_window "too much" "2: memory: more than the class has" \
	begin,end,class,memory 30,60,b,9G
bad_window "too many" "2: processors: more than the class has" \
	begin,end,class,processors 30,60,b,5
bad_window "too many, by the name of the machine file" \
	"2: cpus: more than the class has" begin,end,class,cpus 30,60,b,5
bad_window "no amount" "2: memory: 'x' is no amount" \
	begin,end,class,memory 30,60,b,x
same "of the whole machine, no class" "$(printf 'begin,end,memory\n0,60,2G\n' |
	"$fairsched" simulate "$tmp/two.swf" --machine "$tmp/wide.csv" \
		--plan classes --policy easy --maintenance - --jobs-out - |
	awk -F, 'NR > 1 { print $1, $5, $NF }' | tr '\n' ';')" \
	"1 0 a;2 60 b;3 0 b;4 10 b;"

# ---- why ----

cat >"$tmp/why.swf" <<'END'
; MaxProcs: 8
1 0 -1 100 2 -1 -1 2 100 -1 1 1 1 -1 1 1 -1 -1
2 0 -1 50 2 -1 -1 2 50 2097152 1 1 1 -1 1 1 -1 -1
3 5 -1 10 2 -1 -1 2 10 4194304 1 1 1 -1 1 7 -1 -1
4 5 -1 20 3 -1 -1 3 20 1 1 1 1 -1 1 7 -1 -1
END
for policy in easy conservative pc dc; do
	same "why, $policy: what it lacks, and with what it would start" 		"$("$fairsched" why "$tmp/why.swf" --machine "$tmp/two.csv" 			--plan classes --policy $policy --job 3 --at 6 --samples 1 |
			sed -n '2,3p')" \
		"It waits for 8192 MiB of memory of class b, where 4096 are free.
With 4096 MiB of memory it would start now."
done
same "why: fewer processors" \
	"$("$fairsched" why "$tmp/why.swf" --machine "$tmp/two.csv" \
		--plan classes --policy dc --job 4 --at 6 --samples 1 | sed -n 2,3p)" \
	"It waits for 3 cpus of class b, where 2 are free.
It would start now with 2 processors."

"$fairsched" why "$tmp/why.swf" --machine "$tmp/two.csv" --plan classes --policy dc \
	--job 3 --at 6 --samples 1 --json "$tmp/why.json" >"$tmp/log"
cat >"$tmp/want" <<'END'
  "lacks": "memory",
  "lacks_in_class": "b",
  "free": 4096,
  "needed": 8192,
  "amount_to_start_now": 4096,
  "class_to_start_now": null,
END
grep -A 5 '"lacks"' "$tmp/why.json" >"$tmp/told"
same_file "why, as JSON" "$tmp/told" "$tmp/want"

# ---- errors ----

wrong() # NAME TEXT MACHINE-LINES TRACE ARGUMENT...
{
	wrong_name=$1 wrong_text=$2 wrong_trace=$4
	printf '%s\n' "$3" | tr ';' '\n' >"$tmp/wrong.csv"
	shift 4
	fails "$wrong_name" 2 "$fairsched" simulate "$wrong_trace" \
		--machine "$tmp/wrong.csv" --plan classes "$@"
	check "$wrong_name is said" grep -q "$wrong_text" "$tmp/err"
}

wrong "too many classes" "wrong.csv: more than 64 classes to plan" \
	"class,count,cpus$(seq -f ';%g,1,4' 65 | tr -d '\n')" "$tmp/two.swf"
wrong "no class of the partition" \
	"two.swf:4: field 16 (partition): no class of the machine has partition 7" \
	"class,count,cpus,partitions;a,2,4,1" "$tmp/two.swf"
wrong "a QoS in a trace that has none" \
	"wrong.csv:3: qos: .*two.swf does not say which QoS its jobs have" \
	"class,count,cpus,qos;a,2,4,;b,1,4,urgent" "$tmp/two.swf"
printf '%s\n' submit,run,procs 0,10,4 >"$tmp/none.jobs"
wrong "a QoS in a jobs CSV without the column" \
	"wrong.csv:2: qos: .*none.jobs does not say which QoS" \
	"class,count,cpus,qos;a,2,4,urgent" "$tmp/none.jobs"
wrong "an unknown QoS" \
	"wrong.csv:3: qos: no job of .*qos.jobs has QoS urgnet" \
	"class,count,cpus,qos;a,2,4,;b,1,4,urgnet" "$tmp/qos.jobs"
wrong "a QoS without a name" "wrong.csv:2: qos: a QoS without a name" \
	"class,count,cpus,qos;a,2,4,urgent::debug;b,1,4," "$tmp/qos.jobs"
wrong "no class of the QoS" \
	"qos.jobs:3: qos: no class of the machine that it may use serves QoS normal" \
	"class,count,cpus,qos;a,2,4,debug;b,1,4,urgent" "$tmp/qos.jobs"
wrong "no class without a QoS" \
	"qos.jobs:7: qos: no class of the machine that it may use serves a job without" \
	"class,count,cpus,qos;a,2,4,debug:normal;b,1,4,urgent" "$tmp/qos.jobs"
wrong "no class of the QoS and the partition" \
	"both.jobs:4: qos: no class of the machine that it may use serves QoS normal" \
	"class,count,cpus,qos,partitions;a,1,4,,1;b,1,4,urgent,7" "$tmp/both.jobs"
wrong "too many resources" "wrong.csv:1: column h: more than 8 resources" \
	"class,count,cpus,a,b,c,d,e,f,g,h;x,1,4,1,1,1,1,1,1,1,1" "$tmp/two.swf"
wrong "no class can run a job" \
	"any of its jobs, such as .*two.swf:2: cpus: class a has 1, which comes closest to 4" \
	"class,count,cpus;a,1,1;b,1,1;c,1,1;d,1,1" "$tmp/two.swf"
fails "classes without a machine" 2 "$fairsched" simulate "$tmp/two.swf" \
	--plan classes
fails "and --procs" 2 "$fairsched" simulate "$tmp/two.swf" \
	--machine "$tmp/two.csv" --plan classes --procs 8

# ---- whatif ----

# At 9 job 1 has 2 processors of a; jobs 2 and 3 have a GPU each of b until 60
# and 55, where job 4 waits for both; job 5 has one processor of a.
cat >"$tmp/gpus.csv" <<'END'
class,count,cpus,memory,gpus,matlab*
a,1,4,1G,,3
b,1,4,8G,2,
END
cat >"$tmp/gpu.jobs" <<'END'
job_id,submit,walltime,run,procs,gpus,memory,classes,user,matlab
1,0,100,100,2,,,a,ann,1
2,0,60,60,2,1,2G,,bob,1
3,5,50,50,1,1,1G,b,bob,1
4,7,40,40,2,2,2G,,ann,
5,8,40,40,1,,,a,ann,
END
whatif() # EVENT
{
	"$fairsched" whatif "$tmp/gpu.jobs" --machine "$tmp/gpus.csv" --plan \
		classes --at 9 --base conservative --event "$1" 2>&1
}
answer() # NAME EVENT WANT
{
	same "whatif: $1" "$(whatif "$2" | sed -n '/^The new/p; /^Job/p
		s/^promises that change *\([0-9]*\)/\1 promises/p' | tr '\n' ';')" \
		"$3"
}
answer "a job that any class serves" "submit 1 50" \
	"The new job starts at 9 in class a.;0 promises;"
answer "one that needs a GPU, behind the promise" \
	"submit 2 50 ann gpus=1 memory=1G classes=b:a" \
	"The new job starts at 100 in class b.;1 promises;"
answer "one that needs a licence" "submit 1 50 matlab=1" \
	"The new job starts at 55 in class a.;1 promises;"
answer "a GPU fails" "capacity -1 b:gpus" \
	"Job 3, which runs on 1 processor since 5, ends.;1 promises;"
answer "another job ends with it, and waits again" \
	"capacity -1 b:gpus kill 2 requeue" \
	"Job 2, which runs on 2 processors since 0, waits again.;2 promises;"
answer "GPUs come" "capacity 2 b:gpus" "1 promises;"
answer "memory that is free fails" "capacity -2G b:memory" "0 promises;"
answer "licences of the machine end" "capacity -2 :matlab" \
	"Job 3, which runs on 1 processor since 5, ends.;Job 2, which runs on 2 processors since 0, ends.;1 promises;"
answer "a class fails" "capacity -4 a" \
	"Job 5, which runs on 1 processor since 8, ends.;Job 1, which runs on 2 processors since 0, ends.;0 promises;"
answer "a GPU is away when job 4 is to run" "maintenance 1 70 90 b:gpus" \
	"1 promises;"
answer "a class is away while its jobs run" "maintenance 4 20 30 a" "0 promises;"
answer "licences are away" "maintenance 3 100 110 :matlab" "0 promises;"
# A class that is the whole machine answers as the machine.
printf 'class,count,cpus\nall,1,8\n' >"$tmp/all.csv"
cut -d, -f1-5,9 "$tmp/gpu.jobs" >"$tmp/pool.jobs"
for event in "submit 8 60" "capacity -3" "capacity 2" "cancel 2" \
	"capacity -6 kill 1,2,3,5 requeue" "modify 4 2 90" \
	"maintenance 7 20 200"; do
	in_class=$(echo "$event" | sed 's/^\(capacity [-0-9]*\)/\1 all/
		s/^maintenance.*/& all/')
	same "whatif: one class is one pool: $event" \
		"$("$fairsched" whatif "$tmp/pool.jobs" --machine "$tmp/all.csv" \
			--plan classes --at 9 --base dc --event "$in_class" |
			sed 's/ in class all//')" \
		"$("$fairsched" whatif "$tmp/pool.jobs" --procs 8 --at 9 --base dc \
			--event "$event")"
done
check "whatif: another policy" "$fairsched" whatif "$tmp/gpu.jobs" --machine \
	"$tmp/gpus.csv" --plan classes --at 9 --base easy --policy dc
check "whatif: the whole trace" "$fairsched" whatif "$tmp/gpu.jobs" --machine \
	"$tmp/gpus.csv" --plan classes --base easy --policy dc
same "whatif: which class comes closest" \
	"$(whatif "submit 2 50 gpus=3" | head -n 1)" \
	"fairsched: --event 'submit 2 50 gpus=3': gpus: class b has 2, which comes closest to 3"
for event in "capacity -5 a" "capacity -1 c" "capacity -1" "capacity -1 :cpus" \
	"capacity -1 b:tpus" "capacity x b" "submit 2 50 tpus=1" \
	"submit 2 50 gpus=x" "submit 2 50 classes=z" "submit 2 50 gpus=3" \
	"submit 2 50 ann bob" "maintenance 2 60 70" "maintenance 2 60 70 z" \
	"maintenance x 60 70 a" "maintenance 2 60 70 a b" \
	"maintenance 9 60 70 a"; do
	fails "whatif: $event" 2 "$fairsched" whatif "$tmp/gpu.jobs" --machine \
		"$tmp/gpus.csv" --plan classes --at 9 --event "$event"
done
fails "a machine that nothing uses" 2 "$fairsched" simulate "$tmp/two.swf" \
	--machine "$tmp/two.csv"
finish
