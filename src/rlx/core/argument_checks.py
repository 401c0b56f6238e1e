"""Checks of non-tensor arguments: paths, dicts by name, functions. Each raises an error that names the argument."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rlx.core.errors import RlxError

__all__ = ["as_path", "check_by_name", "check_function", "check_is", "check_names"]


def check_is(value: object, kind: type | tuple[type, ...], code: str, what: str, fix: str) -> None:
    """Check what the annotations say, for callers without a type checker."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
        raise RlxError(code, f"{what} is {value!r:.60}", fix=fix)


def as_path(path: Any, what: str) -> Path:
    """The path of a file.

    >>> as_path("model.rlx", "load").name
    'model.rlx'
    """
    if isinstance(path, str) and not path:
        raise RlxError("RLX303", f"{what}: the path is empty", fix="the path of a file")
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        raise RlxError(
            "RLX303", f"{what}: {path!r:.60} is not a path", fix="the path of a file, as a str or a pathlib.Path"
        )
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
            "RLX105",
            f"{what} of {function!r:.60}, which is not a function",
            fix=f"{what}(function) returns a function; call that",
        )
