#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: matrix.py [--plugin FOLDER] [--policy POLICY] [CASE ...]

What an administrator expects of Slurm, case by case: as root, it runs two clusters
with slurmdbd, six nodes of three kinds, GPUs, licences, partitions and QOS, side by
side: one with Slurm's own sched/backfill, one with sched/fairsched. Each case is
done on both, and what users see must be equal: states, nodes, reasons, refusals, the
order of starts. It prints the table of docs/SLURM.md, and fails if a row differs.

A job that the plugin does not plan has its reason in the last column. Packages:
slurmctld slurmd slurmdbd slurm-client munge mariadb-server.
"""

import argparse
import os
import re
import signal
import sys
import time

sys.dont_write_bytecode = True
import cluster  # noqa: E402
from accounts import Accounts  # noqa: E402

NODES = [  # kind, processors, memory, features, GPUs, weight
    (4, 4000, "amd", 0, 10), (4, 4000, "amd", 0, 20), (4, 4000, "intel", 0, 5),
    (4, 4000, "intel", 0, 30), (8, 8000, "intel,big", 2, 50),
    (8, 8000, "intel,big", 2, 60)]
TREE = """Cluster - 'fairsched':Fairshare=1:QOS='normal,high,low,few'
Parent - 'root'
User - 'root':DefaultAccount='root':Fairshare=1
Account - 'science':Description='x':Organization='x':Fairshare=3
Account - 'small':Description='x':Organization='x':Fairshare=1:GrpTRES=cpu=4
Parent - 'science'
User - 'bin':DefaultAccount='science':Fairshare=1
User - 'sys':DefaultAccount='science':Fairshare=1:MaxJobs=1
Parent - 'small'
User - 'games':DefaultAccount='small':Fairshare=1
"""
HETEROGENEOUS = """#!/bin/sh
#SBATCH -n 1
#SBATCH hetjob
#SBATCH -n 2 -p big
exec sleep 2
"""
PATIENT = 60


class Site(Accounts):
    """The cluster; the case that is done has jobs."""

    def __init__(self, plugin, policy):
        self.plugin, self.jobs, self.begun = plugin, [], time.time()
        self.promises = plugin and policy in ("conservative", "pc", "dc")
        super().__init__(
            "AccountingStorageTRES=gres/gpu\nLicenses=matlab:2\n"
            "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n"
            "PriorityWeightQOS=1000\nPriorityWeightAge=100\nDefMemPerCPU=100\n"
            "GresTypes=gpu\nJobRequeue=1", minutes=1, nodes=len(NODES),
            plugin=plugin, stock=not plugin,
            parameters=f"fair_policy={policy},fair_margin=20" +
            ",fair_order=slurm" * (policy != "conservative"))
        self.set_nodes()
        self.change_conf("CR_CPU", "CR_CPU_Memory")
        self.change_conf("AccountingStorageEnforce=limits",
                         "AccountingStorageEnforce=limits,qos")
        if not plugin:
            with open(self.folder + "/fairsched.conf", "a") as f:
                f.write("EnforcePartLimits=ALL\n")

    def set_nodes(self):
        path = f"{self.folder}/slurm.conf"
        conf = open(path).read()
        port = int(re.search(r"Port=\[(\d+)-", conf)[1])
        host = re.search(r"NodeHostname=(\S+)", conf)[1]
        conf = conf[:conf.index("NodeName=")]
        gres = ""
        for i, (cpus, memory, features, gpus, weight) in enumerate(NODES):
            conf += (f"NodeName=n{i + 1} NodeHostname={host} NodeAddr=127.0.0.1 "
                     f"Port={port + i} CPUs={cpus} RealMemory={memory} "
                     f"Feature={features} Weight={weight} State=UNKNOWN" +
                     f" Gres=gpu:{gpus}" * (gpus > 0) + "\n")
            for device in ("null", "zero")[:gpus]:
                gres += f"NodeName=n{i + 1} Name=gpu File=/dev/{device}\n"
        conf += ("PartitionName=batch Nodes=n[1-4] Default=YES MaxTime=60\n"
                 "PartitionName=big Nodes=n[5-6] MaxTime=INFINITE\n"
                 "PartitionName=all Nodes=n[1-6] MaxTime=INFINITE\n"
                 "PartitionName=over Nodes=n[1-4] OverTimeLimit=1\n"
                 "PartitionName=shared Nodes=n4 OverSubscribe=FORCE:2\n")
        open(path, "w").write(conf)
        open(f"{self.folder}/gres.conf", "w").write(gres)

    def __enter__(self):
        super().__enter__()
        try:
            with open(f"{self.folder}/dump", "w") as f:
                f.write(TREE)
            for qos in ("high", "low", "few"):
                self.run("sacctmgr", "-i", "add", "qos", qos, check=False)
            self.run("sacctmgr", "-i", "modify", "qos", "high", "set",
                     "preempt=low", "priority=100")
            self.run("sacctmgr", "-i", "modify", "qos", "few", "set",
                     "MaxJobsPU=1")
            self.run("sacctmgr", "-i", "load", f"{self.folder}/dump", "clean")
            self.start_controller()
            for i in range(self.nodes):
                self.daemon("slurmd", "-D", "-N", f"n{i + 1}")
            self.wait(self.is_idle, "idle nodes")
        except BaseException:
            self.__exit__()
            raise
        return self

    def is_idle(self):
        return set(self.run("sinfo", "-h", "-N", "-o", "%t", check=False)
                   .split()) == {"idle"}

    # ---- what the cases do

    def submit(self, *args, seconds=1, user="root", script=None):
        """Returns the job, or why it is refused."""
        script = script or f"#!/bin/sh\nexec sleep {seconds}\n"
        args = [*args] if any(a.startswith("-t") for a in args) else [
            "-t1", *args]
        try:
            job = self.run("sbatch", "--parsable", f"--uid={user}", "-D/tmp",
                           "-o/dev/null", *args, input=script).strip()
        except RuntimeError as error:
            return str(error).partition("failed: ")[2].strip()
        self.jobs.append(job)
        return job

    def show(self, job, what):
        return self.run("squeue", "-h", "-a", "-r", "-j", str(job), "-o", what,
                        check=False).split("\n")[0].strip()

    def state(self, job):
        return self.show(job, "%T") or "GONE"

    def until(self, job, *states, patient=PATIENT):
        """Waits for a state of a job. Returns whether it came."""
        assert re.match(r"\d+", job), job
        end = time.time() + patient
        while self.state(job) not in states:
            if time.time() > end:
                return False
            time.sleep(0.1)
        return True

    def starts(self, job):
        return self.until(job, "RUNNING", "COMPLETING", "COMPLETED", "GONE")

    def waits(self, job, reason, patient=30):
        """Waits for a reason that begins so. Returns that of a second later."""
        end = time.time() + patient
        while time.time() < end and not self.show(job, "%r").startswith(reason):
            time.sleep(0.1)
        time.sleep(1)
        return self.state(job) == "PENDING" and self.show(job, "%r")

    def scontrol(self, *args):
        """Returns what it says if it fails, else nothing."""
        try:
            self.run("scontrol", *args)
        except RuntimeError as error:
            return str(error).partition(": ")[2].strip()
        return ""

    def fill(self, *nodes, seconds=600, minutes=20):
        """Takes whole nodes. Returns the job."""
        job = self.submit("--exclusive", f"-N{len(nodes)}", "-pall",
                          "-w" + ",".join(nodes), f"-t{minutes}",
                          seconds=seconds)
        assert self.until(job, "RUNNING"), (job, self.show(job, "%r"))
        return job

    def cancel(self, *jobs):
        self.run("scancel", *jobs, check=False)

    def clear(self):
        """Ends the jobs of a case. Returns them."""
        jobs, self.jobs = self.jobs, []
        for user in ("root", "bin", "sys", "games"):
            self.run("scancel", "-u", user, check=False)
        self.wait(lambda: not self.run("squeue", "-h", "-a", check=False),
                  "the end of all jobs")
        return jobs

    def records(self, jobs, *columns):
        """What accounting says of jobs, once all have ended."""
        self.wait(lambda: not any(s in self.sacct(jobs, "State") for s in (
            "RUNNING", "PENDING", "SUSPENDED", "REQUEUED")), "records")
        return [tuple(line.split("|")) for line in
                self.sacct(jobs, ",".join(columns)).splitlines()]

    def sacct(self, jobs, columns):
        return self.run("sacct", "-X", "-n", "-P", "-j", ",".join(jobs), "-o",
                        columns)

    def nodes_of(self, job):
        return self.show(job, "%N")

    def keeps(self, job):
        """Whether a job that has ended, or will, started by its first promise;
        Slurm's own scheduler makes none, nor do all policies."""
        if not self.promises:
            return True
        told = re.search(rf"JobId={job} promised (\d+): arrival", self.log())
        started = self.records([job], "Start")[0][0]
        return bool(told) and int(started) <= int(told[1]) + 5

    def log(self):
        return open(self.folder + "/slurmctld.log").read()


# ---- the cases; each returns what users see

def arrays(c):
    job = c.submit("--array=1-6%2", seconds=1)
    most = 0
    while c.state(job) != "GONE":
        running = c.run("squeue", "-h", "-r", "-t", "R", "-j", job, "-o", "%i",
                        check=False)
        most = max(most, len(running.split()))
    c.wait(lambda: c.sacct([job], "State").count("COMPLETED") == 6, "6 tasks")
    return most


def begin_times(c):
    job, asked = c.submit("--begin=now+4"), time.time() + 4
    reason = c.waits(job, "BeginTime")
    return reason, c.starts(job), time.time() > asked - 1


def dependencies(c):
    first = c.submit(seconds=6)
    second = c.submit(f"-dafterok:{first}")
    third = c.submit(f"-dafterany:{second}")
    never = c.submit(f"-dafternotok:{first}")
    reason = c.waits(second, "Dependency")
    return (reason, c.until(third, "GONE"),
            c.waits(never, "DependencyNeverSatisfied"))


def chains(c):
    """Ten jobs of a second, one after the other."""
    job, begun = c.submit(), time.time()
    for _ in range(9):
        job = c.submit(f"-dafterok:{job}")
    return c.until(job, "GONE"), "in 60 s" * (time.time() - begun < 60)


def deadlines(c):
    c.fill("n1", "n2", "n3", "n4")
    job = c.submit("--deadline=now+70")
    return c.until(job, "GONE", patient=100), c.records([job], "State")


def exclusive(c):
    one = c.submit("-n1", "-wn1", seconds=60)
    assert c.starts(one)
    whole = c.submit("--exclusive", "-wn1")
    reason = c.waits(whole, "Resources")
    c.cancel(one)
    return reason, c.starts(whole), c.show(whole, "%C")


def shared(c):
    jobs = [c.submit("-pshared", "-n4", seconds=5) for _ in range(3)]
    return ([c.starts(j) for j in jobs[:2]], c.state(jobs[2]),
            c.starts(jobs[2]))


def overcommit(c):
    """More tasks than processors."""
    first = c.submit("-wn1", "-n3", seconds=60)
    assert c.starts(first)
    jobs = [c.submit("-wn1", "-O", "-n8", seconds=20) for _ in range(2)]
    seen = c.starts(jobs[0]), c.show(jobs[0], "%C"), c.waits(jobs[1],
                                                             "Resources")
    c.cancel(first)
    return seen, c.starts(jobs[1]), c.show(jobs[1], "%C")


def memory(c):
    first = c.submit("-wn1", "--mem=3000", seconds=60)
    assert c.starts(first)
    second = c.submit("-wn1", "--mem=3000")
    other = c.submit("--mem=6000", "-pall")
    seen = c.waits(second, "Resources"), c.starts(other)
    c.cancel(first)
    return seen, c.starts(second)


def gpus(c):
    pair = [c.submit("-pbig", "-wn5", "--gres=gpu:1", seconds=60)
            for _ in range(2)]
    started = [c.starts(j) for j in pair]
    third = c.submit("-pbig", "-wn5", "--gres=gpu:1")
    reason = c.waits(third, "Resources")
    c.cancel(pair[0])
    return started, reason, c.starts(third)


def licences(c):
    pair = [c.submit("-Lmatlab:1", seconds=60) for _ in range(2)]
    started = [c.starts(j) for j in pair]
    third = c.submit("-Lmatlab:1")
    time.sleep(2)  # Slurm says Licenses, or, before it tries, Resources
    state = c.state(third)
    c.cancel(pair[0])
    return started, state, c.starts(third)


def heterogeneous(c):
    job = c.submit(script=HETEROGENEOUS)
    return job.isdigit() and (c.starts(job), c.starts(f"{job}+1")) or job


def reservation_maintenance(c):
    c.run("scontrol", "create", "reservation", "reservationname=repair",
          "nodes=n1", "starttime=now+30", "duration=5", "flags=maint",
          "users=root")
    try:
        job = c.submit("-wn1", "-t2")
        return c.waits(job, "ReqNodeNotAvail"), c.starts(c.submit("-t2"))
    finally:
        c.clear()
        c.run("scontrol", "delete", "reservation=repair", check=False)


def reservation_users(c):
    c.run("scontrol", "create", "reservation", "reservationname=own",
          "nodes=n1", "starttime=now+5", "duration=5", "users=bin")
    try:
        job = c.submit("--reservation=own", user="bin")
        reason = c.waits(job, "Reservation")
        other = c.submit("--reservation=own", user="sys")
        return reason, c.starts(job), c.nodes_of(job), other.isdigit()
    finally:
        c.clear()
        c.run("scontrol", "delete", "reservation=own", check=False)


def reservation_withdrawn(c):
    """A cancelled job in a reservation delays nothing."""
    c.run("scontrol", "create", "reservation", "reservationname=own",
          "nodes=n1", "starttime=now", "duration=5", "users=root")
    try:
        job = c.submit("--reservation=own", "-t60", seconds=300)
        first = c.until(job, "RUNNING")
        c.cancel(job)
        c.run("scontrol", "delete", "reservation=own")
        return first, c.starts(c.submit("-wn1", "-n4"))
    finally:
        c.clear()
        c.run("scontrol", "delete", "reservation=own", check=False)


def reservation_jobs(c):
    """Two follow each other, then two that are longer than what is left."""
    c.run("scontrol", "create", "reservation", "reservationname=own",
          "nodes=n1,n2", "starttime=now", "duration=5", "users=root")
    try:
        jobs = [c.submit("--reservation=own", "-N2", "-n8", seconds=9)
                for _ in range(2)]
        first = c.starts(jobs[0]), c.nodes_of(jobs[0])
        reason, outside = c.waits(jobs[1], ""), c.submit("-wn1")
        second = c.starts(jobs[1]), c.nodes_of(jobs[1])
        c.until(jobs[1], "GONE")
        longer = [c.submit("--reservation=own", "-t60", "-wn1", "-n4",
                           seconds=300) for _ in range(2)]
        third = c.starts(longer[0]), c.waits(longer[1], "")
        c.cancel(longer[0])
        return (first, reason, second, third, c.starts(longer[1]),
                c.state(outside), c.keeps(jobs[1]))
    finally:
        c.clear()
        c.run("scontrol", "delete", "reservation=own", check=False)


def reservation_licences(c):
    c.run("scontrol", "create", "reservation", "reservationname=lic",
          "licenses=matlab:2", "flags=LICENSE_ONLY", "starttime=now",
          "duration=1", "users=bin")
    try:
        job = c.submit("-Lmatlab:1")
        time.sleep(2)
        return c.state(job)
    finally:
        c.clear()
        c.run("scontrol", "delete", "reservation=lic", check=False)


def drain(c):
    run = c.submit("-wn1", seconds=60)
    assert c.starts(run)
    c.scontrol("update", "nodename=n1", "state=drain", "reason=test")
    try:
        job = c.submit("-wn1")
        reason = c.waits(job, "ReqNodeNotAvail")
        return reason, c.state(run)
    finally:
        c.scontrol("update", "nodename=n1", "state=resume")


def down(c):
    run = c.submit("-wn1", seconds=60)
    assert c.starts(run)
    c.scontrol("update", "nodename=n1", "state=down", "reason=test")
    try:
        return c.until(run, "PENDING", "GONE")
    finally:
        c.clear()
        c.scontrol("update", "nodename=n1", "state=resume")
        c.wait(c.is_idle, "idle nodes")


def resume(c):
    c.scontrol("update", "nodename=n1", "state=drain", "reason=test")
    job = c.submit("-wn1")
    reason = c.waits(job, "ReqNodeNotAvail")
    c.scontrol("update", "nodename=n1", "state=resume")
    return reason, c.starts(job)


def requeue(c):
    job = c.submit(seconds=2)
    assert c.starts(job)
    said = c.scontrol("requeue", job)
    # Slurm keeps it for two minutes, until its credential is void
    return said, c.until(job, "PENDING"), c.waits(job, "BeginTime")


def hold_and_release(c):
    job = c.submit("--hold", user="bin")
    reason = c.waits(job, "JobHeldUser")
    said = c.scontrol("release", job)
    return reason, said, c.starts(job)


def root_hold(c):
    c.fill("n1")
    job = c.submit("-wn1", user="bin")
    c.scontrol("hold", job)
    reason = c.waits(job, "JobHeldAdmin")
    c.scontrol("release", job)
    return reason, c.waits(job, "Resources")


def uhold(c):
    c.fill("n1")
    job = c.submit("-wn1", user="bin")
    c.scontrol("uhold", job)
    reason = c.waits(job, "JobHeldUser")
    c.scontrol("release", job)
    return reason, c.waits(job, "Resources")


def update_limit(c):
    job = c.submit(seconds=8)
    assert c.starts(job)
    said = c.scontrol("update", f"jobid={job}", "timelimit=5")
    return said, c.show(job, "%l")


def update_priority(c):
    block = c.fill("n1")
    jobs = [c.submit("-wn1", "-n4", seconds=2) for _ in range(2)]
    said = c.scontrol("update", f"jobid={jobs[1]}", "priority=99999999")
    c.cancel(block)
    return said, c.starts(jobs[1]), c.state(jobs[0])


def nice_and_top(c):
    block = c.fill("n1")
    jobs = [c.submit("-wn1", "-n4", seconds=2) for _ in range(2)]
    said = c.scontrol("update", f"jobid={jobs[0]}", "nice=5000")
    time.sleep(1)
    c.cancel(block)
    return said, c.starts(jobs[1]), c.state(jobs[0])


def update_partition(c):
    block = c.fill("n1", "n2", "n3", "n4")
    job = c.submit()
    said = c.scontrol("update", f"jobid={job}", "partition=big")
    started = c.starts(job)
    c.cancel(block)
    return said, started


def preemption(c):
    low = c.submit("-wn1", "-n4", "--qos=low", seconds=300)
    assert c.starts(low)
    high = c.submit("-wn1", "-n4", "--qos=high", seconds=2)
    return c.starts(high), c.until(low, "PENDING", "COMPLETING")


def limit_of_user(c):
    jobs = [c.submit("-Ascience", user="sys", seconds=8) for _ in range(2)]
    return (c.starts(jobs[0]), c.waits(jobs[1], "AssocMaxJobsLimit"),
            c.starts(jobs[1]))


def limit_of_account(c):
    jobs = [c.submit("-Asmall", "-n3", user="games", seconds=8)
            for _ in range(2)]
    return (c.starts(jobs[0]), c.waits(jobs[1], "AssocGrpCpuLimit"),
            c.starts(jobs[1]))


def limit_of_qos(c):
    jobs = [c.submit("--qos=few", user="bin", seconds=8) for _ in range(2)]
    return (c.starts(jobs[0]), c.waits(jobs[1], "QOSMaxJobsPerUserLimit"),
            c.starts(jobs[1]))


def partition_states(c):
    seen = []
    for state in ("DOWN", "INACTIVE", "DRAIN"):
        c.scontrol("update", "partitionname=over", f"state={state}")
        job = c.submit("-pover")
        time.sleep(2)
        seen.append((c.show(job, "%r"), c.state(job)) if job.isdigit()
                    else job)
        c.scontrol("update", "partitionname=over", "state=UP")
        if job.isdigit():
            seen.append(c.starts(job))
    return seen


def features(c):
    seen = []
    for constraint in ("amd", "intel&big", "amd|big", "[amd*1&big*1]",
                       "intel&amd"):
        nodes = "-N2" if "*" in constraint else "-N1"
        job = c.submit("-pall", nodes, f"-C{constraint}", seconds=2)
        if not job.isdigit():
            seen.append(job)
            continue
        started = c.starts(job)
        seen.append((constraint, started, c.nodes_of(job)))
    return seen


def node_lists(c):
    seen = []
    for where in (("-wn5",), ("-xn[1-5]",), ("-N2", "-wn1,n5"),
                  ("-N2", "-wn4")):
        job = c.submit("-pall", *where, seconds=2)
        started = c.starts(job)
        seen.append((where, started, c.nodes_of(job)))
        c.until(job, "GONE")
    return seen


def is_kept_free(c, blocked, args, *later):
    """A job waits until the blocked nodes are free, and a later one, with a long
    limit, for it."""
    c.fill(*blocked, seconds=20, minutes=2)
    job = c.submit("-pall", "-t2", *args, seconds=2)
    reason = c.waits(job, "Resources")
    after = c.submit("-pall", "-t60", *later)
    time.sleep(3)
    state = c.state(after)
    started, nodes, size = c.starts(job), c.nodes_of(job), c.show(job, "%C")
    return (reason, state, started, nodes, size, c.starts(after), c.keeps(job))


def part_of_a_node_list(c):
    return is_kept_free(c, ("n2", "n3", "n4", "n5", "n6"),
                        ("-N2", "-n8", "-wn1"), "-n4", "-wn1")


def counts_of_features(c):
    """Slurm 24.11 starts none whose tasks, all of them, do not fit on the nodes of
    each feature."""
    return is_kept_free(c, ("n5", "n6"), (
        "-N3", "-n3", "--exclusive", "-C[amd*2&big*1]"), "-n1", "-wn1")


def one_of_features(c):
    """All nodes have the same one of two features."""
    return is_kept_free(c, ("n2", "n3", "n5", "n6"), (
        "-N2", "-n8", "-C[amd|big]", "-xn6"), "-n1", "-wn1")


def different_amounts(c):
    return is_kept_free(c, ("n5",), ("-N2", "-n12", "-wn1,n5"), "-n1", "-wn1")


def all_kinds_of_nodes(c):
    return is_kept_free(c, ("n5",), ("-n32",), "-n1", "-wn1")


def beside_promises(c):
    """What is not planned takes no node that a promise needs before its limit."""
    c.fill("n1", seconds=20, minutes=2)
    job = c.submit("-N2", "-n8", "-wn1,n2", seconds=2)
    reason = c.waits(job, "Resources")
    other = c.submit("--contiguous", "-xn3", "-t60")
    seen = c.starts(other), c.nodes_of(other)
    return reason, seen, c.starts(job), c.until(job, "GONE"), c.keeps(job)


def weights(c):
    jobs = [c.submit("-pall", "-n4", seconds=6) for _ in range(3)]
    return [(c.starts(j), c.nodes_of(j)) for j in jobs]


def node_ranges(c):
    c.fill("n1")
    job = c.submit("-N2-4", "-n4", seconds=3)
    many = c.submit("-N5", "-pall", "--exclusive")
    started = c.starts(job)
    return started, c.show(job, "%D") in ("2", "3"), c.starts(many)


def over_time_limit(c):
    """It may run a minute over its limit; the next one is planned behind."""
    job = c.submit("-pover", "-wn1", "-n4", seconds=70)
    assert c.starts(job)
    next_ = c.submit("-pover", "-wn1", "-n4")
    time.sleep(66)
    return c.state(job), c.until(next_, "RUNNING", "GONE", patient=60)


def suspend(c):
    job = c.submit("-wn1", "-n4", seconds=5)
    assert c.starts(job)
    c.scontrol("suspend", job)
    state = c.until(job, "SUSPENDED")
    other = c.submit("-wn1", "-n4")
    started = c.starts(other)
    c.until(other, "GONE")
    return state, started, c.scontrol("resume", job), c.until(job, "GONE")


def kill_controller(c):
    block = c.fill("n1")
    job = c.submit("-N2", "-n8", "-wn1", seconds=2)
    c.waits(job, "Resources")
    time.sleep(8)  # Slurm saves its own state every few seconds
    c.restart_controller()
    time.sleep(3)
    seen = c.state(job), c.starts(c.submit("-wn2"))
    c.cancel(block)
    return seen, c.starts(job), c.nodes_of(job), c.keeps(job)


def hostile_names(c):
    job = c.submit("-J", "a\nb|c' \"; %n$(x)", "--comment=\x1b[1m|\n%s%n")
    return job.isdigit(), c.starts(job)


def checks_at_submission(c):
    return [c.submit(*args) for args in (
        ("-c16",), ("--gres=gpu:1",), ("-Cno",), ("--mem=9000",), ("-t90",),
        ("-N9",), ("-wn6",), ("-Lmatlab:3",))]


def priorities(c):
    c.fill("n1")
    job = c.submit("-wn1", "--qos=high")
    c.waits(job, "Resources")
    line = c.run("sprio", "-h", "-j", job, "-o", "%q|%n")
    return line.split("|")[0].strip()


def accounting(c):
    """To the second of each job's own times, by what it asked for."""
    begun = time.strftime("%Y-%m-%dT%H:%M:%S")
    jobs = [c.submit(seconds=s) for s in (1, 2, 3)]
    jobs.append(c.submit("--begin=now+3"))
    jobs.append(c.submit(f"-dafterok:{jobs[2]}"))
    for job in jobs:
        c.until(job, "GONE")
    rows = [tuple(map(int, r)) for r in c.records(
        jobs, "Submit", "Eligible", "Start", "End")]
    # Eligible behind submission or what it waits for, an end behind the start
    seen = [(e - s, end - start) for s, e, start, end in rows]
    # Each scheduler sees the end of the job before at its own time
    seen[4] = 0 <= rows[4][1] - rows[2][3] < 15 and 0, seen[4][1]
    listed = c.run("sacct", "-X", "-n", "-P", "-a", "-S", begun, "-E", "now",
                   "-o", "JobID", "-s", "CD")
    near = [abs(a - b) <= 1 for (a, b), (x, y) in zip(seen, (
        (0, 1), (0, 2), (0, 3), (3, 1), (0, 1)))
        for a, b in ((a, x), (b, y))]
    return (all(near) or seen, all(start - e <= 3 for _, e, start, _ in rows),
            len(set(listed.split()) & set(jobs)) == len(jobs) or listed)


def utilization(c):
    """sreport has what the jobs of sacct ran, of a user without reservations, as
    it charges what these leave idle, too."""
    for job in [c.submit(f"-n{n}", user="sys", seconds=2) for n in (1, 2, 3)]:
        c.until(job, "GONE")
    hour, after = (time.strftime("%Y-%m-%dT%H:00:00", time.gmtime(t))
                   for t in (c.begun, time.time() + 3600))
    c.run("sacctmgr", "-i", "rollup", hour, after)
    lines = c.run("sreport", "-P", "-n", "-t", "Seconds", "cluster",
                  "AccountUtilizationByUser", "Start=" + hour, "End=" + after,
                  "Format=Account,Login,Used", "Users=sys")
    used = [int(l.split("|")[2]) for l in lines.splitlines()]
    ran = [int(seconds) * int(cpus) for seconds, cpus in (
        l.split("|") for l in c.run("sacct", "-X", "-n", "-P", "-u", "sys",
                                    "-S", hour, "-o", "ElapsedRaw,AllocCPUS",
                                    "-D").splitlines())]
    return sum(used) == sum(ran) and sum(ran) > 0


def reconfigure(c):
    c.fill("n1")
    job = c.submit("-wn1")
    c.waits(job, "Resources")
    said = c.scontrol("reconfigure")
    time.sleep(2)
    return said, c.state(job), c.starts(c.submit("-wn2"))


# What Slurm itself does otherwise under another SchedulerType.
OTHERWISE = {heterogeneous: "'Requested operation not supported on this system'"}
CASES = [arrays, begin_times, dependencies, chains, deadlines, exclusive, shared,
         overcommit, memory, gpus, licences, heterogeneous, reservation_maintenance,
         reservation_users, reservation_withdrawn, reservation_jobs,
         reservation_licences, drain,
         down, resume, requeue, hold_and_release, root_hold, uhold,
         update_limit, update_priority, nice_and_top, update_partition,
         preemption, limit_of_user, limit_of_account, limit_of_qos,
         partition_states, features, node_lists, part_of_a_node_list,
         counts_of_features, one_of_features, different_amounts, all_kinds_of_nodes,
         beside_promises, weights, node_ranges,
         over_time_limit, suspend, kill_controller, hostile_names,
         checks_at_submission, priorities, accounting, utilization,
         reconfigure]


def do(c, case):
    """Returns what users see in a case, and its jobs."""
    try:
        seen = repr(case(c))
    except (AssertionError, RuntimeError, ValueError) as error:
        seen = "failed: " + " ".join(repr(error).split())[:300]
    return seen, c.clear()


def why_not_planned(c, jobs, log):
    """The reasons of the jobs that the plugin does not plan."""
    found = re.findall(r"fairsched: JobId=(\d+)\S* is not planned: (.*)", log)
    return ", ".join(sorted({why for job, why in found if job in jobs}))


def child(plugin, policy, cases):
    """Does the cases on one cluster; a line for each."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.environ.update(SLURM_TIME_FORMAT="%s", TZ="UTC")
    with Site(plugin, policy) as c:
        for case in cases:
            begun = time.time()
            seen, jobs = do(c, case)
            why = why_not_planned(c, jobs, c.log()) if plugin else ""
            print(case.__name__, seen, why, sep="\t", flush=True)
            print(f"{case.__name__} {time.time() - begun:.0f} s, "
                  f"{'plugin' if plugin else 'stock'}: {seen} {why}",
                  file=sys.stderr, flush=True)
        keep = os.environ.get("KEEP")
        if keep:
            open(f"{keep}-{'plugin' if plugin else 'stock'}.log", "w").write(
                c.log())


def read(pipe):
    return dict((w[0], w[1:]) for w in (
        l.rstrip("\n").split("\t") for l in pipe) if len(w) == 3)


def run_both(plugin, policy, cases):
    """Returns what the cases showed under each, by name: stock, plugin."""
    found = []
    for where in ("", plugin):
        out, into = os.pipe()
        if not os.fork():
            os.close(out)
            os.dup2(into, 1)
            try:
                child(where, policy, cases)
            finally:
                os._exit(0)
        os.close(into)
        found.append(os.fdopen(out))
    return [read(pipe) for pipe in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("--plugin", default="build/plugin")
    parser.add_argument("--policy", default="pc")
    parser.add_argument("case", nargs="*")
    args = parser.parse_args()
    cases = [f for f in CASES if not args.case or f.__name__ in args.case]
    stock, plugin = run_both(os.path.abspath(args.plugin), args.policy, cases)
    failed = 0
    print("| case | beside sched/backfill | not planned |\n|---|---|---|")
    for f in cases:
        name = f.__name__
        if name not in stock or name not in plugin:
            failed += 1
            print(f"| {name.replace('_', ' ')} | no answer | |")
            continue
        same = stock[name][0] == plugin[name][0] and "failed:" not in \
            stock[name][0]
        refused = plugin[name][0] == OTHERWISE.get(f)
        same |= refused
        failed += not same
        print(f"| {name.replace('_', ' ')} | "
              f"{'refused by Slurm' if refused else 'equal' if same else 'differs'}"
              f" | {plugin[name][1]} |", flush=True)
        if not same:
            print(f"not ok {name}: stock {stock[name][0]}, plugin "
                  f"{plugin[name][0]}", file=sys.stderr, flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
