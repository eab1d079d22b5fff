#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# bench/run.sh by a C compiler alone, and what is made of its results.
. tests/test.sh

tree=$tmp/tree
mkdir "$tree"
cp -RL ./*.h policies sched tools bench docs "$tree"
rm -f "$tree/tools/fairsched/fairsched"
cd "$tmp" || exit
export FAIRSCHED_SHARED="$tmp/none"

table() # RESULT.csv
{
	awk -f "$tree/bench/table.awk" "$1"
}

compare() # A B
{
	sh "$tree/bench/compare.sh" "$1" "$2"
}

# A case, whose times are $3 percent of what they are.
plant() # CSV CASE PERCENT
{
	awk -F, -v OFS=, -v name="$2" -v percent="$3" '
		$1 == name {
			for (i = 4; i <= 6; i++)
				$i *= percent / 100
		}
		{ print }' "$1"
}

check "runs" sh -c '
	CFLAGS=-O0 sh "$1/bench/run.sh" --quick --csv a.csv --json a.json \
		sched traces >table 2>log' sh "$tree"
check "says which traces are not there" grep -q "SKIPPED KTH-SP2: .*none" log
check "CSV is CSV" python3 -c '
import csv
rows = list(csv.DictReader(open("a.csv"), strict=True))
cases = {row["case"] for row in rows}
assert {"machine_cycle", "machine_load", "machine_read", "machine_scan",
	"backlog_finish_conservative", "sched_clone_easy",
	"lublin_conservative", "naive_lublin_conservative"} <= cases, cases
for row in rows:
    assert None not in row and None not in row.values(), row
    assert float(row["min"]) <= float(row["median"]) <= float(row["max"]), row
    assert row["flags"] == "-O0" and float(row["ghz"]) > 0.1, row
    assert row["version"] == "1.0.0" and row["compiler"] and row["cpu"], row
'
check "JSON says the same" python3 -c '
import csv, json
a = json.load(open("a.json"))
rows = list(csv.DictReader(open("a.csv")))
assert a["compiler"] == rows[0]["compiler"] and len(a["rows"]) == len(rows)
for x, y in zip(a["rows"], rows):
    for key, value in x.items():
        y_value = y[key] if isinstance(value, str) else float(y[key] or "nan")
        assert value == y_value or value is None and y[key] == "", (x, y)
'
check "a table of all" test \
	"$(grep -cE ' (ns|us|ms|s|bytes) ' table)" -ge "$(($(wc -l <a.csv) - 1))"
check "with the yardstick" grep -Eq '^lublin_conservative .*[0-9]x ' table
check "and the target" grep -Eq '^lublin_conservative .*<= [0-9.]+ [mu]s' table
fails "an option that is none" 2 sh "$tree/bench/run.sh" --fast
fails "a benchmark that is none" 1 sh "$tree/bench/run.sh" --quick none

# ---- what moved ----

compare a.csv a.csv >same
check "nothing moved" grep -q '^0 of' same
plant a.csv lublin_easy 1000 >b.csv
compare a.csv b.csv >slower
same "a planted change is marked, no other" \
	"$(awk '/SLOWER|faster/ { print $1, $2, $6 }' slower)" \
	"lublin_easy 10000 SLOWER"
compare b.csv a.csv >faster
same "and the other way round" \
	"$(awk '/SLOWER|faster/ { print $1, $2, $6 }' faster)" \
	"lublin_easy 10000 faster"
grep -v '^lublin_easy' a.csv >c.csv
check "gone" sh -c 'sh "$1" a.csv c.csv | grep -Eq "^lublin_easy .*gone"' \
	sh "$tree/bench/compare.sh"
check "new" sh -c 'sh "$1" c.csv a.csv | grep -Eq "^lublin_easy .*new"' \
	sh "$tree/bench/compare.sh"
fails "no such result" 2 compare a.csv none.csv

row() # CASE N MEDIAN MIN MAX TARGET RATIO
{
	printf '%s,%s,ns,%s,%s,%s,,%s,%s,"cc, a compiler",-O2,cpu,2.10,1.0.0,x\n' \
		"$@"
}
{
	head -n 1 a.csv
	row wide 10 100 90 120 '' ''
	row edge 10 100 99 101 '' ''
} >x.csv
{
	head -n 1 a.csv
	row wide 10 115 99 120 '' ''
	row edge 10 102 101.5 103 '' ''
} >y.csv
same "within the spread, or 2 %" "$(compare x.csv y.csv | tail -n 1)" \
	"0 of 2 changed beyond the spread"

# ---- what is missed ----

naive() # NS: of a naive query
{
	head -n 1 a.csv
	row naive_profile_query_1024 10000 "$1" 1 1 '' ''
	row profile_query_1024 10000 200 1 1 80 85
}
naive 14000 >n.csv
same "targets follow the clock" \
	"$(table n.csv | awk '$1 == "profile_query_1024" { $1 = ""; print }')" \
	" 10000 200 ns 1.00 ns 1.00 ns 5000000 70.0x <= 160 ns, >= 85x naive 1.25x, 1.21x"
check "a naive array that counts" sh -c \
	'awk -f "$1" n.csv | grep -q "at most 15.0 us: ratios count"' \
	sh "$tree/bench/table.awk"
naive 16000 >n.csv
check "one that does not" sh -c \
	'awk -f "$1" n.csv | grep -q "at most 15.0 us: ratios do NOT count"' \
	sh "$tree/bench/table.awk"
check "nor does its ratio" sh -c \
	'awk -f "$1" n.csv | grep -q "1.25x, does not count"' \
	sh "$tree/bench/table.awk"

# ---- growth ----

{
	head -n 1 a.csv
	for n in 100 1000 10000; do
		row profile_query_1024 "$n" "$n" 1 1 '' ''
	done
	row other 100 1 1 1 '' ''
} >g.csv
same "growth as a table" \
	"$(sh "$tree/bench/plot.sh" --table g.csv | awk '{ $1 = $1; print }')" \
	"ns, n = 100 1000 10000 n^x: x =
profile_query_1024 100 1000 10000 1.00"
sh "$tree/bench/plot.sh" g.csv >g.svg
check "growth as a plot" python3 -c '
import xml.etree.ElementTree
svg = xml.etree.ElementTree.parse("g.svg").getroot()
line = [e for e in svg.iter() if e.tag.endswith("polyline")]
points = [tuple(map(float, p.split(","))) for p in line[0].get("points").split()]
assert len(line) == 1 and len(points) == 3, points
(a, b), (c, d), (e, f) = points
assert abs((c - a) - (e - c)) < 0.2 and abs((d - b) - (f - d)) < 0.2, points
assert a < c < e and b > d > f, points
'
finish
