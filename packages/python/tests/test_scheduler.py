# SPDX-License-Identifier: MIT OR Unlicense
import datetime
import decimal
import importlib.metadata
import threading

import numpy
import pandas
import pytest

import fairsched
from fairsched import Machine, Nodes, Profile, Scheduler, Usage, Wait


def test_version():
    assert fairsched.__version__ == importlib.metadata.version("fairsched")


def test_promises():
    promises = []
    with Scheduler("conservative", 8, promised=promises.append) as s:
        s.submit(0, 1, 5, 100)
        s.submit(0, 2, 8, 10)
        assert [d.number for d in s.step(0)] == [1]
        assert s.status(2).start == s.next() == s.estimate(2) == 100
        s.finish(50, 1)
        assert [d.number for d in s.step(50)] == [2]
        assert s.count() == (0, 1, 0)
        assert [j.number for j in s.jobs("running")] == [2]
    assert [(p.number, p.start, p.before, p.cause) for p in promises] == [
        (1, 0, None, "arrival"), (2, 100, None, "arrival"),
        (2, 50, 100, promises[2].cause)]


def test_finish_many():
    for together in (False, True):
        with Scheduler("conservative", 10, jobs=4) as s:
            s.submit(0, 1, 5, 100)
            s.submit(0, 2, 5, 100)
            s.step(0)
            s.submit(0, 4, 10, 20)
            s.submit(0, 5, 5, 40)
            if together:
                s.finish_many(50, [1, 2], [0, 9])
            else:
                s.finish(50, 1)
                s.finish(50, 2)
            assert [d.number for d in s.step(50)] == [4 if together else 5]
            with pytest.raises(fairsched.NotFoundError):
                s.finish_many(50, [1])
            with pytest.raises(fairsched.InvalidError, match="1 statuses, not 2"):
                s.finish_many(50, [4, 5], [0])
            s.finish_many(60, [])


def test_refused_until():
    s = Scheduler("conservative", 10)
    s.submit(0, 1, 5, 100)
    s.step(0)
    with pytest.raises(fairsched.InvalidError):
        s.refuse(0, 1, -1)
    s.refuse(0, 1, 3600)
    assert s.step(0) == [] and s.next() == s.next_start() == 3600
    assert [d.number for d in s.step(3600)] == [1]
    assert s.next() == 3700 and s.next_start() is None
    s.refuse(3600, 1, until=fairsched.FOREVER)
    assert s.step(3600) == [] and s.next() is None
    s.retry(5000, 1)
    assert [d.number for d in s.step(5000)] == [1]
    s.refuse(5000, 1)
    assert s.step(5000) == [] and s.next() == 5001


def test_fits():
    asked = []

    def fits(start):
        asked.append(tuple(start))
        return {1: 50, 2: None}.get(start.number, start.start)
    s = Scheduler("conservative", 10, fits=fits, machine=Machine([[4], [6]]))
    for number in (1, 2, 3):
        s.submit(0, number, 3, 10, classes=[1])
    assert [d.number for d in s.step(0)] == [3]
    assert asked == [(1, 3, 10, 1, 0, 10), (2, 3, 10, 1, 0, 10),
                     (3, 3, 10, 1, 0, 10)]
    copy = s.clone()
    for it in (s, copy):
        it.finish(10, 3)
        assert it.step(10) == [] and it.next() == 50
        assert [d.number for d in it.step(50)] == [1]
        it.retry(60, 2)
        assert it.step(60) == []
    assert len(asked) == 7


def test_exception_of_fits():
    def fits(start):
        return 1 / start.start
    s = Scheduler("conservative", 10, fits=fits)
    s.submit(0, 1, 3, 10)
    copy = s.clone()
    for it in (copy, s):
        with pytest.raises(ZeroDivisionError):
            it.step(0)
        with pytest.raises(TypeError, match="what fits returns is 1.0"):
            it.step(1)
        assert it.count() == (1, 0, 0)


def test_grows():
    promises = []
    s = Scheduler("conservative", 100, jobs=1, ineligible=1,
                  promised=promises.append)
    large = Scheduler("conservative", 100, jobs=64, ineligible=1)
    for number in range(50):
        for it in (s, large):
            it.submit(number, number, 1 + number % 5, 60)
            it.step(number)
        if number == 20:
            s = s.clone()
    assert s.digest == large.digest
    assert s.count() == large.count() and s.jobs("running")
    assert len(promises) == 21
    s.submit(50, 50, 1, 10, wait=Wait(held=True))
    with pytest.raises(fairsched.NoRoomError, match="there is no room"):
        s.submit(50, 51, 1, 10, wait=Wait(held=True))
    again = Scheduler.load(s.save(), "conservative", 100, jobs=1, ineligible=1)
    assert again.digest == s.digest and again.count()[2] == 1
    again.submit(50, 51, 1, 10)


@pytest.mark.parametrize("change, kind, text", [
    ({"walltime": 0}, fairsched.InvalidError, "walltime is below 1"),
    ({"procs": 11}, fairsched.RangeError,
     "procs is above what the machine ever had"),
    ({"submit": 9}, fairsched.InvalidError, "submit is after now"),
    ({"advance": 3}, fairsched.NotFoundError,
     "advance is no advance reservation that goes on"),
])
def test_job_errors(change, kind, text):
    s = Scheduler("conservative", 10, advances=1)
    with pytest.raises(kind) as caught:
        s.submit(5, **dict({"number": 1, "procs": 1, "walltime": 9}, **change))
    assert str(caught.value) == text


def test_exception_of_a_callback():
    def promised(promise):
        raise KeyError(promise.number)
    s = Scheduler("conservative", 8, promised=promised)
    with pytest.raises(KeyError, match="7"):
        s.submit(0, 7, 5, 100)
    s.step(0)  # it is not raised again


def test_closed():
    with Scheduler("easy", 8) as s:
        pass
    with pytest.raises(fairsched.InvalidError, match="Scheduler is closed"):
        s.step(0)


def together(*functions):
    """Runs each in a thread of its own; their exceptions."""
    raised = []

    def run(function):
        try:
            function()
        except Exception as exception:
            raised.append(exception)
    threads = [threading.Thread(target=run, args=(f,)) for f in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_threads():
    s = Scheduler("conservative", 64, jobs=4000, promised=lambda promise: None)
    p, u = Profile(64), Usage(4)
    started = []

    def work(first):
        for number in range(first, first + 400):
            s.submit(0, number, 1 + number % 7, 1 + number % 11)
            p.reserve(number, 4, 1)
            u.charge(0, 0, 10, 1)
            if number % 20 == 0:
                started.extend(decision.number for decision in s.step(0))
                s.clone().check()
                Scheduler.load(s.save(), "conservative", 64, jobs=4000).check()
                assert s.jobs("running") and p.earliest_start(1, 1) == 0
                Usage.load(u.save())
            if number % 4 == 3:
                s.cancel(0, number)

    assert together(*[lambda i=i: work(1000 * i) for i in range(4)]) == []
    s.check()
    assert len(set(started)) == len(started) > 0
    assert sum(s.count()) == 4 * 300
    assert u.total(10) == pytest.approx(16000, rel=1e-3)
    assert all(step.free == 64 for step in p.steps() if 403 <= step.start < 1000)


def test_callback_calls():
    """A call out of a call of the same object is an error, and harmless."""
    def promised(promise):
        calls = {**{name: lambda name=name: getattr(s, name)() for name in (
            "next", "count", "save", "clone", "close", "check")},
            "digest": lambda: s.digest, "step": lambda: s.step(0),
            "submit": lambda: s.submit(0, 9, 1, 1),
            "jobs": lambda: s.jobs("queued")}
        for name, call in calls.items():
            with pytest.raises(fairsched.InvalidError, match="Scheduler is in use"):
                call()
            seen.append(name)
        other.submit(0, promise.number, 1, 1)
        s.cancel(0, promise.number)  # raised by the event

    seen, other = [], Scheduler("easy", 8)
    s = Scheduler("conservative", 8, promised=promised)
    with pytest.raises(fairsched.InvalidError, match="Scheduler is in use"):
        s.submit(0, 7, 5, 100)
    assert len(seen) == 10 and other.count() == (1, 0, 0)
    s.check()
    assert [d.number for d in s.step(0)] == [7]


def test_close_in_use():
    """close() does not wait for the call of another thread; a call does."""
    inside, go_on, order = threading.Event(), threading.Event(), []

    def promised(promise):
        inside.set()
        assert go_on.wait(10)
        order.append("promised")

    def close():
        assert inside.wait(10)
        try:
            with pytest.raises(fairsched.InvalidError, match="Scheduler is in use"):
                s.close()
        finally:
            order.append("close")
            threading.Timer(0.05, go_on.set).start()
        order.append(s.count())

    s = Scheduler("conservative", 8, jobs=10**6, promised=promised)
    assert together(lambda: s.submit(0, 7, 5, 100), close) == []
    assert order == ["close", "promised", (1, 0, 0)]
    for job in s.jobs("queued"):
        s.close()
        with pytest.raises(fairsched.InvalidError, match="Scheduler is closed"):
            s.cancel(0, job.number)


@pytest.mark.parametrize("seconds", [
    datetime.timedelta(seconds=100), pandas.Timedelta(seconds=100),
    numpy.timedelta64(100, "us"), numpy.timedelta64(100, "ns"),
    datetime.datetime(2026, 1, 1), pandas.Timestamp(100),
    numpy.datetime64(100, "s"), numpy.float32(7.5), decimal.Decimal("7.5"), "7"])
def test_times_are_integers(seconds):
    s, p = Scheduler("easy", 8), Profile(8)
    for name, call in {
            "now": s.step, "walltime": lambda x: s.submit(0, 1, 1, walltime=x),
            "submit": lambda x: s.submit(0, 1, 1, 1, submit=x),
            "begin": lambda x: s.submit(0, 1, 1, 1, wait=Wait(begin=x)),
            "victims": lambda x: s.capacity(0, -1, [x]),
            "qos": lambda x: s.submit(0, 1, 1, 1, qos=x),
            "window": lambda x: Scheduler("easy", 8, window=x),
            "share": lambda x: Scheduler("relshare", 8, share=[x]),
            "origin": lambda x: Profile(8, origin=x), "start": p.steps,
            "half_life": lambda x: Usage(8, half_life=x)}.items():
        with pytest.raises(TypeError, match=f"^{name} is .* whole seconds$"):
            call(seconds)
    assert s.count() == (0, 0, 0)


def test_clone_and_checkpoint():
    a = Scheduler("dc", 8, jobs=9)
    a.submit(0, 1, 8, 10)
    a.submit(0, 2, 8, 10)
    a.step(0)
    b = a.clone()
    b.cancel(1, 2)
    assert (a.count(), b.count()) == ((1, 1, 0), (0, 1, 0))
    c = Scheduler.load(a.save(), "dc", 8, jobs=9)
    assert c.digest == a.digest
    damaged = bytearray(a.save())
    damaged[40] ^= 1
    with pytest.raises(fairsched.InvalidError, match="was changed after"):
        Scheduler.load(bytes(damaged), "dc", 8, jobs=9)
    damaged[8] = 3
    with pytest.raises(fairsched.InvalidError,
                       match="another version: format 3, this one reads 4$"):
        Scheduler.load(bytes(damaged), "dc", 8, jobs=9)
    with pytest.raises(fairsched.InvalidError):
        Scheduler.load(b"", "dc", 8, jobs=9)
    with pytest.raises(fairsched.InvalidError, match="another procs$"):
        Scheduler.load(a.save(), "dc", 9, jobs=9)


def test_classes():
    s = Scheduler("conservative", 8, machine=Machine([[4, 0], [4, 1]]))
    s.submit(0, 1, 2, 10, amount=[0, 1])
    s.submit(0, 2, 1, 10, classes=[1, 0])
    assert [tuple(d) for d in s.step(0)] == [(1, 0, 1), (2, 0, 1)]
    with pytest.raises(fairsched.InvalidError, match="3 resources, not 2"):
        s.submit(0, 3, 1, 10, amount=[0, 1, 1])
    with pytest.raises(fairsched.InvalidError, match="0 resources|row"):
        Scheduler("easy", 8, machine=Machine([[4], [2, 2]]))


def test_nodes():
    options = {"machine": Machine([[4], [8]]), "jobs": 5, "advances": 2,
               "nodes": Nodes([2, 1], sets=2, parts=20)}
    s = Scheduler("conservative", 12, **options)
    for node in (1, 2):
        s.set_node(1, node, True)
    s.submit(0, 1, 4, 10, chunks=2, per_node=1, span=True, named=1, cookie=7)
    s.submit(0, 2, 2, 10, chunks=1, exclusive=True, named=1)
    assert [d.number for d in s.step(0)] == [1]
    assert s.nodes(1) == {1: 1, 2: 1} and s.nodes(2) == {1: 1}
    assert s.nodes(3) == {} and s.status(2).start == 10
    one, two = s.status(1), s.status(2)
    assert (one.cookie, one.chunks, one.exclusive, one.named) == (7, 2, False, 1)
    assert two.exclusive
    with pytest.raises(fairsched.InvalidError):
        s.set_node(1, 0, True)
    s.node_down(0, 1)
    assert s.nodes(2) == {2: 1}
    with pytest.raises(fairsched.InvalidError):
        s.node_down(0, 1)
    s.node_up(0, 1)
    s.set_node(2, 1, True)
    s.set_node(2, 2, True)
    s.set_node(2, 1, False)
    s.reserve(0, 9, 30, 50, 0, maintenance=False, named=2)
    s.reserve(0, 8, 30, 40, 0, nodes=1)
    assert [tuple(a) for a in s.reservations()] == [
        (8, 30, 40, 2, True, 0), (9, 30, 50, 8, False, 1)]
    s.submit(0, 3, 8, 25, chunks=1)
    assert s.status(3).start == 50 and s.nodes(3) == {2: 1}
    again = Scheduler.load(s.save(), "conservative", 12, **options)
    assert again.nodes(1) == s.nodes(1) and again.digest == s.digest
    s.withdraw(0, 9)
    assert [a.number for a in s.reservations()] == [8]
    s.node_down(0, 2, victims=[1])
    assert s.count() == (2, 0, 0)
    for nodes in (Nodes([1]), Nodes([3, 1]), Nodes([2, 1], sets=257), 5):
        with pytest.raises(fairsched.InvalidError, match="nodes"):
            Scheduler("easy", 12, machine=Machine([[4], [8]]), nodes=nodes)
    with pytest.raises(fairsched.InvalidError, match="nodes"):
        Scheduler("easy", 12, nodes=Nodes([1]))


def test_waits():
    s = Scheduler("easy", 8, ineligible=4)
    s.submit(0, 1, 1, 10, wait=Wait(begin=30))
    s.submit(0, 2, 1, 10, wait=Wait(held=True))
    assert s.step(0) == [] and s.next() == 30
    s.defer(5, 2)
    assert [d.number for d in s.step(5)] == [2]
    with pytest.raises(fairsched.NotFoundError) as caught:
        s.cancel(5, 9)
    assert caught.value.code == 2


def test_entities():
    s = Scheduler("easy", 8, order="usage", users=2, half_life=100, ids=2)
    s.add_entity(0, "user", 10**12)
    s.submit(0, 1, 4, 10, user=10**12)
    s.step(0)
    s.finish(10, 1)
    assert 38 < s.entity("user", 10**12).usage <= 40
    with pytest.raises(fairsched.NotFoundError):
        s.submit(10, 2, 4, 10, user=5)
    with pytest.raises(fairsched.InvalidError, match="kind of entity 'uncle'"):
        s.add_entity(0, "uncle", 1)


@pytest.mark.parametrize("arguments, text", [
    (("nothing", 8), "no policy 'nothing'"),
    (("easy", 0), "procs is below 1"),
    (("conservative", 8, {"order": "lxf"}), "policy does not take this order"),
    (("easy", 8, {"order": "alphabet"}), "no order 'alphabet'"),
    (("easy", 8, {"jobs": 0}), "jobs is not from"),
    (("relshare", 8), "needs users"),
    (("sfs", 8, {"target": [1, 2], "accounts": 9}), "target has 2 numbers"),
    (("relshare", 8, {"share": [1], "users": 2**20}), "share has 1 numbers"),
])
def test_bad_configuration(arguments, text):
    policy, procs, *options = arguments
    with pytest.raises(fairsched.InvalidError, match=text):
        Scheduler(policy, procs, **(options[0] if options else {}))


def test_bad_options():
    with pytest.raises(TypeError, match="no option 'colour'"):
        Scheduler("easy", 8, colour="red")
    with pytest.raises(TypeError, match="no option 'context'"):
        Scheduler("easy", 8, context=1)
    with pytest.raises(OverflowError):
        Scheduler("easy", 2**40)
    with pytest.raises(TypeError):
        Scheduler("easy", "many")


def test_profile():
    with Profile(8, steps=50) as p:
        p.reserve(0, 100, 5)
        assert p.earliest_start(4, 60) == 100
        assert p.free(0, 200) == 3 and p.free(100, 200) == 8
        assert [tuple(step) for step in p.steps()][:2] == [
            (0, 100, 3), (100, None, 8)]
        p.release(40, 60, 5)
        assert p.earliest_start(4, 60) == 40
        with pytest.raises(fairsched.RangeError):
            p.reserve(0, 10, 9)
        with pytest.raises(fairsched.NoRoomError):
            for start in range(1000, 2000, 20):
                p.reserve(start, 10, 1)


def test_usage():
    with Usage(10, half_life=7 * 86400) as u:
        u.charge(3, 1000, 2800, 64)
        u.charge(4, 1000, 2800, 192)
        assert u.share(3, 90000) == pytest.approx(25, abs=1e-3)
        assert u.total(2800) == pytest.approx(256 * 1800, rel=1e-2)
        assert Usage.load(u.save()).at(4, 90000) == u.at(4, 90000)
        with pytest.raises(fairsched.InvalidError):
            u.charge(10, 0, 1, 1)
    with pytest.raises(fairsched.InvalidError, match="damaged"):
        Usage.load(b"nothing")
