#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Runs a Slurm cluster on this machine, in a temporary folder, for tests.

    with Cluster(nodes=8, cpus=4) as c:
        c.run("sinfo")

    python3 tools/slurm/cluster.py --nodes 8 --cpus 4 [COMMAND ...]

runs a command, or a shell, that uses that cluster. All daemons listen on
loopback only, run as the user that started them, and end with this process:
a daemon that leaves its parent becomes a child of this process.
"""

import argparse
import ctypes
import datetime
import glob
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.abspath(os.environ.get("FAIRSCHED_BUILT",
                                       HERE + "/../../build"))
PROGRAM = BUILT + "/fairsched-slurm"
PLUGINS = next((p for p in glob.glob("/usr/lib/*/slurm-wlm")), "")
PROGRAMS = ("slurmctld", "slurmd", "munged", "squeue", "scontrol", "sbatch")
CONF = """ClusterName=fairsched
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={folder}/ctld
SlurmdSpoolDir={folder}/d.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType={proctrack}
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
Include fairsched.conf
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/jobs.txt
ReturnToService=1
SlurmdTimeout=300
MessageTimeout=60
MinJobAge=300
MaxJobCount=20000
MaxArraySize=20000
KillWait=5
{accounting}
NodeName=n[1-{batch}] NodeHostname={host} NodeAddr=127.0.0.1 \
Port=[{first}-{middle}] CPUs={cpus} RealMemory=1000 State=UNKNOWN
PartitionName=batch Nodes=n[1-{batch}] Default=YES MaxTime=INFINITE State=UP
"""
GPU_CONF = """GresTypes=gpu
NodeName=n[{first_gpu}-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 \
Port=[{gpu_port}-{last}] CPUs={cpus} RealMemory=1000 Gres=gpu:2 State=UNKNOWN
PartitionName=gpu Nodes=n[{first_gpu}-{nodes}] MaxTime=INFINITE State=UP
"""


def missing():
    """Returns the programs that are not installed."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    return [p for p in PROGRAMS if not shutil.which(p, path=path)]


def free_ports(n):
    """Returns the first of n successive free ports."""
    for _ in range(100):
        first = random.randrange(10000, 32000)  # below the ephemeral ports
        taken = [socket.socket() for _ in range(n)]
        try:
            for i, s in enumerate(taken):
                s.bind(("127.0.0.1", first + i))
            return first
        except OSError:
            pass
        finally:
            for s in taken:
                s.close()
    raise OSError("no free ports")


def children():
    """Returns the child processes of this one."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = open("/proc/%s/stat" % pid).read()
        except OSError:
            continue
        if int(stat.rpartition(")")[2].split()[1]) == os.getpid():
            found.append(int(pid))
    return found


class Cluster:
    """The last gpu_nodes have 2 GPUs each, and a partition gpu of their own."""

    def __init__(self, nodes=8, cpus=4, lua=True, accounting="",
                 plugin=None, parameters="", gpu_nodes=0,
                 stock=False):
        self.nodes, self.cpus = nodes, cpus
        self.folder = tempfile.mkdtemp(prefix="fs-", dir="/tmp")
        os.chmod(self.folder, 0o755)
        self.daemons = []
        host = socket.gethostname().partition(".")[0]
        port = free_ports(nodes + 1)
        for name in ["ctld"] + ["d.n%d" % (i + 1) for i in range(nodes)]:
            os.mkdir(f"{self.folder}/{name}")
        batch = nodes - gpu_nodes
        if gpu_nodes:
            open(f"{self.folder}/gres.conf", "w").write("".join(
                f"NodeName=n[{batch + 1}-{nodes}] Name=gpu File=/dev/{device}\n"
                for device in ("null", "zero")))
        conf = (CONF + GPU_CONF * bool(gpu_nodes)).format(
            batch=batch, first_gpu=batch + 1, middle=port + batch,
            gpu_port=port + batch + 1, host=host, port=port, folder=self.folder, nodes=nodes, cpus=cpus,
            first=port + 1, last=port + nodes,
            user=subprocess.check_output(["id", "-un"], text=True).strip(),
            proctrack="proctrack/linuxproc" if os.getuid() == 0
            else "proctrack/pgid", accounting=accounting)
        open(f"{self.folder}/slurm.conf", "w").write(conf)
        open(f"{self.folder}/cgroup.conf", "w").write(
            "CgroupPlugin=cgroup/v1\n")
        for name in ("fairsched.conf", "job_submit.lua"):
            shutil.copy(f"{HERE}/{name}", self.folder)
        if not lua:
            self.back_out()
        if plugin:
            self.use_plugin(plugin, parameters)
        if stock:
            self.use_stock()
        with open(f"{self.folder}/key", "wb") as f:
            os.chmod(f.fileno(), 0o600)
            f.write(os.urandom(128))
        self.env = dict(os.environ, SLURM_CONF=f"{self.folder}/slurm.conf",
                        PATH=os.environ["PATH"] + ":/usr/sbin:/sbin")
        # PR_SET_CHILD_SUBREAPER: orphans become our children.
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)

    def use_plugin(self, folder, parameters):
        """Configures sched/fairsched, from that folder."""
        open(self.folder + "/fairsched.conf", "w").write(
            f"PluginDir={folder}:{PLUGINS}\nSchedulerType=sched/fairsched\n"
            f"SchedulerParameters={parameters},sched_interval=-1,defer\n"
            "EnforcePartLimits=ALL\n")

    def use_stock(self):
        """Configures Slurm's own sched/backfill, as Slurm installs it."""
        open(self.folder + "/fairsched.conf", "w").write(
            "SchedulerType=sched/backfill\nSchedulerParameters="
            "bf_interval=5,bf_continue,bf_resolution=1\n")

    def restart_controller(self, sign="kill"):
        """Ends it, by default with kill -9, and starts it again."""
        getattr(self.controller, sign)()
        self.controller.wait()
        self.controller = self.daemon("slurmctld", "-D")
        self.wait(lambda: self.idle() is not None and "n1" in self.run(
            "sinfo", "-h", "-N", check=False), "answer of slurmctld")

    def back_out(self):
        """Does the second step of docs/SLURM.md; returns the former text."""
        path = self.folder + "/fairsched.conf"
        text = open(path).read()
        open(path, "w").write(text.replace("JobSubmitPlugins=lua\n", ""))
        return text

    def daemon(self, *args):
        log = open(f"{self.folder}/daemons.log", "ab")
        p = subprocess.Popen(args, env=self.env, stdin=subprocess.DEVNULL,
                             stdout=log, stderr=log, start_new_session=True,
                             cwd=self.folder)
        self.daemons.append(p)
        return p

    def run(self, *args, check=True, **more):
        more = {"stdout": subprocess.PIPE, **more}
        done = subprocess.run(args, env=self.env, text=True,
                              stderr=subprocess.PIPE, **more)
        if check and done.returncode:
            raise RuntimeError(f"{args}: {done.stderr}")
        return done.stdout

    def munge(self):
        self.daemon("munged", "--foreground", "--force",
                    f"--socket={self.folder}/munge.sock",
                    f"--key-file={self.folder}/key",
                    f"--pid-file={self.folder}/munged.pid",
                    f"--seed-file={self.folder}/munged.seed",
                    f"--log-file={self.folder}/munged.log")
        self.wait(lambda: os.path.exists(f"{self.folder}/munge.sock"), "munged")

    def __enter__(self):
        try:
            self.munge()
            self.controller = self.daemon("slurmctld", "-D", "-i")
            for i in range(self.nodes):
                self.daemon("slurmd", "-D", "-N", f"n{i + 1}")
            self.wait(lambda: self.idle() == self.nodes, "idle nodes")
        except BaseException:
            self.__exit__()
            raise
        return self

    def idle(self):
        return self.run("sinfo", "-h", "-N", "-o", "%t",
                        check=False).split().count("idle")

    def wait(self, ready, what, seconds=300):
        end = time.time() + seconds
        while not ready():
            if time.time() > end:
                raise RuntimeError(f"no {what} in {seconds} s:\n" + self.logs())
            time.sleep(0.1)

    def starts(self, jobs):
        """Returns when slurmctld, by its log, allocated each job."""
        found = {}
        for line in open(self.folder + "/slurmctld.log"):
            m = re.match(r"\[(\S+)\] sched: Allocate JobId=(\d+) ", line)
            if m and m[2] in jobs:
                at = datetime.datetime.fromisoformat(m[1])
                found.setdefault(m[2], at.timestamp())
        return found

    def logs(self):
        out = ""
        for name in ("daemons.log", "slurmctld.log", "slurmd.log",
                     "slurmdbd.log"):
            path = f"{self.folder}/{name}"
            if os.path.exists(path):
                out += "".join(open(path, errors="replace").readlines()[-15:])
        return out

    def __exit__(self, *_):
        subprocess.run(["scancel", "-u", str(os.getuid())], env=self.env,
                       capture_output=True, timeout=300)
        for sign, seconds in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
            end = time.time() + seconds
            while children() and time.time() < end:
                for pid in children():
                    try:
                        os.kill(pid, sign)
                        os.waitpid(pid, os.WNOHANG)
                    except (OSError, ChildProcessError):
                        pass
                time.sleep(0.1)
        shutil.rmtree(self.folder, ignore_errors=True)


class Daemon:
    """Runs fairsched-slurm in the folder of a cluster."""

    def __init__(self, c, name, settings, margin):
        self.c, self.path = c, f"{c.folder}/{name}"
        open(self.path + ".conf", "w").write(
            f"state = {self.path}.state\nstatus = {self.path}.status\n"
            f"margin = {margin}s\n{settings}")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [PROGRAM, "run", "--settings", self.path + ".conf"],
            env=self.c.env, stderr=open(self.path + ".log", "a"))

    def stop(self, sign="kill"):
        getattr(self.process, sign)()
        return self.process.wait(30)

    def ask(self, *args):
        return subprocess.run([PROGRAM, *args, "--settings",
                               self.path + ".conf"], env=self.c.env, text=True,
                              capture_output=True).stdout

    def log(self):
        """Returns a list of words for each line: time, event, job, ..."""
        return [line.split() for line in open(self.path + ".log")]

    def events(self, what):
        return [w for w in self.log() if w[1] == what]

    def first_promises(self):
        first = {}
        for w in self.events("promise"):
            first.setdefault(w[2], int(w[3]))
        return first

    def latencies(self):
        """Returns the seconds from scontrol's return to Slurm's start."""
        released = {w[2]: float(w[0]) for w in self.events("release")}
        return [t - released[j]
                for j, t in self.c.starts(released).items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=8)
    parser.add_argument("--cpus", type=int, default=4)
    parser.add_argument("--not-held", action="store_true",
                        help="without job_submit.lua")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if missing():
        sys.exit("missing: " + " ".join(missing()))
    with Cluster(args.nodes, args.cpus, lua=not args.not_held) as c:
        sys.exit(subprocess.call(args.command or ["sh"], env=c.env))


if __name__ == "__main__":
    main()
