"""Control flow in traced functions: loops and branches on nested containers of Values, as in `jax.lax`.

`rlx.lax.scan` and the others, in `transforms/control_flow.py`, stand on these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlx.core.aligned import as_array, in_dtype
from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType, boolean, promote
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir import traced_bodies as bodies
from rlx.ir.graph import Graph
from rlx.ir.op import OPS, is_weak
from rlx.ir.traced_bodies import outer_values
from rlx.ir.value import PLAIN, Value, WeakValue, as_dtype, taken_as, wide_dtype
from rlx.ops.control import control
from rlx.trace.references import Ref, holding, thread_references
from rlx.trace.tracer import graph_of
from rlx.trace.tree import difference, leaves_of, rebuild, structure

Function = Callable[..., Any]


def _flat(function: Function, trees: tuple[Any, ...], note: Callable[[Any], None]) -> Callable[..., list[Any]]:
    """Wraps a function of containers as one of leaves; `note` receives the containers it returns."""

    def on_leaves(*leaves: Value) -> list[Any]:
        left = list(leaves)
        result = function(*(rebuild(tree, left) for tree in trees))
        note(result)
        return leaves_of(result)

    return on_leaves


def _same_containers(what: str, result: Any, wanted: Any) -> None:
    made, expected = structure(result), structure(wanted)
    if made != expected:
        raise RlxError(
            "RLX114",
            f"{what} returns {made}, expected {expected}; {difference(expected, made)}",
            fix="return containers of the same structure",
        )


# -- Python numbers as carries ----------------------------------------------------------------------------------
def _typed_numbers(body: Callable[..., list[Any]], carries: list[Any], rows: Sequence[Any], graph: Graph) -> list[Any]:
    """Converts carries that begin as Python numbers to the dtype that a step returns, as literals do: `scan(f, 0, xs)` of floats.

    Traces the step to find these dtypes, and drops the trace. A number that cannot be converted to the dtype stays unchanged.
    """
    for _ in range(2):  # what one number becomes can change another
        if not any(map(_is_number, carries)) or any(not shape.rank for shape in map(_operand_type, rows)):
            break
        shapes = [_operand_type(leaf) for leaf in carries]
        shapes += [Shape.make(shape.dims[1:], shape.dtype) for shape in map(_operand_type, rows)]
        made, _ = bodies.trace(body, shapes, graph, "body")
        after = [made.shape(ref).dtype for ref in made.output_refs.values()][: len(carries)]
        carries = [_taken_as(leaf, dtype) for leaf, dtype in zip(carries, after, strict=True)]
    return carries


def _operand_type(leaf: Any) -> Shape:
    """The shape and dtype of a leaf as an operand of a loop or branch."""
    if _is_number(leaf):
        return Shape.make((), PLAIN[_kind(leaf)])
    if isinstance(leaf, Value):
        return leaf.type
    if hasattr(leaf, "__rlx_value__"):
        return Shape(leaf.shape, leaf.dtype)
    array = as_array(leaf, "a carry or a row", "RLX110")
    return Shape(array.shape, array.dtype)


def _kind(number: Any) -> DType:
    return number.dtype if isinstance(number, WeakValue) else wide_dtype([number])


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, WeakValue) or (is_weak(leaf) and not isinstance(leaf, bool))


def _taken_as(leaf: Any, dtype: DType) -> Any:
    if not _is_number(leaf):
        return leaf
    kind = _kind(leaf)
    fits = dtype.is_complex or (dtype.is_float and not kind.is_complex) or (dtype.is_integer and kind.is_integer)
    if not fits:
        return leaf
    return taken_as(leaf, dtype) if isinstance(leaf, WeakValue) else in_dtype(leaf, dtype, "a carry", "RLX110")


# -- loops ------------------------------------------------------------------------------------------------------
def scan_trees(
    f: Function, init: Any, xs: Any = None, length: Size | None = None, reverse: bool = False, num_checkpoints: int | None = None
) -> tuple[Any, Any]:
    """`rlx.lax.scan` on Values; references that the step reaches are carried."""
    options = length, reverse, num_checkpoints

    def run_with_references(refs: Sequence[Ref], values: list[Any]) -> Any:
        def step(carry: Any, row: Any) -> Any:
            with holding(refs, carry[1]) as last:
                after, y = _pair_of_step(f(carry[0], row))
                return (after, last()), y

        (out, last), ys = _scan_trees(step, (init, values), xs, *options)
        return (out, ys), last

    return thread_references(run_with_references, plain=lambda: _scan_trees(f, init, xs, *options))


def _pair_of_step(result: Any) -> tuple[Any, Any]:
    if not isinstance(result, tuple) or len(result) != 2:
        raise RlxError("RLX114", f"the step of a scan returns {structure(result)}", fix="return (carry, y); y may be None")
    return result


def _scan_trees(
    f: Function, init: Any, xs: Any, length: Size | None, reverse: bool, num_checkpoints: int | None
) -> tuple[Any, Any]:
    seen: list[Any] = []

    def note(result: Any) -> None:
        after, y = _pair_of_step(result)
        _same_containers("the carry after a step", after, init)
        seen.append(y)

    graph, rows, step = graph_of([f], (init, xs)), leaves_of(xs), _flat(f, (init, xs), note)
    carries = _typed_numbers(step, leaves_of(init), rows, graph)
    results = control.scan_values(step, carries, rows, length=length, reverse=reverse, num_checkpoints=num_checkpoints, graph=graph)
    return rebuild(init, list(results[: len(carries)])), rebuild(seen[-1], list(results[len(carries) :]))


def while_trees(cond_fun: Function, body_fun: Function, init: Any, max_iterations: int | None = None) -> Any:
    """`rlx.lax.while_loop` on Values; references that its functions reach are carried."""

    def run_with_references(refs: Sequence[Ref], values: list[Any]) -> Any:
        def condition(carry: Any) -> Any:
            with holding(refs, carry[1]):
                return cond_fun(carry[0])

        def body(carry: Any) -> Any:
            with holding(refs, carry[1]) as last:
                return body_fun(carry[0]), last()

        return _while_trees(condition, body, (init, values), max_iterations)

    return thread_references(run_with_references, plain=lambda: _while_trees(cond_fun, body_fun, init, max_iterations))


def _while_trees(cond_fun: Function, body_fun: Function, init: Any, max_iterations: int | None) -> Any:
    graph = graph_of([cond_fun, body_fun], init)
    body = _flat(body_fun, (init,), lambda result: _same_containers("the body", result, init))
    carries = _typed_numbers(body, leaves_of(init), (), graph)
    condition = _flat(cond_fun, (init,), lambda result: None)
    results = control.while_values(carries, condition, body, max_iterations=max_iterations, graph=graph)
    return rebuild(init, list(results))


def fori_trees(lower: Any, upper: Any, body: Function, init: Any) -> Any:
    """`rlx.lax.fori_loop` on Values: a scan where both bounds are known, which has gradients; else a while loop."""

    def check_and_call(index: Any, value: Any) -> Any:
        after = body(index, value)
        _same_containers("the body of fori_loop", after, value)
        return after

    if isinstance(lower, Value) or isinstance(upper, Value):
        first, last = _bounds(lower, upper, graph_of([body], (lower, upper, init)))
        return while_trees(
            lambda carry: carry[0] < carry[1],
            lambda carry: (carry[0] + 1, carry[1], check_and_call(carry[0], carry[2])),
            (first, last, init),
        )[2]
    start = np.asarray(lower, np.int32 if max(abs(lower), abs(upper)) < 2**31 else np.int64)
    step = lambda carry, _: ((carry[0] + 1, check_and_call(*carry)), None)  # noqa: E731
    return scan_trees(step, (start, init), length=max(upper - lower, 0))[0][1]


def _bounds(lower: Any, upper: Any, graph: Graph) -> list[Value]:
    """Converts both bounds of a `fori_loop` to scalars of one integer dtype."""
    _, values = bodies.outer_values([lower, upper], graph)
    for value in values:
        if value.rank or not value.dtype.is_integer:
            raise RlxError("RLX103", f"a bound of fori_loop is {value.type}", fix="an int, or a scalar of integers")
    common = promote(*(value.dtype for value in values))
    return [as_dtype(value, common) for value in values]


def map_trees(f: Function, xs: Any) -> Any:
    """`rlx.lax.map` on Values."""
    return scan_trees(lambda _, row: (None, f(row)), None, xs)[1]


# -- branches ---------------------------------------------------------------------------------------------------
def cond_trees(pred: Any, then: Function, otherwise: Function, *operands: Any) -> Any:
    """`rlx.lax.cond` on Values; references that its branches reach are operands and results."""

    def with_state(refs: Sequence[Ref], values: list[Any]) -> Any:
        def branch(chosen: Function) -> Function:
            def on_state(state: list[Any], *inside: Any) -> Any:
                with holding(refs, state) as last:
                    return chosen(*inside), last()

            return on_state

        return _cond_trees(pred, branch(then), branch(otherwise), values, *operands)

    return thread_references(with_state, plain=lambda: _cond_trees(pred, then, otherwise, *operands))


def _cond_trees(pred: Any, then: Function, otherwise: Function, *operands: Any) -> Any:
    seen: list[Any] = []
    graph = graph_of([then, otherwise], (pred, operands))
    branches = [_flat(branch, operands, seen.append) for branch in (then, otherwise)]
    pred = pred if isinstance(pred, Value) else np.asarray(pred)
    if pred.dtype not in (boolean, np.dtype(bool)):
        pred = pred != 0
    results = control.cond_values(pred, branches[0], branches[1], leaves_of(operands), graph=graph)
    _same_containers("else", seen[1], seen[0])
    return rebuild(seen[0], list(results))


def switch_trees(index: Any, branches: Sequence[Function], *operands: Any) -> Any:
    """`rlx.lax.switch` on Values: a binary search over the branches, one comparison per level."""
    if not isinstance(index, Value):
        return branches[min(max(int(index), 0), len(branches) - 1)](*operands)
    if index.rank or not index.dtype.is_integer:
        raise RlxError("RLX103", f"the index of switch is {index.type}", fix="an int, or a scalar of integers")
    first: list[Any] = []

    def branch(number: int) -> Function:
        def check_and_call(*inside: Any) -> Any:
            result = branches[number](*inside)
            first.append(result)
            _same_containers(f"branch {number} of switch", result, first[0])
            for mine, other in zip(leaves_of(result), leaves_of(first[0]), strict=True):
                if isinstance(mine, Value) and isinstance(other, Value) and mine.type != other.type:
                    message = f"branch {number} of switch returns {mine.type} where branch 0 returns {other.type}"
                    raise RlxError("RLX102", message, fix="all branches return the same shapes and dtypes")
            return result

        return check_and_call

    def choose_half(low: int, high: int) -> Function:
        if high - low == 1:
            return branch(low)
        middle = (low + high) // 2
        halves = choose_half(low, middle), choose_half(middle, high)
        return lambda *inside: cond_trees(index < middle, *halves, *inside)

    return choose_half(0, len(branches))(*operands)


# -- associative_scan: all prefixes of a product in a logarithmic number of steps, each on whole arrays --------------


Leaves = list[Value]


def associative_scan_trees(fn: Callable[..., Any], elems: Any, reverse: bool, axis: int) -> Any:
    """`rlx.lax.associative_scan` on Values.

    Neighbors are combined in pairs, the scan of these pairs (half as many) gives every second result, and one more step those in between.
    """
    _, leaves = outer_values(leaves_of(elems), graph_of([fn], elems))
    count = _common_length(leaves, axis)
    axes = [axis % leaf.rank for leaf in leaves]

    def combine(left: Leaves, right: Leaves) -> Leaves:
        result = fn(rebuild(elems, list(left)), rebuild(elems, list(right)))
        if structure(result) != structure(elems):
            message = f"the function of associative_scan returns {structure(result)}, expected {structure(elems)}"
            raise RlxError("RLX114", message, fix="return containers like those of one argument")
        for mine, other in zip(leaves_of(result), left, strict=True):
            if mine.type != other.type:
                message = f"the function of associative_scan returns {mine.type} for elements of {other.type}"
                raise RlxError("RLX102", message, fix="it takes and gives elements of the same shapes and dtypes")
        return leaves_of(result)

    def part(values: Leaves, start: int | None, stop: int | None = None, step: int | None = None) -> Leaves:
        which = slice(start, stop, step)
        return [value[(*[slice(None)] * along, which)] for value, along in zip(values, axes, strict=True)]

    def join(*parts: Leaves) -> Leaves:
        return [OPS["concat"](*pieces, axis=along) for *pieces, along in zip(*parts, axes, strict=True)]

    def prefixes(values: Leaves, count: int) -> Leaves:
        if count < 2:
            return values
        odd = prefixes(combine(part(values, 0, count - 1, 2), part(values, 1, None, 2)), count // 2)
        if count == 2:
            return join(part(values, 0, 1), odd)
        between = combine(part(odd, 0, (count - 1) // 2), part(values, 2, None, 2))
        even = join(part(values, 0, 1), between)
        if count % 2 == 0:
            return _interleave(even, odd, axes)
        return join(_interleave(part(even, 0, count // 2), odd, axes), part(even, count // 2))

    given = part(leaves, None, None, -1) if reverse else leaves
    scanned = prefixes(given, count)
    return rebuild(elems, part(scanned, None, None, -1) if reverse else scanned)


def _interleave(even: Leaves, odd: Leaves, axes: Sequence[int]) -> Leaves:
    """Interleaves two equally long arrays along an axis."""
    merged = []
    for first, second, axis in zip(even, odd, axes, strict=True):
        dims = first.shape
        pair = [value.reshape(*dims[: axis + 1], 1, *dims[axis + 1 :]) for value in (first, second)]
        both = OPS["concat"](*pair, axis=axis + 1)
        merged.append(both.reshape(*dims[:axis], 2 * dims[axis], *dims[axis + 1 :]))
    return merged


def _common_length(leaves: Sequence[Value], axis: int) -> int:
    """The length of the scanned axis, which all leaves agree on."""
    if not leaves:
        raise RlxError("RLX101", "associative_scan of no arrays", fix="pass at least one array")
    sizes = []
    for leaf in leaves:
        if not -leaf.rank <= axis < leaf.rank:
            raise RlxError("RLX104", f"axis {axis} of associative_scan of {leaf.type}")
        sizes.append(leaf.shape[axis])
    for size in sizes:
        if isinstance(size, Dim):
            raise RlxError("RLX202", f"associative_scan over the symbolic size {size}", fix="a static size, or rlx.lax.scan")
        if size != sizes[0]:
            raise RlxError("RLX102", f"associative_scan of {sizes[0]} and {size} elements", fix="arrays of one length")
    return int(sizes[0])
