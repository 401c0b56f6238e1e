"""How region code reads and writes memory: scalars, vectors at any stride, partial vectors at the end of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.types import I8, Type
from rlx.backends.cpu.emit.values import Operand, Value
from rlx.backends.cpu.kernels.region.sweeps import Plan
from rlx.core.dim import Size


@dataclass
class Scope:
    """What is known at one point of the loop nest: values of terms, the address of each tensor, the position on each axis."""

    values: dict[int, Value] = field(default_factory=dict)
    pointers: dict[object, Value] = field(default_factory=dict)
    positions: dict[int, Value] = field(default_factory=dict)

    def inside(self) -> Scope:
        """A scope within this one."""
        return Scope(dict(self.values), dict(self.pointers), dict(self.positions))


@dataclass(frozen=True)
class Reference:
    """Something in memory: its storage type and its strides along the axes of the space."""

    kind: Type
    strides: tuple[Size, ...]


class RegionMemory:
    """Loads and stores of a region's kernel; `references` has the layout of each tensor."""

    def __init__(self, code: KernelCode, plan: Plan) -> None:
        self.code, self.plan = code, plan
        self.k: Function = code.code
        self.lanes = plan.lanes
        self.references: dict[object, Reference] = {}
        self._stage: Value | None = None

    def size(self, size: Size) -> Value:
        """A size as an index."""
        return self.k.index(self.code.size(size))

    def _step(self, strides: Sequence[Size]) -> int | None:
        """The stride of the lanes of a vector in memory, 0 or 1; None: any other."""
        stride = strides[self.plan.vector]
        return stride if isinstance(stride, int) and stride in (0, 1) else None

    def _maskable(self, kind: Type) -> bool:
        """Whether the target reads and writes part of a vector of this type in one instruction."""
        target, bits = self.code.target, kind.bits * kind.lanes
        if target.has("avx512bw") and target.has("avx512vl"):
            return kind.bits >= 8 and bits >= 128
        return target.has("avx2") and kind.bits >= 32 and bits in (128, 256)

    def _staging(self) -> Value:
        """A vector's worth of memory on the stack."""
        if self._stage is None:
            self._stage = self.k.alloca(I8, 512)
        return self._stage

    def read(self, key: object, scope: Scope, at: Value | None, count: Operand | None) -> Value:
        """A scalar (`at` None) or the vector from position `at` on; lanes from `count` on are zero."""
        reference, pointer = self.references[key], scope.pointers[key]
        if at is None:
            return self.k.load(pointer, 0, reference.kind)
        k, kind = self.k, reference.kind.vector(self.lanes)
        stride, dense = reference.strides[self.plan.vector], self._step(reference.strides) == 1
        if count is None:
            if dense:
                return k.load(pointer, at, kind)
            step = self.size(stride)
            return k.gather_strided(pointer, at * step, step, kind)
        if dense and self._maskable(kind):
            return k.load_masked(pointer, at, count, kind)
        stored = I8.like(kind) if kind.bits == 1 else kind
        stage, element = self._staging(), stored.element
        k.store(k.constant(0, stored), stage, 0)
        for lane in k.range(count):
            k.store(k.load(pointer, (at + lane) * self.size(stride), element), stage, lane)
        found = k.load(stage, 0, stored)
        return k.compare("ne", found, 0) if kind.bits == 1 else found

    def write(
        self, value: Value, key: object, scope: Scope, at: Value | None, count: Operand | None, streamed: Value | None = None
    ) -> None:
        """Write a carried value: a scalar (`at` None), or the vector from position `at` on, its first `count` lanes.
        `streamed` says at run time whether it bypasses the caches."""
        k, reference, pointer = self.k, self.references[key], scope.pointers[key]
        if value.type.element != reference.kind:
            value = k.convert(value, reference.kind)
        if at is None:
            k.store(value, pointer, 0)
            return
        if not value.type.lanes:
            value = k.splat(value, self.lanes)
        stride, dense = reference.strides[self.plan.vector], self._step(reference.strides) == 1
        if count is None and dense and streamed is not None:
            with k.when(streamed):
                k.store(value, pointer, at, align=self.plan.lanes * reference.kind.size, nontemporal=True)
            with k.otherwise():
                k.store(value, pointer, at)
        elif count is None and dense:
            k.store(value, pointer, at)
        elif count is None:
            step = self.size(stride)
            k.scatter_strided(value, pointer, at * step, step)
        elif dense and self._maskable(value.type):
            k.store_masked(value, pointer, at, count)
        else:
            stage = self._staging()
            k.store(value, stage, 0)
            element = I8 if reference.kind.bits == 1 else reference.kind
            for lane in k.range(count):
                k.store(k.load(stage, lane, element), pointer, (at + lane) * self.size(stride))
