#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate --plan nodes: jobs start where nodes have room, promises hold,
# and what does not go together is refused by name.
. tests/test.sh

kth=$shared/traces/KTH-SP2-1996-2.swf.gz

starts() # ARGUMENT...: the starts and processors of all jobs
{
	"$fairsched" simulate "$@" --jobs-out - |
		awk -F, 'NR > 1 { printf "%s:%s ", $5, $11 }'
}

has() # NAME TEXT COMMAND...: the command writes the text
{
	name=$1 text=$2
	shift 2
	case $("$@" 2>&1) in
	*"$text"*) ok "$name" ;;
	*)
		"$@"
		not_ok "$name"
		;;
	esac
}

# ---- an example of three nodes ----

printf 'class,count,cpus\nall,3,4\n' >"$tmp/three.csv"
cat >"$tmp/jobs.csv" <<'END'
job_id,submit,run,walltime,procs,chunks
1,0,20,100,9,3
2,0,50,50,2,1
3,0,10,10,3,3
END
same "a chunk waits for a node, not for a sum" \
	"$(starts "$tmp/jobs.csv" --machine "$tmp/three.csv" --plan nodes \
		--policy conservative)" \
	"0:0-2 4-6 8-10 20:0-1 0:3 7 11 "
same "the sum would do" \
	"$(starts "$tmp/jobs.csv" --machine "$tmp/three.csv" --plan classes \
		--policy conservative | cut -d' ' -f2 | cut -d: -f1)" 0

cat >"$tmp/whole.csv" <<'END'
job_id,submit,run,walltime,procs,nodes,exclusive
1,0,20,20,2,2,1
2,0,20,20,1,1,0
3,0,20,20,3,3,0
END
same "a whole node is not shared, distinct nodes are distinct" \
	"$(starts "$tmp/whole.csv" --machine "$tmp/three.csv" --plan nodes \
		--policy easy)" "0:0 4 0:8 20:0 4 8 "

# ---- maintenance ----

cat >"$tmp/full.csv" <<'END'
submit,run,procs,nodes
0,50,4,1
0,50,4,1
0,50,4,1
END
withheld() # LINE: starts beside a window of nodes
{
	printf 'begin,end,class,nodes\n%s\n' "$1" >"$tmp/window.csv"
	starts "$tmp/full.csv" --machine "$tmp/three.csv" --plan nodes \
		--policy conservative --maintenance "$tmp/window.csv" 2>&1
}
same "a window of a node by name" \
	"$(withheld 10,30,,all2)" "0:0-3 0:8-11 30:4-7 "
same "a window of two nodes by name" \
	"$(withheld '10,30,,all3 all1')" "0:4-7 30:0-3 30:8-11 "
same "a window of one node of a class" \
	"$(withheld 10,30,all,1)" "0:4-7 0:8-11 30:0-3 "
same "a window of all nodes of a class" \
	"$(withheld 10,30,,)" "30:0-3 30:4-7 30:8-11 "
for wrong in "10,30,,all4;nodes: the machine has no node 'all4'" \
	"10,30,all,all2;class: nodes with names have classes of their own" \
	"10,30,,4;nodes: more than the class has, which are 3" \
	"10,30,,0;nodes: 0 is no number of nodes"; do
	case $(withheld "${wrong%%;*}") in
	*"window.csv:2: ${wrong#*;}"*) ok "${wrong#*;}" ;;
	*) not_ok "${wrong#*;}" ;;
	esac
done

head -n 3 "$tmp/jobs.csv" >"$tmp/two.csv"
why="It needs a node with 2 free processors: none has that before job 1 ends at"
"$fairsched" why "$tmp/two.csv" --machine "$tmp/three.csv" --plan nodes \
	--policy conservative --at 0 --job 2 --json "$tmp/why.json" >"$tmp/why"
check "why says it in nodes" grep -q "\"$why 100.\"" "$tmp/why.json"
same "and how many chunks had room" \
	"$(sed -n 's/^ *"\(chunk\|room\)/\1/p' "$tmp/why.json" | tr -d '\n')" \
	'chunks": 1,chunks_with_room": 0,room_at": 100,'

# ---- names of nodes ----

printf 'class,count,cpus\na,3,4\nb2,2,2\n' >"$tmp/names.csv"
cat >"$tmp/names" <<'END'
job_id,submit,run,procs,nodes,chunks,classes
1,0,20,4,2,,a
2,0,20,4,,1,a
3,0,20,2,2,,b2
4,20,20,12,3,,a
5,20,20,2,,1,b2
END
"$fairsched" simulate "$tmp/names" --machine "$tmp/names.csv" --plan nodes \
	--jobs-out "$tmp/out.csv" --gantt 0 40 >"$tmp/gantt" ||
	not_ok "names of nodes: exit status $?"
same "--jobs-out names nodes" "$(sed 's/.*,\(a\|b2\),//' "$tmp/out.csv" |
	tr '\n' ' ' | sed 's/.*,class,//')" \
	'node_list "a[1-2]" "a3" "b2-[1-2]" "a[1-3]" "b2-1" '
check "and is a trace" "$fairsched" simulate "$tmp/out.csv" --procs 16
same "--gantt draws nodes" \
	"$(sed -n '/ a[1-3] |/p; / b2-[12] |/p' "$tmp/gantt" | cut -c1-14 |
		tr -s ' ' | tr '\n' ';')" \
	" a3 |22; a2 |11; a1 |11; b2-2 |33; b2-1 |33;"
for event in "submit 4 5s" "submit 6 5s nodes=3 exclusive=1" "cancel 2" \
	"down all2 requeue" "down all2"; do
	check "whatif $event" "$fairsched" whatif "$tmp/jobs.csv" \
		--machine "$tmp/three.csv" --plan nodes \
		--policy conservative --at 0 --event "$event"
done
has "a node goes down with its jobs" "Job 1, which runs on 9 processors" \
	"$fairsched" whatif "$tmp/jobs.csv" --machine "$tmp/three.csv" \
	--plan nodes --at 0 --event "down all2"
# Job 1 may run until 100: then nothing is free before the window ends.
"$fairsched" whatif "$tmp/jobs.csv" --machine "$tmp/three.csv" --plan nodes \
	--policy conservative --base conservative --at 5 \
	--event "maintenance 3 90 110 all" --jobs-out "$tmp/moved.csv" \
	>/dev/null || not_ok "a window of nodes"
same "a window of whole nodes moves a promise" \
	"$(sed -n '2s/.*,//p' "$tmp/moved.csv")" 110
for event in "down all4" "up all1" "down all" "submit 5 5s nodes=2" \
	"submit 4 5s nodes=0" "capacity 1 all" "capacity -1" \
	"maintenance 4 5 9 all" "maintenance 0 5 9 all" \
	"maintenance 1 5 9 no" "maintenance 1 5 9" "down all1 kill 3"; do
	fails "whatif $event" 2 "$fairsched" whatif "$tmp/jobs.csv" \
		--machine "$tmp/three.csv" --plan nodes \
		--policy conservative --at 0 --event "$event"
done

# ---- what no nodes can hold, and what does not divide ----

printf 'submit,run,walltime,procs,chunks\n0,9,9,5,1\n0,9,9,4,1\n' >"$tmp/wide.csv"
same "a job that no node holds is counted" \
	"$("$fairsched" simulate "$tmp/wide.csv" --machine "$tmp/three.csv" \
		--plan nodes | sed -n 's/^dropped *//p')" "1 (no node fits 1)"
printf 'submit,run,walltime,procs,nodes\n0,9,9,5,2\n' >"$tmp/odd.csv"
fails "processors divide among nodes" 2 "$fairsched" simulate "$tmp/odd.csv" \
	--machine "$tmp/three.csv" --plan nodes

# ---- node requests ----

# Number, processors and request of each job; all run at once if they can.
cat >"$tmp/requests" <<'END'
1 4 2:ppn=2:big
2 1 1:ppn=1:host=a2
3 1 1:ppn=1:a3.example.org
4 1 1:ppn=1:^a1:^a2.example.org:^b
5 2 1:ncpus=2:^big
6 2 2
7 4 1:ppn=2+1:ppn=2
8 1 1:ppn=1#excl
9 3 1:ppn=1+1:ppn=2
10 9 1:ppn=9
11 1 1:ppn=1:host=a7
12 1 1:ppn=1:gold
13 1 1:ppn=1:scratch=10gb:^gold
END
while read -r id procs request; do
	echo "$id $id 0 9 $procs -1 -1 $procs 9 -1 1 1 1 1 1 1 -1 -1 {} q $request"
done <"$tmp/requests" >"$tmp/requests.swf"
printf 'class,count,cpus,properties\na,3,8,big\nb,1,2,\n' >"$tmp/props.csv"
nodes() # MACHINE [ID...]: the nodes of the jobs, by their requests
{
	machine=$1
	shift
	"$fairsched" simulate "$tmp/requests.swf" --machine "$machine" \
		--plan nodes --policy conservative --node-fit firstfit \
		--check --jobs-out - 2>/dev/null |
		awk -F, -v ids=" $* " 'NR > 1 && index(ids, " " $1 " ") {
			sub(/.*,(a|b),/, ""); printf "%s ", $0 }' | tr -d '"'
}
same "counts, properties, hosts, hosts to avoid" \
	"$(nodes "$tmp/props.csv" 1 2 3 4 5 6 7 8 13)" \
	"a1 a2 a3 a3 b1 a1 a[1-2] a3 a1 "
"$fairsched" simulate "$tmp/requests.swf" --machine "$tmp/props.csv" \
	--plan nodes >"$tmp/out" 2>/dev/null || not_ok "node requests: $?"
same "what no nodes can hold has its line" \
	"$(sed -n 's/^no node fits *//p; s/^dropped *//p; s/^words not known *//p' \
		"$tmp/out" | tr '\n' ';')" \
	"4 (no node fits 4);1: no room for its chunks (first: line 10);\
1: chunks of several kinds (first: line 9);\
2: a property or host that no node has (first: line 11);\
a7 1, gold 1, scratch 1;"
sed 's/,properties/,memory/; s/,big/,/' "$tmp/props.csv" >"$tmp/plain.csv"
"$fairsched" simulate "$tmp/requests.swf" --machine "$tmp/plain.csv" \
	--plan nodes >"$tmp/out" 2>/dev/null || not_ok "no properties: $?"
same "without properties none is needed" \
	"$(sed -n 's/^dropped *//p; s/^words not known *//p' "$tmp/out" |
		tr '\n' ';')" \
	"3 (no node fits 3);big 2, gold 2, b 1, a7 1, scratch 1;"

# ---- sacct ----

# NNodes comes before ReqNodes, and that before node= of the list. Job 3 has 3
# processors on two nodes: two on each.
cat >"$tmp/sacct.txt" <<'END'
JobIDRaw|User|State|Submit|Start|End|TimelimitRaw|AllocCPUS|ReqTRES|AllocTRES|NNodes|ReqNodes
1|ann|COMPLETED|100|110|120|5|4|cpu=4,node=1|cpu=4,node=2|2|1
2|ann|COMPLETED|101|110|120|5|2|cpu=2,node=2|cpu=2,node=2||1
3|ann|COMPLETED|102|110|120|5|3|cpu=3,node=2|||
4|ann|COMPLETED|103|110|120|5|4|||None|Unknown
5|ann|COMPLETED|104|110|120|5|4|||4|
END
printf 'class,count,cpus\na,3,8\n' >"$tmp/eight.csv"
"$fairsched" simulate "$tmp/sacct.txt" --machine "$tmp/eight.csv" --plan nodes \
	--node-fit firstfit --jobs-out "$tmp/out.csv" >"$tmp/out" 2>/dev/null ||
	not_ok "sacct: exit status $?"
same "distinct nodes of sacct" \
	"$(sed 1d "$tmp/out.csv" | cut -d, -f1,3,18- | tr -d '"' |
		tr '\n' ' ')" "1,4,a[1-2] 2,2,a1 3,4,a[1-2] 4,4,a[1-2] "
same "what is changed of it" \
	"$(sed -n 's/^dropped *//p; s/^processors changed *//p' "$tmp/out" |
		tr '\n' ';')" \
	"1 (no node fits 1);1: those of the nodes that they ask for;"
"$fairsched" import sacct "$tmp/sacct.txt" --format jobs 2>/dev/null |
	sed '/^#/d' | cut -d, -f6,7 | tr '\n' ' ' >"$tmp/columns"
same "imported where they divide" "$(cat "$tmp/columns")" \
	"procs,nodes 4,2 2,1 3, 4, 4,4 "
sed '/^1/s/|2|1$/|x|1/' "$tmp/sacct.txt" >"$tmp/wrong.txt"
has "NNodes is said" "wrong.txt:2: NNodes: 'x' is not a number of nodes" \
	"$fairsched" simulate "$tmp/wrong.txt" --procs 9

# ---- what does not go together ----

set -- "--place nodes" "--backfill bestfit --policy easy" \
	"--save $tmp/x --every 1d" "--procs 3"
for with; do
	# shellcheck disable=SC2086
	fails "--plan nodes and $with" 2 "$fairsched" simulate "$tmp/jobs.csv" \
		--machine "$tmp/three.csv" --plan nodes $with
done

# ---- policy maui ----

maui() # TEXT: the starts and nodes of the jobs of the example
{
	printf '%s\n' 'USERCFG[2] PRIORITY=1000' 'USERWEIGHT 1' "$1" \
		>"$tmp/maui.cfg"
	starts "$tmp/users.csv" --machine "$tmp/three.csv" --plan nodes \
		--policy maui --config "$tmp/maui.cfg" --check
}
awk -F, 'NR == 1 { print $0 ",user" } NR > 1 { print $0 "," $1 }' \
	"$tmp/jobs.csv" >"$tmp/users.csv"
same "maui starts the job of priority, and fills by nodes" \
	"$(maui 'BACKFILLPOLICY FIRSTFIT')" "50:0-2 4-6 8-10 0:0-1 0:2-3 4 "
same "... or fills nothing" \
	"$(maui 'BACKFILLPOLICY NONE')" "50:0-2 4-6 8-10 0:0-1 50:3 7 11 "
same "... and holds back what is above a limit" \
	"$(maui 'USERCFG[DEFAULT] MAXPROC=9')" \
	"50:0-2 4-6 8-10 0:0-1 0:2-3 4 "
maui 'BACKFILLPOLICY BESTFIT' >"$tmp/out" 2>&1
has "nodes have no windows" "maui.cfg: BACKFILLPOLICY: with --plan nodes" \
	cat "$tmp/out"

# ---- one node is the pool; a real cluster ----

printf 'class,count,cpus\nall,1,100\n' >"$tmp/one.csv"
if [ -f "$kth" ] && [ -z "${TEST_LIGHT:-}" ]; then
	for policy in easy conservative pc dc; do
		"$fairsched" simulate "$kth" --procs 100 --policy $policy \
			--jobs-out "$tmp/pool.out" >/dev/null
		"$fairsched" simulate "$kth" --machine "$tmp/one.csv" \
			--plan nodes --policy $policy --jobs-out "$tmp/one.out" \
			>/dev/null
		same "one node is the pool: $policy" \
			"$(cut -d, -f1,5 "$tmp/one.out" | cksum)" \
			"$(cut -d, -f1,5 "$tmp/pool.out" | cksum)"
	done
	: >"$tmp/empty.cfg"
	same "maui without a configuration is easy" \
		"$("$fairsched" simulate "$kth" --machine "$tmp/one.csv" \
			--plan nodes --policy maui --config "$tmp/empty.cfg" |
			grep digest)" \
		"$("$fairsched" simulate "$kth" --machine "$tmp/one.csv" \
			--plan nodes --policy easy | grep digest)"
	printf 'RESERVATIONDEPTH 3\nBACKFILLPOLICY NONE\nUSERWEIGHT 1\n%s\n' \
		'USERCFG[DEFAULT] MAXPROC=64 MAXJOB=3' >"$tmp/none.cfg"
	for machine in "--procs 100" "--machine $tmp/one.csv --plan nodes"; do
		# shellcheck disable=SC2086
		"$fairsched" simulate "$kth" $machine --policy maui --config \
			"$tmp/none.cfg" --jobs-out - | cut -d, -f1,5 | cksum
	done | uniq >"$tmp/out"
	same "one node is the pool: maui with limits" \
		"$(wc -l <"$tmp/out")" 1
else
	skip "one node is the pool" "no $kth, or light"
fi
cerit=$shared/traces/CERIT-SC-wagap-2013Q1-21col.swf.gz
if [ -f "$cerit" ]; then
	cat >"$tmp/cerit-machine.csv" <<'END'
class,count,cpus,ram,properties
zewura,20,80,529426432K,cl_zewura:nodecpus80:x86_64:brno:nfs4:debian:linux
zegox,48,12,94035968K,cl_zegox:nodecpus12:x86_64:brno:nfs4:debian:linux:infiniband
END
	same "the log of a cluster as it is" \
		"$("$fairsched" simulate "$cerit" --plan nodes --machine \
			"$tmp/cerit-machine.csv" 2>/dev/null |
			sed -n '/^jobs\|^dropped\|^no node\|^words/p' |
			tr -s ' ' | tr '\n' ';')" \
		"jobs 17885;dropped 15 (no run time 2, no node fits 13);\
no node fits 1: no room for its chunks (first: line 8688);\
no node fits 12: chunks of several kinds (first: line 17617);"
else
	skip "the log of a cluster as it is" "no $cerit"
fi
cerit=$shared/traces/CERIT-nodes.csv.gz
if [ -f "$cerit" ]; then
	gzip -dc "$cerit" | head -n 400 >"$tmp/cerit.csv"
	for policy in dc easy; do
		"$fairsched" simulate "$tmp/cerit.csv" --plan nodes \
			--machine "$shared/traces/CERIT-nodes-machine.csv" \
			--policy $policy --end-late 60s --failures 20d:4h \
			--check >"$tmp/c.txt" 2>"$tmp/c.err"
		same "nodes fail, and jobs end late: $policy" "$?" 0
	done
else
	skip "nodes fail, and jobs end late" "no $cerit"
fi

finish
