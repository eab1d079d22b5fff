# SPDX-License-Identifier: MIT OR Unlicense
"""The ledger of decayed usage."""
from __future__ import annotations

from ._library import Closable, allocate, check, ffi, guarded, invalid, lib


class Usage(Closable):
    """Who used how much, with a half-life in seconds. Entities are numbers
    below `entities`."""

    @guarded
    def __init__(self, entities: int, *, half_life: int = 7 * 86400):
        size = lib.fair_usage_size(entities, 0, 1)
        if not size:
            raise invalid(f"entities is too large: {entities}")
        memory, state = allocate(size), ffi.new("struct fair_usage *")
        check(lib.fair_usage_init_half_life(
            state, ffi.sizeof("struct fair_usage"), memory, size, entities, 1,
            1, half_life))
        self._memory, self._state = memory, state

    def __enter__(self) -> Usage:
        return self

    @guarded
    def charge(self, entity: int, start: int, end: int, rate: int) -> None:
        """Charges a rate, as processors, over [start, end)."""
        check(lib.fair_usage_charge(self._it, entity, start, end, rate))

    @guarded
    def at(self, entity: int, now: int) -> float:
        """What it has used until `now`, decayed."""
        whole, fraction = ffi.new("uint64_t *"), ffi.new("uint64_t *")
        check(lib.fair_usage_at(self._it, entity, now, whole, fraction))
        return float(whole[0] + fraction[0] / 2**64)

    def total(self, now: int) -> float:
        """What all have used."""
        return self.at(lib.FAIR_USAGE_TOTAL, now)

    @guarded
    def share(self, entity: int, now: int) -> float:
        """Its part of the total, in per cent."""
        points = ffi.new("int64_t *")
        check(lib.fair_usage_share(self._it, entity, now, points))
        return float(points[0] / 2**20)

    @guarded
    def save(self) -> bytes:
        """A checkpoint that any machine can load."""
        size = lib.fair_usage_checkpoint_size(self._it)
        checkpoint = allocate(size)
        check(lib.fair_usage_save(self._it, checkpoint, size))
        return bytes(ffi.buffer(checkpoint, size))

    @classmethod
    def load(cls, checkpoint: bytes) -> Usage:
        """Goes on from a checkpoint."""
        size = lib.fair_usage_load_size(checkpoint, len(checkpoint))
        if not size:
            raise invalid("the checkpoint is damaged")
        usage = cls.__new__(cls)
        memory, state = allocate(size), ffi.new("struct fair_usage *")
        check(lib.fair_usage_load(state, ffi.sizeof("struct fair_usage"),
                                  memory, size, checkpoint, len(checkpoint),
                                  ffi.NULL))
        usage._memory, usage._state = memory, state
        return usage
