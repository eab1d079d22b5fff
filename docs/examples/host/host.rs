// SPDX-License-Identifier: MIT OR Unlicense
//! host.c in Rust. Times are milliseconds.
use fairsched::{Config, Job, Result, Scheduler};

const HOUR: i64 = 3_600_000;
const CHANGE: i64 = 3_650_000;
const NEVER: i64 = i64::MAX;

struct Life {
    submit: i64,
    walltime: i64,
    run: i64,
    procs: i32,
    end: i64,
}

struct Host {
    crash: bool, // after each call: go on from a checkpoint
    steps: u32,
    config: Config<'static>,
    s: Scheduler,
    job: Vec<Life>, // by number, from 1 on
}

fn configured(policy: &'static str) -> Config<'static> {
    Config { policy, procs: 1000, jobs: 2, ..Config::default() }
}

fn life(submit: i64, walltime: i64, run: i64, procs: i32) -> Life {
    Life { submit, walltime, run, procs, end: NEVER }
}

impl Host {
    fn new(crash: bool) -> Result<Host> {
        let mut job = vec![
            life(-1, 0, 0, 0),
            life(0, 1000, 600, 1000),
            life(0, 5000, 5000, 500),
            life(0, 5000, 4000, 500),
            life(0, 7000, 7000, 1000),
            life(3640000, 40000, 20000, 1000),
            life(3640000, 5000, 5000, 10),
        ];
        job.extend((7..1007).map(|_| life(3700000, 60000, 30000, 1)));
        job.push(life(3700000, 1000, 1000, 1000));
        job[0].end = 0;
        let config = configured("conservative");
        let s = Scheduler::new(&config)?;
        Ok(Host { crash, steps: 0, config, s, job })
    }

    fn done(&mut self, answer: Result<()>) -> Result<()> {
        answer?;
        if self.crash {
            self.s = Scheduler::load(&self.config, &self.s.save()?)?;
        }
        Ok(())
    }

    fn submit(&mut self, now: i64, i: usize, walltime: i64) -> Result<()> {
        let Life { submit, procs, .. } = self.job[i];
        let number = i as u64;
        let job = Job { number, submit: Some(submit), procs, walltime, ..Job::default() };
        let answer = self.s.submit(now, &job);
        self.done(answer)
    }

    fn step(&mut self, now: i64) -> Result<u32> {
        let mut started = 0;
        loop {
            self.steps += 1;
            let starts = self.s.step(now)?;
            self.done(Ok(()))?;
            for start in starts {
                if start.number == 2 && now < HOUR {
                    let answer = self.s.refuse_until(now, 2, None);
                    self.done(answer)?;
                    continue;
                }
                let job = &mut self.job[start.number as usize];
                job.end = now + job.run;
                started += 1;
            }
            if self.s.next_start() != Some(now) {
                return Ok(started);
            }
        }
    }

    /// Jobs that run keep the rest of their walltimes, and start at once; then come
    /// those that wait.
    fn change(&mut self, now: i64) -> Result<()> {
        if !self.crash {
            println!("change {:016x}", self.s.digest());
        }
        self.config = configured("easy");
        self.s = Scheduler::new(&self.config)?;
        for i in 1..self.job.len() {
            let Life { walltime, run, end, .. } = self.job[i];
            if end > now && end < NEVER {
                self.submit(now, i, end - run + walltime - now)?;
                self.job[i].run = end - now;
            }
        }
        self.step(now)?;
        for i in 1..self.job.len() {
            let Life { submit, walltime, end, .. } = self.job[i];
            if end == NEVER && submit < now {
                self.submit(now, i, walltime)?;
            }
        }
        Ok(())
    }

    fn instant(&mut self, now: i64) -> Result<u32> {
        let numbers = 1..self.job.len();
        let ended: Vec<u64> =
            numbers.clone().filter(|&i| self.job[i].end == now).map(|i| i as u64).collect();
        if !ended.is_empty() {
            let answer = self.s.finish_many(now, &ended, &[]);
            self.done(answer)?;
        }
        if now == HOUR {
            let answer = self.s.retry(now, 2);
            self.done(answer)?;
        }
        if now == CHANGE {
            self.change(now)?;
        }
        for i in numbers {
            if self.job[i].submit == now {
                self.submit(now, i, self.job[i].walltime)?;
            }
        }
        self.step(now)
    }

    fn play(&mut self) -> Result<u64> {
        let mut now = 0;
        while now != NEVER {
            let started = self.instant(now)?;
            if !self.crash {
                println!("{now:7} {started} start");
            }
            let ends = self.job.iter().flat_map(|job| [job.submit, job.end]);
            let own = [HOUR, CHANGE, self.s.next_start().unwrap_or(NEVER)];
            now = ends.chain(own).filter(|&t| t > now).min().unwrap_or(NEVER);
        }
        Ok(self.s.digest())
    }
}

fn main() -> Result<()> {
    let mut host = Host::new(false)?;
    let digest = host.play()?;
    println!("steps {}\ndigest {digest:016x}", host.steps);
    let same = Host::new(true)?.play()? == digest;
    println!("crashes change nothing: {}", same as i32);
    Ok(())
}
