// SPDX-License-Identifier: MIT OR Unlicense
//! An error or an answer, whatever the arguments; never a crash.
use fairsched::{simulate, Advance, Config, Error, Job, Machine, Scheduler, Trace, Wait};
use std::time::{Duration, Instant};

struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn number(&mut self) -> i64 {
        // An overrun is simulated by a step for each 68 years.
        const ODD: [i64; 8] = [0, -1, i64::MAX, i64::MIN, 1 << 31, 1 << 34, 1 << 50, 100];
        if self.below(10) > 0 {
            return self.below(9) as i64;
        }
        ODD[self.below(8) as usize]
    }
}

fn event(s: &mut Scheduler, d: &mut Draw, now: i64) -> fairsched::Result<()> {
    let number = d.number() as u64;
    let wait = Wait {
        begin: Some(d.number()),
        after: Some(d.number() as u64),
        ok: d.below(2) > 0,
        held: d.below(2) > 0,
    };
    match d.below(23) {
        0..=4 => {
            let job = Job {
                number,
                procs: d.number() as i32,
                walltime: d.number(),
                user: d.number() as u64,
                // Each task is simulated by why() and estimate().
                tasks: d.below(9) as u32,
                amount: &[0, 1][..d.below(3) as usize],
                classes: &[1, 200][..d.below(3) as usize],
                wait: (d.below(3) == 0).then_some(wait),
                advance: d.number() as u64,
                ..Job::default()
            };
            // Its text is that of a field, or of the number.
            s.submit(now, &job).map_err(|e| {
                assert!(!e.to_string().is_empty());
                Error::of(e.code)
            })
        }
        5 => s.finish(now, number, d.number() as i32),
        6 => s.cancel(now, number),
        7 => s.requeue(now, number),
        8 => s.suspend(now, number).and(s.resume(now, number)),
        9 => s.modify(now, number, d.number() as i32, d.number()),
        10 => s.capacity(now, d.number() as i32, &[number, number]),
        11 => s.reserve(
            now,
            &Advance {
                number,
                from: d.number(),
                to: d.number(),
                procs: d.number() as i32,
                node_class: d.number() as u32,
                for_jobs: d.below(2) > 0,
                force: d.below(2) > 0,
            },
        ),
        12 => s.defer(now, number, Some(&wait)).and(s.withdraw(now, number)),
        13 => s.status(number).map(|_| ()),
        14 => s.save().map(|_| ()),
        15 => s.why(number).map(|_| ()),
        16 => s.estimate(number).map(|_| ()),
        17 => s.add_user(now, number).and(s.user_usage(number).map(|_| ())),
        18 => s.jobs(["queued", "running", "ineligible", "x"][d.below(4) as usize]).map(|jobs| {
            for number in jobs {
                s.status(number).unwrap();
            }
        }),
        19 => s.refuse(now, number).and(s.retry(now, number)),
        20 => s.refuse_until(now, number, (d.below(2) > 0).then_some(d.number())),
        21 => {
            let statuses = [0, d.number() as i32];
            s.finish_many(now, &[number, d.number() as u64], &statuses[..d.below(3) as usize])
        }
        _ => s.step(now).map(|_| ()),
    }
}

const POLICIES: [&str; 7] = ["fcfs", "easy", "conservative", "pc", "dc", "sfs", "relshare"];

/// Valid, but for what `odd` changes.
fn config(d: &mut Draw, odd: bool) -> Config<'static> {
    let mut c = Config {
        policy: POLICIES[d.below(7) as usize],
        procs: 8,
        jobs: 20,
        ineligible: 20,
        advances: 4,
        ..Config::default()
    };
    if c.policy == "sfs" {
        c.target = &[10, 20];
    }
    if c.policy == "relshare" {
        (c.share, c.half_life, c.window, c.ids) = (&[1, 2], 100, 100, 4);
    }
    if d.below(2) > 0 {
        c.machine =
            Some(Machine { resources: 2, classes: 2, wide: 0, amount: &[4, 0, 4, 1] });
    }
    while odd && d.below(3) > 0 {
        let x = d.number();
        // Not a size that this machine could have, and would fill.
        let size = if (0..9).contains(&x) { x as u32 } else { u32::MAX };
        match d.below(10) {
            0 => c.depth = x as u32,
            1 => c.procs = x as i32,
            2 => c.origin = x,
            3 => c.ineligible = size,
            4 => c.advances = size,
            5 => c.users = size,
            6 => c.ids = size,
            7 => (c.weight, c.half_life, c.window) = (x, d.number(), d.number()),
            8 => c.patience = Some(x),
            _ => c.jobs = size,
        }
    }
    c
}

/// Numbered errors have the library's text; of what is not valid there is more to say.
fn seen<T>(result: fairsched::Result<T>) -> bool {
    if let Err(e) = &result {
        assert!(!e.to_string().is_empty());
        assert!([12, 22].contains(&e.code) || *e == Error::of(e.code), "{} {e}", e.code);
    }
    result.is_err()
}

fn round(d: &mut Draw) -> u32 {
    let mut errors = 0;
    let odd = config(d, true);
    errors += seen(Scheduler::new(&odd)) as u32;
    let n = d.below(4) as usize;
    let mut column = || [(); 4].map(|_| d.number());
    let (submit, run, walltime, user) = (column(), column(), column(), column());
    let procs = column().map(|p| p as i32);
    errors += seen(simulate(
        &odd,
        &Trace {
            submit: &submit[..n],
            run: &run[..n],
            walltime: &walltime[..n],
            procs: &procs[..n],
            user: &user[..n],
        },
    )) as u32;

    let config = config(d, false);
    let mut s = Scheduler::new(&config).unwrap();
    let mut now = 0;
    for _ in 0..500 {
        now += d.below(2) as i64;
        let at = if d.below(20) > 0 { now } else { d.number() };
        errors += seen(event(&mut s, d, at)) as u32;
    }
    assert_eq!(s.check(), 0);
    let saved = s.save().unwrap();
    assert_eq!(Scheduler::load(&config, &saved).unwrap().digest(), s.digest());
    let mut damaged = saved.clone();
    damaged[d.below(saved.len() as u64) as usize] ^= 1;
    assert!(seen(Scheduler::load(&config, &damaged)));
    let other = Config { origin: config.origin - 1, ..config };
    let error = Scheduler::load(&other, &saved).err().unwrap().to_string();
    assert!(error.ends_with(": another origin"), "{error}");
    assert!(seen(Scheduler::load(&config, &saved[..saved.len() / 2])));
    errors
}

/// FUZZ_SECONDS is how long; by default one.
#[test]
fn any_input() {
    let seconds = std::env::var("FUZZ_SECONDS").map_or(1, |s| s.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    let (mut rounds, mut errors) = (0, 0);
    while Instant::now() < end || rounds < 10 {
        errors += round(&mut Draw(rounds));
        rounds += 1;
    }
    println!("{rounds} rounds in {seconds} s");
    assert!(errors > 0);
}

#[test]
fn texts() {
    let error = |config: Config| Scheduler::new(&config).err().unwrap().to_string();
    assert_eq!(error(Config { procs: 0, ..Config::default() }), "procs is below 1");
    assert_eq!(
        error(Config { policy: "best", ..Config::default() }),
        "there is no policy 'best'"
    );
    let mut s = Scheduler::new(&Config::default()).unwrap();
    let missing = s.cancel(0, 7).unwrap_err();
    assert_eq!(missing.code, 2);
    assert!(missing.to_string().starts_with("there is no job"));
}

#[test]
fn traces() {
    let config = Config { procs: 8, ..Config::default() };
    let trace = Trace {
        submit: &[0, 10, 20, 30],
        run: &[60, 50, 30, 40],
        walltime: &[100, 50, 30, 40],
        procs: &[5, 5, 3, 3],
        user: &[],
    };
    let result = simulate(&config, &trace).unwrap();
    assert_eq!(result.start, [0, 60, 20, 50]);
    assert_eq!(result.promise[1], Some(100));
    assert!(simulate(&config, &Trace { procs: &[9, 1, 1, 1], ..trace }).is_err());
    assert!(simulate(&config, &Trace { procs: &[1], ..trace }).is_err());
    assert!(simulate(&config, &Trace { submit: &[9, 8, 7, 6], ..trace }).is_err());
    assert!(simulate(&config, &Trace::default()).is_err());
}

#[test]
fn jobs() {
    let mut s = Scheduler::new(&Config { procs: 8, ..Config::default() }).unwrap();
    for number in 1..=3 {
        let job = Job { number, procs: 8, walltime: 9, ..Job::default() };
        s.submit(0, &job).unwrap();
    }
    s.step(0).unwrap();
    assert_eq!(s.jobs("running").unwrap().collect::<Vec<_>>(), [1]);
    let queued: Vec<_> = s.jobs("queued").unwrap().collect();
    assert_eq!(queued, [2, 3]);
    for number in queued {
        s.cancel(0, number).unwrap();
    }
    assert_eq!(s.jobs("queued").unwrap().count(), 0);
    let error = s.jobs("asleep").err().unwrap().to_string();
    assert_eq!(error, "there is no state 'asleep'");
}

#[test]
fn threads() {
    let mut s = Scheduler::new(&Config { procs: 8, ..Config::default() }).unwrap();
    let handle = std::thread::spawn(move || {
        s.submit(0, &Job { number: 1, procs: 8, walltime: 9, ..Job::default() }).unwrap();
        s
    });
    let mut s = handle.join().unwrap();
    assert_eq!(s.count(), [1, 0, 0]);
    // Questions run side by side, and agree; events do behind a lock.
    for number in 2..=200 {
        s.submit(0, &Job { number, procs: 8, walltime: 9, ..Job::default() }).unwrap();
    }
    s.step(0).unwrap();
    let questions = || {
        (0..50).for_each(|_| assert!(!s.why(200).unwrap().is_empty()));
        (s.jobs("queued").unwrap().count(), s.estimate(200).unwrap(), s.save().unwrap())
    };
    std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(questions));
        for thread in threads {
            assert_eq!(thread.join().unwrap(), questions());
        }
    });
    let locked = std::sync::Mutex::new(s);
    std::thread::scope(|scope| {
        for first in [2, 3, 4, 5] {
            let locked = &locked;
            scope.spawn(move || {
                for number in (first..=200).step_by(4) {
                    locked.lock().unwrap().cancel(0, number).unwrap();
                }
            });
        }
    });
    let s = locked.into_inner().unwrap();
    assert_eq!((s.count(), s.check()), ([0, 1, 0], 0));
}
