"""Which devices there are: the built-in ones, listed here, and those that other packages register."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rlx.backends.base import Backend
from rlx.core.errors import RlxError, check_is
from rlx.core.processes import ProcessGroup
from rlx.core.this_process import import_to_stay

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from importlib.metadata import EntryPoint

_BUILT_IN: Mapping[str, str] = {
    "reference": "rlx.backends.reference.backend:ReferenceBackend",
    "cpu": "rlx.backends.cpu.backend:CpuBackend.shared",
    "null": "rlx.backends.null.backend:NullBackend",
    "cuda": "rlx.backends.cuda.backend:CudaBackend.shared",
    "xla": "rlx.backends.xla.backend:XlaBackend.shared",
}
"""Built-in devices: the module of each, imported on first use."""

_JOINED = "rlx.backends.xla.processes:joined"
"""How a process becomes one of many: a function of them, called before the device is first used."""

GROUP = "rlx.backends"
"""The entry points by which a package adds a device: a function without arguments that returns a Backend."""

_plugged: dict[EntryPoint, Backend] = {}
"""Devices of other packages, created once each."""


def devices() -> dict[str, str]:
    """Every device by name: "available", or the reason why it is not.

    Each is actually created (once; the first call takes as long as loading their libraries), so "available" is reliable. Devices of
    other packages come from the entry point group `rlx.backends`; an error in one shows in its row, and does not affect others. A package
    cannot replace a built-in device: such a name is listed as "ignored".

    >>> devices()["reference"]
    'available'
    """
    rows = {name: _reason(name) or "available" for name in _names()}
    taken = {f"{point.name} ({point.value})": point.name for point in _entry_points() if point.name in _BUILT_IN}
    return rows | {shown: f"ignored: {name!r} is a built-in device" for shown, name in taken.items()}


def find_backend(name: str) -> Backend:
    """The backend of a device, loaded on first use."""
    if type(name) is str and name in _BUILT_IN:
        return _make_built_in(name)
    check_is(name, str, "RLX404", "device", f"one of: {', '.join(_names())}")
    points = [point for point in _entry_points() if point.name == name]
    if len(points) > 1:
        message = f"device {name!r} is registered by several packages: {', '.join(point.value for point in points)}"
        raise RlxError("RLX404", message, fix="uninstall all but one of them")
    if points:
        return _make_plugged(points[0])
    raise RlxError("RLX404", f"{name!r} is not a device", fix=f"one of: {', '.join(_names())}")


def joined_processes(group: ProcessGroup) -> AbstractContextManager[None]:
    """A context in which the device `xla` has the devices of all these processes; it must not have been used before."""
    try:
        joined: AbstractContextManager[None] = _load_attribute(_JOINED)(group)
        return joined
    except ImportError as error:
        raise RlxError("RLX404", f"many processes need JAX: {error}", fix="pip install rlx[xla]", at=None) from error


def _names() -> list[str]:
    return [*_BUILT_IN, *dict.fromkeys(point.name for point in _entry_points() if point.name not in _BUILT_IN)]


def _entry_points() -> tuple[EntryPoint, ...]:
    return _entry_points_on(tuple(sys.path))


@lru_cache(maxsize=1)
def _entry_points_on(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """Entry points of the packages on a path; duplicates count once, packages with unreadable entry points are skipped."""
    from importlib.metadata import distributions

    points: dict[tuple[str, str], EntryPoint] = {}
    for package in distributions():
        with suppress(Exception):  # the file's parser can raise anything
            points |= {(point.name, point.value): point for point in package.entry_points.select(group=GROUP)}
    return tuple(points[key] for key in sorted(points))


def _make_built_in(name: str) -> Backend:
    try:
        backend: Backend = _load_attribute(_BUILT_IN[name])()
        return backend
    except ImportError as error:
        raise RlxError("RLX404", f"device {name!r} is not available: {error}", fix=f"pip install {error.name}") from error


@lru_cache(maxsize=16)
def _load_attribute(place: str) -> Any:
    """The attribute that `module:path` names."""
    module, _, path = place.partition(":")
    value: Any = import_to_stay(module)
    for attribute in path.split("."):
        value = getattr(value, attribute)
    return value


def _make_plugged(point: EntryPoint) -> Backend:
    """Creates the device of another package. It is third-party code: whatever it raises is the reason why it is not available."""
    if point not in _plugged:
        try:
            made = point.load()()
        except (Exception, SystemExit) as error:
            raise _not_available(point, f"{type(error).__name__}: {error}") from error
        if missing := [member for member in _MEMBERS if not hasattr(made, member)]:
            raise _not_available(point, f"it made a {type(made).__name__}, which is not a Backend: it has no {', '.join(missing)}")
        if made.name != point.name:
            raise _not_available(point, f"the backend it made is named {made.name!r}")
        _plugged[point] = made
    return _plugged[point]


_ADDED = ("specializes",)
"""What the protocol did not have at first: a device of another package may not say it."""

_MEMBERS = [name for name in (*Backend.__annotations__, *vars(Backend)) if not name.startswith("_") and name not in _ADDED]
"""The methods and attributes of the protocol that every device has."""


def _not_available(point: EntryPoint, why: str) -> RlxError:
    message = f"device {point.name!r} ({point.value}) is not available: {why}"
    return RlxError("RLX404", message, fix="fix or uninstall the package that registers it")


def _reason(name: str) -> str | None:
    try:
        find_backend(name)
    except RlxError as error:
        return error.message
    return None
