"""A few rows of x times weights that are 16-bit floats, eight columns side by side: read once, converted in registers.

Unpacking a panel pays off if many rows of x use it. For a few, the weight is streamed from memory, a cache line of every eight columns
at a time, with prefetches.
"""

from __future__ import annotations

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.types import BF16, F16, F32, I8, I64, PTR
from rlx.backends.cpu.emit.values import Value
from rlx.layouts.block_order import ROWS

FEW = (1, 2, 4)
"""How many rows stream together."""
_SUMS = 8
"""Independent accumulators that keep the multipliers busy."""
_STEP = 4
"""Steps of k in a cache line of eight columns."""
_AHEAD = 1024
"""The prefetch distance, in bytes; the target's, if what it prefetches stays in its caches."""
_IN_PLACE = 'call void asm sideeffect "", "~{memory}"()'
"""A compiler barrier without an instruction: loads and prefetches are not moved across it."""
_BYTES = 2 * ROWS
_FLOATS = F32.vector(ROWS)


def halves_function(module: Module, name: str, rows: int, eights: int, chains: int | None = None) -> Function:
    """(eight columns, …, depth, row, …, sums): the sums of some rows of x in f32, `[rows, eights, 8]`.

    Each is the sum of so many chains along k; None: of as many as keep the multipliers busy.
    """
    chains = chains or max(1, min(_STEP, _SUMS // (eights * rows)))
    parameters = [*((f"eight{i}", PTR) for i in range(eights)), ("depth", I64)]
    parameters += [*((f"row{i}", PTR) for i in range(rows)), ("sums", PTR)]

    def emit(k: Function) -> None:
        weights, (depth, *given, sums) = k.parameters[:eights], k.parameters[eights:]
        _HalfStream(k, name, list(weights), given, chains).emit(depth, sums)

    return module.shared(f"halves_{name}_{rows}_{eights}_{chains}", parameters, emit)


class _HalfStream:
    """Emits into one function."""

    def __init__(self, k: Function, name: str, weights: list[Value], rows: list[Value], chains: int) -> None:
        self.k, self.weights, self.rows, self.chains = k, weights, rows, chains
        self.ahead = k.target.prefetch_distance if k.target.stream_locality else _AHEAD
        self.kind = (BF16 if name == "BF16" else F16).vector(ROWS)
        self.totals = [[[k.var(0.0, _FLOATS) for _ in range(self.chains)] for _ in weights] for _ in rows]

    def emit(self, depth: Value, sums: Value) -> None:
        """Full cache lines, then the remainder."""
        k = self.k
        whole = depth & -_STEP
        for start in k.range(0, whole, _STEP):
            for weight in self.weights:
                k.line(_IN_PLACE)
                k.prefetch_once(weight, start * _BYTES + self.ahead)
            for step in range(_STEP):
                self._step(start + step, step % self.chains)
        for place in k.range(whole, depth):
            self._step(place, 0)
        for i, row in enumerate(self.totals):
            for j, chain in enumerate(row):
                total = chain[0].get()
                for other in chain[1:]:
                    total = total + other.get()
                k.store(total, sums, (i * len(self.weights) + j) * ROWS)

    def _step(self, place: Value, chain: int) -> None:
        """One k of every row and column."""
        k = self.k
        numbers = [k.convert(k.load(k.pointer(weight, place * _BYTES, I8), 0, self.kind, align=2), F32) for weight in self.weights]
        for row, totals in zip(self.rows, self.totals, strict=True):
            x = k.splat(k.load(row, place, F32), ROWS)
            for number, total in zip(numbers, totals, strict=True):
                total[chain].set(k.fma(x, number, total[chain].get()))
