"""Rotary positions on a grid: the pairs of a head turn by the column, then by the row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rlx.core.enums import OpKind
from rlx.core.shape import Shape
from rlx.ir.attributes import Attr
from rlx.ir.emit import constant
from rlx.ir.op import OPS, Call, define
from rlx.ir.tolerance import case, near_max, sample
from rlx.ir.value import Value, as_dtype
from rlx.ops.attention.decomposition import counting
from rlx.ops.attention.rope import rope
from rlx.ops.elementwise.unary import cos, sin
from rlx.ops.inference import per_operand_element
from rlx.ops.reduction.reduce import FLOATS
from rlx.transforms.rules.batch_formulas import in_rows

Array = npt.NDArray[Any]


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
    """The angle of each pair of each token, `[tokens, head_dim/2]`: by column for the first half, then by row."""
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
    """`rope` on adjacent pairs with tables of the grid."""
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
