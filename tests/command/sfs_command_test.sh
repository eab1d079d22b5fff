#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate --policy sfs: accounts, their field, depth; order linear.
. tests/test.sh

# The example of [SFS 5]: Alice (account 1, queue 7) has 10 jobs of 200 nodes,
# Bob (2, 8) 10 of 50. A to K are jobs 1 to 10, M to X jobs 11 to 20.
awk 'BEGIN {
	print "; MaxProcs: 1000"
	for (i = 1; i <= 20; i++) {
		b = i > 10
		print i, 0, -1, 36000 + i, b ? 50 : 200, -1, -1, b ? 50 : 200,
			43200, -1, 1, 1 + b, 4 - b, -1, 7 + b, -1, -1, -1
	}
}' >"$tmp/paper.swf"
printf 'account,target\n1,288\n2,58\n' >"$tmp/users.csv"
printf 'account,target\n7,288\n8,58\n' >"$tmp/queues.csv"
printf 'account,award,period,factor\n4,1261440,365,2\n3,254040,365,2\n' \
	>"$tmp/groups.csv"

first() # ARGUMENT...; who starts in the first time slice
{
	"$fairsched" simulate "$tmp/paper.swf" --jobs-out - "$@" |
		awk -F, '$5 == 0 { printf "%s ", $1 }'
}

paper="1 2 3 4 11 12 13 14 "
same "the worked example" "$(first --policy sfs --order widest --depth 2 \
	--accounts "$tmp/users.csv")" "$paper"
same "accounts by queue" "$(first --policy sfs --order widest --depth 2 \
	--accounts "$tmp/queues.csv" --account-field queue)" "$paper"
same "awards, accounts by group" "$(first --policy sfs --order widest \
	--depth 2 --accounts "$tmp/groups.csv" --account-field group)" "$paper"
same "without accounts: Alice" "$(first --policy fcfs --order widest)" \
	"1 2 3 4 5 "
same "linear, Alice first" "$(first --policy fcfs --order linear \
	--weight 1)" "1 2 3 4 5 "

# Waiting makes up for width, a minute for a processor.
cat >"$tmp/linear.swf" <<'END'
; MaxProcs: 4
1 0 -1 1000 4 -1 -1 4 1000 -1 1 1 1 -1 -1 -1 -1 -1
2 60 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1
3 240 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
END
starts() # ARGUMENT...
{
	"$fairsched" simulate "$tmp/linear.swf" "$@" --jobs-out - |
		awk -F, 'NR > 1 { printf "%s ", $5 }'
}
same "a minute a processor" "$(starts --policy fcfs --order linear \
	--weight 1m)" "0 1000 1010 "
same "61 seconds a processor" "$(starts --policy fcfs --order linear \
	--weight 61)" "0 1010 1000 "

bad() # NAME TEXT ARGUMENT...
{
	bad_name=$1
	bad_text=$2
	shift 2
	fails "$bad_name" 2 "$fairsched" simulate "$tmp/paper.swf" "$@"
	check "$bad_name: says so" grep -qF -- "$bad_text" "$tmp/err"
}

bad "no accounts" "policy sfs needs --accounts" --policy sfs
bad "accounts elsewhere" "--accounts needs policy sfs" --policy easy \
	--accounts "$tmp/users.csv"
bad "a field elsewhere" "--account-field needs policy sfs" \
	--account-field queue
bad "no such file" "none.csv: No such file" --policy sfs \
	--accounts "$tmp/none.csv"
printf 'account,target\n1,288\n' >"$tmp/one.csv"
bad "an account that is not in it" \
	"paper.swf:12: field 12 (user): 2 is not an account of $tmp/one.csv" \
	--policy sfs --accounts "$tmp/one.csv"
bad "by group" "paper.swf:2: field 13 (group): 4 is not an account of" \
	--policy sfs --accounts "$tmp/one.csv" --account-field group
bad "by queue" "paper.swf:2: field 15 (queue): 7 is not an account of" \
	--policy sfs --accounts "$tmp/one.csv" --account-field queue
printf 'account,target\n1,x\n' >"$tmp/bad.csv"
bad "a bad target" "bad.csv:2: target: " --policy sfs \
	--accounts "$tmp/bad.csv"
bad "depth elsewhere" "--depth needs policy depth or sfs" --depth 2
bad "linear without a weight" "--order linear needs --weight" --order linear
bad "a weight elsewhere" "--weight needs --order linear" --weight 1

check "compare takes the options too" "$fairsched" compare "$tmp/paper.swf" \
	--policies easy,sfs --accounts "$tmp/users.csv" --depth 2
fails "compare names the line too" 2 "$fairsched" compare "$tmp/paper.swf" \
	--policies easy,sfs --accounts "$tmp/one.csv"

# The workload of [SFS 9.2].
model() # ARGUMENT...
{
	"$fairsched" generate --model sfs "$@" 2>/dev/null
}
model --seed 3 --walltime 1d >"$tmp/model.swf"
same "jobs, users, widths" "$(awk '!/^;/ { print $2 / 86400, $12, $5 }' \
	"$tmp/model.swf" | sort | uniq -c | awk '{ printf "%s ", $0 }' |
	tr -s ' ')" "$(for day in 0 1 2 3 4 5 6; do
	printf ' 12 %s 1 250 6 %s 2 65' $day $day
done) 1 6 3 750 "
same "what its head says" "$(sed -n 3,5p "$tmp/model.swf")" \
	"; Note: fairsched generate --model sfs --seed 3 --walltime 86400
; MaxJobs: 127
; MaxRecords: 127"
same "what a record lacks" "$(sed 1,8d "$tmp/model.swf" |
	cut -d ' ' -f 3,6-7,10-11,13-18 | sort -u)" \
	"-1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1"
check "runs from 70 to 95 % of the walltime" awk '/^;/ { next }
	$4 < 60480 || $4 > 82080 || $9 != 86400 { exit 1 }' "$tmp/model.swf"
model --seed 3 --walltime 24h >"$tmp/again.swf"
same_file "the same again" "$tmp/again.swf" "$tmp/model.swf"
fails "another seed, another trace" 1 sh -c "'$fairsched' generate --model sfs \
	--seed 4 --walltime 1d 2>/dev/null | cmp - '$tmp/model.swf' >&2"
for option in --jobs=1 --procs=20 --load=1 --overestimate=2; do
	fails "sfs with $option" 2 "$fairsched" generate --model sfs $option
done
fails "lublin with a walltime" 2 "$fairsched" generate --walltime 1h

# Its claims, with one seed: see docs/SFS.md.
first_waits() # ARGUMENT...; whole days that Bob's first and Chris's job wait
{
	model --walltime 23h | "$fairsched" simulate - --jobs-out - "$@" | awk -F, '
	$12 == 2 && (bob == "" || $5 < bob) { bob = $5 }
	$12 == 3 { print int(bob / 86400), int($8 / 86400) }'
}
printf 'account,target\n1,1000\n2,130\n3,750\n' >"$tmp/model.csv"
same "linear, eligible time" "$(first_waits --policy fcfs --order linear \
	--weight 1)" "1 6"
same "linear, node count" "$(first_waits --policy fcfs --order linear \
	--weight 12m)" "3 0"
same "sfs, node count" "$(first_waits --policy sfs --order linear --weight \
	12m --accounts "$tmp/model.csv")" "0 0"

finish
