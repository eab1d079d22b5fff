#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The tables of [CF]: on a trace by hand, and on KTH as docs/FAIRNESS.md has them.
. tests/test.sh
tables=tools/experiments/compression.sh

row() # NAME; the rows of a trace, one after the other
{
	sed -n "s/^| $1 | \(.*\) |$/\1/p" "$tmp/got" | tr -d '|' | tr -s ' '
}

FAIRSCHED=$fairsched sh $tables "$tmp/results" tests/golden/cf_figure5.swf \
	>"$tmp/got" 2>"$tmp/err"
# Job 4 starts 95 s late under dc, of 5 jobs; under the others nobody does.
same "dc is worse than none at all" "$(row cf_figure5 | sed -n 2p)" \
	"worse worse"
same "easy and pc are the same" "$(row cf_figure5 | sed -n 3p)" \
	"same same same same"
# Waits: 0, 99, 98, 197, 296; dc: 292 and 191 at the end.
same "waits" "$(row cf_figure5 | sed -n 6p)" "0.00 0.00 1.45"
FAIRSCHED=false sh $tables "$tmp/results" tests/golden/cf_figure5.swf \
	>"$tmp/again"
same_file "a second time it only prints" "$tmp/again" "$tmp/got"

trace=$shared/traces/KTH-SP2-1996-2.swf.gz
if [ -f "$trace" ]; then
	FAIRSCHED=$fairsched sh $tables "$tmp/results" "$trace" \
		>"$tmp/got" 2>"$tmp/err"
	same "KTH" "$(row KTH-SP2-1996-2 | tail -n +2 | tr '\n' ' ')" \
		"-23.07 4.11 -71.44 25.48 -34.59 23.14 -2.89 -1.13 1.71 -5.87 \
1.25 0.49 5.16 -2.85 3.48 "
	check "KTH is in the documentation" grep -qF \
		'| KTH-SP2-1996-2 | -71.44 | 25.48 | -34.59 | 23.14 |' \
		docs/FAIRNESS.md
else
	skip "KTH" "no trace"
fi
finish
