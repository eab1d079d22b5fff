#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""simulate --save and --load: a replay that is killed goes on from its file.

A replay of KTH is killed at random points, by SIGKILL, 200 times in all (24 with
TEST_LIGHT); the next one begins with the file that the last one left. When one
gets to the end, its summary and its rows are those of an undisturbed one, the
digest included. A file is also replaced once for each system call of its
writing, with a kill before that call: the file is the old one or the new one.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = next(p for p in ("tools/fairsched/fairsched", "build/fairsched")
               if os.access(p, os.X_OK))
SHARED = os.environ.get("FAIRSCHED_SHARED", "../shared")
KTH = os.path.join(SHARED, "traces", "KTH-SP2-1996-2.swf.gz")
SMALL = "tests/traces/users.swf"
KILLS = 24 if os.environ.get("TEST_LIGHT") else 200
EVERY = "499"
START = 1  # of enum saved_kind
POLICIES = (["easy"], ["conservative"], ["pc"], ["dc"], ["relshare"],
            ["depth", "--depth", "4"])
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print(f"ok {name}" if good else f"not ok {name}: {why}", flush=True)


def simulate(*arguments):
    return subprocess.run([PROGRAM, "simulate", *arguments], text=True,
                          capture_output=True)


def results(folder, *arguments):
    """The summary, and the rows of --jobs-out."""
    rows = os.path.join(folder, "rows.csv")
    summary = simulate(*arguments)
    if summary.returncode:
        return summary.stderr, ""
    again = simulate(*arguments, "--jobs-out", rows)
    with open(rows, encoding="ascii") as f:
        return summary.stdout + again.stderr, f.read()


def inode(path):
    try:
        return os.stat(path).st_ino
    except FileNotFoundError:
        return None


def kill(rng, state, arguments):
    """Kills a replay once it has saved; False if it ended before."""
    before = inode(state)
    load = ["--load", state] if before else []
    with subprocess.Popen([PROGRAM, "simulate", *arguments, "--save", state,
                           "--save-every", EVERY, *load],
                          stdout=subprocess.DEVNULL) as replay:
        while inode(state) == before and replay.poll() is None:
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.04))
        replay.send_signal(signal.SIGKILL)
        return replay.wait() == -signal.SIGKILL


def kill_and_go_on(folder, policy, kills, rng):
    """Kills, then the end: from the file that the last kill left."""
    state = os.path.join(folder, "state")
    arguments = [KTH, "--policy", *policy]
    whole = results(folder, *arguments)
    done = ends = 0
    good = True
    while done < kills:
        if kill(rng, state, arguments):
            done += 1
            continue
        good &= results(folder, *arguments, "--load", state) == whole
        ends += 1
        os.remove(state)
    if inode(state):
        good &= results(folder, *arguments, "--load", state) == whole
    case(f"{' '.join(policy)}: killed {done} times, "
         f"{ends} replays to the end between", good, "another schedule")
    if inode(state):
        os.remove(state)


def sealed(data):
    """With the checksum that it should have."""
    h = 0xcbf29ce484222325
    for byte in data[:-8]:
        h = (h ^ byte) * 0x100000001b3 % 2 ** 64
    return data[:-8] + h.to_bytes(8, "little")


def of_no_job(data):
    """The first start of a job is that of job 2^38."""
    at = next(i for i in range(64, len(data), 24) if data[i] & 3 == START)
    return sealed(data[:at + 5] + b"\1" + data[at + 6:])


def of_format(data, version):
    """The scheduler's checkpoint in it is of another format."""
    at = 64 + 24 * int.from_bytes(data[56:64], "little") + 8
    return sealed(data[:at] + bytes([version]) + data[at + 1:])


def larger(folder):
    """A file of more than 64 KiB, and no other trace."""
    swf, state = (os.path.join(folder, name) for name in ("swf", "large"))
    with open(swf, "w", encoding="ascii") as f:
        subprocess.run([PROGRAM, "generate", "--jobs", "2000"], check=True,
                       stdout=f, stderr=subprocess.DEVNULL)
    whole = simulate(swf, "--save", state, "--save-every", "3000").stdout
    case("more than 64 KiB", os.path.getsize(state) > 1 << 16,
         os.path.getsize(state))
    case("more than 64 KiB, loaded",
         whole == simulate(swf, "--load", state).stdout, "another schedule")


def refusals(folder):
    """Each is an error of the input, and says why."""
    state = os.path.join(folder, "small")
    made = simulate(SMALL, "--procs", "4", "--save", state, "--save-at", "5")
    case("saved", made.returncode == 0 and inode(state), made.stderr)
    with open(state, "rb") as f:
        checkpoint = f.read()
    other = os.path.join(folder, "other")
    middle = len(checkpoint) // 2
    for name, data, says in (
            ("torn", checkpoint[:middle], "truncated"),
            ("empty", b"", "not a saved simulation"),
            ("flipped", checkpoint[:middle] + bytes([checkpoint[middle] ^ 1]) +
             checkpoint[middle + 1:], "checksum"),
            ("another format", of_format(checkpoint, 3),
             "another version: format 3, this one reads 4"),
            ("another file format", sealed(
                checkpoint[:8] + b"\2" + checkpoint[9:]),
             "another version: format 2, this one reads 1"),
            ("a start of no job", of_no_job(checkpoint), "inconsistent"),
            ("foreign", b"; MaxProcs: 4\n", "not a saved simulation")):
        with open(other, "wb") as f:
            f.write(data)
        got = simulate(SMALL, "--procs", "4", "--load", other)
        case(name, got.returncode == 2 and says in got.stderr and
             other in got.stderr and not got.stdout, got.stderr)
    for name, arguments, says in (
            ("other policy", ["--procs", "4", "--policy", "fcfs", "--load",
                              state], "another config"),
            ("other machine", ["--procs", "5", "--load", state],
             "another trace"),
            ("no file", ["--load", os.path.join(folder, "none")], "No such"),
            ("save, but when", ["--save", other], "--save-at"),
            ("when, but no file", ["--save-at", "5"], "--save"),
            ("save to stdout", ["--save", "-", "--save-at", "5"], "file")):
        got = simulate(SMALL, *arguments)
        case(name, got.returncode == 2 and says in got.stderr, got.stderr)
    got = simulate(SMALL, "--procs", "4", "--save",
                   os.path.join(folder, "none", "f"), "--save-at", "5")
    case("no folder", got.returncode == 1 and "No such" in got.stderr,
         got.stderr)


def strace(*arguments):
    """What strace says of the program, whose calls go to the file log."""
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
    return subprocess.run(["strace", *arguments], text=True, env=environment,
                          capture_output=True).stderr


def kill_at_each_call(folder, option, *more):
    """Replaces the file of an option, and is killed before each call."""
    path = os.path.join(folder, "replaced")
    log = os.path.join(folder, "log")

    def command(n):
        return [PROGRAM, "simulate", SMALL, "--procs", "4", "--policy",
                ("easy", "fcfs")[n], option, path, *more]
    said = strace("-o", log, *command(0)) if shutil.which("strace") else "none"
    if not os.path.exists(path):
        print(f"skip {option}: killed at each call: strace cannot trace: "
              f"{said.strip()}")
        return
    with open(path, "rb") as f:
        old = f.read()
    strace("-o", log, *command(1))
    with open(path, "rb") as f:
        new = f.read()
    with open(log, encoding="ascii") as f:
        text = f.read()
    calls = re.findall(r"^(\w+)\(", text, re.M)
    first = text[:text.index(path + ".")].count("\n")
    found = []
    for i in range(first, len(calls)):
        with open(path, "wb") as f:
            f.write(old)
        strace("-o", log, "-e", f"inject={calls[i]}:signal=KILL:"
               f"when={calls[:i + 1].count(calls[i])}", *command(1))
        with open(path, "rb") as f:
            found.append(f.read())
    renamed = found.count(old)
    case(f"{option}: killed at each of {len(found)} calls", old != new and
         0 < renamed < len(found) and found == [old] * renamed +
         [new] * (len(found) - renamed), (renamed, calls[first:]))
    case(f"{option}: on the disk before it is renamed, and its folder after",
         "fsync" in calls[first:first + renamed] and
         "fsync" in calls[first + renamed:], calls[first:])


def main():
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        refusals(folder)
        larger(folder)
        kill_at_each_call(folder, "--save", "--save-at", "5")
        kill_at_each_call(folder, "--json")
        if os.path.exists(KTH):
            for i, policy in enumerate(POLICIES):
                kills = KILLS * (i + 1) // len(POLICIES)
                kills -= KILLS * i // len(POLICIES)
                kill_and_go_on(folder, policy, kills, rng)
        else:
            print(f"skip a replay of KTH is killed: no {KTH}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
