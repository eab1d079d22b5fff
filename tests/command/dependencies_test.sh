#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# simulate --dependencies: no job starts before the end of the one that it follows
# and the think time after that, under every policy; a saved simulation goes on.
. tests/test.sh

# Job 2 thinks for 5 s after job 1, which ends at 100; job 3 comes when that has
# passed; 4 follows 2 at once; 5 a job that is not there, 6 one that comes later;
# 7 follows 8, 9 follows none.
cat >"$tmp/chain.swf" <<'END'
; MaxProcs: 4
1 0 -1 100 2 -1 -1 2 100 -1 1 1 1 1 1 -1 -1 -1
2 10 -1 50 2 -1 -1 2 60 -1 1 1 1 1 1 -1 1 5
3 200 -1 10 2 -1 -1 2 10 -1 1 1 1 1 1 -1 1 5
4 20 -1 10 4 -1 -1 4 10 -1 1 2 1 1 1 -1 2 -1
5 30 -1 10 1 -1 -1 1 10 -1 1 2 1 1 1 -1 99 5
6 40 -1 10 1 -1 -1 1 10 -1 1 2 1 1 1 -1 7 5
7 41 -1 10 1 -1 -1 1 10 -1 1 2 1 1 1 -1 8 1000
8 41 -1 0 1 -1 -1 1 10 -1 1 2 1 1 1 -1 1 0
9 41 -1 10 1 -1 -1 1 10 -1 1 2 1 1 1 -1 -1 1000
END
starts() # ARGUMENT...
{
	"$fairsched" simulate "$tmp/chain.swf" --jobs-out - "$@" |
		awk -F, 'NR > 1 { printf "%s%s", s, $5; s = " " } END { print "" }'
}

printf 'account,target\n1,4\n2,4\n' >"$tmp/accounts.csv"
: >"$tmp/maui.cfg"
for policy in easy conservative pc dc relshare \
	"sfs --accounts $tmp/accounts.csv" "maui --config $tmp/maui.cfg"; do
	# shellcheck disable=SC2086
	same "$policy: by hand" "$(starts --policy $policy --dependencies)" \
		"0 105 200 155 30 40 41 100 50"
done
same "without: at once" "$(starts --policy conservative | cut -d' ' -f2)" 10
check "how many waited is said" sh -c "'$fairsched' simulate \
	'$tmp/chain.swf' --dependencies | grep -q '^waited for another      3'"

# Any chains: job i may follow one of the ten before it.
"$fairsched" generate --model lublin --jobs 600 --procs 64 --seed 3 \
	>"$tmp/plain.swf"
awk '/^;/ { print; next }
	{ i++; x = (x * 16807 + 17) % 2147483647
	  if (x % 3 == 0 && i > 10) { $17 = id[i - 1 - x % 10]; $18 = x % 5000 - 99 }
	  id[i] = $1; print }' "$tmp/plain.swf" >"$tmp/any.swf"
for policy in fcfs easy conservative dc; do
	"$fairsched" simulate "$tmp/any.swf" --policy $policy --dependencies \
		--jobs-out "$tmp/jobs" >"$tmp/summary"
	grep -v '^;' "$tmp/any.swf" | tr -s ' ' ',' >"$tmp/any.csv"
	same "$policy: no job starts too early" "$(awk -F, '
		FILENAME ~ /jobs/ { end[$1] = $7; start[$1] = $5; next }
		$17 > 0 { think = $18 > 0 ? $18 : 0; n++
			if (start[$1] < end[$17] + think) bad++ }
		END { print bad + 0, (n > 100) }' "$tmp/jobs" "$tmp/any.csv")" \
		"0 1"
	set -- "$tmp/any.swf" --policy $policy --dependencies
	"$fairsched" simulate "$@" --save "$tmp/state" --save-at 20h >"$tmp/whole"
	"$fairsched" simulate "$@" --load "$tmp/state" >"$tmp/rest"
	same_file "$policy: saved" "$tmp/rest" "$tmp/whole"
done
fails "not without" 2 "$fairsched" simulate "$tmp/any.swf" --policy dc \
	--load "$tmp/state"
check "which is said" grep -q -e '--dependencies' "$tmp/err"
fails "no fair start times" 2 "$fairsched" simulate "$tmp/any.swf" --fst \
	--dependencies

finish
