"""LU with partial pivoting, and systems of equations by it.

The right-hand sides of a system are columns behind the matrix: the tasks give them l⁻¹·b, and back substitution does the rest.
A pivot of exactly 0 is an error of a system: the run raises RLX511.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rlx.backends.cpu.emit.kernel import Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import I32, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.linalg.block_columns import BlockColumns, Tasks, swap_rows
from rlx.backends.cpu.kernels.linalg.commands import Factorization, View, Work, factors
from rlx.backends.cpu.kernels.linalg.elimination import Elimination
from rlx.backends.cpu.kernels.linalg.tiny_systems import TINY, TinySystem, tiny_stage
from rlx.backends.cpu.kernels.linalg.triangular import substitute
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, maximum, minimum
from rlx.ir.op import Op


@dataclass(frozen=True, kw_only=True)
class PackedFactors(Factorization):
    """The factors of `a` in one matrix, their pivots and the permutation. The side of a matrix are its pivots."""

    a: View
    packed: View
    pivots: View
    permutation: View

    def load(self, work: Work, block: Value) -> None:
        """One block column of a."""
        work.load(self.a, block, block, self.layout.columns)

    def tasks(self, work: Work) -> Tasks:
        """Those of an elimination."""
        return Elimination(work).tasks()

    def finish(self, work: Work, number: Value) -> None:
        """A block of the factors, in the row order that the blocks after it ended with; the first also stores the pivots."""
        k, kind, width = work.code.code, self.layout.kind, self.layout.width
        elimination = Elimination(work)
        steps = work.size(elimination.steps)
        for step in k.range((number + 1) * width, steps):
            swap_rows(work.code, kind, width, work.block(number), step, elimination.pivot(step))
        work.store(self.packed, number, number, self.layout.columns)
        with k.when(number == 0):
            self._store_order(work, elimination, steps)

    def _store_order(self, work: Work, elimination: Elimination, steps: Value) -> None:
        k, none = work.code.code, work.code.code.index(0)
        for row in k.range(work.size(self.layout.rows)):
            k.store(k.convert(row, I32), self.permutation.at(work, none, row), 0)
        for step in k.range(steps):
            chosen = elimination.pivot(step)
            k.store(k.convert(chosen, I32), self.pivots.at(work, none, step), 0)
            left, right = (self.permutation.at(work, none, row) for row in (step, chosen))
            one, other = (k.load(at, 0, I32) for at in (left, right))
            k.store(other, left, 0)
            k.store(one, right, 0)


@dataclass(frozen=True, kw_only=True)
class Solution(Factorization):
    """The solution of a·x = b."""

    a: View
    b: View
    x: View

    def load(self, work: Work, block: Value) -> None:
        """One block column of a or b."""
        k, layout, first_more = work.code.code, self.layout, work.size(self.layout.first_more)
        with k.when(block < first_more):
            work.load(self.a, block, block, layout.columns)
        with k.otherwise():
            work.load(self.b, block, block - first_more, layout.more)

    def tasks(self, work: Work) -> Tasks:
        """Those of an elimination."""
        return Elimination(work, must_be_regular=True).tasks()

    def finish(self, work: Work, number: Value) -> None:
        """Back substitution of one block of right-hand sides, and its solution stored."""
        block = number + work.size(self.layout.first_more)
        substitute(work, block, lower=False)
        work.store(self.x, block, number, self.layout.more)


def lower_lu(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """f32 and f64, any views."""
    (a,) = inputs
    assert a is not None
    if not factors(a.dtype):
        return f"{op.name} of {a.dtype}"
    layout = BlockColumns(type_of(a.dtype.name), a.dims[:-2], a.dims[-2], a.dims[-1])
    steps = minimum(layout.rows, layout.columns)
    pivots, permutation = (View.vectors(place, outputs[place - 1], as_rows=True) for place in (2, 3))
    program = PackedFactors(
        layout,
        ceildiv(steps, layout.width),
        maximum(layout.count, 1),
        I32,
        steps,
        a=View.of(0, a),
        packed=View.of(1, outputs[0]),
        pivots=pivots,
        permutation=permutation,
    )
    return program.lowering(op.name, 4, a.dtype)


def lower_solve(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """f32 and f64, any views; complex systems are decomposed into real ones."""
    a, b = inputs
    assert a is not None and b is not None
    if not factors(a.dtype) or b.dtype is not a.dtype:
        return f"{op.name} of {a.dtype} and {b.dtype}"
    vector = len(b.dims) < len(a.dims)
    columns: Size = 1 if vector else b.dims[-1]
    layout = BlockColumns(type_of(a.dtype.name), a.dims[:-2], a.dims[-1], a.dims[-1], columns)
    view = View.vectors if vector else View.of
    sides = layout.count - layout.first_more
    program = Solution(layout, layout.first_more, sides, I32, layout.columns, a=View.of(0, a), b=view(1, b), x=view(2, outputs[0]))
    tiny = minimum(maximum(TINY + 1 - layout.columns, 0), 1)
    if isinstance(tiny, int) and tiny == 0:
        return program.lowering(op.name, 3, a.dtype)
    system = TinySystem(layout.kind, a.dims[:-2], a.dims[-1], columns, a.strides, program.b.strides, program.x.strides)
    stage = tiny_stage(op.name, system, tiny)
    if isinstance(tiny, int):
        return Lowering((stage,))
    blocks = program.lowering(op.name, 3, a.dtype)
    others = tuple(replace(other, units=other.units * (1 - tiny), part=_counted(other, tiny)) for other in blocks.stages)
    return Lowering((stage, *others), blocks.temporaries)


def _counted(stage: Stage, tiny: Size) -> Size:
    """Whether a profile counts the work of the op at a stage: at the tasks, if the systems are not tiny."""
    return 1 - tiny if stage.ordered else 0


LOWER: dict[str, Lower] = {"lu": lower_lu, "dense_solve": lower_solve, "batched_dense_solve": lower_solve}
"""The ops of this file by name."""
