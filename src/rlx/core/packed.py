"""Packed params as compiled graphs read them: the names of their parts."""

from __future__ import annotations


def part_name(name: str, part: str) -> str:
    """The param that holds a part of a packed one: the packed numbers keep its name."""
    return name if part == "w" else f"{name}.{part}"
