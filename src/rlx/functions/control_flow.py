"""Control flow as users call it: emitted in place inside a trace, compiled and run at once when called on arrays."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any, TypeVar

from rlx.core.cache import Recent
from rlx.core.dim import Dim, Size
from rlx.core.errors import RlxError, check_function, check_is
from rlx.functions.jit import Jitted
from rlx.ir.op import OPS
from rlx.ir.value import Value
from rlx.runtime.tracebacks import hiding_own_frames
from rlx.trace.control import associative_scan_trees, cond_trees, fori_trees, map_trees, scan_trees, switch_trees, while_trees
from rlx.trace.tracer import is_traced
from rlx.trace.tree import leaves_of, map_leaves, rebuild
from rlx.transforms.vmap import vmap_values

Carry = TypeVar("Carry")
X = TypeVar("X")
Y = TypeVar("Y")
Function = Callable[..., Any]

_COMPILED: weakref.WeakKeyDictionary[Any, Recent[tuple[Any, ...], Jitted[..., Any]]] = weakref.WeakKeyDictionary()
"""Loops and branches that were called on arrays, by their first function, with which they are dropped; the 64 most recent of each."""


def _run(emitted: Function, functions: Sequence[Function], fixed: tuple[Any, ...], *trees: Any) -> Any:
    """Runs `emitted(functions, *fixed, *trees)`: in place if it belongs to a trace, else compiled.

    The compiled form has only weak references to its functions. What has no weak references or no hash is compiled for this one call.
    """
    if is_traced(functions[0], trees) or any(is_traced(function, ()) for function in functions[1:]):
        return emitted(functions, *fixed, *trees)
    first = functions[0]
    try:
        references = tuple(weakref.WeakMethod(each) if isinstance(each, MethodType) else weakref.ref(each) for each in functions)
        known = _COMPILED.setdefault(first.__self__ if isinstance(first, MethodType) else first, Recent(64))
        key = (emitted, fixed, references)
        compiled = known.get(key)
    except TypeError:
        return Jitted(lambda *given: emitted(functions, *fixed, *given), "cpu", None, {})(*trees)
    if compiled is None:

        def trace_with_references(*given: Any) -> Any:
            return emitted([reference() for reference in references], *fixed, *given)

        compiled = known[key] = Jitted(trace_with_references, "cpu", None, {})
    return compiled(*trees)


# -- loops ------------------------------------------------------------------------------------------------------
@hiding_own_frames
def scan(
    f: Callable[[Carry, X], tuple[Carry, Y]],
    init: Any,
    xs: Any = None,
    length: Size | None = None,
    reverse: bool = False,
    num_checkpoints: int | None = None,
    *,
    unroll: int | bool = 1,
) -> tuple[Carry, Y]:
    """`lax.scan`: `f(carry, x) -> (carry, y)` for each row of xs; returns the last carry and the stacked ys.

    The carry keeps its shapes and dtypes; a Python number in it takes the dtype that a step gives it. A gradient keeps the carry before
    each step, or `num_checkpoints` of them. Loops are native whatever `unroll` says.

    >>> import numpy as np, rlx
    >>> rlx.lax.scan(lambda c, x: (c + x, c), 0.0, np.float32([1, 2, 3]))
    (Array(6., dtype=float32), Array([0., 1., 3.], dtype=float32))
    """
    check_function(f, "scan")
    return _run(_scan, [f], (length, reverse, num_checkpoints), init, xs)


def _scan(functions: Sequence[Function], length: Any, reverse: bool, marks: int | None, init: Any, xs: Any) -> Any:
    return scan_trees(functions[0], init, xs, length, reverse, marks)


@hiding_own_frames
def while_loop(
    cond_fun: Callable[[Carry], Any], body_fun: Callable[[Carry], Carry], init_val: Any, max_iterations: int | None = None
) -> Carry:
    """`lax.while_loop`: `body_fun(carry)` while `cond_fun(carry)` is true, at most max_iterations times.

    >>> import numpy as np, rlx
    >>> rlx.lax.while_loop(lambda x: x.sum() < 100, lambda x: x * 2, np.float32([1, 2]))
    Array([ 64., 128.], dtype=float32)
    """
    check_function(cond_fun, "while_loop")
    check_function(body_fun, "while_loop")
    return _run(_while, [cond_fun, body_fun], (max_iterations,), init_val)


def _while(functions: Sequence[Function], max_iterations: int | None, init: Any) -> Any:
    return while_trees(functions[0], functions[1], init, max_iterations)


@hiding_own_frames
def fori_loop(
    lower: Any, upper: Any, body_fun: Callable[[Any, Carry], Carry], init_val: Any, *, unroll: int | bool | None = None
) -> Carry:
    """`lax.fori_loop`: `value = body_fun(i, value)` for i from lower to upper - 1.

    With bounds that are Python ints it is a scan, and has gradients; with bounds that are known only at run time it is a while loop,
    which forward mode differentiates.

    >>> import numpy as np, rlx
    >>> rlx.lax.fori_loop(0, 5, lambda i, x: x * 2 + i, np.float32([1, 2]))
    Array([58., 90.], dtype=float32)
    """
    check_function(body_fun, "fori_loop")
    first, end = _loop_bound(lower), _loop_bound(upper)
    last: Carry
    if not isinstance(first, Value) and not isinstance(end, Value) and is_traced(body_fun, init_val):
        last = fori_trees(first, end, body_fun, init_val)
    else:  # on arrays, the bounds are arguments of what is compiled
        last = _run(_fori, [body_fun], (), first, end, init_val)
    return last


def _fori(functions: Sequence[Function], lower: Any, upper: Any, init: Any) -> Any:
    return fori_trees(lower, upper, functions[0], init)


def _loop_bound(bound: Any) -> Any:
    if isinstance(bound, Value):
        return bound
    try:
        return operator.index(bound)
    except TypeError:
        raise RlxError("RLX103", f"a bound of fori_loop is {bound!r:.60}", fix="an int, or a scalar of ints") from None


@hiding_own_frames
def map_rows(f: Callable[[Any], Y], xs: Any, *, batch_size: int | None = None) -> Y:
    """`lax.map`: f of each row of xs, one after the other, stacked; with `batch_size`, so many at a time as `vmap` does.

    >>> import numpy as np, rlx
    >>> rlx.lax.map(lambda x: x.sum(), np.float32([[1, 2], [3, 4], [5, 6]]))
    Array([ 3.,  7., 11.], dtype=float32)
    """
    check_function(f, "map")
    if batch_size is not None:
        check_is(batch_size, int, "RLX105", "batch_size of map", "an int, at least 1")
        if batch_size < 1:
            raise RlxError("RLX105", f"batch_size of map is {batch_size}", fix="an int, at least 1")
    return _run(_map, [f], (batch_size,), xs)


def _map(functions: Sequence[Function], batch_size: int | None, xs: Any) -> Any:
    (f,) = functions
    if batch_size is None:
        return map_trees(f, xs)
    many, rows = vmap_values(f), leaves_of(xs)[0].shape[0]
    if isinstance(rows, Dim):
        raise RlxError("RLX202", f"map in batches of the symbolic size {rows}", fix="a static size, or no batch_size")
    whole = rows - rows % batch_size
    if whole == 0:
        return many(xs)
    batches = map_leaves(lambda x: x[:whole].reshape(whole // batch_size, batch_size, *x.shape[1:]), xs)
    results = map_leaves(lambda y: y.reshape(whole, *y.shape[2:]), map_trees(many, batches))
    if whole == rows:
        return results
    rest = leaves_of(many(map_leaves(lambda x: x[whole:], xs)))
    return rebuild(results, [OPS["concat"](*both, axis=0) for both in zip(leaves_of(results), rest, strict=True)])


@hiding_own_frames
def associative_scan(fn: Callable[[X, X], X], elems: X, reverse: bool = False, axis: int = 0) -> X:
    """`lax.associative_scan`: all prefixes of `fn` over elements along an axis, in a logarithmic number of steps on whole arrays.

    `fn` is associative and works on many elements at once: it gets slices of `elems`.

    >>> import numpy as np, rlx
    >>> rlx.lax.associative_scan(lambda a, b: a * b, np.float32([1, 2, 3, 4]))
    Array([ 1.,  2.,  6., 24.], dtype=float32)
    """
    check_function(fn, "associative_scan")
    return _run(_associative_scan, [fn], (bool(reverse), operator.index(axis)), elems)


def _associative_scan(functions: Sequence[Function], reverse: bool, axis: int, elems: Any) -> Any:
    return associative_scan_trees(functions[0], elems, reverse, axis)


# -- branches ---------------------------------------------------------------------------------------------------
@hiding_own_frames
def cond(pred: Any, then: Callable[..., Y], else_: Callable[..., Y], *operands: Any) -> Y:
    """`lax.cond`: `then(*operands)` if the scalar is true, else `else_(*operands)`; only that branch runs.

    >>> import numpy as np, rlx
    >>> f = rlx.jit(lambda x: rlx.lax.cond(x.sum() > 0, lambda x: x * 2, lambda x: -x, x), device="reference")
    >>> f(np.float32([1, 2])), f(np.float32([-1, -2]))
    (Array([2., 4.], dtype=float32), Array([1., 2.], dtype=float32))
    """
    check_function(then, "cond")
    check_function(else_, "cond")
    return _run(lambda functions, pred, *operands: cond_trees(pred, *functions, *operands), [then, else_], (), pred, *operands)


@hiding_own_frames
def switch(index: Any, branches: Sequence[Callable[..., Y]], *operands: Any) -> Y:
    """`lax.switch`: `branches[index](*operands)`, the index clamped to those there are; only that branch runs.

    >>> import numpy as np, rlx
    >>> branches = [lambda x: x, lambda x: x * 2, lambda x: -x]
    >>> rlx.lax.switch(2, branches, np.float32([1, 2])), rlx.lax.switch(9, branches, np.float32([3]))
    (Array([-1., -2.], dtype=float32), Array([-3.], dtype=float32))
    """
    check_is(branches, Sequence, "RLX101", "the branches of switch", "a list of at least one function")
    if not branches:
        raise RlxError("RLX101", "switch without branches", fix="a list of at least one function")
    for branch in branches:
        check_function(branch, "switch")
    return _run(_switch, list(branches), (), index, *operands)


def _switch(functions: Sequence[Function], index: Any, *operands: Any) -> Any:
    return switch_trees(index, functions, *operands)
