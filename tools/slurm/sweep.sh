#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tools/slurm/sweep.sh compare DIR POLICY,... TRACE... [-- OPTION...]
#        sh tools/slurm/sweep.sh fst DIR SHARDS TRACE [-- OPTION...]
#
# Runs simulations as tasks of a Slurm job array and joins their results:
#
#   compare  a task for each trace and policy; DIR/all.json has the same bytes
#            as fairsched compare TRACE... --policies P,... --json
#   fst      a task for each of SHARDS parts of the fair start times of a trace;
#            DIR/all.part has what fairsched simulate --fst --part writes
#
#     sh tools/slurm/sweep.sh compare grid easy,dc a.swf b.swf -- --fst
#     sh tools/slurm/sweep.sh fst kth 32 kth.swf.gz -- --policy conservative
#
# It waits for the tasks. If one failed or was killed, run the same command
# again: it runs the missing tasks only. All nodes must reach DIR and the traces.
# FAIRSCHED names the command; sbatch itself reads SBATCH_PARTITION,
# SBATCH_TIMELIMIT and the like. A task uses the processors that it gets.
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
	[ -r "$1" ] || fail "cannot read $1"
	printf '%s/%s\n' "$(cd "$(dirname "$1")" && pwd)" "$(basename "$1")"
}

# Prints the command line of each task, which writes I.out.
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
	[ $# -eq 0 ] || [ "$1" = -- ] || fail "unexpected argument '$1'"
	[ $# -eq 0 ] || shift
	i=0
	while [ $i -lt "$shards" ]; do
		i=$((i + 1))
		echo "$(quote "$fairsched" simulate "$trace" --fst --shard \
			"$i/$shards" --part "$dir/$i.out" "$@")$threads"
	done
}

# Prints the unfinished tasks as --array takes them.
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

# Joins "[{ a }]" and "[{ b }]" to "[{ a }," and "{ b }]".
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
*) fail "unexpected command '$kind': compare or fst" ;;
esac
if [ -e "$dir/tasks" ] && ! cmp -s "$dir/tasks" "$dir/tasks.new"; then
	fail "$dir belongs to another sweep"
fi
mv "$dir/tasks.new" "$dir/tasks"
tasks=$(wc -l <"$dir/tasks" | tr -d ' ')

cat >"$dir/task.sh" <<'END'
#!/bin/sh
# Runs the line of this array task and marks it done if it succeeds.
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
	fail "tasks $left failed, see $dir/N.log: run the same command again" 1
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
