"""scan: a body once for each row, as `lax.scan`; its derivatives are a loop forward with tangents, and one backward over kept carries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.ir.emit import emit
from rlx.ir.evaluate import evaluate_body
from rlx.ir.graph import Graph
from rlx.ir.tolerance import OfBody
from rlx.ops.control.control import record_body, scan_values
from rlx.ops.control.fused import body_cost, inline, make_body
from rlx.ops.conv.conv import within_axis
from rlx.ops.movement.parts import concat, narrow
from rlx.ops.record import OPS, Array, Attr, Call, Case, OpKind, Sample, Shape, Size, Value, case, define, sample
from rlx.transforms.rules.batching import Axis, Batched, Operands, batch_body, batch_size, in_front, move_axis
from rlx.transforms.rules.derivative import Both, Derivative, Maybe, depending_outputs
from rlx.transforms.rules.formulas import at_least_zero, or_zeros, zeros_like
from rlx.transforms.rules.tape import without_effects


# -- the types of bodies and carries
def same_type(call: Call, what: str, inside: Shape, outside: Shape, fix: str | None = None) -> None:
    """Checks that a body's value has the dtype and sizes of the outer value."""
    if inside.dtype is not outside.dtype or inside.rank != outside.rank:
        raise call.error("RLX102", f"{what} is {inside}, expected {outside}", fix=fix)
    for mine, other in zip(inside.dims, outside.dims, strict=True):
        call.check_same(mine, other, f"{what} is {inside}, expected {outside}: sizes", fix=fix)


def check_inputs(call: Call, role: str, body: Graph, operands: Sequence[Shape]) -> None:
    """Checks that the inputs of a body match the operands."""
    names = list(body.inputs)
    if len(names) != len(operands):
        listed = ", ".join(names) or "none"
        raise call.error(
            "RLX101",
            f"the {role} has {len(names)} inputs ({listed}), {len(operands)} values are given",
            fix=f"a {role} of {len(operands)} arguments",
        )
    for (name, node), outside in zip(body.inputs.items(), operands, strict=True):
        same_type(call, f"input {name} of the {role}", node.shape, outside, "cast or reshape the operand")


def check_carries(call: Call, body: Graph, carries: Sequence[Shape]) -> tuple[Shape, ...]:
    """Checks that a body's first results have the types of the carries; returns the types of the other results."""
    shapes = tuple(body.shape(ref) for ref in body.output_refs.values())
    if len(shapes) < len(carries):
        raise call.error(
            "RLX101",
            f"the body returns {len(shapes)} values for {len(carries)} carries",
            fix="return every carry, in the order of the arguments",
        )
    for index, (new, old) in enumerate(zip(shapes, carries, strict=False)):
        same_type(call, f"carry {index} after a step", new, old, "a carry keeps its shape and dtype: reshape, or .astype(…)")
    return shapes[len(carries) :]


# -- derivatives ------------------------------------------------------------------------------------------------
def split(values: Sequence[Any], *counts: int) -> list[list[Any]]:
    """Splits values into consecutive parts of these lengths, and the rest."""
    parts, first = [], 0
    for count in counts:
        parts.append(list(values[first : first + count]))
        first += count
    return [*parts, list(values[first:])]


def active_carries(body: Graph, count: int, wanted: Sequence[bool]) -> list[int]:
    """Indices of the carries that depend on an operand whose gradient is wanted, after any number of steps."""
    inputs = {index for index, flag in enumerate(wanted) if flag}
    while True:
        reached = {index for index in depending_outputs(body, inputs) if index < count}
        if reached <= inputs:
            return sorted(index for index in inputs if index < count)
        inputs |= reached


# -- batches ----------------------------------------------------------------------------------------------------
def present(operands: Operands) -> list[Value]:
    """The operands that are not None."""
    return [value for value in operands if value is not None]


def as_axes(flags: Sequence[bool]) -> list[Axis]:
    """Converts flags to batch axes: 0 where a flag is set, else None."""
    return [0 if flag else None for flag in flags]


def settle(body: Graph, carries: Sequence[Axis], rest: Sequence[Axis], size: Size) -> tuple[Graph, list[bool], list[Axis]]:
    """Batches a loop body; returns it with the flags of its batched carries and the axes of its outputs.

    A carry that a step makes batched is batched from the start, and the body is batched again until no flag changes. A counter
    that no batched value reaches stays one number for all examples.
    """
    whole = [axis is not None for axis in carries]
    while True:
        made, places = batch_body(body, [*as_axes(whole), *rest], size, forced=whole)
        after = [place is not None for place in places[: len(whole)]]
        if after == whole:
            return made, whole, places
        whole = after


def carry_values(values: Sequence[Value], axes: Sequence[Axis], whole: Sequence[bool], size: Size) -> list[Value]:
    """The initial carries of a body from `settle`: carries that are batched in it get the batch axis in front."""
    return [in_front(value, axis, size) if flag else value for value, axis, flag in zip(values, axes, whole, strict=True)]


# -- cases of scan, if and while: small bodies, each with one unusual property


def body_of(make: Callable[..., Any], *shapes: tuple[int, ...] | Shape, name: str = "body") -> Graph:
    """Traces a frozen test body with f32 inputs (or inputs of these Shapes)."""
    typed = [shape if isinstance(shape, Shape) else Shape(shape, "f32") for shape in shapes]
    return make_body(name, {f"x{index}": shape for index, shape in enumerate(typed)}, make)


def _scan_row(note: str, body: Graph, *operands: Sample, length: int, carries: int = 1, bcasts: int = 0, **attrs: Any) -> Case:
    counts: dict[str, Any] = {"num_carry": carries, "num_bcast": bcasts, "num_xs": len(operands) - carries - bcasts}
    return case(*operands, note=note, body=body, length=length, **counts, **attrs)


def scan_cases() -> list[Case]:
    """Test cases of `scan`: a running sum, a recurrent net, two carries; no step, one step, backwards, no carry, no row."""
    running = body_of(lambda c, x: (c + x, c * x), (3,), (3,))
    cell = body_of(lambda h, w, x: OPS["tanh"](h @ w + x), (2, 4), (4, 4), (2, 4))
    pair = body_of(lambda a, b: (b, a + b), (2,), (2,))
    return [
        _scan_row("carry and ys", running, sample(3), sample(5, 3), length=5),
        _scan_row("odd: backwards", running, sample(3), sample(5, 3), length=5, reverse=True),
        _scan_row("odd: one step", running, sample(3), sample(1, 3), length=1),
        _scan_row("size 0: no step", running, sample(3), sample(0, 3), length=0),
        _scan_row("a recurrent net: weights are broadcast", cell, sample(2, 4), sample(4, 4), sample(6, 2, 4), length=6, bcasts=1),
        _scan_row("odd: carries that change places, no xs", pair, sample(2), sample(2), length=7, carries=2),
        _scan_row("odd: no carry, a map", body_of(OPS["exp"], (4,)), sample(3, 4), length=3, carries=0),
        _scan_row("checkpointed", running, sample(3), sample(6, 3), length=6, num_checkpoints=2),
    ]


def if_cases() -> list[Case]:
    """Test cases of `if`: both branches, with one operand and with one that only one branch reads."""
    double, square = body_of(lambda x: x + x, (4,), name="then"), body_of(lambda x: x * x, (4,), name="else")
    first, second = (
        body_of(lambda x, y: (x, y * 2.0), (3,), (3,), name="then"),
        body_of(lambda x, y: (y, y), (3,), (3,), name="else"),
    )
    true, false = sample(dtype="bool", fixed=True), sample(dtype="bool", fixed=False)
    one: dict[str, Any] = {"then": double, "else": square}
    two: dict[str, Any] = {"then": first, "else": second}
    return [
        case(true, sample(4), note="taken", **one),
        case(false, sample(4), note="not taken", **one),
        case(true, sample(3), sample(3), note="odd: an operand handed through", **two),
        case(false, sample(3), sample(3), note="odd: one value twice", **two),
    ]


def while_cases() -> list[Case]:
    """Test cases of `while`: a counter, two carries, a constant operand, a limit, and no step."""
    scalar, vector = Shape((), "i32"), Shape((3,), "f32")
    below = body_of(lambda i, x: i < 5, scalar, vector, name="cond")
    step = body_of(lambda i, x: (i + 1, x * 1.5), scalar, vector)
    near = body_of(lambda x, w: (x * x).sum() > 1.0, vector, vector, name="cond")
    shrink = body_of(lambda x, w: x * w, vector, vector)
    start = sample(dtype="i32", fixed=0)
    half = sample(3, fixed=[0.5, 0.25, 0.75])
    return [
        case(start, sample(3), note="two carries", cond=below, body=step),
        case(sample(dtype="i32", fixed=9), sample(3), note="odd: no step", cond=below, body=step),
        case(start, sample(3), note="odd: a limit before cond says so", cond=below, body=step, max_iterations=2),
        case(sample(3, low=2), half, note="odd: an operand that stays", cond=near, body=shrink, num_bcast=1),
    ]


Values = list[Value]


# -- shapes and meaning ------------------------------------------------------------------------------------------
def _scan_shapes(call: Call) -> tuple[Shape, ...]:
    counts = (call.num_carry, call.num_bcast, call.num_xs)
    if min(counts) < 0 or sum(counts) != len(call.given):
        raise call.error("RLX101", f"num_carry, num_bcast, num_xs are {counts} for {len(call.given)} operands")
    length: Size = call.length
    if not isinstance(length, Dim) and length < 0:
        raise call.error("RLX105", f"length is {length}", fix="at least 0")
    marks = call.num_checkpoints
    if marks is not None and (marks < 1 or not (isinstance(length, Dim) or marks <= length)):
        raise RlxError("RLX105", f"scan over {length} steps: num_checkpoints is {marks}", fix=f"from 1 to {length}")
    carries, bcasts = call.given[: counts[0]], call.given[counts[0] : counts[0] + counts[1]]
    rows = []
    for index, shape in enumerate(call.given[counts[0] + counts[1] :]):
        if shape.rank == 0:
            raise call.error("RLX102", f"xs {index} is the scalar {shape}", fix="[length, …]: a step takes one row")
        call.check_same(shape.dims[0], length, f"rows of xs {index} and length:")
        rows.append(Shape.make(shape.dims[1:], shape.dtype))
    check_inputs(call, "body", call.body, (*carries, *bcasts, *rows))
    ys = check_carries(call, call.body, carries)
    return (*carries, *(Shape.make((length, *shape.dims), shape.dtype) for shape in ys))


def _scan(
    *operands: Array,
    body: Graph,
    length: int,
    num_carry: int,
    num_bcast: int,
    num_xs: int,
    reverse: bool,
    num_checkpoints: int | None,
    wide: bool = False,
) -> tuple[Array, ...]:
    carries, fixed = tuple(operands[:num_carry]), operands[num_carry : num_carry + num_bcast]
    rows = operands[num_carry + num_bcast :]
    kept: list[tuple[Array, ...]] = []
    for t in reversed(range(length)) if reverse else range(length):
        step_results = evaluate_body(body, (*carries, *fixed, *(row[t] for row in rows)), wide=wide)
        carries = step_results[:num_carry]
        kept.append(step_results[num_carry:])
    if reverse:
        kept.reverse()
    shapes = [body.shape(ref) for ref in list(body.output_refs.values())[num_carry:]]
    stacked = []
    for index, shape in enumerate(shapes):
        kind = np.float64 if wide and shape.dtype.is_float else shape.dtype.numpy
        stacked.append(np.stack([ys[index] for ys in kept]) if kept else np.zeros((0, *shape.dims), kind))
    return (*carries, *stacked)


# -- residuals -------------------------------------------------------------------------------------------------
def apply_body(body: Graph, values: Sequence[Value]) -> Values:
    """Inlines a body on values and returns its outputs."""
    return list(inline(*values, body=body))


def _run(
    body: Graph, carries: Values, bcasts: Values, xs: Values, length: Size, reverse: bool, keep: bool
) -> tuple[Values, Values, Values]:
    """Emits a scan; returns the last carries, the ys, and with `keep` the stacked carries before each step."""
    count = len(carries)

    def step(*values: Value) -> Values:
        return [*apply_body(body, values), *(values[:count] if keep else ())]

    results = list(scan_values(step, carries, xs, bcasts=bcasts, length=length, reverse=reverse))
    last, ys, before = split(results, count, len(body.output_refs) - count)
    return last, ys, before


@dataclass(frozen=True)
class _Segments:
    """A checkpointed scan cut into `count` segments of equal length and a tail that runs last; cuts the rows of xs to match."""

    length: Size
    count: int
    reverse: bool

    @property
    def each(self) -> Size:
        """The number of steps of one segment."""
        return self.length // self.count

    @property
    def tail(self) -> Size:
        """The number of steps left after the last full segment."""
        return self.length - self.each * self.count

    def has_tail(self) -> bool:
        """Whether the scan may have steps left after the last full segment."""
        return not (isinstance(self.tail, int) and self.tail == 0)

    def cut(self, x: Value) -> tuple[Value, Value]:
        """Splits rows into `[count, each, …]` and the tail's rows: at the end, or at the front of a reversed scan."""
        main = self.each * self.count
        first = self.tail if self.reverse else 0
        within_axis(x, 0, first + main)
        at_least_zero(x.graph, self.tail)
        body = narrow(x, axis=0, start=first, length=main).reshape(self.count, self.each, *x.shape[1:])
        return body, narrow(x, axis=0, start=0 if self.reverse else main, length=self.tail)

    def join(self, main: Value, tail: Value | None) -> Value:
        """Joins the rows of segments `[count, each, …]` and of the tail again."""
        rows: Value = main.reshape(self.each * self.count, *main.shape[2:])
        if tail is None:
            return rows
        return concat(*((tail, rows) if self.reverse else (rows, tail)), axis=0)


def _segments(call: Derivative) -> _Segments | None:
    """The segments of a checkpointed scan; None where every carry is saved anyway."""
    count, length = call.num_checkpoints, call.length
    if count is None or (isinstance(length, int) and count >= length):
        return None
    return _Segments(length, int(count), bool(call.reverse))


def _recorded_step(call: Derivative) -> Graph:
    """The body of a scan as its derivative runs it, by the wanted operands and the carries that depend on them."""
    active = active_carries(call.body, call.num_carry, call.wanted)
    return record_body(call.body, [flag or index in active for index, flag in enumerate(call.wanted)])


def scan_saving(call: Derivative, operands: Sequence[Any]) -> tuple[Values, Values]:
    """Emits a scan that also returns the carries before each step; with checkpoints, those before each segment."""
    body = _recorded_step(call)
    carries, bcasts, xs, _ = split(operands, call.num_carry, call.num_bcast, call.num_xs)
    cut = _segments(call)
    if cut is None:
        last, ys, before = _run(body, carries, bcasts, xs, call.length, call.reverse, True)
        return [*last, *ys], before
    rows = [cut.cut(x) for x in xs]

    def segment(*values: Value) -> Values:
        first, fixed, lines, _ = split(values, call.num_carry, call.num_bcast, call.num_xs)
        last, ys, _ = _run(body, first, fixed, lines, cut.each, cut.reverse, False)
        return [*last, *ys, *first]

    results = list(scan_values(segment, carries, [main for main, _ in rows], bcasts=bcasts, length=cut.count, reverse=cut.reverse))
    middle, ys, starts = split(results, call.num_carry, len(call.body.output_refs) - call.num_carry)
    if not cut.has_tail():
        return [*middle, *(cut.join(y, None) for y in ys)], starts
    last, ends, _ = _run(body, middle, bcasts, [tail for _, tail in rows], cut.tail, cut.reverse, False)
    return [*last, *(cut.join(y, end) for y, end in zip(ys, ends, strict=True))], [*starts, *middle]


# -- back -------------------------------------------------------------------------------------------------------
class _Sweep:
    """The reverse loop of a scan's vjp: which values have gradients, and the vjp of one step."""

    def __init__(self, call: Derivative, operands: Sequence[Any], cotangents: Sequence[Maybe]) -> None:
        self.call, self.body = call, call.body
        carries, bcasts, xs, _ = split(operands, call.num_carry, call.num_bcast, call.num_xs)
        self.carries, self.bcasts, self.xs = carries, bcasts, xs
        self.active = active_carries(call.body, call.num_carry, call.wanted)
        self.fixed = [i for i in range(call.num_bcast) if call.wanted[call.num_carry + i]]
        self.rows = [i for i in range(call.num_xs) if call.wanted[call.num_carry + call.num_bcast + i]]
        self.seeded = [i for i, dy in enumerate(cotangents[call.num_carry :]) if dy is not None]

    def start(self, cotangents: Sequence[Maybe]) -> Values:
        """The initial sums of the reverse loop: gradients of the last carries, and zeros for broadcast operands."""
        ends = [or_zeros(cotangents[i], self.carries[i]) for i in self.active]
        return [*ends, *(zeros_like(self.bcasts[i]) for i in self.fixed)]

    def step(self, sums: Values, before: Values, bcasts: Values, rows: Values, seeds: Values) -> tuple[Values, Values]:
        """One step of the reverse loop: the vjp of the scan's body at the saved carries."""
        count = len(self.active)
        cotangents: list[Maybe] = [None] * len(self.body.output_refs)
        for index, d in zip(self.active, sums[:count], strict=True):
            cotangents[index] = d
        for index, seed in zip(self.seeded, seeds, strict=True):
            cotangents[self.call.num_carry + index] = seed
        operands = [*before, *bcasts, *rows]
        places = [*self.active, *(self.call.num_carry + i for i in self.fixed)]
        lines = [self.call.num_carry + self.call.num_bcast + i for i in self.rows]
        wanted = [index in places or index in lines for index in range(len(operands))]
        pulled = self.call.pull(self.body, operands, cotangents, wanted)
        gradients = [or_zeros(pulled[index], operands[index]) for index in self.active]
        totals = [a if pulled[p] is None else a + pulled[p] for a, p in zip(sums[count:], places[count:], strict=True)]
        return [*gradients, *totals], [or_zeros(pulled[index], operands[index]) for index in lines]

    def run(self, sums: Values, before: Values, bcasts: Values, xs: Values, seeds: Values, length: Size) -> tuple[Values, Values]:
        """Emits the reverse loop over saved carries; returns its final sums and the stacked gradients of rows."""
        sizes = (len(sums), len(bcasts), len(before), len(xs))

        def step(*values: Value) -> Values:
            now, fixed, old, rows, ds = split(values, *sizes)
            after, lines = self.step(now, old, fixed, rows, ds)
            return [*after, *lines]

        results = list(scan_values(step, sums, [*before, *xs, *seeds], bcasts=bcasts, length=length, reverse=not self.call.reverse))
        after, lines = split(results, len(sums))
        return after, lines

    def again(self, sums: Values, first: Values, bcasts: Values, xs: Values, seeds: Values, length: Size) -> tuple[Values, Values]:
        """Runs the reverse loop over one segment, whose carries are recomputed from the first."""
        step = without_effects(_recorded_step(self.call))
        _, _, before = _run(step, first, bcasts, xs, length, self.call.reverse, True)
        return self.run(sums, before, bcasts, xs, seeds, length)


def scan_vjp(call: Derivative, operands: Sequence[Any], results: Sequence[Any], cotangents: Sequence[Maybe]) -> list[Maybe]:
    """The vjp of `scan`: a reverse loop over the carries that `scan_saving` returned."""
    sweep = _Sweep(call, operands, cotangents)
    saved = list(results[len(call.body.output_refs) :])
    seeds = [dy for dy in cotangents[call.num_carry :] if dy is not None]
    cut = _segments(call)
    sums = sweep.start(cotangents)
    if cut is None:
        sums, lines = sweep.run(sums, saved, sweep.bcasts, sweep.xs, seeds, call.length)
    else:
        sums, lines = _segments_back(sweep, cut, sums, saved, seeds)
    gradients: list[Maybe] = [None] * len(operands)
    count = len(sweep.active)
    for index, gradient in zip(sweep.active, sums[:count], strict=True):
        gradients[index] = gradient
    for index, gradient in zip(sweep.fixed, sums[count:], strict=True):
        gradients[call.num_carry + index] = gradient
    for index, gradient in zip(sweep.rows, lines, strict=True):
        gradients[call.num_carry + call.num_bcast + index] = gradient
    return gradients


def _segments_back(sweep: _Sweep, cut: _Segments, sums: Values, saved: Values, seeds: Values) -> tuple[Values, Values]:
    """The vjp of a checkpointed scan: the tail, then each segment in reverse, recomputing the carries of one segment at a time."""
    starts, middle = split(saved, len(sweep.carries))
    xs, ds = [cut.cut(x) for x in sweep.xs], [cut.cut(seed) for seed in seeds]
    tails: list[Any] = [None] * len(sweep.rows)
    if cut.has_tail():
        ends = [tail for _, tail in xs]
        sums, tails = sweep.again(sums, middle, sweep.bcasts, ends, [tail for _, tail in ds], cut.tail)
    sizes = (len(sums), len(sweep.bcasts), len(starts), len(xs))

    def segment(*values: Value) -> Values:
        now, fixed, first, rows, inner = split(values, *sizes)
        after, lines = sweep.again(now, first, fixed, rows, inner, cut.each)
        return [*after, *lines]

    rows = [*starts, *(main for main, _ in xs), *(main for main, _ in ds)]
    results = list(scan_values(segment, sums, rows, bcasts=sweep.bcasts, length=cut.count, reverse=not cut.reverse))
    after, lines = split(results, len(sums))
    return after, [cut.join(line, tail) for line, tail in zip(lines, tails, strict=True)]


# -- forward ----------------------------------------------------------------------------------------------------
def scan_jvp(call: Derivative, operands: Sequence[Any], results: Sequence[Any], tangents: Sequence[Maybe]) -> Both:
    """The jvp of `scan`: one loop that carries values and tangents side by side."""
    body, counts = call.body, (call.num_carry, call.num_bcast, call.num_xs)
    flags = [t is not None for t in tangents]
    active = active_carries(body, counts[0], flags)
    moving = sorted({*active, *(index for index, flag in enumerate(flags) if flag)})
    groups = [[i for i in moving if low <= i < high] for low, high in _ranges(counts)]
    lines = sorted(i for i in depending_outputs(body, moving) if i >= counts[0])
    carries, bcasts, xs, _ = split(operands, *counts)
    parts = [[or_zeros(tangents[i], operands[i]) for i in group] for group in groups]
    sizes = (counts[0], len(groups[0]), counts[1], len(groups[1]), counts[2], len(groups[2]))

    def step(*values: Value) -> Values:
        c, ct, b, bt, x, xt, _ = split(values, *sizes)
        inner = dict(zip((*groups[0], *groups[1], *groups[2]), (*ct, *bt, *xt), strict=True))
        made, moved = call.push(body, [*c, *b, *x], [inner.get(i) for i in range(sum(counts))])
        carried = [or_zeros(moved[i], made[i]) for i in active]
        return [*made[: counts[0]], *carried, *made[counts[0] :], *(or_zeros(moved[i], made[i]) for i in lines)]

    swept = list(
        scan_values(
            step,
            [*carries, *parts[0]],
            [*xs, *parts[2]],
            bcasts=[*bcasts, *parts[1]],
            length=call.length,
            reverse=call.reverse,
            num_checkpoints=call.num_checkpoints,
        )
    )
    last, carried, ys, moved = split(swept, counts[0], len(active), len(body.output_refs) - counts[0])
    answer: list[Maybe] = [None] * len(results)
    for index, tangent in (*zip(active, carried, strict=True), *zip(lines, moved, strict=True)):
        answer[index] = tangent
    return Both([*last, *ys], answer)


def _ranges(counts: Sequence[int]) -> list[tuple[int, int]]:
    first, ranges = 0, []
    for count in counts:
        ranges.append((first, first + count))
        first += count
    return ranges


# -- the record -------------------------------------------------------------------------------------------------
def _batch_scan(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `scan`: each step runs all examples, rows and ys are `[length, n, …]`."""
    values, size = present(operands), batch_size(operands, axes)
    first, last = call.num_carry, call.num_carry + call.num_bcast
    body, whole, places = settle(call.body, axes[:first], axes[first:], size)
    rows = [value if axis is None else move_axis(value, 0, 1) for value, axis in zip(values[last:], axes[last:], strict=True)]
    given = [*carry_values(values[:first], axes[:first], whole, size), *values[first:last], *rows]
    results = emit(OPS["scan"], given, {**call.op.attrs, "body": body})
    return results, [*as_axes(whole), *(None if place is None else 1 for place in places[first:])]


ACCUMULATED = OfBody(ulps=64.0, scale="max")

scan = define(
    "scan",
    "operands*",
    infer=_scan_shapes,
    reference=_scan,
    kind=OpKind.Compute,
    results=("results*",),
    attrs={
        "body": Attr("graph", help="one step: carries, bcasts, x_t -> carries, ys"),
        "length": Attr("size", help="the number of steps"),
        "num_carry": Attr("int", help="operands that a step hands to the next"),
        "num_bcast": Attr("int", 0, "operands every step reads whole"),
        "num_xs": Attr("int", 0, "operands of which step t reads row t"),
        "reverse": Attr("bool", False, "from the last row to the first"),
        "num_checkpoints": Attr("int", None, "carries kept for the gradient; it never changes values"),
    },
    doc="""As `lax.scan`: the body once for each row; the results are the last carries, then the ys of all steps stacked.

    The tuple has one Value for each output of the body.""",
    tolerance=ACCUMULATED,
    cost=lambda call, results: body_cost(call.body) * call.length,
    vjp=scan_vjp,
    jvp=scan_jvp,
    saving=scan_saving,
    batch=_batch_scan,
    cases=scan_cases,
)
