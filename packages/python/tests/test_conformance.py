# SPDX-License-Identifier: MIT OR Unlicense
"""The conformance suite: FAIRSCHED_SUITE, or that of the tree."""
import json
import os
import pathlib

import pytest

import fairsched
from fairsched._library import error

TREE = pathlib.Path(__file__).resolve().parents[3]
SUITE = json.loads(pathlib.Path(
    os.environ.get("FAIRSCHED_SUITE",
                   TREE / "tests/conformance/suite.json")).read_text())


def wait_of(event):
    wait = event[3]
    if wait is None:
        return None
    return fairsched.Wait(wait.get("begin"), wait.get("after"),
                          wait.get("end") == 1, wait.get("held", False))


class Player:
    def __init__(self, config):
        self.config = dict(config)
        machine = self.config.pop("machine", None)
        if machine:
            n, flat = machine["resources"], machine["amount"]
            self.config["machine"] = fairsched.Machine(
                [flat[i:i + n] for i in range(0, len(flat), n)])
        if "target" in self.config:
            del self.config["accounts"]
        self.scheduler = fairsched.Scheduler(**self.config)

    def submit(self, now, job, wait):
        s = dict(job)
        self.scheduler.submit(now, wait=wait_of((0, 0, 0, wait)), **s)

    def defer(self, now, number, wait):
        self.scheduler.defer(now, number, wait_of((0, 0, 0, wait)))

    def reserve(self, now, a, force):
        self.scheduler.reserve(now, a["number"], a["from"], a["to"],
                               a["procs"], maintenance=a["kind"] == 0,
                               node_class=a["class"], force=force)

    def step(self, now):
        return [decision.number for decision in self.scheduler.step(now)]

    def next(self):
        return [self.scheduler.next(), self.scheduler.next_start()]

    def refuse_until(self, now, number, time):
        self.scheduler.refuse(now, number,
                              fairsched.FOREVER if time is None else time)

    def status(self, number):
        s = self.scheduler.status(number)
        return {"state": s.state, "start": s.start, "cause": s.cause,
                "moves": s.moves, "class": s.node_class}

    def estimate(self, number):
        return [self.scheduler.estimate(number)]

    def usage(self, user):
        return [int(self.scheduler.entity("user", user).usage)]

    def count(self):
        return list(self.scheduler.count())

    def reload(self):
        checkpoint = self.scheduler.save()
        self.scheduler.close()
        self.scheduler = fairsched.Scheduler.load(checkpoint, **self.config)

    def digest(self):
        return self.scheduler.digest

    def __getattr__(self, name):  # finish, cancel, ...: as they are
        return getattr(self.scheduler, name)

    def answer(self, name, *arguments):
        try:
            answer = getattr(self, name)(*arguments)
        except fairsched.Error as problem:
            if str(problem) == SUITE["errors"][str(problem.code)]:
                return problem.code
            return [problem.code, str(problem)]
        return 0 if answer is None else answer


@pytest.mark.parametrize("sequence", SUITE["sequences"],
                         ids=lambda sequence: sequence["name"])
def test_conformance(sequence):
    player = Player(sequence["config"])
    for number, (name, *arguments, want) in enumerate(sequence["events"]):
        assert player.answer(name, *arguments) == want, (number, name)
    player.scheduler.check()


def test_errors():
    for code, text in SUITE["errors"].items():
        assert str(error(int(code))) == text
