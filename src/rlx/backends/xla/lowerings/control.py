"""Loops and branches as XLA has them; what a body checks is carried out of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from rlx.backends.xla.site import Check, Lowering, LoweringSite


def _flags_of(at: LoweringSite, body: Any, operands: Sequence[Any]) -> list[Check]:
    """What a body checks, found by tracing it once without keeping anything."""
    with at.checks.inside() as flags:
        jax.eval_shape(lambda *xs: at.body(body, xs), *operands)
    return list(flags)


def _checked(
    at: LoweringSite, body: Any, operands: Sequence[Any], kept: Sequence[Check]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The results of a body, and its flags in a fixed order; one that it does not set is true."""
    with at.checks.inside() as flags:
        found = at.body(body, operands)
    return found, tuple(flags.get(check, jnp.asarray(True)) for check in kept)


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
        found, flags = _checked(at, body, (*carry, *fixed, *row), kept)
        return found[:carries], (found[carries:], flags)

    last, (stacked, flags) = lax.scan(step, tuple(operands[:carries]), tuple(rows), length, reverse=at["reverse"])
    _require(at, kept, flags)
    return (*last, *stacked)


def _if(at: LoweringSite, pred: Any, *operands: Any) -> tuple[Any, ...]:
    branches = at["then"], at["else"]
    kept = list(dict.fromkeys(check for body in branches for check in _flags_of(at, body, operands)))

    def branch(body: Any) -> Any:
        return lambda *xs: _checked(at, body, xs, kept)

    found, flags = lax.cond(pred, branch(branches[0]), branch(branches[1]), *operands)
    _require(at, kept, flags)
    return tuple(found)


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
        found, new = _checked(at, at["body"], (*carries, *fixed), kept)
        return done + 1, found, tuple(old & flag for old, flag in zip(flags, new, strict=True))

    start = jnp.zeros((), jnp.int64), tuple(operands[:count]), tuple(jnp.asarray(True) for _ in kept)
    _, found, flags = lax.while_loop(goes_on, step, start)
    _require(at, kept, flags)
    return tuple(found)


LOWERINGS: dict[str, Lowering] = {
    "scan": _scan,
    "if": _if,
    "while": _while,
    "fused": lambda at, *xs: at.body(at["body"], xs),
    "custom_fn": lambda at, *xs: at.body(at["fwd_body"], xs),
}
