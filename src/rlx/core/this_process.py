"""This process: when Python's cyclic garbage collector runs, how much memory is free, and which threads can wait."""

from __future__ import annotations

import gc
import importlib
import itertools
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

_IMMORTAL = 1000 if sys.version_info >= (3, 12) else 0
"""So many frozen objects may be Python's own: from 3.12 on a full collection sets immortal ones aside, a few hundred, as if frozen."""
_SECONDS, _MANY, _FULL = 1.0, 20_000, 100
"""Of a server: the pause between two collections, the new objects that cause one, and how often it is a full one."""
_lock = threading.Lock()
_pausing = 0
"""How many are inside; the collector starts again with the last of them."""
_imported = False
"""Whether a pause has ended: the first one's objects are mostly modules."""


def _make_old() -> None:
    """Moves all objects to the GC's oldest generation, unless the program itself has frozen objects: those would not stay frozen."""
    if gc.get_freeze_count() <= _IMMORTAL:
        gc.freeze()  # all generations, in constant time
        gc.unfreeze()  # into the oldest


@contextmanager
def pause_collection() -> Iterator[None]:
    """Pauses the cyclic garbage collector inside; reference counting still frees memory.

    A graph of n nodes is copied by every pass. Each few hundred objects start a collection, which looks again at all that were made before:
    a third of the time that a graph of 50,000 nodes takes, and nothing of it is garbage. A collector that the program itself has switched
    off stays off. What the first pause leaves are modules for the most part, which stay: only full collections look at it, else the next
    small one would, for 15 ms.

    >>> with pause_collection():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    global _pausing, _imported
    with _lock:
        paused = _pausing > 0 or gc.isenabled()
        if paused:
            _pausing += 1
            gc.disable()
    try:
        yield
    finally:
        if paused:
            with _lock:
                _pausing -= 1
                if _pausing == 0:
                    if not _imported:
                        _make_old()
                    _imported = True
                    gc.enable()


@contextmanager
def made_to_stay() -> Iterator[None]:
    """Pauses the GC inside, and moves all objects to its oldest generation at the end: for imports, whose modules and tables stay.

    Without it, objects made during the pause are young: a collection soon after, in the middle of what the program does
    first, visits all of them (20,000 objects, 6 to 20 ms). The collector's settings stay. Where the program itself has frozen objects,
    nothing grows old: they would not stay frozen.

    >>> with made_to_stay():
    ...     table = [[number] for number in range(10_000)]
    >>> len(gc.get_objects(generation=0)) + len(gc.get_objects(generation=1)) < 1000
    True
    """
    with pause_collection():
        yield
        _make_old()


def import_to_stay(module: str) -> ModuleType:
    """Imports a module by its name; objects of a first import move to the GC's oldest generation."""
    if module in sys.modules:
        return importlib.import_module(module)  # waits for another thread that is importing it
    with made_to_stay():
        return importlib.import_module(module)


@contextmanager
def kept_for_good() -> Iterator[None]:
    """Freezes existing objects for the GC inside, and collects others once a second at most. For the main loop of a server, not a library.

    A server's models and modules are 60,000 objects that stay: looking at them takes 20 to 40 ms, several steps of decoding, and comes
    whenever requests have left enough behind. The values of one large request would cause hundreds of collections, in the thread that
    reads it: whatever its priority, nobody else runs Python code meanwhile.

    >>> with kept_for_good():
    ...     gc.get_freeze_count() > 0
    True
    >>> gc.get_freeze_count() < 1000
    True
    """
    gc.collect()
    gc.freeze()
    ended = threading.Event()
    collector = threading.Thread(target=_collect_until, args=(ended,), name="rlx-collector", daemon=True)
    automatic = gc.isenabled()
    if automatic:
        gc.disable()
        collector.start()
    try:
        yield
    finally:
        if automatic:
            ended.set()
            collector.join()
            gc.enable()
        gc.unfreeze()


def _collect_until(ended: threading.Event) -> None:
    """Runs the GC at a normal priority, when many objects were allocated since the last collection and not freed."""
    turns = itertools.count(1)
    while not ended.wait(_SECONDS):
        if gc.get_count()[0] > _MANY:
            gc.collect(2 if next(turns) % _FULL == 0 else 1)


# -- memory


def free_memory() -> int | None:
    """Bytes of memory that are free or reclaimable, within the limits of the process and its cgroup; None if unknown.

    >>> (free_memory() or 1) > 0
    True
    """
    sizes: list[int] = []
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        sizes += [int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")]
    with suppress(OSError, ValueError, IndexError):
        group = Path("/sys/fs/cgroup") / Path("/proc/self/cgroup").read_text("utf-8").split("::", 1)[1].split("\n")[0].strip("/")
        for folder in (group, *group.parents):
            with suppress(OSError, ValueError):  # "max" is not a number: this group has no limit
                limit = int((folder / "memory.max").read_text("ascii"))
                sizes.append(limit - int((folder / "memory.current").read_text("ascii")))
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
            sizes.append(limit - used)
    if not sizes:
        with suppress(AttributeError, OSError, ValueError):
            sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return max(0, min(sizes)) if sizes else None


def trim_heap() -> None:
    """Returns memory that the C library freed but still holds to the system: after a burst that may be hundreds of megabytes."""
    with suppress(AttributeError, OSError, ImportError):  # only glibc has it
        import ctypes

        ctypes.CDLL(None).malloc_trim(0)


# -- threads


_NICE = 10
"""About a tenth of what a thread of the usual priority gets on the same core: the work goes on, also where it holds the GIL."""


def lower_thread_priority() -> None:
    """Lowers the priority of the calling thread for good, so that all others run first. Only Linux has priorities by thread."""
    if sys.platform == "linux":
        with suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _NICE)
