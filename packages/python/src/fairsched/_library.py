# SPDX-License-Identifier: MIT OR Unlicense
"""The library, its errors as exceptions, and memory for its structures."""
from __future__ import annotations

import functools
import inspect
import operator
import threading
from typing import Any, Callable, Iterable, Optional, Type, TypeVar, cast

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


def error(code: int, detail: str = "", why: str = "") -> Error:
    """The exception for an error number of the library, and perhaps why."""
    exception = _ERRORS.get(abs(code), Error)(
        detail + (why or text(lib.fair_strerror(code))))
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


def whole(name: str, value: Any) -> int:
    """An argument as an integer. C would round a Decimal, and take a duration
    of NumPy for a number, whatever its unit."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, not an integer; times are whole "
                        "seconds") from None


def wholes(name: str, values: Iterable[Any]) -> list[int]:
    """Each of them."""
    return [whole(name, value) for value in values]


Method = TypeVar("Method", bound=Callable[..., Any])
Self = TypeVar("Self", bound="Closable")


def guarded(method: Method) -> Method:
    """One call of an object at a time: other threads wait, but a call out of a
    call of the same thread, as a callback makes it, is an error. What is
    annotated as an integer is one."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    integer = {p.name: p.annotation in ("int", "Optional[int]")
               for p in parameters}
    fields = any(integer[p.name] for p in parameters if p.kind is p.VAR_KEYWORD)

    def see(name: str, value: Any) -> None:
        if type(value) is not int and value is not None and (
                integer.get(name, fields)):
            whole(name, value)

    @functools.wraps(method)
    def call(self: Any, *arguments: Any, **named: Any) -> Any:
        for name, value in zip(integer, arguments):
            see(name, value)
        for name, value in named.items():
            see(name, value)
        with self._lock:
            if self._busy:
                raise self._in_use()
            try:
                self._busy = True
                return method(self, *arguments, **named)
            finally:
                self._busy = False
    return cast(Method, call)


class Closable:
    """What has memory of the library: `with` returns it at the end."""

    _memory: Any = None
    _state: Any = None
    _busy = False
    _lock: threading.RLock

    def __new__(cls: Type[Self], *_: object, **__: object) -> Self:
        self = super().__new__(cls)
        self._lock = threading.RLock()
        return self

    @property
    def _it(self) -> Any:
        assert self._busy, "a method is not guarded"
        if self._memory is None:
            raise invalid(f"the {type(self).__name__} is closed")
        return self._state

    def _in_use(self) -> InvalidError:
        return invalid(f"the {type(self).__name__} is in use: a call of it has "
                       "not returned")

    def close(self) -> None:
        """Returns its memory; it cannot be used any more. It is an error while a
        call runs, be it in another thread."""
        if not self._lock.acquire(blocking=False):
            raise self._in_use()
        try:
            self._free()
        finally:
            self._lock.release()

    @guarded
    def _free(self) -> None:
        self._memory = self._state = None

    def __exit__(self, *exception: object) -> None:
        self.close()
