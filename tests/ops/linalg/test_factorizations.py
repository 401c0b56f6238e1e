"""Factorizations and triangular systems: definitions, derivatives beside JAX, bad input."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st

import rlx
from rlx.core.dim import Dim
from rlx.core.errors import RlxError
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ops.linalg.factorizations import cholesky, lu, qr
from rlx.ops.linalg.solve import triangular_solve
from rlx.transforms.rules.tape import pull
from tests.ops.running import draw, place, run

RANDOM = np.random.default_rng(3)
sizes, batches = st.integers(0, 7), st.lists(st.integers(0, 3), max_size=2).map(tuple)


@pytest.fixture(autouse=True)
def wide_numbers():
    """JAX in f64, here only."""
    with jax.enable_x64(True):
        yield


def positive(lead: tuple[int, ...], n: int) -> Any:
    g = draw((*lead, n, n), "f64", seed=n)
    return g @ np.swapaxes(g, -1, -2) + n * np.eye(n)


# -- the references against their definitions -------------------------------------------------------------------
@given(sizes, batches, st.booleans())
def test_cholesky_as_numpy(n: int, lead: tuple[int, ...], upper: bool) -> None:
    a = positive(lead, n)
    other = np.triu(a) if upper else np.tril(a)
    wanted = np.linalg.cholesky(a)
    for given_ in (a, other):
        found = run(cholesky, given_, upper=upper)
        np.testing.assert_allclose(found, np.swapaxes(wanted, -1, -2) if upper else wanted, rtol=1e-12, atol=1e-12)


def test_a_matrix_that_is_not_positive_definite_gives_nan_in_its_triangle_alone() -> None:
    a = np.array([[[4.0, 2.0], [2.0, 5.0]], [[1.0, 2.0], [2.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]]])
    nan = np.nan
    wanted = [np.linalg.cholesky(a[0]), [[nan, 0], [nan, nan]], [[nan, 0], [nan, nan]]]
    np.testing.assert_array_equal(run(cholesky, a), wanted)
    np.testing.assert_array_equal(np.isnan(run(cholesky, a)), np.isnan(np.asarray(jnp.linalg.cholesky(a))))


@given(sizes, sizes, batches)
def test_lu_as_its_definition(m: int, n: int, lead: tuple[int, ...]) -> None:
    a = draw((*lead, m, n), "f64", seed=m + 9 * n)
    packed, pivots, permutation = run(lu, a)
    small = min(m, n)
    lower = np.tril(packed, -1)[..., :small] + np.eye(m, small)
    upper = np.triu(packed)[..., :small, :]
    moved = np.take_along_axis(a, np.broadcast_to(permutation[..., None], a.shape).astype(np.int64), axis=-2)
    np.testing.assert_allclose(lower @ upper, moved, atol=1e-12)
    assert (np.abs(lower) <= 1).all()
    for matrix in np.ndindex(lead) if a.size else ():
        wanted, order = scipy.linalg.lu_factor(a[matrix])
        np.testing.assert_array_equal(pivots[matrix], order)
        np.testing.assert_allclose(packed[matrix], wanted, atol=1e-12)


@given(sizes, sizes, batches, st.sampled_from(["reduced", "complete"]))
def test_qr_as_its_definition(m: int, n: int, lead: tuple[int, ...], mode: str) -> None:
    a = draw((*lead, m, n), "f64", seed=m + 9 * n)
    q, r = run(qr, a, mode=mode)
    inner = m if mode == "complete" else min(m, n)
    assert q.shape == (*lead, m, inner) and r.shape == (*lead, inner, n)
    np.testing.assert_allclose(q @ r, a, atol=1e-12)
    np.testing.assert_allclose(np.swapaxes(q, -1, -2) @ q, np.broadcast_to(np.eye(inner), (*lead, inner, inner)), atol=1e-12)
    np.testing.assert_array_equal(r, np.triu(r))


@given(sizes, sizes, st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_triangular_solve_as_scipy(n: int, columns: int, lower: bool, transpose: bool, unit: bool, left: bool) -> None:
    a = draw((n, n), "f64", seed=n) + 4 * np.eye(n)
    b = draw((n, columns) if left else (columns, n), "f64", seed=1)
    found = run(triangular_solve, a, b, lower=lower, transpose=transpose, unit_diagonal=unit, left_side=left)
    options = {"lower": lower, "trans": int(transpose == left), "unit_diagonal": unit}
    wanted = scipy.linalg.solve_triangular(a, b if left else b.T, **options)
    np.testing.assert_allclose(found, wanted if left else wanted.T, rtol=1e-9, atol=1e-9)


# -- derivatives beside JAX -------------------------------------------------------------------------------------
def symmetric(x: Any) -> Any:
    return (x + OPS["transpose"](x, perm=(*range(x.rank - 2), x.rank - 1, x.rank - 2))) * 0.5


def ours_of(name: str, **attrs: Any) -> Any:
    return lambda *xs: OPS[name](*xs, **attrs)


def theirs_solve(**attrs: Any) -> Any:
    names = {"lower": "lower", "transpose": "transpose_a", "unit_diagonal": "unit_diagonal"}
    return lambda a, b: jax.lax.linalg.triangular_solve(
        a, b, left_side=attrs.get("left_side", True), **{names[k]: v for k, v in attrs.items() if k in names}
    )


SOLVES = [
    {},
    {"lower": True},
    {"lower": True, "transpose": True, "unit_diagonal": True},
    {"left_side": False},
    {"left_side": False, "lower": True, "transpose": True},
]
PAIRS = [
    # the op reads one triangle, jnp.linalg.cholesky the symmetric part: composed with that they are one function
    ("cholesky", lambda a: OPS["cholesky"](symmetric(a)), jnp.linalg.cholesky, [positive((2,), 5)]),
    ("upper", lambda a: OPS["cholesky"](symmetric(a), upper=True), lambda a: jnp.linalg.cholesky(a, upper=True), [positive((), 4)]),
    ("lu", lambda a: OPS["lu"](a)[0], lambda a: jax.lax.linalg.lu(a)[0], [RANDOM.standard_normal((2, 5, 5))]),
    ("lu-tall", lambda a: OPS["lu"](a)[0], lambda a: jax.lax.linalg.lu(a)[0], [RANDOM.standard_normal((6, 3))]),
    ("lu-wide", lambda a: OPS["lu"](a)[0], lambda a: jax.lax.linalg.lu(a)[0], [RANDOM.standard_normal((3, 5))]),
    ("qr", ours_of("qr"), jnp.linalg.qr, [RANDOM.standard_normal((2, 5, 5))]),
    ("qr-tall", ours_of("qr"), jnp.linalg.qr, [RANDOM.standard_normal((7, 3))]),
    *(
        (
            f"solve-{number}",
            ours_of("triangular_solve", **attrs),
            theirs_solve(**attrs),
            [
                RANDOM.standard_normal((2, 4, 4)) + 3 * np.eye(4),
                RANDOM.standard_normal((2, 4, 3) if attrs.get("left_side", True) else (2, 3, 4)),
            ],
        )
        for number, attrs in enumerate(SOLVES)
    ),
]  # fmt: skip


def weighed(found: Any) -> Any:
    """One number from all results, with weights that differ."""
    total: Any = 0.0
    for part in found if isinstance(found, tuple | list) else (found,):
        count = int(np.prod(part.shape))
        weights = np.cos(np.arange(count, dtype=np.float64)).reshape(part.shape)
        total = total + (part * part * weights).sum()
    return total


@pytest.mark.parametrize(("ours", "theirs", "arrays"), [p[1:] for p in PAIRS], ids=[p[0] for p in PAIRS])
def test_gradients_and_tangents_as_jax(ours: Any, theirs: Any, arrays: list[Any]) -> None:
    tangents, count = [RANDOM.standard_normal(a.shape) for a in arrays], len(arrays)

    def both(library: Any, function: Any) -> Any:
        def derivatives(*xs: Any) -> Any:
            found = library.grad(lambda *ys: weighed(function(*ys)), argnums=tuple(range(count)))(*xs[:count])
            return found, library.jvp(lambda *ys: weighed(function(*ys)), tuple(xs[:count]), tuple(xs[count:]))[1]

        return derivatives

    found, forward = rlx.jit(both(rlx, ours), device="reference")(*arrays, *tangents)
    wanted, expected = jax.jit(both(jax, theirs))(*arrays, *tangents)
    for mine, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-7, atol=1e-7 * float(np.abs(other).max()))
    np.testing.assert_allclose(forward, expected, rtol=1e-7)


def test_a_complete_q_with_more_rows_than_columns_has_no_derivative() -> None:
    with pytest.raises(RlxError, match=r"\[RLX601\].*complete q"):
        rlx.grad(lambda a: OPS["qr"](a, mode="complete")[1].sum())(np.eye(4, 2))


def test_a_derivative_that_depends_on_an_open_order_asks_for_it() -> None:
    m, n = Dim("m"), Dim("n")
    body, graph = Graph("body"), Graph("test")
    body.set_output_refs({"y": lu(place(body, "a", (m, n), "f64"))[0].ref})
    values = [place(graph, name, (m, n), "f64") for name in "au"]
    with pytest.raises(RlxError, match=r"\[RLX202\].*depends on whether n <= m") as caught:
        pull(body.freeze(), values[:1], values[1:], [True])
    assert "graph.assume(n <= m)" in caught.value.fix


# -- bad input --------------------------------------------------------------------------------------------------
MESSAGES = [
    (lambda a, b: cholesky(a[:3]), "RLX102", "rows and columns of a 3 and 4 differ", "square"),
    (lambda a, b: cholesky(b), "RLX102", "a has rank 1", "matrix"),
    (lambda a, b: lu(b), "RLX102", "a has rank 1", "matrix"),
    (lambda a, b: qr(a, mode="full"), "RLX105", "'full' is not a QrMode", "reduced"),
    (lambda a, b: triangular_solve(a, b), "RLX102", "a has rank 2 and b rank 1", "reshape a vector"),
    (lambda a, b: triangular_solve(a, a[:3]), "RLX102", "size of a and rows of b 4 and 3 differ", ""),
    (lambda a, b: triangular_solve(a, a[:, :3], left_side=False), "RLX102", "columns of b 4 and 3 differ", "left_side=True"),
    (lambda a, b: cholesky(OPS["cast"](a, to="c64")), "RLX103", "c64 is not accepted", "real numbers"),
    (lambda a, b: qr(a > 0), "RLX103", "bool is not accepted", "real numbers"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "code", "fact", "fix"), MESSAGES)
def test_messages(make: Any, code: str, fact: str, fix: str) -> None:
    graph = Graph("test")
    with pytest.raises(RlxError) as caught:
        make(place(graph, "a", (4, 4)), place(graph, "b", (4,)))
    assert caught.value.code == code and fact in str(caught.value) and fix in caught.value.fix
