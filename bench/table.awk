# SPDX-License-Identifier: MIT OR Unlicense
#
# table.awk - prints a result of run.sh: awk -f bench/table.awk RESULT.csv
#
# A target in ns holds for a core of 4.2 GHz; the table scales it by the ratio of
# the clocks. A case naive_X is the baseline of case X at the same n. It counts
# only if its array is fast itself: 7.5 us for a query at 10,000.

BEGIN {
	FS = ","
	TARGET_GHZ = 4.2
	NAIVE = "naive_profile_query_1024"
	NAIVE_N = 10000
	NAIVE_NS = 7500
}

# GHz is the third field from the end; fields before it may contain commas.
NR == 2 { stretch = TARGET_GHZ / $(NF - 2) }

NR > 1 {
	rows++
	name[rows] = $1
	n[rows] = $2
	unit[rows] = $3
	median[rows] = $4
	least[rows] = $5
	most[rows] = $6
	instructions[rows] = $7
	target[rows] = $8
	ratio[rows] = $9
	at[$1, $2] = $4
}

function round3(x)
{
	if (x >= 100)
		return sprintf("%.0f", x)
	return sprintf(x >= 10 ? "%.1f" : "%.2f", x)
}

function amount(x, unit)
{
	if (x == "")
		return ""
	if (unit != "ns")
		return round3(x) " " unit
	if (x < 1e3)
		return round3(x) " ns"
	if (x < 1e6)
		return round3(x / 1e3) " us"
	if (x < 1e9)
		return round3(x / 1e6) " ms"
	return round3(x / 1e9) " s"
}

# The target of a row, and by which factor it misses the target.
function goals(i,    goal, faster, by, all)
{
	wanted = missing = ""
	if (target[i] != "") {
		goal = target[i] * (unit[i] == "ns" ? stretch : 1)
		wanted = "<= " amount(goal, unit[i])
		by = median[i] / goal
		missing = by > 1 ? sprintf("%.2fx", by) : "ok"
	}
	if (ratio[i] == "")
		return
	all = wanted == "" ? "" : wanted ", "
	wanted = all ">= " ratio[i] "x naive"
	faster = at["naive_" name[i], n[i]] / median[i]
	by = "no yardstick"
	if (faster && doubtful)
		by = "does not count"
	else if (faster)
		by = ratio[i] > faster ? sprintf("%.2fx", ratio[i] / faster) \
				       : "ok"
	missing = (missing == "" ? "" : missing ", ") by
}

function print_row(i,    versus, rate)
{
	versus = at["naive_" name[i], n[i]]
	versus = versus ? round3(versus / median[i]) "x" : ""
	rate = unit[i] == "ns" ? sprintf("%.0f", 1e9 / median[i]) : ""
	goals(i)
	printf "%-30s %9d %10s %10s %10s %11s %8s %8s  %-24s %s\n", name[i],
	       n[i], amount(median[i], unit[i]), amount(least[i], unit[i]),
	       amount(most[i], unit[i]), rate, instructions[i], versus, wanted,
	       missing
}

END {
	naive = at[NAIVE, NAIVE_N]
	doubtful = naive > NAIVE_NS * stretch
	printf "%-30s %9s %10s %10s %10s %11s %8s %8s  %-24s %s\n", "case", "n",
	       "median", "min", "max", "per second", "instr", "vs naive",
	       "target here", "missed by"
	for (i = 1; i <= rows; i++)
		print_row(i)
	print ""
	printf "Targets are scaled by 4.2 GHz / this clock: %.2f.\n", stretch
	if (!naive) {
		print "The naive array was not checked: " NAIVE " did not run."
		exit
	}
	printf "The naive array: %s a query at %d, at most %s: ratios %s.\n",
	       amount(naive, "ns"), NAIVE_N, amount(NAIVE_NS * stretch, "ns"),
	       doubtful ? "do NOT count" : "count"
}
