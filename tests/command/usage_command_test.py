#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: what each account and user used, was due and is owed. All is computed
here again, from the lines of real traces and of what sacct said: sums by exact
integers, shares by fractions, ranks by the walk that Slurm describes.
"""

import collections
import csv
import datetime
import gzip
import io
import json
import os
import struct
import subprocess
import tempfile
from fractions import Fraction

PROGRAM = os.path.abspath(next(
    p for p in ("tools/fairsched/fairsched", "build/fairsched")
    if os.access(p, os.X_OK)))
SHARED = os.environ.get("FAIRSCHED_SHARED", "../shared")
TRACES = ("KTH-SP2-1996-2", "SDSC-SP2-1998-4.2-cln", "NASA-iPSC-1993-3.1-cln")
RECORDED = "tests/sacct/recorded.txt"
TMP = tempfile.mkdtemp()
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why)


def run(*args, **more):
    return subprocess.run([PROGRAM, "usage", *args], text=True,
                          capture_output=True, **more)


def rows(*args, **more):
    done = run(*args, "--csv", "-", **more)
    if done.returncode:
        print(done.stderr)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def write(name, text):
    path = os.path.join(TMP, name)
    with open(path, "wb" if isinstance(text, bytes) else "w") as f:
        f.write(text)
    return path


# ---- the same, computed again ----

Job = collections.namedtuple("Job", "account user procs kb start end")


def jobs_of(path):
    """The jobs of a trace that the simulator takes, too, with their waits."""
    jobs, epoch, procs = [], 0, None
    for line in gzip.open(path, "rt", errors="replace"):
        f = line.split()
        if line.startswith(";"):
            if "UnixStartTime" in line:
                epoch = int(line.split(":")[1].split()[0])
            if "MaxProcs" in line:
                procs = int(line.split(":")[1].split()[0])
            continue
        if not f:
            continue
        n = [round(float(x)) for x in f[:18]]
        run_, width = n[3] if n[3] != -1 else n[5], n[4] if n[4] > 0 else n[7]
        if width <= 0 or run_ < 0 or width > procs or \
           not (n[10] in (-1, 0, 1) or (n[10] == 5 and run_ > 0)):
            continue
        kb = n[9] if n[9] > 0 else max(n[6], 0)
        start = epoch + n[1] + max(n[2], 0)
        jobs.append(Job(str(n[12]) if n[12] >= 0 else "",
                        str(n[11]) if n[11] >= 0 else "unknown", width, kb,
                        start, start + run_))
    return jobs


def rate(job, resource):
    return job.procs if resource == "processors" else \
        -(-job.kb * job.procs // 1024)


def month(seconds):
    return datetime.datetime.fromtimestamp(
        seconds, datetime.timezone.utc).strftime("%Y-%m")


def next_month(seconds):
    d = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    d = datetime.datetime(d.year + d.month // 12, d.month % 12 + 1, 1,
                          tzinfo=datetime.timezone.utc)
    return int(d.timestamp())


def used(jobs, key, resource="processors", by_month=False, first=None,
         last=None):
    """Sums of rate * seconds by month and @key."""
    total = collections.Counter()
    for j in jobs:
        at, end = j.start, j.end
        if first is not None:
            at, end = max(at, first), min(end, last)
        while at < end:
            upto = min(end, next_month(at)) if by_month else end
            total[month(at) if by_month else "", key(j)] += \
                (upto - at) * rate(j, resource)
            at = upto
    return total


def near(got, want, unit=1):
    return abs(float(got) - float(want)) <= unit * 1e-3 + abs(want) * 1e-9


# ---- traces ----

def test_trace(name):
    path = os.path.join(SHARED, "traces", name + ".swf.gz")
    if not os.path.exists(path):
        return print("skip %s: no trace" % name)
    jobs = jobs_of(path)
    want = used(jobs, lambda j: j.user)
    total = sum(want.values())
    got = rows(path, "--by", "user")
    case(name + ": all users", {r["user"] for r in got[:-1]} ==
         {j.user for j in jobs} and not got[-1]["user"])
    case(name + ": by user", all(
        near(r["used"], want["", r["user"]]) for r in got[:-1]))
    case(name + ": in all", near(got[-1]["used"], total), got[-1])
    case(name + ": most used first",
         [float(r["used"]) for r in got[:-1]] ==
         sorted((float(r["used"]) for r in got[:-1]), reverse=True))
    # The default tree: each account has 1 share, each of its users too.
    accounts = collections.defaultdict(set)
    for j in jobs:
        accounts[j.account].add(j.user)
    top = len(accounts) - ("" in accounts) + len(accounts.get("", ()))
    due = collections.Counter()
    for a, users in accounts.items():
        for u in users:
            due[u] += Fraction(1, top if not a else top * len(users))
    case(name + ": shares", all(near(r["share"], due[r["user"]], 1e-6)
                                for r in got[:-1]))
    case(name + ": owed", all(near(
        r["owed"], due[r["user"]] * total - want["", r["user"]], 2)
        for r in got[:-1]))
    want = used(jobs, lambda j: (j.account, j.user), by_month=True)
    got = rows(path, "--by", "month,account,user")
    leaves = [r for r in got if r["user"]]
    case(name + ": by month", all(
        near(r["used"], want[r["month"], (r["account"], r["user"])])
        for r in leaves) and len(leaves) >= len(want) and
        near(sum(float(r["used"]) for r in leaves), total, 100))
    memory = used(jobs, lambda j: j.account, "memory")
    got = rows(path, "--by", "account,resource")
    case(name + ": memory", sum(memory.values()) == 0 or all(
        near(r["used"], memory["", r["account"]]) for r in got
        if r["resource"] == "memory" and r["account"]))
    case(name + ": has memory", ("memory" in {r["resource"] for r in got}) ==
         any(j.kb > 0 for j in jobs))
    test_period(name, path, jobs)
    test_decay(name, path, jobs)


def test_period(name, path, jobs):
    days = sorted(j.start for j in jobs)
    day = datetime.datetime.fromtimestamp(days[len(days) // 2],
                                          datetime.timezone.utc)
    first = int(datetime.datetime(day.year, day.month, day.day, tzinfo=
                                  datetime.timezone.utc).timestamp())
    want = used(jobs, lambda j: j.user, first=first, last=first + 86400)
    until = datetime.datetime.fromtimestamp(first + 86400,
                                            datetime.timezone.utc)
    got = rows(path, "--by", "user", "--from", day.strftime("%Y-%m-%d"),
               "--until", until.strftime("%Y-%m-%d"))
    case(name + ": one day", len(got) > 1 and all(
        near(r["used"], want["", r["user"]]) for r in got if r["user"]))


def test_decay(name, path, jobs):
    """2^-t / h, integrated, from each job's start to its end."""
    h, end = 7 * 86400, max(j.end for j in jobs)
    want = collections.Counter()
    for j in jobs:
        want[j.user] += j.procs * h / 0.6931471805599453 * (
            2 ** ((j.end - end) / h) - 2 ** ((j.start - end) / h))
    got = rows(path, "--by", "user", "--half-life", "7d")
    case(name + ": decayed", all(
        abs(float(r["used"]) - want[r["user"]]) <=
        0.01 + 1e-6 * want[r["user"]] for r in got[:-1]))


# ---- a tree ----

def fair_tree(tree, usage):
    """Ranks, by the words of Slurm's page, without lifted accounts."""
    below = collections.defaultdict(list)
    for name, (parent, shares) in tree.items():
        below[parent].append(name)
    use = {}

    def use_of(name):
        use[name] = usage.get(name, 0) + sum(map(use_of, below[name]))
        return use[name]

    use_of("root")

    def level(name):
        """Smaller goes first."""
        parent, shares = tree[name]
        all_shares = sum(tree[n][1] for n in below[parent])
        if not shares:
            return (2, 0)
        if not use[name]:
            return (0, 0)
        return (1, Fraction(use[name], use[parent]) /
                Fraction(shares, all_shares))

    users = [n for n in tree if not below[n] and n in usage]
    order = []

    def walk(accounts):
        children = sorted((c for a in accounts for c in below[a]), key=level)
        while children:
            tied = [c for c in children if level(c) == level(children[0])]
            children = children[len(tied):]
            order.append([c for c in tied if c in usage])
            inner = [c for c in tied if below[c]]
            if inner:
                walk(inner)

    walk(["root"])
    rank, left = {}, len(users)
    for tied in order:
        for name in tied:
            rank[name] = left
        left -= len(tied)
    return rank


def test_tree():
    name = "KTH-SP2-1996-2"
    path = os.path.join(SHARED, "traces", name + ".swf.gz")
    if not os.path.exists(path):
        return print("skip tree: no trace")
    jobs = jobs_of(path)
    # Three divisions of projects of users, by their numbers.
    tree = {}
    for d in range(3):
        tree["d%d" % d] = ("root", d + 1)
        for p in range(4):
            tree["p%d%d" % (d, p)] = ("d%d" % d, 1 + (d + p) % 3)
    for j in jobs:
        u = int(j.user)
        tree[j.user] = ("p%d%d" % (u % 3, u // 3 % 4), u % 5 + (u == 5))
    text = "parent,name,shares\n# a comment\n" + "".join(
        "%s, %s, %d\n" % (p, n, s) for n, (p, s) in reversed(tree.items()))
    usage = {u: n for (_, u), n in used(jobs, lambda j: j.user).items()}
    usage = {j.user: usage.get(j.user, 0) for j in jobs}
    got = rows(path, "--tree", write("tree.csv", text))
    want = fair_tree(tree, usage)
    leaves = {r["user"]: r for r in got if r["user"]}
    case("tree: ranks", {u: int(r["rank"]) for u, r in leaves.items()} == want)

    def share_of(n):
        if n == "root":
            return Fraction(1)
        p, s = tree[n]
        level = sum(x[1] for x in tree.values() if x[0] == p)
        return share_of(p) * Fraction(s, level) if level else Fraction(0)

    share = {n: share_of(n) for n in tree}
    total = sum(usage.values())
    below = {n: sum(v for u, v in usage.items()
                    if n in (u, tree[u][0], tree[tree[u][0]][0]))
             for n in tree}
    case("tree: all nodes", len(got) == len(tree) + 1)
    case("tree: shares", all(near(r["share"], share[r["user"] or r["account"]],
                                  1e-6) for r in got[:-1]))
    case("tree: used", all(near(r["used"], below[r["user"] or r["account"]])
                           for r in got[:-1]))
    case("tree: owed", all(near(
        r["owed"], share[n] * total - below[n], 2) for r in got[:-1]
        for n in [r["user"] or r["account"]]))
    case("tree: parents", all(r["parent"] == tree[r["user"] or r["account"]][0]
                              for r in got[:-1]))
    test_exported(path, tree, got)


def test_exported(path, tree, got):
    """The same from what sacctmgr -P show assoc prints."""
    accounts = {p for p, _ in tree.values()}
    text = "Cluster|Account|User|Partition|Share|Priority|Par Name\n" \
        "c|root|||1|1|\nc|root|root||1|1|\n"
    for n, (p, s) in tree.items():
        text += "c|%s|||%d||%s\n" % (n, s, p) if n in accounts else \
            "c|%s|%s||%d||\n" % (p, n, s)
    again = rows(path, "--tree", write("assoc.txt", text))
    case("sacctmgr: the root's user is there",
         [r for r in again if r["user"] == "root"])
    ignored = ("share", "owed", "rank")
    same = [{k: v for k, v in r.items() if k not in ignored} for r in got]
    again = [{k: v for k, v in r.items() if k not in ignored}
             for r in again if r["user"] != "root"]
    case("sacctmgr: the same tree", again == same)


SMALL = """; UnixStartTime: 1000000000
1 0 0 100 4 -1 -1 4 100 -1 1 1 1 -1 -1 -1 -1 -1
2 0 5 100 2 -1 -1 2 100 -1 1 2 2 -1 -1 -1 -1 -1
3 0 0 50 4 -1 -1 4 100 -1 1 3 2 -1 -1 -1 -1 -1
"""


def test_small():
    """By hand: 400, 200 and 200 processor-seconds."""
    small = write("small.swf", SMALL)
    lifted = write("lifted.csv", "kind,name,parent,shares\n"
                   "account,x,root,3\naccount,y,root,parent\nuser,1,x,1\n"
                   "user,2,y,1\nuser,3,y,parent\n")
    got = {r["user"] or r["account"]: r for r in rows(small, "--tree", lifted)}
    case("lifted: shares", [float(got[n]["share"]) for n in "xy123"] ==
         [0.75, 0.25, 0.75, 0.25, 0], got)
    case("lifted: owed", [float(got[n]["owed"]) for n in "xy123"] ==
         [200, -200, 200, 0, -200], got)
    case("lifted: ranks", [got[n]["rank"] for n in "123"] == ["2", "1", "3"],
         got)
    by = write("users.csv", "parent,name,shares\nroot,1,1\nroot,2,0\n")
    done = run(small, "--tree", by)
    case("not in the tree", "2 accounts and users are not in the tree" in
         done.stderr and not done.returncode, done.stderr)
    got = {r["user"]: r for r in rows(small, "--tree", by)}
    case("not in the tree: 1 share below its account",
         got["3"]["account"] == "2" and got["3"]["shares"] == "1" and
         float(got["3"]["share"]) == 0.5, got)
    case("in the tree: whatever its account",
         got["2"]["parent"] == "root" and float(got["2"]["share"]) == 0)
    table = run(small).stdout.splitlines()
    case("a table", "processor-hours" == table[0] and
         table[-1].split() == ["total", "100.00%", "0.22", "100.00%", "0.00"]
         and all(len(s) <= 80 for s in table), table)
    data = json.loads(run(small, "--by", "account", "--json", "-").stdout)
    case("JSON", data[0]["account"] == "1" and data[0]["used"] == 400 and
         data[0]["owed"] == 0 and data[0]["shares"] == "1" and
         data[-1]["used"] == 800, data)
    names = write("names.csv", 'kind,number,name\nuser,1,ann\naccount,1,'
                  '"physics, ""solid"""\nuser,2,bob\n')
    got = rows(small, "--names", names)
    case("names", [(r["account"], r["user"]) for r in got if r["user"]] ==
         [("2", "3"), ("2", "bob"), ('physics, "solid"', "ann")], got)
    case("stdin", rows("-", input=SMALL) == rows(small))
    unknown = write("nowait.swf", SMALL.replace("1 0 0", "1 0 -1"))
    case("no wait is told", "1 job without a wait" in run(unknown).stderr)


# ---- GPUs ----

GPUS = """JobIDRaw|User|Account|Partition|State|Submit|Start|End|TimelimitRaw|\
AllocCPUS|ReqTRES
1|ann|phys|gpu|COMPLETED|1000000000|1000000000|1000003600|60|4|\
cpu=4,gres/gpu=2,gres/gpu:a100=2,mem=8G
2|bob|phys|gpu|COMPLETED|1000000000|1000000000|1000007200|120|2|\
cpu=2,gres/gpu:a100=1,gres/gpu:v100=2,mem=4G
3|cid|chem|cpu|COMPLETED|1000000000|1000000000|1000003600|60|8|cpu=8,mem=2G
"""


def test_gpus():
    """All GPUs of a job, once, also where only their types are there."""
    used = {r["user"]: float(r["used"]) for r in
            rows(write("gpus.txt", GPUS), "--by", "user,resource")
            if r["resource"] == "gpus"}
    case("sacct: GPUs", used == {"ann": 7200, "bob": 21600, "cid": 0,
                                 "": 28800}, used)


# ---- sacct ----

def test_sacct():
    want = collections.Counter()
    memory = 0
    with open(RECORDED) as f:
        for r in csv.DictReader(f, delimiter="|"):
            if "." in r["JobIDRaw"] or not r["End"].isdigit() or \
               not r["Start"].isdigit() or not int(r["AllocCPUS"]):
                continue
            seconds = int(r["End"]) - int(r["Start"])
            want[r["Account"], r["User"]] += seconds * int(r["AllocCPUS"])
            memory += seconds and "mem=" in r["AllocTRES"]
    got = rows(RECORDED, "--by", "account,user,resource")
    leaves = {(r["account"], r["user"]): float(r["used"]) for r in got
              if r["user"] and r["resource"] == "processors"}
    case("sacct: names and sums", leaves == dict(want), (leaves, want))
    # It was requested, but this cluster allocates none.
    case("sacct: memory", (memory > 0) == any(
        r["resource"] == "memory" and float(r["used"]) > 0 for r in got))
    twice = rows(RECORDED, "--merge", RECORDED)
    case("sacct: two servers", all(
        near(b["used"], 2 * float(a["used"])) for a, b in
        zip(rows(RECORDED), twice)))


def test_real_jobs():
    """A tree that a real Slurm charged by jobs. Its usages are those of sacct,
    and its ranks ours; tools/slurm/usage_run.py does it with more jobs."""
    folder = os.path.join(os.path.dirname(RECORDED), "fairtree")
    with open(folder + "/sshare.txt") as f:
        said = {(r["Account"].strip(), r["User"]): r for r in
                csv.DictReader(f, delimiter="|")}
    users = [k for k in said if k[1]]
    got = {(r["account"] or "root", r["user"]): r for r in
           rows(folder + "/sacct.txt", "--tree", folder + "/assoc.txt")}
    case("real jobs: used", len(users) == 6 and got.keys() == said.keys() and
         all(float(got[k]["used"]) == int(r["RawUsage"])
             for k, r in said.items()), (said, got))
    case("real jobs: some used", sum(int(said[k]["RawUsage"]) > 0
                                     for k in users) == 4)
    case("real jobs: ranks", all(
        abs(int(got[k]["rank"]) / len(users) -
            float(said[k]["FairShare"])) < 1e-6 for k in users), (said, got))


def test_merge():
    """A trace in two halves is the whole."""
    name = "KTH-SP2-1996-2"
    path = os.path.join(SHARED, "traces", name + ".swf.gz")
    if not os.path.exists(path):
        return print("skip merge: no trace")
    lines = gzip.open(path, "rt", errors="replace").read().splitlines(True)
    head = "".join(s for s in lines if s[0] == ";")
    body = [s for s in lines if s[0] != ";"]
    parts = [write("part%d.swf" % i, head + "".join(body[i::3]))
             for i in range(3)]
    whole = rows(path, "--by", "month,user")
    order = dict(key=lambda r: (r["month"], r["user"]))
    joined = rows(parts[0], "--merge", parts[1], "--merge", parts[2], "--by",
                  "month,user")
    case("merge: three logs are the whole",
         sorted(joined, **order) == sorted(whole, **order))
    done = run(path, "--merge", write("undated.swf", SMALL.split("\n", 1)[1]))
    case("merge: with dates and without", done.returncode == 2 and
         "undated.swf" in done.stderr and "UnixStartTime" in done.stderr,
         done.stderr)


# ---- ledgers ----

def fnv(data):
    h = 0xcbf29ce484222325
    for b in data:
        h = (h ^ b) * 0x100000001b3 % 2 ** 64
    return h


def ledger(usage, source, changes=1):
    """What fair_usage_save() writes: one window that never ends."""
    words = [0x6567617372696166, 1, len(usage), 1, 2 ** 63 - 1, 0, 2, 1,
             source, changes, 100]
    for n in usage + [sum(usage)]:
        words += [0, 0, n]
    data = struct.pack("<%dQ" % len(words), *words)
    return data + struct.pack("<Q", fnv(data))


def test_ledgers():
    a = write("a.ledger", ledger([10, 20, 30], 1))
    b = write("b.ledger", ledger([1, 2, 3], 2))
    c = write("c.ledger", ledger([11, 21, 31], 1, 2))
    use = lambda *args: {r["user"]: float(r["used"])
                         for r in rows(*args, "--by", "user")}
    case("ledger", use(a) == {"0": 10, "1": 20, "2": 30, "": 60}, use(a))
    case("ledgers of two servers", use(a, "--merge", b) ==
         use(b, "--merge", a) == {"0": 11, "1": 22, "2": 33, "": 66})
    case("the newer state of one server", use(a, "--merge", c, "--merge", b) ==
         use(c, "--merge", b, "--merge", a) ==
         {"0": 12, "1": 23, "2": 34, "": 69})
    for name, bad in [("damaged", ledger([1, 2, 3], 3)[:-1] + b"x"),
                      ("of other users", ledger([1, 2], 3)),
                      ("in conflict", ledger([1, 2, 4], 1)),
                      ("cut", ledger([1, 2, 3], 3)[:-9])]:
        done = run(a, "--merge", write("bad.ledger", bad))
        case("a ledger " + name, done.returncode == 2 and
             "bad.ledger" in done.stderr and not done.stdout, done.stderr)
    third = write("third.ledger", ledger([1, 2, 3], 3))
    done = run(a, "--merge", b, "--merge", third)
    case("no room for a third server", done.returncode == 2 and
         "no room" in done.stderr, done.stderr)
    small = write("small.swf", SMALL)
    for args in [(a, "--merge", small), (small, "--merge", a)]:
        done = run(*args)
        case("a log and a ledger", done.returncode == 2 and
             "cannot be merged" in done.stderr, done.stderr)
    for args in [("--by", "month"), ("--from", "1d"), ("--until", "1d"),
                 ("--half-life", "1d")]:
        done = run(a, *args)
        case("a ledger has no dates: " + args[0], done.returncode == 2 and
             "need logs" in done.stderr, done.stderr)


def test_saved():
    """The ledger of a saved simulation is that of its own schedule."""
    trace = write("t.swf", "; MaxProcs: 4\n" + "".join(
        "%d %d -1 100 %d -1 -1 4 100 -1 1 %d 1 -1 -1 -1 -1 -1\n" %
        (i, i, 1 + i % 4, 7 + i % 3) for i in range(9)))
    for policy in [("--policy", "relshare", "--window", "10d",
                    "--no-expected"), ("--order", "usage", "--half-life",
                                       "49000d")]:
        saved = os.path.join(TMP, "saved" + policy[1])
        out = os.path.join(TMP, "out.swf")
        subprocess.run([PROGRAM, "simulate", trace, *policy, "--swf-out", out,
                        "--save", saved, "--save-at", "1000000"],
                       capture_output=True)
        want = {str(int(r["user"]) - 7): float(r["used"]) for r in
                rows(out, "--by", "user") if r["user"]}
        got = {r["user"]: float(r["used"])
               for r in rows(saved, "--by", "user") if r["user"]}
        case("saved by " + policy[1], got.keys() == want.keys() and all(
            abs(got[u] - want[u]) < 0.2 for u in want), (got, want))
    saved = os.path.join(TMP, "plain")
    subprocess.run([PROGRAM, "simulate", trace, "--save", saved, "--save-at",
                    "1000000"], capture_output=True)
    done = run(saved)
    case("saved without a ledger", done.returncode == 2 and
         "without a ledger" in done.stderr, done.stderr)


TREE = """parent,name,shares
root,science,3
root,arts,1
science,1,1
science,2,2
science,physics,parent
physics,3,1
arts,4,1
arts,5,2
arts,6,0
"""


def test_saved_tree():
    """The tree of a saved simulation: its ranks, shares and what is owed."""
    # Users 1 to 6, and 7 that is not in the tree.
    trace = write("t.swf", "; MaxProcs: 8\n" + "".join(
        "%d %d -1 %d %d -1 -1 4 %d -1 1 %d -1 -1 -1 -1 -1 -1\n" %
        (i + 1, 40 * i, 97 + 13 * i % 500, 1 + i % 5, 97 + 13 * i % 500 +
         i % 3 * 100, 1 + 3 * i % 11 % 7) for i in range(70)))
    tree = write("t.csv", TREE)
    saved, out = os.path.join(TMP, "tree.saved"), os.path.join(TMP, "out.swf")

    def save(at, *policy):
        subprocess.run([PROGRAM, "simulate", trace, *policy, "--tree", tree,
                        "--swf-out", out, "--save", saved, "--save-at", at],
                       capture_output=True)

    for policy in [("--order", "tree", "--half-life", "49000d"),
                   ("--order", "tree", "--half-life", "1h"),
                   ("--policy", "maui", "--half-life", "1h")]:
        save("1000000", *policy)
        want = rows(out, "--tree", tree, *policy[-2:])
        got = rows(saved, "--tree", tree)
        name = "saved tree, %s %s %s: " % (policy[1], *policy[-2:])
        # The user that is not in the file is told by its number there.
        case(name + "accounts and users", [
            (r["account"], r["user"].replace("9", "7"), r["shares"],
             r["parent"]) for r in got] == [
            (r["account"], r["user"], r["shares"], r["parent"])
            for r in want] and len(got) == 11, (got, want))
        case(name + "ranks", [r["rank"] for r in got] ==
             [r["rank"] for r in want], (got, want))
        case(name + "shares", all(near(g["share"], float(w["share"]), 1e-6)
                                  for g, w in zip(got, want)), (got, want))
        scale = 1 if policy[-1] == "49000d" else \
            float(got[-1]["used"]) / float(want[-1]["used"])
        case(name + "used and owed", all(
            abs(float(g[k]) - scale * float(w[k])) <=
            1 + 1e-4 * abs(float(w[k])) for g, w in zip(got, want)
            for k in ("used", "owed")) and float(got[-1]["used"]) > 100,
            (scale, got, want))
    numbers = [r["account"] for r in rows(saved) if not r["user"]]
    case("saved tree: without --tree by numbers", sorted(numbers) ==
         ["", "0", "1", "2"], numbers)
    # Three jobs run: their walltimes count, 1 x 150, 2 x 250, 3 x 350 s.
    trace = write("t.swf", "; MaxProcs: 8\n" + "".join(
        "%d 0 -1 100 %d -1 -1 4 %d -1 1 %d 1 -1 -1 -1 -1 -1\n" %
        (i, i, 50 + 100 * i, i) for i in (1, 2, 3)))
    save("10", "--order", "tree", "--half-life", "49000d")
    got = {r["user"]: float(r["used"]) for r in rows(saved, "--tree", tree)
           if r["user"]}
    case("saved tree: running jobs", all(near(got[u], n, 2) for u, n in
         (("1", 150), ("2", 500), ("3", 1050), ("4", 0))), got)
    other = write("other.csv", TREE.replace("science,1", "arts,1"))
    data = open(saved, "rb").read()
    flat = write("flat.ledger", ledger([1, 2], 1))
    for args, want in [
            ((saved, "--tree", other), "its tree is not that of --tree"),
            ((saved, "--merge", saved), "cannot be merged"),
            ((saved, "--merge", flat), "cannot be merged"),
            ((flat, "--merge", saved), "cannot be merged"),
            ((saved, "--from", "1d"), "need logs"),
            ((write("damaged", data[:-300] + bytes([data[-300] ^ 1]) +
                    data[-299:]),), "damaged")]:
        done = run(*args)
        case("saved tree: " + want, done.returncode == 2 and
             want in done.stderr and not done.stdout, done.stderr)


# ---- errors ----

def test_errors():
    small = write("small.swf", SMALL)
    for text, want in [
            ("", "header line is missing"),
            ("parent,name\n", ":1: column shares is missing"),
            ("parent,name,shares,size\n", ":1: unknown column 'size'"),
            ("parent,name,name\n", ":1: column name appears twice"),
            ("parent,name,shares\n", "no account and no user"),
            ("parent,name,shares\nroot,x\n", ":2: 2 fields instead of 3"),
            ("parent,name,shares\nroot,,1\n", ":2: name: '' is no name"),
            ("parent,name,shares\n,x,1\n", ":2: parent: '' is no account"),
            ("parent,name,shares\n\nroot,x,-1\n", ":3: shares: '-1' is neither"),
            ("parent,name,shares\nroot,x,4294967295\n",
             ":2: shares: '4294967295' is neither"),
            ("parent,name,shares\nroot,x,1\nroot,x,2\n",
             ":3: name: 'x' appears twice, first in line 2"),
            ("parent,name,shares\nroot,x,1\nx,u,1\nroot,x,1\n",
             ":4: name: 'x' appears twice, first in line 2"),
            ("parent,name,shares\ny,x,1\nx,y,1\n",
             ":2: parent: 'y' is below this account itself"),
            ("parent,name,shares\nz,x,1\n",
             ":2: parent: 'z' is no account of this file"),
            ("parent,name,shares\nx,root,1\nroot,x,1\n",
             ":2: parent: 'x' cannot be above the root"),
            ("parent,name,shares,kind\nroot,x,1,group\n",
             ":2: kind: 'group' is neither account nor user"),
            ("Account|Share|ParentName\n", ":1: column User is missing: export"),
            ("Account|User|Share\n", ":1: column ParentName is missing"),
            ("Account|User|Share|Par Name|Partition\nx||1|root|p\n",
             ":2: Partition: 'p' has shares of its own"),
            ("Cluster|Account|User|Share|Par Name\nc|x||1|root\nd|y||1|root\n",
             ": associations of several clusters (c, d): choose one by "
             "--cluster NAME"),
            ("Account|User|Share|Par Name\nx|u|1|\n",
             ":2: Account: 'x' is no account of this file"),
            ("Account|User|Share|Par Name\n||1|\n",
             ":2: Account: '' is no name"),
            ("Account|User|Share|Par Name\nx||1|root\nx||1|root\n",
             ":3: Account: 'x' appears twice, first in line 2")]:
        done = run(small, "--tree", write("bad.csv", text))
        case("tree: " + want, done.returncode == 2 and not done.stdout and
             "bad.csv" in done.stderr and want in done.stderr, done.stderr)
    for text, want in [
            ("user,1,ann\n", ":1: the header line is not kind,number,name"),
            ("kind,number,name\nuser,1\n", ":2: 2 fields instead of 3"),
            ("kind,number,name\nqueue,1,x\n", ":2: kind: 'queue' is not"),
            ("kind,number,name\nuser,x,x\n", ":2: number: 'x' is not"),
            ("kind,number,name\nuser,1,\n", ":2: name: is missing")]:
        done = run(small, "--names", write("bad.csv", text))
        case("names: " + want, done.returncode == 2 and want in done.stderr,
             done.stderr)
    undated = write("undated.swf", SMALL.split("\n", 1)[1])
    for args, want in [
            ((undated, "--by", "month"), "months are not known"),
            ((undated, "--from", "2003-05-01"), "--from: give seconds"),
            ((small, "--until", "1d"), "--until: give a date"),
            ((small, "--from", "2030-01-01"), "no job ran in this period"),
            ((small, "--by", "month", "--half-life", "7d"), "--half-life does"),
            ((small, "--by", "users"), "unknown value 'users'"),
            ((small, "--merge", "nothing.swf"), "nothing.swf"),
            ((small, "--merge", undated, "--csv", undated), "would replace"),
            ((write("huge.swf", "1 0 0 9000000000 1 -1 -1 1 1 900000000000 1 1 "
                    "1 -1 -1 -1 -1 -1\n"),), "usage of all jobs is too large"),
    ]:
        done = run(*args)
        case("error: " + want, done.returncode in (1, 2) and
             want in done.stderr and not done.stdout, done.stderr)


for trace in TRACES:
    test_trace(trace)
test_tree()
test_small()
test_sacct()
test_real_jobs()
test_gpus()
test_merge()
test_ledgers()
test_saved()
test_saved_tree()
test_errors()
raise SystemExit(failed != 0)
