"""What a program of XLA exchanges between devices, read from its text."""

from __future__ import annotations

import re

_COLLECTIVE = re.compile(r"= (\(.*?\)|\S+) (all-gather|all-reduce|reduce-scatter|all-to-all|collective-permute)(-start)?\(")
_ARRAY = re.compile(r"(\w+?)\[([\d,]*)\]")
_BITS = re.compile(r"\d+")


def collectives_in(text: str) -> dict[str, tuple[int, int]]:
    """How many collectives of each kind a program has, and the bytes of their results on one device; several joined ones count once."""
    seen: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(text.splitlines()):
        found = _COLLECTIVE.search(line)
        if found is None:
            continue
        arrays = _ARRAY.findall(found[1])
        if found[3] and found[2] != "all-reduce":  # what goes in stands before what comes out, and counters after both
            arrays = [array for array in arrays if array != ("u32", "")]
            arrays = arrays[len(arrays) // 2 :]
        channel = re.search(r"channel_id=(\d+)", line)
        size = sum(_array_bytes(kind, dims) for kind, dims in arrays)
        seen[channel[1] if channel else f"line {number}"] = found[2], size
    totals: dict[str, tuple[int, int]] = {}
    for kind, size in seen.values():
        count, before = totals.get(kind, (0, 0))
        totals[kind] = count + 1, before + size
    return dict(sorted(totals.items()))


def _array_bytes(kind: str, dims: str) -> int:
    bits = _BITS.search(kind)
    size = int(bits[0]) // 8 if bits else 1  # pred
    for part in dims.split(","):
        size *= int(part) if part else 1
    return size
