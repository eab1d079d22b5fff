// SPDX-License-Identifier: MIT OR Unlicense
//! The functions of `flat.h`: the C library without structures. Use the crate
//! `fairsched`.
#![no_std]
use core::ffi::{c_char, c_int, c_void};

extern "C" {
    pub fn fair_version() -> *const c_char;
    pub fn fair_policy_by_name(name: *const c_char) -> c_int;
    pub fn fair_order_by_name(name: *const c_char) -> c_int;
    pub fn fair_state_by_name(name: *const c_char) -> c_int;
    pub fn fair_state_name(state: u32) -> *const c_char;
    pub fn fair_cause_name(cause: u32) -> *const c_char;
    pub fn flat_error(error: i64) -> *const c_char;
    pub fn flat_config_size() -> usize;
    pub fn flat_config_error(scratch: *mut c_void, word: *const i64, words: usize)
        -> *const c_char;
    pub fn flat_size(scratch: *mut c_void, word: *const i64, words: usize) -> usize;
    pub fn flat_open(
        flat: *mut c_void,
        bytes: usize,
        word: *const i64,
        words: usize,
        checkpoint: *const c_void,
        checkpoint_bytes: usize,
    ) -> i64;
    pub fn flat_damage(flat: *const c_void) -> *const c_char;
    pub fn flat_save_size(flat: *const c_void) -> i64;
    pub fn flat_save(flat: *const c_void, to: *mut c_void, bytes: usize) -> i64;
    pub fn flat_submit(flat: *mut c_void, now: i64, word: *const i64, words: usize) -> i64;
    pub fn flat_refused(flat: *const c_void) -> *const c_char;
    pub fn flat_grow_size(flat: *const c_void) -> usize;
    pub fn flat_grow(flat: *const c_void, to: *mut c_void, bytes: usize) -> i64;
    pub fn flat_saved_jobs(checkpoint: *const c_void, bytes: usize) -> i64;
    pub fn flat_defer(flat: *mut c_void, now: i64, number: i64, word: *const i64) -> i64;
    pub fn flat_change(flat: *mut c_void, event: i64, now: i64, number: i64, a: i64, b: i64)
        -> i64;
    pub fn flat_finish_many(
        flat: *mut c_void,
        now: i64,
        number: *const i64,
        status: *const i32,
        n: usize,
    ) -> i64;
    pub fn flat_capacity(
        flat: *mut c_void,
        now: i64,
        delta: i64,
        victim: *const i64,
        victims: usize,
    ) -> i64;
    pub fn flat_reserve(flat: *mut c_void, now: i64, word: *const i64) -> i64;
    pub fn flat_step(flat: *mut c_void, now: i64, start: *mut i64, room: usize) -> i64;
    pub fn flat_next(flat: *const c_void) -> i64;
    pub fn flat_next_start(flat: *const c_void) -> i64;
    pub fn flat_count(flat: *const c_void, state: i64) -> i64;
    pub fn flat_each(flat: *const c_void, state: i64, at: *mut i64, number: *mut i64) -> i64;
    pub fn flat_digest(flat: *const c_void) -> u64;
    pub fn flat_check(flat: *const c_void) -> i64;
    pub fn flat_status(flat: *const c_void, number: i64, out: *mut i64) -> i64;
    pub fn flat_scratch_size(flat: *const c_void) -> usize;
    pub fn flat_estimate(
        flat: *const c_void,
        number: i64,
        scratch: *mut c_void,
        bytes: usize,
        start: *mut i64,
    ) -> i64;
    pub fn flat_why(
        flat: *const c_void,
        number: i64,
        scratch: *mut c_void,
        bytes: usize,
        text: *mut c_char,
        room: usize,
    ) -> i64;
    pub fn flat_usage(flat: *const c_void, kind: i64, id: i64, usage: *mut i64) -> i64;
    pub fn flat_add_entity(flat: *mut c_void, now: i64, kind: i64, id: i64) -> i64;
    pub fn flat_replay_size(
        scratch: *mut c_void,
        word: *const i64,
        words: usize,
        submit: *const i64,
        run: *const i64,
        walltime: *const i64,
        procs: *const i32,
        user: *const i64,
        jobs: usize,
    ) -> usize;
    pub fn flat_replay(
        scratch: *mut c_void,
        word: *const i64,
        words: usize,
        submit: *const i64,
        run: *const i64,
        walltime: *const i64,
        procs: *const i32,
        user: *const i64,
        jobs: usize,
        memory: *mut c_void,
        bytes: usize,
        start: *mut i64,
        promise: *mut i64,
        digest: *mut u64,
    ) -> i64;
}
