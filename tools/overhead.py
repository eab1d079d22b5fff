#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: python3 tools/overhead.py [TRACE [PROCS]]

What a binding costs: simulates a trace under conservative backfilling by the command
and by each package, and prints the processor seconds of each beside those of the
command and of the C function that all of them call, in the same run. KTH by default.
All must have one digest. What is built goes to build/overhead. A package whose tools
are not here is left out, and said on standard error.
"""
import os
import pathlib
import resource
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[1]
OUT = TOP / "build/overhead"
ROUNDS = 3
SHARED = pathlib.Path(os.environ.get("FAIRSCHED_SHARED", TOP.parent / "shared"))


def run(*command, cwd=TOP, **environment):
    return subprocess.run(
        list(map(str, command)), cwd=cwd, check=True, text=True,
        stdout=subprocess.PIPE, env={**os.environ, **environment}).stdout


def build_c():
    run("cc", "-O2", "-std=c99", "-I.", "-Ipackages", "-w",
        "tests/packages/simulate.c", "-o", OUT / "c")
    return [OUT / "c"]


def build_python():
    python = OUT / "python/bin/python"
    if not python.exists():
        run(sys.executable, "-m", "venv", OUT / "python")
    run(python, "-m", "pip", "install", "-q", "--prefer-binary",
        f"{TOP}/packages/python[pandas]")
    return [python, TOP / "tests/packages/simulate.py"]


def build_rust():
    run("cargo", "build", "--quiet", "--release", "--locked", "--example",
        "simulate", cwd=TOP / "packages/rust", CARGO_TARGET_DIR=str(OUT / "rust"))
    return [OUT / "rust/release/examples/simulate"]


def build_go(cgo):
    run("sh", "tools/pack.sh", "go", OUT / "go")
    program = OUT / f"go-cgo-{cgo}"
    run("go", "build", "-buildvcs=false", "-o", program, "./simulate",
        cwd=OUT / "go", CGO_ENABLED=cgo)
    return [program]


def build_npm():
    package = OUT / "node/node_modules/fairsched"
    package.parent.mkdir(parents=True, exist_ok=True)
    run("sh", "tools/pack.sh", "npm", package)
    program = OUT / "node/simulate.mjs"
    program.write_bytes((TOP / "packages/npm/test/simulate.mjs").read_bytes())
    return ["node", program]


PACKAGES = {
    "C": build_c,
    "Python, DataFrame in and out": build_python,
    "Rust": build_rust,
    "Go by cgo": lambda: build_go("1"),
    "Go by WebAssembly (wazero)": lambda: build_go("0"),
    "JavaScript in Node": build_npm,
}


def command_seconds(command):
    """The whole process: reading the trace and the summary, too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = run(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    digest = text.split("\ndigest", 1)[1].split()[0]
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
            digest)


def package_seconds(command):
    """Of the call alone."""
    said = dict(line.split() for line in run(*command).splitlines())
    return float(said["seconds"]), said["digest"]


def main():
    trace = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                         SHARED / "traces/KTH-SP2-1996-2.swf.gz").resolve()
    procs = sys.argv[2] if len(sys.argv) > 2 else "100"
    if not trace.exists():
        sys.exit(f"overhead.py: there is no '{trace}'")
    OUT.mkdir(parents=True, exist_ok=True)
    run("sh", "tools/build.sh")
    jobs = OUT / "jobs.csv"
    command = ["build/fairsched", "simulate", trace, "--policy", "conservative",
               "--procs", procs]
    run(*command, "--jobs-out", jobs)
    programs = {}
    for name, build in PACKAGES.items():
        try:
            programs[name] = [*build(), jobs, procs]
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"overhead.py: without {name}: {error}", file=sys.stderr)
    best = {}
    digests = set()
    for _ in range(ROUNDS):
        for name, seconds in [("the command", command_seconds(command))] + [
                (name, package_seconds(p)) for name, p in programs.items()]:
            best[name] = min(seconds[0], best.get(name, 1e9))
            digests.add(seconds[1])
    if len(digests) != 1:
        sys.exit(f"overhead.py: {len(digests)} digests: {digests}")
    with open(jobs, encoding="ascii") as f:
        print(f"{trace.name}, {sum(1 for _ in f) - 1} jobs, digest", *digests)
    print("\n| | ms | of the command | of C |\n|---|---|---|---|")
    for name, seconds in best.items():
        print(f"| {name} | {seconds * 1e3:.0f} | "
              f"{seconds / best['the command']:.2f} | {seconds / best['C']:.2f} |")


main()
