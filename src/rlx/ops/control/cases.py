"""The test rows of scan, if and while: small bodies that each do one odd thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlx.ir.graph import Graph
from rlx.ops.record import OPS, Case, Sample, Shape, case, sample


def body_of(make: Callable[..., Any], *shapes: tuple[int, ...] | Shape, name: str = "body") -> Graph:
    """A frozen body of f32 inputs (or of these Shapes)."""
    from rlx.ops.control.fused import make_body

    typed = [shape if isinstance(shape, Shape) else Shape(shape, "f32") for shape in shapes]
    return make_body(name, {f"x{index}": shape for index, shape in enumerate(typed)}, make)


def _scan_row(note: str, body: Graph, *operands: Sample, length: int, carries: int = 1, bcasts: int = 0, **attrs: Any) -> Case:
    counts: dict[str, Any] = {"num_carry": carries, "num_bcast": bcasts, "num_xs": len(operands) - carries - bcasts}
    return case(*operands, note=note, body=body, length=length, **counts, **attrs)


def scan_cases() -> list[Case]:
    """A running sum, a recurrent net, two carries; no step, one step, backwards, no carry, no row."""
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
    """Both ways, with one operand and with none read by one of the branches."""
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
    """Counting, two carries, an operand that does not change, a limit, and no step at all."""
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
