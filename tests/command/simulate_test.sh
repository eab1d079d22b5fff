#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched simulate: what the reader must get right, each in a small trace of
# tests/traces, the published instances of tests/golden, errors and files.
. tests/test.sh
traces=tests/traces
header='; MaxProcs: 4'
record='1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1'

simulate() # ARGUMENT...
{
	"$fairsched" simulate "$@"
}

# The rows of --jobs-out, then what was dropped, are NAME.expected.
trap_trace() # TRACE NAME ARGUMENT...
{
	trap_swf=$traces/$1.swf
	trap_name=$2
	shift 2
	set -- "$trap_swf" --policy conservative "$@"
	{
		simulate "$@" --jobs-out -
		simulate "$@" | grep '^dropped'
	} >"$tmp/got"
	same_file "trace $trap_name" "$tmp/got" "$traces/$trap_name.expected"
}

for name in unordered header processors run request columns19 columns21 \
	users epoch fractions status negative crlf
do
	trap_trace "$name" "$name"
done
trap_trace request request_kill --overrun kill
trap_trace request request_exact --estimates exact
trap_trace request request_kill_exact --overrun kill --estimates exact

# Starts and first promises are those of the published instances.
for swf in tests/golden/*.swf; do
	name=${swf#tests/golden/}
	name=${name%.swf}
	for policy in easy conservative pc dc relshare; do
		grep -q "^$policy," "tests/golden/$name.expected" || continue
		simulate "$swf" --policy "$policy" --jobs-out - |
			awk -F, -v p="$policy" 'NR > 1 {
				print p "," $1 "," $5 "," $13 }' |
			sort >"$tmp/got"
		grep "^$policy," "tests/golden/$name.expected" |
			cut -d, -f1-4 | sort >"$tmp/want"
		same_file "golden $name, $policy" "$tmp/got" "$tmp/want"
	done
done

# ---- bad input: exit status 2, file and line, the field by name ----

says() # NAME TEXT
{
	check "$1" grep -qF -- "$2" "$tmp/err"
}

fails "damaged" 2 simulate $traces/damaged.swf
says "damaged: line and field" \
	"damaged.swf:3: field 4 (run time): '1x0' is not a number"
simulate $traces/damaged.swf --lenient >"$tmp/got"
check "lenient counts" grep -q '^damaged lines *2 (.*swf:3: field 4' "$tmp/got"
check "lenient goes on" grep -q '^jobs *2$' "$tmp/got"

bad() # NAME TEXT LINE...
{
	bad_name=$1
	bad_text=$2
	shift 2
	printf '%s\n' "$@" >"$tmp/bad.swf"
	fails "$bad_name" 2 simulate "$tmp/bad.swf"
	says "$bad_name: says so" "$bad_text"
}

bad "17 columns" "bad.swf:2: field 18 (think time) is missing" \
	"$header" "${record% -1}"
bad "22 columns" "bad.swf:2: 22 columns" "$header" "$record a b c d"
bad "18 columns after 21" "bad.swf:3: 18 columns, and 21 above" \
	"$header" "$record a b c" "$record"
bad "21 columns after 18" "bad.swf:3: 21 columns, and 18 above" \
	"$header" "$record" "$record a b c"
bad "an exponent" "field 2 (submit time): '1e9' is not a number" \
	"$header" "1 1e9${record#1 0}"
bad "two points" "'0.5.5' is not a number" "$header" "1 0.5.5${record#1 0}"
bad "a point" "'.' is not a number" "$header" "1 .${record#1 0}"
bad "a sign" "'-' is not a number" "$header" "1 -${record#1 0}"
bad "too long a time" "is too long" \
	"$header" "1 1099511627777${record#1 0}"
bad "too long a run time" "field 4 (run time): '17179869185' is too long" \
	"$header" "1 0 -1 17179869185 ${record#1 0 -1 10 }"
bad "too large a number" "is too large a number" \
	"$header" "99999999999999999999${record#1}"
bad "no jobs" "no jobs" "$header"
bad "no usable job" "its only job is not usable: wider than the machine 1 (first: line 2, field 5, allocated processors: 5)" \
	"$header" "1 0 -1 10 5 ${record#1 0 -1 10 1 }"
cat >"$tmp/drops.swf" <<'END'
; MaxProcs: 4
1 0 -1 9 5 -1 -1 5 9 -1 1 1 1 1 1 1 -1 -1
2 0 -1 -1 2 -1 -1 5 9 -1 1 1 1 1 1 1 -1 -1
3 0 -1 9 -1 -1 -1 -1 9 -1 1 1 1 1 1 1 -1 -1
4 0 -1 9 1 -1 -1 5 9 -1 3 1 1 1 1 1 -1 -1
5 0 -1 9 4294967296 -1 -1 5 9 -1 1 1 1 1 1 1 -1 -1
6 x
END
fails "no usable job, each by its reason" 2 simulate "$tmp/drops.swf" --lenient
says "no usable job, each by its reason: says so" "drops.swf: none of its 5 jobs is usable: no processors 1 (first: line 4, field 8, requested processors: -1), no run time 1 (first: line 3, field 4, run time: -1), status 2-5: parts of jobs, cancelled jobs 1 (first: line 5, field 11, status: 3), wider than the machine 2 (first: line 2, field 8, requested processors: 5), damaged lines 1 (first: $tmp/drops.swf:7: field 2 (submit time): 'x' is not a number)"
printf 'submit,run,procs\n5,9,7\n6,9,8\n' >"$tmp/none.csv"
fails "no usable job of a CSV file" 2 simulate "$tmp/none.csv" --procs 4
says "no usable job of a CSV file: by its lines" "none of its 2 jobs is usable: wider than the machine 2 (first: line 2, requested processors: 7)"
fails "no usable job in that time" 2 simulate "$tmp/none.csv" --from 100 --procs 9
says "no usable job in that time: says so" "outside of --from and --until 2 (first: line 2, submit time: 5)"
bad "no MaxProcs" "and --procs is not given" "$record"
bad "MaxProcs in words" "bad.swf:1: MaxProcs" "; MaxProcs: many" "$record"
bad "MaxProcs 1,664" "bad.swf:1: MaxProcs" "; MaxProcs: 1,664" "$record"
bad "MaxProcs 0" "bad.swf:1: MaxProcs" "; MaxProcs: 0" "$record"
bad "two MaxProcs" "bad.swf:2: MaxProcs differs from 4" \
	"$header" "; MaxProcs: 8" "$record"
check "--procs instead" simulate "$tmp/bad.swf" --procs 4

: >"$tmp/empty.swf"
fails "an empty file" 2 simulate "$tmp/empty.swf"
says "an empty file: says so" "no jobs"
fails "a folder" 2 simulate "$tmp"
says "a folder: says so" "s a directory"
fails "no file" 2 simulate "$tmp/none.swf"
says "no file: says so" "none.swf: No such file"

# ---- gzip, stdin ----

swf=$traces/unordered.swf
want=$(simulate $swf --jobs-out -)
gzip -c $swf >"$tmp/t.swf.gz"
same "gzip" "$(simulate "$tmp/t.swf.gz" --jobs-out -)" "$want"
same "gzip by its content" \
	"$(cp "$tmp/t.swf.gz" "$tmp/t.swf" && simulate "$tmp/t.swf" --jobs-out -)" \
	"$want"
same "stdin" "$(simulate - --jobs-out - <$swf)" "$want"
same "gzip on stdin" "$(simulate - --jobs-out - <"$tmp/t.swf.gz")" "$want"
{
	head -n 4 $swf | gzip -c
	tail -n +5 $swf | gzip -c
} >"$tmp/two.swf.gz"
same "two gzip members" "$(simulate "$tmp/two.swf.gz" --jobs-out -)" "$want"
head -c 100 "$tmp/t.swf.gz" >"$tmp/cut.swf.gz"
fails "truncated gzip" 2 simulate "$tmp/cut.swf.gz"
says "truncated gzip: says so" "cut.swf.gz: truncated"
head -c 5 "$tmp/t.swf.gz" >"$tmp/cut.swf.gz"
fails "gzip cut in its header" 2 simulate "$tmp/cut.swf.gz"
{
	head -c 60 "$tmp/t.swf.gz"
	printf damage
	tail -c +67 "$tmp/t.swf.gz"
} >"$tmp/bent.swf.gz"
fails "damaged gzip" 2 simulate "$tmp/bent.swf.gz"

# ---- bad usage ----

fails "no trace" 2 simulate
fails "two traces" 2 simulate $swf $swf
fails "a policy that is none" 2 simulate $swf --policy esay
says "a policy that is none: which was meant" "did you mean easy?"
fails "an option that is none" 2 simulate $swf --polcy easy
says "an option that is none: which was meant" "did you mean --policy?"
fails "no value" 2 simulate $swf --policy
fails "a flag with a value" 2 simulate $swf --lenient=yes
fails "processors 0" 2 simulate $swf --procs 0
fails "processors x" 2 simulate $swf --procs x
fails "processors 1x" 2 simulate $swf --procs 1x
fails "processors 2^31" 2 simulate $swf --procs 2147483648
fails "depth of easy" 2 simulate $swf --policy easy --depth 2
for order in sjf ljf widest narrowest lxf; do
	fails "conservative, $order" 2 simulate $swf --policy conservative \
		--order $order
	check "easy, $order" simulate $swf --order $order
done
for policy in pc dc; do
	check "$policy, lxf" simulate $swf --policy $policy --order lxf
	check "$policy, sjf" simulate $swf --policy $policy --order sjf
done
check "depth" simulate $swf --policy depth --depth 3
same "depth 1 is easy" \
	"$(simulate $swf --policy depth --jobs-out -)" "$want"
fails "two outputs to one place" 2 simulate $swf --json - --jobs-out -

# ---- files ----

cd "$tmp" || exit
swf=$OLDPWD/$swf
mkdir files
check "all outputs" simulate "$swf" --policy pc --jobs-out files/jobs.csv \
	--swf-out files/new.swf --promises-out files/promises.csv --json files/s.json
same "no more files than asked for" "$(ls files | tr '\n' ' ')" \
	"jobs.csv new.swf promises.csv s.json "
same "the rows" "$(cat files/jobs.csv)" "$(simulate "$swf" --policy pc --jobs-out -)"
check "JSON is JSON" python3 -c '
import json
s = json.load(open("files/s.json"))
assert s["jobs"] == 5 and s["dropped"] == 0, s
assert s["mean_wait"] == 16 and s["max_wait"] == 30 and s["p99_wait"] == 30, s
assert abs(s["mean_bounded_slowdown"] -
	   (50 / 50 + 30 / 10 + 30 / 30 + 35 / 10 + 40 / 10) / 5) < 1e-5, s
assert s["makespan"] == 150, s
assert abs(s["utilization"] - (50 + 10 + 30 + 5 + 10) / 150) < 1e-6, s
assert s["promises_kept"] == 5 and s["promises_broken"] == 0, s
assert len(s["digest"]) == 16, s
assert "strict_unfairness" not in s, s
'
slowdown() # ARGUMENT...
{
	simulate "$swf" --policy pc "$@" | awk '/bounded slowdown/ { print $4 }'
}
same "a job that does not wait has a slowdown of 1" "$(slowdown)" 2.500
same "another threshold" "$(slowdown --slowdown-threshold 1m)" 1.000
simulate "$swf" --json easy.json >summary
check "no promises, no key" python3 -c '
import json
assert "promises_kept" not in json.load(open("easy.json"))'
same "a promise for each job" \
	"$(awk -F, '$5 == "arrival"' files/promises.csv | wc -l)" 5
# Promises of job 4: arrival, then earlier by the early ends of 3 and 2.
same "the promises of one job" \
	"$(grep '^4,' files/promises.csv | tr '\n' ' ')" \
	"4,20,,70,arrival, 4,30,70,60,earlier, 4,50,60,50,earlier, "
same "--swf-out gives the waits" \
	"$(grep -v '^;' files/new.swf | cut -d' ' -f1-5 | tr '\n' ' ')" \
	"1 100 0 50 4 2 20 20 10 4 3 0 0 30 4 4 20 30 5 4 5 0 30 10 4 "
same "--swf-out reads as the same jobs" \
	"$(simulate files/new.swf --policy pc --jobs-out -)" "$(cat files/jobs.csv)"
check "--swf-out keeps the 21 columns" sh -c '
	"$1" simulate "$2" --swf-out - | grep -q " {1,2} q_1d 2:ppn=8:x86_64#excl$"
' sh "$fairsched" "$OLDPWD/$traces/columns21.swf"
check "--swf-out: the machine of --procs" sh -c '
	"$1" simulate "$2" --procs 7 --swf-out - | grep -qx "; MaxProcs: 7"
' sh "$fairsched" "$swf"

echo old >files/jobs.csv
fails "a run that fails" 2 simulate none.swf --jobs-out files/jobs.csv
same "leaves the old file" "$(cat files/jobs.csv)" old
fails "a folder that is none" 1 simulate "$swf" --jobs-out none/jobs.csv
fails "one file of two" 1 simulate "$swf" --jobs-out files/jobs.csv \
	--json none/s.json
same "leaves the other, too" "$(cat files/jobs.csv)" old
same "leaves nothing else" "$(ls files | wc -l)" 4
ln -s files/jobs.csv link.csv
check "through a link" simulate "$swf" --jobs-out link.csv
check "it stays a link" test -L link.csv
same "the file behind it is written" "$(wc -l <files/jobs.csv)" 6
check "to a device" simulate "$swf" --jobs-out /dev/null
check "it stays a device" test -c /dev/null
if [ -w /dev/full ]; then
	fails "a full disk" 1 simulate "$swf" --jobs-out /dev/full
else
	skip "a full disk" "no /dev/full"
fi

# ---- what is explained ----

check "--check" simulate "$swf" --policy pc --check
same "--check decides the same" "$(simulate "$swf" --policy pc --check)" \
	"$(simulate "$swf" --policy pc)"
{
	echo "$header"
	for n in 7 8 7 7; do
		echo "$record" | sed "s/^[0-9]*/$n/"
	done
} >twice.swf
same "repeated numbers are counted" \
	"$(simulate twice.swf | grep '^repeated' | xargs)" \
	"repeated numbers 2 jobs"
check "and by compare" sh -c '"$1" compare twice.swf --policies easy |
	grep -qF "4 jobs (2 with a number that another has), "' sh "$fairsched"
fails "why of a repeated number" 2 "$fairsched" why twice.swf --at 1 --job 7
check "it says so" grep -q "more than one job has the number 7" "$tmp/err"
check "another number" "$fairsched" why twice.swf --at 1 --job 8
{
	echo "$header"
	for n in 1 2 3; do
		echo "$n $n -1 100 4 -1 -1 4 1000000000 -1 1 1 1 -1 -1 -1 -1 -1"
	done
	echo "4 9 -1 100 4 -1 -1 4 9999999999 -1 1 1 1 -1 -1 -1 -1 -1"
} >ahead.swf
fails "68 years ahead" 1 simulate ahead.swf --policy conservative
check "it says what to do" grep -q "job 4: its reservation would end more than \
68 years .* shorten the requests" "$tmp/err"
echo "1 0 -1 100 4 -1 -1 4 9999999999999999999 -1 1 1 1 -1 -1 -1 -1 -1" >large.swf
fails "a large number" 2 simulate large.swf --procs 4
check "is called one" grep -q "field 9 .* is too large a number" "$tmp/err"
fails "no sample" 2 simulate "$swf" --fst --fst-sample 0
fails "--help takes no value" 2 simulate --help=5
check "it says so: --help" grep -q -- "--help takes no value" "$tmp/err"
same "one processor" "$(echo "1 0 -1 1 1 -1 -1 1 1 -1 1 1 1 -1 -1 -1 -1 -1" |
	"$fairsched" compare - --procs 1 | grep -c ' 1 processor, ')" 1

# A run that was killed leaves a folder that the next one may use.
mkdir left
touch left/trace-1.js left/trace-1.js.new.a1B2c3 left/index.html.new.XyZ123
check "an unfinished report" "$fairsched" compare "$swf" --report left
same "is finished, and alone" "$(find left -type f | sort | xargs)" \
	"left/index.html left/trace-1.js"
mkdir other
touch other/trace-1.json
fails "another folder" 2 "$fairsched" compare "$swf" --report other
# The schedule as text: the README's four jobs, each column ten seconds.
cat >"$tmp/four.swf" <<'END'
; MaxProcs: 8
1 0 -1 60 5 -1 -1 5 100 -1 1 1 1 -1 -1 -1 -1 -1
2 10 -1 50 6 -1 -1 6 50 -1 1 1 1 -1 -1 -1 -1 -1
3 20 -1 30 3 -1 -1 3 30 -1 1 1 1 -1 -1 -1 -1 -1
4 30 -1 80 2 -1 -1 2 80 -1 1 1 1 -1 -1 -1 -1 -1
END
COLUMNS=34 "$fairsched" simulate "$tmp/four.swf" --policy fcfs \
	--gantt 0 3m20s >"$tmp/got"
cat >"$tmp/want" <<'END'

         8 |
         7 |
         6 |      22222
         5 |11111122222444444444
END
sed -n '/^digest/,$p' "$tmp/got" | sed -n 2,6p | sed 's/4444*$/444444444/' \
	>"$tmp/picture"
same_file "--gantt" "$tmp/picture" "$tmp/want"
check "--gantt: what a column is" grep -q "^Each column is 10 s, each row" \
	"$tmp/got"
same "--gantt: waits" "$(grep -c '333' "$tmp/got")" 3
fails "--gantt: two values" 2 "$fairsched" simulate "$tmp/four.swf" --gantt 5
fails "--gantt: in this order" 2 "$fairsched" simulate "$tmp/four.swf" \
	--gantt 5 5
fails "--gantt: no epoch" 2 "$fairsched" simulate "$tmp/four.swf" \
	--gantt 0 2003-05-01

# Ties: job numbers 1 to 4 are submitted at once, and one fits at a time.
cat >"$tmp/tied.swf" <<'END'
; MaxProcs: 1
1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1
2 0 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1
3 0 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1
4 5 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1
END
tied() # ARGUMENT...
{
	"$fairsched" simulate "$tmp/tied.swf" --policy easy "$@" --jobs-out - |
		awk -F, 'NR > 1 { print $5, $1 }' | sort -n | cut -d' ' -f2 | xargs
}
same "ties by number" "$(tied)" "1 2 3 4"
same "ties by a seed, each time the same" "$(tied --ties 7)" "$(tied --ties 7)"
same "the later one stays last" "$(tied --ties 7 | cut -d' ' -f4)" 4
same "seeds give all orders" "$(for seed in $(seq 40); do
	tied --ties "$seed"
done | sort -u | wc -l)" 6
# The second job of user 1 comes at 20 in place of 10, or before the first ends;
# user 2 stays. A name is as good as a number.
cat >"$tmp/near.swf" <<'END'
; MaxProcs: 1
1 4 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1
2 14 -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1
3 14 -1 10 1 -1 -1 1 10 -1 1 2 1 -1 -1 -1 -1 -1
END
printf 'kind,number,name\nuser,1,ann:2\n' >"$tmp/near.names"
spread() # USER:FACTOR ARGUMENT...
{
	"$fairsched" simulate "$tmp/near.swf" --spread "$@" --jobs-out - |
		awk -F, 'NR > 1 { print $2 "," $5 }' | xargs
}
same "--spread: twice as far" "$(spread 1:2)" "4,4 24,24 14,14"
same "--spread: half as far, rounded down" "$(spread 1:0.55)" "4,4 9,14 14,24"
same "--spread: the only job of a user" "$(spread 2:7)" "4,4 14,14 14,24"
same "--spread: a name with a colon" \
	"$(spread ann:2:2 --names "$tmp/near.names")" "4,4 24,24 14,14"
for wrong in 1 :2 1:0 1:1001 1:x 1:2x 1:; do
	fails "--spread $wrong" 2 "$fairsched" simulate "$tmp/near.swf" \
		--spread "$wrong"
	check "--spread $wrong: the form" grep -q "$tmp/near.swf: --spread \
'$wrong' is not USER:FACTOR" "$tmp/err"
done
fails "--spread: no such user" 2 "$fairsched" simulate "$tmp/near.swf" \
	--spread 3:2
check "--spread: it is named" grep -q "near.swf: --spread 3:2: the trace has \
no such user" "$tmp/err"
sed 's/^2 14 /2 1099511627776 /' "$tmp/near.swf" >"$tmp/far.swf"
fails "--spread: too far" 2 "$fairsched" simulate "$tmp/far.swf" --spread 1:2
check "--spread: the line" grep -q "far.swf: --spread 1:2: line 3: " "$tmp/err"
sed 4d "$tmp/near.swf" >"$tmp/alone.swf"
fails "--spread: out of the period" 2 "$fairsched" simulate "$tmp/alone.swf" \
	--from 10 --to 15 --spread 1:2
fails "a seed of 0" 2 "$fairsched" simulate "$tmp/tied.swf" --ties 0
# ---- saved after so many instants, and not before ----

"$fairsched" generate --jobs 50 >"$tmp/fifty.swf" 2>"$tmp/err"
for every in 1000 7; do
	"$fairsched" simulate "$tmp/fifty.swf" --save "$tmp/every" \
		--save-every $every >"$tmp/whole"
	same "saved after $every instants of a hundred or less" \
		"$(ls "$tmp/every" 2>/dev/null)" \
		"$([ $every -eq 1000 ] || echo "$tmp/every")"
done
"$fairsched" simulate "$tmp/fifty.swf" --load "$tmp/every" >"$tmp/rest"
same_file "which continues" "$tmp/rest" "$tmp/whole"

finish
