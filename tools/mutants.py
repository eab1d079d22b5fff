#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: mutants.py [--sample N] [--seconds S] [--living] [--against FILE]
                  [HEADER ...]

Tries every mutant of tools/mutate.py on the tests, and prints the survivors of
each header by function:

    HEADER: FUNCTION
    \tCODE, with {old|new} in it

Lines that begin with # are comments. --against FILE reads the output of an
earlier run and prints only the survivors that FILE does not have. Header,
function and code identify a survivor, its line does not.

A program contains a thousand mutants, with a copy of a function for each of
them; FAIR_MUTANT or tools/mutants_serve.c selects one.

    1. For each configuration that compiles its line: drop a mutant that does not
       compile, and one for which gcc -O3 writes the same code as for the original.
    2. Run the header's tests, at an eighth of their rounds and up to the first
       failure, then the corpora of its fuzzers. A trap, a signal or too much
       processor time kills a mutant, too.
    3. Run the tests with the address and undefined behaviour sanitizers.
    4. Run the header's fuzzers for S seconds (60), unless FILE has the survivor.

S of 0 is a quick look: it runs neither fuzzers nor sanitizers, nor tests of more
than a second, and it tries a line in another configuration only if this one does
not compile it.
--sample N tries N mutants of each header, always the same ones. --living trusts
earlier kills, though header or tests have changed. Results are lines of
build/mutants/NAME.tsv, valid until the header's code (without comments) or the
tests change.

Exit status: 0, 1 if a mutant survives that FILE does not have, 2 if the tool
cannot run.
"""
import argparse
import bisect
import collections
import glob
import hashlib
import itertools
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
INCLUDES = "-I. -Itests -Ifuzz -Itests/model".split()
CODE = ["-std=gnu11", "-D_GNU_SOURCE", "-DTEST_FIRST", "-DTEST_LIGHT",
        "-Werror=int-conversion", "-Werror=incompatible-pointer-types"]
# The compiler must call the copies, not inline them.
MANY = ["-Dinline=", "-Dalways_inline=unused"]
# Compiles each function by itself, so that its place does not matter.
COMPARED = MANY + [
    "-O3", "-S", "-fkeep-static-functions", "-fno-ipa-cp", "-fno-ipa-sra",
    "-fno-ipa-icf", "-fno-partial-inlining", "-fno-toplevel-reorder",
    "-fno-reorder-blocks-and-partition", "-fno-asynchronous-unwind-tables"]
CHUNK = 1000
DEAD = "tests", "corpora", "fuzzing"
# Makes private functions and tables of the tests weak, to replace them.
FILE_SCOPE = re.compile(r"(?m)^(#[ \t]*define FAIR_\w+ )?static\b")
WEAK = "__attribute__((weak))"
LIBRARIES = ["-lm", "-lpthread"]
SANITIZE = ["-fsanitize=address,undefined,fuzzer-no-link",
            "-fno-sanitize-recover=all", "-gline-tables-only"]

# All tests that read fairsched.h, but for those of the command, test it and its
# rooms. The tests of another header, and of its rooms, begin with its name; some
# headers have more.
TESTS = {"profile": ["exhaustive_profile_test", "conservative_*test",
                     "backfill_*test"],
         "machine": ["resources_*test", "classes_*test"],
         "quotas": ["limit_*test"],
         "space": ["quotas_*test", "limit_*test", "nodes_*test",
                   "resources_*test", "classes_*test", "backfill_*test",
                   "conservative_*test",
                   "budget_test", "custom_ledger_test"],
         "checkpoint": ["*_saved_test"],
         "backfill": ["checkpoint_*test", "classes_*test", "limit_*test",
                      "maui_*test", "nodes_sched_test", "order_by_*test"],
         "fairtree": ["order_by_tree_test", "tree_faults_test"],
         "maui": ["limit_faults_test"],
         "relshare": ["shares_test", "entities_test", "changes_test",
                      "checkpoint_config_test", "checkpoint_damage_test"],
         "conservative": ["compression_order_test", "unfinished_*test",
                          "checkpoint_*test", "classes_*test", "limit_*test",
                          "nodes_sched_test", "overrun_test",
                          "refused_start_test", "scan_limit_test"]}
FUZZERS = {"profile": ["conservative_fuzz"], "machine": ["classes_fuzz"],
           "conservative": ["classes_fuzz", "sched_fuzz"],
           "space": ["nodes_fuzz", "classes_fuzz", "sched_fuzz"],
           "quotas": ["sched_fuzz"], "fairtree": ["tree_fuzz"],
           "backfill": ["classes_fuzz", "checkpoint_fuzz", "sched_fuzz"],
           "maui": ["sched_fuzz"]}


def digest(*parts):
    return hashlib.sha256("\0".join(map(str, parts)).encode()).hexdigest()[:16]


def read(path):
    with open(path) as f:
        return f.read()


def bare(text):
    """Returns the code without comments and line breaks."""
    comments = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
    return " ".join(comments.sub(" ", text).split())


def run(command, seconds=None, **more):
    """Returns whether the command succeeded."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        return subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=limit, text=True,
            timeout=20 * seconds if seconds else None, **more).returncode == 0
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return False


def stop(text):
    print("mutants: " + text, file=sys.stderr)
    sys.exit(2)


def corpus(name):
    return ["fuzz/corpus/" + name] if name.endswith("_fuzz") else []


def macro(header):
    return os.path.basename(header)[:-2].upper()


# Flags and compilers.
CONFIG = {"plain": ([],), "m32": (["-m32"],),
          "portable": (["-DFAIR_NO_INT128", "-DFAIR_PROFILE_PORTABLE"],),
          "sanitized": (SANITIZE, "clang-19")}


class Family:
    """The headers, and the sources of each program."""

    def __init__(self):
        self.headers = sorted(glob.glob("*.h") + glob.glob("policies/*.h") +
                              glob.glob("policies/*/*.h") +
                              glob.glob("sched/*.h"))
        self.known, self.configs, self.texts = {}, {}, {}

    def reads(self, source):
        """Returns the files that a source includes, and itself."""
        if source not in self.known:
            done = subprocess.run(["gcc", "-MM", *INCLUDES, source],
                                  stdout=subprocess.PIPE, text=True)
            names = done.stdout.replace("\\\n", " ").split()[1:]
            self.known[source] = sorted({os.path.normpath(n) for n in names})
        return self.known[source]

    def owner(self, header):
        """The header whose unit it belongs to: it is a room of that, or that."""
        folder = os.path.dirname(header)
        if folder == "sched":
            return "fairsched.h"
        return folder + ".h" if folder + ".h" in self.headers else header

    def rooms(self, owner):
        return [h for h in self.headers if self.owner(h) == owner]

    def parts(self, sources):
        """Returns the models and parts of the command that these sources need."""
        parts, todo = [], list(sources)
        while todo:
            for path in self.reads(todo.pop()):
                part = path[:-2] + ".c"
                if path.startswith(("tests/model/", "tools/")) and \
                        part not in parts and os.path.exists(part):
                    parts.append(part)
                    todo.append(part)
        return sorted(parts)

    def code(self, file):
        """The text of a file, without comments of a header."""
        if file not in self.texts:
            text = read(file)
            self.texts[file] = bare(text) if file in self.headers else text
        return self.texts[file]

    def digest(self, sources, but=None):
        """A digest of all files that they read."""
        files = {f for source in sources for f in self.reads(source)}
        return digest(*map(self.code, sorted(files - {but})))

    def unit(self, owner):
        """Returns a unit that implements @owner, its rooms, and what they need."""
        if owner == "fairsched.h":
            return f'#define FAIRSCHED_IMPLEMENTATION\n#include "{owner}"\n'
        needs = {self.owner(h) for h in self.reads(owner) if h in self.headers}
        return "".join(f"#define FAIR_{macro(h)}_IMPLEMENTATION\n"
                       for h in sorted(needs)) + f'#include "{owner}"\n'

    def units(self):
        """Returns the sources that together implement all headers, and their
        names."""
        if "fairsched.h" in self.headers:
            return [("fairsched.h", self.unit("fairsched.h"))]
        return [(h, self.unit(h)) for h in self.headers if self.owner(h) == h]

    def weak(self):
        """The flags that make all that is public weak."""
        return [f"-D{api}={WEAK}" for api in sorted(set(re.findall(
            r"\b(FAIR\w*_API)\b", "".join(map(read, self.headers)))))]


class Config:
    """A way to compile a header and its rooms, with its own objects of all other
    sources."""

    def __init__(self, name, family, owner, flags, compiler="gcc"):
        self.name, self.family, self.compiler = name, family, compiler
        self.owner, self.rooms = owner, family.rooms(owner)
        self.flags = ["-O1", *flags, *CODE]
        self.folder = f"{OUT}/{name}/{owner[:-2]}"
        os.makedirs(self.folder, exist_ok=True)
        self.sanitizes = flags == SANITIZE
        self.link_flags = [f.replace(",fuzzer-no-link", "") for f in flags
                           if f.startswith(("-m", "-f"))]
        self.objects, self.defines, self.many = {}, {}, []
        self.seconds, self.reached, self.key = {}, {}, {}

    def object(self, source, text=None, weak=()):
        """The object file of a source file, or of @text in its place."""
        key = digest(self.compiler, self.flags, text, weak,
                     self.family.digest([source]))
        path = f"{OUT}/object/{key}.o"
        if not os.path.exists(path):
            command = [self.compiler, *self.flags, "-O2", *weak, *INCLUDES, "-c",
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

    def begin(self, source):
        """@source: the source of each test and fuzzer. Returns False if they
        cannot run in this way on this machine."""
        family, self.source = self.family, source
        self.unit = family.unit(self.owner)
        self.copy, self.weak = self.folder + "/copy", self.folder + "/weak"
        for folder in (self.copy, self.weak):
            shutil.rmtree(folder, ignore_errors=True)
            for h in family.headers:
                os.makedirs(os.path.dirname(f"{folder}/{h}"), exist_ok=True)
                shutil.copy(h, f"{folder}/{h}")
        for h in self.rooms:
            with open(f"{self.weak}/{h}", "w") as f:
                f.write(re.sub(r"\binline\b", "", FILE_SCOPE.sub(
                    rf"\1{WEAK}", read(h)).replace("always_inline", "unused")))
        self.text = {h: read(h) for h in self.rooms}
        self.write(self.text)
        if not run([self.compiler, *self.link_flags, "-x", "c", "-",
                    "-o", self.folder + "/runs"], input="int main(void){}") \
                or not run([self.folder + "/runs"]):
            return False
        self.server = self.object("tools/mutants_serve.c")
        self.replay = self.object("fuzz/replay_main.c")
        self.libraries = [
            self.library("parts", [self.object(p) for p in
                                   family.parts(source.values())]),
            self.library("fair", [self.object(header, text, family.weak())
                                  for header, text in family.units()])]
        for name in source:
            self.prepare(name)
        self.many = MANY
        return True

    def enter(self, headers):
        """Goes on to these headers of this unit."""
        self.text = {h: read(h) for h in headers}
        self.leave()
        self.lines = self.active()

    def leave(self):
        self.write(self.text)

    def active(self):
        """The header and the line of code in this configuration."""
        done = subprocess.run(
            [self.compiler, *self.flags, "-E", "-I" + self.copy,
             self.file("")], stdout=subprocess.PIPE, text=True)
        lines, header, line = set(), "", 0
        for text in done.stdout.splitlines():
            mark = re.match(r'# (\d+) "(.*?)"', text)
            if mark:
                line, header = int(mark[1]), mark[2].split("/copy/")[-1]
                continue
            if text.strip():
                lines.add((header, line))
            line += 1
        return lines

    def prepare(self, name):
        """A test or fuzzer. What it implements, to look at what is private, is
        weak and gives way to the unit with the mutants, made with what the test
        defines before the header."""
        text, self.defines[name], weak = read(self.source[name]), "", []
        if "_IMPLEMENTATION\n" in text:
            weak = self.family.weak()
            above = text[:text.index('\n#include "') + 1]
            sizes = re.findall(r"(?m)^#(?:undef|define) (?!FAIR\w*_"
                               r"(?:IMPLEMENTATION|STATIC)$)[^/\n]*", above)
            self.defines[name] = "".join(
                s.strip() + "\n" for s in ["#include <stdint.h>", *sizes]
                if sizes)
        source = f"{self.weak}/{name}.c"
        with open(source, "w") as f:
            f.write(re.sub(r"(?m)^#define FAIRSCHED_STATIC$", "", text))
        key = digest(self.compiler, self.flags, weak, self.owner,
                     self.family.digest([self.source[name]]))
        self.objects[name] = f"{OUT}/object/{key}.o"
        if not os.path.exists(self.objects[name]):
            print(f"{name}: {self.name}", file=sys.stderr, flush=True)
            quick = "-O0" if weak else "-O2"  # what is weak gives way
            if self.errors([*self.flags, quick, *weak, "-I" + self.weak,
                            *INCLUDES, "-c", source, "-o",
                            self.objects[name] + ".new"]):
                print(f"mutants: without {name}, which does not compile: "
                      f"{self.said[:500]}", file=sys.stderr)
                self.seconds[name] = 3600
                return
            os.rename(self.objects[name] + ".new", self.objects[name])
        self.key[name] = f"{key}.{digest(*map(read, self.rooms))}"
        if not self.is_libfuzzer(name):
            self.seconds[name] = self.kept(name, "seconds", self.time)

    def kept(self, name, what, find):
        """What @find says of a test, now or in an earlier run."""
        path = f"{OUT}/object/{self.key[name]}.{what}"
        if not os.path.exists(path):
            found = find(name)
            with open(path + ".new", "w") as f:
                json.dump(found, f)
            os.rename(path + ".new", path)
        return json.loads(read(path))

    def time(self, name):
        """The seconds that a test takes without a mutant."""
        if self.link(name):
            print(f"mutants: without {name}, which does not link: "
                  f"{self.said[:500]}", file=sys.stderr)
            return 3600
        server = Server(self.program(name), name, self.sanitizes)
        good = server.run(0)
        server.close()
        if not good:
            print(f"mutants: without {name}, which fails", file=sys.stderr)
        return server.seconds if good else 3600

    def reach(self, name):
        """The lines of each header with code, and those that @name comes to."""
        if self.compiler != "gcc":
            return {}
        folder = self.folder + "/reach"
        os.makedirs(folder, exist_ok=True)
        unit = f"{folder}/{digest(self.defines[name], *map(read, self.rooms))}"
        if not os.path.exists(unit + ".o"):
            made, ready = self.made, self.ready
            self.leave()
            if self.errors([*self.flags, *MANY, "-O0", "--coverage",
                            "-I" + self.copy, "-c",
                            self.file(self.defines[name]), "-o", unit + ".o"]):
                stop(f"{name} does not compile with --coverage: {self.said}")
            self.write(made)
            self.ready = ready
        if self.errors(self.linked(name, unit + ".o", folder + "/program") +
                       ["--coverage"]):
            stop(f"{name} does not link with --coverage: {self.said}")
        if os.path.exists(unit + ".gcda"):
            os.remove(unit + ".gcda")
        subprocess.run([folder + "/program", *corpus(name)],
                       env={**os.environ, "FAIR_MUTANT": "0"},
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        done = subprocess.run(
            ["gcov", "--json-format", "--stdout", unit + ".gcda"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found = {h: {} for h in self.rooms}
        for said in done.stdout.splitlines():
            for file in json.loads(said)["files"]:
                lines = found.get(file["file"].split("/copy/")[-1], {})
                for line in file["lines"]:
                    n = line["line_number"]
                    lines[n] = lines.get(n, 0) + line["count"]
        return {h: [sorted(lines), [n for n in sorted(lines) if lines[n]]]
                for h, lines in found.items()}

    def reaches(self, name, m):
        """Whether @name may come to @m: to its line, or to the next one with code,
        before or after, since a statement may have several."""
        if self.compiler != "gcc" or not m.is_code:
            return True
        if name not in self.reached:
            self.reached[name] = self.kept(name, "reach", self.reach)
        lines, reached = self.reached[name][m.header]
        after = bisect.bisect_left(lines, m.line)
        return not set(reached).isdisjoint(lines[max(0, after - 1):after + 2])

    def is_libfuzzer(self, name):
        return self.sanitizes and name.endswith("_fuzz")

    def write(self, text):
        """The headers, with all of them in reach of the tests."""
        self.ready, self.made = set(), text
        for header in text:
            with open(f"{self.copy}/{header}", "w") as f:
                f.write(FILE_SCOPE.sub(r"\1", text[header]))

    def file(self, defines):
        """The unit with the mutants."""
        path = f"{self.copy}/{digest(defines)}.c"
        with open(path, "w") as f:
            f.write(defines + self.unit)
        return path

    def make(self, defines):
        """Its object file; what is wrong in the headers."""
        if defines in self.ready:
            return []
        path = self.file(defines)
        wrong = self.errors([*self.flags, *self.many, "-I" + self.copy, "-c",
                             path, "-o", path[:-2] + ".o"])
        if not wrong:
            self.ready.add(defines)
        return wrong

    def errors(self, flags):
        """Returns header and line of what does not compile."""
        done = subprocess.run([self.compiler, *flags],
                              stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE)
        if not done.returncode:
            return []
        found = re.findall(re.escape(f"{self.copy}/") +
                           r"(\S+?):(\d+):\d+: error:", done.stderr)
        self.said = done.stderr
        return [(header, int(n)) for header, n in found] or [("", 0)]

    def without(self, mutants, build, **more):
        """Writes the headers with the @mutants that @build accepts; returns the
        function of each."""
        mutants = list(mutants)
        while True:
            schema = {h: mutate.Schema(
                text, [m for m in mutants if m.header == h], **more)
                for h, text in self.text.items()}
            self.write({h: s.text for h, s in schema.items()})
            wrong = build()
            if not wrong:
                return {n: name for s in schema.values()
                        for n, name in s.function.items()}
            bad = {n for h, s in schema.items() for first, last, n in s.lines
                   if any(h == at and first <= line <= last
                          for at, line in wrong)}
            if not bad:
                stop(f"{self.owner} with mutants does not compile as "
                     f"{self.name}: {self.said[:2000]}")
            mutants = [m for m in mutants if m.number not in bad]

    def compare(self, mutants, *how):
        """Returns the functions of the mutants that compile, and their code."""
        output = f"{self.folder}/unit.s"
        return self.without(mutants, lambda: self.errors(
            [*self.flags, *how, "-I" + self.copy, self.file(""), "-o",
             output]), compared=True), output

    def good(self, mutants):
        """Returns the numbers of the mutants that compile."""
        return set(self.compare(mutants, "-fsyntax-only")[0])

    def same(self, mutants):
        """Returns the numbers of the mutants that are the same program."""
        if not mutants:
            return set()
        function, output = self.compare(mutants, *COMPARED)
        code = assembly(read(output))
        return {n for n, name in function.items()
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
        that tells it from the header, or None: first what killed its neighbour,
        then those that killed most for their time."""
        names = [n for n in names if self.seconds[n] <= longest]
        function = self.without(mutants, lambda: self.make(""))
        servers, last, kills = {}, {}, collections.Counter()
        for m in mutants:
            here = function.get(m.number)
            order = sorted(names, key=lambda n: (
                n != last.get(here),
                (0.01 + self.seconds[n]) / (1 + kills[n])))
            killer = None
            for n in order if here else []:
                if not self.reaches(n, m):
                    continue
                if n not in servers:
                    servers[n] = self.serve(n)
                if servers[n] and not servers[n].run(m.number):
                    killer = last[here] = n
                    kills[n] += 1
                    break
            yield m, killer
        for s in filter(None, servers.values()):
            s.close()

    def serve(self, name):
        """Runs @name with the mutants, unless its sizes make one that is no C."""
        if self.link(name):
            print(f"mutants: without {name}: {self.said[:500]}",
                  file=sys.stderr)
            return None
        return Server(self.program(name), name, self.sanitizes,
                      0.3 + 4 * self.seconds[name])

    def schema(self, mutants, names):
        """Programs that hold them."""
        def build():
            return next(filter(None, map(self.link, names)), [])
        return self.without(mutants, build)

    def fuzz(self, number, fuzzer, seconds):
        """Whether @fuzzer kills the mutant, by its corpus or by new inputs."""
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
    """A program that runs as any of its mutants."""

    def __init__(self, program, name, sanitizes, limit=600):
        def memory():
            if not sanitizes:
                resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        self.name, self.limit = name, limit
        self.process = subprocess.Popen(
            [program, *corpus(name)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0, preexec_fn=memory)

    def run(self, number):
        """Whether the mutant survives the program."""
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
    """Returns the assembly of each function, with its labels renumbered."""
    code = {}
    for m in re.finditer(r"(?ms)^(\w+):\n(.*?)^\t\.size\t\1,", text):
        labels = {}
        code[m[1]] = re.sub(
            r"\.L([A-Z]*)\d+", lambda label: label[0] if label[1] == "C" else
            f".L{labels.setdefault(label[0], len(labels))}", m[2]).replace(
                m[1], "f")
    return code


def survivors(path):
    """Reads the output of an earlier run: pairs of header and mutant."""
    found, where = set(), None
    with open(path) as f:
        for line in f:
            if line.startswith("\t") and where:
                found.add((where[0], f"{where[1]}: {line.strip()}"))
            elif line.strip() and line[0] != "#":
                where = line.rstrip("\n").split(": ")
                if len(where) != 2:
                    stop(f"{path}: not a list of survivors: {line.rstrip()}")
    return found


class Results:
    """Lines of a file: the mutant's name, a digest of what the verdict depends
    on, the verdict, the test that killed it; the rest is a comment."""

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

    def __init__(self, header, family, before, options):
        self.header, self.family, self.before = header, family, before
        self.options, self.text = options, read(header)
        self.owner = family.owner(header)
        self.name = os.path.basename(self.owner)[:-2]
        self.source = {}
        self.tests = self.present("tests/**", "test", TESTS)
        self.fuzzers = self.present("fuzz", "fuzz", FUZZERS)
        if not self.tests:
            stop(f"{header} has no tests")
        self.mutants = mutate.mutants(self.text)
        for m in self.mutants:
            m.header, m.run = header, self
        self.results = Results(header[:-2].replace("/", "_"))
        self.digest = {}

    def present(self, folder, kind, more):
        """The names of this header's tests or fuzzers."""
        names = [f"narrow_{kind}", f"{self.name}_{kind}",
                 f"{self.name}_*_{kind}", *more.get(self.name, [])]
        paths = {p for n in names
                 for p in glob.glob(f"{folder}/{n}.c", recursive=True)}
        if self.owner == "fairsched.h":
            paths.update(p for p in glob.glob(f"{folder}/*_{kind}.c",
                                              recursive=True)
                         if self.owner in self.family.reads(p) and
                         "/command/" not in p)
        found = {os.path.basename(p)[:-2]: p for p in paths}
        self.source.update(found)
        return sorted(found)

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
        if verdict == "living":
            return digest(self.digest[by], self.options.seconds)
        looked = verdict != "stillborn" and not self.options.seconds
        return digest(bare(self.text), looked)

    def is_new(self, m):
        return (self.header, m.name) not in self.before

    def known(self, m):
        """Whether the verdict is good."""
        inputs, verdict, by = self.results.known.get(m.name, (None,) * 3)
        if verdict is None:
            return False
        if self.options.living and verdict in DEAD:
            return True
        return inputs == self.inputs(verdict, by) and not (
            self.options.living and verdict == "living")

    def chosen(self):
        """A larger sample contains the smaller ones, and edits change few."""
        some = sorted(self.mutants, key=lambda m: digest(self.header, m.name))
        return sorted(some[:self.options.sample], key=lambda m: m.number)

    def todo(self):
        return [m for m in self.chosen() if not self.known(m)]

    def report(self):
        """Prints the survivors and the score; returns whether all are known."""
        chosen = self.chosen()
        score, shown, last = collections.Counter(), 0, None
        for m in chosen:
            verdict = self.results.known[m.name][1]
            score[verdict] += 1
            if verdict != "living" or not self.is_new(m):
                continue
            function, code = m.name.split(": ", 1)
            if function != last:
                print(f"{self.header}: {function}")
            print("\t" + code)
            last, shown = function, shown + 1
        dead = sum(score[verdict] for verdict in DEAD)
        known = score["living"] - shown
        print(f"# {self.header}: {len(chosen)} of {len(self.mutants)} mutants: "
              f"{score['stillborn']} do not compile, {score['same']} are the "
              f"same program, {score['unread']} no code here; "
              f"{score['tests']} killed by tests, {score['corpora']} by "
              f"corpora, {score['fuzzing']} by fuzzing; "
              f"{score['living']} survive"
              f"{f', {known} of them as before' if known else ''}: "
              f"{100 * dead / max(1, dead + score['living']):.1f} % killed",
              flush=True)
        return not shown


def note(m, verdict, by=""):
    m.run.results.add(m.name, m.run.inputs(verdict, by), verdict, by)


class Trial:
    """The mutants of headers of one unit, in common programs."""

    def __init__(self, runs):
        self.runs, self.options = runs, runs[0].options
        self.family, self.owner = runs[0].family, runs[0].owner
        self.source = runs[0].source
        self.tests, self.fuzzers = runs[0].tests, runs[0].fuzzers
        for number, m in enumerate((m for r in runs for m in r.mutants), 1):
            m.number = number

    def ways(self):
        """The configurations of these headers."""
        ways = ["plain", "m32"]
        if any("FAIR_NO_INT128" in r.text or "_PORTABLE" in r.text
               for r in self.runs):
            ways.insert(1, "portable")
        return ways

    def enter(self, name):
        """The configuration of that name, or None if it does not run here."""
        config = self.family.configs.get((name, self.owner))
        if not config:
            config = Config(name, self.family, self.owner, *CONFIG[name])
            self.family.configs[name, self.owner] = config
            config.runs = config.begin(self.source)
            if not config.runs:
                print(f"mutants: no {name} here", file=sys.stderr)
        if not config.runs:
            return None
        config.enter([r.header for r in self.runs])
        return config

    def longest(self):
        return 600 if self.options.seconds else 1

    def judge(self):
        todo = [m for r in self.runs for m in r.todo()]
        left, compiled, differ = {m.number: m for m in todo}, set(), set()
        for name in self.ways():
            here = [m for m in left.values()
                    if self.options.seconds or m.number not in compiled]
            config = self.enter(name) if here else None
            if not config:
                continue
            here = [m for m in here if (m.header, m.line) in config.lines]
            for i in range(0, len(here), CHUNK):
                print(f"{self.owner}: {config.name}, {i} of {len(here)}",
                      file=sys.stderr, flush=True)
                self.judge_chunk(config, here[i:i + CHUNK], left, compiled,
                                 differ)
            config.leave()
        for n in list(left):
            if n not in differ:
                note(left.pop(n), "same" if n in compiled else "unread")
        self.second(left)

    def judge_chunk(self, config, chunk, left, compiled, differ):
        good = config.good(chunk)
        compiled |= good
        for m in chunk:
            if m.number not in good:
                note(left.pop(m.number), "stillborn")
        chunk = [m for m in chunk if m.number in good]
        differ |= good - config.same(chunk)
        self.kill(config, [m for m in chunk if m.number in differ], self.source,
                  left)
        for m in chunk:  # so far; else a first look is all
            if m.number in differ and m.number in left:
                m.run.results.add(m.name, "" if self.options.seconds else
                                  m.run.inputs("living", ""), "living", "")

    def kill(self, config, mutants, names, left):
        for m, by in config.killers(mutants, names, self.longest()) \
                if mutants else []:
            if by:
                note(left.pop(m.number),
                     "tests" if by in self.tests else "corpora", by)

    def second(self, left):
        """Tries the survivors with sanitizers and by fuzzing."""
        fuzzed = []
        config = self.enter("sanitized") if left and self.options.seconds else None
        if config:
            self.kill(config, list(left.values()), self.tests, left)
            fuzzed = [m for m in left.values() if m.run.is_new(m)]
        share = self.options.seconds // max(1, len(self.fuzzers))
        if fuzzed and share:
            config.schema(fuzzed, self.fuzzers)
        for m in fuzzed if share else []:
            by = next((f for f in self.fuzzers
                       if config.fuzz(m.number, f, share)), None)
            if by:
                note(left.pop(m.number), "fuzzing", by)
        if config:
            config.leave()
        for m in left.values():
            note(m, "living")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--living", action="store_true")
    parser.add_argument("--against", metavar="FILE")
    parser.add_argument("headers", nargs="*")
    options = parser.parse_args()
    os.environ.update(ASAN_OPTIONS="detect_leaks=0:symbolize=0",
                      UBSAN_OPTIONS="symbolize=0")
    family = Family()
    for header in options.headers:
        if header not in family.headers:
            stop(f"no header {header}")
    if options.against and not os.path.exists(options.against):
        stop(f"no file {options.against}")
    before = survivors(options.against) if options.against else set()
    os.makedirs(OUT + "/object", exist_ok=True)
    runs, good = [Run(h, family, before, options)
                  for h in options.headers or family.headers], True
    for _, unit in itertools.groupby(runs, key=lambda r: r.owner):
        unit = list(unit)
        Trial(unit).judge()
        good = all([r.report() for r in unit]) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
