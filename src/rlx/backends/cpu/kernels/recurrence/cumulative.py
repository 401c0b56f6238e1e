"""Running sums and products: cumsum, cumprod, forward or from the end, with or without the element itself.

If other axes are dense after the scanned one, vectors run across them and each lane is a line. Otherwise each line is
scanned separately: the lanes of a vector in log₂ steps, then the carry from the previous vector.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F32, Type, Value, type_of
from rlx.backends.cpu.kernels.movement.runs import index_of, merge_axes, offset_of, shares, unit_count, walk_runs
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.ir.op import Op

_TOGETHER = 4
"""Vectors of columns scanned together: whole cache lines, and independent sums."""


@dataclass(frozen=True)
class Scan:
    """One cumsum or cumprod: the lines' dims and the strides of x and the result, with those along the axis separate."""

    dims: tuple[Size, ...]
    x_strides: tuple[Size, ...]
    out_strides: tuple[Size, ...]
    length: Size
    x_step: Size
    out_step: Size
    product: bool
    exclusive: bool
    reverse: bool
    kind: Type
    out_kind: Type
    signed: bool

    @property
    def compute(self) -> Type:
        """The accumulator type of a scan."""
        return F32 if self.out_kind.is_low_float else self.out_kind

    @property
    def identity(self) -> int:
        """The neutral element of a scan: 0 or 1."""
        return 1 if self.product else 0

    def combine(self, a: Value, b: Value) -> Value:
        """Combine two values of a scan: add or multiply."""
        return a * b if self.product else a + b

    def read(self, k: Function, base: Value, index: Value, lanes: int, count: Value | None = None) -> Value:
        """Load elements of x in the compute type; the neutral element past `count`."""
        kind = self.kind.vector(lanes)
        if count is None:
            return k.convert(k.load(base, index, kind), self.compute, signed=self.signed)
        mask = k.lane_mask(count, lanes)
        wide = k.convert(k.load_where(base, index, mask, kind), self.compute, signed=self.signed)
        return k.select(mask, wide, self.identity)


# -- vectors across lines ---------------------------------------------------------------------------------------
def _emit_columns(code: KernelCode, scan: Scan) -> None:
    k = code.code
    lanes = code.target.lanes(scan.compute)
    first, last = shares(code, product(scan.dims), scan.length * scan.out_kind.size)
    for positions, column, count in walk_runs(code, scan.dims, first, last):
        indices = [*positions, column]
        x = k.pointer(code.pointer(0), offset_of(code, indices, scan.x_strides), scan.kind)
        out = k.pointer(code.pointer(1), offset_of(code, indices, scan.out_strides), scan.out_kind)
        in_groups, in_vectors = count // (_TOGETHER * lanes) * (_TOGETHER * lanes), count // lanes * lanes
        for start, stop, vectors in ((k.index(0), in_groups, _TOGETHER), (in_groups, in_vectors, 1)):
            for at in k.range(start, stop, vectors * lanes):
                _scan_columns(code, scan, x, out, at, lanes, vectors, None)
        with k.when(in_vectors < count):
            _scan_columns(code, scan, x, out, in_vectors, lanes, 1, count - in_vectors)


def _scan_columns(
    code: KernelCode, scan: Scan, x: Value, out: Value, at: Value, lanes: int, vectors: int, count: Value | None
) -> None:
    k = code.code
    totals = [k.var(scan.identity, scan.compute.vector(lanes)) for _ in range(vectors)]
    length = index_of(code, scan.length)
    for step in k.range(length):
        index = length - 1 - step if scan.reverse else step
        source, target = at + index * code.size(scan.x_step), at + index * code.size(scan.out_step)
        for number, total in enumerate(totals):
            before = total.get()
            after = scan.combine(before, scan.read(k, x, source + number * lanes, lanes, count))
            total.set(after)
            stored = k.convert(before if scan.exclusive else after, scan.out_kind)
            if count is None:
                k.store(stored, out, target + number * lanes)
            else:
                k.store_masked(stored, out, target, count)


# -- line by line -----------------------------------------------------------------------------------------------
def _emit_lines(code: KernelCode, scan: Scan) -> None:
    k = code.code
    first, last = shares(code, product(scan.dims), scan.length * scan.out_kind.size, align=1)
    for positions, column, count in walk_runs(code, scan.dims, first, last):
        for at in k.range(count):
            indices = [*positions, column + at]
            x = k.pointer(code.pointer(0), offset_of(code, indices, scan.x_strides), scan.kind)
            out = k.pointer(code.pointer(1), offset_of(code, indices, scan.out_strides), scan.out_kind)
            if all(isinstance(step, int) and step == 1 for step in (scan.x_step, scan.out_step)):
                _scan_dense(code, scan, x, out)
            else:
                _scan_steps(code, scan, x, out, k.index(0), k.var(scan.identity, scan.compute).get())


def _scan_dense(code: KernelCode, scan: Scan, x: Value, out: Value) -> None:
    """Scan a dense line: vectors first, then the remainder one by one."""
    k = code.code
    lanes = code.target.lanes(scan.compute)
    length = index_of(code, scan.length)
    in_vectors = length // lanes * lanes
    carried = k.var(scan.identity, scan.compute)
    neutral = k.constant(scan.identity, scan.compute.vector(lanes))
    backward = range(lanes - 1, -1, -1)
    for step in k.range(0, in_vectors, lanes):
        index = length - lanes - step if scan.reverse else step
        running = scan.read(k, x, index, lanes)
        running = k.shuffle(running, None, backward) if scan.reverse else running
        distance = 1
        while distance < lanes:
            running = scan.combine(running, _shift_lanes(k, running, neutral, distance))
            distance *= 2
        before = k.splat(carried.get(), lanes)
        carried.set(scan.combine(carried.get(), k.extract(running, lanes - 1)))
        result = scan.combine(before, _shift_lanes(k, running, neutral, 1) if scan.exclusive else running)
        result = k.shuffle(result, None, backward) if scan.reverse else result
        k.store(k.convert(result, scan.out_kind), out, index)
    _scan_steps(code, scan, x, out, in_vectors, carried.get())


def _shift_lanes(k: Function, value: Value, neutral: Value, distance: int) -> Value:
    """Shift lanes up by some positions; the neutral element is shifted in."""
    lanes = value.type.lanes
    return k.shuffle(neutral, value, [lane if lane < distance else lanes + lane - distance for lane in range(lanes)])


def _scan_steps(code: KernelCode, scan: Scan, x: Value, out: Value, start: Value, carried: Value) -> None:
    k, length = code.code, index_of(code, scan.length)
    total = k.var(carried)
    for step in k.range(start, length):
        index = length - 1 - step if scan.reverse else step
        element = k.convert(k.load(x, index * code.size(scan.x_step), scan.kind), scan.compute, signed=scan.signed)
        before = total.get()
        after = scan.combine(before, element)
        total.set(after)
        k.store(k.convert(before if scan.exclusive else after, scan.out_kind), out, index * code.size(scan.out_step))


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower cumsum and cumprod of ints and floats along any axis of any view."""
    (x,), out = inputs, outputs[0]
    assert x is not None
    if x.dtype.is_complex:
        return f"{op.name} of complex numbers"
    axis = op.attrs["axis"]
    others = [a for a in range(len(x.dims)) if a != axis]
    dims, (x_strides, out_strides) = merge_axes(
        [x.dims[a] for a in others], [x.strides[a] for a in others], [out.strides[a] for a in others]
    )
    scan = Scan(
        dims,
        x_strides,
        out_strides,
        x.dims[axis],
        x.strides[axis],
        out.strides[axis],
        op.name == "cumprod",
        op.attrs["exclusive"],
        op.attrs["reverse"],
        type_of(x.dtype.name),
        type_of(out.dtype.name),
        x.dtype.category != "uint",
    )
    across = all(isinstance(strides[-1], int) and strides[-1] == 1 for strides in (x_strides, out_strides))
    across = across and not (isinstance(dims[-1], int) and dims[-1] == 1)
    emit: Callable[[KernelCode, Scan], None] = _emit_columns if across else _emit_lines
    units = unit_count(product(dims), scan.length * scan.out_kind.size)
    return Lowering((Stage(op.name, scan, (0, 1), units, lambda code: emit(code, scan)),))


LOWER: dict[str, Lower] = {"cumsum": lower, "cumprod": lower}
"""The ops of this file by name."""
