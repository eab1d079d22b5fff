#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
#
# Figures 4, 6, 7 and 8 of [CF]: how much fairer, and how much faster, than
# conservative the other policies are, in percent of conservative.
#
#	sh tools/experiments/compression.sh RESULTS TRACE.swf.gz ... >tables.md
#
# What has been found is kept in RESULTS: an interrupted run goes on, a second
# one only prints. FAIRSCHED is the program, FST more options of simulate, as
# "--fst-sample 1".
set -eu
fairsched=${FAIRSCHED:-tools/fairsched/fairsched}
[ -x "$fairsched" ] || fairsched=build/fairsched
policies="conservative easy pc dc"
results=$1
shift
mkdir -p "$results"

name_of() # TRACE
{
	basename "$1" | sed 's/\.swf\(\.gz\)*$//'
}

run() # TRACE POLICY
{
	run_to=$results/$(name_of "$1").$2
	[ -s "$run_to.json" ] || {
		echo "$(name_of "$1"), $2" >&2
		# shellcheck disable=SC2086
		"$fairsched" simulate "$1" --policy "$2" --fst ${FST-} \
			--part "$run_to.part" --json "$run_to.json" >/dev/null
	}
}

# NAME POLICY KEY VALUE, one a line.
values()
{
	for trace; do
		name=$(name_of "$trace")
		for policy in $policies; do
			sed -n "s/^  \"\([a-z_]*\)\": \([0-9.]*\),*\$/$name $policy \1 \2/p" \
				"$results/$name.$policy.json"
		done
	done
}

# A row of the means, or of what is gained on conservative's.
table() # TITLE POLICY:KEY...
{
	echo
	echo "$1"
	echo
	shift
	awk -v columns="$*" -v traces="$names" '
	function gain(name, policy, key,    was) {
		was = value[name, "conservative", key]
		if (was == 0)
			return value[name, policy, key] ? "worse" : "same"
		return sprintf("%.2f", 100 * (was - value[name, policy, key]) / was)
	}
	{ value[$1, $2, $3] = $4 }
	END {
		n = split(columns, column)
		head = "| trace |"
		line = "|---|"
		for (i = 1; i <= n; i++) {
			split(column[i], part, ":")
			sub(/_unfairness/, "", part[2])
			head = head " " part[1] " " part[2] " |"
			line = line "---:|"
		}
		print head
		print line
		rows = split(traces, name)
		for (r = 1; r <= rows; r++) {
			row = "| " name[r] " |"
			for (i = 1; i <= n; i++) {
				split(column[i], part, ":")
				row = row " " (part[1] == "conservative" ? \
					value[name[r], part[1], part[2]] : \
					gain(name[r], part[1], part[2])) " |"
			}
			print row
		}
	}' "$results/values"
}

names=
for trace; do
	names="$names $(name_of "$trace")"
	for policy in $policies; do
		run "$trace" "$policy"
	done
done
values "$@" >"$results/values"
table "Conservative: unfairness and wait" conservative:strict_unfairness \
	conservative:relaxed_unfairness conservative:unweighted_unfairness \
	conservative:weighted_unfairness conservative:mean_wait
table "Figure 4: improvement of dc, percent" dc:strict_unfairness \
	dc:relaxed_unfairness
table "Figure 6: improvement of easy and pc, percent" easy:strict_unfairness \
	pc:strict_unfairness easy:relaxed_unfairness pc:relaxed_unfairness
table "Figure 7, top: improvement in unweighted unfairness, percent" \
	easy:unweighted_unfairness pc:unweighted_unfairness \
	dc:unweighted_unfairness
table "Figure 7, bottom: improvement in weighted unfairness, percent" \
	easy:weighted_unfairness pc:weighted_unfairness dc:weighted_unfairness
table "Figure 8: improvement in mean wait, percent" easy:mean_wait \
	pc:mean_wait dc:mean_wait
