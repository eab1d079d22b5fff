# SPDX-License-Identifier: MIT OR Unlicense
"""usage: simulate.py JOBS.csv PROCS: the digest of conservative backfilling, and the
processor seconds of the fastest of seven runs, DataFrame in and out. JOBS.csv is
what `fairsched simulate --jobs-out` writes."""
import sys
import time

import pandas

import fairsched

rows = pandas.read_csv(sys.argv[1])
jobs = rows.rename(columns={
    "submission_time": "submit", "execution_time": "run",
    "requested_time": "walltime", "requested_number_of_resources": "procs"}
)[["submit", "run", "walltime", "procs"]]
best = float("inf")
for _ in range(7):
    begin = time.process_time()
    result = fairsched.simulate(jobs, "conservative", int(sys.argv[2]))
    best = min(best, time.process_time() - begin)
    assert list(result.start) == list(rows.starting_time)
    print("digest", result.attrs["digest"])
print("seconds", best)
