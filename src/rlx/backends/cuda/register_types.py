"""How values are held in registers: f16 and bf16 as fp32, bools as int1, other dtypes as they are. They are *carried* so.

Foldings say how reductions combine carried values, what changes nothing, and the function that Triton folds with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.backends.cuda.float8 import FLOATS_OF_8_BITS
from rlx.backends.cuda.kernel_data import triton_type
from rlx.backends.cuda.text import KernelText
from rlx.core.dtype import DType
from rlx.ir.graph import Node

_NAMES = {"fp64": "float64", "fp32": "float32", "fp16": "float16", "bf16": "bfloat16", "i1": "int1"}


def language_type(dtype: DType) -> str:
    """The Triton language's name of a dtype in memory.

    >>> language_type(DType.of("bf16")), language_type(DType.of("u8")), language_type(DType.of("bool"))
    ('tl.bfloat16', 'tl.uint8', 'tl.int8')
    """
    name = triton_type(dtype)
    if name in _NAMES:
        return f"tl.{_NAMES[name]}"
    return f"tl.{name.replace('u', 'uint').replace('i', 'int') if name[0] == 'i' else name.replace('u', 'uint', 1)}"


def carried(dtype: DType) -> str:
    """The type that carries a dtype in registers."""
    if dtype.is_bool:
        return "tl.int1"
    return "tl.float32" if dtype.is_low_float or dtype.category == "f8" else language_type(dtype)


def loaded(expression: str, dtype: DType) -> str:
    """Emits code that converts a loaded value to its carried type."""
    if dtype.is_bool:
        return f"({expression} != 0)"
    if dtype.name in FLOATS_OF_8_BITS:
        return FLOATS_OF_8_BITS[dtype.name].loaded(expression)
    return f"{expression}.to(tl.float32)" if dtype.is_low_float else expression


def stored(expression: str, dtype: DType) -> str:
    """Emits code that converts a carried value to its type in memory."""
    if dtype.name in FLOATS_OF_8_BITS:
        return FLOATS_OF_8_BITS[dtype.name].stored(expression)
    return f"{expression}.to({language_type(dtype)})" if dtype.is_bool or dtype.is_low_float else expression


def literal(value: Any, dtype: DType) -> str:
    """A number of a dtype, as a scalar of the carried type."""
    if dtype.is_bool:
        return f"tl.full((), {int(bool(value))}, tl.int1)"
    return f"tl.full((), {number(float(value) if dtype.is_float else int(value))}, {carried(dtype)})"


def number(value: float) -> str:
    """A Python number as Triton text.

    >>> number(1.5), number(math.inf), number(3)
    ('1.5', 'float("inf")', '3')
    """
    if not math.isfinite(value):
        return f'float("{value}")'
    return repr(value)


def cast(k: KernelText, x: str, source: DType, to: DType) -> str:
    """Emits code that casts a carried number to another dtype: rounds to it; floats to ints truncate and saturate with NaN as 0."""
    if source is to:
        return x
    if to.is_bool:
        return f"({x} != 0)"
    if to.name in FLOATS_OF_8_BITS:
        return FLOATS_OF_8_BITS[to.name].rounded(k, f"{x}.to(tl.float32)")
    if to.is_integer and source.category == "f8":
        source = DType.of("f32")
    if to.is_low_float:
        return f"{x}.to({'tl.float32' if source.is_bool else carried(source)}).to({language_type(to)}).to(tl.float32)"
    if to.is_integer and source.is_float:
        signed = to.category == "int"
        high, low = 2.0 ** (to.bits - signed), -(2.0 ** (to.bits - 1)) if signed else 0.0
        most, least = int(high) - 1, int(low)
        inside = k.let(f"({x} < {high}) & ({x} > {low})")
        whole = k.let(f"tl.where({inside}, {x}, 0.0).to({carried(to)})")
        bounded = k.let(f"tl.where({x} >= {high}, {literal(most, to)}, {whole})")
        return f"tl.where({x} <= {low}, {literal(least, to)}, {bounded})"
    return f"{x}.to({carried(to)})"


def divided(x: str, y: str, dtype: DType) -> str:
    """Emits x / y, correctly rounded."""
    return f"({x} / {y})" if dtype.name == "f64" else f"tl.div_rn({x}, {y})"


def rooted(x: str, dtype: DType) -> str:
    """Emits √x, correctly rounded."""
    return f"tl.sqrt({x})" if dtype.name == "f64" else f"tl.sqrt_rn({x})"


_COMBINE = {
    "sum": "{a} + {b}",
    "max": "tl.maximum({a}, {b}, propagate_nan=tl.PropagateNan.ALL)",
    "min": "tl.minimum({a}, {b}, propagate_nan=tl.PropagateNan.ALL)",
    "prod": "{a} * {b}",
}
_AS = {"mean": "sum", "any": "max", "all": "min"}


@dataclass(frozen=True)
class Folding:
    """A reduction or scan of values of one dtype: sum, product, max or min."""

    kind: str
    dtype: DType

    @staticmethod
    def is_one(node: Node) -> bool:
        """Whether a node is a reduction by a `Folding`."""
        return node.op.name.removeprefix("reduce_") in (*_COMBINE, *_AS)

    @staticmethod
    def of(node: Node) -> Folding:
        """The folding of a reduction node: bools are held as bytes."""
        name = node.op.name.removeprefix("reduce_")
        return Folding(_AS.get(name, name), DType.of("u8") if node.shape.dtype.is_bool else node.shape.dtype)

    @property
    def identity(self) -> str:
        """The identity of the operation."""
        if self.kind in ("sum", "prod"):
            return literal(0 if self.kind == "sum" else 1, self.dtype)
        if self.dtype.is_float:
            return literal(-np.inf if self.kind == "max" else np.inf, self.dtype)
        bounds = np.iinfo(self.dtype.numpy)  # type: ignore[type-var]
        return literal(bounds.min if self.kind == "max" else bounds.max, self.dtype)

    def identities(self, shape: str) -> str:
        """A tile filled with the identity."""
        return f"tl.full({shape}, 0, {carried(self.dtype)}) + {self.identity}"

    def combined(self, a: str, b: str) -> str:
        """Emits code that combines two values."""
        if self.kind in ("max", "min") and not self.dtype.is_float:
            return f"tl.where({a} {'>' if self.kind == 'max' else '<'} {b}, {a}, {b})"
        return f"({_COMBINE[self.kind].format(a=a, b=b)}).to({carried(self.dtype)})"

    def function(self, k: KernelText) -> str:
        """The name of the combining function, for tl.reduce and tl.associative_scan."""
        plain = self.dtype.is_float or self.kind in ("sum", "prod")
        name = f"combine_{self.kind}" + ("" if plain else "_int")
        result = _COMBINE[self.kind].format(a="a", b="b") if plain else self.combined("a", "b")
        return k.helper(name, f"@jit\ndef {name}(a, b):\n    return {result}\n")
