"""Functions that are not calls of arrays: files, text, indexing objects, functions of functions; and what a trace cannot know."""

from __future__ import annotations

import numpy as np
import pytest

import rlx
import rlx.numpy as rnp
from rlx.ir.op import OPS

A = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)


def same(found, expected) -> None:
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-6)


# -- files and text ---------------------------------------------------------------------------------------------------
def test_arrays_are_saved_and_loaded_as_numpys(tmp_path) -> None:
    rnp.save(tmp_path / "a.npy", rnp.asarray(A))
    same(np.load(tmp_path / "a.npy"), A)
    assert isinstance(rnp.load(tmp_path / "a.npy"), rlx.Array)
    rnp.savez(tmp_path / "b.npz", first=rnp.asarray(A), second=A * 2)
    same(rnp.load(tmp_path / "b.npz")["second"], A * 2)
    A.tofile(tmp_path / "c")
    same(rnp.fromfile(tmp_path / "c", np.float32).reshape(3, 4), A)


def test_arrays_from_text_bytes_iterators_and_functions() -> None:
    same(rnp.fromstring("1 2 3", sep=" "), [1, 2, 3])
    same(rnp.frombuffer(A.tobytes(), np.float32), A.reshape(-1))
    same(rnp.fromiter(range(4), int), range(4))
    same(rnp.fromfunction(lambda i, j: i * 10 + j, (2, 3)), np.fromfunction(lambda i, j: i * 10 + j, (2, 3)))


def test_arrays_as_text() -> None:
    x = rnp.asarray([1.25, 2.0])
    assert rnp.array_str(x, precision=1) == "[1.2 2. ]"
    assert rnp.array_repr(x) == "Array([1.25, 2.  ], dtype=float32)"
    with rnp.printoptions(precision=1):
        assert str(x) == "[1.2 2. ]" and rnp.get_printoptions()["precision"] == 1
    before = rnp.get_printoptions()["precision"]
    rnp.set_printoptions(precision=before)
    assert rnp.get_printoptions()["precision"] == before


def test_a_traced_array_has_nothing_to_save(tmp_path) -> None:
    def run(x):
        rnp.save(tmp_path / "no.npy", x)
        return x

    with pytest.raises(rlx.RlxError, match="RLX108"):
        rlx.jit(run)(A)


# -- objects that are indexed -----------------------------------------------------------------------------------------
def test_ranges_and_parts_in_brackets() -> None:
    same(rnp.r_[0:5, 7.0, rnp.asarray([1.0])], np.r_[0:5, 7.0, np.array([1.0])])
    same(rnp.r_[-1:1:5j], np.r_[-1:1:5j])
    same(rnp.c_[rnp.arange(3), rnp.arange(3)], np.c_[np.arange(3), np.arange(3)])
    same(rnp.r_["0,2", 1:3, 3:5], np.r_["0,2", 1:3, 3:5])
    same(rnp.mgrid[0:2, 0:3], np.mgrid[0:2, 0:3])
    same(rnp.mgrid[0:1:3j], np.mgrid[0:1:3j])
    for mine, other in zip(rnp.ogrid[0:2, 0:3], np.ogrid[0:2, 0:3], strict=True):
        same(mine, other)
    assert rnp.s_[1:2, None] == np.s_[1:2, None] and rnp.index_exp[1] == (1,)


def test_mask_indices() -> None:
    for mine, other in zip(rnp.mask_indices(3, rnp.triu, 1), np.mask_indices(3, np.triu, 1), strict=True):
        same(mine, other)


# -- questions --------------------------------------------------------------------------------------------------------
def test_what_an_array_is() -> None:
    x = rnp.asarray(A)
    assert (rnp.ndim(x), rnp.shape(x), rnp.size(x), rnp.size(x, 1), rnp.size([1, 2])) == (2, (3, 4), 12, 4, 2)
    assert rnp.isscalar(3.0) and rnp.isscalar(rnp.asarray(3)) and not rnp.isscalar(x)
    assert rnp.iterable(x) and not rnp.iterable(3)
    assert rnp.iscomplexobj(x + 1j) and rnp.isrealobj(x) and rnp.iscomplexobj(1j) and not rnp.iscomplexobj(np.float32)
    assert rnp.finfo(x).bits == 32 and rnp.iinfo(rnp.int8).max == 127
    assert rnp.can_cast(rnp.int8, rnp.int16) and not rnp.can_cast(rnp.int16, rnp.int8)
    assert rnp.promote_types(rnp.int32, rnp.float16) == np.float16 and rnp.result_type(x, 2) == np.float32
    assert rnp.isdtype(rnp.float32, "real floating") and rnp.issubdtype(rnp.bfloat16, rnp.floating)


def test_sizes_of_traced_arrays() -> None:
    found = []
    rlx.jit(lambda x: found.append((rnp.size(x), rnp.shape(x), rnp.ndim(x), x.size, rnp.iterable(x))) or x)(A)
    assert found == [(12, (3, 4), 2, 12, True)]


def test_the_order_of_an_einsum() -> None:
    path, text = rnp.einsum_path("ij,jk,kl->il", rnp.ones((2, 3)), rnp.ones((3, 4)), rnp.ones((4, 5)))
    assert path == np.einsum_path("ij,jk,kl->il", np.ones((2, 3)), np.ones((3, 4)), np.ones((4, 5)))[0]
    assert "Complete contraction" in text


# -- functions of functions -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("traced", [False, True])
def test_functions_along_axes(traced: bool) -> None:
    def run(x):
        return (
            rnp.apply_along_axis(lambda row: row - row.max(), 0, x),
            rnp.apply_along_axis(rnp.sum, 1, x),
            rnp.apply_along_axis(lambda row: rnp.outer(row, row), 1, x),
            rnp.apply_over_axes(rnp.sum, x, [0, 1]),
        )

    found = (rlx.jit(run) if traced else run)(rnp.asarray(A))
    same(found[0], np.apply_along_axis(lambda row: row - row.max(), 0, A))
    same(found[1], A.sum(1))
    same(found[2], np.apply_along_axis(lambda row: np.outer(row, row), 1, A))
    np.testing.assert_allclose(found[3], np.apply_over_axes(np.sum, A, [0, 1]), rtol=1e-5)


@pytest.mark.parametrize("traced", [False, True])
def test_vectorize(traced: bool) -> None:
    def run(x, y):
        scaled = rnp.vectorize(lambda a, b, power: (a + b) ** power, excluded=(2,))
        return scaled(x, y, 2), rnp.vectorize(lambda a, b: a @ b, signature="(n),(n)->()")(x, y)

    y = A[0]
    found = (rlx.jit(run) if traced else run)(rnp.asarray(A), rnp.asarray(y))
    np.testing.assert_allclose(found[0], (A + y) ** 2, rtol=1e-5)
    np.testing.assert_allclose(found[1], A @ y, rtol=1e-5)
    with pytest.raises(rlx.RlxError, match="signature"):
        rnp.vectorize(lambda a: a, signature="n->n")(A)


def test_piecewise_calls_functions() -> None:
    run = lambda x: rnp.piecewise(x, [x < 0, x > 1], [lambda z: -z, 7.0, lambda z: z * z])  # noqa: E731
    expected = np.piecewise(A, [A < 0, A > 1], [lambda z: -z, 7.0, lambda z: z * z])
    same(run(rnp.asarray(A)), expected)
    same(rlx.jit(run)(A), expected)


# -- what a trace cannot know, and what arrays do not do ----------------------------------------------------------------
UNKNOWN = {
    "unique": lambda x: rnp.unique(x),
    "unique_all": lambda x: rnp.unique_all(x),
    "union1d": lambda x: rnp.union1d(x, x),
    "intersect1d": lambda x: rnp.intersect1d(x, x),
    "setdiff1d": lambda x: rnp.setdiff1d(x, x),
    "setxor1d": lambda x: rnp.setxor1d(x, x),
    "compress": lambda x: rnp.compress(x[0] > 0, x, axis=1),
    "extract": lambda x: rnp.extract(x > 0, x),
    "argwhere": lambda x: rnp.argwhere(x),
    "flatnonzero": lambda x: rnp.flatnonzero(x),
    "bincount": lambda x: rnp.bincount(x.astype("i32").reshape(-1)),
    "trim_zeros": lambda x: rnp.trim_zeros(x[0]),
    "roots": lambda x: rnp.roots(x[0]),
    "repeat": lambda x: rnp.repeat(x, (x[0] > 0).astype("i32"), axis=1),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_size_that_depends_on_numbers_is_asked_for_in_a_trace(name: str) -> None:
    with pytest.raises(rlx.RlxError, match=r"RLX202(?s:.)*fix: "):
        rlx.jit(UNKNOWN[name])(A)


@pytest.mark.parametrize("name, args", [("put", (A, 0, 1.0)), ("place", (A, A > 0, 1.0)), ("fill_diagonal", (A, 0.0))])
def test_changes_in_place_are_refused(name: str, args) -> None:
    with pytest.raises(rlx.RlxError, match="inplace=False"):
        getattr(rnp, name)(*args)


# -- decompositions, up to signs ----------------------------------------------------------------------------------------
@pytest.mark.skipif("eigh" not in OPS, reason="the ops eigh, eig and svd are not there")
@pytest.mark.parametrize("traced", [False, True])
def test_decompositions_give_their_matrix_back(traced: bool) -> None:
    square = np.random.default_rng(1).normal(size=(4, 4)).astype(np.float32)
    symmetric = square + square.T

    def run(x, symmetric, wide):
        return (
            tuple(rnp.linalg.eigh(symmetric)),
            tuple(rnp.linalg.eig(x)),
            tuple(rnp.linalg.svd(wide, False)),
            rnp.linalg.eigvals(x),
        )

    found = (rlx.jit(run) if traced else run)(*map(rnp.asarray, (square, symmetric, A)))
    (w, q), (values, vectors), (u, s, vh), alone = ([np.asarray(each) for each in part] for part in (*found[:3], [found[3]]))
    near = {"rtol": 1e-4, "atol": 1e-4}
    np.testing.assert_allclose(q * w @ q.T, symmetric, **near)
    np.testing.assert_allclose(vectors * values, square @ vectors, **near)
    np.testing.assert_allclose(u * s @ vh, A, **near)
    np.testing.assert_allclose(np.sort(alone[0]), np.sort(np.linalg.eigvals(square)), **near)
    q, r = map(np.asarray, rnp.linalg.qr(square[:, :3] + 1j * square[:, 1:]))
    np.testing.assert_allclose(q @ r, square[:, :3] + 1j * square[:, 1:], **near)
    np.testing.assert_allclose(q.conj().T @ q, np.eye(3), **near)
    np.testing.assert_allclose(np.tril(r, -1), 0, **near)
    if not traced:
        assert rnp.linalg.eigh(symmetric).eigenvalues.shape == (4,) and rnp.linalg.svd(A).U.shape == (3, 3)
