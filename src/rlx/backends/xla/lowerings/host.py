"""Python called by a program: callbacks of the user, and records that only NumPy computes."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback

from rlx.backends.xla.site import Lowering, LoweringSite
from rlx.ir.evaluate import evaluate_op


def called_on_host(at: LoweringSite, *operands: Any) -> Any:
    """The record's reference, called by the program: results rounded to the dtypes of the node."""
    present = [place for place, x in enumerate(operands) if x is not None]

    def call(*arrays: Any) -> tuple[Any, ...]:
        given: list[Any] = [None] * len(operands)
        for place, array in zip(present, arrays, strict=True):
            given[place] = np.asarray(array)
        return evaluate_op(at.op, given, at.results)

    return _called(at, call, [operands[place] for place in present], pure=True)


def _called(at: LoweringSite, function: Any, operands: list[Any], *, pure: bool, ordered: bool = False) -> tuple[Any, ...]:
    """What it raises is kept for the runner: XLA says only that a callback failed.

    Arrays cross as bytes: JAX would round those of 64 bits where the process has not enabled them.
    """
    errors, kinds = at.checks.host_errors, [(x.shape, np.dtype(x.dtype)) for x in operands]

    def guarded(*crossed: Any) -> tuple[Any, ...]:
        try:
            given = [np.asarray(x).view(dtype).reshape(dims) for x, (dims, dtype) in zip(crossed, kinds, strict=True)]
            return tuple(_as_bytes(np.asarray(x)) for x in function(*given))
        except BaseException as error:
            errors.append(error)
            raise

    results = [(tuple(int(size) for size in shape.dims), shape.dtype.numpy) for shape in at.results]
    declared = tuple(jax.ShapeDtypeStruct((math.prod(dims) * kind.itemsize,), np.uint8) for dims, kind in results)
    given = [_to_bytes(x) for x in operands]
    if pure:
        found = jax.pure_callback(guarded, declared, *given, vmap_method="sequential")
    else:
        found = io_callback(guarded, declared, *given, ordered=ordered)
    return tuple(_from_bytes(x, dims, kind) for x, (dims, kind) in zip(found, results, strict=True))


def _as_bytes(array: Any) -> Any:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _to_bytes(x: Any) -> Any:
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        x = jnp.stack([jnp.real(x), jnp.imag(x)], -1)
    x = x.astype(jnp.uint8) if x.dtype == jnp.bool_ else x
    return lax.bitcast_convert_type(x, jnp.uint8).reshape(-1)


def _from_bytes(x: Any, dims: tuple[int, ...], kind: Any) -> Any:
    if kind == np.bool_:
        return x.reshape(dims) != 0
    if kind.kind == "c":
        parts = _from_bytes(x, (*dims, 2), np.dtype(f"f{kind.itemsize // 2}"))
        return lax.complex(parts[..., 0], parts[..., 1])
    cut = x.reshape(dims if kind.itemsize == 1 else (*dims, kind.itemsize))
    return lax.bitcast_convert_type(cut, kind)


def _callback(pure: bool) -> Lowering:
    """Effects are ordered: each runs once in each run, in the order of the graph."""

    def lower(at: LoweringSite, *operands: Any) -> tuple[Any, ...]:
        def call(*arrays: Any) -> tuple[Any, ...]:
            return evaluate_op(at.op, list(arrays), at.results)

        return _called(at, call, list(operands), pure=pure, ordered=not pure)

    return lower


LOWERINGS: dict[str, Lowering] = {
    "pure_callback": _callback(pure=True),
    "io_callback": _callback(pure=False),
    "debug_callback": _callback(pure=False),
}
