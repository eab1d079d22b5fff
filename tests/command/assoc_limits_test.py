#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""--limits of what sacctmgr prints: which jobs each limit holds back, which are
dropped, what is told with its line. tools/slurm/limits_run.py compares the same with a
real slurmctld.
"""

import csv
import os
import subprocess
import tempfile

PROGRAM = os.path.abspath(next(
    p for p in ("tools/fairsched/fairsched", "build/fairsched")
    if os.access(p, os.X_OK)))
TMP = tempfile.TemporaryDirectory()
failed = 0
ASSOC = ("Cluster|Account|User|Share|ParentName|GrpJobs|GrpTRES|GrpTRESMins|"
         "MaxJobs|MaxTRES")
QOS = "Name|GrpJobs|GrpTRES|GrpTRESMins|MaxJobsPU|MaxTRESPU|MaxTRES"
LINES = [("root", "", ""), ("arts", "", "root"), ("arts", "ann", ""),
         ("arts", "bob", ""), ("science", "", "root"), ("science", "ann", ""),
         ("physics", "", "science"), ("physics", "cat", "")]
JOBS = [("arts", "ann", 2, "normal"), ("arts", "ann", 1, "short"),
        ("arts", "bob", 2, "short"), ("science", "ann", 1, "normal"),
        ("physics", "cat", 3, "normal"), ("arts", "bob", 1, "short")]


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why)


def file(name, lines):
    path = os.path.join(TMP.name, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in lines))
    return path


def dump(limits=(), qos=None):
    """What sacctmgr prints, with some columns of some accounts and users."""
    columns = ASSOC.split("|")
    lines = [ASSOC]
    for account, user, parent in LINES:
        row = dict.fromkeys(columns, "")
        row.update(Cluster="c", Account=account, User=user, Share="1",
                   ParentName=parent)
        for who, column, value in limits:
            if who in ((account, user), (account, "*" if user else "")):
                row[column] = value
        lines.append("|".join(row[c] for c in columns))
    lines.append(QOS)
    for name in ("normal", "short"):
        row = dict.fromkeys(QOS.split("|"), "", )
        row["Name"] = name
        if name == "short":
            row.update(qos or {})
        lines.append("|".join(row[c] for c in QOS.split("|")))
    return file("limits.txt", lines)


def jobs(cluster="c"):
    head = ("JobIDRaw|User|Account|Partition|QOS|State|Submit|Start|End|"
            "TimelimitRaw|AllocCPUS|Cluster")
    return file("jobs.txt", [head] + [
        "%d|%s|%s|p|%s|COMPLETED|0|0|600|10|%d|%s" % (
            i + 1, user, account, qos, procs, cluster)
        for i, (account, user, procs, qos) in enumerate(JOBS)])


def play(limits, *args):
    """r: it runs at once; w: it waits; -: it is dropped; and what was told."""
    done = subprocess.run(
        [PROGRAM, "simulate", jobs("d" if "d" in args else "c"), "--procs",
         "16", "--policy", "pc", "--limits", limits, "--check", "--jobs-out",
         "-", *args],
        text=True, capture_output=True)
    starts = {int(r["job_id"]): int(r["starting_time"])
              for r in csv.DictReader(done.stdout.splitlines())}
    return "".join("-" if i + 1 not in starts else "rw"[starts[i + 1] > 0]
                   for i in range(len(JOBS))), done.stderr.replace("\n", " ")


def holds(name, want, limits=(), qos=None, *args):
    got, told = play(dump(limits, qos), *args)
    case(name, got == want, (got, told))
    return told


TREE = ("--order", "tree", "--tree", file("assoc.txt", [
    "|".join(line) for line in
    [("Account", "User", "Share", "ParentName")] +
    [(a, u, "1", p) for a, u, p in LINES]]))
holds("nothing is limited", "rrrrrr")
holds("MaxJobs of the users of an account", "rwrrrw",
      [(("arts", "*"), "MaxJobs", "1")])
holds("MaxJobs of one of several accounts, by the tree", "rwrrrr",
      [(("arts", "ann"), "MaxJobs", "1")], None, *TREE)
told = holds("the same without it", "rrrrrr",
             [(("arts", "ann"), "MaxJobs", "1")])
case("is told with its line", ":4: User: 'ann' is in several accounts" in told,
     told)
holds("GrpTRES of a user of one account", "rrrrrw",
      [(("arts", "bob"), "GrpTRES", "cpu=2")])
holds("the lower of GrpJobs and MaxJobs", "rrrrrw",
      [(("arts", "bob"), "GrpJobs", "1"), (("arts", "bob"), "MaxJobs", "3")])
holds("GrpJobs of an account", "rrwrrw", [(("arts", ""), "GrpJobs", "2")])
holds("GrpTRES of an account", "rrwrrr", [(("arts", ""), "GrpTRES", "cpu=4")])
holds("GrpTRES of an account with others below", "rrrrwr",
      [(("science", ""), "GrpTRES", "cpu=3")], None, *TREE)
told = holds("which need the tree", "rrrrrr",
             [(("science", ""), "GrpTRES", "cpu=3")])
case("which is told", ":6: Account: 'science' has accounts below" in told, told)
told = holds("not of all", "rrrrrr", [(("root", ""), "GrpJobs", "1")])
case("which is told, too", ":2: Account: 'root' is all jobs" in told, told)
holds("MaxTRES of users", "-r-rrr", [(("arts", "*"), "MaxTRES", "cpu=1")])
holds("GrpJobs of a QoS", "rrrrrw", (), {"GrpJobs": "2"})
holds("GrpTRES of a QoS", "rrrrrw", (), {"GrpTRES": "cpu=3"})
holds("MaxJobsPU of a QoS", "rrrrrw", (), {"MaxJobsPU": "1"})
holds("MaxTRESPU of a QoS", "rrrrrw", (), {"MaxTRESPU": "cpu=2"})
holds("MaxTRES of a QoS", "rr-rrr", (), {"MaxTRES": "cpu=1"})
told = holds("GrpTRESMins of an account", "rrwrrr",
             [(("arts", ""), "GrpTRESMins", "cpu=40")])
case("its job waits for ever", "only budgets kept 1 job waiting" in told, told)
holds("GrpTRESMins of a QoS", "rrrrrw", (), {"GrpTRESMins": "cpu=30"})
told = holds("where usage decays it is none", "rrrrrr", (),
             {"GrpTRESMins": "cpu=30"}, "--order", "usage")
case("which is told with its line",
     ":12: GrpTRESMins: 'cpu=30' is no budget, since usage decays" in told,
     told)
told = holds("what is not planned is told", "rrrrrw", (),
             {"GrpTRES": "cpu=3,mem=100M,gres/gpu=2",
              "GrpTRESMins": "mem=4"})
case("with its lines", all(
    ":12: %s is not planned" % s in told
    for s in ("GrpTRES: 'mem=100M'", "GrpTRES: 'gres/gpu=2'")) and
    ":12: GrpTRESMins: 'mem=4' is no budget: that is of cpu" in told, told)

# GPUs and memory of a machine, and cost.
machine = file("m.csv", ["class,count,cpus,memory,gpus", "a,4,4,64G,2"])
head = "job_id,submit,run,procs,walltime,user,qos,gpus,memory"
asked = file("asked.csv", [head] + [
    "%d,0,600,1,600,u,short,%d,%s" % (i + 1, gpus, memory)
    for i, (gpus, memory) in enumerate(((1, "1G"), (2, "1G"), (0, "9G")))])
for value, want in (("gres/gpu=1", "r-r"), ("mem=8G", "rr-"),
                    ("billing=4", "r-r")):
    done = subprocess.run(
        [PROGRAM, "simulate", asked, "--machine", machine, "--plan", "classes",
         "--billing", "cpus=1,gpus=2", "--policy", "dc", "--limits",
         dump((), {"MaxTRES": value}), "--jobs-out", "-"],
        text=True, capture_output=True)
    there = [r["job_id"] for r in csv.DictReader(done.stdout.splitlines())]
    case("MaxTRES=%s" % value, "".join(
        "r" if str(i + 1) in there else "-" for i in range(3)) == want,
        done.stdout + done.stderr)

both = [ASSOC, "c|arts||1|root|1||||", "d|arts||1|root|2||||"]
for cluster, want in (("c", "rwwrrw"), ("d", "rrwrrw")):
    got, told = play(file("both.txt", both), "--cluster", cluster)
    case("cluster %s" % cluster, got == want, (got, told))

for lines, told in (
        (both, ":3: Cluster: 'd' is not 'c': choose one by --cluster NAME"),
        (["Account|User|Share", "a|u|1"], ":1: no column is of limits"),
        ([ASSOC, "c|a"], ":2: 2 fields instead of 10"),
        ([ASSOC, "c|a|u|1||x||||"], ":2: GrpJobs: 'x' is no amount"),
        ([ASSOC, "c|a|u|1|||cpu|||"], ":2: GrpTRES: 'cpu' is no amount"),
        ([ASSOC, "c|a|u|1|||cpu=x|||"], ":2: GrpTRES: 'cpu=x' is no amount"),
        ([ASSOC, "c|a|u|1||||cpu=x||"],
         ":2: GrpTRESMins: 'cpu=x' is no amount"),
        ([ASSOC + "|Partition", "c|a|u|1||||||1|p"],
         ":2: Partition: 'p' has limits of its own")):
    done = subprocess.run(
        [PROGRAM, "simulate", jobs(), "--procs", "16", "--limits",
         file("bad.txt", lines)], text=True, capture_output=True)
    case(told, done.returncode == 2 and told in
         done.stderr.replace("\n", " "), done.stderr)

raise SystemExit(failed > 0)
