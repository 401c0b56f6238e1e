"""Calls of whole families on random shapes and axes, on empty arrays and on every dtype."""

from __future__ import annotations

import numpy as np

from tests.frontends.numpy.table import Row, row, x

_RANDOM = np.random.default_rng(16)

UNARY = ("exp", "log", "sqrt", "sin", "cos", "tanh", "abs", "negative", "square", "floor", "ceil", "sign", "isnan", "isfinite")
BINARY = (
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "minimum",
    "less",
    "equal",
    "logical_and",
    "power",
    "atan2",
    "remainder",
)
REDUCTIONS = (
    "sum",
    "prod",
    "max",
    "min",
    "any",
    "all",
    "mean",
    "std",
    "var",
    "argmax",
    "argmin",
    "nansum",
    "nanmax",
    "count_nonzero",
)
ALONG = ("cumsum", "cumprod", "sort", "argsort", "flip", "diff", "median", "nancumsum")


def _shape(rank: int) -> tuple[int, ...]:
    return tuple(int(size) for size in _RANDOM.integers(1, 6, rank))


def _thinned(shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that broadcasts to another: some axes of size 1, some in front gone."""
    kept = [1 if _RANDOM.random() < 0.4 else size for size in shape]
    return tuple(kept[int(_RANDOM.integers(0, len(shape))) :])


def _unary(name: str) -> list[Row]:
    return [
        row(name, x(*_shape(int(_RANDOM.integers(0, 5))), edges=True), on="fd"),
        row(name, x(0, 3), on="f"),
        *([] if name in ("exp", "log", "sqrt", "sin", "cos", "tanh") else [row(name, x(*_shape(2)), on="i")]),
    ]


def _binary(name: str) -> list[Row]:
    shape = _shape(int(_RANDOM.integers(1, 5)))
    low = 0.5 if name in ("power", "remainder") else -3
    return [
        row(name, x(*shape, low=low), x(*_thinned(shape), low=low), on="fd"),
        row(name, x(*_thinned(shape), low=low), x(*shape, low=low), on="f"),
        row(name, x(2, 0, 3), x(3), on="f"),
    ]


def _reduction(name: str) -> list[Row]:
    rank = int(_RANDOM.integers(1, 5))
    axis = int(_RANDOM.integers(-rank, rank))
    found = [row(name, x(*_shape(rank)), axis=axis, keepdims=bool(_RANDOM.integers(2)), on="fd", tolerance_=4)]
    if not name.startswith("arg"):
        axes = tuple(int(each) for each in _RANDOM.permutation(4)[:2])
        found.append(row(name, x(*_shape(4)), axis=axes, tolerance_=4))
    if name not in ("max", "min", "argmax", "argmin", "nanmax"):
        found.append(row(name, x(3, 0, 2), axis=1))
    return [*found, row(name, x(3, 0), axis=0) if name != "nanmax" else row(name, x(3, 2), axis=0)]


def _along(name: str) -> list[Row]:
    rank = int(_RANDOM.integers(1, 4))
    axis = int(_RANDOM.integers(-rank, rank))
    settings = {"jax_": False, "kind": "stable"} if name == "argsort" else {}
    return [row(name, x(*_shape(rank)), axis=axis, on="fdi", **settings), row(name, x(2, 0, 3), axis=2, **settings)]


ROWS = [
    *(each for name in UNARY for each in _unary(name)),
    *(each for name in BINARY for each in _binary(name)),
    *(each for name in REDUCTIONS for each in _reduction(name)),
    *(each for name in ALONG for each in _along(name)),
]
