#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate --place nodes: a job starts where nodes have room for it.
. tests/test.sh

cat >"$tmp/nodes.csv" <<'END'
class,count,cpus,memory,gpus
a,2,4,4G,2
END
# Job 1 takes 3 processors of the first node, job 2 of the second. For job 3,
# whose GPU and 2 processors are one part, amounts are free at 1, but one
# processor on each node: it is placed when job 2 ends. Job 4 is two parts.
cat >"$tmp/jobs.csv" <<'END'
job_id,submit,walltime,run,procs,gpus,memory
1,0,100,100,3,1,1G
2,0,60,50,3,1,1G
3,1,10,10,2,1,1G
4,1,10,10,2,,1G
END

starts() # ARGUMENT...
{
	"$fairsched" simulate "$@" --check --jobs-out - |
		awk -F, 'NR > 1 { print $1, $5, $11 }' | tr '\n' ';'
}

same "amounts alone" "$(starts "$tmp/jobs.csv" --machine "$tmp/nodes.csv" \
	--plan classes --policy conservative)" "1 0 0-2;2 0 3-5;3 1 6-7;4 11 6-7;"
for plan in processors classes; do
	for policy in easy conservative pc dc; do
		same "on nodes, $plan, $policy" \
			"$(starts "$tmp/jobs.csv" --machine "$tmp/nodes.csv" \
				--plan $plan --policy $policy --place nodes)" \
			"1 0 0-2;2 0 4-6;3 50 4-5;4 1 3 7;"
	done
done
"$fairsched" simulate "$tmp/jobs.csv" --machine "$tmp/nodes.csv" --plan classes \
	--policy conservative --place nodes --json "$tmp/json" >"$tmp/out" ||
	not_ok "a summary: exit status $?"
late=", late by 49.000 s on average, p99 49 s, at most 49 s"
same "what the summary says" \
	"$(sed -n '/^promises/p; /^  refused/p; /^no nodes/p' "$tmp/out" |
		tr -s ' ' | tr '\n' ';')" \
	"promises kept 3;promises broken 1$late; refused 1$late;no nodes, though free 1 time, 1 job;"
check "and the JSON" grep -q '"unplaced": 1,' "$tmp/json"
check "with the causes" grep -q '"promises_broken_by": { "refused": 1 },' \
	"$tmp/json"

# compare: of each policy, and two traces that ask for different amounts.
sed 's/,3,1,1G/,2,1,1G/' "$tmp/jobs.csv" >"$tmp/less.csv"
"$fairsched" compare "$tmp/jobs.csv" "$tmp/less.csv" --policies easy,conservative \
	--machine "$tmp/nodes.csv" --plan classes --place nodes \
	--csv "$tmp/csv" --json "$tmp/json" --markdown "$tmp/md" \
	--report "$tmp/report" >"$tmp/out"
cat >"$tmp/told" <<'END'
no nodes, though free  times  jobs  broken by
                                      refused
easy                       1     1       none
conservative               1     1          1
END
sed -n '/^no nodes/,/^$/p' "$tmp/out" | head -n 4 >"$tmp/table"
same_file "compare on nodes" "$tmp/told" "$tmp/table"
check "as Markdown" grep -q '^| conservative | 1 | 1 | 1 |$' "$tmp/md"
same "as CSV" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ sub(/.*\//, "", $1); print $1, $2, $at["unplaced"], $at["unplaced_jobs"], \
		$at["broken_by_refused"], $at["broken_by_overrun"] }' "$tmp/csv" |
	tr '\n' ';')" \
	"jobs.csv easy 1 1  ;jobs.csv conservative 1 1 1 0;\
less.csv easy 0 0  ;less.csv conservative 0 0 0 0;"
for trace in jobs less; do
	same "each trace has its own amounts: $trace" \
		"$("$fairsched" compare "$tmp/$trace.csv" --machine \
			"$tmp/nodes.csv" --plan classes --place nodes \
			--policies easy,conservative --csv - | sed 1d)" \
		"$(grep "/$trace.csv" "$tmp/csv")"
done
# Index of the job, its first processor, how many: where not the lowest free.
check "the page draws the nodes' processors" \
	grep -q '"odd":\[1,4,3,2,4,2\]' "$tmp/report/trace-1.js"
printf '%s\n' class,count,cpus a,1,4 b,1,4 >"$tmp/ab.csv"
printf '%s\n' submit,run,procs,classes 0,9,2,b 0,9,2,a >"$tmp/b.csv"
"$fairsched" compare "$tmp/b.csv" --machine "$tmp/ab.csv" --plan classes \
	--policies easy --report "$tmp/report" >/dev/null
check "and those of its class" grep -q '"odd":\[0,4,2\]' \
	"$tmp/report/trace-1.js"
same "the JSON of each" "$(grep -c '"unplaced": ' "$tmp/json")" 4

# Job 2 leaves a processor of the second node free, job 1 two of the first.
cat >"$tmp/fit.csv" <<'END'
job_id,submit,walltime,run,procs,gpus
1,0,100,100,2,1
2,0,100,100,3,1
3,1,10,10,1,
END
for fit in "firstfit 2" "bestfit 7"; do
	same "${fit% *}" "$(starts "$tmp/fit.csv" --machine "$tmp/nodes.csv" \
		--place nodes --node-fit "${fit% *}")" \
		"1 0 0-1;2 0 4-6;3 1 ${fit#* };"
done
same "a job that no nodes can hold is dropped" \
	"$(printf 'submit,run,procs,gpus\n0,1,8,\n0,1,6,1\n' |
		"$fairsched" simulate - --machine "$tmp/nodes.csv" --place nodes |
		sed -n 's/^jobs *//p')" 1
# The first node has the memory of class a, and the class no room on its nodes.
cat >"$tmp/classes.csv" <<'END'
class,count,cpus,memory
a,4,2,1G
b,1,8,8G
END
same "nor does it stay in a class whose nodes cannot hold it" \
	"$(printf '%s\n' submit,run,walltime,procs,memory,classes 0,9,9,1,3G,a:b \
		0,9,9,2,2G,a:b |
		"$fairsched" simulate - --machine "$tmp/classes.csv" --plan classes \
			--place nodes --jobs-out - | awk -F, 'NR > 1 { print $NF }' |
		tr '\n' ' ')" "b a "

cerit=$shared/traces/CERIT-SC-wagap-2013Q1-21col.swf.gz
if [ -f "$cerit" ]; then
	cat >"$tmp/cerit.csv" <<'END'
class,count,cpus,ram,properties
zewura,20,80,529426432K,zewura:cl_zewura:nodecpus80:x86_64:brno:nfs4:debian:linux
zegox,48,12,94035968K,zegox:cl_zegox:nodecpus12:x86_64:brno:nfs4:debian:linux:infiniband
END
	"$fairsched" simulate "$cerit" --machine "$tmp/cerit.csv" --policy fcfs \
		--place nodes >"$tmp/out"
	same "68 nodes, one pool" "$(sed -n 's/^no nodes, though free *//p' \
		"$tmp/out")" "2176 times, 2176 jobs"
else
	skip "68 nodes, one pool" "no $cerit"
fi

fails "nodes without a machine" 2 "$fairsched" simulate "$tmp/jobs.csv" \
	--place nodes --procs 8
fails "and --procs" 2 "$fairsched" simulate "$tmp/jobs.csv" --place nodes \
	--machine "$tmp/nodes.csv" --procs 8
fails "a fit without nodes" 2 "$fairsched" simulate "$tmp/jobs.csv" \
	--machine "$tmp/nodes.csv" --plan classes --node-fit bestfit
fails "compare, too" 2 "$fairsched" compare "$tmp/jobs.csv" --place nodes \
	--machine "$tmp/nodes.csv" --procs 8
fails "compare and --fst" 2 "$fairsched" compare "$tmp/jobs.csv" --place nodes \
	--machine "$tmp/nodes.csv" --fst
fails "and --fst" 2 "$fairsched" simulate "$tmp/jobs.csv" --place nodes \
	--machine "$tmp/nodes.csv" --fst
printf 'class,count,cpus\na,1000001,1\n' >"$tmp/many.csv"
fails "too many nodes" 2 "$fairsched" simulate "$tmp/jobs.csv" --place nodes \
	--machine "$tmp/many.csv"
finish
