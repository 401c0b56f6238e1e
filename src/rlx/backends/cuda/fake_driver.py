"""A driver without a GPU: host memory, launches by Triton's interpreter, and checks that a GPU would not make.

`RLX_CUDA=interpret` chooses it. It is for tests: a block takes milliseconds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlx.backends.cuda.access_rules import KernelFault
from rlx.backends.cuda.driver_interface import Array, GpuTarget, GraphNode, Span
from rlx.backends.cuda.interpret import interpreted, run_blocks
from rlx.backends.cuda.kernel_data import ALIGNMENT, KernelSource
from rlx.core.aligned import not_enough

_ROOM = 256  # bytes before and after each allocation that must keep their content
_FILL = 0xA5


@dataclass
class _FakeGraph:
    """A chain of nodes."""

    nodes: list[GraphNode]

    def writers(self) -> Counter[Span]:
        """How many nodes write each span."""
        return Counter(span for node in self.nodes for span in set(node.writes))


class FakeDriver:
    """Host memory in separate pieces with guarded ends. New memory is filled with a pattern, so what was never written shows."""

    checks = True
    dlpack_device = (1, 0)
    stream_handle: int | None = None
    products: Any = None

    def __init__(self, capability: int = 90, memory: int = 1 << 32) -> None:
        self.target = GpuTarget(capability)
        self.memory = memory
        self.held = 0
        self.launches = 0
        self._pieces: dict[int, Array] = {}
        self._starts: list[int] = []

    def describe(self) -> dict[str, str]:
        """What it is."""
        return {"GPU": f"none: kernels for {self.target} run by Triton's interpreter on the host"}

    # -- memory
    def allocate(self, size: int, what: str) -> int:
        """A piece of host memory."""
        if self.held + size > self.memory:
            raise not_enough(size, what)
        room = np.full(size + 2 * _ROOM + 256, _FILL, np.uint8)
        address = int(room.ctypes.data) + _ROOM
        address += -address % 256
        self._pieces[address] = room[address - room.ctypes.data - _ROOM :][: size + 2 * _ROOM]
        self._starts = sorted(self._pieces)
        self.held += size
        return address

    def free(self, address: int) -> None:
        """Check the ends, then forget it."""
        piece = self._pieces.pop(address)
        self._starts = sorted(self._pieces)
        self.held -= piece.size - 2 * _ROOM
        if (piece[:_ROOM] != _FILL).any() or (piece[-_ROOM:] != _FILL).any():
            raise KernelFault("a kernel wrote beside an allocation")

    def _bytes(self, address: int, size: int) -> Array:
        """Memory that lies in one piece."""
        place = bisect_right(self._starts, address) - 1
        start = self._starts[place] if place >= 0 else 0
        piece = self._pieces.get(start)
        offset = address - start
        if piece is None or offset + size > piece.size - 2 * _ROOM:
            raise KernelFault(f"{size} bytes at {address:#x} are no allocated memory")
        return piece[_ROOM + offset : _ROOM + offset + size]

    def write(self, address: int, array: Array) -> None:
        """Copy in."""
        dense = np.ascontiguousarray(array)
        if dense.nbytes:
            self._bytes(address, dense.nbytes)[...] = dense.reshape(-1).view(np.uint8)

    def read(self, address: int, array: Array) -> None:
        """Copy out."""
        if array.nbytes:
            array.reshape(-1).view(np.uint8)[...] = self._bytes(address, array.nbytes)

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy."""
        if size:
            self._bytes(target, size)[...] = self._bytes(source, size)

    # -- kernels
    def prepare(self, kernels: Sequence[KernelSource]) -> None:
        """Nothing: they are translated when they are loaded."""

    def machine_code(self, kernel: KernelSource) -> None:
        """None: the interpreter reads the source."""

    def load(self, kernel: KernelSource) -> Any:
        """Translated for the interpreter."""
        return interpreted(kernel)

    def graph(self, nodes: Sequence[GraphNode]) -> _FakeGraph:
        """The nodes, checked."""
        for node in nodes:
            self._check(node)
        return _FakeGraph(list(nodes))

    def _check(self, node: GraphNode) -> None:
        if min(node.grid) < 1 or node.grid[0] >= 1 << 31 or max(node.grid[1:]) >= 1 << 16:
            raise KernelFault(f"a grid of {node.grid} blocks")
        for address, aligned in zip(node.addresses, node.kernel.aligned, strict=False):
            if aligned and address % ALIGNMENT:
                raise KernelFault(f"{node.kernel.name}: {address:#x} is not aligned to {ALIGNMENT} bytes")
        for begin, end in (*node.reads, *node.writes):
            if begin != end:
                self._bytes(begin, end - begin)

    def update(self, graph: _FakeGraph, place: int, node: GraphNode) -> None:
        """Replace a node."""
        self._check(node)
        graph.nodes[place] = node

    def launch(self, graph: _FakeGraph) -> None:
        """Run every node, block by block."""
        writers = graph.writers()
        for node in graph.nodes:
            self.launches += 1
            if node.library is not None:
                self.products.multiply(node.library, node.library_addresses, 0, 0)
                continue
            changed = tuple(span for span, count in writers.items() if count > (span in node.writes))
            run_blocks(node.kernel, node.grid, node.addresses, node.reads, node.writes, changed)

    def synchronize(self) -> None:
        """Everything is done already."""

    def finish(self) -> None:
        """Everything is done already."""
