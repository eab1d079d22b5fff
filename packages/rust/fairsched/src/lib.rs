// SPDX-License-Identifier: MIT OR Unlicense
//! Decides which parallel job starts when, and fairly.
//!
//! ```
//! use fairsched::{Config, Job, Scheduler};
//!
//! let config = Config { policy: "conservative", procs: 8, jobs: 100, ..Config::default() };
//! let mut scheduler = Scheduler::new(&config)?;
//! scheduler.submit(0, &Job { number: 1, procs: 5, walltime: 100, ..Job::default() })?;
//! scheduler.submit(0, &Job { number: 2, procs: 8, walltime: 10, ..Job::default() })?;
//! for decision in scheduler.step(0)? {
//!     println!("start job {}", decision.number);
//! }
//! assert_eq!(scheduler.status(2)?.start, Some(100)); // its promise
//! # Ok::<(), fairsched::Error>(())
//! ```
//!
//! An error changes nothing. Times are seconds. Report ends of one second together,
//! by [`Scheduler::finish_many`], or in the order of their starts. A start that you
//! cannot make is refused after [`Scheduler::step`], until a time or until
//! [`Scheduler::retry`]: [`Scheduler::refuse_until`]; [`Scheduler::step_if`] does this
//! by a function of yours, `config.fits` of C. A full table of jobs grows. The error of
//! a job that is refused for one of its fields names it.
//!
//! # Threads
//!
//! The compiler keeps threads apart: a [`Scheduler`] is `Send` and `Sync`, so that
//! questions (`&self`) run side by side, and events (`&mut self`) need a `Mutex`
//! around it. The library calls no function of yours while a call runs. A scheduler that is in use
//! cannot be dropped:
//!
//! ```compile_fail,E0505
//! # let mut scheduler = fairsched::Scheduler::new(&fairsched::Config::default())?;
//! let mut jobs = scheduler.jobs("queued")?;
//! drop(scheduler);
//! jobs.next();
//! # Ok::<(), fairsched::Error>(())
//! ```
//!
//! nor changed by two threads:
//!
//! ```compile_fail,E0499
//! # let mut scheduler = fairsched::Scheduler::new(&fairsched::Config::default())?;
//! std::thread::scope(|scope| {
//!     scope.spawn(|| scheduler.step(0));
//!     scope.spawn(|| scheduler.step(0));
//! });
//! # Ok::<(), fairsched::Error>(())
//! ```
mod memory;

use fairsched_sys as sys;
use memory::Memory;
use std::ffi::{c_char, c_void, CStr, CString};
use std::fmt;
use std::ptr;

const FOREVER: i64 = i64::MAX;
const NO_ROOM: i64 = -28;
const JOBS: usize = 5; // among the words of a configuration
const ROOM: usize = 64;

/// What the library, or this crate, does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The number of the library, as 2: there is no such job.
    pub code: i64,
    text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

/// A result of the library.
pub type Result<T> = std::result::Result<T, Error>;

fn text(chars: *const c_char) -> String {
    // SAFETY: the library returns texts that are constant.
    unsafe { CStr::from_ptr(chars) }.to_string_lossy().into_owned()
}

impl Error {
    /// The error of a number, with the library's text.
    pub fn of(code: i64) -> Error {
        Error { code: code.abs(), text: text(unsafe { sys::flat_error(code) }) }
    }

    fn invalid(text: String) -> Error {
        Error { code: 22, text }
    }
}

/// What is not below 0, or the error.
fn check(code: i64) -> Result<i64> {
    if code < 0 {
        return Err(Error::of(code));
    }
    Ok(code)
}

fn time(seconds: i64) -> Option<i64> {
    (seconds != FOREVER).then_some(seconds)
}

fn allocate(bytes: usize) -> Result<Memory> {
    let text = "there is not enough memory";
    Memory::new(bytes).ok_or_else(|| Error { code: 12, text: text.into() })
}

fn scratch_config() -> Result<Memory> {
    allocate(unsafe { sys::flat_config_size() })
}

/// Several resources and node classes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Machine<'a> {
    /// How many resources; the first is processors.
    pub resources: u32,
    /// How many node classes.
    pub classes: u32,
    /// The bits are resources of the whole machine.
    pub wide: u32,
    /// Of each class, the amount of each resource.
    pub amount: &'a [i32],
}

/// A configuration: see `struct fair_config`. What is not needed is 0 or empty.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// fcfs, easy, backfill, conservative, pc, dc, sfs, relshare
    pub policy: &'a str,
    /// fcfs, sjf, ljf, widest, narrowest, lxf, two-term, usage, dominant
    pub order: &'a str,
    pub depth: u32,
    pub procs: i32,
    pub origin: i64,
    /// Most live jobs at once, at first: a full table grows.
    pub jobs: u32,
    pub ineligible: u32,
    pub advances: u32,
    pub users: u32,
    pub weight: i64,
    pub half_life: i64,
    pub window: i64,
    /// How many seconds a refused job keeps its turn; `None`: 60, `Some(0)`: not at all.
    pub patience: Option<i64>,
    pub ids: u32,
    /// sfs: the target of each account.
    pub target: &'a [i64],
    /// relshare: the share of each user.
    pub share: &'a [u32],
    pub machine: Option<Machine<'a>>,
}

impl Default for Config<'_> {
    fn default() -> Self {
        Config {
            policy: "conservative",
            order: "fcfs",
            depth: 0,
            procs: 1,
            origin: 0,
            jobs: 1000,
            ineligible: 0,
            advances: 0,
            users: 0,
            weight: 0,
            half_life: 0,
            window: 0,
            patience: None,
            ids: 0,
            target: &[],
            share: &[],
            machine: None,
        }
    }
}

type ByName = unsafe extern "C" fn(*const c_char) -> i32;

fn by_name(function: ByName, name: &str, what: &str) -> Result<i64> {
    let unknown = || Error::invalid(format!("there is no {what} '{name}'"));
    let chars = CString::new(name).map_err(|_| unknown())?;
    // SAFETY: the text ends with 0.
    let number = unsafe { function(chars.as_ptr()) };
    if number < 0 {
        return Err(unknown());
    }
    Ok(number.into())
}

impl Config<'_> {
    /// In the order of `flat.h`.
    fn words(&self) -> Result<Vec<i64>> {
        let (policy, depth) = match self.policy {
            "easy" => ("backfill", self.depth.max(1)),
            other => (other, self.depth),
        };
        let machine = self.machine.unwrap_or_default();
        let users = self.users.max(self.share.len() as u32);
        let mut words = vec![
            by_name(sys::fair_policy_by_name, policy, "policy")?,
            by_name(sys::fair_order_by_name, self.order, "order")?,
            depth.into(),
            self.procs.into(),
            self.origin,
            self.jobs.into(),
            self.ineligible.into(),
            self.advances.into(),
            self.target.len() as i64,
            users.into(),
            self.weight,
            self.half_life,
            self.window,
            // C has 0 for the default, and -1 for 0.
            self.patience.map_or(0, |x| if x > 0 { x } else { x.saturating_sub(1) }),
            self.ids.into(),
            self.target.len() as i64,
            self.share.len() as i64,
            machine.resources.into(),
            machine.classes.into(),
            machine.wide.into(),
        ];
        words.extend(self.target);
        words.extend(self.share.iter().map(|&x| i64::from(x)));
        words.extend(machine.amount.iter().map(|&x| i64::from(x)));
        let problem = unsafe {
            sys::flat_config_error(scratch_config()?.pointer(), words.as_ptr(), words.len())
        };
        if !problem.is_null() {
            return Err(Error::invalid(text(problem)));
        }
        Ok(words)
    }
}

/// What an ineligible job waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wait {
    /// Its begin time.
    pub begin: Option<i64>,
    /// The end of this job.
    pub after: Option<u64>,
    /// The end must be a success.
    pub ok: bool,
    /// The caller holds it.
    pub held: bool,
}

impl Wait {
    fn words(&self) -> [i64; 4] {
        let end = match self.after {
            None => 0,
            Some(_) if self.ok => 1,
            Some(_) => 2,
        };
        let after = self.after.unwrap_or(0) as i64;
        [self.begin.unwrap_or(i64::MIN), after, end, self.held.into()]
    }
}

/// A job: see `struct fair_job`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Job<'a> {
    pub number: u64,
    /// When it was submitted; None: now.
    pub submit: Option<i64>,
    pub procs: i32,
    pub walltime: i64,
    pub user: u64,
    pub group: u64,
    pub account: u64,
    pub queue: u64,
    pub qos: u64,
    pub tasks: u32,
    pub advance: u64,
    /// Of each resource; the first is not read.
    pub amount: &'a [i32],
    /// That may serve it, in order of preference.
    pub classes: &'a [u8],
    pub wait: Option<Wait>,
}

impl Job<'_> {
    fn words(&self, now: i64) -> Vec<i64> {
        let mut words = vec![
            self.number as i64,
            self.submit.unwrap_or(now),
            self.procs.into(),
            self.walltime,
            self.user as i64,
            self.group as i64,
            self.account as i64,
            self.queue as i64,
            self.qos as i64,
            self.tasks.into(),
            self.advance as i64,
            self.wait.is_some().into(),
        ];
        words.extend(self.wait.unwrap_or_default().words());
        words.push(self.amount.len() as i64);
        words.push(self.classes.len() as i64);
        words.extend(self.amount.iter().map(|&x| i64::from(x)));
        words.extend(self.classes.iter().map(|&x| i64::from(x)));
        words
    }
}

/// An advance reservation: processors over `[from, to)`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Advance {
    pub number: u64,
    pub from: i64,
    pub to: i64,
    pub procs: i32,
    /// For jobs that are bound to it; else for maintenance.
    pub for_jobs: bool,
    pub node_class: u32,
    /// Even if it breaks promises.
    pub force: bool,
}

/// Start this job now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    pub number: u64,
    pub node_class: u32,
}

/// A live job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// queued, running, ineligible
    pub state: String,
    /// When it started, or its promise or reservation.
    pub start: Option<i64>,
    pub end: Option<i64>,
    pub first_promise: Option<i64>,
    /// Why its promise was delayed last.
    pub cause: String,
    pub moves: u32,
    pub node_class: u32,
    pub procs: i32,
    pub walltime: i64,
    pub user: u64,
}

enum Event {
    Finish,
    Cancel,
    Requeue,
    Suspend,
    Resume,
    Refuse,
    Retry,
    Modify,
    Withdraw,
    Replan,
}

/// The scheduler: events in, decisions out.
pub struct Scheduler {
    memory: Memory,
}

// SAFETY: all pointers of the scheduler lead into its own memory, and functions of
// a scheduler that does not change may run concurrently.
unsafe impl Send for Scheduler {}
unsafe impl Sync for Scheduler {}

impl Scheduler {
    /// Begins with an idle machine.
    pub fn new(config: &Config) -> Result<Scheduler> {
        Self::open(config, None)
    }

    /// Goes on from what [`Scheduler::save`] returned, with room for as many jobs.
    pub fn load(config: &Config, checkpoint: &[u8]) -> Result<Scheduler> {
        Self::open(config, Some(checkpoint))
    }

    fn open(config: &Config, checkpoint: Option<&[u8]>) -> Result<Scheduler> {
        let mut words = config.words()?;
        if let Some(x) = checkpoint {
            // SAFETY: as long as it says.
            let jobs = unsafe { sys::flat_saved_jobs(x.as_ptr().cast(), x.len()) };
            words[JOBS] = words[JOBS].max(jobs);
        }
        let mut scratch = scratch_config()?;
        let bytes = unsafe { sys::flat_size(scratch.pointer(), words.as_ptr(), words.len()) };
        let mut memory = allocate(bytes)?;
        let (from, length) = match checkpoint {
            Some([]) => return Err(Error::of(22)),
            Some(x) => (x.as_ptr(), x.len()),
            None => (ptr::null(), 0),
        };
        // SAFETY: the memory is as large as it says.
        let code = unsafe {
            sys::flat_open(
                memory.pointer(),
                bytes,
                words.as_ptr(),
                words.len(),
                from.cast(),
                length,
            )
        };
        if code == -22 {
            // SAFETY: it was opened, and is not valid: it has a text.
            let why = text(unsafe { sys::flat_damage(memory.pointer()) });
            if !why.is_empty() {
                return Err(Error::invalid(why));
            }
        }
        check(code)?;
        Ok(Scheduler { memory })
    }

    fn it(&self) -> *const c_void {
        self.memory.const_pointer()
    }

    fn change(&mut self, event: Event, now: i64, number: u64, a: i64, b: i64) -> Result<()> {
        let event = event as i64;
        check(unsafe {
            sys::flat_change(self.memory.pointer(), event, now, number as i64, a, b)
        })?;
        Ok(())
    }

    /// A job arrives.
    pub fn submit(&mut self, now: i64, job: &Job) -> Result<()> {
        let words = job.words(now);
        let submit = |memory: &mut Memory| unsafe {
            sys::flat_submit(memory.pointer(), now, words.as_ptr(), words.len())
        };
        let mut code = submit(&mut self.memory);
        if code == NO_ROOM {
            if let Some(mut grown) = self.grown()? {
                code = submit(&mut grown);
                if code == 0 {
                    self.memory = grown;
                }
            }
        }
        // SAFETY: a text that is constant, or none.
        let field = unsafe { sys::flat_refused(self.it()) };
        if code < 0 && !field.is_null() {
            return Err(Error { code: -code, text: text(field) });
        }
        check(code)?;
        Ok(())
    }

    /// A copy with room for twice the jobs; None: there cannot be more.
    fn grown(&self) -> Result<Option<Memory>> {
        let bytes = unsafe { sys::flat_grow_size(self.it()) };
        if bytes == 0 {
            return Ok(None);
        }
        let mut memory = allocate(bytes)?;
        // SAFETY: the memory is as large as it says, and not that of the scheduler.
        check(unsafe { sys::flat_grow(self.it(), memory.pointer(), bytes) })?;
        Ok(Some(memory))
    }

    /// A running job has ended, with an exit status.
    pub fn finish(&mut self, now: i64, number: u64, status: i32) -> Result<()> {
        self.change(Event::Finish, now, number, status.into(), 0)
    }

    /// Running jobs have ended in the same second, as one event, each with an exit
    /// status; no statuses: all have 0.
    pub fn finish_many(&mut self, now: i64, numbers: &[u64], statuses: &[i32]) -> Result<()> {
        let status = match statuses.len() {
            0 => ptr::null(),
            n if n == numbers.len() => statuses.as_ptr(),
            n => {
                let text = format!("there are {n} statuses, not {}", numbers.len());
                return Err(Error::invalid(text));
            }
        };
        let number = numbers.as_ptr().cast();
        // SAFETY: there is a status for each number, or none at all.
        check(unsafe {
            sys::flat_finish_many(self.memory.pointer(), now, number, status, numbers.len())
        })?;
        Ok(())
    }

    /// A job is withdrawn; a running one ends.
    pub fn cancel(&mut self, now: i64, number: u64) -> Result<()> {
        self.change(Event::Cancel, now, number, 0, 0)
    }

    /// A running job was stopped, and is queued again.
    pub fn requeue(&mut self, now: i64, number: u64) -> Result<()> {
        self.change(Event::Requeue, now, number, 0, 0)
    }

    /// A running job is stopped, and goes on later.
    pub fn suspend(&mut self, now: i64, number: u64) -> Result<()> {
        self.change(Event::Suspend, now, number, 0, 0)
    }

    /// A suspended job arrives again.
    pub fn resume(&mut self, now: i64, number: u64) -> Result<()> {
        self.change(Event::Resume, now, number, 0, 0)
    }

    /// A start of this instant cannot be made; the job starts at a later second.
    pub fn refuse(&mut self, now: i64, number: u64) -> Result<()> {
        self.refuse_until(now, number, Some(now))
    }

    /// A start of this instant cannot be made before `until`; None: before
    /// [`Scheduler::retry`].
    pub fn refuse_until(&mut self, now: i64, number: u64, until: Option<i64>) -> Result<()> {
        self.change(Event::Refuse, now, number, 0, until.unwrap_or(FOREVER))
    }

    /// A refused job may start at any time again.
    pub fn retry(&mut self, now: i64, number: u64) -> Result<()> {
        self.change(Event::Retry, now, number, 0, 0)
    }

    /// Changes a job's processors and walltime.
    pub fn modify(&mut self, now: i64, number: u64, procs: i32, walltime: i64) -> Result<()> {
        self.change(Event::Modify, now, number, procs.into(), walltime)
    }

    /// Withdraws an advance reservation.
    pub fn withdraw(&mut self, now: i64, number: u64) -> Result<()> {
        self.change(Event::Withdraw, now, number, 0, 0)
    }

    /// Reacts as if a job had ended early, in the order of now.
    pub fn replan(&mut self, now: i64) -> Result<()> {
        self.change(Event::Replan, now, 0, 0, 0)
    }

    /// Changes what a job waits for; None: nothing.
    pub fn defer(&mut self, now: i64, number: u64, wait: Option<&Wait>) -> Result<()> {
        let words = wait.map(Wait::words);
        let word = words.as_ref().map_or(ptr::null(), |w| w.as_ptr());
        check(unsafe { sys::flat_defer(self.memory.pointer(), now, number as i64, word) })?;
        Ok(())
    }

    /// The machine gains or loses processors; victims end.
    pub fn capacity(&mut self, now: i64, delta: i32, victims: &[u64]) -> Result<()> {
        let victim = victims.as_ptr().cast();
        check(unsafe {
            sys::flat_capacity(self.memory.pointer(), now, delta.into(), victim, victims.len())
        })?;
        Ok(())
    }

    /// Makes or changes an advance reservation.
    pub fn reserve(&mut self, now: i64, advance: &Advance) -> Result<()> {
        let words = [
            advance.number as i64,
            advance.from,
            advance.to,
            advance.procs.into(),
            advance.for_jobs.into(),
            advance.node_class.into(),
            advance.force.into(),
        ];
        check(unsafe { sys::flat_reserve(self.memory.pointer(), now, words.as_ptr()) })?;
        Ok(())
    }

    /// Which jobs start now?
    pub fn step(&mut self, now: i64) -> Result<Vec<Decision>> {
        let mut start = [0; 2 * ROOM];
        let mut decisions = Vec::new();
        loop {
            let n = check(unsafe {
                sys::flat_step(self.memory.pointer(), now, start.as_mut_ptr(), ROOM)
            })? as usize;
            decisions.extend(start.chunks(2).take(n).map(|s| Decision {
                number: s[0] as u64,
                node_class: s[1] as u32,
            }));
            if n < ROOM {
                return Ok(decisions);
            }
        }
    }

    /// [`Scheduler::step`], but from when on can each start be made? A later time than
    /// `now` refuses it until then, None until [`Scheduler::retry`].
    ///
    /// ```
    /// # use fairsched::{Config, Job, Scheduler};
    /// # let mut s = Scheduler::new(&Config { procs: 8, ..Config::default() })?;
    /// for number in 1..3 {
    ///     s.submit(0, &Job { number, procs: 8, walltime: 10, ..Job::default() })?;
    /// }
    /// let starts = s.step_if(0, |start| Some(if start.number == 1 { 50 } else { 0 }))?;
    /// assert_eq!((starts.len(), starts[0].number), (1, 2));
    /// assert_eq!(s.status(1)?.start, Some(50));
    /// # Ok::<(), fairsched::Error>(())
    /// ```
    pub fn step_if(
        &mut self,
        now: i64,
        mut fits: impl FnMut(&Decision) -> Option<i64>,
    ) -> Result<Vec<Decision>> {
        let mut made = Vec::new();
        loop {
            let before = made.len();
            let starts = self.step(now)?;
            let all = before + starts.len();
            for start in starts {
                match fits(&start) {
                    Some(from) if from <= now => made.push(start),
                    from => self.refuse_until(now, start.number, from)?,
                }
            }
            if made.len() == all || self.next_start() != Some(now) {
                return Ok(made);
            }
        }
    }

    /// When to call step() if no event happens before.
    pub fn next(&self) -> Option<i64> {
        time(unsafe { sys::flat_next(self.it()) })
    }

    /// [`Scheduler::next`] of a caller that ends each job at its planned end at the
    /// latest, and reports it.
    pub fn next_start(&self) -> Option<i64> {
        time(unsafe { sys::flat_next_start(self.it()) })
    }

    /// How many jobs are queued, running and ineligible.
    pub fn count(&self) -> [usize; 3] {
        [0, 1, 2].map(|state| unsafe { sys::flat_count(self.it(), state) } as usize)
    }

    /// A hash over all decisions so far.
    pub fn digest(&self) -> u64 {
        unsafe { sys::flat_digest(self.it()) }
    }

    /// The first broken invariant, which is a fault of the library; 0: none.
    pub fn check(&self) -> i64 {
        unsafe { sys::flat_check(self.it()) }
    }

    /// A live job.
    pub fn status(&self, number: u64) -> Result<Status> {
        let mut out = [0; 11];
        check(unsafe { sys::flat_status(self.it(), number as i64, out.as_mut_ptr()) })?;
        let state = text(unsafe { sys::fair_state_name(out[0] as u32) });
        Ok(Status {
            end: time(out[2]).filter(|_| state == "running"),
            state,
            start: time(out[1]),
            first_promise: time(out[3]),
            cause: text(unsafe { sys::fair_cause_name(out[4] as u32) }),
            moves: out[5] as u32,
            node_class: out[7] as u32,
            procs: out[8] as i32,
            walltime: out[9],
            user: out[10] as u64,
        })
    }

    /// The numbers of the jobs that are queued, running or ineligible; queued ones in
    /// the order of their reservations or priorities.
    ///
    /// ```
    /// # use fairsched::{Config, Job, Scheduler};
    /// # let mut scheduler = Scheduler::new(&Config { procs: 8, ..Config::default() })?;
    /// for number in [7, 9] {
    ///     scheduler.submit(0, &Job { number, procs: 8, walltime: 10, ..Job::default() })?;
    /// }
    /// assert_eq!(scheduler.jobs("queued")?.collect::<Vec<_>>(), [7, 9]);
    /// # Ok::<(), fairsched::Error>(())
    /// ```
    ///
    /// While they are read the scheduler does not change:
    ///
    /// ```compile_fail,E0502
    /// # use fairsched::{Config, Scheduler};
    /// # let mut scheduler = Scheduler::new(&Config::default())?;
    /// for number in scheduler.jobs("queued")? {
    ///     scheduler.cancel(0, number)?;
    /// }
    /// # Ok::<(), fairsched::Error>(())
    /// ```
    pub fn jobs(&self, state: &str) -> Result<impl Iterator<Item = u64> + '_> {
        let state = by_name(sys::fair_state_by_name, state, "state")?;
        let (mut at, mut number) = (0, 0);
        Ok(std::iter::from_fn(move || {
            let more = unsafe { sys::flat_each(self.it(), state, &mut at, &mut number) };
            (more > 0).then_some(number as u64)
        }))
    }

    fn scratch(&self) -> Result<Memory> {
        allocate(unsafe { sys::flat_scratch_size(self.it()) })
    }

    /// When a waiting job starts if no other event happens.
    pub fn estimate(&self, number: u64) -> Result<Option<i64>> {
        let mut scratch = self.scratch()?;
        let mut start = 0;
        check(unsafe {
            sys::flat_estimate(
                self.it(),
                number as i64,
                scratch.pointer(),
                scratch.bytes(),
                &mut start,
            )
        })?;
        Ok(time(start))
    }

    /// Why a queued job did not start at the last step, in English.
    pub fn why(&self, number: u64) -> Result<String> {
        let mut scratch = self.scratch()?;
        let mut chars = vec![0u8; 256];
        loop {
            let n = check(unsafe {
                sys::flat_why(
                    self.it(),
                    number as i64,
                    scratch.pointer(),
                    scratch.bytes(),
                    chars.as_mut_ptr().cast(),
                    chars.len(),
                )
            })? as usize;
            if n < chars.len() {
                chars.truncate(n);
                return Ok(String::from_utf8_lossy(&chars).into_owned());
            }
            chars.resize(n + 1, 0);
        }
    }

    /// Whole processor-seconds that a user has used, decayed.
    pub fn user_usage(&self, user: u64) -> Result<i64> {
        let mut usage = 0;
        check(unsafe { sys::flat_usage(self.it(), 0, user as i64, &mut usage) })?;
        Ok(usage)
    }

    /// A user joins (`Config::ids`).
    pub fn add_user(&mut self, now: i64, user: u64) -> Result<()> {
        check(unsafe { sys::flat_add_entity(self.memory.pointer(), now, 0, user as i64) })?;
        Ok(())
    }

    /// The state as bytes that any machine can load.
    pub fn save(&self) -> Result<Vec<u8>> {
        let size = unsafe { sys::flat_save_size(self.it()) } as usize;
        let mut bytes = vec![0u8; size];
        check(unsafe { sys::flat_save(self.it(), bytes.as_mut_ptr().cast(), size) })?;
        Ok(bytes)
    }
}

/// Jobs of a trace, in order of submission.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trace<'a> {
    pub submit: &'a [i64],
    pub run: &'a [i64],
    pub walltime: &'a [i64],
    pub procs: &'a [i32],
    /// Empty: they have no users.
    pub user: &'a [i64],
}

/// What [`simulate`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated {
    pub start: Vec<i64>,
    /// The first promise of each job, where the policy promises.
    pub promise: Vec<Option<i64>>,
    pub digest: u64,
}

/// Plays all jobs of a trace to their ends; `config.jobs` is not read.
pub fn simulate(config: &Config, trace: &Trace) -> Result<Simulated> {
    let jobs = trace.submit.len();
    let lengths = [trace.run.len(), trace.walltime.len(), trace.procs.len()];
    if lengths != [jobs; 3] || !(trace.user.is_empty() || trace.user.len() == jobs) {
        return Err(Error::invalid("columns of different lengths".into()));
    }
    let config = Config { jobs: jobs.clamp(1, 1 << 29) as u32, ..*config };
    let words = config.words()?;
    let mut scratch = scratch_config()?;
    let user = if trace.user.is_empty() { ptr::null() } else { trace.user.as_ptr() };
    let mut start = vec![0; jobs];
    let mut promise = vec![0; jobs];
    let mut digest = 0;
    // SAFETY: all columns have as many elements as there are jobs.
    let code = unsafe {
        let bytes = sys::flat_replay_size(
            scratch.pointer(),
            words.as_ptr(),
            words.len(),
            trace.submit.as_ptr(),
            trace.run.as_ptr(),
            trace.walltime.as_ptr(),
            trace.procs.as_ptr(),
            user,
            jobs,
        );
        let mut memory = allocate(bytes)?;
        sys::flat_replay(
            scratch.pointer(),
            words.as_ptr(),
            words.len(),
            trace.submit.as_ptr(),
            trace.run.as_ptr(),
            trace.walltime.as_ptr(),
            trace.procs.as_ptr(),
            user,
            jobs,
            memory.pointer(),
            bytes,
            start.as_mut_ptr(),
            promise.as_mut_ptr(),
            &mut digest,
        )
    };
    check(code)?;
    Ok(Simulated { start, promise: promise.into_iter().map(time).collect(), digest })
}

/// The version of the library.
pub fn version() -> String {
    text(unsafe { sys::fair_version() })
}
