"""How much memory a process could take now."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

__all__ = ["free_memory"]


def free_memory() -> int | None:
    """Bytes that are free, or that the system would free, within the limit of the process's cgroup; None where nothing says it.

    >>> (free_memory() or 1) > 0
    True
    """
    found: list[int] = []
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        found += [int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError, IndexError):
        group = Path("/sys/fs/cgroup") / Path("/proc/self/cgroup").read_text("utf-8").split("::", 1)[1].split("\n")[
            0
        ].strip("/")
        for folder in (group, *group.parents):
            with suppress(OSError, ValueError):  # "max" is no number: no limit here
                limit = int((folder / "memory.max").read_text("ascii"))
                found.append(limit - int((folder / "memory.current").read_text("ascii")))
    if not found:
        with suppress(AttributeError, OSError, ValueError):
            found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return max(0, min(found)) if found else None
