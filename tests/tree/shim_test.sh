#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The script in Python calls each event of fairsched.h through foreign.c, but
# step(), for which it has foreign_start().
. tests/test.sh

events=$(cat fairsched.h sched/host.h | tr '\n\t' '  ' | tr -s ' ' |
	grep -o 'API int fair_sched_[a-z_]*(struct fair_sched \*s, int64_t now' |
	sed 's/.*fair_sched_//;s/(.*//' | grep -vx step)
check "there are events" test "$(echo "$events" | wc -l)" -gt 30
for event in $events; do
	check "$event is called" \
		grep -q "call(\"$event\"" docs/examples/python/events.py
done
finish
