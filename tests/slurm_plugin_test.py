#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""sched/fairsched in a real slurmctld with eight slurmds of 4 processors.

It takes six minutes and the configured source tree of that Slurm, whose folder is
SLURM_SOURCE (tools/slurm/plugin/build.sh makes one); without it the test is
skipped.
"""

import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, "tools/slurm")
sys.dont_write_bytecode = True
import cluster  # noqa: E402

PATIENT = 300
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why, flush=True)


def submit(c, procs, seconds, *more):
    return c.run("sbatch", "-n", str(procs), "-t1", "-o", "/dev/null", *more,
                 "--wrap", f"exec sleep {seconds}", cwd="/").split()[-1]


def jobs(c):
    """Returns state, priority, start and reason of each job."""
    out = c.run("squeue", "-h", "-a", "-r", "-o", "%i|%t|%Q|%S|%r")
    return {w[0]: w[1:] for w in (l.split("|") for l in out.splitlines())}


def wait(c, ready, what):
    end = time.time() + PATIENT
    while not ready():
        if time.time() > end:
            case(what, False, (jobs(c), c.logs()))
            raise SystemExit(1)
        time.sleep(0.05)


def state(c, job):
    return jobs(c).get(job, ["gone"])[0]


def log(c):
    return open(c.folder + "/slurmctld.log").read()


def test_policy(folder, policy):
    with cluster.Cluster(8, 4, plugin=folder, parameters=f"fair_policy={policy},"
                         "fair_margin=50") as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        first = submit(c, 32, 300)
        wait(c, lambda: state(c, first) == "R", "the first job")
        begun = time.time()
        wide, other = submit(c, 32, 3), submit(c, 32, 3)
        wait(c, lambda: "fairsched:" in jobs(c)[wide][3], "a reason in squeue")
        at = jobs(c)[wide][2]
        if policy != "easy":  # whose reservation is not a promise
            case(f"{policy}: squeue --start tells the promised start",
                 100 < int(at) - begun < 125, (at, begun))
        time.sleep(12)  # Slurm saves its own state every few seconds
        c.kill_controller()
        time.sleep(1)
        case(f"{policy}: kill -9 of slurmctld keeps promises", state(c, first)
             == "R" and state(c, wide) == "PD" and jobs(c)[wide][2] == at, (at, jobs(c), log(c)))
        c.run("scancel", first)
        wait(c, lambda: state(c, wide) == "R", "the next job")
        case(f"{policy}: in order", state(c, other) == "PD", jobs(c))
        c.run("scancel", other)
        wait(c, lambda: not jobs(c), "all end")
        took = []
        for _ in range(5):
            job, now = submit(c, 1, 1), time.time()
            wait(c, lambda: state(c, job) != "PD", "a job that fits")
            took.append(time.time() - now)
        case(f"{policy}: submitted to started, as squeue sees it: "
             f"{statistics.median(took):.2f} s in the median", True)
        wait(c, lambda: not jobs(c), "all end")
        test_events(c, policy)
        case(f"{policy}: no assertion failed", "assertion" not in log(c))


def test_events(c, policy):
    run = submit(c, 16, 300, "--requeue")
    wait(c, lambda: state(c, run) == "R", "a job to requeue")
    c.run("scontrol", "requeue", run)
    wait(c, lambda: state(c, run) == "PD", "a requeue")
    c.run("scancel", run)
    held = submit(c, 1, 1, "--hold")
    after = submit(c, 1, 1, "-d", f"afterok:{held}")
    array = submit(c, 16, 2, "--array=1-3")
    wait(c, lambda: not any(j.startswith(array) for j in jobs(c)), "an array")
    case(f"{policy}: a held job and its dependent one wait", state(c, held) ==
         "PD" and state(c, after) == "PD", jobs(c))
    c.run("scontrol", "update", "jobid=" + held, "comment=x")
    wait(c, lambda: not jobs(c), "the held and the dependent job")
    c.run("scontrol", "update", "nodename=n[1-4]", "state=down", "reason=test")
    wide, narrow = submit(c, 32, 1), submit(c, 16, 1)
    wait(c, lambda: state(c, narrow) != "PD", "the job beside down nodes")
    case(f"{policy}: nodes down", state(c, wide) == "PD", jobs(c))
    c.run("scontrol", "update", "nodename=n[1-4]", "state=idle")
    wait(c, lambda: not jobs(c), "the job after nodes were down")


def test_classes(folder, policy):
    """Two partitions, GPUs and licences; one job needs all licences."""
    with cluster.Cluster(6, 4, plugin=folder, gpu_nodes=2,
                         accounting="Licenses=matlab:2",
                         parameters=f"fair_policy={policy},fair_margin=50") as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        gpus = ("-N1", "-p", "gpu", "--gres=gpu:2")
        fill = submit(c, 16, 300)
        both, pair = submit(c, 1, 8, *gpus), submit(c, 1, 8, *gpus)
        third, narrow = submit(c, 1, 1, *gpus), submit(c, 2, 1, "-p", "gpu")
        wide = submit(c, 16, 1)
        wait(c, lambda: state(c, narrow) != "PD", "a job without GPUs")
        now = jobs(c)
        case(f"{policy}: a class without free GPUs has free processors",
             [now[j][0] for j in (fill, both, pair, third)] ==
             ["R", "R", "R", "PD"], now)
        case(f"{policy}: a full partition", state(c, wide) == "PD", now)
        any_part = submit(c, 1, 1, "-p", "batch,gpu")
        wait(c, lambda: state(c, any_part) != "PD", "a job of two partitions")
        wait(c, lambda: state(c, third) != "PD", "the job that needs 2 GPUs")
        c.run("scancel", fill)
        wait(c, lambda: not jobs(c), "all end")
        test_licences(c, policy)
        case(f"{policy}: classes: no assertion failed",
             "assertion" not in log(c))


def test_licences(c, policy):
    """A stream of jobs of one licence does not starve a job of two."""
    one = ("-L", "matlab:1")
    for _ in range(2):
        submit(c, 1, 8, *one)
        time.sleep(4)
    two, submitted = submit(c, 1, 1, "-L", "matlab:2"), time.time()
    wait(c, lambda: "fairsched:" in jobs(c)[two][3], "a plan for two licences")
    promise, later = jobs(c)[two][2], []
    while state(c, two) == "PD" and time.time() < submitted + 120:
        later.append(submit(c, 1, 8, *one))
        time.sleep(4)
    case(f"{policy}: a job of two licences starts by its promise, after "
         f"{time.time() - submitted:.0f} s", state(c, two) != "PD" and
         (policy == "easy" or time.time() <= int(promise) + 5), promise)
    c.run("scancel", *later)
    wait(c, lambda: not jobs(c), "all end")


def test_assertion(folder):
    with cluster.Cluster(2, 4, plugin=folder) as c:
        first, second = submit(c, 8, 300), submit(c, 8, 1)
        wait(c, lambda: state(c, first) == "R", "the first job")
        open(folder + "/fail", "w").close()
        c.run("scancel", first)
        wait(c, lambda: not jobs(c), "Slurm's own start")
        third = submit(c, 1, 1)
        wait(c, lambda: state(c, third) == "gone", "Slurm's own start later")
        case("a failed assertion gives the jobs to Slurm", log(c).count(
            "fairsched: assertion failed") == 1 and "it is disabled" in log(c) and
            second, log(c)[-3000:])


def main():
    if cluster.missing() or not os.environ.get("SLURM_SOURCE"):
        print("skip plugin: there is no Slurm, or SLURM_SOURCE is not set")
        return
    folder = os.path.abspath("build/plugin")
    for name, flags in (("", ""), ("/fails", f'-DFAIRSCHED_PLUGIN_FAIL='
                                   f'"{folder}/fails/fail"')):
        subprocess.run(["sh", "tools/slurm/plugin/build.sh", folder + name],
                       check=True, env=dict(os.environ, CFLAGS=flags))
    if os.path.exists(folder + "/fails/fail"):
        os.remove(folder + "/fails/fail")
    test_assertion(folder + "/fails")
    for policy in ("conservative", "pc", "dc", "easy"):
        if policy in sys.argv[1:] or not sys.argv[1:]:
            test_policy(folder, policy)
            test_classes(folder, policy)


main()
sys.exit(failed > 0)
