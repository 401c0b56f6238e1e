"""RoPE: pairs of a head's dims rotated by the angle of the token's position.

A unit is a group of tokens; the row of the tables is read once for a token and serves all its heads. Pairs are
(i, i + n_rot/2), two vectors of the head, or interleaved (2i, 2i + 1), where the lanes of one vector are swapped in
pairs and cos and sin are doubled. Dims that are not rotated are copied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from rlx.backends.cpu.emit.kernel import KernelCode, Lower, Lowering, Stage, Tensor
from rlx.backends.cpu.emit.values import F32, F64, Type, Value, type_of
from rlx.backends.cpu.kernels.movement.indexing import read_position
from rlx.backends.cpu.kernels.movement.runs import index_of
from rlx.backends.cpu.target import Target
from rlx.core.dim import Size, ceildiv, floordiv
from rlx.core.dtype import DType
from rlx.ir.op import Op

_UNIT_TOKENS = 8


@dataclass(frozen=True)
class Rotation:
    """One rope op: sizes, element strides of (batch, token, head), and how the tables are read."""

    batch: Size
    tokens: Size
    heads: Size
    head_dim: int
    turning: int
    interleaved: bool
    backward: bool
    x_strides: tuple[Size, Size, Size]
    out_strides: tuple[Size, Size, Size]
    table_rows: Size | None  # rows selected by position, or None for tables per token
    table_strides: tuple[tuple[Size, ...], tuple[Size, ...]]  # of cos and sin: (row,) or (batch, token)
    position_strides: tuple[Size, ...] | None
    position_dtype: DType | None
    kind: Type
    table_kind: Type
    compute: Type


class _Rope:
    """Emits rope (rotary embedding) for one token."""

    def __init__(self, code: KernelCode, rotation: Rotation, out: int) -> None:
        self.code, self.k, self.rotation = code, code.code, rotation
        self.out = out
        self.lanes = code.target.lanes(rotation.compute)

    def table(self, operand: int, batch: Value, token: Value) -> Value:
        """The address of the token's row of cos (operand 1) or sin (operand 2)."""
        rotation, code = self.rotation, self.code
        strides = [code.size(stride) for stride in rotation.table_strides[operand - 1]]
        if rotation.table_rows is None:
            offset = batch * strides[0] + token * strides[1]
        else:
            offset = self.row * strides[0]
        return self.k.pointer(code.pointer(operand), offset, rotation.table_kind)

    def find_row(self, batch: Value, token: Value) -> None:
        """The row of the tables for a token: its position, negative ones from the end, clamped."""
        rotation, code = self.rotation, self.code
        if rotation.table_rows is None:
            return
        self.row = token
        if rotation.position_strides is not None:
            assert rotation.position_dtype is not None
            index = batch * code.size(rotation.position_strides[0]) + token * code.size(rotation.position_strides[1])
            self.row, _ = read_position(code, code.pointer(3), index, rotation.position_dtype, rotation.table_rows)

    def load(self, base: Value, index: Value, count: Value | int, kind: Type) -> Value:
        """A vector in the compute type; masked when `count` is not all lanes."""
        wide = kind.vector(self.lanes)
        full = isinstance(count, int) and count == self.lanes
        loaded = self.k.load(base, index, wide) if full else self.k.load_masked(base, index, count, wide)
        return self.k.convert(loaded, self.rotation.compute)

    def store(self, value: Value, base: Value, index: Value, count: Value | int) -> None:
        """Store a vector in the result's type."""
        stored = self.k.convert(value, self.rotation.kind)
        if isinstance(count, int) and count == self.lanes:
            self.k.store(stored, base, index)
        else:
            self.k.store_masked(stored, base, index, count)

    def steps(self, length: int, step: int) -> Sequence[tuple[Value, int]]:
        """The vectors (start, lanes) along `length` elements; the caller's Python loop unrolls them."""
        return [(self.k.index(at), min(step, length - at)) for at in range(0, length, step)]

    def token(self, batch: Value, token: Value) -> None:
        """Rotate all heads of a token."""
        k, code, rotation = self.k, self.code, self.rotation
        self.find_row(batch, token)
        cos, sin = self.table(1, batch, token), self.table(2, batch, token)
        bases = []
        for operand, strides in ((0, rotation.x_strides), (self.out, rotation.out_strides)):
            offset = batch * code.size(strides[0]) + token * code.size(strides[1])
            bases.append(k.pointer(code.pointer(operand), offset, rotation.kind))
        half = rotation.turning // 2
        for at, count in self.steps(half, self.lanes // 2 if rotation.interleaved else self.lanes):
            c, s = self._angles(cos, sin, at, count)
            for head in k.range(code.size(rotation.heads)):
                source = k.pointer(bases[0], head * code.size(rotation.x_strides[2]), rotation.kind)
                target = k.pointer(bases[1], head * code.size(rotation.out_strides[2]), rotation.kind)
                if rotation.interleaved:
                    x = self.load(source, at * 2, 2 * count, rotation.kind)
                    swapped = k.shuffle(x, None, [lane ^ 1 for lane in range(self.lanes)])
                    self.store(k.fma(x, c, swapped * s), target, at * 2, 2 * count)
                else:
                    a = self.load(source, at, count, rotation.kind)
                    b = self.load(source, at + half, count, rotation.kind)
                    self.store(k.fma(a, c, -(b * s)), target, at, count)
                    self.store(k.fma(b, c, a * s), target, at + half, count)
        for at, count in self.steps(rotation.head_dim - rotation.turning, self.lanes):
            for head in k.range(code.size(rotation.heads)):
                source = k.pointer(bases[0], head * code.size(rotation.x_strides[2]), rotation.kind)
                target = k.pointer(bases[1], head * code.size(rotation.out_strides[2]), rotation.kind)
                self.copy(source, target, at + rotation.turning, count)

    def copy(self, source: Value, target: Value, at: Value, count: int) -> None:
        """Copy the elements of a head that are not rotated."""
        wide = self.rotation.kind.vector(self.lanes)
        if count == self.lanes:
            self.k.store(self.k.load(source, at, wide), target, at)
        else:
            self.k.store_masked(self.k.load_masked(source, at, count, wide), target, at, count)

    def _angles(self, cos: Value, sin: Value, at: Value, count: int) -> tuple[Value, Value]:
        """cos and sin for the pairs from `at` on; interleaved: each twice, sin with alternating sign."""
        k, rotation = self.k, self.rotation
        c, s = (self.load(table, at, count, rotation.table_kind) for table in (cos, sin))
        s = -s if rotation.backward else s
        if not rotation.interleaved:
            return c, s
        twice = [lane // 2 for lane in range(self.lanes)]
        c, s = (k.shuffle(value, None, twice) for value in (c, s))
        signs = k.vector_of([-1.0 if lane % 2 == 0 else 1.0 for lane in range(self.lanes)], rotation.compute)
        return c, s * signs


def _emit(code: KernelCode, rotation: Rotation, out: int) -> None:
    k, rope = code.code, _Rope(code, rotation, out)
    tokens, total = index_of(code, rotation.tokens), index_of(code, rotation.batch * rotation.tokens)
    for number in k.range(k.begin * _UNIT_TOKENS, k.minimum(k.end * _UNIT_TOKENS, total)):
        rope.token(number.udiv(tokens), number.urem(tokens))


def lower(op: Op, inputs: tuple[Tensor | None, ...], outputs: tuple[Tensor, ...], target: Target) -> Lowering | str:
    """Lower rope and rope_backward on f32, f64, f16 and bf16; x and the tables may be views whose last axis is dense."""
    x, cos, sin = inputs[0], inputs[1], inputs[2]
    positions = inputs[3] if len(inputs) > 3 else None
    assert x is not None and cos is not None and sin is not None
    if cos.dtype is not sin.dtype:
        return f"rope tables of {cos.dtype} and {sin.dtype}"
    for name, tensor in (("x", x), ("cos", cos), ("sin", sin)):
        dense = tensor.strides[-1] == 1 or (isinstance(tensor.dims[-1], int) and tensor.dims[-1] <= 1)
        if not dense:
            return f"the last axis of {name} is not dense"
    head_dim = op.attrs["head_dim"]
    turning = head_dim if op.attrs["n_rot"] is None else op.attrs["n_rot"]
    compute = F64 if x.dtype.name == "f64" else F32
    rotation = Rotation(
        x.dims[0],
        x.dims[1],
        x.dims[2] if len(x.dims) == 4 else floordiv(x.dims[2], head_dim),
        head_dim,
        turning,
        op.attrs["interleaved"],
        op.name == "rope_backward",
        _token_strides(x, head_dim),
        _token_strides(outputs[0], head_dim),
        cos.dims[0] if len(cos.dims) == 2 else None,
        (_table_strides(cos), _table_strides(sin)),
        None if positions is None else positions.strides,
        None if positions is None else positions.dtype,
        type_of(x.dtype.name),
        type_of(cos.dtype.name),
        compute,
    )
    operands = tuple(index for index, tensor in enumerate(inputs) if tensor is not None)
    units = ceildiv(rotation.batch * rotation.tokens, _UNIT_TOKENS)
    emit = partial(_emit, rotation=rotation, out=len(operands))
    in_place = ((0, 0),) if x.is_dense else ()
    return Lowering((Stage(op.name, rotation, (*operands, len(inputs)), units, emit),), in_place=in_place)


def _token_strides(tensor: Tensor, head_dim: int) -> tuple[Size, Size, Size]:
    head = tensor.strides[2] if len(tensor.dims) == 4 else head_dim
    return tensor.strides[0], tensor.strides[1], head


def _table_strides(table: Tensor) -> tuple[Size, ...]:
    if len(table.dims) == 2:
        return (table.strides[0],)
    repeated = isinstance(table.dims[0], int) and table.dims[0] == 1
    return (0 if repeated else table.strides[0], table.strides[1])


LOWER: dict[str, Lower] = {"rope": lower, "rope_backward": lower}
"""The ops of this file by name."""
