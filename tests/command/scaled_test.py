#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""A machine of S times as many processors, with jobs that are S times as wide:
whatever the order and the policy, every job starts at the same second. So no
charge is dropped, at any size, and none is rounded in a way that counts.
"""

import os
import random
import subprocess
import tempfile

PROGRAM = os.path.abspath(next(
    p for p in ("tools/fairsched/fairsched", "build/fairsched")
    if os.access(p, os.X_OK)))
LIGHT = "TEST_LIGHT" in os.environ
TMP = tempfile.mkdtemp()
PROCS = 100
DAYS = 15 if LIGHT else 60

TREE = os.path.join(TMP, "tree.csv")
SHARES = os.path.join(TMP, "shares.csv")
CONFIG = os.path.join(TMP, "maui.cfg")

# The orders, and the policies that take them.
AFRESH = ("fcfs", "easy", "depth", "pc", "dc")
RUNS = [(p, "--order", o) for p in AFRESH
        for o in ("usage", "dominant", "tree", "lxf")]
RUNS += [(p, "--order", "relshare") for p in ("pc", "dc")]
RUNS += [(p, "--order", o) for p in ("pc", "dc", "easy")
         for o in ("sjf", "ljf", "widest", "narrowest")]
RUNS += [("conservative",), ("relshare",), ("maui",),
         ("easy", "--order", "priority", "--config", CONFIG)]


def case(name, good, why=""):
    print("ok" if good else "not ok", name, "" if good else why)
    return good


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def jobs_of(seed):
    r = random.Random(seed)
    return [(86400 * d + 3600 * k + r.randrange(60),
             r.choice([43200, 86400]), r.choice([1, 25, 50, 100]),
             r.choice([1, 1, 1, 2, 3])) for d in range(DAYS) for k in range(8)]


def trace(jobs, scale, limit=1):
    lines = ["; MaxProcs: %d" % (PROCS * scale)]
    for i, (t, run, procs, user) in enumerate(jobs):
        lines.append("%d %d -1 %d %d -1 -1 %d %d -1 1 %d 1 -1 1 -1 -1 -1" % (
            i + 1, t, run, scale * procs, scale * procs, limit * run, user))
    return "\n".join(lines) + "\n"


def starts(text, how, *more):
    how = list(how)
    policy = how.pop(0)
    if "tree" in how:
        how += ["--tree", TREE]
    if policy == "maui":
        how += ["--config", CONFIG]
    done = subprocess.run(
        [PROGRAM, "simulate", "-", "--policy", policy, *how, *more,
         "--jobs-out", "-"], input=text, text=True, capture_output=True)
    if done.returncode:
        return done.stderr.strip()
    return [x.split(",")[4] for x in done.stdout.splitlines()[1:]]


def compare(name, jobs, scale, how, *more, limit=1):
    small = starts(trace(jobs, 1, limit), how, *more)
    large = starts(trace(jobs, scale, limit), how, *more)
    if isinstance(small, str) or isinstance(large, str):
        return case(name, False, "%s / %s" % (small, large))
    changed = sum(a != b for a, b in zip(small, large))
    return case(name, len(small) == len(large) == len(jobs) and not changed,
                "%d of %d starts differ" % (changed, len(jobs)))


def main():
    write(TREE, "parent,name,shares,kind\nroot,a,2,account\nroot,b,1,account\n"
          "a,1,1,user\na,2,3,user\nb,3,1,user\n")
    write(CONFIG, "FSPOLICY DEDICATEDPS\nFSDEPTH 4\nFSINTERVAL 86400\n"
          "FSDECAY 0.5\nFSWEIGHT 100\nFSUSERWEIGHT 10\nQUEUETIMEWEIGHT 1\n"
          "USERCFG[DEFAULT] FSTARGET=30\n")
    good = True
    jobs = jobs_of(5)
    largest = 76308  # 7,630,800 processors
    for how in RUNS:
        good &= compare(" ".join(how[:3]) + " of 7.6 million processors", jobs,
                        largest, how)
    for order in ("usage", "dominant", "tree"):
        # Much shorter ones leave less than 2^-84 processor-seconds: nothing.
        for half_life in ("1d", "30d", "365d"):
            good &= compare("%s with a half-life of %s" % (order, half_life),
                            jobs, largest, ("easy", "--order", order),
                            "--half-life", half_life)
        # Half a year to a year: 2^47 processor-seconds that are charged at once.
        good &= compare("%s with limits of a year" % order, jobs, largest,
                        ("easy", "--order", order), limit=365)
    for cost in ("0.5", "1000"):
        good &= compare("a queue that costs %s" % cost, jobs, 20000,
                        ("easy", "--order", "usage"), "--queue-cost",
                        "1=%s" % cost)
    raise SystemExit(not good)


main()
