"""Sums and the like over the examples of a `vmap` whose axis has a name: `psum(x, "i")` inside `vmap(f, axis_name="i")`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

from rlx.core.dim import Size
from rlx.core.dtype import i64
from rlx.core.errors import RlxError
from rlx.frontends.dispatch import as_value
from rlx.frontends.numpy.insertion import concatenate
from rlx.frontends.numpy.movement import moveaxis
from rlx.ir.array_methods import Array
from rlx.ir.emit import size_scalar
from rlx.ir.op import OPS, is_weak
from rlx.ir.value import Value, WeakValue
from rlx.trace.tree import map_leaves
from rlx.transforms.vmap import NamedAxis, named_axis

__all__ = ["all_gather", "axis_index", "axis_size", "pmax", "pmean", "pmin", "psum"]

T = TypeVar("T")
AxisName = str | Sequence[str]


def psum(x: T, axis_name: AxisName) -> T:
    """The sum over the examples of the `vmap` that has this axis name, the same for all of them; of each array in a container.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.vmap(lambda x: x / rlx.lax.psum(x, "i"), axis_name="i")(rnp.asarray([1.0, 3.0]))
    Array([0.25, 0.75], dtype=float32)
    """
    return _over("psum", "sum", x, axis_name)


def pmean(x: T, axis_name: AxisName) -> T:
    """The mean over the examples.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.vmap(lambda x: x - rlx.lax.pmean(x, "i"), axis_name="i")(rnp.asarray([1.0, 3.0]))
    Array([-1.,  1.], dtype=float32)
    """
    for axis in _axes(axis_name, "pmean"):
        x = map_leaves(partial(_mean, axis), x)
    return x


def pmax(x: T, axis_name: AxisName) -> T:
    """The largest over the examples, elementwise.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.vmap(lambda x: rlx.lax.pmax(x, "i") - x, axis_name="i")(rnp.asarray([1.0, 3.0]))
    Array([2., 0.], dtype=float32)
    """
    return _over("pmax", "max", x, axis_name)


def pmin(x: T, axis_name: AxisName) -> T:
    """The smallest over the examples, elementwise.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.vmap(lambda x: x - rlx.lax.pmin(x, "i"), axis_name="i")(rnp.asarray([1.0, 3.0]))
    Array([0., 2.], dtype=float32)
    """
    return _over("pmin", "min", x, axis_name)


def axis_index(axis_name: str) -> Array:
    """The number of the example, from 0.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.vmap(lambda x: x * rlx.lax.axis_index("i"), axis_name="i")(rnp.asarray([5.0, 5.0]))
    Array([0., 5.], dtype=float32)
    """
    return named_axis(axis_name, "axis_index").index


def axis_size(axis_name: AxisName) -> Size:
    """The number of examples, an int; over several axes their product.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.vmap(lambda x: x * rlx.lax.axis_size("i"), axis_name="i")(rnp.asarray([1.0, 3.0]))
    Array([2., 6.], dtype=float32)
    """
    count: Size = 1
    for axis in _axes(axis_name, "axis_size"):
        count = count * axis.size
    return count


def all_gather(x: T, axis_name: str, *, axis: int = 0, tiled: bool = False) -> T:
    """The values of all examples, along a new axis; with `tiled`, along the axis that there is.

    >>> import rlx, rlx.numpy as rnp
    >>> rlx.vmap(lambda x: rlx.lax.all_gather(x, "i").sum() + x, axis_name="i")(rnp.asarray([1.0, 3.0]))
    Array([5., 7.], dtype=float32)
    """
    named = named_axis(axis_name, "all_gather")

    def gather_leaf(leaf: Any) -> Any:
        rows = _emit_over_axis("all", named, leaf)
        return concatenate(list(rows), axis=axis) if tiled else moveaxis(rows, 0, axis)

    return map_leaves(gather_leaf, x)


def _axes(axis_name: AxisName, what: str) -> list[NamedAxis]:
    names = (axis_name,) if isinstance(axis_name, str) else axis_name
    if not isinstance(names, (list, tuple)):
        raise RlxError("RLX612", f"{what} over {axis_name!r}", fix="the axis_name of a vmap around it, or a tuple of them")
    return [named_axis(name, what) for name in names]


def _over(what: str, kind: str, x: T, axis_name: AxisName) -> T:
    for axis in _axes(axis_name, what):
        x = map_leaves(partial(_emit_over_axis, kind, axis), x)
    return x


def _mean(axis: NamedAxis, leaf: Any) -> Any:
    return _emit_over_axis("sum", axis, leaf) / _count_examples(axis)


def _count_examples(axis: NamedAxis) -> Any:
    """The number of examples as a weak factor: it takes the dtype of its partner, as Python's numbers do."""
    if isinstance(axis.size, int):
        return axis.size
    count = size_scalar(axis.index, axis.size, i64)
    return WeakValue(count.graph, count.ref)


def _emit_over_axis(kind: str, axis: NamedAxis, leaf: Any) -> Any:
    if is_weak(leaf) and not isinstance(leaf, (Value, bool)) and kind != "all":
        return leaf * _count_examples(axis) if kind == "sum" else leaf  # a number is the same for every example
    value = as_value(leaf, leaf if isinstance(leaf, Value) and not isinstance(leaf, WeakValue) else axis.index)
    return OPS["over_axis"](value, axis.index, axis_name=axis.unique, kind=kind, size=axis.size)
