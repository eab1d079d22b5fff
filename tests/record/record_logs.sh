#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# usage: sh tests/record/record_logs.sh FAIRSCHED [LOG ...]
#
# Simulates the logs in $FAIRSCHED_SHARED/traces (../shared), or some of them, by
# each policy and order, two at a time, and prints log, policy, order and digest,
# sorted.
#
# sfs has as targets twice what each user used of the processors on average. maui
# and order priority read maui.cfg, caps is maui by maui_caps.cfg.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)

# The largest log only where that takes seconds; logs without users or orders of
# interest only by the policies.
runs() # LOG ...
{
	for log; do
		for policy in fcfs easy depth; do
			echo "$log $policy fcfs"
		done
		case $log in RICC*) continue ;; esac
		for policy in conservative pc dc; do
			echo "$log $policy fcfs"
		done
		case $log in CERIT*) continue ;; esac
		for order in sjf widest; do
			for policy in easy pc dc; do
				echo "$log $policy $order"
			done
		done
		for order in lxf linear usage priority; do
			echo "$log easy $order"
		done
		echo "$log bestfit fcfs"
		echo "$log greedy lxf"
		echo "$log sfs fcfs"
		echo "$log sfs widest"
		echo "$log relshare -"
		echo "$log maui -"
		echo "$log caps -"
	done
}

# Of field 12; processors are field 5, or 8 where that is unknown.
targets() # LOG
{
	gzip -dc "$traces/$1.swf.gz" | awk '
		BEGIN { OFS = "," }
		/^;/ || NF < 18 { next }
		{
			procs = $5 > 0 ? $5 : $8
			if (procs > 0 && $4 > 0)
				used[$12] += procs * $4
			else
				used[$12] += 0
			if (begin == "")
				begin = $2
			end = $2 + $4 > end ? $2 + $4 : end
		}
		END {
			print "account", "target"
			for (user in used)
				print user, int(2 * used[user] / (end - begin))
		}
	'
}

one() # LOG POLICY ORDER
{
	options="--policy $2"
	case $2 in
	depth) options="$options --depth 4" ;;
	bestfit | greedy)
		options="--policy easy --backfill $2 --metric seconds --longest"
		;;
	sfs) options="$options --depth 2 --accounts $tmp/$1.csv" ;;
	maui) options="$options --config $folder/maui.cfg" ;;
	caps) options="--policy maui --config $folder/maui_caps.cfg" ;;
	esac
	[ "$3" = - ] || options="$options --order $3"
	case $3 in
	linear) options="$options --weight 90" ;;
	priority) options="$options --config $folder/maui.cfg" ;;
	esac
	case $1 in CERIT*) options="$options --procs 2176" ;; esac
	# shellcheck disable=SC2086
	digest=$("$program" simulate "$traces/$1.swf.gz" $options \
		2>"$tmp/$1.$2.$3.txt" | sed -n 's/^digest *//p')
	[ -n "$digest" ] || sed "s|^|$*: |" "$tmp/$1.$2.$3.txt" >&2
	printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${digest:-failed}"
}

# Of each log, for sfs.
all_targets() # LOG ...
{
	for log; do
		case $log in RICC* | CERIT*) continue ;; esac
		targets "$log" >"$tmp/$log.csv"
	done
}

# Called by itself, with these in the environment.
if [ "$1" = --one ]; then
	shift
	one "$@"
	exit
fi
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
traces=$(cd "${FAIRSCHED_SHARED:-$folder/../../../shared}/traces" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export program traces tmp
if [ $# -eq 0 ]; then
	for log in "$traces"/*.swf.gz; do
		set -- "$@" "$(basename "$log" .swf.gz)"
	done
fi
all_targets "$@"
runs "$@" | xargs -P 2 -L 1 sh "$folder/record_logs.sh" --one | LC_ALL=C sort
