#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: mutants.py [--sample N] [--seconds S] [--living] [HEADER ...]
       mutants.py --check

Every mutant of tools/mutate.py, one at a time:

    1. It is compiled alone by gcc -O1, in each configuration in which its line
       is code. One that always gives the object file of the header itself is
       the same program; what lives through the tests is asked again at -O3.
    2. The tests of the header are linked with it and run up to the first
       failure; a trap, a signal, or too much processor time kills it too.
    3. Then with the address and undefined behaviour sanitizers, and
    4. the header's fuzzers: the corpus, then S seconds (60).
    5. What lives must stand in tests/mutants.equivalent, with an argument.

--sample N takes N mutants of each header, always the same; --living
takes what was killed before for killed, though header or tests have changed.
Results are lines of build/mutants/NAME.tsv, found again by
what they depend on: the code without comments, and the tests.

--check looks only whether all that is argued is a mutant still, and whether
each header's implementation compiles alone.

Exit status: 0, 1 if a mutant lives, 2 if it cannot run.
"""
import argparse
import collections
import glob
import hashlib
import os
import re
import resource
import shutil
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import mutate  # noqa: E402

OUT = "build/mutants"
ARGUED = "tests/mutants.equivalent"
INCLUDES = "-I. -Itests -Ifuzz -Itests/model -Itools/fairsched".split()
CODE = ["-std=gnu11", "-D_GNU_SOURCE", "-DTEST_FIRST",
        "-Werror=int-conversion", "-Werror=incompatible-pointer-types"]
# How a test takes the header.
ALONE, TOGETHER, WHOLE = range(3)
LIBRARIES = ["-lm", "-lpthread"]
SANITIZE = ["-fsanitize=address,undefined,fuzzer-no-link",
            "-fno-sanitize-recover=all", "-gline-tables-only"]

# One unit: fairsched.h calls private functions of the others.
JOINED = {"FAIRSCHED", "BACKFILL", "CONSERVATIVE", "MAUI", "RELSHARE"}

# Tests beside NAME_test.c, and fuzzers beside NAME_fuzz.c.
POLICY = ["exhaustive_sched_test", "fairsched_test"]
TESTS = {
    "profile": ["exhaustive_profile_test", "conservative_test",
                "backfill_test"],
    "usage": ["usage_portable_test"],
    "backfill": POLICY,
    "conservative": POLICY,
    "maui": ["maui_policy_test", "maui_config_test"],
    "penalty": ["penalty_portable_test"],
    "fairsched": ["hooks_test", "bookings_test", "sched_order_test",
                  "shares_test", "maui_policy_test", "why_test", "image_test",
                  "exhaustive_sched_test"],
}
FUZZERS = {
    "backfill": ["sched_fuzz"],
    "maui": ["sched_fuzz"],
    "profile": ["conservative_fuzz"],
    "fairsched": ["sched_fuzz", "conservative_fuzz", "image_fuzz"],
}


def digest(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:16]


def read(path):
    with open(path) as f:
        return f.read()


def bare(text):
    """Code as the compiler reads it; lines count for nothing."""
    comments = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
    return " ".join(comments.sub(" ", text).split())


def run(command, seconds=None, memory=None, **more):
    """Returns whether it succeeded, and its processor time."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        good = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=limit, text=True,
            timeout=20 * seconds if seconds else None, **more).returncode == 0
    except subprocess.TimeoutExpired:
        good = False
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return good, (after.ru_utime - before.ru_utime +
                  after.ru_stime - before.ru_stime)


def stop(text):
    print("mutants: " + text, file=sys.stderr)
    sys.exit(2)


def macro(header):
    return os.path.basename(header)[:-2].upper()


def is_joined(header):
    return macro(header) in JOINED


class Family:
    """The headers, and what a program is made of."""

    def __init__(self):
        self.headers = sorted(glob.glob("*.h") + glob.glob("policies/*.h"))
        self.known = {}

    def reads(self, source):
        """What a source includes, itself too."""
        if source not in self.known:
            done = subprocess.run(["gcc", "-MM", *INCLUDES, source],
                                  stdout=subprocess.PIPE, text=True)
            names = done.stdout.replace("\\\n", " ").split()[1:]
            self.known[source] = sorted({os.path.normpath(n) for n in names})
        return self.known[source]

    def parts(self, sources):
        """Models and parts of the command that come with these sources."""
        parts, todo = [], list(sources)
        while todo:
            for path in self.reads(todo.pop()):
                part = path[:-2] + ".c"
                if path.startswith(("tests/model/", "tools/fairsched/")) and \
                        part not in parts and os.path.exists(part):
                    parts.append(part)
                    todo.append(part)
        return sorted(parts)

    def digest(self, sources, but=None):
        """Of all that they read; comments of headers count for nothing."""
        files = {f for source in sources for f in self.reads(source)}
        return digest(*(bare(read(f)) if f in self.headers else read(f)
                        for f in sorted(files - {but})))

    def needed(self, sources):
        """Headers whose implementation they may call; one of the joined."""
        files = {f for source in [*sources, *self.parts(sources)]
                 for f in self.reads(source)}
        found = [h for h in self.headers if h in files]
        if "fairsched.h" in found:
            found = [h for h in found
                     if h == "fairsched.h" or not is_joined(h)]
        return found

    def unit(self, header, joined=False):
        """One that holds @header's implementation and no other's, or, @joined,
        those among which fairsched.h looks at what is private."""
        name = macro(header)
        if name != "FAIRSCHED" and not (joined and is_joined(header)):
            return f'#define FAIR_{name}_IMPLEMENTATION\n#include "{header}"\n'
        others = {macro(h) for h in self.headers}
        lines = [f"#define FAIR_{h}_IMPLEMENTED\n"
                 for h in sorted(others - JOINED)]
        return ("".join(lines) + "#define FAIRSCHED_IMPLEMENTATION\n"
                '#include "fairsched.h"\n')


class Config:
    """One way to compile, with its own objects of all that is no mutant."""

    def __init__(self, name, family, flags, compiler="gcc", more=()):
        self.name, self.family, self.compiler = name, family, compiler
        self.flags = ["-O1", *flags, *CODE, *more]
        self.folder = f"{OUT}/{name}"
        os.makedirs(self.folder, exist_ok=True)
        self.link_flags = [f for f in flags if f.startswith(("-m", "-f"))]
        self.link_flags = [f.replace(",fuzzer-no-link", "")
                           for f in self.link_flags]
        self.tests, self.limit, self.kind = {}, {}, {}
        self.best, self.all_same, self.ready = None, None, set()

    def object(self, source, text=None):
        """The object file of a source file, or of @text in its place."""
        key = digest(self.compiler, self.flags, text,
                     self.family.digest([source]))
        path = f"{OUT}/object/{key}.o"
        if not os.path.exists(path):
            command = [self.compiler, *self.flags, *INCLUDES, "-c",
                       "-o", path + ".new"]
            command += ["-x", "c", "-"] if text else [source]
            if not run(command, input=text)[0]:
                return None
            os.rename(path + ".new", path)
        return path

    def library(self, name, objects):
        path = f"{self.folder}/lib{name}.a"
        if None in objects:
            stop(f"{name} does not compile as {self.name}")
        if os.path.exists(path):
            os.remove(path)
        run(["ar", "rcs", path, *objects])
        return path

    def begin(self, header, tests, sources):
        """False if this is no way to run @header's tests here."""
        family = self.family
        self.header = header
        self.copy = self.folder + "/copy"
        shutil.rmtree(self.copy, ignore_errors=True)
        os.makedirs(self.copy + "/policies")
        for h in family.headers:
            shutil.copy(h, f"{self.copy}/{h}")
        for joined in (False, True):
            with open(f"{self.copy}/unit{int(joined)}.c", "w") as f:
                f.write(family.unit(header, joined))
        if not run([self.compiler, *self.link_flags, "-x", "c", "-",
                    "-o", self.folder + "/runs"], input="int main(void){}")[0] \
                or not run([self.folder + "/runs"])[0]:
            return False
        self.libraries = [self.library("parts", [
            self.object(p) for p in family.parts(sources)])]
        self.libraries.append(self.library("fair", [
            self.object(h, family.unit(h)) for h in family.needed(sources)]))
        self.lines = self.active()
        self.joined = is_joined(header)
        self.same = self.compile(read(header))
        for test in tests:
            self.prepare(test)
        return True

    def active(self):
        """The lines of the header that are code in this configuration."""
        done = subprocess.run(
            [self.compiler, *self.flags, "-E", "-I" + self.copy,
             self.copy + "/unit0.c"], stdout=subprocess.PIPE, text=True)
        lines, path, line = set(), "", 0
        for text in done.stdout.splitlines():
            mark = re.match(r'# (\d+) "(.*?)"', text)
            if mark:
                line, path = int(mark[1]), mark[2]
                continue
            if text.strip() and path.endswith("/copy/" + self.header):
                lines.add(line)
            line += 1
        return lines

    def prepare(self, test):
        """@test with a unit of its own for the header, or for those that are
        joined; if it looks at what is private, they are one."""
        source = f"tests/{test}.c"
        self.tests[test] = self.object(source, re.sub(
            r"(?m)^#define FAIR\w*_IMPLEMENTATION$", "", read(source)))
        for self.kind[test] in (ALONE, TOGETHER, WHOLE):
            if self.link(test):
                break
        else:
            stop(f"{test} does not compile as {self.name}")
        if self.kind[test] == WHOLE:
            self.write("#error\n" + read(self.header))
            if self.link(test):
                stop(f"{test} takes no copy of {self.header}")
            self.write(read(self.header))
        good, seconds = self.execute()
        if not good:
            stop(f"{test} fails as {self.name}, without a mutant")
        self.limit[test] = int(2 + 4 * seconds)

    def write(self, text):
        with open(f"{self.copy}/{self.header}", "w") as f:
            f.write(text)

    def compile(self, text, *more, kind=0):
        """The bytes of @text's object file; None if it does not compile."""
        self.write(text)
        self.ready = {kind} if self.make(kind, *more) else set()
        if not self.ready:
            return None
        with open(f"{self.folder}/unit{kind}.o", "rb") as f:
            return f.read()

    def same_joined(self, text):
        """Of joined headers all must be the same."""
        if not self.joined:
            return True
        if not self.all_same:
            self.all_same = self.compile(read(self.header), kind=TOGETHER)
        return self.compile(text, kind=TOGETHER) == self.all_same

    def make(self, kind, *more):
        return run([self.compiler, *self.flags, *more, "-I" + self.copy,
                    "-c", f"{self.copy}/unit{kind}.c", "-o",
                    f"{self.folder}/unit{kind}.o"])[0]

    def link(self, test):
        command = [self.compiler, *self.link_flags, "-o", self.folder + "/run"]
        kind = self.kind[test]
        if kind == WHOLE:
            command += [*self.flags, "-I" + self.copy, *INCLUDES,
                        f"tests/{test}.c"]
        else:
            if kind not in self.ready and self.make(kind):
                self.ready.add(kind)
            if not self.tests[test] or kind not in self.ready:
                return False
            command += [self.tests[test], f"{self.folder}/unit{kind}.o"]
        return run([*command, *self.libraries, *LIBRARIES])[0]

    def execute(self, seconds=None):
        return run([self.folder + "/run"], seconds,
                   None if "san" in self.name else 4 << 30)

    def killer(self, tests):
        """The first test that tells the compiled mutant from the header."""
        for test in tests:
            if not self.link(test) or not self.execute(self.limit[test])[0]:
                return test
        return None

    def fuzz(self, fuzzer, seconds):
        """Whether @fuzzer kills the compiled mutant: by its corpus, or anew."""
        source = f"fuzz/{fuzzer}.c"
        harness = self.object(source, re.sub(
            r"(?m)^#define FAIR\w*_IMPLEMENTATION$", "", read(source)))
        program, found = self.folder + "/fuzzer", self.folder + "/found"
        kind = TOGETHER if self.joined else ALONE
        if not harness or not self.make(kind) or not run([
                self.compiler, "-fsanitize=fuzzer,address,undefined", "-o",
                program, harness, f"{self.folder}/unit{kind}.o",
                *self.libraries,
                *LIBRARIES])[0]:
            stop(f"{fuzzer} does not link")
        shutil.rmtree(found, ignore_errors=True)
        os.makedirs(found)
        dictionary = glob.glob(f"fuzz/{fuzzer}.dict")
        return not run([program, found, "fuzz/corpus/" + fuzzer, "-timeout=20",
                        f"-max_total_time={seconds}", "-rss_limit_mb=2048",
                        f"-artifact_prefix={found}/",
                        *("-dict=" + d for d in dictionary)],
                       4 * seconds + 120)[0]


class Argued:
    """tests/mutants.equivalent: lines "HEADER: NAME", and below them, indented,
    why."""

    def __init__(self):
        self.line, above = {}, []
        for number, line in enumerate(open(ARGUED), 1):
            if line[0] in "#\n":
                continue
            if line[0].isspace():
                above = []
                continue
            self.line[line.rstrip()] = number
            above.append(number)
        if above:
            stop(f"{ARGUED}:{above[0]}: no argument")

    def are_of(self, headers):
        for key, number in self.line.items():
            if key.split(":")[0] not in headers:
                stop(f"{ARGUED}:{number}: no such header")

    def check(self, header, mutants):
        """Each is a mutant still."""
        names = {f"{header}: {m.name}" for m in mutants}
        for key, number in self.line.items():
            if key.startswith(header + ": ") and key not in names:
                stop(f"{ARGUED}:{number}: no such mutant")


class Results:
    """Lines of a file: the mutant, what the verdict depends on, the verdict,
    who killed it, the mutant's name; the rest is for the reader."""

    def __init__(self, name):
        self.path, self.known, self.last = f"{OUT}/{name}.tsv", {}, {}
        if os.path.exists(self.path):
            for line in open(self.path):
                self.note(*line.rstrip("\n").split("\t")[:5])

    def note(self, key, inputs, verdict, by, name):
        self.known[key] = (inputs, verdict, by)
        self.last[name] = (verdict, by)

    def add(self, *fields):
        self.note(*fields[:5])
        with open(self.path, "a") as f:
            print(*fields, sep="\t", file=f)


class Run:
    """The mutants of one header."""

    def __init__(self, header, family, argued, options):
        self.header, self.family, self.argued = header, family, argued
        self.options, self.text = options, read(header)
        self.name = os.path.basename(header)[:-2]
        self.tests = self.present("tests", "test", TESTS)
        self.fuzzers = self.present("fuzz", "fuzz", FUZZERS) \
            if options.seconds else []
        self.mutants = mutate.mutants(self.text)
        argued.check(header, self.mutants)
        self.results = Results(self.name)
        self.source = {**{t: f"tests/{t}.c" for t in self.tests},
                       **{f: f"fuzz/{f}.c" for f in self.fuzzers}}
        self.digest = {}
        self.configs, self.killed = None, {}

    def present(self, folder, kind, more):
        own = f"{self.name}_{kind}"
        there = os.path.exists(f"{folder}/{own}.c")
        return [own] * there + more.get(self.name, [])

    def ways(self):
        """The configurations of this header; the last has the sanitizers."""
        ways = [Config("plain", self.family, [])]
        if "FAIR_NO_INT128" in self.text or "_PORTABLE" in self.text:
            ways.append(Config("portable", self.family, [
                "-DFAIR_NO_INT128", "-DFAIR_PROFILE_PORTABLE"]))
        if "__AVX2__" in self.text:
            ways.append(Config("avx2", self.family, ["-mavx2"]))
            ways.append(Config("avx512", self.family, ["-mavx512f"]))
        ways.append(Config("m32", self.family, ["-m32"]))
        self.sanitized = Config("sanitized", self.family, SANITIZE,
                                "clang-19", ["-DTEST_LIGHT"])
        return ways

    def begin(self):
        if self.configs is None:
            self.configs = [c for c in self.ways() if self.try_way(c)]
            if not self.try_way(self.sanitized):
                self.sanitized = None
            first = self.configs[0]
            self.tests.sort(
                key=lambda t: (first.kind[t] == WHOLE, first.limit[t]))

    def try_way(self, config):
        runs = config.begin(self.header, self.tests,
                            self.source.values())
        if not runs:
            print(f"mutants: no {config.name} here", file=sys.stderr)
        return runs

    def inputs(self, by):
        """What a verdict depends on beside the mutant: the test that killed,
        or all of them."""
        if by and by not in self.source:
            return None  # no longer a test of this header
        if by not in self.digest:
            programs = [self.source[by]] if by else self.source.values()
            parts = self.family.parts(programs)
            self.digest[by] = digest(
                "" if by else self.options.seconds,
                self.family.digest([*programs, *parts], but=self.header))
        return self.digest[by]

    def judge(self, mutated, line, argued):
        """Returns the verdict, and who killed it."""
        self.begin()
        compiled = differs = False
        for config in self.configs:
            if line not in config.lines:
                continue
            unit = config.compile(mutated)
            if unit is None:
                return "stillborn", ""
            compiled = True
            if unit == config.same and config.same_joined(mutated):
                continue
            differs = True
            key = (config.name, hashlib.sha256(unit).digest())
            if key not in self.killed:
                self.killed[key] = config.killer(self.tests)
            if self.killed[key]:
                return "tests", self.killed[key]
        if not compiled:
            return "unread", ""
        if not differs or self.same_at_o3(mutated):
            return "same", ""
        return self.second(mutated, argued)

    def same_at_o3(self, mutated):
        for config in self.configs:
            kind = TOGETHER if config.joined else ALONE
            if not config.best:
                config.best = config.compile(self.text, "-O3", kind=kind)
            if config.compile(mutated, "-O3", kind=kind) != config.best:
                return False
        return True

    def second(self, mutated, argued):
        config = self.sanitized
        if config and config.compile(mutated):
            killer = config.killer(self.tests)
            if killer:
                return "tests", killer
        if argued:
            return "argued", ""
        if config:
            share = self.options.seconds // max(1, len(self.fuzzers))
            for fuzzer in self.fuzzers if share else []:
                if config.fuzz(fuzzer, share):
                    return "fuzzing", fuzzer
        return "living", ""

    def verdict(self, m, argued):
        again = (None, "living", "argued" if not argued else "")
        if self.options.living:
            verdict = self.results.last.get(m.name, (None, None))
            if verdict[0] not in again:
                return verdict
        mutated = m.apply(self.text)
        key = digest(bare(mutated))
        inputs, verdict, by = self.results.known.get(key, (None, None, None))
        if inputs == self.inputs(by) and (argued or verdict != "argued"):
            return verdict, by
        begun = time.time()
        verdict, by = self.judge(mutated, m.line, argued)
        self.results.add(key, self.inputs(by), verdict, by, m.name, m.line,
                         f"{time.time() - begun:.1f}")
        return verdict, by

    def chosen(self):
        """A larger sample holds the smaller ones, and edits move few."""
        some = sorted(self.mutants, key=lambda m: digest(self.header, m.name))
        return sorted(some[:self.options.sample], key=lambda m: m.start)

    def all(self):
        """Prints the living and the score; returns whether none lives."""
        score, chosen = collections.Counter(), self.chosen()
        for n, m in enumerate(chosen, 1):
            argued = f"{self.header}: {m.name}" in self.argued.line
            verdict, by = self.verdict(m, argued)
            if argued and verdict == "living":
                verdict = "argued"
            argued = argued and verdict in ("tests", "fuzzing")
            if argued or verdict == "living":
                print(f"{self.header}:{m.line}: {m.name}" +
                      (f": argued, but {verdict} {by}" if argued else ""),
                      flush=True)
                verdict = "living"
            score[verdict] += 1
            if n % 50 == 0 or n == len(chosen):
                print(f"{self.header}: {n} of {len(chosen)}, "
                      f"{score['living']} living", file=sys.stderr, flush=True)
        dead = score["tests"] + score["fuzzing"]
        all_of = dead + score["argued"] + score["living"]
        print(f"{self.header}: {len(chosen)} of {len(self.mutants)} mutants: "
              f"{score['stillborn']} do not compile, {score['same']} are the "
              f"same program, {score['unread']} no code here; "
              f"{score['tests']} killed by tests, {score['fuzzing']} by "
              f"fuzzing, {score['argued']} argued equivalent, "
              f"{score['living']} living: "
              f"{100 * (all_of - score['living']) / max(1, all_of):.1f} %",
              flush=True)
        return not score["living"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--living", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("headers", nargs="*")
    options = parser.parse_args()
    os.environ.update(ASAN_OPTIONS="detect_leaks=0:symbolize=0",
                      UBSAN_OPTIONS="symbolize=0")
    family, argued = Family(), Argued()
    argued.are_of(family.headers)
    for header in options.headers:
        if header not in family.headers:
            stop(f"no header {header}")
    runs = [Run(h, family, argued, options)
            for h in options.headers or family.headers]
    if not options.check:
        os.makedirs(OUT + "/object", exist_ok=True)
        sys.exit(0 if all([r.all() for r in runs]) else 1)
    for header in family.headers:
        if not run(["gcc", "-fsyntax-only", "-Werror=implicit", *CODE, "-I.",
                    "-x", "c", "-"], input=family.unit(header))[0]:
            stop(f"the unit of {header} does not compile: who is joined?")


if __name__ == "__main__":
    main()
