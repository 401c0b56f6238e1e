"""Folds: how reductions combine values, what changes nothing, and the function that Triton folds with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlx.backends.cuda.register_types import carried, literal
from rlx.backends.cuda.text import KernelText
from rlx.core.dtype import DType
from rlx.ir.graph import Node

_COMBINE = {
    "sum": "{a} + {b}",
    "max": "tl.maximum({a}, {b}, propagate_nan=tl.PropagateNan.ALL)",
    "min": "tl.minimum({a}, {b}, propagate_nan=tl.PropagateNan.ALL)",
    "prod": "{a} * {b}",
}
_AS = {"mean": "sum", "any": "max", "all": "min"}


@dataclass(frozen=True)
class Folding:
    """A combination of values of one dtype: sum, product, largest or smallest."""

    kind: str
    dtype: DType

    @staticmethod
    def is_one(node: Node) -> bool:
        """Whether a node is a reduction by one of these."""
        return node.op.name.removeprefix("reduce_") in (*_COMBINE, *_AS)

    @staticmethod
    def of(node: Node) -> Folding:
        """That of a reduction: bools are held as bytes."""
        name = node.op.name.removeprefix("reduce_")
        return Folding(_AS.get(name, name), DType.of("u8") if node.shape.dtype.is_bool else node.shape.dtype)

    @property
    def identity(self) -> str:
        """What changes nothing."""
        if self.kind in ("sum", "prod"):
            return literal(0 if self.kind == "sum" else 1, self.dtype)
        if self.dtype.is_float:
            return literal(-np.inf if self.kind == "max" else np.inf, self.dtype)
        bounds = np.iinfo(self.dtype.numpy)  # type: ignore[type-var]
        return literal(bounds.min if self.kind == "max" else bounds.max, self.dtype)

    def identities(self, shape: str) -> str:
        """A tile of it."""
        return f"tl.full({shape}, 0, {carried(self.dtype)}) + {self.identity}"

    def combined(self, a: str, b: str) -> str:
        """Two values as one."""
        if self.kind in ("max", "min") and not self.dtype.is_float:
            return f"tl.where({a} {'>' if self.kind == 'max' else '<'} {b}, {a}, {b})"
        return f"({_COMBINE[self.kind].format(a=a, b=b)}).to({carried(self.dtype)})"

    def function(self, k: KernelText) -> str:
        """The name of a function of two values, for tl.reduce and tl.associative_scan."""
        plain = self.dtype.is_float or self.kind in ("sum", "prod")
        name = f"combine_{self.kind}" + ("" if plain else "_int")
        result = _COMBINE[self.kind].format(a="a", b="b") if plain else self.combined("a", "b")
        return k.helper(name, f"@jit\ndef {name}(a, b):\n    return {result}\n")
