#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: mixed_run.py [--jobs 2000] [--plugin FOLDER] [--policy POLICY]

As root, runs jobs of mixed size, memory, GPUs, licences, features and limits on two
clusters side by side, those of matrix.py: one with Slurm's own sched/backfill, one
with sched/fairsched. Prints for each how long jobs waited, how much of the
processors they used, slurmctld's processor time, and what became of promises.
"""

import argparse
import os
import random
import re
import signal
import statistics
import sys
import time

sys.dont_write_bytecode = True
import matrix  # noqa: E402

CPUS = sum(kind[0] for kind in matrix.NODES)
WHO = (("root", "root", "normal"), ("bin", "science", "normal"),
       ("bin", "science", "few"), ("games", "small", "normal"))


def draw(rng):
    """Returns options, user and seconds of a job."""
    user, account, qos = rng.choices(WHO, (6, 6, 1, 1))[0]
    options = [f"-A{account}", f"--qos={qos}", f"-t{rng.randrange(1, 4)}",
               f"--mem-per-cpu={rng.choice((100, 100, 500, 900))}"]
    kind = rng.randrange(10)
    if kind == 0:
        options += ["-pbig", f"--gres=gpu:{rng.randrange(1, 3)}"]
    elif kind == 1:
        options += [f"-Lmatlab:{1 + (rng.randrange(5) == 0)}"]
    elif kind == 2:
        options += ["-pall", "-C" + rng.choice(("amd", "intel", "amd|big"))]
    elif kind == 3:
        options += ["-pall", "-N2", f"-n{rng.choice((2, 4))}"]
    elif kind == 4 and account != "small":
        options += ["-pall", f"-n{rng.choice((8, 12, 16))}"]
    else:
        options += ["-pall", f"-n{rng.choice((1, 1, 2, 2, 3, 4))}"]
    return options, user, rng.uniform(0.5, 4)


def cpu_seconds(c):
    with open(f"/proc/{c.controller.pid}/stat") as f:
        words = f.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def run_jobs(c, n):
    rng = random.Random(1)
    jobs = [c.submit(*options, user=user, seconds=seconds)
            for options, user, seconds in (draw(rng) for _ in range(n))]
    refused = [j for j in jobs if not j.isdigit()]
    assert not refused, refused
    c.wait(lambda: not c.run("squeue", "-h", "-a", check=False), "all jobs",
           3600)
    return jobs


def report(c, jobs, name):
    c.wait(lambda: len(c.sacct(jobs, "State").split()) == len(jobs) and
           "RUNNING" not in c.sacct(jobs, "State"), "records")
    rows = [tuple(map(int, l.split("|"))) for l in c.sacct(
        jobs, "Submit,Start,End,AllocCPUS").splitlines()]
    begin, end = min(r[0] for r in rows), max(r[2] for r in rows)
    used = sum((r[2] - r[1]) * r[3] for r in rows)
    waits = [r[1] - r[0] for r in rows]
    print(f"{name}: {len(rows)} jobs in {end - begin} s; used "
          f"{used / (end - begin):.1f} of {CPUS} processors; wait "
          f"{statistics.mean(waits):.0f} s on average, {max(waits)} s at most; "
          f"slurmctld {cpu_seconds(c):.0f} s of processor time", flush=True)


def report_promises(c):
    log = c.log()
    first, moved = {}, {}
    for job, to, why in re.findall(r"fairsched: JobId=(\d+) promised (\d+): (.*)",
                                   log):
        if job in first:
            moved[why] = moved.get(why, 0) + 1
        first.setdefault(job, int(to))
    late = re.findall(r"JobId=\d+ is (\d+) s later than first promised: (.*)", log)
    unplanned = set(re.findall(r"JobId=(\d+) is not planned", log))
    causes, refusals = {}, {}
    for why in re.findall(r"cannot start on \S+: (.*)", log):
        refusals[why] = refusals.get(why, 0) + 1
    for seconds, why in late:
        causes[why] = causes.get(why, 0) + (int(seconds) > 5)
    print(f"promises of {len(first)} jobs; moved later, by cause: {moved}; more "
          f"than 5 s late at the start, by cause: {causes}; starts that Slurm "
          f"refused: {refusals}; not planned: "
          f"{len(unplanned)}")
    if os.environ.get("KEEP"):
        open(os.environ["KEEP"], "w").write(log)
    c.controller.terminate()
    c.controller.wait()
    print("".join(re.findall(r"passes with.*|a pass took.*", c.log())))


def run(plugin, args):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with matrix.Site(plugin, args.policy) as c:
        jobs = run_jobs(c, args.jobs)
        report(c, jobs, "sched/fairsched" if plugin else "sched/backfill")
        if plugin:
            report_promises(c)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--plugin", default="build/plugin")
    parser.add_argument("--policy", default="conservative")
    args = parser.parse_args()
    os.environ.update(SLURM_TIME_FORMAT="%s", TZ="UTC")
    for plugin in "", os.path.abspath(args.plugin):
        if not os.fork():
            try:
                run(plugin, args)
            finally:
                os._exit(0)
    os.wait()
    os.wait()


main()
