"""Every size, offset and unit count of a program in one table, evaluated by one native function when symbols change."""

from __future__ import annotations

from collections.abc import Mapping

from rlx.backends.cpu.builder import I64, PTR, Function, Module, Value
from rlx.core.dim import Call, Dim, Size, Symbol


class SizeTable:
    """Sizes by index: equal expressions share an entry."""

    def __init__(self) -> None:
        self.sizes: list[Size] = []
        self._index: dict[object, int] = {}

    def index(self, size: Size) -> int:
        """The entry of a size, made when it is new."""
        key = size.terms if isinstance(size, Dim) else size
        if key not in self._index:
            self._index[key] = len(self.sizes)
            self.sizes.append(size)
        return self._index[key]

    def initial(self) -> list[int]:
        """Static sizes in place, 0 where the native function will write."""
        return [0 if isinstance(size, Dim) else int(size) for size in self.sizes]

    def define(self, module: Module, name: str, symbols: Mapping[str, int]) -> bool:
        """Write `void name(ptr symbols, ptr out)`; False when every size is static."""
        dynamic = [(index, size) for index, size in enumerate(self.sizes) if isinstance(size, Dim)]
        if not dynamic:
            return False
        k = module.function(name, [("symbols", PTR), ("out", PTR)])
        writer = _Writer(k, symbols)
        for index, size in dynamic:
            k.store(writer.value(size), k.parameters[1], index)
        return True


class _Writer:
    """Evaluates polynomials in native code, each atom once."""

    def __init__(self, k: Function, symbols: Mapping[str, int]) -> None:
        self.k, self.symbols = k, symbols
        self.known: dict[object, Value] = {}

    def value(self, size: Size) -> Value:
        k = self.k
        if not isinstance(size, Dim):
            return k.index(size)
        if size not in self.known:
            total = k.index(0)
            for monomial, coefficient in size.terms:
                product = k.index(coefficient)
                for atom, power in monomial:
                    for _ in range(power):
                        product = product * self._atom(atom)
                total = total + product
            self.known[size] = total
        return self.known[size]

    def _atom(self, atom: Symbol | Call) -> Value:
        k = self.k
        if atom not in self.known:
            if isinstance(atom, Symbol):
                self.known[atom] = k.load(k.parameters[0], self.symbols[atom.name], I64)
            else:
                left, right = self.value(atom.left), self.value(atom.right)
                self.known[atom] = (
                    left // right
                    if atom.function == "floordiv"
                    else k.minimum(left, right)
                    if atom.function == "min"
                    else k.maximum(left, right)
                )
        return self.known[atom]
