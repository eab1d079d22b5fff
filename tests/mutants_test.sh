#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/mutate.py on a few lines, a program that holds all mutants of a few, and
# whether all that is argued equivalent is a mutant still.
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

cat >"$tmp/many.h" <<'END'
static const int odd[] = { 7 };
static inline void sum(const int odds[], int (*f)(int), int n)
{
	for (int i = 0; i < n; i++)
		f(*odds);
}
END
cat >"$tmp/many.c" <<'END'
#include <many.h>
static int all;
static int add(int n) { return all += n; }
int main(void) { sum(odd, add, 3); return all != 21; }
END
cat >"$tmp/many.py" <<'END'
import subprocess, sys
sys.path.insert(0, "tools")
import mutants, mutate
folder = sys.argv[1]
text = open(folder + "/many.h").read()
found = mutate.mutants(text)
with open(folder + "/many.h", "w") as f:
    f.write(mutate.Schema(text, found).text)
subprocess.run(["gcc", *mutants.MANY, "-I", folder, folder + "/many.c",
                "tools/mutants_serve.c", "-o", folder + "/many"], check=True)
server = mutants.Server(folder + "/many", "many", False)
for m in found:
    print("same" if server.run(m.number) else "differs", m.name.split(": ")[1])
END
cat >"$tmp/want" <<'END'
differs static const int odd[] = { {7|8} };
differs static const int odd[] = { {7|6} };
differs for (int i = {0|1}; i < n; i++)
differs for (int i = 0; {i < n|never}; i++)
differs for (int i = 0; i {<|<=} n; i++)
differs for (int i = 0; i < n; i{++|--})
differs {f(*odds);|lost}
END
check "a program of many mutants" sh -c 'python3 "$1/many.py" "$1" >"$1/got"' \
	- "$tmp"
same_file "each is itself" "$tmp/got" "$tmp/want"
check "what is argued equivalent" sh tools/mutants.sh --check
fails "no such header" 2 sh tools/mutants.sh no.h
finish
