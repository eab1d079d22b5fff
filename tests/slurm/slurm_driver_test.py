#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""fairsched-slurm against programs that say what Slurm would: each event, what
is hostile, what fails. slurm_test.py has the real ones.
"""

import ctypes
import ctypes.util
import fcntl
import gzip
import os
import re
import resource
import shutil
import subprocess
import sys
import time

sys.path.insert(0, "tools/slurm")
sys.dont_write_bytecode = True
import fake  # noqa: E402
from fake import NOW, job, runs  # noqa: E402

PROGRAM = os.path.abspath(next(
    (p for p in ("tools/slurm/fairsched-slurm", "build/fairsched-slurm")
     if os.access(p, os.X_OK)), "build/fairsched-slurm"))
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why, flush=True)


def Site(*settings, **more):
    return fake.Site(PROGRAM, *settings, **more)


# ---- events ----

def test_life():
    s = Site("policy = conservative")
    told = s.cycle(job(1, 16), job(2, 32), job("3_4", 16))
    case("what fits is released", told == ["release 1 3_4"], (told, s.log))
    promise = next(l for l in s.log if l.startswith("promise 2 "))
    told = s.cycle(runs(1, 16), job(2, 32), job("3_4", 16))
    case("what was not released is released again", told == ["release 3_4"],
         (told, s.log))
    told = s.cycle(runs(1, 16), job(2, 32), runs("3_4", 16))
    case("nothing happens", told == [] and s.log == [], (told, s.log))
    said = s.call("when", "2").stdout
    at = time.strftime("%Y-%m-%dT%H:%M:%S",
                       time.localtime(int(promise.split()[2])))
    case("when: the promise of before", said == "Job 2: %s, promised; %s was "
         "promised first.\n" % (at, at), said)
    said = s.call("why", "2").stdout
    case("why", "It needs 32 processors: 0 are free" in said and "jobs 1, 3_4"
         in said and "A start is reserved for it at " + at in said, said)
    case("why: it runs", "Job 3_4 has run since" in s.call("why", "3_4").stdout)
    told = s.cycle(job(2, 32), runs("3_4", 16))
    case("an end", told == [] and s.log == ["end 1"], s.log)
    told = s.cycle(job(2, 32))
    case("a start", told == ["release 2"] and s.has("end 3_4", "start 2"),
         s.log)
    page = s.call("status").stdout
    case("status", "promises   2 kept, 0 broken" in page and
         "processors 32, 32 in use by 1 job\n" in page, page)
    told = s.cycle()
    case("all ends", told == [] and s.has("end 2"), s.log)


def test_partition():
    s = Site("policy = easy", "partition = debug")
    told = s.cycle(job(1))
    case("one partition", told == ["release 1"], (told, s.done.stderr))


def test_changes():
    s = Site("policy = conservative")
    s.cycle(runs(1, 24), job(2, 16), job(3, 8, limit="2:00"))
    case("what ran before goes on", s.has("adopt 1 for 60 s") or
         s.has("adopt 1 for 5"), s.log)
    told = s.cycle(runs(1, 24), job(2, 16), job(3, 8, priority=5,
                                                reason="Resources"))
    case("what is about to start is left alone", told == [], (told, s.log))
    told = s.cycle(runs(1, 24), job(2, 16, priority=5), runs(3))
    case("a job released by another program is held again", told == ["uhold 2"],
         (told, s.log))
    s.cycle(runs(1, 24), job(2, 12), runs(3))
    case("other processors", s.has("modify 2 12 processors, 70 s"), s.log)
    s.cycle(runs(1, 24), job(2, 12, limit="5:00"), runs(3, limit="3:00"))
    case("another time limit", s.has("modify 2 12 processors, 310 s",
                                     "modify 3 8 processors, 190 s"), s.log)
    x = Site("policy = conservative")
    x.cycle(job(1, 32), job(2, 32))
    x.cycle(runs(1, 32, limit="9:00"), job(2, 32))
    case("a longer limit of a running job is no overrun", any(
        l.startswith("promise 2 ") and l.endswith(" modified") for l in x.log),
        x.log)
    s.cycle(runs(1, 24), job(2, 12, limit="UNLIMITED"), runs(3, limit="3:00"))
    case("no time limit", s.has("modify 2 12 processors, 31536010 s"), s.log)
    s.cycle(runs(1, 24), job(2, 48), runs(3))
    case("more processors than there are", s.has("cancel 2") and
         "exceeds the machine" in s.call("why", "2").stdout, s.log)
    s.cycle(runs(1, 24), job(2, 12), runs(3))
    s.cycle(runs(1, 24), job(2, 12, reason="JobHeldAdmin"), runs(3))
    case("an administrator's hold", s.has("cancel 2"), s.log)
    case("... is told", "an administrator holds it" in
         s.call("why", "2").stdout)
    told = s.cycle(runs(1, 24), job(2, 12), job(
        3, submit=NOW - 5, eligible=NOW + 900, priority=5, reason="BeginTime"))
    case("a requeue", told == ["uhold 3"] and
         s.has("end 3 requeued", "submit 2"), (told, s.log))
    case("... that may begin later", "it may begin later" in
         s.call("when", "3").stdout)
    s.cycle(runs(1, 24), job(2, 12), job(3, submit=NOW - 5))
    case("... and does", s.has("submit 3", "start 3"), s.log)
    s.cycle(runs(1, 24), job(2, 12, depends="afterok:1(unfulfilled)"), runs(
        3, submit=NOW - 5))
    case("a dependency", s.has("cancel 2"), s.log)
    told = s.cycle(runs(1, 24), runs(3, submit=NOW - 5), job(
        2, 12, depends="afterok:1(failed)", reason="JobHeldAdmin"))
    case("a dependency that failed", told == [] and "depends on failed" in
         s.call("why", "2").stdout, (told, s.log))
    told = s.cycle(runs(1, 24), runs(3, submit=NOW - 5), job(
        2, 8, comment="mine [held by its user]"))
    case("a user's own hold", told == [] and "its user holds it" in
         s.call("why", "2").stdout, (told, s.log))
    s.cycle(runs(1, 24), job(2, 12), runs(3, submit=NOW - 5), runs(4, 0))
    case("no processors: unreadable", "unreadable 1 " in
         s.call("status").stdout)
    s.cycle(runs(1, 24), job(2, 12), runs(4, 8))
    case("a job that was not started here: lost processors",
         s.has("end 3", "capacity - 24"), s.log)
    case("... until it ends", "8 more in use by jobs that Slurm started by itself" in
         s.call("status").stdout)
    s.cycle(runs(1, 24), job(2, 12))
    case("... and they are back", s.has("capacity - 32"), s.log)


def test_dependencies():
    """A job is tested once for each job that it waits for and that has ended."""
    def told_for(depends, *more, number=9, **job_has):
        s.write("told", "")
        told = s.cycle(runs(1), *more, job(number, depends=depends, **job_has))
        tested = [f"update jobid={number} starttime=now+300",
                  f"release {number}",
                  f"update jobid={number} dependency={depends}",
                  f"uhold {number}", f"update jobid={number} starttime=now"]
        return {(): False, tuple(tested): True}.get(tuple(told), told)
    s = Site("policy = easy", nodes="0/8/0/8")
    s.cycle(runs(1))
    waits = [job(3), job("5_1"), runs("5_2", 1)]
    for depends, want in (
            ("afterok:1(unfulfilled)", False),
            ("afterok:2(unfulfilled)", True),
            ("afterany:3(unfulfilled)", False),
            ("afterany:3(unfulfilled),afternotok:2(unfulfilled)", True),
            ("afterok:3(unfulfilled)?afterok:1(unfulfilled)", False),
            ("afterok:3(unfulfilled)?afterok:2(unfulfilled)", True),
            ("after:1(unfulfilled)", True), ("after:3(unfulfilled)", False),
            ("after:1+5(unfulfilled)", True),
            ("afterok:5_1(unfulfilled)", False),
            ("afterok:5_3(unfulfilled)", True),
            ("afterok:5_*(unfulfilled)", False),
            ("afterok:6_*(unfulfilled)", True),
            ("after:5_*(unfulfilled)", False),
            ("singleton(unfulfilled)", False),
            ("singleton(unfulfilled),afterok:2(unfulfilled)", True),
            ("afterok:2(failed)", False), ("afterok:_*(unfulfilled)", False),
            ("afterok:", False), ("afterok", False), (":(", False)):
        told = told_for(depends, *waits)
        case("dependencies: " + depends, told == want, (told, s.log))
    gone = "afterok:2(unfulfilled)"
    for what, has in (("a user's hold", {"comment": "[held by its user]"}),
                      ("an administrator's", {"reason": "JobHeldAdmin"}),
                      ("a begin time", {"eligible": NOW + 900}),
                      ("a task", {"number": "9_1"})):
        told = told_for(gone, *waits, **has)
        case("dependencies: none are tested under " + what, told is False,
             (told, s.log))
    told = s.cycle(runs(1), job(9, priority=5, depends=gone))
    case("... nor of a released job", told == ["uhold 9"], (told, s.log))
    told = s.cycle(*(job(i, depends=gone) for i in range(10, 40)), runs(1))
    case("dependencies: 20 in a cycle", len(told) == 100 and
         s.has("test 29 " + gone) and not s.has("test 30"), (told, s.log))
    s.write("refused", "uhold\n")
    s.cycle(runs(1), job(9, depends=gone))
    case("dependencies: an error", s.has("error 9 scontrol failed") and
         s.done.returncode == 0, s.log)
    s.write("queue", runs(1) + job(9, depends=gone))
    s.write("told", "")
    with subprocess.Popen([PROGRAM, "run", "--settings", "conf"], env=s.env,
                          cwd=s.folder, stderr=subprocess.DEVNULL) as p:
        time.sleep(4)
        once = s.read("told")
        s.write("queue", job(9, depends="afterany:1(unfulfilled)"))
        time.sleep(3)
        p.terminate()
    told = s.read("told")
    case("dependencies: once", once.count("dependency=") == 1 and
         told.count("dependency=") == 2, told)


def test_taken_over():
    """Jobs that were not born held."""
    s = Site("policy = easy")
    told = s.cycle(runs(1, 24), job(2, 16, priority=9, reason="Resources"),
                   job(3, 8, priority=8, reason="Priority"),
                   job(4, priority=7, eligible=NOW + 900, reason="BeginTime"),
                   job(5, priority=7, depends="afterok:1(unfulfilled)"))
    case("not born held", told == ["uhold 2 3 4 5", "release 3"],
         (told, s.log))


def test_capacity():
    s = Site("policy = conservative")
    s.cycle(job(1, 8), job(2, 32))
    s.write("nodes", "0/24/8/32\n")
    s.cycle(runs(1, 8), job(2, 32))
    case("a node down", s.has("capacity - 24"), s.log)
    case("... a promise falls", s.has(
        "promise 2 9223372036854775807 capacity"), s.log)
    case("... when", "never" in s.call("when", "2").stdout)
    s.write("nodes", "0/0/32/32\n")
    s.cycle(runs(1, 8), job(2, 32))
    case("no less than what runs", s.has("capacity - 8"), s.log)
    s.cycle(job(2, 32))
    case("... the rest behind it", s.has("capacity - 0"), s.log)
    s.write("nodes", "0/16/0/16\n0/16/0/16\n")
    told = s.cycle(job(2, 32))
    case("nodes up", s.has("capacity - 32") and told == ["release 2"], s.log)
    s = Site("policy = easy", "retry = 1s")
    s.cycle(job(1), job(2))
    told = s.cycle(job(1), runs(2))
    case("a release that was lost is repeated", told == ["release 1"], s.log)
    s.write("nodes", "0/8/24/32\n")
    told = s.cycle(job(1), runs(2))
    case("... unless its nodes are down", told == [] and
         s.has("end 1 Slurm did not start it"), (told, s.log))
    s.write("nodes", "0/32/0/32\n")
    time.sleep(2)
    told = s.cycle(job(1), runs(2))
    case("... till they are up", told == ["release 1"], (told, s.log))
    s = Site(nodes="0/0/32/32")
    s.cycle(job(1))
    case("no node is up", s.done.returncode == 1 and
         "no node is up" in s.done.stderr, s.done.stderr)
    for text in ("0/1/2", "0/1/2/3/4", "a/1/2/3", "-1/1/1/1", "9" * 30 +
                 "/1/1/1", "2147483647/1/0/1"):
        s.write("nodes", text + "\n")
        s.cycle(job(1))
        case("bad nodes " + text, s.done.returncode == 1 and
             "output of sinfo" in s.done.stderr, s.done.stderr)


def test_patience():
    s = Site("policy = easy", "patience = 5s", "retry = 6s")
    s.cycle(job(1), job(2, 32))
    case("released", s.has("start 1"))
    time.sleep(6)
    told = s.cycle(job(1, priority=5, reason="Resources"), job(2, 32))
    case("not started in time: held", told == ["uhold 1"], (told, s.log))
    told = s.cycle(job(1), job(2, 32))
    case("... others go on", s.has("end 1 Slurm did not start it") and
         told == ["release 2"], (told, s.log))
    case("... and it is told", "planned again" in s.call("why", "1").stdout)
    time.sleep(7)
    s.cycle(job(1), runs(2, 32))
    case("... tried again", s.has("submit 1"), s.log)


def test_promises():
    """Counted by when Slurm starts a job, not by when it was released."""
    s = Site("policy = conservative", "patience = 5s", "retry = 1s")

    def page():
        m = re.search("promises   (.*)", s.call("status").stdout)
        return m and m[1]
    now = int(time.time())
    s.cycle(job(1, 32), job(2, 32))
    case("promises: no start, none kept", page() is None, page())
    s.cycle(runs(1, 32, start=now + 1), job(2, 32))
    case("promises: kept", page() == "1 kept, 0 broken", page())
    s.cycle(job(2, 32))
    time.sleep(6)
    told = s.cycle(job(2, 32, priority=5, reason="Resources"))
    case("promises: held again", told == ["uhold 2"], (told, s.log))
    s.cycle(job(2, 32))
    time.sleep(2)
    told = s.cycle(job(2, 32))
    case("promises: tried again", told == ["release 2"], (told, s.log))
    s.cycle(runs(2, 32, start=int(time.time()) + 80))
    case("promises: a job that is tried again keeps its first promise",
         page() == "1 kept, 1 broken", page())
    late = [line for line in s.log if line.startswith("late ")]
    case("promises: how late", len(late) == 1 and re.fullmatch(
        r"late 2 \d+ s [a-z ]+", late[0]), s.log)


def test_unfit():
    s = Site("policy = easy", "patience = 5s", "retry = 1s")
    s.cycle(job(1), job(2))
    told = s.cycle(job(1, reason="BadConstraints"), runs(2))
    case("unfit: held by Slurm", s.has("unfit 1 BadConstraints") and
         told == ["update jobid=1 admincomment=fairsched: Slurm can never "
                  "start it: BadConstraints"], (told, s.log))
    told = s.cycle(job(1), runs(2), job(3))
    time.sleep(6)
    told = s.cycle(job(1), runs(2), job(3, priority=5,
                                        reason="PartitionTimeLimit"))
    case("unfit: released in vain", told[1:] == ["uhold 3"] and
         s.has("unfit 3 PartitionTimeLimit"), (told, s.log))
    told = s.cycle(job(1), runs(2), job(3))
    case("unfit: not tried again", told == [] and all(
        "can never start it" in s.call("why", n).stdout for n in "13"),
        (told, s.log))
    told = s.cycle(job(1, limit="2:00"), runs(2), job(3))
    case("unfit: ... until it is changed", told == ["release 1"],
         (told, s.log))


def test_throttle():
    s = Site("policy = conservative")
    tasks = [job(f"5_{i}", 16) for i in range(1, 4)]
    s.write("arrays", "5_[1-3%1]\n7\n6_[1,3,...%2]\n8_[1-2]\n")
    told = s.cycle(*tasks, job(7, 8))
    case("throttle: one task", told == ["release 7 5_1"] or
         told == ["release 5_1 7"], (told, s.log))
    case("throttle: the others have no reservation", not any(
        l.startswith("promise 5_2") for l in s.log) and "may run at a time" in
        s.call("why", "5_2").stdout, s.log)
    s.write("arrays", "7\n")  # Slurm says it no more
    told = s.cycle(runs("5_1", 16), *tasks[1:], runs(7, 8))
    case("throttle: remembered", told == [] and s.log == [], (told, s.log))
    told = s.cycle(*tasks[1:], runs(7, 8))
    case("throttle: the next task", told == ["release 5_2"], (told, s.log))
    told = s.cycle(*tasks[1:], runs("6_1", 1), job("6_2", 1), job("6_3", 1),
                   runs(7, 8))
    case("throttle: two at a time", told == ["release 5_2 6_2 6_3"],
         (told, s.log))


def test_overrun():
    s = Site("policy = conservative", "margin = 0s")
    s.cycle(job(1, 32, limit="0:02"), job(2, 32))
    time.sleep(4)
    s.cycle(runs(1, 32, limit="0:02"), job(2, 32))
    case("a promise that an overrun delays names it", any(
        l.startswith("promise 2 ") and l.endswith("overrun") for l in s.log),
        s.log)


def test_sfs():
    s = Site("policy = sfs", "accounts = accounts.csv", "account = bob")
    s.write("accounts.csv", "account,target\nalice,16\nbob,16\n")
    told = s.cycle(*[job(i, 8, account="Alice") for i in range(1, 7)],
                   job(7, 8, account="(null)"), job(8, 8, account="eve"))
    case("sfs: by occupancy", told == ["release 1 2 3 7"], (told, s.log))
    said = s.call("why", "4").stdout
    case("sfs: above its target",
         "Its account occupies 24 processors, above its target of 16" in said,
         said)
    case("sfs: not listed", "not listed" in s.call("why", "8").stdout)
    page = s.call("status").stdout
    case("sfs: status", "account    alice            24 of 16" in page and
         "8              its account is not listed" in page, page)


def test_policies():
    for policy in ("fcfs", "easy", "depth\ndepth = 3", "conservative", "pc",
                   "dc", "relshare\nshares = shares.csv",
                   "sfs\naccounts = accounts.csv\ndepth = 2",
                   "maui\nconfig = maui.cfg", "easy\norder = usage",
                   "easy\norder = usage\nmachine = machine.csv",
                   "sfs\norder = usage\naccounts = accounts.csv",
                   "fcfs\norder = widest", "pc\norder = sjf",
                   "dc\norder = ljf", "pc\norder = narrowest",
                   "depth\norder = lxf", "easy\norder = linear\nweight = 1m",
                   "fcfs\norder = priority\nconfig = maui.cfg",
                   "depth\norder = priority\nconfig = maui.cfg\ndepth = 2",
                   "easy\nbackfill = bestfit\nmetric = seconds\nlongest",
                   "depth\nbackfill = greedy", "easy\nbackfill = none"):
        s = Site("policy = " + policy)
        s.write("shares.csv", "user,shares\n7,3\n9,1\n")
        s.write("accounts.csv", "account,target\na,16\nb,16\n")
        s.write("maui.cfg", "FSPOLICY DEDICATEDPS\nFSWEIGHT 1\n"
                "FSUSERWEIGHT 1\nUSERCFG[DEFAULT] FSTARGET=50\n")
        s.write("machine.csv", "class,count,cpus,ram\nbig,4,32,16G\n")
        first = s.cycle(job(1, 16), job(2, 16, user=9), job(3, 16))
        second = s.cycle(runs(1, 16), runs(2, 16, user=9), job(3, 16))
        third = s.cycle(runs(2, 16, user=9), job(3, 16))
        case("policy " + policy.replace("\n", ", "), first == ["release 1 2"]
             and second == [] and third == ["release 3"],
             (first, second, third, s.log))


MAUI = """
USERWEIGHT 1
QOSWEIGHT 1
USERCFG[DEFAULT] MAXJOB=1
USERCFG[bob] PRIORITY=100 MAXJOB=9
USERCFG[%s] MAXJOB=9
ACCOUNTCFG[physics] QLIST=high MAXNODE=4
QOSCFG[high] PRIORITY=1000
CLASSCFG[short] MAX.WCLIMIT=60 EXCLUDEGROUPLIST=guests
GROUPCFG[guests] MAXPROC=8
""" % ("long" * 50)


def test_maui():
    s = Site("policy = maui", "config = maui.cfg")
    s.write("maui.cfg", MAUI)
    told = s.cycle(job(1, 20), job(2, 20, name="bob"))
    case("maui: a user's priority", told == ["release 2"], (told, s.log))
    s = Site("policy = maui", "config = maui.cfg")
    s.write("maui.cfg", MAUI)
    physics = {"qos": "high", "account": "Physics"}
    told = s.cycle(job(1, 20, name="bob"), job(2, 20, **physics),
                   job(3, 20, name="eve", qos="high"))
    case("maui: a QoS, for its users", told == ["release 2"], (told, s.log))
    told = s.cycle(job(1, 20, name="bob"), job(2, 20, name="bob"),
                   job(3, 20, name="eve", **physics))
    case("maui: another account of a job", s.has("cancel 3", "submit 3"),
         s.log)

    s = Site("policy = maui", "config = maui.cfg")
    s.write("maui.cfg", MAUI)
    long = "long" * 50
    told = s.cycle(job(1), job(2), job(3, name=long), job(4, name=long))
    case("maui: a limit of each user", told == ["release 1 3 4"],
         (told, s.log))
    ran = [runs(1), runs(3, name=long), runs(4, name=long)]
    told = s.cycle(*ran, job(2), job(5, 2, name="zoe"), job(6, 2, name=long))
    case("maui: names stay with their usage", told == ["release 5 6"],
         (told, s.log))
    said = s.call("why", "2").stdout
    case("maui: why", "limit" in said, said)
    told = s.cycle(job(2), job(7, 4, group="guests"), job(
        8, 12, name=long, group="guests"))
    case("maui: a limit of a group", told == ["release 2"] and "exceeds "
         "the machine" in s.call("why", "8").stdout, (told, s.log))
    told = s.cycle(runs(2), job(9, 2, name="a", partition="short,batch",
                                limit="1:01"),
                   job(10, 2, name="b", partition="short", group="guests"),
                   job(11, 2, name="c", partition="short"),
                   job(12, 2, name="d", account="physics", nodes=5))
    case("maui: what a class lets in", told == ["release 11"] and all(
        "partition rejects it" in s.call("why", n).stdout for n in ("9", "10")),
         (told, s.log))
    case("maui: nodes", "exceeds the machine" in s.call("why", "12").stdout)
    s.cycle(runs(2), job(9, 2, name="a", partition="short"), runs(11, 2))
    case("maui: ... or does, when it changes", s.has("submit 9", "start 9"),
         s.log)
    s.cycle(job(13, 40, name="a", partition="short"),
            job(14, 24, name=long), job(15, 24, name=long))
    s.cycle(runs(14, 24, name=long),
            job(15, 24, name=long, partition="short", limit="3:00"))
    case("maui: ... or no longer", s.has("cancel 15") and "rejects it"
         in s.call("why", "15").stdout, s.log)

    ran = [runs(14, 24, name=long)]
    s.write("maui.cfg", MAUI + "XFACTORWEIGHT 3\nUSERCFG[new] PRIORITY=1\n")
    s.cycle(*ran)
    case("maui: another configuration goes on",
         [line for line in s.log if "MAXNODE counts" not in line] == [], s.log)
    s.write("maui.cfg", MAUI + "QOSCFG[low] PRIORITY=1\n")
    s.cycle(*ran)
    case("maui: ... but not other QoS", s.has("anew", "adopt 14"), s.log)
    for line in ("FSDECAY 0.5", "FSDEPTH 3", "FSINTERVAL 60",
                 "FSPOLICY DEDICATEDPS"):
        s.write("maui.cfg", MAUI + line + "\n")
        s.cycle(*ran)
        case("maui: ... nor another " + line, s.has("anew", "adopt 14"), s.log)
    s = Site("policy = fcfs", "order = priority", "config = maui.cfg")
    s.write("maui.cfg", MAUI)
    told = s.cycle(job(1), job(2, 20, **physics), job(3, 20), job(4, 4))
    case("order priority: no limits, no backfill", told == ["release 2 1"],
         (told, s.log))
    s = Site("policy = maui", "config = maui.cfg", "users = 2")
    s.write("maui.cfg", "")
    told = s.cycle(job(1), job(2, name="b"), job(3, name="c"))
    case("maui: no room for a user", told == ["release 1 2"] and
         "too many users" in s.call("why", "3").stdout, (told, s.log))
    s.write("maui.cfg", "BACKFILPOLICY NONE\n")
    s.cycle(job(1))
    case("maui: an error of its configuration", s.done.returncode == 2 and
         "maui.cfg:1: unknown parameter" in s.done.stderr, s.done.stderr)


def test_machine():
    """Who took less goes first: all of a node's memory is all of it."""
    def site(*more):
        s = Site("policy = easy", "order = usage", *more)
        s.write("machine.csv", "class,count,cpus,ram,gpu,properties\n"
                "plain,2,8,8G,,old\nfast,2,8,8G,2,new:ssd\n")
        return s

    def first(*more, one=",mem=8G"):
        s = site(*more)
        s.cycle(job(1, 1, tres=one), job(2, 4, user=9))
        told = s.cycle(runs(1, 1, tres=one), runs(2, 4, user=9),
                       job(3, 24, nodes=3), job(4, 24, user=9, nodes=3))
        return told, s

    machine = "machine = machine.csv"
    told, s = first()
    case("usage: by processors", told == ["release 3"], (told, s.log))
    told, s = first(machine)
    case("usage: by the machine's memory", told == ["release 4"],
         (told, s.log))
    told, s = first(machine, "charge = cpu")
    case("usage: --charge cpu", told == ["release 3"], (told, s.log))
    told, s = first(machine, one=",mem=1M,gres/gpu=2,gres/gpu:x=2")
    case("usage: by GRES", told == ["release 4"], (told, s.log))
    told, s = first(machine, one=",mem=1M,gres/tape=99,billing=8")
    case("usage: what the machine does not list", told == ["release 3"],
         (told, s.log))
    s = site(machine)
    bad = (dict(tres=",mem=9G"), dict(tres=",gres/gpu=1", features="old"),
           dict(features="old&ssd"), dict(tres=",gres/gpu=3"),
           dict(procs=9), dict(procs=31, nodes=3))
    told = s.cycle(job(1, 8, features="new&ssd", tres=",mem=8G,gres/gpu=2"),
                   *(job(i + 2, **b) for i, b in enumerate(bad)))
    case("usage: a node suits", told == ["release 1"], (told, s.log))
    for i, b in enumerate(bad):
        said = s.call("why", str(i + 2)).stdout
        case(f"usage: no node suits {b}", "no node of the machine suits it" in
             said, said)
    for line, want in ((machine + "\ncharge = local", "--charge local"),
                       (machine + "\ncharge = standard\n"
                        "standard-job = tapes=1", "no node has 'tapes'"),
                       ("charge = pe", "every --charge but cpu needs --machine")):
        told, s = first(line)
        case("usage: " + want, s.done.returncode == 2 and want in
             s.done.stderr, s.done.stderr)


def test_maintenance():
    for policy in ("easy", "conservative", "maui\nconfig = maui.cfg"):
        s = Site("policy = " + policy, "maintenance = windows.csv")
        s.write("maui.cfg", "")
        name = "maintenance: " + policy.split()[0]

        def windows(*lines):
            s.write("windows.csv", "\n".join(
                ("begin,end,processors,announced", *lines)) + "\n")
        now = int(time.time())
        windows(f"{now + 100},{now + 1000},20,", "1,2,32,",
                f"{now + 10},{now + 2000},32,{now + 3600}")
        jobs = [job(1, 20, limit="5:00"), job(2, 12, limit="9:00"),
                job(3, 12)]
        told = s.cycle(*jobs)
        # Maui fills the widest window first, in which only job 3 fits.
        first = "release 3 2" if "maui" in policy else "release 2 3"
        case(name, told == [first] and s.has("reserve - 1 20 processors"),
             (told, s.log))
        jobs[1:] = [runs(2, 12, limit="9:00"), runs(3, 12)]
        told = s.cycle(*jobs)
        case(name + ": it stays", told == [] and s.log == [], (told, s.log))
        windows(f"{now + 100},{now + 1000},33,")
        told = s.cycle(jobs[0], jobs[1])
        case(name + ": more than there is", s.has("error - window 1"), s.log)
        windows()
        told = s.cycle(jobs[0], jobs[1])
        case(name + ": withdrawn", told == ["release 1"] and s.has("unreserve"),
             (told, s.log))


def test_reservations():
    """Slurm's own reservations for maintenance."""
    now = int(time.time())

    def text(name, begin, end, cpus, flags="MAINT,SPEC_NODES"):
        return (f"ReservationName={name} StartTime={now + begin} EndTime="
                f"{now + end} Duration=1 Nodes=n[1-2] NodeCnt=2 CoreCnt={cpus} "
                f"Features=(null) PartitionName=(null) Flags={flags} "
                f"TRES=cpu={cpus} Users=root State=INACTIVE\n")
    for more in ("policy = easy", "policy = conservative\npartition = batch"):
        s = Site(*more.split("\n"))
        s.write("reservations", text("a", 100, 1000, 20) + text(
            "b", 10, 1000, 32, "SPEC_NODES"))
        if "partition" in more:  # sinfo -n knows that partition's processors
            s.write("sinfo", "#!/bin/sh\ncase $* in *' -n n[1-2]'*) echo 0/9/11/20"
                    ";; *) cat nodes;; esac\n")
        told = s.cycle(job(1, 20, limit="5:00"), job(2, 12, limit="9:00"))
        case("reservations: " + more.replace("\n", ", "), told == ["release 2"] and any(
            l.startswith("reserve ") and " 20 processors" in l
            for l in s.log), (told, s.log))
        told = s.cycle(job(1, 20, limit="5:00"), runs(2, 12, limit="9:00"))
        case("reservations: stay", told == [] and s.log == [], (told, s.log))
        s.write("reservations", "No reservations in the system\n")
        told = s.cycle(job(1, 20, limit="5:00"), runs(2, 12, limit="9:00"))
        case("reservations: withdrawn", told == ["release 1"], (told, s.log))


SHIM = """
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *t)
{
	long by = 0, r = syscall(SYS_clock_gettime, id, t);
	FILE *f = id == CLOCK_REALTIME ? fopen("offset", "r") : NULL;
	if (f && fscanf(f, "%ld", &by) == 1)
		t->tv_sec += by;
	if (f)
		fclose(f);
	return (int)r;
}
time_t time(time_t *at)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return at ? (*at = t.tv_sec) : t.tv_sec;
}
"""


def test_clock():
    s = Site("policy = conservative")
    s.write("shim.c", SHIM)
    if open(PROGRAM, "rb").read(5)[4] == 1 or not shutil.which("cc") or \
            subprocess.call(["cc", "-shared", "-fPIC", "-o", "shim.so",
                             "shim.c"], cwd=s.folder):
        print("skip clock: no cc, or 32 bits")
        return
    s.write("queue", job(1, 32) + job(2, 32))
    log = open(s.folder + "/log", "w")
    p = subprocess.Popen([PROGRAM, "run", "--settings", "conf"], stderr=log,
                         env=dict(s.env, LD_PRELOAD=s.folder + "/shim.so"),
                         cwd=s.folder)

    def wait(text, n=1):
        end = time.time() + 60
        while s.read("log").count(text) < n and time.time() < end:
            time.sleep(0.1)
        return s.read("log").count(text) >= n
    good = wait("release 1")
    s.write("queue", runs(1, 32) + job(2, 32))
    time.sleep(2)
    s.write("offset", "86400")
    # A second more or less has begun since.
    good = good and wait("clock - it jumped by 86")
    time.sleep(3)
    s.write("offset", "0")
    s.write("queue", runs(1, 32) + job(2, 32) + job(3))
    good = good and wait("submit 3")
    p.terminate()
    p.wait()
    case("a clock that jumps and comes back moves no promise", good and
         s.read("log").count("promise 2 ") == 1, s.read("log"))


def test_watch():
    s = Site("policy = easy")
    s.cycle(job(1))

    def watch(age):
        os.utime(s.folder + "/state.lock", (time.time() - age,) * 2)
        s.write("told", "")
        s.write("queue", job(3, submit=NOW - 60) + job(2, submit=NOW - 50) +
                job(4, submit=NOW - 55, comment="[held by its user]"))
        s.call("watch", "--once", "--away", "2m")
        return s.read("told")
    case("watch: the daemon works", watch(60) == "", s.read("told"))
    case("watch: it is away: released in order", watch(180) ==
         "release 3 2\n", s.read("told"))


def test_second():
    """The lock is the cluster's, not that of the state."""
    s = Site("policy = easy")
    s.write("queue", "")

    def daemon(*more):
        return subprocess.Popen(
            [PROGRAM, "run", "--settings", "conf", *more], env=s.env,
            cwd=s.folder, stderr=subprocess.PIPE, text=True)

    def refused(*more):
        s.cycle(more=("--state", "third", *more))
        return s.done.returncode == 1 and "another fairsched-slurm schedules " \
            "this cluster" in s.done.stderr
    for first, good, bad in (((), (), [(), ("--partition", "a")]),
                             (("--partition", "a"), ("--partition", "b"),
                              [(), ("--partition", "a")])):
        p = daemon("--status", "page", *first)
        end = time.time() + 60
        while not os.path.exists(s.folder + "/page") and time.time() < end:
            time.sleep(0.1)
        case(f"a second daemon beside {first}", all(refused(*b) for b in bad),
             s.done.stderr)
        if good:
            case("... of another partition", not refused(*good), s.done.stderr)
        p.terminate()
        p.communicate()
        os.remove(s.folder + "/page")


def test_private():
    """Under PrivateData=jobs squeue shows a user the own jobs only."""
    s = Site("policy = conservative")
    os.chmod(s.folder, 0o755)
    if os.getuid() or not shutil.which("setpriv") or subprocess.call(
            ["setpriv", "--reuid=65534", "--clear-groups", "cat", s.folder +
             "/nodes"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        print("skip private jobs: that takes root and setpriv")
        return
    s.cycle(job(1, 32), job(2, 32), job(3, 20))
    want = s.call("when", "3").stdout
    s.write("queue", job(3, 20) + job(4, 40))
    shutil.copy(PROGRAM, s.folder + "/program")
    s.program = "setpriv"
    nobody = ("--reuid=65534", "--regid=65534", "--clear-groups", "./program")
    done = s.call(*nobody, "when", "3")
    case("private: a state that the user may not read", done.returncode == 1
         and done.stderr.endswith("state: Permission denied\n"), done)
    os.chmod(s.folder + "/state", 0o644)
    done = s.call(*nobody, "when", "3")
    case("private: a user's answer counts all jobs", "promised" in want and
         done.stdout == want, (want, done))
    done = s.call(*nobody, "why", "4")
    case("private: a job that is not planned", "exceeds the machine" in
         done.stdout, done)
    os.remove(s.folder + "/state")
    done = s.call(*nobody, "when", "3")
    case("private: refused without a plan", done.returncode == 1 and
         "hide jobs" in done.stderr, done)


def test_files():
    """State and locks are the daemon's alone; a lock is never a folder's."""
    s = Site("policy = easy")

    def modes(*names):
        return [oct(os.stat(f"{s.folder}/{n}").st_mode & 0o777) for n in names]
    folder = os.open(s.folder + "/ctld", os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    s.write("state.lock", "")
    os.chmod(s.folder + "/state.lock", 0o666)
    told = s.cycle(job(1), job(2, 32), more=["--partition", "a"])
    case("files: a lock of the folder hinders nobody", told == ["release 1"] and
         not s.done.returncode, s.done.stderr)
    os.close(folder)
    got = modes("state", "state.lock", "ctld/fairsched.lock",
                "ctld/fairsched.a.lock")
    case("files: of their owner only", got == ["0o600"] * 4, got)
    os.chmod(s.folder + "/state", 0o640)
    s.cycle(runs(1), job(2, 32), job(3))
    case("files: a mode that was set stays", modes("state") == ["0o640"])
    s.write("queue", runs(1) + job(2, 32) + job(4))
    before = sorted(os.listdir(s.folder))
    resource.prlimit(0, resource.RLIMIT_FSIZE, (64, resource.RLIM_INFINITY))
    done = s.call("run", "--once")
    resource.prlimit(0, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    case("files: no room", done.returncode == 1 and
         "state: File too large" in done.stderr, done.stderr)
    case("files: no room leaves nothing", before == sorted(os.listdir(
        s.folder)), os.listdir(s.folder))
    os.remove(s.folder + "/state.lock")
    os.symlink("conf", s.folder + "/state.lock")
    s.cycle()
    case("files: no lock by way of a link", s.done.returncode == 1 and
         "state.lock: Too many levels" in s.done.stderr, s.done.stderr)


def test_install():
    s = Site()
    os.mkdir(s.folder + "/etc")
    os.mkdir(s.folder + "/etc/slurm")
    s.write("etc/slurm/job_submit.lua", "-- own\n")
    run = ["sh", "tools/slurm/install.sh", s.folder]
    env = dict(os.environ, PROGRAM=PROGRAM)
    said = subprocess.run(run, capture_output=True, text=True, env=env)
    case("install: a site's own job_submit.lua stays", not said.returncode and
         s.read("etc/slurm/job_submit.lua") == "-- own\n" and
         "job_submit.lua is your own" in said.stdout, said)
    os.remove(s.folder + "/etc/slurm/job_submit.lua")
    s.write("etc/fairsched-slurm.conf", "policy = pc\n")
    subprocess.run(run, capture_output=True, env=env)
    case("install: files", all(os.path.exists(s.folder + "/" + p) for p in (
        "usr/local/sbin/fairsched-slurm", "etc/slurm/fairsched.lua",
        "usr/local/share/man/man8/fairsched-slurm.8",
        "etc/slurm/fairsched.conf")) and s.read("etc/slurm/job_submit.lua") ==
        'dofile("/etc/slurm/fairsched.lua")\n' and
        s.read("etc/fairsched-slurm.conf") == "policy = pc\n")
    for name in ("fairsched-slurm", "fairsched-slurm-watch"):
        unit = s.read(f"etc/systemd/system/{name}.service")
        case("install: " + name, all(f"\n[{p}]\n" in "\n" + unit for p in (
            "Unit", "Service", "Install")), unit)
    done = s.call("run", "--once", "--dry-run", "--settings",
                  os.path.abspath("tools/slurm/fairsched-slurm.conf"),
                  settings=False)
    case("install: the settings are valid", "invalid setting" not in
         done.stderr and done.returncode != 2, done.stderr)


def test_rooms():
    s = Site("policy = relshare", "users = 2", "shares = shares.csv")
    s.write("shares.csv", "user,shares\n7,3\n9,1\n")
    told = s.cycle(job(1), job(2, user=8), job(3, user=9))
    case("no room for a user", told == ["release 1 3"] and
         "too many users" in s.call("why", "2").stdout, (told, s.log))
    s = Site("policy = easy", "jobs = 2")
    told = s.cycle(job(1), job(2), job(3))
    page = s.call("status").stdout
    case("no room for a job", told == ["release 1 2"] and
         "3              there are too many jobs" in page, (told, page))


# ---- what is hostile ----

def test_hostile():
    good = [job(1, 32), job(2, 32)]
    for name, bad in (
            ("a word for a number", job("x")), ("an empty id", job("")),
            ("job 0", job(0)), ("a huge id", job(1 << 26)),
            ("a huge number", job("9" * 30)), ("an array", job("3_[1-4]")),
            ("a huge task", job("3_4194304")), ("a component", job("3+1")),
            ("no processors", job(3, 0)), ("processors", job(3, 1 << 31)),
            ("a negative", job(3, -1)), ("a state", job(3, state="??")),
            ("two states", job(3, state="R CG")),
            ("no state", job(3, state="")),
            ("an end state", job(3, state="CD")),
            ("a user", job(3, user="root")), ("a limit", job(3, limit="soon")),
            ("a long limit", job(3, limit="999999-00:00:00")),
            ("a submission", job(3, submit="N/A")),
            ("a time", job(3, eligible="tomorrow")),
            ("a priority", job(3, priority="high")),
            ("nodes", job(3, nodes="all")),
            ("many nodes", job(3, nodes=1 << 31)),
            ("memory", job(3, tres=",mem=x")),
            ("much memory", job(3, tres=",mem=9999999999P")),
            ("too few fields", "3|PD|0|x@@@\n"), ("nothing", "@@@\n"),
            ("a long line", "7" * 100000 + "@@@\n"),
            ("not text", "\x01\x7f|\x02@@@\n")):
        s = Site("policy = easy")
        told = s.cycle(good[0], bad, good[1])
        page = s.call("status").stdout
        case("hostile: " + name, told == ["release 1"] and
             "unreadable 1 job " in page and "\n2   " in page,
             (told, s.log, page))
    s = Site("policy = easy")
    forged = job(3, account="x\n" + job(4, 1).replace("@", "|")[:-2] + "\n5|PD")
    told = s.cycle(forged)
    case("hostile: an account forges no jobs", told == ["release 3"],
         (told, s.log))
    told = s.cycle(runs(3), job(6, account="a|b|c"), job(7, account="|" * 99))
    case("hostile: bars in an account", told == ["release 6 7"],
         (told, s.log))
    told = s.cycle(runs(3), runs(6), runs(7), job(9), runs(9))
    case("hostile: two records of a job", told == [] and "unreadable 2 jobs"
         in s.call("status").stdout, (told, s.log))
    s.write("queue", "3|PD|0")
    s.cycle(job(3).rstrip("@\n"))
    case("hostile: cut", s.done.returncode == 0 and s.has("end 3"), s.log)
    s = Site("policy = sfs", "accounts = accounts.csv")
    s.write("accounts.csv", "account,target\na,16\n")
    told = s.cycle(job(8, features="a|b"), job(9, comment="|x|"),
                   job(10, account="b"))
    case("hostile: bars in a feature or a comment",
         told == ["release 8 9"], (told, s.log))


# ---- what fails ----

def test_failures():
    s = Site("policy = easy")
    s.cycle(job(1), job(2, 32))
    s.write("squeue", "#!/bin/sh\ncat queue; exit 1\n")
    told = s.cycle()
    case("squeue fails: nothing happens", s.done.returncode == 1 and told == []
         and "squeue failed" in s.done.stderr and "end" not in s.done.stderr,
         s.done.stderr)
    s = Site("policy = easy")
    s.write("refused", "uhold\n")
    told = s.cycle(job(1), job(2, priority=9, reason="None"))
    case("uhold fails: others are released", told == ["uhold 2", "release 1 2"]
         and s.done.returncode == 1, (told, s.log))
    s.write("squeue", "#!/bin/sh\nexec head -c 70000000 /dev/zero\n")
    s.cycle()
    case("too much of squeue", s.done.returncode == 1 and
         "larger than 64 MiB" in s.done.stderr, s.done)
    os.remove(s.folder + "/squeue")
    s.env["PATH"] = s.folder
    s.cycle()
    case("no squeue", s.done.returncode == 1 and
         "cannot run squeue" in s.done.stderr, s.done.stderr)

    s = Site("policy = easy")
    s.cycle(job(1), job(2, 32))
    state = open(s.folder + "/state", "rb").read()
    for name, text, want in (
            ("cut", state[:100], "truncated"), ("empty", b"", "not a saved"),
            ("changed", state[:80] + b"?" + state[81:], "checksum")):
        open(s.folder + "/state", "wb").write(text)
        told = s.cycle(runs(1), job(2, 32))
        case("a state that is " + name, s.done.returncode == 1 and told == []
             and want in s.done.stderr and "move the file away" in
             s.done.stderr, s.done.stderr)
    open(s.folder + "/state", "wb").write(state)
    s.write("conf", "policy = conservative\nstate = state\nmargin = 10s\n")
    told = s.cycle(runs(1), job(2, 32))
    case("another policy: anew", s.has("anew", "adopt 1", "promise 2")
         and s.done.returncode == 0, s.log)
    before = open(s.folder + "/state", "rb").read()
    told = s.cycle(job(2, 8), more=["--dry-run"])
    case("--dry-run says it", told == [] and "start (dry run) 2" in
         s.done.stderr, s.done.stderr)
    case("--dry-run saves nothing",
         open(s.folder + "/state", "rb").read() == before)

    s.write("queue", job(5, 8))
    p = subprocess.Popen([PROGRAM, "run", "--settings", "conf"], env=s.env,
                         cwd=s.folder, stderr=subprocess.DEVNULL)
    end = time.time() + 20
    while "release 5" not in open(s.folder + "/told").read() and \
            time.time() < end:
        time.sleep(0.1)
    s.cycle(job(1))
    case("a second one refuses", s.done.returncode == 1 and
         "another fairsched-slurm runs" in s.done.stderr, s.done.stderr)
    done = s.call("release-all")
    case("release-all refuses, too", done.returncode == 1, done.stderr)
    p.terminate()
    case("a signal ends it", p.wait(20) == 0)
    s.write("told", "")
    s.write("queue", job(1) + runs(2) + job(3, reason="JobHeldAdmin") +
            job(4, depends="afterok:1(unfulfilled)") + job(5, priority=3))
    done = s.call("release-all")
    case("release-all", done.stdout == "2 jobs released\n" and
         open(s.folder + "/told").read() == "release 1 4\n", done.stdout)


# Plays slurmctld: job 1 of user 7, uid 5 is a coordinator; the pid runs as uid ME.
LUA = """
slurm = { SUCCESS = 0, ERROR = -1, ESLURM_ACCESS_DENIED = 2,
	  ESLURM_INVALID_ACCOUNT = 3, NO_VAL = 4294967294,
	  log_user = function(text) said = text end }
dofile("tools/slurm/job_submit.lua")
local failed = 0
local function case(name, good)
	failed = failed + (good and 0 or 1)
	print((good and "ok " or "not ok ") .. name)
end
local HOLD, ALL = " [held by its user]", 4294967295
local function submit(priority, comment, account)
	local d = { priority = priority, comment = comment, account = account }
	return slurm_job_submit(d, nil, 7), d
end
local function modify(uid, priority, comment, new)
	local d = { priority = priority, comment = new }
	local r = slurm_job_modify(d, { user_id = 7, comment = comment }, nil, uid)
	return r, d
end
local r, d = submit(slurm.NO_VAL, "x")
case("lua: a job is held", r == 0 and d.priority == 0 and d.comment == "x")
r, d = submit(0)
case("lua: sbatch --hold", r == 0 and d.priority == 0 and d.comment == HOLD)
case("lua: an account", submit(1, nil, "a|b") == 3 and said)
for uid, name in pairs({ [7] = "its user", [5] = "a coordinator" }) do
	case("lua: no release by " .. name, modify(uid, ALL) == 2)
	case("lua: no priority by " .. name, modify(uid, 9, "x") == 2)
end
case("lua: root's release", modify(0, ALL, HOLD) == 0)
case("lua: SlurmUser's release", modify(ME, ALL) == 0)
case("lua: a time limit", modify(7, slurm.NO_VAL) == 0)
r, d = modify(7, 0, "x")
case("lua: a user's hold", r == 0 and d.priority == 0 and
     d.comment == "x" .. HOLD)
r, d = modify(7, 0, "x" .. HOLD, "y")
case("lua: ... with a new comment", d.comment == "y" .. HOLD)
r, d = modify(7, ALL, "x" .. HOLD)
case("lua: ... taken back", r == 0 and d.priority == slurm.NO_VAL and
     d.comment == "x")
r, d = modify(7, ALL, HOLD)
case("lua: ... from a job without a comment", d.comment == " ")
r, d = modify(5, ALL, "x" .. HOLD)
case("lua: ... not by others", r == 2 and not d.comment)
r, d = modify(5, 0)
-- A site's own file, as docs/SLURM.md has it.
local hold = slurm_job_submit
function slurm_job_submit(desc, partitions, uid)
	desc.comment = "site"
	return hold(desc, partitions, uid)
end
r, d = submit(slurm.NO_VAL)
case("lua: beside a site's own", r == 0 and d.priority == 0 and
     d.comment == "site")
r, d = modify(5, 0)
case("lua: another's hold is an administrator's", r == 0 and not d.comment)
assert(failed == 0)
"""


def test_lua():
    name = ctypes.util.find_library("lua5.1")
    if not name:
        print("skip lua: no liblua5.1")
        return
    lua = ctypes.CDLL(name)
    lua.luaL_newstate.restype = lua.lua_tolstring.restype = ctypes.c_void_p
    state = ctypes.c_void_p(lua.luaL_newstate())
    lua.luaL_openlibs(state)
    text = f"ME = {os.geteuid()}\n{LUA}"
    bad = lua.luaL_loadstring(state, text.encode()) or \
        lua.lua_pcall(state, 0, 0, 0)
    why = bad and ctypes.string_at(lua.lua_tolstring(state, -1, None))
    case("lua: it runs", not bad, why)


def test_settings():
    s = Site()
    for line, want in (("polcy = easy", "conf:5: invalid setting"),
                       ("policy = esay", "did you mean easy"),
                       ("margin = -1", "conf:5: invalid setting"),
                       ("margin", "needs a value"),
                       ("no-expected = 1", "takes no value"),
                       ("jobs = 0", "--jobs: '0'")):
        s.write("conf", "# comment\n\nstate = state\nmargin = 10s\n" + line)
        s.cycle(job(1))
        case("settings: " + line, s.done.returncode == 2 and
             want in s.done.stderr, s.done.stderr)
    for lines, want in (("policy = sfs", "policy sfs needs --accounts"),
                        ("policy = easy\nshares = x", "needs policy relshare"),
                        ("policy = maui", "policy maui needs --config"),
                        ("policy = maui\nconfig = x", "x: No such"),
                        ("maintenance = x", "x: No such"),
                        ("order = dominant",
                         "--order dominant applies to traces only"),
                        ("order = tree",
                         "--order tree applies to traces only"),
                        ("policy = sfs\naccounts = none", "none: No such")):
        s.write("conf", "state = state\n" + lines)
        s.cycle(job(1))
        case("settings: " + want, s.done.returncode == 2 and
             want in s.done.stderr, s.done.stderr)
    said = s.call("run", "--help", settings=False).stdout
    for option in ("account-field", "billing", "limits", "plan", "queue-cost",
                   "share-by", "tree", "window-origin"):
        s.write("conf", f"state = state\n{option} = x\n")
        s.cycle(job(1))
        case(f"settings: {option} is for traces, and not offered",
             s.done.returncode == 2 and "conf:2: invalid" in s.done.stderr and
             f"--{option}" not in re.findall(r"^  (--[a-z-]+)", said, re.M),
             (s.done.stderr, said))
    with open(s.folder + "/conf", "wb") as f:
        f.write(gzip.compress(bytes(1000))[:-9])
    done = s.call("status")
    case("settings: damaged gzip data", done.returncode == 2 and
         "conf: truncated" in done.stderr, done)
    s.write("conf", "")
    s.cycle(job(1))
    case("no state", s.done.returncode == 2 and "--state is missing" in
         s.done.stderr)
    s.write("conf", "policy = fcfs\nstate = state\n")
    told = s.cycle(job(1, 24), job(2, 24), job(3, 8), more=["--policy", "easy"])
    case("the command line is stronger", told == ["release 1 3"], told)
    case("no file", s.call("run", "--settings", "none",
                           settings=False).returncode == 2)
    for args in ((), ("nothing",), ("why",), ("run", "x"), ("why", "x"),
                 ("why", "77"), ("when", "1_2_3")):
        case("usage: " + " ".join(args), s.call(*args).returncode == 2)
    for args in (("--help",), ("run", "--help"), ("why", "-h"), ("--version",)):
        done = s.call(*args, settings=False)
        case(" ".join(args), done.returncode == 0 and "fairsched-slurm" in
             done.stdout and not done.stderr, done)


def test_man():
    page = open("docs/fairsched-slurm.8").read().replace("\\-", "-")
    said = Site().call("--help", settings=False).stdout
    commands = re.findall(r"^  (\S+)", said, re.M)
    known = {"--option", "--version"}
    for command in commands:
        case("man: " + command, f".SS {command}\n" in page and
             f"B fairsched-slurm {command}\n" in page)
        said = Site().call(command, "--help", settings=False).stdout
        known |= set(re.findall(r"^  (--[a-z-]+)", said, re.M))
    case("man: commands and options", len(commands) == 6 and len(known) > 25,
         (commands, known))
    for option in known - {"--option"}:
        case("man: " + option, re.search(
            r"\n\.BI? .*" + option + r"\b(?!-)", page))
    for option in set(re.findall(r"--[a-z][a-z-]*", page)):
        case(f"man: {option} is there", option in known)
    source = open("tools/slurm/driver.c").read()
    for event in set(re.findall(r'driver_log\([^"]*?"(\w+)"', source)):
        case("man: event " + event, re.search(rf"\.BR? {event}\b", page))
    if not shutil.which("groff"):
        print("skip man: layout: no groff")
        return
    done = subprocess.run(["groff", "-man", "-ww", "-z",
                           "docs/fairsched-slurm.8"], capture_output=True,
                          text=True)
    case("man: layout", done.returncode == 0 and not done.stderr, done.stderr)


def test_many():
    for policy in ("conservative", "easy"):
        s = Site("policy = " + policy)
        s.write("queue", "".join(
            job(i, 1 + i * 7 % 32, user=i % 50, submit=NOW - i % 5000,
                limit="%d:00" % (1 + i % 600)) for i in range(1, 10001)))
        took = time.time()
        done = s.call("run", "--once", "--dry-run")
        took = time.time() - took
        page = done.stderr.count(" submit (dry run) ")
        case(f"10000 jobs under {policy} in {took:.2f} s", page == 10000 and
             done.returncode == 0, done.stderr[-500:])
    s.cycle(*(job(i, 1 + i % 4) for i in range(1, 2501)))
    ended = []
    while len(ended) < 4 and (s.log or not ended):
        s.cycle()
        ended.append(sum(l.startswith("cancel") for l in s.log))
    case("cancellations are spread over cycles", ended[:2] == [1000, 1000] and
         400 < ended[2] < 500 and s.read("told") == "", ended)


if os.access(PROGRAM, os.X_OK):
    for test in (test_life, test_partition, test_changes, test_dependencies,
                 test_taken_over, test_capacity,
                 test_patience, test_promises, test_unfit, test_throttle,
                 test_overrun, test_sfs, test_policies,
                 test_maui, test_machine, test_maintenance, test_reservations,
                 test_clock, test_watch, test_second, test_private,
                 test_files, test_install, test_rooms,
                 test_hostile, test_failures, test_lua, test_settings, test_man, test_many):
        test()
else:
    print("skip fairsched-slurm: sh tools/slurm/build.sh was not run")
sys.exit(failed > 0)
