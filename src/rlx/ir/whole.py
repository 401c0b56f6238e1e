"""The Python integers of a traced function, tracked exactly outside the graph.

In the graph they are i64, which wraps around; Python's do not. So arithmetic among such numbers is recorded as steps, and recomputed with
Python integers when the function is called: a value that does not fit i64, or the narrower integer dtype it is combined with, is RLX110
before anything runs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from rlx.core.dtype import DType, i64
from rlx.core.errors import RlxError

_TOO_LARGE = 1 << 64  # stands for any number that does not fit i64


def _power(base: int, exponent: int) -> int:
    if abs(base) > 1 and exponent > 63:
        return _TOO_LARGE
    return base**exponent if exponent >= 0 else int(base**exponent) if abs(base) == 1 else 0


def _shift(number: int, bits: int) -> int:
    return 0 if bits < 0 or not number else number << bits if bits < 64 else _TOO_LARGE


_EXACT: Mapping[str, Callable[..., int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
    "abs": abs,
    "pow": _power,
    "shl": _shift,
    "floor_div": lambda x, y: x // y if y else 0,
    "mod": lambda x, y: x % y if y else 0,
    "max": max,
    "min": min,
    "not": operator.invert,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "relu": lambda x: max(x, 0),
    "relu2": lambda x: max(x, 0) ** 2,
    "clamp": lambda x, low, high: min(max(x, low), high),
}
"""Integer ops as Python computes them."""


@dataclass(frozen=True)
class _Step:
    """One tracked integer: an input by its path, a literal, or computed from earlier ones."""

    path: str = ""
    literal: int = 0
    op: str = ""
    operands: tuple[int, ...] = ()
    line: str = ""


@dataclass
class WholeNumbers:
    """All Python integers of one traced function, by their index in `steps`, and the dtypes they are used as."""

    steps: list[_Step] = field(default_factory=list)
    uses: dict[tuple[int, DType], None] = field(default_factory=dict)

    def input(self, path: str) -> int:
        """Returns the index of an integer that is an argument."""
        return self._add(_Step(path=path))

    def combine(self, op: str, operands: Sequence[Any], line: str) -> tuple[int, ...]:
        """Returns the indices of an op's possible results; an operand is a literal, or the indices of its possible values.

        The result of an op that is not tracked exactly, such as a selection, may be any of its operands.
        """
        traced = [operand for operand in operands if isinstance(operand, tuple)]
        if op not in _EXACT or any(len(each) != 1 for each in traced):
            return tuple(dict.fromkeys(index for each in traced for index in each))
        factors = [operand[0] if isinstance(operand, tuple) else self._add(_Step(literal=int(operand))) for operand in operands]
        return (self._add(_Step(op=op, operands=tuple(factors), line=line)),)

    def use(self, indices: Sequence[int], dtype: DType) -> None:
        """Records that integers are used as another dtype, which they must fit."""
        self.uses.update(dict.fromkeys((index, dtype) for index in indices))

    def _add(self, step: _Step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1

    @property
    def is_checked(self) -> bool:
        """Whether there is anything to check at a call."""
        return bool(self.uses) or any(step.op for step in self.steps)

    def check(self, given: Mapping[str, Any], names: Mapping[str, str]) -> None:
        """Evaluates every step for the integers of a call, by path; raises if one does not fit. `names` are the user's names."""
        numbers: list[int] = []
        least, most = _range(i64)
        for step in self.steps:
            if not step.op:
                numbers.append(int(given[step.path]) if step.path else step.literal)
                continue
            number = _EXACT[step.op](*[numbers[index] for index in step.operands])
            if not least <= number <= most:
                shown = " and ".join(str(numbers[index]) for index in step.operands)
                message = f"{step.op} of the Python numbers {shown} does not fit i64 ({step.line})"
                raise RlxError("RLX110", message, fix="pass one of them as a float, or as an array")
            numbers.append(number)
        for index, dtype in self.uses:
            least, most = _range(dtype)
            if not least <= numbers[index] <= most:
                step = self.steps[index]
                what = f"argument {names[step.path]}" if step.path else f"{step.op} of Python numbers ({step.line})"
                message = f"{what}: the number {numbers[index]} does not fit {dtype}, which it is used as"
                raise RlxError("RLX110", message, fix="pass the array it is combined with as i64, or use a float")


@lru_cache
def _range(dtype: DType) -> tuple[int, int]:
    info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
    return int(info.min), int(info.max)
