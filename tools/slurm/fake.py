# SPDX-License-Identifier: MIT OR Unlicense
"""Scripts in the place of Slurm's programs, in a temporary folder, for tests.

squeue prints the file queue, where @ stands for the end of a text that the driver
asks for, or the file arrays, as squeue without -r does; sinfo prints the file nodes;
scontrol appends its arguments to the file told, and fails for the verbs in the file
refused. They refuse what Slurm's own refuse: slurm_test.py compares them.
"""

import os
import signal
import subprocess
import tempfile
import time

OPTIONS = """
value= all= parts=
while getopts "$options" o; do
	case $o in
	o | O) value=$OPTARG ;;
	a) all=1 ;;
	p) parts=1 ;;
	t) [ "$OPTARG" = PD ] || exit 1 ;;
	\\?) exit 1 ;;
	esac
done
"""
SCRIPTS = {
    "squeue": f"""options=haro:O:p:t:{OPTIONS}
case $value in
%i) cat arrays ;;
*) sed "s/@/${{value##*Account:}}/g" queue ;;
esac""",
    "sinfo": f"""options=hao:p:n:{OPTIONS}
if [ "$all$parts" = 11 ]; then
	echo "sinfo: error: Conflicting options, -a and -p, specified." >&2
	exit 1
fi
cat nodes""",
    "scontrol": """
known() # whether there is such a job, which has not ended
{
	grep -q "^$1|\\(PD\\|R\\|S\\|CG\\|PENDING\\|RUNNING\\)" queue && return
	echo "Invalid job id specified for job $1" >&2
	return 1
}
status=0
case $* in
*"show reservation") cat reservations; exit ;;
"show config") echo "StateSaveLocation       = $PWD/ctld"; exit ;;
"release "* | "uhold "*)
	for job; do
		[ "$job" = "$1" ] || known "$job" || status=1
	done ;;
"update jobid="*" "[ads]*=*) known "${2#*=}" || status=1 ;;
*) exit 1 ;;
esac
echo "$@" >>told
grep -qs "^$1" refused && exit 1
exit $status""",
}
NOW = int(time.time())


def job(number, procs=8, state="PD", priority=0, reason="JobHeldUser", user=7,
        limit="1:00", submit=NOW - 50, eligible="N/A", start="N/A",
        depends="(null)", account="a", nodes=1, name="ann", group="staff",
        partition="batch", qos="normal", tres="", features="(null)",
        comment="(null)"):
    return (f"{number}|{state}|{priority}|{reason}|{procs}|{user}|{limit}|"
            f"{submit}|{eligible}|{start}|{depends}|{nodes}|{name}|{group}|"
            f"{partition}|{qos}|cpu={procs}{tres},node={nodes}|{features}@"
            f"{comment}@{account}@\n")


def runs(number, procs=8, **more):
    return job(number, procs, **{"state": "R", "priority": 9, "reason": "None",
                                 "start": int(time.time()) - 10, **more})


class Site:
    """A folder with such scripts; the driver's state stays in it."""

    def __init__(self, program, *settings, nodes="0/32/0/32"):
        self.program, self.folder = program, tempfile.mkdtemp()
        for name, text in SCRIPTS.items():
            self.write(name, f"#!/bin/sh\n{text}\n")
            os.chmod(f"{self.folder}/{name}", 0o755)
        self.write("nodes", nodes + "\n")
        self.write("arrays", "")
        self.write("reservations", "No reservations in the system\n")
        os.mkdir(self.folder + "/ctld")
        self.write("conf", "\n".join(("state = state", "margin = 10s",
                                      "patience = 30s", *settings)) + "\n")
        self.env = dict(os.environ, PATH=f"{self.folder}:/usr/bin:/bin")

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w") as f:
            f.write(text)

    def read(self, name):
        with open(f"{self.folder}/{name}") as f:
            return f.read()

    def call(self, *args, settings=True, timeout=None):
        """Kills the program and its children after timeout seconds."""
        command = [self.program, *args,
                   *(["--settings", "conf"] if settings else [])]
        with subprocess.Popen(
                command, env=self.env, cwd=self.folder, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True) as p:
            try:
                said = p.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                os.killpg(p.pid, signal.SIGKILL)
                p.communicate()
                raise
        return subprocess.CompletedProcess(command, p.returncode, *said)

    def cycle(self, *jobs, more=()):
        """Returns the calls of scontrol; self.log is the log without times."""
        self.write("queue", "".join(jobs))
        self.write("told", "")
        self.done = self.call("run", "--once", *more)
        self.log = [line.partition(" ")[2].rstrip()
                    for line in self.done.stderr.splitlines()]
        return self.read("told").split("\n")[:-1]

    def has(self, *lines):
        return all(any(l.startswith(line) for l in self.log)
                   for line in lines)
