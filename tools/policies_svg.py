#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: python3 tools/policies_svg.py >docs/policies.svg

The same twelve jobs on eight processors under each policy, as the command
simulates them: time goes right, processors go up, a box is a job. Finds the command
as fairsched, or build/fairsched.
"""
import csv
import io
import os
import subprocess
import sys

PROGRAM = "build/fairsched" if os.access("build/fairsched", os.X_OK) else "fairsched"
PROCS = 8
JOBS = [  # submit, run, processors, walltime
    (0, 50, 2, 50), (10, 20, 4, 80), (20, 80, 5, 80), (30, 80, 4, 120),
    (40, 30, 2, 30), (40, 50, 4, 110), (40, 40, 6, 40), (40, 50, 4, 50),
    (50, 60, 8, 60), (60, 30, 1, 30), (70, 30, 2, 70), (70, 80, 2, 100),
]
POLICIES = [
    ("fcfs", "strictly in order"),
    ("easy", "others may go first if the first one is not delayed"),
    ("depth --depth 2", "nor the second one"),
    ("conservative", "nobody starts later than promised"),
    ("pc", "the same, and all move up in order"),
    ("dc", "the same, but holes are offered first"),
]
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]
SECOND, ROW = 1.15, 13  # pixels
WIDE, HIGH = 500, 162  # of a panel


def trace():
    return f"; MaxProcs: {PROCS}\n" + "".join(
        f"{i} {submit} -1 {run} {procs} -1 -1 {procs} {walltime} -1 1 1 1 -1 -1 -1 "
        "-1 -1\n" for i, (submit, run, procs, walltime) in enumerate(JOBS, 1))


def schedule(policy):
    done = subprocess.run([PROGRAM, "simulate", "-", "--policy", *policy.split(),
                           "--jobs-out", "-"], input=trace(), text=True,
                          capture_output=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def ranges(text):
    for part in text.split():
        first, _, last = part.partition("-")
        yield int(first), int(last or first)


def panel(x, y, policy, says):
    jobs = schedule(policy)
    waits = [int(j["waiting_time"]) for j in jobs]
    print(f'<g transform="translate({x} {y})">\n<text y="12"><tspan '
          f'font-weight="bold">{policy.replace(" --depth", "")}</tspan>: {says}'
          f'</text>\n<text y="27" fill="#595959">mean wait '
          f'{sum(waits) / len(waits):.0f} s, longest {max(waits)} s</text>')
    print(f'<rect y="34" width="{WIDE - 20}" height="{PROCS * ROW}" '
          'fill="#eef1f4"/>')
    for j in jobs:
        number = int(j["job_id"])
        colour = COLOURS[number % len(COLOURS)]
        for first, last in ranges(j["allocated_resources"]):
            top = 34 + ROW * (PROCS - 1 - last)
            left = SECOND * int(j["starting_time"])
            wide = SECOND * int(j["execution_time"])
            high = ROW * (last - first + 1)
            print(f'<rect x="{left:.1f}" y="{top}" width="{wide - 1:.1f}" '
                  f'height="{high - 1}" fill="{colour}"/><text x="{left + wide / 2:.1f}"'
                  f' y="{top + high / 2 + 4:.1f}" text-anchor="middle" fill="#fff">'
                  f'{number}</text>')
    print("</g>")


def main():
    rows = (len(POLICIES) + 1) // 2
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDE} '
          f'{rows * HIGH}" font-family="sans-serif" font-size="12">\n<title>Twelve '
          f'jobs under each policy</title>\n<rect width="{2 * WIDE}" '
          f'height="{rows * HIGH}" fill="#fff"/>')
    for i, (policy, says) in enumerate(POLICIES):
        panel(10 + i % 2 * WIDE, 8 + i // 2 * HIGH, policy, says)
    print("</svg>")
    return 0


sys.exit(main())
