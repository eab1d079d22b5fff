#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Fair start times by the command: those of the golden instances; shards, parts,
# what is merged and what was interrupted come to the same bytes.
. tests/test.sh
golden=tests/golden

simulate()
{
	"$fairsched" simulate "$@"
}

quiet() # ARGUMENT...; results go to files
{
	simulate "$@" >/dev/null
}

merge()
{
	"$fairsched" merge "$@"
}

says() # NAME TEXT
{
	check "$1" grep -qF -- "$2" "$tmp/err"
}

key() # KEY; of $tmp/json
{
	sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" "$tmp/json"
}

# ---- the numbers ----

for swf in "$golden"/*.swf; do
	name=${swf#"$golden"/}
	name=${name%.swf}
	grep -q '^easy,[0-9]*,[0-9]*,[0-9]*,[0-9]' "$golden/$name.expected" || continue
	for policy in easy conservative pc dc; do
		simulate "$swf" --policy "$policy" --fst --jobs-out - |
			awk -F, -v p="$policy" 'NR > 1 {
				print p "," $1 "," $14 "," $15 }' |
			sort >"$tmp/got"
		grep "^$policy," "$golden/$name.expected" |
			cut -d, -f1,2,5,6 | sort >"$tmp/want"
		same_file "golden $name, $policy" "$tmp/got" "$tmp/want"
	done
done

# dc: job 4 starts 95 s too late by the strict measure, 5 jobs.
quiet $golden/cf_figure5.swf --policy dc --fst --json "$tmp/json"
same "strict, by hand" "$(key strict_unfairness)" 19.000000
same "relaxed, by hand" "$(key relaxed_unfairness)" 19.000000
same "no sample, no error" "$(key strict_unfairness_error)" ""
quiet $golden/cf_figure5.swf --policy dc --json "$tmp/json"
same "not asked for" "$(grep -c unfairness "$tmp/json")" 0

# Two jobs of 4 of 4 processors, 100 s each, at 0: the fair share of the second is
# half of the first 100 s and all of the next, 600, and it gets 400; of the first 200.
cat >"$tmp/two.swf" <<'END'
; MaxProcs: 4
1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
2 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
END
quiet "$tmp/two.swf" --fst --json "$tmp/json"
same "unweighted, by hand" "$(key unweighted_unfairness)" 100.000000
same "weighted, by hand" "$(key weighted_unfairness)" 100.000000

# ---- parts ----

jobs=3000
[ -z "${TEST_LIGHT:-}" ] || jobs=1000
"$fairsched" generate --jobs $jobs --load 1 --overestimate 5 --procs 64 \
	>"$tmp/t.swf" 2>/dev/null
for policy in easy pc; do
	all=$tmp/$policy
	fst="$tmp/t.swf --policy $policy --fst"
	# shellcheck disable=SC2086
	quiet $fst --json "$tmp/want" --jobs-out "$tmp/jobs" --threads 1
	# shellcheck disable=SC2086
	quiet $fst --part "$all" --json "$tmp/json" --threads 3
	same_file "$policy: with --part" "$tmp/json" "$tmp/want"
	for i in 1 2 3 4 5; do
		# shellcheck disable=SC2086
		simulate $fst --shard $i/5 --part "$all.$i" >"$tmp/shard"
		check "$policy: shard $i is not all" \
			grep -q "^fair start times  *[1-9][0-9]* of $jobs$" \
			"$tmp/shard"
		check "$policy: shard $i tells nothing" sh -c \
			'! grep -q "^strict" "$1"' sh "$tmp/shard"
	done
	merge "$all.3" "$all.1" "$all.2" "$all.5" "$all.4" >"$tmp/merged"
	same_file "$policy: merged" "$tmp/merged" "$all"
	# shellcheck disable=SC2086
	quiet $fst --part "$tmp/merged" --jobs-out "$tmp/got"
	same_file "$policy: summed up" "$tmp/got" "$tmp/jobs"
	same_file "$policy: and kept" "$tmp/merged" "$all"
	# What a kill left: a line is torn, others are missing and in disorder.
	{
		head -n 2 "$all"
		tail -n +$((jobs * 2 / 3)) "$all"
		sed -n 500p "$all" | tr -d '\n' | head -c 4
	} >"$tmp/torn"
	# shellcheck disable=SC2086
	quiet $fst --part "$tmp/torn" --json "$tmp/json"
	same_file "$policy: gone on with" "$tmp/torn" "$all"
	same_file "$policy: the same in the end" "$tmp/json" "$tmp/want"
done
merge "$tmp/pc.1" "$tmp/pc.2" "$tmp/pc.2" --partial --part "$tmp/half"
same "some are missing" "$(($(wc -l <"$tmp/half") * 30 / 2 / jobs))" 6
: >"$tmp/empty"
simulate $golden/cf_figure5.swf --fst --part "$tmp/empty" >"$tmp/got"
same "an empty part" "$(wc -l <"$tmp/empty")" 7

# A run that is killed goes on where it was.
long=$((jobs * 5 / 3))
"$fairsched" generate --jobs $long --load 1.1 --overestimate 5 \
	>"$tmp/long.swf" 2>/dev/null
fst="$tmp/long.swf --policy conservative --fst"
# shellcheck disable=SC2086
simulate $fst --part "$tmp/killed" >/dev/null &
n=0
while [ $n -lt 3000 ] &&
	[ "$( (cat "$tmp/killed" 2>/dev/null || :) | wc -l)" -lt 4 ]; do
	sleep 0.1
	n=$((n + 1))
done
kill -KILL $!
wait $! 2>/dev/null || :
sed '$d' "$tmp/killed" | sed 1,2d | sort >"$tmp/kept"
check "killed: something is kept" test -s "$tmp/kept"
check "killed: not all" test "$(wc -l <"$tmp/kept")" -lt $long
fails "killed: another trace" 2 simulate "$tmp/t.swf" --fst --part "$tmp/killed"
says "killed: another trace: says so" "belong to another trace"
# shellcheck disable=SC2086
{
	quiet $fst --part "$tmp/killed" --json "$tmp/json"
	quiet $fst --part "$tmp/whole" --json "$tmp/want"
}
same_file "killed: gone on with" "$tmp/killed" "$tmp/whole"
same_file "killed: the same in the end" "$tmp/json" "$tmp/want"
sort "$tmp/whole" >"$tmp/sorted"
same "killed: what was kept is right" \
	"$(comm -23 "$tmp/kept" "$tmp/sorted" | wc -l)" 0

# ---- samples ----

sample() # PERCENT SEED
{
	quiet "$tmp/t.swf" --policy dc --fst --fst-sample "$1" --seed "$2" \
		--json "$tmp/json"
}

quiet "$tmp/t.swf" --policy dc --fst --json "$tmp/json"
mean=$(key strict_unfairness)
sample 100 1
same "a sample of all" "$(key strict_unfairness)" "$mean"
sample 20 1
check "how many" test "$(key fst_jobs)" -gt $((jobs * 15 / 100)) -a \
	"$(key fst_jobs)" -lt $((jobs * 25 / 100))
inside=0
for seed in 1 2 3 4 5 6 7 8 9 10; do
	sample 20 $seed
	inside=$((inside + $(echo "$mean $(key strict_unfairness)" \
		"$(key strict_unfairness_error)" |
		awk '{ d = $1 - $2; print (d < 0 ? -d : d) <= $3 }')))
done
check "the mean is in most intervals: $inside of 10" test $inside -ge 8
sample 20 1
first=$(key strict_unfairness)
sample 20 2
check "another seed, another sample" test "$(key strict_unfairness)" != "$first"
sample 20 1
same "the same seed, the same sample" "$(key strict_unfairness)" "$first"

# ---- compare ----

"$fairsched" compare $golden/cf_figure5.swf "$tmp/t.swf" --fst \
	--policies conservative,easy,dc --json "$tmp/got" --threads 3 \
	>"$tmp/table"
{
	separator=[
	for swf in $golden/cf_figure5.swf "$tmp/t.swf"; do
		for policy in conservative easy dc; do
			printf '%s' "$separator"
			separator=,
			simulate "$swf" --policy $policy --fst --json - |
				sed '$d'
			[ "$swf$policy" != "$tmp/t.swfdc" ] || break 2
			echo "}"
		done
	done
	echo '}]'
} >"$tmp/want"
check "compare: the same as simulate" python3 -c '
import json, sys
got, want = (json.load(open(name)) for name in sys.argv[1:])
assert len(got) == 6 and got == want, (got, want)' "$tmp/got" "$tmp/want"
same "compare: a table for each trace" "$(grep -c ^unfairness "$tmp/table")" 2
same "compare: no line is too long" "$(grep -cE '^.{81}' "$tmp/table")" 0
sed -n '/^unfairness/,$p' "$tmp/table" >"$tmp/below"
same "compare: its row" "$(grep -m 1 ^dc "$tmp/below" | xargs)" \
	"dc 19 s 19 s $(grep -m 1 ^dc "$tmp/below" | xargs | cut -d' ' -f6-)"

# ---- bad usage and bad input ----

fst="$tmp/t.swf --fst"
for args in "--part $tmp/x" "--shard 1/2 --part $tmp/x" "--fst-sample 1" \
	"--threads 2"; do
	# shellcheck disable=SC2086
	fails "without --fst: $args" 2 simulate "$tmp/t.swf" $args
	says "without --fst: $args: says so" "need --fst"
done
for shard in 0/2 3/2 1 1/ /2 1/2/3 -1/2 1/0 1/65536 a/b; do
	# shellcheck disable=SC2086
	fails "--shard $shard" 2 simulate $fst --part "$tmp/x" --shard $shard
	says "--shard $shard: says so" "--shard: '$shard' is not"
done
# shellcheck disable=SC2086
{
	fails "--shard without --part" 2 simulate $fst --shard 1/2
	fails "--seed without --fst-sample" 2 simulate $fst --seed 1
	fails "--part -" 2 simulate $fst --part -
	fails "two outputs" 2 simulate $fst --part "$tmp/x" --json "$tmp/x"
	fails "a sample of 101 %" 2 simulate $fst --fst-sample 101
	fails "a folder that is not there" 1 simulate $fst --part "$tmp/no/x"
	fails "another policy's" 2 simulate $fst --policy dc --part "$tmp/pc"
	says "another policy's: says so" "pc:1: the fair start times belong to"
}
fails "a part is missing" 1 merge "$tmp/pc.1" "$tmp/pc.2"
says "a part is missing: says so" "of $jobs jobs have no fair start time"
fails "parts of two runs" 2 merge "$tmp/pc.1" "$tmp/easy.2"
fails "no file" 2 merge "$tmp/none"
fails "no parts" 2 merge
head=$(head -n 1 "$tmp/pc")
bad() # NAME TEXT LINE...
{
	bad_name=$1
	bad_text=$2
	shift 2
	printf '%s\n' "$@" >"$tmp/bad"
	fails "$bad_name" 2 merge "$tmp/bad"
	says "$bad_name: says so" "$bad_text"
}
columns=number,strict_fst,relaxed_fst,check
key=$(echo "$head" | sed 's/.* key=\([^ ]*\) .*/\1/')
check_of() # KEY TEXT
{
	python3 - "$1" "$2" <<'END'
import sys
h = 0xcbf29ce484222325
for byte in sys.argv[2].encode() + int(sys.argv[1], 16).to_bytes(8, "little"):
    h = (h ^ byte) * 0x100000001b3 % 2**64
print("%08x" % ((h ^ h >> 32) % 2**32))
END
}
head_of() # TEXT
{
	echo "# fairsched fst 2 check=$(check_of 0 "$1")$1"
}
row() # NUMBERS
{
	echo "$1,$(check_of "$key" "$1,")"
}
bad "no head" "bad:1: not a file of fair start times" "$columns"
bad "another version" "bad:1: not a file" "# fairsched fst 1 key=1 jobs=1 trace=x" \
	number,strict_fst
bad "no jobs" "bad:1: not a file" "$(head_of " key=1 jobs=0 trace=x")"
bad "no number fits" "bad:1: not a file" \
	"$(head_of " key=11111111111111111 jobs=1 trace=x")"
bad "other columns" "bad:2: the columns must be" "$head" "number,strict_fst"
bad "two numbers" "bad:3: not three numbers" "$head" "$columns" "1,2"
bad "four numbers" "bad:3: damaged" "$head" "$columns" "1,2,3,4"
bad "another checksum" "bad:3: damaged: its checksum differs" "$head" \
	"$columns" "$(row 1,2,3 | sed 's/^1,2,3/1,2,4/')"
bad "that of another trace" "bad:3: damaged: its checksum differs" "$head" \
	"$columns" "1,2,3,$(check_of 1 1,2,3,)"
bad "another head" "bad:1: damaged: its checksum differs" \
	"$(echo "$head" | sed 's/trace=/trace=x/')" "$columns"
bad "a word" "bad:4: not three numbers" "$head" "$columns" \
	"$(row 1,2,3)" 1,x,3
bad "no such job" "bad:3: the trace has no job of that number" "$head" \
	"$columns" 3000,1,1,0
bad "a number below 0" "bad:3: the trace has no job" "$head" \
	"$columns" -1,1,1,0
bad "two that differ" "bad:4: these fair start times differ" "$head" "$columns" \
	"$(row 1,2,3)" "$(row 1,2,4)"
printf 'no newline' >"$tmp/bad"
fails "another file" 2 simulate "$tmp/t.swf" --fst --part "$tmp/bad"
same "it is left alone" "$(cat "$tmp/bad")" "no newline"
finish
