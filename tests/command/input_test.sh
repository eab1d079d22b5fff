#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# What the command reads: packed files, encodings, and files of any size, in memory
# that the jobs that it keeps bound.
. tests/test.sh
golden=tests/golden/apart.swf

jobs() # FILE
{
	"$fairsched" simulate "$1" --jobs-out -
}

# Ends with exit status 2 and this message, within 10 s and 200 MB.
bounded() # NAME TEXT COMMAND...
{
	bounded_name=$1
	bounded_text=$2
	shift 2
	fails "$bounded_name" 2 timeout 10 sh -c 'ulimit -v 200000 && exec "$@"' \
		sh "$@"
	check "$bounded_name: says so" grep -qF -- "$bounded_text" "$tmp/err"
}

want=$(jobs $golden)
for tool in gzip xz zstd; do
	command -v $tool >/dev/null || {
		skip "$tool" "it is not installed"
		continue
	}
	$tool -c <$golden >"$tmp/packed"
	same "$tool by its content" "$(jobs "$tmp/packed")" "$want"
	same "$tool on a pipe" "$(jobs - <"$tmp/packed")" "$want"
	$tool -c <$golden >>"$tmp/packed"
	same "$tool, two in one file" "$(jobs "$tmp/packed" | wc -l)" \
		"$(($(echo "$want" | wc -l) * 2 - 1))"
	head -c 100 "$tmp/packed" >"$tmp/cut"
	fails "$tool, cut off" 2 jobs "$tmp/cut"
	check "$tool: says so" grep -q "cut: truncated.* $tool data" "$tmp/err"
	{
		head -c 60 "$tmp/packed"
		echo "something else that is as long as can be"
	} >"$tmp/wrong"
	fails "$tool, damaged" 2 jobs "$tmp/wrong"
	# Seventy million newlines are nothing.
	head -c 70000000 /dev/zero | tr '\0' '\n' | $tool -c >"$tmp/newlines"
	bounded "$tool: newlines" "has no jobs" "$fairsched" simulate \
		"$tmp/newlines"
	bounded "$tool: newlines to import" "header line is missing" \
		"$fairsched" import sacct "$tmp/newlines"
	bounded "$tool: newlines for shares" "larger than 64 MiB" "$fairsched" \
		simulate $golden --policy relshare --shares "$tmp/newlines"
	mkdir -p "$tmp/bin"
	if [ $tool != gzip ]; then
		fails "without $tool" 2 env PATH="$tmp/bin" "$fairsched" \
			simulate "$tmp/packed"
		check "without $tool: says so" grep -q \
			"packed by $tool, which is not installed" "$tmp/err"
	fi
done

# ---- encodings ----

printf '\357\273\277' | cat - $golden >"$tmp/bom"
same "a byte order mark" "$(jobs "$tmp/bom")" "$want"
printf '\357\273\277user,shares\n1,2\n' >"$tmp/shares"
check "and in a small file" "$fairsched" simulate $golden --policy relshare \
	--shares "$tmp/shares"
for bytes in '\377\376;\0' '\376\377\0;'; do
	printf '%b' "$(echo "$bytes" | sed 's/\\\([0-7]\)/\\0\1/g')" >"$tmp/utf16"
	fails "UTF-16" 2 jobs "$tmp/utf16"
	check "UTF-16: says so" grep -q "utf16: the text is UTF-16" "$tmp/err"
done
printf 'x' >"$tmp/x"
fails "one byte" 2 jobs "$tmp/x"

# ---- size ----

if [ -r /dev/urandom ]; then
	bounded "noise" "/dev/urandom:" "$fairsched" simulate /dev/urandom
	bounded "noise to import" "/dev/urandom:" "$fairsched" import sacct \
		/dev/urandom
fi
bounded "a line without an end" "longer than 16 MiB" "$fairsched" simulate \
	/dev/zero
bounded "a header without an end" "header is longer than 1 MiB" sh -c \
	'yes "; and so on" | "$1" simulate -' sh "$fairsched"
bounded "a small file without an end" "larger than 64 MiB" "$fairsched" \
	simulate $golden --policy relshare --shares /dev/zero
{
	cat $golden
	yes '9 0 -1 5 0 -1 -1 0 5 -1 1 1 1 -1 -1 -1 -1 -1' | head -n 3000000
} >"$tmp/dropped"
check "jobs that are dropped take no memory" sh -c 'ulimit -v 100000 &&
	exec "$1" simulate "$2"' sh "$fairsched" "$tmp/dropped"
finish
