"""Runs of a program: graphs of launches for a bucket of sizes, with everything they are given.

Kernels read sizes from a block in the device's memory. So one graph serves every size of a bucket: its arena is laid out, and its
grids are counted, for the largest of them; blocks past the actual sizes return at once. Another size in the bucket changes the block and
no node, another bucket makes a graph and compiles nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rlx.backends.cuda.driver_interface import Array, Driver, GraphNode, Span
from rlx.backends.cuda.memory import DeviceBytes
from rlx.backends.cuda.program import BufferOperand, CudaProgram, DeviceProgramStep, HostProgramStep, ProgramStep, TrapStep
from rlx.core.dim import evaluate
from rlx.core.dtype import DType
from rlx.core.errors import RlxError, counted
from rlx.ir.evaluate import evaluate_op


def bucket_of(program: CudaProgram, sizes: Mapping[str, int]) -> dict[str, int]:
    """The largest sizes of a bucket: each symbol rounded up to a power of two, within its bounds.

    Sizes at which a grid or the arena would be larger than at those are a bucket of their own.
    """
    largest = {}
    for name, value in sizes.items():
        symbol = program.symbols.get(name)
        up = 1 << max(value - 1, 0).bit_length()
        if symbol is not None and symbol.maximum is not None:
            up = min(up, symbol.maximum)
        largest[name] = max(up, value)
    grids = [size for step in program.steps if isinstance(step, DeviceProgramStep) for size in step.grid]
    for size in {*grids, *program.slot_sizes, program.arena}:
        if evaluate(size, sizes) > evaluate(size, largest):
            return dict(sizes)
    return largest


def _is_for(step: DeviceProgramStep, largest: Mapping[str, int]) -> bool:
    """Whether a step is part of the graph of a bucket."""
    if step.only is None:
        return True
    size, least, most = step.only
    return least <= evaluate(size, largest) <= most


@dataclass
class _Segment:
    """Launches that follow each other without the host."""

    nodes: list[GraphNode]
    steps: list[DeviceProgramStep]
    graph: Any = None


@dataclass
class BucketRun:
    """A program laid out for one bucket of sizes."""

    program: CudaProgram
    driver: Driver
    largest: Mapping[str, int]
    arena: DeviceBytes
    block: DeviceBytes
    sizes: Mapping[str, int] | None = None
    addresses: tuple[int, ...] = ()
    inside: list[int] = field(default_factory=list)
    parts: list[_Segment | HostProgramStep | TrapStep] = field(default_factory=list)

    def run(self, sizes: Mapping[str, int], buffers: Sequence[int]) -> None:
        """Once, for some sizes of the bucket and the addresses of buffers outside the arena (0 for those inside)."""
        resized = self.sizes != sizes
        if resized:
            self._resize(sizes)
        addresses = self._placed(buffers)
        if not self.parts:
            self._capture(addresses)
        elif addresses != self.addresses or (resized and self.driver.checks):
            self._move(addresses)
        self.addresses = addresses
        for part in self.parts:
            if isinstance(part, _Segment):
                self.driver.launch(part.graph)
            elif isinstance(part, HostProgramStep):
                self._on_host(part)
            else:
                self._check_finite(part)

    # -- addresses
    def _placed(self, buffers: Sequence[int]) -> tuple[int, ...]:
        """The address of every buffer: those of the arena where the bucket's largest sizes put them."""
        if not self.inside:
            offsets = [evaluate(slot, self.largest) for slot in self.program.slots]
            self.inside = [
                self.arena.address + offsets[buffer.slot] if buffer.kind == "arena" else 0 for buffer in self.program.buffers
            ]
        return tuple(map(operator.add, self.inside, buffers))

    def _resize(self, sizes: Mapping[str, int]) -> None:
        """Write the block of sizes: all that another size of the bucket changes."""
        if self.program.numbers:
            values = np.array([evaluate(size, sizes) for size in self.program.numbers], np.int64)
            self.driver.write(self.block.address, values)
        self.sizes = dict(sizes)

    # -- graphs
    def _capture(self, addresses: Sequence[int]) -> None:
        """The segments between steps on the host, each one graph."""
        current: _Segment | None = None
        for step in self.program.steps:
            if not isinstance(step, DeviceProgramStep):
                self.parts.append(step)
                current = None
                continue
            grid = tuple(evaluate(size, self.largest) for size in step.grid)
            if 0 in grid or not _is_for(step, self.largest):
                continue
            if current is None:
                current = _Segment([], [])
                self.parts.append(current)
            products, library = self.driver.products, step.library
            if products is None or library is None or not products.takes(library):
                library = None
            function = None if library is not None else self.driver.load(step.kernel)
            node = GraphNode(step.kernel, function, (grid[0], grid[1], grid[2]), (), (), (), library)
            current.nodes.append(self._given(node, step, addresses))
            current.steps.append(step)
        for part in self.parts:
            if isinstance(part, _Segment):
                part.graph = self.driver.graph(part.nodes)

    def _given(self, node: GraphNode, step: DeviceProgramStep, addresses: Sequence[int]) -> GraphNode:
        """A node with the addresses of its operands."""
        pointers = [addresses[operand.buffer] + operand.offset for operand in step.operands]
        reads = [self._span(operand, addresses) for operand in step.operands if not operand.written]
        writes = [self._span(operand, addresses) for operand in step.operands if operand.written]
        if step.kernel.sizes:
            pointers.append(self.block.address + 8 * step.window)
            reads.append((self.block.address, self.block.address + self.block.size))
        return replace(node, addresses=tuple(pointers), reads=tuple(reads), writes=tuple(writes))

    def _move(self, addresses: Sequence[int]) -> None:
        """Give the nodes other addresses, those that have one that changed."""
        for part in self.parts:
            if not isinstance(part, _Segment):
                continue
            for place, step in enumerate(part.steps):
                before = part.nodes[place]
                node = part.nodes[place] = self._given(before, step, addresses)
                if node.addresses != before.addresses or (self.driver.checks and node != before):
                    self.driver.update(part.graph, place, node)

    def _span(self, operand: BufferOperand, addresses: Sequence[int]) -> Span:
        """The memory that a tensor reaches at the current sizes."""
        assert self.sizes is not None
        layout, item = operand.place.layout, operand.place.dtype.size
        dims = [evaluate(size, self.sizes) for size in layout.dims]
        strides = [evaluate(stride, self.sizes) for stride in layout.strides]
        start = addresses[operand.buffer] + evaluate(layout.offset, self.sizes) * item
        if 0 in dims:
            return start, start
        low = sum((size - 1) * stride for size, stride in zip(dims, strides, strict=True) if stride < 0)
        high = sum((size - 1) * stride for size, stride in zip(dims, strides, strict=True) if stride > 0)
        return start + low * item, start + (high + 1) * item

    # -- on the host
    def _read(self, operand: BufferOperand) -> Array:
        """A tensor, copied to the host."""
        assert self.sizes is not None
        begin, end = self._span(operand, self.addresses)
        layout, dtype = operand.place.layout, operand.place.dtype
        dims = [evaluate(size, self.sizes) for size in layout.dims]
        if 0 in dims:
            return np.zeros(dims, dtype.numpy)
        flat = np.empty(end - begin, np.uint8)
        self.driver.read(begin, flat)
        strides = [evaluate(stride, self.sizes) for stride in layout.strides]
        low = sum((size - 1) * stride for size, stride in zip(dims, strides, strict=True) if stride < 0)
        steps = [stride * dtype.size for stride in strides]
        return np.ndarray(dims, dtype.numpy, flat.data, -low * dtype.size, steps).copy()

    def _on_host(self, step: HostProgramStep) -> None:
        """Download the operands, compute by the reference, upload the results."""
        assert self.sizes is not None
        operands = [None if operand is None else self._read(operand) for operand in step.inputs]
        sizes = dict(self.sizes)
        op = step.op.bind(sizes) if sizes else step.op
        shapes = [shape.bind(sizes) for shape in step.results] if sizes else step.results
        try:
            found = evaluate_op(op, operands, shapes)
        except RlxError as error:
            error.location = error.location or step.location
            raise
        for operand, array in zip(step.outputs, found, strict=True):
            begin, _ = self._span(operand, self.addresses)
            self.driver.write(begin, np.ascontiguousarray(array))

    def _check_finite(self, step: TrapStep) -> None:
        array = self._read(step.value)
        dtype = DType.of(array.dtype)
        wide = array if dtype.is_complex else array.astype(np.float64)
        if not np.isfinite(wide).all():
            raise RlxError("RLX510", f"{step.name} ({step.origin}) produced NaN or infinity", at=None)


def described(steps: Sequence[ProgramStep]) -> str:
    """How a program runs, for the report: "captured: yes", or why not as one graph."""
    host = [step for step in steps if not isinstance(step, DeviceProgramStep)]
    chosen = [step for step in steps if isinstance(step, DeviceProgramStep) and step.only is not None]
    kernels = f"{counted(len(steps) - len(host) - len(chosen), 'kernel')}"
    if chosen:
        kernels += f" and, by the bucket of sizes, some of {len(chosen)} more"
    if not host:
        return f"captured: yes, {kernels} in one graph"
    names = ", ".join(sorted({step.name for step in host}))
    return f"captured: in parts, {kernels}; on the host in between: {names}"


def library_products(program: CudaProgram, driver: Driver) -> list[tuple[str, str]]:
    """For the report: each product that a library computes, and where it comes from."""
    found = []
    for step in program.steps:
        product = step.library if isinstance(step, DeviceProgramStep) else None
        if product is not None and driver.products is not None and driver.products.takes(product):
            m, n, k = product.rows, product.columns, product.depth
            line = f"[{m}, {k}] x [{k}, {n}] in {product.dtype} by cuBLASLt {driver.products.version}"
            found.append((f"{line}{', with what is added' if product.adds else ''}", step.origin))
    return found
