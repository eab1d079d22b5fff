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

for policy in conservative pc dc; do
	check "checked, $policy" "$fairsched" simulate "$tmp/jobs.csv" --machine \
		"$tmp/machine.csv" --plan classes --policy $policy --check \
		--json "$tmp/$policy.json"
	same "every job, no broken promise, $policy" \
		"$(sed -n 's/^ *"\(jobs\|dropped\|promises_broken\)": \([0-9]*\),/\2/p' \
			"$tmp/$policy.json" | tr '\n' ' ')" "$jobs 0 0 "
done
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
