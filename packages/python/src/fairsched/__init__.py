# SPDX-License-Identifier: MIT OR Unlicense
"""Which parallel job starts when, and fairly: batch scheduling policies."""
from ._library import (FOREVER, Error, InvalidError, NoRoomError, NotFoundError,
                       PastError, RangeError, TooLargeError, lib, text)
from .config import Machine, Nodes
from .profile import Profile, Step
from .scheduler import (Decision, Entity, JobStatus, Promise, Reservation,
                        Scheduler, Start, Wait)
from .simulation import simulate
from .usage import Usage

__version__ = text(lib.fair_version())
__all__ = [
    "Decision", "Entity", "Error", "FOREVER", "InvalidError", "JobStatus",
    "Machine", "NoRoomError", "Nodes", "NotFoundError", "PastError", "Profile",
    "Promise", "RangeError", "Reservation", "Scheduler", "Start", "Step",
    "TooLargeError", "Usage", "Wait", "simulate",
]
