#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate --policy relshare: its options, alone and in company.
. tests/test.sh

# Two users with two jobs each that take the whole machine; user 2 comes second.
cat >"$tmp/two.swf" <<'END'
; MaxProcs: 4
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
2 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
3 1 -1 100 4 -1 -1 4 100 -1 1 2 1 -1 -1 -1 -1 -1
4 1 -1 100 4 -1 -1 4 100 -1 1 2 1 -1 -1 -1 -1 -1
END

starts() # ARGUMENT...
{
	"$fairsched" simulate "$tmp/two.swf" "$@" --jobs-out - |
		awk -F, 'NR > 1 { printf "%s ", $5 }'
}

is() # NAME WANT ARGUMENT...
{
	is_name=$1
	is_want=$2
	shift 2
	check "$is_name" test "$(starts "$@")" = "$is_want"
}

# At 100 user 2 has used nothing; then E is 202 and 198, U 400 each.
is "easy" "0 100 200 300 " --policy easy
is "relshare" "0 200 100 300 " --policy relshare
# A window begins at each start: nobody has used anything, first come first
# served.
is "a window of 100 s" "0 100 200 300 " --policy relshare --window 100
# At 200 user 2 is entitled to three times as much as user 1, for 400 used.
printf 'user,shares\n2,3\n' >"$tmp/shares"
is "shares" "0 300 100 200 " --policy relshare --shares "$tmp/shares"

bad() # NAME TEXT ARGUMENT...
{
	bad_name=$1
	bad_text=$2
	shift 2
	fails "$bad_name" 2 "$fairsched" simulate "$tmp/two.swf" "$@"
	check "$bad_name: says so" grep -qF -- "$bad_text" "$tmp/err"
}

bad "window elsewhere" "--window needs policy relshare" --window 1d
bad "expected elsewhere" "--no-expected needs policy relshare" --no-expected
bad "shares elsewhere" "--shares needs policy relshare" \
	--shares "$tmp/shares"
bad "no window" "--window: '0' is not a duration" --policy relshare --window 0
bad "a window of words" "--window: 'day' is not a duration" --policy relshare \
	--window day
bad "an order" "relshare has its own order" --policy relshare --order sjf
bad "no such file" "none.csv: No such file" --policy relshare \
	--shares "$tmp/none.csv"
printf 'user,shares\n2,x\n' >"$tmp/shares"
bad "a bad share" "shares:2: " --policy relshare --shares "$tmp/shares"

check "compare takes the options too" sh -c \
	"'$fairsched' compare '$tmp/two.swf' --policies easy,relshare \
	--window 2h >/dev/null"
fails "compare without relshare" 2 "$fairsched" compare "$tmp/two.swf" \
	--policies easy,dc --window 2h

finish
