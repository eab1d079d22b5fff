#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""The command at a terminal: help, completion, units, colour, progress, signals,
pipes. Everything that is said of an option is checked for every option there is.
"""

import glob
import json
import os
import pty
import re
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(next(
    p for p in ("tools/fairsched/fairsched", "build/fairsched")
    if os.access(p, os.X_OK)))
GOLDEN = os.path.abspath("tests/golden/cf_figure5.swf")
SACCT = os.path.abspath("tests/sacct/recorded.txt")
BASH = os.path.abspath("tools/completion/fairsched.bash")
MACHINE = os.path.abspath("tests/golden/machine.csv")
MAN = os.path.abspath("docs/fairsched.1")
TMP = tempfile.mkdtemp()
LONG = 2  # seconds of a processor; the bar waits for one
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, why if not good else "")


def skip(name, why):
    print("skip %s: %s" % (name, why))


def run(*args, **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    if "input" in more:
        del more["stdin"]
    return subprocess.run([PROGRAM, *args], text=True, capture_output=True,
                          **more)


def complete(*words):
    return run("--complete", *words).stdout.split()


COMMANDS = [w for w in complete("") if w[0] != "-"]
OPTIONS = {c: complete(c, "--") for c in COMMANDS}


# ---- help ----

def test_help():
    case("commands", {"simulate", "compare", "generate"} <= set(COMMANDS))
    for args in [()] + [(c,) for c in COMMANDS]:
        name = " ".join(args + ("--help",))
        done = run(*args, "--help")
        text, _, example = done.stdout.partition("\nexample:\n  ")
        case(name, done.returncode == 0 and not done.stderr)
        short = run(*args, "-h").stdout
        case(name + ": -h is shorter or the same", short == done.stdout or
             "--help' describes all" in short and
             len(short) < 0.6 * len(done.stdout) and
             set(re.findall(r"^  --\S+", short, re.M)) <
             set(re.findall(r"^  --\S+", done.stdout, re.M)), short)
        case(name + ": common options first", "\nCommon:\n" not in short or
             done.stdout.index("\nCommon:\n") <
             done.stdout.index("\nTrace:\n"))
        case(name + ": an example", example.startswith("fairsched "), example)
        case(name + ": fits", all(len(s) < 80 for s in text.splitlines()))
        words = COMMANDS if not args else OPTIONS[args[0]]
        for word in words:
            case("%s: %s" % (name, word), "\n  %s " % word in text)
        test_example(name, example)
    case("--help behind -- is a file",
         run("simulate", "--", "--help").returncode == 2)


def test_example(name, example):
    """It runs, on a trace that is there."""
    if name.startswith("merge"):
        for i in "12":
            run("simulate", GOLDEN, "--fst", "--shard", i + "/2",
                "--part", "kth." + i, cwd=TMP)
    given = {".swf.gz": GOLDEN, "month.txt": SACCT, "machine.csv": MACHINE}
    args = [next((given[e] for e in given if a.endswith(e)), a)
            for a in shlex.split(example.partition(">")[0])[1:]]
    done = run(*args, cwd=TMP)
    case(name + ": the example runs", done.returncode == 0, done.stderr)


def test_version():
    done = run("--version")
    case("--version", re.fullmatch(r"fairsched \d+\.\d+\.\d+\n", done.stdout),
         done.stdout)
    for words in ["version"], ["-V"]:
        case(" ".join(words), run(*words).stdout == done.stdout)
    done = run()
    case("no command: the list of commands", done.returncode == 2 and
         done.stdout == run("--help").stdout == run("help").stdout ==
         run("-h").stdout and not done.stderr, done)
    lines = re.findall(r"^  ([a-z]+) {2,}\S.*$", done.stdout, re.M)
    case("a line each, and an example", lines == COMMANDS and
         "\nexample:\n  fairsched " in done.stdout, lines)
    for words in ["help", "compare"], ["--help", "compare"], ["-h", "compare"]:
        case(" ".join(words), run(*words).stdout ==
             run("compare", "--help").stdout)
    done = run("help", "comapre")
    case("help for what is no command", done.returncode == 2 and
         "did you mean compare?" in done.stderr, done.stderr)
    case("a long help is whole", "behind END" in " ".join(
        run("whatif", "--help").stdout.split()))


def test_suggestions():
    for args, meant in [
            (("simulat", GOLDEN), "did you mean simulate?"),
            (("comapre",), "did you mean compare?"),
            (("simulate", GOLDEN, "--poilcy", "pc"), "did you mean --policy?"),
            (("compare", "--plicies=pc"), "did you mean --policies?"),
            (("simulate", GOLDEN, "--policy", "conservativ"),
             "did you mean conservative?"),
            (("simulate", GOLDEN, "--order=wideset"), "did you mean widest?"),
            (("generate", "--model", "lubin"), "did you mean lublin?"),
            (("generate", "--hlep"), "did you mean --help?")]:
        done = run(*args)
        case("suggestion: " + " ".join(args[:1] + args[-1:]),
             done.returncode == 2 and meant in done.stderr
             and not done.stdout, done.stderr)
    done = run("simulate", GOLDEN, "--xyzzy")
    case("no suggestion", "did you mean" not in done.stderr, done.stderr)


def test_values():
    for args in [("--load", "0.1"), ("--load", "nan"), ("--load", "1e0"),
                 ("--load", "-1"), ("--load", "1.2.3"), ("--load", "."),
                 ("--procs", "9"), ("--procs", "0x10"), ("--jobs", "0"),
                 ("--jobs", "1000001"), ("--jobs", "12h"), ("--seed", "-1"),
                 ("--seed", "99999999999999999999"), ("--jobs",),
                 ("--overestimate", "0.99"), ("--overestimate=",)]:
        done = run("generate", *args)
        case("bad value: " + " ".join(args),
             done.returncode == 2 and args[0].rstrip("=") in done.stderr
             and not done.stdout, done.stderr)
    done = run("generate", "--jobs=3", "--procs", "10", "--seed=5")
    case("with = and without", done.stdout.count("\n") == 11, done.stdout)


# ---- completion ----

def test_complete():
    for words, want in [
            (("com",), "compare"), (("--v",), "--version"),
            (("simulate", "--po"), "--policy"),
            (("simulate", "--policy", "f"), "fcfs"),
            (("simulate", "--policy", "pc", "--or"), "--order"),
            (("simulate", "x", "--order", "wi"), "widest"),
            (("compare", "--policies", "easy,d"), "easy,depth easy,dc"),
            (("help", "comp"), "compare"), (("--help", "sim"), "simulate"),
            (("simulate", "--qui"), "--quiet"),
            (("simulate", "--he"), "--help"), (("import", "s"), "sacct"),
            (("import", "j"), "jobs"),
            (("simulate", ""), ""), (("simulate", "--json", ""), ""),
            (("simulate", "--lenient", ""), ""), (("nothing", ""), ""),
            ((), "")]:
        got = complete(*words)
        case("complete: " + " ".join(words), got == want.split(), got)
    for command in COMMANDS:
        case("complete: all options of " + command,
             len(set(OPTIONS[command])) == len(OPTIONS[command]) > 2)


def test_bash():
    if not shutil.which("bash"):
        return skip("completion", "no bash")
    script = """
        . "$1"; shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _fairsched "$1"
        printf '%s\\n' "${COMPREPLY[@]}"
        complete -p fairsched >/dev/null"""
    for words, want in [
            (["gen"], ["generate"]), (["simulate", "--pol"], ["--policy"]),
            (["simulate", "--policy", "=", "co"], ["conservative"]),
            (["simulate", "--policy", "="], run(
                "--complete", "simulate", "--policy", "").stdout.split()),
            (["compare", "--policies", "pc,f"], ["pc,fcfs"]),
            (["simulate", "tests/"], [])]:
        done = subprocess.run(["bash", "-c", script, "bash", BASH, PROGRAM,
                               *words], text=True, capture_output=True)
        case("bash: " + " ".join(words), done.stdout.split() == want
             and done.returncode == 0, (done.stdout, done.stderr))


def test_man():
    page = open(MAN).read().replace("\\-", "-")
    for command in COMMANDS:
        case("man: " + command, ".SS %s\n" % command in page)
        for option in OPTIONS[command]:
            case("man: %s %s" % (command, option),
                 re.search(re.escape(option) + r"\b(?!-)", page))
    known = {o for options in OPTIONS.values() for o in options} | {
        "--option", "--version"}
    for option in set(re.findall(r"--[a-z][a-z-]*", page)):
        case("man: %s is there" % option, option in known)
    lines = [s for s in page.splitlines() if s[:3] == ".BI"
             and any("-" in word for word in shlex.split(s)[2::2])]
    case("man: no option in italics", not lines, lines)
    case("man: no font within a .BI", not re.search(r"^\.BI .*\\f", page, re.M))
    if not shutil.which("groff"):
        return skip("man: layout", "no groff")
    done = subprocess.run(["groff", "-man", "-ww", "-z", MAN],
                          capture_output=True, text=True)
    case("man: layout", done.returncode == 0 and not done.stderr, done.stderr)


# ---- units ----

TRACE = """; MaxProcs: 4
; UnixStartTime: 1051747200 (Thu May  1 00:00:00 UTC 2003)
""" + "".join("%d %d -1 10 1 -1 -1 1 10 -1 1 1 1 -1 -1 -1 -1 -1\n" % (i, t)
              for i, t in enumerate([-60, 0, 59, 60, 3600, 43200, 86399, 86400,
                                     129600, 604800, 26438400]))


def ids(*args, trace=TRACE):
    done = run("simulate", "-", "--jobs-out", "-", *args, input=trace)
    return " ".join(s.split(",")[0] for s in done.stdout.splitlines()[1:])


def test_units():
    for time_, first in [
            ("0", 1), ("-60", 0), ("-1m", 0), ("-59", 1), ("59", 2), ("60s", 3),
            ("1m", 3), ("1h", 4), ("60m", 4), ("3601", 5), ("12h", 5),
            ("11h60m", 5), ("1d", 7), ("1d12h", 8), ("1w", 9), ("1w1s", 10),
            ("2003-05-01", 1), ("2003-05-01T00:01", 3),
            ("2003-05-01T00:00:59", 2), ("2003-05-01T23:59:59", 6),
            ("2003-05-02", 7), ("2003-05-02T12:00:01", 9),
            ("2004-03-02", 10), ("2004-02-29T23:59:59", 10),
            ("2003-04-30T23:59:00", 0), ("1970-01-01", 0)]:
        want = " ".join(str(i) for i in range(first, 11))
        case("--from " + time_, ids("--from", time_) == want,
             ids("--from", time_))
        want = " ".join(str(i) for i in range(first))
        case("--until " + time_, ids("--until", time_) == want,
             ids("--until", time_))
    for time_ in ["", "h", "1x", "12 h", "1h1d", "1d1d", "1d12", "--1", "1.5h",
                  "2003-13-01", "2003-02-29", "2003-00-10", "2003-5-1",
                  "2003-05-01T24:00", "2003-05-01T12", "2003-05-01 12:00",
                  "0000-01-01", "9999999999999999999", "99999999999w",
                  "2003-05-01T12:30:59Zulu", "2003-05-01T12:30+1"]:
        done = run("simulate", "-", "--from=" + time_, input=TRACE)
        case("no time: '%s'" % time_,
             done.returncode == 2 and "--from" in done.stderr, done.stderr)
    done = run("simulate", "-", "--from", "2003-05-01", input="\n".join(
        TRACE.split("\n")[:1] + TRACE.split("\n")[2:]))
    case("no epoch", done.returncode == 2 and "UnixStartTime" in done.stderr,
         done.stderr)
    done = run("simulate", "-", "--from", "1h", "--until", "1d", input=TRACE)
    case("the others are counted",
         "\ndropped                 8 (outside of --from and --until 8)\n"
         in done.stdout, done.stdout)
    done = run("simulate", "-", "--from", "30w", "--until", "31w", input=TRACE)
    case("no job in that time", done.returncode == 2
         and "none of its 11 jobs" in done.stderr, done.stderr)


# ---- pipes, files, signals ----

def spent():
    """Seconds of a processor, by the programs that ended."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def long_trace():
    """One that pc takes LONG for, on this machine, whatever else runs on it."""
    path = os.path.join(TMP, "long.swf")
    jobs, took = 8000, LONG if os.path.exists(path) else 0
    while took < LONG:
        jobs += jobs // 2
        with open(path, "w") as f:
            subprocess.run([PROGRAM, "generate", "--jobs", str(jobs), "--load",
                            "1.1", "--overestimate", "5"], stdout=f,
                           stderr=subprocess.DEVNULL, check=True)
        before = spent()
        run("simulate", path, "--policy", "pc")
        took = spent() - before
    return path


def test_narrow():
    """In a terminal of 60 columns no line is longer, but examples and CSV."""
    trace = os.path.join(TMP, "narrow.swf")
    with open(trace, "w") as f:
        subprocess.run([PROGRAM, "generate", "--jobs", "300", "--procs", "64"],
                       stdout=f, stderr=subprocess.DEVNULL, check=True)
    with open(trace) as f:
        dated = "; UnixStartTime: 1700000000\n" + f.read()
    with open(trace, "w") as f:
        f.write(dated)
    env = {**os.environ, "COLUMNS": "60"}
    at = ("--at", "2d")
    for args in [
            ("simulate", trace, "--fst"),
            ("simulate", trace, "--gantt", "0", "1d"),
            ("compare", trace, "--policies", "all", "--fst"),
            ("compare", trace, "--fst", "--fst-sample", "20"),
            ("compare", trace, "--procs", "64,128", "--plot"),
            ("compare", "--policies", "easy,fcfs"),
            ("usage", trace),
            ("cost", "2:ppn=3", "--machine", MACHINE),
            ("whatif", trace, *at, "--event", "capacity -30"),
            ("whatif", trace, *at, "--event", "submit 64 3600"),
            ("whatif", trace, "--policy", "pc"),
            *(("why", trace, *at, "--job", "287", "--policy", p)
              for p in ("easy", "conservative", "pc", "relshare"))]:
        done = run(*args, env=env, cwd=TMP)
        text = done.stdout.replace(TMP + "/", "")
        text = text.replace(os.path.dirname(MACHINE) + "/", "")
        long = [x for x in text.split("\n") if len(x) > 60]
        case("60 columns: " + " ".join(args[:1] + args[2:]), done.returncode == 0
             and done.stdout and not long, "\n".join(long) + done.stderr)
    for command in COMMANDS:
        for help_ in ("-h", "--help"):
            text = run(command, help_, env=env).stdout
            long = [x for x in text.split("\nexample:")[0].split("\n")
                    if len(x) > 60]
            case("60 columns: %s %s" % (command, help_), text and not long, long)
    why = run("why", trace, *at, "--job", "287", env={**env, "COLUMNS": "500"})
    case("500 columns", max(map(len, why.stdout.split("\n"))) > 60, why.stdout)


def test_pipes():
    for args in [("generate", "--jobs", "100000"),
                 ("simulate", long_trace(), "--jobs-out", "-")]:
        command = subprocess.Popen([PROGRAM, *args], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        command.stdout.readline()
        command.stdout.close()
        said = command.stderr.read()
        case("a closed pipe: " + args[0], command.wait() == 0 and not said,
             (command.returncode, said))
    if not os.access("/dev/full", os.W_OK):
        return skip("a full disk", "no /dev/full")
    for args in [("--help",), ("compare", "--help"), ("generate",),
                 ("compare", GOLDEN), ("simulate", GOLDEN),
                 ("compare", GOLDEN, "--json", "-"), ("--version",)]:
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, *args], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        case("a full disk: " + " ".join(args[:1] + args[-1:]),
             done.returncode == 1 and "No space" in done.stderr,
             (done.returncode, done.stderr))


def test_signals():
    for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
        folder = tempfile.mkdtemp(dir=TMP)
        command = subprocess.Popen(
            [PROGRAM, "simulate", long_trace(), "--policy", "pc",
             "--jobs-out", folder + "/jobs.csv"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.time() + 60
        while not os.listdir(folder) and time.time() < until:
            time.sleep(0.01)
        before = os.listdir(folder)
        command.send_signal(number)
        case("killed by signal %d" % number, command.wait() == -number,
             command.returncode)
        case("signal %d: nothing is left" % number,
             len(before) == 1 and before != ["jobs.csv"]
             and not os.listdir(folder), before)
    pipe = os.path.join(TMP, "pipe")
    os.mkfifo(pipe)
    command = subprocess.Popen([PROGRAM, "simulate", GOLDEN, "--jobs-out", pipe],
                               stdout=subprocess.DEVNULL)
    time.sleep(0.5)
    command.terminate()
    try:
        case("killed while a pipe has no reader",
             command.wait(10) == -signal.SIGTERM, command.returncode)
    except subprocess.TimeoutExpired:
        command.kill()
        case("killed while a pipe has no reader", False, "it waits")
    with open(os.path.join(TMP, "old.json"), "w") as f:
        f.write("old")
    run("compare", GOLDEN, "nothing.swf", "--json", f.name)
    case("a run that fails leaves the old file", open(f.name).read() == "old")
    run("compare", GOLDEN, "--policies", "pc,easy", "--json", f.name)
    case("one that does not replaces it", len(json.load(open(f.name))) == 2)
    case("and leaves nothing else",
         glob.glob(f.name + "*") == [f.name], glob.glob(f.name + "*"))


# ---- a terminal ----

def on_terminal(args, stdout, stderr, **environment):
    """What the terminal shows; where it is not one, there is a pipe."""
    master, slave = pty.openpty()
    environment = {**{k: v for k, v in os.environ.items()
                      if k not in ("NO_COLOR", "TERM")},
                   "TERM": "xterm", **environment}
    command = subprocess.Popen(
        [PROGRAM, *args], env=environment, stdin=subprocess.DEVNULL,
        stdout=slave if stdout else subprocess.DEVNULL,
        stderr=slave if stderr else subprocess.DEVNULL)
    os.close(slave)
    seen = b""
    while True:
        select.select([master], [], [])
        try:
            some = os.read(master, 65536)
        except OSError:  # Linux: the other end is closed
            some = b""
        if not some:
            break
        seen += some
    os.close(master)
    return command.wait(), seen.decode()


def test_bytes():
    """A terminal obeys no name; a file has it as it is."""
    names = os.path.join(TMP, "names.csv")
    with open(names, "wb") as f:
        f.write(b'kind,number,name\nuser,1,"a""\x1b]0;x\x07,\xff\xc3\xb6"\n')
    path = os.path.join(TMP, "odd.swf")
    with open(path, "wb") as f:
        f.write(b"; MaxProcs: 4\n; Note: \x1b]0;x\n"
                b"1 0 -1 9 4 -1 -1 4 9 -1 1 1 1 -1 -1 -1 -1 -1 {1} q\x1b x\n")
    for option, shown in [("--jobs-out", 'a""\\x1b]0;x\\x07,\\xff\u00f6"'),
                          ("--users-out", 'a""\\x1b]0;x\\x07,\\xff\u00f6"'),
                          ("--swf-out", "{1} q\\x1b x")]:
        args = ["simulate", path, "--names", names, option, "-"]
        _, text = on_terminal(args, True, False)
        case("on a terminal: " + option, shown in text and "\x1b" not in text
             and "\x07" not in text, repr(text))
        raw = subprocess.run([PROGRAM, *args], capture_output=True).stdout
        case("in a pipe: " + option, b"\x1b" in raw and b"\\x" not in raw, raw)


GREEN, RED = "\033[32m", "\033[31m"


def test_colour():
    path = os.path.join(TMP, "block.swf")
    with open(path, "w") as f:  # fcfs alone lets job 3 wait for job 2
        f.write("; MaxProcs: 4\n"
                "1 0 -1 99 3 -1 -1 3 99 -1 1 1 1 -1 -1 -1 -1 -1\n"
                "2 1 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1\n"
                "3 2 -1 50 1 -1 -1 1 50 -1 1 1 1 -1 -1 -1 -1 -1\n")
    args = ["compare", path, "--policies", "fcfs,easy,fcfs"]
    status, text = on_terminal(args, True, False)
    plain = run(*args).stdout
    case("colour on a terminal", status == 0 and GREEN in text
         and text.count(GREEN) == text.count("\033[0m"), text)
    _, back = on_terminal(["compare", path, "--policies", "easy,fcfs"], True,
                          False)
    case("colour: the other way", back.count(RED) == text.count(GREEN), back)
    case("colour: red is worse, green is better",
         all("worse" in s for s in re.findall(r"\033\[31m([^\033]*)", back))
         and all("better" in s
                 for s in re.findall(r"\033\[32m([^\033]*)", text)), text)
    case("no colour elsewhere", "\033" not in plain)
    case("else the same", re.sub(r"\033\[\d+m", "", text).replace("\r", "")
         == plain, text)
    for environment, want in [({"NO_COLOR": "1"}, False),
                              ({"NO_COLOR": ""}, True),
                              ({"TERM": "dumb"}, False)]:
        _, text = on_terminal(args, True, False, **environment)
        case("colour: %s" % environment, (GREEN in text) == want, text)


def stopped(args):
    """What is said in a pipe by a run that takes 11 s, most of them stopped."""
    with subprocess.Popen([PROGRAM, *args], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as program:
        time.sleep(0.3)
        program.send_signal(signal.SIGSTOP)
        time.sleep(10.7)
        program.send_signal(signal.SIGCONT)
        return program.communicate()[1]


def test_doctor():
    """Its numbers are those that its own awk prints, and of what it reads."""
    odd = os.path.join(TMP, "it's odd.swf")
    with open(odd, "w", encoding="ascii") as f:
        f.write("; MaxProcs: 4\n1 0 5 10 2 -1 -1 2 60 -1 1 1 1 -1 -1 -1 -1 -1\n"
                "2 5 0 -1 -1 -1 -1 1 60 -1 5 1 1 -1 -1 -1 -1 -1\n"
                "3 9 1 20 9 -1 -1 9 60 -1 1 2 1 -1 -1 -1 -1 -1\n"
                "x\n4 9 0 7 1 -1 -1 1 -1 -1 1 2 2 -1 -1 -1 -1 -1\n")
    case("a damaged line", run("doctor", odd).returncode == 2)
    text = run("doctor", odd, "--lenient").stdout
    for line in ("read        2 jobs of 4", "damaged     1 line, the first is ",
                 "dropped     1 job: no run time; the first is on line 3\n"
                 "            1 job: wider than the machine; the first is on line 4",
                 "guessed     1 job without a requested time, planned",
                 "owners      2 users, 2 accounts (groups), 1 partition (queues)",
                 "waits       3 s on average", "machine     4 processors",
                 "totals      2 jobs, 27 processor-seconds, 17 seconds of run time"):
        case("doctor: " + line, line in text, text)
    text = run("doctor", SACCT).stdout
    case("doctor: sacct", "the output of sacct" in text and
         "dropped: 13 job steps" in text and "in use at once" in text, text)
    case("doctor: what the others read", re.search(
        r"^jobs +(\d+)$", run("simulate", SACCT).stdout, re.M)[1] ==
         re.search(r"^totals +(\d+) jobs", text, re.M)[1], text)
    for path in (GOLDEN, SACCT, long_trace()):
        text = run("doctor", path).stdout
        program = text[text.index("  gzip -dcf"):text.index("area, run }'") + 12]
        told = re.search(r"^totals +(.*)", text, re.M)[1]
        done = subprocess.run(["sh", "-c", program], text=True,
                              capture_output=True)
        case("doctor: awk " + os.path.basename(path), done.stdout == told + "\n",
             (done.stdout, told))
    case("doctor: options change what is read", "0 jobs" not in run(
        "doctor", GOLDEN, "--until", "1000000").stdout and "awk" not in run(
            "doctor", GOLDEN, "--until", "1000000").stdout)
    case("doctor: standard input", run("doctor", "-").returncode == 2)


def test_progress():
    args = ["simulate", long_trace(), "--policy", "pc"]
    status, text = on_terminal(args, False, True)
    shown = [int(s) for s in re.findall(r"\] +(\d+) %", text)]
    case("a progress bar", status == 0 and len(shown) > 2, repr(text[:200]))
    case("it grows", shown == sorted(shown) and shown[-1] > shown[0]
         and 0 <= shown[0] and shown[-1] <= 100, shown)
    left = re.findall(r"(\d+h \d\dm|\d+m \d\ds|\d+s) left", text)
    case("it tells the time left", len(left) == len(shown), left)
    case("it is wiped away", text.endswith("\r\033[K"), repr(text[-40:]))
    case("no bar in a pipe", run(*args).stderr == "")
    for more in [], ["--quiet"]:
        text = stopped(args + more)
        case("in a pipe %s" % (more or "a line after 10 s"), not text if more
             else re.fullmatch(r"fairsched: simulating: \d+ %, "
                               r"(\d+h \d\dm|\d+m \d\ds|\d+s) left\n", text), text)
    status, text = on_terminal(args + ["--quiet"], False, True)
    case("no bar if it is to be quiet", (status, text) == (0, ""), text)
    case("and no remark", "processors" in run("simulate", SACCT).stderr and
         run("simulate", SACCT, "--quiet").stderr == "")
    case("but errors", run("simulate", "/none", "--quiet").stderr)
    _, text = on_terminal(args, False, True, TERM="dumb")
    case("no bar on a dumb terminal", text == "", repr(text[:200]))
    _, text = on_terminal(["simulate", GOLDEN], False, True)
    case("no bar for short work", text == "", repr(text))
    status, text = on_terminal(["compare", long_trace(), "--policies",
                                "pc,easy", "--threads", "2"], False, True)
    case("a bar for all threads", status == 0
         and text.startswith("\rcomparing ["), repr(text[:80]))


if __name__ == "__main__":
    try:
        for test in [globals()[a] for a in sys.argv[1:]] or [
                     test_help, test_version, test_suggestions, test_values,
                     test_complete, test_bash, test_man, test_units, test_narrow,
                     test_bytes, test_pipes, test_signals, test_colour, test_doctor,
                     test_progress]:
            test()
    finally:
        shutil.rmtree(TMP)
    sys.exit(failed > 0)
