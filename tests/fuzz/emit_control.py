"""Ops with bodies in random graphs: scans, branches, loops and functions of the user's, over values and captured values."""

from __future__ import annotations

from typing import Any

from rlx.ir.value import Value
from tests.fuzz.generator import Maker
from tests.fuzz.registry import build, emitter


def rows(m: Maker) -> Value:
    """A tame f32 value of rank 2, its first axis maybe symbolic."""
    return m.tame(m.find(lambda v: v.dtype.name == "f32" and v.rank == 2 and m.full(v), (m.choose(m.sizes[1:]), 5)), 4.0)


def smooth(m: Maker, x: Value) -> Value:
    return build(m, m.choose(["tanh", "sigmoid", "sin", "gelu"]), x)


@emitter("scan")
def scan(m: Maker, name: str) -> Any:
    """A carry over rows, forwards or backwards; the body reads a row, an outer value, and maybe a weight."""
    g, xs = m.graph, rows(m)
    columns = xs.shape[1]
    init, outer = m.leaf((columns,), "f32"), m.leaf((columns,), "f32")
    weight = m.leaf((columns, columns), "f32") if isinstance(columns, int) and columns <= 9 and m.chance(0.4) else None
    kind = m.choose(["sin", "tanh", "sigmoid"])

    def body(carry: Value, row: Value) -> tuple[Value, Value]:
        mixed = carry if weight is None else carry @ weight
        new = build(m, kind, mixed * 0.5 + row * outer)
        return new, new - row

    carries, ys = g.scan_general(body, (init,), (xs,), reverse=m.chance(0.4))
    m.sync()
    return *carries, *ys


@emitter("if")
def branch(m: Maker, name: str) -> Any:
    """Either branch may read the operand, an outer value, or do nothing."""
    g, x = m.graph, rows(m)
    outer, factor = m.leaf(x.shape[1:], "f32"), m.choose([0.5, 2.0])
    pred = m.leaf((), "bool", kind="input") if m.chance(0.7) else g.constant(m.chance(0.5))
    return g.cond(pred, lambda v: (g.tanh(v) + outer, v), lambda v: (v * factor, v - outer), (x,))


@emitter("while")
def loop(m: Maker, name: str) -> Any:
    """As often as a number read from the graph says, with a limit now and then."""
    g, x = m.graph, rows(m)
    times, outer = m.leaf((), "i32", style="index", high=4, kind="input"), m.leaf(x.shape[1:], "f32")
    limit = m.choose([None, 2])
    found = g.while_loop(
        (g.constant(0), x), cond=lambda i, v: i < times, body=lambda i, v: (i + 1, g.sin(v) * outer + v * 0.5), max_iterations=limit
    )
    m.sync()
    return found


@emitter("custom_fn")
def custom(m: Maker, name: str) -> Any:
    g, x = m.graph, rows(m)
    y = m.leaf(x.shape[1:], "f32")
    return g.custom_fn_multi(
        [x, y], lambda a, b: (g.tanh(a) * b, a - b), vjp_body=lambda a, b, d_output_0, d_output_1: (d_output_0, b)
    )
