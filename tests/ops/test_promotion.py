"""Dtypes of elementwise ops: the promotion table, weak scalars, casts."""

from __future__ import annotations

import itertools
import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

from rlx import module
from rlx.core.dtype import ALL, DType, promote
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_op
from rlx.ir.graph import Graph
from rlx.ir.op import OPS
from rlx.ops.elementwise.binary import cast, where
from tests.ops.running import draw, infer, place, run

SPECIALS = [0.0, -0.0, 0.5, -0.5, 1.0, 2.5, -2.5, 1e-6, -1e-6, 30.0, -30.0, 80.0, -80.0, np.inf, -np.inf, np.nan]


# -- promotion --------------------------------------------------------------------------------------------------
NAMES = "f64 f32 f16 bf16 f8e4m3 f8e5m2 f4e2m1 i64 i32 i16 i8 u64 u32 u16 u8 bool c64 c128".split()  # noqa: SIM905
# rows and columns in that order; a dot: they do not mix
TABLE = """
f64  f64  f64  f64  .      .      .      f64  f64  f64  f64  f64  f64  f64  f64  f64  c128 c128
f64  f32  f32  f32  .      .      .      f32  f32  f32  f32  f32  f32  f32  f32  f32  c64  c128
f64  f32  f16  f32  .      .      .      f16  f16  f16  f16  f16  f16  f16  f16  f16  c64  c128
f64  f32  f32  bf16 .      .      .      bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 c64  c128
.    .    .    .    f8e4m3 .      .      .    .    .    .    .    .    .    .    .    .    .
.    .    .    .    .      f8e5m2 .      .    .    .    .    .    .    .    .    .    .    .
.    .    .    .    .      .      f4e2m1 .    .    .    .    .    .    .    .    .    .    .
f64  f32  f16  bf16 .      .      .      i64  i64  i64  i64  f64  i64  i64  i64  i64  c64  c128
f64  f32  f16  bf16 .      .      .      i64  i32  i32  i32  f64  i64  i32  i32  i32  c64  c128
f64  f32  f16  bf16 .      .      .      i64  i32  i16  i16  f64  i64  i32  i16  i16  c64  c128
f64  f32  f16  bf16 .      .      .      i64  i32  i16  i8   f64  i64  i32  i16  i8   c64  c128
f64  f32  f16  bf16 .      .      .      f64  f64  f64  f64  u64  u64  u64  u64  u64  c64  c128
f64  f32  f16  bf16 .      .      .      i64  i64  i64  i64  u64  u32  u32  u32  u32  c64  c128
f64  f32  f16  bf16 .      .      .      i64  i32  i32  i32  u64  u32  u16  u16  u16  c64  c128
f64  f32  f16  bf16 .      .      .      i64  i32  i16  i16  u64  u32  u16  u8   u8   c64  c128
f64  f32  f16  bf16 .      .      .      i64  i32  i16  i8   u64  u32  u16  u8   bool c64  c128
c128 c64  c64  c64  .      .      .      c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c128
c128 c128 c128 c128 .      .      .      c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
"""


def test_promotion_table() -> None:
    rows = [line.split() for line in TABLE.strip().splitlines()]
    assert [dtype.name for dtype in ALL] == NAMES and len(rows) == 18
    for (i, a), (j, b) in itertools.product(enumerate(NAMES), enumerate(NAMES)):
        assert rows[i][j] == rows[j][i], "the table is symmetric"
        if rows[i][j] == ".":
            with pytest.raises(RlxError, match=r"RLX103.*does not mix"):
                promote(DType.of(a), DType.of(b))
        else:
            assert promote(DType.of(a), DType.of(b)).name == rows[i][j]
            if not {a, b} & {"f8e4m3", "f8e5m2", "f4e2m1"}:
                assert infer(where, Shape((2,), "bool"), Shape((2,), a), Shape((2,), b)).dtype.name == rows[i][j]


def test_values_of_mixed_dtypes() -> None:
    assert run(OPS["add"], draw((3,), "f16"), draw((3,), "bf16")).dtype == np.float32
    assert run(OPS["mul"], draw((3,), "i64"), draw((3,), "bf16")).dtype == ml_dtypes.bfloat16
    found = run(OPS["add"], np.array([2**63], np.uint64), np.array([-1], np.int64))
    assert found.dtype == np.float64 and found[0] == 2.0**63


# -- weak scalars -----------------------------------------------------------------------------------------------
WEAK = [
    ("f16", 2.5, "f16"),
    ("bf16", 3, "bf16"),
    ("f64", 2.5, "f64"),
    ("i8", 3, "i8"),
    ("i8", 2.5, "f32"),
    ("i64", 2.5, "f32"),
    ("bool", 3, "i32"),
    ("bool", 2.5, "f32"),
    ("bool", True, "bool"),
    ("u8", True, "u8"),
    ("f32", np.float64(2.5), "f32"),
    ("f16", np.float32(2.5), "f32"),
    ("i8", np.int64(3), "i64"),
    ("f32", np.array(2.5), "f64"),
    ("f32", 1j, "c64"),
    ("f64", 1j, "c128"),
    ("i32", 1j, "c64"),
    ("f16", np.ones(1, np.float16), "f16"),
]


@pytest.mark.parametrize(("dtype", "literal", "wanted"), WEAK)
def test_scalars_are_weak(dtype: str, literal: Any, wanted: str) -> None:
    graph = Graph("test")
    x = place(graph, "x", (2,), dtype)
    assert (x * literal).dtype.name == wanted and (literal * x).dtype.name == wanted


def test_literals_that_do_not_fit_are_errors() -> None:
    graph = Graph("test")
    small = place(graph, "x", (2,), "u8")
    for literal in (-1, 256):
        with pytest.raises(RlxError, match=rf"\[RLX110\] y of add: the number {literal} does not fit u8") as caught:
            small + literal
        assert "test_promotion.py:" in str(caught.value) and "cast" in caught.value.fix
    assert (place(graph, "y", (2,), "bool") + (2**31 - 1)).dtype.name == "i32"


# -- casts ------------------------------------------------------------------------------------------------------
def cast_to_int(value: float, dtype: str) -> int:
    kind = np.iinfo(DType.of(dtype).numpy)  # type: ignore[type-var]
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return int(kind.max if value > 0 else kind.min)
    return min(max(math.trunc(value), int(kind.min)), int(kind.max))


EDGES = [
    *SPECIALS,
    127.5,
    128.0,
    -128.9,
    -129.0,
    255.9,
    256.0,
    2.0**31,
    -(2.0**31),
    2.0**31 - 200,
    1e19,
    -1e19,
    2.0**63,
    2.0**64,
    1e30,
]


@pytest.mark.parametrize("to", ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"])
@pytest.mark.parametrize("source", ["f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2"])
def test_float_to_int_truncates_and_saturates(source: str, to: str) -> None:
    with np.errstate(all="ignore"):
        x = np.array(EDGES).astype(DType.of(source).numpy)
    wanted = [cast_to_int(float(value), to) for value in x]
    assert run(cast, x, to=to).tolist() == wanted


def test_int_to_int_wraps_and_bool_is_not_zero() -> None:
    x = np.array([-1, 300, 2**33 + 5, -(2**31) - 1], np.int64)
    for to, bits in (("u8", 8), ("i8", 8), ("i32", 32), ("u32", 32), ("i16", 16)):
        low = -(2 ** (bits - 1)) if to[0] == "i" else 0
        assert run(cast, x, to=to).tolist() == [(int(v) - low) % 2**bits + low for v in x]
    assert run(cast, np.array([0.0, -0.0, np.nan, 0.1], np.float32), to="bool").tolist() == [False, False, True, True]
    assert run(cast, np.array([0, 1j, 2], np.complex64), to="bool").tolist() == [False, True, True]
    assert run(cast, np.array([True, False]), to="bf16").tolist() == [1, 0]


def test_float_to_int_to_float() -> None:
    x = draw((9,), low=-99, high=99)
    np.testing.assert_array_equal(run(cast, run(cast, x, to="i32"), to="f32"), np.trunc(x))


def test_low_floats_follow_ml_dtypes() -> None:
    x = np.array([*SPECIALS, 448, 449, 465, 1e4, 57344, 61440, 65519, 65520, 3.4e38], np.float32)
    with np.errstate(all="ignore"):
        for name, kind in (("f8e4m3", ml_dtypes.float8_e4m3fn), ("f8e5m2", ml_dtypes.float8_e5m2), ("bf16", ml_dtypes.bfloat16)):
            found = run(cast, x, to=name)
            np.testing.assert_array_equal(found.astype(np.float32), x.astype(kind).astype(np.float32))
            np.testing.assert_array_equal(run(cast, found, to="f32"), x.astype(kind).astype(np.float32))
    assert np.array(0x7E, np.uint8).view(ml_dtypes.float8_e4m3fn) == 448
    tie = np.array([1 + 2.0**-8, 1 + 3 * 2.0**-8], np.float32)  # bf16 rounds halves to even
    assert run(cast, tie, to="bf16").tolist() == [1.0, 1 + 2.0**-6]
    np.testing.assert_array_equal(run(cast, x, to="f16"), torch.from_numpy(x).half().numpy())


BINARY = "add sub mul div max min pow floor_div mod atan2 and or xor shl shr eq ne lt le gt ge".split()  # noqa: SIM905


@pytest.mark.parametrize("name", BINARY)
def test_every_pair_is_refused_while_building_or_runs(name: str) -> None:
    """Two ints whose common type is a float (i64 and u64) are no ints: the bitwise ops say so when the graph is built."""
    record = OPS[name]
    for left in NAMES:
        for right in NAMES:
            g = module.Graph("pair")
            try:
                value = record(g.input("x", (2,), left), g.input("y", (2,), right))
            except RlxError as error:
                assert error.code == "RLX103" and "fix:" in str(error), (left, right)
                continue
            arrays = [np.ones(2).astype(DType.of(dtype).numpy) for dtype in (left, right)]
            (found,) = evaluate_op(record.op(), arrays)
            assert found.dtype == value.dtype.numpy, (left, right)


@pytest.mark.parametrize("name", ["and", "or", "xor", "shl", "shr"])
def test_bits_of_i64_and_u64_are_refused_while_building(name: str) -> None:
    g = module.Graph("bits")
    with pytest.raises(RlxError, match=r"RLX103.*the common type of i64 and u64 is f64") as caught:
        OPS[name](g.input("x", (2,), "i64"), g.input("y", (2,), "u64"))
    assert "test_promotion.py" in str(caught.value) and ".astype('i64')" in str(caught.value)
