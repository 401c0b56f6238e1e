"""A table of calls: each function of `rlx.numpy` on random arguments, compared with NumPy, and with JAX for dtypes and derivatives.

Rows are data: `row("cumsum", x(3, 4), axis=1)` is one call. `x(...)` and its like stand for arrays, made anew from a seed for each dtype.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import rlx.numpy as rnp
from rlx.frontends.dispatch import as_array

EDGES = (np.nan, np.inf, -np.inf, 0.0, -0.0)


@dataclass(frozen=True)
class Sample:
    """An array of a call: random in a range, integers, bools or fixed numbers; with NaN, infinities and zeros if asked."""

    shape: tuple[int, ...]
    low: float = -3
    high: float = 3
    edges: bool = False
    dtype: str | None = None  # of its own; None: that of the call
    fixed: Any = None

    def array(self, dtype: str, seed: int) -> np.ndarray:
        kind = np.dtype(self.dtype or dtype)
        if self.fixed is not None:
            return np.asarray(self.fixed).astype(kind)
        random = np.random.default_rng(seed)
        if kind.kind == "b":
            return random.random(self.shape) > 0.5
        if kind.kind in "iu":
            low = max(int(self.low), 0) if kind.kind == "u" else int(self.low)
            return random.integers(low, max(int(self.high), low + 1), self.shape).astype(kind)
        made = random.uniform(self.low, self.high, self.shape)
        if kind.kind == "c":
            made = made + 1j * random.uniform(self.low, self.high, self.shape)
        made = np.asarray(made).astype(kind)
        if self.edges and made.size >= len(EDGES):
            flat = made.reshape(-1)
            flat[random.permutation(made.size)[: len(EDGES)]] = EDGES
        return made


def x(*shape: int, low: float = -3, high: float = 3, edges: bool = False) -> Sample:
    """Numbers of the dtype of the call."""
    return Sample(shape, low, high, edges)


def n(*shape: int, low: int = 0, high: int = 3) -> Sample:
    """Integers, whatever the dtype of the call."""
    return Sample(shape, low, high, dtype="int32")


def b(*shape: int) -> Sample:
    """Bools, whatever the dtype of the call."""
    return Sample(shape, dtype="bool")


def v(*numbers: Any, dtype: str | None = None) -> Sample:
    """These numbers."""
    return Sample((), fixed=numbers[0] if len(numbers) == 1 else numbers, dtype=dtype)


@dataclass(frozen=True)
class Row:
    """One call of a function, in several dtypes."""

    name: str
    args: tuple[Any, ...]
    settings: dict[str, Any]
    dtypes: tuple[str, ...] = ("float32",)
    numpy: Callable[..., Any] | None = None  # what NumPy computes; the function of the same name by default
    ours: dict[str, Any] = field(default_factory=dict)  # more settings, of our call and JAX's
    grad: bool = False
    traced: bool = True
    jax: bool = True  # whether JAX's dtypes and shapes are ours
    tolerance: float = 1.0  # times that of the dtype

    def arrays(self, dtype: str) -> list[np.ndarray]:
        """The arrays of the call, in order."""
        seed = zlib.crc32(f"{self.name}{self.settings}".encode())
        return [each.array(dtype, seed + i) for i, each in enumerate(samples(self.args))]

    def call(self, function: Callable[..., Any], arrays: Sequence[Any], more: bool = True) -> Any:
        """The function on these arrays."""
        given = iter(arrays)
        return function(*placed(self.args, given), **self.settings, **(self.ours if more else {}))

    def expected(self, dtype: str) -> Any:
        """NumPy's result."""
        function = self.numpy or of(np, self.name)
        with np.errstate(all="ignore"):
            return self.call(function, self.arrays(dtype), more=False)

    def __str__(self) -> str:
        return f"{self.name} {list(self.args)} {self.settings | self.ours}"


def samples(args: Any) -> list[Sample]:
    """The arrays in arguments."""
    if isinstance(args, Sample):
        return [args]
    return [each for part in args for each in samples(part)] if isinstance(args, (list, tuple)) else []


def placed(args: Any, arrays: Any) -> Any:
    """Arguments with arrays in the places of samples."""
    if isinstance(args, Sample):
        return next(arrays)
    return type(args)(placed(part, arrays) for part in args) if isinstance(args, (list, tuple)) else args


def of(module: Any, name: str) -> Any:
    """A function by its name, with its namespace."""
    for part in name.split("."):
        module = getattr(module, part)
    return module


_DTYPES = {"f": "float32", "d": "float64", "h": "float16", "i": "int32", "u": "uint8", "s": "int8", "b": "bool", "c": "complex64"}


def row(name: str, *args: Any, on: str = "f", **settings: Any) -> Row:
    """A call in the dtypes `on`: letters for f32 f64 f16 i32 u8 i8 bool c64. Fields of Row are settings with a final underscore."""
    own = {key[:-1]: settings.pop(key) for key in list(settings) if key.endswith("_")}
    return Row(name, args, settings, tuple(_DTYPES[letter] for letter in on), **own)


def rows(names: str, *args: Any, on: str = "f", **settings: Any) -> list[Row]:
    """The same call of several functions."""
    return [row(name, *args, on=on, **settings) for name in names.split()]


# -- comparison -----------------------------------------------------------------------------------------------------
_TOLERANCE = {"f2": 4e-3, "f4": 2e-5, "f8": 1e-11, "c8": 4e-5, "c16": 1e-11}


def leaves(found: Any) -> list[Any]:
    """The arrays of a result."""
    return [each for part in found for each in leaves(part)] if isinstance(found, (list, tuple)) else [found]


def compare(row: Row, found: Any, expected: Any, what: str) -> None:
    """Shapes, kinds and numbers; floats within the precision of the narrower dtype, relative to the largest."""
    ours, theirs = leaves(found), leaves(expected)
    assert len(ours) == len(theirs), f"{what} {row}: {len(ours)} results, {len(theirs)} expected"
    for mine, other in zip(ours, theirs, strict=True):
        mine, other = np.asarray(mine), np.asarray(other)
        assert mine.shape == other.shape, f"{what} {row}: shape {mine.shape}, not {other.shape}"
        if mine.dtype.kind in "biu" and other.dtype.kind in "biu":
            np.testing.assert_array_equal(mine, other, err_msg=f"{what} {row}")
            continue
        limit = max(_TOLERANCE.get(f"{each.dtype.kind}{each.dtype.itemsize}", 0.0) for each in (mine, other))
        finite = np.abs(other[np.isfinite(other)])
        scale = max(1.0, float(finite.max())) if finite.size else 1.0
        np.testing.assert_allclose(
            mine, other, rtol=limit * row.tolerance, atol=limit * row.tolerance * scale, err_msg=f"{what} {row}"
        )


def eager(row: Row, dtype: str) -> Any:
    """Our result on arrays."""
    return row.call(of(rnp, row.name), [as_array(each) for each in row.arrays(dtype)])
