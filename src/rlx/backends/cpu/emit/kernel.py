"""The interface for kernel authors: tensors as the kernel sees them, the code under construction, and the stages an op lowers to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rlx.backends.cpu.emit.builder import Function, Module
from rlx.backends.cpu.emit.values import I64, PTR, Value
from rlx.backends.cpu.target import Target
from rlx.core.dim import Dim, Size
from rlx.core.dtype import DType
from rlx.core.shape import Shape
from rlx.ir.graph import Layout
from rlx.ir.op import Op
from rlx.ir.parse_lir import Place


@dataclass(frozen=True)
class Tensor:
    """An operand or result of a kernel: element type, dims and element strides. Its pointer already includes the offset."""

    dtype: DType
    dims: tuple[Size, ...]
    strides: tuple[Size, ...]

    @staticmethod
    def dense(shape: Shape) -> Tensor:
        """A tensor with row-major strides."""
        layout = Layout.dense(shape.dims)
        return Tensor(shape.dtype, layout.dims, layout.strides)

    @staticmethod
    def of(place: Place) -> Tensor:
        """The tensor at an address of the plan."""
        return Tensor(place.dtype, place.layout.dims, place.layout.strides)

    @cached_property
    def is_dense(self) -> bool:
        """Whether the strides are row-major without gaps."""
        return Layout(self.dims, self.strides).is_dense

    @property
    def shape(self) -> Shape:
        """Dims and dtype as a `Shape`."""
        return Shape.make(self.dims, self.dtype)


class KernelCode:
    """A kernel under construction. `code` is the function under construction; sizes and pointers come from its argument table."""

    def __init__(self, module: Module, name: str, tensors: Sequence[Tensor | None]) -> None:
        self.module = module
        self.code: Function = module.kernel(name)
        self.tensors = tuple(tensors)
        self.target: Target = module.target
        present = [index for index, tensor in enumerate(tensors) if tensor is not None]
        self._pointers = {index: position for position, index in enumerate(present)}
        self.sizes: list[Size] = []
        self.uses_status = False

    def pointer(self, index: int) -> Value:
        """The address of tensor `index` of the stage (operands as the stage lists them)."""
        return self.code.argument(self._pointers[index], PTR)

    def size(self, size: Size) -> int | Value:
        """A size in the code: an int when static, else an argument evaluated once per binding."""
        return self.code.argument(self.entry(size), I64) if isinstance(size, Dim) else size

    def entry(self, size: Dim) -> int:
        """The index of a symbolic size in the argument table."""
        if size not in self.sizes:
            self.sizes.append(size)
        return 2 + len(self._pointers) + self.sizes.index(size)

    def added_entry(self, size: Size) -> int:
        """Index in the argument table of a size with an entry of its own, even if it is static: kernels that differ in it
        only have equal code, which is compiled once."""
        self.sizes.append(size)
        return 1 + len(self._pointers) + len(self.sizes)

    def address(self, index: int) -> int:
        """The index in the argument table of the address of tensor `index`."""
        return self._pointers[index]

    def fail(self, code: int) -> None:
        """Reports an error of this op: the first one wins, and the run raises it after the native call."""
        status, op_id = self._status(), self.code.argument(len(self._pointers) + 1, I64)
        self.code.compare_exchange(status, 0, 0, (op_id << 32) | code)

    def failed(self) -> Value:
        """Whether an op of this run has reported an error: units claimed since then are not run, so no thread may wait for one."""
        return self.code.load_atomic(self._status(), 0) != 0

    def _status(self) -> Value:
        self.uses_status = True
        return self.code.argument(len(self._pointers), PTR)


@dataclass(frozen=True)
class Stage:
    """One command: the code, the tensors it accesses, and how its work is split.

    `operands` are positions in inputs + outputs + temporaries of the op; the kernel sees them as tensors 0, 1, … in this order.
    `units` and `scratch` (bytes per thread) are functions of shapes only. Equal `key`s mean equal code, so equal layers share it;
    the tensors of the stage are already part of the key.
    """

    name: str
    key: Hashable
    operands: tuple[int, ...]
    units: Size
    emit: Callable[[KernelCode], None] = field(compare=False)
    scratch: Size = 0
    runs: int = field(default=0, kw_only=True)
    """Into how many contiguous runs of units a thread's share is divided; 0: units are claimed one by one."""
    reads: tuple[int, ...] = field(default=(), kw_only=True)
    """Positions of temporaries that an earlier stage wrote and this one only reads. If all readers declare it, ops that prepare the same
    temporary from the same value share it."""
    ordered: bool = field(default=False, kw_only=True)
    """Whether a unit may wait for units with smaller numbers. They are claimed in order, so each of them is done or is being run."""
    idle_in_place: bool = field(default=False, kw_only=True)
    """Whether there is nothing to do if its two operands are the same memory, which is known once addresses are."""
    part: Size | None = field(default=None, kw_only=True)
    """Whether a profile counts its op's work here (1 or 0), for ops with several run-time code paths; else the last stage counts."""


@dataclass(frozen=True)
class Lowering:
    """How one op becomes commands, with their temporaries and the (input, output) pairs that can share memory."""

    stages: tuple[Stage, ...]
    temporaries: tuple[Tensor, ...] = ()
    in_place: tuple[tuple[int, int], ...] = ()


# A kernel family: (op, inputs, outputs, target) -> the lowering, or the reason why not.
Lower = Callable[[Op, tuple[Tensor | None, ...], tuple[Tensor, ...], Target], Lowering | str]
