// SPDX-License-Identifier: MIT OR Unlicense
// The headers are those of the tree, or those that a published crate carries.
use std::path::Path;

fn main() {
    let mut build = cc::Build::new();
    if !Path::new("../../flat.h").exists() || !Path::new("../../../fairsched.h").exists() {
        if !Path::new("vendor/fairsched.h").exists() {
            eprintln!(
                "fairsched.h is missing. In the tree of fairsched, \
                 sh tools/pack.sh rust FOLDER writes crates that have it."
            );
            std::process::exit(1);
        }
        build.include("vendor");
        println!("cargo:rerun-if-changed=vendor");
    } else {
        build.include("../../..").include("../..");
        // The headers lie beside the other folders of the tree.
        for entry in std::fs::read_dir("../../..").expect("the tree") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|x| x == "h") {
                println!("cargo:rerun-if-changed={}", path.display());
            }
        }
        println!("cargo:rerun-if-changed=../../../sched");
        println!("cargo:rerun-if-changed=../../../policies");
        println!("cargo:rerun-if-changed=../../flat.h");
        println!("cargo:rerun-if-changed=../../replay.h");
    }
    println!("cargo:rerun-if-changed=src/fairsched.c");
    build
        .file("src/fairsched.c")
        .opt_level(2)
        .flag_if_supported("-Wno-unused-function")
        .compile("fairsched");
}
