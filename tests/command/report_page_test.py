#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""compare --report DIR: its folder, its numbers, and the page in a browser.

The page is opened from its file in headless Chromium, drawn without a graphics
processor: nothing on the console, nothing loaded from elsewhere, nothing wider than
a phone, prints, keys move the schedule, and a frame of 100,000 jobs takes at most
33 ms of the processor. Those cases are skipped where there is no chromedriver.

With "open DIR": how long the report of DIR takes to open. With "shots OUT": pictures
of the page at 1400 and 390 pixels, of a log with dates, without, with nodes, and of a
million jobs, the reports beside them; with "shots OUT DIR ..." of those reports.
"""
import base64
import csv
import hashlib
import html.parser
import itertools
import json
import math
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PROGRAM = next(os.path.abspath(p) for p in (
    "tools/fairsched/fairsched", "build/fairsched") if os.access(p, os.X_OK))
POLICIES = ["conservative", "easy", "dc"]
FRAME = 33  # milliseconds of the processor
HOUR = 1 / 3600  # of a second
BYTES = 30  # for each of 100,000 jobs; of RICC's, under four policies, 34
BYTES_OF_CLASSES = 50  # the same, with memory, GPUs and the class
LONG = "a_name_without_a_blank" * 4
failed = 0


def case(name, good, why=""):
    global failed
    failed += not good
    print(f"ok {name}" if good else f"not ok {name}: {why}", flush=True)


def same(name, got, want):
    case(name, got == want, f"{got!r}, not {want!r}")


def fairsched(*arguments):
    return subprocess.run([PROGRAM, *arguments], text=True,
                          capture_output=True)


def generate(path, *arguments):
    with open(path, "w", encoding="ascii") as f:
        f.write(fairsched("generate", *arguments).stdout)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


# ---- the folder ----

def undated(folder):
    return re.sub(r", on \d{4}-\d\d-\d\d \d\d:\d\d UTC", "",
                  read(os.path.join(folder, "index.html")))

def compare(folder, *arguments):
    return fairsched("compare", *arguments, "--report", folder)


def folders(tmp, trace):
    other = os.path.join(tmp, "other")
    os.mkdir(other)
    with open(os.path.join(other, "mine.txt"), "w", encoding="ascii") as f:
        f.write("mine")
    run = compare(other, trace)
    same("a folder of something else: exit status", run.returncode, 2)
    case("says why", "the folder is not empty and holds no report" in run.stderr, run.stderr)
    same("it is as it was", os.listdir(other), ["mine.txt"])
    same("a file", compare(trace, trace).returncode, 2)
    same("no folder to make it in",
         compare(os.path.join(tmp, "no", "such"), trace).returncode, 1)

    new = os.path.join(tmp, "new")
    same("two traces", compare(new, trace, trace).returncode, 0)
    same("their files", sorted(os.listdir(new)),
         ["index.html", "trace-1.js", "trace-2.js"])
    before = undated(new)
    same("again", compare(new, trace, trace).returncode, 0)
    same("is the same, but for the date", undated(new), before)
    same("one trace", compare(new, trace).returncode, 0)
    same("leaves no other's file", sorted(os.listdir(new)),
         ["index.html", "trace-1.js"])
    text = read(os.path.join(new, "index.html"))
    case("what was not computed says how", "<code>--fst</code> to the command "
         "line below" in text and "strict" not in rows_of(text))
    killed = os.path.join(tmp, "killed")
    os.mkdir(killed)
    for name in ("index.html.new.a1B2c3", "trace-1.js", "trace-2.js.new.d4E5f6"):
        with open(os.path.join(killed, name), "w", encoding="ascii") as f:
            f.write("half of")
    same("after a run that was killed", compare(killed, trace).returncode, 0)
    same("nothing of it is left", sorted(os.listdir(killed)),
         ["index.html", "trace-1.js"])
    quoted = os.path.join(tmp, "it's.json")
    fairsched("compare", trace, "--policies=easy", "--json=" + quoted,
              "--report=" + new)
    case("the command line keeps options and quotes", "<code>fairsched compare "
         "load.swf --policies=easy '--json=it'\\''s.json' --report=new</code>"
         in read(os.path.join(new, "index.html")))
    gone = os.path.join(tmp, "gone")
    run = compare(gone, trace, "--json", os.path.join(tmp, "no", "such"))
    same("a run that fails", run.returncode, 1)
    case("leaves no folder", not os.path.exists(gone))

    odd = os.path.join(tmp, 'a <b>&amp;"odd".swf')
    shutil.copy(trace, odd)
    same("an odd name", compare(gone, odd, trace).returncode, 0)
    text = read(os.path.join(gone, "index.html"))
    case("is text", "<b>&amp" not in text and
         text.count("a &#60;b&#62;&#38;amp;&#34;odd&#34;<") >= 4)
    case("folders are left out", tmp not in text)


# ---- the numbers ----

class Tables(html.parser.HTMLParser):
    """Rows of cells of each table, by the title of its figure or its heading,
    without what is small or hidden; x of rows."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.x = {}, {}
        self.title, self.cell, self.hidden = None, None, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if given.get("class") == "tables":
            self.title = "numbers"
        elif tag == "tbody":
            self.hidden = "hidden" in given
        elif tag == "table":
            self.title, self.hidden = given.get("id", self.title), False
            self.rows = self.tables.setdefault(self.title, [])
        elif tag == "tr" and not self.hidden:
            self.rows.append([])
        elif tag == "small":
            self.text, self.cell = self.cell, None
        elif tag in ("th", "td", "h3", "h4") or tag == "b" and not given:
            self.cell = ""
            if tag == "th" and "data-x" in given:
                self.x.setdefault(self.title, []).append(float(given["data-x"]))

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data

    def handle_endtag(self, tag):
        if tag == "small":
            self.cell = self.text
        elif tag in ("b", "h3", "h4") and self.cell is not None:
            self.title = self.cell
        elif tag in ("th", "td") and not self.hidden:
            self.rows[-1].append(self.cell)
        if tag in ("th", "td", "b", "h3", "h4"):
            self.cell = None


def rows_of(text):
    """Of the table of all numbers, by what they are about."""
    return {row[0]: row[1:] for row in Tables(text).tables["numbers"]}


def near(name, got, want, digits):
    bad = [(g, w) for g, w in zip(got, want)
           if abs(float(g.split()[0]) - w) > 0.51 * 10 ** -digits]
    case(name, not bad and len(got) == len(want), bad[:3])


def seconds(text):
    """Of "1 h 46 min", and how exact that is: its last unit, but for one."""
    unit = {"d": 86400, "h": 3600, "min": 60, "s": 1}
    found = re.findall(r"(\d+) (d|h|min|s)\b", text)
    last = min(unit[name] for _, name in found)
    return (sum(int(n) * unit[name] for n, name in found),
            last if len(found) > 1 else {1: 1, 60: 1, 3600: 60,
                                         86400: 3600}[last])


def said(name, got, want):
    """Durations as people say them, to the unit that they are said in."""
    said = [seconds(text) for text in got]
    case(name, len(got) == len(want) and all(
        abs(s - w) <= 0.51 * unit for (s, unit), w in zip(said, want)),
        (got, want))


def numbers(tables, reports):
    rows = {row[0]: row[1:] for row in tables["numbers"]}
    same("policies", rows["measure"], POLICIES)
    for row, key in (("mean wait", "mean_wait"), ("p99 wait", "p99_wait"),
                     ("max wait", "max_wait"), ("strict", "strict_unfairness"),
                     ("relaxed", "relaxed_unfairness")):
        said(row, rows[row], [r[key] for r in reports])
    for row, key, scale, digits in (
            ("slowdown, bounded", "mean_bounded_slowdown", 1, 2),
            ("utilized, %", "utilization", 100, 2),
            ("users, % off", "user_share_deviation", 100, 2),
            ("accounts, % off", "account_share_deviation", 100, 2),
            ("unweighted, proc h", "unweighted_unfairness", HOUR, 2),
            ("weighted, proc h", "weighted_unfairness", HOUR, 2)):
        near(row, rows[row], [scale * r[key] for r in reports], digits)
    same("promises", rows["promises kept"],
         ["600 of 600", "none", "600 of 600"])

    gains = {row[0]: row[1:] for row in tables["Improvement"]}
    same("improved policies", gains["measure"], POLICIES)
    for row, key in (("Strict", "strict_unfairness"),
                     ("Relaxed", "relaxed_unfairness"),
                     ("Unweighted", "unweighted_unfairness"),
                     ("Weighted", "weighted_unfairness"),
                     ("Mean wait", "mean_wait")):
        base = reports[0][key]
        near("improvement: " + row, gains[row],
             [100 * (base - r[key]) / base for r in reports], 2)
    for (policy, mean, longest, _), r in zip(tables["policies"][2:], reports):
        said(f"at a glance: {policy}", [mean, longest],
             [r["mean_wait"], r["max_wait"]])


def as_on_the_terminal(text, printed):
    """The same words for the same numbers, and for better and worse."""
    rows = {policy: next(line for line in printed.splitlines()
                         if line.startswith(policy)) for policy in POLICIES}
    for policy, mean, longest, _ in Tables(text).tables["policies"][2:]:
        case(f"{policy}: as on the terminal", mean in rows[policy] and
             longest in rows[policy], (mean, longest, rows.get(policy)))
    judged = re.findall(r'<small data-base="conservative">([^<]+)</small>', text)
    case("better and worse as on the terminal",
         len(judged) >= 4 and all(word in printed for word in judged), judged)


def distributions(page, jobs):
    for title, unit, value in (
            ("Waits", 1, lambda j: int(j["waiting_time"])),
            ("Slowdown", 1, lambda j: max(1, int(j["turnaround_time"]) /
             max(10, int(j["execution_time"]))))):
        head, *rows = page.tables[title]
        at = [unit * x for x in page.x[title]]
        same(title + ": policies", head[1:], POLICIES)
        for k, policy in enumerate(POLICIES):
            values = [value(j) for j in jobs[policy]]
            near(f"{title}: {policy}", [row[1 + k] for row in rows],
                 [100 * sum(v <= x + 1e-6 for v in values) / len(values)
                  for x in at], 2)
            case(f"{title}: {policy}: all of them in the last row",
                 rows[-1][1 + k] == "100.00" and len(rows) > 20, rows[-1])


def utilization(page, jobs, procs):
    """Every bucket, by the overlap of each job with it."""
    rows, x = page.tables["Utilization"][1:], page.x["Utilization"]
    first = min(int(j["submission_time"]) for j in jobs["easy"])
    last = max(int(j["finish_time"]) for p in POLICIES for j in jobs[p])
    length = x[1] - x[0]
    case("utilization: parts", 100 < len(rows) <= 240 and x[0] == first and
         x[-1] < last <= x[-1] + length, (len(rows), x[0], x[-1], length))
    for k, policy in enumerate(POLICIES):
        want = []
        for i in range(len(rows)):
            a = x[i]
            z = min(last, a + length)
            used = sum(max(0, min(z, int(j["finish_time"])) -
                           max(a, int(j["starting_time"]))) *
                       int(j["requested_number_of_resources"])
                       for j in jobs[policy])
            want.append(100 * used / procs / (z - a))
        near("utilization: " + policy, [row[1 + k] for row in rows], want, 2)


def queue(page, jobs):
    """The mean number of waiting jobs in every bucket."""
    rows, x = page.tables["Queue"][1:], page.x["Queue"]
    last = max(int(j["finish_time"]) for p in POLICIES for j in jobs[p])
    for k, policy in enumerate(POLICIES):
        want = []
        for a in x:
            z = min(last, a + x[1] - x[0])
            want.append(sum(max(0, min(z, int(j["starting_time"])) -
                                max(a, int(j["submission_time"])))
                            for j in jobs[policy]) / (z - a))
        near("queue: " + policy, [row[1 + k] for row in rows], want, 2)


def heat(text, jobs):
    """Half of the jobs of a cell, 9 of 10, and how many there are."""
    for policy in POLICIES:
        part = text[text.index(f'<div data-policy="{policy}"'):]
        cells = re.findall(r'<td class="w\d">([^<]+)<small>90 %: ([^<]+)<br>'
                           r'(\d+) job', part[:part.index("</div>\n</div>")])
        want = {}
        for j in jobs[policy]:
            procs = int(j["requested_number_of_resources"])
            asked = int(j["requested_time"])
            cell = (next(i for i in range(9) if procs <= 4 ** i),
                    sum(asked > most for most in (600, 3600, 14400, 43200,
                                                  86400, 259200)))
            want.setdefault(cell, []).append(int(j["waiting_time"]))
        want = [sorted(want[cell]) for cell in sorted(want)]
        same(f"heat: jobs of the cells under {policy}",
             [int(n) for *_, n in cells], [len(w) for w in want])
        for share, got in ((0.5, [c[0] for c in cells]),
                           (0.9, [c[1] for c in cells])):
            said(f"heat: {share} of them", got,
                 [w[math.ceil(share * len(w) - 1e-9) - 1] for w in want])


def percentiles(tables, jobs):
    head, *rows = tables["Of 100 jobs, so many wait at most"]
    for policy, *got in rows:
        waits = sorted(int(j["waiting_time"]) for j in jobs[policy])
        said(f"percentiles: {policy}", got, [
            waits[math.ceil(int(p) * len(waits) / 100) - 1] for p in head[1:]])


def users(tmp):
    """Shares due and got: the sums of --shares-out, in hours; over time too."""
    trace, folder, path = (os.path.join(tmp, name) for name in (
        "owned.swf", "owned", "shares.csv"))
    with open(trace, "w", encoding="ascii") as f:
        for line in fairsched("generate", "--jobs", "600", "--procs", "64",
                              "--load", "0.9").stdout.splitlines():
            field = line.split()
            if line[0] != ";":
                field[11:13] = str(int(field[0]) % 7), str(int(field[0]) % 3)
            f.write(" ".join(field) + "\n")
    compare(folder, trace, "--policies", ",".join(POLICIES))
    text = read(os.path.join(folder, "trace-1.js"))
    found = [json.loads(one) for one in re.search(
        r"\],\[\n`([^`]*(?:`,\n`[^`]*)*)`\]\);\n$", text.replace("`],[", "],["))[1]
        .split("`,\n`")[-3:]]
    tables = Tables(read(os.path.join(folder, "index.html"))).tables
    for k, policy in enumerate(POLICIES):
        fairsched("simulate", trace, "--policy", policy, "--shares-out", path)
        for kind, title in (("user", "Users"), ("account", "Accounts")):
            due, got = {}, {}
            with open(path, encoding="ascii") as f:
                for row in csv.DictReader(f):
                    if row[kind]:
                        name = f"{kind} {row[kind]}"
                        due[name] = due.get(name, 0) + float(row["due"]) * HOUR
                        got[name] = got.get(name, 0) + float(row["got"]) * HOUR
            rows = {row[0]: row[1:] for row in tables[title][1:]}
            same(f"{title}: {policy}", sorted(due), sorted(rows))
            near(f"got beyond the due: {policy}", [rows[u][k] for u in sorted(
                rows)], [got[u] - due[u] for u in sorted(due)], 1)
            parts = dict(found[k][kind + "s"])
            case(f"the parts of the time have it all: {policy}", all(
                abs(sum(parts[u][1::3]) - due[u]) < 0.06 * len(parts[u]) and
                abs(sum(parts[u][2::3]) - got[u]) < 0.06 * len(parts[u])
                for u in due), (parts, due, got))
    return folder


def lowest(free, n):
    """Ranges of the lowest n numbers of a set."""
    ranges = []
    for p in sorted(free)[:n]:
        if ranges and ranges[-1][1] == p - 1:
            ranges[-1][1] = p
        else:
            ranges.append([p, p])
    return ranges


def processors(data, plan, starts):
    """At each time jobs end, then those that start take the lowest ones that are
    free, unless the plan says which."""
    told, odd = {}, iter(plan["odd"])
    for job in odd:
        told[job], left = [], data["procsOf"][job]
        while left:
            first, count = next(odd), next(odd)
            told[job].append([first, first + count - 1])
            left -= count
    ends = [s + r for s, r in zip(starts, data["run"])]
    leave = sorted(range(len(starts)), key=lambda i: (ends[i], starts[i], i))
    free, got, at = set(range(data["procs"])), [None] * len(starts), 0
    for i in sorted(range(len(starts)), key=lambda i: (starts[i], i)):
        while at < len(leave) and ends[leave[at]] <= starts[i] and \
                got[leave[at]] is not None:
            for a, z in got[leave[at]]:
                free |= set(range(a, z + 1))
            at += 1
        got[i] = told.get(i) or lowest(free, data["procsOf"][i])
        for a, z in got[i]:
            free -= set(range(a, z + 1))
    return got


def schedules(folder, jobs):
    """What the page draws is what --jobs-out says, processors included."""
    text = read(os.path.join(folder, "trace-1.js"))
    found = re.fullmatch(r"fairsched\.data\(0,`([^`]*)`,\[\n`(.*)`\],"
                         r"\[\n`.*`\]\);\n", text, re.S)
    data = json.loads(found[1])
    plans = [json.loads(plan) for plan in found[2].split("`,\n`")]
    for name in ("submit", "procsOf"):
        data[name] = list(itertools.accumulate(data[name]))
    submit = data["submit"]
    for plan, policy in zip(plans, POLICIES):
        starts = [s + w for s, w in
                  zip(submit, itertools.accumulate(plan["wait"]))]
        same(f"starts: {policy}", starts,
             [int(j["starting_time"]) for j in jobs[policy]])
        sets = [" ".join(f"{a}-{z}" if a < z else str(a) for a, z in ranges)
                for ranges in processors(data, plan, starts)]
        same(f"processors: {policy}", sets,
             [j["allocated_resources"] for j in jobs[policy]])


def says(text):
    """The seven facts, in their order; what words mean; how it was made."""
    facts = re.findall(r'data-fact="([a-z-]+)"', text)
    same("facts", facts, ["what", "left-out", "site", *["policy"] * 3, "picture",
                          "advice", "doubt"])
    case("dates or their absence", re.search(
        r"<b>600 jobs</b> submitted over <b>.*</b>, without dates, simulated on "
        r"<b>64 processors</b>", text))
    case("nothing was left out", "Nothing was left out or guessed." in text)
    case("advice", re.search(r"<b>Advice:</b> take <b>\w+</b> \(.* on average\)",
                             text))
    case("doubt", re.search(r"<b>Doubt:</b> .*Jobs ran \d+ % of the time they asked "
                            r"for", text))
    helps = re.findall(r'<th scope="row">([^<]+)<small>(.*?)</small>', text)
    case("words where they stand", {*POLICIES, "mean wait", "p99 wait",
         "max wait", "slowdown, bounded", "utilized, %", "promises kept",
         "strict", "relaxed", "unweighted, proc h", "weighted, proc h",
         "users, % off"} <= {w for w, _ in helps}, helps)
    case("which way is better", sum("better" in s or "best" in s
                                    for _, s in helps) >= 9, helps)
    foot = text[text.index("<footer"):text.index("</footer>")]
    case("how it was made", "<code>fairsched compare load.swf --policies "
         "conservative,easy,dc --fst --json all.json --report page" in foot and
         re.search(r"commit \w+\+?, on \d{4}-\d\d-\d\d \d\d:\d\d UTC", foot),
         foot[:400])
    case("no 1970, no user -1", "1970" not in text and
         "user -1" not in text)
    return re.findall(r"(\w+) <code>([0-9a-f]{16})</code>", foot)


def left_out(tmp, trace):
    """What of the file was no job, and what nobody said."""
    folder = os.path.join(tmp, "left")
    for arguments, want in (
            (["tests/sacct/recorded.txt"], "Left out: 17 lines (no job that ran). "
             "Guessed: 2 jobs (without a requested time, planned with their run "
             "times); the 15 processors, the most that were in use at once."),
            (["tests/sacct/recorded.txt", "--procs", "16"], "Left out: 17 lines (no "
             "job that ran). Guessed: 2 jobs (without a requested time, planned "
             "with their run times)."),
            ([trace, "--until", "1d"], None)):
        compare(folder, *arguments, "--policies", "easy,dc")
        text = read(os.path.join(folder, "index.html"))
        got = re.search(r'data-fact="left-out">(.*?)</p>', text)[1]
        want = want or "Left out: %d jobs (outside of --from and --until). " \
            "Nothing was guessed." % (600 - int(re.search(
                r"<b>(\d+) jobs</b>", text)[1]))
        same("left out: " + " ".join(arguments[1:]), got, want)
    case("what the site had", re.search(
        r'<tr data-fact="site"><th scope="row">recorded<small>what the site had: '
        r'the log does not say', text))


def contents(tmp, trace):
    folder, path = os.path.join(tmp, "page"), os.path.join(tmp, "all.json")
    run = compare(folder, trace, "--policies", ",".join(POLICIES), "--fst",
                  "--json", path)
    same("a report", run.returncode, 0)
    reports = json.loads(read(path))
    jobs = {}
    for policy in POLICIES:
        out = os.path.join(tmp, "jobs.csv")
        fairsched("simulate", trace, "--policy", policy, "--jobs-out", out)
        with open(out, encoding="ascii") as f:
            jobs[policy] = list(csv.DictReader(f))
    text = read(os.path.join(folder, "index.html"))
    page = Tables(text)
    tables = page.tables
    same("digests", says(text), [(r["policy"], r["digest"]) for r in reports])
    numbers(tables, reports)
    as_on_the_terminal(text, run.stdout)
    distributions(page, jobs)
    utilization(page, jobs, reports[0]["procs"])
    queue(page, jobs)
    heat(text, jobs)
    percentiles(tables, jobs)
    schedules(folder, jobs)
    return folder


def policy(folder):
    """The page tells the browser what is its own, by hash, and nothing else."""
    text = read(os.path.join(folder, "index.html"))
    found = re.search(r'<meta http-equiv="Content-Security-Policy" '
                      r'content="(.*?)">', text)
    says = dict(d.split(None, 1) for d in found[1].split("; "))
    case("nothing is allowed, but what is named", says.items() >= {
        "default-src": "'none'", "base-uri": "'none'",
        "form-action": "'none'"}.items() and len(says) == 5, says)
    for tag, more in (("style", []), ("script", [
            "'strict-dynamic'", "'self'"])):
        own = re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", text, re.S)
        own = [base64.b64encode(hashlib.sha256(t.encode()).digest()) for t in own]
        same(f"the hash of each {tag}", says[tag + "-src"].split(),
             [f"'sha256-{h.decode()}'" for h in own] + more)
    case("the policy stands before them", found.end() < text.index("<style>"))


def sample(tmp, trace):
    folder = os.path.join(tmp, "sample")
    compare(folder, trace, "--policies", "conservative,easy", "--fst",
            "--fst-sample", "30")
    text = read(os.path.join(folder, "index.html"))
    case("a sample is called one", re.search(
        r"are of a <b>sample</b>, \d+ of 600 jobs", text), text[-3000:])
    tables = Tables(text).tables
    row = next(r for r in tables["Improvement"] if r[0] == "Strict (sample)")
    case("with its interval", re.fullmatch(r"-?[\d.]+ \u00b1 [\d.]+", row[2]),
         row)
    idle = os.path.join(tmp, "idle.swf")
    with open(idle, "w", encoding="ascii") as f:
        f.write("; MaxProcs: 4\n" + "".join(
            f"{i} {99 * i} -1 9 1 -1 -1 1 9 -1 1 1 1 -1 -1 -1 -1 -1\n"
            for i in range(1, 301)))
    compare(folder, idle, "--policies", "conservative,easy", "--fst",
            "--fst-sample", "30")
    text = read(os.path.join(folder, "index.html"))
    same("no late job is no 0", text.count("none late: &lt; "), 12)
    compare(folder, trace, idle, "--policies", "conservative,easy", "--fst",
            "--fst-sample", "30", "--fst-whole", "300")
    tables = Tables(read(os.path.join(folder, "index.html"))).tables
    same("a short trace is spared", [r[0] for r in
         tables["Strict unfairness"]], ["trace", "load (sample)", "idle"])
    same("and fair shares are of all", [r[0] for r in
         tables["Weighted unfairness"]], ["trace", "load", "idle"])
    return folder


def carried():
    """What the page carries is small."""
    text = subprocess.run(["sh", "tools/fairsched/report/assets/embed.sh"],
                          text=True, capture_output=True).stdout
    case("all of it is small", len(text) < 80 * 1024, len(text))


# ---- the browser ----

class Browser:
    """Chromium by WebDriver: HTTP and JSON."""

    def __init__(self, tmp):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        self.at = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": tmp})
        self.wait()
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", f"--user-data-dir={tmp}/user"]
        self.session = "/session/" + self.call("POST", "/session", {
            "capabilities": {"alwaysMatch": {
                "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {"args": arguments}}}})["sessionId"]

    def wait(self):
        for _ in range(300):
            try:
                return urllib.request.urlopen(self.at + "/status").close()
            except OSError:
                time.sleep(0.1)

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.at + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:1000]) from None

    def do(self, path, body):
        return self.call("POST", self.session + path, body)

    def script(self, code):
        return self.do("/execute/sync", {"script": code, "args": []})

    def promise(self, code):
        return self.do("/execute/async", {
            "script": "const done = arguments[0];" + code, "args": []})

    def open(self, folder, link=""):
        self.do("/url", {"url": "about:blank"})
        self.do("/url", {"url": f"file://{folder}/index.html{link}"})
        self.until(VIEW)

    def until(self, code):
        for _ in range(300):
            if self.script(code):
                return
            time.sleep(0.1)
        raise RuntimeError("never: " + code)

    def size(self, wide, high):
        self.do("/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": wide, "height": high, "deviceScaleFactor": 1,
                       "mobile": wide < 500}})
        self.frames()

    def picture(self, whole):
        """PNG of what is seen, or of all of the page."""
        size = self.script("return [document.documentElement.clientWidth, "
                           "document.documentElement.scrollHeight]")
        return self.do("/goog/cdp/execute", {
            "cmd": "Page.captureScreenshot", "params": {
                "captureBeyondViewport": whole, **({"clip": {
                    "x": 0, "y": 0, "width": size[0], "height": size[1],
                    "scale": 1}} if whole else {})}})["data"]

    def processor_time(self):
        """Seconds of the page's thread, however busy the machine is."""
        self.do("/goog/cdp/execute", {"cmd": "Performance.enable", "params": {
            "timeDomain": "threadTicks"}})
        return next(m["value"] for m in self.do("/goog/cdp/execute", {
            "cmd": "Performance.getMetrics", "params": {}})["metrics"]
            if m["name"] == "TaskDuration")

    def frames(self):
        """Two of them: what was asked for has been drawn."""
        self.promise("requestAnimationFrame(() => requestAnimationFrame(done))")

    def keys(self, text):
        self.script('document.getElementById("plan").focus()')
        self.do("/actions", {"actions": [{
            "type": "key", "id": "keys", "actions": [
                {"type": kind, "value": key} for key in text
                for kind in ("keyDown", "keyUp")]}]})
        self.frames()

    def press(self, key):
        self.do("/actions", {"actions": [{
            "type": "key", "id": "keys", "actions": [
                {"type": "keyDown", "value": key},
                {"type": "keyUp", "value": key}]}]})

    def hover(self, name, x, y, *more):
        """The mouse, at these shares of an element."""
        box = self.script("""
            const e = document.getElementById("%s");
            e.scrollIntoView({ block: "center" });
            const { left, top, width, height } = e.getBoundingClientRect();
            return [left, top, width, height];""" % name)
        self.do("/actions", {"actions": [{
            "type": "pointer", "id": "mouse", "actions": [
                {"type": "pointerMove", "duration": 0,
                 "x": round(box[0] + box[2] * x),
                 "y": round(box[1] + box[3] * y)}, *more]}]})
        self.frames()

    def click(self, name, x, y):
        self.hover(name, x, y, {"type": "pointerDown", "button": 0},
                   {"type": "pointerUp", "button": 0})

    def view(self):
        """From, to, lowest, highest processor, and what is painted."""
        *numbers, kind = self.script(VIEW).split()
        return [float(n) for n in numbers] + [kind]

    def says(self):
        return self.script(
            'return document.getElementById("plan-says").textContent')

    def log(self):
        return self.do("/se/log", {"type": "browser"})

    def close(self):
        try:
            self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()


VIEW = 'return document.getElementById("plan").dataset.view'
WIDER = """
const wide = document.documentElement.clientWidth;
return [document.documentElement.scrollWidth - wide,
	[...document.querySelectorAll("main > *, figure, .chart, canvas")]
	.filter((e) => e.getBoundingClientRect().right > wide + 1 &&
		!e.closest(".scroll")).map((e) => e.tagName + e.id)];
"""
CHARTS = """
return [...document.querySelectorAll("figure[data-kind]")].map((figure) => [
	figure.querySelector("b").textContent,
	figure.querySelector(".chart").getAttribute("aria-label"),
	/* The only user has got what was due: bars of no length. */
	[...figure.querySelectorAll(".chart [data-name=easy]")].some((e) =>
		e.getBoundingClientRect().width > 0 ||
		figure.querySelector("b").textContent === "Users"),
	figure.querySelectorAll("tbody:not([hidden]) tr").length]);
"""
FRAMES = """
const canvas = document.getElementById("plan");
const press = (key) => canvas.dispatchEvent(
	new KeyboardEvent("keydown", { key, cancelable: true }));
const times = (n, key) => Array(n).fill(key);
const keys = [...times(4, "+"), ...times(20, "ArrowRight"),
	...times(6, "]"), ...times(20, "ArrowUp"), ...times(20, "ArrowLeft"),
	...times(12, "+"), ...times(20, "ArrowLeft"), ...times(20, "ArrowDown"),
	...times(16, "-"), ...times(6, "[")];
const drawn = { cells: 0, boxes: 0 };
press("0");
function step() {
	drawn[canvas.dataset.view.split(" ")[4]]++;
	if (!keys.length)
		return done(drawn);
	press(keys.shift());
	requestAnimationFrame(step);
}
requestAnimationFrame(step);
"""


def layout(browser):
    same("says nothing on the console", browser.log(), [])
    for wide, high in ((360, 740), (1280, 800)):
        browser.size(wide, high)
        over, elements = browser.script(WIDER)
        case(f"nothing is wider than {wide} pixels",
             over <= 0 and not elements, (over, elements))
        charts = browser.script(CHARTS)
        same(f"figures at {wide}", [c[0] for c in charts], [
            "Waits", "Queue", "Utilization", "Improvement", "Slowdown",
            "Users"])
        case("each drawn, named and with a table", all(
            easy and rows and label.startswith(title)
            for title, label, easy, rows in charts), charts)
    pdf = base64.b64decode(browser.do("/print", {}))
    pages = len(re.findall(rb"/Type */Page\b", pdf))
    case("prints", pdf.startswith(b"%PDF-") and 1 < pages < 8, pages)
    same("and says nothing", browser.log(), [])


def by_keys(browser):
    browser.size(1280, 800)
    browser.keys("0")
    whole = browser.view()
    browser.keys("+")
    near_by = browser.view()
    case("+ zooms in", abs((near_by[1] - near_by[0]) * 1.5 -
                           (whole[1] - whole[0])) < 1, (whole, near_by))
    browser.keys("\ue014")
    moved = browser.view()
    case("the arrow moves", moved[0] > near_by[0] and
         abs(moved[1] - moved[0] - near_by[1] + near_by[0]) < 1, moved)
    browser.keys("]")
    case("] zooms processors", browser.view()[3] - browser.view()[2] <
         0.7 * whole[3], browser.view())
    browser.keys("0")
    same("0 shows all", browser.view(), whole)
    browser.keys("-\ue012\ue013")
    same("there is no more than all", browser.view(), whole)
    browser.keys("nnp")
    case("n and p tell of a job", re.match(r"Job \d+ of unknown user", browser.says()),
         browser.says())


def by_form(browser, jobs):
    for text, answer in (("x7", "There is no job x7."),
                         ("", "Give the number of a job.")):
        browser.script("""
            document.getElementById("plan-job").value = "%s";
            document.querySelector("#plan-find button").click();""" % text)
        same(f"find '{text}'", browser.says(), answer)
    browser.script("""
        document.getElementById("plan-job").value = "600";
        document.querySelector("#plan-find button").click();""")
    browser.frames()
    job = jobs[599]
    text = browser.says()
    ranges = " on " + job["allocated_resources"] + "."
    case("a job is found", text.startswith("Job 600 of unknown user: ") and
         text.endswith(ranges), (text, ranges))
    browser.script("""
        const choice = document.getElementById("plan-policy");
        choice.value = "1";
        choice.dispatchEvent(new Event("change"));""")
    browser.frames()
    case("under another policy too", browser.says().startswith("Job 600 "))


def by_pointer(browser, jobs):
    """A job is where it runs: a click there tells of it."""
    browser.keys("0")
    start, end, low, high, _ = browser.view()
    box = browser.script("""
        const canvas = document.getElementById("plan");
        canvas.scrollIntoView();
        const { left, top, width, height } = canvas.getBoundingClientRect();
        return [left + 48, top + 4, width - 52, height - 40];""")
    job = max(jobs, key=lambda j: int(j["execution_time"]))
    middle = (int(job["starting_time"]) + int(job["finish_time"])) / 2
    proc = int(re.match(r"\d+", job["allocated_resources"])[0]) + 0.5
    browser.do("/actions", {"actions": [{
        "type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0,
             "x": round(box[0] + box[2] * (middle - start) / (end - start)),
             "y": round(box[1] + box[3] * (high - proc) / (high - low))},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0}]}]})
    browser.frames()
    case("a click tells of the job there",
         browser.says().startswith(f"Job {job['job_id']} of"),
         (browser.says(), job))


def painted(browser, name, used):
    """Cells of the whole schedule: how dark they are is how much is used."""
    busy = browser.script("""
        const canvas = document.getElementById("plan");
        const copy = document.createElement("canvas");
        const context = copy.getContext("2d", { willReadFrequently: true });
        const left = +canvas.dataset.left;
        const wide = canvas.width - left - 4, high = canvas.height - 40;
        copy.width = canvas.width;
        copy.height = canvas.height;
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(left, 4, wide, high);
        const free = [0xee, 0xf1, 0xf4], seen = new Map();
        const users = fairsched.colours.map((text) => [1, 3, 5].map((k, i) =>
            parseInt(text.slice(k, k + 2), 16) - free[i]));
        const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        /* A pixel lies between what is free and the colour of a user. */
        const share = (p) => Math.min(...users.map((u) => {
            const t = dot(p, u) / dot(u, u);
            return [dot(p, p) - t * t * dot(u, u), t];
        }).reduce((a, b) => b[0] < a[0] ? b : a).slice(1));
        let sum = 0;
        for (let i = 0; i < data.length; i += 4) {
            const p = free.map((x, k) => data[i + k] - x), key = p.join();
            if (!seen.has(key))
                seen.set(key, share(p));
            sum += seen.get(key);
        }
        return sum / wide / high;""")
    case(name + " is as dark as it is used", abs(busy - used) < 0.01,
         (busy, used))


CHOOSE = """
const choice = document.getElementById("plan-part");
choice.value = [...choice.options].find((one) =>
	one.textContent === "%s").value;
choice.dispatchEvent(new Event("change"));
"""
SHOW = """
document.getElementById("plan-job").value = "%s";
document.querySelector("#plan-find button").click();
"""


# Of each picture: the share that its boxes cover, how many of them overlap or
# lie outside, how many jobs have not what they ask for; boxes, and jobs.
BOXES = """
const code = [...document.scripts].map((one) => one.textContent)
	.find((text) => text.includes("function planOf"));
const { planOf, loaded } = new Function(code.slice(0, code.indexOf(
	"/* ---- colours")) + "return { planOf, loaded };")();
const script = document.createElement("script");
const counted = ({ boxes, procs, from, to, size }) => {
	const { n, low, high, job } = boxes, has = new Map();
	let area = 0, bad = 0, active = [];

	for (let k = 0; k < n; k++) {
		active = active.filter((a) => boxes.to[a] > boxes.from[k]);
		if (active.some((a) => low[a] < high[k] && low[k] < high[a]) ||
		    low[k] < 0 || high[k] > procs)
			bad++;
		if (boxes.to[k] > boxes.from[k])
			active.push(k);
		area += (high[k] - low[k]) * (boxes.to[k] - boxes.from[k]);
		has.set(job[k], (has.get(job[k]) || 0) + high[k] - low[k]);
	}
	return [area / procs / (to - from), bad,
		[...has].filter(([i, sum]) => size(i) !== sum).length, n, has.size];
};
script.src = "trace-1.js";
script.onload = () => done(loaded.get(0).parts.map((part) =>
	counted(planOf(loaded.get(0), 0, part))));
document.body.append(script);
"""


def of_the_whole_machine(browser, tmp):
    """Two classes share 5 licences: 3 + 2 for 10 s, then 4 for 10 s."""
    trace, machine, folder = (os.path.join(tmp, name) for name in (
        "shared.csv", "licences.csv", "licences"))
    with open(machine, "w", encoding="ascii") as f:
        f.write("class,count,cpus,licences*\na,1,4,5\nb,1,4,\n")
    with open(trace, "w", encoding="ascii") as f:
        f.write("job_id,submit,walltime,run,procs,licences,classes\n"
                "1,0,10,10,4,3,a\n2,0,10,10,2,2,b\n3,0,10,10,1,4,b\n")
    compare(folder, trace, "--machine", machine, "--plan", "classes",
            "--policies", "easy")
    browser.open(folder)
    same("a licence is shared", browser.promise(BOXES),
         [[0.5, 0, 0, 1, 1], [0.9, 0, 0, 3, 3], [0.375, 0, 0, 2, 2]])


def of_classes(browser, tmp):
    """Each resource of each class has a picture: of what is used, and of jobs."""
    trace, machine, folder, path = (os.path.join(tmp, name) for name in (
        "jobs.csv", "classes.csv", "classes", "classes.json"))
    generate(trace, "--jobs", "30000", "--load", "0.9", "--overestimate", "5",
             "--machine-out", machine)
    plan = ("--machine", machine, "--plan", "classes")
    run = compare(folder, trace, *plan, "--policies", "easy", "--json", path)
    same("a report of classes", (run.returncode, run.stderr), (0, ""))
    report = json.loads(read(path))[0]
    used = {f"{c['class']} {name}": value for c in report["classes"]
            for name, value in c["utilization"].items()}
    size = os.path.getsize(os.path.join(folder, "trace-1.js"))
    case("of few bytes a job", size < BYTES_OF_CLASSES * 30000, size)
    with open(trace, encoding="ascii") as f:
        asks = {j["job_id"]: j for j in csv.DictReader(
            line for line in f if line[0] != "#")}
    jobs = {j["job_id"]: j for j in csv.DictReader(fairsched(
        "simulate", trace, *plan, "--policy", "easy", "--jobs-out", "-")
        .stdout.splitlines())}
    browser.open(folder)
    same("resources to choose from", browser.script("""
        return [...document.getElementById("plan-part").options].map((one) =>
            one.textContent);"""), ["all processors", *used])
    of_the_whole_machine(browser, tmp)
    browser.open(folder)
    browser.script(CHOOSE % "cpu cpus")
    browser.keys("0")
    painted(browser, "a class", used["cpu cpus"])
    for (name, value), (share, bad, wrong, boxes, jobs_of) in zip(
            used.items(), browser.promise(BOXES)):
        case(f"{name} is covered as it is used", abs(share - value) < 0.005,
             (share, value))
        same(f"{name}: boxes that overlap, jobs that have not what they ask for",
             (bad, wrong), (0, 0))
        case(f"{name}: {boxes} boxes of {jobs_of} jobs", jobs_of > 100 and
             boxes < 3 * jobs_of)
    browser.open(folder)
    gpus = next(i for i, j in asks.items() if int(j["gpus"] or 0) > 1 and
                j["classes"] == "gpu")
    none = next(i for i, j in asks.items() if j["classes"] == "cpu")
    for name, text in (("gpu cpus", f" on {jobs[gpus]['allocated_resources']}."),
                       ("gpu gpus", " planned.")):
        browser.script(CHOOSE % name)
        browser.script(SHOW % gpus)
        browser.frames()
        case(f"a job in the picture of {name}",
             browser.says().startswith(f"Job {gpus} of ") and
             browser.says().endswith(text), (browser.says(), text))
    case("and what it has", f", {asks[gpus]['gpus']} of gpu gpus," in
         browser.says(), browser.says())
    link = browser.script("return location.hash")
    browser.script(SHOW % none)
    same("a job of another class", browser.says(),
         f"Job {none} has none of gpu gpus.")
    browser.script(CHOOSE % "gpu memory")
    browser.script(SHOW % gpus)
    case("memory has a unit", re.search(r", [\d.]+[MGT] of gpu memory,",
                                        browser.says()), browser.says())
    browser.open(folder, link)
    case("a link to a resource", browser.says().startswith(f"Job {gpus} of ")
         and " of gpu gpus," in browser.says(), (link, browser.says()))
    same("no word of it on the console", browser.log(), [])


def of_a_week(browser, tmp):
    """It opens on the week in which most processors are used."""
    trace, folder = (os.path.join(tmp, name) for name in ("weeks.swf", "weeks"))
    generate(trace, "--jobs", "600", "--procs", "64", "--load", "0.3")
    compare(folder, trace, "--policies", "easy,fcfs")
    jobs = list(csv.DictReader(fairsched(
        "simulate", trace, "--jobs-out", "-").stdout.splitlines()))
    browser.open(folder)
    start, end, low, high, _ = browser.view()
    case("a week", end - start == 7 * 86400 and (low, high) == (0, 64),
         browser.view())

    def used(a):
        return sum(max(0, min(a + 7 * 86400, int(j["finish_time"])) -
                       max(a, int(j["starting_time"]))) *
                   int(j["requested_number_of_resources"]) for j in jobs)
    last = max(int(j["finish_time"]) for j in jobs)
    best = max(used(a) for a in range(0, last - 7 * 86400, 3600))
    case("the busiest", used(start) > 0.999 * best, (used(start), best))
    inked = browser.script("""
        const strip = document.getElementById("plan-strip");
        const { data } = strip.getContext("2d").getImageData(0, 0,
            strip.width, strip.height);
        return data.some((x, i) => i % 4 === 3 && x > 0);""")
    case("the strip is drawn", inked)
    browser.click("plan-strip", 0.9, 0.5)
    moved = browser.view()
    case("the strip moves the view", moved[0] > start and
         abs(moved[1] - moved[0] - (end - start)) < 1, moved)


def two_policies(browser, folder, jobs):
    """Linked to, one over the other; jobs that moved are told; hover tells more."""
    job = next(j for j in jobs if int(j["waiting_time"]) > 0)
    browser.open(folder, "#policy=dc&other=easy&job=" + job["job_id"])
    values = browser.script("""
        return ["policy", "other"].map((name) => document.getElementById(
            "plan-" + name).selectedOptions[0].textContent);""")
    same("a link", values, ["dc", "easy"])
    case("to a job", browser.says().startswith(f"Job {job['job_id']} of "),
         browser.says())
    start, end = browser.view()[:2]
    case("is zoomed to", end - start < 7 * 86400, browser.view())
    browser.keys("\ue00c")
    moved = re.search(r"(\d+) start at another time", browser.says())
    case("moved jobs are counted", moved and 0 < int(moved[1]) < 600,
         browser.says())
    browser.keys("0")
    link = browser.script("return location.hash")
    case("the address says it", "policy=dc" in link and "other=easy" in link,
         link)
    browser.script("""
        const box = document.getElementById("plan").getBoundingClientRect();
        for (let y = 20; y < box.height - 40; y += 7)
            document.getElementById("plan").dispatchEvent(new PointerEvent(
                "pointermove", { clientX: box.left + 300,
                                 clientY: box.top + y }));""")
    tip = None
    for y in (0.2, 0.3, 0.4, 0.1, 0.6, 0.7, 0.8):
        browser.hover("plan", 0.5, y)
        tip = tip or browser.script("""
            const tip = document.getElementById("plan-tip");
            return tip.hidden ? null : tip.textContent;""")
    case("hovering tells of a job", tip and re.match(
        r"Job \d+ of unknown user: \d+ processors, waits .* fair start "
        r"\d.*, runs ", tip), tip)


def hidden_and_scaled(browser):
    """A policy can be hidden, the axis can be another; nothing breaks."""
    browser.script("""
        const box = document.querySelector("#shown input[value=easy]");
        box.click();""")
    browser.frames()
    gone = [not easy for _, _, easy, _ in browser.script(CHARTS)]
    same("easy is in no chart", gone, [True] * 6)
    for scale in ("log", "difference", "plain"):
        browser.script("""
            const scale = document.getElementById("scale");
            scale.value = "%s";
            scale.dispatchEvent(new Event("change", { bubbles: true }));"""
                       % scale)
        browser.frames()
        same("scale " + scale, len(browser.script(CHARTS)), 6)
    browser.script("""
        document.querySelector("#shown input[value=easy]").click();""")
    browser.frames()
    same("and back", [easy for _, _, easy, _ in browser.script(CHARTS)],
         [True] * 6)
    same("nothing on the console", browser.log(), [])


def by_tab(browser):
    """Everything is reached by the keyboard alone, and shows where it is."""
    browser.script("document.activeElement.blur(); scrollTo(0, 0)")
    seen = []
    for _ in range(60):
        browser.press("\ue004")
        seen.append(browser.script("""
            const e = document.activeElement;
            return [e === document.body ? "BODY" : e.id || e.value || e.textContent.trim() ||
                    e.getAttribute("aria-label") || e.tagName,
                getComputedStyle(e).outlineStyle !== "none"];"""))
    names = [name for name, _ in seen]
    case("keys reach all", {"scale", "base", "mine", "share-who", "plan-trace", "plan-policy", "plan-other",
         "plan-job", "plan", "easy"} <= set(names), names)
    case("the focus is seen", all(line for name, line in seen
                                  if name != "BODY"), seen)


def axe(browser, folder, tmp):
    """No violation of axe-core, light and dark, wide and narrow."""
    path = os.environ.get("AXE") or os.path.join(
        tmp, "node_modules", "axe-core", "axe.min.js")
    if not os.path.exists(path) and shutil.which("npm"):
        subprocess.run(["npm", "install", "--prefix", tmp, "axe-core"],
                       capture_output=True, timeout=120)
    if not os.path.exists(path):
        print("skip axe-core: it is not here")
        return
    for scheme in ("light", "dark"):
        browser.do("/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia", "params": {"features": [
                {"name": "prefers-color-scheme", "value": scheme}]}})
        for wide in (1280, 390):
            browser.size(wide, 844)
            browser.open(folder)
            over, elements = browser.script(WIDER)
            case(f"{scheme}, {wide}: nothing is wider",
                 over <= 0 and not elements, (over, elements))
            browser.script(read(path))
            found = browser.promise(
                "axe.run().then((r) => done(r.violations.map((v) => [v.id, "
                "v.nodes.slice(0, 3).map((n) => n.html.slice(0, 120))])))")
            same(f"{scheme}, {wide}: axe-core", found, [])
    browser.do("/goog/cdp/execute", {
        "cmd": "Emulation.setEmulatedMedia", "params": {"features": []}})


def intervals(browser, folder):
    """Of a sample, lines in the figures of fair start times."""
    browser.open(folder)
    found = browser.script("""
        return [...document.querySelectorAll("figure[data-kind]")].map((f) => [
            f.querySelector("b").textContent,
            f.querySelector("figcaption").textContent.includes("Lines: "),
            Math.max(0, ...[...f.querySelectorAll(".interval")].map((e) =>
                e.getBoundingClientRect().width))]);""")
    drawn = {title: (note, wide > 20) for title, note, wide in found}
    same("lines are told of and drawn", drawn, {title: (
        title in ("Strict unfairness", "Relaxed unfairness"),) * 2
        for title in drawn})


def at_a_glance(browser, folder):
    """All seven facts on the first screen of 1400 x 900, and of nothing wider."""
    browser.size(1400, 900)
    browser.open(folder)
    seen = browser.script("""
        return [...document.querySelectorAll("[data-fact]")].map((e) => {
            const { top, left, bottom, right, height } = e.getBoundingClientRect();
            return [e.dataset.fact, top >= 0 && left >= 0 && height > 10 &&
                bottom <= innerHeight && right <= innerWidth &&
                e.textContent.trim().length > 10];
        });""")
    same("the first screen holds the facts", seen, [[name, True] for name in (
        "what", "left-out", "site", "policy", "policy", "policy", "picture",
        "advice", "doubt")])
    bars = browser.script("""
        return [...document.querySelectorAll(".stack svg")].map((svg) =>
            [...svg.children].reduce((sum, e) =>
                sum + e.getBoundingClientRect().width, 0) /
                svg.getBoundingClientRect().width);""")
    case("the picture has a whole bar for each", len(bars) == 3 and
         all(abs(b - 1) < 0.01 for b in bars), bars)
    browser.size(390, 844)
    signs = browser.script("""
        return [...document.querySelectorAll(".scroll")].filter((box) =>
            box.clientWidth).map((box) =>
            [box.scrollWidth > box.clientWidth + 1,
             getComputedStyle(box, "::before").content.includes("scrolls"),
             box.tabIndex === 0]);""")
    case("a table that scrolls says so, and others do not", all(
        wide == sign and (focus or not wide) for wide, sign, focus in signs) and
        any(wide for wide, *_ in signs), signs)
    browser.size(1400, 900)


SELECT = """
const choice = document.getElementById("%s");
choice.value = "%s";
choice.dispatchEvent(new Event("change", { bubbles: true }));
"""


def one_baseline(browser, folder, of_two):
    """What is chosen is what everything is compared with."""
    browser.open(folder)
    for base in ("easy", "dc", "conservative"):
        browser.script(SELECT % ("base", base))
        shown, titles, bars = browser.script("""
            return [[...new Set([...document.querySelectorAll("[data-base]")]
                .filter((e) => !e.hidden).map((e) => e.dataset.base))],
                [...document.querySelectorAll(".base")].map((e) => e.textContent),
                [...document.querySelectorAll(
                    "figure[data-kind=bars] .chart rect[data-name=%s]")].map(
                    (e) => e.getBoundingClientRect().width)];""" % base)
        same("compared with " + base, (shown, titles), ([base], [base]))
        case("and no better than itself", bars and max(bars) == 0, bars)
    browser.script(SELECT % ("mine", "dc"))
    same("waits under dc are shown", browser.script("""
        return [...document.querySelectorAll("[data-policy]")].filter((e) =>
            e.getBoundingClientRect().height).map((e) => e.dataset.policy);"""),
         ["dc"])
    browser.open(of_two)
    browser.script(SELECT % ("mine", "easy"))
    same("of each trace", browser.script("""
        return [...document.querySelectorAll("[data-policy]")].filter((e) =>
            e.getBoundingClientRect().height).map((e) => e.dataset.policy);"""),
         ["easy", "easy"])


def my_share(browser, folder):
    """Due and got over time of whom one chooses, and in words."""
    browser.open(folder)
    for owner in ("accounts account 2", "users user 3"):
        browser.script(SELECT % ("share-who", owner))
        says, lines = browser.script("""
            return [document.getElementById("share-says").textContent,
                [...document.querySelectorAll("#share .line")].map((e) =>
                    [e.dataset.name, e.getBoundingClientRect().height > 20])];""")
        case("the share of " + owner, re.fullmatch(
            owner.split(" ", 1)[1] + r", under conservative: due \d+, got \d+ "
            r"processor-hours \(\d+ % of what was due\)\.", says), says)
        same("is drawn", lines, [["due", True], ["got", True]])
    browser.script(SELECT % ("mine", "easy"))
    case("under another policy", browser.script(
        'return document.getElementById("share-says").textContent').startswith(
            "user 3, under easy: "))


def frames(browser, folder, report):
    browser.size(1280, 800)
    browser.open(folder)
    case("100,000 jobs", browser.says().startswith("100000 jobs"))
    browser.keys("0")
    painted(browser, "the schedule", report["utilization"])
    spent = browser.processor_time()
    drawn = browser.promise(FRAMES)
    spent = browser.processor_time() - spent
    for kind, n in sorted(drawn.items()):
        case(f"frames of {kind}", n > 30, n)
    each = 1000 * spent / sum(drawn.values())
    case(f"{sum(drawn.values())} frames take {each:.1f} ms each",
         each <= FRAME)
    same("no word on the console", browser.log(), [])


INK = """
	const canvas = document.getElementById("plan");
	const copy = document.createElement("canvas");
	const context = copy.getContext("2d", { willReadFrequently: true });
	copy.width = canvas.width;
	copy.height = canvas.height;
	context.drawImage(canvas, 0, 0);
	const { data } = context.getImageData(0, 0, copy.width, copy.height);
	const at = (x, y) => data.subarray(4 * (y * copy.width + x));
"""


def labels_and_names(browser, tmp):
    """Labels of 200,000 processors are whole; users have names and colours."""
    trace, folder, names = (os.path.join(tmp, name) for name in (
        LONG + ".swf", "wide", "names.csv"))
    with open(trace, "w", encoding="ascii") as f:
        f.write("; MaxProcs: 200000\n" + "".join(
            f"{i} 0 -1 3600 50000 -1 -1 50000 3600 -1 1 {1 + i // 3} 1 -1 -1 "
            "-1 -1 -1\n" for i in range(1, 5)))
    odd = "`O'Neill` ${1} \\ <b>"
    with open(names, "w", encoding="utf-8") as f:
        f.write(f"kind,number,name\nuser,1,\u674e\u660e\nuser,2,{odd}\n"
                f"user,4,{LONG}\n")
    compare(folder, trace, "--policies", "easy,fcfs", "--names", names)
    browser.open(folder)
    browser.size(360, 740)
    over, elements = browser.script(WIDER)
    case("long names are no wider than 360 pixels", over <= 0 and not elements,
         (over, elements))
    browser.size(1280, 800)
    first = browser.script(INK + """
        for (let x = 0; x < copy.width; x++)
            for (let y = 0; y < copy.height; y++)
                if (at(x, y)[3] > 128 && at(x, y)[0] < 160)
                    return x;""")
    case("labels are not cut off", 2 <= first < 20, first)
    legend = browser.script("""
        return [...document.querySelectorAll("#plan-users li")].map((li) =>
            [li.textContent, getComputedStyle(li.firstChild).backgroundColor]);
        """)
    same("users by name", [text for text, _ in legend],
         ["\u674e\u660e (50 %)", f"{odd} (50 %)"])
    rgb = [[int(n) for n in re.findall(r"\d+", colour)] for _, colour in legend]
    seen = browser.script(INK + """
        return %s.map(([r, g, b]) => {
            let n = 0;
            for (let i = 0; i < data.length; i += 4)
                n += data[i] === r && data[i + 1] === g && data[i + 2] === b;
            return n;
        });""" % json.dumps(rgb))
    case("each in a colour of its own, as drawn", rgb[0] != rgb[1] and
         min(seen) > 500, (rgb, seen))
    before = browser.view()
    browser.script("""
        document.getElementById("plan-job").value = "3";
        document.querySelector("#plan-find button").click();""")
    browser.frames()
    after = browser.view()
    case("show names the user", browser.says().startswith(f"Job 3 of {odd}: "),
         browser.says())
    case("show zooms to the job", after[3] - after[2] < before[3] - before[2]
         and after[:2] == [0, 3600] and after[2] <= 100000 and
         after[3] >= 150000, (before, after))
    users = Tables(read(os.path.join(folder, "index.html"))).tables["Users"]
    same("and the table", sorted(row[0] for row in users[1:]),
         sorted(["\u674e\u660e", odd]))
    browser.open(folder, "#policy=easy&other=fcfs")
    overlap = browser.script(INK + """
        const rows = [];
        for (let y = 0; y < copy.height; y++) {
            let ink = 0;
            for (let x = 0; x < 30; x++)
                ink += at(x, y)[3] > 128 && at(x, y)[0] < 160;
            rows.push(ink > 0);
        }
        let tall = 0, most = 0;
        for (const ink of rows)
            most = Math.max(most, tall = ink ? tall + 1 : 0);
        return most;""")
    case("labels of two schedules do not touch", 5 < overlap < 14, overlap)
    same("no complaint of the browser", browser.log(), [])


# What an element of another origin, and what a script of one, would do.
FOREIGN = """
    const seen = [];
    document.addEventListener("securitypolicyviolation",
                              (e) => seen.push(e.effectiveDirective));
    document.body.insertAdjacentHTML("beforeend",
        '<img src="AT/a.png"><img src="data:," onerror="broken = 1">' +
        '<link rel="stylesheet" href="AT/a.css">' +
        '<p style="color: red"></p>');
    fetch("AT/b").catch(() => 0);
    setTimeout(() => done([...new Set(seen)].sort()), 1000);
"""


def foreign(browser, folder):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        s.listen()
        s.settimeout(0.1)
        browser.open(folder)
        same("the page obeys its policy", browser.log(), [])
        at = f"http://127.0.0.1:{s.getsockname()[1]}"
        same("what is foreign is blocked",
             browser.promise(FOREIGN.replace("AT", at)), [
                 "connect-src", "img-src", "script-src-attr",
                 "style-src-attr", "style-src-elem"])
        same("and does not run", browser.script("return typeof broken"),
             "undefined")
        try:
            s.accept()[0].close()
            case("nothing was asked for", False)
        except TimeoutError:
            case("nothing was asked for", True)
        case("the browser tells of it", len(browser.log()) >= 5)


def in_browser(tmp, folder, sampled, trace, many, report):
    path = os.path.join(tmp, "jobs.csv")
    fairsched("simulate", trace, "--policy", "conservative", "--jobs-out", path)
    browser = Browser(tmp)
    try:
        with open(path, encoding="ascii") as f:
            jobs = list(csv.DictReader(f))
        of_a_week(browser, tmp)
        of_classes(browser, tmp)
        labels_and_names(browser, tmp)
        at_a_glance(browser, folder)
        one_baseline(browser, folder, sampled)
        my_share(browser, users(tmp))
        browser.open(folder)
        layout(browser)
        foreign(browser, folder)
        browser.open(folder)
        by_keys(browser)
        by_pointer(browser, jobs)
        by_form(browser, jobs)
        two_policies(browser, folder, jobs)
        browser.open(folder)
        hidden_and_scaled(browser)
        by_tab(browser)
        axe(browser, folder, tmp)
        intervals(browser, sampled)
        frames(browser, many, report)
        opens_quickly(browser, tmp)
    finally:
        browser.close()


# ---- how long a report takes to open ----

def opens_quickly(browser, tmp):
    """The report of a month, under all policies, in a second of the processor."""
    trace, folder = (os.path.join(tmp, name) for name in ("month.swf", "month"))
    generate(trace, "--jobs", "11285", "--procs", "1159", "--load", "0.9",
             "--overestimate", "5")
    compare(folder, trace)
    browser.size(1400, 900)
    spent = processor_seconds(browser.driver.pid)
    browser.open(folder)
    browser.frames()
    spent = processor_seconds(browser.driver.pid) - spent
    case(f"11,285 jobs open in {spent:.2f} s of processors", spent < 1, spent)


def is_below(pid, top):
    while pid > 1 and pid != top:
        with open(f"/proc/{pid}/stat", errors="replace") as f:
            pid = int(f.read().rsplit(")", 1)[1].split()[1])
    return pid == top


def processor_seconds(top):
    """Of a process and all below it that live."""
    ticks = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if is_below(int(pid), top):
                with open(f"/proc/{pid}/stat", errors="replace") as f:
                    ticks += sum(map(int, f.read().rsplit(")", 1)[1].split()[11:13]))
        except OSError:
            pass  # it ended
    return ticks / os.sysconf("SC_CLK_TCK")


def opening(folder):
    with tempfile.TemporaryDirectory() as tmp:
        browser = Browser(tmp)
        try:
            browser.size(1280, 800)
            for _ in range(6):
                browser.do("/url", {"url": "about:blank"})
                time.sleep(1)
                spent, began = processor_seconds(browser.driver.pid), time.time()
                browser.open(folder)
                took = time.time() - began
                spent = processor_seconds(browser.driver.pid) - spent
                print(f"opens in {took:.2f} s, {spent:.2f} s of processors")
        finally:
            browser.close()
    return 0


# ---- pictures ----

def reports_to_see(out):
    """A report of each kind of log; the name of its folder."""
    dated, plain, nodes, machine, many = (os.path.join(out, name) for name in (
        "dated.swf", "plain.swf", "nodes.csv", "machine.csv", "million.swf"))
    text = fairsched("generate", "--jobs", "11285", "--procs", "1159", "--load",
                     "0.9", "--overestimate", "5").stdout
    with open(dated, "w", encoding="ascii") as f:
        f.write("; UnixStartTime: 1388534400\n")
        for line in text.splitlines():
            field = line.split()
            if "UnixStartTime" in line:
                continue
            if line[0] != ";":
                n = int(field[0])
                field[2] = str(n * n % 7001)  # waits of a site
                field[11:13] = str(n % 23 % 9), str(n % 23 % 3)
                if n % 27 == 0:
                    field[10] = "5"  # cancelled
                    field[3] = "0"
            f.write(" ".join(field) + "\n")
    generate(plain, "--jobs", "5000", "--procs", "256", "--load", "0.9",
             "--overestimate", "5")
    generate(nodes, "--jobs", "1000", "--load", "0.8", "--overestimate", "5",
             "--machine-out", machine)
    generate(many, "--jobs", "1000000", "--procs", "1024", "--load", "0.8")
    for name, more in (("dated", [dated]), ("plain", [plain]), ("nodes", [
            nodes, "--machine", machine, "--plan", "nodes", "--policies",
            "conservative,easy"]), ("million", [many, "--policies", "easy"])):
        folder = os.path.join(out, name)
        run = compare(folder, *more)
        same("a report of " + name, run.returncode, 0)
        yield folder


def shots(out, folders):
    os.makedirs(out, exist_ok=True)
    with tempfile.TemporaryDirectory() as tmp:
        browser = Browser(tmp)
        try:
            for folder in folders or reports_to_see(out):
                for wide, high in ((1400, 900), (390, 844)):
                    browser.size(wide, high)
                    browser.open(os.path.abspath(folder))
                    browser.frames()
                    for whole in (False, True):
                        path = os.path.join(out, "%s-%d%s.png" % (
                            os.path.basename(folder), wide,
                            "-whole" if whole else ""))
                        with open(path, "wb") as f:
                            f.write(base64.b64decode(browser.picture(whole)))
                        print(path)
                case("and says nothing", browser.log() == [])
        finally:
            browser.close()
    return failed > 0


def main():
    if sys.argv[1:2] == ["open"]:
        return opening(os.path.abspath(sys.argv[2]))
    if sys.argv[1:2] == ["shots"]:
        return shots(sys.argv[2], sys.argv[3:])
    with tempfile.TemporaryDirectory() as tmp:
        trace = os.path.join(tmp, "load.swf")
        generate(trace, "--jobs", "600", "--procs", "64", "--load", "0.9",
                 "--overestimate", "5")
        folders(tmp, trace)
        folder = contents(tmp, trace)
        left_out(tmp, trace)
        if not shutil.which("chromedriver"):
            users(tmp)
        policy(folder)
        sampled = sample(tmp, trace)
        carried()
        if not shutil.which("chromedriver"):
            print("skip the page in a browser: no chromedriver")
            return failed > 0
        large = os.path.join(tmp, "large.swf")
        generate(large, "--jobs", "100000", "--procs", "1024", "--load", "0.8")
        many = os.path.join(tmp, "many")
        path = os.path.join(tmp, "many.json")
        run = compare(many, large, "--policies", "easy", "--json", path)
        same("a report of 100,000 jobs", run.returncode, 0)
        size = os.path.getsize(os.path.join(many, "trace-1.js"))
        case("has few bytes a job", size < BYTES * 100000, size)
        in_browser(tmp, folder, sampled, trace, many,
                   json.loads(read(path))[0])
    return failed > 0


sys.exit(main())
