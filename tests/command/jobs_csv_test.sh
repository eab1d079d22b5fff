#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# A trace as CSV whose header line names columns, and what sacct says of
# resources: read by its content, by every command that reads a trace.
. tests/test.sh

# Processors, memory and GPUs of two classes, and licences of the machine.
cat >"$tmp/machine.csv" <<'END'
class,count,cpus,memory,gpus,matlab*,partitions,properties
a,1,4,1G,,3,1:batch,
b,1,4,8G,2,,1:7:gpu,a100
END
# Job 2 needs b for its GPU and its memory; job 3 prefers b, where it waits for
# job 2 and not as long as for job 1 in a; job 4 takes the other licences.
cat >"$tmp/jobs.csv" <<'END'
# MaxProcs: 8
job_id,submit,walltime,run,procs,gpus,memory,classes,user,account,matlab

1,0,100,100,4,,,a,ann,physics,
2,0,50s,50,2,1,2G,,"bob, the 2nd",bio,1
3,0,10,10,4,,,b:a,ann,physics,1
4,0,0:20,20,2,,1G,,7,bio,2
END

starts() # TRACE
{
	"$fairsched" simulate "$1" --machine "$tmp/machine.csv" --plan classes \
		--policy conservative --check --jobs-out - 2>"$tmp/err" |
		awk -F, 'NR > 1 { print $1, $5, $NF }' | tr '\n' ';'
}

same "starts by hand" "$(starts "$tmp/jobs.csv")" \
	"1 0 a;2 0 b;3 50 b;4 0 b;"
same "with a licence more job 4 starts later" \
	"$(sed 's/,2$/,3/' "$tmp/jobs.csv" | starts -)" \
	"1 0 a;2 0 b;3 50 b;4 60 b;"
gzip -c "$tmp/jobs.csv" >"$tmp/jobs.csv.gz"
same "packed" "$(starts "$tmp/jobs.csv.gz")" "$(starts "$tmp/jobs.csv")"

# ---- what the columns mean ----

same "as a trace" \
	"$("$fairsched" import jobs "$tmp/jobs.csv" 2>/dev/null | grep -v '^; N')" \
	"; Version: 2.2
; MaxProcs: 8
1 0 -1 100 4 -1 -1 4 100 -1 -1 1 1 -1 -1 -1 -1 -1
2 0 -1 50 2 -1 -1 2 50 1048576 -1 2 2 -1 -1 -1 -1 -1
3 0 -1 10 4 -1 -1 4 10 -1 -1 1 1 -1 -1 -1 -1 -1
4 0 -1 20 2 -1 -1 2 20 524288 -1 3 2 -1 -1 -1 -1 -1"
"$fairsched" import jobs "$tmp/jobs.csv" --format jobs >"$tmp/again.csv" \
	2>/dev/null
same "written and read again" "$(starts "$tmp/again.csv")" \
	"$(starts "$tmp/jobs.csv")"
"$fairsched" import jobs "$tmp/again.csv" --format jobs >"$tmp/third.csv" \
	2>/dev/null
same_file "and written again" "$tmp/third.csv" "$tmp/again.csv"
same "dates, a log's own starts, numbers as names" \
	"$(printf '%s\n' run,cpus,submit,start,user,partition \
		1h,4,2023-11-14T22:13:20,2023-11-14T22:13:30,12,7 \
		60,1,2023-11-14T22:13:21,,0,8 |
		"$fairsched" import jobs - 2>/dev/null | grep -v '^; [NVT]')" \
	"; UnixStartTime: 1700000000
1 0 10 3600 4 -1 -1 4 -1 -1 -1 12 -1 -1 7 7 -1 -1
2 1 -1 60 1 -1 -1 1 -1 -1 -1 0 -1 -1 8 8 -1 -1"
same "a user whose number has 18 digits" \
	"$(printf '%s\n' submit,run,procs,user 0,9,4,123456789012345678 |
		"$fairsched" import jobs - 2>/dev/null | tail -n 1)" \
	"1 0 -1 9 4 -1 -1 4 -1 -1 -1 123456789012345678 -1 -1 -1 -1 -1 -1"
same "a run of 0 seconds" "$(printf '%s\n' submit,run,procs 0,0,4 |
	"$fairsched" import jobs - 2>/dev/null | grep -v '^;')" \
	"1 0 -1 0 4 -1 -1 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"
for name in memory ram mem; do
	printf 'submit,run,cpus,%s\n0,10,2,4G\n' $name >"$tmp/$name.csv"
	same "a column $name is memory, in KiB of a processor" \
		"$("$fairsched" import jobs "$tmp/$name.csv" 2>"$tmp/err" |
		grep -v '^;')" \
		"1 0 -1 10 2 -1 -1 2 -1 2097152 -1 -1 -1 -1 -1 -1 -1 -1"
done
same "a damaged line is skipped and counted" \
	"$(sed 's/^2,0/2,no/' "$tmp/jobs.csv" |
		"$fairsched" simulate - --lenient |
		sed -n 's/^damaged lines *//p')" \
	"1 (standard input:5: submit: 'no' is not a time, such as 3600 or 2023-11-14T22:13:20)"

# ---- every command ----

check "compare" "$fairsched" compare "$tmp/jobs.csv" --machine \
	"$tmp/machine.csv" --plan classes --policies easy,conservative,pc,dc \
	--report "$tmp/report"
check "its page has the names" grep -rq "bob, the 2nd" "$tmp/report"
check "why" sh -c '"$1" why "$2" --machine "$3" --plan classes --job 3 --at 6 \
	--samples 1 | grep -q "It waits for .* of class b"' - "$fairsched" "$tmp/jobs.csv" \
	"$tmp/machine.csv"
check "whatif" "$fairsched" whatif "$tmp/jobs.csv" --at 6 --event "cancel 1"
check "usage" sh -c '"$1" usage "$2" 2>&1 | grep -q "bob, the 2nd"' - \
	"$fairsched" "$tmp/jobs.csv"
check "usage of stdin" sh -c '"$1" usage - <"$2" | grep -q ann' - \
	"$fairsched" "$tmp/jobs.csv"
: >"$tmp/maui.cfg"
check "priority" "$fairsched" priority "$tmp/jobs.csv" --config \
	"$tmp/maui.cfg" --at 6

# ---- sacct ----

# GPUs of a type are those of classes with that property; a job without
# ReqTRES asks for what it got; the partition is a name; no class has three
# GPUs for job 4.
cat >"$tmp/sacct.txt" <<'END'
JobIDRaw|User|Account|Partition|State|Submit|Start|End|TimelimitRaw|AllocCPUS|ReqTRES|AllocTRES
1|ann|physics|gpu|COMPLETED|100|110|210|5|2|billing=2,cpu=2,mem=4G,gres/gpu=1,gres/gpu:a100=1,license/matlab=3|cpu=2
2|bob|physics|batch|COMPLETED|100|110|210|5|2||cpu=2,mem=500M,node=1
3|bob|physics|gpu|COMPLETED|101|110|210|5|2|gres/gpu:a100=2|
4|bob|physics|gpu|COMPLETED|101|110|210|5|2|gres/gpu:v100=2,gres/gpu=3|
5|bob|physics|batch|COMPLETED|102|110|210|5|2|license/matlab=1|
END
same "TRES of sacct" "$(starts "$tmp/sacct.txt")" \
	"1 0 b;2 0 a;3 100 b;5 100 a;"
"$fairsched" import sacct "$tmp/sacct.txt" --format jobs >"$tmp/sacct.csv" \
	2>/dev/null
same "as a jobs CSV the same" "$(starts "$tmp/sacct.csv")" \
	"$(starts "$tmp/sacct.txt")"
same "its columns" "$(sed -n 3p "$tmp/sacct.csv")" \
	"job_id,submit,start,walltime,run,procs,memory,gres/gpu,gres/gpu:a100,license/matlab,gres/gpu:v100,nodes,classes,user,account,partition"

# ---- errors name file, line and field ----

wrong() # NAME SED TEXT
{
	wrong_name=$1
	sed "$2" "$tmp/jobs.csv" >"$tmp/wrong.csv"
	fails "$1" 2 "$fairsched" simulate "$tmp/wrong.csv" --machine \
		"$tmp/machine.csv" --plan classes
	check "$wrong_name is said" grep -qF "wrong.csv:$3" "$tmp/err"
}

wrong "an unknown class" 's/b:a/b:c/' "6: classes: no class of the machine is c"
wrong "a resource that the machine has not" 's/gpus/tpus/' \
	"2: column tpus: the machine has no such resource"
wrong "a resource of a type that it has not" 's/gpus/tpu:big/' \
	"2: column tpu:big: the machine has no such resource"
wrong "a column twice" 's/gpus/run/' "2: column run appears twice"
wrong "a column without a name" 's/gpus//' "2: column 6 has no name"
wrong "no processors" 's/procs/p/' "2: column procs is missing"
wrong "too few fields" '4s/,$//' "4: 10 fields instead of 11"
wrong "an amount" 's/2G/2Q/' "5: memory: '2Q' is not an amount"
wrong "no run time" 's/100,100,/100,,/' "4: run: '' is missing"
wrong "a duration" 's/50s/50x/' "5: walltime: '50x' is not a duration"
wrong "a date among seconds" '7s/4,0/4,2020-01-01/' \
	"7: submit: '2020-01-01' is a date, unlike those above"
wrong "a date before 1970" '7s/4,0/4,0656-11-13/' \
	"7: submit: '0656-11-13' is a date before 1970"
wrong "an open quote" 's/2nd"/2nd/' "5: a quote is not closed"
wrong "MaxProcs" '1s/8/x/' "1: MaxProcs: not a number"
wrong "a job number" 's/^3/x/' "6: job_id: 'x' is not a job number"
printf 'submit,run,procs%s\n' "$(seq -f ,r%g 65 | tr -d '\n')" \
	>"$tmp/wide.csv"
fails "too many resources" 2 "$fairsched" simulate "$tmp/wide.csv"
check "too many is said" grep -q "wide.csv:1: more than 64 resources" "$tmp/err"
printf 'submit,run,procs\n' >"$tmp/empty.csv"
fails "no jobs" 2 "$fairsched" simulate "$tmp/empty.csv" --procs 4
sed 's/gpu:a100=2/gpu:a100=x/' "$tmp/sacct.txt" >"$tmp/wrong.txt"
fails "TRES" 2 "$fairsched" simulate "$tmp/wrong.txt"
check "TRES is said" grep -q "wrong.txt:4: ReqTRES: " "$tmp/err"
sed 's/|batch|/|none|/' "$tmp/sacct.txt" >"$tmp/wrong.txt"
fails "an unknown partition" 2 "$fairsched" simulate "$tmp/wrong.txt" \
	--machine "$tmp/machine.csv" --plan classes
check "the partition is said" grep -q \
	"wrong.txt:3: partition: no class of the machine has partition none" \
	"$tmp/err"

# Chunks, and what nodes cannot hold: three distinct ones of a class that has two.
printf '%s\n' class,count,cpus,gpus cpu,2,4, gpu,1,4,2 >"$tmp/nodes.csv"
printf '%s\n' submit,run,procs,nodes,chunks,per_node,exclusive 0,60,4,2,,, \
	5,90,6,,3,1, 9,60,2,,,,1 >"$tmp/chunks.csv"
same "chunks" "$("$fairsched" simulate "$tmp/chunks.csv" --machine \
	"$tmp/nodes.csv" --plan nodes --jobs-out - | tail -n +2 |
	cut -d , -f 3,5,11)" "4,0,0-1 4-5
2,9,8-9"
sed '2s/2,,/2,2,/' "$tmp/chunks.csv" >"$tmp/wrong.csv"
fails "nodes and chunks" 2 "$fairsched" simulate "$tmp/wrong.csv"
check "nodes and chunks is said" grep -qF \
	"wrong.csv:2: chunks: '2' is given beside nodes: give one of them" \
	"$tmp/err"
finish
