#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Each error that a header documents is provoked, and each that is provoked is
documented: kernel-doc against the first strings of tests/*faults_test.c, such as
"fair_sched_submit: -FAIR_EINVAL the clock goes back"."""
import glob
import re
import sys

HEADERS = ["fairsched.h"]
DOC = re.compile(r"/\*\*\s(((?!\*/).)*)\*/\s*FAIR\w*API\b([^;]*);", re.DOTALL)


def documented(header):
    """By function, its errors; "as fair_x()" are those of that."""
    errors, others = {}, {}
    with open(header, encoding="utf-8") as f:
        for doc, _, declaration in DOC.findall(f.read()):
            name = re.search(r"\b(fair_\w+)\(", declaration)[1]
            doc = re.sub(r"\s*\n \*\s*", " ", doc)
            errors[name] = set(re.findall(r"-(FAIR_E[A-Z]+)", doc))
            others[name] = re.findall(r"\b[aA]s (fair_\w+)\(\)", doc)
    for name, same in others.items():
        for other in same:
            errors[name] |= errors.get(other, set())
    return {(name, error) for name in errors for error in errors[name]}


def provoked(names):
    cases = set()
    for test in glob.glob("tests/*faults_test.c"):
        with open(test, encoding="utf-8") as f:
            cases |= set(re.findall(r'"(fair_\w+): -(FAIR_E[A-Z]+) ',
                                    f.read()))
    return {case for case in cases if case[0] in names}


def main():
    wrong = 0
    for header in HEADERS:
        want = documented(header)
        got = provoked({name for name, _ in want})
        bad = [(case, "provoked") for case in want - got]
        bad += [(case, "documented") for case in got - want]
        for (name, error), what in sorted(bad):
            print(f"{header}: {name}: -{error} is not {what}")
        print("not ok" if bad or not want else "ok",
              f"{header}: {len(want)} errors")
        wrong += len(bad) + (not want)
    sys.exit(wrong > 0)


main()
