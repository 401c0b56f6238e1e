"""Which rows of x belong to an expert, for products that go expert by expert; what becomes of rows whose expert is not there."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.builder import I64, Type, Value, Variable
from rlx.backends.cpu.kernel import KernelCode, Tensor
from rlx.backends.cpu.kernels.index import OUT_OF_BOUNDS, read_position
from rlx.core.dim import Size

__all__ = ["ExpertRows"]


@dataclass(frozen=True)
class ExpertRows:
    """The experts of some rows: tensor `position` of the kernel has one number for each row."""

    code: KernelCode
    rows: Value
    experts: Tensor
    position: int
    count: Size
    fills: bool
    checks: bool

    def _expert(self, row: Value) -> tuple[Value, Value]:
        """The expert of a row, and whether there is no such expert."""
        at = row * self.code.size(self.experts.strides[0])
        return read_position(self.code, self.code.pointer(self.position), at, self.experts.dtype, self.count)

    def collect(self, expert: Value, following: Variable, into: Value, most: int) -> Value:
        """The numbers of this expert's next rows from `following` on, at most so many; how many there are."""
        k, found = self.code.code, self.code.code.var(0, I64)
        with k.loop() as loop:
            row = following.get()
            loop.stop((row >= self.rows) | (found.get() >= most))
            position, outside = self._expert(row)
            mine = (position == expert) & ~outside if self.fills else position == expert
            k.store(row, into, k.minimum(found.get(), most - 1))
            found.set(found.get() + k.convert(mine, I64, signed=False))
            following.set(row + 1)
        return found.get()

    def emit_outside(self, expert: Value, out: Value, n: Value, column: Value, columns: Value, kind: Type, stored: Type) -> None:
        """By the units of the first expert: rows whose expert is not there are reported, or filled in these columns."""
        k = self.code.code
        if not (self.fills or self.checks):
            return
        with k.when(expert == 0):
            for row in k.range(self.rows):
                _, outside = self._expert(row)
                with k.when(outside):
                    if self.checks:
                        self.code.fail(OUT_OF_BOUNDS)
                    if self.fills:
                        value = k.convert(k.constant(float("nan") if kind.is_float else 0, kind), stored)
                        for at in k.range(columns):
                            k.store(value, out, row * n + column + at)
