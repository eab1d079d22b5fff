# SPDX-License-Identifier: MIT OR Unlicense
"""Which parallel job starts when, and fairly: batch scheduling policies."""
from ._library import (Error, InvalidError, NoRoomError, NotFoundError,
                       PastError, RangeError, TooLargeError, lib, text)
from .config import Machine
from .profile import Profile, Step
from .scheduler import (Decision, Entity, JobStatus, Promise, Scheduler, Wait)
from .simulation import simulate
from .usage import Usage

__version__ = text(lib.fair_version())
__all__ = [
    "Decision", "Entity", "Error", "InvalidError", "JobStatus", "Machine",
    "NoRoomError", "NotFoundError", "PastError", "Profile", "Promise",
    "RangeError", "Scheduler", "Step", "TooLargeError", "Usage", "Wait",
    "simulate",
]
