"""Callbacks: Python functions that a graph calls during a run, on the host.

    pure_callback     its results, from its operands alone; may run again, or not at all
    io_callback       an effect with results: runs once in each run, in the order of the graph
    debug_callback    an effect without results

A function takes one array for each operand, copies it may keep, and returns a tuple of arrays of the declared types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.ir.host_function import HostFunction
from rlx.ir.value import one
from rlx.ops.inference import no_arithmetic
from rlx.ops.record import Array, Attr, Call, Choice, DType, OpKind, Shape, Value, case, define, exact, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, again, all_in_front, batch_size, one_by_one, with_batch_axis

HOST = "Python"
_NO_DERIVATIVE = "Python is not differentiated; give the function that calls it a rule: rlx.custom_vjp or rlx.custom_jvp"


def call_function(function: HostFunction, arrays: Sequence[Array], shapes: Sequence[Shape]) -> tuple[Array, ...]:
    """Calls the user's function and returns its results in the declared dtypes; an exception becomes the cause of an RlxError."""
    what = f"the callback {function.title!r}"
    try:
        results = function.function(*(np.array(array) for array in arrays))
    except RlxError:
        raise
    except Exception as error:
        raise RlxError("RLX516", f"{what} raised {type(error).__name__}: {error}", at=None) from error
    if not isinstance(results, tuple) or len(results) != len(shapes):
        count = len(results) if isinstance(results, tuple) else 1
        raise RlxError("RLX516", f"{what} returned {count} arrays, {len(shapes)} are declared", fix=_DECLARED, at=None)
    return tuple(_type_results(np.asarray(array), shape, what) for array, shape in zip(results, shapes, strict=True))


_DECLARED = "return arrays of the declared shapes and dtypes"


def _type_results(array: Array, shape: Shape, what: str) -> Array:
    """Casts a callback's results to their declared dtypes within the same kind, and checks the static sizes."""
    known = [size for size in shape.dims if isinstance(size, int)]
    fits = array.ndim == shape.rank and (len(known) < shape.rank or array.shape == tuple(known))
    if not fits or _kind(DType.of(array.dtype)) > _kind(shape.dtype):
        message = f"{what} returned {DType.of(array.dtype)}{list(array.shape)}, {shape} is declared"
        raise RlxError("RLX516", message, fix=_DECLARED, at=None)
    return array.astype(shape.dtype.numpy)


def _kind(dtype: DType) -> int:
    """The rank of a dtype's kind (bool, integer, float, complex): each kind can hold the ones before it."""
    return 0 if dtype.is_bool else 1 if dtype.is_integer else 3 if dtype.is_complex else 2


def _with_results(*xs: Array, function: HostFunction, results: Sequence[Shape], **options: Any) -> tuple[Array, ...]:
    return call_function(function, xs, results)


# -- batches ----------------------------------------------------------------------------------------------------
class VmapMethod(Choice):
    """How `pure_callback` is batched under `vmap`."""

    Refused = "refused"
    Sequential = "sequential"
    ExpandDims = "expand_dims"
    BroadcastAll = "broadcast_all"


def _batch_pure(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `pure_callback`: one call for each example or one for all. Shared operands get an axis of size 1 or are repeated."""
    method = call.vmap_method
    if method == VmapMethod.Sequential:
        return one_by_one(call, operands, axes)
    if method == VmapMethod.Refused:
        fix = 'pure_callback(…, vmap_method="sequential"), "expand_dims" or "broadcast_all"'
        raise call.error("RLX611", f"the callback {call.function.title!r} does not say how it is batched", fix=fix)
    size = batch_size(operands, axes)
    given = all_in_front(operands, axes) if method == VmapMethod.BroadcastAll else _in_front_of_one(operands, axes)
    return with_batch_axis(again(call, given, results=[s.with_dims((size, *s.dims)) for s in call.op["results"]]))


def _in_front_of_one(operands: Operands, axes: Sequence[Axis]) -> list[Value | None]:
    return [
        value if value is None or axis is not None else one("reshape", value, shape=(1, *value.shape))
        for value, axis in zip(operands, axes, strict=True)
    ]


# -- the records ------------------------------------------------------------------------------------------------
def _first(*xs: Array) -> tuple[Array, ...]:
    """The first element of each array, 0 for an empty one: gives scalars for operands of any size."""
    return tuple(x.ravel()[:1].sum() for x in xs)


def _nothing(*xs: Array) -> tuple[Array, ...]:
    return ()


_NUMBERS = (Shape.scalar("f32"), Shape.scalar("f32"))
_FUNCTION = Attr("function", help="takes an array for each operand, and returns a tuple of arrays")
_RESULTS = Attr("shapes", (), "the types of its results")
_ORDERED = Attr("bool", False, "after and before all others that are; on the CPU every effect is")
_COMMON: dict[str, Any] = {
    "kind": OpKind.DataMovement,
    "results": ("results*",),
    "keeps_f32": "a callback",
    "tolerance": exact(),
    "cost": no_arithmetic,
    "can_fail": True,
    "host": HOST,
}

pure_callback = define(
    "pure_callback",
    "xs*",
    infer=lambda call: call.op["results"],
    reference=_with_results,
    attrs={
        "function": _FUNCTION,
        "results": _RESULTS,
        "vmap_method": Attr("tag", "refused", "how it is batched", parse=VmapMethod.parse, annotation="VmapMethod | str"),
    },
    doc="What a Python function without effects returns, as jax.pure_callback: it may run again, or not where nothing reads it.",
    no_gradient=_NO_DERIVATIVE,
    batch=_batch_pure,
    cases=lambda: [
        case(sample(4), function=_first, results=_NUMBERS[:1], vmap_method="sequential", note="one array"),
        case(sample(2, 3), sample(3), function=_first, results=_NUMBERS, vmap_method="sequential", note="odd: two"),
        case(sample(0, 3), function=_first, results=_NUMBERS[:1], vmap_method="sequential", note="size 0"),
    ],
    **_COMMON,
)

io_callback = define(
    "io_callback",
    "xs*",
    infer=lambda call: call.op["results"],
    reference=_with_results,
    attrs={"function": _FUNCTION, "results": _RESULTS, "ordered": _ORDERED},
    doc="What a Python function with effects returns, as jax.experimental.io_callback: it runs once in each run, read or not.",
    effect=True,
    no_gradient=_NO_DERIVATIVE,
    batch=one_by_one,
    cases=lambda: [
        case(sample(4), function=_first, results=_NUMBERS[:1], note="one array"),
        case(sample(2, 1), sample(), function=_first, results=_NUMBERS, note="odd: two"),
        case(sample(0, 3), function=_first, results=_NUMBERS[:1], note="size 0"),
    ],
    **_COMMON,
)

debug_callback = define(
    "debug_callback",
    "xs*",
    infer=lambda call: (),
    reference=lambda *xs, function, **options: call_function(function, xs, ()),
    attrs={"function": _FUNCTION, "ordered": _ORDERED},
    doc="Calls a Python function on the values in each run, as jax.debug.callback; it has no results.",
    effect=True,
    no_gradient="it has no results",
    batch=one_by_one,
    cases=lambda: [
        case(sample(4), function=_nothing, note="one array"),
        case(sample(2, 3), sample(dtype="i32"), function=_nothing, note="odd: two, a scalar"),
        case(sample(0, 3), function=_nothing, note="size 0"),
    ],
    **_COMMON,
)
