// SPDX-License-Identifier: MIT OR Unlicense
// The loop of ../loop.c in Rust.
use std::os::raw::{c_int, c_void};

#[link(name = "foreign", kind = "static")]
extern "C" {
    fn foreign_words(policy: u32, procs: i32, jobs: u32) -> usize;
    fn foreign_open(memory: *mut u64, policy: u32, procs: i32, jobs: u32) -> *mut c_void;
    fn foreign_submit(s: *mut c_void, now: i64, number: u64, walltime: i64, procs: i32) -> c_int;
    fn foreign_start(s: *mut c_void, now: i64) -> i64;
    fn fair_sched_finish(s: *mut c_void, now: i64, number: u64) -> c_int;
    fn fair_sched_next(s: *const c_void) -> i64;
    fn fair_sched_digest(s: *const c_void) -> u64;
}

const CONSERVATIVE: u32 = 2;

/// Owns the scheduler and its memory.
struct Sched {
    _memory: Vec<u64>,
    s: *mut c_void,
}

fn check(error: c_int) -> Result<(), c_int> {
    if error == 0 { Ok(()) } else { Err(error) }
}

impl Sched {
    fn new(procs: i32, jobs: u32) -> Option<Sched> {
        // Safety: foreign_open() writes no more than foreign_words() words.
        let mut memory = vec![0; unsafe { foreign_words(CONSERVATIVE, procs, jobs) }];
        let s = unsafe { foreign_open(memory.as_mut_ptr(), CONSERVATIVE, procs, jobs) };
        if s.is_null() { None } else { Some(Sched { _memory: memory, s }) }
    }
    // Safety of all below: s is open, and &mut excludes other calls.
    fn submit(&mut self, now: i64, number: u64, walltime: i64, procs: i32) -> Result<(), c_int> {
        check(unsafe { foreign_submit(self.s, now, number, walltime, procs) })
    }
    fn finish(&mut self, now: i64, number: u64) -> Result<(), c_int> {
        check(unsafe { fair_sched_finish(self.s, now, number) })
    }
    fn start(&mut self, now: i64) -> Option<usize> {
        let number = unsafe { foreign_start(self.s, now) };
        if number > 0 { Some(number as usize) } else { None }
    }
    fn next(&self) -> i64 {
        unsafe { fair_sched_next(self.s) }
    }
    fn digest(&self) -> u64 {
        unsafe { fair_sched_digest(self.s) }
    }
}

fn main() -> Result<(), c_int> {
    // submit, walltime, run, processors
    let life = [(0, 100, 60, 5), (10, 50, 50, 6), (20, 30, 30, 3), (30, 200, 90, 2)];
    let mut ends = [i64::MAX; 4];
    let mut sched = Sched::new(8, 4).ok_or(-22)?;
    let mut now = 0;
    while now != i64::MAX {
        for job in 0..4 {
            if ends[job] == now {
                sched.finish(now, job as u64 + 1)?;
            }
        }
        for (job, l) in life.iter().enumerate() {
            if l.0 == now {
                sched.submit(now, job as u64 + 1, l.1, l.3)?;
            }
        }
        while let Some(number) = sched.start(now) {
            println!("{:3} job {}", now, number);
            ends[number - 1] = now + life[number - 1].2;
        }
        let later = life.iter().map(|l| l.0).chain(ends.iter().copied());
        now = later.filter(|t| *t > now).fold(sched.next(), i64::min);
    }
    println!("digest {:016x}", sched.digest());
    Ok(())
}
