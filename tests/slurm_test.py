#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""fairsched-slurm with a real Slurm: slurmctld and eight slurmds of 4
processors on loopback, started and stopped here. It takes two to three
minutes, nearly all of them waiting; tools/test.sh runs it beside the other tests.

Promises: conservative, jobs of about a minute, two of which use their whole
limit; the daemon is killed in the middle. Each must start when it was promised
at the latest, by Slurm's own clock, but for SLACK seconds that Slurm takes.

Occupancy: sfs, an account that stuffs the queue and one that does not, a node
that goes down and comes up, a job that is requeued.

Sweeps: compare and fair start times as job arrays; one task is killed.

Numbers: how long from release to start, by Slurm's log, and how long to read
and schedule 10,000 jobs of a real queue.
"""

import filecmp
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, "tools/slurm")
sys.dont_write_bytecode = True
import cluster  # noqa: E402

PROGRAM = cluster.PROGRAM
COMMAND = os.path.abspath("build/fairsched")
MARGIN = 50  # Slurm looks at limits every 30 s; KillWait is 5 s here
SLACK = 5    # seconds from a release to a start, if the machine is busy
MANY = 10000
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why, flush=True)


def submit(c, procs, seconds, account="a", minutes=1):
    out = c.run("sbatch", "-n", str(procs), "-t", str(minutes), "-A", account,
                "-o", "/dev/null", "--wrap", f"exec sleep {seconds}", cwd="/")
    return out.split()[-1]


def states(c):
    out = c.run("squeue", "-h", "-a", "-o", "%i %t %Q %r")
    return {w[0]: w[1:] for w in map(str.split, out.splitlines())}


def wait(c, ready, what, seconds):
    end = time.time() + seconds
    while not ready():
        if time.time() > end:
            case(what, False, states(c))
            for name in os.listdir(c.folder):
                if name.endswith(".log"):
                    print(name, open(f"{c.folder}/{name}").read()[-3000:])
            raise SystemExit(1)
        time.sleep(0.2)


# ---- promises ----

def test_promises(c):
    jobs = [submit(c, 16, 300),                # its whole limit
            submit(c, 12, 20),
            submit(c, 24, 8),                  # behind the first
            submit(c, 4, 300),                 # its whole limit
            submit(c, 8, 5, minutes=2),
            submit(c, 32, 5),
            submit(c, 4, 30), submit(c, 2, 10), submit(c, 1, 25)]
    gone = submit(c, 30, 5)
    jobs += [submit(c, 16, 10, minutes=3), submit(c, 3, 10)]
    time.sleep(1)
    case("born held", set(states(c)) == {*jobs, gone} and all(
        s[1] == "0" for s in states(c).values()), states(c))
    d = cluster.Daemon(c, "promises", "policy = conservative\n", MARGIN)
    wait(c, lambda: len(d.first_promises()) == len(jobs) + 1, "promises", 10)
    first = d.first_promises()
    said = d.ask("when", jobs[5])
    case("when", "promised" in said, said)
    said = d.ask("why", jobs[5])
    case("why", "It needs 32 processors" in said and
         "A start is reserved for it at" in said, said)
    c.run("scancel", gone)
    time.sleep(4)
    d.stop()
    case("killed: jobs stay held",
         any(s[1] == "0" for s in states(c).values()))
    time.sleep(3)
    d.start()
    time.sleep(2)
    again = d.first_promises()
    case("killed: promises are those of before",
         all(again[j] == first[j] for j in first), (first, again))
    case("killed: none is broken", "0 broken" in d.ask("status") or
         "promises" not in d.ask("status"), d.ask("status"))
    wait(c, lambda: not states(c), "all jobs end", 240)
    begun = c.starts(jobs)
    case("all started", set(begun) == set(jobs), begun)
    late = {j: begun[j] - first[j] for j in begun
            if begun[j] > first[j] + SLACK}
    case("all promises kept", not late, late)
    killed = re.findall(r"JobId=(\d+) .*JobState=TIMEOUT",
                        open(c.folder + "/jobs.txt").read())
    case("two used their whole limits", sorted(killed) ==
         sorted([jobs[0], jobs[3]]), killed)
    case("the daemon counts none as broken",
         f"promises   {len(jobs)} kept, 0 broken" in d.ask("status"),
         d.ask("status"))
    case("a signal ends it", d.stop("terminate") == 0)
    return d


# ---- occupancy ----

def test_sfs(c):
    open(c.folder + "/accounts.csv", "w").write(
        "account,target\nstuffer,8\nmodest,16\n")
    d = cluster.Daemon(c, "sfs",
                       f"policy = sfs\naccounts = {c.folder}/accounts.csv\n"
                       "account = modest\n", MARGIN)
    stuffed = [submit(c, 8, 14, "Stuffer") for _ in range(12)]
    wait(c, lambda: len(c.starts(stuffed)) == 4, "stuffed", 15)
    modest = [submit(c, 8, 8, a) for a in ("modest", "MODEST")]
    unknown = submit(c, 1, 1, "nobody")
    wait(c, lambda: len(c.starts(modest)) == 2, "the others", 40)
    begun = c.starts(stuffed + modest)
    ahead = sum(begun.get(s, 1e12) < max(begun[m] for m in modest)
                for s in stuffed)
    case("occupancy: others go ahead of the queue that was stuffed",
         ahead <= 6, begun)
    said = d.ask("why", unknown)
    case("an account that is not listed", "not listed" in said, said)
    c.run("scancel", unknown)

    c.run("scontrol", "update", "nodename=n8", "state=down", "reason=test")
    wait(c, lambda: any(w[3] == "28" for w in d.events("capacity")),
         "a node down is seen", 15)
    time.sleep(3)
    busy = sum(int(n) for n in c.run("squeue", "-h", "-t", "R,CG", "-o",
                                     "%C").split())
    case("a node down: no more is started", busy <= 28, busy)
    c.run("scontrol", "update", "nodename=n8", "state=idle")
    wait(c, lambda: d.events("capacity")[-1][3] == "32",
         "a node up is seen", 15)
    running = [j for j, s in states(c).items() if s[0] == "R"]
    c.run("scontrol", "requeue", running[0])
    wait(c, lambda: any(w[2] == running[0] and w[-1] == "requeued"
                        for w in d.events("end")), "a requeue is seen", 10)
    said = d.ask("why", running[0])
    case("a job that was requeued waits", "not planned" in said, said)
    c.run("scancel", *states(c))
    d.stop("terminate")
    return d


def test_users(c):
    if os.getuid() or not shutil.which("setpriv"):
        print("skip a user's own release: that takes root and setpriv")
        return
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    job = c.run(*nobody, "sbatch", "-n", "1", "-t", "1", "-o", "/dev/null",
                "--wrap", "true", cwd="/").split()[-1]
    c.run(*nobody, "scontrol", "release", job, check=False)
    case("a user's own release is refused", states(c)[job][1] == "0",
         states(c))
    c.run(*nobody, "scontrol", "update", "jobid=" + job, "timelimit=2")
    limit = c.run("squeue", "-h", "-j", job, "-o", "%l").strip()
    case("... but not a time limit", limit == "2:00", limit)
    c.run("scancel", job)


# ---- names and requests, as the real squeue tells them ----

def test_maui(c):
    open(c.folder + "/maui.cfg", "w").write(
        "ACCOUNTWEIGHT 1\nACCOUNTCFG[modest] PRIORITY=1000\n"
        "USERCFG[DEFAULT] MAXNODE=8\nCLASSCFG[batch] MAX.PROC=30\n")
    d = cluster.Daemon(c, "maui", "policy = maui\n"
                       f"config = {c.folder}/maui.cfg\n", MARGIN)
    jobs = [submit(c, 30, 4)]
    wait(c, lambda: c.starts(jobs), "the first", 15)
    jobs += [submit(c, 20, 1), submit(c, 20, 1, "Modest")]
    wide = submit(c, 31, 1)
    wait(c, lambda: len(c.starts(jobs)) == 3, "all", 40)
    begun = c.starts(jobs)
    case("maui: an account's priority", begun[jobs[2]] < begun[jobs[1]], begun)
    said = d.ask("why", wide)
    case("maui: a class does not let it in", "class of its partition" in said,
         said)
    c.run("scancel", wide)
    wait(c, lambda: not states(c), "the end of maui", 15)
    d.stop("terminate")


def test_machine(c):
    open(c.folder + "/machine.csv", "w").write(
        "class,count,cpus,ram\nn,8,4,1000M\n")
    d = cluster.Daemon(c, "machine", "policy = easy\norder = usage\n"
                       f"machine = {c.folder}/machine.csv\n", MARGIN)
    fits = c.run("sbatch", "-n", "2", "-t", "1", "--mem", "900", "-o",
                 "/dev/null", "--wrap", "true", cwd="/").split()[-1]
    wait(c, lambda: c.starts([fits]), "a job that fits a node", 15)
    log = d.events("submit")
    case("a machine: priced by what squeue says", log[0][2] == fits, log)
    d.stop("terminate")


# ---- sweeps ----

def test_sweep(c):
    """The array tasks are jobs like others: fairsched-slurm starts them."""
    d = cluster.Daemon(c, "easy", "policy = easy\n", MARGIN)
    at = c.folder + "/"
    for seed in ("1", "2"):
        c.run(COMMAND, "generate", "--jobs", "500", "--seed", seed, "--procs",
              "64", stdout=open(f"{at}{seed}.swf", "w"))
    # The second shard of this command waits to be killed.
    open(at + "slow", "w").write("")
    open(at + "fairsched", "w").write(
        f"#!/bin/sh\ncase $* in *' 2/3 '*) [ ! -e {at}slow ] || exec sleep 99"
        f";; esac\nexec {COMMAND} \"$@\"\n")
    os.chmod(at + "fairsched", 0o755)

    def sweep(*args):
        return subprocess.Popen(
            ["sh", "tools/slurm/sweep.sh", *args], text=True,
            env={**c.env, "FAIRSCHED": at + "fairsched"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    fst = ["fst", at + "fst", "3", at + "1.swf", "--", "--policy", "dc"]
    grid = sweep("compare", at + "grid", "easy,dc", at + "1.swf", at + "2.swf",
                 "--", "--fst")
    first = sweep(*fst)
    wait(c, lambda: os.path.exists(at + "fst/1.done") and
         os.path.exists(at + "fst/3.done"), "two shards", 60)
    running = [j for j, s in states(c).items() if j.endswith("_2") and
               s[0] == "R" and os.path.exists(at + "fst/2.log")]
    c.run("scancel", *running)
    said = first.communicate(timeout=60)[1]
    case("a killed task is named", first.returncode == 1 and
         "tasks 2 did not end well" in said, (running, said))
    os.remove(at + "slow")
    before = os.stat(at + "fst/1.done").st_mtime_ns
    again = sweep(*fst)
    said = again.communicate(timeout=60)[1]
    case("... and is rerun alone", again.returncode == 0 and
         os.stat(at + "fst/1.done").st_mtime_ns == before, said)
    c.run(COMMAND, "simulate", at + "1.swf", "--fst", "--policy", "dc",
          "--part", at + "want.part")
    case("fair start times: the same bytes as on one machine",
         filecmp.cmp(at + "fst/all.part", at + "want.part", False))
    said = grid.communicate(timeout=60)[1]
    c.run(COMMAND, "compare", at + "1.swf", at + "2.swf", "--policies",
          "easy,dc", "--fst", "--json", at + "want.json")
    case("compare: the same bytes as on one machine", grid.returncode == 0 and
         filecmp.cmp(at + "grid/all.json", at + "want.json", False), said)
    d.stop("terminate")


# ---- the way back ----

def test_back_out(c):
    d = cluster.Daemon(c, "out", "policy = easy\n", MARGIN)
    jobs = [submit(c, 32, 3), submit(c, 20, 2)]
    admin = submit(c, 1, 1)
    c.run("scontrol", "hold", admin)
    wait(c, lambda: c.starts(jobs), "the first", 15)
    d.stop()
    path = c.folder + "/slurm.conf"
    conf = open(path).read()
    open(path, "w").write(conf.replace("JobSubmitPlugins=lua\n", ""))
    c.run("scontrol", "reconfigure")
    held = [j for j, s in states(c).items() if s[1] == "0" and j != admin]
    said = d.ask("release-all")
    case("release-all", jobs[1] in held and
         said == f"{len(held)} jobs released\n", (held, said))
    jobs.append(submit(c, 20, 1))
    wait(c, lambda: len(c.starts(jobs)) == 3, "Slurm starts by itself", 30)
    case("the cluster is Slurm's", states(c).get(admin, "")[:1] == ["PD"],
         states(c))
    c.run("scancel", admin)
    open(path, "w").write(conf)
    c.run("scontrol", "reconfigure")


# ---- numbers ----

def test_many(c):
    c.run("sbatch", f"--array=1-{MANY}", "-n", "20", "-t", "5", "-o",
          "/dev/null", "--wrap", "true", cwd="/")
    took = []
    while len(took) < 3 and (not took or took[-1] >= 2):
        start = time.time()
        done = subprocess.run([PROGRAM, "run", "--policy", "conservative",
                               "--dry-run", "--once"], env=c.env, text=True,
                              capture_output=True)
        took.append(time.time() - start)
    planned = done.stderr.count(" submit (dry run) ")
    case(f"{MANY} jobs are read and scheduled in {min(took):.2f} s",
         done.returncode == 0 and planned == MANY and min(took) < 2,
         (planned, took, done.stderr[-2000:]))


def main():
    if cluster.missing():
        print("skip slurm: there is no", " ".join(cluster.missing()))
        return
    for script in ("tools/build.sh", "tools/slurm/build.sh"):
        subprocess.run(["sh", script], check=True)
    began = time.time()
    with cluster.Cluster(8, 4) as c:
        d = [test_promises(c), test_sfs(c)]
        took = [t for x in d for t in x.latencies()]
        middle = statistics.median(took)
        case(f"release to start: {middle:.2f} s in the median of {len(took)}, "
             f"{max(took):.2f} s at most", middle < 1, sorted(took))
        test_users(c)
        test_maui(c)
        test_machine(c)
        test_sweep(c)
        test_back_out(c)
        test_many(c)
    case("nothing is left behind", not cluster.children() and
         not os.path.exists(c.folder), cluster.children())
    took = time.time() - began
    case(f"it took {took:.0f} s, less than six minutes", took < 360)


main()
sys.exit(failed > 0)
