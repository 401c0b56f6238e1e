"""Loops and branches in native code: threads that come late, nesting, in place, failure, and what runs when.

`python -m tests.backends.cpu.kernels.test_control` measures the cost of a round.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import rlx
from rlx.backends.cpu.run.commands import BRANCH, JUMP, LOOP, NEXT_ROUND, CommandField
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.core.errors import RlxError
from rlx.module import Graph
from tests.ops.running import draw

Build = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def _default_threads() -> Iterator[None]:
    yield
    set_threads(None)


def check(
    build: Build, arrays: dict[str, Any], threads: tuple[int, ...] = (1, 2, 4), runs: int = 3, tolerance: float = 1e-4
) -> None:
    """As the reference, with the same bits for every number of threads and every run."""
    g = Graph("test")
    values = [g.input(name, array.shape, str(rlx.DType.of(array.dtype))) for name, array in arrays.items()]
    g.set_outputs(build(g, *values))
    wanted = rlx.compile(g, "reference").run(arrays)
    first: dict[str, Any] = {}
    for count in threads:
        set_threads(count)
        exe = rlx.compile(g)
        for _ in range(runs):
            found = {name: np.array(array) for name, array in exe.run(arrays).items()}
            first = first or found
            for name, array in found.items():
                np.testing.assert_allclose(array, wanted[name], rtol=tolerance, atol=tolerance)
                np.testing.assert_array_equal(array, first[name])


def test_parallel_kernels_inside_a_scan() -> None:
    def build(g: Graph, h: Any, w: Any, xs: Any) -> dict[str, Any]:
        last, each = g.scan_general(lambda h, x: ((h @ w + x) / 2, h.sum(1)), h, xs)
        return {"last": last[0], "each": each[0]}

    w = draw((128, 128), low=-0.1, high=0.1, seed=2)
    check(build, {"h": draw((96, 128), seed=1), "w": w, "xs": draw((60, 96, 128), seed=3)}, runs=5)


def test_parallel_kernels_inside_a_while() -> None:
    def build(g: Graph, x: Any) -> dict[str, Any]:
        def body(i: Any, x: Any) -> Any:
            return i + 1, g.sin(x) + x / 2

        return dict(
            zip("ix", g.while_loop((g.constant(0), x), cond=lambda i, x: (i < 60) & (x.abs().max() < 1e6), body=body), strict=True)
        )

    check(build, {"x": draw((400, 300), seed=1)}, runs=5)


def test_many_short_decisions_with_late_threads() -> None:
    """A while whose body switches between one unit and many, on more threads than cores: decisions outrun workers."""

    def build(g: Graph, x: Any, big: Any) -> dict[str, Any]:
        def body(i: Any, x: Any, big: Any) -> Any:
            grown = g.cond((i % 16).reshape(()) < 1, lambda: g.tanh(big) + x.sum(), lambda: big)
            return i + 1, g.cos(x), grown

        i, x, big = g.while_loop((g.constant(0), x, big), cond=lambda i, x, big: i < 300, body=body)
        return {"i": i, "x": x, "big": big}

    check(build, {"x": draw((4,), seed=1), "big": draw((200, 300), seed=2)}, threads=(1, 2, 4, 8), runs=3)


def nested(g: Graph, x: Any, xs: Any) -> dict[str, Any]:
    """A scan of whiles of scans with a branch inside, backwards, that reads rows of every level."""

    def step(c: Any, row: Any) -> Any:
        def inner(i: Any, c: Any) -> Any:
            (c,), (seen,) = g.scan_general(lambda a, b: (g.tanh(a + b * row), a * b), c, xs, reverse=True)
            return i + 1, g.cond(c.sum() > 0, lambda c: c * 0.5 + seen.sum(0), lambda c: c + row, [c])

        _, c = g.while_loop((g.constant(0), c), cond=lambda i, c: i < 3, body=inner)
        return c, c * row

    (c,), (ys,) = g.scan_general(step, x, xs, reverse=True)
    return {"c": c, "ys": ys}


@pytest.mark.parametrize("dims", [(2,), (3, 5), (150, 200)])
@pytest.mark.parametrize("length", [0, 1, 4])
def test_nested(dims: tuple[int, ...], length: int) -> None:
    check(nested, {"x": draw(dims, seed=1), "xs": draw((length, *dims), seed=2)}, tolerance=2e-3)


def test_carries_that_change_places_and_are_also_results() -> None:
    def build(g: Graph, a: Any, b: Any, c: Any) -> dict[str, Any]:
        last, ys = g.scan_general(lambda a, b, c: (b, c, a + b, a, b), (a, b, c), length=9)
        return {**{f"last{i}": value for i, value in enumerate(last)}, **{f"y{i}": value for i, value in enumerate(ys)}, "same": a}

    check(build, {name: draw((7,), seed=i) for i, name in enumerate("abc")})


def test_xs_may_be_views() -> None:
    """Rows of a transposed, sliced or broadcast operand are addressed where they lie."""

    def simple(g: Graph, x: Any, table: Any) -> dict[str, Any]:
        rows = table.transpose(1, 0, 2)  # [5, 3, 4] of [3, 5, 4]
        c, ys = g.scan_general(lambda c, a, w: (c + a[0] * w, a * c), x, (rows, g.expand(x, (5, 4))))
        return {"c": c[0], "y": ys[0], "odd": g.scan_with_xs(x, table[0, ::2], lambda c, r: c * r)}

    check(simple, {"x": draw((4,), seed=1), "table": draw((3, 5, 4), seed=2)})


def test_constants_and_random_and_gather_inside_bodies() -> None:
    table = draw((10, 6), seed=3)

    def build(g: Graph, x: Any, ids: Any) -> dict[str, Any]:
        return {"y": g.scan_with_xs(x, ids, lambda c, i: g.softmax(c + g.gather(table, i, axis=0)[0]))}

    check(build, {"x": draw((6,), seed=1), "ids": np.int32([[1], [9], [0], [3]])})


def test_only_the_taken_branch_runs() -> None:
    """The other one would fail: its index is outside the axis."""
    g = Graph("taken")
    x, ids = g.input("x", (4,)), g.input("ids", (2,), "i32")
    g.set_outputs([g.cond(x.sum() > 0, lambda: g.gather(x, ids, axis=0, check_bounds=True), lambda: x[:2])])
    exe = rlx.compile(g)
    np.testing.assert_array_equal(exe(x=-np.ones(4, np.float32), ids=np.int32([7, 8])), -np.ones(2, np.float32))
    np.testing.assert_array_equal(exe(x=np.float32([1, 2, 3, 4]), ids=np.int32([3, 0])), [4, 1])
    with pytest.raises(RlxError, match="outside its axis"):
        exe(x=np.ones(4, np.float32), ids=np.int32([7, 8]))


def test_a_failure_ends_a_while_that_would_not_end() -> None:
    g = Graph("endless")
    x, ids = g.input("x", (4,)), g.input("ids", (1,), "i32")

    def body(x: Any, i: Any) -> Any:
        return x + 0 * g.gather(x, i, axis=0, check_bounds=True), i + 1

    found = g.while_loop((x, ids), cond=lambda x, i: x.max() < 10, body=body)
    g.set_outputs([found[0]])
    with pytest.raises(RlxError, match="outside its axis"):
        rlx.compile(g)(x=np.ones(4, np.float32), ids=np.int32([0]))


def test_states_and_params_feed_loops() -> None:
    g = Graph("stateful")
    w, h, xs = g.param("w", (3, 3)), g.state("h", (3,)), g.input("xs", ("n", 3))
    last = g.scan_with_xs(h, xs, lambda h, x: h @ w + x)
    g.update("h", last)
    g.set_outputs({"y": last * 2})
    weight, wanted = draw((3, 3), low=-0.3, high=0.3, seed=1), np.zeros(3, np.float32)
    exe = rlx.compile(g)
    exe.set_param("w", weight)
    for steps in (4, 1, 7):
        rows = draw((steps, 3), seed=steps)
        for row in rows:
            wanted = wanted @ weight + row
        np.testing.assert_allclose(exe(xs=rows), wanted * 2, rtol=1e-4, atol=1e-5)


def test_a_cache_in_a_loop_is_written_in_place() -> None:
    """dynamic_update_slice of a carry copies a row, not the cache: there is no copy command of its size."""
    g = Graph("cache")
    cache, xs = g.input("cache", (64, 8)), g.input("xs", (64, 8))
    (last, _), _ = g.scan_general(
        lambda cache, i, x: (g.dynamic_update_slice(cache, x.reshape(1, 8), i, axes=(0,)), i + 1), (cache, g.constant(0)), xs
    )
    g.set_outputs([last])
    exe = rlx.compile(g)
    rows = draw((64, 8), seed=1)
    np.testing.assert_array_equal(exe(cache=np.zeros((64, 8), np.float32), xs=rows), rows)
    body = rlx.graphs.lower(g).lir.commands[-1].stage.parts["body"].lir
    assert [c.kernel for c in body.commands if c.kernel == "copy" and c.operands[0].layout.dims == (64, 8)] == []


def test_the_table_has_loops_and_is_stored() -> None:
    g = Graph("table")
    x = g.input("x", (4,))
    y = g.scan(x, lambda c: g.cond(c.sum() > 0, lambda: c * 2, lambda: c + 1), 5)
    g.set_outputs([y])
    from rlx.backends.cpu.backend import CpuBackend
    from rlx.backends.cpu.compile.program import pack_program, unpack_program
    from rlx.core.report import Report
    from rlx.passes.entry import Options

    backend = CpuBackend.shared()
    program = backend.build(backend.lower(g, Options(), Report()), Report())
    flags = program.table.commands[:, CommandField.FLAGS]
    assert [int((flags & kind != 0).sum()) for kind in (LOOP, NEXT_ROUND, BRANCH, JUMP)] == [1, 1, 1, 1]
    again = unpack_program(pack_program(program))
    np.testing.assert_array_equal(again.table.patches, program.table.patches)
    assert again.table.kernels == program.table.kernels and again.table.n_loops == 1


def test_profile_adds_up_the_rounds() -> None:
    g = Graph("profiled")
    x = g.input("x", (64, 64))
    g.set_outputs([g.scan(x, lambda c: (c @ c) / 64, 20)])
    lines = rlx.compile(g).profile({"x": draw((64, 64), seed=1)}).lines
    assert all(0 <= line.seconds < 10 for line in lines) and any(line.seconds > 0 for line in lines)


class Fuzz:
    """Random nests of loops and branches on values of one shape; they read each other's rows, carries and outer values."""

    def __init__(self, g: Graph, random: np.random.Generator, xs: Any) -> None:
        self.g, self.random, self.xs = g, random, xs

    def pick(self, values: list[Any]) -> Any:
        return values[int(self.random.integers(len(values)))]

    def value(self, known: list[Any], depth: int) -> Any:
        """One more value made of known ones."""
        g, kind = self.g, int(self.random.integers(3 if depth == 0 else 6))
        a, b = self.pick(known), self.pick(known)
        if kind == 0:
            return g.tanh(a + b)
        if kind == 1:
            return a * 0.5 - b
        if kind == 2:
            return a - a.mean(axes=-1, keep_dim=True)
        if kind == 3:
            reverse, rows = bool(self.random.integers(2)), self.xs
            (c, d), (ys,) = g.scan_general(lambda c, d, x: self.step([c, d, x, *known], depth), (a, b), rows, reverse=reverse)
            return c + d * 0.1 + ys.sum(0) * 0.01
        if kind == 4:
            larger = (a * a).sum() > (b * b).sum() + 0.0123  # no tie that rounding could turn
            return g.cond(larger, lambda: self.value(known, depth - 1), lambda: self.value([a, b], depth - 1))
        limit = float(self.random.integers(1, 5))
        _, c = g.while_loop(
            (g.constant(np.float32(0)), a),
            cond=lambda i, c: (i < limit) & (c.abs().max() < 1e3),
            body=lambda i, c: (i + 1, self.value([c, *known], depth - 1)),
        )
        return c

    def step(self, known: list[Any], depth: int) -> tuple[Any, Any, Any]:
        """Two carries and a row of ys."""
        second = self.g.clamp(self.value(known[:3], depth - 1), -4.0, 4.0)
        return self.value(known, depth - 1), second, known[1] * known[2]


@pytest.mark.parametrize("seed", range(24))
def test_random_nests(seed: int) -> None:
    random = np.random.default_rng(seed)
    dims = ((3,), (5, 7), (130, 260))[seed % 3]

    def build(g: Graph, x: Any, y: Any, xs: Any) -> dict[str, Any]:
        fuzz = Fuzz(g, np.random.default_rng(seed), xs)
        known = [x, y]
        for _ in range(3):
            known.append(fuzz.value(known, 2 if dims[0] < 100 else 1))
        return {f"v{i}": value for i, value in enumerate(known[2:])}

    length = int(random.integers(0, 4))
    arrays = {"x": draw(dims, low=-1, high=1, seed=seed), "y": draw(dims, low=-1, high=1, seed=seed + 100)}
    check(build, {**arrays, "xs": draw((length, *dims), low=-1, high=1, seed=seed + 200)}, runs=2, tolerance=5e-3)


def _measure() -> None:
    """Nanoseconds of a round: an empty one, and a small recurrent net."""
    for name, build, shapes in (
        ("x + 1", lambda g, x: g.scan(x, lambda c: c + 1, 100_000), {"x": (4,)}),
        ("tanh(h @ w)", lambda g, h, w: g.scan(h, lambda h: g.tanh(h @ w), 10_000), {"h": (1, 64), "w": (64, 64)}),
        ("while i < n", lambda g, i: g.while_loop(i, cond=lambda i: i < 100_000, body=lambda i: i + 1), {"i": ()}),
    ):
        g = Graph("measure")
        arrays = {key: np.zeros(dims, np.float32) for key, dims in shapes.items()}
        g.set_outputs([build(g, *(g.input(key, dims) for key, dims in shapes.items()))])
        exe, best = rlx.compile(g), 1e9
        for _ in range(5):
            start = time.perf_counter()
            exe.run(arrays)
            best = min(best, time.perf_counter() - start)
        print(f"{name:12s} {best * 1e9 / (10_000 if 'tanh' in name else 100_000):8.0f} ns a round")


if __name__ == "__main__":
    _measure()
