"""Moving bits between columns of bytes, many columns at once: how packed numbers are reordered in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Move:
    """Parts of bytes that move together: `target[…] |= (source[…] & mask) << left >> right`, at most one for each target."""

    targets: Array
    sources: Array
    masks: Array
    left: Array
    right: Array


def bit_moves(targets: Array, sources: Array) -> tuple[Move, ...]:
    """The moves that bring bit `sources[i]` to bit `targets[i]`, for all i; bit b of byte a has the number 8a + b.

    >>> swap = bit_moves(np.arange(8), np.arange(8) ^ 4)  # the nibbles of a byte
    >>> target = np.zeros((1, 2), np.uint8)
    >>> move_bits(swap, np.array([[0x12, 0xF0]], np.uint8), target)
    >>> [hex(byte) for byte in target[0]]
    ['0x21', '0xf']
    """
    fields: dict[tuple[int, int, int], int] = {}  # (target byte, source byte, shift) -> mask of the source
    for target, source in zip(targets.tolist(), sources.tolist(), strict=True):
        key = (target // 8, source // 8, target % 8 - source % 8)
        fields[key] = fields.get(key, 0) | 1 << (source % 8)
    rounds: list[list[tuple[int, int, int, int]]] = []
    seen: dict[int, int] = {}
    for (target, source, shift), mask in sorted(fields.items()):
        turn = seen.get(target, 0)
        seen[target] = turn + 1
        if turn == len(rounds):
            rounds.append([])
        rounds[turn].append((target, source, mask, shift))
    carried = []
    for moves in rounds:
        to, source_bytes, masks, shifts = (np.array(column) for column in zip(*moves, strict=True))
        small = [array.astype(np.uint8)[:, None] for array in (masks, np.maximum(shifts, 0), np.maximum(-shifts, 0))]
        carried.append(Move(to, source_bytes, *small))
    return tuple(carried)


def move_bits(moves: tuple[Move, ...], source: Array, target: Array) -> None:
    """Applies moves to bytes: `source` and `target` are `[bytes, columns]`, and the bits of the target that are written were 0."""
    for move in moves:
        target[move.targets] |= (source[move.sources] & move.masks) << move.left >> move.right
