#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/mutate.py on a few lines, a program that holds all mutants of a few, and
# tools/mutants.sh on a tree with one header.
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

# A test that tries neither the tie nor an argument above the limit.
tree=$tmp/tree
mkdir -p "$tree/tools" "$tree/tests" "$tree/fuzz"
cp tools/mutants.sh tools/mutants.py tools/mutate.py tools/mutants_serve.c \
	"$tree/tools"
cp fuzz/replay_main.c fuzz/fuzz.h "$tree/fuzz"
cat >"$tree/toy.h" <<'END'
int fair_toy_least(int a, int b);
int fair_toy_half(int n);
#ifdef FAIR_TOY_IMPLEMENTATION
int fair_toy_least(int a, int b)
{
	return a < b ? a : b;
}
int fair_toy_half(int n)
{
	if (n > 100)
		return 50;
	return n / 2;
}
#endif
END
cat >"$tree/tests/toy_test.c" <<'END'
#include "toy.h"
int main(void)
{
	return fair_toy_least(1, 2) != 1 || fair_toy_least(2, 1) != 1 ||
	       fair_toy_half(8) != 4;
}
END
cat >"$tmp/want" <<'END'
toy.h: fair_toy_half
	if ({n > 100|never})
	if (n {>|>=} 100)
	if (n > {100|101})
	if (n > {100|99})
	{return 50;|lost}
	return {50|51};
	return {50|49};
END
tool() # ARGUMENT...: the survivors, without the score
{
	sh "$tree/tools/mutants.sh" --seconds 0 "$@" >"$tmp/said" 2>"$tmp/err"
	status=$?
	grep -v '^#' "$tmp/said" >"$tmp/got"
	[ $status -ne 2 ] || cat "$tmp/err"
}

if command -v gcc >/dev/null && command -v gcov >/dev/null; then
	tool toy.h
	same "survivors are a failure" $status 1
	same_file "survivors, function by function" "$tmp/got" "$tmp/want"
	cp "$tmp/said" "$tmp/before"
	tool --against "$tmp/before"
	same "no survivor is new" "$status $(cat "$tmp/got")" "0 "
	{
		echo '# a line above moves all others'
		grep -v 101 "$tmp/before"
	} >"$tmp/fewer"
	sed 's/^int fair_toy_least/\n&/' "$tree/toy.h" >"$tmp/toy.h"
	cp "$tmp/toy.h" "$tree/toy.h"
	tool --against "$tmp/fewer"
	same "a survivor is new" "$status $(tail -n 1 "$tmp/got")" \
		"1 	if (n > {100|101})"

	# Rooms of one unit are tried together.
	rm "$tree/toy.h" "$tree/tests/toy_test.c"
	mkdir "$tree/sched"
	cat >"$tree/fairsched.h" <<'END'
int fair_one_more(int n);
int fair_is_many(int n);
#ifdef FAIRSCHED_IMPLEMENTATION
#include "sched/one.h"
#include "sched/many.h"
#endif
END
	cat >"$tree/sched/one.h" <<'END'
int fair_one_more(int n)
{
	return n + 1;
}
END
	cat >"$tree/sched/many.h" <<'END'
int fair_is_many(int n)
{
	return n > 9;
}
END
	cat >"$tree/tests/fairsched_test.c" <<'END'
#include "fairsched.h"
int main(void)
{
	return fair_one_more(2) != 3 || fair_is_many(9) || !fair_is_many(11);
}
END
	printf '%s\n\t%s\n' "sched/many.h: fair_is_many" "return n > {9|10};" \
		>"$tmp/want"
	tool sched/one.h sched/many.h
	same_file "rooms of a header" "$tmp/got" "$tmp/want"
	echo nonsense >"$tmp/nonsense"
	fails "not a list of survivors" 2 sh "$tree/tools/mutants.sh" \
		--against "$tmp/nonsense"
else
	skip "survivors" "no gcc and gcov"
fi
fails "no such header" 2 sh tools/mutants.sh no.h
fails "no such file" 2 sh tools/mutants.sh --against no.txt
finish
