#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""The share due and the share got, by --jobs-out alone: each row of --shares-out, and
the deviations of simulate and compare, with equal shares, --shares and --tree.
"""

import collections
import csv
import json
import os
import random
import subprocess
import tempfile
from fractions import Fraction

PROGRAM = os.path.abspath(next(
    p for p in ("tools/fairsched/fairsched", "build/fairsched")
    if os.access(p, os.X_OK)))
TMP = tempfile.TemporaryDirectory()
DAY = 86400
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
    done = subprocess.run([PROGRAM, *args], text=True, capture_output=True)
    if done.returncode:
        case("fairsched " + " ".join(args), False, done.stderr)
    return done.stdout


# ---- the definition ----

def divide(amount, demand, shares):
    """In proportion to shares, to each at most its demand; the rest likewise."""
    due, left = {}, dict(demand)
    while left:
        part = {u: shares[u] for u in left}
        if not any(part.values()):
            part = {u: 1 for u in left}
        level = Fraction(amount) / sum(part.values())
        full = [u for u in left if part[u] and left[u] <= level * part[u]]
        if not full:
            due.update({u: level * part[u] for u in left})
            break
        for u in full:
            due[u] = Fraction(left.pop(u))
            amount -= due[u]
    return due


def below(amount, level, demand, tree):
    """The same from a level of the tree down; those of parent divide above it."""
    sums = {n: sum(d for u, d in demand.items()
                   if n in (u, *above(u, tree))) for n in tree
            if (above(n, tree) + ("",))[0] == level}
    sums = {n: s for n, s in sums.items() if s}
    due = divide(amount, sums, {n: tree[n][1] for n in sums})
    for n in sums:
        if n not in demand:
            due.update(below(due.pop(n), n, demand, tree))
    return due


def above(n, tree):
    """Accounts that divide shares, from a node up."""
    n, up = tree[n][0], ()
    while n:
        up += (n,) if tree[n][1] is not None else ()
        n = tree[n][0]
    return up


def windows(jobs, who):
    begin = min(j["submit"] for j in jobs)
    demand, got = (collections.defaultdict(collections.Counter)
                   for _ in range(2))
    for j in jobs:
        at = begin + (j["submit"] - begin) // DAY * DAY
        for a in range(at, j["end"], DAY):
            b = a + DAY
            left = j["end"] - min(max(j["start"], a), j["end"])
            can = min(left, b - max(j["submit"], a))
            demand[a][who(j)] += can * j["procs"]
            got[a][who(j)] += j["procs"] * max(
                0, min(j["end"], b) - max(j["start"], a))
    return {a: (+demand[a], got[a]) for a in sorted(demand) if +demand[a]}


def rows_of(jobs, who, due_of, group=lambda u: u):
    rows = {}
    for a, (demand, got) in windows(jobs, who).items():
        due = due_of(sum(got.values()), demand)
        for u in demand:
            row = rows.setdefault((a, group(u)), [0, 0, 0])
            row[0] += demand[u]
            row[1] += due[u]
            row[2] += got[u]
    return rows


def deviation(rows):
    got = sum(r[2] for r in rows.values())
    return float(sum(max(0, r[2] - r[1]) for r in rows.values()) / got)


# ---- what the command says ----

def measure(name, trace, args, users, accounts):
    """Users and accounts: functions from jobs to rows."""
    jobs_out, shares_out = (os.path.join(TMP.name, n) for n in "js")
    report = os.path.join(TMP.name, "json")
    said = run("simulate", trace, "--jobs-out", jobs_out, "--shares-out",
               shares_out, "--json", report, *args)
    group = {}
    with open(trace, encoding="utf-8") as f:
        for line in f:
            if not line.startswith(";"):
                group[line.split()[0]] = line.split()[12]
    with open(jobs_out, encoding="utf-8") as f:
        jobs = [{"submit": int(r["submission_time"]),
                 "start": int(r["starting_time"]),
                 "end": int(r["finish_time"]), "user": r["user"],
                 "group": group[r["job_id"]],
                 "procs": int(r["requested_number_of_resources"])}
                for r in csv.DictReader(f)]
    with open(shares_out, encoding="utf-8") as f:
        got = list(csv.DictReader(f))
    with open(report, encoding="utf-8") as f:
        summary = json.load(f)
    count = 0
    for kind, want in (("user", users(jobs)), ("account", accounts(jobs))):
        here = {(int(r["from"]), r["account"] + "/" + r["user"]): r for r in got
                if bool(r["user"]) == (kind == "user")}
        count += len(here)
        wrong = [k for k in set(want) | set(here) if k not in want or
                 k not in here or int(here[k]["demand"]) != want[k][0] or
                 abs(float(here[k]["due"]) - want[k][1]) > 0.002 or
                 int(here[k]["got"]) != want[k][2]]
        case(f"{name}: rows of each {kind}", not wrong and len(want) > 9,
             sorted(wrong)[:3])
        case(f"{name}: deviation of each {kind}",
             abs(summary[kind + "_share_deviation"] - deviation(want)) < 2e-6,
             (summary[kind + "_share_deviation"], deviation(want)))
        case(f"{name}: the summary, {kind}",
             f" {100 * deviation(want):.2f} %\n" in said, said)
    case(f"{name}: no other row", count == len(got))
    return summary


random.seed(41)
at, lines = 1000, ["; MaxProcs: 16"]
for i in range(700):
    at += random.choice((0, 60, 600, 2400, 7200)) if i else 0
    user = random.choice((0, 0, 0, 1, 1, 2, 3, 4, 5))
    length = random.choice((0, 300, 3600, 20000, 120000 if i % 9 == 0 else 60))
    lines.append(f"{i} {at} -1 {length} {random.choice((1, 2, 4, 8, 16))} -1 -1 "
                 f"-1 {length + 60} -1 1 {user} {user // 2} 1 -1 -1 -1 -1")
trace = file("trace.swf", *lines)
one = collections.defaultdict(lambda: 1)
by_user = lambda shares: lambda jobs: rows_of(
    jobs, lambda j: "/" + j["user"], lambda a, d: divide(a, d, shares))
by_group = lambda shares: lambda jobs: rows_of(
    jobs, lambda j: j["group"] + "/", lambda a, d: divide(a, d, shares))
for policy in ("fcfs", "dc"):
    measure(f"equal, {policy}", trace, ("--policy", policy), by_user(one),
            by_group(one))
some = collections.defaultdict(lambda: 1, {"/0": 5, "/3": 0, "/5": 0})
measure("--shares", trace,
        ("--shares", file("shares.csv", "user,shares", "0,5", "3,0", "5,0")),
        by_user(some), by_group(one))
some = collections.defaultdict(lambda: 1, {"0/": 3})
measure("--share-by group", trace,
        ("--share-by", "group", "--shares",
         file("groups.csv", "user,shares", "0,3")), by_user(one),
        by_group(some))

# Accounts 0 and 1 are below one, which has 1 share more than account 2 has; account
# 1 has no share of its own, so that its users divide with account 0.
tree = {"lab": ("", 3), "0": ("lab", 2), "1": ("lab", None), "2": ("", 2),
        "0/0": ("0", 1), "0/1": ("0", 4), "1/2": ("1", 1), "1/3": ("1", 2),
        "2/4": ("2", 0), "2/5": ("2", 1)}
planted = file("tree.csv", "parent,name,kind,shares", *(
    f"{parent or 'root'},{name.split('/')[-1]},"
    f"{'user' if '/' in name else 'account'},"
    f"{'parent' if shares is None else shares}"
    for name, (parent, shares) in tree.items()))
leaves = lambda jobs, group: rows_of(
    jobs, lambda j: j["group"] + "/" + j["user"],
    lambda a, d: below(a, "", d, tree), group)
for order in ("fcfs", "tree"):
    measure(f"--tree, order {order}", trace, ("--tree", planted, "--order", order),
            lambda jobs: leaves(jobs, lambda u: u),
            lambda jobs: leaves(jobs, lambda u: u.split("/")[0] + "/"))

# A measured period is cut into its own days, and jobs outside of it count there.
whole = run("simulate", trace, "--shares-out", "-").splitlines()[1:]
part = run("simulate", trace, "--from", str(1000 + 2 * DAY), "--to",
           str(1000 + 4 * DAY + 500), "--shares-out", "-").splitlines()[1:]
early = [row for row in whole
         if 1000 + 2 * DAY <= int(row.split(",")[0]) < 1000 + 4 * DAY]
case("a period", early and [row for row in part if row in early] == early)
case("and its last day is short", {row.split(",")[0] for row in part} ==
     {str(1000 + k * DAY) for k in (2, 3, 4)})

# compare has the same, and what the log recorded.
for i, line in enumerate(lines[1:], 1):
    lines[i] = line.replace(" -1 ", " 4000 ", 1)
trace = file("waits.swf", *lines)
out = os.path.join(TMP.name, "csv")
said = run("compare", trace, "--policies", "easy,dc", "--csv", out)
with open(out, encoding="utf-8") as f:
    rows = list(csv.DictReader(f))
for row in rows:
    off = [row[k + "_share_deviation"] for k in ("user", "account")]
    if row["policy"] != "recorded":
        summary = json.loads(run("simulate", trace, "--policy", row["policy"],
                                 "--json", "-"))
        case("compare: " + row["policy"], off == [
            f"{summary[k + '_share_deviation']:.6f}"
            for k in ("user", "account")], off)
    table = said[said.index("\nfair share"):].splitlines()
    shown = next(line for line in table if line.startswith(row["policy"]))
    case("the table: " + row["policy"], shown.split()[1:] == [
        f"{100 * float(x):.2f}" for x in off], shown)
case("recorded, too", [r["policy"] for r in rows] == ["easy", "dc", "recorded"])

raise SystemExit(failed > 0)
