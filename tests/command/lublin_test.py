#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""generate --model lublin against the model as it is published.

Model below is written from the description in docs/lublin.md alone, with the
gamma variates of Python. Samples of the two are compared by the two-sample
Kolmogorov-Smirnov test at the level of 1 in 1,000 (conservative where values
repeat); seeds are fixed. Then each parameter of Model is bent in turn, and the
tests must see it.
"""

import math
import os
import random
import subprocess
import sys
import zlib

PROGRAM = next(p for p in ("tools/fairsched/fairsched", "build/fairsched")
               if os.access(p, os.X_OK))
JOBS = 30000
PROCS = 256
APART = 20  # jobs between two whose times of day are compared
DAY = 86400
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, why if not good else "")


# ---- the model ----

class Model:
    serial, power_of_two = 0.244, 0.576
    low, below_high, first = 0.8, 2.5, 0.86
    shape1, scale1, shape2, scale2 = 4.2, 0.94, 312.0, 0.03
    slope, intercept = -0.0054, 0.78
    gap_shape, gap_scale, ratio = 10.2303, 0.4871, 1.0225
    slot_shape, slot_scale = 8.1737, 3.9631
    most_run, most_gap = 12, 13

    def __init__(self, seed, **bent):
        self.random = random.Random(seed)
        for name, value in bent.items():
            assert hasattr(self, name)
            setattr(self, name, value)
        self.weights()

    def weights(self):
        """Of the half-hours of a day, 1 on average."""
        def density(x):
            return x ** (self.slot_shape - 1) * math.exp(-x / self.slot_scale)

        self.weight = [0.0] * 48
        for slot in range(11, 59):
            # Simpson's rule with 20 panels.
            total = 0
            for i in range(41):
                factor = 1 if i in (0, 40) else 4 if i % 2 else 2
                total += factor * density(slot - 0.5 + i / 40)
            self.weight[(slot - 1) % 48] = total
        mean = sum(self.weight) / 48
        self.weight = [w / mean for w in self.weight]

    def cut_gamma(self, shape, scale, most):
        while True:
            x = self.random.gammavariate(shape, scale)
            if x <= most:
                return x

    def procs(self, machine):
        high = math.log(machine, 2)
        middle = high - self.below_high
        kind = self.random.random()
        if kind < self.serial:
            return 1
        if self.random.random() < self.first:
            size = self.random.uniform(self.low, middle)
        else:
            size = self.random.uniform(middle, high)
        if kind < self.serial + self.power_of_two:
            size = math.floor(size + 0.5)
        return min(machine, math.floor(2 ** size + 0.5))

    def run(self, procs):
        p = self.slope * procs + self.intercept
        if self.random.random() < p:
            log = self.cut_gamma(self.shape1, self.scale1, self.most_run)
        else:
            log = self.cut_gamma(self.shape2, self.scale2, self.most_run)
        return int(math.exp(log))

    def submits(self, jobs):
        """Each half-hour takes points of a gap as they come."""
        slot, paid, points = 0, 0.0, 0.0
        for _ in range(jobs):
            points += math.exp(self.cut_gamma(
                self.gap_shape * self.ratio, self.gap_scale,
                self.most_gap)) / 1800
            while points - paid > self.weight[slot % 48]:
                paid += self.weight[slot % 48]
                slot += 1
            yield int(1800 * (slot + (points - paid) / self.weight[slot % 48]))

    def trace(self, jobs, machine):
        for submit in self.submits(jobs):
            procs = self.procs(machine)
            yield submit, procs, self.run(procs)


# ---- the program ----

def generate(*args):
    done = subprocess.run([PROGRAM, "generate", *args], check=True,
                          capture_output=True, text=True)
    return done.stdout, done.stderr


def jobs_of(text):
    """(submit, procs, run, request) of each."""
    rows = [line.split() for line in text.splitlines() if line[0] != ";"]
    return [(int(r[1]), int(r[4]), int(r[3]), int(r[8])) for r in rows]


# ---- the comparison ----

def distance(a, b):
    """The largest difference of two empirical distribution functions."""
    a, b = sorted(a), sorted(b)
    i = j = 0
    most = 0.0
    while i < len(a) and j < len(b):
        x = min(a[i], b[j])
        while i < len(a) and a[i] == x:
            i += 1
        while j < len(b) and b[j] == x:
            j += 1
        most = max(most, abs(i / len(a) - j / len(b)))
    return most


def same(a, b):
    """Not rejected at 0.001; and the distance in units of the critical one."""
    critical = 1.9495 * math.sqrt((len(a) + len(b)) / (len(a) * len(b)))
    return distance(a, b) / critical


CLOCK = Model(0)


def on_clock(t):
    """A clock on which gaps do not depend on the hour."""
    days, second = divmod(t, DAY)
    slot, rest = divmod(second, 1800)
    return (days * DAY + 1800 * sum(CLOCK.weight[:slot])
            + rest * CLOCK.weight[slot])


def samples(trace):
    """What is compared, by name."""
    submits = [job[0] for job in trace]
    clock = [on_clock(t) for t in submits]
    return {
        "processors": [job[1] for job in trace],
        "powers of two": [job[1] & (job[1] - 1) for job in trace],
        "run times": [job[2] for job in trace],
        "run times of serial jobs": [j[2] for j in trace if j[1] == 1],
        "run times of 16 to 63": [j[2] for j in trace if 16 <= j[1] < 64],
        "run times of 100 and more": [j[2] for j in trace if j[1] >= 100],
        "gaps": [b - a for a, b in zip([0] + submits, submits)],
        "gaps at an even hour": [b - a for a, b in zip([0] + clock, clock)],
        # Neighbours arrive at about one time of day: some of them.
        "time of day": [t % DAY for t in submits[::APART]],
    }


def reference(seed, **bent):
    return samples(list(Model(seed, **bent).trace(JOBS, PROCS)))


def compare(got, want):
    return {name: same(got[name], want[name]) for name in got}


def test_distributions(got):
    for name, far in compare(got, reference(1)).items():
        case("distribution: " + name, far < 1, "%.2f of the limit" % far)


def test_power(got):
    """A parameter that is bent by so much must be seen."""
    bends = {
        "serial": 0.27, "power_of_two": 0.60, "low": 0.5, "below_high": 2.3,
        "first": 0.83, "shape1": 4.4, "scale1": 0.98, "shape2": 315.0,
        "scale2": 0.0303, "slope": -0.0068, "intercept": 0.75,
        "gap_shape": 10.45, "gap_scale": 0.495, "ratio": 1.0,
        "slot_shape": 7.0, "slot_scale": 4.5, "most_run": 10.0,
        "most_gap": 8.5,
    }
    for name, value in bends.items():
        far = max(compare(got, reference(2, **{name: value})).values())
        case("seen: %s %g" % (name, value), far > 1, "%.2f" % far)


def test_sizes():
    """On other machines, too."""
    for procs in (10, 100, 1000, 100000):
        text, _ = generate("--jobs", "5000", "--procs", str(procs))
        got = [job[1] for job in jobs_of(text)]
        model = Model(procs)
        far = same(got, [model.procs(procs) for _ in range(20000)])
        case("processors of %d" % procs, far < 1, "%.2f of the limit" % far)
        case("no more than %d" % procs, max(got) <= procs)


def test_requests():
    text, _ = generate("--jobs", "10000", "--overestimate", "5")
    trace = jobs_of(text)
    case("requests: 1 to 5 times",
         all(run <= request < 5 * run + 1 for _, _, run, request in trace))
    uniform = random.Random(3)
    far = same([req / run for _, _, run, req in trace if run > 1000],
               [uniform.uniform(1, 5) for _ in range(20000)])
    case("requests: uniform", far < 1, "%.2f of the limit" % far)
    text, _ = generate("--jobs", "100")
    case("requests: run times by default",
         all(run == request for _, _, run, request in jobs_of(text)))


def test_load():
    plain = jobs_of(generate("--jobs", "10000")[0])
    for load in ("0.3", "0.9", "0.95", "1.5"):
        text, said = generate("--jobs", "10000", "--load", load)
        trace = jobs_of(text)
        reached = (sum(procs * run for _, procs, run, _ in trace)
                   / PROCS / trace[-1][0])
        case("load %s" % load, abs(reached - float(load)) < 1e-5, reached)
        case("load %s is said" % load, "load %.4f," % reached in said, said)
        case("load %s: the same jobs" % load,
             [job[1:3] for job in trace] == [job[1:3] for job in plain])
        scale = on_clock(trace[-1][0]) / on_clock(plain[-1][0])
        off = max(abs(on_clock(a[0]) * scale - on_clock(b[0]))
                  for a, b in zip(plain, trace))
        case("load %s: the same daily cycle" % load, off < 10 + scale, off)


def test_queue():
    """The mean queue is the sum of waits over the makespan."""
    text, said = generate("--jobs", "3000", "--load", "0.9",
                          "--overestimate", "5")
    rows = subprocess.run(
        [PROGRAM, "simulate", "-", "--policy", "easy", "--jobs-out", "-"],
        input=text, check=True, capture_output=True, text=True
    ).stdout.splitlines()[1:]
    rows = [row.split(",") for row in rows]
    waits = sum(int(row[7]) for row in rows)
    span = (max(int(row[6]) for row in rows)
            - min(int(row[1]) for row in rows))
    case("mean queue", "easy %.1f jobs" % (waits / span) in said, said)
    case("seed is said", said.startswith("seed 1,"), said)


def test_same():
    first = generate("--jobs", "2000", "--seed", "7")[0]
    case("one seed, one trace",
         first == generate("--jobs", "2000", "--seed", "7")[0])
    case("another seed, another trace",
         jobs_of(first) != jobs_of(generate("--jobs", "2000", "--seed", "8")[0]))
    case("fewer jobs are the first ones",
         jobs_of(first)[:500] == jobs_of(
             generate("--jobs", "500", "--seed", "7")[0]))
    note = next(line for line in first.splitlines() if "; Note:" in line)
    again = note.split("fairsched generate ")[1].split()
    case("the header says how", generate(*again)[0] == first, note)
    # By every compiler here and on 32 bits; another libm may differ.
    sum7 = zlib.crc32(repr(jobs_of(first)).encode())
    case("the trace of seed 7", sum7 == CRC_OF_SEED_7, hex(sum7))


CRC_OF_SEED_7 = 0x4c85b553

if __name__ == "__main__":
    got = samples(jobs_of(generate("--jobs", str(JOBS), "--seed", "1")[0]))
    test_distributions(got)
    test_power(got)
    test_sizes()
    test_requests()
    test_load()
    test_queue()
    test_same()
    sys.exit(failed > 0)
