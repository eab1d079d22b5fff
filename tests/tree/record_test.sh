#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# All answers to random live events are those that tests/record/events.tsv has.
. tests/test.sh
check "answers to random events are as recorded" \
	sh tests/record/compare.sh events
fails "an unknown record" 2 sh tests/record/compare.sh other
finish
