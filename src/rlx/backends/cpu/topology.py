"""Which CPUs share a core, a last-level cache or a memory node, as Linux tells it under /sys; elsewhere every CPU is a core."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rlx.core import cache

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_POSSIBLE = frozenset(range(8192))
"""The largest number of CPUs a Linux is built for."""


@dataclass(frozen=True)
class Topology:
    """The CPUs a process may use: grouped by core and by memory node, and the bytes of their last-level caches."""

    cores: tuple[tuple[int, ...], ...]
    nodes: tuple[tuple[int, ...], ...]
    last_level_bytes: int

    @staticmethod
    def read(root: Path = Path("/"), cpus: Collection[int] | None = None) -> Topology:
        """Reads the topology of some CPUs, or of those this process may use; `root` holds the folder `sys`.

        Files that are missing or malformed are ignored: a machine without a description still runs.
        """
        allowed = frozenset(_usable_cpus() if cpus is None else cpus)
        folder = root / "sys/devices/system"
        cores = _groups(allowed, folder / "cpu", "topology/thread_siblings_list")
        nodes = {
            tuple(sorted(_parse_list(_text(path / "cpulist"), allowed))) for path in sorted((folder / "node").glob("node[0-9]*"))
        }
        known = tuple(sorted(node for node in nodes if node)) or (tuple(sorted(allowed)),)
        return Topology(cores, known, _last_level(allowed, folder / "cpu"))

    def homes(self, threads: int) -> tuple[tuple[int, ...], ...]:
        """The CPUs each of some threads stays on: those of a memory node, which has threads by its cores. With one node, none: they
        may go anywhere.

        >>> Topology(((0,), (1,), (2,), (3,)), ((0, 1), (2, 3)), 0).homes(3)
        ((0, 1), (0, 1), (2, 3))
        """
        if len(self.nodes) < 2:
            return ((),) * threads
        owners = [node for node in self.nodes for core in self.cores if not set(core).isdisjoint(node)]
        return tuple(owners[number * len(owners) // threads] for number in range(threads))

    @property
    def cpus(self) -> frozenset[int]:
        """All CPUs of the topology."""
        return frozenset(cpu for core in self.cores for cpu in core)

    def describe(self, root: Path = Path("/")) -> dict[str, str]:
        """The topology's line in `rlx doctor`: cores, with the CPUs that are there but not used, and memory nodes."""
        sizes = sorted({len(core) for core in self.cores})
        each = f", {' or '.join(map(str, sizes))} CPUs each" if sizes != [1] else ""
        folder = root / "sys/devices/system/cpu"
        rest = [(_everyone(folder / "online") - self.cpus, "not allowed to this process")]
        rest.append((_everyone(folder / "offline"), "offline"))
        unused = "".join(f"; CPUs {as_ranges(cpus)} are {why}" for cpus, why in rest if cpus)
        nodes = "; ".join(f"CPUs {as_ranges(node)}" for node in self.nodes)
        return {
            "cores": f"{len(self.cores)}{each}{unused}",
            "memory nodes": f"{len(self.nodes)}: {nodes}" if len(self.nodes) > 1 else "1",
        }


def known_topology(root: Path = Path("/"), cpus: Collection[int] | None = None) -> Topology:
    """Like `Topology.read`, but cached for the same CPUs: reading takes some files for each."""
    return _known(root, frozenset(_usable_cpus() if cpus is None else cpus))


_known = lru_cache(maxsize=4)(Topology.read)


def as_ranges(cpus: Collection[int]) -> str:
    """Formats numbers as Linux lists them.

    >>> as_ranges({0, 1, 2, 3, 8, 10, 11})
    '0-3,8,10-11'
    """
    ordered = sorted(cpus)
    firsts = [cpu for cpu in ordered if cpu - 1 not in cpus]
    lasts = [cpu for cpu in ordered if cpu + 1 not in cpus]
    return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in zip(firsts, lasts, strict=True))


def _everyone(path: Path) -> frozenset[int]:
    """The set of CPUs that a file lists, limited to as many as Linux can have."""
    return _parse_list(_text(path), _POSSIBLE)


def _usable_cpus() -> Collection[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)


def _groups(allowed: frozenset[int], folder: Path, name: str) -> tuple[tuple[int, ...], ...]:
    """Groups the allowed CPUs by what a file of each lists; one that its file does not list, or is in a group already, is alone."""
    groups: list[tuple[int, ...]] = []
    grouped: set[int] = set()
    for cpu in sorted(allowed):
        if cpu not in grouped:
            listed = _parse_list(_text(folder / f"cpu{cpu}" / name), allowed) - grouped
            groups.append(tuple(sorted(listed)) if cpu in listed else (cpu,))
            grouped.update(groups[-1])
    return tuple(sorted(groups))


def _last_level(allowed: frozenset[int], folder: Path) -> int:
    """The bytes of the largest caches that the allowed CPUs reach, each counted once."""
    caches: dict[tuple[int, str], int] = {}
    for cpu in allowed:
        levels = [(_number(_text(path / "level")), path) for path in (folder / f"cpu{cpu}/cache").glob("index[0-9]*")]
        if levels:
            level, path = max(levels, key=lambda pair: pair[0])
            caches[level, _text(path / "shared_cpu_list") or str(cpu)] = _bytes(_text(path / "size"))
    return sum(caches.values())


def _parse_list(text: str, allowed: frozenset[int]) -> frozenset[int]:
    """The allowed CPUs in a list such as `0-3,8`; a part that is not a range names none."""
    cpus: set[int] = set()
    for part in text.split(","):
        first, dash, last = (item.strip() for item in part.partition("-"))
        if _is_number(first) and (_is_number(last) or not dash):
            low, high = int(first), int(last or first)
            cpus.update(cpu for cpu in allowed if low <= cpu <= high)  # not the range: there may be no end to it
    return frozenset(cpus)


def _bytes(text: str) -> int:
    unit = text[-1:]
    return _number(text.removesuffix(unit) if unit in _UNITS else text) * _UNITS.get(unit, 1)


def _number(text: str) -> int:
    return int(text) if _is_number(text) else 0


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, ValueError):  # ValueError: no text
        return ""


# -- the parameters that `rlx tune` chose for a machine, in the disk cache next to the programs ----------------------


if TYPE_CHECKING:
    from rlx.backends.cpu.target import Target


def keep(target: Target, sizes: Mapping[str, int]) -> None:
    """Saves the tuned parameters of this machine; nothing is saved if the disk cache is off."""
    cache.store(_name(target), json.dumps(dict(sizes)).encode())


def apply(target: Target) -> Target:
    """The target with its saved parameters, if there are any."""
    tuned = cache.read(
        _name(target), lambda stored: target.with_sizes({name: int(value) for name, value in json.loads(stored).items()})
    )
    return tuned or target


def _name(target: Target) -> str:
    return cache.key("tuned", target.triple, target.cpu, target.features)
