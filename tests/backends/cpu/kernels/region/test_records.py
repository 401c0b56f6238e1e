"""Elementwise records as regions: every dtype they accept on extremes, and casts between all dtypes."""

import numpy as np
import pytest

from rlx.backends.cpu.kernels.region.elementwise import EMIT
from rlx.backends.cpu.target import Target
from rlx.core.dtype import ALL, BY_NAME, DType, cast_array
from rlx.core.errors import RlxError
from rlx.core.shape import Shape
from rlx.ir.evaluate import evaluate_op
from rlx.ir.op import OPS
from tests.backends.cpu.kernels.region.region_bodies import both_targets, compiled

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


POINTWISE = [record for record in OPS if record.name in EMIT]


INTEGERS = ["i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"]


def _edges(dtype: DType, count: int, seed: int) -> np.ndarray:
    """Extremes, small numbers, and random bits."""
    random = np.random.default_rng(seed)
    if dtype.is_bool:
        return random.random(count) < 0.5
    if dtype.is_integer:
        info = np.iinfo(dtype.numpy)
        special = np.array([info.min, info.max, 0, 1, 2, 3, 7, info.max // 2, info.min + 1], dtype.numpy)
        small = random.integers(-9 if info.min else 0, 9, count // 2).astype(dtype.numpy)
        return np.concatenate([special, small, random.integers(info.min, info.max, count - 9 - count // 2, dtype.numpy)])
    special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.5, -2.5, 100.25, 1e-8, 6e4, -3e38])
    return np.concatenate([special, random.standard_normal(count - 14) * 10.0 ** random.uniform(-3, 3, count - 14)]).astype(
        dtype.numpy
    )


@both_targets
@pytest.mark.parametrize("dtype", [*INTEGERS, "bool", "f64", "f32", "f16", "bf16"])
def test_every_op_on_every_dtype(dtype: str, target: Target) -> None:
    """Everything the records accept, on extremes, in one kernel: ints and bools exactly, floats by their tolerance."""
    kind = DType.of(dtype)
    operands = [np.random.default_rng(9).permutation(_edges(kind, 67, seed)) for seed in range(3)]
    operands.append((operands[1] % 7).astype(kind.numpy) if kind.is_integer else operands[1])
    condition = operands[0] > operands[1] if not kind.is_bool else operands[0]
    accepted = []
    for record in POINTWISE:
        if record.name == "cast" or (record.name == "pow" and dtype == "u64"):  # NumPy's goes through f64: see test_math
            continue
        if record.name == "next_after":  # a step of its own dtype, not of f64: see tests/ops/elementwise/test_special.py
            continue
        places = {"where": (4, 1, 2), "pow": (0, 3)}.get(record.name, tuple(range(len(record.operands))))
        arrays = [[*operands, condition][place] for place in places]
        try:
            record.op().infer([Shape(a.shape, DType.of(a.dtype)) for a in arrays])
        except RlxError:
            continue  # not a dtype of this record
        accepted.append((record, places, arrays))
    given = [*operands, condition]
    shapes = [Shape(a.shape, DType.of(a.dtype)) for a in given]
    kernel, _ = compiled(lambda *xs: [record(*(xs[i] for i in places)) for record, places, _ in accepted], shapes, target)
    for (record, _, arrays), actual in zip(accepted, kernel.call(given), strict=True):
        result = DType.of(actual.dtype)
        (expected,) = evaluate_op(record.op(), arrays, wide=True)
        rounded = cast_array(expected, result)
        if not result.is_float:
            np.testing.assert_array_equal(actual, rounded, err_msg=f"{record.name} {dtype}")
            continue
        found, nearest = actual.astype(np.float64), rounded.astype(np.float64)
        bound = record.tolerance.bound(record.op(), arrays, expected, result) * (100 if dtype == "f64" else 1)
        right = (found == nearest) | (np.isnan(found) & np.isnan(nearest))
        right |= np.abs(found - expected.astype(np.float64)) <= bound
        assert right.all(), (record.name, [a[~right] for a in arrays], found[~right], expected[~right])


CASTS = [d for d in ALL if not d.is_complex]


@both_targets
@pytest.mark.parametrize("source", CASTS, ids=str)
def test_casts_between_all_dtypes(source: DType, target: Target) -> None:
    if source.category == "f8":
        x = np.arange(16 if source.name == "f4e2m1" else 256, dtype=np.uint8).view(source.numpy)
    else:
        x = _edges(source, 90, 0)
        if source.name in ("f32", "f64"):  # every value of the small floats, and what lies between
            grid = np.arange(256, dtype=np.uint8)
            codes = {"f8e4m3": grid, "f8e5m2": grid, "f4e2m1": grid[:16]}
            values = np.concatenate([codes[n].view(BY_NAME[n].numpy).astype(np.float64) for n in codes])
            values = np.unique(values[np.isfinite(values)])
            middle = (values[1:] + values[:-1]) / 2
            x = np.concatenate([x, values, middle, middle * (1 + 1e-6), middle * (1 - 1e-6)]).astype(source.numpy)
    kernel, _ = compiled(lambda x: [OPS["cast"](x, to=to) for to in CASTS], [Shape(x.shape, source)], target)
    for to, actual in zip(CASTS, kernel.call([x]), strict=True):
        if source.name == "f64" and to.name == "bf16":  # ml_dtypes rounds twice
            continue
        expected = cast_array(x, to).astype(np.float64)
        np.testing.assert_array_equal(actual.astype(np.float64), expected, err_msg=f"{source} to {to}")
