#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""--limits: no instant of a schedule exceeds a limit, by --jobs-out alone, under each
policy that takes limits, in a pool, in classes, on nodes and beside a window; names of
sacct; what is told; continued runs.
"""

import collections
import csv
import os
import random
import subprocess
import tempfile

PROGRAM = os.path.abspath(next(
    p for p in ("tools/fairsched/fairsched", "build/fairsched")
    if os.access(p, os.X_OK)))
TMP = tempfile.TemporaryDirectory()
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why)


def file(name, *lines):
    path = os.path.join(TMP.name, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in lines))
    return path


def run(*args):
    return subprocess.run([PROGRAM, *args], text=True, capture_output=True)


def most(rows, owner, amount):
    """The most that one owner holds at any instant."""
    events = collections.defaultdict(list)
    for row in rows:
        start, end = int(row["starting_time"]), int(row["finish_time"])
        if end > start:
            events[owner(row)] += [(start, amount(row)), (end, -amount(row))]
    peak = 0
    for one in events.values():
        held = 0
        for _, change in sorted(one):
            held += change
            peak = max(peak, held)
    return peak


def procs(row):
    return int(row["requested_number_of_resources"])


# ---- a random trace: users 1 to 5, queues 0 to 2 ----

random.seed(1)
queue_of = {}
swf = ["; MaxProcs: 32"]
at = 0
for number in range(1, 201 if "TEST_LIGHT" in os.environ else 451):
    at += random.randrange(60)
    limit = random.randrange(1, 2000)
    ran = random.randrange(limit + 1)
    wide = random.choice((1, 2, 4, 8, 16))
    queue_of[str(number)] = random.randrange(3)
    swf.append(" ".join(map(str, (
        number, at, -1, ran, wide, -1, -1, wide, limit, -1, 1,
        random.randrange(1, 6), 1, -1, queue_of[str(number)], 1, -1, -1))))
trace = file("t.swf", *swf)
limits = file("l.csv", "kind,name,resource,amount", "user,*,processors,8",
              "user,3,processors,12", "queue,1,jobs,3", "qos,*,jobs,1")
machine = file("m.csv", "class,count,cpus", "a,2,8", "b,1,16")
window = file("w.csv", "begin,end,processors", "3h,4h,16")
tree = file("tree.csv", "parent,name,shares,kind", "root,1,1,account",
            *("1,%d,%d,user" % (user, user) for user in range(1, 6)))
case("there is a limit to exceed", most(
    csv.DictReader(run("simulate", trace, "--jobs-out", "-").stdout
                   .splitlines()), lambda r: r["user"], procs) > 12)


def within(name, *args):
    done = run("simulate", trace, "--limits", limits, "--jobs-out", "-", *args)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    peaks = (most([r for r in rows if r["user"] != "3"],
                  lambda r: r["user"], procs),
             most([r for r in rows if r["user"] == "3"],
                  lambda r: r["user"], procs),
             most([r for r in rows if queue_of[r["job_id"]] == 1],
                  lambda r: 1, lambda r: 1))
    late = [r for r in rows if r["promised_start"] and
            int(r["starting_time"]) > int(r["promised_start"])]
    case("%s: within limits" % name, rows and not late and peaks == (8, 12, 3),
         (peaks, len(late), done.stderr))


for policy in ("fcfs", "easy", "conservative", "pc", "dc", "relshare"):
    within(policy, "--policy", policy, "--check")
within("depth 5", "--policy", "depth", "--depth", "5")
within("easy, bestfit", "--backfill", "bestfit")
for order in ("lxf", "usage", "dominant", "relshare"):
    within("dc by %s" % order, "--policy", "dc", "--order", order)
within("pc by tree", "--policy", "pc", "--order", "tree", "--tree", tree)

# Of each user within a queue, of an account of the tree, of another resource.
def held_within(name, lines, peak, *args, trace=trace):
    path = file("k.csv", "kind,name,resource,amount", *lines)
    done = run("simulate", trace, "--limits", path, "--jobs-out", "-", *args)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    late = [r for r in rows if r["promised_start"] and
            int(r["starting_time"]) > int(r["promised_start"])]
    case("%s: within limits" % name, rows and not late and peak(rows),
         (len(rows), len(late), done.stderr))


for policy in ("easy", "pc"):
    held_within("users of a queue, %s" % policy, ("queue-user,*,processors,8",),
                lambda rows: most(rows, lambda r: (
                    r["user"], queue_of[r["job_id"]]), procs) == 8,
                "--policy", policy, "--check")
two = file("two.csv", "parent,name,shares,kind", "root,1,1,account",
           "1,2,1,account", "root,3,1,account",
           *("%d,%d,1,user" % (1 + user % 3, user) for user in range(1, 6)))
deep = file("deep.swf", *(" ".join(
    [*line.split()[:12], str(1 + int(line.split()[11]) % 3),
     *line.split()[13:]]) if line[0] != ";" else line for line in swf))
for policy in ("easy", "pc", "dc"):
    held_within(
        "accounts of a tree, %s" % policy,
        ("tree,1,processors,16", "tree,2,jobs,2"), lambda rows: (
            most([r for r in rows if int(r["user"]) % 3 != 2], lambda r: 1,
                 procs),
            most([r for r in rows if int(r["user"]) % 3 == 1], lambda r: 1,
                 lambda r: 1)) == (16, 2),
        "--policy", policy, "--order", "tree", "--tree", two, "--check",
        trace=deep)
held_within("each account of a tree", ("tree,*,processors,16",),
            lambda rows: most([r for r in rows if int(r["user"]) % 3 != 2],
                              lambda r: 1, procs) == 16,
            "--policy", "pc", "--order", "tree", "--tree", two, trace=deep)

asked = {}
lines = ["job_id,submit,run,procs,walltime,user,gpus"]
for line in swf[1:]:
    f = line.split()
    asked[f[0]] = random.choice((0, 0, 1, 2, 4))
    lines.append(",".join((f[0], f[1], f[3], f[4], f[8], f[11],
                           str(asked[f[0]]))))
gpus = file("gpus.csv", *lines)
with_gpus = file("mg.csv", "class,count,cpus,gpus", "a,4,8,4")
for plan in ("classes", "nodes"):
    held_within("gpus of %s" % plan, ("user,*,gpus,3", "user,4,gpus,8"),
                lambda rows: (
                    most([r for r in rows if r["user"] != "4"],
                         lambda r: r["user"], lambda r: asked[r["job_id"]]),
                    not any(asked[r["job_id"]] > 3 for r in rows
                            if r["user"] != "4"),
                    most([r for r in rows if r["user"] == "4"],
                         lambda r: 1, lambda r: asked[r["job_id"]])) ==
                (3, True, 8),
                "--policy", "pc", "--machine", with_gpus, "--plan", plan,
                "--check", trace=gpus)

# Of cost: a GPU is 1.5 processors.
billed = ("--machine", with_gpus, "--plan", "classes", "--billing",
          "cpus=1,gpus=1.5")


def cost(row):
    return procs(row) + 1.5 * asked[row["job_id"]]


for policy in ("easy", "dc", "sfs"):
    accounts = file("accounts.csv", "account,target", *(
        "%d,8" % user for user in range(1, 6)))
    held_within("cost under %s" % policy, ("user,*,cost,9.5",),
                lambda rows: (most(rows, lambda r: r["user"], cost) == 9.5 and
                              max(map(cost, rows)) == 9.5),
                "--policy", policy, "--check", *billed,
                *(("--accounts", accounts, "--account-field", "user")
                  if policy == "sfs" else ()), trace=gpus)

# Budgets: at each start, what ended jobs of the owner used and what its running
# jobs may use are within it, until it is lifted.
wall = {line.split()[0]: int(line.split()[8]) for line in swf[1:]}


def spends_within(name, amount, rate, *args, trace=trace, lines=None):
    path = file("b.csv", "kind,name,resource,amount",
                *(lines or ("user,*,budget,%d" % amount,)))
    done = run("simulate", trace, "--limits", path, "--jobs-out", "-", "--check",
               *args)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    told = done.stderr.replace("\n", " ").split("budgets kept ")
    lifted = int(told[1].split("from second ")[1].split()[0]) \
        if len(told) > 1 else 1 << 60
    worst, beyond = 0, 0
    jobs = collections.defaultdict(list)
    for r in rows:
        start, end = int(r["starting_time"]), int(r["finish_time"])
        jobs[r["user"]].append((start, end, -(-rate(r) * (end - start) // 1),
                                -(-rate(r) * wall[r["job_id"]] // 1)))
    for mine in jobs.values():
        for at, *_ in mine:
            beyond += at >= lifted
            if at < lifted:
                worst = max(worst, sum(
                    ran if end <= at else may_run
                    for start, end, ran, may_run in mine if start <= at))
    case("budgets, %s" % name, rows and worst <= amount and
         worst > amount * 3 / 4 and beyond and
         beyond == int(told[1].split()[0]), (worst, beyond, done.stderr))


for policy in ("fcfs", "easy", "conservative", "pc", "dc"):
    spends_within(policy, 100000, procs, "--policy", policy)
spends_within("dc by usage", 100000, procs, "--policy", "dc", "--order",
              "usage")
spends_within("cost under pc", 120000, cost, "--policy", "pc", *billed,
              trace=gpus)
spends_within("each with its own", 100000, procs, lines=(
    "user,*,budget,75000", *("user,%d,budget,100000" % user
                              for user in range(1, 6))))

for plan in ("classes", "nodes"):
    within(plan, "--policy", "conservative", "--machine", machine,
           "--plan", plan, "--check")
within("beside a window", "--policy", "pc", "--maintenance", window)

# Jobs of an unknown group have no limit; where groups share they are one group.
nobody = file("n.swf", "; MaxProcs: 16", *(
    "%d 0 -1 9 4 -1 -1 4 9 -1 1 1 %d -1 1 1 -1 -1" % (i, (-1, 3)[i > 2])
    for i in range(1, 5)))
group = file("g.csv", "kind,name,resource,amount", "group,*,jobs,1")
for args, starts in (("easy",), [0, 0, 0, 9]), (
        ("relshare", "--share-by", "group"), [0, 0, 9, 9]):
    done = run("simulate", nobody, "--limits", group, "--jobs-out", "-",
               "--policy", *args)
    case("unknown groups under %s" % args[0], sorted(
        int(r["starting_time"])
        for r in csv.DictReader(done.stdout.splitlines())) == starts,
         done.stdout + done.stderr)

# ---- names, and what is told ----

HEADER = ("JobIDRaw|User|Account|Partition|QOS|State|Submit|Start|End|"
          "TimelimitRaw|AllocCPUS")
sacct = file("s.txt", HEADER, *(
    "%d|%s|%s|%s|%s|COMPLETED|%d|%d|%d|10|4" % (
        i, ("ann", "bob")[i % 2], ("phys", "bio")[i % 2],
        ("cpu", "gpu")[i // 2 % 2], ("short", "long")[i // 4 % 2],
        i, 1000 * i, 1000 * i + 600) for i in range(1, 25)))
columns = {"user": lambda i: ("ann", "bob")[i % 2],
           "account": lambda i: ("phys", "bio")[i % 2],
           "partition": lambda i: ("cpu", "gpu")[i // 2 % 2],
           "qos": lambda i: ("short", "long")[i // 4 % 2]}
for kind, name in (("user", "ann"), ("account", "bio"), ("partition", "gpu"),
                   ("qos", "short")):
    one = file("one.csv", "kind,name,resource,amount",
               "%s,%s,processors,8" % (kind, name))
    rows = list(csv.DictReader(run(
        "simulate", sacct, "--limits", one, "--procs", "96", "--jobs-out",
        "-").stdout.splitlines()))
    owner = columns[kind]
    mine = [r for r in rows if owner(int(r["job_id"])) == name]
    others = [r for r in rows if owner(int(r["job_id"])) != name]
    case("%s %s" % (kind, name),
         most(mine, lambda r: 1, procs) == 8 and len(rows) == 24 and
         all(r["waiting_time"] == "0" for r in others))

# ---- what is wrong ----

for text, told, args in (
        ("user,*,gpus,3", "is none of jobs, processors, cost and budget, nor "
         "a resource of --machine with --plan", ()),
        ("user,*,cost,3", ":2: resource: 'cost' needs --billing", ()),
        ("user,*,cost,x", "'x' is no number from 0 to 2^30", billed),
        ("user,*,budget,1.5", "'1.5' is not an integer from 0 to 2^60", ()),
        ("qos-user,*,budget,1", ":2: kind: 'qos-user' has no budget", ()),
        ("users,*,jobs,3", "is none of user, group", ()),
        ("user,*,gpus,x", "'x' is no amount, such as 8 or 512G",
         ("--machine", with_gpus, "--plan", "classes")),
        ("tree,1,jobs,3", ":2: kind: 'tree' needs --order tree", ())):
    bad = file("bad.csv", "kind,name,resource,amount", text)
    done = run("simulate", trace, "--limits", bad, *args)
    case("%s is refused" % text, done.returncode == 2 and "%s:2" % bad
         in done.stderr and told in done.stderr.replace("\n", " "), done.stderr)
chain = file("chain.csv", "parent,name,shares,kind", "root,c0,1,account",
             *("c%d,c%d,1,account" % (i, i + 1) for i in range(9)))
levels = file("levels.csv", "kind,name,resource,amount", "tree,*,jobs,3")
done = run("simulate", trace, "--limits", levels, "--policy", "pc", "--order",
           "tree", "--tree", chain)
case("nine levels are refused", done.returncode == 2 and
     "more than 8 accounts" in done.stderr, done.stderr)

odd = file("odd.csv", "kind,name,resource,amount", "user,*,cpus,4",
           "user,carl,jobs,1")
done = run("simulate", sacct, "--limits", odd, "--procs", "96")
case("a name without jobs is told", "%s:3: name: no job is of 'carl'" % odd
     in done.stderr, done.stderr)
wide = file("wide.csv", "kind,name,resource,amount", "user,bob,cpus,3")
done = run("simulate", sacct, "--limits", wide, "--procs", "96")
case("jobs beyond a limit are counted",
     "dropped                 12 (beyond a limit of --limits 12)"
     in done.stdout, done.stdout)
done = run("why", sacct, "--limits", odd, "--procs", "96", "--at", "30",
           "--job", "12", "--policy", "pc")
spent = file("spent.csv", "kind,name,resource,amount", "user,bob,budget,5000")
told = run("why", sacct, "--limits", spent, "--procs", "96", "--at", "5000",
           "--job", "5", "--policy", "pc").stdout.replace("\n", " ")
case("why names the budget", "It asks for 2400 of the budget beside the 4800 used "
     "or reserved; that of its user is 5000" in told, told)
case("why names the limit", "which\nhas room after job" in done.stdout or "which has\nroom after job" in done.stdout,
     done.stdout + done.stderr)
done = run("whatif", sacct, "--limits", odd, "--procs", "96", "--at", "30",
           "--event", "capacity 8", "--policy", "pc")
case("whatif plans with limits", done.returncode == 0 and done.stdout,
     done.stdout + done.stderr)
done = run("compare", sacct, "--limits", odd, "--procs", "96",
           "--policies", "easy,pc")
case("compare", done.returncode == 0, done.stderr)

# ---- continued ----

for policy in ("easy", "pc"):
    saved = os.path.join(TMP.name, "saved")
    args = (trace, "--policy", policy, "--limits", limits)
    whole = run("simulate", *args).stdout
    run("simulate", *args, "--save", saved, "--save-at", "5000")
    case("%s goes on" % policy, whole and
         run("simulate", *args, "--load", saved).stdout == whole)
    done = run("simulate", trace, "--policy", policy, "--load", saved)
    case("%s: not without its limits" % policy, done.returncode != 0,
         done.stdout)

raise SystemExit(failed > 0)
