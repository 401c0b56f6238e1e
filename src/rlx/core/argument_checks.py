"""Checks of non-tensor arguments: paths, dicts by name, functions. Each raises an error that names the argument."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from rlx.core.errors import RlxError, did_you_mean

P = ParamSpec("P")
R = TypeVar("R")


def check_is(value: object, kind: type | tuple[type, ...], code: str, what: str, fix: str) -> None:
    """Check what the annotations say, for callers without a type checker."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise RlxError(code, f"{what} is {value!r:.60}", fix=fix)


def check_count(value: Any, code: str, what: str, fix: str = "an integer, 1 or more") -> None:
    """Check that it is a positive integer.

    >>> check_count(0, "RLX902", "batch")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rlx.core.errors.RlxError: [RLX902] batch is 0...
    """
    integer = isinstance(value, int) or hasattr(value, "__index__")
    if not integer or isinstance(value, bool) or int(value) < 1:
        raise RlxError(code, f"{what} is {value!r:.60}", fix=fix)


def check_options(names: Iterable[str], known: Iterable[str], what: str, code: str) -> None:
    """Check that every name of an option is known; a misspelled one is answered with the closest.

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
    """A function whose unknown keyword arguments are an error that names the closest one, before it runs."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = inspect.signature(function).parameters.values()
        known = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY]
        every = {each.name for each in parameters}

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if not kwargs.keys() <= every:
                check_options([name for name in kwargs if name not in every], known, what, code)
            return function(*args, **kwargs)

        return checked

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
    """Arrays by name are a dict."""
    if not isinstance(given, Mapping):
        raise RlxError("RLX504", f"{what} must be a dict by name, not a {type(given).__name__}", fix="{name: array, …}")


def check_names(given: Any, what: str) -> list[str]:
    """A list of names."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise RlxError("RLX109", f"{what} are {given!r:.60}", fix="a list of names")
    return list(given)


def check_function(function: Any, what: str) -> None:
    """A function, as transforms and jit require."""
    if not callable(function):
        raise RlxError(
            "RLX105", f"{what} of {function!r:.60}, which is not a function", fix=f"{what}(function) returns a function; call that"
        )
