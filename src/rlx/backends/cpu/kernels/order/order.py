"""Order and extremes: argmax, argmin, top_k, sort, argsort along any axis.

argmax   the largest key by vectors, then its first position
top_k    the k best so far, sorted; a vector without a key better than the last of them is skipped
sort     insertion for short lines; else counting by bytes, lowest first, which is stable
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.types import I32, I64, type_of
from rlx.backends.cpu.emit.values import Value
from rlx.backends.cpu.kernels.movement.runs import index_of, merged, offset_of, shares, unit_count, walk_runs
from rlx.backends.cpu.kernels.order.sorting import FEW, KeyLine, Keys, Sorter, best_of, first_largest, sort_scratch
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.ir.op import Op


@dataclass(frozen=True)
class AxisLines:
    """The lines of x along an axis, and the strides of the results' lines."""

    keys: Keys
    dims: tuple[Size, ...]
    strides: tuple[tuple[Size, ...], ...]  # of x, then of each output
    steps: tuple[Size, ...]  # along the axis
    length: Size

    @staticmethod
    def make(keys: Keys, x: Tensor, axis: int, outputs: Sequence[Tensor]) -> AxisLines:
        """`outputs` have the axis too, or lack it."""
        others = [a for a in range(len(x.dims)) if a != axis]
        strides, steps = [[x.strides[a] for a in others]], [x.strides[axis]]
        for out in outputs:
            whole = len(out.dims) == len(x.dims)
            strides.append([out.strides[a] for a in others] if whole else list(out.strides))
            steps.append(out.strides[axis] if whole else 0)
        dims, merged_strides = merged([x.dims[a] for a in others], *strides)
        return AxisLines(keys, dims, merged_strides, tuple(steps), x.dims[axis])

    @property
    def line_bytes(self) -> Size:
        """The work of one line."""
        return self.length * self.keys.dtype.size

    def each(self, code: KernelCode, work: Callable[[KeyLine, list[Value]], None]) -> None:
        """`work(line, starts of the results' lines in elements)` for each line of these units."""
        k = code.code
        first, last = shares(code, product(self.dims), self.line_bytes, align=1)
        for positions, column, count in walk_runs(code, self.dims, first, last):
            for at in k.range(count):
                offsets = [offset_of(code, [*positions, column + at], strides) for strides in self.strides]
                base = k.pointer(code.pointer(0), offsets[0], type_of(self.keys.dtype.name))
                work(KeyLine(code, self.keys, base, code.size(self.steps[0]), index_of(code, self.length)), offsets[1:])

    def stage(self, name: str, key: object, outputs: int, emit: Callable[[KernelCode], None], scratch: Size = 0) -> Lowering:
        """One command over all lines."""
        units = unit_count(product(self.dims), self.line_bytes)
        return Lowering((Stage(name, (name, key, self), tuple(range(1 + outputs)), units, emit, scratch),))


def lower_arg(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """argmax and argmin: the first extreme, the first NaN if there is one."""
    (x,) = inputs
    assert x is not None
    lines = AxisLines.make(Keys(x.dtype, reverse=op.name == "argmin"), x, op.attrs["axis"], outputs)

    def emit(code: KernelCode) -> None:
        def work(line: KeyLine, starts: list[Value]) -> None:
            code.code.store(code.code.convert(first_largest(line), I32), code.pointer(1), starts[0])

        lines.each(code, work)

    return lines.stage(op.name, None, 1, emit)


def lower_top_k(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """The k largest in the total order of floats, ties to the lower position."""
    (x,) = inputs
    assert x is not None
    count = op.attrs["k"]
    few = count <= FEW
    lines = AxisLines.make(Keys(x.dtype, reverse=not few, total=True), x, op.attrs["axis"], outputs)
    kind, stored = lines.keys.kind, type_of(x.dtype.name)

    def emit(code: KernelCode) -> None:
        k = code.code

        def work(line: KeyLine, starts: list[Value]) -> None:
            if few:
                places = k.pointer(k.scratch, count, kind)
                best_of(line, k.index(count), k.scratch, places)
            else:
                places = Sorter(code, kind, line.length, k.scratch).first(line, k.index(count))
            for at in k.range(count):
                place = k.load(places, at, I32)
                value = line.element(k.convert(place, I64))
                k.store(value, k.pointer(code.pointer(1), starts[0], stored), at * code.size(lines.steps[1]))
                k.store(place, k.pointer(code.pointer(2), starts[1], I32), at * code.size(lines.steps[2]))

        lines.each(code, work)

    scratch = count * (kind.size + 4) if few else sort_scratch(lines.length, kind)
    return lines.stage("top_k", count, 2, emit, scratch)


def lower_sort(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """sort and argsort, stable both ways; NaN is the largest but in total order."""
    (x,) = inputs
    assert x is not None
    descending = op.attrs["descending"]
    keys = Keys(x.dtype, reverse=descending, nan_largest=not descending, total=op.attrs.get("total", False))
    lines = AxisLines.make(keys, x, op.attrs["axis"], outputs)
    stored = type_of(x.dtype.name)

    def emit(code: KernelCode) -> None:
        k = code.code

        def work(line: KeyLine, starts: list[Value]) -> None:
            places = Sorter(code, line.keys.kind, line.length, k.scratch).all(line)
            target = k.pointer(code.pointer(1), starts[0], I32 if op.name == "argsort" else stored)
            for at in k.range(line.length):
                place = k.load(places, at, I32)
                value = place if op.name == "argsort" else line.element(k.convert(place, I64))
                k.store(value, target, at * code.size(lines.steps[1]))

        lines.each(code, work)

    return lines.stage(op.name, descending, 1, emit, sort_scratch(lines.length, lines.keys.kind))


LOWER: dict[str, Lower] = {
    "argmax": lower_arg,
    "argmin": lower_arg,
    "top_k": lower_top_k,
    "sort": lower_sort,
    "argsort": lower_sort,
}
"""The ops of this file by name."""
