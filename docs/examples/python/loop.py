#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: loop.py LIBRARY

The loop of ../loop.c in Python; LIBRARY is ../foreign.c as a shared object.
"""
import ctypes
import heapq
import sys

FOREVER = 2**63 - 1
CONSERVATIVE = 2
ENDS, ARRIVES = 0, 1

lib = ctypes.CDLL(sys.argv[1])
for result, name, arguments in [
    (ctypes.c_size_t, "foreign_words", [ctypes.c_uint32, ctypes.c_int32,
                                        ctypes.c_uint32]),
    (ctypes.c_void_p, "foreign_open", [ctypes.c_void_p, ctypes.c_uint32,
                                       ctypes.c_int32, ctypes.c_uint32]),
    (ctypes.c_int, "foreign_submit", [ctypes.c_void_p, ctypes.c_int64,
                                      ctypes.c_uint64, ctypes.c_int64,
                                      ctypes.c_int32]),
    (ctypes.c_int64, "foreign_start", [ctypes.c_void_p, ctypes.c_int64]),
    (ctypes.c_int, "fair_sched_finish", [ctypes.c_void_p, ctypes.c_int64,
                                         ctypes.c_uint64]),
    (ctypes.c_int64, "fair_sched_next", [ctypes.c_void_p]),
    (ctypes.c_uint64, "fair_sched_digest", [ctypes.c_void_p]),
    (ctypes.c_char_p, "fair_strerror", [ctypes.c_int]),
]:
    function = getattr(lib, name)
    function.restype, function.argtypes = result, arguments


def check(error):
    if error:
        sys.exit(lib.fair_strerror(error).decode())


def main():
    walltime, run, procs = [100, 50, 30, 200], [60, 50, 30, 90], [5, 6, 3, 2]
    memory = (ctypes.c_uint64 * lib.foreign_words(CONSERVATIVE, 8, 4))()
    sched = lib.foreign_open(memory, CONSERVATIVE, 8, 4)
    events = [(0, ARRIVES, 0), (10, ARRIVES, 1), (20, ARRIVES, 2),
              (30, ARRIVES, 3)]
    now = 0
    while now != FOREVER:
        while events and events[0][0] == now:
            _, what, job = heapq.heappop(events)
            if what == ENDS:
                check(lib.fair_sched_finish(sched, now, job + 1))
            else:
                check(lib.foreign_submit(sched, now, job + 1, walltime[job],
                                         procs[job]))
        while (number := lib.foreign_start(sched, now)) > 0:
            print(f"{now:3} job {number}")
            heapq.heappush(events, (now + run[number - 1], ENDS, number - 1))
        now = min([lib.fair_sched_next(sched)] + [e[0] for e in events])
    print(f"digest {lib.fair_sched_digest(sched):016x}")


main()
