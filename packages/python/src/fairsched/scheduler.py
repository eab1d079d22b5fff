# SPDX-License-Identifier: MIT OR Unlicense
"""The scheduler: events in, decisions out."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, NamedTuple, Optional, Sequence

from ._library import (FOREVER, Closable, allocate, check, error, ffi,
                       guarded, invalid, lib, text, time, whole, wholes)
from .config import Machine, Nodes, make_config

NO_ROOM = 28
ENTITIES = ("user", "group", "account", "qos", "queue")
_ROOM = 64


class Decision(NamedTuple):
    """Start this job now; with a machine, in a class."""

    number: int
    time: int
    node_class: int


class Start(NamedTuple):
    """A start that is due, of a job that is planned to run until `end`."""

    number: int
    procs: int
    walltime: int
    node_class: int
    start: int
    end: int


class Promise(NamedTuple):
    """A promised start was made or moved; None: there is none."""

    number: int
    made: int
    start: Optional[int]
    before: Optional[int]
    cause: str


Promised = Callable[[Promise], None]
Fits = Callable[[Start], Optional[int]]


@dataclass(frozen=True)
class Wait:
    """What an ineligible job waits for: a time, the end of another job (`ok`:
    with success only), and perhaps a hold."""

    begin: Optional[int] = None
    after: Optional[int] = None
    ok: bool = False
    held: bool = False


class JobStatus(NamedTuple):
    """A live job. `start` is when it started, or its promise or reservation;
    None: there is none."""

    number: int
    state: str
    procs: int
    walltime: int
    submit: int
    user: int
    start: Optional[int]
    end: Optional[int]
    first_promise: Optional[int]
    cause: str
    moves: int
    waits: int
    node_class: int
    cookie: int
    chunks: int
    exclusive: bool
    named: int


class Reservation(NamedTuple):
    """A live advance reservation."""

    number: int
    start: int
    end: int
    procs: int
    maintenance: bool
    node_class: int


class Entity(NamedTuple):
    """A user, group, account, QoS or queue."""

    id: int
    usage: float
    share: int


def _kind(kind: str) -> int:
    if kind not in ENTITIES:
        raise invalid(f"there is no kind of entity '{kind}'")
    return ENTITIES.index(kind)


def _condition(wait: Optional[Wait]) -> Any:
    if wait is None:
        return ffi.NULL
    if not isinstance(wait, Wait):
        raise invalid("wait is not a Wait")
    end = 0 if wait.after is None else 1 if wait.ok else 2
    return ffi.new("struct fair_eligibility *", {
        "begin": -2**63 if wait.begin is None else whole("begin", wait.begin),
        "after": whole("after", wait.after or 0), "end": end,
        "held": wait.held})


def _job_status(s: Any) -> JobStatus:
    running = s.state == lib.fair_state_by_name(b"running")
    return JobStatus(
        s.job.number, text(lib.fair_state_name(s.state)), s.job.procs,
        s.job.walltime, s.job.submit, s.job.user, time(s.start),
        time(s.end) if running else None, time(s.first_promise),
        text(lib.fair_cause_name(s.cause)), s.moves, s.waits, s.node_class,
        s.job.cookie, s.job.chunks, s.job.exclusive, s.job.named)


class Scheduler(Closable):
    """Decides which job starts when.

    `policy` is fcfs, easy, backfill, conservative, pc, dc, sfs or relshare.
    `jobs` is how many can be live at once at first: a full table grows. Options
    are the fields of struct fair_config: ineligible, advances, depth, users,
    half_life, window, ...; `share` and `target` are lists, `machine` is a
    Machine, `nodes` its Nodes. `promised` is called for each promise; `fits` before each start:
    from when on can it be made? A later second refuses it until then, None
    until retry(). Neither can call the scheduler.

    Report ends of one second together, by finish_many(), or in the order of
    their starts.

    Threads may share it: one call runs at a time. An error raises a subclass of
    Error and changes nothing. An exception of `fits` refuses the start until
    the next second.
    """

    @guarded
    def __init__(self, policy: str = "conservative", procs: int = 1, *,
                 jobs: int = 1000, order: str = "fcfs",
                 promised: Optional[Promised] = None,
                 fits: Optional[Fits] = None,
                 machine: Optional[Machine] = None,
                 nodes: Optional[Nodes] = None, **options: Any):
        self._open(policy, procs, order, promised, fits,
                   dict(options, jobs=jobs, machine=machine, nodes=nodes))
        self._allocate()
        check(lib.fair_sched_init(self._state, self._struct, self._memory,
                                  self._size, self._config))

    def _open(self, policy: str, procs: int, order: str,
              promised: Optional[Promised], fits: Optional[Fits],
              options: dict[str, Any]) -> None:
        self._config, self._keep = make_config(policy, procs, order, options)
        self._call(promised, fits)

    def _call(self, promised: Optional[Promised], fits: Optional[Fits]
              ) -> None:
        """What the library calls."""
        self._raised: Optional[BaseException] = None
        self._fits = fits
        self._handle = ffi.new_handle(_Callbacks(self, promised, fits))
        self._config.context = self._handle
        self._config.promised = (lib.fair_python_promised if promised
                                 else ffi.NULL)
        self._config.fits = lib.fair_python_fits if fits else ffi.NULL

    def _allocate(self) -> None:
        self._size = lib.fair_sched_size(self._config)
        self._struct = ffi.sizeof("struct fair_sched")
        self._state = ffi.new("struct fair_sched *")
        self._memory = allocate(self._size)
        self._starts = ffi.new("struct fair_decision[]", _ROOM)
        self._count = ffi.new("size_t *")

    def __enter__(self) -> Scheduler:
        return self

    def _check(self, code: int) -> None:
        """An exception of the caller's own function is raised here."""
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        check(code)

    # Events

    @guarded
    def submit(self, now: int, number: int, procs: int, walltime: int, *,
               submit: Optional[int] = None, wait: Optional[Wait] = None,
               amount: Optional[Sequence[int]] = None,
               classes: Optional[Sequence[int]] = None, **fields: int) -> None:
        """A job arrives. Fields are those of struct fair_job: user, group,
        account, queue, qos, tasks, advance, chunks, named, ..."""
        job = ffi.new("struct fair_job *", dict(
            fields, number=number, procs=procs, walltime=walltime,
            submit=now if submit is None else submit))
        if amount is not None:
            room = self._config.machine.resources if self._config.machine else 0
            if len(amount) != room:
                raise invalid(f"amount has {len(amount)} resources, not {room}")
            keep_amount = ffi.new("int32_t[]", wholes("amount", amount))
            job.amount = keep_amount
        if classes is not None:
            keep_classes = ffi.new("uint8_t[]", wholes("classes", classes))
            job.classes, job.class_count = keep_classes, len(classes)
        condition = _condition(wait)
        code = lib.fair_sched_submit_ineligible(self._it, now, job, condition)
        if code == -NO_ROOM:
            code = self._grow(now, job, condition)
        field = lib.fair_sched_job_error(self._it, now, job) if code else None
        if field:
            raise error(code, why=text(field))
        self._check(code)

    def _grow(self, now: int, job: Any, condition: Any) -> int:
        """Submits to a copy with twice the jobs, which stays if it takes it."""
        config = ffi.new("struct fair_config *", self._config[0])
        config.jobs *= 2
        size = lib.fair_sched_grow_size(self._it, config)
        if not size:
            return -NO_ROOM
        grown = ffi.new("struct fair_sched *", self._it[0])
        memory = allocate(size)
        code: int = (
            lib.fair_sched_grow(grown, memory, size, config)
            or lib.fair_sched_submit_ineligible(grown, now, job, condition))
        if not code:
            self._config, self._state = config, grown
            self._memory, self._size = memory, size
        return code

    @guarded
    def finish(self, now: int, number: int, status: int = 0) -> None:
        """A running job has ended, with an exit status."""
        self._check(lib.fair_sched_exit(self._it, now, number, status))

    @guarded
    def finish_many(self, now: int, numbers: Sequence[int],
                    statuses: Optional[Sequence[int]] = None) -> None:
        """Running jobs have ended in the same second, as one event; all with
        the exit status 0 if there are no statuses."""
        number = ffi.new("uint64_t[]", wholes("numbers", numbers))
        status = ffi.NULL
        if statuses is not None:
            if len(statuses) != len(numbers):
                raise invalid(f"there are {len(statuses)} statuses, not "
                              f"{len(numbers)}")
            status = ffi.new("int32_t[]", wholes("statuses", statuses))
        self._check(lib.fair_sched_finish_many(self._it, now, number, status,
                                               len(numbers)))

    @guarded
    def cancel(self, now: int, number: int) -> None:
        """A job is withdrawn; a running one ends."""
        self._check(lib.fair_sched_cancel(self._it, now, number))

    @guarded
    def requeue(self, now: int, number: int) -> None:
        """A running job was stopped, and is queued again."""
        self._check(lib.fair_sched_requeue(self._it, now, number))

    @guarded
    def suspend(self, now: int, number: int) -> None:
        """A running job is stopped, and goes on later."""
        self._check(lib.fair_sched_suspend(self._it, now, number))

    @guarded
    def resume(self, now: int, number: int) -> None:
        """A suspended job arrives again."""
        self._check(lib.fair_sched_resume_job(self._it, now, number))

    @guarded
    def refuse(self, now: int, number: int, until: Optional[int] = None
               ) -> None:
        """A start of this instant cannot be made before `until`: None is a
        later second, FOREVER is until retry()."""
        self._check(lib.fair_sched_refuse_until(
            self._it, now, number, now if until is None else until))

    @guarded
    def retry(self, now: int, number: int) -> None:
        """A refused job may start at any time again."""
        self._check(lib.fair_sched_retry(self._it, now, number))

    @guarded
    def replan(self, now: int) -> None:
        """Reacts as if a job had ended early, in the order of now."""
        self._check(lib.fair_sched_replan(self._it, now))

    @guarded
    def defer(self, now: int, number: int, wait: Optional[Wait] = None) -> None:
        """Changes what a job waits for; None: nothing."""
        self._check(lib.fair_sched_defer(self._it, now, number,
                                         _condition(wait)))

    @guarded
    def modify(self, now: int, number: int, procs: int, walltime: int) -> None:
        """Changes a job's processors and walltime."""
        self._check(lib.fair_sched_modify(self._it, now, number, procs,
                                          walltime))

    @guarded
    def capacity(self, now: int, delta: int, victims: Sequence[int] = ()
                 ) -> None:
        """The machine gains or loses processors; victims end."""
        victim = ffi.new("uint64_t[]", wholes("victims", victims))
        self._check(lib.fair_sched_capacity(self._it, now, delta, victim,
                                            len(victims)))

    @guarded
    def class_capacity(self, now: int, node_class: int, resource: int,
                       delta: int, victims: Sequence[int] = ()) -> None:
        """A node class gains or loses some of a resource."""
        victim = ffi.new("uint64_t[]", wholes("victims", victims))
        self._check(lib.fair_sched_class_capacity(
            self._it, now, node_class, resource, delta, victim, len(victims)))

    @guarded
    def reserve(self, now: int, number: int, start: int, end: int, procs: int,
                *, maintenance: bool = True, force: bool = False,
                node_class: int = 0, amount: Sequence[int] = (),
                nodes: int = 0, named: int = 0) -> None:
        """Makes or changes an advance reservation; with Nodes, of those of the
        set `named` or of so many `nodes`."""
        advance = ffi.new("struct fair_advance *", {
            "number": number, "to": end, "procs": procs,
            "kind": 0 if maintenance else 1, "node_class": node_class,
            "amount": wholes("amount", amount), "nodes": nodes,
            "named": named})
        setattr(advance, "from", start)
        self._check(lib.fair_sched_advance_reserve(self._it, now, advance,
                                                   force))

    @guarded
    def withdraw(self, now: int, number: int) -> None:
        """Withdraws an advance reservation."""
        self._check(lib.fair_sched_advance_cancel(self._it, now, number))

    @guarded
    def set_node(self, set: int, node: int, is_in: bool) -> None:
        """A node goes into a set of nodes, or out of it. Nodes are numbered
        class by class, from 0."""
        self._check(lib.fair_sched_set_node(self._it, set, node, bool(is_in)))

    @guarded
    def node_down(self, now: int, node: int, victims: Sequence[int] = ()
                  ) -> None:
        """A node is lost until node_up(); victims end."""
        victim = ffi.new("uint64_t[]", wholes("victims", victims))
        self._check(lib.fair_sched_node_down(self._it, now, node, victim,
                                             len(victims)))

    @guarded
    def node_up(self, now: int, node: int) -> None:
        """A node is there again."""
        self._check(lib.fair_sched_node_up(self._it, now, node))

    @guarded
    def add_entity(self, now: int, kind: str, id: int) -> None:
        """A user, group, account, QoS or queue joins (option ids)."""
        self._check(lib.fair_sched_add_entity(self._it, now, _kind(kind), id))

    @guarded
    def remove_entity(self, now: int, kind: str, id: int) -> None:
        """It leaves."""
        self._check(lib.fair_sched_remove_entity(self._it, now, _kind(kind),
                                                 id))

    @guarded
    def set_share(self, now: int, kind: str, id: int, share: int) -> None:
        """Its share, from now on."""
        self._check(lib.fair_sched_set_share(self._it, now, _kind(kind), id,
                                             share))

    # Decisions

    @guarded
    def step(self, now: int) -> list[Decision]:
        """Which jobs start now?"""
        started: list[Decision] = []
        while True:
            self._check(lib.fair_sched_step(self._it, now, self._starts, _ROOM,
                                            self._count))
            n = self._count[0]
            started += [Decision(d.number, d.time, d.node_class)
                        for d in self._starts[0:n]]
            if n < _ROOM:
                return started

    @guarded
    def next(self) -> Optional[int]:
        """When to call step() if no event happens before; None: never."""
        return time(lib.fair_sched_next(self._it))

    @guarded
    def next_start(self) -> Optional[int]:
        """next() of a caller that ends each job at its planned end at the
        latest, and reports it."""
        return time(lib.fair_sched_next_start(self._it))

    # Questions

    @guarded
    def status(self, number: int) -> JobStatus:
        """A live job."""
        status = ffi.new("struct fair_job_status *")
        check(lib.fair_sched_lookup(self._it, number, status))
        return _job_status(status)

    @guarded
    def jobs(self, state: str) -> list[JobStatus]:
        """The jobs of a state: queued, running or ineligible."""
        number = -1
        if isinstance(state, str) and "\0" not in state:
            number = lib.fair_state_by_name(state.encode())
        if number < 0:
            raise invalid(f"there is no state '{state}'")
        at = ffi.new("struct fair_queue_place *")
        status = ffi.new("struct fair_job_status *")
        jobs = []
        while lib.fair_sched_each(self._it, number, at, status):
            jobs.append(_job_status(status))
        return jobs

    @guarded
    def nodes(self, number: int) -> dict[int, int]:
        """How many chunks a job has, or is to have, on which node."""
        at, part = ffi.new("uint32_t *"), ffi.new("struct fair_nodes_part *")
        chunks = {}
        while lib.fair_sched_nodes(self._it, number, at, part):
            chunks[part.node] = part.chunks
        return chunks

    @guarded
    def reservations(self) -> list[Reservation]:
        """The advance reservations, by number."""
        a = ffi.new("struct fair_advance *")
        live: list[Reservation] = []
        while lib.fair_sched_advance_get(self._it, len(live), a):
            live.append(Reservation(
                a.number, getattr(a, "from"), a.to, a.procs, a.kind == 0,
                a.node_class))
        return live

    @guarded
    def count(self) -> tuple[int, int, int]:
        """How many jobs are queued, running and ineligible."""
        it = self._it
        return (lib.fair_sched_count(it, 0), lib.fair_sched_count(it, 1),
                lib.fair_sched_count(it, 2))

    def _scratch(self) -> tuple[Any, int]:
        size = lib.fair_sched_fst_size(self._config)
        return allocate(size), size

    @guarded
    def estimate(self, number: int) -> Optional[int]:
        """When a waiting job starts, if no other event happens and jobs run
        for their walltimes; None: never."""
        start = ffi.new("int64_t *")
        memory, size = self._scratch()
        check(lib.fair_sched_estimate(self._it, number, memory, size, start))
        return time(start[0])

    @guarded
    def why(self, number: int) -> str:
        """Why a queued job did not start at the last step, in English."""
        why = ffi.new("struct fair_why *")
        memory, size = self._scratch()
        check(lib.fair_sched_why(self._it, number, memory, size, why))
        length = lib.fair_why_text(why, ffi.NULL, 0) + 1
        chars = ffi.new("char[]", length)
        lib.fair_why_text(why, chars, length)
        return text(chars)

    @guarded
    def entity(self, kind: str, id: int) -> Entity:
        """What is known of a user, account ..."""
        entity = ffi.new("struct fair_entity *")
        check(lib.fair_sched_get_entity(self._it, _kind(kind), id, entity))
        return Entity(entity.id, entity.usage + entity.fraction / 2**64,
                      entity.share)

    @property
    @guarded
    def digest(self) -> str:
        """A hash over all decisions so far."""
        return f"{lib.fair_sched_digest(self._it):016x}"

    @guarded
    def check(self) -> None:
        """Raises if an invariant is broken, which is a fault of the library."""
        broken = lib.fair_sched_check(self._it)
        if broken:
            raise AssertionError(f"invariant {broken} of fairsched.h is broken")

    # Copies

    @guarded
    def clone(self) -> Scheduler:
        """A copy that is independent from then on, and reports no promises."""
        copy = Scheduler.__new__(Scheduler)
        copy._config = ffi.new("struct fair_config *", self._config[0])
        copy._keep = self._keep
        copy._call(None, self._fits)
        copy._allocate()
        check(lib.fair_sched_clone(copy._state, copy._memory, copy._size,
                                   self._it))
        copy._state.config.context = copy._handle
        return copy

    @guarded
    def save(self) -> bytes:
        """A checkpoint that any machine can load."""
        size = lib.fair_sched_checkpoint_size(self._it)
        checkpoint = allocate(size)
        check(lib.fair_sched_save(self._it, checkpoint, size))
        return bytes(ffi.buffer(checkpoint, size))

    @classmethod
    def load(cls, checkpoint: bytes, policy: str = "conservative",
             procs: int = 1, *, jobs: int = 1000, order: str = "fcfs",
             promised: Optional[Promised] = None, fits: Optional[Fits] = None,
             machine: Optional[Machine] = None,
             nodes: Optional[Nodes] = None, **options: Any) -> Scheduler:
        """Goes on from a checkpoint, with the configuration of then; there is
        room for as many jobs as then."""
        s = cls.__new__(cls)
        s._open(policy, procs, order, promised, fits,
                dict(options, jobs=jobs, machine=machine, nodes=nodes))
        was = ffi.new("struct fair_config *")
        damage = ffi.new("int *")
        if not lib.fair_sched_checkpoint_config(checkpoint, len(checkpoint),
                                                was, damage):
            s._config.jobs = max(s._config.jobs, was.jobs)
        s._allocate()
        code = lib.fair_sched_load(s._state, s._struct, s._memory, s._size,
                                   s._config, checkpoint, len(checkpoint),
                                   damage)
        if damage[0]:
            chars = ffi.new("char[]", 128)
            lib.fair_damage_text(damage[0], s._config, checkpoint,
                                 len(checkpoint), chars, 128)
            raise invalid(text(chars))
        s._check(code)
        return s


class _Callbacks:
    def __init__(self, scheduler: Scheduler, promised: Optional[Promised],
                 fits: Optional[Fits]):
        self.scheduler, self.promised, self.fits = scheduler, promised, fits


@ffi.def_extern()  # type: ignore[untyped-decorator]
def fair_python_promised(context: Any, promise: Any) -> None:
    callbacks = ffi.from_handle(context)
    try:
        callbacks.promised(Promise(
            promise.number, promise.made, time(promise.to),
            time(getattr(promise, "from")),
            text(lib.fair_cause_name(promise.cause))))
    except BaseException as exception:  # the event raises it
        callbacks.scheduler._raised = exception


@ffi.def_extern()  # type: ignore[untyped-decorator]
def fair_python_fits(context: Any, job: Any, start: int, end: int) -> int:
    callbacks = ffi.from_handle(context)
    try:
        since = callbacks.fits(Start(
            job.number, job.procs, job.walltime,
            job.classes[0] if job.class_count else 0, start, end))
        if since is None:
            return FOREVER
        return min(max(whole("what fits returns", since), -FOREVER), FOREVER)
    except BaseException as exception:  # the step raises it
        callbacks.scheduler._raised = exception
        return start + 1
