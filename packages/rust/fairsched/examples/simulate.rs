// SPDX-License-Identifier: MIT OR Unlicense
//! usage: simulate JOBS.csv PROCS: the digest of conservative backfilling, and the
//! processor seconds of the fastest of seven runs. JOBS.csv is what `fairsched
//! simulate --jobs-out` writes.
use fairsched::{simulate, Config, Trace};

extern "C" {
    fn clock() -> std::ffi::c_long;
}

fn processor_seconds() -> f64 {
    // POSIX: a million a second.
    unsafe { clock() as f64 / 1e6 }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let file = std::fs::read_to_string(&arguments[1]).expect("the jobs");
    let mut lines = file.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let column = |name: &str| -> Vec<i64> {
        let i = names.iter().position(|n| *n == name).expect("a column");
        rows.iter().map(|row| row[i].parse().expect("a number")).collect()
    };
    let (submit, run) = (column("submission_time"), column("execution_time"));
    let walltime = column("requested_time");
    let wide = column("requested_number_of_resources");
    let procs: Vec<i32> = wide.iter().map(|&x| x as i32).collect();
    let config = Config { procs: arguments[2].parse().expect("procs"), ..Config::default() };
    let trace =
        Trace { submit: &submit, run: &run, walltime: &walltime, procs: &procs, user: &[] };
    let mut best = f64::INFINITY;
    for _ in 0..7 {
        let begin = processor_seconds();
        let result = simulate(&config, &trace).expect("a schedule");
        best = best.min(processor_seconds() - begin);
        assert_eq!(result.start, column("starting_time"));
        println!("digest {:016x}", result.digest);
    }
    println!("seconds {best}");
}
