#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: slurm_plugin_test.py [POLICY | CASE ...]

sched/fairsched in a real slurmctld with eight or 16 slurmds of 4 processors. It
takes an hour and the configured source tree of that Slurm, whose folder is
SLURM_SOURCE (tools/slurm/plugin/build.sh makes one); without it the test is
skipped. The cases: choice, assertion, settings, sfs_shares, relshare_shares,
maui_config, and of each policy life, changes, arrays, reservations, classes, many.
Those of sfs and relshare take slurmdbd, mariadbd and root. No case fails because the
machine is busy: times are medians, printed with its load.
"""

import datetime
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

sys.path.insert(0, "tools/slurm")
sys.dont_write_bytecode = True
import cluster  # noqa: E402
from accounts import Accounts  # noqa: E402

PATIENT = 300
PROMISING = ("conservative", "pc", "dc")
SHARES = ("sfs", "relshare")
POLICIES = (*PROMISING, "easy", "fcfs", *SHARES, "maui")
RESERVED = "ReqNodeNotAvail, May be reserved for other job"
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why, flush=True)


def submit(c, procs, seconds, *more, user=0):
    """A user other than this one takes root."""
    other = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    return c.run(*other * bool(user and not os.getuid()), "sbatch", "-n",
                 str(procs), "-t1", "-o", "/dev/null", *more, "--wrap",
                 f"exec sleep {seconds}", cwd="/").split()[-1]


def jobs(c):
    """Returns state, priority, start and reason of each job."""
    out = c.run("squeue", "-h", "-a", "-r", "-o", "%i|%t|%Q|%S|%r")
    return {w[0]: w[1:] for w in (l.split("|") for l in out.splitlines())}


def wait(c, ready, what, patient=PATIENT):
    end = time.time() + patient
    while not ready():
        if time.time() > end:
            raise RuntimeError(f"{what}: {jobs(c)} {c.logs()}")
        time.sleep(0.05)


def state(c, job):
    return jobs(c).get(job, ["gone"])[0]


def wait_until_saved(c, job):
    """Slurm saves its own state every few seconds, comments too."""
    mark = f"now: {time.time()}"
    c.run("scontrol", "update", "jobid=" + job, "comment=" + mark)
    saved = c.folder + "/ctld/job_state"
    wait(c, lambda: os.path.exists(saved) and mark.encode() in
         open(saved, "rb").read(), "a saved state")


def log(c):
    return open(c.folder + "/slurmctld.log").read()


def refusals(c):
    """Returns each start that Slurm refused, and what it logged just before."""
    return re.findall(r"(?:.*\n){0,9}.*cannot start.*", log(c))


def start(c, job):
    """Returns the planned start, as squeue --start tells it; 0: none."""
    at = jobs(c).get(job, ["", "", ""])[2]
    return int(at) if at.isdigit() else 0


def times(c):
    """Returns when slurmctld logged what of which job: (second, what, job)."""
    for line in open(c.folder + "/slurmctld.log"):
        m = re.match(r"\[(\S+)\] (_slurm_rpc_submit_batch_job:|_job_complete:|"
                     r"fairsched: started) JobId=([0-9_]+)(.*)", line)
        if m and (m[2] != "_job_complete:" or m[4].endswith("done")):
            at = datetime.datetime.fromisoformat(m[1])
            yield at.timestamp(), m[2], m[3]


def latencies(c):
    """Returns how long after an arrival or an end each job started."""
    last, took = 0, []
    for at, what, _ in times(c):
        if "started" in what:
            took.append(at - last)
        else:
            last = at
    return took


def promises(c):
    """Returns the promises of each job that did not move earlier: second, cause."""
    found = {}
    for m in re.finditer(r"fairsched: JobId=(\S+) promised (\d+): (.*)", log(c)):
        found.setdefault(m[1], []).append((int(m[2]), m[3]))
    return found


def planned(folder, policy, nodes=8, more="", **how):
    words = f"fair_policy={policy},fair_margin=50"
    if policy in SHARES:
        return Shares(more, nodes=nodes, plugin=folder, parameters=words, **how)
    c = cluster.Cluster(nodes, accounting=more, plugin=folder, parameters=words,
                        **how)
    if policy == "maui":
        configure_maui(c, folder, "USERWEIGHT 1\n")
    return c


def configure_maui(c, folder, text):
    with open(c.folder + "/maui.cfg", "w") as f:
        f.write(text)
    c.use_plugin(folder, "fair_policy=maui,fair_margin=50,fair_config="
                 f"{c.folder}/maui.cfg")


def submit_beside(c, policy, waits, *others):
    """Submits a job that has to wait, and then those that are to start beside
    it; or, as fcfs starts none ahead of it, it behind them."""
    last = policy == "fcfs"
    jobs = [submit(c, *how) for how in ((*others, waits) if last else
                                        (waits, *others))]
    return jobs[-1:] + jobs[:-1] if last else jobs


def test_life(folder, policy):
    with planned(folder, policy) as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        first = submit(c, 32, 300)
        wait(c, lambda: state(c, first) == "R", "the first job")
        begun = time.time()
        wide, other = submit(c, 32, 3), submit(c, 32, 3)
        wait(c, lambda: is_planned(c, policy, wide), "a reason in squeue")
        at = start(c, wide)
        if policy in PROMISING:
            case(f"{policy}: squeue --start tells the promised start",
                 100 < at - begun < 125, (at, begun))
        wait_until_saved(c, other)
        c.restart_controller()
        time.sleep(1)
        modes = [oct(os.stat(f"{c.folder}/ctld/fairsched{name}").st_mode & 0o777)
                 for name in ("", "/state")]
        case(f"{policy}: the state is its owner's only", modes == ["0o700",
             "0o600"], modes)
        case(f"{policy}: kill -9 of slurmctld keeps promises", state(c, first)
             == "R" and state(c, wide) == "PD" and start(c, wide) == at,
             (at, jobs(c), log(c)))
        c.run("scancel", first)
        wait(c, lambda: state(c, wide) == "R", "the next job")
        wait(c, lambda: jobs(c)[other][3] == "Resources", "Slurm's own reason")
        case(f"{policy}: in order", state(c, other) == "PD", jobs(c))
        c.run("scancel", other)
        wait(c, lambda: not jobs(c), "all end")
        before = len(latencies(c))
        for _ in range(9):
            job = submit(c, 1, 1)
            wait(c, lambda: state(c, job) != "PD", "a job that fits")
        took = latencies(c)[before:]
        case(f"{policy}: submitted to started: {statistics.median(took):.3f} s "
             f"in the median of {len(took)}, load {os.getloadavg()[0]:.1f}",
             len(took) == 9, took)
        case(f"{policy}: no assertion failed", "assertion" not in log(c))


def test_changes(folder, policy):
    """Each change of a job or a node, and the decision that follows."""
    with planned(folder, policy) as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        test_limits(c, policy)
        test_held(c, policy)
        test_nodes(c, policy)
        test_named(c, policy)
        case(f"{policy}: changes: no assertion failed",
             "assertion" not in log(c))


def is_planned(c, policy, job):
    """Without promises squeue tells that the job waits, and no start."""
    at, reason = jobs(c).get(job, ["", "", "", ""])[2:4]
    return (at.isdigit() if policy in PROMISING else
            reason in ("Resources", "Priority", RESERVED))


def test_running_limit(c, policy, run, wide):
    at = start(c, wide)
    c.run("scontrol", "update", "jobid=" + run, "timelimit=3")
    wait(c, lambda: start(c, wide) == at + 120, "a longer limit: later")
    case(f"{policy}: a longer limit names the cause",
         promises(c)[wide][-1] == (at + 120, "modified"), promises(c))
    c.run("scontrol", "update", "jobid=" + run, "timelimit=1")
    if policy != "dc":  # which moves no start but to the present
        wait(c, lambda: start(c, wide) == at, "a shorter limit: earlier")


def test_limits(c, policy):
    run = submit(c, 32, 300)
    wait(c, lambda: state(c, run) == "R", "a job on all nodes")
    wide = submit(c, 32, 1)
    wait(c, lambda: is_planned(c, policy, wide), "a plan")
    if policy in PROMISING:
        test_running_limit(c, policy, run, wide)
    narrow = submit(c, 8, 1, "-d", f"after:{wide}")
    c.run("scontrol", "update", "jobid=" + wide, "numtasks=16",
          "numcpus=16")
    wait(c, lambda: policy not in PROMISING or
         promises(c).get(wide, [(0, "")])[-1][1] == "arrival", "fewer tasks")
    c.run("scontrol", "requeue", run)
    wait(c, lambda: state(c, run) == "PD" and state(c, wide) != "PD",
         "a requeue gives its nodes to the next job")
    case(f"{policy}: limits, requeue", True)
    wait(c, lambda: state(c, narrow) == "gone", "a dependency on a start")
    c.run("scancel", run)
    wait(c, lambda: not jobs(c), "all end")


def test_held(c, policy):
    run = submit(c, 32, 300)
    wait(c, lambda: state(c, run) == "R", "a job on all nodes")
    wide, other = submit(c, 32, 1), submit(c, 32, 1)
    wait(c, lambda: is_planned(c, policy, wide), "a plan")
    at = start(c, wide)
    c.run("scontrol", "hold", wide)
    moves_up = policy in ("conservative", "pc")
    if not moves_up:  # no other job tells that the hold was seen
        last = submit(c, 32, 1)
        wait(c, lambda: is_planned(c, policy, last), "a plan after the hold")
        c.run("scancel", last)
    else:
        wait(c, lambda: start(c, other) == at, "a hold: the next job moves up")
    c.run("scontrol", "release", wide)
    wait(c, lambda: is_planned(c, policy, wide),
         "a release: planned again")
    case(f"{policy}: a held job returns as an arrival", policy not in PROMISING
         or start(c, wide) > at, jobs(c))
    c.run("scancel", other)
    wait(c, lambda: not moves_up or start(c, wide) == at,
         "a cancel: the next job moves up")
    c.run("scancel", run, wide)
    held = submit(c, 1, 1, "--hold")
    after = submit(c, 1, 1, "-d", f"afterok:{held}")
    never = submit(c, 1, 1, "-d", f"afternotok:{held}")
    time.sleep(2)
    case(f"{policy}: a held job and its dependent ones wait", all(
        state(c, j) == "PD" for j in (held, after, never)), jobs(c))
    c.run("scontrol", "release", held)
    wait(c, lambda: state(c, after) == "gone", "the held and the dependent job")
    wait(c, lambda: jobs(c)[never][3] == "DependencyNeverSatisfied",
         "a dependency that failed")
    case(f"{policy}: a dependency that fails", state(c, never) == "PD", jobs(c))
    c.run("scancel", never)
    wait(c, lambda: not jobs(c), "all end")


def test_nodes(c, policy):
    c.run("scontrol", "update", "nodename=n[1-4]", "state=down", "reason=test")
    wide, narrow = submit_beside(c, policy, (32, 1), (16, 1))
    wait(c, lambda: state(c, narrow) != "PD", "the job beside down nodes")
    case(f"{policy}: nodes down", state(c, wide) == "PD" and not start(c, wide),
         jobs(c))
    c.run("scontrol", "update", "nodename=n[1-4]", "state=idle")
    wait(c, lambda: not jobs(c), "the job after nodes were down")
    run = submit(c, 4, 300, "-w", "n1")
    wait(c, lambda: state(c, run) == "R", "a job on n1")
    c.run("scontrol", "update", "nodename=n[1-2]", "state=drain", "reason=test")
    rest, wide = submit(c, 24, 1), submit(c, 28, 1)
    wait(c, lambda: state(c, rest) != "PD", "the job beside drained nodes")
    wait(c, lambda: jobs(c)[wide][3] != "None", "a plan")
    case(f"{policy}: nodes drained", state(c, wide) == "PD" and not
         start(c, wide) and state(c, run) == "R", jobs(c))
    slurmd, = (d for d in c.daemons if "n2" in d.args)
    slurmd.send_signal(signal.SIGSTOP)
    c.run("scontrol", "update", "nodename=n[1-2]", "state=resume")
    wait(c, lambda: state(c, rest) == "gone", "the job beside drained nodes")
    time.sleep(1)
    was, node = state(c, wide), c.run("sinfo", "-h", "-n", "n2", "-o", "%T")
    case(f"{policy}: a node that was resumed has to register", not refusals(c)
         and (was == "PD" or "*" not in node), (was, node, refusals(c)))
    slurmd.send_signal(signal.SIGCONT)
    wait(c, lambda: state(c, wide) != "PD", "the job after nodes were drained")
    case(f"{policy}: nodes resumed", state(c, run) == "R" and not refusals(c),
         refusals(c))
    c.run("scancel", run)
    wait(c, lambda: not jobs(c), "all end")


def test_named(c, policy):
    """A node is full, others are free: the job that names it waits for its end."""
    node = ("-N1", "-w", "n1")
    run = submit(c, 4, 300, *node)
    wait(c, lambda: state(c, run) == "R", "a job on n1")
    begun = time.time()
    same, other = submit_beside(c, policy, (4, 1, *node), (28, 1))
    wait(c, lambda: is_planned(c, policy, same), "a plan for n1")
    wait(c, lambda: state(c, other) != "PD", "a job beside n1")
    case(f"{policy}: a job of a node list is planned on it, and others go on",
         state(c, same) == "PD" and not refusals(c) and
         (policy not in PROMISING or 100 < start(c, same) - begun < 125),
         (begun, jobs(c), refusals(c)))
    c.run("scancel", run)
    wait(c, lambda: not jobs(c), "all end")


def test_arrays(folder, policy):
    with planned(folder, policy) as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        one = submit(c, 16, 4, "--array=1,3,7,9")
        wait(c, lambda: [state(c, f"{one}_{i}") for i in (1, 3, 7, 9)] ==
             ["R", "R", "PD", "PD"], "two tasks that fit")
        wait(c, lambda: is_planned(c, policy, one + "_7"), "the next task")
        c.run("scancel", one + "_7")
        wait(c, lambda: not jobs(c), "the end of an array")
        begun = sorted(j for _, what, j in times(c) if "started" in what)
        case(f"{policy}: the tasks of an array", begun ==
             [f"{one}_{i}" for i in (1, 3, 9)], begun)
        two = submit(c, 8, 4, "--array=1-4%1")
        other = submit(c, 24, 1)
        wait(c, lambda: state(c, other) == "R", "a job beside a throttled array")
        case(f"{policy}: a throttled array", [state(c, f"{two}_{i}") for i in
                                              (1, 2)] == ["R", "PD"], jobs(c))
        wait(c, lambda: not jobs(c), "the end of a throttled array")
        case(f"{policy}: the plugin alone starts tasks", not re.search(
            r"sched: Allocate", log(c)), log(c)[-3000:])
        begun = [at for at, what, j in times(c) if "started" in what and
                 j.startswith(two + "_")]
        case(f"{policy}: ... one by one", len(begun) == 4 and min(
            b - a for a, b in zip(begun, begun[1:])) > 3.5, begun)


def test_reservations(folder, policy):
    with planned(folder, policy) as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"

        def reserve(name, *more):
            c.run("scontrol", "create", "reservation", "reservationname=" +
                  name, "nodes=n[1-4]", "users=root", *more)
        reserve("repair", "starttime=now+60", "duration=10", "flags=maint")
        begun = time.time()
        wide, half, next_ = submit_beside(c, policy, (32, 1), (16, 5), (16, 1))
        wait(c, lambda: state(c, half) == "R", "a job beside a reservation")
        wait(c, lambda: is_planned(c, policy, wide), "a plan")
        case(f"{policy}: maintenance is planned", state(c, next_) == "PD" and
             (policy not in PROMISING or 655 < start(c, wide) - begun < 670),
             (begun, jobs(c)))
        wait(c, lambda: state(c, next_) != "PD", "the next job beside it")
        c.run("scontrol", "delete", "reservation=repair")
        wait(c, lambda: not jobs(c), "the job after a reservation")
        reserve("own", "starttime=now+20", "duration=5")
        at = time.time()
        own = submit(c, 16, 1, "--reservation=own")
        wait(c, lambda: state(c, own) != "PD", "the begin of a reservation")
        case(f"{policy}: a job of a reservation starts in it", 19 <
             time.time() - at < 30, at)
        case(f"{policy}: ... as it is planned", f"JobId={own} promised" in log(c),
             log(c)[-3000:])
        c.run("scontrol", "delete", "reservation=own", check=False)
        case(f"{policy}: Slurm refused no start", not refusals(c),
             refusals(c))


def test_classes(folder, policy):
    """Two partitions, GPUs and licences; one job needs all licences."""
    with planned(folder, policy, nodes=6, gpu_nodes=2,
                 more="Licenses=matlab:2") as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        gpus = ("-N1", "-p", "gpu", "--gres=gpu:2")
        fill = submit(c, 16, 300)
        both, pair = submit(c, 1, 8, *gpus), submit(c, 1, 8, *gpus)
        third, narrow = submit_beside(c, policy, (1, 1, *gpus),
                                      (2, 1, "-p", "gpu"))
        wide = submit(c, 16, 1)
        wait(c, lambda: state(c, narrow) != "PD", "a job without GPUs")
        now = jobs(c)
        case(f"{policy}: a class without free GPUs has free processors",
             [now[j][0] for j in (fill, both, pair, third)] ==
             ["R", "R", "R", "PD"], now)
        case(f"{policy}: a full partition", state(c, wide) == "PD", now)
        array = submit(c, 2, 1, "-p", "batch,gpu", "--array=1-3")
        two = submit(c, 2, 1, "-N2", "-p", "batch,gpu")
        wait(c, lambda: state(c, two) != "PD", "a job of two nodes of the "
             "smaller partition", 60)
        wait(c, lambda: not any(j.startswith(array) for j in jobs(c)),
             "an array of two partitions")
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
    wait(c, lambda: is_planned(c, policy, two), "a plan for two licences")
    promise, later = start(c, two), []
    while state(c, two) == "PD" and time.time() < submitted + 120:
        later.append(submit(c, 1, 8, *one))
        time.sleep(4)
    case(f"{policy}: a job of two licences starts by its promise, after "
         f"{time.time() - submitted:.0f} s", state(c, two) != "PD" and
         (policy not in PROMISING or time.time() <= promise + 5), promise)
    c.run("scancel", *later)
    wait(c, lambda: not jobs(c), "all end")


def build(folder, flags=""):
    subprocess.run(["sh", "tools/slurm/plugin/build.sh", folder], check=True,
                   env=dict(os.environ, CFLAGS=os.environ.get("CFLAGS", "") +
                            flags))


def test_choice(folder):
    """The nodes that are chosen for a job, against all sets of nodes."""
    source = os.environ["SLURM_SOURCE"]
    subprocess.run(["cc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wno-unused-"
                    "function", "-DHAVE_CONFIG_H", "-I.", "-isystem", source,
                    "-isystem", source + "/src/common", "tests/slurm/choose.c",
                    "tools/slurm/plugin/choose.c", "-o", folder + "/choose"],
                   check=True)
    done = subprocess.run([folder + "/choose"], capture_output=True, text=True)
    case("choice of nodes", not done.returncode, done.stdout)


def test_assertion(folder):
    """A build fails as soon as there is a file."""
    folder += "/fails"
    build(folder, f' -DFAIRSCHED_PLUGIN_FAIL="{folder}/fail"')
    if os.path.exists(folder + "/fail"):
        os.remove(folder + "/fail")
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


def test_settings(folder):
    """Orders, and an order that the policy does not take."""
    with planned(folder, "pc,fair_order=slurm,fair_scan=1", more="PriorityType="
                 "priority/multifactor\nPriorityWeightJobSize=100000\n"
                 "PriorityFavorSmall=yes") as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        first = submit(c, 32, 300, "-t5")  # room for one before the other
        wait(c, lambda: state(c, first) == "R", "the first job")
        wide, narrow = submit(c, 32, 1, "--nice=50000"), submit(c, 20, 1)
        wait(c, lambda: is_planned(c, "pc", narrow), "a plan")
        c.run("scancel", first)
        wait(c, lambda: not jobs(c), "all end")
        begun = [j for _, what, j in times(c) if "started" in what]
        case("the order of Slurm's priorities", begun == [first, narrow, wide],
             begun)
    with planned(folder, "easy,fair_order=usage") as c:
        first, second = submit(c, 32, 8), submit(c, 32, 1)
        other = submit(c, 32, 1, user=1)
        wait(c, lambda: not jobs(c), "all end")
        begun = [j for _, what, j in times(c) if "started" in what]
        case("the order by users' usage", begun == [first, other, second] or
             os.getuid() > 0, begun)
    with planned(folder, "conservative,fair_order=usage") as c:
        job = submit(c, 1, 1)
        wait(c, lambda: state(c, job) == "gone", "Slurm's own start")
        case("what is not valid gives the jobs to Slurm", "it is disabled" in
             log(c), log(c)[-3000:])
        for word, why in (("fair_policy=consrvative", "it is conservative"),
                          ("fair_polcy=pc", "there is no such parameter"),
                          ("fair_margin=1m", "it is seconds"),
                          ("fair_scan=-1", "it is a number of jobs"),
                          ("fair_order=size", "it is slurm, or an order")):
            c.use_plugin(folder, word)
            reconfigure(c, f"SchedulerParameters={word}: {why}")
        job = submit(c, 1, 1)
        wait(c, lambda: state(c, job) == "gone", "Slurm's own start")
        c.use_plugin(folder, "fair_policy=pc,fair_margin=7")
        reconfigure(c, "fairsched: pc, order fcfs; 8 nodes in 1 classes; "
                    "planned are processors, and time limits with 7 s")
        job = submit(c, 1, 1)
        wait(c, lambda: state(c, job) == "gone", "the plugin's start")
        case("scontrol reconfigure applies all", f"started JobId={job} " in log(c),
             log(c)[-3000:])


TREE = """Cluster - 'fairsched':Fairshare=1:QOS='normal':DefaultQOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':Fairshare=1
Account - 'science':Description='x':Organization='x':Fairshare=6
Account - 'arts':Description='x':Organization='x':Fairshare=1
Parent - 'science'
User - 'bin':DefaultAccount='science':Fairshare=1
Parent - 'arts'
User - 'games':DefaultAccount='arts':Fairshare=1
"""


class Shares(Accounts):
    """Eight nodes of 4 processors; science has 6 of 8 shares, arts 1."""

    def __enter__(self):
        super().__enter__()
        try:
            with open(f"{self.folder}/dump", "w") as f:
                f.write(TREE)
            self.run("sacctmgr", "-i", "load", f"{self.folder}/dump", "clean")
            self.start_controller()
            for i in range(self.nodes):
                self.daemon("slurmd", "-D", "-N", f"n{i + 1}")
            self.wait(lambda: self.idle() == self.nodes, "idle nodes")
        except BaseException:
            self.__exit__()
            raise
        return self

    def submit(self, user, procs, seconds):
        return self.run("sbatch", "--parsable", f"--uid={user}", "-t9", "-D/tmp",
                        "-o/dev/null", "-n", str(procs), input="#!/bin/sh\n"
                        f"exec sleep {seconds}\n").strip()

    def runs(self, *jobs):
        for job in jobs:
            wait(self, lambda: state(self, job) == "R", "a start")
        return jobs


def has_accounting():
    path = os.environ["PATH"] + ":/usr/sbin"
    return not os.getuid() and all(shutil.which(p, path=path)
                                   for p in ("slurmdbd", "mariadbd"))


def test_sfs_shares(folder):
    """The target of science is 24 processors, that of arts 4."""
    with Shares(nodes=8, cpus=4, plugin=folder,
                parameters="fair_policy=sfs,fair_margin=20") as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        above, rest = c.runs(c.submit("bin", 28, 600), c.submit("root", 4, 600))
        first, second = c.submit("bin", 4, 600), c.submit("games", 4, 600)
        wait(c, lambda: jobs(c)[second][3] == "Priority", "a plan")
        c.run("scancel", rest)
        c.runs(second)
        time.sleep(2)
        case("sfs: the job of an account above its target waits for one that "
             "is not", state(c, first) == "PD", jobs(c))
        third = c.submit("games", 4, 600)
        c.run("sacctmgr", "-i", "modify", "account", "science", "set",
              "fairshare=60")
        time.sleep(3)
        c.run("scancel", second)
        c.runs(first)
        case("sfs: sacctmgr raises the target", state(c, third) == "PD" and
             state(c, above) == "R", jobs(c))
        case("sfs: no assertion failed", "assertion" not in log(c))


def test_relshare_shares(folder):
    """Two users have used as much, and bin has six times the share."""
    with Shares(nodes=8, cpus=4, plugin=folder,
                parameters="fair_policy=relshare,fair_margin=20") as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        c.runs(c.submit("bin", 12, 600), c.submit("games", 12, 600))
        rest, = c.runs(c.submit("root", 8, 600))
        first, second = c.submit("games", 8, 600), c.submit("bin", 8, 600)
        time.sleep(10)  # what they are entitled to comes with time
        c.run("scancel", rest)
        c.runs(second)
        case("relshare: of equal usage the larger share goes first",
             state(c, first) == "PD", jobs(c))
        wait_until_saved(c, first)
        c.restart_controller()
        time.sleep(3)
        c.run("scancel", second)
        c.runs(first)
        case("relshare: goes on after kill -9", "the saved plan continues" in
             log(c) and "assertion" not in log(c), log(c)[-3000:])


MAUI = """USERWEIGHT 1
USERCFG[daemon] PRIORITY={priority}
USERCFG[bin] MAXPROC=8
CLASSCFG[batch] MAX.PROC=30
"""


def test_maui_config(folder):
    with cluster.Cluster(8, 4, plugin=folder) as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"

        configure_maui(c, folder, MAUI.format(priority=1000))
        reconfigure(c, "fairsched: maui, order fcfs; 8 nodes")
        wide = submit(c, 32, 1)
        wait(c, lambda: f"JobId={wide} is not planned: MAX.PROC of its class" in
             log(c), "a job that its class rejects")
        c.run("scancel", wide)
        fill = submit(c, 28, 300)
        wait(c, lambda: state(c, fill) == "R", "a job on seven nodes")
        first, second = submit(c, 24, 1), submit(c, 24, 300, user=1)
        wait(c, lambda: is_planned(c, "easy", second), "a plan")
        c.run("scancel", fill)
        wait(c, lambda: state(c, second) == "R", "the higher priority")
        case("maui: the priority of a user", state(c, first) == "PD", jobs(c))
        configure_maui(c, folder, MAUI.format(priority=-1000))
        time.sleep(1.1)
        c.run("scontrol", "reconfigure")  # 24.11 starts slurmctld again
        wait(c, lambda: re.search("fair_config has changed$|saved plan continues",
                                  log(c), re.M), "another configuration")
        third = submit(c, 24, 1, user=1)
        time.sleep(2)
        c.run("scancel", second)
        wait(c, lambda: state(c, third) == "gone", "all of them")
        begun = [j for _, what, j in times(c) if "started" in what]
        case("maui: scontrol reconfigure reads the file again",
             begun == [fill, second, first, third], begun)
        limited = [submit(c, 6, 300, user=2) for _ in range(2)]
        other = submit(c, 6, 1)
        wait(c, lambda: state(c, other) == "gone", "a job beside a limit")
        case("maui: the limit of a user", [state(c, j) for j in limited] ==
             ["R", "PD"], jobs(c))
        case("maui: no assertion failed", "assertion" not in log(c))


def reconfigure(c, line):
    time.sleep(1.1)  # Slurm knows a configuration by its second
    c.run("scontrol", "reconfigure")
    wait(c, lambda: line in log(c), line)


MANY, WITHOUT_PROMISES = 501, 150  # jobs
USERS, WITH_SHARES = (1, 2, 3, 5, 6), (2, 5)


def submit_many(c, count, rng, users):
    """Jobs of some users; some need GPUs, one licence, or both licences."""
    ids = []
    for i in range(count):
        more = ["-t", str(rng.randrange(1, 4))]
        procs = rng.choice((1, 1, 2, 2, 4, 4, 8, 16))
        if rng.randrange(4) == 0:
            procs = rng.randrange(1, 5)
            more += ["-N1", "-p", "gpu", f"--gres=gpu:{rng.randrange(1, 3)}"]
        elif rng.randrange(4) == 0:
            more += ["-L", f"matlab:{1 + (rng.randrange(5) == 0)}"]
        ids.append(submit(c, procs, rng.randrange(1, 4), *more,
                          user=rng.choice(users)))
    return ids


def test_promises(c, policy, ids, begun):
    told, causes, late, unnamed = promises(c), {}, [], []
    for j in ids:
        for (was, _), (to, why) in zip(told[j], told[j][1:]):
            if to <= was:
                continue
            causes[why] = causes.get(why, 0) + 1
            if why == "arrival":
                unnamed.append((j, told[j]))
        if begun[j] > told[j][-1][0] + 5 and not re.search(
                rf"JobId={j} is \d+ s later than first promised: "
                "(?!none|late)", log(c)):
            late.append((j, begun[j], told[j]))
    case(f"{policy}: promises: {len(told)} made, {len(late)} broken, moved "
         f"later: {causes}", set(told) >= set(ids) and not late and not
         unnamed, (late, unnamed))


def test_many(folder, policy):
    """A third of the jobs; two that keep all others waiting, while slurmctld
    saves its state; the second third, kill -9; the last third."""
    with planned(folder, policy, nodes=16, gpu_nodes=4,
                 more="Licenses=matlab:2") as c:
        c.env["SLURM_TIME_FORMAT"] = "%s"
        rng = random.Random(policy)
        users = WITH_SHARES if policy in SHARES else USERS
        third = (MANY if policy in PROMISING else WITHOUT_PROMISES) // 3
        ids = submit_many(c, third, rng, users)
        stop = [submit(c, 48, 999, "-t9"), submit(c, 16, 999, "-t9", "-pgpu")]
        wait(c, lambda: all(state(c, j) == "R" for j in stop), "two wide jobs",
             900)
        ids += submit_many(c, third, rng, users)
        wait_until_saved(c, stop[0])
        before = {j: (w[0], w[2]) for j, w in jobs(c).items()}
        c.restart_controller()
        wait(c, lambda: "the saved plan continues" in log(c), "the plugin")
        time.sleep(2)
        after = {j: (w[0], w[2]) for j, w in jobs(c).items()}
        case(f"{policy}: kill -9 with {len(before) - len(stop)} jobs queued, "
             "whose planned starts stay", before == after,
             set(before.items()) ^ set(after.items()))
        c.run("scancel", *stop)
        ids += submit_many(c, third, rng, users)
        wait(c, lambda: not jobs(c), "all end", 1800)
        begun = {j: at for at, what, j in times(c) if "started" in what}
        ended = re.findall(r"JobId=(\d+) .*JobState=COMPLETED",
                           open(c.folder + "/jobs.txt").read())
        case(f"{policy}: {len(set(ended))} jobs completed", set(ended) ==
             set(ids), set(ids) ^ set(ended))
        if policy in PROMISING:
            test_promises(c, policy, ids, begun)
        took = latencies(c)
        case(f"{policy}: from an arrival or an end to a start: "
             f"{statistics.median(took):.3f} s in the median, {max(took):.3f} "
             f"s at most, load {os.getloadavg()[0]:.1f}", True)
        c.controller.terminate()
        c.controller.wait()
        case(f"{policy}: " + " ".join(re.findall(
            r"passes with.*|a pass took.*", log(c))), "assertion" not in log(c))


CASES = {f.__name__[5:]: f for f in (test_life, test_changes, test_arrays,
                                     test_reservations, test_classes,
                                     test_many)}
ONCE = {f.__name__[5:]: f for f in (test_choice, test_assertion, test_settings,
                                    test_sfs_shares, test_relshare_shares,
                                    test_maui_config)}


def run(test, *args):
    """A case that cannot go on fails; the others follow."""
    name = " ".join((test.__name__, *args[1:]))
    if any(policy in name for policy in SHARES) and not has_accounting():
        print("skip", name + ": no slurmdbd, no mariadbd, or not root")
        return
    try:
        test(*args)
    except RuntimeError as error:
        case(name, False, error)


def main():
    if cluster.missing() or not os.environ.get("SLURM_SOURCE"):
        print("skip plugin: there is no Slurm, or SLURM_SOURCE is not set")
        return
    policies = [p for p in POLICIES if p in sys.argv] or POLICIES
    chosen = [a for a in sys.argv[1:] if a not in POLICIES]
    if not {*CASES, *ONCE}.issuperset(chosen):
        sys.exit(f"there is no such policy or case: {chosen}")
    folder = os.path.abspath(os.environ.get("PLUGIN", "build/plugin"))
    build(folder)
    for name, test in ONCE.items():
        if name in chosen or not sys.argv[1:]:
            run(test, folder)
    for policy in policies:
        for name, test in CASES.items():
            if name in chosen or not chosen:
                run(test, folder, policy)


main()
sys.exit(failed > 0)
