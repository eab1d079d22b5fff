#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Each line of tests/golden/wrong_inputs.tsv is a command, what a file of it holds, and
the message: it names the file, the line, the field and the next step. $F is the file;
| between the lines of it is written as \\n, a tab as \\t.

usage: wrong_inputs_test.py [--write]   (writes the messages as they are)
"""

import os
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(next(
    p for p in ("tools/fairsched/fairsched", "build/fairsched")
    if os.access(p, os.X_OK)))
TABLE = "tests/golden/wrong_inputs.tsv"
SWF = "; MaxProcs: 4\n1 0 0 9 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1\n"
failed = 0


def message(folder, name, command, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text.replace("\\n", "\n").replace("\\t", "\t"))
    done = subprocess.run([PROGRAM, *command.replace("$F", name).split()],
                          cwd=folder, capture_output=True, text=True)
    return done.returncode, " / ".join(done.stderr.splitlines())


rows = [line.rstrip("\n").split("\t") for line in open(TABLE, encoding="utf-8")
        if line[0] != "#"]
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "t.swf"), "w", encoding="utf-8") as f:
        f.write(SWF)
    got = [[*row[:3], message(folder, *row[:3])] for row in rows]
if sys.argv[1:] == ["--write"]:
    head = [line for line in open(TABLE, encoding="utf-8") if line[0] == "#"]
    with open(TABLE, "w", encoding="utf-8") as f:
        f.write("".join(head) + "".join(
            "\t".join([*row[:3], row[3][1]]) + "\n" for row in got))
    raise SystemExit
for number, (row, new) in enumerate(zip(rows, got)):
    status, said = new[3]
    good = status == 2 and said == row[3]
    failed += not good
    print("ok" if good else "not ok", "wrong input %d: %s" % (
        number + 1, row[3][:60]), "" if good else (status, said))
print("ok" if len(rows) >= 60 else "not ok", "60 of them")
raise SystemExit(failed > 0 or len(rows) < 60)
