"""Packed params as compiled graphs read them: the names of their parts, and the order in which products run through them."""

from __future__ import annotations

from rlx.core.dim import ceildiv
from rlx.core.shape import Shape

__all__ = ["ORDERED", "ROWS", "ordered_shape", "part_name"]

ORDERED = "interleaved"
"""The part of a packed param that is its bytes in the order of products."""
ROWS = 8
"""Rows side by side."""


def part_name(name: str, part: str) -> str:
    """The param that holds a part of a packed one: the packed numbers keep its name."""
    return name if part == "w" else f"{name}.{part}"


def ordered_shape(rows: Shape) -> Shape:
    """The bytes of rows `[…, n, bytes]` in the order of products."""
    *lead, n, length = rows.dims
    return rows.with_dims((*lead, ceildiv(n, ROWS), length * ROWS))
