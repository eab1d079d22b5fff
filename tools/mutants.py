#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: mutants.py [--sample N] [--seconds S] [--living] [HEADER ...]
       mutants.py --check

Every mutant of tools/mutate.py, a thousand of them in one program: a copy of a
function for each, of which FAIR_MUTANT or tools/mutants_serve.c chooses one.

    1. In each configuration in which its line is code, a copy that is no C is
       left out; one for which gcc -O3 writes what it writes for the function
       itself is the same program.
    2. The header's tests run as the others, at an eighth of their rounds and up
       to the first failure, then its fuzzers' corpora; a trap, a signal, or too
       much processor time kills a mutant too.
    3. The tests with the address and undefined behaviour sanitizers, and
    4. the header's fuzzers, S seconds (60).
    5. What lives must stand in tests/mutants.equivalent, with an argument.

With S of 0 neither fuzzers run nor sanitizers, nor tests that take more than a
second, and a line that is code on this machine as it is takes no other
configuration: a first look.
--sample N takes N mutants of each header, always the same; --living
takes what was killed before for killed, though header or tests have changed.
Results are lines of build/mutants/NAME.tsv, good while what they depend on is:
the header's code without comments, and the tests.

--check looks only whether all that is argued is a mutant still, and whether
each header's implementation compiles alone.

Exit status: 0, 1 if a mutant lives, 2 if it cannot run.
"""
import argparse
import bisect
import collections
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import mutate  # noqa: E402

OUT = "build/mutants"
ARGUED = "tests/mutants.equivalent"
INCLUDES = "-I. -Itests -Ifuzz -Itests/model -Itools/fairsched".split()
CODE = ["-std=gnu11", "-D_GNU_SOURCE", "-DTEST_FIRST", "-DTEST_LIGHT",
        "-Werror=int-conversion", "-Werror=incompatible-pointer-types"]
# Copies are called, not expanded.
MANY = ["-Dinline=", "-Dalways_inline=unused"]
# Each function by itself, the same wherever it stands.
COMPARED = MANY + [
    "-O3", "-S", "-fkeep-static-functions", "-fno-ipa-cp", "-fno-ipa-sra",
    "-fno-ipa-icf", "-fno-partial-inlining", "-fno-toplevel-reorder",
    "-fno-reorder-blocks-and-partition", "-fno-asynchronous-unwind-tables"]
CHUNK = 1000
DEAD = "tests", "corpora", "fuzzing"
# Private functions and tables can be replaced: those of the tests are weak.
FILE_SCOPE = re.compile(r"(?m)^(#[ \t]*define FAIR_\w+ )?static\b")
WEAK = "__attribute__((weak))"
LIBRARIES = ["-lm", "-lpthread"]
SANITIZE = ["-fsanitize=address,undefined,fuzzer-no-link",
            "-fno-sanitize-recover=all", "-gline-tables-only"]

# One unit: fairsched.h calls private functions of the others.
JOINED = {"FAIRSCHED", "BACKFILL", "CONSERVATIVE", "MAUI", "RELSHARE"}

# Tests beside narrow_test.c and NAME_test.c, and fuzzers beside NAME_fuzz.c.
POLICY = ["exhaustive_sched_test", "fairsched_test"]
TESTS = {
    "profile": ["exhaustive_profile_test", "profile_small_test",
                "conservative_test", "backfill_test"],
    "usage": ["usage_portable_test"],
    "backfill": POLICY,
    "conservative": ["conservative_small_test", "leaf_faults_test",
                     *POLICY],
    "maui": ["maui_policy_test", "maui_config_test"],
    "penalty": ["penalty_portable_test"],
    "fairsched": ["hooks_test", "bookings_test", "sched_order_test",
                  "shares_test", "maui_policy_test", "why_test",
                  "why_text_test", "image_test",
                  "exhaustive_sched_test", "faults_test", "budget_test",
                  "edges_test", "fst_test"],
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


def run(command, seconds=None, **more):
    """Returns whether it succeeded."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        return subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=limit, text=True,
            timeout=20 * seconds if seconds else None, **more).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def stop(text):
    print("mutants: " + text, file=sys.stderr)
    sys.exit(2)


def corpus(name):
    return ["fuzz/corpus/" + name] if name.endswith("_fuzz") else []


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

    def units(self):
        """What together implements all."""
        return [self.unit(h) for h in self.headers
                if h == "fairsched.h" or not is_joined(h)]

    def unit(self, header, joined=False):
        """One that holds @header's implementation and no other's, or, @joined,
        those among which fairsched.h looks at what is private."""
        if not (header == "fairsched.h" or joined and is_joined(header)):
            return (f"#define FAIR_{macro(header)}_IMPLEMENTATION\n"
                    f'#include "{header}"\n')
        others = {macro(h) for h in self.headers}
        lines = [f"#define FAIR_{h}_IMPLEMENTED\n"
                 for h in sorted(others - JOINED)]
        return ("".join(lines) + "#define FAIRSCHED_IMPLEMENTATION\n"
                '#include "fairsched.h"\n')


class Config:
    """One way to compile, with its own objects of all that is no mutant."""

    def __init__(self, name, family, flags, compiler="gcc"):
        self.name, self.family, self.compiler = name, family, compiler
        self.flags = ["-O1", *flags, *CODE]
        self.folder = f"{OUT}/{name}"
        os.makedirs(self.folder, exist_ok=True)
        self.sanitizes = flags == SANITIZE
        self.link_flags = [f.replace(",fuzzer-no-link", "") for f in flags
                           if f.startswith(("-m", "-f"))]
        self.objects, self.defines, self.many = {}, {}, []
        self.seconds, self.reached = {}, {}

    def object(self, source, text=None):
        """The object file of a source file, or of @text in its place."""
        key = digest(self.compiler, self.flags, text,
                     self.family.digest([source]))
        path = f"{OUT}/object/{key}.o"
        if not os.path.exists(path):
            command = [self.compiler, *self.flags, "-O2", *INCLUDES, "-c",
                       "-o", path + ".new"]
            command += ["-x", "c", "-"] if text else [source]
            if not run(command, input=text):
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

    def begin(self, header, source):
        """@source: of each test and fuzzer. False if this is no way to run
        them here."""
        family, self.header, self.source = self.family, header, source
        self.text = read(header)
        self.unit = family.unit(header, joined=True)
        self.copy, self.weak = self.folder + "/copy", self.folder + "/weak"
        for folder in (self.copy, self.weak):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder + "/policies")
        for h in family.headers:
            shutil.copy(h, f"{self.copy}/{h}")
            shutil.copy(h, f"{self.weak}/{h}")
        with open(f"{self.weak}/{header}", "w") as f:
            f.write(re.sub(r"\binline\b", "", FILE_SCOPE.sub(
                rf"\1{WEAK}", self.text).replace("always_inline", "unused")))
        if not run([self.compiler, *self.link_flags, "-x", "c", "-",
                    "-o", self.folder + "/runs"], input="int main(void){}") \
                or not run([self.folder + "/runs"]):
            return False
        self.server = self.object("tools/mutants_serve.c")
        self.replay = self.object("fuzz/replay_main.c")
        self.libraries = [
            self.library("parts", [self.object(p) for p in
                                   family.parts(source.values())]),
            self.library("fair", [self.object(header, text)
                                  for text in family.units()])]
        self.write(self.text)
        for name in source:
            self.prepare(name)
        self.lines = self.active()
        self.many = MANY
        return True

    def active(self):
        """The lines of the header that are code in this configuration."""
        done = subprocess.run(
            [self.compiler, *self.flags, "-E", "-I" + self.copy,
             self.file("")], stdout=subprocess.PIPE, text=True)
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

    def prepare(self, name):
        """A test or fuzzer. What it implements, to look at what is private, is
        weak and gives way to the unit with the mutants, made with what the test
        defines before the header."""
        text, self.defines[name], weak = read(self.source[name]), "", []
        if "_IMPLEMENTATION\n" in text:
            weak = [f"-D{api}={WEAK}" for api in sorted(set(re.findall(
                r"\b(FAIR\w*_API)\b",
                "".join(map(read, self.family.headers)))))]
            above = text[:text.index('\n#include "') + 1]
            self.defines[name] = "".join(re.findall(
                r"(?m)^#(?!define FAIR\w*_(?:IMPLEMENTATION|STATIC)$).*\n",
                above))
        source = f"{self.weak}/{name}.c"
        with open(source, "w") as f:
            f.write(re.sub(r"(?m)^#define FAIRSCHED_STATIC$", "", text))
        self.objects[name] = f"{self.weak}/{name}.o"
        wrong = self.errors([
            *self.flags, "-O2", *weak, "-I" + self.weak, *INCLUDES, "-c", source,
            "-o", self.objects[name]]) or self.link(name)
        if wrong:
            stop(f"{name} does not compile as {self.name}: {self.said}")
        if not self.is_libfuzzer(name):
            server = Server(self.program(name), name, self.sanitizes)
            self.seconds[name] = server.seconds
            server.close()
            self.reached[name] = self.reach(name)

    def reach(self, name):
        """The lines of the header with code, and those that @name comes to."""
        if self.compiler != "gcc":
            return [], set()
        folder = self.folder + "/reach"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        unit, program = f"{folder}/unit", f"{folder}/{name}"
        if self.errors([*self.flags, *MANY, "-O0", "--coverage",
                        "-I" + self.copy, "-c", self.file(self.defines[name]),
                        "-o", unit + ".o"]) or \
                self.errors(self.linked(name, unit + ".o", program) +
                            ["--coverage"]):
            stop(f"{name} does not compile with --coverage: {self.said}")
        subprocess.run([program, *corpus(name)],
                       env={**os.environ, "FAIR_MUTANT": "0"},
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        done = subprocess.run(
            ["gcov", "--json-format", "--stdout", unit + ".gcda"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        lines = {}
        for said in done.stdout.splitlines():
            for file in json.loads(said)["files"]:
                if file["file"].endswith("/copy/" + self.header):
                    for line in file["lines"]:
                        n = line["line_number"]
                        lines[n] = lines.get(n, 0) + line["count"]
        return sorted(lines), {n for n in lines if lines[n]}

    def reaches(self, name, m):
        """Whether @name may come to @m: to its line, or, if that has no code, to
        the next that has, before or after."""
        if self.compiler != "gcc" or not m.is_code:
            return True
        lines, reached = self.reached[name]
        after = bisect.bisect_left(lines, m.line)
        if after < len(lines) and lines[after] == m.line:
            return m.line in reached
        return not reached.isdisjoint(lines[max(0, after - 1):after + 1])

    def is_libfuzzer(self, name):
        return self.sanitizes and name.endswith("_fuzz")

    def write(self, text):
        """The header, with all of it in reach of the tests."""
        self.ready = set()
        with open(f"{self.copy}/{self.header}", "w") as f:
            f.write(FILE_SCOPE.sub(r"\1", text))

    def file(self, defines):
        """The unit with the mutants."""
        path = f"{self.copy}/{digest(defines)}.c"
        with open(path, "w") as f:
            f.write(defines + self.unit)
        return path

    def make(self, defines):
        """Its object file; what is wrong in the header."""
        if defines in self.ready:
            return []
        path = self.file(defines)
        wrong = self.errors([*self.flags, *self.many, "-I" + self.copy, "-c",
                             path, "-o", path[:-2] + ".o"])
        if not wrong:
            self.ready.add(defines)
        return wrong

    def errors(self, flags):
        """Lines of the header that the compiler takes for no C."""
        done = subprocess.run([self.compiler, *flags],
                              stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
        if not done.returncode:
            return []
        found = re.findall(re.escape(f"{self.copy}/{self.header}") +
                           r":(\d+):\d+: error:", done.stderr)
        self.said = done.stderr
        return [int(n) for n in found] or [0]

    def without(self, mutants, build, **more):
        """Writes the header with @mutants, but those with which @build is not
        content; returns the schema."""
        mutants = list(mutants)
        while True:
            schema = mutate.Schema(self.text, mutants, **more)
            self.write(schema.text)
            wrong = build()
            if not wrong:
                return schema
            bad = {n for first, last, n in schema.lines
                   if any(first <= line <= last for line in wrong)}
            if not bad:
                stop(f"{self.header} with mutants does not compile as "
                     f"{self.name}: {self.said[:2000]}")
            mutants = [m for m in mutants if m.number not in bad]

    def compare(self, mutants, *how):
        """The schema of those that are C, and what the compiler writes."""
        output = f"{self.folder}/unit.s"
        return self.without(mutants, lambda: self.errors(
            [*self.flags, *how, "-I" + self.copy, self.file(""), "-o",
             output]), compared=True), output

    def good(self, mutants):
        """The numbers of those that are C."""
        return set(self.compare(mutants, "-fsyntax-only")[0].function)

    def same(self, mutants):
        """And of those that are the same program."""
        if not mutants:
            return set()
        schema, output = self.compare(mutants, *COMPARED)
        code = assembly(read(output))
        return {n for n, name in schema.function.items()
                if code.get(f"{name}__{n}", n) == code.get(f"{name}__0")}

    def link(self, name):
        """Returns what is wrong in the header."""
        defines = self.defines[name]
        wrong = self.make(defines)
        if wrong:
            return wrong
        return self.errors(self.linked(name, self.file(defines)[:-2] + ".o",
                                       self.program(name)))

    def linked(self, name, unit, program):
        """The command that makes @program of @name and @unit."""
        command = [*self.link_flags, "-o", program, self.objects[name], unit]
        if name.endswith("_fuzz"):
            command.append("-fsanitize=fuzzer" if self.is_libfuzzer(name)
                           else self.replay)
        return [*command, self.server, *self.libraries, *LIBRARIES]

    def program(self, name):
        return f"{self.folder}/{name}"

    def killers(self, mutants, names, longest):
        """Yields a mutant and the first of @names, of at most @longest seconds,
        that tells it from the header, or None: quickest first, but what killed
        its neighbour before that."""
        names = [n for n in names if self.seconds[n] <= longest]
        schema = self.schema(mutants, names)
        servers = [Server(self.program(name), name, self.sanitizes)
                   for name in names]
        servers.sort(key=lambda s: s.limit)
        last = {}
        for m in mutants:
            here = schema.function.get(m.number)
            order = sorted(servers, key=lambda s: s.name != last.get(here))
            killer = None
            for s in order if here else []:
                if self.reaches(s.name, m) and not s.run(m.number):
                    killer = last[here] = s.name
                    break
            yield m, killer
        for s in servers:
            s.close()

    def schema(self, mutants, names):
        """Programs that hold them."""
        def build():
            return next(filter(None, map(self.link, names)), [])
        return self.without(mutants, build)

    def fuzz(self, number, fuzzer, seconds):
        """Whether @fuzzer kills it: by its corpus, or anew."""
        found = self.folder + "/found"
        shutil.rmtree(found, ignore_errors=True)
        os.makedirs(found)
        dictionary = glob.glob(f"fuzz/{fuzzer}.dict")
        return not run([self.program(fuzzer), found, "fuzz/corpus/" + fuzzer,
                        "-timeout=20", f"-max_total_time={seconds}",
                        "-rss_limit_mb=2048", f"-artifact_prefix={found}/",
                        *("-dict=" + d for d in dictionary)],
                       4 * seconds + 120,
                       env={**os.environ, "FAIR_MUTANT": str(number)})


class Server:
    """A program as any of its mutants."""

    def __init__(self, program, name, sanitizes):
        def memory():
            if not sanitizes:
                resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        self.name, self.limit = name, 600
        self.process = subprocess.Popen(
            [program, *corpus(name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0, preexec_fn=memory)
        if not self.run(0):
            stop(f"{program} fails without a mutant")
        self.limit = 0.3 + 4 * self.seconds

    def run(self, number):
        """Whether it does not notice."""
        self.process.stdin.write(
            struct.pack("=ii", number, int(1000 * self.limit)))
        answer = self.process.stdout.read(8)
        if len(answer) < 8:
            stop(f"no answer from {self.name}")
        status, ms = struct.unpack("=ii", answer)
        self.seconds = ms / 1000
        return status == 0

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def assembly(text):
    """What is written for each function, its labels numbered anew."""
    code = {}
    for m in re.finditer(r"(?ms)^(\w+):\n(.*?)^\t\.size\t\1,", text):
        labels = {}
        code[m[1]] = re.sub(
            r"\.L([A-Z]*)\d+", lambda label: label[0] if label[1] == "C" else
            f".L{labels.setdefault(label[0], len(labels))}", m[2]).replace(
                m[1], "f")
    return code


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
    """Lines of a file: the mutant's name, what the verdict depends on, the
    verdict, who killed it; the rest is for the reader."""

    def __init__(self, name):
        self.path, self.known = f"{OUT}/{name}.tsv", {}
        if os.path.exists(self.path):
            for line in open(self.path):
                name, *fields = line.rstrip("\n").split("\t")[:4]
                self.known[name] = fields

    def add(self, name, *fields):
        self.known[name] = fields
        with open(self.path, "a") as f:
            print(name, *fields, sep="\t", file=f)


class Run:
    """The mutants of one header."""

    def __init__(self, header, family, argued, options):
        self.header, self.family, self.argued = header, family, argued
        self.options, self.text = options, read(header)
        self.name = os.path.basename(header)[:-2]
        self.tests = ["narrow_test", *self.present("tests", "test", TESTS)]
        self.fuzzers = self.present("fuzz", "fuzz", FUZZERS)
        self.mutants = mutate.mutants(self.text)
        argued.check(header, self.mutants)
        self.results = Results(self.name)
        self.source = {**{t: f"tests/{t}.c" for t in self.tests},
                       **{f: f"fuzz/{f}.c" for f in self.fuzzers}}
        self.digest, self.running = {}, {}

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
        return ways

    def runs(self, config):
        """Whether it does here."""
        if config not in self.running:
            self.running[config] = config.begin(self.header, self.source)
            if not self.running[config]:
                print(f"mutants: no {config.name} here", file=sys.stderr)
        return self.running[config]

    def inputs(self, verdict, by):
        """What it depends on: the header; the test that killed, or all."""
        if by and by not in self.source:
            return None  # no longer a test of this header
        if by not in self.digest:
            programs = [self.source[by]] if by else self.source.values()
            parts = self.family.parts(programs)
            self.digest[by] = digest(
                bare(self.text),
                self.family.digest([*programs, *parts], but=self.header))
        if by:
            return self.digest[by]
        if verdict in ("living", "argued"):
            return digest(self.digest[by], self.options.seconds)
        looked = verdict != "stillborn" and not self.options.seconds
        return digest(bare(self.text), looked)

    def is_argued(self, m):
        return f"{self.header}: {m.name}" in self.argued.line

    def known(self, m):
        """Whether the verdict is good."""
        inputs, verdict, by = self.results.known.get(m.name, (None,) * 3)
        if verdict is None or (verdict == "argued" and not self.is_argued(m)):
            return False
        if self.options.living and (verdict in DEAD or self.is_argued(m)):
            return True
        return inputs == self.inputs(verdict, by) and not (
            self.options.living and verdict == "living")

    def note(self, m, verdict, by=""):
        self.results.add(m.name, self.inputs(verdict, by), verdict, by)

    def judge(self, todo):
        """One configuration after the other: those that live so far."""
        left, compiled, differ = {m.number: m for m in todo}, set(), set()
        for config in self.ways():
            here = [m for m in left.values()
                    if self.options.seconds or m.number not in compiled]
            if not here or not self.runs(config):
                continue
            here = [m for m in here if m.line in config.lines]
            for i in range(0, len(here), CHUNK):
                print(f"{self.header}: {config.name}, {i} of {len(here)}",
                      file=sys.stderr, flush=True)
                self.judge_chunk(config, here[i:i + CHUNK], left, compiled,
                                 differ)
        for n in list(left):
            if n not in differ:
                self.note(left.pop(n), "same" if n in compiled else "unread")
        self.second(left)

    def judge_chunk(self, config, chunk, left, compiled, differ):
        good = config.good(chunk)
        compiled |= good
        for m in chunk:
            if m.number not in good:
                self.note(left.pop(m.number), "stillborn")
        chunk = [m for m in chunk if m.number in good]
        differ |= good - config.same(chunk)
        self.kill(config, [m for m in chunk if m.number in differ], self.source,
                  left)
        for m in chunk:  # so far; else a first look is all
            if m.number in differ and m.number in left:
                self.results.add(m.name, "" if self.options.seconds else
                                 self.inputs("living", ""), "living", "")

    def kill(self, config, mutants, names, left):
        longest = 600 if self.options.seconds else 1
        for m, by in config.killers(mutants, names, longest) \
                if mutants else []:
            if by:
                self.note(left.pop(m.number),
                          "tests" if by in self.tests else "corpora", by)

    def second(self, left):
        """Of those that live: with sanitizers, and fuzzed."""
        config = Config("sanitized", self.family, SANITIZE, "clang-19")
        fuzzed = []
        if left and self.options.seconds and self.runs(config):
            self.kill(config, list(left.values()), self.tests, left)
            fuzzed = [m for m in left.values() if not self.is_argued(m)]
        share = self.options.seconds // max(1, len(self.fuzzers))
        if fuzzed and share:
            config.schema(fuzzed, self.fuzzers)
        for m in fuzzed if share else []:
            by = next((f for f in self.fuzzers
                       if config.fuzz(m.number, f, share)), None)
            if by:
                self.note(left.pop(m.number), "fuzzing", by)
        for m in left.values():
            self.note(m, "argued" if self.is_argued(m) else "living")

    def chosen(self):
        """A larger sample holds the smaller ones, and edits move few."""
        some = sorted(self.mutants, key=lambda m: digest(self.header, m.name))
        return sorted(some[:self.options.sample], key=lambda m: m.number)

    def all(self):
        """Prints the living and the score; returns whether none lives."""
        chosen = self.chosen()
        self.judge([m for m in chosen if not self.known(m)])
        score = collections.Counter()
        for m in chosen:
            _, verdict, by = self.results.known[m.name]
            argued = self.is_argued(m)
            if argued and verdict == "living":
                verdict = "argued"
            argued = argued and verdict in DEAD
            if argued or verdict == "living":
                print(f"{self.header}:{m.line}: {m.name}" +
                      (f": argued, but {verdict} {by}" if argued else ""),
                      flush=True)
                verdict = "living"
            score[verdict] += 1
        dead = sum(score[verdict] for verdict in DEAD)
        all_of = dead + score["argued"] + score["living"]
        print(f"{self.header}: {len(chosen)} of {len(self.mutants)} mutants: "
              f"{score['stillborn']} do not compile, {score['same']} are the "
              f"same program, {score['unread']} no code here; "
              f"{score['tests']} killed by tests, {score['corpora']} by "
              f"corpora, {score['fuzzing']} by fuzzing, "
              f"{score['argued']} argued equivalent, "
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
                    "-x", "c", "-"], input=family.unit(header)):
            stop(f"the unit of {header} does not compile: who is joined?")


if __name__ == "__main__":
    main()
