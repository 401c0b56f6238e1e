"""`rlx.new_ref`, `freeze`, and the functions of `rlx.ref`."""

from __future__ import annotations

from typing import Any

from rlx.core.errors import RlxError
from rlx.frontends.dispatch import ArrayLike
from rlx.frontends.numpy.creation import asarray
from rlx.ir.array_methods import Array
from rlx.trace.references import Ref


def new_ref(init_val: ArrayLike) -> Ref:
    """A reference to an array with this value, read and written by index.

    >>> import rlx, rlx.numpy as rnp
    >>> total = rlx.new_ref(rnp.zeros(2))
    >>> total[0] += 3.0
    >>> total, total[...].sum()
    (Ref([3., 0.], dtype=float32), Array(3., dtype=float32))
    """
    if isinstance(init_val, Ref):
        raise RlxError("RLX101", "a reference to a reference", fix="new_ref(ref[...]), of its value")
    return Ref(asarray(init_val))


def freeze(ref: Ref) -> Array:
    """The last value of a reference, which cannot be used afterwards.

    >>> import rlx
    >>> rlx.freeze(rlx.new_ref(1.0))
    Array(1., dtype=float32)
    """
    return ref.freeze()


def get(ref: Ref, idx: Any = ...) -> Array:
    """`ref[idx]`."""
    return ref[... if idx is None else idx]


def set(ref: Ref, idx: Any, value: ArrayLike) -> None:
    """`ref[idx] = value`."""
    ref[... if idx is None else idx] = value


def swap(ref: Ref, idx: Any, value: ArrayLike) -> Array:
    """`ref[idx] = value`; returns what was there."""
    before = get(ref, idx)
    set(ref, idx, value)
    return before


def addupdate(ref: Ref, idx: Any, x: ArrayLike) -> None:
    """`ref[idx] += x`."""
    ref.write(ref.read().at[... if idx is None else idx].add(x))
