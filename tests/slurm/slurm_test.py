#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: slurm_test.py [TEST...]

fairsched-slurm with a real Slurm: slurmctld and eight slurmds of 4
processors on loopback, started and stopped here. It takes two to three
minutes, nearly all of them waiting; tools/test.sh runs it beside the other tests.
No case fails because the machine is busy: what takes how long is only printed. The
programs are built into FAIRSCHED_BUILT (build): those for another suite
(tools/slurm/suite.sh) into a folder of their own.

Promises: conservative, jobs of about a minute, two of which use their whole
limit; the daemon is killed in the middle. Each must start when it was promised
at the latest, by Slurm's own clock, but for SLACK seconds; that is less than the
48 s that a margin of 0 would cost.

Occupancy: sfs, an account that stuffs the queue and one that does not, a node
that goes down and comes up, a job that is requeued.

Sweeps: compare and fair start times as job arrays; one task is killed.

Chains: jobs of a second, each of which depends on the one before.

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
import fake  # noqa: E402

PROGRAM = cluster.PROGRAM
COMMAND = cluster.BUILT + "/fairsched"
MARGIN = 50  # Slurm looks at limits every 30 s; KillWait is 5 s here
SLACK = 20   # seconds from a release to a start, if the machine is busy
PATIENT = 300
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


def wait(c, ready, what):
    end = time.time() + PATIENT
    while not ready():
        if time.time() > end:
            case(what, False, states(c))
            for name in os.listdir(c.folder):
                if name.endswith(".log"):
                    print(name, open(f"{c.folder}/{name}").read()[-3000:])
            raise SystemExit(1)
        time.sleep(0.2)


# ---- the fake Slurm of slurm_driver_test.py ----

def test_fake(c):
    """It refuses what the real one refuses, and nothing else."""
    held, over, other = submit(c, 1, 1), submit(c, 1, 300), submit(c, 1, 1)
    c.run("scancel", over)
    site = fake.Site(PROGRAM)
    site.write("queue", fake.job(held) + fake.job(over, state="CA"))
    fields = "JobArrayID:|,Account:|"
    for line in (
            "sinfo -h -o %C -a", "sinfo -h -o %C -p batch",
            "sinfo -h -o %C -p batch -n n1", "sinfo -h -o %C -a -p batch",
            "sinfo -h -o %C -p batch -a", "sinfo -h -o", "sinfo -Q",
            f"squeue -h -a -r -O {fields}", f"squeue -h -a -r -O {fields} -p batch",
            "squeue -h -a -t PD -o %i", "squeue -h -t NONE -o %i",
            "squeue -h -a -Q", "squeue -h -p",
            "scontrol -o show reservation", "scontrol show config",
            "scontrol show none", f"scontrol none {held}", "scontrol release",
            "scontrol release 99999", "scontrol uhold none",
            f"scontrol uhold {held}", f"scontrol uhold {held} 99999",
            f"scontrol release {over}", f"scontrol uhold {over}",
            f"scontrol update jobid={held} admincomment=x",
            f"scontrol update jobid={over} admincomment=x",
            "scontrol update jobid=99999 admincomment=x",
            f"scontrol update jobid={held} starttime=now+300",
            f"scontrol update jobid={held} dependency=afterok:{other}",
            f"scontrol update jobid={held} none=x", f"scontrol update {held}"):
        real, fakes = (subprocess.run(
            line.split(), env=env, cwd=site.folder,
            capture_output=True).returncode for env in (c.env, site.env))
        case("fake: " + line, bool(real) == bool(fakes), (real, fakes))
    shutil.rmtree(site.folder)
    c.run("scancel", held, other)
    wait(c, lambda: not states(c), "all end")


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
    wait(c, lambda: len(d.first_promises()) == len(jobs) + 1, "promises")
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
    wait(c, lambda: not states(c), "all jobs end")
    begun = c.starts(jobs)
    case("all started", set(begun) == set(jobs), begun)
    late = {j: begun[j] - first[j] for j in begun
            if begun[j] > first[j] + SLACK}
    case("all promises kept", not late, late)
    killed = re.findall(r"JobId=(\d+) .*JobState=TIMEOUT",
                        open(c.folder + "/jobs.txt").read())
    case("two used their whole limits", sorted(killed) ==
         sorted([jobs[0], jobs[3]]), killed)
    kept, broken = map(int, re.findall(r"promises +(\d+) kept, (\d+) broken",
                                       d.ask("status"))[0])
    late = [sum(begun[j] > first[j] + most for j in begun) for most in (7, 4)]
    case("the daemon counts by Slurm's starts", kept + broken == len(jobs) and
         late[0] <= broken <= late[1], (kept, broken, late))
    took = d.latencies()
    case(f"release to start: {statistics.median(took):.2f} s in the median of "
         f"{len(took)}, {max(took):.2f} s at most", True)
    case("a signal ends it", d.stop("terminate") == 0)


# ---- occupancy ----

def test_sfs(c):
    open(c.folder + "/accounts.csv", "w").write(
        "account,target\nstuffer,8\nmodest,16\n")
    d = cluster.Daemon(c, "sfs",
                       f"policy = sfs\naccounts = {c.folder}/accounts.csv\n"
                       "account = modest\n", MARGIN)
    stuffed = [submit(c, 8, 14, "Stuffer") for _ in range(12)]
    wait(c, lambda: len(c.starts(stuffed)) == 4, "stuffed")
    modest = [submit(c, 8, 8, a) for a in ("modest", "MODEST")]
    unknown = submit(c, 1, 1, "nobody")
    wait(c, lambda: len(c.starts(modest)) == 2, "the others")
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
         "a node down is seen")
    time.sleep(3)
    busy = sum(int(n) for n in c.run("squeue", "-h", "-t", "R,CG", "-o",
                                     "%C").split())
    case("a node down: no more is started", busy <= 28, busy)
    c.run("scontrol", "update", "nodename=n8", "state=idle")
    wait(c, lambda: d.events("capacity")[-1][3] == "32",
         "a node up is seen")
    again = submit(c, 1, 300, "modest")
    wait(c, lambda: states(c)[again][0] == "R", "the job to requeue")
    c.run("scontrol", "requeue", again)
    wait(c, lambda: any(w[2] == again and w[-1] == "requeued"
                        for w in d.events("end")), "a requeue is seen")
    said = d.ask("why", again)
    case("a job that was requeued waits", "not planned" in said, said)
    c.run("scancel", *states(c))
    d.stop("terminate")


def test_users(c):
    if os.getuid() or not shutil.which("setpriv"):
        print("skip a user's own release: that takes root and setpriv")
        return
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    def comment(job):
        return c.run("squeue", "-h", "-j", job, "-O", "comment:99").strip()

    def release(who, job):
        return subprocess.run([*who, "scontrol", "release", job], env=c.env,
                              text=True, capture_output=True, cwd="/").stderr

    job = c.run(*nobody, "sbatch", "-n", "1", "-t", "1", "-o", "/dev/null",
                "--wrap", "true", cwd="/").split()[-1]
    c.run(*nobody, "scontrol", "update", "jobid=" + job, "timelimit=2")
    limit = c.run("squeue", "-h", "-j", job, "-o", "%l").strip()
    case("a user's own time limit is changed", limit == "2:00", limit)
    said = release(nobody, job)
    case("a user's own release is refused", states(c)[job][1] == "0" and
         "Access/permission denied" in said, (said, states(c)))
    c.run(*nobody, "scontrol", "update", "jobid=" + job, "comment=mine")
    c.run(*nobody, "scontrol", "hold", job)
    case("a user's own hold is marked", comment(job) ==
         "mine [held by its user]", comment(job))
    case("... and taken back", not release(nobody, job) and
         comment(job) == "mine" and states(c)[job][1] == "0", comment(job))
    held = c.run(*nobody, "sbatch", "--hold", "-t1", "-o", "/dev/null",
                 "--wrap", "true", cwd="/").split()[-1]
    d = cluster.Daemon(c, "users", "policy = easy\n", MARGIN)
    said = release(["setpriv", "--reuid=1", "--clear-groups"], job)
    case("another user's release is refused", "denied" in said or
         "Invalid user id" in said, said)
    wait(c, lambda: c.starts([job]), "the job that is not held")
    case("sbatch --hold holds", not c.starts([held]) and
         "its user holds it" in d.ask("why", held), d.ask("why", held))
    release(nobody, held)
    wait(c, lambda: c.starts([held]), "the job whose hold was taken back")
    d.stop("terminate")


# ---- names and requests, as the real squeue tells them ----

def test_maui(c):
    open(c.folder + "/maui.cfg", "w").write(
        "ACCOUNTWEIGHT 1\nACCOUNTCFG[modest] PRIORITY=1000\n"
        "USERCFG[DEFAULT] MAXNODE=8\nCLASSCFG[batch] MAX.PROC=30\n")
    d = cluster.Daemon(c, "maui", "policy = maui\n"
                       f"config = {c.folder}/maui.cfg\n", MARGIN)
    jobs = [submit(c, 30, 20)]
    wait(c, lambda: c.starts(jobs), "the first")
    jobs += [submit(c, 20, 1), submit(c, 20, 1, "Modest")]
    wide = submit(c, 31, 1)
    wait(c, lambda: len(c.starts(jobs)) == 3, "all")
    begun = c.starts(jobs)
    case("maui: an account's priority", begun[jobs[2]] < begun[jobs[1]], begun)
    said = d.ask("why", wide)
    case("maui: a class does not let it in", "class of its partition" in said,
         said)
    c.run("scancel", wide)
    wait(c, lambda: not states(c), "the end of maui")
    d.stop("terminate")


def test_machine(c):
    open(c.folder + "/machine.csv", "w").write(
        "class,count,cpus,ram\nn,8,4,1000M\n")
    d = cluster.Daemon(c, "machine", "policy = easy\norder = usage\n"
                       f"machine = {c.folder}/machine.csv\n", MARGIN)
    fits = c.run("sbatch", "-n", "2", "-t", "1", "--mem", "900", "-o",
                 "/dev/null", "--wrap", "true", cwd="/").split()[-1]
    wait(c, lambda: c.starts([fits]), "a job that fits a node")
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
         os.path.exists(at + "fst/3.done"), "two shards")
    running = [j for j, s in states(c).items() if j.endswith("_2") and
               s[0] == "R" and os.path.exists(at + "fst/2.log")]
    c.run("scancel", *running)
    said = first.communicate(timeout=PATIENT)[1]
    case("a killed task is named", first.returncode == 1 and
         "tasks 2 failed" in said, (running, said))
    os.remove(at + "slow")
    before = os.stat(at + "fst/1.done").st_mtime_ns
    again = sweep(*fst)
    said = again.communicate(timeout=PATIENT)[1]
    case("... and is rerun alone", again.returncode == 0 and
         os.stat(at + "fst/1.done").st_mtime_ns == before, said)
    c.run(COMMAND, "simulate", at + "1.swf", "--fst", "--policy", "dc",
          "--part", at + "want.part")
    case("fair start times: the same bytes as on one machine",
         filecmp.cmp(at + "fst/all.part", at + "want.part", False))
    said = grid.communicate(timeout=PATIENT)[1]
    c.run(COMMAND, "compare", at + "1.swf", at + "2.swf", "--policies",
          "easy,dc", "--fst", "--json", at + "want.json")
    case("compare: the same bytes as on one machine", grid.returncode == 0 and
         filecmp.cmp(at + "grid/all.json", at + "want.json", False), said)
    d.stop("terminate")


# ---- what Slurm cannot place ----

def test_partition(c):
    """Of three jobs for four processors of one of two nodes, one cannot be
    placed; the others start all the same."""
    c.run("scontrol", "create", "partitionname=small", "nodes=n[1-6]",
          "hidden=yes", "state=up")
    c.run("scontrol", "update", "nodename=n[7-8]", "availablefeatures=gpu",
          "activefeatures=gpu")
    d = cluster.Daemon(c, "batch", "policy = easy\npartition = batch\n", MARGIN)
    small = cluster.Daemon(c, "small", "policy = easy\npartition = small\n",
                           MARGIN)
    gpu = [c.run("sbatch", "-N1", "-n4", "-Cgpu", "-t1", "-o", "/dev/null",
                 "--wrap", "exec sleep 300", cwd="/").split()[-1]
           for _ in range(3)]
    others = [submit(c, 1, 1) for _ in range(4)]
    wait(c, lambda: len(c.starts(others)) == 4, "the other jobs")
    case("a job that cannot be placed blocks no other",
         len(c.starts(gpu)) == 2 and not d.events("uhold"),
         (c.starts(gpu), d.events("uhold")))
    c.run("scancel", *gpu)
    job = c.run("sbatch", "-psmall", "-n24", "-t1", "-o", "/dev/null", "--wrap",
                "true", cwd="/").split()[-1]
    wait(c, lambda: c.starts([job]), "a job of a hidden partition")
    case("a hidden partition", "processors 24," in small.ask("status"),
         small.ask("status"))
    d.stop("terminate")
    small.stop("terminate")
    c.run("scontrol", "delete", "partitionname=small")


def test_array(c):
    """Of an array that may run one task at a time, one is released."""
    d = cluster.Daemon(c, "array", "policy = conservative\n", MARGIN)
    c.run("sbatch", "--array=1-3%1", "-n16", "-t1", "-o", "/dev/null", "--wrap",
          "exec sleep 5", cwd="/")
    others = [submit(c, 16, 5) for _ in range(2)]
    wait(c, lambda: len(c.starts(others)) == 2, "the jobs beside an array")
    case("a throttled array leaves room", len(d.events("submit")) < 5 and
         not d.events("uhold"), d.log())
    wait(c, lambda: not states(c), "the end of the array")
    case("... and its tasks run one by one", len(d.events("release")) == 5,
         d.log())
    d.stop("terminate")


def test_chain(c):
    """Slurm itself would test the dependencies of held jobs once a minute."""
    d = cluster.Daemon(c, "chain", "policy = easy\n", MARGIN)

    def follow(how, job, command="exec sleep 1"):
        return c.run("sbatch", "-n1", "-t1", "-o", "/dev/null", "-d",
                     f"{how}:{job}", "--wrap", command, cwd="/").split()[-1]

    def depends(job):
        return c.run("squeue", "-h", "-j", job, "-o", "%E").strip()
    began = time.time()
    chain = [submit(c, 1, 1)]
    for how in ("afterok", "afterany", "after"):
        chain.append(follow(how, chain[-1]))
    fails = follow("afterok", chain[-1], "false")
    never = follow("afterok", fails)
    last = follow("afternotok", fails)
    wait(c, lambda: len(c.starts([*chain, fails, last])) == 6, "a chain")
    took = time.time() - began
    case(f"a chain of six jobs in {took:.0f} s", took < 150, c.starts(chain))
    begun = c.starts([*chain, fails, last])
    case("... in its order", list(begun) == [*chain, fails, last], begun)
    wait(c, lambda: "failed" in depends(never), "a failed dependency")
    case("... what can never start is Slurm's", not c.starts([never]) and
         states(c)[never][1] == "0" and "depends on failed" in
         d.ask("why", never), d.ask("why", never))
    tested = [w[2] for w in d.events("test")]
    case("... each job is tested once", len(tested) == len(set(tested)),
         d.events("test"))
    c.run("scancel", never)
    wait(c, lambda: not states(c), "the end of the chain")
    d.stop("terminate")


def test_reservation(c):
    c.run("scontrol", "create", "reservation", "reservationname=repair",
          "starttime=now+60", "duration=10", "nodes=n[1-6]", "flags=maint",
          "users=root")
    d = cluster.Daemon(c, "repair", "policy = easy\n", MARGIN)
    jobs = [submit(c, 16, 1), submit(c, 4, 1)]
    wait(c, lambda: c.starts(jobs[1:]), "the job beside a reservation")
    case("Slurm's maintenance is planned", not c.starts(jobs).get(jobs[0]) and
         d.events("reserve")[0][4] == "24", d.log())
    done = subprocess.run([PROGRAM, "run", "--once", "--state", d.path + "2"],
                          env=c.env, text=True, capture_output=True)
    case("a second daemon with another state is refused", done.returncode == 1
         and "another fairsched-slurm" in done.stderr, done.stderr)
    c.run("scontrol", "delete", "reservation=repair")
    wait(c, lambda: c.starts(jobs[:1]), "the job after a reservation")
    d.stop("terminate")


# ---- the way back ----

def test_back_out(c):
    admin = submit(c, 1, 1)
    c.run("scontrol", "hold", admin)  # before the daemon can start it
    d = cluster.Daemon(c, "out", "policy = easy\n", MARGIN)
    jobs = [submit(c, 32, 20), submit(c, 20, 2)]
    wait(c, lambda: c.starts(jobs), "the first")
    d.stop()
    conf = c.back_out()
    c.run("scontrol", "reconfigure")
    held = [j for j, s in states(c).items() if s[1] == "0" and j != admin]
    said = d.ask("release-all")
    case("release-all", jobs[1] in held and
         said == f"{len(held)} job{'s' if len(held) != 1 else ''} released\n", (held, said))
    jobs.append(submit(c, 20, 1))
    wait(c, lambda: len(c.starts(jobs)) == 3, "Slurm starts by itself")
    case("the cluster is Slurm's", states(c).get(admin, "")[:1] == ["PD"],
         states(c))
    c.run("scancel", admin)
    open(c.folder + "/fairsched.conf", "w").write(conf)
    c.run("scontrol", "reconfigure")


# ---- numbers ----

def test_many(c):
    c.run("sbatch", f"--array=1-{MANY}", "-n", "20", "-t", "5", "-o",
          "/dev/null", "--wrap", "true", cwd="/")
    start = time.time()
    done = subprocess.run([PROGRAM, "run", "--policy", "conservative",
                           "--dry-run", "--once"], env=c.env, text=True,
                          capture_output=True)
    took = time.time() - start
    planned = done.stderr.count(" submit (dry run) ")
    case(f"{MANY} jobs are read and scheduled in {took:.2f} s",
         done.returncode == 0 and planned == MANY,
         (planned, done.stderr[-2000:]))


TESTS = (test_fake, test_promises, test_sfs, test_users, test_maui,
         test_machine, test_sweep, test_partition, test_array, test_chain,
         test_reservation, test_back_out, test_many)


def main():
    if cluster.missing():
        print("skip slurm: there is no", " ".join(cluster.missing()))
        return
    for script in ("tools/build.sh", "tools/slurm/build.sh"):
        subprocess.run(["sh", script, cluster.BUILT], check=True)
    began = time.time()
    with cluster.Cluster(8, 4) as c:
        for test in TESTS:
            if not sys.argv[1:] or test.__name__ in sys.argv[1:]:
                test(c)
    case("nothing is left behind", not cluster.children() and
         not os.path.exists(c.folder), cluster.children())
    case(f"it took {time.time() - began:.0f} s", True)


main()
sys.exit(failed > 0)
