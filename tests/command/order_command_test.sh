#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate --backfill and --order priority, against policy maui, which
# is known to be right: each gives the same schedules by another way.
. tests/test.sh

jobs=2000
[ -z "${TEST_LIGHT:-}" ] || jobs=500
# Of seven users.
trace=$tmp/t.swf
"$fairsched" generate --jobs $jobs --load 1 --procs 128 --seed 3 2>"$tmp/log" |
	awk '!/^;/ { $12 = $1 % 7 } { print }' >"$trace"

digest() # ARGUMENT...
{
	"$fairsched" simulate "$trace" "$@" | sed -n 's/^digest *//p'
}

maui() # CONFIGURATION, lines with ; between
{
	printf '%s\n' "$1" | tr ';' '\n' >"$tmp/maui.cfg"
	digest --policy maui --config "$tmp/maui.cfg"
}

# POLICY by the priority of the configuration
ordered() # CONFIGURATION ARGUMENT...
{
	printf '%s\n' "$1" | tr ';' '\n' >"$tmp/order.cfg"
	shift
	digest --order priority --config "$tmp/order.cfg" "$@"
}

differ() # NAME A B
{
	check "$1" test -n "$2" -a "$2" != "$3"
}

# ---- backfill ----

for how in bestfit greedy none; do
	same "$how is Maui's" "$(digest --backfill $how)" \
		"$(maui "BACKFILLPOLICY $how")"
	differ "$how is another" "$(digest --backfill $how)" "$(digest)"
done
for metric in seconds procseconds; do
	same "by $metric" "$(digest --backfill bestfit --metric $metric)" \
		"$(maui "BACKFILLPOLICY BESTFIT;BACKFILLMETRIC $metric")"
done
same "by processors" "$(digest --backfill bestfit --metric procs)" \
	"$(digest --backfill bestfit)"
same "longest window first" "$(digest --backfill greedy --longest)" \
	"$(maui "BACKFILLPOLICY GREEDY;BACKFILLWINDOWORDER LONGEST")"
same "of more reservations" \
	"$(digest --policy depth --depth 3 --backfill bestfit)" \
	"$(maui "BACKFILLPOLICY BESTFIT;RESERVATIONDEPTH 3")"
same "firstfit is what is done anyhow" "$(digest --backfill firstfit)" \
	"$(digest)"
same "none, of one reservation, is fcfs" "$(digest --backfill none)" \
	"$(digest --policy fcfs)"
differ "by another order" "$(digest --backfill bestfit --order lxf)" \
	"$(digest --backfill bestfit)"
same "told" "$("$fairsched" simulate "$trace" --backfill greedy --longest \
	--metric seconds | sed -n 's/^backfill *//p')" \
	"greedy by seconds, longest window first"
check "told in JSON" sh -c '"$1" simulate "$2" --backfill none --json - |
	grep -q "\"backfill\": \"none\""' sh "$fairsched" "$trace"

# ---- priority ----

weights='XFACTORWEIGHT 100;USERWEIGHT 10;USERCFG[DEFAULT] PRIORITY=5'
weights="$weights;PROCWEIGHT 2;RESWEIGHT 1;BYPASSWEIGHT 20"
held="$weights;USERCFG[DEFAULT] MAXJOB=1;RESERVATIONDEPTH 7"
held="$held;BACKFILLPOLICY NONE;RMPOLLINTERVAL 1:00"
for more in '' ";BACKFILLPOLICY BESTFIT;BACKFILLMETRIC SECONDS"; do
	same "easy by priority$more" "$(maui "$weights$more")" \
		"$(ordered "$weights" ${more:+--backfill bestfit --metric seconds})"
done
same "depth by priority" "$(maui "$weights;RESERVATIONDEPTH 5")" \
	"$(ordered "$weights" --policy depth --depth 5)"
same "fcfs by priority" \
	"$(maui "$weights;RESERVATIONDEPTH 0;BACKFILLPOLICY NONE")" \
	"$(ordered "$weights" --policy fcfs)"
# Simultaneous fair share: two priorities that are orders of its own, and one
# that is none.
printf 'account,target\n0,40\n1,128\n2,20\n3,9\n4,64\n5,0\n6,30\n' \
	>"$tmp/accounts.csv"
sfs="--policy sfs --accounts $tmp/accounts.csv"
for depth in 1 3; do
	# shellcheck disable=SC2086
	same "sfs by the default priority, depth $depth" \
		"$(ordered '' $sfs --depth $depth)" "$(digest $sfs --depth $depth)"
done
# shellcheck disable=SC2086
same "sfs by width alone" "$(ordered \
	'QUEUETIMEWEIGHT 0;RESWEIGHT 1;PROCWEIGHT 1' $sfs)" \
	"$(digest $sfs --order widest)"
# A processor is worth two minutes.
# shellcheck disable=SC2086
same "sfs by two terms" "$(ordered 'RESWEIGHT 1;PROCWEIGHT 2' $sfs)" \
	"$(digest $sfs --order linear --weight 2m)"
# shellcheck disable=SC2086
differ "sfs by a priority" "$(ordered "$weights" $sfs)" "$(digest $sfs)"
# shellcheck disable=SC2086
differ "is no easy" "$(ordered "$weights" $sfs)" "$(ordered "$weights")"
# shellcheck disable=SC2086
same "of all else nothing counts to sfs" "$(ordered "$held" $sfs)" \
	"$(ordered "$weights" $sfs)"
# First fit goes over windows here, and is EASY's walk by any other order.
first=$(ordered '')
differ "it is another order" "$(ordered "$weights")" "$first"
for how in bestfit greedy none; do
	same "the default priority is first come: $how" \
		"$(ordered '' --backfill $how)" "$(digest --backfill $how)"
done
same "of all else nothing counts" "$(ordered "$held")" \
	"$(ordered "$weights")"
differ "to maui it does" "$(maui "$held")" "$(maui "$weights")"

fair='FSPOLICY PSDEDICATED;FSWEIGHT 100;FSUSERWEIGHT 10'
differ "fairshare counts" "$(ordered "$fair;USERCFG[DEFAULT] FSTARGET=2")" \
	"$first"
same "a cap moves no job" "$(ordered "$fair;USERCFG[DEFAULT] FSTARGET=2^")" \
	"$first"
differ "to maui it does" "$(maui "$fair;USERCFG[DEFAULT] FSTARGET=2^")" \
	"$first"

printf 'USERCFG[DEFAULT] MAXPROC=100\n' >"$tmp/order.cfg"
check "what could never start is dropped" sh -c '"$1" simulate "$2" --order \
	priority --config "$3" | grep -q "^dropped .*rejected by --config"' \
	sh "$fairsched" "$trace" "$tmp/order.cfg"
check "compare takes both" "$fairsched" compare "$trace" --policies \
	easy,fcfs --order priority --config "$tmp/maui.cfg" --backfill greedy

# Jobs start earlier or later than they did, whichever is what is.
changes() # ARGUMENT...
{
	"$fairsched" whatif "$trace" "$@" --jobs-out - | wc -l
}
config="--config $tmp/order.cfg"
printf '%s\n' "$weights" | tr ';' '\n' >"$tmp/order.cfg"
# shellcheck disable=SC2086
{
	check "what if by priority" test \
		"$(changes --order priority $config)" -gt 20
	same "and the other way round" "$(changes --order priority $config)" \
		"$(changes --base-order priority --order fcfs $config)"
}
check "what if by usage" test \
	"$(changes --order usage --half-life 1d)" -gt 20

# ---- order tree ----

# In a flat tree of equal shares the least usage is first, as by --order usage.
{
	echo parent,name,kind,shares
	for user in 0 1 2 3 4 5 6; do
		echo "root,$user,user,1"
	done
} >"$tmp/flat.csv"
for policy in fcfs easy; do
	same "a flat tree is usage, $policy" \
		"$(digest --policy $policy --order tree --tree "$tmp/flat.csv")" \
		"$(digest --policy $policy --order usage)"
done
cat >"$tmp/tree.csv" <<'EOF'
parent,name,shares
root,science,3
root,arts,1
science,0,1
science,1,1
science,2,1
arts,3,1
arts,4,1
arts,5,1
arts,6,1
EOF
tree=$(digest --order tree --tree "$tmp/tree.csv")
differ "a tree is another order" "$tree" "$(digest --order usage)"
differ "a half-life of an hour" "$tree" \
	"$(digest --order tree --tree "$tmp/tree.csv" --half-life 1h)"
cat >"$tmp/assoc.txt" <<'EOF'
Account|User|Share|Par Name
root||1|
science||3|root
arts||1|root
science|0|1|
science|1|1|
science|2|1|
arts|3|1|
arts|4|1|
arts|5|1|
arts|6|1|
EOF
same "as sacctmgr exports it" "$tree" \
	"$(digest --order tree --tree "$tmp/assoc.txt")"
cat >"$tmp/small.swf" <<'EOF'
; MaxProcs: 8
1 0 -1 610 1 -1 -1 1 610 -1 1 3 -1 -1 1 -1 -1 -1
2 0 -1 390 1 -1 -1 1 390 -1 1 0 -1 -1 1 -1 -1 -1
7 1 -1 100 8 -1 -1 8 100 -1 1 4 -1 -1 1 -1 -1 -1
9 2 -1 100 8 -1 -1 8 100 -1 1 1 -1 -1 1 -1 -1 -1
EOF
why="Job 7 of user 4 is behind job 9 of user 1: account arts has used 61 % of \
root and has 25 % of its shares, account science has used 39 % of root and has \
75 % of its shares."
COLUMNS=250 "$fairsched" why "$tmp/small.swf" --at 10 --job 7 --order tree \
	--tree "$tmp/tree.csv" --json "$tmp/why.json" >"$tmp/why.txt"
check "why: at the first common account" grep -qxF "$why" "$tmp/why.txt"
check "why, as JSON" grep -qF "$why" "$tmp/why.json"
"$fairsched" priority "$tmp/small.swf" --at 10 --order tree \
	--tree "$tmp/tree.csv" --json "$tmp/priority.json" >"$tmp/priority.csv"
same "priority: ranks, and why" "$(cat "$tmp/priority.csv")" \
	"job_id,user,account,wait,rank,factor,behind,why
9,1,science,8,7,1.000000,,
7,4,arts,9,4,0.571429,9,\"$why\""
check "priority, as JSON" python3 - "$tmp/priority.csv" "$tmp/priority.json" \
	<<'END'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
got = json.load(open(sys.argv[2]))
assert len(rows) == len(got) == 2
for row, job in zip(rows, got):
    assert list(row) == list(job)
    for key in row:
        assert row[key] == job[key] or row[key] == "" and job[key] is None or \
            float(row[key]) == job[key], (key, row, job)
END
# Job 8 is behind the last job of another user, which has the same rank.
cat >"$tmp/tie.swf" <<'EOF'
; MaxProcs: 8
1 0 -1 100 8 -1 -1 8 100 -1 1 0 -1 -1 1 -1 -1 -1
5 1 -1 100 8 -1 -1 8 100 -1 1 3 -1 -1 1 -1 -1 -1
6 2 -1 100 8 -1 -1 8 100 -1 1 4 -1 -1 1 -1 -1 -1
8 3 -1 100 8 -1 -1 8 100 -1 1 4 -1 -1 1 -1 -1 -1
EOF
same "priority: ties" "$("$fairsched" priority "$tmp/tie.swf" --at 10 \
	--order tree --tree "$tmp/tree.csv" | tail -n 2)" \
	"6,4,arts,8,7,1.000000,5,\"Job 6 of user 4 is behind job 5 of user 3: \
they share a rank, and it was submitted first.\"
8,4,arts,7,7,1.000000,5,\"Job 8 of user 4 is behind job 5 of user 3: \
they share a rank, and it was submitted first.\""

# ---- maui by a tree ----

printf 'FSWEIGHT 1\nFSUSERWEIGHT 10\n' >"$tmp/tree.cfg"
same "maui: ranks over users, weighed" "$("$fairsched" priority \
	"$tmp/small.swf" --at 10 --tree "$tmp/tree.csv" \
	--config "$tmp/tree.cfg" | awk -F, 'NR == 1 {
		for (i = 1; i <= NF; i++)
			if ($i == "fs_user_part")
				at = i
	}
	NR > 1 { printf "%s:%s ", $1, $at }')" "9:1000.000000 7:571.428566 "
by_tree="--policy maui --tree $tmp/tree.csv --config $tmp/tree.cfg"
# shellcheck disable=SC2086
{
	differ "maui by a tree" "$(digest $by_tree)" \
		"$(digest --policy maui --config "$tmp/tree.cfg")"
	# User 3 may run one job at a time, also where it is a node.
	printf 'USERCFG[3] MAXJOB=1\n' >"$tmp/tree.cfg"
	same "maui: limits are of the same users" "$(digest $by_tree)" \
		"$(digest --policy maui --config "$tmp/tree.cfg")"
	differ "maui: it has limits" "$(digest $by_tree)" "$(digest)"
}
"$fairsched" whatif "$tmp/small.swf" --at 10 --base-order tree \
	--tree "$tmp/tree.csv" --event "cancel 9" >"$tmp/whatif.txt"
check "whatif: the job behind is earlier" grep -q "^7  .* -100 s$" \
	"$tmp/whatif.txt"
same "relshare, a flat tree" \
	"$(digest --policy relshare --tree "$tmp/flat.csv")" \
	"$(digest --policy relshare)"
differ "relshare, a tree" "$(digest --policy relshare --tree "$tmp/tree.csv")" \
	"$(digest --policy relshare)"
echo user,shares >"$tmp/shares.csv"
for user in 0 1 2 3 4 5 6; do
	echo $user,$((user < 3 ? 4 : 1))
done >>"$tmp/shares.csv"
same "relshare, the shares of a tree" \
	"$(digest --policy relshare --tree "$tmp/tree.csv")" \
	"$(digest --policy relshare --shares "$tmp/shares.csv")"
{
	echo account,target
	for user in 0 1 2 3 4 5 6; do
		echo $user,20
	done
} >"$tmp/targets.csv"
same "sfs, a flat tree is usage" "$(digest --policy sfs --accounts \
	"$tmp/targets.csv" --order tree --tree "$tmp/flat.csv")" \
	"$(digest --policy sfs --accounts "$tmp/targets.csv" --order usage)"
differ "sfs, a tree" "$(digest --policy sfs --accounts "$tmp/targets.csv" \
	--order tree --tree "$tmp/tree.csv")" \
	"$(digest --policy sfs --accounts "$tmp/targets.csv" --order usage)"
"$fairsched" compare "$trace" --policies fcfs,easy --order usage,tree \
	--tree "$tmp/flat.csv" >"$tmp/out" 2>&1
check "compare has both orders" grep -q "easy tree" "$tmp/out"

# ---- errors ----

# A row: x for each policy that takes the order; backfill is easy with bestfit.
row() # ORDER
{
	printf '%-9s' "$1"
	for policy in $policies; do
		options="--policy $policy"
		[ $policy != backfill ] || options='--backfill bestfit'
		mark=x
		# shellcheck disable=SC2086
		"$fairsched" simulate "$tmp/small.swf" $options --order "$1" \
			2>&1 | grep -q 'takes only' && mark=-
		printf " %${#policy}s" $mark
	done
	echo
}

policies="fcfs easy depth backfill conservative pc dc relshare sfs maui"
{
	echo "order     $policies"
	for order in fcfs sjf ljf widest narrowest lxf linear usage priority \
		tree dominant relshare; do
		row $order
	done
} >"$tmp/rows"
sed -n '/^order  *fcfs/,/^\.fi/{/^\.fi/!p}' docs/fairsched.1 >"$tmp/manual"
same_file "the manual says what goes with what" "$tmp/manual" "$tmp/rows"
same "maui by a tree, in two ways" \
	"$(digest --policy maui --config "$tmp/maui.cfg" --tree "$tmp/tree.csv")" \
	"$(digest --policy maui --config "$tmp/maui.cfg" --tree "$tmp/tree.csv" \
		--order tree)"

bad() # NAME TEXT ARGUMENT...
{
	bad_name=$1
	bad_text=$2
	shift 2
	fails "$bad_name" 2 "$fairsched" simulate "$trace" "$@"
	check "$bad_name: says so" grep -qF -- "$bad_text" "$tmp/err"
}

bad "backfill of conservative" "--backfill needs policy easy or depth" \
	--policy conservative --backfill bestfit
bad "a metric of nothing" "--metric needs --backfill" --metric seconds
# ---- promises under any order ----

"$fairsched" generate --jobs $jobs --load 1 --procs 128 --seed 3 \
	--overestimate 5 2>"$tmp/log" |
	awk '!/^;/ { $12 = $1 % 7 } { print }' >"$tmp/early.swf"

promised() # ARGUMENT...: the digest, if no promise was broken
{
	"$fairsched" simulate "$tmp/early.swf" "$@" | awk '$1 == "digest" { d = $2 }
		/^promises broken/ && $3 == 0 { kept = 1 } END { if (kept) print d }'
}

echo XFACTORWEIGHT 1000 >"$tmp/factor.cfg"
for policy in pc dc; do
	for order in lxf usage dominant relshare "relshare --share difference" \
		"priority --config $tmp/factor.cfg"; do
		# shellcheck disable=SC2086
		differ "$policy by $order keeps its promises" \
			"$(promised --policy $policy --order $order)" \
			"$(promised --policy $policy)"
	done
done
printf 'account,target\n' >"$tmp/targets.csv"
for user in 0 1 2 3 4 5 6; do echo "$user,16"; done >>"$tmp/targets.csv"
differ "dc with targets keeps its promises" \
	"$(promised --policy dc --accounts "$tmp/targets.csv")" \
	"$(promised --policy dc)"
bad "targets of pc" "--accounts needs policy sfs or dc" --policy pc \
	--accounts "$tmp/targets.csv"
bad "relative shares without a promise" "policy easy takes only --order fcfs" \
	--order relshare
bad "a window of nothing" "--longest needs --backfill" --backfill none \
	--longest
bad "usage" "--order usage takes only --backfill firstfit" --order usage \
	--backfill greedy
bad "a misspelling" "did you mean bestfit?" --backfill bestfi
bad "no configuration" "--order priority needs --config" --order priority
bad "no tree" "--order tree needs --tree" --order tree
bad "backfill by a tree" "--order tree takes only --backfill firstfit" \
	--order tree --tree "$tmp/tree.csv" --backfill greedy
bad "two files of shares" "--shares and --tree exclude each other" \
	--policy relshare --tree "$tmp/tree.csv" --shares "$tmp/tree.csv"
bad "groups in a tree" "leave out --share-by" --policy relshare \
	--tree "$tmp/tree.csv" --share-by group
sed 's/arts,5,1/arts,5,x/' "$tmp/tree.csv" >"$tmp/bad.csv"
bad "shares that are none" "$tmp/bad.csv:9: shares: 'x' is neither" \
	--order tree --tree "$tmp/bad.csv"
fails "whatif from another order" 2 "$fairsched" whatif "$tmp/small.swf" \
	--at 10 --order tree --tree "$tmp/tree.csv"
check "whatif from another order: says so" grep -q "from or to order tree" \
	"$tmp/err"
for more in "--order tree" "--half-life 3d" \
	"--order tree --tree $tmp/tree.csv --config $tmp/maui.cfg"; do
	# shellcheck disable=SC2086
	fails "priority $more" 2 "$fairsched" priority "$tmp/small.swf" \
		--at 10 $more
done
bad "a configuration of nothing" "--config needs policy maui or --order" \
	--config "$tmp/maui.cfg"
finish
