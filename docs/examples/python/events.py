#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: events.py LIBRARY

Each event of the scheduler from Python; LIBRARY is ../foreign.c as a shared
object. A site with users of any numbers, one of whom gets a credit.
"""
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
P, I32, I64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
U32, U64, TEXT = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_char_p
NONE = 2**32 - 1
for result, name, *arguments in [
    (ctypes.c_size_t, "foreign_size", TEXT),
    (ctypes.c_int, "foreign_set", P, TEXT, I64),
    (I64, "foreign_get", P, TEXT),
    (ctypes.c_size_t, "foreign_config_words", P),
    (P, "foreign_config_open", P, P),
    (ctypes.c_int, "foreign_load", P, P, P, ctypes.c_size_t),
    (I64, "foreign_start", P, I64),
    (ctypes.c_int, "fair_policy_by_name", TEXT),
    (ctypes.c_int, "fair_order_by_name", TEXT),
    (TEXT, "fair_state_name", U32),
    (TEXT, "fair_strerror", ctypes.c_int),
    (ctypes.c_size_t, "fair_sched_checkpoint_size", P),
    (ctypes.c_int, "fair_sched_save", P, P, ctypes.c_size_t),
]:
    getattr(lib, name).restype = result
    getattr(lib, name).argtypes = arguments
for name, *arguments in [
    ("submit", P, I64, P), ("submit_ineligible", P, I64, P, P),
    ("defer", P, I64, U64, P), ("requeue", P, I64, U64),
    ("finish", P, I64, U64), ("cancel", P, I64, U64),
    ("finish_many", P, I64, P, P, ctypes.c_size_t),
    ("refuse_until", P, I64, U64, I64),
    ("modify", P, I64, U64, I32, I64),
    ("capacity", P, I64, I32, P, ctypes.c_size_t),
    ("advance_reserve", P, I64, P, ctypes.c_bool),
    ("advance_cancel", P, I64, U64), ("refuse", P, I64, U64),
    ("retry", P, I64, U64), ("pass_time", P, I64),
    ("replan", P, I64), ("lookup", P, U64, P),
    ("add_entity", P, I64, U32, U64), ("remove_entity", P, I64, U32, U64),
    ("set_share", P, I64, U32, U64, I64), ("set_usage", P, I64, U32, U64, U64),
    ("credit", P, I64, U32, U64, U64, U32), ("reset_usage", P, I64),
    ("set_half_life", P, I64, I64), ("set_window", P, I64, I64, U64),
    ("set_credential", P, I64, U32, U64, P),
    ("class_capacity", P, I64, U32, U32, I32, P, ctypes.c_size_t),
    ("tree_add_account", P, I64, U32, U32, U32),
    ("tree_add_user", P, I64, U32, U32, U32), ("tree_remove", P, I64, U32),
    ("tree_move", P, I64, U32, U32), ("tree_set_shares", P, I64, U32, U32),
    ("get_entity", P, U32, U64, P),
    ("reassign", P, I64, U64, P), ("reprioritize", P, I64, U64), ("replan", P, I64),
    ("set_penalty", P, I64, U64, I64),
    ("split_task", P, I64, U64), ("limit_tasks", P, I64, U64, U32),
    ("exit", P, I64, U64, I32), ("suspend", P, I64, U64),
    ("resume_job", P, I64, U64), ("resize", P, I64, U64, P),
    ("submit_dependent", P, I64, P, P, P), ("depend", P, I64, U64, P, P, P),
]:
    getattr(lib, "fair_sched_" + name).restype = ctypes.c_int
    getattr(lib, "fair_sched_" + name).argtypes = arguments


def make(what, **values):
    words = (U64 * ((lib.foreign_size(what.encode()) + 7) // 8))()
    for field, value in values.items():
        if not lib.foreign_set(words, f"{what}.{field}".encode(), value):
            sys.exit(f"{what}.{field}?")
    return words


def call(name, *arguments):
    error = getattr(lib, "fair_sched_" + name)(*arguments)
    if error:
        sys.exit(f"{name}: {lib.fair_strerror(error).decode()}")


def site(**values):
    config = make("config", procs=8, jobs=10, **values)
    memory = (U64 * lib.foreign_config_words(config))()
    sched = lib.foreign_config_open(memory, config)
    if not sched:
        sys.exit("no such site")
    return sched, memory


def tree():
    """Physics has a user, and chemistry one with twice its shares."""
    root = 2**32 - 1
    sched, _memory = site(policy=lib.fair_policy_by_name(b"backfill"),
                          order=lib.fair_order_by_name(b"tree"), users=5,
                          half_life=86400)
    call("tree_add_account", sched, 0, 3, root, 1)
    call("tree_add_account", sched, 0, 4, root, 1)
    call("tree_add_user", sched, 0, 0, 3, 1)
    call("tree_add_user", sched, 0, 1, 3, 1)
    call("tree_add_user", sched, 0, 2, 3, 1)
    call("tree_move", sched, 0, 1, 4)
    call("tree_set_shares", sched, 0, 4, 2)
    call("tree_remove", sched, 0, 2)
    for number in 1, 2:
        call("submit", sched, 0, make("job", number=number, user=number - 1,
                                      walltime=9, procs=8))
    print("by the tree job", lib.foreign_start(sched, 0))


def maui():
    """The second of two users is no longer allowed to wait first."""
    config, credential = make("maui"), make("credential")
    lib.foreign_maui_defaults(config)
    lib.foreign_credential_defaults(credential)
    for field, value in ("usage", 1), ("users", 2), ("interval", 3600):
        lib.foreign_set(config, b"maui." + field.encode(), value)
    sched, _memory = site(policy=lib.fair_policy_by_name(b"maui"),
                          maui=ctypes.addressof(config))
    lib.foreign_set(credential, b"credential.hard.procs", 4)
    call("set_credential", sched, 0, 0, 1, credential)
    call("set_window", sched, 0, 7200, 1 << 31)
    call("submit", sched, 0, make("job", number=1, user=1, walltime=9, procs=4,
                                  group=NONE, account=NONE, qos=NONE,
                                  queue=NONE))
    print("by Maui job", lib.foreign_start(sched, 0))


def classes():
    amount = (I32 * 2)(4, 4)
    machine = make("machine", resources=1, classes=2,
                   amount=ctypes.addressof(amount))
    sched, _memory = site(policy=lib.fair_policy_by_name(b"conservative"),
                          machine=ctypes.addressof(machine))
    call("class_capacity", sched, 0, 0, 0, -4, None, 0)
    call("submit", sched, 0, make("job", number=1, walltime=9, procs=4))
    print("in the second class job", lib.foreign_start(sched, 0))


def shares():
    sched, _memory = site(policy=lib.fair_policy_by_name(b"relshare"),
                          users=2, window=3600, ids=2)
    for who in 70, 80:
        call("add_entity", sched, 0, 0, who)
    call("remove_entity", sched, 0, 0, 80)
    call("add_entity", sched, 0, 0, 90)
    call("set_share", sched, 0, 0, 90, 3)
    call("submit", sched, 0, make("job", number=1, user=90, walltime=9, procs=8,
                                  group=NONE, account=NONE, qos=NONE,
                                  queue=NONE))
    lib.foreign_start(sched, 0)
    call("requeue", sched, 5, 1)
    lib.foreign_start(sched, 6)
    call("finish", sched, 8, 1)
    call("finish_many", sched, 8, None, None, 0)
    call("reset_usage", sched, 8)


def keys():
    """Later jobs first, until the order changes."""
    sign = [-1]

    @ctypes.CFUNCTYPE(I64, P, P)
    def key(_context, job):
        return sign[0] * lib.foreign_get(job, b"job.number")

    sched, _memory = site(policy=lib.fair_policy_by_name(b"fcfs"),
                          order=lib.fair_order_by_name(b"key"),
                          key=ctypes.cast(key, P).value)
    for number in 1, 2:
        call("submit", sched, 0, make("job", number=number, walltime=9,
                                      procs=8))
    sign[0] = 1
    for number in 1, 2:
        call("reprioritize", sched, 0, number)
    call("pass_time", sched, 5)
    call("replan", sched, 5)
    print("by key job", lib.foreign_start(sched, 5))


def main():
    user, group, account = 0, 1, 2
    ann, bob = 2**40 + 7, 2**63 - 1
    config = make("config", policy=lib.fair_policy_by_name(b"backfill"),
                  order=lib.fair_order_by_name(b"usage"), procs=8, jobs=10,
                  ineligible=5, advances=2, users=4, half_life=86400, ids=4,
                  credits=2, dependencies=1, task_limits=1)
    memory = (U64 * lib.foreign_config_words(config))()
    sched = lib.foreign_config_open(memory, config)
    for kind in user, group, account:
        for owner in ann, bob:
            call("add_entity", sched, 0, kind, owner)
    job = {"walltime": 100, "procs": 8}
    for number, owner in (1, ann), (2, ann), (3, bob):
        call("submit", sched, 0, make("job", number=number, user=owner, **job))
    call("submit_ineligible", sched, 0, make("job", number=4, user=bob, **job),
         make("eligibility", held=1))
    call("submit", sched, 0, make("job", number=5, user=ann, tasks=3, **job))
    call("limit_tasks", sched, 0, 5, 1)
    call("split_task", sched, 0, 6)
    call("cancel", sched, 0, 6)
    after = make("dependency", after=3, end=2)
    both = make("dependencies", on=ctypes.addressof(after), count=1)
    call("submit_dependent", sched, 0, make("job", number=9, user=bob, **job),
         None, both)
    call("depend", sched, 0, 9, None, None, None)
    call("cancel", sched, 0, 9)
    call("reassign", sched, 0, 4, make("job", user=ann))
    call("set_penalty", sched, 0, 4, 9 << 20)
    call("defer", sched, 0, 4, None)
    call("modify", sched, 0, 4, 4, 50)
    call("advance_reserve", sched, 0,
         make("advance", number=1, **{"from": 1000, "to": 2000}, procs=4),
         False)
    call("advance_cancel", sched, 5, 1)
    print("start", lib.foreign_start(sched, 5))
    call("refuse", sched, 5, 1)
    call("retry", sched, 6, 1)
    print("start", lib.foreign_start(sched, 6))
    call("refuse_until", sched, 6, 1, 9)
    call("retry", sched, 7, 1)
    print("start", lib.foreign_start(sched, 7))
    call("capacity", sched, 7, 2, None, 0)
    call("resize", sched, 50, 1, make("job", procs=6))
    call("suspend", sched, 60, 1)
    call("resume_job", sched, 60, 1)
    print("start", lib.foreign_start(sched, 60))
    call("exit", sched, 106, 3, 0)
    call("credit", sched, 106, user, ann, 800, 1)
    call("set_usage", sched, 106, user, bob, 5000)
    call("set_half_life", sched, 106, 43200)
    print("start", lib.foreign_start(sched, 106))
    size = lib.fair_sched_checkpoint_size(sched)
    checkpoint = ctypes.create_string_buffer(size)
    call("save", sched, checkpoint, size)
    call("cancel", sched, 107, 2)
    lib.foreign_set(config, b"config.users", 5)
    lib.foreign_set(config, b"config.half_life", 43200)
    again = (U64 * lib.foreign_config_words(config))()
    if lib.foreign_load(again, config, checkpoint, size):
        sys.exit("load")
    status, entity = make("status"), make("entity")
    call("lookup", again, 2, status)
    print("job 2", lib.fair_state_name(
        lib.foreign_get(status, b"status.state")).decode())
    call("get_entity", again, user, bob, entity)
    print("usage of bob", lib.foreign_get(entity, b"entity.usage"))
    tree()
    maui()
    classes()
    shares()
    keys()


main()
