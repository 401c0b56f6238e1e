"""How much memory a process could take now."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def free_memory() -> int | None:
    """Bytes that are free, or that the system would free, within the limits of the process and its cgroup; None where nothing says it.

    >>> (free_memory() or 1) > 0
    True
    """
    found: list[int] = []
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        found += [int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError, IndexError):
        group = Path("/sys/fs/cgroup") / Path("/proc/self/cgroup").read_text("utf-8").split("::", 1)[1].split("\n")[0].strip("/")
        for folder in (group, *group.parents):
            with suppress(OSError, ValueError):  # "max" is no number: no limit here
                limit = int((folder / "memory.max").read_text("ascii"))
                found.append(limit - int((folder / "memory.current").read_text("ascii")))
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
            found.append(limit - used)
    if not found:
        with suppress(AttributeError, OSError, ValueError):
            found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return max(0, min(found)) if found else None


def give_back_freed() -> None:
    """Give back to the system what the C library holds though it was freed: after a burst that may be hundreds of megabytes."""
    with suppress(AttributeError, OSError, ImportError):  # only glibc has it
        import ctypes

        ctypes.CDLL(None).malloc_trim(0)
