"""Control flow, checks, and what Python computes on the host."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import io_callback

from rlx.backends.xla.site import Check, Lowering, LoweringSite
from rlx.ir.evaluate import evaluate_op


def called_on_host(at: LoweringSite, *operands: Any) -> Any:
    """Lowers an op to a host callback of its record's reference: results rounded to the dtypes of the node."""
    present = [place for place, x in enumerate(operands) if x is not None]

    def call(*arrays: Any) -> tuple[Any, ...]:
        given: list[Any] = [None] * len(operands)
        for place, array in zip(present, arrays, strict=True):
            given[place] = np.asarray(array)
        return evaluate_op(at.op, given, at.results)

    return _called(at, call, [operands[place] for place in present], pure=True)


def _called(at: LoweringSite, function: Any, operands: list[Any], *, pure: bool, ordered: bool = False) -> tuple[Any, ...]:
    """Calls a Python function from the program. Its exception is saved for the runner: XLA reports only that a callback failed.

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
        returned = jax.pure_callback(guarded, declared, *given, vmap_method="sequential")
    else:
        returned = io_callback(guarded, declared, *given, ordered=ordered)
    return tuple(_from_bytes(x, dims, kind) for x, (dims, kind) in zip(returned, results, strict=True))


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
    """Lowers a callback. Effects are ordered: each runs once in each run, in the order of the graph."""

    def lower(at: LoweringSite, *operands: Any) -> tuple[Any, ...]:
        def call(*arrays: Any) -> tuple[Any, ...]:
            return evaluate_op(at.op, list(arrays), at.results)

        return _called(at, call, list(operands), pure=pure, ordered=not pure)

    return lower


def _flags_of(at: LoweringSite, body: Any, operands: Sequence[Any]) -> list[Check]:
    """The checks of a body, collected by tracing it once and discarding the results."""
    with at.checks.inside() as flags:
        jax.eval_shape(lambda *xs: at.body(body, xs), *operands)
    return list(flags)


def _checked(
    at: LoweringSite, body: Any, operands: Sequence[Any], kept: Sequence[Check]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The results of a body, and its flags in a fixed order; a flag that it does not set is true."""
    with at.checks.inside() as flags:
        result = at.body(body, operands)
    return result, tuple(flags.get(check, jnp.asarray(True)) for check in kept)


def _require(at: LoweringSite, kept: Sequence[Check], flags: Sequence[Any]) -> None:
    for check, flag in zip(kept, flags, strict=True):
        at.checks.require(flag, check)


def _scan(at: LoweringSite, *operands: Any) -> tuple[Any, ...]:
    carries, count = at["num_carry"], at["num_carry"] + at["num_bcast"]
    fixed, rows, body, length = operands[carries:count], operands[count:], at["body"], at["length"]
    if length == 0:
        stacked = [jnp.zeros(tuple(shape.dims), shape.dtype.numpy) for shape in at.results[carries:]]
        return (*operands[:carries], *stacked)
    kept = _flags_of(at, body, (*operands[:carries], *fixed, *(row[0] for row in rows)))

    def step(carry: Any, row: Any) -> Any:
        outputs, flags = _checked(at, body, (*carry, *fixed, *row), kept)
        return outputs[:carries], (outputs[carries:], flags)

    last, (stacked, flags) = lax.scan(step, tuple(operands[:carries]), tuple(rows), length, reverse=at["reverse"])
    _require(at, kept, flags)
    return (*last, *stacked)


def _if(at: LoweringSite, pred: Any, *operands: Any) -> tuple[Any, ...]:
    branches = at["then"], at["else"]
    kept = list(dict.fromkeys(check for body in branches for check in _flags_of(at, body, operands)))

    def branch(body: Any) -> Any:
        return lambda *xs: _checked(at, body, xs, kept)

    outputs, flags = lax.cond(pred, branch(branches[0]), branch(branches[1]), *operands)
    _require(at, kept, flags)
    return tuple(outputs)


def _while(at: LoweringSite, *operands: Any) -> tuple[Any, ...]:
    count = len(operands) - at["num_bcast"]
    fixed, most = operands[count:], at["max_iterations"]
    kept = _flags_of(at, at["body"], operands)

    def goes_on(state: Any) -> Any:
        done, carries, _ = state
        (answer,) = at.body(at["cond"], (*carries, *fixed))
        return answer if most is None else answer & (done < most)

    def step(state: Any) -> Any:
        done, carries, flags = state
        outputs, new = _checked(at, at["body"], (*carries, *fixed), kept)
        return done + 1, outputs, tuple(old & flag for old, flag in zip(flags, new, strict=True))

    start = jnp.zeros((), jnp.int64), tuple(operands[:count]), tuple(jnp.asarray(True) for _ in kept)
    _, outputs, flags = lax.while_loop(goes_on, step, start)
    _require(at, kept, flags)
    return tuple(outputs)


LOWERINGS: dict[str, Lowering] = {
    "pure_callback": _callback(pure=True),
    "io_callback": _callback(pure=False),
    "debug_callback": _callback(pure=False),
    "scan": _scan,
    "if": _if,
    "while": _while,
    "fused": lambda at, *xs: at.body(at["body"], xs),
    "custom_fn": lambda at, *xs: at.body(at["fwd_body"], xs),
}
