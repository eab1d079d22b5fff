#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Files as sites and other programs have them: each is read right. What is
refused, and in which words, is in tests/golden/wrong_inputs.tsv.
"""

import csv
import json
import os
import subprocess
import tempfile

PROGRAM = os.path.abspath(next(
    p for p in ("tools/fairsched/fairsched", "build/fairsched")
    if os.access(p, os.X_OK)))
TMP = tempfile.TemporaryDirectory()
HEADER = ("JobIDRaw|User|Account|Partition|State|Submit|Start|End|"
          "TimelimitRaw|AllocCPUS")
JOB = "%d|ann|phys|cpu|COMPLETED|0|%d|%d|60|4"
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why)


def same(name, got, want):
    case(name, got == want, "got %r, want %r" % (got, want))


def file(name, *lines):
    path = os.path.join(TMP.name, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in lines))
    return path


def run(*args, text=None):
    return subprocess.run([PROGRAM, *args], input=text, text=True,
                          capture_output=True)


def records(*lines, args=(), kind="sacct"):
    """Number, submit, wait, run, processors and request of each job."""
    done = run("import", kind, file("in", *lines), *args)
    got = [l.split() for l in done.stdout.splitlines() if l[0] != ";"]
    return [" ".join(r[:5] + r[8:9]) for r in got] or done.stderr


def used(path, *args, of="used"):
    """By the names of the row, and its resource if that is not processors."""
    done = run("usage", path, "--csv", "-", *args)
    return {tuple(r[c] for c in ("account", "user", "resource")
                  if r.get(c) and r[c] != "processors"): float(r[of])
            for r in csv.DictReader(done.stdout.splitlines())} or done.stderr


# ---- sacct ----

def test_table():
    """The same two jobs, however the table is written."""
    jobs = [JOB % (1, 0, 3600), JOB % (2, 3600, 7200)]
    want = ["1 0 0 3600 4 3600", "2 0 3600 3600 4 3600"]
    lines = [HEADER, *jobs]
    names = HEADER.replace("|", ",")
    for name, text, args in (
            ("|", lines, ()),
            ("small letters", [HEADER.lower(), *jobs], ()),
            ("capital letters", [HEADER.upper(), *jobs], ()),
            ("tabs", [l.replace("|", "\t") for l in lines], ()),
            ("commas", [l.replace("|", ",") for l in lines], ()),
            ("quotes", [",".join('"%s"' % f for f in l.split("|"))
                        for l in lines], ()),
            ("an empty field at the end",
             [l.replace("|", "\t") + "\t" + x
              for l, x in zip(lines, ("Comment", "", ""))], ()),
            ("a header line in the middle", [*lines[:2], *lines[::2]], ()),
            ("other columns in the middle",
             [*lines[:2], "Comment|" + HEADER, "x|" + jobs[1]], ()),
            ("a job in two months", [*lines, *lines], ()),
            ("| in the last column", [HEADER + "|JobName", jobs[0] + "|a|b",
                                      jobs[1] + "|c"], ()),
            ("no header line", jobs, ("--columns", names)),
            ("no header line, tabs", [j.replace("|", "\t") for j in jobs],
             ("--columns", names))):
        same("sacct: " + name, records(*text, args=args), want)
        if not args:
            got = run("simulate", file("in", *text), "--procs", "4",
                      "--jobs-out", "-")
            case("sacct: by its content: " + name, got.stdout.count("\n") == 3,
                 got.stderr)
    done = run("import", "sacct", file("in", *lines, *lines))
    case("sacct: what is repeated is counted",
         "repeated: 2 lines" in done.stderr, done.stderr)
    same("sacct: without a header line, every command", run(
        "usage", file("in", *jobs), "--columns", names, "--by", "account",
        "--csv", "-").stdout.count("28800"), 2)


def test_processors():
    base = "JobID|User|Account|Partition|State|Submit|Start|End|Timelimit"
    row = "1|ann|phys|cpu|COMPLETED|0|0|100|01:00:00"
    for column, value, procs in (
            ("AllocCPUS", "4", 4), ("NCPUS", "5", 5), ("ReqCPUS", "6", 6),
            ("AllocTRES", "billing=9,cpu=7,mem=1G,node=1", 7),
            ("ReqCPUS|AllocTRES", "3|cpu=8,node=2", 8),
            ("ReqCPUS|AllocTRES|NCPUS", "3|cpu=8|9", 9)):
        same("sacct: processors by " + column,
             records(base + "|" + column, row + "|" + value),
             ["1 0 0 100 %d 3600" % procs])


def test_times():
    for name, times, want in (
            ("an offset", ("2023-11-14T22:13:20+0100",
                           "2023-11-14T21:13:30Z", "2023-11-14T16:15:10-05"),
             "1 0 10 100 4 3600"),
            ("another offset", ("2023-11-14T22:13:20+05:30",
                                "2023-11-14T16:43:30",
                                "2023-11-14T16:45:10+00:00"),
             "1 0 10 100 4 3600")):
        line = (JOB % (1, 0, 0)).split("|")
        line[5:8] = times
        same("sacct: " + name, records(HEADER, "|".join(line)), [want])


def test_suspended():
    """4 processors from 0 to 7200, but for an hour."""
    base = HEADER + "|Elapsed|Suspended"
    for name, header, row in (
            ("Suspended", HEADER + "|Suspended", "|01:00:00"),
            ("Elapsed", HEADER + "|Elapsed", "|01:00:00"),
            ("ElapsedRaw", HEADER + "|ElapsedRaw", "|3600"),
            ("all", base, "|01:00:00|01:00:00"),
            ("none", base, "|02:00:00|00:00:00")):
        run_time = 7200 if name == "none" else 3600
        lines = [header, JOB % (1, 0, 7200) + row]
        same("suspended: %s: run" % name, records(*lines),
             ["1 0 0 %d 4 3600" % run_time])
        same("suspended: %s: usage" % name,
             used(file("in", *lines), "--by", "user")[("ann",)], 4 * run_time)
        tree = file("tree", "parent,name,shares,kind", "root,phys,1,account",
                    "phys,ann,1,user")
        same("suspended: %s: usage as sshare counts it" % name,
             used(file("in", *lines), "--by", "user", "--tree",
                  tree)[("ann",)], 4 * 7200)
        case("suspended: %s: is told" % name, ("suspended: 1 job" in run(
            "simulate", file("in", *lines)).stderr) == (run_time < 7200))
    done = run("import", "sacct", file(
        "in", HEADER + "|Suspended", JOB % (1, 0, 7200) + "|01:00:00",
        JOB % (2, 600, 4200) + "|00:00:00"))
    case("suspended: other jobs may have its processors meanwhile",
         "; MaxProcs: 4\n" in done.stdout, done.stdout)


def test_resized():
    """8 processors for 30 s, then 4, then 2."""
    lines = [HEADER + "|Elapsed",
             "2|ann|phys|cpu|RESIZING|79|80|110|5|8|00:00:30",
             "2|ann|phys|cpu|RESIZING|110|80|140|5|4|00:01:00",
             "2|ann|phys|cpu|COMPLETED|140|80|150|5|2|00:01:10"]
    same("resized", records(*lines), ["2 0 1 30 8 300", "2 31 0 30 4 300",
                                      "2 61 0 10 2 300"])
    same("resized: usage", used(file("in", *lines), "--by", "user"),
         {("ann",): 380, (): 380})
    case("resized: is told", "resized: 2 parts" in run(
        "import", "sacct", file("in", *lines)).stderr)
    same("resized: the first parts are of another month", records(
        lines[0], lines[3]), ["2 0 0 10 2 300"])
    for name, row in (("no Elapsed", lines[3][:-9]),
                      ("Elapsed is not from Start", lines[3][:-2] + "11"),
                      ("local times", lines[3].replace(
                          "140|80|150", "1970-01-01T00:02:20|"
                          "1970-01-01T00:01:20|1970-01-01T00:02:30"))):
        told = name != "no Elapsed"
        want = "before the job was submitted" + \
            ("" if told else ": if it was resized, export Elapsed, too")
        got = records(HEADER + "|Elapsed" * told, row)
        case("resized: only then may it start before its submission: " + name,
             want in got, got)
    same("resized: it still runs", records(
        lines[0], JOB % (1, 0, 9) + "|00:00:09",
        lines[1].replace("110", "Unknown")), ["1 0 0 9 4 3600"])
    paused = [HEADER + "|Elapsed|Suspended|AllocTRES",  # as Slurm 22.05.8 has it
              "5|ann|phys|b|RESIZING|28|30|39|1|3|00:00:05|00:00:04|"
              "cpu=3,gres/gpu=3",
              "5|ann|phys|b|COMPLETED|39|30|52|1|1|00:00:19|00:00:03|"
              "cpu=1,gres/gpu=1"]
    same("resized and suspended", records(*paused),
         ["5 0 2 5 3 60", "5 11 0 10 1 60"])
    got = used(file("in", *paused), "--by", "user,resource")
    same("a GPU is kept in a pause", [got[k] for k in (
        ("ann",), ("ann", "gpus"))], [25, 40])
    tree = file("tree", "Account|User|Share|ParentName", "root||1|",
                "phys||1|root", "phys|ann|1|phys")
    same("resized and suspended: with --tree", used(
        file("in", *paused), "--by", "user", "--tree", tree)[("ann",)],
         9 * 3 + 13 * 1)


def test_resources():
    """What was allocated is used, what was requested is planned."""
    base = HEADER + "|ReqTRES|AllocTRES"
    both = "|cpu=4,mem=1G,gres/gpu=1|billing=4,cpu=4,mem=8G,gres/gpu=2"
    gpus = ("ann", "gpus"), ("ann", "memory")
    for name, header, row, want in (
            ("both", base, both, (200, 819200)),
            ("no GPU was requested", base, "|cpu=4|gres/gpu=2,mem=1M",
             (200, 100)),
            ("a GPU was not allocated", base, "|gres/gpu=2,mem=1M|cpu=4,mem=2M",
             (None, 200)),
            ("AllocTRES is empty", base, "|gres/gpu=2,mem=1M|", (200, 100)),
            ("no AllocTRES", HEADER + "|ReqTRES", "|gres/gpu=2", (200, None)),
            ("AllocGRES", HEADER + "|AllocGRES", "|gpu:3", (300, None)),
            ("AllocGRES of a type", HEADER + "|AllocGRES",
             "|craynetwork:1,gpu:a100:2(IDX:0-1),gpu:v100", (300, None)),
            ("AllocTRES before AllocGRES", base + "|AllocGRES",
             both + "|gpu:7", (200, 819200))):
        got = used(file("in", header, JOB % (1, 0, 100) + row), "--by",
                   "user,resource")
        same("usage: " + name, tuple(got.get(k) for k in gpus), want)
    machine = file("machine", "class,count,cpus,memory,gpu", "a,1,4,8G,1")
    done = run("simulate", file("in", base, JOB % (1, 0, 100) + both),
               "--machine", machine, "--plan", "classes", "--jobs-out", "-")
    case("plan: what was requested", done.stdout.count("\n") == 2,
         done.stdout + done.stderr)


def test_planned_and_had():
    """Plans go by what was asked for, utilization by what was allocated."""
    jobs = file("had", HEADER + "|ReqTRES|AllocTRES", *[
        JOB % (i, 0, 3600) + "|cpu=4,mem=2G|cpu=4,mem=%dG,gres/gpu=1" % mem
        for i, mem in ((1, 4), (2, 3))], JOB % (3, 0, 7200) + "|cpu=4,mem=1G|")
    machine = file("machine", "class,count,cpus,memory,gpu", "a,1,12,8G,2")
    out = os.path.join(TMP.name, "summary.json")
    done = run("simulate", jobs, "--machine", machine, "--plan", "classes",
               "--json", out)
    got = json.load(open(out))["classes"][0]["utilization"]
    same("utilization by AllocTRES", {k: round(v, 6) for k, v in got.items()},
         {"cpus": round(16 / 24, 6), "memory": round(9 / 16, 6), "gpu": 0.5})
    case("all start at once", "mean wait               0.000" in done.stdout,
         done.stdout + done.stderr)


def test_clusters():
    lines = [HEADER + "|Cluster", JOB % (1, 0, 100) + "|alpha",
             JOB % (1, 0, 200) + "|beta"]
    for name, row in (("alpha", "1 0 0 100 4 3600"),
                      ("beta", "1 0 0 200 4 3600")):
        same("--cluster " + name, records(*lines, args=("--cluster", name)),
             [row])
    same("usage --cluster", used(file("in", *lines), "--cluster", "beta",
                                 "--by", "user")[("ann",)], 800)
    same("one cluster", records(*lines[:2]), ["1 0 0 100 4 3600"])


def test_tree_of_clusters():
    """Of sacctmgr show assoc, one cluster counts: the one that is chosen."""
    head = "Cluster|Account|User|Share|ParentName"
    one = ["alpha|root||1|", "alpha|phys||3|root", "alpha|phys|ann|1|phys"]
    other = ["beta|root||1|", "beta|phys||1|root", "beta|chem||1|root",
             "beta|phys|ann|1|phys", "beta|chem|bob|1|chem"]
    jobs = file("in", HEADER + "|Cluster", JOB % (1, 0, 100) + "|alpha",
                JOB % (2, 0, 100) + "|beta")
    tree = file("tree", head, *one, *other)
    for name, lines in (("alpha", one), ("beta", other)):
        alone = run("usage", jobs, "--cluster", name, "--tree",
                    file("alone", head, *lines), "--csv", "-")
        done = run("usage", jobs, "--cluster", name, "--tree", tree,
                   "--csv", "-")
        same("a tree of %s" % name, done.stdout, alone.stdout)
    done = run("usage", jobs, "--cluster", "alpha", "--tree", tree, "--csv",
               "-")
    case("nobody of another cluster", "bob" not in done.stdout, done.stdout)
    for more, want in (((), "several clusters (alpha, beta): choose one by "
                        "--cluster NAME"),
                       (("--cluster", "c"), "no association is of cluster "
                        "'c': the file has alpha, beta")):
        done = run("simulate", file("jobs.csv", "submit,run,walltime,procs,user",
                                    "0,1,1,1,ann"), "--procs", "4",
                   "--order", "tree", "--tree", tree, *more)
        case(want, done.returncode == 2 and want in done.stderr, done.stderr)


SLURM_CONF = r"""
# A cluster.
ClusterName=demo
SchedulerParameters=bf_max_job_test=500,default_queue_depth=100
Licenses=fluent:30,matlab
NodeName=DEFAULT Sockets=2 CoresPerSocket=16 ThreadsPerCore=2 RealMemory=256000
NodeName=fat1 CPUs=8 RealMemory=3000000 CoreSpecCount=1
NodeName=n[001-100] Features=ib,avx Weight=10 # cheap ones
nodename = g[1-2,4],h7 Gres=gpu:a100:4,mps:100(S:0),bw:no_consume:4G \
   CPUs=64 \
   RealMemory=512000 MemSpecLimit=2000 Weight = "20"
NodeName=old[1-9] State=FUTURE
Include more.conf
"""
MORE_CONF = """
NodeSet=fast Feature=ib
PartitionName=DEFAULT MaxTime=2-0
PartitionName=batch Nodes=fast Default=YES
PartitionName=gpu Nodes=g[1-2,4],h7
PartitionName=all Nodes=ALL
PartitionName=test Nodes=n[001-004],fat1
"""


def starts(machine, *rows, plan="classes"):
    """Start and class of each job, all submitted at 0."""
    done = run("simulate", file(
        "jobs.csv", "job_id,submit,run,walltime,procs,partition,gpu,memory,"
        "fluent", *["%d,0,%s" % (i + 1, r) for i, r in enumerate(rows)]),
        "--machine", machine, "--plan", plan, "--policy", "conservative",
        "--jobs-out", "-")
    if done.returncode:
        return done.stderr
    head, *lines = [x.split(",") for x in done.stdout.splitlines()]
    return [x[head.index("starting_time")] + " " + x[head.index("class")]
            for x in lines]


def test_slurm_conf():
    file("more.conf", MORE_CONF)
    machine = file("slurm.conf", SLURM_CONF)
    # As a table: the lightest class first, of the same nodes and partitions.
    table = file("table.csv",
                 "class,count,cpus,ram,fluent*,matlab*,gpu?,mps?,properties,"
                 "partitions",
                 "fat1,1,6,3000000M,30,1,0,0,,all:test",
                 "n001+3,4,64,256000M,0,0,0,0,ib:avx,batch:all:test",
                 "n005+95,96,64,256000M,0,0,0,0,ib:avx,batch:all",
                 "g1+3,4,64,510000M,0,0,4,100,a100,gpu:all")
    jobs = ["10,20,64,batch,0,0,0", "10,20,300,test,0,0,0",
            "10,20,64,gpu,16,0,0", "5,5,1,gpu,1,0,0", "10,20,8,all,0,0,20",
            "10,20,6,all,0,0,20", "3,9,6400,batch,0,0,0",
            "4,9,64,gpu,0,600G,0"]
    got = starts(machine, *jobs)
    same("slurm.conf is the table", got, starts(table, *jobs))
    # The second and the seventh are wider than a class: they are dropped.
    same("its classes serve", got, ["0 n001+3", "0 g1+3", "10 g1+3",
                                    "0 n001+3", "10 fat1", "0 g1+3"])
    same("on nodes", starts(machine, "9,9,64,batch,0,0,0", plan="nodes"),
         starts(table, "9,9,64,batch,0,0,0", plan="nodes"))
    done = run("cost", "1:ppn=4:gpu=1", "--machine", machine)
    case("cost", done.returncode == 0, done.stderr)
    for text, want in (
            ("NodeName=n[1-4] CPUs=4\nNodeName=n3 CPUs=4",
             "bad:2: NodeName: n3 appears twice, first in line 1"),
            ("NodeName=n[1-x] CPUs=4", "bad:1: '1-x' are no nodes: write n1,"),
            ("NodeName=n[4-1] CPUs=4", "bad:1: '4-1' are no nodes"),
            ("NodeName=n[1-4 CPUs=4", "bad:1: 'n[1-4' are no nodes"),
            ("NodeName=n1 CPUs=four", "bad:1: CPUs: 'four' is not an integer"),
            ("NodeName=n1\nCPUs=4\nPartitionName=p Nodes=n2",
             "bad:3: Nodes: n2 is no node: no line NodeName has it"),
            ("NodeName=n1 CPUs=4 RealMemory", "bad:1: 'RealMemory' has no "
             "value: keys are KEY=VALUE"),
            ("ClusterName=x", "no line NodeName has a node"),
            ("NodeName=n1 Gres=:4", "bad:1: '' is no name of a Gres or"),
            ("NodeName=n1 Gres=gpu::4", "bad:1: Gres: 'gpu::4' is not "
             "NAME:TYPE:COUNT"),
            ("Licenses=fluent:many\nNodeName=n1", "bad:1: Licenses: 'many' is"
             " no number"),
            ("Include missing.conf\nNodeName=n1", "bad:1: Include: "),
            ("Include bad\nNodeName=n1", "bad:1: Include: more than 10 files")):
        done = run("cost", "1", "--machine", file("bad", text))
        case("slurm.conf: " + want, done.returncode == 2 and
             want in done.stderr, done.stderr)


def test_names_of_jobs():
    header = HEADER.replace("JobIDRaw", "JobID")
    tasks = [header, *((JOB % (7, 100 * i, 100 * i + 100)).replace(
        "7|", "7_%d|" % i, 1) for i in (1, 2))]
    both = [HEADER + "|JobID", JOB % (8, 0, 100) + "|7_1",
            JOB % (9, 100, 200) + "|7_2"]
    for name, lines in (("JobID", tasks), ("both", both)):
        path = file("in", *lines)
        for task, says in (("7_1", "runs since"), ("7_2", "does not start")):
            done = run("why", path, "--procs", "4", "--at", "1", "--job", task,
                       "--samples", "1")
            case("why --job %s by %s" % (task, name), done.returncode == 0,
                 done.stderr)
        done = run("whatif", path, "--procs", "4", "--at", "1", "--event",
                   "cancel 7_2")
        case("whatif by %s: cancel 7_2" % name, done.returncode == 0,
             done.stderr)
        done = run("why", path, "--procs", "4", "--at", "1", "--job", "7_3")
        case("why --job 7_3: there is none", done.returncode == 2 and
             "has no job 7_3" in done.stderr, done.stderr)
    runs = file("in", HEADER, "5|z|p|b|COMPLETED|0|0|6000|100|2",
                "10|a|p|b|NODE_FAIL|0|0|1500|100|2",
                "10|a|p|b|COMPLETED|1600|6000|7000|100|4")
    for at, says in ((1000, "runs since"), (2000, "starts"), (9999, "ran")):
        done = run("why", runs, "--procs", "4", "--at", str(at), "--job", "10",
                   "--seconds", "--samples", "1")
        case("why of a requeued job at %d" % at, (done.returncode == 0) ==
             (at < 9000), done.stdout + done.stderr)


def test_gone():
    """A user that was removed leaves its share to the others, an account that
    was removed keeps what it used; one column adds up by its level."""
    assoc = file("assoc", "Cluster|Account|User|Share|ParentName",
                 "c|root||1|", "c|root|root|1|", "c|arts||1|root",
                 "c|arts|games|1|", "c|science||3|root", "c|science|daemon|1|")
    path = file("in", HEADER, "1|daemon|science|b|COMPLETED|0|0|90|5|2",
                "3|man|arts|b|COMPLETED|0|0|20|5|1",
                "4|daemon|oldproject|b|COMPLETED|0|0|50|5|2")
    by = "--by", "account,user", "--tree", assoc
    got, share = used(path, *by), used(path, *by, of="share")
    same("gone: a user", [got[k] for k in (
        ("arts",), ("arts", "man"), ("arts", "games"))], [20, 20, 0])
    same("gone: its share", [round(share["arts", u], 3) for u in
                             ("games", "man")], [0.2, 0])
    same("gone: an account", [got[k] for k in (
        ("oldproject",), ("oldproject", "daemon"), ("science",))],
         [100, 100, 180])
    done = run("usage", path, "--csv", "-", *by)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    same("gone: ranks", sorted(r["rank"] for r in rows if r["rank"]),
         ["1", "2", "3"])
    same("gone: is told", done.stderr, "3 accounts and users are not in the "
         "tree: they are gone and have no share\n")
    same("a column by its level", [sum(float(r["used"]) for r in rows
                                       if r["level"] == level and
                                       r["parent"] != "arts" or
                                       level == "user" == r["level"])
                                   for level in ("user", "total")], [300, 300])


def test_gone_in_a_simulation():
    """Who was removed has no share, so that all others go first."""
    assoc = file("assoc", "Account|User|Share|ParentName", "root||1|",
                 "arts||1|root", "arts|games|1|", "science||1|root",
                 "science|daemon|1|")
    path = file("in", HEADER, *[
        "%d|%s|%s|b|COMPLETED|%d|%d|%d|5|1" % (i, user, account, i > 1, start,
                                              start + 10)
        for i, user, account, start in (
            (1, "daemon", "science", 0), (2, "man", "arts", 10),
            (3, "daemon", "oldproject", 20), (4, "games", "arts", 30),
            (5, "daemon", "science", 40))])
    for how in (("--order", "tree"), ("--policy", "relshare")):
        done = run("simulate", path, "--procs", "1", "--tree", assoc, *how,
                   "--jobs-out", "-")
        rows = csv.DictReader(done.stdout.splitlines())
        same("%s: a gone user is last, and a gone account" % how[1],
             [r["job_id"] for r in sorted(rows, key=lambda r: float(
                 r["starting_time"]))], ["1", "4", "5", "2", "3"])
        case("%s: is told" % how[1], "3 users or accounts of the trace are not "
             "in the tree: they are gone and have no share" in done.stderr,
             done.stderr)


def test_properties():
    done = run("simulate", swf((1, 0, 9, 1, 9, 1)), "--machine", file(
        "m.csv", "class,count,cpus,properties", "a,1,4,gpu ib"),
        "--plan", "classes")
    case("properties with blanks", done.returncode == 2 and "m.csv:2: "
         "properties: 'gpu ib' has blanks: give names with : between" in
         done.stderr, done.stderr)


# ---- CSV ----

def test_csv():
    want = ["1 0 -1 90 4 100", "2 10 -1 10 2 20"]
    for name, lines in (
            ("ours", ["job_id,submit,run,walltime,procs", "1,0,90,100,4",
                      "2,10,10,20,2"]),
            ("Batsim", ["job_id,workload_name,profile,submission_time,"
                        "requested_number_of_resources,requested_time,success,"
                        "final_state,execution_time,metadata",
                        "w0!1,w0,p,0.000000,4,100.000000,1,COMPLETED_"
                        "SUCCESSFULLY,90.2,\"a,b\"",
                        "w0!2,w0,p,9.5,2,20.0,1,COMPLETED_SUCCESSFULLY,9.9,"]),
            ("pandas", ["ID,Submit_Time,RunTime,Requested_Time,Cores",
                        "1.0,0.0,90.0,100.0,4.0", "2.0,10.0,10.0,20.0,2.0"]),
            ("tabs", ["job\tarrival\tduration\ttimelimit\tncpus",
                      "1\t0\t90\t100\t4", "2\t10\t10\t20\t2"])):
        same("CSV: " + name, records(*lines, kind="jobs"), want)
        done = run("simulate", file("in", *lines), "--procs", "4",
                   "--jobs-out", "-")
        case("CSV: by its content: " + name, done.stdout.count("\n") == 3,
             done.stderr)
        again = run("simulate", file("out", done.stdout[:-1]), "--procs", "4",
                    "--jobs-out", "-")
        same("CSV: --jobs-out is a trace: " + name,
             [r.split(",")[:7] for r in again.stdout.splitlines()],
             [r.split(",")[:7] for r in done.stdout.splitlines()])
    done = run("import", "jobs", file(
        "in", "submit,run,procs", "0.4,9.5,1", "1.5,3.0,1"))
    case("CSV: fractions are rounded and counted", "rounded: 3 times" in
         done.stderr and "\n1 0 -1 10 " in done.stdout and
         "\n2 2 -1 3 " in done.stdout, done.stdout + done.stderr)


# ---- Standard Workload Format ----

def swf(*jobs, header="; MaxProcs: 16"):
    """Of (number, submit, run, processors, request, status)."""
    return file("in.swf", header, *(
        "%d %d 0 %d %d -1 -1 %d %d -1 %d 1 1 1 1 1 -1 -1" %
        (n, at, run_time, procs, procs, request, status)
        for n, at, run_time, procs, request, status in jobs))


def test_status():
    """An exit code is no reason to drop a job; a part of one is."""
    path = swf((1, 0, 3600, 1, 7200, 1), (2, 0, 36000, 10, 36000, 143),
               (3, 0, 36000, 10, 36000, -9), (4, 0, 36000, 10, 36000, 3))
    done = run("usage", path, "--by", "account", "--csv", "-")
    case("status: usage", ",723600.000," in done.stdout and
         "jobs: 2 of a status" in done.stderr and
         "dropped: 1 status 2-5: parts of jobs, cancelled jobs" in done.stderr,
         done.stdout + done.stderr)
    done = run("simulate", path)
    case("status: simulate", "2 of a status that means nothing, counted as "
         "ran (first: line 3, field 11, status: 143)" in done.stdout,
         done.stdout)
    case("status: compare", "(2 of a status" in run("compare", path).stdout)


def test_no_request():
    jobs = ((1, 0, 100, 3, -1, 1), (2, 1, 100, 4, -1, 1), (3, 2, 90, 1, -1, 1),
            (4, 3, 200, 1, 50, 1))
    path = swf(*jobs, header="; MaxProcs: 4")

    def starts(*args):
        done = run("simulate", path, "--policy", "easy", "--jobs-out", "-",
                   *args)
        return [r["starting_time"] for r in
                csv.DictReader(done.stdout.splitlines())]
    done = run("simulate", path)
    case("no request: simulate", "3 without a requested time, planned with "
         "their run times (first: line 2, field 9, requested time: -1)" in
         done.stdout, done.stdout)
    case("no request: compare", "(3 without a requested time" in
         " ".join(run("compare", path).stdout.split()))
    case("no request: exact", "without" not in run(
        "simulate", path, "--estimates", "exact").stdout)
    same("no request: run times", starts(), ["0", "100", "2", "200"])
    same("--default-walltime", starts("--default-walltime", "10m"),
         ["0", "203", "303", "3"])
    case("--default-walltime: no note", "without" not in run(
        "simulate", path, "--default-walltime", "10m").stdout)


def test_epoch():
    """Submit times since 1970 are dates, too."""
    path = swf((1, 1700000000, 10, 1, 10, 1), (2, 1700086400, 10, 1, 10, 1))
    done = run("simulate", path, "--from", "2023-11-15")
    case("epoch: a date", "jobs                    1\n" in done.stdout,
         done.stdout + done.stderr)
    case("epoch: is told", "the header has no UnixStartTime; times are taken "
         "as seconds since 1970" in done.stderr, done.stderr)
    case("epoch: months", "2023-11" in run("usage", path, "--by",
                                           "month").stdout)
    done = run("simulate", swf((1, 5, 10, 1, 10, 1)), "--from", "2023-11-15")
    case("epoch: seconds are none", done.returncode == 2, done.stderr)


def test_no_shares():
    """User 1 has used nothing, and has no shares: it waits for user 2."""
    rows = ["1 0 0 100 4 -1 -1 4 100 -1 1 2 1 1 1 1 -1 -1",
            "2 10 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1",
            "3 20 0 100 4 -1 -1 4 100 -1 1 2 1 1 1 1 -1 -1"]
    done = run("simulate", file("n.swf", "; MaxProcs: 4", *rows), "--policy",
               "relshare", "--shares", file("shares", "user,shares", "1,0"),
               "--jobs-out", "-")
    same("no shares", [r["starting_time"] for r in csv.DictReader(
        done.stdout.splitlines())], ["0", "200", "100"])


# ---- Maui ----

def test_maui_names():
    """bob's job goes before ann's second one, whatever says so by a name."""
    jobs = [HEADER, "1|ann|phys|cpu|COMPLETED|0|0|3600|60|4",
            "2|ann|phys|cpu|COMPLETED|10|3600|7200|60|4",
            "3|bob|bio|gpu|COMPLETED|20|7200|10800|60|4"]

    def third(*lines):
        cfg = file("maui.cfg", "CREDWEIGHT 1", *lines)
        done = run("simulate", file("in", *jobs), "--procs", "4", "--policy",
                   "maui", "--config", cfg, "--jobs-out", "-")
        return {r["job_id"]: r["starting_time"] for r in csv.DictReader(
            done.stdout.splitlines())}.get("3"), done.stderr
    for kind, name in (("USER", "bob"), ("GROUP", "bio"), ("ACCOUNT", "bio"),
                       ("CLASS", "gpu")):
        start, err = third(kind + "WEIGHT 1000",
                           "%sCFG[%s] PRIORITY=1000" % (kind, name))
        case("Maui: " + kind, start == "3600" and "matches no job" not in err,
             (start, err))
        start, err = third("%sCFG[nobody] PRIORITY=1000" % kind)
        case("Maui: no such " + kind, start == "7200" and
             "maui.cfg:2: %sCFG[nobody] matches no job" % kind in err, err)
    for attribute, name, refused in (
            ("REQUIREDUSERLIST", "bob", False),
            ("REQUIREDUSERLIST", "ann", True),
            ("EXCLUDEUSERLIST", "bob", True),
            ("REQUIREDACCOUNTLIST", "bio", False),
            ("EXCLUDEGROUPLIST", "bio", True)):
        start, err = third("CLASSCFG[gpu] %s=%s,nobody" % (attribute, name))
        case("Maui: %s=%s" % (attribute, name), (start is None) == refused and
             "maui.cfg:2: " in err and "list[nobody] matches no job" in err,
             (start, err))
    done = third("USERCFG[bob] QDEF=high", "QOSCFG[high] PRIORITY=9",
                 "QOSWEIGHT 9")
    same("Maui: QDEF by a name", done[0], "3600")
    for more, told in (((), True), (("USERCFG[bob] QLIST=low,high",), False)):
        done = third("QOSCFG[high] PRIORITY=9", *more)
        case("Maui: a QoS that nobody names", told == (
            "QOSCFG[high] is of no job, QDEF or QLIST" in done[1]), done)


for test in [v for k, v in sorted(globals().items()) if k[:5] == "test_"]:
    test()
raise SystemExit(failed > 0)
