# SPDX-License-Identifier: MIT OR Unlicense
"""A trace, as a DataFrame or a mapping of columns, under a policy."""
from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from ._library import FOREVER, allocate, error, ffi, invalid, lib
from .config import make_config

if TYPE_CHECKING:
    import pandas

_COLUMNS = ("submit", "run", "walltime", "procs")
_IDS = ("user", "group", "account")


def _column(jobs: Any, name: str, dtype: str) -> Any:
    import numpy
    column = numpy.asarray(jobs[name])
    if column.dtype.kind not in "iu":
        whole = None
        # numpy takes 100 us for 100, and NaN for some number.
        kinds = {column.dtype.kind} if column.dtype.kind != "O" else {
            getattr(value, "dtype", column.dtype).kind for value in column.flat}
        if not kinds & set("mM") and (kinds != {"f"}
                                      or numpy.isfinite(column).all()):
            with contextlib.suppress(TypeError, ValueError, OverflowError):
                whole = column.astype("int64")
        if not numpy.array_equal(whole, column):
            raise invalid(f"column '{name}' of {column.dtype} has values that are "
                          "no integers: times are whole seconds")
        column = whole
    info = numpy.iinfo(dtype)
    if column.size and (column.min() < info.min or column.max() > info.max):
        raise invalid(f"column '{name}' has values beyond {dtype}")
    return numpy.array(column, dtype=dtype)  # other threads cannot change it


def simulate(jobs: Any, policy: str = "conservative", procs: int = 1, *,
             order: str = "fcfs", **options: Any) -> pandas.DataFrame:
    """Plays all jobs to their ends.

    `jobs` is a DataFrame, or a mapping of arrays, with the columns submit, run,
    walltime (seconds) and procs, and perhaps user, group and account. The
    result has the same index and the columns start, wait, end and, where the
    policy promises, promise; attrs["digest"] is the digest of all decisions.
    Options are those of Scheduler.
    """
    import numpy
    for name in _COLUMNS:
        if name not in jobs:
            raise invalid(f"there is no column '{name}'")
    data = {name: _column(jobs, name, "int64") for name in _COLUMNS[:3]}
    data["procs"] = _column(jobs, "procs", "int32")
    data.update((name, _column(jobs, name, "int64"))
                for name in _IDS if name in jobs)
    n = len(data["submit"])
    if n == 0 or any(len(column) != n for column in data.values()):
        raise invalid("there are no jobs, or columns of different lengths")
    if "machine" in options:
        raise invalid("simulate() plans processors only")
    if "user" in data and "users" not in options and "share" not in options:
        options["users"] = max(0, int(data["user"].max())) + 1
    config, keep = make_config(policy, procs, order, dict(options, jobs=n))
    replay = ffi.new("struct fair_replay *", {"jobs": n})
    start = numpy.empty(n, dtype="int64")
    promise = numpy.empty(n, dtype="int64")
    if (data["submit"][1:] < data["submit"][:-1]).any():
        data["order"] = numpy.argsort(data["submit"], kind="stable"
                                      ).astype("uint32")
    buffers = dict(data, start=start, promise=promise)
    for name, array in buffers.items():
        ctype = "int32_t[]" if name == "procs" else (
            "uint32_t[]" if name == "order" else "int64_t[]")
        keep.append(ffi.from_buffer(ctype, array))
        setattr(replay, name, keep[-1])
    size = lib.fair_replay_size(replay, config)
    code = lib.fair_replay(replay, config, allocate(size or 1), size)
    if code:
        raise error(code, f"job {replay.job}: " if replay.job < n else "")
    return _result(jobs, data, start, promise, replay.digest)


def _result(jobs: Any, data: Any, start: Any, promise: Any, digest: int
            ) -> pandas.DataFrame:
    import pandas
    columns = {"start": start, "wait": start - data["submit"],
               "end": start + data["run"]}
    if (promise != FOREVER).any():
        columns["promise"] = promise
    result = pandas.DataFrame(columns, index=getattr(jobs, "index", None))
    result.attrs["digest"] = f"{digest:016x}"
    return result
