"""Shared by the recurrences: operands by name, some of them optional, of any strides and float types; scratch by name; and the order of
a backward pass that stores states only at chunk boundaries.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rlx.backends.cpu.emit.kernel import KernelCode, Tensor
from rlx.backends.cpu.emit.values import F32, F64, I64, Type, Value, type_of
from rlx.core.dim import Size


@dataclass(frozen=True)
class StepOperand:
    """One operand of a recurrence: its number among the stage's tensors, its element type, and its strides."""

    number: int
    kind: Type
    strides: tuple[Size, ...]


Operands = tuple[tuple[str, StepOperand], ...]
"""The present operands and results, by name; hashable, part of the kernel's key."""


def name_operands(
    names: Sequence[str], inputs: Sequence[Tensor | None], results: Sequence[str], outputs: Sequence[Tensor], dense: Sequence[str]
) -> Operands | str:
    """The tensors of a recurrence by name; or which of the `dense` ones has elements that are not adjacent."""
    tensors = [(name, tensor) for name, tensor in zip(names, inputs, strict=False) if tensor is not None]
    tensors += zip(results, outputs, strict=True)
    for name, tensor in tensors:
        size, stride = tensor.dims[-1], tensor.strides[-1]
        is_adjacent = (isinstance(stride, int) and stride == 1) or (isinstance(size, int) and size == 1)
        if name in dense and not is_adjacent:
            return f"the elements of {name} along its last axis are not adjacent in memory"
    return tuple(
        (name, StepOperand(number, type_of(tensor.dtype.name), tensor.strides)) for number, (name, tensor) in enumerate(tensors)
    )


def number_tensors(inputs: Sequence[Tensor | None], results: int) -> tuple[int, ...]:
    """The tensors of a recurrence's stage: the operands that exist, and so many results and temporaries."""
    present = (index for index, tensor in enumerate(inputs) if tensor is not None)
    return (*present, *range(len(inputs), len(inputs) + results))


@dataclass(frozen=True)
class Recurrence:
    """One recurrence: its batch rows, steps and operands; a kernel adds its own sizes. The code depends on nothing else."""

    batch: Size
    steps: Size
    operands: Operands

    @property
    def compute(self) -> Type:
        """The compute type of a recurrence: f64 if any operand is f64, else f32."""
        return F64 if any(operand.kind == F64 for _, operand in self.operands) else F32

    def __getitem__(self, name: str) -> StepOperand:
        return dict(self.operands)[name]

    def __contains__(self, name: str) -> bool:
        return name in dict(self.operands)


Problem = TypeVar("Problem", bound=Recurrence)


class StepCode(Generic[Problem]):
    """The kernel of one recurrence under construction. `scratch`: the elements of each part of a thread's memory, in order."""

    def __init__(self, code: KernelCode, problem: Problem, scratch: Mapping[str, int]) -> None:
        self.code, self.k, self.problem = code, code.code, problem
        self.compute = problem.compute
        self.lanes = code.target.lanes(self.compute)
        self.vector = self.compute.vector(self.lanes)
        self._starts: dict[str, int] = {}
        self._elements = 0
        for name, elements in scratch.items():
            self._starts[name] = self._elements
            self._elements += elements

    def part(self, name: str, offset: Value | int = 0) -> Value:
        """The address of an element of a part of scratch."""
        return self.k.pointer(self.k.scratch, self.k.index(offset) + self._starts[name], self.compute)

    def at(self, name: str, *positions: Value) -> Value:
        """The address of an element of an operand; missing positions are 0."""
        operand, k = self.problem[name], self.k
        offset = k.index(0)
        for position, stride in zip(positions, operand.strides, strict=False):
            offset = offset + position * self.code.size(stride)
        return k.pointer(self.code.pointer(operand.number), offset, operand.kind)

    def splat(self, row: Value, index: Value) -> Value:
        """Broadcast a number of the compute type to every lane."""
        return self.k.splat(self.k.load(row, index, self.compute), self.lanes)

    def active_steps(self, batch: Value, steps: Value) -> Value:
        """The number of steps that advance a batch row: its length if there are lengths, clamped to 0 … all."""
        if "length" not in self.problem:
            return steps
        k = self.k
        length = k.convert(k.load(self.at("length", batch), 0, self.problem["length"].kind), I64)
        return k.minimum(k.maximum(length, 0), steps)


class BackwardCode(StepCode[Problem], ABC):
    """The backward pass of one unit: forward once, storing the state before every chunk; then, from the last chunk to the first, the
    states inside the chunk again, and backward through them. A state is a table of `table` elements."""

    table: int

    def slot(self, base: Value, number: Value | int) -> Value:
        """The address of table `number` of several."""
        return self.k.pointer(base, self.k.index(number) * self.table, self.compute)

    def copy_table(self, source: Value | None, target: Value) -> None:
        """Copy a state table, or fill it with zeros."""
        k = self.k
        for at in k.range(0, self.table, self.lanes):
            k.store(k.constant(0, self.vector) if source is None else k.load(source, at, self.vector), target, at)

    @abstractmethod
    def advance(self, t: Value, before: Value, after: Value, slot: Value | None) -> None:
        """Advance the recurrence by one step; what the step back needs is saved in a slot of the chunk, if there is one."""

    @abstractmethod
    def step_back(self, t: Value, before: Value, after: Value, slot: Value) -> None:
        """Compute the gradients of one step, backward."""

    @abstractmethod
    def step_past_length(self, t: Value) -> None:
        """Compute the gradients of a step past the length: it reads the last state and does not change it."""

    def run_chunks(self, chunk: int, active: Value, steps: Value) -> None:
        """Run all steps forward and backward; scratch has the parts `state`, `states` (of a chunk) and `borders` (before chunks)."""
        k, state, states, borders = self.k, self.part("state"), self.part("states"), self.part("borders")
        for start in k.range(0, active, chunk):
            self.copy_table(state, self.slot(borders, start // chunk))
            for t in k.range(start, k.minimum(start + chunk, active)):
                self.advance(t, state, state, None)
        if "length" in self.problem:
            for t in k.range(steps - 1, active - 1, -1):
                self.step_past_length(t)
        for number in k.range((active + (chunk - 1)) // chunk - 1, -1, -1):
            start, stop = number * chunk, k.minimum((number + 1) * chunk, active)
            self.copy_table(self.slot(borders, number), states)
            for t in k.range(start, stop):
                before, after = (self.slot(states, t - start + n) for n in (0, 1))
                self.advance(t, before, after, t - start)
            for t in k.range(stop - 1, start - 1, -1):
                before, after = (self.slot(states, t - start + n) for n in (0, 1))
                self.step_back(t, before, after, t - start)
