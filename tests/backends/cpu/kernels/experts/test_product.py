"""Rows times the matrices of their experts, against each row's own product in f64: every layout of the weights, every dtype, odd sizes,
experts without rows, experts that are not there, any split of the units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import rlx
from rlx.backends.cpu.kernels import KERNELS
from rlx.backends.cpu.kernels.matmul.blocking import panel_width
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.backends.cpu.target import Target
from tests.backends.cpu.levels import HOST, OTHERS, TARGETS
from tests.backends.cpu.lowered import Array, Lowered, op_for, tensor_of

NUMPY: dict[str, Any] = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i32": np.int32,
    "i8": np.int8,
    "u64": np.uint64,
}


@dataclass
class Problem:
    """x `[M, K]`, w `[E, K, N]`, and each row's expert."""

    x: Array
    w: Array
    experts: Array

    @staticmethod
    def draw(m: int, k: int, n: int, e: int, dtype: str = "f32", w_dtype: str | None = None, seed: int = 0) -> Problem:
        random = np.random.default_rng(seed)

        def numbers(*dims: int, dtype: str) -> Array:
            drawn = random.integers(0, 4, dims) if dtype[0] in "iu" else random.standard_normal(dims)
            return drawn.astype(NUMPY[dtype])

        experts = random.integers(-e, e, m).astype(np.int64)
        return Problem(numbers(m, k, dtype=dtype), numbers(e, k, n, dtype=w_dtype or dtype), experts)

    def expected(self, mode: str) -> tuple[Array, Array]:
        """Row by row in f64, and how far a sum in the accumulating type may be off: one rounding of Σ|x·w| for each step."""
        count = self.w.shape[0]
        result, bound = np.zeros((2, self.x.shape[0], self.w.shape[2]))
        accumulated = 2.0**-53 if self.x.dtype == np.float64 else 0.0 if self.x.dtype.kind in "iu" else 2.0**-24
        for row, given in enumerate(self.experts.tolist()):
            expert = given + count if given < 0 else given
            if mode == "fill" and not 0 <= expert < count:
                result[row] = 0 if self.x.dtype.kind in "iu" else np.nan
                continue
            matrix = self.w[min(max(expert, 0), count - 1)].astype(np.float64)
            result[row] = wrapped(self.x[row].astype(np.float64) @ matrix, self.x.dtype)
            bound[row] = accumulated * (self.x.shape[1] + 2) * (np.abs(self.x[row].astype(np.float64)) @ np.abs(matrix))
        return result, bound


def wrapped(numbers: Array, dtype: Any) -> Array:
    """Whole numbers as a type of ints holds them: modulo 2^bits; others as they are."""
    return numbers.astype(np.int64).astype(dtype).astype(np.float64) if dtype.kind in "iu" else numbers


def laid_out(w: Array, form: str, target: Target, x_dtype: Any) -> Array:
    """The same weights, lying as `form` says."""
    if form == "columns":
        return np.ascontiguousarray(w.transpose(0, 2, 1)).transpose(0, 2, 1)
    if form == "gaps":
        wide = np.zeros((w.shape[0], w.shape[1] + 2, w.shape[2] + 3), w.dtype)
        wide[:, : w.shape[1], : w.shape[2]] = w
        return wide[:, : w.shape[1], : w.shape[2]]
    if form == "panels":
        width = panel_width(target, {np.dtype(kind): name for name, kind in NUMPY.items()}[np.dtype(x_dtype)])
        padded = np.pad(w, ((0, 0), (0, 0), (0, -w.shape[2] % width)))
        return np.ascontiguousarray(padded.reshape(*w.shape[:2], padded.shape[2] // width, width).transpose(0, 2, 1, 3))
    return w


def panels(w: Any, n: int) -> dict[str, Any]:
    return {"layout": f"panel{w.dims[-1]}", "n": n}


def compiled(problem: Problem, form: str, target: Target = HOST, **attrs: Any) -> Lowered:
    tensors = [tensor_of(array) for array in operands(problem, form, target)]
    name = "packed_grouped_matmul" if form == "panels" else "grouped_matmul"
    extra = panels(tensors[1], problem.w.shape[2]) if form == "panels" else {}
    return Lowered(KERNELS[name], op_for(name, tensors, **extra, **attrs), tensors, target)


def operands(problem: Problem, form: str, target: Target) -> list[Array]:
    return [problem.x, laid_out(problem.w, form, target, problem.x.dtype), problem.experts]


def check(problem: Problem, form: str = "rows", target: Target = HOST, made: Lowered | None = None, **attrs: Any) -> None:
    """Against row by row; the same bits for every split of the units."""
    made = made or compiled(problem, form, target, **attrs)
    arrays = operands(problem, form, target)
    (found,) = made.call(arrays)
    wanted, bound = problem.expected(attrs.get("mode", "clip"))
    if found.dtype.itemsize == 2:
        bound = bound + float(ml_dtypes.finfo(found.dtype).eps) * np.abs(wanted)
    inside = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.isnan(found.astype(np.float64)), ~inside)
    assert (np.abs(found.astype(np.float64) - wanted)[inside] <= bound[inside]).all()
    for split in ({"split": 1}, {"split": 2, "threads": 2}, {"split": 5}):
        np.testing.assert_array_equal(made.call(arrays, **split)[0].view(np.uint8), found.view(np.uint8))  # type: ignore[arg-type]


FORMS = ["rows", "columns", "gaps", "panels"]
SHAPES = [  # M, K, N, E
    (1, 1, 1, 1),
    (2, 3, 5, 2),
    (7, 33, 19, 4),
    (40, 64, 48, 3),
    (9, 8, 300, 64),
    (150, 70, 33, 5),
    (96, 400, 31, 2),
    (3, 900, 70, 40),
    (200, 17, 16, 1),
    (333, 41, 65, 2),
    (30, 0, 9, 3),
    (64, 385, 271, 8),
    (5, 3, 0, 2),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_shapes(form: str, shape: tuple[int, int, int, int]) -> None:
    check(Problem.draw(*shape), form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(12))
def test_random_shapes(form: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    m, k, n, e = (int(np.exp(random.uniform(0, np.log(most)))) for most in (400, 900, 300, 20))
    check(Problem.draw(m, k, n, e, seed=seed), form, mode=["clip", "fill"][seed % 2])


@pytest.mark.parametrize("target", TARGETS[1:], ids=lambda t: t.cpu)
@pytest.mark.parametrize("form", FORMS)
def test_shapes_on_the_baseline(target: Target, form: str) -> None:
    for shape in SHAPES[2:7]:
        check(Problem.draw(*shape), form, target)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", NUMPY)
def test_dtypes(form: str, dtype: str) -> None:
    for shape in ((5, 35, 21, 3), (75, 413, 43, 2)):
        check(Problem.draw(*shape, dtype=dtype), form)


@pytest.mark.parametrize("types", [("f32", "bf16"), ("f32", "f16"), ("bf16", "f32"), ("f16", "bf16")])
def test_packed_weights_of_another_dtype(types: tuple[str, str]) -> None:
    for shape in ((4, 35, 21, 3), (75, 413, 43, 2)):
        problem = Problem.draw(*shape, dtype=types[0], w_dtype=types[1])
        check(problem, "panels")


@pytest.mark.parametrize("form", FORMS)
def test_every_number_of_rows_of_an_expert(form: str) -> None:
    """Rows 0 to 20 and the borders of blocks, beside another expert's; rows of both mixed."""
    problem = Problem.draw(330, 50, 37, 3)
    made = compiled(problem, form)
    for rows in (*range(21), 143, 144, 145, 288, 289, 330):
        experts = np.zeros(330, np.int64)
        experts[np.random.default_rng(rows).permutation(330)[:rows]] = 2
        check(Problem(problem.x, problem.w, experts), form, made=made)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mode", ["clip", "fill"])
@pytest.mark.parametrize("dtype", ["f32", "bf16", "i32"])
def test_experts_that_are_not_there(form: str, mode: str, dtype: str) -> None:
    problem = Problem.draw(60, 20, 300, 4, dtype)
    check(Problem(problem.x, problem.w, np.arange(60) % 13 - 6), form, mode=mode)
    check(Problem(problem.x, problem.w, np.full(60, 9)), form, mode=mode)
    check(Problem(problem.x, problem.w, (np.arange(60) % 7).astype(np.uint8)), form, mode=mode)


def test_x_of_any_strides() -> None:
    problem = Problem.draw(60, 66, 21, 3)
    for x in (problem.x[:, ::2], problem.x[::-1, ::-2], np.ascontiguousarray(problem.x.T).T[:, :33]):
        for form, w in (("rows", problem.w[:, :33]), ("columns", problem.w[:, :33]), ("panels", problem.w[:, :33])):
            check(Problem(x, w, problem.experts), form)


def test_weights_without_an_axis_of_stride_one_are_copied_first() -> None:
    problem = Problem.draw(20, 8, 10, 3)
    tensors = [tensor_of(a) for a in (problem.x[:, :4], problem.w[:, ::2, ::2], problem.experts)]
    op = op_for("grouped_matmul", tensors)
    outputs = tuple(op.infer([tensor.shape for tensor in tensors]))  # type: ignore[union-attr]
    assert KERNELS["grouped_matmul"](op, tuple(tensors), outputs, HOST) == "the experts' weights have no axis of stride 1"  # type: ignore[arg-type]
    g = rlx.Graph("strided")
    x, w = g.input("x", (20, 4)), g.input("w", (3, 8, 10))
    g.set_outputs({"y": g.grouped_matmul(x, w[:, ::2, ::2], g.input("experts", (20,), "i64"))})
    found = rlx.compile(g, device="cpu").run({"x": problem.x[:, :4].copy(), "w": problem.w, "experts": problem.experts})["y"]
    wanted, bound = Problem(problem.x[:, :4], problem.w[:, ::2, ::2], problem.experts).expected("clip")
    assert (np.abs(found - wanted) <= bound).all()


def test_bounds_are_checked() -> None:
    problem = Problem.draw(2, 4, 2, 3)
    for experts, fails in (
        (np.array([0, 2]), False),
        (np.array([-3, 1]), False),
        (np.array([0, 3]), True),
        (np.array([-4, 0]), True),
    ):
        arrays = [problem.x, problem.w, experts]
        tensors = [tensor_of(array) for array in arrays]
        made = Lowered(KERNELS["grouped_matmul"], op_for("grouped_matmul", tensors, check_bounds=True), tensors)
        made.call(arrays)
        assert (made.status[0] != 0) == fails


@pytest.mark.parametrize("form", FORMS)
def test_one_kernel_serves_every_number_of_rows(form: str) -> None:
    whole = Problem.draw(400, 60, 70, 5)
    w = laid_out(whole.w, form, HOST, np.float32)
    name, extra = ("packed_grouped_matmul", panels(tensor_of(w), 70)) if form == "panels" else ("grouped_matmul", {})
    tensors = [tensor_of(whole.x, ("rows", 60)), tensor_of(w), tensor_of(whole.experts, ("rows",))]
    made = Lowered(KERNELS[name], op_for(name, tensors, mode="fill", **extra), tensors)
    for rows in (0, 1, 2, 5, 6, 13, 100, 400):
        problem = Problem(whole.x[:rows], whole.w, whole.experts[:rows])
        (found,) = made.call([problem.x, w, problem.experts])
        wanted, bound = problem.expected("fill")
        assert (np.abs(found - wanted) <= bound).all()


def test_panels_of_another_width_are_refused() -> None:
    width = panel_width(HOST) // 2
    tensors = [tensor_of(a) for a in (np.zeros((2, 4), np.float32), np.zeros((3, 2, 4, width), np.float32), np.zeros(2, np.int32))]
    op = op_for("packed_grouped_matmul", tensors, **panels(tensors[1], width + 1))
    outputs = tuple(op.infer([tensor.shape for tensor in tensors]))  # type: ignore[union-attr]
    assert "panels" in KERNELS["packed_grouped_matmul"](op, tuple(tensors), outputs, HOST)  # type: ignore[arg-type, operator]


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
@pytest.mark.parametrize("form", FORMS)
def test_cross_compiles(target: Target, form: str) -> None:
    problem = Problem.draw(4, 30, 40, 3, "bf16")
    made = compiled(problem, form, target, mode="fill")
    assert all(len(stage.object) > 500 for stage in made.stages)


# -- whole graphs -----------------------------------------------------------------------------------------------
def gated_graph(dtype: str = "f32") -> rlx.Graph:
    """A gated layer of experts: three products of the same rows; `down` is transposed, as files have it."""
    g = rlx.Graph("experts")
    x, chosen = g.input("x", ("rows", 24)), g.input("experts", ("rows",), "i32")
    gate, up, down = (g.param("gate", (4, 24, 40), dtype), g.param("up", (4, 24, 40), dtype), g.param("down", (4, 24, 40), dtype))
    inner = g.silu(g.grouped_matmul(x, gate, chosen)) * g.grouped_matmul(x, up, chosen)
    g.set_outputs({"y": g.grouped_matmul(inner, down.transpose(0, 2, 1), chosen)})
    return g


def test_products_of_the_same_rows_share_their_table_and_weights_are_packed_once() -> None:
    lir = rlx.graphs.lower(gated_graph(), "cpu").lir
    names = [command.stage.name for command in lir.commands]
    assert names.count("expert rows") == 1 and names.count("packed_grouped_matmul") == 3
    assert [command.stage.name for command in lir.prepare.commands] == ["pack"] * 3  # type: ignore[union-attr]


@pytest.mark.parametrize("store", [None, "bf16"])
def test_a_gated_layer_of_experts(store: str | None) -> None:
    """Against each row by itself, with the weights as they are stored; the same bits on one thread and on two; weights that change."""
    random, exe = (np.random.default_rng(0), rlx.compile(gated_graph(), device="cpu", **({"store_params": store} if store else {})))
    for rows in (1, 7, 90):
        params = {name: random.standard_normal((4, 24, 40)).astype(np.float32) for name in ("gate", "up", "down")}
        for name, array in params.items():
            exe.set_param(name, array)
        x, chosen = random.standard_normal((rows, 24)).astype(np.float32), random.integers(0, 4, rows).astype(np.int32)
        stored = {name: array.astype(NUMPY[store or "f32"]).astype(np.float64) for name, array in params.items()}
        wanted = np.zeros((rows, 24))
        for row, expert in enumerate(chosen):
            gate, up = (x[row] @ stored[name][expert] for name in ("gate", "up"))
            wanted[row] = (gate / (1 + np.exp(-gate)) * up) @ stored["down"][expert].T
        found = []
        for threads in (1, 2):
            set_threads(threads)
            found.append(exe.run({"x": x, "experts": chosen})["y"].copy())
        set_threads(None)
        np.testing.assert_array_equal(found[0].view(np.uint32), found[1].view(np.uint32))
        np.testing.assert_allclose(found[0], wanted, rtol=1e-4, atol=1e-4 * np.abs(wanted).max())
