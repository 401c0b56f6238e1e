"""The axes that `vmap(axis_name=…)` names, while the function of one example is traced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from rlx.core.dim import Size
from rlx.core.errors import RlxError
from rlx.ir.value import Value


@dataclass(frozen=True)
class NamedAxis:
    """An axis: its name, that name made unique among the open ones, the number of the example, and how many there are."""

    name: str
    unique: str
    index: Value
    size: Size


_OPEN: ContextVar[tuple[NamedAxis, ...]] = ContextVar("the named axes of the vmaps around what is traced", default=())


def new_axis_name(name: str) -> str:
    """A name for an axis that no open one has: an inner `vmap` may use the name of an outer one."""
    return f"{name}@{len(_OPEN.get())}"


@contextmanager
def open_axis(axis: NamedAxis) -> Iterator[None]:
    """While the function of one example is traced."""
    token = _OPEN.set((*_OPEN.get(), axis))
    try:
        yield
    finally:
        _OPEN.reset(token)


def named_axis(name: str, what: str) -> NamedAxis:
    """The innermost axis of that name."""
    for axis in reversed(_OPEN.get()):
        if axis.name == name:
            return axis
    names = [axis.name for axis in _OPEN.get()]
    fix = f"vmap(f, axis_name={name!r}) around it" + (f"; the names here: {', '.join(names)}" if names else "")
    raise RlxError("RLX612", f"{what} over {name!r}: no vmap around it has that axis name", fix=fix)
