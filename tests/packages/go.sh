#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The Go module out of tools/pack.sh, by cgo and, without cgo, by WebAssembly: the
# conformance suite, any input for FUZZ_SECONDS, and a user's module.
. tests/packages/common.sh

command -v go >/dev/null || {
	skip go "it is not installed"
	finish
}
command -v wasm-ld-19 >/dev/null || {
	skip go "clang-19 or lld-19 is not installed"
	finish
}
export FAIRSCHED_SUITE="$PWD/tests/conformance/suite.json" GOFLAGS=-buildvcs=false
check "is packed" sh tools/pack.sh go "$tmp/go"
check "again" sh tools/pack.sh go "$tmp/again"
check "the same bytes" diff -r "$tmp/go" "$tmp/again"
check "formatted" test -z "$(gofmt -l "$tmp/go")"
if ! (cd "$tmp/go" && timeout 60 go mod download) >"$tmp/fetch" 2>&1; then
	tail -n 1 "$tmp/fetch"
	skip go "its dependencies cannot be had"
	finish
fi
tells "sh tools/pack.sh go FOLDER" env CGO_ENABLED=1 go build -C packages/go .
# Go tells the line, above which the command is.
tells "wasm.go:$(awk '/sh tools.pack.sh go/ { print NR + 3 }' packages/go/wasm.go):" \
	env CGO_ENABLED=0 go build -C packages/go .
mkdir "$tmp/user"
cat >"$tmp/user/main.go" <<'GO'
package main

import "fairsched"

func main() {
	s, err := fairsched.New(fairsched.Config{Procs: 0})
	println(s == nil, err.Error(), fairsched.Backend)
}
GO
user()
{
	rm -f "$tmp/user/go.mod" "$tmp/user/go.sum"
	(cd "$tmp/user" && go mod init user) && installs Go "$tmp/user" &&
		(cd "$tmp/user" && go mod vendor && go build -mod=mod -o user . && ./user &&
			diff -x '*_test.go' -x '*.md' -x go.* -x simulate -x LICENSE \
				-x .packed "$tmp/go" vendor/fairsched)
}
for cgo in 1 0; do
	export CGO_ENABLED=$cgo
	check "vet, cgo $cgo" sh -c "cd '$tmp/go' && go vet ./..."
	check "tests, cgo $cgo" sh -c "cd '$tmp/go' && go test -v -timeout 20m ."
	grep ' rounds in ' "$tmp/check"
	check "fuzzes, cgo $cgo" sh -c "cd '$tmp/go' && go test -run '^$' \
		-fuzz FuzzAnyInput -fuzzminimizetime 1x -fuzztime ${FUZZ_SECONDS:-2}s ."
	grep '^fuzz: elapsed' "$tmp/check" | tail -n 1
	check "a user's module, cgo $cgo" user
	tail -n 1 "$tmp/check"
	simulates "KTH, cgo $cgo" go run -C "$tmp/go" ./simulate
	mkdir -p "$tmp/go/host"
	cp docs/examples/host/host.go "$tmp/go/host"
	hosts "Go, cgo $cgo" go run -C "$tmp/go" ./host
	rm -r "$tmp/go/host"
done
finish
