#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""import sacct: tests/sacct/recorded.txt is what a cluster of Slurm 22.05 with
slurmdbd said, all else is made here. What a trace must say is computed here
again, from the lines.
"""

import csv
import gzip
import html
import io
import json
import os
import random
import re
import subprocess
import tempfile

PROGRAM = os.path.abspath(next(
    p for p in ("tools/fairsched/fairsched", "build/fairsched")
    if os.access(p, os.X_OK)))
RECORDED = "tests/sacct/recorded.txt"
TMP = tempfile.mkdtemp()
COLUMNS = ("JobIDRaw User Account Partition State Submit Eligible Start End "
           "TimelimitRaw AllocCPUS ReqCPUS ReqTRES").split()
JOB = dict(zip(COLUMNS, "7 anna physics batch COMPLETED 1700000000 1700000005 "
               "1700000010 1700000110 5 8 8 cpu=8,mem=4G,node=1".split()))
WANT = "7 0 10 100 8 -1 -1 8 300 524288 1 1 1 -1 1 -1 -1 -1"
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print("ok" if good else "not ok", name, "" if good else why)


def run(text, *args):
    return subprocess.run([PROGRAM, "import", "sacct", *args], input=text,
                          text=True, capture_output=True)


def table(jobs, columns=COLUMNS):
    return "\n".join(["|".join(columns)] +
                     ["|".join(j[c] for c in columns) for j in jobs]) + "\n"


def records(text):
    return [l for l in text.splitlines() if l[0] != ";"]


def one(name, want, **changes):
    """A line with these fields becomes this record, but for the fields."""
    done = run(table([{**JOB, **changes}], list({**JOB, **changes})))
    case(name, records(done.stdout) == [want], done.stdout + done.stderr)


def record(**changes):
    f = WANT.split()
    for field, value in changes.items():
        f[int(field[1:]) - 1] = str(value)
    return " ".join(f)


# ---- one line ----

def test_fields():
    one("a job", WANT)
    one("an unknown column", WANT, JobName="x", Elapsed="00:01:40")
    one("no limit", record(f9=-1), TimelimitRaw="UNLIMITED")
    one("the partition's limit", record(f9=-1), TimelimitRaw="Partition_Limit")
    one("an array task", WANT, JobIDRaw="7_12")
    one("a component", WANT, JobIDRaw="7+1")
    one("cancelled", record(f11=5), State="CANCELLED by 0")
    for state in ("FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY",
                  "PREEMPTED", "DEADLINE", "BOOT_FAIL", "REQUEUED"):
        one(state, record(f11=0), State=state)
    one("no account", record(f13=-1), Account="")
    one("no partition", record(f15=-1), Partition="")
    one("no request of processors", record(f8=-1), ReqCPUS="")
    for mem, kb in (("100M", 12800), ("2.50G", 327680), ("1T", 1 << 27),
                    ("17K", 3), ("1.99K", 1)):
        one("memory " + mem, record(f10=kb), ReqTRES="node=1,mem=" + mem)
    one("no memory", record(f10=-1), ReqTRES="cpu=8,billing=8")
    one("dates", WANT, Submit="2023-11-14T22:13:20",
        Start="2023-11-14T22:13:30", End="2023-11-14T22:15:10")
    other = {c: JOB[c] for c in JOB if c not in ("JobIDRaw", "AllocCPUS",
                                                 "TimelimitRaw")}
    for limit, seconds in (("05:00", 300), ("1:02:03", 3723),
                           ("2-00:00:00", 172800), ("1-12", 129600),
                           ("1-12:30", 131400), ("UNLIMITED", -1)):
        line = {**other, "NCPUS": "8", "JobID": "7", "Timelimit": limit}
        done = run(table([line], list(line)))
        case("limit " + limit, records(done.stdout) == [record(f9=seconds)],
             done.stdout + done.stderr)
    done = run(table([JOB]), "--arrival", "eligible")
    case("eligible", records(done.stdout) == [record(f3=5)], done.stdout)
    case("eligible: the epoch", "UnixStartTime: 1700000005" in done.stdout)
    both = run("|".join(COLUMNS) + "|\r\n" + "|".join(JOB.values()) + "|\r\n")
    case("-p, and a carriage return", records(both.stdout) == [WANT],
         both.stderr)


def test_dropped():
    for name, reason, changes in (
            ("a step", "1 job step", {"JobIDRaw": "8.batch"}),
            ("a numbered step", "1 job step", {"JobIDRaw": "8_1.0"}),
            ("waiting", "1 job that has not ended",
             {"State": "PENDING", "Start": "Unknown", "End": "Unknown"}),
            ("running", "1 job that has not ended",
             {"State": "RUNNING", "End": "Unknown"}),
            ("lost", "1 job that has not ended", {"State": "FAILED", "End": "Unknown"}),
            ("never started", "1 job that never started",
             {"State": "CANCELLED by 0", "Start": "Unknown"}),
            ("never started, later versions", "1 job that never started",
             {"State": "CANCELLED", "Start": "None"}),
            ("cancelled at once", "1 job that never started",
             {"State": "CANCELLED", "Start": JOB["End"]}),
            ("no processors", "1 job without processors", {"AllocCPUS": "0"})):
        done = run(table([JOB, {**JOB, **changes}]))
        case(name, records(done.stdout) == [WANT] and
             "1 job of 2 lines\ndropped: %s\n" % reason in done.stderr,
             done.stdout + done.stderr)


# ---- errors ----

def error(name, want, text, *args, status=2):
    done = run(text, *args)
    case(name, done.returncode == status and want in done.stderr
         and not done.stdout, (done.returncode, done.stderr))


def test_errors():
    for column, value in (
            ("JobIDRaw", "x"), ("JobIDRaw", ""), ("JobIDRaw", "-1"),
            ("JobIDRaw", "9" * 20), ("JobIDRaw", "7x"), ("State", "DONE"),
            ("State", ""), ("Submit", ""), ("Submit", "Unknown"),
            ("Submit", "soon"), ("Submit", "-5"), ("Submit", "9" * 19),
            ("Submit", "12h"), ("Submit", "2023-02-30T00:00:00"),
            ("Start", "2023-11-14 22:13:30"), ("Start", "1699999999"),
            ("End", "1700000009"), ("End", "99999999999"),
            ("TimelimitRaw", "5m"), ("TimelimitRaw", "-1"),
            ("TimelimitRaw", "9" * 12), ("AllocCPUS", "8.5"),
            ("AllocCPUS", "2147483648"), ("ReqCPUS", "many"),
            ("ReqTRES", "mem=4"), ("ReqTRES", "mem=4Gn"),
            ("ReqTRES", "mem=x"), ("ReqTRES", "mem=4.G")):
        error("bad %s: %s" % (column, value),
              "standard input:3: %s: '%s' is not" % (column, value[:40])
              if column != "Start" or value[0] != "1" else
              "standard input:3: Start: '1699999999' is before the job was submitted",
              table([JOB, {**JOB, column: value}]))
    line = {**JOB, "Timelimit": "1:2:3:4"}
    del line["TimelimitRaw"]
    for limit in ("1:2:3:4", "x", "1-2-3", "-5", "9" * 15, ":"):
        done = run(table([{**line, "Timelimit": limit}], list(line)))
        case("bad limit " + limit, done.returncode == 2 and
             "Timelimit: '" in done.stderr, done.stderr)
    error("nothing", "the header line is missing", "")
    error("no jobs", "the file has no job that ended", table([]))
    error("two columns", "standard input:1: column User appears twice", "User|User\n")
    for column in ("JobIDRaw", "User", "State", "Submit", "Start", "End",
                   "AllocCPUS", "TimelimitRaw"):
        rest = [c for c in COLUMNS if c != column and
                (column, c) != ("AllocCPUS", "ReqCPUS")]
        error("without " + column, "standard input:1: column " + column + " is missing",
              table([JOB], rest))
    rest = [c for c in COLUMNS if c != "Eligible"]
    error("without Eligible", "column Eligible is missing", table([JOB], rest),
          "--arrival", "eligible")
    error("a | in a name", "standard input:2: 14 fields instead of 13",
          table([{**JOB, "Account": "a|b"}]))
    error("not -P", "standard input:1: blanks are between the names of columns: "
          "export by sacct -P", "JobIDRaw User\n-------- ----\n")
    error("columns missing", "standard input:1: columns User, State, Submit, "
          "Start, End, AllocCPUS and TimelimitRaw are missing: the first line "
          "is 'JobIDRaw|x'", "JobIDRaw|x\n")
    error("columns", "too many columns", "|" * 600)
    done = subprocess.run([PROGRAM, "import", "squeue"], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    case("not sacct", done.returncode == 2 and "'squeue'" in done.stderr,
         done.stderr)
    error("no file", "No such file", "", TMP + "/none")
    error("one file twice", "are the same file", table([JOB]), "--out", TMP + "/x",
          "--names", TMP + "/x")
    bad = {**JOB, "State": "?"}
    done = run(table([bad, JOB, bad]), "--lenient")
    case("lenient", records(done.stdout) == [WANT] and
         "damaged: 2 lines, the first is standard input:2: State: '?'" in done.stderr,
         done.stderr)
    error("lenient, nothing left",
          "standard input: the file has no job that ended: 2 damaged lines "
          "(first: standard input:2: State: '?' is", table([bad, bad]),
          "--lenient")
    error("none that ended, each by its reason",
          "standard input: the file has no job that ended: 1 job step "
          "(first: line 2, JobID), 2 jobs that have not ended "
          "(first: line 3, State), 1 job that never started "
          "(first: line 5, Start), 1 damaged line (first: standard input:6: ",
          table([{**JOB, "JobIDRaw": "7.batch"}, {**JOB, "State": "RUNNING"},
                 {**JOB, "State": "PENDING"},
                 {**JOB, "State": "CANCELLED", "Start": "Unknown"}, bad]),
          "--lenient")


# ---- many lines ----

def test_names():
    names = ["plain", 'with "quotes"', "with, comma", "ünïcode"] + [
        "u%d" % i for i in range(5000)]
    jobs = [{**JOB, "JobIDRaw": str(i), "User": name, "Account": names[-i]}
            for i, name in enumerate(names)]
    done = run(table(jobs + jobs), "--names", TMP + "/names",
               "--out", TMP + "/swf")
    case("names", done.returncode == 0 and not done.stdout, done.stderr)
    kinds = {}
    for row in csv.DictReader(open(TMP + "/names", newline="")):
        kinds.setdefault(row["kind"], {})[row["number"]] = row["name"]
    got = [(kinds["user"][f[11]], kinds["account"][f[12]])
           for f in map(str.split, records(open(TMP + "/swf").read()))]
    case("names: each", got == [(j["User"], j["Account"]) for j in jobs + jobs])
    case("names: in order", list(kinds["user"].values()) == names)


def test_order():
    """Shuffled lines and columns; peak by counting each second."""
    rng = random.Random(1)
    jobs, use = [], [0] * 400
    for i in range(300):
        submit, wait, length, procs = (rng.randrange(n)
                                       for n in (200, 50, 100, 9))
        procs, length = procs + 1, length + 1
        for t in range(submit + wait, submit + wait + length):
            use[t] += procs
        jobs.append({**JOB, "JobIDRaw": str(i), "Submit": str(submit),
                     "Start": str(submit + wait), "AllocCPUS": str(procs),
                     "End": str(submit + wait + length)})
    columns = rng.sample(COLUMNS, len(COLUMNS))
    done = run(table(jobs, columns))
    got = [list(map(int, r.split())) for r in records(done.stdout)]
    first = min(int(j["Submit"]) for j in jobs)
    want = sorted(([int(j["JobIDRaw"]), int(j["Submit"]) - first,
                    int(j["Start"]) - int(j["Submit"]),
                    int(j["End"]) - int(j["Start"]), int(j["AllocCPUS"])]
                   for j in jobs), key=lambda r: r[1])
    case("by arrival", [r[:5] for r in got] == want)
    case("MaxProcs", "; MaxProcs: %d\n" % max(use) in done.stdout,
         (max(use), done.stdout[:200]))
    done = run(table(jobs), "--procs", "4000")
    case("--procs", "; MaxProcs: 4000\n" in done.stdout)


def test_recorded():
    """A real cluster's, read here by itself; then simulated."""
    rows = list(csv.DictReader(open(RECORDED), delimiter="|"))
    kept = [r for r in rows if "." not in r["JobIDRaw"]
            and r["State"] not in ("PENDING", "RUNNING")
            and r["Start"].isdigit()]
    done = run("", RECORDED, "--out", TMP + "/site.swf", "--names",
               TMP + "/site.csv")
    case("recorded", done.returncode == 0, done.stderr)
    got = [list(map(int, r.split()))
           for r in records(open(TMP + "/site.swf").read())]
    first = min(int(r["Submit"]) for r in kept)
    want = sorted([int(r["Submit"]) - first, int(r["JobIDRaw"]),
                   int(r["Start"]) - int(r["Submit"]),
                   int(r["End"]) - int(r["Start"]), int(r["AllocCPUS"]),
                   60 * int(r["TimelimitRaw"])
                   if r["TimelimitRaw"].isdigit() else -1] for r in kept)
    case("recorded: jobs", sorted([r[1], r[0], *r[2:5], r[8]]
                                  for r in got) == want, (got, want))
    for text in ("job steps", "have not ended", "never started",
                 "requeued: "):
        case("recorded: " + text, text in done.stderr, done.stderr)
    done = subprocess.run([PROGRAM, "compare", TMP + "/site.swf"],
                          capture_output=True, text=True)
    case("recorded: compare", done.returncode == 0 and
         "conservative" in done.stdout, done.stdout + done.stderr)


def digests(path, *args):
    done = subprocess.run([PROGRAM, "compare", path, "--json", "-", *args],
                          capture_output=True, text=True)
    return re.findall(r'"digest": "(\w+)"', done.stdout), done.stderr


def test_by_content():
    """compare reads what sacct printed as import does, packed or not."""
    want, _ = digests(TMP + "/site.swf")
    got, err = digests(RECORDED)
    case("by content", len(want) == 5 and got == want, (got, want, err))
    case("by content: what is no job", "17 of 27 lines are no job" in err, err)
    with gzip.open(TMP + "/packed", "wb") as f:
        f.write(open(RECORDED, "rb").read())
    case("by content: packed", digests(TMP + "/packed")[0] == want)
    with open(TMP + "/bad", "w") as f:
        f.write("JobID|User\n1|x\n")
    case("by content: damaged", "State" in digests(TMP + "/bad")[1],
         digests(TMP + "/bad")[1])
    case("by content: --procs", digests(RECORDED, "--procs", "99")[0] ==
         digests(TMP + "/site.swf", "--procs", "99")[0])


def test_shown_names():
    """Names are everywhere, in the CSV, JSON, tables and the page."""
    def show(*args):
        return subprocess.run([PROGRAM, *args], capture_output=True,
                              text=True).stdout
    names, swf = TMP + "/odd.csv", TMP + "/site.swf"
    odd = 'a, "b"`${x}</script>\u00e9'
    with open(names, "w") as f:
        f.write('kind,number,name\nuser,1,"%s"\npartition,1,batch\n' %
                odd.replace('"', '""'))
    for args in (("--users-out", "-"), ("--jobs-out", "-")):
        rows = csv.DictReader(show("simulate", swf, "--names", names,
                                   *args).splitlines())
        case("names: " + args[0], {r["user"] for r in rows} == {odd})
    case("names of sacct itself", {r["user"] for r in csv.DictReader(
        show("simulate", RECORDED, "--jobs-out", "-").splitlines())} ==
         {"root"})
    text = show("whatif", swf, "--names", names, "--at", "20", "--event",
                "submit 15 60 " + odd[:1], "--jobs-out", "-")
    case("names: an event by none of them", text == "", text)
    with open(names, "w") as f:
        f.write('kind,number,name\nuser,1,ada\npartition,1,batch\n')
    text = show("whatif", swf, "--names", names, "--at", "20", "--event",
                "submit 15 60 ada", "--jobs-out", "-")
    case("names: an event by name", ",ada," in text, text)
    rows = json.loads(show("priority", swf, "--names", names, "--at", "20",
                           "--json", "-"))
    case("names: priority", all(r["user"] == "ada" and r["class"] == "batch"
                                for r in rows), rows)
    with open(names, "w") as f:
        f.write('kind,number,name\nuser,1,"%s"\n' % odd.replace('"', '""'))
    show("compare", swf, "--names", names, "--report", TMP + "/page")
    page = open(TMP + "/page/index.html").read()
    case("names: the page", html.escape(odd, quote=False).replace("&lt;",
         "&#60;").replace("&gt;", "&#62;").replace('"', "&#34;") in page)
    data = open(TMP + "/page/trace-1.js").read()
    data = re.fullmatch(r"fairsched\.data\(0,`([^`$]*)`,"
                        r"\[(?:\s*`[^`$]*`,?)*\],"
                        r"\[\n((?:\s*`[^`$]*`,?)*)\]\);\n", data)
    case("names: its data", data)
    data, shares = (json.loads(text.split("`,\n`")[0].strip("`").replace(
        "\\\\", "\\")) for text in data.groups())
    case("names: of the schedule", data["names"] == {"1": odd}, data["names"])
    case("names: of the shares", [name for name, _ in shares["users"]] == [odd],
         shares["users"])
    for text, why in (("user,1,x\n", "kind,number,name"),
                      ("kind,number,name\nowner,1,x\n", "'owner' is not"),
                      ("kind,number,name\nuser,x,y\n", "number"),
                      ("kind,number,name\nuser,1\n", "instead of 3")):
        with open(names, "w") as f:
            f.write(text)
        done = subprocess.run([PROGRAM, "simulate", swf, "--names", names],
                              capture_output=True, text=True)
        case("names: bad file, " + why, done.returncode == 2 and
             why in done.stderr, done.stderr)


def is_formula(cell):
    return re.match(r"[=+\-@\t\r]", cell) and not re.fullmatch(
        r"[+-][\d.]*", cell)


# What each name is as a cell.
CELLS = {"=1+1": "'=1+1", "+a": "'+a", "-1-1": "'-1-1", "@a": "'@a",
         "\t=a": "'\t=a", "\ra": "'\ra", "'=a": "''=a", "''+a": "'''+a",
         "'-5": "''-5", "-5": "-5", "+1.5": "+1.5", "'": "'", "'a": "'a",
         "a=1": "a=1", " a": " a", "a\t": "a\t", '=a,"b"': "'=a,\"b\"",
         '"': '"', "a\r": "a\r"}


def test_formulas():
    """A spreadsheet computes no cell of any CSV; the command reads names back
    as they were, and so are those that a spreadsheet wrote without quotes."""
    def out(*args):
        done = subprocess.run([PROGRAM, *args], capture_output=True, cwd=TMP)
        return done.stdout.decode()
    os.makedirs(TMP + "/f", exist_ok=True)
    head = ["job_id", "submit", "walltime", "run", "procs", "'@gpus",
            "classes", "user", "account", "partition", "qos"]
    rows = [[str(i), "0", "9", "9", "1", "1", "'=a", c, c, c, c]
            for i, c in enumerate(CELLS.values())]
    with open(TMP + "/jobs.csv", "w", newline="", encoding="utf-8") as f:
        f.write(",".join(head) + "\n")
        csv.writer(f, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    with open(TMP + "/machine.csv", "w", encoding="utf-8") as f:
        f.write("class,count,cpus,@gpus\n=a,1,99,99\n")
    with open(TMP + "/tree.csv", "w", encoding="utf-8") as f:
        f.write("parent,name,shares\nroot,-x,1\n-x,=1+1,1\n-x,@a,1\n")
    again = out("import", "jobs", "jobs.csv", "--format", "jobs",
                "--out", "=jobs.csv") or open(
                    TMP + "/=jobs.csv", newline="", encoding="utf-8").read()
    lines = list(csv.reader(io.StringIO(again, newline="")))
    case("formulas: a jobs CSV is as it was", [
        [c for c, name in zip(line, lines[0]) if name != "start"]
        for line in lines] == [head] + rows, again)
    case("formulas: also without quotes", out(
        "import", "jobs", "=jobs.csv", "--format", "jobs") == again)
    out("import", "jobs", "=jobs.csv", "--names", "names.csv", "--out",
        "=jobs.swf")
    for args in (["=jobs.csv"], ["=jobs.swf", "--names", "names.csv"]):
        used = json.loads(out("usage", *args, "--by", "user", "--json", "-"))
        case("formulas: names of " + args[0],
             {r.get("user") for r in used} - {None} == set(CELLS), used)
    plan = ["=jobs.csv", "--machine", "machine.csv", "--plan", "classes"]
    at = ["=jobs.csv", "--procs", "2", "--at", "1"]
    with open(TMP + "/maui.cfg", "w", encoding="utf-8") as f:
        f.write("USERCFG[DEFAULT] QDEF=@q QLIST=@q\nQOSCFG[@q] PRIORITY=1\n")
    for name, args in (
            ("names", ["import", "jobs", "=jobs.csv", "--names", "-", "--out",
                       "f/x"]),
            ("jobs", ["simulate", *plan, "--jobs-out", "-"]),
            ("users", ["simulate", "=jobs.csv", "--procs", "2", "--users-out",
                       "-"]),
            ("compare", ["compare", *plan, "--csv", "-"]),
            ("usage", ["usage", "=jobs.csv", "--csv", "-"]),
            ("whatif", ["whatif", *at, "--event", "cancel 1", "--jobs-out",
                        "-"]),
            ("priority", ["priority", *at, "--config", "maui.cfg"]),
            ("ranks", ["priority", *at, "--order", "tree", "--tree",
                       "tree.csv", "--lenient"])):
        text = out(*args)
        cells = [c for row in
                 csv.reader(io.StringIO(text, newline="")) for c in row]
        case("formulas: none in " + name, "'" in text and
             not any(map(is_formula, cells)), text[:2000])


test_fields()
test_formulas()
test_dropped()
test_errors()
test_names()
test_order()
test_recorded()
test_by_content()
test_shown_names()
raise SystemExit(failed > 0)
