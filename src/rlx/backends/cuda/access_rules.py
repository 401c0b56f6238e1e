"""What a kernel may touch: its operands, and of these before it waits only what nothing in its graph writes. For the fake driver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rlx.backends.cuda.driver_interface import Span
from rlx.backends.cuda.kernel_data import ALIGNMENT


class KernelFault(AssertionError):
    """A kernel touched memory that is not its own, or broke a rule of dependent launches."""


class AccessRules:
    """What the block that runs may touch, and whether it has waited for the kernel before it.

    Of memory that the launch itself writes, a block may read before it waits what no block of the launch stores to: that is known at
    the end of the launch.
    """

    def __init__(self) -> None:
        self.begin((), (), ())

    def begin(self, reads: tuple[Span, ...], writes: tuple[Span, ...], changed: tuple[Span, ...]) -> None:
        """A launch; `changed` is what other kernels of its graph write."""
        self.reads, self.writes, self.changed = reads, writes, changed
        self.has_waited = False
        self.early: list[tuple[Any, int]] = []
        self.stored: list[tuple[Any, int]] = []

    def waited(self) -> None:
        """The block waits."""
        self.has_waited = True

    def check_load(self, addresses: Any, size: int) -> None:
        """A block reads."""
        if addresses.size == 0:
            return
        if not self.has_waited:
            if _any_inside(addresses, size, self.changed):
                raise KernelFault("reads memory that another kernel of the graph writes before it waits for it")
            if _any_inside(addresses, size, self.writes):
                self.early.append((addresses, size))
        if not _all_inside(addresses, size, (*self.reads, *self.writes)):
            raise KernelFault(f"reads outside its operands: {_outside(addresses, size, (*self.reads, *self.writes))}")

    def check_prefetch(self, addresses: Any, size: int) -> None:
        """A block asks for memory ahead of its use: at any time, in whole vectors of its operands."""
        if size % ALIGNMENT or bool((addresses % np.uint64(ALIGNMENT)).any()):
            raise KernelFault(f"asks for {size} bytes that are not whole vectors")
        if not _all_inside(addresses, size, (*self.reads, *self.writes)):
            raise KernelFault(f"asks for memory outside its operands: {_outside(addresses, size, self.reads)}")

    def check_store(self, addresses: Any, size: int) -> None:
        """A block writes."""
        if addresses.size == 0:
            return
        if not self.has_waited:
            raise KernelFault("writes before it waits for the kernel before it")
        if not _all_inside(addresses, size, self.writes):
            raise KernelFault(f"writes outside its results: {_outside(addresses, size, self.writes)}")
        self.stored.append((addresses, size))

    def end(self) -> None:
        """The launch is done: nothing that it stored was read before a wait."""
        for addresses, size in self.stored if self.early else ():
            first = np.sort(addresses)
            for read, width in self.early:
                before = np.searchsorted(first, read + np.uint64(width)) - 1  # the last store that begins before its end
                if bool(((before >= 0) & (first[before] + np.uint64(size) > read)).any()):
                    raise KernelFault("reads memory that its own launch writes before it waits for it")


def _all_inside(addresses: Any, size: int, spans: Sequence[Span]) -> bool:
    low, high = int(addresses.min()), int(addresses.max()) + size
    if any(begin <= low and high <= end for begin, end in spans):
        return True
    inside = np.zeros(addresses.shape, bool)
    for begin, end in spans:
        inside |= (addresses >= begin) & (addresses + np.uint64(size) <= end)
    return bool(inside.all())


def _outside(addresses: Any, size: int, spans: Sequence[Span]) -> str:
    worst = [int(a) for a in addresses if not any(b <= int(a) and int(a) + size <= e for b, e in spans)][:1]
    near = ", ".join(f"{worst[0] - begin:+d} of {end - begin} bytes" for begin, end in spans) if worst else ""
    return f"{size} bytes at {near}"


def _any_inside(addresses: Any, size: int, spans: Sequence[Span]) -> bool:
    return any(bool(((addresses < end) & (addresses + np.uint64(size) > begin)).any()) for begin, end in spans)
