"""Runs of a program: graphs of launches for a bucket of sizes, and the runners that own them. Runs return before they are done.

Kernels read sizes from a block in the device's memory. So one graph serves every size of a bucket: its arena is laid out, and its
grids are counted, for the largest of them; blocks past the actual sizes return at once. Another size in the bucket changes the block and
no node, another bucket makes a graph and compiles nothing.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rlx.backends.cuda.driver_interface import Array, Driver, GraphNode, Span
from rlx.backends.cuda.memory import DeviceBytes, address_in
from rlx.backends.cuda.program import BufferOperand, CudaProgram, DeviceProgramStep, HostProgramStep, ProgramStep, TrapStep
from rlx.core.device_array import DeviceArray
from rlx.core.dim import LARGEST_SIZE, evaluate
from rlx.core.dtype import DType
from rlx.core.errors import RlxError, count_of
from rlx.ir.evaluate import evaluate_op
from rlx.ir.parse_lir import Buffer


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
    """Launches of a bucket with no host step between them."""

    nodes: list[GraphNode]
    steps: list[DeviceProgramStep]
    graph: Any = None


@dataclass
class BucketRun:
    """A CUDA program laid out for one bucket of sizes: its graphs and the address of every buffer."""

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
        """Runs once, for sizes of the bucket and the addresses of buffers outside the arena (0 for those inside)."""
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
        """The address of every buffer: those of the arena at the offsets of the bucket's largest sizes."""
        if not self.inside:
            offsets = [evaluate(slot, self.largest) for slot in self.program.slots]
            self.inside = [
                self.arena.address + offsets[buffer.slot] if buffer.kind == "arena" else 0 for buffer in self.program.buffers
            ]
        return tuple(map(operator.add, self.inside, buffers))

    def _resize(self, sizes: Mapping[str, int]) -> None:
        """Writes the block of sizes: nothing else changes with the sizes of the bucket."""
        if self.program.numbers:
            values = np.array([evaluate(size, sizes) for size in self.program.numbers], np.int64)
            self.driver.write(self.block.address, values)
        self.sizes = dict(sizes)

    # -- graphs
    def _capture(self, addresses: Sequence[int]) -> None:
        """Captures the segments between host steps, each as one graph."""
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
        """The graph node of a launch with the addresses of its operands."""
        pointers = [addresses[operand.buffer] + operand.offset for operand in step.operands]
        reads = [self._span(operand, addresses) for operand in step.operands if not operand.written]
        writes = [self._span(operand, addresses) for operand in step.operands if operand.written]
        if step.kernel.sizes:
            pointers.append(self.block.address + 8 * step.window)
            reads.append((self.block.address, self.block.address + self.block.size))
        return replace(node, addresses=tuple(pointers), reads=tuple(reads), writes=tuple(writes))

    def _move(self, addresses: Sequence[int]) -> None:
        """Updates the addresses of the nodes whose operands moved."""
        for part in self.parts:
            if not isinstance(part, _Segment):
                continue
            for place, step in enumerate(part.steps):
                before = part.nodes[place]
                node = part.nodes[place] = self._given(before, step, addresses)
                if node.addresses != before.addresses or (self.driver.checks and node != before):
                    self.driver.update(part.graph, place, node)

    def _span(self, operand: BufferOperand, addresses: Sequence[int]) -> Span:
        """The memory span of a tensor at the current sizes."""
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
        """Copies a tensor to the host."""
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
        """Runs a host step: downloads the operands, computes by the reference, uploads the results."""
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
    kernels = f"{count_of(len(steps) - len(host) - len(chosen), 'kernel')}"
    if chosen:
        kernels += f" and, by the bucket of sizes, some of {len(chosen)} more"
    if not host:
        return f"captured: yes, {kernels} in one graph"
    names = ", ".join(sorted({step.name for step in host}))
    return f"captured: in parts, {kernels}; on the host in between: {names}"


def library_products(program: CudaProgram, driver: Driver) -> list[tuple[str, str]]:
    """Lists for the report each product that a library computes, and the op it comes from."""
    found = []
    for step in program.steps:
        product = step.library if isinstance(step, DeviceProgramStep) else None
        if product is not None and driver.products is not None and driver.products.takes(product):
            m, n, k = product.rows, product.columns, product.depth
            line = f"[{m}, {k}] x [{k}, {n}] in {product.dtype} by cuBLASLt {driver.products.version}"
            found.append((f"{line}{', with what is added' if product.adds else ''}", step.origin))
    return found


_BUCKETS = 16  # graphs cached per runner


class CudaRunner:
    """Runs a CUDA program: one graph for each bucket of sizes, one arena as large as the largest of them needs."""

    threads = 1

    def __init__(self, program: CudaProgram, driver: Driver, inputs: Sequence[str] = (), outputs: Sequence[str] = ()) -> None:
        self.program, self.driver = program, driver
        self._inputs, self._outputs = tuple(inputs), tuple(outputs)
        self._owned = {buffer.name for buffer in program.buffers if buffer.kind in ("param", "state")}
        self._attached: dict[str, DeviceArray] = {}
        self._constants: dict[str, DeviceBytes] = {}
        self._runs: dict[tuple[tuple[str, int], ...], BucketRun] = {}
        self._arena: DeviceBytes | None = None
        self._last: tuple[Any, ...] | None = None
        self._fixed: list[int] | None = None  # addresses of buffers that stay from run to run
        place = {(buffer.kind, buffer.name): index for index, buffer in enumerate(program.buffers)}
        self._places = [place.get(("input", name)) for name in self._inputs]
        self._places += [place.get(("output", name)) for name in self._outputs]

    def clone(self) -> CudaRunner:
        """A runner of the same program with its own arena."""
        return CudaRunner(self.program, self.driver, self._inputs, self._outputs)

    def uses(self, name: str) -> bool:
        return name in self._owned

    def attach(self, name: str, array: DeviceArray) -> None:
        self._attached[name] = array
        self._fixed = None

    def detach(self, name: str) -> None:
        self._attached.pop(name, None)
        self._fixed = None

    def release(self) -> None:
        """Releases the arena, the graphs and all attached memory."""
        self._attached.clear()
        self._fixed = None
        self._runs.clear()
        self._arena = None
        self._last = None

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether every buffer has fewer than 2**63 bytes."""
        everything = (*(buffer.size for buffer in self.program.buffers), *self.program.numbers, self.program.arena)
        return all(evaluate(size, sizes) <= LARGEST_SIZE for size in everything)

    def run(self, sizes: Mapping[str, int], inputs: Sequence[DeviceArray], outputs: Sequence[DeviceArray]) -> None:
        """Submits one run to the device."""
        if self._fixed is None:
            self._fixed = [self._address(buffer) for buffer in self.program.buffers]
        addresses = self._fixed.copy()
        for place, array in zip(self._places, (*inputs, *outputs), strict=True):
            if place is not None:
                addresses[place] = array.handle.address
        self._bucket(sizes).run(sizes, addresses)
        self._last = dict(sizes), [(array.shape, array.dtype) for array in (*inputs, *outputs)]

    def _address(self, buffer: Buffer) -> int:
        """The address of an attached buffer or a constant; the bucket knows the arena, a run inputs and outputs."""
        if buffer.kind == "constant":
            return self._constant(buffer.name)
        return address_in(self._attached[buffer.name]) if buffer.kind in ("param", "state") else 0

    def _constant(self, name: str) -> int:
        if name not in self._constants:
            array = self.program.constants[name]
            self._constants[name] = DeviceBytes(self.driver, array.nbytes, "a constant of the program")
            self.driver.write(self._constants[name].address, array)
        return self._constants[name].address

    def _bucket(self, sizes: Mapping[str, int]) -> BucketRun:
        """The graph for some sizes, laid out when they first occur."""
        key = tuple(sorted(sizes.items()))
        for run in self._runs.values():
            if run.sizes == sizes:
                return run
        largest = bucket_of(self.program, sizes)
        key = tuple(sorted(largest.items()))
        if key not in self._runs:
            if len(self._runs) >= _BUCKETS:
                self._runs.pop(next(iter(self._runs)))
            self._runs[key] = self._laid_out(largest)
        return self._runs[key]

    def _laid_out(self, largest: Mapping[str, int]) -> BucketRun:
        needed = evaluate(self.program.arena, largest)
        if self._arena is None or self._arena.size < needed:
            self._runs.clear()  # their addresses are those of the old arena
            self._arena = None
            sizes = ", ".join(f"{name} = {value}" for name, value in largest.items()) or "fixed sizes"
            self._arena = DeviceBytes(self.driver, max(needed, 256), f"the arena of {self.program.name!r} for {sizes}")
        block = DeviceBytes(self.driver, max(8 * len(self.program.numbers), 8), "the block of sizes")
        return BucketRun(self.program, self.driver, largest, self._arena, block)

    def again(self, inputs: Sequence[object], outputs: Sequence[object]) -> bool:
        """Runs on device arrays like those of the last run; False where they differ."""
        if self._last is None:
            return False
        given = [*inputs, *outputs]
        if not all(isinstance(array, DeviceArray) for array in given):
            return False
        sizes, like = self._last
        arrays: list[DeviceArray] = [array for array in given if isinstance(array, DeviceArray)]
        if [(array.shape, array.dtype) for array in arrays] != like:
            return False
        results = arrays[len(inputs) :]
        spans = [(address_in(array), address_in(array) + array.nbytes, array) for array in arrays]
        for result in results:
            begin, end = address_in(result), address_in(result) + result.nbytes
            if any(other is not result and begin < stop and start < end for start, stop, other in spans):
                return False
        self.run(sizes, arrays[: len(inputs)], results)
        return True

    def profiled(
        self, sizes: Mapping[str, int], inputs: Sequence[DeviceArray], outputs: Sequence[DeviceArray]
    ) -> list[tuple[str, str, float, int, int]]:
        """Times the complete run as one line: kernels inside a graph are not timed separately yet."""
        self.driver.synchronize()
        start = time.perf_counter()
        self.run(sizes, inputs, outputs)
        self.driver.synchronize()
        moved = sum(array.nbytes for array in (*inputs, *outputs))
        return [(self.program.name, "", time.perf_counter() - start, 0, moved)]

    # -- prepare
    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """One part with all outputs together."""
        return (tuple(buffer.name for buffer in self.program.buffers if buffer.kind == "output"),)

    def make(self, outputs: Mapping[str, DeviceArray]) -> None:
        """Computes the outputs of a program without inputs."""
        self._order(tuple(outputs))
        self.run({}, (), tuple(outputs.values()))

    def _order(self, outputs: tuple[str, ...]) -> None:
        """Sets the order in which `run` gets outputs."""
        place = {buffer.name: index for index, buffer in enumerate(self.program.buffers) if buffer.kind == "output"}
        self._outputs, self._places = outputs, [place[name] for name in outputs]
