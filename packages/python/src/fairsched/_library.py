# SPDX-License-Identifier: MIT OR Unlicense
"""The library, its errors as exceptions, and memory for its structures."""
from __future__ import annotations

from typing import Any, Optional, Type

from ._native import ffi, lib  # type: ignore[import-not-found]

FOREVER: int = lib.FAIR_FOREVER


class Error(Exception):
    """An error of the library. `code` is its number, the text is its text."""

    code = 0


class NotFoundError(Error, LookupError):
    """There is no such job, advance reservation, user or account."""


class InvalidError(Error, ValueError):
    """An argument or a configuration is not valid."""


class PastError(Error, ValueError):
    """The time is before the present."""


class NoRoomError(Error):
    """The configuration holds no more."""


class RangeError(Error, ValueError):
    """More is asked for than the machine or a limit allows."""


class TooLargeError(Error, OverflowError):
    """A number is too large."""


_ERRORS: dict[int, Type[Error]] = {
    2: NotFoundError,
    12: NoRoomError,
    22: InvalidError,
    28: NoRoomError,
    34: RangeError,
    62: PastError,
    75: TooLargeError,
}


def text(chars: Any) -> str:
    """A string of the library."""
    string = ffi.string(chars)
    assert isinstance(string, bytes)
    return string.decode()


def error(code: int, detail: str = "") -> Error:
    """The exception for an error number of the library."""
    exception = _ERRORS.get(abs(code), Error)(
        detail + text(lib.fair_strerror(code)))
    exception.code = abs(code)
    return exception


def invalid(message: str) -> InvalidError:
    """An error of an argument, told in more detail than its number."""
    exception = InvalidError(message)
    exception.code = 22
    return exception


def check(code: int) -> None:
    """Raises what the library returned, if it is an error."""
    if code:
        raise error(code)


def time(seconds: int) -> Optional[int]:
    """A time of the library; None: never."""
    return None if seconds == FOREVER else seconds


def allocate(size: int) -> Any:
    """Memory that lives as long as what is returned."""
    try:
        return ffi.new_allocator(should_clear_after_alloc=False)("char[]", size)
    except (MemoryError, OverflowError):
        exception = NoRoomError("there is not enough memory")
        exception.code = 12
        raise exception from None


class Closable:
    """What has memory of the library: `with` returns it at the end."""

    def __init__(self) -> None:
        self._memory: Any = None
        self._state: Any = None

    @property
    def _it(self) -> Any:
        if self._memory is None:
            raise invalid(f"the {type(self).__name__} is closed")
        return self._state

    def close(self) -> None:
        """Returns its memory; it cannot be used any more."""
        self._memory = self._state = None

    def __exit__(self, *exception: object) -> None:
        self.close()
