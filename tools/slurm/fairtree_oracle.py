#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Records how a real Slurm ranks random trees: tests/golden/fairtree_slurm.txt.

    python3 tools/slurm/fairtree_oracle.py [--trees N] [--plugins FOLDER] >FILE
    python3 tools/slurm/fairtree_oracle.py --join FILE OTHER >BOTH
    python3 tools/slurm/fairtree_oracle.py --jobs FOLDER

It runs slurmdbd on a MariaDB of its own, loads all trees as accounts of one
cluster by sacctmgr, writes their usages into the controller's saved association
usage, starts slurmctld without decay, and reads the ranks from sshare. Packages
of Debian 12: slurmctld slurmdbd slurm-client munge mariadb-server.

Each tree is an account below one of its own, whose shares make it tie with no
other, so that the ranks of its users follow each other. A line is a tree, and a
word of it a node, by number:

    aPARENT:SHARES                account; the parent of - is the tree
    uPARENT:SHARES:USAGE:RANK     user; the rank from the number of users down

Shares of p are `parent`. With --plugins Slurm finds its plugins in that folder:
those of the package, but for a priority/multifactor that was built from the
package's source with one line of fair_tree.c corrected. In _count_tied_accounts(),
"if (!next_assoc->user)" leaves the loop at the first account, where its comment
means the first user. --join adds OTHER's ranks where they differ: RANK/RANK.

--jobs, as root, charges one small tree by jobs that run, of users that each Debian has,
and writes to FOLDER what sacct, sacctmgr and sshare say of them: sacct.txt, assoc.txt,
sshare.txt. tests/command/usage_command_test.py compares. Slurm charges a job at its end only if it
enforces limits; otherwise only what it ran until the last PriorityCalcPeriod.
"""

import argparse
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import time
from fractions import Fraction

import cluster

PROTOCOL = 38 << 8  # of Slurm 22.05
PARENT = 0x7fffffff
ACCOUNTING = """AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={dbd}
AccountingStoragePass={{folder}}/munge.sock
AccountingStorageEnforce=limits
PriorityType=priority/multifactor
PriorityWeightFairshare=1000
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=NONE
PriorityCalcPeriod={minutes}
{plugins}"""
DBD = """AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={dbd}
SlurmUser={user}
LogFile={folder}/slurmdbd.log
PidFile={folder}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={sql}
StorageUser={user}
StorageLoc=slurm_acct_db
"""


class Node:
    def __init__(self, kind, parent, shares, usage=0):
        self.kind, self.parent, self.shares = kind, parent, shares
        self.usage, self.rank = usage, 0

    def __str__(self):
        parent = "-" if self.parent is None else self.parent
        shares = "p" if self.shares == PARENT else self.shares
        if self.kind == "a":
            return f"a{parent}:{shares}"
        return f"u{parent}:{shares}:{self.usage}:{self.rank}"


def add_twin(r, tree):
    """An account beside one that has used as much: they tie."""
    users = {i: [n for n in tree if n.parent == i and n.kind == "u"]
             for i, n in enumerate(tree) if n.kind == "a"}
    users = {i: below for i, below in users.items() if below and
             not any(n.parent == i and n.kind == "a" for n in tree)}
    if not users:
        return
    i, below = r.choice(list(users.items()))
    shares = [n.shares for n in below]
    r.shuffle(shares)
    tree.append(Node("a", tree[i].parent, tree[i].shares))
    tree.extend([Node("u", len(tree) - 1, s, n.usage)
                 for s, n in zip(shares, below)])


def draw_tree(r):
    """Few different shares and usages, so that there are ties."""
    shares = r.choice(((1,), (1, 2), (0, 1, 1, 2, 3, 5, PARENT),
                       (1, 1, 1, PARENT), (1, 3, 7, 10, 49)))
    usages = r.choice(((0, 1), (0, 1, 2, 3), (1, 3, 10, 30, 49, 70),
                       (0, 1000003, 3000009, 86400)))
    tree = []
    for _ in range(r.randint(2, 12)):
        accounts = [None] + [i for i, n in enumerate(tree) if n.kind == "a"]
        kind = "a" if r.random() < 0.4 else "u"
        tree.append(Node(kind, r.choice(accounts), r.choice(shares),
                         r.choice(usages) if kind == "u" else 0))
    while len(tree) < 12 and r.random() < 0.6:
        add_twin(r, tree)
    return tree


class Accounts(cluster.Cluster):
    """A cluster whose accounting runs in its folder, too."""

    def __init__(self, plugins, minutes=60):
        first = cluster.free_ports(2)
        self.ports = {"dbd": first, "sql": first + 1}
        super().__init__(nodes=1, lua=False, accounting=ACCOUNTING.format(
            plugins=f"PluginDir={plugins}" if plugins else "", minutes=minutes,
            **self.ports))
        path = f"{self.folder}/slurm.conf"
        conf = open(path).read().replace("{folder}", self.folder)
        open(path, "w").write(conf)
        user = subprocess.check_output(["id", "-un"], text=True).strip()
        path = f"{self.folder}/slurmdbd.conf"
        with open(path, "w") as f:
            os.chmod(path, 0o600)
            f.write(DBD.format(folder=self.folder, user=user,
                               host=socket.gethostname().partition(".")[0],
                               **self.ports))

    def listens(self, port):
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self.ports[port])) == 0

    def __enter__(self):
        try:
            self.start_accounting()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start_accounting(self):
        user = subprocess.check_output(["id", "-un"], text=True).strip()
        data = f"{self.folder}/sql"
        self.run("mariadb-install-db", "--no-defaults", f"--user={user}",
                 f"--datadir={data}", "--auth-root-authentication-method="
                 "normal", f"--tmpdir={self.folder}",
                 stdout=subprocess.DEVNULL)
        self.daemon("mariadbd", "--no-defaults", f"--user={user}",
                    f"--datadir={data}", "--skip-grant-tables",
                    f"--socket={self.folder}/sql.sock",
                    f"--pid-file={self.folder}/sql.pid",
                    f"--tmpdir={self.folder}",
                    "--bind-address=127.0.0.1", f"--port={self.ports['sql']}",
                    "--innodb-lock-wait-timeout=900",
                    "--innodb-flush-log-at-trx-commit=0")
        self.wait(lambda: self.listens("sql"), "mariadbd")
        self.munge()
        self.daemon("slurmdbd", "-D")
        self.wait(lambda: self.listens("dbd"), "slurmdbd")

    def start_controller(self):
        self.controller = self.daemon("slurmctld", "-D")
        self.wait(lambda: "fairsched" in self.run("sshare", "-h", "-P", "-o",
                  "cluster", check=False), "slurmctld", 300)


def name(tree, node):
    """Sorted by number: Slurm lists associations by name in places."""
    return f"t{tree:04}" if node is None else f"t{tree:04}n{node:02}"


def association(kind, who, shares):
    more = ":DefaultAccount='%s'" % who[:5] if kind == "User" else \
        ":Description='x':Organization='x'"
    return f"{kind} - '{who}'{more}:Fairshare={shares}\n"


def dump(trees, shares):
    """The file that sacctmgr loads: parents before their children."""
    text = "Cluster - 'fairsched':Fairshare=1:QOS='normal'\nParent - 'root'\n"
    text += "User - 'root':DefaultAccount='root':Fairshare=1\n"
    for t, s in enumerate(shares):
        text += f"Account - 'o{t:04}':Description='x':Organization='x':" \
                f"Fairshare={s}\n"
    for t, tree in enumerate(trees):
        text += f"Parent - 'o{t:04}'\n" + \
            association("Account", name(t, None), 1) + \
            f"User - 'd{t:04}':DefaultAccount='o{t:04}':Fairshare=1\n"
        todo = [None]
        while todo:
            parent = todo.pop(0)
            below = [(i, n) for i, n in enumerate(tree) if n.parent == parent]
            if not below:
                continue
            text += f"Parent - '{name(t, parent)}'\n"
            for i, n in below:
                text += association("Account" if n.kind == "a" else "User",
                                    name(t, i), n.shares).replace(
                    f"DefaultAccount='{name(t, None)}'",
                    f"DefaultAccount='{name(t, parent)}'")
                if n.kind == "a":
                    todo.append(i)
    return text


def usage_file(usage, ids):
    """The controller's assoc_usage: of each user an integer, as text."""
    def packed(text):
        data = text.encode() + b"\0"
        return struct.pack(">I", len(data)) + data
    out = struct.pack(">HQ", PROTOCOL, int(time.time()))
    for user, used in usage.items():
        out += struct.pack(">I", ids[user]) + packed(f"{used}.000000") + \
            packed("") + struct.pack(">I", 0)
    return out


def distinct(trees):
    """The usage of each tree's other user and the shares of both together, so
    that they tie with nothing."""
    seen, others, shares = set(), [], []
    for t, tree in enumerate(trees):
        used = sum(n.usage for n in tree)
        other = used + t % 3 + 1
        s = 1
        while Fraction(s, used + other) in seen:
            s += 1
        seen.add(Fraction(s, used + other))
        others.append(other)
        shares.append(s)
    return others, shares


def record(c, trees):
    others, shares = distinct(trees)
    with open(f"{c.folder}/dump", "w") as f:
        f.write(dump(trees, shares))
    c.run("sacctmgr", "-i", "load", f"{c.folder}/dump", "clean")
    rows = c.run("sacctmgr", "-n", "-P", "show", "assoc",
                 "format=user,account,id").split()
    ids = {user: int(number) for user, _, number in
           (row.split("|") for row in rows) if user}
    usage = {f"d{t:04}": used for t, used in enumerate(others)}
    for t, tree in enumerate(trees):
        usage.update((name(t, i), n.usage) for i, n in enumerate(tree)
                     if n.kind == "u")
    with open(f"{c.folder}/ctld/assoc_usage", "wb") as f:
        f.write(usage_file(usage, ids))
    c.start_controller()
    time.sleep(5)
    factor = {}
    for row in c.run("sshare", "-a", "-n", "-P", "-l", "-o",
                     "user,rawusage,fairshare").splitlines():
        user, used, fairshare = row.split("|")
        if user:
            factor[user] = float(fairshare)
            assert int(used) == usage.get(user, 0), row
    # Slurm may count more users than it shows; factors have 6 decimals.
    count = next(n for n in range(len(factor), len(factor) + 9)
                 if all(abs(f * n - round(f * n)) < .01
                        for f in factor.values()))
    for t, tree in enumerate(trees):
        users = [(i, n) for i, n in enumerate(tree) if n.kind == "u"]
        for i, n in users:
            n.rank = round(factor[name(t, i)] * count)
        best = max((n.rank for _, n in users), default=0)
        for _, n in users:
            n.rank += len(users) - best


# What sacctmgr loads; then jobs: account, user, processors, seconds.
SMALL = """Cluster - 'fairsched':Fairshare=1:QOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':Fairshare=1
Account - 'science':Description='x':Organization='x':Fairshare=3
Account - 'arts':Description='x':Organization='x':Fairshare=1
Parent - 'science'
Account - 'physics':Description='x':Organization='x':Fairshare=2
User - 'daemon':DefaultAccount='science':Fairshare=1
Parent - 'physics'
User - 'bin':DefaultAccount='physics':Fairshare=1
User - 'sys':DefaultAccount='physics':Fairshare=3
Parent - 'arts'
User - 'games':DefaultAccount='arts':Fairshare=1
User - 'man':DefaultAccount='arts':Fairshare=1
"""
JOBS = (("science", "daemon", 1, 20), ("physics", "bin", 2, 15),
        ("physics", "sys", 1, 30), ("arts", "games", 2, 25),
        ("physics", "bin", 1, 10))


def run_jobs(c, folder):
    with open(f"{c.folder}/dump", "w") as f:
        f.write(SMALL)
    c.run("sacctmgr", "-i", "load", f"{c.folder}/dump", "clean")
    c.start_controller()
    c.daemon("slurmd", "-D", "-N", "n1")
    c.wait(lambda: c.idle() == 1, "an idle node")
    for account, user, procs, seconds in JOBS:
        c.run("sbatch", f"--uid={user}", "-A", account, "-n", str(procs), "-t",
              "2", "-D", "/tmp", "-o", "/dev/null", "--wrap",
              f"sleep {seconds}")
    c.wait(lambda: not c.run("squeue", "-h").strip(), "end of all jobs")
    c.wait(lambda: c.run("sacct", "-a", "-X", "-n", "-P", "-o", "state")
           .count("COMPLETED") == len(JOBS), "record of all jobs")
    time.sleep(90)  # more than PriorityCalcPeriod
    for name, command in (
            ("sacct", ("sacct", "-a", "-P", "-S", "2000-01-01", "-o",
                       "JobIDRaw,User,Account,Partition,State,Submit,Start,"
                       "End,TimelimitRaw,AllocCPUS,ReqTRES")),
            ("assoc", ("sacctmgr", "-P", "show", "assoc", "format=cluster,"
                       "account,user,share,parentname")),
            ("sshare", ("sshare", "-a", "-P", "-o", "account,user,rawshares,"
                        "rawusage,fairshare"))):
        with open(f"{folder}/{name}.txt", "w") as f:
            f.write(c.run(*command))


def join(files):
    with open(files[0]) as f, open(files[1]) as g:
        for line, other in zip(f, g):
            words = zip(line.split(), other.split())
            print(*(a if a == b or line[0] == "#" else
                    a + "/" + b.rpartition(":")[2] for a, b in words))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trees", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=100,
                        help="trees of one cluster: slurmdbd takes the square")
    parser.add_argument("--plugins", help="a folder with plugins of Slurm")
    parser.add_argument("--join", nargs=2)
    parser.add_argument("--jobs", metavar="FOLDER")
    args = parser.parse_args()
    if args.join:
        return join(args.join)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if args.jobs:
        os.makedirs(args.jobs, exist_ok=True)
        os.environ["SLURM_TIME_FORMAT"] = "%s"
        with Accounts(args.plugins, minutes=1) as c:
            return run_jobs(c, args.jobs)
    r = random.Random(24)
    trees = [draw_tree(r) for _ in range(args.trees)]
    for i in range(0, args.trees, args.batch):
        with Accounts(args.plugins) as c:
            record(c, trees[i:i + args.batch])
            version = c.run("sshare", "--version").strip()
    print(f"# {version}: tools/slurm/fairtree_oracle.py says what a line is")
    for tree in trees:
        print(*tree)


main()
