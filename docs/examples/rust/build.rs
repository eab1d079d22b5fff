// SPDX-License-Identifier: MIT OR Unlicense
// Compiles ../foreign.c with the C compiler, without any crate.
use std::env;
use std::path::Path;
use std::process::Command;

fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status();
    assert!(status.expect(program).success(), "{} failed", program);
}

fn main() {
    let out = env::var("OUT_DIR").unwrap();
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap())
        .join("../../..")
        .canonicalize()
        .unwrap();
    let include = format!("-I{}", root.display());
    let source = root.join("docs/examples/foreign.c");
    let object = format!("{}/foreign.o", out);
    let library = format!("{}/libforeign.a", out);
    let cc = env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let level = format!("-O{}", env::var("OPT_LEVEL").unwrap()); // of cargo's profile

    run(&cc, &[&level, "-fPIC", &include, "-c", source.to_str().unwrap(), "-o", &object]);
    run("ar", &["crs", &library, &object]);
    println!("cargo:rustc-link-search=native={}", out);
    println!("cargo:rustc-link-lib=static=foreign");
    println!("cargo:rerun-if-changed={}", source.display());
}
