"""The builder's arithmetic and conversions against NumPy, on this machine's instruction set and on the baseline."""

import ml_dtypes
import numpy as np
import pytest

from rlx.backends.cpu.emit.values import BF16, F16, F32, F64, I1, I8, I16, I32, I64, Type
from rlx.backends.cpu.target import Target
from tests.backends.cpu.emit.built import DTYPES, elementwise, every_target, numbers, same

pytestmark = [
    every_target,
    pytest.mark.filterwarnings("ignore:invalid value"),  # signalling NaNs among the 16-bit floats
]
SPECIAL = np.array(
    [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e30, -1e30, 8388607.5, np.inf, -np.inf, np.nan, 3.7, -3.2, 4194304.5], np.float64
)


@pytest.mark.parametrize("kind", [I8, I16, I32, I64], ids=repr)
def test_integer_operators(target: Target, kind: Type) -> None:
    a, b = numbers(kind), numbers(kind, seed=1)
    b[b == 0] = 3
    b[b == -1] = 5  # min // -1 overflows
    unsigned = np.dtype(DTYPES[kind]).str.replace("i", "u")
    ua, ub = a.view(unsigned), b.view(unsigned)
    shift = np.abs(b) % (kind.bits - 1)
    with np.errstate(over="ignore"):
        for build, expected in [
            (lambda k, x, y: x + y, a + b),
            (lambda k, x, y: x - y, a - b),
            (lambda k, x, y: x * y, a * b),
            (lambda k, x, y: 7 - x * 3 + 1, (np.int64(7) - a.astype(np.int64) * 3 + 1).astype(a.dtype)),
            (lambda k, x, y: x // y, a // b),
            (lambda k, x, y: x % y, a % b),
            (lambda k, x, y: x // 8 + x % 16, a // 8 + a % 16),
            (lambda k, x, y: x // 7 + x % 7, a // 7 + a % 7),
            (lambda k, x, y: x & y | ~x ^ y, a & b | ~a ^ b),
            (lambda k, x, y: -x, -a),
            (lambda k, x, y: x.udiv(y), (ua // ub).view(a.dtype)),
            (lambda k, x, y: x.urem(y), (ua % ub).view(a.dtype)),
            (lambda k, x, y: k.maximum(x, y) - k.minimum(x, y), np.maximum(a, b) - np.minimum(a, b)),
            (lambda k, x, y: k.unsigned_maximum(x, y), np.maximum(ua, ub).view(a.dtype)),
            (lambda k, x, y: k.abs(x), np.abs(a)),
            (lambda k, x, y: k.popcount(x), np.bitwise_count(ua).astype(a.dtype)),
            (lambda k, x, y: k.select(x.ult(y), x, y), np.minimum(ua, ub).view(a.dtype)),
        ]:
            same(elementwise(target, build, a, b, result=kind), expected)
        for build, expected in [
            (lambda k, x, y: (x << y) + (x >> y), (a << shift) + (a >> shift)),
            (lambda k, x, y: x.ushr(y), (ua >> shift.view(unsigned)).view(a.dtype)),
        ]:
            same(elementwise(target, build, a, shift, result=kind), expected)


@pytest.mark.parametrize("kind", [F32, F64], ids=repr)
def test_float_operators(target: Target, kind: Type) -> None:
    dtype = DTYPES[kind]
    a = np.concatenate([SPECIAL, np.roll(SPECIAL, 3), numbers(kind)]).astype(dtype)
    b = np.concatenate([np.roll(SPECIAL, 5), SPECIAL, numbers(kind, seed=1)]).astype(dtype)
    with np.errstate(all="ignore"):
        for build, expected in [
            (lambda k, x, y: x + y, a + b),
            (lambda k, x, y: x - y, a - b),
            (lambda k, x, y: x * y, a * b),
            (lambda k, x, y: 2 / (x / y), 2 / (a / b)),
            (lambda k, x, y: -x, -a),
            (lambda k, x, y: k.sqrt(k.abs(x)), np.sqrt(np.abs(a))),
            (lambda k, x, y: k.copysign(x, y), np.copysign(a, b)),
            (lambda k, x, y: k.floor(x), np.floor(a)),
            (lambda k, x, y: k.ceil(x), np.ceil(a)),
            (lambda k, x, y: k.trunc(x), np.trunc(a)),
            (lambda k, x, y: k.round_even(x), np.rint(a)),
        ]:
            same(elementwise(target, build, a, b, result=kind), expected)
        for build, expected in [
            (lambda k, x, y: k.maximum(x, y), np.maximum(a, b)),
            (lambda k, x, y: k.minimum(x, y), np.minimum(a, b)),
        ]:
            np.testing.assert_array_equal(elementwise(target, build, a, b, result=kind), expected)  # the sign of zero is free
        for build, expected in [
            (lambda k, x, y: x < y, a < b),
            (lambda k, x, y: x >= y, a >= b),
            (lambda k, x, y: x == y, a == b),
            (lambda k, x, y: x != y, a != b),
            (lambda k, x, y: k.is_nan(x) & (y <= 0.5) | (x > y), np.isnan(a) & (b <= 0.5) | (a > b)),
        ]:
            same(elementwise(target, build, a, b, result=I1), expected)


@pytest.mark.parametrize("kind", [F32, F64], ids=repr)
def test_fma(target: Target, kind: Type) -> None:
    a, b, c = (numbers(kind, seed=seed) for seed in range(3))
    expected = (a.astype(np.longdouble) * b + c).astype(a.dtype)
    close = elementwise(target, lambda k, x, y, z: k.fma(x, y, z), a, b, c, result=kind)
    np.testing.assert_allclose(close, expected, rtol=1e-5)
    if target.has("fma"):
        same(close, expected)


@pytest.mark.parametrize("source", [F16, BF16], ids=repr)
@pytest.mark.parametrize("lanes", [8, 1])
def test_every_16_bit_float_widens(target: Target, source: Type, lanes: int) -> None:
    values = np.arange(1 << 16, dtype=np.uint16).view(DTYPES[source])
    same(elementwise(target, lambda k, x: k.convert(x, F32), values, result=F32, lanes=lanes), values.astype(np.float32))
    with np.errstate(invalid="ignore"):
        truth = ~(values == 0)
    same(elementwise(target, lambda k, x: k.convert(x, I1), values, result=I1), truth)


@pytest.mark.parametrize("kind", [F16, BF16], ids=repr)
@pytest.mark.parametrize("source", [F32, F64], ids=repr)
def test_narrowing_to_16_bit_floats(target: Target, kind: Type, source: Type) -> None:
    """Every value, every midpoint between neighbours and the floats beside it: what rounding could get wrong."""
    values = np.arange(1 << 16, dtype=np.uint16).view(DTYPES[kind]).astype(DTYPES[source])
    finite = np.sort(np.unique(values[np.isfinite(values)]))
    middle = finite[:-1] + (finite[1:] - finite[:-1]) / 2
    candidates = [values, middle, np.nextafter(middle, np.inf), np.nextafter(middle, -np.inf)]
    given = np.concatenate([*candidates, np.array([1e5, -1e5, 65519.9, 65520, 3e38, -3e38, 1e-9], DTYPES[source])])
    with np.errstate(all="ignore"):
        expected = given.astype(np.float16) if kind is F16 else _nearest_bf16(given)
    same(elementwise(target, lambda k, x: k.convert(x, kind), given, result=kind), expected)


def _nearest_bf16(given: np.ndarray) -> np.ndarray:
    """Correct rounding also from f64, where going through f32 rounds twice."""
    grid = np.arange(1 << 16, dtype=np.uint16).view(ml_dtypes.bfloat16)
    down = given.astype(np.float32).view(np.uint32) >> 16
    best = grid[down]
    for offset in (-1, 1):
        other = grid[(down.astype(np.int64) + offset) & 0xFFFF]
        same_sign = np.signbit(other) == np.signbit(given)
        gap, best_gap = (
            np.abs(np.nan_to_num(x.astype(np.float64), posinf=2.0**128, neginf=-(2.0**128)) - given) for x in (other, best)
        )
        even = (other.view(np.uint16) & 1) == 0
        take = same_sign & ~np.isnan(other.astype(np.float32)) & ((gap < best_gap) | (gap == best_gap) & even)
        best = np.where(take, other, best)
    return np.where(np.isnan(given), grid[0x7FC0], best)


@pytest.mark.parametrize("source", [I8, I16, I32, I64, F32, F64, F16, BF16], ids=repr)
@pytest.mark.parametrize("kind", [I8, I16, I32, I64, F32, F64], ids=repr)
@pytest.mark.parametrize("signed", [True, False])
def test_conversions(target: Target, source: Type, kind: Type, signed: bool) -> None:
    values = numbers(source)
    read = values.view(np.dtype(values.dtype).str.replace("i", "u")) if source.is_integer and not signed else values
    actual = elementwise(target, lambda k, x: k.convert(x, kind, signed=signed), values, result=kind)
    if kind.is_integer and not source.is_integer:
        dtype = DTYPES[kind] if signed else np.dtype(DTYPES[kind]).str.replace("i", "u")
        info = np.iinfo(dtype)
        wide = np.trunc(read.astype(np.float64)).astype(object)
        expected = np.array([min(max(int(v), info.min), info.max) for v in wide], dtype).view(DTYPES[kind])
    else:
        expected = read.astype(DTYPES[kind])
    same(actual, expected)


def test_float_to_integer_saturates(target: Target) -> None:
    given = np.array([np.nan, np.inf, -np.inf, 1e20, -1e20, 300.5, -0.9, 2147483648.0], np.float32)
    actual = elementwise(target, lambda k, x: k.convert(x, I32), given, result=I32)
    assert actual.tolist() == [0, 2**31 - 1, -(2**31), 2**31 - 1, -(2**31), 300, 0, 2**31 - 1]
    actual = elementwise(target, lambda k, x: k.convert(x, I8, signed=False), given, result=I8)
    assert actual.view(np.uint8).tolist() == [0, 255, 0, 255, 0, 255, 0, 255]
