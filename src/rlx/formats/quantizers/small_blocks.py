"""Encoders of the types with one scale per block: values in columns, `[values of a block, blocks]`, to bytes in columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.formats.quantizers.fit import dot, fit_line, fit_scale, half, ratio, reaching_half
from rlx.formats.quantizers.levels import Integers, Levels, Tabled
from rlx.formats.quantizers.packing import empty_blocks, put_half, put_numbers
from rlx.layouts.gguf_blocks import E2M1, NONLINEAR

Array = npt.NDArray[Any]
Encoder = Callable[[Array], npt.NDArray[np.uint8]]


def around(peak: float, width: float, count: int) -> tuple[float, ...]:
    """Evenly spaced levels from `peak - width` to `peak + width`."""
    return tuple(np.linspace(peak - width, peak + width, count).tolist())


def both_ways(low: int, width: float) -> tuple[float, ...]:
    """Levels for a block's largest value: around the low end, which reaches one further, and once at the high end. So of two largest
    values of opposite signs either can be at the low end."""
    return (*around(low, width, 7), -low)


def _scaled(name: str, levels: Levels, peaks: Sequence[float], place: int = 0) -> Encoder:
    """level · d, with d at `place`."""

    def encode(x: Array) -> npt.NDArray[np.uint8]:
        scale = reaching_half(fit_scale(x, levels, peaks))
        data = empty_blocks(name, x.shape[1])
        put_half(data, place, scale)
        put_numbers(name, data, levels.stored(x * ratio(np.float32(1), scale))[:, None])
        return data

    return encode


def _line(name: str, high: int, spans: Sequence[float]) -> Encoder:
    """q · d + m. Once m is rounded to f16, d is refitted to it: this matters for values far from 0."""

    def encode(x: Array) -> npt.NDArray[np.uint8]:
        low, levels = x.min(0), Integers(0, high)
        scale, offset = fit_line(x - low, high, spans, signed=True)
        offset = half(offset + low)
        above = x - offset
        scale = reaching_half(fit_scale(above, levels, (high,), scale))
        data = empty_blocks(name, x.shape[1])
        put_half(data, 0, scale)
        put_half(data, 2, offset)
        put_numbers(name, data, levels.stored(above * ratio(np.float32(1), scale))[:, None])
        return data

    return encode


def _q8_0(x: Array) -> npt.NDArray[np.uint8]:
    """Eight bits: the scale that just spans a block is within a percent of the best, and is what readers expect."""
    scale = reaching_half(np.abs(x).max(0) / np.float32(127))
    data = empty_blocks("Q8_0", x.shape[1])
    put_half(data, 0, scale)
    data[2:] = Integers(-127, 127).nearest(x * ratio(np.float32(1), scale)).astype(np.int8).view(np.uint8)
    return data


def _mxfp4(x: Array) -> npt.NDArray[np.uint8]:
    """E2M1 times a power of two, the better of two: the one whose 6 reaches the largest value, and half of it."""
    with np.errstate(divide="ignore"):
        reach = np.ceil(np.log2(np.abs(x).max(0) / np.float32(6)))
    exponent = np.clip(np.where(np.isfinite(reach), reach, -126), -126, 126).astype(np.float32)
    errors = []
    for less in (0, 1):
        scaled = x * np.exp2(np.float32(less) - exponent)
        rest = _E2M1_LEVELS.nearest(scaled.copy()) - scaled
        errors.append(dot(rest, rest) * np.float32(0.25**less))
    exponent = np.maximum(exponent - (errors[1] < errors[0]), -126)
    data = empty_blocks("MXFP4", x.shape[1])
    data[0] = (exponent + 127).astype(np.uint8)
    put_numbers("MXFP4", data, _E2M1_LEVELS.stored(x * np.exp2(-exponent))[:, None])
    return data


def _tq1_0(x: Array) -> npt.NDArray[np.uint8]:
    """Five base-3 digits per byte, as a fraction of 256 rounded up; the last four bytes hold four digits."""
    levels = Integers(-1, 1)
    scale = reaching_half(fit_scale(x, levels, _TERNARY_PEAKS))
    digits = levels.stored(x * ratio(np.float32(1), scale)).astype(np.uint16)
    data = empty_blocks("TQ1_0", x.shape[1])
    put_half(data, 52, scale)
    for start, first, count, places in ((0, 0, 5, 32), (32, 160, 5, 16), (48, 240, 4, 4)):
        total = np.zeros((places, x.shape[1]), np.uint16)
        for digit in range(5):
            total *= 3
            if digit < count:
                total += digits[first + digit * places : first + (digit + 1) * places]
        data[start : start + places] = (total * 256 + 242) // 243
    return data


_TERNARY_PEAKS = (1.0, 1.3, 1.6, 2.0, 2.5, 3.0)
_E2M1_LEVELS = Tabled(tuple(value / 2 for value in E2M1.values), steps=4)
NONLINEAR_LEVELS = Tabled(NONLINEAR.values, steps=2)
NONLINEAR_PEAKS = (*around(-127, 14, 7), 113.0)

SMALL_BLOCKS: dict[str, Encoder] = {
    "Q4_0": _scaled("Q4_0", Integers(-8, 7), both_ways(-8, 1)),
    "Q5_0": _scaled("Q5_0", Integers(-16, 15), both_ways(-16, 1.5)),
    "Q4_1": _line("Q4_1", 15, around(15, 1, 7)),
    "Q5_1": _line("Q5_1", 31, around(31, 1, 7)),
    "Q8_0": _q8_0,
    "IQ4_NL": _scaled("IQ4_NL", NONLINEAR_LEVELS, NONLINEAR_PEAKS),
    "MXFP4": _mxfp4,
    "TQ1_0": _tq1_0,
    "TQ2_0": _scaled("TQ2_0", Integers(-1, 1), _TERNARY_PEAKS, place=64),
}
