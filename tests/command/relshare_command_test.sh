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
# A window begins at each start: no user has used anything, first come first
# served.
is "a window of 100 s" "0 100 200 300 " --policy relshare --window 100
# At 200 user 2 is entitled to three times as much as user 1, for 400 used.
printf 'user,shares\n2,3\n' >"$tmp/shares"
is "shares" "0 300 100 200 " --policy relshare --shares "$tmp/shares"

# From 50 on a window of 100 s begins within each run: what ran last counts.
is "a window's origin" "0 200 100 300 " --policy relshare --window 100 \
	--window-origin 50 --no-expected
same "a window's origin, windows later" "$(starts --policy relshare \
	--window 100 --window-origin -1000050)" "$(starts --policy relshare \
	--window 100 --window-origin 50)"
{
	echo '; UnixStartTime: 1000000000'
	cat "$tmp/two.swf"
} >"$tmp/dated.swf"
dated() # ORIGIN
{
	"$fairsched" simulate "$tmp/dated.swf" --policy relshare --window 100 \
		--no-expected --window-origin "$1" --json - | grep digest
}
# 2001-09-09T01:46:40 is second 0.
same "a window's origin as a date" "$(dated 2001-09-09T01:47:30)" "$(dated 50)"
check "it is not that of 0" test "$(dated 50)" != "$(dated 0)"

# Each start is the begin of a window of 100 s, which forgets who used the
# machine before; a half-life does not.
is "a half-life" "0 200 100 300 " --policy relshare --half-life 100
"$fairsched" simulate "$tmp/two.swf" --policy relshare --half-life 100 \
	--save "$tmp/saved" --save-at 150 --jobs-out - >"$tmp/whole"
"$fairsched" simulate "$tmp/two.swf" --policy relshare --half-life 100 \
	--load "$tmp/saved" --jobs-out - >"$tmp/later"
same_file "a half-life, saved and loaded" "$tmp/later" "$tmp/whole"

# At 100 user 1 has used 80 of 90 in each second, and user 2 5 of 10: the larger
# quotient, but the smaller remaining share.
cat >"$tmp/unlike.swf" <<'END'
; MaxProcs: 100
1 0 -1 100 80 -1 -1 80 100 -1 1 1 1 -1 -1 -1 -1 -1
2 0 -1 100 5 -1 -1 5 100 -1 1 2 1 -1 -1 -1 -1 -1
3 0 -1 100 100 -1 -1 100 100 -1 1 1 1 -1 -1 -1 -1 -1
4 0 -1 1000 5 -1 -1 5 1000 -1 1 2 1 -1 -1 -1 -1 -1
END
unlike() # WANT ARGUMENT...
{
	unlike_want=$1
	shift
	same "order of shares: $*" "$("$fairsched" simulate "$tmp/unlike.swf" \
		--policy relshare "$@" --no-expected --jobs-out - |
		awk -F, 'NR > 1 { printf "%s ", $5 }')" "$unlike_want"
}
unlike "0 0 1100 100 "
unlike "0 0 1100 100 " --share ratio
unlike "0 0 100 200 " --share difference

# All jobs are of user 1; groups 8 and 7 take turns as the users above.
awk '/^[0-9]/ { $13 = 9 - $12; $12 = 1 } { print }' "$tmp/two.swf" \
	>"$tmp/groups.swf"
groups() # ARGUMENT...
{
	"$fairsched" simulate "$tmp/groups.swf" --policy relshare "$@" \
		--jobs-out - | awk -F, 'NR > 1 { printf "%s ", $5 }'
}
same "one user" "$(groups)" "0 100 200 300 "
same "groups" "$(groups --share-by group)" "0 200 100 300 "
printf 'user,shares\n7,3\n' >"$tmp/shares7"
same "shares of groups" "$(groups --share-by group --shares "$tmp/shares7")" \
	"0 300 100 200 "

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
bad "share elsewhere" "--share needs policy relshare" --share difference
bad "no window" "--window: '0' is not a duration" --policy relshare --window 0
bad "a window of words" "--window: 'day' is not a duration" --policy relshare \
	--window day
bad "an origin elsewhere" "--window-origin needs policy relshare" \
	--window-origin 6h
bad "a date without dates" "give --window-origin in seconds" \
	--policy relshare --window-origin 2003-05-01T06:00
bad "a window and a half-life" "exclude each other" --policy relshare \
	--window 1d --half-life 1d
bad "a half-life of ages" "at most 2^26 s" --policy relshare --half-life 1000w
bad "an order" "policy relshare takes only --order fcfs" --policy relshare \
	--order sjf
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
