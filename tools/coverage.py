#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: coverage.py FILE...

Adds up the output of "llvm-cov export" for each program. Prints every outcome of
a condition in a header that no program saw and every function that no program
called, then a line for each header. The exit status is 1 if there was one.

Programs compile a header with their own macros: the tool counts a place in the
header, in whichever function or program it occurs.
"""
import collections
import json
import os
import sys

CODE, EXPANSION = 0, 1  # kinds of regions


class Place:
    """How often a condition was true, false, and reached."""

    def __init__(self):
        self.true = self.false = self.reached = 0


def reached(regions, line, column):
    """Returns how often the innermost region around a place was reached."""
    best, count = None, 0
    for region in regions:
        begin, end = tuple(region[:2]), tuple(region[2:4])
        if begin <= (line, column) < end and (not best or begin >= best):
            best, count = begin, region[4]
    return count


def sites(function):
    """Maps the number of a file to the place where it is expanded."""
    at = {}
    for line, column, _, _, _, file, expanded, kind in function["regions"]:
        if kind == EXPANSION:
            at[expanded] = file, line, column
    return at


def add(function, branches, calls):
    files = [os.path.relpath(name) for name in function["filenames"]]
    if not files[0].endswith(".h") or files[0].startswith(
            ("fuzz", "tests", "tools")):
        return
    expansions = sites(function)
    code = [r for r in function["regions"] if r[5] == 0 and r[7] == CODE]
    name = function["name"].rpartition(":")[2]
    calls[files[0]][code[0][0], name] += function["count"]
    for line, column, _, _, true, false, file, *_ in function["branches"]:
        # A condition in a macro counts where the macro is used.
        while file in expansions:
            file, line, column = expansions[file]
        place = branches[files[0]][line, column]
        place.true += true
        place.false += false
        place.reached += reached(code, line, column)


def main():
    branches = collections.defaultdict(
        lambda: collections.defaultdict(Place))
    calls = collections.defaultdict(collections.Counter)
    for name in sys.argv[1:]:
        with open(name) as f:
            for function in json.load(f)["data"][0]["functions"]:
                add(function, branches, calls)
    missed, table = [], []
    for file in sorted(calls):
        taken = outcomes = 0
        for (line, name), count in sorted(calls[file].items()):
            if not count:
                missed.append(f"{file}:{line}: {name} is not called")
        for (line, column), place in sorted(branches[file].items()):
            # No branch: the compiler knows the outcome.
            if place.reached and not place.true + place.false:
                continue
            for what, count in ("true", place.true), ("false", place.false):
                outcomes += 1
                taken += count > 0
                if not count:
                    missed.append(f"{file}:{line}:{column}: never {what}")
        called = sum(count > 0 for count in calls[file].values())
        table.append(f"{file} {taken} of {outcomes} branches, "
                     f"{called} of {len(calls[file])} functions")
    print("\n".join(missed + table))
    sys.exit(bool(missed))


main()
