"""Shared by the recurrence kernels: operands by name, some of them optional, of any strides and float types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.types import F32, F64, I64, Type, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.core.dim import Size


@dataclass(frozen=True)
class StepOperand:
    """Where one operand is among the stage's tensors, its element type, and its strides."""

    place: int
    kind: Type
    strides: tuple[Size, ...]


@dataclass(frozen=True)
class Operands:
    """The present operands and results, by name; hashable, part of the kernel's key."""

    items: tuple[tuple[str, StepOperand], ...]

    @staticmethod
    def of(
        names: Sequence[str],
        inputs: Sequence[Tensor | None],
        results: Sequence[str],
        outputs: Sequence[Tensor],
        dense: Sequence[str],
    ) -> Operands | str:
        """Name the tensors, or say which of the `dense` ones has elements that are not adjacent."""
        given = [(name, tensor) for name, tensor in zip(names, inputs, strict=False) if tensor is not None]
        given += zip(results, outputs, strict=True)
        for name, tensor in given:
            if name in dense and not _adjacent(tensor):
                return f"the elements of {name} along its last axis are not adjacent in memory"
        return Operands(
            tuple(
                (name, StepOperand(place, type_of(tensor.dtype.name), tensor.strides)) for place, (name, tensor) in enumerate(given)
            )
        )

    @property
    def compute(self) -> Type:
        """The type of the arithmetic: f64 if any operand is, else f32."""
        return F64 if any(operand.kind == F64 for _, operand in self.items) else F32

    def __getitem__(self, name: str) -> StepOperand:
        return dict(self.items)[name]

    def __contains__(self, name: str) -> bool:
        return name in dict(self.items)

    def address(self, code: KernelCode, name: str, *positions: Value) -> Value:
        """The address of an element; positions not given are 0."""
        operand, k = self[name], code.code
        offset = k.index(0)
        for position, stride in zip(positions, operand.strides, strict=False):
            offset = offset + position * code.size(stride)
        return k.pointer(code.pointer(operand.place), offset, operand.kind)

    def active_steps(self, code: KernelCode, batch: Value, steps: Value) -> Value:
        """How many steps advance a batch row: its length if there are lengths, clamped to 0 … all."""
        if "length" not in self:
            return steps
        k = code.code
        given = k.convert(k.load(self.address(code, "length", batch), 0, self["length"].kind), I64)
        return k.minimum(k.maximum(given, 0), steps)


@dataclass(frozen=True)
class Recurrence:
    """One recurrence: how many batch rows and steps, and its operands; a kernel adds its own sizes."""

    batch: Size
    steps: Size
    operands: Operands

    @property
    def compute(self) -> Type:
        """The type of the arithmetic."""
        return self.operands.compute

    def __getitem__(self, name: str) -> StepOperand:
        return self.operands[name]

    def __contains__(self, name: str) -> bool:
        return name in self.operands


def _adjacent(tensor: Tensor) -> bool:
    size, stride = tensor.dims[-1], tensor.strides[-1]
    return (isinstance(stride, int) and stride == 1) or (isinstance(size, int) and size == 1)
