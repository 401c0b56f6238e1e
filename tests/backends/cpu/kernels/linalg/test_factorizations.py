"""Factorizations on the CPU by their residuals, relative to n·ε·‖a‖: all sizes by one compilation, all levels, odd input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import rlx
from rlx.backends.cpu.emit.kernel import Tensor
from rlx.backends.cpu.kernels import find_kernel
from rlx.backends.cpu.run.thread_pool import set_threads
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim, evaluate
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.op import OPS
from tests.backends.cpu.levels import HOST, OTHERS, TARGETS
from tests.backends.cpu.lowered import Lowered, op_for, tensor_of

RANDOM = np.random.default_rng(0)
SIZES = [0, 1, 2, 5, 15, 16, 17, 40, 64, 65, 130]
RECTANGLES = [(0, 3), (3, 0), (1, 5), (5, 1), (20, 7), (7, 20), (64, 65), (130, 70), (70, 130), (200, 3)]


def turned(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


def positive(*dims: int) -> Any:
    g = RANDOM.standard_normal(dims)
    return g @ turned(g) + dims[-1] * np.eye(dims[-1])


def close(found: Any, wanted: Any, scale: float, dtype: Any, what: str) -> None:
    """Within n·ε·‖a‖, with n and ‖a‖ already in the scale."""
    error = float(np.abs(found - wanted).max(initial=0))
    assert error <= 4 * np.finfo(dtype).eps * scale, f"{what}: {error / np.finfo(dtype).eps / scale} n·ε·‖a‖"


def size_of(a: Any) -> float:
    """n·‖a‖: its size by its largest element."""
    return max(a.shape[-2:]) * float(np.abs(a).max(initial=1))


# -- residuals --------------------------------------------------------------------------------------------------
def check_cholesky(arrays: list[Any], results: list[Any], what: str) -> None:
    (a,), (found,) = arrays, [np.asarray(r, np.float64) for r in results]
    close(found @ turned(found), a.astype(np.float64), size_of(a), a.dtype, what)
    np.testing.assert_array_equal(found, np.tril(found))


def check_lu(arrays: list[Any], results: list[Any], what: str) -> None:
    (a,), (packed, pivots, permutation) = arrays, results
    m, n = a.shape[-2:]
    small = min(m, n)
    wide = packed.astype(np.float64)
    lower, upper = np.tril(wide, -1)[..., :small] + np.eye(m, small), np.triu(wide)[..., :small, :]
    order = np.broadcast_to(permutation[..., None], a.shape).astype(np.int64)
    close(lower @ upper, np.take_along_axis(a, order, axis=-2).astype(np.float64), size_of(a), a.dtype, what)
    assert (np.abs(lower) <= 1).all(), what
    for place in np.ndindex(a.shape[:-2]):
        rows = np.arange(m)
        for step, chosen in enumerate(pivots[place]):
            rows[[step, chosen]] = rows[[chosen, step]]
        np.testing.assert_array_equal(rows, permutation[place])


def check_qr(arrays: list[Any], results: list[Any], what: str) -> None:
    (a,), (q, r) = arrays, [np.asarray(r, np.float64) for r in results]
    close(q @ r, a.astype(np.float64), size_of(a), a.dtype, what)
    close(turned(q) @ q, np.eye(q.shape[-1]), max(a.shape[-2:]), a.dtype, f"{what}, qᵀq")
    np.testing.assert_array_equal(r, np.triu(r))


def check_solve(arrays: list[Any], results: list[Any], what: str) -> None:
    (a, b), (x,) = [np.asarray(array, np.float64) for array in arrays], [np.asarray(r, np.float64) for r in results]
    scale = size_of(a) * max(float(np.abs(x).max(initial=0)), 1)
    close(a @ x, b, scale, arrays[0].dtype, what)


def normal(*dims: int) -> Any:
    return RANDOM.standard_normal(dims)


Row = tuple[str, tuple[tuple[str, ...], ...], Callable[..., Any], Callable[..., Any], list[tuple[int, int]]]
SQUARES = [(n, n) for n in SIZES]
ROWS: list[Row] = [
    ("cholesky", (("b", "n", "n"),), lambda m, n: [positive(2, n, n)], check_cholesky, SQUARES),
    ("lu", (("b", "m", "n"),), lambda m, n: [normal(2, m, n)], check_lu, SQUARES + RECTANGLES),
    ("qr", (("b", "m", "n"),), lambda m, n: [normal(2, m, n)], check_qr, SQUARES + RECTANGLES),
    ("batched_dense_solve", (("b", "m", "m"), ("b", "m", "n")), lambda m, n: [normal(2, m, m), normal(2, m, n)], check_solve, RECTANGLES),
    (
        "triangular_solve",
        (("b", "m", "m"), ("b", "m", "n")),
        lambda m, n: [np.triu(normal(2, m, m)) + (2 + m**0.5) * np.eye(m), normal(2, m, n)],
        check_solve,
        RECTANGLES,
    ),
]  # fmt: skip
HERE = [(HOST, np.float32), (HOST, np.float64)]
LEVELS = [pytest.param(t, d, id=f"{t.cpu}-{np.dtype(d).name}") for t, d in HERE] + [
    pytest.param(t, d, id=f"{t.cpu}-{np.dtype(d).name}", marks=[] if (d is np.float32) == bool(i % 2) else pytest.mark.long)
    for i, t in enumerate(t for t in TARGETS if t is not HOST)
    for d in (np.float32, np.float64)
]


@pytest.mark.parametrize(("target", "dtype"), LEVELS)
@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_residuals_of_all_sizes(row: Row, target: Target, dtype: Any) -> None:
    name, dims, draw, check, sizes = row
    made: Lowered | None = None
    for m, n in sizes:
        arrays = [array.astype(dtype) for array in draw(m, n)]
        if made is None:
            tensors = [tensor_of(array, own) for array, own in zip(arrays, dims, strict=True)]
            made = Lowered(find_kernel(name), op_for(name, tensors), tensors, target)  # type: ignore[arg-type]
        check(arrays, made.call(arrays), f"{name} at {m}, {n}")


def lowered(name: str, arrays: list[Any], **attrs: Any) -> list[Any]:
    tensors = [tensor_of(array) for array in arrays]
    return Lowered(find_kernel(name), op_for(name, tensors, **attrs), tensors).call(arrays)  # type: ignore[arg-type]


def test_small_static_sizes_are_one_command() -> None:
    for name, draw, check in (("cholesky", positive, check_cholesky), ("lu", normal, check_lu), ("qr", normal, check_qr)):
        a = draw(3, 21, 21)
        tensors = [tensor_of(a)]
        made = Lowered(find_kernel(name), op_for(name, tensors), tensors)  # type: ignore[arg-type]
        assert len(made.stages) == 1
        check([a], made.call([a], split=1, threads=2), name)


def test_sizes_known_to_be_small_take_narrow_blocks() -> None:
    size = Dim("n", min=0, max=20)
    tensors = [Tensor.dense(Shape((2, size, size), "f64"))]
    made = Lowered(find_kernel("lu"), op_for("lu", tensors), tensors)  # type: ignore[arg-type]
    for n in (0, 7, 16, 20):
        a = normal(2, n, n)
        check_lu([a], made.call([a]), f"lu at {n}")
        assert evaluate(made.lowering.temporaries[0].shape.num_elements, {"n": 20}) == 2 * 32 * 32


def test_views_and_the_upper_factor() -> None:
    a = positive(3, 2, 70, 70).transpose(1, 0, 3, 2)
    (found,) = lowered("cholesky", [a], upper=True)
    np.testing.assert_allclose(found, turned(np.linalg.cholesky(a)), rtol=1e-9, atol=1e-9)
    b = normal(2, 3, 70, 8)[..., ::2]
    check_solve([a, b], lowered("batched_dense_solve", [a, b]), "solve")


def test_what_the_other_triangle_holds_does_not_matter() -> None:
    a = positive(70, 70)
    np.testing.assert_array_equal(lowered("cholesky", [np.where(np.tri(70), a, np.nan)])[0], lowered("cholesky", [a])[0])
    b, t = normal(70, 3), np.tril(a)
    found = lowered("triangular_solve", [np.where(np.tri(70), t, np.nan), b], lower=True)[0]
    np.testing.assert_array_equal(found, lowered("triangular_solve", [t, b], lower=True)[0])


@pytest.mark.parametrize("left_side", [True, False])
@pytest.mark.parametrize("transpose", [True, False])
def test_triangles_as_scipy(transpose: bool, left_side: bool) -> None:
    a, b = normal(67, 67) / 8 + 4 * np.eye(67), normal(67, 5) if left_side else normal(5, 67)
    for lower, unit in ((True, False), (False, True)):
        attrs = {"lower": lower, "transpose": transpose, "unit_diagonal": unit, "left_side": left_side}
        (found,) = lowered("triangular_solve", [a, b], **attrs)
        sides = b if left_side else b.T
        wanted = scipy.linalg.solve_triangular(a, sides, lower=lower, trans=int(transpose == left_side), unit_diagonal=unit)
        scale = np.abs(wanted).max()
        np.testing.assert_allclose(found, wanted if left_side else wanted.T, rtol=1e-9, atol=1e-9 * scale)


# -- odd input --------------------------------------------------------------------------------------------------
def test_matrices_that_are_not_positive_definite() -> None:
    a = np.stack([positive(70, 70) for _ in range(4)])
    a[1, 3, 3], a[2, 66, 66], a[3, 5, 2] = -1, 0, np.nan
    (found,) = lowered("cholesky", [a])
    np.testing.assert_allclose(found[0], np.linalg.cholesky(a[0]), rtol=1e-10)
    for matrix in found[1:]:
        assert np.isnan(matrix[np.tri(70, dtype=bool)]).all() and (matrix[~np.tri(70, dtype=bool)] == 0).all()


def test_ill_conditioned_matrices_have_small_residuals() -> None:
    places = np.arange(40.0)
    hilbert = 1 / (places[:, None] + places + 1)
    check_qr([hilbert], lowered("qr", [hilbert]), "hilbert")
    check_lu([hilbert], lowered("lu", [hilbert]), "hilbert")
    graded = normal(40, 40) * 10.0**-places
    check_qr([graded], lowered("qr", [graded]), "graded")


def test_singular_and_rank_deficient_matrices_factor() -> None:
    low_rank = normal(70, 3) @ normal(3, 70)
    for a in (np.zeros((70, 70)), low_rank, np.ones((70, 70)), np.eye(70)[::-1].copy(), np.triu(np.ones((70, 70)))):
        check_qr([a], lowered("qr", [a]), "qr")
        check_lu([a], lowered("lu", [a]), "lu")
    np.testing.assert_array_equal(np.diag(lowered("lu", [np.zeros((70, 70))])[0]), 0)


@pytest.mark.parametrize("exponent", [-44, -30, -12, 12, 30, 38])
def test_qr_of_numbers_whose_squares_leave_the_range(exponent: int) -> None:
    a = (normal(24, 20) * 0.25 * 10.0**exponent).astype(np.float32)
    wide = a.astype(np.float64)
    q, r = (found.astype(np.float64) for found in lowered("qr", [a]))
    spacing = np.finfo(np.float32).eps * np.abs(wide).max() + np.finfo(np.float32).smallest_subnormal
    assert np.abs(q @ r - wide).max() <= 100 * spacing
    close(q.T @ q, np.eye(20), 24, np.float32, "qᵀq")


def test_qr_of_columns_of_very_different_sizes_is_accurate_in_each() -> None:
    a = (normal(24, 5) * 10.0 ** np.array([0, -30, 25, -20, 10])).astype(np.float32)
    q, r = (found.astype(np.float64) for found in lowered("qr", [a]))
    error = np.abs(q @ r - a).max(axis=0) / np.abs(a).max(axis=0)
    assert (error <= 24 * 4 * np.finfo(np.float32).eps).all(), error


def test_signs_are_lapack_s() -> None:
    a = normal(2, 30, 20)
    q, r = lowered("qr", [a])
    wanted_q, wanted_r = np.linalg.qr(a)
    np.testing.assert_allclose(q, wanted_q, atol=1e-12)
    np.testing.assert_allclose(r, wanted_r, atol=1e-11)


# -- tasks ------------------------------------------------------------------------------------------------------
def test_the_same_bits_on_one_thread_and_two() -> None:
    graph, n = rlx.Graph("all"), 300
    a, p = graph.input("a", (n, n), "f32"), graph.input("p", (n, n), "f32")
    results = [*OPS["lu"](a), *OPS["qr"](a), OPS["cholesky"](p), OPS["dense_solve"](a, p)]
    graph.set_outputs({f"y{i}": value for i, value in enumerate(results)})
    exe = rlx.compile(graph, "cpu")
    given = {"a": normal(n, n).astype(np.float32), "p": positive(n, n).astype(np.float32)}
    try:
        set_threads(1)
        wanted = {name: array.copy() for name, array in exe.run(given).items()}
        for threads in (2, 3):
            set_threads(threads)
            for _ in range(3):
                for name, array in exe.run(given).items():
                    np.testing.assert_array_equal(array, wanted[name])
    finally:
        set_threads(None)


def test_a_singular_matrix_ends_the_run_of_all_threads() -> None:
    n = 300
    graph = rlx.Graph("solve")
    a, b = graph.input("a", (n, n), "f64"), graph.input("b", (n,), "f64")
    graph.set_outputs({"x": OPS["dense_solve"](a, b)})
    exe = rlx.compile(graph, "cpu")
    regular, side = normal(n, n), normal(n)
    singular = regular.copy()
    singular[:, 70] = 0
    try:
        set_threads(2)
        for _ in range(5):
            with pytest.raises(RlxError, match=r"\[RLX511\]"):
                exe.run({"a": singular, "b": side})
            check_solve([regular, side], [exe.run({"a": regular, "b": side})["x"]], "after an error")
    finally:
        set_threads(None)


@pytest.mark.parametrize("target", OTHERS, ids=lambda t: t.cpu)
def test_cross_compiles(target: Target) -> None:
    for name in ("cholesky", "qr"):
        tensors = [tensor_of(np.zeros((100, 100), np.float32))]
        made = Lowered(find_kernel(name), op_for(name, tensors), tensors, target)  # type: ignore[arg-type]
        assert all(len(stage.object) > 500 for stage in made.stages)
