#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: plugin_run.py TRACE [--jobs 500] [--squeeze 600] [--stock]
       plugin_run.py --pending N [--nodes N] [--stock]

Runs jobs of a trace on a Slurm cluster of 16 nodes of 4 processors on this
machine, with the plugin sched/fairsched of build/plugin or, with --stock, with
Slurm's own sched/backfill. All times are divided by SQUEEZE. Every tenth job
needs one of two licences for a minute, and each hundredth both of them. Prints
waits, kept promises and how long a scheduling cycle took. With --pending the jobs
are that many instead, of 1 to 32 processors, behind a job that has the whole machine;
slurmctld is started again while they wait, and then they run for half a minute. With
--nodes that many nodes of 16 processors are there in slurmctld alone, as nodes of a
cloud that never boot.
"""

import argparse
import datetime
import gzip
import os
import re
import statistics
import sys
import time

sys.dont_write_bytecode = True
import cluster  # noqa: E402

PROCS, MARGIN = 64, 50


def read_trace(path, jobs):
    """Returns submit, run, processors and limit of successive jobs."""
    rows = []
    for line in gzip.open(path, "rt", errors="replace"):
        w = line.split()
        if line.startswith(";") or len(w) < 18 or int(w[3]) <= 0:
            continue
        rows.append((int(w[1]), int(w[3]), max(int(w[7]), int(w[4])),
                     max(int(w[8]), int(w[3]))))
    # the densest part of the log
    at = min(range(len(rows) - jobs), key=lambda i: rows[i + jobs][0] - rows[i][0])
    most = max(r[2] for r in rows)
    return [(s - rows[at][0], run, max(1, p * PROCS // most), limit)
            for s, run, p, limit in rows[at:at + jobs]]


def submit(c, procs, seconds, minutes, licences, *options):
    more = ("-L", f"matlab:{licences}") if licences else ()
    return c.run("sbatch", "-n", str(procs), "-t", str(minutes), "-o",
                 "/dev/null", *more, *options, "--wrap", f"exec sleep {seconds:.1f}",
                 cwd="/").split()[-1]


def submit_trace(c, rows, squeeze):
    begin, jobs = time.time(), {}
    for i, (at, run, procs, limit) in enumerate(rows):
        time.sleep(max(0, begin + at / squeeze - time.time()))
        licences = 2 if i % 100 == 50 else int(i % 10 == 0)
        seconds = 20 if licences == 1 else run / squeeze
        jobs[submit(c, procs if not licences else 1, seconds,
                    -(-limit // squeeze // 60) or 1, licences)] = (
                        time.time(), licences)
    return jobs


def add_cloud(c, nodes):
    """Before slurmctld starts."""
    with open(c.folder + "/slurm.conf", "a") as f:
        f.write(f"NodeName=c[1-{nodes}] CPUs=16 RealMemory=1000 State=CLOUD\n"
                f"PartitionName=cloud Nodes=c[1-{nodes}] MaxTime=INFINITE\n"
                "ResumeProgram=/bin/true\nSuspendProgram=/bin/true\n"
                "SuspendTime=36000\nResumeTimeout=36000\n")
    path = c.folder + "/fairsched.conf"
    text = open(path).read()
    open(path, "w").write(text.replace("EnforcePartLimits=ALL\n", ""))


def run_pending(c, args):
    more = ("-p", "cloud") if args.nodes else ()
    first = submit(c, args.nodes * 16 or PROCS, 600, 10, 0, *more)
    jobs = {submit(c, 1 + i % 32, 1, 1, 0, *more): (time.time(), 0)
            for i in range(args.pending)}
    time.sleep(20)
    c.restart_controller("terminate")
    time.sleep(20)
    c.run("scancel", first)
    time.sleep(30)
    return jobs


def read_promises(c):
    """Returns the promises of each job that did not move earlier: second, cause."""
    found = {}
    for m in re.finditer(r"fairsched: JobId=(\S+) promised (\d+): (.*)",
                         open(c.folder + "/slurmctld.log").read()):
        found.setdefault(m[1], []).append((int(m[2]), m[3]))
    return found


def read_starts(c):
    """Returns when each job started, as Slurm records it."""
    return {m[1]: datetime.datetime.fromisoformat(m[2]).timestamp()
            for m in re.finditer(r"JobId=(\d+) .*StartTime=(\S+)",
                                 open(c.folder + "/jobs.txt").read())
            if m[2] != "Unknown"}


def report(c, jobs):
    begun = {j: t for j, t in read_starts(c).items() if j in jobs}
    wait = {j: begun[j] - jobs[j][0] for j in begun}
    if wait:
        print(f"{len(begun)} of {len(jobs)} jobs started, wait "
              f"{statistics.mean(wait.values()):.1f} s on average")
    for n in 1, 2:
        some = [wait[j] for j in begun if jobs[j][1] == n]
        if some:
            print(f"jobs of {n} licences: wait {statistics.mean(some):.1f} s on "
                  f"average, {max(some):.1f} s at most")
    late, moved, promises = 0, {}, read_promises(c)
    for job, all_ in promises.items():
        for before, after in zip(all_, all_[1:]):
            if after[0] > before[0]:
                moved[after[1]] = moved.get(after[1], 0) + 1
        late += job in begun and begun[job] > all_[-1][0] + 5
    print(f"promises of {len(promises)} jobs; moved later, by cause: {moved}; "
          f"jobs more than 5 s after their last promise: {late}")


def read_cycles(c):
    out = c.run("sdiag", check=False)
    return [" ".join(m.split()) for m in re.findall(
        r".*(?:Mean cycle|Max cycle|Last queue).*", out)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("trace", nargs="?")
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--squeeze", type=float, default=600)
    parser.add_argument("--stock", action="store_true")
    parser.add_argument("--pending", type=int, default=0)
    parser.add_argument("--nodes", type=int, default=0)
    parser.add_argument("--policy", default="conservative")
    parser.add_argument("--plugin", default="build/plugin")
    args = parser.parse_args()
    plugin = None if args.stock else os.path.abspath(args.plugin)
    c = cluster.Cluster(1 if args.nodes else 16, 4, plugin=plugin,
                        accounting="Licenses=matlab:2",
                        parameters=f"fair_policy={args.policy},"
                        f"fair_margin={MARGIN}", lua=False, stock=args.stock)
    if args.nodes:
        add_cloud(c, args.nodes)
    with c:
        if args.pending:
            jobs = run_pending(c, args)
        else:
            jobs = submit_trace(c, read_trace(args.trace, args.jobs),
                                args.squeeze)
            while c.run("squeue", "-h", "-a", "-o", "%i"):
                time.sleep(2)
        report(c, jobs)
        print("\n".join(read_cycles(c)))
        c.controller.terminate()
        c.controller.wait()
        print("".join(l for l in open(c.folder + "/slurmctld.log")
                      if "passes with" in l or "a pass took" in l))


main()
