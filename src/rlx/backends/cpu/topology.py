"""Which CPUs share a core, a last-level cache or a memory node, as Linux tells it under /sys; elsewhere every CPU is a core."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Topology"]

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True)
class Topology:
    """The CPUs a process may use: grouped by core and by memory node, and the bytes of their last-level caches."""

    cores: tuple[tuple[int, ...], ...]
    nodes: tuple[tuple[int, ...], ...]
    last_level_bytes: int

    @staticmethod
    def read(root: Path = Path("/"), cpus: Collection[int] | None = None) -> Topology:
        """Of some CPUs, or of those this process may use; `root` holds the folder `sys`."""
        allowed = frozenset(_allowed() if cpus is None else cpus)
        folder = root / "sys/devices/system"
        cores = _groups(allowed, folder / "cpu", "topology/thread_siblings_list")
        nodes = {
            tuple(sorted(allowed & _listed(_text(path / "cpulist"))))
            for path in sorted((folder / "node").glob("node[0-9]*"))
        }
        found = tuple(sorted(node for node in nodes if node)) or (tuple(sorted(allowed)),)
        return Topology(cores, found, _last_level(allowed, folder / "cpu"))


def _allowed() -> Collection[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)


def _groups(allowed: frozenset[int], folder: Path, name: str) -> tuple[tuple[int, ...], ...]:
    """The allowed CPUs by what a file of each lists; one of which nothing is known is alone."""
    found = set()
    for cpu in allowed:
        listed = _listed(_text(folder / f"cpu{cpu}" / name)) & allowed
        found.add(tuple(sorted(listed)) or (cpu,))
    return tuple(sorted(found))


def _last_level(allowed: frozenset[int], folder: Path) -> int:
    """The bytes of the largest caches that the allowed CPUs reach, each counted once."""
    caches: dict[tuple[int, str], int] = {}
    for cpu in allowed:
        levels = [(int(_text(path / "level") or 0), path) for path in (folder / f"cpu{cpu}/cache").glob("index[0-9]*")]
        if levels:
            level, path = max(levels, key=lambda found: found[0])
            caches[level, _text(path / "shared_cpu_list") or str(cpu)] = _bytes(_text(path / "size"))
    return sum(caches.values())


def _listed(text: str) -> frozenset[int]:
    """`0-3,8` as numbers."""
    found: set[int] = set()
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if first.isdigit():
            found.update(range(int(first), int(last or first) + 1))
    return frozenset(found)


def _bytes(text: str) -> int:
    number, unit = text.rstrip("KMG"), text[-1:]
    return int(number) * _UNITS.get(unit, 1) if number.isdigit() else 0


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
