"""scan, cond and while_loop: builders and functions against JAX, on both devices; captured values, symbols, text, errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.core.errors import RlxError
from rlx.ir.op import OPS
from rlx.ir.verify import verify
from rlx.module import Graph
from tests.ops.running import draw, op_for, run, shape_of

DEVICES = pytest.mark.parametrize("device", ["reference", "cpu"])
ROWS = [
    pytest.param(OPS[name], row, id=f"{name}-{number}")
    for name in ("scan", "if", "while")
    for number, row in enumerate(OPS[name].cases())  # type: ignore[operator]
]


def results(build: Callable[..., Any], arrays: dict[str, Any], device: str, **shapes: Any) -> dict[str, Any]:
    """Outputs of `build(g, *inputs)`; the graph prints and parses back on the way."""
    g = Graph("test")
    inputs = [g.input(name, shapes.get(name, array.shape), str(rlx.DType.of(array.dtype))) for name, array in arrays.items()]
    g.set_outputs(build(g, *inputs))
    verify(g)
    assert rlx.graphs.parse(str(g)) == g
    return rlx.compile(g, device).run(arrays)


@pytest.mark.parametrize(("record", "row"), ROWS)
@DEVICES
def test_cases(record: Any, row: Any, device: str) -> None:
    operands = row.arrays()
    wanted = run(record, *operands, wide=True, **row.attrs)
    g = Graph("case")
    values = [g.input(f"x{i}", array.shape, str(rlx.DType.of(array.dtype))) for i, array in enumerate(operands)]
    found = record(*values, **row.attrs)
    g.set_outputs({f"y{i}": value for i, value in enumerate(found)})
    assert rlx.graphs.parse(str(g)) == g
    answers = rlx.compile(g, device).run({f"x{i}": array for i, array in enumerate(operands)})
    op = op_for(record, [shape_of(array) for array in operands], **row.attrs)
    bounds = record.tolerance.bounds(op, operands, wanted, [shape_of(one) for one in answers.values()])
    for one, other, bound in zip(answers.values(), wanted, bounds, strict=True):
        assert one.shape == other.shape and (np.abs(one.astype(np.float64) - other) <= bound).all()


# -- against JAX ------------------------------------------------------------------------------------------------
@DEVICES
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("length", [0, 1, 7])
def test_scan_is_lax_scan(device: str, reverse: bool, length: int) -> None:
    jax = pytest.importorskip("jax")
    w, xs = (draw((4, 4), low=-0.5, high=0.5, seed=1), {"a": draw((length, 3, 4), seed=2), "b": draw((length, 4), seed=3)})
    init = (draw((3, 4), seed=4), np.float32(2))

    def step(carry: Any, x: Any) -> Any:
        h, n = carry
        h = (h @ w + x["a"]) / 4
        return (h, n + 1), {"h": h * n, "b": x["b"]}

    (h, n), ys = jax.lax.scan(step, init, xs, reverse=reverse)
    (h2, n2), ys2 = rlx.jit(lambda init, xs: rlx.lax.scan(step, init, xs, reverse=reverse), device=device)(init, xs)
    for one, other in ((h2, h), (n2, n), (ys2["h"], ys["h"]), (ys2["b"], ys["b"])):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@DEVICES
@pytest.mark.parametrize("sign", [1, -1])
def test_cond_is_lax_cond(device: str, sign: int) -> None:
    jax = pytest.importorskip("jax")
    x, w = draw((5,), low=1, seed=1) * np.float32(sign), draw((5,), seed=2)

    def both(module: Any) -> Callable[[Any], Any]:
        return lambda x: module.cond(x.sum() > 0, lambda x: {"y": x * w, "z": (x + 1)}, lambda x: {"y": -x, "z": x}, x)

    wanted, found = both(jax.lax)(x), rlx.jit(both(rlx.lax), device=device)(x)
    for name in ("y", "z"):
        np.testing.assert_allclose(found[name], wanted[name], rtol=1e-6)


@DEVICES
def test_trap_while_with_two_carries_is_lax_while_loop(device: str) -> None:
    jax = pytest.importorskip("jax")

    def both(module: Any) -> Callable[[Any], Any]:
        return lambda start: module.while_loop(lambda c: (c[0] < 6) & (c[1].sum() < 500), lambda c: (c[0] + 1, c[1] * 2), start)

    start = (np.int32(0), draw((4,), low=1, seed=1))
    wanted, found = both(jax.lax)(start), rlx.jit(both(rlx.lax), device=device)(start)
    assert int(found[0]) == int(wanted[0])
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-6)


# -- builders ---------------------------------------------------------------------------------------------------
@DEVICES
def test_scan_builders(device: str) -> None:
    arrays = {"c": draw((3,), seed=1), "w": draw((3,), low=0.5, high=1, seed=2), "xs": draw((6, 3), seed=3)}

    def build(g: Graph, c: Any, w: Any, xs: Any) -> dict[str, Any]:
        return {
            "plain": g.scan(c, lambda c: c * w + 1, 4),
            "xs": g.scan_with_xs(c, xs, lambda c, x: c * w + x),
            "bcasts": g.scan_with_bcasts_and_xs(c, [w], xs, lambda c, w, x: c * w + x),
            "checkpointed": g.scan_checkpointed(c, lambda c, x: c * w + x, xs=xs, num_checkpoints=3),
            "all": g.scan_trajectory(c, lambda c: c * w + 1, 4),
            "backwards": g.scan_with_xs(c, xs, lambda c, x: c * w + x, reverse=True),
        }

    found = results(build, arrays, device)
    c, w, xs = arrays.values()
    carry, rows = c, []
    for _ in range(4):
        carry = carry * w + 1
        rows.append(carry)
    np.testing.assert_allclose(found["plain"], carry, rtol=1e-5)
    np.testing.assert_allclose(found["all"], np.stack(rows), rtol=1e-5)
    forwards = backwards = c
    for t in range(6):
        forwards, backwards = forwards * w + xs[t], backwards * w + xs[5 - t]
    for name in ("xs", "bcasts", "checkpointed"):
        np.testing.assert_allclose(found[name], forwards, rtol=1e-5, err_msg=name)
    np.testing.assert_allclose(found["backwards"], backwards, rtol=1e-5)


def test_captured_values_become_operands() -> None:
    g = Graph("outer")
    x, w, unused = g.input("x", (4,)), g.input("w", (4, 4)), g.input("unused", (4,))
    y = g.scan(x, lambda h: g.tanh(h @ w) + x, 3)
    node = g.node(y.ref)
    assert node.inputs == (x.ref, w.ref, x.ref) and node.op["num_bcast"] == 2
    assert list(node.op["body"].inputs) == ["x0", "captured_0", "captured_1"]
    z = g.cond(x.sum() > 0, lambda: x + 1, lambda: w[0] + unused)
    assert list(g.node(z.ref).refs[1:]) == [x.ref, w.ref, unused.ref]
    assert [n.op.name for n in g.nodes if not n.op.definition.leaf] == ["scan", "reduce_sum", "gt", "if"]


@DEVICES
def test_a_body_may_be_a_graph(device: str) -> None:
    body = Graph("cell")
    c, x = body.input("c", (3,)), body.input("x", (3,))
    body.set_outputs({"next": c + x, "seen": c * x})
    arrays = {"c": draw((3,), seed=1), "xs": draw((4, 3), seed=2)}

    def build(g: Graph, c: Any, xs: Any) -> dict[str, Any]:
        (last,), (seen,) = g.scan_general(body, c, xs)
        return {"last": last, "seen": seen}

    found = results(build, arrays, device)
    np.testing.assert_allclose(found["last"], arrays["c"] + arrays["xs"].sum(0), rtol=1e-5)
    np.testing.assert_allclose(found["seen"][0], arrays["c"] * arrays["xs"][0], rtol=1e-6)


@DEVICES
def test_symbolic_lengths_compile_once(device: str) -> None:
    g = Graph("ragged")
    xs = g.input("xs", ("steps", "batch", 4))
    start = g.constant(np.zeros(4, np.float32))
    total, seen = g.scan_general(lambda c, x: (c + x.sum(0), x * c), start, xs)
    g.set_outputs({"total": total[0], "seen": seen[0]})
    exe = rlx.compile(g, device)
    for steps, batch in ((3, 2), (1, 5), (40, 3)):
        array = draw((steps, batch, 4), seed=steps)
        found = exe.run({"xs": array})
        np.testing.assert_allclose(found["total"], array.sum((0, 1)), rtol=1e-4, atol=1e-4)
        before = np.cumsum(array.sum(1), 0) - array.sum(1)
        np.testing.assert_allclose(found["seen"], array * before[:, None], rtol=1e-3, atol=1e-3)


@DEVICES
def test_a_symbol_may_stand_in_a_body_and_in_the_length_alone(device: str) -> None:
    g = Graph("inner")
    n = rlx.Dim("n")
    rows = g.input("rows", (n,))
    g.set_outputs({"y": g.scan(g.constant(np.float32(0)), lambda c: c + g.iota((n,), dtype="f32").sum(), n), "rows": rows * 2})
    exe = rlx.compile(g, device)
    for size in (1, 4):
        assert exe.run({"rows": np.ones(size, np.float32)})["y"] == size * sum(range(size))


@DEVICES
@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16", "i32", "u8", "c64"])
def test_carries_of_any_dtype(device: str, dtype: str) -> None:
    arrays = {"c": draw((5,), dtype, low=0, high=2, seed=1), "xs": draw((4, 5), dtype, low=0, high=2, seed=2)}
    found = results(lambda g, c, xs: {"y": g.scan_with_xs(c, xs, lambda c, x: c + x)}, arrays, device)
    wanted = arrays["c"]
    for row in arrays["xs"]:
        wanted = wanted + row
    np.testing.assert_allclose(found["y"].astype(np.complex128), wanted.astype(np.complex128), rtol=1e-6)


@DEVICES
def test_large_arrays_met_in_a_body_are_params_of_the_traced_function(device: str) -> None:
    w = draw((200, 200), low=-0.1, high=0.1, seed=1)
    found = rlx.jit(lambda x: rlx.lax.scan(lambda h, _: (h @ w, None), x, length=3)[0], device=device)(draw((2, 200), seed=2))
    np.testing.assert_allclose(found, draw((2, 200), seed=2) @ w @ w @ w, rtol=1e-3, atol=1e-3)


# -- errors -----------------------------------------------------------------------------------------------------
def _errors() -> list[tuple[str, Callable[[Graph, Any, Any], Any], str]]:
    return [
        ("checkpoints", lambda g, x, xs: g.scan_checkpointed(x, lambda c: c, 4, num_checkpoints=5), "num_checkpoints is 5"),
        ("no checkpoint", lambda g, x, xs: g.scan_checkpointed(x, lambda c: c, 4, num_checkpoints=0), "from 1 to 4"),
        (
            "a carry changes shape",
            lambda g, x, xs: g.scan(x, lambda c: c[:2], 3),
            "carry 0 after a step is f32[2], expected f32[3]",
        ),
        (
            "a carry changes dtype",
            lambda g, x, xs: g.scan(x, lambda c: c.astype("f64"), 3),
            "after a step is f64[3], expected f32[3]",
        ),
        ("ys from a scan of carries", lambda g, x, xs: g.scan(x, lambda c: (c, c), 3), "returns 2 values for 1 carries"),
        ("no carry comes back", lambda g, x, xs: g.scan((x, x), lambda a, b: a, 3), "the body returns 1 values for 2 carries"),
        ("no length", lambda g, x, xs: g.scan_general(lambda c: c, x), "needs its length"),
        (
            "another length",
            lambda g, x, xs: g.scan_general(lambda c, r: c, x, xs, length=9),
            "rows of xs 0 and length: 4 and 9 differ",
        ),
        ("negative length", lambda g, x, xs: g.scan(x, lambda c: c, -1), "length is -1"),
        ("a scalar has no rows", lambda g, x, xs: g.scan_with_xs(x, x.sum(), lambda c, r: c), "xs 0 is the scalar f32[]"),
        ("nested results", lambda g, x, xs: g.scan(x, lambda c: ((c,),), 3), "return Values, flat"),
        ("pred is a vector", lambda g, x, xs: g.cond(x > 0, lambda: x, lambda: x), "pred is bool[3]"),
        (
            "branches differ",
            lambda g, x, xs: g.cond(x.sum() > 0, lambda: x, lambda: xs),
            "result 0 of else is f32[4, 3], expected f32[3]",
        ),
        ("branches differ in number", lambda g, x, xs: g.cond(x.sum() > 0, lambda: x, lambda: (x, x)), "1 values, else returns 2"),
        ("cond is a vector", lambda g, x, xs: g.while_loop(x, cond=lambda x: x > 0, body=lambda x: x), "cond returns bool[3]"),
        ("a while without carries", lambda g, x, xs: g.while_loop((), cond=lambda: x, body=lambda: x), "without carries"),
        (
            "a body with too few inputs",
            lambda g, x, xs: g.scan((x, x), _one_input(), 3),
            "the body has 1 inputs (c), 2 values are given",
        ),
    ]


def _one_input() -> Graph:
    body = Graph("body")
    body.set_outputs({"y": body.input("c", (3,)) * 2})
    return body


@pytest.mark.parametrize(("build", "message"), [pytest.param(b, m, id=n) for n, b, m in _errors()])
def test_errors_say_what_and_how(build: Callable[..., Any], message: str) -> None:
    g = Graph("errors")
    x, xs = g.input("x", (3,)), g.input("xs", (4, 3))
    with pytest.raises(RlxError) as raised:
        build(g, x, xs)
    assert message in str(raised.value) and "fix:" in str(raised.value)


def test_containers_that_change_are_named() -> None:
    x = np.ones(3, np.float32)
    with pytest.raises(RlxError, match="return \\(carry, y\\)"):
        rlx.jit(lambda x: rlx.lax.scan(lambda c, _: c, x, length=2), device="reference")(x)
    with pytest.raises(RlxError, match="the carry after a step returns"):
        rlx.jit(lambda x: rlx.lax.scan(lambda c, _: ((c, c), None), x, length=2), device="reference")(x)
    with pytest.raises(RlxError, match="else returns"):
        rlx.jit(lambda x: rlx.lax.cond(x.sum() > 0, lambda x: {"a": x}, lambda x: [x], x), device="reference")(x)
