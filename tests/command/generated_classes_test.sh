#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# A generated machine with GPUs and jobs for it: every promise is kept, and all
# invariants hold after each instant.
. tests/test.sh

jobs=2000
[ -z "${TEST_LIGHT:-}" ] || jobs=500
"$fairsched" generate --jobs $jobs --load 0.9 --overestimate 5 --machine-out \
	"$tmp/machine.csv" >"$tmp/jobs.csv" 2>"$tmp/log"
same "the machine" "$(cat "$tmp/machine.csv")" "class,count,cpus,memory,gpus
cpu,50,16,64G,0
big,20,16,512G,0
gpu,20,16,128G,4
fat,10,16,1T,8"
"$fairsched" generate --jobs $jobs --load 0.9 --overestimate 5 --machine-out \
	"$tmp/again.csv" 2>/dev/null | cmp -s - "$tmp/jobs.csv" &&
	ok "equal options give equal jobs" || not_ok "equal options give equal jobs"

# What each job may ask for, and that all of it does occur; a quarter of the jobs
# that fit in class gpu have GPUs, and the load is 0.9.
awk -F, 'NR > 2 {
	memory = $7 / $5; wide = $5 > 320; gpu[wide, $6 > 0]++; user[$9]++
	kind = $6 ? "gpu" : memory > 4 ? "big" : "cpu"; class[kind, $8]++
	less += wide && memory < 4; work += $4 * $5; last = $2
	list = kind == "cpu" ? "(cpu(:big)?)?" : "(big:fat)?"
	if ($6)
		list = $5 > 160 ? "gpu(:fat)?" : "(gpu|fat):(gpu|fat)"
	if ($6 < 0 || $6 > int(($5 + 3) / 4) || (wide && $6) ||
	    $7 != memory * $5 "G" || memory !~ /^(1|2|4|8|16)$/ ||
	    (memory == 8 && !$6) || (memory == 16 && ($6 || wide)) ||
	    $8 !~ "^" list "$" || $9 !~ /^([1-9]|1[0-9]|20)$/)
		print
}
END {
	for (u in user) users++; for (c in class) classes++
	print users, (classes > 6), (less > 0), (gpu[1, 0] > 0), \
		int(10 * gpu[0, 1] / (gpu[0, 0] + gpu[0, 1])), \
		int(1000 * work / 1600 / last + 0.5)
}' "$tmp/jobs.csv" >"$tmp/got"
same "what jobs ask for" "$(cat "$tmp/got")" "20 1 1 1 2 900"
for policy in conservative pc dc; do
	check "checked, $policy" "$fairsched" simulate "$tmp/jobs.csv" --machine \
		"$tmp/machine.csv" --plan classes --policy $policy --check \
		--json "$tmp/$policy.json"
	same "every job, no broken promise, $policy" \
		"$(sed -n 's/^ *"\(jobs\|dropped\|promises_broken\)": \([0-9]*\),/\2/p' \
			"$tmp/$policy.json" | tr '\n' ' ')" "$jobs 0 0 "
done
# ---- on nodes ----

"$fairsched" generate --jobs $jobs --load 0.9 --overestimate 5 --nodes \
	--machine-out "$tmp/nodes.csv" >"$tmp/nodes.jobs" 2>/dev/null
same_file "the same machine" "$tmp/nodes.csv" "$tmp/machine.csv"
same "the same jobs, but for their processors and GPUs" \
	"$(sed 1,2d "$tmp/nodes.jobs" | cut -d, -f1-4,8,9 | cksum)" \
	"$(sed 1,2d "$tmp/jobs.csv" | cut -d, -f1-4,8,9 | cksum)"
same "nodes, chunks and whole nodes" "$(awk -F, 'NR > 2 {
	n = $10 + $11; kind[($10 > 0) $12]++
	if (!$10 == !$11 || $5 % n || $6 % n || $5 / n > 16 || $6 / n > 4 ||
	    ($10 > 1 && $5 != 16 * $10) || ($12 && $10 < 2) || ($11 && $6))
		print
}
END { print (kind["00"] > 0), (kind["10"] > 0), (kind["11"] > 0) }' \
	"$tmp/nodes.jobs")" "1 1 1"
for policy in easy dc; do
	check "checked on nodes, $policy" "$fairsched" simulate \
		"$tmp/nodes.jobs" --machine "$tmp/nodes.csv" --plan nodes \
		--policy $policy --check --json "$tmp/$policy.json"
	same "every job, no broken promise on nodes, $policy" \
		"$(sed -n 's/^ *"\(jobs\|dropped\|promises_broken\)": \([0-9]*\),/\2/p' \
			"$tmp/$policy.json" | tr '\n' ' ')" \
		"$jobs 0 $([ $policy = easy ] || echo '0 ')"
done
fails "nodes without a machine" 2 "$fairsched" generate --nodes

fails "a machine for the other model" 2 "$fairsched" generate --model sfs \
	--machine-out "$tmp/x.csv"
fails "too few processors" 2 "$fairsched" generate --procs 319 --machine-out \
	"$tmp/x.csv"
fails "jobs and machine on stdout" 2 "$fairsched" generate --machine-out -
"$fairsched" generate --procs 320 --jobs 500 --machine-out "$tmp/small.csv" \
	>"$tmp/small.jobs" 2>/dev/null
check "the smallest one" "$fairsched" simulate "$tmp/small.jobs" --machine \
	"$tmp/small.csv" --plan classes --policy dc --check
finish
