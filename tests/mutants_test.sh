#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/mutate.py on a few lines, and whether all that is argued equivalent is a
# mutant still.
. tests/test.sh

cat >"$tmp/x.h" <<'END'
/* 1 < 2 */
#define ONE (1 + 1)
struct x {
	int a[2];
};
static const int table[] = { 7 };
static int first(const struct x *x, int n)
{
	int i = n * 2;

	FAIR_ASSERT(i < 9);
	if (!x || i < 0)
		return -FAIR_EINVAL;
	if (i < n)
		n = i;
	return second(i, n ? i : true);
}
END
cat >"$tmp/want" <<'END'
6: table: static const int table[] = { {7|8} };
6: table: static const int table[] = { {7|6} };
9: first: int i = n {*|/} 2;
9: first: int i = n * {2|3};
9: first: int i = n * {2|1};
12: first: if ({!|}x || i < 0)
12: first: if ({!x|lost} || i < 0)
12: first: if ({!x || i < 0|never})
12: first: if ({!x || i < 0|always})
12: first: if (!x {|||&&} i < 0)
12: first: if (!x || {i < 0|lost})
12: first: if (!x || i {<|<=} 0)
12: first: if (!x || i < {0|1})
13: first: {return -FAIR_EINVAL;|lost}
13: first: return {-|}FAIR_EINVAL;
13: first: return -{FAIR_EINVAL|FAIR_ERANGE};
14: first: if ({i < n|never})
14: first: if ({i < n|always})
15: first: {n = i;|lost}
16: first: return second({i, n ? i : true|swapped});
16: first: return second(i, {n|never} ? i : true);
16: first: return second(i, {n|always} ? i : true);
16: first: return second(i, n ? i : {true|false});
END
check "mutates" sh -c 'python3 tools/mutate.py "$1" >"$2"' - "$tmp/x.h" \
	"$tmp/got"
same_file "all operators, in order" "$tmp/got" "$tmp/want"
check "what is argued equivalent" sh tools/mutants.sh --check
fails "no such header" 2 sh tools/mutants.sh no.h
finish
