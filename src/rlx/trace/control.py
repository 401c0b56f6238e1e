"""Control flow in traced functions: `scan`, `cond` and `while_loop` on nested containers of Values, as in `jax.lax`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rlx.core.dim import Size
from rlx.core.errors import RlxError
from rlx.ir.value import Value
from rlx.ops.control import control
from rlx.trace.tree import difference, leaves_of, rebuild, structure

__all__ = ["cond", "scan", "while_loop"]

Carry = TypeVar("Carry")
X = TypeVar("X")
Y = TypeVar("Y")


def _flat(
    function: Callable[..., Any], trees: tuple[Any, ...], note: Callable[[Any], None]
) -> Callable[..., list[Any]]:
    """Turns a function of containers into one of leaves; `note` receives the containers it returns."""

    def on_leaves(*leaves: Value) -> list[Any]:
        left = list(leaves)
        found = function(*(rebuild(tree, left) for tree in trees))
        note(found)
        return leaves_of(found)

    return on_leaves


def _same_containers(what: str, found: Any, wanted: Any) -> None:
    made, expected = structure(found), structure(wanted)
    if made != expected:
        raise RlxError(
            "RLX114",
            f"{what} returns {made}, expected {expected}; {difference(expected, made)}",
            fix="return containers of the same structure",
        )


def scan(
    f: Callable[[Carry, X], tuple[Carry, Y]],
    init: Any,
    xs: Any = None,
    length: Size | None = None,
    reverse: bool = False,
    num_checkpoints: int | None = None,
) -> tuple[Carry, Y]:
    """`lax.scan`: `f(carry, x) -> (carry, y)` for each row of xs; returns the last carry and the stacked ys.

    >>> import numpy as np, rlx
    >>> total = rlx.jit(lambda xs: rlx.scan(lambda c, x: (c + x, c), np.float32(0), xs), device="reference")
    >>> total(np.float32([1, 2, 3]))
    (array(6., dtype=float32), array([0., 1., 3.], dtype=float32))
    """
    seen: list[Any] = []

    def note(found: Any) -> None:
        if not isinstance(found, tuple) or len(found) != 2:
            raise RlxError(
                "RLX114", f"the step of a scan returns {structure(found)}", fix="return (carry, y); y may be None"
            )
        _same_containers("the carry after a step", found[0], init)
        seen.append(found[1])

    carries = leaves_of(init)
    found = control.scan_values(
        _flat(f, (init, xs), note),
        carries,
        leaves_of(xs),
        length=length,
        reverse=reverse,
        num_checkpoints=num_checkpoints,
    )
    return rebuild(init, list(found[: len(carries)])), rebuild(seen[0], list(found[len(carries) :]))


def cond(pred: Any, then: Callable[..., Y], else_: Callable[..., Y], *operands: Any) -> Y:
    """`lax.cond`: `then(*operands)` if the bool scalar is true, else `else_(*operands)`; only that branch runs.

    >>> import numpy as np, rlx
    >>> f = rlx.jit(lambda x: rlx.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, x), device="reference")
    >>> f(np.float32([1, 2])), f(np.float32([-1, -2]))
    (array([2., 4.], dtype=float32), array([1., 2.], dtype=float32))
    """
    seen: list[Any] = []
    branches = [_flat(branch, operands, seen.append) for branch in (then, else_)]
    found = control.cond_values(pred, branches[0], branches[1], leaves_of(operands))
    _same_containers("else", seen[1], seen[0])
    result: Y = rebuild(seen[0], list(found))
    return result


def while_loop(
    cond_fun: Callable[[Carry], Any], body_fun: Callable[[Carry], Carry], init: Any, max_iterations: int | None = None
) -> Carry:
    """`lax.while_loop`: `body_fun(carry)` while `cond_fun(carry)` is true, at most max_iterations times.

    >>> import numpy as np, rlx
    >>> f = rlx.jit(lambda x: rlx.while_loop(lambda x: x.sum() < 100, lambda x: x * 2, x), device="reference")
    >>> f(np.float32([1, 2]))
    array([ 64., 128.], dtype=float32)
    """
    body = _flat(body_fun, (init,), lambda found: _same_containers("the body", found, init))
    found = control.while_values(
        leaves_of(init), _flat(cond_fun, (init,), lambda found: None), body, max_iterations=max_iterations
    )
    last: Carry = rebuild(init, list(found))
    return last
