"""Rotary position embedding and its backward: pairs of a head's dims turned by an angle of the position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.core.dtype import i32
from rlx.core.shape import is_one
from rlx.ir.emit import constant, size_scalar
from rlx.ir.tolerance import near_max
from rlx.ir.value import one
from rlx.ops.attention.attention import counting
from rlx.ops.elementwise.unary import cos, sin
from rlx.ops.inference import per_element, per_operand_element
from rlx.ops.record import OPS, Array, Attr, Call, Case, DType, Op, OpKind, Shape, Size, Value, as_dtype, case, define, sample
from rlx.ops.reduction import FLOATS
from rlx.transforms.rules.batching import (
    Axis,
    Batched,
    Operands,
    again,
    batch_op,
    batch_size,
    in_front,
    in_rows,
    merge_batch,
    split_batch,
)
from rlx.transforms.rules.derivative import Derivative, Maybe, Rule, Values, jvp_by_parts, vjp_by_parts


# -- shapes -----------------------------------------------------------------------------------------------------
def _rotate_all(call: Call) -> Op:
    return call.op if call.n_rot is not None else call.op.with_attrs(n_rot=call.head_dim)


def _rope_shape(call: Call) -> Shape:
    x, cos, sin = call.given[:3]
    n_rot = call.head_dim if call.n_rot is None else call.n_rot
    if n_rot < 0 or n_rot % 2 or n_rot > call.head_dim:
        fix = f"an even number, at most head_dim = {call.head_dim}"
        raise call.error("RLX105", f"n_rot is {n_rot}", fix=fix)
    for shape in (x, cos, sin):
        if not shape.dtype.is_float:
            raise call.error("RLX103", f"{shape.dtype} is not accepted", fix=f"{call.op.name} takes floats")
    if x.rank == 3:
        if not call.same(x.dims[2] % call.head_dim, 0):
            message = f"the last size {x.dims[2]} is no multiple of head_dim = {call.head_dim}"
            raise call.error("RLX102", message, fix="[B, S, heads·head_dim]")
    elif x.rank == 4:
        call.check_same(x.dims[3], call.head_dim, "last size and head_dim:")
    else:
        raise call.error("RLX102", f"x has rank {x.rank}", fix="[B, S, heads·D] or [B, S, heads, D]")
    _check_tables(call, x.dims[0], x.dims[1], n_rot // 2)
    return x


def _check_tables(call: Call, batch: Size, length: Size, half: int) -> None:
    cos, sin = call.given[1:3]
    places = call.shape(3)
    if cos.rank not in (2, 3) or sin.rank != cos.rank:
        message = f"tables of rank {cos.rank} and {sin.rank}"
        raise call.error("RLX102", message, fix=f"both [P, {half}], or both [B or 1, S, {half}]")
    for mine, other in zip(cos.dims, sin.dims, strict=True):
        call.check_same(mine, other, "sizes of cos and sin")
    call.check_same(cos.dims[-1], half, "last size of the tables and n_rot/2:")
    if cos.rank == 3:
        if places is not None:
            raise call.error("RLX101", "positions beside tables per token", fix="tables [P, n_rot/2], or no positions")
        if not (isinstance(cos.dims[0], int) and cos.dims[0] == 1):
            call.check_same(cos.dims[0], batch, "batch of the tables and of x:")
        call.check_same(cos.dims[1], length, "lengths of the tables and of x:")
    elif places is None:
        what = "sequence length against the rows of the tables, as no positions are given"
        call.check_at_most(length, cos.dims[0], what)
    else:
        if not places.dtype.is_integer:
            raise call.error("RLX103", f"positions are {places.dtype}", fix="integers, i32[B, S]")
        if places.rank != 2:
            raise call.error("RLX102", f"positions have rank {places.rank}", fix="one for each token: i32[B, S]")
        call.check_same(places.dims[0], batch, "batch of positions and of x:")
        call.check_same(places.dims[1], length, "lengths of positions and of x:")


# -- meaning ----------------------------------------------------------------------------------------------------
def _table_rows(table: Array, length: int, positions: Array | None) -> Array:
    """The row of the rope tables for each token, `[B or 1, S, n_rot/2]`: negative positions count from the end, then clip."""
    if table.ndim == 3:
        return table
    places = np.arange(length)[None] if positions is None else positions.astype(np.int64)
    places = np.where(places < 0, places + table.shape[0], places)
    return table[np.clip(places, 0, max(table.shape[0] - 1, 0))]


def _rope(
    x: Array, cos: Array, sin: Array, positions: Array | None = None, *, head_dim: int, n_rot: int | None, interleaved: bool
) -> Array:
    wide = [a.astype(np.float32) if DType.of(a.dtype).is_low_float else a for a in (x, cos, sin)]
    heads = wide[0].reshape(*x.shape[:2], int(np.prod(x.shape[2:])) // head_dim, head_dim)
    rotated = head_dim if n_rot is None else n_rot
    c, s = (_table_rows(table, x.shape[1], positions)[:, :, None] for table in wide[1:])
    if interleaved:
        first, second = slice(0, rotated, 2), slice(1, rotated, 2)
    else:
        first, second = slice(0, rotated // 2), slice(rotated // 2, rotated)
    turned = heads.astype(np.result_type(heads, c))
    turned[..., first] = heads[..., first] * c - heads[..., second] * s
    turned[..., second] = heads[..., second] * c + heads[..., first] * s
    return turned.reshape(x.shape)


def _decompose_rope(
    x: Value, cos: Value, sin: Value, positions: Value | None = None, *, head_dim: int, n_rot: int | None, interleaved: bool
) -> Value:
    """`rope` in primitive ops: gathers table rows, multiplies both halves of each pair and joins them."""
    rotated = head_dim if n_rot is None else n_rot
    if rotated == 0:
        return x
    batch, length = x.shape[:2]
    heads = x.reshape(batch, length, x.shape[2] if x.rank == 4 else x.shape[2] // head_dim, head_dim)
    if cos.rank == 2:
        places = counting(x.graph, length).reshape(1, length) if positions is None else positions
        cos, sin = (OPS["gather"](table, places, axis=0, mode="clip") for table in (cos, sin))
    compute = x.dtype.compute
    c, s = (as_dtype(t, compute).reshape(t.shape[0], t.shape[1], 1, rotated // 2) for t in (cos, sin))
    turning = as_dtype(OPS["narrow"](heads, axis=3, start=0, length=rotated), compute)
    if interleaved:
        pairs = turning.reshape(*heads.shape[:3], rotated // 2, 2)
        first, second = (OPS["narrow"](pairs, axis=4, start=i, length=1).reshape(*pairs.shape[:4]) for i in (0, 1))
        halves = [first * c - second * s, second * c + first * s]
        turned = OPS["concat"](*(half.reshape(*half.shape, 1) for half in halves), axis=4).reshape(turning.shape)
    else:
        first, second = OPS["split"](turning, sizes=(rotated // 2, rotated // 2), axis=3)
        turned = OPS["concat"](first * c - second * s, second * c + first * s, axis=3)
    turned = as_dtype(turned, x.dtype)
    if rotated < head_dim:
        rest = OPS["narrow"](heads, axis=3, start=rotated, length=head_dim - rotated)
        turned = OPS["concat"](turned, rest, axis=3)
    return one("reshape", turned, shape=x.shape)


def decode_positions(length: Value, seq: Size) -> Value:
    """The rope positions `i32[B, S]` of S new tokens after `length` i32[B] earlier ones."""
    batch = length.shape[0]
    return as_dtype(length, i32).reshape(batch, 1) + counting(length.graph, seq)


def advance(length: Value, seq: Size) -> Value:
    """Adds S to `length`, also for a symbolic S."""
    return as_dtype(length, i32) + size_scalar(length, seq)


# -- transforms -------------------------------------------------------------------------------------------------
def _turned_vjp(back: str) -> Rule:
    """The vjp of `rope`: rotates dy by the opposite angle. Learned tables get their gradients from the decomposition."""

    def rule(call: Derivative, operands: Values, results: Values, cotangents: Values) -> Sequence[Maybe]:
        if any(call.wanted[1:3]):
            return vjp_by_parts()(call, operands, results, cotangents)
        return [OPS[back](cotangents[0], *operands[1:], **call.op.attrs), *(None for _ in operands[1:])]

    return rule


def _turned_jvp(call: Derivative, operands: Values, results: Values, tangents: Values) -> Sequence[Maybe]:
    if any(t is not None for t in tangents[1:]):
        return jvp_by_parts()(call, operands, results, tangents)
    return [call.op.definition(tangents[0], *operands[1:], **call.op.attrs)]


def _batch_rope(call: Call, operands: Operands, axes: Sequence[Axis]) -> Batched:
    """Batches `rope` over the tokens of all examples. Shared tables stay; rows of tables by example are gathered first."""
    size = batch_size(operands, axes)
    x, cos, sin, *rest = operands
    assert x is not None and cos is not None and sin is not None
    places, where = (rest[0], axes[3]) if rest else (None, None)
    tables = [(cos, axes[1]), (sin, axes[2])]
    rows, length = call.given[0].dims[:2]
    shared = axes[1] is None and axes[2] is None
    if shared and (call.given[1].rank == 2 or is_one(cos.shape[0])):
        given = (merge_batch(x, axes[0], size), cos, sin, None if places is None else merge_batch(places, where, size))
        return split_batch(call, again(call, given), size)
    looked_up = [_by_token(table, axis, places, where, size, rows, length) for table, axis in tables]
    return split_batch(call, again(call, (merge_batch(x, axes[0], size), *looked_up)), size)


def _by_token(table: Value, axis: Axis, places: Value | None, where: Axis, size: Size, rows: Size, length: Size) -> Value:
    """The rows of a rope table for the tokens of all examples, `[n·B, S, n_rot/2]`."""
    rank = table.rank if axis is None else table.rank - 1
    whole = in_front(table, axis, size)
    if rank == 2 and places is not None:
        (whole,), _ = batch_op(whole.graph, OPS["gather"].op(axis=0), (whole, places), (0, where))
    elif rank == 2:
        whole = OPS["narrow"](whole, axis=1, start=0, length=length).reshape(size, 1, length, table.shape[-1])
    if is_one(whole.shape[1]):
        whole = OPS["expand"](whole, shape=(size, rows, *whole.shape[2:]))
    return merge_batch(whole, 0, size)


# -- the records ------------------------------------------------------------------------------------------------
def _rope_cases() -> list[Case]:
    floats = ("f32", "f64", "f16", "bf16")
    places = sample(2, 5, dtype="i32", fixed=[[4, 3, 0, 8, 1], [-1, 99, 2, 2, -99]])
    single = sample(3, 1, dtype="i32", fixed=[[6], [0], [3]])
    x = sample(2, 5, 24)

    def row(note: str, x: Any, tables: tuple[int, ...], *places: Any, head_dim: int = 8, **more: Any) -> Case:
        table = sample(*tables, low=-1, high=1)
        return case(x, table, table, *places, note=note, head_dim=head_dim, **more)

    return [
        row("packed heads", x, (9, 4), dtypes=floats),
        row("odd: half of a head turns", sample(2, 5, 3, 8), (9, 2), dtypes=floats, n_rot=4),
        row("odd: positions negative and past the end", x, (9, 4), places),
        row("interleaved pairs, partial", x, (9, 3), places, dtypes=floats, n_rot=6, interleaved=True),
        row("tables per token", x, (2, 5, 4)),
        row("tables per token, broadcast over the batch", x, (1, 5, 4)),
        row("odd: one token each, head_dim 67", sample(3, 1, 134), (7, 33), single, head_dim=67, n_rot=66),
        row("nothing turns", sample(2, 3, 8), (3, 0), n_rot=0),
        row("size 0", sample(2, 0, 8), (3, 4)),
    ]


_ATTRS = {
    "head_dim": Attr("int", help="size of a head"),
    "n_rot": Attr("int", None, "dims of each head that turn, even; head_dim when not given"),
    "interleaved": Attr("bool", False, "pairs (2i, 2i + 1) instead of (i, i + n_rot/2)"),
}

rope = define(
    "rope",
    "x, cos, sin, positions:index?",
    infer=_rope_shape,
    normalize=_rotate_all,
    reference=_rope,
    decompose=_decompose_rope,
    kind=OpKind.DataMovement,
    attrs=_ATTRS,
    doc="""Rotary position embedding: each pair (a, b) of a head becomes (a·cos - b·sin, b·cos + a·sin).

    x is `[B, S, heads·D]` or `[B, S, heads, D]`. Pairs are dims (i, i + n_rot/2) of the first n_rot of each head,
    interleaved (2i, 2i + 1); the rest is copied. Tables are `[P, n_rot/2]`, rows picked by positions i32[B, S] (0…S-1
    when not given; negative ones count from the end, then clip), or `[B or 1, S, n_rot/2]`. The result has x's dtype,
    computed in f32 (f64 for f64).""",
    tolerance=near_max(4),
    cost=per_element(3),
    cases=_rope_cases,
    vjp=_turned_vjp("rope_backward"),
    jvp=_turned_jvp,
    batch=_batch_rope,
)

rope_backward = define(
    "rope_backward",
    "dy, cos, sin, positions:index?",
    infer=_rope_shape,
    normalize=_rotate_all,
    reference=lambda dy, cos, sin, positions=None, **attrs: _rope(dy, cos, -sin, positions, **attrs),
    decompose=lambda dy, cos, sin, positions=None, **attrs: one("rope", dy, cos, -sin, positions, **attrs),
    kind=OpKind.DataMovement,
    attrs=_ATTRS,
    doc="The gradient of `rope`: a rotation by the opposite angle.",
    tolerance=near_max(4),
    cost=per_element(3),
    cases=_rope_cases,
    vjp=_turned_vjp("rope"),
    jvp=_turned_jvp,
    batch=_batch_rope,
)


# -- rotary positions on a grid: the pairs of a head turn by the column, then by the row -----------------------------


def _axial_shape(call: Call) -> Shape:
    x = call.given[0]
    if not x.dtype.is_float or x.rank != 3:
        raise call.error("RLX102", f"x is {x}", fix="floats [B, seq, heads·head_dim]")
    for name in ("end_x", "end_y", "num_heads", "repeat_factor"):
        if call.op.attrs[name] < 1:
            raise call.error("RLX105", f"{name} is {call.op.attrs[name]}", fix="at least 1")
    if call.head_dim % 4 or call.head_dim < 4:
        raise call.error("RLX105", f"head_dim is {call.head_dim}", fix="a multiple of 4: pairs turn by x, then by y")
    call.check_same(x.dims[2], call.num_heads * call.head_dim, "last size and num_heads·head_dim:")
    return x


def axial_angles(tokens: int, end_x: int, head_dim: int, theta: float, repeat_factor: int) -> Array:
    """The axial rope angles of each token's pairs, `[tokens, head_dim/2]`: by column for the first half, then by row."""
    frequency = theta ** (-4.0 * np.arange(head_dim // 4) / head_dim)
    position = np.arange(tokens) // repeat_factor
    return np.concatenate([np.outer(position % end_x, frequency), np.outer(position // end_x, frequency)], 1)


def _axial_rope(x: Array, end_x: int, end_y: int, head_dim: int, num_heads: int, theta: float, repeat_factor: int) -> Array:
    angle = axial_angles(x.shape[1], end_x, head_dim, theta, repeat_factor)[None, :, None]
    kind = np.float64 if x.dtype == np.float64 else np.float32
    pairs: Array = x.astype(kind).reshape(*x.shape[:2], num_heads, head_dim // 2, 2)
    c, s = (np.asarray(turn(angle), kind) for turn in (np.cos, np.sin))
    first, second = pairs[..., 0], pairs[..., 1]
    return np.stack([first * c - second * s, second * c + first * s], -1).reshape(x.shape)


def _axial_by_rope(x: Value, *, end_x: int, end_y: int, head_dim: int, num_heads: int, theta: float, repeat_factor: int) -> Any:
    """Axial rope as `rope` on adjacent pairs with tables of the grid."""
    tokens = x.shape[1]
    dtype = x.dtype.compute
    if isinstance(tokens, int):
        angle = axial_angles(tokens, end_x, head_dim, theta, repeat_factor)
        tables = [constant(x.graph, table(angle), dtype) for table in (np.cos, np.sin)]
    else:
        frequency = constant(x.graph, theta ** (-4.0 * np.arange(head_dim // 4) / head_dim), dtype)
        position = counting(x.graph, tokens) // repeat_factor
        parts = [as_dtype(part, dtype).reshape(tokens, 1) * frequency for part in (position % end_x, position // end_x)]
        turned = OPS["concat"](*parts, axis=1)
        tables = [cos(turned), sin(turned)]
    return rope(x, *tables, head_dim=head_dim, interleaved=True)


axial_rope_2d = define(
    "axial_rope_2d",
    "x",
    infer=_axial_shape,
    reference=_axial_rope,
    kind=OpKind.DataMovement,
    attrs={
        "end_x": Attr("int", help="columns of the grid"),
        "end_y": Attr("int", help="rows of the grid"),
        "head_dim": Attr("int"),
        "num_heads": Attr("int"),
        "theta": Attr("float", 10000.0),
        "repeat_factor": Attr("int", 1, help="tokens that share a position"),
    },
    doc="""Rotary embedding by the place on a grid: token t of `[B, seq, H·D]` sits at pos = t // repeat_factor.

    The first D/2 dims of a head turn by the column pos % end_x, the others by the row pos // end_x, in adjacent pairs
    with frequencies theta^(-4i/D), i < D/4.""",
    tolerance=near_max(8),
    cost=per_operand_element(3),
    decompose=_axial_by_rope,
    cases=lambda: [
        case(sample(2, 12, 16), note="a grid of 4 by 3", dtypes=FLOATS, end_x=4, end_y=3, head_dim=8, num_heads=2),
        case(
            sample(1, 10, 24),
            note="odd grid, two tokens to a place",
            end_x=5,
            end_y=1,
            head_dim=12,
            num_heads=2,
            theta=100.0,
            repeat_factor=2,
        ),
        case(sample(1, 0, 8), note="size 0", end_x=1, end_y=1, head_dim=8, num_heads=1),
    ],
    batch=in_rows(),
)
