# SPDX-License-Identifier: MIT OR Unlicense
"""An exception or an answer, whatever the arguments; never a crash.

FUZZ_SECONDS is how long; by default one.
"""
import os
import random
import time

import pandas
import pytest

import fairsched
from fairsched import Machine, Nodes, Profile, Scheduler, Usage, Wait
from fairsched._library import lib, text

SECONDS = float(os.environ.get("FUZZ_SECONDS", "1"))
ODD = [-1, 100, 2**31, 2**34, 2**50, 2**63 - 1, 2**64, -2**63, 1.5, None, "x",
       [1], float("nan")]
POLICIES = ["fcfs", "easy", "conservative", "pc", "dc", "sfs", "relshare"]
ARITY = {"submit": 4, "finish": 2, "cancel": 2, "requeue": 2, "suspend": 2,
         "resume": 2, "refuse": 3, "retry": 2, "finish_many": 2, "modify": 4, "capacity": 2, "withdraw": 2,
         "reserve": 5, "step": 1, "add_entity": 3, "remove_entity": 3,
         "set_share": 4, "class_capacity": 4, "status": 1, "estimate": 1,
         "why": 1, "entity": 2, "jobs": 1, "next": 0, "next_start": 0, "count": 0,
         "save": 0, "set_node": 3, "node_down": 2, "node_up": 2, "nodes": 1,
         "reservations": 0}


class Draw(random.Random):
    def any(self):
        return self.choice(ODD) if self.random() < 0.1 else self.randrange(9)

    def attempt(self, function, *arguments, **named):
        """Numbered errors have the library's text, perhaps after more; that of
        a job is what its field is."""
        try:
            return function(*arguments, **named)
        except fairsched.Error as e:
            assert str(e)
            if e.code not in (12, 22) and function.__name__ != "submit":
                assert str(e).endswith(text(lib.fair_strerror(e.code))), e
        except (TypeError, OverflowError, ValueError) as e:
            # Python's own: an argument is of another type, or no C integer.
            assert not isinstance(e, fairsched.Error) and str(e)
        return None

    def options(self):
        policy = self.choice(POLICIES)
        options = {"jobs": 20, "ineligible": 20, "advances": 4}
        if policy == "sfs":
            options["target"] = [10, 20]
        if policy == "relshare":
            options.update(share=[1, 2], half_life=100, window=100, ids=4)
        if self.random() < 0.3:
            options["machine"] = Machine([[4, 0], [4, 1]])
            if self.random() < 0.7:
                options["nodes"] = Nodes([2, 1], sets=2, parts=60)
        return policy, options

    def wait(self):
        return self.choice([None, Wait(self.any(), self.any()), Wait(held=True),
                            self.any()])

    def event(self, s, now):
        name = self.choice(list(ARITY))
        arguments = [self.any() for _ in range(ARITY[name])]
        named = {}
        if (len(arguments) > 1 or name == "step") and name != "set_node":
            arguments[0] = now if self.random() < 0.95 else self.any()
        if name in ("add_entity", "remove_entity", "set_share", "entity"):
            kind = self.choice(["user", "account", "uncle"])
            arguments[0 if name == "entity" else 1] = kind
        if name == "jobs":
            name, arguments[0] = "queued", self.choice(["queued", "none", 7])
        if name == "submit" or self.random() < 0.3:
            name, arguments = "submit", [now] + [self.any() for _ in range(3)]
            named = {"wait": self.wait(), "user": self.any()}
            if self.random() < 0.5:
                named["amount"] = self.choice([[0, 1], [1], [], self.any()])
            if self.random() < 0.3:
                named["classes"] = self.choice([[1, 0], [200], self.any()])
            if self.random() < 0.5:
                named.update(chunks=arguments[2], exclusive=self.any(),
                             per_node=self.randrange(2), named=self.any())
        if name == "reserve" and self.random() < 0.5:
            named = {"named": self.any(), "nodes": self.any()}
        if name == "finish_many":
            arguments[1] = self.choice([[1, 2, 3], [1, 1], [self.any()],
                                        self.any()])
            named = {"statuses": self.choice([None, [0], [1, 2, 3]])}
        if name == "capacity":
            named = {"victims": self.choice([(), [1, 1], [self.any()]])}
        call = (lambda state: list(s.jobs(state))) if name == "queued" else (
            getattr(s, name))
        self.attempt(call, *arguments, **named)

    def scheduler(self):
        policy, options = self.options()
        odd = dict(options)
        odd[self.choice(["depth", "ids", "target", "share", "order", "window",
                         "half_life", "patience", "machine", "nodes"])] = self.any()
        if self.random() < 0.5:
            odd["nodes"] = Nodes([self.any(), self.any()], self.any(),
                                 self.any())
        self.attempt(Scheduler, policy, self.any(), **odd)
        if self.random() < 0.5:
            options["fits"] = lambda start: start.start + (
                start.number + start.start) % 3
        s = Scheduler(policy, 8, **options)
        now = 0
        for _ in range(300):
            now += self.randrange(2)
            self.event(s, now)
        s.check()
        saved = s.save()
        assert Scheduler.load(saved, policy, 8, **options).digest == s.digest
        damaged = bytearray(saved)
        damaged[self.randrange(len(saved))] ^= 1
        for bad in (bytes(damaged), saved[:len(saved) // 2], b""):
            with pytest.raises(fairsched.InvalidError):
                Scheduler.load(bad, policy, 8, **options)
        s.close()
        self.event(s, now)

    def trace(self):
        n = self.randrange(5)
        jobs = {name: [self.any() for _ in range(n)]
                for name in ("submit", "run", "walltime", "procs", "user")}
        if self.random() < 0.1:
            del jobs[self.choice(list(jobs))]
        policy, options = self.options()
        options.pop("jobs")
        if self.random() < 0.5:
            jobs = pandas.DataFrame(jobs)
        else:
            jobs["procs"] = jobs.get("procs", [])[self.randrange(2):]
        result = self.attempt(fairsched.simulate, jobs, policy, 8, **options)
        assert result is None or len(result) == n

    def rest(self):
        for make, calls in (
                (lambda: Profile(self.any(), steps=self.randrange(20)), {
                    "earliest_start": 3, "reserve": 3, "release": 3, "free": 2,
                    "change_capacity": 3, "advance": 1}),
                (lambda: Usage(self.any() if self.random() < 0.1 else 9), {
                    "charge": 4, "at": 2, "total": 1, "share": 2})):
            it = self.attempt(make)
            for _ in range(60 if it else 0):
                name = self.choice(list(calls))
                self.attempt(getattr(it, name),
                             *[self.any() for _ in range(calls[name])])
            if isinstance(it, Usage):
                damaged = bytearray(it.save())
                damaged[self.randrange(len(damaged))] ^= 1
                with pytest.raises(fairsched.InvalidError):
                    Usage.load(bytes(damaged))


def test_any_input():
    end = time.monotonic() + SECONDS
    rounds = 0
    while time.monotonic() < end or rounds < 5:
        draw = Draw(rounds)
        draw.scheduler()
        draw.trace()
        draw.rest()
        rounds += 1
    print(f"{rounds} rounds in {SECONDS:.0f} s")
