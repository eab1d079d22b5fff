// SPDX-License-Identifier: MIT OR Unlicense
// The headers are those of the tree, or those that a published crate carries.
use std::path::Path;

fn main() {
    let mut build = cc::Build::new();
    if Path::new("vendor/fairsched.h").exists() {
        build.include("vendor");
        println!("cargo:rerun-if-changed=vendor");
    } else {
        build.include("../../..").include("../..");
        for path in ["fairsched.h", "profile.h", "queue.h", "sched", "policies"] {
            println!("cargo:rerun-if-changed=../../../{path}");
        }
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
