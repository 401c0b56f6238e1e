"""Systems with a triangular matrix: right-hand sides by blocks of columns, each solved by itself.

The matrix on the right and its transpose are other strides of the same numbers: x·a = b is aᵀ·xᵀ = bᵀ.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import Lower, Lowering, Tensor
from rlx.backends.cpu.emit.types import type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.linalg.block_columns import BlockColumns, Tasks, padded
from rlx.backends.cpu.kernels.linalg.commands import Factorization, View, Work, factors
from rlx.backends.cpu.kernels.linalg.products import product_function
from rlx.backends.cpu.kernels.linalg.triangles import solve_function
from rlx.backends.cpu.target import Target
from rlx.ir.op import Op


def substitute(work: Work, block: Value, *, lower: bool, unit: bool = False) -> None:
    """One block of right-hand sides becomes the solution for the triangle in the first columns."""
    k, layout, kind, width = work.code.code, work.layout, work.layout.kind, work.layout.width
    blocks, rows, height = (work.size(size) for size in (layout.first_more, layout.rows, layout.height))
    columns = work.used(block)
    solve = solve_function(k.module, kind, width, lower=lower, unit=unit)
    product = product_function(k.module, kind, width, "subtract")
    for step in k.range(blocks):
        done = step if lower else blocks - 1 - step
        first = done * width
        size, here = k.minimum(width, rows - first), work.block(block, first)
        k.call(solve, here, work.block(done, first), size, columns)
        others, count = (first + width, height - first - width) if lower else (k.index(0), first)
        k.call(product, work.block(block, others), work.block(done, others), here, count, columns, padded(size))


@dataclass(frozen=True, kw_only=True)
class TriangularSolution(Factorization):
    """x with a·x = b."""

    a: View
    b: View
    x: View
    lower: bool
    unit: bool

    def load(self, work: Work, block: Value) -> None:
        """One block column of a or b."""
        k, layout, first_more = work.code.code, self.layout, work.size(self.layout.first_more)
        with k.when(block < first_more):
            work.load(self.a, block, block, layout.columns)
        with k.otherwise():
            work.load(self.b, block, block - first_more, layout.more)

    def tasks(self, work: Work) -> Tasks:
        """None: the matrix is a factor already."""
        return Tasks(work.code, 0, 0, lambda block: None, lambda done, block: None)

    def finish(self, work: Work, number: Value) -> None:
        """Substitution of one block of right-hand sides, and its solution stored."""
        block = number + work.size(self.layout.first_more)
        substitute(work, block, lower=self.lower, unit=self.unit)
        work.store(self.x, block, number, self.layout.more)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """f32 and f64, any views."""
    a, b = inputs
    assert a is not None and b is not None
    if not factors(a.dtype) or b.dtype is not a.dtype:
        return f"{op.name} of {a.dtype} and {b.dtype}"
    kind, left = type_of(a.dtype.name), op["left_side"]
    turned = op["transpose"] == left
    layout = BlockColumns(kind, a.dims[:-2], a.dims[-1], a.dims[-1], b.dims[-1] if left else b.dims[-2])
    program = TriangularSolution(
        layout,
        0,
        layout.count - layout.first_more,
        kind,
        0,
        a=View.of(0, a, transposed=turned),
        b=View.of(1, b, transposed=not left),
        x=View.of(2, outputs[0], transposed=not left),
        lower=op["lower"] != turned,
        unit=op["unit_diagonal"],
    )
    return program.lowering(op.name, 3, a.dtype)


LOWER: dict[str, Lower] = {"triangular_solve": lower}
"""The ops of this file by name."""
