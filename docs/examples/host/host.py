# SPDX-License-Identifier: MIT OR Unlicense
"""host.c in Python. Times are milliseconds."""
from fairsched import FOREVER, Scheduler

HOUR, CHANGE = 3_600_000, 3_650_000
NEVER = FOREVER


class Host:
    """`crash`: after each call it goes on from a checkpoint."""

    def __init__(self, crash: bool) -> None:
        self.crash, self.steps = crash, 0
        # submit, walltime, run, processors, by number
        self.job = {1: [0, 1000, 600, 1000], 2: [0, 5000, 5000, 500],
                    3: [0, 5000, 4000, 500], 4: [0, 7000, 7000, 1000],
                    5: [3640000, 40000, 20000, 1000],
                    6: [3640000, 5000, 5000, 10],
                    **{i: [3700000, 60000, 30000, 1] for i in range(7, 1007)},
                    1007: [3700000, 1000, 1000, 1000]}
        self.end = {i: NEVER for i in self.job}
        self.open("conservative")

    def open(self, policy: str) -> None:
        self.config = dict(policy=policy, procs=1000, jobs=2)
        self.s = Scheduler(**self.config)

    def call(self, method: str, *arguments, **names):
        answer = getattr(self.s, method)(*arguments, **names)
        if self.crash:
            self.s = Scheduler.load(self.s.save(), **self.config)
        return answer

    def submit(self, now: int, i: int, walltime: int) -> None:
        submit, _, _, procs = self.job[i]
        self.call("submit", now, i, procs, walltime, submit=submit)

    def step(self, now: int) -> int:
        started = 0
        while True:
            self.steps += 1
            for start in self.call("step", now):
                i = start.number
                if i == 2 and now < HOUR:
                    self.call("refuse", now, i, FOREVER)
                    continue
                self.end[i] = now + self.job[i][2]
                started += 1
            if self.s.next_start() != now:
                return started

    def change(self, now: int) -> None:
        """Jobs that run keep the rest of their walltimes, and start at once; then
        come those that wait."""
        if not self.crash:
            print("change", self.s.digest)
        self.open("easy")
        for i, end in self.end.items():
            if now < end < NEVER:
                _, walltime, run, _ = self.job[i]
                self.submit(now, i, end - run + walltime - now)
                self.job[i][2] = end - now
        self.step(now)
        for i, end in self.end.items():
            if end == NEVER and self.job[i][0] < now:
                self.submit(now, i, self.job[i][1])

    def instant(self, now: int) -> int:
        ended = [i for i, end in self.end.items() if end == now]
        if ended:
            self.call("finish_many", now, ended)
        if now == HOUR:
            self.call("retry", now, 2)
        if now == CHANGE:
            self.change(now)
        for i, (submit, walltime, _, _) in self.job.items():
            if submit == now:
                self.submit(now, i, walltime)
        return self.step(now)

    def play(self) -> str:
        now = 0
        while True:
            started = self.instant(now)
            if not self.crash:
                print(f"{now:7} {started} start")
            later = [HOUR, CHANGE, self.s.next_start() or NEVER]
            later += [job[0] for job in self.job.values()]
            later += self.end.values()
            now = min((t for t in later if t > now), default=NEVER)
            if now == NEVER:
                return self.s.digest


host = Host(False)
digest = host.play()
print("steps", host.steps)
print("digest", digest)
print("crashes change nothing:", int(Host(True).play() == digest))
