#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: count.py EVENTS STATUS

Counts test cases from EVENTS, the --build_event_json_file of a bazel test that
ended with exit status STATUS. Prints "PASSED FAILED SKIPPED" on stdout, and on
stderr the cases that did not pass.

A test prints a line for each case: "ok NAME", "not ok NAME" or "skip NAME:
reason"; a test without such lines is a single case. A test that was not built,
did not end or failed without naming a case adds a failed case, and so does Bazel
if it fails and no case did.
"""
import json
import re
import sys
import urllib.parse


def read(events):
    """Returns the labels of all tests, and by label status and logs."""
    tests, results = set(), {}
    for line in events:
        event = json.loads(line)
        configured = event["id"].get("targetConfigured")
        summary = event["id"].get("testSummary")
        if configured and "testSize" in event.get("configured", {}):
            tests.add(configured["label"])
        if summary and "testSummary" in event:
            found = event["testSummary"]
            logs = found.get("passed", []) + found.get("failed", [])
            results[summary["label"]] = (
                found["overallStatus"],
                [urllib.parse.urlparse(log["uri"]).path for log in logs],
            )
    return tests | results.keys(), results


def cases(logs):
    lines = []
    for log in logs:
        with open(log, errors="replace") as f:
            lines += [l for l in map(str.rstrip, f)
                      if re.match("(ok|not ok|skip) ", l)]
    return lines


def count(tests, results):
    passed = failed = skipped = 0
    for label in sorted(tests):
        status, logs = results.get(label, ("NOT RUN", []))
        lines = cases(logs)
        bad = [l for l in lines if l.startswith("not ok ")]
        skips = [l for l in lines if l.startswith("skip ")]
        good = len(lines) - len(bad) - len(skips)
        if status == "PASSED" and logs:
            good += not lines
        elif not bad:
            bad = [status]
        for line in bad + skips:
            print(label + ": " + line, file=sys.stderr)
        passed, failed = passed + good, failed + len(bad)
        skipped += len(skips)
    return passed, failed, skipped


def main():
    with open(sys.argv[1]) as events:
        passed, failed, skipped = count(*read(events))
    if not failed and (sys.argv[2] != "0" or not passed + skipped):
        print("bazel: exit status " + sys.argv[2], file=sys.stderr)
        failed = 1
    print(passed, failed, skipped)


main()
