# SPDX-License-Identifier: MIT OR Unlicense
import numpy
import pandas
import pytest

import fairsched

JOBS = pandas.DataFrame({
    "submit": [0, 10, 20, 30], "run": [60, 50, 30, 40],
    "walltime": [100, 50, 30, 40], "procs": [5, 5, 3, 3]},
    index=["a", "b", "c", "d"])


def play(jobs, policy, procs, **options):
    """The same by the scheduler, event by event: starts, and the digest."""
    rows = jobs[["submit", "run", "walltime", "procs"]].values.tolist()
    s = fairsched.Scheduler(policy, procs, jobs=len(rows),
                            origin=min(row[0] for row in rows), **options)
    todo = sorted(range(len(rows)), key=lambda i: rows[i][0])
    start, ends = {}, {}  # both in the order of starts
    while len(start) < len(rows):
        times = [*ends.values(), s.next()] + [rows[i][0] for i in todo[:1]]
        now = min(time for time in times if time is not None)
        again = True
        while again:
            for i in [i for i in ends if ends[i] <= now]:
                s.finish(now, i)
                del ends[i]
            while todo and rows[todo[0]][0] == now:
                i = todo.pop(0)
                s.submit(now, i, rows[i][3], rows[i][2])
            for decision in s.step(now):
                start[decision.number] = now
                ends[decision.number] = now + rows[decision.number][1]
            again = any(end <= now for end in ends.values())
    return [start[i] for i in range(len(rows))], s.digest


@pytest.mark.parametrize("policy, options", [
    ("fcfs", {}), ("easy", {}), ("conservative", {}), ("pc", {}), ("dc", {}),
    ("backfill", {"depth": 3, "order": "sjf"})])
def test_equals_the_scheduler(policy, options):
    draw = numpy.random.default_rng(1)
    n = 400
    jobs = pandas.DataFrame({
        "submit": draw.integers(0, 4000, n), "run": draw.integers(0, 100, n),
        "procs": draw.integers(1, 9, n)})
    jobs["walltime"] = jobs.run + draw.integers(-20, 100, n).clip(1)
    result = fairsched.simulate(jobs, policy, 16, **options)
    start, digest = play(jobs, policy, 16, **options)
    assert list(result.start) == start
    assert result.attrs["digest"] == digest


def test_columns():
    result = fairsched.simulate(JOBS, policy="conservative", procs=8)
    assert list(result.index) == list("abcd")
    assert list(result.start) == [0, 60, 20, 50]
    assert list(result.wait) == [0, 50, 0, 20]
    assert list(result.end) == [60, 110, 50, 90]
    assert list(result.promise)[:2] == [0, 100]
    assert "promise" not in fairsched.simulate(JOBS, "easy", 8)
    arrays = {name: JOBS[name].to_numpy() for name in JOBS}
    assert list(fairsched.simulate(arrays, "easy", 8).start)[0] == 0


def test_users():
    jobs = JOBS.assign(user=[0, 1, 0, 1])
    fairsched.simulate(jobs, "easy", 8, order="usage", half_life=100)
    fairsched.simulate(jobs, "relshare", 8, window=1000, share=[1, 2])


@pytest.mark.parametrize("change, text", [
    ({"procs": [9, 1, 1, 1]}, "job 0: more processors"),
    ({"procs": [1, 0, 1, 1]}, "job 1: an argument"),
    ({"run": [1, 1, -1, 1]}, "job 2: an argument"),
    ({"walltime": [1, 1, 1, 2**40]}, "job 3: a number is too large"),
    ({"procs": [1, 1, 1, 2**40]}, "column 'procs' has values beyond int32"),
    ({"submit": [0.5, 1, 2, 3]}, "column 'submit' of float64 .* no integers"),
    ({"run": list("wxyz")}, "column 'run' of .* has values that are no integers"),
    ({"run": [2**70] * 4}, "column 'run' of object has values that are no int"),
    ({"run": [None] * 4}, "column 'run' of object has values that are no int"),
])
def test_bad_jobs(change, text):
    with pytest.raises(fairsched.Error, match=text):
        fairsched.simulate(JOBS.assign(**change), "conservative", 8)


def test_bad_arguments():
    with pytest.raises(fairsched.InvalidError, match="no column 'run'"):
        fairsched.simulate(JOBS.drop(columns="run"), "easy", 8)
    with pytest.raises(fairsched.InvalidError, match="no jobs"):
        fairsched.simulate(JOBS[:0], "easy", 8)
    with pytest.raises(fairsched.InvalidError, match="no policy"):
        fairsched.simulate(JOBS, "best", 8)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns", "D"])
@pytest.mark.parametrize("kind", ["m8", "M8"])
@pytest.mark.parametrize("name", ["submit", "run", "walltime"])
def test_times_with_a_unit(name, kind, unit):
    array = numpy.full(4, 100, f"{kind}[{unit}]")
    series = pandas.Series(array)
    columns = [array, numpy.array([*array, None])[:4], series, list(series)]
    if kind == "M8":
        columns.append(series.dt.tz_localize("UTC"))
    for column in columns:
        jobs = {**{other: JOBS[other].to_numpy() for other in JOBS},
                name: column}
        with pytest.raises(fairsched.InvalidError,
                           match=f"column '{name}' of .*: times are whole sec"):
            fairsched.simulate(jobs, "conservative", 8)
