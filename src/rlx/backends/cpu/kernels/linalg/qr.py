"""QR by blocks of Householder reflections; q is made by reflecting the columns of the identity, block by block."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import Lower, Lowering, Tensor
from rlx.backends.cpu.emit.types import type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.linalg.block_columns import BlockColumns, Tasks, padded, store_block, store_part
from rlx.backends.cpu.kernels.linalg.commands import Factorization, View, Work, factors
from rlx.backends.cpu.kernels.linalg.householder import Reflections
from rlx.backends.cpu.kernels.movement.runs import fill_run
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, minimum
from rlx.ir.op import Op


@dataclass(frozen=True, kw_only=True)
class OrthogonalFactors(Factorization):
    """q and r of `a`; `inner` is the number of columns of q and rows of r. The parts to finish: blocks of q, then of r."""

    a: View
    q: View
    r: View
    inner: Size

    @property
    def q_blocks(self) -> Size:
        """Blocks of q."""
        return ceildiv(self.inner, self.layout.width)

    def load(self, work: Work, block: Value) -> None:
        """One block column of a."""
        work.load(self.a, block, block, self.layout.columns)

    def tasks(self, work: Work) -> Tasks:
        """Factor a block, and reflect a later one."""
        found = Reflections(work)
        return Tasks(work.code, self.factored, self.layout.count, found.factor, found.subtract)

    def finish(self, work: Work, number: Value) -> None:
        """One block of q, the one with the most reflections first, or one of r."""
        k, blocks = work.code.code, work.size(self.q_blocks)
        with k.when(number < blocks):
            self._finish_q(work, blocks - 1 - number)
        with k.otherwise():
            self._finish_r(work, number - blocks)

    def _finish_q(self, work: Work, number: Value) -> None:
        """Columns of the identity, reflected by the blocks up to their own, the last one first."""
        k, layout, kind, width = work.code.code, self.layout, self.layout.kind, self.layout.width
        first, height = number * width, work.size(layout.height)
        columns = k.minimum(work.size(self.inner) - first, width)
        used = padded(columns)
        block = k.pointer(work.room, 2 * width * width, kind)
        for row in k.range(height):
            fill_run(work.code, k.pointer(block, row * width, kind), k.constant(0, kind), used)
        for column in k.range(columns):
            k.store(1.0, block, (first + column) * width + column, kind)
        found = Reflections(work)
        begun = k.minimum(number + 1, work.size(self.factored))
        for back in k.range(begun):
            done = begun - 1 - back
            top = done * width
            start = k.pointer(block, top * width, kind)
            found.reflect(found.v(done, top), found.u(done), start, height - top, used, found.count(done), forward=True)
        target = self.q.at(work, k.index(0), first)
        store_block(work.code, kind, width, target, self.q.inner, block, (work.size(layout.rows), columns))

    def _finish_r(self, work: Work, number: Value) -> None:
        """A block of r: what is on and above the diagonal."""
        k, kind, width = work.code.code, self.layout.kind, self.layout.width
        first, stride = number * width, self.r.inner[1]
        columns = k.minimum(work.size(self.layout.columns) - first, width)
        for row in k.range(work.size(self.inner)):
            kept = row - first, columns
            store_part(work.code, kind, self.r.at(work, row, first), stride, work.block(number, row), columns, kept)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """f32 and f64, any views."""
    (a,) = inputs
    assert a is not None
    if not factors(a.dtype):
        return f"{op.name} of {a.dtype}"
    kind, (rows, columns) = type_of(a.dtype.name), a.dims[-2:]
    layout = BlockColumns(kind, a.dims[:-2], rows, columns)
    factored, square = ceildiv(minimum(rows, columns), layout.width), layout.width * layout.width
    inner = outputs[0].dims[-1]
    program = OrthogonalFactors(
        layout,
        factored,
        ceildiv(inner, layout.width) + layout.count,
        kind,
        factored * (layout.block_size + square),
        2 * square + layout.block_size,
        a=View.of(0, a),
        q=View.of(1, outputs[0]),
        r=View.of(2, outputs[1]),
        inner=inner,
    )
    return program.lowering(op.name, 3, a.dtype)


LOWER: dict[str, Lower] = {"qr": lower}
"""The ops of this file by name."""
