"""Every size, offset and unit count of a program in one table, evaluated by one native function when symbols change.

Native code uses 64-bit integers, so the function also checks whether a size exceeds 2**63: an allocation of a wrapped size would be too
small. Values that are only reported (operations and bytes of a profile) may wrap.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.types import I1, I64, PTR
from rlx.backends.cpu.emit.values import Value
from rlx.core.dim import LARGEST_SIZE, Dim, OpaqueAtom, Size, Symbol
from rlx.core.errors import RlxError


class SizeTable:
    """Sizes by index: equal expressions share an entry. `checked` are those that a run relies on."""

    def __init__(self) -> None:
        self.sizes: list[Size] = []
        self.checked: dict[Size, None] = {}  # in order, each once
        self._index: dict[object, int] = {}

    def index(self, size: Size) -> int:
        """The index of a size that a run relies on, added if it is new."""
        self.check(size)
        return self.reported(size)

    def reported(self, size: Size) -> int:
        """The index of a number that is only reported."""
        key = size.terms if isinstance(size, Dim) else size
        if key not in self._index:
            self._index[key] = len(self.sizes)
            self.sizes.append(size)
        return self._index[key]

    def check(self, size: Size) -> None:
        """A size that must stay below 2**63, in the table or not."""
        if not isinstance(size, Dim) and size > LARGEST_SIZE:
            raise RlxError("RLX208", f"the program needs a size of {size}; native sizes go up to 2**63 - 1")
        self.checked[size] = None

    def initial(self) -> list[int]:
        """Static sizes in place, 0 where the native function will write."""
        return [0 if isinstance(size, Dim) else min(int(size), LARGEST_SIZE) for size in self.sizes]

    def define(self, module: Module, name: str, symbols: Mapping[str, int]) -> bool:
        """Emit `i64 name(ptr symbols, ptr out)`, which returns 1 if a checked size exceeds 2**63; False if every size is static."""
        dynamic = [(index, size) for index, size in enumerate(self.sizes) if isinstance(size, Dim)]
        if not dynamic:
            return False
        k = module.function(name, [("symbols", PTR), ("out", PTR)], I64, seldom=True)
        writer = _Writer(k, symbols)
        for index, size in dynamic:
            k.store(writer.value(size).number, k.parameters[1], index)
        wrong = k.constant(0, I1)
        for each in self.checked:
            wrong = wrong | writer.value(each).wrong
        k.ret(k.select(wrong, 1, 0))
        return True


class _Checked(NamedTuple):
    """A 64-bit number, and whether it or any of its operands overflowed."""

    number: Value
    wrong: Value


class _Writer:
    """Evaluates polynomials in native code, each atom once."""

    def __init__(self, k: Function, symbols: Mapping[str, int]) -> None:
        self.k, self.symbols = k, symbols
        self.known: dict[object, _Checked] = {}

    def value(self, size: Size) -> _Checked:
        if not isinstance(size, Dim):
            return self._constant(size)
        if size not in self.known:
            total = self._constant(0)
            for monomial, coefficient in size.terms:
                product = self._constant(coefficient)
                for atom, power in monomial:
                    for _ in range(power):
                        product = self._combine("mul", product, self._atom(atom))
                total = self._combine("add", total, product)
            self.known[size] = total
        return self.known[size]

    def _atom(self, atom: Symbol | OpaqueAtom) -> _Checked:
        k = self.k
        if atom not in self.known:
            if isinstance(atom, Symbol):
                self.known[atom] = _Checked(k.load(k.parameters[0], self.symbols[atom.name], I64), k.constant(0, I1))
            else:
                self.known[atom] = self._call(atom.function, self.value(atom.left), self.value(atom.right))
        return self.known[atom]

    def _call(self, function: str, left: _Checked, right: _Checked) -> _Checked:
        k, wrong = self.k, left.wrong | right.wrong
        if function == "min":
            return _Checked(k.minimum(left.number, right.number), wrong)
        if function == "max":
            return _Checked(k.maximum(left.number, right.number), wrong)
        zero = right.number == 0  # of a symbol that may be 0, or wrapped
        return _Checked(left.number // k.select(zero, 1, right.number), wrong | zero)

    def _combine(self, name: str, left: _Checked, right: _Checked) -> _Checked:
        """Sum or product."""
        number, wrapped = self.k.with_overflow(name, left.number, right.number)
        return _Checked(number, left.wrong | right.wrong | wrapped)

    def _constant(self, number: int) -> _Checked:
        return _Checked(self.k.index(number), self.k.constant(abs(number) > LARGEST_SIZE, I1))
