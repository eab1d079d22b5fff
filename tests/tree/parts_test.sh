#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Each part left out alone, and each policy alone: it compiles without a warning,
# decides as the whole does, and says what it is without.
# shellcheck disable=SC2086
. tests/test.sh

warn="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
# gcc looks for the column of each statement from far before it: in a long file that
# takes 95 % of its time. The files of the tree are short, and clang sees it here.
columns=-Wno-misleading-indentation
one=$tmp/one # a folder with the single file
mkdir "$one"

# The file of amalgamate.sh as C99, as C++11, with static functions.
compiles() # NAME
{
	sed '/define FAIRSCHED_IMPL/d' tests/parts.c >"$tmp/static.c"
	cp tests/parts.c "$tmp/parts.cc"
	check "$1: C99" gcc -std=c99 $warn $columns -fsyntax-only -I"$one" \
		tests/parts.c
	check "$1: links" $quick_cc -O0 -std=c99 $warn -I"$one" tests/parts.c \
		-o "$tmp/parts"
	check "$1: C++11" $quick_cxx -std=c++11 $warn -fsyntax-only -I"$one" \
		"$tmp/parts.cc"
	check "$1: static" $quick_cc -std=c99 $warn -DFAIRSCHED_STATIC \
		-fsyntax-only -I"$one" "$tmp/static.c"
}

# The digests of what is there are those of the whole.
decides() # NAME PROGRAM
{
	check "$1: runs" "$2"
	grep -v 'this build is without' "$tmp/check" >"$tmp/there"
	same "$1: decides as the whole" \
		"$(grep -vxF -f "$tmp/whole" "$tmp/there")" ""
}

# Which policies, and orders of fcfs or dc, are left out.
lacks() # NAME POLICIES ORDERS
{
	cp "$tmp/check" "$tmp/lacks"
	same "$1: policies" "$(sed -n \
		's/^\([a-z]*\) fcfs this build is without the policy$/\1/p' \
		"$tmp/check" | tr '\n' ' ')" "$2"
	same "$1: orders" "$(sed -n \
		's/^fcfs \(.*\) this build is without the order$/\1/p' \
		"$tmp/check" | tr '\n' ' ')" "$3"
}

# The single file without a part, and the tree with its macro.
part() # NAME POLICIES ORDERS [MESSAGE]
{
	sh tools/amalgamate.sh --without "$1" >"$one/fairsched.h"
	compiles "without $1"
	decides "without $1" "$tmp/parts"
	lacks "without $1" "$2" "$3"
	[ $# -lt 4 ] || check "without $1: says so" grep -q "^fcfs $1 $4$" \
		"$tmp/lacks"
	macro=FAIRSCHED_WITHOUT_$(echo "$1" | tr a-z A-Z)
	gcc -std=c99 -E -P -I"$one" tests/parts.c |
		sed 's/_declares_[0-9]*//g' >"$tmp/single"
	check "the tree with $macro" gcc -std=c99 -E -P -I. "-D$macro" \
		tests/parts.c -o "$tmp/tree"
	same_file "the tree with $macro is that file" "$tmp/tree" \
		"$tmp/single"
}

policy() # NAME LEFT_OUT
{
	sh tools/amalgamate.sh --policies "$1" >"$one/fairsched.h"
	compiles "$1 alone"
	decides "$1 alone" "$tmp/parts"
	lacks "$1 alone" "$2" "$3"
}

check "the whole compiles" gcc -O0 -std=c99 $warn -I. tests/parts.c \
	-o "$tmp/parts"
check "the whole runs" "$tmp/parts"
cp "$tmp/check" "$tmp/whole"
same "the whole lacks nothing" "$(grep -c 'without' "$tmp/whole")" 0
check "and decides" test "$(grep -cE ' [0-9a-f]{16}$' "$tmp/whole")" -gt 40

part conservative "conservative pc dc " ""
part sfs "sfs " ""
part relshare "relshare " "relshare "
part maui "maui " "priority "
part tree "relshare " "tree relshare "
part usage "relshare maui " "usage tree dominant priority relshare "
part fairness "" ""
part runs "" ""
part why "" ""
part whatif "" ""
part checkpoint "" ""
part nodes "" "" "this build is without nodes"
part classes "" "" "this build is without classes"
part limits "" "" "this build is without limits"
part advances "" "" "this build is without advance reservations"
part throttle "maui " "priority "
part penalty "" ""
part profile "conservative pc dc maui " "priority "
check "without profile: one reservation" grep -q \
	'^backfill profile this build is without depth above 1' "$tmp/lacks"
policy easy "conservative pc dc sfs relshare maui " "priority relshare "
policy fcfs,pc "sfs relshare maui " "priority relshare "
policy sfs "conservative pc dc relshare maui " "priority relshare "
policy relshare "conservative pc dc sfs maui " "priority "
policy maui "conservative pc dc sfs relshare " "relshare "

# Everything but easy.
sh tools/amalgamate.sh --policies easy \
	--without usage,tree,fairness,runs,why,whatif,checkpoint \
	--without nodes,classes,limits,advances,throttle,penalty,profile \
	>"$one/fairsched.h"
compiles "easy and nothing else"
decides "easy and nothing else" "$tmp/parts"
check "says what it is without" grep -q "^ \* Without: conservative sfs \
relshare maui tree usage fairness runs why whatif checkpoint nodes classes \
limits advances throttle penalty profile\.$" \
	"$one/fairsched.h"
same "no call of them is left" "$(grep -v '^ \*' "$one/fairsched.h" | grep -E \
	'fair_(conservative|sfs|relshare|maui|fairtree|usage|fairness)_[a-z]+\(')" ""
lines=$(wc -l <"$one/fairsched.h")
check "easy alone has $lines lines, at most 14000" test "$lines" -le 14000
sed 's/^#define FAIRSCHED_IMPL.*/#define FAIRSCHED_STATIC/' \
	docs/examples/loop.c >"$tmp/loop.c"
gcc -std=c99 -Os -I"$one" -c "$tmp/loop.c" -o "$tmp/loop.o"
bytes=$(size "$tmp/loop.o" | awk 'NR == 2 { print $1 }')
check "its text is $bytes bytes, at most 40000" test "$bytes" -le 40000

# Units of two sets of parts do not link.
printf '#include "fairsched.h"\nint main(void) { return 0; }\n' >"$tmp/user.c"
printf '#define FAIRSCHED_IMPLEMENTATION\n#include "fairsched.h"\n' \
	>"$tmp/bodies.c"
$quick_cc -I. -c "$tmp/user.c" -o "$tmp/user.o"
$quick_cc -I. -c -DFAIRSCHED_WITHOUT_SFS "$tmp/bodies.c" -o "$tmp/bodies.o"
if printf '#if __has_attribute(retain)\nretain\n#endif\n' | gcc -E - |
	grep -q retain; then
	fails "another set of parts does not link" 1 gcc "$tmp/user.o" \
		"$tmp/bodies.o" -o "$tmp/user"
	check "the linker says why" grep -q \
		'fair_sched_sizes_[0-9]*_of_another_build' "$tmp/err"
else
	skip "another set of parts" "no attribute retain"
fi

fails "an unknown part" 1 sh tools/amalgamate.sh --without nothing
fails "an unknown policy" 1 sh tools/amalgamate.sh --policies none
fails "an unknown argument" 1 sh tools/amalgamate.sh --with sfs fairsched.h
finish
