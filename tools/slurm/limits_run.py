#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: limits_run.py [--keep FOLDER]

Compares the limits that `fairsched simulate --limits` reads from sacctmgr with those
that a real slurmctld keeps: as root, it runs slurmdbd, slurmctld and two slurmds,
sets one limit after the other, and submits jobs that all begin at once but for it.
Those that run in Slurm have to start at the first second of the plan, those that it
holds back later; what is larger than MaxTRES starts in neither.

--keep writes what sacctmgr said to FOLDER. Packages: as usage_run.py. Two minutes.
"""

import argparse
import csv
import io
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from accounts import Accounts  # noqa: E402

FAIRSCHED = os.path.abspath(os.path.dirname(__file__) +
                            "/../../build/fairsched")
TREE = """Cluster - 'fairsched':Fairshare=1:QOS='normal,short':DefaultQOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':Fairshare=1
Account - 'science':Description='x':Organization='x':Fairshare=1
Account - 'arts':Description='x':Organization='x':Fairshare=1
Parent - 'science'
Account - 'physics':Description='x':Organization='x':Fairshare=1
User - 'daemon':DefaultAccount='science':Fairshare=1
Parent - 'physics'
User - 'bin':DefaultAccount='physics':Fairshare=1
User - 'sys':DefaultAccount='physics':Fairshare=1
Parent - 'arts'
User - 'games':DefaultAccount='arts':Fairshare=1
User - 'man':DefaultAccount='arts':Fairshare=1
User - 'daemon':DefaultAccount='science':Fairshare=1
"""
ASSOC = ("cluster,account,user,share,parentname,grpjobs,grptres,grptresmins,"
         "maxjobs,maxtres")
QOS = "name,grpjobs,grptres,grptresmins,maxjobspu,maxtrespu,maxtres"
BY_TREE = "--order", "tree"

# The name, what is set where, options of the command, and the jobs: account, user,
# processors, QoS.
CASES = [
    ("MaxJobs of a user", "user games account=arts set MaxJobs=2", (),
     [("arts", "games", 1)] * 4 + [("arts", "man", 1)] * 3),
    ("MaxJobs of each user of an account",
     "account arts set MaxJobs=1", (),
     [("arts", "games", 1), ("arts", "man", 1)] * 2),
    ("GrpJobs of an account", "account arts set GrpJobs=3", (),
     [("arts", "games", 1), ("arts", "man", 1)] * 3 +
     [("physics", "bin", 1)]),
    ("GrpTRES of an account", "account arts set GrpTRES=cpu=4", (),
     [("arts", "games", 2), ("arts", "man", 2), ("arts", "games", 1),
      ("physics", "bin", 2)]),
    ("GrpTRES of an account with others below",
     "account science set GrpTRES=cpu=3", BY_TREE,
     [("physics", "bin", 1), ("physics", "sys", 1), ("science", "daemon", 1),
      ("physics", "bin", 1), ("arts", "games", 1)]),
    ("GrpTRES of a user in an account",
     "user daemon account=arts set GrpTRES=cpu=2", BY_TREE,
     [("arts", "daemon", 2), ("arts", "daemon", 1), ("science", "daemon", 2)]),
    ("MaxTRES of an account", "account arts set MaxTRES=cpu=2", (),
     [("arts", "games", 3), ("arts", "games", 2), ("arts", "man", 4),
      ("physics", "bin", 3)]),
    ("MaxTRES of a QoS", "qos short set MaxTRES=cpu=1", (),
     [("arts", "games", 2, "short"), ("arts", "games", 1, "short"),
      ("arts", "games", 2)]),
    ("GrpJobs of a QoS", "qos short set GrpJobs=2", (),
     [("arts", "games", 1, "short"), ("arts", "man", 1, "short"),
      ("physics", "bin", 1, "short"), ("physics", "bin", 1)]),
    ("GrpTRES of a QoS", "qos short set GrpTRES=cpu=3", (),
     [("arts", "games", 2, "short"), ("arts", "man", 1, "short"),
      ("physics", "bin", 1, "short"), ("physics", "bin", 2)]),
    ("MaxJobsPU of a QoS", "qos short set MaxJobsPU=1", (),
     [("arts", "games", 1, "short"), ("arts", "games", 1, "short"),
      ("arts", "man", 1, "short"), ("arts", "games", 1)]),
    ("MaxTRESPU of a QoS", "qos short set MaxTRESPU=cpu=2", (),
     [("arts", "games", 2, "short"), ("arts", "games", 1, "short"),
      ("arts", "man", 2, "short"), ("physics", "bin", 1, "short")]),
    ("GrpTRESMins of an account", "account arts set GrpTRESMins=cpu=%d", (),
     [("arts", "games", 2), ("arts", "man", 1), ("arts", "man", 2),
      ("arts", "games", 1), ("physics", "bin", 1)]),
    ("GrpTRESMins of a QoS", "qos short set GrpTRESMins=cpu=%d", (),
     [("arts", "games", 2, "short"), ("arts", "man", 3, "short"),
      ("physics", "bin", 1)]),
]
MINUTES = 10  # of each job
BUDGET = 40  # beside what was used: jobs of 4 processors
LIMITS = "GrpJobs", "MaxJobs", "GrpTRES", "MaxTRES", "GrpTRESMins"
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why, flush=True)


def submit(c, jobs):
    """The numbers of the jobs, in order; none begins before all are there."""
    ids = []
    for account, user, procs, *qos in jobs:
        ids.append(c.run(
            "sbatch", "--parsable", f"--uid={user}", "-A", account, "-H",
            f"-t{MINUTES}", f"-n{procs}", "-D/tmp", "-o/dev/null",
            *["--qos=" + q for q in qos],
            input="#!/bin/sh\nsleep 600\n").strip())
    c.run("scontrol", "release", ",".join(ids))
    return ids


def states(c, ids):
    said = c.run("squeue", "-h", "-a", "-o", "%i %t %r", "-j", ",".join(ids))
    return {i: rest for i, _, rest in
            (line.partition(" ") for line in said.splitlines())}


def run_in_slurm(c, jobs):
    """Which of them run when it has looked at all."""
    ids = submit(c, jobs)
    last, since = None, time.time()
    while time.time() - since < 6:  # a scheduling cycle takes less
        now = states(c, ids)
        if now != last:
            last, since = now, time.time()
        time.sleep(0.2)
    c.run("scancel", *ids)
    c.wait(lambda: not c.run("squeue", "-h", "-a", "-o", "%i"), "ends")
    return [last[i].startswith("R ") for i in ids], [last[i] for i in ids]


def run_in_plan(folder, jobs, more):
    rows = ["JobIDRaw|User|Account|Partition|QOS|State|Submit|Start|End|"
            "TimelimitRaw|AllocCPUS"]
    for i, (account, user, procs, *qos) in enumerate(jobs):
        rows.append("%d|%s|%s|batch|%s|COMPLETED|0|0|%d|%d|%d" % (
            i + 1, user, account, *(qos or ["normal"]), 60 * MINUTES, MINUTES,
            procs))
    with open(folder + "/jobs.txt", "w") as f:
        f.write("\n".join(rows) + "\n")
    if more:
        more = (*more, "--tree", folder + "/assoc.txt")
    done = subprocess.run(
        [FAIRSCHED, "simulate", folder + "/jobs.txt", "--limits",
         folder + "/limits.txt", "--procs", "8", "--policy", "pc",
         "--jobs-out", "-", *more], text=True, capture_output=True)
    starts = {int(r["job_id"]): int(r["starting_time"])
              for r in csv.DictReader(io.StringIO(done.stdout))}
    return [starts.get(i + 1) == 0 for i in range(len(jobs))], done.stderr


def used_minutes(c, what):
    """What slurmctld has counted for it."""
    kind, name = what.split()[:2]
    if kind == "qos":
        said = c.run("scontrol", "show", "assoc_mgr", "flags=qos", "qos=" +
                     name)
        return int(float(said.split("UsageRaw=")[1].split()[0])) // 60
    said = c.run("sshare", "-n", "-P", "-A", name, "-o", "account,user,rawusage")
    return max(int(line.split("|")[2]) for line in said.splitlines()) // 60


def compare(c, name, what, more, jobs, keep):
    if "%d" in what:
        what = what % (used_minutes(c, what) + BUDGET)
    c.run("sacctmgr", "-i", "modify", *what.split())
    said = {"assoc": c.run("sacctmgr", "-P", "show", "assoc",
                           "format=" + ASSOC),
            "qos": c.run("sacctmgr", "-P", "show", "qos", "format=" + QOS)}
    said["limits"] = said["assoc"] + said["qos"]
    for folder in (c.folder, keep):
        for part, text in said.items() if folder else ():
            with open(f"{folder}/{part}.txt", "w") as f:
                f.write(text)
    if "Mins" in what:  # its jobs are the first of the plan
        left = int(what.split("=")[-1]) - BUDGET
        with open(c.folder + "/limits.txt", "w") as f:
            f.write(said["limits"].replace("cpu=%d" % (left + BUDGET),
                                           "cpu=%d" % BUDGET))
    theirs, why = run_in_slurm(c, jobs)
    ours, told = run_in_plan(c.folder, jobs, more)
    case("%s: %s" % (name, "".join("-R"[r] for r in theirs)),
         theirs == ours and any(theirs) and not all(theirs),
         (ours, why, told))
    for limit in LIMITS:
        if limit + "=" in what:
            off = limit + ("=cpu=-1" if "TRES" in limit else "=-1")
    if "PU=" in what:
        off = what.split("set ")[1].split("=")[0] + (
            "=cpu=-1" if "TRES" in what else "=-1")
    c.run("sacctmgr", "-i", "modify", *what.split("set ")[0].split(), "set",
          off)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--only", metavar="WORD", default="")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.environ.update(SLURM_TIME_FORMAT="%s", TZ="UTC")
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
    with Accounts(nodes=2, stock=True) as c:
        # Without safe, jobs start while minutes are left, as few as these are.
        c.change_conf("Enforce=limits", "Enforce=limits,safe")
        with open(f"{c.folder}/dump", "w") as f:
            f.write(TREE)
        c.run("sacctmgr", "-i", "add", "qos", "short")
        c.run("sacctmgr", "-i", "load", f"{c.folder}/dump", "clean")
        c.start_controller()
        for i in range(c.nodes):
            c.daemon("slurmd", "-D", "-N", f"n{i + 1}")
        c.wait(lambda: c.idle() == c.nodes, "idle nodes")
        print(c.run("sinfo", "--version").strip())
        for one in CASES:
            if args.only in one[0]:
                compare(c, *one, args.keep)
    sys.exit(failed > 0)


main()
