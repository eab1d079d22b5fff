#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Records how a real Slurm ranks random trees: tests/golden/fairtree_slurm.txt.

    python3 tools/slurm/fairtree_oracle.py [--trees N] [--plugins FOLDER] >FILE
    python3 tools/slurm/fairtree_oracle.py --join FILE OTHER >BOTH

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
"""

import argparse
import random
import signal
import socket
import struct
import subprocess
import sys
import time
from fractions import Fraction

from accounts import Accounts

PROTOCOL = 38 << 8  # of Slurm 22.05
PARENT = 0x7fffffff


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
    args = parser.parse_args()
    if args.join:
        return join(args.join)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    more = f"PluginDir={args.plugins}" if args.plugins else ""
    r = random.Random(24)
    trees = [draw_tree(r) for _ in range(args.trees)]
    for i in range(0, args.trees, args.batch):
        with Accounts(more) as c:
            record(c, trees[i:i + args.batch])
            version = c.run("sshare", "--version").strip()
    print(f"# {version}: tools/slurm/fairtree_oracle.py says what a line is")
    for tree in trees:
        print(*tree)


main()
