"""Errors that help: a code, expected and actual, the user's line, and a fix.

Every error a user can see is raised through :class:`RlxError` with a code of `error_codes.py`. The checks of arguments that are not
tensors (paths, dicts by name, functions) are here too.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, ParamSpec, Self, TypeVar

from rlx.core.error_codes import ERRORS

PACKAGE_FOLDER = str(Path(__file__).resolve().parent.parent)
LIBRARY_FOLDER = str(Path(linecache.__file__).resolve().parent)


def did_you_mean(given: object, known: Iterable[str]) -> str:
    """`did you mean 'softmax'?` if a known name is close to the given one (ignoring case), else an empty string.

    >>> did_you_mean("X", ["x", "y"]), did_you_mean("softmaxx", ["softmax", "tanh"]), did_you_mean("q", ["x"])
    ("did you mean 'x'?", "did you mean 'softmax'?", '')
    """
    from difflib import get_close_matches  # only once something was misspelt

    names = list(known)
    text = str(given)
    same = [name for name in names if name.lower() == text.lower()]
    close = same or get_close_matches(text, names, n=1, cutoff=0.7)
    return f"did you mean {close[0]!r}?" if close else ""


@dataclass(frozen=True)
class Location:
    """A place in the user's source."""

    file: str
    line: int

    def source(self) -> str:
        """The text of the source line, empty when it is not available."""
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line}"


def user_location() -> Location | None:
    """The innermost frame outside this package and Python's standard library: the line the user wrote."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_users(frame):
            return Location(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


JAX_LIBRARIES = ("jax", "jaxlib", "optax", "equinox", "flax")
"""JAX and libraries on top of it, whose functions a user may call on what RLX traces."""


def _is_users(frame: FrameType) -> bool:
    """Whether a file is user code: not this package, code generated for it (a dataclass's `__init__`), the standard library, or JAX."""
    file = frame.f_code.co_filename
    if file.startswith(PACKAGE_FOLDER):
        return False
    if str(frame.f_globals.get("__name__", "")).split(".")[0] in JAX_LIBRARIES:
        return False
    if file == "<string>":
        return not str(frame.f_globals.get("__name__", "")).startswith("rlx.")
    return not file.startswith(LIBRARY_FOLDER) or "-packages" in file


class RlxError(Exception):
    """An error with a code, the user's line and a fix. Wrong shapes are a ValueError too, wrong positions an IndexError, wrong axes both.

    >>> try:
    ...     raise RlxError("RLX105", "k of top_k is 0", fix="k is at least 1", at=None)
    ... except RlxError as error:
    ...     print(error)
    [RLX105] k of top_k is 0
      fix: k is at least 1
    """

    def __new__(cls, code: str, *args: Any, **kwargs: Any) -> Self:
        kind = _PYTHON_KINDS.get(code, cls) if cls is RlxError else cls
        return Exception.__new__(kind, code, *args)  # type: ignore[return-value]

    def __init__(self, code: str, message: str, *, fix: str | None = None, at: Location | str | None = "caller") -> None:
        if code not in ERRORS:
            raise KeyError(f"error code {code} is not in the table")
        self.code = code
        self.message = message
        self.fix = fix or ERRORS[code].help
        self.location = user_location() if isinstance(at, str) else at
        super().__init__(message)

    def __str__(self) -> str:
        lines = [f"[{self.code}] {self.message}"]
        if self.location is not None:
            source = self.location.source()
            lines.append(f"  at {self.location}" + (f": {source}" if source else ""))
        lines.append(f"  fix: {self.fix}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args, dict(self.__dict__))


def _rebuilt(kind: type[RlxError], arguments: tuple[Any, ...], state: dict[str, Any]) -> RlxError:
    """Rebuilds an error from another process, with the location it had there."""
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(state)
    return error


class ShapeError(RlxError, ValueError):
    """Shapes that do not fit: a ValueError, as in NumPy."""


class AxisError(RlxError, ValueError, IndexError):
    """An axis that does not exist: a ValueError and an IndexError, as in NumPy."""


class PositionError(RlxError, IndexError):
    """An index that is out of range or of the wrong kind: an IndexError, as in NumPy."""


_PYTHON_KINDS: dict[str, type[RlxError]] = {
    "RLX102": ShapeError,
    "RLX104": AxisError,
    "RLX106": ShapeError,
    "RLX115": PositionError,
}


class UnknownAttribute(RlxError, AttributeError):
    """A misspelled name on an object: an AttributeError for `hasattr` and `getattr`, with a fix for the user."""


def unknown_attribute(owner: object, name: str) -> AttributeError:
    """Returns the error for `__getattr__` to raise. Names of Python's own protocols, for copy and pickle, get a plain AttributeError.

    >>> unknown_attribute("text", "spilt").fix
    "did you mean 'split'?"
    """
    what = f"{type(owner).__name__} has no {name!r}"
    if name.startswith("_"):
        return AttributeError(what)
    known = [each for each in dir(type(owner)) if not each.startswith("_")]
    if name in known:  # a property that failed: Python hides its error and looks the name up here
        return UnknownAttribute("RLX113", f"{what} now: computing it failed", fix="report this as a bug")
    return UnknownAttribute("RLX113", what, fix=did_you_mean(name, known) or f"`help({type(owner).__name__})` lists its methods")


class LowerError(RlxError):
    """A HIR block with the wrong number of inputs.

    >>> error = LowerError("hir.linear", 2, 3)
    >>> error.code, error.op, error.expected, error.got
    ('RLX401', 'hir.linear', 2, 3)
    """

    def __init__(self, op: str, expected: int | str, got: int, *, at: Location | str | None = "caller") -> None:
        self.op, self.expected, self.got = op, expected, got
        super().__init__("RLX401", f"{op} takes {expected} inputs, got {got}", at=at)


# -- checks of arguments: each raises an error that names the argument


P = ParamSpec("P")
R = TypeVar("R")


def check_is(value: object, kind: type | tuple[type, ...], code: str, what: str, fix: str) -> None:
    """Checks that an argument has its annotated type, for callers without a type checker."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise RlxError(code, f"{what} is {value!r:.60}", fix=fix)


def check_count(value: Any, code: str, what: str, fix: str = "an integer, 1 or more") -> None:
    """Checks that an argument is a positive integer.

    >>> check_count(0, "RLX902", "batch")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rlx.core.errors.RlxError: [RLX902] batch is 0...
    """
    integer = isinstance(value, int) or hasattr(value, "__index__")
    if not integer or isinstance(value, bool) or int(value) < 1:
        raise RlxError(code, f"{what} is {value!r:.60}", fix=fix)


def check_options(names: Iterable[str], known: Iterable[str], what: str, code: str) -> None:
    """Checks that every option name is known; the error for a misspelled one suggests the closest.

    >>> check_options(["contxt"], ["context", "batch"], "Engine", "RLX902")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rlx.core.errors.RlxError: [RLX902] Engine has no option 'contxt'...
      fix: did you mean 'context'?
    """
    listed = list(known)
    for name in names:
        if name not in listed:
            fix = did_you_mean(name, listed) or f"its options: {', '.join(listed)}"
            raise RlxError(code, f"{what} has no option {name!r}", fix=fix)


def with_known_options(what: str, code: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Wraps a function: unknown keyword arguments raise an error that suggests the closest name, before the function runs."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = inspect.signature(function).parameters.values()
        known = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
        every = {each.name for each in parameters}

        @functools.wraps(function)
        def check_and_call(*args: P.args, **kwargs: P.kwargs) -> R:
            if not kwargs.keys() <= every:
                check_options([name for name in kwargs if name not in every], known, what, code)
            return function(*args, **kwargs)

        return check_and_call

    return decorate


def as_path(path: Any, what: str) -> Path:
    """The path of a file.

    >>> as_path("model.rlx", "load").name
    'model.rlx'
    """
    if isinstance(path, str) and not path:
        raise RlxError("RLX303", f"{what}: the path is empty", fix="the path of a file")
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise RlxError("RLX303", f"{what}: {path!r:.60} is not a path", fix="the path of a file, as a str or a pathlib.Path")
    return Path(path)


def check_by_name(given: Any, what: str) -> None:
    """Checks that arrays by name are given as a dict."""
    if not isinstance(given, Mapping):
        raise RlxError("RLX504", f"{what} must be a dict by name, not a {type(given).__name__}", fix="{name: array, …}")


def check_names(given: Any, what: str) -> list[str]:
    """Checks that an argument is a list of names."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise RlxError("RLX109", f"{what} are {given!r:.60}", fix="a list of names")
    return list(given)


def check_function(function: Any, what: str) -> None:
    """Checks that an argument is a function, as transforms and jit require."""
    if not callable(function):
        raise RlxError(
            "RLX105", f"{what} of {function!r:.60}, which is not a function", fix=f"{what}(function) returns a function; call that"
        )


def count_of(count: int, noun: str) -> str:
    """
    >>> count_of(1, "token"), count_of(2, "token")
    ('1 token', '2 tokens')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
