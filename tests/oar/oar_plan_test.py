#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""What tools/oar/oar_sched_fairsched plans, and what its state keeps.

Jobs and hosts are written as lines:

    host UP CORES NAME
    hold JOB FROM TO HOST CORES ...
    job NUMBER SUBMIT
    shape ID WALLTIME HOSTS CORES [HOST ...]    of the last job

The last case plays random jobs on a small machine, pass after pass, and holds
each decision against what the lines say: that hosts have the cores at every
second, that a job has what it asks for, and that under conservative no job
starts after its first promise, as jobs end at their limits at the latest.
"""
import hashlib
import importlib.machinery
import importlib.util
import itertools
import os
import random
import stat
import subprocess
import sys
import tempfile

failures = 0


def case(name, good, seen=""):
    global failures
    failures += not good
    print(f"{'ok' if good else 'not ok'} {name}", "" if good else seen)


def load(folder):
    """Builds the package, and imports the program without running it."""
    subprocess.run(["sh", "tools/oar/build.sh", folder], check=True,
                   env={**os.environ, "PYTHON": sys.executable, "CFLAGS": "-O0"})
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader(
        "oar", "tools/oar/oar_sched_fairsched")
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("oar", loader))
    loader.exec_module(module)
    return module


class Site:
    def __init__(self, oar, folder, hosts, policy="conservative"):
        self.oar, self.policy = oar, policy
        self.hosts = [f"host 1 {cores} n{i}" for i, cores in enumerate(hosts)]
        self.state = tempfile.mktemp(dir=folder)

    def read(self, rows):
        """Returns hosts, holds and jobs."""
        hosts, holds, jobs = [], {}, {}
        for line in self.hosts:
            _, is_up, cores, name = line.split()
            hosts.append(self.oar.Host(int(cores), name, is_up == "1"))
        for line in rows:
            word, *rest = line.split()
            number, *rest = map(int, rest)
            if word == "hold":
                begin, end, *parts = rest
                holds[number] = self.oar.Hold(begin, end, frozenset(parts[::2]))
            elif word == "job":
                job = jobs[number] = self.oar.Job(*rest, [])
            else:
                walltime, n, cores, *among = rest
                job.shapes.append(self.oar.Shape(
                    number, walltime, n, cores,
                    frozenset(among or range(len(hosts)))))
        return hosts, holds, jobs

    def plan(self, now, *rows):
        """Returns [shape, from, to, {host: cores}] by job, and other lines."""
        planned, left, note = self.oar.plan(self.state, self.policy, now,
                                            *self.read(rows))
        return ({p.job: [p.shape, p.start, p.end, p.cores] for p in planned},
                [f"note {note}"] * bool(note) +
                [f"left {job} {why}" for job, why in left.items()])


def known(make):
    s = make([4, 4, 4, 4])
    rows = ["job 1 900", "shape 11 100 0 3", "job 2 900", "shape 12 200 2 0",
            "job 3 900", "shape 13 50 4 2", "job 4 901", "shape 14 100 4 4",
            "shape 15 400 1 1", "job 5 905", "shape 16 30 0 17",
            "job 6 905", "shape 18 30 2 4 1 2"]
    plans, others = s.plan(1000, *rows)
    first = {1: [11, 1000, 1100, {0: 3}], 2: [12, 1000, 1200, {1: 4, 2: 4}],
             3: [13, 1200, 1250, dict.fromkeys(range(4), 2)],
             4: [14, 1250, 1350, dict.fromkeys(range(4), 4)],
             6: [18, 1350, 1380, {1: 4, 2: 4}]}
    case("hosts, cores, whole hosts, the shape that ends first, named hosts",
         plans == first, plans)
    case("what no hosts have is left, with the reason",
         others[1:] == ["left 5 procs is above what the machine ever had"],
         others)
    case("the state is its owner's",
         stat.S_IMODE(os.stat(s.state).st_mode) == 0o600)
    held = ["hold 1 1000 1100 0 3", "hold 2 1000 1200 1 4 2 4"]
    plans, others = s.plan(1010, *held, *rows[4:8], rows[8], *rows[11:])
    case("promises are kept from pass to pass",
         plans == {j: first[j] for j in (3, 4, 6)} and others == [], others)
    plans, _ = s.plan(1020, held[0], *rows[4:8], rows[8], *rows[11:])
    case("an early end lets jobs move forward", plans[3][1:3] == [1100, 1150],
         plans)
    plans, _ = s.plan(1030, held[0], "hold 77 1025 1500 1 1", *rows[4:6])
    case("another queue's job keeps its host whole", plans[3][1] == 1500, plans)
    plans, _ = s.plan(1040, held[0], *rows[4:6])
    case("until it ends", plans[3][1] == 1100, plans)
    plans, _ = s.plan(1050, "hold 1 1000 1130 0 3", *rows[4:6])
    case("a longer limit is planned", plans[3][1] == 1130, plans)
    s.hosts[3] = s.hosts[3].replace(" 1 ", " 0 ", 1)
    plans, _ = s.plan(1060, *rows[4:6])
    case("a host that is down is not planned", 3 not in plans, plans)
    s.hosts[3] = s.hosts[3].replace(" 0 ", " 1 ", 1)
    plans, _ = s.plan(1070, *rows[4:6])
    case("a host comes back", plans[3][1] == 1070, plans)
    plans, _ = s.plan(1080, *rows[4:6])
    case("a start that OAR did not make is made again", plans[3][1] == 1080,
         plans)
    _, others = s.plan(1079, *rows[4:6])
    case("a time before the state's is said", others ==
         ["note planned anew, without the state: it does not match OAR's jobs and "
          "time"], others)
    s.hosts.append("host 1 8 n4")
    plans, others = s.plan(1090, *rows[4:6])
    case("another machine is planned anew", others ==
         ["note planned anew, without the state: the hosts are others"] and
         plans[3][1] == 1090, others)
    with open(s.state, "rb") as f:
        saved = f.read()
    for at in 0, 8, 20, len(saved) // 2, len(saved) - 1:
        with open(s.state, "wb") as f:
            f.write(saved[:at] + bytes([saved[at] ^ 64]) + saved[at + 1:])
        _, others = s.plan(1100, *rows[4:6])
        case(f"a state that is damaged at byte {at} is not used", others ==
             ["note planned anew, without the state: it is damaged"], others)
    with open(s.state, "wb") as f:
        f.write(saved[:100])
    _, others = s.plan(1100, *rows[4:6])
    case("a state that is cut off is not used", others ==
         ["note planned anew, without the state: it is damaged"], others)
    format_at = saved.index(b"\n", 32) + 9
    other = saved[32:format_at] + b"\xff" + saved[format_at + 1:]
    with open(s.state, "wb") as f:
        f.write(hashlib.sha256(other).digest() + other)
    _, others = s.plan(1100, *rows[4:6])
    case("nor one of another version", len(others) == 1 and
         "without the state: the checkpoint was written by another version"
         in others[0], others)
    s.policy = "pc"
    _, others = s.plan(1110, *rows[4:6])
    case("nor one of another policy", others ==
         ["note planned anew, without the state: it has another policy"], others)


def errors(make):
    for name, said, hosts, *policy in (
            ("no host", "there is no host", []),
            ("another policy", "policy maui: not fcfs", [4], "maui"),
            ("more classes than there can be", "machine is not valid", range(1, 70))):
        try:
            seen = make(hosts, *policy).plan(10)
        except ValueError as error:
            seen = str(error)
        case(f"refuses {name}", said in seen, seen)


def sets(make):
    """Each job names other hosts."""
    s = make([1] * 9)
    rows = [[f"job {i} 5", f"shape {i} 10 1 0 " + " ".join(map(str, among))]
            for i, among in enumerate(itertools.chain(*(
                itertools.combinations(range(9), n) for n in (2, 3, 4, 5))))]
    plans, others = s.plan(10, *sum(rows, []))
    case("255 jobs name different hosts, and the next one is left",
         len(plans) == 255 and others[1:] == [
             f"left {i} too many jobs name different hosts"
             for i in range(255, len(rows))], [len(plans), *others[:2]])
    plans, others = s.plan(10, *sum(rows[200:], []))
    case("until those before have gone", len(plans) == len(rows) - 200 and
         not others, [len(plans), *others[:2]])


def fits(hosts, asks, parts):
    n, cores, among = asks
    if not set(parts) <= set(among) or not parts:
        return False
    if n == 0:
        return sum(parts.values()) == cores
    return len(parts) == n and all(
        c == (cores or hosts[h]) for h, c in parts.items())


def live(make, policy, rng):
    """Plays random jobs; returns what went wrong, and how many started."""
    hosts = [2, 2, 4, 4, 4, 8]
    s = make(hosts, policy)
    jobs, running, promised, started, wrong = {}, {}, {}, 0, []
    now = 1000
    for number in range(1, 10**6):
        if number < 120:
            shapes = []
            for k in range(rng.choice((1, 1, 2))):
                among = rng.sample(range(6), rng.choice((3, 6, 6, 6)))
                n = rng.randint(0, 2)
                shapes.append((10 * number + k, rng.randint(1, 90),
                               (n, rng.randint(not n, 2), sorted(among))))
            jobs[number] = shapes
        ended = [j for j, (plan, end) in running.items() if end <= now]
        for j in ended:
            del running[j]
        rows = [" ".join(map(str, ["hold", j, *p[1:3], *sum(p[3].items(), ())]))
                for j, (p, end) in running.items()]
        for j, shapes in jobs.items():
            rows.append(f"job {j} {now}")
            rows += [" ".join(map(str, ["shape", i, walltime, n, cores, *(
                among if len(among) < len(hosts) else [])]))
                for i, walltime, (n, cores, among) in shapes]
        plans, others = s.plan(now, *rows)
        wrong += [line for line in others if number > 1 and "note" in line]
        everything = [p for p, end in running.values()] + list(plans.values())
        for t in {p[1] for p in everything}:
            for h, cores in enumerate(hosts):
                if sum(p[3].get(h, 0) for p in everything
                       if p[1] <= t < p[2]) > cores:
                    wrong.append(f"host {h} is full at {t}, planned at {now}")
        for j, p in plans.items():
            asks = [a for i, w, a in jobs[j] if i == p[0] and p[2] - p[1] == w]
            if not asks or not fits(hosts, asks[0], p[3]):
                wrong.append(f"job {j} gets {p}, asks for {jobs[j]}")
            if policy == "conservative" and p[1] > promised.setdefault(j, p[1]):
                wrong.append(f"job {j} moves from {promised[j]} to {p[1]}")
            if p[1] == now:
                running[j] = p, rng.randint(now + 1, p[2])
                started += 1
                del jobs[j]
        for line in others:
            if line.startswith("left"):
                jobs.pop(int(line.split()[1]))
        if number >= 120 and not jobs:
            return wrong, started
        now = min([now + rng.randint(1, 20),
                   *(end for p, end in running.values()),
                   *(p[1] for p in plans.values() if p[1] > now)])
    return wrong, started


def main():
    if not importlib.util.find_spec("cffi"):
        print("skip plan: Python has no cffi")
        return
    with tempfile.TemporaryDirectory() as folder:
        oar = load(folder)

        def make(hosts, policy="conservative"):
            return Site(oar, folder, hosts, policy)

        known(make)
        errors(make)
        sets(make)
        for policy in "fcfs", "easy", "conservative", "pc", "dc":
            wrong, started = live(make, policy, random.Random(policy))
            case(f"{policy}: plans and starts are right",
                 not wrong and started > 80, [started, *wrong[:3]])
    sys.exit(failures > 0)


main()
