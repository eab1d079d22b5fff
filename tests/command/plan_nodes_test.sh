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
for event in "down all4" "up all1" "down all" "submit 5 5s nodes=2" \
	"submit 4 5s nodes=0" "capacity 1 all" "capacity -1" \
	"maintenance 4 5 9 all" "down all1 kill 3"; do
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

# ---- what does not go together ----

set -- "--place nodes" "--backfill bestfit --policy easy" \
	"--save $tmp/x --every 1d" "--procs 3"
for with; do
	# shellcheck disable=SC2086
	fails "--plan nodes and $with" 2 "$fairsched" simulate "$tmp/jobs.csv" \
		--machine "$tmp/three.csv" --plan nodes $with
done

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
else
	skip "one node is the pool" "no $kth, or light"
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
