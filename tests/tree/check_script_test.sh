#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/check.sh on a tree with a command, a model and four tests.
. tests/test.sh

command -v "${CC:-cc}" >/dev/null || {
	skip check "no compiler"
	finish
}
tree=$tmp/tree
mkdir -p "$tree/tools/fairsched/cli" "$tree/tests/model" \
	"$tree/tools/fairsched/report/assets"
echo 'echo "int page;"' >"$tree/tools/fairsched/report/assets/embed.sh"
cp tools/check.sh "$tree/tools"
echo 'int main(void) { return 0; }' >"$tree/tools/fairsched/cli/main.c"
echo 'int model(void); int model(void) { return 2; }' \
	>"$tree/tests/model/model.c"
toy() # NAME STATEMENT
{
	printf '#include <stdio.h>\nint model(void);\n%s\n\t%s\n}\n' \
		'int main(void) {' "$2" >"$tree/tests/$1_test.c"
}
checks() # NAME WANT: of the exit status and the last line
{
	status=0
	sh "$tree/tools/check.sh" >"$tmp/out" 2>"$tmp/err" || status=$?
	same "$1" "$status $(tail -n 1 "$tmp/out" | sed 's/ in .*//')" "$2"
}

toy good 'puts("ok one"); puts("skip two: x"); return model() != 2;'
toy silent 'return model() - 2;'
checks "all pass" "0 2 passed, 0 failed, 1 skipped"
check "it says what to run next" grep -q 'sh tools/test.sh' "$tmp/err"
toy bad 'puts("ok one"); puts("why"); puts("not ok two"); return 1;'
toy crash 'puts("ok one"); fflush(stdout); return *(volatile int *)0;'
toy broken 'return none();'
checks "failures are counted" "1 4 passed, 3 failed, 1 skipped"
check "a failed test is shown" grep -q '^why$' "$tmp/out"
check "one that ended early" grep -q '^not ok crash_test: exit' "$tmp/out"
check "one that does not compile" grep -q '^not ok broken_test' "$tmp/out"
check "how to run it again" grep -q 'sh tools/check.sh bad_test' "$tmp/out"
check "one test" sh "$tree/tools/check.sh" good_test
fails "no such test" 1 sh "$tree/tools/check.sh" none_test
echo 'int' >>"$tree/tests/model/model.c"
touch -d '1 minute' "$tree/tests/model/model.c"
checks "the command does not compile" "1 0 passed, 1 failed, 0 skipped"
finish
