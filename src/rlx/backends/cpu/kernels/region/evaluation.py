"""Shared by row and column code: loads and stores, the evaluation of terms, folding, vector loops."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode
from rlx.backends.cpu.emit.math import exp_negative
from rlx.backends.cpu.emit.values import F64, I1, I8, I32, I64, Operand, Type, Value, type_of
from rlx.backends.cpu.kernels.region import schedule
from rlx.backends.cpu.kernels.region.elementwise import EMIT, carried_type, cast, find_emit, widened
from rlx.backends.cpu.kernels.region.schedule import Plan, ScratchSlot, Sweep
from rlx.backends.cpu.kernels.region.space import Term, is_below_maximum
from rlx.core.dim import Dim, Size, bounds
from rlx.core.dtype import DType
from rlx.ir.graph import dense_strides
from rlx.ir.op import OpDef

CACHE_LINE = 64  # bytes
_LEAST_VECTOR = 16  # bytes of the narrowest vector with a streaming store


@dataclass
class Scope:
    """What is known at one point of a region's loop nest: values of terms, the address of each tensor, the position on each axis."""

    values: dict[int, Value] = field(default_factory=dict)
    pointers: dict[object, Value] = field(default_factory=dict)
    positions: dict[int, Value] = field(default_factory=dict)

    def inside(self) -> Scope:
        """A copy of the scope for an inner loop."""
        return Scope(dict(self.values), dict(self.pointers), dict(self.positions))


@dataclass(frozen=True)
class Reference:
    """A value of a region in memory: its storage type and its strides along the axes of the space."""

    kind: Type
    strides: tuple[Size, ...]


class RegionMemory:
    """Emits loads and stores of a region's kernel; `references` has the layout of each tensor."""

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
        """The stride of a vector's lanes in memory, 0 or 1; None: any other."""
        stride = strides[self.plan.vector]
        return stride if isinstance(stride, int) and stride in (0, 1) else None

    def _maskable(self, kind: Type) -> bool:
        """Whether the target loads and stores part of a vector of this type in one instruction."""
        target, bits = self.code.target, kind.bits * kind.lanes
        if target.has("avx512bw") and target.has("avx512vl"):
            return kind.bits >= 8 and bits >= 128
        return target.has("avx2") and kind.bits >= 32 and bits in (128, 256)

    def _staging(self) -> Value:
        """The address of a vector's worth of memory on the stack."""
        if self._stage is None:
            self._stage = self.k.alloca(I8, 512)
        return self._stage

    def read(self, key: object, scope: Scope, at: Value | None, count: Operand | None) -> Value:
        """Load a scalar (`at` None) or the vector from position `at` on; lanes from `count` on are zero."""
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
        value = k.load(stage, 0, stored)
        return k.compare("ne", value, 0) if kind.bits == 1 else value

    def write(
        self, value: Value, key: object, scope: Scope, at: Value | None, count: Operand | None, streamed: Value | None = None
    ) -> None:
        """Store a carried value: a scalar (`at` None), or the first `count` lanes of the vector from position `at` on.
        `streamed` is a runtime flag for stores that bypass the caches."""
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


# -- the generator -----------------------------------------------------------------------------------------------------


class RegionCode(RegionMemory):
    """Emits a region's kernel; row and column code override its loops."""

    def __init__(self, code: KernelCode, plan: Plan, operands: Sequence[int]) -> None:
        super().__init__(code, plan)
        self.space, self.terms = plan.space, plan.space.terms
        self.operands = tuple(operands)
        self.finishing: int | None = None
        self.computed_with = {source for index in plan.live for source in self.terms[index].inputs}

    def emit(self, partials: Mapping[int, int] | None = None) -> None:
        """Emit the complete kernel. `partials`: where units fold chunks, the tensor for each reduction's partial results."""
        self.partials: Mapping[int, int] = partials or {}
        scope = self.entry()
        self._refer_to_partials(scope)
        self.streamed = {sweep.level: self.streams(sweep.stores) for sweep in self.plan.sweeps}
        self.streamed[-1] = None if self.plan.sweeps else self.streams(range(len(self.space.outputs)))
        self.units(scope)
        self.drain()

    def units(self, scope: Scope) -> None:
        """Emit the loop over units."""
        raise NotImplementedError

    # -- sizes and addresses
    def pointer(self, tensor: int) -> Value:
        """The address of a tensor of the region."""
        return self.code.pointer(self.operands.index(tensor))

    def entry(self) -> Scope:
        """The scope of the full kernel: addresses, and terms that do not vary along any axis."""
        scope = Scope()
        for index in sorted(self.plan.live):
            term = self.terms[index]
            if term.in_memory:
                kind = type_of(term.dtype.name)
                self.references[index] = Reference(kind, term.strides)
                scope.pointers[index] = self.pointer(term.tensor) if term.kind == "load" else self._table(term, kind)
        for position, output in enumerate(self.space.outputs):
            if output.tensor in self.operands:
                self.references["output", position] = Reference(type_of(output.dtype.name), output.strides)
                scope.pointers["output", position] = self.pointer(output.tensor)
        for name, slots in (
            ("kept", self.plan.kept),
            ("column", self.plan.columnar),
            ("total", self.plan.totals),
            ("fold", self.plan.accumulators),
        ):
            for index, slot in slots.items():
                kind = F64 if name == "total" else carried_type(self.terms[index].dtype)
                self.references[name, index] = Reference(kind, self._slot_strides(slot))
                scope.pointers[name, index] = self.k.pointer(self.k.scratch, self.size(slot.offset), I8)
        self.emit_scalars(scope, [index for index in self.row_terms(0) if not self.terms[index].axes])
        return scope

    def _refer_to_partials(self, scope: Scope) -> None:
        """Refer partial results to `[outer axes, chunks]`, in column code `[outer axes, chunks, columns]`."""
        plan, axes = self.plan, self.space.axes
        columns = () if plan.by_rows else (plan.vector,)
        sizes: list[Size] = [*(axes[axis].size for axis in plan.outer), plan.chunks, *(axes[axis].size for axis in columns)]
        strides: list[Size] = [0] * len(axes)
        for axis, stride in zip(plan.outer, dense_strides(sizes), strict=False):
            strides[axis] = stride
        for axis in columns:
            strides[axis] = 1
        for index, tensor in self.partials.items():
            self.references["partial", index] = Reference(carried_type(self.terms[index].dtype), tuple(strides))
            scope.pointers["partial", index] = self.pointer(tensor)

    def _table(self, term: Term, kind: Type) -> Value:
        array = np.ascontiguousarray(term.value)
        if term.dtype.is_integer or term.dtype.category == "f8":
            numbers = array.view(f"i{array.itemsize}").ravel().tolist()
        else:
            numbers = array.astype(np.float64).ravel().tolist()
        return self.code.module.constant_array(numbers, kind)

    def _slot_strides(self, slot: ScratchSlot) -> tuple[Size, ...]:
        """The strides of a scratch slot: row-major over the folded axes, the vectorized one innermost."""
        order = [axis for axis in slot.axes if axis != self.plan.vector]
        sizes: list[Size] = [self.space.axes[axis].size for axis in order]
        last = self.space.axes[self.plan.vector].size if self.plan.by_rows else self.plan.block
        strides = dense_strides([*sizes, last])
        row: list[Size] = [0] * len(self.space.axes)
        for axis, stride in zip([*order, self.plan.vector], strides, strict=True):
            row[axis] = stride
        return tuple(row)

    def scope_at(self, scope: Scope, positions: Mapping[int, Operand]) -> Scope:
        """The scope at positions on some axes."""
        inside = scope.inside()
        for axis, position in positions.items():
            inside.positions[axis] = self.k.index(position)
        for key, reference in self.references.items():
            offset = self.k.index(0)
            for axis in positions:
                stride = reference.strides[axis]
                if not (isinstance(stride, int) and stride == 0):
                    offset = offset + inside.positions[axis] * self.size(stride)
            inside.pointers[key] = self.k.pointer(scope.pointers[key], offset, reference.kind)
        return inside

    def row_positions(self, row: Value, axes: Sequence[int] | None = None) -> dict[int, Operand]:
        """The position on each outer axis of a row."""
        positions: dict[int, Operand] = {}
        left, order = row, self.plan.outer if axes is None else axes
        for axis in reversed(order):
            if axis == order[0]:
                positions[axis] = left
            else:
                size = self.size(self.space.axes[axis].size)
                positions[axis] = left.urem(size)
                left = left.udiv(size)
        return positions

    # -- which terms where
    def is_vector(self, index: int) -> bool:
        """Whether a term is held in vectors: it varies along the vectorized axis, or depends on reductions that do."""
        term = self.terms[index]
        return self.plan.vector in term.axes or (not self.plan.by_rows and term.level > 0)

    def saved_key(self, index: int, level: int) -> object | None:
        """The reference from which sweep `level` loads a value saved by an earlier sweep, or None."""
        known = self.terms[index].level
        if index in self.plan.kept and known < level:
            return "kept", index
        if index in self.plan.columnar and known <= level and known != self.finishing:
            return "column", index
        return None

    def is_finished(self, index: int) -> bool:
        """Whether a reduction has just been folded, while the terms that depend on it are computed."""
        term = self.terms[index]
        return term.kind == "reduce" and bool(term.over) and term.level == self.finishing

    def cone(self, roots: Sequence[int], level: int) -> list[int]:
        """The terms to evaluate within a sweep for some roots, in order; scalars of the row are already known."""
        seen: set[int] = set()
        waiting = list(roots)
        while waiting:
            index = waiting.pop()
            if index in seen or not (self.plan.inner(index) or self.plan.on_columns(index)):
                continue
            seen.add(index)
            if self.saved_key(index, level) is None and not self.is_finished(index):
                waiting.extend(self.terms[index].inputs)
        return sorted(seen)

    # -- terms
    def emit_scalars(self, scope: Scope, among: Sequence[int]) -> None:
        """Evaluate scalar terms that are not yet known, in order."""
        for index in among:
            if index not in scope.values:
                scope.values[index] = self.evaluate(index, scope, None, None)

    def row_terms(self, level: int) -> list[int]:
        """The live terms that are scalars of a row and known once the reductions up to `level` are known."""
        return [
            index
            for index in sorted(self.plan.live)
            if self.terms[index].level == level
            and not self.plan.inner(index)
            and not self.plan.on_columns(index)
            and not (self.terms[index].kind == "reduce" and self.terms[index].over)
        ]

    def loop_terms(self, axis: int, among: Sequence[int]) -> list[int]:
        """The scalar terms that vary along this loop's axis, but along no loop nested in it."""
        within = self.plan.loops[self.plan.loops.index(axis) + 1 :]
        return [
            index
            for index in among
            if not self.is_vector(index)
            and axis in self.terms[index].axes
            and not any(other in self.terms[index].axes for other in within)
        ]

    def number(self, term: Term) -> Value:
        """Emit a constant of a dtype."""
        return self.k.constant(float(term.value) if term.dtype.is_float else int(term.value), carried_type(term.dtype))

    def evaluate(self, index: int, scope: Scope, at: Value | None, count: Operand | None) -> Value:
        """Evaluate one term: a scalar, or a vector at position `at` of the vectorized axis with `count` lanes in use."""
        term, k = self.terms[index], self.k
        match term.kind:
            case "number":
                return self.number(term)
            case "load" | "table":
                value = self.read(index, scope, at if self.is_vector(index) else None, count)
                return widened(k, value) if index in self.computed_with else value
            case "size":
                return cast(k, self.size(term.value), DType.of("i64"), term.dtype)
            case "iota":
                return self._iota(term, scope, at)
            case "reduce":  # over axes of size 1: the operand in the result's dtype
                (source,) = term.inputs
                return cast(k, scope.values[source], self.terms[source].dtype, term.dtype)
        return self._elementwise(term, scope)

    def _elementwise(self, term: Term, scope: Scope) -> Value:
        """Evaluate an elementwise op on known values, in the dtype in which it computes."""
        assert term.op is not None
        k, op, emit = self.k, term.op, find_emit(term.op.name)
        assert emit is not None, op.name
        operands = [scope.values[source] for source in term.inputs]
        dtypes = [self.terms[source].dtype for source in term.inputs]
        if op.definition.compute_dtype is None:
            return emit(k, operands, op.attrs, dtypes[0])
        common = self._bring_together(op.definition, operands, dtypes)
        if op.name == "exp" and is_below_maximum(self.terms, term.inputs[0]):
            return exp_negative(k, operands[0])
        return emit(k, operands, op.attrs, common)

    def _bring_together(self, record: OpDef, operands: list[Value], dtypes: Sequence[DType]) -> DType:
        """Cast the value operands to their common dtype, splat scalars if any operand is a vector, and return the dtype."""
        k = self.k
        values = [position for position in range(len(operands)) if record.operand(position).role == "value"]
        assert record.compute_dtype is not None
        common = record.compute_dtype(*(dtypes[position] for position in values))
        assert common is not None, "u64 and signed integers have no common dtype: canonicalize rewrites their comparison"
        for position in values:
            operands[position] = widened(k, cast(k, operands[position], dtypes[position], common))
        lanes = max(operand.type.lanes for operand in operands)
        if lanes:
            operands[:] = [k.coerce(operand, operand.type.element.vector(lanes)) for operand in operands]
        return common

    def _iota(self, term: Term, scope: Scope, at: Value | None) -> Value:
        k, (axis,) = self.k, term.over
        counter = I64 if carried_type(term.dtype).bits == 64 else I32
        if axis != self.plan.vector:
            return cast(k, k.convert(scope.positions[axis], counter), DType.of(counter.name), term.dtype)
        assert at is not None
        first = k.splat(k.convert(at, counter), self.lanes)
        positions = first + k.iota(counter.vector(self.lanes))
        return cast(k, positions, DType.of(counter.name), term.dtype)

    def roots(self, sweep: Sweep) -> list[int]:
        """The terms that a sweep folds, stores or saves."""
        folded = [self.terms[index].inputs[0] for index in sweep.reductions]
        return [*folded, *(self.space.outputs[position].term for position in sweep.stores), *sweep.keeps]

    def spread(self, scope: Scope, among: Sequence[int], roots: Sequence[int], unroll: int) -> dict[int, Scope]:
        """The scope with every scalar that vector code reads broadcast before its loop; by vector width."""
        read = {source for index in among if self.is_vector(index) for source in self.terms[index].inputs}
        by_width: dict[int, Scope] = {}
        for lanes in {self.plan.lanes, self.plan.lanes * unroll}:
            inside = by_width[lanes] = scope.inside()
            for index in sorted(read.union(roots)):
                value = scope.values.get(index)
                if value is not None and not value.type.lanes and value.constant is None:
                    inside.values[index] = self.k.splat(widened(self.k, value), lanes)
        return by_width

    def point(self, among: Sequence[int], level: int, scope: Scope, at: Value, count: Operand | None) -> Scope:
        """Evaluate the terms of a sweep at one vector."""
        inside = Scope(dict(scope.values), scope.pointers, scope.positions)
        for index in among:
            if index not in scope.values:
                saved = self.saved_key(index, level)
                inside.values[index] = (
                    self.evaluate(index, inside, at, count) if saved is None else self.read(saved, scope, at, count)
                )
        return inside

    # -- folding
    def identity(self, term: Term) -> float:
        """The neutral element of a reduction."""
        dtype = self.folded_dtype(term)
        if dtype.is_bool:
            return int(term.combine in ("all", "min"))
        if term.combine in ("sum", "prod"):
            return 0 if term.combine == "sum" else 1
        if dtype.is_float:
            return -float("inf") if term.combine == "max" else float("inf")
        low, high = (0, (1 << dtype.bits) - 1) if dtype.category == "uint" else (-(1 << dtype.bits - 1), (1 << dtype.bits - 1) - 1)
        return low if term.combine == "max" else high

    def folded_dtype(self, term: Term) -> DType:
        """The accumulator dtype of a reduction: the dtype of its result, f32 for 16-bit floats."""
        return term.dtype.compute

    def folded_value(self, term: Term, scope: Scope) -> Value:
        """The operand of a reduction in its accumulator type."""
        (source,) = term.inputs
        return widened(self.k, cast(self.k, scope.values[source], self.terms[source].dtype, self.folded_dtype(term)))

    def fold(self, term: Term, a: Value, b: Value) -> Value:
        """Combine two partial results of a reduction."""
        dtype = self.folded_dtype(term)
        name = {"sum": "add", "prod": "mul", "max": "max", "min": "min", "any": "or", "all": "and"}[term.combine]
        return EMIT[name](self.k, [a, b], {}, dtype)

    def result(self, term: Term, folded: Value) -> Value:
        """Finish a reduction: the mean divides by the number of elements."""
        if term.value is None or term.op is None or term.op.name != "reduce_mean":
            return folded
        kind = folded.type.element
        count = self.code.size(term.value)
        divisor = self.k.constant(count, kind) if isinstance(count, int) else self.k.convert(count, kind)
        return folded / divisor

    # -- loops
    def unroll(self, terms: Sequence[int]) -> int:
        """Native vectors per step, concatenated in one wide vector: their dependency chains overlap."""
        size = self.space.axes[self.plan.vector].size
        vectors = 4 if sum(self.terms[index].cost for index in terms) <= 100 else 2
        if any(self.terms[index].in_memory and self._step(self.terms[index].strides) is None for index in terms):
            vectors = 1  # lanes are gathered one by one
        if isinstance(size, int):
            while vectors > 1 and size < vectors * self.plan.lanes:
                vectors //= 2
        return vectors

    def extent(self, axis: int, chunk: Value | None) -> tuple[Value, Value]:
        """The positions on a folded axis that this kernel call covers."""
        k, plan = self.k, self.plan
        size = self.size(self.space.axes[axis].size)
        if plan.chunk is None or chunk is None or axis != plan.chunk_axis:
            return k.index(0), size
        begin = chunk * plan.chunk
        return begin, k.minimum(begin + plan.chunk, size)

    def vector_loop(self, begin: Value, length: Value, unroll: int) -> Generator[tuple[Value, Operand | None]]:
        """Visit `length` positions as (position, lanes in use; None: all). First `unroll` native vectors at a time, then one;
        the last may be partial. `self.lanes` is the width at each step."""
        k, native = self.k, self.plan.lanes
        step = native * unroll
        self.lanes = step
        if length.constant is not None:
            middle = begin + int(length.constant) // step * step
            for at in k.range(begin, middle, step):
                yield at, None
            self.lanes = native
            last = begin + int(length.constant) // native * native
            for at in k.range(middle, last, native):
                yield at, None
            if int(length.constant) % native:
                yield last, int(length.constant) % native
            return
        middle = begin + (length & -step)
        for at in k.range(begin, middle, step):
            yield at, None
        self.lanes = native
        end = begin + length
        for at in k.range(middle, end, native):
            yield at, k.minimum(end - at, native)

    # -- streaming stores: results that are written once and do not fit the caches bypass them, which saves reading each cache line first
    #
    # A streaming store needs an address aligned to the vector. The address of a result is known only at run time (users pass
    # their own arrays, rows have odd lengths), so the addresses of each line are checked before it is written.
    def streams(self, outputs: Sequence[int]) -> Value | None:
        """The runtime flag for streamed stores: whether all these results are large enough; None: never."""
        plan, space = self.plan, self.space
        if not self.code.target.is_x86 or not outputs:
            return None
        total: Size = 0
        for position in outputs:
            output = space.outputs[position]
            if plan.lanes * output.dtype.size < _LEAST_VECTOR or output.strides[plan.vector] != 1:
                return None
            total = total + space.size(output.axes) * output.dtype.size
        _, high = bounds(total)
        if high is not None and high < schedule.STREAMED_BYTES:
            return None
        if isinstance(total, Dim):
            return self.size(total) >= schedule.STREAMED_BYTES
        return self.k.constant(1, I1)

    def on_vector_boundary(self, outputs: Sequence[int], scope: Scope, at: Value) -> Value:
        """Whether vectors from position `at` are aligned in all these results."""
        k = self.k
        bits = k.index(0)
        for position in outputs:
            kind = self.references["output", position].kind
            address = k.address_of(k.pointer(scope.pointers["output", position], at, kind))
            bits = bits | (address & (self.plan.lanes * kind.size - 1))
        return bits == 0

    def drain(self) -> None:
        """Emit the fence that makes streamed results visible to other threads before the kernel returns."""
        if any(flag is not None for flag in self.streamed.values()) and self.code.target.is_x86:
            self.k.intrinsic("llvm.x86.sse.sfence", None, [])
