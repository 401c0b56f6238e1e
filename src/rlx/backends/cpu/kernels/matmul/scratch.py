"""What a unit of a matrix product keeps in its thread's scratch: sums, a copy of A, panels of B."""

from __future__ import annotations

from dataclasses import dataclass

from rlx.backends.cpu.emit.types import Type
from rlx.backends.cpu.kernels.matmul.blocking import PAIRED_DEPTH, Blocking, blocking, multiplies_pairs
from rlx.backends.cpu.kernels.matmul.spec import MatMulSpec
from rlx.backends.cpu.target import Target

_PAD = 16
"""Padding between the rows of a copy of A: keeps rows of a power of two from mapping to the same cache sets."""


def tile_elements(plan: Blocking, target: Target, kind: Type) -> int:
    """Elements of a copy of one tile of a transposed A, with room for a vector past its end."""
    return plan.tile_rows * plan.depth + target.lanes(kind)


@dataclass(frozen=True)
class ScratchLayout:
    """Byte offsets in a thread's scratch: sums of the block, copy of A, panels of B."""

    a: int
    a_row: int
    b: int
    total: int

    @staticmethod
    def of(spec: MatMulSpec, plan: Blocking, target: Target) -> ScratchLayout:
        """The sums come first, as [panel][row][width]."""
        size = spec.kind.size
        sums = plan.block_panels * plan.block_rows * plan.width * size
        a_row = (plan.block_rows if spec.a_row == 1 else plan.depth) + _PAD
        a_rows = plan.depth if spec.a_row == 1 else plan.block_rows
        tiles = -(-plan.block_rows // plan.tile_rows) * tile_elements(plan, target, spec.kind) if spec.a_row == 1 else 0
        a_bytes = max(a_row * a_rows, tiles) * size + target.vector_bytes if spec.copies_a else 0
        b_panels = 2 if spec.is_thin else plan.block_panels
        b_bytes = b_panels * plan.depth * plan.width * size if spec.copies_b else 0
        a = -(-sums // 64) * 64
        b = a + -(-a_bytes // 64) * 64
        return ScratchLayout(a, a_row, b, b + b_bytes)

    @staticmethod
    def paired(plan: Blocking) -> ScratchLayout:
        """The same for a product of pairs: a copy of A if its rows cannot be read in place, and one panel of B."""
        a = plan.block_panels * plan.block_rows * plan.width * 4
        b = a + plan.block_rows * PAIRED_DEPTH * 2
        return ScratchLayout(a, PAIRED_DEPTH, b, b + PAIRED_DEPTH * plan.width * 2)


def scratch_bytes(spec: MatMulSpec, target: Target) -> int:
    """Bytes of scratch each thread needs."""
    plan = blocking(spec, target)
    total = ScratchLayout.of(spec, plan, target).total
    return max(total, ScratchLayout.paired(plan).total) if multiplies_pairs(spec, target) else total
