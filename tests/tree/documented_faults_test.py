#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Each error that a header documents is provoked, and each that is provoked is
documented: kernel-doc against the calls in tests/*/*faults_test.c, such as
FAILS(fair_sched_cancel(s, 4, 3), ETIME, "the clock goes back")."""
import glob
import re
import sys

HEADERS = sorted(glob.glob("*.h") + glob.glob("policies/*.h") +
                 ["sched/answers.h", "sched/on_nodes.h", "sched/host.h",
                  "sched/on_limits.h", "sched/on_tree.h"])
# What can be wrong with a checkpoint is a damage, no error.
WITHOUT_ERRORS = {"checkpoint.h"}
CALL = re.compile(r"\b(FAULT|FAILS|CONVERT|LOAD)\((?:&?w,\s+)?(\w+)[^;]*?,\s+"
                  r"(E[A-Z]+),\s+\"")
CALLS = {"CONVERT": "fair_sched_convert", "LOAD": "fair_sched_load"}
DOC = re.compile(r"/\*\*\s(((?!\*/).)*)\*/\s*FAIR\w*API\b([^;]*);", re.DOTALL)


def documented():
    """By header and function, its errors; "as fair_x()" are those of that."""
    errors, others, header = {}, {}, {}
    for file in HEADERS:
        with open(file, encoding="utf-8") as f:
            docs = DOC.findall(f.read())
        for doc, _, declaration in docs:
            name = re.search(r"\b(fair_\w+)\(", declaration)[1]
            doc = re.sub(r"\s*\n \*\s*", " ", doc)
            header[name] = file
            errors[name] = set(re.findall(r"-(FAIR_E[A-Z]+)", doc))
            others[name] = re.findall(r"\b[aA]s (fair_\w+)\(\)",
                                      doc.partition("Return:")[2])
    for name, same in others.items():
        for other in same:
            errors[name] |= errors[other]
    return {(header[name], name, error)
            for name in errors for error in errors[name]}, header


def provoked(header):
    cases = set()
    for test in glob.glob("tests/*/*faults_test.c"):
        with open(test, encoding="utf-8") as f:
            for macro, name, error in CALL.findall(f.read()):
                name = CALLS.get(macro, name)
                cases.add((header[name], name, "FAIR_" + error))
    return cases


def main():
    want, header = documented()
    got = provoked(header)
    for file, name, error in sorted(want ^ got):
        what = "documented" if (file, name, error) in got else "provoked"
        print(f"{file}: {name}: -{error} is not {what}")
    for file in HEADERS:
        cases = {case for case in want if case[0] == file}
        good = bool(cases) == (file not in WITHOUT_ERRORS) and \
            cases == {case for case in got if case[0] == file}
        print("ok" if good else "not ok", f"{file}: {len(cases)} errors")
    sys.exit(want != got or
             {case[0] for case in want} != set(HEADERS) - WITHOUT_ERRORS)


main()
