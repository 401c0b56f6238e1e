"""Calls of functions that create, move, join, choose and order."""

from __future__ import annotations

import numpy as np

from tests.frontends.numpy.table import Row, b, n, row, rows, v, x

_T = (2, 3, 4)

CREATION: list[Row] = [
    row("arange", 5, traced_=False),
    row("arange", 1.0, 3.0, 0.25, traced_=False),
    row("linspace", 0.0, 1.0, 7, traced_=False),
    row("linspace", x(3), x(3), 5, axis=1, grad_=True),
    row("logspace", 0.0, 2.0, 5, traced_=False),
    row("geomspace", 1.0, 100.0, 5, traced_=False),
    *rows("zeros ones", (2, 3), traced_=False),
    row("empty", (2, 3), traced_=False, numpy_=np.zeros),
    row("full", (2, 3), 7.0, traced_=False),
    *rows("zeros_like ones_like", x(2, 3), on="fi"),
    row("empty_like", x(2, 3), numpy_=lambda a: np.zeros_like(a)),
    row("full_like", x(2, 3), 7, on="fi"),
    row("eye", 3, 4, k=1, traced_=False),
    row("identity", 3, traced_=False),
    row("tri", 3, 4, -1, traced_=False),
    *rows("tril triu", x(*_T), k=1, on="fib"),
    *rows("tril triu", x(3, 5), k=-1, grad_=True),
    *rows("asarray array copy", x(2, 3), on="fic"),
    row("from_dlpack", x(3), traced_=False, jax_=False),
    row("indices", (2, 3), traced_=False),
    row("meshgrid", x(3), x(2), on="fi"),
    row("meshgrid", x(3), x(2), indexing="ij", sparse=True),
    *rows("bartlett blackman hamming hanning", 7, traced_=False),
    row("kaiser", 7, 2.0, traced_=False),
    row("vander", x(4), on="fi"),
    row("vander", x(4), 3, increasing=True, grad_=True),
    row("tril_indices", 3, 1, 4, traced_=False),
    row("triu_indices", 3, -1, 4, traced_=False),
    row("tril_indices_from", x(3, 4), on="f"),
    row("triu_indices_from", x(3, 4), 1, on="f"),
    row("diag_indices", 3, 2, traced_=False),
    row("diag_indices_from", x(3, 3)),
]

MOVEMENT: list[Row] = [
    row("reshape", x(*_T), (4, -1), on="fbc", grad_=False),
    row("reshape", x(*_T), (6, 4), order="F"),
    row("ravel", x(*_T), on="f"),
    row("ravel", x(2, 3), order="F"),
    row("transpose", x(*_T), (2, 0, 1), grad_=True),
    row("permute_dims", x(*_T), (2, 0, 1)),
    row("matrix_transpose", x(*_T)),
    row("swapaxes", x(*_T), 0, -1),
    row("moveaxis", x(*_T), (0, 2), (-1, 0)),
    row("rollaxis", x(*_T), 2),
    row("expand_dims", x(2, 3), (0, -1)),
    row("squeeze", x(2, 1, 3, 1)),
    row("squeeze", x(2, 1, 3), 1),
    row("broadcast_to", x(3, 1), (2, 3, 4), grad_=True),
    row("broadcast_arrays", x(3, 1), x(4), on="f"),
    row("broadcast_shapes", (3, 1), (4,), traced_=False, jax_=False),
    row("flip", x(*_T)),
    row("flip", x(*_T), (0, 2), grad_=True),
    *rows("fliplr flipud", x(3, 4)),
    row("roll", x(3, 4), 2),
    row("roll", x(3, 4), (1, -2), (0, 1), grad_=True),
    row("rot90", x(3, 4), 3),
    row("rot90", x(*_T), 1, (1, 2)),
    row("tile", x(2, 3), (2, 1, 2), grad_=True),
    row("repeat", x(2, 3), 2, axis=1, grad_=True),
    row("repeat", x(2, 3), 2),
    row("reshape", x(2, 3), np.array([3, 2]), jax_=False, traced_=False),
    row("tile", x(2, 3), np.array([2, 2]), jax_=False, traced_=False),
    row("pad", x(2, 3), {0: 1, -1: (2, 0)}, jax_=False),
    row("repeat", x(2, 3), v(1, 0, 2, dtype="int32"), 1, traced_=False),
    row("repeat", x(4), v(1, 0, 2, 3, dtype="int32"), ours_={"total_repeat_length": 6}),
    row("pad", x(2, 3), ((1, 2), (0, 1)), constant_values=5),
    *(row("pad", x(4, 5), 2, mode=mode) for mode in ("edge", "reflect", "symmetric", "wrap")),
    row("pad", x(2, 3), 1, grad_=True),
    row("pad", x(2, 3), ((1, 2), (2, 1)), constant_values=((1, 2), (3, 4)), jax_=False, traced_=False),
    *(
        row("pad", x(4, 5), ((1, 2), (3, 0)), mode=mode, on="fi")
        for mode in ("maximum", "minimum", "mean", "median", "linear_ramp")
    ),
    *(row("pad", x(4, 5), 2, mode=mode, stat_length=2) for mode in ("maximum", "minimum", "mean", "median")),
    *(row("pad", x(4, 5), 3, mode=mode, reflect_type="odd") for mode in ("reflect", "symmetric")),
    row("pad", x(4, 5), 2, mode="linear_ramp", end_values=3.0),
    *rows("atleast_1d atleast_2d atleast_3d", x(), on="f"),
    *rows("atleast_1d atleast_2d atleast_3d", x(3), x(2, 3), on="i"),
    row("resize", x(2, 3), (3, 5)),
    row("ediff1d", x(5), on="fi"),
    row("ediff1d", x(2, 3), x(2), 7.0, jax_=False),
    row("trim_zeros", v([0.0, 0, 1, 2, 0]), traced_=False, jax_=False),
    row("trim_zeros", v([0.0, 0, 1, 2, 0]), "b", traced_=False, jax_=False),
]

JOINING: list[Row] = [
    *rows("concat concatenate", [x(2, 3), x(2, 3)], axis=1, on="fic", grad_=False),
    row("concatenate", [x(2, 3), x(3)], axis=None),
    row("concatenate", [x(0, 3), x(2, 3)]),
    row("stack", [x(2, 3), x(2, 3)], axis=-1, grad_=True),
    *rows("hstack vstack dstack column_stack", [x(3), x(3)]),
    *rows("hstack vstack dstack column_stack", [x(2, 3), x(2, 3)], on="i"),
    row("row_stack", [x(3), x(3)], numpy_=np.vstack, jax_=False),
    row("block", [[x(2, 2), x(2, 1)], [x(1, 2), x(1, 1)]]),
    row("append", x(2, 3), x(4)),
    row("append", x(2, 3), x(1, 3), axis=0),
    row("split", x(6, 2), 3),
    row("split", x(6, 2), [1, 4]),
    row("split", x(6, 2), np.array([1, 4]), jax_=False, traced_=False),
    row("array_split", x(7, 2), 3),
    row("hsplit", x(3, 4), 2),
    row("vsplit", x(4, 3), 2),
    row("dsplit", x(2, 3, 4), 2),
    row("unstack", x(2, 3), axis=1),
    row("delete", x(6), 2),
    row("delete", x(3, 5), (0, -1), axis=1, jax_=False),
    row("delete", x(3, 5), slice(0, 4, 2), axis=1, on="i"),
    row("insert", x(5), 2, 7.0),
    row("insert", x(2, 3), [0, 2], x(2, 2), axis=1, jax_=False),
    row("insert", x(3, 2), 1, x(2), axis=0, grad_=True),
    row("insert", x(4), slice(0, 4, 2), 9.0, on="i"),
    row("packbits", b(3, 11), axis=1),
    row("packbits", n(10, low=0, high=2), bitorder="little"),
    row("unpackbits", x(2, 3, low=0, high=255), axis=1, on="u"),
    row("unpackbits", x(3, low=0, high=255), count=-3, bitorder="little", on="u"),
]


def _take_or_nan(array, indices, axis):
    size = array.shape[axis]
    found = np.take(array, indices % size, axis)
    outside = (indices < -size) | (indices >= size)
    found[(slice(None),) * axis + (outside,)] = np.nan
    return found


CHOICE: list[Row] = [
    row("take", x(3, 4), n(5, low=-9, high=9), axis=1, mode="clip", on="fi"),
    row("take", x(3, 4), v(-5, -4, 0, 3, 4, dtype="int32"), axis=1, ours_={"mode": "fill"}, numpy_=_take_or_nan),
    row(
        "take",
        x(3, 4),
        v(-4, 0, 3, 4, dtype="int32"),
        axis=0,
        ours_={"mode": "fill", "fill_value": 7.0},
        numpy_=lambda a, i, axis: np.nan_to_num(_take_or_nan(a, i, axis), nan=7.0),
    ),
    row("take", x(3, 4), n(5, low=-20, high=20), mode="wrap"),
    row("take", x(3, 4), n(5), grad_=True),
    row("take_along_axis", x(3, 4), n(3, 2), axis=1, grad_=True),
    row("take_along_axis", x(3, 4), n(7, high=12), axis=None),
    row("put", x(2, 3), n(2), x(2), ours_={"inplace": False}, numpy_=lambda a, i, w: _changed(np.put, a, i, w)),
    row(
        "put_along_axis",
        x(2, 3),
        v([[0], [2]], dtype="int32"),
        x(2, 1),
        1,
        ours_={"inplace": False},
        numpy_=lambda a, i, w, axis: _changed(np.put_along_axis, a, i, w, axis),
        grad_=True,
    ),
    row("place", x(2, 3), b(2, 3), x(2), ours_={"inplace": False}, numpy_=lambda a, m, w: _changed(np.place, a, m, w)),
    row("fill_diagonal", x(4, 3), x(2), ours_={"inplace": False}, numpy_=lambda a, w: _changed(np.fill_diagonal, a, w)),
    row(
        "fill_diagonal",
        x(7, 2),
        9.0,
        True,
        ours_={"inplace": False},
        jax_=False,
        numpy_=lambda a, w, wrap: _changed(np.fill_diagonal, a, w, wrap),
    ),
    row("extract", b(2, 3), x(2, 3), ours_={"size": 4}, numpy_=lambda m, a: _sized(np.extract(m, a), 4)),
    row("compress", b(3), x(3, 4), 0, ours_={"size": 3}, jax_=True, numpy_=lambda m, a, axis: _sized(np.compress(m, a, axis), 3)),
    row("compress", v([True, False, True], dtype="bool"), x(3, 4), 0, traced_=False),
    row("nonzero", b(3, 4), traced_=False),
    row("nonzero", b(3, 4), ours_={"size": 12}, numpy_=lambda m: tuple(_sized(each, 12) for each in np.nonzero(m))),
    row("argwhere", b(3, 4), traced_=False),
    row("argwhere", b(3, 4), ours_={"size": 12}, numpy_=lambda m: _sized(np.argwhere(m), 12)),
    row("flatnonzero", b(3, 4), ours_={"size": 12, "fill_value": -1}, numpy_=lambda m: _sized(np.flatnonzero(m), 12, -1)),
    row("ix_", n(2), n(3)),
    row("ix_", v(True, False, True, dtype="bool"), n(3), traced_=False),
    row("unravel_index", n(2, 3, high=24), (2, 3, 4)),
    row("ravel_multi_index", (n(4, high=3), n(4, high=5)), (3, 5), jax_=False),
    row("ravel_multi_index", (n(4, low=-7, high=9), n(4, low=-7, high=9)), (3, 5), mode="wrap", order="F"),
    row("ravel_multi_index", (n(4, low=-7, high=9), n(4, low=-7, high=9)), (3, 5), mode="clip"),
]


def _argpartition(array, k):
    """The order of `jax.numpy.argpartition`: indices of the k + 1 least numbers in ascending order, then the others as they come."""
    order = np.argsort(array)
    return np.concatenate([order[:, : k + 1], np.sort(order[:, k + 1 :])], axis=1)


def _changed(function, array, *more):
    copy = array.copy()
    function(copy, *more)
    return copy


def _uniques(array, size, fill):
    values, first, inverse, counts = np.unique(array, True, True, True)
    return _sized(values, size, fill), _sized(first, size), inverse.reshape(array.shape), _sized(counts, size)


def _sized(found, size, fill=0):
    return np.concatenate([found, np.full((size - len(found), *found.shape[1:]), fill, found.dtype)])


ORDER: list[Row] = [
    row("sort", x(3, 5, edges=True), on="f"),
    *rows("sort argsort", v([2 + 1j, 1, 2 - 1j, 1 + 3j]), on="c"),
    row("sort", x(3, 5), axis=0, on="ib", grad_=False),
    row("sort", x(3, 5), axis=None, grad_=True),
    row("argsort", x(3, 5, low=0, high=3), on="i", kind="stable", jax_=False),
    row("argsort", x(3, 5, edges=True), axis=0, kind="stable", jax_=False),
    row("partition", x(3, 5), 2, numpy_=lambda a, k: np.concatenate([np.sort(a)[:, : k + 1], np.sort(a)[:, :k:-1]], 1)),
    row("argpartition", x(3, 5), 2, numpy_=_argpartition),
    row("lexsort", (n(6), n(6), x(6, low=0, high=2)), on="i"),
    row("lexsort", (x(3, 4), n(3, 4)), axis=0),
    row("sort_complex", x(3, 4), on="c"),
    row("sort_complex", x(5), on="f"),
    *(row("searchsorted", v([-2.0, -1, -1, 0, 1, 1, 2]), x(3, 4, low=-3, edges=True), side=side) for side in ("left", "right")),
    row("searchsorted", v([-2, -1, -1, 0, 1, 1, 2]), x(3, 4), side="right", on="i"),
    row("searchsorted", v([1.0, 0, 2]), x(4), sorter=np.array([1, 0, 2]), traced_=False, jax_=True),
    row("digitize", x(3, 4), v([-2.0, 0.0, 0.5, 2.0])),
    row("digitize", x(3, 4), v([2.0, 0.5, 0.0, -2.0]), right=True),
]

SETS: list[Row] = [
    row("unique", x(3, 5), on="ifb", traced_=False, jax_=False),
    row("unique", x(12), True, True, True, on="i", traced_=False, jax_=False),
    row("unique", v([[1, 2], [1, 2], [0, 3]]), axis=0, on="i", traced_=False, jax_=False),
    row(
        "unique",
        x(3, 5),
        True,
        True,
        True,
        ours_={"size": 6, "fill_value": 9},
        on="i",
        jax_=False,
        numpy_=lambda a, *more: (lambda u, i, inv, c: (_sized(u, 6, 9), _sized(i, 6), inv.reshape(a.shape), _sized(c, 6)))(
            *np.unique(a, *more)
        ),
    ),
    row("unique_all", x(9), on="i", traced_=False, jax_=False),
    *rows("unique_counts unique_inverse", x(3, 3), on="i", traced_=False, jax_=False),
    row("unique_values", x(3, 3), on="i", traced_=False, jax_=False, numpy_=np.unique),
    row("unique_values", x(9), ours_={"size": 7}, on="i", numpy_=lambda a: _sized(np.unique(a), 7, np.min(a))),
    row(
        "unique_counts",
        x(9),
        ours_={"size": 7, "fill_value": 0},
        on="i",
        jax_=False,
        numpy_=lambda a: tuple(_sized(each, 7) for each in np.unique(a, return_counts=True)),
    ),
    row(
        "unique_inverse",
        x(9),
        ours_={"size": 7, "fill_value": 0},
        on="i",
        jax_=False,
        numpy_=lambda a: (_sized(np.unique(a), 7), np.unique(a, return_inverse=True)[1]),
    ),
    row(
        "unique_all",
        x(9),
        ours_={"size": 7, "fill_value": 0},
        on="i",
        jax_=False,
        numpy_=lambda a: (lambda u, i, inv, c: (_sized(u, 7), _sized(i, 7), inv, _sized(c, 7)))(*np.unique(a, True, True, True)),
    ),
    *rows("union1d intersect1d setdiff1d setxor1d", x(6), x(7), on="if", traced_=False, jax_=False),
    *(
        row(
            name,
            x(6),
            x(7),
            ours_={"size": 9, "fill_value": -7},
            on="i",
            jax_=False,
            numpy_=lambda a, c, name=name: _sized(getattr(np, name)(a, c), 9, -7),
        )
        for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d")
    ),
]

ROWS = [*CREATION, *MOVEMENT, *JOINING, *CHOICE, *ORDER, *SETS]
