"""Complex numbers: parts, conjugates, squared moduli. A complex element is two floats side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlx.backends.cpu.emit.builder import Function
from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import Type, Value, type_of
from rlx.backends.cpu.kernels.movement.runs import broadcast_strides, merge_axes, offset_of, shares, unit_count, walk_runs
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, product
from rlx.core.dtype import DType
from rlx.ir.op import Op

Parts = list[Value]
Formula = Callable[[Function, list[Parts], Op], Parts]
"""(function, the parts of each operand, the op) → the parts of the result: two for a complex number, one for a float."""


def part_kind(dtype: DType) -> Type:
    """The machine type of the real and imaginary parts of a complex dtype."""
    return type_of({"c64": "f32", "c128": "f64"}.get(dtype.name, dtype.name))


def load_pair(k: Function, base: Value, index: Value, kind: Type, lanes: int) -> Parts:
    """Load real and imaginary parts of `lanes` adjacent elements (0: of one), `index` counted in complex numbers."""
    if not lanes:
        return [k.load(base, index * 2 + part, kind) for part in (0, 1)]
    both = k.load(base, index * 2, kind.vector(2 * lanes))
    return [k.shuffle(both, None, range(part, 2 * lanes, 2)) for part in (0, 1)]


def store_pair(k: Function, parts: Parts, base: Value, index: Value) -> None:
    """Store real and imaginary parts of adjacent elements, as `load_pair` loads them."""
    lanes = parts[0].type.lanes
    if not lanes:
        for part, value in enumerate(parts):
            k.store(value, base, index * 2 + part)
        return
    mixed = [lane // 2 + (lanes if lane % 2 else 0) for lane in range(2 * lanes)]
    k.store(k.shuffle(parts[0], parts[1], mixed), base, index * 2)


_FORMULAS: dict[str, Formula] = {
    "conjugate": lambda k, xs, op: [xs[0][0], -xs[0][1]],
    "real": lambda k, xs, op: [xs[0][0]],
    "imag": lambda k, xs, op: [xs[0][1]],
    "complex": lambda k, xs, op: [xs[0][0], xs[1][0]],
    "complex_norm_sq": lambda k, xs, op: [xs[0][0] * xs[0][0] + xs[0][1] * xs[0][1]],
    "complex_norm_sq_backward": lambda k, xs, op: _backward(xs, op.attrs["conjugated"]),
}


def _backward(xs: list[Parts], conjugated: bool) -> Parts:
    (re, im), (dy,) = xs
    twice = dy + dy
    return [twice * re, -(twice * im) if conjugated else twice * im]


@dataclass(frozen=True)
class ComplexPlace:
    """An operand of a complex elementwise op: its parts' type, whether it is complex, and its strides in elements."""

    kind: Type
    is_complex: bool
    strides: tuple[Size, ...]

    def read(self, code: KernelCode, base: Value, at: Value, lanes: int) -> Parts:
        """Load the real and imaginary parts of the elements from `at` on."""
        if self.is_complex:
            return load_pair(code.code, base, at, self.kind, lanes)
        return [code.code.load(base, at, self.kind.vector(lanes))]


def _emit(code: KernelCode, op: Op, dims: tuple[Size, ...], places: Sequence[ComplexPlace]) -> None:
    k, formula = code.code, _FORMULAS[op.name]
    out = places[-1]
    lanes = code.target.vector_bytes // out.kind.size
    dense = all(isinstance(place.strides[-1], int) and place.strides[-1] == 1 for place in places)
    first, last = shares(code, product(dims), 2 * out.kind.size)
    for positions, column, count in walk_runs(code, dims, first, last):
        starts = [offset_of(code, [*positions, column], place.strides) for place in places]

        def element(at: Value, width: int, starts: list[Value] = starts) -> None:
            offsets = [start + at * code.size(place.strides[-1]) for start, place in zip(starts, places, strict=True)]
            given = [place.read(code, code.pointer(i), offsets[i], width) for i, place in enumerate(places[:-1])]
            result = formula(k, given, op)
            if out.is_complex:
                store_pair(k, result, code.pointer(len(places) - 1), offsets[-1])
            else:
                k.store(result[0], code.pointer(len(places) - 1), offsets[-1])

        whole = count // lanes * lanes if dense else k.index(0)
        for at in k.range(0, whole, lanes):
            element(at, lanes)
        for at in k.range(whole, count):
            element(at, 0)


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower an elementwise op on complex numbers, on any views; `complex` broadcasts its parts."""
    out = outputs[0]
    tensors = [tensor for tensor in (*inputs, out) if tensor is not None]
    wanted = part_kind(out.dtype)
    for tensor in tensors:
        if part_kind(tensor.dtype) != wanted:
            return f"{op.name} of {tensor.dtype}: cast it first"
    spread = [(0,) * (len(out.dims) - len(t.dims)) + broadcast_strides(t.dims, t.strides) for t in tensors]
    dims, strides = merge_axes(out.dims, *spread)
    places = tuple(ComplexPlace(wanted, t.dtype.is_complex, own) for t, own in zip(tensors, strides, strict=True))
    units = unit_count(product(dims), 2 * wanted.size)
    key = (op.name, tuple(op.attrs.items()), dims, places)
    return Lowering((Stage(op.name, key, tuple(range(len(tensors))), units, lambda code: _emit(code, op, dims, places)),))


LOWER: dict[str, Lower] = dict.fromkeys(_FORMULAS, lower)
"""The ops of this file by name."""
