#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/slurm/sweep.sh compare DIR POLICY,... TRACE... [-- OPTION...]
#        sh tools/slurm/sweep.sh fst DIR SHARDS TRACE [-- OPTION...]
#
# Runs simulations as tasks of a Slurm job array and joins what they find:
#
#   compare  a task for each trace and policy; DIR/all.json is, to the last
#            byte, what fairsched compare TRACE... --policies P,... --json says
#   fst      a task for each of so many parts of the fair start times of a
#            trace; DIR/all.part is what fairsched simulate --fst --part writes
#
#     sh tools/slurm/sweep.sh compare grid easy,dc a.swf b.swf -- --fst
#     sh tools/slurm/sweep.sh fst kth 32 kth.swf.gz -- --policy conservative
#
# It waits for the tasks. Where one failed or was killed, the same command again
# runs what is missing, and nothing else. DIR and traces must be reachable from
# all nodes. FAIRSCHED names the command, SBATCH_PARTITION, SBATCH_TIMELIMIT and
# their kin are sbatch's own; a task uses the processors that it gets.
set -eu

fail() # MESSAGE
{
	echo "sweep.sh: $1" >&2
	exit "${2:-2}"
}

quote() # ARGUMENT...; prints them as the shell reads them
{
	for quote_word; do
		printf "'%s' " "$(printf '%s' "$quote_word" | sed "s/'/'\\\\''/g")"
	done
}

absolute() # FILE
{
	[ -r "$1" ] || fail "$1 cannot be read"
	printf '%s/%s\n' "$(cd "$(dirname "$1")" && pwd)" "$(basename "$1")"
}

# A command line a task, with "I.out" for what it writes.
compare_tasks() # POLICIES TRACE... -- OPTION...
{
	policies=$(echo "$1" | tr , ' ')
	shift
	traces=
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		traces="$traces $(quote "$(absolute "$1")")"
		shift
	done
	[ -n "$traces" ] || fail "no trace"
	[ $# -eq 0 ] || shift
	options=$(quote "$@")
	i=0
	eval "set -- $traces"
	for trace; do
		for policy in $policies; do
			i=$((i + 1))
			echo "$(quote "$fairsched" compare "$trace" --policies \
				"$policy" --json "$dir/$i.out")$options$threads"
		done
	done
}

fst_tasks() # SHARDS TRACE -- OPTION...
{
	shards=$1
	trace=$(absolute "$2")
	shift 2
	[ $# -eq 0 ] || [ "$1" = -- ] || fail "one trace: what is '$1'?"
	[ $# -eq 0 ] || shift
	i=0
	while [ $i -lt "$shards" ]; do
		i=$((i + 1))
		echo "$(quote "$fairsched" simulate "$trace" --fst --shard \
			"$i/$shards" --part "$dir/$i.out" "$@")$threads"
	done
}

# Tasks that have not ended well, as --array takes them.
missing()
{
	i=0
	list=
	while [ $i -lt "$tasks" ]; do
		i=$((i + 1))
		[ -e "$dir/$i.done" ] || list="$list,$i"
	done
	echo "${list#,}"
}

# "[{ a }]" and "[{ b }]" to "[{ a }," and "{ b }]", as compare writes them.
join_json()
{
	i=0
	while [ $i -lt "$tasks" ]; do
		i=$((i + 1))
		# shellcheck disable=SC2016
		sed -e "$([ $i -eq 1 ] || echo '1s/^\[//')" \
			-e "$([ $i -eq "$tasks" ] || echo '$s/]$/,/')" \
			"$dir/$i.out"
	done
}

[ $# -ge 4 ] || fail "usage: sweep.sh compare|fst DIR ..."
kind=$1
mkdir -p "$2"
dir=$(cd "$2" && pwd)
shift 2
fairsched=$(absolute "${FAIRSCHED:-build/fairsched}")
# shellcheck disable=SC2016
threads='--threads ${SLURM_CPUS_ON_NODE:-1}'
case $kind in
compare | fst) "${kind}_tasks" "$@" >"$dir/tasks.new" ;;
*) fail "'$kind' is neither compare nor fst" ;;
esac
if [ -e "$dir/tasks" ] && ! cmp -s "$dir/tasks" "$dir/tasks.new"; then
	fail "$dir is of another sweep"
fi
mv "$dir/tasks.new" "$dir/tasks"
tasks=$(wc -l <"$dir/tasks" | tr -d ' ')

cat >"$dir/task.sh" <<'END'
#!/bin/sh
# The line of this array task; it is done when that succeeds.
dir=$1
eval "$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$dir/tasks")" >/dev/null &&
	: >"$dir/$SLURM_ARRAY_TASK_ID.done"
END
left=$(missing)
if [ -n "$left" ]; then
	sbatch --wait --array="$left" --job-name=sweep \
		--output="$dir/%a.log" "$dir/task.sh" "$dir" >&2 || :
	left=$(missing)
fi
[ -z "$left" ] ||
	fail "tasks $left did not end well, see $dir/N.log: run this again" 1
if [ "$kind" = compare ]; then
	join_json >"$dir/all.new"
	mv "$dir/all.new" "$dir/all.json"
	echo "$dir/all.json"
else
	i=0
	set --
	while [ $i -lt "$tasks" ]; do
		i=$((i + 1))
		set -- "$@" "$dir/$i.out"
	done
	"$fairsched" merge "$@" --part "$dir/all.part"
	echo "$dir/all.part"
fi
