#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/count.py: nothing that did not run is passed, no failure is lost.
. tests/test.sh

configured() # LABEL
{
	printf '{"id":{"targetConfigured":{"label":"%s"}},' "$1"
	printf '"configured":{"testSize":"SMALL"}}\n'
}

summary() # LABEL STATUS LIST: lines of the log come from stdin
{
	log=$tmp/log.$((number += 1))
	cat >"$log"
	printf '{"id":{"testSummary":{"label":"%s"}},' "$1"
	printf '"testSummary":{"overallStatus":"%s",' "$2"
	printf '"%s":[{"uri":"file://%s"}]}}\n' "$3" "$log"
}

counts() # NAME BAZEL-STATUS WANT, events from stdin
{
	cat >"$tmp/events"
	same "$1" "$(python3 tools/count.py "$tmp/events" "$2" 2>&1 |
		tail -n 1)" "$3"
}

number=0
{
	configured //:a
	printf 'ok 1\nskip 2: no file\nok 3\n' | summary //:a PASSED passed
} | counts "cases" 0 "2 0 1"
summary //:a PASSED passed </dev/null | counts "no cases" 0 "1 0 0"
echo 'not ok 1' | summary //:a FAILED failed | counts "failed" 3 "0 1 0"
echo 'ok 1' | summary //:a FAILED failed | counts "crashed" 3 "1 1 0"
echo 'ok 1' | summary //:a TIMEOUT failed | counts "timeout" 3 "1 1 0"
echo 'not ok 1' | summary //:a PASSED passed | counts "silent" 0 "0 1 0"
echo 'skip 1: x' | summary //:a PASSED passed | counts "skipped" 0 "0 0 1"
configured //:a | counts "not built" 1 "0 1 0"
counts "nothing ran" 0 "0 1 0" </dev/null
echo 'ok 1' | summary //:a PASSED passed | counts "bazel fails" 1 "1 1 0"
printf '{"id":{"testSummary":{"label":"//:a"}},"testSummary":{' |
	cat - >"$tmp/cut"
fails "cut off" 1 python3 tools/count.py "$tmp/cut" 1
finish
