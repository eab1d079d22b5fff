#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: usage_run.py [--jobs 300] [--keep FOLDER]

Compares `fairsched usage` with sreport and sshare of a real Slurm: as root, it runs
slurmdbd, slurmctld and ten slurmds, two of which have GPUs, and lets users that
each Debian has run jobs of seconds in nested accounts: arrays, heterogeneous and
failed jobs, some with GPUs or in a reservation, and some that are suspended, resized,
requeued, cancelled or on a node that fails. In the end a user and an account are
removed. Then it exports the jobs as docs/guide/choose.md says. All columns of
sreport must be equal to the second, apart from two charges of its own, which are
added here: what a reservation left idle, and what a job ran before it was resized, which
22.05 has in both parts of it. The raw usage and the ranks must be those of sshare, which
has that in both parts, too.

--keep writes to FOLDER what Slurm said: sacct.txt, assoc.txt, sreport.txt, sshare.txt.
Packages: slurmctld slurmd slurmdbd slurm-client munge mariadb-server. 300 jobs
take seven minutes.
"""

import argparse
import collections
import csv
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from accounts import Accounts  # noqa: E402

FAIRSCHED = os.path.abspath(os.path.dirname(__file__) +
                            "/../../build/fairsched")
TREE = """Cluster - 'fairsched':Fairshare=1:QOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':Fairshare=1
Account - 'science':Description='x':Organization='x':Fairshare=3
Account - 'arts':Description='x':Organization='x':Fairshare=1
Account - 'old':Description='x':Organization='x':Fairshare=2
Parent - 'science'
Account - 'physics':Description='x':Organization='x':Fairshare=2
Account - 'chemistry':Description='x':Organization='x':Fairshare=1
User - 'daemon':DefaultAccount='science':Fairshare=1
User - 'news':DefaultAccount='science':Fairshare=parent
Parent - 'physics'
User - 'bin':DefaultAccount='physics':Fairshare=1
User - 'sys':DefaultAccount='physics':Fairshare=3
User - 'daemon':DefaultAccount='science':Fairshare=1
Parent - 'chemistry'
User - 'lp':DefaultAccount='chemistry':Fairshare=1
User - 'mail':DefaultAccount='chemistry':Fairshare=0
Parent - 'arts'
User - 'games':DefaultAccount='arts':Fairshare=1
User - 'man':DefaultAccount='arts':Fairshare=1
User - 'daemon':DefaultAccount='science':Fairshare=2
Parent - 'old'
User - 'uucp':DefaultAccount='old':Fairshare=1
"""
WHO = [("science", "daemon"), ("science", "news"), ("physics", "bin"),
       ("physics", "sys"), ("physics", "daemon"), ("chemistry", "lp"),
       ("chemistry", "mail"), ("arts", "games"), ("arts", "man"),
       ("arts", "daemon"), ("old", "uucp")]
RESERVED = ("chemistry", "lp")
HETEROGENEOUS = """#!/bin/sh
#SBATCH -n 1
#SBATCH hetjob
#SBATCH -n 2 --mem=100
#SBATCH hetjob
#SBATCH -n 1 -p gpu --gres=gpu:1
sleep %d
"""
SUSPEND, RESUME, REQUEUE, CANCEL = "suspend", "resume", "requeue", "cancel"
SHRINK, FAIL, REPAIR = "shrink", "fail", "repair"
PAUSE = (3, SUSPEND), (8, RESUME)
# How many of 300, options, seconds, and what happens how long after the start.
# Those in the reservation take all of it, as Slurm charges what they left idle. A run
# that ends within ten seconds by more than its own end may leave no record.
KINDS = [
    (30, "-N 1 -n 4 --mem=301", 6),
    (30, "-n 3 --mem-per-cpu=77", 5),
    (12, "--exclusive -n 1", 2),
    (25, "-p gpu --gres=gpu:1", 6),
    (10, "-p gpu --gres=gpu:2 -n 3", 4),
    (8, "--array=0-5", 3),
    (3, "--array=0-7%2 -n 2", 2),
    (10, "heterogeneous", 5),
    (25, "failed -n 2", 3),
    (8, "reserved -n 4", 6),
    (8, "-n 2", 12, *PAUSE),
    (3, "-n 1", 15, *PAUSE, (10, SUSPEND), (13, RESUME)),
    (3, "-p gpu --gres=gpu:1", 9, *PAUSE),
    (2, "reserved -n 4", 9, *PAUSE),
    (2, "-n 2", 30, (3, SUSPEND), (7, CANCEL)),
    (6, "-n 2", 15, (12, REQUEUE)),
    (2, "-n 2", 15, *PAUSE, (12, REQUEUE)),
    (6, "-N 2 -n 4", 16, (12, SHRINK)),
    (3, "-N 2 -n 2 -p gpu --gres=gpu:1", 16, (12, SHRINK)),
    (2, "-N 3 -n 3", 20, *PAUSE, (12, SHRINK), (14, SUSPEND), (17, RESUME)),
    (6, "-n 1", 60, (5, CANCEL)),
    (4, "-n 1 --begin=now+9hours", 1),
    (2, "-n 1", 200),  # longer than its limit
    (1, "--exclusive -n 2", 20, (12, FAIL), (18, REPAIR)),
    (1, "--exclusive -n 1 -p gpu --gres=gpu:1", 20, (12, FAIL), (18, REPAIR)),
]
COLUMNS = ("JobIDRaw,User,Account,Partition,State,Submit,Eligible,Start,End,"
           "TimelimitRaw,AllocCPUS,ReqCPUS,ReqTRES,AllocTRES,Elapsed,Suspended,"
           "Cluster")  # of docs/guide/choose.md
RESOURCES = {"processors": "cpu", "memory": "mem", "gpus": "gres/gpu"}


class Job:
    def __init__(self, account, user, options, seconds, events):
        self.account, self.user, self.events = account, user, list(events)
        self.id = None
        kind, _, rest = options.partition(" ")
        if kind == "reserved":
            self.account, self.user = RESERVED
            options = rest + " --reservation=lecture"
        self.script = "#!/bin/sh\nsleep %d\n" % seconds
        if kind == "failed":
            options, self.script = rest, self.script + "exit 1\n"
        if kind == "heterogeneous":
            options, self.script = "", HETEROGENEOUS % seconds
        self.options = options.split()

    def submit(self, c):
        self.id = c.run(
            "sbatch", "--parsable", f"--uid={self.user}", "-A", self.account,
            "-t1", "-D/tmp", "-o/dev/null", *self.options, input=self.script
        ).strip()


def draw_jobs(n):
    """Each kind at least once, whatever @n; the rest are of one processor."""
    r = random.Random(7)
    all_ = [(options, seconds + r.randrange(3), events)
            for many, options, seconds, *events in KINDS
            for _ in range(max(1, many * n // 300))]
    all_ += [("-n 1", r.randrange(2, 12), ())] * (n - len(all_))
    r.shuffle(all_)
    return [Job(*WHO[i % len(WHO)], *job) for i, job in enumerate(all_)]


def do(c, job, what):
    if what == SHRINK:
        c.run("scontrol", "update", f"JobId={job.id}", "NumNodes=1")
    elif what in (FAIL, REPAIR):
        if what == FAIL:
            job.node = c.run("squeue", "-h", "-j", job.id, "-o", "%N").strip()
        c.run("scontrol", "update", f"NodeName={job.node}",
              "State=DOWN" if what == FAIL else "State=RESUME", "Reason=test")
    elif what == CANCEL:
        c.run("scancel", job.id)
    else:
        c.run("scontrol", what, job.id)


def run_jobs(c, jobs):
    """Until only those are left that have to begin later, which are cancelled."""
    begun, waiting = {}, list(jobs)
    while True:
        for job in waiting[:4]:
            job.submit(c)
        del waiting[:4]
        now, states = time.time(), {}
        for line in c.run("squeue", "-h", "-a", "-o", "%i|%t|%r").splitlines():
            job, state, why = line.split("|")
            states[job] = why == "BeginTime" and why or state
            if state == "R":
                begun.setdefault(job, now)
        for job in jobs[:len(jobs) - len(waiting)]:
            since = now - begun.get(job.id, now)
            while job.events and since >= job.events[0][0]:
                do(c, job, job.events.pop(0)[1])
        later = [j.id for j in jobs if "--begin=now+9hours" in j.options]
        if not waiting and set(states) <= set(later):
            break
        time.sleep(0.5)
    c.run("scancel", *later)
    unfinished = [(j.id, j.events) for j in jobs if j.events]
    assert not unfinished, unfinished


def records(c, columns=COLUMNS):
    return c.run("sacct", "-a", "-D", "-P", "-X", "-S", "2000-01-01",
                 "-o", columns)


def settle(c):
    c.wait(lambda: not any(s in records(c, "State") for s in
                           ("RUNNING", "PENDING", "SUSPENDED")), "records")
    c.run("sacctmgr", "-i", "delete", "user", "man", "account=arts")
    c.run("sacctmgr", "-i", "delete", "account", "old")
    c.restart_controller("terminate")  # it ranks as it starts
    time.sleep(10)


def report(c, begin, *what):
    """The lines of sreport of each hour since @begin."""
    lines = ""
    for hour in range(int(begin) // 3600, int(time.time()) // 3600 + 1):
        period = [time.strftime("%Y-%m-%dT%H:00:00", time.gmtime(3600 * h))
                  for h in (hour, hour + 1)]
        c.run("sacctmgr", "-i", "rollup", *period)
        lines += c.run("sreport", "-P", "-n", "-t", "Seconds", "-T",
                       "cpu,mem,gres/gpu", *what, "Start=" + period[0],
                       "End=" + period[1])
    return lines


def ask_slurm(c, begin):
    """What it says about all jobs: the output of each command by its name."""
    return {
        "sacct": records(c),
        "assoc": c.run("sacctmgr", "-P", "show", "assoc", "format=cluster,"
                       "account,user,share,parentname"),
        "sreport": report(c, begin, "cluster", "AccountUtilizationByUser",
                          "Format=Account,Login,TRESName,Used"),
        "idle": report(c, begin, "reservation", "Utilization",
                       "Format=TRESName,Idle"),
        "sshare": c.run("sshare", "-a", "-P", "-o", "account,user,rawshares,"
                        "rawusage,fairshare"),
    }


# ---- the comparison ----

failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why, flush=True)


def usage(jobs, *more):
    """The rows of fairsched usage, by account and user."""
    done = subprocess.run([FAIRSCHED, "usage", "-", "--csv", "-", *more],
                          input=jobs, text=True, capture_output=True)
    assert not done.returncode, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def split(text):
    return [[w.strip() for w in line.split("|")] for line in text.splitlines()]


def part_again(jobs, first):
    """The jobs as sacct prints them, but a part of a resized job that @first tells
    the start of the job counts from there: what ran before is in two parts."""
    head, *rows = split(jobs)
    submit, start = head.index("Submit"), head.index("Start")
    for row in rows:
        begun = first(dict(zip(head, row)))
        if begun:
            row[submit] = row[start] = begun
    return "\n".join("|".join(row) for row in [head, *rows])


def in_sreport(said):
    """22.05 records the start of the job, and slurmdbd charges from there."""
    return part_again(said["sacct"], lambda job: job["Start"]
                      if job["Start"] < job["Submit"] else None)


def in_sshare(said):
    """slurmctld charges from there, or from the last PriorityCalcPeriod."""
    begun = {}

    def first(job):
        start = begun.get((job["JobIDRaw"], job["Submit"]), job["Start"])
        if job["State"] == "RESIZING":
            begun[job["JobIDRaw"], job["End"]] = start
        return start if start < job["Submit"] else None
    return part_again(said["sacct"], first)


def compare_sreport(said):
    """An account of sreport has what the accounts below it have, too."""
    want = collections.Counter(
        {(account, user, resource): int(used) for account, user, resource, used
         in split(said["sreport"])})
    parent = {account: above for _, account, user, _, above in
              split(said["assoc"]) if not user}
    got = collections.Counter()
    idle = [(*RESERVED, *row) for row in split(said["idle"])]
    used = [(r["account"], r["user"], RESOURCES[r["resource"]], r["used"])
            for r in usage(in_sreport(said), "--by", "account,user,resource")
            if r["level"] == "user"]
    for account, user, resource, seconds in used + idle:
        got[account, user, resource] += float(seconds)
        while account:
            got[account, "", resource] += float(seconds)
            account = parent.get(account, account != "root" and "root")
    for key in sorted(set(want) | set(got)):
        case("sreport: %s %s %s: %d" % (*key, want[key]),
             got[key] == want[key], got[key])


def compare_sshare(said, folder):
    want = [w for w in split(said["sshare"])[1:] if w[1]]
    got = {(r["account"] or "root", r["user"]): r for r in usage(
        in_sshare(said), "--by", "account,user", "--tree",
        folder + "/assoc.txt")}
    for account, user, _, used, factor in want:
        row = got[account, user]
        case("sshare: %s %s used %s" % (account, user, used),
             float(row["used"]) == int(used), row["used"])
        case("sshare: %s %s has rank %s" % (account, user, factor),
             abs(int(row["rank"]) / len(want) - float(factor)) < 1e-5,
             row["rank"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("--jobs", type=int, default=300)
    parser.add_argument("--keep", metavar="FOLDER")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.environ.update(SLURM_TIME_FORMAT="%s", TZ="UTC")
    begin = time.time()
    # The PriorityCalcPeriod is an hour: the run is within one.
    with Accounts("AccountingStorageTRES=gres/gpu\nDefMemPerCPU=50",
                  nodes=10, gpu_nodes=2, stock=True) as c:
        c.change_conf("CR_CPU", "CR_CPU_Memory")
        with open(f"{c.folder}/dump", "w") as f:
            f.write(TREE)
        c.run("sacctmgr", "-i", "load", f"{c.folder}/dump", "clean")
        c.start_controller()
        for i in range(c.nodes):
            c.daemon("slurmd", "-D", "-N", f"n{i + 1}")
        c.wait(lambda: c.idle() == c.nodes, "idle nodes")
        c.run("scontrol", "create", "reservation", "ReservationName=lecture",
              "StartTime=now", "Duration=5", "Nodes=n1",
              "Accounts=%s" % RESERVED[0], "Users=%s" % RESERVED[1])
        run_jobs(c, draw_jobs(args.jobs))
        settle(c)
        said = ask_slurm(c, begin)
        print(c.run("sinfo", "--version").strip(), "%d jobs in %d s" % (
            args.jobs, time.time() - begin))
        folder = args.keep or c.folder
        os.makedirs(folder, exist_ok=True)
        for name, text in said.items():
            with open(f"{folder}/{name}.txt", "w") as f:
                f.write(text)
        if args.keep:
            shutil.copy(c.folder + "/slurmctld.log", args.keep)
        compare_sreport(said)
        compare_sshare(said, folder)
    sys.exit(failed > 0)


main()
