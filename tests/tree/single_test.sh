#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/amalgamate.sh: what the single file says of itself, what it defines, and
# what links with what.
# shellcheck disable=SC2086
. tests/test.sh

warn="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
root=$PWD
one=$tmp/one # a folder with the single file
version=$(sed -n 's/^#define FAIRSCHED_VERSION //p' profile.h)
next=$((version + 1))

pages()
{
	FAIRSCHED_COMMIT=0123456789ab sh tools/amalgamate.sh >"$tmp/named.h"
	check "names its commit" grep -qF ", commit 0123456789ab." "$tmp/named.h"
	same "names nothing else" "$(diff "$one/fairsched.h" "$tmp/named.h" |
		grep '^[<>]' | grep -cv ', commit ')" 0
	check "names its version" grep -q "Version $(echo "$version" |
		sed 's/./.&/g; s/^.//')," "$one/fairsched.h"
	same "one licence" "$(grep -c '^ \* A - MIT' "$one/fairsched.h")" 1
	same "no include of ours" "$(grep '^#include "' "$one/fairsched.h")" ""
	same "parts" "$(grep -cE '^ \* +[0-9]+  [a-z_/]+\.h - ' \
		"$one/fairsched.h")" "$(find ./*.h policies sched -name "*.h" |
		wc -l)"
	same "each begins where the first page says" "$(awk '
		/^ \*\/$/ { listed = 1 }
		!listed && $2 ~ /^[0-9]+$/ { title[$2 + 1] = substr($0, 13) }
		NR in title && $0 != " * " title[NR]' "$one/fairsched.h")" ""
	check "leaves the tree as it is" cmp fairsched.h "$tmp/before.h"
}

# Defined by this unit but not by the system headers that it includes.
macros() # DEFINE...
{
	for define; do printf '#define %s\n' "$define"; done >"$tmp/m.c"
	cp "$tmp/m.c" "$tmp/system.c"
	grep -ho '^#include <.*>' "$one/fairsched.h" | sort -u >>"$tmp/system.c"
	echo '#include "fairsched.h"' >>"$tmp/m.c"
	for unit in m system; do
		gcc -std=c99 -I"$one" -dM -E "$tmp/$unit.c" |
			awk '{ sub(/\(.*/, "", $2); print $2 }' | sort -u \
			>"$tmp/$unit.txt"
	done
	comm -23 "$tmp/m.txt" "$tmp/system.txt"
}

# alone_test.sh sees to the symbols of the object file.
names()
{
	macros >"$tmp/macros"
	check "macros" grep -q '^FAIRSCHED_VERSION$' "$tmp/macros"
	same "macros declared are ours" "$(grep -v '^FAIR' "$tmp/macros")" ""
	same "macros implemented are ours" "$(macros FAIRSCHED_IMPLEMENTATION |
		grep -v '^FAIR')" ""
	printf '#include "fairsched.h"\n#define FAIRSCHED_IMPLEMENTATION\n#include "fairsched.h"\n' |
		gcc -std=c99 -I"$one" -E - | grep -v '^#' | tr -s '\n\t' '  ' \
		>"$tmp/text"
	same "types are ours" "$(grep -oE \
		'\<(struct|enum|union) [A-Za-z_0-9]+ \{' "$tmp/text" |
		grep -v ' fair_')" ""
	grep -oE '\<enum [a-z_]* ?\{[^}]*\}' "$tmp/text" | sed 's/.*{//' |
		tr ',' '\n' | sed 's/=.*//' | tr -d ' }' | grep . >"$tmp/constants"
	check "constants" grep -q '^FAIR_CONSERVATIVE$' "$tmp/constants"
	same "constants are ours" "$(grep -v '^FAIR_' "$tmp/constants")" ""
}

# A folder whose only header is the single file goes through alone_test.sh, and
# each alone_NAME.c through the part that it includes.
alone()
{
	mkdir -p "$tmp/tree/tests" "$tmp/tree/policies"
	cp "$one/fairsched.h" LICENSE "$tmp/tree"
	cp tests/test.sh tests/tree/alone_test.sh "$tmp/tree/tests"
	(cd "$tmp/tree" && sh tests/alone_test.sh) >"$tmp/alone" ||
		grep -vE '^(ok|not ok|skip) ' "$tmp/alone"
	check "single file: tests of a header" grep -q '^ok' "$tmp/alone"
	grep -E '^(ok|not ok|skip) ' "$tmp/alone" |
		sed -E 's/^(ok|not ok|skip) /&single file: /'
	test_cases=$((test_cases + $(grep -c '^ok' "$tmp/alone")))
	test_failed=$((test_failed + $(grep -c '^not ok' "$tmp/alone")))
}

run() # NAME FILE...: compiles with the header in $one, links, runs
{
	test_name=$1
	shift
	check "$test_name compiles and links" c++ -o "$tmp/run" "$@"
	check "$test_name runs" "$tmp/run"
}

object() # FOLDER NAME.c|NAME.cc FLAG...: compiles it into $tmp/NAME.o
{
	object_folder=$1
	object_file=$2
	shift 2
	case $object_file in
	*.cc) $quick_cxx -std=c++11 $warn "$@" -I"$object_folder" -I. \
		-c "$tmp/$object_file" -o "$tmp/${object_file%.*}.o" ;;
	*) $quick_cc -std=c99 $warn "$@" -I"$object_folder" -I. \
		-c "$tmp/$object_file" -o "$tmp/${object_file%.*}.o" ;;
	esac
}

# Units of both languages, with and without the functions in them.
links()
{
	for name in c_extern cc_extern c_static cc_static; do
		extension=${name%_*}
		case $name in
		*_static) static='#define FAIRSCHED_STATIC
#define FAIRSCHED_IMPLEMENTATION' ;;
		*) static= ;;
		esac
		printf '%s\n#define alone %s\n#include "%s"\n' "$static" \
			"$name" "$root/tests/alone_fairsched.c" \
			>"$tmp/$name.$extension"
		object "$one" "$name.$extension" ||
			not_ok "$name compiles"
	done
	printf '#define FAIRSCHED_IMPLEMENTATION\n#include "fairsched.h"\n' \
		>"$tmp/functions.c"
	object "$one" functions.c
	cat >"$tmp/main.cc" <<-'EOF'
		extern "C" int c_extern(void);
		extern "C" int c_static(void);
		int cc_extern(void);
		int cc_static(void);
		int main()
		{
			return c_extern() || c_static() || cc_extern() ||
			       cc_static();
		}
	EOF
	object "$one" main.cc
	run "C, C++, static, external" "$tmp/main.o" "$tmp/c_extern.o" \
		"$tmp/cc_extern.o" "$tmp/c_static.o" "$tmp/cc_static.o" \
		"$tmp/functions.o"
}

# The program uses version N, the functions are those of version N + 1.
versions()
{
	mkdir "$tmp/next"
	sed "s/_version_${version}_/_version_${next}_/; s/^\(#define FAIRSCHED_VERSION\) .*/\1 $next/" \
		"$one/fairsched.h" >"$tmp/next/fairsched.h"
	cp "$tmp/functions.c" "$tmp/next_functions.c"
	object "$tmp/next" next_functions.c -ffunction-sections -fdata-sections
	cat >"$tmp/user.c" <<-'EOF'
		#include "fairsched.h"
		int main(void)
		{
			return fair_version()[0] != '1';
		}
	EOF
	object "$one" user.c -ffunction-sections -fdata-sections
	check "one version links" gcc "$tmp/user.o" "$tmp/functions.o" \
		-Wl,--gc-sections -o "$tmp/user"
	if grep -q retain "$tmp/retain"; then
		fails "another version does not" 1 gcc "$tmp/user.o" \
			"$tmp/next_functions.o" -Wl,--gc-sections -o "$tmp/user"
		check "the linker names it" grep -q \
			"fair_sched_version_$version" "$tmp/err"
	else
		skip "another version does not link" "no attribute retain"
	fi
	fails "nor do two versions" 1 gcc "$tmp/user.o" "$tmp/functions.o" \
		"$tmp/next_functions.o" -o "$tmp/user"
	cp "$tmp/c_static.c" "$tmp/next_static.c"
	object "$tmp/next" next_static.c -Dc_static=next_static
	printf 'extern "C" int c_static(void);
		extern "C" int next_static(void);
		int main() { return c_static() || next_static(); }\n' \
		>"$tmp/both.cc"
	object "$one" both.cc
	run "two versions, each static," "$tmp/both.o" "$tmp/c_static.o" \
		"$tmp/next_static.o"
}

# The tree in $tmp/NAME after a change of a file, and its single file beside it.
# The files that are there may be links.
changed() # NAME FILE SED_SCRIPT
{
	mkdir -p "$tmp/$1/single"
	cp -RL ./*.h policies sched tools "$tmp/$1"
	sed "$3" "$2" >"$tmp/$1/$2"
	check "$1: a change" sh -c "! cmp -s '$2' '$tmp/$1/$2'"
	sh "$tmp/$1/tools/amalgamate.sh" >"$tmp/$1/single/fairsched.h"
}

# Bodies of $tmp/FOLDER as an object of that name.
bodies() # FOLDER NAME
{
	cp "$tmp/functions.c" "$tmp/$2.c"
	object "$tmp/$1" "$2.c" -ffunction-sections
}

# Builds of one version: what a unit and the bodies declare must be the same.
builds()
{
	changed longer_job sched/types.h \
		's/^struct fair_job {$/&\n\tint64_t another;/'
	changed another_kind sched/types.h 's/^\tFAIR_DISPLACED/\tFAIR_ODD,&/'
	changed other_body sched/names.h 's/"narrowest"/"narrow"/'
	changed other_comment sched/types.h 's/^enum fair_state {$/& \/* of a job *\//'
	bodies longer_job/single longer_job
	bodies another_kind/single another_kind
	bodies other_body/single other_body
	bodies other_comment/single other_comment
	if ! grep -q retain "$tmp/retain"; then
		skip "builds of one version" "no attribute retain"
		return
	fi
	for name in longer_job another_kind; do
		fails "the single file: $name" 1 gcc "$tmp/user.o" \
			"$tmp/$name.o" -Wl,--gc-sections -o "$tmp/user"
		check "the linker names what differs" grep -q \
			"fair_sched_version_${version}_declares_" "$tmp/err"
	done
	for name in other_body other_comment; do
		check "the single file: $name links" gcc "$tmp/user.o" \
			"$tmp/$name.o" -Wl,--gc-sections -o "$tmp/user"
	done
	object . user.c -ffunction-sections
	bodies longer_job longer_job_tree
	fails "the tree: a longer job" 1 gcc "$tmp/user.o" \
		"$tmp/longer_job_tree.o" -Wl,--gc-sections -o "$tmp/user"
	check "the linker says why" grep -q \
		'fair_sched_sizes_[0-9]*_of_another_build' "$tmp/err"
}

# Each header with those that it includes as one file in an empty folder. clang
# compiles it in half the time; that gcc does, alone_test.sh sees.
flat()
{
	for header in *.h policies/*.h; do
		[ "$header" != fairsched.h ] || continue
		rm -rf "$tmp/flat"
		mkdir "$tmp/flat"
		name=${header##*/}
		sh tools/amalgamate.sh "$header" >"$tmp/flat/$name"
		printf '#define FAIRSCHED_IMPLEMENTATION\n#include "%s"\n' \
			"$name" >"$tmp/flat.c"
		sed '/^#include/d' "tests/alone_${name%.h}.c" >>"$tmp/flat.c"
		echo 'int main(void) { return alone(); }' >>"$tmp/flat.c"
		sed -i 's/^int alone/static &/' "$tmp/flat.c"
		cp "$tmp/flat.c" "$tmp/flat.cc"
		check "$name copied, C" $quick_cc -std=c99 $warn -I"$tmp/flat" \
			"$tmp/flat.c" -o "$tmp/flat/c"
		check "$name copied, C++" $quick_cxx -std=c++11 $warn \
			-I"$tmp/flat" "$tmp/flat.cc" -o "$tmp/flat/cc"
		check "$name copied, works" "$tmp/flat/c"
		check "$name copied, works in C++" "$tmp/flat/cc"
	done
}

mkdir "$one"
cp fairsched.h "$tmp/before.h"
check "amalgamates" sh tools/amalgamate.sh
sh tools/amalgamate.sh >"$one/fairsched.h"
printf '#ifdef __has_attribute\n#if __has_attribute(retain)\nretain\n#endif\n#endif\n' |
	gcc -E - >"$tmp/retain"
pages
names
alone
links
versions
builds
flat
finish
