#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""One turn of tools/soak.sh with programs: python3 tools/soak.py DIR SEED TURN

It draws a trace and rules, and simulates them once without a break and once with
repeated kills, after each of which --save continues: rows and digest are the
same. The command refuses a truncated or changed file.

fairsched-slurm schedules a simulated cluster (slurm/fake.py). Jobs arrive, end,
are cancelled, held and modified; starts fail, nodes go down and come up, squeue
fails, the daemon is killed, its state is damaged. The daemon never releases more
jobs than fit and refuses a damaged state; after the faults, every job runs.

SEED and TURN determine everything except for the time of a kill. It prints
nothing unless a check fails; then the exit status is 1.
"""

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/slurm")
sys.dont_write_bytecode = True
import fake  # noqa: E402

RULES = (
    "fcfs", "easy", "depth --depth 4", "conservative", "pc", "pc --order sjf",
    "dc", "dc --order widest", "relshare", "relshare --shares shares.csv",
    "relshare --no-expected --window 6h", "sfs --accounts accounts.csv",
    "sfs --accounts accounts.csv --depth 3 --order lxf",
    "maui --config maui.cfg", "easy --order usage --half-life 3d",
    "easy --order usage --machine machine.csv", "easy --order lxf",
    "easy --order linear --weight 10m", "easy --backfill greedy",
    "depth --backfill bestfit --metric seconds --longest --depth 2",
    "depth --order priority --config maui.cfg")
MAUI = """FSPOLICY DEDICATEDPS
FSINTERVAL 6:00:00
FSDECAY 0.8
FSWEIGHT 1
FSUSERWEIGHT 10
USERCFG[DEFAULT] FSTARGET=20
USERCFG[3] MAXPROC=%d PRIORITY=500
USERCFG[4] FSTARGET=30-
USERWEIGHT 1
XFACTORWEIGHT 20
BACKFILLPOLICY BESTFIT
RESERVATIONDEPTH 2
"""


class Wrong(Exception):
    pass


def check(good, *why):
    if not good:
        raise Wrong(*why)


def write(path, data, mode="w"):
    with open(path, mode) as f:
        f.write(data)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write_files(folder, procs):
    write(folder + "/shares.csv", "user,shares\n1,5\n2,3\n3,1\n")
    write(folder + "/accounts.csv", "account,target\n" + "".join(
        f"{user},{procs // 8 * (user % 3 + 1)}\n" for user in range(1, 10)))
    write(folder + "/maui.cfg", MAUI % procs)
    write(folder + "/machine.csv", "class,count,cpus,ram\n"
          f"big,1,{procs},64G\nsmall,{procs},1,2G\n")


def damaged(r, data):
    """Returns the bytes truncated or with a flipped bit."""
    at = r.randrange(len(data))
    if r.random() < 0.5:
        return data[:at]
    return data[:at] + bytes([data[at] ^ 1 << r.randrange(8)]) + data[at + 1:]


# ---- the simulator ----

def draw_trace(r, program, path, procs):
    jobs = r.choice((100, 400, 1500))
    text = subprocess.run(
        [program, "generate", "--jobs", str(jobs), "--procs", str(procs),
         "--seed", str(r.randrange(1 << 31)), "--load",
         str(r.choice((0.6, 0.9, 1.1))), "--overestimate",
         str(r.choice((1, 2, 10)))], check=True, text=True,
        capture_output=True).stdout
    lines = []
    for line in text.splitlines():
        f = line.split()
        if not line.startswith(";"):
            f[11], f[12], f[14] = (str(r.randint(1, most)) for most in
                                   (9, 3, 4))
            line = " ".join(f)
        lines.append(line)
    write(path, "\n".join(lines) + "\n")


def soak_simulator(r, program, folder):
    procs = r.choice((32, 64, 256))
    draw_trace(r, program, folder + "/trace.swf", procs)
    write_files(folder, procs)
    rules = r.choice(RULES).split()

    def simulate(*more, kill=None):
        p = subprocess.Popen(
            [program, "simulate", "trace.swf", "--policy", *rules, *more],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True)
        try:
            out, error = p.communicate(timeout=kill)
        except subprocess.TimeoutExpired:
            p.kill()
            out, error = p.communicate()
        return p.returncode, out, error

    began = time.time()
    status, whole, error = simulate("--jobs-out", "whole.csv")
    took = time.time() - began
    check(status == 0, rules, error)
    status, whole, error = simulate()
    check(status == 0, rules, error)
    saved = folder + "/saved"
    every = str(r.choice((1, 17, 101, 499)))
    for _ in range(r.randint(1, 5)):
        go_on = ("--load", "saved") if os.path.exists(saved) else ()
        status, _, error = simulate("--save", "saved", "--save-every", every,
                                    *go_on, kill=took * r.random() * 2)
        check(status in (0, -9), rules, status, error)
    if os.path.exists(saved):
        write(folder + "/bad", damaged(r, read(saved)), "wb")
        status, _, error = simulate("--load", "bad", "--jobs-out", "bad.csv")
        check(status == 2 and "bad" in error and
              not os.path.exists(folder + "/bad.csv"), rules, status, error)
    go_on = ("--load", "saved") if os.path.exists(saved) else ()
    status, out, error = simulate(*go_on)
    check(status == 0 and out == whole, rules, whole, out, error)
    status, out, error = simulate("--jobs-out", "again.csv", *go_on)
    check(status == 0 and read(folder + "/whole.csv") ==
          read(folder + "/again.csv"), rules, "other rows")


# ---- the daemon ----

class Cluster:
    """A cluster as squeue, sinfo and scontrol show it."""

    def __init__(self, r, program, rules):
        words = rules.split()
        settings = [f"policy = {words[0]}", "account = 1", "patience = 5s",
                    "retry = 1s"]
        for word in words[1:]:
            if word.startswith("--"):
                settings.append(word[2:])
            else:
                settings[-1] += " = " + word
        self.r, self.site = r, fake.Site(program, *settings)
        write_files(self.site.folder, 32)
        self.procs, self.jobs, self.numbers = 32, {}, 0

    def busy(self):
        return sum(j["procs"] for j in self.jobs.values()
                   if j["at"] in ("released", "running"))

    def add(self):
        self.numbers += 1
        user = self.r.randint(1, 9)
        self.jobs[self.numbers] = {
            "at": "held", "procs": self.r.choice((1, 2, 4, 8, 16, 32)),
            "limit": f"{self.r.randint(1, 90)}:00", "user": user,
            "name": str(user), "account": str(self.r.randint(1, 9)),
            "submit": int(time.time())}

    def happen(self):
        """Plays one event, perhaps a fault."""
        what = self.r.randrange(12)
        number = self.r.choice(list(self.jobs) or [0])
        j = self.jobs.get(number)
        if what < 5 or not j:
            self.add()
        elif what == 5:
            del self.jobs[number]
        elif what == 6 and j["at"] == "held":
            j["at"] = "admin"
        elif what == 6 and j["at"] == "admin":
            j["at"] = "held"
        elif what == 7:
            j["limit"] = f"{self.r.randint(1, 90)}:00"
        elif what == 8 and j["at"] == "held":
            j["procs"] = self.r.choice((1, 3, 5, 33))
        elif what == 9 and j["at"] == "running":
            j.update(at="held", submit=int(time.time()) + 1)  # a requeue
        elif what == 10:
            self.procs = self.r.choice((0, 8, 24, 32))
        elif what == 11:
            self.end(0.5)

    def end(self, share):
        for n in [n for n, j in self.jobs.items() if j["at"] == "running"]:
            if self.r.random() < share:
                del self.jobs[n]

    def records(self):
        for n, j in self.jobs.items():
            more = {k: j[k] for k in ("limit", "user", "name", "account",
                                      "submit")}
            if j["at"] == "running":
                yield fake.runs(n, j["procs"], **more)
            elif j["at"] == "released":
                yield fake.job(n, j["procs"], priority=5, reason="Resources",
                               **more)
            else:
                yield fake.job(n, j["procs"], reason="JobHeldAdmin" if
                               j["at"] == "admin" else "JobHeldUser", **more)

    def obey(self, start):
        """Obeys the calls of scontrol, except for some starts."""
        fresh = False
        for line in self.site.read("told").splitlines():
            verb, *names = line.split()
            for n in map(int, names):
                j = self.jobs[n]
                if verb == "uhold":
                    check(j["at"] == "released", "held", n, j)
                    j["at"] = "held"
                else:
                    check(j["at"] == "held", "released", n, j)
                    j["at"] = "released"
                    fresh = True
        check(not fresh or self.busy() <= self.procs, "too many", self.jobs,
              self.procs, self.site.read("told"))
        for j in self.jobs.values():
            if j["at"] == "released" and self.r.random() < start:
                j["at"] = "running"

    def cycle(self, kill=None):
        s = self.site
        s.write("nodes", f"0/{self.procs}/{32 - self.procs}/32\n")
        s.write("queue", "".join(self.records()))
        s.write("told", "")
        try:
            done = s.call("run", "--once", timeout=kill)
        except subprocess.TimeoutExpired:
            return
        good = done.returncode == 0 or "no node is up" in done.stderr
        check(good, done.returncode, done.stderr)
        said = s.call("status")
        check(said.returncode == 0 or not self.procs, said.stderr)

    def spoil(self):
        """The daemon refuses a damaged state and calls no scontrol."""
        s = self.site
        if not os.path.exists(s.folder + "/state"):
            return
        whole = read(s.folder + "/state")
        write(s.folder + "/state", damaged(self.r, whole), "wb")
        s.write("told", "")
        done = s.call("run", "--once")
        check(done.returncode == 1 and not s.read("told"), "damaged",
              done.returncode, done.stderr, s.read("told"))
        write(s.folder + "/state", whole, "wb")

    def fail(self):
        s = self.site
        s.write("squeue", "#!/bin/sh\ncat queue; exit 1\n")
        s.write("told", "")
        done = s.call("run", "--once")
        check(done.returncode == 1 and not s.read("told"), "squeue failed",
              done.stderr, s.read("told"))
        s.write("squeue", "#!/bin/sh\n" + fake.SCRIPTS["squeue"] + "\n")


def soak_daemon(r, program):
    c = Cluster(r, program, r.choice(RULES))
    try:
        for _ in range(40):
            for _ in range(r.randint(1, 4)):
                c.happen()
            fault = r.randrange(12)
            if fault == 0:
                c.spoil()
            elif fault == 1:
                c.fail()
            else:
                c.cycle(kill=r.random() * 0.1 if fault < 5 else None)
                c.obey(start=0.8)
        c.procs = 32
        for j in c.jobs.values():
            j["at"] = "held" if j["at"] == "admin" else j["at"]
            j["procs"] = min(j["procs"], 32)
        end = time.time() + 60
        while c.jobs and time.time() < end:
            c.cycle()
            c.obey(start=1)
            c.end(1)
            if not any(j["at"] != "held" for j in c.jobs.values()):
                time.sleep(0.5)
        check(not c.jobs, "they do not run:", c.jobs, c.site.read("conf"),
              c.site.call("status").stdout)
    finally:
        shutil.rmtree(c.site.folder)


def main():
    programs, seed, turn = sys.argv[1:]
    r = random.Random(f"{seed} {turn}")
    programs = os.path.abspath(programs)
    folder = tempfile.mkdtemp()
    try:
        soak_simulator(r, programs + "/fairsched", folder)
        soak_daemon(r, programs + "/fairsched-slurm")
    except Wrong as why:
        print("not ok:", *why.args, sep="\n  ")
        sys.exit(1)
    finally:
        shutil.rmtree(folder)


main()
