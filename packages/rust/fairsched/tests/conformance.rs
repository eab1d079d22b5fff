// SPDX-License-Identifier: MIT OR Unlicense
//! The conformance suite: FAIRSCHED_SUITE, or that of the tree.
use fairsched::{Advance, Config, Error, Job, Machine, Scheduler, Wait};
use serde_json::{json, Value};

fn integer(value: &Value, key: &str) -> i64 {
    value[key].as_i64().unwrap_or(0)
}

fn list(value: &Value, key: &str) -> Vec<i64> {
    let values = value[key].as_array().into_iter().flatten();
    values.map(|x| x.as_i64().unwrap()).collect()
}

fn narrow<T: TryFrom<i64>>(list: &[i64]) -> Vec<T> {
    list.iter().map(|&x| T::try_from(x).ok().unwrap()).collect()
}

fn wait_of(value: &Value) -> Option<Wait> {
    value.is_object().then(|| Wait {
        begin: value["begin"].as_i64(),
        after: value["after"].as_u64(),
        ok: integer(value, "end") == 1,
        held: value["held"].as_bool().unwrap_or(false),
    })
}

fn job_of(value: &Value, wait: &Value, s: &mut Scheduler, now: i64) -> Result<(), Error> {
    let job = Job {
        number: integer(value, "number") as u64,
        submit: value["submit"].as_i64(),
        procs: integer(value, "procs") as i32,
        walltime: integer(value, "walltime"),
        user: integer(value, "user") as u64,
        account: integer(value, "account") as u64,
        tasks: integer(value, "tasks") as u32,
        advance: integer(value, "advance") as u64,
        amount: &narrow::<i32>(&list(value, "amount")),
        classes: &narrow::<u8>(&list(value, "classes")),
        wait: wait_of(wait),
        ..Job::default()
    };
    s.submit(now, &job)
}

fn answer(s: &mut Scheduler, config: &Config, event: &[Value]) -> Result<Value, Error> {
    let name = event[0].as_str().unwrap();
    let now = event.get(1).and_then(Value::as_i64).unwrap_or(0);
    let number = event.get(2).and_then(Value::as_u64).unwrap_or(0);
    let at = |i: usize| event[i].as_i64().unwrap();
    match name {
        "submit" => job_of(&event[2], &event[3], s, now)?,
        "finish" => s.finish(now, number, 0)?,
        "cancel" => s.cancel(now, number)?,
        "requeue" => s.requeue(now, number)?,
        "suspend" => s.suspend(now, number)?,
        "resume" => s.resume(now, number)?,
        "finish_many" => {
            let numbers = event[2].as_array().unwrap();
            let numbers: Vec<u64> = numbers.iter().map(|v| v.as_u64().unwrap()).collect();
            s.finish_many(now, &numbers, &[])?
        }
        "refuse" => s.refuse(now, number)?,
        "refuse_until" => s.refuse_until(now, number, event[3].as_i64())?,
        "retry" => s.retry(now, number)?,
        "withdraw" => s.withdraw(now, number)?,
        "defer" => s.defer(now, number, wait_of(&event[3]).as_ref())?,
        "modify" => s.modify(now, number, at(3) as i32, at(4))?,
        "capacity" => {
            let victims = event[3].as_array().unwrap();
            let victims: Vec<u64> = victims.iter().map(|v| v.as_u64().unwrap()).collect();
            s.capacity(now, at(2) as i32, &victims)?
        }
        "reserve" => s.reserve(
            now,
            &Advance {
                number: integer(&event[2], "number") as u64,
                from: integer(&event[2], "from"),
                to: integer(&event[2], "to"),
                procs: integer(&event[2], "procs") as i32,
                for_jobs: integer(&event[2], "kind") == 1,
                node_class: integer(&event[2], "class") as u32,
                force: event[3].as_bool().unwrap(),
            },
        )?,
        "step" => {
            let started = s.step(now)?;
            return Ok(json!(started.iter().map(|d| d.number).collect::<Vec<_>>()));
        }
        "next" => return Ok(json!([s.next(), s.next_start()])),
        "status" => {
            let s = s.status(now as u64)?;
            return Ok(json!({"state": s.state, "start": s.start, "cause": s.cause,
                             "moves": s.moves, "class": s.node_class}));
        }
        "estimate" => return Ok(json!([s.estimate(now as u64)?])),
        "why" => return Ok(json!(s.why(now as u64)?)),
        "usage" => return Ok(json!([s.user_usage(now as u64)?])),
        "count" => return Ok(json!(s.count())),
        "digest" => return Ok(json!(format!("{:016x}", s.digest()))),
        "reload" => *s = Scheduler::load(config, &s.save()?)?,
        _ => panic!("there is no event {name}"),
    }
    Ok(json!(0))
}

fn play(sequence: &Value, errors: &Value) {
    let c = &sequence["config"];
    let (target, share) = (list(c, "target"), narrow::<u32>(&list(c, "share")));
    let amount = narrow::<i32>(&list(&c["machine"], "amount"));
    let config = Config {
        policy: c["policy"].as_str().unwrap(),
        order: c["order"].as_str().unwrap(),
        depth: integer(c, "depth") as u32,
        procs: integer(c, "procs") as i32,
        origin: integer(c, "origin"),
        jobs: integer(c, "jobs") as u32,
        ineligible: integer(c, "ineligible") as u32,
        advances: integer(c, "advances") as u32,
        users: integer(c, "users") as u32,
        weight: integer(c, "weight"),
        half_life: integer(c, "half_life"),
        patience: c["patience"].as_i64(),
        window: integer(c, "window"),
        ids: 0,
        target: &target,
        share: &share,
        machine: c["machine"].is_object().then_some(Machine {
            resources: integer(&c["machine"], "resources") as u32,
            classes: integer(&c["machine"], "classes") as u32,
            wide: integer(&c["machine"], "wide") as u32,
            amount: &amount,
        }),
    };
    let mut s = Scheduler::new(&config).unwrap();
    for (i, event) in sequence["events"].as_array().unwrap().iter().enumerate() {
        let (want, event) = event.as_array().unwrap().split_last().unwrap();
        let got = answer(&mut s, &config, event).unwrap_or_else(|error| {
            let text = error.to_string();
            if errors[error.code.to_string()] == text {
                return json!(error.code);
            }
            json!([error.code, text])
        });
        assert_eq!(&got, want, "{} {i} {}", sequence["name"], event[0]);
    }
    assert_eq!(s.check(), 0);
}

#[test]
fn conformance() {
    let path = std::env::var("FAIRSCHED_SUITE")
        .unwrap_or("../../../tests/conformance/suite.json".into());
    let suite: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let sequences = suite["sequences"].as_array().unwrap();
    assert_eq!(sequences.len(), 500);
    for sequence in sequences {
        play(sequence, &suite["errors"]);
    }
}

#[test]
fn finishes_many() {
    for together in [false, true] {
        let config = Config { procs: 10, jobs: 4, ..Config::default() };
        let mut s = Scheduler::new(&config).unwrap();
        let job = |number, procs, walltime| Job { number, procs, walltime, ..Job::default() };
        s.submit(0, &job(1, 5, 100)).unwrap();
        s.submit(0, &job(2, 5, 100)).unwrap();
        s.step(0).unwrap();
        s.submit(0, &job(4, 10, 20)).unwrap();
        s.submit(0, &job(5, 5, 40)).unwrap();
        if together {
            assert_eq!(s.finish_many(50, &[1, 2], &[0]).unwrap_err().code, 22);
            s.finish_many(50, &[1, 2], &[0, 9]).unwrap();
        } else {
            s.finish(50, 1, 0).unwrap();
            s.finish(50, 2, 9).unwrap();
        }
        assert_eq!(s.step(50).unwrap()[0].number, if together { 4 } else { 5 });
    }
}

#[test]
fn grows() {
    let config = |jobs| Config { procs: 100, jobs, ..Config::default() };
    let mut small = Scheduler::new(&config(1)).unwrap();
    let mut large = Scheduler::new(&config(64)).unwrap();
    for number in 0..50 {
        for s in [&mut small, &mut large] {
            let procs = 1 + number as i32 % 5;
            s.submit(number, &Job { number: number as u64, procs, walltime: 60, ..Job::default() })
                .unwrap();
            s.step(number).unwrap();
        }
    }
    assert_eq!(small.digest(), large.digest());
    let again = Scheduler::load(&config(1), &small.save().unwrap()).unwrap();
    assert_eq!((again.digest(), again.count()), (large.digest(), large.count()));
    let job = Job { number: 50, procs: 1, ..Job::default() };
    let error = small.submit(50, &job).unwrap_err();
    assert_eq!((error.code, error.to_string().as_str()), (22, "walltime is below 1"));
}
