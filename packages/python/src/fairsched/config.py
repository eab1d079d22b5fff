# SPDX-License-Identifier: MIT OR Unlicense
"""A configuration of the scheduler, from keyword arguments."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence

from ._library import ffi, invalid, lib, text, whole, wholes


@dataclass(frozen=True)
class Machine:
    """Several resources and node classes: `amount` has a row for each class,
    with its amount of each resource; the first resource is processors. The
    bits of `wide` are the resources of the whole machine."""

    amount: Sequence[Sequence[int]]
    wide: int = 0


@dataclass(frozen=True)
class Nodes:
    """Nodes of a Machine: `count` has how many each class has. There are
    `sets` of them, numbered from 1; `parts` is how many nodes all live jobs may
    hold together."""

    count: Sequence[int]
    sets: int = 0
    parts: int = 0
    first_fit: bool = False


def _number(name: str, by_name: Any, what: str) -> int:
    number = -1
    if isinstance(name, str) and "\0" not in name:
        number = by_name(name.encode())
    if number < 0:
        raise invalid(f"there is no {what} '{name}'")
    return int(number)


def policy_number(config: Any, name: str) -> None:
    """easy is backfill with one reservation."""
    if name == "easy":
        name, config.depth = "backfill", config.depth or 1
    config.policy = _number(name, lib.fair_policy_by_name, "policy")


def make_config(policy: str, procs: int, order: str, options: dict[str, Any]
                ) -> tuple[Any, list[Any]]:
    """struct fair_config, and what it points to, which must live as long."""
    config = ffi.new("struct fair_config *")
    keep: list[Any] = [config]
    fields = {name for name, kind in ffi.typeof("struct fair_config").fields
              if kind.type.kind == "primitive"}
    machine, nodes = options.pop("machine", None), options.pop("nodes", None)
    for name, value in options.items():
        if name == "target":
            keep.append(ffi.new("int64_t[]", wholes(name, value)))
            config.target, config.accounts = keep[-1], len(value)
        elif name == "share":
            keep.append(ffi.new("uint32_t[]", wholes(name, value)))
            config.share, config.users = keep[-1], len(value)
        elif name == "patience":  # C has 0 for the default, and -1 for 0
            if value is not None:
                value = whole(name, value)
                config.patience = value if value > 0 else value - 1
        elif name in fields and not name.startswith("_"):
            setattr(config, name, whole(name, value))
        else:
            raise TypeError(f"there is no option '{name}'")
    # The library reads as many as these say.
    for name, count in (("target", config.accounts), ("share", config.users)):
        if options.get(name) is not None and len(options[name]) != count:
            raise invalid(f"{name} has {len(options[name])} numbers, not {count}")
    policy_number(config, policy)
    config.order = _number(order, lib.fair_order_by_name, "order")
    config.procs = whole("procs", procs)
    if machine is not None:
        _add_machine(config, keep, machine)
    if nodes is not None:
        _add_nodes(config, keep, nodes)
    problem = lib.fair_sched_config_error(config)
    if problem:
        raise invalid(text(problem))
    return config, keep


def _add_machine(config: Any, keep: list[Any], machine: Machine) -> None:
    if not isinstance(machine, Machine):
        raise invalid("machine is not a Machine")
    rows = [wholes("amount", row) for row in machine.amount]
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise invalid("amount is not a row for each class, all of one length")
    keep.append(ffi.new("int32_t[]", sum(rows, [])))
    keep.append(ffi.new("struct fair_machine_config *", {
        "resources": len(rows[0]), "classes": len(rows),
        "wide": whole("wide", machine.wide), "amount": keep[-1]}))
    config.machine = keep[-1]


def _add_nodes(config: Any, keep: list[Any], nodes: Nodes) -> None:
    if not isinstance(nodes, Nodes):
        raise invalid("nodes is not a Nodes")
    if not config.machine or len(nodes.count) != config.machine.classes:
        raise invalid("nodes has not a count for each class of the machine")
    keep.append(ffi.new("int32_t[]", wholes("count", nodes.count)))
    keep.append(ffi.new("struct fair_node_config *", {
        "count": keep[-1], "sets": whole("sets", nodes.sets),
        "parts": whole("parts", nodes.parts),
        "first_fit": bool(nodes.first_fit)}))
    config.nodes = keep[-1]
