"""`jax.test_util.check_grads`: derivatives of a function against differences of its values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.errors import RlxError
from rlx.frontends.dispatch import as_array
from rlx.functions.derivatives import jvp, vjp
from rlx.trace.tree import leaves_of, map_leaves

_TOLERANCE = {2: 1e-1, 4: 2e-2, 8: 1e-5}
_STEP = {2: 1e-2, 4: 1e-3, 8: 1e-6}


def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    order: int,
    modes: Sequence[str] = ("fwd", "rev"),
    atol: float | None = None,
    rtol: float | None = None,
    eps: float | None = None,
) -> None:
    """Raise an AssertionError where a derivative of `f` at `args`, up to `order`, differs from differences of its values.

    The arguments are floats, in containers; f64 gives the sharpest test. Directions are drawn from a fixed seed.

    >>> import numpy as np, rlx
    >>> rlx.test_util.check_grads(lambda x: rlx.numpy.sin(x), (np.float64([1, 2]),), order=2)
    """
    if order < 1 or not set(modes) <= {"fwd", "rev"}:
        raise RlxError("RLX105", f"check_grads of order {order} with modes {list(modes)}", fix='order=1, modes=["rev"]')
    given = tuple(map_leaves(_to_numpy, tuple(args)))
    for mode in modes:
        (check_jvp if mode == "fwd" else check_vjp)(f, given, atol=atol, rtol=rtol, eps=eps)
        if order > 1:
            check_grads(_derivative(f, given, mode), given, order - 1, modes, atol, rtol, eps)


def check_jvp(
    f: Callable[..., Any], args: Sequence[Any], *, atol: float | None = None, rtol: float | None = None, eps: float | None = None
) -> None:
    """Raise an AssertionError where `rlx.jvp` of `f` at `args` differs from differences of its values.

    >>> import numpy as np, rlx
    >>> rlx.test_util.check_jvp(lambda x: x * x, (np.float64(3),))
    """
    args = tuple(map_leaves(_to_numpy, tuple(args)))
    direction = _direction(args)
    _, derivative = jvp(f, args, direction)
    _assert_close("jvp", derivative, _difference(f, args, direction, eps), args, atol, rtol)


def check_vjp(
    f: Callable[..., Any], args: Sequence[Any], *, atol: float | None = None, rtol: float | None = None, eps: float | None = None
) -> None:
    """Raise an AssertionError where `rlx.vjp` of `f` at `args` differs from differences of its values.

    >>> import numpy as np, rlx
    >>> rlx.test_util.check_vjp(lambda x: x * x, (np.float64(3),))
    """
    args = tuple(map_leaves(_to_numpy, tuple(args)))
    direction = _direction(args)
    value, pullback = vjp(f, *args)
    cotangent = _direction(value)
    expected = _inner(cotangent, _difference(f, args, direction, eps))
    _assert_close("vjp", _inner(pullback(cotangent), direction), expected, args, atol, rtol)


def _to_numpy(leaf: Any) -> Any:
    return np.asarray(as_array(leaf))


def _direction(tree: Any) -> Any:
    """Draws a tree like this one of normal numbers: complex where it is, zeros where it has no derivative."""
    source = np.random.default_rng(0)

    def draw(leaf: Any) -> Any:
        array = np.asarray(leaf)
        real = source.standard_normal(array.shape)
        if array.dtype.kind == "c":
            return (real + 1j * source.standard_normal(array.shape)).astype(array.dtype)
        return real.astype(array.dtype) if array.dtype.kind not in "iub" else np.zeros_like(array)

    return map_leaves(draw, tree)


def _width(args: Any) -> int:
    """Bytes of the narrowest real number among the arguments."""
    arrays = [np.asarray(leaf) for leaf in leaves_of(args)]
    return min((a.itemsize // (2 if a.dtype.kind == "c" else 1) for a in arrays if a.dtype.kind not in "iub"), default=4)


def _difference(f: Callable[..., Any], args: Any, direction: Any, eps: float | None) -> Any:
    step = eps or _STEP[_width(args)]

    def evaluate_beside(sign: float) -> Any:
        ways = iter(leaves_of(direction))
        return f(*map_leaves(lambda x: np.asarray(x + sign * step / 2 * next(ways), np.asarray(x).dtype), args))

    low = iter(leaves_of(evaluate_beside(-1)))
    return map_leaves(lambda high: (np.asarray(high) - np.asarray(next(low))) / step, evaluate_beside(1))


def _inner(a: Any, b: Any) -> Any:
    """Σ ab, without a conjugate: the product of a vector and a covector."""
    pairs = zip(leaves_of(a), leaves_of(b), strict=True)
    total = sum(np.sum(np.asarray(x, np.complex128) * np.asarray(y)) for x, y in pairs)
    return np.asarray(np.real(total))


def _assert_close(what: str, actual: Any, expected: Any, args: Any, atol: float | None, rtol: float | None) -> None:
    usual = _TOLERANCE[_width(args)]
    for mine, other in zip(leaves_of(actual), leaves_of(expected), strict=True):
        np.testing.assert_allclose(
            np.asarray(mine, np.complex128),
            np.asarray(other, np.complex128),
            atol=usual if atol is None else atol,
            rtol=usual if rtol is None else rtol,
            err_msg=f"{what} beside differences of the function's values",
        )


def _derivative(f: Callable[..., Any], args: Any, mode: str) -> Callable[..., Any]:
    """The derivative of a function in one direction, as a function of the same arguments."""
    if mode == "fwd":
        direction = _direction(args)
        return lambda *primals: jvp(f, primals, direction)[1]
    cotangent = _direction(f(*args))
    return lambda *primals: vjp(f, *primals)[1](cotangent)
