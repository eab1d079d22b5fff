#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# fairsched compare: its numbers are those of simulate, whatever the threads.
. tests/test.sh
golden=tests/golden
apart=$golden/apart.swf
figure=$golden/cf_figure5.swf

compare()
{
	"$fairsched" compare "$@"
}

says() # NAME TEXT
{
	check "$1" grep -qF -- "$2" "$tmp/err"
}

# A list of what simulate --json writes, trace by trace, policy by policy.
policies=easy,depth,conservative,pc,dc
compare $apart $figure --policies $policies --depth 2 --json "$tmp/all" \
	>"$tmp/table"
: >"$tmp/want"
for swf in $apart $figure; do
	for policy in easy depth conservative pc dc; do
		depth=
		[ $policy != depth ] || depth="--depth 2"
		# shellcheck disable=SC2086
		"$fairsched" simulate $swf --policy $policy $depth --json - \
			>>"$tmp/want"
	done
done
check "the same as simulate" python3 - "$tmp/all" "$tmp/want" <<'END'
import json, sys
got = json.load(open(sys.argv[1]))
want, text, decoder = [], open(sys.argv[2]).read(), json.JSONDecoder()
while text.strip():
    one, end = decoder.raw_decode(text.lstrip())
    want.append(one)
    text = text.lstrip()[end:]
assert len(got) == 10
assert got == want, (got, want)
END
same "a table for each trace" "$(grep -c '^policy ' "$tmp/table")" 2
same "a row for each policy" \
	"$(grep -cE '^(easy|depth 2|conservative|pc|dc) ' "$tmp/table")" 10
same "no line is too long" "$(grep -cE '^.{81}' "$tmp/table")" 0
compare $apart $figure --policies $policies --depth 2 --json - --threads 1 \
	>"$tmp/one"
same_file "one thread" "$tmp/one" "$tmp/all"
compare $apart $figure --policies $policies --depth 2 --json - --threads 64 \
	>"$tmp/many"
same_file "many threads" "$tmp/many" "$tmp/all"

# What is better and what is worse, by hand: two jobs of 4 processors, the
# long one first; sjf lets the short one go first.
cat >"$tmp/hand.swf" <<'END'
; MaxProcs: 4
1 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
2 1 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
3 2 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
4 300 -1 5 1 -1 -1 1 5 -1 1 1 1 -1 -1 -1 -1 -1
END
# fcfs starts at 0, 10, 110, 300.
compare "$tmp/hand.swf" --policies fcfs,conservative >"$tmp/got"
same "values" "$(grep '^fcfs  ' "$tmp/got" | xargs)" "fcfs 29 s 1 min 48 s 1 min 48 s 3.72 39.75 none"
same "promises" "$(grep '^conservative .*/' "$tmp/got" | xargs)" \
	"conservative 29 s 1 min 48 s 1 min 48 s 3.72 39.75 4/4"
# Waits of 0, 9, 108 and 0 s.
same "a conclusion" "$(sed -n '/^Jobs wait/,/^$/p' "$tmp/got" | xargs)" \
	"Jobs wait the same under all of these, 29 s on average and 1 min 48 s \
at most. With a promised start that holds, they wait \
least under conservative, 29 s."
same "no waits in the log" "$(grep -c ^recorded "$tmp/got")" 0
awk '/^;/ || ($3 = ++n * 10)' "$tmp/hand.swf" >"$tmp/waits.swf"
# Waits of 10, 20, 30, 40 s; slowdowns of 2, 1.2, 4 and 4.5.
same "what the log says" "$(compare "$tmp/waits.swf" --policies easy |
	grep ^recorded | xargs)" "recorded 25 s 40 s 40 s 2.92 35.14"
same "equal is the same" "$(sed -n 7p "$tmp/got" | xargs)" \
	"same same same same same"
same "what it is compared with" "$(grep ^Better "$tmp/got")" \
	"Better and worse: than fcfs."

# A head of the queue that is as wide as the machine blocks fcfs.
cat >"$tmp/block.swf" <<'END'
; MaxProcs: 4
1 0 -1 1000 3 -1 -1 3 1000 -1 1 1 1 -1 -1 -1 -1 -1
2 1 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
3 2 -1 500 1 -1 -1 1 500 -1 1 1 1 -1 -1 -1 -1 -1
END
# fcfs starts at 0, 1000, 1100, easy at 0, 1000, 2; makespans 1600 and 1100.
compare "$tmp/block.swf" --policies fcfs,easy >"$tmp/got"
same "better" "$(sed -n 7p "$tmp/got" | xargs)" \
	"52% better 9% better 9% better 14% better 45% better"
compare "$tmp/block.swf" --policies easy,fcfs >"$tmp/got"
same "worse" "$(sed -n 7p "$tmp/got" | xargs)" \
	"109% worse 9% worse 9% worse 16% worse 31% worse"
compare "$tmp/block.swf" --policies pc,dc >"$tmp/got"
same "promises against promises" "$(sed -n 7p "$tmp/got" | xargs)" \
	"same same same same same same"
compare "$tmp/block.swf" --policies easy,dc >"$tmp/got"
same "promises against none" "$(sed -n 7p "$tmp/got" | wc -w)" 5

# What unfairness is better by, as [CF] counts it.
compare $figure --policies conservative,dc,pc --fst --json "$tmp/json" \
	>"$tmp/got"
check "improvement" python3 - "$tmp/json" "$tmp/got" <<'END'
import json, sys
reports = {r["policy"]: r for r in json.load(open(sys.argv[1]))}
lines = open(sys.argv[2]).read().split("\nimprovement ")[1].splitlines()[2:4]
keys = ["strict_unfairness", "relaxed_unfairness", "unweighted_unfairness",
        "weighted_unfairness", "mean_wait"]
base = reports["conservative"]
for line, policy in zip(lines, ["dc", "pc"]):
    name, *got = line.split()
    assert name == policy, line
    for key, value in zip(keys, got):
        was, now = base[key], reports[policy][key]
        if was == 0 and now:
            assert value == "worse", line
        else:
            want = 0 if was == now else 100 * (was - now) / was
            assert abs(float(value) - want) < 0.006, (key, value, want)
END
check "what it is an improvement on" grep -qFx \
	"Improvement: (conservative - other) / conservative." "$tmp/got"

# Of a sample, with the interval of the ratio, here by its definition.
sample="--fst --fst-sample 40 --seed 7"
load=$tmp/load.swf
"$fairsched" generate --jobs 1000 --procs 64 --load 0.9 --overestimate 5 \
	>"$load" 2>"$tmp/err"
for policy in conservative easy; do
	# shellcheck disable=SC2086
	"$fairsched" simulate "$load" --policy $policy $sample \
		--jobs-out "$tmp/$policy" >"$tmp/out"
done
# shellcheck disable=SC2086
compare "$load" --policies conservative,easy $sample >"$tmp/got"
check "the interval of a sample" python3 - "$tmp" <<'END'
import csv, sys
def late(policy, kind):
    rows = list(csv.DictReader(open(f"{sys.argv[1]}/{policy}")))
    times = [max(0, int(r["starting_time"]) - int(r[kind]))
             for r in rows if r[kind]]
    return times, len(rows)
text = open(f"{sys.argv[1]}/got").read()
lines = text.split("\nimprovement ")[1].splitlines()
gains, errors = lines[2].split()[1:], lines[3].split()[-2:]
for kind, gain, error in zip(["strict_fst", "relaxed_fst"], gains, errors):
    base, jobs = late("conservative", kind)
    other, _ = late("easy", kind)
    n = len(base)
    assert f"of a sample, {n} of {jobs} jobs" in text
    ratio = sum(other) / sum(base)
    assert abs(float(gain) - 100 * (1 - ratio)) < 0.006, (gain, ratio)
    squares = sum((o - ratio * b) ** 2 for o, b in zip(other, base))
    variance = squares / (n - 1) / n * (1 - n / jobs)
    want = 100 * 1.959964 * variance ** 0.5 / (sum(base) / n)
    assert abs(float(error) - want) < 0.006, (error, want)
END
fails "a sample of nothing" 2 compare $apart --fst-sample 5
says "what it is for" "--fst-sample and --fst-whole need --fst"

# No job of a sample is late: what that says of all, by 1 - 0.05^(1 / n).
seq 500 | awk '
	BEGIN { print "; MaxProcs: 4" }
	{ print $1, 99 * $1, -1, 9, 1, -1, -1, 1, 9, -1, 1, 1, 1, -1, -1, -1, -1, -1 }
' >"$tmp/idle.swf"
# shellcheck disable=SC2086
compare "$tmp/idle.swf" --policies conservative,pc $sample >"$tmp/got"
check "no late job is no 0" python3 - "$tmp/got" <<'END'
import re, sys
text = open(sys.argv[1]).read()
n = int(re.search(r"of a sample, (\d+) of 500 jobs", text)[1])
want = "none, <%.2g%%" % (100 * (1 - 0.05 ** (1 / n)))
assert text.count(want) == 6, (want, text)
assert "none, <x%: none of the sample is late" in text
assert all(len(line) <= 80 for line in text.splitlines())
END

# Only long traces by a sample.
# shellcheck disable=SC2086
compare "$load" "$tmp/idle.swf" --policies dc,pc $sample --fst-whole 999 \
	>"$tmp/got"
same "one of them by a sample" "$(grep -c "of 1000 jobs$" "$tmp/got")" 1
same "the other as a whole" "$(grep -c "of a sample" "$tmp/got")" 1
fails "as a whole, of no sample" 2 compare $apart --fst --fst-whole 5
says "what that is for" "--fst-whole needs --fst-sample"

# What was found is not looked for again, whoever found it.
fst="$load $tmp/idle.swf --policies easy,pc $sample --fst-whole 999"
# shellcheck disable=SC2086
compare $fst >"$tmp/want"
# shellcheck disable=SC2086
compare $fst --parts "$tmp/parts" >"$tmp/got"
same_file "parts" "$tmp/got" "$tmp/want"
same "a file of each" "$(cd "$tmp/parts" && echo *)" \
	"idle.easy idle.pc load.easy load.pc"
cp "$tmp/parts/load.pc" "$tmp/part"
sed -i '9,99d' "$tmp/parts/load.pc"
# shellcheck disable=SC2086
compare $fst --parts "$tmp/parts" >"$tmp/got"
same_file "interrupted" "$tmp/got" "$tmp/want"
same_file "it has the same" "$tmp/parts/load.pc" "$tmp/part"
for i in 1 2; do
	# shellcheck disable=SC2086
	"$fairsched" simulate "$load" --policy pc $sample --shard $i/2 \
		--part "$tmp/shard.$i" >"$tmp/out"
done
"$fairsched" merge "$tmp/shard.1" "$tmp/shard.2" --partial \
	--part "$tmp/parts/load.pc"
cp "$tmp/parts/load.pc" "$tmp/part"
sed -i '9,99d' "$tmp/parts/load.pc"
# shellcheck disable=SC2086
compare $fst --parts "$tmp/parts" >"$tmp/got"
same_file "shards of simulate" "$tmp/got" "$tmp/want"
same_file "they stay times, not whether they are late" "$tmp/parts/load.pc" \
	"$tmp/part"
# shellcheck disable=SC2086
compare "$load" --policies easy,pc $sample --seed 5 --parts "$tmp/parts" \
	>"$tmp/got"
# shellcheck disable=SC2086
compare "$load" --policies easy,pc $sample --parts "$tmp/parts" >"$tmp/got"
# shellcheck disable=SC2086
compare "$load" --policies easy,pc $sample >"$tmp/want"
same_file "a file that has more than the sample" "$tmp/got" "$tmp/want"
# shellcheck disable=SC2086
fails "parts of other rules" 2 compare $fst --order sjf --policies easy \
	--parts "$tmp/parts"
says "which" "$tmp/parts/load.easy:1: the fair start times belong to another"
fails "parts of nothing" 2 compare $apart --parts "$tmp/parts"
says "what they are for" "--parts needs --fst"
fails "no folder for them" 1 compare $apart --fst --parts "$tmp/no/such"

# Without a trace: the one that generate makes.
"$fairsched" generate --load 0.9 --overestimate 5 \
	>"$tmp/generated.swf" 2>"$tmp/err"
compare --policies easy,dc --json - >"$tmp/got"
compare "$tmp/generated.swf" --policies easy,dc --json - |
	sed "s|$tmp/generated.swf|generated|" >"$tmp/want"
same_file "the generated trace" "$tmp/got" "$tmp/want"
rows() # ARGUMENT...; the policies of one table
{
	compare "$@" | sed -n '5,$s/^\([a-z]*\) .*/\1/p' | xargs
}
rows >"$tmp/got"
check "all policies, easy first" \
	grep -q '^easy fcfs conservative pc dc' "$tmp/got"
rows $apart --order lxf >"$tmp/got"
check "those that go with lxf" grep -q '^easy fcfs pc dc' "$tmp/got"
check "and no other" sh -c '! grep -w conservative "$1"' sh "$tmp/got"
same "depth, if it is given" \
	"$(compare $apart --depth 3 | grep -c '^depth 3 ')" 1

# A bar of the waits: of 0, 9, 108 and 0 s, and as the log has it.
COLUMNS=60 compare "$tmp/hand.swf" --policies fcfs,easy --plot >"$tmp/got"
same "--plot" "$(grep -E '^[a-z]+ +[|]' "$tmp/got" | sed 's/  *|/|/' |
	tr -s ' .:')" "fcfs| .:|
easy| .:|"
same "--plot: its width" "$(grep '^easy *|' "$tmp/got" | wc -c)" 61
# Half of the jobs wait for nothing, a quarter for less than a minute.
same "--plot: shares" "$(grep '^fcfs *|' "$tmp/got" | cut -d '|' -f 2 |
	awk '{ print gsub(/ /, ""), gsub(/[.]/, ""), gsub(/:/, "") }')" "25 12 12"
same "no --plot" "$(compare "$tmp/hand.swf" | grep -c 'waits of all')" 0
# 10, 20, 30 and 40 s.
check "--plot: recorded" sh -c '"$1" compare "$2" --plot |
	grep -qE "^recorded +[|][.]+[|]$"' sh "$fairsched" "$tmp/waits.swf"

# A window of time.
same "--from and --until" "$(compare "$tmp/hand.swf" --from 1 --until 5m |
	head -n 1 | grep -o '[0-9]* jobs ([0-9]* dropped')" "2 jobs (2 dropped"

# ---- bad usage and bad input ----

fails "a policy that is none" 2 compare $apart --policies easy,pcc
says "which was meant" "did you mean pc?"
fails "an empty policy" 2 compare $apart --policies easy,
fails "too many policies" 2 compare $apart \
	--policies pc,pc,pc,pc,pc,pc,pc,pc,pc,pc,pc,pc,pc,pc,pc,pc,pc
fails "an order that no policy takes" 2 \
	compare $apart --policies conservative --order sjf
compare $apart --policies conservative,easy,sfs --order sjf >"$tmp/got"
same "what cannot run is a line" "$(sed -n '/cannot run/,$p' "$tmp/got" |
	xargs)" \
	"conservative cannot run: policy conservative takes only --order fcfs: \
policies pc and dc take all sfs cannot run: policy sfs needs --accounts"
check "the rest does" grep -q '^easy  *[0-9]' "$tmp/got"
# A run that fails, here by a reservation beyond what can be planned, too.
cat >"$tmp/far.swf" <<'END'
; MaxProcs: 4
1 0 -1 2147483647 4 -1 -1 4 2147483647 -1 1 1 1 -1 -1 -1 -1 -1
2 1 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
END
fails "a run that fails" 1 compare "$tmp/far.swf" --policies easy,dc
check "is a line too" grep -q '^dc  *cannot run: .*reservation' "$tmp/out"
check "the other is there" grep -q '^easy  *[0-9]' "$tmp/out"
fails "beside unfairness and a page" 1 compare "$tmp/far.swf" \
	--policies dc,easy --fst --report "$tmp/far"
check "too" grep -q '^dc  *cannot run: .*reservation' "$tmp/out"
check "which have the others" grep -q '>easy<' "$tmp/far/index.html"
fails "with none left" 1 compare "$tmp/far.swf" --policies dc --fst
compare "$tmp/far.swf" --policies easy,dc --json - >"$tmp/got" 2>"$tmp/err"
same "and in the list" "$(grep -c '"policy": "easy"' "$tmp/got")" 1
same "all policies" "$(compare $apart --policies all | grep -cE \
	'^(fcfs|easy|depth 1|conservative|pc|dc|relshare|sfs|maui) ')" 9
# Several orders, machines, and --maintenance side by side.
printf 'begin,end,processors\n0,500,2\n' >"$tmp/windows.csv"
compare $apart --policies easy,pc --order fcfs,sjf --csv "$tmp/csv" \
	--markdown "$tmp/md" >"$tmp/got"
same "orders" "$(sed '/^$/,/^$/!d' "$tmp/got" |
	grep -oE '^(easy|pc) (fcfs|sjf)' | xargs)" \
	"easy fcfs pc fcfs easy sjf pc sjf"
compare $apart --policies easy --procs 4,8 --maintenance "$tmp/windows.csv" \
	--json "$tmp/json" --csv "$tmp/more" >"$tmp/got"
same "machines and maintenance" "$(grep -oE '^easy( [*])? on [0-9]+' \
	"$tmp/got" | xargs)" "easy on 4 easy * on 4 easy on 8 easy * on 8"
check "says what it is" grep -qF "* with the advance reservations of $tmp" \
	"$tmp/got"
check "each is that of simulate" python3 - "$fairsched" $apart "$tmp" <<'END'
import csv, json, subprocess, sys
program, trace, tmp = sys.argv[1:]
def simulate(*options):
    return json.loads(subprocess.run([program, "simulate", trace, "--json", "-",
                      *options], capture_output=True, check=True).stdout)
def rows(name):
    return list(csv.DictReader(open(f"{tmp}/{name}")))
wanted = []
for procs in "4", "8":
    wanted.append(simulate("--procs", procs))
    wanted.append(simulate("--procs", procs, "--maintenance",
                           tmp + "/windows.csv"))
got = json.load(open(tmp + "/json"))
assert [g.pop("maintenance") for g in got] == [False, True] * 2
assert got == wanted, (got, wanted)
for row, want in zip(rows("more"), wanted):
    assert row["digest"] == want["digest"] and row["procs"] == str(want["procs"])
    assert abs(float(row["mean_wait"]) - want["mean_wait"]) < 1e-5
assert [r["maintenance"] for r in rows("more")] == ["no", "yes"] * 2
for row in rows("csv"):
    want = simulate("--policy", row["policy"], "--order", row["order"])
    assert row["digest"] == want["digest"], row
    assert row["promises_kept"] == str(want.get("promises_kept", "")), row
lines = open(tmp + "/md").read().splitlines()
table = [l for l in lines if l.startswith("|")]
assert len(table) == 6 and len({l.count("|") for l in table}) == 1, table
assert "(same)" in table[3] or "better" in table[3] or "worse" in table[3], table
END
same "each row of the CSV has all columns" "$(compare "$tmp/waits.swf" \
	--policies easy,pc --end-late 1s --csv - | awk -F, '{ print NF }' |
	sort -u | wc -l)" 1
same "what the log recorded, in CSV" "$(compare "$tmp/waits.swf" \
	--policies easy --csv - | grep -o ',recorded,.*' | cut -d, -f 1-14)" \
	",recorded,,,,4,4,0,0,25.000000,40,40,2.925000,0.351449"
same "and in JSON" "$(compare "$tmp/waits.swf" --policies easy --json - |
	sed -n '/recorded/,$p' | xargs)" "policy: recorded, procs: 4, jobs: 4, \
dropped: 0, damaged: 0, mean_wait: 25.000000, p99_wait: 40, max_wait: 40, \
mean_bounded_slowdown: 2.925000, utilization: 0.351449, makespan: 345, \
user_share_deviation: 0.000000, account_share_deviation: 0.000000 }]"
COLUMNS=60 compare $apart --policies easy,conservative,sfs --fst >"$tmp/got"
same "a narrow terminal" "$(sed 1d "$tmp/got" | grep -cE '^.{61}')" 0
check "has a list" grep -qE '^  mean wait  +[0-9]' "$tmp/got"
fails "machines and standard input" 2 compare - --procs 4,8
fails "a machine that is none" 2 compare $apart --procs 4,0
fails "--depth without depth" 2 compare $apart --policies easy --depth 2
fails "no threads" 2 compare $apart --threads 0
fails "one trace of two is missing" 2 compare $apart "$tmp/none.swf"
says "which one" "none.swf: No such file"
fails "an output that cannot be written" 1 compare $apart --json "$tmp/no/such"
check "nothing is left" test ! -e "$tmp/no"
finish
