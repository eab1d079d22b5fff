# SPDX-License-Identifier: MIT OR Unlicense
"""The availability profile: when are n processors free for d seconds?"""
from __future__ import annotations

from typing import NamedTuple, Optional

from ._library import (Closable, allocate, check, ffi, guarded, invalid, lib,
                       time)


class Step(NamedTuple):
    """`free` processors throughout [start, end); end None: for ever."""

    start: int
    end: Optional[int]
    free: int


class Profile(Closable):
    """Free processors over time. `steps` is how many steps there is room for:
    n reservations need 2 n + 1."""

    @guarded
    def __init__(self, procs: int, *, steps: int = 2001, origin: int = 0):
        size = lib.fair_profile_size(steps)
        if not size:
            raise invalid(f"steps is too large: {steps}")
        memory, state = allocate(size), ffi.new("struct fair_profile *")
        check(lib.fair_profile_init(state, ffi.sizeof("struct fair_profile"),
                                    memory, size, procs, origin))
        self._memory, self._state = memory, state

    def __enter__(self) -> Profile:
        return self

    @guarded
    def earliest_start(self, procs: int, walltime: int,
                       not_before: int = 0) -> int:
        """The first time from which so many are free for so long."""
        start = ffi.new("int64_t *")
        check(lib.fair_profile_earliest_start(self._it, not_before, walltime,
                                              procs, start))
        lib.fair_profile_settle(self._it)
        return int(start[0])

    @guarded
    def reserve(self, start: int, walltime: int, procs: int) -> None:
        """Takes processors out of an interval."""
        check(lib.fair_profile_reserve(self._it, start, walltime, procs))

    @guarded
    def release(self, start: int, walltime: int, procs: int) -> None:
        """Gives processors back, or part of their time."""
        check(lib.fair_profile_release(self._it, start, walltime, procs))

    @guarded
    def free(self, start: int, end: int) -> int:
        """Processors that are free throughout [start, end)."""
        free = ffi.new("int32_t *")
        check(lib.fair_profile_min_free(self._it, start, end, free))
        return int(free[0])

    @guarded
    def change_capacity(self, start: int, end: int, delta: int) -> None:
        """Processors go and come."""
        check(lib.fair_profile_change_capacity(self._it, start, end, delta))

    @guarded
    def advance(self, origin: int) -> None:
        """Forgets everything before a time."""
        check(lib.fair_profile_advance(self._it, origin))

    @guarded
    def __len__(self) -> int:
        return int(lib.fair_profile_steps(self._it))

    @guarded
    def steps(self, start: int = 0) -> list[Step]:
        """The steps from a time on."""
        step = ffi.new("struct fair_step *")
        at: Optional[int] = start
        steps = []
        while at is not None:
            check(lib.fair_profile_step_at(self._it, at, step))
            at = time(step.end)
            steps.append(Step(step.start, at, step.free))
        return steps
