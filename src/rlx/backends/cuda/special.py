"""Elementwise ops that take more than an expression: powers, bits of floats, common divisors, sums of exponentials."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rlx.backends.cuda.register_types import carried, language_type, literal
from rlx.backends.cuda.text import KernelText
from rlx.core.dtype import DType

Attributes = Mapping[str, Any]

_BIAS = {32: (127, 23), 64: (1023, 52)}


def _power(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    """Floats by the library; integers by squaring, wrapping; a negative power of an integer is 0 but for ±1."""
    x, y = xs
    if dtype.is_float:
        return f"libdevice.pow({x}, {y})"
    signed, kind, one, zero = dtype.category == "int", carried(dtype), literal(1, dtype), literal(0, dtype)
    result, base = k.let(f"tl.where({x} == {x}, {one}, {x} * {y})", "w"), k.let(f"({x} + {zero} * {y})", "w")
    left = k.let(f"tl.where({y} < 0, {zero}, {y}) + {zero} * {x}" if signed else f"{y} + {zero} * {x}", "w")
    with k.block(f"for _ in range({dtype.bits})"):
        k.line(f"{result} = tl.where(({left} & 1) == 0, {result}, ({result} * {base}).to({kind}))")
        k.line(f"{base} = ({base} * {base}).to({kind})")
        k.line(f"{left} = ({left} >> {one}).to({kind})")
    if not signed:
        return result
    odd = k.let(f"tl.where(({y} & 1) == 1, {literal(-1, dtype)}, {one})")
    inverse = k.let(f"tl.where({x} == 1, {one}, tl.where({x} == -1, {odd}, {zero}))")
    return f"tl.where({y} < 0, {inverse}, {result})"


def _logaddexp(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    """max + log1p(e^−|x − y|); equal infinities stay what they are."""
    x, y = xs
    top = k.let(f"tl.maximum({x}, {y}, propagate_nan=tl.PropagateNan.ALL)")
    gap = k.let(f"tl.where({x} == {y}, 0.0 * tl.where(tl.abs({x}) < 1.0, {x}, {literal(0, dtype)}), -tl.abs({x} - {y}))")
    return f"{top} + libdevice.log1p(libdevice.exp({gap}))"


def _bits(x: str, dtype: DType) -> str:
    return f"{x}.to(tl.int{64 if dtype.name == 'f64' else 32}, bitcast=True)"


def _sign_bit(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    return f"({_bits(xs[0], dtype)} < 0)"


def _float_exponent(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    """The e with |x| = m·2^e, ½ ≤ m < 1; 0 for 0, infinities and NaN."""
    width = 64 if dtype.name == "f64" else 32
    bias, fraction = _BIAS[width]
    size = k.let(f"tl.abs({xs[0]})")
    denormal = k.let(f"{size} < {2.0 ** (1 - bias)!r}")
    scaled = k.let(f"tl.where({denormal}, {size} * {2.0**54!r}, {size})")
    found = k.let(f"({_bits(scaled, dtype)} >> {fraction}) - tl.where({denormal}, {bias + 53}, {bias - 1})")
    return f'tl.where(({size} > 0.0) & ({size} < float("inf")), {found}, 0).to(tl.int32)'


def _next_after(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    """One more or less in the bits of the stored type, which are ordered as the magnitudes are."""
    to = DType.of(attrs["dtype"])
    x, y = xs
    kind, floats = f"tl.int{to.bits}", language_type(to)
    own = k.let(f"{x}.to({floats}).to({kind}, bitcast=True) + tl.full((1,), 0, {kind})")
    other = k.let(f"{y}.to({floats}).to({kind}, bitcast=True) + tl.full((1,), 0, {kind})")
    away = k.let(f"({x} < {y}) != ({x} < 0.0)")
    one = f"tl.full((1,), 1, {kind})"
    moved = k.let(f"tl.where({away}, {own} + {one}, {own} - {one})")
    least = k.let(f"tl.full((1,), {-(1 << (to.bits - 1))}, {kind})")
    moved = k.let(f"tl.where({x} == 0.0, ({other} & {least}) | {one}, {moved})")
    moved = k.let(f"tl.where({x} == {y}, {other}, {moved})")
    broken = k.let(f"tl.where({x} != {x}, {own}, {other})")
    found = k.let(f"tl.where(({x} != {x}) | ({y} != {y}), {broken}, {moved})")
    return f"{found}.to({floats}, bitcast=True)" + (".to(tl.float32)" if to.is_low_float else "")


def _gcd(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    """Euclid's algorithm, as many steps as the longest chain of remainders takes."""
    kind, zero, one = carried(dtype), literal(0, dtype), literal(1, dtype)
    wide = f"tl.uint{dtype.bits}"
    sizes = [f"tl.abs({x})" if dtype.category == "int" else x for x in xs]
    large = k.let(f"({sizes[0]} + {zero} * {xs[1]}).to({wide})", "w")
    small = k.let(f"({sizes[1]} + {zero} * {xs[0]}).to({wide})", "w")
    with k.block(f"for _ in range({dtype.bits * 3 // 2})"):
        active = k.let(f"{small} != 0")
        rest = k.let(f"({large} % tl.where({active}, {small}, {one}.to({wide}))).to({wide})")
        k.line(f"{large} = tl.where({active}, {small}, {large})")
        k.line(f"{small} = tl.where({active}, {rest}, {small})")
    return f"{large}.to({kind})"


def _popcount(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    """Sums of neighbouring bits, pairs, nibbles, …"""
    wide = f"tl.uint{dtype.bits}"
    full = (1 << dtype.bits) - 1
    x = k.let(f"{xs[0]}.to({wide})")
    shift = 1
    while shift < dtype.bits:
        mask = full // ((1 << shift) + 1)
        fixed = f"tl.full((1,), {mask}, {wide})"
        x = k.let(f"(({x} & {fixed}) + (({x} >> {shift}) & {fixed})).to({wide})")
        shift *= 2
    return f"{x}.to({carried(dtype)})"


def _leading_zeros(k: KernelText, xs: Sequence[str], attrs: Attributes, dtype: DType) -> str:
    """Every bit below the highest is set, then those that are not are counted."""
    wide = f"tl.uint{dtype.bits}"
    x = k.let(f"{xs[0]}.to({wide})")
    shift = 1
    while shift < dtype.bits:
        x = k.let(f"({x} | ({x} >> {shift})).to({wide})")
        shift *= 2
    return _popcount(k, [k.let(f"(~{x}).to({wide})")], attrs, dtype)


EMIT: dict[str, Callable[[KernelText, Sequence[str], Attributes, DType], str]] = {
    "pow": _power,
    "logaddexp": _logaddexp,
    "sign_bit": _sign_bit,
    "float_exponent": _float_exponent,
    "next_after": _next_after,
    "gcd": _gcd,
    "popcount": _popcount,
    "count_leading_zeros": _leading_zeros,
}
