#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# The crates out of a copy that has nothing of the tree but the headers that they
# carry: the conformance suite, any input, examples in the documentation, clippy.
. tests/packages/common.sh

command -v cargo >/dev/null || {
	skip rust "cargo is not installed"
	finish
}
export CARGO_TARGET_DIR="$PWD/build/packages/rust"
export FAIRSCHED_SUITE="$PWD/tests/conformance/suite.json"
crates=$tmp/crates
check "are packed" sh tools/pack.sh rust "$crates"
if ! cargo fetch --locked --manifest-path "$crates/Cargo.toml" \
	>"$tmp/fetch" 2>&1; then
	tail -n 3 "$tmp/fetch"
	skip rust "its dependencies cannot be had"
	finish
fi
rust() # COMMAND ARGUMENT...
{
	rust_command=$1
	shift
	cargo "$rust_command" --offline --locked \
		--manifest-path "$crates/Cargo.toml" "$@"
}
# The empty folder of a user.
user()
{
	cargo new --quiet --vcs none --name user "$tmp/user" &&
		awk '/^\/\/! ```/ { if (n++) exit; next }
			n { sub(/^\/\/! ?(# )?/, ""); print }' \
			"$crates/fairsched/src/lib.rs" >"$tmp/readme" &&
		{
			echo 'fn main() -> Result<(), fairsched::Error> {'
			cat "$tmp/readme"
			echo '}'
		} >"$tmp/user/src/main.rs" &&
		CARGO_NET_OFFLINE=true installs Rust "$tmp/user" >"$tmp/added" 2>&1 &&
		cd "$tmp/user" && cargo run --quiet --offline
}
tells "sh tools/pack.sh rust FOLDER" cargo package --offline --locked \
	--allow-dirty --manifest-path packages/rust/Cargo.toml --package fairsched-sys
check "a crate has all its files" rust package --allow-dirty --package fairsched-sys
same "a user's crate" "$(user 2>&1)" "start job 1"
check "tests" rust test -- --nocapture
grep ' rounds in ' "$tmp/check"
if cargo +nightly --version >"$tmp/nightly" 2>&1 && command -v clang-19 >/dev/null; then
	asan()
	{
		host=$(rustc -vV | sed -n 's/^host: //p')
		CC=clang-19 CFLAGS="-fsanitize=address -fno-omit-frame-pointer" \
			ASAN_OPTIONS=allocator_may_return_null=1 \
			RUSTFLAGS=-Zsanitizer=address RUSTUP_TOOLCHAIN=nightly \
			CARGO_TARGET_DIR=$CARGO_TARGET_DIR/asan \
			rust test --target "$host" --tests -- --nocapture
	}
	check "tests with both sides under ASan" asan
	grep ' rounds in ' "$tmp/check"
else
	skip "ASan" "a nightly toolchain or clang-19 is not installed"
fi
# It runs no C: the memory alone.
if cargo +nightly miri --version >"$tmp/miri" 2>&1; then
	check "the memory under Miri" env RUSTUP_TOOLCHAIN=nightly \
		cargo miri test --offline --locked --manifest-path "$crates/Cargo.toml" \
		--package fairsched --lib memory
else
	skip "Miri" "it is not installed"
fi
if cargo clippy --version >"$tmp/clippy" 2>&1; then
	check "clippy" rust clippy --all-targets -- -D warnings
else
	skip clippy "it is not installed"
fi
simulates KTH rust run --release --quiet --example simulate --
cp docs/examples/host/host.rs "$crates/fairsched/examples"
hosts Rust rust run --release --quiet --example host
finish
