#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# What several headers need is a block of lines, the same bytes in each of them.
. tests/test.sh

block() # NAME HEADER: the lines of the block
{
	awk -v guard="FAIRSCHED_SHARED_$1" '
	{ line[NR] = $0 }
	$0 == "#ifndef " guard { first = NR - 1 }
	$0 == "#endif /* " guard " */" {
		for (i = first; i <= NR; i++)
			print line[i]
	}' "$2"
}

for name in $(cat ./*.h policies/*.h policies/*/*.h |
	sed -n 's/^#ifndef FAIRSCHED_SHARED_//p' | sort -u); do
	headers=$(grep -l "^#ifndef FAIRSCHED_SHARED_$name\$" ./*.h policies/*.h \
		policies/*/*.h)
	first=${headers%%
*}
	block "$name" "$first" >"$tmp/$name"
	check "$name has lines" test "$(wc -l <"$tmp/$name")" -gt 9
	for header in $headers; do
		block "$name" "$header" >"$tmp/block"
		same_file "$name in $header" "$tmp/block" "$tmp/$name"
	done
done

# Without a block nothing above is compared.
for header in *.h policies/*.h policies/*/*.h; do
	for name in LINKAGE ASSERT NUMBERS DIVISION SORT HASH; do
		block "$name" "$header"
	done >"$tmp/block"
	grep -E '^ *# *define FAIR_(E[A-Z]+|ASSERT|MEM[A-Z]+) |unsigned __int128 fair_|(uint64_t|void) fair_(fnv|divide|sift|sort|put_word|get_word)\(' \
		"$header" >"$tmp/common"
	same "$header has no second version" \
		"$(grep -vxF -f "$tmp/block" "$tmp/common")" ""
done

printf '#include "%s"\nint main(void) { return FAIR_EINVAL; }\n' \
	"$PWD/usage.h" >"$tmp/constant.c"
if printf '#if __has_attribute(retain)\nretain\n#endif\n' | gcc -E - |
	grep -q retain; then
	fails "a unit without an implementation does not link" 1 \
		gcc "$tmp/constant.c" -o "$tmp/constant"
	check "the linker says what to do" grep -q \
		define_FAIRSCHED_IMPLEMENTATION_in_one_file "$tmp/err"
else
	skip "a unit without an implementation" "no attribute retain"
fi
check "with FAIRSCHED_STATIC it links" \
	gcc -Wall -Wextra -Werror -DFAIRSCHED_STATIC "$tmp/constant.c" \
	-o "$tmp/constant"
finish
