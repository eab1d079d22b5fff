#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: long_run.py [--nodes 64] [--cpus 4] [--jobs 500] [--seed 1]

Schedules a Slurm cluster of that size on this machine by policy conservative,
for longer than the tests do. Jobs of random sizes arrive for two minutes; some
use their whole time limit of a minute; the daemon is killed once. Prints how
many jobs started after their first promise, and how long Slurm took to start.
"""

import argparse
import random
import statistics
import sys
import time

sys.dont_write_bytecode = True
import cluster  # noqa: E402

MARGIN, SLACK, ARRIVALS = 50, 5, 120


def submit_all(c, d, args):
    rng = random.Random(args.seed)
    begin, killed = time.time(), False
    for i in range(args.jobs):
        time.sleep(max(0, begin + i * ARRIVALS / args.jobs - time.time()))
        procs = 2 ** rng.randrange(0, 7)
        long = rng.randrange(4) == 0 and procs <= 8
        c.run("sbatch", "-n", str(procs), "-t", str(rng.randrange(1, 4) if
                                                    not long else 1),
              "-o", "/dev/null", "--wrap",
              "exec sleep %d" % (300 if long else rng.randrange(1, 20)),
              cwd="/")
        if i > args.jobs // 2 and not killed:
            killed = True
            d.stop()
            d.start()


def report(c, d, args):
    first = d.first_promises()
    begun = c.starts(set(first))
    late = sorted(begun[j] - first[j] for j in begun)
    took = sorted(d.latencies())
    print(f"{len(begun)} of {args.jobs} jobs started, "
          f"{sum(x > SLACK for x in late)} more than {SLACK} s after the first "
          f"promise, the latest by {late[-1]:.1f} s")
    print(f"release to start: {statistics.median(took):.2f} s in the median, "
          f"{took[-1]:.2f} s at most")
    print(d.ask("status").split("\njob ")[0])
    return len(begun) == args.jobs and late[-1] <= SLACK


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    for name, value in (("nodes", 64), ("cpus", 4), ("jobs", 500), ("seed", 1)):
        parser.add_argument("--" + name, type=int, default=value)
    args = parser.parse_args()
    if cluster.missing():
        sys.exit("missing: " + " ".join(cluster.missing()))
    with cluster.Cluster(args.nodes, args.cpus) as c:
        d = cluster.Daemon(c, "long", "policy = conservative\n", MARGIN)
        submit_all(c, d, args)
        while c.run("squeue", "-h", "-a", "-o", "%i"):
            time.sleep(2)
        time.sleep(2)
        good = report(c, d, args)
        d.stop("terminate")
    sys.exit(not good)


main()
