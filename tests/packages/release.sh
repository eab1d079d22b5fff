#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# tools/release.sh writes the same bytes twice, and its files can be used.
. tests/packages/common.sh

command -v wasm-ld-19 >/dev/null || {
	skip release "clang-19 or lld-19 is not installed"
	finish
}
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
(umask 077 && clone a-longer-name)
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

mkdir "$tmp/go" "$tmp/npm"
tar -xzf "$out/fairsched-go-$version.tar.gz" -C "$tmp/go"
cat >"$tmp/go/main.go" <<'GO'
package main

import "fairsched"

func main() {
	_, err := fairsched.New(fairsched.Config{Procs: 0})
	print(err.Error())
}
GO
go_user() # CGO_ENABLED
{
	(cd "$tmp/go" && rm -f go.mod go.sum && go mod init user &&
		go mod edit -replace "fairsched=./fairsched-go-$version" &&
		go get fairsched) >"$tmp/user" 2>&1 &&
		(cd "$tmp/go" && CGO_ENABLED=$1 go run . 2>&1)
}
if command -v go >/dev/null; then
	same "the Go module, cgo" "$(go_user 1)" "procs is below 1"
	same "the Go module, WebAssembly" "$(go_user 0)" "procs is below 1"
else
	skip "the Go module" "go is not installed"
fi
if command -v npm >/dev/null; then
	check "the npm package" sh -c "cd '$tmp/npm' && npm init -y &&
		npm install --offline --no-audit --no-fund \
			'$out/fairsched-npm-$version.tgz'"
	same "has what npm packs" "$(cd "$tmp/npm/node_modules/fairsched" &&
		find . -type f | sed 's|^\./||' | sort)" \
		"$(sh tools/pack.sh npm "$tmp/pack" && cd "$tmp/pack" &&
			npm pack --silent --offline --dry-run --json |
			sed -n 's/^ *"path": "\(.*\)",$/\1/p' | sort)"
	sed -n '/^```js/,/^```/{/^```/!p;}' packages/npm/README.md \
		>"$tmp/npm/readme.mjs"
	same "runs in Node" "$(cd "$tmp/npm" && node readme.mjs)" "start job 1
job 2 is promised second 100"
else
	skip "the npm package" "npm is not installed"
fi
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
