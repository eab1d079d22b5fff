#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/release.sh writes the same bytes twice, and its files can be used.
. tests/packages/common.sh

version=$(sh tools/version.sh)
name=fairsched-$version
if ! git rev-parse -q --verify HEAD >"$tmp/head" 2>&1; then
	skip release "this is no clone"
	finish
fi
# What is committed; two clones at different times, in different folders.
clone() # FOLDER
{
	git clone -q --depth 1 "file://$PWD" "$tmp/$1" 2>"$tmp/clone"
}
clone one
(cd "$tmp/one" && git config user.name us && git config user.email us@localhost)
fails "another version" 2 sh "$tmp/one/tools/release.sh" 9.9.9 --untested
fails "none" 2 sh "$tmp/one/tools/release.sh"
echo >>"$tmp/one/README.md"
fails "uncommitted changes" 2 sh "$tmp/one/tools/release.sh" "$version" --untested
git -C "$tmp/one" checkout -q README.md
check "is made" sh "$tmp/one/tools/release.sh" "$version" --untested
sleep 1
clone a-longer-name
check "again" sh "$tmp/a-longer-name/tools/release.sh" "$version" --untested
out=$tmp/one/build/release
check "the same bytes" diff -r "$out" "$tmp/a-longer-name/build/release"
check "checksums" sh -c "cd '$out' && sha256sum -c SHA256SUMS"
same "a leaf for each header" "$(ls "$out/leaf" | wc -l)" \
	"$(find ./*.h policies/*.h ! -name fairsched.h | wc -l)"
for header in "$out"/leaf/*.h "$out/fairsched.h"; do
	printf '#define FAIRSCHED_IMPLEMENTATION\n#include "%s"\nint main(void) { return 0; }\n' \
		"$header" >"$tmp/leaf.c"
	check "${header##*/} alone" cc -std=c99 "$tmp/leaf.c" -o "$tmp/leaf"
done
mkdir "$tmp/unpacked"
tar -xzf "$out/$name.tar.gz" -C "$tmp/unpacked"
check "the tarball" cc -std=c99 -I"$tmp/unpacked/$name" docs/examples/loop.c \
	-o "$tmp/loop"
runs "runs" "$tmp/loop"
check "the changelog" grep -q . "$out/CHANGES.md"
fails "no changelog" 2 sh -c "cd '$tmp/one' &&
	sed -i 's/^## $version/## 0.1.0/' CHANGELOG.md &&
	git commit -qam changed && sh tools/release.sh $version --untested"
need pyspdxtools spdx-tools
check "the SBOM is valid" pyspdxtools -i "$out/$name.spdx.json"
need cffconvert cffconvert
check "CITATION.cff is valid" cffconvert --validate -i CITATION.cff
same "its version" "$(sed -n 's/^version: //p' CITATION.cff)" "$version"
finish
