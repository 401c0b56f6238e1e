"""Checks of what callers pass that is no tensor: paths, dicts by name, functions. Each gives an error that names it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rlx.core.errors import RlxError

__all__ = ["as_path", "check_by_name", "check_function", "check_is", "check_names"]


def check_is(value: object, kind: type | tuple[type, ...], code: str, what: str, fix: str) -> None:
    """What annotations say and callers without a type checker may not know."""
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
            "RLX303", f"{what}: {path!r:.60} is no path", fix="the path of a file, as a str or a pathlib.Path"
        )
    return Path(path)


def check_by_name(given: Any, what: str) -> None:
    """Arrays by name are a dict."""
    if not isinstance(given, Mapping):
        raise RlxError(
            "RLX504", f"{what} come as a {type(given).__name__}, not as a dict by name", fix="{name: array, …}"
        )


def check_names(given: Any, what: str) -> list[str]:
    """Some names in a list."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise RlxError("RLX109", f"{what} are {given!r:.60}", fix="a list of names")
    return list(given)


def check_function(function: Any, what: str) -> None:
    """What transforms and jit take."""
    if not callable(function):
        raise RlxError(
            "RLX105",
            f"{what} of {function!r:.60}, which is no function",
            fix=f"{what}(function) gives a function; call that",
        )
