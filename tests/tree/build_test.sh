#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/build.sh: by a C compiler alone, again only after a change.
. tests/test.sh

tree=$tmp/tree
cp tests/golden/apart.swf "$tmp/t.swf"
mkdir "$tree"
cp -RL ./*.h policies sched tools docs "$tree"
rm -f "$tree/tools/fairsched/fairsched"

export CFLAGS=-O0 # a third of the time
# Compiles once, and then copies what it made.
cat >"$tmp/cc" <<'END'
#!/bin/sh
case $* in
*fairsched.new) ;;
*) exec cc "$@" ;;
esac
for out; do :; done
[ -f "$0.made" ] || cc "$@" -o "$0.made" || exit
cp "$0.made" "$out"
END
chmod +x "$tmp/cc"
export CC="$tmp/cc"
check "builds" sh "$tree/tools/build.sh"
check "runs" "$tree/build/fairsched" --version
check "run.sh runs" sh "$tree/tools/run.sh" --version

touch "$tmp/mark"
sleep 1
check "builds again" sh "$tree/tools/build.sh"
same "nothing to do" "$(find "$tree/build/fairsched" -newer "$tmp/mark")" ""
touch "$tree/fairsched.h"
check "builds after a change" sh "$tree/tools/build.sh"
same "it did" "$(find "$tree/build/fairsched" -newer "$tmp/mark")" \
	"$tree/build/fairsched"

cd "$tmp" || exit
unset CC
export ZLIB=no
check "builds into a folder, without zlib" sh "$tree/tools/build.sh" out/bin
check "runs" out/bin/fairsched --version
check "knows its compiler" grep -q '^cc ' out/bin/built.txt
if command -v tcc >/dev/null; then
	CC=tcc check "builds by tcc" sh "$tree/tools/build.sh" out/tcc
	check "runs" out/tcc/fairsched simulate "$tree/../t.swf"
else
	skip "tcc" "it is not installed"
fi
finish
