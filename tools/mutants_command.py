#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: mutants_command.py [--sample N] [--longest S] [--again FILE] [--sanitize]
                          [SOURCE ...]

Tries the mutants of tools/mutate.py of sources of the command, by default all of
trace and sim, on its tests, and prints the survivors as tools/mutants.py does.

The command, and each C test that includes a part of it, is linked with all mutants
of a source; FAIR_MUTANT selects one. A mutant for which gcc -O3 writes the same code
is none. A test runs if it reaches the line of the mutant and takes at most S seconds
of processor time (2); the quickest runs first, but before that what killed the last
mutant. A test that fails, or takes four times as long, kills.
--sample N tries N mutants of each source, always the same ones; --again FILE only
those that survived in FILE, an earlier output. --sanitize compiles all of it with
the address and undefined behaviour sanitizers, which see what is read or written
outside of an array, or never freed.
"""
import argparse
import collections
import glob
import os
import re
import resource
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import mutants  # noqa: E402
import mutate  # noqa: E402

OUT = os.path.abspath("build/mutants/command")
TREE = OUT + "/tree"
FLAGS = ["gcc", "-O1", "-std=c99", "-D_POSIX_C_SOURCE=200809L", "-DTEST_LIGHT",
         "-I.", "-Werror=int-conversion", "-Werror=incompatible-pointer-types"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
SELECT = """#include <stdlib.h>
int fair_mutant;
__attribute__((constructor(101))) static void select_mutant(void)
{
	fair_mutant = getenv("FAIR_MUTANT") ? atoi(getenv("FAIR_MUTANT")) : 0;
}
"""
# These build other programs, or are not about traces.
OTHERS = re.compile(r"alone|asserts|bench|build_|check_script|count|docs_|"
                    r"documented|harness|install|mutants|portab|record|report_"
                    r"page|reproduce|rooms|shared_|shim|single|slurm")


def compiled(source, output, *flags):
    """Returns what gcc says of a source that does not compile."""
    return subprocess.run([*FLAGS, *flags, "-c", source, "-o", output],
                          stdin=subprocess.DEVNULL, text=True,
                          capture_output=True).stderr


def is_newer(path, others):
    return os.path.exists(path) and \
        os.path.getmtime(path) > max(map(os.path.getmtime, others))


class Tests:
    """The tests of the command, which run in a tree beside this one."""

    def __init__(self, longest, sanitize):
        self.longest, self.objects = longest, {}
        self.sanitize = SANITIZE if sanitize else []
        shutil.rmtree(TREE, ignore_errors=True)
        os.makedirs(TREE + "/build")
        for name in glob.glob("*"):
            if name != "build":
                os.symlink(os.path.abspath(name), f"{TREE}/{name}")
        with open(OUT + "/select.c", "w") as f:
            f.write(SELECT)
        with open(OUT + "/page_assets.c", "w") as f:
            subprocess.run(["sh", "tools/fairsched/report/assets/embed.sh"],
                           stdout=f, check=True)
        headers = glob.glob("**/*.h", recursive=True)
        self.c = [t for t in glob.glob("tests/*/*_test.c")
                  if '"tools/fairsched/' in mutants.read(t)]
        for s in [OUT + "/select.c", OUT + "/page_assets.c", *self.c,
                  *glob.glob("tests/model/*.c"),
                  *glob.glob("tools/fairsched/*/*.c")]:
            self.objects[s] = f"{OUT}/{os.path.relpath(s).replace('/', '_')}"\
                f"{'.san' * sanitize}.o"
            if not is_newer(self.objects[s], [s, *headers]):
                compiled(s, self.objects[s], *self.sanitize)
        scripts = [t for t in glob.glob("tests/*/*_test.sh") +
                   glob.glob("tests/*/*_test.py") if not OTHERS.search(t)]
        self.command = {t: ["sh" if t.endswith("sh") else "python3", t]
                        for t in scripts}
        self.command.update((t, ["build/" + os.path.basename(t)[:-2]])
                            for t in self.c)
        self.seconds = dict.fromkeys(self.command, longest)

    def link(self, units, *flags):
        """The programs with @units, by their sources, in the place of those."""
        objects = {**self.objects, **units}
        library = OUT + "/parts.a"
        if os.path.exists(library):
            os.remove(library)
        main = "tools/fairsched/cli/main.c"
        subprocess.run(["ar", "rcs", library, *(
            o for s, o in objects.items() if s != main and s not in self.c)],
            check=True)
        for s in [main, *(t for t in self.c if t in self.command)]:
            program = "fairsched" if s == main else os.path.basename(s)[:-2]
            subprocess.run(["gcc", *flags, *self.sanitize, objects[s], library,
                            "-lpthread", "-lm", "-o",
                            f"{TREE}/build/{program}"], check=True)

    def run(self, test, number):
        """Whether the mutant survives the test."""
        def limit():
            seconds = int(2 + 4 * self.seconds[test])
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            if not self.sanitize:
                resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        try:
            done = subprocess.run(
                self.command[test], cwd=TREE, timeout=600, preexec_fn=limit,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "FAIR_MUTANT": str(number),
                     "TEST_LIGHT": "1",
                     "FAIRSCHED_SHARED": TREE + "/nothing"})
        except subprocess.TimeoutExpired:
            return False
        return not done.returncode and b"\nnot ok" not in b"\n" + done.stdout

    def reach(self, sources):
        """The tests that come to each line of each source; it drops those that
        fail or take too long without a mutant."""
        unit = {s: f"{OUT}/reach_{os.path.basename(s)[:-2]}.o" for s in sources}
        reached = {s: collections.defaultdict(list) for s in sources}
        for s, o in unit.items():
            compiled(s, o, "-O0", "--coverage")
        self.link({})
        for t in list(self.command):
            before = os.times()
            good = self.run(t, 0)
            self.seconds[t] = sum(os.times()[2:4]) - sum(before[2:4])
            if not good or self.seconds[t] > self.longest:
                print(f"# without {t}: {self.seconds[t]:.1f} s"
                      f"{'' if good else ', fails'}",
                      file=sys.stderr, flush=True)
                del self.command[t]
        self.link(unit, "--coverage")
        for t in self.command:
            for o in glob.glob(OUT + "/*.gcda"):
                os.remove(o)
            self.run(t, 0)
            for s, o in unit.items():
                done = subprocess.run(
                    ["gcov", "--json-format", "--stdout", o[:-2] + ".gcda"],
                    capture_output=True)
                for said in done.stdout.splitlines():
                    for file in mutants.json.loads(said)["files"]:
                        for line in file["lines"]:
                            if line["count"] and file["file"] == s:
                                reached[s][line["line_number"]].append(t)
        return reached


def schema(source, text, chosen, *flags, **more):
    """Returns the mutants that compile, in @OUT/mutated.c."""
    path = OUT + "/mutated.c"
    while True:
        made = mutate.Schema(text, chosen, **more)
        # A function with "..." cannot pass them on to its copies.
        dots = {int(n) for n in re.findall(r"case (\d+):.*\.\.\.\)", made.text)}
        if dots:
            chosen = [m for m in chosen if m.number not in dots]
            continue
        with open(path, "w") as f:
            f.write(made.text)
        wrong = compiled(path, OUT + "/mutated.o", "-iquote",
                         os.path.dirname(source), *flags)
        lines = [int(n) for n in re.findall(r"mutated\.c:(\d+):\d+: error",
                                            wrong)]
        bad = {n for first, last, n in made.lines
               if any(first <= line <= last for line in lines)}
        if not lines:
            return made, chosen
        # A table whose type has no name has no copies, and spoils what follows.
        tables = {m.number for m in chosen if not m.is_code}
        bad = bad & tables or bad or tables
        if not bad:
            mutants.stop(f"{source} does not compile: {wrong[:2000]}")
        chosen = [m for m in chosen if m.number not in bad]


def try_all(source, tests, reached, sample, again):
    text, function = mutants.read(source), None
    found = mutate.mutants(text)
    chosen = sorted(found, key=lambda m: mutants.digest(source, m.name))
    chosen = sorted((m for m in chosen[:sample]
                     if not again or (source, m.name) in again),
                    key=lambda m: m.number)
    made, good = schema(source, text, chosen, *mutants.COMPARED, compared=True)
    code = mutants.assembly(mutants.read(OUT + "/mutated.o"))
    same = {n for n, name in made.function.items()
            if code.get(f"{name}__{n}", n) == code.get(f"{name}__0")}
    good = [m for m in good if m.number not in same]
    made, good = schema(source, text, good, *tests.sanitize)
    tests.link({source: OUT + "/mutated.o"})
    last, survive, unseen = {}, 0, 0
    for m in good:
        name = made.function.get(m.number)
        if not name:
            continue
        order = [t for t in tests.command if not m.is_code] or \
            reached.get(m.line) or [
                t for t in tests.command if t in reached.get(m.line - 1, []) +
                reached.get(m.line + 1, [])]
        order = sorted(order, key=lambda t: (t != last.get(name),
                                             tests.seconds[t]))
        killer = next((t for t in order if not tests.run(t, m.number)), None)
        if killer:
            last[name] = killer
            continue
        survive += 1
        where, what = m.name.split(": ", 1)
        if where != function:
            print(f"{source}: {where}")
        function = where
        print(f"\t{what}", flush=True)
        unseen += not order
    print(f"# {source}: {len(chosen)} of {len(found)} mutants: {len(same)} are "
          f"the same program; {len(good) - survive} killed, {survive} survive, "
          f"{unseen} of them where no test comes", flush=True)
    return survive


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--again", metavar="FILE")
    parser.add_argument("--longest", type=float, default=2)
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("sources", nargs="*")
    options = parser.parse_args()
    sources = options.sources or sorted(
        glob.glob("tools/fairsched/trace/*.c") +
        glob.glob("tools/fairsched/sim/*.c"))
    tests = Tests(options.longest, options.sanitize)
    reached = tests.reach(sources)
    again = mutants.survivors(options.again) if options.again else None
    survive = [try_all(s, tests, reached[s], options.sample, again)
               for s in sources]
    sys.exit(any(survive))


if __name__ == "__main__":
    main()
